"""A table of agents, all against all, with published win rates beside ours."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import a_number, tables
from deckatlas.experiments.round_robin import Pair, RoundRobin, round_robin_ask, round_robin_of
from deckatlas.experiments.study import Study
from deckatlas.papers.drafts.contenders import Contender, ContenderReport
from deckatlas.papers.drafts.finalists import FITNESS, HONEST, SAME, Finalist, Finalists, runs_table
from deckatlas.papers.drafts.fresh_games import FORMAT, rate_cells, rate_of_cells, referee_course
from deckatlas.papers.drafts.games import ArenaTable, play_drafts
from deckatlas.search.protocol import Genomes
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.rates import differs
from deckatlas.views.table_figures import draw_averages, draw_rates

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PUBLISHED_GAMES = 5000


class TableContender(Contender):
    """A named agent, or the bests of two searches: one moves first, the other second."""

    search_second: str | None = Field(
        default=None, description="The runs whose best genome drafts when moving second; those of `search` if absent."
    )

    @model_validator(mode="after")
    def _only_searches_have_two(self) -> Self:
        if self.search_second is not None and self.search is None:
            raise ValueError("search_second needs search")
        return self


@dataclass(frozen=True)
class LineupPlayer:
    """A player in the table.

    Attributes:
        label: Its label.
        choice: The choice among runs that selected it, or empty.
        seats: Its participant when it moves first and when it moves second: numbers as in a batch.
    """

    label: str
    choice: str
    seats: Pair

    @property
    def title(self) -> str:
        """Label and choice."""
        return f"{self.label} ({self.choice})" if self.choice else self.label


@dataclass(frozen=True)
class Lineup:
    """All players, and everything needed to play them."""

    players: tuple[LineupPlayer, ...]
    genomes: Genomes
    finalists: tuple[Finalists, ...]
    agents: tuple[str, ...]

    @property
    def main(self) -> list[int]:
        """The players of the published table; for searches, the choice by fitness."""
        return [number for number, player in enumerate(self.players) if player.choice != HONEST]

    def others_of(self, number: int) -> list[int]:
        """The opponents of a player: those of the published table, without itself and other choices of its runs."""
        return [other for other in self.main if self.players[other].label != self.players[number].label]

    @property
    def pairs(self) -> list[Pair]:
        """The pairs of players that meet."""
        everyone = range(len(self.players))
        return [(i, j) for i, j in combinations(everyone, 2) if j in self.others_of(i) or i in self.others_of(j)]


class AgentsTable(ContenderReport):
    """All against all, seats swapped."""

    kind: Literal["agents-table"] = "agents-table"
    show: Literal["rates", "averages"] = Field(description="Win rates of all pairs, or averages and ranks.")
    games: int = Field(default=5000, ge=2, multiple_of=2, description="Games per pair, half of them in each seat.")
    contenders: dict[str, TableContender] = Field(min_length=2, description="The contenders, by label.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Checks that [published] has only rates of a contender against another, and averages."""
        row = tables(dict.fromkeys(self.contenders, a_number))
        known = {"rates": tables(dict.fromkeys(self.contenders, row)), "averages": row}
        yield from tables(known)(published, ("published",))

    def report(self, study: Study) -> Report:
        """The table, with one more line for an honest choice that differs from the choice by fitness."""
        lineup = self._lineup(study)
        seeds = referee_course(study, "table", self.games // 2).game_seeds
        ask = round_robin_ask(lineup.genomes, [player.seats for player in lineup.players], lineup.pairs, seeds)
        first = lineup.finalists[0]
        arena = ArenaTable(pilot=first.arena.pilot, opponents=lineup.agents, format=FORMAT)
        wins = play_drafts(study, f"table {self.games}", ask, genome=first.genome, arena=arena)
        result = round_robin_of(lineup.pairs, wins)
        runs = [row for finalists in lineup.finalists for row in finalists.rows()]
        if self.show == "rates":
            rows = _rate_rows(lineup, result, study.published.get("rates", {}))
            table = _rates_table(lineup, rows)
        else:
            rows = _average_rows(lineup, result, study.published.get("averages", {}))
            table = _averages_table(rows)

        def draw(figure: "Figure") -> None:
            if self.show == "rates":
                figure.set_size_inches(2.4 + 1.05 * len(lineup.main), 1.2 + 0.55 * len(lineup.players))
                titles = [player.title for player in lineup.players]
                columns = [titles[number] for number in lineup.main]
                draw_rates(figure.add_subplot(), rows, lines=titles, columns=columns)
            else:
                figure.set_size_inches(7, 1.2 + 0.42 * len(rows))
                draw_averages(figure.add_subplot(), rows)

        tables = (table, runs_table(runs))
        return Report({self.show: rows, "runs": runs}, tables, self._notes(rows), {self.show: draw})

    def smoke(self) -> Self:
        """A few games per pair."""
        sizes = {"games": min(self.games, 10), "validation_games": min(self.validation_games, 50)}
        return self.model_copy(update=sizes)

    def _lineup(self, study: Study) -> Lineup:
        players: list[LineupPlayer] = []
        genomes: list[Any] = []
        searches: list[Finalists] = []
        agents: list[str] = []
        for label, contender in self.contenders.items():
            if contender.agent is not None:
                agents.append(contender.agent)
                players.append(LineupPlayer(label, "", (-len(agents), -len(agents))))
                continue
            assert contender.search is not None, "checked by the model"
            names = dict.fromkeys((contender.search, contender.search_second or contender.search))
            found = [self.finalists(study, name) for name in names]
            searches += found
            for choice, (one, other) in seat_choices(found[0], found[-1]).items():
                players.append(LineupPlayer(label, choice, (len(genomes), len(genomes) + 1)))
                genomes += [one.genome, other.genome]
        if len({(found.genome, found.arena.pilot) for found in searches}) != 1:
            raise RunError("a table of agents needs runs that all have the same kind of genome and the same pilot")
        return Lineup(tuple(players), np.array(genomes), tuple(searches), tuple(agents))

    def _notes(self, rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
        name = "won" if self.show == "rates" else "average"
        widest = max((row[f"{name}_high"] - row[f"{name}_low"]) / 2 for row in rows)
        return (
            f"{self.games:,} games per pair, each seed played twice with seats swapped; all pairs play the same seeds, "
            f"which no search has seen. Intervals are 95 % intervals over pairs of games: at most ±{widest:.1f} here.",
            f"* marks a published rate that is farther from ours than both 95 % intervals allow, if it is based on "
            f"{PUBLISHED_GAMES:,} independent games per pair.",
            self.choices_note,
            "A contender from runs has a policy for each seat. An honest choice that differs from the choice by "
            "fitness meets the same agents; it is not in their averages.",
        )


def seat_choices(first: Finalists, second: Finalists) -> dict[str, tuple[Finalist, Finalist]]:
    """The finalists that draft when moving first and second, by choice; one entry if both choices are the same."""
    fitness, honest = (first.by_fitness(), second.by_fitness()), (first.honest(), second.honest())
    same = all(one is other for one, other in zip(fitness, honest, strict=True))
    return {SAME: fitness} if same else {FITNESS: fitness, HONEST: honest}


def _rate_rows(
    lineup: Lineup, result: RoundRobin, published: Mapping[str, Mapping[str, float]]
) -> list[dict[str, Any]]:
    rows = []
    for i, one in enumerate(lineup.players):
        for j in lineup.others_of(i):
            rate, theirs = result.rate(i, j), published.get(one.label, {}).get(lineup.players[j].label)
            rows.append(
                {
                    "row": one.title,
                    "column": lineup.players[j].title,
                    **rate_cells("won", rate),
                    **_beside(rate, theirs, games=PUBLISHED_GAMES),
                }
            )
    return rows


def _beside(ours: Estimate, published: float | None, *, games: int) -> dict[str, Any]:
    """A published rate as cells of a row."""
    if published is None:
        return {"published": None, "difference": None, "differs": None}
    return {
        "published": published,
        "difference": 100 * ours.value - published,
        "differs": differs(ours, published, games=games),
    }


def _with_published(text: str, row: Mapping[str, Any]) -> str:
    return text if row["published"] is None else f"{text} ({row['published']:.1f}){'*' if row['differs'] else ''}"


def _rates_table(lineup: Lineup, rows: Sequence[Mapping[str, Any]]) -> TextTable:
    columns = [lineup.players[number].title for number in lineup.main]
    cells = {(row["row"], row["column"]): _with_published(f"{row['won']:.1f}", row) for row in rows}
    lines = tuple(
        (player.title, *(cells.get((player.title, column), "") for column in columns)) for player in lineup.players
    )
    return TextTable("Games that the row won against the column, % (published)", ("agent", *columns), lines)


def _average_rows(lineup: Lineup, result: RoundRobin, published: Mapping[str, float]) -> list[dict[str, Any]]:
    """All players by rank; an honest choice has the rank it would have in place of the other choice."""
    averages = [result.average(number, lineup.others_of(number)) for number in range(len(lineup.players))]
    ranks = {label: 1 + sum(other > number for other in published.values()) for label, number in published.items()}
    rows = []
    for number, player in enumerate(lineup.players):
        rivals = [averages[other].value for other in lineup.others_of(number)]
        rate, theirs = averages[number], published.get(player.label)
        rows.append(
            {
                "agent": player.title,
                **rate_cells("average", rate),
                "rank": 1 + sum(rival > rate.value for rival in rivals),
                **_beside(rate, theirs, games=PUBLISHED_GAMES * len(rivals)),
                "published_rank": ranks.get(player.label),
            }
        )
    return sorted(rows, key=lambda row: row["rank"])


def _averages_table(rows: Sequence[Mapping[str, Any]]) -> TextTable:
    columns = ("agent", "average % [95 %]", "games", "rank", "published %", "published rank")
    lines = []
    for row in rows:
        rate = rate_of_cells(row, "average")
        theirs = "" if row["published"] is None else f"{row['published']:.1f}{'*' if row['differs'] else ''}"
        rank = "" if row["published_rank"] is None else str(row["published_rank"])
        lines.append((row["agent"], rate.text(1), f"{rate.n:,}", str(row["rank"]), theirs, rank))
    return TextTable("Average win rates against the others, and ranks", columns, tuple(lines))
