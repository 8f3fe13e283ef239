"""The commands and Python lines that pages offer beside their charts: they run as they are, and draw or tell them."""

import shlex
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from deckatlas import hearthstone
from deckatlas.studio.app import Options, create_app
from helpers.as_code import check_drawn
from helpers.command_line import CommandLine

BOX = "left=0&right=4&bottom=0&top=4&support=0.3"
# Beside these charts, both lines draw the same chart into a file.
DRAWN = {
    "growth": "/api/runs/hunter/growth",
    "growth of an evolution": "/api/runs/evolution-1/growth",
    "recheck": "/api/runs/hunter/recheck",
    "map": "/api/runs/hunter/map?x=num_turns&y=hand_size",
    "difference": "/api/runs/hunter/map/difference?other=hunter",
    "patterns": f"/api/runs/hunter/map/patterns?{BOX}",
    "patterns of another plane": f"/api/runs/hunter/map/patterns?{BOX}&x=num_turns&y=hand_size",
    "cells of a card": "/api/runs/hunter/cards/CARD",
    "card graph": "/api/runs/hunter/card-graph",
    "comparison of maps": "/api/compare?runs=hunter&runs=hunter-again",
    "comparison of evolutions": "/api/compare?runs=evolution-1&runs=evolution-2",
    "deck of a run": "/api/runs/hunter/decks/3",
    "deck of a draft": "/api/runs/drafted/decks/3",
    "draft policy": "/api/runs/policies/decks/3",
    "game of a run": "/api/runs/hunter/decks/0/games/1",
    "game of a run with a coach": "/api/runs/hunter/decks/0/games/0?coach=fast",
    "game of a draft policy": "/api/runs/policies/decks/0/games/0",
    "game": "/api/games?game=hearthstone&first=Starter Mage&second=Aggro Hunter&seed=3&first_pilot=fast",
    "game with a coach": "/api/games?game=hearthstone&first=Starter Mage&second=Face Hunter&pilot=greedy&coach=fast",
    "game of drafters": "/api/games?game=locm&first=icebox&second=coac&seed=5",
    "stored games of a metagame": "/api/metagames/run.STORED",
    "deck": "/api/decks/hearthstone?deck=Face Hunter",
    "deck of the other game": f"/api/decks/locm?deck={' '.join(map(str, range(1, 31)))}",
}
# These have no picture: their lines print the numbers, or write them as CSV.
TOLD = {
    "overview": "/api/runs/hunter/overview",
}


@pytest.fixture(scope="module")
def offering(studio_runs: Path, all_trials: Path, tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    folder = tmp_path_factory.mktemp("offered")
    stores = {
        "hunter": studio_runs / "hunter.db",
        "hunter-again": studio_runs / "hunter.db",
        "drafted": studio_runs / "more" / "drafted decks.db",
        "policies": studio_runs / "policies.db",
        "evolution-1": all_trials / "evolution-1.db",
        "evolution-2": all_trials / "evolution-2.db",
    }
    for name, store in stores.items():
        (folder / f"{name}.db").write_bytes(store.read_bytes())
    field = tmp_path_factory.mktemp("elsewhere") / "field.toml"
    field.write_text("".join(f'[[deck]]\ndeck = "{deck}"\n' for deck in ("Starter Mage", "Face Hunter", "Zoo")))
    hearthstone.metagame(str(field), games=4, pilot="greedy", store=folder)
    return TestClient(create_app(Options(folder)), base_url="http://127.0.0.1")


def code_of(offering: TestClient, address: str) -> dict[str, str]:
    """The command and the Python lines beside a chart."""
    card = offering.get("/api/runs/hunter/cards").json()[0]["card"]
    stored = next(line["run"] for line in offering.get("/api/metagames").json() if line["source"] == "stored")
    answer = offering.get(address.replace("CARD", card).replace("STORED", stored)).json()
    code: dict[str, str] = answer["as_code"] if "as_code" in answer else answer["code"]
    return code


@pytest.mark.long
@pytest.mark.parametrize("what", DRAWN)
def test_offered_lines_draw_the_chart(offering: TestClient, what: str, deckatlas: CommandLine, tmp_path: Path) -> None:
    check_drawn(code_of(offering, DRAWN[what]), deckatlas, tmp_path)


@pytest.mark.parametrize("what", TOLD)
def test_offered_lines_tell_the_numbers(
    offering: TestClient, what: str, deckatlas: CommandLine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = code_of(offering, TOLD[what])
    program, *words = shlex.split(code["command"])
    assert program == "deckatlas"
    exec(code["python"], {})
    assert capsys.readouterr().out.strip()
    status, out, errors = deckatlas(*words)
    assert (status, errors) == (0, ""), words
    assert out.strip() or list(tmp_path.iterdir())
