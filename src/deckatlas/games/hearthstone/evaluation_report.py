"""Evaluations of Hearthstone decks on the command line."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckatlas.errors import DeckError
from deckatlas.games.game import DeckEvaluation, EvaluationReport, PlainTable
from deckatlas.games.hearthstone.cards.deck_files import is_deck_file, read_deck_file
from deckatlas.games.hearthstone.cards.decks import Deck, check_class
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.cards.library import deck_called
from deckatlas.games.hearthstone.cards.measures import measures
from deckatlas.games.hearthstone.evaluation import Evaluations, evaluate
from deckatlas.games.hearthstone.evaluation_tables import evaluations_csv, evaluations_json
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.story import narrate
from deckatlas.stats.estimate import Estimate

MOST_SHOWN = 50  # decks in the table on the terminal

_TITLES = {
    "win_rate": "wins %",
    "avg_health_diff": "health difference",
    "num_turns": "turns",
    "hand_size": "hand",
    "damage_done": "damage",
    "cards_drawn": "drawn",
    "mana_spent": "spent",
    "mana_wasted": "wasted",
}


@dataclass(frozen=True)
class HearthstoneEvaluation(DeckEvaluation):
    """Decks to evaluate, with their names in tables, and the options of `evaluate`."""

    named: tuple[tuple[str, Deck], ...]
    options: dict[str, Any]

    @property
    def decks(self) -> int:
        """The number of decks."""
        return len(self.named)

    def play(self, *, games: int, threads: int | None, progress: Callable[[int], object] | None) -> "HearthstoneReport":
        """Plays this number of games with each deck."""
        decks = [deck for _, deck in self.named]
        results = evaluate(decks, **self.options, games=games, threads=threads, progress=progress)
        return HearthstoneReport(results, tuple(name for name, _ in self.named))

    def story(self, game: int) -> str:
        """The story of one game of the only deck."""
        one = evaluate([self.named[0][1]], **self.options, games=1, first_game=game)
        return narrate(one.replay(0, time_factor=self.options["time_factor"]))


def decks_to_evaluate(
    given: Sequence[str], file: Path | None, cards: Edition, hero_class: str | None
) -> list[tuple[str, Deck]]:
    """The requested decks, with their names in tables.

    Raises:
        DeckError: If no decks are given, or both decks and a file, or a deck is not legal.
    """
    hero_class = None if hero_class is None else check_class(hero_class)
    if bool(given) == (file is not None):
        raise DeckError(
            "name the decks to evaluate, or give a file of them with --decks" + (", not both" if given else "")
        )
    if file is not None:
        return _numbered(read_deck_file(file, cards, hero_class=hero_class))
    decks: list[tuple[str, Deck]] = []
    for number, text in enumerate(given, start=1):
        try:
            if is_deck_file(text):
                decks += _numbered(read_deck_file(Path(text), cards, hero_class=hero_class), len(decks) + 1)
                continue
            deck = deck_of(text, cards, hero_class=hero_class)
        except DeckError as error:
            raise DeckError(f"deck {number}: {error}" if len(given) > 1 else str(error)) from None
        known = deck_called(text)
        decks.append((known.name if known else f"{len(decks) + 1} {deck.hero_class.title()}", deck))
    return decks


def _numbered(decks: Sequence[Deck], first: int = 1) -> list[tuple[str, Deck]]:
    return [(f"{number} {deck.hero_class.title()}", deck) for number, deck in enumerate(decks, start=first)]


@dataclass(frozen=True)
class HearthstoneReport(EvaluationReport):
    """The results of evaluations, and the names of the decks."""

    results: Evaluations
    names: tuple[str, ...]

    def shown(self) -> Iterator[str | PlainTable]:
        """A table with one row per opponent for a single deck, or one row per deck; then what went wrong in games."""
        results = self.results
        if len(results) == 1:
            yield self._opponents_table()
            deck = measures(results.decks[0], results.edition.by_id)
            yield (
                f"  mana {deck.deck_mana_sum} (variance {deck.deck_mana_variance:.2f}), {deck.num_minion_cards} "
                f"minions, {deck.num_spell_cards} spells, {deck.dust} dust"
            )
        else:
            yield self._decks_table()
            if len(results) > MOST_SHOWN:
                yield f"  and {len(results) - MOST_SHOWN:,} more: --csv writes all of them"
        if results.retries.any():
            yield f"  games played again because they exceeded a capacity of the core: {results.retries.sum():,}"
        if results.voids.any():
            yield f"  games that stayed void and count as not won: {results.voids.sum():,}"
        for reason, count in results.forfeits.items():
            yield f"  forfeits: {count:,} x {reason}"

    def to_csv(self) -> str:
        """One row per deck."""
        return evaluations_csv(self.results)

    def to_json(self) -> Any:
        """The rows, with averages by opponent."""
        return evaluations_json(self.results)

    @property
    def _caption(self) -> str:
        results = self.results
        games = f"{len(results.course):,} game{'' if len(results.course) == 1 else 's'}"
        games += " each" if len(results) > 1 else ""
        about = f"pilot {results.pilot}, suite {results.suite.name}, profile {results.profile.name}, {games}"
        return f"{about}; with 95 % intervals"

    def _decks_table(self) -> PlainTable:
        averages = self.results.averages
        rows = tuple(
            (name, *(_cell(averages[key][number]) for key in _TITLES))
            for number, name in enumerate(self.names[:MOST_SHOWN])
        )
        return PlainTable("evaluations", self._caption, ("deck", *_TITLES.values()), frozenset({"deck"}), (rows,))

    def _opponents_table(self) -> PlainTable:
        results = self.results
        rows = tuple(
            (
                opponent.name,
                opponent.pilot,
                f"{games:,}",
                *(_cell(results.by_opponent[key][0, number]) for key in _TITLES),
            )
            for number, (opponent, games) in enumerate(
                zip(results.suite.opponents, results.games_of_opponents, strict=True)
            )
        )
        total = ("all", "", f"{len(results.course):,}", *(_cell(results.averages[key][0]) for key in _TITLES))
        columns = ("opponent", "pilot", "games", *_TITLES.values())
        left = frozenset({"opponent", "pilot"})
        return PlainTable(self.names[0], self._caption, columns, left, (rows, (total,)))


def _cell(found: Estimate) -> str:
    """A value and its interval, as far as they are known; intervals of rates are asymmetric."""
    if not math.isfinite(found.value):
        return ""
    return found.in_percent().text(1) if found.is_share else found.plus_minus()
