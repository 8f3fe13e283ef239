"""Networks of a report on what pilots were not trained with: which command makes a file, and what its training saw.

The provenance of a network is the configuration of its training, so a report can tell whether a network really was
trained with, or without, what is said of it.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckatlas.errors import CardError, ModelError, RunError
from deckatlas.files.plain_data import json_values
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT, agent_files, shipped_network
from deckatlas.games.hearthstone.cards.editions import Patch
from deckatlas.games.hearthstone.position_network import NetworkWeights, read_network
from deckatlas.games.hearthstone.training.config import TrainingConfig
from deckatlas.runs.hashes import file_hash
from deckatlas.shapes import show

# The configuration of the training that makes the network of a key.
TRAININGS = {
    "with_lists": "experiments/hearthstone-expert/train.toml",
    "without_lists": "experiments/field/unseen-without.toml",
    "with_patches": "experiments/field/unseen-patched.toml",
}


@dataclass(frozen=True)
class Training:
    """How a network was trained, by its provenance.

    Attributes:
        left_out: The names of the lists that it did not see.
        editions: The names of the editions and patches of its games.
        start: A hash of the network that it started with, if any.
        others: All of its configuration but the lists left out, with the defaults of keys that it does not name.
    """

    left_out: tuple[str, ...]
    editions: tuple[str, ...]
    start: str | None
    others: Mapping[str, Any]

    @classmethod
    def of(cls, network: NetworkWeights, name: str) -> "Training":
        """Reads the provenance of a network.

        Args:
            network: The network.
            name: What a message calls it.

        Raises:
            ModelError: If it is not a network of `deckatlas train`.
        """
        try:
            whole = json_values(network.about)["training"]
            left_out, editions = tuple(whole["decks"]["left_out"]), tuple(map(_edition_name, whole["editions"]))
            start = whole.get("model", {}).get("start")
            others = _with_defaults(whole, TrainingConfig(game="hearthstone").model_dump(mode="json"))
        except (ValueError, KeyError, TypeError, AttributeError, CardError):
            raise ModelError(f"{name}: it does not say how it was trained") from None
        return cls(left_out, editions, start, {**others, "decks": {**others["decks"], "left_out": ()}})


def _with_defaults(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """A table with the defaults of keys that it does not have, in its sub-tables too."""
    found = {**defaults, **given}
    return {
        key: _with_defaults(value, defaults.get(key, {})) if isinstance(value, Mapping) else value
        for key, value in found.items()
    }


def pilot_with(network: str | None) -> str:
    """The pilot that plays with a network; without one, with the network that is shipped."""
    return "expert" if network is None else f"expert:net={network}"


def check_networks(networks: Mapping[str, str | None], *, left_out: Collection[str], patches: Collection[str]) -> None:
    """Checks that networks are there, and that their trainings fit their keys.

    Args:
        networks: The files by the keys of `TRAININGS`; None stands for the shipped network, which has seen all lists.
        left_out: The names of the lists that one training had and the other one had not.
        patches: The names of the patches that a training had.

    Raises:
        RunError: If a file is missing or not a network, or its training does not fit.
    """
    trainings = {key: _training(key, Path(name)) for key, name in networks.items() if name is not None}
    for key, training in trainings.items():
        if problem := _problem(key, training, left_out, patches):
            raise RunError(f"report.{key}: the network {networks[key]}: {problem}")
    if "without_lists" in trainings:
        given = trainings.get("with_lists") or Training.of(shipped_network(), "the shipped network")
        if given.others != trainings["without_lists"].others:
            other = "report.with_lists" if "with_lists" in trainings else "the shipped network"
            raise RunError(f"report.without_lists: its training differs from that of {other} in more than lists")


def _training(key: str, network: Path) -> Training:
    if not network.exists():
        command = f"deckatlas train {TRAININGS[key]} --folder {network.parent.parent}"
        raise RunError(f"report.{key}: there is no network {network}; this command makes it: {command}")
    try:
        return Training.of(read_network(network), f"the network {network}")
    except ModelError as error:
        raise RunError(f"report.{key}: {error}") from None


def _problem(key: str, training: Training, left_out: Collection[str], patches: Collection[str]) -> str | None:
    """Why a training does not fit its key, if it does not."""
    if key == "with_patches":
        missing = [name for name in patches if name not in training.editions]
        if missing:
            return f"it was not trained with the patch {show(missing[0])}"
        is_same = training.start == file_hash(agent_files(DEFAULT_PILOT)[0])
        return None if is_same else "its training did not start with the network that is shipped"
    is_without = key == "without_lists"
    wrong = [name for name in left_out if (name in training.left_out) != is_without]
    return f"it was trained {'with' if is_without else 'without'} the list {show(wrong[0])}" if wrong else None


def _edition_name(text: str) -> str:
    """The name of an edition of a training, which is given by its name or by the text of its patch."""
    return Patch.from_toml(text).name if "\n" in text else text
