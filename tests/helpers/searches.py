"""Searches without games: outcomes made up from the genomes, and all that a search asked for and reached."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.search.batches import Batch, Course, Numbers, Seeds
from deckatlas.search.protocol import Generation, Genomes
from deckatlas.search.scripts import Script
from deckatlas.search.spaces import GenomeSpace, make_space

Arena = Callable[[Batch], Numbers]


@dataclass(frozen=True)
class Played:
    """What a whole search was: its asks with the wins told, and its generations."""

    asks: list[Batch]
    wins: list[Numbers]
    generations: list[Generation]

    @property
    def games(self) -> int:
        return sum(ask.games for ask in self.asks)


def small_space(genes: int = 12, *, integer: bool = False) -> GenomeSpace:
    return make_space("numbers", [(0, 9 if integer else 1)] * genes, integer=integer)


class NoWorld:
    """A world of which a search is told nothing."""

    @property
    def card_kinds(self) -> npt.NDArray[np.float64]:
        raise AssertionError("this search has no use for cards")

    def active_genes(self, draft_seed: int) -> npt.NDArray[np.bool_]:
        raise AssertionError("this search has no use for active genes")

    def decks(self, genomes: Genomes, rows: Numbers, draft_seeds: Seeds, *, seat: int) -> npt.NDArray[np.uint8]:
        raise AssertionError("this search has no use for decks")


class HalfActive(NoWorld):
    """A world in which a draft activates six of twelve genes."""

    def active_genes(self, draft_seed: int) -> npt.NDArray[np.bool_]:
        return half_active(draft_seed)


def half_active(draft_seed: int) -> npt.NDArray[np.bool_]:
    """Which six of twelve genes a draft activates."""
    active = np.zeros(12, dtype=np.bool_)
    active[np.random.default_rng(draft_seed).permutation(12)[:6]] = True
    return active


def stronger_wins(ask: Batch) -> Numbers:
    """The genome with the greater sum wins every game; of equal ones, whoever moves first."""
    strength = ask.genes.sum(axis=1)
    return np.where(strength[ask.first] >= strength[ask.second], ask.lengths, 0).astype(np.int32)


def right_order(genomes: Genomes) -> npt.NDArray[np.float64]:
    """For each genome the share of pairs of genes in which the later is the greater: a half for random genomes."""
    one, other = np.triu_indices(genomes.shape[1], 1)
    return np.asarray((genomes[:, one] < genomes[:, other]).mean(axis=1))


def better_order_wins_more(seed: int) -> Arena:
    """The better a genome's order beside the other's, the more games it wins; only the order counts, as in drafts."""
    rng = np.random.default_rng(seed)

    def play(ask: Batch) -> Numbers:
        strength = 5 * right_order(ask.genes)
        chance = 1 / (1 + np.exp(strength[ask.second] - strength[ask.first]))
        return rng.binomial(ask.lengths, chance).astype(np.int32)

    return play


def play_through(search: Script, arena: Arena) -> Played:
    played = Played([], [], [] if search.initial is None else [search.initial])
    while (ask := search.ask()) is not None:
        assert search.ask() is None, "it is not told yet"
        wins = arena(ask)
        played.asks.append(ask)
        played.wins.append(wins)
        if (generation := search.tell_wins(wins)) is not None:
            played.generations.append(generation)
    assert search.is_over
    assert played.games == search.games
    return played


def courses_of(ask: Batch) -> list[Course]:
    """The games of matchups, which have seeds of their own."""
    courses = [course for course in ask.courses if isinstance(course, Course)]
    assert len(courses) == len(ask.courses)
    return courses


def same_asks(one: Played, other: Played) -> bool:
    def arrays(ask: Batch) -> list[npt.NDArray[Any]]:
        seeds = [seeds for course in courses_of(ask) for seeds in (course.draft_seeds, course.game_seeds)]
        return [ask.genes, ask.first, ask.second, ask.course, *seeds]

    def equal(a: Batch, b: Batch) -> bool:
        return len(a.courses) == len(b.courses) and all(map(np.array_equal, arrays(a), arrays(b)))

    return len(one.asks) == len(other.asks) and all(map(equal, one.asks, other.asks))
