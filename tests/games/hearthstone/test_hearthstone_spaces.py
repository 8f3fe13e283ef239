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
from deckatlas.games.hearthstone.constraints import ConstraintError, DeckConstraints
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
# What decks of a search can have to keep to.
CONSTRAINTS = {
    "cards": DeckConstraints(contains=("2x Chillwind Yeti", "Ragnaros the Firelord"), excludes=("Wisp",)),
    "few legendaries": DeckConstraints(most_legendaries=1),
    "no legendaries": DeckConstraints(most_legendaries=0, most_dust=3_000),
    "free of charge": DeckConstraints(most_dust=0),
}
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


# Constraints


@cache
def narrow_space(hero_class: str, name: str) -> HearthstoneDecks:
    return HearthstoneDecks(hero_class, pool_name="all", constraints=CONSTRAINTS[name])


@given(st.sampled_from(HERO_CLASSES), st.sampled_from(["cards", "few legendaries", "no legendaries"]), st.integers(0))
def test_random_mutated_and_exchanged_decks_keep_to_constraints(hero_class: str, name: str, seed: int) -> None:
    space, wanted = narrow_space(hero_class, name), CONSTRAINTS[name]
    rng = np.random.default_rng(seed)
    solution = space.random(rng)
    for change in (space.mutate, space.exchange) * 4:
        deck = check_deck(space.deck(solution), space.edition.by_id, pool=set(space.ids))
        found = measures(deck, space.edition)
        cards = dict(deck.cards)
        if wanted.contains:
            assert (cards["CS2_182"], cards["EX1_298"], cards.get("CS2_231", 0)) == (2, 1, 0)
        if wanted.most_legendaries is not None:
            assert sum(space.edition.by_id[card].rarity == "legendary" for card in cards) <= wanted.most_legendaries
        assert found.dust <= (wanted.most_dust or 10**6)
        solution = change(solution, rng)


def test_a_deck_free_of_charge_has_basic_cards_alone() -> None:
    space = narrow_space("HUNTER", "free of charge")
    rng = np.random.default_rng(1)
    solution = space.random(rng)
    for _ in range(50):
        assert {space.edition.by_id[card].set for card in space.cards(solution)} == {"basic"}
        solution = space.mutate(solution, rng)


@pytest.mark.parametrize(
    ("constraints", "key", "message"),
    [
        (DeckConstraints(contains=("Wispp",)), "contains", "unknown card 'Wispp': did you mean 'Wisp'"),
        (DeckConstraints(contains=("3x Wisp",)), "contains", "a deck has at most 2 of Wisp, not 3"),
        (DeckConstraints(contains=("Fireball",)), "contains", "Fireball is not in the pool of the class"),
        (DeckConstraints(contains=("Wisp",), excludes=("Wisp",)), "excludes", "Wisp is both in contains and in excl"),
        (DeckConstraints(excludes=("2x Wisp",)), "excludes", "a card is excluded with all its copies: write 'Wisp'"),
        (DeckConstraints(("Leeroy Jenkins",), most_legendaries=0), "most_legendaries", "no deck has at most 0 legenda"),
        (DeckConstraints(("Leeroy Jenkins",), most_dust=1_000), "most_dust", "at most 1,000 dust: the least is 1,600"),
    ],
)
def test_impossible_constraints_are_refused_by_name(constraints: DeckConstraints, key: str, message: str) -> None:
    with pytest.raises(ConstraintError, match=message) as caught:
        HearthstoneDecks("hunter", constraints=constraints)
    assert caught.value.key == key


def test_a_deck_of_another_class_or_pool_is_no_solution() -> None:
    space = any_space("HUNTER", "2018-12", "basic-classic")
    solution = space.random(np.random.default_rng(0))
    assert np.array_equal(space.solution(space.deck(solution)), solution)
    with pytest.raises(DeckError, match="is of the class HUNTER, not MAGE"):
        space.solution(any_space("MAGE", "2018-12", "basic-classic").deck(solution))
    other = any_space("HUNTER", "2018-12", "all")
    with_ragnaros = HearthstoneDecks("hunter", pool_name="all", constraints=DeckConstraints(("Ragnaros the Firelord",)))
    deck = with_ragnaros.deck(with_ragnaros.random(np.random.default_rng(0)))
    assert other.deck(other.solution(deck)) == deck
    with pytest.raises(
        DeckError, match="Ragnaros the Firelord is not in the pool 'basic-classic' of edition '2018-12'"
    ):
        space.solution(deck)
