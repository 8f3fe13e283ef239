"""A balance study, and a rebalancing, in one call from Python."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from deckatlas.arguments import checked
from deckatlas.balancing.plan import StudyPlan, effort_of
from deckatlas.balancing.rebalance import Rebalancing, rebalance_task
from deckatlas.balancing.rebalance_task import Task, task_of
from deckatlas.balancing.study import Study, carry_out
from deckatlas.balancing.targets_file import TargetsFile
from deckatlas.documents.document import Document, read_document
from deckatlas.games import find
from deckatlas.metagame.growth import Listener
from deckatlas.metagame.play import kept_in


@checked
def balance(
    patch: Any,
    *,
    game: str = "hearthstone",
    effort: str = "quick",
    intents: Sequence[str] = (),
    seed: int = 0,
    paired: bool = True,
    games: int | None = None,
    trials: int | None = None,
    evaluations: int | None = None,
    evaluation_games: int | None = None,
    resolution: int | None = None,
    mix_games: int | None = None,
    store: Path | str | None = None,
    threads: int | None = None,
    listener: Listener | None = None,
    **options: Any,
) -> Study:
    """Says what a patch does to a metagame, and how sure that is.

    Args:
        patch: The patch: a TOML file, or a patch or an edition of the game.
        game: The game.
        effort: "quick" plays the known decks; "normal" and "thorough" also search decks again under both editions.
        intents: What the patch is meant to do, such as "hunter win rate in 48..52".
        seed: The seed of everything random.
        paired: Whether both editions play the same seeds.
        games: The games of the known decks, of both editions together, instead of those of the effort.
        trials: How often decks are searched again.
        evaluations: The decks that one search evaluates.
        evaluation_games: The games of each.
        resolution: The cells of a map along each measure.
        mix_games: The games of each pair of a trial's metagame, under each edition.
        store: The folder of runs: everything is stored there, read from there, and resumed. Without one, nothing is
            kept.
        threads: The number of threads; the result does not depend on it.
        listener: Follows the progress.
        **options: Those of the game: base, meta, pilot, classes, search_pilots.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If the patch has a mistake, or changes a card that no deck can have.
        DeckError: If there is no such class, or too few known decks are legal under the patch.
        GameError: If there is no such game, or it has no patches.
        MatchError: If an intent cannot be read, or a number is impossible.
        RunError: If there is no such metagame, or a store cannot be used.
    """
    with kept_in(None if store is None else Path(store)) as folder:
        subject = find(game).balance_subject(patch, store=None if store is None else folder, **options)
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
        plan = StudyPlan(sized, folder, seed=seed, paired=paired, threads=threads)
        return carry_out(subject, plan, intents=intents, listener=listener)


@checked
def rebalance(
    targets: Path | str | Mapping[str, Any],
    *,
    settings: Sequence[str] = (),
    seed: int = 0,
    store: Path | str | None = None,
    threads: int | None = None,
    listener: Listener | None = None,
) -> Rebalancing:
    """Finds small changes of cards that bring the metagame to its targets, and says which hold up when decks adapt.

    Args:
        targets: What may change and what is wanted: a TOML file, or the same as a dictionary; docs/rebalance.md says
            what it has.
        settings: Values to change, as for `--set` on the command line, such as `["confirm.trials=4"]`.
        seed: The seed of everything random.
        store: The folder of runs: everything is stored there, read from there, and resumed. Without one, nothing is
            kept.
        threads: The number of threads; the result does not depend on it.
        listener: Follows the progress.

    Raises:
        GameError: If there is no such game, or its cards cannot be rebalanced.
        MatchError: If a number is impossible.
        RunError: If the file has a mistake, with its place, or a store cannot be used.
    """
    with kept_in(None if store is None else Path(store)) as folder:
        task = read_targets(targets, settings=settings, folder=folder, seed=seed, threads=threads)
        return rebalance_task(task, listener=listener)


def read_targets(
    targets: Path | str | Mapping[str, Any],
    *,
    settings: Sequence[str] = (),
    folder: Path,
    seed: int,
    threads: int | None,
) -> Task:
    """Reads and checks a file of targets; nothing is played.

    Raises:
        RunError: If it has a mistake, with its place.
    """
    if isinstance(targets, Mapping):
        document = Document("rebalance", {"name": "rebalanced", **targets})
    else:
        document = read_document(Path(targets), may_start_programs=False)
        document.values.setdefault("name", Path(targets).stem)
    for setting in settings:
        document.set_from_text(setting)
    file = document.check(TargetsFile)
    rebalancer = find(file.game).rebalancer(file, document, store=folder)
    return task_of(document, file, rebalancer, folder=folder, seed=seed, threads=threads)
