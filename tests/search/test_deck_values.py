"""The search for the best deck: what it finds where the truth is known, and that it resumes."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas.errors import SearchError
from deckatlas.search.card_model import CardModel, CopyValues
from deckatlas.search.deck_search import distance
from deckatlas.search.deck_space import DeckColumn, DeckSpace, Limit
from deckatlas.search.deck_swaps import Swaps
from deckatlas.search.deck_values import DeckValues
from deckatlas.search.history import History
from deckatlas.search.options import SearchSetting
from deckatlas.search.scripts import EvaluationScript, generation_hash
from helpers.planted_decks import COLUMNS, Planted, best_rate, planted, searched

SMALL = DeckValues(rounds=10, initial=20, finalists=8)


def setting(truth: Planted, **changes: Any) -> SearchSetting:
    values = {"archive": None, "games": 20, "fresh": False, "budget": 20_000, "seed": 1}
    return SearchSetting(**{"space": truth.space, "columns": COLUMNS, **values, **changes})


def played(search: EvaluationScript, truth: Planted, batches: int | None = None) -> tuple[list[Any], list[Any]]:
    """The batches of a search with their outcomes, and the hashes of its generations; all or the first few."""
    steps: list[Any] = []
    generations: list[Any] = []
    while not search.is_over and (batches is None or len(steps) < batches):
        batch = search.ask()
        assert batch is not None
        steps.append((batch, truth.evaluate(batch)))
        if (generation := search.tell(steps[-1][1])) is not None:
            generations.append((sum(len(batch) for batch, _ in steps), generation_hash(generation)))
    return steps, generations


def history_of(steps: list[Any], generations: list[Any]) -> History:
    """A log with these batches, as a store returns it."""
    genes: dict[int, Any] = {}
    for batch, _ in steps:
        genes |= dict(zip(batch.solutions.tolist(), batch.genes, strict=True))
    count = sum(len(batch) for batch, _ in steps)
    nothing = np.zeros(count, np.int64)
    return History(
        genes=np.array([genes[number] for number in sorted(genes)]),
        parents=np.full(len(genes), -1),
        participants=np.concatenate([batch.solutions[batch.participants] for batch, _ in steps]),
        first_game=nothing,
        games=np.concatenate([outcomes.games for _, outcomes in steps]),
        batch=np.repeat(np.arange(len(steps)), [len(batch) for batch, _ in steps]),
        total=np.concatenate([outcomes.total for _, outcomes in steps]),
        weight=np.concatenate([outcomes.weight for _, outcomes in steps]),
        error=np.concatenate([outcomes.error for _, outcomes in steps]),
        generations=tuple(generations),
    )


# What it finds


@cache
def found_in(seed: int) -> Any:
    """The last generation of a search among planted decks, which several tests look at."""
    return searched(SMALL, planted(seed), budget=20_000)


@pytest.mark.parametrize("seed", range(3))
def test_planted_values_are_found_with_few_games_from_random_decks(seed: int) -> None:
    truth, last = planted(seed), found_in(seed)
    rng = np.random.default_rng(seed)
    usual = truth.rates(np.stack([truth.space.random(rng) for _ in range(1_000)]))
    found = float(truth.rates(last.genomes[:1])[0])
    assert found > usual.max()
    assert found > usual.mean() + 0.8 * (best_rate(truth) - usual.mean())


def test_the_score_of_the_last_generation_is_honest() -> None:
    errors = []
    for seed in range(4):
        truth, last = planted(seed), found_in(seed)
        errors.append(last.scores[0] / 100 - float(truth.rates(last.genomes[:1])[0]))
    assert abs(np.mean(errors)) < 0.03  # the best of eight, each with some hundred games


def test_a_known_deck_is_the_start_and_the_search_does_better() -> None:
    truth = planted(5)
    rng = np.random.default_rng(0)
    decks = [truth.space.random(rng) for _ in range(200)]
    start = decks[int(np.argmax(truth.rates(np.stack(decks))))]
    search = SMALL.search(setting(truth, starts=(start,)))
    first = search.ask()
    assert first is not None
    assert np.array_equal(first.genes[0], start)
    assert max(distance(deck, start) for deck in first.genes) <= SMALL.radius + 5  # the rest are swaps or mutants of it
    last = searched(SMALL, truth, budget=20_000, starts=(start,))
    assert truth.rates(last.genomes[:1])[0] > truth.rates(start[np.newaxis])[0] + 0.03


def test_the_model_finds_values_and_knows_how_well() -> None:
    truth = planted(1, spread=0.02)
    model = CardModel(truth.space.length, 1)
    rng = np.random.default_rng(0)
    decks = np.stack([truth.space.random(rng) for _ in range(1_500)])
    totals = rng.binomial(100, truth.rates(decks)).astype(np.float64)
    model.add(decks, totals, 100, 0)
    posterior = model.fit()
    rates = truth.rates(decks)
    assert posterior.noise == pytest.approx(float(np.sqrt((rates * (1 - rates)).mean())), rel=0.05)
    values = posterior.values
    assert np.corrcoef(values.first, truth.first)[0, 1] > 0.95
    drawn = np.stack([sample.first for sample in posterior.samples(rng, 400)])
    off = (values.first - values.first.mean() - truth.first + truth.first.mean()) / drawn.std(axis=0)
    assert np.mean(np.abs(off) < 2) > 0.85


# Legal decks


@st.composite
def narrow_spaces(draw: st.DrawFn) -> DeckSpace[int]:
    most = draw(st.lists(st.integers(1, 3), min_size=8, max_size=14))
    size = draw(st.integers(3, sum(most) - 3))
    least = [0] * len(most)
    for card in draw(st.lists(st.integers(0, len(most) - 1), max_size=2, unique=True)):
        least[card] = draw(st.integers(1, most[card]))
    if sum(least) >= size:
        least = [0] * len(most)
    numbers = np.array(draw(st.lists(st.integers(0, 4), min_size=len(most), max_size=len(most))), np.int64)
    spare = np.sort(np.repeat(numbers, np.subtract(most, least).tolist()))[: size - sum(least)]
    smallest = int(spare.sum() + numbers @ least)
    limits = (Limit("points", numbers, smallest + draw(st.integers(0, 6))),) if draw(st.booleans()) else ()
    columns = {"cost": DeckColumn(numbers)}
    return DeckSpace(range(len(most)), most, size=size, columns=columns, least_copies=least, limits=limits)


@given(narrow_spaces(), st.integers(0, 2**32))
def test_random_and_varied_decks_keep_to_all_constraints(space: DeckSpace[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    deck = space.random(rng)
    for _ in range(10):
        space.check(deck)
        space.check(space.exchange(deck, rng))
        deck = space.mutate(deck, rng)


@given(narrow_spaces(), st.integers(0, 2**32), st.integers(1, 6))
def test_swaps_gain_what_they_promise_and_stay_legal(space: DeckSpace[int], seed: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    values = CopyValues(*rng.normal(size=(2, space.length)))
    deck = space.random(rng)
    after = Swaps(space).climbed(deck, values, most=most)
    space.check(after)
    assert distance(deck, after) <= most
    before, now = values.of(np.stack([deck, after]))
    assert now > before or np.array_equal(deck, after)


@settings(max_examples=15)
@given(narrow_spaces(), st.integers(0, 1000))
def test_all_decks_of_a_search_belong_to_the_space(space: DeckSpace[int], seed: int) -> None:
    first, further = np.random.default_rng(seed).normal(0, 0.02, (2, space.length))
    truth = Planted(space, first, further, np.zeros((space.length, space.length)))
    search = DeckValues(rounds=3, initial=5, finalists=4).search(setting(truth, budget=1_200, seed=seed))
    steps, _ = played(search, truth)
    for batch, _ in steps:
        for deck in batch.genes:
            space.check(deck)


# Ask and tell


def test_a_resumed_search_asks_for_the_same() -> None:
    truth = planted(2)
    few = setting(truth, budget=4_000)  # all rounds and stages of a large search
    whole, generations = played(SMALL.search(few), truth)
    assert len(whole) == 13
    for done in (1, 7, 11):
        stored = [each for each in generations if each[0] <= sum(len(batch) for batch, _ in whole[:done])]
        search = SMALL.search(few)
        last = search.resume(history_of(whole[:done], stored))
        assert last is not None
        assert np.array_equal(last.genes, whole[done - 1][0].genes)
        rest, _ = played(search, truth)
        assert [batch.genes.tolist() for batch, _ in rest] == [batch.genes.tolist() for batch, _ in whole[done:]]


def test_another_log_is_refused() -> None:
    truth = planted(2)
    steps, generations = played(SMALL.search(setting(truth, budget=4_000)), truth, 4)
    with pytest.raises(SearchError, match="differs"):
        SMALL.search(setting(truth, seed=2, budget=4_000)).resume(history_of(steps, generations))


def test_explorers_of_a_round_play_the_same_games_or_with_fresh_seeds_each_its_own() -> None:
    truth = planted(2)
    rounds = {}
    for fresh in (False, True):
        steps, _ = played(SMALL.search(setting(truth, fresh=fresh)), truth, 2)
        rounds[fresh] = [
            {(stream.seed, game) for stream in batch.courses for game in range(stream.first, stream.first + 20)}
            for batch, _ in steps
        ]
        assert not rounds[fresh][0] & rounds[fresh][1]
    assert len(rounds[False][0]) == 20
    assert len(rounds[True][0]) == 20 * len(steps[0][0])


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"budget": None}, {}, "it needs a budget"),
        ({"budget": 50}, {}, "the budget of 50 games is too small for one round and two finalists"),
        ({}, {"objective": "win_rat"}, "there is no column 'win_rat': did you mean 'win_rate'"),
        ({"space": object()}, {}, "searches decks, and this space has none"),
        ({"archive": object()}, {}, "looks for one deck and fills no archive"),
    ],
)
def test_what_does_not_fit_is_refused(changes: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(SearchError, match=message):
        DeckValues(**options).search(setting(planted(1), **changes))
