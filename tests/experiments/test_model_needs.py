"""Runs that search with a model of another run: what cannot work is refused before the first game, in its place."""

from pathlib import Path

import numpy as np
import pytest

from deckatlas.errors import RunError
from deckatlas.models.files import model_text
from deckatlas.models.frozen import FrozenModel
from deckatlas.models.recipes import Training
from deckatlas.papers.kinds import read_item
from deckatlas.search.surrogate_search import gene_names

EXPERIMENT = """title = "Models of others"
source = "nobody"

[defaults]
repeat = 2
space = { kind = "hearthstone-deck", class = "rogue" }
evaluation = { pilot = "random", games = 4 }
archive = { kind = "grid", measures = ["num_turns"], ranges = [[5, 15]], resolution = [9] }

[runs.plain]
search = { algorithm = "map-elites", evaluations = 40, initial = 10 }

[runs.learning]
search.algorithm = "dsa-me"
search.evaluations = 100
search.predictions = 600

[runs.taking]
model_from = "learning"
model = "final"
search.algorithm = "dsa-me"
search.evaluations = 100
search.predictions = 600

[report]
kind = "deck-table"
games = 6
"""
LINE = 19  # of model_from


def refusal(folder: Path, old: str, new: str) -> str:
    """The one line with which the experiment is refused after a change."""
    assert EXPERIMENT.count(old) >= 1
    file = folder / "item.toml"
    file.write_text(EXPERIMENT.replace(old, new), encoding="utf-8")
    with pytest.raises(RunError) as error:
        read_item(file)
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(str(folder)).removeprefix("/")


def test_the_experiment_without_a_mistake_is_read(tmp_path: Path) -> None:
    (tmp_path / "item.toml").write_text(EXPERIMENT, encoding="utf-8")
    assert read_item(tmp_path / "item.toml").series["taking"][1].needs == ("learning",)


TAKING = "[runs.taking]\n"
FINAL = 'model_from = "learning"\nmodel = "final"\n'
NEW = 'model_from = "plain"\nmodel = "new"\n'


@pytest.mark.parametrize(
    ("old", "new", "line", "complaint"),
    [
        ('"learning"', '"learnin"', LINE, "no run 'learnin' in the experiment: did you mean 'learning'?"),
        ('"learning"', '"plain"', LINE, "plain has no model for taking"),
        ('"learning"', '"taking"', LINE, "runs cannot depend on each other: "),
        ("[runs.plain]\n", '[runs.plain]\nmodel_from = "learning"\n', 11, "plain cannot use a model: its search"),
        ("[runs.learning]\n", "[runs.learning]\nrepeat = 3\n", LINE + 1, "learning needs one run or 2, not 3"),
        (FINAL, 'model = "final"\n', LINE, "model needs model_from"),
        ("[runs.learning]\n", '[runs.learning]\nspace.class = "mage"\n', LINE + 1, "it is for other solutions: gene"),
        (FINAL, f'{FINAL}search.targets = ["win_rate", "avg_health_diff", "num_turns"]\n', 21, "not predict win_rate"),
        (FINAL, f'{FINAL}archive.measures = ["hand_size"]\n', LINE, "the model of learning does not predict hand_size"),
        (
            FINAL,
            f"{FINAL}search.training.hidden = [64, 8]\n",
            21,
            "search.training of taking: [64, 8], not [128, 32, 16]",
        ),
        (FINAL, f'{FINAL}search.training.model = "ensemble"\n', 21, ": 5 networks of [128, 32, 16], not [128, 32, 16]"),
        (
            FINAL,
            f'{NEW}search.targets = ["avg_health_diff", "num_turns", "num_turn"]\n',
            21,
            "'num_turn': did you mean",
        ),
    ],
)
def test_a_model_that_does_not_fit_is_refused_in_its_place(
    tmp_path: Path, old: str, new: str, line: int, complaint: str
) -> None:
    told = refusal(tmp_path, old, new)
    assert complaint in told
    assert told.startswith(f"item.toml, line {line}: ")


def test_a_model_of_other_solutions_is_refused(tmp_path: Path) -> None:
    space = 'space = { kind = "hearthstone-deck", class = "rogue" }\n'
    assert EXPERIMENT.count(space) == 1
    text = EXPERIMENT.replace(space, "").replace("[runs.taking]\n", f"[runs.taking]\n{space}")
    text = text.replace("[runs.plain]\n", f"[runs.plain]\n{space}")
    deck = 'space.kind = "locm-deck"\narchive.measures = ["win_rate"]\n'
    (tmp_path / "item.toml").write_text(text.replace("[runs.learning]\n", f"[runs.learning]\n{deck}"), "utf-8")
    with pytest.raises(RunError, match=r"taking cannot use a model of learning: its solutions are .*, not .*"):
        read_item(tmp_path / "item.toml")


def test_a_model_of_other_cards_with_the_same_names_is_refused(tmp_path: Path) -> None:
    patch = 'space.patch = \'base = "2018-12"\\nname = "tougher"\\n[cards.CS2_182]\\nhealth = 7\'\n'
    told = refusal(tmp_path, FINAL, FINAL + patch.replace("'", '"""'))
    message = "taking cannot use a model of learning: it was trained with other cards: those of another edition"
    assert told.startswith(f"item.toml, line {LINE}: {message}")


def test_a_run_has_one_model_only(tmp_path: Path) -> None:
    (tmp_path / "item.toml").write_text(EXPERIMENT, encoding="utf-8")
    genes = gene_names(read_item(tmp_path / "item.toml").series["taking"][1].config.make_space())
    layers = [(np.zeros((len(genes), 2), np.float32), np.zeros(2, np.float32))]
    model = FrozenModel([layers], targets=["avg_health_diff", "num_turns"], deck_size=30)
    path = tmp_path / "model.json"
    path.write_text(model_text(model, genes=genes, training=Training.by_name("deckatlas")), encoding="utf-8")
    told = refusal(tmp_path, FINAL, f'{FINAL}search.model_file = "{path}"\n')
    assert told == "item.toml, line 21: taking cannot have both model_file and model_from"


def test_a_model_can_be_handed_on(tmp_path: Path) -> None:
    handed = '[runs.again]\nmodel_from = "taking"\nmodel = "final"\nsearch = { algorithm = "dsa-me" }\n'
    (tmp_path / "item.toml").write_text(EXPERIMENT.replace("[report]", f"{handed}\n[report]"), encoding="utf-8")
    assert read_item(tmp_path / "item.toml").series["again"][1].needs == ("taking",)
    told = refusal(tmp_path, "[report]", f"{handed}archive.measures = ['hand_size']\n[report]")
    assert "the model of taking does not predict hand_size" in told
