"""What changed from one deck to another, in cards."""

import numpy as np

from deckatlas.runs.view import RunView

MINUS = "\N{MINUS SIGN}"


def card_changes(view: RunView, before: int, after: int) -> tuple[str, ...]:
    """The cards of a solution that another did not have, and those that it no longer has: "+2 Fireball", "-1 Wisp".

    Empty if solutions are not decks.

    Args:
        view: The run.
        before: The number of the earlier solution.
        after: The number of the later one.
    """
    if not view.description.layout.deck_size:
        return ()
    change = view.log.solutions[after].astype(np.int64) - view.log.solutions[before].astype(np.int64)
    names = [(int(change[place]), view.description.genes[place].name) for place in np.flatnonzero(change)]
    return tuple(
        f"{'+' if copies > 0 else MINUS}{abs(copies)} {name}"
        for copies, name in sorted(names, key=lambda each: -each[0])
    )
