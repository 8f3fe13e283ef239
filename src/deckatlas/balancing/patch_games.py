"""Decks under a patch, as an evaluation: the numbers that a rebalancing aims at, and how far they moved.

A *lap* is one seed for each pair of decks that counts in a target, played both ways. All patches play the same laps,
and so does the base edition: the differences are paired, seed by seed.
"""

from collections.abc import Sequence
from threading import Lock

import numpy as np

from deckatlas.balancing.gauges import Gauge
from deckatlas.balancing.knobs import Rebalancer, Values
from deckatlas.balancing.subject import Floats
from deckatlas.metagame.matchups import GAMES_PER_SEED
from deckatlas.metagame.rounds import field_seeds, pair_batch, pair_outcomes
from deckatlas.play.runner import Progress, after
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import Column, Outcomes
from deckatlas.stats.averages import Sample

RATE, SHIFT = 0, 1  # of a target: its number under the patch, and the difference from the base edition
PER_TARGET = 2
LEAST_LAPS = 2  # with fewer, no spread is known


class PatchGames:
    """The evaluator of patches.

    Attributes:
        columns: For each target, its number and the shift of it.
        pairs: The pairs that play.
    """

    def __init__(self, rebalancer: Rebalancer, gauges: Sequence[Gauge], *, laps: int) -> None:
        """Takes what can change.

        Args:
            rebalancer: The knobs.
            gauges: How the number of each target follows from games.
            laps: The most laps of a patch.
        """
        self._rebalancer = rebalancer
        self._own = tuple(knob.own for knob in rebalancer.knobs)
        self._laps = laps
        self._gauges = tuple(gauges)
        self.pairs = sorted({pair for each in gauges for pair in each.pairs})
        self.columns = tuple(
            Column(f"{word} {number + 1}", storage="f8") for number in range(len(gauges)) for word in ("rate", "shift")
        )
        self._lock = Lock()
        self._before: Floats | None = None  # the base edition's outcomes

    @property
    def games_per_lap(self) -> int:
        """The games of one lap."""
        return GAMES_PER_SEED * len(self.pairs)

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Plays the laps of each patch; see the protocol."""
        parts, done = [], 0
        for row, number in zip(batch.first.tolist(), batch.course.tolist(), strict=True):
            stream = batch.courses[number]
            assert isinstance(stream, Stream)
            values = tuple(int(value) for value in batch.genes[row])
            parts.append(self._outcomes(values, stream, threads, after(done, progress)))
            done += len(stream)
        return Outcomes.joined(parts)

    def sample(self, *, first_game: int, games: int) -> Sample:
        """Seeds are independent; those of a pair are alike."""
        return Sample(games // GAMES_PER_SEED, games // GAMES_PER_SEED - len(self.pairs))

    def _outcomes(self, values: Values, stream: Stream, threads: int, progress: Progress | None) -> Outcomes:
        laps = range(stream.first // self.games_per_lap, (stream.first + stream.games) // self.games_per_lap)
        base = self._base(stream.seed, threads, progress)
        before = base[:, laps.start : laps.stop]
        after = before if values == self._own else self._played(values, laps, stream.seed, threads, progress)
        now, then, whole = (dict(zip(self.pairs, played, strict=True)) for played in (after, before, base))
        read = [number for each in self._gauges for number in each.read(now, then, whole)]
        value, error = np.array([(number.value, number.error) for number in read]).T
        games = np.full((1, len(self.columns)), float(stream.games))
        return Outcomes(np.array([stream.games]), value[np.newaxis] * games, games, error[np.newaxis])

    def _base(self, seed: int, threads: int, progress: Progress | None) -> Floats:
        """The outcomes of the base edition: for each pair, those of all laps. They are played once."""
        with self._lock:
            if self._before is None:
                self._before = self._played(self._own, range(self._laps), seed, threads, progress)
            return self._before

    def _played(self, values: Values, laps: range, seed: int, threads: int, progress: Progress | None) -> Floats:
        """For each pair and lap, the share of the seed's games that the first of the pair won."""
        more = np.full(len(self.pairs), len(laps))
        begun = np.arange(len(self.pairs)) * self._laps + laps.start
        batch = pair_batch(self.pairs, begun, more, field_seeds(seed, self._laps * len(self.pairs)))
        matchups = self._rebalancer.matchups(values)
        wins = matchups.evaluate(batch, threads=threads, progress=progress).total[:, 0]
        return np.stack(pair_outcomes(wins.astype(np.int64), more))
