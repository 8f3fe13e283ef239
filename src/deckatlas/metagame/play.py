"""Playing a metagame: its matchups are a run that is stored, resumed, and played once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from deckatlas.metagame.known_games import KnownGames, Remembering, known_games
from deckatlas.metagame.matchups import GAMES_PER_SEED, Floats, Matchups
from deckatlas.metagame.metagame import Metagame, whole_parts
from deckatlas.metagame.rounds import (
    challenge,
    evenly,
    field_seeds,
    matchups_from,
    most_seeds,
    spending,
    trial,
    trial_outcomes,
)
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.runs.comparison import comparison_run
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.runs.in_turn import execute_in_turn
from deckatlas.runs.library import path_of
from deckatlas.runs.loop import Standing
from deckatlas.runs.run import Run
from deckatlas.runs.store import open_store
from deckatlas.search.history import History
from deckatlas.search.scripts import Script

GAMES = 200
ADVICE = "choose another folder with --store"
_PLAYED = 1e-6  # a smaller share is none

Watch = Callable[[Standing], object]


@dataclass(frozen=True)
class Budget:
    """How much is played, and how.

    Attributes:
        games: The mean number of games per pair.
        seed: The seed of everything random.
        folder: The folder of the stored games; without one, nothing is kept.
        threads: The number of threads; the result does not depend on it.
        watch: Called with the progress, several times a second.

    Raises:
        MatchError: If the number of games or the seed is too small or too large.
    """

    games: int = GAMES
    seed: int = 0
    folder: Path | None = None
    threads: int | None = None
    watch: Watch | None = None

    def __post_init__(self) -> None:
        positive("games", self.games, MAX_GAMES, least=GAMES_PER_SEED)
        positive("seed", self.seed, 2**63 - 1, least=0)

    @property
    def seeds(self) -> int:
        """The mean number of seeds per pair; an odd last game is not played."""
        return self.games // GAMES_PER_SEED


@dataclass(frozen=True)
class _Games:
    """The games of a metagame as a run.

    Attributes:
        metagame: The metagame.
        make_search: Makes the search that asks for matchups.
        search: The table `search` of its configuration: all that the matchups depend on beside decks and seed.
        budget: How it is played.
        known: The games that need not be played again.
    """

    metagame: Metagame
    make_search: Callable[[], Script]
    search: dict[str, Any]
    budget: Budget
    known: KnownGames | None = None

    @property
    def name(self) -> str:
        """The name of its store: other decks, pilots, weights, cards, sizes and seeds have stores of their own."""
        players = self.metagame.players()
        depends_on = {**players.to_json(), "cards": players.cards, "seed": self.budget.seed, **self.search}
        games = GAMES_PER_SEED * self.budget.seeds
        return f"{self.metagame.name} {games} {text_hash(canonical_json(depends_on)).hex()[:8]}"

    def prepare(self) -> Run:
        run = comparison_run(
            self.name,
            self.metagame.players(),
            self.make_search,
            seed=self.budget.seed,
            games=self.make_search().games,
            search=self.search,
        )
        return run if self.known is None else replace(run, evaluator=Remembering(run.evaluator, self.known))


def play_metagame(metagame: Metagame, budget: Budget, *, earlier: Metagame | None = None) -> Matchups:
    """Plays every pair of a metagame, or the rest of it.

    Args:
        metagame: The metagame.
        budget: How much is played, and where it is stored.
        earlier: A metagame that was played with the same budget: games that both have are not played again. The
            result does not depend on it.

    Raises:
        RunError: If the store cannot be used.
    """
    games = _matchups(metagame, budget)
    if earlier is not None and budget.folder is not None:
        path = path_of(budget.folder, _matchups(earlier, budget).name)
        seeds = field_seeds(budget.seed, most_seeds(budget.seeds))
        games = replace(games, known=known_games(path, earlier, metagame, seeds))
    history = _played(games)
    return matchups_from(metagame.names, history.participants, history.total[:, 0].astype(np.int64))


def _matchups(metagame: Metagame, budget: Budget) -> _Games:
    def make() -> Script:
        return spending(metagame.names, seeds=budget.seeds, seed=budget.seed)

    return _Games(metagame, make, {"algorithm": "metagame", "seeds": budget.seeds}, budget)


def play_evenly(metagame: Metagame, budget: Budget) -> Matchups:
    """Plays every pair of a metagame equally often, each on seeds of its own, so that all seeds are independent.

    Two metagames with as many decks play the same seeds, pair by pair.

    Raises:
        RunError: If the store cannot be used.
    """

    def make() -> Script:
        return evenly(len(metagame.entrants), seeds=budget.seeds, seed=budget.seed)

    history = _played(_Games(metagame, make, {"algorithm": "evenly", "seeds": budget.seeds}, budget))
    return matchups_from(metagame.names, history.participants, history.total[:, 0].astype(np.int64))


def play_challenger(metagame: Metagame, budget: Budget) -> dict[int, Floats]:
    """Plays the last deck of a metagame against each other one, on the seeds that the field plays.

    Returns:
        For each other deck, the share of each seed's games that the last deck won.

    Raises:
        RunError: If the store cannot be used.
    """
    others = len(metagame.entrants) - 1

    def make() -> Script:
        return challenge(others + 1, seeds=budget.seeds, seed=budget.seed)

    history = _played(_Games(metagame, make, {"algorithm": "challenger", "seeds": budget.seeds}, budget))
    (found,) = trial_outcomes(1, np.full(others, budget.seeds), history.total[:, 0].astype(np.int64))
    return found


def play_trial(metagame: Metagame, candidates: int, shares: Floats, budget: Budget) -> list[dict[int, Floats]]:
    """Plays the last decks of a metagame, the candidates, against the others, in proportion to their shares.

    All candidates play the same seeds. An opponent with a share is met on one seed at least.

    Args:
        metagame: The metagame; the candidates are its last decks.
        candidates: The number of candidates.
        shares: The share of each other deck.
        budget: How much is played; its games are those of each candidate.

    Returns:
        For each candidate and each opponent that it met, the share of each seed's games that the candidate won.

    Raises:
        RunError: If the store cannot be used.
    """
    seeds = np.where(shares > _PLAYED, np.maximum(1, whole_parts(shares, budget.seeds)), 0)

    def make() -> Script:
        return trial(candidates, seeds, known=field_seeds(budget.seed, int(seeds.max())))

    search = {"algorithm": "trial", "candidates": candidates, "seeds": seeds.tolist()}
    history = _played(_Games(metagame, make, search, budget))
    return trial_outcomes(candidates, seeds, history.total[:, 0].astype(np.int64))


def _played(games: _Games) -> History:
    budget = games.budget
    with kept_in(budget.folder) as folder:
        path = path_of(folder, games.name)
        execute_in_turn(games, path, threads=budget.threads, watch=budget.watch, advice=ADVICE)
        with open_store(path) as store:
            return store.history()


@contextmanager
def kept_in(given: Path | None) -> Iterator[Path]:
    """The folder of stored games while a block runs: the given one, or one that is removed afterwards."""
    if given is not None:
        yield given
        return
    with TemporaryDirectory() as folder:
        yield Path(folder)
