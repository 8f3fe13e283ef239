"""`deckatlas demo locm`: two searches for a draft policy, and the gauntlet they win, in about a minute."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.cli.common import out, progress_bar
from deckatlas.cli.gauntlet import print_gauntlet
from deckatlas.cli.run import live_view
from deckatlas.games.locm.agents import battle_agent
from deckatlas.games.locm.entrants import Entrant
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts
from deckatlas.play.limits import available_threads
from deckatlas.runs.store import open_store
from deckatlas.search.batches import Course, matchups
from deckatlas.search.protocol import Genomes
from deckatlas.views.chart import Points, chart

PILOT = "greedy"
GAMES = 2_000_000  # per search
SEARCHES: dict[str, dict[str, object]] = {
    "card-values": {
        "space": {"kind": "locm-draft", "genome": {"kind": "curve"}},
        "search": {"algorithm": "card-values", "rounds": 30},
    },
    "E_aw": {"space": {"kind": "locm-draft"}, "search": {"algorithm": "E_aw"}},
}
OTHERS = ("coac-first", "icebox", "closetai", "chad-first", "random")
LOOKS = 16  # generations per search that are tested on fresh drafts
LOOK_SEEDS = 4000
GAUNTLET_GAMES = 20_000


def draft_demo() -> None:
    """Evolves draft policies for Legends of Code and Magic; shows their learning curves and the gauntlet they win."""
    out.print(
        f"Legends of Code and Magic 1.2: two searches for a way to draft, {GAMES:,} games each, "
        f"played by the battle agent '{PILOT}'\n",
        markup=False,
        soft_wrap=True,
    )
    curves: dict[str, Points] = {}
    entrants: list[Entrant | str] = [f"{draft}/{PILOT}" for draft in OTHERS]
    for name, search in SEARCHES.items():
        curves[name], policy = _evolve(name, search)
        entrants.append(Entrant(f"{name}/{PILOT}", policy, battle_agent(PILOT)))
    out.print(f"games won against Coac's first list ({OTHERS[0]}) on fresh drafts, by games learned from:\n")
    out.print("\n".join(chart(curves, unit="games")), markup=False)
    out.print()
    pairs = len(entrants) * (len(entrants) - 1) // 2
    with progress_bar("gauntlet", pairs * GAUNTLET_GAMES) as progress:
        result = locm.gauntlet(entrants, games=GAUNTLET_GAMES, seed=1, progress=progress)
    print_gauntlet(result)
    out.print("\nOne game between the two strongest agents:\n")
    out.print(locm.narrate(locm.play_one("planner", "coac", seed=7)), markup=False, soft_wrap=True)


def _evolve(name: str, search: dict[str, object]) -> tuple[Points, core.DraftPolicy]:
    """Runs a search; returns its curve, and the best policy it found."""
    from deckatlas.games.locm.run_config import LocmDraftRun  # pydantic is slow to import
    from deckatlas.runs.loop import execute

    tables = {"evaluation": {"pilot": PILOT, "opponents": ()}, "name": name, "seed": 1, "budget": GAMES}
    config = LocmDraftRun.model_validate({**search, **tables})
    with TemporaryDirectory() as folder:
        path = Path(folder) / "run.db"
        with live_view(name) as watch:
            execute(config, path, watch=watch)
        with open_store(path) as store:
            generations = store.generations()
            looks = np.unique(np.linspace(0, len(generations) - 1, LOOKS).round().astype(int))
            bests = np.stack([store.population(generations[look].number)[0][0] for look in looks])
    games = [float(generations[look].games) for look in looks]
    space = config.make_space()
    points = list(zip(games, _rates(space, bests), strict=True))
    return points, space.policy(bests[-1])


def _rates(space: LocmDrafts, genomes: Genomes) -> list[float]:
    """The percentage of games that each genome wins against the opponent, one game per seat and seed."""
    seeds = np.random.default_rng(2).integers(0, 2**64, LOOK_SEEDS, dtype=np.uint64)
    own, others = np.arange(len(genomes), dtype=np.int32), np.full(len(genomes), -1, dtype=np.int32)
    first, second = np.concatenate([own, others]), np.concatenate([others, own])
    evaluator = LocmMatchups(space, pilot=PILOT, opponents=[f"{OTHERS[0]}/{PILOT}"])
    batch = matchups(genomes, (Course(seeds, seeds),), first, second, np.zeros(len(first), dtype=np.int32))
    with progress_bar("fresh drafts", batch.games) as progress:
        played = evaluator.evaluate(batch, threads=available_threads(), progress=progress)
    moving_first, moving_second = np.split(played.total[:, 0], 2)
    return [float(rate) for rate in 50 * (moving_first + LOOK_SEEDS - moving_second) / LOOK_SEEDS]
