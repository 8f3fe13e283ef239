"""Runs that look for the best deck, constraints and starts in run files: results, resuming, threads, mistakes."""

from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import DeckError, RunError
from deckatlas.games.hearthstone.cards.library import library
from deckatlas.games.hearthstone.metagame import metagame_of
from deckatlas.games.hearthstone.run_config import HearthstoneDeckRun
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.view import open_run
from deckatlas.search.exact import number_of_decks
from deckatlas.search.options import StartedOptions
from helpers.runs import digest_of, stop_after, write_config

BEST = """\
seed = 3
budget = 1000

[space]
kind = "hearthstone-deck"
class = "hunter"
pool = "all"
contains = ["2x Savannah Highmane"]
excludes = ["Wisp"]
most_legendaries = 2

[evaluation]
pilot = "random"
games = 4

[search]
algorithm = "deck-values"
starts = ["library"]
rounds = 5
finalists = 4
"""
OPPONENTS = """\
opponents = [{ deck = "Zoo" }, { deck = "Handlock", pilot = "greedy", portion = 2 }]
"""
MAP = """\
seed = 3

[space]
kind = "hearthstone-deck"
class = "hunter"
contains = ["2x Savannah Highmane"]
most_legendaries = 1
most_dust = 4000

[evaluation]
pilot = "random"
games = 2

[archive]
kind = "grid"
measures = ["deck_mana_sum"]
resolution = [5]
ranges = [[60, 160]]

[search]
evaluations = 60
initial = 20
starts = ["Midrange Hunter (ladder)"]
"""
PLAYSETS = 'algorithm = "map-elites"\nvariation = { kind = "playsets" }\n'
SURROGATE = 'algorithm = "dsa-me"\npredictions = 500\ninner_initial = 20\ntraining = { hidden = [4], epochs = 1 }\n'


def config(folder: Path, text: str, *settings: str) -> HearthstoneDeckRun:
    found = read_config(write_config(folder, text, name="decks"), settings=settings)
    assert isinstance(found, HearthstoneDeckRun)
    return found


def starts_of(run: HearthstoneDeckRun) -> tuple[str, ...]:
    assert isinstance(run.search, StartedOptions)
    return run.search.starts


def space_of(run: HearthstoneDeckRun) -> HearthstoneDecks:
    return run.make_space()


@pytest.fixture(scope="module")
def best(tmp_path_factory: pytest.TempPathFactory) -> tuple[HearthstoneDeckRun, Path]:
    folder = tmp_path_factory.mktemp("best")
    run = config(folder, BEST)
    execute(run, folder / "whole.db", threads=1)
    return run, folder / "whole.db"


def test_a_search_for_the_best_deck_starts_from_the_library_and_keeps_to_constraints(
    best: tuple[HearthstoneDeckRun, Path],
) -> None:
    run, path = best
    view, space = open_run(path), space_of(run)
    known = [each.deck for each in library().values() if each.archetype and each.deck.hero_class == "HUNTER"]
    starts = [space.deck(deck) for deck in view.log.solutions[: len(starts_of(run))]]
    assert starts
    assert all(deck in known for deck in starts)
    for deck in view.log.solutions:
        space.check(deck)
    genomes, scores = view.best_population
    assert len(genomes) == 4  # the finalists
    assert 0 <= scores[0] <= 100
    assert view.code(genomes[0]) == space.code(genomes[0])


@pytest.mark.parametrize(("stop", "threads"), [(100, 2), (900, 1)])
def test_an_interrupted_search_resumes_to_the_same_digest_on_any_threads(
    best: tuple[HearthstoneDeckRun, Path], tmp_path: Path, stop: int, threads: int
) -> None:
    run, path = best
    with pytest.raises(KeyboardInterrupt):
        execute(run, tmp_path / "parts.db", threads=threads, watch=stop_after(stop))
    execute(run, tmp_path / "parts.db", threads=3 - threads)
    assert digest_of(tmp_path / "parts.db") == digest_of(path)


@pytest.mark.parametrize("options", [PLAYSETS, SURROGATE], ids=["playsets", "surrogate"])
def test_maps_start_from_known_decks_and_keep_to_constraints(tmp_path: Path, options: str) -> None:
    text = MAP.replace("starts = [", 'starts = ["AAECAR8EhwSvBJcIxQgNRI0BqAKIBZkH6wexCNkJ2wntCYEK2Qr+DAAA", ')
    text = text.replace("most_legendaries = 1\nmost_dust = 4000\n", "most_legendaries = 4\nmost_dust = 9000\n")
    run = config(tmp_path, text + options)
    execute(run, tmp_path / "map.db", threads=1)
    view, space = open_run(tmp_path / "map.db"), space_of(run)
    assert len(starts_of(run)) == 1  # the code is that of the named deck
    assert space.deck(view.log.solutions[0]) == library()["Midrange Hunter (ladder)"].deck
    for deck in view.log.solutions:
        space.check(deck)
    assert view.deck_space() is None  # its legal decks would be those without constraints
    with pytest.raises(DeckError, match="decks can only be counted in spaces without"):
        number_of_decks(space)


def test_the_decks_of_other_runs_are_starts(best: tuple[HearthstoneDeckRun, Path], tmp_path: Path) -> None:
    run, path = best
    found = config(tmp_path, BEST.replace('"library"', f'"{path}"'))
    genomes, _ = open_run(path).best_population
    assert starts_of(found) == tuple(space_of(run).code(deck) for deck in genomes)
    assert np.array_equal(found.make_starts(space_of(found), starts_of(found)), genomes)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"2x Savannah Highmane"', '"2x Savanna Highman"', "line 8: unknown card 'Savanna Highman': did you mean"),
        ('"Wisp"', '"Savannah Highmane"', "line 9: Savannah Highmane is both in contains and in excludes"),
        ("most_legendaries = 2", "most_dust = 10", "line 10: no deck has at most 10 dust: the least is 200"),
        ('["library"]', '["Midrange Huntress"]', "line 18: .*Midrange Huntress"),
        ('["library"]', '["runs/nothing.db"]', "line 18: .*runs/nothing.db"),
        (
            '["library"]',
            '["Handlock (ladder 1)"]',
            "line 18: it is a Warlock deck, but the class given for it is Hunter",
        ),
        ("budget = 1000", "budget = 10", "line 2: the budget of 10 games is too small for one round"),
        ("rounds = 5", "variation = { kind = 'playsets' }", "line 19: "),
    ],
)
def test_a_mistake_is_reported_in_one_line_at_its_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in BEST
    with pytest.raises(RunError, match=message) as caught:
        config(tmp_path, BEST.replace(old, new))
    assert "\n" not in str(caught.value)


def test_a_start_outside_the_constraints_is_refused(tmp_path: Path) -> None:
    text = MAP.replace("most_dust = 4000", "most_dust = 1000") + 'algorithm = "map-elites"\n'
    with pytest.raises(RunError, match="line 23: a deck of this space has at most 1,000 dust, not"):
        config(tmp_path, text)


def test_the_finalists_of_a_search_without_a_map_are_a_metagame(tmp_path: Path) -> None:
    path = tmp_path / "best.db"
    execute(read_config(write_config(tmp_path, BEST)), path)
    found = metagame_of(str(path), elites=3, pilot="greedy")
    view = open_run(path)
    assert [each.deck for each in found.entrants] == [view.code(each) for each in view.best_population[0][:3]]
    assert len({each.deck for each in found.entrants}) == 3


def opponents_of(folder: Path, pilot: str) -> tuple[tuple[str, int], ...]:
    """The pilots and portions of the opponents, if the decks have this pilot."""
    text = BEST.replace('pilot = "random"\n', pilot + OPPONENTS)
    config = read_config(write_config(folder, text))
    assert isinstance(config, HearthstoneDeckRun)
    return tuple((each.pilot, each.portion) for each in config.evaluation.opponents)


def test_opponents_that_name_no_pilot_have_that_of_the_decks(tmp_path: Path) -> None:
    assert opponents_of(tmp_path, 'pilot = "random"\n') == (("random", 1), ("greedy", 2))
    assert opponents_of(tmp_path, "") == (("default", 1), ("greedy", 2))


@pytest.mark.parametrize(
    ("pilot", "message"),
    [("pilot = 3", "evaluation.pilot must be a text, not 3"), ('pilot = "nobody"', "line 14.*unknown agent 'nobody'")],
)
def test_a_mistake_in_the_pilot_of_all_is_reported_where_it_is(tmp_path: Path, pilot: str, message: str) -> None:
    text = BEST.replace('pilot = "random"\n', f"{pilot}\n{OPPONENTS}")
    with pytest.raises(RunError, match=message) as error:
        read_config(write_config(tmp_path, text)).prepare()
    assert "opponents" not in str(error.value)
