"""`deckatlas balance`: what a patch does to a metagame, and how sure that is."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckatlas.cli.cluster import ClusterOption, played_on
from deckatlas.cli.common import (
    RUNS,
    SeedOption,
    StoreOption,
    first_game_that_offers,
    print_parts,
    write_json,
)
from deckatlas.cli.matches import ThreadsOption
from deckatlas.cli.meta_options import JsonOption, PageOption, watched
from deckatlas.errors import MatchError
from deckatlas.files.writing import check_writable, write_text
from deckatlas.games import Game, find, is_known

if TYPE_CHECKING:  # pydantic is slow to import
    from deckatlas.metagame.growth import Listener
    from deckatlas.metagame.play import Watch


def balance(
    given: Annotated[
        list[str],
        typer.Argument(
            metavar="[GAME] PATCH",
            help="The game (default: hearthstone), then the patch, a TOML file; docs/cards.md explains the format.",
        ),
    ],
    base: Annotated[
        str | None, typer.Option(help="The edition that the patch changes (default: the one named in the patch).")
    ] = None,
    meta: Annotated[
        str | None,
        typer.Option(
            help="The known decks, a metagame: a shipped name such as field, a TOML file, or a run (default: the "
            "shipped one for the edition, such as atlas for 2018-12)."
        ),
    ] = None,
    effort: Annotated[
        str,
        typer.Option(
            help="quick plays only known decks, normal also searches for new ones, thorough searches as much as papers."
        ),
    ] = "quick",
    intent: Annotated[
        list[str] | None,
        typer.Option(
            help='What the patch should achieve, such as "hunter win rate in 48..52"; may be given several times.'
        ),
    ] = None,
    classes: Annotated[
        str | None,
        typer.Option(
            "--classes",
            "--class",
            help="The classes to search, such as hunter,mage (default: all that can play a changed card).",
        ),
    ] = None,
    pilot: Annotated[
        str | None, typer.Option(help="The agent that plays the known decks (default: as in the metagame).")
    ] = None,
    search_pilot: Annotated[
        list[str] | None,
        typer.Option(help="An agent that plays all decks in the searches, such as fast; may be given several times."),
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games of the known decks, both editions together.")] = None,
    trials: Annotated[int | None, typer.Option(help="How many times the searches are repeated, at least 2.")] = None,
    evaluations: Annotated[int | None, typer.Option(help="How many decks each search evaluates.")] = None,
    evaluation_games: Annotated[int | None, typer.Option(help="Games per deck in a search.")] = None,
    resolution: Annotated[int | None, typer.Option(help="The number of cells of a map along each measure.")] = None,
    mix_games: Annotated[
        int | None, typer.Option(help="Games per pair of decks in the metagame of each trial, under each edition.")
    ] = None,
    seed: SeedOption = 0,
    unpaired: Annotated[
        bool,
        typer.Option("--unpaired", help="Play the patch on different seeds, as a check; the intervals are then wider."),
    ] = False,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    store: StoreOption = RUNS,
    json: JsonOption = None,
    csv: Annotated[
        Path | None, typer.Option(help="Write one row per answer as CSV; `-` means standard output.")
    ] = None,
    page: PageOption = None,
) -> None:
    """Says what a patch does to a metagame, and how sure that is.

    The known decks play under both editions, with and without the patch, on the same seeds. With --effort normal or
    thorough, several trials search for new decks under both editions and solve both metagames. The verdict is a list of
    sentences. Each gives a number, its interval and what it rests on. A change is claimed only if its p value holds
    after a correction for the number of questions; the intervals are plain 95 % intervals.

    Everything is stored in the folder of --store. After an interruption, the same command resumes. A study of another
    patch reuses the games and searches of the base edition.

    --intent also takes sentences such as "Zoo win rate at most 55", "warlock mix share at least 10" and "Savannah
    Highmane in at most 40 % of hunter elites". The last two need --effort normal or thorough.

    --effort sets the sizes of a study. The options from --games to --mix-games replace them one by one.

    Example: deckatlas balance patch.toml --intent "hunter win rate in 48..52"

    Example: deckatlas balance patch.toml --effort normal --page verdict.html
    """
    from deckatlas.balancing.forecast import forecast_of
    from deckatlas.balancing.plan import StudyPlan, effort_of
    from deckatlas.balancing.study import carry_out, check_size, read_intents
    from deckatlas.views.balance_page import balance_csv, balance_page
    from deckatlas.views.balance_terminal import change_lines, plan_lines, study_parts

    game, patch = _game_and_patch(given)
    options = {
        "base": base,
        "meta": meta,
        "pilot": pilot,
        "classes": None if classes is None else [each.strip() for each in classes.split(",")],
        "search_pilots": search_pilot or None,
    }
    chosen = {key: value for key, value in options.items() if value is not None}
    subject = game.balance_subject(Path(patch), store=store, **chosen)
    sized = effort_of(
        effort,
        subject.efforts,
        games=games,
        trials=trials,
        evaluations=evaluations,
        evaluation_games=evaluation_games,
        resolution=resolution,
        mix_games=mix_games,
    )
    if not sized.trials and (classes or search_pilot):
        raise MatchError(f"the effort {effort} runs no searches: choose normal or thorough")
    plan = StudyPlan(sized, store, seed=seed, paired=not unpaired, threads=threads)
    meant = read_intents(intent or (), subject, plan)  # raises before the first game
    check_size(subject, plan)
    check_writable(json, csv, page)
    is_quiet = str(json) == "-"
    with played_on(cluster, threads):
        if not is_quiet:
            print_parts(change_lines(subject))
            print_parts(plan_lines(subject, plan, forecast_of(subject, plan), intents=meant))
        study = carry_out(subject, plan, intents=intent or (), listener=shown_stages())
    if not is_quiet:
        print_parts(study_parts(study))
    if json is not None:
        write_json(json, study.to_json())
    if csv is not None:
        write_text(csv, balance_csv(study))
    if page is not None:
        write_text(page, balance_page(study))


def shown_stages() -> "Listener":
    """A listener that shows a progress bar for each stage."""
    from deckatlas.metagame.growth import Listener

    class Shown(Listener):
        def stage(self, title: str) -> AbstractContextManager["Watch"]:
            return watched(title)

    return Shown()


def _game_and_patch(given: list[str]) -> tuple[Game, str]:
    """The game that the first word names, and the patch; by default, the first game whose patches can be studied."""
    game = find(given[0]) if len(given) > 1 and is_known(given[0]) else None
    words = given if game is None else given[1:]
    if len(words) != 1:
        raise MatchError(f"balance takes one patch, a TOML file, not {len(words)}")
    return game or first_game_that_offers("balance_subject", "balance studies"), words[0]
