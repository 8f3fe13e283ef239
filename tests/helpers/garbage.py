"""Calls of the public functions with one or two arguments replaced by something else, the same for the same seed."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas import hearthstone, locm


def _action(view: Any, actions: list[Any]) -> Any:
    return actions[-1]


class Stranger:
    """An object of no use."""

    def __repr__(self) -> str:
        return "Stranger()"


class Unprintable:
    """An object that does not even print itself."""

    def __repr__(self) -> str:
        raise ZeroDivisionError


# No number here is a large but valid number of games.
GARBAGE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, -(2**63), 2**64, 2**70, 0.5, -0.0, float("nan"), float("inf"), 1e300, 1j),
    *(
        "",
        " ",
        "x",
        "a" * 200,
        "\x00",
        "\ud800",
        "é\n\x1b[31m",
        "exec:",
        "1.2",
        "planner:width=0",
        "/",
        "..",
        "0x1F",
    ),
    *(b"", b"\xff", bytearray(3), memoryview(b"ab"), (), [], {}, set(), [None], [[]], {"a": None}, {1: 2}, ((), ())),
    *(Stranger(), Unprintable(), iter(()), range(3), Ellipsis),
    *(np.array(1), np.zeros((2, 3)), np.array(["a"]), np.array([np.nan]), np.int64(3), np.float32(1), np.bool_(True)),
    *(np.zeros(160), np.zeros(0), np.array([None]), Path("/nowhere"), Path(), Fraction(1, 3), 10**30, NotImplemented),
    *(locm.new_game(), hearthstone.new_game("Starter Mage", "Starter Mage"), locm.Action.from_text("PASS")),
    *(locm.edition(), hearthstone.edition(), hearthstone.named_decks()["Starter Mage"]),
)


@dataclass(frozen=True)
class Call:
    """A function with arguments that it takes."""

    function: Callable[..., Any]
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        given = ", ".join(f"{name}={_shown(value)}" for name, value in self.arguments.items())
        return f"{self.function.__module__}.{self.function.__name__}({given})"


def _shown(value: Any) -> str:
    try:
        return repr(value)[:80]
    except Exception:
        return type(value).__name__


def _calls() -> tuple[Call, ...]:
    """Quick calls of public functions that work, with all of their arguments."""
    mage, hunter = (hearthstone.named_decks()[name] for name in ("Starter Mage", "Starter Hunter"))
    edition = hearthstone.edition()
    record = locm.play_one("random/random", "random/random")
    story = hearthstone.play_one("random", "random", decks=(mage, hunter))
    battle = locm.new_game(decks=([1] * 30, [2] * 30))
    position = locm.to_dict(battle)
    scene = {
        "me": {"class": "MAGE", "mana": 4, "max_mana": 4, "hand": ["Fireball"]},
        "op": {"class": "HUNTER", "health": 6},
    }
    fight = hearthstone.scenario(scene)
    few: dict[str, Any] = {"games": 2, "seed": 1, "threads": 1, "time_factor": 1.0}
    match: dict[str, Any] = {**few, "swap_seats": True, "timed_games": 0, "sprt": None, "progress": None}
    suite: dict[str, Any] = {"pilot": "random", "suite": "starter", "profile": "fair", "edition": "2018-12"}
    return (
        Call(locm.new_game, {"seed": 1, "draft_seed": 2, "format": "referee", "decks": None, "edition": "1.2"}),
        Call(locm.new_game, {"seed": 1, "decks": ([1] * 30, [2] * 30)}),
        Call(
            locm.play,
            {"a": "random/random", "b": _action, "format": "referee", "decks": None, "edition": "1.2"} | match,
        ),
        Call(locm.play, {"a": "icebox/greedy", "b": (np.zeros(160), "random"), "format": "distinct"} | match),
        Call(locm.gauntlet, {"entrants": ["random/random", "random/pass"], "format": "referee", "sprt": None} | few),
        Call(locm.play_one, {"first": "random/random", "second": "random/pass", "seed": 1, "format": "referee"}),
        Call(locm.edition, {"given": "1.2"}),
        Call(locm.find_cards, {"query": "s", "cost": "2-4", "type": "creature", "keyword": "guard", "edition": "1.2"}),
        Call(locm.narrate, {"record": record}),
        Call(locm.position, {"description": position, "player": 0, "turn": 0, "seed": 1}),
        Call(locm.read_state, {"text": locm.new_game().to_text(), "edition": "1.2"}),
        Call(locm.to_dict, {"state": battle}),
        Call(
            locm.card_rates,
            {"policy": "random/random", "against": "random/random", "games": 4, "seed": 1, "threads": 1},
        ),
        Call(locm.compare, {"a": "random/random", "b": "random/pass", "games": 56, "progress": None, "seed": 1}),
        Call(hearthstone.build_deck, {"entries": dict(mage.cards), "cards": edition, "hero_class": "mage"}),
        Call(hearthstone.check_deck, {"deck": mage, "cards": edition, "pool": None}),
        Call(hearthstone.clipboard_block, {"deck": mage, "cards": edition, "name": "a"}),
        Call(hearthstone.deck_code, {"deck": mage, "cards": edition}),
        Call(hearthstone.deck_sheet, {"deck": mage, "edition": edition}),
        Call(hearthstone.edition, {"name": "2018-12"}),
        Call(
            hearthstone.evaluate, {"decks": [mage], "first_game": 0, "keep_games": False, "cards": True} | suite | few
        ),
        Call(hearthstone.find_cards, {"query": "s", "hero_class": "mage", "cost": 3, "type": "spell", "keyword": None}),
        Call(
            hearthstone.gauntlet,
            {"entrants": [(mage, "random"), (hunter, "pass")], "profile": "fair", "edition": "2018-12"} | few,
        ),
        Call(hearthstone.narrate, {"record": story, "decks": ("a", "b")}),
        Call(hearthstone.new_game, {"first": mage, "second": "Starter Hunter", "edition": "2018-12", "seed": 1}),
        Call(hearthstone.parse_deck_list, {"text": "2x Fireball", "cards": edition, "hero_class": "mage"}),
        Call(hearthstone.play, {"a": "random", "b": _action, "decks": (mage, hunter), "mulligan": "own"} | match),
        Call(
            hearthstone.play, {"a": "random", "b": "pass", "decks": ([mage, hunter], mage), "edition": edition} | match
        ),
        Call(hearthstone.play_one, {"first": "random", "second": "pass", "decks": (mage, hunter), "explain": False}),
        Call(hearthstone.pool, {"edition": edition, "hero_class": "mage", "name": "basic-classic"}),
        Call(
            hearthstone.random_deck,
            {
                "hero_class": "mage",
                "pool": hearthstone.pool(edition, "mage"),
                "cards": edition,
                "rng": np.random.default_rng(1),
            },
        ),
        Call(
            hearthstone.read_deck, {"text": hearthstone.deck_code(mage, edition), "cards": edition, "hero_class": None}
        ),
        Call(hearthstone.read_state, {"text": fight.to_text(), "edition": None}),
        Call(hearthstone.scenario, {"description": scene, "edition": "2018-12"}),
        Call(
            hearthstone.run_scenario,
            {
                "description": scene | {"do": [{"play": "Fireball", "target": "op.hero"}]},
                "edition": "2018-12",
                "seed": 1,
            },
        ),
        Call(hearthstone.suite_of, {"given": "starter", "edition": "2018-12"}),
        Call(hearthstone.swap_out, {"deck": mage, "cards": ["Fireball"]} | suite | few),
        Call(hearthstone.text_of, {"card": "Fireball", "edition": "2018-12"}),
        *_methods(record, story, edition),
    )


def _methods(record: Any, story: Any, edition: Any) -> tuple[Call, ...]:
    """Methods of the objects that people hold."""
    return (
        Call(locm.edition().patched, {"patch": locm.Patch("a")}),
        Call(edition.patched, {"patch": hearthstone.Patch("a")}),
        Call(locm.Patch, {"name": "a", "cards": {"Slimer": {"cost": 1}}, "base": "1.2"}),
        Call(locm.Patch.from_toml, {"text": "name = 'a'"}),
        Call(hearthstone.Patch, {"name": "a", "cards": {"Fireball": {"cost": 1}}, "new": {}, "rules": (), "base": "x"}),
        Call(hearthstone.Patch.from_toml, {"text": "name = 'a'"}),
        Call(locm.GameRecord.from_text, {"text": record.to_text(), "edition": "1.2"}),
        Call(hearthstone.GameRecord.from_text, {"text": story.to_text(), "edition": None}),
    )


def garbage_calls(seed: int, count: int) -> Iterator[Call]:
    """Calls with one or two arguments replaced, in a fixed order for each seed."""
    rng = random.Random(seed)
    calls = _calls()
    for _ in range(count):
        call = rng.choice(calls)
        arguments = dict(call.arguments)
        for name in rng.sample(sorted(arguments), min(len(arguments), rng.choice((1, 1, 2)))):
            arguments[name] = rng.choice(GARBAGE)
        yield Call(call.function, arguments)
