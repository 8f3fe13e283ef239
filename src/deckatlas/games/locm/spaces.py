"""The spaces of Legends of Code and Magic: decks, and draft policies as genomes."""

from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.errors import MatchError, SearchError
from deckatlas.games.locm.cards import DECK_SIZE, KEYWORDS, TYPES, Card, cards, check_deck
from deckatlas.games.locm.editions import DEFAULT, Edition, EditionLike, edition_of
from deckatlas.games.locm.genomes import GENOME_KINDS, KINDS, card_kinds
from deckatlas.games.locm.state import FORMATS
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.search.batches import Numbers, Seeds
from deckatlas.search.deck_space import Counts, DeckColumn, DeckSpace
from deckatlas.search.evaluation import Floats, Solution
from deckatlas.search.protocol import Genomes
from deckatlas.search.spaces import GenomeSpace, make_space
from deckatlas.shapes import nearest, show

MOST_COPIES = 3  # most drafted decks have this many copies of their most common card
DRAFTS = 100
MUTATION = 0.05
START_DRAFTS = 1000  # in which a known policy shows how often it picks each card
_MEASURES_KEPT = 4096

KEYWORD_NAMES = ("breakthrough", "charge", "drain", "guard", "lethal", "ward")


def priorities(low: float = 0.0, high: float = 1.0, *, integer: bool = False) -> GenomeSpace:
    """160 priorities: of the three cards offered, the policy picks the one with the highest priority."""
    return make_space("priorities", [(low, high)] * 160, integer=integer)


def attributes(low: int = -10, high: int = 10, *, integer: bool = True) -> GenomeSpace:
    """Nine weights: attack, defence, cost, and the six keywords."""
    return make_space("attributes", [(low, high)] * 9, integer=integer)


def attribute_pattern(low: int = -10, high: int = 10, *, most_wanted: int = 10) -> GenomeSpace:
    """How many cards of each cost are wanted (1, 2, ..., 6, 7 or more), then nine integer weights."""
    return make_space("attribute-pattern", [(0, most_wanted)] * 7 + [(low, high)] * 9, integer=True)


def curve() -> GenomeSpace:
    """Values of cards and of a curve in each seat: see the kind `curve` of `deckatlas.games.locm.genomes`."""
    of_seat = [(-1.0, 1.0)] * 160 + [(-0.1, 0.1)] * KINDS + [(0.0, 30.0)] * KINDS
    return make_space("curve", of_seat * 2, integer=False)


@cache
def _columns(cards: tuple[Card, ...]) -> dict[str, DeckColumn]:
    costs = np.array([card.cost for card in cards], np.int64)

    def counted(*are: bool) -> DeckColumn:
        return DeckColumn(np.array(are, np.int64))

    return {
        "deck_mana_sum": DeckColumn(costs),
        "deck_mana_mean": DeckColumn(costs, "mean"),
        "deck_mana_variance": DeckColumn(costs, "variance"),
        **{f"num_{kind}_cards": counted(*(card.type == kind for card in cards)) for kind in TYPES},
        "num_item_cards": counted(*(card.type != "creature" for card in cards)),
        **{
            f"num_{name}_cards": counted(*(letter in card.keywords for card in cards))
            for letter, name in zip(KEYWORDS, KEYWORD_NAMES, strict=True)
        },
    }


class LocmDecks(DeckSpace[int]):
    """Decks of any of the 160 cards, with a limit of copies.

    The game itself sets no limit: a draft may offer one card thirty times. The columns are `deck_mana_sum`, `_mean` and
    `_variance` of the cards' costs, and the numbers of cards of each type (`num_creature_cards`, `num_green_cards`,
    `num_red_cards`, `num_blue_cards`, and `num_item_cards` for the last three together) and with each keyword
    (`num_guard_cards`, ...; including items that give or remove it).
    """

    def __init__(self, *, most_copies: int = MOST_COPIES, edition: EditionLike = DEFAULT) -> None:
        """Takes the most copies of a card in a deck, and the edition of the cards.

        Raises:
            CardError: If there is no such edition.
            MatchError: If that is not a number from 1 to 30.
        """
        most = positive("most_copies", most_copies, DECK_SIZE)
        numbers = ("attack", "defense", "player_health", "enemy_health", "draw")
        cards = edition_of(edition).cards
        super().__init__(
            range(1, len(cards) + 1),
            [most] * len(cards),
            size=DECK_SIZE,
            columns=_columns(cards),
            attributes={name: [getattr(card, name) for card in cards] for name in numbers},
        )

    def policy(self, solution: Solution) -> core.DraftPolicy:
        """The policy that has the deck already and makes no picks."""
        return core.fixed_deck(check_deck(self.cards(solution)))


class LocmDrafts:
    """Draft policies as genomes, described by the decks they draft.

    The columns are those of decks, averaged over the decks that the policy picks in fixed drafts, moving first and
    moving second. A mutation draws each gene again with a small probability, and always at least one.
    """

    def __init__(
        self,
        genomes: GenomeSpace,
        *,
        format: str = "referee",
        drafts: int = DRAFTS,
        mutation: float = MUTATION,
        edition: EditionLike = DEFAULT,
    ) -> None:
        """Takes the genomes of the policies and how to measure them.

        Args:
            genomes: The space of genomes, such as `priorities()`.
            format: The draft format.
            drafts: The number of drafts that the columns are averaged over.
            mutation: The probability that a gene is drawn again.
            edition: The edition of the cards.

        Raises:
            CardError: If there is no such edition.
            MatchError: If there is no such format, or the number of drafts is not valid.
            SearchError: If the genomes are not draft policies, or the probability is not valid.
        """
        if genomes.kind not in GENOME_KINDS:
            raise SearchError(f"unknown kind of genomes {show(genomes.kind)}: {nearest(genomes.kind, GENOME_KINDS)}")
        if not 0 <= mutation <= 1:
            raise SearchError(f"the probability of a mutation is between 0 and 1, not {show(mutation)}", "mutation")
        self.genomes = genomes
        self.format = check_format(format)
        self.mutation = mutation
        self._seeds = np.arange(positive("drafts", drafts, MAX_GAMES), dtype=np.uint64)
        self.edition = edition_of(edition)
        self._decks = LocmDecks(most_copies=DECK_SIZE, edition=self.edition)
        # Cached: a search and its store both need the measures, and two hundred drafts take as long as many games.
        self._measures = lru_cache(_MEASURES_KEPT)(self._make_measures)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Genes are floats, even those with whole numbers."""
        return np.dtype(np.float64)

    @property
    def length(self) -> int:
        """How many genes a policy has."""
        return self.genomes.genes

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of the decks that a policy drafts."""
        return self._decks.columns

    def random(self, rng: np.random.Generator) -> Floats:
        """A policy with every gene drawn uniformly from its range."""
        genome: Floats = self.genomes.random(rng, 1)[0]
        return genome

    def mutate(self, solution: Solution, rng: np.random.Generator) -> Floats:
        """The policy with some genes drawn again; at least one."""
        drawn = rng.random(self.length) < self.mutation
        drawn[rng.integers(self.length)] = True
        return np.where(drawn, self.random(rng), solution)

    def policy(self, solution: Solution) -> core.DraftPolicy:
        """The policy of the genes."""
        return GENOME_KINDS[self.genomes.kind].policy(solution, solution)

    def drafted(self, solution: Solution) -> npt.NDArray[np.uint8]:
        """The decks behind the columns, as card ids: first those of all drafts moving first, then moving second."""
        return _decks_of_seats(self.edition, self.policy(solution), self._seeds, self.format)

    def nearest(self, policy: core.DraftPolicy) -> Floats:
        """The priorities nearest to any policy: its pick rates, from the lowest priority to the highest.

        Raises:
            SearchError: If the genomes are not priorities.
        """
        space = self.genomes
        if space.kind != "priorities":
            raise SearchError(
                f"a known policy can become a genome of the kind priorities, but not of the kind {space.kind}"
            )
        rates = pick_rates(self.edition, policy, drafts=START_DRAFTS, format=self.format)
        genes = space.low + rates * (space.high - space.low)
        return np.asarray(np.round(genes) if space.integer else genes)

    def measures(self, solutions: npt.NDArray[Any]) -> Floats:
        """The columns of policies: one row per policy."""
        rows = [self._measures(np.asarray(solution, np.float64).tobytes()) for solution in solutions]
        return np.array(rows).reshape(-1, len(self.columns))

    def _make_measures(self, genes: bytes) -> Floats:
        drafted = self.drafted(np.frombuffer(genes, np.float64))
        averages: Floats = self._decks.measures(_counts(drafted)).mean(axis=0)
        return averages

    # For evolutions

    def active_genes(self, draft_seed: int) -> npt.NDArray[np.bool_]:
        """Which genes matter in the draft of a seed: the priorities of the cards it shows, or all weights."""
        if self.genomes.kind == "priorities":
            return active_cards(draft_seed, self.format)
        return np.ones(self.length, dtype=np.bool_)

    @property
    def card_kinds(self) -> npt.NDArray[np.float64]:
        """The kinds of cards that a curve counts: the seven costs, and items."""
        return card_kinds(self.edition.cards)

    def decks(self, genomes: Genomes, rows: Numbers, draft_seeds: Seeds, *, seat: int) -> npt.NDArray[np.uint8]:
        """For each draft, the cards that the genome of its row picks in this seat, by id."""
        decks = np.empty((len(rows), DECK_SIZE), dtype=np.uint8)
        for row in np.unique(rows):
            of_row = rows == row
            decks[of_row] = core.draft_decks(
                self.edition.table, self.policy(genomes[row]), draft_seeds[of_row], seat=seat, format=self.format
            )
        return decks


def active_cards(draft_seed: int, format: str) -> npt.NDArray[np.bool_]:
    """For each card, in the order of the ids, whether the draft of this seed shows it."""
    shown = np.zeros(160, dtype=np.bool_)
    offers = core.draft_offers(np.array([draft_seed], dtype=np.uint64), format=format)
    shown[offers.ravel() - 1] = True
    return shown


def pick_rates(edition: Edition, policy: core.DraftPolicy, *, drafts: int, format: str) -> Floats:
    """For each card, the share of its offers in which a policy picks it, over fixed drafts, moving first and second."""
    seeds = np.arange(drafts, dtype=np.uint64)
    offers = 2 * _occurrences(core.draft_offers(seeds, format=format))
    return np.asarray(_occurrences(_decks_of_seats(edition, policy, seeds, format)) / np.maximum(offers, 1))


def _decks_of_seats(edition: Edition, policy: core.DraftPolicy, seeds: Seeds, format: str) -> npt.NDArray[np.uint8]:
    """The decks of a policy as card ids: first those of all drafts moving first, then moving second."""
    return np.concatenate([core.draft_decks(edition.table, policy, seeds, seat=seat, format=format) for seat in (0, 1)])


def _occurrences(ids: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """How often each card occurs."""
    return np.bincount(ids.ravel(), minlength=len(cards()) + 1)[1:]


def _counts(decks: npt.NDArray[np.uint8]) -> Counts:
    """Converts decks from card ids to counts."""
    counts = np.zeros((len(decks), len(cards())), np.uint8)
    np.add.at(counts, (np.arange(len(decks))[:, np.newaxis], decks.astype(np.int64) - 1), 1)
    return counts


def check_format(format: str) -> str:
    """Returns a draft format.

    Raises:
        MatchError: If it is not a draft format.
    """
    if format not in FORMATS:
        raise MatchError(f"unknown draft format {show(format)}: use {' or '.join(FORMATS)}")
    return format
