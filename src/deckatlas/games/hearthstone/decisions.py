"""Decisions of the papers' planner that another engine recorded, made again here.

Where a recorded game says what a plan came to, the same position is planned again: the score of the plan, its length
and the number of states that ended the turn must be the same, but for the deviations that are known by name. A search
in which anything was drawn at random can come out in another way each time: such decisions are left out, and counted.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas.errors import TraceError
from deckatlas.games.chance import Rng
from deckatlas.games.hearthstone.deviations import KNOWN_DEVIATIONS, Difference
from deckatlas.shapes import show

PLANNER_WIDTH, PLANNER_DEPTH = 4, 13  # of the papers' planner
FIELDS = ("score", "end nodes", "length")


@dataclass
class Decisions:
    """What came of planning recorded decisions again.

    Attributes:
        compared: How many were compared.
        scores: How many of these have the recorded score.
        end_nodes: How many have the recorded number of different states that end the turn.
        lengths: How many have the recorded length of the plan.
        agreed: How many agree in all three.
        left_out: How many were not compared, since something in the search is random.
        known: How many differ as one of the known deviations, by its name.
        differences: Each other that does not agree, in words.
    """

    compared: int = 0
    scores: int = 0
    end_nodes: int = 0
    lengths: int = 0
    agreed: int = 0
    left_out: int = 0
    known: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    @property
    def hold(self) -> bool:
        """Whether all of them agree, but for known deviations."""
        return not self.differences

    def check(self, state: core.State, game: Mapping[str, Any], number: int, where: str) -> None:
        """Plans step `number` of a recorded game again, if it was recorded as the first of a plan.

        Raises:
            TraceError: If the game does not say by which of the published scores its players plan.
        """
        recorded = game["steps"][number].get("decision")
        if recorded is None:
            return
        plan = _planner(game.get("strategies"), state.describe()["active"]).plan(state, Rng(0, 0))
        if plan.random:
            self.left_out += 1
            return
        wanted = (recorded["score"], recorded["n_end_nodes"], recorded["plan_len"])
        found = (plan.score, plan.end_nodes, len(plan.actions))
        same = [one == other for one, other in zip(wanted, found, strict=True)]
        self.compared += 1
        self.scores += same[0]
        self.end_nodes += same[1]
        self.lengths += same[2]
        self.agreed += all(same)
        names = [
            KNOWN_DEVIATIONS.get(Difference(game["seed"], number, name, one, other))
            for name, one, other in zip(FIELDS, wanted, found, strict=True)
            if one != other
        ]
        if None in names:
            self.differences.append(
                f"{where}, step {number}: score, end nodes and length are {found[0]}, {found[1]}, {found[2]}, "
                f"recorded {wanted[0]}, {wanted[1]}, {wanted[2]}"
            )
        else:
            self.known.update({name for name in names if name is not None})


def _planner(strategies: object, player: int) -> core.Agent:
    name = strategies[player] if isinstance(strategies, list) and len(strategies) == 2 else None
    scores = core.Score.__members__
    if not isinstance(name, str) or name.lower() not in scores:
        raise TraceError(f"strategies: expected two of {', '.join(scores)}, not {show(name)}")
    return core.planner_agent(
        core.Rating(scores[name.lower()]),
        width=PLANNER_WIDTH,
        depth=PLANNER_DEPTH,
        information=core.Information.perfect,
        replan=True,
    )
