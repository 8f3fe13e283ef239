"""Every agent of Legends of Code and Magic that has a name, as specs for tests; and their golden games.

Run as a program it writes the golden games, as `make golden` does: all of them, or those of the specs it is given.

    python tests/helpers/locm_agents.py [SPEC ...]
"""

import sys
from pathlib import Path

from deckatlas import locm
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import battle_agent

GOLDEN = Path(__file__).parents[1] / "golden" / "agents"
GOLDEN_SEED = 2024


def _makes(spec: str) -> bool:
    try:
        battle_agent(spec)
    except AgentError:
        return False
    return True


def battle_specs() -> list[str]:
    """Each battle agent as it is, and once with each option that takes no value."""
    specs = list(locm.BATTLE_AGENTS)
    variants = [f"{name}:{option}" for name, entry in locm.BATTLE_AGENTS.items() for option in entry.options]
    return [*specs, *filter(_makes, variants)]


def entrant_of(spec: str) -> str:
    """A battle agent with its own draft policy, or with icebox if it has none."""
    name = spec.partition(":")[0]
    return f"{name if name in locm.DRAFT_POLICIES else 'icebox'}/{spec}"


def golden_file(spec: str) -> Path:
    """Where the golden game of an agent is kept."""
    return GOLDEN / f"{spec.replace(':', '-')}.txt"


def golden_game(spec: str) -> str:
    """One game of the agent, with its default budget and moving first, against greedy."""
    return locm.play_one(entrant_of(spec), "icebox/greedy", seed=GOLDEN_SEED).to_text()


def _write_golden(specs: list[str]) -> None:
    for spec in specs or battle_specs():
        golden_file(spec).parent.mkdir(parents=True, exist_ok=True)
        golden_file(spec).write_text(golden_game(spec), encoding="utf-8")
        print(golden_file(spec).relative_to(GOLDEN.parents[2]))


if __name__ == "__main__":
    _write_golden(sys.argv[1:])
