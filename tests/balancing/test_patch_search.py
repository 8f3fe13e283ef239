"""The search for patches on planted numbers: its front, its games, its fresh laps, and telling it the log again."""

import numpy as np

from deckatlas.balancing.field_games import CLASS, DECK
from deckatlas.balancing.intents import Intent
from deckatlas.balancing.knobs import Knob, PatchSpace
from deckatlas.balancing.patch_plan import plan_of
from deckatlas.balancing.patch_search import PatchSearch, front_order, on_front
from deckatlas.balancing.subject import Floats
from deckatlas.balancing.targets import Target
from deckatlas.search.batches import Batch, Stream
from deckatlas.search.evaluation import Outcomes

BASE = np.array([0.60, 0.45])
SPACE = PatchSpace(
    (
        Knob("Highmane", "cost", 6, (5, 6, 7, 8, 9), 2.0),
        Knob("Highmane", "attack", 6, (3, 4, 5, 6, 7), 1.0),
        Knob("Squire", "health", 1, (1, 2, 3), 1.0),
    )
)
TARGETS = (
    Target(Intent("hunter win rate in 48..52", (CLASS,), "Hunter", "", 0.48, 0.52)),
    Target(Intent("Zoo win rate at least 47", (DECK,), "Zoo", "", 0.47, 1.0), weight=2.0),
)
PLAN = plan_of(40_000, game_count=40, patches=SPACE.count)


def numbers(values: Floats) -> Floats:
    """Cost and attack lower the first number; only the health of the Squire raises the second."""
    cost, attack, health = values
    shift = np.array([-0.03 * (cost - 6) + 0.02 * (attack - 6), 0.015 * (health - 1)])
    return np.asarray(BASE + shift)


def outcomes(batch: Batch) -> Outcomes:
    """What games would tell: the planted numbers with noise that follows from the patch and its laps."""
    rows = []
    for row, course in zip(batch.first.tolist(), batch.course.tolist(), strict=True):
        stream = batch.courses[course]
        assert isinstance(stream, Stream)
        error = 0.5 / np.sqrt(stream.games)
        rng = np.random.default_rng([*batch.genes[row].astype(int).tolist(), stream.first])
        is_base = tuple(batch.genes[row]) == SPACE.own
        noise = np.zeros(2) if is_base else rng.normal(0, 0.6 * error, 2)
        shift = numbers(batch.genes[row]) - BASE + noise
        value = np.stack([BASE + shift, shift], axis=1).ravel()
        rows.append((stream.games, value * stream.games, np.tile([error, 0.6 * error], 2)))
    games, total, errors = (np.array(column) for column in zip(*rows, strict=True))
    return Outcomes(games, total, np.repeat(games[:, np.newaxis].astype(np.float64), 4, axis=1), errors)


def searched(seed: int) -> tuple[PatchSearch, list[Batch], list[Outcomes]]:
    search = PatchSearch(SPACE, TARGETS, PLAN, seed)
    script, asked, told = search.script(), [], []
    while (batch := script.ask()) is not None:
        asked.append(batch)
        told.append(outcomes(batch))
        script.tell(told[-1])
    assert script.is_over
    return search, asked, told


def true_distance(values: tuple[int, ...]) -> float:
    found = numbers(np.array(values, np.float64))
    return float(sum(each.outside(found[at : at + 1])[0] for at, each in enumerate(TARGETS)))


def test_the_front_is_near_the_true_one() -> None:
    sizes = {values: SPACE.size(values) for values in SPACE.all()}
    above = []
    for seed in range(4):
        search, _, _ = searched(seed)
        for found in search.front[1:]:
            best = min(true_distance(values) for values, size in sizes.items() if size <= found.size)
            above.append(true_distance(found.values) - best)
        assert true_distance(search.front[-1].values) < 0.5 < true_distance(SPACE.own)
    assert max(above) < 2.5
    assert np.mean(above) < 1


def test_the_front_starts_with_no_change_and_every_step_comes_nearer() -> None:
    search, _, _ = searched(4)
    front = search.front
    assert front[0].values == SPACE.own
    assert [each.size for each in front] == sorted({each.size for each in front})
    distances = [each.distance.value for each in front]
    assert distances == sorted(distances, reverse=True)


def test_it_asks_for_the_games_of_its_plan() -> None:
    _, asked, _ = searched(5)
    assert sum(batch.games for batch in asked) == PLAN.games


def test_finalists_are_judged_by_laps_that_did_not_choose_them() -> None:
    search, _, _ = searched(6)
    last = search.left[0]
    fresh = [each for each in search.results[last] if each.stage]
    assert len(fresh) == len(PLAN.stages)
    assert search.found(last).numbers[0].n == PLAN.game_count * sum(each.laps for each in fresh)


def test_the_same_outcomes_give_the_same_batches() -> None:
    (one, first, told), (other, second, _) = searched(7), searched(7)
    assert all(np.array_equal(a.genes, b.genes) for a, b in zip(first, second, strict=True))
    assert one.front == other.front
    again = PatchSearch(SPACE, TARGETS, PLAN, 7)
    script = again.script()
    for each in told:
        script.ask()
        script.tell(each)
    assert again.front == one.front


def test_the_order_puts_the_front_first() -> None:
    sizes, distances = np.array([1.0, 2.0, 2.0, 3.0, 4.0]), np.array([8.0, 5.0, 6.0, 5.0, 1.0])
    gaps, is_on = on_front(sizes, distances, base=9.0)
    assert gaps.tolist() == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert is_on.tolist() == [True, True, False, False, True]
    assert front_order(sizes, distances, base=9.0) == [4, 1, 0, 3, 2]


def test_a_patch_that_is_no_nearer_than_no_change_is_not_on_the_front() -> None:
    _, is_on = on_front(np.array([1.0]), np.array([9.0]), base=9.0)
    assert not is_on.any()
