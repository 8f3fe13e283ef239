"""The best swaps of one and two cards of a Hearthstone deck, found by many quick games and confirmed by fresh ones."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import MatchError
from deckatlas.games.chance import check_seed
from deckatlas.games.game import ShowStage
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import EditionLike, edition_of
from deckatlas.games.hearthstone.compare import against_words, default_field, named_deck_given, side_of, weights_of
from deckatlas.games.hearthstone.improvement import Confirmed, Improvement
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame, MetagameLike, metagame_of
from deckatlas.games.hearthstone.paired_games import HearthstonePairs, HearthstoneSide, aligned, play_rounds
from deckatlas.games.hearthstone.setup import DeckLike, deck_rows
from deckatlas.games.hearthstone.swaps import Swap, SwapModel, double_swaps, random_swaps, single_swaps
from deckatlas.play.halving import Ints, successive_halving
from deckatlas.play.limits import MAX_GAMES, positive, thread_count
from deckatlas.play.paired import SEATS, check_budget, compare_sides
from deckatlas.play.runner import Progress, after
from deckatlas.search.batches import seed_of
from deckatlas.search.scripts import generator_of
from deckatlas.stats.estimate import Floats
from deckatlas.stats.sequential import ALPHA

GAMES = 40_000
CONFIRM_GAMES = 8_000
SEARCH_PILOT = "fast"

_CANDIDATES = 48  # the most swaps of one card that are played, and as many of two
_ROUNDS_EACH = 4  # so many rounds at least for each of them, on average
_FINALISTS = 3  # of each
_PARENTS = 10  # swaps of one card that swaps of two are made of
_SWAPS_AT_ONCE = 4  # in a variant that the model learns from
_VARIANTS_PER_ROUND = 8  # at least
_MODEL_ROUNDS = 60  # at most: rounds of a larger search have more variants
_LEAST_ROUNDS = 60  # of single decks, for the whole search
_PARTS = (0.3, 0.35, 0.25)  # of the search: the model, swaps of one card, swaps of two; the rest is for the deck itself


@checked
def improve(
    deck: DeckLike,
    *,
    games: int = GAMES,
    confirm_games: int = CONFIRM_GAMES,
    meta: MetagameLike | None = None,
    edition: EditionLike | None = None,
    pilot: str | None = None,
    search_pilot: str = SEARCH_PILOT,
    seed: int = 0,
    threads: int | None = None,
    store: Path | None = None,
    show: ShowStage | None = None,
) -> Improvement:
    """Finds the best swaps of one and two cards of a deck, and confirms them on fresh games.

    Args:
        deck: The deck, in any form that the command line takes.
        games: The games of the search.
        confirm_games: The fresh games of each of the best swaps, of both sides together.
        meta: The opponents, a metagame; by default the shipped one of the edition.
        edition: The edition, instead of that of the metagame.
        pilot: The agent that plays all decks on fresh games, instead of those of the metagame.
        search_pilot: The agent that plays all decks in the search.
        seed: The seed of everything random.
        threads: The number of threads; the result does not depend on it.
        store: The folder of runs, if the metagame is a run.
        show: Shows the progress of each stage.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If the deck is unknown, or not legal in the edition.
        MatchError: If there are too few games.
        RunError: If there is no such metagame.
    """
    positive("games", games, MAX_GAMES)
    positive("confirm_games", confirm_games, MAX_GAMES)
    cards = [] if edition is None else [edition_of(edition)]
    given = default_field(cards) if meta is None else meta
    chosen: Any = {"edition": cards[0] if cards else None, "store": store}
    quick, slow = (metagame_of(given, pilot=each, **chosen) for each in (search_pilot, pilot))
    name, own = named_deck_given(deck, "this deck", slow.cards)
    search = _Search(own, quick, seed_of(check_seed(seed), "search"), thread_count(threads))
    confirmation = _Confirmation(name, own, slow, seed_of(check_seed(seed), "confirmation"), thread_count(threads))
    confirmation.check_games(confirm_games)
    stages = show or _silent
    with stages("search", games, unit="games") as progress:
        found = search.best_swaps(games, progress)
    swaps = []
    with stages("fresh games", confirm_games * len(found.swaps), unit="games") as progress:
        for number, swap in enumerate(found.swaps):
            before = number * confirm_games
            swaps.append(
                confirmation.confirm(swap, confirm_games, of=len(found.swaps), progress=after(before, progress))
            )
    return Improvement(
        name=name,
        deck=own,
        edition=slow.cards,
        against=against_words(slow, "deck"),
        possible=found.possible,
        tried=found.tried,
        search_games=found.games,
        swaps=tuple(sorted(swaps, key=lambda each: -each.comparison.difference.value)),
    )


@contextmanager
def _silent(description: str, total: int, *, unit: str) -> Iterator[Callable[[int], object]]:
    yield lambda done: None


@dataclass(frozen=True)
class _Found:
    """What a search found: the best swaps, how many were possible and played, and the games it took."""

    swaps: tuple[Swap, ...]
    possible: int
    tried: tuple[int, int]
    games: int


class _Search:
    """The search for good swaps, by quick games."""

    def __init__(self, deck: Deck, field: HearthstoneMetagame, seed: int, threads: int) -> None:
        self._deck, self._cards, self._seed, self._threads = deck, field.cards, seed, threads
        self._setting = side_of(field, [deck], field.entrants[0].pilot).setting
        self._weights = weights_of(field)
        self._per_round = len(SEATS) * len(self._weights)
        self._games = 0
        self._progress: Callable[[int], object] = lambda done: None

    def best_swaps(self, games: int, progress: Callable[[int], object]) -> _Found:
        """Searches.

        Raises:
            MatchError: If there are too few games.
        """
        rounds = games // self._per_round
        if rounds < _LEAST_ROUNDS:
            raise MatchError(f"a search needs {_LEAST_ROUNDS * self._per_round:,} games or more, not {games:,}")
        self._progress = progress
        singles = single_swaps(self._deck, self._cards)
        learning, ones, twos = (int(share * rounds) for share in _PARTS)
        model = self._learned(singles, learning)
        best = self._halved(singles, model, ones, "one")
        best_doubles = self._halved(self._doubles(best), model, twos, "two")
        found = (*best[:_FINALISTS], *best_doubles[:_FINALISTS])
        return _Found(found, len(singles), (len(best), len(best_doubles)), self._games)

    def _doubles(self, best: Sequence[Swap]) -> list[Swap]:
        """Swaps of two cards, made of the best of one; of more of them, if all of these cut the same single card."""
        parents = _PARENTS
        doubles = double_swaps(best[:parents], self._deck, self._cards)
        while len(doubles) < _FINALISTS and parents < len(best):
            parents *= 2
            doubles = double_swaps(best[:parents], self._deck, self._cards)
        return doubles

    def _learned(self, singles: Sequence[Swap], budget: int) -> SwapModel:
        """The model, from decks with random swaps; each round has other ones, so that no seed counts much."""
        rng = generator_of(seed_of(self._seed, "variants"))
        rounds = min(_MODEL_ROUNDS, max(1, budget // (_VARIANTS_PER_ROUND + 1)))
        count = max(_VARIANTS_PER_ROUND, budget // rounds - 1)
        model = SwapModel(self._deck, self._cards, rounds)
        for number in range(rounds):
            drawn = [random_swaps(singles, self._deck, self._cards, rng, _SWAPS_AT_ONCE) for _ in range(count)]
            rates = self._rates(drawn, range(number, number + 1), "model")[:, 0]
            model.add([Swap((), ()), *drawn], rates * self._per_round, self._per_round, number)
        model.fit()
        return model

    def _halved(self, swaps: Sequence[Swap], model: SwapModel, budget: int, name: str) -> list[Swap]:
        """The most promising swaps by the model, the best by halving first."""
        if not swaps:
            return []
        promised = model.leads(swaps)
        count = min(_CANDIDATES, max(2 * _FINALISTS, budget // _ROUNDS_EACH))
        order = np.argsort(-promised, kind="stable")[:count]
        chosen = [swaps[at] for at in order]

        def play(candidates: Ints, rounds: range) -> Floats:
            rates = self._rates([chosen[each] for each in candidates], rounds, name)
            return np.asarray(rates[1:] - rates[0])

        halved = successive_halving(
            play, promised[order], doubt=model.doubts(chosen), finalists=_FINALISTS, budget=budget
        )
        return [chosen[each] for each in halved.order]

    def _rates(self, swaps: Sequence[Swap], rounds: range, purpose: str) -> Floats:
        """How often the deck wins, and how often it does after each swap, by round; all play the same games."""
        rows = deck_rows([self._deck, *(each.applied_to(self._deck) for each in swaps)], self._cards)
        rows = aligned(rows, to=rows[0])
        before = self._games
        won = play_rounds(
            self._setting,
            rows,
            rounds,
            seed=seed_of(self._seed, purpose),
            threads=self._threads,
            progress=lambda done: self._progress(before + done),
        )
        self._games += int(won.size)
        return np.asarray(won.mean(axis=3) @ self._weights)


@dataclass(frozen=True, eq=False)
class _Against(HearthstonePairs):
    """A swapped deck against the deck itself, whose games are played once for all swaps."""

    known: dict[range, Floats]

    def play(self, rounds: range, *, progress: Progress | None) -> Floats:
        """Plays rounds: see the base class."""
        if rounds not in self.known:
            self.known[rounds] = self.play_side(self.sides[1], self.seed, rounds, None)
        return np.array([self.play_side(self.sides[0], self.seed, rounds, progress), self.known[rounds]])


class _Confirmation:
    """Fresh games for swaps, with the pilots of the metagame."""

    def __init__(self, name: str, deck: Deck, field: HearthstoneMetagame, seed: int, threads: int) -> None:
        self._name, self._deck, self._field, self._seed, self._threads = name, deck, field, seed, threads
        self._side = side_of(field, [deck], field.entrants[0].pilot)
        self._known: dict[range, Floats] = {}

    def check_games(self, games: int) -> None:
        """Checks the number of games, before a long search.

        Raises:
            MatchError: If there are too few.
        """
        check_budget(self._pairs(self._deck), games)

    def confirm(self, swap: Swap, games: int, *, of: int, progress: Progress) -> Confirmed:
        """Compares a swapped deck with the deck; `of` swaps together err with probability `ALPHA` at most."""
        deck = swap.applied_to(self._deck)
        compared = compare_sides(self._pairs(deck), games=games, alpha=ALPHA / of, stops_early=False, progress=progress)
        return Confirmed(swap, deck, compared)

    def _pairs(self, deck: Deck) -> _Against:
        names = (f"{self._name} after the swap", self._name)
        rows = aligned(deck_rows([deck], self._field.cards), to=self._side.rows[0])
        against = against_words(self._field, "deck")
        return _Against(
            kind="deck",
            names=names,
            against=against,
            opponents=tuple(each.name for each in self._side.setting.suite.opponents),
            weights=weights_of(self._field),
            decks=(self._name,),
            claim=lambda more: f"{names[0]} wins {more} than {names[1]} against {against}",
            sides=(HearthstoneSide(rows, self._side.setting), self._side),
            seed=self._seed,
            paired=True,
            threads=self._threads,
            known=self._known,
        )
