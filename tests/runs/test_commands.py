"""The commands about runs, in this process and as the program people run: terminals, full disks, exports."""

import csv
import io
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from deckatlas import locm
from deckatlas.runs.loop import Standing, execute
from deckatlas.runs.read_config import read_config
from deckatlas.runs.store import open_store
from deckatlas.views.terminal import standing_table
from helpers.command_line import PROGRAM, CommandLine, Terminal, environment
from helpers.runs import digest_of, write_config

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

ESCAPE = "\x1b"

# The program, but it stores everything at once.
STORES_ALWAYS = """
import sys
from deckatlas.cli.main import run
from deckatlas.runs import loop

loop._STORE_SECONDS = 0.0
sys.argv = ["deckatlas", *sys.argv[1:]]
run()
"""


def unbroken(folder: Path, *settings: str) -> str:
    """The digest of a run that nothing interrupts."""
    path = folder / "elsewhere" / "evolution.db"
    execute(read_config(write_config(folder), settings=settings), path)
    return digest_of(path)


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Starts the program in a folder, without a terminal."""
    return subprocess.Popen(
        [PROGRAM, *arguments],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


# ---- full disks ------------------------------------------------------------------------------------------------------


def test_a_disk_that_takes_no_more_ends_a_run_with_one_line(tmp_path: Path, deckatlas: CommandLine) -> None:
    expected = unbroken(tmp_path)
    ended = subprocess.run(
        [sys.executable, "-c", STORES_ALWAYS, "run", "evolution.toml"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (2, "", 1)
    assert ended.stderr.startswith(
        "deckatlas: runs/evolution.db cannot be written or read (disk I/O error), maybe for "
    )
    with open_store(tmp_path / "runs" / "evolution.db") as store:
        assert 0 < store.progress().games < 792
    assert deckatlas("run", "evolution.toml")[0] == 0
    assert digest_of(tmp_path / "runs" / "evolution.db") == expected


def test_a_file_system_that_is_full_ends_a_run_with_one_line(tmp_path: Path) -> None:
    expected = unbroken(tmp_path)
    program = shlex.quote(str(PROGRAM))
    script = (
        f"mkdir runs && mount -t tmpfs -o size=100k none runs || exit 77; {program} run evolution.toml; echo $?; "
        f"mount -o remount,size=20m runs; {program} run evolution.toml > out; {program} show evolution --digest"
    )
    if shutil.which("unshare") is None:
        pytest.skip("no unshare, so no file system of our own")
    ended = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    if ended.returncode != 0:
        pytest.skip(f"no file system of our own: {ended.stderr}")
    told = "the disk is full: runs/evolution.db has everything up to its last commit; free some space, then resume it"
    assert (ended.stdout, ended.stderr) == (f"2\n{expected}\n", f"deckatlas: {told}\n")


# ---- what is printed -------------------------------------------------------------------------------------------------


def test_without_a_terminal_only_the_closing_lines_are_printed(tmp_path: Path) -> None:
    write_config(tmp_path)
    process = start(tmp_path, "run", "evolution.toml", "--smoke", "--store", "elsewhere")
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
    first, second, third = out.splitlines()
    assert re.fullmatch(
        r"evolution-smoke: finished after [\d,]+ evaluations, [\d,]+ games \([\d,]+ of them now, [\d,]+ per second\)",
        first,
    )
    assert re.fullmatch(r"generation \d+, best \d+\.\d\d", second)
    assert third == "stored in elsewhere/evolution-smoke.db"
    assert ESCAPE not in out


@pytest.mark.parametrize(("settings", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_shows_how_the_run_stands_in_colours_or_without(
    tmp_path: Path, settings: dict[str, str], coloured: bool
) -> None:
    file = write_config(tmp_path)
    terminal = Terminal()
    process = terminal.start("run", str(file), "--store", str(tmp_path), **settings)
    terminal.read_all()
    assert process.wait(timeout=60) == 0
    shown = terminal.shown.decode()
    plain = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", shown)
    for heading in ("generation", "best", "games", "games/s", "time left"):
        assert heading in plain
    assert re.search(r"evolution +\d+ +\d+\.\d\d +[\d,]+ of 792 +[\d,]+ +\d:\d\d:\d\d", plain)
    assert bool(re.search(r"\x1b\[(?:\d+;)*3[0-7]m", shown)) == coloured


def test_the_time_left_is_that_of_the_search_with_a_budget_or_without() -> None:
    def cells(standing: Standing) -> list[str]:
        return [str(next(iter(column.cells))) for column in standing_table("x", standing, 10.0).columns]

    assert cells(Standing(planned=500, stored=100, games=200, generation=3, best=51.0)) == [
        "x", "3", "51.00", "200 of 500", "10", "0:00:30"
    ]  # fmt: skip
    assert cells(Standing(planned=500)) == ["x", "", "0 of 500", "0", ""]


def test_a_run_is_shown_in_full(deckatlas: CommandLine, tmp_path: Path) -> None:
    write_config(tmp_path)
    assert deckatlas("run", "evolution.toml")[0] == 0
    code, out, errors = deckatlas("show", "evolution")
    assert (code, errors) == (0, "")
    assert out.startswith(
        "evolution: E_aw, finished, 792 of 792 games\ndraft policies (priorities) of Legends of Code and Magic, "
    )
    assert "\nstored in runs/evolution.db, started " in out
    for line in ("seed = 5", "search.population = 4", "search.parent_weight = 0.75", "evaluation.format = 'distinct'"):
        assert f"  {line}\n" in out
    with open_store(tmp_path / "runs" / "evolution.db") as store:
        rows = store.generations()
        genomes, scores = store.population(rows[-1].number)
    above, below = out.split("best of generation")
    table = [line.split() for line in above.splitlines() if re.match(r" +\d+ ", line)]
    expected = [f"{value:.2f}" for value in (rows[-1].best, rows[-1].mean, rows[-1].facts["bests"])]
    assert table[0][:2] == ["0", f"{rows[0].games:,}"]
    assert table[-1][:5] == [str(rows[-1].number), "792", *expected]
    assert len(table) == 12
    best = np.argsort(-genomes[0])[:10]
    assert [" ".join(line.split()[1:]) for line in below.splitlines()[1:]] == [str(locm.cards()[card]) for card in best]
    assert f"best of generation {rows[-1].number}, rated {scores[0]:.2f}:" in out
    assert deckatlas("show", "runs/evolution.db") == (code, out, errors)


def test_attribute_genomes_are_told_in_words(deckatlas: CommandLine, tmp_path: Path) -> None:
    for kind, words in (("attributes", "  weights: attack "), ("attribute-pattern", "  wanted: ")):
        write_config(
            tmp_path,
            f"space = {{ kind = 'locm-draft', genome.kind = '{kind}' }}\n[search]\nalgorithm = 'R_t'\n",
            name=kind,
        )
        assert deckatlas("run", f"{kind}.toml", "--smoke")[0] == 0
        assert words in deckatlas("show", f"{kind}-smoke")[1]


def test_runs_lists_what_is_there(deckatlas: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert deckatlas("runs") == (0, "there are no runs in runs\n", "")
    write_config(tmp_path)
    monkeypatch.setenv("DECKATLAS_RUNS", str(tmp_path / "store"))
    for name in ("one", "two"):
        assert deckatlas("run", "evolution.toml", "--smoke", "--name", name)[0] == 0
    (tmp_path / "store" / "two.db").write_bytes(b"SQLite format 3\0 and no more")
    code, out, errors = deckatlas("runs")
    assert (code, errors) == (0, "")
    assert re.search(r"one +E_aw +finished +generation \d+ +[\d,]+ of 792 +\d+\.\d\d +\d{4}-\d\d-\d\d \d\d:\d\d", out)
    assert re.search(r"two +unreadable", out)
    assert f"{tmp_path / 'store' / 'two.db'} is not the store of a run, or it is damaged" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "missing.toml"], "cannot read missing.toml: No such file or directory"),
        (["run", "evolution.toml", "--set", "search.x=1"], "--set search.x=1: unknown key 'x' in [search]: known: "),
        (["run", "evolution.toml", "--threads", "0"], "threads must be a whole number from 1 to 1024, not 0"),
        (["run", "wrong.toml"], "wrong.toml, line 2: unknown key 'sed': did you mean 'seed'?"),
        (["run", "evolution.toml", "--seed", "9"], "runs/evolution.db holds another run, with seed = 5 instead of "),
        (["show", "evolutoin"], "there is no run 'evolutoin' in runs: did you mean 'evolution'?"),
        (["show", "evolution.toml"], "evolution.toml is not the store of a run, or it is damaged"),
        (
            ["export", "evolution"],
            "say what to export: --csv, --json, --policy, --mean, --model, --elites, --cards, --frame, --candidates",
        ),
        (["export", "evolution", "--csv", "-", "--json", "-"], "each export needs its own file"),
        (["export", "evolution", "--csv", "no/such"], "cannot write no/such: No such file or directory"),
        (["export", "evolution", "--figure", "x.xyz"], "a figure's file ends in .png, .svg or .pdf, not '.xyz'"),
        (["export", "evolution", "--figure", "-"], "a figure's file ends in .png, .svg or .pdf, not ''"),
        (["runs", "--store", "evolution.toml"], "evolution.toml is not a folder of runs"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    deckatlas: CommandLine, tmp_path: Path, arguments: list[str], message: str
) -> None:
    write_config(tmp_path)
    write_config(tmp_path, "space.kind = 'locm-draft'\nsed = 1\n", name="wrong")
    deckatlas("run", "evolution.toml", "--smoke", "--name", "evolution")
    before = sorted(tmp_path.rglob("*"))
    code, out, errors = deckatlas(*arguments)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert errors.startswith(f"deckatlas: {message}")
    assert sorted(tmp_path.rglob("*")) == before


# ---- exports ---------------------------------------------------------------------------------------------------------


def test_a_run_is_exported_as_csv_json_policy_and_figure(deckatlas: CommandLine, tmp_path: Path) -> None:
    write_config(tmp_path)
    assert deckatlas("run", "evolution.toml", "--smoke")[0] == 0
    files = ["--csv", "a.csv", "--json", "a.json", "--policy", "a.policy", "--figure", "a.png"]
    assert deckatlas("export", "evolution-smoke", *files) == (0, "", "")
    with open_store(tmp_path / "runs" / "evolution-smoke.db") as store:
        rows = store.generations()
        populations = [store.population(row.number) for row in rows]
    table = list(csv.DictReader(io.StringIO((tmp_path / "a.csv").read_text(encoding="utf-8"))))
    assert list(table[0]) == ["generation", "games", "best", "population_mean", "bests", "active"]
    assert [float(row["best"]) for row in table] == [row.best for row in rows]
    assert [int(row["games"]) for row in table] == [row.games for row in rows]
    assert [row["active"] for row in table[:2]] == ["", str(rows[1].facts["active"])]
    data = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert data["digest"] == digest_of(tmp_path / "runs" / "evolution-smoke.db")
    for generation, (genomes, scores) in zip(data["generations"], populations, strict=True):
        assert [individual["genome"] for individual in generation["population"]] == genomes.tolist()
        assert [individual["score"] for individual in generation["population"]] == scores.tolist()
    best = populations[-1][0][0]
    by_file = locm.play(f"genome:file={tmp_path / 'a.policy'}/greedy", "random/greedy", games=20, seed=1)
    by_hand = locm.play((best, "greedy"), "random/greedy", games=20, seed=1)
    assert np.array_equal(by_file["final_hash"], by_hand["final_hash"])
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    policy = (tmp_path / "a.policy").read_text(encoding="utf-8")
    assert deckatlas("export", "evolution-smoke", "--policy", "-") == (0, policy, "")
    assert not (tmp_path / "-").exists()


def test_a_figure_without_matplotlib_is_one_line(
    deckatlas: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_config(tmp_path)
    assert deckatlas("run", "evolution.toml", "--smoke")[0] == 0
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    told = "figures need matplotlib: pip install 'deckatlas[plot]'"
    assert deckatlas("export", "evolution-smoke", "--figure", "a.png") == (2, "", f"deckatlas: {told}\n")
    assert not (tmp_path / "a.png").exists()


def test_a_run_without_a_generation_has_no_policy_yet(deckatlas: CommandLine, tmp_path: Path) -> None:
    text = "budget = 792\nspace.kind = 'locm-draft'\n[search]\nalgorithm = 'R_t'\n"
    config = read_config(write_config(tmp_path, text), settings=["search.population=4", "search.score_games=2"])

    def stop(standing: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        execute(config, tmp_path / "runs" / "evolution.db", watch=stop)
    told = "deckatlas: runs/evolution.db has no generation yet\n"
    assert deckatlas("export", "evolution", "--policy", "a") == (2, "", told)
    assert deckatlas("show", "evolution")[1].startswith("evolution: R_t, stopped, 0 of 792 games\n")


def test_programs_that_do_not_need_them_load_neither_pydantic_nor_matplotlib() -> None:
    code = "import sys; from deckatlas.cli.main import make_app; make_app(); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60, env=os.environ
    ).stdout.split()
    assert "deckatlas.cli.run" in loaded
    assert not {"pydantic", "matplotlib"} & set(loaded)
