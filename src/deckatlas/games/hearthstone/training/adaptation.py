"""A short training under a patch, which adapts the rating of the package to changed and new cards.

It starts with the weights of the package. Half of its games are under the patch, half without it, so that the rating
does not forget what it knows; many decks have copies of the changed cards.
"""

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from deckatlas.arguments import checked
from deckatlas.documents.document import Document
from deckatlas.errors import CardError, RunError
from deckatlas.games.game import ShowStage
from deckatlas.games.hearthstone.cards.editions import Edition, EditionLike, Patch, edition, edition_of
from deckatlas.games.hearthstone.training.config import SHIPPED, WEIGHTS, TrainingConfig
from deckatlas.games.hearthstone.training.contents import edition_text, weights_called
from deckatlas.games.hearthstone.training.rounds import RoundResult, Training
from deckatlas.play.limits import thread_count
from deckatlas.shapes import show as shown
from deckatlas.stats.estimate import Estimate

GAMES = 40_000
SEED = 1

_FOLDER = Path("trainings")
_OPTIONS = "width=4,finalists=4,luck=0,replies=0"
_LONGEST_NAME = 80  # of a folder, without what comes before it
_PARTS = 10  # which the two editions take in turn
_GAMES_PER_DRAWN = 200  # games of the training for each deck of the match
_MATCH_GAMES = 50  # with each deck of the match
# By losses on held-out positions: a larger rate gains more under the patch, and forgets more of the games without it.
_STEPS = {"epochs": 2, "rate": 0.0001, "final_rate": 0.0, "weight_decay": 0.1, "held_out": 10}


@dataclass(frozen=True)
class Adaptation:
    """The result of an adaptation.

    Attributes:
        edition: The name of the patched edition.
        weights: The file of the adapted weights.
        games: The games that were played to learn from.
        positions: Held-out positions of games under the patch.
        loss_before: The loss of the weights of the package on these positions.
        loss_after: The loss of the adapted weights.
        won: The share of games that the adapted weights won against those of the package, under the patch, with the
            same deck and a narrow search on both sides.
    """

    edition: str
    weights: Path
    games: int
    positions: int
    loss_before: float
    loss_after: float
    won: Estimate

    @property
    def pilot(self) -> str:
        """The pilot that plays with the adapted weights."""
        return f"expert:net={self.weights}"


@checked
def adapt(
    patch: EditionLike | Patch,
    *,
    base: EditionLike | None = None,
    games: int = GAMES,
    folder: Path | str | None = None,
    seed: int = SEED,
    threads: int | None = None,
    show: ShowStage | None = None,
) -> Adaptation:
    """Adapts the rating of positions to a patch by some games under it. If it was stopped, the same call continues it.

    Args:
        patch: The patch, the path of its TOML file, or the patched edition.
        base: The edition that the patch changes; by default the one that it names.
        games: The number of games to learn from.
        folder: Where everything is stored; by default a folder of the patch's name in `trainings`.
        seed: The seed of everything random.
        threads: The number of threads; the result does not depend on it.
        show: Shows the progress of each stage.

    Raises:
        CardError: If there is no such edition, or the patch has a mistake.
        MatchError: If `threads` is not a positive whole number.
        RunError: If another argument is impossible, or the folder has another training.
    """
    before, after = _editions(patch, base)
    place = _FOLDER / f"adapt-{quote(after.name, safe=' ')[:_LONGEST_NAME]}" if folder is None else Path(folder)
    config = adaptation_config(before, after, games=games, seed=seed)
    training = Training(config, place, threads=thread_count(threads), show=_quiet if show is None else show)
    (result,) = training.rounds()
    return _adaptation(result, after.name)


def adaptation_config(before: Edition, after: Edition, *, games: int, seed: int) -> TrainingConfig:
    """The training that adapts the weights of the package to an edition made of another one.

    Raises:
        RunError: If an argument is impossible.
    """
    values: dict[str, Any] = {
        "game": "hearthstone",
        "seed": seed,
        "editions": [edition_text(after), edition_text(before)],
        "games": {
            "games": games,
            "part": max(20, -(-games // _PARTS)) if isinstance(games, int) else games,
            "share": 0.4,
            "first_pilot": f"expert:net={WEIGHTS},{_OPTIONS}",
            "pilot": f"expert:net={WEIGHTS},{_OPTIONS}",
        },
        "decks": {
            "library": 0.1,
            "mutated": 0.8,
            "random": 0.1,
            "featured": changed_cards(before, after),
            "featured_share": 0.75,
        },
        "model": {"start": SHIPPED, "hidden": weights_called(SHIPPED).width},
        "steps": _STEPS,
        "strength": {
            "opponent": f"expert:{_OPTIONS}",
            "games": _MATCH_GAMES,
            "drawn": max(1, games // _GAMES_PER_DRAWN) if isinstance(games, int) else 1,
        },
    }
    return Document("adapt", values).check(TrainingConfig)


def changed_cards(before: Edition, after: Edition) -> list[str]:
    """The ids of the cards of decks that an edition has changed or added."""
    return [card.id for card in after.cards if card.collectible and before.by_id.get(card.id) != card]


def _editions(patch: EditionLike | Patch, base: EditionLike | None) -> tuple[Edition, Edition]:
    """The edition before the patch, and the patched one."""
    after = edition(patch.base).patched(patch) if isinstance(patch, Patch) else edition_of(patch)
    if after.made_of is None:
        raise CardError(f"edition {shown(after.name)} is not made by a patch: give a TOML file with one")
    before, change = after.made_of
    if base is None or edition_of(base) == before:
        return before, after
    return edition_of(base), edition_of(base).patched(change)


def _adaptation(result: RoundResult, name: str) -> Adaptation:
    measures = result.measures
    try:
        before, after = (measures[stage]["editions"][name] for stage in ("start", "whole numbers"))
    except KeyError:
        raise RunError("the games under the patch gave too few positions to measure: play more games") from None
    strength = measures["strength"]
    return Adaptation(
        edition=name,
        weights=result.weights,
        games=measures["games"]["games"],
        positions=after["held_out_positions"],
        loss_before=before["held_out_loss"],
        loss_after=after["held_out_loss"],
        won=Estimate.from_cells(strength, "won", n=strength["games"]),
    )


def _quiet(description: str, total: int, *, unit: str) -> Any:
    return nullcontext(lambda done: None)
