"""What kinds of reports refuse before anything is played: published numbers, and names, that do not go with them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.kind import ReportOptions
from deckatlas.papers.active_genes.champions import Champions
from deckatlas.papers.active_genes.curve import PanelCurve
from deckatlas.papers.active_genes.league import League
from deckatlas.papers.dbga.agents_table import AgentsTable, TableContender
from deckatlas.papers.dbga.boxes import Boxes
from deckatlas.papers.drafts.contenders import SeatedContender
from deckatlas.papers.kinds import read_item

EXPERIMENTS = Path(__file__).parents[2] / "experiments"

BOXES = Boxes(contenders={"Coac": SeatedContender(agent="coac", seat="first")})
AGENTS = AgentsTable(
    show="rates", contenders={"Coac": TableContender(agent="coac"), "DBGA-A": TableContender(search="A")}
)
LEAGUE = League(named={"H_1": "icebox"})


@pytest.mark.parametrize(
    ("report", "published"),
    [
        (BOXES, {"median": {"Coac": 60}, "highest": {"Coac": 61.5}}),
        (AGENTS, {"rates": {"Coac": {"DBGA-A": 60}}, "averages": {"DBGA-A": 1}}),
        (LEAGUE, {"A": {"H_1": [51, 0.5], "Average": [50, 0.25]}, "H_1": {}}),
        (PanelCurve(panels=(("A", "B"), ("A",))), {"active": {"A": 56}}),
        (Champions(), {}),
    ],
)
def test_what_a_report_shows_beside_its_numbers_is_taken(report: ReportOptions, published: Mapping[str, Any]) -> None:
    assert list(report.complaints(published, ["A", "B"])) == []


@pytest.mark.parametrize(
    ("report", "published", "complaint"),
    [
        (BOXES, {"median": {"Koac": 60}}, "unknown name 'Koac' in [published.median]: did you mean 'Coac'?"),
        (BOXES, {"median": {"Coac": "60"}}, "published.median.Coac must be a number"),
        (BOXES, {"median": {"Coac": True}}, "published.median.Coac must be a number"),
        (BOXES, {"highest": 3}, "published.highest must be a table"),
        (BOXES, {"medain": {}}, "unknown name 'medain' in [published]: did you mean 'median'?"),
        (AGENTS, {"rates": {"Coac": 3}}, "published.rates.Coac must be a table"),
        (AGENTS, {"rates": {"Coac": {"A": 3}}}, "unknown name 'A' in [published.rates.Coac]: known: Coac, DBGA-A"),
        (AGENTS, {"averages": {"Coac": [3]}}, "published.averages.Coac must be a number"),
        (LEAGUE, {"A": {"B": 3}}, "published.A.B must be two numbers, such as [50.5, 0.1]"),
        (LEAGUE, {"A": {"B": [3]}}, "published.A.B must be two numbers, such as [50.5, 0.1]"),
        (LEAGUE, {"A": {"B": [3, None]}}, "published.A.B must be two numbers, such as [50.5, 0.1]"),
        (LEAGUE, {"A": 3}, "published.A must be a table"),
        (LEAGUE, {"C": {}}, "unknown name 'C' in [published]: known: A, B, H_1"),
        (League(averaged=("A", "C")), {}, "there is no group 'C' in the league: known: A, B"),
        (League(averaged=("B",)), {}, "no group is left for the average of 'B'"),
        (League(variants={"A": "B"}), {}, "no group is left for the average of 'A'"),
        (League(variants={"A": "C"}), {}, "there is no group 'C' in the league: known: A, B"),
        (League(variants={"C": "A"}), {}, "there is no group 'C' in the league: known: A, B"),
        (PanelCurve(), {"active": 3}, "published.active must be a table"),
        (PanelCurve(), {"active": {"A": {}}}, "published.active.A must be a number"),
        (PanelCurve(panels=(("A",), ("C",))), {}, "a panel shows 'C', which is not a run: known: A, B"),
        (Champions(), {"A": 3}, "unknown name 'A' in [published]: there are none"),
    ],
)
def test_other_things_are_complained_of(report: ReportOptions, published: Mapping[str, Any], complaint: str) -> None:
    assert [each.text for each in report.complaints(published, ["A", "B"])] == [complaint]


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("published.H_1.H_2=3", "--set published.H_1.H_2=3: published.H_1.H_2 must be two numbers"),
        ('report.averaged=["H_1", "E_x"]', '--set report.averaged=["H_1", "E_x"]: there is no group \'E_x\''),
        ("report.named={}", "table-4.1.toml, line 16: there is no group 'H_1'"),
    ],
)
def test_a_complaint_says_what_brought_it_in_and_is_made_when_the_file_is_read(setting: str, complaint: str) -> None:
    file = EXPERIMENTS / "active-genes" / "table-4.1.toml"
    for smoke in (False, True):
        with pytest.raises(RunError) as error:
            read_item(file, settings=[setting], smoke=smoke)
        assert complaint in str(error.value)
