"""What happened to the cards of Hearthstone decks, and what they are worth: as tables and as plain rows."""

import csv
import io
from collections.abc import Iterator, Sequence

from deckatlas.games.game import PlainTable
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.cards_in_games import CardsInGames
from deckatlas.games.hearthstone.evaluation import Evaluations
from deckatlas.games.hearthstone.swap_out import ENOUGH, SwapOuts
from deckatlas.games.tables import count_cell, note, short_cell, shortened, whole_cell
from deckatlas.search.card_questions import BIAS, CardRow

_NAME_WIDTH = 20
_DIGITS = 6
_TITLES = {"kept": "if kept", "drawn": "if drawn", "played": "if played"}


def card_tables(name: str, found: CardsInGames, edition: Edition) -> Iterator[str | PlainTable]:
    """How often the cards of a deck were kept, drawn and played; how often the deck won these games; and the bias."""
    cards = [edition.by_id[card] for card in found.ids]
    order = sorted(range(len(found)), key=lambda at: (cards[at].cost, cards[at].name))
    width = min(_NAME_WIDTH, 38 - 4 * len(str(found.games)))  # four columns have counts
    names = [_label(int(found.copies[at]), cards[at].name, width) for at in range(len(found))]
    counted = tuple(
        (
            names[at],
            str(found.counts["offered"][at]),
            *(count_cell(int(found.counts[event][at]), found.shares[event][at].value) for event in _TITLES),
            short_cell(found.turn_played[at]),
        )
        for at in order
    )
    won = tuple((names[at], *(whole_cell(found.win_rates[event][at]) for event in _TITLES)) for at in order)
    left = frozenset({"card"})
    yield PlainTable(
        f"Cards of {name}: games",
        f"of {found.games:,} games; kept: of those with an offer; turn: first played",
        ("card", "offered", *_TITLES, "turn"),
        left,
        (counted,),
    )
    yield PlainTable(
        f"Cards of {name}: wins %",
        "with 95 % intervals, over the numbers of games above",
        ("card", *_TITLES.values()),
        left,
        (won,),
    )
    yield note(BIAS)


def swap_out_table(name: str, found: SwapOuts) -> Iterator[str | PlainTable]:
    """What the cards of a deck are worth in it, the best first."""
    order = sorted(range(len(found)), key=lambda at: -found.value.value[at])
    copies = dict(found.deck.cards)
    rows = tuple(
        (
            _label(copies[found.ids[at]], found.edition.by_id[found.ids[at]].name, _NAME_WIDTH),
            str(found.edition.by_id[found.ids[at]].cost),
            f"{100 * found.value.value[at]:+.1f}",
            found.value[at].ends(1),
            str(len(found.replacements[at])),
            found.verdict(at),
        )
        for at in order
    )
    yield PlainTable(
        f"Swap-out values of {name}",
        f"in points of win rate; {found.games:,} games each",
        ("card", "cost", "value", "95 % for all", "others", "verdict"),
        frozenset({"card", "verdict"}),
        (rows,),
    )
    yield note(
        f"Value: the deck's win rate, {found.win_rate.text(1)}, minus its win rate with all copies of the card "
        "replaced, on the same shuffles. The replacement is drawn for each seed from the others: cards of the class or "
        f"neutral, not in the deck, of the same cost (or nearly, if fewer than {ENOUGH} cost the same). The intervals "
        "hold together in 95 % of cases."
    )


def card_rows(results: Evaluations, swaps: SwapOuts | None, number: int) -> Iterator[CardRow]:
    """One row per card of a deck: what happened to it, and its swap-out value, as far as they were measured."""
    edition = results.edition
    values = {} if swaps is None else {row["card"]: row for row in swaps.rows()}
    counted = {row["card"]: row for row in results.cards[number].rows()} if results.cards else {}
    for card, copies in results.decks[number].cards:
        about = {"card": card, "name": edition.by_id[card].name, "cost": edition.by_id[card].cost, "copies": copies}
        row = about | counted.get(card, {}) | values.get(card, {})
        yield {key: round(value, _DIGITS) if isinstance(value, float) else value for key, value in row.items()}


def cards_csv(results: Evaluations, swaps: SwapOuts | None, names: Sequence[str]) -> str:
    """The rows of all decks as CSV, each with the name of its deck."""
    rows = [
        {"deck_name": name, **row} for number, name in enumerate(names) for row in card_rows(results, swaps, number)
    ]
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def _label(copies: int, name: str, width: int) -> str:
    return shortened(f"{copies} {name}", width)
