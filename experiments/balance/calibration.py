"""How often balance studies claim something that is not there, and how often they find what is: see docs/balance.md.

    python experiments/balance/calibration.py

Two kinds of studies have nothing to find. In the first, the patch changes nothing and plays other seeds than the base
edition. In the second, it changes cards that no deck of the field plays, on common seeds. Three kinds have a known
answer: a card made absurdly strong, a card of no deck made weaker, and a hero power that costs too much to be used.

Studies are small, as SIZES says, and played by quick pilots: what is counted is how the sentences err, not what they
say of a metagame. Finished studies are kept in results.jsonl beside this file, so that the script can be stopped; at
the end it writes calibration.json. With `--store FOLDER` their games and searches are kept too: after a change of the
questions, remove the lines of results.jsonl, and the script asks them again of the same games. A study whose games were
kept takes fewer CPU seconds than one that plays.
"""

import argparse
import json
import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import deckatlas
from deckatlas import hearthstone
from deckatlas.balancing.questions import Shift
from deckatlas.balancing.study import Study
from deckatlas.balancing.trial_questions import CARD_IN_MIX, INCLUSION
from deckatlas.games.hearthstone.metagame import metagame_of
from deckatlas.stats.mean_shares import mean_share

HERE = Path(__file__).parent
RESULTS, SUMMARY = HERE / "results.jsonl", HERE / "calibration.json"
FIELD = HERE / "field.toml"
PILOT = "search"
SIZES: dict[str, dict[str, Any]] = {
    "quick": {"games": 2_700},
    "normal": {
        "games": 900,
        "trials": 6,
        "evaluations": 120,
        "evaluation_games": 10,
        "resolution": 4,
        "mix_games": 4,
        "classes": ["hunter"],
        "search_pilots": ["greedy"],
    },
}
NULL_STUDIES = 40
REPEATS = 20
INTENTS = {
    "quick": ["hunter win rate in 40..60", "hunter win rate at most 50", "warlock win rate at least 50"],
    "normal": ["hunter mix share at most 20", "hunter win rate at most 50"],
}
KNOWN = {
    "absurdly strong": hearthstone.Patch("absurd", {"DS1_070": {"cost": 1, "attack": 9, "health": 9}}),  # Houndmaster
    "weaker in no deck": hearthstone.Patch("placebo", {"CS2_201": {"attack": 0}}),  # Core Hound
    "no hero power": hearthstone.Patch("powerless", {"CS2_056": {"cost": 20}}),  # Life Tap
}


@cache
def odd_cards() -> tuple[str, ...]:
    """Cards that no deck of the field plays, of classes whose decks are not searched: nothing can depend on them."""
    entrants = metagame_of(FIELD).entrants
    played = {card for each in entrants for card, _ in hearthstone.named_decks()[each.deck].cards}
    others = ("druid", "mage", "paladin", "priest", "rogue", "shaman", "warrior")
    found = [card for each in others for card in hearthstone.pool("2018-12", each) if card.hero_class.name == each]
    return tuple(card.id for card in found if card.id not in played)


def placebo(number: int) -> hearthstone.Patch:
    """A patch of two cards that nobody plays: they cost 10."""
    cards = odd_cards()
    chosen = (cards[(17 * number) % len(cards)], cards[(17 * number + 5) % len(cards)])
    return hearthstone.Patch(f"placebo-{number}", {each: {"cost": 10} for each in chosen})


def study_of(kind: str, effort: str, number: int, *, store: Path | None, threads: int | None) -> Study:
    """One study, or what is left of it if a folder keeps its games."""
    if kind == "null":
        options: dict[str, Any] = {"patch": hearthstone.Patch(f"nothing-{number}"), "paired": False}
    elif kind == "placebo":
        options = {"patch": placebo(number)}
    else:
        options = {"patch": KNOWN[kind]}
    return deckatlas.balance(
        meta=FIELD,
        pilot=PILOT,
        effort=effort,
        seed=1000 + number,
        intents=INTENTS[effort] if kind in ("null", "placebo") else (),
        store=store,
        threads=threads,
        **SIZES[effort],
        **options,
    )


def studied(
    kind: str, effort: str, number: int, *, store: Path | None = None, threads: int | None = None
) -> dict[str, Any]:
    """One study: how many sentences claim what, family by family."""
    study = study_of(kind, effort, number, store=store, threads=threads)
    claims = Counter((each.question.family, each.is_change) for each in study.answers)
    return {
        "kind": kind,
        "effort": effort,
        "number": number,
        "sentences": {family: count for (family, _), count in _added(claims).items()},
        "changes": {family: count for (family, changed), count in claims.items() if changed},
        "claims": [
            [each.question.topic, each.question.subject, each.claim] for each in study.sentences if each.is_change
        ],
        "intents": [
            [each.intent.text, each.verdict, each.question.after.value, each.intent.low, each.intent.high]
            for each in study.outcomes
        ],
        "spreads": _spreads(study),
        "held": _held(study) if kind in KNOWN else {},
        "games": study.games,
    }


def _held(study: Study) -> dict[str, dict[str, list[float]]]:
    """How much of the elites and of the mix has each changed card, before and after the patch."""
    found: dict[str, dict[str, list[float]]] = {}
    for each in study.questions:
        if each.topic in (INCLUSION, CARD_IN_MIX) and each.subject in study.subject.cards:
            found.setdefault(each.subject, {})[each.topic] = [each.before.value, each.after.value]
    return found


def _added(claims: Counter[tuple[str, bool]]) -> dict[tuple[str, None], int]:
    found: dict[tuple[str, None], int] = {}
    for (family, _), count in claims.items():
        found[family, None] = found.get((family, None), 0) + count
    return found


def _spreads(study: Study) -> dict[str, float]:
    """The standard deviation over trials of some differences, for the forecast of what a study can see."""
    if not study.trials:
        return {}
    wanted = {"found decks": "found", "inclusion": "inclusion", "mix": "mix"}
    found: dict[str, list[float]] = {}
    for each in study.questions:
        if each.topic in wanted and each.shift.freedom > 0:
            found.setdefault(wanted[each.topic], []).append(deviation(each.shift))
    return {name: sum(values) / len(values) for name, values in found.items()}


def deviation(shift: Shift) -> float:
    """The standard deviation over trials of a difference that is their mean."""
    return shift.error * (shift.freedom + 1) ** 0.5


def planned() -> list[tuple[str, str, int]]:
    """All studies, in the order in which they are carried out."""
    quick = [(kind, "quick", number) for number in range(NULL_STUDIES) for kind in ("null", "placebo")]
    known = [(kind, "quick", number) for number in range(REPEATS) for kind in KNOWN]
    normal = [(kind, "normal", number) for number in range(NULL_STUDIES) for kind in ("null", "placebo")]
    found = [("absurdly strong", "normal", number) for number in range(REPEATS)]
    half = len(normal) // 2
    return quick + known + normal[:half] + found + normal[half:]


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rates of claims over all studies of a kind."""
    found: dict[str, Any] = {"pilot": PILOT, "sizes": SIZES, "studies": {}}
    for kind, effort in dict.fromkeys((row["kind"], row["effort"]) for row in rows):
        own = [row for row in rows if (row["kind"], row["effort"]) == (kind, effort)]
        asked = {name: sum(row["sentences"].get(name, 0) for row in own) for name in own[0]["sentences"]}
        changes = {name: sum(row["changes"].get(name, 0) for row in own) for name in asked}
        any_claim = {name: sum(row["changes"].get(name, 0) > 0 for row in own) for name in asked}
        found["studies"][f"{kind}, {effort}"] = {
            "studies": len(own),
            "sentences": sum(asked.values()),
            "claims": sum(changes.values()),
            "claims_percent": round(100 * sum(changes.values()) / sum(asked.values()), 3),
            "studies_with_a_claim_by_family": any_claim,
            "claimed": Counter(" ".join(each) for row in own for each in row["claims"]).most_common(6),
            "intents": judged([each for row in own for each in row["intents"]]),
            "held_after_percent": held_after([row["held"] for row in own if row["held"]]),
            "games": sum(row["games"] for row in own),
        }
    return found


def held_after(studies: list[dict[str, dict[str, list[float]]]]) -> dict[str, dict[str, dict[str, float]]]:
    """How much of the elites and of the mix has each changed card after the patch: in percent, over all studies."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for card, topics in (studies[0] if studies else {}).items():
        for topic in topics:
            after = np.array([each[card][topic][1] for each in studies])
            percent = {**mean_share(after).in_percent().cells("mean", prefix=""), "least": 100 * float(after.min())}
            found.setdefault(card, {})[topic] = {name: round(value, 1) for name, value in percent.items()}
    return found


def judged(intents: list[list[Any]]) -> dict[str, Any]:
    """How often each verdict was given, and how often against the truth: the mean over all studies of the kind."""
    found: dict[str, Any] = {}
    for text in dict.fromkeys(each[0] for each in intents):
        own = [each for each in intents if each[0] == text]
        truth = sum(each[2] for each in own) / len(own)
        is_met = own[0][3] <= truth <= own[0][4]
        verdicts = Counter(each[1] for each in own)
        wrong = verdicts["missed" if is_met else "met"]
        found[text] = {"truth": round(truth, 4), **verdicts, "against_the_truth": wrong}
    return found


def options(description: str | None) -> argparse.Namespace:
    """The options of a script whose finished studies are kept."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--most", type=int, default=10**9, help="the most studies of this call")
    parser.add_argument("--store", type=Path, help="a folder that keeps all games and searches")
    parser.add_argument("--threads", type=int, help="the number of threads")
    return parser.parse_args()


def kept(file: Path) -> list[dict[str, Any]]:
    """The rows of finished studies."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def keep(row: dict[str, Any], file: Path) -> None:
    """Adds the row of a finished study."""
    with file.open("a") as rows:
        rows.write(json.dumps(row) + "\n")


def main() -> None:
    """Carries out what is left of the studies, and writes the summary."""
    chosen = options(__doc__)
    rows = kept(RESULTS)
    done = {(row["kind"], row["effort"], row["number"]) for row in rows}
    for kind, effort, number in [each for each in planned() if each not in done][: chosen.most]:
        begun = time.process_time()
        row = studied(kind, effort, number, store=chosen.store, threads=chosen.threads)
        rows.append({**row, "cpu_seconds": round(time.process_time() - begun, 1)})
        keep(rows[-1], RESULTS)
        print(kind, effort, number, rows[-1]["changes"], f"{rows[-1]['cpu_seconds']} s", flush=True)
    found = summary(rows)
    SUMMARY.write_text(json.dumps(found, indent=2) + "\n")
    for studies, own in found["studies"].items():
        for card, held in own["held_after_percent"].items():
            elites, mix = held[INCLUSION], held[CARD_IN_MIX]
            print(f"{studies}: {card} is in {elites['mean']} % of elites, {mix['mean']} % of the mix")
            print(f"  in each study in {elites['least']} % of elites or more, {mix['least']} % of the mix or more")


if __name__ == "__main__":
    main()
