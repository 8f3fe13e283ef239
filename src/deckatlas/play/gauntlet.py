"""A gauntlet of any game: every entrant against every other, all with the same seeds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.errors import MatchError
from deckatlas.play.match import MatchResult
from deckatlas.play.ratings import Ratings, SeedScores, rate_all
from deckatlas.play.runner import Progress
from deckatlas.play.times import ms_per_turn
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.rates import paired_rate

Floats = npt.NDArray[np.float64]
GauntletProgress = Callable[[int, int], object]


@dataclass(frozen=True)
class GauntletResult:
    """All matches of a gauntlet, in the order of the entrants. Matrices have one row and one column per entrant."""

    names: tuple[str, ...]
    matches: tuple[MatchResult, ...]

    def match(self, i: int, j: int) -> MatchResult:
        """The match of entrants i < j, seen from i."""
        return self.matches[self._pairs.index((i, j))]

    def rate(self, i: int, j: int) -> Estimate:
        """How often entrant i won against entrant j."""
        return self.match(i, j).rate if i < j else self.match(j, i).rate.mirrored()

    def score(self, i: int) -> Estimate:
        """How often entrant i won against all others."""
        outcomes = [
            match.pair_outcomes if i == first else 1 - match.pair_outcomes
            for (first, _), match in self._matches_of(i).items()
        ]
        return _rate_over_seeds(list(self._matches_of(i).values()), outcomes)

    @property
    def first_seat_rate(self) -> Estimate:
        """How often the player that moved first won, over all matches."""
        return _rate_over_seeds(self.matches, [match.first_seat_outcomes for match in self.matches])

    @cached_property
    def ratings(self) -> Ratings:
        """Ratings in Elo with intervals, in the order of the entrants."""
        scores = [
            SeedScores(i, j, match.pair_outcomes * match.games_of_seeds, match.games_of_seeds)
            for (i, j), match in zip(self._pairs, self.matches, strict=True)
        ]
        return rate_all(len(self.names), scores)

    def ranking(self) -> list[int]:
        """Entrants from the highest rating to the lowest."""
        return sorted(range(len(self.names)), key=lambda i: -self.ratings.value[i])

    @property
    def games(self) -> npt.NDArray[np.int64]:
        """Games of the row against the column."""
        return self._matrix(lambda i, j: self.match(min(i, j), max(i, j)).games, 0).astype(np.int64)

    @property
    def wins(self) -> npt.NDArray[np.int64]:
        """Games that the row won against the column."""
        won = self._matrix(lambda i, j: self.match(i, j).wins if i < j else self.match(j, i).losses, 0)
        return won.astype(np.int64)

    @property
    def rates(self) -> Floats:
        """How often the row won against the column; NaN on the diagonal."""
        return self._matrix(lambda i, j: self.rate(i, j).value, np.nan)

    @property
    def low(self) -> Floats:
        """Lower ends of the 95 % intervals of `rates`."""
        return self._matrix(lambda i, j: self.rate(i, j).low, np.nan)

    @property
    def high(self) -> Floats:
        """Upper ends of the 95 % intervals of `rates`."""
        return self._matrix(lambda i, j: self.rate(i, j).high, np.nan)

    def ms_per_turn(self, i: int) -> float | None:
        """Mean milliseconds per turn of entrant i in the timed games; None if it had no turns."""
        totals = [match.times.total(0 if i == a else 1) for (a, _), match in self._matches_of(i).items()]
        return ms_per_turn(sum(seconds for seconds, _ in totals), sum(turns for _, turns in totals))

    def forfeits(self, i: int) -> dict[str, int]:
        """Why entrant i forfeited games, and how often."""
        reasons: dict[str, int] = {}
        for match in self._matches_of(i).values():
            for text, count in match.forfeits.items():
                if text.startswith(f"{self.names[i]}: "):
                    reason = text.removeprefix(f"{self.names[i]}: ")
                    reasons[reason] = reasons.get(reason, 0) + count
        return reasons

    def to_json(self) -> dict[str, Any]:
        """The result as plain data: every pair from its first entrant's view, and ratings, the best first."""
        return {
            "pairs": [match.to_json() for match in self.matches],
            "ratings": [self._rating_as_json(i) for i in self.ranking()],
            "first_seat": self.first_seat_rate.cells("rate", prefix=""),
        }

    def _rating_as_json(self, i: int) -> dict[str, Any]:
        return {
            "name": self.names[i],
            **self.ratings[i].cells("rating", n="games", prefix=""),
            "score": self.score(i).cells("rate", prefix=""),
            "ms_per_turn": self.ms_per_turn(i),
            "forfeits": self.forfeits(i),
        }

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.names)), 2))

    def _matches_of(self, i: int) -> Mapping[tuple[int, int], MatchResult]:
        return {pair: match for pair, match in zip(self._pairs, self.matches, strict=True) if i in pair}

    def _matrix(self, entry: Callable[[int, int], float], diagonal: float) -> Floats:
        size = len(self.names)
        return np.array([[diagonal if i == j else entry(i, j) for j in range(size)] for i in range(size)])


def _rate_over_seeds(matches: Sequence[MatchResult], outcomes: Sequence[Floats]) -> Estimate:
    """The rate over several matches with the same seeds; all games of a seed make one outcome."""
    seeds = max(len(each) for each in outcomes)
    wins, games = np.zeros(seeds), np.zeros(seeds)
    for match, outcome in zip(matches, outcomes, strict=True):
        games_of_seeds = match.games_of_seeds
        wins[: len(outcome)] += outcome * games_of_seeds
        games[: len(outcome)] += games_of_seeds
    return paired_rate(wins / games, wins=float(wins.sum()), games=int(games.sum()), weights=games)


def play_pairs(
    names: Sequence[str],
    play_pair: Callable[[int, int, Progress | None], MatchResult],
    *,
    games: int,
    progress: GauntletProgress | None,
) -> GauntletResult:
    """Plays every entrant of any game against every other.

    Args:
        names: The names of the entrants.
        play_pair: Plays the match of two entrants, given by their numbers.
        games: The most games per pair.
        progress: Called with the number of games done, and the total as far as it is known.

    Raises:
        MatchError: If there are fewer than two entrants, or two have the same name.
    """
    if len(names) < 2:
        raise MatchError("a gauntlet needs at least two entrants")
    for i, name in enumerate(names):
        if name in names[:i]:
            raise MatchError(f"entrant {name!r} is given twice")
    pairs = list(combinations(range(len(names)), 2))
    matches: list[MatchResult] = []
    for n, (i, j) in enumerate(pairs):
        done = sum(match.games for match in matches)
        matches.append(play_pair(i, j, _of_all(progress, done, done + (len(pairs) - n) * games)))
    return GauntletResult(tuple(names), tuple(matches))


def _of_all(progress: GauntletProgress | None, before: int, total: int) -> Progress | None:
    """The progress of one match, reported as progress of the gauntlet."""
    return None if progress is None else lambda done: progress(before + done, total)
