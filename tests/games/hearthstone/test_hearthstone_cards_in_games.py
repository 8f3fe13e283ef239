"""What happened to cards in games: the core's counts are those of records, and what follows from them adds up."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Patch
from deckatlas.games.hearthstone.cards_in_games import EVENTS
from deckatlas.games.hearthstone.evaluation import Evaluations, evaluate
from deckatlas.games.hearthstone.pilots import Pilot
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.state import Action, ActionKind, State
from deckatlas.games.hearthstone.suites import Opponent, Suite
from helpers.hearthstone_play import some_decks, thieves

CARDS = hearthstone.edition()
ASLEEP = Suite("asleep", (Opponent("Starter Mage", deck_of("Starter Mage", CARDS), "pass"),))
LIVELY = Suite(
    "lively",
    tuple(Opponent(name, deck_of(name, CARDS), "random:active") for name in ("Starter Hunter", "Starter Paladin")),
)


def recounted(record: GameRecord, deck: Deck, seat: int) -> dict[str, tuple[int, ...]]:
    """For each card, the numbers of `core.CARD_EVENTS`, from the states and actions of a record."""
    states = list(record.replay())
    offered: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    turns: dict[str, int] = {}
    for before, action, after in zip(states, record.actions, states[1:], strict=False):
        own = before.side(seat)
        if action.kind == ActionKind.keep:
            if before.player_to_move != seat:
                continue
            hand = [card.card for card in own.hand if not card.revealed]  # without The Coin
            offered.update(hand)
            kept.update(card for place, card in enumerate(hand) if action.source >> place & 1)
            drawn.update(card.card for card in after.side(seat).hand[: len(hand)])
            in_deck = Counter(deck.copies) - drawn
        if action.kind == ActionKind.play and before.player_to_move == seat:
            played = own.hand[action.source]
            if not played.made and not played.revealed:
                turns.setdefault(played.card, (before.turn + 1) // 2)
        if before.phase != "mulligan" or after.phase != "mulligan":
            left = Counter(after.side(seat).deck)
            drawn += in_deck - left
            in_deck = left
    return {card: (offered[card], kept[card], drawn[card], turns.get(card, 0)) for card, _ in deck.cards}


def of_core(results: Evaluations, number: int, game: int) -> dict[str, tuple[int, ...]]:
    assert results.games is not None
    assert results.games.card_events is not None
    deck = results.decks[number]
    events = results.games.card_events[number, game]
    return {card: tuple(events[deck.copies.index(card)].tolist()) for card, _ in deck.cards}


# The core's counts


@pytest.mark.parametrize("pilot", ["random:active", "search", "default"])
@pytest.mark.parametrize("edition", ["2018-12", "sabberstone"])
def test_the_core_counts_what_the_records_of_the_games_show(pilot: str, edition: str) -> None:
    decks: list[Any] = ["Starter Hunter", *thieves(1), *some_decks(3)]  # with Tracking, and copies of enemy cards
    results = evaluate(decks, pilot=pilot, suite=LIVELY, games=6, seed=4, edition=edition, keep_games=True, cards=True)
    played = 0
    for number, deck in enumerate(results.decks):
        for game in range(6):
            counted = of_core(results, number, game)
            assert counted == recounted(results.replay(game, deck=number), deck, int(results.course.seat[game]))
            played += sum(turn > 0 for *_, turn in counted.values())
    assert played > 100


def test_copies_that_effects_made_are_not_played_ones() -> None:
    # Arcane Missiles gives an Arcane Explosion each time it is played, and costs nothing.
    more: dict[str, str | int] = {"effect": "spell(add_to_hand('CS2_025', 1))", "cost": 0}
    cards = CARDS.patched(Patch("more", cards={"EX1_277": more}))
    results = evaluate(
        "Starter Mage", pilot="random:active", suite=ASLEEP, games=8, edition=cards, keep_games=True, cards=True
    )
    found = results.cards[0]
    at = found.ids.index("CS2_025")  # Arcane Explosion, which is in the deck too
    assert results.plays_of(0)["CS2_025"] > found.counts["played"][at]
    for event, upper in (("kept", "offered"), ("played", "drawn")):
        assert (found.counts[event] <= found.counts[upper]).all()
    for game in range(8):
        counted = of_core(results, 0, game)
        assert counted == recounted(results.replay(game), results.decks[0], int(results.course.seat[game]))


def test_games_at_the_table_count_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"pilot": "search", "suite": LIVELY, "games": 6, "keep_games": True, "cards": True}
    in_core = evaluate(["Starter Rogue", "Starter Hunter"], **options)
    monkeypatch.setattr(Pilot, "agent_of_core", lambda pilot: None)
    outside = evaluate(["Starter Rogue", "Starter Hunter"], **options, threads=2)
    assert in_core.games is not None
    assert outside.games is not None
    assert np.array_equal(in_core.games.card_events, outside.games.card_events)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [2, 5])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    options: dict[str, Any] = {"pilot": "random:active", "suite": LIVELY, "games": 25, "cards": True}
    one, more = (evaluate("Starter Rogue", **options, threads=n).cards[0] for n in (1, threads))
    assert list(one.rows()) == list(more.rows())


def test_asking_for_cards_changes_no_game_and_nothing_is_kept_without_asking() -> None:
    options: dict[str, Any] = {"pilot": "search", "suite": LIVELY, "games": 10, "keep_games": True}
    asked, usual = (evaluate("Starter Rogue", **options, cards=cards) for cards in (True, False))
    assert asked.games is not None
    assert usual.games is not None
    assert all(np.array_equal(asked.games.noted[name], usual.games.noted[name]) for name in core.NOTED)
    assert np.array_equal(asked.card_plays, usual.card_plays)
    assert (usual.cards, usual.games.card_events) == ((), None)


# Games whose course is known


def test_who_passes_until_fatigue_draws_every_card_and_plays_none() -> None:
    results = evaluate("Starter Rogue", pilot="pass", suite=ASLEEP, games=6, keep_games=True, cards=True)
    found = results.cards[0]
    assert found.counts["drawn"].tolist() == [6] * len(found)
    assert not found.counts["played"].any()
    assert np.isnan(found.turn_played.value).all()
    assert np.isnan(found.win_rates["played"].value).all()
    cheap = np.array([CARDS.by_id[card].cost <= 3 for card in found.ids])
    assert np.array_equal(found.counts["kept"], np.where(cheap, found.counts["offered"], 0))
    assert results.games is not None
    assert results.games.card_events is not None
    dealt = results.games.card_events[0, :, :, core.CARD_EVENTS.index("offered")].sum(axis=1)
    assert dealt.tolist() == np.where(results.course.seat == 0, 3, 4).tolist()


def test_a_pilot_that_notes_its_own_plays_finds_them_counted() -> None:
    noted: list[dict[str, int]] = []

    def plays_a_card_in_even_turns(view: State, actions: list[Action]) -> Action:
        if view.phase == "mulligan":
            noted.append({})
            return core.choose_kept(view, core.Mulligan.all)
        turn = (view.turn + 1) // 2
        play = next((action for action in actions if action.kind == ActionKind.play and turn % 2 == 0), None)
        if play is None:
            return next(action for action in actions if action.kind == ActionKind.end_turn)
        noted[-1].setdefault(view.side(view.player_to_move).hand[play.source].card, turn)
        return play

    found = evaluate("Starter Rogue", pilot=plays_a_card_in_even_turns, suite=ASLEEP, games=4, cards=True).cards[0]
    assert len(noted) == 4
    assert all(turn % 2 == 0 for game in noted for turn in game.values())
    for at, card in enumerate(found.ids):
        turns = [game[card] for game in noted if card in game]
        assert found.counts["played"][at] == len(turns)
        assert not turns or found.turn_played.value[at] == pytest.approx(np.mean(turns))
        assert found.counts["kept"][at] == found.counts["offered"][at]  # it keeps everything


# What follows from the counts


def test_totals_are_consistent() -> None:
    results = evaluate("Midrange Hunter", pilot="search", suite=LIVELY, games=60, cards=True, keep_games=True)
    found = results.cards[0]
    assert found.ids == tuple(card for card, _ in results.decks[0].cards)
    assert (found.counts["kept"] <= found.counts["offered"]).all()
    assert (found.counts["kept"] <= found.counts["drawn"]).all()
    assert (found.counts["played"] <= found.counts["drawn"]).all()
    assert (found.counts["drawn"] <= 60).all()
    for event in EVENTS:
        assert np.array_equal(found.win_rates[event].n, found.counts[event])
        among = found.counts["offered"] if event == "kept" else 60
        assert found.shares[event].value == pytest.approx(found.counts[event] / among, nan_ok=True)
    assert results.games is not None
    assert results.games.card_events is not None
    drawn = results.games.card_events[0, :, :, core.CARD_EVENTS.index("drawn")]
    openings = np.where(results.course.seat == 0, 3, 4)
    assert drawn.sum(axis=1).tolist() == (results.games.noted["cards_drawn"][0] + openings).tolist()
    won = results.games.noted["won"][0] == 1
    for at, card in enumerate(found.ids):
        here = drawn[:, results.decks[0].copies.index(card)] > 0
        assert found.win_rates["drawn"].value[at] == pytest.approx(won[here].mean())
        rate = found.win_rates["drawn"][at]
        assert 0 <= rate.low <= rate.value <= rate.high <= 1


def test_rows_can_be_written_as_json_and_have_no_number_that_is_not_one() -> None:
    rows = list(evaluate("Starter Rogue", pilot="pass", suite=ASLEEP, games=2, cards=True).cards[0].rows())
    assert all(row["turn_played"] is None and row["win_rate_played"] is None for row in rows)
    assert {"card", "copies", "games", "drawn", "drawn_share", "win_rate_drawn", "win_rate_drawn_low"} <= set(rows[0])
