"""`deckatlas referee`: two programs against each other."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import AnyGame, AnyGameArgument, out, write_text
from deckatlas.cli.hearthstone_games import DeckAOption, DeckBOption, EditionOption, both_decks, check_options
from deckatlas.errors import MatchError
from deckatlas.games.hearthstone.cards.editions import DEFAULT, edition_of
from deckatlas.games.hearthstone.referee import referee as referee_hearthstone
from deckatlas.games.locm.referee import referee as referee_locm
from deckatlas.play.referee import summary


def referee(
    game: AnyGameArgument,
    p1: Annotated[str, typer.Option(help="Command that starts the first program.", metavar="CMD")],
    p2: Annotated[str, typer.Option(help="Command that starts the second program.", metavar="CMD")],
    seed: Annotated[
        int, typer.Option(help="Seed of the first game, for LoCM the official referee's; later games count on.")
    ] = 0,
    games: Annotated[int, typer.Option(help="How many games.")] = 1,
    swap: Annotated[bool, typer.Option(help="Play two games a seed, the second with seats swapped.")] = True,
    time_factor: Annotated[float, typer.Option(help="Multiplies the time limits.")] = 1.0,
    record: Annotated[Path | None, typer.Option(help="Write the game as text that replays; one game only.")] = None,
    deck_a: DeckAOption = None,
    deck_b: DeckBOption = None,
    edition: EditionOption = None,
) -> None:
    """Referees two programs that speak the game's protocol on standard input and output; p1 moves first.

    Of Legends of Code and Magic a program has 1000 ms for its first pick and its first turn, 100 ms for later picks,
    200 ms for later turns; illegal actions are skipped. Of Hearthstone it has 1000 ms to say which cards it keeps and
    200 ms for every action; illegal ones lose.
    Silence, a crash, a closed pipe or a malformed command loses the game.
    Programs are started anew for each game. With --swap, every second game repeats the seed with seats swapped.

    Agents of Deckatlas play as such programs through `deckatlas bot`.
    Exits with 0 however the games end, with 2 if a program cannot be started. POSIX systems only.

    Example: deckatlas referee locm --p1 "python3 mybot.py" --p2 "deckatlas bot locm icebox/greedy" --games 10

    Example: deckatlas referee hearthstone --p1 ./bot --p2 ./bot --deck-a "Starter Mage" --deck-b "Starter Rogue"
    """
    check_options(game, locm={}, hearthstone={"deck_a": deck_a, "deck_b": deck_b, "edition": edition})
    if record is not None and games != 1:
        raise MatchError("--record takes one game, not several")
    if game is AnyGame.hearthstone:
        cards = edition_of(edition or DEFAULT)
        series = referee_hearthstone(
            (p1, p2),
            decks=both_decks(deck_a, deck_b, cards),
            edition=cards,
            seed=seed,
            games=games,
            swap_seats=swap,
            time_factor=time_factor,
        )
    else:
        series = referee_locm((p1, p2), seed=seed, games=games, swap_seats=swap, time_factor=time_factor)
    played = []
    for each in series:
        played.append(each)
        out.print(str(each), markup=False, soft_wrap=True)
    if games > 1:
        out.print(summary(played, swap_seats=swap), markup=False, soft_wrap=True)
    if record is not None:
        write_text(record, played[0].record.to_text())
