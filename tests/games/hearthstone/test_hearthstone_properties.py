"""Hearthstone, what holds in every game: how games begin, numbers of actions, seeds, threads and the columns."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas._core.locm import Rng
from deckatlas.errors import AgentError, CardError, DeckError, IllegalActionError, MatchError
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, Deck, random_deck
from deckatlas.games.hearthstone.setup import deck_rows

EDITION = hearthstone.edition()
COIN = EDITION.compiled.coin
POOLS = {name: [card.id for card in hearthstone.pool(EDITION, name.lower())] for name in HERO_CLASSES}
MULLIGAN, MAIN, CHOICE, OVER = range(4)
RIGHTMOST = 7


def some_deck(rng: np.random.Generator) -> Deck:
    hero_class = str(rng.choice(HERO_CLASSES))
    return random_deck(hero_class, POOLS[hero_class], EDITION.by_id, rng)


def some_game(seed: int, *, edition: str = "2018-12") -> core.State:
    rng = np.random.default_rng(seed)
    return hearthstone.new_game(some_deck(rng), some_deck(rng), edition=edition, seed=seed)


def keep(mask: int) -> core.Action:
    return core.Action(core.ActionKind.keep, source=mask)


def zone(state: core.State, player: int, name: str) -> list[int]:
    cards = state.describe()["players"][player][name]
    return [card[0] if isinstance(card, tuple) else card for card in cards]


seeds = st.integers(0, 2**32 - 1)


# How games begin


@given(seeds)
@settings(max_examples=25)
def test_the_first_player_is_dealt_three_cards_and_the_second_four(seed: int) -> None:
    state = some_game(seed)
    assert state.describe()["phase"] == MULLIGAN
    assert [len(zone(state, player, "hand")) for player in (0, 1)] == [3, 4]
    assert [len(zone(state, player, "deck")) for player in (0, 1)] == [27, 26]


@given(seeds, st.integers(0, 7), st.integers(0, 15))
@settings(max_examples=50)
def test_a_mulligan_replaces_what_is_not_kept_and_loses_no_card(seed: int, first: int, second: int) -> None:
    state, rng = some_game(seed), Rng(seed, 2)
    for player, mask in ((0, first), (1, second)):
        hand, deck = zone(state, player, "hand"), zone(state, player, "deck")
        state.apply(keep(mask), rng)
        drawn_at_turn_start = 1 if player == 1 else 0  # the first player's turn begins with the second's mulligan
        after = zone(state, player, "hand")
        for place, card in enumerate(hand):
            if mask >> place & 1:
                assert after[place] == card
        coins = 1 if player == 1 else 0
        assert sorted([*after, *zone(state, player, "deck")]) == sorted([*hand, *deck, *[COIN] * coins])
        assert state.describe()["active"] == 1 - drawn_at_turn_start
    told = state.describe()
    assert (told["phase"], told["turn"], told["active"]) == (MAIN, 1, 0)
    assert [len(zone(state, player, "hand")) for player in (0, 1)] == [4, 5]
    assert zone(state, 1, "hand")[-1] == COIN
    assert told["players"][0]["mana"] == 1


def redrawn(edition: str) -> bool:
    """Whether a card that was thrown back is ever drawn again in the same mulligan."""
    for seed in range(300):
        state = some_game(seed, edition=edition)
        hand = zone(state, 0, "hand")
        if len({*hand, *zone(state, 0, "deck")[-6:]}) < 9:
            continue  # with copies nobody can tell
        state.apply(keep(0), Rng(seed, 2))
        if set(hand) & set(zone(state, 0, "hand")):
            return True
    return False


def test_a_card_thrown_back_cannot_be_drawn_by_the_same_mulligan_but_in_the_peer() -> None:
    assert not redrawn("2018-12")
    assert redrawn("sabberstone")


def test_the_peer_gives_the_coin_before_the_mulligan_and_nobody_can_replace_it() -> None:
    state = some_game(1, edition="sabberstone")
    coin = hearthstone.edition("sabberstone").compiled.coin
    state.apply(keep(7), Rng(1, 2))
    assert zone(state, 1, "hand")[-1] == coin
    assert len(state.legal_actions()) == 16


# Actions


def test_every_number_is_an_action_and_every_action_has_its_number() -> None:
    for number in range(core.ACTION_NUMBERS):
        assert core.Action.from_number(number).number == number


@pytest.mark.parametrize("number", [-1, core.ACTION_NUMBERS])
def test_a_number_beyond_the_last_is_refused(number: int) -> None:
    with pytest.raises(IllegalActionError, match="an action number must be from 0 to"):
        core.Action.from_number(number)


@given(seeds)
@settings(max_examples=20, deadline=None)
def test_a_random_game_ends_and_every_listed_action_is_accepted(seed: int) -> None:
    state, rng = some_game(seed), Rng(seed, 2)
    for _ in range(1000):
        actions = state.legal_actions()
        if not actions:
            break
        numbers = [action.number for action in actions]
        assert len(set(numbers)) == len(numbers)
        chosen = actions[rng.below(len(actions))]
        copy = state.copy()
        assert copy.hash == state.hash
        state.apply(chosen, rng)
    assert state.describe()["phase"] == OVER


def positions_of(state: core.State, action: core.Action) -> list[int]:
    """The numbers that a listed action stands for: a minion can be put between any two others."""
    told = state.describe()
    own = told["players"][told["active"]]
    numbers = [action.number]
    if action.kind == core.ActionKind.play and own["hand"][action.source][2]:
        last = action.number - RIGHTMOST
        numbers += [last + place for place in range(len(own["board"]) + 1) if place != RIGHTMOST]
    return numbers


@given(seeds, st.integers(0, 80))
@settings(max_examples=10, deadline=None)
def test_exactly_the_listed_actions_are_accepted_and_others_change_nothing(seed: int, steps: int) -> None:
    state, rng = some_game(seed), Rng(seed, 2)
    for _ in range(steps):
        actions = state.legal_actions()
        if not actions:
            break
        state.apply(actions[rng.below(len(actions))], rng)
    listed = {number for action in state.legal_actions() for number in positions_of(state, action)}
    before = state.hash
    for number in range(core.ACTION_NUMBERS):
        if number in listed:
            state.copy().apply(core.Action.from_number(number), Rng(seed, 2))
        else:
            with pytest.raises(IllegalActionError):
                state.apply(core.Action.from_number(number), rng)
    assert state.hash == before


# Zones: decks of cards that make no others, copy none and give none back. Where a card is then, it is once.

PLAIN = [
    *("CS2_231", "CS2_168", "CS2_171", "CS2_172", "CS2_120", "CS2_182", "CS2_200", "CS2_201", "CS2_119", "CS2_155"),
    *("CS2_029", "CS2_024", "CS2_025", "CS2_032", "EX1_277"),
]
PLAIN_DECK = Deck("MAGE", tuple((card, 2) for card in PLAIN))


def zones(state: core.State, player: int) -> Counter[int]:
    """How often each card is there, wherever it is."""
    board = [minion["card"] for minion in state.describe()["players"][player]["board"]]
    return Counter([*zone(state, player, "deck"), *zone(state, player, "hand"), *board])


@given(seeds)
@settings(max_examples=10, deadline=None)
def test_zones_hold_each_card_once_until_it_is_played_dies_or_is_burnt(seed: int) -> None:
    state, rng = hearthstone.new_game(PLAIN_DECK, PLAIN_DECK, seed=seed), Rng(seed, 2)
    whole = Counter({EDITION.number_of(card): 2 for card in PLAIN})
    gone: list[Counter[int]] = [Counter(), Counter()]
    while actions := state.legal_actions():
        before = state.copy()
        action = actions[rng.below(len(actions))]
        state.apply(action, rng)
        for player in (0, 1):
            there = zones(state, player)
            del there[COIN]
            assert not there - whole, "a card came from nowhere, or is there twice"
            assert not gone[player] - (whole - there), "a card came back"
            gone[player] = whole - there
            check_deck_and_hand(before, state, player, action)


def check_deck_and_hand(before: core.State, after: core.State, player: int, action: core.Action) -> None:
    """Cards leave a deck from its end, for the hand or for nowhere if that is full; a hand loses what is played."""
    if action.kind == core.ActionKind.keep:
        return
    deck, hand = zone(before, player, "deck"), zone(before, player, "hand")
    left, held = zone(after, player, "deck"), zone(after, player, "hand")
    assert deck[: len(left)] == left
    if action.kind == core.ActionKind.play and player == before.describe()["active"]:
        del hand[action.source]
    drawn = deck[len(left) :][::-1]
    assert held == [*hand, *drawn][:10]


# Matches


def random_match(*, agent: str = "random", **options: object) -> hearthstone.HearthstoneResult:
    rng = np.random.default_rng(5)
    decks = ([some_deck(rng) for _ in range(20)], [some_deck(rng) for _ in range(20)])
    return hearthstone.play(agent, agent, decks=decks, **{"games": 400, "seed": 9, **options})  # type: ignore[arg-type]


def assert_same_bytes(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    assert one.keys() == other.keys()
    for name, column in one.items():
        assert column.tobytes() == other[name].tobytes(), name


@pytest.mark.parametrize("agent", ["random", "random:active"])
def test_a_match_gives_the_same_bytes_on_any_number_of_threads(agent: str) -> None:
    one = random_match(agent=agent, threads=1)
    for threads in (2, 3, 64):
        assert_same_bytes(one.columns, random_match(agent=agent, threads=threads).columns)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=4), st.booleans(), st.integers(1, 3))
@settings(max_examples=12, deadline=None)
def test_a_match_played_in_parts_gives_the_same_bytes(parts: list[int], swap_seats: bool, threads: int) -> None:
    rng = np.random.default_rng(6)
    rows = [deck_rows([some_deck(rng) for _ in range(7)], EDITION) for _ in range(2)]

    def part(first: int, games: int, threads: int) -> dict[str, Any]:
        options = {"seed": 11, "mulligan": core.Mulligan.inverted, "swap_seats": swap_seats, "threads": threads}
        agents = core.random_agent(), core.random_agent()
        return core.play_match(
            EDITION.card_set,
            agents[0],
            rows[0],
            agents[1],
            rows[1],
            first_game=first,
            games=games,
            **options,  # type: ignore[arg-type]
        )

    whole = part(0, sum(parts), 1)
    played = [part(sum(parts[:i]), games, threads) for i, games in enumerate(parts)]
    assert_same_bytes(whole, {name: np.concatenate([one[name] for one in played]) for name in whole})


def test_games_come_in_pairs_of_one_seed_with_seats_swapped() -> None:
    result = random_match()
    assert np.array_equal(result["seed"][::2], result["seed"][1::2])
    assert result["first"].tolist() == [0, 1] * 200
    assert len(np.unique(result["seed"])) == 200


def test_the_columns_of_random_games_keep_their_bounds() -> None:
    result = random_match()
    columns = result.columns
    assert (columns["health"] <= 30).all()
    winners, losers = columns["winner"], columns["winner"] ^ 1
    decided = winners < 2
    rows = np.arange(result.games)[decided]
    assert (columns["health"][rows, winners[decided]] > 0).all()
    assert (columns["cards_drawn"] <= 30).all()
    assert (columns["cards_drawn"] >= 3).all()
    assert (columns["cards_played"].sum(axis=1) < columns["actions"]).all()
    own_turns = (columns["turns"][:, None] + 1) // 2
    assert (columns["hand_sizes"] <= 10 * own_turns).all()
    assert (columns["mana_spent"] + columns["mana_wasted"] >= 0).all()
    assert 80 < columns["actions"].mean() < 130
    assert result.wins + int(np.sum(losers[decided] == 0)) + result.draws + result.voids == result.games


def test_cards_in_hand_are_told_turn_by_turn_and_add_up() -> None:
    result = random_match()
    hands, turns = result["hands"], result["turns"]
    assert hands.shape == (result.games, 2, 45)
    assert hands.min() == -1
    assert hands.max() <= 10
    begun = hands >= 0
    assert np.array_equal(np.where(begun, hands, 0).sum(axis=2), result["hand_sizes"])
    # A turn whose start ends the game is not played.
    own_turns = np.where(result["first"][:, None] == [0, 1], turns[:, None] + 1, turns[:, None]) // 2
    missing = own_turns - begun.sum(axis=2)
    assert ((missing == 0) | (missing == 1)).all()
    assert (begun[:, :, :-1] >= begun[:, :, 1:]).all()
    opening = hands[np.arange(result.games), result["first"], 0]
    assert (opening == 3 + 1).all()
    second = hands[np.arange(result.games), result["first"] ^ 1, 0]
    assert (second == 4 + 1 + 1).all()  # with The Coin


def test_who_only_passes_dies_of_fatigue_and_wastes_all_mana() -> None:
    result = hearthstone.play("pass", "pass", decks=("Starter Mage", "Starter Hunter"), games=2, mulligan="all")
    # The second player has 26 cards left after its opening hand; then eight draws hurt, 1 + ... + 8 = 36 in all.
    assert result["turns"].tolist() == [2 * (26 + 8)] * 2
    assert result["winner"].tolist() == result["first"].tolist()
    assert result["cards_drawn"].tolist() == [[30, 30], [30, 30]]
    assert (result["mana_spent"] == 0).all()
    assert (result["cards_played"] == 0).all()
    assert (result["actions"] == result["turns"] - 1).all()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"a": "clever"},
            AgentError,
            "unknown agent 'clever': known: best-first, default, dfs, expert, fast, fmc, greedy, mcts, ",
        ),
        ({"decks": ("Starter Mage",)}, MatchError, "decks for two agents, not for 1"),
        ({"decks": ("Starter Mage", "Starter Magi")}, DeckError, "did you mean 'Starter Mage'"),
        ({"decks": ("Starter Mage", "Tempo Rogue")}, DeckError, "card 'BOT_242' is not in this edition"),
        ({"decks": ("Starter Mage", [])}, DeckError, "there is no deck to play"),
        ({"decks": ("Starter Mage", [7])}, DeckError, "not 7"),
        ({"edition": "2017"}, CardError, "unknown edition '2017'"),
        ({"mulligan": "never"}, MatchError, "unknown mulligan 'never', use one of own, cheap, inverted, all"),
        ({"games": 0}, MatchError, "games must be a whole number"),
        ({"threads": 0}, MatchError, "threads must be a whole number"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused_with_the_reason(
    options: dict[str, object], error: type[Exception], message: str
) -> None:
    given = {"a": "random", "b": "random", "decks": ("Starter Mage", "Starter Hunter"), "games": 2, **options}
    with pytest.raises(error, match=message):
        hearthstone.play(**given)  # type: ignore[arg-type]


def test_the_core_refuses_rows_that_are_no_decks() -> None:
    rows = deck_rows(["Starter Mage", "Starter Hunter"], EDITION)
    for change, message in (((0, 0, rows[0, 1]), "is not a hero"), ((1, 5, rows[0, 0]), "is not a card for a deck")):
        broken = rows.copy()
        broken[change[0], change[1]] = change[2]
        with pytest.raises(DeckError, match=message):
            core.State.new_game(EDITION.card_set, broken, Rng(0, 2))
