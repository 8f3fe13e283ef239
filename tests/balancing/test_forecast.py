"""Forecasts of what a study can detect: studies of simulated games and trials with such an effect detect it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas.balancing.field_games import DECK, MATCHUP, FieldGames
from deckatlas.balancing.forecast import Forecast, forecast_of, found_by_trials
from deckatlas.balancing.plan import StudyPlan, effort_of
from deckatlas.balancing.questions import RISES, answered
from deckatlas.balancing.study import read_intents
from deckatlas.balancing.subject import Floats, FoundMap
from deckatlas.balancing.trial_questions import FOUND, INCLUSION, MIX, TrialEvidence
from deckatlas.balancing.trials import Half, SearchKey
from deckatlas.games.hearthstone.balance import EFFORTS, NORMAL, SPREADS, THOROUGH, HearthstoneSubject, subject_of
from deckatlas.metagame.matchups import GAMES_PER_SEED, Matchups, all_pairs
from deckatlas.stats.distributions import student_quantile
from deckatlas.views.balance_terminal import plan_lines
from helpers.balance_trials import trials_of

VERDICT = Path(__file__).parents[2] / "experiments/balance/results/highmane-normal.json"
CARD = "Savannah Highmane"
KEY: SearchKey = ("hunter", "fast")
STUDIES = 200
LEAST_FOUND = 0.75  # the forecast says 4 of 5


@pytest.fixture(scope="module")
def subject() -> HearthstoneSubject:
    cheaper = hearthstone.Patch("cheaper", {CARD: {"cost": 4}})
    return subject_of(cheaper, meta="field-2018", pilot="greedy")


def forecast(subject: HearthstoneSubject, plan: StudyPlan) -> Forecast:
    return forecast_of(subject, plan, pace=lambda _: 0.001)


def outcomes(rng: np.random.Generator, rate: float, seeds: int) -> Floats:
    return rng.binomial(GAMES_PER_SEED, rate, seeds) / GAMES_PER_SEED


def found_in_field(subject: HearthstoneSubject, seeds: int, effect: float) -> float:
    """How often studies find that one of the known decks, all even before, gains this much against the field."""
    known = subject.fields[0]
    gain = effect / (1 - known.shares[0])  # games against its own copies stay even
    rng, found, pairs = np.random.default_rng(11), 0, all_pairs(len(known.entrants))
    for _ in range(STUDIES):
        sides = [
            Matchups(known.names, {(i, j): outcomes(rng, 0.5 + (i == 0) * half, seeds) for i, j in pairs})
            for half in (-gain / 2, gain / 2)
        ]
        games = FieldGames(sides[0], sides[1], known.shares, subject.classes, paired=False)
        asked = list(takewhile(lambda each: each.topic != MATCHUP, games.questions()))
        claims = {each.question.subject: each.claim for each in answered(asked) if each.question.topic == DECK}
        found += claims[known.names[0]] == RISES
    return found / STUDIES


def test_known_decks_that_gain_what_the_forecast_says_are_found(subject: HearthstoneSubject, tmp_path: Path) -> None:
    before, after = (replace(each, entrants=each.entrants[:6]) for each in subject.fields)
    few = replace(subject, fields=(before, after))
    plan = StudyPlan(effort_of("quick", EFFORTS, games=1_200), tmp_path)
    effect, seeds = forecast(few, plan).field_effect, plan.field_seeds(len(few.fields[0].entrants))
    assert found_in_field(few, seeds, effect) >= LEAST_FOUND
    assert found_in_field(few, seeds, effect / 2) < 0.5  # the forecast is no mere worst case


@dataclass(frozen=True)
class DrawnHalf(Half):
    """A half whose mix is drawn instead of solved."""

    drawn: Floats = field(default_factory=lambda: np.ones(1))

    @cached_property
    def mix(self) -> Floats:
        """The mix as drawn."""
        return self.drawn


def drawn_half(classes: tuple[str, ...], found_rate: float, inclusion: float, mixed: float) -> DrawnHalf:
    """One known deck of each class, and a found deck that is the only elite and may hold a part of the card."""
    known, rest = len(classes), 1 - mixed
    decks = FoundMap(
        shape=(1, 1),
        names=("mean cost", "spread of costs"),
        ranges=((0.0, 2.0), (0.0, 2.0)),
        cell=np.array([0]),
        win_rate=np.array([0.5]),
        measures=np.ones((1, 2)),
        cards=(CARD,),
        holds=np.array([[inclusion]]),
        best=("deck",),
    )
    rates = {(i, j): 1 - found_rate if j == known else 0.5 for i, j in all_pairs(known + 1)}
    matchups = Matchups((*classes, "found"), {pair: np.full(2, rate) for pair, rate in rates.items()})
    others = np.array([0.0 if each == "HUNTER" else rest / (known - 1) for each in classes])
    return DrawnHalf(
        {KEY: decks},
        matchups,
        np.full(known, 1 / known),
        (KEY,),
        (*classes, "HUNTER"),
        (*({} for _ in classes), {CARD: 1.0}),
        drawn=np.array([*others, mixed]),
    )


def drawn_pairs(
    rng: np.random.Generator, classes: tuple[str, ...], trials: int, effects: tuple[float, float, float]
) -> Iterator[tuple[Half, Half]]:
    """Trials whose differences have the spreads of the game and these means."""
    for _ in range(trials):
        moved = rng.normal(effects, (SPREADS.found_rate, SPREADS.inclusion, SPREADS.mix_share)).clip(-1, 1)
        before, after = ((0.5 + sign * moved / 2).tolist() for sign in (-1, 1))
        yield drawn_half(classes, *before), drawn_half(classes, *after)


def test_trials_that_move_by_what_the_forecast_says_are_found(subject: HearthstoneSubject, tmp_path: Path) -> None:
    effects = forecast(subject, StudyPlan(NORMAL, tmp_path)).trial_effects
    found_rate, inclusion, mixed = effects.values()
    classes = tuple(sorted({*subject.classes}))
    rng, found = np.random.default_rng(12), dict.fromkeys((FOUND, INCLUSION, MIX), 0)
    for _ in range(STUDIES):
        trials = trials_of(list(drawn_pairs(rng, classes, NORMAL.trials, (found_rate, inclusion, mixed))))
        evidence = TrialEvidence(trials, subject.cards, classes, games=1, evaluation_games=38)
        rises = {
            (each.question.topic, each.question.subject)
            for each in answered(list(evidence.questions()))
            if each.claim == RISES
        }
        for topic, subject_of_question in ((FOUND, "Hunter"), (INCLUSION, CARD), (MIX, "Hunter")):
            found[topic] += (topic, subject_of_question) in rises
    assert min(found.values()) >= LEAST_FOUND * STUDIES, found


@pytest.mark.parametrize(("trials", "questions"), [(3, 1), (5, 6), (8, 11), (16, 2)])
def test_a_t_test_finds_the_effect_of_trials_in_four_of_five_studies(trials: int, questions: int) -> None:
    level, spread, studies = 0.05 / questions, 0.3, 20_000
    effect = found_by_trials(spread, trials, level)
    moved = np.random.default_rng(13).normal(effect, spread, (studies, trials))
    t = moved.mean(axis=1) / (moved.std(axis=1, ddof=1) / trials**0.5)
    found = float((t > student_quantile(trials - 1, 1 - level / 2)).mean())
    assert found == pytest.approx(0.8, abs=4 * (0.8 * 0.2 / studies) ** 0.5)


def test_the_spreads_are_those_of_the_committed_study() -> None:
    verdict = json.loads(VERDICT.read_text())
    trials = verdict["trials"]

    def spread(topic: str, subject: str) -> float:
        (asked,) = (each for each in verdict["sentences"] if (each["topic"], each["subject"]) == (topic, subject))
        error = (asked["high"] - asked["difference"]) / student_quantile(trials - 1)
        return float(error * trials**0.5)

    measured = [spread(FOUND, "Hunter"), spread(INCLUSION, CARD), spread(MIX, "Hunter")]
    assert [SPREADS.found_rate, SPREADS.inclusion, SPREADS.mix_share] == pytest.approx(measured, abs=0.005)


def test_a_forecast_of_trials_says_which_ones_it_takes_for_typical(subject: HearthstoneSubject, tmp_path: Path) -> None:
    for effort in EFFORTS:
        plan = StudyPlan(effort, tmp_path)
        expected = forecast(subject, plan)
        assert bool(expected.trial_effects) == (effort.trials > 0)
        last = list(plan_lines(subject, plan, expected))[-1]
        assert ("as in earlier studies of effort normal" in last) == (effort.trials > 0)


def test_an_intent_that_so_few_trials_cannot_meet_is_named_before_the_first_game(
    subject: HearthstoneSubject, tmp_path: Path
) -> None:
    plan = StudyPlan(THOROUGH, tmp_path)
    texts = (
        f"{CARD} in at most 40 % of hunter elites",
        f"{CARD} in at most 60 % of hunter elites",
        "hunter win rate at most 20",
    )
    lines = list(plan_lines(subject, plan, forecast(subject, plan), intents=read_intents(texts, subject, plan)))
    (told,) = (line for line in lines if "cannot meet" in line)
    assert told == f'5 trials cannot meet "{texts[0]}", even if all agree: 8 can (--trials 8).'


def test_fewer_trials_see_less(subject: HearthstoneSubject, tmp_path: Path) -> None:
    normal, thorough = (forecast(subject, StudyPlan(each, tmp_path)).trial_effects for each in (NORMAL, THOROUGH))
    assert THOROUGH.trials < NORMAL.trials
    assert all(thorough[name] > effect for name, effect in normal.items())
