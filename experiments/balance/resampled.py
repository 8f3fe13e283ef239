"""How often studies of a patch that does nothing err, by resampling: see docs/balance.md.

    python experiments/balance/calibration.py --store runs/calibration
    python experiments/balance/resampled.py --store runs/calibration

Forty null studies tell a rate of 5 % to a few points only. But all their trials, under the base edition and under a
patch that changes nothing, are draws of the same: a search from a seed of its own, and the games of a metagame. So any
of them can stand for any other that started alike, and new studies can be drawn from them. Nothing is played; the
result is resampled.json.

Claims: a null patch changes no card, so drawn studies ask about the cards of CARDS as if they had been changed. The
null studies are dealt into GROUPS groups, and a study is drawn from the trials of one group. Groups share no trial, so
the spread of their rates gives the intervals.

Intents: the truth is the mean over all trials. An interval that ends below it, or begins above it, would call an intent
met or missed by luck if the truth is an end of the range that is meant. Both are counted, for Student's interval as
well. The games of known decks are drawn seed by seed.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from calibration import RESULTS, SIZES, study_of

from deckatlas.balancing.field_games import CLASS, DECK, FieldGames
from deckatlas.balancing.questions import Question, answered, over_trials
from deckatlas.balancing.study import Study
from deckatlas.balancing.subject import Floats
from deckatlas.balancing.trial_questions import CARD_IN_MIX, CENTRE, INCLUSION, TrialEvidence
from deckatlas.balancing.trials import Half, SearchKey, Trial
from deckatlas.metagame.matchups import Matchups
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.mean_shares import mean_share
from deckatlas.stats.means import RATE_STEP, SHARE_STEP

RESULT = Path(__file__).parent / "resampled.json"
COMMAND = "python experiments/balance/resampled.py --store runs/calibration"
TRIALS = SIZES["normal"]["trials"]
CARDS = ("Houndmaster", "Savannah Highmane", "Explosive Trap", "Argent Squire")
GROUPS = 8
TRIALS_OF_INTENTS = (3, 4, 5, 6, 7, 8)
ROWS = {INCLUSION: "changed cards", CENTRE: "their places", CARD_IN_MIX: "their shares of the mix"}

Halves = Mapping[bool, Sequence[Half]]  # by whether their searches started from known decks
Interval = Callable[[Floats], Estimate]


def halves_of(studies: Sequence[Study]) -> Halves:
    """All halves of the trials of some studies."""
    trials = [trial for study in studies for trial in study.trials]
    starts = (True, False)
    return {start: [half for each in trials if each.from_known == start for half in each.halves] for start in starts}


def drawn(halves: Halves, rng: random.Random) -> tuple[Trial, ...]:
    """The trials of a new study: as many from known decks as from random ones, and none twice."""
    left = {from_known: iter(rng.sample(own, TRIALS)) for from_known, own in halves.items()}
    starts = [number % 2 == 1 for number in range(1, TRIALS + 1)]
    return tuple(
        Trial(number, start, (next(left[start]), next(left[start])), ()) for number, start in enumerate(starts, start=1)
    )


def row_of(question: Question) -> str:
    """What a question is about: its family, or what it asks about a changed card."""
    return ROWS.get(question.topic, question.family) if question.subject in CARDS else question.family


def claims(groups: Sequence[Halves], classes: tuple[str, ...], studies: int, rng: random.Random) -> dict[str, Any]:
    """How often drawn studies claim a change: by what is asked, and by the families that are adjusted together."""
    asked: list[Counter[str]] = [Counter() for _ in groups]
    claimed: list[Counter[str]] = [Counter() for _ in groups]
    with_claims: list[Counter[str]] = [Counter() for _ in groups]
    families: list[Counter[str]] = [Counter() for _ in groups]
    each_draws = studies // len(groups)
    for at, halves in enumerate(groups):
        for _ in range(each_draws):
            evidence = TrialEvidence(drawn(halves, rng), CARDS, classes, 0, SIZES["normal"]["evaluation_games"])
            sentences = answered(list(evidence.questions()))
            wrong = [each.question for each in sentences if each.is_change]
            asked[at].update(row_of(each.question) for each in sentences)
            claimed[at].update(row_of(each) for each in wrong)
            with_claims[at].update({row_of(each) for each in wrong})
            families[at].update({each.family for each in wrong})
    drawn_by_group = [each_draws] * len(groups)
    return {
        "rows": {
            row: {
                "sentences": sum(each[row] for each in asked),
                "claims": sum(each[row] for each in claimed),
                **rate("claims_percent", [each[row] for each in claimed], [each[row] for each in asked]),
                **rate("studies_percent", [each[row] for each in with_claims], drawn_by_group),
            }
            for row in sum(asked, Counter[str]())
        },
        "families": {
            family: rate("studies_percent", [each[family] for each in families], drawn_by_group)
            for family in sum(families, Counter[str]())
        },
    }


def rate(name: str, counts: Sequence[int], of: Sequence[int]) -> dict[str, float]:
    """A rate in percent with its interval over groups; groups that agree differ by one count, as for trials."""
    rates = np.array(counts) / np.array(of)
    found = over_trials(rates, rates, step=1 / min(of), is_share=True)[0].in_percent()
    return {key: round(value, 3) for key, value in found.cells(name).items()}


@dataclass(frozen=True)
class Number:
    """A number that intents can be about, with its value in each half.

    Attributes:
        kind: What it is.
        subject: Whom it is about.
        values: Its values, by whether the search started from known decks.
        intervals: The intervals that are tried, the one of questions first.
    """

    kind: str
    subject: str
    values: Mapping[bool, Floats]
    intervals: Mapping[str, Interval]

    def errors(self, trials: int, draws: int, rng: np.random.Generator) -> dict[str, tuple[float, float, float]]:
        """For each interval: how often it ends below the truth, how often it begins above, and its mean width."""
        starts = [number % 2 == 1 for number in range(1, trials + 1)]
        truth = float(np.mean([self.values[start].mean() for start in starts]))
        studies = [np.array([rng.choice(self.values[start]) for start in starts]) for _ in range(draws)]
        return {name: wrong_sides([ends(each) for each in studies], truth) for name, ends in self.intervals.items()}


def wrong_sides(found: Sequence[Estimate], truth: float) -> tuple[float, float, float]:
    """How often intervals end below the truth, how often they begin above it, and how wide they are."""
    below, above = (float(np.mean(each)) for each in ([e.high < truth for e in found], [e.low > truth for e in found]))
    return below, above, float(np.mean([each.high - each.low for each in found]))


def student(values: Floats, *, step: float) -> Estimate:
    """The interval that the means of win rates have."""
    return over_trials(values, values, step=step, is_share=True)[0]


def numbers(halves: Halves, classes: tuple[str, ...]) -> Iterator[Number]:
    """All numbers of trials that intents can be about."""
    shares: dict[str, Interval] = {"questions": mean_share, "student": partial(student, step=SHARE_STEP)}
    rates: dict[str, Interval] = {"questions": partial(student, step=RATE_STEP)}
    key = next(iter(halves[True][0].maps))

    def number(kind: str, subject: str, value: Callable[[Half], float], intervals: Mapping[str, Interval]) -> Number:
        values = {start: np.array([value(half) for half in own]) for start, own in halves.items()}
        return Number(kind, subject, values, intervals)

    for name in classes:
        yield number("share of a class in the mix", name.title(), partial(Half.class_share, name=name), shares)
    for card in CARDS:
        yield number("share of the mix with a card", card, partial(Half.card_share, card=card), shares)
        yield number("share of elites with a card", card, partial(inclusion, key=key, card=card), shares)
    yield number("win rate of the best decks found", key[0].title(), partial(Half.found_rate, key=key), rates)


def inclusion(half: Half, *, key: SearchKey, card: str) -> float:
    """The share of elites with a card."""
    return half.maps[key].inclusion(card)


def intents(found: Sequence[Number], draws: int, rng: np.random.Generator) -> dict[str, Any]:
    """Errors of intervals by kind of number and by the number of trials, each over all its subjects, and the worst."""
    result: dict[str, Any] = {}
    for trials in TRIALS_OF_INTENTS:
        for kind in dict.fromkeys(each.kind for each in found):
            own = [each.errors(trials, draws, rng) for each in found if each.kind == kind]
            result.setdefault(kind, {})[str(trials)] = {
                name: sides_percent([each[name] for each in own]) for name in own[0]
            }
    return result


def sides_percent(errors: Sequence[tuple[float, float, float]]) -> dict[str, float]:
    """Errors on each side in percent, over all subjects and for the worst, and the mean width in points."""
    below, above, width = (100 * np.array(each) for each in zip(*errors, strict=True))
    return {
        "ends_below_percent": round(float(below.mean()), 2),
        "begins_above_percent": round(float(above.mean()), 2),
        "worst_below_percent": round(float(below.max()), 2),
        "worst_above_percent": round(float(above.max()), 2),
        "width_points": round(float(width.mean()), 1),
    }


def known_rates(studies: Sequence[Study], draws: int, rng: np.random.Generator) -> dict[str, Any]:
    """The same for win rates of known decks and classes, with the seeds of one study."""
    sides = [side for study in studies for side in (study.field.before, study.field.after)]
    pool = {pair: np.concatenate([each.outcomes[pair] for each in sides]) for pair in sides[0].outcomes}
    first, seeds = studies[0].field, len(next(iter(sides[0].outcomes.values())))

    def asked(outcomes: Mapping[tuple[int, int], Floats]) -> list[Estimate]:
        games = Matchups(first.names, outcomes)
        field = FieldGames(games, games, first.shares, first.classes, paired=False)
        return [each.after for each in field.questions() if each.topic in (DECK, CLASS)]

    truth = [each.value for each in asked(pool)]
    found = [asked({pair: rng.choice(own, seeds) for pair, own in pool.items()}) for _ in range(draws)]
    errors = [wrong_sides([each[at] for each in found], value) for at, value in enumerate(truth)]
    return {f"{seeds} seeds for each pair": {"questions": sides_percent(errors)}}


def main() -> None:
    """Draws studies, and counts their errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True, help="the folder with the games of calibration.py")
    parser.add_argument("--studies", type=int, default=2000, help="how many studies are drawn for claims")
    parser.add_argument("--draws", type=int, default=4000, help="how many studies are drawn for each number of intents")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    finished = [row["number"] for row in rows if (row["kind"], row["effort"]) == ("null", "normal")]
    studies = [study_of("null", "normal", number, store=chosen.store, threads=1) for number in finished]
    classes = tuple(sorted({*studies[0].trials[0].halves[0].classes}))
    groups = [halves_of(studies[at::GROUPS]) for at in range(GROUPS)]
    rng, halves = np.random.default_rng(chosen.seed), halves_of(studies)
    result: dict[str, Any] = {
        "command": COMMAND,
        "null_studies": len(finished),
        "trials": sum(map(len, halves.values())) // 2,
        "studies": chosen.studies,
        "draws": chosen.draws,
        "seed": chosen.seed,
        "changed_cards": CARDS,
        **claims(groups, classes, chosen.studies, random.Random(chosen.seed)),
        "intents": {
            **intents([*numbers(halves, classes)], chosen.draws, rng),
            "win rate of a known deck or class": known_rates(studies, chosen.draws, rng),
        },
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
