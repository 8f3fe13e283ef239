"""Studies without games: the outcome of every matchup follows from the strengths of the players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.experiments.study import FinishedRun, Study
from deckatlas.games.locm.run_config import LocmDraftRun
from deckatlas.papers.drafts.games import DraftPlayers
from deckatlas.runs.comparison import Players
from deckatlas.runs.rows import GenerationRow
from deckatlas.runs.run import Run
from deckatlas.search.baselines import RE
from deckatlas.search.batches import Batch, Course, matchups
from deckatlas.search.history import History
from deckatlas.search.options import SearchOptions
from deckatlas.search.piecewise import piecewise
from deckatlas.search.protocol import Genomes


class FakeDraftRun(LocmDraftRun):
    """A run whose search asks for a single game on each of these drafts."""

    drafts: tuple[int, ...] = (1, 2, 3, 4)

    def ask(self) -> Batch:
        seeds = np.array(self.drafts, dtype=np.uint64)
        nobody = np.zeros(1, dtype=np.int32)
        return matchups(np.zeros((1, 160)), [Course(seeds, seeds)], nobody, nobody, nobody)

    def prepare(self) -> Run:
        return replace(super().prepare(), make_search=lambda: piecewise(self.ask()))


@dataclass(frozen=True)
class FakeView:
    """A run of which only its history is known."""

    history: History


@dataclass(frozen=True)
class FakeRun(FinishedRun):
    """A run whose generations are given: for each, the strengths of its individuals, the best first.

    A strength is gene 0 of a genome.
    """

    strengths: tuple[tuple[float, ...], ...] = ()

    def generations(self) -> tuple[GenerationRow, ...]:
        strengths = enumerate(self.strengths)
        return tuple(GenerationRow(n, n, 100 * (n + 1), s[0], 0.0, {"active": 0.5}, b"") for n, s in strengths)

    def bests_of(self, generations: list[int], count: int) -> list[Genomes]:
        made = [np.zeros((min(count, len(self.strengths[number])), 160)) for number in generations]
        for genomes, number in zip(made, generations, strict=True):
            genomes[:, 0] = self.strengths[number][:count]
        return made

    def bests(self, count: int) -> Genomes:
        return self.bests_of([len(self.strengths) - 1], count)[0]

    @cached_property
    def view(self) -> Any:
        """One batch that was played: what the search of `FakeDraftRun` asks for."""
        one, games = np.ones((1, 1)), np.array([4])
        return FakeView(
            History(
                np.zeros((1, 160)), games - 5, np.zeros((1, 2), np.int64), games - 4, games, games - 4, one, one, one
            )
        )


def fake_config(
    name: str = "fake", search: SearchOptions | None = None, *, drafts: Sequence[int] = (1, 2, 3, 4)
) -> FakeDraftRun:
    """The configuration of such a run, by any search."""
    return FakeDraftRun.model_validate(
        {"name": name, "space": {"kind": "locm-draft"}, "search": search or RE(), "drafts": tuple(drafts)}
    )


def fake_run(*generations: Sequence[float], drafts: Sequence[int] = (1, 2, 3, 4)) -> FakeRun:
    """A run with these strengths."""
    return FakeRun(fake_config(drafts=drafts), Path("nowhere"), tuple(map(tuple, generations)))


@dataclass(frozen=True)
class FakeStudy(Study):
    """A study in which the stronger wins; where both are as strong, who moves first.

    Attributes:
        named: The strengths of the named players.
        asks: What was asked for.
    """

    named: tuple[float, ...] = ()
    asks: list[Batch] = field(default_factory=list)

    def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
        assert isinstance(players, DraftPlayers)
        assert len(players.arena.opponents) == len(self.named)
        self.asks.append(batch)
        strengths = np.array([*batch.genes[:, 0], *reversed(self.named)])  # player -1 is the last one, named first
        return np.where(strengths[batch.first] >= strengths[batch.second], batch.lengths, 0)


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
