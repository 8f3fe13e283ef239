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
            help="The name of a map, of the stored games of a metagame or of a balance study, or the path of its "
            "file; several maps are drawn in one image.",
            metavar="RUN",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The image: a PNG, SVG or PDF file.")],
    what: Annotated[
        str,
        typer.Option(
            help="What to draw: map (with true boundaries), cells (all of one size), curves (on the final cells), "
            "elites, density (of all evaluated solutions), recheck, patterns (where sets of cards are that many "
            "elites share), graph (which cards go together), solution (the mana curve of a deck, or the values of a "
            "policy), game (who was winning in a game of a solution, which is played again); of two maps, difference "
            "(the first minus the second); of runs of one kind, comparison (also of evolutions); of a search with a "
            "surrogate, predictions (against results) and rounds (errors, and what entered the map); of the stored "
            "games of a metagame, metagame (matchups, mix and shares over time); of a balance study, decks, classes, "
            "found, mix (numbers before and after), maps and matrix (before, after and the difference)."
        ),
    ] = "map",
    measures: MeasuresOption = None,
    colour: Annotated[
        str,
        typer.Option(
            help="What the colours of map and cells show: objective, win_rate, games, age, or a card by its id or "
            "name, whose copies are counted.",
            metavar="WHAT",
        ),
    ] = "",
    solution: Annotated[
        int | None, typer.Option(help="The number of the solution to draw (default: the best elite).", min=0)
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(help="The number of the game among all games of the solution (default: 0, the first).", min=0),
    ] = None,
    coach: CoachOption = "",
    seat: SeatOption = "",
    over: Annotated[
        str, typer.Option(help="The axis of a comparison: evaluations, games or seconds.", metavar="AXIS")
    ] = "",
    search: Annotated[
        str,
        typer.Option(help="Of the maps of a balance study: the search to draw, such as hunter (default: all)."),
    ] = "",
    at: Annotated[
        int | None,
        typer.Option(help="Draw map and cells after so many evaluations, in the final cells (default: now).", min=1),
    ] = None,
    card: Annotated[
        str, typer.Option(help="Outline the cells of map and cells whose decks play a card, by its id or name.")
    ] = "",
    store: StoreOption = RUNS,
) -> None:
    """Draws maps of elites, finished or still running, metagames and balance studies; needs the extra `plot`.

    Several maps of one objective are drawn side by side with one colour scale. With --what curves they share one
    frame: maps that differ only in their seeds are trials of one map, drawn as their mean with a band. With --what
    comparison, so do evolutions.

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
            raise RunError(f"{kind} is drawn alone")
        if choices != USUAL or measures is not None or (search and not studies):
            raise RunError(f"{kind} has no choices but {own}")
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
