"""The strength of pilots in tables for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from deckatlas.experiments.kind import TextTable
from deckatlas.papers.field.matches import won_text
from deckatlas.stats.estimate import Estimate

Rows = Sequence[Mapping[str, Any]]


def strength_tables(lists: Rows, overall: Rows, speeds: Rows, trade: Rows, budgets: Rows) -> Iterator[TextTable]:
    """Overall rates, rates beside times, lists for each pilot, CPU times, and budgets of `mcts` if there are any."""
    yield _overall_table(overall)
    yield _trade_table(trade, lists[0]["opponent"])
    for pilot in dict.fromkeys(row["pilot"] for row in lists):
        yield _lists_table([row for row in lists if row["pilot"] == pilot])
    yield _speed_table(speeds)
    if budgets:
        yield _budget_table(budgets)


def _overall_table(overall: Rows) -> TextTable:
    lines = tuple(
        (
            f"{row['pilot']} against {row['opponent']}",
            won_text(row),
            f"{row['won_games']:,}",
            f"{row['lowest']:.1f}",
            f"{row['lists_below_half']} of {row['lists']}",
        )
        for row in overall
    )
    columns = ("match", "won % [95 %]", "games", "worst list, %", "lists below 50 %")
    return TextTable("Games won with the same list on both sides", columns, lines)


def _lists_table(lists: Rows) -> TextTable:
    lines = tuple(
        (row["list"], row["class"].title(), "field" if row["in_field"] else "", won_text(row), row["verdict"])
        for row in lists
    )
    title = f"Games that {lists[0]['pilot']} won against {lists[0]['opponent']}, list by list"
    return TextTable(title, ("list", "class", "of", "won % [95 %]", "above 50 %"), lines)


def _trade_table(trade: Rows, opponent: str) -> TextTable:
    lines = tuple(
        (
            row["pilot"],
            won_text(row),
            f"{row['games_per_cpu_second']:,.0f} games/s",
            f"{row['times_as_long_per_game']:.2f}",
        )
        for row in trade
    )
    columns = ("pilot", f"won against {opponent}, % [95 %]", "speed", f"CPU time per game, times {opponent}")
    return TextTable("Strength for speed", columns, lines)


def _speed_table(speeds: Rows) -> TextTable:
    lines = tuple(
        (
            row["pilot"],
            f"{Estimate.from_cells(row, 'games_per_cpu_second', n=row['games']).text(0)} games/s",
            f"{row['cpu_ms_per_turn']:.4f} ms",
            Estimate.from_cells(row, "times_as_long_per_game", n=row["games"]).text(),
            f"{row['times_as_long_per_turn']:.2f}",
        )
        for row in speeds
    )
    against = speeds[0]["pilot"]
    columns = ("pilot", "speed (range)", "per turn", f"a game, times {against} (range)", f"a turn, times {against}")
    return TextTable("CPU time of pilots against themselves, one thread", columns, lines)


def _budget_table(budgets: Rows) -> TextTable:
    lines = tuple(
        (
            row["pilot"],
            str(row["playouts"]),
            f"{row['cpu_ms_per_turn']:.4f} ms",
            f"{row['mcts_cpu_ms_per_turn']:.4f} ms",
            Estimate.from_cells(row, "times_as_long_per_turn", n=row["games"]).text(),
        )
        for row in budgets
    )
    columns = ("pilot", "playouts of mcts", "pilot, per turn", "mcts, per turn", "times as long (range)")
    return TextTable("CPU time per turn in games against mcts", columns, lines)
