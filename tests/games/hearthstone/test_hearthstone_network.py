"""The learned rating of Hearthstone's positions: exact whole numbers, for every edition, in and out of files."""

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.errors import ModelError, StateError
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Change, Edition, Patch
from deckatlas.games.hearthstone.cards.library import named_decks
from deckatlas.games.hearthstone.position_network import (
    NetworkWeights,
    layout_digest,
    quantised,
    read_network,
    write_network,
)
from deckatlas.games.hearthstone.state import Action, Rng
from helpers.hearthstone_play import random_states

EDITION = hearthstone.edition()
OTHER = hearthstone.edition("2019-12")
MOMENTS = (core.Moment.turn_ended, core.Moment.turn_begins)
HIDDEN = core.NETWORK_HIDDEN
LOCKS = tuple(named_decks()[name] for name in ("Handlock", "Zoo"))


def trained(width: int, seed: int = 1) -> dict[str, npt.NDArray[np.float32]]:
    """Random numbers in the form of a trainer's, of a size that uses the whole range of activations."""
    rng = np.random.default_rng(seed)

    def some(size: float, *shape: int) -> npt.NDArray[np.float32]:
        return (size * rng.standard_normal(shape)).astype(np.float32)

    features = core.PositionFeatures(EDITION.card_set).count
    return {
        "own": some(0.2, features, width + 1),
        "shared": some(0.01, len(core.FEATURE_ATTRIBUTES), width + 1),
        "bias": some(0.5, width),
        "first": some(0.5, 2, HIDDEN, width),
        "second": some(0.5, 2, HIDDEN, HIDDEN),
        "last": some(1.0, 2, HIDDEN),
        "first_bias": some(0.3, 2, HIDDEN),
        "second_bias": some(0.3, 2, HIDDEN),
        "last_bias": some(0.3, 2, 1),
    }


@cache
def weights(width: int = 64) -> NetworkWeights:
    return quantised(trained(width), EDITION, about="random numbers")


def own_rows(numbers: NetworkWeights, cards: Edition) -> npt.NDArray[np.int16]:
    """The own numbers of all features of an edition: those of its cards by their ids."""
    features = core.PositionFeatures(cards.card_set)
    rows = np.zeros((features.count, numbers.width + 1), np.int16)
    rows[: len(numbers.arrays["own_numbers"])] = numbers.arrays["own_numbers"]
    zones = [zone.first for zone in features.zones if zone.kind == "cards"]
    for place, card in enumerate(numbers.cards):
        if card in cards.by_id:
            rows[np.add(zones, cards.number_of(card))] = numbers.arrays["own_cards"][place]
    return rows


def folded(numbers: NetworkWeights, cards: Edition) -> npt.NDArray[np.int64]:
    """The rows for an edition before rounding, with NumPy."""
    own = own_rows(numbers, cards).astype(np.int64)
    offsets, columns, values = core.PositionFeatures(cards.card_set).attributes()
    shared = numbers.arrays["shared"].astype(np.int64)
    rows = own << 8
    for feature in range(len(own)):
        part = slice(offsets[feature], offsets[feature + 1])
        rows[feature] += values[part].astype(np.int64) @ shared[columns[part]]
    return rows


def shifted(value: npt.NDArray[np.int64], bits: int) -> npt.NDArray[np.int64]:
    return (value + (1 << (bits - 1))) >> bits


def slow_rate(numbers: NetworkWeights, rows: npt.NDArray[np.int64], listed: Any, moment: core.Moment) -> int:
    """The same rating, with NumPy's 64-bit integers."""
    layers = {name: array.astype(np.int64) for name, array in numbers.arrays.items()}
    at = MOMENTS.index(moment)
    sums = layers["bias"] + np.clip(shifted(rows[listed, :-1], 10), -4095, 4095).sum(axis=0)
    values = np.clip(sums, 0, 1024)
    for layer in ("first", "second"):
        values = np.clip(shifted(layers[layer][at] @ values + layers[f"{layer}_bias"][at], 11), 0, 1024)
    direct = np.clip(shifted(rows[listed, -1], 6), -(1 << 20), 1 << 20).sum()
    output = layers["last"][at] @ values + layers["last_bias"][at, 0] + (direct << 7)
    return int(shifted(output, 11))


# ---- exact -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [32, 64, 128])
def test_ratings_are_exactly_those_of_slow_whole_numbers(width: int) -> None:
    numbers = weights(width)
    for cards in (EDITION, OTHER):
        network, features = numbers.network(cards), core.PositionFeatures(cards.card_set)
        rows = folded(numbers, cards)
        assert np.array_equal(network.rows, np.clip(shifted(rows[:, :-1], 10), -4095, 4095))
        rated = []
        for seed in range(3):
            for state in list(random_states(seed, edition=cards.name))[::7]:
                if state.is_over:
                    continue
                for player in (0, 1):
                    for moment in MOMENTS:
                        rated.append(network.rate(state, player, moment))
                        assert rated[-1] == slow_rate(numbers, rows, features.list(state, player, moment), moment)
        assert len(set(rated)) > 50


@pytest.mark.parametrize("width", [32, 64, 96, 128])
def test_ratings_are_the_same_on_every_machine(width: int) -> None:
    network = weights(width).network(EDITION)
    for state in random_states(4):
        for moment in MOMENTS:
            assert network.rate(state, 0, moment) == network.rate(state, 0, moment, portable=True)


def test_ratings_one_after_the_other_are_the_same() -> None:
    network = weights().network(EDITION)
    states = [state for seed in range(3) for state in random_states(seed)]
    np.random.default_rng(1).shuffle(states)
    for player in (0, 1):
        for moment in MOMENTS:
            assert network.rate_all(states, player, moment).tolist() == [
                network.rate(state, player, moment) for state in states
            ]


def test_large_rows_are_clipped_and_no_sum_overflows() -> None:
    arrays = {
        name: np.full_like(array, 30000 if name.startswith("own") else 0) for name, array in weights().arrays.items()
    }
    for name in ("first", "second", "last"):
        arrays[name] = np.full_like(arrays[name], core.MOST_DENSE)
    for name in ("first_bias", "second_bias", "last_bias"):
        arrays[name] = np.full_like(arrays[name], core.MOST_NETWORK_BIAS)
    numbers = replace(weights(), arrays=arrays)
    network, rows = numbers.network(EDITION), folded(numbers, EDITION)
    assert network.rows.max() == 4095
    features = core.PositionFeatures(EDITION.card_set)
    for state in list(random_states(1))[:-1:9]:
        listed = features.list(state, 0, MOMENTS[0])
        assert network.rate(state, 0, MOMENTS[0]) == slow_rate(numbers, rows, listed, MOMENTS[0])


def test_whole_numbers_are_close_to_the_trained_ones() -> None:
    floats = {name: array.astype(np.float64) for name, array in trained(64).items()}
    offsets, columns, values = core.PositionFeatures(EDITION.card_set).attributes()
    features, network = core.PositionFeatures(EDITION.card_set), weights().network(EDITION)
    for state in list(random_states(2))[:-1:11]:
        listed = features.list(state, 0, MOMENTS[0])
        rows = np.array(
            [
                floats["own"][f]
                + values[offsets[f] : offsets[f + 1]] @ floats["shared"][columns[offsets[f] : offsets[f + 1]]]
                for f in listed
            ]
        )
        x = np.clip(floats["bias"] + rows[:, :-1].sum(axis=0), 0, 1)
        for layer in ("first", "second"):
            x = np.clip(floats[layer][0] @ x + floats[f"{layer}_bias"][0], 0, 1)
        logit = floats["last"][0] @ x + floats["last_bias"][0, 0] + rows[:, -1].sum()
        assert network.rate(state, 0, MOMENTS[0]) / 1024 == pytest.approx(logit, abs=0.1)


def test_decided_games_have_the_extreme_numbers() -> None:
    network = weights().network(EDITION)
    ends = [list(random_states(seed))[-1] for seed in range(8)]
    won = [(state, state.winner) for state in ends if state.winner is not None]
    assert won
    for state, winner in won:
        assert network.rate(state, winner, MOMENTS[0]) == 2**31 - 1
        assert network.rate(state, 1 - winner, MOMENTS[1]) == -(2**31)
    assert (core.chance_of_logit(2**31 - 1), core.chance_of_logit(-(2**31))) == (1, 0)
    assert core.chance_of_logit(0) == 0.5
    assert core.chance_of_logit(1024) == pytest.approx(1 / (1 + np.exp(-1)))


# ---- editions --------------------------------------------------------------------------------------------------------


def test_the_rows_of_cards_that_did_not_change_are_the_same_in_another_edition() -> None:
    attributes = [core.card_attributes(cards.card_set) for cards in (EDITION, OTHER)]
    zones = [core.PositionFeatures(cards.card_set).zones for cards in (EDITION, OTHER)]
    rows = [weights().network(cards).rows for cards in (EDITION, OTHER)]
    unchanged = 0
    for card in EDITION.by_id.keys() & OTHER.by_id.keys():
        numbers = [EDITION.number_of(card), OTHER.number_of(card)]
        if not np.array_equal(attributes[0][numbers[0]], attributes[1][numbers[1]]):
            continue
        unchanged += 1
        for one, other in zip(*zones, strict=True):
            if one.kind == "cards":
                assert np.array_equal(rows[0][one.first + numbers[0]], rows[1][other.first + numbers[1]])
    assert unchanged > 400


def test_a_new_card_has_the_row_of_its_attributes_alone() -> None:
    fireball = EDITION["Fireball"]
    new: Change = {
        "name": "Second Ball",
        "class": "mage",
        "type": "spell",
        "set": "basic",
        "rarity": "common",
        "cost": 4,
        "effect": fireball.effects,
    }
    patched = EDITION.patched(Patch("second ball", new={"NEW_BALL": new}))
    rows = own_rows(weights(), patched)
    network = weights().network(patched).rows
    features = core.PositionFeatures(patched.card_set)
    deck = next(zone.first for zone in features.zones if zone.name == "deck")
    assert not rows[deck + patched.number_of("NEW_BALL")].any()
    assert rows[deck + patched.number_of(fireball.id)].any()
    assert network[deck + patched.number_of("NEW_BALL")].any()


def test_a_network_rates_states_of_its_edition_only() -> None:
    state = hearthstone.new_game("Starter Mage", "Starter Hunter", edition="2019-12")
    network = weights().network(EDITION)
    with pytest.raises(StateError, match="another edition"):
        network.rate(state, 0, MOMENTS[0])
    state = hearthstone.new_game("Starter Mage", "Starter Hunter")
    assert network.rate(state.view(0), 0, MOMENTS[0]) == network.rate(state, 0, MOMENTS[0])
    with pytest.raises(StateError, match="player 1's view"):
        network.rate(state.view(1), 0, MOMENTS[0])


# ---- known decks -----------------------------------------------------------------------------------------------------


def guessed_decks(
    seen: list[str], *, own: dict[str, Any] | None = None, plays: int = 0, known: tuple[Deck, ...] | None = None
) -> list[Counter[str]]:
    """The whole decks of guesses of an opponent that has played some cards, after some plays of the own hand."""
    op = {"class": "WARLOCK", "hand": seen, "deck": ["Wisp"] * (30 - len(seen)), "mana": 10, "max_mana": 10}
    state = hearthstone.scenario({"me": {"class": "WARLOCK"} | (own or {}), "op": op})
    for _ in range(plays):
        state.apply(Action.from_text("play 0"), Rng(1, 0))
    state.apply(Action.from_text("end"), Rng(1, 0))
    for _ in seen:
        state.apply(Action.from_text("play 0"), Rng(1, 0))
    rating, decks = replace(weights(), decks=LOCKS if known is None else known).rating, []
    for seed in range(60):
        side = rating.guess(state, 0, seed).side(1)
        decks.append(Counter([*side.seen, *side.deck, *(card.card for card in side.hand)]))
    return decks


def test_guesses_are_known_decks_of_the_class() -> None:
    whole = [Counter(deck.copies) for deck in LOCKS]
    found = [whole.index(deck) for deck in guessed_decks([])]
    assert set(found) == {0, 1}


def test_cards_seen_tell_which_deck_it_is() -> None:
    whole = [Counter(deck.copies) for deck in LOCKS]
    zoo = guessed_decks(["Flame Imp", "Voidwalker"])
    assert sum(deck == whole[1] for deck in zoo) >= 58


def test_cards_of_no_known_deck_mean_a_variant_of_one() -> None:
    whole = [Counter(deck.copies) for deck in LOCKS]
    missing = [min((known - deck).total() for known in whole) for deck in guessed_decks(["Wisp", "Murloc Raider"])]
    assert 4 < np.mean(missing) < 16  # both cards seen are in neither deck: two of five others


OWN = ["Chillwind Yeti"] * 10 + ["Boulderfist Ogre"] * 20
HOLDING_OWN: dict[str, Any] = {"hand": OWN[8:12], "deck": OWN[:8] + OWN[12:]}


def test_the_own_deck_is_one_more_that_an_opponent_of_the_class_may_play() -> None:
    found = guessed_decks([], own=HOLDING_OWN)
    assert 10 <= found.count(Counter(EDITION[card].id for card in OWN)) <= 30  # of 60, a third on average
    assert {deck.total() for deck in found} == {30}


def test_cards_that_the_player_has_played_are_of_its_deck_too() -> None:
    own = HOLDING_OWN | {"mana": 10, "max_mana": 10}
    played = guessed_decks([], own=own, plays=2)
    assert played.count(Counter(EDITION[card].id for card in OWN)) >= 10


def test_a_known_deck_does_not_count_twice_after_some_of_it_was_played() -> None:
    known = list(Counter(LOCKS[1].copies).elements())
    hand = ["Flame Imp"] * 2
    own = {"hand": hand, "deck": [card for card in known if EDITION[card].name not in hand], "mana": 10, "max_mana": 10}
    assert guessed_decks([], own=own, plays=2) == guessed_decks([], own=own | {"class": "MAGE"}, plays=2)


def test_a_hand_made_position_with_few_own_cards_adds_no_deck() -> None:
    whole = [Counter(deck.copies) for deck in LOCKS]
    few = {"hand": OWN[:4], "deck": OWN[4:14]}
    assert all(deck in whole for deck in guessed_decks([], own=few))
    enough = {"hand": OWN[:4], "deck": OWN[4:15]}
    assert not all(deck in whole for deck in guessed_decks([], own=enough))


def test_without_known_decks_of_the_class_no_deck_is_guessed() -> None:
    yeti = EDITION["Chillwind Yeti"].id
    decks = guessed_decks([], own=HOLDING_OWN, known=())
    assert max(deck[yeti] for deck in decks) < 5  # any cards of the class, one by one


def test_an_opponent_of_another_class_does_not_play_the_own_deck() -> None:
    whole = [Counter(deck.copies) for deck in LOCKS]
    assert all(deck in whole for deck in guessed_decks([], own=HOLDING_OWN | {"class": "MAGE"}))


def test_an_own_deck_that_is_known_does_not_count_twice() -> None:
    known = list(Counter(LOCKS[1].copies).elements())
    own = {"hand": known[:4], "deck": known[4:]}
    assert guessed_decks([], own=own) == guessed_decks([])


def test_too_many_or_too_large_decks_are_refused() -> None:
    with pytest.raises(ModelError, match="more than 30 cards"):
        core.LearnedRating(64, list(weights().cards), dict(weights().arrays), [("mage", ["CS2_231"] * 31)])
    with pytest.raises(ModelError, match="unknown class"):
        core.LearnedRating(64, list(weights().cards), dict(weights().arrays), [("wizard", [])])
    with pytest.raises(ModelError, match="at most 64 lists of a class"):
        core.LearnedRating(64, list(weights().cards), dict(weights().arrays), [("mage", [])] * 65)


# ---- files -----------------------------------------------------------------------------------------------------------


def test_a_network_is_the_same_after_its_file(tmp_path: Path) -> None:
    known = replace(weights(), decks=LOCKS)
    write_network(tmp_path / "one.npz", known)
    again = read_network(tmp_path / "one.npz")
    assert (again.cards, again.about, again.decks) == (known.cards, "random numbers", LOCKS)
    for name, array in weights().arrays.items():
        assert np.array_equal(array, again.arrays[name])
        assert array.dtype == again.arrays[name].dtype
    write_network(tmp_path / "two.npz", again)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def changed(**arrays: Any) -> dict[str, Any]:
    whole = {
        **weights(32).arrays,
        "cards": np.array(weights(32).cards),
        "decks": np.array([], np.str_),
        "layout": np.array(layout_digest()),
        "about": np.array(""),
    }
    return {name: array for name, array in (whole | arrays).items() if array is not None}


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"bias": None}, "it lacks the array 'bias'"),
        ({"more": np.zeros(1)}, "it has an unknown array 'more'"),
        ({"layout": np.array("?")}, "it was made for other features or attributes"),
        ({"layout": np.zeros(2)}, "layout must be a text"),
        ({"bias": np.zeros(33, np.int32)}, "the width of a network is one of"),
        ({"first": np.zeros((2, 32, 32))}, "first must be int16 of shape"),
        ({"last": np.full((2, 32), 20000, np.int16)}, "the numbers of last must be from -16000 to 16000"),
        ({"cards": np.array(["A", "A"])}, "own_cards must be int16 of shape"),
        ({"cards": np.array(["A", {}], dtype=object)}, "it is not an npz file of arrays"),
        ({"decks": np.zeros(2)}, "decks must be a list of texts"),
        ({"decks": np.array(["rogues"])}, "a deck's text must look like"),
    ],
)
def test_a_file_with_a_mistake_is_refused_in_one_line(tmp_path: Path, arrays: dict[str, Any], message: str) -> None:
    np.savez(tmp_path / "wrong.npz", **changed(**arrays))
    with pytest.raises(ModelError, match=message) as raised:
        read_network(tmp_path / "wrong.npz")
    assert "\n" not in str(raised.value)
    assert "wrong.npz" in str(raised.value)


def test_what_is_no_such_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot read the network"):
        read_network(tmp_path / "none.npz")
    for content in (b"", b"PK\x03\x04 and more", b"text"):
        (tmp_path / "text.npz").write_bytes(content)
        with pytest.raises(ModelError, match=r"text\.npz"):
            read_network(tmp_path / "text.npz")
    write_network(tmp_path / "cut.npz", weights(32))
    whole = (tmp_path / "cut.npz").read_bytes()
    (tmp_path / "cut.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelError, match=r"cut\.npz"):
        read_network(tmp_path / "cut.npz")
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 255
    (tmp_path / "cut.npz").write_bytes(damaged)
    with pytest.raises(ModelError, match=r"cut\.npz"):
        read_network(tmp_path / "cut.npz")
    with pytest.raises(ModelError, match="cannot write the network"):
        write_network(tmp_path / "no folder" / "one.npz", weights(32))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"own": np.zeros((3, 33))}, "own must have a row for each of"),
        ({"bias": np.full(32, np.nan)}, "the numbers of bias must be finite"),
        ({"first": np.full((2, 32, 32), 9.0)}, "the numbers of first must be from -7.8125 to 7.8125"),
        ({"more": np.zeros(1)}, "'more'"),
    ],
)
def test_trained_numbers_that_do_not_fit_are_refused(arrays: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        quantised({**trained(32), **arrays}, EDITION)


@pytest.mark.parametrize(
    ("width", "arrays", "message"),
    [
        (40, {}, "multiple of 32 up to 128, not 40"),
        (64, {}, "the array own_numbers must have the shape"),
        (32, {"own_cards": np.zeros((1, 1, 33), np.int16)}, "the array own_cards must have the shape"),
        (32, {"shared": np.zeros(3, np.int32)}, "the array shared must have the shape"),
        (32, {"bias": np.zeros(32)}, "an array bias of 32-bit integers"),
        (32, {"last": np.full((2, 32), 16001, np.int16)}, "the numbers of last must be from"),
    ],
)
def test_the_core_checks_every_array(width: int, arrays: dict[str, Any], message: str) -> None:
    given = {**weights(32).arrays, **arrays}
    with pytest.raises(ModelError, match=message):
        core.LearnedRating(width, list(weights(32).cards), given, [])
