"""Hearthstone, what a player cannot see: views that hide it, and guesses at it that fit all that is public."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas.errors import StateError
from deckatlas.games.hearthstone.state import Action, Rng, State, Unseen
from helpers.chance import SURPRISING, surprise, uniform
from helpers.hearthstone_play import EDITION, random_states, some_decks, some_state

seeds = st.integers(0, 2**32 - 1)
players = st.sampled_from((0, 1))
some = settings(max_examples=30, deadline=None)

COUNTERSPELL, ICE_BARRIER, VAPORIZE = "EX1_287", "EX1_289", "EX1_594"
FREEZING_TRAP, SNIPE = "EX1_611", "EX1_609"
COIN, FIREBALL, FROSTBOLT, WISP = "GAME_005", "CS2_029", "CS2_024", "CS2_231"
SAP, TRACKING, THOUGHTSTEAL, YETI = "EX1_581", "DS1_184", "EX1_339", "CS2_182"


def rng() -> Rng:
    return Rng(1, 0)


def do(state: State, *actions: str) -> State:
    for action in actions:
        state.apply(Action.from_text(action), rng())
    return state


def position(me: dict[str, object], op: dict[str, object] | None = None) -> State:
    return hearthstone.scenario({"me": {"class": "MAGE", **me}, "op": {"class": "HUNTER", **(op or {})}})


def hidden_hand(state: State, player: int) -> list[str]:
    return [card.card for card in state.side(player).hand if not card.revealed]


# ---- cards seen ------------------------------------------------------------------------------------------------------


def test_cards_of_the_deck_are_seen_when_they_are_played() -> None:
    state = position({"hand": [WISP, FIREBALL]})
    do(state, "play 0", "play 0 at enemy hero")
    assert state.side(0).seen == [WISP, FIREBALL]
    assert state.side(1).seen == []


def test_a_secret_is_seen_when_it_is_revealed() -> None:
    state = position({"hand": [COUNTERSPELL]}, {"hand": [SNIPE], "mana": 5, "max_mana": 5})
    do(state, "play 0", "end")
    assert state.side(0).seen == []
    do(state, "play 0")
    assert state.side(0).seen == [COUNTERSPELL]


def test_burned_and_discarded_cards_are_seen() -> None:
    state = position({"hand": [WISP] * 10, "deck": [FIREBALL]}, {"deck": [YETI]})
    do(state, "end", "end")
    assert state.side(0).seen == [FIREBALL]
    state = position({"class": "WARLOCK", "hand": ["Soulfire", WISP]})
    do(state, "play 0 at enemy hero")
    assert state.side(0).seen == ["EX1_308", WISP]


def test_a_card_that_both_players_knew_is_not_seen_again() -> None:
    state = position({"class": "ROGUE", "hand": [SAP]}, {"board": [YETI], "max_mana": 4, "mana": 4})
    do(state, "play 0 at enemy 0", "end")
    (known,) = (place for place, card in enumerate(state.side(1).hand) if card.card == YETI)
    do(state, f"play {known}")
    assert state.side(1).seen == []


def test_texts_keep_the_cards_seen_and_may_leave_them_out() -> None:
    state = do(position({"hand": [WISP]}), "play 0")
    text = state.to_text()
    assert State.from_text(state.cards, text).side(0).seen == [WISP]
    without = text.replace(f" seen0={WISP}", "")
    assert without != text
    assert State.from_text(state.cards, without).side(0).seen == []


# ---- views -----------------------------------------------------------------------------------------------------------


def test_a_view_hides_the_opponents_hand_deck_and_secrets_and_the_order_of_the_own_deck() -> None:
    deck = [FIREBALL, WISP, FROSTBOLT]
    state = position(
        {"hand": [FIREBALL], "deck": deck, "secrets": [COUNTERSPELL]},
        {"hand": [SNIPE, WISP], "deck": deck, "secrets": [FREEZING_TRAP, SNIPE]},
    )
    view = state.view(0)
    assert view.viewer == 0
    me, op = view.side(0), view.side(1)
    assert [card.card for card in me.hand] == [FIREBALL]
    assert me.deck == sorted(deck)
    assert me.secrets == [COUNTERSPELL]
    assert [(card.card, card.cost) for card in op.hand] == [("?", None)] * 2
    assert op.deck == ["?"] * 3
    assert op.secrets == ["?hunter"] * 2


def test_what_is_public_stays() -> None:
    state = position(
        {"mana": 3, "max_mana": 7, "board": [YETI]},
        {"board": [{"id": YETI, "damage": 2}], "weapon": "EX1_536", "armor": 4, "hand": [WISP]},
    )
    for viewer in (0, 1):
        view = state.view(viewer)
        for player in (0, 1):
            seen, real = view.side(player), state.side(player)
            assert (seen.health, seen.armor, seen.mana, seen.crystals) == (
                real.health,
                real.armor,
                real.mana,
                real.crystals,
            )
            assert [(m.card, m.attack, m.health) for m in seen.board] == [
                (m.card, m.attack, m.health) for m in real.board
            ]
            assert (len(seen.hand), len(seen.deck)) == (len(real.hand), len(real.deck))
        assert view.side(1).weapon is not None


@some
@given(seeds, players)
def test_states_that_differ_only_in_what_is_hidden_have_the_same_view(seed: int, player: int) -> None:
    state = some_state(seed)
    view = state.view(player)
    for guess in range(3):
        other = state.resample(player, guess)
        assert other.view(player) == view
        assert other.view(player).hash == view.hash


@some
@given(seeds, players)
def test_a_view_of_a_view_is_the_same_and_the_other_players_is_refused(seed: int, player: int) -> None:
    view = some_state(seed).view(player)
    assert view.view(player) == view
    with pytest.raises(StateError, match=f"player {player}'s view"):
        view.view(1 - player)
    with pytest.raises(StateError, match=f"player {player}'s view"):
        view.resample(1 - player, 1)


@some
@given(seeds)
def test_a_view_shows_its_player_the_same_actions_and_the_opponent_none(seed: int) -> None:
    state = some_state(seed)
    player = state.player_to_move
    assert state.view(player).legal_actions() == state.legal_actions()
    with pytest.raises(StateError, match="does not show what player"):
        state.view(1 - player).legal_actions()
    with pytest.raises(StateError, match="resample it first"):
        state.view(player).apply(state.legal_actions()[0], rng())


def test_the_coin_is_known_to_both() -> None:
    state = hearthstone.new_game("Starter Mage", "Starter Hunter", seed=1)
    do(state, "keep 0 1 2", "keep 0 1 2 3")
    assert [card.card for card in state.view(0).side(1).hand] == ["?"] * 4 + [COIN]


def test_a_minion_that_returned_to_a_hand_is_known_there() -> None:
    state = position({"class": "ROGUE", "hand": [SAP]}, {"hand": [WISP], "board": [YETI]})
    do(state, "play 0 at enemy 0")
    assert [card.card for card in state.view(0).side(1).hand] == ["?", YETI]


def test_of_a_stolen_card_it_is_known_that_it_is_one_but_not_which() -> None:
    state = position({"class": "PRIEST", "hand": [THOUGHTSTEAL, WISP]}, {"deck": [YETI, YETI, YETI]})
    do(state, "play 0")
    seen = state.view(1).side(0).hand
    assert [(card.card, card.made, card.revealed) for card in seen] == [
        ("?", False, False),
        ("?", True, False),
        ("?", True, False),
    ]


def test_the_cards_of_a_choice_are_for_who_chooses() -> None:
    state = position({"class": "HUNTER", "hand": [TRACKING], "deck": [FIREBALL, WISP, YETI, WISP]})
    do(state, "play 0")
    assert state.view(0).choices == [FIREBALL, WISP, YETI]
    assert state.view(1).choices == ["?"] * 3
    assert set(state.resample(1, 1, [WISP] * 30).choices) == {WISP}


# ---- guesses ---------------------------------------------------------------------------------------------------------


@some
@given(seeds, players, seeds)
def test_a_guess_looks_the_same_to_who_guesses_and_has_as_many_cards_everywhere(
    seed: int, player: int, guess: int
) -> None:
    state = some_state(seed)
    other = state.resample(player, guess)
    assert other.viewer is None
    assert other.view(player) == state.view(player)
    for owner in (0, 1):
        real, guessed = state.side(owner), other.side(owner)
        assert (len(real.hand), len(real.deck), len(real.secrets)) == (
            len(guessed.hand),
            len(guessed.deck),
            len(guessed.secrets),
        )
        assert "?" not in guessed.deck
    own = state.side(player)
    assert sorted(own.deck) == sorted(other.side(player).deck)


@some
@given(seeds, seeds)
def test_a_guess_depends_on_the_view_alone(seed: int, guess: int) -> None:
    state = some_state(seed)
    assert state.resample(0, guess) == state.view(0).resample(0, guess)
    assert state.resample(0, guess + 1).resample(0, guess) == state.resample(0, guess)


@some
@given(seeds)
def test_a_guess_can_be_played_to_its_end(seed: int) -> None:
    state, stream = some_state(seed).resample(0, seed), Rng(seed, 0)
    while not state.is_over:
        actions = state.legal_actions()
        assert actions
        state.apply(actions[stream.below(len(actions))], stream)
    assert state.legal_actions() == []


@some
@given(seeds)
def test_with_a_known_deck_list_the_hidden_cards_are_those_that_were_not_seen(seed: int) -> None:
    decks = some_decks(seed)
    unseen: Unseen | None = None
    before: State | None = None
    for state in random_states(seed):
        if unseen is None or before is None:
            unseen = Unseen(state, 1, list(decks[1].copies))
        else:
            unseen.note(before, state)
        before = state
        drawn = [card.card for card in state.side(1).hand if not card.revealed and not card.made]
        # A secret that was made in the game may be taken for one of the deck.
        hidden = Counter(card for card in [*drawn, *state.side(1).deck] if "secret" not in EDITION[card].keywords)
        assert hidden <= Counter(unseen.cards)
    assert unseen is not None


def test_what_is_played_or_discarded_or_burnt_is_seen_and_what_tracking_drops_is_not() -> None:
    deck = [FIREBALL, WISP, YETI, FROSTBOLT]
    state = position({"class": "HUNTER", "hand": [TRACKING, WISP], "deck": deck})
    unseen = Unseen(state, 0, [TRACKING, WISP, *deck])
    for action in ("play 1", "play 0", "choose 2"):
        before = state.copy()
        do(state, action)
        unseen.note(before, state)
    assert hidden_hand(state, 0) == [YETI]
    assert Counter(unseen.cards) == Counter([FIREBALL, WISP, YETI, FROSTBOLT])


def test_a_full_hand_shows_the_card_that_is_burnt() -> None:
    state = position({}, {"hand": [WISP] * 10, "deck": [YETI, FIREBALL]})
    unseen = Unseen(state, 1, [*[WISP] * 10, YETI, FIREBALL])
    before = state.copy()
    do(state, "end")
    unseen.note(before, state)
    assert Counter(unseen.cards) == Counter([*[WISP] * 10, FIREBALL])


def test_candidates_are_dealt_without_replacement() -> None:
    state = position({}, {"hand": [WISP, WISP], "deck": [WISP] * 4})
    candidates = [FIREBALL, FROSTBOLT, YETI, YETI, SAP, WISP]
    for seed in range(20):
        op = state.resample(0, seed, candidates).side(1)
        assert Counter([*(card.card for card in op.hand), *op.deck]) == Counter(candidates)


def test_every_candidate_is_as_likely_to_be_in_hand_as_any_other() -> None:
    state = position({}, {"hand": [WISP], "deck": [WISP] * 4})
    candidates = [FIREBALL, FROSTBOLT, YETI, SAP, TRACKING]
    drawn = (state.resample(0, seed, candidates).side(1).hand[0].card for seed in range(4000))
    assert surprise(drawn, uniform(candidates)) < SURPRISING


def test_the_own_deck_is_shuffled_evenly() -> None:
    deck = [FIREBALL, FROSTBOLT, YETI, SAP]
    state = position({"deck": deck})
    drawn = (state.resample(0, seed).side(0).deck[0] for seed in range(4000))
    assert surprise(drawn, uniform(deck)) < SURPRISING


def test_without_a_list_hidden_cards_are_what_the_class_may_have_at_most_two_of_each() -> None:
    state = hearthstone.new_game("Starter Mage", "Starter Hunter", seed=3)
    for seed in range(20):
        op = state.resample(0, seed).side(1)
        cards = Counter([*(card.card for card in op.hand), *op.deck])
        assert max(cards.values()) <= 2
        for card, copies in cards.items():
            assert EDITION[card].hero_class.name in ("neutral", "hunter")
            assert copies == 1 or EDITION[card].rarity != "legendary"


def test_secrets_are_of_their_class_and_all_different() -> None:
    state = position({}, {"secrets": [FREEZING_TRAP, SNIPE]})
    hunters = {card.id for card in EDITION.cards if "secret" in card.keywords and card.hero_class.name == "hunter"}
    seen = set()
    for seed in range(200):
        secrets = state.resample(0, seed).side(1).secrets
        assert len(set(secrets)) == 2
        seen |= set(secrets)
    assert seen == hunters


def test_secrets_are_of_the_deck_list_if_it_is_known() -> None:
    state = position({}, {"class": "MAGE", "secrets": [VAPORIZE], "hand": [WISP], "deck": [WISP]})
    guesses = [state.resample(0, seed, [COUNTERSPELL, ICE_BARRIER, YETI]).side(1) for seed in range(50)]
    assert {secret for side in guesses for secret in side.secrets} == {COUNTERSPELL, ICE_BARRIER}
    for side in guesses:
        assert Counter([*side.secrets, side.hand[0].card, *side.deck]) == Counter([COUNTERSPELL, ICE_BARRIER, YETI])


def test_a_secret_of_another_class_is_guessed_among_that_class() -> None:
    state = position({}, {"class": "PRIEST", "secrets": [VAPORIZE]})
    assert state.view(0).side(1).secrets == ["?mage"]
    for seed in range(20):
        (secret,) = state.resample(0, seed, [WISP] * 12).side(1).secrets
        assert EDITION[secret].hero_class.name == "mage"


def test_made_cards_are_not_of_the_deck_list() -> None:
    state = position({"class": "PRIEST", "hand": [THOUGHTSTEAL]}, {"deck": [YETI, YETI, YETI]})
    do(state, "play 0")
    for seed in range(20):
        side = state.resample(1, seed, [FIREBALL] * 10).side(0)
        assert set(side.deck) == {FIREBALL}
        assert all(card.card != FIREBALL for card in side.hand)


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        (["Fireball"], "the candidate 'Fireball' is not a card for a deck"),
        (["HERO_08"], "the candidate 'HERO_08' is not a card for a deck"),
        (["?"], "is not a card for a deck"),
        ([WISP] * 1025, "at most 1024 candidates"),
    ],
)
def test_candidates_that_are_no_cards_are_refused(candidates: list[str], message: str) -> None:
    with pytest.raises(StateError, match=message):
        position({}).resample(0, 1, candidates)


def test_a_player_is_0_or_1() -> None:
    with pytest.raises(StateError, match="a player must be 0 or 1, not 2"):
        position({}).view(2)
    with pytest.raises(StateError, match="a player must be 0 or 1, not -1"):
        position({}).resample(-1, 0)


def test_what_was_seen_is_told_from_whole_states_of_one_edition() -> None:
    state = position({})
    unseen = Unseen(state, 0)
    with pytest.raises(StateError, match="not views"):
        unseen.note(state, state.view(1))
    other = hearthstone.new_game("Starter Mage", "Starter Hunter", edition="2019-12")
    with pytest.raises(StateError, match="another edition"):
        unseen.note(state, other)
