"""Patterns against going through every set of cards: which are found, their supports, lifts and order."""

import time
from collections.abc import Mapping, Sequence
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas.errors import DeckError, SearchError
from deckatlas.patterns.frequent_sets import frequent_sets
from deckatlas.patterns.patterns import Pattern, Patterns, patterns_of, supports_of
from deckatlas.patterns.weighed_decks import Replicas, WeighedDecks

Cards = frozenset[tuple[str, int]]
CARDS = "abcd"

# A whole number of sixteenths each: sums are exact, so that a set is as frequent here as there.
DECKS = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from(CARDS), st.integers(1, 3), min_size=1),
        st.integers(0, 16),
    ),
    min_size=1,
    max_size=12,
).filter(lambda decks: sum(weight for _, weight in decks) > 0)


def weighed(decks: Sequence[tuple[Mapping[str, int], int]]) -> WeighedDecks:
    return WeighedDecks.of([deck for deck, _ in decks], [weight for _, weight in decks])


def every_set(decks: WeighedDecks, least: float) -> dict[Cards, float]:
    """All sets of cards with copies that two decks or more have, of at least this share."""
    found = {}
    for copies in product(range(4), repeat=len(decks.cards)):
        wanted = {card: count for card, count in zip(decks.cards, copies, strict=True) if count}
        has = [
            all(row[decks.cards.index(card)] >= count for card, count in wanted.items())
            for row in decks.counts.tolist()
        ]
        played = [share for share, one in zip(decks.shares.tolist(), has, strict=True) if one and share > 0]
        if wanted and len(played) >= 2 and sum(played) >= least - 1e-9:
            found[frozenset(wanted.items())] = sum(played)
    return found


def is_part(one: Cards, other: Cards) -> bool:
    more = dict(other)
    return one != other and all(more.get(card, 0) >= copies for card, copies in one)


def size_of(cards: Cards) -> int:
    return sum(copies for _, copies in cards)


def found_in(patterns: Patterns) -> dict[Cards, float]:
    found = {frozenset(each.cards): each.support.value for each in patterns}
    assert len(found) == len(patterns) == patterns.found
    return found


@settings(max_examples=100, deadline=None)
@given(DECKS, st.integers(1, 16), st.booleans(), st.none() | st.integers(1, 4))
def test_the_patterns_are_those_of_going_through_every_set(
    given_decks: list[tuple[dict[str, int], int]], sixteenths: int, only_maximal: bool, longest: int | None
) -> None:
    decks = weighed(given_decks)
    every = every_set(decks, sixteenths / 16)
    if longest is not None:
        every = {cards: share for cards, share in every.items() if size_of(cards) <= longest}
    if only_maximal:
        every = {cards: share for cards, share in every.items() if not any(is_part(cards, other) for other in every)}
    found = patterns_of(decks, support=sixteenths / 16, only_maximal=only_maximal, longest=longest)
    assert found_in(found) == pytest.approx(every)


@settings(max_examples=100, deadline=None)
@given(DECKS, st.integers(1, 16))
def test_a_maximal_pattern_is_frequent_and_none_with_one_more_card_is(
    given_decks: list[tuple[dict[str, int], int]], sixteenths: int
) -> None:
    decks = weighed(given_decks)
    for pattern in patterns_of(decks, support=sixteenths / 16):
        assert pattern.support.value >= sixteenths / 16 - 1e-9
        assert pattern.count >= 2
        for card in decks.cards:
            more = dict(pattern.cards) | {card: dict(pattern.cards).get(card, 0) + 1}
            has = decks.having(more) & (decks.shares > 0)
            assert has.sum() < 2 or decks.shares[has].sum() < sixteenths / 16 + 1e-9


@settings(max_examples=50, deadline=None)
@given(DECKS, st.integers(1, 5))
def test_a_weight_of_k_counts_like_k_decks(given_decks: list[tuple[dict[str, int], int]], sixteenths: int) -> None:
    # Every deck twice, so that none is alone with its cards.
    weights = [2 * (weight % 3) for _, weight in given_decks]
    if sum(weights):
        once = WeighedDecks.of([deck for deck, _ in given_decks] * 2, weights * 2)
        many = WeighedDecks.of([deck for (deck, _), k in zip(given_decks, weights, strict=True) for _ in range(k)])
        one, other = (patterns_of(decks, support=sixteenths / 16) for decks in (once, many))
        assert found_in(one) == pytest.approx(found_in(other))


def test_sets_and_patterns_of_a_whole_map_take_less_than_a_second_each() -> None:
    """400 decks of 30 cards that are varied from few, as those of a map are, at 5 %, in CPU seconds."""
    rng = np.random.default_rng(1)
    parents = [rng.permutation(170)[:30] for _ in range(3)]
    counts = np.zeros((400, 170), np.uint8)
    for row in counts:
        kept = rng.permutation(parents[rng.integers(3)])[:20]
        row[np.append(kept, rng.integers(0, 170, 10))] = 1
    decks = WeighedDecks(tuple(map(str, range(170))), counts, np.full(400, 1 / 400))
    begun = time.process_time()
    sets = frequent_sets(decks, support=0.05)
    mined = time.process_time()
    patterns = patterns_of(decks, support=0.05, most=20, distinct=True)
    ended = time.process_time()
    assert len(sets) > 10_000
    assert sets.support.min() >= 0.05
    assert (len(patterns), patterns.found) == (20, len(sets))
    assert mined - begun < 1
    assert ended - mined < 1


def small(*, expected: bool = False) -> WeighedDecks:
    """Four decks; the first two share many cards."""
    decks = [{"a": 2, "b": 1}, {"a": 2, "b": 1, "c": 1}, {"c": 1, "d": 1}, {"d": 1}]
    return WeighedDecks.of(decks, expected=(lambda copies: np.full(len(copies), 0.125)) if expected else None)


def test_patterns_know_their_cards_their_decks_and_their_lift() -> None:
    first, *others = patterns_of(small(expected=True), support=0.5)
    assert (str(first), first.size, first.count, first.decks) == ("2x a, b", 3, 2, (0, 1))
    assert first.cards == (("a", 2), ("b", 1))
    assert (first.support.value, first.expected, first.lift) == (0.5, 0.125, 4.0)
    assert sorted(map(str, others)) == ["c", "d"]
    without = patterns_of(small(), support=0.5)[0]
    assert (without.expected, without.lift) == (None, None)


def test_the_weightiest_come_first_and_most_limits_them() -> None:
    rng = np.random.default_rng(3)
    counts = (rng.random((60, 9)) < rng.random(9)).astype(np.uint8)
    cards = tuple("abcdefghi")
    decks = WeighedDecks(cards, counts, np.full(60, 1 / 60), expected=lambda copies: 0.5 ** copies.sum(axis=1))
    every = patterns_of(decks, support=0.1)
    weights = [each.support.value * log(each.lift or 0) for each in every]
    assert weights == sorted(weights, reverse=True)
    assert patterns_of(decks, support=0.1, most=3).shown == every.shown[:3]
    assert patterns_of(decks, support=0.1, most=3).found == every.found


def test_distinct_patterns_share_at_most_half_of_their_cards() -> None:
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 3, (40, 10)).astype(np.uint8)
    decks = WeighedDecks(tuple("abcdefghij"), counts, np.full(40, 1 / 40))
    every, chosen = (patterns_of(decks, support=0.2, distinct=distinct) for distinct in (False, True))

    def shared(one: Pattern, other: Pattern) -> int:
        return sum(min(copies, dict(other.cards).get(card, 0)) for card, copies in one.cards)

    expected: list[Pattern] = []
    for each in every:
        if all(2 * shared(each, earlier) <= each.size for earlier in expected):
            expected.append(each)
    assert 1 < len(chosen) < len(every)
    assert chosen.shown == tuple(expected)
    assert chosen.found == every.found


def test_where_the_decks_of_a_pattern_are() -> None:
    plain = small()
    decks = WeighedDecks(plain.cards, plain.counts, plain.shares, measures={"cost": np.array([1.0, 4.0, 9.0, np.nan])})
    spans = {str(each): each.region["cost"] for each in patterns_of(decks, support=0.5)}
    assert (spans["2x a, b"].low, spans["2x a, b"].mean, spans["2x a, b"].high) == (1.0, 2.5, 4.0)
    assert (spans["d"].low, spans["d"].high) == (9.0, 9.0)  # a deck without the number does not count


def test_given_patterns_have_a_support_in_other_decks() -> None:
    mine = patterns_of(small(), support=0.5)
    others = WeighedDecks.of([{"a": 1, "b": 1}, {"a": 3, "b": 1}, {"d": 1}], [1, 2, 1])
    found = {str(each): rate.value for each, rate in zip(mine, supports_of(others, mine), strict=True)}
    assert found == pytest.approx({"2x a, b": 0.5, "c": 0.0, "d": 0.25})
    (bare,) = supports_of(others, [{"b": 1}])
    assert bare.value == pytest.approx(0.75)


def test_an_interval_comes_from_runs_or_from_draws_and_from_nothing_else() -> None:
    cards, counts = ("a",), np.array([[1], [0], [1], [1]], np.uint8)
    by_run = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    shares = by_run.mean(axis=0)
    has = counts[:, 0] > 0
    alone = WeighedDecks(cards, counts, shares).support(has)
    assert (alone.value, alone.has_ends) == (0.75, False)
    runs = WeighedDecks(cards, counts, shares, replicas=Replicas(by_run, "runs")).support(has)
    assert (runs.value, runs.low, runs.high, runs.n) == (0.75, 0.0, 1.0, 2)  # two runs tell little
    draws = np.array([[share, 1 - share, 0, 0] for share in np.linspace(0.6, 0.9, 101)])
    drawn = WeighedDecks(cards, counts, shares, replicas=Replicas(draws, "draws")).support(has)
    assert (drawn.low, drawn.high) == pytest.approx((0.6075, 0.8925))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"support": 0}, "a support is a share of the decks above 0 and up to 1, not 0"),
        ({"support": 1.5}, "not 1.5"),
        ({"support": float("nan")}, "not nan"),
        ({"longest": 0}, "a set has 1 to 255 cards, not 0"),
        ({"most": 0}, "the number of patterns is at least 1, not 0"),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(SearchError, match=message):
        patterns_of(small(), **arguments)  # type: ignore[arg-type]


def test_decks_that_cannot_be_are_refused() -> None:
    with pytest.raises(DeckError, match="there is no deck"):
        WeighedDecks.of([])
    with pytest.raises(DeckError, match="0 to 255 copies"):
        WeighedDecks.of([{"a": 300}])
    with pytest.raises(DeckError, match="their sum must be 1"):
        WeighedDecks.of([{"a": 1}, {"b": 1}], [1, -1])
    with pytest.raises(DeckError, match="every deck needs a share"):
        WeighedDecks(("a",), np.ones((2, 1), np.uint8), np.ones(1))


def test_too_many_sets_are_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deckatlas.patterns.frequent_sets.MOST_SETS", 10_000)
    counts = np.ones((25, 25), np.uint8) - np.eye(25, dtype=np.uint8)
    decks = WeighedDecks(tuple(map(str, range(25))), counts, np.full(25, 1 / 25))
    with pytest.raises(SearchError, match=r"^too many sets of cards have a support of 8 %: ask for a higher support"):
        patterns_of(decks, support=0.08, only_maximal=False)
    assert patterns_of(decks, support=0.08, only_maximal=False, longest=3).found == 25 + 300 + 2300
    assert patterns_of(decks, support=0.96).found == 25


def test_one_deck_has_no_pattern() -> None:
    assert patterns_of(WeighedDecks.of([{"a": 2}]), support=0.5).found == 0
