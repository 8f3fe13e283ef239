"""The contenders of a report: named agents, and the best genomes of the runs of a search."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from deckatlas.experiments.kind import ReportOptions
from deckatlas.experiments.study import Study
from deckatlas.games.locm.entrants import Entrant, entrant
from deckatlas.papers.drafts.finalists import Finalists, finalists_of
from deckatlas.papers.drafts.fresh_games import SEAT_NAMES
from deckatlas.runs.config import ConfigTable


def _known(description: str) -> str:
    entrant(description)
    return description


Agent = Annotated[str, AfterValidator(_known)]
SeatName = Literal["first", "second"]


class ContenderReport(ReportOptions):
    """The shared options of reports on contenders."""

    opponent: Agent = Field(default="coac", description="The opponent in the validation games.")
    validation_games: int = Field(
        default=2500, ge=1, description="Validation games of the best of every run, which decide the honest choice."
    )

    def finalists(self, study: Study, search: str) -> Finalists:
        """The bests of all runs of a search, after their validation games."""
        return finalists_of(study, search, against=self.opponent, games=self.validation_games)

    @property
    def choices_note(self) -> str:
        """A note that explains the two choices."""
        return (
            "Choice `fitness` is the run whose best has the highest fitness, as in the paper; `honest` is the run "
            f"whose best won most of {self.validation_games:,} fresh games against {self.opponent}, which are used for "
            "nothing else."
        )


class Contender(ConfigTable):
    """A named agent, or the best of the runs of a search."""

    agent: Agent | None = Field(default=None, description="An entrant, as on the command line.")
    search: str | None = Field(default=None, description="The runs whose best genome drafts, with their pilot.")

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if (self.agent is None) == (self.search is None):
            raise ValueError("a contender needs either an agent or a search")
        return self


class SeatedContender(Contender):
    """A contender with its seat; runs have their own seat."""

    seat: SeatName | None = Field(
        default=None, description="The seat of an agent; runs keep the seat they were rated in."
    )

    @model_validator(mode="after")
    def _agents_have_a_seat(self) -> Self:
        if (self.seat is None) == (self.agent is not None):
            raise ValueError("an agent needs a seat, first or second; a search has the seat of its runs")
        return self


@dataclass(frozen=True)
class Drafter:
    """One contender as it drafts and plays.

    Attributes:
        label: Its label in figures and tables.
        choice: The choice among runs that selected it; empty for a named agent.
        entrant: The entrant that plays.
        seat: Its seat: 0 or 1.
    """

    label: str
    choice: str
    entrant: Entrant
    seat: int

    @property
    def title(self) -> str:
        """Label and choice."""
        return f"{self.label} ({self.choice})" if self.choice else self.label


def drafters(
    report: ContenderReport, study: Study, label: str, contender: SeatedContender
) -> tuple[list[Drafter], list[dict[str, Any]]]:
    """The drafters of a contender, and the rows of its finalists if it is a search."""
    if contender.agent is not None and contender.seat is not None:
        return [Drafter(label, "", entrant(contender.agent), SEAT_NAMES.index(contender.seat))], []
    assert contender.search is not None
    found = report.finalists(study, contender.search)
    chosen = [
        Drafter(label, choice, found.entrant(finalist), found.seat) for choice, finalist in found.choices().items()
    ]
    return chosen, found.rows()
