"""A round of games among decks with their pilots: rates, averages, and whether published findings hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from deckatlas.experiments.findings import Claim, Finding
from deckatlas.experiments.kind import Draw, TextTable
from deckatlas.experiments.round_robin import Pair, RoundRobin, round_robin_ask, round_robin_of
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.deck_players import DeckPlayers
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.papers.drafts.fresh_games import rate_cells, rate_of_cells
from deckatlas.search.scripts import draw_seeds
from deckatlas.stats.means import mean_interval
from deckatlas.views.figures import quiet
from deckatlas.views.table_figures import draw_averages, draw_rates

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_RATES = "Games that the row won against the column, %"
_AVERAGES = "Games won against all opponents"


@dataclass(frozen=True)
class TableDeck:
    """A deck with its pilot.

    Attributes:
        name: Its name, unique among the players.
        run: The name that published findings use: that of a map without the number of its run.
        set: Its set; empty if there are no sets. Players of one set do not meet.
        entry: The deck with its pilot.
    """

    name: str
    run: str
    set: str
    entry: OpponentTable


@dataclass(frozen=True)
class Rules:
    """The cards and the setup of games.

    Attributes:
        edition: The edition of the cards.
        profile: The setup of games.
        patch: A patch on the edition, as TOML text; empty if there is none.
    """

    edition: str
    profile: str
    patch: str = ""


@dataclass(frozen=True)
class DeckRound:
    """Games of every pair of players, seats swapped.

    Attributes:
        players: The players.
        pairs: The numbers of the players that met.
        result: Their games.
    """

    players: Sequence[TableDeck]
    pairs: Sequence[Pair]
    result: RoundRobin

    @classmethod
    def played(
        cls,
        study: Study,
        name: str,
        players: Sequence[TableDeck],
        rules: Rules,
        *,
        games: int,
        pairs: Sequence[Pair] | None = None,
    ) -> "DeckRound":
        """Plays `games` games per pair, half of them in each seat, and stores them under a name.

        All players of different sets meet, unless the numbers of those that do are given as `pairs`.
        """
        if pairs is None:
            numbers = combinations(range(len(players)), 2)
            pairs = [(i, j) for i, j in numbers if not players[i].set or players[i].set != players[j].set]
        entries = tuple(player.entry for player in players)
        meeting = DeckPlayers(edition=rules.edition, patch=rules.patch, profile=rules.profile, players=entries)
        seats = [(-1 - number, -1 - number) for number in range(len(players))]
        seeds = draw_seeds(study.rng("decks"), games // 2)
        ask = round_robin_ask(np.empty((0, 0)), seats, pairs, seeds)
        return cls(players, pairs, round_robin_of(pairs, study.play(name, ask, meeting)))

    def rates(self) -> list[dict[str, Any]]:
        """How often each player won against each that it met, in all games and in those in which it moved first."""
        return [
            {
                "row": self.players[i].name,
                "column": self.players[j].name,
                **rate_cells("won", self.result.rate(i, j)),
                **rate_cells("won_moving_first", self.result.first_rate(i, j)),
                "published": None,
                "differs": None,
            }
            for i, j in sorted(self._met())
        ]

    def averages(self) -> list[dict[str, Any]]:
        """How often each player won of all its games, the best first."""
        rows = []
        for number, player in enumerate(self.players):
            others = [j if i == number else i for i, j in self.pairs if number in (i, j)]
            rate = self.result.average(number, others)
            rows.append({"agent": player.name, "set": player.set, **rate_cells("average", rate), "published": None})
        rows.sort(key=lambda row: -row["average"])
        return [{**row, "rank": rank} for rank, row in enumerate(rows, start=1)]

    def sets(self) -> Iterator[dict[str, Any]]:
        """How often the decks of each set won against those of others; all games of a seed are one outcome."""
        for title in dict.fromkeys(player.set for player in self.players if player.set):
            ordered = [(i, j) for i, j in self._met() if self.players[i].set == title]
            yield {"set": title, **rate_cells("won", self.result.together(ordered))}

    def findings(self, published: Mapping[str, Any]) -> Iterator[Finding]:
        """The published findings about decks that have met: who `beats` whom, by title, and who is the `worst`."""
        for title, beats in published.get("beats", {}).items():
            claims = tuple(
                self._beats(winner, loser)
                for winner, losers in beats.items()
                for loser in losers
                if self._between(winner, loser)
            )
            yield Finding(title, claims)
        for worst in published.get("worst", ()):
            own = [(i, j) for i, j in self._met() if self.players[i].run == worst]
            others = [name for name in dict.fromkeys(player.run for player in self.players) if name != worst]
            if own:
                yield Finding(f"{worst} is the worst", tuple(self._better(name, own) for name in others))

    def sides(self) -> tuple[list[str], list[str]]:
        """The lines and columns of a table of rates: for two sets the second and the first, otherwise all and all."""
        sets: dict[str, list[str]] = {}
        for player in self.players:
            sets.setdefault(player.set, []).append(player.name)
        if len(sets) == 2:
            first, second = sets.values()
            return second, first
        names = [player.name for player in self.players]
        return names, names

    def tables(self, who: str, ending: str = "") -> list[TextTable]:
        """The tables for people; `who` says what the names stand for, and `ending` is added to the titles."""
        lines, columns = self.sides()
        found = [_rates_table(f"{_RATES}{ending}", who, lines, columns, self.rates())]
        found.append(_averages_table(f"{_AVERAGES}{ending}", who, self.averages()))
        return [*found, _sets_table(sets)] if (sets := list(self.sets())) else found

    def figures(self, ending: str = "") -> dict[str, Draw]:
        """The figures by name; `ending` is added to their names."""
        return {f"rates{ending}": self._draw_rates, f"averages{ending}": self._draw_averages}

    def _met(self) -> list[Pair]:
        return [ordered for i, j in self.pairs for ordered in ((i, j), (j, i))]

    def _between(self, one: str, other: str) -> list[Pair]:
        """The pairs of players of two names, which may be names of sets."""
        return [(i, j) for i, j in self._met() if _is_of(self.players[i], one) and _is_of(self.players[j], other)]

    def _beats(self, winner: str, loser: str) -> Claim:
        rate = self.result.together(self._between(winner, loser))
        return Claim(f"{winner} beats {loser}", "games won, %", rate.in_percent(), mark=50)

    def _better(self, name: str, worst: Sequence[Pair]) -> Claim:
        """The claim that decks of a name do better than the worst, seed by seed, each against all its opponents."""
        own = self.result.mean_outcomes([(i, j) for i, j in self._met() if self.players[i].run == name])
        ahead = mean_interval(100 * (own - self.result.mean_outcomes(worst)))
        return Claim(f"{name} is better", "games won of all, ahead by %", ahead)

    def _draw_rates(self, figure: "Figure") -> None:
        lines, columns = self.sides()
        figure.set_size_inches(2.4 + 1.0 * len(columns), 1.4 + 0.5 * len(lines))
        axes = figure.add_subplot()
        draw_rates(axes, self.rates(), lines=lines, columns=columns)
        axes.set_title(_RATES, loc="left", fontsize=11)
        axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right")

    def _draw_averages(self, figure: "Figure") -> None:
        averages = self.averages()
        figure.set_size_inches(7, 1.2 + 0.42 * len(averages))
        axes = figure.add_subplot()
        draw_averages(axes, averages)
        quiet(axes, title=_AVERAGES, x="% (lines: 95 %)", y="")
        axes.legend().remove()  # there are no published numbers to distinguish from ours


def _is_of(player: TableDeck, name: str) -> bool:
    return name in (player.run, player.set)


def _rates_table(
    title: str, who: str, lines: Sequence[str], columns: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> TextTable:
    cells = {(row["row"], row["column"]): f"{row['won']:.1f}" for row in rows}
    text = tuple((line, *(cells.get((line, column), "") for column in columns)) for line in lines)
    return TextTable(title, (who, *columns), text)


def _averages_table(title: str, who: str, rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple(
        (row["agent"], rate_of_cells(row, "average").text(1), f"{row['average_games']:,}", str(row["rank"]))
        for row in rows
    )
    return TextTable(title, (who, "won % [95 %]", "games", "rank"), lines)


def _sets_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    lines = tuple((row["set"], rate_of_cells(row, "won").text(1), f"{row['won_games']:,}") for row in rows)
    return TextTable(
        "Games that the decks of a set won against those of others", ("set", "won % [95 %]", "games"), lines
    )
