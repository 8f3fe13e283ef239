"""What the commands `decks`, `deck` and `cards` say of Hearthstone; tables and texts fit 80 columns."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from deckatlas.games.game import Listing, PlainTable
from deckatlas.games.hearthstone.cards.codes import CardType
from deckatlas.games.hearthstone.cards.deck_files import decks_given, is_deck_file
from deckatlas.games.hearthstone.cards.deck_sheet import LAST_OF_CURVE, DeckSheet, card_facts, deck_sheet, legality
from deckatlas.games.hearthstone.cards.decks import check_class
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, EditionLike, edition_of
from deckatlas.games.hearthstone.cards.find import find_cards
from deckatlas.games.hearthstone.cards.library import NamedDeck, deck_called, library
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.cards.texts import text_of

WIDTH = 80
_TEXT_WIDTH = 38


def decks_listing(*, hero_class: str | None = None, edition: EditionLike | None = None) -> Listing:
    """The decks that have a name, in the order of classes and names.

    Args:
        hero_class: The class of the decks; all by default.
        edition: The edition in which they are said to be legal or not; by default, all that ship.

    Raises:
        CardError: If there is no such edition.
        DeckError: If there is no such class.
    """
    chosen = None if hero_class is None else check_class(hero_class)
    asked = None if edition is None else edition_of(edition)
    found = sorted(
        (each for each in library().values() if chosen in (None, each.deck.hero_class)),
        key=lambda each: (each.deck.hero_class, each.name),
    )
    more = () if asked is None or asked.name in EDITIONS else (asked,)
    judged = {each.name: legality(each.deck, *more) for each in found}
    rows = tuple(
        (
            each.name,
            each.deck.hero_class.title(),
            each.archetype,
            str(each.era or ""),
            _legal(judged[each.name], None if asked is None else asked.name),
        )
        for each in found
    )
    legal = "legal in" if asked is None else asked.name
    table = PlainTable(
        "", "", ("deck", "class", "archetype", "year", legal), frozenset({"deck", "class", "archetype", legal}), (rows,)
    )
    count = f"{len(found)} decks; `deckatlas deck NAME` shows one, with the reasons why it is not legal"
    return Listing((table, count), [_named_facts(each, judged[each.name]) for each in found])


def deck_listing(given: str, *, hero_class: str | None = None, edition: EditionLike = DEFAULT) -> Listing:
    """A deck, or all decks of a file: cards with their texts, curve, types, legality and code.

    Raises:
        CardError: If there is no such edition.
        DeckError: If there is no such deck, or the file cannot be read.
    """
    cards = edition_of(edition)
    sheets = [deck_sheet(deck, cards) for deck in decks_given(given, cards, hero_class=hero_class)]
    known = None if is_deck_file(given) else deck_called(given)
    data = [{"name": known.name if known else None, **sheet.to_json()} for sheet in sheets]
    return Listing(
        tuple(part for sheet in sheets for part in _sheet_parts(sheet, known)), data[0] if len(data) == 1 else data
    )


def cards_listing(words: Sequence[str], *, edition: EditionLike = DEFAULT, **options: str) -> Listing:
    """The cards that have all these words and fit the options of `find_cards`, with their texts.

    Raises:
        CardError: If an option is wrong, or no card fits.
    """
    cards = edition_of(edition)
    found = find_cards(words, edition=cards, **options)
    lines = [line for card in found for line in _card_lines(card, text_of(card, cards))]
    return Listing(
        (*lines, f"{len(found)} card{'' if len(found) == 1 else 's'} of edition {cards.name}"),
        [card_facts(card, cards) for card in found],
    )


def _legal(judged: dict[str, str | None], asked: str | None) -> str:
    """Where a deck is legal, in few words."""
    if asked is not None:
        return "legal" if judged[asked] is None else "not legal"
    legal = [name for name, reason in judged.items() if reason is None]
    if len(legal) in (0, len(judged)):
        return "all" if legal else "none"
    return ", ".join(legal)


def _named_facts(each: NamedDeck, judged: dict[str, str | None]) -> dict[str, object]:
    return {
        "name": each.name,
        "class": each.deck.hero_class.lower(),
        "archetype": each.archetype,
        "year": each.era,
        "source": each.source,
        "in_field": each.in_field,
        "legality": judged,
        "text": str(each.deck),
    }


def _sheet_parts(sheet: DeckSheet, known: NamedDeck | None) -> Iterator[str | PlainTable]:
    yield _title(sheet, known)
    yield _cards_table(sheet)
    yield from _curve_lines(sheet.curve)
    yield ""
    yield from _summary(sheet)
    yield ""
    yield from _legality_lines(sheet)
    yield ""
    yield sheet.code


def _title(sheet: DeckSheet, known: NamedDeck | None) -> str:
    hero_class = sheet.deck.hero_class.title()
    if known is None:
        return f"{hero_class} deck, edition {sheet.edition.name}"
    played = f", {known.era} ({known.source})" if known.era else ""
    return f"{known.name}: {hero_class}{played}, edition {sheet.edition.name}"


def _cards_table(sheet: DeckSheet) -> PlainTable:
    rows: list[tuple[str, ...]] = []
    for card, count in sheet.cards:
        first, *rest = wrap(text_of(card, sheet.edition), _TEXT_WIDTH) or [""]
        rows.append((str(count), str(card.cost), card.name, _stats(card), first))
        rows += [("", "", "", "", line) for line in rest]
    rows += [(str(count), "?", card, "", "not in this edition") for card, count in sheet.missing]
    return PlainTable("", "", ("", "cost", "card", "stats", "text"), frozenset({"card", "text"}), (tuple(rows),))


def _stats(card: Card) -> str:
    return f"{card.attack}/{card.health}" if card.type in (CardType.minion, CardType.weapon) else ""


def _curve_lines(curve: tuple[int, ...]) -> Iterator[str]:
    """The mana curve as bars, two characters for a card."""
    for cost, count in enumerate(curve):
        yield f"{cost}{'+' if cost == LAST_OF_CURVE else ' '} {'██' * count}{' ' * bool(count)}{count or ''}".rstrip()


def _summary(sheet: DeckSheet) -> Iterator[str]:
    types = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for name, count in sheet.types.items())
    famous = f", {sheet.hall_of_fame} of the Hall of Fame" if sheet.hall_of_fame else ""
    yield f"{len(sheet.deck)} cards: {types}"
    yield f"{sheet.class_cards} of the class{famous}; mean cost {sheet.mean_cost:.2f}; {sheet.dust:,} dust"


def _legality_lines(sheet: DeckSheet) -> Iterator[str]:
    width = max(map(len, sheet.legality))
    for name, reason in sheet.legality.items():
        words = "legal" if reason is None else f"not legal: {reason}"
        first, *rest = wrap(words, WIDTH - width - 2)
        yield f"{name:{width}}  {first}"
        yield from (f"{'':{width}}  {line}" for line in rest)


def _card_lines(card: Card, text: str) -> Iterator[str]:
    legendary = ", legendary" if card.rarity == "legendary" else ""
    yield from wrap(f"{card}{legendary}", WIDTH, subsequent_indent="    ")
    yield from wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
