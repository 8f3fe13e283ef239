"""Ask and tell: what every search can do.

A search never plays games itself. It asks for batches of evaluations and takes the outcomes in the same order:

    while not search.is_over:
        while (batch := search.ask()) is not None:
            ...                                # start to evaluate it
        search.tell(outcomes)                  # of the earliest batch without outcomes

A search draws everything random from its own seed, so the same seed and the same outcomes give the same batches. It may
keep any state, as long as telling it the log rebuilds that state bit by bit: that is how a run resumes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from deckatlas.search.archive import Archive
from deckatlas.search.batches import Batch, Ints, Numbers, Seeds
from deckatlas.search.evaluation import Outcomes
from deckatlas.search.history import History
from deckatlas.search.log import Log

Genomes = npt.NDArray[np.float64]  # one genome per row
Indexes = npt.NDArray[np.integer[Any]]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Generation:
    """A population that a search has reached.

    Attributes:
        number: Its number, from 0.
        genomes: Its genomes, or other solutions, the best first.
        scores: Their scores: games won in percent, unless the search says otherwise.
        facts: Further numbers worth keeping, such as the share of active genes.
        solutions: The numbers of its genomes in the log.
    """

    number: int
    genomes: npt.NDArray[Any]
    scores: Scores
    facts: Mapping[str, float] = field(default_factory=dict)
    solutions: Ints | None = None


class World(Protocol):
    """What a search may know of the game beyond wins: how genomes become decks."""

    @property
    def card_kinds(self) -> npt.NDArray[np.float64]:
        """For each card (row) and kind, such as a cost (column): whether the card is of that kind."""
        ...

    def active_genes(self, draft_seed: int) -> npt.NDArray[np.bool_]:
        """Which genes matter in the draft of a seed."""
        ...

    def decks(self, genomes: Genomes, rows: Numbers, draft_seeds: Seeds, *, seat: int) -> npt.NDArray[np.uint8]:
        """For each draft, the cards that the genome of its row picks in this seat, as numbers from 1."""
        ...


class Search(Protocol):
    """What every search can do."""

    @property
    def games(self) -> int:
        """The number of games it will ask for in all; known from the start."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether it has all the outcomes that it will ever ask for."""
        ...

    @property
    def initial(self) -> Generation | None:
        """The generation before the first game, such as a random population, if there is one."""
        ...

    @property
    def archive(self) -> Archive | None:
        """The elites so far, if the search keeps an archive."""
        ...

    @property
    def log(self) -> Log | None:
        """The results of each solution, if evaluations have one participant."""
        ...

    def ask(self) -> Batch | None:
        """What to evaluate next, or None if the search needs outcomes first or is over."""
        ...

    def tell(self, outcomes: Outcomes) -> Generation | None:
        """Takes the outcomes of the earliest batch without outcomes.

        Returns:
            The generation that is now complete, if one is.
        """
        ...

    def resume(self, history: History) -> Batch | None:
        """Tells a new search all stored outcomes.

        Returns:
            The last stored batch, as it was asked for; its games can be played again to check that nothing has changed.

        Raises:
            SearchError: If the search would have asked for something else.
        """
        ...
