"""`deckatlas meta grow`: a metagame that grows by best responses to its own equilibrium mix."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckatlas.cli.cluster import ClusterOption, played_on
from deckatlas.cli.common import RUNS, SeedOption, StoreOption, first_game_that_offers, print_parts, write_json
from deckatlas.cli.matches import ThreadsOption
from deckatlas.cli.meta_options import (
    EditionOption,
    ElitesOption,
    JsonOption,
    MetagameArgument,
    PageOption,
    PilotOption,
    metagame_given,
    watched,
)
from deckatlas.cli.pictures import check_picture
from deckatlas.errors import RunError
from deckatlas.files.writing import check_writable, write_bytes, write_text

if TYPE_CHECKING:  # pydantic is slow to import
    from deckatlas.metagame.growth import GrowthPlan, Listener, Searches
    from deckatlas.metagame.metagame import Metagame
    from deckatlas.metagame.play import Watch


def meta_grow(
    metagame: MetagameArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            help="Write the grown metagame to this TOML file; its name without .toml starts the names of all runs.",
        ),
    ],
    classes: Annotated[
        str | None,
        typer.Option("--classes", "--class", help="The classes to search, such as hunter,mage (default: all nine)."),
    ] = None,
    rounds: Annotated[int, typer.Option(help="The maximum number of rounds.")] = 5,
    margin: Annotated[
        float, typer.Option(help="The gain against the mix, in percentage points, that a deck needs to join.")
    ] = 2,
    search: Annotated[
        Path | None,
        typer.Option(help="The configuration of the searches, a TOML file (default: the shipped one).", metavar="FILE"),
    ] = None,
    games: Annotated[int, typer.Option(help="Games per search.")] = 20_000,
    finalists: Annotated[int, typer.Option(help="How many of the best decks of a search play in its final.")] = 4,
    final_games: Annotated[int, typer.Option(help="Games of each finalist against the mix.")] = 400,
    confirm_games: Annotated[int, typer.Option(help="Fresh games of the winner of a final against the mix.")] = 2000,
    matchup_games: Annotated[int, typer.Option(help="Mean games per pair of decks in the metagame.")] = 200,
    seed: SeedOption = 0,
    pilot: PilotOption = None,
    edition: EditionOption = None,
    elites: ElitesOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    store: StoreOption = RUNS,
    json: JsonOption = None,
    page: PageOption = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the mix and the gains by round: a PNG, SVG or PDF file (needs the `plot` extra)."),
    ] = None,
) -> None:
    """Grows a metagame by best responses to its equilibrium mix, until no deck gains more than a margin.

    In each round, one search per class looks for a deck that beats the mix. The best deck of each search plays fresh
    games against the mix. It joins the metagame if the whole interval of its gain is above the margin. Then the mix is
    solved again. Only metagames of Hearthstone can grow.

    Searches and games are stored in the folder of --store. After an interruption, the same command resumes.

    Example: deckatlas meta grow field-2018 --out atlas.toml --classes hunter,mage --rounds 2 --picture atlas.png
    """
    from deckatlas.metagame.growth import GrowthPlan, grow
    from deckatlas.views.growth_figures import growth_picture
    from deckatlas.views.growth_page import growth_page
    from deckatlas.views.growth_terminal import growth_parts

    if output.suffix != ".toml":
        raise RunError(f"--out {output}: a metagame's file ends in .toml")
    if output.exists() and output.resolve() == Path(metagame).resolve():
        raise RunError(f"--out {output}: this file is the metagame to start from: write to another file")
    given = metagame_given(metagame, pilot, edition, elites, store)
    plan = GrowthPlan(
        name=output.stem,
        folder=store,
        rounds=rounds,
        margin=margin,
        games=matchup_games,
        finals=final_games,
        confirmation=confirm_games,
        seed=seed,
        threads=threads,
    )
    searches = first_game_that_offers("searches_against", "searches against a metagame").searches_against(
        given,
        classes=None if classes is None else [each.strip() for each in classes.split(",")],
        search=search,
        games=games,
        finalists=finalists,
    )
    check_picture(picture)
    check_writable(output, json, page, picture)
    is_quiet = str(json) == "-"
    with played_on(cluster, threads):
        if not is_quiet:
            _announce(given, searches, plan)
        growth = grow(given, searches, plan, listener=_listener(is_quiet=is_quiet))
    write_text(output, growth.to_toml())
    if not is_quiet:
        print_parts(growth_parts(growth))
        print_parts([f"the grown metagame is in {output}; `deckatlas meta show {output}` shows it"])
    if json is not None:
        write_json(json, growth.to_json())
    if page is not None:
        write_text(page, growth_page(growth))
    if picture is not None:
        write_bytes(picture, growth_picture(growth, picture.suffix.lower()))


def _announce(given: "Metagame", searches: "Searches", plan: "GrowthPlan") -> None:
    from deckatlas.metagame.pace import seconds_per_game
    from deckatlas.views.growth_terminal import plan_lines

    pace = seconds_per_game(given, threads=plan.threads)
    search_pace = seconds_per_game(given.played_by(searches.pilot), threads=plan.threads)
    print_parts(plan_lines(given, searches, plan, search_pace=search_pace, pace=pace))


def _listener(*, is_quiet: bool) -> "Listener":
    """Shows progress bars, and prints each mix and response as soon as it is known unless it is to be quiet."""
    from deckatlas.metagame.analysis import Analysis
    from deckatlas.metagame.growth import Listener, Response
    from deckatlas.views.growth_terminal import mix_line, response_line

    class Shown(Listener):
        def stage(self, title: str) -> AbstractContextManager["Watch"]:
            return watched(title)

        def solved(self, rounds: int, field: Analysis) -> None:
            if not is_quiet:
                print_parts([mix_line(rounds, field)])

        def responded(self, response: Response) -> None:
            if not is_quiet:
                print_parts([response_line(response)])

    return Shown()
