"""The loop of every search: ask, play, tell, store. Resuming is the same loop, told what was stored.

No state of a search is ever stored. A resumed search is made anew from the configuration and told the stored outcomes,
ask by ask, until the log ends; it then asks for what it would have asked for in an unbroken run.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from deckatlas.runs.hashes import ask_hash, generation_hash
from deckatlas.runs.matchups import AskRow, MatchupWriter
from deckatlas.runs.sameness import check_same, other_version
from deckatlas.runs.writer import open_to_write
from deckatlas.search.protocol import Ask, Generation, Plays, Search

_GAMES_PLAYED_AGAIN = 100


@dataclass(frozen=True)
class Standing:
    """How far a run is.

    Attributes:
        planned: All games that the search will ask for.
        stored: Games that an earlier process had played.
        games: Games played, including those of an ask that is not complete.
        generation: The last complete generation.
        best: How that generation's first individual is rated.
        finished: Whether the search is over.
    """

    planned: int
    stored: int = 0
    games: int = 0
    generation: int | None = None
    best: float | None = None
    finished: bool = False

    def more(self, games: int) -> "Standing":
        """The standing so many games later."""
        return replace(self, games=self.games + games)

    def after(self, generation: Generation | None) -> "Standing":
        """The standing with this generation, if there is one."""
        if generation is None:
            return self
        return replace(self, generation=generation.number, best=float(generation.scores[0]))


Watch = Callable[[Standing], object]


class Plan(Protocol):
    """What can be carried out: the configuration of a run, or an evaluation."""

    @property
    def budget(self) -> int | None:
        """The most games to play."""
        ...

    @property
    def cards(self) -> str:
        """A hash of the cards that are played with."""
        ...

    def to_json(self) -> dict[str, Any]:
        """All that the result depends on, and a name, as plain data."""
        ...

    def prepare(self, *, threads: int | None = None) -> tuple[Plays, Search]:
        """Where the games are played, and the search before its first ask."""
        ...


def execute(
    config: Plan,
    path: Path,
    *,
    threads: int | None = None,
    watch: Watch = lambda standing: None,
    advice: str = "choose another file",
) -> Standing:
    """Carries out a run, or what is left of it.

    Args:
        config: The run.
        path: Its store; if the file is there, its run is resumed.
        threads: How many threads play; the result does not depend on it.
        watch: Hears how the run stands, several times a second.
        advice: What to do where the store holds another run, or another process writes it.

    Raises:
        RunError: If the store cannot be used, holds another run, or cannot be written any more. What it holds then
            can be resumed.
    """
    arena, search = config.prepare(threads=threads)
    if config.budget is not None and search.games > config.budget:
        raise RuntimeError(f"a search of {search.games} games was made for a budget of {config.budget}")
    with open_to_write(path, MatchupWriter, advice=advice) as store:
        if store.is_new():
            store.begin(config.to_json(), config.cards, search.initial)
        store.check()
        check_same(store, config.to_json(), config.cards, advice)
        if store.run().finished is not None:
            return _finished(store, search)
        standing = _replay(store, search, arena, Standing(search.games).after(search.initial))
        watch(standing)
        return _play_on(store, search, arena, standing, watch)


def _finished(store: MatchupWriter, search: Search) -> Standing:
    _, games = store.counts()
    if games != search.games:
        raise other_version(store, f"it is finished after {games} games, and not {search.games}")
    generation, best = store.latest() or (None, None)
    return Standing(search.games, stored=games, games=games, generation=generation, best=best, finished=True)


def _play_on(store: MatchupWriter, search: Search, arena: Plays, standing: Standing, watch: Watch) -> Standing:
    number, _ = store.counts()
    while (ask := search.ask()) is not None:
        if standing.games + ask.games > standing.planned:
            raise RuntimeError(f"a search asked for {ask.games} games after {standing.games} of {standing.planned}")
        wins = _play(arena, ask, standing, watch)
        generation = search.tell(wins)
        store.add(number, ask, wins, generation)
        standing = standing.more(ask.games).after(generation)
        number += 1
        watch(standing)
    store.finish()
    return replace(standing, finished=True)


def _play(arena: Plays, ask: Ask, standing: Standing, watch: Watch) -> npt.NDArray[np.int32]:
    return arena.play(ask, progress=lambda games: watch(standing.more(games)))


def _replay(store: MatchupWriter, search: Search, arena: Plays, standing: Standing) -> Standing:
    """Tells a new search what was stored."""
    asks, games = store.counts()
    ask: Ask | None = None
    initial = [] if search.initial is None else [generation_hash(search.initial)]
    if initial != [row.hash for row in store.generations() if row.ask is None]:
        raise other_version(store, "the initial generation differs")
    for number in range(asks):
        stored, ask = store.ask(number), search.ask()
        if ask is None or ask_hash(ask) != stored.hash or len(ask.first) != len(stored.wins):
            raise other_version(store, f"ask {number} differs")
        generation = search.tell(stored.wins)
        if stored.generation != (None if generation is None else generation_hash(generation)):
            raise other_version(store, f"the generation after ask {number} differs")
        standing = standing.after(generation)
    if ask is not None:
        _play_again(store, arena, ask, stored)
    return replace(standing, stored=games, games=games)


def _play_again(store: MatchupWriter, arena: Plays, ask: Ask, stored: AskRow) -> None:
    """Makes sure that games still end as they did: otherwise two halves of a run would not belong together."""
    some = max(1, int(np.searchsorted(np.cumsum(stored.lengths), _GAMES_PLAYED_AGAIN, side="right")))
    part = Ask(ask.genomes, ask.courses, ask.first[:some], ask.second[:some], ask.course[:some])
    if not np.array_equal(arena.play(part), stored.wins[:some]):
        raise other_version(store, f"the games of ask {stored.number} end otherwise now")
