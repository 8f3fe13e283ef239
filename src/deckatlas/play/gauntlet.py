"""A gauntlet: every entrant against every other, all from the same seeds."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from deckatlas.agents.entrants import EntrantLike, entrant
from deckatlas.errors import MatchError
from deckatlas.play.match import MatchResult, play
from deckatlas.play.stats import Rate, paired_rate


@dataclass(frozen=True)
class GauntletResult:
    """All matches of a gauntlet, in the order of the entrants."""

    names: tuple[str, ...]
    matches: tuple[MatchResult, ...]

    def match(self, i: int, j: int) -> MatchResult:
        """The match of entrants i < j, seen from i."""
        return self.matches[list(combinations(range(len(self.names)), 2)).index((i, j))]

    def rate(self, i: int, j: int) -> Rate:
        """How often entrant i won against entrant j."""
        if i < j:
            return self.match(i, j).rate
        mirrored = self.match(j, i).rate
        return Rate(1 - mirrored.value, 1 - mirrored.high, 1 - mirrored.low, mirrored.games)

    def score(self, i: int) -> Rate:
        """How often entrant i won against all others; seeds are shared, so a seed counts once with its mean."""
        others = [j for j in range(len(self.names)) if j != i]
        outcomes = [self.match(i, j).pair_outcomes if i < j else 1 - self.match(j, i).pair_outcomes for j in others]
        games = sum(self.rate(i, j).games for j in others)
        wins = sum(self.rate(i, j).value * self.rate(i, j).games for j in others)
        return paired_rate(np.mean(outcomes, axis=0), wins=wins, games=games)

    def ranking(self) -> list[int]:
        """Entrants from the highest score to the lowest."""
        return sorted(range(len(self.names)), key=lambda i: -self.score(i).value)

    def to_json(self) -> dict[str, Any]:
        """The result as plain data: every pair seen from its first entrant, and every score."""
        return {
            "pairs": [
                {
                    "a": match.a,
                    "b": match.b,
                    "games": match.games,
                    "wins": match.wins,
                    "rate": match.rate.value,
                    "low": match.rate.low,
                    "high": match.rate.high,
                }
                for match in self.matches
            ],
            "scores": [
                {"name": name, "games": rate.games, "rate": rate.value, "low": rate.low, "high": rate.high}
                for name, rate in ((name, self.score(i)) for i, name in enumerate(self.names))
            ],
        }


def gauntlet(
    entrants: Sequence[EntrantLike],
    *,
    games: int = 1000,
    seed: int = 0,
    format: str = "referee",
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> GauntletResult:
    """Plays all entrants against all, seats swapped.

    Args:
        entrants: At least two, all different: see `deckatlas.agents.entrants`.
        games: Games of each pair.
        seed: Seed of the gauntlet; every pair meets the same drafts and shuffles.
        format: Draft format, "referee" or "distinct".
        threads: How many threads; all available ones if not given.
        progress: Called with the number of games done, of `games` for each pair.

    Raises:
        AgentError: If an entrant is unknown.
        MatchError: If there are fewer than two entrants or two of the same name.
    """
    names = [entrant(each).name for each in entrants]
    if len(names) < 2:
        raise MatchError("a gauntlet needs at least two entrants")
    for i, name in enumerate(names):
        if name in names[:i]:
            raise MatchError(f"entrant {name!r} is there twice")
    matches: list[MatchResult] = []
    for a, b in combinations(entrants, 2):
        before = sum(match.games for match in matches)
        report = None if progress is None else lambda done, before=before: progress(before + done)
        matches.append(play(a, b, games=games, seed=seed, format=format, threads=threads, progress=report))
    return GauntletResult(tuple(names), tuple(matches))
