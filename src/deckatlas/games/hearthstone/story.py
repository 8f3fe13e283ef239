"""Games of Hearthstone as readable stories."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from deckatlas.arguments import checked
from deckatlas.errors import TraceError
from deckatlas.games.hearthstone.explanation import Line
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.games.hearthstone.state import (
    ENEMY_HERO,
    OWN_HERO,
    Action,
    ActionKind,
    HandCard,
    Minion,
    Side,
    State,
    minion_text,
)
from deckatlas.play.records import SEATS, as_line
from deckatlas.shapes import show


@checked
def narrate(record: GameRecord, *, decks: tuple[str, str] | None = None) -> str:
    """A game as a readable story: what each player drew and did turn by turn, and the board after each round.

    If the record has explanations, the lines that a player compared are above the action, `>` marks the played one, and
    every action begins with the chance to win before it, as its player sees it.

    Args:
        record: The game.
        decks: The names of the first and the second player's deck, for the heading; records do not have them.

    Raises:
        TraceError: If it is not a record, or does not replay.
    """
    if not isinstance(record, GameRecord):
        raise TraceError(f"a story needs a GameRecord, not {show(record)}")
    states = list(record.replay())
    first, second = _headings(record, decks)
    keeps = sum(1 for _ in takewhile(lambda action: action.kind == ActionKind.keep, record.actions))
    coach = _Coach(record)
    heading = [f"{first} (first) against {second} (second)"]
    if decks is not None:
        heading = [f"first:  {first}", f"second: {second}"]
    lines = [*heading, *coach.silent_seats(states), "", *_opening_lines(states[0])]
    for number in range(keeps):
        lines += [*coach.lines_before(number), _kept(states[number], record.actions[number])]
    if states[keeps].phase != "mulligan":  # it still is if a player forfeits there
        lines += ["", f"{_turn_line(states[keeps])}{_new_cards(states[keeps - 1], states[keeps]) if keeps else ''}"]
    lines += _game_lines(states, record.actions, keeps, coach)
    return "\n".join([*lines, "", *_board_lines(states[-1]), "", ending(record, states[-1])])


def move_in_words(before: State, action: Action, after: State, *, viewer: int | None = None) -> str:
    """An action, what came of it, and what the next player draws if the turn ends.

    Args:
        before: The state before it.
        action: The action.
        after: The state after it.
        viewer: Leaves out what is hidden from this player; None leaves out nothing.
    """
    begins = after.turn != before.turn and not after.is_over
    draws = f"; {SEATS[after.player_to_move]}{_new_cards(before, after, viewer).removeprefix(',')}" if begins else ""
    if action.kind == ActionKind.keep:
        return f"{_kept_words(before, action, viewer)}{draws}"
    if action.kind == ActionKind.end_turn:
        return f"ends the turn{_told(before, action, after, viewer)}{draws}"
    hides = viewer not in (None, before.player_to_move)
    deed = _hidden_deed(before, action, after) if hides else _deed(before, action)
    return f"{deed}{_told(before, action, after, viewer)}{draws}"


def _kept_words(before: State, action: Action, viewer: int | None) -> str:
    if viewer in (None, before.player_to_move):
        return _kept(before, action).removeprefix(f"{SEATS[before.player_to_move]} ")
    return f"keeps {action.source.bit_count()} of {len(before.side(before.player_to_move).hand)} cards"


def _hidden_deed(before: State, action: Action, after: State) -> str:
    """A deed as the other player sees it: it does not learn the name of a secret or of a chosen card."""
    player = before.player_to_move
    if action.kind == ActionKind.choose:
        return "chooses a card"
    if action.kind == ActionKind.play:
        card = before.side(player).hand[action.source].card
        if card in _lost(after.side(player).secrets, before.side(player).secrets):
            return "plays a secret"
    return _deed(before, action)


def _headings(record: GameRecord, decks: tuple[str, str] | None) -> Iterator[str]:
    """The players, by their decks if these are known."""
    for seat, player in enumerate(map(as_line, record.players)):
        yield player if decks is None else f"{as_line(decks[seat])}, played by {player}"


class _Coach:
    """What the players of a record considered, action by action."""

    def __init__(self, record: GameRecord) -> None:
        self._lines = {each.action: each.lines for each in record.explanations}
        self._chances = chances_before(record.actions, self._lines)

    def silent_seats(self, states: Sequence[State]) -> Iterator[str]:
        """Names the players without explanations, if the other one has some."""
        told = {states[number].player_to_move for number in self._lines}
        for seat in range(2):
            if told and seat not in told:
                yield f"{SEATS[seat]} does not say what it considers"

    def lines_before(self, number: int) -> Iterator[str]:
        """The lines that were compared before an action; none if it continues a plan."""
        lines = self._lines.get(number, ())
        width = max((len(line.worth) for line in lines), default=0)
        for i, line in enumerate(lines):
            yield f"  {' ' if i else '>'} {line.worth:>{width}}  {as_line(line.words)}"

    def chance_before(self, number: int) -> str:
        """The chance to win before an action, by the plan that it begins or continues; nothing if there is none."""
        chance = self._chances[number]
        return "" if chance is None else f"{Line('', chance).worth}  "


def chances_before(actions: Sequence[Action], lines: Mapping[int, Sequence[Line]]) -> list[float | None]:
    """For each action, its player's chance to win before it, by the plan that it begins or continues.

    Args:
        actions: All actions of a game.
        lines: The lines that players compared, by the number of the action.
    """
    found: list[float | None] = []
    for number in range(len(actions)):
        continues = number > 0 and actions[number - 1].kind not in (ActionKind.end_turn, ActionKind.keep)
        found.append(lines[number][0].chance if lines.get(number) else found[-1] if continues else None)
    return found


def _game_lines(states: Sequence[State], actions: Sequence[Action], first: int, coach: _Coach) -> Iterator[str]:
    """The story from an action on, the first after the mulligan."""
    idle = True  # nothing happened in this turn yet
    for number in range(first, len(actions)):
        before, action, after = states[number], actions[number], states[number + 1]
        yield from coach.lines_before(number)
        chance = coach.chance_before(number)
        if action.kind != ActionKind.end_turn:
            yield f"  {chance}{_deed(before, action)}{_told(before, action, after)}"
            idle = False
            continue
        if idle:
            yield "  does nothing"
        consequences = _told(before, action, after)
        if consequences:
            yield f"  ends the turn{consequences}"
        if after.is_over:
            return
        if after.player_to_move == 0:
            yield from ("", *_board_lines(after), "")
        yield f"{_turn_line(after)}{_new_cards(before, after)}"
        idle = True


def _names(cards: Sequence[HandCard]) -> str:
    return ", ".join(card.name for card in cards) or "nothing"


def _opening_lines(state: State) -> Iterator[str]:
    for player, seat in enumerate(SEATS):
        side = state.side(player)
        yield f"{seat}: {side.hero_name}, {side.health} health, in hand: {_names(side.hand)}"


def _kept(before: State, action: Action) -> str:
    hand = before.side(before.player_to_move).hand
    kept = [card for place, card in enumerate(hand) if action.source >> place & 1]
    return f"{SEATS[before.player_to_move]} keeps {_names(kept)}"


def _board_lines(state: State) -> Iterator[str]:
    for player, seat in enumerate(SEATS):
        side = state.side(player)
        armor = f" and {side.armor} armor" if side.armor else ""
        weapon = "" if side.weapon is None else f", {side.weapon.name} {side.weapon.attack}/{side.weapon.durability}"
        secrets = f", {len(side.secrets)} secret{'s' * (len(side.secrets) > 1)}" if side.secrets else ""
        yield f"    {seat + ':':<8}{side.health} health{armor}, {len(side.hand)} in hand{weapon}{secrets}"
        if side.board:
            yield f"      {', '.join(minion_text(minion) for minion in side.board)}"


def _turn_line(state: State) -> str:
    player = state.player_to_move
    return f"Turn {(state.turn + 1) // 2}, {SEATS[player]}: {state.side(player).mana} mana"


def _gained(before: Sequence[HandCard], after: Sequence[HandCard]) -> list[str]:
    """The names of the cards added to a hand."""
    more = Counter(_name(card) for card in after) - Counter(_name(card) for card in before)
    return list(more.elements())


def _name(card: HandCard) -> str:
    return "a card" if card.cost is None else card.name


def _new_cards(before: State, after: State, viewer: int | None = None) -> str:
    player = after.player_to_move
    names = _gained(_hand(before, player, viewer), _hand(after, player, viewer))
    return f", draws {', '.join(names) or 'nothing'}"


# ---- what is done ----------------------------------------------------------------------------------------------------


def _target(state: State, code: int) -> str:
    if code == 0:
        return ""
    enemy = code >= ENEMY_HERO
    player = 1 - state.player_to_move if enemy else state.player_to_move
    place = code - (ENEMY_HERO if enemy else OWN_HERO)
    return SEATS[player] if place == 0 else minion_text(state.side(player).board[place - 1])


def _deed(state: State, action: Action) -> str:
    side = state.side(state.player_to_move)
    target = _target(state, action.target)
    at = f" on {target}" if target else ""
    if action.kind == ActionKind.play:
        option = f", option {action.choice}," if action.choice else ""
        return f"plays {side.hand[action.source].name}{option}{at}"
    if action.kind == ActionKind.power:
        return f"uses {side.power_name}{at}"
    if action.kind == ActionKind.attack:
        attacker = side.hero_name if action.source == 0 else minion_text(side.board[action.source - 1])
        return f"{attacker} attacks {target}"
    return f"chooses {state.cards.name_of(state.choices[action.source])}"


# ---- what came of it -------------------------------------------------------------------------------------------------


def _told(before: State, action: Action, after: State, viewer: int | None = None) -> str:
    """The consequences of an action, for a viewer; the start of a turn has its own line."""
    told = [*_changed_boards(before, after)]
    ends = action.kind == ActionKind.end_turn
    for player, seat in enumerate(SEATS):
        old, new = before.side(player), after.side(player)
        told += _changed_side(seat, old, new)
        told += [f"{after.cards.name_of(card)} was a secret of {seat}" for card in _lost(old.secrets, new.secrets)]
        if not ends or player != after.player_to_move:
            held = _kept_in_hand(before, action, player, viewer)
            told += [f"{seat} gets {name}" for name in _gained(held, _hand(after, player, viewer))]
    return f": {', '.join(told)}" if told else ""


def _hand(state: State, player: int, viewer: int | None) -> list[HandCard]:
    """A hand as a viewer sees it; None sees everything."""
    return (state if viewer in (None, player) else state.view(1 - player)).side(player).hand


def _kept_in_hand(state: State, action: Action, player: int, viewer: int | None) -> list[HandCard]:
    """A hand without the played card."""
    played = action.source if action.kind == ActionKind.play and player == state.player_to_move else None
    return [card for place, card in enumerate(_hand(state, player, viewer)) if place != played]


def _lost(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    return (Counter(before) - Counter(after)).elements()


def _changed_side(seat: str, old: Side, new: Side) -> Iterator[str]:
    if new.hero != old.hero:
        yield f"{seat} becomes {new.hero_name}"
    if new.health != old.health:
        yield f"{seat} {old.health} → {new.health}"
    if new.armor != old.armor:
        yield f"{seat} armor {old.armor} → {new.armor}"
    if (old.weapon and old.weapon.card) != (new.weapon and new.weapon.card):
        yield f"{seat} has {new.weapon.name if new.weapon else 'no weapon any more'}"


def _changed_boards(before: State, after: State) -> Iterator[str]:
    old = {minion.instance: (player, minion) for player in (0, 1) for minion in before.side(player).board}
    new = {minion.instance: (player, minion) for player in (0, 1) for minion in after.side(player).board}
    for instance, (player, minion) in old.items():
        if instance not in new:
            yield f"{minion.name} {_left(before, after, player, minion)}"
        elif new[instance][0] != player:
            yield f"{minion_text(new[instance][1])} joins {SEATS[1 - player]}"
        elif minion_text(new[instance][1]) != minion_text(minion):
            yield f"{minion.name} is now {minion_text(new[instance][1]).removeprefix(minion.name + ' ')}"
    for instance, (player, minion) in new.items():
        if instance not in old:
            yield f"{minion_text(minion)} comes to {SEATS[player]}"


def _left(before: State, after: State, player: int, minion: Minion) -> str:
    """How a minion left play."""
    old, new = before.side(player), after.side(player)
    same_turn = before.turn == after.turn
    if not same_turn or new.died.count(minion.card) > old.died.count(minion.card):
        return "dies"
    return "returns to the hand" if minion.name in _gained(old.hand, new.hand) else "is no more"


def ending(record: GameRecord, final: State) -> str:
    """How a game ended."""
    if final.is_void:
        return "The game is void."
    if record.winner is None:
        return "Both heroes are dead: nobody wins."
    winner, loser = (
        f"{SEATS[player]} ({as_line(record.players[player])})" for player in (record.winner, 1 - record.winner)
    )
    if record.forfeit is not None:
        return f"{loser} forfeits: {as_line(record.forfeit)}. {winner} wins."
    return f"{winner} wins in turn {(final.turn + 1) // 2} with {final.side(record.winner).health} health left."
