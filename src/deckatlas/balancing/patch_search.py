"""A search for patches: the front of the size of a change against its distance to the targets, on known decks.

Explorers play a few laps each. A model of the shifts (`shift_model`) says what other patches would do, and how sure
that is. The next explorers are patches that would be on the front if shifts drawn from this uncertainty were true
(Thompson sampling). In the end the best patches play fresh laps, more and more, while their number is halved. Their
numbers rest on all of these laps: not on the luck of explorers, but a little on that of the finals, which choose too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from deckatlas.balancing.knobs import MOST_LISTED, PatchSpace, Values
from deckatlas.balancing.patch_games import PER_TARGET, RATE, SHIFT
from deckatlas.balancing.patch_plan import PatchPlan
from deckatlas.balancing.shift_model import ShiftModel, features, fitted
from deckatlas.balancing.subject import Floats
from deckatlas.balancing.targets import Target, total
from deckatlas.search.batches import Batch, Stream, seed_of
from deckatlas.search.evaluation import Outcomes
from deckatlas.search.protocol import Generation
from deckatlas.search.scripts import EvaluationScript, OutcomeSteps, generator_of
from deckatlas.stats.distributions import Z95
from deckatlas.stats.estimate import Estimate

_DRAWS = 48  # of the model, for the expected distance of a patch
_DRAWN_PATCHES = 1024  # of a space that is too large to list
_MOST_PARENTS = 12  # whose neighbours join them
_SHOWN = 6  # patches of a generation
_DIGITS = 9  # numbers are rounded, so that machines whose sums differ in the last bit choose the same patches


@dataclass(frozen=True)
class Measured:
    """An evaluation of a patch.

    Attributes:
        laps: The number of its laps.
        stage: Which laps they are: 0 those of explorers, and then those of each stage of the finals.
        rates: The number of each target.
        rate_errors: The standard errors of these.
        shifts: How far each number moved from the base edition.
        shift_errors: The standard errors of these.
    """

    laps: int
    stage: int
    rates: Floats
    rate_errors: Floats
    shifts: Floats
    shift_errors: Floats


@dataclass(frozen=True)
class FoundPatch:
    """A patch with what known decks tell about it.

    Attributes:
        values: The values of the knobs.
        size: How large the change is.
        numbers: The number of each target that known decks tell, under the patch.
        distance: How far it is from all of these targets, in points.
        is_final: Whether it reached the last stage of the finals.
    """

    values: Values
    size: float
    numbers: tuple[Estimate, ...]
    distance: Estimate
    is_final: bool = False


@dataclass
class PatchSearch:
    """The state of a search for patches; telling it the log rebuilds it.

    Attributes:
        space: The patches.
        targets: The targets that known decks tell.
        plan: The sizes.
        seed: The seed of everything random.
        results: All evaluations of each patch.
        left: The patches in the last stage.
    """

    space: PatchSpace
    targets: tuple[Target, ...]
    plan: PatchPlan
    seed: int
    results: dict[Values, list[Measured]] = field(default_factory=dict)
    left: list[Values] = field(default_factory=list)

    def script(self) -> EvaluationScript:
        """The search by ask and tell."""
        return EvaluationScript(self._steps(), games=self.plan.games)

    def _steps(self) -> OutcomeSteps:
        plan, rng = self.plan, generator_of(seed_of(self.seed, "explorers"))
        yield from self._play([self.space.own], list(range(1 + len(plan.stages))))
        yield from self._play(self._first(rng), [0])
        for number, count in enumerate(plan.rounds):
            yield from self._play(self._next(count, rng), [0])
            yield self._generation(number, self._best_of(list(self.results)))
        self.left = self._finalists(plan.stages[0][0], rng)
        for stage, (count, _) in enumerate(plan.stages, start=1):
            self.left = self.left[:count]
            yield from self._play(self.left, [stage])
            self.left = self._best_of(self.left)
        yield self._generation(len(plan.rounds), self.left)

    def _play(self, patches: Sequence[Values], stages: Sequence[int]) -> OutcomeSteps:
        """Evaluates patches on the laps of stages, all in one batch."""
        lengths = [self.plan.laps, *(laps for _, laps in self.plan.stages)]
        per_lap = self.plan.game_count
        courses = tuple(
            Stream(seed_of(self.seed, "laps"), per_lap * sum(lengths[:at]), per_lap * lengths[at]) for at in stages
        )
        rows = [(row, course) for row in range(len(patches)) for course in range(len(stages))]
        outcomes: Outcomes = yield Batch(
            np.array(patches, np.float64),
            np.array([[row] for row, _ in rows], np.int32),
            courses,
            np.array([course for _, course in rows], np.int32),
        )
        for at, (row, course) in enumerate(rows):
            rates, shifts = (slice(part, None, PER_TARGET) for part in (RATE, SHIFT))
            value, error = outcomes.value[at], outcomes.error[at]
            measured = Measured(
                lengths[stages[course]], stages[course], value[rates], error[rates], value[shifts], error[shifts]
            )
            self.results.setdefault(patches[row], []).append(measured)

    # Explorers

    def _first(self, rng: np.random.Generator) -> list[Values]:
        """Random patches, all different."""
        found: dict[Values, None] = {}
        while len(found) < self.plan.first:
            found[self.space.random(rng)] = None
        return list(found)

    def _next(self, count: int, rng: np.random.Generator) -> list[Values]:
        """Patches that were not played, each on the front of its own draw from the model."""
        models, chosen = self._models(), []
        pool = [values for values in self._pool(rng) if values not in self.results]
        rows, sizes = self._rows(pool), self.space.sizes(np.array(pool))
        for _ in range(count):
            distances = self._distance(np.stack([model.drawn(rows, rng) for model in models]))
            _, is_on = on_front(sizes, distances, base=self._base_distance)
            order = [at for at in front_order(sizes, distances, base=self._base_distance) if pool[at] not in chosen]
            ahead = max(1, int(is_on[order].sum()))
            chosen.append(pool[order[int(rng.integers(ahead))]])
        return chosen

    def _pool(self, rng: np.random.Generator) -> list[Values]:
        """The patches to choose from: all, or random ones with the neighbours of the best so far."""
        if self.space.count <= MOST_LISTED:
            return self.space.all()
        found = dict.fromkeys(self.space.random(rng) for _ in range(_DRAWN_PATCHES))
        for values in self._best_of([each for each in self.results if each != self.space.own])[:_MOST_PARENTS]:
            found |= dict.fromkeys(self.space.neighbours(values))
        return list(found)

    def _finalists(self, count: int, rng: np.random.Generator) -> list[Values]:
        """The patches whose expected distance is least above the front, whether they were played or not."""
        pool = list(dict.fromkeys([*self._pool(rng), *(each for each in self.results if each != self.space.own)]))
        models, rows = self._models(), self._rows(pool)
        draws = [self._distance(np.stack([model.drawn(rows, rng) for model in models])) for _ in range(_DRAWS)]
        order = front_order(
            self.space.sizes(np.array(pool)), np.round(np.array(draws).mean(axis=0), 6), base=self._base_distance
        )
        return [pool[at] for at in order[:count]]

    def _models(self) -> list[ShiftModel]:
        played = [(values, each) for values, found in self.results.items() for each in found]
        moved = [(values, each) for values, each in played if values != self.space.own]
        rows = self._rows([values for values, _ in moved])
        stages = np.eye(1 + len(self.plan.stages))[[each.stage for _, each in moved]]
        knobs = len(self.space.knobs)
        shifts, errors = (np.array([getattr(each, name) for _, each in moved]) for name in ("shifts", "shift_errors"))
        return [fitted(rows, stages, shifts[:, at], errors[:, at], knobs=knobs) for at in range(len(self.targets))]

    def _rows(self, patches: Sequence[Values]) -> Floats:
        return features(self.space.scaled(np.array(patches, np.int64)))

    # Numbers

    @property
    def base_numbers(self) -> tuple[Estimate, ...]:
        """The number of each target under the base edition."""
        found = self.results[self.space.own]
        laps = np.array([each.laps for each in found], np.float64)
        shares = laps / laps.sum()
        rates = shares @ np.array([each.rates for each in found])
        errors = np.sqrt(shares**2 @ np.array([each.rate_errors for each in found]) ** 2)
        return self._estimates(rates, errors, self.plan.game_count * int(laps.sum()))

    @property
    def _base_distance(self) -> float:
        return float(self._distance(np.zeros((len(self.targets), 1)))[0])

    def _distance(self, shifts: Floats) -> Floats:
        """The distance of patches with these shifts: one row per target, one column per patch."""
        numbers = np.array([each.value for each in self.base_numbers])[:, np.newaxis] + shifts
        parts = [each.outside(numbers[at]) for at, each in enumerate(self.targets)]
        return np.asarray(np.sum(parts, axis=0))

    def found(self, values: Values) -> FoundPatch:
        """What known decks tell about a patch; the laps of the finals alone count for one that reached them."""
        results = self.results[values]
        final = [each for each in results if each.stage] or results
        laps = np.array([each.laps for each in final], np.float64)
        shares = laps / laps.sum()
        shifts = shares @ np.array([each.shifts for each in final])
        errors = np.sqrt(shares**2 @ np.array([each.shift_errors for each in final]) ** 2)
        base = self.base_numbers
        base_errors = np.array([each.half_width / Z95 for each in base])
        if values == self.space.own:
            numbers = base
        else:
            rates = np.array([each.value for each in base]) + shifts
            numbers = self._estimates(
                rates, np.sqrt(errors**2 + base_errors**2), self.plan.game_count * int(laps.sum())
            )
        distances = [each.distance(number) for each, number in zip(self.targets, numbers, strict=True)]
        return FoundPatch(values, self.space.size(values), numbers, total(distances), values in self.left)

    def _estimates(self, rates: Floats, errors: Floats, games: int) -> tuple[Estimate, ...]:
        ends = [(rate, rate - Z95 * error, rate + Z95 * error) for rate, error in zip(rates, errors, strict=True)]
        return tuple(
            Estimate(float(rate), max(0.0, float(low)), min(1.0, float(high)), games, is_share=True)
            for rate, low, high in ends
        )

    @property
    def front(self) -> tuple[FoundPatch, ...]:
        """The finalists of the last stage that no other beats in both size and distance, and no change at all."""
        found = [self.found(values) for values in (self.space.own, *self.left)]
        kept: list[FoundPatch] = []
        for each in sorted(found, key=lambda each: (each.size, each.distance.value)):
            if not kept or each.distance.value < kept[-1].distance.value:
                kept.append(each)
        return tuple(kept)

    def _best_of(self, patches: Sequence[Values]) -> list[Values]:
        """Patches by how far they are above the front of all of them."""
        found = [self.found(values) for values in patches]
        distances = np.array([each.distance.value for each in found])
        order = front_order(np.array([each.size for each in found]), distances, base=self._base_distance)
        return [patches[at] for at in order]

    def _generation(self, number: int, patches: list[Values]) -> Generation:
        """The best patches so far, the nearest to the targets first; scores are distances below zero."""
        found = sorted((self.found(values) for values in patches[:_SHOWN]), key=lambda each: each.distance.value)
        # A distance of 0 scores 0.0: SQLite keeps no -0.0.
        scores = np.array([0.0 - round(each.distance.value, _DIGITS) for each in found])
        return Generation(number, np.array([each.values for each in found], np.float64), scores)


def on_front(sizes: Floats, distances: Floats, *, base: float) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """How far each patch is above the front, and whether it is on it: nearer than all patches that change less.

    Args:
        sizes: The size of each patch.
        distances: The distance of each patch.
        base: The distance of changing nothing.
    """
    found = np.round(distances, _DIGITS)
    levels, level = np.unique(sizes, return_inverse=True)
    own = np.full(len(levels), np.inf)
    np.minimum.at(own, level, found)
    least = np.minimum.accumulate(np.append(base, own))  # of all that change less, and of all that change no more
    gaps = found - least[1:][level]
    return gaps, (gaps <= 0) & (found < least[:-1][level])


def front_order(sizes: Floats, distances: Floats, *, base: float) -> list[int]:
    """Patches by how far they are above the front; first come those on it, the nearest to the targets before others."""
    gaps, is_on = on_front(sizes, distances, base=base)
    order = np.lexsort((sizes, np.round(distances, _DIGITS), gaps, ~is_on))
    return [int(at) for at in order]
