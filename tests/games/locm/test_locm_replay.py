"""Games of Legends of Code and Magic as frames: the draft, the battle, and what each player may see."""

import re

import pytest

from deckatlas.errors import AgentError
from deckatlas.games import find
from deckatlas.games.locm.record import GameRecord
from deckatlas.play.replays import Replay

GAME = find("locm")
PICKS = 60


@pytest.fixture(scope="module")
def replay() -> Replay:
    return GAME.replay("icebox/greedy", "random/greedy", seed=7)


def test_a_replay_is_the_game_that_play_one_plays(replay: Replay) -> None:
    assert replay.record == GAME.play_one("icebox/greedy", "random/greedy", seed=7).record.to_text()
    states = list(GameRecord.from_text(replay.record).replay())
    assert [frame.seat for frame in replay.frames[:-1]] == [state.player_to_move for state in states[:-1]]
    battle = [frame.state["sides"] for frame in replay.frames[PICKS:]]
    assert [[side["health"] for side in sides] for sides in battle] == [
        [state.side(player).health for player in (0, 1)] for state in states[PICKS:]
    ]


def test_the_draft_shows_three_cards_and_the_one_taken(replay: Replay) -> None:
    last = {0: 0, 1: 0}
    for frame in replay.frames[:PICKS]:
        state = frame.state
        assert (state["phase"], len(state["offer"]), frame.turn) == ("draft", 3, 0)
        taken = replay.cards[state["offer"][state["taken"]]]["name"]
        assert frame.seat is not None
        assert (frame.words, frame.seen[1 - frame.seat]) == (f"picks {taken}", "picks a card")
        last[frame.seat] = state["pick"]
    assert last == {0: 30, 1: 30}


def test_draws_of_the_other_player_are_counted_and_not_named(replay: Replay) -> None:
    ends = [frame for frame in replay.frames[PICKS:] if frame.words.startswith("ends the turn; ")]
    assert ends
    for frame in ends:
        assert frame.seat is not None
        assert frame.words == frame.seen[1 - frame.seat]
        assert re.fullmatch(
            r"ends the turn; (first|second) draws (\d cards?|nothing)(, no card.*)?", frame.seen[frame.seat]
        )


def test_a_planner_plays_the_best_of_the_lines_that_it_compares() -> None:
    planned = GAME.replay("icebox/planner", "random/greedy", seed=7)
    assert list(planned.silent()) == [
        "planner (first) rates positions in points, not by the chance to win.",
        "greedy (second) does not say what it considers.",
    ]
    turns: list[list[int]] = []
    for number, frame in enumerate(planned.frames[:-1]):
        if frame.seat == 0 and frame.turn > 0:
            if planned.frames[number - 1].seat != 0 or number == PICKS:
                turns.append([])
            turns[-1].append(number)
    for turn in turns:
        first, *others = (planned.frames[number] for number in turn)
        assert 1 <= len(first.lines) == len({line.words for line in first.lines}) <= 3
        assert not any(frame.lines for frame in others)
        ratings = [line.rating for line in first.lines if line.rating is not None]
        assert ratings == sorted(ratings, reverse=True)
        deeds = [planned.frames[number].words for number in turn]
        best = first.lines[0].words.split("; ")
        expected = best if best == ["ends the turn"] else [*best, "ends the turn"]
        assert all(deed.startswith(line) for deed, line in zip(deeds, expected, strict=False))
        assert len(deeds) == len(expected) - (first.lines[0].chance == 1)


def test_a_line_that_wins_is_certain_and_stands_alone() -> None:
    planned = GAME.replay("icebox/planner", "random/random", seed=7)
    assert planned.winner == 0
    last = [frame for frame in planned.frames if frame.seat == 0 and frame.lines][-1]
    assert [line.chance for line in last.lines] == [1.0]


def test_a_coach_says_at_every_decision_what_it_would_do_and_changes_nothing(replay: Replay) -> None:
    coached = GAME.replay("icebox/greedy", "random/greedy", seed=7, coach="planner")
    assert [frame.words for frame in coached.frames] == [frame.words for frame in replay.frames]
    assert all(frame.lines for frame in coached.frames[PICKS:-1])
    assert not any(frame.lines for frame in coached.frames[:PICKS])
    assert len(list(replay.silent())) == 2
    with pytest.raises(AgentError, match="unknown coach 'greedy'"):
        GAME.replay("icebox/greedy", "random/greedy", coach="greedy")


def test_strangers_get_no_program_no_file_and_no_long_game() -> None:
    for entrant in (
        "exec:true",
        "icebox/exec:true",
        "weights:file=/etc/passwd/greedy",
        "icebox/mcts:playouts=99999999",
    ):
        with pytest.raises(AgentError):
            GAME.replay(entrant, "random/greedy")
