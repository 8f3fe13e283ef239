"""Who is winning, as a picture: chances where players rate positions by them, health where nobody does."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from matplotlib.text import Text

from deckatlas.errors import RunError
from deckatlas.games import find
from deckatlas.play.replays import Replay
from deckatlas.runs.replaying import RunGames
from deckatlas.views.game_figures import course_of, draw_game, plot_game
from deckatlas.views.map_pictures import Choices, map_picture
from helpers.map_views import small_map

DECKS = "Starter Mage", "Aggro Hunter"


@cache
def hearthstone_game(coach: str = "") -> Replay:
    return find("hearthstone").replay(*DECKS, pilots=("fast", "greedy"), seed=3, coach=coach)


@cache
def drafted_game() -> Replay:
    return find("locm").replay("icebox", "coac", seed=5)


def drawn(replay: Replay, seat: str) -> list[float]:
    """The heights of the steps of the strong line."""
    figure = Figure()
    draw_game(figure, replay, seat=seat)
    steps = [patch for patch in figure.axes[0].patches if isinstance(patch, StepPatch)]
    return [float(value) for value in steps[-1].get_data()[0]]


@pytest.mark.parametrize("coach", ["", "fast"])
def test_the_line_has_the_chance_before_each_action(coach: str) -> None:
    replay = hearthstone_game(coach)
    known = [frame.chance for frame in replay.frames]
    assert any(chance is not None for chance in known)
    expected = [np.nan if chance is None else 100 * chance for chance in known]
    assert drawn(replay, "first") == pytest.approx(expected, nan_ok=True)
    assert drawn(replay, "second") == pytest.approx([100 - each for each in expected], nan_ok=True)


def test_where_nobody_says_a_chance_the_line_is_the_lead_in_health() -> None:
    replay = drafted_game()
    battle = [frame.state["sides"] for frame in replay.frames if "sides" in frame.state]
    leads = [sides[1]["health"] - sides[0]["health"] for sides in battle]
    values = drawn(replay, "second")
    assert np.isnan(values[: -len(leads)]).all()  # the draft
    assert values[-len(leads) :] == leads
    assert not course_of(replay, 1).is_chance
    figure = Figure()
    draw_game(figure, replay)
    told = " ".join(str(text.get_text()).replace("\n", " ") for text in figure.findobj(Text) if isinstance(text, Text))
    assert "Health, own minus the other's." in told  # nobody has armour


def texts_of(picture: bytes) -> set[str]:
    return {*re.findall(r"<!-- (.*?) -->", picture.decode())}


def test_a_picture_says_who_plays_who_rates_and_how_it_ends(tmp_path: Path) -> None:
    plot_game(hearthstone_game("fast"), tmp_path / "game.svg", seat="second")
    texts = texts_of((tmp_path / "game.svg").read_bytes())
    ending = hearthstone_game().ending
    assert {"Starter Mage (first, fast) against Aggro Hunter (second, greedy)", "second: chance to win, %"} <= texts
    assert f"{ending[:1].upper()}{ending[1:]} Before each action, as the coach fast rates it." in texts
    with pytest.raises(RunError, match="no seat 'third'"):
        plot_game(hearthstone_game(), tmp_path / "game.svg", seat="third")


def test_a_game_of_a_run_is_drawn_for_the_solution() -> None:
    view = small_map()
    games = RunGames(view)
    for game in (0, 1):
        seat = ("first", "second")[games.meeting(view, 3, game).seat]
        texts = texts_of(map_picture([view], "game", ".svg", Choices(solution=3, game=game)))
        assert f"hunter: game {game} of solution 3" in texts
        assert any(text.startswith(f"{seat}: ") for text in texts)
    with pytest.raises(RunError, match="solution 3 has no game 999"):
        map_picture([view], "game", ".svg", Choices(solution=3, game=999))


@pytest.mark.parametrize(
    ("game", "first", "second", "options"),
    [
        ("hearthstone", "fast", "greedy", {"deck_a": DECKS[0], "deck_b": DECKS[1]}),
        ("locm", "icebox/greedy", "random/random", {}),
        ("locm", "icebox/greedy", "coac/greedy", {"format": "distinct"}),
    ],
)
def test_a_played_game_is_the_same_when_it_is_played_again(
    game: str, first: str, second: str, options: dict[str, str]
) -> None:
    played = find(game).play_one(first, second, seed=11, **options)
    assert played.replay is not None
    again = [line for line in played.replay("").record.splitlines() if not line.startswith("plan ")]
    assert again == str(played.record).splitlines()
