"""A league: the best of each run and named players; everyone plays everyone of other groups."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import tables, with_deviation
from deckatlas.experiments.study import Study
from deckatlas.papers.drafts.games import bests_of, genome_of, play_drafts
from deckatlas.papers.drafts.players import Pairs, PlayerOptions, fresh_course
from deckatlas.search.protocol import Genomes
from deckatlas.shapes import nearest, show
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import VariancePart, crossed_interval, sum_interval
from deckatlas.views.figures import label

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

AVERAGE = "Average"
LONGEST_LABEL = 9  # two labels of this length fit side by side below their columns
GameCounts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """A column of the table: a named player, or the best of all runs of a name.

    Attributes:
        name: Its label.
        runs: The places of its players in the table of all players, one row per run.
    """

    name: str
    runs: npt.NDArray[np.intp]

    @property
    def players(self) -> npt.NDArray[np.intp]:
        """All players of the group."""
        return self.runs.ravel()


@dataclass(frozen=True)
class Standings:
    """The wins of all players against each other.

    Attributes:
        groups: The groups, in the order of the table.
        won: By repetition, player and other player, the games that the first of the two won.
        games: The games they played; 0 within a group.
    """

    groups: tuple[Group, ...]
    won: GameCounts
    games: GameCounts

    def cell(self, one: Group, other: Group) -> tuple[int, int]:
        """Games won by one group against another, and games played."""
        of_cell = np.ix_(np.arange(len(self.won)), one.players, other.players)
        return int(self.won[of_cell].sum()), int(self.games[of_cell].sum())

    def percent(self, one: Group, other: Group) -> npt.NDArray[np.float64]:
        """Percent won by runs of one group against runs of another: axes are run of one, run of other, repetition."""
        of_cell = np.ix_(np.arange(len(self.won)), one.players, other.players)
        shape = (len(self.won), *one.runs.shape, *other.runs.shape)
        won, games = (counts[of_cell].reshape(shape).sum(axis=(2, 4)) for counts in (self.won, self.games))
        return np.moveaxis(100 * won / games, 0, -1)


class League(PlayerOptions):
    """Percent won by every group of players against every other, over repetitions on fresh drafts."""

    kind: Literal["league"] = "league"
    bests: int = Field(default=5, ge=1, description="The number of genomes of a run's last generation that take part.")
    drafts: int = Field(default=500, ge=1, description="Fresh drafts per repetition, the same for all.")
    games: int = Field(default=10, ge=1, description="Games per side of every two players on each draft.")
    repetitions: int = Field(default=5, ge=2, description="The number of repetitions, each on other drafts.")
    drafts_one_named: int | None = Field(
        default=None, ge=1, description="Drafts if one of the two players is named; `drafts` if absent."
    )
    drafts_two_named: int | None = Field(
        default=None, ge=1, description="Drafts if both are named, so a cell has only two players; `drafts` if absent."
    )
    averaged: tuple[str, ...] = Field(
        default=(),
        description="The groups that count in averages, each against the others; all if empty.",
    )
    variants: dict[str, str] = Field(
        default={}, description="Groups that are versions of another group, which does not count in their averages."
    )

    def smoke(self) -> Self:
        """Three drafts, two repetitions, two genomes of a run."""
        smaller = {"bests": min(self.bests, 2), "drafts": min(self.drafts, 3), "games": 1, "repetitions": 2}
        return self.model_copy(update={**smaller, "drafts_one_named": None, "drafts_two_named": None})

    @property
    def drafts_by_named(self) -> tuple[int, int, int]:
        """The number of drafts per repetition if none, one or both of two players are named."""
        return self.drafts, self.drafts_one_named or self.drafts, self.drafts_two_named or self.drafts

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Averages must name groups; [published] may have a number with its deviation for two groups or an average."""
        groups = (*self.named, *runs)
        unknown = [(place, name) for place, name in self._mentioned() if name not in groups]
        for place, name in unknown:
            yield Complaint((place,), f"there is no group {show(name)} in the league: {nearest(name, groups)}")
        alone = [name for name in groups if not unknown and not self._others(name, groups)]
        for name in alone:
            places = (("report", "averaged"), ("report", "variants"), ("report",))
            yield Complaint(places, f"no group is left for the average of {show(name)}")
        row = tables(dict.fromkeys((*groups, AVERAGE), with_deviation))
        yield from tables(dict.fromkeys(groups, row))(published, ("published",))

    def _mentioned(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """The groups named in the options, each with its place."""
        for number, name in enumerate(self.averaged):
            yield ("report", "averaged", number), name
        for variant, name in self.variants.items():
            for group in (variant, name):
                yield ("report", "variants", variant), group

    def _others(self, name: str, groups: Collection[str]) -> list[str]:
        """The groups that count in the average of a group."""
        left_out = (name, self.variants.get(name))
        return [other for other in groups if other not in left_out and (not self.averaged or other in self.averaged)]

    def report(self, study: Study) -> Report:
        """Plays everyone against everyone of other groups."""
        standings = self._play(study)
        cells = list(self._cells(standings, study.published))
        averages = list(self._averages(standings, study.published))
        return Report(
            rows={"cells": cells, "averages": averages, "runs": list(_runs(standings))},
            tables=(_matrix(standings, cells, averages), _order(averages)),
            notes=self._notes(standings, cells),
            figures={"league": lambda figure: _draw(figure, standings, cells, averages)},
        )

    def _play(self, study: Study) -> Standings:
        genomes, groups = _players(study, list(self.named), self.bests)
        count = len(genomes) + len(self.named)
        group_of = np.empty(count, dtype=np.intp)
        for number, group in enumerate(groups):
            group_of[group.players] = number
        one, other = np.nonzero(np.triu(group_of[:, None] != group_of[None, :]))
        named = (one >= len(genomes)).astype(np.intp) + (other >= len(genomes))
        courses = [
            fresh_course(study.rng(f"league {repetition} {number}"), drafts, self.games)
            for repetition in range(self.repetitions)
            for number, drafts in enumerate(self.drafts_by_named)
        ]
        course = np.arange(self.repetitions)[:, None] * len(self.drafts_by_named) + named
        entrants = [_entrants(np.tile(places, self.repetitions), len(genomes)) for places in (one, other)]
        played = Pairs(entrants[0], entrants[1], course.ravel())
        ask = played.ask(genomes, courses)
        wins = play_drafts(study, "league", ask, genome=genome_of(study), arena=self.arena())

        won, games = np.zeros((2, self.repetitions, count, count), dtype=np.int64)
        won[:, one, other] = played.won(ask, wins).reshape(self.repetitions, -1)
        games[:, one, other] = played.games(ask).reshape(self.repetitions, -1)
        won[:, other, one] = games[:, one, other] - won[:, one, other]
        games[:, other, one] = games[:, one, other]
        return Standings(groups, won, games)

    def _cells(self, standings: Standings, published: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for one in standings.groups:
            for other in standings.groups:
                if one is other:
                    continue
                won, games = standings.cell(one, other)
                percent = standings.percent(one, other)
                of_repetitions = percent.mean(axis=(0, 1))
                yield {
                    "group": one.name,
                    "against": other.name,
                    "games": games,
                    "won": won,
                    **_estimate(crossed_interval(percent), of_repetitions),
                    **_published(published, one.name, other.name),
                }

    def _averages(self, standings: Standings, published: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        groups = {group.name: group for group in standings.groups}
        for one in standings.groups:
            others = [groups[name] for name in self._others(one.name, groups)]
            cells = [standings.percent(one, other) for other in others]
            yield {
                "group": one.name,
                "games": sum(standings.cell(one, other)[1] for other in others),
                **_estimate(_average(cells), np.mean([cell.mean(axis=(0, 1)) for cell in cells], axis=0)),
                **_published(published, one.name, AVERAGE),
            }

    def _notes(self, standings: Standings, cells: list[dict[str, Any]]) -> tuple[str, ...]:
        worst = max(cells, key=lambda cell: cell["standard_error"])
        return (
            f"Percent won by the group of the row. ± is the standard deviation (of the population) over "
            f"{self.repetitions} repetitions, each with fresh drafts: {_counted(self.drafts_by_named)}. "
            f"Every two players of different groups play {2 * self.games} games on each draft, {self.games} per side.",
            "[Intervals] are 95 % intervals over the runs of both groups and the repetitions: they cover what other "
            "runs of the same searches would give. Published numbers are in (parentheses).",
            f"The greatest standard error of a cell over repetitions, for exactly these players, is "
            f"{worst['standard_error']:.2f} points ({worst['group']} against {worst['against']}).",
            "An average is the mean of a group's cells against "
            + (f"the others of {', '.join(self.averaged)}" if self.averaged else "all others")
            + "".join(f"; {name} is not in the average of {variant}" for variant, name in self.variants.items())
            + ".",
        )


def _players(study: Study, named: list[str], bests: int) -> tuple[Genomes, tuple[Group, ...]]:
    """All genomes, and the groups: named players (last in the table of players), then the runs of each name."""
    genomes = [bests_of(study, run, bests) for runs in study.runs.values() for run in runs]
    if not genomes or len({len(of_run) for of_run in genomes}) != 1:
        raise RunError(f"a league needs runs with {bests} or more individuals each")
    first_named = sum(map(len, genomes))
    groups = [Group(name, np.array([[first_named + number]])) for number, name in enumerate(named)]
    begin = 0
    for name, runs in study.runs.items():
        end = begin + len(runs) * len(genomes[0])
        groups.append(Group(name, np.arange(begin, end).reshape(len(runs), -1)))
        begin = end
    return np.concatenate(genomes), tuple(groups)


def _entrants(places: npt.NDArray[np.intp], genomes: int) -> npt.NDArray[np.intp]:
    """The participants of a batch, from places in the table of players."""
    return np.where(places < genomes, places, genomes - 1 - places)


def _counted(drafts: tuple[int, int, int]) -> str:
    plain, one_named, two_named = (f"{count:,}" for count in drafts)
    if len({*drafts}) == 1:
        return plain
    return f"{plain} for two genomes, {one_named} with one named player and {two_named} with two"


def _average(cells: list[npt.NDArray[np.float64]]) -> Estimate:
    """The mean of a group's cells: over its own runs, over those of each opponent, over repetitions."""
    means = np.mean([cell.mean(axis=1) for cell in cells], axis=0)  # own run x repetition
    parts = [
        VariancePart(float(levels.var(ddof=1)) / len(levels) / weight, len(levels) - 1)
        for weight, levels in (
            (1, means.mean(axis=1)),
            (1, means.mean(axis=0)),
            *((len(cells) ** 2, cell.mean(axis=(0, 2))) for cell in cells),
        )
        if len(levels) > 1
    ]
    return sum_interval(float(means.mean()), parts, n=sum(cell.size for cell in cells))


def _estimate(found: Estimate, of_repetitions: npt.NDArray[np.float64]) -> dict[str, Any]:
    return {
        **replace(found, low=max(found.low, 0.0), high=min(found.high, 100.0)).cells("percent", prefix=""),
        "deviation": float(of_repetitions.std()),
        "standard_error": float(of_repetitions.std(ddof=1)) / len(of_repetitions) ** 0.5,
    }


def _published(published: Mapping[str, Any], one: str, other: str) -> dict[str, Any]:
    percent, deviation = published.get(one, {}).get(other, (None, None))
    return {"published": percent, "published_deviation": deviation}


def _runs(standings: Standings) -> Iterator[dict[str, Any]]:
    """Every run's percent against all other groups, with equal weights."""
    for group in standings.groups:
        others = [other for other in standings.groups if other is not group]
        percent = np.mean([standings.percent(group, other).mean(axis=(1, 2)) for other in others], axis=0)
        for number, value in enumerate(percent.tolist(), start=1):
            yield {"group": group.name, "run": number, "percent": value}


def _matrix(standings: Standings, cells: list[dict[str, Any]], averages: list[dict[str, Any]]) -> TextTable:
    """Three lines per group: our numbers, their intervals, the published numbers."""
    names = [group.name for group in standings.groups]
    found = {(cell["group"], cell["against"]): cell for cell in cells}
    found |= {(row["group"], AVERAGE): row for row in averages}
    columns = (*names, AVERAGE)
    rows: list[tuple[str, ...]] = []
    for name in names:
        of_row = [found.get((name, column)) for column in columns]
        rows.append((name, *(f"{c['percent']:.2f} ± {c['deviation']:.2f}" if c else "-" for c in of_row)))
        rows.append(("", *(_ends(c) if c else "" for c in of_row)))
        rows.append(("", *(_published_text(c) if c else "" for c in of_row)))
    return TextTable("Percent won", ("", *columns), tuple(row for row in rows if any(row)))


def _ends(cell: Mapping[str, Any]) -> str:
    return Estimate.from_cells(cell, "percent", n=cell["games"], prefix="").ends()


def _published_text(cell: Mapping[str, Any]) -> str:
    return "" if cell["published"] is None else f"({cell['published']:.2f} ± {cell['published_deviation']:.2f})"


def _order(averages: list[dict[str, Any]]) -> TextTable:
    """The groups by their averages, ours beside the published ones."""
    rows = [
        (row["group"], f"{row['percent']:.2f}", _ends(row), _published_text(row), f"{row['games']:,}")
        for row in sorted(averages, key=lambda row: -row["percent"])
    ]
    return TextTable("By average", ("group", "average", "95 % interval", "published", "games"), tuple(rows))


def _draw(figure: "Figure", standings: Standings, cells: list[dict[str, Any]], averages: list[dict[str, Any]]) -> None:
    """The table as a picture, with the groups sorted by their averages."""
    names = [row["group"] for row in sorted(averages, key=lambda row: -row["percent"])]
    place = {name: number for number, name in enumerate(names)}
    percent = np.full((len(names), len(names)), np.nan)
    for cell in cells:
        percent[place[cell["group"]], place[cell["against"]]] = cell["percent"]
    reach = float(np.nanmax(np.abs(percent - 50)))
    figure.set_size_inches(max(6.4, 1.6 + 0.75 * len(names)), 1.2 + 0.6 * len(names))  # the title needs its width
    axes = figure.add_subplot()
    picture = axes.imshow(percent, cmap="RdBu", vmin=50 - reach, vmax=50 + reach, aspect="auto")
    for row, column in np.argwhere(~np.isnan(percent)):
        strong = abs(percent[row, column] - 50) > 0.6 * reach
        axes.text(
            column, row, f"{percent[row, column]:.1f}", ha="center", va="center", color="white" if strong else "black"
        )
    long = max(map(len, names)) > LONGEST_LABEL
    axes.set_xticks(range(len(names)), [label(name) for name in names], rotation=30 if long else 0)
    axes.set_yticks(range(len(names)), [label(name) for name in names])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title("Percent won by the row against the column, best average first", loc="left", fontsize=11)
    figure.colorbar(picture, ax=axes, label="percent won", shrink=0.8)
