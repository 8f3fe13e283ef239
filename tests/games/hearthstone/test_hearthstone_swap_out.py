"""Swap-out values: what replaces a card, that games stay paired, and that known differences are found."""

from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.errors import DeckError
from deckatlas.games.hearthstone import swap_out as module
from deckatlas.games.hearthstone.cards.decks import Deck, check_deck
from deckatlas.games.hearthstone.cards.editions import Edition, Patch
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.hearthstone.setting import setting
from deckatlas.games.hearthstone.setup import deck_of, deck_rows
from deckatlas.games.hearthstone.suites import Opponent, Suite
from deckatlas.games.hearthstone.swap_out import ENOUGH, replacements, swap_out

CARDS = hearthstone.edition()
HUNTER = deck_of("Midrange Hunter", CARDS)
MAGE = Suite("mage", (Opponent("Starter Mage", deck_of("Starter Mage", CARDS), "random:active"),))
FAST: dict[str, Any] = {"pilot": "random:active", "suite": MAGE}


# What replaces a card


@pytest.mark.parametrize("card", [card for card, _ in HUNTER.cards])
def test_every_replacement_makes_a_legal_deck_without_the_card(card: str) -> None:
    counts = dict(HUNTER.cards)
    others = replacements(HUNTER, card, CARDS)
    assert len(others) >= ENOUGH
    for other in others:
        swapped = {**{each: n for each, n in counts.items() if each != card}, other.id: counts[card]}
        check_deck(Deck("HUNTER", tuple(swapped.items())), CARDS)
        assert other.id not in counts


def test_replacements_cost_the_same_or_as_nearly_as_enough_cards_do() -> None:
    for card, _ in HUNTER.cards:
        cost = CARDS.by_id[card].cost
        others = replacements(HUNTER, card, CARDS)
        farthest = max(abs(other.cost - cost) for other in others)
        assert farthest == 0 or sum(abs(other.cost - cost) < farthest for other in others) < ENOUGH
    rare = Deck("WARLOCK", (("EX1_310", 2),))  # Doomguard costs 5, which many cards do
    assert {other.cost for other in replacements(rare, "EX1_310", CARDS)} == {5}
    ten = Deck("MAGE", (("NEW1_030", 1),))  # Deathwing costs 10, which few cards do
    assert len({other.cost for other in replacements(ten, "NEW1_030", CARDS)}) > 1


def test_a_card_without_a_replacement_is_refused() -> None:
    few = CARDS.by_id["CS2_029"]
    alone = Deck("MAGE", ((few.id, 2),))
    edition: Any = type("Few", (), {"cards": (few,), "by_id": {few.id: few}})()
    with pytest.raises(DeckError, match="no card that could replace Fireball"):
        replacements(alone, few.id, edition)


# The games


def won_with(deck_row: Any, edition: Edition, games: int, events: bool) -> Any:
    shared = setting(**FAST, edition=edition, card_events=events)
    return shared.play(deck_row, shared.course(games, seed=3, first_game=0), threads=1, progress=None)


def test_games_without_the_card_are_the_same_with_its_replacement() -> None:
    rows = deck_rows([HUNTER], CARDS)
    index = CARDS.compiled.index
    swapped = np.where(rows == index["EX1_534"], index["CS2_200"], rows)  # Boulderfist Ogre for Savannah Highmane
    whole, without = (won_with(each, CARDS, 60, events=True) for each in (rows, swapped))
    at = HUNTER.copies.index("EX1_534")
    seen = whole.card_events[0, :, at][:, [core.CARD_EVENTS.index(name) for name in ("offered", "drawn")]].any(axis=1)
    assert 10 < seen.sum() < 60
    for name in core.NOTED:
        assert np.array_equal(whole.noted[name][0][~seen], without.noted[name][0][~seen]), name
    assert not np.array_equal(whole.noted["half_turns"], without.noted["half_turns"])


def test_the_value_is_the_difference_of_the_win_rates_of_the_two_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    ogre = CARDS.by_id["CS2_200"]
    monkeypatch.setattr(module, "replacements", lambda deck, card, edition: (ogre,))
    found = swap_out("Midrange Hunter", cards=["Savannah Highmane"], games=40, seed=5, **FAST)
    whole = evaluate("Midrange Hunter", games=40, seed=5, **FAST).wins[0] / 40
    assert found.win_rate.value == whole
    index, rows = CARDS.compiled.index, deck_rows([HUNTER], CARDS)
    shared = setting(**FAST)
    swapped = np.where(rows == index["EX1_534"], index[ogre.id], rows)
    course = shared.course(40, seed=5, first_game=0)
    without = shared.play(swapped, course, threads=1, progress=None).noted["won"].mean()
    assert found.value.value[0] == pytest.approx(whole - without)
    assert (found.ids, found.replacements, found.games) == (("EX1_534",), ((ogre.id,),), 40)


def test_both_games_of_a_seed_have_the_same_replacement_and_more_games_keep_the_first_ones() -> None:
    shared = setting(**FAST)
    others = replacements(HUNTER, "EX1_534", CARDS)
    drawn = {}
    for games in (20, 50):
        course = shared.course(games, seed=1, first_game=0)
        drawn[games] = np.zeros(games, int)
        for swap in module._swaps(0, "EX1_534", others, CARDS, course, 1):
            drawn[games][swap.games] = swap.other
        for seed in np.unique(course.seed):
            assert len(set(drawn[games][course.seed == seed])) == 1
    assert drawn[20].tolist() == drawn[50][:20].tolist()
    assert len(set(drawn[50])) > 5


@pytest.mark.parametrize("threads", [2, 3])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    one, more = (swap_out("Starter Rogue", games=6, threads=n, **FAST) for n in (1, threads))
    assert list(one.rows()) == list(more.rows())


def test_progress_hears_of_all_games() -> None:
    heard: list[int] = []
    found = swap_out("Starter Rogue", games=6, progress=heard.append, **FAST)
    assert heard[-1] == 6 * (1 + len(found))
    assert heard == sorted(heard)


# What is found


def strong_and_weak() -> tuple[Edition, str]:
    """An edition in which one card of a deck wins the game when it is played, and another loses it."""
    win, lose = "spell(deal(60, ENEMY_HERO))", "spell(deal(60, MY_HERO))"
    changes: dict[str, dict[str, str | int]] = {
        "CS2_025": {"effect": win, "cost": 1},
        "EX1_277": {"effect": lose, "cost": 1},
    }
    return CARDS.patched(Patch("extreme", cards=changes)), "Starter Mage"


def test_a_card_that_wins_is_better_and_one_that_loses_is_worse() -> None:
    edition, deck = strong_and_weak()
    names = ["Arcane Explosion", "Arcane Missiles", "River Crocolisk"]
    found = swap_out(deck, cards=names, games=120, edition=edition, **FAST)
    assert [found.verdict(i) for i in range(3)] == ["better", "worse", "undecided"]
    rows = list(found.rows())
    assert rows[0]["swap_out"] > 0 > rows[1]["swap_out"]
    assert rows[0]["swap_out_low"] > 0 > rows[1]["swap_out_high"]


def test_a_card_that_is_not_in_the_deck_is_refused_with_a_hint() -> None:
    with pytest.raises(DeckError, match=r"the deck has no card 'Savanah Highmane': did you mean 'Savannah Highmane'\?"):
        swap_out("Midrange Hunter", cards=["Savanah Highmane"], games=2, **FAST)
    with pytest.raises(DeckError, match="the deck has no card 'Fireball'"):
        swap_out("Midrange Hunter", cards=["Fireball"], games=2, **FAST)


def test_a_negative_seed_is_the_same_as_its_twos_complement() -> None:
    card = HUNTER.cards[0][0]
    negative, large = (swap_out(HUNTER, cards=[card], games=4, seed=seed, **FAST) for seed in (-1, 2**64 - 1))
    assert list(negative.rows()) == list(large.rows())
