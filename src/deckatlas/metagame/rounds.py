"""How the games of a field are spent: half of them evenly, the rest in rounds, where they decide something.

The number of all games is fixed before the first one, and each round follows from the outcomes before it by a fixed
rule. So the rounds are a search by ask and tell like any other: stored, resumed, and the same on any number of threads.
"""

from collections.abc import Generator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.matchups import GAMES_PER_SEED, Floats, Matchups, Pair, all_pairs
from deckatlas.metagame.matrix_game import solve_game
from deckatlas.search.batches import Batch, Course, matchups, seed_of
from deckatlas.search.scripts import Script, Steps, Wins, draw_seeds, generator_of

Counts = npt.NDArray[np.int64]

ROUNDS = 4  # after the even one
_SAMPLES = 24  # resampled matrices per round
_PIECE = 2000  # games that are asked for at once
_PLAYED = 1e-6  # a smaller share is none
_DIGITS = 9  # wanted numbers are rounded, so that the last bits of another machine make no difference
_MOST_TIMES = 4  # no pair gets more than this multiple of the mean


def spending(names: Sequence[str], *, seeds: int, seed: int) -> Script:
    """A search that plays every pair of a field; player k is participant -1 - k.

    Args:
        names: The names of the decks.
        seeds: The mean number of seeds per pair; a seed is two games, with seats swapped.
        seed: The seed of everything random.
    """
    pairs = all_pairs(len(names))
    return Script(_steps(tuple(names), pairs, seeds, seed), games=GAMES_PER_SEED * seeds * len(pairs))


def _steps(names: tuple[str, ...], pairs: list[Pair], seeds: int, seed: int) -> Steps:
    known = field_seeds(seed, most_seeds(seeds))
    outcomes = {pair: np.empty(0) for pair in pairs}
    for number, size in enumerate(round_sizes(seeds, len(pairs))):
        played = np.array([len(outcomes[pair]) for pair in pairs])
        if number == 0:
            more = np.full(len(pairs), size // len(pairs))
        else:
            rng = generator_of(seed_of(seed, "round", number))
            wanted = importance(Matchups(names, outcomes), rng)
            more = share_out(wanted, played, size, most=most_seeds(seeds))
        wins = yield from _in_pieces(pair_batch(pairs, played, more, known))
        for pair, won in zip(pairs, pair_outcomes(wins, more), strict=True):
            outcomes[pair] = np.append(outcomes[pair], won)


def challenge(count: int, *, seeds: int, seed: int) -> Script:
    """A search that plays the last of `count` decks against each other one, on the first seeds of the field."""
    return trial(1, np.full(count - 1, seeds), known=field_seeds(seed, seeds))


def trial(candidates: int, seeds: Counts, *, known: npt.NDArray[np.uint64]) -> Script:
    """A search that plays the last decks of a field, the candidates, against the others.

    Args:
        candidates: The number of candidates.
        seeds: For each other deck, the number of seeds that each candidate plays against it.
        known: The seeds, of which each pair plays the first ones.
    """
    pairs = trial_pairs(candidates, seeds)
    more = np.array([seeds[j] for _, j in pairs])
    return Script(_trial_steps(pairs, more, known), games=GAMES_PER_SEED * int(more.sum()))


def evenly(count: int, *, seeds: int, seed: int) -> Script:
    """A search that plays every pair of `count` decks on as many seeds, each pair on seeds of its own."""
    pairs = all_pairs(count)
    more = np.full(len(pairs), seeds)
    steps = _even_steps(pairs, more, field_seeds(seed, seeds * len(pairs)))
    return Script(steps, games=GAMES_PER_SEED * int(more.sum()))


def _even_steps(pairs: list[Pair], more: Counts, known: npt.NDArray[np.uint64]) -> Steps:
    yield from _in_pieces(pair_batch(pairs, np.cumsum(more) - more, more, known))


def trial_pairs(candidates: int, seeds: Counts) -> list[Pair]:
    """The pairs that meet in a trial, in the order in which they play."""
    opponents = np.flatnonzero(seeds).tolist()
    return [(len(seeds) + number, j) for number in range(candidates) for j in opponents]


def _trial_steps(pairs: list[Pair], more: Counts, known: npt.NDArray[np.uint64]) -> Steps:
    yield from _in_pieces(pair_batch(pairs, np.zeros(len(pairs), np.int64), more, known))


def trial_outcomes(candidates: int, seeds: Counts, wins: npt.NDArray[np.int64]) -> list[dict[int, Floats]]:
    """For each candidate and opponent, the share of each seed's games that the candidate won, from a trial's log."""
    pairs = trial_pairs(candidates, seeds)
    found: list[dict[int, Floats]] = [{} for _ in range(candidates)]
    for (candidate, j), won in zip(pairs, pair_outcomes(wins, np.array([seeds[j] for _, j in pairs])), strict=True):
        found[candidate - len(seeds)][j] = won
    return found


def field_seeds(seed: int, count: int) -> npt.NDArray[np.uint64]:
    """The first seeds of a field: the same ones, however many are needed."""
    return draw_seeds(generator_of(seed_of(seed, "metagame")), count)


def _in_pieces(whole: Batch) -> Generator[Batch, Wins, Wins]:
    """Asks for a batch in pieces, so that an interrupted one loses little; returns the wins of all."""
    pieces = []
    for begin in range(0, len(whole), _PIECE):
        pieces.append((yield whole.rows(slice(begin, begin + _PIECE))))
    return np.concatenate(pieces)


def most_seeds(seeds: int) -> int:
    """The most seeds that one pair can play, if the mean is `seeds`."""
    return _MOST_TIMES * seeds


def round_sizes(seeds: int, pairs: int) -> list[int]:
    """The seeds of all pairs together in each round: the first is even, and each pair has one at least."""
    even = max(1, (seeds + 1) // 2)
    left = (seeds - even) * pairs
    ends = [left * number // ROUNDS for number in range(ROUNDS + 1)]
    later = [end - start for start, end in pairwise(ends)]
    return [even * pairs, *(size for size in later if size)]


def importance(matchups: Matchups, rng: np.random.Generator) -> Floats:
    """How many seeds each pair should have, up to a factor.

    A pair matters if one of its decks is in the mix and the other may be: its weight is the mean share of the one
    times the chance that the other is played, both ways, over resampled matrices. Every pair has a small weight beside
    that. For a sum of rates with such weights, the variance is least if the number of seeds goes with the weight times
    the deviation of one outcome (Neyman's allocation).
    """
    mixes = np.array([solve_game(rates - 0.5).columns for rates in matchups.resampled(rng, _SAMPLES)])
    share, chance = mixes.mean(axis=0), (mixes > _PLAYED).mean(axis=0)
    floor = 1 / len(matchups) ** 2
    found = [
        (share[i] * chance[j] + share[j] * chance[i] + floor) * _deviation(won)
        for (i, j), won in matchups.outcomes.items()
    ]
    return np.round(np.array(found), _DIGITS)


def _deviation(outcomes: Floats) -> float:
    """The deviation of one outcome; a win and a loss are added, so that it is never 0."""
    with_prior = np.append(outcomes, (0.0, 1.0))
    return float(np.sqrt(((with_prior - with_prior.mean()) ** 2).mean()))


def share_out(wanted: Floats, played: Counts, size: int, *, most: int) -> Counts:
    """How many more seeds each pair gets, so that all of them come close to the wanted proportions.

    A pair that already has more than its part gets none, and no pair gets beyond `most`. Rests go to the pairs with the
    largest ones.
    """
    low, high = 0.0, (float(played.sum()) + size + len(wanted)) / float(wanted.min())
    for _ in range(100):  # the factor at which the missing seeds add up to the size of the round
        factor = (low + high) / 2
        missing = np.clip(np.minimum(factor * wanted, most) - played, 0, None)
        low, high = (factor, high) if missing.sum() < size else (low, factor)
    exact = np.round(np.clip(np.minimum(high * wanted, most) - played, 0, None), _DIGITS - 3)
    more = np.floor(exact).astype(np.int64)
    order = np.lexsort((np.arange(len(exact)), -(exact - more)))
    while (left := size - int(more.sum())) != 0:
        free = [n for n in order.tolist() if (played[n] + more[n] < most if left > 0 else more[n] > 0)]
        for n in free[: abs(left)]:
            more[n] += 1 if left > 0 else -1
    return more


def pair_batch(pairs: Sequence[Pair], played: Counts, more: Counts, known: npt.NDArray[np.uint64]) -> Batch:
    """The next seeds of each pair, each played both ways; a course is one game, so that single games are kept apart."""
    first, second, course = [], [], []
    for (i, j), start, count in zip(pairs, played.tolist(), more.tolist(), strict=True):
        for one, other in ((i, j), (j, i)):
            first.append(np.full(count, -1 - one))
            second.append(np.full(count, -1 - other))
            course.append(np.arange(start, start + count))
    used = np.unique(numbers := np.concatenate(course))
    courses = [Course(known[[at]], known[[at]]) for at in used.tolist()]
    return matchups(
        np.empty((0, 0)),
        courses,
        np.concatenate(first).astype(np.int32),
        np.concatenate(second).astype(np.int32),
        np.searchsorted(used, numbers).astype(np.int32),
    )


def pair_outcomes(wins: Wins, more: Counts) -> list[Floats]:
    """The share of each seed's two games that the first deck of each pair won, from the wins of a batch."""
    found = []
    at = 0
    for count in more.tolist():
        ours, theirs = wins[at : at + count], wins[at + count : at + 2 * count]
        found.append((ours.astype(np.float64) + 1 - theirs) / 2)
        at += 2 * count
    return found


def matchups_from(names: Sequence[str], participants: npt.NDArray[np.int64], wins: npt.NDArray[np.int64]) -> Matchups:
    """The matchups of a search, from its log: for each game its participants, and whether the first won.

    In an unfinished log, seeds of which only one game has been played are left out, and so are pairs without seeds.
    """
    first, second = -1 - participants[:, 0], -1 - participants[:, 1]
    found = {}
    for i, j in all_pairs(len(names)):
        ours, theirs = wins[(first == i) & (second == j)], wins[(first == j) & (second == i)]
        if seeds := min(len(ours), len(theirs)):
            found[i, j] = (ours[:seeds].astype(np.float64) + 1 - theirs[:seeds]) / 2
    return Matchups(tuple(names), found)
