"""States and actions of Hearthstone.

`State` and `Action` come from the core; this module reads states from text and prints them in readable form.
"""

import copyreg
import re
from urllib.parse import unquote

from deckatlas._core.hearthstone import (
    ACTION_NUMBERS,
    Action,
    ActionKind,
    CardSet,
    HandCard,
    Minion,
    Side,
    State,
    Unseen,
    Weapon,
)
from deckatlas.arguments import checked
from deckatlas.errors import CardError, StateError
from deckatlas.games.chance import Rng
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.cards.editions import edition as edition_named
from deckatlas.games.hearthstone.setup import EditionLike, edition_of
from deckatlas.shapes import show

__all__ = [
    "ACTION_NUMBERS",
    "ENEMY_HERO",
    "OWN_HERO",
    "Action",
    "ActionKind",
    "HandCard",
    "Minion",
    "Rng",
    "Side",
    "State",
    "Unseen",
    "Weapon",
    "describe",
    "read_state",
]

OWN_HERO, ENEMY_HERO = 1, 9  # codes of targets; minions follow their hero
_EDITION = re.compile(r"(?:^| )edition=([^ ]*)")


@checked
def read_state(text: str, *, edition: EditionLike | None = None) -> State:
    """Reads the text that `State.to_text` writes.

    Args:
        text: The line.
        edition: The edition of the cards. The text contains its name, so this is only needed for custom editions.

    Raises:
        StateError: If it is not such a text; the message names the wrong field.
    """
    if not isinstance(text, str):
        raise StateError(f"a state is read from a text, not from {show(text)}")
    line = text.strip()
    try:
        cards = _named_edition(line) if edition is None else edition_of(edition)
    except CardError as error:
        raise StateError(f"state text: edition: {error}") from None
    return State.from_text(cards.card_set, line)


def _named_edition(line: str) -> Edition:
    """The edition that a text names: a shipped one, never a file."""
    named = _EDITION.search(line)
    if named is None:
        raise StateError("state text: edition: missing")
    return edition_named(unquote(named[1]))


def minion_text(minion: Minion) -> str:
    """A minion in readable form: its name, attack, health and keywords."""
    return " ".join([minion.name, f"{minion.attack}/{minion.health}", *minion.keywords])


def _side_lines(state: State, player: int) -> list[str]:
    side = state.side(player)
    arrow = ">" if state.player_to_move == player and not state.is_over else " "
    head = [f"{arrow} player {player}, {side.hero_name}: health {side.health}"]
    head += [f"armor {side.armor}"] if side.armor else []
    head += [f"attack {side.attack}"] if side.attack else []
    head += [f"mana {side.mana}/{side.crystals}", f"deck {len(side.deck)}"]
    head += [word for word, holds in (("frozen", side.frozen), ("immune", side.immune)) if holds]
    names = state.cards.name_of
    hand = ", ".join(card.name if card.cost is None else f"{card.name} ({card.cost})" for card in side.hand)
    board = "  ".join(minion_text(minion) + "*" * minion.can_attack for minion in side.board)
    lines = [", ".join(head), f"    hand:    {hand or '-'}", f"    board:   {board or '-'}"]
    if side.weapon is not None:
        lines.append(f"    weapon:  {side.weapon.name} {side.weapon.attack}/{side.weapon.durability}")
    if side.secrets:
        lines.append(f"    secrets: {', '.join(names(card) for card in side.secrets)}")
    return lines


def describe(state: State) -> str:
    """A state as readable text; `*` marks minions that can attack."""
    whose = "" if state.viewer is None else f", as player {state.viewer} sees it"
    player = state.player_to_move
    match state.phase:
        case "over" if state.winner is None:
            stands = "the game is void" if state.is_void else "nobody has won"
        case "over":
            stands = f"player {state.winner} has won"
        case "mulligan":
            stands = f"player {player} to say which cards to keep"
        case "choice":
            offered = ", ".join(state.cards.name_of(card) for card in state.choices)
            stands = f"player {player} to choose one of {offered}"
        case _:
            stands = f"player {player} to move"
    return "\n".join([f"turn {state.turn}, {stands}{whose}", *_side_lines(state, 0), *_side_lines(state, 1)])


def _action(text: str) -> Action:
    return Action.from_text(text)


def _state(cards: CardSet, text: str) -> State:
    return State.from_text(cards, text)


# States and actions cross processes as their texts.
copyreg.pickle(Action, lambda action: (_action, (str(action),)))
copyreg.pickle(State, lambda state: (_state, (state.cards, state.to_text())))

# The core's class prints itself as readable text, and its repr can be read back.
setattr(State, "__str__", describe)  # noqa: B010
setattr(State, "__repr__", lambda state: f"read_state({state.to_text()!r})")  # noqa: B010
