"""The draft policies and battle agents of Legends of Code and Magic that have a name.

An *entrant* is a draft policy and a battle agent, written `DRAFT/BATTLE`; a draft policy can also be a ranking, 160
numbers of which the highest offered is picked, and a battle agent can be any Python callable that takes a player's view
and the legal actions and returns one of them.
"""

import csv
from collections.abc import Sequence
from functools import cache, partial
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.agents.spec import Entry, make_from_spec
from deckatlas.errors import AgentError

MISSING = -np.inf  # a card that a list does not name ranks below all others


@cache
def rankings() -> dict[str, npt.NDArray[np.float64]]:
    """The named rankings: for each, the scores of cards 1 to 160, higher is better."""
    with resources.files(__package__).joinpath("locm_rankings.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [name for name in rows[0] if name != "card"]
    return {name: np.array([float(row[name] or MISSING) for row in rows]) for name in names}


def check_ranking(scores: Sequence[float] | Sequence[str] | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns a ranking as an array.

    Raises:
        AgentError: If it is not 160 numbers.
    """
    try:
        array = np.ascontiguousarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise AgentError("a ranking is 160 numbers") from None
    if array.shape != (160,):
        raise AgentError(f"a ranking is 160 numbers, one for each card, not {array.size}")
    bad = np.flatnonzero(np.isnan(array))
    if bad.size:
        raise AgentError(f"the score of card {bad[0] + 1} is not a number")
    return array


def _named_ranking(name: str) -> core.DraftPolicy:
    return core.ranking_draft(rankings()[name])


def _ranking_from_file(file: str | None = None) -> core.DraftPolicy:
    if not file:
        raise AgentError("'ranking' needs a file: write ranking:file=PATH")
    try:
        words = Path(file).read_text(encoding="utf-8").replace(",", " ").split()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise AgentError(f"cannot read the ranking {file}: {reason}") from None
    return core.ranking_draft(check_ranking(words))


def int_option(agent: str, name: str, value: str | None, *, least: int = 0) -> int | None:
    """The whole number an option is given, or None.

    Raises:
        AgentError: If it is not a whole number, or less than `least`.
    """
    if value is None:
        return None
    try:
        number = int(value)
    except ValueError:
        raise AgentError(f"'{agent}:{name}' takes a whole number, not '{value}'") from None
    if not least <= number < 2**63:
        raise AgentError(f"'{agent}:{name}' must be at least {least}, not {value}")
    return number


def _onelane_agent(nodes: str | None = None) -> core.BattleAgent:
    return core.onelane_agent(int_option("onelane", "nodes", nodes, least=1))


def _chad_agent(playouts: str | None = None) -> core.BattleAgent:
    return core.chad_agent(int_option("chad", "playouts", playouts, least=1))


def _random_agent(active: str | None = None) -> core.BattleAgent:
    if active:
        raise AgentError(f"'random:active' takes no value, not '{active}'")
    return core.random_agent() if active is None else core.active_random_agent()


_RANKING_SUMMARIES = {
    "icebox": "Icebox's polynomial on the official card numbers",
    "icebox-nim": "the same on the unsigned numbers of the nim and Rust referees",
    "closetai": "ClosetAI's scores as its author meant them",
    "closetai-as-used": "the same read off by one card, as published programs do",
    "coac-first": "Coac's list for the first player",
    "coac-second": "Coac's list for the second player",
    "coac-first-few": "Coac's list for the first player while it has few creatures",
    "coac-second-few": "Coac's list for the second player while it has few creatures",
    "coac-cog-first": "Coac's contest entry of 2020, first player (some cards missing)",
    "coac-cog-second": "Coac's contest entry of 2020, second player (some cards missing)",
    "coac-cog-first-few": "Coac's contest entry of 2020, first player with few creatures",
    "coac-cog-second-few": "Coac's contest entry of 2020, second player with few creatures",
    "chad-first": "Chad's weights for the first player",
    "chad-second": "Chad's weights for the second player",
    "historyless": "scores of a policy trained on single offers",
    "onelane-1": "OneLaneIsEnough's first list",
    "onelane-2": "OneLaneIsEnough's second list",
}

DRAFT_POLICIES: dict[str, Entry[core.DraftPolicy]] = {
    "random": Entry(core.random_draft, "picks uniformly"),
    "ranking": Entry(
        _ranking_from_file,
        "picks by a ranking of your own",
        {"file": "160 numbers for cards 1 to 160, higher is better, separated by blanks or commas"},
    ),
    **{name: Entry(partial(_named_ranking, name), summary) for name, summary in _RANKING_SUMMARIES.items()},
}

BATTLE_AGENTS: dict[str, Entry[core.BattleAgent]] = {
    "random": Entry(
        _random_agent,
        "uniform over the legal actions, PASS included, until it passes",
        {"active": "never pass while something else is legal"},
    ),
    "greedy": Entry(core.greedy_agent, "the best next position by health, number and size of creatures"),
    "onelane": Entry(
        _onelane_agent,
        "OneLaneIsEnough: phases of a turn as a tree, with the enemy's worst reply",
        {"nodes": "states visited in a turn (default 50000)"},
    ),
    "chad": Entry(
        _chad_agent,
        "Chad: a kill chain, else a RAVE tree search with random replies",
        {"playouts": "random replies sampled in a turn (default 32000)"},
    ),
    "pass": Entry(core.pass_agent, "ends every turn at once"),
}


def draft_policy(spec: str) -> core.DraftPolicy:
    """The draft policy of that name.

    Raises:
        AgentError: If there is none.
    """
    return make_from_spec(spec, DRAFT_POLICIES, kind="draft policy")


def battle_agent(spec: str) -> core.BattleAgent:
    """The battle agent that `spec` names.

    Raises:
        AgentError: If there is none, or it has no such option.
    """
    return make_from_spec(spec, BATTLE_AGENTS, kind="battle agent")
