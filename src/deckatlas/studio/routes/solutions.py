"""Page "Deck" of a run: a solution, its family, its matchups, its games, its cards in games, and other pilots."""

from typing import Annotated

from fastapi import APIRouter, Query

from deckatlas.runs.elites import WIN_RATE
from deckatlas.runs.replaying import StoredGame, rates_by_opponent
from deckatlas.studio.asking import ShelfOfApp, ViewOfRun
from deckatlas.studio.routes.games import GameLine, SolutionNumber, games_of_run
from deckatlas.views.answers.shapes import Rate, Shape
from deckatlas.views.answers.solutions import CardInGames, SolutionShape, cards_in_games_of, game_of, solution_of

router = APIRouter(tags=["solutions"])

MOST_GAMES_SHOWN = 2000
MOST_PILOT_GAMES = 400
_WORST_FIRST = ("lost", "nobody won", "void", "won")


@router.get("/runs/{run}/decks/{number}")
def get_solution(view: ViewOfRun, number: SolutionNumber) -> SolutionShape:
    """A solution with everything that is known without its single games."""
    return solution_of(view, number)


@router.get("/runs/{run}/decks/{number}/cards")
def get_cards_in_games(view: ViewOfRun, number: SolutionNumber) -> list[CardInGames]:
    """The cards of an elite in fresh games; empty if the run has none (`deckatlas run … --recheck --cards`)."""
    return cards_in_games_of(view, number)


class MatchupLine(Shape):
    """How a solution did against an opponent: in all games, moving first, and moving second."""

    opponent: str
    pilot: str
    rate: Rate
    first: Rate | None
    second: Rate | None


class GamesShape(Shape):
    """The games of a solution: by opponent, and one by one, lost ones first."""

    total: int
    matchups: list[MatchupLine]
    games: list[GameLine]


@router.get("/runs/{run}/decks/{number}/games")
def get_games(view: ViewOfRun, shelf: ShelfOfApp, number: SolutionNumber) -> GamesShape:
    """The stored games of a solution, from the search; each can be played again."""
    games = games_of_run(shelf, view).of(view, number)
    ordered = sorted(games, key=lambda game: (_WORST_FIRST.index(game.result), game.margin, game.number))
    return GamesShape(
        total=len(games),
        matchups=_matchups(games),
        games=[GameLine.of(game) for game in ordered[:MOST_GAMES_SHOWN]],
    )


def _matchups(games: list[StoredGame]) -> list[MatchupLine]:
    whole = rates_by_opponent(games)
    by_seat = [rates_by_opponent([game for game in games if game.meeting.seat == seat]) for seat in (0, 1)]
    return [
        MatchupLine(
            opponent=name,
            pilot=pilot,
            rate=Rate.of(rate),
            first=Rate.of(by_seat[0][name, pilot]) if (name, pilot) in by_seat[0] else None,
            second=Rate.of(by_seat[1][name, pilot]) if (name, pilot) in by_seat[1] else None,
        )
        for (name, pilot), rate in whole.items()
    ]


class PilotLine(Shape):
    """The win rate of a solution under a pilot, on fresh games that all pilots share."""

    pilot: str
    is_own: bool
    rate: Rate


@router.get("/runs/{run}/decks/{number}/pilots")
def get_pilot(
    view: ViewOfRun,
    shelf: ShelfOfApp,
    number: SolutionNumber,
    pilot: Annotated[str, Query(max_length=200)] = "",
    games: Annotated[int, Query(ge=10, le=MOST_PILOT_GAMES)] = 100,
) -> PilotLine:
    """The same solution under another pilot: games that are played now, the same for all pilots."""
    of_run = games_of_run(shelf, view)
    rate = shelf.derived(
        view, f"pilot {number} {games} {pilot}", lambda: of_run.under(view, number, pilot, games=games, column=WIN_RATE)
    )
    return PilotLine(pilot=pilot or of_run.pilot, is_own=pilot in ("", of_run.pilot), rate=Rate.of(rate))


@router.get("/runs/{run}/pilots")
def get_pilots(view: ViewOfRun) -> list[str]:
    """The pilots that solutions of a run can be played by."""
    game = game_of(view)
    return list(game.replay_choices().pilots) if game.offers("replay_choices") else []
