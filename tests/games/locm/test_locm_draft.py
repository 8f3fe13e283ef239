"""The draft of Legends of Code and Magic and the decks that follow from it: both formats, seeds, bad input."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.errors import DeckError, IllegalActionError, StateError
from deckatlas.games.locm.state import Action, State, new_game
from helpers.chance import SURPRISING, surprise, uniform

PICKS = [Action.from_text(f"PICK {choice}") for choice in range(3)]
EVERY_CARD = range(1, 161)

seeds = st.integers(-(2**63), 2**64 - 1)
choices = st.lists(st.integers(0, 2), min_size=60, max_size=60)
formats = st.sampled_from(["referee", "distinct"])


def drafted(seed: int, format: str, choices: list[int]) -> State:
    """The start of the battle after these sixty choices, the players in turn."""
    state = new_game(seed=seed, format=format)
    for choice in choices:
        state.apply(PICKS[choice])
    return state


# ---- offers ------------------------------------------------------------------------------------------------------


@given(seeds)
def test_the_referee_offers_three_different_cards_of_a_pool_of_sixty(seed: int) -> None:
    offers = new_game(seed=seed).offers
    assert len(offers) == 30
    assert all(len(offer) == 3 == len(set(offer)) for offer in offers)
    shown = {card for offer in offers for card in offer}
    assert shown <= set(EVERY_CARD)
    assert len(shown) <= 60


@given(seeds)
def test_the_distinct_format_offers_ninety_different_cards(seed: int) -> None:
    offers = new_game(seed=seed, format="distinct").offers
    assert [len(offer) for offer in offers] == [3] * 30
    shown = {card for offer in offers for card in offer}
    assert len(shown) == 90
    assert shown <= set(EVERY_CARD)


@pytest.mark.parametrize("format", ["referee", "distinct"])
@pytest.mark.parametrize(("pick", "place"), [(0, 0), (0, 1), (17, 2), (29, 0), (29, 2)])
def test_every_card_is_offered_as_often_as_any_other(format: str, pick: int, place: int) -> None:
    cards = (new_game(seed=seed, format=format).offers[pick][place] for seed in range(4000))
    assert surprise(cards, uniform(EVERY_CARD)) < SURPRISING


def test_about_forty_seven_cards_of_the_pool_are_shown() -> None:
    # A card of the pool stays away from one offer with 57/60, and from all thirty with the 30th power of it.
    shown = [len({card for offer in new_game(seed=seed).offers for card in offer}) for seed in range(1000)]
    expected = 60 * (1 - (57 / 60) ** 30)
    assert abs(np.mean(shown) - expected) < 4 * np.std(shown) / np.sqrt(len(shown))


@pytest.mark.parametrize(
    ("seed", "first", "last"),
    [
        (0, [60, 87, 65], [70, 152, 65]),
        (7, [45, 138, 109], [60, 11, 119]),
        (-1, [22, 42, 26], [127, 98, 20]),
    ],
)
def test_offers_are_those_of_java(seed: int, first: list[int], last: list[int]) -> None:
    """Printed by a Java program that draws as the official referee is documented to."""
    offers = new_game(seed=seed).offers
    assert (offers[0], offers[29]) == (first, last)


@pytest.mark.parametrize(
    ("seed", "player", "order"),
    [
        (0, 0, [12, 18, 27, 8, 16, 2, 1, 15, 19, 26]),
        (0, 1, [21, 3, 18, 11, 15, 26, 0, 20, 12, 25]),
        (-1, 0, [22, 11, 7, 21, 25, 17, 6, 3, 20, 15]),
        (-1, 1, [11, 19, 12, 8, 27, 23, 14, 25, 21, 29]),
    ],
)
def test_shuffles_are_those_of_java(seed: int, player: int, order: list[int]) -> None:
    """Places in the list of the first ten cards drawn, printed by the same Java program."""
    deck = range(100, 130)
    drawn = new_game(seed=seed, decks=(deck, deck)).deck(player)[:10]
    assert drawn == [deck[place] for place in order]


# ---- picks -------------------------------------------------------------------------------------------------------


@given(seeds, formats, choices)
def test_players_pick_in_turn_from_the_same_offer_and_decks_are_their_picks_shuffled(
    seed: int, format: str, choices: list[int]
) -> None:
    state = new_game(seed=seed, format=format)
    offers = state.offers
    for number, choice in enumerate(choices):
        assert not state.in_battle
        assert state.player_to_move == number % 2
        assert state.legal_actions() == PICKS
        state.apply(PICKS[choice])
    assert state.offers == offers
    assert (state.in_battle, state.turn, state.player_to_move) == (True, 0, 0)
    for player in (0, 1):
        picks = [offer[choice] for offer, choice in zip(offers, choices[player::2], strict=True)]
        assert state.chosen(player) == picks
        assert Counter(state.deck(player)) == Counter(picks)


@given(seeds, choices)
def test_what_is_picked_changes_neither_the_offers_nor_the_shuffle(seed: int, choices: list[int]) -> None:
    one, two = drafted(seed, "distinct", [0] * 60), drafted(seed, "distinct", choices)
    assert one.offers == two.offers
    for player in (0, 1):
        orders = [[state.chosen(player).index(card) for card in state.deck(player)] for state in (one, two)]
        assert orders[0] == orders[1]


def test_the_two_decks_are_shuffled_independently() -> None:
    deck = list(range(1, 31))
    firsts = []
    for seed in range(9000):
        state = new_game(seed=seed, decks=(deck, deck))
        firsts.append((state.deck(0)[0] % 5, state.deck(1)[0] % 5))
    assert surprise(firsts, uniform([(a, b) for a in range(5) for b in range(5)])) < SURPRISING


@pytest.mark.parametrize("place", [0, 1, 15, 29])
def test_a_card_lies_anywhere_in_a_shuffled_deck(place: int) -> None:
    deck = range(1, 31)
    cards = (new_game(seed=seed, decks=(deck, deck)).deck(1)[place] for seed in range(6000))
    assert surprise(cards, uniform(deck)) < SURPRISING


@pytest.mark.parametrize("text", ["PICK 3", "PICK -1", "PASS", "SUMMON 1 0", "ATTACK 1 -1", "USE 1 -1"])
def test_in_a_draft_only_the_three_picks_are_legal(text: str) -> None:
    state = new_game(seed=1)
    with pytest.raises(IllegalActionError):
        state.apply(Action.from_text(text))
    assert state == new_game(seed=1)


# ---- seeds and decks ---------------------------------------------------------------------------------------------


@given(seeds, formats)
def test_the_same_seed_gives_the_same_game(seed: int, format: str) -> None:
    assert drafted(seed, format, [1] * 60).to_text() == drafted(seed, format, [1] * 60).to_text()


@pytest.mark.parametrize("format", ["referee", "distinct"])
def test_different_seeds_give_different_games(format: str) -> None:
    games = [drafted(seed, format, [0] * 60) for seed in range(200)]
    assert len({str(game.offers) for game in games}) == 200
    for player in (0, 1):
        assert len({tuple(game.deck(player)) for game in games}) == 200


def test_a_negative_seed_is_its_64_bits() -> None:
    assert new_game(seed=-1) == new_game(seed=2**64 - 1)
    assert new_game(seed=-(2**63)) == new_game(seed=2**63)


def test_numpy_integers_are_seeds_and_cards() -> None:
    seed: Any = np.int64(3)
    deck: Any = np.arange(1, 31)
    assert new_game(seed=seed) == new_game(seed=3)
    assert new_game(decks=(deck, deck)) == new_game(decks=(range(1, 31), range(1, 31)))


def test_a_deck_may_hold_any_number_of_copies() -> None:
    state = new_game(seed=1, decks=([7] * 30, [160] * 30))
    assert state.deck(0) == [7] * 30
    assert state.offers == []


@pytest.mark.parametrize("seed", [True, 1.0, "7", None, 2**64, -(2**63) - 1, float("nan")])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(StateError, match="seed"):
        new_game(seed=seed)


@pytest.mark.parametrize("format", ["given", "Referee", ""])
def test_an_unknown_format_is_refused(format: str) -> None:
    with pytest.raises(StateError, match="format"):
        new_game(format=format)


@pytest.mark.parametrize(
    "deck",
    [[1] * 29, [1] * 31, [], [0] * 30, [161] * 30, [-1] * 30, [1] * 29 + [2**70], [1.0] * 30, [True] * 30, ["1"] * 30],
)
@pytest.mark.parametrize("player", [0, 1])
def test_a_deck_that_cannot_be_is_refused(deck: Any, player: int) -> None:
    decks = ([1] * 30, deck) if player else (deck, [1] * 30)
    with pytest.raises(DeckError):
        new_game(decks=decks)


@pytest.mark.parametrize("decks", [(), ([1] * 30,), ([1] * 30,) * 3])
def test_a_game_has_two_decks(decks: Any) -> None:
    with pytest.raises(StateError, match="two decks"):
        new_game(decks=decks)


def test_a_game_with_decks_has_no_draft_that_a_seed_could_be_for() -> None:
    with pytest.raises(StateError, match="no draft: leave out draft_seed"):
        new_game(decks=([1] * 30, [1] * 30), draft_seed=1)
