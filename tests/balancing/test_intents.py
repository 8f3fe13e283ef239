"""Intents: how they are read, when they are met, missed or undecided, and what would decide them."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from deckatlas.balancing.field_games import CLASS
from deckatlas.balancing.intents import Intent, KnownNames, Outcome, outcomes_of, parse_intent
from deckatlas.balancing.questions import FIELD, MIXES, SEARCHES, Question, Shift, over_trials
from deckatlas.balancing.trial_questions import FOUND, MIX
from deckatlas.errors import MatchError
from deckatlas.stats.estimate import Estimate

NAMES = KnownNames(("Zoo", "Face Hunter"), ("HUNTER", "WARLOCK"), ("hunter",), ("Savannah Highmane",))


@pytest.mark.parametrize(
    ("text", "subject", "place", "low", "high"),
    [
        ("hunter win rate in 48..52", "Hunter", "", 0.48, 0.52),
        ("Hunter win rate between 48 and 52.5 %", "Hunter", "", 0.48, 0.525),
        ("zoo win rate at most 55", "Zoo", "", 0.0, 0.55),
        ("Savannah Highmane in at most 40 % of hunter elites", "Savannah Highmane", "Hunter", 0.0, 0.4),
        ("savannah highmane in 10..40 % of Hunter elites", "Savannah Highmane", "Hunter", 0.1, 0.4),
        ("Savannah Highmane in at least 5% of hunter elites", "Savannah Highmane", "Hunter", 0.05, 1.0),
        ("warlock mix share at least 10", "Warlock", "", 0.1, 1.0),
        ("Savannah Highmane mix share in 5 to 20", "Savannah Highmane", "", 0.05, 0.2),
    ],
)
def test_an_intent_names_a_number_and_a_range(text: str, subject: str, place: str, low: float, high: float) -> None:
    found = parse_intent(text, NAMES)
    assert (found.subject, found.place, found.low, found.high) == (subject, place, low, high)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hunter", "cannot be read"),
        ("hunter win rate in 52..48", "from a smaller to a larger"),
        ("hunter win rate at most 120", "0 to 100"),
        ("huntre win rate in 48..52", "did you mean"),
        ("Savannah Highmane in at most 40 % of mage elites", "no class that is searched 'mage'"),
        ("Wisp in at most 40 % of hunter elites", "no changed card 'Wisp'"),
    ],
)
def test_an_intent_that_cannot_be_read_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(MatchError, match=message) as error:
        parse_intent(text, NAMES)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["Savannah Highmane in at most 40 % of hunter elites", "hunter mix share at most 20"])
def test_numbers_of_searches_need_a_study_that_searches(text: str) -> None:
    with pytest.raises(MatchError, match="choose --effort normal"):
        parse_intent(text, KnownNames(NAMES.decks, NAMES.classes, (), NAMES.cards))


def outcome(value: float, half: float, low: float, high: float, *, n: int = 1000, unit_games: int = 1) -> Outcome:
    after = Estimate(value, value - half, value + half, n, is_share=True)
    shift = Shift(0.0, half / 2, 30)
    asked = Question("class", "Hunter", "the win rate of Hunter", after, after, shift, "games", 0.01, FIELD)
    return Outcome(
        Intent("x", ("class",), "Hunter", "", low, high),
        Question(**{**asked.__dict__, "unit_games": unit_games}),
    )


@pytest.mark.parametrize(
    ("value", "half", "verdict"),
    [
        (0.5, 0.01, "met"),
        (0.5, 0.03, "undecided"),
        (0.6, 0.02, "missed"),
        (0.53, 0.02, "undecided"),
        (0.4, 0.05, "missed"),
    ],
)
def test_the_whole_interval_decides(value: float, half: float, verdict: str) -> None:
    assert outcome(value, half, 0.48, 0.52).verdict == verdict


def test_an_undecided_intent_says_how_many_games_would_decide_it() -> None:
    # Half of the interval, 0.04, must become 0.02: four times as many games.
    assert outcome(0.5, 0.04, 0.48, 1.0).more_games == 3000
    assert outcome(0.5, 0.04, 0.48, 1.0, n=8, unit_games=500).more_games == 12_000
    assert outcome(0.5, 0.04, 0.5, 1.0).more_games is None
    assert outcome(0.5, 0.01, 0.48, 1.0).more_games == 0
    assert "more games would decide it" in outcome(0.5, 0.04, 0.48, 1.0).text


def test_more_games_follow_from_the_side_of_the_interval_that_reaches_past_the_range() -> None:
    after = Estimate(0.1, 0.05, 0.5, 8, is_share=True)  # 40 points up, 5 points down
    asked = Question(MIX, "Hunter", "the share", after, after, Shift(0.0, 0.1, 7), "8 trials", 0.05, MIXES)
    # 40 points must become 30 to be met, so (4/3)^2 as many trials; 5 must become 2 to be missed.
    assert Outcome(Intent("x", (MIX,), "Hunter", "", 0.0, 0.4), asked).more_games == 7
    assert Outcome(Intent("x", (MIX,), "Hunter", "", 0.0, 0.08), asked).more_games == 42


@pytest.mark.parametrize("trials", [3, 6, 8])
@pytest.mark.parametrize(("share_if_any", "often"), [((0.0, 0.4), 0.5), ((1.0, 1.0), 0.25)], ids=["class", "card"])
def test_an_intent_whose_end_is_the_truth_is_rarely_met_or_missed_by_luck(
    share_if_any: tuple[float, float], often: float, trials: int
) -> None:
    """Trials of a class that half of the mixes do not have, and of a card that a quarter of the searches find."""
    rng, studies, truth = np.random.default_rng(21), 600, often * sum(share_if_any) / 2
    verdicts: Counter[tuple[str, str]] = Counter()
    for _ in range(studies):
        before, after = rng.uniform(*share_if_any, (2, trials)) * (rng.random((2, trials)) < often)
        one, other, shift = over_trials(before, after, step=0.05, is_share=True, is_part=True)
        asked = Question(MIX, "Hunter", "the share", one, other, shift, "trials", 0.05, MIXES)
        for side, low, high in (("at most", 0.0, truth), ("at least", truth, 1.0)):
            verdicts[side, Outcome(Intent(side, (MIX,), "Hunter", "", low, high), asked).verdict] += 1
    most = studies * 0.025 + 3 * (studies * 0.025 * 0.975) ** 0.5
    by_luck = {key: count for key, count in verdicts.items() if key[1] != "undecided"}
    assert all(count <= most for count in by_luck.values()), by_luck


def of_search(pilot: str, value: float) -> Question:
    after = Estimate(value, value - 0.02, value + 0.02, 8, is_share=True)
    number = f"the win rate of the best Hunter ({pilot}) decks found"
    return Question(FOUND, "Hunter", number, after, after, Shift(0.0, 0.01, 7), "8 trials", 0.01, SEARCHES)


def test_an_intent_has_an_outcome_for_each_pilot_that_searches_with_its_name() -> None:
    asked = (of_search("fast", 0.60), of_search("greedy", 0.45), question_about_known_hunters())
    intent = parse_intent("hunter win rate at most 50", NAMES)
    found = outcomes_of(intent, asked, pilots=("fast", "greedy"))
    assert [(each.intent.text, each.verdict) for each in found] == [
        ("hunter win rate at most 50 (fast)", "missed"),
        ("hunter win rate at most 50 (greedy)", "met"),
    ]
    assert found[0].text.startswith("Missed: hunter win rate at most 50 (fast). The win rate of the best Hunter (fast)")


def test_one_pilot_or_games_of_known_decks_need_no_name() -> None:
    intent = parse_intent("hunter win rate at most 50", NAMES)
    known, searched = question_about_known_hunters(), of_search("fast", 0.60)
    for asked, pilots, verdict in (((known, searched), ("fast",), "missed"), ((known,), ("fast", "greedy"), "met")):
        (found,) = outcomes_of(intent, asked, pilots=pilots)
        assert (found.intent.text, found.verdict) == ("hunter win rate at most 50", verdict)


def question_about_known_hunters() -> Question:
    return replace(of_search("", 0.4), topic=CLASS, number="the win rate of Hunter against the field", family=FIELD)
