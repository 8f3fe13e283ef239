"""The games of a round: played in parts, each stored in a file, and read back as samples for training.

Everything about a game follows from the training's seed, the number of its round and the number of its part.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.errors import AgentError, RunError
from deckatlas.files.arrays import read_arrays, write_arrays
from deckatlas.files.writing import make_folder, remove_file
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.pilots import pilot
from deckatlas.games.hearthstone.setup import deck_rows
from deckatlas.games.hearthstone.training.config import TrainingConfig
from deckatlas.games.hearthstone.training.decks import TrainingDecks
from deckatlas.games.hearthstone.training.features import JointFeatures

Progress = Callable[[int], object]

_WON, _NOBODY = 1, 2  # codes of outcomes


@dataclass(frozen=True)
class Samples:
    """Positions with how their games ended.

    Attributes:
        offsets: Where the features of each position start, and where the last ones end.
        features: The joint numbers of features.
        moments: Who moves next in each position, as the core numbers it.
        targets: 1 if the player of the position won, 0 if it lost, one half if nobody won.
        scores: What the pilot to move thought of each position, by its own rating.
        editions: The place of each position's edition among those of the training.
        held_out: Whether the game of each position is not for training.
        is_first: Whether the player of each position moved first in its game.
        ends_game: Whether each position is the last one that was recorded of its game.
    """

    offsets: npt.NDArray[np.int64]
    features: npt.NDArray[np.uint16]
    moments: npt.NDArray[np.uint8]
    targets: npt.NDArray[np.float32]
    scores: npt.NDArray[np.int32]
    editions: npt.NDArray[np.uint8]
    held_out: npt.NDArray[np.bool_]
    is_first: npt.NDArray[np.bool_]
    ends_game: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.targets)

    def where(self, chosen: npt.NDArray[np.bool_]) -> "Samples":
        """The samples where `chosen` is true."""
        lengths = np.diff(self.offsets)
        return Samples(
            offsets=_offsets(lengths[chosen]),
            features=self.features[np.repeat(chosen, lengths)],
            **{name: getattr(self, name)[chosen] for name in _PLAIN},
        )


_PLAIN = tuple(field.name for field in fields(Samples) if field.name not in ("offsets", "features"))


def joined(parts: Sequence[Samples]) -> Samples:
    """All samples of the parts, in order."""
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in ("features", *_PLAIN)}
    return Samples(offsets=_offsets(lengths), **columns)


def _offsets(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


class RoundGames:
    """The games of one round."""

    def __init__(
        self,
        config: TrainingConfig,
        editions: Sequence[Edition],
        decks: Sequence[TrainingDecks],
        number: int,
        folder: Path,
    ) -> None:
        """Prepares the games.

        Args:
            config: The training.
            editions: Its editions.
            decks: The decks of each edition.
            number: The number of the round.
            folder: Where its parts are stored.
        """
        self._config, self._number, self._folder = config, number, folder
        self._editions, self._decks = editions, decks

    @property
    def known_decks(self) -> tuple[Deck, ...]:
        """The named decks of all editions, each once: as many of each class as a network can know."""
        by_class: dict[str, list[Deck]] = {}
        for deck in dict.fromkeys(deck for decks in self._decks for deck in decks.named):
            by_class.setdefault(deck.hero_class, []).append(deck)
        return tuple(deck for decks in by_class.values() for deck in decks[: core.MOST_KNOWN_DECKS])

    @property
    def parts(self) -> int:
        """The number of parts."""
        return -(-self._config.games.games // self._config.games.part)

    def path(self, part: int) -> Path:
        """The file of a part."""
        return self._folder / f"part-{part:04d}.npz"

    def missing(self) -> list[int]:
        """The parts that were not played yet."""
        return [part for part in range(self.parts) if not self.path(part).exists()]

    def play(self, part: int, pilot_text: str, *, threads: int, progress: Progress | None = None) -> None:
        """Plays a part and stores its positions.

        Raises:
            AgentError: If a pilot is unknown, or not an agent of the core.
        """
        games, begun = self._config.games, time.monotonic()
        rng = np.random.default_rng([self._config.seed, self._number, part])
        number = part % len(self._editions)
        count = min(games.part, games.games - part * games.part)
        decks = self._decks[number].draw(max(2, 2 * count // self._config.decks.games_per_deck), rng)
        columns = core.record_positions(
            self._editions[number].card_set,
            [agent_of_games(pilot_text)],
            deck_rows(decks, self._editions[number]),
            np.zeros((count, 2), np.int32),
            rng.integers(0, len(decks), (count, 2)).astype(np.int32),
            rng.integers(0, 2**64, count, np.uint64),
            mulligan=core.Mulligan[games.mulligan],
            share=games.share,
            explorer=agent_of_games(games.explorer),
            explored=games.explored,
            threads=threads,
            progress=progress,
        )
        seconds = np.array(time.monotonic() - begun)
        make_folder(self.path(part).parent, error=RunError)
        write_arrays(self.path(part), {**columns, "seconds": seconds}, error=RunError)

    def samples(self, features: JointFeatures) -> Samples:
        """The positions of all parts."""
        return joined(list(self._read(features)))

    def _read(self, features: JointFeatures) -> Iterator[Samples]:
        for part in range(self.parts):
            columns: dict[str, Any] = read_arrays(self.path(part), error=RunError)
            outcomes, edition = columns["outcome"], part % len(self._editions)
            yield Samples(
                offsets=columns["offsets"],
                features=features.numbers[self._editions[edition].name][columns["features"]],
                moments=columns["moment"],
                targets=np.where(outcomes == _NOBODY, 0.5, outcomes == _WON).astype(np.float32),
                scores=columns["plan_score"],
                editions=np.full(len(outcomes), edition, np.uint8),
                held_out=columns["game"] % self._config.steps.held_out == 0,
                is_first=columns["half_turn"] % 2 == 1,
                ends_game=np.diff(columns["game"], append=-1) != 0,
            )

    def counts(self) -> dict[str, float]:
        """How many games were played, what came out, and how long it took."""
        totals = {"games": 0, "void": 0, "drawn": 0, "half_turns": 0, "positions": 0}
        seconds = 0.0
        for part in range(self.parts):
            columns = read_arrays(self.path(part), error=RunError)
            is_void = columns["void"] != 0
            totals["games"] += len(is_void)
            totals["void"] += int(is_void.sum())
            totals["drawn"] += int(((columns["winner"] > 1) & ~is_void).sum())
            totals["half_turns"] += int(columns["turns"].sum())
            totals["positions"] += len(columns["moment"])
            seconds += float(columns["seconds"])
        return {**totals, "seconds": round(seconds, 1)}

    def remove(self) -> None:
        """Removes the files of all parts."""
        for part in range(self.parts):
            remove_file(self.path(part))


def agent_of_games(text: str) -> core.Agent:
    """The agent of a pilot's text, which games of a training need.

    Raises:
        AgentError: If there is no such pilot, or it is not an agent of the core.
    """
    made = pilot(text).agent_of_core()
    if made is None:
        raise AgentError(f"games of a training are played by agents of the core, not by {text!r}")
    return made
