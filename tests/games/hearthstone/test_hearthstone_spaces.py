"""The decks of Hearthstone that maps are made of: every rule of deck building for any class, edition and pool."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.errors import CardError, DeckError
from deckatlas.games.hearthstone.cards.deck_codes import deck_from_code
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, check_deck, random_deck
from deckatlas.games.hearthstone.cards.editions import EDITIONS, Edition, Patch, edition
from deckatlas.games.hearthstone.cards.measures import measures
from deckatlas.games.hearthstone.cards.pools import POOLS, pool
from deckatlas.games.hearthstone.setup import deck_rows
from deckatlas.games.hearthstone.spaces import HearthstoneDecks

# Another edition of a user: a card that was not legendary is, one that was is not, and there is a new one.
PATCH = Patch(
    "other",
    cards={"CS2_029": {"rarity": "legendary"}, "EX1_116": {"rarity": "epic"}},
    new={
        "NEW_CARD": {
            "name": "New",
            "dbf_id": 999_999,
            "class": "mage",
            "type": "minion",
            "set": "classic",
            "rarity": "rare",
            "cost": 3,
            "health": 4,
        }
    },
)
FIELDS = ("deck_mana_sum", "deck_mana_variance", "num_minion_cards", "num_spell_cards", "dust")


@cache
def any_edition(name: str) -> Edition:
    return edition().patched(PATCH) if name == PATCH.name else edition(name)


@cache
def any_space(hero_class: str, edition_name: str, pool_name: str) -> HearthstoneDecks:
    return HearthstoneDecks(hero_class, edition=any_edition(edition_name), pool_name=pool_name)


SPACES = st.tuples(  # by name: what is drawn outlives the tests
    st.sampled_from(HERO_CLASSES), st.sampled_from((*EDITIONS, PATCH.name)), st.sampled_from(POOLS)
)
Named = tuple[str, str, str]


@given(SPACES, st.integers(0, 2**32))
def test_random_and_mutated_decks_can_be_played(named: Named, seed: int) -> None:
    space = any_space(*named)
    rng = np.random.default_rng(seed)
    solution = space.random(rng)
    for _ in range(5):
        check_deck(space.deck(solution), space.edition.by_id, pool=set(space.ids))
        solution = space.mutate(solution, rng)


@given(SPACES, st.integers(0, 2**32))
def test_decks_solutions_codes_and_rows_are_told_from_each_other(named: Named, seed: int) -> None:
    space = any_space(*named)
    solutions = np.array([space.random(np.random.default_rng((seed, i))) for i in range(3)])
    decks = [space.deck(solution) for solution in solutions]
    for solution, deck in zip(solutions, decks, strict=True):
        assert sorted(deck.copies) == sorted(space.cards(solution))
        assert deck_from_code(space.code(solution), space.edition.by_id) == deck
    assert np.array_equal(space.rows(solutions), deck_rows(decks, space.edition))


@given(SPACES, st.integers(0, 2**32))
def test_columns_are_the_measures_of_the_decks(named: Named, seed: int) -> None:
    space = any_space(*named)
    solutions = np.array([space.random(np.random.default_rng((seed, i))) for i in range(3)])
    for solution, row in zip(solutions, space.measures(solutions), strict=True):
        told = dict(zip(space.columns, row.tolist(), strict=True))
        of_deck = measures(space.deck(solution), space.edition.by_id)
        assert [told[name] for name in FIELDS] == [getattr(of_deck, name) for name in FIELDS]
        cards = [space.edition[card] for card in space.cards(solution)]
        assert told["deck_mana_mean"] == told["deck_mana_sum"] / 30
        assert told["num_minion_cards"] + told["num_spell_cards"] + told["num_weapon_cards"] == 30
        assert told["num_class_cards"] == sum(card.hero_class.name == space.hero_class.lower() for card in cards)
        assert told["num_legendary_cards"] == sum(card.rarity == "legendary" for card in cards)


@pytest.mark.parametrize("hero_class", ["hunter", "Rogue"])
def test_a_random_solution_is_the_random_deck_of_the_same_stream(hero_class: str) -> None:
    space = HearthstoneDecks(hero_class)
    for seed in range(5):
        ids = [card.id for card in pool(space.edition, hero_class.lower())]
        expected = random_deck(hero_class, ids, space.edition.by_id, np.random.default_rng(seed))
        assert space.deck(space.random(np.random.default_rng(seed))) == expected


def test_mutations_reach_every_card_of_the_pool() -> None:
    space, rng = any_space("ROGUE", "2019-12", "evostone"), np.random.default_rng(0)
    solution = space.random(rng)
    seen = np.zeros(space.length, np.int64)
    for _ in range(5000):
        solution = space.mutate(solution, rng)
        seen = np.maximum(seen, solution)
    assert np.array_equal(seen, space.most_copies)


def test_a_patch_that_makes_a_card_legendary_leaves_room_for_one() -> None:
    space = any_space("MAGE", PATCH.name, "basic-classic")
    most = dict(zip(space.ids, space.most_copies.tolist(), strict=True))
    assert (most["CS2_029"], most["EX1_116"], most["NEW_CARD"]) == (1, 2, 2)


def test_a_pool_with_too_few_cards_for_a_deck_is_refused_and_told_why() -> None:
    base = edition()
    heroes = [card for card in base.cards if not card.collectible]
    few = [card for card in base.cards if card.collectible][:14]
    small = replace(base, name="small", cards=tuple(sorted((*heroes, *few), key=lambda card: card.id)))
    assert sum(card.hero_class.name in ("neutral", "priest") for card in few) < 15
    with pytest.raises(
        DeckError, match=r"^a deck has 30 cards, but the pool 'basic-classic' of edition 'small' has only \d+"
    ):
        HearthstoneDecks("priest", edition=small)


def test_an_unknown_class_edition_or_pool_is_refused() -> None:
    with pytest.raises(DeckError, match="unknown hero class 'hnter': did you mean 'HUNTER'"):
        HearthstoneDecks("hnter")
    with pytest.raises(CardError, match="unknown edition 'x'"):
        HearthstoneDecks("hunter", edition="x")
    with pytest.raises(CardError, match="unknown pool 'x'"):
        HearthstoneDecks("hunter", pool_name="x")
