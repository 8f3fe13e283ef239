"""The measurements of Legends of Code and Magic for `deckatlas bench`.

Memory and the CPU time of other processes are read with `resource`, which is POSIX only.
"""

import subprocess
import sys

from deckatlas._core import locm as core
from deckatlas.games.game import ReportLine
from deckatlas.games.locm.match import play
from deckatlas.games.locm.state import new_game
from deckatlas.play.match import MatchResult
from deckatlas.play.measurement import REPEATS, Measurement, best_cpu, best_cpu_of_each

MILLION = 1_000_000


def _mirror(entrant: str, games: int, threads: int) -> MatchResult:
    # Seats are not swapped: an entrant against itself would play every game twice.
    return play(entrant, entrant, games=games, seed=1, swap_seats=False, threads=threads)


def _match_speed(name: str, entrant: str, games: int) -> list[Measurement]:
    one, two = best_cpu_of_each(lambda: _mirror(entrant, games, 1), lambda: _mirror(entrant, games, 2))
    result = _mirror(entrant, games, 1)
    prefix = f"locm.{name}"
    return [
        Measurement(f"{prefix}.games_per_cpu_second", f"{entrant}: games per second on one core", games / one),
        Measurement(f"{prefix}.half_turns", f"{entrant}: half-turns per game", float(result["turns"].mean()), 2),
        Measurement(f"{prefix}.decisions", f"{entrant}: decisions per game", float(result["actions"].mean()), 2),
        Measurement(f"{prefix}.two_thread_cost", f"{entrant}: CPU time per game, two threads / one", two / one, 3),
    ]


def _search_speed(name: str, games: int) -> Measurement:
    """The speed of a search agent against itself, with its own draft."""
    speed = games / best_cpu(lambda: _mirror(name, games, 1))
    return Measurement(f"locm.{name}.games_per_cpu_second", f"{name}: games per second on one core", speed)


def _copy_speed() -> list[Measurement]:
    state = new_game(decks=([1] * 30, [2] * 30))
    times = [core.copy_nanoseconds(state, 2_000_000) for _ in range(REPEATS)]
    return [
        Measurement("locm.copy_ns", f"copy a state ({core.STATE_BYTES} bytes), ns", min(t[0] for t in times), 2),
        Measurement(
            "locm.battle_copy_ns", f"copy a battle ({core.BATTLE_BYTES} bytes), ns", min(t[1] for t in times), 2
        ),
    ]


def _import_seconds() -> float:
    """CPU time of a fresh interpreter that imports the package, minus that of one that imports nothing."""
    import resource

    def cpu(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    bare = min(cpu("pass") for _ in range(REPEATS))
    return min(cpu("from deckatlas import locm") for _ in range(REPEATS)) - bare


def _memory_growth() -> float:
    """The growth of peak memory, in MB, from a first million games to a second."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes on macOS, in KiB elsewhere
    peaks = []
    for _ in range(2):
        play("random", "random", games=MILLION)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return (peaks[1] - peaks[0]) * unit / 1e6


def measure(report: ReportLine) -> list[Measurement]:
    """Matches, searches, copies, the import of the package, memory, and searches for draft policies."""
    from deckatlas.games.locm.search_bench import measure_searches  # pydantic is slow to import

    report("random play")
    lines = _match_speed("random", "random/random", 100_000)
    report("greedy play")
    lines += _match_speed("greedy", "random/greedy", 30_000)
    report("searches")
    lines += [_search_speed("coac", 400), _search_speed("rg", 400), _search_speed("planner", 400)]
    report("copies, import, memory")
    lines += _copy_speed()
    lines += [
        Measurement("import_cpu_seconds", "import deckatlas.locm with numpy, CPU seconds", _import_seconds(), 3),
        Measurement("locm.memory_growth_mb", "growth of peak memory over a second million games", _memory_growth(), 1),
    ]
    report("searches of draft policies")
    return lines + measure_searches()
