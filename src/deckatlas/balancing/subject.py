"""What a balance study is about: two editions of a game's cards, the decks that are known, and what can be searched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.metagame import Metagame
from deckatlas.runs.config import RunConfig
from deckatlas.runs.view import RunView

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

BASE, PATCHED = 0, 1
SIDES = (BASE, PATCHED)


@dataclass(frozen=True)
class CardChange:
    """What a patch does to one card.

    Attributes:
        card: The name of the card.
        words: What changes, in words: "costs 4 instead of 6".
        is_new: Whether the base edition has no such card.
    """

    card: str
    words: str
    is_new: bool = False


@dataclass(frozen=True)
class SearchSize:
    """How large the searches of a study are.

    Attributes:
        evaluations: The decks that one search evaluates.
        games: The games of each; None for one against each known deck.
        resolution: The cells of a map along each measure.
    """

    evaluations: int
    games: int | None
    resolution: int


@dataclass(frozen=True)
class Effort:
    """The sizes of a study.

    Attributes:
        name: Its name.
        field_games: The games of the known decks, of both editions together.
        trials: How often decks are searched again, each time under both editions; 0 for never.
        size: How large a search is.
        finalists: The best decks of each search that join the metagame of its trial.
        mix_games: The games of each pair of a trial's metagame, under each edition.
    """

    name: str
    field_games: int
    trials: int
    size: SearchSize
    finalists: int
    mix_games: int


@dataclass(frozen=True)
class Spreads:
    """How much the difference of one trial varies in studies of effort `normal`, as standard deviations.

    Attributes:
        found_rate: Of the win rate of the best decks found.
        inclusion: Of the share of elites with a card.
        mix_share: Of the share of a class, or of a card, in the mix.
    """

    found_rate: float
    inclusion: float
    mix_share: float


@dataclass(frozen=True)
class Words:
    """What sentences call what a game's players bring: decks, or draft policies.

    Attributes:
        one: One of them.
        several: Several of them.
        inclusion: How often elites have a card, `{elites}` and `{card}`.
        inclusion_in_mix: How often the equilibrium mix has a card, `{card}`.
        has_named_kinds: Whether the kinds that are searched are names, such as those of classes.
    """

    one: str = "deck"
    several: str = "decks"
    inclusion: str = "the share of {elites} with {card}"
    inclusion_in_mix: str = "the share of the equilibrium mix with {card}"
    has_named_kinds: bool = True

    def of_kind(self, kind: str) -> str:
        """A kind within a sentence."""
        return kind.title() if self.has_named_kinds else kind

    def found(self, kind: str) -> str:
        """What the searches for a kind found, within a sentence."""
        return f"found {self.of_kind(kind)} {self.several}"


DECKS = Words()


@dataclass(frozen=True, eq=False)
class FoundMap:
    """The elites of one search.

    Attributes:
        shape: The cells along each measure.
        names: The names of the measures.
        ranges: The lowest and highest value of each measure on the map.
        cell: The number of the cell of each elite.
        win_rate: How often each elite won in the search.
        measures: The measures of each elite, one row per elite.
        cards: The cards that decks are built from.
        holds: For each elite and card, 1 if the deck has the card; for draft policies, their pick rates.
        best: The decks of the best elites as texts that commands read, the best first.
    """

    shape: tuple[int, ...]
    names: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...]
    cell: Ints
    win_rate: Floats
    measures: Floats
    cards: tuple[str, ...]
    holds: Floats
    best: tuple[str, ...]

    @classmethod
    def of(
        cls,
        view: RunView,
        measures: Mapping[str, tuple[str, tuple[float, float]]],
        *,
        cards: Sequence[str],
        holds: Sequence[Sequence[float]],
        best: Sequence[str],
    ) -> "FoundMap":
        """The map of a finished search.

        Args:
            view: The search.
            measures: The measures of its map, each with its name and range.
            cards: The cards that decks are built from.
            holds: For each elite, the best first, how much it has of each card.
            best: The decks of the best elites.
        """
        elites, shape = view.elites(), tuple(view.archive.cells.shape)
        return cls(
            shape=shape,
            names=tuple(name for name, _ in measures.values()),
            ranges=tuple(ends for _, ends in measures.values()),
            cell=np.array([int(np.ravel_multi_index(each.cell, shape)) for each in elites], np.int64),
            win_rate=np.array([each.objective.value for each in elites]),
            measures=np.array([[each.measures[name] for name in measures] for each in elites]),
            cards=tuple(cards),
            holds=np.array(holds, np.float64),
            best=tuple(best),
        )

    def inclusion(self, card: str) -> float:
        """The share of elites that have a card; 0 for a card that decks cannot have."""
        return float(self.holds[:, self.cards.index(card)].mean()) if card in self.cards else 0.0

    def centre(self, card: str) -> Floats | None:
        """The mean measures of the elites that have a card; None if none has it."""
        weights = self.holds[:, self.cards.index(card)] if card in self.cards else np.zeros(1)
        return np.average(self.measures, axis=0, weights=weights) if weights.any() else None

    def place(self, cell: int) -> tuple[int, ...]:
        """Where a cell is: its number along each measure."""
        return tuple(int(each) for each in np.unravel_index(cell, self.shape))

    def bounds(self, cell: int) -> str:
        """Where a cell is, in words: its range of each measure."""
        parts = []
        for name, (low, high), cells, at in zip(self.names, self.ranges, self.shape, self.place(cell), strict=True):
            width = (high - low) / cells
            parts.append(f"{name} {low + at * width:.2f} to {low + (at + 1) * width:.2f}")
        return " and ".join(parts)

    @property
    def mean_rate(self) -> float:
        """The mean win rate of all elites."""
        return float(self.win_rate.mean())

    @property
    def filled(self) -> float:
        """The share of cells that have an elite."""
        return len(self.cell) / int(np.prod(self.shape))


AnyMetagame = TypeVar("AnyMetagame", bound=Metagame)


@dataclass(frozen=True)
class PatchedFields(Generic[AnyMetagame]):
    """What all games' subjects have: known decks under both editions, and what is searched. See `Subject`."""

    fields: tuple[AnyMetagame, AnyMetagame]
    kinds: tuple[str, ...]
    search_pilots: tuple[str, ...]
    words: Words
    spreads: Spreads
    efforts: tuple[Effort, ...]

    @property
    def patch(self) -> str:
        """The name of the patch: that of the patched edition."""
        return self.fields[PATCHED].edition

    @property
    def editions(self) -> tuple[str, str]:
        """The names of both editions."""
        return self.fields[BASE].edition, self.fields[PATCHED].edition


class Subject(Protocol):
    """A patch of a game's cards, checked: everything that a study needs of the game."""

    @property
    def game(self) -> str:
        """The name of the game, as commands write it."""
        ...

    @property
    def patch(self) -> str:
        """The name of the patch."""
        ...

    @property
    def patch_toml(self) -> str:
        """The patch as a file that commands read."""
        ...

    @property
    def editions(self) -> tuple[str, str]:
        """The base and the patched edition, for people."""
        ...

    @property
    def changes(self) -> tuple[CardChange, ...]:
        """What the patch does, card by card."""
        ...

    @property
    def cards(self) -> tuple[str, ...]:
        """The changed cards that decks can have; for a changed token, the cards that make it."""
        ...

    @property
    def rules(self) -> tuple[str, ...]:
        """What the patch changes beside cards, in words."""
        ...

    @property
    def fields(self) -> tuple[Metagame, Metagame]:
        """The known decks with their pilots under both editions, in the same order."""
        ...

    @property
    def left_out(self) -> tuple[str, ...]:
        """Known decks that are not legal under the patch, each with the reason; they are in neither field."""
        ...

    @property
    def classes(self) -> tuple[str, ...]:
        """The class of each known deck; empty texts if decks have no classes."""
        ...

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is searched under both editions, such as classes that can have a changed card."""
        ...

    @property
    def search_pilots(self) -> tuple[str, ...]:
        """The agents that play all decks in the searches, one search for each."""
        ...

    @property
    def words(self) -> Words:
        """What sentences call decks."""
        ...

    @property
    def efforts(self) -> tuple[Effort, ...]:
        """The efforts that a study can have, from the smallest: games differ in how many can be played in a minute."""
        ...

    @property
    def spreads(self) -> Spreads:
        """How much trials of effort `normal` vary."""
        ...

    def can_have(self, kind: str, card: str) -> bool:
        """Whether decks that a search of this kind finds can have a card, by its name."""
        ...

    def class_of(self, kind: str) -> str:
        """The class of the decks that a search of this kind finds; empty if decks have no classes."""
        ...

    def held(self, deck: str, side: int) -> Mapping[str, float]:
        """The cards of a deck, each with 1; for a draft policy, all cards with their pick rates."""
        ...

    def search(
        self, kind: str, side: int, *, name: str, pilot: str, seed: int, from_known: bool, size: SearchSize
    ) -> RunConfig:
        """A search for the best decks of a kind, as the configuration of a run with a map.

        Args:
            kind: What is searched.
            side: The edition.
            name: The name of the run.
            pilot: The agent that plays all decks.
            seed: The seed of everything random.
            from_known: Whether it starts with known decks, or with random ones.
            size: How large it is.
        """
        ...

    def found(self, view: RunView, side: int, *, best: int) -> FoundMap:
        """The elites of a finished search.

        Args:
            view: The search.
            side: Its edition.
            best: The number of decks to name.
        """
        ...
