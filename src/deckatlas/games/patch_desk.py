"""A desk to write patches at: the cards of an edition with the values that a patch can change, checked as one types."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deckatlas.documents.toml_text import toml_text
from deckatlas.errors import CardError, DeckatlasError

if TYPE_CHECKING:  # studies are slow to import
    from deckatlas.balancing.subject import CardChange
    from deckatlas.games.game import Game

NUMBER, WORDS, CODE = "number", "words", "code"
MOST_PROBLEMS = 20


@dataclass(frozen=True)
class PatchField:
    """A value of cards that patches can change.

    Attributes:
        name: Its name in patches.
        kind: `number`; `words`, such as keywords; or `code`, a longer text.
        less_is_better: Whether a smaller number makes a card better, as a cost does.
    """

    name: str
    kind: str
    less_is_better: bool = False


@dataclass(frozen=True)
class PatchCard:
    """A card at the desk.

    Attributes:
        id: How patches name it.
        name: Its name.
        group: Where people look for it, such as its class.
        kind: What it is, such as a minion.
        values: The values of its fields; a card lacks fields that mean nothing for it.
        text: What it does, generated from its values.
    """

    id: str
    name: str
    group: str
    kind: str
    values: Mapping[str, int | str]
    text: str


@dataclass(frozen=True)
class PatchDesk:
    """The cards of an edition.

    Attributes:
        edition: The edition.
        editions: All editions that a patch can change.
        fields: What can be changed.
        cards: The cards.
    """

    edition: str
    editions: tuple[str, ...]
    fields: tuple[PatchField, ...]
    cards: tuple[PatchCard, ...]


@dataclass(frozen=True)
class PatchedCards:
    """What a patch without a mistake does.

    Attributes:
        patch: The patch, as balance studies take it.
        changes: What it changes, card by card.
        texts: The generated text of each changed card, by id.
    """

    patch: Any
    changes: "tuple[CardChange, ...]"
    texts: Mapping[str, str]


@dataclass(frozen=True)
class CheckedPatch:
    """A patch as it is typed.

    Attributes:
        problems: Its mistakes, one line each.
        changes: What it changes, as far as its cards have no mistake.
        texts: The generated texts of these cards, by id.
        toml: The patch as a file.
    """

    problems: tuple[str, ...]
    changes: "tuple[CardChange, ...]"
    texts: Mapping[str, str]
    toml: str


def patch_toml(values: Mapping[str, Any]) -> str:
    """A patch, given as plain data, as a file that commands read."""
    return toml_text({key: value for key, value in values.items() if value or key == "name"})


def check_patch(game: "Game", values: Mapping[str, Any]) -> CheckedPatch:
    """Checks a patch, given as plain data; cards with a mistake do not hide what the others do.

    Args:
        game: The game.
        values: The patch: `name`, `base` and `cards`.

    Raises:
        GameError: If the game's cards cannot be patched.
    """
    toml = patch_toml(values)
    try:
        whole = game.patched_cards(values)
    except CardError as error:
        found = [str(error)]
    else:
        return CheckedPatch((), whole.changes, whole.texts, toml)
    sound: dict[str, Any] = {}
    of_cards: list[str] = []
    for card, change in values.get("cards", {}).items():
        try:
            game.patched_cards({**values, "cards": {card: change}})
            sound[card] = change
        except DeckatlasError as error:
            of_cards.append(str(error))
            if len(of_cards) >= MOST_PROBLEMS:
                break
    problems = tuple(dict.fromkeys(of_cards or found))
    try:
        rest = game.patched_cards({**values, "cards": sound})
    except CardError:
        return CheckedPatch(problems, (), {}, toml)
    return CheckedPatch(problems, rest.changes, rest.texts, toml)
