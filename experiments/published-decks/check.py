"""Holds evaluations under the profile `evostone` against what others measured of the same decks.

    python experiments/published-decks/check.py ../shared/hearthstone --games 200 --seed 1

The folder has `published_rogue_decks.csv.gz` (Rogue decks with the health difference their authors measured over 200
games), `decks.json` (with the network that played them) and `oracle_evaluations/` (evaluations by the authors' program,
run again over fewer games). For each comparison the correlation, bias and root mean square of the differences are
printed and written to `results.csv`, with the difference that chance alone would make: theirs and ours.
"""

import argparse
import csv
import gzip
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from deckatlas.games.hearthstone.cards.decks import Deck, build_deck
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.evaluation import Evaluations, evaluate

EDITION = edition("sabberstone")
# Brightwing, Barrens Stablehand and Pilfer give cards, there from sets that are not here.
DRAW_FROM_OTHER_SETS = {"EX1_182", "EX1_188", "EX1_189"}
STATISTICS = ("avg_health_diff", "num_turns", "hand_size", "damage_done", "cards_drawn", "mana_spent", "mana_wasted")
PUBLISHED_GAMES = 200
RESULT = Path(__file__).with_name("results.csv")

Floats = npt.NDArray[np.float64]
Row = Mapping[str, str]


@dataclass(frozen=True)
class Comparison:
    """How our averages of some decks go with those of others."""

    decks: str
    statistic: str
    count: int
    r: float
    bias: float
    rmse: float
    rmse_by_chance: float | None

    @classmethod
    def of(cls, decks: str, statistic: str, ours: Floats, theirs: Floats, chance: float | None = None) -> "Comparison":
        """Compares values of the same decks."""
        difference = ours - theirs
        r = float(np.corrcoef(ours, theirs)[0, 1])
        rmse = float(np.sqrt(np.mean(difference**2)))
        return cls(decks, statistic, len(ours), r, float(difference.mean()), rmse, chance)


def read_rows(path: Path) -> list[Row]:
    """The rows of a CSV file, plain or gzip."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def decks_of(rows: Iterable[Row], column: str, hero_class: str | None = None) -> list[Deck]:
    """The decks of rows."""
    return [build_deck(row[column].split(), EDITION.by_id, hero_class=hero_class or row["class"]) for row in rows]


def column(rows: Sequence[Row], name: str) -> Floats:
    """A column of numbers."""
    return np.array([float(row[name]) for row in rows])


def compare_published(folder: Path, pilot: str, options: argparse.Namespace) -> list[Comparison]:
    """Our health differences and those their authors published, decks that draw from other sets apart."""
    rows = read_rows(folder / "published_rogue_decks.csv.gz")[: options.decks]
    results = run(decks_of(rows, "deck_card_ids"), pilot, "elite", options)
    theirs = column(rows, "avg_health_difference")
    ours = results["avg_health_diff"]
    apart = np.array([bool(DRAW_FROM_OTHER_SETS & set(row["deck_card_ids"].split())) for row in rows])
    # Their games are as many and spread as ours.
    chance = np.sqrt(ours.error**2 * (1 + options.games / PUBLISHED_GAMES))
    return [
        Comparison.of(
            name, "avg_health_diff", ours.value[here], theirs[here], float(np.sqrt(np.mean(chance[here] ** 2)))
        )
        for name, here in (
            ("published, cards of these sets alone", ~apart),
            ("published, with cards from other sets", apart),
        )
        if here.sum() > 1
    ]


def compare_network(folder: Path, pilot: str, options: argparse.Namespace) -> list[Comparison]:
    """The same kind of decks, evaluated again by the authors' program."""
    rows = read_rows(folder / "oracle_evaluations" / "rogue_network_elite.csv")
    return compare_all("network, elite", rows, run(decks_of(rows, "deck_card_ids", "ROGUE"), pilot, "elite", options))


def compare_random(folder: Path, options: argparse.Namespace) -> list[Comparison]:
    """Random decks of four classes, played with published scores against the starter decks."""
    rows = read_rows(folder / "oracle_evaluations" / "random_decks_starter.csv")
    found = []
    for score in ("Aggro", "Control"):
        played = [row for row in rows if row["strategy"] == score]
        results = run(decks_of(played, "deck"), f"planner:score={score.lower()}", "starter", options)
        found += compare_all(f"random, {score.lower()}, starter", played, results)
    return found


def compare_all(name: str, rows: Sequence[Row], results: Evaluations) -> list[Comparison]:
    """All statistics; chance is known of the health difference alone, whose spread was noted."""
    games = len(results.course)
    chance = column(rows, "sd_health_diff") ** 2 / column(rows, "games") + results["avg_health_diff"].error ** 2
    found = []
    for statistic in STATISTICS:
        known = float(np.sqrt(chance.mean())) if statistic == "avg_health_diff" and games > 1 else None
        found.append(Comparison.of(name, statistic, results[statistic].value, column(rows, statistic), known))
    return found


def run(decks: Sequence[Deck], pilot: str, suite: str, options: argparse.Namespace) -> Evaluations:
    """Evaluates decks as the published program did."""
    return evaluate(
        decks,
        pilot=pilot,
        suite=suite,
        games=options.games,
        seed=options.seed,
        profile="evostone",
        edition=EDITION,
        threads=options.threads,
    )


def main() -> None:
    """Compares everything, prints it and writes it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder of the reference files")
    parser.add_argument("--games", type=int, default=200, help="games of each deck")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decks", type=int, default=None, help="how many of the published decks; all if not given")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--result", type=Path, default=RESULT, help="where the comparisons are written")
    options = parser.parse_args()
    start = time.process_time()
    with TemporaryDirectory() as made:
        network = Path(made) / "network.json"
        player = json.loads((options.folder / "decks.json").read_text(encoding="utf-8"))["player"]["miracle_rogue_nn"]
        network.write_text(json.dumps(player), encoding="utf-8")
        pilot = f"planner:net={network}"
        found = compare_published(options.folder, pilot, options)
        found += compare_network(options.folder, pilot, options)
    found += compare_random(options.folder, options)
    with options.result.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("decks", "statistic", "count", "r", "bias", "rmse", "rmse_by_chance"))
        for each in found:
            numbers = (each.r, each.bias, each.rmse, each.rmse_by_chance)
            shown = ["" if number is None else f"{number:.4f}" for number in numbers]
            writer.writerow((each.decks, each.statistic, each.count, *shown))
            print(f"{each.decks:40} {each.statistic:16} {each.count:4}", *(f"{number or '-':>8}" for number in shown))
    print(f"{time.process_time() - start:.0f} seconds of CPU time")


if __name__ == "__main__":
    main()
