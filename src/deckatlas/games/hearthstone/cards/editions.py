"""Editions of Hearthstone: all cards as of a date, and patches that turn one edition into another.

`2018-12` is declared in the tables and card modules beside this file. `2019-12` and `classic-2014` are patches of it,
`sabberstone` is one of `2019-12`, in the same file format that users write. An edition never changes; a patch makes a
new one.
"""

import copyreg
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote

from deckatlas._core import hearthstone as core
from deckatlas.arguments import checked
from deckatlas.documents.toml_text import toml_text
from deckatlas.errors import CardError
from deckatlas.files.limits import MOST_TOML_BYTES
from deckatlas.files.plain_data import NotPlainData, toml_values
from deckatlas.files.reading import package_text, read_text, shown_path
from deckatlas.games.hearthstone.cards.check import marks_of
from deckatlas.games.hearthstone.cards.codes import CardType, HeroClass, Race, RuleFlag
from deckatlas.games.hearthstone.cards.compile import Compiled, compile_cards
from deckatlas.games.hearthstone.cards.fields import FIELDS, written
from deckatlas.games.hearthstone.cards.parse import as_effects
from deckatlas.games.hearthstone.cards.table import CARD_ID, MARKS, Card, parse_keywords, read_table
from deckatlas.games.hearthstone.cards.terms import SLOTS, ChooseOne, Effects, Slot
from deckatlas.shapes import nearest, show

DEFAULT = "2018-12"
PATCHED = ("2019-12", "classic-2014", "sabberstone")
EDITIONS = (DEFAULT, *PATCHED)
NO_RULES = RuleFlag(0)
_MODULES = (
    *(hero_class.name for hero_class in HeroClass),
    "hall_of_fame",
    "tokens",
)

Change = Mapping[str, "str | int | Effects"]


@dataclass(frozen=True)
class Patch:
    """Changes to named cards, new cards, and rules; `cards` and `new` map ids to fields and their values.

    Fields are cost, attack, health (or durability), name, class, type, rarity, set, race, keywords, and effect: an
    expression of the card language, or the text of one. `base` is the edition that a patch file applies to;
    `Edition.patched` applies a patch to any edition.

    Raises:
        CardError: If a part has another type.
    """

    name: str
    cards: Mapping[str, Change] = field(default_factory=dict)
    new: Mapping[str, Change] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    base: str = DEFAULT

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise CardError("a patch needs a name")
        name = show(self.name)
        if not isinstance(self.rules, list | tuple) or not all(isinstance(rule, str) for rule in self.rules):
            raise CardError(f"the rules of patch {name} must be a list of names")
        for table in ("cards", "new"):
            entries = getattr(self, table)
            if not isinstance(entries, Mapping) or not all(isinstance(v, Mapping) for v in entries.values()):
                raise CardError(f"'{table}' of patch {name} must have one table per card: [{table}.EX1_095]")

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
        unknown = set(document) - {"name", "base", "cards", "new", "rules"}
        if unknown:
            raise CardError(f"a patch has name, base, rules and the tables cards and new, not {show(min(unknown))}")
        return cls(**{"name": "", **document})

    def to_toml(self) -> str:
        """The TOML document from which `from_toml` reads an equivalent patch.

        Raises:
            CardError: If an effect is not valid.
        """
        tables = {
            table: {card: {name: written(value) for name, value in change.items()} for card, change in changes.items()}
            for table, changes in (("cards", self.cards), ("new", self.new))
        }
        return toml_text({"name": self.name, "base": self.base, "rules": self.rules, **tables})


@dataclass(frozen=True)
class Edition:
    """All cards as of a date, in the order of their ids, and rules that differ from the real game's.

    `made_of` is the edition and the patch that this edition was made from, if any.
    """

    name: str
    cards: tuple[Card, ...]
    rules: RuleFlag = NO_RULES
    made_of: "tuple[Edition, Patch] | None" = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"Edition({self.name!r}, {len(self.cards)} cards)"

    @cached_property
    def by_id(self) -> Mapping[str, Card]:
        """The cards by id."""
        return {card.id: card for card in self.cards}

    @cached_property
    def compiled(self) -> Compiled:
        """The tables for the core.

        Raises:
            CardError: If a card has a mistake.
        """
        return compile_cards(self.cards, self.rules)

    @cached_property
    def card_set(self) -> core.CardSet:
        """The cards in the core's form.

        Raises:
            CardError: If a card has a mistake.
        """
        made = core.CardSet(self.compiled.for_core, quote(self.name, safe=""))
        setattr(made, "patches", self._patches())  # noqa: B010 - with which it crosses processes
        return made

    def _patches(self) -> tuple[str, tuple[Patch, ...]] | None:
        """The shipped edition that this one was made from, and the patches; None if there is no such edition."""
        if self.name in EDITIONS:
            return (self.name, ()) if self is _edition(self.name) else None
        if self.made_of is None or (before := self.made_of[0]._patches()) is None:
            return None
        return before[0], (*before[1], self.made_of[1])

    def __reduce__(self) -> tuple[Any, ...]:
        patches = self._patches()
        return (Edition, (self.name, self.cards, self.rules)) if patches is None else (_patched, _as_texts(*patches))

    def number_of(self, card: str) -> int:
        """The core's number of a card id.

        Raises:
            CardError: If there is no such card.
        """
        number = self.compiled.index.get(card) if isinstance(card, str) else None
        if number is None:
            raise CardError(f"edition {show(self.name)} has no card {show(card)}: {nearest(card, self.by_id)}")
        return number

    def id_of(self, number: int) -> str:
        """The card id of a core number."""
        return self._ids[number]

    def choices_of(self, card: str) -> tuple[str, ...]:
        """The option cards of a choose-one card; empty for other cards."""
        chosen = [effect for effect in self.by_id[card].effects if isinstance(effect, ChooseOne)]
        return tuple(option for effect in chosen for option in (effect.first, effect.second))

    @cached_property
    def _ids(self) -> Mapping[int, str]:
        return self.compiled.ids

    @cached_property
    def _by_name(self) -> Mapping[str, Card]:
        return {card.name.casefold(): card for card in self.cards if card.collectible}

    def __getitem__(self, name: str) -> Card:
        """A card by its id; collectible cards also by name, in upper or lower case.

        Raises:
            CardError: If there is no such card.
        """
        if isinstance(name, str) and name in self.by_id:
            return self.by_id[name]
        card = self._by_name.get(name.casefold()) if isinstance(name, str) else None
        if card is None:
            hint = nearest(name, [*(card.name for card in self._by_name.values()), *self.by_id])
            raise CardError(f"edition {show(self.name)} has no card {show(name)}: {hint}")
        return card

    def patched(self, patch: Patch) -> "Edition":
        """A new edition: this one with a patch applied.

        Raises:
            CardError: If the patch names an unknown card or makes an impossible one, or has the name of an edition.
        """
        if not isinstance(patch, Patch):
            raise CardError(f"a patch must be a Patch, not {show(patch)}")
        if patch.name in EDITIONS:  # the texts of states and games contain the edition's name
            raise CardError(f"patch {show(patch.name)}: an edition already has this name, choose another")
        try:
            edition = _apply(self, patch)
            edition.card_set  # noqa: B018 - finds mistakes
        except CardError as error:
            raise CardError(f"patch {show(patch.name)}: {error}") from None
        return edition

    def as_patch(self) -> Patch:
        """The single patch that turns the shipped base edition into this one, however many patches it took.

        Raises:
            CardError: If this edition was not made by patching a shipped edition.
        """
        return self._single_patch

    @cached_property
    def _single_patch(self) -> Patch:
        """See `as_patch`; checking it compiles all cards again."""
        steps: list[tuple[Edition, Patch]] = []
        base = self
        while base.name not in EDITIONS:
            if base.made_of is None:
                raise CardError(f"edition {show(self.name)} is not a patched version of {', '.join(EDITIONS)}")
            steps.insert(0, base.made_of)
            base = base.made_of[0]
        changes: dict[str, dict[str, str | int | Effects]] = {}
        for before, patch in steps:
            named = [(before[name].id, change) for name, change in patch.cards.items()]
            for card, change in [*named, *patch.new.items()]:
                fields = {"health" if name == "durability" else name: value for name, value in change.items()}
                changes.setdefault(card, {}).update(fields)
        made = Patch(
            self.name,
            cards={card: change for card, change in changes.items() if card in base.by_id},
            new={card: change for card, change in changes.items() if card not in base.by_id},
            rules=tuple(dict.fromkeys(rule for _, patch in steps for rule in patch.rules)),
            base=base.name,
        )
        if edition(base.name).patched(made) != self:
            raise CardError(f"edition {show(self.name)} differs from {base.name} with its patches applied")
        return made


@checked
def edition(name: str = DEFAULT) -> Edition:
    """An edition by its name.

    Raises:
        CardError: If there is no such edition.
    """
    if not isinstance(name, str):
        raise CardError(f"unknown edition {show(name)}: {nearest(name, EDITIONS)}")
    return _edition(name)


@cache
def _edition(name: str) -> Edition:
    if name == DEFAULT:
        return Edition(DEFAULT, declared_cards())
    if name not in EDITIONS:
        raise CardError(f"unknown edition {show(name)}: {nearest(name, EDITIONS)}")
    patch = Patch.from_toml(package_text(str(__package__), f"{name}.toml"))
    return _apply(_edition(patch.base), patch)


def _as_texts(base: str, patches: Sequence[Patch]) -> tuple[str, tuple[str, ...]]:
    return base, tuple(patch.to_toml() for patch in patches)


@lru_cache(16)  # the runs of an experiment share few patches, and compiling one takes a while
def _patched(base: str, patches: tuple[str, ...]) -> Edition:
    """The edition of some patches, given as texts."""
    if not patches:
        return edition(base)
    return _patched(base, patches[:-1]).patched(Patch.from_toml(patches[-1]))


def _card_set(base: str, patches: tuple[str, ...]) -> core.CardSet:
    return _patched(base, patches).card_set


def _reduced(cards: core.CardSet) -> tuple[Any, ...]:
    patches = getattr(cards, "patches", None)
    if patches is None:
        raise CardError(
            f"the cards of {show(cards.edition)} are not a patched edition, so they cannot be sent to another process"
        )
    return _card_set, _as_texts(*patches)


copyreg.pickle(core.CardSet, _reduced)
setattr(core.CardSet, "__deepcopy__", lambda cards, memo: cards)  # noqa: B010 - they never change

EditionLike = Edition | Path | str
CardsLike = EditionLike | Mapping[str, Card]


def edition_of(given: EditionLike = DEFAULT) -> Edition:
    """An edition given as an `Edition`, by its name, or by the path of a TOML file with a patch.

    Raises:
        CardError: If there is no such edition or file, or the patch has a mistake.
    """
    if isinstance(given, Edition):
        return given
    if isinstance(given, Path) or (isinstance(given, str) and given.endswith(".toml")):
        return _read_edition(Path(given))
    return edition(given)


def patch_text(file: Path) -> str:
    """The text of a file with a patch.

    Raises:
        CardError: If it cannot be read.
    """
    return read_text(file, most=MOST_TOML_BYTES, error=CardError)


def edition_with(given: EditionLike, patch: str) -> Edition:
    """An edition with a patch on it, given as TOML text; without a text, the edition itself.

    Raises:
        CardError: If there is no such edition, or the patch has a mistake.
    """
    if not patch:
        return edition_of(given)
    if isinstance(given, str) and given in EDITIONS:
        return _patched(given, (patch,))
    return edition_of(given).patched(Patch.from_toml(patch))


def _read_edition(file: Path) -> Edition:
    text = patch_text(file)
    try:
        patch = Patch.from_toml(text)
        return edition(patch.base).patched(patch)
    except CardError as error:
        raise CardError(f"{shown_path(file)}: {error}") from None


def cards_of(given: CardsLike) -> Mapping[str, Card]:
    """Cards by id, from such a mapping or from anything `edition_of` takes.

    Raises:
        CardError: If there is no such edition.
    """
    return given if isinstance(given, Mapping) else edition_of(given).by_id


def declared_cards() -> tuple[Card, ...]:
    """The cards of the default edition: the tables, with the effects of the card modules.

    Raises:
        CardError: If an effect is declared for a card that no table has, or twice.
    """
    effects: dict[str, tuple[Slot, ...]] = {}
    for module in _MODULES:
        for name, value in vars(import_module(f"{__package__}.{module}")).items():
            if isinstance(value, SLOTS) or (isinstance(value, tuple) and value and isinstance(value[0], SLOTS)):
                if name in effects:
                    raise CardError(f"{name} is declared twice")
                effects[name] = as_effects(value)
    cards = [card for table in ("cards.csv", "tokens.csv") for card in read_table(table, effects)]
    unknown = effects.keys() - {card.id for card in cards}
    if unknown:
        raise CardError(f"{min(unknown)} is declared, but no table has it")
    return tuple(sorted(cards, key=lambda card: card.id))


# ---- patches -------------------------------------------------------------------------------------------------------


def _apply(base: Edition, patch: Patch) -> Edition:
    cards = dict(base.by_id)
    named: dict[str, str] = {}
    for name, change in patch.cards.items():
        card = base[name]
        if card.id in named:
            raise CardError(f"{card.id} ({card.name}) is changed twice, as {show(named[card.id])} and as {show(name)}")
        named[card.id] = name
        cards[card.id] = _changed(card, change)
    for name, change in patch.new.items():
        if name in cards:
            raise CardError(f"{name} is not new: it is the id of {cards[name].name}")
        cards[name] = _changed(_new(name, change), change)
    rules = base.rules
    for rule in patch.rules:
        flag_name = rule.replace("-", "_")
        if flag_name not in RuleFlag.__members__:
            known = [str(flag.name).replace("_", "-") for flag in RuleFlag]
            raise CardError(f"unknown rule {show(rule)}: {nearest(rule, known)}")
        rules |= RuleFlag[flag_name]
    return Edition(patch.name, tuple(sorted(cards.values(), key=lambda card: card.id)), rules, (base, patch))


def _new(id: str, change: Change) -> Card:
    if not isinstance(id, str) or not CARD_ID.fullmatch(id):
        raise CardError(f"a card id consists of letters, digits and underscores, not {show(id)}")
    missing = {"name", "class", "type", "set"} - set(change)
    if missing:
        raise CardError(f"{id} is new, so it needs a {min(missing)}")
    return Card(id, 0, "", HeroClass.neutral, CardType.minion, "", "", 0, 0, 0, Race.none, ())


def _changed(card: Card, change: Change) -> Card:
    """The card with some fields changed."""
    values: dict[str, Any] = {}
    for name, value in change.items():
        try:
            field_name, read = FIELDS[name]
            if field_name in values:  # health and durability are the same field
                raise CardError(f"is given {name} twice")
            values[field_name] = read(value)
        except KeyError:
            raise CardError(f"{card.id} has no field {show(name)}: {nearest(name, FIELDS)}") from None
        except CardError as error:
            raise CardError(f"{card.id} ({card.name or change.get('name')}) {error}") from None
    changed = replace(card, **values)
    if "effects" in values:  # keywords that only announce an effect follow from the effects
        kept = [keyword for keyword in changed.keywords if keyword not in MARKS]
        changed = replace(changed, keywords=parse_keywords((*kept, *marks_of(changed))))
    return changed
