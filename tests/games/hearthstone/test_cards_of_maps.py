"""Cards of a map's elites in fresh games: the numbers of an evaluation, stored once, in exports and on the page."""

import csv
import io
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from deckatlas import hearthstone, locm
from deckatlas.errors import RunError, SearchError
from deckatlas.runs.export import cards_csv, run_json
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import config_from
from deckatlas.runs.store import open_store
from deckatlas.runs.verification import check_store
from deckatlas.runs.view import RunView, open_run
from deckatlas.runs.writer import Writer
from deckatlas.search.batches import CardQuestion, seed_of
from deckatlas.search.card_questions import BIAS
from helpers.reports import answers_of

GAMES = 12
BOTH: tuple[CardQuestion, ...] = ("events", "swap-outs")


def made(path: Path, cards: Sequence[CardQuestion] = BOTH, *, threads: int = 1) -> RunView:
    return hearthstone.map_elites(
        "hunter",
        pilot="random",
        resolution=2,
        evaluations=6,
        games=2,
        seed=5,
        recheck=GAMES,
        cards=cards,
        path=path,
        threads=threads,
    )


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> RunView:
    return made(tmp_path_factory.mktemp("cards") / "map.db")


def test_the_numbers_are_those_of_an_evaluation_of_the_same_games(view: RunView) -> None:
    for elite in view.elites():
        setting: dict[str, Any] = {"pilot": "random", "games": GAMES, "seed": seed_of(5, "recheck", elite.number)}
        counted = hearthstone.evaluate(view.code(elite), cards=True, **setting).cards[0]
        worth = hearthstone.swap_out(view.code(elite), **setting)
        events = {row["card"]: row for row in counted.rows()}
        values = {row["card"]: row for row in worth.rows()}
        found = view.cards_in_games(elite.number)
        assert {row["card"] for row in found} == {*events} == {*values}
        for row in found:
            for name, value in (events[row["card"]] | values[row["card"]]).items():
                assert row[name] == (pytest.approx(value, abs=1e-6) if isinstance(value, float) else value), name
        assert sum(row["copies"] for row in found) == 30


def test_cards_can_be_counted_later_and_cost_nothing_twice(view: RunView, tmp_path: Path) -> None:
    path = tmp_path / "map.db"
    first = made(path, ())
    assert first.card_tables == {}
    with pytest.raises(RunError, match="not counted yet: count them with `deckatlas run FILE --cards`"):
        cards_csv(first)
    some = made(path, ("events",), threads=2)
    assert {question for each in some.card_tables.values() for question in each} == {"events"}
    later = made(path, BOTH)
    assert later.card_tables == view.card_tables
    assert later.digest == first.digest == view.digest
    with sqlite3.connect(path) as store:
        before = (
            store.execute("SELECT * FROM recheck_cards").fetchall(),
            store.execute("SELECT * FROM rechecks").fetchall(),
        )
    made(path, BOTH)
    with sqlite3.connect(path) as store:
        assert before == (
            store.execute("SELECT * FROM recheck_cards").fetchall(),
            store.execute("SELECT * FROM rechecks").fetchall(),
        )


def test_an_interrupted_count_resumes_to_the_same_tables(
    view: RunView, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, add_cards = tmp_path / "map.db", Writer.add_cards
    stored: list[int] = []

    def interrupted(self: Writer, solution: int, *answer: Any) -> None:
        if len(stored) == 3:  # the first elite has both answers, the second one of them
            raise KeyboardInterrupt
        stored.append(solution)
        add_cards(self, solution, *answer)

    monkeypatch.setattr(Writer, "add_cards", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made(path)
    monkeypatch.undo()
    assert sorted(len(each) for each in open_run(path).card_tables.values()) == [1, 2]
    assert made(path, threads=2).card_tables == view.card_tables


def test_exports_and_the_page_have_the_cards_and_their_bias(view: RunView) -> None:
    rows = list(csv.DictReader(io.StringIO(cards_csv(view))))
    best = view.elites()[0]
    assert [int(row["solution"]) for row in rows[:3]] == [best.number] * 3
    assert {f"cell_{view.measures[0]}", "name", "drawn", "win_rate_drawn_low", "turn_played", "swap_out"} <= {*rows[0]}
    data = json.loads(json.dumps(run_json(view)))
    assert data["cards_note"] == BIAS
    assert data["elites"][0]["cards"] == view.cards_in_games(best.number)
    told = answers_of(view)
    cards = {card["id"]: card for card in told[f"decks/{best.number}/cards"]}
    for row in view.cards_in_games(best.number):
        assert cards[row["card"]]["win_drawn"]["value"] == row["win_rate_drawn"]
        assert cards[row["card"]]["swap_out"]["value"] == row["swap_out"]
    assert told["reproduction"]["commands"][0].endswith(f"--recheck-games {GAMES} --cards --swap-out")


def test_a_changed_table_is_found(view: RunView, tmp_path: Path) -> None:
    path = tmp_path / "map.db"
    path.write_bytes(view.path.read_bytes())
    with sqlite3.connect(path) as store:
        store.execute("UPDATE recheck_cards SET cards = replace(cards, '30', '31') WHERE question = 'events'")
        store.execute("UPDATE recheck_cards SET cards = cards || ' '")
    with open_store(path) as damaged, pytest.raises(RunError, match="the cards of solution"):
        check_store(damaged)


def test_a_store_from_before_cards_were_counted_takes_them(view: RunView, tmp_path: Path) -> None:
    path = tmp_path / "map.db"
    made(path, ())
    with sqlite3.connect(path) as store:
        store.execute("DROP TABLE recheck_cards")
    assert open_run(path).card_tables == {}
    assert made(path).card_tables == view.card_tables


def test_a_run_whose_games_count_no_cards_says_so(tmp_path: Path) -> None:
    found = locm.map_elites("deck", evaluations=4, games=2, resolution=2, seed=1)
    with pytest.raises(SearchError, match="cannot say what happens to cards"):
        execute(config_from(found.run.config, name="map"), tmp_path / "map.db", recheck=4, cards=("events",))
    assert not (tmp_path / "map.db").exists()
