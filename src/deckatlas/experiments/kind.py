"""What a kind of report must provide, what it is given, and what it returns.

A kind is a class derived from `ReportOptions` in a file of its own in the folder of its paper, and one more member of
the union in `deckatlas.papers.kinds`. Its fields are the keys of the table [report] of an experiment.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.published import tables
from deckatlas.experiments.study import Study
from deckatlas.runs.config import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

Rows = Sequence[Mapping[str, Any]]
Draw = Callable[["Figure"], None]


@dataclass(frozen=True)
class TextTable:
    """A table for people: printed, and written as Markdown. The first column is text, the others are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Report:
    """What came out.

    Attributes:
        rows: All numbers, as plain data (texts, numbers, None), in tables by name. Each table becomes NAME.csv, a
            column a key, and stands in result.json. Every rate has its n and its interval in it.
        tables: What people read, published numbers beside ours.
        notes: Sentences that go with the tables: what `±` and intervals are over, which sizes differ from the paper's.
        figures: For each name a function that draws on an empty figure of matplotlib, which becomes NAME.png. It may
            set the figure's size, and must not import `matplotlib.pyplot`.
    """

    rows: Mapping[str, Rows]
    tables: tuple[TextTable, ...]
    notes: tuple[str, ...] = ()
    figures: Mapping[str, Draw] = field(default_factory=dict)


class ReportOptions(Table, ABC):
    """The options of one kind of report; `kind` (a Literal with a default) tells the classes apart."""

    of_archives: ClassVar[bool] = False  # whether it is made of runs with archives; else of searches by matchups

    kind: str

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """What the report could not be made of, reported before anything is played.

        Args:
            published: The experiment's table [published]; here, where there is nothing to show beside, it is empty.
            runs: The names of the experiment's runs.
        """
        yield from tables({})(published, ("published",))

    @abstractmethod
    def report(self, study: Study) -> Report:
        """Makes the report.

        Games are played by `study.play`, which stores them as they are played: called a second time, the report is
        the same and costs no games. Everything random comes from `study.rng(purpose)`.

        Raises:
            RunError: If these options do not go with the study's runs.
        """

    @abstractmethod
    def smoke(self) -> Self:
        """The smallest version of these options that still does everything, for a report of seconds."""
