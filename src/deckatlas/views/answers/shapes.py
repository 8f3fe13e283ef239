"""Shapes that many answers share. Numbers that are not finite become null: JSON has no word for them."""

from collections.abc import Iterable, Sequence
from math import isfinite
from shlex import join
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from deckatlas.runs.view import RunView
from deckatlas.stats.estimate import Estimate
from deckatlas.views.columns import column_name

Number = Annotated[float | None, BeforeValidator(lambda value: value if value is None or isfinite(value) else None)]
# Seeds are texts in answers, and in requests of pages: JavaScript's numbers are too small for them.
Seed = Annotated[int, Field(ge=0, le=2**63 - 1), WithJsonSchema({"type": "string", "pattern": "^[0-9]{1,19}$"})]


class Shape(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(Shape):
    """Why a request was refused, in one line."""

    error: str


class Rate(Shape):
    """A number with its interval and the games behind it; no interval where it is not known."""

    value: Number
    low: Number
    high: Number
    n: int
    is_share: bool = False

    @classmethod
    def of(cls, estimate: Estimate) -> "Rate":
        """The shape of an estimate."""
        return cls(value=estimate.value, low=estimate.low, high=estimate.high, n=estimate.n, is_share=estimate.is_share)


class NamedRate(Shape):
    """A column of a solution."""

    name: str
    title: str
    rate: Rate

    @classmethod
    def of(cls, column: str, rate: Rate) -> "NamedRate":
        """A column with its name for people."""
        return cls(name=column, title=column_name(column), rate=rate)


class AsCode(Shape):
    """How to get the same without the studio: a command line, and lines of Python."""

    command: str
    python: str

    @classmethod
    def picture(
        cls, runs: RunView | Sequence[RunView], what: str, *, measures: Sequence[str] = (), **choices: str | int
    ) -> "AsCode":
        """How to draw a picture of a run, or of several together.

        Args:
            runs: The run, or the runs.
            what: The name of the picture: one of `map_pictures.PICTURES`.
            measures: The columns that its cells are along; those of the run by default.
            choices: What is chosen for it: arguments of `plot_map`, and options of the same names of `deckatlas plot`.
        """
        views = [runs] if isinstance(runs, RunView) else runs
        paths = [str(view.path) for view in views]
        chosen = {} if what == "map" else {"what": what}
        words = ["deckatlas", "plot", *paths, "-o", f"{what}.png"]
        words += ["--measures", ",".join(measures)] if measures else []
        words += [word for name, value in (chosen | choices).items() for word in (f"--{name}", str(value))]
        by = f".by({list(measures)!r})" if measures else ""
        opened = f"deckatlas.open_run({paths[0]!r}){by}"
        if len(paths) > 1:
            opened = f"[deckatlas.open_run(path){by} for path in {paths!r}]"
        given = "".join(f", {name}={value!r}" for name, value in (chosen | choices).items())
        python = "import deckatlas\nfrom deckatlas.views.map_pictures import plot_map\n\n"
        return cls(command=join(words), python=f"{python}plot_map({opened}, {f'{what}.png'!r}{given})")


def plain(values: Iterable[float]) -> list[float | None]:
    """Numbers with six digits, which is more than a page shows; null for those that are not finite."""
    return [float(f"{value:.6g}") if isfinite(value) else None for value in values]
