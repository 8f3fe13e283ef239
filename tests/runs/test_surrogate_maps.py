"""Searches with a surrogate as runs: the same digest whatever happens, models in files, notes, bad configurations."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import deckatlas
from deckatlas.errors import ModelError, RunError
from deckatlas.models.recipes import Training
from deckatlas.models.surrogate import Surrogate
from deckatlas.runs.config import RunConfig
from deckatlas.runs.executors import Processes
from deckatlas.runs.loop import execute
from deckatlas.runs.models import final_model, model_file_text, trained_model
from deckatlas.runs.read_config import read_config
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import check_store
from deckatlas.runs.view import RunView, open_run
from deckatlas.search import surrogate_emitter
from helpers.command_line import CommandLine
from helpers.runs import change, digest_of, query, stop_after
from helpers.surrogates import CASES, DECKS, surrogate_run

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

FROZEN = "frozen"
EVERY = (*CASES, FROZEN)


@pytest.fixture(scope="module")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The final model of a search, in a file."""
    folder = tmp_path_factory.mktemp("model")
    config = surrogate_run(folder)
    execute(config, folder / "ours.db")
    view = open_run(folder / "ours.db")
    (folder / "model.json").write_text(model_file_text(view, final_model(view)), encoding="utf-8")
    return folder / "model.json"


def run_of(case: str, folder: Path, model_file: Path) -> RunConfig:
    if case == FROZEN:
        return surrogate_run(folder, "ours", f"search.model_file={model_file}")
    return surrogate_run(folder, case)


@pytest.fixture(scope="module")
def digests(tmp_path_factory: pytest.TempPathFactory, model_file: Path) -> dict[str, str]:
    """The digests of runs that nothing interrupts, on one thread."""
    folder = tmp_path_factory.mktemp("unbroken")
    for case in EVERY:
        execute(run_of(case, folder, model_file), folder / f"{case}.db", threads=1)
    return {case: digest_of(folder / f"{case}.db") for case in EVERY}


# ---- the same result, whatever happens -------------------------------------------------------------------------------


def test_every_case_is_another_run(digests: dict[str, str]) -> None:
    assert len({*digests.values()}) == len(EVERY)


@pytest.mark.parametrize("case", EVERY)
def test_the_digest_does_not_depend_on_the_number_of_threads(
    tmp_path: Path, case: str, digests: dict[str, str], model_file: Path
) -> None:
    execute(run_of(case, tmp_path, model_file), tmp_path / "run.db", threads=2)
    assert digest_of(tmp_path / "run.db") == digests[case]


@pytest.mark.parametrize("case", ["stale", "drafts", FROZEN])
def test_a_pool_of_processes_gives_the_digest_of_threads(
    tmp_path: Path, case: str, digests: dict[str, str], model_file: Path
) -> None:
    config = run_of(case, tmp_path, model_file)
    with Processes(config.prepare(), 2) as executor:
        execute(config, tmp_path / "run.db", executor=executor)
    assert digest_of(tmp_path / "run.db") == digests[case]


def stopped(function: Callable[..., Any], at: int) -> Callable[..., Any]:
    """A function that ends in an interrupt the first time after this number of calls."""
    left = at

    def call(*given: Any, **options: Any) -> Any:
        nonlocal left
        result = function(*given, **options)
        left -= 1
        if left == -1:
            raise KeyboardInterrupt
        return result

    return call


@pytest.mark.parametrize(
    ("case", "where"),
    [
        *((case, "training") for case in CASES),
        *((case, "inner loop") for case in EVERY),
    ],  # a frozen model learns nothing
)
def test_a_search_interrupted_in_every_round_ends_with_the_digest_of_an_unbroken_one(
    tmp_path: Path,
    case: str,
    where: str,
    digests: dict[str, str],
    model_file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner, name = (Surrogate, "_train") if where == "training" else (surrogate_emitter, "inner_map")
    function = getattr(owner, name)
    stops = 0
    while True:  # every process gets further than the one before, by a round
        monkeypatch.setattr(owner, name, stopped(function, stops))
        try:
            execute(run_of(case, tmp_path, model_file), tmp_path / "run.db")
        except KeyboardInterrupt:
            stops += 1
        else:
            break
    assert stops > 1
    assert digest_of(tmp_path / "run.db") == digests[case]


@pytest.mark.usefixtures("always_looking")
@pytest.mark.parametrize("case", ["ours", "published", "stale", "renewed", "more games", FROZEN])
def test_a_search_interrupted_between_evaluations_ends_with_the_same_digest(
    tmp_path: Path, case: str, digests: dict[str, str], model_file: Path
) -> None:
    for games in (50, 120, 121, 200, 310):
        with pytest.raises(KeyboardInterrupt):
            execute(run_of(case, tmp_path, model_file), tmp_path / "run.db", watch=stop_after(games), threads=1)
    assert 0 < open_run(tmp_path / "run.db").games < 400
    execute(run_of(case, tmp_path, model_file), tmp_path / "run.db")
    assert digest_of(tmp_path / "run.db") == digests[case]


def test_a_model_that_was_moved_is_the_same_run(tmp_path: Path, digests: dict[str, str], model_file: Path) -> None:
    moved = tmp_path / "elsewhere" / "other name.json"
    moved.parent.mkdir()
    moved.write_bytes(model_file.read_bytes())
    here, there = (run_of(FROZEN, tmp_path, path) for path in (model_file, moved))
    with pytest.raises(KeyboardInterrupt):
        execute(here, tmp_path / "run.db", watch=stop_after(200), threads=1)
    execute(there, tmp_path / "run.db", threads=1)
    assert there.prepare().hash == here.prepare().hash
    assert digest_of(tmp_path / "run.db") == digests[FROZEN]


def test_a_model_file_that_has_changed_is_refused_on_resuming(
    tmp_path: Path, deckatlas_program: CommandLine, model_file: Path
) -> None:
    (tmp_path / "model.json").write_bytes(model_file.read_bytes())
    (tmp_path / "frozen.toml").write_text(DECKS + 'model_file = "model.json"\n')
    assert deckatlas_program("run", "frozen.toml")[0] == 0
    model = json.loads(model_file.read_text())
    model["networks"][0]["biases"][0][0] += 1
    (tmp_path / "model.json").write_text(json.dumps(model))
    code, out, errors = deckatlas_program("run", "frozen.toml")
    assert (code, out) == (2, "")
    assert errors.count("\n") == 1
    assert "holds another run, whose search.model_file had different content from what model.json has now: " in errors


def test_a_search_without_its_model_file_is_another_run(tmp_path: Path, model_file: Path) -> None:
    execute(run_of(FROZEN, tmp_path, model_file), tmp_path / "run.db")
    with pytest.raises(RunError, match=r"holds another run, with .* instead of no search.model_file"):
        execute(run_of("ours", tmp_path, model_file), tmp_path / "run.db")


VECTORS = deckatlas.Vectors([-3] * 4, [3] * 4)


def hill(x: Any) -> dict[str, float]:
    return {"height": -float((x**2).sum()), "slope": float(np.abs(x).max())}


def vector_map(evaluate: Any = hill, **changes: Any) -> RunView:
    options: dict[str, Any] = {
        "objective": "height",
        "measures": ["x0", "slope"],
        "ranges": [(-3, 3), (0, 3)],
        "resolution": 6,
        "evaluations": 80,
        "initial": 20,
        "algorithm": "dsa-me",
        "settings": [
            "search.predictions=300", "search.inner_initial=20", "search.training={hidden=[8], epochs=5}",
        ],
        "seed": 5,
    }  # fmt: skip
    return deckatlas.map_elites(VECTORS, evaluate, **(options | changes))


def test_real_vectors_have_the_same_digest_on_any_number_of_threads_and_after_an_interruption(tmp_path: Path) -> None:
    left = 47

    def evaluate(x: Any) -> dict[str, float]:
        nonlocal left
        left -= 1
        if left == 0:
            raise KeyboardInterrupt
        return hill(x)

    with pytest.raises(KeyboardInterrupt):
        vector_map(evaluate, path=tmp_path / "map.db", threads=1)
    resumed = vector_map(evaluate, path=tmp_path / "map.db", threads=2)
    assert left < 0
    assert resumed.digest == vector_map(evaluate, threads=1).digest
    assert len(resumed.rounds) > 1


# ---- models in files -------------------------------------------------------------------------------------------------


def test_the_final_model_of_a_run_is_the_same_whenever_it_is_made(tmp_path: Path, model_file: Path) -> None:
    config = surrogate_run(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        execute(config, tmp_path / "ours.db", watch=stop_after(200))
    execute(config, tmp_path / "ours.db")
    view = open_run(tmp_path / "ours.db")
    assert model_file_text(view, final_model(view)) == model_file.read_text(encoding="utf-8")


def test_a_frozen_model_predicts_what_the_file_says(tmp_path: Path, model_file: Path) -> None:
    config = run_of(FROZEN, tmp_path, model_file)
    execute(config, tmp_path / "run.db")
    view = open_run(tmp_path / "run.db")
    model = final_model(view)
    for each in view.rounds:
        predicted = model.predict(view.log.solutions[each.evaluations])
        assert np.array_equal(np.stack([*each.predicted.values()], axis=1), predicted)
        assert set(each.facts) == {"elites", "candidates"}


def test_a_run_without_a_surrogate_has_no_model_and_is_trained_from(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    text = DECKS.replace('"dsa-me"', '"map-elites"').partition("predictions")[0]
    file = tmp_path / "run.toml"
    file.write_text(text)
    execute(read_config(file), path)
    view = open_run(path)
    assert view.rounds == ()
    with pytest.raises(RunError, match="has no surrogate: its search is map-elites"):
        final_model(view)
    with pytest.raises(RunError, match="has no column nothing"):
        trained_model(view, Training.by_name("deckatlas"), ["nothing"])
    assert trained_model(view, Training.by_name("deckatlas"), ["win_rate"]).targets == ("win_rate",)


# ---- notes -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    execute(surrogate_run(tmp_path), tmp_path / "run.db")
    return tmp_path / "run.db"


def test_the_notes_of_a_run_are_those_its_document_describes(stored: Path) -> None:
    assert query(stored, "SELECT count(*) FROM notes") == 70
    with open_store(stored) as store:
        notes = {number: json.loads(note) for number, note in store.notes()}
    assert list(notes) == list(range(30, 100))
    for note in notes.values():
        assert set(note) - {"facts"} == {"round", "predicted"}
        assert set(note["predicted"]) == {"avg_health_diff", "num_turns"}
    assert set(notes[30]["facts"]) == {"elites", "candidates", "trained_on", "errors"}
    begun = [number for number, note in notes.items() if "facts" in note]
    assert [notes[number]["round"] for number in begun] == list(range(1, len(begun) + 1))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE notes SET note = replace(note, '\"round\": 1', '\"round\": 2') WHERE evaluation = 31",
        "DELETE FROM notes WHERE evaluation = 99",
        "UPDATE notes SET evaluation = 29 WHERE evaluation = 30",
        "INSERT INTO notes VALUES (3, '{}')",
        "INSERT INTO notes VALUES (100, '{}')",
        "INSERT INTO notes VALUES (-1, '{}')",
    ],
)
def test_changed_notes_are_found(stored: Path, statement: str) -> None:
    change(stored, statement)
    with open_store(stored) as store, pytest.raises(RunError) as refusal:
        check_store(store)
    assert "\n" not in str(refusal.value)


def test_a_run_whose_notes_were_removed_is_refused(stored: Path, deckatlas_program: CommandLine) -> None:
    with closing(sqlite3.connect(stored)) as connection:
        connection.execute("DROP TABLE notes")
    code, out, errors = deckatlas_program("verify-store", str(stored))
    assert (code, out) == (2, "")
    assert "have changed" in errors
    with pytest.raises(RunError, match="have changed"):
        execute(surrogate_run(stored.parent, "ours", "name=run"), stored, recheck=4)


# ---- bad configurations ----------------------------------------------------------------------------------------------


@pytest.fixture
def deckatlas_program(deckatlas: CommandLine) -> CommandLine:
    return deckatlas


def refused(program: CommandLine, folder: Path, *settings: str, lines: str = "") -> str:
    """The one line with which a configuration is refused, before anything is stored."""
    (folder / "bad.toml").write_text(DECKS + lines)
    code, out, errors = program("run", "bad.toml", *(part for each in settings for part in ("--set", each)))
    assert (code, out) == (2, "")
    assert errors.count("\n") == 1
    assert not (folder / "runs").exists()
    return errors


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('targets = ["num_turn"]', "bad.toml, line 25: there is no column 'num_turn': did you mean 'num_turns'?"),
        ('targets = ["win_rate", "num_turns"]', "bad.toml, line 25: the model must predict avg_health_diff"),
        (
            'targets = ["avg_health_diff", "num_turns", "num_turns"]',
            "bad.toml, line 25: a surrogate needs at least one target, and",
        ),
        ('model_file = "nowhere.json"', "bad.toml, line 25: cannot read the model nowhere.json: No such file"),
        ('model_file = "."', "bad.toml, line 25: cannot read the model .: Is a directory"),
        (
            'start = "fresh"',
            "bad.toml, line 25: search.start must be 'evaluated', 'random', 'stale' or 'renewed', not 'fresh'",
        ),
        (
            "most_candidates = 5",
            "bad.toml, line 25: search: most_candidates is for candidates that are chosen by gains",
        ),
    ],
)
def test_a_bad_configuration_is_refused_with_its_place(
    tmp_path: Path, deckatlas_program: CommandLine, lines: str, message: str
) -> None:
    assert message in refused(deckatlas_program, tmp_path, lines=lines + "\n")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("search.initial=101", "initial must be at most evaluations, which is 100, not 101"),
        ("search.inner_initial=601", "inner_initial must be at most predictions, which is 600, not 601"),
        ("search.initial=0", "search.initial"),
        ("search.candidates=best", "search.candidates must be 'gains' or 'all', not 'best'"),
        ("search.training.rate=nan", "search.training.rate"),
        ("search.most_games=7", "most_games must be at least 8, twice the games of an evaluation, not 7"),
        ("search.training.recipe=other", "search.training.recipe"),
        ("search.training.model=forest", "search.training.model"),
        ("archive.resolution=[4000, 4000]", "maps of at most 10,000,000 cells, not 16,000,000"),
    ],
)
def test_impossible_options_are_refused_on_the_command_line(
    tmp_path: Path, deckatlas_program: CommandLine, setting: str, message: str
) -> None:
    told = refused(deckatlas_program, tmp_path, setting)
    assert message in told
    assert told.startswith(f"deckatlas: --set {setting}")


def test_policies_have_no_attributes_of_cards(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no attributes of cards: use the encoding 'counts'") as refusal:
        surrogate_run(tmp_path, "drafts", "search.training.encoding=attributes")
    assert str(refusal.value).startswith("--set search.training.encoding=attributes: ")


def test_a_rate_that_rises_is_refused(tmp_path: Path, deckatlas_program: CommandLine) -> None:
    told = refused(deckatlas_program, tmp_path, "search.training.final_rate=0.5")
    assert "search.training: final_rate must be at most rate, which is 0.003, not 0.5" in told


def with_other_card(model: dict[str, Any]) -> None:
    model["genes"][3] = 999


def with_fewer_cards(model: dict[str, Any]) -> None:
    model["genes"].pop()


def with_other_layers(model: dict[str, Any]) -> None:
    model["networks"][0]["layers"][1] += 1


def with_nan(model: dict[str, Any]) -> None:
    model["networks"][0]["weights"][0][5] = float("nan")


def with_huge_weight(model: dict[str, Any]) -> None:
    model["networks"][0]["biases"][0][0] = 3.45e38


def with_other_targets(model: dict[str, Any]) -> None:
    model["targets"] = ["win_rate", "num_turns"]


def with_other_decks(model: dict[str, Any]) -> None:
    model["deck_size"] = 40


def with_no_network(model: dict[str, Any]) -> None:
    model["networks"] = []


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (with_other_card, "it is for other solutions: gene 4 is 999"),
        (with_fewer_cards, "it is for 159 genes, not 160"),
        (with_other_layers, "layer 1 must have"),
        (with_nan, "a number must be finite"),
        (with_huge_weight, "expected a finite number"),
        (with_other_targets, "does not predict avg_health_diff"),
        (with_other_decks, "it is for decks of 40 cards, not 30"),
        (with_no_network, "the model spoilt.json: "),
    ],
)
def test_a_model_file_that_does_not_fit_is_refused(
    tmp_path: Path,
    deckatlas_program: CommandLine,
    model_file: Path,
    spoil: Callable[[dict[str, Any]], None],
    message: str,
) -> None:
    model = json.loads(model_file.read_text())
    spoil(model)
    (tmp_path / "spoilt.json").write_text(json.dumps(model))
    told = refused(deckatlas_program, tmp_path, lines='model_file = "spoilt.json"\n')
    assert told.startswith("deckatlas: bad.toml, line 25: the model spoilt.json")
    assert message in told


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff\xfe", b"{" * 100_000, b'{"genes": 1}'])
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, deckatlas_program: CommandLine, content: bytes) -> None:
    (tmp_path / "model.json").write_bytes(content)
    assert "the model model.json: " in refused(deckatlas_program, tmp_path, lines='model_file = "model.json"\n')


PATCH = 'name = "sharper"\n[cards.Slimer]\nattack = 9\n'


@pytest.mark.parametrize("encoding", ["counts", "attributes"])
def test_an_exported_model_is_refused_after_a_patch(
    tmp_path: Path, deckatlas_program: CommandLine, encoding: str
) -> None:
    """The ids are the same, and the attributes of the cards before the patch are part of the model's first layer."""
    text = DECKS.replace("hidden = [8]", f'encoding = "{encoding}", hidden = [8]')
    (tmp_path / "run.toml").write_text(text)
    (tmp_path / "patch.toml").write_text(PATCH)
    assert deckatlas_program("run", "run.toml")[0] == 0
    assert deckatlas_program("export", "run", "--model", "model.json")[0] == 0
    (tmp_path / "frozen.toml").write_text(text + 'model_file = "model.json"\n')
    code, out, errors = deckatlas_program("run", "frozen.toml", "--set", "space.edition=patch.toml")
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith("deckatlas: frozen.toml, line 25: the model model.json: it was trained with other cards: ")
    assert deckatlas_program("run", "frozen.toml")[0] == 0


def test_a_model_of_decks_does_not_serve_draft_policies(tmp_path: Path, model_file: Path) -> None:
    with pytest.raises(RunError, match="it is for other solutions: gene 1 is 1, not 0"):
        surrogate_run(tmp_path, "drafts", f"search.model_file={model_file}")


def test_an_error_of_a_model_during_a_run_is_one_line(
    tmp_path: Path, deckatlas_program: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def diverges(*_: Any, **__: Any) -> None:
        raise ModelError("training diverged")

    monkeypatch.setattr(Surrogate, "_train", diverges)
    (tmp_path / "run.toml").write_text(DECKS)
    assert deckatlas_program("run", "run.toml") == (2, "", "deckatlas: training diverged\n")
