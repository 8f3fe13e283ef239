"""Editions of Legends of Code and Magic: the official cards of version 1.2, and patches that change their numbers.

A patch is TOML, in the form that patches of Hearthstone have:

    name = "quieter"
    base = "1.2"

    [cards.Slimer]
    cost = 2

    [cards.65]
    defense = 1
    keywords = "guard ward"

A card is named by its name or its id. Its fields are cost, attack, defense, keywords, player_health, enemy_health and
draw; names and types stay. An edition never changes; a patch makes a new one.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, fields, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from deckatlas._core import locm as core
from deckatlas.arguments import checked
from deckatlas.documents.toml_lines import toml_lines
from deckatlas.documents.toml_text import toml_text
from deckatlas.errors import CardError
from deckatlas.files.limits import MOST_TOML_BYTES
from deckatlas.files.plain_data import NotPlainData, toml_values
from deckatlas.files.reading import read_text, shown_path
from deckatlas.games.locm.cards import KEYWORDS, Card, card_table, cards, official_table
from deckatlas.shapes import nearest, show

DEFAULT = "1.2"
NUMBERS = ("cost", "attack", "defense", "player_health", "enemy_health", "draw")
FIELDS = ("cost", "attack", "defense", "keywords", "player_health", "enemy_health", "draw")
ABILITIES = dict(zip(KEYWORDS, ("Breakthrough", "Charge", "Drain", "Guard", "Lethal", "Ward"), strict=True))

_MOST = 99  # the widest range of a number; the core knows the range of each
_LONGEST_NAME = 60
_HASH_DIGITS = 8
_KEPT = 64  # editions whose cards are kept in Python

Change = Mapping[str, "str | int"]


class PatchError(CardError):
    """A mistake in a patch, with the path of the value that is wrong."""

    def __init__(self, message: str, *path: str) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True)
class Patch:
    """Changes to cards; `cards` maps names or ids of cards to fields and their new values.

    `base` is the edition that a patch file applies to; `Edition.patched` applies a patch to any edition.

    Raises:
        CardError: If a part has another type.
    """

    name: str
    cards: Mapping[str, Change] = field(default_factory=dict)
    base: str = DEFAULT

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise PatchError("a patch needs a name", "name")
        if len(self.name) > _LONGEST_NAME:
            raise PatchError(f"the name of a patch has at most {_LONGEST_NAME} characters", "name")
        if not isinstance(self.cards, Mapping) or not all(isinstance(each, Mapping) for each in self.cards.values()):
            raise PatchError(f"'cards' of patch {show(self.name)} must have one table per card: [cards.1]", "cards")

    @classmethod
    def from_toml(cls, text: str) -> "Patch":
        """Reads a patch from a TOML document.

        Raises:
            CardError: If the text is not a patch.
        """
        if not isinstance(text, str):
            raise CardError(f"a patch must be a TOML document, not {show(text)}")
        try:
            document = toml_values(text)
        except NotPlainData as error:
            raise CardError(f"the patch is not TOML: {error}") from None
        unknown = set(document) - {"name", "base", "cards"}
        if unknown:
            raise PatchError(f"a patch has name, base and the table cards, not {show(min(unknown))}", min(unknown))
        return cls(**{"name": "", **document})

    def to_toml(self) -> str:
        """The TOML document from which `from_toml` reads an equal patch."""
        tables = {card: dict(change) for card, change in self.cards.items()}
        return toml_text({"name": self.name, "base": self.base, "cards": tables})


@dataclass(frozen=True)
class Edition:
    """All 160 cards, in the order of their ids.

    Raises:
        CardError: If other cards have the name of the official ones.
    """

    name: str
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        if self.name == DEFAULT and self.cards != cards():
            raise CardError(f"the edition {DEFAULT} has the official cards: choose another name for other cards")

    def __repr__(self) -> str:
        return f"Edition({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (official, ()) if self.is_official else (Edition, (self.name, self.cards))

    @property
    def is_official(self) -> bool:
        """Whether these are the official cards under their own name."""
        return self.name == DEFAULT

    @cached_property
    def hash(self) -> str:
        """A hash of all cards and their effects."""
        from deckatlas.runs.hashes import canonical_json, text_hash  # players of games need no runs

        return text_hash(canonical_json([astuple(card) for card in self.cards])).hex()

    @cached_property
    def table(self) -> core.CardTable:
        """The cards in the core's form; texts of states name an edition by its name and its cards.

        Raises:
            CardError: If a card has an impossible value.
        """
        if self.is_official:
            return official_table()
        return card_table(self.cards, edition=f"{quote(self.name, safe='')}@{self.hash[:_HASH_DIGITS]}")

    @cached_property
    def _by_name(self) -> Mapping[str, Card]:
        by_id = {str(card.id): card for card in self.cards}
        return by_id | {card.name.casefold(): card for card in self.cards}

    def __getitem__(self, name: str | int) -> Card:
        """A card by its id, or by its name in upper or lower case.

        Raises:
            CardError: If there is no such card.
        """
        card = self._by_name.get(str(name).casefold()) if isinstance(name, str | int) else None
        if card is None:
            raise CardError(f"there is no card {show(name)}: {nearest(name, (each.name for each in self.cards))}")
        return card

    def patched(self, patch: Patch) -> "Edition":
        """A new edition: this one with a patch applied.

        Raises:
            CardError: If the patch names an unknown card or makes an impossible one, or has the name of an edition.
        """
        if not isinstance(patch, Patch):
            raise CardError(f"a patch must be a Patch, not {show(patch)}")
        if patch.name == DEFAULT:  # the texts of states contain the edition's name
            raise PatchError(f"patch {show(patch.name)}: an edition already has this name, choose another", "name")
        try:
            changed = _changes(self, patch)
        except PatchError as error:
            raise PatchError(f"patch {show(patch.name)}: {error}", *error.path) from None
        return Edition(patch.name, tuple(changed.get(card.id, card) for card in self.cards))

    def as_patch(self) -> Patch:
        """The patch that turns the official cards into this edition, however many patches it took."""
        changes: dict[str, dict[str, str | int]] = {}
        for card, official in zip(self.cards, cards(), strict=True):
            different = {name: getattr(card, name) for name in FIELDS if getattr(card, name) != getattr(official, name)}
            if different:
                changes[card.name] = different
        return Patch(self.name, changes)


@cache
def official() -> Edition:
    """The official cards."""
    return Edition(DEFAULT, cards())


EditionLike = Edition | Path | str


@checked
def edition_of(given: EditionLike = DEFAULT, *, base: Edition | None = None) -> Edition:
    """An edition given as an `Edition`, by its name, or by the path of a TOML file with a patch.

    Args:
        given: The edition.
        base: What a patch in a file changes, instead of the base that it names.

    Raises:
        CardError: If there is no such edition or file, or the patch has a mistake; the message has its line.
    """
    if isinstance(given, Edition):
        return given
    if isinstance(given, Path) or (isinstance(given, str) and given.endswith(".toml")):
        return _read_edition(Path(given), base)
    if given != DEFAULT:
        raise CardError(f"unknown edition {show(given)}: use {DEFAULT}, or a TOML file with a patch")
    return official()


def edition_from_text(text: str, *, base: Edition | None = None) -> Edition:
    """The edition of a patch, given as TOML text.

    Args:
        text: The patch.
        base: What it changes, instead of the base that it names.

    Raises:
        CardError: If the patch has a mistake.
    """
    patch = Patch.from_toml(text)
    if base is None and patch.base != DEFAULT:
        raise PatchError(f"unknown base {show(patch.base)}: use {DEFAULT}", "base")
    return (base or official()).patched(patch)


def patch_text(file: Path) -> str:
    """The text of a file with a patch.

    Raises:
        CardError: If it cannot be read.
    """
    return read_text(file, most=MOST_TOML_BYTES, error=CardError)


def _read_edition(file: Path, base: Edition | None) -> Edition:
    text, name = patch_text(file), shown_path(file)
    try:
        return edition_from_text(text, base=base)
    except PatchError as error:
        lines = toml_lines(text)
        line = next((lines[path] for path in _paths(error.path) if path in lines), None)
        raise CardError(f"{name}{'' if line is None else f', line {line}'}: {error}") from None
    except CardError as error:
        raise CardError(f"{name}: {error}") from None


def _paths(path: tuple[str, ...]) -> list[tuple[str, ...]]:
    """A path and those of the tables around it, from the inside."""
    return [path[:length] for length in range(len(path), 0, -1)]


def cards_in(state: core.State) -> tuple[Card, ...]:
    """All cards of the edition that a state is played with, in the order of their ids."""
    table = state.cards
    return _decoded(table.rows.tobytes()) if table.edition else cards()


@lru_cache(_KEPT)
def _decoded(rows: bytes) -> tuple[Card, ...]:
    numbers = np.frombuffer(rows, np.int32).reshape(len(cards()), -1)
    return tuple(_with_row(card, row) for card, row in zip(cards(), numbers.tolist(), strict=True))


def _with_row(card: Card, row: list[int]) -> Card:
    _, cost, attack, defense, keywords, player_health, enemy_health, draw = row
    letters = "".join(letter if keywords >> i & 1 else "-" for i, letter in enumerate(KEYWORDS))
    return Card(card.id, card.name, card.type, cost, attack, defense, letters, player_health, enemy_health, draw)


# ---- patches -------------------------------------------------------------------------------------------------------


def _changes(base: Edition, patch: Patch) -> dict[int, Card]:
    changed: dict[int, Card] = {}
    named: dict[int, str] = {}
    for name, change in patch.cards.items():
        path = ("cards", name)
        try:
            card = base[name]
        except CardError as error:
            raise PatchError(str(error), *path) from None
        if card.id in named:
            also = show(named[card.id])
            raise PatchError(f"card {card.id} ({card.name}) is changed twice, as {also} and as {show(name)}", *path)
        named[card.id] = name
        changed[card.id] = _changed(card, change, path)
        try:
            card_table([changed[card.id] if each.id == card.id else each for each in base.cards])
        except CardError as error:
            raise PatchError(str(error), *path) from None
    return changed


def _changed(card: Card, change: Change, path: tuple[str, ...]) -> Card:
    """The card with some fields changed."""
    values: dict[str, Any] = {}
    for name, value in change.items():
        whose = f"card {card.id} ({card.name})"
        if name not in FIELDS:
            fixed = {each.name for each in fields(Card)} - set(FIELDS)
            why = "which a patch cannot change" if name in fixed else nearest(name, FIELDS)
            raise PatchError(f"{whose} has no field {show(name)}: {why}", *path, name)
        try:
            values[name] = _read_keywords(value) if name == "keywords" else _read_number(name, value)
        except CardError as error:
            raise PatchError(f"{whose}: {error}", *path, name) from None
    return replace(card, **values)


def _read_number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _MOST:
        raise CardError(f"{name} must be a whole number between {-_MOST} and {_MOST}, not {show(value)}")
    return value


def _read_keywords(value: object) -> str:
    """Keywords as six characters, from such a text, or from names or letters with spaces or commas between them."""
    if not isinstance(value, str):
        raise CardError(f"keywords must be a text such as 'guard ward', not {show(value)}")
    if len(value) == len(KEYWORDS) and all(letter in ("-", KEYWORDS[i]) for i, letter in enumerate(value)):
        return value
    letters = {name.casefold(): letter for letter, name in ABILITIES.items()}
    letters |= {letter.casefold(): letter for letter in KEYWORDS}
    words = value.replace(",", " ").split()
    for word in words:
        if word.casefold() not in letters:
            raise CardError(f"unknown keyword {show(word)}: {nearest(word, ABILITIES.values())}")
    chosen = {letters[word.casefold()] for word in words}
    return "".join(letter if letter in chosen else "-" for letter in KEYWORDS)
