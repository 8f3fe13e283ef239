"""Who is winning, as a picture: the chance to win before each action of a game, or the lead in health."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes
from deckatlas.play.records import SEATS
from deckatlas.play.replays import Frame, Replay
from deckatlas.runs.replaying import RunGames
from deckatlas.runs.view import RunView
from deckatlas.search.evaluation import Floats
from deckatlas.shapes import nearest, show
from deckatlas.views.figures import GREY, colour, picture_of, quiet
from deckatlas.views.map_figures import Canvas, Size
from deckatlas.views.solution_figures import chosen_solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = 9.0, 3.6  # inches
_LETTERS = 92, 118  # of a line of the title, and of the note
_MOST_TURNS = 24  # that are numbered
_LEAST_OPENING = 0.1  # of all actions: a shorter opening has no room for its name


@dataclass(frozen=True, eq=False)
class Course:
    """How a player stands before each action, and at the end.

    Attributes:
        values: Chances to win, or leads in health with armour; not a number where nobody says, as in a draft.
        is_chance: Whether they are chances.
    """

    values: Floats
    is_chance: bool


def course_of(replay: Replay, seat: int) -> Course:
    """How a player of a game stands: by the chance to win, or in health where nobody rates positions by chances."""
    chances = np.array([nan if frame.chance is None else frame.chance for frame in replay.frames])
    if not np.isnan(chances).all():
        return Course(1 - chances if seat else chances, is_chance=True)
    return Course(np.array([_lead(frame, seat) for frame in replay.frames]), is_chance=False)


def _lead(frame: Frame, seat: int) -> float:
    sides = frame.state.get("sides")
    if not sides:
        return nan
    own, other = (float(side.get("health", 0) + side.get("armor", 0)) for side in (sides[seat], sides[1 - seat]))
    return own - other


def game_size(view: RunView) -> Size:
    """The width and height of a picture of a game, in inches."""
    return _SIZE


def check_seat(seat: str) -> None:
    """Checks that a game has such a seat: "first" or "second".

    Raises:
        RunError: If it has not.
    """
    if seat not in SEATS:
        raise RunError(f"a game has no seat {show(seat)}: {nearest(seat, SEATS)}")


def draw_game(canvas: Canvas, replay: Replay, *, seat: str = SEATS[0], heading: str = "") -> None:
    """Draws who is winning, action by action.

    Args:
        canvas: Where to draw it.
        replay: The game.
        seat: Whose chances are drawn: "first" or "second".
        heading: What stands before the names of the players.

    Raises:
        RunError: If there is no such seat.
    """
    check_seat(seat)
    number = SEATS.index(seat)
    course = course_of(replay, number)
    axes = canvas.subplots()
    _draw_course(axes, course)
    _turns(axes, replay)
    what = "chance to win, %" if course.is_chance else "lead in health (points)"
    quiet(axes, title="", x=f"turn; each step is one of {len(replay.frames) - 1:,} actions", y=f"{seat}: {what}")
    axes.grid(visible=False, axis="x")
    names = " against ".join(
        f"{each.deck} ({name}, {each.pilot})" for name, each in zip(SEATS, replay.seats, strict=True)
    )
    wide, narrow = _LETTERS
    note = fill(f"{replay.ending[:1].upper()}{replay.ending[1:]} {_source(replay, course)}", narrow)
    lines = note.count("\n") + 1
    axes.set_title(heading + fill(names, wide) + "\n" * lines, loc="left", fontsize=11)
    axes.text(0, 1.02, note, transform=axes.transAxes, fontsize=8.5, color=GREY, va="bottom")


def _draw_course(axes: "Axes", course: Course) -> None:
    values = 100 * course.values if course.is_chance else course.values
    edges = np.arange(len(values) + 1)
    axes.stairs(np.array([*_carried(values)]), edges, baseline=None, color=GREY, linewidth=0.8, alpha=0.7)
    axes.stairs(values, edges, baseline=None, color=colour(0), linewidth=1.8)
    most = 50 if course.is_chance else max(1.0, float(np.nanmax(np.abs(values), initial=1.0)))
    middle = 50 if course.is_chance else 0
    axes.axhline(middle, color=GREY, linewidth=0.8, linestyle="--")
    axes.set_ylim(middle - 1.04 * most, middle + 1.04 * most)
    axes.set_xlim(0, len(values))


def _carried(values: Floats) -> Iterator[float]:
    """Values with the last known one in each gap."""
    last = nan
    for value in values.tolist():
        last = last if np.isnan(value) else value
        yield last


def _turns(axes: "Axes", replay: Replay) -> None:
    """Numbers the turns, and draws a line before each; the opening, such as a draft, has its name."""
    turns = [frame.turn for frame in replay.frames]
    starts = {turn: turns.index(turn) for turn in sorted({*turns}) if turn}
    step = -(-len(starts) // _MOST_TURNS)
    for at in starts.values():
        axes.axvline(at, color=GREY, linewidth=0.5, alpha=0.35)
    numbered = {turn: at for turn, at in starts.items() if (turn - 1) % step == 0}
    axes.set_xticks([*numbered.values()], [*map(str, numbered)])
    opening, name = min(starts.values(), default=0), str(replay.frames[0].state.get("phase", ""))
    axes.axvspan(0, opening, color=GREY, alpha=0.1, linewidth=0)
    if opening > _LEAST_OPENING * len(turns):
        axes.text(opening / 2, 0.5, name, transform=axes.get_xaxis_transform(), color=GREY, ha="center", va="bottom")


def _source(replay: Replay, course: Course) -> str:
    if not course.is_chance:
        has_armour = any("armor" in side for frame in replay.frames for side in frame.state.get("sides", ()))
        health = "Health with armour" if has_armour else "Health"
        return f"{health}, own minus the other's. {' '.join(replay.silent())}"
    if replay.coach:
        return f"Before each action, as the coach {replay.coach} rates it."
    return f"Before each action, as the pilot that acts rates it. {' '.join(replay.silent())}"


def draw_game_of_run(
    canvas: Canvas, view: RunView, number: int | None = None, game: int = 0, *, coach: str = "", seat: str = ""
) -> None:
    """Plays a game of a solution again, and draws who is winning.

    Args:
        canvas: Where to draw it.
        view: The map.
        number: The number of the solution; the best elite by default.
        game: The number of the game among all games of the solution.
        coach: The agent that rates the positions; each pilot itself by default.
        seat: Whose chances are drawn, "first" or "second"; those of the solution by default.

    Raises:
        AgentError: If there is no such coach, or an agent is too slow.
        MatchError: If the game takes too long.
        RunError: If there is no such solution, game or seat, or games of this run cannot be played again.
    """
    if seat:
        check_seat(seat)
    number = chosen_solution(view, number)
    games = RunGames(view)
    replay = games.replay(view, number, game, coach=coach)
    own = SEATS[games.meeting(view, number, game).seat]
    heading = f"{view.name}: game {game} of solution {number}\n"
    draw_game(canvas, replay, seat=seat or own, heading=heading)


def game_picture(replay: Replay, ending: str, *, seat: str = SEATS[0]) -> bytes:
    """A picture of a game in the format of this file ending: .png, .svg or .pdf; see `draw_game`.

    Raises:
        RunError: If matplotlib is not installed, the ending is unknown, or there is no such seat.
    """
    return picture_of(lambda figure: draw_game(figure, replay, seat=seat), ending, size=_SIZE)


@checked
def plot_game(replay: Replay, file: Path | str, *, seat: str = SEATS[0]) -> None:
    """Draws who is winning, action by action, into a file.

    Args:
        replay: The game, such as `deckatlas.games.find("hearthstone").replay("Face Hunter", "Zoo")`.
        file: The file; its ending (.png, .svg or .pdf) decides the format.
        seat: Whose chances are drawn: "first" or "second".

    Raises:
        RunError: If matplotlib is not installed, there is no such seat, or the file cannot be written.
    """
    write_bytes(file, game_picture(replay, Path(file).suffix.lower(), seat=seat), error=RunError)
