"""`deckatlas play`, `deckatlas gauntlet` and `deckatlas agents`: matches and who can play them."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas import hearthstone, locm
from deckatlas.agents.spec import Entry
from deckatlas.cli import hearthstone_games
from deckatlas.cli.common import (
    AnyGame,
    AnyGameArgument,
    GameArgument,
    SeedOption,
    check_writable,
    out,
    print_table,
    progress_bar,
    write_json,
    write_text,
)
from deckatlas.cli.hearthstone_games import DeckAOption, DeckBOption, EditionOption, MulliganOption
from deckatlas.errors import MatchError
from deckatlas.play.gauntlet import GauntletResult
from deckatlas.play.times import TIMED_GAMES

EntrantArgument = Annotated[
    str, typer.Argument(help="DRAFT/BATTLE, an agent's name for both, or exec:CMD; of Hearthstone an agent's name.")
]
GamesOption = Annotated[int, typer.Option(help="Games of a pair; seats are swapped, two games a seed.")]
FormatOption = Annotated[str, typer.Option(help="Draft format: referee (pool of 60) or distinct (90 different cards).")]
DEFAULT_FORMAT = "referee"
GivenFormatOption = Annotated[
    str | None,
    typer.Option(help="LoCM: draft format, referee (pool of 60, the default) or distinct (90 different cards)."),
]
ThreadsOption = Annotated[int | None, typer.Option(help="Threads; all cores if not given. Never changes the result.")]
TimeFactorOption = Annotated[float, typer.Option(help="Multiplies the official time limits of external programs.")]
GivenTimeFactorOption = Annotated[
    float | None, typer.Option(help="LoCM: multiplies the official time limits of external programs (default 1).")
]
SprtOption = Annotated[bool, typer.Option("--sprt", help="Stop a match once a sequential test on pairs is decided.")]
_SPRT = locm.Sprt()
# None if not given, so that one without --sprt can be refused; hence the defaults are in the texts.
Elo0Option = Annotated[
    float | None,
    typer.Option(help=f"With --sprt, H0: the first entrant leads by so many Elo or less (default {_SPRT.elo0:g})."),
]
Elo1Option = Annotated[
    float | None,
    typer.Option(help=f"With --sprt, H1: the first entrant leads by so many Elo or more (default {_SPRT.elo1:g})."),
]
AlphaOption = Annotated[
    float | None,
    typer.Option(help=f"With --sprt: how often H1 may be accepted when H0 holds (default {_SPRT.alpha:g})."),
]
BetaOption = Annotated[
    float | None,
    typer.Option(help=f"With --sprt: how often H0 may be accepted when H1 holds (default {_SPRT.beta:g})."),
]


def _sequential_test(asked_for: bool, **numbers: float | None) -> locm.Sprt | None:
    given = {name: number for name, number in numbers.items() if number is not None}
    if asked_for:
        return locm.Sprt(**given)
    if given:
        raise MatchError(f"--{next(iter(given))} is for the test of --sprt, which is not asked for")
    return None


def play(
    game: AnyGameArgument,
    a: EntrantArgument,
    b: EntrantArgument,
    games: GamesOption = 10_000,
    seed: SeedOption = 0,
    format: GivenFormatOption = None,
    threads: ThreadsOption = None,
    time_factor: GivenTimeFactorOption = None,
    sprt: SprtOption = False,
    elo0: Elo0Option = None,
    elo1: Elo1Option = None,
    alpha: AlphaOption = None,
    beta: BetaOption = None,
    deck_a: DeckAOption = None,
    deck_b: DeckBOption = None,
    edition: EditionOption = None,
    mulligan: MulliganOption = None,
) -> None:
    """Plays two entrants against each other and prints who wins how often, with intervals.

    With --sprt, which is for Legends of Code and Magic, --games is how many games to play at most.

    Example: deckatlas play locm icebox/greedy random/greedy --games 100000

    Example: deckatlas play hearthstone random pass --deck-a "Starter Mage" --deck-b "Starter Hunter"
    """
    of_locm = {"format": format, "time_factor": time_factor, "sprt": sprt, "elo0": elo0, "elo1": elo1}
    own = {"deck_a": deck_a, "deck_b": deck_b, "edition": edition, "mulligan": mulligan}
    hearthstone_games.check_options(game, locm={**of_locm, "alpha": alpha, "beta": beta}, hearthstone=own)
    if game is AnyGame.hearthstone:
        hearthstone_games.play_match(a, b, **own, games=games, seed=seed, threads=threads)
        return
    test = _sequential_test(sprt, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    with progress_bar(f"{a} - {b}", games) as progress:
        result = locm.play(
            a,
            b,
            games=games,
            seed=seed,
            format=format or DEFAULT_FORMAT,
            threads=threads,
            time_factor=1.0 if time_factor is None else time_factor,
            timed_games=TIMED_GAMES,
            sprt=test,
            progress=progress,
        )
    out.print(str(result), markup=False, soft_wrap=True)


def ratings_table(result: GauntletResult) -> Table:
    """The entrants from best to worst: rating, wins, time."""
    table = Table(
        title=f"ratings after {int(result.games.sum()) // 2:,} games",
        caption="Elo with mean 0; 95 % intervals",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    for name in ("#", "entrant", "Elo", "wins %", "ms/turn"):
        table.add_column(name, justify="left" if name == "entrant" else "right", no_wrap=True)
    for place, i in enumerate(result.ranking(), start=1):
        rating = f"{result.ratings.value[i]:+.0f} ±{(result.ratings.high[i] - result.ratings.low[i]) / 2:.0f}"
        ms = result.ms_per_turn(i)
        table.add_row(
            str(place), Text(result.names[i]), rating, _percent(result.score(i)), "" if ms is None else f"{ms:.3g}"
        )
    return table


def cross_table(result: GauntletResult) -> Table:
    """How often the row beats the column, in percent, best entrant first."""
    order = result.ranking()
    widest = max(_half_width(match.rate) for match in result.matches)
    table = Table(
        title="wins of the row in %",
        caption=f"95 % intervals are ±{widest:.1f} or narrower",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("#", justify="right")
    table.add_column("entrant", no_wrap=True)
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, i in enumerate(order, start=1):
        cells = ["" if i == j else f"{100 * result.rate(i, j).value:.1f}" for j in order]
        table.add_row(str(place), Text(result.names[i]), *cells)
    return table


def print_gauntlet(result: GauntletResult) -> None:
    """Prints ratings, the cross table, the first seat's share, what tests found and why games were forfeited."""
    print_table(ratings_table(result))
    print_table(cross_table(result))
    out.print(f"who moved first won {_percent(result.first_seat_rate)} % of all games")
    for match in result.matches:
        if match.sprt is not None:
            out.print(f"{match.a} against {match.b}, {match.games:,} games: {match.sprt}", markup=False, soft_wrap=True)
    for i, name in enumerate(result.names):
        for reason, count in result.forfeits(i).items():
            out.print(f"{name} forfeited {count:,} games: {reason}", markup=False, soft_wrap=True)


def _half_width(rate: locm.Rate) -> float:
    return 50 * (rate.high - rate.low)


def _percent(rate: locm.Rate) -> str:
    return f"{100 * rate.value:.1f} ±{_half_width(rate):.1f}"


def _flat(pair: Mapping[str, Any]) -> dict[str, Any]:
    """A pair of the JSON as one row of a CSV file; forfeits are only counted, their reasons have no fixed columns."""
    row = {}
    for key, value in pair.items():
        if key == "forfeits":
            row[key] = sum(value.values())
        elif isinstance(value, dict):
            row |= {f"{key}_{inner}": entry for inner, entry in value.items()}
        else:
            row[key] = value
    return row


def _csv_text(result: GauntletResult) -> str:
    buffer = io.StringIO()
    pairs = [_flat(pair) for pair in result.to_json()["pairs"]]
    writer = csv.DictWriter(buffer, fieldnames=list(pairs[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(pairs)
    return buffer.getvalue()


def gauntlet(
    game: GameArgument,
    entrants: Annotated[
        list[str], typer.Argument(help="Two or more: DRAFT/BATTLE, an agent's name for both, or exec:CMD.")
    ],
    games: GamesOption = 10_000,
    seed: SeedOption = 0,
    format: FormatOption = "referee",
    threads: ThreadsOption = None,
    time_factor: TimeFactorOption = 1.0,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON; `-` is standard output.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the pairs as CSV; `-` is standard output.")] = None,
    sprt: SprtOption = False,
    elo0: Elo0Option = None,
    elo1: Elo1Option = None,
    alpha: AlphaOption = None,
    beta: BetaOption = None,
) -> None:
    """Plays every entrant against every other, from the same seeds, and prints ratings and the cross table.

    An external program that crashes, answers late or breaks the protocol loses the game; reasons are counted.
    Turns are timed in the first games of each match: CPU time, or for external programs the time to answer.
    With --sprt, --games is how many games a pair plays at most.

    Example: deckatlas gauntlet locm icebox/greedy closetai/greedy random/greedy
    """
    test = _sequential_test(sprt, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    if json is not None and json == csv:
        place = "standard output" if str(json) == "-" else json
        raise MatchError(f"--json and --csv would both write to {place}")
    check_writable(json, csv)
    pairs = len(entrants) * (len(entrants) - 1) // 2
    with progress_bar("gauntlet", pairs * games) as progress:
        result = locm.gauntlet(
            entrants,
            games=games,
            seed=seed,
            format=format,
            threads=threads,
            time_factor=time_factor,
            sprt=test,
            progress=progress,
        )
    if "-" not in (str(json), str(csv)):
        print_gauntlet(result)
    if json is not None:
        write_json(json, result.to_json())
    if csv is not None:
        write_text(csv, _csv_text(result))


def agents(game: AnyGameArgument) -> None:
    """Lists the agents of a game, with one line each, and their options.

    Example: deckatlas agents locm

    Example: deckatlas agents hearthstone
    """
    if game is AnyGame.hearthstone:
        _print_agents("agents", hearthstone.AGENTS)
        return
    _print_agents("draft policies", locm.DRAFT_POLICIES)
    _print_agents("battle agents", locm.BATTLE_AGENTS)
    out.print(
        "An entrant is DRAFT/BATTLE, a name for both where it is in both lists, or exec:CMD for an external program."
    )


def _print_agents(title: str, registry: Mapping[str, Entry[Any]]) -> None:
    table = Table("name", "what it does", title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name, entry in registry.items():
        table.add_row(name, entry.summary)
        for key, option in entry.options.items():
            table.add_row(f"{name}:{key}" if option.form is None else f"{name}:{key}=...", option.summary)
    out.print(table)
