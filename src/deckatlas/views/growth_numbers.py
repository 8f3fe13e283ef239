"""What pictures of a metagame that has grown show: the mix before each round, deck by deck, and the best gains."""

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.growth import Growth

Floats = npt.NDArray[np.float64]


def best_gains(growth: Growth) -> dict[int, float]:
    """The gain of the best response, by the number of the round; without rounds in which no search found a deck."""
    return {each.number: each.best.gain.value for each in growth.rounds if each.best is not None}


def mixes(growth: Growth) -> dict[str, Floats]:
    """For each deck that was ever in a mix, its share before each round and at the end, in percent.

    The decks with the largest shares over all rounds come first.
    """
    found = {}
    shares = [dict(zip(each.names, (100 * each.mix.shares).tolist(), strict=True)) for each in growth.fields]
    for name in growth.final.names:
        values = np.array([each.get(name, 0.0) for each in shares])
        if values.any():
            found[name] = values
    return dict(sorted(found.items(), key=lambda item: -float(item[1].sum())))
