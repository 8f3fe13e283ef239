"""Entrants, which take part in matches of Legends of Code and Magic, and all the ways to write one.

| written as | means |
|---|---|
| `"icebox/greedy"` | a draft policy and a battle agent by name |
| `"random"` | a name of both a draft policy and a battle agent |
| `"exec:CMD"` | an external program that speaks the official protocol |
| `(draft, battle)` | each a name or a callable; the draft can also be a ranking of 160 numbers |
| a callable | plays draft and battle: takes a player's view and the legal actions, returns one |
| an `Entrant` | itself |

With given decks there is no draft, and an entrant is only a battle agent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import BATTLE_AGENTS, DRAFT_POLICIES, battle_agent, check_ranking, draft_policy
from deckatlas.games.locm.cards import check_deck
from deckatlas.games.locm.players import AgentFunction, DraftAndBattle, LocmPlayer, seated
from deckatlas.games.locm.state import Rng
from deckatlas.play.spec import EXEC, files_in, keep_options, numbered
from deckatlas.shapes import nearest

PILOT = "greedy"  # of draft policies alone, where a command takes them

Draft: TypeAlias = str | Sequence[float] | npt.NDArray[np.float64] | AgentFunction
Battle: TypeAlias = str | AgentFunction


@dataclass(frozen=True)
class Entrant:
    """A named entrant, ready to play; an external program has a command instead of agents."""

    name: str
    draft: core.DraftPolicy | AgentFunction
    battle: core.BattleAgent | AgentFunction
    command: str | None = None

    def agents_of_core(self) -> tuple[core.DraftPolicy, core.BattleAgent] | None:
        """The two agents if both are part of the core, which can then run whole matches."""
        if (
            self.command is None
            and isinstance(self.draft, core.DraftPolicy)
            and isinstance(self.battle, core.BattleAgent)
        ):
            return self.draft, self.battle
        return None

    @property
    def is_callable(self) -> bool:
        """Whether a part of it is a Python callable, which may not support several games at once."""
        return self.command is None and self.agents_of_core() is None

    def player(self, rng: Rng, *, time_factor: float = 1.0) -> LocmPlayer:
        """A player for one game, with the random stream of its seat."""
        if self.command is not None:
            return _program(self.command, time_factor)
        return DraftAndBattle(seated(self.draft, rng), seated(self.battle, rng))


EntrantLike: TypeAlias = str | AgentFunction | tuple[Draft, Battle] | Entrant


def _program(command: str, time_factor: float = 1.0) -> LocmPlayer:
    from deckatlas.games.locm.program import LocmProgram  # processes and pipes: imported when used

    return LocmProgram(command, time_factor=time_factor)


def _name(part: object) -> str:
    if isinstance(part, str):
        return part
    return getattr(part, "__name__", type(part).__name__) if callable(part) else "ranking"


def _draft(draft: Draft) -> core.DraftPolicy | AgentFunction:
    if isinstance(draft, str):
        return draft_policy(draft)
    return draft if callable(draft) else core.ranking_draft(check_ranking(draft))


def battle_of(battle: Battle) -> core.BattleAgent | AgentFunction:
    """A battle agent from its name or a callable.

    Raises:
        AgentError: If it is neither, or the name is unknown.
    """
    if isinstance(battle, str):
        return battle_agent(battle)
    if not callable(battle):
        raise AgentError(f"a battle agent must be a name or a callable, not {type(battle).__name__}")
    return battle


def _from_text(text: str) -> Entrant:
    if text.startswith(EXEC):
        command = text[len(EXEC) :]
        _program(command)  # refuses a program that cannot be started, before the first game
        return Entrant(text, core.random_draft(), core.pass_agent(), command=command)
    draft, slash, battle = text.rpartition("/")
    if slash:
        return Entrant(text, draft_policy(draft), battle_agent(battle))
    name = text.partition(":")[0]
    if name in BATTLE_AGENTS and name not in DRAFT_POLICIES:
        battle_agent(text)  # reports wrong options first
        raise AgentError(f"{text!r} has no draft policy of its own: write DRAFT/BATTLE, such as {f'icebox/{text}'!r}")
    if name in DRAFT_POLICIES and name not in BATTLE_AGENTS:
        draft_policy(text)
        raise AgentError(f"{text!r} is a draft policy only: write DRAFT/BATTLE, such as {f'{text}/greedy'!r}")
    if name not in BATTLE_AGENTS:
        raise AgentError(f"unknown agent {name!r}: {nearest(name, {*BATTLE_AGENTS, *DRAFT_POLICIES})}")
    # An option may belong to one of the two or to both; the battle agent refuses an option that neither has.
    of_draft, of_battle = DRAFT_POLICIES[name].options, BATTLE_AGENTS[name].options
    draft = keep_options(text, lambda option: option in of_draft)
    battle = keep_options(text, lambda option: option in of_battle or option not in of_draft)
    return Entrant(text, draft_policy(draft), battle_agent(battle))


def entrant_files(text: str) -> list[str]:
    """The paths of the files that the agents of an entrant read; the entrant is given by its text.

    Raises:
        AgentError: If an option is empty or given twice.
    """
    if text.startswith(EXEC):
        return []
    draft, slash, battle = text.rpartition("/")
    parts = (draft, battle) if slash else (text, text)
    return [*files_in(parts[0], DRAFT_POLICIES), *files_in(parts[1], BATTLE_AGENTS)]


def piloted(description: EntrantLike, pilot: str = PILOT) -> Entrant:
    """An entrant, as `entrant` makes it; a draft policy alone is played by the pilot.

    Raises:
        AgentError: See `entrant`.
    """
    if isinstance(description, str) and "/" not in description and description.partition(":")[0] in DRAFT_POLICIES:
        return entrant(f"{description}/{pilot}")
    return entrant(description)


def entrant(description: EntrantLike) -> Entrant:
    """Makes an entrant from a description.

    Raises:
        AgentError: If the description names something unknown or is not a description.
    """
    if isinstance(description, Entrant):
        return description
    if isinstance(description, str):
        return _from_text(description)
    if isinstance(description, tuple):
        if len(description) != 2:
            raise AgentError(f"an entrant must be a pair of draft and battle, not {len(description)} values")
        draft, battle = description
        return Entrant(f"{_name(draft)}/{_name(battle)}", _draft(draft), battle_of(battle))
    if callable(description):
        return Entrant(_name(description), description, description)
    raise AgentError(f"an entrant must be a name, a callable or a pair, not {type(description).__name__}")


def told_apart(descriptions: Sequence[EntrantLike]) -> list[Entrant]:
    """Makes entrants, and numbers those with the same name.

    Raises:
        AgentError: If a description names something unknown or is not a description.
    """
    entrants = [entrant(each) for each in descriptions]
    names = numbered([each.name for each in entrants], [_is_text(each) for each in descriptions])
    return [replace(made, name=name) for made, name in zip(entrants, names, strict=True)]


def _is_text(description: EntrantLike) -> bool:
    parts = description if isinstance(description, tuple) else (description,)
    return all(isinstance(part, str) for part in parts)


def entrant_with_deck(battle: EntrantLike, deck: Sequence[int]) -> Entrant:
    """Makes an entrant with its own deck.

    Raises:
        AgentError: If `battle` is not a battle agent that can play without a draft.
        DeckError: If the deck is not valid.
    """
    if isinstance(battle, tuple | Entrant) or (isinstance(battle, str) and battle.startswith(EXEC)):
        raise AgentError("with given decks an entrant must be a battle agent: a name or a callable")
    return Entrant(_name(battle), core.fixed_deck(check_deck(deck)), battle_of(battle))
