"""Pick and inclusion rates of Legends of Code and Magic: what a draft policy picks, and how its decks do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.arguments import checked
from deckatlas.errors import MatchError
from deckatlas.games.game import Listing, PlainTable
from deckatlas.games.locm.cards import Card
from deckatlas.games.locm.editions import DEFAULT, Edition, EditionLike, edition_of
from deckatlas.games.locm.entrants import Entrant, EntrantLike, piloted
from deckatlas.games.locm.find import cards_listing, find_cards
from deckatlas.games.locm.match import play
from deckatlas.games.tables import note
from deckatlas.play.limits import positive
from deckatlas.stats.averages import Strata, ratio_errors
from deckatlas.stats.estimate import Estimate, Estimates, Floats, Ints
from deckatlas.stats.rates import wilson

GAMES = 2000
MOST_GAMES = 100_000
BIAS = (
    "won: of decks with the card. That is not what the card adds: the policy takes it only from some offers, and what "
    "else such a deck has is no accident. A patch or another policy, played on the same seeds, shows what a card adds."
)

_FEW = 10  # with fewer seeds, their spread says little

Counts = npt.NDArray[np.int16]


@dataclass(frozen=True)
class CardRates:
    """How often an entrant picks each card, and how often its decks with the card win; card i is at index i - 1.

    Attributes:
        name: The entrant.
        against: Its opponents.
        games: The number of games, and of drafts.
        edition: The edition of the cards.
        offers: How often each card was offered.
        picked: The share of its offers in which it was picked; n is the number of offers.
        included: The share of decks with at least one copy.
        copies: The mean number of copies in a deck.
        won: The share of games that decks with the card won; n is the number of these games. The selection of decks
            makes it a description, not an effect of the card.
        overall: The share of all games that the entrant won.
    """

    name: str
    against: tuple[str, ...]
    games: int
    edition: Edition
    offers: Ints
    picked: Estimates
    included: Estimates
    copies: Floats
    won: Estimates
    overall: Estimate

    def row(self, card: int) -> dict[str, Any]:
        """The rates of a card, given by its id, as plain data; None where nothing is known."""
        at, found = card - 1, self.edition.cards[card - 1]
        return {
            "id": found.id,
            "name": found.name,
            "type": found.type,
            "cost": found.cost,
            **_cells(self.picked[at], "picked", "offers"),
            **_cells(self.included[at], "included", "decks"),
            "copies": float(self.copies[at]),
            **_cells(self.won[at], "won", "games"),
        }

    def order(self) -> list[int]:
        """The ids of all cards, those in most decks first."""
        return [int(at) + 1 for at in np.lexsort((-self.copies, -self.included.value))]

    def to_json(self, cards: Iterable[int] | None = None) -> dict[str, Any]:
        """Everything as plain data, for some cards or for all."""
        return {
            "entrant": self.name,
            "against": list(self.against),
            "games": self.games,
            "edition": self.edition.name,
            **self.overall.cells("won"),
            "bias": BIAS,
            "cards": [self.row(card) for card in (self.order() if cards is None else cards)],
        }


@checked
def card_rates(
    policy: EntrantLike,
    *,
    against: Sequence[EntrantLike] | str = (),
    games: int = GAMES,
    seed: int = 0,
    format: str = "referee",
    edition: EditionLike = DEFAULT,
    threads: int | None = None,
) -> CardRates:
    """Plays a draft policy with its battle agent, and counts what it picks and how its decks do.

    Intervals count seeds, not games: the two games of a seed show the same offers.

    Args:
        policy: The entrant, such as "icebox/greedy"; a draft policy alone is played by "greedy".
        against: Its opponents, which take equal parts of the games; by default the entrant itself.
        games: The number of games; each is one draft of the entrant. Seats are swapped.
        seed: The seed of the games.
        format: The draft format, "referee" or "distinct".
        edition: The edition of the cards: "1.2", a TOML file with a patch, or an `Edition`.
        threads: The number of threads; the result does not depend on it.

    Raises:
        AgentError: If an entrant is unknown.
        CardError: If there is no such edition.
        MatchError: If the policy does not draft inside the core, or a number is impossible.
    """
    drafter, cards = piloted(policy), edition_of(edition)
    opponents = [piloted(each) for each in ([against] if isinstance(against, str) else against)] or [drafter]
    each = positive("games", games, MOST_GAMES, least=2 * len(opponents)) // len(opponents)
    draft = _draft_of(drafter)
    parts = []
    for number, opponent in enumerate(opponents):
        match_seed = core.game_seed(seed, number, False) if number else seed
        setup: dict[str, Any] = {"format": format, "edition": cards, "threads": threads}
        match = play(drafter, opponent, games=each, seed=match_seed, **setup)
        parts.append((match["seed"], match["first"], match["winner"] == 0))
    seeds, seats, won = (np.concatenate(column) for column in zip(*parts, strict=True))
    strata = Strata(np.repeat(np.arange(len(opponents)), each), np.tile(np.arange(each) // 2, len(opponents)))
    offers = _counts(core.draft_offers(seeds, format=format))
    picks = _counts(_decks(cards, draft, seeds, seats, format))
    has = picks > 0
    every = np.ones((1, len(won)), np.int16)
    return CardRates(
        name=drafter.name,
        against=tuple(opponent.name for opponent in opponents),
        games=len(won),
        edition=cards,
        offers=offers.sum(axis=1, dtype=np.int64),
        picked=_shares(strata, picks, offers),
        included=_shares(strata, has, np.broadcast_to(every, has.shape)),
        copies=picks.mean(axis=1),
        won=_shares(strata, has & won, has),
        overall=_shares(strata, won[np.newaxis], every)[0],
    )


def cards_or_rates(
    words: Sequence[str], *, rates: str | None = None, edition: str | None = None, **options: Any
) -> Listing:
    """The cards that `find_cards` finds: their numbers, or, for an entrant `rates`, how often it picks them.

    Raises:
        DeckatlasError: If an option is wrong, or belongs to rates and there are none: see `find_cards`, `card_rates`.
    """
    given = {name: value for name, value in options.items() if value is not None}
    played = {name: given.pop(name) for name in ("against", "games", "seed", "format") if name in given}
    cards = edition_of(DEFAULT if edition is None else edition)
    if rates is not None:
        return _rates_listing(find_cards(words, edition=cards, **given), rates, edition=cards, **played)
    if played:
        raise MatchError(f"--{min(played)} needs --rates: add it")
    return cards_listing(words, edition=cards, **given)


def _rates_listing(cards: Sequence[Card], policy: str, **options: Any) -> Listing:
    rates = card_rates(policy, **options)
    chosen = {card.id for card in cards}
    shown = [card for card in rates.order() if card in chosen]
    rows = tuple(_table_row(rates, card) for card in shown)
    columns = ("id", "card", "offers", "picked %", "in deck %", "copies", "won %")
    title = f"{rates.name} against {', '.join(rates.against)}: {rates.games:,} drafts and games"
    table = PlainTable(title, "95 % intervals, over seeds", columns, frozenset({"card"}), (rows,))
    return Listing((table, f"all games: won {rates.overall.text(1)}", note(BIAS)), rates.to_json(shown))


def _table_row(rates: CardRates, card: int) -> tuple[str, ...]:
    at = card - 1
    shares = ((rates.picked, 1), (rates.included, 1), (rates.won, 0))
    picked, included, won = (each[at].plus_minus(digits) if each.n[at] else "" for each, digits in shares)
    name = rates.edition.cards[at].name
    return str(card), name, f"{rates.offers[at]:,}", picked, included, f"{rates.copies[at]:.2f}", won


def _cells(estimate: Estimate, name: str, n: str) -> dict[str, Any]:
    cells = estimate.cells(name, n=n)
    return cells if estimate.n else cells | {name: None}


def _draft_of(drafter: Entrant) -> core.DraftPolicy:
    if drafter.command is not None or not isinstance(drafter.draft, core.DraftPolicy):
        raise MatchError(f"{drafter.name!r} has no card rates: it does not draft inside the core")
    return drafter.draft


def _decks(
    cards: Edition, draft: core.DraftPolicy, seeds: npt.NDArray[np.uint64], seats: npt.NDArray[np.uint8], format: str
) -> npt.NDArray[np.uint8]:
    """The cards that the policy picked in each game; its seat is 0 where entrant 0 moved first."""
    decks = np.empty((len(seeds), 30), np.uint8)
    for seat in (0, 1):
        of_seat = seats == seat
        chosen = np.ascontiguousarray(seeds[of_seat])
        decks[of_seat] = core.draft_decks(cards.table, draft, chosen, seat=seat, format=format)
    return decks


def _counts(cards: npt.NDArray[np.uint8]) -> Counts:
    """For each card and each game, how often it occurs; `cards` has one row of card ids per game."""
    counts = np.zeros((160, len(cards)), np.int16)
    rows = cards.reshape(len(cards), -1).astype(np.int64) - 1
    np.add.at(counts, (rows, np.arange(len(cards))[:, np.newaxis]), 1)
    return counts


def _shares(strata: Strata, part: npt.NDArray[Any], whole: npt.NDArray[Any]) -> Estimates:
    """For each card, a share over all games, with Wilson's interval for as many independent cases as the seeds show.

    Seeds whose cases agree count as fewer cases. Where all cases agree, or seeds are few, each seed counts as one.
    """
    value, error = ratio_errors(strata, part, whole)
    cases = whole.sum(axis=1, dtype=np.int64)
    seeds = (strata.by_unit(whole) > 0).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        independent = np.where((error > 0) & (seeds >= _FEW), value * (1 - value) / error**2, seeds)
    low, high = wilson(np.nan_to_num(value), np.maximum(np.minimum(independent, cases), 1))
    unknown = np.where(cases > 0, 0.0, np.nan)
    return Estimates(value, error, low + unknown, high + unknown, cases, is_share=True)
