"""The gate: games whose outcome is known, the choice of decks on other games, and its verdict."""

from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES
from deckatlas.games.hearthstone.cards.library import library
from deckatlas.games.hearthstone.deck_players import DeckPlayers
from deckatlas.games.hearthstone.metagame import metagame_of
from deckatlas.papers.field.gate import FOUND, HUMAN, NO_DECK, Gate
from deckatlas.papers.field.gate_games import FieldGames
from deckatlas.papers.kinds import read_item
from deckatlas.runs.comparison import Players
from deckatlas.search.batches import Batch, Course
from helpers.map_reports import by, check_drawn

FILE = Path(__file__).parents[2] / "experiments" / "field" / "gate.toml"
FIELD = 24  # decks
STRONG = {"Aggro Hunter": 0.7, "Control Paladin": 0.5, "Aggro Warlock": 0.2}  # the others of their classes win less


@dataclass(frozen=True)
class DrawnStudy(Study):
    """A study in which decks that were found win as `STRONG` says, and lists of people win half of their games.

    Attributes:
        seeds: The seeds of each store that was asked for, by the first word after `gate`.
    """

    seeds: dict[str, set[int]] = field(default_factory=dict)

    def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
        assert isinstance(players, DeckPlayers)
        assert {each.pilot for each in players.players} == {"greedy"}
        courses = [each for each in batch.courses if isinstance(each, Course)]
        self.seeds[name.split()[1]] = {int(each.game_seeds[0]) for each in courses}
        names = {str(each.deck): each.name for each in library().values() if not each.archetype}
        rates = [STRONG.get(names.get(each.deck, ""), 0.1 if each.deck in names else 0.5) for each in players.players]
        rng = np.random.default_rng(len(self.seeds))
        first, second = -1 - batch.first, -1 - batch.second
        assert ((first < FIELD) != (second < FIELD)).all()
        of_deck = np.array(rates)[np.maximum(first, second)]
        won = rng.random(len(batch)) < np.where(first >= FIELD, of_deck, 1 - of_deck)
        return won.astype(np.int64)


def options(**changes: Any) -> Gate:
    decks = ("Aggro Hunter", "Control Hunter", "Control Paladin", "Aggro Warlock", "Handlock")
    return Gate(**{"pilot": "greedy", "decks": decks, "selection_games": 600, "needed": 2, **changes})


def study_in(folder: Path, kind: Any = DrawnStudy) -> Any:
    return kind({}, {}, 1, folder, 1, lambda title: nullcontext(lambda standing: None))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, DrawnStudy]:
    study = study_in(tmp_path_factory.mktemp("gate"))
    return options().report(study), study


def test_each_class_is_decided_by_the_interval_of_its_difference(made: tuple[Report, DrawnStudy]) -> None:
    rows = by(made[0].rows["gate"], "class")
    assert list(rows) == list(HERO_CLASSES)
    assert {name: rows[name]["verdict"] for name in ("HUNTER", "WARLOCK", "MAGE")} == {
        "HUNTER": "holds",
        "WARLOCK": "does not hold",
        "MAGE": NO_DECK,
    }
    hunter = rows["HUNTER"]
    assert hunter["found"] == "Aggro Hunter"
    assert hunter["games"] == 2000
    assert hunter["ahead_low"] < 20 < hunter["ahead_high"]
    assert hunter["ahead"] == pytest.approx(hunter["found_won"] - hunter["list_won"])
    assert 2 * 1.5 < hunter["ahead_high"] - hunter["ahead_low"] < 2 * 4
    assert rows["MAGE"]["ahead"] is None


def test_enough_classes_must_hold(made: tuple[Report, DrawnStudy]) -> None:
    (outcome,) = made[0].rows["outcome"]
    assert (outcome["hold"], outcome["classes"], outcome["needed"]) == (1, 9, 2)
    assert outcome["verdict"] == "undecided at 95 %"  # the paladins may hold


def test_lists_of_people_are_not_found_and_all_legal_ones_take_part(made: tuple[Report, DrawnStudy]) -> None:
    rows = made[0].rows["selection"]
    assert "Handlock" not in {row["deck"] for row in rows if row["by"] == FOUND}
    people = {row["deck"] for row in rows if row["by"] == HUMAN}
    assert {"Handlock", "Face Hunter", "Zoo"} <= people
    assert not people & {"Starter Mage", "Aggro Hunter"}
    for hero_class in HERO_CLASSES:
        (chosen,) = [row for row in rows if row["class"] == hero_class and row["by"] == HUMAN and row["is_chosen"]]
        best = max(row["won"] for row in rows if row["class"] == hero_class and row["by"] == HUMAN)
        assert chosen["won"] == best


def test_decks_are_compared_on_other_seeds_than_they_are_chosen_on(made: tuple[Report, DrawnStudy]) -> None:
    seeds = made[1].seeds
    assert not seeds["selection"] & seeds["fresh"]
    assert len(seeds["fresh"]) == 1000


def test_the_report_can_be_drawn(made: tuple[Report, DrawnStudy], tmp_path: Path) -> None:
    check_drawn(made[0], tmp_path)


def test_a_deck_is_never_ahead_of_itself(tmp_path: Path) -> None:
    deck = library()["Zoo"].deck
    metagame = metagame_of("field-2018", pilot="random")
    games = FieldGames.played(study_in(tmp_path, Study), "fresh", metagame, [deck, deck], pilot="random", games=96)
    ahead = games.difference(0, 1)
    assert (ahead.value, ahead.low, ahead.high) == (0, 0, 0)
    assert games.rate(0) == games.rate(1)
    assert games.games == 96


def test_candidates_come_from_the_file_of_a_metagame(tmp_path: Path) -> None:
    file = tmp_path / "atlas.toml"
    decks = "".join(f'[[deck]]\ndeck = "{name}"\nname = "{name} found"\n' for name in ("Starter Mage", "Zoo"))
    file.write_text(decks, encoding="utf-8")
    (found,) = options(decks=(), candidates=str(file))._candidates()
    assert (found.name, found.deck.hero_class) == ("Starter Mage found", "MAGE")


@pytest.mark.parametrize(
    ("setting", "mistake"),
    [
        ("report.pilot=nobody", "nobody"),
        ("report.metagame=nothing", "nothing"),
        ("report.candidates=nothing.toml", "nothing.toml"),
        ('report.decks=["Nozdormuu"]', "Nozdormuu"),
        ('report.candidates=""', "candidates"),
        ('report.classes=["monk"]', "monk"),
        ("report.needed=10", "needed"),
        ("report.games=3", "games"),
    ],
)
def test_a_mistake_is_reported_before_the_first_game(setting: str, mistake: str) -> None:
    with pytest.raises(RunError, match=mistake) as error:
        read_item(FILE, settings=[setting])
    assert "\n" not in str(error.value)
