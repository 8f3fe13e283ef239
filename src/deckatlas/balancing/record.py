"""The record of a balance study: a JSON file beside its runs, from which the study is found and shown without playing.

It is written when the study begins, without a verdict, and again when it ends. Like a run, it is named by all that the
result depends on, so that a study that resumes writes the same file. It is checked as a whole when it is read.
"""

import re
from collections.abc import Iterator, Sized
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from deckatlas.errors import RunError
from deckatlas.files.plain_data import read_json
from deckatlas.files.reading import shown_path
from deckatlas.files.writing import make_folder, write_text
from deckatlas.metagame.metagame import MOST_DECKS
from deckatlas.runs.lock import acquire, is_held, release
from deckatlas.stats.estimate import Estimate

SUFFIX = ".study.json"
FORMAT: Literal[1] = 1
MOST_CELLS = 100_000  # of one map

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST_NAME = 60

Number = Annotated[
    float | None,
    BeforeValidator(lambda value: None if isinstance(value, float) and not abs(value) < float("inf") else value),
]
Share = Annotated[float, Field(ge=0, le=1)]
_Two = Field(min_length=2, max_length=2)


class Part(BaseModel):
    """A part of a record."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Measured(Part):
    """A number with its interval and the size of its sample; an end that is not known is None."""

    value: Number
    low: Number
    high: Number
    n: int
    is_share: bool

    @classmethod
    def of(cls, found: Estimate) -> Self:
        """The record of an estimate."""
        return cls(value=found.value, low=found.low, high=found.high, n=found.n, is_share=found.is_share)


class Answer(Part):
    """The answer to a question of the study: a number before and after the patch; see `balancing.questions`."""

    family: str
    topic: str
    subject: str
    place: str
    number: str
    claim: Literal["rises", "falls", "unchanged", "undecided"]
    before: Measured
    after: Measured
    difference: Measured
    unit: str
    p: Number
    adjusted_p: Number
    rests_on: str
    text: str

    @property
    def is_change(self) -> bool:
        """Whether it claims a change."""
        return self.claim in ("rises", "falls")

    def row(self) -> dict[str, str | float | int | None]:
        """The answer as a row of a table."""
        found = self.difference
        return {
            **self.model_dump(include={"family", "topic", "subject", "place", "claim"}),
            "before": self.before.value,
            "after": self.after.value,
            "difference": found.value,
            "low": found.low,
            "high": found.high,
            "p": self.p,
            "adjusted_p": self.adjusted_p,
            "n": self.after.n,
            "rests_on": self.rests_on,
        }


class MeantOutcome(Part):
    """Whether the patch does what was meant, and the question that says so."""

    intent: str
    verdict: Literal["met", "missed", "undecided"]
    topic: str
    subject: str
    place: str
    found: Measured
    wanted_low: Share
    wanted_high: Share
    more_games: int | None
    text: str


class CardWords(Part):
    """What the patch does to one card, in words."""

    card: str
    words: str
    is_new: bool


class MixShare(Part):
    """A deck, or the decks of a search, with its share of the equilibrium mix under both editions."""

    name: str
    before: Measured
    after: Measured


class CardPlace(Part):
    """Where the elites with a card are along a measure, under both editions."""

    search: str
    card: str
    measure: str
    before: Measured | None
    after: Measured | None


class Matrices(Part):
    """How often the row won against the column under both editions: known decks in the order of the metagame.

    `entrants` are the decks with their pilots, as commands write them.
    """

    names: list[str] = Field(max_length=MOST_DECKS)
    entrants: list[str]
    classes: list[str]
    shares: list[Share]
    before: list[list[Share]]
    after: list[list[Share]]

    @model_validator(mode="after")
    def _square(self) -> Self:
        count = len(self.names)
        rows: tuple[Sized, ...] = (
            self.entrants,
            self.classes,
            self.shares,
            self.before,
            self.after,
            *self.before,
            *self.after,
        )
        if any(len(each) != count for each in rows):
            raise ValueError("a matrix has a row and a column for each deck")
        return self


class MeanMap(Part):
    """The map of a search, on average over trials: the win rate of each cell before and after, None where it is empty.

    Cells are numbered row by row. `changed` are those that changed beyond noise.
    """

    search: str
    pilot: str
    shape: Annotated[list[int], _Two]
    measures: Annotated[list[str], _Two]
    ranges: Annotated[list[Annotated[list[float], _Two]], _Two]
    before: list[Share | None] = Field(max_length=MOST_CELLS)
    after: list[Share | None]
    changed: list[int]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        cells = self.shape[0] * self.shape[1]
        if min(self.shape) < 1 or len(self.before) != cells or len(self.after) != cells:
            raise ValueError("a map has a value for each cell")
        if not all(0 <= each < cells for each in self.changed):
            raise ValueError("a cell is not on the map")
        return self


class TrialRuns(Part):
    """The searches of a trial, by the names of their runs."""

    number: int
    from_known: bool
    runs: list[str]


class Verdict(Part):
    """What came out, and what it rests on."""

    finished: datetime
    games: int
    changes: list[CardWords]
    rules: list[str]
    left_out: list[str]
    sentences: list[Answer]
    intents: list[MeantOutcome]
    matchups: list[Answer]
    cells: list[Answer]
    matrices: Matrices
    maps: list[MeanMap]
    mix: list[MixShare]
    places: list[CardPlace]
    trials: list[TrialRuns]


class StudyRecord(Part):
    """A balance study: what was asked, and, once it is finished, the verdict.

    `options` are those of `deckatlas.balance` beside the patch, as plain data; `several` and `one` are what a game
    calls what its players bring, such as decks.
    """

    format: Literal[1]
    version: str
    name: str
    game: str
    patch: str
    patch_toml: str
    base: str
    metagame: str
    pilots: list[str]
    effort: str
    seed: int
    one: str
    several: str
    options: dict[str, bool | int | str | list[str]]
    begun: datetime
    verdict: Verdict | None = None


def plain_name(patch: str) -> str:
    """The name of a patch as far as file names allow it."""
    return _NOT_PLAIN.sub("-", patch).strip("-.")[:_LONGEST_NAME] or "patch"


def plain_file(patch: str) -> str:
    """The name of a file for a patch."""
    return f"{plain_name(patch)}.toml"


def studies_in(folder: Path) -> list[tuple[str, Path]]:
    """The records of all studies in a folder and its sub-folders, each with the name of its file."""
    paths = sorted(path for path in folder.rglob(f"*{SUFFIX}") if path.is_file())
    return [(path.relative_to(folder).as_posix().removesuffix(SUFFIX), path) for path in paths]


def find_study(folder: Path, study: str) -> Path | None:
    """The record of a study, given by its name in a folder of runs or by the path of its file; None if it is none."""
    for path in (folder / f"{study}{SUFFIX}", Path(study)):
        if path.name.endswith(SUFFIX) and path.is_file():
            return path
    return None


def read_study(path: Path) -> StudyRecord:
    """The record of a study.

    Raises:
        RunError: If it cannot be read, or is not such a record.
    """
    values = read_json(path, error=RunError)
    known = values.get("format") if isinstance(values, dict) else None
    if known != FORMAT:
        raise RunError(
            f"{shown_path(path)} is not the record of a balance study, or was written by a later version of Deckatlas"
        )
    try:
        return StudyRecord.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RunError(f"{shown_path(path)} is damaged ({where}: {first['msg']}); it was left as it is") from None


def write_study(folder: Path, record: StudyRecord) -> None:
    """Writes the record of a study into a folder of runs.

    Raises:
        RunError: If it cannot be written.
    """
    make_folder(folder, error=RunError)
    write_text(folder / f"{record.name}{SUFFIX}", record.model_dump_json(indent=1) + "\n", error=RunError)


@contextmanager
def in_progress(folder: Path, record: StudyRecord) -> Iterator[None]:
    """Marks a study as being carried out while a block runs; two processes may carry out the same one.

    A verdict that is there already stays until there is a new one.

    Raises:
        RunError: If the record cannot be written, or its file holds something else.
    """
    make_folder(folder, error=RunError)
    path = folder / f"{record.name}{SUFFIX}"
    lock = acquire(path)
    try:
        if not path.is_file() or read_study(path).verdict is None:
            write_study(folder, record)
        yield
    finally:
        if lock is not None:
            release(path, lock)


def state_of(path: Path, record: StudyRecord) -> str:
    """Whether a study is finished, running or stopped: in the words of runs."""
    if record.verdict is not None:
        return "finished"
    return "running" if is_held(path) else "stopped"
