"""The interface of a kind of report: what it must provide, what it receives, and what it returns.

A kind is a class derived from `ReportOptions`, in a file of its own in the folder of its paper, and a member of the
union in `deckatlas.papers.kinds`. Its fields are the keys of the table [report] of an experiment.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.published import tables
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import Study
from deckatlas.runs.config import ConfigTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

Rows = Sequence[Mapping[str, Any]]
Draw = Callable[["Figure"], None]


@dataclass(frozen=True)
class TextTable:
    """A table for people, printed and written as Markdown. The first column is text, the others are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Report:
    """The result of an experiment.

    Attributes:
        rows: All numbers, as plain data (texts, numbers, None), in tables by name. Each table becomes NAME.csv, one
            column per key, and is part of result.json. Every rate has its n and its interval there.
        tables: Tables for people, with published numbers beside ours.
        notes: Sentences about the tables: what `±` and intervals cover, and which sizes differ from the paper.
        figures: For each name, a function that draws on an empty figure of matplotlib; the result is NAME.png. It may
            set the size of the figure, and must not import `matplotlib.pyplot`.
    """

    rows: Mapping[str, Rows]
    tables: tuple[TextTable, ...]
    notes: tuple[str, ...] = ()
    figures: Mapping[str, Draw] = field(default_factory=dict)


class ReportOptions(ConfigTable, ABC):
    """The options of one kind of report; `kind` (a Literal with a default) distinguishes the classes."""

    of_archives: ClassVar[bool] = False  # whether it needs runs with archives; otherwise it needs searches by matchups

    kind: str

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Everything that makes the report impossible, reported before the first game.

        Args:
            published: The experiment's table [published]; it must be empty here, since nothing is shown beside ours.
            runs: The names of the experiment's runs.
        """
        yield from tables({})(published, ("published",))

    def check_series(self, series: Mapping[str, Series]) -> None:
        """Checks what the report needs of the runs themselves, before the first game; by default nothing.

        Args:
            series: The experiment's runs, by name; `complaints` knows that all runs it needs are there.

        Raises:
            RunError: If they cannot be reported.
        """

    @abstractmethod
    def report(self, study: Study) -> Report:
        """Makes the report.

        `study.play` plays games and stores them as they are played: a second call gives the same report and plays no
        games. All randomness comes from `study.rng(purpose)`.

        Raises:
            RunError: If these options do not fit the study's runs.
        """

    @abstractmethod
    def smoke(self) -> Self:
        """The smallest version of these options that still does everything, for a report that takes seconds."""
