"""The runs of the soak, what others do with them meanwhile, and what can be told of their files from outside."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

EVOLUTION = """\
budget = 20000
space.kind = "locm-draft"
evaluation.format = "distinct"
search = { algorithm = "E_aw", population = 4, tournament_size = 2, tournament_games = 2, score_games = 2 }
"""
MAP = """\
space = { kind = "hearthstone-deck", class = "hunter" }
evaluation = { pilot = "random", games = 12 }
search = { algorithm = "map-elites", evaluations = 600, initial = 30, window = 8 }
[archive]
kind = "sliding"
measures = ["num_turns", "deck_mana_sum"]
resolution = [6, 6]
grow_from = [2, 2]
remap = 20
"""
DRAFTS = """\
space = { kind = "locm-draft", drafts = 4 }
evaluation = { pilot = "random", games = 4 }
[archive]
kind = "grid"
measures = ["deck_mana_mean", "num_item_cards"]
resolution = [6, 6]
ranges = [[2, 6], [0, 20]]
[search]
algorithm = "cma-me"
objective = "win_rate"
evaluations = 1500
emitters = 3
population = 6
sigma = 0.1
window = 8
"""
SURROGATE = """\
space.kind = "locm-deck"
evaluation = { pilot = "random", games = 4 }
[archive]
kind = "sliding"
measures = ["deck_mana_sum", "num_turns"]
resolution = [5, 5]
grow_from = [2, 2]
remap = 20
[search]
algorithm = "dsa-me"
evaluations = 300
initial = 30
predictions = 20000
inner_initial = 30
candidates = "all"
training = { hidden = [8], epochs = 100 }
"""
RUNS = {"evolution": EVOLUTION, "map": MAP, "drafts": DRAFTS, "surrogate": SURROGATE}
# What readers do with a run, and the file that they write, if any.
READERS = {
    "shown": (["show", "RUN"], ""),
    "listed": (["runs"], ""),
    "checked": (["verify-store", "RUN"], ""),
    "exported": (["export", "RUN", "--json", "OUT"], "run.json"),
    "exported as rows": (["export", "RUN", "--csv", "OUT"], "run.csv"),
}
MAP_READERS = {
    "reported": (["report", "RUN", "-o", "OUT"], "run.html"),
    "plotted": (["plot", "RUN", "-o", "OUT"], "run.svg"),
    "exported as elites": (["export", "RUN", "--elites", "OUT"], "elites.csv"),
}


def named(words: list[str], out: Path, run: str = "run") -> list[str]:
    """The words of a command with its run and its output."""
    return [str(out) if word == "OUT" else run if word == "RUN" else word for word in words]


def stored(path: Path) -> int:
    """How many evaluations are stored, as far as can be told without disturbing the writer."""
    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5)) as connection:
            return int(connection.execute("SELECT count(*) FROM evaluations").fetchone()[0])
    except sqlite3.Error:
        return 0


def is_whole(path: Path) -> bool:
    """Whether an output is complete."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        try:
            json.loads(text)
        except ValueError:
            return False
        return True
    if path.suffix == ".csv":
        return text.endswith("\n")
    return text.rstrip().endswith({".html": "</html>", ".svg": "</svg>"}[path.suffix])
