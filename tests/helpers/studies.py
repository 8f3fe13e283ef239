"""Studies without games: the outcome of every matchup follows from the strengths of the players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.runs.config import ArenaTable, GenomeTable, Priorities, RunConfig
from deckatlas.runs.matchups import GenerationRow
from deckatlas.search.baselines import RE
from deckatlas.search.protocol import Ask, Genomes, Seeds


@dataclass(frozen=True)
class FakeRun(FinishedRun):
    """A run whose generations are given: for each, the strengths of its individuals, the best first.

    A strength is gene 0 of a genome.
    """

    strengths: tuple[tuple[float, ...], ...] = ()
    drafts: tuple[int, ...] = (1, 2, 3, 4)

    def generations(self) -> list[GenerationRow]:
        strengths = enumerate(self.strengths)
        return [GenerationRow(n, n, 100 * (n + 1), s[0], 0.0, {"active": 0.5}, b"") for n, s in strengths]

    def bests_of(self, generations: list[int], count: int) -> list[Genomes]:
        made = [np.zeros((min(count, len(self.strengths[number])), 160)) for number in generations]
        for genomes, number in zip(made, generations, strict=True):
            genomes[:, 0] = self.strengths[number][:count]
        return made

    def bests(self, count: int) -> Genomes:
        return self.bests_of([len(self.strengths) - 1], count)[0]

    def training_drafts(self) -> Seeds:
        return np.array(self.drafts, dtype=np.uint64)


def fake_run(*generations: Sequence[float], drafts: Sequence[int] = (1, 2, 3, 4)) -> FakeRun:
    """A run with these strengths."""
    config = RunConfig(name="fake", search=RE())
    return FakeRun(config, Path("nowhere"), tuple(map(tuple, generations)), tuple(drafts))


@dataclass(frozen=True)
class FakeStudy(Study):
    """A study in which the stronger wins; where both are as strong, who moves first.

    Attributes:
        named: The strengths of the named players.
        asks: What was asked for.
    """

    named: tuple[float, ...] = ()
    asks: list[Ask] = field(default_factory=list)

    def genome(self) -> GenomeTable:
        return Priorities()

    def play(self, name: str, ask: Ask, *, genome: GenomeTable, arena: ArenaTable) -> npt.NDArray[np.int64]:
        assert len(arena.opponents) == len(self.named)
        self.asks.append(ask)
        strengths = np.array([*ask.genomes[:, 0], *reversed(self.named)])  # player -1 is the last one, named first
        lengths = np.array([len(course) for course in ask.courses])[ask.course]
        return np.where(strengths[ask.first] >= strengths[ask.second], lengths, 0)


def fake_study(
    runs: Mapping[str, Sequence[FakeRun]], *, named: Sequence[float] = (), published: Mapping[str, Any] | None = None
) -> FakeStudy:
    """A study of these runs."""

    def unseen(name: str) -> Any:
        raise AssertionError("nothing is carried out")

    return FakeStudy(
        {name: tuple(of_name) for name, of_name in runs.items()},
        published or {},
        7,
        Path("nowhere"),
        None,
        unseen,
        named=tuple(named),
    )
