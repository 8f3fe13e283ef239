"""Ask and tell: what a search asks to be played, and what it makes of the outcomes.

A search never plays games itself. It asks for matchups between genomes (and named opponents) over *courses*, and is
told how many games of each the first player won:

    generation = search.initial
    while (ask := search.ask()) is not None:
        generation = search.tell(arena.play(ask)) or generation

A search draws everything random from its own seed, so the same seed and the same outcomes give the same asks: a run
resumes by telling a new search what was told before.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Genomes = npt.NDArray[np.float64]  # a row a genome
Seeds = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int32]
Indexes = npt.NDArray[np.integer[Any]]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Course:
    """Games that a matchup is played over.

    Attributes:
        draft_seeds: For each game, the seed its draft is drawn from.
        game_seeds: For each game, the seed of its shuffles and of the players' own draws. Where both seeds are the
            same, the game is the official referee's of that seed.
    """

    draft_seeds: Seeds
    game_seeds: Seeds

    def __len__(self) -> int:
        return len(self.game_seeds)


@dataclass(frozen=True)
class Ask:
    """What a search wants played: matchups, each over a course with one entrant always moving first.

    Attributes:
        genomes: The candidates, a row each.
        courses: The courses.
        first: For each matchup, who moves first: the row of a genome, or -1 - k for opponent k of the run.
        second: For each matchup, who moves second.
        course: For each matchup, the number of its course.
    """

    genomes: Genomes
    courses: tuple[Course, ...]
    first: Numbers
    second: Numbers
    course: Numbers

    @property
    def games(self) -> int:
        """How many games this costs."""
        lengths = np.array([len(course) for course in self.courses], dtype=np.int64)
        return int(lengths[self.course].sum())


@dataclass(frozen=True)
class Generation:
    """A population that a search has reached.

    Attributes:
        number: Which one, from 0.
        genomes: Its genomes, the best first.
        scores: How the search rates them, in percent of games won where it says nothing else.
        facts: Further numbers worth keeping, such as the share of genes that were active.
    """

    number: int
    genomes: Genomes
    scores: Scores
    facts: Mapping[str, float] = field(default_factory=dict)


class World(Protocol):
    """What a search may know of the game beyond who wins: how genomes become decks."""

    @property
    def card_kinds(self) -> npt.NDArray[np.float64]:
        """A row a card, a column a kind (such as a cost): whether the card is of it."""
        ...

    def active_genes(self, draft_seed: int) -> npt.NDArray[np.bool_]:
        """Which genes have a say in the draft of a seed."""
        ...

    def decks(self, genomes: Genomes, rows: Numbers, draft_seeds: Seeds, *, seat: int) -> npt.NDArray[np.uint8]:
        """For each draft, the cards that the genome of its row picks in this seat: numbers from 1."""
        ...


class Plays(Protocol):
    """Where genomes meet."""

    def play(self, ask: Ask, *, progress: Callable[[int], object] | None = None) -> Numbers:
        """Plays all matchups of an ask; returns how many games the first player of each won."""
        ...


class Search(Protocol):
    """What every search can do."""

    @property
    def games(self) -> int:
        """How many games it will ask for in all; known when it is made."""
        ...

    @property
    def initial(self) -> Generation | None:
        """The generation that is there before any game, such as a random population, if there is one."""
        ...

    def ask(self) -> Ask | None:
        """What to play next, or None when the search is over; the same again until `tell` is called."""
        ...

    def tell(self, wins: npt.NDArray[np.integer[Any]]) -> Generation | None:
        """Takes the wins of the first player in each matchup of the last ask.

        Returns:
            The generation that is now complete, if one is.
        """
        ...
