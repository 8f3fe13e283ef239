"""What a pilot was not trained with: games whose outcome is known, lists that fit patches, and provenance."""

import json
import tomllib
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas.errors import RunError
from deckatlas.experiments.kind import Report
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES
from deckatlas.games.hearthstone.cards.editions import edition, edition_of
from deckatlas.games.hearthstone.cards.library import field_decks, library
from deckatlas.games.hearthstone.deck_players import DeckPlayers
from deckatlas.games.hearthstone.position_network import read_network, write_network
from deckatlas.games.hearthstone.training.config import TrainingConfig
from deckatlas.papers.field.entrants import store_name
from deckatlas.papers.field.unseen import PatchedField, Unseen
from deckatlas.papers.kinds import read_item
from deckatlas.runs.comparison import Players
from deckatlas.runs.hashes import file_hash
from deckatlas.search.batches import Batch
from helpers.command_line import CommandLine
from helpers.map_reports import by, check_drawn

FOLDER = Path(__file__).parents[2] / "experiments" / "field"
FILE = FOLDER / "unseen.toml"
LISTS = ("Face Hunter", "Zoo")
FIELD_GAMES = 20
PATCHES = ("auctioneer-costs-4", "azure-drake-is-5-6")


@pytest.fixture(autouse=True)
def _root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER.parents[1])  # the files of the patches are named from there


def patch_file(name: str) -> str:
    return f"experiments/field/patches/{name}.toml"


def options(**changes: Any) -> Unseen:
    given = {
        "left_out": LISTS,
        "patches": tuple(map(patch_file, PATCHES)),
        "lists_per_patch": 2,
        "games": 40,
        "field_games": FIELD_GAMES,
    }
    return Unseen(**{**given, **changes})


@dataclass(frozen=True)
class DecidedStudy(Study):
    """A study in which the pilot wins with all lists under one patch, and elsewhere the side that moves first wins.

    Attributes:
        games: The players of each store that was asked for, by its name.
    """

    games: dict[str, DeckPlayers] = field(default_factory=dict)

    def play(self, name: str, batch: Batch, players: Players) -> npt.NDArray[np.int64]:
        assert isinstance(players, DeckPlayers)
        self.games[name] = players
        first, second = -1 - batch.first, -1 - batch.second
        if len(players.players) > 2 * len(LISTS):  # those against the field
            return self.against_field(batch)
        assert (first // 2 == second // 2).all()  # both sides have the same list
        if players.edition == patch_file(PATCHES[1]):
            return np.where(first % 2 == 0, batch.lengths, 0)
        return batch.lengths

    def against_field(self, batch: Batch) -> npt.NDArray[np.int64]:
        """Pilots win one or none of a seed's two games; with the second list, the one that knows it wins one more."""
        players = -1 - np.array([batch.first, batch.second])
        is_first, number = players[0] < players[1], players.min(axis=0)  # the field comes after the lists
        is_even = np.arange(len(is_first)) % (FIELD_GAMES // 2) % 2 == 0
        won = is_even.astype(np.int64) + (number == 3)  # of the two games of a seed
        return np.asarray(np.where(is_first, won >= 1, won <= 1) * batch.lengths)


def decided() -> DecidedStudy:
    return DecidedStudy({}, {}, 1, Path("nowhere"), 1, lambda title: nullcontext(lambda standing: None))


@pytest.fixture(scope="module")
def report() -> Report:
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(FOLDER.parents[1])
        return options().report(decided())


# ---- the files -------------------------------------------------------------------------------------------------------


def toml(file: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / file).read_text(encoding="utf-8"))


def test_trainings_differ_only_in_the_lists_that_the_report_plays() -> None:
    shipped = tomllib.loads((FOLDER.parent / "hearthstone-expert" / "train.toml").read_text(encoding="utf-8"))
    without = toml("unseen-without.toml")
    TrainingConfig.model_validate(without)
    assert without["decks"].pop("left_out") == toml("unseen.toml")["report"]["left_out"]
    assert shipped == without
    assert "with_lists" not in toml("unseen.toml")["report"]  # so it is the shipped network


def test_every_list_of_an_archetype_is_left_out() -> None:
    left_out = toml("unseen.toml")["report"]["left_out"]
    archetypes = {library()[name].archetype for name in left_out}
    assert {each.name for each in library().values() if each.archetype in archetypes} == set(left_out)
    assert len({library()[name].deck.hero_class for name in left_out}) == len(HERO_CLASSES) - 1


def test_the_report_plays_all_ten_patches_and_one_training_has_seen_them() -> None:
    patches = toml("unseen.toml")["report"]["patches"]
    assert len(patches) == 10
    assert set(patches) == {patch_file(path.stem) for path in (FOLDER / "patches").glob("*.toml")}
    training = toml("unseen-patched.toml")
    assert training["editions"] == patches
    assert training["model"] == {"start": "default"}
    mix = toml("../hearthstone-expert/train.toml")["decks"]
    assert {key: training["decks"][key] for key in mix} == mix
    changed = [name for file in patches for name in PatchedField.of(file, 1).cards]
    assert training["decks"]["featured"] == changed


def test_patches_change_costs_stats_and_effects_of_cards_of_all_classes_as_no_edition_has_them() -> None:
    kinds: dict[str, int] = {"cost": 0, "stats": 0, "effect": 0}
    classes = set()
    for file in toml("unseen.toml")["report"]["patches"]:
        patched = edition_of(file)
        assert patched.made_of is not None
        assert patched.name == Path(file).stem
        ((name, change),) = patched.made_of[1].cards.items()
        (kind,) = {{"cost": "cost", "effect": "effect"}.get(key, "stats") for key in change}
        kinds[kind] += 1
        for other in ("classic-2014", "2018-12", "2019-12"):
            assert patched[name] != edition(other)[name]
        classes |= {deck.deck.hero_class for deck in PatchedField.of(file, 4).decks}
    assert kinds == {"cost": 4, "stats": 3, "effect": 3}
    assert classes == set(HERO_CLASSES)


# ---- the report ------------------------------------------------------------------------------------------------------


def test_lists_under_a_patch_play_a_card_that_it_changes_and_are_of_different_archetypes() -> None:
    found = PatchedField.of(patch_file("azure-drake-is-5-6"), 4)
    assert (found.name, found.cards, len(found.decks)) == ("azure-drake-is-5-6", ("Azure Drake",), 4)
    assert all("EX1_284" in deck.deck.copies and deck.in_field for deck in found.decks)
    assert len({deck.archetype for deck in found.decks}) == 4
    (rogue,) = PatchedField.of(patch_file("auctioneer-costs-4"), 4).decks
    assert rogue.archetype == "Miracle Rogue"


def test_rates_are_by_list_by_patch_and_overall(report: Report) -> None:
    assert {row["list"]: (row["won"], row["won_games"]) for row in report.rows["lists"]} == dict.fromkeys(
        LISTS, (50, 40)
    )
    assert {row["patch"]: (row["won"], row["lists"], row["won_games"]) for row in report.rows["patches"]} == {
        PATCHES[0]: (50, 1, 40),
        PATCHES[1]: (100, 2, 80),
    }
    overall = by(report.rows["overall"], "part")
    assert {part: (row["matches"], row["won_games"]) for part, row in overall.items()} == {
        "lists": (2, 80),
        "patches": (3, 120),
    }
    assert overall["lists"]["won"] == 50
    assert overall["patches"]["won"] == pytest.approx(100 * 100 / 120)
    assert len(report.rows["patch_lists"]) == 3


def test_lists_against_the_field_compare_both_pilots(report: Report) -> None:
    games = len(field_decks()) * FIELD_GAMES
    found = {
        row["list"]: (row["won_without"], row["won_with"], row["ahead"], row["games"]) for row in report.rows["field"]
    }
    assert found == {
        LISTS[0]: (25, 25, 0, games),
        LISTS[1]: (25, 75, -50, games),
        "all": (25, 50, -25, 2 * games),
    }
    for row in report.rows["field"]:  # both pilots win the same seeds, so their difference is certain
        assert row["ahead_low"] == row["ahead"] == row["ahead_high"]
        assert row["won_with_low"] < row["won_with"] < row["won_with_high"]


def test_the_goal_is_checked_overall_for_lists_and_for_patches(report: Report) -> None:
    rows = by(report.rows["findings"], "finding")
    assert {title: (row["claimed"], row["verdict"]) for title, row in rows.items()} == {
        "lists that were not in training cost at most 3 points": ("above 47", "undecided at 95 %"),
        "against the field, lists that were not in training cost at most 3 points": ("above -3", "does not hold"),
        "patches that were not in training cost at most 3 points": ("above 47", "holds"),
    }
    assert [row["verdict"] for row in report.rows["patches"]] == ["undecided at 95 %", "holds"]


def test_the_pilot_without_meets_the_pilot_with_what_it_has_not_seen(tmp_path: Path) -> None:
    study = decided()
    networks = {
        "with_lists": trained(tmp_path / "every.npz"),
        "without_lists": trained(tmp_path / "some.npz", left_out=LISTS),
        "with_patches": adapted(tmp_path / "adapted.npz"),
    }
    options(**networks).report(study)
    pilots = {
        (players.edition, len(players.players)): [each.pilot for each in players.players]
        for players in study.games.values()
    }
    without, with_lists = (f"expert:net={networks[key]}" for key in ("without_lists", "with_lists"))
    field = [with_lists] * len(field_decks())
    assert pilots["classic-2014", 4] == [without, with_lists] * 2
    assert pilots["classic-2014", 4 + len(field)] == [without, with_lists] * 2 + field
    assert pilots[patch_file(PATCHES[0]), 2] == ["default", f"expert:net={networks['with_patches']}"]


def test_all_is_drawn_and_written(report: Report, tmp_path: Path) -> None:
    check_drawn(report, tmp_path)


def test_the_smoke_version_plays_without_any_trained_network(tmp_path: Path) -> None:
    small = read_item(FILE, smoke=True).heading.report
    assert isinstance(small, Unseen)
    first, second = (Study({}, {}, 1, tmp_path, 1, lambda title: nullcontext(lambda standing: None)) for _ in range(2))
    found = small.report(first)
    assert [row["won"] for row in found.rows["overall"]] == [50, 50]  # the same network on both sides
    assert (found.rows, first.tally.now) == (small.report(second).rows, 8 + 4 * 2 * len(field_decks()))
    assert second.tally.now == 0


def test_a_patch_of_the_same_name_has_a_store_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"

    def name(cost: int) -> str:
        file.write_text(f'name = "one"\n[cards.EX1_095]\ncost = {cost}\n', encoding="utf-8")
        return store_name(["search"], [], edition=str(file), games=2, seed=1)

    assert name(3) != name(4)
    assert name(4) == name(4)


# ---- mistakes --------------------------------------------------------------------------------------------------------


def shipped_network() -> str:
    with resources.as_file(resources.files("deckatlas.games.hearthstone").joinpath("expert.npz")) as path:
        return str(path)


def trained(
    path: Path, *, left_out: tuple[str, ...] = (), editions: tuple[str, ...] = ("classic-2014",), **more: Any
) -> str:
    """A network whose provenance names lists and editions."""
    training = {"decks": {"left_out": left_out}, "editions": editions, **more}
    about = json.dumps({"training": training, "round": 1})
    write_network(path, replace(read_network(Path(shipped_network())), about=about))
    return str(path)


def adapted(path: Path, **more: Any) -> str:
    """A network that started as the shipped one, and was trained with all patches."""
    patches = tuple(each.read_text(encoding="utf-8") for each in (FOLDER / "patches").glob("*.toml"))
    return trained(path, editions=patches, **{"model": {"start": file_hash(shipped_network())}, **more})


def test_a_missing_network_is_reported_with_the_command_that_makes_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = CommandLine(monkeypatch, capsys)
    missing = "report.with_lists=nowhere/mine/round-01/weights.npz"
    folders = ("--store", str(tmp_path / "store"), "--out", str(tmp_path / "results"))
    assert command("reproduce", "field/unseen", "--set", missing, *folders) == (
        2,
        "",
        "deckatlas: report.with_lists: there is no network nowhere/mine/round-01/weights.npz; this command makes it: "
        "deckatlas train experiments/hearthstone-expert/train.toml --folder nowhere/mine\n",
    )
    assert not list(tmp_path.glob("store/**/*.db"))


def test_networks_must_have_been_trained_as_their_keys_say(tmp_path: Path) -> None:
    every, some = trained(tmp_path / "every.npz"), trained(tmp_path / "some.npz", left_out=LISTS)
    fitting = adapted(tmp_path / "adapted.npz")
    unrelated = adapted(tmp_path / "unrelated.npz", model={"start": None})
    longer = trained(tmp_path / "longer.npz", seed=2)
    silent = tmp_path / "silent.npz"
    write_network(silent, replace(read_network(Path(shipped_network())), about="mine"))

    def play(**networks: str | None) -> None:
        given = {"with_lists": every, "without_lists": some, "with_patches": fitting, **networks}
        options(**given, patches=(patch_file(PATCHES[0]),)).report(decided())

    play()
    same = trained(tmp_path / "same.npz", seed=1, decks={"left_out": (), "transplanted": 0.0})  # the defaults, by name
    play(with_lists=same)
    for networks, message in (
        ({"without_lists": every}, "report.without_lists: .*every.npz: it was trained with the list 'Face Hunter'"),
        ({"with_lists": some}, "report.with_lists: .*some.npz: it was trained without the list 'Face Hunter'"),
        ({"with_patches": every}, "every.npz: it was not trained with the patch 'auctioneer-costs-4'"),
        ({"with_patches": unrelated}, "unrelated.npz: its training did not start with the network that is shipped"),
        ({"with_lists": longer}, "its training differs from that of report.with_lists in more than lists"),
        ({"with_lists": None}, "its training differs from that of the shipped network in more than lists"),
        ({"with_lists": str(silent)}, "silent.npz: it does not say how it was trained"),
        ({"with_lists": str(FILE)}, "unseen.toml: it is not an npz file of arrays"),
    ):
        with pytest.raises(RunError, match=message):
            play(**networks)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ('report.left_out=["Zoolocks"]', "Zoolocks: unknown deck 'Zoolocks'"),
        ('report.left_out=["Zoo", "Zoo"]', "Zoo is given more than once"),
        ("report.edition=classic", "unknown edition 'classic': did you mean"),
        ('report.patches=["classic-2014"]', "a patch is a TOML file, not classic-2014"),
        ('report.patches=["none.toml"]', "cannot read none.toml"),
        ("report.games=3", "multiple of 2"),
        ("report.goal=100", "less than 100|below 100"),
        ("published.goal=47", "unknown name 'goal'"),
    ],
)
def test_mistakes_are_found_before_the_first_game(setting: str, message: str) -> None:
    with pytest.raises(RunError, match=message) as error:
        read_item(FILE, settings=[setting])
    assert "\n" not in str(error.value)
