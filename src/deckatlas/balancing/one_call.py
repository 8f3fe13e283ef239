"""A balance study in one call from Python."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deckatlas.balancing.plan import StudyPlan, effort_of
from deckatlas.balancing.study import Study, carry_out
from deckatlas.games import find
from deckatlas.metagame.growth import Listener
from deckatlas.metagame.play import kept_in


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
        subject = find(game).balance_subject(patch, store=folder, **options)
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
