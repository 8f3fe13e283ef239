"""The agent `expert`: its opening cards, its plans and its settings."""

import numpy as np
import pytest

from deckatlas import hearthstone
from deckatlas._core import hearthstone as core
from deckatlas.errors import AgentError, StateError
from deckatlas.games.hearthstone.agents import agent, spelled_out
from deckatlas.games.hearthstone.state import Rng

DECKS = ("Handlock", "Face Hunter")


def opening(seed: int, *, player: int = 0) -> core.State:
    state = hearthstone.new_game(*DECKS, seed=seed)
    if player == 1:
        state.apply(core.choose_kept(state, core.Mulligan.all), Rng(seed, 2))
    return state


def test_expert_chooses_its_opening_cards_by_itself() -> None:
    expert, states = agent("expert"), [opening(seed) for seed in range(20)]
    chosen = [core.choose_kept(state, core.Mulligan.own, expert, Rng(1, 0)) for state in states]
    assert chosen != [core.choose_kept(state, core.Mulligan.cheap) for state in states]


@pytest.mark.parametrize("player", [0, 1])
def test_opening_cards_do_not_depend_on_what_is_hidden(player: int) -> None:
    for seed in range(5):
        state = opening(seed, player=player)
        guess = state.view(player)
        choices = {
            str(core.choose_kept(each, core.Mulligan.own, agent("expert"), Rng(seed, player)))
            for each in (state, guess)
        }
        assert len(choices) == 1


def test_the_view_of_the_other_player_is_refused() -> None:
    state = opening(1).view(1)
    with pytest.raises(StateError, match="player 1's view"):
        core.choose_kept(state, core.Mulligan.own, agent("expert"), Rng(1, 0))
    with pytest.raises(StateError, match="player 1's view"):
        agent("expert").explain(state, Rng(1, 0))


def test_other_agents_keep_cheap_cards() -> None:
    for seed in range(5):
        own = core.choose_kept(opening(seed), core.Mulligan.own, agent("search"), Rng(seed, 0))
        assert own == core.choose_kept(opening(seed), core.Mulligan.cheap)


def test_what_a_line_draws_counts_as_on_average() -> None:
    state = hearthstone.scenario(
        {
            "me": {
                "class": "MAGE",
                "hand": ["Arcane Intellect"],
                "mana": 3,
                "max_mana": 8,
                "deck": ["Pyroblast", "War Golem"] * 5,
            },
            "op": {"class": "HUNTER", "health": 20},
        }
    )

    def chances(luck: int) -> list[float]:
        """Of drawing two cards, by other guesses of what they are."""
        pilot = agent(f"expert:luck={luck},replies=0")
        found = []
        for seed in range(30):
            lines = [line for line in pilot.explain(state, Rng(seed, 0)) if "play 0" in map(str, line.actions)]
            assert lines[0].chance is not None
            found.append(lines[0].chance)
        return found

    first, average = chances(0), chances(16)
    assert np.std(average) < 0.6 * np.std(first)
    assert np.mean(average) == pytest.approx(np.mean(first), abs=0.02)


def test_no_chance_is_above_one() -> None:
    hand = ["Arcane Intellect", "Fireball", "Frostbolt"]
    state = hearthstone.scenario(
        {
            "me": {"class": "MAGE", "hand": hand, "max_mana": 9, "deck": ["Fireball", "Wisp"] * 5},
            "op": {"class": "HUNTER", "health": 14},
        }
    )
    for seed in range(40):
        for line in agent("expert").explain(state, Rng(seed, 0)):
            assert line.chance is not None
            assert 0 <= line.chance <= 1


def test_specs_are_spelled_out_by_what_they_stand_for() -> None:
    assert spelled_out("default") == spelled_out("expert") == spelled_out("expert:width=12")
    assert spelled_out("fast") != spelled_out("expert")
    assert "luck=0" in spelled_out("fast")
    assert spelled_out("random") == "random:active=False"


def test_default_stands_for_expert() -> None:
    results = [hearthstone.play(name, "greedy", decks=DECKS, games=6, seed=3).columns for name in ("default", "expert")]
    for name, column in results[0].items():
        assert np.array_equal(column, results[1][name]), name


def test_expert_beats_search_with_the_same_deck() -> None:
    match = hearthstone.play("expert", "search", decks=("Handlock", "Handlock"), games=100, seed=5)
    assert match.rate.low > 0.5


def test_wrong_options_are_refused() -> None:
    with pytest.raises(AgentError, match="cannot read the network"):
        agent("expert:net=no such file.npz")
    for wrong in ("width=0", "finalists=65", "luck=65", "replies=65", "reply_width=0", "considered=0", "openings=0"):
        with pytest.raises(AgentError, match=wrong.partition("=")[0]):
            agent(f"expert:{wrong}")
