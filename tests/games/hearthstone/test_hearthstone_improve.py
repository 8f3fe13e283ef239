"""Better swaps for a deck: they are legal, the model learns values, and only what fresh games confirm is reported."""

from pathlib import Path

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas.errors import DeckatlasError
from deckatlas.games.hearthstone.cards.decks import check_deck
from deckatlas.games.hearthstone.improve import improve
from deckatlas.games.hearthstone.improvement import improvement_listing
from deckatlas.games.hearthstone.swaps import Swap, SwapModel, double_swaps, random_swaps, single_swaps

META = """\
edition = "2018-12"
pilot = "greedy"

[[deck]]
deck = "Face Hunter (ladder)"

[[deck]]
deck = "Aggro Mage"
"""


@pytest.fixture
def meta(tmp_path: Path) -> Path:
    file = tmp_path / "meta.toml"
    file.write_text(META, encoding="utf-8")
    return file


@pytest.fixture
def cards() -> hearthstone.Edition:
    return hearthstone.edition()


@pytest.fixture
def dead(cards: hearthstone.Edition) -> set[str]:
    """Cards that a deck of small minions hardly ever plays."""
    names = ("Nozdormu", "Malygos", "Onyxia", "Ysera", "Deathwing", "Alexstrasza", "Gruul", "Lord Jaraxxus")
    return {cards[name].id for name in names}


@pytest.fixture
def bad(cards: hearthstone.Edition, dead: set[str]) -> hearthstone.Deck:
    """A Zoo with all of these instead of its cheapest minions."""
    zoo = hearthstone.named_decks()["Zoo"]
    cheap = ("Voidwalker", "Abusive Sergeant", "Elven Archer", "Young Priestess")
    swap = Swap(tuple(sorted(2 * [cards[name].id for name in cheap])), tuple(sorted(dead)))
    assert swap.fits(zoo, cards)
    return check_deck(swap.applied_to(zoo), cards)


def test_every_single_swap_leaves_a_legal_deck(cards: hearthstone.Edition) -> None:
    deck = hearthstone.named_decks()["Zoo"]
    swaps = single_swaps(deck, cards)
    assert len(swaps) == len(set(swaps)) > 2_000
    for swap in swaps[::50]:
        after = check_deck(swap.applied_to(deck), cards)
        assert after != deck
    names = {cards.by_id[swap.added[0]].name for swap in swaps}
    assert {"Wisp", "Siphon Soul"} <= names
    assert "Fireball" not in names


def test_double_swaps_are_legal_pairs_and_playsets(cards: hearthstone.Edition) -> None:
    deck = hearthstone.named_decks()["Zoo"]
    singles = single_swaps(deck, cards)
    doubles = double_swaps(singles[::60], deck, cards)
    assert any(len(set(swap.cut)) == 1 and len(set(swap.added)) == 1 for swap in doubles)
    for swap in doubles[::20]:
        check_deck(swap.applied_to(deck), cards)
        assert not {*swap.cut} & {*swap.added}
    drawn = random_swaps(singles, deck, cards, np.random.default_rng(1), 4)
    assert len(drawn.cut) == len(drawn.added) == 4
    check_deck(drawn.applied_to(deck), cards)


def test_the_model_learns_what_cards_are_worth(cards: hearthstone.Edition) -> None:
    deck = hearthstone.named_decks()["Zoo"]
    singles = single_swaps(deck, cards)
    rng = np.random.default_rng(2)
    ids = sorted({card for swap in singles for card in (*swap.cut, *swap.added)})
    worth = dict(zip(ids, rng.normal(0, 0.02, len(ids)), strict=True))
    variants = [random_swaps(singles, deck, cards, rng, 4) for _ in range(400)]

    def lead(swap: Swap) -> float:
        return float(sum(worth[card] for card in swap.added) - sum(worth[card] for card in swap.cut))

    games, model = 100, SwapModel(deck, cards, rounds=50)
    for number in range(50):
        decks = [Swap((), ()), *variants[8 * number : 8 * number + 8]]
        luck = rng.normal(0, 0.05)  # of the round; noise is that of 100 games
        rates = np.array([0.5 + luck + lead(each) + rng.normal(0, 0.05) for each in decks])
        model.add(decks, games * rates, games, number)
    model.fit()
    told = model.leads(singles)
    true = np.array([lead(each) for each in singles])
    assert np.corrcoef(told, true)[0, 1] > 0.6
    best = np.argsort(-told)[:48]
    assert true[best].mean() > true.mean() + 1.2 * true.std()
    errors = told - true
    assert 0.5 < model.doubts(singles).mean() / errors.std() < 2


def test_dead_cards_are_found_and_replaced(
    bad: hearthstone.Deck, dead: set[str], meta: Path, cards: hearthstone.Edition
) -> None:
    found = improve(bad, games=1_600, confirm_games=600, meta=meta, search_pilot="greedy", seed=4)
    assert found.confirmed
    best = found.confirmed[0]
    assert all(dead & {*each.swap.cut} for each in found.swaps)
    assert best.comparison.difference.low > 0
    assert best.comparison.confidence == pytest.approx(1 - 0.05 / len(found.swaps))
    assert check_deck(best.deck, cards) == best.swap.applied_to(bad)
    assert len(found.swaps) == 6
    assert {len(each.swap.cut) for each in found.swaps} == {1, 2}
    assert 1_300 < found.search_games <= 1_600
    data = found.to_json()
    assert data["swaps"][0]["verdict"] == "better"
    assert hearthstone.read_deck(data["swaps"][0]["code"], cards) == best.deck


def test_a_pilot_that_never_plays_a_card_has_no_swap_to_confirm(meta: Path) -> None:
    found = improve("Zoo", games=400, confirm_games=160, meta=meta, pilot="pass", search_pilot="pass")
    assert found.confirmed == ()
    assert found.search_games <= 400
    assert found.sentence.startswith("No swap is confirmed: on fresh games, none of the best 6 makes Zoo better")
    assert not any("after the best swap" in str(part) for part in improvement_listing(found).shown)


def test_the_same_seed_finds_the_same_swaps(meta: Path) -> None:
    one, other = (
        improve("Zoo", games=480, confirm_games=80, meta=meta, search_pilot="greedy", threads=threads).to_json()
        for threads in (1, 2)
    )
    assert one == other


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 100}, "a search needs 240 games or more, not 100"),
        ({"confirm_games": 8}, "a comparison needs 16 games or more, not 8"),
        ({"search_pilot": "fats"}, "unknown agent 'fats': did you mean 'fast'?"),
        ({"edition": "2017"}, "unknown edition '2017'"),
    ],
)
def test_what_cannot_be_improved_is_refused_in_one_line(meta: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(DeckatlasError) as refused:
        improve("Zoo", **({"meta": meta} | options))  # type: ignore[arg-type]
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
