"""Legends of Code and Magic for searches: genomes of draft policies, and the arena that plays what is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.agents.entrants import Battle, Entrant, EntrantLike, battle_of, entrant
from deckatlas.agents.locm_genomes import GENOME_KINDS, KINDS, card_kinds
from deckatlas.agents.players import AgentFunction
from deckatlas.cards.locm import DECK_SIZE, official_table
from deckatlas.errors import MatchError, SearchError
from deckatlas.play.match import MAX_THREADS, positive
from deckatlas.play.runner import available_threads
from deckatlas.search.locm_table import play_at_table
from deckatlas.search.protocol import Ask, Genomes, Numbers, Seeds
from deckatlas.search.spaces import GenomeSpace, make_space

Agents = tuple[core.DraftPolicy, core.BattleAgent]
_STAND_IN: Agents = (core.random_draft(), core.pass_agent())  # hold the place of those who play elsewhere


def priorities(low: float = 0.0, high: float = 1.0, *, integer: bool = False) -> GenomeSpace:
    """160 priorities: of the three cards offered, the one with the highest is picked."""
    return make_space("priorities", [(low, high)] * 160, integer=integer)


def attributes(low: int = -10, high: int = 10) -> GenomeSpace:
    """Nine integer weights: attack, defence, cost, and the six keywords."""
    return make_space("attributes", [(low, high)] * 9, integer=True)


def attribute_pattern(low: int = -10, high: int = 10, *, most_wanted: int = 10) -> GenomeSpace:
    """How many cards of each cost are wanted (1, 2, ..., 6, 7 or more), then nine integer weights."""
    return make_space("attribute-pattern", [(0, most_wanted)] * 7 + [(low, high)] * 9, integer=True)


def curve() -> GenomeSpace:
    """What a card and a curve are worth in each seat: see the kind `curve` of `deckatlas.agents.locm_genomes`."""
    of_seat = [(-1.0, 1.0)] * 160 + [(-0.1, 0.1)] * KINDS + [(0.0, 30.0)] * KINDS
    return make_space("curve", of_seat * 2, integer=False)


def active_cards(draft_seed: int, format: str) -> npt.NDArray[np.bool_]:
    """For each card, in the order of the ids, whether the draft of this seed shows it."""
    shown = np.zeros(160, dtype=np.bool_)
    offers = core.draft_offers(np.array([draft_seed], dtype=np.uint64), format=format)
    shown[offers.ravel() - 1] = True
    return shown


@dataclass(frozen=True)
class Arena:
    """Where genomes meet each other and the opponents.

    Games with an opponent or a pilot who does not live in the core are played at the table.

    Attributes:
        space: What the genomes are.
        pilot: The battle agent that plays every genome's deck.
        opponents: Opponent k is entrant -1 - k of an ask.
        format: Draft format.
        threads: How many threads; the result does not depend on it.
    """

    space: GenomeSpace
    pilot: core.BattleAgent | AgentFunction
    opponents: tuple[Entrant, ...]
    format: str
    threads: int

    def active_genes(self, draft_seed: int) -> npt.NDArray[np.bool_]:
        """Which genes have a say in the draft of a seed: the priorities of the cards it shows, or all weights."""
        if self.space.kind == "priorities":
            return active_cards(draft_seed, self.format)
        return np.ones(self.space.genes, dtype=np.bool_)

    @property
    def card_kinds(self) -> npt.NDArray[np.float64]:
        """The kinds that a curve bends by: the seven costs, and items."""
        return card_kinds()

    def decks(self, genomes: Genomes, rows: Numbers, draft_seeds: Seeds, *, seat: int) -> npt.NDArray[np.uint8]:
        """For each draft, the cards that the genome of its row picks in this seat, by id."""
        decks = np.empty((len(rows), DECK_SIZE), dtype=np.uint8)
        for row in np.unique(rows):
            of_row = rows == row
            decks[of_row] = core.draft_decks(
                official_table(), self._policy(genomes[row]), draft_seeds[of_row], seat=seat, format=self.format
            )
        return decks

    def _policy(self, genome: npt.NDArray[np.float64]) -> core.DraftPolicy:
        return GENOME_KINDS[self.space.kind].policy(genome, genome)

    def play(self, ask: Ask, *, progress: Callable[[int], object] | None = None) -> npt.NDArray[np.int32]:
        """Plays all matchups of an ask; returns how many games the first player of each won.

        Raises:
            SearchError: If a matchup names a genome that is not there, or somebody forfeits a game.
            MatchError: If it names an opponent or a course that is not there.
        """
        for numbers in (ask.first, ask.second):
            if numbers.max() >= len(ask.genomes):
                raise SearchError(f"there is no genome {numbers.max()} among {len(ask.genomes)}")
        at_table = self._is_outside(ask.first) | self._is_outside(ask.second)
        if not at_table.any():
            return self._play_in_core(ask, progress)
        wins = np.zeros(len(ask.first), dtype=np.int32)
        in_core = _only(ask, ~at_table)
        if len(in_core.first) > 0:
            wins[~at_table] = self._play_in_core(in_core, progress)
        wins[at_table] = play_at_table(
            _only(ask, at_table),
            entrants=lambda number: self._entrant(ask.genomes, number),
            format=self.format,
            threads=self.threads,
            progress=None if progress is None else lambda done: progress(in_core.games + done),
        )
        return wins

    def _is_outside(self, numbers: Numbers) -> npt.NDArray[np.bool_]:
        """Whether those of these numbers play outside the core."""
        opponents = [-1 - number for number, each in enumerate(self.opponents) if each.agents_of_core() is None]
        return np.isin(numbers, opponents) | ((numbers >= 0) & (not isinstance(self.pilot, core.BattleAgent)))

    def _entrant(self, genomes: Genomes, number: int) -> Entrant:
        if number >= 0:
            return Entrant(f"genome {number}", self._policy(genomes[number]), self.pilot)
        if -number > len(self.opponents):
            raise MatchError(f"there is no opponent {-1 - number} among {len(self.opponents)}")
        return self.opponents[-1 - number]

    def _play_in_core(self, ask: Ask, progress: Callable[[int], object] | None) -> npt.NDArray[np.int32]:
        opponents = [each.agents_of_core() or _STAND_IN for each in self.opponents]
        pilot = self.pilot if isinstance(self.pilot, core.BattleAgent) else _STAND_IN[1]
        drafts = [self._policy(genome) for genome in ask.genomes] + [draft for draft, _ in opponents]
        battles = [pilot] * len(ask.genomes) + [battle for _, battle in opponents]

        def entrants(numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
            return np.where(numbers >= 0, numbers, len(ask.genomes) - 1 - numbers).astype(np.int32)

        results = core.play_courses(
            official_table(),
            drafts,
            battles,
            first=entrants(ask.first),
            second=entrants(ask.second),
            course=ask.course,
            starts=np.cumsum([0, *(len(course) for course in ask.courses)], dtype=np.int64),
            draft_seeds=np.concatenate([course.draft_seeds for course in ask.courses]),
            game_seeds=np.concatenate([course.game_seeds for course in ask.courses]),
            format=self.format,
            threads=self.threads,
            progress=progress,
        )
        return results.wins


def _only(ask: Ask, chosen: npt.NDArray[np.bool_]) -> Ask:
    """Some of the matchups of an ask."""
    return replace(ask, first=ask.first[chosen], second=ask.second[chosen], course=ask.course[chosen])


def opponent_in_core(description: EntrantLike) -> Agents:
    """Somebody whom solutions can meet inside the core.

    Raises:
        AgentError: If an agent is unknown.
        SearchError: If it does not live in the core, where the games are played.
    """
    found = entrant(description)
    in_core = found.agents_of_core()
    if in_core is None:
        raise SearchError(f"{found.name!r} cannot be the opponent of a search: it does not play inside the core")
    return in_core


def make_arena(
    space: GenomeSpace,
    *,
    pilot: Battle = "random",
    opponents: Sequence[EntrantLike] = (),
    format: str = "referee",
    threads: int | None = None,
) -> Arena:
    """An arena from its agents, by name or, for opponents as for the pilot, as callables.

    Raises:
        AgentError: If an agent is unknown.
    """
    count = available_threads() if threads is None else positive("threads", threads, MAX_THREADS)
    return Arena(space, battle_of(pilot), tuple(entrant(each) for each in opponents), format, count)
