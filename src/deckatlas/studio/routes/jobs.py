"""Page "Jobs": work that pages start, with `--allow-run`: a kind with checked options, never a command line."""

from datetime import datetime
from shlex import join
from typing import Annotated, cast

from fastapi import APIRouter, Depends, Request
from fastapi import Path as InPath
from pydantic import Field, StringConstraints

from deckatlas.balancing.as_code import balance_arguments
from deckatlas.balancing.plan import StudyPlan, effort_of
from deckatlas.balancing.study import check_size, read_intents
from deckatlas.documents.toml_text import toml_text
from deckatlas.errors import AgentError, GameError, RunError
from deckatlas.files.writing import write_text
from deckatlas.games import Game, find
from deckatlas.runs.read_config import config_from
from deckatlas.studio.asking import MayRun, ShelfOfApp
from deckatlas.studio.jobs import Job, Jobs
from deckatlas.studio.routes.metagames import MetagamesOfApp, store_of
from deckatlas.studio.routes.patches import StudyAsked, study_options, study_toml, subject_of
from deckatlas.views.answers.shapes import Seed, Shape

router = APIRouter(tags=["jobs"])

JobId = Annotated[str, InPath(description="The id of a job, from the list of jobs.", max_length=100)]
Games = Annotated[int, Field(ge=2, le=1_000_000)]
_LINES = 40
_SHORT = 4


def _jobs(request: Request) -> Jobs:
    return cast("Jobs", request.app.state.jobs)


JobsOfApp = Annotated[Jobs, Depends(_jobs)]


class JobShape(Shape):
    """A job: what it does, how it goes, and the last lines of its output."""

    id: str
    kind: str
    title: str
    state: str
    code: int | None
    command: str
    begun: datetime
    ended: datetime | None
    lines: list[str]

    @classmethod
    def of(cls, job: Job, lines: list[str]) -> "JobShape":
        """The shape of a job."""
        return cls(
            id=job.record.id,
            kind=job.record.kind,
            title=job.record.title,
            state=job.state,
            code=job.end.code if job.end else None,
            command=join(["deckatlas", *job.record.arguments]),
            begun=job.record.begun,
            ended=job.end.ended if job.end else None,
            lines=lines,
        )


@router.get("/jobs")
def get_jobs(jobs: JobsOfApp) -> list[JobShape]:
    """The jobs of the folder, the newest first."""
    return [JobShape.of(each, jobs.last_lines(each, _SHORT)) for each in jobs.all()]


@router.get("/jobs/{job}")
def get_job(job: JobId, jobs: JobsOfApp) -> JobShape:
    """A job with the last lines of its output."""
    found = jobs.find(job)
    return JobShape.of(found, jobs.last_lines(found, _LINES))


@router.post("/jobs/{job}/stop", dependencies=[MayRun])
def stop_job(job: JobId, jobs: JobsOfApp) -> JobShape:
    """Asks a running job to end."""
    found = jobs.stop(job)
    return JobShape.of(found, jobs.last_lines(found, _LINES))


class BalanceJob(StudyAsked):
    """A balance study of a patch."""

    effort: Annotated[str, Field(max_length=20)] = "quick"


@router.post("/jobs/balance", dependencies=[MayRun], status_code=201)
def start_balance(asked: BalanceJob, jobs: JobsOfApp) -> JobShape:
    """Starts a balance study, after its patch and intents are checked."""
    game = find(asked.game)
    subject = subject_of(game, asked)
    plan = StudyPlan(effort_of(asked.effort, subject.efforts), jobs.folder)
    read_intents(asked.intents, subject, plan)
    check_size(subject, plan)
    job = jobs.new_id()
    patch = jobs.file_of(job, ".toml")
    write_text(patch, study_toml(asked), error=RunError)
    options = study_options(asked, asked.effort)
    arguments = balance_arguments(game.name, str(patch), options, store=str(jobs.folder))
    return _started(jobs, job, "balance", f"balance study of {asked.name}, effort {asked.effort}", arguments)


class MetagameJob(Shape):
    """The games of a metagame of the list; `games` are those of a pair, on average."""

    metagame: Annotated[str, Field(max_length=300)]
    games: Games = 200


@router.post("/jobs/metagame", dependencies=[MayRun], status_code=201)
def start_metagame(asked: MetagameJob, jobs: JobsOfApp, metagames: MetagamesOfApp, shelf: ShelfOfApp) -> JobShape:
    """Starts playing the games of a metagame, or what is left of them."""
    played = metagames.find(asked.metagame)
    if not played.given:
        raise RunError("these decks have no name and no file, so no command can play them again")
    words = ["meta", "show", played.given, "--games", str(asked.games), "--seed", str(played.seed)]
    if len(played.pilots) == 1:
        words += ["--pilot", _plain_agent(find(played.game), played.pilots[0])]
    words += ["--store", str(store_of(played, shelf))]
    return _started(jobs, jobs.new_id(), "metagame", f"games of the metagame {played.name}", words)


class EvaluationJob(Shape):
    """More games for a deck, given as a name, a code or a list of cards."""

    game: Annotated[str, Field(max_length=100)]
    deck: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4000)]
    games: Games = 1000
    pilot: Annotated[str, Field(max_length=60)] = ""
    seed: Seed = 0


@router.post("/jobs/evaluation", dependencies=[MayRun], status_code=201)
def start_evaluation(asked: EvaluationJob, jobs: JobsOfApp) -> JobShape:
    """Starts an evaluation of a deck."""
    game = find(asked.game)
    if not game.offers("evaluation"):
        raise GameError(f"{game.name} has no evaluations of decks")
    pilot = ["--pilot", _plain_agent(game, asked.pilot)] if asked.pilot else []
    job = jobs.new_id()
    deck = jobs.file_of(job, ".txt")  # so that a text from the browser is never taken for the path of a file
    write_text(deck, asked.deck + "\n", error=RunError)
    words = ["evaluate", game.name, str(deck), "--games", str(asked.games), "--seed", str(asked.seed), *pilot]
    title = f"{asked.games:,} games of {asked.deck.splitlines()[0][:60]}"
    return _started(jobs, job, "evaluation", title, [*words, "--cards", "--page", str(jobs.file_of(job, ".html"))])


class RunJob(Shape):
    """A stored run: its rest, or the same configuration again with another seed."""

    run: Annotated[str, Field(max_length=200)]
    seed: Seed | None = None


@router.post("/jobs/run", dependencies=[MayRun], status_code=201)
def start_run(asked: RunJob, jobs: JobsOfApp, shelf: ShelfOfApp) -> JobShape:
    """Resumes a stored run, or runs its configuration again with another seed."""
    view = shelf.view(asked.run)
    _, path = shelf.find(asked.run)
    values = dict(view.config)
    if asked.seed is not None:
        values |= {"seed": asked.seed, "name": f"{path.stem}-seed-{asked.seed}"}
    config_from(dict(values), name=path.stem)  # raises if this is no configuration of a run
    job = jobs.new_id()
    file = jobs.file_of(job, ".toml")
    write_text(file, toml_text(values), error=RunError)
    name = path.stem if asked.seed is None else str(values["name"])
    words = ["run", str(file), "--name", name, "--store", str(path.parent)]
    title = f"resume {path.stem}" if asked.seed is None else f"{path.stem} again, with seed {asked.seed}"
    return _started(jobs, job, "run", title, words)


def _started(jobs: Jobs, job: str, kind: str, title: str, arguments: list[str]) -> JobShape:
    return JobShape.of(jobs.start(job, kind=kind, title=title, arguments=arguments), [])


def _plain_agent(game: Game, given: str) -> str:
    """An agent that has a name; nothing from a browser or a store may name a program or a file.

    Raises:
        AgentError: If it has none.
    """
    if not any(given in listed.agents for listed in game.agents()):
        raise AgentError(f"the studio starts agents only by name, and {game.name} has no agent of this name")
    return given
