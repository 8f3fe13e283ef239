"""Evaluations of Hearthstone decks as plain rows and as JSON."""

import csv
import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.deck_codes import deck_code
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.cards.measures import measures
from deckatlas.games.hearthstone.evaluation import Evaluations
from deckatlas.games.hearthstone.setting import AVERAGES
from deckatlas.stats.estimate import Estimate

_DIGITS = 6

EvaluationRow = dict[str, Any]


def evaluation_rows(results: Evaluations) -> Iterator[EvaluationRow]:
    """One row per deck, in order: averages, each with the ends of its interval, and measures of the deck.

    Unknown values are None.
    """
    for number, deck in enumerate(results.decks):
        yield {
            "class": deck.hero_class,
            "strategy": results.pilot,
            "suite": results.suite.name,
            "deck": " ".join(deck.copies),
            "games": len(results.course),
            "wins": int(results.wins[number]),
            **_averages(results, number),
            "sd_health_diff": _number(results.sd_health_diff[number]),
            "retries": int(results.retries[number]),
            "void": int(results.voids[number]),
            **_with_ends("fitness", results.fitness[number]),
            **asdict(measures(deck, results.edition.by_id)),
            "deck_code": _code(deck, results.edition),
            "profile": results.profile.name,
            "edition": results.edition.name,
            "seed": results.seed,
        }


def evaluations_csv(results: Evaluations) -> str:
    """The rows as CSV."""
    buffer = io.StringIO()
    rows = list(evaluation_rows(results))
    writer = csv.DictWriter(buffer, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def evaluations_json(results: Evaluations) -> dict[str, Any]:
    """How decks were evaluated, and for each deck its row, its averages by opponent and its card plays."""
    opponents = [
        {"deck": each.name, "pilot": each.pilot, "portion": each.portion, "games": int(games)}
        for each, games in zip(results.suite.opponents, results.games_of_opponents, strict=True)
    ]
    return {
        "pilot": results.pilot,
        "suite": {"name": results.suite.name, "opponents": opponents},
        "profile": asdict(results.profile),
        "edition": results.edition.name,
        "seed": results.seed,
        "forfeits": dict(results.forfeits),
        "decks": [
            {
                **row,
                "by_opponent": [_opponent_averages(results, number, i) for i in range(len(opponents))],
                "plays": results.plays_of(number),
            }
            for number, row in enumerate(evaluation_rows(results))
        ],
    }


def _code(deck: Deck, edition: Edition) -> str | None:
    """The deck's code; None if it has a custom card without a dbf id."""
    try:
        return deck_code(deck, edition.by_id)
    except DeckError:
        return None


def _averages(results: Evaluations, number: int) -> EvaluationRow:
    return _merged(_with_ends(name, results.averages[name][number]) for name in AVERAGES)


def _opponent_averages(results: Evaluations, number: int, opponent: int) -> EvaluationRow:
    return _merged(_with_ends(name, results.by_opponent[name][number, opponent]) for name in AVERAGES)


def _merged(rows: Iterable[EvaluationRow]) -> EvaluationRow:
    return {key: value for row in rows for key, value in row.items()}


def _with_ends(name: str, found: Estimate) -> EvaluationRow:
    return {key: _number(value) for key, value in found.cells(name).items()}


def _number(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(float(value), _DIGITS)
