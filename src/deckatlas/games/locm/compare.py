"""Comparisons of draft policies of Legends of Code and Magic: which of two is better, by paired games."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas.errors import MatchError
from deckatlas.games.locm.agents import DRAFT_POLICIES
from deckatlas.games.locm.entrants import Entrant, entrant
from deckatlas.games.locm.runner import LocmRunner
from deckatlas.games.locm.state import FORMATS, check_seed
from deckatlas.play.limits import thread_count
from deckatlas.play.match import shares
from deckatlas.play.paired import GAMES, SEATS, Comparison, PairedGames, compare_sides
from deckatlas.play.runner import Progress
from deckatlas.play.times import room_for_times
from deckatlas.search.batches import seed_of
from deckatlas.shapes import show
from deckatlas.stats.estimate import Floats

OPPONENTS = ("icebox", "closetai", "coac", "chad", "onelane", "historyless", "atlas")
PILOT = "greedy"


@dataclass(frozen=True, eq=False)
class LocmPairs(PairedGames):
    """The games of two draft policies: see the base class.

    Attributes:
        sides: Both sides.
        others: The opponents.
        format: The draft format.
        seed: The seed of everything random.
        paired: Whether both sides play the same seeds; otherwise the second plays others.
        threads: The number of threads.
    """

    sides: tuple[Entrant, Entrant]
    others: tuple[Entrant, ...]
    format: str
    seed: int
    paired: bool
    threads: int

    @property
    def is_same(self) -> bool:
        """Whether both sides have the same text."""
        return self.paired and self.names[0] == self.names[1]

    def play(self, rounds: range, *, progress: Progress | None) -> Floats:
        """Plays rounds: see the base class."""
        won = np.empty((len(self.sides), len(rounds), len(self.others), len(SEATS)))
        games = range(len(SEATS) * rounds.start, len(SEATS) * rounds.stop)
        for number, (side, own) in enumerate(np.ndindex(len(self.sides), len(self.others))):
            runner = self._runner(side, own)
            columns, _ = runner.play(games, room_for_times(0), _after(number * len(games), progress))
            shape = (len(rounds), len(SEATS))
            # Column `first` is the entrant that moved first: the side itself is entrant 0.
            by_seat = np.argsort(columns["first"].reshape(shape), axis=1)
            won[side, :, own] = np.take_along_axis(shares(columns["winner"]).reshape(shape), by_seat, axis=1)
        return won

    def _runner(self, side: int, opponent: int) -> LocmRunner:
        seed = self.seed if self.paired or side == 0 else seed_of(self.seed, "the other side")
        return LocmRunner(
            names=(self.names[side], self.opponents[opponent]),
            seed=seed_of(seed, "opponent", opponent),
            swap_seats=True,
            threads=self.threads,
            entrants=(self.sides[side], self.others[opponent]),
            format=self.format,
            decks=None,
            time_factor=1.0,
        )


def _after(done: int, progress: Progress | None) -> Progress | None:
    """The progress of some games, as progress of all games."""
    return None if progress is None else lambda games: progress(done + games)


def compare(a: str, b: str, *, games: int = GAMES, progress: Progress | None = None, **options: Any) -> Comparison:
    """Compares two draft policies: both draft from the same offers and play the same opponents.

    Args:
        a: A draft policy, or DRAFT/BATTLE.
        b: Another one.
        games: The most games, of both sides together; fewer are played if they decide it.
        progress: Called with the number of games done.
        **options: Those of `paired_games`: against, pilot, format, paired, seed, threads.

    Raises:
        AgentError: If a policy or an agent is unknown.
        MatchError: If the games cannot be played so.
    """
    return compare_sides(paired_games(a, b, **options), games=games, progress=progress)


def paired_games(
    a: str,
    b: str,
    *,
    against: Sequence[str] = OPPONENTS,
    pilot: str = PILOT,
    format: str = "referee",
    paired: bool = True,
    seed: int = 0,
    threads: int | None = None,
    store: Path | None = None,
) -> LocmPairs:
    """The games that compare two draft policies.

    Args:
        a: A draft policy, or DRAFT/BATTLE.
        b: Another one.
        against: The opponents, in the same form.
        pilot: The battle agent that plays the decks of all that name none.
        format: The draft format, "referee" or "distinct".
        paired: Whether both sides draft from the same offers; otherwise the second from others.
        seed: The seed of everything random.
        threads: The number of threads; the result does not depend on it.
        store: The folder of runs, which draft policies do not need.

    Raises:
        AgentError: If a policy or an agent is unknown.
        MatchError: If there is no such format.
    """
    if format not in FORMATS:
        raise MatchError(f"unknown draft format {show(format)}: use {' or '.join(FORMATS)}")
    one, other = (_player(each, pilot) for each in (a, b))
    others = tuple(_player(each, pilot) for each in against)
    field = f"{len(others)} draft policies ({pilot})" if len(others) > 1 else others[0].name
    return LocmPairs(
        kind="policy",
        names=(a, b),
        against=field,
        opponents=tuple(against),
        weights=np.full(len(others), 1 / len(others)),
        decks=(),
        claim=lambda more: f"{a} wins {more} than {b} against {field}",
        sides=(one, other),
        others=others,
        format=format,
        seed=check_seed(seed),
        paired=paired,
        threads=thread_count(threads),
    )


def _player(given: str, pilot: str) -> Entrant:
    """An entrant; a draft policy alone is played by the pilot."""
    is_policy = isinstance(given, str) and "/" not in given and given.partition(":")[0] in DRAFT_POLICIES
    return entrant(f"{given}/{pilot}" if is_policy else given)
