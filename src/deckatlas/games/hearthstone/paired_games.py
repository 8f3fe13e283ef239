"""Two sides that play the same games of Hearthstone: the same opponents, seeds and seats."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone.agents import spelled_out
from deckatlas.games.hearthstone.runner import DeckRows
from deckatlas.games.hearthstone.setting import GameNumbers, Setting
from deckatlas.games.hearthstone.suites import Schedule
from deckatlas.play.paired import SEATS, PairedGames
from deckatlas.play.runner import Progress, after
from deckatlas.search.batches import seed_of
from deckatlas.search.evaluation import LOST, WON
from deckatlas.search.scripts import generator_of
from deckatlas.stats.estimate import Floats

_NOBODY = 0.5  # of a game that nobody won


@dataclass(frozen=True, eq=False)
class HearthstoneSide:
    """One side of a comparison.

    Attributes:
        rows: The decks that it plays, in the core's form.
        setting: How they play: pilot, opponents, edition.
    """

    rows: DeckRows
    setting: Setting

    def is_like(self, other: "HearthstoneSide") -> bool:
        """Whether both play the same games from the same seeds."""
        ours, theirs = self.setting, other.setting
        return (
            np.array_equal(self.rows, other.rows)
            and spelled_out(ours.pilot) == spelled_out(theirs.pilot)
            and ours.suite == theirs.suite
            and (ours.edition.cards, ours.edition.rules) == (theirs.edition.cards, theirs.edition.rules)
        )


@dataclass(frozen=True, eq=False)
class HearthstonePairs(PairedGames):
    """The games of two sides: see the base class.

    Attributes:
        sides: Both sides, with the same opponents in the same order.
        seed: The seed of everything random.
        paired: Whether both sides play the same seeds; otherwise the second plays others.
        threads: The number of threads.
    """

    sides: tuple[HearthstoneSide, HearthstoneSide]
    seed: int
    paired: bool
    threads: int

    @property
    def is_same(self) -> bool:
        """Whether all games go the same way for both sides."""
        return self.paired and self.sides[0].is_like(self.sides[1])

    def play(self, rounds: range, *, progress: Progress | None) -> Floats:
        """Plays rounds: see the base class."""
        games = len(SEATS) * len(self.opponents) * len(rounds)
        other = self.seed if self.paired else seed_of(self.seed, "the other side")
        seeds = (self.seed, other)
        return np.array(
            [
                self.play_side(side, seed, rounds, after(number * games, progress))
                for number, (side, seed) in enumerate(zip(self.sides, seeds, strict=True))
            ]
        )

    def deck_numbers(self, rounds: range) -> npt.NDArray[np.int64]:
        """The decks take turns: every deck meets every opponent once in as many rounds as there are decks."""
        count = len(self.sides[0].rows)
        laps = -(-rounds.stop // count)
        rng = generator_of(seed_of(self.seed, "decks"))
        offsets = np.concatenate([np.empty(0, np.int64), *(rng.permutation(count) for _ in range(laps))])
        offset = offsets[rounds.start : rounds.stop, np.newaxis].astype(np.int64)
        return np.asarray((np.arange(len(self.opponents)) + offset) % count)

    def play_side(self, side: HearthstoneSide, seed: int, rounds: range, progress: Progress | None) -> Floats:
        """Plays rounds with one side: how much of each game it won, by round, opponent and seat."""
        course = course_of(side.setting, rounds, seed=seed)
        decks = np.repeat(self.deck_numbers(rounds), len(SEATS), axis=0).ravel()
        won = np.zeros(len(course))
        done = 0
        for number in np.unique(decks):
            chosen = np.flatnonzero(decks == number)
            part = Schedule(course.opponent[chosen], course.seat[chosen], course.seed[chosen])
            played = side.setting.play(side.rows[[number]], part, threads=self.threads, progress=after(done, progress))
            won[chosen] = _shares(played)[0]
            self.forfeits[self.sides.index(side)].update(played.forfeits)
            done += len(chosen)
        return np.asarray(_by_seat(won[np.newaxis], course, rounds)[0])


def aligned(rows: DeckRows, to: npt.NDArray[np.int32]) -> DeckRows:
    """Decks with the cards that they share with another one at its places.

    A shuffle moves places, so shared cards are then drawn at the same time, and what is luck for both cancels out.

    Args:
        rows: The decks, in the core's form.
        to: The other deck.
    """
    found = rows.copy()
    for row in found:
        left = Counter(row[1:].tolist())
        kept = []
        for card in to[1:].tolist():
            kept.append(left[card] > 0)
            left[card] -= kept[-1]
        others = iter(left.elements())
        row[1:] = [card if is_kept else next(others) for card, is_kept in zip(to[1:].tolist(), kept, strict=True)]
    return found


def with_shared_first(one: DeckRows, other: DeckRows) -> tuple[DeckRows, DeckRows]:
    """Two decks with the cards that they share at the same places, whichever of them is named first."""
    shared = sorted((Counter(one[0, 1:].tolist()) & Counter(other[0, 1:].tolist())).elements())
    found = one.copy(), other.copy()
    for rows in found:
        own = Counter(rows[0, 1:].tolist()) - Counter(shared)
        rows[0, 1:] = [*shared, *sorted(own.elements())]
    return found


def play_rounds(
    setting: Setting, rows: DeckRows, rounds: range, *, seed: int, threads: int, progress: Progress | None
) -> Floats:
    """Plays rounds with each of several decks, all from the same seeds.

    Returns:
        How much of each game each deck won, by deck, round, opponent and seat.
    """
    course = course_of(setting, rounds, seed=seed)
    return _by_seat(_shares(setting.play(rows, course, threads=threads, progress=progress)), course, rounds)


def course_of(setting: Setting, rounds: range, *, seed: int) -> Schedule:
    """The games of rounds: a round is two laps of a suite, in which every opponent is met in both seats."""
    games = len(SEATS) * len(setting.suite.opponents)
    return setting.course(games * len(rounds), seed=seed, first_game=games * rounds.start)


def _shares(played: GameNumbers) -> Floats:
    """How much of each game was won; a game that nobody won counts half."""
    outcome = played.outcome
    return np.where(outcome == WON, 1.0, np.where(outcome == LOST, 0.0, _NOBODY))


def _by_seat(won: Floats, course: Schedule, rounds: range) -> Floats:
    """The games of a course by deck, round, opponent and seat; opponents differ in the seat that comes first."""
    shape = (len(rounds), len(SEATS), -1)
    order = np.argsort(course.seat.reshape(shape), axis=1)
    laps = won.reshape(len(won), *shape)
    order = np.broadcast_to(order, laps.shape)
    return np.take_along_axis(laps, order, axis=2).swapaxes(2, 3)
