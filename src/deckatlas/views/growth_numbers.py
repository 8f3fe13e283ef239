"""What pictures of a metagame that has grown show: the mix before each round, deck by deck."""

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.growth import Growth

Floats = npt.NDArray[np.float64]


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
