"""A map of decks with a new card that has no dbf id, the example of docs/cards.md, from its run to its pictures."""

import csv
import json
import re
from pathlib import Path

import pytest

from deckatlas import hearthstone
from deckatlas.hearthstone import Deck, RunView
from helpers.command_line import CommandLine
from helpers.reports import answers_in, needs_page

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")

CARDS = Path(__file__).parents[2] / "docs" / "cards.md"
NEW = "MINE_1"

# The opponents and the pilots have the new card, too.
DECK = str(hearthstone.named_decks()["Starter Hunter"]).replace("CS2_119", NEW)

SUITE = f"""\
[[opponent]]
deck = "{DECK}"
pilot = "random"
"""

MAP = """\
name = "callers"

[space]
kind = "hearthstone-deck"
class = "hunter"
edition = "quieter.toml"

[evaluation]
pilot = "random"
games = 4
suite = "suite.toml"

[archive]
kind = "sliding"
measures = ["deck_mana_sum", "num_turns"]
resolution = [3, 3]

[search]
algorithm = "map-elites"
evaluations = 40
initial = 40
"""

PILOTS = f"""\
name = "pilots"

[space]
kind = "hearthstone-pilot"
edition = "quieter.toml"
deck = "{DECK}"
hidden = []

[evaluation]
games = 2

[search]
algorithm = "map-elites"
evaluations = 4
initial = 4

[archive]
kind = "grid"
measures = ["num_turns"]
resolution = [3]
ranges = [[5, 15]]
"""


def example() -> str:
    """The patch of the document."""
    found = re.search(r"```toml\n(name = \"quieter\"\n.*?)```", CARDS.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def deckatlas(deckatlas: CommandLine) -> CommandLine:
    Path("quieter.toml").write_text(example(), encoding="utf-8")
    Path("suite.toml").write_text(SUITE, encoding="utf-8")
    Path("callers.toml").write_text(MAP, encoding="utf-8")
    return deckatlas


def finished_map(deckatlas: CommandLine) -> RunView:
    """The first map, by seed, whose best deck has the new card."""
    for seed in range(40):
        code, _, errors = deckatlas("run", "callers.toml", "--set", f"seed={seed}", "--set", f'name="callers-{seed}"')
        assert (code, errors) == (0, "")
        view = hearthstone.open_run(Path(f"runs/callers-{seed}.db"))
        if NEW in view.code(view.elites()[0]):
            return view
    raise AssertionError("no best deck has the new card")


@needs_page
def test_a_map_with_a_new_card_is_run_shown_reported_exported_and_drawn(deckatlas: CommandLine) -> None:
    view = finished_map(deckatlas)
    best = view.code(view.elites()[0])
    code, out, errors = deckatlas("show", view.name)
    assert (code, errors) == (0, "")
    assert best in out
    for what in ("map", "cells", "elites", "density"):
        assert deckatlas("plot", view.name, "-o", f"{what}.svg", "--what", what) == (0, "", "")
    assert deckatlas("report", view.name, "-o", "map.html") == (0, "", "")
    assert answers_in(Path("map.html").read_text("utf-8"))[f"decks/{view.elites()[0].number}"]["code"] == best
    exports = ["--elites", "elites.csv", "--csv", "map.csv", "--json", "map.json", "--frame", "frame.csv"]
    assert deckatlas("export", view.name, *exports, "--suite", "best.toml") == (0, "", "")
    assert best in json.dumps(json.loads(Path("map.json").read_text("utf-8")))
    with Path("elites.csv").open(encoding="utf-8", newline="") as file:
        assert [row["code"] for row in csv.DictReader(file)] == [view.code(elite) for elite in view.elites()]


def test_what_stands_for_a_code_is_read_back_by_all_commands(deckatlas: CommandLine) -> None:
    view = finished_map(deckatlas)
    elite = view.elites()[0]
    text = view.code(elite)
    with_patch = ("--edition", "quieter.toml")
    copies = [line.copies for line in view.deck_list(elite) if line.name == "Yeti Caller"]
    assert [count for card, count in Deck.parse(text).cards if card == NEW] == copies
    code, out, errors = deckatlas("deck", text, *with_patch)
    assert (code, errors) == (0, "")
    assert re.search(rf"{copies[0]} +6 +Yeti Caller +3/4 +Battlecry: Summon a 4/5", out)
    assert re.search(r"^quieter +legal$", out, re.MULTILINE)
    few = ("--pilot", "random", "--games", "4")
    assert deckatlas("evaluate", text, *few, *with_patch)[0] == 0
    both = (f"{text}/random", "Starter Mage/random")
    assert deckatlas("gauntlet", "hearthstone", *both, "--games", "2", *with_patch)[0] == 0
    decks_of_match = ("--deck-a", text, "--deck-b", "Starter Mage")
    assert deckatlas("play", "hearthstone", "random", "random", *decks_of_match, "--games", "2", *with_patch)[0] == 0
    deckatlas("export", view.name, "--elites", "elites.csv", "--suite", "best.toml")
    files = ("--decks", "elites.csv", "--suite", "best.toml", "--json", "-")
    code, out, _ = deckatlas("evaluate", *files, *few, *with_patch)
    assert code == 0
    decks = [Deck("HUNTER", tuple((card, 1) for card in each["deck"].split())) for each in json.loads(out)["decks"]]
    assert [str(deck) for deck in decks if NEW in dict(deck.cards)] == [
        view.code(each) for each in view.elites() if NEW in view.code(each)
    ]


def test_a_new_card_made_in_python_has_maps_that_are_read_back() -> None:
    patch = hearthstone.Patch.from_toml(example())
    cards = hearthstone.edition().patched(patch)
    view = hearthstone.map_elites("hunter", edition=cards, pilot="random", evaluations=40, games=2, resolution=3)
    codes = [view.code(elite) for elite in view.elites()]
    assert any(NEW in code for code in codes)
    for elite, code in zip(view.elites(), codes, strict=True):
        deck = hearthstone.check_deck(hearthstone.read_deck(code, cards), cards)
        assert sum(line.copies for line in view.deck_list(elite)) == len(deck)


def test_pilots_of_a_deck_with_a_new_card_are_searched_and_shown(deckatlas: CommandLine) -> None:
    Path("pilots.toml").write_text(PILOTS, encoding="utf-8")
    assert deckatlas("run", "pilots.toml")[0] == 0
    code, out, errors = deckatlas("show", "pilots")
    assert (code, errors) == (0, "")
    assert NEW in out
