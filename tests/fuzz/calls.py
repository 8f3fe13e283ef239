"""Calls of the bindings that work: what fuzzing starts from. Each is quick, and is made again for every case."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from deckatlas import _core as core
from deckatlas._core import hearthstone as hs
from deckatlas._core import learning, locm, numeric, patterns, surrogate
from deckatlas.errors import DeckatlasError
from deckatlas.games.hearthstone.cards.editions import edition
from deckatlas.games.hearthstone.setup import deck_rows
from deckatlas.games.locm.cards import official_table


class Patience:
    """A function that reports progress, and has enough after a second."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def __call__(self, done: int) -> None:
        if time.monotonic() - self._start > 1:
            raise DeckatlasError("it takes too long")


@dataclass
class Call:
    """A function, and arguments that may be changed."""

    function: Callable[..., Any]
    arguments: list[Any]
    options: dict[str, Any] = field(default_factory=dict)
    watched: bool = False

    def run(self) -> Any:
        """Makes the call; one that plays or trains for long is stopped."""
        if self.watched:
            self.options["progress"] = Patience()
        return self.function(*self.arguments, **self.options)


@cache
def _decks() -> Any:
    return deck_rows(("Starter Mage", "Starter Hunter"), edition())


def _courses(**more: Any) -> dict[str, Any]:
    seeds = np.arange(3, dtype=np.uint64)
    numbers = [np.array(each, np.int32) for each in ([0, 1], [1, 0], [0, 1])]
    starts = np.array([0, 2, 3], np.int64)
    return {
        **dict(zip(("first", "second", "course"), numbers, strict=True)),
        "starts": starts,
        "draft_seeds": seeds,
        "game_seeds": seeds.copy(),
        "format": "referee",
        "threads": 2,
        **more,
    }


def _locm_state(*, battle: bool) -> locm.State:
    deck = np.arange(1, 31, dtype=np.int32)
    table = official_table()
    return (
        locm.State.from_decks(table, np.stack([deck, deck]), 3)
        if battle
        else locm.State.new_game(table, 1, 1, "referee")
    )


def _hearthstone_state() -> hs.State:
    state = hs.State.new_game(edition().card_set, _decks(), locm.Rng(1, 2))
    for _ in range(2):
        state.apply(state.legal_actions()[0], locm.Rng(1, 2))
    return state


def _network(inputs: int, outputs: int) -> core.Network:
    rng = np.random.default_rng(1)
    return core.network([(rng.normal(size=(inputs, outputs)), np.zeros(outputs))], "tanh")


def _side() -> dict[str, Any]:
    ids = edition().compiled.index
    return {
        "hero": ids["HERO_08"],
        "power": ids["CS2_034"],
        "health": 30,
        "max_health": 30,
        "armor": 0,
        "crystals": 5,
        "used": 0,
        "fatigue": 0,
        "hand": [ids["CS2_029"]],
        "deck": [ids["CS2_029"]] * 3,
        "weapon": None,
        "secrets": [ids["EX1_287"]],
        "board": [(ids["CS2_120"], 0, False)],
    }


def _rating(width: int = 32) -> list[Any]:
    hidden = hs.NETWORK_HIDDEN
    zones = {zone.kind: zone for zone in hs.PositionFeatures(edition().card_set).zones}
    first_card = min(zone.first for zone in hs.PositionFeatures(edition().card_set).zones if zone.kind == "cards")
    card_zones = sum(zone.kind == "cards" for zone in hs.PositionFeatures(edition().card_set).zones)
    assert zones
    arrays = {
        "own_numbers": np.ones((first_card, width + 1), np.int16),
        "own_cards": np.ones((1, card_zones, width + 1), np.int16),
        "shared": np.ones((len(hs.FEATURE_ATTRIBUTES), width + 1), np.int32),
        "bias": np.zeros(width, np.int32),
        "first": np.ones((2, hidden, width), np.int16),
        "second": np.ones((2, hidden, hidden), np.int16),
        "last": np.ones((2, hidden), np.int16),
        "first_bias": np.zeros((2, hidden), np.int32),
        "second_bias": np.zeros((2, hidden), np.int32),
        "last_bias": np.zeros((2, 1), np.int32),
    }
    return [width, ["CS2_029"], arrays, [("mage", ["CS2_029"])]]


@cache
def _learned() -> hs.LearnedRating:
    return hs.LearnedRating(*_rating())


def _attributes() -> tuple[Any, ...]:
    return (
        np.array([0, 1, 2, 3, 4], np.int64),
        np.array([0, 1, 0, 1], np.uint16),
        np.ones(4, np.float32),
        np.zeros(0, np.uint16),
    )


SHAPE: dict[str, Any] = {"features": 4, "attribute_count": 2, "hidden": 16, "layers": [4], "stacks": 2}
LIMITS: dict[str, Any] = {"row_limit": 4.0, "dense_limit": 4.0}


def _trainer() -> learning.SparseTrainer:
    return learning.SparseTrainer(_attributes(), **SHAPE, **LIMITS, seed=1)


def _samples(*, labelled: bool) -> list[Any]:
    inputs: list[Any] = [np.array([0, 2, 4], np.int64), np.array([0, 1, 2, 3], np.uint16), np.array([0, 1], np.uint8)]
    return [*inputs, np.array([0.2, 0.8], np.float32), np.ones(2, np.float32)] if labelled else inputs


def _layers() -> list[Any]:
    rng = np.random.default_rng(2)
    sizes = ((4, 3), (3, 2))
    return [(rng.normal(size=size).astype(np.float32), np.zeros(size[1], np.float32)) for size in sizes]


def _model() -> surrogate.Model:
    return surrogate.Model([_layers()], most_cards=6)


def _map_options() -> dict[str, Any]:
    return {
        "objective": 0,
        "measures": [1, (np.arange(4), "sum")],
        "side": "right",
        "predictions": 50,
        "initial": 8,
        "boundaries": [np.array([-1.0, 0.0, 1.0]), np.array([0.0, 5.0, 20.0])],
        "batch": 4,
        "seed": 1,
        "starts": np.full((1, 4), 1, np.uint8),
        "least_copies": None,
        "limits": [],
    }


def _sets() -> dict[str, Any]:
    return {"least": 1, "fewest": 1, "longest": 3, "only_maximal": True, "most_sets": 100, "most_steps": 10_000}


def _floats(*shape: int) -> Any:
    return np.random.default_rng(3).normal(size=shape)


def _locm_calls() -> list[Call]:
    table, battle, draft = official_table(), _locm_state(battle=True), _locm_state(battle=False)
    rng = locm.Rng(1, 0)
    policies, agents = [locm.random_draft()] * 2, [locm.random_agent(), locm.greedy_agent()]
    match = {"first_game": 0, "games": 3, "seed": 1, "format": "referee", "swap_seats": True, "threads": 2}
    return [
        Call(locm.CardTable, [table.rows.copy(), "a"]),
        Call(locm.State.new_game, [table, 1, 2, "distinct"]),
        Call(locm.State.from_decks, [table, np.full((2, 30), 7, np.int32), 3]),
        Call(locm.State.from_text, [table, battle.to_text()]),
        Call(locm.Action.from_text, ["ATTACK 3 -1"]),
        Call(battle.apply, [battle.legal_actions()[-1]]),
        Call(battle.numbered_action, [0]),
        Call(battle.resample, [0, 5, np.ones(160)]),
        Call(battle.view, [1]),
        Call(battle.side, [1]),
        Call(draft.chosen, [0]),
        Call(locm.Rng, [1, 1]),
        Call(rng.below, [7]),
        Call(locm.ranking_draft, [np.arange(160.0)]),
        Call(locm.seat_ranking_draft, [np.zeros((2, 2, 160))], {"last_on_ties": True}),
        Call(locm.pattern_draft, [np.zeros((2, 160)), np.ones((2, 7), np.int32)]),
        Call(locm.curve_draft, [np.zeros((2, 160)), np.zeros((2, 8)), np.zeros((2, 8))]),
        Call(locm.net_draft, [_network(48, 3), _network(48, 3)]),
        Call(locm.fixed_deck, [np.arange(1, 31, dtype=np.int32)]),
        Call(locm.ranking_draft(np.arange(160.0)).choose, [draft, rng]),
        Call(locm.coac_agent, [50, True]),
        Call(locm.mcts_agent, [20, 0.5]),
        Call(locm.planner_agent, [8, 4, None]),
        Call(locm.onelane_agent(100).choose, [battle, rng, 1.5]),
        Call(locm.chad_agent(50).choose, [battle, rng, 0.1]),
        Call(locm.mctsp_agent(20, 0.5).choose, [battle, rng, None]),
        Call(locm.play_match, [table, policies[0], agents[0], policies[1], agents[1]], match, watched=True),
        Call(
            locm.play_match,
            [table, policies[0], agents[0], policies[1], agents[1]],
            match | {"times": np.zeros((2, 2, 3))},
            watched=True,
        ),
        Call(locm.play_courses, [table, policies, agents], _courses(), watched=True),
        Call(locm.draft_offers, [np.arange(3, dtype=np.uint64)], {"format": "referee"}),
        Call(locm.draft_decks, [table, policies[0], np.arange(3, dtype=np.uint64)], {"seat": 1, "format": "distinct"}),
        Call(locm.game_seed, [1, 5, True]),
        Call(locm.copy_nanoseconds, [battle, 100]),
    ]


def _number_calls() -> list[Call]:
    square = _floats(4, 4)
    return [
        Call(core.network, [[(_floats(3, 2), _floats(2))], "elu", "none"]),
        Call(_network(3, 2).evaluate, [[1.0, 2.0, 3.0]]),
        Call(numeric.eigensystem, [square @ square.T]),
        Call(numeric.combined_rows, [_floats(4), square]),
        Call(numeric.row_products, [square, _floats(4)]),
        Call(numeric.add_outer_products, [square, _floats(3), _floats(3, 4)]),
        Call(numeric.triangle, [square @ square.T]),
        Call(numeric.solve_triangle, [np.triu(square), _floats(2, 4)], {"transposed": True}),
        Call(patterns.frequent_sets, [np.ones((3, 4), bool), np.ones(3, np.int64), np.full(4, -1)], _sets()),
        Call(numeric.exp, [0.5]),
        Call(numeric.log, [0.5]),
    ]


def _hearthstone_calls() -> list[Call]:
    cards, decks, state, rng = edition().card_set, _decks().copy(), _hearthstone_state(), locm.Rng(1, 1)
    pilots = [hs.random_agent(), hs.pass_agent()]
    match = {"games": 2, "seed": 1, "mulligan": hs.Mulligan.own, "swap_seats": True, "threads": 2}
    course = {"opponent": np.array([0, 1], np.int32), "seat": np.array([0, 1], np.uint8)}
    pairs = np.array([[0, 1], [1, 0]], np.int32)
    network = _learned().network_for(cards)
    recorded = [np.array([0, 2, 3], np.int64), np.array([1, 2, 3], np.uint16), np.array([0, 1], np.uint8)]
    return [
        Call(hs.State.make, [cards, _side(), _side()], {"active": 0, "turn": 3}),
        Call(hs.State.new_game, [cards, decks, rng]),
        Call(hs.State.from_text, [cards, state.to_text()]),
        Call(hs.Action, [hs.ActionKind.attack], {"source": 1, "choice": 0, "target": 9, "position": 7}),
        Call(hs.Action.from_text, ["play 2 at enemy hero"]),
        Call(hs.Action.from_number, [3]),
        Call(state.apply, [state.legal_actions()[0], rng]),
        Call(state.apply_recorded, [state.legal_actions()[0], [(3, 1, 0)]]),
        Call(state.resample, [0, 3, None]),
        Call(state.view, [0]),
        Call(hs.Unseen, [state, 0, None]),
        Call(hs.Rating.linear, [[1.0] * 15]),
        Call(hs.Rating.linear([1e300] * 15).rate, [state, 0]),
        Call(hs.Rating.network, [_network(15, 1)]),
        Call(
            hs.planner_agent,
            [hs.Rating(hs.Score.ramp)],
            {"width": 3, "depth": 4, "information": hs.Information.honest, "replan": True},
        ),
        Call(hs.search_agent(2, 2).choose, [state, rng]),
        Call(hs.mcts_agent, [5, 0.1, None]),
        Call(
            hs.expert_agent(
                _learned(), width=2, finalists=2, luck=1, considered=1, replies=1, reply_width=1, openings=1
            ).explain,
            [state, rng],
        ),
        Call(
            hs.play_match,
            [cards, pilots[0], decks, pilots[1], decks.copy()],
            match | {"times": np.zeros((2, 2, 3))},
            watched=True,
        ),
        Call(hs.count_game, [cards, decks, decks.copy(), []], {"game": 0, "seed": 1, "swap_seats": True}),
        Call(hs.meeting_seeds, [1, np.array([0, 1], np.int32), np.array([0, 1], np.int64), True]),
        Call(
            hs.evaluate_decks,
            [cards, pilots[0], decks, pilots, decks.copy()],
            {
                **course,
                "seed": np.arange(2, dtype=np.uint64),
                "mulligan": hs.Mulligan.all,
                "threads": 2,
                "card_events": True,
            },
        ),
        Call(hs.note_game, [cards, decks, []], {"seat": 0, "seed": 1, "retries": 0}),
        Call(
            hs.record_positions,
            [cards, pilots, decks, pairs, pairs.copy(), np.arange(2, dtype=np.uint64)],
            {"mulligan": hs.Mulligan.own, "share": 0.5, "explorer": pilots[0], "explored": 0.5, "threads": 2},
        ),
        Call(hs.rate_recorded, [network, *recorded]),
        Call(hs.LearnedRating, _rating()),
        Call(_learned().guess, [state, 0, 5]),
        Call(network.rate, [state, 0, hs.Moment.turn_ended]),
        Call(hs.chance_of_logit, [5]),
        Call(hs.PositionFeatures(cards).name_of, [3]),
        Call(hs.PositionFeatures(cards).list, [state, 0, hs.Moment.turn_begins]),
    ]


def _training_calls() -> list[Call]:
    rates = {"batch_size": 2, "rate": 0.1, "final_rate": 0.01, "weight_decay": 0.0, "seed": 1}
    rows = [_floats(3, 4).astype(np.float32), _floats(3, 2).astype(np.float32), np.ones(3, np.float32)]
    trainer = surrogate.Trainer([4, 3, 2], 1)
    steps, parameters, first, second = trainer.state()
    return [
        Call(learning.SparseTrainer, [_attributes()], {**SHAPE, **LIMITS, "seed": 1}),
        Call(_trainer().fit, _samples(labelled=True), rates | {"threads": 2}, watched=True),
        Call(_trainer().loss_and_gradients, _samples(labelled=True), {"threads": 2}),
        Call(_trainer().predict, _samples(labelled=False), {"threads": 2}),
        Call(surrogate.Trainer, [[4, 3, 2], 1]),
        Call(trainer.fit, rows, rates | {"epochs": 2}, watched=True),
        Call(trainer.loss_and_gradients, rows),
        Call(trainer.predict, rows[:1]),
        Call(surrogate.Trainer.restored, [[4, 3, 2], steps, parameters, first, second]),
        Call(surrogate.Model, [[_layers()]], {"most_cards": 6}),
        Call(_model().predict, [np.ones((2, 4), np.uint8)]),
        Call(_model().predict_vectors, [_floats(2, 4)]),
        Call(surrogate.product, [rows[0], _floats(4, 2).astype(np.float32)]),
        Call(surrogate.inner_map, [_model(), np.full(4, 2, np.int64), 4], _map_options(), watched=True),
    ]


_GROUPS = (_locm_calls, _number_calls, _hearthstone_calls, _training_calls)


@cache
def call_names() -> tuple[str, ...]:
    """The names of the functions of all calls, in order."""
    return tuple(call.function.__name__ for group in _GROUPS for call in group())


def new_call(place: int) -> Call:
    """One of the calls, with new arguments: a call may change them, and other threads will."""
    for group in _GROUPS:
        calls = group()
        if place < len(calls):
            return calls[place]
        place -= len(calls)
    raise IndexError(place)
