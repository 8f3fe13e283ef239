"""Games written in Python alone: matches, gauntlets, decks, pilots, records and stories come with a few methods."""

import random
from typing import Any

import numpy as np
import pytest

from deckatlas.errors import AgentError, DeckError, GameError, MatchError, TraceError
from deckatlas.games.python_game import NOBODY, PythonGame
from deckatlas.games.python_table import PythonRecord
from deckatlas.play.sprt import Sprt
from helpers.high_card import HighCard, Table, any_card, highest

GAME = HighCard()


def played(a: Any = "highest", b: Any = "random", **options: Any) -> Any:
    return GAME.play(a, b, **{"deck_a": "even", "deck_b": "high", "games": 40, "seed": 3, **options})


def one(**options: Any) -> tuple[PythonRecord[Table, int], str]:
    game = GAME.play_one("highest", "random", **{"deck_a": "high", "deck_b": "low", "seed": 5, **options})
    assert isinstance(game.record, PythonRecord)
    return game.record, game.story


# ---- matches ---------------------------------------------------------------------------------------------------------


def test_the_number_of_threads_changes_nothing() -> None:
    results = [played(threads=threads) for threads in (None, 1, 7)]
    for name in results[0].columns:
        assert np.array_equal(results[0][name], results[1][name])
        assert np.array_equal(results[0][name], results[2][name])
    assert str(results[0]) == str(results[2])


def test_games_come_in_pairs_of_one_seed_with_seats_swapped() -> None:
    result = played()
    assert (result["seed"][::2] == result["seed"][1::2]).all()
    assert len(set(result["seed"].tolist())) == 20
    assert result["first"].tolist() == [0, 1] * 20
    alone = played(swap_seats=False)
    assert not alone["first"].any()
    assert len(set(alone["seed"].tolist())) == 40


def test_seeds_do_not_depend_on_the_entrants_and_entrants_swapped_play_the_same_games() -> None:
    there, back = played(), GAME.play("random", "highest", deck_a="high", deck_b="even", games=40, seed=3)
    assert (there["seed"] == back["seed"]).all()
    mirrored = np.where(back["winner"] == NOBODY, NOBODY, 1 - back["winner"])
    swapped = mirrored.reshape(-1, 2)[:, ::-1].ravel()  # who moves first is another in each game of a pair
    assert there["winner"].tolist() == swapped.tolist()


def test_a_row_tells_the_game_that_its_seed_plays() -> None:
    result = played(games=10)
    for row in range(10):
        first = int(result["first"][row])
        pilots, decks = ["highest", "random"], ["even", "high"]
        seats = (first, 1 - first)
        game = GAME.play_one(
            *(pilots[each] for each in seats),
            deck_a=decks[seats[0]],
            deck_b=decks[seats[1]],
            seed=int(result["seed"][row]),
        )
        winner = game.record.winner
        assert result["winner"][row] == (NOBODY if winner is None else winner ^ first)
        assert result["actions"][row] == len(game.record.actions) == 8  # type: ignore[attr-defined]
    assert (result["tricks"].sum(axis=1) <= 4).all()
    assert (
        np.sign(np.diff(result["tricks"])[:, 0]) == np.select([result["winner"] == 0, result["winner"] == 1], [-1, 1])
    ).all()


def test_a_draw_is_half_a_win() -> None:
    result = GAME.play("highest", "highest", deck_a="even", deck_b="even", games=10)
    assert (result["winner"] == NOBODY).all()
    assert (result.wins, result.losses, result.rate.value) == (0, 0, 0.5)


def test_a_sequential_test_and_times_work_as_in_every_game() -> None:
    result = played(deck_b="low", games=5000, sprt=Sprt(0, 40), timed_games=3)
    assert result.games < 5000
    assert result.sprt is not None
    assert result.sprt.accepted == "H1"
    assert result.times.turns.shape == (3, 2)
    assert result.times.turns.all()


def test_an_answer_that_is_not_legal_loses_the_game_with_the_reason_counted() -> None:
    def cheat(state: Table, actions: list[int], rng: random.Random) -> Any:
        return 99

    result = played(cheat, games=4)
    assert result.wins == 0
    assert result.forfeits == {"cheat: answered '99', which is not a legal action": 4}
    story = GAME.play_one(cheat, "random", deck_a="low", deck_b="low").story
    assert story.endswith("second (random) wins: first (cheat) forfeits, answered '99', which is not a legal action.")


def test_what_a_pilot_does_to_its_view_and_its_list_changes_nothing() -> None:
    def meddle(state: Table, actions: list[int], rng: random.Random) -> int:
        answer = actions[-1]
        state.tricks[0] += 5
        state.hands[0].clear()
        actions.clear()
        return answer

    assert (played(meddle)["winner"] == played(highest)["winner"]).all()


def test_a_game_that_does_not_end_or_has_no_action_left_is_an_error_of_the_game() -> None:
    class Endless(HighCard):
        most_actions = 100

        def apply(self, state: Table, action: int, rng: random.Random) -> None:
            pass

    class Stuck(HighCard):
        def legal_actions(self, state: Table) -> list[int]:
            return []

    with pytest.raises(GameError, match="a game has not ended after 100 actions"):
        Endless().play("highest", "highest", deck_a="low", deck_b="low", games=1)
    with pytest.raises(GameError, match="there is no legal action, but the game is not over"):
        Stuck().play("highest", "highest", deck_a="low", deck_b="low", games=1)


# ---- gauntlets -------------------------------------------------------------------------------------------------------


def test_every_pair_of_a_gauntlet_plays_the_match_that_it_plays_alone() -> None:
    result = GAME.gauntlet(["even/highest", "high/random", ("low", any_card)], games=20, seed=4)
    assert result.names == ("even/highest", "high/random", "low/any_card")
    alone = GAME.play("highest", "random", deck_a="even", deck_b="high", games=20, seed=4)
    assert (result.match(0, 1)["winner"] == alone["winner"]).all()
    assert result.ranking()[-1] == 2


@pytest.mark.parametrize(
    ("entrants", "message"),
    [
        (["even/highest"], "at least two entrants"),
        (["even/highest", "even/highest"], "'even/highest' is given twice"),
        (["highest", "even/highest"], "'highest' is not an entrant: write DECK/PILOT"),
        ([3, "even/highest"], "an entrant is DECK/PILOT or a pair"),
    ],
)
def test_a_gauntlet_that_cannot_be_is_refused(entrants: list[Any], message: str) -> None:
    with pytest.raises(MatchError, match=message):
        GAME.gauntlet(entrants)


# ---- decks and pilots ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given", ["low", "3 two, five", "five,3 two", ["two", "five", "two", "two"], {"five": 1, "two": 3}]
)
def test_a_deck_is_a_name_a_text_cards_or_counts(given: Any) -> None:
    deck = GAME.deck(given)
    assert deck == ("two", "two", "two", "five")
    assert GAME.deck(GAME.deck_text(deck)) == deck


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("3 two, 5ive", "unknown card '5ive': did you mean 'five'?"),
        ("3 two", "a deck has 4 cards, this one has 3"),
        ("4 two", "a deck has 1 to 3 copies of two, not 4"),
        ({"two": -1, "five": 3, "nine": 2}, "a deck has 1 to 3 copies of two, not -1"),
        ("many two", "unknown deck 'many two'"),
        (7, "a deck is a name, a text, card ids or counts of cards, not 7"),
    ],
)
def test_a_deck_that_cannot_be_is_refused(given: Any, message: str) -> None:
    with pytest.raises(DeckError, match=message):
        GAME.deck(given)


def test_pilots_have_names_options_and_a_line_each() -> None:
    (agents,) = GAME.agents()
    summaries = {name: entry.summary for name, entry in agents.agents.items()}
    assert summaries == {
        "highest": "Lays its highest card",
        "random": "Lays any card",
        "nth": "lays a card by its place",
    }
    assert (played("nth:n=-1")["winner"] == played("highest")["winner"]).all()
    assert (played("nth")["winner"] != played("highest")["winner"]).any()


@pytest.mark.parametrize(
    ("pilot", "message"),
    [("hihgest", "unknown pilot 'hihgest': did you mean 'highest'?"), ("nth:m=1", "no option 'm'"), (3, "not 3")],
)
def test_a_pilot_that_is_none_is_refused(pilot: Any, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        played(pilot)


def test_a_match_needs_decks_and_knows_no_other_options() -> None:
    with pytest.raises(MatchError, match="high-card is played with decks: give --deck-b"):
        GAME.play("highest", "random", deck_a="low")
    with pytest.raises(TypeError, match="there is no option 'mulligan'"):
        played(mulligan="all")


# ---- records and stories ---------------------------------------------------------------------------------------------


def test_a_record_is_text_that_is_read_back_and_replays() -> None:
    record, _ = one()
    assert GAME.read_record(str(record)) == record
    *_, last = record.replay()
    assert last.is_over
    assert last.winner == record.winner


def test_a_record_that_was_changed_does_not_replay() -> None:
    record, _ = one()
    text = record.to_text()
    for wrong, message in (
        (text.replace("winner: first", "winner: second"), "the game does not end as the record says"),
        (text.replace("\n9\n", "\n5\n", 1), "is not legal"),
        (text + "5\n", "action 9 of the record: '5' is not legal"),
        (text.rstrip().rpartition("\n")[0] + "\n", "the game does not end as the record says"),
    ):
        assert wrong != text
        with pytest.raises(TraceError, match=message):
            list(GAME.read_record(wrong).replay())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("deckatlas game of", "game of"), "a record of this game begins with"),
        (("seed:", "sead:"), "no line 'seed: ...'"),
        (("winner: first", "winner: third"), "winner 'third'"),
    ],
)
def test_a_text_that_is_no_record_is_refused(change: tuple[str, str], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        GAME.read_record(one()[0].to_text().replace(*change))


def test_a_story_tells_turns_and_actions_and_who_wins() -> None:
    record, story = one()
    lines = story.splitlines()
    assert lines[0] == "highest (first) against random (second)"
    assert [line.strip() for line in lines if line.startswith("  ")] == list(record.actions)
    turns = [line for line in lines if line.startswith("Turn ")]
    assert turns[0].startswith("Turn 1, first: Table(hands=")
    assert lines[-1] == f"first (highest) wins in turn {len(turns)}."


def test_a_game_must_say_its_rules() -> None:
    with pytest.raises(TypeError, match="abstract"):
        PythonGame()  # type: ignore[abstract]
