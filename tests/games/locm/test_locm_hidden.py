"""What a player of Legends of Code and Magic can see, and how what it cannot see is filled in."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas.errors import StateError
from deckatlas.games.locm.state import Action, State, new_game, read_state
from helpers.chance import SURPRISING, surprise, uniform
from helpers.locm_boards import set_up
from helpers.locm_play import STARTS, check_invariants, some_state

seeds = st.integers(0, 2**32 - 1)
starts = st.sampled_from(STARTS)
players = st.sampled_from([0, 1])
some = settings(max_examples=100)


# ---- views -------------------------------------------------------------------------------------------------------


@some
@given(starts, seeds, players)
def test_a_view_shows_what_its_player_knows_and_nothing_else(kind: str, seed: int, viewer: int) -> None:
    state = some_state(kind, seed)
    view = state.view(viewer)
    other = 1 - viewer
    assert view.viewer == viewer
    if kind == "given":
        assert [view.chosen(player) for player in (0, 1)] == [sorted(state.chosen(player)) for player in (0, 1)]
    else:
        shown = min(30, min(len(state.chosen(0)), len(state.chosen(1))) + 1)
        assert view.offers == state.offers[:shown] + [[0, 0, 0]] * (30 - shown)
        assert view.chosen(viewer) == state.chosen(viewer)
        assert view.chosen(other) == [0] * len(state.chosen(other))
    if not state.in_battle:
        assert view.to_text().endswith("seeds=0,0")
        return
    for player in (0, 1):
        side = state.side(player)
        hidden = set(range(side.drawn, 30))
        if player == other:
            hidden |= {(card.instance - player - 1) // 2 for card in side.hand}
        assert view.deck(player) == [0 if i in hidden else card for i, card in enumerate(state.deck(player))]
        assert [card.instance for card in view.side(player).hand] == [card.instance for card in side.hand]
    assert public_text(view) == public_text(state)


def public_text(state: State) -> str:
    """The fields that are public in a battle: both boards and all numbers."""
    return " ".join(word for word in state.to_text().split() if word.split("=")[0] in PUBLIC)


PUBLIC = {"phase", "format", "turn", "p0", "p1", "hand0", "hand1", "board0", "board1"}


@some
@given(starts, seeds)
def test_the_player_to_move_finds_its_actions_in_its_view(kind: str, seed: int) -> None:
    state = some_state(kind, seed)
    view = state.view(state.player_to_move)
    assert view.legal_actions() == state.legal_actions()
    assert (view.action_mask() == state.action_mask()).all()
    assert view.view(state.player_to_move) == view


def test_states_that_differ_only_in_hidden_cards_look_the_same() -> None:
    me = {"hand": [3, 118], "left": ["1/1*"]}
    one = set_up({**me, "deck": [5, 6, 7]}, {"hand": [10, 11], "deck": [12, 13], "left": ["2/2"]})
    two = set_up({**me, "deck": [7, 5, 6]}, {"hand": [13, 10], "deck": [11, 12], "left": ["2/2"]})
    assert one.to_text() != two.to_text()
    assert one.view(0).to_text() == two.view(0).to_text()
    assert one.view(0).hash == two.view(0).hash
    assert one.legal_actions() == two.legal_actions()
    assert one.view(1) != two.view(1)  # their owner sees the difference


def test_the_views_of_a_position_built_by_hand_read_back_and_can_be_resampled() -> None:
    state = set_up({"hand": [3, 118], "deck": [5, 6]}, {"hand": [10, 11], "deck": [12], "left": ["2/2"]})
    for viewer in (0, 1):
        view = state.view(viewer)
        assert Counter(view.chosen(0)) == Counter([3, 118, 5, 6])
        assert read_state(view.to_text()) == view
        assert state.resample(viewer, 1).view(viewer) == view


def test_a_view_is_nobody_elses() -> None:
    view = some_state("referee", 5).view(0)
    with pytest.raises(StateError):
        view.view(1)
    with pytest.raises(StateError):
        view.resample(1, 7)


def test_a_view_cannot_go_past_what_its_player_sees() -> None:
    view = some_state("referee", 5, battle=True)
    view = view.view(view.player_to_move)
    with pytest.raises(StateError, match="resample"):
        view.apply(Action.from_text("PASS"))


@pytest.mark.parametrize("player", [-1, 2])
def test_there_are_two_players(player: int) -> None:
    state = some_state("referee", 5)
    for ask in (state.view, state.side, state.chosen, state.deck, lambda p: state.resample(p, 1)):
        with pytest.raises(StateError):
            ask(player)


# ---- resampling --------------------------------------------------------------------------------------------------


@some
@given(starts, seeds, players, st.integers(0, 2**64 - 1))
def test_a_resampled_state_looks_the_same_to_its_player(kind: str, seed: int, viewer: int, guess: int) -> None:
    state = some_state(kind, seed)
    view = state.view(viewer)
    other = state.resample(viewer, guess)
    assert other.viewer is None
    assert other.view(viewer) == view
    assert other.view(viewer).hash == view.hash
    assert view.resample(viewer, guess) == other  # the view is all that is used
    if state.player_to_move == viewer:
        assert other.legal_actions() == state.legal_actions()


@some
@given(starts, seeds, players, seeds)
def test_a_resampled_state_could_be_the_real_one(kind: str, seed: int, viewer: int, guess: int) -> None:
    state = some_state(kind, seed).resample(viewer, guess)
    check_invariants(state)
    assert read_state(state.to_text()) == state
    for player in (0, 1):
        if kind != "given":
            picks = state.chosen(player)
            assert all(card in offer for card, offer in zip(picks, state.offers, strict=False))
        if state.in_battle:
            assert Counter(state.deck(player)) == Counter(state.chosen(player))


@some
@given(starts, seeds, players)
def test_resampling_is_drawn_from_its_seed_alone(kind: str, seed: int, viewer: int) -> None:
    state = some_state(kind, seed)
    assert state.resample(viewer, 9) == state.resample(viewer, 9)
    guesses = {state.resample(viewer, guess).to_text() for guess in range(8)}
    hidden = 30 - state.side(viewer).drawn if state.in_battle else 30
    assert len(guesses) > 1 or hidden <= 3


@pytest.mark.parametrize("weight", [0.0, -1.0, float("nan"), float("inf")])
def test_a_prior_that_is_no_weight_is_refused(weight: float) -> None:
    weights = np.ones(160)
    weights[76] = weight
    with pytest.raises(StateError, match="card 77"):
        some_state("referee", 5).resample(0, 1, weights)


# ---- resampling: what the opponent picked ------------------------------------------------------------------------

X, Y = 3, 4  # two creatures
OTHERS = 28  # cards 20 to 47 fill the offers in which nothing happens


def seen_on_board(first_offers: Sequence[Sequence[int]], picks: Sequence[int], seen: Sequence[int]) -> State:
    """The first player's turn after a draft with these first offers.

    The second player made these first picks and has `seen` on the board and five cards in hand. No other offer holds a
    card of the first ones.
    """
    rest = [[20 + i, 20 + (i + 1) % OTHERS, 15] for i in range(30 - len(first_offers))]
    offers = [*first_offers, *rest]
    chosen = [*picks, *(offer[0] for offer in rest)]
    unseen = list((Counter(chosen) - Counter(seen)).elements())
    drawn = len(seen) + 5
    fields = {
        "phase": "battle",
        "view": "-",
        "format": "referee",
        "offers": "/".join(".".join(map(str, offer)) for offer in offers),
        "cards0": ".".join(str(offer[1]) for offer in offers),
        "cards1": ".".join(map(str, chosen)),
        "turn": 2,
        "deck0": ".".join(str(offer[1]) for offer in offers),
        "p0": "30,5,2,2,0,6,1,1",
        "hand0": "0.1.2.3.4.5",
        "board0": "-",
        "deck1": ".".join(map(str, [*seen, *unseen])),
        "p1": f"30,5,1,2,1,{drawn},1,1",
        "hand1": ".".join(map(str, range(len(seen), drawn))),
        "board1": "/".join(f"{i % 2}.{i}.2.2.------.---" for i in range(len(seen))),
    }
    return read_state(" ".join(["locm1.2", *(f"{key}={value}" for key, value in fields.items())]))


def guessed_picks(state: State, picks: int, weights: np.ndarray | None = None) -> Iterator[tuple[int, ...]]:
    """The opponent's first picks in many resampled states."""
    for seed in range(20000):
        yield tuple(state.resample(0, seed, weights).chosen(1)[:picks])


def only(card: int, picks: tuple[int, ...]) -> tuple[bool, ...]:
    return tuple(pick == card for pick in picks)


def test_a_card_seen_once_came_from_either_of_its_two_offers_or_stands_in_both() -> None:
    # Each offer gave X with 1/3. An X is seen twice as often if there are two: 2/9 : 2/9 : 2 * 1/9, all the same.
    # So the first of the two picks is X in two cases of three.
    state = seen_on_board([(X, 10, 11), (X, 12, 13)], picks=[X, 12], seen=[X])
    guesses = (only(X, picks) for picks in guessed_picks(state, 2))
    assert surprise(guesses, uniform([(True, False), (False, True), (True, True)])) < SURPRISING


def test_the_prior_weighs_the_offers_that_a_seen_card_may_come_from() -> None:
    # X weighs 2 of 4 in the first offer and 2 of 8 in the second: 1/2 and 1/4.
    # One X: 1/2 * 3/4 and 1/2 * 1/4; two, seen twice as often: 2 * 1/2 * 1/4. Hence 3 : 1 : 2.
    weights = np.ones(160)
    weights[X - 1], weights[13 - 1] = 2, 5
    state = seen_on_board([(X, 10, 11), (X, 12, 13)], picks=[X, 12], seen=[X])
    guesses = (only(X, picks) for picks in guessed_picks(state, 2, weights))
    expected = {(True, False): 1 / 2, (False, True): 1 / 6, (True, True): 1 / 3}
    assert surprise(guesses, expected) < SURPRISING


def test_a_card_seen_as_often_as_it_was_offered_leaves_no_doubt() -> None:
    state = seen_on_board([(X, 10, 11), (X, 12, 13)], picks=[X, X], seen=[X, X])
    assert set(guessed_picks(state, 2)) == {(X, X)}


def test_two_seen_cards_share_the_offers_between_them() -> None:
    # X was offered first and second, Y second and third. Three ways to explain both, equally likely:
    #   X from the first and Y from the second, X first and Y third, X second and Y third;
    # the offer that is left over gave any of its three cards (0: neither X nor Y).
    state = seen_on_board([(X, 10, 11), (X, Y, 12), (Y, 13, 14)], picks=[X, Y, 13], seen=[X, Y])
    ways = [*((X, Y, third) for third in (Y, 0, 0)), *((X, second, Y) for second in (X, Y, 0))]
    ways += [(first, X, Y) for first in (X, 0, 0)]
    guesses = (tuple(card if card in (X, Y) else 0 for card in picks) for picks in guessed_picks(state, 3))
    assert surprise(guesses, {picks: n / 9 for picks, n in Counter(ways).items()}) < SURPRISING


def test_an_offer_that_explains_nothing_follows_the_prior() -> None:
    weights = np.ones(160)
    weights[10 - 1], weights[11 - 1] = 2, 5
    state = seen_on_board([(9, 10, 11), (X, 12, 13)], picks=[9, X], seen=[X])
    expected = {(9, X): 1 / 8, (10, X): 2 / 8, (11, X): 5 / 8}
    assert surprise(guessed_picks(state, 2, weights), expected) < SURPRISING


def test_cards_that_no_picks_explain_are_refused() -> None:
    state = seen_on_board([(X, 10, 11), (X, 12, 13)], picks=[X, 12], seen=[X])
    text = state.view(0).to_text()
    impossible = read_state(text.replace("deck1=3.?", "deck1=99.?"))
    with pytest.raises(StateError, match="explain"):
        impossible.resample(0, 1)


# ---- resampling: the order of the decks --------------------------------------------------------------------------


def test_hidden_cards_of_a_known_list_are_anywhere_in_hand_and_deck() -> None:
    state = new_game(seed=1, decks=([1] * 30, [2] * 29 + [7]))
    places = (state.resample(0, seed).deck(1).index(7) for seed in range(6000))
    assert surprise(places, uniform(range(30))) < SURPRISING


def test_the_own_deck_is_in_any_order_below_the_cards_drawn() -> None:
    state = new_game(seed=2, decks=([1] * 29 + [7], [2] * 30))
    assert 7 not in [card.card for card in state.side(0).hand]
    places = (state.resample(0, seed).deck(0).index(7) for seed in range(6000))
    assert surprise(places, uniform(range(5, 30))) < SURPRISING


def test_during_the_draft_nobody_knows_how_the_decks_will_be_shuffled() -> None:
    state = new_game(seed=4, format="distinct")
    for _ in range(59):
        state.apply(Action.from_text("PICK 0"))
    tops = []
    for seed in range(6000):
        guess = state.resample(1, seed)
        guess.apply(Action.from_text("PICK 0"))
        tops.append(guess.deck(1)[0])
    assert surprise(tops, uniform([offer[0] for offer in state.offers])) < SURPRISING


# ---- resampling: offers to come ----------------------------------------------------------------------------------


def test_the_next_offer_comes_from_a_pool_that_holds_the_cards_shown() -> None:
    # Three cards of the pool of 60 are known; the other 57 are uniform among 157.
    state = new_game(seed=2)
    shown = state.offers[0]
    expected = {card: 1 / 60 if card in shown else 57 / 157 / 60 for card in range(1, 161)}
    drawn = (state.resample(0, seed).offers[1][2] for seed in range(20000))
    assert surprise(drawn, expected) < SURPRISING


def test_later_offers_come_from_one_pool() -> None:
    # Two offers of three from the same 60 cards are disjoint with 57 * 56 * 55 / (60 * 59 * 58).
    state = new_game(seed=2)
    disjoint = float(Fraction(57 * 56 * 55, 60 * 59 * 58))
    guesses = (state.resample(0, seed).offers for seed in range(6000))
    outcomes = (not set(offers[20]) & set(offers[29]) for offers in guesses)
    assert surprise(outcomes, {True: disjoint, False: 1 - disjoint}) < SURPRISING


def test_in_the_distinct_format_the_offers_to_come_are_uniform_over_the_cards_not_shown() -> None:
    state = new_game(seed=2, format="distinct")
    unseen = sorted(set(range(1, 161)) - set(state.offers[0]))
    assert surprise((state.resample(0, seed).offers[1][0] for seed in range(6000)), uniform(unseen)) < SURPRISING
    assert surprise((state.resample(0, seed).offers[29][2] for seed in range(6000)), uniform(unseen)) < SURPRISING


def test_in_the_draft_an_unseen_pick_follows_the_prior() -> None:
    state = new_game(seed=2)
    state.apply(Action.from_text("PICK 2"))
    offer = state.offers[0]
    weights = np.ones(160)
    for card, weight in zip(offer, (1, 2, 5), strict=True):
        weights[card - 1] = weight
    picks = (state.resample(1, seed, weights).chosen(0)[0] for seed in range(6000))
    assert surprise(picks, {card: weight / 8 for card, weight in zip(offer, (1, 2, 5), strict=True)}) < SURPRISING
