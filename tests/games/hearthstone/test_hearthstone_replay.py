"""Games of Hearthstone as frames: what each player may see, and who says what."""

import pytest

from deckatlas.errors import AgentError, DeckError, MatchError
from deckatlas.games import find
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.play.replays import Replay

GAME = find("hearthstone")


@pytest.fixture(scope="module")
def replay() -> Replay:
    return GAME.replay("Starter Mage", "Aggro Hunter", pilots=("fast", "greedy"), seed=3)


def test_a_replay_is_the_game_of_its_record(replay: Replay) -> None:
    states = list(GameRecord.from_text(replay.record).replay())
    assert len(replay.frames) == len(states)
    for frame, state in zip(replay.frames, states, strict=True):
        shown = [(side["health"], len(side["hand"]), len(side["board"]), side["deck"]) for side in frame.state["sides"]]
        sides = [state.side(player) for player in (0, 1)]
        assert shown == [(side.health, len(side.hand), len(side.board), len(side.deck)) for side in sides]
        assert frame.seat == (None if state.is_over else state.player_to_move)


def test_a_hidden_hand_shows_what_the_core_shows_the_other_player(replay: Replay) -> None:
    states = list(GameRecord.from_text(replay.record).replay())
    hidden = 0
    for frame, state in zip(replay.frames, states, strict=True):
        for player in (0, 1):
            seen = state.view(1 - player).side(player).hand
            shown = [card["card"] if card["seen"] else "?" for card in frame.state["sides"][player]["hand"]]
            assert shown == [card.card for card in seen]
            hidden += shown.count("?")
    assert hidden


def test_words_for_a_player_name_no_card_that_is_hidden_from_it(replay: Replay) -> None:
    keeps = replay.frames[0]
    assert keeps.words == keeps.seen[0] != keeps.seen[1]
    assert keeps.seen[1].startswith("keeps ")
    assert keeps.seen[1].split(";")[0].endswith("cards")
    for frame in replay.frames:
        for viewer in (0, 1):
            for part in frame.seen[viewer].split("; ")[1:]:
                if part.startswith(("second", "first")[viewer]):
                    assert part.endswith(("draws a card", "draws nothing"))


def test_a_secret_has_no_name_for_the_other_player() -> None:
    found = []
    for seed in range(40):
        replay = GAME.replay("Starter Mage", "Face Hunter", pilots=("greedy", "greedy"), seed=seed)
        for before, after in zip(replay.frames, replay.frames[1:], strict=False):
            grown = len(after.state["sides"][1]["secrets"]) - len(before.state["sides"][1]["secrets"])
            if before.seat == 1 and before.words.startswith("plays") and grown == 1:
                found.append((before.seen[0], before.seen[1] == before.words))
        if found:
            break
    assert found
    assert all(seen == "plays a secret" and own for seen, own in found)


def test_chances_are_those_of_the_first_player(replay: Replay) -> None:
    told = [frame for frame in replay.frames if frame.lines]
    assert {frame.seat for frame in told} == {0}
    assert all(frame.chance == frame.lines[0].chance for frame in told)
    swapped = GAME.replay("Aggro Hunter", "Starter Mage", pilots=("greedy", "fast"), seed=3)
    told = [frame for frame in swapped.frames if frame.lines and frame.lines[0].chance is not None]
    assert told
    assert all(frame.chance == round(1 - (frame.lines[0].chance or 0), 4) for frame in told)


def test_players_without_ratings_are_named(replay: Replay) -> None:
    assert list(replay.silent()) == ["greedy (second) does not say what it considers."]
    by_points = GAME.replay("Starter Mage", "Aggro Hunter", pilots=("search", "fast"), seed=3)
    assert list(by_points.silent()) == ["search (first) rates positions in points, not by the chance to win."]


def test_a_coach_rates_every_decision_and_changes_nothing(replay: Replay) -> None:
    coached = GAME.replay("Starter Mage", "Aggro Hunter", pilots=("fast", "greedy"), seed=3, coach="expert")
    assert [frame.words for frame in coached.frames] == [frame.words for frame in replay.frames]
    assert all(frame.chance is not None for frame in coached.frames[:-1])
    with pytest.raises(AgentError, match="unknown coach 'greedy'"):
        GAME.replay("Starter Mage", "Starter Mage", pilots=("fast", "fast"), coach="greedy")


@pytest.mark.parametrize(
    ("pilot", "line"),
    [
        ("exec:true", "only agents of the core can play here, not programs"),
        ("expert:net=/etc/passwd", "expert: net names a file, but this game cannot read files"),
        ("dfs:nodes=9000000", "dfs: nodes is at most 16,000 here, not 9,000,000"),
        ("gredy", "unknown agent 'gredy'"),
    ],
)
def test_strangers_get_no_program_no_file_and_no_long_game(pilot: str, line: str) -> None:
    with pytest.raises(AgentError, match=line):
        GAME.replay("Starter Mage", "Starter Mage", pilots=(pilot, "greedy"))


def test_decks_are_names_and_codes_and_never_files() -> None:
    with pytest.raises(DeckError, match="unknown deck"):
        GAME.replay("/etc/passwd", "Starter Mage", pilots=("greedy", "greedy"))


def test_a_game_that_takes_too_long_ends_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deckatlas.games.hearthstone.replay.MOST_SECONDS", 0.0)
    with pytest.raises(MatchError, match="takes longer than 0 seconds: choose quicker agents"):
        GAME.replay("Starter Mage", "Starter Mage", pilots=("greedy", "greedy"))
