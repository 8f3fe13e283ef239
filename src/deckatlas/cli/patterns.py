"""`deckatlas patterns`: sets of cards that many decks of maps, or of an equilibrium mix, share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckatlas.cli.cluster import ClusterOption, played_on
from deckatlas.cli.common import (
    RUNS,
    MeasuresOption,
    SeedOption,
    StoreOption,
    maps_given,
    print_parts,
    write_json,
)
from deckatlas.cli.matches import ThreadsOption
from deckatlas.cli.meta_options import (
    EditionOption,
    ElitesOption,
    GamesOption,
    JsonOption,
    PilotOption,
    analysed,
    metagame_given,
)
from deckatlas.cli.pictures import check_picture
from deckatlas.errors import RunError
from deckatlas.files.writing import check_writable, write_bytes, write_text

if TYPE_CHECKING:  # pydantic is slow to import
    from deckatlas.metagame.analysis import Analysis
    from deckatlas.runs.view import RunView


def patterns(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            help="A map of decks: its name, or the path of its file. Several maps are trials of one map.",
            metavar="RUN",
        ),
    ] = None,
    meta: Annotated[
        str | None,
        typer.Option(
            help="Use the equilibrium mix of a metagame instead of a map: a shipped name such as field, a TOML file, "
            "or a run.",
            metavar="METAGAME",
        ),
    ] = None,
    support: Annotated[
        float, typer.Option(help="The smallest share of decks that must have a set, such as 0.3.")
    ] = 0.05,
    region: Annotated[
        list[str] | None,
        typer.Option(
            help="Use only elites in a part of the map, such as deck_mana_mean=2..3.5, num_turns=..8, or "
            "cells=0..5,0..9 with a range for each measure; may be given several times.",
            metavar="NAME=LOW..HIGH",
        ),
    ] = None,
    measures: MeasuresOption = None,
    all: Annotated[
        bool,
        typer.Option("--all", help="Find all frequent sets (default: only those that are not part of a larger one)."),
    ] = False,
    longest: Annotated[
        int | None,
        typer.Option(help="The maximum number of cards in a set, counting copies: 2 for pairs, 3 for triples."),
    ] = None,
    most: Annotated[int, typer.Option(help="How many sets to show.")] = 10,
    alike: Annotated[
        bool,
        typer.Option("--alike", help="Also show sets that share more than half of their cards with a set above them."),
    ] = False,
    json: JsonOption = None,
    csv: Annotated[Path | None, typer.Option(help="Write one row per set as CSV; `-` means standard output.")] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="Draw where the sets are on the map, with a region `cells=...` outlined: a PNG, SVG or PDF file "
            "(needs the `plot` extra)."
        ),
    ] = None,
    games: GamesOption = 200,
    seed: SeedOption = 0,
    pilot: PilotOption = None,
    edition: EditionOption = None,
    elites: ElitesOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    store: StoreOption = RUNS,
) -> None:
    """Finds sets of cards that many decks share, in the elites of a map, in a region of it, or in an equilibrium mix.

    A set gives the minimum number of copies of each card. Its support is the share of decks that have it. Its lift is
    how many times more often they have it than random legal decks of the same pool, counted exactly. The sets are
    sorted by weight: support times the logarithm of the lift.

    --support 0.3 finds what many decks share; --all --longest 2 finds pairs of cards. By default, only maximal sets are
    found: no card can be added to them. At a support of 5 %, there are often a hundred thousand of these, and some are
    nearly whole decks.

    One map has no intervals, since its elites are all there are. Several trials have intervals over runs, and a mix has
    intervals over the mixes that its games allow. With --meta, the options --games, --seed, --pilot, --edition,
    --elites and --threads work as in `deckatlas meta show`, and its stored games are used.

    Example: deckatlas patterns hunter --support 0.3 --picture patterns.png

    Example: deckatlas patterns hunter --region deck_mana_mean=..3 --all --longest 2 --csv pairs.csv

    Example: deckatlas patterns hunter --region cells=0..4,0..9 --support 0.3 --picture corner.png

    Example: deckatlas patterns --meta field --support 0.2
    """
    from deckatlas.patterns.regions import region_of
    from deckatlas.patterns.sources import find_patterns
    from deckatlas.patterns.tables import patterns_csv, patterns_json
    from deckatlas.views.pattern_figures import patterns_picture
    from deckatlas.views.pattern_terminal import pattern_parts

    files = [file for file in (json, csv, picture) if file is not None]
    if len({*files}) < len(files):
        raise RunError("--json, --csv and --picture need a file each")
    check_picture(picture)
    if picture is not None and (meta is not None or len(runs or ()) != 1):
        raise RunError("--picture draws the patterns of one map")
    source: Analysis | list[RunView]
    if meta is None:
        if not runs:
            raise RunError("name a map of decks, or a metagame with --meta")
        source = maps_given(runs, measures, store)
        check_writable(*files)
        title = ", ".join(view.name for view in source)
    else:
        if runs or region or measures is not None:
            raise RunError("--meta replaces the map: leave out RUN, --region and --measures")
        given = metagame_given(meta, pilot, edition, elites, store)
        given.deck_cards()  # a metagame without fixed decks is refused before the first game
        check_writable(*files)
        with played_on(cluster, threads):
            source = analysed(given, games=games, seed=seed, threads=threads, store=store)
        title = given.name
    part = region_of(region) if region else None
    found = find_patterns(
        source,
        support=support,
        region=part or (),
        only_maximal=not all,
        longest=longest,
        most=most,
        distinct=not alike,
    )
    if "-" not in map(str, files):
        print_parts(pattern_parts(found, title, distinct=not alike))
    if json is not None:
        write_json(json, patterns_json(found, title))
    if csv is not None:
        write_text(csv, patterns_csv(found))
    if picture is not None:
        assert isinstance(source, list)
        write_bytes(picture, patterns_picture(source[0], found, picture.suffix.lower(), region=part))
