"""Intents: how they are read, when they are met, missed or undecided, and what would decide them."""

import pytest

from deckatlas.balancing.intents import Intent, KnownNames, Outcome, parse_intent
from deckatlas.balancing.questions import FIELD, Question, Shift
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
