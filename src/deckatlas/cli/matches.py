"""`deckatlas play` and `deckatlas agents`: matches, and the agents that can play them."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.table import Table

from deckatlas.cli.common import GameArgument, SeedOption, out, progress_bar
from deckatlas.cli.game_options import options_of
from deckatlas.errors import MatchError
from deckatlas.games import find
from deckatlas.play.spec import Entry
from deckatlas.play.sprt import Sprt
from deckatlas.play.times import TIMED_GAMES

EntrantArgument = Annotated[
    str,
    typer.Argument(
        help="An entrant, such as icebox/greedy (locm) or expert (hearthstone); `deckatlas agents GAME` lists agents "
        "and explains how to write an entrant."
    ),
]
GamesOption = Annotated[
    int, typer.Option(help="Games per pair of entrants; each seed is played twice, with seats swapped.")
]
ThreadsOption = Annotated[
    int | None, typer.Option(help="The number of threads (default: all cores). It does not change the result.")
]
TimeFactorOption = Annotated[float, typer.Option(help="Multiply the time limits of external programs by this factor.")]
SprtOption = Annotated[
    bool, typer.Option("--sprt", help="Stop a match as soon as a sequential test (SPRT) on pairs of games decides it.")
]
_SPRT = Sprt()
# The default is None, so that an option without --sprt can be refused; real defaults are in the texts.
Elo0Option = Annotated[
    float | None,
    typer.Option(
        help=f"With --sprt: under H0, the first entrant leads by at most this many Elo (default: {_SPRT.elo0:g})."
    ),
]
Elo1Option = Annotated[
    float | None,
    typer.Option(
        help=f"With --sprt: under H1, the first entrant leads by at least this many Elo (default: {_SPRT.elo1:g})."
    ),
]
AlphaOption = Annotated[
    float | None,
    typer.Option(
        help=f"With --sprt: the highest probability of accepting H1 when H0 is true (default: {_SPRT.alpha:g})."
    ),
]
BetaOption = Annotated[
    float | None,
    typer.Option(
        help=f"With --sprt: the highest probability of accepting H0 when H1 is true (default: {_SPRT.beta:g})."
    ),
]


def sequential_test(asked_for: bool, **numbers: float | None) -> Sprt | None:
    """The test of --sprt, with the given numbers.

    Raises:
        MatchError: If numbers are given without --sprt.
    """
    given = {name: number for name, number in numbers.items() if number is not None}
    if asked_for:
        return Sprt(**given)
    if given:
        raise MatchError(f"--{next(iter(given))} is for the test of --sprt: add --sprt")
    return None


def play(
    game: GameArgument,
    a: EntrantArgument,
    b: EntrantArgument,
    games: GamesOption = 10_000,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    time_factor: TimeFactorOption = 1.0,
    sprt: SprtOption = False,
    elo0: Elo0Option = None,
    elo1: Elo1Option = None,
    alpha: AlphaOption = None,
    beta: BetaOption = None,
    **own: Any,
) -> None:
    """Plays two entrants against each other and prints how often each wins, with 95 % intervals.

    With --sprt, --games is the maximum number of games.
    """
    played = find(game)
    options = options_of(played, "play", own)
    test = sequential_test(sprt, elo0=elo0, elo1=elo1, alpha=alpha, beta=beta)
    with progress_bar(f"{a} - {b}", games) as progress:
        result = played.play(
            a,
            b,
            games=games,
            seed=seed,
            threads=threads,
            time_factor=time_factor,
            timed_games=TIMED_GAMES,
            sprt=test,
            progress=progress,
            **options,
        )
    out.print(str(result), markup=False, soft_wrap=True)


def agents(game: GameArgument) -> None:
    """Lists the agents of a game and their options, one per line, and explains how to write an entrant."""
    listed = find(game)
    for each in listed.agents():
        _print_agents(each.title, each.agents)
    out.print(listed.entrants_in_words)


def _print_agents(title: str, registry: Mapping[str, Entry[Any]]) -> None:
    table = Table("name", "what it does", title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for name, entry in registry.items():
        table.add_row(name, entry.summary)
        for key, option in entry.options.items():
            table.add_row(f"{name}:{key}" if option.form is None else f"{name}:{key}=...", option.summary)
    out.print(table)
