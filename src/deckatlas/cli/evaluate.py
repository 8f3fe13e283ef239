"""`deckatlas evaluate`: a pilot plays decks against a suite of opponents."""

from pathlib import Path
from typing import Annotated, Any

import typer

from deckatlas.cli.common import (
    SeedOption,
    check_writable,
    first_game_that_offers,
    out,
    print_parts,
    progress_bar,
    write_json,
    write_text,
)
from deckatlas.cli.game_options import options_of
from deckatlas.cli.matches import ThreadsOption, TimeFactorOption
from deckatlas.errors import MatchError
from deckatlas.games import Game, find, is_known
from deckatlas.play.limits import MAX_GAMES, positive


def evaluate(
    decks: Annotated[
        list[str] | None,
        typer.Argument(metavar="[GAME] DECK", help="The game, then decks by name, code or list of cards."),
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(
            help="The pilot of the decks: an agent (see `deckatlas agents GAME`), or exec:CMD for a program; the "
            "game's own by default."
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Games per deck; the opponents take turns.")] = 200,
    seed: SeedOption = 0,
    replay: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Instead print one game turn by turn; games are numbered from 0."),
    ] = None,
    threads: ThreadsOption = None,
    time_factor: TimeFactorOption = 1.0,
    csv: Annotated[Path | None, typer.Option(help="Write one row per deck as CSV; `-` is standard output.")] = None,
    json: Annotated[
        Path | None, typer.Option(help="Write the result as JSON, including each opponent; `-` is standard output.")
    ] = None,
    **own: Any,
) -> None:
    """Plays decks against a suite of opponents and prints averages with 95 % intervals.

    All decks play the same opponents with the same shuffles. If the first word is not a game, the decks belong to the
    first game that has evaluations.
    """
    if json is not None and json == csv:
        place = "standard output" if str(json) == "-" else json
        raise MatchError(f"--json and --csv would both write to {place}")
    game, given = _game_and_decks(decks or [])
    options = options_of(game, "evaluate", own)
    if pilot is not None:
        options["pilot"] = pilot
    evaluation = game.evaluation(given, seed=seed, time_factor=time_factor, **options)
    if replay is not None:
        if evaluation.decks > 1 or csv is not None or json is not None:
            raise MatchError("--replay prints a game of one deck, and writes no files")
        if not 0 <= replay < positive("games", games, MAX_GAMES):
            raise MatchError(f"--replay: there is no game {replay}: games are numbered from 0 to {games - 1}")
        out.print(evaluation.story(replay), markup=False, soft_wrap=True)
        return
    check_writable(csv, json)
    with progress_bar("evaluate", evaluation.decks * games) as progress:
        report = evaluation.play(games=games, threads=threads, progress=progress)
    if "-" not in (str(json), str(csv)):
        print_parts(report.shown())
    if csv is not None:
        write_text(csv, report.to_csv())
    if json is not None:
        write_json(json, report.to_json())


def _game_and_decks(given: list[str]) -> tuple[Game, list[str]]:
    """The game that the first word names, and the decks after it."""
    if given and is_known(given[0]):
        return find(given[0]), given[1:]
    return first_game_that_offers("evaluation", "evaluations of decks"), given
