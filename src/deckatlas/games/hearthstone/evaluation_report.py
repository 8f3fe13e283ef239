"""Evaluations of Hearthstone decks on the command line."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckatlas.errors import DeckError, MatchError
from deckatlas.games.game import DeckEvaluation, EvaluationReport, PlainTable
from deckatlas.games.hearthstone.card_tables import card_rows, card_tables, cards_csv, swap_out_table
from deckatlas.games.hearthstone.cards.deck_files import is_deck_file, read_deck_file
from deckatlas.games.hearthstone.cards.decks import Deck, check_class
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.cards.library import deck_called, deck_label
from deckatlas.games.hearthstone.cards.measures import measures
from deckatlas.games.hearthstone.evaluation import Evaluations, evaluate
from deckatlas.games.hearthstone.evaluation_tables import evaluations_csv, evaluations_json
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.story import narrate
from deckatlas.games.hearthstone.suites import SUITES
from deckatlas.games.hearthstone.swap_out import SwapOuts, swap_out
from deckatlas.games.tables import note, short_cell, shortened
from deckatlas.stats.estimate import Estimate

MOST_SHOWN = 50  # decks in the table on the terminal
_SATURATED = 0.9  # opponents that surely lose more than this tell nothing

_FIRST_SEARCHED = 16  # games that are played to find one with a given outcome; twice as many each time
_OUTCOMES = {"lost": 0, "won": 1}  # as games note them
_NAME_WIDTH = 22
_PILOT_WIDTH = 24
_TITLES = {
    "avg_health_diff": "health",
    "num_turns": "turns",
    "hand_size": "hand",
    "damage_done": "damage",
    "cards_drawn": "drawn",
    "mana_spent": "spent",
    "mana_wasted": "wasted",
}
_OF_GAMES = ("avg_health_diff", "num_turns")
_OF_TURNS = tuple(key for key in _TITLES if key not in _OF_GAMES)


@dataclass(frozen=True)
class HearthstoneEvaluation(DeckEvaluation):
    """Decks to evaluate, with their names in tables, and the options of `evaluate`.

    Attributes:
        named: The decks with their names.
        options: The options that all evaluations share.
        cards: Whether to report what happened to each card.
        swap_out: Whether to measure what each card of the only deck is worth.
    """

    named: tuple[tuple[str, Deck], ...]
    options: dict[str, Any]
    cards: bool = False
    swap_out: bool = False

    def __post_init__(self) -> None:
        if self.swap_out and len(self.named) > 1:
            raise MatchError(f"--swap-out measures the cards of one deck, not of {len(self.named)}")

    @property
    def decks(self) -> int:
        """The number of decks."""
        return len(self.named)

    def total_games(self, games: int) -> int:
        """The number of all games that `play` plays."""
        swapped = 1 + len(self.named[0][1].cards) if self.swap_out else 0
        return (self.decks + swapped) * games

    def play(self, *, games: int, threads: int | None, progress: Callable[[int], object] | None) -> "HearthstoneReport":
        """Plays this number of games with each deck."""
        decks = [deck for _, deck in self.named]
        shared = {**self.options, "games": games, "threads": threads}
        results = evaluate(decks, **shared, cards=self.cards, progress=progress)
        names = tuple(name for name, _ in self.named)
        if not self.swap_out:
            return HearthstoneReport(results, names)
        more = None if progress is None else lambda done: progress(len(results.course) + done)
        return HearthstoneReport(results, names, swap_out(decks[0], **shared, progress=more))

    def story(self, game: int) -> str:
        """The story of one game of the only deck."""
        name, deck = self.named[0]
        one = evaluate([deck], **self.options, games=1, first_game=game)
        record = one.replay(0, time_factor=self.options["time_factor"])
        seat = int(one.course.seat[0])
        opponent = one.suite.opponents[one.course.opponent[0]].name
        ending = "nobody won" if record.winner is None else f"{name} {'won' if record.winner == seat else 'lost'}"
        heading = f"Game {game} of the evaluation, seed {one.seed}: {ending}."
        return f"{heading}\n{narrate(record, decks=(opponent, name) if seat else (name, opponent))}"

    def first_game(self, outcome: str, *, games: int, threads: int | None) -> int | None:
        """The number of the first game of the only deck with an outcome."""
        start, count = 0, _FIRST_SEARCHED
        while start < games:
            part = min(count, games - start)
            some = evaluate(
                [self.named[0][1]], **self.options, games=part, first_game=start, threads=threads, keep_games=True
            )
            assert some.games is not None
            found = (some.games.outcome[0] == _OUTCOMES[outcome]).nonzero()[0]
            if len(found):
                return start + int(found[0])
            start, count = start + part, 2 * count
        return None


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
        return _named(_numbered(read_deck_file(file, cards, hero_class=hero_class)))
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
        decks.append((known.name, deck) if known else _numbered([deck], len(decks) + 1)[0])
    return _named(decks)


def _named(decks: list[tuple[str, Deck]]) -> list[tuple[str, Deck]]:
    """The decks; a single one needs no number."""
    return [(deck_label(deck), deck) for _, deck in decks] if len(decks) == 1 else decks


def _numbered(decks: Sequence[Deck], first: int = 1) -> list[tuple[str, Deck]]:
    return [(f"{number} {deck.hero_class.title()}", deck) for number, deck in enumerate(decks, start=first)]


@dataclass(frozen=True)
class HearthstoneReport(EvaluationReport):
    """The results of evaluations, the names of the decks, and the swap-out values if they were measured."""

    results: Evaluations
    names: tuple[str, ...]
    swap_outs: SwapOuts | None = None

    def shown(self) -> Iterator[str | PlainTable]:
        """Tables with one row per opponent for a single deck, or one row per deck; what went wrong; cards."""
        results = self.results
        if len(results) == 1:
            yield from self._opponents_tables()
            yield note(self._conditions)
            deck = measures(results.decks[0], results.edition.by_id)
            yield (
                f"  mana {deck.deck_mana_sum} (variance {deck.deck_mana_variance:.2f}), {deck.num_minion_cards} "
                f"minions, {deck.num_spell_cards} spells, {deck.dust} dust"
            )
        else:
            yield from self._decks_tables()
            yield note(self._conditions)
            if len(results) > MOST_SHOWN:
                yield f"  and {len(results) - MOST_SHOWN:,} more: --csv writes all of them"
        if results.averages["win_rate"].low.min() > _SATURATED and results.suite.name in SUITES:
            yield "  These opponents are too weak to tell good decks apart: --suite field-2018 has lists of people."
        if results.retries.any():
            yield f"  games played again because they exceeded a capacity of the core: {results.retries.sum():,}"
        if results.voids.any():
            yield f"  games that stayed void and count as not won: {results.voids.sum():,}"
        for reason, count in results.forfeits.items():
            yield f"  forfeits: {count:,} x {reason}"
        for name, cards in zip(self.names[:MOST_SHOWN], results.cards, strict=False):
            yield from card_tables(name, cards, results.edition)
        if self.swap_outs is not None:
            yield from swap_out_table(self.names[0], self.swap_outs)

    def to_csv(self) -> str:
        """One row per deck."""
        return evaluations_csv(self.results)

    def cards_csv(self) -> str:
        """One row per deck and card."""
        return cards_csv(self.results, self.swap_outs, self.names)

    def to_json(self) -> Any:
        """The rows, with averages by opponent, and the cards if they were asked for."""
        data = evaluations_json(self.results)
        if self.results.cards or self.swap_outs is not None:
            for number, deck in enumerate(data["decks"]):
                deck["cards"] = list(card_rows(self.results, self.swap_outs, number))
        return data

    @property
    def _conditions(self) -> str:
        results = self.results
        games = f"{len(results.course):,} game{'' if len(results.course) == 1 else 's'}"
        games += " each" if len(results) > 1 else ""
        about = f"pilot {results.pilot}, suite {results.suite.name}, profile {results.profile.name}, {games}"
        return f"{about}; with 95 % intervals"

    def _decks_tables(self) -> Iterator[PlainTable]:
        averages = self.results.averages
        names = [shortened(name, _NAME_WIDTH) for name in self.names[:MOST_SHOWN]]
        won = tuple(
            (name, _rate_cell(averages["win_rate"][i]), *(short_cell(averages[key][i], 2) for key in _OF_GAMES))
            for i, name in enumerate(names)
        )
        per_turn = tuple((name, *(_tight_cell(averages[key][i]) for key in _OF_TURNS)) for i, name in enumerate(names))
        left = frozenset({"deck"})
        yield PlainTable("evaluations", "", ("deck", "wins %", "health difference", "turns"), left, (won,))
        titles = (_TITLES[key] for key in _OF_TURNS)
        yield PlainTable("per turn", "of the deck's player", ("deck", *titles), left, (per_turn,))

    def _opponents_tables(self) -> Iterator[PlainTable]:
        results = self.results
        opponents = results.suite.opponents
        names = [shortened(each.name, _NAME_WIDTH) for each in opponents]
        won = tuple(
            (
                names[i],
                shortened(opponent.pilot, _PILOT_WIDTH),
                f"{games:,}",
                _rate_cell(results.by_opponent["win_rate"][0, i]),
            )
            for i, (opponent, games) in enumerate(zip(opponents, results.games_of_opponents, strict=True))
        )
        total = ("all", "", f"{len(results.course):,}", _rate_cell(results.averages["win_rate"][0]))
        columns, left = ("opponent", "pilot", "games", "wins %"), frozenset({"opponent", "pilot"})
        yield PlainTable(self.names[0], "", columns, left, (won, (total,)))
        averages = tuple(
            (name, *(_number(results.by_opponent[key][0, i].value) for key in _TITLES)) for i, name in enumerate(names)
        )
        ends = (
            ("all", *(_number(results.averages[key][0].value) for key in _TITLES)),
            ("±", *(_number(results.averages[key][0].half_width) for key in _TITLES)),
        )
        yield PlainTable(
            "averages",
            "health: own minus the opponent's; from hand on: per turn",
            ("opponent", *_TITLES.values()),
            left,
            (averages, ends),
        )


def _rate_cell(found: Estimate) -> str:
    """A rate and its interval, which is asymmetric, in percent."""
    return found.in_percent().text(1) if math.isfinite(found.value) else ""


def _tight_cell(found: Estimate) -> str:
    """A value and half of its interval's length without spaces: five of them fit a line."""
    return short_cell(found, 2).replace(" ", "")


def _number(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) else ""
