"""`deckatlas plot`: maps, stored metagames and balance studies as images."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.common import RUNS, MeasuresOption, StoreOption, maps_given
from deckatlas.cli.pictures import CoachOption, SeatOption
from deckatlas.errors import RunError
from deckatlas.files.writing import write_bytes


def plot(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="A map, the stored games of a metagame, or a balance study: its name, or the path of its file. "
            "Several maps are drawn in one image.",
            metavar="RUN",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Write the image to this PNG, SVG or PDF file.")],
    what: Annotated[
        str,
        typer.Option(
            help="What to draw: map, cells, curves, elites, density, recheck, patterns, graph, solution, game, "
            "difference, comparison, predictions, rounds, metagame, decks, classes, found, mix, maps or matrix. The "
            "text above explains each."
        ),
    ] = "map",
    measures: MeasuresOption = None,
    colour: Annotated[
        str,
        typer.Option(
            help="With --what map or cells: what the colours show. This is objective, win_rate, games, age, or the "
            "id or name of a card to count its copies (default: objective).",
            metavar="WHAT",
        ),
    ] = "",
    solution: Annotated[
        int | None,
        typer.Option(help="With --what solution or game: the number of the solution (default: the best elite).", min=0),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(
            help="With --what game: the number of the game among all games of the solution (default: 0, the first).",
            min=0,
        ),
    ] = None,
    coach: CoachOption = "",
    seat: SeatOption = "",
    over: Annotated[
        str,
        typer.Option(
            help="With --what comparison: the x axis, evaluations, games or seconds (default: evaluations).",
            metavar="AXIS",
        ),
    ] = "",
    search: Annotated[
        str,
        typer.Option(help="With --what maps: the search to draw, such as hunter (default: all)."),
    ] = "",
    at: Annotated[
        int | None,
        typer.Option(
            help="With --what map or cells: show the map after this many evaluations, on final cells (default: now).",
            min=1,
        ),
    ] = None,
    card: Annotated[
        str,
        typer.Option(
            help="With --what map or cells: outline the cells whose decks play this card, given by its id or name."
        ),
    ] = "",
    store: StoreOption = RUNS,
) -> None:
    """Draws maps of elites (finished or still running), metagames and balance studies; needs the `plot` extra.

    Pictures of one map: map (with true boundaries), cells (all of the same size), curves (progress over evaluations, on
    the final cells), elites (points by their measures), density (of all evaluated solutions), recheck (results in the
    search against fresh games), patterns (where many elites share a set of cards), graph (which cards go together),
    solution (the mana curve of a deck, or the values of a policy), and game (who was winning in a game of a solution,
    which is played again).

    Pictures of a search with a surrogate: predictions (against results) and rounds (errors, and what entered the map).
    Picture of two maps: difference (the first minus the second). Picture of several maps or evolutions: comparison.

    Picture of the stored games of a metagame: metagame (matchups, mix and shares over time). Pictures of a balance
    study: decks, classes, found and mix (numbers before and after), maps and matrix (before, after and the difference).

    Several maps with the same objective are drawn side by side with one colour scale. With --what curves or comparison
    they share one frame, and runs that differ only in their seeds are trials, drawn as their mean with a band.

    Example: deckatlas plot hunter -o lost.png --what game --solution 40 --game 3 --coach expert

    Example: deckatlas plot runs/nerf-0c39fa26f6.study.json -o shifts.png --what decks

    Example: deckatlas plot hunter -o turns.svg --measures num_turns,deck_mana_sum
    """
    from deckatlas.balancing.record import find_study, read_study  # pydantic is slow to import
    from deckatlas.runs.library import find_run
    from deckatlas.views.map_pictures import USUAL, Choices, map_picture
    from deckatlas.views.metagame_figures import METAGAME, plot_stored_games
    from deckatlas.views.study_figures import study_picture

    choices = Choices(colour, solution, over, game, coach, seat, at, card)
    studies = [found for found in (find_study(store, run) for run in runs) if found is not None]
    if studies or what == METAGAME:
        kind, own = ("a balance study", "--what and --search") if studies else ("a metagame", "--what")
        if len(runs) > 1:
            raise RunError(f"{kind} can only be drawn alone: name one")
        if choices != USUAL or measures is not None or (search and not studies):
            raise RunError(f"{kind} takes only the options {own}")
    if studies:
        write_bytes(output, study_picture(read_study(studies[0]), what, output.suffix.lower(), search=search))
        return
    if what == METAGAME:
        plot_stored_games(find_run(store, runs[0]), output)
        return
    if search:
        raise RunError("--search is about the maps of a balance study, and these are runs")
    views = maps_given(runs, measures, store)
    write_bytes(output, map_picture(views, what, output.suffix.lower(), choices))
