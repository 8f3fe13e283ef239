"""Page "Game": a game turn by turn, played again from its seed when somebody asks for it."""

from shlex import join
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi import Path as InPath

from deckatlas.games import all_games, find
from deckatlas.games.game import Game
from deckatlas.play.replays import Replay
from deckatlas.runs.replaying import RunGames, StoredGame
from deckatlas.runs.view import RunView
from deckatlas.studio.asking import ShelfOfApp, ViewOfRun
from deckatlas.studio.shelf import Shelf
from deckatlas.views.answers.shapes import AsCode, Number, Seed, Shape

router = APIRouter(tags=["games"])

Spec = Annotated[str, Query(max_length=200)]
Player = Annotated[str, Query(min_length=1, max_length=2000, description="A deck by name or code, or a draft policy.")]
SolutionNumber = Annotated[int, InPath(ge=0, le=2**31 - 1, description="The number of a solution in its run.")]
GameNumber = Annotated[int, InPath(ge=0, le=2**31 - 1, description="The number of a game among all of its solution.")]
_FILE = "game.png"


class LineShape(Shape):
    """A line that a player considered: its chance to win, or the player's own rating."""

    words: str
    chance: Number
    rating: int | None


class FrameShape(Shape):
    """A moment: the state before an action, and the action, in words for all and as each player sees it."""

    seat: int | None
    turn: int
    words: str
    seen: list[str]
    state: dict[str, Any]
    lines: list[LineShape]
    chance: Number


class SeatShape(Shape):
    """A player: the agent, and what it plays."""

    pilot: str
    deck: str


class GameLine(Shape):
    """A game of a solution as the store knows it."""

    number: int
    result: str
    opponent: str
    pilot: str
    seat: int
    margin: int
    seed: str

    @classmethod
    def of(cls, game: StoredGame) -> "GameLine":
        """The shape of a stored game."""
        meeting = game.meeting
        return cls(
            number=game.number,
            result=game.result,
            opponent=meeting.opponent,
            pilot=meeting.pilot,
            seat=meeting.seat,
            margin=game.margin,
            seed=str(meeting.seed),
        )


class ReplayShape(Shape):
    """A whole game."""

    game: str
    seats: list[SeatShape]
    seed: str
    winner: int | None
    ending: str
    frames: list[FrameShape]
    cards: dict[str, dict[str, Any]]
    record: str
    silent: list[str]
    coaches: list[str]
    stored: GameLine | None
    agrees: bool
    code: AsCode


class ChoicesShape(Shape):
    """What a game to show can be made of."""

    game: str
    title: str
    players: list[str]
    pilots: list[str]
    coaches: list[str]


@router.get("/games/choices")
def get_choices() -> list[ChoicesShape]:
    """The games that can be shown, with their decks or draft policies, and agents."""
    found = []
    for game in all_games():
        if game.offers("replay_choices"):
            choices = game.replay_choices()
            found.append(
                ChoicesShape(
                    game=game.name,
                    title=game.title,
                    players=list(choices.players),
                    pilots=list(choices.pilots),
                    coaches=list(choices.coaches),
                )
            )
    return found


@router.get("/games")
def get_game(
    first: Player,
    second: Player,
    game: Annotated[str, Query(max_length=50)],
    first_pilot: Spec = "",
    second_pilot: Spec = "",
    pilot: Annotated[str, Query(max_length=200, description="The agent of both players.")] = "",
    seed: Seed = 0,
    coach: Spec = "",
    edition: Annotated[str, Query(max_length=60, description="The name of an edition.")] = "",
) -> ReplayShape:
    """Any game between two decks or draft policies, by its seed."""
    found, pilots = find(game), (first_pilot or pilot, second_pilot or pilot)
    asked = {name: value for name, value in (("coach", coach), ("edition", edition)) if value}
    replay = found.replay(first, second, pilots=pilots, seed=seed, **asked)
    named = {"pilots": pilots, "seed": seed, **asked}
    given = ", ".join([repr(first), repr(second), *(f"{name}={value!r}" for name, value in named.items())])
    words = [*replay.command, "--picture", _FILE, *(["--coach", coach] if coach else [])]
    code = AsCode(
        command=join(words) if replay.command else "",
        python="from deckatlas.games import find\nfrom deckatlas.views.game_figures import plot_game\n\n"
        f"plot_game(find({game!r}).replay({given}), {_FILE!r})",
    )
    return _shape(replay, found, code)


@router.get("/runs/{run}/decks/{number}/games/{game}")
def get_game_of_run(
    view: ViewOfRun, shelf: ShelfOfApp, number: SolutionNumber, game: GameNumber, coach: Spec = ""
) -> ReplayShape:
    """A game of a solution, played again: it ends as the store says."""
    games = games_of_run(shelf, view)
    replay = games.replay(view, number, game, coach=coach)
    stored = games.of(view, number)[game]
    chosen = {"coach": coach} if coach else {}
    code = AsCode.picture(view, "game", solution=number, game=game, **chosen)
    return _shape(replay, find(replay.game), code, stored)


def games_of_run(shelf: Shelf, view: RunView) -> RunGames:
    """The games of a run, prepared once for each state of its file."""
    return shelf.derived(view, "games", lambda: RunGames(view))


def _shape(replay: Replay, game: Game, code: AsCode, stored: StoredGame | None = None) -> ReplayShape:
    return ReplayShape(
        game=replay.game,
        seats=[SeatShape(pilot=seat.pilot, deck=seat.deck) for seat in replay.seats],
        seed=str(replay.seed),
        winner=replay.winner,
        ending=replay.ending,
        frames=[
            FrameShape(
                seat=frame.seat,
                turn=frame.turn,
                words=frame.words,
                seen=list(frame.seen),
                state=dict(frame.state),
                lines=[LineShape(words=line.words, chance=line.chance, rating=line.rating) for line in frame.lines],
                chance=frame.chance,
            )
            for frame in replay.frames
        ],
        cards={card: dict(facts) for card, facts in replay.cards.items()},
        record=replay.record,
        silent=list(replay.silent()),
        coaches=list(game.replay_choices().coaches) if game.offers("replay_choices") else [],
        stored=None if stored is None else GameLine.of(stored),
        agrees=stored is None or replay.result_of(stored.meeting.seat) == stored.result,
        code=code,
    )
