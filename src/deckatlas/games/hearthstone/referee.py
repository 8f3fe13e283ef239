"""The referee of Hearthstone: games between two programs, with the winner of each and the reason."""

from collections.abc import Iterator, Sequence

from deckatlas.games.hearthstone.cards.editions import DEFAULT
from deckatlas.games.hearthstone.match import record_of
from deckatlas.games.hearthstone.protocol import ProgramPilot
from deckatlas.games.hearthstone.setup import DeckLike, EditionLike, deck_rows, edition_of
from deckatlas.games.hearthstone.table import play_game
from deckatlas.play.referee import Refereed, RefereedGame, series, started, two


def referee(
    commands: Sequence[str],
    *,
    decks: tuple[DeckLike, DeckLike],
    edition: EditionLike = DEFAULT,
    seed: int = 0,
    games: int = 1,
    swap_seats: bool = True,
    time_factor: float = 1.0,
) -> Iterator[RefereedGame]:
    """Lets two programs play. Programs are started again for each game.

    Args:
        commands: The commands that start p1, which moves first in the first game, and p2.
        decks: The decks of p1 and p2.
        edition: The edition of the cards, or its name.
        seed: The seed of the first game; later games use the next numbers.
        games: The number of games.
        swap_seats: Play each seed twice, the second time with seats swapped; otherwise p1 always moves first.
        time_factor: Multiplies the time limits.

    Raises:
        AgentError: If a program cannot be started.
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in the edition.
        MatchError: If the games cannot be played with these arguments.
        StateError: If the seed is not valid.
    """
    programs, cards = two(commands), edition_of(edition)
    rows = deck_rows(decks, cards)

    def play(game_seed: int, first: int) -> Refereed:
        seats = (programs[first], programs[1 - first])
        players = [ProgramPilot(command, time_factor=time_factor) for command in seats]
        with started(players):
            outcome = play_game(cards.card_set, rows[[first, 1 - first]], players, seed=game_seed)
        final = outcome.final
        when = "mulligan" if final.phase == "mulligan" else f"turn {final.turn}"
        return Refereed(record_of(outcome, seats, cards), (final.side(0).health, final.side(1).health), when)

    yield from series(play, seed=seed, games=games, swap_seats=swap_seats)
