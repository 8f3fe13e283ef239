"""The speed of searches, for `deckatlas bench`."""

import time

from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, attributes, curve, priorities
from deckatlas.play.limits import available_threads
from deckatlas.play.measurement import Measurement
from deckatlas.search.active_genes import EAW
from deckatlas.search.card_values import CardValues
from deckatlas.search.dbga import Dbga
from deckatlas.search.options import MatchupOptions

MILLION = 1_000_000
DBGA_GAMES = 50 * 51 * 50  # the games of DBGA-A in its paper
DBGA_SAMPLE = 5_000  # the games that are measured


def _search(options: MatchupOptions, arena: LocmMatchups, budget: int) -> tuple[int, float, float]:
    """Runs a search; returns its games, seconds and CPU seconds."""
    space = arena.space
    assert isinstance(space, LocmDrafts)
    search = options.make(space=space.genomes, budget=budget, seed=1, world=space)
    games = 0
    wall, cpu = time.perf_counter(), time.process_time()
    while (batch := search.ask()) is not None:
        search.tell(arena.evaluate(batch, threads=available_threads()))
        games += batch.games
    return games, time.perf_counter() - wall, time.process_time() - cpu


def measure_searches() -> list[Measurement]:
    """Whole searches as the papers ran them, on all cores; DBGA-A is measured over its first generations."""
    measurements = []
    for key, options, space in (("e_aw", EAW(), priorities()), ("card_values", CardValues(), curve())):
        arena = LocmMatchups(LocmDrafts(space, format="distinct"), format="distinct")
        games, wall, cpu = _search(options, arena, MILLION)
        label = f"{options.algorithm} with the random player, {games:,} games"
        measurements += [
            Measurement(f"search.{key}.seconds", f"{label}: seconds on {available_threads()} cores", wall, 1),
            Measurement(f"search.{key}.cpu_seconds", f"{label}: CPU seconds", cpu, 1),
        ]
    games, wall, _ = _search(
        Dbga(), LocmMatchups(LocmDrafts(attributes()), pilot="coac", opponents=["coac"]), DBGA_SAMPLE
    )
    minutes = wall / games * DBGA_GAMES / 60
    label = f"DBGA-A against Coac, {DBGA_GAMES:,} games at the speed of {games:,}: minutes"
    return [*measurements, Measurement("search.dbga_a.minutes", label, minutes, 1)]
