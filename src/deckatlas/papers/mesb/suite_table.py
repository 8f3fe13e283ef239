"""The decks of a suite against each other, each with its own pilot, in one or several profiles."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.findings import Finding, with_findings
from deckatlas.experiments.kind import Report, ReportOptions, TextTable
from deckatlas.experiments.published import some_of, tables, under_any_name
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.deck_codes import deck_code
from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.profiles import PROFILES
from deckatlas.games.hearthstone.setup import edition_of
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.hearthstone.suites import Suite, suite_of
from deckatlas.papers.decks.deck_round import DeckRound, Rules, TableDeck
from deckatlas.papers.mesb.pools import one_of


class SuiteTable(ReportOptions):
    """The decks of a suite against each other, seats swapped."""

    kind: Literal["suite-table"] = "suite-table"
    suite: str = Field(default="elite", description="The suite: its name, or the path of its file.")
    edition: str = Field(default=DEFAULT, description="The edition of the cards.")
    profiles: tuple[Annotated[str, AfterValidator(partial(one_of, tuple(PROFILES)))], ...] = Field(
        default=("evosabber", "fair"), min_length=1, description="The profiles; all pairs play in each of them."
    )
    games: int = Field(default=1000, ge=2, multiple_of=2, description="Games per pair, half of them in each seat.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about a suite without pairs, and about published names of decks that are not in it."""
        try:
            names = [player.name for player in self._players()]
        except RunError as error:
            yield Complaint((("report", "suite"),), str(error))
            return
        beats = under_any_name(tables(dict.fromkeys(names, some_of(names))))
        yield from tables({"beats": beats, "worst": some_of(names)})(published, ("published",))

    def smoke(self) -> Self:
        """A few games per pair."""
        return self.model_copy(update={"games": min(self.games, 4)})

    def report(self, study: Study) -> Report:
        """All rates and averages in each profile, and whether the published findings hold there."""
        players = self._players()
        rounds = {
            profile: DeckRound.played(
                study, f"{profile} {self.games}", players, Rules(self.edition, profile), games=self.games
            )
            for profile in self.profiles
        }
        rows = {
            "rates": [{"profile": name, **row} for name, played in rounds.items() for row in played.rates()],
            "averages": [{"profile": name, **row} for name, played in rounds.items() for row in played.averages()],
            "decks": [
                {"deck": player.name, "pilot": player.entry.pilot, "code": player.entry.deck} for player in players
            ],
        }
        shown = [table for name, played in rounds.items() for table in played.tables("deck", f", profile {name}")]
        figures = {key: draw for name, played in rounds.items() for key, draw in played.figures(f"-{name}").items()}
        findings = [
            Finding(f"{finding.title} ({name})", finding.claims)
            for name, played in rounds.items()
            for finding in played.findings(study.published)
        ]
        report = Report(rows, (*shown, _decks_table(players)), self._notes(), figures)
        return with_findings(report, findings, digits=1)

    def _players(self) -> list[TableDeck]:
        """The decks of the suite.

        Raises:
            RunError: If there is no such suite, or fewer than two decks in it.
        """
        suite = suite_of(self.suite, self.edition)
        if len(suite.opponents) < 2:
            raise RunError(f"the suite {self.suite} has one deck: a table of decks needs two or more")
        return [TableDeck(entry_name, entry_name, "", entry) for entry_name, entry in _entries(suite, self.edition)]

    def _notes(self) -> tuple[str, ...]:
        return (
            f"The decks of the suite {self.suite}, each with its own pilot. {self.games:,} games per pair and profile, "
            "each seed played twice with seats swapped, even if the evaluated deck always moves first in the profile; "
            "all pairs play the same seeds. `rates.csv` also has the games in which the row moved first.",
            "Intervals are 95 % intervals over pairs of games, and valid for exactly these decks. A game without a "
            "winner counts for the player that moved second, so it counts as half a win overall.",
        )


def _entries(suite: Suite, edition: str) -> Iterator[tuple[str, OpponentTable]]:
    cards = edition_of(edition).by_id
    for opponent in suite.opponents:
        yield opponent.name, OpponentTable(deck=deck_code(opponent.deck, cards), pilot=opponent.pilot)


def _decks_table(players: Sequence[TableDeck]) -> TextTable:
    lines = tuple((player.name, player.entry.pilot, player.entry.deck) for player in players)
    return TextTable("The decks", ("deck", "pilot", "deck code"), lines)
