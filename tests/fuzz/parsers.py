"""The parsers under test: for each kind of file, seeds that are valid, and what reads them."""

import gzip
import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from deckatlas import hearthstone, locm
from deckatlas.balancing.one_call import read_targets
from deckatlas.documents.document import read_document
from deckatlas.files.reading import package_text
from deckatlas.games.hearthstone.agents import read_network_rating, read_weights
from deckatlas.games.hearthstone.cards.deck_files import decks_given
from deckatlas.games.hearthstone.cards.editions import edition_of as hearthstone_edition
from deckatlas.games.hearthstone.metagame import metagame_of as hearthstone_metagame
from deckatlas.games.hearthstone.position_network import ARRAYS, WIDTHS, NetworkWeights, _shapes
from deckatlas.games.hearthstone.position_network import read_network as read_rating
from deckatlas.games.hearthstone.position_network import write_network as write_rating
from deckatlas.games.hearthstone.record import GameRecord as HearthstoneRecord
from deckatlas.games.hearthstone.training.config import TrainingConfig
from deckatlas.games.hearthstone.verify import verify as verify_hearthstone
from deckatlas.games.locm.agents import draft_policy
from deckatlas.games.locm.editions import edition_of as locm_edition
from deckatlas.games.locm.metagame import metagame_of as locm_metagame
from deckatlas.games.locm.record import GameRecord as LocmRecord
from deckatlas.games.locm.verify import verify as verify_locm
from deckatlas.games.reference_files import read_reference_file
from deckatlas.models.files import model_text, read_model
from deckatlas.models.frozen import FrozenModel
from deckatlas.models.recipes import RECIPES, Training
from deckatlas.play.networks import write_network
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import read_config
from fuzz.mutations import mutated
from fuzz.stores import mutated_store, read_store
from helpers.locm_reference import a_scenario, a_trace
from helpers.maps import DRAFTS, HUNTERS, hunters
from helpers.runs import EVOLUTION
from helpers.surrogates import DECKS

PLAYED = ("Starter Mage", "Zoo")
SUITE = (
    '[[opponent]]\ndeck = "Starter Mage"\npilot = "random"\nportion = 2\n\n[[opponent]]\ndeck = "Zoo"\npilot = "fast"\n'
)
PATCH = """\
name = "mine"
base = "2018-12"
rules = []
[cards.CS2_029]
cost = 3
effect = "spell(draw(2))"
[cards."Chillwind Yeti"]
attack = 5
keywords = "taunt charge"
[new.MY_1]
name = "Mine"
class = "mage"
type = "minion"
set = "classic"
rarity = "common"
cost = 2
attack = 2
health = 2
effect = 'battlecry(summon("CS2_182")), on(death(MY_OTHER_MINIONS), draw(1))'
"""
LOCM_PATCH = (
    'name = "quieter"\nbase = "1.2"\n[cards.Slimer]\ncost = 2\n[cards.65]\ndefense = 1\nkeywords = "guard ward"\n'
)
TRAINING = (
    'game = "hearthstone"\nseed = 1\nrounds = 1\n[games]\ngames = 20000\nfirst_pilot = "fast"\n[model]\nhidden = 32\n'
)
LISTS = """\
### My Mage
# Class: Mage
2x Frostbolt
2 Fireball
Chillwind Yeti x2
1x (9) Ysera

### Other
2x Wisp
2x Arcane Missiles
"""
TARGETS = """\
meta = "field-2018"
pilot = "greedy"
classes = ["mage"]
search_pilots = ["greedy"]
budget = 20000
[knobs."Water Elemental"]
cost = [3, 6]
attack = { values = [2, 3, 5] }
[knobs.Fireball]
effect = "spell(deal({damage}, target(CHARACTERS)))"
damage = [4, 7]
[[target]]
intent = "mage win rate at most 50"
[[target]]
intent = "Fireball in at most 40 % of mage elites"
weight = 0.5
[confirm]
patches = 3
trials = 5
"""
SCENARIO = {
    "name": "a spell kills",
    "me": {"class": "MAGE", "mana": 4, "max_mana": 4, "hand": ["CS2_029"], "board": ["CS2_182"], "deck": ["CS2_231"]},
    "op": {"class": "HUNTER", "mana": 0, "max_mana": 3, "board": [{"id": "CS2_182", "damage": 1}], "health": 20},
    "do": [{"play": "CS2_029", "target": "op.board.0"}, {"check": {"op.board.0.health": 4}}, {"end_turn": True}],
    "expect": {"op.hero.health": {"min": 0, "max": 30}, "me.mana": 0},
}


@dataclass(frozen=True)
class Parser:
    """A kind of file.

    Attributes:
        ending: How the names of such files end.
        seeds: Valid files.
        read: Reads a file in all ways.
        mutate: Makes another file of one; changes of bytes and words if absent.
    """

    ending: str
    seeds: Callable[[], list[bytes]]
    read: Callable[[Path], object]
    mutate: Callable[[bytes, random.Random, Path], bytes] | None = None

    def mutant(self, content: bytes, corpus: list[bytes], rng: random.Random, place: Path) -> bytes:
        """A changed file."""
        return mutated(content, corpus, rng) if self.mutate is None else self.mutate(content, rng, place)


def _texts(*texts: str) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


def _made(write: Callable[[Path], object]) -> Callable[[], list[bytes]]:
    """A seed that something writes."""

    @cache
    def seeds() -> list[bytes]:
        with TemporaryDirectory() as folder:
            write(Path(folder) / "file")
            return [(Path(folder) / "file").read_bytes()]

    return seeds


def _network(path: Path) -> None:
    layers = [(np.ones((15, 2)) / 3, np.zeros(2)), (np.ones((2, 1)), np.ones(1))]
    write_network(path, layers, "elu", last="tanh")


def _rating(path: Path) -> None:
    """A network that knows one card, and says nothing about any position."""
    arrays: dict[str, np.ndarray[Any, Any]] = {
        name: np.zeros(shape, ARRAYS[name][0]) for name, shape in _shapes(WIDTHS[0], 1).items()
    }
    write_rating(path, NetworkWeights(("CS2_029",), arrays, "nothing"))


@cache
def _store() -> list[bytes]:
    with TemporaryDirectory() as folder:
        small_map = hunters(Path(folder), "search.evaluations=12", "search.initial=8")
        execute(small_map, Path(folder) / "map.db", recheck=4, cards=("events", "swap-outs"))
        config = Path(folder) / "evolution.toml"
        config.write_text(EVOLUTION.replace("budget = 792", "budget = 60"))
        execute(read_config(config), Path(folder) / "evolution.db")
        return [(Path(folder) / f"{name}.db").read_bytes() for name in ("map", "evolution")]


def _locm_games() -> list[bytes]:
    lines = [json.dumps(each).encode() + b"\n" for each in (a_trace(11), a_scenario())]
    return [*lines, b"".join(lines), gzip.compress(lines[1], mtime=0)]


def _text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


GENES = ("a", "b", "c")


def _model(path: Path) -> None:
    first = np.ones((3, 2), np.float32), np.zeros(2, np.float32)
    second = np.ones((2, 1), np.float32), np.zeros(1, np.float32)
    model = FrozenModel([[first, second]], targets=["win_rate"], deck_size=30)
    path.write_text(model_text(model, genes=GENES, training=Training.model_validate(RECIPES["published"])))


PARSERS: dict[str, Parser] = {
    "run": Parser(".toml", _texts(HUNTERS, DRAFTS, EVOLUTION, DECKS), read_config),
    "training": Parser(".toml", _texts(TRAINING), lambda path: read_document(path).check(TrainingConfig)),
    "suite": Parser(".toml", _texts(SUITE), lambda path: hearthstone.suite_of(path)),
    "patch": Parser(".toml", _texts(PATCH), hearthstone_edition),
    "locm-patch": Parser(".toml", _texts(LOCM_PATCH), locm_edition),
    "metagame": Parser(
        ".toml",
        lambda: [package_text("deckatlas.games.hearthstone", "metagames", "field.toml").encode()],
        lambda path: hearthstone_metagame(path),
    ),
    "locm-metagame": Parser(
        ".toml",
        lambda: [package_text("deckatlas.games.locm", "metagames", "drafts.toml").encode()],
        lambda path: locm_metagame(path),
    ),
    "targets": Parser(
        ".toml", _texts(TARGETS), lambda path: read_targets(path, folder=path.parent / "runs", seed=1, threads=1)
    ),
    "decks": Parser(
        ".csv",
        _texts("deck,class\nStarter Mage,\nZoo,warlock\n", LISTS, "Starter Mage\n# a comment\nZoo\n"),
        lambda path: decks_given(str(path), "2018-12"),
    ),
    "traces": Parser(
        ".jsonl", _texts(json.dumps(SCENARIO) + "\n"), lambda path: verify_hearthstone([read_reference_file(path)])
    ),
    "locm-traces": Parser(".jsonl", _locm_games, lambda path: verify_locm([read_reference_file(path)])),
    "network": Parser(".json", _made(_network), read_network_rating),
    "weights": Parser(".json", _texts('{"HeroHp": 1.5, "OpHeroHp": -2}'), read_weights),
    "policy": Parser(
        ".json",
        _texts(json.dumps({"kind": "attributes", "genome": [0.5] * 9})),
        lambda path: draft_policy(f"genome:file={path}"),
    ),
    "ranking": Parser(
        ".txt", _texts(" ".join(map(str, range(160)))), lambda path: draft_policy(f"ranking:file={path}")
    ),
    "model": Parser(".json", _made(_model), lambda path: read_model(path, genes=GENES, deck_size=30)),
    "rating": Parser(".npz", _made(_rating), read_rating),
    "record": Parser(
        ".txt",
        lambda: [hearthstone.play_one("random", "random", decks=PLAYED, seed=1).to_text().encode()],
        lambda path: HearthstoneRecord.from_text(_text_of(path)),
    ),
    "locm-record": Parser(
        ".txt",
        lambda: [locm.play_one("random", "random", seed=1).to_text().encode()],
        lambda path: LocmRecord.from_text(_text_of(path)),
    ),
    "store": Parser(".db", _store, read_store, mutated_store),
}
