"""Ask and tell: what every search can do.

A search never plays games itself. It asks for batches of evaluations, and is told the outcomes in the same order:

    while not search.is_over:
        while (batch := search.ask()) is not None:
            ...                                # begin to evaluate it
        search.tell(outcomes)                  # of the earliest batch that was not told

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
        number: Which one, from 0.
        genomes: Its genomes, the best first.
        scores: How the search rates them, in percent of games won where it says nothing else.
        facts: Further numbers worth keeping, such as the share of genes that were active.
        solutions: The numbers that its genomes have in the log.
    """

    number: int
    genomes: Genomes
    scores: Scores
    facts: Mapping[str, float] = field(default_factory=dict)
    solutions: Ints | None = None


class World(Protocol):
    """What a search may know of the game beyond who wins: how genomes become decks."""

    @property
    def card_kinds(self) -> npt.NDArray[np.float64]:
        """For each card (row) and kind, such as a cost (column): whether the card is of it."""
        ...

    def active_genes(self, draft_seed: int) -> npt.NDArray[np.bool_]:
        """Which genes matter in the draft of a seed."""
        ...

    def decks(self, genomes: Genomes, rows: Numbers, draft_seeds: Seeds, *, seat: int) -> npt.NDArray[np.uint8]:
        """For each draft, the cards that the genome of its row picks in this seat: numbers from 1."""
        ...


class Search(Protocol):
    """What every search can do."""

    @property
    def games(self) -> int:
        """How many games it will ask for in all; known when it is made."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether it was told everything it will ever ask for."""
        ...

    @property
    def initial(self) -> Generation | None:
        """The generation that is there before any game, such as a random population, if there is one."""
        ...

    @property
    def archive(self) -> Archive | None:
        """The elites so far, if the search keeps an archive."""
        ...

    @property
    def log(self) -> Log | None:
        """What is known of each solution, where evaluations have one participant."""
        ...

    def ask(self) -> Batch | None:
        """What to evaluate next, or None where the search must be told something first, or is over."""
        ...

    def tell(self, outcomes: Outcomes) -> Generation | None:
        """Takes the outcomes of the earliest batch that was not told.

        Returns:
            The generation that is now complete, if one is.
        """
        ...

    def resume(self, history: History) -> Batch | None:
        """Tells a new search everything that is stored.

        Returns:
            The last stored batch, as it was asked for; its games can be played again to see that nothing has changed.

        Raises:
            SearchError: If the search would have asked for something else.
        """
        ...
