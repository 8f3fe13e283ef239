"""Surrogates: recipes, what is trained on, encodings and scales inside the layers, files, and bad input."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from deckatlas.errors import ModelError
from deckatlas.models.data import TrainingData
from deckatlas.models.files import model_text, read_model
from deckatlas.models.frozen import FrozenModel
from deckatlas.models.recipes import RECIPES, Training
from deckatlas.models.surrogate import FitReport, Surrogate

CARDS, SIZE, TARGETS = 24, 10, ("health", "turns")


def decks(count: int, seed: int = 1) -> Any:
    rng = np.random.default_rng(seed)
    copies = np.repeat(np.arange(CARDS), 2)
    return np.stack([np.bincount(rng.permutation(copies)[:SIZE], minlength=CARDS) for _ in range(count)]).astype("u1")


def data(count: int = 300, seed: int = 1) -> TrainingData:
    genes = decks(count, seed)
    strength = np.random.default_rng(9).normal(size=(CARDS, 2))
    targets = genes @ strength * [4, 0.3] + [3, 8]
    return TrainingData(genes, targets + (genes[:, :1] == 2) * [5, 0], np.ones(count))


def surrogate(**options: Any) -> Surrogate:
    values = {"hidden": (16, 8), "epochs": 10, "batch": 16}
    training = Training.model_validate({"recipe": "published", **values, **options})
    return Surrogate(training, genes=CARDS, targets=TARGETS, deck_size=SIZE)


def bytes_of(model: FrozenModel) -> bytes:
    return b"".join(numbers.tobytes() for layers in model.members for layer in layers for numbers in layer)


# ---- recipes ---------------------------------------------------------------------------------------------------------


def test_the_published_recipe_is_the_papers() -> None:
    training = Training.by_name("published")
    assert training.hidden_layers == (128, 32, 16)
    assert training.networks == 1
    assert (training.epochs, training.batch, training.rate, training.final_rate) == (20, 64, 0.01, 0.01)
    assert not training.normalise
    assert not training.shuffle
    assert training.warm_start
    assert (training.hold_out, training.input_noise, training.weight_decay) == (0.1, 1e-4, 0.0)


def test_given_options_override_the_recipe() -> None:
    training = Training.model_validate({"recipe": "published", "rate": 0.02, "model": "ensemble", "members": 3})
    assert (training.rate, training.networks, training.epochs) == (0.02, 3, 20)
    assert Training.model_validate({"model": "linear"}).hidden_layers == ()


def test_recipes_set_every_option() -> None:
    for recipe in RECIPES.values():
        assert set(recipe) | {"recipe"} == set(Training.model_fields)


@pytest.mark.parametrize(
    "options",
    [
        {"recipe": "other"},
        {"rate": float("nan")},
        {"rate": 0},
        {"hidden": ()},
        {"members": 1},
        {"hold_out": 1.0},
        {"unknown": 1},
        {"rate": 0.001, "final_rate": 0.01},
    ],
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises((ValidationError, ModelError)):
        Training.model_validate(options)


# ---- training --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", ["published", "deckatlas"])
@pytest.mark.parametrize("model", ["linear", "network", "ensemble"])
def test_the_same_data_and_seeds_give_the_same_model(recipe: str, model: str) -> None:
    twins = [surrogate(recipe=recipe, model=model, members=2) for _ in range(2)]
    reports = [[each.fit(data(), 1), each.fit(data(400), 2)] for each in twins]
    assert bytes_of(twins[0].frozen) == bytes_of(twins[1].frozen)
    assert repr(reports[0]) == repr(reports[1])
    other = surrogate(recipe=recipe, model=model, members=2)
    other.fit(data(), 1)
    other.fit(data(400), 3)
    assert bytes_of(other.frozen) != bytes_of(twins[0].frozen)


def test_the_newest_tenth_is_held_out_as_published() -> None:
    changed = data()
    changed.targets[270:] += 1000
    plain, other = surrogate(), surrogate()
    first, second = plain.fit(data(), 1), other.fit(changed, 1)
    assert bytes_of(plain.frozen) == bytes_of(other.frozen)
    assert (first.rows, first.held_out) == (270, 30)
    assert first.trained_errors == second.trained_errors
    assert second.held_out_errors[0] > first.held_out_errors[0] + 1e5


def test_a_shuffled_split_holds_out_any_rows() -> None:
    changed = data()
    changed.targets[270:] += 1000
    plain, other = surrogate(shuffle=True), surrogate(shuffle=True)
    plain.fit(data(), 1)
    other.fit(changed, 1)
    assert bytes_of(plain.frozen) != bytes_of(other.frozen)


def test_errors_are_mean_squares() -> None:
    model = surrogate(hold_out=0.2)
    report = model.fit(data(), 1)
    errors = (model.predict(data().genes) - data().targets) ** 2
    assert report.trained_errors == pytest.approx(errors[:240].mean(axis=0))
    assert report.held_out_errors == pytest.approx(errors[240:].mean(axis=0))
    assert len(report.losses) == 10


def test_without_held_out_rows_their_errors_are_unknown() -> None:
    report = surrogate(hold_out=0.0).fit(data(), 1)
    assert (report.rows, report.held_out) == (300, 0)
    assert np.isnan(report.held_out_errors).all()


def last_loss(report: FitReport) -> float:
    return report.losses[-1]


def test_a_warm_start_continues_and_a_cold_one_does_not() -> None:
    warm, cold = surrogate(warm_start=True), surrogate(warm_start=False)
    for seed in range(6):
        warm_report, cold_report = warm.fit(data(), seed), cold.fit(data(), seed)
    assert last_loss(warm_report) < last_loss(cold_report)
    fresh = surrogate(warm_start=False)
    fresh.fit(data(), 5)
    assert bytes_of(fresh.frozen) == bytes_of(cold.frozen)


def test_normalised_targets_come_back_in_their_own_scale() -> None:
    model = surrogate(recipe="deckatlas", epochs=200, rate=0.01)
    report = model.fit(data(1000), 1)
    assert model.predict(data().genes).mean(axis=0) == pytest.approx(data().targets.mean(axis=0), rel=0.05)
    assert report.trained_errors[0] < 0.05 * data().targets[:, 0].var()
    assert report.trained_errors[1] < 0.05 * data().targets[:, 1].var()


def test_a_constant_target_is_learnt() -> None:
    constant = TrainingData(decks(50), np.full((50, 2), 7.0), np.ones(50))
    model = surrogate(recipe="deckatlas", epochs=100, rate=0.01)
    model.fit(constant, 1)
    assert model.predict(decks(5)) == pytest.approx(np.full((5, 2), 7.0), abs=0.3)


def test_an_ensemble_is_the_mean_of_its_networks() -> None:
    model = surrogate(model="ensemble", members=3)
    model.fit(data(), 1)
    assert len(model.layers()) == 3
    alone = [FrozenModel([layers], targets=TARGETS, deck_size=SIZE).predict(decks(20)) for layers in model.layers()]
    assert not np.allclose(alone[0], alone[1])
    np.testing.assert_allclose(model.predict(decks(20)), np.mean(alone, axis=0), rtol=1e-5)


def test_noise_on_inputs_changes_little_but_something() -> None:
    quiet, noisy = surrogate(input_noise=0.0), surrogate(input_noise=1e-4)
    quiet.fit(data(), 1)
    noisy.fit(data(), 1)
    assert bytes_of(quiet.frozen) != bytes_of(noisy.frozen)
    np.testing.assert_allclose(quiet.predict(decks(9)), noisy.predict(decks(9)), rtol=0.2, atol=0.5)


def test_card_attributes_predict_cards_that_were_never_seen() -> None:
    rng = np.random.default_rng(4)
    attributes = rng.normal(size=(CARDS, 2))
    known = decks(2000)
    known[:, -3:] = 0
    unseen = decks(200, seed=2)
    targets = [genes.astype(np.float64) @ attributes for genes in (known, unseen)]
    errors = {}
    for encoding in ("counts", "attributes"):
        options = {"model": "linear", "encoding": encoding, "epochs": 200, "rate": 0.01}
        model = Surrogate(
            Training.model_validate(options), genes=CARDS, targets=TARGETS, deck_size=SIZE, attributes=attributes
        )
        squares = []
        for seed in range(3):
            model.fit(TrainingData(known, targets[0], np.ones(len(known))), seed)
            squares.append((model.predict(unseen) - targets[1]) ** 2)
        errors[encoding] = np.mean(squares)
        assert [len(layers[0][0]) for layers in model.layers()] == [CARDS]
    assert errors["attributes"] < 0.7 * errors["counts"]


def test_real_vectors_of_any_scale_are_learnt() -> None:
    rng = np.random.default_rng(5)
    genes = rng.uniform([0, 5000], [0.001, 6000], (500, 2))
    targets = np.stack([genes[:, 0] * 1000 + genes[:, 1] / 1000, genes[:, 1]], axis=1)
    training = Training.model_validate({"hidden": (16,), "epochs": 100, "rate": 0.01})
    model = Surrogate(training, genes=2, targets=TARGETS)
    model.fit(TrainingData(genes, targets, np.ones(500)), 1)
    errors = ((model.predict(genes) - targets) ** 2).mean(axis=0)
    assert (errors < 0.02 * targets.var(axis=0)).all()


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("genes", "targets", "weight", "message"),
    [
        (np.zeros((0, 3)), np.zeros((0, 1)), np.zeros(0), "no training data"),
        (np.zeros((2, 3)), np.zeros((3, 1)), np.ones(2), "as many rows"),
        (np.zeros(3), np.zeros((3, 1)), np.ones(3), "a table of genes"),
        (np.zeros((2, 3)), np.full((2, 1), np.nan), np.ones(2), "targets of training data must be finite"),
        (np.full((2, 3), np.inf), np.zeros((2, 1)), np.ones(2), "genes of training data must be finite"),
        (np.zeros((2, 3)), np.zeros((2, 1)), -np.ones(2), "negative"),
    ],
)
def test_bad_data_are_refused(genes: Any, targets: Any, weight: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        TrainingData(genes, targets, weight)


def test_bad_uses_are_refused() -> None:
    with pytest.raises(ModelError, match="not trained"):
        surrogate().predict(decks(1))
    with pytest.raises(ModelError, match="24 genes and 2 targets, the data 24 and 1"):
        surrogate().fit(TrainingData(decks(3), np.zeros((3, 1)), np.ones(3)), 1)
    with pytest.raises(ModelError, match="each target only once"):
        Surrogate(Training.by_name("published"), genes=3, targets=("a", "a"))
    with pytest.raises(ModelError, match="no attributes"):
        surrogate(encoding="attributes")
    model = surrogate()
    model.fit(data(), 1)
    with pytest.raises(ModelError, match="counts of cards"):
        model.predict(decks(1) - 0.5)
    with pytest.raises(ModelError, match="at most 10 cards"):
        model.predict(decks(1) * 3)


# ---- files -----------------------------------------------------------------------------------------------------------


IDS = [f"CARD_{number}" for number in range(CARDS)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    model = surrogate(recipe="deckatlas", model="ensemble", members=2)
    model.fit(data(), 1)
    text = model_text(model.frozen, genes=IDS, training=model.training)
    (tmp_path / "model.json").write_text(text, encoding="utf-8")
    return tmp_path / "model.json"


def test_a_file_keeps_every_bit_of_a_model(tmp_path: Path) -> None:
    model = surrogate(model="ensemble", members=2)
    model.fit(data(), 1)
    text = model_text(model.frozen, genes=IDS, training=model.training)
    (tmp_path / "model.json").write_text(text, encoding="utf-8")
    read = read_model(tmp_path / "model.json", genes=IDS, deck_size=SIZE)
    assert bytes_of(read.model) == bytes_of(model.frozen)
    assert read.training == model.training
    assert read.model.targets == TARGETS
    assert read.model.predict(decks(9)).tobytes() == model.predict(decks(9)).tobytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"genes": ["OTHER", *IDS[1:]]}, "gene 1 is 'OTHER', not 'CARD_0'"),
        ({"genes": IDS[:-1]}, "it is for 23 genes, not 24"),
        ({"deck_size": 30}, "decks of 30 cards, not 10"),
        ({"deck_size": None}, "decks of None cards"),
        ({"targets": ["health"]}, "from 24 genes to 1 targets"),
        ({"networks": []}, "1 to 64 networks"),
        ({"networks": [{}]}, "missing"),
        ({"training": {"recipe": "other"}}, "training.recipe"),
        ({"cards": 1}, "cards"),
        ({"more": 1}, "unknown key 'more'"),
    ],
)
def test_files_of_other_models_are_refused_in_one_line(path: Path, change: dict[str, Any], message: str) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(ModelError, match=message) as caught:
        read_model(path, genes=IDS, deck_size=SIZE)
    assert "\n" not in str(caught.value)


def test_a_model_of_other_cards_with_the_same_names_is_refused(tmp_path: Path) -> None:
    model = surrogate()
    model.fit(data(), 1)
    path = tmp_path / "model.json"
    path.write_text(model_text(model.frozen, genes=IDS, training=model.training, cards="before"), encoding="utf-8")
    read = read_model(path, genes=IDS, deck_size=SIZE, cards="before").model
    assert bytes_of(read) == bytes_of(model.frozen)
    with pytest.raises(ModelError, match="it was trained with other cards: those of another edition") as caught:
        read_model(path, genes=IDS, deck_size=SIZE, cards="after")
    assert "\n" not in str(caught.value)


def test_a_file_that_does_not_say_which_cards_it_was_trained_with_is_read(path: Path) -> None:
    assert "cards" not in json.loads(path.read_text())
    assert read_model(path, genes=IDS, deck_size=SIZE, cards="any").model.targets == TARGETS


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("layers", [24, 16, 2], "2 lists each"),
        ("layers", [24, 16, 9, 2], "layer 2 must have 144 weights and 9 biases"),
        ("activation", "tanh", "'elu'"),
        ("biases", [[float("nan")] * 16, [0] * 8, [0] * 2], "a number must be finite"),
        ("biases", [["x"] * 16, [0] * 8, [0] * 2], "expected a finite number"),
    ],
)
def test_networks_of_other_layers_are_refused(path: Path, key: str, value: Any, message: str) -> None:
    document = json.loads(path.read_text())
    document["networks"][1][key] = value
    path.write_text(json.dumps(document))
    with pytest.raises(ModelError, match=message):
        read_model(path, genes=IDS, deck_size=SIZE)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot read the model"):
        read_model(tmp_path / "absent.json", genes=IDS, deck_size=SIZE)
    (tmp_path / "model.json").write_text("{")
    with pytest.raises(ModelError, match="not JSON"):
        read_model(tmp_path / "model.json", genes=IDS, deck_size=SIZE)


@pytest.mark.parametrize(("genes", "targets"), [(4097, 1), (3, 4097)])
def test_a_surrogate_that_no_layer_has_room_for_is_refused_at_once(genes: int, targets: int) -> None:
    names = [f"column {number}" for number in range(targets)]
    with pytest.raises(ModelError, match=f"at most 4,096 inputs and targets, not {genes:,} and {targets:,}"):
        Surrogate(Training.by_name("deckatlas"), genes=genes, targets=names)
