"""Recorded games of Hearthstone: they replay exactly, round-trip as text, refuse what is wrong, and can be told."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas.errors import AgentError, DeckError, MatchError, TraceError
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.games.hearthstone.state import Action, Rng, State
from deckatlas.games.hearthstone.story import narrate
from helpers.hearthstone_play import EDITION, some_decks

END = Action.from_text("end")
DECKS = ("Starter Mage", "Starter Hunter")
FIREBALL, YETI = "CS2_029", "CS2_182"


def play(start: State, seed: int) -> tuple[GameRecord, list[State]]:
    """A random game from a state, and its states."""
    choices, rng = random.Random(seed), Rng(seed, 0)
    draws, state, states = rng.state, start.copy(), [start.copy()]
    done: list[Action] = []
    while not state.is_over:
        done.append(choices.choice(state.legal_actions()))
        state.apply(done[-1], rng)
        states.append(state.copy())
    return GameRecord(start.to_text(), draws, ("random: [a]", "random b"), tuple(done), state.winner), states


def a_record() -> GameRecord:
    return hearthstone.play_one("random", "random", decks=DECKS, seed=3)


STARTS: dict[str, Callable[[], State]] = {
    "a new game": lambda: hearthstone.new_game(*some_decks(5), seed=5),
    "a new game of the peer": lambda: hearthstone.new_game(*some_decks(6), edition="sabberstone", seed=6),
    "a position by hand": lambda: hearthstone.scenario(
        {"me": {"class": "MAGE", "board": [YETI]}, "op": {"class": "HUNTER", "health": 9}}
    ),
}


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_replays_to_the_same_states_after_a_trip_through_text(start: str, seed: int) -> None:
    record, states = play(STARTS[start](), seed)
    again = GameRecord.from_text(record.to_text())
    assert again == record
    assert [state.to_text() for state in again.replay()] == [state.to_text() for state in states]
    assert again.to_text() == record.to_text()


@given(first=st.text(), second=st.text())
@settings(max_examples=50, deadline=None)
def test_any_names_round_trip(first: str, second: str) -> None:
    record = replace(a_record(), players=(first, second))
    assert GameRecord.from_text(record.to_text()) == record


def test_the_text_has_a_header_the_mulligan_and_a_line_a_turn() -> None:
    record = a_record()
    lines = record.to_text().splitlines()
    assert lines[0] == "deckatlas hearthstone game"
    assert lines[1] == f"start: {record.start}"
    assert lines[2:5] == [f"draws: {record.draws}", "first: random", "second: random"]
    assert lines[5] == f"winner: {'nobody' if record.winner is None else ('first', 'second')[record.winner]}"
    assert lines[6] == f"mulligan: {record.actions[0]}; {record.actions[1]}"
    turns = list(record.replay())[-1].turn
    assert [line.partition(":")[0] for line in lines[7:]] == [f"turn {turn}" for turn in range(1, turns + 1)]


def test_every_step_of_a_replay_is_a_copy_of_its_own() -> None:
    record = a_record()
    expected = [state.to_text() for state in record.replay()]
    found = []
    for state in record.replay():
        found.append(state.to_text())
        if not state.is_over:
            state.apply(state.legal_actions()[0], Rng(1, 0))
    assert found == expected


def test_a_game_of_an_edition_of_ones_own_replays_with_that_edition() -> None:
    own = EDITION.patched(hearthstone.Patch("cheap fire", cards={FIREBALL: {"cost": 1}}))
    record = hearthstone.play_one("random", "random", decks=DECKS, edition=own, seed=1)
    again = GameRecord.from_text(record.to_text(), edition=own)
    assert list(again.replay())[-1] == list(record.replay())[-1]
    with pytest.raises(TraceError, match="unknown edition 'cheap fire'"):
        GameRecord.from_text(record.to_text())


# ---- games of matches ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mulligan", hearthstone.MULLIGANS)
def test_a_game_of_a_match_is_had_again_by_its_seed(mulligan: str) -> None:
    match = hearthstone.play("random", "random:active", decks=DECKS, games=6, seed=4, mulligan=mulligan)
    for row in range(match.games):
        first = int(match["first"][row])
        agents, decks = ("random", "random:active"), DECKS
        record = hearthstone.play_one(
            agents[first],
            agents[1 - first],
            decks=(decks[first], decks[1 - first]),
            seed=int(match["seed"][row]),
            mulligan=mulligan,
        )
        last = list(record.replay())[-1]
        assert last.hash == match["final_hash"][row]
        assert last.turn == match["turns"][row]
        assert len(record.actions) - 2 == match["actions"][row]
        winner = 2 if record.winner is None else record.winner ^ first
        assert winner == match["winner"][row]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"first": "clever"}, AgentError, "unknown agent 'clever'"),
        ({"decks": ("Starter Mage",)}, MatchError, "decks for two agents, not for 1"),
        ({"decks": ("Starter Mage", "Starter Magi")}, DeckError, "did you mean"),
        ({"mulligan": "never"}, MatchError, "unknown mulligan 'never'"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused(
    options: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        hearthstone.play_one(**{"first": "random", "second": "random", "decks": DECKS, **options})  # type: ignore[arg-type]


# ---- what is refused -------------------------------------------------------------------------------------------------


def replayed(record: GameRecord) -> None:
    for _ in record.replay():
        pass


def test_an_illegal_action_is_named_on_replay() -> None:
    record = a_record()
    wrong = replace(record, actions=(*record.actions[:2], Action.from_text("choose 0"), *record.actions[2:]))
    with pytest.raises(TraceError, match="action 2 of the record: illegal action 'choose 0'"):
        replayed(wrong)


def test_an_action_after_the_end_is_refused_on_replay() -> None:
    record = a_record()
    with pytest.raises(TraceError, match="the game is over"):
        replayed(replace(record, actions=(*record.actions, END)))


def test_another_winner_is_refused_on_replay() -> None:
    record = a_record()
    other = 1 if record.winner == 0 else 0
    with pytest.raises(TraceError, match=r"the record says that .* but"):
        replayed(replace(record, winner=other))


def test_an_unfinished_game_is_refused_on_replay() -> None:
    record = a_record()
    with pytest.raises(TraceError, match="before the game is over"):
        replayed(replace(record, actions=record.actions[:-1]))


@pytest.mark.parametrize("start", ["", "hearthstone", "\x00", "\ud800", a_record().start + "\n"])
def test_a_start_that_is_not_the_line_of_a_state_is_refused(start: str) -> None:
    with pytest.raises(TraceError, match="start: "):
        replace(a_record(), start=start)


@pytest.mark.parametrize(("field", "value"), [("winner", 2), ("draws", -1), ("draws", 2**64), ("draws", "1")])
def test_a_winner_or_draws_that_cannot_be_are_refused(field: str, value: object) -> None:
    with pytest.raises(TraceError, match=r"a winner must be 0, 1 or None|draws must be a whole number"):
        replace(a_record(), **{field: value})  # type: ignore[arg-type]


def edited(old: str, new: str) -> str:
    text = a_record().to_text()
    assert old in text
    return text.replace(old, new, 1)


BAD_TEXTS = {
    "": "starts with the line 'deckatlas hearthstone game'",
    "\x00\xff": "starts with the line",
    "deckatlas hearthstone game\n": "no line 'start: ...'",
    edited("winner: ", "winner: the "): "is neither 'first', 'second' nor 'nobody'",
    edited("winner: ", "loser: "): "line 6 of the record: .* is out of place",
    edited("first: ", "winner: second\nfirst: "): "line 7 of the record: .* is out of place",
    edited("draws: ", "draws: x"): "draws: .* is not a whole number",
    edited("draws: ", "draws: 9999"): "draws",
    edited("start: hearthstone", "start: chess"): "start: state text",
    edited("first: ", 'first: "'): "first: .* is not a JSON string",
    edited("turn 1:", "turn 2:"): "expected 'turn 1'",
    edited("turn 1: ", "turn 1: fly 3; "): "turn 1: malformed action 'fly 3'",
    edited("turn 1: ", "turn 1: end; "): "turn 1: a turn must have 'end' as its last action",
    edited("mulligan: ", "mulligan: end; "): "mulligan: only 'keep' actions are allowed here",
    edited("turn 2: ", "hello\nturn 2: "): "'hello' is out of place",
}


@pytest.mark.parametrize(("text", "message"), BAD_TEXTS.items(), ids=BAD_TEXTS.values())
def test_a_text_that_is_no_record_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(TraceError, match=message) as error:
        GameRecord.from_text(text)
    assert str(error.value).isprintable()


@given(cut=st.integers(0, 10_000))
@settings(max_examples=50, deadline=None)
def test_a_text_cut_off_anywhere_is_refused_when_read_or_replayed(cut: int) -> None:
    text = a_record().to_text()
    with pytest.raises(TraceError):
        replayed(GameRecord.from_text(text[: cut % len(text.rstrip("\n"))]))


# ---- the story -------------------------------------------------------------------------------------------------------


def test_the_story_names_players_cards_turns_and_the_winner() -> None:
    record = a_record()
    final = list(record.replay())[-1]
    story = narrate(record)
    assert story.startswith("random (first) against random (second)\n")
    assert "first: Jaina Proudmoore, 30 health, in hand: " in story
    turns = [line for line in story.splitlines() if line.startswith("Turn ")]
    assert len(turns) == final.turn
    assert record.winner is not None
    seat = ("first", "second")[record.winner]
    health = final.side(record.winner).health
    assert story.endswith(f"{seat} (random) wins in turn {(final.turn + 1) // 2} with {health} health left.")


def story_of(me: dict[str, object], op: dict[str, object], *actions: str) -> str:
    """The story of a game that goes on with these actions and then with the first player's surrender to fatigue."""
    start = hearthstone.scenario({"me": {"class": "MAGE", **me}, "op": {"class": "HUNTER", "deck": [], **op}})
    rng = Rng(1, 0)
    draws, state, done = rng.state, start.copy(), [Action.from_text(words) for words in actions]
    for action in done:
        state.apply(action, rng)
    while not state.is_over:
        done.append(END)
        state.apply(END, rng)
    return narrate(GameRecord(start.to_text(), draws, ("a", "b"), tuple(done), state.winner))


def test_the_story_tells_what_an_attack_did() -> None:
    story = story_of({"board": [YETI]}, {"board": [{"id": YETI, "damage": 2}]}, "attack 0 at enemy 0")
    assert "  Chillwind Yeti 4/5 attacks Chillwind Yeti 4/3: Chillwind Yeti is now 4/1, Chillwind Yeti dies\n" in story


def test_the_story_tells_of_spells_summons_returns_and_control() -> None:
    rogue: dict[str, object] = {"class": "ROGUE", "hand": ["EX1_581", FIREBALL]}
    story = story_of(rogue, {"board": [YETI]}, "play 0 at enemy 0", "play 0 at enemy hero")
    assert (
        "  plays Sap on Chillwind Yeti 4/5: Chillwind Yeti returns to the hand, second gets Chillwind Yeti\n" in story
    )
    assert "  plays Fireball on second: second 30 → 24\n" in story
    priest: dict[str, object] = {"class": "PRIEST", "hand": ["CS1_113"]}
    story = story_of(priest, {"board": [YETI]}, "play 0 at enemy 0")
    assert "  plays Mind Control on Chillwind Yeti 4/5: Chillwind Yeti 4/5 joins first\n" in story
    story = story_of({"hand": ["EX1_556"]}, {"board": [YETI]}, "play 0")
    assert "  plays Harvest Golem: Harvest Golem 2/3 comes to first\n" in story


def test_the_story_tells_when_nobody_wins() -> None:
    hellfire: dict[str, object] = {"class": "WARLOCK", "hand": ["CS2_062"], "health": 3}
    story = story_of(hellfire, {"health": 3}, "play 0")
    assert story.endswith("Both heroes are dead: nobody wins.")
