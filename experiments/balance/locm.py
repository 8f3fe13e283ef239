"""How balance studies of Legends of Code and Magic err, and one at full size: see docs/balance.md.

    python experiments/balance/locm.py

Small studies of a patch that changes nothing play other seeds under the patch than under the base edition: what they
claim is wrong. One such study at the size of effort normal, with fewer trials, says how much trials vary: the forecast
of what a study can detect rests on that (SPREADS in src/deckatlas/games/locm/balance.py). The last study is of
slimer.toml, at effort normal.

Finished studies of nothing are kept in locm.jsonl beside this file, so that the script can be stopped; at the end it
writes locm.json. The verdict on slimer.toml is in results/locm-normal.json.
"""

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calibration import deviation, judged, keep, kept, options

import deckatlas
from deckatlas import locm
from deckatlas.balancing.study import Study, evaluation_games, trial_games
from deckatlas.balancing.subject import BASE
from deckatlas.balancing.trial_questions import CARD_IN_MIX, FOUND, INCLUSION, TrialEvidence

HERE = Path(__file__).parent
ROWS, SUMMARY, VERDICT = HERE / "locm.jsonl", HERE / "locm.json", HERE / "results/locm-normal.json"
PATCH = HERE / "slimer.toml"
COMMAND = "python experiments/balance/locm.py"
SMALL, FULL = "small", "as effort normal"
SIZES: dict[str, dict[str, Any]] = {
    SMALL: {
        "games": 2_100,
        "trials": 6,
        "evaluations": 120,
        "evaluation_games": 30,
        "resolution": 4,
        "mix_games": 8,
    },
    FULL: {"games": 2_100, "trials": 8},
}
STUDIES = {FULL: 1, SMALL: 40}
INTENTS = ("coac win rate in 40..60", "atlas win rate at least 60", "icebox win rate at most 50")
MEANT = ("atlas win rate at most 85", "Slimer in at most 60 % of draft elites")


def timed(carry_out: Callable[[], Study]) -> tuple[Study, float]:
    """A study, and the CPU seconds that it took."""
    begun = time.process_time()
    study = carry_out()
    return study, round(time.process_time() - begun, 1)


def null_row(size: str, number: int, *, store: Path | None, threads: int | None) -> dict[str, Any]:
    """One study of a patch that changes nothing: how many sentences claim what, family by family."""
    study, seconds = timed(
        lambda: deckatlas.balance(
            locm.Patch(f"nothing-{number}"),
            game="locm",
            effort="normal",
            seed=1000 + number,
            paired=False,
            intents=INTENTS,
            store=store,
            threads=threads,
            **SIZES[size],
        )
    )
    changes = [each.question for each in study.answers if each.is_change]
    return {
        "size": size,
        "seed": study.plan.seed,
        "sentences": Counter(each.question.family for each in study.answers),
        "changes": Counter(each.family for each in changes),
        "claims": [[each.topic, each.subject, each.place] for each in changes],
        "intents": [
            [each.intent.text, each.verdict, each.question.after.value, each.intent.low, each.intent.high]
            for each in study.outcomes
        ],
        "spreads": spreads(study),
        "games": study.games,
        "cpu_seconds": seconds,
    }


def spreads(study: Study) -> dict[str, float]:
    """The standard deviation over trials of some differences: for cards, the mean over all of them."""
    subject, plan = study.subject, study.plan
    cards = tuple(study.trials[0].halves[BASE].held[0])  # of each card, as if the patch had changed it
    games, of_policies = trial_games(subject, plan), evaluation_games(subject, plan)
    evidence = TrialEvidence(study.trials, cards, (), games, of_policies, subject.words)
    wanted = {FOUND: "found_rate", INCLUSION: "inclusion", CARD_IN_MIX: "mix_share"}
    found: dict[str, list[float]] = {}
    for each in evidence.questions():
        if each.topic in wanted:
            found.setdefault(wanted[each.topic], []).append(deviation(each.shift))
    return {name: round(sum(values) / len(values), 4) for name, values in found.items()}


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What all studies of each size claim."""
    found: dict[str, Any] = {"command": COMMAND, "sizes": SIZES, "studies": {}}
    for size in dict.fromkeys(row["size"] for row in rows):
        own = [row for row in rows if row["size"] == size]
        asked, changes = (sum((Counter(row[key]) for row in own), Counter[str]()) for key in ("sentences", "changes"))
        found["studies"][size] = {
            "studies": len(own),
            "seeds": [own[0]["seed"], own[-1]["seed"]],
            "sentences": asked.total(),
            "claims": changes.total(),
            "families": {
                family: {
                    "sentences": count,
                    "claims": changes[family],
                    "studies_with_a_claim": sum(row["changes"].get(family, 0) > 0 for row in own),
                }
                for family, count in asked.items()
            },
            "intents": judged([each for row in own for each in row["intents"]]),
            "spreads": {
                name: round(sum(row["spreads"][name] for row in own) / len(own), 4) for name in own[0]["spreads"]
            },
            "games": sum(row["games"] for row in own),
            "cpu_seconds": round(sum(row["cpu_seconds"] for row in own), 1),
        }
    return found


def write_verdict(*, store: Path | None, threads: int | None) -> None:
    """Carries out the study of slimer.toml, and writes its verdict without single matchups and cells."""
    study, seconds = timed(
        lambda: deckatlas.balance(PATCH, game="locm", effort="normal", intents=MEANT, store=store, threads=threads)
    )
    verdict = study.to_json()
    for detail in ("matchups", "cells"):
        del verdict[detail]
    VERDICT.write_text(json.dumps({"command": COMMAND, "cpu_seconds": seconds, **verdict}, indent=1) + "\n")


def main() -> None:
    """Carries out what is left of the studies, and writes the summary."""
    chosen = options(__doc__)
    rows = kept(ROWS)
    done = Counter(row["size"] for row in rows)
    left = [(size, number) for size, count in STUDIES.items() for number in range(done[size], count)]
    for size, number in left[: chosen.most]:
        rows.append(null_row(size, number, store=chosen.store, threads=chosen.threads))
        keep(rows[-1], ROWS)
        print(size, number, dict(rows[-1]["changes"]), f"{rows[-1]['cpu_seconds']} s", flush=True)
    SUMMARY.write_text(json.dumps(summary(rows), indent=2) + "\n")
    if not VERDICT.exists() and len(left) <= chosen.most:
        write_verdict(store=chosen.store, threads=chosen.threads)


if __name__ == "__main__":
    main()
