"""The official protocol of Legends of Code and Magic: what programs are told, may answer and can know."""

import io
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.errors import IllegalActionError, StateError
from deckatlas.games.locm.entrants import entrant
from deckatlas.games.locm.protocol import (
    LoggedAction,
    TurnInput,
    acting_card,
    parse_pick,
    parse_turn,
    player_input,
    read_input,
    time_limit,
)
from deckatlas.games.locm.seat import ProtocolAgent, Seat
from deckatlas.games.locm.state import Action, Rng, State, new_game, read_state
from deckatlas.games.locm.table import play_game
from deckatlas.play.players import Forfeit, Player

# Player 1 to move. Slimer (1) and Scuttler (2) have summon effects, which a touched creature no longer shows.
POSITION = (
    "locm1.2 phase=battle view=- format=given offers=- cards0=1.2.4.91 cards1=117.141.157.1.4 turn=5 "
    "deck0=1.2.4.91 p0=3,0,0,3,0,3,2,2 hand0=2 board0=1.1.1.2.------.---/0.0.2.1.-----W.--t "
    "deck1=117.141.157.1.4 p1=17,3,3,3,0,5,1,4 hand1=0.1.2 board1=1.4.1.3.---G--.r-t/1.3.2.1.------.r--"
)
BLOCK = """\
17 3 0 15 4
3 3 1 0 2
1 2
2 SUMMON 3 1
1 ATTACK 1 -1
7
117 2 0 1 1 1 1 B----- 0 0 0 -1
141 4 0 2 0 -1 -1 ------ 0 0 0 -1
157 6 0 3 3 0 -1 ------ 1 0 1 -1
4 10 1 0 2 1 3 ---G-- 0 0 0 1
1 8 1 0 1 2 1 ------ 1 0 0 1
2 3 -1 0 1 1 2 ------ 0 -1 0 1
1 1 -1 0 1 2 1 -----W 0 0 0 0
"""
LOG = [
    LoggedAction(3, 1, 4, Action.from_text("SUMMON 10 1")),
    LoggedAction(3, 1, 0, Action.from_text("PASS")),
    LoggedAction(4, 0, 2, Action.from_text("SUMMON 3 1")),
    LoggedAction(4, 0, 1, Action.from_text("ATTACK 1 -1")),
    LoggedAction(4, 0, 0, Action.from_text("PASS")),
    LoggedAction(5, 1, 141, Action.from_text("USE 4 3")),
]


def draft_after(*choices: int, seed: int = 7) -> State:
    state = new_game(seed=seed)
    for choice in choices:
        state.apply(Action.from_text(f"PICK {choice}"))
    return state


def battle(seed: int = 7) -> State:
    return draft_after(*[0] * 60, seed=seed)


def turn_input(state: State, log: Sequence[LoggedAction]) -> TurnInput:
    turn = read_input(io.StringIO(player_input(state, log)))
    assert turn is not None
    return turn


# ---- what a program is told ------------------------------------------------------------------------------------------


def test_a_battle_block_has_every_number_in_its_place() -> None:
    assert player_input(read_state(POSITION), LOG) == BLOCK


def test_actions_of_earlier_turns_and_passes_are_not_repeated() -> None:
    assert [str(action) for _, action in turn_input(battle(), LOG).opponent_actions] == []


@pytest.mark.parametrize(
    ("picks", "numbers"), [(0, (0, 0)), (1, (0, 1)), (2, (1, 1)), (3, (1, 2)), (58, (29, 29)), (59, (29, 30))]
)
def test_a_draft_shows_the_number_of_picks_as_the_deck(picks: int, numbers: tuple[int, int]) -> None:
    lines = player_input(draft_after(*[0] * picks), []).splitlines()
    assert lines[:4] == [f"30 0 {numbers[0]} 25 0", f"30 0 {numbers[1]} 25 0", "0 0", "3"]
    assert len(lines) == 7


def test_an_offered_card_has_neither_instance_nor_lane() -> None:
    state = draft_after()
    turn = turn_input(state, [])
    assert [card.card for card in turn.cards] == state.offers[0]
    assert {(card.instance, card.location, card.lane) for card in turn.cards} == {(-1, 0, -1)}


def test_before_its_first_turn_the_second_player_is_shown_with_one_card_to_draw() -> None:
    assert player_input(battle(), []).splitlines()[:3] == ["30 1 25 25 1", "30 1 25 25 1", "5 0"]


def test_the_first_pick_and_the_first_turn_have_more_time() -> None:
    state = draft_after()
    limits: dict[str, set[float]] = {}
    for name, picks in (("first picks", 2), ("picks", 58)):
        limits[name] = set()
        for _ in range(picks):
            limits[name].add(time_limit(state))
            state.apply(Action.from_text("PICK 0"))
    for name, turns in (("first turns", 2), ("turns", 10)):
        limits[name] = set()
        for _ in range(turns):
            limits[name].add(time_limit(state))
            state.apply(Action.from_text("PASS"))
    assert limits == {"first picks": {1.0}, "picks": {0.1}, "first turns": {1.0}, "turns": {0.2}}


# ---- what a program may answer ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "choice"),
    [("PICK 0", 0), ("PICK 2", 2), ("PASS", 0), (" PICK 1 this one\r", 1), ("PICK +1", 1), ("PASS 2", 0)],
)
def test_picks_are_read_as_the_official_referee_reads_them(line: str, choice: int) -> None:
    assert parse_pick(line, draft_after()) == Action.from_text(f"PICK {choice}")


@pytest.mark.parametrize("choice", range(3))
def test_a_card_can_be_chosen_by_its_id(choice: int) -> None:
    state = draft_after(0, 0)
    assert parse_pick(f"CHOOSE {state.offers[1][choice]} yes", state) == Action.from_text(f"PICK {choice}")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("PICK 3", "answered 'PICK 3' in the draft"),
        ("PICK -1", "answered 'PICK -1' in the draft"),
        ("SUMMON 1 0", "answered 'SUMMON 1 0' in the draft"),
        ("CHOOSE 0", "chose card 0, which is not among the offered cards"),
        ("CHOOSE 161", "chose card 161, which is not among the offered cards"),
        ("CHOOSE", "malformed command 'CHOOSE'"),
        ("CHOOSE x", "malformed command 'CHOOSE x'"),
        ("PICK", "malformed command 'PICK'"),
        ("PICK  1", "malformed command 'PICK  1'"),
        ("PICK 1.0", "malformed command 'PICK 1.0'"),
        ("pick 1", "malformed command 'pick 1'"),
        ("PICK 0;PICK 1", "malformed command 'PICK 0;PICK 1'"),
        ("", "malformed command ''"),
        ("\x7f\ufffd", "malformed command '\\x7f\ufffd'"),
        ("x" * 50, f"malformed command '{'x' * 40}...'"),
    ],
)
def test_anything_else_in_the_draft_loses(line: str, reason: str) -> None:
    with pytest.raises(Forfeit) as forfeit:
        parse_pick(line, draft_after())
    assert str(forfeit.value) == reason


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("PASS", []),
        ("", []),
        (" ; ;", []),
        ("SUMMON 3 0", ["SUMMON 3 0"]),
        ("SUMMON 3 0 go; PASS ;ATTACK 1 -1 ;\tUSE 5 7 \r", ["SUMMON 3 0", "ATTACK 1 -1", "USE 5 7"]),
        ("ATTACK 99 1000;SUMMON 3 7", ["ATTACK 99 1000", "SUMMON 3 7"]),
    ],
)
def test_a_turn_is_split_at_semicolons_and_passes_do_nothing(line: str, actions: list[str]) -> None:
    assert [str(action) for action in parse_turn(line)] == actions


@pytest.mark.parametrize(
    "command", ["FOO 1", "PICK 0", "SUMMON 3", "SUMMON  3 0", "ATTACK 1 x", "USE 1 99999999999", "summon 3 0", "\x80"]
)
def test_one_malformed_command_loses_the_whole_turn(command: str) -> None:
    with pytest.raises(Forfeit, match=r"malformed command|in the battle"):
        parse_turn(f"SUMMON 1 0;{command};PASS")


@given(st.text())
def test_no_answer_breaks_the_referee(line: str) -> None:
    for parse in (parse_turn, lambda text: parse_pick(text, draft_after())):
        with suppress(Forfeit):
            parse(line)


# ---- what a program reads --------------------------------------------------------------------------------------------


def test_a_block_is_read_as_it_was_written() -> None:
    stream = io.StringIO(BLOCK + BLOCK)
    turn = read_input(stream)
    assert turn is not None
    assert (turn.own.health, turn.own.max_mana, turn.own.deck, turn.own.rune, turn.own.draw) == (17, 3, 0, 15, 4)
    assert (turn.opponent_hand, len(turn.cards), turn.in_draft) == (1, 7, False)
    assert [(card, str(action)) for card, action in turn.opponent_actions] == [(2, "SUMMON 3 1"), (1, "ATTACK 1 -1")]
    last = turn.cards[-1]
    assert (last.card, last.instance, last.location, last.keywords, last.lane) == (1, 1, -1, "-----W", 0)
    assert read_input(stream) == turn
    assert read_input(stream) is None


def test_a_block_that_is_cut_off_anywhere_is_bad_input() -> None:
    for end in range(1, len(BLOCK)):
        with pytest.raises(StateError, match=r"^protocol input, line [0-9]+ of its block: [^\n]*$"):
            read_input(io.StringIO(BLOCK[:end]))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("17 3 0 15 4", "17 3 0 15", "line 1 .* expected a player's five numbers, not '17 3 0 15'"),
        ("17 3 0 15 4", "17 3 0 15 x", "line 1 .* a player's draw must be a whole number from 0 to 99, not 'x'"),
        ("17 3 0 15 4", "17 14 0 15 4", "line 1 .* a player's max_mana"),
        ("17 3 0 15 4", "1" * 300, "line 1 "),
        ("1 2\n", "9 2\n", "line 3 .* the opponent's hand size must be a whole number from 0 to 8, not '9'"),
        ("1 2\n", "1 1000000\n", "line 3 .* the number of actions"),
        ("2 SUMMON", "2 JUMP", "line 4 .* malformed action 'JUMP 3 1'"),
        ("2 SUMMON", "0 SUMMON", "line 4 .* a card id"),
        ("\n7\n", "\n21\n", "line 6 .* the number of cards must be a whole number from 0 to 20, not '21'"),
        ("\n7\n", "\n6\n", "none"),
        ("157 6 0 3", "161 6 0 3", "line 9 .* a card's card"),
        ("157 6 0 3", "157 6 0 4", "line 9 .* a card's type"),
        ("B-----", "-B----", "line 7 .* keywords must be six characters like 'BC-G--', not '-B----'"),
        ("17 3 0 15 4", "17 0 0 15 4", "a draft shows three cards and no actions"),
        ("17 3", "1\u0667 3", "line 1 .* a player's health"),
    ],
)
def test_a_malformed_block_is_bad_input(old: str, new: str, message: str) -> None:
    stream = io.StringIO(BLOCK.replace(old, new))
    if message == "none":  # the card too many is taken for the next block
        assert read_input(stream) is not None
        message = "line 1 of its block"
    with pytest.raises(StateError, match=message):
        read_input(stream)


@given(st.text())
def test_junk_is_bad_input_and_nothing_worse(text: str) -> None:
    stream = io.StringIO(text)
    if text:
        with pytest.raises(StateError):
            read_input(stream)


# ---- what a program can know -----------------------------------------------------------------------------------------


def views(start: State, seed: int) -> Iterator[tuple[State, State]]:
    """A random game: at every decision the real view of the player to move, and the one rebuilt from its inputs."""
    rng = random.Random(seed)
    state, seats = start.copy(), (Seat(), Seat())
    log: list[LoggedAction] = []
    asked = True
    while state.winner is None:
        player = state.player_to_move
        if asked:
            seats[player].observe(turn_input(state, log))
        yield state.view(player), seats[player].state
        actions = state.legal_actions()
        action = rng.choice(actions if rng.random() < 0.5 else actions[1:] or actions)
        asked = action.verb in ("PICK", "PASS")
        if action.verb != "PASS":
            seats[player].act(action)
        if state.in_battle:
            log.append(LoggedAction(state.turn, player, acting_card(state, action), action))
        state.apply(action)


@pytest.mark.parametrize("seed", range(20))
def test_a_seat_rebuilds_its_view_from_the_protocol_alone(seed: int) -> None:
    for real, rebuilt in views(new_game(seed=seed), seed):
        assert rebuilt.to_text() == real.to_text()


@pytest.mark.parametrize("seed", range(3))
def test_the_format_of_the_draft_shows_once_more_than_sixty_cards_were_offered(seed: int) -> None:
    for real, rebuilt in views(new_game(seed=seed, format="distinct"), seed):
        guess = "distinct" if real.in_battle or len(real.chosen(real.player_to_move)) >= 20 else "referee"
        assert rebuilt.to_text() == real.to_text().replace("format=distinct", f"format={guess}")


def test_a_rebuilt_view_can_be_resampled() -> None:
    for real, rebuilt in views(new_game(seed=5), 5):
        assert rebuilt.resample(real.player_to_move, 1) == real.resample(real.player_to_move, 1)


def test_a_seat_refuses_an_input_that_does_not_go_on_from_the_last() -> None:
    seat = Seat()
    with pytest.raises(StateError, match="no input of this game"):
        _ = seat.state
    with pytest.raises(StateError, match="battle starts after 0 picks instead of 30"):
        seat.observe(turn_input(battle(), []))
    seat.observe(turn_input(draft_after(), []))
    with pytest.raises(StateError, match="0 picks"):
        seat.observe(turn_input(draft_after(), []))
    seat.act(Action.from_text("PICK 0"))
    with pytest.raises(StateError, match="numbers of picks"):
        seat.observe(turn_input(draft_after(0, 0, 0), []))
    with pytest.raises(IllegalActionError):
        seat.act(Action.from_text("PICK 3"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\n5 0\n", "\n4 0\n", "4 cards in the opponent's hand, but its plays leave 5"),
        ("30 1 25 25 1", "30 1 25 24 1", "a rune must be at a multiple of 5, not at 24"),
        ("30 1 25 25 1", "30 5 25 25 1", "p0"),
        ("30 1 25 25 1", "20 1 25 25 1", "rune"),
        (" 9 0 ", " 8 0 ", "player 0 has no card with instance id 8"),
        (" 9 0 ", " 59 0 ", "hand0"),
    ],
)
def test_a_seat_refuses_numbers_that_cannot_be(old: str, new: str, message: str) -> None:
    seat = Seat()
    state = draft_after()
    while not state.in_battle:
        if state.player_to_move == 0:
            seat.observe(turn_input(state, []))
            seat.act(Action.from_text("PICK 0"))
        state.apply(Action.from_text("PICK 0"))
    turn = read_input(io.StringIO(player_input(state, []).replace(old, new, 1)))
    assert turn is not None
    with pytest.raises(StateError, match=message):
        seat.observe(turn)


# ---- agents of the core as programs ----------------------------------------------------------------------------------


class ThroughText(Player[State, Action]):
    """A player that lives behind the protocol, but in this process."""

    def __init__(self, spec: str, seed: int) -> None:
        agents = entrant(spec).agents_of_core()
        assert agents is not None
        self._agent = ProtocolAgent(*agents, seed=seed)
        self._turn, self._actions = -1, list[Action]()
        self._log: list[LoggedAction] = []

    def choose(self, state: State) -> Action:
        if not state.in_battle:
            return parse_pick(self._agent.answer(turn_input(state, self._log)), state)
        if state.turn != self._turn:
            self._turn, self._actions = state.turn, parse_turn(self._agent.answer(turn_input(state, self._log)))
        return self._actions.pop(0) if self._actions else Action.from_text("PASS")

    def watch(self, state: State, action: Action) -> None:
        if state.in_battle:
            self._log.append(LoggedAction(state.turn, state.player_to_move, acting_card(state, action), action))


@pytest.mark.parametrize("spec", ["icebox/greedy", "random/random", "closetai/random:active", "random/pass"])
def test_an_agent_plays_through_the_protocol_as_it_does_inside(spec: str) -> None:
    for seed in range(3):
        start = new_game(seed=seed)
        inside = play_game(start, [entrant(spec).player(Rng(seed, seat)) for seat in (0, 1)])
        outside = play_game(start, [ThroughText(spec, seed) for _ in (0, 1)])
        assert outside.actions == inside.actions
        assert outside.final == inside.final
