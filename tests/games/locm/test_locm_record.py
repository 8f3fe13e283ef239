"""Recorded games: they replay exactly, round-trip as text, refuse what is wrong, and can be told to people."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckatlas.errors import TraceError
from deckatlas.games.locm.cards import cards
from deckatlas.games.locm.position import position
from deckatlas.games.locm.record import GameRecord, narrate
from deckatlas.games.locm.state import Action, State, new_game

PASS = Action.from_text("PASS")


def play(start: State, seed: int, *, actions: int | None = None) -> tuple[GameRecord, list[State]]:
    """A random game from a state, and its states; cut off by a forfeit after `actions`, if that is less."""
    rng = random.Random(seed)
    state = start.copy()
    states = [start.copy()]
    done: list[Action] = []
    while not state.is_over and (actions is None or len(done) < actions):
        done.append(rng.choice(state.legal_actions()))
        state.apply(done[-1])
        states.append(state.copy())
    names = ("random: [a]", "random b")
    if state.winner is None:
        loser = state.player_to_move
        return GameRecord(start.to_text(), names, tuple(done), 1 - loser, "gave no answer in 100 ms"), states
    return GameRecord(start.to_text(), names, tuple(done), state.winner), states


def a_record() -> GameRecord:
    return play(new_game(seed=3), 3)[0]


DECKS = (list(range(1, 31)), list(range(131, 161)))
STARTS: dict[str, Callable[[], State]] = {
    "a referee draft": lambda: new_game(seed=5),
    "a distinct draft": lambda: new_game(seed=6, format="distinct"),
    "given decks": lambda: new_game(seed=7, decks=DECKS),
    "a position of the second player": lambda: position(
        {"players": [{"hand": [{"id": 3}], "deck_left": 9}, {"hp": 9, "lanes": [[{"id": 9}], []]}]}, turn=31
    ),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", range(5))
def test_a_game_replays_to_the_same_states_after_a_trip_through_text(start: str, seed: int) -> None:
    record, states = play(STARTS[start](), seed)
    again = GameRecord.from_text(record.to_text())
    assert again == record
    assert [state.to_text() for state in again.replay()] == [state.to_text() for state in states]
    assert again.to_text() == record.to_text()


@given(seed=st.integers(0, 2**64 - 1), choices=st.integers(0, 2**32), actions=st.integers(0, 100))
def test_a_forfeited_game_round_trips_and_replays_as_far_as_it_went(seed: int, choices: int, actions: int) -> None:
    record, states = play(new_game(seed=seed), choices, actions=actions)
    assert GameRecord.from_text(record.to_text()) == record
    assert [state.to_text() for state in record.replay()] == [state.to_text() for state in states]


@given(first=st.text(), second=st.text(), reason=st.text())
def test_any_names_and_reasons_round_trip(first: str, second: str, reason: str) -> None:
    record = GameRecord(new_game(seed=1).to_text(), (first, second), (), 1, reason)
    assert GameRecord.from_text(record.to_text()) == record
    assert len(narrate(record).splitlines()) == 3


def test_a_game_from_the_middle_of_a_draft_keeps_who_picked_what() -> None:
    start = new_game(seed=5)
    start.apply(Action.from_text("PICK 2"))
    record, states = play(start, 1)
    again = GameRecord.from_text(record.to_text())
    assert again == record
    assert list(again.replay())[-1] == states[-1]


def test_the_text_has_a_header_the_picks_and_a_line_a_turn() -> None:
    record = a_record()
    lines = record.to_text().splitlines()
    assert lines[0] == "deckatlas game"
    assert lines[1] == f"start: {record.start}"
    assert lines[2:5] == ["first: random: [a]", "second: random b", f"winner: {('first', 'second')[record.winner]}"]
    assert lines[5] == "first picks: " + " ".join(str(action.id) for action in record.actions[:60:2])
    assert lines[6] == "second picks: " + " ".join(str(action.id) for action in record.actions[1:60:2])
    turns = sum(action == PASS for action in record.actions) + 1
    assert [line.partition(":")[0] for line in lines[7:]] == [f"turn {turn}" for turn in range(turns)]


def test_every_step_of_a_replay_is_a_copy_of_its_own() -> None:
    record = a_record()
    expected = [state.to_text() for state in record.replay()]
    found = []
    for state in record.replay():
        found.append(state.to_text())
        if not state.is_over:
            state.apply(state.legal_actions()[0])
    assert found == expected


# ---- what is refused -------------------------------------------------------------------------------------------------


def replayed(record: GameRecord) -> None:
    for _ in record.replay():
        pass


def test_an_illegal_action_is_named_on_replay() -> None:
    record = a_record()
    wrong = replace(record, actions=(*record.actions[:61], Action.from_text("SUMMON 60 0"), *record.actions[61:]))
    with pytest.raises(TraceError, match="action 61 of the record: illegal action 'SUMMON 60 0'"):
        replayed(wrong)


def test_an_action_after_the_end_is_refused_on_replay() -> None:
    record = a_record()
    with pytest.raises(TraceError, match="the game is over"):
        replayed(replace(record, actions=(*record.actions, PASS)))


def test_another_winner_is_refused_on_replay() -> None:
    record = a_record()
    with pytest.raises(TraceError, match=r"player won, but the .* player has won"):
        replayed(replace(record, winner=1 - record.winner))


def test_an_unfinished_game_needs_a_forfeit() -> None:
    record = a_record()
    unfinished = replace(record, actions=record.actions[:-1])
    with pytest.raises(TraceError, match="but nobody has won"):
        replayed(unfinished)
    replayed(replace(unfinished, forfeit="crashed"))
    with pytest.raises(TraceError, match="played to the end"):
        replayed(replace(record, forfeit="crashed"))


@pytest.mark.parametrize("start", ["", "locm1.2", "\x00", "\ud800", new_game(seed=1).to_text() + "\n"])
def test_a_start_that_is_not_the_line_of_a_state_is_refused(start: str) -> None:
    with pytest.raises(TraceError, match="start: "):
        replace(a_record(), start=start)


def test_a_winner_who_is_no_player_is_refused() -> None:
    with pytest.raises(TraceError, match="a winner must be 0 or 1, not 2"):
        replace(a_record(), winner=2)


def edited(old: str, new: str) -> str:
    text = a_record().to_text()
    assert old in text
    return text.replace(old, new, 1)


BAD_TEXTS = {
    "": "starts with the line 'deckatlas game'",
    "\x00\xff": "starts with the line",
    "deckatlas game\n": "no line 'start: ...'",
    edited("winner: ", "winner: the "): "is neither 'first' nor 'second'",
    edited("winner: ", "loser: "): "line 5 of the record: .* is out of place",
    edited("first: ", "winner: second\nfirst: "): "line 6 of the record: .* is out of place",
    edited("start: locm1.2", "start: locm1.3"): "start: state text",
    edited("first: ", 'first: "'): "first: .* is not a JSON string",
    edited("turn 1:", "turn 2:"): "expected 'turn 1'",
    edited("turn 0: ", "turn 0: FLY 3; "): "turn 0: malformed action 'FLY 3'",
    edited("turn 0: ", "turn 0: PASS; "): "turn 0: a turn must have PASS as its last action",
    edited("second picks: ", "second picks: 0 1 "): "picks, but the other player has",
    edited("second picks: ", "second picks: x "): "malformed action 'PICK x'",
    edited("turn 2: ", "hello\nturn 2: "): "'hello' is out of place",
}


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS.items(), ids=BAD_TEXTS.values())
def test_a_text_that_is_no_record_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(TraceError, match=message) as error:
        GameRecord.from_text(text)
    assert str(error.value).isprintable()


@given(cut=st.integers(0, 10_000))
def test_a_text_cut_off_anywhere_is_refused_when_read_or_replayed(cut: int) -> None:
    record = a_record()
    text = record.to_text()
    cut %= len(text.rstrip("\n"))
    with pytest.raises(TraceError):
        replayed(GameRecord.from_text(text[:cut]))


# ---- the story -------------------------------------------------------------------------------------------------------


def test_the_story_names_players_cards_turns_and_the_winner() -> None:
    record = a_record()
    final = list(record.replay())[-1]
    story = narrate(record)
    assert story.startswith("random: [a] (first) against random b (second)\n")
    seat = ("first", "second")[record.winner]
    health = final.side(record.winner).health
    ending = f"{seat} ({record.players[record.winner]}) wins in turn {final.turn // 2 + 1} with {health} health left."
    assert story.endswith(ending)
    turns = [line for line in story.splitlines() if line.startswith("Turn ")]
    assert len(turns) == final.turn + 1
    summons = [action for action in record.actions if action.verb == "SUMMON"]
    assert story.count("  summons ") == len(summons)
    first = cards()[final.deck(0)[(summons[0].id - 1) // 2] - 1] if summons[0].id % 2 else None
    assert first is None or f"summons {first.name} {first.attack}/{first.defense}" in story


def test_the_story_tells_what_an_attack_did() -> None:
    first = {"lanes": [[{"id": 3, "atk": 4, "def": 1}], []]}
    start = position({"players": [first, {"hp": 12, "lanes": [[{"id": 3, "atk": 1, "def": 6}], []]}]})
    actions = tuple(map(Action.from_text, ("ATTACK 1 2",)))
    story = narrate(GameRecord(start.to_text(), ("a", "b"), actions, 1, "left the table"))
    name = cards()[2].name
    assert f"  {name} 4/1 attacks {name} 1/6: {name} dies, {name} is now 1/2" in story
    assert story.endswith("first (a) forfeits: left the table. second (b) wins.")


def test_the_story_of_a_game_forfeited_in_the_draft_is_its_ending() -> None:
    record, _ = play(new_game(seed=1), 1, actions=7)
    assert narrate(record).splitlines() == [
        "random: [a] (first) against random b (second)",
        "",
        "second (random b) forfeits: gave no answer in 100 ms. first (random: [a]) wins.",
    ]
