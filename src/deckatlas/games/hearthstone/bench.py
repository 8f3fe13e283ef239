"""The measurements of Hearthstone for `deckatlas bench`."""

import subprocess
import sys
from functools import partial
from itertools import combinations

import numpy as np

from deckatlas._core import hearthstone as core
from deckatlas._core import network
from deckatlas.games.game import ReportLine
from deckatlas.games.hearthstone.agents import FEATURES
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, Deck, random_deck
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.cards.library import field_decks
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.decisions import PLANNER_DEPTH, PLANNER_WIDTH
from deckatlas.games.hearthstone.evaluation import Evaluations, evaluate
from deckatlas.games.hearthstone.match import play
from deckatlas.games.hearthstone.pilots import Pilot, PilotLike
from deckatlas.games.hearthstone.profiles import EVOSTONE
from deckatlas.games.hearthstone.setup import new_game
from deckatlas.games.hearthstone.suites import suite_of
from deckatlas.play.measurement import REPEATS, Measurement, best_cpu, best_cpu_of_each

_DECKS = 500
_PILOTS = ("default", "fast", "search")
_FIELD_EDITION = "classic-2014"
# Of the features, for the network of the bench.
_SCORE = {
    "HeroHp": 1,
    "OpHeroHp": -1,
    "HandCnt": 1,
    "MinionTotAtk": 1,
    "OpMinionTotAtk": -1,
    "MinionTotHealth": 1,
    "OpMinionTotHealth": -1,
}
_COMPILE = """
import time
start = time.process_time()
from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.cards.editions import edition
core.CardSet(edition().compiled.for_core)
print(time.process_time() - start)
"""


def random_decks(count: int, seed: int) -> list[Deck]:
    """Random legal decks of random classes, from the default edition and pool."""
    rng = np.random.default_rng(seed)
    cards = edition()
    pools = {name: [card.id for card in pool(cards, name.lower())] for name in HERO_CLASSES}
    classes = rng.choice(HERO_CLASSES, count)
    return [random_deck(str(name), pools[str(name)], cards.by_id, rng) for name in classes]


def measure_hearthstone(games: int = 20_000) -> list[Measurement]:
    """Random play with random decks, copies of states, and the time to compile cards."""
    decks = (random_decks(_DECKS, 1), random_decks(_DECKS, 2))

    def match() -> tuple[float, float, int]:
        # Seats are not swapped: an agent against itself would play every game twice.
        result = play("random", "random", decks=decks, games=games, seed=1, swap_seats=False, threads=1)
        return float(result["turns"].mean()), float(result["actions"].mean()), result.voids

    speed = games / best_cpu(
        match, repeats=3 * REPEATS
    )  # over ten seconds: a core's clock can be slow for some seconds
    turns, actions, voids = match()
    state = new_game(decks[0][0], decks[1][0])
    copy = min(core.copy_nanoseconds(state, 1_000_000) for _ in range(REPEATS))
    prefix = "hearthstone.random"
    return [
        Measurement(f"{prefix}.games_per_cpu_second", "Hearthstone, random: games per second on one core", speed),
        Measurement(f"{prefix}.half_turns", "Hearthstone, random: half-turns per game", turns, 2),
        Measurement(f"{prefix}.actions", "Hearthstone, random: actions per game", actions, 2),
        Measurement(
            f"{prefix}.action_ns", "Hearthstone, random: choose and apply an action, ns", 1e9 / speed / actions
        ),
        Measurement(f"{prefix}.void_games", "Hearthstone, random: void games", voids),
        Measurement("hearthstone.copy_ns", "Hearthstone: copy a state, ns", copy, 2),
        Measurement("hearthstone.state_bytes", "Hearthstone: size of a state, bytes", core.STATE_BYTES),
        Measurement(
            "hearthstone.cards_compile_seconds", "Hearthstone: load and compile all cards, CPU seconds", _compile(), 3
        ),
    ]


def _elite_games(games: int, threads: int) -> tuple[int, int]:
    """Plays the six elite decks against each other, each with its own score; returns the games and nodes."""
    nodes = 0
    pairs = list(combinations(suite_of("elite", edition()).opponents, 2))
    for a, b in pairs:
        pilots = EVOSTONE.pilot(a.pilot), EVOSTONE.pilot(b.pilot)
        result = play(*pilots, decks=(a.deck, b.deck), games=games, seed=1, threads=threads)
        nodes += int(result["nodes"].sum())
    return len(pairs) * games, nodes


def measure_planner(games: int = 100) -> list[Measurement]:
    """The papers' planner, with `games` games per pair of elite decks."""
    one, two = best_cpu_of_each(lambda: _elite_games(games, 1), lambda: _elite_games(games, 2))
    played, nodes = _elite_games(games, 1)
    prefix, name = "hearthstone.planner", "Hearthstone, planner"
    return [
        Measurement(f"{prefix}.games_per_cpu_second", f"{name}: games per second on one core", played / one),
        Measurement(f"{prefix}.nodes_per_cpu_second", f"{name}: nodes per second on one core", nodes / one),
        Measurement(f"{prefix}.nodes", f"{name}: nodes per game", nodes / played),
        Measurement(f"{prefix}.two_thread_cost", f"{name}: CPU time per game, two threads / one", two / one, 3),
    ]


def _network_pilot() -> Pilot:
    """The planner with a network of the published size that behaves much like a sum of health, attack and cards.

    The neurons of the first layer differ in their scale, and the sums are small enough for tanh to be almost linear.
    """
    size = len(FEATURES)
    score = np.zeros((size, 1))
    for name, weight in _SCORE.items():
        score[FEATURES.index(name)] = weight
    scales = np.linspace(0.01, 0.03, 5)
    layers = [(score * scales, np.zeros(5)), (np.full((5, 4), 0.2), np.zeros(4)), (np.full((4, 1), 0.25), np.zeros(1))]
    rating = core.Rating.network(network(layers, "tanh", "tanh"))
    agent = core.planner_agent(
        rating,
        width=PLANNER_WIDTH,
        depth=PLANNER_DEPTH,
        information=core.Information[EVOSTONE.information],
        replan=EVOSTONE.replan,
    )
    return Pilot("network", agent)


def measure_network_planner(games: int = 600) -> list[Measurement]:
    """Evaluations of a Rogue deck against the elite decks: with a network, then with a published score."""

    def evaluation(pilot: PilotLike) -> Evaluations:
        return evaluate(
            "Classic Miracle Rogue",
            pilot=pilot,
            suite="elite",
            games=games,
            profile=EVOSTONE,
            edition="sabberstone",
            threads=1,
        )

    by_network, score = _network_pilot(), "planner:score=control"
    network_cpu, score_cpu = best_cpu_of_each(lambda: evaluation(by_network), lambda: evaluation(score))
    return [
        Measurement(
            "hearthstone.network_planner.games_per_cpu_second",
            "Hearthstone, planner with a network, one deck: games per second on one core",
            games / network_cpu,
        ),
        Measurement(
            "hearthstone.score_planner.games_per_cpu_second",
            "Hearthstone, planner with a score, the same deck: games per second on one core",
            games / score_cpu,
        ),
    ]


def _field_games(pilot: str, games: int) -> None:
    """Plays each list of the Classic field against the next one, with the same pilot on both sides."""
    lists = [each.deck for each in field_decks()]
    for decks in zip(lists, [*lists[1:], lists[0]], strict=True):
        play(pilot, pilot, decks=decks, edition=_FIELD_EDITION, games=games, seed=1, threads=1)


def measure_pilots(games: int = 20) -> list[Measurement]:
    """The pilots `default`, `fast` and `search`, with `games` games per pair of lists."""
    best = best_cpu_of_each(*(partial(_field_games, pilot, games) for pilot in _PILOTS))
    played = len(field_decks()) * games
    return [
        Measurement(
            f"hearthstone.{pilot}_pilot.games_per_cpu_second",
            f"Hearthstone, {pilot}, lists of the Classic field: games per second on one core",
            played / cpu,
        )
        for pilot, cpu in zip(_PILOTS, best, strict=True)
    ]


def _compile() -> float:
    """CPU seconds of a fresh interpreter from the import of the card modules to compiled cards."""
    return min(
        float(subprocess.run([sys.executable, "-c", _COMPILE], check=True, capture_output=True, text=True).stdout)
        for _ in range(REPEATS)
    )


def measure(report: ReportLine) -> list[Measurement]:
    """Random play, the planner, the pilots, maps of decks, and a search with a surrogate."""
    from deckatlas.games.hearthstone.loop_bench import measure_loop  # pydantic is slow to import
    from deckatlas.games.hearthstone.map_bench import measure_maps
    from deckatlas.games.hearthstone.trial_bench import measure_default_map, measure_trial

    report("Hearthstone")
    lines = [*measure_hearthstone(), *measure_planner(), *measure_network_planner(), *measure_pilots()]
    report("maps")
    lines += measure_maps()
    report("the loop of runs")
    lines += measure_loop()
    report("searches with a surrogate")
    return [*lines, measure_trial(), measure_default_map()]
