"""Comparisons of Hearthstone decks, pilots and editions: what is compared, on which games, and what pairing gains."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas.errors import DeckatlasError
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import edition_of
from deckatlas.games.hearthstone.compare import compare, paired_games, side_of
from deckatlas.games.hearthstone.compared import common_kind
from deckatlas.games.hearthstone.metagame import metagame_of
from deckatlas.games.hearthstone.paired_games import aligned, with_shared_first
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.play.paired import compare_sides
from deckatlas.views.comparison_terminal import comparison_parts

META = """\
edition = "2018-12"
pilot = "greedy"

[[deck]]
deck = "Zoo"
share = 3

[[deck]]
deck = "Control Warrior (ladder)"
name = "Warrior"

[[deck]]
deck = "Face Hunter (ladder)"
name = "Hunter"

[[deck]]
deck = "Handlock"
share = 0
"""
NERF = """\
name = "nerf"

[cards."Ragnaros the Firelord"]
attack = 7
"""
WARRIOR = "Control Warrior (ladder)"


@pytest.fixture
def meta(tmp_path: Path) -> Path:
    file = tmp_path / "meta.toml"
    file.write_text(META, encoding="utf-8")
    return file


@pytest.fixture
def nerf(tmp_path: Path) -> Path:
    file = tmp_path / "nerf.toml"
    file.write_text(NERF, encoding="utf-8")
    return file


def test_pilots_are_compared_on_the_games_that_evaluations_play(meta: Path) -> None:
    played = paired_games("greedy", "random", meta=meta, deck="Zoo", seed=7)
    won = played.play(range(2, 6), progress=None)
    assert won.shape == (2, 4, 3, 2)
    field = metagame_of(meta)
    suite = hearthstone.Suite(
        "same",
        tuple(
            hearthstone.Opponent(each.name, hearthstone.read_deck(each.deck, field.cards), each.pilot)
            for each in field.entrants[:3]
        ),
    )
    for side, pilot in zip(won, ("greedy", "random"), strict=True):
        games = hearthstone.evaluate("Zoo", pilot=pilot, suite=suite, games=24, first_game=12, seed=7, keep_games=True)
        assert side.sum() == games.wins[0]
        for opponent in range(3):
            assert side[:, opponent].mean() == games.by_opponent["win_rate"].value[0, opponent]
        assert games.games is not None
        assert side[..., 0].sum() == (games.games.outcome[:, games.course.seat == 0] == 1).sum()


def test_opponents_weigh_as_much_as_their_shares_and_those_without_one_are_left_out(meta: Path) -> None:
    played = paired_games("Zoo", "Handlock", meta=meta)
    assert played.opponents == ("Zoo", "Warrior", "Hunter")
    assert played.weights.tolist() == pytest.approx([0.6, 0.2, 0.2])


def test_rounds_can_be_played_in_parts_on_any_number_of_threads(meta: Path) -> None:
    whole = paired_games("fast", "greedy", meta=meta, threads=1).play(range(4), progress=None)
    played = paired_games("fast", "greedy", meta=meta, threads=2)
    parts = [played.play(part, progress=None) for part in (range(1), range(1, 4))]
    assert np.array_equal(whole, np.concatenate(parts, axis=1))


def test_a_deck_and_its_copy_are_undecided_with_every_game_the_same(meta: Path) -> None:
    code = hearthstone.deck_code(hearthstone.named_decks()["Zoo"], hearthstone.edition())
    found = compare("Zoo", code, meta=meta, games=2_000)
    assert (found.verdict, found.difference.value) == ("undecided", 0.0)
    assert found.games == found.looks[0]
    assert "are the same" in found.sentence


def test_a_good_deck_is_better_than_a_bad_one_and_the_other_way_round_worse(meta: Path) -> None:
    options: dict[str, Any] = {"meta": meta, "games": 2_000, "seed": 1}
    found = compare("Zoo", "Starter Priest", **options)
    assert found.verdict == "better"
    assert found.difference.low > 0
    back = compare("Starter Priest", "Zoo", **options)
    assert back.verdict == "worse"
    assert back.difference.value == -found.difference.value
    assert back.games == found.games < 2_000


def test_a_better_pilot_is_found_against_others_and_directly(meta: Path) -> None:
    found = compare("greedy", "random", meta=meta, games=1_200)
    assert found.verdict == "better"
    assert {row.name for row in found.parts["deck"]} == {"Zoo", "Warrior", "Hunter", "Handlock"}
    direct = compare("greedy", "random", meta=meta, games=1_200, direct=True, deck="Zoo")
    assert direct.verdict == "better"
    assert direct.difference.value > found.difference.value  # the weak one is the opponent as well
    assert "against each other" in direct.sentence


def test_every_deck_meets_every_opponent_as_often(meta: Path) -> None:
    played = paired_games("greedy", "random", meta=meta)
    numbers = played.deck_numbers(range(8))
    for opponent in range(3):
        assert np.bincount(numbers[:, opponent]).tolist() == [2, 2, 2, 2]
    assert played.deck_numbers(range(3, 8)).tolist() == numbers[3:].tolist()


def test_pairing_shrinks_the_interval_of_a_one_point_nerf_five_times(meta: Path, nerf: Path) -> None:
    paired, apart = (
        compare("2018-12", str(nerf), deck=WARRIOR, meta=meta, games=2_400, paired=paired) for paired in (True, False)
    )
    assert paired.games == apart.games
    assert paired.difference.half_width * 5 < apart.difference.half_width


def test_editions_are_compared_by_the_decks_with_cards_that_differ(meta: Path, nerf: Path) -> None:
    played = paired_games("2018-12", nerf, meta=meta)
    assert played.decks == ("Warrior",)
    assert played.names == ("2018-12", "nerf")
    read = paired_games("2018-12", nerf, meta=metagame_of(meta), pilot="random")
    assert [side.setting.edition.name for side in read.sides] == ["2018-12", "nerf"]
    assert read.against == "meta (random)"
    assert paired_games("2018-12", "2018-12", meta=meta).decks == ("Zoo", "Warrior", "Hunter", "Handlock")
    assert compare("2018-12", "2018-12", meta=meta, games=200).verdict == "undecided"


def test_the_opponents_are_the_metagame_of_the_edition(tmp_path: Path) -> None:
    assert paired_games("Zoo", "Handlock").against == "field-2018 (2018-12, default)"
    assert paired_games("Zoo", "Handlock", edition="classic-2014").against == "field (classic-2014, default)"
    patch = tmp_path / "patch.toml"
    patch.write_text('name = "small"\nbase = "classic-2014"\n\n[cards.Wisp]\nattack = 2\n', encoding="utf-8")
    assert paired_games("Zoo", "Handlock", edition=patch).against == "field (small, default)"
    assert paired_games("classic-2014", patch, deck="Zoo").against == "field (default)"


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Zoo", "handlock", "deck"),
        ("fast", "planner:score=aggro", "pilot"),
        ("2018-12", "nerf.toml", "edition"),
        ("Zoo", "mine.txt", "deck"),
        ("Zoo", "Zooo", "deck"),
        ("fast", "fats", "pilot"),
    ],
)
def test_what_is_compared_follows_from_the_names(a: str, b: str, kind: str) -> None:
    assert common_kind(a, b, None) == kind


@pytest.mark.parametrize(
    ("a", "b", "options", "message"),
    [
        ("Zoo", "fast", {}, "'Zoo' is a deck and 'fast' is a pilot: both must be decks"),
        ("2018-12", "Zoo", {}, "'2018-12' is an edition and 'Zoo' is a deck"),
        ("Zoo", "Zooo", {}, "unknown deck 'Zooo': did you mean 'Zoo'"),
        ("fast", "fats", {}, "unknown agent 'fats': did you mean 'fast'"),
        ("2018-12", "none.toml", {}, "cannot read none.toml"),
        ("Zoo", "Handlock", {"kind": "decks"}, "not 'decks': did you mean 'deck'"),
        ("Zoo", "Handlock", {"deck": "Zoo"}, "the option deck is for comparisons of pilots and editions"),
        ("Zoo", "Handlock", {"direct": True}, "the option direct is for comparisons of pilots"),
        ("fast", "greedy", {"pilot": "fast"}, "the option pilot is for comparisons of decks and editions"),
        ("2018-12", "2019-12", {"edition": "2018-12"}, "the option edition is for comparisons of decks and pilots"),
        ("Zoo", "Handlock", {"meta": "feild"}, "there is no metagame, no file and no run 'feild'"),
        ("Zoo", "Handlock", {"seed": "one"}, "a seed is a whole number"),
        (3, "Zoo", {}, "only decks, pilots or editions can be compared, not 3"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_line(a: Any, b: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(DeckatlasError) as refused:
        paired_games(a, b, **options)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_name_with_two_meanings_needs_a_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("fast", "greedy"):
        (tmp_path / name).write_text("Zoo\n", encoding="utf-8")
    with pytest.raises(DeckatlasError, match="'fast' and 'greedy' can be decks or pilots: choose one with --as"):
        common_kind("fast", "greedy", None)
    assert common_kind("fast", "greedy", "pilot") == "pilot"
    assert common_kind("fast", "search", None) == "pilot"


def test_a_patch_that_no_deck_of_the_metagame_feels_is_refused(meta: Path, tmp_path: Path) -> None:
    patch = tmp_path / "unfelt.toml"
    patch.write_text('name = "unfelt"\n\n[cards.Nozdormu]\nattack = 7\n', encoding="utf-8")
    with pytest.raises(DeckatlasError, match="no deck of meta has a card that differs"):
        paired_games("2018-12", patch, meta=meta)


def test_a_deck_and_its_copy_under_other_seeds_seldom_differ(meta: Path) -> None:
    """A quick version of experiments/comparisons/calibration.py, with real games."""
    field = metagame_of(meta)
    found = [compare("Zoo", "Zoo", meta=field, pilot=None, games=96, seed=seed, paired=False) for seed in range(40)]
    assert sum(each.verdict != "undecided" for each in found) <= 7  # 5 % of 40 give more once in a thousand tries
    assert len({each.difference.value for each in found}) > 5


def test_shared_cards_of_two_decks_have_the_same_places() -> None:
    base, other, same = np.array([[7, 1, 1, 3, 5, 6], [7, 1, 2, 3, 4, 5], [7, 6, 5, 1, 3, 1]], np.int32)
    found = aligned(np.array([other, same]), to=base)
    assert found[0].tolist() == [7, 1, 2, 3, 5, 4]
    assert found[1].tolist() == base.tolist()
    one, two = with_shared_first(base[np.newaxis], other[np.newaxis])
    assert (one.tolist(), two.tolist()) == ([[7, 1, 3, 5, 1, 6]], [[7, 1, 3, 5, 2, 4]])


def test_a_swap_of_one_card_leaves_most_games_as_they_were() -> None:
    deck = deck_of("Midrange Paladin", edition_of("2018-12"))
    cards = [*deck.copies]
    cards[cards.index(next(card for card in cards if cards.count(card) == 1))] = "CS2_231"  # Wisp
    swapped = Deck(deck.hero_class, tuple(Counter(cards).items()))
    pairs = paired_games(deck, swapped, pilot="greedy", seed=1)
    one, other = pairs.play(range(10), progress=None).mean(axis=3).reshape(2, -1)
    apart = replace(
        pairs, sides=(pairs.sides[0], side_of(metagame_of("field-2018", pilot="greedy"), [swapped], "greedy"))
    )
    loose = apart.play(range(10), progress=None)[1].mean(axis=2).reshape(-1)
    assert (one != other).mean() < 0.8 * (one != loose).mean()


def test_forfeits_are_named_and_those_of_one_comparison_alone(meta: Path) -> None:
    played = paired_games("greedy", "exec:true", deck="Zoo", meta=meta, threads=1)
    found, again = (compare_sides(played, games=24) for _ in range(2))
    assert found.to_json() == again.to_json()
    assert not found.forfeits[0]
    ((reason, count),) = found.forfeits[1].items()
    assert reason.startswith("exec:true: ")
    assert count == found.games // 2
    all_of_b = f"{count} of {count} games of exec:true"
    assert found.sentence.endswith(f" Forfeits ended 0 of {count} games of greedy and {all_of_b}.")
    assert found.to_json()["forfeits_b"] == {reason: count}
    assert f"  forfeits in games of B: {count} x {reason}" in comparison_parts(found)


def test_a_comparison_without_forfeits_does_not_speak_of_them(meta: Path) -> None:
    found = compare("greedy", "random", deck="Zoo", meta=meta, games=24)
    assert found.forfeits == ({}, {})
    assert "orfeit" not in found.sentence
