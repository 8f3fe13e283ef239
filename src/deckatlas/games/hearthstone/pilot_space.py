"""The space of pilots: the weights by which a planner rates positions.

A solution has the weights of a network over the features of a position, or of a weighted sum of them. The order of a
network's numbers is that of the deck-search papers: the weights of all layers, then the biases of all layers.
"""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas import _core
from deckatlas._core import hearthstone as core
from deckatlas.errors import SearchError
from deckatlas.games.hearthstone.agents import FEATURES
from deckatlas.games.hearthstone.decisions import PLANNER_DEPTH, PLANNER_WIDTH
from deckatlas.games.hearthstone.pilots import Pilot
from deckatlas.games.hearthstone.profiles import Profile
from deckatlas.play.networks import published_layers
from deckatlas.search.evaluation import Floats, Solution
from deckatlas.search.vectors import Vectors

LARGEST = 100.0  # of a weight: beyond it, every neuron is saturated
WIDEST = 128
MOST_LAYERS = 8


class PilotWeights(Vectors):
    """The weights of ratings of positions; a `Space` of real vectors.

    Attributes:
        layers: The number of features, of the neurons of each hidden layer, and of outputs.
    """

    def __init__(self, hidden: Sequence[int], *, spread: float, noise: float) -> None:
        """Takes the form of the rating.

        Args:
            hidden: The neurons of each hidden layer of a network; none for a weighted sum.
            spread: Random weights are between minus this and this.
            noise: The standard deviation of the noise that a mutation adds to each weight.

        Raises:
            SearchError: If a layer is too wide, or a number is not positive.
        """
        if len(hidden) > MOST_LAYERS or not all(1 <= width <= WIDEST for width in hidden):
            raise SearchError(f"a network has at most {MOST_LAYERS} hidden layers of 1 to {WIDEST} neurons", "hidden")
        if not 0 < spread <= LARGEST:
            raise SearchError(
                f"the spread of random weights must be above 0 and at most {LARGEST:g}, not {spread}", "spread"
            )
        self.layers = (len(FEATURES), *hidden, 1) if hidden else ()
        self.spread = spread
        names = _network_names(self.layers) if hidden else FEATURES
        bounds = np.full(len(names), LARGEST)
        super().__init__(-bounds, bounds, noise=noise / (2 * LARGEST), names=names)

    @property
    def columns(self) -> tuple[str, ...]:
        """None: a single weight says little about a pilot."""
        return ()

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """Nothing is known of a pilot before it plays."""
        return np.empty((len(solutions), 0))

    def random(self, rng: np.random.Generator) -> Solution:
        """Weights drawn uniformly between minus the spread and the spread."""
        return rng.uniform(-self.spread, self.spread, self.length)

    def pilot(self, solution: Solution, *, profile: Profile) -> Pilot:
        """The planner with these weights, as a profile lets it plan."""
        agent = core.planner_agent(
            self._rating(solution),
            width=PLANNER_WIDTH,
            depth=PLANNER_DEPTH,
            information=core.Information[profile.information],
            replan=profile.replan,
        )
        return Pilot("a planner with searched weights", agent)

    def _rating(self, solution: Solution) -> core.Rating:
        if not self.layers:
            return core.Rating.linear(solution.tolist())
        return core.Rating.network(_core.network(published_layers(self.layers, solution), "tanh", "tanh"))


def pilot_file(layers: Sequence[int], solution: Solution) -> str:
    """The text of a file that `planner:net=` or, for a weighted sum, `planner:weights=` reads."""
    numbers = [float(number) for number in solution]
    if not layers:
        return json.dumps(dict(zip(FEATURES, numbers, strict=True)))
    return json.dumps({"layers": list(layers), "weights_then_biases": numbers})


def _network_names(layers: Sequence[int]) -> list[str]:
    """The names of a network's numbers, such as `w1.HeroHp.3` and `b2.4`."""
    weights = [
        f"w{layer}.{FEATURES[source] if layer == 1 else source + 1}.{target + 1}"
        for layer, (inputs, outputs) in enumerate(pairwise(layers), start=1)
        for source in range(inputs)
        for target in range(outputs)
    ]
    biases = [f"b{layer}.{each + 1}" for layer, outputs in enumerate(layers[1:], start=1) for each in range(outputs)]
    return weights + biases
