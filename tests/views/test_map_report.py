"""The report of a map: what it carries is true and complete, it is one file, and nothing in it is fetched or run."""

import re
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from deckatlas.errors import RunError, SearchError
from deckatlas.games.hearthstone.cards.deck_codes import read_deck
from deckatlas.games.hearthstone.cards.decks import check_deck
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.patterns.patterns import Patterns
from deckatlas.patterns.sources import find_patterns
from deckatlas.runs.description import Description
from deckatlas.runs.read_config import read_config
from deckatlas.runs.round_statistics import round_statistics
from deckatlas.runs.view import RunView, open_run
from deckatlas.runs.writer import open_to_write
from deckatlas.views import map_report as module
from deckatlas.views.answers.overview import BEST
from deckatlas.views.map_recheck import recheck_rows, recheck_sentences
from deckatlas.views.map_report import RUN, map_report, recorded_answers, write_report
from helpers.map_views import small_map
from helpers.maps import hunters
from helpers.reports import answers_in, answers_of, needs_page
from helpers.surrogates import surrogate_map


class Elements(HTMLParser):
    """The elements of a page, with their attributes and texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("", {}, ""))  # what follows is not its text

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attributes, text = self.found[-1]
            self.found[-1] = (tag, attributes, text + data)

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, text) for name, attributes, text in self.found if name == tag]


# What it carries


def test_every_elite_is_there_with_everything_that_is_known_of_it() -> None:
    view = small_map()
    answers = answers_of(view)
    elites = view.elites()
    assert {name for name in answers if name.startswith("elites/")} == {f"elites/{each.number}" for each in elites}
    for elite in elites:
        told = answers[f"elites/{elite.number}"]
        assert told["objective"]["value"] == elite.objective.value
        assert told["objective"]["n"] == elite.games
        assert told["rechecked"]["n"] == view.rechecks[elite.number].games
        assert {each["name"] for each in told["columns"]} == {*view.log.columns}


def test_the_decks_of_all_elites_are_there_with_codes_that_are_these_decks() -> None:
    view = small_map()
    answers = answers_of(view)
    cards = edition("2018-12").by_id
    shown = answers["map"]
    decks = dict(zip(shown["filling"]["number"], shown["filling"]["decks"], strict=True))
    for number in view.archive.elites.tolist():
        pairs = decks[number]
        listed = {shown["cards"][card]["name"]: copies for card, copies in zip(pairs[::2], pairs[1::2], strict=True)}
        deck = check_deck(read_deck(answers[f"elites/{number}"]["code"], cards), cards)
        assert listed == {cards[card].name: count for card, count in deck.cards}
        assert sum(listed.values()) == 30


@pytest.mark.parametrize("recheck", [8, None])
def test_the_best_are_those_of_the_search_and_come_with_their_lists(recheck: int | None) -> None:
    view = small_map(recheck=recheck)
    answers = answers_of(view)
    best, overview = view.elites()[:BEST], answers["overview"]
    assert overview["best_elites"] == [elite.number for elite in best]
    assert overview["best"]["value"] == best[0].objective.value
    assert (overview["best_rechecked"] is None) == (recheck is None)
    for elite in best:
        told = answers[f"decks/{elite.number}"]
        assert told["cell"] == [*elite.cell]
        assert told["code"] == view.code(elite)
        costs = [card["cost"] for card in told["cards"]]
        assert costs == sorted(costs)
        assert sum(card["copies"] for card in told["cards"]) == 30


def test_a_map_of_three_measures_is_there_along_any_two_of_them() -> None:
    answers = answers_of(small_map().by(("deck_mana_sum", "num_turns", "hand_size")))
    axes = {name: (told["x"]["name"], told["y"]["name"]) for name, told in answers.items() if name.startswith("map?x")}
    assert len(axes) == 6
    assert axes["map?x=num_turns&y=deck_mana_sum"] == ("num_turns", "deck_mana_sum")


def test_a_map_of_one_measure_is_one_row() -> None:
    answers = answers_of(small_map().by(("num_turns",)))
    assert [name for name in answers if name.startswith("map?x")] == []
    assert answers["map"]["y"]["name"] == ""


def test_patterns_are_those_of_the_whole_map() -> None:
    view = small_map()
    (told,) = [answer for name, answer in answers_of(view).items() if name.startswith("map/patterns")]
    found = find_patterns(view, support=0.2, most=len(told["patterns"]), distinct=True)
    assert told["found"] == found.found > 1
    elites = view.elites()
    for shown, pattern in zip(told["patterns"], found, strict=True):
        assert shown["cards"] == [*pattern.lines]
        assert shown["numbers"] == sorted(elites[at].number for at in pattern.decks)
        assert shown["lift"] == pattern.lift


def test_a_report_survives_too_many_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_many(view: RunView, **options: object) -> Patterns:
        raise SearchError("too many sets")

    monkeypatch.setattr("deckatlas.views.answers.patterns.find_patterns", too_many)
    assert list(recorded_answers(small_map()).refusals.values()) == ["too many sets"]


def test_a_recheck_is_told_with_what_stayed_and_what_it_is_worth() -> None:
    view = small_map()
    found = view.recheck()
    assert found is not None
    told = answers_of(view)["recheck"]
    assert told["games"] == [8]
    assert told["sentences"] == [*recheck_sentences(found)]
    assert [tuple(row) for row in told["rows"]] == recheck_rows(found, view.objective)
    assert len(told["after"]) == len(view.archive)


def test_a_map_without_recheck_does_not_speak_of_one() -> None:
    answers = answers_of(small_map(seed=2, recheck=None))
    assert "recheck" not in answers
    assert not answers["overview"]["has_recheck"]


def test_the_rounds_of_a_surrogate_are_there_with_predictions_and_errors() -> None:
    view = surrogate_map()
    told = answers_of(view)["surrogate"]
    assert told["candidates"] == 240
    assert [len(dots["predicted"]) for dots in told["dots"]] == [240, 240]
    last = round_statistics(view)[-1]
    curves = {each["title"]: each for each in told["over_rounds"]}
    errors = {line["name"]: line["values"] for line in curves["error of turns"]["lines"]}
    assert errors["candidates"][-1] == pytest.approx(last.errors["num_turns"], rel=1e-5)
    assert "surrogate" not in answers_of(small_map())


def test_rounds_by_a_measure_that_was_not_predicted_leave_out_cells() -> None:
    told = answers_of(surrogate_map().by(["mana_spent", "num_turns"]))["surrogate"]
    names = [line["name"] for each in told["over_rounds"] for line in each["lines"]]
    assert "entered" in names
    assert "in the predicted cell" not in names


def test_the_configuration_makes_the_same_map(tmp_path: Path) -> None:
    view = small_map()
    told = answers_of(view)["reproduction"]
    (tmp_path / "again.toml").write_text(told["toml"], encoding="utf-8")
    assert read_config(tmp_path / "again.toml").to_json() == view.config
    assert told["digest"] == view.digest
    assert told["commands"][0] == "deckatlas run hunter.toml --recheck --recheck-games 8"


def test_a_map_that_has_just_begun_has_a_report(tmp_path: Path) -> None:
    run = hunters(tmp_path).prepare()
    with open_to_write(tmp_path / "begun.db") as store:
        store.begin(run.config, cards=run.cards, description=run.description, columns=run.evaluator.columns)
    answers = answers_of(open_run(tmp_path / "begun.db"))
    assert {*answers} == {"overview", "growth", "reproduction"}
    assert answers["overview"]["best_elites"] == []
    assert answers["reproduction"]["digest"] is None


def test_folders_of_the_machine_stay_at_home() -> None:
    view = replace(small_map(), path=Path("/home/somebody/secret plans/hunter.db"))
    view.__dict__["digest"] = small_map().digest  # there is no such file
    recorded = recorded_answers(view)
    assert not [address for address, answer in recorded.answers.items() if "somebody" in answer]
    assert "deckatlas show hunter.db" in recorded.answers[f"{RUN}/overview"]


# The file


@needs_page
def test_the_file_carries_these_answers_each_once() -> None:
    view = small_map()
    page = map_report(view)
    assert answers_in(page) == answers_of(view)
    data: dict[str, Any] = recorded_answers(view).to_json()
    assert len({*data["answers"]}) == len(data["answers"]) < len(data["addresses"])
    assert map_report(view) == page


@needs_page
def test_nothing_is_fetched_and_only_what_is_in_the_file_may_run() -> None:
    elements = Elements(map_report(small_map()))
    names = {name for _, attributes, _ in elements.found for name in attributes}
    assert not names & {"src", "href", "srcset", "action", "style"}
    assert not [name for name in names if name.startswith("on")]
    (policy,) = [meta["content"] for meta, _ in elements.of("meta") if "http-equiv" in meta]
    ((_, style),) = elements.of("style")
    (script,) = [text for attributes, text in elements.of("script") if attributes["type"] == "module"]
    assert len(elements.of("script")) == 2
    rules = dict(rule.split(" ", 1) for rule in str(policy).split("; "))
    for kind, text in (("script-src", script), ("style-src", style)):
        assert rules[kind] == f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
    assert rules["default-src"] == "'none'"
    assert {*rules} == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert "@import" not in style
    assert "url(" not in style


@needs_page
def test_names_cannot_become_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = '</script><script>alert("x")</script>&'
    view = small_map()
    monkeypatch.setattr(RunView, "title", bad)
    monkeypatch.setattr(RunView, "name", bad)
    monkeypatch.setattr(Description, "text_of", lambda self, solution: bad)
    page = map_report(view)
    assert bad not in page
    assert page.count("</script>") == 2
    assert answers_in(page)["overview"]["title"] == bad


@needs_page
def test_it_fits_a_phone_and_says_who_made_it() -> None:
    page = map_report(small_map())
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in page
    assert "<title>hunter: a map of elites</title>" in page
    assert re.search(r'<meta name="generator" content="Deckatlas [\d.]+">', page)


@needs_page
def test_a_report_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot write"):
        write_report(small_map(), tmp_path / "missing" / "map.html")


def test_a_report_needs_no_web_server() -> None:
    without = (
        "import sys; sys.modules.update(fastapi=None, uvicorn=None, starlette=None); import deckatlas.views.map_report"
    )
    subprocess.run([sys.executable, "-c", without], check=True)


def test_where_the_pages_are_not_built_one_line_says_what_builds_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PAGE", tmp_path / "report.html")
    with pytest.raises(RunError, match=r"the pages are not built.*`make pages`"):
        map_report(small_map())
