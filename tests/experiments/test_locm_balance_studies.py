"""The stored studies of LoCM patches that change nothing: they seldom claim a change, and forecasts rest on them.

These tests read stored numbers alone.
"""

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from deckatlas.games.locm.balance import SPREADS

FOLDER = Path(__file__).parents[2] / "experiments/balance"
ROWS = [json.loads(line) for line in (FOLDER / "locm.jsonl").read_text(encoding="utf-8").splitlines()]
FOUND = json.loads((FOLDER / "locm.json").read_text(encoding="utf-8"))["studies"]


def test_the_summary_counts_all_studies() -> None:
    for size, found in FOUND.items():
        own = [row for row in ROWS if row["size"] == size]
        assert found["studies"] == len(own) == len({row["seed"] for row in own})
        asked, claims = (sum((Counter(row[key]) for row in own), Counter[str]()) for key in ("sentences", "changes"))
        assert {name: (each["sentences"], each["claims"]) for name, each in found["families"].items()} == {
            name: (count, claims[name]) for name, count in asked.items()
        }
        assert claims.total() == sum(len(row["claims"]) for row in own) == found["claims"]


def test_at_most_five_percent_of_studies_claim_a_change_of_a_kind_within_chance() -> None:
    small = FOUND["small"]
    assert small["studies"] == 40
    for found in small["families"].values():
        assert found["studies_with_a_claim"] <= 5  # 5 % of 40 studies are more once in seventy tries
    assert all(each["against_the_truth"] == 0 for each in small["intents"].values())


def test_forecasts_use_the_spread_of_trials_of_full_size() -> None:
    spreads = FOUND["as effort normal"]["spreads"]
    assert asdict(SPREADS) == {name: round(value, 2) for name, value in spreads.items()}
