"""Page "Balance verdict": the studies of the folder, and one of them with everything its sentences rest on."""

from datetime import datetime
from shlex import join
from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request
from fastapi import Path as InPath
from starlette.responses import PlainTextResponse, Response

from deckatlas.balancing.as_code import balance_command, balance_python
from deckatlas.balancing.record import StudyRecord, plain_file
from deckatlas.errors import RunError
from deckatlas.studio.studies import KnownStudy, Studies
from deckatlas.views.answers.shapes import AsCode, Shape
from deckatlas.views.balance_page import answers_csv
from deckatlas.views.study_charts import Chart, charts_of

router = APIRouter(tags=["studies"])

StudyId = Annotated[str, InPath(description="The id of a study, from the list of studies.", max_length=200)]


def _studies(request: Request) -> Studies:
    return cast("Studies", request.app.state.studies)


StudiesOfApp = Annotated[Studies, Depends(_studies)]


class StudyLine(Shape):
    """A balance study in one line."""

    id: str
    name: str
    state: str
    problem: str
    game: str
    patch: str
    base: str
    metagame: str
    effort: str
    games: int
    changes: int
    questions: int
    intents: list[str]
    begun: datetime | None

    @classmethod
    def of(cls, study: str, known: KnownStudy) -> "StudyLine":
        """The shape of a study; `intents` are the verdicts on what was meant."""
        record, verdict = known.record, known.record.verdict if known.record else None
        return cls(
            id=study,
            name=known.name,
            state=known.state,
            problem=known.problem,
            game=record.game if record else "",
            patch=record.patch if record else known.name,
            base=record.base if record else "",
            metagame=record.metagame if record else "",
            effort=record.effort if record else "",
            games=verdict.games if verdict else 0,
            changes=sum(each.is_change for each in verdict.sentences) if verdict else 0,
            questions=len(verdict.sentences) if verdict else 0,
            intents=[each.verdict for each in verdict.intents] if verdict else [],
            begun=record.begun if record else None,
        )


class StudyChart(Shape):
    """A chart of a study: its title, the topics of its answers, and what draws the same; of maps, search and axes."""

    what: str
    title: str
    topics: list[str]
    search: str
    axes: list[str]
    code: AsCode

    @classmethod
    def of(cls, chart: Chart, path: str) -> "StudyChart":
        """The shape of a chart of the study with this record."""
        chosen = {"what": chart.what} | ({"search": chart.search} if chart.search else {})
        file = f"{chart.what}.png"
        words = [word for name, value in chosen.items() for word in (f"--{name}", value)]
        named = "".join(f", {name}={value!r}" for name, value in chosen.items())
        code = AsCode(
            command=join(["deckatlas", "plot", path, "-o", file, *words]),
            python=f"from deckatlas.views.study_figures import plot_study\n\nplot_study({path!r}, {file!r}{named})",
        )
        return cls(
            what=chart.what,
            title=chart.title,
            topics=list(chart.topics),
            search=chart.search,
            axes=list(chart.axes),
            code=code,
        )


class StudyShape(Shape):
    """A balance study: its line, its record, its charts, and how to get the same without the studio."""

    line: StudyLine
    seed: str
    record: StudyRecord
    charts: list[StudyChart]
    code: AsCode


@router.get("/studies")
def get_studies(studies: StudiesOfApp) -> list[StudyLine]:
    """All balance studies of the folder, the newest first, unreadable ones last."""
    return [StudyLine.of(study, known) for study, known in studies.all()]


@router.get("/studies/{study}")
def get_study(study: StudyId, studies: StudiesOfApp) -> StudyShape:
    """A balance study with everything that its sentences rest on."""
    known = studies.find(study)
    record = _record(known)
    file, store = plain_file(record.patch), str(known.path.parent)
    return StudyShape(
        line=StudyLine.of(study, known),
        seed=str(record.seed),
        record=record,
        charts=[StudyChart.of(each, str(known.path)) for each in charts_of(record)],
        code=AsCode(
            command=balance_command(record.game, file, record.options, store=store),
            python=balance_python(record.game, file, record.options, store=store),
        ),
    )


@router.get("/studies/{study}/answers.csv", response_class=PlainTextResponse)
def get_study_csv(study: StudyId, studies: StudiesOfApp) -> Response:
    """All answers of a study as CSV: what `deckatlas balance --csv` writes."""
    verdict = _record(studies.find(study)).verdict
    if verdict is None:
        raise RunError("this study has no verdict yet")
    rows = (each.row() for each in (*verdict.sentences, *verdict.matchups, *verdict.cells))
    return PlainTextResponse(answers_csv(rows), media_type="text/csv; charset=utf-8")


def _record(known: KnownStudy) -> StudyRecord:
    if known.record is None:
        raise RunError(known.problem)
    return known.record
