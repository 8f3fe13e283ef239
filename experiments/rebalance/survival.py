"""How many patches that were found on fixed decks survive when decks are searched again: see docs/rebalance.md.

    python experiments/rebalance/survival.py

Each file beside this one asks to bring a class down by changes of three of its cards. The front of size against
distance on known decks is what searches with fixed decks find. Its nearest patches are confirmed: decks are searched
again. In a second round the decks found play, too, and the nearest patches of that front are confirmed. Then two picks
play against fresh searches, on another seed: the patch that fixed decks alone would choose, and the confirmed patch of
both rounds that was nearest after decks adapted. Runs are stored in a folder, so that the script can be stopped and
resumes; the result is survival.json.
"""

import argparse
import json
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import deckatlas
from deckatlas.balancing.confirmation import Confirmation, judged
from deckatlas.balancing.patch_search import FoundPatch
from deckatlas.balancing.rebalance import Rebalancing
from deckatlas.balancing.study import carry_out

HERE = Path(__file__).parent
FRESH = 1_000_000  # added to the seed of the last studies


def confirmed(found: Rebalancing, patch: FoundPatch, seed: int) -> Confirmation:
    """A patch of a front in a study of another seed."""
    task, name = found.task, found.name_of(patch)
    study = carry_out(task.rebalancer.subject(patch.values, name), replace(task.study_plan, seed=seed))
    earlier = found.confirmation(patch)
    numbers = tuple(judged(study, target) for target in task.targets)
    return Confirmation(patch, name, study, numbers, is_for_known=earlier is None or earlier.is_for_known)


def entry(found: Rebalancing, each: Confirmation) -> dict[str, Any]:
    """A confirmed patch in numbers: shifts are in points, of the known decks and of the best decks found."""
    (target,) = each.judged
    assert target.on_field is not None
    known, adapted = target.on_field.question, target.adapted.question
    shift = adapted.shift
    return {
        "patch": each.name,
        "round": 1 if each.is_for_known else 2,
        "changes": found.task.rebalancer.words(each.patch.values),
        "size": each.patch.size,
        "verdict_on_known_decks": target.on_field.verdict,
        "verdict": each.verdict,
        "before": 100 * known.before.value,
        "on_known_decks": [100 * value for value in (known.after.value, known.after.low, known.after.high)],
        "after_decks_adapt": [100 * value for value in (adapted.after.value, adapted.after.low, adapted.after.high)],
        "shift_of_known_decks": 100 * known.shift.value,
        "shift_of_found_decks": [100 * value for value in (shift.value, shift.error)],
        "distance_on_known_decks": each.on_field.value if each.on_field else None,
        "distance_after_decks_adapt": each.adapted.value,
    }


def main() -> None:
    """Carries out the experiment, or what is left of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--store", type=Path, default=Path("runs/rebalance"))
    options.add_argument("--threads", type=int)
    given = options.parse_args()
    scenarios: list[dict[str, Any]] = []
    found = {}
    for file in sorted(HERE.glob("*.toml")):
        found[file.stem] = deckatlas.rebalance(file, seed=given.seed, store=given.store, threads=given.threads)
        result = found[file.stem]
        scenarios.append(
            {
                "scenario": file.stem,
                "target": result.task.targets[0].intent.text,
                "games": result.games,
                "confirmed": [entry(result, each) for each in result.confirmations],
            }
        )
        write(given.seed, scenarios)
    for scenario in scenarios:
        result = found[scenario["scenario"]]
        assert result.best is not None
        picks = {"fixed decks only": result.best_on_field, "after confirmation": result.best.patch}
        scenario["fresh"] = {
            name: entry(result, confirmed(result, patch, given.seed + FRESH)) for name, patch in picks.items()
        }
        write(given.seed, scenarios)


def write(seed: int, scenarios: list[dict[str, Any]]) -> None:
    """The result so far."""
    confirmed = [each for scenario in scenarios for each in scenario["confirmed"]]
    patches = [each for each in confirmed if each["round"] == 1]
    later = [each for each in confirmed if each["round"] == 2]
    good = [each for each in patches if each["verdict_on_known_decks"] != "missed"]
    fresh = [scenario["fresh"] for scenario in scenarios if "fresh" in scenario]
    result = {
        "command": f"python experiments/rebalance/survival.py --seed {seed}",
        "seed": seed,
        "cpu_seconds_of_this_process": round(time.process_time()),
        "patches": len(patches),
        "not_missed_on_known_decks": len(good),
        "verdicts_of_these": dict(Counter(each["verdict"] for each in good)),
        "mean_shift_of_known_decks": mean([each["shift_of_known_decks"] for each in good]),
        "mean_shift_of_found_decks": mean([each["shift_of_found_decks"][0] for each in good]),
        "patches_of_the_second_round": len(later),
        "verdicts_of_the_second_round": dict(Counter(each["verdict"] for each in later)),
        "mean_distance_on_fresh_seeds": {
            name: mean([each[name]["distance_after_decks_adapt"] for each in fresh])
            for name in ("fixed decks only", "after confirmation")
        },
        "scenarios": scenarios,
    }
    (HERE / "survival.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def mean(numbers: list[float]) -> float | None:
    """The mean; None of nothing."""
    return sum(numbers) / len(numbers) if numbers else None


if __name__ == "__main__":
    main()
