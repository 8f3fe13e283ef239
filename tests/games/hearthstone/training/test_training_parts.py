"""The parts of a training: decks, joint features, samples and measures."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pydantic import BaseModel

from deckatlas._core import hearthstone as core
from deckatlas.errors import CardError
from deckatlas.games.hearthstone.cards.decks import Deck, check_deck, random_deck
from deckatlas.games.hearthstone.cards.editions import Edition, edition_of
from deckatlas.games.hearthstone.cards.library import named_deck, named_decks
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.training.config import DecksTable, TrainingConfig
from deckatlas.games.hearthstone.training.decks import TrainingDecks, check_featured, mutated, transplanted
from deckatlas.games.hearthstone.training.features import joint_features
from deckatlas.games.hearthstone.training.measures import baseline_logits, calibration, calibration_error, log_loss
from deckatlas.games.hearthstone.training.positions import Samples, joined
from deckatlas.games.hearthstone.training.returns import returns

EDITIONS = [edition_of(name) for name in ("2018-12", "classic-2014")]
JOINT = joint_features(EDITIONS)


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_drawn_decks_are_legal_and_of_every_class(edition: object) -> None:
    decks = TrainingDecks(DecksTable(), edition).draw(300, rng())  # type: ignore[arg-type]
    for deck in decks:
        check_deck(deck, edition)  # type: ignore[arg-type]
    assert len({deck.hero_class for deck in decks}) == 9
    assert len(set(decks)) > 150


def test_decks_left_out_are_never_drawn() -> None:
    only = DecksTable(library=1, mutated=0, random=0, left_out=("handlock",))
    drawn = set(TrainingDecks(only, EDITIONS[0]).draw(3000, rng()))
    assert named_deck("Handlock") not in drawn
    assert named_deck("Miracle Rogue") in drawn
    assert drawn < set(named_decks().values())


def further_table(folder: Path, **changes: float) -> tuple[Deck, DecksTable]:
    """A deck in a file, and a table that draws it as often as all named decks together."""
    deck, file = random_deck("MAGE", pool(EDITIONS[0], "MAGE"), EDITIONS[0], rng()), folder / "decks.txt"
    file.write_text(f"{deck}\n")
    shares = {"library": 1, "mutated": 0, "random": 0, "further": 1, **changes}
    return deck, DecksTable(**shares, most_swaps=1, files=(str(file),))  # type: ignore[arg-type]


def test_further_decks_are_drawn_but_are_not_lists_to_guess(tmp_path: Path) -> None:
    deck, table = further_table(tmp_path)
    training = TrainingDecks(table, EDITIONS[0])
    drawn = training.draw(1000, rng())
    assert 0.4 < drawn.count(deck) / 1000 < 0.6
    assert set(drawn) - {deck} <= set(named_decks().values())
    assert deck not in training.named
    only = TrainingDecks(table.model_copy(update={"library": 0}), EDITIONS[0])
    assert set(only.draw(20, rng())) == {deck}


def test_cards_of_further_decks_are_exchanged_as_often_as_they_are_drawn(tmp_path: Path) -> None:
    deck, table = further_table(tmp_path, mutated=98)
    drawn = TrainingDecks(table, EDITIONS[0]).draw(1000, rng())
    near = [each for each in drawn if sum((Counter(dict(each.cards)) & Counter(dict(deck.cards))).values()) >= 29]
    assert 0.4 < len(near) / 1000 < 0.6
    assert len(set(near)) > 100


def test_without_files_no_further_decks_are_drawn() -> None:
    drawn = TrainingDecks(DecksTable(library=1, mutated=0, random=0, further=9), EDITIONS[0]).draw(200, rng())
    assert set(drawn) <= set(named_decks().values())


def test_a_mutated_deck_differs_by_at_most_the_swaps() -> None:
    deck, generator, seen = named_deck("Handlock"), rng(), set()
    for swaps in (1, 5, 30):
        changed = check_deck(mutated(deck, pool(EDITIONS[0], "WARLOCK"), swaps, generator), EDITIONS[0])
        kept = sum((Counter(dict(deck.cards)) & Counter(dict(changed.cards))).values())
        assert kept >= 30 - swaps
        seen.add(kept)
    assert len(seen) == 3


def test_a_transplanted_deck_keeps_its_neutral_cards_and_gets_cards_of_the_other_class() -> None:
    deck, mages = named_deck("Zoo"), pool(EDITIONS[0], "MAGE")
    neutral = {card.id for card in mages if card.hero_class.name == "neutral"}
    changed = check_deck(transplanted(deck, "MAGE", mages, rng()), EDITIONS[0])
    assert changed.hero_class == "MAGE"
    kept = {card: copies for card, copies in deck.cards if card in neutral}
    assert 0 < sum(kept.values()) < 30
    assert {card: copies for card, copies in changed.cards if card in neutral} == kept


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_decks_are_transplanted_to_every_class(edition: Edition) -> None:
    table = DecksTable(library=0, mutated=0, random=0, transplanted=1)
    decks = TrainingDecks(table, edition).draw(300, rng())
    assert len({check_deck(deck, edition).hero_class for deck in decks}) == 9
    kept = {neutral_part(deck, edition) for deck in named_decks().values()}
    assert {neutral_part(deck, edition) for deck in decks} <= kept


def test_a_transplanted_deck_loses_cards_outside_the_pool() -> None:
    drake, deck = "EX1_284", named_deck("Combo Druid")  # in the Hall of Fame since 2017
    assert drake in dict(deck.cards)
    kept = {edition.name: transplanted(deck, "MAGE", pool(edition, "MAGE"), rng()) for edition in EDITIONS}
    assert {name: drake in dict(deck.cards) for name, deck in kept.items()} == {"2018-12": False, "classic-2014": True}


def neutral_part(deck: Deck, edition: Edition) -> frozenset[tuple[str, int]]:
    """The neutral cards of the pool that a deck has."""
    neutral = {card.id for card in pool(edition, deck.hero_class) if card.hero_class.name == "neutral"}
    return frozenset((card, copies) for card, copies in deck.cards if card in neutral)


def test_featured_cards_are_in_decks_of_classes_that_can_have_them() -> None:
    table = DecksTable(library=0, mutated=1, random=0, featured=("Ice Lance", "Leeroy Jenkins"), featured_share=0.6)
    decks = TrainingDecks(table, EDITIONS[0]).draw(400, rng())
    featuring = [deck for deck in decks if dict(deck.cards).keys() & {"CS2_031", "EX1_116"}]
    assert 0.5 < len(featuring) / len(decks) < 0.95
    for deck in decks:
        check_deck(deck, EDITIONS[0])
        assert deck.hero_class == "MAGE" or "CS2_031" not in dict(deck.cards)
    only_mages = TrainingDecks(DecksTable(mutated=1, library=0, random=0, featured=("Ice Lance",)), EDITIONS[0])
    classes = Counter(deck.hero_class for deck in only_mages.draw(400, rng()))
    assert classes["MAGE"] > 200


def test_a_featured_card_must_be_one_of_decks() -> None:
    check_featured(("Ice Lance", "EX1_116"), EDITIONS)
    with pytest.raises(CardError, match="no deck can have 'No such card'"):
        check_featured(("No such card",), EDITIONS)
    with pytest.raises(CardError, match="no deck can have 'GAME_005'"):
        check_featured(("GAME_005",), EDITIONS)  # The Coin


def test_editions_share_the_rows_of_cards_and_variants_have_their_attributes() -> None:
    attributes = {}
    for edition in EDITIONS:
        features = core.PositionFeatures(edition.card_set)
        starts, columns, values = features.attributes()
        numbers = JOINT.numbers[edition.name]
        assert len(numbers) == features.count
        for feature in range(0, features.count, 17):
            own = list(zip(columns[starts[feature] :], values[starts[feature] :], strict=True))
            joint = slice(JOINT.starts[numbers[feature]], JOINT.starts[numbers[feature] + 1])
            assert own[: starts[feature + 1] - starts[feature]] == list(
                zip(JOINT.columns[joint], JOINT.values[joint], strict=True)
            )
        board = next(zone for zone in features.zones if zone.name == "own board")
        attributes[edition.name] = {
            card: int(numbers[board.first + edition.number_of(card)]) for card in ("EX1_116", "CS2_182")
        }
    first, second = (attributes[edition.name] for edition in EDITIONS)
    assert first["CS2_182"] == second["CS2_182"]  # Chillwind Yeti has never changed
    assert second["EX1_116"] >= len(JOINT.keys)  # Leeroy Jenkins cost four
    assert JOINT.bases[second["EX1_116"] - len(JOINT.keys)] == first["EX1_116"]


def test_scaled_attributes_are_at_most_one() -> None:
    scaled = JOINT.values * JOINT.scales[JOINT.columns]
    assert np.abs(scaled).max() == 1


def samples(scores: np.ndarray, targets: np.ndarray) -> Samples:
    count = len(targets)
    return Samples(
        offsets=np.arange(0, 2 * count + 1, 2),
        features=np.arange(2 * count).astype(np.uint16),
        moments=(np.arange(count) % 2).astype(np.uint8),
        targets=targets.astype(np.float32),
        scores=scores.astype(np.int32),
        editions=np.zeros(count, np.uint8),
        held_out=np.arange(count) % 3 == 0,
        is_first=np.arange(count) % 2 == 0,
        ends_game=np.arange(count) == count - 1,
    )


def test_chosen_samples_keep_their_features() -> None:
    every = samples(np.zeros(7), np.ones(7))
    chosen = joined([every.where(every.held_out), every.where(~every.held_out)])
    assert list(chosen.features) == [0, 1, 6, 7, 12, 13, 2, 3, 4, 5, 8, 9, 10, 11]
    assert list(chosen.offsets) == list(range(0, 15, 2))


def test_a_return_mixes_the_outcome_with_the_chances_of_later_positions() -> None:
    # Two games of three and two positions; the player who moves first wins the first game and loses the second.
    played = replace(
        samples(np.zeros(5), np.array([1, 0, 1, 0, 1])),
        is_first=np.array([True, False, True, True, False]),
        ends_game=np.array([False, False, True, False, True]),
    )
    chances = np.array([0.5, 0.25, 0.875, 0.125, 0.5])
    # Position 1 is followed by one at which the first player's chance is 0.875, and then by its win.
    later = 0.5 * 1 + 0.5 * 0.875
    expected = [0.5 * later + 0.5 * 0.75, 1 - later, 1, 0.5 * 0 + 0.5 * 0.5, 1]
    assert returns(played, chances, outcome_share=0.5).tolist() == pytest.approx(expected)
    assert returns(played, chances, outcome_share=1.0).tolist() == played.targets.tolist()


def test_true_chances_are_calibrated_and_others_are_not() -> None:
    generator = rng()
    logits = generator.normal(0, 1.5, 50_000)
    happened = (generator.random(50_000) < 1 / (1 + np.exp(-logits))).astype(np.float64)
    assert calibration_error(logits, happened) < 0.01
    assert calibration_error(3 * logits, happened) > 0.05
    assert log_loss(logits, happened) < log_loss(3 * logits, happened)
    assert sum(each["positions"] for each in calibration(logits, happened)) == 50_000


def test_the_baseline_finds_the_slope_of_each_moment() -> None:
    generator = rng()
    scores = np.clip(generator.normal(0, 800, 40_000), -3000, 3000)
    slopes = np.where(np.arange(40_000) % 2 == 0, 1.0, -2.0)
    logits = slopes * scores / 1000
    data = samples(scores, generator.random(40_000) < 1 / (1 + np.exp(-logits)))
    found = baseline_logits(data, data)
    assert np.abs(found - logits).mean() < 0.05


def test_the_document_names_every_key_with_its_meaning() -> None:
    text = (Path(__file__).parents[4] / "docs/training.md").read_text(encoding="utf-8")
    rows = {row.split("`")[1]: row for row in text.splitlines() if row.startswith("| `")}
    for name, field in TrainingConfig.model_fields.items():
        table = field.annotation
        inner = table.model_fields.items() if isinstance(table, type) and issubclass(table, BaseModel) else ()
        for key, each in {f"{name}.{key}": each for key, each in inner}.items() or {name: field}.items():
            assert str(each.description) in rows[key]
            if isinstance(each.default, int | float):
                assert float(rows[key].split("`")[3]) == each.default
