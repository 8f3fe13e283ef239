"""The numbers of maps: intervals, scores, curves and void games are told as what they are; and what a map costs."""

import csv
import io
import re
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from deckatlas.cli.export import export
from deckatlas.errors import RunError
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.hearthstone.evaluator import HearthstoneEvaluator
from deckatlas.games.hearthstone.setting import AVERAGES
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.runs.export import curve_csv, elites_csv, run_json
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.view import RunView, open_run
from deckatlas.search.batches import Batch, seed_of
from deckatlas.search.evaluation import Outcomes, measured
from deckatlas.search.recheck import Recheck
from deckatlas.stats.distributions import student_quantile
from deckatlas.views.map_curves import curve_of
from deckatlas.views.map_pictures import map_picture
from deckatlas.views.map_recheck import recheck_rows
from deckatlas.views.terminal import closing_lines, curve_table, map_story, standing_table
from helpers.command_line import CommandLine
from helpers.map_views import small_map
from helpers.maps import HUNTERS, hunters
from helpers.reports import answers_of

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

ADAPTIVE = ["search.most_games=48", "search.evaluations=120"]
# A hero power that no game is large enough for.
VOID = """
name = "void"
[cards."CS2_034"]
effect = "power(gain_armor(100), repeat(2, gain_armor(99 * armor_of(MINE))))"
cost = 0
"""


def made(folder: Path, *settings: str, recheck: int | None = None) -> RunView:
    execute(hunters(folder, *settings), folder / "hunters.db", recheck=recheck)
    return open_run(folder / "hunters.db")


@pytest.fixture(scope="module")
def adaptive(tmp_path_factory: pytest.TempPathFactory) -> RunView:
    return made(tmp_path_factory.mktemp("adaptive"), *ADAPTIVE)


# ---- intervals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["fair", "evosabber"])
def test_intervals_are_those_of_an_evaluation_of_the_same_games(tmp_path: Path, profile: str) -> None:
    settings = [f"evaluation.profile={profile}", "search.evaluations=40", "evaluation.games=25"]
    view = made(tmp_path, *settings, "search.objective=win_rate", recheck=8)
    seed = int(view.config["seed"])
    for elite in view.elites()[:4]:
        how = {"pilot": "random", "profile": profile}
        plain = evaluate([view.code(elite)], seed=seed_of(seed, "games"), games=25, **how)  # type: ignore[arg-type]
        for name in AVERAGES:
            rated, expected = view.rated(name, elite.number), plain[name]
            ends = [float(each[0]) for each in (expected.value, expected.low, expected.high)]
            assert [rated.value, rated.low, rated.high] == pytest.approx(ends, rel=1e-12, nan_ok=True)
        fresh = evaluate([view.code(elite)], seed=seed_of(seed, "recheck", elite.number), games=8, **how)  # type: ignore[arg-type]
        assert elite.rechecked is not None
        again = [elite.rechecked.value, elite.rechecked.low, elite.rechecked.high]
        rates = fresh["win_rate"]
        assert again == pytest.approx([float(each[0]) for each in (rates.value, rates.low, rates.high)], rel=1e-12)


def test_what_rests_on_several_evaluations_has_the_freedom_of_the_least_of_them(
    adaptive: RunView, tmp_path: Path
) -> None:
    evaluator = hunters(tmp_path, *ADAPTIVE).prepare().evaluator
    number = int(np.argmax(adaptive.log.games))
    times = int(adaptive.log.games[number]) // 12
    assert times > 1
    parts = [evaluator.sample(first_game=12 * at, games=12) for at in range(times)]
    sample = adaptive.sample(number)
    assert sample.units == sum(part.units for part in parts) > parts[0].units
    assert sample.freedom == min(part.freedom for part in parts)
    rated, error = adaptive.rated("num_turns", number), float(adaptive.log.error("num_turns")[number])
    expected = student_quantile(sample.freedom) * error
    assert rated.high - rated.value == pytest.approx(expected)
    assert expected > 2.05 * error  # more than the normal distribution would have


def test_what_is_known_without_a_game_has_no_doubt(tmp_path: Path) -> None:
    view = made(tmp_path, "search.objective=dust", "search.evaluations=40", recheck=4)
    for elite in view.elites():
        assert elite.objective.low == elite.objective.value == elite.objective.high
        assert elite.rechecked == elite.objective


# ---- the QD score ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "offset", "scale"),
    [
        ([], -30.0, 60.0),
        (["search.objective=fitness"], -30.0, 60.0),
        (["search.objective=fitness", "evaluation.profile=evosabber"], -360.0, 720.0),
        (["search.objective=avg_health_diff", "evaluation.profile=evosabber"], -30.0, 60.0),
        (["search.objective=win_rate"], 0.0, 1.0),
        (["search.objective=dust"], 0.0, 1.0),
        (["archive.qd_score_offset=-100"], -100.0, 1.0),
        (["search.objective=win_rate", "archive.qd_score_offset=0.5"], 0.5, 1.0),
    ],
)
def test_the_offset_is_what_the_archive_says_or_what_suits_the_objective(
    tmp_path: Path, settings: list[str], offset: float, scale: float
) -> None:
    scoring = hunters(tmp_path, *settings).prepare().description.scoring
    assert (scoring.offset, scoring.scale) == (offset, scale)


def test_filling_a_cell_does_not_lower_the_score_of_a_sum(tmp_path: Path) -> None:
    view = made(tmp_path, "search.objective=fitness", "evaluation.profile=evosabber", "search.evaluations=40")
    assert view.statistics.best < 0  # a random player loses
    assert view.statistics.qd_score > 0
    assert view.statistics.below_offset == 0


def _shown(table: object) -> str:
    console = Console(width=300, record=True, file=io.StringIO())
    console.print(table)
    return " ".join(console.export_text().split())


def _standing(view: RunView) -> Standing:
    return Standing(
        planned=360,
        games=360,
        evaluations=60,
        best=view.statistics.best,
        objective=view.objective,
        archive=view.statistics,
        finished=True,
    )


def test_wherever_a_score_is_told_it_is_told_what_it_counts_from() -> None:
    view = small_map()
    words = "(avg_health_diff + 30) / 60"
    assert words in _shown(standing_table("hunter", _standing(view), 1.0))
    assert words in "\n".join(closing_lines("hunter", view.path, _standing(view), 1.0))
    assert any(isinstance(part, str) and words in part for part in map_story(view, colours=False))
    rows = list(csv.DictReader(io.StringIO(curve_csv(view))))
    assert {(row["qd_score_offset"], row["qd_score_scale"]) for row in rows} == {("-30.0", "60.0")}
    told = run_json(view)
    for numbers in (told["statistics"], told["curve"][-1]):
        assert (numbers["qd_score_offset"], numbers["qd_score_scale"]) == (-30.0, 60.0)
    assert "(health difference + 30) / 60" in map_picture([view], "curves", ".svg").decode()
    assert "(health difference + 30) / 60" in answers_of(view)["overview"]["map"]["qd_score_in_words"]


def test_elites_below_the_offset_are_told_wherever_the_score_is() -> None:
    view = small_map()
    objectives = np.sort(view.archive.objectives[view.archive.elites])
    offset = float(objectives[2] + objectives[3]) / 2
    low = replace(view, description=replace(view.description, scoring=replace(view.description.scoring, offset=offset)))
    low.__dict__["digest"] = view.digest  # its file is gone
    assert low.statistics.below_offset == 3
    words = "3 elites are below the offset"
    assert words in _shown(standing_table("hunter", _standing(low), 1.0))
    assert words in "\n".join(closing_lines("hunter", low.path, _standing(low), 1.0))
    assert any(isinstance(part, str) and words in part for part in map_story(low, colours=False))
    assert list(csv.DictReader(io.StringIO(curve_csv(low))))[-1]["below_offset"] == "3"
    assert run_json(low)["statistics"]["below_offset"] == 3
    assert "elites below the offset" in map_picture([low], "curves", ".svg").decode()
    assert words in answers_of(low)["overview"]["map"]["qd_score_in_words"]
    found = low.recheck()
    assert isinstance(found, Recheck)
    assert any("(3 below the offset)" in before for _, before, _ in recheck_rows(found, low.objective))
    with pytest.raises(RunError, match="different offsets"):
        map_picture([view, low], "curves", ".svg")


# ---- evaluations and solutions ---------------------------------------------------------------------------------------


def test_curves_count_evaluations_and_solutions_as_what_they_are(adaptive: RunView) -> None:
    assert adaptive.log.evaluations == 120 > len(adaptive.log)
    rows = list(csv.DictReader(io.StringIO(curve_csv(adaptive))))
    assert [int(row["evaluations"]) for row in rows] == list(range(1, 121))
    firsts = adaptive.log.first_evaluations
    assert [int(row["solutions"]) for row in rows] == [int((firsts < made).sum()) for made in range(1, 121)]
    assert int(rows[-1]["solutions"]) == len(adaptive.log)
    assert curve_of(adaptive, 10).evaluated.tolist() == [12.0 * at for at in range(1, 11)]
    told = run_json(adaptive)
    assert (told["evaluations"], told["solutions"]) == (120, len(adaptive.log))
    table = curve_table(adaptive)
    assert [str(column.header) for column in table.columns][:2] == ["evaluations", "solutions"]
    assert [*table.columns[0].cells][-1] == "120"
    assert [*table.columns[1].cells][-1] == str(len(adaptive.log))
    overview = answers_of(adaptive)["overview"]
    assert (overview["evaluations"], overview["solutions"]) == (120, len(adaptive.log))


def test_where_each_evaluation_is_of_another_solution_they_are_counted_once() -> None:
    assert "solutions" not in [str(column.header) for column in curve_table(small_map()).columns]


# ---- what commands say -----------------------------------------------------------------------------------------------


@pytest.fixture
def deckatlas(deckatlas: CommandLine) -> CommandLine:
    Path("hunters.toml").write_text(HUNTERS)
    return deckatlas


def test_a_recheck_is_told_when_it_is_done_as_it_is_shown_later(deckatlas: CommandLine) -> None:
    quick = ["--set", "search.evaluations=40"]
    _, out, _ = deckatlas("run", "hunters.toml", *quick)
    assert "fresh games" not in out
    _, out, _ = deckatlas("run", "hunters.toml", *quick, "--recheck", "--recheck-games", "6")
    told = out[out.index("all elites on fresh games:") :]
    found = open_run("runs/hunters.db").recheck()
    assert found is not None
    assert re.search(rf"QD score, of the corrected map +{found.before.qd_score:.1f} +{found.after.qd_score:.1f}", told)
    assert f"{found.stayed} of {found.before.elites} elites stay elites, {found.same_cell} in their own cells" in told
    _, shown, _ = deckatlas("show", "hunters")
    assert shown.endswith(told)


def test_the_line_on_what_can_be_exported_has_every_option(deckatlas: CommandLine) -> None:
    deckatlas("run", "hunters.toml", "--set", "search.evaluations=40")
    code, _, errors = deckatlas("export", "hunters")
    assert code == 2
    options = {*export.__annotations__} - {"runs", "store", "return"}
    assert options == {*re.findall(r"--(\w+)", errors)}


def test_cells_out_of_reach_are_told_beside_coverage(deckatlas: CommandLine) -> None:
    cells = 'kind = "grid"\nbinning = "published"\nranges = [[5, 15], [1, 7]]\nresolution = [40, 40]\n'
    others = [line for line in HUNTERS.splitlines() if not re.match("kind = .sliding|resolution|grow_from|remap", line)]
    Path("hunters.toml").write_text("\n".join(others).replace("[archive]\n", f"[archive]\n{cells}"))
    code, out, errors = deckatlas("run", "hunters.toml", "--set", "search.evaluations=40")
    assert (code, errors) == (0, "")
    elites = open_run("runs/hunters.db").statistics.elites
    assert f"coverage {elites / 16:.1f} % ({elites / 13.68:.1f} % of those in reach)" in out
    _, shown, _ = deckatlas("show", "hunters")
    assert re.search(r"cells +in reach +elites", shown)
    assert re.search(rf"40 +1,600 +1,368 +{elites} ", shown)


# ---- void games and plans --------------------------------------------------------------------------------------------


def test_void_games_are_counted_and_told(deckatlas: CommandLine) -> None:
    Path("void.toml").write_text(VOID)
    changes = {
        "space.class": "mage",
        "space.edition": "void.toml",
        "evaluation.pilot": "random:active",
        "search.evaluations": "30",
        "evaluation.games": "4",
    }
    settings = [part for key, value in changes.items() for part in ("--set", f"{key}={value}")]
    assert deckatlas("run", "hunters.toml", *settings)[0] == 0
    view = open_run("runs/hunters.db")
    plain = evaluate(
        [view.code(solution) for solution in view.log.solutions],
        pilot="random:active",
        games=4,
        seed=seed_of(3, "games"),
        edition="void.toml",
    )
    assert view.void_games == plain.voids.sum() > 0
    assert run_json(view)["void_games"] == view.void_games
    assert f"and count as not won: {view.void_games}" in deckatlas("show", "hunters")[1]
    assert answers_of(view)["overview"]["void_games"] == view.void_games
    share = float(next(csv.DictReader(io.StringIO(elites_csv(view))))["void_games"])
    assert share == plain.voids[view.elites()[0].number] / 4


def test_nothing_is_said_of_void_games_where_there_are_none() -> None:
    view = small_map()
    assert view.void_games == 0
    assert not any(isinstance(part, str) and "void" in part for part in map_story(view, colours=False))


def test_plans_are_unknown_of_a_pilot_that_makes_none(tmp_path: Path) -> None:
    assert np.isnan(made(tmp_path, "search.evaluations=30").log.column("strategy_alignment")).all()
    alignment = small_map().log.column("strategy_alignment")
    assert np.isfinite(alignment).all()
    assert (alignment != 0).all()


# ---- what a map costs ------------------------------------------------------------------------------------------------


def test_the_store_of_a_map_of_full_size_is_below_100_megabytes(tmp_path: Path) -> None:
    view = made(tmp_path, recheck=4)
    size = (tmp_path / "hunters.db").stat().st_size  # with all that does not grow
    assert 10_000 * size / view.log.evaluations < 100e6


def test_a_long_map_needs_no_more_memory_than_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = hunters(tmp_path, "search.evaluations=2000", "archive.remap=100")
    run = config.prepare()
    space, columns = HearthstoneDecks("HUNTER"), len(measured(run.evaluator.columns))
    rng = np.random.default_rng(1)

    def instant(self: HearthstoneEvaluator, batch: Batch, **_: object) -> Outcomes:
        nothing = np.ones((1, columns))
        return Outcomes(batch.lengths, rng.integers(-99, 99, (1, columns)).astype(np.float64), nothing, nothing)

    monkeypatch.setattr(HearthstoneEvaluator, "evaluate", instant)
    monkeypatch.setattr("deckatlas.runs.loop._STORE_SECONDS", 0.05)
    monkeypatch.setattr("deckatlas.runs.loop._LOOK_SECONDS", 0.0)
    held: dict[int, int] = {}

    def watch(standing: Standing) -> None:
        held[standing.evaluations] = tracemalloc.get_traced_memory()[0]

    row = space.length * space.dtype.itemsize + 8 * (3 * columns + len(space.columns) + 3)
    tracemalloc.start()
    try:
        execute(config, tmp_path / "hunters.db", watch=watch, threads=1)
    finally:
        tracemalloc.stop()
    early = min(held[at] for at in held if at > 200)
    late = max(held[at] for at in held)
    # The log makes room for 1,024 more rows; an archive and its cells keep little of an individual.
    assert late - early < 1024 * row + 2000 * 300
