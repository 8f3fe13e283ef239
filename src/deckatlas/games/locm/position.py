"""Builds positions of Legends of Code and Magic from plain dictionaries, and turns states into such dictionaries.

The form is that of the reference files: `{"players": [first, second]}`, with these keys for each player:

| key | meaning | default |
|---|---|---|
| `hp` | health | 30 |
| `max_mana`, `mana` | mana of a full turn, mana left | 12, all of it |
| `bonus_mana` | 1 while the second player's bonus is unspent | 0 |
| `runes_left` or `next_rune` | number of runes left, or the health of the next one (0: none) | all below the health |
| `next_turn_draw` or `bonus_draw` | number of cards to draw next turn, or that number minus one | 1 |
| `hand` | up to eight of `{"id": card, "instance": number}` | empty |
| `lanes` | two lists of up to three creatures in summoning order | empty |
| `deck` | ids of the cards left to draw, the next one first | drawn at random |
| `deck_left` | the number of cards left to draw | 30 minus the drawn cards |

A creature is `{"id": card, "instance": number, "atk": ..., "def": ..., "abilities": "BC-G--", "can_attack": ...,
"has_attacked": ...}`. Its numbers default to those of its card. Creatures of the player to move can attack unless they
already have. An instance encodes a card's place in the draw order, counted from 0 (twice the place, plus the player,
plus one). Cards without an instance get the lowest free places. Drawn cards that are neither in hand nor on the board
were played; they stay unknown.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas.arguments import checked
from deckatlas.errors import StateError
from deckatlas.games.locm.cards import DECK_SIZE, KEYWORDS, cards
from deckatlas.games.locm.state import Creature, Rng, State, check_seed, read_state
from deckatlas.shapes import Misfit, flag, list_of, number_between, record, show, whole_number

RUNE_STEP = 5
MAX_RUNES = 5
MAX_MANA = 12
MAX_TURN = 1000
START_HEALTH = 30
MAX_HEALTH = 9999
MAX_STAT = 99


def known_card(value: Any) -> None:
    """Accepts the id of a card."""
    whole_number(value)
    if not 1 <= value <= len(cards()):
        raise Misfit(f"unknown card {show(value)}")


def _creature_card(value: Any) -> None:
    known_card(value)
    if cards()[value - 1].type != "creature":
        raise Misfit(f"card {value} is not a creature")


def _keywords(value: Any) -> None:
    fits = isinstance(value, str) and len(value) == len(KEYWORDS)
    if not fits or any(letter not in ("-", KEYWORDS[i]) for i, letter in enumerate(value)):
        raise Misfit(f"keywords must be six characters like 'BC-G--', not {show(value)}")


def _rune(value: Any) -> None:
    number_between(0, RUNE_STEP * MAX_RUNES)(value)
    if value % RUNE_STEP:
        raise Misfit(f"runes are at 25, 20, 15, 10 and 5, not at {value}")


_hand_card = record({"id": known_card}, {"instance": whole_number})
_creature = record(
    {"id": _creature_card},
    {
        "instance": whole_number,
        "atk": number_between(0, MAX_STAT),
        "def": number_between(1, MAX_STAT),
        "abilities": _keywords,
        "can_attack": flag,
        "has_attacked": flag,
    },
)
_player = record(
    {},
    {
        "hp": number_between(-MAX_HEALTH, MAX_HEALTH),
        "max_mana": number_between(0, MAX_MANA + 1),
        "mana": number_between(0, MAX_MANA + 1),
        "bonus_mana": number_between(0, 1),
        "next_rune": _rune,
        "runes_left": number_between(0, MAX_RUNES),
        "next_turn_draw": number_between(0, 99),
        "bonus_draw": number_between(-1, 98),
        "deck_left": number_between(0, DECK_SIZE),
        "deck": list_of(known_card, most=DECK_SIZE),
        "hand": list_of(_hand_card, most=8),
        "lanes": list_of(list_of(_creature, most=3), size=2),
    },
)
_description = record({"players": list_of(_player, size=2)})


@checked
def position(
    description: Mapping[str, Any], *, player: int | None = None, turn: int | None = None, seed: int = 0
) -> State:
    """Builds a battle from a dictionary; the module's documentation lists the keys.

    Args:
        description: Both players, in the form of the reference files; most keys are optional.
        player: The player to move. The turn decides by default; without a turn it is the first player.
        turn: The half-turn, counted from 0; even ones belong to the first player. By default, the player's first.
        seed: Seed for a deck that is not given; its cards are drawn uniformly from all cards.

    Raises:
        StateError: If the description makes no sense; the message names the place.
    """
    try:
        _description(description)
        turn = _half_turn(player, turn)
        fields = [f"turn={turn}"]
        for owner, side in enumerate(description["players"]):
            try:
                fields += _side_fields(side, owner, to_move=owner == turn % 2, rng=Rng(check_seed(seed), owner))
            except Misfit as misfit:
                raise misfit.within(f"players[{owner}]") from None
    except Misfit as misfit:
        raise StateError(str(misfit)) from None
    return read_state(" ".join(["locm1.2 phase=battle view=- format=given offers=-", *fields]))


def _half_turn(player: int | None, turn: int | None) -> int:
    for name, value, check in (("player", player, number_between(0, 1)), ("turn", turn, number_between(0, MAX_TURN))):
        if value is not None:
            try:
                check(value)
            except Misfit as misfit:
                raise misfit.within(name) from None
    if turn is None:
        return player or 0
    if player is not None and turn % 2 != player:
        raise Misfit(f"half-turn {turn} belongs to player {turn % 2}, not to player {player}", "turn")
    return turn


@dataclass(frozen=True)
class _Listed:
    """A card of the description, its place in the description, and its lane if it is on the board."""

    card: Mapping[str, Any]
    where: str
    lane: int | None


def _side_fields(side: Mapping[str, Any], owner: int, *, to_move: bool, rng: Rng) -> list[str]:
    """One player, as fields of a state's text."""
    listed = [_Listed(card, f".hand[{i}]", None) for i, card in enumerate(side.get("hand", ()))]
    for lane, row in enumerate(side.get("lanes", ())):
        listed += [_Listed(card, f".lanes[{lane}][{i}]", lane) for i, card in enumerate(row)]
    given = [_given_place(each, owner) for each in listed]
    drawn = _cards_drawn(side, given)
    placed = list(zip(_all_places(listed, given, drawn), listed, strict=True))

    deck: list[int | None] = [None] * drawn
    for place, each in placed:
        deck[place] = each.card["id"]
    deck += side["deck"] if "deck" in side else [1 + rng.below(len(cards())) for _ in range(DECK_SIZE - drawn)]
    hand = sorted(place for place, each in placed if each.lane is None)
    board = [_creature_text(each, place, to_move) for place, each in placed if each.lane is not None]
    return [
        f"cards{owner}={_joined(card for card in deck if card is not None)}",
        f"deck{owner}={_joined('?' if card is None else card for card in deck)}",
        f"p{owner}={','.join(map(str, _numbers(side, drawn, to_move)))}",
        f"hand{owner}={_joined(hand)}",
        f"board{owner}={_joined(board, '/')}",
    ]


def _joined(values: Iterable[object], separator: str = ".") -> str:
    return separator.join(map(str, values)) or "-"


def _given_place(listed: _Listed, owner: int) -> int | None:
    """A card's place in the draw order by its instance, if it has one."""
    if "instance" not in listed.card:
        return None
    instance: int = listed.card["instance"]
    place, rest = divmod(instance - owner - 1, 2)
    if rest or not 0 <= place < DECK_SIZE:
        first, last = 1 + owner, 2 * DECK_SIZE - 1 + owner
        parity = ("odd", "even")[owner]
        raise Misfit(
            f"{show(instance)} is not among the player's {parity} numbers {first} to {last}", f"{listed.where}.instance"
        )
    return place


def _cards_drawn(side: Mapping[str, Any], given: Sequence[int | None]) -> int:
    """The number of drawn cards, including hand and board."""
    named = [place for place in given if place is not None]
    at_least = max(len(given), 1 + max(named, default=-1))
    left: int = side.get("deck_left", len(side["deck"]) if "deck" in side else DECK_SIZE - at_least)
    if "deck" in side and left != len(side["deck"]):
        raise Misfit(f"{left}, but the deck lists {len(side['deck'])} cards", ".deck_left")
    if left > DECK_SIZE - at_least:
        key = ".deck_left" if "deck_left" in side else ".deck"
        raise Misfit(f"{left} cards cannot be left: by hand and board, {at_least} of {DECK_SIZE} were drawn", key)
    return DECK_SIZE - left


def _all_places(listed: Sequence[_Listed], given: Sequence[int | None], drawn: int) -> list[int]:
    """The places of all cards; cards without an instance get the lowest free places."""
    taken: set[int] = set()
    for place, each in zip(given, listed, strict=True):
        if place in taken:
            raise Misfit(f"{each.card['instance']} is given twice", f"{each.where}.instance")
        if place is not None:
            taken.add(place)
    free = (place for place in range(drawn) if place not in taken)
    return [next(free) if place is None else place for place in given]


def _agreed(side: Mapping[str, Any], key: str, other: str, in_key: Callable[[int], int], default: int) -> int:
    """The value of `key`; `other` is another way to give it."""
    if other not in side:
        return int(side.get(key, default))
    value = in_key(side[other])
    if side.get(key, value) != value:
        raise Misfit(f"{side[other]} contradicts {key} {side[key]}", f".{other}")
    return value


def _numbers(side: Mapping[str, Any], drawn: int, to_move: bool) -> tuple[int, ...]:
    """The numbers of one player, in the order of a state's text."""
    health = side.get("hp", START_HEALTH)
    below = max(0, min(MAX_RUNES, (health - 1) // RUNE_STEP))
    runes = _agreed(side, "runes_left", "next_rune", lambda rune: rune // RUNE_STEP, below)
    if runes > below:
        raise Misfit(f"the rune at {RUNE_STEP * runes} is impossible with {health} health", ".hp")
    next_draw = _agreed(side, "next_turn_draw", "bonus_draw", lambda bonus: bonus + 1, 1)
    max_mana = side.get("max_mana", MAX_MANA)
    # For the player to move, the protocol shows the cards requested this turn, which a description does not contain.
    shown_draw = 1 if to_move else next_draw
    return (
        health,
        runes,
        side.get("mana", max_mana),
        max_mana,
        side.get("bonus_mana", 0),
        drawn,
        next_draw,
        shown_draw,
    )


def _creature_text(listed: _Listed, place: int, to_move: bool) -> str:
    given = listed.card
    card = cards()[given["id"] - 1]
    printed = (card.attack, card.defense, card.keywords)
    numbers = tuple(given.get(key, value) for key, value in zip(("atk", "def", "abilities"), printed, strict=True))
    attacked = given.get("has_attacked", False)
    ready = given.get("can_attack", to_move and not attacked)
    touched = attacked or numbers != printed
    flags = "".join(letter if on else "-" for letter, on in (("r", ready), ("a", attacked), ("t", touched)))
    return _joined((listed.lane, place, *numbers, flags))


@checked
def to_dict(state: State) -> dict[str, Any]:
    """A battle as a dictionary, in exactly the form of the reference files.

    Raises:
        StateError: If the state is still in the draft.
    """
    if not state.in_battle:
        raise StateError("a state in the draft has no position")
    return {"players": [_side_dict(state, player) for player in (0, 1)]}


def _side_dict(state: State, player: int) -> dict[str, Any]:
    side = state.side(player)
    creatures = side.creatures
    return {
        "hp": side.health,
        "max_mana": side.max_mana,
        "mana": side.mana,
        "bonus_mana": side.bonus_mana,
        "next_rune": RUNE_STEP * side.runes,
        "runes_left": side.runes,
        "next_turn_draw": side.next_draw,
        "bonus_draw": side.next_draw - 1,
        "deck_left": side.deck_left,
        "hand": [{"id": card.card, "instance": card.instance} for card in side.hand],
        "lanes": [[_creature_dict(creature) for creature in creatures if creature.lane == lane] for lane in (0, 1)],
    }


def _creature_dict(creature: Creature) -> dict[str, Any]:
    return {
        "instance": creature.instance,
        "id": creature.card,
        "atk": creature.attack,
        "def": creature.defense,
        "abilities": creature.keywords,
        "can_attack": creature.can_attack,
        "has_attacked": creature.has_attacked,
    }
