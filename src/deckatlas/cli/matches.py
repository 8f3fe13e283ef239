"""`deckatlas play` and `deckatlas agents`: matches and who can play them."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.table import Table

from deckatlas import hearthstone, locm
from deckatlas.cli import hearthstone_games
from deckatlas.cli.common import AnyGame, AnyGameArgument, SeedOption, out, progress_bar
from deckatlas.cli.hearthstone_games import DeckAOption, DeckBOption, EditionOption, MulliganOption
from deckatlas.errors import MatchError
from deckatlas.play.spec import Entry
from deckatlas.play.times import TIMED_GAMES

EntrantArgument = Annotated[
    str,
    typer.Argument(help="DRAFT/BATTLE, an agent's name for both, or exec:CMD; of Hearthstone an agent or exec:CMD."),
]
GamesOption = Annotated[int, typer.Option(help="Games of a pair; seats are swapped, two games a seed.")]
DEFAULT_FORMAT = "referee"
GivenFormatOption = Annotated[
    str | None,
    typer.Option(help="LoCM: draft format, referee (pool of 60, the default) or distinct (90 different cards)."),
]
ThreadsOption = Annotated[int | None, typer.Option(help="Threads; all cores if not given. Never changes the result.")]
TimeFactorOption = Annotated[float, typer.Option(help="Multiplies the time limits of external programs.")]
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


def sequential_test(asked_for: bool, **numbers: float | None) -> locm.Sprt | None:
    """The test that --sprt asks for, with the numbers that were given.

    Raises:
        MatchError: If numbers are given for a test that is not asked for.
    """
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
    time_factor: TimeFactorOption = 1.0,
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

    With --sprt, --games is how many games to play at most.

    Example: deckatlas play locm icebox/greedy random/greedy --games 100000

    Example: deckatlas play hearthstone random pass --deck-a "Starter Mage" --deck-b "Starter Hunter"
    """
    own = {"deck_a": deck_a, "deck_b": deck_b, "edition": edition, "mulligan": mulligan}
    hearthstone_games.check_options(game, locm={"format": format}, hearthstone=own)
    common: dict[str, Any] = {
        "games": games,
        "seed": seed,
        "threads": threads,
        "time_factor": time_factor,
        "timed_games": TIMED_GAMES,
        "sprt": sequential_test(sprt, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta),
    }
    with progress_bar(f"{a} - {b}", games) as progress:
        result: locm.MatchResult
        if game is AnyGame.hearthstone:
            result = hearthstone_games.play_match(a, b, **own, **common, progress=progress)
        else:
            result = locm.play(a, b, format=format or DEFAULT_FORMAT, **common, progress=progress)
    out.print(str(result), markup=False, soft_wrap=True)


def agents(game: AnyGameArgument) -> None:
    """Lists the agents of a game, with one line each, and their options.

    Example: deckatlas agents locm

    Example: deckatlas agents hearthstone
    """
    if game is AnyGame.hearthstone:
        _print_agents("agents", hearthstone.AGENTS)
        out.print("A pilot is an agent, or exec:CMD for an external program.")
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
