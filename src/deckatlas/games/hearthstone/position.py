"""Builds positions of Hearthstone by hand, in the form of the scenario files, and runs scenarios.

A scenario is a mapping with both sides, `me` and `op`, and optionally with actions and expectations:

| key of a side | meaning | default |
|---|---|---|
| `class` | the hero's class, such as `MAGE`, in upper or lower case | required |
| `mana`, `max_mana` | mana left, mana crystals | all of them, 10 |
| `health`, `armor`, `fatigue` | of the hero; number of draws from the empty deck | 30, 0, 0 |
| `hand` | up to ten cards | empty |
| `board` | up to seven minions from the left, a card or `{"id": card, "damage": 1, "sick": true}` | empty |
| `deck` | up to thirty cards, the next one to draw first | ten Wisps |
| `weapon` | a weapon or null | null |
| `secrets` | up to five secrets, all different | empty |

A card is an id, or the name of a collectible card. `me` is player 0 and is to move. `do` lists actions and checks:
`{"play": card, "target": "op.board.0", "position": 1, "choose": card}`, `{"attack": "me.board.0", "target":
"op.hero"}`, `{"power": true, "target": ...}`, `{"pick": card}`, `{"end_turn": true}`, `{"illegal": action}` and
`{"check": facts}`. `expect` lists facts about the final state, such as `{"op.hero.health": 24}`; a fact is a value or
`{"min": 1, "max": 3}` or `{"in": [...]}`. A scenario may also have remarks, such as `name` and `note`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deckatlas.arguments import checked
from deckatlas.errors import CardError, DeckError, StateError
from deckatlas.games.chance import check_seed
from deckatlas.games.hearthstone.cards.codes import CardType
from deckatlas.games.hearthstone.cards.decks import check_class
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.games.hearthstone.cards.table import Card
from deckatlas.games.hearthstone.reference import REMARKS, anything, check_doings, check_facts, or_null
from deckatlas.games.hearthstone.scenarios import Stage, problems_of
from deckatlas.games.hearthstone.setup import EditionLike, edition_of
from deckatlas.games.hearthstone.state import State
from deckatlas.shapes import Check, Misfit, flag, list_of, number_between, record, text

MAX_CRYSTALS = 10
_PLAYABLE = (CardType.minion, CardType.spell, CardType.weapon)
_CARD_KEYS = ("play", "choose", "pick")  # keys of actions that name a card


@dataclass(frozen=True)
class ScenarioResult:
    """The result of a scenario: failed expectations, in words, and the final state.

    Attributes:
        problems: One line for each fact that is wrong and each action that was unexpectedly legal or illegal.
        state: The state after all actions, or before the first illegal action.
    """

    problems: tuple[str, ...]
    state: State

    @property
    def holds(self) -> bool:
        """Whether everything is as expected."""
        return not self.problems

    def __str__(self) -> str:
        return "\n".join(self.problems) or "holds"


@checked
def scenario(description: Mapping[str, Any], *, edition: EditionLike = DEFAULT) -> State:
    """The position of a scenario; the module's documentation lists the keys.

    Args:
        description: Both sides, `me` and `op`; other keys of a scenario are checked, but not carried out.
        edition: The edition of the cards, or its name.

    Raises:
        CardError: If there is no such edition.
        StateError: If the description makes no sense; the message names the place.
    """
    cards = edition_of(edition)
    return _stage(_in_ids(description, cards), cards, seed=0).state.copy()


@checked
def run_scenario(description: Mapping[str, Any], *, edition: EditionLike = DEFAULT, seed: int = 0) -> ScenarioResult:
    """Runs a scenario: builds its position, carries out its actions and checks its expectations.

    Args:
        description: The scenario, in the form of the scenario files; `do` and `expect` are optional.
        edition: The edition of the cards, or its name.
        seed: Seed of everything random.

    Raises:
        CardError: If there is no such edition.
        StateError: If the description makes no sense; the message names the place.
        TraceError: If it names an impossible fact or place.
    """
    cards = edition_of(edition)
    whole = _in_ids(description, cards)
    stage = _stage(whole, cards, seed=check_seed(seed))
    return ScenarioResult(tuple(problems_of(stage, whole)), stage.state.copy())


def _stage(whole: Mapping[str, Any], cards: Edition, *, seed: int) -> Stage:
    # The core or its text reader refuses impossible positions, such as a dead minion on the board.
    try:
        stage = Stage(cards, whole, seed)
        State.from_text(cards.card_set, stage.state.to_text())
    except StateError as error:
        where = str(error).removeprefix("state text: ").replace("board0", "me.board").replace("board1", "op.board")
        raise StateError(where) from None
    return stage


# ---- the form --------------------------------------------------------------------------------------------------------


def _in_ids(description: Mapping[str, Any], cards: Edition) -> dict[str, Any]:
    """The checked scenario, with ids for names and with defaults filled in."""
    side = _side_check(cards)
    card = _card_check(cards, "a card", lambda card: True)
    shape = record(
        {"me": side, "op": side}, {"do": check_doings, "expect": check_facts, **dict.fromkeys(REMARKS, anything)}
    )
    try:
        shape(description)
        for number, action in enumerate(description.get("do", ())):
            _check_named(action.get("illegal", action), card, f".do[{number}]")
    except Misfit as misfit:
        raise StateError(str(misfit)) from None
    return {
        **description,
        "me": _whole_side(description["me"], cards),
        "op": _whole_side(description["op"], cards),
        "do": [_action_in_ids(action, cards) for action in description.get("do", ())],
        "expect": description.get("expect", {}),
    }


def _card_check(cards: Edition, what: str, fits: Callable[[Card], bool]) -> Check:
    def check(value: Any) -> None:
        text(value)
        try:
            card = cards[value]
        except CardError as error:
            raise Misfit(str(error)) from None
        if not fits(card):
            raise Misfit(f"{card.name} ({card.id}) is not {what}")

    return check


def _hero_class(value: Any) -> None:
    try:
        check_class(value)
    except DeckError as error:
        raise Misfit(str(error)) from None


def _side_check(cards: Edition) -> Check:
    playable = _card_check(cards, "a card for a hand or a deck", lambda card: card.type in _PLAYABLE)
    minion = _card_check(cards, "a minion", lambda card: card.type is CardType.minion)
    weapon = _card_check(cards, "a weapon", lambda card: card.type is CardType.weapon)
    secret = _card_check(cards, "a secret", lambda card: "secret" in card.keywords)
    on_board = record({"id": minion}, {"damage": number_between(0, 1000), "sick": flag})
    shape = record(
        {"class": _hero_class},
        {
            "mana": number_between(0, MAX_CRYSTALS),
            "max_mana": number_between(0, MAX_CRYSTALS),
            "health": number_between(1, 1000),
            "armor": number_between(0, 1000),
            "fatigue": number_between(0, 200),
            "board": list_of(lambda value: minion(value) if isinstance(value, str) else on_board(value), most=7),
            "hand": list_of(playable, most=10),
            "deck": list_of(playable, most=30),
            "weapon": or_null(weapon),
            "secrets": list_of(secret, most=5),
        },
    )

    def check(value: Any) -> None:
        shape(value)
        crystals = value.get("max_mana", MAX_CRYSTALS)
        if value.get("mana", crystals) > crystals:
            raise Misfit(f"{value['mana']} of {crystals} crystals", ".mana")
        secrets = [cards[name].id for name in value.get("secrets", ())]
        if len(set(secrets)) < len(secrets):
            raise Misfit("the same secret is listed twice", ".secrets")

    return check


def _whole_side(side: Mapping[str, Any], cards: Edition) -> dict[str, Any]:
    crystals = side.get("max_mana", MAX_CRYSTALS)
    whole = {"max_mana": crystals, "mana": crystals, **side, "class": check_class(side["class"])}
    for zone in ("hand", "deck", "secrets"):
        if zone in side:
            whole[zone] = [cards[name].id for name in side[zone]]
    if side.get("weapon") is not None:
        whole["weapon"] = cards[side["weapon"]].id
    board = [entry if isinstance(entry, Mapping) else {"id": entry} for entry in side.get("board", ())]
    whole["board"] = [{**entry, "id": cards[entry["id"]].id} for entry in board]
    return whole


def _check_named(action: Mapping[str, Any], card: Check, where: str) -> None:
    for key in _CARD_KEYS:
        if key in action:
            try:
                card(action[key])
            except Misfit as misfit:
                raise misfit.within(f"{where}.{key}") from None


def _action_in_ids(action: Mapping[str, Any], cards: Edition) -> dict[str, Any]:
    if "illegal" in action:
        return {"illegal": _action_in_ids(action["illegal"], cards)}
    return {key: cards[value].id if key in _CARD_KEYS else value for key, value in action.items()}
