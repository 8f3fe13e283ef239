"""Draft policies of Legends of Code and Magic as genomes: plain numbers that a search can change, and files of them.

| kind | genes |
|---|---|
| `priorities` | 160: the priority of each card; the highest offered is picked |
| `attributes` | 9: weights of attack, defence, cost, Breakthrough, Charge, Drain, Guard, Lethal, Ward |
| `curve` | 2 x (160 + 8 + 8): for each seat the value of each card, then bends and usual numbers of its kinds |
| `attribute-pattern` | 7 + 9: cards wanted of cost 0 or 1, 2, ..., 6, 7 or more; the nine weights |

The kinds of a curve are the seven costs (as in a pattern) and items. With n cards of a kind a deck is worth n times n
times its bend more; how many it will have is guessed from the usual number.

A policy file is JSON: `{"kind": ..., "genome": [...]}`, or `"first"` and `"second"` with a genome for each seat.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.agents.spec import nearest
from deckatlas.cards.locm import KEYWORDS, cards
from deckatlas.errors import AgentError

Genome = npt.NDArray[np.float64]
COSTS = 7
KINDS = COSTS + 1
CURVE = 160 + 2 * KINDS  # genes of a seat
ATTRIBUTES = ("attack", "defense", "cost", "Breakthrough", "Charge", "Drain", "Guard", "Lethal", "Ward")


@cache
def card_attributes() -> npt.NDArray[np.float64]:
    """A row a card: attack, defence, cost, and for each keyword in the order BCDGLW whether the card has it."""
    return np.array(
        [
            [card.attack, card.defense, card.cost, *(float(letter in card.keywords) for letter in KEYWORDS)]
            for card in cards()
        ],
        dtype=np.float64,
    )


@cache
def card_kinds() -> npt.NDArray[np.float64]:
    """A row a card, a column a kind of a curve: whether the card is of it."""
    kinds = np.zeros((len(cards()), KINDS))
    for row, card in enumerate(cards()):
        kinds[row, min(max(card.cost, 1), COSTS) - 1] = 1
        kinds[row, COSTS] = card.type != "creature"
    return kinds


def _priorities(first: Genome, second: Genome) -> core.DraftPolicy:
    if np.array_equal(first, second):
        return core.ranking_draft(np.ascontiguousarray(first))
    return core.seat_ranking_draft(np.array([[first, first], [second, second]]))


def _attributes(first: Genome, second: Genome) -> core.DraftPolicy:
    return _priorities(card_attributes() @ first, card_attributes() @ second)


def _attribute_pattern(first: Genome, second: Genome) -> core.DraftPolicy:
    if not all(np.array_equal(genome[:COSTS], np.round(genome[:COSTS])) for genome in (first, second)):
        raise AgentError("a deck can have 0 to 30 cards of a cost, not parts of one")
    scores = np.array([card_attributes() @ genome[COSTS:] for genome in (first, second)])
    return core.pattern_draft(scores, np.array([first[:COSTS], second[:COSTS]], dtype=np.int32))


def _curve(first: Genome, second: Genome) -> core.DraftPolicy:
    seats = np.array([first[:CURVE], second[CURVE:]])
    return core.curve_draft(*map(np.ascontiguousarray, np.split(seats, (160, 160 + KINDS), axis=1)))


@dataclass(frozen=True)
class GenomeKind:
    """What the genes of a kind mean: how many there are, and the policy of a genome for each seat."""

    genes: int
    policy: Callable[[Genome, Genome], core.DraftPolicy]


GENOME_KINDS = {
    "priorities": GenomeKind(160, _priorities),
    "attributes": GenomeKind(9, _attributes),
    "curve": GenomeKind(2 * CURVE, _curve),
    "attribute-pattern": GenomeKind(COSTS + 9, _attribute_pattern),
}


def genome_in_words(kind: str, genome: Genome) -> list[str]:
    """What a genome wants, a line each; of priorities, the ten highest."""
    if kind == "priorities":
        best = np.argsort(-genome, kind="stable")[:10]
        return [f"{genome[card]:7.4g}  {cards()[card]}" for card in best]
    weights = ", ".join(
        f"{name} {weight:+g}" for name, weight in zip(ATTRIBUTES, genome[-len(ATTRIBUTES) :], strict=True)
    )
    if kind == "attribute-pattern":
        costs = ("0 or 1", *map(str, range(2, COSTS)), f"{COSTS} or more")
        wanted = ", ".join(f"{number:g} of cost {cost}" for number, cost in zip(genome[:COSTS], costs, strict=True))
        return [f"wanted: {wanted}", f"weights: {weights}"]
    return [f"weights: {weights}"]


def read_policy(path: Path) -> core.DraftPolicy:
    """The draft policy in a file.

    Raises:
        AgentError: If the file holds none.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise AgentError(f"cannot read the draft policy {str(path)!r}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise AgentError(f"{str(path)!r} is not a draft policy: it is not JSON") from None
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
        raise AgentError(f"{where} has a number beyond all bounds") from None
    if not np.all(np.isfinite(genome)):
        raise AgentError(f"{where} has a number that is not finite")
    return genome


def write_policy(path: Path, kind: str, first: Genome, second: Genome | None = None) -> None:
    """Writes a policy file: one genome for both seats, or one for each.

    Raises:
        AgentError: If the file cannot be written.
    """
    content: dict[str, object] = {"kind": kind}
    content |= {"genome": first.tolist()} if second is None else {"first": first.tolist(), "second": second.tolist()}
    try:
        path.write_text(json.dumps(content) + "\n", encoding="utf-8")
    except OSError as error:
        raise AgentError(f"cannot write {str(path)!r}: {error.strerror}") from None
