"""Draft policies of Legends of Code and Magic as genomes, which a search can change, and policy files.

| kind | genes |
|---|---|
| `priorities` | 160: the priority of each card; the offered card with the highest priority is picked |
| `attributes` | 9: weights of attack, defence, cost, Breakthrough, Charge, Drain, Guard, Lethal, Ward |
| `attribute-pattern` | 7 + 9: wanted number of cards of cost 0 or 1, 2, ..., 6, 7 or more; the nine weights |
| `curve` | 2 x (160 + 8 + 8): for each seat the value of each card, then bends and usual numbers of its kinds |

The kinds of a curve are the seven costs (as in a pattern) and items. With n cards of a kind, a deck is worth n times n
times the kind's bend more. The usual number helps to predict how many cards of a kind the deck will have.

A policy file is JSON: `{"kind": ..., "genome": [...]}`, or `"first"` and `"second"` with one genome per seat.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas._core import numeric
from deckatlas.errors import AgentError
from deckatlas.files.plain_data import read_json
from deckatlas.files.writing import write_text
from deckatlas.games.locm.cards import KEYWORDS, Card, cards
from deckatlas.shapes import nearest

Genome = npt.NDArray[np.float64]
COSTS = 7
KINDS = COSTS + 1
CURVE = 160 + 2 * KINDS  # genes per seat
KIND_NAMES = ("of cost 0 or 1", *(f"of cost {cost}" for cost in range(2, COSTS)), f"of cost {COSTS} or more", "items")
ATTRIBUTES = ("attack", "defense", "cost", "Breakthrough", "Charge", "Drain", "Guard", "Lethal", "Ward")


@cache
def card_attributes() -> npt.NDArray[np.float64]:
    """One row per card: attack, defence, cost, and whether the card has each keyword, in the order BCDGLW."""
    return np.array(
        [
            [card.attack, card.defense, card.cost, *(float(letter in card.keywords) for letter in KEYWORDS)]
            for card in cards()
        ],
        dtype=np.float64,
    )


@cache
def card_kinds(cards: tuple[Card, ...]) -> npt.NDArray[np.float64]:
    """Whether a card belongs to a kind of a curve: one row per card, one column per kind."""
    kinds = np.zeros((len(cards), KINDS))
    for row, card in enumerate(cards):
        kinds[row, min(max(card.cost, 1), COSTS) - 1] = 1
        kinds[row, COSTS] = card.type != "creature"
    return kinds


def _priorities(first: Genome, second: Genome) -> core.DraftPolicy:
    if np.array_equal(first, second):
        return core.ranking_draft(np.ascontiguousarray(first))
    return core.seat_ranking_draft(np.array([[first, first], [second, second]]))


def _weighed_cards(weights: Genome) -> Genome:
    """The score of each card: its attributes times the weights, with the same bits on every machine."""
    return numeric.row_products(card_attributes(), np.ascontiguousarray(weights))


def _attributes(first: Genome, second: Genome) -> core.DraftPolicy:
    return _priorities(_weighed_cards(first), _weighed_cards(second))


def _attribute_pattern(first: Genome, second: Genome) -> core.DraftPolicy:
    if not all(np.array_equal(genome[:COSTS], np.round(genome[:COSTS])) for genome in (first, second)):
        raise AgentError("the wanted number of cards of a cost must be a whole number from 0 to 30")
    scores = np.array([_weighed_cards(genome[COSTS:]) for genome in (first, second)])
    return core.pattern_draft(scores, np.array([first[:COSTS], second[:COSTS]], dtype=np.int32))


def _curve(first: Genome, second: Genome) -> core.DraftPolicy:
    seats = np.array([first[:CURVE], second[CURVE:]])
    return core.curve_draft(*map(np.ascontiguousarray, np.split(seats, (160, 160 + KINDS), axis=1)))


def _best_cards(scores: Genome) -> list[str]:
    best = np.argsort(-scores, kind="stable")[:10]
    return [f"{scores[card]:7.4g}  {cards()[card]}" for card in best]


def _weights_in_words(genome: Genome) -> list[str]:
    weights = [f"{name} {weight:+g}" for name, weight in zip(ATTRIBUTES, genome, strict=True)]
    return [f"weights: {', '.join(weights)}"]


def _kinds_in_words(numbers: Genome) -> str:
    return ", ".join(f"{number:.3g} {kind}" for number, kind in zip(numbers, KIND_NAMES, strict=False))


def _pattern_in_words(genome: Genome) -> list[str]:
    return [f"wanted: {_kinds_in_words(genome[:COSTS])}", *_weights_in_words(genome[COSTS:])]


def _curve_in_words(genome: Genome) -> list[str]:
    lines = []
    for seat, genes in zip(("first", "second"), np.split(genome, 2), strict=True):
        values, bends, usual = np.split(genes, (160, 160 + KINDS))
        lines += [
            f"moving {seat}, points that a card adds to the chance to win, in percent:",
            *_best_cards(100 * values),
            f"usual deck: {_kinds_in_words(usual)}",
            f"bends, in points: {_kinds_in_words(100 * bends)}",
        ]
    return lines


@dataclass(frozen=True)
class GenomeKind:
    """What the genes of a kind mean.

    Attributes:
        genes: The number of genes.
        policy: The draft policy from one genome per seat.
        in_words: A genome's preferences as lines of text; where cards have scores, the ten highest.
        as_curve: The genome of kind `curve` that drafts the same way, if there is one.
    """

    genes: int
    policy: Callable[[Genome, Genome], core.DraftPolicy]
    in_words: Callable[[Genome], list[str]]
    as_curve: Callable[[Genome], Genome] | None


def _ranking_as_curve(scores: Genome) -> Genome:
    return np.tile(np.concatenate([scores, np.zeros(2 * KINDS)]), 2)


GENOME_KINDS = {
    "priorities": GenomeKind(160, _priorities, _best_cards, _ranking_as_curve),
    "attributes": GenomeKind(
        9, _attributes, _weights_in_words, lambda weights: _ranking_as_curve(_weighed_cards(weights))
    ),
    "attribute-pattern": GenomeKind(COSTS + 9, _attribute_pattern, _pattern_in_words, None),
    "curve": GenomeKind(2 * CURVE, _curve, _curve_in_words, lambda genome: genome),
}


def read_policy(path: Path) -> core.DraftPolicy:
    """The draft policy in a file.

    Raises:
        AgentError: If the file does not contain a policy.
    """
    content = read_json(path, error=AgentError, what="the draft policy ")
    if not isinstance(content, dict) or not isinstance(content.get("kind"), str):
        raise AgentError(f'{str(path)!r} is not a draft policy: it has no "kind"')
    kind = GENOME_KINDS.get(content["kind"])
    if kind is None:
        raise AgentError(
            f"{str(path)!r}: unknown kind {content['kind'][:60]!r}: {nearest(content['kind'], GENOME_KINDS)}"
        )
    seats = ("genome", "genome") if "genome" in content else ("first", "second")
    return kind.policy(*(_checked(content.get(seat), kind.genes, f"{str(path)!r}: {seat!r}") for seat in seats))


def _checked(values: object, genes: int, where: str) -> Genome:
    numbers = isinstance(values, list) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    if not isinstance(values, list) or not numbers or len(values) != genes:
        raise AgentError(f"{where} must be {genes} numbers")
    try:
        genome = np.array(values, dtype=np.float64)
    except OverflowError:
        raise AgentError(f"{where} has a number that is too large") from None
    if not np.all(np.isfinite(genome)):
        raise AgentError(f"{where} has a number that is not finite")
    return genome


def policy_text(kind: str, first: Genome, second: Genome | None = None) -> str:
    """The contents of a policy file: one genome for both seats, or one for each."""
    content: dict[str, object] = {"kind": kind}
    content |= {"genome": first.tolist()} if second is None else {"first": first.tolist(), "second": second.tolist()}
    return json.dumps(content) + "\n"


def write_policy(path: Path, kind: str, first: Genome, second: Genome | None = None) -> None:
    """Writes a policy file: one genome for both seats, or one for each.

    Raises:
        AgentError: If the file cannot be written.
    """
    write_text(path, policy_text(kind, first, second), error=AgentError)
