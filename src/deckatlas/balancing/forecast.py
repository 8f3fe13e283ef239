"""What a balance study will play, how long that takes here, and what it will be able to see."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.questions import ALPHA
from deckatlas.balancing.study import field_games, mix_games, search_games
from deckatlas.balancing.subject import BASE, Subject
from deckatlas.metagame.matchups import GAMES_PER_SEED
from deckatlas.metagame.pace import seconds_per_game
from deckatlas.stats.sequential import detectable

# How much the difference of one trial varies if the patch does nothing: standard deviations over trials of the size of
# effort `normal`, measured by experiments/balance/calibration.py.
_SPREADS = {
    "the win rate of found decks": 0.03,
    "the share of elites with a changed card": 0.20,
    "the share of a class in the mix": 0.22,
}


@dataclass(frozen=True)
class Forecast:
    """What a study will play and see.

    Attributes:
        field_games: The games of the known decks, under both editions.
        search_games: The games of all searches.
        mix_games: The games of all trials' metagames.
        seconds: The time that all of them take here.
        field_effect: The difference in a deck's win rate that is found in at least 4 of 5 studies even if games under
            both editions have nothing in common.
        trial_effects: The same for numbers that rest on trials, by their names; empty if nothing is searched.
    """

    field_games: int
    search_games: int
    mix_games: int
    seconds: float
    field_effect: float
    trial_effects: Mapping[str, float]

    @property
    def games(self) -> int:
        """All games."""
        return self.field_games + self.search_games + self.mix_games


def forecast_of(subject: Subject, plan: StudyPlan) -> Forecast:
    """What a study will play and see; a few games are played to measure the speed."""
    field, trials = subject.fields[BASE], plan.effort.trials if subject.kinds else 0
    known = field_games(subject, plan)
    searched, mixed = trials * search_games(subject, plan), trials * mix_games(subject, plan)
    seconds = (known + mixed) * seconds_per_game(field, threads=plan.threads)
    if searched:
        paces = [seconds_per_game(field.played_by(pilot), threads=plan.threads) for pilot in subject.search_pilots]
        seconds += searched * sum(paces) / len(paces)
    decks, classes = len(field.entrants), len({*subject.classes} - {""})
    seeds = plan.field_seeds(decks)
    # A seed's outcome varies by a half at most for a game, by less for two; both editions vary.
    error = math.sqrt(2 * 0.25 / GAMES_PER_SEED / seeds * float((field.shares**2).sum()))
    field_effect = detectable(error, ALPHA / (decks + classes), freedom=(seeds - 1) * decks)
    effects = {}
    if trials:
        searches = len(subject.kinds) * len(subject.search_pilots)
        asked = searches * (3 + 3 * len(subject.cards)), searches * (3 + 3 * len(subject.cards)), classes + 1
        for (number, spread), questions in zip(_SPREADS.items(), asked, strict=True):
            effects[number] = detectable(spread / math.sqrt(trials), ALPHA / questions, freedom=trials - 1)
    return Forecast(known, searched, mixed, seconds, field_effect, effects)
