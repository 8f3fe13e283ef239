"""What pilots of Hearthstone consider: it is what they play, it changes nothing, it is honest, and records keep it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.errors import StateError, TraceError
from deckatlas.games.hearthstone.agents import agent
from deckatlas.games.hearthstone.explanation import Explanation, Line
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.games.hearthstone.state import Action, ActionKind, Rng, State
from deckatlas.games.hearthstone.story import narrate
from deckatlas.play.replays import MOST_LINES
from helpers.hearthstone_play import some_state

DECKS = ("Starter Mage", "Starter Hunter")
PLANNERS = ["expert", "fast", "expert:considered=1", "search", "planner:score=aggro", "mcts:playouts=5"]
WITH_CHANCES = ["expert", "default", "fast", "expert:considered=1"]
SEEDS = range(12)
YETI, FIREBALL = "CS2_182", "CS2_029"


def some_turn(seed: int) -> State:
    """A state in a turn, at a random moment of a random game."""
    return next(state for state in map(some_state, range(100 * seed, 100 * seed + 100)) if state.phase == "main")


def explained(spec: str, state: State) -> list[tuple[object, ...]]:
    lines = agent(spec).explain(state, Rng(3, 0))
    return [(line.rating, line.chance, line.actions, line.names, line.complete) for line in lines]


def explained_game() -> GameRecord:
    return hearthstone.play_one("expert", "search", decks=DECKS, seed=5, explain=True)


# ---- lines of agents -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", PLANNERS)
def test_the_best_line_is_the_plan_and_its_first_action_is_played(spec: str) -> None:
    for seed in SEEDS:
        state = some_turn(seed)
        best = agent(spec).explain(state, Rng(seed, 0))[0]
        plan = agent(spec).plan(state, Rng(seed, 0))
        assert best.rating == plan.score
        assert best.actions[0] == plan.actions[0] == agent(spec).choose(state, Rng(seed, 0))
        if not plan.random:
            assert best.complete
            assert best.actions == plan.actions


@pytest.mark.parametrize("spec", PLANNERS)
def test_lines_are_different_legal_and_sorted(spec: str) -> None:
    for seed in SEEDS:
        state = some_turn(seed)
        lines = agent(spec).explain(state, Rng(seed, 0))
        ratings = [line.rating for line in lines]
        assert ratings == sorted(ratings, reverse=True)
        assert all(state.is_legal(line.actions[0]) for line in lines)
        assert all(len(line.actions) == len(line.names) for line in lines)
        assert len({tuple(map(str, line.actions)) for line in lines if line.complete}) == sum(
            line.complete for line in lines
        )


def test_an_expert_compares_the_lines_that_it_tries_replies_to() -> None:
    counts = {spec: [len(agent(spec).explain(some_turn(seed), Rng(seed, 0))) for seed in SEEDS] for spec in PLANNERS}
    assert max(counts["expert"]) >= 3
    assert {*counts["planner:score=aggro"]} == {1}


@pytest.mark.parametrize("spec", WITH_CHANCES)
def test_ratings_of_an_expert_are_chances(spec: str) -> None:
    for seed in SEEDS:
        chances = [line.chance for line in agent(spec).explain(some_turn(seed), Rng(seed, 0))]
        assert all(chance is not None and 0 <= chance <= 1 for chance in chances)
        assert chances == sorted(chances, key=lambda chance: -(chance or 0))


def test_other_agents_give_their_own_ratings() -> None:
    state = hearthstone.scenario({"me": {"class": "MAGE", "board": [YETI]}, "op": {"class": "HUNTER", "board": [YETI]}})
    assert agent("search").explain(state, Rng(1, 0))[0].chance is None


@pytest.mark.parametrize("spec", ["expert", "search", "planner:score=aggro"])
def test_a_found_win_is_certain(spec: str) -> None:
    me = {"class": "MAGE", "mana": 4, "max_mana": 4, "hand": [FIREBALL]}
    state = hearthstone.scenario({"me": me, "op": {"class": "HUNTER", "health": 6}})
    best = agent(spec).explain(state, Rng(1, 0))[0]
    assert best.chance == 1
    assert [str(action) for action in best.actions] == ["play 0 at enemy hero"]
    assert best.names == [("Fireball", None)]


def test_agents_that_do_not_plan_give_no_lines() -> None:
    for spec in ("random", "pass", "greedy"):
        assert agent(spec).explain(some_turn(1), Rng(1, 0)) == []


def test_the_choice_of_cards_to_keep_is_explained() -> None:
    for seed in range(3):
        state = hearthstone.new_game(*DECKS, seed=seed)
        lines = agent("expert").explain(state, Rng(seed, 0))
        kept = core.choose_kept(state, core.Mulligan.own, agent("expert"), Rng(seed, 0))
        assert lines[0].actions == [kept]
        assert {line.actions[0] for line in lines} == {*state.legal_actions()}
        chances = [line.chance or 0 for line in lines]
        assert chances == sorted(chances, reverse=True)
        assert chances[0] > chances[-1]
        assert agent("search").explain(state, Rng(seed, 0)) == []


@pytest.mark.parametrize("spec", ["expert", "search", "planner:score=aggro"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 1000), guess=st.integers(0, 1000))
def test_what_a_player_cannot_see_changes_no_line(spec: str, seed: int, guess: int) -> None:
    state = some_turn(seed)
    player = state.player_to_move
    lines = explained(spec, state)
    assert explained(spec, state.resample(player, guess)) == lines
    assert explained(spec, state.view(player)) == lines


def test_what_a_player_cannot_see_changes_nothing_in_the_mulligan() -> None:
    state = hearthstone.new_game(*DECKS, seed=4)
    lines = explained("expert", state)
    for guess in range(3):
        assert explained("expert", state.resample(0, guess)) == lines


def test_only_the_player_to_move_is_asked() -> None:
    state = some_turn(2)
    with pytest.raises(StateError, match="not to move"):
        agent("expert").explain(state.view(1 - state.player_to_move), Rng(1, 0))


# ---- explained games -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pilots", [("expert", "search"), ("fast", "planner:score=aggro"), ("random", "greedy")])
def test_explaining_does_not_change_the_game(pilots: tuple[str, str]) -> None:
    for seed in range(2):
        plain = hearthstone.play_one(*pilots, decks=DECKS, seed=seed)
        assert plain.explanations == ()
        assert replace(hearthstone.play_one(*pilots, decks=DECKS, seed=seed, explain=True), explanations=()) == plain


def test_every_action_of_an_expert_belongs_to_an_explained_plan() -> None:
    record = hearthstone.play_one("expert", "default", decks=DECKS, seed=5, explain=True)
    explained_actions = {each.action: each.lines for each in record.explanations}
    for number in range(len(record.actions)):
        if number == 0 or record.actions[number - 1].kind in (ActionKind.end_turn, ActionKind.keep):
            assert number in explained_actions
    assert len(explained_actions) < len(record.actions)  # some continue a plan
    for lines in explained_actions.values():
        assert 1 <= len(lines) <= MOST_LINES
        chances = [line.chance for line in lines]
        assert chances == sorted(chances, key=lambda chance: -(chance or 0))


def test_the_first_line_in_words_is_what_is_played() -> None:
    record = explained_game()
    states = list(record.replay())
    plays = 0
    for each in record.explanations:
        state, action, words = states[each.action], record.actions[each.action], each.lines[0].words
        if action.kind == ActionKind.play:
            played = state.side(state.player_to_move).hand[action.source].name
            assert words.startswith(f"play {played}")
            plays += 1
        elif action.kind == ActionKind.end_turn:
            assert words == "end the turn"
        elif action.kind == ActionKind.attack:
            assert " attacks " in words.partition(";")[0]
    assert plays > 3


def test_an_explained_record_round_trips() -> None:
    record = explained_game()
    again = GameRecord.from_text(record.to_text())
    assert again == record
    assert again.to_text() == record.to_text()
    assert narrate(again) == narrate(record)


def test_a_record_without_its_plans_is_the_plain_record() -> None:
    record = explained_game()
    lines = record.to_text().splitlines(keepends=True)
    assert any(line.startswith("plan 0.1: ") for line in lines)
    without = "".join(line for line in lines if not line.startswith("plan "))
    assert without == replace(record, explanations=()).to_text()
    assert GameRecord.from_text(without) == replace(record, explanations=())


@given(words=st.text(min_size=1), chance=st.integers(0, 10_000), rating=st.integers(-(2**31), 2**31 - 1))
@settings(max_examples=50, deadline=None)
def test_any_line_round_trips(words: str, chance: int, rating: int) -> None:
    for line in (Line(words, chance / 10_000), Line(words, rating=rating)):
        text = line.to_text()
        assert len(text.splitlines()) == 1
        assert Line.from_text("plan 1.1", text) == line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("plan 1.99: 50.00% end the turn", "there is no such action"),
        ("plan 1: 50.00% end the turn", "there is no such action"),
        ("plan 1.1: 150.00% end the turn", "is not a chance or a rating"),
        ("plan 1.1: end the turn", "is not a chance or a rating"),
        ("plan 1.1:", "is not a chance or a rating"),
        ('plan 1.1: 50.00% "end', "is not a JSON string"),
        ("plan", "out of place"),
    ],
)
def test_a_broken_plan_is_refused_with_the_reason(line: str, why: str) -> None:
    text = hearthstone.play_one("pass", "pass", decks=DECKS, seed=1).to_text()
    assert GameRecord.from_text(f"{text}plan 1.1: 50.00% end the turn\n").explanations
    with pytest.raises(TraceError, match=why):
        GameRecord.from_text(f"{text}{line}\n")


def test_explanations_belong_to_actions_in_order() -> None:
    record = hearthstone.play_one("pass", "pass", decks=DECKS, seed=1)
    first, second = (Explanation(number, (Line("end the turn", 0.5),)) for number in (2, 3))
    assert replace(record, explanations=(first, second)).explanations == (first, second)
    for wrong in ((second, first), (first, first), (replace(first, action=10_000),), (replace(first, lines=()),)):
        with pytest.raises(TraceError, match="explanation"):
            replace(record, explanations=wrong)


# ---- stories ---------------------------------------------------------------------------------------------------------


def test_a_story_shows_the_lines_and_the_chance_before_every_action() -> None:
    start = hearthstone.scenario({"me": {"class": "MAGE", "board": [YETI]}, "op": {"class": "HUNTER", "health": 4}})
    compared = (Line("Chillwind Yeti attacks the enemy hero", 1.0), Line("end the turn", 0.625))
    attack = Action.from_text("attack 0 at enemy hero")
    record = GameRecord(
        start.to_text(), Rng(1, 0).state, ("a", "b"), (attack,), 0, explanations=(Explanation(0, compared),)
    )
    lines = narrate(record).splitlines()
    assert "second does not say what it considers" in lines
    at = lines.index("  > 100 %  Chillwind Yeti attacks the enemy hero")
    assert lines[at + 1] == "     62 %  end the turn"
    assert lines[at + 2].startswith("  100 %  Chillwind Yeti 4/5 attacks second")


def test_a_story_without_explanations_has_none() -> None:
    record = explained_game()
    plain, told = (narrate(each).splitlines() for each in (replace(record, explanations=()), record))
    assert len(told) > len(plain)
    assert not any(" %  " in line or "rating" in line for line in plain)
