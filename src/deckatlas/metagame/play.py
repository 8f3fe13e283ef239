"""Playing a metagame: its matchups are a run that is stored, resumed, and played once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from deckatlas.metagame.matchups import GAMES_PER_SEED, Floats, Matchups
from deckatlas.metagame.metagame import Metagame
from deckatlas.metagame.rounds import challenge, challenge_outcomes, matchups_from, spending
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.runs.comparison import comparison_run
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.runs.library import path_of
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.run import Run
from deckatlas.runs.store import open_store
from deckatlas.search.history import History
from deckatlas.search.scripts import Script

GAMES = 200
ADVICE = "choose another folder with --store"

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
    """The games of a metagame as a run."""

    metagame: Metagame
    make_search: Callable[[], Script]
    algorithm: str
    budget: Budget

    @property
    def name(self) -> str:
        """The name of its store: other decks, pilots, weights, cards, sizes and seeds have stores of their own."""
        players = self.metagame.players()
        depends_on = {**players.to_json(), "cards": players.cards, "seed": self.budget.seed, **self._search}
        games = GAMES_PER_SEED * self.budget.seeds
        return f"{self.metagame.name} {games} {text_hash(canonical_json(depends_on)).hex()[:8]}"

    @property
    def _search(self) -> dict[str, Any]:
        return {"algorithm": self.algorithm, "seeds": self.budget.seeds}

    def prepare(self) -> Run:
        return comparison_run(
            self.name,
            self.metagame.players(),
            self.make_search,
            seed=self.budget.seed,
            games=self.make_search().games,
            search=self._search,
        )


def play_metagame(metagame: Metagame, budget: Budget) -> Matchups:
    """Plays every pair of a metagame, or the rest of it.

    Raises:
        RunError: If the store cannot be used.
    """

    def make() -> Script:
        return spending(metagame.names, seeds=budget.seeds, seed=budget.seed)

    history = _played(metagame, "metagame", make, budget)
    return matchups_from(metagame.names, history.participants, history.total[:, 0].astype(np.int64))


def play_challenger(metagame: Metagame, budget: Budget) -> dict[int, Floats]:
    """Plays the last deck of a metagame against each other one, on the seeds that the field plays.

    Returns:
        For each other deck, the share of each seed's games that the last deck won.

    Raises:
        RunError: If the store cannot be used.
    """

    def make() -> Script:
        return challenge(len(metagame.entrants), seeds=budget.seeds, seed=budget.seed)

    history = _played(metagame, "challenger", make, budget)
    return challenge_outcomes(len(metagame.entrants), history.total[:, 0].astype(np.int64))


def _played(metagame: Metagame, algorithm: str, make: Callable[[], Script], budget: Budget) -> History:
    games = _Games(metagame, make, algorithm, budget)
    with _folder(budget.folder) as folder:
        path = path_of(folder, games.name)
        execute(games, path, threads=budget.threads, watch=budget.watch, advice=ADVICE)
        with open_store(path) as store:
            return store.history()


@contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    if given is not None:
        yield given
        return
    with TemporaryDirectory() as folder:
        yield Path(folder)
