"""How much a balance study plays: an effort of its subject, and every size on its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from deckatlas.balancing.subject import Effort
from deckatlas.errors import MatchError
from deckatlas.metagame.matchups import GAMES_PER_SEED
from deckatlas.metagame.play import Budget, Watch
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.search.batches import seed_of
from deckatlas.shapes import nearest, show

_LEAST_SEEDS = 4  # of a pair: with fewer, no spread means much
_MOST_TRIALS = 1000


@dataclass(frozen=True)
class StudyPlan:
    """How a study is carried out.

    Attributes:
        effort: Its sizes.
        folder: The folder of runs.
        seed: The seed of everything random.
        paired: Whether both editions play the same seeds; otherwise the patch plays others, as a check.
        threads: The number of threads; the result does not depend on it.

    Raises:
        MatchError: If a number is impossible.
    """

    effort: Effort
    folder: Path
    seed: int = 0
    paired: bool = True
    threads: int | None = None

    def __post_init__(self) -> None:
        effort = self.effort
        positive("seed", self.seed, 2**63 - 1, least=0)
        positive("games", effort.field_games, MAX_GAMES)
        positive("trials", effort.trials, _MOST_TRIALS, least=0)
        if effort.trials == 1:
            raise MatchError("trials must be 0, or 2 or more: one trial cannot show how much searches differ")

    def side_seed(self, side: int, *purpose: object) -> int:
        """The seed of a purpose for one edition: the same for both if the study is paired."""
        return seed_of(self.seed, *purpose, *(() if self.paired else (side,)))

    def field_seeds(self, decks: int) -> int:
        """The seeds of each pair of known decks, under each edition."""
        pairs = decks * (decks - 1) // 2
        return max(_LEAST_SEEDS, self.effort.field_games // (2 * GAMES_PER_SEED * pairs))

    def budget(self, side: int, *purpose: object, games: int, watch: Watch | None) -> Budget:
        """How matchups of one edition are played."""
        return Budget(games, self.side_seed(side, *purpose), self.folder, self.threads, watch)


def effort_of(
    name: str,
    efforts: Sequence[Effort],
    *,
    games: int | None = None,
    trials: int | None = None,
    evaluations: int | None = None,
    evaluation_games: int | None = None,
    resolution: int | None = None,
    mix_games: int | None = None,
) -> Effort:
    """An effort by its name, with some sizes changed.

    Args:
        name: quick, normal or thorough.
        efforts: All of them, as the subject of the study has them.
        games: The games of the known decks, of both editions together.
        trials: How often decks are searched again.
        evaluations: The decks that one search evaluates.
        evaluation_games: The games of each.
        resolution: The cells of a map along each measure.
        mix_games: The games of each pair of a trial's metagame, under each edition.

    Raises:
        MatchError: If there is no such effort, a number is impossible, or the effort searches nothing.
    """
    by_name = {each.name: each for each in efforts}
    if name not in by_name:
        raise MatchError(f"unknown effort {show(name)}: {nearest(name, by_name)}")
    effort = by_name[name]
    of_searches = {
        "trials": trials,
        "evaluations": evaluations,
        "evaluation games": evaluation_games,
        "resolution": resolution,
        "mix games": mix_games,
    }
    given = next((key for key, value in of_searches.items() if value is not None), None)
    if given is not None and not effort.trials:
        raise MatchError(f"the effort {name} runs no searches, so it takes no {given}: choose normal or thorough")
    size = replace(
        effort.size,
        evaluations=effort.size.evaluations if evaluations is None else positive("evaluations", evaluations, 10**7),
        games=effort.size.games if evaluation_games is None else positive("games", evaluation_games, MAX_GAMES),
        resolution=effort.size.resolution if resolution is None else positive("resolution", resolution, 100),
    )
    return replace(
        effort,
        field_games=effort.field_games if games is None else positive("games", games, MAX_GAMES),
        trials=effort.trials if trials is None else positive("trials", trials, _MOST_TRIALS),
        mix_games=effort.mix_games if mix_games is None else positive("mix games", mix_games, MAX_GAMES, least=2),
        size=size,
    )
