"""A metagame that was played, with all that follows: what tables, pages and pictures show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from deckatlas.metagame.challenger import Challenge
from deckatlas.metagame.equilibrium import SAMPLES
from deckatlas.metagame.metagame import MOST_PORTIONS, Metagame, portions_of
from deckatlas.metagame.play import Budget, Watch, play_challenger, play_metagame
from deckatlas.metagame.standings import Standings, mix_by_seed
from deckatlas.play.limits import positive

Floats = npt.NDArray[np.float64]

PORTIONS = 20


@dataclass(frozen=True)
class Analysis(Standings):
    """A metagame whose matchups have been played.

    Attributes:
        metagame: The metagame.
        budget: How the games were played.
    """

    metagame: Metagame
    budget: Budget

    def deck(self, deck: str, *, watch: Watch | None = None) -> Challenge:
        """How any deck does against this metagame, with the pilot of its decks; its games are played or read.

        Args:
            deck: The deck, by its name, code or text.
            watch: Called with the progress, several times a second.

        Raises:
            DeckError: If it is not a deck, or not legal in the edition.
            RunError: If the store cannot be used.
        """
        joined = self.metagame.joined_by(deck)
        return Challenge(joined.names[-1], play_challenger(joined, replace(self.budget, watch=watch)), self)

    def decks(self, others: Metagame, *, watch: Watch | None = None) -> list[Challenge]:
        """How each deck of another metagame, such as the elites of a run, does against this one.

        Raises:
            DeckError: If a deck is not legal in the edition.
            RunError: If the store cannot be used.
        """
        return [self.deck(each.deck, watch=watch) for each in others.entrants]

    def suite(self, *, portions: int = PORTIONS) -> str:
        """A file of opponents whose portions are the mix.

        Args:
            portions: The sum of all portions: the games in which each opponent is met as often as the mix has it.

        Raises:
            MatchError: If the number is too small or large.
        """
        total = positive("portions", portions, MOST_PORTIONS)
        return self.metagame.suite(portions_of(self.mix.shares, total))

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "metagame": self.metagame.name,
            "edition": self.metagame.edition,
            "games": self.matchups.games,
            "seed": self.budget.seed,
            "decks": [self._deck_json(i) for i in self.order],
            "matchups": [self._pair_json(i, j) for i, j in self.matchups.outcomes],
            "mix": {
                "is_unique": self.mix.is_unique,
                "best_response_gains_at_most": self.mix.gain.high,
            },
            "cycles": [
                {
                    "decks": [self.names[i] for i in cycle.decks],
                    "strength": cycle.strength,
                    "rates": [each.cells("rate", prefix="") for each in cycle.rates],
                }
                for cycle in self.cycles
            ],
            "replicator": {
                "time": float(self.course.time[-1]),
                "end": _by_name(self.names, self.course.shares[-1]),
                "mean": _by_name(self.names, self.course.mean),
            },
        }

    def _deck_json(self, i: int) -> dict[str, Any]:
        entrant = self.metagame.entrants[i]
        return {
            "name": entrant.name,
            "deck": entrant.deck,
            "pilot": entrant.pilot,
            "share": float(self.shares[i]),
            **self.mix.share(i).cells("mix"),
            "mean_mix": float(self.mix.mean[i]),
            "chance_in_mix": float(self.mix.chance[i]),
            **self.score(i).cells("won"),
            **self.matchups.ratings[i].cells("rating", n="games"),
        }

    def _pair_json(self, i: int, j: int) -> dict[str, Any]:
        return {
            "a": self.names[i],
            "b": self.names[j],
            **self.matchups.rate(i, j).cells("rate", n="games", prefix=""),
            "is_decided": (i, j) in self.decided or (j, i) in self.decided,
        }


def _by_name(names: Sequence[str], shares: Floats) -> Mapping[str, float]:
    return dict(zip(names, shares.tolist(), strict=True))


def analyse(metagame: Metagame, budget: Budget, *, samples: int = SAMPLES, earlier: Metagame | None = None) -> Analysis:
    """Plays a metagame, or reads its games, and analyses it.

    Args:
        metagame: The metagame.
        budget: How much is played, and where it is stored.
        samples: The number of resampled matrices.
        earlier: A metagame that was played with the same budget, whose games need not be played again.

    Raises:
        RunError: If the store cannot be used.
    """
    matchups = play_metagame(metagame, budget, earlier=earlier)
    mix = mix_by_seed(matchups, budget.seed, samples=samples)
    return Analysis(matchups, mix, metagame.shares, metagame, replace(budget, watch=None))
