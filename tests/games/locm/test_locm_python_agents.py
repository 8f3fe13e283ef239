"""Python callables in matches: what they are given, what they may answer, and what happens if they do otherwise."""

import numpy as np
import numpy.typing as npt
import pytest

from deckatlas import locm
from deckatlas.games.locm.entrants import Draft
from deckatlas.games.locm.players import AgentFunction
from helpers.locm_matches import column_bytes

Legal = list[locm.Action]


def first_action(view: locm.State, actions: Legal) -> locm.Action:
    return actions[0]


def last_action(view: locm.State, actions: Legal) -> locm.Action:
    return actions[-1]


def by_score(scores: npt.NDArray[np.float64]) -> AgentFunction:
    """A draft policy that does in Python what a ranking does in the core."""

    def best_offered(view: locm.State, actions: Legal) -> locm.Action:
        offer = view.offers[len(view.chosen(view.player_to_move))]
        return max(actions, key=lambda action: scores[offer[action.id] - 1])

    return best_offered


# ---- the same as an agent of the core --------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["referee", "distinct"])
def test_a_callable_for_the_battle_plays_as_an_agent_of_the_core_does(format: str) -> None:
    passes = locm.play("icebox/pass", "random/greedy", games=20, seed=3, format=format)
    in_python = locm.play(("icebox", first_action), "random/greedy", games=20, seed=3, format=format)
    assert column_bytes(in_python) == column_bytes(passes)
    assert (in_python.a, in_python.b) == ("icebox/first_action", "random/greedy")


def test_a_callable_for_the_draft_and_a_ranking_draft_as_a_named_ranking_does() -> None:
    scores = locm.rankings()["closetai"]
    named = locm.play("closetai/greedy", "random/random", games=20, seed=3)
    drafts: list[Draft] = [scores, list(scores), tuple(scores), by_score(scores)]
    for draft in drafts:
        assert column_bytes(locm.play((draft, "greedy"), "random/random", games=20, seed=3)) == column_bytes(named)


def test_with_given_decks_a_callable_is_a_battle_agent() -> None:
    decks = ([1] * 30, [3, 7, 29] * 10)
    passes = locm.play("pass", "random", games=20, decks=decks)
    in_python = locm.play(first_action, "random", games=20, decks=decks)
    assert column_bytes(in_python) == column_bytes(passes)


def test_the_highest_score_may_be_infinite_and_so_may_the_lowest() -> None:
    finite = [float(card) for card in range(1, 161)]
    infinite = [-np.inf, *finite[1:-1], np.inf]
    matches = [locm.play((scores, "greedy"), "random/random", games=50) for scores in (finite, infinite)]
    assert column_bytes(matches[0]) == column_bytes(matches[1])


# ---- what a callable sees --------------------------------------------------------------------------------------------


def test_a_callable_sees_its_own_view_and_the_legal_actions_of_both_phases() -> None:
    seats, phases = set(), set()

    def look(view: locm.State, actions: Legal) -> locm.Action:
        me = view.player_to_move
        seats.add(me)
        phases.add(view.in_battle)
        assert view.viewer == me
        assert actions == view.legal_actions()
        if view.in_battle:
            assert not any(card.card for card in view.side(1 - me).hand)
            assert not any(view.deck(me)[view.side(me).drawn :])
            assert all(card.card for card in view.side(me).hand)
        else:
            made = len(view.chosen(me))
            assert all(view.offers[made])
            assert not any(card for offer in view.offers[made + 1 :] for card in offer)
        return actions[-1]

    result = locm.play(look, "icebox/greedy", games=4, seed=1)
    assert not result.forfeits
    assert (seats, phases) == ({0, 1}, {True, False})


def test_both_games_of_a_pair_show_the_offers_of_their_seed() -> None:
    shown: list[list[int]] = []

    def look(view: locm.State, actions: Legal) -> locm.Action:
        if not view.in_battle:
            shown.append(list(view.offers[len(view.chosen(view.player_to_move))]))
        return actions[-1]

    result = locm.play(look, "random/random", games=4, seed=6)
    for game, seed in enumerate(result["seed"].tolist()):
        offers = [list(offer) for offer in locm.new_game(seed=seed).offers]
        assert shown[30 * game : 30 * game + 30] == offers


def test_what_a_callable_does_to_its_view_and_its_list_changes_nothing() -> None:
    def meddle(view: locm.State, actions: Legal) -> locm.Action:
        action = actions.pop()
        actions.clear()
        if action.verb not in ("PASS", "PICK"):
            view.apply(action)
        return action

    meddled = locm.play(meddle, "icebox/greedy", games=10, seed=2)
    plain = locm.play(last_action, "icebox/greedy", games=10, seed=2)
    assert not meddled.forfeits
    assert column_bytes(meddled) == column_bytes(plain)


# ---- breaking the rules ----------------------------------------------------------------------------------------------


def test_an_illegal_answer_in_the_draft_loses_the_game_with_the_reason_counted() -> None:
    result = locm.play(lambda view, actions: locm.Action.from_text("PASS"), "random/random", games=5)
    assert result.wins == 0
    assert result.forfeits == {"<lambda>: answered PASS, which is not a legal action": 5}
    assert str(result).endswith("  forfeits: 5 x <lambda>: answered PASS, which is not a legal action")
    for name in ("turns", "actions", "cards_drawn", "cards_played", "mana_spent"):
        assert not result[name].any(), name


def test_an_illegal_answer_in_the_battle_loses_the_game_where_it_stands() -> None:
    def surrender_in_turn_four(view: locm.State, actions: Legal) -> locm.Action:
        return locm.Action.from_text("SUMMON 99 0") if view.turn >= 4 else actions[0]

    result = locm.play("random/random", ("icebox", surrender_in_turn_four), games=6, seed=1)
    reason = "icebox/surrender_in_turn_four: answered SUMMON 99 0, which is not a legal action"
    assert result.wins == 6
    assert result.forfeits == {reason: 6}
    assert result["turns"].tolist() == [6, 5] * 3
    assert (result["health"] > 0).all()


@pytest.mark.parametrize(
    ("answer", "shown"),
    [(None, "None"), ("PASS", "'PASS'"), ("two\nlines", r"'two\nlines'"), (0, "0"), (np.arange(3), "a ndarray")],
)
def test_an_answer_that_is_no_action_loses_the_game_in_one_line(answer: object, shown: str) -> None:
    def strange(view: locm.State, actions: Legal) -> locm.Action:
        return answer  # type: ignore[return-value]

    result = locm.play(("random", strange), "random/random", games=1)
    assert result.forfeits == {f"random/strange: answered {shown}, which is not an action": 1}


def test_reasons_of_both_entrants_are_counted_apart() -> None:
    def bad(view: locm.State, actions: Legal) -> locm.Action:
        return locm.Action.from_text("ATTACK 1 -1")

    def worse(view: locm.State, actions: Legal) -> locm.Action:
        return locm.Action.from_text("PICK 3")

    result = locm.play(bad, worse, games=4)
    assert result.wins == 2
    assert result.forfeits == {
        "bad: answered ATTACK 1 -1, which is not a legal action": 2,
        "worse: answered PICK 3, which is not a legal action": 2,
    }


def test_an_exception_of_a_callable_comes_out_as_it_is() -> None:
    mistake = ZeroDivisionError("mine")

    def broken(view: locm.State, actions: Legal) -> locm.Action:
        raise mistake

    with pytest.raises(ZeroDivisionError) as raised:
        locm.play(("icebox", broken), "random/random", games=2)
    assert raised.value is mistake


def test_one_game_of_a_callable_is_a_record_that_replays() -> None:
    record = locm.play_one(("icebox", last_action), first_action, seed=7)
    assert record.players == ("icebox/last_action", "first_action")
    assert locm.GameRecord.from_text(record.to_text()) == record
    assert list(record.replay())[-1].winner == record.winner == 0
