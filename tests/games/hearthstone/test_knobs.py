"""Knobs of Hearthstone's cards: what they span, the patches they make, and files with mistakes."""

from pathlib import Path
from typing import Any

import pytest

from deckatlas.balancing.gauges import AdaptedRate, KnownRate
from deckatlas.balancing.knobs import PatchSpace
from deckatlas.balancing.one_call import read_targets
from deckatlas.errors import DeckatlasError
from deckatlas.games.hearthstone.cards.editions import edition, edition_of
from deckatlas.games.hearthstone.knobs import HearthstoneRebalancer

FIELD = """\
edition = "2018-12"
pilot = "random"

[[deck]]
deck = "Zoo (ladder 1)"
name = "Zoo"
[[deck]]
deck = "Midrange Hunter (ladder)"
name = "Midrange Hunter"
[[deck]]
deck = "Starter Mage"
"""
WANTED = 'meta = "three.toml"\n[[target]]\nintent = "hunter win rate in 48..52"\n'
KNOBS = """
[knobs."Savannah Highmane"]
cost = [5, 8]
attack = { values = [4, 6, 7] }

[knobs."Kill Command"]
effect = "spell(when(exists(MY_MINIONS & BEAST), deal({much}, target(CHARACTERS)), otherwise=deal({little}, TARGET)))"
much = [3, 6]
little = [2, 3]
"""


def rebalancer(folder: Path, text: str) -> HearthstoneRebalancer:
    (folder / "three.toml").write_text(FIELD, encoding="utf-8")
    (folder / "calmer.toml").write_text(text, encoding="utf-8")
    task = read_targets(folder / "calmer.toml", folder=folder / "runs", seed=0, threads=1)
    assert isinstance(task.rebalancer, HearthstoneRebalancer)
    return task.rebalancer


def test_knobs_are_read_with_the_values_that_cards_have_today(tmp_path: Path) -> None:
    knobs = rebalancer(tmp_path, WANTED + KNOBS).knobs
    assert [(each.card, each.name, each.own, each.values, each.weight) for each in knobs] == [
        ("Savannah Highmane", "cost", 6, (5, 6, 7, 8), 2.0),
        ("Savannah Highmane", "attack", 6, (4, 6, 7), 1.0),
        ("Kill Command", "much", 5, (3, 4, 5, 6), 1.0),
        ("Kill Command", "little", 3, (2, 3), 1.0),
    ]


def test_found_decks_play_beside_the_known_ones_without_a_share(tmp_path: Path) -> None:
    known = rebalancer(tmp_path, WANTED + KNOBS)
    joined = known.with_found({"hunter": ("Face Hunter", "Midrange Hunter")})
    assert known.field.names == ("Zoo", "Midrange Hunter", "Starter Mage")
    assert joined.field.names == (*known.field.names, "found Hunter", "found Hunter (2)")
    assert joined.field.shares.tolist() == [*known.field.shares.tolist(), 0.0, 0.0]
    assert joined.with_found({}).field.names == known.field.names


def test_found_hunters_count_for_the_hunter_and_no_other_target(tmp_path: Path) -> None:
    (tmp_path / "three.toml").write_text(FIELD, encoding="utf-8")
    zoo = '[[target]]\nintent = "Zoo win rate at most 60"\n'
    (tmp_path / "calmer.toml").write_text(WANTED + zoo + KNOBS, encoding="utf-8")
    task = read_targets(tmp_path / "calmer.toml", folder=tmp_path / "runs", seed=0, threads=1)
    later = task.after({"hunter": ("Face Hunter", "Midrange Hunter")})
    assert [type(each) for each in task.gauges] == [KnownRate, KnownRate]
    adapted, same = later.gauges
    assert isinstance(adapted, AdaptedRate)
    assert [sorted(each) for each in adapted.found] == [[(0, 3), (1, 3), (2, 3)], [(0, 4), (1, 4), (2, 4)]]
    assert same == task.gauges[1]
    assert (later.number, later.name != task.name) == (2, True)
    # The budget grows with the pairs that play, so that as many patches are explored.
    assert later.plan.explorers == pytest.approx(task.plan.explorers, abs=2)


def test_a_patch_changes_what_was_turned_and_nothing_else(tmp_path: Path) -> None:
    found = rebalancer(tmp_path, WANTED + KNOBS)
    cards = found.edition((7, 6, 4, 3))
    base = edition()
    changed = {card.name for card in cards.cards if base.by_id[card.id] != card}
    assert changed == {"Savannah Highmane", "Kill Command"}
    assert (cards["Savannah Highmane"].cost, cards["Savannah Highmane"].attack) == (7, 6)
    assert found.words((7, 6, 5, 3)) == "Savannah Highmane costs 7 instead of 6"
    assert "4" in found.words((6, 6, 4, 3))
    assert found.words(PatchSpace(found.knobs).own) == "nothing"


def test_a_patch_is_written_as_a_file_that_makes_the_same_cards(tmp_path: Path) -> None:
    found = rebalancer(tmp_path, WANTED + KNOBS)
    file = tmp_path / "patch.toml"
    file.write_text(found.to_toml((8, 4, 3, 2), "calmer-1"), encoding="utf-8")
    assert edition_of(file).cards == found.edition((8, 4, 3, 2)).cards


def test_a_patch_of_a_patch_says_how_to_study_it(tmp_path: Path) -> None:
    (tmp_path / "strong.toml").write_text('name = "strong"\n[cards."Savannah Highmane"]\ncost = 2\n', encoding="utf-8")
    found = rebalancer(tmp_path, 'base = "strong.toml"\n' + WANTED + '[knobs."Savannah Highmane"]\ncost = [2, 6]\n')
    assert found.knobs[0].own == 2
    assert found.edition((4,))["Savannah Highmane"].cost == 4
    assert f"--base {tmp_path / 'strong.toml'}" in found.to_toml((4,), "calmer-1")


def test_studies_of_all_patches_search_the_same_classes_and_watch_the_same_cards(tmp_path: Path) -> None:
    found = rebalancer(
        tmp_path, WANTED + '[knobs."Savannah Highmane"]\ncost = [5, 8]\n[knobs.Flamestrike]\ncost = [6, 8]\n'
    )
    for values in ((7, 7), (6, 8), (6, 7)):
        subject: Any = found.subject(values, "calmer-1")
        assert set(subject.kinds) == {"hunter", "mage"}
        assert set(subject.cards) == {"Savannah Highmane", "Flamestrike"}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('[knobs."Savannah Highman"]\ncost = [5, 8]\n', 4, "no card 'Savannah Highman'"),
        ('[knobs."Savannah Highmane"]\nprice = [5, 8]\n', 5, "no number 'price'"),
        ('[knobs."Savannah Highmane"]\ncost = [8, 5]\n', 5, "from a smaller to a larger"),
        ('[knobs."Savannah Highmane"]\ncost = [7, 9]\n', 5, "is 6, and its range must contain that"),
        ('[knobs."Savannah Highmane"]\ncost = 5\n', 5, "as a range, such as"),
        ('[knobs."Savannah Highmane"]\ncost = { values = [6] }\n', 5, "two whole numbers or more"),
        ('[knobs."Savannah Highmane"]\ndurability = [1, 3]\n', 5, "is a minion and has no durability"),
        ("[knobs.Fireball]\nhealth = [0, 3]\n", 5, "is a spell and has no health"),
        ('[knobs."Savannah Highmane"]\n', 4, "has no knob"),
        ('[knobs."Savannah Highmane"]\nhealth = [-3, 6]\n', 5, "Savannah Highmane"),
        ('[knobs.Fireball]\neffect = "spell(deal(6, target(CHARACTERS)))"\n', 5, "names no number"),
        ('[knobs.Fireball]\neffect = "spell(deal({damage}, target(CHARACTERS)))"\n', 5, "needs a range of its own"),
        (
            '[knobs.Fireball]\neffect = "spell(deal({damage}, target(MINIONS)))"\ndamage = [4, 7]\n',
            5,
            "no numbers in these ranges make the effect",
        ),
        ('[knobs.Fireball]\neffect = "spell(dealt({damage}))"\ndamage = [4, 7]\n', 5, "dealt"),
        ("[knobs.Fireball]\neffect = \"__import__('os').getpid({n})\"\nn = [1, 2]\n", 5, "Fireball"),
        (
            '[knobs.Fireball]\neffect = "spell(deal({a} + {b} + {c}, target(CHARACTERS)))"\n'
            "a = [0, 90]\nb = [0, 90]\nc = [0, 90]\n",
            5,
            "the ranges of Fireball make too many effects",
        ),
        ("[knobs.Fireball]\ncost = [3, 5]\n[knobs.CS2_029]\ncost = [3, 5]\n", 6, "Fireball has two tables of knobs"),
    ],
)
def test_a_mistake_in_knobs_is_told_with_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(DeckatlasError) as found:
        rebalancer(tmp_path, WANTED + text)
    assert message in str(found.value)
    assert f"calmer.toml, line {line}: " in str(found.value)
    assert "\n" not in str(found.value)


KNOB = "[knobs.Fireball]\ncost = [3, 5]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WANTED.replace("hunter", "wizard") + KNOB, "line 3: intent"),
        (
            WANTED.replace("hunter win rate in 48..52", "Fireball in at most 40 % of mage elites") + KNOB,
            "no target is the win rate of a deck or class",
        ),
        ("budget = 100\n" + WANTED + KNOB, "line 1: a budget of 100 games is too small"),
        ('base = "2099-01"\n' + WANTED + KNOB, "line 1: unknown edition"),
        ('pilot = "nobody"\n' + WANTED + KNOB, "nobody"),
        ('classes = ["wizard"]\n' + WANTED + KNOB, "wizard"),
        ('colour = "red"\n' + WANTED + KNOB, "unknown key 'colour'"),
        (WANTED, "knobs is missing"),
        (KNOB, "target is missing"),
        (WANTED + KNOB + "[confirm]\ntrials = 1\n", "confirm.trials"),
    ],
)
def test_other_mistakes_are_told_before_the_first_game(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DeckatlasError) as found:
        rebalancer(tmp_path, text)
    assert message in str(found.value)
    assert not (tmp_path / "runs").exists()
