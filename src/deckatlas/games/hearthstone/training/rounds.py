"""The loop of a training: each round plays games, learns from them, writes weights and measures them.

A folder holds everything: `config.json`, the weights that the model starts with (if not with random ones), and for each
round a folder with the parts of its games, the state of the model after each epoch, `weights.npz` and `measures.jsonl`.
Every file is complete or absent, and everything in it follows from the configuration and the files before it: a
training that was killed continues, and ends with the same weights.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.errors import RunError
from deckatlas.files.limits import MOST_JSON_BYTES
from deckatlas.files.reading import read_text
from deckatlas.files.writing import make_folder, write_text
from deckatlas.games.game import ShowStage
from deckatlas.games.hearthstone.agents import rates_by_chance
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.library import field_decks
from deckatlas.games.hearthstone.match import play
from deckatlas.games.hearthstone.pilots import pilot
from deckatlas.games.hearthstone.position_network import NetworkWeights, write_network
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.training.config import WEIGHTS, TrainingConfig
from deckatlas.games.hearthstone.training.contents import (
    by_content,
    check_pilots,
    check_place,
    editions_of,
    provenance,
    start_weights,
)
from deckatlas.games.hearthstone.training.decks import TrainingDecks, check_featured
from deckatlas.games.hearthstone.training.features import joint_features
from deckatlas.games.hearthstone.training.measures import baseline_logits, calibration, calibration_error, log_loss
from deckatlas.games.hearthstone.training.model import RatingModel
from deckatlas.games.hearthstone.training.positions import RoundGames, Samples, joined
from deckatlas.games.hearthstone.training.returns import chances_of, returns
from deckatlas.games.hearthstone.training.storage import Lines
from deckatlas.play.runner import after
from deckatlas.runs import lock
from deckatlas.stats.means import average

_ORDER, _STRENGTH, _DRAWN = range(3)  # what a seed is for


@dataclass(frozen=True)
class RoundResult:
    """The result of a round: its number, the file of its weights, and its measures by stage."""

    number: int
    weights: Path
    measures: Mapping[str, Mapping[str, Any]]


class Training:
    """A training in its folder."""

    def __init__(self, config: TrainingConfig, folder: Path, *, threads: int, show: ShowStage) -> None:
        """Checks the configuration, and that the folder is new or has the same training.

        Args:
            config: The configuration.
            folder: Where everything is stored; created if it is absent.
            threads: The number of threads; the weights do not depend on it.
            show: Shows the progress of each stage.

        Raises:
            DeckatlasError: If something that the configuration names does not exist.
            RunError: If the folder has another training.
        """
        self._config, self._folder, self._threads, self._show = config, folder, threads, show
        check_place(folder)
        self._editions = editions_of(config)
        check_pilots(config)
        check_featured(config.decks.featured, self._editions)
        self._decks = [TrainingDecks(config.decks, edition) for edition in self._editions]
        self._strength_decks = self._decks_of_strength()
        self._games = [self._games_of(number) for number in range(config.rounds)]
        self._start = start_weights(config)
        self._known = by_content(config)
        self._check_folder()
        self._features = joint_features(self._editions)

    def rounds(self) -> Iterator[RoundResult]:
        """Carries out all rounds that are missing, and yields the result of each round, also of those done before.

        Raises:
            RunError: If another process is at work in the folder.
        """
        held = lock.acquire(self._folder)
        if held is None:
            raise RunError(f"another process is training in {self._folder}")
        try:
            if self._start is not None and not self._weights(-1).exists():
                self._write_weights(-1, self._start)
            for number in range(self._config.rounds):
                yield self._round(number)
        finally:
            lock.release(self._folder, held)

    def _round(self, number: int) -> RoundResult:
        lines = Lines(self._path(number) / "measures.jsonl")
        weights = self._weights(number)
        if not weights.exists():
            self._play(number, lines)
            self._learn(number, lines)
        if self._config.games.pilot is not None and lines.get("strength") is None:
            lines.add("strength", self._strength(number))
        self._remove_unneeded(number)
        return RoundResult(number, weights, lines.all())

    def _play(self, number: int, lines: Lines) -> None:
        games, size, text = self._games[number], self._config.games.part, self._pilot(number)
        with self._show(f"round {number}: games", self._config.games.games, unit="games") as progress:
            for part in games.missing():
                games.play(part, text, threads=self._threads, progress=after(part * size, progress))
        lines.add("games", {"pilot": text, **games.counts()})

    def _learn(self, number: int, lines: Lines) -> None:
        """Trains on this round and some before it, and writes the weights."""
        config = self._config.steps
        oldest = max(0, number + 1 - config.rounds_kept)
        samples = joined([self._games[each].samples(self._features) for each in range(oldest, number + 1)])
        learnt, measured = samples.where(~samples.held_out), samples.where(samples.held_out)
        del samples
        if not len(learnt) or not len(measured):
            raise RunError("the games gave too few positions to learn from: play more games, or record a larger share")
        model = RatingModel(self._features, hidden=self._config.model.hidden, seed=self._config.seed)
        if number > 0:
            model.read_state(self._state(number - 1, config.epochs - 1))
        elif self._start is not None:
            lines.add("start", self._network_measures(self._start, measured))
            model.start_from(self._start)
        if config.outcome_share < 1 and (number > 0 or self._start is not None):
            chances = chances_of(model.predict(learnt, threads=self._threads))
            learnt = replace(learnt, targets=returns(learnt, chances, outcome_share=config.outcome_share))
        for epoch in range(config.epochs):
            state = self._state(number, epoch)
            if state.exists():
                model.read_state(state)
            else:
                lines.add(f"epoch {epoch}", self._epoch(number, epoch, model, learnt, measured))
                model.write_state(state)
        if number == 0 and not rates_by_chance(self._config.games.first_pilot):
            lines.add("baseline", _measured(baseline_logits(learnt, measured), measured))
        decks = self._games[number].known_decks
        network = model.network(self._editions, about=provenance(self._known, number), decks=decks)
        lines.add("whole numbers", self._network_measures(network, measured))
        self._write_weights(number, network)

    def _network_measures(self, network: NetworkWeights, measured: Samples) -> dict[str, Any]:
        """Measures of a network in whole numbers, also for each edition."""
        logits, by_edition = self._logits(network, measured), {}
        for place, edition in enumerate(self._editions):
            chosen = measured.editions == place
            if chosen.any():
                by_edition[edition.name] = _measured(logits[chosen], measured.where(chosen))
        return {**_measured(logits, measured), "editions": by_edition}

    def _logits(self, network: NetworkWeights, samples: Samples) -> npt.NDArray[np.float64]:
        """The logits of samples by the network in whole numbers."""
        ratings = np.zeros(len(samples))
        for place, edition in enumerate(self._editions):
            chosen = samples.editions == place
            some = samples.where(chosen)
            own_number = np.zeros(1 << 16, np.uint16)  # of a joint number
            own_number[self._features.numbers[edition.name]] = np.arange(len(self._features.numbers[edition.name]))
            ratings[chosen] = core.rate_recorded(
                network.network(edition), some.offsets, own_number[some.features], some.moments
            )
        return ratings / float(core.NETWORK_SCALES["logit"])

    def _epoch(self, number: int, epoch: int, model: RatingModel, learnt: Samples, measured: Samples) -> dict[str, Any]:
        config, begun = self._config.steps, time.monotonic()
        steps = -(-len(learnt) // config.batch)
        slope = (config.final_rate - config.rate) / config.epochs
        rates = (config.rate + slope * epoch, config.rate + slope * (epoch + 1))
        with self._show(f"round {number}: epoch {epoch}", steps, unit="steps") as progress:
            loss = model.fit(
                learnt,
                batch=config.batch,
                rates=rates,
                weight_decay=config.weight_decay,
                seed=self._seed(number, _ORDER, epoch),
                threads=self._threads,
                progress=progress,
            )
        seconds = time.monotonic() - begun
        logits = model.predict(measured, threads=self._threads)
        return {
            "positions": len(learnt),
            "seconds": round(seconds, 1),
            "training_loss": round(loss, 5),
            **_measured(logits, measured),
            "calibration": calibration(logits, measured.targets),
        }

    def _strength(self, number: int) -> dict[str, Any]:
        """The match of the new weights."""
        config, begun = self._config.strength, time.monotonic()
        pilots = pilot(self._pilot(number + 1)), pilot(config.opponent)  # made once: a network takes time to read
        rates = {}
        with self._show(
            f"round {number}: strength", config.games * len(self._strength_decks), unit="games"
        ) as progress:
            for place, (name, deck) in enumerate(self._strength_decks.items()):
                result = play(
                    *pilots,
                    decks=(deck, deck),
                    edition=self._editions[0],
                    games=config.games,
                    seed=self._seed(0, _STRENGTH, place),
                    threads=self._threads,
                    progress=after(place * config.games, progress),
                )
                rates[name] = result.rate
        won = average(list(rates.values()))
        return {
            "opponent": config.opponent,
            "games": config.games * len(rates),
            "seconds": round(time.monotonic() - begun, 1),
            **{name: round(value, 4) for name, value in won.cells("won").items()},
            "decks": {name: round(rate.value, 4) for name, rate in rates.items()},
        }

    def _decks_of_strength(self) -> dict[str, Deck]:
        config, edition = self._config.strength, self._editions[0]
        names = config.decks or (() if config.drawn else tuple(each.name for each in field_decks()))
        drawn = self._decks[0].draw(config.drawn, np.random.default_rng(self._seed(0, _DRAWN, 0)))
        return {
            **{name: deck_of(name, edition) for name in names},
            **{f"drawn {number}, {deck.hero_class}": deck for number, deck in enumerate(drawn, start=1)},
        }

    def _pilot(self, number: int) -> str:
        """The pilot of a round's games."""
        text = self._config.games.first_pilot if number == 0 else self._config.games.pilot
        assert text is not None
        return text.replace(WEIGHTS, str(self._weights(number - 1)))

    def _remove_unneeded(self, number: int) -> None:
        """Removes the positions that no later round trains on."""
        oldest = number + 2 - self._config.steps.rounds_kept
        for each in range(max(0, oldest)):
            self._games[each].remove()

    def _check_folder(self) -> None:
        """Stores the configuration, or compares it with the stored one; only the number of rounds may change."""
        path, config = self._folder / "config.json", self._known
        if path.exists():
            text = read_text(path, most=MOST_JSON_BYTES, error=RunError)
            try:
                stored = TrainingConfig.model_validate_json(text)
            except ValueError:
                raise RunError(f"{path}: it is not the configuration of a training") from None
            if stored.model_copy(update={"rounds": config.rounds}) != config:
                raise RunError(f"{self._folder} has a training with another configuration: choose another folder")
        elif self._folder.exists() and any(self._folder.iterdir()):
            raise RunError(f"{self._folder} is not empty, and has no training")
        make_folder(self._folder, error=RunError)
        write_text(path, config.model_dump_json(indent=2) + "\n", error=RunError)

    def _games_of(self, number: int) -> RoundGames:
        return RoundGames(self._config, self._editions, self._decks, number, self._path(number) / "games")

    def _path(self, number: int) -> Path:
        return self._folder / f"round-{number:02d}"

    def _weights(self, number: int) -> Path:
        """The file of a round's weights; those that the model starts with come before round 0."""
        return self._folder / "start.npz" if number < 0 else self._path(number) / "weights.npz"

    def _write_weights(self, number: int, network: NetworkWeights) -> None:
        make_folder(self._weights(number).parent, error=RunError)
        write_network(self._weights(number), network)

    def _state(self, number: int, epoch: int) -> Path:
        return self._path(number) / f"epoch-{epoch:02d}.npz"

    def _seed(self, number: int, purpose: int, place: int) -> int:
        sequence = np.random.SeedSequence([self._config.seed, number, purpose, place])
        return int(sequence.generate_state(1, np.uint64)[0])


def _measured(logits: Any, measured: Samples) -> dict[str, Any]:
    return {
        "held_out_positions": len(measured),
        "held_out_loss": round(log_loss(logits, measured.targets), 5),
        "calibration_error": round(calibration_error(logits, measured.targets), 5),
    }
