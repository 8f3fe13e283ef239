"""Repeats decisions of the papers' planner that another engine recorded.

Where a recorded game contains the result of a plan, the same position is planned again. The score of the plan, its
length and the number of states that ended the turn must be the same, except for the named deviations. A search with
random draws can have another result each time: such decisions are skipped and counted.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas.errors import TraceError
from deckatlas.games.chance import Rng
from deckatlas.games.hearthstone.deviations import KNOWN_DEVIATIONS, Deviation
from deckatlas.shapes import show

PLANNER_WIDTH, PLANNER_DEPTH = 4, 13  # of the papers' planner
FIELDS = ("score", "end nodes", "length")


@dataclass
class Decisions:
    """The results of planning recorded decisions again.

    Attributes:
        compared: The number of compared decisions.
        scores: The number with the recorded score.
        end_nodes: The number with the recorded number of different states that end the turn.
        lengths: The number with the recorded length of the plan.
        agreed: The number that agree in all three.
        left_out: The number of decisions not compared because something in the search is random.
        known: The number of differences that are known deviations, by name.
        differences: Every other difference, in words.
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
        """Whether all decisions agree, except for known deviations."""
        return not self.differences

    def check(self, state: core.State, game: Mapping[str, Any], number: int, where: str) -> None:
        """Plans step `number` of a recorded game again, if it is the first step of a recorded plan.

        Raises:
            TraceError: If the game does not name the published scores that its players use.
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
            KNOWN_DEVIATIONS.get(Deviation(game["seed"], number, name, one, other))
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
