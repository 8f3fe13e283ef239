"""Swap-out values: how much more a Hearthstone deck wins than the same deck with one of its cards replaced.

This is a comparison of decks, so it says what the card causes. Both decks play the same games: the replacement takes
the places of the card in the deck list, so it is shuffled to the same places and drawn at the same times. Games in
which the card never shows up are the same for both, which makes the interval of the difference narrow.

All copies of the card are replaced, by as many copies of one other card. Which one is drawn at random for each seed
from the *replacements*: the cards that the class can have, that are not in the deck, that may have as many copies, and
that cost the same, or nearly the same where fewer than ten cost the same. So the value is relative to an average card
of this cost, and its interval covers the choice of replacements as well as the luck of games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import DeckError
from deckatlas.games.chance import check_seed
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT
from deckatlas.games.hearthstone.cards.decks import Deck, most_copies, obstacle
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.pilots import PilotLike
from deckatlas.games.hearthstone.profiles import FAIR, Profile
from deckatlas.games.hearthstone.runner import DeckRows
from deckatlas.games.hearthstone.setting import GameNumbers, Ints, Setting, setting, strata_of
from deckatlas.games.hearthstone.setup import DeckLike, EditionLike, deck_of, deck_rows
from deckatlas.games.hearthstone.suites import Schedule, SuiteLike
from deckatlas.play.limits import thread_count
from deckatlas.play.paired import verdict_of
from deckatlas.play.runner import Progress, played_in_order
from deckatlas.shapes import nearest, show
from deckatlas.stats.averages import rates
from deckatlas.stats.differences import paired_differences
from deckatlas.stats.estimate import Estimate, Estimates

ENOUGH = 10  # replacements: with fewer of the same cost, nearby costs count too


@dataclass(frozen=True)
class SwapOuts:
    """The swap-out values of cards of one deck; arrays have one entry per card.

    Attributes:
        deck: The deck.
        edition: The edition it was played in.
        ids: The ids of the replaced cards.
        games: The number of games that the deck, and each deck with a card replaced, played.
        win_rate: How often the deck won.
        value: For each card, the deck's win rate minus the win rate with the card replaced. All intervals hold together
            in 95 % of cases.
        replacements: For each card, the ids of the cards that it could be replaced by.
    """

    deck: Deck
    edition: Edition = field(repr=False)
    ids: tuple[str, ...]
    games: int
    win_rate: Estimate
    value: Estimates
    replacements: tuple[tuple[str, ...], ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    def verdict(self, number: int) -> str:
        """`better` or `worse` than an average replacement if the interval excludes zero, otherwise `undecided`."""
        return verdict_of(self.value[number])

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per card, ready for JSON and CSV."""
        for at, card in enumerate(self.ids):
            yield {
                "card": card,
                "copies": dict(self.deck.cards)[card],
                **self.value[at].cells("swap_out", n="swap_out_games"),
                "swap_out_verdict": self.verdict(at),
            }


@checked
def swap_out(
    deck: DeckLike,
    *,
    cards: Sequence[str] | None = None,
    pilot: PilotLike = DEFAULT_PILOT,
    suite: SuiteLike = "starter",
    games: int = 200,
    seed: int = 0,
    profile: Profile | str = FAIR,
    edition: EditionLike = DEFAULT,
    hero_class: str | None = None,
    threads: int | None = None,
    time_factor: float = 1.0,
    progress: Progress | None = None,
) -> SwapOuts:
    """Measures what the cards of a deck are worth in it. The result does not depend on the number of threads.

    Args:
        deck: The deck, its name, code, text or card ids.
        cards: The cards to replace, by name or id; all cards of the deck by default. Intervals are wider the more
            cards there are.
        pilot: The pilot of the deck.
        suite: The opponents.
        games: The number of games of the deck, and of each deck with a card replaced.
        seed: Seed of the run.
        profile: How games are set up.
        edition: The edition of the cards, or its name.
        hero_class: The class of the deck; required for a list of neutral cards only.
        threads: The number of threads; by default, all available ones.
        time_factor: Multiplies the time limits of external programs.
        progress: Called with the number of finished games.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If the deck is not legal in it, or a card is not in the deck.
        MatchError: If the games cannot be played as requested.
        RunError: If there is no such suite, or its file has a mistake.
    """
    threads = thread_count(threads)
    shared = setting(pilot=pilot, suite=suite, profile=profile, edition=edition, time_factor=time_factor)
    own = deck_of(deck, shared.edition, hero_class=hero_class)
    chosen = _chosen(own, cards, shared.edition)
    course = shared.course(games, seed=seed, first_game=0)
    found, _ = swap_outs_of(own, chosen, shared, course, check_seed(seed), threads=threads, progress=progress)
    return found


def swap_outs_of(
    deck: Deck,
    chosen: tuple[str, ...],
    shared: Setting,
    course: Schedule,
    seed: int,
    *,
    threads: int,
    progress: Progress | None,
) -> tuple[SwapOuts, GameNumbers]:
    """The values of chosen cards of a deck over the games of a course, and the games of the deck itself.

    Args:
        deck: The deck.
        chosen: The ids of the cards.
        shared: How it is played.
        course: The games.
        seed: Draws the replacements.
        threads: The number of threads.
        progress: Called with the number of finished games.

    Raises:
        DeckError: If a card cannot be replaced.
    """
    rows = deck_rows([deck], shared.edition)
    possible = [replacements(deck, card, shared.edition) for card in chosen]
    played_whole = shared.play(rows, course, threads=threads, progress=progress)
    whole = played_whole.noted["won"]
    swaps = [
        swap
        for at, (card, others) in enumerate(zip(chosen, possible, strict=True))
        for swap in _swaps(at, card, others, shared.edition, course, seed)
    ]
    without = np.zeros((len(chosen), len(course)), np.int64)
    done = len(course)
    # A swap has few games, so several swaps are played at once, on one thread each.
    at_once = 1 if shared.own_pilot.is_callable else threads
    with played_in_order(lambda swap: _won_with(swap, rows, shared, course), swaps, at_once) as played:
        for swap, won in zip(swaps, played, strict=True):
            without[swap.number, swap.games] = won
            done += len(swap.games)
            if progress is not None:
                progress(done)
    strata = strata_of(course)
    found = SwapOuts(
        deck=deck,
        edition=shared.edition,
        ids=chosen,
        games=len(course),
        win_rate=rates(strata, whole)[0],
        value=paired_differences(strata, whole, without, comparisons=len(chosen)),
        replacements=tuple(tuple(other.id for other in others) for others in possible),
    )
    return found, played_whole


def replacements(deck: Deck, card: str, edition: Edition) -> tuple[Card, ...]:
    """The cards that can replace all copies of a card of a deck, in the order of the edition.

    They cost the same; if fewer than `ENOUGH` do, the allowed difference in costs grows by one until enough fit.

    Raises:
        DeckError: If no card fits.
    """
    inside, count = {each for each, _ in deck.cards}, dict(deck.cards)[card]
    fitting = [
        other
        for other in edition.cards
        if other.id not in inside and obstacle(other, deck.hero_class) is None and most_copies(other) >= count
    ]
    away = {other.id: abs(other.cost - edition.by_id[card].cost) for other in fitting}
    found: tuple[Card, ...] = ()
    for distance in range(max(away.values(), default=-1) + 1):
        found = tuple(other for other in fitting if away[other.id] <= distance)
        if len(found) >= ENOUGH:
            break
    if not found:
        raise DeckError(f"the edition has no card that could replace {edition.by_id[card].name}")
    return found


@dataclass(frozen=True)
class _Swap:
    """A card of the deck, by its number among the chosen ones, its replacement, and the games with this replacement."""

    number: int
    card: int
    other: int
    games: Ints


def _chosen(deck: Deck, cards: Sequence[str] | None, edition: Edition) -> tuple[str, ...]:
    """The ids of the cards to replace."""
    inside = tuple(card for card, _ in deck.cards)
    if cards is None:
        return inside
    names = {edition.by_id[card].name: card for card in inside}
    folded = {name.casefold(): card for name, card in names.items()}
    ids = []
    for given in cards:
        card = folded.get(given.casefold(), given) if isinstance(given, str) else None
        if card not in inside:
            raise DeckError(f"the deck has no card {show(given)}: {nearest(given, names)}")
        ids.append(card)
    return tuple(dict.fromkeys(ids))


def _swaps(
    number: int, card: str, others: Sequence[Card], edition: Edition, course: Schedule, seed: int
) -> Iterator[_Swap]:
    """Draws a replacement for each seed of the course; both games of a seed have the same one."""
    index = edition.compiled.index
    _, first, unit = np.unique(course.seed, return_index=True, return_inverse=True)
    in_order = np.argsort(np.argsort(first))  # seeds in the order of play, so that more games keep the first draws
    drawn = np.random.default_rng((seed, index[card])).integers(len(others), size=len(first))[in_order][unit]
    for at in np.unique(drawn):
        yield _Swap(number, index[card], index[others[at].id], np.flatnonzero(drawn == at))


def _won_with(swap: _Swap, rows: DeckRows, shared: Setting, course: Schedule) -> Ints:
    """Which games of a swap were won. The replacement takes the places of the card, so it is shuffled like it."""
    swapped = rows.copy()
    swapped[:, 1:][rows[:, 1:] == swap.card] = swap.other
    part = replace(
        course, opponent=course.opponent[swap.games], seat=course.seat[swap.games], seed=course.seed[swap.games]
    )
    won: Ints = shared.play(swapped, part, threads=1, progress=None).noted["won"][0]
    return won
