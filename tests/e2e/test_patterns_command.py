"""`deckatlas patterns`: what it prints and writes, and what it refuses in one line."""

import csv
import json
from pathlib import Path

import pytest

from deckatlas import hearthstone, locm
from helpers.command_line import CommandLine

pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


def make_map(name: str = "mage", seed: int = 0) -> None:
    hearthstone.map_elites(
        "mage", evaluations=20, games=2, resolution=(3, 3), seed=seed, path=Path("runs") / f"{name}.db"
    )


def test_the_patterns_of_a_map_are_printed_written_and_drawn(deckatlas: CommandLine) -> None:
    make_map()
    files = ("--json", "found.json", "--csv", "found.csv", "--picture", "found.png")
    code, out, errors = deckatlas("patterns", "mage", "--support", "0.4", "--most", "3", *files)
    assert (code, errors) == (0, "")
    assert "maximal sets of cards in at least 40 % of" in out
    data = json.loads(Path("found.json").read_text("utf-8"))
    with Path("found.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["count"]) for row in rows] == [each["count"] for each in data["patterns"]]
    assert 0 < len(rows) <= 3
    assert Path("found.png").read_bytes().startswith(b"\x89PNG")
    assert deckatlas("plot", "mage", "--what", "patterns", "-o", "small.svg") == (0, "", "")
    for option, content in (("--json", "found.json"), ("--csv", "found.csv")):
        code, out, _ = deckatlas("patterns", "mage", "--support", "0.4", "--most", "3", option, "-")
        assert (code, out) == (0, Path(content).read_text("utf-8"))


def test_options_choose_which_sets_are_shown(deckatlas: CommandLine) -> None:
    make_map()

    def found(*options: str) -> dict[str, object]:
        code, out, errors = deckatlas("patterns", "mage", "--json", "-", *options)
        assert (code, errors) == (0, "")
        return json.loads(out)  # type: ignore[no-any-return]

    pairs = found("--support", "0.3", "--all", "--longest", "2", "--alike", "--most", "100000")
    sizes = {sum(card["copies"] for card in each["cards"]) for each in pairs["patterns"]}  # type: ignore[attr-defined]
    assert sizes == {1, 2}
    assert len(pairs["patterns"]) == pairs["found"]  # type: ignore[arg-type]
    assert pairs["only_maximal"] is False
    distinct = found("--support", "0.3", "--all", "--longest", "2", "--most", "100000")
    assert 0 < len(distinct["patterns"]) < len(pairs["patterns"])  # type: ignore[arg-type]
    assert found("--region", "deck_mana_mean=..100")["decks"] == found()["decks"]


def test_several_trials_have_intervals(deckatlas: CommandLine) -> None:
    make_map()
    make_map("again", seed=1)
    code, out, _ = deckatlas("patterns", "mage", "again", "--support", "0.3", "--json", "-")
    first = json.loads(out)["patterns"][0]
    assert code == 0
    assert first["support_low"] <= first["support"] <= first["support_high"]


def test_the_mix_of_a_metagame_has_patterns(deckatlas: CommandLine) -> None:
    Path("two.toml").write_text(
        'pilot = "random"\n[[deck]]\ndeck = "Midrange Hunter"\n[[deck]]\ndeck = "Aggro Hunter"\n', encoding="utf-8"
    )
    options = ("--meta", "two.toml", "--games", "4", "--support", "0.01")
    code, out, errors = deckatlas("patterns", *options)
    assert (code, errors) == (0, "")
    assert "of 2 decks by their shares of the mix" in " ".join(out.split())


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "name a map of decks, or a metagame with --meta"),
        (("mages",), "did you mean 'mage'?"),
        (("drafts",), "its solutions are not decks"),
        (("mage", "--support", "2"), "a support is a share of the decks above 0 and up to 1, not 2.0"),
        (("mage", "--longest", "0"), "a set has 1 to 255 cards, not 0"),
        (("mage", "--most", "0"), "the number of patterns is at least 1, not 0"),
        (("mage", "--region", "cheap"), "'cheap' is not a region"),
        (("mage", "--region", "num_turn=..8"), "did you mean 'num_turns'?"),
        (("mage", "--region", "num_turns=900..901"), "no elite of mage is in the region"),
        (("mage", "--json", "x", "--csv", "x"), "need a file each"),
        (("mage", "--csv", "no/such/folder"), "cannot write"),
        (("mage", "--picture", "x.gif"), "ends in .png, .svg or .pdf"),
        (("mage", "mage", "--picture", "x.png"), "--picture draws the patterns of one map"),
        (("--meta", "field", "--picture", "x.png"), "--picture draws the patterns of one map"),
        (("mage", "--meta", "field"), "--meta replaces the map"),
        (("--meta", "drafts"), "have no fixed decks"),
        (("--meta", "feild"), "did you mean 'field'?"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    deckatlas: CommandLine, arguments: tuple[str, ...], complaint: str
) -> None:
    make_map()
    locm.map_elites("draft", evaluations=6, games=2, resolution=(2, 2), seed=1, path="runs/drafts.db")
    code, out, errors = deckatlas("patterns", *arguments)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert complaint in errors
