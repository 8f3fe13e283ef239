"""The compass: it reads and checks what people know, and compares it with games whose outcome is known."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.library import field_decks, library
from deckatlas.games.hearthstone.deck_players import DeckPlayers
from deckatlas.papers.field.compass import Compass
from deckatlas.papers.field.knowledge import Knowledge, KnownMatchup
from deckatlas.papers.kinds import read_item
from deckatlas.runs.comparison import Players
from deckatlas.search.batches import Batch
from helpers.map_reports import by, check_drawn

ROOT = Path(__file__).parents[2]
FILE = ROOT / "experiments" / "field" / "compass.toml"
PUBLISHED = {
    "weaker": ["Handlock", "Freeze Mage"],
    "strength": {"Zoo": 60.0, "Face Hunter": 55.0, "Miracle Rogue": 50.0},
    "favoured": {
        "extreme": {"Zoo": ["Handlock"]},
        "clear": {"Handlock": ["Face Hunter"]},
        "slight": {"Face Hunter": ["Freeze Mage"], "Freeze Mage": ["Miracle Rogue"], "Zoo": ["Shockadin"]},
    },
}
DECKS = ("Zoo", "Face Hunter", "Miracle Rogue", "Handlock", "Freeze Mage")


@dataclass(frozen=True)
class DecidedStudy(Study):
    """A study in which the deck that comes first in the list always wins.

    Attributes:
        names: The names of the stores that were asked for.
    """

    names: list[str] = field(default_factory=list)

    def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
        assert isinstance(players, DeckPlayers)
        assert len({player.pilot for player in players.players}) == 1
        self.names.append(name)
        return np.where(batch.first > batch.second, batch.lengths, 0)  # player k is participant -1 - k


def decided(published: Mapping[str, Any] = PUBLISHED) -> DecidedStudy:
    return DecidedStudy({}, published, 1, Path("nowhere"), 1, lambda title: nullcontext(lambda standing: None))


def played(folder: Path) -> Study:
    return Study({}, {}, 1, folder, 1, lambda title: nullcontext(lambda standing: None))


# ---- what people know ------------------------------------------------------------------------------------------------


def test_knowledge_is_that_of_the_archetypes_that_play() -> None:
    known = Knowledge.of(PUBLISHED, ["Zoo", "Handlock", "Face Hunter"])
    assert known.strength == {"Zoo": 60.0, "Face Hunter": 55.0}
    assert known.weaker == ("Handlock",)
    assert known.matchups == (
        KnownMatchup("Zoo", "Handlock", "extreme"),
        KnownMatchup("Handlock", "Face Hunter", "clear"),
    )


def test_those_that_are_weaker_share_the_lowest_place() -> None:
    order = Knowledge.of(PUBLISHED, DECKS).order
    assert order["Handlock"] == order["Freeze Mage"] < order["Miracle Rogue"] < order["Face Hunter"] < order["Zoo"]


def test_the_file_knows_thirteen_matchups_and_the_place_of_all_fifteen_archetypes() -> None:
    heading = read_item(FILE).heading
    archetypes = {each.archetype for each in field_decks()}
    known = Knowledge.of(heading.published, archetypes)
    assert len(known.matchups) == 13
    assert sum(one.strength in ("clear", "extreme") for one in known.matchups) == 7
    assert set(known.order) == archetypes
    assert isinstance(heading.report, Compass)
    assert heading.report.decks == tuple(each.name for each in field_decks())


# ---- the report ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def report() -> Report:
    return Compass(decks=DECKS, games=20, samples=100).report(decided())


def test_the_matrix_has_every_pair_from_both_sides(report: Report) -> None:
    rates = by(report.rows["rates"], "row", "column")
    assert len(rates) == 5 * 4
    for one, other in rates:
        assert rates[one, other]["won"] + rates[other, one]["won"] == 100
        assert rates[one, other]["won"] == (100 if DECKS.index(one) < DECKS.index(other) else 0)


def test_strengths_are_shares_of_all_games_beside_the_reported_ones(report: Report) -> None:
    assert [(row["archetype"], row["won"], row["reported"], row["is_weaker"]) for row in report.rows["strengths"]] == [
        ("Zoo", 100, 60.0, False),
        ("Face Hunter", 75, 55.0, False),
        ("Miracle Rogue", 50, 50.0, False),
        ("Handlock", 25, None, True),
        ("Freeze Mage", 0, None, True),
    ]
    assert {row["won_games"] for row in report.rows["strengths"]} == {4 * 20}


def test_known_matchups_agree_or_not_and_the_clear_ones_are_counted_apart(report: Report) -> None:
    found = by(report.rows["matchups"], "favoured", "against")
    assert {pair: row["agrees"] for pair, row in found.items()} == {
        ("Zoo", "Handlock"): True,
        ("Handlock", "Face Hunter"): False,
        ("Face Hunter", "Freeze Mage"): True,
        ("Freeze Mage", "Miracle Rogue"): False,
    }
    assert found["Zoo", "Handlock"]["verdict"] == "holds"
    assert found["Handlock", "Face Hunter"]["verdict"] == "does not hold"
    assert all(row["won_low"] <= row["won"] <= row["won_high"] for row in found.values())
    numbers = ("matchups", "agree", "agree_beyond_doubt", "disagree_beyond_doubt")
    assert {row["known"]: tuple(row[key] for key in numbers) for row in report.rows["agreement"]} == {
        "clear or extreme": (2, 1, 1, 1),
        "slight": (2, 1, 1, 1),
    }


def test_half_of_the_games_is_not_the_right_way() -> None:
    class FirstWins(DecidedStudy):
        def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
            return batch.lengths

    study = FirstWins({}, PUBLISHED, 1, Path("nowhere"), 1, lambda title: nullcontext(lambda standing: None))
    rows = Compass(decks=DECKS, games=20, samples=100).report(study).rows
    assert {(row["won"], row["agrees"], row["verdict"]) for row in rows["matchups"]} == {
        (50, False, "undecided at 95 %")
    }
    assert {row["agree"] for row in rows["agreement"]} == {0}


def test_the_order_is_compared_with_and_without_those_that_have_no_number(report: Report) -> None:
    every, numbered = report.rows["order"]
    assert (every["n"], numbered["n"]) == (5, 3)
    # Two of five are tied: one of ten pairs has no order, so tau-b is 9 / sqrt(10 * 9).
    assert every["kendall"] == pytest.approx(9 / np.sqrt(90))
    assert every["spearman"] == pytest.approx(np.corrcoef([1.5, 1.5, 3, 4, 5], [1, 2, 3, 4, 5])[0, 1])
    assert numbered["spearman"] == numbered["kendall"] == pytest.approx(1)


def test_all_is_drawn_and_written_also_where_nothing_is_known(report: Report, tmp_path: Path) -> None:
    check_drawn(report, tmp_path)
    bare = Compass(decks=("Zoo", "Starter Mage", "Handlock"), games=2).report(decided({}))
    assert bare.rows["matchups"] == bare.rows["order"] == bare.rows["agreement"] == []
    assert [row["archetype"] for row in bare.rows["strengths"]] == ["Zoo", "Starter Mage", "Handlock"]
    check_drawn(bare, tmp_path)


def test_every_pilot_edition_size_field_and_seed_has_a_store_of_its_own() -> None:
    study = decided({})
    base = Compass(decks=DECKS, games=2)
    changes: list[dict[str, Any]] = [
        {},
        {"pilot": "random"},
        {"edition": "2018-12"},
        {"games": 4},
        {"decks": DECKS[1:]},
        {"pilot": "greedy"},
    ]
    for change in changes:
        base.model_copy(update=change).report(study)
    base.report(replace(study, seed=2))
    assert len(set(study.names)) == len(changes) + 1


def test_a_second_call_plays_no_games_and_finds_the_same(tmp_path: Path) -> None:
    options = Compass(decks=DECKS, games=4, pilot="random:active")
    first, second = played(tmp_path), played(tmp_path)
    assert options.report(first).rows == options.report(second).rows
    assert (first.tally.now, second.tally.now) == (40, 0)
    assert second.tally.all == 40


def test_editions_change_the_games(tmp_path: Path) -> None:
    found = [
        Compass(decks=DECKS, games=20, pilot="random:active", edition=edition).report(played(tmp_path)).rows["rates"]
        for edition in ("classic-2014", "2018-12")
    ]
    assert found[0] != found[1]


# ---- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("report.pilot=serch", r"--set report.pilot=serch: unknown agent 'serch': did you mean 'search'\?"),
        ("report.edition=classic", "report.edition=classic: unknown edition 'classic': did you mean"),
        ('report.decks=["Zoo", "Zoolocks"]', "Zoolocks: unknown deck 'Zoolocks'"),
        ('report.decks=["Zoo", "Tempo Rogue"]', "Tempo Rogue: card 'BOT_242' is not in this edition"),
        ('report.decks=["Zoo", "Zoo (2014)"]', "two decks are Zoo: the field has one list per archetype"),
        ("report.games=3", "multiple of 2"),
        ("published.strength.Zooo=3", r"unknown name 'Zooo' in \[published.strength\]: did you mean 'Zoo'\?"),
        ("published.strength.Zoo=true", "published.strength.Zoo must be a number"),
        ('published.weaker=["Handlok"]', "unknown name 'Handlok' in published.weaker: did you mean 'Handlock'"),
        ('published.favoured.clear.Zoo=["Handlok"]', "unknown name 'Handlok' in published.favoured.clear.Zoo"),
        ("published.favoured.huge.Zoo=[]", "unknown name 'huge'"),
    ],
)
def test_mistakes_are_found_before_the_first_game(setting: str, message: str) -> None:
    with pytest.raises(RunError, match=message) as error:
        read_item(FILE, settings=[setting])
    assert "\n" not in str(error.value)


def test_all_archetypes_of_the_library_may_be_known() -> None:
    assert "Ramp Druid" in {each.archetype for each in library().values()}
    read_item(FILE, settings=['published.favoured.slight.Ramp Druid=["Zoo"]'])
