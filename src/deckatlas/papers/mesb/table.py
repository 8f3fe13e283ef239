"""The best deck of every map against those of the others, each with the pilot of its map."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from deckatlas.errors import RunError
from deckatlas.experiments.findings import with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck, some_of, tables, under_any_name
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.suite_export import best_opponents
from deckatlas.papers.decks.deck_round import DeckRound, Rules, TableDeck
from deckatlas.papers.mesb.maps import SetsReport, deck_run_of, view_name
from deckatlas.runs.elites import Elite
from deckatlas.runs.export import elite_row
from deckatlas.runs.view import RunView


@dataclass(frozen=True)
class BestDeck:
    """The best deck of a map.

    Attributes:
        player: The deck with the pilot of the map.
        view: The map.
        best: The deck with its rating in the search.
    """

    player: TableDeck
    view: RunView
    best: Elite


class DeckTable(SetsReport):
    """The best decks of maps against each other, seats swapped; if there are sets, against those of other sets."""

    kind: Literal["deck-table"] = "deck-table"
    games: int = Field(default=1000, ge=2, multiple_of=2, description="Games per pair, half of them in each seat.")

    @model_validator(mode="after")
    def _sets_have_others(self) -> Self:
        if len(self.sets) == 1:
            raise ValueError("one set has no opponents: name two sets or more, or none")
        return self

    def published_checks(self, runs: Collection[str]) -> Mapping[str, PublishedCheck]:
        """Checks of published findings: maps or sets that beat others, by title of the finding; and the worst maps."""
        known = (*runs, *self.sets)
        return {"beats": under_any_name(tables(dict.fromkeys(known, some_of(known)))), "worst": some_of(runs)}

    def smoke(self) -> Self:
        """A few games per pair."""
        return self.model_copy(update={"games": min(self.games, 4)})

    def report(self, study: Study) -> Report:
        """All rates, the averages of the decks, and whether the published findings hold."""
        decks = self._decks(study)
        players, rules = [each.player for each in decks], _rules(decks[0].view)
        played = DeckRound.played(study, f"decks {self.games}", players, rules, games=self.games)
        rows = list(_deck_rows(decks))
        written = {"rates": played.rates(), "averages": played.averages(), "sets": list(played.sets()), "decks": rows}
        report = Report(
            {name: table for name, table in written.items() if table},
            (*played.tables("best deck of"), _decks_table(rows)),
            (self.budget(study), *self._notes(rules)),
            played.figures(),
        )
        return with_findings(report, list(played.findings(study.published)), digits=1)

    def _decks(self, study: Study) -> list[BestDeck]:
        decks = []
        for title, names in self.names_in_sets(study.maps).items():
            for run, views in self.series(study, names).items():
                for view, entry in zip(views, best_opponents(views), strict=True):
                    best = view.best()
                    assert best is not None, "otherwise it would not be an opponent"
                    decks.append(BestDeck(TableDeck(view_name(run, views, view), run, title, entry), view, best))
        if len({_rules(each.view) for each in decks}) != 1:
            raise RunError("a table of decks needs maps that all have the same edition, patch and profile")
        if len(decks) < 2:
            raise RunError("a table of decks needs two maps or more")
        return decks

    def _notes(self, rules: Rules) -> tuple[str, ...]:
        return (
            f"The best deck of each map by the results of its search, with its own pilot; profile {rules.profile}. "
            f"{self.games:,} games per pair, each seed played twice with seats swapped, even if the evaluated deck "
            "always moves first in the profile; all pairs play the same seeds, which no search has seen.",
            "Intervals are 95 % intervals over pairs of games: they are valid for exactly these decks, not for those "
            "that other runs of the same search would find. A game without a winner counts for the player that moved "
            "second, so it counts as half a win overall.",
        )


def _rules(view: RunView) -> Rules:
    config = deck_run_of(view)
    return Rules(config.space.edition, config.evaluation.profile, config.space.patch)


def _deck_rows(decks: Sequence[BestDeck]) -> Iterator[dict[str, Any]]:
    for each in decks:
        own = {"map": each.player.name, "set": each.player.set, "pilot": each.player.entry.pilot}
        yield own | elite_row(each.view, each.best)


def _decks_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple((row["map"], f"{100 * row['win_rate']:.1f}", f"{row['games']:,}", row["code"]) for row in rows)
    return TextTable("The decks", ("best deck of", "won in the search %", "games", "deck code"), lines)
