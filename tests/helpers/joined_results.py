"""Results of other calls, as `deckatlas reproduce` writes them, for tests of reports that join trials."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deckatlas.experiments.kind import Report
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import FinishedRun
from deckatlas.papers.joined import JoinedReport

Runs = Mapping[str, tuple[FinishedRun, ...]]


def some(runs: Runs, *places: int) -> Runs:
    return {name: tuple(each[place] for place in places) for name, each in runs.items()}


def result_file(folder: Path, runs: Runs, report: Report, /, **changes: Any) -> str:
    """What `deckatlas reproduce` writes of these trials, as far as it is read again."""
    configs = {name: {**each[0].config.to_json(), "repeat": len(each)} for name, each in runs.items()}
    rows = {name: [dict(row) for row in table] for name, table in report.rows.items()}
    file = folder / "result.json"
    file.write_text(json.dumps({"games": 1000, "runs": configs, "rows": rows, **changes}))
    return str(file)


def check_joined(kind: JoinedReport, runs: Runs, *files: str) -> None:
    """The check before the first game of a call that carries out these trials."""
    series = {name: Series(each[0].config, repeat=len(each), first=each[0].number) for name, each in runs.items()}
    kind.model_copy(update={"elsewhere": files}).check_series(series)
