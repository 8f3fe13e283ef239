"""Pick and inclusion rates: what a draft policy picks, and how its decks with a card do."""

import csv
import io
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError, CardError, DeckatlasError, MatchError
from deckatlas.games.locm.editions import Patch, official
from deckatlas.games.locm.match import play
from deckatlas.games.locm.rates import CardRates, card_rates
from deckatlas.games.locm.table import play_one
from helpers.command_line import CommandLine


@pytest.mark.parametrize("policy", ["icebox/greedy", "random/greedy", "uji2/random"])
def test_the_counts_are_those_of_the_games(policy: str) -> None:
    """Every game is played again, one action at a time, and its draft is counted."""
    games, opponent = 12, "coac/greedy"
    rates = card_rates(policy, against=opponent, games=games, seed=4)
    match = play(policy, opponent, games=games, seed=4)
    offers, picks, decks, wins = Counter[int](), Counter[int](), Counter[int](), Counter[int]()
    for seed, first, winner in zip(match["seed"], match["first"], match["winner"], strict=True):
        seats = (policy, opponent) if first == 0 else (opponent, policy)
        states = list(play_one(*seats, seed=int(seed)).replay())
        chosen = states[-1].chosen(int(first))
        offers.update(card for offer in states[0].offers for card in offer)
        picks.update(chosen)
        decks.update(set(chosen))
        wins.update(set(chosen) if winner == 0 else ())
    for card in range(1, 161):
        row = rates.row(card)
        assert (row["offers"], row["games"]) == (offers[card], decks[card])
        assert row["included"] == decks[card] / games
        assert row["copies"] == pytest.approx(picks[card] / games)
        assert row["picked"] == (picks[card] / offers[card] if offers[card] else None)
        assert row["won"] == (wins[card] / decks[card] if decks[card] else None)
    assert rates.overall.value == match.wins / games


def test_the_intervals_of_pick_rates_cover_the_truth() -> None:
    """A policy that picks at random picks each card in a third of its offers."""
    covered = []
    for seed in range(8):
        picked = card_rates("random/pass", games=600, seed=seed).picked
        covered.append((picked.low <= 1 / 3) & (picked.high >= 1 / 3))
    assert 0.93 <= np.mean(covered) <= 0.99


def test_intervals_hold_their_rates_and_are_wide_where_little_is_known() -> None:
    rates = card_rates("icebox/greedy", games=400)
    for each in (rates.picked, rates.included, rates.won):
        known = each.n > 0
        assert (each.low[known] <= each.value[known]).all()
        assert (each.value[known] <= each.high[known]).all()
        assert (each.high[known] > each.low[known]).all()
        assert np.isnan(each.low[~known]).all()
    rare = (rates.won.n > 0) & (rates.won.n <= 4)
    assert rare.any()
    assert (rates.won.high[rare] - rates.won.low[rare] > 0.4).all()


def test_the_totals_add_up() -> None:
    rates = card_rates("icebox/greedy", games=100)
    assert rates.copies.sum() == pytest.approx(30)
    assert rates.offers.sum() == 100 * 90
    assert (rates.picked.value * rates.offers)[rates.offers > 0].sum() == pytest.approx(100 * 30)


def test_opponents_share_the_games_and_the_edition_counts() -> None:
    edition = official().patched(Patch("dear", {card.name: {"cost": 12} for card in locm.cards()}))
    plain, patched = (
        card_rates("uji1/greedy", against=["icebox/greedy", "random/greedy"], games=101, edition=each)
        for each in (official(), edition)
    )
    assert plain.games == 100
    assert plain.against == ("icebox/greedy", "random/greedy")
    assert not np.array_equal(plain.copies, patched.copies)
    assert np.array_equal(plain.offers, patched.offers)


def test_a_ranking_from_python_has_rates() -> None:
    best_first = np.arange(160, 0, -1.0)
    rates = card_rates((best_first, "greedy"), games=40)
    assert rates.row(1)["picked"] in (1.0, None)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"policy": "nobody/greedy"}, AgentError),
        ({"policy": "icebox/greedy", "games": 1}, MatchError),
        ({"policy": "icebox/greedy", "games": 10**7}, MatchError),
        ({"policy": "icebox/greedy", "against": "nobody"}, AgentError),
        ({"policy": "icebox/greedy", "edition": "2.0"}, CardError),
        ({"policy": "icebox/greedy", "format": "other"}, MatchError),
        ({"policy": lambda state, actions: actions[0]}, MatchError),
    ],
)
def test_what_cannot_be_counted_is_refused(arguments: dict[str, object], error: type[DeckatlasError]) -> None:
    with pytest.raises(error):
        card_rates(**arguments)  # type: ignore[arg-type]


def test_a_policy_alone_has_the_pilot_of_comparisons() -> None:
    alone, named = (card_rates(f"icebox{end}", against=f"coac{end}", games=20) for end in ("", "/greedy"))
    assert alone.to_json() == named.to_json()


def test_the_command_shows_and_writes_the_rates(deckatlas: CommandLine, tmp_path: Path) -> None:
    asked = ("cards", "locm", "--cost", "2", "--rates", "icebox/greedy", "--against", "coac/greedy", "--games", "200")
    code, out, errors = deckatlas(*asked, "--json", "rates.json", "--csv", "rates.csv")
    assert (code, errors) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert "icebox/greedy against coac/greedy: 200 drafts and games" in out
    assert "not what the card adds" in out
    written = json.loads((tmp_path / "rates.json").read_text(encoding="utf-8"))
    expected = card_rates("icebox/greedy", against="coac/greedy", games=200)
    chosen = [card for card in expected.order() if official()[card].cost == 2]
    assert written == json.loads(json.dumps(expected.to_json(chosen)))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rates.csv").read_text(encoding="utf-8"))))
    assert [int(row["id"]) for row in rows] == chosen
    assert deckatlas("cards", "locm", "slimer", "--csv", "-")[1].startswith("id,name,type,cost,")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--games", "30"], "--games needs --rates: add it"),
        (["--rates", "icebox/greedy", "--games", "1"], "games must be a whole number from 2 to 100000, not 1"),
        (["--json", "-", "--csv", "-"], "--json and --csv would both write to standard output"),
    ],
)
def test_a_wrong_question_is_one_line(deckatlas: CommandLine, words: list[str], message: str) -> None:
    code, _, errors = deckatlas("cards", "locm", "slimer", *words)
    assert (code, errors) == (2, f"deckatlas: {message}\n")


def test_the_seats_of_the_core_are_those_of_the_match() -> None:
    rates: CardRates = card_rates("icebox/greedy", games=2, seed=9)
    seeds = play("icebox/greedy", "icebox/greedy", games=2, seed=9)["seed"]
    policy = locm.DRAFT_POLICIES["icebox"].make()
    decks = [core.draft_decks(official().table, policy, seeds[[seat]], seat=seat, format="referee") for seat in (0, 1)]
    for card in range(1, 161):
        assert rates.copies[card - 1] == np.mean([(deck == card).sum() for deck in decks])
