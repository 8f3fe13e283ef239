"""A metagame that grows, on the terminal: what will be played, each response as it comes, and what came out."""

from collections.abc import Iterator

import numpy as np
from rich.table import Table
from rich.text import Text

from deckatlas.metagame.analysis import Analysis
from deckatlas.metagame.growth import Growth, GrowthPlan, Response, Searches, points
from deckatlas.metagame.metagame import Metagame
from deckatlas.runs.executors import plays_elsewhere
from deckatlas.views.metagame_terminal import Part, name_cell, plain_table

_NAMED = 5  # decks of a mix in a line
_MINUTE, _HOUR = 60, 3600


def plan_lines(
    start: Metagame, searches: Searches, plan: GrowthPlan, *, search_pace: float, pace: float
) -> Iterator[str]:
    """What will be played, and about how long it takes on this machine.

    Args:
        start: The metagame to start from.
        searches: The searches of each round.
        plan: How it grows.
        search_pace: Seconds per game of the searches.
        pace: Seconds per game of the metagame.
    """
    decks, kinds = len(start.entrants), len(searches.kinds)
    pairs = decks * (decks - 1) // 2
    first = pairs * plan.games
    finals = searches.finalists * plan.finals if searches.finalists > 1 else 0
    of_round = kinds * (searches.games * search_pace + (finals + plan.confirmation) * pace)
    yield (
        f"{plan.name}: {start.name} ({decks} decks, edition {start.edition}, {' and '.join(start.pilots)}) grows by "
        "best responses to its mix."
    )
    yield f"  before the first round: {first:,} games of {pairs} pairs, {duration(first * pace)}{_alone()}"
    yield (
        f"  each round, for each of {', '.join(searches.kinds)}: a search of {searches.games:,} games "
        f"({searches.pilot}), {plan.finals:,} games for each of {searches.finalists} finalists, and "
        f"{plan.confirmation:,} fresh games for the best; {duration(of_round)}{_alone()}, and the games of new pairs"
    )
    yield (
        f"  at most {plan.rounds} round{'' if plan.rounds == 1 else 's'}; a deck joins if it gains more than "
        f"{plan.margin:g} points beyond doubt. What is stored is not played again."
    )


def duration(seconds: float) -> str:
    """A time to wait, roughly."""
    if seconds < _MINUTE:
        return "less than a minute"
    if seconds < 2 * _HOUR:
        return f"about {round(seconds / _MINUTE)} minutes"
    return f"about {seconds / _HOUR:.1f} hours"


def duration_here(seconds: float) -> str:
    """A time to wait if this machine plays, roughly."""
    return f"{duration(seconds)}{_alone() or ' here'}"


def _alone() -> str:
    """What is said after the time of this machine, if a cluster plays: how long that takes is not known."""
    return " on this machine alone" if plays_elsewhere() else ""


def mix_line(rounds: int, field: Analysis) -> str:
    """The largest shares of the mix after some rounds."""
    order = np.argsort(-field.mix.shares, kind="stable")[:_NAMED]
    shares = (f"{field.names[i]} {100 * field.mix.shares[i]:.0f} %" for i in order if field.mix.shares[i] > 0)
    when = f"after round {rounds}" if rounds else "at the start"
    return f"the mix of {len(field.names)} decks {when}: {', '.join(shares)}"


def response_line(response: Response) -> str:
    """What a search found."""
    if not response.deck:
        return f"  {response.kind}: nothing that the metagame lacks"
    end = f"joins as {response.joined}" if response.joined else "does not join"
    return f"  {response.kind}: {points(response.gain)} points on {response.gain.n:,} fresh games, {end}"


def growth_parts(growth: Growth) -> Iterator[Part]:
    """The rounds, the last mix, and how it ended."""
    yield _rounds_table(growth)
    yield mix_table(growth)
    yield growth.verdict


def _rounds_table(growth: Growth) -> Table:
    table = plain_table(
        *("round", "decks", "best response", "points [95 %]", "joined"),
        left=("best response", "joined"),
        title=f"{growth.plan.name}: gains against the mix on fresh games",
        caption="the intervals of a round hold together",
    )
    for each in growth.rounds:
        joined = ", ".join(response.joined for response in each.joined) or "no deck"
        best = ("none", "") if each.best is None else (each.best.kind, points(each.best.gain))
        table.add_row(str(each.number), str(len(each.field.names)), *best, Text(joined))
    return table


def mix_table(growth: Growth) -> Table:
    """The decks of the last mix, the largest share first, with their shares at the start."""
    final, first = growth.final, growth.rounds[0].field
    before = dict(zip(first.names, first.mix.shares.tolist(), strict=True))
    table = plain_table("deck", "mix % [95 %]", "at the start", left=("deck",), title="the mix at the end")
    for i in np.argsort(-final.mix.shares, kind="stable").tolist():
        if final.mix.shares[i] > 0:
            share, name = final.mix.share(i), final.names[i]
            start = f"{100 * before[name]:.1f}" if name in before else "new"
            table.add_row(name_cell(name), f"{100 * share.value:.1f} {share.ends(1)}", start)
    return table
