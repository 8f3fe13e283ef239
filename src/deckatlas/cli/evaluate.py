"""`deckatlas evaluate`: a pilot plays decks against a suite of opponents."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from deckatlas.cli.common import SeedOption, first_game_that_offers, out, print_parts, progress_bar, write_json
from deckatlas.cli.game_options import options_of
from deckatlas.cli.matches import ThreadsOption, TimeFactorOption
from deckatlas.errors import MatchError
from deckatlas.files.writing import check_writable, write_text
from deckatlas.games import Game, find, is_known
from deckatlas.games.game import DeckEvaluation
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.shapes import show

OUTCOMES = ("lost", "won")


def evaluate(
    decks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME] DECK",
            help="The game (default: hearthstone), then decks: names, codes, files or lists of cards.",
        ),
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(
            help="The pilot of the decks: an agent (see `deckatlas agents GAME`), or exec:CMD for a program (default: "
            "the game's usual pilot)."
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Games per deck; the opponents take turns.")] = 200,
    seed: SeedOption = 0,
    cards: Annotated[
        bool,
        typer.Option(
            "--cards",
            help="Also show how often each card was kept, drawn and played, and how often the deck won those games.",
        ),
    ] = False,
    swap_out: Annotated[
        bool,
        typer.Option(
            "--swap-out",
            help="Also measure what each card is worth: the deck plays the same games again with the card replaced. "
            "This plays --games more games for every card.",
        ),
    ] = False,
    replay: Annotated[
        str | None,
        typer.Option(
            metavar="lost|won|NUMBER",
            help="Print one game turn by turn instead: the first one lost or won, or the one with this number, from 0.",
        ),
    ] = None,
    threads: ThreadsOption = None,
    time_factor: TimeFactorOption = 1.0,
    csv: Annotated[Path | None, typer.Option(help="Write one row per deck as CSV; `-` means standard output.")] = None,
    cards_csv: Annotated[
        Path | None,
        typer.Option(
            help="Write one row per deck and card as CSV, with the numbers of --cards; `-` means standard output."
        ),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(help="Write the result as JSON; `-` means standard output."),
    ] = None,
    page: Annotated[Path | None, typer.Option(help="Write a self-contained web page, an HTML file.")] = None,
    **own: Any,
) -> None:
    """Plays decks against a suite of opponents and prints averages with 95 % intervals.

    All decks play the same opponents with the same shuffles. --json also has the averages for each opponent and how
    often each card was played.
    """
    files = [file for file in (csv, cards_csv, json, page) if file is not None]
    for file in files:
        if files.count(file) > 1:
            raise MatchError(f"{_two_of(file, csv, cards_csv, json, page)} would both write to {_place(file)}")
    game, given = _game_and_decks(decks or [])
    options = options_of(game, "evaluate", own)
    asked = {"pilot": pilot, "cards": cards or cards_csv is not None, "swap_out": swap_out}
    options |= {name: value for name, value in asked.items() if value}
    evaluation = game.evaluation(given, seed=seed, time_factor=time_factor, **options)
    if replay is not None:
        if evaluation.decks > 1 or files or cards or swap_out:
            raise MatchError("--replay prints a game of one deck, and writes no files")
        out.print(_story(evaluation, replay, games, threads), markup=False, soft_wrap=True)
        return
    check_writable(*files)
    with progress_bar("evaluate", evaluation.total_games(games)) as progress:
        report = evaluation.play(games=games, threads=threads, progress=progress)
    if not any(str(file) == "-" for file in files):
        print_parts(report.shown())
    if csv is not None:
        write_text(csv, report.to_csv())
    if cards_csv is not None:
        write_text(cards_csv, report.cards_csv())
    if json is not None:
        write_json(json, report.to_json())
    if page is not None:
        from deckatlas.views.parts_page import parts_page

        write_text(page, parts_page(report.shown(), title="Evaluation", command=["deckatlas", *sys.argv[1:]]))


def _two_of(file: Path, csv: Path | None, cards_csv: Path | None, json: Path | None, page: Path | None) -> str:
    """The options that name the same file."""
    given = {"--json": json, "--csv": csv, "--cards-csv": cards_csv, "--page": page}
    return " and ".join([option for option, each in given.items() if each == file][:2])


def _place(file: Path) -> str:
    return "standard output" if str(file) == "-" else str(file)


def _story(evaluation: DeckEvaluation, replay: str, games: int, threads: int | None) -> str:
    """The story of the game that --replay asks for."""
    positive("games", games, MAX_GAMES)
    if replay in OUTCOMES:
        found = evaluation.first_game(replay, games=games, threads=threads)
        if found is None:
            raise MatchError(f"--replay: none of the {games:,} games was {replay}: play more with --games")
        return evaluation.story(found)
    try:
        number = int(replay)
    except ValueError:
        raise MatchError(f"--replay takes lost, won or the number of a game, not {show(replay)}") from None
    if not 0 <= number < games:
        raise MatchError(f"--replay: there is no game {number}: games are numbered from 0 to {games - 1}")
    return evaluation.story(number)


def _game_and_decks(given: list[str]) -> tuple[Game, list[str]]:
    """The game that the first word names, and the decks after it."""
    if given and is_known(given[0]):
        return find(given[0]), given[1:]
    return first_game_that_offers("evaluation", "evaluations of decks"), given
