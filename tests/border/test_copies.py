"""States, actions, records, editions, decks and agents are pickled and deep-copied by their texts."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deckatlas import hearthstone, locm
from deckatlas._core import hearthstone as hearthstone_core
from deckatlas._core import locm as locm_core
from deckatlas.errors import AgentError, CardError
from deckatlas.games.hearthstone.agents import agent
from deckatlas.games.locm.agents import battle_agent, draft_policy
from deckatlas.games.locm.entrants import entrant

LOCM_EDITION = locm.edition().patched(locm.Patch("quieter", {"Slimer": {"cost": 2}}))
CHEAPER = hearthstone.Patch("cheaper", {"Fireball": {"cost": 3}})
HEARTHSTONE_EDITION = hearthstone.edition().patched(CHEAPER)
MADE_TWICE = HEARTHSTONE_EDITION.patched(hearthstone.Patch("stronger", {"Frostbolt": {"cost": 1}}))


def locm_state(edition: Any) -> locm.State:
    state = locm.new_game(seed=5, edition=edition)
    while not state.in_battle or state.turn < 3:
        state.apply(state.legal_actions()[-1 if state.in_battle and state.turn % 2 else 0])
    return state


def hearthstone_state(edition: Any) -> hearthstone.State:
    rng = hearthstone.Rng(1, 0)
    state = hearthstone.new_game("Starter Mage", "Starter Hunter", seed=1, edition=edition)
    while state.turn < 5:
        state.apply(state.legal_actions()[0], rng)
    return state


def crossed(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("edition", ["1.2", LOCM_EDITION])
def test_states_and_actions_of_locm_cross(edition: Any) -> None:
    state = locm_state(edition)
    for each in (state, state.view(1), locm.new_game(seed=1, edition=edition)):
        for other in (crossed(each), copy.deepcopy(each), copy.copy(each)):
            assert other == each
            assert other.to_text() == each.to_text()
            assert other.cards.edition == each.cards.edition
    action = state.legal_actions()[0]
    for other in (crossed(action), copy.deepcopy(action)):
        assert other == action
        assert state.is_legal(other)
    moved = crossed(state)
    moved.apply(crossed(action))
    assert moved != state


def test_states_of_locm_that_cross_apart_share_their_cards() -> None:
    assert crossed(locm_state("1.2")).cards is locm.new_game().cards
    state = locm_state(LOCM_EDITION)
    assert crossed(state).cards is crossed(state).cards


@pytest.mark.parametrize("edition", ["2018-12", "sabberstone", HEARTHSTONE_EDITION, MADE_TWICE])
def test_states_and_actions_of_hearthstone_cross(edition: Any) -> None:
    state = hearthstone_state(edition)
    for each in (state, state.view(0)):
        for other in (crossed(each), copy.deepcopy(each)):
            assert other == each
            assert other.hash == each.hash
    action = state.legal_actions()[0]
    assert crossed(action) == copy.deepcopy(action) == action
    moved, same = crossed(state), state.copy()
    for each in (moved, same):
        each.apply(action, hearthstone.Rng.from_state(7))
    assert moved == same


@pytest.mark.parametrize(
    "edition", [locm.edition(), LOCM_EDITION, hearthstone.edition(), HEARTHSTONE_EDITION, MADE_TWICE]
)
def test_editions_cross(edition: Any) -> None:
    for other in (crossed(edition), copy.deepcopy(edition)):
        assert other == edition
        assert other.name == edition.name
    assert crossed(locm.edition()) is locm.edition()
    assert crossed(hearthstone.edition("2019-12")) is hearthstone.edition("2019-12")


def test_an_edition_without_known_patches_crosses_with_its_cards_but_its_states_do_not() -> None:
    edition = hearthstone.Edition("own", hearthstone.edition().cards)
    assert crossed(edition) == edition
    with pytest.raises(
        CardError, match="the cards of 'own' are not a patched edition, so they cannot be sent to another process"
    ):
        pickle.dumps(hearthstone_state(edition))


def test_records_and_decks_cross() -> None:
    record = locm.play_one("icebox/greedy", "random/greedy", seed=3)
    assert crossed(record) == copy.deepcopy(record) == record
    assert crossed(record).to_text() == record.to_text()
    decks = ("Starter Mage", "Starter Hunter")
    played = hearthstone.play_one("random", "random", decks=decks, seed=3, edition=HEARTHSTONE_EDITION)
    assert crossed(played).to_text() == played.to_text()
    assert list(crossed(played).replay())[-1] == list(played.replay())[-1]
    deck = hearthstone.named_decks()["Starter Mage"]
    assert crossed(deck) == copy.deepcopy(deck) == deck


def test_agents_cross_by_their_texts_and_play_the_same() -> None:
    state = locm_state("1.2")
    battle: Any = battle_agent("planner:width=4")
    for other in (crossed(battle), copy.deepcopy(battle), crossed(battle.fresh())):
        assert other.spec == "planner:width=4"
        assert other.choose(state, locm_core.Rng(1, 0)) == battle.fresh().choose(state, locm_core.Rng(1, 0))
    draft = draft_policy("atlas")
    assert crossed(draft).choose(locm.new_game(seed=2), locm_core.Rng(1, 0)).verb == "PICK"
    pilot = agent("planner:score=aggro")
    turn = hearthstone_state("2018-12")
    for made in (crossed(pilot), copy.deepcopy(pilot), pilot.fresh()):
        assert made.choose(turn, hearthstone.Rng(1, 0)) == agent("planner:score=aggro").choose(
            turn, hearthstone.Rng(1, 0)
        )
    named = crossed(entrant("icebox/greedy"))
    assert named.name == "icebox/greedy"


def test_an_agent_that_was_not_made_from_a_text_is_refused() -> None:
    for made in (locm_core.greedy_agent(), hearthstone_core.pass_agent(), locm_core.random_draft()):
        with pytest.raises(
            AgentError, match="was not made from a text such as 'greedy', so it cannot be sent to another process"
        ):
            pickle.dumps(made)


def test_streams_cross_where_they_are() -> None:
    rng = hearthstone.Rng(3, 1)
    rng.below(100)
    for other in (crossed(rng), copy.deepcopy(rng)):
        assert other.state == rng.state
        assert other.below(1000) == hearthstone.Rng.from_state(rng.state).below(1000)


def test_another_process_reads_what_this_one_wrote(tmp_path: Path) -> None:
    file = tmp_path / "pickled"
    states: list[Any] = [locm_state(LOCM_EDITION), hearthstone_state(MADE_TWICE)]
    file.write_bytes(pickle.dumps([*states, battle_agent("greedy"), agent("random")]))
    program = "import pickle, sys; print(*(s.to_text() for s in pickle.load(open(sys.argv[1], 'rb'))[:2]), sep='\\n')"
    printed = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
    assert printed.stdout.splitlines() == [state.to_text() for state in states]
