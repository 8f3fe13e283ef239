"""One game of Legends of Code and Magic at a time, between any two players, action by action."""

from collections.abc import Sequence
from dataclasses import dataclass

from deckatlas.arguments import checked
from deckatlas.games.locm.editions import DEFAULT, EditionLike, edition_of
from deckatlas.games.locm.entrants import EntrantLike, entrant
from deckatlas.games.locm.players import LocmPlayer
from deckatlas.games.locm.record import GameRecord
from deckatlas.games.locm.state import Action, Rng, State, check_seed, new_game
from deckatlas.play.table import Table, TableOutcome


@dataclass(frozen=True)
class GameOutcome(TableOutcome[State, Action]):
    """How a game ended; there are no draws. The turns of the battle are timed, the draft is not."""

    winner: int

    @property
    def loser(self) -> int:
        """The seat that lost."""
        return 1 - self.winner

    @property
    def decisions(self) -> int:
        """The number of actions in the battle."""
        return sum(action.verb != "PICK" for action in self.actions)


class LocmTable(Table[State, Action]):
    """A game of Legends of Code and Magic."""

    @property
    def is_over(self) -> bool:
        """Whether a player has won."""
        return self.state.is_over

    @property
    def winner(self) -> int | None:
        """The seat that has won."""
        return self.state.winner

    @property
    def player_to_move(self) -> int:
        """The seat that chooses the next action."""
        return self.state.player_to_move

    @property
    def turn(self) -> int | None:
        """The half-turn of the battle; None in the draft."""
        return self.state.turn if self.state.in_battle else None

    def apply(self, action: Action) -> None:
        """Applies an action to the state."""
        self.state.apply(action)


def play_game(start: State, players: Sequence[LocmPlayer]) -> GameOutcome:
    """Plays a game to its end.

    Args:
        start: The initial state; it is not changed.
        players: The players of the first and the second seat. They are closed in any case.
    """
    ended = LocmTable(start.copy(), players).play()
    assert ended.winner is not None
    return GameOutcome(ended.final, ended.actions, ended.winner, ended.forfeit, ended.turn_seconds)


@checked
def play_one(
    first: EntrantLike,
    second: EntrantLike,
    *,
    seed: int = 0,
    format: str = "referee",
    edition: EditionLike = DEFAULT,
    time_factor: float = 1.0,
) -> GameRecord:
    """Plays one game and returns its record, which can be printed and replayed exactly.

    Args:
        first: The entrant that moves first: see `deckatlas.games.locm.entrants`.
        second: The entrant that moves second.
        seed: The official referee's seed of the game, such as one of a match's column `seed`.
        format: The draft format, "referee" or "distinct".
        edition: The edition of the cards: "1.2", a TOML file with a patch, or an `Edition`.
        time_factor: Multiplies the official time limits of external programs.

    Raises:
        AgentError: If an entrant is unknown.
        CardError: If there is no such edition.
        StateError: If the seed or the format is not valid.
    """
    cards = edition_of(edition)
    start = new_game(seed=seed, format=format, edition=cards)
    entrants = (entrant(first), entrant(second))
    streams = (Rng(check_seed(seed), seat) for seat in range(2))
    players = [each.player(rng, time_factor=time_factor) for each, rng in zip(entrants, streams, strict=True)]
    outcome = play_game(start, players)
    names = (entrants[0].name, entrants[1].name)
    return GameRecord(start.to_text(), names, outcome.actions, outcome.winner, outcome.forfeit, cards)
