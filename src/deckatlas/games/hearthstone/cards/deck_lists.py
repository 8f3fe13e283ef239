"""Lists of card names as people paste them.

One card is on each line, or between commas: `2x Savannah Highmane`, `2 Savannah Highmane`, `Savannah Highmane x2`, or
the name alone for one copy; a cost may come before the name, as in `2x (6) Savannah Highmane`. Ids can stand for
names. A list can have a title, headings such as `Class: Hunter` or `Minions (16)`, and comments that start with #.
Where every card is in a comment, as in decks that the game exports, the comments are the list. A deck code beside a
list is skipped: the list counts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from deckatlas.arguments import checked
from deckatlas.errors import DeckError
from deckatlas.files.limits import MOST_LIST_LINES
from deckatlas.games.card_query import NEAR, did_you_mean, near_names
from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, Deck, check_class, class_of, obstacle
from deckatlas.games.hearthstone.cards.editions import CardsLike, cards_of
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.shapes import show

TITLE = "###"

_MISSPELT = 0.9  # similarity: titles share words with names of cards

_COUNT_FIRST = re.compile(r"([0-9]{1,2})(?:\s*[x\N{MULTIPLICATION SIGN}](?=[\s(])|(?=\s))\s*(.+)", re.IGNORECASE)
_EXPORTED = re.compile(r"[0-9]{1,2}\s*[x\N{MULTIPLICATION SIGN}]\s", re.IGNORECASE)
_COUNT_LAST = re.compile(r"(.+?)\s+\(?[x\N{MULTIPLICATION SIGN}]\s*([0-9]{1,2})\)?", re.IGNORECASE)
_COST = re.compile(r"\([0-9]{1,2}\)\s*")
_ADORNED = " \t-*•=[]:_"
_TOTAL = re.compile(r"\s*\(?[0-9]{0,3}\)?$")
_CLASS = re.compile(r"(?:hero\s+)?class\s*:\s*(.+)", re.IGNORECASE)
_REMARK = re.compile(r"(?:name|deck|format|archetype|cost|dust|year|code)\b[^:]*:.*|year of .*", re.IGNORECASE)
_GROUP = re.compile(
    rf"(?:(?:class|neutral|{'|'.join(HERO_CLASSES)})\s+)?(?:cards|minions|spells|weapons|secrets|neutral)",
    re.IGNORECASE,
)
_CODE = re.compile(r"AA[A-Za-z0-9+/]{6,}={0,2}")


@dataclass(frozen=True)
class _Line:
    """A line that is not empty: its number, its text without decoration, and whether it is a comment."""

    number: int
    text: str
    is_comment: bool


@dataclass(frozen=True)
class _Entry:
    """Copies of a card, and the line that asks for them."""

    line: int
    card: Card
    copies: int


def is_deck_list(text: str, cards: CardsLike) -> bool:
    """Whether a text is a list of cards, not a deck code, a deck's text, a name of a deck, or ids alone."""
    lines = list(_lines(text))
    plain = [line for line in lines if not line.is_comment]
    if not plain:
        return not _codes(text) and any(_EXPORTED.match(line.text) for line in lines)
    if any(_has_count(line.text) for line in plain):
        return True
    if len(plain) == 1:
        return False
    named = _by_name(cards_of(cards))
    return any(line.text.casefold() in named for line in plain)


@checked
def parse_deck_list(text: str, cards: CardsLike, *, hero_class: str | None = None) -> Deck:
    """Reads a list of card names as people paste it, such as "2x Savannah Highmane", one card on each line.

    Counts can be before or after the name; headings, comments, empty lines and costs in parentheses are skipped. The
    class is that of a line such as "Class: Hunter", or else the class of the cards. The deck need not be playable:
    `check_deck` checks it.

    Args:
        text: The list.
        cards: The edition, its name or its cards by their ids.
        hero_class: The class that the deck must have; needed if all cards are neutral and no line names the class.

    Raises:
        CardError: If there is no such edition.
        DeckError: If there is no card, a card is unknown or of another class, or the class cannot be known. The
            message has the line, and the names that were probably meant.
    """
    if not isinstance(text, str):
        raise DeckError(f"a list of cards must be a text, not {show(text)}")
    return read_list(text, cards, hero_class=hero_class, first_line=1)


def read_list(text: str, cards: CardsLike, *, hero_class: str | None, first_line: int) -> Deck:
    """What `parse_deck_list` does, for a part of a text that starts on a later line."""
    lines = list(_lines(text, first_line))
    plain = [line for line in lines if not line.is_comment]
    listed = plain or [line for line in lines if _EXPORTED.match(line.text)]
    if len(codes := _codes(text, first_line)) > 1:
        raise DeckError(f"line {codes[1]}: a second deck code in one list: a title (### Name) separates decks")
    known = _Cards(cards_of(cards))
    if plain and known.is_title(plain[0].text, counts=any(_has_count(line.text) for line in plain[1:])):
        listed = plain[1:]
    entries = [entry for line in listed for entry in known.entries(line)]
    if not entries:
        raise DeckError("the list has no cards")
    hero_class = _class_of_list(lines, hero_class) or _class_of_cards(entries)
    for entry in entries:
        if why := obstacle(entry.card, hero_class):
            raise DeckError(f"line {entry.line}: {entry.card.name} {why}")
    return Deck(hero_class, tuple((entry.card.id, entry.copies) for entry in entries))


def read_entry(text: str, by_id: Mapping[str, Card]) -> tuple[Card, int]:
    """A card and the number of its copies, as one line of a list has them, such as "2x Savannah Highmane".

    Raises:
        DeckError: If the card is unknown, or the number is 0.
    """
    return _Cards(by_id).read(" ".join(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split()))


def list_parts(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The parts of a text that start with a title (`### Name`), each with the number of its first line.

    A part that is too long for a list of cards comes in pieces, since a file can have very many decks.
    """
    part: list[str] = []
    first = 1
    for number, line in enumerate(lines, start=1):
        if (line.lstrip().startswith(TITLE) or len(part) > MOST_LIST_LINES) and part:
            yield first, part
            part, first = [], number
        part.append(line.rstrip("\r\n"))
    if part:
        yield first, part


class _Cards:
    """The cards that a list can name."""

    def __init__(self, by_id: Mapping[str, Card]) -> None:
        self._by_id = by_id
        self._by_name = _by_name(by_id)

    def is_title(self, text: str, *, counts: bool) -> bool:
        """Whether the first line of a list is its title: no card, and no misspelt one.

        Args:
            text: The line.
            counts: Whether other lines have counts: where none has, a line without one is more likely a card.
        """
        if _has_count(text) or any(map(self._read, self._parts(text))):
            return False
        return not near_names(text, self._names, similarity=_MISSPELT if counts else NEAR)

    def entries(self, line: _Line) -> list[_Entry]:
        """The cards of a line; none if it is a heading.

        Raises:
            DeckError: If a card is unknown.
        """
        if _is_heading(line.text):
            return []
        return [self._entry(line.number, part) for part in self._parts(line.text)]

    def _parts(self, text: str) -> list[str]:
        """The entries of a line, which commas or semicolons separate; a card's name may have some itself."""
        return [text] if self._read(text) else list(filter(None, (part.strip() for part in re.split("[,;]", text))))

    def _entry(self, line: int, text: str) -> _Entry:
        try:
            return _Entry(line, *self.read(text))
        except DeckError as error:
            raise DeckError(f"line {line}: {error}") from None

    def read(self, text: str) -> tuple[Card, int]:
        """The card of an entry, and the number of copies.

        Raises:
            DeckError: If the card is unknown, or the number is 0.
        """
        found = self._read(text)
        if found is None:
            raise DeckError(self._why_unknown(_counted(text)[0]))
        if not found[1]:
            raise DeckError(f"a list has at least one copy of a card, not {show(text)}")
        return found

    def _read(self, text: str) -> tuple[Card, int] | None:
        name, copies = _counted(text)
        card = self._by_id.get(name) or self._by_name.get(name.casefold())
        return None if card is None else (card, copies)

    def _why_unknown(self, name: str) -> str:
        for card in self._by_id.values():
            if card.name.casefold() == name.casefold():
                return f"{card.name} cannot be put into a deck of this edition"
        near = near_names(name, self._names)
        return f"unknown card {show(name)}: {did_you_mean(near) if near else 'no card has a similar name'}"

    @property
    def _names(self) -> list[str]:
        return [card.name for card in self._by_name.values()]


def _by_name(by_id: Mapping[str, Card]) -> dict[str, Card]:
    return {card.name.casefold(): card for card in by_id.values() if card.collectible}


def _lines(text: str, first: int = 1) -> Iterator[_Line]:
    """The lines that say something; a code beside a list says nothing."""
    for number, line in enumerate(text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").splitlines(), start=first):
        stripped = line.strip()
        content = " ".join(stripped.lstrip("#").strip().lstrip("-*•").split())
        if content and not _CODE.fullmatch(stripped):
            yield _Line(number, content, stripped.startswith("#"))


def _codes(text: str, first: int = 1) -> list[int]:
    """The numbers of the lines that are deck codes."""
    return [number for number, line in enumerate(text.splitlines(), start=first) if _CODE.fullmatch(line.strip())]


def _has_count(text: str) -> bool:
    return _COUNT_FIRST.fullmatch(text) is not None or _COUNT_LAST.fullmatch(text) is not None


def _counted(text: str) -> tuple[str, int]:
    """The name and the number of copies of an entry."""
    if match := _COUNT_FIRST.fullmatch(text):
        copies, name = int(match[1]), match[2]
    elif match := _COUNT_LAST.fullmatch(text):
        copies, name = int(match[2]), match[1]
    else:
        copies, name = 1, text
    return _COST.sub("", name, count=1).strip() if _COST.match(name) else name.strip(), copies


def _is_heading(text: str) -> bool:
    bare = _TOTAL.sub("", text.strip(_ADORNED)).strip(_ADORNED)
    if _named_class(text) or _REMARK.fullmatch(text) or _GROUP.fullmatch(bare):
        return True
    return text.endswith(":") and not _has_count(text)


def _named_class(text: str) -> str | None:
    """The class that a heading names: `Class: Hunter`, `Hunter` or `Hunter:`."""
    if match := _CLASS.fullmatch(text):
        return match[1].strip()
    alone = text.strip(_ADORNED)
    return alone if alone.upper() in HERO_CLASSES else None


def _class_of_list(lines: list[_Line], given: str | None) -> str | None:
    """The class that is given or that a heading names.

    Raises:
        DeckError: If there is no such class, or both are there and differ.
    """
    chosen = None if given is None else check_class(given)
    for line in lines:
        if (named := _named_class(line.text)) is not None:
            try:
                found = check_class(named)
            except DeckError as error:
                raise DeckError(f"line {line.number}: {error}") from None
            if chosen is not None and found != chosen:
                raise DeckError(f"line {line.number}: the class is {found.title()}, but {chosen.title()} was given")
            chosen = found
    return chosen


def _class_of_cards(entries: list[_Entry]) -> str:
    if all(entry.card.hero_class is HeroClass.neutral for entry in entries):
        raise DeckError("all cards of the list are neutral: add a line such as 'Class: Hunter'")
    return class_of(entry.card for entry in entries)
