"""`deckatlas rebalance`: small changes of cards that bring a metagame to its targets, and which of them hold up."""

from pathlib import Path
from typing import Annotated

import typer

from deckatlas.cli.balance import shown_stages
from deckatlas.cli.cluster import ClusterOption, played_on
from deckatlas.cli.common import RUNS, SeedOption, StoreOption, print_parts, write_json
from deckatlas.cli.matches import ThreadsOption
from deckatlas.cli.meta_options import JsonOption, PageOption
from deckatlas.files.writing import check_writable, make_folder, write_text


def rebalance(
    targets: Annotated[
        Path,
        typer.Argument(
            metavar="TARGETS",
            help="What may change and what the result should be, a TOML file; docs/rebalance.md explains it.",
        ),
    ],
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Replace a value in the file, such as confirm.trials=4; may be given several times."
        ),
    ] = None,
    seed: SeedOption = 0,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    store: StoreOption = RUNS,
    out: Annotated[
        Path | None, typer.Option(help="Write each patch of the front as a TOML file to this folder.")
    ] = None,
    json: JsonOption = None,
    page: PageOption = None,
) -> None:
    """Finds small card changes that bring a metagame to its targets, and says which hold up when decks adapt.

    A file lists the numbers on cards that may change, the targets (win rates, inclusion, shares of the mix), and a
    budget of games. Known decks play under many patches on the same seeds, and a model of the shifts chooses the next
    patches. The result is a front: small changes at one end, those closest to the targets at the other. Then new decks
    are searched for under the best patches. The best of these join the known decks, and patches are searched once more,
    to find those that still work when players switch to other decks.

    Everything is stored in the folder of --store. After an interruption, the same command resumes.

    Example: deckatlas rebalance targets.toml --page front.html --out patches
    """
    from deckatlas.balancing.one_call import read_targets
    from deckatlas.balancing.rebalance import rebalance_task
    from deckatlas.views.rebalance_page import rebalance_page
    from deckatlas.views.rebalance_terminal import result_parts, task_lines

    task = read_targets(targets, settings=setting or (), folder=store, seed=seed, threads=threads)
    check_writable(json, page)
    if out is not None:
        make_folder(out)
        check_writable(out / f"{task.file.name}-1.toml")
    is_quiet = str(json) == "-"
    with played_on(cluster, threads):
        if not is_quiet:
            print_parts(task_lines(task))
        found = rebalance_task(task, listener=shown_stages())
    if not is_quiet:
        print_parts(result_parts(found))
    if out is not None:
        for patch in found.patches:
            write_text(out / f"{found.name_of(patch)}.toml", found.patch_toml(patch))
    if json is not None:
        write_json(json, found.to_json())
    if page is not None:
        write_text(page, rebalance_page(found))
