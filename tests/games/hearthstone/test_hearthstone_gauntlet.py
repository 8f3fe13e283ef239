"""Gauntlets of Hearthstone: combinations of decks and pilots, with the numbers that gauntlets of any game have."""

import csv
import io
import json
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone, locm
from deckatlas.errors import AgentError, DeckatlasError, DeckError, MatchError, StateError
from deckatlas.games.hearthstone.match import HearthstoneResult
from deckatlas.play.gauntlet import GauntletResult
from deckatlas.play.sprt import GAMES_PER_LOOK, pair_counts
from helpers.command_line import CommandLine
from helpers.locm_matches import column_bytes

DECKS = ("Starter Mage", "Starter Hunter")
PILOTS = ("random:active", "planner:score=control")
NAMES = (
    "Starter Mage/random:active",
    "Starter Mage/planner:score=control",
    "Starter Hunter/random:active",
    "Starter Hunter/planner:score=control",
)


@pytest.fixture(scope="module")
def result() -> hearthstone.GauntletResult:
    return hearthstone.gauntlet(product(DECKS, PILOTS), games=21, seed=4, threads=1)


def without_times(told: dict[str, Any]) -> dict[str, Any]:
    """The same data without what no two runs agree on."""
    for entry in (*told["pairs"], *told["ratings"]):
        entry.pop("ms_per_turn")
        entry.pop("slowest_ms", None)
    return told


def by_hand(a: str, b: str, winner: list[int]) -> HearthstoneResult:
    """A match in pairs of games with these winners; 2 is nobody."""
    columns = {
        "winner": np.array(winner, np.uint8),
        "first": np.array([game % 2 for game in range(len(winner))], np.uint8),
        "void": np.zeros(len(winner), np.uint8),
    }
    return HearthstoneResult(a, b, columns, swapped_seats=True)


# ---- numbers ---------------------------------------------------------------------------------------------------------


def test_a_gauntlet_of_two_pairs_with_a_draw_is_what_it_is_by_hand() -> None:
    pair = GauntletResult(("a", "b"), (by_hand("a", "b", [0, 0, 1, 2]),))
    # A draw is half a win: 1 + 1 + 0 + ½ of four games, and 1 and ¼ of the two pairs.
    assert pair.rate(0, 1).value == 0.625
    assert pair.rate(1, 0).value == pair.score(1).value == 0.375
    # With a win and a loss added the pairs have mean 0.5625 and, times four, spread 0.4375² + 0.3125² + 0.5625² +
    # 0.4375²; Wilson's interval is that of 2 · 0.5625 · 0.4375 / spread games.
    n = 2 * 0.5625 * 0.4375 / ((0.4375**2 + 0.3125**2 + 0.5625**2 + 0.4375**2) / 4)
    z = 1.959963984540054
    centre = (0.625 + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(0.625 * 0.375 / n + z**2 / (4 * n**2))
    assert (pair.rate(0, 1).low, pair.rate(0, 1).high) == pytest.approx((centre - half, centre + half))
    assert (pair.rate(1, 0).low, pair.rate(1, 0).high) == pytest.approx((1 - centre - half, 1 - centre + half))
    # Whoever moved first won the first game, lost two, and drew one.
    assert pair.first_seat_rate.value == 0.375
    assert pair.wins.tolist() == [[0, 2], [1, 0]]
    # With half a win and half a loss more, three of five: odds of 3 to 2, shared out about a mean of 0.
    assert pair.ratings.value.tolist() == pytest.approx([200 * math.log10(1.5), -200 * math.log10(1.5)])
    told = pair.to_json()["pairs"][0]
    assert [told[key] for key in ("games", "wins", "draws", "voids")] == [4, 2, 1, 0]


def test_games_that_somebody_won_have_the_numbers_of_the_other_game() -> None:
    winners = ([0, 1, 1, 1, 0, 0], [0, 0, 0, 1, 0, 1], [1, 1, 0, 1, 1, 1])
    pairs = (("a", "b"), ("a", "c"), ("b", "c"))
    ours = GauntletResult(("a", "b", "c"), tuple(by_hand(*pair, won) for pair, won in zip(pairs, winners, strict=True)))
    theirs = GauntletResult(
        ours.names, tuple(locm.MatchResult(each.a, each.b, each.columns, swapped_seats=True) for each in ours.matches)
    )
    for mine, other in zip(ours.to_json()["pairs"], theirs.to_json()["pairs"], strict=True):
        assert {key: mine[key] for key in other} == other
    assert ours.to_json()["ratings"] == theirs.to_json()["ratings"]


def test_the_first_of_a_pair_has_no_advantage_from_draws() -> None:
    ahead, behind = by_hand("a", "b", [2, 2, 0, 2]), by_hand("b", "a", [2, 2, 1, 2])
    assert ahead.rate.value == 1 - behind.rate.value == 0.625
    assert ahead.rate.low == pytest.approx(1 - behind.rate.high)


def test_pairs_with_a_draw_count_half_to_either_side_in_a_sequential_test() -> None:
    outcomes = np.array([0, 0.25, 0.5, 0.5, 0.75, 1, 1, 1])
    assert pair_counts(outcomes).tolist() == [1.5, 3.0, 3.5]


def test_every_pair_plays_the_match_that_it_plays_alone(result: hearthstone.GauntletResult) -> None:
    assert result.names == NAMES
    alone = hearthstone.play(PILOTS[1], PILOTS[0], decks=DECKS, games=21, seed=4)
    assert column_bytes(result.match(1, 2)) == column_bytes(alone)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_seed_gives_the_same_table_on_any_number_of_threads(
    result: hearthstone.GauntletResult, threads: int
) -> None:
    again = hearthstone.gauntlet(product(DECKS, PILOTS), games=21, seed=4, threads=threads)
    assert without_times(again.to_json()) == without_times(result.to_json())
    other = hearthstone.gauntlet(product(DECKS, PILOTS), games=21, seed=5, threads=threads)
    assert without_times(other.to_json()) != without_times(result.to_json())


def test_planning_takes_more_time_than_choosing_at_random(result: hearthstone.GauntletResult) -> None:
    times = [result.ms_per_turn(i) for i in range(4)]
    assert all(each is not None for each in times)
    assert min(times[1] or 0, times[3] or 0) > max(times[0] or 0, times[2] or 0) > 0


def test_a_profile_says_what_is_kept_and_what_planners_know_and_swaps_seats_all_the_same() -> None:
    entrants = [("Starter Mage", "planner:score=aggro"), ("Starter Rogue", "random")]
    unfair = hearthstone.gauntlet(entrants, games=8, seed=2, profile="evosabber")
    spec = "planner:score=aggro,information=perfect,replan=false"
    alone = hearthstone.play(
        spec, "random", decks=("Starter Mage", "Starter Rogue"), games=8, seed=2, mulligan="inverted"
    )
    assert unfair.names == ("Starter Mage/planner:score=aggro", "Starter Rogue/random")
    assert column_bytes(unfair.matches[0]) == column_bytes(alone)


def test_a_sequential_test_ends_matches() -> None:
    entrants = [("Starter Mage", "random:active"), ("Starter Mage", "pass")]
    ended = hearthstone.gauntlet(entrants, games=4000, threads=1, sprt=hearthstone.Sprt(elo1=40))
    test = ended.matches[0].sprt
    assert test is not None
    assert (test.accepted, ended.matches[0].games) == ("H1", GAMES_PER_LOOK)


def test_progress_hears_of_all_games() -> None:
    heard: list[tuple[int, int]] = []
    entrants = [("Starter Mage", "pass"), ("Starter Mage", "random"), ("Starter Rogue", "random")]
    hearthstone.gauntlet(entrants, games=10, progress=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (30, 30)
    assert heard == sorted(heard)


# ---- entrants --------------------------------------------------------------------------------------------------------


def names_of(*entrants: Any) -> tuple[str, ...]:
    return hearthstone.gauntlet(entrants, games=1, threads=1).names


def test_entrants_are_texts_pairs_and_opponents_of_suites() -> None:
    mage = hearthstone.named_decks()["Starter Mage"]
    code = hearthstone.deck_code(hearthstone.named_decks()["Starter Rogue"], hearthstone.edition().by_id)
    opponent = hearthstone.suite_of("starter").opponents[0]
    assert names_of("starter mage/random", (mage, "random"), f"{code}/pass", opponent) == (
        "Starter Mage/random",
        "1 Mage/random",
        "2 Rogue/pass",
        "Starter Hunter/planner:score=aggro",
    )


def test_a_slash_in_a_code_or_in_a_command_divides_nothing() -> None:
    rng = np.random.default_rng(1)
    cards = hearthstone.edition()
    pool = [card.id for card in hearthstone.pool(cards, "mage")]
    decks = (hearthstone.random_deck("MAGE", pool, cards.by_id, rng) for _ in range(1000))
    code = next(code for deck in decks if "/" in (code := hearthstone.deck_code(deck, cards.by_id)))
    assert names_of(f"{code}/random", "Starter Mage/exec:/bin/cat") == ("1 Mage/random", "Starter Mage/exec:/bin/cat")


def test_callables_that_share_a_name_are_numbered() -> None:
    def make() -> Any:
        return lambda view, actions: actions[0]

    assert names_of(("Starter Mage", make()), ("Starter Mage", make()), ("Starter Rogue", make())) == (
        "Starter Mage/<lambda> 1",
        "Starter Mage/<lambda> 2",
        "Starter Rogue/<lambda>",
    )


@pytest.mark.parametrize(
    ("entrants", "error", "message"),
    [
        ([], MatchError, "at least two entrants"),
        (["Starter Mage/random"], MatchError, "at least two entrants"),
        (["Starter Mage/random"] * 2, MatchError, "entrant 'Starter Mage/random' is given twice"),
        (["Starter Mage", "random"], MatchError, "'Starter Mage' is not an entrant: write DECK/PILOT"),
        (["Starter Mage/clever", "Starter Mage/pass"], AgentError, "unknown agent 'clever'"),
        (["Starter Mages/random", "Starter Mage/pass"], DeckError, "'Starter Mages': unknown deck"),
        ([("Starter Mage",), ("Starter Mage", "pass")], MatchError, "a pair of a deck and a pilot, not a tuple"),
        ([("Starter Mage", 3), ("Starter Mage", "pass")], AgentError, "a pilot must be a name or a callable, not 3"),
        ([(7, "pass"), ("Starter Mage", "pass")], DeckError, "a deck must be a Deck, a name, a code or a text"),
    ],
)
def test_what_is_no_gauntlet_is_refused_in_one_line(entrants: Any, error: type[DeckatlasError], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        hearthstone.gauntlet(entrants, games=1)
    assert "\n" not in str(raised.value)


def test_options_that_cannot_be_are_refused() -> None:
    entrants = ["Starter Mage/random", "Starter Mage/pass"]
    for options, error, message in (
        ({"games": 0}, MatchError, "games must be a whole number"),
        ({"seed": 2**64}, StateError, "a seed is a whole number"),
        ({"profile": "fare"}, MatchError, "did you mean 'fair'"),
        ({"threads": 0}, MatchError, "threads must be a whole number"),
    ):
        with pytest.raises(error, match=message):
            hearthstone.gauntlet(entrants, **{"games": 1, **options})  # type: ignore[arg-type]


# ---- the command -----------------------------------------------------------------------------------------------------


def test_the_command_combines_decks_of_names_and_files_with_pilots(deckatlas: CommandLine, tmp_path: Path) -> None:
    file, table = tmp_path / "decks.txt", tmp_path / "pairs.csv"
    code = hearthstone.deck_code(hearthstone.named_decks()["Starter Rogue"], hearthstone.edition().by_id)
    file.write_text(f"# one deck\n{code}\n", encoding="utf-8")
    words = ["--decks", "Starter Mage", "--decks", str(file), "--pilots", "random", "--pilots", "pass"]
    options = ["--games", "6", "--seed", "3", "--csv", str(table), "--json", "-"]
    code_of_exit, out, errors = deckatlas("gauntlet", "hearthstone", *words, *options)
    assert (code_of_exit, errors) == (0, "")
    decks = ("Starter Mage", hearthstone.named_decks()["Starter Rogue"])
    expected = hearthstone.gauntlet(product(decks, ("random", "pass")), games=6, seed=3)
    assert without_times(json.loads(out)) == without_times(expected.to_json())
    rows = list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))
    assert [(row["a"], row["b"], int(row["wins"])) for row in rows] == [
        (match.a, match.b, match.wins) for match in expected.matches
    ]
    assert expected.names[2] == "1 Rogue/random"


def test_the_command_plays_all_of_a_suite_and_others(deckatlas: CommandLine, tmp_path: Path) -> None:
    suite = tmp_path / "two.toml"
    suite.write_text('[[opponent]]\ndeck = "Starter Mage"\npilot = "pass"\n', encoding="utf-8")
    code, out, errors = deckatlas(
        "gauntlet", "hearthstone", "Starter Rogue/random", "--suite", str(suite), "--games", "6"
    )
    assert (code, errors) == (0, "")
    for name in ("Starter Rogue/random", "Starter Mage/pass"):
        assert sum(name in line for line in out.splitlines()) == 2  # with its rating and in the cross table
    assert "the first player won " in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hearthstone"], "a gauntlet needs at least two entrants"),
        (["locm"], "a gauntlet needs at least two entrants"),
        (["hearthstone", "--decks", "Starter Mage"], "--decks are played by --pilots: give both, or neither"),
        (["hearthstone", "--suite", "elites"], "there is no suite and no file 'elites': did you mean 'elite'?"),
        (["hearthstone", "--suite", "elite", "--edition", "2017"], "unknown edition '2017'"),
        (["hearthstone", "--suite", "elite", "--format", "referee"], "--format is for locm, not for hearthstone"),
        (["hearthstone", "--suite", "elite", "--csv", "-", "--json", "-"], "would both write to standard output"),
        (["hearthstone", "--suite", "elite", "--elo0", "3"], "--elo0 is for the test of --sprt"),
        (["locm", "random", "icebox/greedy", "--suite", "elite"], "--suite is for hearthstone, not for locm"),
        (["locm", "random", "icebox/greedy", "--pilots", "random"], "--pilots is for hearthstone, not for locm"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str], message: str, deckatlas: CommandLine) -> None:
    code, out, errors = deckatlas("gauntlet", *words)
    assert (code, out, errors.count("\n")) == (2, "", 1)
    assert message in errors
