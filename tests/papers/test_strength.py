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
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone import agents
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES
from deckatlas.games.hearthstone.cards.library import deck_called, field_decks
from deckatlas.games.hearthstone.deck_players import DeckPlayers
from deckatlas.papers.field.cpu_times import MOST_PLAYOUTS, Budget, PilotTimes, fitted
from deckatlas.papers.field.entrants import store_name
from deckatlas.papers.field.strength import Goals, Strength
from deckatlas.papers.kinds import read_item
from deckatlas.runs.comparison import Players
from deckatlas.search.batches import Batch
from deckatlas.stats.estimate import Estimate
from helpers.map_reports import by, check_drawn

ROOT = Path(__file__).parents[2]
FILE = ROOT / "experiments" / "field" / "strength.toml"
OPTIONS = FILE.with_name("options.toml")
DECKS = ("Face Hunter", "Zoo", "Miracle Rogue", "Handlock")
PILOT, OTHER, OPPONENT = "random:active", "random", "greedy"


def options(**changes: Any) -> Strength:
    """A report that takes a moment: two pilots that play at random."""
    small = {"games": 40, "speed_games": 2, "speed_repeats": 1, "mcts_games": 2}
    given: dict[str, Any] = {
        "pilots": (PILOT, OTHER),
        "opponent": OPPONENT,
        "decks": DECKS[:2],
        "more_decks": DECKS[2:],
    }
    given |= {"mcts_playouts": {PILOT: 1, OTHER: 1}}
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
    goals = {
        PILOT: Goals(overall=65, each_list=50, against_mcts=80, times_opponent=1000, games_per_cpu_second=1e9),
        OTHER: Goals(overall=57),
    }
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
    assert found.goals == {
        "default": Goals(overall=65, each_list=50, against_mcts=55, games_per_cpu_second=300),
        "fast": Goals(overall=57, times_opponent=2),
    }


def test_the_file_of_options_has_wider_and_wider_beams_and_replies() -> None:
    found = read_item(OPTIONS).heading.report
    assert isinstance(found, Strength)
    assert found.decks == tuple(each.name for each in field_decks())
    beams = {f"expert:width={width},finalists={width},luck=0,replies=0" for width in (1, 2, 4, 8, 16)}
    assert beams | {"fast", "default"} < set(found.pilots)
    assert any("replies=8" in spec for spec in found.pilots)
    assert (found.more_decks, found.mcts_games) == ((), 0)


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


def test_goals_of_speed_hold_or_not_by_the_range_of_the_repeats(report: Report) -> None:
    rows = by(report.rows["findings"], "finding")
    most = rows[f"{PILOT} takes at most 1000 times as long as {OPPONENT}"]
    fewest = rows[f"{PILOT} plays at least 1e+09 games per CPU second"]
    assert (most["claimed"], most["verdict"]) == ("below 1000", "holds")
    assert (fewest["claimed"], fewest["verdict"]) == ("above 1e+09", "does not hold")
    speed = by(report.rows["speed"], "pilot")[PILOT]
    assert (most["found"], most["found_high"]) == (
        speed["times_as_long_per_game"],
        speed["times_as_long_per_game_high"],
    )
    assert (fewest["found"], fewest["found_low"]) == (
        speed["games_per_cpu_second"],
        speed["games_per_cpu_second_low"],
    )


def test_wins_against_mcts_count_only_if_it_had_its_time(report: Report, tmp_path: Path) -> None:
    def verdicts(found: Report) -> list[str]:
        rows = found.rows["findings"]
        return [row["verdict"] for row in rows if row["claim"].startswith("mcts:playouts=1 has ")]

    (claim,) = (row for row in report.rows["findings"] if row["claim"].startswith("mcts:playouts=1 has "))
    assert claim["finding"] == f"{PILOT} against mcts:playouts=1, overall"
    budget = by(report.rows["mcts"], "pilot")[PILOT]
    assert (claim["found"], claim["claimed"]) == (budget["times_as_long_per_turn"], "above 10")
    for multiple, verdict in ((1e-3, "holds"), (1e6, "does not hold")):
        goals = {PILOT: Goals(against_mcts=10)}
        small = options(pilots=(PILOT,), goals=goals, mcts_multiple=multiple)
        found = small.report(study_in(tmp_path, DecidedStudy))
        assert verdicts(found) == [verdict]


def test_strength_is_beside_the_time_of_each_pilot(report: Report) -> None:
    overall = by([row for row in report.rows["overall"] if row["opponent"] == OPPONENT], "pilot")
    speed = by(report.rows["speed"], "pilot")
    assert [row["pilot"] for row in report.rows["trade"]] == [PILOT, OTHER]
    for row in report.rows["trade"]:
        assert row["won"] == overall[row["pilot"]]["won"]
        assert row["cpu_ms_per_game"] == pytest.approx(1000 / speed[row["pilot"]]["games_per_cpu_second"])


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
    (kept,) = tmp_path.glob("* alone, *.json")
    kept.write_text("[", encoding="utf-8")
    with pytest.raises(RunError, match=r"measured\.json has no measured times: remove it"):
        small.report(study_in(tmp_path, DecidedStudy))


def test_times_are_the_best_of_the_repeats_within_their_range() -> None:
    slow, quick = PilotTimes("a", 10, 100, [4.0, 2.0, 3.0]), PilotTimes("b", 10, 200, [1.0, 1.0, 0.5])
    assert slow.games_per_second == Estimate(5.0, 2.5, 5.0, 10)
    assert (slow.ms_per_turn, quick.ms_per_turn) == (20, 2.5)
    assert slow.times_as_long(quick) == Estimate(4.0, 2.0, 6.0, 10)
    assert slow.times_as_long(slow) == Estimate(1.0, 1.0, 1.0, 10)


@pytest.mark.parametrize(("per_playout", "fixed"), [(0.2, 0.0), (0.03, 0.4), (3.0, 0.5)])
def test_playouts_are_found_for_which_mcts_takes_no_less_than_ten_times_as_long(
    per_playout: float, fixed: float
) -> None:
    tried: list[tuple[int, int]] = []

    def measure(playouts: int, repeats: int) -> Budget:
        tried.append((playouts, repeats))
        return Budget(playouts, [1.0] * repeats, [fixed + per_playout * playouts] * repeats, games=2 * repeats)

    found = fitted(measure, 10, 3)
    assert 10 <= found.multiple.value < 10.31 + per_playout
    assert found.games == 2 * sum(repeats for _, repeats in tried)
    # Once to choose it, and then to measure what was chosen.
    assert [each for each in tried if each[0] == found.playouts] == [(found.playouts, 1), (found.playouts, 3)]


def test_playouts_stay_in_their_range_if_the_multiple_cannot_be_reached() -> None:
    def playouts(per_playout: float, fixed: float) -> int:
        return fitted(lambda few, _: Budget(few, [1.0], [fixed + per_playout * few], games=2), 10, 1).playouts

    assert playouts(1e-4, 0.0) == MOST_PLAYOUTS
    assert playouts(1.0, 20.0) == 1


def test_measured_playouts_are_those_that_play(tmp_path: Path) -> None:
    study = study_in(tmp_path, DecidedStudy)
    found = options(pilots=(PILOT,), mcts_playouts={}, mcts_multiple=1000.0).report(study)
    (budget,) = found.rows["mcts"]
    assert {row["opponent"] for row in found.rows["overall"]} == {OPPONENT, f"mcts:playouts={budget['playouts']}"}


# ---- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('report.pilots=["defalt"]', r"unknown agent 'defalt': did you mean 'default'\?"),
        ('report.pilots=["fast", "fast"]', "the pilot fast is given more than once"),
        ('report.pilots=["fast", "search"]', "the opponent search cannot also be in pilots"),
        ('report.pilots=["exec:a program"]', "unknown agent 'exec'"),
        ("report.opponent=serch", r"--set report.opponent=serch: unknown agent 'serch': did you mean 'search'\?"),
        ("report.edition=classic", "report.edition=classic: unknown edition 'classic': did you mean"),
        ('report.more_decks=["Zoolocks"]', "Zoolocks: unknown deck 'Zoolocks'"),
        ('report.more_decks=["Token Druid"]', "the list Token Druid is given more than once"),
        ("report.games=3", "multiple of 2"),
        ("report.mcts_playouts.fast=20000", "10000|10,000"),
        ("report.mcts_playouts.fats=20", r"unknown agent 'fats': did you mean 'fast'\?"),
        ("report.goals.fast.times_opponent=0", "greater than 0|above 0"),
        ("report.goals.fats.overall=60", r"unknown agent 'fats': did you mean 'fast'\?"),
        ("report.goals.fast.overal=60", r"unknown key 'overal' in \[report.goals.fast\]: did you mean 'overall'\?"),
        ("published.overall=65", "unknown name 'overall'"),
    ],
)
def test_mistakes_are_found_before_the_first_game(setting: str, message: str) -> None:
    with pytest.raises(RunError, match=message) as error:
        read_item(FILE, settings=[setting])
    assert "\n" not in str(error.value)
