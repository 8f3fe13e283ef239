"""Metagames of Hearthstone: shipped ones, files and elites; stored, resumed, and the same on any number of threads."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas.errors import DeckatlasError, DeckError
from deckatlas.games.hearthstone.cards.editions import edition_of
from deckatlas.games.hearthstone.cards.library import deck_called, field_decks, library
from deckatlas.games.hearthstone.metagame import METAGAMES, metagame, metagame_of
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.suites import suite_of
from deckatlas.metagame import rounds
from deckatlas.runs.library import summaries
from deckatlas.search.scripts import Script

FILE = """\
edition = "classic-2014"
pilot = "greedy"

[[deck]]
deck = "Handlock"
share = 3

[[deck]]
deck = "zoo"
name = "Small Demons"

[[deck]]
deck = "Face Hunter"
pilot = "random"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "three.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_the_shipped_field_is_that_of_the_library() -> None:
    field = metagame_of("field")
    assert [deck_called(each.deck) for each in field.entrants] == list(field_decks())
    assert list(field.names) == [each.archetype for each in field_decks()]
    assert field.edition == "classic-2014"
    assert field.pilots == ("default",)


def test_the_shipped_field_of_2018_has_one_legal_list_per_archetype() -> None:
    field = metagame_of("field-2018")
    cards = edition_of("2018-12")
    playable = set()
    for each in library().values():
        try:
            deck_of(each.deck, cards)
        except DeckError:
            continue
        playable |= {each.archetype} - {""}
    assert field.edition == "2018-12"
    assert set(field.names) == playable
    for entrant in field.entrants:
        known = deck_called(entrant.deck)
        assert known is not None
        assert known.archetype == entrant.name


@pytest.mark.parametrize("name", METAGAMES)
def test_equal_pilots_play_shipped_metagames(name: str) -> None:
    assert len(metagame_of(name).pilots) == 1
    assert metagame_of(name, pilot="random").pilots == ("random",)


def test_a_file_names_decks_pilots_and_shares(file: Path) -> None:
    found = metagame_of(file)
    assert found.name == "three"
    assert found.names == ("Handlock", "Small Demons", "Face Hunter")
    assert [each.pilot for each in found.entrants] == ["greedy", "greedy", "random"]
    assert found.shares.tolist() == [0.6, 0.2, 0.2]


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ('"Handlock"', '"Handlok"', "line 5: unknown deck 'Handlok'"),
        ('"Handlock"', '"Tempo Rogue"', "line 5: "),
        ('name = "Small Demons"', 'name = "Handlock"', "line 10: two decks are called 'Handlock'"),
        ('pilot = "random"', 'pilot = "nobody"', "line 14: "),
        ('pilot = "greedy"', 'pilot = "nobody"', "line 2: "),
        ('pilot = "greedy"', 'pilot = "exec:cat"', "line 2: "),
        ('"classic-2014"', '"1999"', "line 1: "),
        ("share = 3", "share = -3", "line 6: "),
        ("share = 3", "weight = 3", "line 6: "),
        (FILE[FILE.index('[[deck]]\ndeck = "zoo"') :], "", "two decks or more"),
    ],
)
def test_a_mistake_in_a_file_is_reported_with_its_line(file: Path, old: str, new: str, mistake: str) -> None:
    file.write_text(FILE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DeckatlasError, match=mistake) as error:
        metagame_of(file)
    assert "\n" not in str(error.value)
    assert "three.toml" in str(error.value)


@pytest.mark.parametrize("given", ["nothing", "nothing.toml", "", 3])
def test_what_is_no_metagame_is_refused(given: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DeckatlasError):
        metagame_of(given)


def test_the_result_is_the_same_on_any_number_of_threads_and_read_from_the_store(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    one = metagame(file, games=8, seed=3, samples=20, threads=1)
    two = metagame(file, games=8, seed=3, samples=20, threads=2, store=folder)
    again = metagame(file, games=8, seed=3, samples=20, store=folder)
    assert one.to_json() == two.to_json() == again.to_json()
    assert one.matchups.games == 8 * 3
    assert one.to_json() != metagame(file, games=8, seed=4, samples=20).to_json()
    (summary,) = summaries(folder)
    assert (summary.state, summary.games) == ("finished", 24)


def test_an_interrupted_metagame_resumes(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "_PIECE", 5)
    whole = metagame(file, games=12, seed=3, samples=20)
    asked = Script._advance
    pieces = 0

    def interrupted(self: Script, resume: Any) -> Any:
        nonlocal pieces
        pieces += 1
        if pieces == 6:
            raise KeyboardInterrupt
        return asked(self, resume)

    monkeypatch.setattr(Script, "_advance", interrupted)
    folder = tmp_path / "runs"
    with pytest.raises(KeyboardInterrupt):
        metagame(file, games=12, seed=3, samples=20, store=folder)
    (summary,) = summaries(folder)
    assert summary.state == "stopped"
    assert 0 < summary.games < 36
    assert metagame(file, games=12, seed=3, samples=20, store=folder).to_json() == whole.to_json()


def test_a_deck_meets_every_deck_of_the_field_on_the_same_seeds(file: Path) -> None:
    field = metagame(file, games=8, seed=3, samples=20, pilot="greedy")
    challenge = field.deck("Handlock")
    assert challenge.name == "Handlock (2)"
    assert challenge.rate(0).value == 0.5  # its own copy: with seats swapped, each wins what the other lost
    known = len(field.matchups.of(0, 1))
    shared = min(known, 4)
    np.testing.assert_array_equal(challenge.outcomes[1][:shared], field.matchups.of(0, 1)[:shared])
    with pytest.raises(DeckError, match="Nozdormuu"):
        field.deck("Nozdormuu")
    with pytest.raises(DeckError, match="Tempo Rogue"):
        field.deck("Tempo Rogue")


def test_a_suite_of_the_mix_can_be_read_and_played(file: Path, tmp_path: Path) -> None:
    field = metagame(file, games=8, seed=3, samples=20)
    path = tmp_path / "mix.toml"
    path.write_text(field.suite(portions=4), encoding="utf-8")
    suite = suite_of(path, "classic-2014")
    assert {each.name for each in suite.opponents} <= {"Handlock", "Zoo", "Face Hunter"}
    assert sum(each.portion for each in suite.opponents) <= 4


def test_the_elites_of_a_run_are_a_metagame(tmp_path: Path) -> None:
    path = tmp_path / "mages.db"
    hearthstone.map_elites(
        "mage", pilot="random", suite="starter", evaluations=12, games=2, seed=1, resolution=3, path=path
    )
    found = metagame_of(str(path), pilot="random", elites=3)
    assert found.names == ("1 Mage", "2 Mage", "3 Mage")
    assert metagame_of("mages", store=tmp_path, elites=2).pilots == ("default",)
    assert metagame(found, games=2, samples=20).matchups.games == 6


def test_a_patched_edition_is_stored_with_its_patch(tmp_path: Path, file: Path) -> None:
    patch = 'name = "weaker"\nbase = "classic-2014"\n[cards.EX1_066]\nattack = 2\n'
    (tmp_path / "patch.toml").write_text(patch, encoding="utf-8")
    file.write_text(FILE.replace('"classic-2014"', '"patch.toml"'), encoding="utf-8")
    players = metagame_of(file).players()
    assert players.edition == "classic-2014"
    assert "EX1_066" in players.patch
    assert players.cards_in_play.by_id["EX1_066"].attack == 2
