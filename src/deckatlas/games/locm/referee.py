"""The referee of Legends of Code and Magic: games between two programs, with the winner of each and the reason."""

from collections.abc import Iterator, Sequence

from deckatlas.games.locm.editions import DEFAULT, EditionLike, edition_of
from deckatlas.games.locm.program import LocmProgram
from deckatlas.games.locm.record import GameRecord
from deckatlas.games.locm.state import State, new_game
from deckatlas.games.locm.table import play_game
from deckatlas.play.referee import Refereed, RefereedGame, series, started, two


def referee(
    commands: Sequence[str],
    *,
    seed: int = 0,
    games: int = 1,
    swap_seats: bool = True,
    edition: EditionLike = DEFAULT,
    time_factor: float = 1.0,
) -> Iterator[RefereedGame]:
    """Lets two programs play. Programs are started again for each game.

    Args:
        commands: The commands that start p1, which moves first in the first game, and p2.
        seed: The official referee's seed of the first game; later games use the next numbers.
        games: The number of games.
        swap_seats: Play each seed twice, the second time with seats swapped; otherwise p1 always moves first.
        edition: The edition of the cards; programs are shown its numbers.
        time_factor: Multiplies the official time limits.

    Raises:
        AgentError: If a program cannot be started.
        CardError: If there is no such edition.
        MatchError: If the games cannot be played with these arguments.
        StateError: If the seed is not valid.
    """
    programs, cards = two(commands), edition_of(edition)

    def play(game_seed: int, first: int) -> Refereed:
        seats = (programs[first], programs[1 - first])
        start = new_game(seed=game_seed, edition=cards)
        players = [LocmProgram(command, time_factor=time_factor) for command in seats]
        with started(players):
            outcome = play_game(start, players)
        record = GameRecord(start.to_text(), seats, outcome.actions, outcome.winner, outcome.forfeit, cards)
        health = (outcome.final.side(0).health, outcome.final.side(1).health)
        return Refereed(record, health, _when(outcome.final))

    yield from series(play, seed=seed, games=games, swap_seats=swap_seats)


def _when(final: State) -> str:
    return f"turn {final.turn}" if final.in_battle else f"pick {len(final.chosen(final.player_to_move)) + 1}"
