"""`deckatlas game`: one game as readable text."""

from pathlib import Path
from typing import Annotated, Any

import typer

from deckatlas.cli.common import GameArgument, SeedOption, out
from deckatlas.cli.game_options import options_of
from deckatlas.cli.matches import EntrantArgument
from deckatlas.cli.pictures import CoachOption, SeatOption, check_picture
from deckatlas.errors import GameError
from deckatlas.files.writing import check_writable, write_bytes, write_text
from deckatlas.games import find
from deckatlas.games.game import Game, PlayedGame
from deckatlas.play.records import SEATS
from deckatlas.play.replays import check_coach
from deckatlas.play.spec import EXEC


def game(
    game: GameArgument,
    first: EntrantArgument,
    second: EntrantArgument,
    seed: SeedOption = 0,
    record: Annotated[
        Path | None, typer.Option(help="Write the game as text that can be replayed; `-` means standard output.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw who is winning: a PNG, SVG or PDF file (needs the `plot` extra)."),
    ] = None,
    coach: CoachOption = "",
    seat: SeatOption = "",
    **own: Any,
) -> None:
    """Plays one game and prints it turn by turn.

    To see a game of a match again, pass its seed; in Python, the column `seed` of the match has it.

    --picture draws the chance to win before each action, as the pilots or the coach rate it. If no one rates it, the
    picture shows the difference in health.
    """
    chosen = find(game)
    if picture is None and (coach or seat):
        raise GameError("--coach and --seat need --picture: add it, or leave them out")
    if picture is not None and any(each.startswith(EXEC) for each in (first, second)):
        raise GameError(
            "a game with a program cannot be drawn: a picture replays the game, and a program may play differently"
        )
    check_picture(picture)
    check_writable(picture)
    _check_choices(chosen, coach, seat)
    played = chosen.play_one(first, second, seed=seed, **options_of(chosen, "game", own))
    if picture is not None:
        write_bytes(picture, _drawn(played, chosen.name, picture.suffix.lower(), coach, seat))
    if record is not None:
        write_text(record, played.record.to_text())
    if record is None or str(record) != "-":
        out.print(played.story, markup=False, soft_wrap=True)


def _check_choices(game: Game, coach: str, seat: str) -> None:
    """Checks what is drawn of a game before it is played, which may take long."""
    if seat:
        from deckatlas.views.game_figures import check_seat  # slow to import

        check_seat(seat)
    if coach and game.offers("replay_choices"):
        check_coach(coach, game.replay_choices().coaches)


def _drawn(played: PlayedGame, game: str, ending: str, coach: str, seat: str) -> bytes:
    from deckatlas.views.game_figures import game_picture

    if played.replay is None:
        raise GameError(f"games of {game} cannot be drawn")
    return game_picture(played.replay(coach), ending, seat=seat or SEATS[0])
