"""Knobs of Hearthstone's cards: which numbers of which cards may change, and the patches that they span."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from deckatlas.balancing.knobs import FoundDecks, Knob, PatchSpace, Values
from deckatlas.balancing.subject import BASE
from deckatlas.balancing.targets_file import TargetsFile
from deckatlas.documents.document import Document
from deckatlas.errors import CardError, DeckatlasError, RunError
from deckatlas.files.limits import MOST_KNOBS, MOST_TRIED_CHARACTERS
from deckatlas.games.hearthstone.balance import SEARCH_PILOT, HearthstoneSubject, subject_of
from deckatlas.games.hearthstone.cards.changes import changed_cards
from deckatlas.games.hearthstone.cards.codes import CardType
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, Edition, Patch, edition_of
from deckatlas.games.hearthstone.cards.fields import FIELDS
from deckatlas.games.hearthstone.cards.long_form import effects_text
from deckatlas.games.hearthstone.cards.parse import parse_effects
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.deck_players import DeckPlayers
from deckatlas.games.hearthstone.matchups import HearthstoneMatchups
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame
from deckatlas.games.hearthstone.suites import opponent_of
from deckatlas.metagame.metagame import named_apart
from deckatlas.shapes import nearest, show

# The size of one step. A mana buys about two points of stats, so a step of the cost counts as much as two of them.
WEIGHTS = {"cost": 2.0, "attack": 1.0, "health": 1.0, "durability": 1.0}
EFFECT_WEIGHT = 1.0
EFFECT = "effect"
_NAMED = re.compile(r"\{(\w+)\}")
_MOST_VALUES = 100
_KEPT_EDITIONS = 64


@dataclass(frozen=True)
class WatchedSubject(HearthstoneSubject):
    """A study that also asks about cards that its patch leaves alone.

    Attributes:
        watched: The names of these cards.
    """

    watched: tuple[str, ...] = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The changed cards that decks can have, and the watched ones."""
        return tuple(dict.fromkeys((*self.watched, *super().cards)))


@dataclass(frozen=True)
class HearthstoneRebalancer:
    """Knobs of Hearthstone's cards: see `deckatlas.balancing.knobs.Rebalancer`.

    Attributes:
        base: The edition that is changed.
        knobs: The knobs.
        effects: For each card with numbers in its effect, the template of the effect.
        options: The options of studies: meta, pilot, classes, search_pilots, store.
        source: How commands name the base, if it is a file.
        found: Decks that searches have found, which play beside the known ones.
    """

    base: Edition
    knobs: tuple[Knob, ...]
    effects: Mapping[str, str]
    options: Mapping[str, Any]
    source: str = ""
    found: FoundDecks = field(default_factory=dict)
    _editions: dict[Values, Edition] = field(default_factory=dict, compare=False)

    def patch(self, values: Values, name: str) -> Patch:
        """The changes of the knobs that are not at their own values."""
        changes: dict[str, dict[str, str | int]] = {}
        numbers: dict[str, dict[str, int]] = {}
        for knob, value in zip(self.knobs, values, strict=True):
            if knob.name not in FIELDS:
                numbers.setdefault(knob.card, {})[knob.name] = value
            if value == knob.own:
                continue
            own = changes.setdefault(knob.card, {})
            own[knob.name if knob.name in FIELDS else EFFECT] = value
        for card, change in changes.items():
            if EFFECT in change:
                change[EFFECT] = _filled(self.effects[card], numbers[card])
        root = self.base
        while root.name not in EDITIONS and root.made_of is not None:
            root = root.made_of[0]
        return Patch(name, dict(changes), base=root.name if root.name in EDITIONS else DEFAULT)

    def edition(self, values: Values) -> Edition:
        """The base with a patch."""
        if values not in self._editions:
            if len(self._editions) >= _KEPT_EDITIONS:
                self._editions.pop(next(iter(self._editions)))
            self._editions[values] = self.base.patched(self.patch(values, f"{self.base.name} rebalanced"))
        return self._editions[values]

    @cached_property
    def _whole(self) -> HearthstoneSubject:
        """A study in which every knob is turned: what it is about, all patches are about."""
        turned = tuple(next(value for value in knob.values if value != knob.own) for knob in self.knobs)
        return subject_of(self.patch(turned, "every knob"), base=self.base, **self.options)

    @cached_property
    def field(self) -> HearthstoneMetagame:
        """The known decks, under the base edition, and found decks, which nobody plays today."""
        known = joined = self._whole.fields[BASE]
        for kind, decks in self.found.items():
            for deck in decks:
                joined = joined.joined_by(deck, name=named_apart(f"found {kind.title()}", joined.names))
        without_share = (replace(each, weight=0.0) for each in joined.entrants[len(known.entrants) :])
        return replace(joined, entrants=(*known.entrants, *without_share))

    def with_found(self, found: FoundDecks) -> "HearthstoneRebalancer":
        """The same with these found decks."""
        return replace(self, found=found)

    def matchups(self, values: Values) -> HearthstoneMatchups:
        """What plays matchups of these decks under a patch."""
        cards = self.base if values == PatchSpace(self.knobs).own else self.edition(values)
        players = [opponent_of(table, number, cards) for number, table in enumerate(self._players.players)]
        return HearthstoneMatchups(players, profile=self._players.profile, edition=cards)

    @cached_property
    def _players(self) -> DeckPlayers:
        return self.field.players()

    def words(self, values: Values) -> str:
        """What a patch changes."""
        changed = changed_cards(self.base, self.base.patched(self.patch(values, "patch")))
        return "; ".join(f"{each.after.name} {each.words}" for each in changed) or "nothing"

    def to_toml(self, values: Values, name: str) -> str:
        """A patch as a file; if its base is a file, a comment says how to study it."""
        note = f"# A patch of {self.source}: deckatlas balance PATCH --base {self.source}\n" if self.source else ""
        return note + self.patch(values, name).to_toml()

    def subject(self, values: Values, name: str) -> WatchedSubject:
        """A balance study of a patch; all studies search the same classes and ask about the same cards."""
        options = {**self.options, "classes": self._whole.kinds}
        found = subject_of(self.patch(values, name), base=self.base, **options)
        return WatchedSubject(
            found.fields, found.kinds, found.search_pilots, left_out=found.left_out, watched=self._whole.cards
        )


def rebalancer_of(file: TargetsFile, document: Document, *, store: Path | None = None) -> HearthstoneRebalancer:
    """The knobs of a file, checked before the first game.

    Args:
        file: The file.
        document: The same with the places of its values.
        store: The folder of runs, if the metagame is a run.

    Raises:
        DeckatlasError: If the file has a mistake; the message has its place.
    """
    beside = Path(document.name).parent
    source = str(beside / file.base) if file.base and file.base.endswith(".toml") else ""
    try:
        base = edition_of(source or file.base or DEFAULT)
    except CardError as error:
        raise RunError(f"{document.place(('base',))}: {error}") from None
    meta = str(beside / file.meta) if file.meta and file.meta.endswith(".toml") else file.meta
    options = {
        "meta": meta,
        "pilot": file.pilot,
        "classes": file.classes,
        "search_pilots": tuple(file.search_pilots or (SEARCH_PILOT,)),
        "store": store,
    }
    knobs: list[Knob] = []
    templates: dict[str, str] = {}
    room = MOST_TRIED_CHARACTERS
    for name, table in file.knobs.items():
        try:
            card = base[name]
            known = next((each for each in knobs if base[each.card] is card), None)
            if known is not None:
                raise CardError(f"{card.name} has two tables of knobs: write one table per card")
            own = list(_knobs_of(card, table, templates, room))
            knobs += own
            room -= _characters(
                templates.get(_name(card), ""), [knob.values for knob in own if knob.name not in FIELDS]
            )
            if len(knobs) > MOST_KNOBS:
                raise CardError(f"a file of targets has at most {MOST_KNOBS} knobs")
        except _MisplacedError as error:
            raise RunError(f"{document.place(('knobs', name, *error.keys))}: {error}") from None
        except CardError as error:
            raise RunError(f"{document.place(('knobs', name))}: {error}") from None
    found = HearthstoneRebalancer(base, tuple(knobs), templates, options, source)
    _check_cards(found, document, list(file.knobs))
    try:
        found.field  # noqa: B018 - raises if there are no such decks, pilots or classes
    except DeckatlasError as error:
        keys = [key for key in ("meta", "pilot", "classes", "search_pilots") if getattr(file, key) is not None]
        raise RunError(f"{document.likeliest_place([(key,) for key in keys] or [()])}: {error}") from None
    return found


class _MisplacedError(CardError):
    """A mistake in one value of a card's table."""

    def __init__(self, message: str, *keys: str) -> None:
        super().__init__(message)
        self.keys = keys


def _knobs_of(card: Card, table: Mapping[str, Any], templates: dict[str, str], room: int) -> Iterator[Knob]:
    """The knobs of a card; `room` is how many characters of effects may be tried."""
    if not table:
        raise CardError(f"{card.name} has no knob: name a number of it, such as cost = [1, 3]")
    template = table.get(EFFECT)
    named = _named_numbers(card, template) if EFFECT in table else ()
    ranges = {}
    for key, given in table.items():
        if key == EFFECT:
            continue
        if key not in WEIGHTS and key not in named:
            hint = nearest(key, [*WEIGHTS, EFFECT, *named])
            raise _MisplacedError(f"{card.name} has no number {show(key)} that a knob can change: {hint}", key)
        ranges[key] = _values(card, key, given)
    for number in named:
        if number not in ranges:
            raise _MisplacedError(f"the effect of {card.name} has {{{number}}}, which needs a range of its own", EFFECT)
    own: dict[str, int] = {}
    if named:
        if _characters(str(template), [ranges[number] for number in named]) > room:
            raise _MisplacedError(
                f"the ranges of {card.name} make too many effects (all together, they may have "
                f"{MOST_TRIED_CHARACTERS} characters): take narrower ranges, or fewer numbers",
                EFFECT,
            )
        templates[_name(card)] = str(template)
        own = _own_numbers(card, str(template), {number: ranges[number] for number in named})
    for key, values in ranges.items():
        if key in WEIGHTS:
            own[key] = _own_field(card, key)
            if own[key] not in values:
                raise _MisplacedError(
                    f"the {key} of {card.name} is {own[key]}, and its range must contain that, "
                    "because a patch can leave it unchanged",
                    key,
                )
        yield Knob(_name(card), key, own[key], values, WEIGHTS.get(key, EFFECT_WEIGHT))


def _name(card: Card) -> str:
    """How a patch names a card: tokens have ids only."""
    return card.name if card.collectible else card.id


def _named_numbers(card: Card, template: object) -> tuple[str, ...]:
    if not isinstance(template, str):
        raise _MisplacedError(f"the effect of {card.name} must be a text, not {show(template)}", EFFECT)
    named = tuple(dict.fromkeys(_NAMED.findall(template)))
    if not named:
        raise _MisplacedError(
            f"the effect of {card.name} names no number: write one as {{damage}}, and its range as damage = [2, 5]",
            EFFECT,
        )
    taken = next((number for number in named if number in FIELDS), None)
    if taken is not None:
        raise _MisplacedError(
            f"a number of an effect cannot be called {taken}: cards have a field of this name", EFFECT
        )
    return named


def _values(card: Card, key: str, given: object) -> tuple[int, ...]:
    """The values of a knob: `[low, high]`, or a table with a list of values."""
    if isinstance(given, Mapping) and set(given) == {"values"} and isinstance(given["values"], list):
        values = given["values"]
    elif isinstance(given, list) and len(given) == 2 and all(map(_is_whole, given)):
        if not 0 < given[1] - given[0] < _MOST_VALUES:
            raise _MisplacedError(f"{card.name}: {key} goes from a smaller to a larger number, not {given}", key)
        values = list(range(given[0], given[1] + 1))
    else:
        raise _MisplacedError(
            f"{card.name}: write {key} as a range, such as [2, 5], or as {{ values = [2, 4, 5] }}, whole numbers", key
        )
    if not 2 <= len(values) <= _MOST_VALUES or not all(map(_is_whole, values)):
        raise _MisplacedError(f"{card.name}: {key} needs two whole numbers or more, and at most {_MOST_VALUES}", key)
    return tuple(sorted(set(values)))


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _own_field(card: Card, key: str) -> int:
    is_weapon, is_minion = card.type is CardType.weapon, card.type is CardType.minion
    has = {"cost": True, "attack": is_weapon or is_minion, "health": not is_weapon, "durability": is_weapon}
    if not has[key] or (key == "health" and card.type is CardType.spell):
        raise _MisplacedError(f"{card.name} is a {card.type.name} and has no {key}", key)
    return int(getattr(card, FIELDS[key][0]))


def _own_numbers(card: Card, template: str, ranges: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The numbers with which the template is the card's own effect.

    Raises:
        CardError: If there are none in the ranges, or the effect cannot be read.
    """
    for values in product(*ranges.values()):
        numbers = dict(zip(ranges, values, strict=True))
        try:
            effects = parse_effects(_filled(template, numbers))
        except CardError as error:
            raise _MisplacedError(f"{card.name} {error}", EFFECT) from None
        if effects == card.effects:
            return numbers
    raise _MisplacedError(
        f"no numbers in these ranges make the effect that {card.name} has today: {effects_text(card.effects)}", EFFECT
    )


def _characters(template: str, ranges: Sequence[tuple[int, ...]]) -> int:
    """The size of all effects that a template makes."""
    return len(template) * prod(map(len, ranges))


def _filled(template: str, numbers: Mapping[str, int]) -> str:
    return _NAMED.sub(lambda found: str(numbers[found[1]]), template)


def _check_cards(found: HearthstoneRebalancer, document: Document, names: list[str]) -> None:
    """Checks that the cards are possible with all knobs at their lowest and at their highest values.

    Raises:
        RunError: If one is not; the message has the place of its knob.
    """
    for end in (0, -1):
        ends = tuple(knob.values[end] for knob in found.knobs)
        try:
            found.edition(ends)
        except CardError as error:
            own = tuple(knob.own for knob in found.knobs)
            for at, knob in enumerate(found.knobs):
                try:
                    found.edition((*own[:at], ends[at], *own[at + 1 :]))
                except CardError as single:
                    name = next(each for each in names if found.base[each] is found.base[knob.card])
                    raise RunError(f"{document.place(('knobs', name, knob.name))}: {single}") from None
            raise RunError(f"{document.place(('knobs',))}: {error}") from None
