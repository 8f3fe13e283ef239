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

import numpy as np

from deckatlas.errors import RunError
from deckatlas.experiments.study import Tally
from deckatlas.files.plain_data import read_json
from deckatlas.files.writing import make_folder, write_text
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.match import play
from deckatlas.play.measurement import cpu_of_each
from deckatlas.stats.estimate import Estimate

MOST_PLAYOUTS = 10_000  # of the agent `mcts`
_FIRST_PLAYOUTS = 50
_TRIES = 5
_SURPLUS = 1.03  # mcts should have no less than its multiple, so the playouts are chosen for a little more


@dataclass(frozen=True)
class PilotTimes:
    """CPU times of a pilot that plays the same games several times.

    Attributes:
        pilot: The pilot.
        games: The number of games.
        turns: The number of turns in them.
        seconds: The CPU time of each repeat.
    """

    pilot: str
    games: int
    turns: int
    seconds: Sequence[float]

    @property
    def games_per_second(self) -> Estimate:
        """Games per CPU second in the best repeat; the interval is the range of all repeats."""
        return Estimate(
            self.games / min(self.seconds), self.games / max(self.seconds), self.games / min(self.seconds), self.games
        )

    @property
    def ms_per_turn(self) -> float:
        """Milliseconds per turn in the best repeat."""
        return 1000 * min(self.seconds) / self.turns

    def times_as_long(self, other: "PilotTimes") -> Estimate:
        """How many times as long as another pilot it takes for a game."""
        return _multiple_of(self.seconds, other.seconds, self.games)


@dataclass(frozen=True)
class Budget:
    """CPU times of a pilot and of `mcts` with some playouts, in the same games.

    Attributes:
        playouts: The playouts per search.
        own_ms: Milliseconds per turn of the pilot, in each repeat.
        mcts_ms: Milliseconds per turn of `mcts`, in each repeat.
        games: The games that were played to measure it.
    """

    playouts: int
    own_ms: Sequence[float]
    mcts_ms: Sequence[float]
    games: int

    @property
    def multiple(self) -> Estimate:
        """How many times as long `mcts` takes for a turn."""
        return _multiple_of(self.mcts_ms, self.own_ms, self.games)


@dataclass(frozen=True)
class Mirrors:
    """Games with the same list on both sides, with one thread.

    Attributes:
        decks: The lists.
        edition: The edition of the cards.
        games: The number of games with each list.
        repeats: How often they are played.
        seed: The seed of the games.
    """

    decks: Sequence[Deck]
    edition: str
    games: int
    repeats: int
    seed: int

    def speeds(self, pilots: Sequence[str]) -> list[PilotTimes]:
        """The CPU times of each pilot against itself. The pilots take turns with each list: a core's clock changes."""
        turns = dict.fromkeys(pilots, 0)
        seconds = np.zeros((len(pilots), self.repeats))
        for deck in self.decks:
            of_deck = dict.fromkeys(pilots, 0)

            def mirror(pilot: str, deck: Deck = deck, of_deck: dict[str, int] = of_deck) -> None:
                # Seats are not swapped: an agent against itself would play every game twice.
                result = self._play(pilot, pilot, [deck], swap_seats=False)
                of_deck[pilot] = int(result["turns"].sum())

            seconds += cpu_of_each(*(partial(mirror, pilot) for pilot in pilots), repeats=self.repeats)
            turns = {pilot: turns[pilot] + of_deck[pilot] for pilot in pilots}
        games = self.games * len(self.decks)
        return [
            PilotTimes(pilot, games, turns[pilot], each.tolist()) for pilot, each in zip(pilots, seconds, strict=True)
        ]

    def budget(self, pilot: str, playouts: int, *, repeats: int) -> Budget:
        """CPU times of a pilot and of `mcts` in games against each other, the same games in all repeats."""
        games = self.games * len(self.decks)
        times = [
            self._play(pilot, mcts(playouts), self.decks, swap_seats=True, timed_games=games).times
            for _ in range(repeats)
        ]
        own, theirs = ([each.ms_per_turn(entrant) or 0.0 for each in times] for entrant in (0, 1))
        return Budget(playouts, own, theirs, games * repeats)

    def fitted_budget(self, pilot: str, multiple: float) -> Budget:
        """The budget for which `mcts` takes a little more than `multiple` times the pilot's CPU time per turn."""
        return fitted(lambda playouts, repeats: self.budget(pilot, playouts, repeats=repeats), multiple, self.repeats)

    def _play(self, a: str, b: str, decks: Sequence[Deck], **options: Any) -> Any:
        games = self.games * len(decks)
        return play(a, b, decks=(decks, decks), edition=self.edition, games=games, seed=self.seed, threads=1, **options)


def mcts(playouts: int) -> str:
    """The spec of `mcts` with these playouts."""
    return f"mcts:playouts={playouts}"


def fitted(measure: Callable[[int, int], Budget], multiple: float, repeats: int) -> Budget:
    """Measures budgets, given playouts and repeats, until one is a little above a multiple.

    The smallest that reached it is measured again with all repeats, since it was chosen by its time. Its games are
    those of all measurements.
    """
    tried: list[Budget] = []
    playouts = _FIRST_PLAYOUTS
    for _ in range(_TRIES):
        tried.append(measure(playouts, 1))
        wanted = math.ceil(playouts * _SURPLUS * multiple / tried[-1].multiple.value)
        wanted = min(MOST_PLAYOUTS, max(1, wanted))
        if wanted == playouts:
            break
        playouts = wanted
    enough = [budget for budget in tried if budget.multiple.value >= multiple]
    chosen = min(enough or tried, key=lambda budget: abs(math.log(budget.multiple.value / multiple)))
    again = measure(chosen.playouts, repeats)
    return replace(again, games=again.games + sum(budget.games for budget in tried))


def _multiple_of(times: Sequence[float], of: Sequence[float], games: int) -> Estimate:
    """The best time in multiples of another best time; the interval is the range of the repeats, which contains it."""
    multiples = [one / other for one, other in zip(times, of, strict=True)]
    return Estimate(min(times) / min(of), min(multiples), max(multiples), games)


def kept_speeds(path: Path, measure: Callable[[], list[PilotTimes]], tally: Tally) -> list[PilotTimes]:
    """Speeds from a file; if there is none, they are measured and written."""

    def games(facts: Sequence[Mapping[str, Any]]) -> int:
        return sum(each["games"] * len(each["seconds"]) for each in facts)

    return [PilotTimes(**each) for each in _kept(path, lambda: list(map(asdict, measure())), games, tally)]


def kept_budget(path: Path, measure: Callable[[], Budget], tally: Tally) -> Budget:
    """A budget from a file; if there is none, it is measured and written."""
    return Budget(**_kept(path, lambda: asdict(measure()), lambda facts: int(facts["games"]), tally))


def _kept(path: Path, measure: Callable[[], Any], games_of: Callable[[Any], int], tally: Tally) -> Any:
    is_new = not path.exists()
    if is_new:
        make_folder(path.parent, error=RunError)
        write_text(path, json.dumps(measure(), indent=1), error=RunError)
    try:
        facts = read_json(path, error=RunError)
    except RunError:
        raise RunError(f"{path} has no measured times: remove it, and they are measured again") from None
    tally.all += games_of(facts)
    tally.now += games_of(facts) if is_new else 0
    return facts
