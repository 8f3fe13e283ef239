"""What the texts of a configuration stand for, before the first game: pilots are checked, files are known by content.

A training is the same wherever its files are: in `config.json` and in the provenance of weights, a hash of each file's
content stands for its path, and the text of a patch for the path of its file.
"""

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path

from deckatlas.errors import AgentError, ModelError, RunError
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT, agent_files
from deckatlas.games.hearthstone.cards.editions import EDITIONS, Edition, Patch, edition, edition_of
from deckatlas.games.hearthstone.pilots import pilot
from deckatlas.games.hearthstone.position_network import NetworkWeights, read_network
from deckatlas.games.hearthstone.training.config import SHIPPED, WEIGHTS, TrainingConfig
from deckatlas.games.hearthstone.training.positions import agent_of_games
from deckatlas.play.agent_files import found_file
from deckatlas.play.spec import EXEC
from deckatlas.runs.hashes import file_hash
from deckatlas.shapes import show


def check_place(folder: Path) -> None:
    """Checks that pilots can read weights in a folder: `expert:net=FILE,width=4` ends the path at a comma.

    Raises:
        RunError: If the path has a comma or a character that cannot be printed.
    """
    if "," in str(folder) or not str(folder).isprintable():
        raise RunError(
            f"the path of a training must have no comma and only printable characters, not {show(str(folder))}"
        )


def check_pilots(config: TrainingConfig) -> None:
    """Checks the pilots of a training; the network of the package stands in for weights to come.

    Raises:
        AgentError: If one is unknown, or should be an agent of the core and is not.
    """
    games = config.games
    with resources.as_file(found_file(_weights_file(SHIPPED))) as network:
        _check("games.first_pilot", games.first_pilot.replace(WEIGHTS, str(network)), agent_of_games)
        if games.pilot is not None:
            _check("games.pilot", games.pilot.replace(WEIGHTS, str(network)), agent_of_games)
    _check("games.explorer", games.explorer, agent_of_games)
    _check("strength.opponent", config.strength.opponent, pilot)


def _check(key: str, text: str, make: Callable[[str], object]) -> None:
    try:
        make(text)
    except AgentError as error:
        raise AgentError(f"{key}: {error}") from None


def editions_of(config: TrainingConfig) -> list[Edition]:
    """The editions of a training.

    Raises:
        CardError: If there is no such edition or file, or a patch has a mistake.
        RunError: If two editions have the same name.
    """
    editions = [_edition(text) for text in config.editions]
    names = [each.name for each in editions]
    if doubled := next((name for name in names if names.count(name) > 1), None):
        raise RunError(f"editions: two of them are called {show(doubled)}")
    return editions


def edition_text(given: Edition) -> str:
    """An edition as a configuration can name it without a file: by its name, or the text of its patch.

    Raises:
        CardError: If it is neither a shipped edition nor made of one by patches.
    """
    return given.name if given.name in EDITIONS else given.as_patch().to_toml()


def start_weights(config: TrainingConfig) -> NetworkWeights | None:
    """The weights that the model starts with, if any.

    Raises:
        ModelError: If they cannot be read, or have another width than the model.
    """
    if config.model.start is None:
        return None
    weights = weights_called(config.model.start)
    if weights.width != config.model.hidden:
        raise ModelError(
            f"model.start: these weights have rows of {weights.width} numbers, so model.hidden must be {weights.width}"
        )
    return weights


def weights_called(start: str) -> NetworkWeights:
    """The weights of a file, or those of the package.

    Raises:
        ModelError: If they cannot be read.
    """
    with resources.as_file(found_file(_weights_file(start))) as path:
        return read_network(path)


def by_content(config: TrainingConfig) -> TrainingConfig:
    """The configuration with contents in place of paths: equal ones give equal weights.

    All files were read before.
    """
    games, start = config.games, config.model.start
    return config.model_copy(
        update={
            "editions": tuple(edition_text(each) for each in editions_of(config)),
            "games": games.model_copy(
                update={
                    "first_pilot": _pilot_by_content(games.first_pilot),
                    "pilot": None if games.pilot is None else _pilot_by_content(games.pilot),
                    "explorer": _pilot_by_content(games.explorer),
                }
            ),
            "decks": config.decks.model_copy(update={"files": tuple(map(file_hash, config.decks.files))}),
            "model": config.model.model_copy(
                update={"start": None if start is None else file_hash(_weights_file(start))}
            ),
            "strength": config.strength.model_copy(
                update={"opponent": _pilot_by_content(config.strength.opponent)},
            ),
        }
    )


def provenance(known: TrainingConfig, number: int) -> str:
    """Where the weights of a round come from: all that they follow from, and nothing else.

    Args:
        known: The configuration by content.
        number: The number of the round.
    """
    training = known.model_dump(mode="json", exclude={"rounds", "strength"})
    return json.dumps({"training": training, "round": number})


def _edition(text: str) -> Edition:
    """An edition by its name, the path of a patch, or the text of a patch."""
    if "\n" not in text:
        return edition_of(text)
    patch = Patch.from_toml(text)
    return edition(patch.base).patched(patch)


def _weights_file(start: str) -> str:
    return agent_files(DEFAULT_PILOT)[0] if start == SHIPPED else start


def _pilot_by_content(text: str) -> str:
    """A pilot's text with the contents of its files; the network of the package is named only by its content."""
    if text.startswith(EXEC):
        return text
    hashes = {path: file_hash(path) for path in agent_files(text) if path != WEIGHTS}
    name, colon, rest = text.partition(":")
    options = []
    for option in rest.split(","):
        key, _, value = option.partition("=")
        options.append(f"{key}={hashes.pop(value)}" if value in hashes else option)
    return " with ".join([f"{name}{colon}{','.join(options)}", *hashes.values()])
