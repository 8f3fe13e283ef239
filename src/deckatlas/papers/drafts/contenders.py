"""Who stands in a report: agents by name, and what the runs of a search found."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from deckatlas.experiments.kind import ReportOptions
from deckatlas.experiments.study import Study
from deckatlas.games.locm.entrants import Entrant, entrant
from deckatlas.papers.drafts.finalists import Finalists, finalists_of
from deckatlas.papers.drafts.fresh_games import SEAT_NAMES
from deckatlas.runs.config import Table


def _known(description: str) -> str:
    entrant(description)
    return description


Agent = Annotated[str, AfterValidator(_known)]
Seat = Literal["first", "second"]


class ContenderReport(ReportOptions):
    """What reports on contenders have in common."""

    opponent: Agent = Field(default="coac", description="Whom the bests of all runs meet to be chosen from.")
    validation_games: int = Field(
        default=2500, ge=1, description="Games by which the best of every run is tried, to choose among them."
    )

    def finalists(self, study: Study, search: str) -> Finalists:
        """The bests of all runs of a search, after their validation games."""
        return finalists_of(study, search, against=self.opponent, games=self.validation_games)

    @property
    def choices_note(self) -> str:
        """What the two choices are."""
        return (
            "Choice `fitness` is the run whose best has the highest fitness, as the paper chooses; `honest` is the run "
            f"whose best won most of {self.validation_games:,} fresh games against {self.opponent}, which count for "
            "nothing else."
        )


class Contender(Table):
    """An agent by name, or what the runs of a search found."""

    agent: Agent | None = Field(default=None, description="An entrant, as on the command line.")
    search: str | None = Field(default=None, description="Runs whose best drafts, with the pilot of these runs.")

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if (self.agent is None) == (self.search is None):
            raise ValueError("a contender has either an agent or a search")
        return self


class SeatedContender(Contender):
    """A contender with its seat; runs have their own."""

    seat: Seat | None = Field(default=None, description="Where an agent sits; runs sit where they were rated.")

    @model_validator(mode="after")
    def _agents_have_a_seat(self) -> Self:
        if (self.seat is None) == (self.agent is not None):
            raise ValueError("an agent needs a seat, first or second; a search has that of its runs")
        return self


@dataclass(frozen=True)
class Drafter:
    """One contender as it drafts and plays.

    Attributes:
        label: What figures and tables call it.
        choice: By which choice among runs it is here, or empty for an agent by name.
        entrant: Who plays.
        seat: Where it sits.
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
    """Who stands for a contender of a report, and the rows of its finalists where it is a search."""
    if contender.agent is not None and contender.seat is not None:
        return [Drafter(label, "", entrant(contender.agent), SEAT_NAMES.index(contender.seat))], []
    assert contender.search is not None
    found = report.finalists(study, contender.search)
    chosen = [
        Drafter(label, choice, found.entrant(finalist), found.seat) for choice, finalist in found.choices().items()
    ]
    return chosen, found.rows()
