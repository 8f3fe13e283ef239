"""`deckatlas gauntlet`: every entrant against every other, with ratings and a cross table."""

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas.cli.common import GameArgument, SeedOption, out, print_table, progress_bar, write_json
from deckatlas.cli.game_options import options_of
from deckatlas.cli.matches import (
    AlphaOption,
    BetaOption,
    Elo0Option,
    Elo1Option,
    GamesOption,
    SprtOption,
    ThreadsOption,
    TimeFactorOption,
    sequential_test,
)
from deckatlas.errors import MatchError
from deckatlas.files.writing import check_writable, write_text
from deckatlas.games import find
from deckatlas.play.gauntlet import GauntletResult


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
        rating = f"{result.ratings.value[i]:+.0f} ±{result.ratings[i].half_width:.0f}"
        ms = result.ms_per_turn(i)
        table.add_row(
            str(place), Text(result.names[i]), rating, result.score(i).plus_minus(1), "" if ms is None else f"{ms:.3g}"
        )
    return table


def cross_table(result: GauntletResult) -> Table:
    """How often the row beats the column, in percent, best entrant first."""
    order = result.ranking()
    widest = 100 * max(match.rate.half_width for match in result.matches)
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
    """Prints ratings, the cross table, the first player's share, results of tests and reasons of forfeits."""
    print_table(ratings_table(result))
    print_table(cross_table(result))
    out.print(f"the first player won {result.first_seat_rate.plus_minus(1)} % of all games")
    undecided = int(result.games.sum()) // 2 - int(result.wins.sum())
    if undecided:
        out.print(f"nobody won {undecided:,} games, which count as half a win for each side")
    for match in result.matches:
        if match.sprt is not None:
            out.print(f"{match.a} against {match.b}, {match.games:,} games: {match.sprt}", markup=False, soft_wrap=True)
    for i, name in enumerate(result.names):
        for reason, count in result.forfeits(i).items():
            out.print(f"{name} forfeited {count:,} games: {reason}", markup=False, soft_wrap=True)


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
        list[str] | None,
        typer.Argument(
            help="Two or more entrants, such as icebox/greedy coac/greedy; `deckatlas agents GAME` lists agents and "
            "explains how to write an entrant."
        ),
    ] = None,
    games: GamesOption = 10_000,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    time_factor: TimeFactorOption = 1.0,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON; `-` means standard output.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write one row per pair as CSV; `-` means standard output.")] = None,
    sprt: SprtOption = False,
    elo0: Elo0Option = None,
    elo1: Elo1Option = None,
    alpha: AlphaOption = None,
    beta: BetaOption = None,
    **own: Any,
) -> None:
    """Plays every entrant against every other, on the same seeds, and prints ratings and a cross table.

    An external program that crashes, answers late or breaks the protocol loses the game, and the reason is counted.
    Turns are timed in the first games of each match: by CPU time, or for external programs by the time to answer.
    With --sprt, --games is the maximum number of games per pair.
    """
    played = find(game)
    options = options_of(played, "gauntlet", own)
    if json is not None and json == csv:
        place = "standard output" if str(json) == "-" else json
        raise MatchError(f"--json and --csv would both write to {place}")
    test = sequential_test(sprt, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    check_writable(json, csv)
    with progress_bar("gauntlet", games) as progress:  # the gauntlet reports the full total with its first games
        result = played.gauntlet(
            entrants or [],
            games=games,
            seed=seed,
            threads=threads,
            time_factor=time_factor,
            sprt=test,
            progress=progress,
            **options,
        )
    if "-" not in (str(json), str(csv)):
        print_gauntlet(result)
    if json is not None:
        write_json(json, result.to_json())
    if csv is not None:
        write_text(csv, _csv_text(result))
