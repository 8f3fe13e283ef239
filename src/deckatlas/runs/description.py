"""The description of a run in its store, which makes it readable without the game that made it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np

from deckatlas.runs.encoding import GeneLayout, MeasureLayout
from deckatlas.runs.stored_values import check_description, stored_json
from deckatlas.search.archive_statistics import Scoring
from deckatlas.search.deck_space import DeckColumn, DeckSpace
from deckatlas.search.evaluation import Solution

CONSTRAINED = "constrained"  # the fact that decks must have some cards, or keep to limits


@dataclass(frozen=True)
class Gene:
    """One number of a solution.

    Attributes:
        name: Its name for people: a card's name, or the meaning of a weight.
        id: Its name for programs: a card's id.
        facts: Further facts, such as a card's cost and type.
    """

    name: str
    id: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DeckLine:
    """A line of a deck list: copies, card and cost."""

    copies: int
    name: str
    cost: int
    kind: str


@dataclass(frozen=True)
class Description:
    """What a store says of its run, beside the configuration.

    Attributes:
        title: What is searched and how it is rated, as a part of a sentence.
        kind: The kind of the space.
        genes: What the numbers of a solution mean.
        layout: How solutions are stored.
        measures: The names of the solutions' own columns, known without playing.
        whole_measures: Those that are always whole numbers.
        participants: The number of solutions in an evaluation: one, or two that play each other.
        objective: The column that elites maximise, if there is an archive.
        scoring: How much an elite adds to the QD score.
        planned: The number of solutions that the archive is planned for; 0 without an archive.
        facts: What the game needs to write a solution in words, such as the hero of a deck.
    """

    title: str
    kind: str
    genes: tuple[Gene, ...]
    layout: GeneLayout
    measures: tuple[str, ...] = ()
    whole_measures: frozenset[str] = frozenset()
    participants: int = 1
    objective: str = ""
    scoring: Scoring = field(default_factory=Scoring)
    planned: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measure_layout(self) -> MeasureLayout:
        """How measures are stored."""
        return MeasureLayout(self.measures, self.whole_measures)

    def to_json(self) -> str:
        """Everything but the genes and measures, which have their own tables."""
        return json.dumps(
            {
                "title": self.title,
                "kind": self.kind,
                "length": self.layout.length,
                "type": self.layout.dtype.str,
                "deck_size": self.layout.deck_size,
                "participants": self.participants,
                "objective": self.objective,
                "scoring": asdict(self.scoring),
                "planned": self.planned,
                "facts": dict(self.facts),
            }
        )

    @classmethod
    def from_json(cls, text: str, genes: tuple[Gene, ...], measures: Mapping[str, bool]) -> Self:
        """The inverse of `to_json`.

        Args:
            text: The result of `to_json`.
            genes: The genes.
            measures: The names of the measures, and whether they are always whole numbers.

        Raises:
            LookupError, TypeError, ValueError: If the text is not a description.
        """
        values = stored_json(text, check_description)
        if len(genes) != values["length"]:
            raise ValueError(f"a solution has {values['length']} genes, but {len(genes)} have names")
        layout = GeneLayout(int(values["length"]), np.dtype(values["type"]), int(values["deck_size"]))
        return cls(
            title=str(values["title"]),
            kind=str(values["kind"]),
            genes=genes,
            layout=layout,
            measures=tuple(measures),
            whole_measures=frozenset(name for name, is_whole in measures.items() if is_whole),
            participants=int(values["participants"]),
            objective=str(values["objective"]),
            scoring=Scoring(**values["scoring"]),
            planned=int(values["planned"]),
            facts=dict(values["facts"]),
        )

    def text_of(self, solution: Solution) -> str:
        """A solution as plain text: the id of each card of a deck, or the numbers."""
        if not self.layout.deck_size:
            return " ".join(repr(float(number)) for number in solution)
        return " ".join(self.genes[place].id for place in np.repeat(np.arange(len(solution)), solution))

    def deck_list(self, solution: Solution) -> tuple[DeckLine, ...]:
        """The cards of a solution, sorted by cost and name; empty if it is not a deck."""
        if not self.layout.deck_size:
            return ()
        lines = (
            DeckLine(int(solution[place]), gene.name, int(gene.facts.get("cost", 0)), str(gene.facts.get("type", "")))
            for place, gene in enumerate(self.genes)
            if solution[place]
        )
        return tuple(sorted(lines, key=lambda line: (line.cost, line.name)))

    def deck_space(self) -> DeckSpace[str] | None:
        """The space of all legal decks, with costs only; None if solutions are not decks, or decks have constraints."""
        if not self.layout.deck_size or self.facts.get(CONSTRAINED):
            return None
        costs = np.array([int(gene.facts["cost"]) for gene in self.genes], np.int64)
        columns = {
            "deck_mana_sum": DeckColumn(costs),
            "deck_mana_mean": DeckColumn(costs, "mean"),
            "deck_mana_variance": DeckColumn(costs, "variance"),
        }
        most = [int(gene.facts["most"]) for gene in self.genes]
        return DeckSpace([gene.id for gene in self.genes], most, size=self.layout.deck_size, columns=columns)


@dataclass(frozen=True)
class StoredSpace:
    """A space as a store knows it: the form and names of solutions, but no way to draw one.

    Attributes:
        description: What the store says.
    """

    description: Description

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a solution's numbers."""
        return self.description.layout.dtype

    @property
    def length(self) -> int:
        """How many numbers a solution has."""
        return self.description.layout.length

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that are known without playing."""
        return self.description.measures
