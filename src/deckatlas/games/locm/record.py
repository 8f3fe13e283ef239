"""A whole game of Legends of Code and Magic as text that replays exactly, and as a readable story.

The text has a header of `key: value` lines, the picks of the draft if there was one, and one line per turn:

    deckatlas game
    start: locm1.2 phase=draft ...
    first: icebox/greedy
    second: random/greedy
    winner: first
    first picks: 0 2 1 ...
    second picks: 1 1 0 ...
    turn 0: SUMMON 3 0; PASS
    turn 1: ...

A forfeited game has another line in the header, `forfeit: REASON`. A name or reason that is not one printable line is
written as a JSON string.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile, zip_longest

from deckatlas.arguments import checked
from deckatlas.errors import DeckatlasError, IllegalActionError, StateError, TraceError
from deckatlas.games.locm.cards import Card, card_name
from deckatlas.games.locm.editions import DEFAULT, EditionLike, cards_in
from deckatlas.games.locm.state import Action, Creature, HandCard, State, read_state
from deckatlas.play.records import SEATS, as_line, from_line

TITLE = "deckatlas game"
LANES = ("left", "right")
_HEADER = ("start", *SEATS, "winner", "forfeit", *(f"{seat} picks" for seat in SEATS))


@dataclass(frozen=True)
class GameRecord:
    """A game: its start, players, actions and winner, and the reason for a forfeit.

    Attributes:
        start: The starting state as its line of text.
        players: Names of the first and the second player.
        actions: All actions of both players in order, including PASS.
        winner: 0 or 1.
        forfeit: Why the other player lost before the game was over; None if the game was played to the end.
        edition: The edition of the cards; the start names it, with a hash of its cards, unless it is the official one.

    Raises:
        CardError: If there is no such edition.
        TraceError: If the start is not the text of a state, or the winner is not 0 or 1.
    """

    start: str
    players: tuple[str, str]
    actions: tuple[Action, ...]
    winner: int
    forfeit: str | None = None
    edition: EditionLike = field(default=DEFAULT, compare=False)

    def __post_init__(self) -> None:
        if self.winner not in (0, 1):
            raise TraceError(f"a winner must be 0 or 1, not {self.winner!r}")
        try:
            printable = self.start.isascii() and self.start.isprintable()
            if not printable or self._start_state().to_text() != self.start:
                raise StateError("not the text of a state")
        except StateError as error:
            raise TraceError(f"start: {error}") from None

    def __str__(self) -> str:
        return self.to_text()

    def _start_state(self) -> State:
        return read_state(self.start, edition=self.edition)

    def to_text(self) -> str:
        """The game as text that `from_text` reads."""
        start = self._start_state()
        picks = list(takewhile(lambda action: action.verb == "PICK", self.actions))
        lines = [TITLE, f"start: {self.start}"]
        lines += [f"{seat}: {as_line(name)}" for seat, name in zip(SEATS, self.players, strict=True)]
        lines.append(f"winner: {SEATS[self.winner]}")
        if self.forfeit is not None:
            lines.append(f"forfeit: {as_line(self.forfeit)}")
        for player, seat in enumerate(SEATS):
            own = picks[player ^ start.player_to_move :: 2]
            if own:
                lines.append(f"{seat} picks: {' '.join(str(action.id) for action in own)}")
        for turn, actions in enumerate(_turns(self.actions[len(picks) :]), start=start.turn):
            lines.append(f"turn {turn}: {'; '.join(map(str, actions))}")
        return "\n".join([*lines, ""])

    @classmethod
    @checked
    def from_text(cls, text: str, *, edition: EditionLike = DEFAULT) -> "GameRecord":
        """Reads the text that `to_text` writes. Replaying the record checks whether the actions are legal.

        Args:
            text: The text.
            edition: The edition that the game was played with; other cards are refused.

        Raises:
            CardError: If there is no such edition.
            TraceError: If the text does not have that form; the message names the line or the key.
        """
        lines = text.splitlines()
        if not lines or lines[0] != TITLE:
            raise TraceError(f"a record of a game starts with the line '{TITLE}'")
        header: dict[str, str] = {}
        turns: list[tuple[str, str]] = []
        for number, line in enumerate(lines[1:], start=2):
            key, colon, value = line.partition(":")
            if not colon or not (key.startswith("turn ") or (key in _HEADER and key not in header and not turns)):
                raise TraceError(f"line {number} of the record: {line[:80]!a} is out of place")
            if key.startswith("turn "):
                turns.append((key, value))
            else:
                header[key] = value.removeprefix(" ")
        for key in _HEADER[:4]:
            if key not in header:
                raise TraceError(f"the record has no line '{key}: ...'")
        if header["winner"] not in SEATS:
            raise TraceError(f"winner: {header['winner'][:80]!a} is neither 'first' nor 'second'")
        unfilled = cls(
            start=header["start"],
            players=(from_line("first", header["first"]), from_line("second", header["second"])),
            actions=(),
            winner=SEATS.index(header["winner"]),
            forfeit=from_line("forfeit", header["forfeit"]) if "forfeit" in header else None,
            edition=edition,
        )
        start = unfilled._start_state()
        picks = _read_picks(header, start.player_to_move)
        return replace(unfilled, actions=(*picks, *_read_turns(turns, start.turn)))

    def replay(self) -> Iterator[State]:
        """Yields the starting state and the state after each action, each as a separate copy.

        Raises:
            TraceError: If an action is illegal, or the game does not end as recorded.
        """
        state = self._start_state()
        yield state.copy()
        for i, action in enumerate(self.actions):
            try:
                state.apply(action)
            except DeckatlasError as error:
                raise TraceError(f"action {i} of the record: {error}") from None
            yield state.copy()
        if self.forfeit is not None and state.is_over:
            raise TraceError("the record has a forfeit, but the game was played to the end")
        if self.forfeit is None and state.winner != self.winner:
            found = "nobody has won" if state.winner is None else f"the {SEATS[state.winner]} player has won"
            raise TraceError(f"the record says that the {SEATS[self.winner]} player won, but {found}")


def _turns(actions: Iterable[Action]) -> Iterator[list[Action]]:
    """Actions of the battle turn by turn. A turn ends with PASS; the last one may lack it."""
    turn: list[Action] = []
    for action in actions:
        turn.append(action)
        if action.verb == "PASS":
            yield turn
            turn = []
    if turn:
        yield turn


def _read_action(key: str, text: str) -> Action:
    try:
        return Action.from_text(text.encode("ascii").decode())
    except (UnicodeEncodeError, IllegalActionError):
        raise TraceError(f"{key}: malformed action {text[:80]!a}") from None


def _read_picks(header: Mapping[str, str], picks_first: int) -> list[Action]:
    """The picks of both players in the order they were made."""
    keys = [f"{SEATS[player]} picks" for player in (picks_first, 1 - picks_first)]
    leader, follower = ([_read_action(key, f"PICK {word}") for word in header.get(key, "").split()] for key in keys)
    if not 0 <= len(leader) - len(follower) <= 1:
        raise TraceError(f"{keys[0]}: {len(leader)} picks, but the other player has {len(follower)}")
    in_turn = zip_longest(leader, follower)
    return [action for pair in in_turn for action in pair if action is not None]


def _read_turns(turns: Sequence[tuple[str, str]], first: int) -> list[Action]:
    actions: list[Action] = []
    for number, (key, value) in enumerate(turns, start=first):
        if key != f"turn {number}":
            raise TraceError(f"{key[:80]!a}: expected 'turn {number}'")
        turn = [_read_action(key, part.strip()) for part in value.split(";")]
        passes = [action.verb == "PASS" for action in turn]
        if any(passes[:-1]) or not (passes[-1] or len(turns) == number - first + 1):
            raise TraceError(f"{key}: a turn must have PASS as its last action, and nowhere else")
        actions += turn
    return actions


# ---- the story -------------------------------------------------------------------------------------------------------


@checked
def narrate(record: GameRecord) -> str:
    """A game as a readable story: what each player drew and did turn by turn, and the board after each round.

    Raises:
        TraceError: If the record does not replay.
    """
    states = list(record.replay())
    lines = [f"{as_line(record.players[0])} (first) against {as_line(record.players[1])} (second)", ""]
    draft = sum(not state.in_battle for state in states)
    if draft < len(states):
        lines += [*_opening_lines(states[draft]), "", _turn_line(states[draft])]
        lines += _battle_lines(states[draft:], record.actions[draft:])
        lines += ["", *_board_lines(states[-1]), ""]
    return "\n".join([*lines, ending(record, states[-1])])


def _battle_lines(states: Sequence[State], actions: Sequence[Action]) -> Iterator[str]:
    idle = True  # nothing happened in this turn yet
    for before, action, after in zip(states, actions, states[1:], strict=False):
        if action.verb != "PASS":
            yield f"  {deed_in_words(before, action)}{_consequences(before, after)}"
            idle = False
            continue
        if idle:
            yield "  does nothing"
        if after.player_to_move == 0:
            yield from ("", *_board_lines(before), "")
        yield f"{_turn_line(after)}{_drawn(before, after)}"
        idle = True


def _stats(piece: Creature | Card) -> str:
    keywords = piece.keywords.replace("-", "")
    return f"{piece.attack}/{piece.defense}{keywords and ' ' + keywords}"


def _named(creature: Creature) -> str:
    return f"{card_name(creature.card)} {_stats(creature)}"


def _names(hand: Iterable[HandCard]) -> str:
    return ", ".join(card_name(card.card) for card in hand) or "nothing"


def _counted(cards: int) -> str:
    return "nothing" if cards == 0 else f"{cards} card{'s' * (cards > 1)}"


def _opening_lines(state: State) -> Iterator[str]:
    yield "B breakthrough, C charge, D drain, G guard, L lethal, W ward"
    for player, seat in enumerate(SEATS):
        deck = [cards_in(state)[card - 1] for card in state.deck(player) if card]
        creatures = sum(card.type == "creature" for card in deck)
        cost = sum(card.cost for card in deck) / max(1, len(deck))
        yield f"{seat}: creatures {creatures}, items {len(deck) - creatures}, mean cost {cost:.1f}"
        yield f"  in hand: {_names(state.side(player).hand)}"


def _board_lines(state: State) -> Iterator[str]:
    for player, seat in enumerate(SEATS):
        side = state.side(player)
        yield f"    {seat + ':':<8}{side.health} health, {len(side.hand)} in hand"
        for lane, name in enumerate(LANES):
            creatures = ", ".join(_named(creature) for creature in side.creatures if creature.lane == lane)
            if creatures:
                yield f"      {name + ':':<6} {creatures}"


def _turn_line(state: State) -> str:
    return f"Turn {state.turn // 2 + 1}, {SEATS[state.player_to_move]}: {state.side(state.player_to_move).mana} mana"


def _drawn(before: State, after: State, viewer: int | None = None) -> str:
    """The effects of the start of a turn, for a viewer."""
    player = after.player_to_move
    held = {card.instance for card in before.side(player).hand}
    side = after.side(player)
    new = [card for card in side.hand if card.instance not in held]
    drawn = f", draws {_names(new) if viewer in (None, player) else _counted(len(new))}"
    health = before.side(player).health
    return drawn if health == side.health else f"{drawn}, no card left: health {health} → {side.health}"


def move_in_words(before: State, action: Action, after: State, *, viewer: int | None = None) -> str:
    """An action, what came of it, and what the next player draws if the turn ends.

    Args:
        before: The state before it.
        action: The action.
        after: The state after it.
        viewer: Leaves out what is hidden from this player; None leaves out nothing.
    """
    if action.verb == "PICK":
        if viewer not in (None, before.player_to_move):
            return "picks a card"
        made = len(before.chosen(before.player_to_move))
        return f"picks {card_name(before.offers[made][action.id])}"
    if action.verb == "PASS":
        draws = "" if after.is_over else f"; {SEATS[after.player_to_move]}{_drawn(before, after, viewer)[1:]}"
        return f"ends the turn{draws}"
    return f"{deed_in_words(before, action)}{_consequences(before, after)}"


def deed_in_words(state: State, action: Action) -> str:
    """An action of a battle, without what comes of it."""
    sides = [state.side(player) for player in (0, 1)]
    on_board = {creature.instance: _named(creature) for side in sides for creature in side.creatures}
    cards = cards_in(state)
    in_hand = {card.instance: cards[card.card - 1] for side in sides for card in side.hand if card.card}
    if action.verb == "SUMMON":
        card = in_hand[action.id]
        return f"summons {card.name} {_stats(card)} on the {LANES[action.target]}"
    target = on_board.get(action.target, SEATS[1 - state.player_to_move])
    if action.verb == "USE":
        return f"uses {in_hand[action.id].name} on {target}"
    return f"{on_board[action.id]} attacks {target}"


def _consequences(before: State, after: State) -> str:
    """The consequences of an action."""
    told = []
    for player, seat in enumerate(SEATS):
        old, new = before.side(player), after.side(player)
        survivors = {creature.instance: _stats(creature) for creature in new.creatures}
        for creature in old.creatures:
            now = survivors.get(creature.instance)
            if now is None:
                told.append(f"{card_name(creature.card)} dies")
            elif now != _stats(creature):
                told.append(f"{card_name(creature.card)} is now {now}")
        if new.health != old.health:
            told.append(f"{seat} {old.health} → {new.health}")
        if new.runes != old.runes:
            told.append(f"{old.runes - new.runes} rune{'s' * (old.runes - new.runes > 1)} broken")
    return f": {', '.join(told)}" if told else ""


def ending(record: GameRecord, final: State) -> str:
    """How a game ended."""
    winner, loser = (
        f"{SEATS[player]} ({as_line(record.players[player])})" for player in (record.winner, 1 - record.winner)
    )
    if record.forfeit is not None:
        return f"{loser} forfeits: {as_line(record.forfeit)}. {winner} wins."
    return f"{winner} wins in turn {final.turn // 2 + 1} with {final.side(record.winner).health} health left."
