"""How the games of a search for patches are spent: explorers play a few laps, finalists more and more."""

from dataclasses import dataclass

from deckatlas.balancing.patch_games import LEAST_LAPS
from deckatlas.errors import SearchError

ROUNDS = 8  # of explorers, after the first ones
_FINAL_SHARE = 0.4  # of the games
_EXPLORER_GAMES = 150  # about as many as an explorer plays
_MOST_FINALISTS = 24
_STAGES = 3  # of the finals; each halves the patches and doubles their laps
_FIRST_SHARE = 0.3  # of the explorers are drawn at random


@dataclass(frozen=True)
class PatchPlan:
    """The sizes of a search for patches.

    Attributes:
        game_count: The games of one lap.
        explorers: The patches that are explored.
        first: The first of them, which are drawn at random.
        laps: The laps of an explorer.
        stages: For each stage of the finals, its patches and the laps that each of them plays.
    """

    game_count: int
    explorers: int
    first: int
    laps: int
    stages: tuple[tuple[int, int], ...]

    @property
    def all_laps(self) -> int:
        """The laps that the base edition plays, and with it a patch that reaches the end."""
        return self.laps + sum(laps for _, laps in self.stages)

    @property
    def games(self) -> int:
        """All games."""
        finals = sum(patches * laps for patches, laps in self.stages)
        return self.game_count * (self.all_laps + self.explorers * self.laps + finals)

    @property
    def rounds(self) -> tuple[int, ...]:
        """The explorers of each round after the first ones."""
        left = self.explorers - self.first
        count = min(ROUNDS, left)
        return tuple(left * (at + 1) // count - left * at // count for at in range(count))


def plan_of(budget: int, *, game_count: int, patches: int) -> PatchPlan:
    """The sizes that a budget allows.

    Args:
        budget: The most games.
        game_count: The games of one lap.
        patches: The number of all patches.

    Raises:
        SearchError: If the budget is too small.
    """
    laps = max(LEAST_LAPS, round(_EXPLORER_GAMES / game_count))
    affordable = budget // game_count
    finals = max(_cost(1, LEAST_LAPS), round(_FINAL_SHARE * affordable))
    explorers = min(patches, (affordable - finals - laps) // laps)
    least = laps + min(patches, 2) * laps + _cost(1, LEAST_LAPS)
    if affordable < least:
        raise SearchError(
            f"a budget of {budget:,} games is too small: with {game_count:,} games per lap, it "
            f"must be at least {least * game_count:,}",
            "budget",
        )
    finals = affordable - laps - explorers * laps  # what a small space leaves over as well
    finalists = min(_MOST_FINALISTS, explorers)
    while finalists > 1 and _cost(finalists, LEAST_LAPS) > finals:
        finalists = (finalists + 1) // 2
    step = max(LEAST_LAPS, finals // _cost(finalists, 1))
    sizes = _sizes(finalists)
    stages = tuple((size, step * 2**at) for at, size in enumerate(sizes))
    return PatchPlan(game_count, explorers, max(1, round(_FIRST_SHARE * explorers)), laps, stages)


def _sizes(finalists: int) -> list[int]:
    sizes = [finalists]
    for _ in range(_STAGES - 1):
        sizes.append((sizes[-1] + 1) // 2)
    return sizes


def _cost(finalists: int, step: int) -> int:
    """The laps of the finals, those of the base edition included."""
    return sum((size + 1) * step * 2**at for at, size in enumerate(_sizes(finalists)))
