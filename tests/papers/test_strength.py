"""The strength of pilots: games whose outcome is known, CPU times that are stored, and goals."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report
from deckatlas.experiments.study import Players, Study
from deckatlas.games.hearthstone import agents
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES
from deckatlas.games.hearthstone.cards.library import deck_called, field_decks
from deckatlas.papers.decks.deck_games import DeckPlayers
from deckatlas.papers.field.cpu_times import MOST_PLAYOUTS, Budget, fitted
from deckatlas.papers.field.entrants import store_name
from deckatlas.papers.field.strength import Goals, Strength
from deckatlas.papers.kinds import read_item
from deckatlas.search.batches import Batch
from helpers.map_reports import by, check_drawn

ROOT = Path(__file__).parents[2]
FILE = ROOT / "experiments" / "field" / "strength.toml"
DECKS = ("Face Hunter", "Zoo", "Miracle Rogue", "Handlock")
PILOT, OTHER, OPPONENT = "random:active", "random", "greedy"


def options(**changes: Any) -> Strength:
    """A report that takes a moment: two pilots that play at random."""
    small = {"games": 40, "speed_games": 2, "speed_repeats": 1, "mcts_games": 2, "mcts_playouts": 1}
    given = {"pilots": (PILOT, OTHER), "opponent": OPPONENT, "decks": DECKS[:2], "more_decks": DECKS[2:]}
    return Strength(**{**given, **small, **changes})


@dataclass(frozen=True)
class DecidedStudy(Study):
    """A study in which the first pilot wins with all lists but the last, and other pilots win when they move first.

    Attributes:
        names: The names of the stores that were asked for.
    """

    names: list[str] = field(default_factory=list)

    def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
        assert isinstance(players, DeckPlayers)
        self.names.append(name)
        first, second = -1 - batch.first, -1 - batch.second
        assert (first // 2 == second // 2).all()  # both sides have the same list
        assert all(players.players[i].deck == players.players[j].deck for i, j in zip(first, second, strict=True))
        if players.players[0].pilot != PILOT:
            return batch.lengths
        is_pilot, is_last = first % 2 == 0, first // 2 == len(DECKS) - 1
        return np.where(is_pilot ^ is_last, batch.lengths, 0)


def study_in(folder: Path, kind: Callable[..., Study] = Study) -> Any:
    return kind({}, {}, 1, folder, 1, lambda title: nullcontext(lambda standing: None))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    goals = {PILOT: Goals(overall=65, each_list=50, against_mcts=80), OTHER: Goals(overall=57)}
    return options(goals=goals).report(study_in(tmp_path_factory.mktemp("study"), DecidedStudy))


# ---- the file --------------------------------------------------------------------------------------------------------


def test_the_file_has_the_field_and_ten_more_lists_of_other_archetypes_where_there_are_some() -> None:
    found = read_item(FILE).heading.report
    assert isinstance(found, Strength)
    assert found.decks == tuple(each.name for each in field_decks())
    assert (len(found.decks), len(found.more_decks)) == (15, 10)
    decks = [deck_called(name) for name in (*found.decks, *found.more_decks)]
    assert {each.deck.hero_class for each in decks if each} == set(HERO_CLASSES)
    further = [each.archetype for each in decks[15:] if each]
    of_field = {each.archetype for each in field_decks()}
    assert sum(archetype not in of_field for archetype in set(further)) == 9
    assert found.goals == {"default": Goals(overall=65, each_list=50, against_mcts=55), "fast": Goals(overall=57)}


# ---- the report ------------------------------------------------------------------------------------------------------


def test_lists_are_sorted_by_the_share_of_games_that_the_pilot_won(report: Report) -> None:
    rows = [row for row in report.rows["lists"] if row["opponent"] == OPPONENT]
    assert [(row["pilot"], row["list"], row["won"]) for row in rows] == [
        *((PILOT, name, 100) for name in DECKS[:3]),
        (PILOT, DECKS[3], 0),
        *((OTHER, name, 50) for name in DECKS),
    ]
    assert {row["won_games"] for row in rows} == {40}
    assert [row["verdict"] for row in rows] == [
        *("holds",) * 3,
        "does not hold",
        *("undecided at 95 %",) * 4,
    ]


def test_overall_rates_count_all_lists_and_all_games(report: Report) -> None:
    rows = by(report.rows["overall"], "pilot", "opponent")
    assert {match: (row["won"], row["won_games"]) for match, row in rows.items()} == {
        (PILOT, OPPONENT): (75, 160),
        (OTHER, OPPONENT): (50, 160),
        (PILOT, "mcts:playouts=1"): (75, 8),
        (OTHER, "mcts:playouts=1"): (50, 8),
    }
    assert (rows[PILOT, OPPONENT]["lowest"], rows[PILOT, OPPONENT]["lists_below_half"]) == (0, 1)
    assert all(row["won_low"] < row["won"] < row["won_high"] for row in rows.values())


def test_goals_hold_or_not_by_the_whole_interval(report: Report) -> None:
    rows = report.rows["findings"]
    overall = by([row for row in rows if row["claim"].endswith("all lists")], "finding")
    assert {title: (row["claimed"], row["verdict"]) for title, row in overall.items()} == {
        f"{PILOT} against {OPPONENT}, overall": ("above 65", "holds"),
        f"{OTHER} against {OPPONENT}, overall": ("above 57", "does not hold"),
        f"{PILOT} against mcts:playouts=1, overall": ("above 80", "undecided at 95 %"),
    }
    lists = [row for row in rows if row["finding"] == f"{PILOT} against {OPPONENT}, no list below 50 %"]
    assert [row["verdict"] for row in lists] == ["holds", "holds", "holds", "does not hold"]
    assert {row["finding_verdict"] for row in lists} == {"does not hold"}
    assert report.tables[-1].columns[0] == "goal"


def test_times_are_beside_those_of_the_opponent(report: Report) -> None:
    first, *others = report.rows["speed"]
    assert (first["pilot"], first["times_as_long_per_game"], first["times_as_long_per_turn"]) == (OPPONENT, 1, 1)
    assert [row["pilot"] for row in others] == [PILOT, OTHER]
    for row in report.rows["speed"]:
        times = first["games_per_cpu_second"] / row["games_per_cpu_second"]
        assert row["times_as_long_per_game"] == pytest.approx(times)
        assert row["cpu_ms_per_turn"] > 0
    for row in report.rows["mcts"]:
        times = row["mcts_cpu_ms_per_turn"] / row["cpu_ms_per_turn"]
        assert row["times_as_long_per_turn"] == pytest.approx(times)
        assert times > 1  # even one playout takes longer than a random action


def test_all_is_drawn_and_written_with_and_without_goals_and_mcts(report: Report, tmp_path: Path) -> None:
    check_drawn(report, tmp_path)
    bare = options(mcts_games=0).report(study_in(tmp_path, DecidedStudy))
    assert bare.rows["mcts"] == []
    assert "findings" not in bare.rows
    assert {row["opponent"] for row in bare.rows["overall"]} == {OPPONENT}
    check_drawn(bare, tmp_path)


# ---- stores and times ------------------------------------------------------------------------------------------------


def test_a_second_call_plays_no_games_and_finds_the_same_times(tmp_path: Path) -> None:
    small = options(games=2, decks=DECKS[:1], more_decks=DECKS[1:2])
    first, second = study_in(tmp_path), study_in(tmp_path)
    assert small.report(first).rows == small.report(second).rows
    # With two lists: 2 pilots in 2 games against each opponent; 3 mirrors and 2 matches with mcts of 2 games a list.
    games = 2 * (2 * 2 + 2 * 2 + 3 * 2 + 2 * 2)
    assert (first.tally.now, second.tally.now) == (games, 0)
    assert first.tally.all == second.tally.all == games


def test_other_weights_of_a_pilot_have_a_store_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def names() -> list[str]:
        return [store_name([spec], [], edition="2018-12", games=2, seed=1) for spec in ("search", "default", "fast")]

    before = names()
    assert before == names()
    (tmp_path / "other.npz").write_bytes(b"other weights")
    monkeypatch.setattr(agents, "_SHIPPED", str(tmp_path / "other.npz"))
    after = names()
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, False, False]


def test_every_pilot_opponent_edition_size_and_choice_of_lists_has_a_store_of_its_own(tmp_path: Path) -> None:
    study = study_in(tmp_path, DecidedStudy)
    changes: list[dict[str, Any]] = [
        {},
        {"pilots": (OTHER,)},
        {"opponent": "pass"},
        {"edition": "2018-12"},
        {"games": 4},
        {"more_decks": ()},
    ]
    base: dict[str, Any] = {"pilots": (PILOT,), "mcts_games": 0}
    for change in changes:
        options(**{**base, **change}).report(study)
    assert len(set(study.names)) == len(changes)


def test_a_file_without_times_is_refused_by_name(tmp_path: Path) -> None:
    small = options(mcts_games=0)
    small.report(study_in(tmp_path, DecidedStudy))
    (kept,) = tmp_path.glob("* speeds.json")
    kept.write_text("[", encoding="utf-8")
    with pytest.raises(RunError, match=r"speeds\.json has no measured times: remove it"):
        small.report(study_in(tmp_path, DecidedStudy))


@pytest.mark.parametrize(("per_playout", "fixed"), [(0.2, 0.0), (0.03, 0.4), (3.0, 0.5)])
def test_playouts_are_found_for_which_mcts_takes_ten_times_as_long(per_playout: float, fixed: float) -> None:
    tried: list[int] = []

    def measure(playouts: int) -> Budget:
        tried.append(playouts)
        return Budget(playouts, 1.0, fixed + per_playout * playouts, games=2)

    found = fitted(measure, 10)
    assert found.multiple == pytest.approx(10, abs=max(0.3, per_playout))
    assert found.games == 2 * len(tried)
    assert tried.count(found.playouts) == 2  # once to choose it, and once to measure what was chosen


def test_playouts_stay_in_their_range_if_the_multiple_cannot_be_reached() -> None:
    assert fitted(lambda playouts: Budget(playouts, 1.0, 1e-4 * playouts, games=2), 10).playouts == MOST_PLAYOUTS
    assert fitted(lambda playouts: Budget(playouts, 1.0, 20.0 + playouts, games=2), 10).playouts == 1


def test_measured_playouts_are_those_that_play(tmp_path: Path) -> None:
    study = study_in(tmp_path, DecidedStudy)
    found = options(pilots=(PILOT,), mcts_playouts=None, mcts_multiple=1000.0).report(study)
    (budget,) = found.rows["mcts"]
    assert {row["opponent"] for row in found.rows["overall"]} == {OPPONENT, f"mcts:playouts={budget['playouts']}"}


# ---- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('report.pilots=["defalt"]', r"unknown agent 'defalt': did you mean 'default'\?"),
        ('report.pilots=["fast", "fast"]', "the pilot fast is there twice"),
        ('report.pilots=["fast", "search"]', "search would meet itself"),
        ('report.pilots=["exec:a program"]', "unknown agent 'exec'"),
        ("report.opponent=serch", r"--set report.opponent=serch: unknown agent 'serch': did you mean 'search'\?"),
        ("report.edition=classic", "report.edition=classic: unknown edition 'classic': did you mean"),
        ('report.more_decks=["Zoolocks"]', "Zoolocks: unknown deck 'Zoolocks'"),
        ('report.more_decks=["Token Druid"]', "the list Token Druid is there twice"),
        ("report.games=3", "multiple of 2"),
        ("report.mcts_playouts=20000", "10000|10,000"),
        ("report.goals.fats.overall=60", r"unknown agent 'fats': did you mean 'fast'\?"),
        ("report.goals.fast.overal=60", r"unknown key 'overal' in \[report.goals.fast\]: did you mean 'overall'\?"),
        ("published.overall=65", "unknown name 'overall'"),
    ],
)
def test_mistakes_are_found_before_the_first_game(setting: str, message: str) -> None:
    with pytest.raises(RunError, match=message) as error:
        read_item(FILE, settings=[setting])
    assert "\n" not in str(error.value)
