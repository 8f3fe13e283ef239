"""States and actions of Legends of Code and Magic 1.2.

`State` and `Action` come from the core; this module starts games, reads them from text, and prints them.
"""

import copyreg
from collections.abc import Sequence

import numpy as np

from deckatlas._core.locm import ACTION_NUMBERS, Action, CardTable, Creature, HandCard, Side, State
from deckatlas.arguments import checked
from deckatlas.errors import StateError
from deckatlas.games.chance import Rng, check_seed
from deckatlas.games.locm.cards import card_name, check_deck
from deckatlas.games.locm.editions import DEFAULT, EditionLike, cards_in, edition_of
from deckatlas.shapes import show

__all__ = [
    "ACTION_NUMBERS",
    "FORMATS",
    "Action",
    "Creature",
    "HandCard",
    "Rng",
    "Side",
    "State",
    "check_seed",
    "describe",
    "new_game",
    "read_state",
]

FORMATS = ("referee", "distinct")


@checked
def new_game(
    *,
    seed: int = 0,
    draft_seed: int | None = None,
    format: str = "referee",
    decks: tuple[Sequence[int], Sequence[int]] | None = None,
    edition: EditionLike = DEFAULT,
) -> State:
    """Starts a game.

    Args:
        seed: The official referee's seed: it shows the same draft and shuffles the same decks.
        draft_seed: A separate seed for the draft, so that many games can follow one draft; by default `seed`.
        format: How the draft offers cards: "referee" (a pool of 60, three different cards per pick, repeats between
            picks) or "distinct" (90 different cards, each shown once).
        decks: Two decks of thirty card ids; the game then starts with the battle.
        edition: The edition of the cards: "1.2", a TOML file with a patch, or an `Edition`.

    Raises:
        CardError: If there is no such edition.
        StateError: If a seed or the format is not valid, or `draft_seed` is given with decks.
        DeckError: If a deck is not valid.
    """
    if format not in FORMATS:
        raise StateError(f"unknown draft format {show(format)}: use {' or '.join(FORMATS)}")
    table = edition_of(edition).table
    if decks is None:
        of_draft = seed if draft_seed is None else draft_seed
        return State.new_game(table, check_seed(of_draft), check_seed(seed), format)
    if draft_seed is not None:
        raise StateError("with decks there is no draft: leave out draft_seed")
    if not isinstance(decks, Sequence) or len(decks) != 2:
        raise StateError(f"a game has two decks, not {show(decks)}")
    return State.from_decks(table, np.stack([check_deck(deck) for deck in decks]), check_seed(seed))


@checked
def read_state(text: str, *, edition: EditionLike = DEFAULT) -> State:
    """Reads the text that `State.to_text` writes.

    Args:
        text: The line of text.
        edition: The edition of the cards. The text has its name and a hash of its cards, unless they are the official
            ones; other cards are refused.

    Raises:
        CardError: If there is no such edition.
        StateError: If it is not such a text, or has other cards; the message names the wrong field.
    """
    if not isinstance(text, str):
        raise StateError(f"a state is read from a text, not from {show(text)}")
    return State.from_text(edition_of(edition).table, text.strip())


def _creature_text(creature: Creature) -> str:
    keywords = creature.keywords.replace("-", "")
    name = f"{card_name(creature.card)}#{creature.instance}"
    return f"{name} {creature.attack}/{creature.defense} {keywords}".rstrip() + ("*" if creature.can_attack else "")


def _side_lines(state: State, player: int) -> list[str]:
    side, cards = state.side(player), cards_in(state)
    arrow = ">" if state.player_to_move == player and not state.is_over else " "
    head = (
        f"{arrow} player {player}: health {side.health}, mana {side.mana}/{side.max_mana}, "
        f"next rune {5 * side.runes or '-'}, deck {side.deck_left}, draws {side.next_draw}"
    )
    hand = ", ".join(
        f"{card_name(card.card)}#{card.instance} ({cards[card.card - 1].cost})" if card.card else f"?#{card.instance}"
        for card in side.hand
    )
    lines = [head, f"    hand:   {hand or '-'}"]
    for lane, name in enumerate(("left", "right")):
        creatures = "  ".join(_creature_text(c) for c in side.creatures if c.lane == lane)
        lines.append(f"    {name + ':':<7} {creatures or '-'}")
    return lines


def describe(state: State) -> str:
    """A state as readable text; `*` marks creatures that can attack."""
    whose = "" if state.viewer is None else f", as player {state.viewer} sees it"
    if not state.in_battle:
        made = len(state.chosen(state.player_to_move))
        offer = [str(cards_in(state)[card - 1]) if card else "?" for card in state.offers[made]]
        lines = [f"draft, pick {made + 1} of 30, player {state.player_to_move} to choose{whose}"]
        return "\n".join(lines + [f"    PICK {i}: {card}" for i, card in enumerate(offer)])
    end = f"player {state.winner} has won" if state.is_over else f"player {state.player_to_move} to move"
    return "\n".join([f"turn {state.turn}, {end}{whose}", *_side_lines(state, 0), *_side_lines(state, 1)])


def _action(text: str) -> Action:
    return Action.from_text(text)


def _state(cards: CardTable, text: str) -> State:
    return State.from_text(cards, text)


# States and actions cross processes as their texts.
copyreg.pickle(Action, lambda action: (_action, (str(action),)))
copyreg.pickle(State, lambda state: (_state, (state.cards, state.to_text())))

# Printing needs card names, which only Python knows.
setattr(State, "__str__", describe)  # noqa: B010
setattr(State, "__repr__", lambda state: f"read_state({state.to_text()!r})")  # noqa: B010
