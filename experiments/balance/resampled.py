"""How often studies of a patch that does nothing claim a change, by resampling: see docs/balance.md.

    python experiments/balance/calibration.py --store runs/calibration
    python experiments/balance/resampled.py --store runs/calibration

Forty null studies tell a rate of 5 % to a few points only. But all their trials, under the base edition and under a
patch that changes nothing, are draws of the same: a search from a seed of its own, and the games of a metagame. So any
of them can stand for any other that started alike, and new studies can be drawn from them. Nothing is played; the
result is resampled.json.
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

from calibration import RESULTS, SIZES, study_of

from deckatlas.balancing.questions import answered
from deckatlas.balancing.trial_questions import TrialEvidence
from deckatlas.balancing.trials import Half, Trial

RESULT = Path(__file__).parent / "resampled.json"
TRIALS = SIZES["normal"]["trials"]


def drawn(halves: dict[bool, list[Half]], rng: random.Random) -> tuple[Trial, ...]:
    """The trials of a new study: as many from known decks as from random ones, and none twice."""
    left = {from_known: iter(rng.sample(own, TRIALS)) for from_known, own in halves.items()}
    starts = [number % 2 == 1 for number in range(1, TRIALS + 1)]
    return tuple(
        Trial(number, start, (next(left[start]), next(left[start])), ()) for number, start in enumerate(starts, start=1)
    )


def main() -> None:
    """Draws studies, and counts their claims."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True, help="the folder with the games of calibration.py")
    parser.add_argument("--studies", type=int, default=1000, help="how many studies are drawn")
    parser.add_argument("--null-studies", type=int, help="only the first of the null studies; all by default")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    halves: dict[bool, list[Half]] = {True: [], False: []}
    rows = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    finished = [row["number"] for row in rows if (row["kind"], row["effort"]) == ("null", "normal")]
    finished = finished[: chosen.null_studies]
    for number in finished:
        study = study_of("null", "normal", number, store=chosen.store, threads=1)
        for trial in study.trials:
            halves[trial.from_known] += trial.halves
    classes = tuple(sorted({*study.trials[0].halves[0].classes}))
    rng = random.Random(chosen.seed)
    asked: Counter[str] = Counter()
    claims: Counter[str] = Counter()
    studies: Counter[str] = Counter()
    for _ in range(chosen.studies):
        evidence = TrialEvidence(drawn(halves, rng), (), classes, 0, SIZES["normal"]["evaluation_games"])
        sentences = answered(list(evidence.questions()))
        asked.update(each.question.family for each in sentences)
        claimed = [each.question.family for each in sentences if each.is_change]
        claims.update(claimed)
        studies.update({*claimed})
    result: dict[str, Any] = {
        "null_studies": len(finished),
        "trials": sum(map(len, halves.values())) // 2,
        "studies": chosen.studies,
        "seed": chosen.seed,
        "families": {
            family: {"sentences": count, "claims": claims[family], "studies_with_a_claim": studies[family]}
            for family, count in asked.items()
        },
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
