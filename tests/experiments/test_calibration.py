"""The stored calibration of comparisons: equals seldom differ, and a point is found as often as stated.

These tests read stored numbers alone. The live checks of the code are `test_paired` and `test_hearthstone_compare`.
"""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
RESULTS = json.loads((ROOT / "experiments/comparisons/calibration.json").read_text(encoding="utf-8"))


def test_equals_differ_in_at_most_five_of_a_hundred_comparisons_within_chance() -> None:
    for part in ("deck", "edition"):
        assert RESULTS[part]["comparisons"] == 200
        assert RESULTS[part]["decided_low"] <= 0.05
        assert RESULTS[part]["better"] + RESULTS[part]["worse"] <= 16  # 5 % of 200 give more once in forty tries


def test_one_point_is_found_with_the_stated_power_within_chance() -> None:
    point = RESULTS["point"]
    assert abs(point["mean_detectable"] - point["lead"]) < 0.0005
    assert point["decided_high"] >= 0.8
    assert point["worse"] == 0


def test_the_document_has_the_stored_numbers() -> None:
    text = (ROOT / "docs/questions.md").read_text(encoding="utf-8")
    for row in RESULTS.values():
        low, high = (f"{100 * row[end]:.1f}" for end in ("decided_low", "decided_high"))
        assert f"| {100 * row['decided']:.1f} % [{low}, {high}] | {100 * row['covered']:.1f} % |" in text
