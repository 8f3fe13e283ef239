"""The charts of balance studies as pictures: what is drawn of which answers, and what is refused."""

import re
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from deckatlas.balancing.record import Answer, Matrices, MeanMap, Measured, StudyRecord, TrialRuns, Verdict, find_study
from deckatlas.balancing.record import write_study as keep
from deckatlas.errors import RunError
from deckatlas.views.study_charts import CHARTS, charts_of
from deckatlas.views.study_figures import plot_study, strongest_first, study_picture
from helpers.command_line import CommandLine

NAMES = ["Aggro", "Control", "Combo"]


def measured(value: float, low: float, high: float) -> Measured:
    return Measured(value=value, low=low, high=high, n=80, is_share=True)


def answer(topic: str, subject: str, before: float, shift: float, *, place: str = "") -> Answer:
    is_large = abs(shift) > 0.1
    return Answer(
        family=topic,
        topic=topic,
        subject=subject,
        place=place,
        number=f"the number of {subject}",
        claim=("rises" if shift > 0 else "falls") if is_large else "undecided",
        before=measured(before, before - 0.05, before + 0.05),
        after=measured(before + shift, before + shift - 0.05, before + shift + 0.05),
        difference=measured(shift, shift - 0.04, shift + 0.04),
        unit="",
        p=0.01,
        adjusted_p=0.02,
        rests_on="games",
        text=f"{subject} changes",
    )


def mean_map(search: str, pilot: str) -> MeanMap:
    return MeanMap(
        search=search,
        pilot=pilot,
        shape=[2, 2],
        measures=["mana", "turns"],
        ranges=[[1.0, 3.0], [5.0, 9.0]],
        before=[0.5, None, 0.4, 0.6],
        after=[0.7, None, 0.4, None],
        changed=[0],
    )


def study(*maps: MeanMap, has_verdict: bool = True) -> StudyRecord:
    verdict = Verdict(
        finished=datetime(2026, 1, 1, tzinfo=UTC),
        games=480,
        changes=[],
        rules=[],
        left_out=[],
        sentences=[
            answer("deck", "Control", 0.45, -0.02),
            answer("deck", "Aggro", 0.55, 0.2),
            answer("class", "Mage", 0.5, -0.15),
        ],
        intents=[],
        matchups=[
            answer("matchup", "Aggro", 0.6, 0.2, place="Control"),
            answer("matchup", "Aggro", 0.3, 0, place="Combo"),
        ],
        cells=[],
        matrices=Matrices(
            names=NAMES,
            entrants=NAMES,
            classes=["", "", ""],
            shares=[0.2, 0.5, 0.3],
            before=[[0.5, 0.6, 0.3], [0.4, 0.5, 0.7], [0.7, 0.3, 0.5]],
            after=[[0.5, 0.8, 0.3], [0.2, 0.5, 0.7], [0.7, 0.3, 0.5]],
        ),
        maps=list(maps),
        mix=[],
        places=[],
        trials=[TrialRuns(number=at, from_known=True, runs=[]) for at in range(2)] if maps else [],
    )
    return StudyRecord(
        format=1,
        version="0",
        name="nerf-1",
        game="hearthstone",
        patch="nerf",
        patch_toml="",
        base="1",
        metagame="field",
        pilots=["greedy"],
        effort="quick",
        seed=0,
        one="deck",
        several="decks",
        options={},
        begun=datetime(2026, 1, 1, tzinfo=UTC),
        verdict=verdict if has_verdict else None,
    )


def texts_of(picture: bytes) -> list[str]:
    return re.findall(r"<!-- (.*?) -->", picture.decode())


def test_shifts_have_the_numbers_of_the_table_and_the_largest_gain_first() -> None:
    texts = texts_of(study_picture(study(), "decks", ".svg"))
    assert "nerf: Known decks against the field" in texts
    assert texts.index("Aggro") < texts.index("Control")
    assert {"+20.0 [+16.0, +24.0], 80 games", "-2.0 [-6.0, +2.0], 80 games"} <= {*texts}
    assert "1 of 2 changed beyond chance (coloured); percentage points at the right" in texts
    assert "Mage" in texts_of(study_picture(study(), "classes", ".svg"))


def test_every_chart_is_drawn_under_its_own_heading() -> None:
    record = study(mean_map("hunter", "greedy"))
    assert record.verdict is not None
    record.verdict.sentences.extend([answer("found decks", "hunter", 0.5, 0.2), answer("mix", "Aggro", 0.3, 0.1)])
    titles = {chart.what: f"nerf: {chart.title}" for chart in charts_of(record)}
    titles |= {"maps": "nerf: the map of hunter, on average", "matrix": "nerf: wins of the row"}
    assert {*titles} == {*CHARTS}
    for what, title in titles.items():
        headings = [text for text in texts_of(study_picture(record, what, ".svg")) if text.startswith("nerf: ")]
        assert [heading.startswith(title) for heading in headings] == [True]


def test_matrices_have_both_editions_and_their_difference() -> None:
    texts = texts_of(study_picture(study(), "matrix", ".svg"))
    numbers = [text for text in texts if re.fullmatch(r"[+-]?\d+", text)]
    # Rows by their wins before: Control (0.4 and 0.7 of 0.2 and 0.3), Aggro (0.6 and 0.3 of 0.5 and 0.3), Combo.
    before, after = ["40", "70", "60", "30", "30", "70"], ["20", "70", "80", "30", "30", "70"]
    assert numbers == [*before, *after, "-20", "0", "+20", "0", "0", "0"]
    assert any("in 80 games of each pair per edition" in text for text in texts)


def test_decks_are_ordered_as_on_the_page() -> None:
    found = study().verdict
    assert found is not None
    rates, shares = np.array(found.matrices.before), np.array(found.matrices.shares)
    mean = [
        sum(shares[j] * rates[i, j] for j in range(3) if j != i) / sum(shares[j] for j in range(3) if j != i)
        for i in range(3)
    ]
    assert strongest_first(found.matrices) == sorted(range(3), key=lambda at: -mean[at])


def test_maps_are_drawn_together_or_one_by_one() -> None:
    record = study(mean_map("hunter", "greedy"), mean_map("mage", "greedy"))
    headings = [text for text in texts_of(study_picture(record, "maps", ".svg")) if text.startswith("nerf: ")]
    assert [re.findall(r"the map of (\w+),", text) for text in headings] == [["hunter"], ["mage"]]
    assert headings[0].endswith("on average over 2 trials; cells that changed beyond noise (outlined): 1")
    one = texts_of(study_picture(record, "maps", ".svg", search="mage"))
    assert sum(text.startswith("nerf: the map of") for text in one) == 1
    assert [chart.search for chart in charts_of(record) if chart.what == "maps"] == ["hunter", "mage"]
    (alone,) = (chart for chart in charts_of(study(mean_map("hunter", "greedy"))) if chart.what == "maps")
    assert (alone.title, alone.search) == ("The map of hunter, before and after", "")


def test_maps_of_a_study_name_units_and_hatch_empty_cells() -> None:
    record = study(mean_map("hunter", "greedy"))
    (chart,) = (chart for chart in charts_of(record) if chart.what == "maps")
    assert chart.axes == ("mana", "turns (per game)")  # "mana" is no column, and has no unit
    drawn = study_picture(record, "maps", ".svg")
    assert {*chart.axes} <= {*texts_of(drawn)}
    assert drawn.count(b"fill: url(#h") == 3  # before, after and the difference


def test_maps_of_several_pilots_are_told_apart() -> None:
    record = study(mean_map("hunter", "greedy"), mean_map("hunter", "fast"))
    assert [chart.search for chart in charts_of(record) if chart.what == "maps"] == ["hunter/greedy", "hunter/fast"]


def test_only_charts_with_something_to_show_are_offered() -> None:
    assert [chart.what for chart in charts_of(study())] == ["decks", "classes", "matrix"]
    assert charts_of(study(has_verdict=False)) == []


@pytest.mark.parametrize(
    ("what", "search", "complaint"),
    [
        ("map", "", "no picture 'map': did you mean 'maps'"),
        ("maps", "", "searched no decks"),
        ("mix", "", "no answers about mix"),
        ("decks", "hunter", "decks has no choice of searches: only maps"),
    ],
)
def test_a_chart_that_a_study_has_not_is_refused(what: str, search: str, complaint: str) -> None:
    with pytest.raises(RunError, match=complaint):
        study_picture(study(), what, ".png", search=search)


def test_a_study_without_a_verdict_or_such_a_search_is_refused() -> None:
    with pytest.raises(RunError, match="the study of nerf has no verdict yet"):
        study_picture(study(has_verdict=False), "decks", ".png")
    with pytest.raises(RunError, match="no search 'huntr': did you mean 'hunter'"):
        study_picture(study(mean_map("hunter", "greedy")), "maps", ".png", search="huntr")


def test_a_study_is_found_by_its_name_and_by_its_file(tmp_path: Path) -> None:
    keep(tmp_path, study())
    file = tmp_path / "nerf-1.study.json"
    assert find_study(tmp_path, "nerf-1") == find_study(Path("elsewhere"), str(file)) == file
    assert find_study(tmp_path, "nerf") is None
    assert find_study(tmp_path, str(tmp_path)) is None
    plot_study(file, tmp_path / "decks.svg")
    assert texts_of((tmp_path / "decks.svg").read_bytes()) == texts_of(study_picture(study(), "decks", ".svg"))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nerf-1", "nerf-1", "--what", "decks"], "a balance study can only be drawn alone: name one"),
        (
            ["nerf-1", "--what", "decks", "--colour", "age"],
            "a balance study takes only the options --what and --search",
        ),
        (
            ["nerf-1", "--what", "decks", "--measures", "a,b"],
            "a balance study takes only the options --what and --search",
        ),
        (["nerf-1"], "a balance study has no picture 'map': did you mean 'maps'?"),
        (["hunter", "--search", "hunter"], "--search is about the maps of a balance study, and these are runs"),
    ],
)
def test_the_command_refuses_what_a_study_has_not(
    words: list[str],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    keep(tmp_path, study())
    deckatlas = CommandLine(monkeypatch, capsys)
    status, out, errors = deckatlas("plot", *words, "-o", str(tmp_path / "x.png"), "--store", str(tmp_path))
    assert (status, out, errors) == (2, "", f"deckatlas: {complaint}\n")
