"""Jobs: pages start work with --allow-run only; each job is a process of its own that survives the studio."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Page, expect

from deckatlas import locm
from deckatlas.runs.library import summary_at
from deckatlas.studio.app import Options, create_app
from deckatlas.studio.jobs import Jobs, start_of
from helpers.studio import LONG, picture, served

PATCH: dict[str, Any] = {"game": "locm", "name": "slimer", "cards": {"1": {"attack": 5}}}
STARTS: dict[str, dict[str, Any]] = {
    "/api/jobs/balance": {**PATCH, "effort": "quick"},
    "/api/jobs/metagame": {"metagame": "shipped.locm.drafts", "games": 4},
    "/api/jobs/evaluation": {"game": "hearthstone", "deck": "Midrange Paladin", "games": 2},
    "/api/jobs/run": {"run": "small"},
    "/api/jobs/20260101-000000-00000000/stop": {},
}


def client_of(folder: Path, *, allow_run: bool = True) -> TestClient:
    return TestClient(create_app(Options(folder, allow_run=allow_run)), base_url="http://127.0.0.1")


def wait_for(what: Callable[[], bool]) -> None:
    end = monotonic() + LONG
    while not what():
        assert monotonic() < end, "it did not happen in time"
        sleep(0.1)


def sleeper(folder: Path, code: str) -> str:
    """A job of a folder that runs some Python instead of a command, by the jobs' own start."""
    jobs = Jobs(folder)
    job = jobs.new_id()
    log = jobs.file_of(job, ".log")
    with log.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-c", code], stdout=out, start_new_session=True)
    record = {
        "format": 1,
        "id": job,
        "kind": "run",
        "title": "sleeps",
        "arguments": ["run"],
        "process": process.pid,
        "process_start": start_of(process.pid),
        "begun": "2026-01-01T00:00:00Z",
    }
    jobs.file_of(job, ".job.json").write_text(json.dumps(record))
    return job


@pytest.mark.parametrize("address", STARTS)
def test_without_the_flag_nothing_starts(tmp_path: Path, address: str) -> None:
    answer = client_of(tmp_path, allow_run=False).post(address, json=STARTS[address])
    assert answer.status_code == 403
    assert "--allow-run" in answer.json()["error"]
    assert not list(tmp_path.iterdir())


def test_a_job_plays_to_its_end_after_the_studio_has_ended(tmp_path: Path) -> None:
    locm.map_elites("deck", evaluations=20, games=2000, resolution=3, seed=1, path=tmp_path / "small.db")
    code = (
        "import os; from pathlib import Path; from fastapi.testclient import TestClient\n"
        "from deckatlas.studio.app import Options, create_app\n"
        f"app = create_app(Options(Path({str(tmp_path)!r}), allow_run=True))\n"
        "client = TestClient(app, base_url='http://127.0.0.1')\n"
        "print(client.post('/api/jobs/run', json={'run': 'small', 'seed': 9}).json()['id'], flush=True)\n"
        "os._exit(0)\n"  # before the job has even loaded this package
    )
    studio = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    over, job = datetime.now(UTC), studio.stdout.strip()
    client = client_of(tmp_path)
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["state"] != "running")
    found = client.get(f"/api/jobs/{job}").json()
    assert (found["state"], found["code"]) == ("finished", 0)
    assert datetime.fromisoformat(found["ended"]) > over
    assert any("small-seed-9: finished" in line for line in found["lines"])
    assert summary_at(tmp_path / "small-seed-9.db", "").state == "finished"


def test_a_stopped_job_ends_with_all_that_it_started(tmp_path: Path) -> None:
    client = client_of(tmp_path)
    job = sleeper(tmp_path, "import time; print('begun', flush=True); time.sleep(600)")
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["lines"] == ["begun"])
    process = Jobs(tmp_path).find(job).record.process
    assert client.post(f"/api/jobs/{job}/stop").status_code == 200
    os.waitpid(process, 0)
    assert client.get(f"/api/jobs/{job}").json()["state"] == "stopped"
    assert client.post(f"/api/jobs/{job}/stop").status_code == 409


def test_a_stopped_evaluation_is_stopped_and_not_failed(tmp_path: Path) -> None:
    client = client_of(tmp_path, allow_run=True)
    asked = {"game": "hearthstone", "deck": "Starter Mage", "games": 1_000_000}
    job = client.post("/api/jobs/evaluation", json=asked).json()["id"]
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["state"] == "running")
    assert client.post(f"/api/jobs/{job}/stop").status_code == 200
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["state"] != "running")
    assert client.get(f"/api/jobs/{job}").json()["state"] == "stopped"


def test_games_of_a_metagame_are_played_on_where_they_are_stored(tmp_path: Path) -> None:
    folder = tmp_path / "more"
    locm.metagame("drafts", games=2, pilot="greedy", store=folder)
    stored = [*folder.glob("*.db")]
    client = client_of(tmp_path)
    job = client.post("/api/jobs/metagame", json={"metagame": "shipped.locm.drafts", "games": 2}).json()["id"]
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["state"] != "running")
    found = client.get(f"/api/jobs/{job}").json()
    assert (found["state"], found["code"]) == ("finished", 0), found["lines"]
    assert [*tmp_path.rglob("*.db")] == stored


def test_an_evaluation_of_no_deck_is_refused(tmp_path: Path) -> None:
    client = client_of(tmp_path, allow_run=True)
    assert client.post("/api/jobs/evaluation", json={"game": "hearthstone", "deck": " "}).status_code == 422
    assert not (tmp_path / "jobs").exists()


def test_an_evaluation_plays_to_its_end(tmp_path: Path) -> None:
    client = client_of(tmp_path, allow_run=True)
    asked = {"game": "hearthstone", "deck": "Starter Mage", "games": 4, "pilot": "greedy"}
    job = client.post("/api/jobs/evaluation", json=asked).json()["id"]
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["state"] != "running")
    found = client.get(f"/api/jobs/{job}").json()
    assert (found["state"], found["code"]) == ("finished", 0), found["lines"]


def test_a_process_with_the_same_number_is_not_taken_for_the_job(tmp_path: Path) -> None:
    job = sleeper(tmp_path, "import time; time.sleep(600)")
    file = tmp_path / "jobs" / f"{job}.job.json"
    record = json.loads(file.read_text())
    file.write_text(json.dumps(record | {"process_start": "1"}))
    client = client_of(tmp_path)
    assert client.get(f"/api/jobs/{job}").json()["state"] == "stopped"
    assert client.post(f"/api/jobs/{job}/stop").status_code == 409
    assert start_of(record["process"]) == record["process_start"]  # it was left alone
    os.kill(record["process"], 9)
    os.waitpid(record["process"], 0)


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/api/jobs/evaluation", {"game": "hearthstone", "deck": "x", "pilot": "exec:touch /tmp/x"}),
        ("/api/jobs/evaluation", {"game": "hearthstone", "deck": "x", "pilot": "--help"}),
        ("/api/jobs/evaluation", {"game": "locm", "deck": "x"}),
        ("/api/jobs/metagame", {"metagame": "../six.toml"}),
        ("/api/jobs/run", {"run": "../small"}),
        ("/api/jobs/balance", {**PATCH, "effort": "all"}),
        ("/api/jobs/balance", {**PATCH, "base": "/etc/passwd.toml"}),
        ("/api/jobs/balance", {**PATCH, "intents": ["nobody win rate at most 3"]}),
    ],
)
def test_wrong_options_start_nothing(tmp_path: Path, address: str, body: dict[str, Any]) -> None:
    answer = client_of(tmp_path).post(address, json=body)
    assert answer.status_code in (404, 409, 422)
    assert "\n" not in answer.json()["error"]
    assert not list(tmp_path.glob("jobs/*.job.json"))


def test_a_text_from_the_browser_is_a_deck_and_never_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("nobody should read this\n")
    client = client_of(tmp_path / "runs")
    (tmp_path / "runs").mkdir()
    job = client.post("/api/jobs/evaluation", json={"game": "hearthstone", "deck": str(secret), "games": 2}).json()[
        "id"
    ]
    wait_for(lambda: client.get(f"/api/jobs/{job}").json()["state"] != "running")
    found = client.get(f"/api/jobs/{job}").json()
    assert found["state"] == "failed"
    assert "nobody should read this" not in "".join(found["lines"])


def test_people_run_a_stored_configuration_again(page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    seed = 2**53 + 1  # which no number of JavaScript is
    locm.map_elites("deck", evaluations=20, games=4, resolution=3, seed=seed, path=folder / "small.db")
    with served(Options(folder, allow_run=True)) as home:
        page.goto(f"{home}/runs/small")
        expect(page.get_by_role("row", name=f"seed {seed}").first).to_be_visible()
        expect(page.get_by_role("textbox", name="Seed")).to_have_value(str(seed + 1))
        page.get_by_role("button", name="Run it again").click()
        page.get_by_role("link", name=f"small again, with seed {seed + 1}").click()
        expect(page.get_by_role("heading", name="Jobs")).to_be_visible()
        expect(page.locator("li .status", has_text="finished")).to_be_visible()
        picture(page, "jobs")
        page.goto("about:blank")
    again = summary_at(folder / f"small-seed-{seed + 1}.db", "")
    assert (again.state, again.games) == ("finished", summary_at(folder / "small.db", "small").games)


def test_people_start_a_study_from_the_patch_lab(page: Page, tmp_path: Path) -> None:
    with served(Options(tmp_path, allow_run=True)) as home:
        page.goto(f"{home}/patches?game=locm&name=slimer&cards=" + json.dumps({"1": {"attack": 5}}))
        page.get_by_role("button", name="Start this study").click()
        page.get_by_role("link", name="balance study of slimer, effort quick").click()
        stop = page.get_by_role("button", name="Stop balance study of slimer, effort quick")
        wait_for(lambda: bool(list(tmp_path.glob("slimer-*.study.json"))))
        stop.click()
        expect(stop).to_be_hidden()
        picture(page, "jobs-stopped")
        page.goto(f"{home}/studies")
        expect(page.get_by_role("row", name="slimer")).to_contain_text("stopped")
        page.goto("about:blank")


def test_without_the_flag_there_are_no_buttons(page: Page) -> None:
    page.goto("/patches?game=locm&name=slimer&cards=" + json.dumps({"1": {"attack": 5}}))
    expect(page.get_by_text("deckatlas balance locm slimer.toml")).to_be_visible()
    expect(page.get_by_role("button", name="Start this study")).to_have_count(0)
    expect(page.get_by_role("link", name="Jobs")).to_have_count(0)
