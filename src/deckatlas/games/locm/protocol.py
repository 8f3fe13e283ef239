"""The official text protocol of Legends of Code and Magic: the referee's side and the program's side.

The referee's side writes a program's input (`player_input`) and parses its answers (`parse_pick`, `parse_turn`), as
strictly as the official referee does. The program's side reads one turn's input (`read_input`).

A turn's input is a block of lines: the player, its opponent, the opponent's number of cards in hand and number of
actions last turn, these actions, the number of cards, and the cards. The answer is one line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NoReturn, TextIO

from deckatlas.errors import IllegalActionError, StateError
from deckatlas.games.locm.cards import KEYWORDS, TYPES, Card, cards
from deckatlas.games.locm.editions import cards_in
from deckatlas.games.locm.state import Action, Creature, Side, State
from deckatlas.play.players import Forfeit

HAND, OWN_BOARD, ENEMY_BOARD = 0, 1, -1  # locations of a card
NO_INSTANCE = -1
NO_LANE = -1

_FIRST_PICK_SECONDS, _PICK_SECONDS = 1.0, 0.1
_FIRST_TURN_SECONDS, _TURN_SECONDS = 1.0, 0.2
_DRAFT_NUMBERS = "30 0 {picks} 25 0"  # a player line of the draft: only the number of picks changes
_BLANKS = "".join(map(chr, range(33)))  # the characters that the official referee trims
_SHOWN = 40  # characters of a program's output in an error message


@dataclass(frozen=True)
class LoggedAction:
    """An action of the battle: its half-turn, its player, and its card (0 for PASS)."""

    turn: int
    player: int
    card: int
    action: Action


def acting_card(state: State, action: Action) -> int:
    """The card id of an action of the battle; 0 for PASS."""
    side = state.side(state.player_to_move)
    cards = {card.instance: card.card for card in side.hand} | {c.instance: c.card for c in side.creatures}
    return 0 if action.verb == "PASS" else cards[action.id]


# ---- the referee's side ----------------------------------------------------------------------------------------------


def time_limit(state: State) -> float:
    """The time limit for the next answer, in seconds; longer for the first pick and the first turn of the battle."""
    if state.in_battle:
        return _FIRST_TURN_SECONDS if state.turn < 2 else _TURN_SECONDS
    return _PICK_SECONDS if state.chosen(state.player_to_move) else _FIRST_PICK_SECONDS


def player_input(state: State, log: Sequence[LoggedAction]) -> str:
    """The input block for the player to move.

    Args:
        state: The game at the start of a turn or before a pick.
        log: The battle's actions so far.
    """
    lines = _battle_lines(state, log) if state.in_battle else _draft_lines(state)
    return "".join(f"{line}\n" for line in lines)


def _draft_lines(state: State) -> list[str]:
    player = state.player_to_move
    picks = [len(state.chosen(each)) for each in (player, 1 - player)]
    offer = state.offers[picks[0]]
    return [
        *(_DRAFT_NUMBERS.format(picks=made) for made in picks),
        "0 0",
        str(len(offer)),
        *(_card_line(cards_in(state)[card - 1], NO_INSTANCE) for card in offer),
    ]


def _battle_lines(state: State, log: Sequence[LoggedAction]) -> list[str]:
    own, enemy = state.side(state.player_to_move), state.side(1 - state.player_to_move)
    actions = _last_actions(state, log)
    cards = cards_in(state)
    shown = [
        *(_card_line(cards[card.card - 1], card.instance) for card in own.hand),
        *(_creature_line(creature, cards[creature.card - 1], OWN_BOARD) for creature in own.creatures),
        *(_creature_line(creature, cards[creature.card - 1], ENEMY_BOARD) for creature in enemy.creatures),
    ]
    return [
        _player_line(own),
        _player_line(enemy),
        f"{len(enemy.hand)} {len(actions)}",
        *actions,
        str(len(shown)),
        *shown,
    ]


def _player_line(side: Side) -> str:
    return f"{side.health} {side.max_mana} {side.deck_left} {5 * side.runes} {side.shown_draw}"


def _last_actions(state: State, log: Sequence[LoggedAction]) -> list[str]:
    """The opponent's actions in its last turn, in order."""
    recent = takewhile(lambda entry: entry.turn >= state.turn - 1, reversed(log))
    actions = [entry for entry in recent if entry.turn == state.turn - 1 and entry.action.verb != "PASS"]
    return [f"{entry.card} {entry.action}" for entry in reversed(actions)]


def _card_line(card: Card, instance: int) -> str:
    return (
        f"{card.id} {instance} {HAND} {TYPES.index(card.type)} {card.cost} {card.attack} {card.defense} "
        f"{card.keywords} {card.player_health} {card.enemy_health} {card.draw} {NO_LANE}"
    )


def _creature_line(creature: Creature, card: Card, location: int) -> str:
    effects = (0, 0, 0) if creature.touched else (card.player_health, card.enemy_health, card.draw)
    return (
        f"{card.id} {creature.instance} {location} {TYPES.index(card.type)} {card.cost} {creature.attack} "
        f"{creature.defense} {creature.keywords} {effects[0]} {effects[1]} {effects[2]} {creature.lane}"
    )


def parse_pick(line: str, state: State) -> Action:
    """Parses a pick: `PICK 0|1|2`, `CHOOSE <card id>` or `PASS`, which takes the first card.

    Raises:
        Forfeit: If the answer is anything else.
    """
    command = line.strip(_BLANKS)
    verb, _, arguments = command.partition(" ")
    offer = state.offers[len(state.chosen(state.player_to_move))]
    if verb == "CHOOSE":
        card = _parse_command(f"PICK {arguments}", command).id
        if card not in offer:
            raise Forfeit(f"chose card {card}, which is not among the offered cards")
        return _pick(offer.index(card))
    action = _parse_command(command, command)
    if action.verb == "PASS":
        return _pick(0)
    if not state.is_legal(action):
        raise Forfeit(f"answered {_quoted(command)} in the draft")
    return action


def parse_turn(line: str) -> list[Action]:
    """Parses the actions of a turn, legal or not; PASS does nothing and is left out.

    Raises:
        Forfeit: If one of them is malformed.
    """
    actions = []
    for part in line.split(";"):
        command = part.strip(_BLANKS)
        if not command:
            continue
        action = _parse_command(command, command)
        if action.verb == "PICK":
            raise Forfeit(f"answered {_quoted(command)} in the battle")
        if action.verb != "PASS":
            actions.append(action)
    return actions


def _pick(choice: int) -> Action:
    return Action.from_text(f"PICK {choice}")


def _parse_command(text: str, written: str) -> Action:
    try:
        return Action.from_text(text)
    except IllegalActionError:
        raise Forfeit(f"malformed command {_quoted(written)}") from None


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


# ---- the program's side ----------------------------------------------------------------------------------------------

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_KEYWORDS = re.compile("".join(f"[{letter}-]" for letter in KEYWORDS))
_MAX_LINE = 200
_MAX_ACTIONS = 200  # a turn has far fewer: eight cards to play and six creatures to attack with
_MAX_CARDS = 8 + 6 + 6  # a full hand and two full boards

# Names of the numbers in the line of a player and of a card, in order, and their ranges.
_PLAYER_BOUNDS = {"health": (-999_999, 999_999), "max_mana": (0, 13), "deck": (0, 30), "rune": (0, 25), "draw": (0, 99)}
_CARD_BOUNDS = {
    "card": (1, 160),
    "instance": (NO_INSTANCE, 60),
    "location": (ENEMY_BOARD, OWN_BOARD),
    "type": (0, len(TYPES) - 1),
    "cost": (0, 99),
    "attack": (-99, 511),
    "defense": (-99, 511),
    "player_health": (-99, 99),
    "enemy_health": (-99, 99),
    "draw": (0, 99),
    "lane": (NO_LANE, 1),
}


@dataclass(frozen=True)
class PlayerLine:
    """One player in the input; for the opponent, `draw` is the value at the end of its last turn."""

    health: int
    max_mana: int
    deck: int
    rune: int
    draw: int


@dataclass(frozen=True)
class CardLine:
    """A card of the input: a creature on the board as it is now, any other card as printed.

    `type` is an index into `deckatlas.games.locm.cards.TYPES`.
    """

    card: int
    instance: int
    location: int
    type: int
    cost: int
    attack: int
    defense: int
    keywords: str
    player_health: int
    enemy_health: int
    draw: int
    lane: int


@dataclass(frozen=True)
class TurnInput:
    """One turn's input; the opponent's actions come with the id of the acting card."""

    own: PlayerLine
    opponent: PlayerLine
    opponent_hand: int
    opponent_actions: tuple[tuple[int, Action], ...]
    cards: tuple[CardLine, ...]

    @property
    def in_draft(self) -> bool:
        """Whether the input asks for a pick: in a battle the player to move has mana."""
        return self.own.max_mana == 0

    def at(self, location: int) -> list[CardLine]:
        """The cards at `HAND`, `OWN_BOARD` or `ENEMY_BOARD`, in order."""
        return [card for card in self.cards if card.location == location]


class _Lines:
    """The lines of one block, with errors that name the line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._number = 0
        self._line = ""

    def read(self) -> bool:
        """Takes the next line; false at the end of the stream."""
        self._line = self._stream.readline(_MAX_LINE)
        self._number += 1
        return bool(self._line)

    def next_words(self, what: str, count: int) -> list[str]:
        if not self.read():
            self.fail(f"the input ends where {what} should be")
        return self.words(what, count)

    def words(self, what: str, count: int) -> list[str]:
        words = self._line.split()
        if len(words) != count or not self._line.endswith("\n"):
            self.fail(f"expected {what}, not {_quoted(self._line.rstrip())}")
        return words

    def number(self, what: str, word: str, low: int, high: int) -> int:
        if not _NUMBER.fullmatch(word) or not low <= int(word) <= high:
            self.fail(f"{what} must be a whole number from {low} to {high}, not {_quoted(word)}")
        return int(word)

    def numbers(self, whose: str, words: list[str], bounds: Mapping[str, tuple[int, int]]) -> dict[str, int]:
        named = zip(bounds, words, strict=True)
        return {name: self.number(f"{whose} {name}", word, *bounds[name]) for name, word in named}

    def fail(self, message: str) -> NoReturn:
        raise StateError(f"protocol input, line {self._number} of its block: {message}")


def read_input(stream: TextIO) -> TurnInput | None:
    """Reads one turn's input; None if the stream ends before it starts, as it does after a game.

    Raises:
        StateError: If it is malformed or cut off.
    """
    lines = _Lines(stream)
    if not lines.read():
        return None
    own = _read_player(lines, lines.words("a player's five numbers", 5))
    opponent = _read_player(lines, lines.next_words("the opponent's five numbers", 5))
    words = lines.next_words("the opponent's hand size and number of actions", 2)
    hand = lines.number("the opponent's hand size", words[0], 0, 8)
    actions = [_read_action(lines) for _ in range(lines.number("the number of actions", words[1], 0, _MAX_ACTIONS))]
    count = lines.number("the number of cards", lines.next_words("the number of cards", 1)[0], 0, _MAX_CARDS)
    shown = [_read_card(lines) for _ in range(count)]
    turn = TurnInput(own, opponent, hand, tuple(actions), tuple(shown))
    if turn.in_draft and (len(shown) != 3 or actions):
        lines.fail("a draft shows three cards and no actions")
    return turn


def _read_player(lines: _Lines, words: list[str]) -> PlayerLine:
    return PlayerLine(**lines.numbers("a player's", words, _PLAYER_BOUNDS))


def _read_action(lines: _Lines) -> tuple[int, Action]:
    card, *words = lines.next_words("a card id and an action of three words", 4)
    try:
        action = Action.from_text(" ".join(words))
    except IllegalActionError as error:
        lines.fail(str(error))
    return lines.number("a card id", card, 1, len(cards())), action


def _read_card(lines: _Lines) -> CardLine:
    words = lines.next_words("the twelve fields of a card", 12)
    keywords = words.pop(7)
    if not _KEYWORDS.fullmatch(keywords):
        lines.fail(f"keywords must be six characters like 'BC-G--', not {_quoted(keywords)}")
    return CardLine(keywords=keywords, **lines.numbers("a card's", words, _CARD_BOUNDS))
