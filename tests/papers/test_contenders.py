"""Who stands for the runs of a search, in which seat, and what the reports on contenders make of the games."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
from pydantic import ValidationError

from deckatlas.errors import RunError
from deckatlas.experiments.reproduce import Reproduction, reproduce
from deckatlas.experiments.round_robin import RoundRobin, round_robin_ask, round_robin_of
from deckatlas.experiments.study import Study
from deckatlas.games.locm.genomes import card_attributes
from deckatlas.games.locm.match import play
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.run_config import LocmDraftRun
from deckatlas.games.locm.spaces import LocmDrafts, attributes
from deckatlas.games.locm.table import play_one
from deckatlas.papers.dbga.agents_table import AgentsTable, TableContender
from deckatlas.papers.dbga.boxes import Boxes
from deckatlas.papers.dbga.turns import Turns
from deckatlas.papers.drafts.contenders import Contender, SeatedContender
from deckatlas.papers.drafts.finalists import FITNESS, HONEST, SAME
from deckatlas.papers.drafts.games import DraftPlayers
from deckatlas.papers.kinds import read_item
from deckatlas.runs.comparison import Players
from deckatlas.runs.loop import Watch
from deckatlas.search.batches import Batch, seed_of
from deckatlas.search.dbga import Dbga
from helpers.batches import wins_of
from helpers.searches import courses_of
from helpers.studies import FakeRun, fake_config

ROOT = Path(__file__).parents[2]
DBGA = ROOT / "experiments" / "dbga"


@dataclass(frozen=True)
class TellingStudy(Study):
    """A study in which a player wins the share of a course that its strength says: the first player's less the other's.

    Attributes:
        agents: The strengths of agents by name; that of a genome is its gene 0.
        asks: What was asked for, by the name of its store.
    """

    agents: Mapping[str, float] = field(default_factory=dict)
    asks: dict[str, Batch] = field(default_factory=dict)

    def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
        assert isinstance(players, DraftPlayers)
        self.asks[name] = batch
        known = [*batch.genes[:, 0], *(self.agents[agent] for agent in reversed(players.arena.opponents))]
        strengths = np.array(known, dtype=np.float64)  # player -1 is the last one
        share = np.clip(0.5 + strengths[batch.first] - strengths[batch.second], 0, 1)
        return np.asarray(np.round(share * batch.lengths), dtype=np.int64)


def dbga_run(name: str, strength: float, fitness: float, *, seat: Literal["first", "second"] = "first") -> FakeRun:
    """A run whose best has this strength and is rated so by its search."""
    config = fake_config(name, Dbga(seat=seat))
    return _Rated(config, Path("nowhere"), ((strength,),), fitness=fitness)


@dataclass(frozen=True)
class _Rated(FakeRun):
    fitness: float = 0.0

    def generations(self) -> Any:
        (row,) = super().generations()
        return (replace(row, best=self.fitness, mean=0.0, facts={}),)


def nobody_looks(title: str) -> AbstractContextManager[Watch]:
    return nullcontext(lambda standing: None)


def telling_study(
    runs: Mapping[str, list[FakeRun]], agents: Mapping[str, float], published: Mapping[str, Any] | None = None
) -> TellingStudy:
    made = {name: tuple(of_name) for name, of_name in runs.items()}
    return TellingStudy(made, published or {}, 3, Path("nowhere"), None, nobody_looks, agents=agents)


# Choices


def test_fitness_and_fresh_games_can_choose_different_runs() -> None:
    runs = [dbga_run("D-1", 0.10, 80), dbga_run("D-2", 0.30, 70), dbga_run("D-3", 0.20, 90), dbga_run("D-4", 0.30, 90)]
    options = Boxes(contenders={"D": SeatedContender(search="D")}, validation_games=100)
    found = options.finalists(telling_study({"D": runs}, {"coac": 0.4}), "D")
    assert [100 * finalist.fresh.value for finalist in found.runs] == pytest.approx([20, 40, 30, 40])
    assert {choice: finalist.run for choice, finalist in found.choices().items()} == {FITNESS: "D-3", HONEST: "D-2"}
    assert [row["choice"] for row in found.rows()] == ["", HONEST, FITNESS, ""], "of equals the earlier run"
    # Over runs: mean 32.5, squared distances 156.25 + 56.25 + 6.25 + 56.25, Student's 3.182 for four.
    summary = found.summary()
    assert (summary["validation"], summary["runs"], summary["fitness"]) == (pytest.approx(32.5), 4, 82.5)
    assert summary["validation_high"] == pytest.approx(32.5 + 3.182446 * (275 / 3 / 4) ** 0.5)
    one = options.finalists(telling_study({"D": runs[:2][::-1]}, {"coac": 0.4}), "D")
    assert {choice: finalist.run for choice, finalist in one.choices().items()} == {FITNESS: "D-1", HONEST: "D-2"}
    alone = options.finalists(telling_study({"D": runs[:1]}, {"coac": 0.4}), "D")
    assert {choice: finalist.run for choice, finalist in alone.choices().items()} == {SAME: "D-1"}


def test_a_box_is_made_of_batches_in_the_seat_of_the_contender() -> None:
    runs = {
        "first": [dbga_run("first-1", 0.1, 60), dbga_run("first-2", 0.2, 50)],
        "second": [dbga_run("second-1", 0.3, 50, seat="second")],
    }
    options = Boxes(
        batches=4,
        games=20,
        validation_games=10,
        contenders={
            "Coac": SeatedContender(agent="coac", seat="first"),
            "ReGr": SeatedContender(agent="rg", seat="second"),
            "F": SeatedContender(search="first"),
            "S": SeatedContender(search="second"),
        },
    )
    study = telling_study(runs, {"coac": 0.4, "rg": 0.25}, {"median": {"F": 42}, "highest": {"F": 48}})
    rows = options.report(study).rows
    won = {
        (row["contender"], row["choice"]): (row["seat"], round(row["won"], 6), row["median"]) for row in rows["boxes"]
    }
    assert won == {
        ("Coac", ""): ("first", 50, 50),
        ("ReGr", ""): ("second", 35, 35),  # Coac, moving first, wins 0.5 + 0.4 - 0.25
        ("F", FITNESS): ("first", 20, 20),
        ("F", HONEST): ("first", 30, 30),
        ("S", SAME): ("second", 40, 40),
    }
    assert [row["won_games"] for row in rows["boxes"]] == [80] * 5
    assert [row["published_median"] for row in rows["boxes"]] == [None, None, 42, 42, None]
    assert len(rows["batches"]) == 5 * 4
    courses = {
        tuple(np.concatenate([c.game_seeds for c in courses_of(ask)]))
        for name, ask in study.asks.items()
        if "4x" in name
    }
    validation = {tuple(courses_of(ask)[0].game_seeds) for name, ask in study.asks.items() if "validation" in name}
    assert len(courses) == len(validation) == 1, "everybody plays the same games"
    assert not set(*courses) & set(*validation), "nobody is rated by the games it was chosen by"


# A policy a seat


def test_each_seat_is_played_by_its_own_genome() -> None:
    seeds = np.arange(900, 930, dtype=np.uint64)
    fighter, miser = np.array([[3.0, 1, -1, 0, 0, 0, 0, 0, 0], [0, 0, -1, 0, 0, 0, 0, 0, 0]])
    evaluator = LocmMatchups(LocmDrafts(attributes()), pilot="greedy", opponents=["coac/greedy"])
    ask = round_robin_ask(np.array([fighter, miser]), [(0, 1), (-1, -1)], [(0, 1)], seeds)
    result = round_robin_of([(0, 1)], wins_of(evaluator, ask).astype(np.int64))

    def winners(first: Any, second: Any) -> list[int]:
        return [play_one(first, second, seed=int(seed)).winner for seed in seeds]

    def drafts_by(genome: npt.NDArray[np.float64]) -> Any:
        return (card_attributes() @ genome, "greedy")

    moving_first = winners(drafts_by(fighter), "coac/greedy")
    moving_second = winners("coac/greedy", drafts_by(miser))
    assert result.won[0, 1].tolist() == [winner == 0 for winner in moving_first]
    assert result.won[1, 0].tolist() == [winner == 0 for winner in moving_second]
    assert moving_second != winners("coac/greedy", drafts_by(fighter)), "otherwise this test could not fail"


def test_the_table_seats_the_best_of_each_search_where_it_was_found() -> None:
    runs = {
        "A-first": [dbga_run("A-first-1", 0.10, 60), dbga_run("A-first-2", 0.15, 50)],
        "A-second": [dbga_run("A-second-1", 0.20, 60, seat="second")],
    }
    options = AgentsTable(
        show="averages",
        games=40,
        validation_games=20,
        contenders={
            "Coac": TableContender(agent="coac"),
            "DBGA-A": TableContender(search="A-first", search_second="A-second"),
            "ReGr": TableContender(agent="rg"),
        },
    )
    study = telling_study(runs, {"coac": 0.4, "rg": 0.3})
    options.report(study)
    ask = study.asks["table 40"]
    met = {(one, other) for one, other in zip(ask.first.tolist(), ask.second.tolist(), strict=True)}
    names = {number: round(float(genome[0]), 2) for number, genome in enumerate(ask.genes)} | {-1: "coac", -2: "rg"}
    assert {(names[one], names[other]) for one, other in met} == {
        ("coac", "rg"),
        ("rg", "coac"),
        *((0.10, agent) for agent in ("coac", "rg")),  # chosen by fitness, moving first
        *((0.15, agent) for agent in ("coac", "rg")),  # the honest choice
        *((agent, 0.20) for agent in ("coac", "rg")),  # moving second, either choice
    }
    assert ask.games == (3 + 2) * 40, "three pairs, and two of the honest choice"


# All against all


def test_rates_and_averages_of_a_round_robin() -> None:
    def games(text: str) -> npt.NDArray[np.bool_]:
        return np.array([letter == "1" for letter in text])

    # Moving first 0 beats 1 on seeds 0 and 1, and moving second on seed 0 (where 1, moving first, lost).
    won = {(0, 1): games("1100"), (1, 0): games("0111"), (0, 2): games("1111"), (2, 0): games("0000")}
    won |= {(1, 2): games("1010"), (2, 1): games("0000")}
    result = RoundRobin(won)
    assert result.outcomes(0, 1).tolist() == [1, 0.5, 0, 0]
    assert (result.rate(0, 1).value, result.rate(0, 1).n) == (3 / 8, 8)
    assert (result.rate(1, 0).value, result.rate(1, 2).value) == (5 / 8, 6 / 8)
    assert (result.average(0, [1, 2]).value, result.average(0, [1, 2]).n) == (11 / 16, 16)
    assert result.average(1, [0, 2]).value == 11 / 16, "equals are equal"


def test_ranks_follow_averages_and_published_rates_stand_beside() -> None:
    options = AgentsTable(
        show="averages",
        games=40,
        validation_games=20,
        opponent="rg",
        contenders={
            "Coac": TableContender(agent="coac"),
            "DBGA-A": TableContender(search="A"),
            "ReGr": TableContender(agent="rg"),
        },
    )
    runs = {"A": [dbga_run("A-1", 0.2, 60), dbga_run("A-2", 0.35, 50)]}
    published = {"averages": {"Coac": 40, "ReGr": 50, "DBGA-A": 20}}
    # A single game is won by whoever is stronger by more than a half of one; only validation games are a near thing.
    rows = options.report(telling_study(runs, {"coac": 1.4, "rg": 0.8}, published)).rows["averages"]
    assert [(row["agent"], row["average"], row["rank"], row["published_rank"]) for row in rows] == [
        ("Coac", 100, 1, 2),
        ("ReGr", 50, 2, 1),
        ("DBGA-A (fitness)", 0, 3, 3),
        ("DBGA-A (honest)", 0, 3, 3),
    ]
    assert [row["differs"] for row in rows] == [True, False, True, True]


# Turns


def test_turns_are_rounds_of_the_games_each_side_won() -> None:
    options = Turns(
        opponent="coac/greedy", games=60, contenders={"B": SeatedContender(agent="baseline1", seat="second")}
    )
    study = telling_study({}, {})
    rows = options.report(study).rows
    match = play("coac/greedy", "baseline1", games=60, seed=seed_of(3, "turns"), swap_seats=False)
    lengths = {winner: [(int(t) + 1) // 2 for t in match["turns"][match["winner"] == winner]] for winner in (0, 1)}
    of_contender, of_opponent = rows["turns"]
    assert of_contender["winner"] == "B"
    assert (of_contender["won_games"], of_contender["turns_games"]) == (60, len(lengths[1]))
    assert of_contender["turns"] == pytest.approx(np.mean(lengths[1]))
    assert of_opponent["turns"] == pytest.approx(np.mean(lengths[0]))
    counted = {(row["winner"], row["turns"]): row["games"] for row in rows["games"]}
    assert counted["B", lengths[1][0]] == lengths[1].count(lengths[1][0])
    assert study.tally.now == 60


# Bad input


def test_a_contender_is_an_agent_or_a_search() -> None:
    with pytest.raises(ValidationError, match="either an agent or a search"):
        Contender(agent="coac", search="A")
    with pytest.raises(ValidationError, match="either an agent or a search"):
        Contender()
    with pytest.raises(ValidationError, match="an agent needs a seat"):
        SeatedContender(agent="coac")
    with pytest.raises(ValidationError, match="an agent needs a seat"):
        SeatedContender(search="A", seat="first")


def test_runs_must_be_there_and_sit_in_one_seat() -> None:
    options = Boxes(contenders={"A": SeatedContender(search="A")})
    with pytest.raises(RunError, match="this report needs the runs 'A'"):
        options.report(telling_study({}, {"coac": 0}))
    both = FakeRun(fake_config("A-1", Dbga(seat="both")), Path("nowhere"), ((0.5,),))
    with pytest.raises(RunError, match="must rate their candidates by fixed games in one seat"):
        options.report(telling_study({"A": [both]}, {"coac": 0}))


# Experiments


SMALL = [
    "defaults.evaluation.pilot=greedy",
    'defaults.evaluation.opponents=["coac/greedy"]',
    *(f"runs.A-rg-{seat}.{value}" for seat in ("first", "second") for value in ("evaluation.pilot=greedy", "repeat=2")),
    *(f"runs.A-rg-{seat}.search.{size}" for seat in ("first", "second") for size in ("population=4", "generations=1")),
    "report.opponent=coac/greedy",
    "report.games=4",
    "report.validation_games=10",
    *(f"report.contenders.{name}.agent=coac/greedy" for name in ("Coac", "Chad", "OneLane")),
    "report.contenders.ReGr.agent=rg/greedy",
]


def carry_out(item: str, folder: Path) -> Reproduction:
    experiment = read_item(DBGA / f"{item}.toml", settings=SMALL)
    folders = {"store": folder / "runs", "out": folder / "out"}
    return reproduce(experiment, **folders, command="typed", view=nobody_looks, threads=1)


@pytest.mark.usefixtures("no_waiting_for_the_disk")
def test_table_three_is_made_of_the_games_of_table_two(tmp_path: Path) -> None:
    rates = carry_out("table-2", tmp_path)
    averages = carry_out("table-3", tmp_path)
    assert rates.played == rates.games == averages.games
    assert averages.played == 0
    of_coac = [row["won"] for row in rates.report.rows["rates"] if row["row"] == "Coac"]
    (average,) = [row["average"] for row in averages.report.rows["averages"] if row["agent"] == "Coac"]
    assert average == pytest.approx(np.mean(of_coac))


def test_settings_change_the_item_and_the_runs_that_it_includes() -> None:
    experiment = read_item(DBGA / "table-2.toml", settings=SMALL)
    assert experiment.heading.report.model_dump()["games"] == 4
    _, series = experiment.series["A-rg-first"]
    assert isinstance(series.config, LocmDraftRun)
    evaluation = series.config.evaluation
    assert (series.repeat, evaluation.pilot, evaluation.opponents) == (2, "greedy", ("coac/greedy",))


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("runs.A-rg.repeat=3", "--set runs.A-rg.repeat=3: no run 'A-rg': "),
        ("report.gams=3", "--set report.gams=3: unknown key 'gams' in [report]: did you mean 'games'?"),
        ("defaults.evaluation.pilot=nobody", "--set defaults.evaluation.pilot=nobody: "),
        ("report.games", "--set report.games: write KEY=VALUE"),
    ],
)
def test_a_wrong_setting_is_told(setting: str, complaint: str) -> None:
    with pytest.raises(RunError) as error:
        read_item(DBGA / "fig-6.toml", settings=[setting])
    assert str(error.value).startswith(complaint)


def test_published_tables_agree_with_each_other() -> None:
    """Rates of a pair add up to 100 and give the averages: a slip of the pen in either file shows."""
    rates = read_item(DBGA / "table-2.toml").heading.published["rates"]
    averages = read_item(DBGA / "table-3.toml").heading.published["averages"]
    assert all(rates[a][b] + rates[b][a] == pytest.approx(100) for a in rates for b in rates if a != b)
    assert {name: round(sum(row.values()) / 6, 1) for name, row in rates.items()} == pytest.approx(averages, abs=0.11)
