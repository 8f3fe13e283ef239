"""Maps of Legends of Code and Magic: decks, or draft policies by the decks they draft, and the evaluator of both."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.errors import MatchError, SearchError
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.arena import opponent_in_core
from deckatlas.games.locm.cards import DECK_SIZE, KEYWORDS, TYPES, cards, check_deck, official_table
from deckatlas.games.locm.entrants import EntrantLike
from deckatlas.games.locm.genomes import GENOME_KINDS
from deckatlas.games.locm.state import FORMATS, check_seed
from deckatlas.play.match import MAX_GAMES, positive
from deckatlas.search.deck_space import Column, Counts, DeckSpace
from deckatlas.search.evaluation import Floats, Outcome, Solution, Stop, Stopped
from deckatlas.search.spaces import GenomeSpace
from deckatlas.shapes import nearest, show
from deckatlas.stats.averages import Sample, Strata, rate_errors, ratio_errors

MOST_COPIES = 3  # what most drafted decks have of their commonest card
DRAFTS = 100
MUTATION = 0.05

KEYWORD_NAMES = ("breakthrough", "charge", "drain", "guard", "lethal", "ward")


@cache
def _columns() -> dict[str, Column]:
    costs = np.array([card.cost for card in cards()], np.int64)

    def counted(*are: bool) -> Column:
        return Column(np.array(are, np.int64))

    return {
        "deck_mana_sum": Column(costs),
        "deck_mana_mean": Column(costs, "mean"),
        "deck_mana_variance": Column(costs, "variance"),
        **{f"num_{kind}_cards": counted(*(card.type == kind for card in cards())) for kind in TYPES},
        "num_item_cards": counted(*(card.type != "creature" for card in cards())),
        **{
            f"num_{name}_cards": counted(*(letter in card.keywords for card in cards()))
            for letter, name in zip(KEYWORDS, KEYWORD_NAMES, strict=True)
        },
    }


class LocmDecks(DeckSpace[int]):
    """Decks of any of the 160 cards, up to a number of copies of each.

    The game itself sets no limit: a draft may offer one card thirty times. The columns are `deck_mana_sum`, `_mean` and
    `_variance` of the cards' costs, and the numbers of cards of each type (`num_creature_cards`, `num_green_cards`,
    `num_red_cards`, `num_blue_cards`, and `num_item_cards` for the last three together) and with each keyword
    (`num_guard_cards`, ...; items that give or take one included).
    """

    def __init__(self, *, most_copies: int = MOST_COPIES) -> None:
        """Takes how many copies of a card a deck may have.

        Raises:
            MatchError: If that is no number from 1 to 30.
        """
        most = positive("most_copies", most_copies, DECK_SIZE)
        super().__init__(range(1, len(cards()) + 1), [most] * len(cards()), size=DECK_SIZE, columns=_columns())

    def policy(self, solution: Solution) -> core.DraftPolicy:
        """Who brings the deck and makes no picks."""
        return core.fixed_deck(check_deck(self.cards(solution)))


class LocmDrafts:
    """Draft policies as genomes, known by the decks they draft; a `Space` of maps.

    The columns are those of decks, averaged over the decks that the policy picks in fixed drafts, moving first and
    moving second. A mutation draws each gene anew with a small chance, and one in any case.
    """

    def __init__(
        self, genomes: GenomeSpace, *, format: str = "referee", drafts: int = DRAFTS, mutation: float = MUTATION
    ) -> None:
        """Takes what the policies are made of and how they are known.

        Args:
            genomes: Such as `priorities()` of `deckatlas.games.locm.arena`.
            format: Draft format.
            drafts: How many drafts the columns are averages over.
            mutation: The chance of each gene to be drawn anew.

        Raises:
            MatchError: If there is no such format, or the number of drafts is none.
            SearchError: If the genomes are no draft policies, or the chance is none.
        """
        if genomes.kind not in GENOME_KINDS:
            raise SearchError(f"unknown kind of genomes {show(genomes.kind)}: {nearest(genomes.kind, GENOME_KINDS)}")
        if not 0 <= mutation <= 1:
            raise SearchError(f"the chance of a mutation is between 0 and 1, not {show(mutation)}", "mutation")
        self.genomes = genomes
        self.format = check_format(format)
        self.mutation = mutation
        self._seeds = np.arange(positive("drafts", drafts, MAX_GAMES), dtype=np.uint64)
        self._decks = LocmDecks(most_copies=DECK_SIZE)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Genes are floats, whole ones too."""
        return np.dtype(np.float64)

    @property
    def length(self) -> int:
        """How many genes a policy has."""
        return self.genomes.genes

    @property
    def columns(self) -> tuple[str, ...]:
        """What is known of the decks that a policy drafts, by name."""
        return self._decks.columns

    def random(self, rng: np.random.Generator) -> Floats:
        """A policy with every gene drawn evenly from its range."""
        genome: Floats = self.genomes.random(rng, 1)[0]
        return genome

    def mutate(self, solution: Solution, rng: np.random.Generator) -> Floats:
        """The policy with some genes drawn anew; at least one."""
        drawn = rng.random(self.length) < self.mutation
        drawn[rng.integers(self.length)] = True
        return np.where(drawn, self.random(rng), solution)

    def policy(self, solution: Solution) -> core.DraftPolicy:
        """Who picks as the genes say."""
        return GENOME_KINDS[self.genomes.kind].policy(solution, solution)

    def drafted(self, solution: Solution) -> npt.NDArray[np.uint8]:
        """The decks that the columns are of, by card ids: those of all drafts moving first, then moving second."""
        policy = self.policy(solution)
        of_seats = [
            core.draft_decks(official_table(), policy, self._seeds, seat=seat, format=self.format) for seat in (0, 1)
        ]
        return np.concatenate(of_seats)

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """The columns of policies: a row a policy."""
        rows = [self._decks.measures(_counts(self.drafted(solution))).mean(axis=0) for solution in solutions]
        return np.array(rows).reshape(-1, len(self.columns))


def _counts(decks: npt.NDArray[np.uint8]) -> Counts:
    """Decks given by the ids of their cards, as counts."""
    counts = np.zeros((len(decks), len(cards())), np.uint8)
    np.add.at(counts, (np.arange(len(decks))[:, np.newaxis], decks.astype(np.int64) - 1), 1)
    return counts


def check_format(format: str) -> str:
    """A draft format.

    Raises:
        MatchError: If it is none.
    """
    if format not in FORMATS:
        raise MatchError(f"unknown draft format {show(format)}: use {' or '.join(FORMATS)}")
    return format


class MakesPolicies(Protocol):
    """A space whose solutions come by a deck in some way."""

    def policy(self, solution: Solution) -> core.DraftPolicy:
        """How the solution comes by its deck."""
        ...


class LocmEvaluator:
    """Plays solutions against opponents in turn; each seed is played twice, with seats swapped.

    Columns: `win_rate`; `avg_health_diff`, the own health minus the opponent's when games ended; `num_turns`; and over
    the own turns `cards_played` and `mana_spent`.
    """

    columns = ("win_rate", "avg_health_diff", "num_turns", "cards_played", "mana_spent")

    def __init__(
        self, space: MakesPolicies, *, pilot: str, opponents: Sequence[EntrantLike], format: str = "referee"
    ) -> None:
        """Makes everything ready but the solution.

        Args:
            space: What the solutions are.
            pilot: The battle agent that plays them, such as "greedy".
            opponents: Whom they meet: entrants that draft, such as "icebox/greedy", or that bring a deck, made by
                `deckatlas.games.locm.entrants.entrant_with_deck`.
            format: The format of drafts.

        Raises:
            AgentError: If an agent is unknown.
            MatchError: If there is no such format, or no opponent.
            SearchError: If an opponent does not live in the core.
        """
        self.space = space
        self.format = check_format(format)
        self._pilot = battle_agent(pilot)
        self._opponents = tuple(opponent_in_core(each) for each in opponents)
        if not self._opponents:
            raise MatchError("there is no opponent to meet")

    def evaluate(self, solution: Solution, *, seed: int, first_game: int, games: int, stop: Stop) -> Outcome:
        """Plays games `first_game` and on of a seed's; the same every time, on however many threads.

        Opponents take turns. The solution is in no seed, so that all solutions meet the same drafts and shuffles.

        Raises:
            MatchError: If there are no such games.
            StateError: If the seed is none.
            Stopped: If `stop` says so, which is asked about ten times a second.
        """
        games = positive("games", games, MAX_GAMES)
        first_game = positive("first_game", first_game, MAX_GAMES) if first_game else 0
        matches = list(self._matches(self.space.policy(solution), check_seed(seed), first_game, games, stop))
        played = {name: np.concatenate([each[name] for each in matches]) for name in matches[0]}
        strata = self._strata(first_game, games)

        half_turns = played["turns"].astype(np.int64)
        game, own_turns = np.ones_like(half_turns), (half_turns + (played["first"] == 0)) // 2
        numbers = np.array(
            [
                played["health"][:, 0] - played["health"][:, 1],
                (half_turns + 1) // 2,
                played["cards_played"][:, 0],
                played["mana_spent"][:, 0],
            ]
        )
        over = np.array([game, game, own_turns, own_turns])
        won, won_error = rate_errors(strata, (played["winner"] == 0)[np.newaxis])
        value, error = ratio_errors(strata, numbers, over)
        return Outcome(
            games=games,
            value=np.append(won, value),
            error=np.append(won_error, error),
            weight=np.append(float(games), over.sum(axis=1)),
        )

    def sample(self, *, first_game: int, games: int) -> Sample:
        """What the averages of such an evaluation rest on; see the protocol."""
        return self._strata(first_game, games).sample

    def _matches(
        self, policy: core.DraftPolicy, seed: int, first_game: int, games: int, stop: Stop
    ) -> Iterator[dict[str, npt.NDArray[Any]]]:
        """The games with each opponent that is met."""

        def give_up(_: int) -> None:
            if stop():
                raise Stopped

        for number, meetings in self._meetings(first_game, games):
            yield core.play_match(
                official_table(),
                policy,
                self._pilot,
                *self._opponents[number],
                first_game=meetings.start,
                games=len(meetings),
                seed=core.game_seed(seed, number, False),
                format=self.format,
                swap_seats=True,
                threads=1,
                progress=give_up,
            )

    def _meetings(self, first_game: int, games: int) -> Iterator[tuple[int, range]]:
        """The opponents that are met in games, and the numbers that these games have among all with each."""
        count = len(self._opponents)
        for number in range(count):
            met = range(first_game + (number - first_game) % count, first_game + games, count)
            if met:
                yield number, range(met.start // count, met.start // count + len(met))

    def _strata(self, first_game: int, games: int) -> Strata:
        """Games with an opponent are a stratum, the two of one seed a unit."""
        meetings = [np.array(met) for _, met in self._meetings(first_game, games)]
        stratum = np.repeat(np.arange(len(meetings)), [len(met) for met in meetings])
        return Strata(stratum, np.concatenate(meetings) // 2)
