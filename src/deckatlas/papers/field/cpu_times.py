"""CPU time of pilots: games per second of a mirror match, and the budget that makes `mcts` take a multiple of it.

Times differ from call to call, so a report keeps what it has measured in a file beside the stores of its games.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from deckatlas.errors import RunError
from deckatlas.experiments.results import reported_file_errors
from deckatlas.experiments.study import Tally
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.match import play
from deckatlas.games.hearthstone.training.storage import write_whole
from deckatlas.play.measurement import best_cpu_of_each

MOST_PLAYOUTS = 10_000  # of the agent `mcts`
_FIRST_PLAYOUTS = 50
_TRIES = 5
_NEAR = 0.03  # a multiple this near to the wanted one is good enough

Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Mirrors:
    """Games of pilots against themselves, the same list on both sides, with one thread.

    Attributes:
        decks: The lists, which take turns.
        edition: The edition of the cards.
        games: The number of games.
        seed: The seed of the games.
    """

    decks: Sequence[Deck]
    edition: str
    games: int
    seed: int

    def speeds(self, pilots: Sequence[str], *, repeats: int) -> list[Facts]:
        """For each pilot, CPU time of a game and of a turn: the best of several times, the pilots in turns."""
        turns = dict.fromkeys(pilots, 0)

        def mirror(pilot: str) -> None:
            # Seats are not swapped: an agent against itself would play every game twice.
            result = self._play(pilot, pilot, swap_seats=False)
            turns[pilot] = int(result["turns"].sum())

        seconds = best_cpu_of_each(*(partial(mirror, pilot) for pilot in pilots), repeats=repeats)
        return [
            {
                "pilot": pilot,
                "games_per_cpu_second": self.games / taken,
                "cpu_ms_per_turn": 1000 * taken / turns[pilot],
            }
            for pilot, taken in zip(pilots, seconds, strict=True)
        ]

    def budget(self, pilot: str, playouts: int) -> "Budget":
        """CPU times of a pilot and of `mcts` in games against each other."""
        result = self._play(pilot, mcts(playouts), swap_seats=True, timed_games=self.games)
        own, theirs = (result.times.ms_per_turn(entrant) or 0.0 for entrant in (0, 1))
        return Budget(playouts, own, theirs, self.games)

    def fitted_budget(self, pilot: str, multiple: float) -> "Budget":
        """The budget for which `mcts` takes nearly `multiple` times the pilot's CPU time per turn."""
        return fitted(lambda playouts: self.budget(pilot, playouts), multiple)

    def _play(self, a: str, b: str, **options: Any) -> Any:
        decks = (self.decks, self.decks)
        return play(a, b, decks=decks, edition=self.edition, games=self.games, seed=self.seed, threads=1, **options)


@dataclass(frozen=True)
class Budget:
    """CPU times of a pilot and of `mcts` with some playouts, in the same games.

    Attributes:
        playouts: The playouts per search.
        own_ms: Milliseconds per turn of the pilot.
        mcts_ms: Milliseconds per turn of `mcts`.
        games: The games that were played to measure it.
    """

    playouts: int
    own_ms: float
    mcts_ms: float
    games: int

    @property
    def multiple(self) -> float:
        """How many times as long `mcts` takes."""
        return self.mcts_ms / self.own_ms


def mcts(playouts: int) -> str:
    """The spec of `mcts` with these playouts."""
    return f"mcts:playouts={playouts}"


def fitted(measure: Callable[[int], Budget], multiple: float) -> Budget:
    """Measures budgets until one is near a multiple; the nearest is measured again, since it was chosen by its time.

    The games of the budget are those of all measurements.
    """
    tried: list[Budget] = []
    playouts = _FIRST_PLAYOUTS
    for _ in range(_TRIES):
        tried.append(measure(playouts))
        off = multiple / tried[-1].multiple
        wanted = min(MOST_PLAYOUTS, max(1, math.ceil(playouts * off)))
        if abs(1 - off) < _NEAR or wanted == playouts:
            break
        playouts = wanted
    nearest = min(tried, key=lambda budget: abs(math.log(budget.multiple / multiple)))
    again = measure(nearest.playouts)
    return replace(again, games=again.games + sum(budget.games for budget in tried))


def kept_speeds(path: Path, measure: Callable[[], list[Facts]], *, games: int, tally: Tally) -> list[Facts]:
    """Speeds from a file; if there is none, they are measured in this number of games and written."""
    found: list[Facts] = _kept(path, measure, lambda _: games, tally)
    return found


def kept_budget(path: Path, measure: Callable[[], Budget], tally: Tally) -> Budget:
    """A budget from a file; if there is none, it is measured and written."""
    return Budget(**_kept(path, lambda: asdict(measure()), lambda facts: int(facts["games"]), tally))


def _kept(path: Path, measure: Callable[[], Any], games_of: Callable[[Any], int], tally: Tally) -> Any:
    with reported_file_errors():
        is_new = not path.exists()
        if is_new:
            write_whole(path, json.dumps(measure(), indent=1).encode())
        text = path.read_text(encoding="utf-8")
    try:
        facts = json.loads(text)
    except ValueError:
        raise RunError(f"{path} has no measured times: remove it, and they are measured again") from None
    tally.all += games_of(facts)
    tally.now += games_of(facts) if is_new else 0
    return facts
