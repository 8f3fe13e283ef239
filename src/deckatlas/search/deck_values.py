"""Deck values: a search for the best deck of a space, guided by what each card adds to a deck.

An evolution learns from an evaluation whether a deck is good. Many decks that share cards tell more: which of the cards
make it so. In each round, *explorers* play a few games. One linear model over the cards of all decks so far gives every
card a value and its uncertainty (`card_model`). The next explorers are decks that would be best if values drawn from
this uncertainty were true (Thompson sampling), a few swaps away from a deck that is known to be good. So games go to
cards that may be better than those in the deck. In the end the best decks play the same fresh games, until one is left.
docs/search.md says more.
"""

from typing import ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from deckatlas.errors import SearchError
from deckatlas.search.deck_search import DeckSearchPlan, laps_of
from deckatlas.search.deck_space import DeckSpace
from deckatlas.search.evaluation import measured
from deckatlas.search.log import check_columns
from deckatlas.search.options import Asks, SearchSetting, StartedOptions
from deckatlas.search.scripts import EvaluationScript, generator_of

WINS = "win_rate"
LEAST_EXPLORERS = 4  # of a round; a small budget has fewer rounds


class DeckValues(StartedOptions):
    """The search for the best deck by the values of cards."""

    asks: ClassVar[Asks] = "evaluations"

    algorithm: Literal["deck-values"] = "deck-values"
    objective: str = Field(
        default=WINS, description="The column to maximise; an average over games, such as win_rate or avg_health_diff."
    )
    rounds: int = Field(
        default=40, ge=1, le=1_000, description="How often the values are estimated again, if the budget allows."
    )
    initial: int = Field(
        default=100, ge=1, le=100_000, description="The number of random decks to start from, if there are no starts."
    )
    radius: int = Field(
        default=8, ge=1, le=255, description="The most cards in which an explorer differs from the deck it is made of."
    )
    finalists: int = Field(
        default=16, ge=2, le=1_024, description="The decks that are compared in the end, if the budget allows."
    )
    final_share: float = Field(
        default=0.2, gt=0, lt=1, description="The share of the games in which the finalists are compared."
    )

    def search(self, setting: SearchSetting) -> EvaluationScript:
        """Makes the search; it divides the whole budget into rounds of equal size and the comparison of finalists.

        Raises:
            SearchError: If the space has no decks, or the budget is too small.
        """
        if setting.archive is not None:
            raise SearchError(f"{self.algorithm} looks for one deck and fills no archive", "archive", "algorithm")
        if not isinstance(setting.space, DeckSpace):
            raise SearchError(f"{self.algorithm} searches decks, and this space has none", "algorithm")
        if setting.budget is None:
            raise SearchError(f"{self.algorithm} does not end by itself: it needs a budget", "algorithm")
        evaluations = int(setting.budget * (1 - self.final_share)) // setting.games
        final_evaluations = int(setting.budget * self.final_share) // setting.games
        rounds = min(self.rounds, max(1, evaluations // LEAST_EXPLORERS))
        plan = DeckSearchPlan(
            rounds=rounds,
            explorers=evaluations // rounds,
            radius=self.radius,
            finalists=_affordable(self.finalists, final_evaluations),
            final_evaluations=final_evaluations,
            games=setting.games,
            fresh=setting.fresh,
            seed=setting.seed,
            column=_column(self.objective, setting),
            in_percent=self.objective == WINS,
        )
        if plan.explorers < 1 or min(plan.laps) < 1:
            raise SearchError(
                f"the budget of {setting.budget:,} games is too small for one round and two finalists with "
                f"{setting.games} games each",
                *("budget", "final_share", "evaluation.games"),
            )
        rng = generator_of(setting.seed)
        starts = setting.starts or tuple(setting.space.random(rng) for _ in range(self.initial))
        return EvaluationScript(plan.steps(setting.space, np.stack(starts), rng), games=plan.all_games)

    def smoke(self) -> Self:
        """Three small rounds and two finalists."""
        smaller = {"rounds": min(self.rounds, 3), "initial": min(self.initial, 10), "finalists": 2}
        return self.model_validate({**self.model_dump(), **smaller})


def _affordable(finalists: int, evaluations: int) -> int:
    """As many finalists as can play in all stages of their comparison, halved while they cannot."""
    while finalists > 2 and min(laps_of(finalists, evaluations)) < 1:
        finalists = (finalists + 1) // 2
    return finalists


def _column(name: str, setting: SearchSetting) -> int:
    """The place of the objective among the measured columns."""
    columns = measured(setting.columns)
    check_columns([name], [column.name for column in columns if column.over == "games"], "objective")
    return [column.name for column in columns].index(name)
