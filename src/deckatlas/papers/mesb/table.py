"""The best deck of every map against those of the others, each with the pilot of its map."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from deckatlas.errors import RunError
from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck, some_of, tables, under_any_name
from deckatlas.experiments.round_robin import Pair, RoundRobin, round_robin_ask, round_robin_of
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.suite_export import best_opponents
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.papers.drafts.fresh_games import rate_cells, rate_of_cells
from deckatlas.papers.mesb.deck_games import DeckPlayers
from deckatlas.papers.mesb.maps import SetsReport, deck_run_of, view_name
from deckatlas.runs.elites import Elite
from deckatlas.runs.export import elite_row
from deckatlas.runs.view import RunView
from deckatlas.search.scripts import draw_seeds
from deckatlas.stats.means import mean_interval
from deckatlas.views.figures import quiet
from deckatlas.views.table_figures import draw_averages, draw_rates

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_RATES = "Games that the row won against the column, %"
_AVERAGES = "Games won against all opponents"


@dataclass(frozen=True)
class BestDeck:
    """The best deck of a map.

    Attributes:
        name: The name of the map, with a number if it is repeated.
        run: The name without the number.
        set: The set of the map; empty if there are no sets.
        view: The map.
        best: The deck with its rating in the search.
        entry: The deck with its pilot.
    """

    name: str
    run: str
    set: str
    view: RunView
    best: Elite
    entry: OpponentTable


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
        players = self._players(study)
        pairs = [(i, j) for i, j in combinations(range(len(players)), 2) if _meet(players[i], players[j])]
        result = self._play(study, players, pairs)
        rates = _rate_rows(players, pairs, result)
        averages = _average_rows(players, pairs, result)
        findings = list(_findings(players, pairs, result, study.published))
        decks = list(_deck_rows(players))
        sets = list(_set_rows(players, pairs, result))
        lines, columns = _sides(players)
        tables = [_rates_table(lines, columns, rates), _averages_table(averages)]
        tables += [_sets_table(sets)] if sets else []
        rows = {"rates": rates, "averages": averages, "sets": sets, "decks": decks}

        def draw_all(figure: "Figure") -> None:
            figure.set_size_inches(2.4 + 1.0 * len(columns), 1.4 + 0.5 * len(lines))
            axes = figure.add_subplot()
            draw_rates(axes, rates, lines=lines, columns=columns)
            axes.set_title(_RATES, loc="left", fontsize=11)
            axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right")

        def draw_means(figure: "Figure") -> None:
            figure.set_size_inches(7, 1.2 + 0.42 * len(averages))
            axes = figure.add_subplot()
            draw_averages(axes, averages)
            quiet(axes, title=_AVERAGES, x="% (lines: 95 %)", y="")
            axes.legend().remove()  # there are no published numbers to distinguish from ours

        figures = {"rates": draw_all, "averages": draw_means}
        written = {name: table for name, table in rows.items() if table}
        notes = (self.budget(study), *self._notes(players))
        return with_findings(Report(written, (*tables, _decks_table(decks)), notes, figures), findings, digits=1)

    def _players(self, study: Study) -> list[BestDeck]:
        players = []
        for title, names in self.names_in_sets(study).items():
            for run, views in self.series(study, names).items():
                for view, entry in zip(views, best_opponents(views), strict=True):
                    best = view.best()
                    assert best is not None, "otherwise it would not be an opponent"
                    players.append(BestDeck(view_name(run, views, view), run, title, view, best, entry))
        if len({_rules(player.view) for player in players}) != 1:
            raise RunError("a table of decks needs maps that all have the same edition and profile")
        if len(players) < 2:
            raise RunError("a table of decks needs two maps or more")
        return players

    def _play(self, study: Study, players: Sequence[BestDeck], pairs: Sequence[Pair]) -> RoundRobin:
        edition, profile = _rules(players[0].view)
        meeting = DeckPlayers(edition=edition, profile=profile, players=tuple(player.entry for player in players))
        seats = [(-1 - number, -1 - number) for number in range(len(players))]
        seeds = draw_seeds(study.rng("decks"), self.games // 2)
        ask = round_robin_ask(np.empty((0, 0)), seats, pairs, seeds)
        return round_robin_of(pairs, study.play(f"decks {self.games}", ask, meeting))

    def _notes(self, players: Sequence[BestDeck]) -> tuple[str, ...]:
        _, profile = _rules(players[0].view)
        return (
            f"The best deck of each map by the results of its search, with its own pilot; profile {profile}. "
            f"{self.games:,} games per pair, each seed played twice with seats swapped, even if the evaluated deck "
            "always moves first in the profile; all pairs play the same seeds, which no search has seen.",
            "Intervals are 95 % intervals over pairs of games: they are valid for exactly these decks, not for those "
            "that other runs of the same search would find. A game without a winner counts for the player that moved "
            "second, so it counts as half a win overall.",
        )


def _meet(one: BestDeck, other: BestDeck) -> bool:
    return not one.set or one.set != other.set


def _rules(view: RunView) -> tuple[str, str]:
    config = deck_run_of(view)
    return config.space.edition, config.evaluation.profile


def _rate_rows(players: Sequence[BestDeck], pairs: Sequence[Pair], result: RoundRobin) -> list[dict[str, Any]]:
    met = sorted(ordered for i, j in pairs for ordered in ((i, j), (j, i)))
    return [
        {
            "row": players[i].name,
            "column": players[j].name,
            **rate_cells("won", result.rate(i, j)),
            "published": None,
            "differs": None,
        }
        for i, j in met
    ]


def _average_rows(players: Sequence[BestDeck], pairs: Sequence[Pair], result: RoundRobin) -> list[dict[str, Any]]:
    rows = []
    for number, player in enumerate(players):
        others = [j if i == number else i for i, j in pairs if number in (i, j)]
        rate = result.average(number, others)
        rows.append({"agent": player.name, "set": player.set, **rate_cells("average", rate), "published": None})
    rows.sort(key=lambda row: -row["average"])
    return [{**row, "rank": rank} for rank, row in enumerate(rows, start=1)]


def _set_rows(players: Sequence[BestDeck], pairs: Sequence[Pair], result: RoundRobin) -> Iterator[dict[str, Any]]:
    """How often the decks of each set won against those of others; all games of a seed are one outcome."""
    for title in dict.fromkeys(player.set for player in players if player.set):
        ordered = [pair for i, j in pairs for pair in ((i, j), (j, i)) if players[pair[0]].set == title]
        yield {"set": title, **rate_cells("won", result.together(ordered))}


def _findings(
    players: Sequence[BestDeck], pairs: Sequence[Pair], result: RoundRobin, published: Mapping[str, Any]
) -> Iterator[Finding]:
    """The published findings about decks that have met."""
    met = [ordered for i, j in pairs for ordered in ((i, j), (j, i))]

    def between(one: str, other: str) -> list[Pair]:
        return [(i, j) for i, j in met if _is_of(players[i], one) and _is_of(players[j], other)]

    for title, beats in published.get("beats", {}).items():
        claims = tuple(
            Claim(
                f"{winner} beats {loser}", "games won, %", result.together(between(winner, loser)).in_percent(), mark=50
            )
            for winner, losers in beats.items()
            for loser in losers
            if between(winner, loser)
        )
        yield Finding(title, claims)
    for worst in published.get("worst", ()):
        own = [(i, j) for i, j in met if players[i].run == worst]
        others = [name for name in dict.fromkeys(player.run for player in players) if name != worst]
        if own:
            yield Finding(f"{worst} is the worst", tuple(_better(players, met, result, name, own) for name in others))


def _better(
    players: Sequence[BestDeck], met: Sequence[Pair], result: RoundRobin, name: str, worst: list[Pair]
) -> Claim:
    """The claim that decks of a name do better than the worst, seed by seed, each against all its opponents."""
    own = result.mean_outcomes([(i, j) for i, j in met if players[i].run == name])
    ahead = mean_interval(100 * (own - result.mean_outcomes(worst)))
    return Claim(f"{name} is better", "games won of all, ahead by %", ahead)


def _is_of(player: BestDeck, name: str) -> bool:
    return name in (player.run, player.set)


def _deck_rows(players: Sequence[BestDeck]) -> Iterator[dict[str, Any]]:
    for player in players:
        own = {"map": player.name, "set": player.set, "pilot": player.entry.pilot}
        yield own | elite_row(player.view, player.best)


def _sides(players: Sequence[BestDeck]) -> tuple[list[str], list[str]]:
    """The lines and columns of a table of rates: for two sets the second and the first, otherwise all and all."""
    sets = {player.set: [other.name for other in players if other.set == player.set] for player in players}
    if len(sets) == 2:
        first, second = sets.values()
        return second, first
    names = [player.name for player in players]
    return names, names


def _rates_table(lines: Sequence[str], columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> TextTable:
    cells = {(row["row"], row["column"]): f"{row['won']:.1f}" for row in rows}
    text = tuple((line, *(cells.get((line, column), "") for column in columns)) for line in lines)
    return TextTable(_RATES, ("best deck of", *columns), text)


def _sets_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple((row["set"], rate_of_cells(row, "won").text(1), f"{row['won_games']:,}") for row in rows)
    return TextTable(
        "Games that the decks of a set won against those of others", ("set", "won % [95 %]", "games"), lines
    )


def _averages_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple(
        (row["agent"], rate_of_cells(row, "average").text(1), f"{row['average_games']:,}", str(row["rank"]))
        for row in rows
    )
    return TextTable(_AVERAGES, ("best deck of", "won % [95 %]", "games", "rank"), lines)


def _decks_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple((row["map"], f"{100 * row['win_rate']:.1f}", f"{row['games']:,}", row["code"]) for row in rows)
    return TextTable("The decks", ("best deck of", "won in the search %", "games", "deck code"), lines)
