"""What the conformance suite needs of a game to hold all its agents to what every agent owes.

`GAMES` has an entry for each game. The suite names no game: whatever is registered is tested.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from deckatlas import hearthstone, locm
from deckatlas._core import hearthstone as hearthstone_core
from deckatlas._core import locm as locm_core
from deckatlas.games.hearthstone import agents as hearthstone_agents
from deckatlas.games.hearthstone.agents import AGENTS
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.cards import DECK_SIZE
from deckatlas.games.locm.state import Rng, new_game
from deckatlas.play.match import MatchResult
from deckatlas.play.spec import Entry
from helpers.hearthstone_play import some_decks
from helpers.locm_boards import Player, set_up

# Options that bound a search, and values that keep tests quick.
SMALL_BUDGETS = {"playouts": "30", "nodes": "200"}
SMALL_BEAM = {"width": "4", "finalists": "8"}


class AgentGame(Protocol):
    """A game whose agents are tested. States and actions are those of the core."""

    entries: Mapping[str, Entry[Any]]
    most_actions: int  # of a turn, with room to spare
    draws_within_turns: bool  # whether hidden cards can come out in the middle of a turn
    has_clock: bool  # whether an agent can be told how many seconds it has
    opponent: str  # a quick agent that all others meet
    seeds: int  # games that are looked at step by step
    games: int  # of a match, enough for several blocks on several threads

    def make(self, spec: str) -> Any:
        """The agent of a spec."""

    def needed(self, name: str) -> str:
        """The options that an agent cannot be made without."""

    def is_honest(self, spec: str) -> bool:
        """Whether the agent promises to know no more than its player."""

    def starts(self, seed: int) -> Iterator[Any]:
        """States in which the first turn begins, one for each way to start a game."""

    def apply(self, state: Any, action: Any, chance: Rng) -> None:
        """Carries an action out on `state`."""

    def positions(self, seat: int) -> Mapping[str, Any]:
        """Positions built by hand, with a player in that seat to move."""

    def match(self, spec: str, **options: Any) -> MatchResult:
        """Games of the agent against a quick one."""

    def final_hash(self, spec: str, *, seed: int, first: int) -> int:
        """The hash of the last state of one of these games, played one action at a time."""


class LocmBattles:
    """Battle agents of Legends of Code and Magic."""

    entries: Mapping[str, Entry[Any]] = locm.BATTLE_AGENTS
    most_actions = 40  # a hand of eight, six creatures on the board and those summoned in the turn
    draws_within_turns = False
    has_clock = True
    opponent = "greedy"
    seeds = 3
    games = 132

    _POSITIONS: Mapping[str, tuple[Player, Player]] = {
        "nothing to do": ({}, {}),
        "a full board and hand": (
            {
                "hand": [116, 120, 125, 141, 150, 153, 158, 7],
                "left": ["1/9 W*", "2/3*", "3/1*"],
                "right": ["4/4 G*"] * 3,
            },
            {"hand": [1] * 8, "left": ["2/2 G", "1/1 L", "5/5"], "right": ["9/9 BCDGLW"] * 3},
        ),
        "the last point of health": (
            {"hp": 1, "runes": 0, "left": ["1/1*"]},
            {"hp": 1, "runes": 0, "left": ["12/12"]},
        ),
        "no card left": ({"hand": [3], "deck": []}, {"deck": [], "right": ["3/3"]}),
        "in the middle of a turn": (
            {"mana": 3, "hand": [3, 18], "left": ["3/3!", "2/2*"], "right": ["4/1"]},
            {"left": ["2/2"], "right": ["1/5"]},
        ),
        "big numbers": ({"hp": 500, "left": ["99/99*"]}, {"hp": 500, "left": ["99/99 G"]}),
    }

    def make(self, spec: str) -> Any:
        return battle_agent(spec)

    def needed(self, name: str) -> str:
        return ""

    def is_honest(self, spec: str) -> bool:
        return True

    def starts(self, seed: int) -> Iterator[Any]:
        rng, picks = random.Random(seed), locm_core.random_draft()
        decks = [rng.sample(range(1, 161), DECK_SIZE) for _ in range(2)]
        yield new_game(seed=seed, decks=(decks[0], decks[1]))
        state, streams = new_game(seed=seed), [Rng(seed, seat) for seat in (0, 1)]
        while not state.in_battle:
            state.apply(picks.choose(state, streams[state.player_to_move]))
        yield state

    def apply(self, state: Any, action: Any, chance: Rng) -> None:
        state.apply(action)

    def positions(self, seat: int) -> Mapping[str, Any]:
        return {name: set_up(*sides, seat=seat) for name, sides in self._POSITIONS.items()}

    def match(self, spec: str, **options: Any) -> MatchResult:
        return locm.play(f"random/{spec}", f"random/{self.opponent}", **options)

    def final_hash(self, spec: str, *, seed: int, first: int) -> int:
        entrants = _by_seat(f"random/{spec}", f"random/{self.opponent}", first)
        record = locm.play_one(entrants[0], entrants[1], seed=seed)
        *_, final = record.replay()
        return final.battle_hash


class Hearthstone:
    """Agents of Hearthstone."""

    entries: Mapping[str, Entry[Any]] = AGENTS
    most_actions = 150  # cards can make further ones
    draws_within_turns = True
    has_clock = False
    opponent = "random:active"
    seeds = 2
    games = 20

    _DECKS = ("Control Warlock", "Aggro Paladin")
    _POSITIONS: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
        "nothing to do": ({"mana": 0, "max_mana": 0}, {}),
        "a full board and hand": (
            {"hand": ["CS2_029", "CS2_024", "CS2_122", "EX1_277", "CS2_023", "CS2_182"], "board": ["CS2_182"] * 7},
            {"board": ["CS2_179", "CS2_231", "CS1_042", "CS2_172", "CS2_182", "CS2_182", "CS2_179"]},
        ),
        "the last point of health": ({"health": 1, "board": ["CS2_231"]}, {"health": 1, "board": ["CS1_042"]}),
        "a card that shows three": ({"class": "HUNTER", "hand": ["DS1_184"]}, {}),
        "a secret": (
            {"class": "MAGE", "hand": ["CS2_029"], "board": ["CS2_182"]},
            {"class": "MAGE", "secrets": ["EX1_287"]},
        ),
    }

    def make(self, spec: str) -> Any:
        return hearthstone_agents.agent(spec)

    def needed(self, name: str) -> str:
        return "score=midrange" if name == "planner" else ""

    def is_honest(self, spec: str) -> bool:
        return "information=perfect" not in spec

    def starts(self, seed: int) -> Iterator[Any]:
        state = hearthstone.new_game(*some_decks(seed), seed=seed)
        while state.phase == "mulligan":
            state.apply(hearthstone_core.choose_kept(state, hearthstone_core.Mulligan.cheap), Rng(seed, 2))
        yield state

    def apply(self, state: Any, action: Any, chance: Rng) -> None:
        state.apply(action, chance)

    def positions(self, seat: int) -> Mapping[str, Any]:
        return {name: self._position(*sides, seat=seat) for name, sides in self._POSITIONS.items()}

    def match(self, spec: str, **options: Any) -> MatchResult:
        return hearthstone.play(spec, self.opponent, decks=self._DECKS, **options)

    def final_hash(self, spec: str, *, seed: int, first: int) -> int:
        pilots, decks = _by_seat(spec, self.opponent, first), _by_seat(*self._DECKS, first)
        *_, final = hearthstone.play_one(*pilots, decks=(decks[0], decks[1]), seed=seed).replay()
        return final.hash

    @staticmethod
    def _position(me: Mapping[str, Any], op: Mapping[str, Any], *, seat: int) -> Any:
        state = hearthstone.scenario({"me": {"class": "WARRIOR", **me}, "op": {"class": "WARRIOR", **op}})
        if seat == 1:
            state.apply(state.legal_actions()[-1], Rng(1, 2))
        return state


GAMES: Mapping[str, AgentGame] = {"locm": LocmBattles(), "hearthstone": Hearthstone()}


def _by_seat(a: str, b: str, first: int) -> list[str]:
    return [b, a] if first else [a, b]


def specs(game: AgentGame) -> list[str]:
    """Each agent with a small budget: as it is, and once with each flag and each other way to know or to plan."""
    found = []
    for name, entry in game.entries.items():
        small = SMALL_BUDGETS | SMALL_BEAM
        given = [game.needed(name), *(f"{key}={small[key]}" for key in entry.options if key in small)]
        flags = [key for key, option in entry.options.items() if option.form is None]
        truths = [f"{key}=false" for key, option in entry.options.items() if option.default is True]
        knowing = ["information=perfect"] if "information" in entry.options else []
        for variant in ["", *flags, *truths, *knowing]:
            text = ",".join(filter(None, [variant, *given]))
            found.append(f"{name}:{text}" if text else name)
    return found


def budgets(game: AgentGame) -> list[tuple[str, str]]:
    """Each agent and option that bounds its search."""
    return [(name, key) for name, entry in game.entries.items() for key in entry.options if key in SMALL_BUDGETS]
