"""Editions of Legends of Code and Magic: patches of cards as data, in every place where games are played."""

import sys
from pathlib import Path
from shlex import quote

import numpy as np
import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import CardError, StateError, TraceError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.editions import DEFAULT, Edition, Patch, cards_in, edition_of, official
from deckatlas.games.locm.entrants import Entrant, EntrantLike
from deckatlas.games.locm.evaluator import LocmEvaluator
from deckatlas.games.locm.match import play
from deckatlas.games.locm.protocol import player_input
from deckatlas.games.locm.run_config import cards_hash
from deckatlas.games.locm.spaces import LocmDecks
from deckatlas.games.locm.state import new_game, read_state
from deckatlas.games.locm.table import play_one
from helpers.batches import alone
from helpers.sanitizers import limits_memory

QUIETER = """
name = "quieter"
base = "1.2"

[cards.Slimer]
cost = 2

[cards.65]
defense = 1
keywords = "guard ward"
"""
# Every creature hits for 12 and has Charge: another game.
BRUTAL = Patch(
    "brutal",
    {card.name: {"attack": 12, "keywords": "charge"} for card in locm.cards() if card.type == "creature"},
)


@pytest.fixture
def patch_file(tmp_path: Path) -> Path:
    file = tmp_path / "quieter.toml"
    file.write_text(QUIETER, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def brutal() -> Edition:
    return official().patched(BRUTAL)


def test_a_patch_changes_the_named_cards_and_no_others(patch_file: Path) -> None:
    edition = edition_of(patch_file)
    assert (edition["Slimer"].cost, edition[65].defense, edition["65"].keywords) == (2, 1, "---G-W")
    assert [card.id for card, old in zip(edition.cards, locm.cards(), strict=True) if card != old] == [1, 65]
    assert edition.name == "quieter"
    assert edition_of(DEFAULT).cards == locm.cards()


def test_a_patch_is_written_as_the_text_it_was_read_from() -> None:
    patch = Patch.from_toml(QUIETER)
    assert Patch.from_toml(patch.to_toml()) == patch
    edition = official().patched(patch).patched(Patch("louder", {"1": {"attack": 9}}))
    assert official().patched(edition.as_patch()) == edition
    assert edition.as_patch().cards["Slimer"] == {"cost": 2, "attack": 9}


@pytest.mark.parametrize("keywords", ["guard ward", "Guard, Ward", "W g", "---G-W"])
def test_keywords_are_words_letters_or_six_characters(keywords: str) -> None:
    assert official().patched(Patch("p", {"1": {"keywords": keywords}}))[1].keywords == "---G-W"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('name="x"\n[cards.Slimr]\ncost=3', 2, "there is no card 'Slimr': did you mean 'Slimer'?"),
        ('name="x"\n[cards.161]\ncost=3', 2, "there is no card '161'"),
        ('name="x"\n[cards.Slimer]\ncosts=3', 3, "has no field 'costs': did you mean 'cost'?"),
        ('name="x"\n[cards.Slimer]\ntype="red"', 3, "has no field 'type': which a patch cannot change"),
        ('name="x"\n[cards.Slimer]\nattack=-1', 2, "card 1: attack -1 is not between 0 and 99"),
        ('name="x"\n[cards.Slimer]\ndefense=0', 2, "card 1: defense 0 is not between 1 and 99"),
        ('name="x"\n[cards.Slimer]\ncost=100', 3, "cost must be a whole number between -99 and 99, not 100"),
        ('name="x"\n[cards.Slimer]\ncost=1.5', 3, "cost must be a whole number between -99 and 99, not 1.5"),
        ('name="x"\n[cards.Slimer]\ncost=true', 3, "cost must be a whole number between -99 and 99, not True"),
        ('name="x"\n[cards.Decimate]\nattack=1', 2, "card 151: attack 1 is not between -99 and 0"),
        ('name="x"\n[cards.Slimer]\ndraw=10', 2, "card 1: draw 10 is not between 0 and 9"),
        ('name="x"\n[cards.Slimer]\nkeywords="gurd"', 3, "unknown keyword 'gurd': did you mean 'Guard'?"),
        ('name="x"\n[cards.Slimer]\nkeywords=3', 3, "keywords must be a text such as 'guard ward', not 3"),
        ('name="x"\n[cards.1]\ncost=1\n[cards.slimer]\ncost=2', 4, "is changed twice, as '1' and as 'slimer'"),
        ('name="x"\nbase="2.0"', 2, "unknown base '2.0'"),
        ('name="1.2"', 1, "an edition already has this name"),
        ('name="x"\ncards=3', 2, "must have one table per card"),
        ('name="x"\nnew=3', 2, "a patch has name, base and the table cards, not 'new'"),
        ("[cards.1]\ncost=2", None, "a patch needs a name"),
        ("name=", None, "the patch is not TOML"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CardError) as caught:
        edition_of(file)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{file}: " if line is None else f"{file}, line {line}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("given", ["2.0", "missing.toml", 3])
def test_an_unknown_edition_is_refused(given: str) -> None:
    with pytest.raises(CardError):
        edition_of(given)


def test_only_the_official_cards_have_the_name_of_the_official_edition(brutal: Edition) -> None:
    assert Edition(DEFAULT, locm.cards()) == official()
    with pytest.raises(CardError, match=r"the edition 1\.2 has the official cards"):
        Edition(DEFAULT, brutal.cards)


def test_games_are_played_with_the_cards_of_the_edition(brutal: Edition) -> None:
    copy = Edition("copy", locm.cards())
    plain, patched, same = (
        play("icebox/greedy", "random/greedy", games=200, seed=3, edition=each) for each in (official(), brutal, copy)
    )
    assert patched["turns"].mean() < 0.8 * plain["turns"].mean()
    assert np.array_equal(plain["seed"], patched["seed"])
    assert all(np.array_equal(same[name], plain[name]) for name in plain.columns)


def test_the_core_and_the_table_play_an_edition_alike(brutal: Edition) -> None:
    def greedy(state: locm.State, actions: list[locm.Action]) -> locm.Action:
        return actions[-1] if state.in_battle else actions[0]

    seats: tuple[EntrantLike, EntrantLike] = ("icebox/greedy", "random/greedy")
    in_core = play(*seats, games=6, seed=5, edition=brutal)
    for game in range(6):
        first, second = seats if game % 2 == 0 else seats[::-1]
        record = play_one(first, second, seed=int(in_core["seed"][game]), edition=brutal)
        assert list(record.replay())[-1].battle_hash == in_core["final_hash"][game]
    by_python = play("icebox/greedy", ("random", greedy), games=4, seed=5, edition=brutal)
    assert by_python["mana_spent"].min() >= 0


def test_a_gauntlet_plays_the_edition(brutal: Edition) -> None:
    result = locm.gauntlet(["icebox/greedy", "random/greedy"], games=100, seed=3, edition=brutal)
    match = play("icebox/greedy", "random/greedy", games=100, seed=3, edition=brutal)
    assert np.array_equal(result.matches[0]["winner"], match["winner"])


def test_the_text_of_a_state_names_other_cards_and_is_read_with_them_only(patch_file: Path) -> None:
    edition = edition_of(patch_file)
    state = new_game(seed=7, edition=edition)
    text = state.to_text()
    assert text.startswith("locm1.2 edition=quieter@")
    assert read_state(text, edition=patch_file) == state
    assert read_state(text, edition=patch_file).to_text() == text
    assert state != new_game(seed=7)
    for other in (official(), official().patched(Patch("quieter", {"1": {"cost": 9}}))):
        with pytest.raises(StateError, match="edition: the state was made with the cards 'quieter@"):
            read_state(text, edition=other)
    with pytest.raises(StateError, match=r"made with the cards 1\.2, but is read with 'quieter@"):
        read_state(new_game(seed=7).to_text(), edition=edition)
    assert new_game(seed=7).to_text().startswith("locm1.2 phase=draft")
    with pytest.raises(StateError, match="edition: missing"):
        read_state("locm1.2 edition= phase=draft")


def test_a_record_knows_its_edition(brutal: Edition) -> None:
    record = play_one("icebox/greedy", "random/greedy", seed=7, edition=brutal)
    again = locm.GameRecord.from_text(record.to_text(), edition=brutal)
    assert again == record
    assert [state.hash for state in again.replay()] == [state.hash for state in record.replay()]
    assert "summons" in locm.narrate(again)
    with pytest.raises(TraceError, match="edition: the state was made with the cards 'brutal@"):
        locm.GameRecord.from_text(record.to_text())


def test_people_and_programs_see_the_numbers_of_the_edition(brutal: Edition) -> None:
    state = new_game(seed=7, edition=brutal)
    offered = [cards_in(state)[card - 1] for card in state.offers[0]]
    assert any(card.attack == 12 for card in offered)
    for card in offered:
        assert str(card) in str(state)
        assert f"{card.cost} {card.attack} {card.defense} {card.keywords}" in player_input(state, [])


@limits_memory
def test_a_program_of_ours_plays_any_edition_from_its_input(brutal: Edition) -> None:
    program = f"exec:{quote(str(Path(sys.executable).parent / 'deckatlas'))} bot locm icebox/greedy --seed 7"
    shown = play_one(program, "random/greedy", seed=7, edition=brutal, time_factor=100)
    known = play_one("icebox/greedy", "random/greedy", seed=7, edition=brutal)
    assert shown.forfeit is None
    assert [*map(str, shown.actions)] == [*map(str, known.actions)]


def test_the_columns_of_decks_are_those_of_the_edition() -> None:
    edition = official().patched(Patch("dear", {"1": {"cost": 12}}))
    deck = np.zeros(160, np.uint8)
    deck[0] = 30
    assert LocmDecks(most_copies=30, edition=edition).measures(deck[np.newaxis])[0, 0] == 360
    assert LocmDecks(most_copies=30).measures(deck[np.newaxis])[0, 0] == 30


def test_an_evaluator_plays_the_edition(brutal: Edition) -> None:
    space = LocmDecks(edition=brutal)
    solution = space.random(np.random.default_rng(2))
    evaluator = LocmEvaluator(space, pilot="greedy", opponents=("icebox/greedy",), edition=brutal)
    found = evaluator.evaluate(alone(solution, seed=3, first_game=0, games=40))
    candidate = Entrant("candidate", space.policy(solution), battle_agent("greedy"))
    match = play(candidate, "icebox/greedy", games=40, seed=core.game_seed(3, 0, False), edition=brutal)
    assert found.value[0, 0] == match.wins / 40
    assert found.value[0, 2] == pytest.approx(np.ceil(match["turns"] / 2).mean())


def test_hashes_tell_editions_apart(brutal: Edition) -> None:
    assert official().hash == cards_hash()
    assert brutal.hash != official().hash
    assert Edition("copy", locm.cards()).hash == official().hash


def test_cards_are_found_in_the_edition(patch_file: Path) -> None:
    found = locm.find_cards(keyword="ward", cost=2, edition=patch_file)
    assert "Steelplume Defender" in [card.name for card in found]
    assert [card.id for card in locm.find_cards("steelplume", keyword="guard", edition=patch_file)] == [65]
    with pytest.raises(CardError, match="no card fits"):
        locm.find_cards("steelplume", keyword="guard")


def test_a_patch_may_go_to_the_limits_of_every_number() -> None:
    """All agents play cards at the ends of all ranges to the end of the game."""
    wild = {}
    for card in locm.cards():
        creature, odd, most = card.type == "creature", card.id % 2, 14 if card.type == "green" else 0
        wild[card.name] = {
            "cost": (0, 99, 12)[card.id % 3],
            "attack": 99 * odd if creature else (most if odd else -99),
            "defense": (99 if odd else 1) if creature else (-99 if odd else most),
            "keywords": "BCDGLW" if odd else "",
            "player_health": (99, -99, 0)[card.id % 3],
            "enemy_health": (-99, 99, 0)[card.id // 3 % 3],
            "draw": 9 * odd,
        }
    edition = official().patched(Patch("wild", wild))
    for name in locm.BATTLE_AGENTS:
        result = play(f"random/{name}", "icebox/greedy", games=4, seed=1, edition=edition)
        assert set(result["winner"].tolist()) <= {0, 1}
    for name in set(locm.DRAFT_POLICIES) - {"ranking", "genome", "net"}:
        assert play(f"{name}/greedy", "icebox/random", games=10, seed=1, edition=edition).games == 10
