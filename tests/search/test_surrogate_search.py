"""Searches with a surrogate: what a round proposes and notes, how it ends, and how it is rebuilt from its log."""

import json
from collections import deque
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import SearchError
from deckatlas.models.inner_loop import PredictedElites, inner_map
from deckatlas.search import surrogate_emitter
from deckatlas.search.archive import Archive
from deckatlas.search.batches import Batch
from deckatlas.search.deck_space import DeckColumn, DeckSpace
from deckatlas.search.evaluation import Outcomes
from deckatlas.search.generators import rng_of
from deckatlas.search.history import History
from deckatlas.search.log import Log
from deckatlas.search.map_search import MapSearch
from deckatlas.search.rounds import round_starts, rounds_of
from helpers.maps import COLUMNS, GAMES, carry_out
from helpers.surrogates import SPACE, deck_search, outcome_of

STARTS = ("random", "evaluated", "stale", "renewed")
Maps = list[PredictedElites]


@pytest.fixture
def maps(monkeypatch: pytest.MonkeyPatch) -> Maps:
    """The maps of predictions that searches make, in order."""
    made: Maps = []

    def kept(*given: Any, **options: Any) -> PredictedElites:
        made.append(inner_map(*given, **options))
        return made[-1]

    monkeypatch.setattr(surrogate_emitter, "inner_map", kept)
    return made


def finished(**options: Any) -> History:
    return carry_out(deck_search(**options), outcome_of)


# ---- candidates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", STARTS)
def test_the_candidates_of_a_round_are_the_elites_of_its_inner_loop_in_order_of_cells(start: str, maps: Maps) -> None:
    history = finished(start=start, repeats=True)
    rounds = rounds_of(history.notes)
    assert len(rounds) == len(maps) > 2
    for each, found in zip(rounds[:-1], maps, strict=False):
        assert np.array_equal(history.genes[each.evaluations], found.genes)
        assert np.array_equal(np.stack([*each.predicted.values()], axis=1), found.predictions)
        assert (np.diff(found.cells) > 0).all()
        assert each.facts["elites"] == each.facts["candidates"] == len(found.cells)


def test_every_evaluation_after_the_initial_ones_belongs_to_the_next_round() -> None:
    rounds = rounds_of(finished().notes)
    assert np.array_equal(np.concatenate([each.evaluations for each in rounds]), np.arange(20, 120))
    assert [each.number for each in rounds] == list(range(1, len(rounds) + 1))


def test_a_round_trains_on_all_results_before_it() -> None:
    for each in rounds_of(finished().notes):
        assert each.facts["trained_on"] == each.evaluations[0]
        assert set(each.facts["errors"]) == set(each.predicted) == {"score", "first"}
    held_out = rounds_of(finished(training={"recipe": "published"}).notes)[0].facts
    assert (held_out["trained_on"], held_out["held_out"]) == (18, 2)
    assert set(held_out["held_out_errors"]) == {"score", "first"}


@pytest.mark.parametrize("repeats", [False, True])
def test_the_last_round_is_cut_to_the_plan_by_a_random_choice(maps: Maps, repeats: bool) -> None:
    sizes = [len(each.evaluations) for each in rounds_of(finished(repeats=repeats).notes)]
    maps.clear()
    evaluations = 20 + sizes[0] + sizes[1] // 2
    history = finished(repeats=repeats, evaluations=evaluations)
    last = rounds_of(history.notes)[-1]
    assert (last.number, len(last.evaluations), len(history)) == (2, sizes[1] // 2, evaluations)
    elites = [genes.tobytes() for genes in maps[-1].genes]
    places = [elites.index(history.genes[number].tobytes()) for number in last.evaluations]
    assert places == sorted(set(places))
    assert places[-1] >= len(places)  # and not the first of them


@pytest.mark.parametrize("start", STARTS)
def test_without_repeats_no_candidate_was_evaluated_before(start: str) -> None:
    history = finished(start=start, evaluations=200)
    rounds = rounds_of(history.notes)
    chosen = [number for each in rounds if each.predicted for number in each.evaluations.tolist()]
    assert len(chosen) > 100
    seen = {genes.tobytes() for genes in history.genes[:20]}
    for number in range(20, 200):
        assert number not in chosen or history.genes[number].tobytes() not in seen
        seen.add(history.genes[number].tobytes())


def test_with_repeats_elites_are_evaluated_again() -> None:
    history = finished(start="stale", repeats=True)
    assert len({genes.tobytes() for genes in history.genes}) < len(history.genes)


def test_a_round_without_new_candidates_proposes_a_random_solution(monkeypatch: pytest.MonkeyPatch, maps: Maps) -> None:

    def only_known(space: Any, model: Any, **options: Any) -> PredictedElites:
        found = inner_map(space, model, **options)
        known = np.repeat(known_deck[np.newaxis], len(found.cells), axis=0)
        return PredictedElites(found.cells, known, found.predictions, found.objectives, found.measures, 1)

    search = deck_search(evaluations=23)
    known_deck = SPACE.random(rng_of(3, 0))
    monkeypatch.setattr(surrogate_emitter, "inner_map", only_known)
    history = carry_out(search, outcome_of)
    assert np.array_equal(history.genes[0], known_deck)
    rounds = rounds_of(history.notes)
    assert [each.evaluations.tolist() for each in rounds] == [[20], [21], [22]]
    assert all(not each.predicted and each.facts["candidates"] == 0 for each in rounds)
    expected = [SPACE.random(rng_of(3, number)) for number in (20, 21, 22)]
    assert np.array_equal(history.genes[20:], expected)


def test_random_solutions_are_evaluated_until_something_is_known() -> None:
    def unknown_at_first(batch: Batch) -> Outcomes:
        assert batch.solutions is not None
        known = outcome_of(batch)
        if batch.solutions[0] < 25:
            known.total[:] = np.nan
        return known

    history = carry_out(deck_search(), unknown_at_first)
    rounds = rounds_of(history.notes)
    assert rounds[0].evaluations[0] == 26
    assert rounds[0].facts["trained_on"] == 1


def test_ancillary_targets_are_predicted_too() -> None:
    search = deck_search(targets=("score", "first", "cost"))
    first = rounds_of(carry_out(search, outcome_of).notes)[0]
    assert list(first.predicted) == ["score", "first", "cost"]


def test_candidates_are_those_with_the_largest_expected_gains(maps: Maps) -> None:
    search = deck_search(most_candidates=6, evaluations=200)
    history = carry_out(search, outcome_of)
    cut = 0
    for each, found in zip(rounds_of(history.notes)[:-1], maps, strict=False):
        start = int(each.evaluations[0])
        archive = archive_after(search, history, start)
        known = {genes.tobytes() for genes in history.genes[:start]}
        held = dict(zip(archive.elite_cells.tolist(), archive.objectives[archive.elites].tolist(), strict=True))
        new = [row for row in range(len(found.cells)) if found.genes[row].tobytes() not in known]
        if not new:
            assert not each.predicted
            continue

        def rank(row: int, found: PredictedElites = found, held: dict[int, float] = held) -> tuple[bool, float]:
            cell, objective = int(found.cells[row]), float(found.objectives[row])
            return (cell not in held, objective - held.get(cell, 0.0))

        expected = sorted(sorted(new, key=rank, reverse=True)[:6])
        assert np.array_equal(history.genes[each.evaluations], found.genes[expected])
        cut += len(new) > 6
    assert cut > 3


def test_an_inner_loop_starts_with_all_evaluated_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def noted(*arguments: Any, **options: Any) -> PredictedElites:
        given.append(options)
        return inner_map(*arguments, **options)

    monkeypatch.setattr(surrogate_emitter, "inner_map", noted)
    history = finished()
    for each, options in zip(rounds_of(history.notes), given, strict=True):
        before = int(each.evaluations[0])
        assert np.array_equal(options["starts"].genes, history.genes[:before])
        assert options["starts"].predictions is None
        assert (options["predictions"], options["initial"]) == (400 + before, 20)


def test_without_a_number_an_inner_loop_has_a_thousand_predictions_per_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def noted(*arguments: Any, **options: Any) -> PredictedElites:
        given.append(options["predictions"])
        return inner_map(*arguments, **(options | {"predictions": 400 + len(options["starts"].genes)}))

    monkeypatch.setattr(surrogate_emitter, "inner_map", noted)
    for resolution, most, expected in (((6, 4), 10**6, 24_000), ((2, 1), 10**6, 2_000), ((6, 4), 20_000, 20_000)):
        monkeypatch.setattr(surrogate_emitter, "MOST_PREDICTIONS", most)
        given.clear()
        history = finished(predictions=None, resolution=resolution)
        starts = [int(each.evaluations[0]) for each in rounds_of(history.notes)]
        assert given == [expected + before for before in starts]


def test_without_a_size_a_round_has_a_fortieth_of_the_evaluations() -> None:
    rounds = rounds_of(finished(candidates="gains").notes)
    assert max(len(each.evaluations) for each in rounds) == 120 // 40
    assert sum(len(each.evaluations) for each in rounds) == 100


def archive_after(search: MapSearch, history: History, told: int) -> Archive:
    """The archive of the first results."""
    known = history.first(told)
    return search.plan.archive_of(Log.from_history(SPACE, COLUMNS, known, SPACE.measures(known.genes)))


def test_a_round_has_at_most_so_many_candidates_those_for_empty_cells_first(maps: Maps) -> None:
    search = deck_search(most_candidates=4)
    history = carry_out(search, outcome_of)
    rounds = rounds_of(history.notes)
    assert max(len(each.evaluations) for each in rounds) == 4
    first, found = rounds[0], maps[0]
    filled = {*archive_after(search, history, 20).elite_cells.tolist()}
    elites = [genes.tobytes() for genes in found.genes]
    chosen = [elites.index(genes.tobytes()) for genes in history.genes[first.evaluations]]
    empty = [row for row, cell in enumerate(found.cells.tolist()) if cell not in filled]
    assert {*chosen[:4]} >= {*empty} or {*chosen} <= {*empty}


def test_after_a_round_elites_play_again_until_they_have_played_enough() -> None:
    search = deck_search(most_games=3 * GAMES, evaluations=300)
    history = carry_out(search, outcome_of)
    again = np.flatnonzero(~history.is_first)
    assert len(again) > 30
    assert not {*again.tolist()} & {*history.notes}
    starts = [20, *round_starts(history.notes), 300]
    for number in again.tolist():
        begun = max(start for start in starts if start <= number)
        confirmed = next(at for at in range(begun, 300) if not history.is_first[at])
        archive = archive_after(search, history, confirmed)
        assert history.solution[number] in archive.elites
    played = np.bincount(history.solution, weights=history.games)
    assert played.max() == 3 * GAMES


# ---- the log rebuilds it ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"training": {"recipe": "published"}, "repeats": True},
        {"start": "stale", "repeats": True},
        {"start": "stale"},
        {"start": "renewed"},
        {"training": {"model": "ensemble", "members": 2}},
        {"training": {"model": "linear", "warm_start": True}},
        {"most_games": 3 * GAMES},
        {"most_games": 3 * GAMES, "start": "stale", "training": {"warm_start": True}},
        {"most_candidates": 5},
        {"most_candidates": 5, "start": "random"},
    ],
)
def test_a_search_resumed_anywhere_asks_for_the_same(options: dict[str, Any]) -> None:
    history = finished(**options)
    starts = round_starts(history.notes)
    for told in sorted({0, 1, 19, *starts, *(start + 1 for start in starts), starts[-1] - 1, 119, 120}):
        search = deck_search(**options)
        last = search.resume(history.first(told))
        assert (last is None) == (told == 0)
        rest = carry_out_from(search, told)
        assert [note for _, note in rest] == [history.notes.get(number, "") for number in range(told, 120)]
        expected = history.genes[history.solution[told:]]
        assert all(np.array_equal(genes, other) for (genes, _), other in zip(rest, expected, strict=True))


def carry_out_from(search: MapSearch, told: int) -> list[tuple[Any, str]]:
    """Genes and notes of all that is left of a search."""
    waiting: deque[Batch] = deque()
    asked = []
    while not search.is_over:
        while (batch := search.ask()) is not None:
            waiting.append(batch)
        batch = waiting.popleft()
        asked.append((batch.genes[0], batch.notes[0] if batch.notes else ""))
        search.tell(outcome_of(batch))
    assert len(asked) == 120 - told
    return asked


@pytest.mark.parametrize("other", [{"round": 9}, {"predicted": {"score": 0.0}}])
def test_a_log_with_other_notes_is_not_resumed(other: dict[str, Any]) -> None:
    history = finished(repeats=True)
    last = round_starts(history.notes)[-1]
    notes = dict(history.notes)
    notes[last + 1] = json.dumps(json.loads(notes[last + 1]) | other)
    changed = History(**{name: getattr(history, name) for name in history.__dataclass_fields__} | {"notes": notes})
    with pytest.raises(SearchError, match=f"evaluation {last + 1} differs"):
        deck_search(repeats=True).resume(changed)


# ---- what cannot be --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message", "key"),
    [
        ({"targets": ("scor",)}, "there is no column 'scor': did you mean 'score'", "targets"),
        ({"targets": ("score", "cost")}, "the model must predict first, which the archive needs", "targets"),
        ({"targets": ("score", "first", "score")}, "at least one target, and each target only once", "targets"),
        ({"model_file": "nowhere.json"}, "cannot read the model nowhere.json: No such file", "model_file"),
        ({"most_games": 2 * GAMES - 1}, "most_games must be at least 8, twice the games of", "most_games"),
    ],
)
def test_what_cannot_be_is_refused_when_the_search_is_made(options: dict[str, Any], message: str, key: str) -> None:
    with pytest.raises(SearchError, match=message) as refusal:
        deck_search(**options)
    assert refusal.value.keys[0] == key
    assert "\n" not in str(refusal.value)


def deck_space(cards: int, number: int = 1) -> DeckSpace[int]:
    return DeckSpace(range(cards), [2] * cards, size=6, columns={"cost": DeckColumn(np.full(cards, number))})


@pytest.mark.parametrize(
    ("options", "message", "key"),
    [
        ({"space": deck_space(1025)}, "pools of at most 1,024 cards, not 1,025", "space"),
        ({"resolution": (4000, 2501)}, "maps of at most 10,000,000 cells, not 10,004,000", "archive.resolution"),
        (
            {"space": deck_space(12, 100_001)},
            "at most 100,000 for a surrogate, but cost has larger ones",
            "archive.measures",
        ),
    ],
)
def test_what_the_inner_loop_has_no_room_for_is_refused_when_the_search_is_made(
    options: dict[str, Any], message: str, key: str
) -> None:
    with pytest.raises(SearchError, match=message) as refusal:
        deck_search(**options)
    assert refusal.value.keys[0] == key


@pytest.mark.parametrize("options", [{"space": deck_space(1024)}, {"resolution": (4000, 2500)}])
def test_what_the_inner_loop_has_just_room_for_is_searched(options: dict[str, Any]) -> None:
    search = deck_search(**options, evaluations=30)
    assert len(carry_out(search, lambda batch: outcome_of(batch, length=search.plan.space.length))) == 30


def test_games_are_asked_for_once_per_evaluation() -> None:
    search = deck_search()
    assert search.games == 120 * GAMES
    assert carry_out(search, outcome_of).games.sum() == search.games
