"""Metagames of Hearthstone that grow: searches as runs, files that are read back, and mistakes in one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from deckatlas import hearthstone
from deckatlas.errors import DeckatlasError
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES
from deckatlas.games.hearthstone.cards.library import deck_called
from deckatlas.games.hearthstone.growth import DeckSearches, deck_searches, grow, starts_in
from deckatlas.games.hearthstone.metagame import metagame, metagame_of
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.games.hearthstone.run_decks import best_codes
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.metagame.growth import Growth
from deckatlas.runs.config import RunConfig
from deckatlas.runs.library import path_of, summaries
from deckatlas.runs.view import open_run

START = """\
edition = "classic-2014"
pilot = "greedy"

[[deck]]
deck = "Starter Mage"
share = 3

[[deck]]
deck = "Starter Priest"
pilot = "random"
"""
SEARCH = """\
[evaluation]
pilot = "random"
games = 4

[search]
algorithm = "map-elites"
objective = "win_rate"
initial = 5

[archive]
kind = "grid"
measures = ["deck_mana_sum"]
resolution = [3]
ranges = [[60, 150]]
"""
SMALL: dict[str, Any] = {
    "classes": ["hunter", "Mage"],
    "rounds": 2,
    "games": 200,
    "finalists": 2,
    "matchup_games": 4,
    "final_games": 40,
    "confirmation_games": 240,
    "samples": 10,
    "seed": 4,
    "margin": 0,
}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    start, search = tmp_path / "start.toml", tmp_path / "search.toml"
    start.write_text(START, encoding="utf-8")
    search.write_text(SEARCH, encoding="utf-8")
    return start, search


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Growth, Path]:
    folder = tmp_path_factory.mktemp("grown")
    (folder / "start.toml").write_text(START, encoding="utf-8")
    (folder / "search.toml").write_text(SEARCH, encoding="utf-8")
    found = grow(
        folder / "start.toml", name="small", search=folder / "search.toml", store=folder / "runs", threads=2, **SMALL
    )
    return found, folder


def test_the_searches_are_runs_with_clear_names(grown: tuple[Growth, Path]) -> None:
    found, folder = grown
    names = {each.name for each in summaries(folder / "runs")}
    assert {each.state for each in summaries(folder / "runs")} == {"finished"}
    for each in found.rounds:
        assert {f"small-round-{each.number}-{kind}" for kind in ("hunter", "mage")} <= names
    run = open_run(path_of(folder / "runs", "small-round-1-hunter"))
    assert run.games == 200
    assert {each["pilot"] for each in run.config["evaluation"]["opponents"]} == {"random"}  # as the search says
    assert run.config["space"]["edition"] == "classic-2014"
    assert best_codes(run, 2)[0] == run.code(run.elites()[0])


def test_the_file_of_a_grown_metagame_is_read_back(grown: tuple[Growth, Path], tmp_path: Path) -> None:
    found, _ = grown
    assert any(each.joined for each in found.rounds)  # a search that finds nothing would prove little
    file = tmp_path / "small.toml"
    file.write_text(found.to_toml(), encoding="utf-8")
    again = metagame_of(file)
    assert (again.name, again.entrants) == ("small", found.final.metagame.entrants)
    assert [each.pilot for each in again.entrants[:2]] == ["greedy", "random"]
    assert again.entrants[0].weight == 3
    assert "Joined in round 1: +" in found.to_toml()


def test_a_grown_metagame_is_shown_without_new_games(grown: tuple[Growth, Path], tmp_path: Path) -> None:
    found, folder = grown
    file = tmp_path / f"{found.final.metagame.name}.toml"
    file.write_text(found.to_toml(), encoding="utf-8")
    before = {path.name: path.read_bytes() for path in (folder / "runs").iterdir()}
    shown = metagame(file, games=SMALL["matchup_games"], seed=4, samples=10, store=folder / "runs")
    assert shown.to_json() == found.final.to_json()
    assert {path.name: path.read_bytes() for path in (folder / "runs").iterdir()} == before


def test_the_result_is_the_same_on_one_thread_without_a_store(grown: tuple[Growth, Path]) -> None:
    found, folder = grown
    again = grow(folder / "start.toml", name="small", search=folder / "search.toml", threads=1, **SMALL)
    assert json.dumps(again.to_json()) == json.dumps(found.to_json())
    assert again.to_toml() == found.to_toml()


def searches(start: Path, **options: Any) -> DeckSearches:
    return deck_searches(metagame_of(start), **options)


def config_of(found: DeckSearches, start: Path, kind: str) -> RunConfig:
    field = metagame_of(start)
    return found.config(field, field.shares, kind, name="one", seed=1)


def test_the_shipped_search_has_a_quick_pilot_on_both_sides_for_all_classes(files: tuple[Path, Path]) -> None:
    found = searches(files[0])
    assert found.kinds == tuple(each.lower() for each in HERO_CLASSES)
    config = config_of(found, files[0], "hunter")
    assert isinstance(config, HearthstoneDeckRun)
    assert config.evaluation.pilot == "expert:width=4,finalists=4,luck=0,replies=0"
    assert {each.pilot for each in config.evaluation.opponents} == {config.evaluation.pilot}
    assert config.budget == found.games


def test_the_opponents_of_a_search_are_the_mix_in_whole_portions(files: tuple[Path, Path]) -> None:
    config = config_of(searches(files[0], search=files[1]), files[0], "mage")
    assert isinstance(config, HearthstoneDeckRun)
    assert [each.portion for each in config.evaluation.opponents] == [3, 1]
    cards = metagame_of(files[0]).cards
    first = deck_called("Starter Mage")
    assert first is not None
    assert deck_of(config.evaluation.opponents[0].deck, cards) == first.deck


def test_a_search_can_start_from_the_decks_of_its_class_in_the_metagame(files: tuple[Path, Path]) -> None:
    field = metagame_of(files[0])
    assert starts_in(["library", "metagame"], field, "mage") == ["library", field.text(0)]
    assert starts_in(["metagame"], field, "hunter") == []


def test_a_patched_metagame_is_written_with_its_patch(files: tuple[Path, Path], tmp_path: Path) -> None:
    patch = 'name = "weaker"\nbase = "classic-2014"\n[cards.EX1_066]\nattack = 2\n'
    (tmp_path / "patch.toml").write_text(patch, encoding="utf-8")
    files[0].write_text(START.replace('"classic-2014"', '"patch.toml"'), encoding="utf-8")
    field = metagame_of(files[0])
    other = tmp_path / "elsewhere" / "start.toml"
    other.parent.mkdir()
    other.write_text(field.to_toml({}), encoding="utf-8")
    assert metagame_of(other).players() == field.players()
    config = config_of(searches(files[0], search=files[1]), files[0], "mage")
    assert isinstance(config, HearthstoneDeckRun)
    assert config.space.cards.by_id["EX1_066"].attack == 2


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ('"map-elites"', '"map-elite"', r"search\.toml, line 6: "),
        ('"win_rate"', '"wins"', r"search\.toml, line 7: "),
        ('"random"', '"nobody"', r"search\.toml, line 2: "),
        ("games = 4", "games = 0", r"search\.toml, line 3: "),
        ("games = 4", "games = 400", r"(--games 40|search\.toml, line 3): "),
        ("[archive]", "[archives]", r"search\.toml"),
        ("[search]", "seed = 3\n[search]", r"search\.toml"),
        ("[evaluation]", "seed = 3\n[evaluation]", r"search\.toml, line 1: the growth sets seed itself"),
        ('pilot = "random"', 'suite = "elite"', r"line 2: the growth sets evaluation\.suite itself"),
        ("[evaluation]", '[space]\nclass = "mage"\n[evaluation]', r"line 2: the growth sets space\.class itself"),
        ('[evaluation]\npilot = "random"\ngames = 4\n', "evaluation = 3\n", "evaluation must be a table"),
    ],
)
def test_a_mistake_in_a_search_is_reported_before_the_first_game(
    files: tuple[Path, Path], old: str, new: str, mistake: str
) -> None:
    files[1].write_text(SEARCH.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DeckatlasError, match=mistake) as error:
        searches(files[0], search=files[1], games=40)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "mistake"),
    [
        ({"classes": ["monk"]}, "monk"),
        ({"classes": ["mage", "MAGE"]}, "each class once"),
        ({"classes": []}, "at least one class"),
        ({"classes": "mage"}, "list of classes"),
        ({"games": 0}, "games"),
        ({"finalists": 0}, "finalists"),
        ({"search": "nothing.toml"}, "nothing.toml"),
    ],
)
def test_impossible_searches_are_refused(files: tuple[Path, Path], options: dict[str, Any], mistake: str) -> None:
    with pytest.raises(DeckatlasError, match=mistake):
        searches(files[0], **options)


def test_the_facade_has_all_that_a_growth_needs() -> None:
    assert hearthstone.grow is grow
    assert hearthstone.Growth is Growth
