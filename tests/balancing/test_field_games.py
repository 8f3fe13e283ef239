"""Known decks under both editions: worked shifts of decks and classes, and no claims where nothing changes."""

import numpy as np
import pytest

from deckatlas.balancing.field_games import CLASS, DECK, FieldGames
from deckatlas.balancing.questions import answered
from deckatlas.metagame.matchups import Matchups, all_pairs

NAMES = ("Zoo", "Handlock", "Freeze Mage", "Face Hunter")
CLASSES = ("WARLOCK", "WARLOCK", "MAGE", "HUNTER")


def played(rates: dict[tuple[int, int], float], rng: np.random.Generator, seeds: int = 40) -> Matchups:
    """Matchups in which each seed is two games, won by chance."""
    outcomes = {pair: rng.binomial(2, rates.get(pair, 0.5), seeds) / 2 for pair in all_pairs(len(NAMES))}
    return Matchups(NAMES, outcomes)


def field(before: Matchups, after: Matchups) -> FieldGames:
    return FieldGames(before, after, np.array([0.4, 0.1, 0.2, 0.3]), CLASSES, paired=True)


def test_a_deck_is_rated_by_the_shares_of_its_opponents() -> None:
    before = Matchups(NAMES, {pair: np.full(4, 0.5) for pair in all_pairs(4)})
    outcomes = dict(before.outcomes)
    outcomes[0, 3] = np.full(4, 1.0)  # Zoo always beats Face Hunter
    found = {each.subject: each for each in field(before, Matchups(NAMES, outcomes)).questions() if each.topic == DECK}
    assert found["Zoo"].shift.value == pytest.approx(0.5 * 0.3)
    assert found["Face Hunter"].shift.value == pytest.approx(-0.5 * 0.4)
    assert found["Handlock"].shift.value == 0
    assert found["Zoo"].before.value == pytest.approx(0.5)
    assert found["Zoo"].after.value == pytest.approx(0.65)


def test_a_class_is_the_mean_of_its_decks_by_their_shares() -> None:
    rng = np.random.default_rng(4)
    games = field(played({}, rng), played({(0, 2): 0.9, (1, 3): 0.2}, rng))
    decks = {each.subject: each for each in games.questions() if each.topic == DECK}
    classes = {each.subject: each for each in games.questions() if each.topic == CLASS}
    mean = 0.8 * decks["Zoo"].shift.value + 0.2 * decks["Handlock"].shift.value
    assert classes["Warlock"].shift.value == pytest.approx(mean)
    assert classes["Mage"].shift.value == pytest.approx(decks["Freeze Mage"].shift.value)


def test_the_same_games_change_nothing() -> None:
    games = played({(0, 1): 0.7}, np.random.default_rng(5))
    for sentence in answered(list(field(games, games).questions())):
        assert not sentence.is_change
        assert sentence.question.difference.value == 0


def test_games_without_a_difference_are_rarely_called_one() -> None:
    rng = np.random.default_rng(6)
    studies = 300
    claims = 0
    for _ in range(studies):
        sentences = answered(list(field(played({(0, 1): 0.8}, rng), played({(0, 1): 0.8}, rng)).questions()))
        claims += any(each.is_change for each in sentences if each.question.family == "field")
    assert claims <= studies * 0.05 + 3 * (studies * 0.05 * 0.95) ** 0.5


def test_a_planted_difference_is_found_and_named() -> None:
    rng = np.random.default_rng(7)
    games = field(played({}, rng, seeds=200), played({(0, 3): 0.9, (0, 2): 0.8, (0, 1): 0.8}, rng, seeds=200))
    changed = {each.question.subject: each.claim for each in answered(list(games.questions())) if each.is_change}
    assert changed["Zoo"] == "rises"
    assert changed["Face Hunter"] == "falls"


def test_a_class_that_is_the_whole_field_wins_half() -> None:
    games = played({(0, 1): 0.9}, np.random.default_rng(8))
    one_class = FieldGames(games, games, np.full(4, 0.25), ("HUNTER",) * 4, paired=True)
    (found,) = [each for each in one_class.questions() if each.topic == CLASS]
    assert (found.before.value, found.after.value, found.shift.p) == (0.5, 0.5, 1.0)
