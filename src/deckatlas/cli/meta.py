"""`deckatlas meta`: the metagame of a set of decks: matchups, the equilibrium mix, cycles, and any deck against it."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.cluster import ClusterOption, played_on
from deckatlas.cli.common import RUNS, SeedOption, StoreOption, print_parts, write_json
from deckatlas.cli.matches import ThreadsOption
from deckatlas.cli.meta_grow import meta_grow
from deckatlas.cli.meta_options import (
    EditionOption,
    ElitesOption,
    GamesOption,
    JsonOption,
    MetagameArgument,
    PageOption,
    PilotOption,
    analysed,
    metagame_given,
    watched,
)
from deckatlas.cli.pictures import check_picture
from deckatlas.files.writing import check_writable, write_bytes, write_text

meta = typer.Typer(
    help="The metagame of a set of decks: who beats whom, what to play, and how any deck does against it.\n\n"
    "Example: deckatlas meta show field",
    no_args_is_help=True,
    add_completion=False,
)


@meta.command("show")
def meta_show(
    metagame: MetagameArgument,
    games: GamesOption = 200,
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
        typer.Option(help="Draw the matchups and the mix: a PNG, SVG or PDF file (needs the `plot` extra)."),
    ] = None,
) -> None:
    """Plays all matchups and shows ratings, the equilibrium mix with its uncertainty, and cycles.

    All decks have the same pilot unless the metagame says otherwise. Games are stored in the folder of --store. If
    you repeat a command, it plays nothing again; after an interruption, it resumes.

    Example: deckatlas meta show field --games 400 --page field.html --picture field.png
    """
    from deckatlas.views.metagame_figures import metagame_picture
    from deckatlas.views.metagame_page import metagame_page
    from deckatlas.views.metagame_terminal import metagame_parts

    given = metagame_given(metagame, pilot, edition, elites, store)
    check_picture(picture)
    check_writable(json, page, picture)
    with played_on(cluster, threads):
        analysis = analysed(given, games=games, seed=seed, threads=threads, store=store)
    if str(json) != "-":
        print_parts(metagame_parts(analysis))
    if json is not None:
        write_json(json, analysis.to_json())
    if page is not None:
        write_text(page, metagame_page(analysis))
    if picture is not None:
        write_bytes(picture, metagame_picture(analysis, picture.suffix.lower()))


@meta.command("deck")
def meta_deck(
    deck: Annotated[
        str,
        typer.Argument(
            help="The deck: its name or code, or a list of cards. With --meta drafts: a draft policy, such as atlas.",
            metavar="DECK",
        ),
    ],
    metagame: Annotated[
        str,
        typer.Option(
            "--meta",
            help="The metagame: a shipped name (field, field-2018, atlas, drafts), a TOML file, or a run.",
            metavar="METAGAME",
        ),
    ] = "field",
    games: GamesOption = 200,
    seed: SeedOption = 0,
    pilot: PilotOption = None,
    edition: EditionOption = None,
    elites: ElitesOption = None,
    atlas: Annotated[
        str | None,
        typer.Option(
            help="Also compare the deck with the elites of this run, against the same opponents.", metavar="RUN"
        ),
    ] = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    store: StoreOption = RUNS,
    json: JsonOption = None,
) -> None:
    """Plays a deck against every deck of a metagame, with the pilot of the metagame's first deck.

    The result shows how often the deck wins against today's shares and against the equilibrium mix, its place in the
    field, and all its matchups. Today's shares are those that the metagame gives its decks.

    Example: deckatlas meta deck "Midrange Paladin" --meta field-2018
    """
    from deckatlas.views.metagame_terminal import challenge_parts

    given = metagame_given(metagame, pilot, edition, elites, store)
    others = None if atlas is None else metagame_given(atlas, pilot, edition, elites, store)
    for each in (deck, *(entrant.deck for entrant in (others.entrants if others else ()))):
        given.joined_by(each)  # a deck that cannot be played is refused before the first game
    check_writable(json)
    with played_on(cluster, threads), watched("deck") as watch:
        analysis = analysed(given, games=games, seed=seed, threads=threads, store=store)
        challenge = analysis.deck(deck, watch=watch)
        compared = {} if others is None else {others.name: analysis.decks(others, watch=watch)}
    if str(json) != "-":
        print_parts(challenge_parts(challenge, compared))
    if json is not None:
        places = [
            {"run": name, "elites": len(each), **challenge.among(each).cells("percentile")}
            for name, each in compared.items()
        ]
        write_json(json, {**challenge.to_json(), "atlas": places})


@meta.command("suite")
def meta_suite(
    metagame: MetagameArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Write the suite to this TOML file; `-` means standard output.")
    ],
    portions: Annotated[
        int, typer.Option(help="The sum of all portions; decks that get less than one are left out.")
    ] = 20,
    games: GamesOption = 200,
    seed: SeedOption = 0,
    pilot: PilotOption = None,
    edition: EditionOption = None,
    elites: ElitesOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    store: StoreOption = RUNS,
) -> None:
    """Writes a suite of opponents in the proportions of the equilibrium mix.

    Example: deckatlas meta suite field -o mix.toml
    """
    given = metagame_given(metagame, pilot, edition, elites, store)
    check_writable(output)
    with played_on(cluster, threads):
        analysis = analysed(given, games=games, seed=seed, threads=threads, store=store)
    write_text(output, analysis.suite(portions=portions))


meta.command("grow")(meta_grow)
