"""Results of other calls, as `deckatlas reproduce` writes them, for tests of reports that join trials."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from deckatlas.experiments.kind import Report
from deckatlas.experiments.series import Series
from deckatlas.experiments.study import FinishedRun
from deckatlas.papers.joined import JoinedReport
from deckatlas.runs.hashes import canonical_json

Runs = Mapping[str, tuple[FinishedRun, ...]]


def some(runs: Runs, *places: int) -> Runs:
    return {name: tuple(each[place] for place in places) for name, each in runs.items()}


def series_of(runs: Runs, **changes: Any) -> dict[str, Series]:
    """The series that these runs are of; their configurations have the seed of the series, not their own."""
    return {
        name: Series(
            each[0].config.model_copy(update={"name": name, "seed": 1}),
            repeat=len(each),
            first=each[0].number,
            **changes.get(name.replace("-", "_"), {}),
        )
        for name, each in runs.items()
    }


def result_file(
    folder: Path, kind: JoinedReport, runs: Runs, report: Report, /, *, series: Any = None, **changes: Any
) -> str:
    """What `deckatlas reproduce` writes of these trials, as far as it is read again."""
    rows = {name: [dict(row) for row in table] for name, table in report.rows.items()}
    result: dict[str, Any] = {
        "games": 1000,
        "runs": {name: each.to_json() for name, each in (series or series_of(runs)).items()},
        "report": kind.model_dump(mode="json", exclude={"elsewhere"}),
        "rows": rows,
        **changes,
    }
    result.setdefault("digest", sha256(canonical_json(result["rows"]).encode()).hexdigest())
    numbers = "-".join(str(run.number) for run in next(iter(runs.values())))
    file = folder / f"result-{numbers}.json"
    file.write_text(json.dumps(result))
    return str(file)


def check_joined(kind: JoinedReport, runs: Runs, *files: str, series: Mapping[str, Series] | None = None) -> None:
    """The check before the first game of a call that carries out these trials."""
    kind.model_copy(update={"elsewhere": files}).check_series(series or series_of(runs))
