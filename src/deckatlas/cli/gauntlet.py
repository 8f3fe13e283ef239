"""`deckatlas gauntlet`: all entrants against all, of either game; ratings and the cross table."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from deckatlas import hearthstone, locm
from deckatlas.cli.common import (
    AnyGame,
    AnyGameArgument,
    SeedOption,
    check_writable,
    out,
    print_table,
    progress_bar,
    write_json,
    write_text,
)
from deckatlas.cli.hearthstone_games import EditionOption, check_options
from deckatlas.cli.matches import (
    DEFAULT_FORMAT,
    AlphaOption,
    BetaOption,
    Elo0Option,
    Elo1Option,
    GamesOption,
    GivenFormatOption,
    SprtOption,
    ThreadsOption,
    TimeFactorOption,
    sequential_test,
)
from deckatlas.errors import MatchError
from deckatlas.games.hearthstone.cards.deck_files import read_deck_file
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.games.hearthstone.gauntlet import EntrantLike
from deckatlas.games.hearthstone.profiles import FAIR
from deckatlas.games.hearthstone.setup import edition_of
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
    """Prints ratings, the cross table, the first seat's share, what tests found and why games were forfeited."""
    print_table(ratings_table(result))
    print_table(cross_table(result))
    out.print(f"who moved first won {result.first_seat_rate.plus_minus(1)} % of all games")
    undecided = int(result.games.sum()) // 2 - int(result.wins.sum())
    if undecided:
        out.print(f"nobody won {undecided:,} games, which count as half a win for either")
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
    game: AnyGameArgument,
    entrants: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two or more: DRAFT/BATTLE, an agent's name for both, or exec:CMD; of Hearthstone DECK/PILOT."
        ),
    ] = None,
    games: GamesOption = 10_000,
    seed: SeedOption = 0,
    format: GivenFormatOption = None,
    threads: ThreadsOption = None,
    time_factor: TimeFactorOption = 1.0,
    json: Annotated[Path | None, typer.Option(help="Write the result as JSON; `-` is standard output.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the pairs as CSV; `-` is standard output.")] = None,
    sprt: SprtOption = False,
    elo0: Elo0Option = None,
    elo1: Elo1Option = None,
    alpha: AlphaOption = None,
    beta: BetaOption = None,
    suite: Annotated[
        str | None, typer.Option(help="Hearthstone: all opponents of a suite: starter, elite or a TOML file.")
    ] = None,
    decks: Annotated[
        list[str] | None,
        typer.Option(help="Hearthstone: a deck by its name or code, or a file of decks; may be given several times."),
    ] = None,
    pilots: Annotated[
        list[str] | None,
        typer.Option(help="Hearthstone: who plays each of --decks, an agent or exec:CMD; may be given several times."),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            help="Hearthstone: which cards agents keep and what planners know, one of "
            f"{', '.join(hearthstone.PROFILES)} (default {FAIR.name})."
        ),
    ] = None,
    edition: EditionOption = None,
) -> None:
    """Plays every entrant against every other, from the same seeds, and prints ratings and the cross table.

    Entrants of Hearthstone are decks with pilots: DECK/PILOT, all opponents of a suite, all of --decks with all of
    --pilots.

    An external program that crashes, answers late or breaks the protocol loses the game; reasons are counted.
    Turns are timed in the first games of each match: CPU time, or for external programs the time to answer.
    With --sprt, --games is how many games a pair plays at most.

    Example: deckatlas gauntlet locm icebox/greedy closetai/greedy random/greedy

    Example: deckatlas gauntlet hearthstone --suite elite --games 1000

    Example: deckatlas gauntlet hearthstone --decks "Starter Mage" --decks "Starter Rogue" --pilots random --pilots pass
    """
    own = {"suite": suite, "decks": decks or None, "pilots": pilots or None, "profile": profile, "edition": edition}
    check_options(game, locm={"format": format}, hearthstone=own)
    if json is not None and json == csv:
        place = "standard output" if str(json) == "-" else json
        raise MatchError(f"--json and --csv would both write to {place}")
    common: dict[str, Any] = {
        "games": games,
        "seed": seed,
        "threads": threads,
        "time_factor": time_factor,
        "sprt": sequential_test(sprt, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta),
    }
    given = entrants or []
    if game is AnyGame.hearthstone:
        cards = edition_of(edition or DEFAULT)
        combined = [*given, *_opponents(suite, cards), *_combinations(decks or [], pilots or [], cards)]
        check_writable(json, csv)
        with _progress(len(combined), games) as progress:
            result = hearthstone.gauntlet(combined, profile=profile or FAIR, edition=cards, **common, progress=progress)
    else:
        check_writable(json, csv)
        with _progress(len(given), games) as progress:
            result = locm.gauntlet(given, format=format or DEFAULT_FORMAT, **common, progress=progress)
    if "-" not in (str(json), str(csv)):
        print_gauntlet(result)
    if json is not None:
        write_json(json, result.to_json())
    if csv is not None:
        write_text(csv, _csv_text(result))


def _progress(entrants: int, games: int) -> AbstractContextManager[Callable[..., None]]:
    return progress_bar("gauntlet", entrants * (entrants - 1) // 2 * games)


def _opponents(suite: str | None, cards: Edition) -> tuple[hearthstone.Opponent, ...]:
    return () if suite is None else hearthstone.suite_of(suite, cards).opponents


def _combinations(decks: list[str], pilots: list[str], cards: Edition) -> Iterator[EntrantLike]:
    """All of the decks with all of the pilots."""
    if bool(decks) != bool(pilots):
        raise MatchError("--decks are played by --pilots: give both, or neither")
    return product([deck for given in decks for deck in _decks(given, cards)], pilots)


def _decks(given: str, cards: Edition) -> tuple[str | Deck, ...]:
    """The decks of a file, or the one of that name or code."""
    return read_deck_file(Path(given), cards.by_id) if Path(given).is_file() else (given,)
