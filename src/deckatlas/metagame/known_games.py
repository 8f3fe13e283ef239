"""Games that are known already: a metagame that has grown does not play them again.

A game depends on its two decks, their pilots, who moves first, and its seed. All metagames of one seed play the same
seeds, so a pair of decks that two of them have plays the same games in both.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.matchups import Pair
from deckatlas.metagame.metagame import Metagame
from deckatlas.play.runner import Progress, after
from deckatlas.runs.store import open_store
from deckatlas.search.batches import Batch, Course, Ints
from deckatlas.search.evaluation import Column, Evaluator, Outcomes
from deckatlas.stats.averages import Sample


@dataclass(frozen=True)
class KnownGames:
    """Matchups of one game each, whose outcomes are known.

    Attributes:
        rows: For a deck that moves first and another one, the row of `outcomes` of each seed, in the order of seeds.
        place: The place of each seed in that order.
        outcomes: The outcomes; each row is one game.
    """

    rows: Mapping[Pair, Ints]
    place: Mapping[int, int]
    outcomes: Outcomes

    def find(self, batch: Batch) -> Ints:
        """For each matchup of a batch, its row of the outcomes, or -1 if it has not been played."""
        places = [self.place.get(int(each.game_seeds[0]), -1) for each in batch.courses if isinstance(each, Course)]
        found = np.full(len(batch), -1, np.int64)
        pairs = (-1 - batch.participants).tolist()
        for number, ((first, second), course) in enumerate(zip(pairs, batch.course.tolist(), strict=True)):
            rows = self.rows.get((first, second))
            if rows is not None and 0 <= places[course] < len(rows):
                found[number] = rows[places[course]]
        return found


def known_games(path: Path, earlier: Metagame, later: Metagame, seeds: npt.NDArray[np.uint64]) -> KnownGames | None:
    """The games of an earlier metagame, by the numbers of a later one's decks; None if single games are not stored.

    Args:
        path: The store of the earlier metagame.
        earlier: The earlier metagame.
        later: The later one.
        seeds: The seeds of both, of which each pair plays the first ones.
    """
    if not path.is_file() or earlier.players().cards != later.players().cards:
        return None
    with open_store(path) as store:
        history = store.history()
        outcome, margin = store.single_games()
    if len(outcome) != len(history):
        return None
    number_of = {(each.deck, each.pilot): number for number, each in enumerate(later.entrants)}
    numbers = [number_of.get((each.deck, each.pilot)) for each in earlier.entrants]
    first, second = -1 - history.participants[:, 0], -1 - history.participants[:, 1]
    rows: dict[Pair, Ints] = {}
    for i, own in enumerate(numbers):
        for j, other in enumerate(numbers):
            if i != j and own is not None and other is not None:
                rows[own, other] = np.flatnonzero((first == i) & (second == j))
    found = Outcomes(history.games, history.total, history.weight, history.error, outcome, margin)
    return KnownGames(rows, {seed: place for place, seed in enumerate(seeds.tolist())}, found)


@dataclass(frozen=True)
class Remembering:
    """An evaluator that plays only the games that are not known.

    Attributes:
        evaluator: What plays the others.
        known: The known games.
    """

    evaluator: Evaluator
    known: KnownGames

    @property
    def columns(self) -> tuple[Column, ...]:
        """What it measures."""
        return self.evaluator.columns

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """The outcomes of a batch, known or played; they are the same either way."""
        rest = self.unknown(batch)
        if rest is None:
            return self.completed(batch, None)
        look = after(len(batch) - len(rest), progress)
        return self.completed(batch, self.evaluator.evaluate(rest, threads=threads, progress=look))

    def unknown(self, batch: Batch) -> Batch | None:
        """The matchups that have not been played; None if all have."""
        is_new = self.known.find(batch) < 0
        if is_new.all():
            return batch
        return batch.rows(is_new) if is_new.any() else None

    def completed(self, batch: Batch, played: Outcomes | None) -> Outcomes:
        """The outcomes of a batch, from those of its unknown matchups."""
        rows = self.known.find(batch)
        is_new = rows < 0
        parts = [_rows(self.known.outcomes, rows[~is_new])]
        if played is not None:
            parts.append(played)
        order = np.argsort(np.concatenate([np.flatnonzero(~is_new), np.flatnonzero(is_new)]), kind="stable")
        return _rows(Outcomes.joined(parts), order)

    def sample(self, *, first_game: int, games: int) -> Sample:
        """As the evaluator has it."""
        return self.evaluator.sample(first_game=first_game, games=games)


def _rows(outcomes: Outcomes, rows: Ints) -> Outcomes:
    """Some rows of outcomes of one game each."""
    return replace(
        outcomes,
        games=outcomes.games[rows],
        total=outcomes.total[rows],
        weight=outcomes.weight[rows],
        error=outcomes.error[rows],
        outcome=outcomes.outcome[rows],
        margin=outcomes.margin[rows],
    )
