"""`deckatlas play`, `deckatlas gauntlet` and `deckatlas agents`: matches and who can play them."""

import csv
import io
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table

from deckatlas import locm
from deckatlas.cli.common import GameArgument, SeedOption, out, print_table, progress_bar, write_json, write_text
from deckatlas.play.gauntlet import GauntletResult

EntrantArgument = Annotated[str, typer.Argument(help="DRAFT/BATTLE, such as icebox/greedy, or exec:CMD.")]
GamesOption = Annotated[int, typer.Option(help="How many games; seats are swapped, two games a seed.")]
FormatOption = Annotated[str, typer.Option(help="Draft format: referee (pool of 60) or distinct (90 different cards).")]
ThreadsOption = Annotated[int | None, typer.Option(help="Threads; all cores if not given. Never changes the result.")]


def play(
    game: GameArgument,
    a: EntrantArgument,
    b: EntrantArgument,
    games: GamesOption = 10_000,
    seed: SeedOption = 0,
    format: FormatOption = "referee",
    threads: ThreadsOption = None,
) -> None:
    """Plays two entrants against each other and prints who wins how often, with intervals.

    Example: deckatlas play locm icebox/greedy random/greedy --games 100000
    """
    with progress_bar(f"{a} - {b}", games) as progress:
        result = locm.play(a, b, games=games, seed=seed, format=format, threads=threads, progress=progress)
    out.print(str(result), markup=False, soft_wrap=True)


def gauntlet_table(result: GauntletResult) -> Table:
    """The cross table, best entrant first: how often the row beats the column, in percent."""
    order = result.ranking()
    widest = max(_half_width(match.rate) for match in result.matches)
    table = Table(
        title=f"wins of the row in %, {result.matches[0].games:,} games a pair",
        caption=f"95 % intervals; those of single pairs are ±{widest:.1f} or narrower",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    table.add_column("#", justify="right")
    table.add_column("entrant", no_wrap=True)
    table.add_column("all", justify="right", no_wrap=True)
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right")
    for place, i in enumerate(order, start=1):
        total = result.score(i)
        cells = ["" if i == j else f"{100 * result.rate(i, j).value:.1f}" for j in order]
        table.add_row(str(place), result.names[i], f"{100 * total.value:.1f} ±{_half_width(total):.1f}", *cells)
    return table


def _half_width(rate: locm.Rate) -> float:
    return 50 * (rate.high - rate.low)


def _csv_text(result: GauntletResult) -> str:
    buffer = io.StringIO()
    pairs = result.to_json()["pairs"]
    writer = csv.DictWriter(buffer, fieldnames=list(pairs[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(pairs)
    return buffer.getvalue()


def gauntlet(
    game: GameArgument,
    entrants: Annotated[list[str], typer.Argument(help="Two or more of DRAFT/BATTLE or exec:CMD.")],
    games: GamesOption = 10_000,
    seed: SeedOption = 0,
    format: FormatOption = "referee",
    threads: ThreadsOption = None,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON; `-` is standard output.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the pairs as CSV; `-` is standard output.")] = None,
) -> None:
    """Plays every entrant against every other, from the same seeds, and prints the cross table.

    Example: deckatlas gauntlet locm icebox/greedy closetai/greedy random/greedy
    """
    pairs = len(entrants) * (len(entrants) - 1) // 2
    with progress_bar("gauntlet", pairs * games) as progress:
        result = locm.gauntlet(entrants, games=games, seed=seed, format=format, threads=threads, progress=progress)
    if "-" not in (str(json), str(csv)):
        print_table(gauntlet_table(result))
    if json is not None:
        write_json(json, result.to_json())
    if csv is not None:
        write_text(csv, _csv_text(result))


def agents(game: GameArgument) -> None:
    """Lists the draft policies and battle agents, with one line each."""
    for title, registry in (("draft policies", locm.DRAFT_POLICIES), ("battle agents", locm.BATTLE_AGENTS)):
        table = Table("name", "what it does", title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
        for name, entry in registry.items():
            table.add_row(name, entry.summary)
            for option, summary in entry.options.items():
                table.add_row(f"{name}:{option}", summary)
        out.print(table)
    out.print("An entrant is DRAFT/BATTLE, or exec:CMD for an external program.")
