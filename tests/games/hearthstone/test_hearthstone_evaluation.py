"""Evaluations of Hearthstone decks: who meets whom, what is counted, and that nothing else matters."""

from typing import Any

import numpy as np
import pytest

from deckatlas._core import hearthstone as core
from deckatlas._core.locm import Rng
from deckatlas.errors import AgentError, DeckError, MatchError, RunError
from deckatlas.games.hearthstone import evaluation as hearthstone_evaluation
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, Deck, random_deck
from deckatlas.games.hearthstone.cards.editions import Patch, edition
from deckatlas.games.hearthstone.cards.library import named_decks
from deckatlas.games.hearthstone.cards.pools import pool
from deckatlas.games.hearthstone.evaluation import Evaluations, evaluate
from deckatlas.games.hearthstone.evaluation_tables import evaluation_rows
from deckatlas.games.hearthstone.profiles import EVOSABBER, EVOSTONE, FAIR, PROFILES
from deckatlas.games.hearthstone.setting import AVERAGES
from deckatlas.games.hearthstone.setup import deck_of, deck_rows
from deckatlas.games.hearthstone.suites import Opponent, Suite
from helpers.hearthstone_play import thieves
from helpers.hearthstone_recount import Recount

CARDS = edition()
NAMES = ("Starter Hunter", "Starter Paladin", "Starter Warlock", "Aggro Hunter", "Control Paladin", "Aggro Warlock")
SIX = Suite("six", tuple(Opponent(name, deck_of(name, CARDS), "random") for name in NAMES))
LIVELY = Suite("lively", tuple(Opponent(name, deck_of(name, CARDS), "random:active", 2) for name in NAMES[:2]))


def some_decks(count: int, seed: int) -> list[Deck]:
    rng = np.random.default_rng(seed)
    made = []
    for hero_class in rng.choice(HERO_CLASSES, count):
        ids = [card.id for card in pool(CARDS, str(hero_class).lower())]
        made.append(random_deck(str(hero_class), ids, CARDS.by_id, rng))
    return made


def same(a: Evaluations, b: Evaluations) -> bool:
    return all(
        np.array_equal(getattr(a[name], part), getattr(b[name], part), equal_nan=True)
        and np.array_equal(getattr(a.by_opponent[name], part), getattr(b.by_opponent[name], part), equal_nan=True)
        for name in AVERAGES
        for part in ("value", "error", "low", "high")
    )


# What decks are


def test_rows_of_ids_are_decks() -> None:
    decks = some_decks(3, 1)
    rows = np.array([deck.copies for deck in decks])
    assert evaluate(rows, pilot="random", suite=SIX, games=2).decks == tuple(decks)


def test_lists_of_neutral_cards_are_decks_of_the_class_given() -> None:
    neutral = [card.id for card in pool(CARDS, "mage") if card.hero_class.name == "neutral"][:15] * 2
    with pytest.raises(DeckError, match="class"):
        evaluate([neutral], pilot="random", suite=SIX, games=2)
    found = evaluate([neutral, "Starter Mage"], hero_class="mage", pilot="random", suite=SIX, games=2)
    assert [deck.hero_class for deck in found.decks] == ["MAGE", "MAGE"]
    assert sorted(found.decks[0].copies) == sorted(neutral)
    with pytest.raises(DeckError, match=r"decks\[1\]: it is a Hunter deck, but the class given for it is Mage"):
        evaluate([neutral, deck_of("Starter Hunter", CARDS)], hero_class="mage", pilot="random", suite=SIX, games=2)


def test_an_evaluation_shows_itself_in_one_short_line() -> None:
    one = evaluate("Starter Mage", pilot="pass", suite=SIX, games=6)
    assert repr(one) == "<Evaluations of 1 deck by pass: 6 games each, win rate 0.000>"
    assert len(repr(evaluate(some_decks(3, 1), pilot="random", suite=SIX, games=6))) < 120


# What is refused


def test_an_illegal_deck_among_several_is_named() -> None:
    decks: list[Any] = [*some_decks(2, 1), ["CS2_029"] * 30]
    with pytest.raises(DeckError, match=r"decks\[2\]: Fireball .* at most 2 copies"):
        evaluate(decks, pilot="random", suite=SIX, games=2)
    with pytest.raises(DeckError, match=r"decks\[0\]: .* must contain card ids, and 'Fireball' is not one"):
        evaluate([["Fireball"] * 30], pilot="random", suite=SIX, games=2)


@pytest.mark.parametrize("decks", [5, None, [5], [["Starter Mage"]], []])
def test_what_are_no_decks_is_refused(decks: Any) -> None:
    with pytest.raises(DeckError):
        evaluate(decks, pilot="random", suite=SIX, games=1)


def test_a_single_deck_needs_no_list() -> None:
    assert evaluate("Starter Mage", pilot="random", suite=SIX, games=2).decks == (named_decks()["Starter Mage"],)
    assert len(evaluate(named_decks()["Starter Mage"], pilot="random", suite=SIX, games=2)) == 1


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"profile": []}, MatchError, "unknown profile a list"),
        ({"profile": "evostne"}, MatchError, "unknown profile 'evostne': did you mean 'evostone'?"),
        ({"suite": 3}, RunError, "a suite must be a Suite, a name or the path of a TOML file, not 3"),
        ({"pilot": None}, AgentError, "a pilot must be a name or a callable, not None"),
        ({"first_game": -1}, MatchError, "first_game must be a whole number from 0 to"),
        ({"first_game": "x"}, MatchError, "first_game must be a whole number from 0 to"),
    ],
)
def test_options_that_cannot_be_are_refused_in_one_line(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as refused:
        evaluate(["Starter Mage"], **{"pilot": "random", "suite": SIX, "games": 1, **options})
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_an_evaluation_has_not_is_refused_with_a_hint() -> None:
    results = evaluate("Starter Mage", pilot="random", suite=SIX, games=2)
    with pytest.raises(MatchError, match=r"there is no average 'win_rates': did you mean 'win_rate'\?"):
        results["win_rates"]
    for number in ("x", -1, 99, None, True):
        with pytest.raises(MatchError, match=r"there is no (deck|game) .*: they are numbered from 0 to"):
            results.plays_of(number)  # type: ignore[arg-type]
        with pytest.raises(MatchError, match="they are numbered from 0 to 1"):
            results.replay(number)  # type: ignore[arg-type]
        with pytest.raises(MatchError, match="they are numbered from 0 to 0"):
            results.replay(0, deck=number)  # type: ignore[arg-type]


def test_the_published_profiles_always_move_first() -> None:
    for profile in (EVOSTONE, EVOSABBER):
        results = evaluate(NAMES[:1], pilot="random", suite=SIX, games=12, profile=profile, keep_games=True)
        assert not results.course.seat.any()
        assert results.games is not None
        noted = results.games.noted
        assert np.array_equal(noted["own_turns"], (noted["half_turns"] + 1) // 2)


def test_an_evaluation_can_be_gone_on_with() -> None:
    for profile in PROFILES:
        whole = evaluate(NAMES[:2], pilot="random", suite=LIVELY, games=21, profile=profile, keep_games=True)
        parts = [
            evaluate(
                NAMES[:2], pilot="random", suite=LIVELY, games=n, first_game=first, profile=profile, keep_games=True
            )
            for first, n in ((0, 9), (9, 12))
        ]
        for name in core.NOTED:
            joined = np.concatenate([part.games.noted[name] for part in parts if part.games], axis=1)
            assert whole.games is not None
            assert np.array_equal(whole.games.noted[name], joined), name


# What does not matter


@pytest.mark.parametrize("threads", [2, 5])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    decks = some_decks(5, 1)
    one = evaluate(decks, pilot="random:active", suite=SIX, games=25, seed=3, threads=1)
    more = evaluate(decks, pilot="random:active", suite=SIX, games=25, seed=3, threads=threads)
    assert same(one, more)
    assert np.array_equal(one.card_plays, more.card_plays)


def test_a_deck_fares_the_same_whichever_decks_are_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    decks = some_decks(5, 2)
    together = evaluate(decks, pilot="random", suite=SIX, games=14, seed=3)
    alone = evaluate(decks[3:4], pilot="random", suite=SIX, games=14, seed=3)
    for name in AVERAGES:
        assert np.array_equal(together[name].value[3:4], alone[name].value, equal_nan=True)
        assert np.array_equal(together[name].low[3:4], alone[name].low, equal_nan=True)
    monkeypatch.setattr(hearthstone_evaluation, "GAMES_AT_ONCE", 30)  # two decks a call
    assert same(together, evaluate(decks, pilot="random", suite=SIX, games=14, seed=3))


@pytest.mark.parametrize("seat", [0, 1])
def test_all_decks_meet_the_same_shuffle_of_their_opponent(seat: int) -> None:
    seed = int(SIX.course(1, seed=1, swap_seats=True).seed[0])
    theirs = []
    for deck in some_decks(3, 3):
        decks = (deck, SIX.opponents[0].deck) if seat == 0 else (SIX.opponents[0].deck, deck)
        state = core.State.new_game(CARDS.card_set, deck_rows(decks, CARDS), Rng(seed, 2)).describe()
        theirs.append([state["players"][1 - seat][zone] for zone in ("hand", "deck")])
    assert theirs[0] == theirs[1] == theirs[2]


# What is counted


def recounted(results: Evaluations, deck: int, game: int) -> Recount:
    recount = Recount(results.edition, int(results.course.seat[game]))
    recount.replay(results.replay(game, deck=deck))
    return recount


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("cards", ["2018-12", "sabberstone"])
def test_every_number_is_what_a_slow_recount_of_the_replayed_game_finds(profile: str, cards: str) -> None:
    decks: list[Deck | str] = [
        *some_decks(3, 5),
        "Starter Hunter",
    ]  # with Tracking, which looks at cards without drawing them
    results = evaluate(
        decks, pilot="random:active", suite=LIVELY, games=8, seed=7, profile=profile, edition=cards, keep_games=True
    )
    assert results.games is not None
    sure = 0
    for deck in range(len(decks)):
        for game in range(8):
            recount = recounted(results, deck, game)
            sure += recount.sure_of_damage
            for name, numbers in results.games.noted.items():
                if name != "damage_after" or recount.sure_of_damage:
                    assert numbers[deck, game] == recount.notes[name], (name, deck, game)
    assert sure > 16


CALM = Suite("calm", (Opponent("Starter Paladin", deck_of("Starter Paladin", CARDS), "planner:score=control"),))


def test_a_planner_that_sees_everything_and_nothing_random_makes_one_plan_a_turn() -> None:
    decks = ("Starter Rogue", "Starter Warlock")
    results = evaluate(
        decks, pilot="planner:score=aggro", suite=CALM, games=3, seed=2, profile="evosabber", keep_games=True
    )
    assert results.games is not None
    for deck in range(2):
        for game in range(3):
            notes = recounted(results, deck, game).notes
            for name in set(core.NOTED) - {"damage_after", "plan_scores"}:
                assert results.games.noted[name][deck, game] == notes[name], (name, deck, game)
    assert (results["strategy_alignment"].value != 0).all()


def test_a_pilot_that_rates_no_plans_has_no_alignment_with_a_strategy() -> None:
    results = evaluate(NAMES[:2], pilot="random", suite=SIX, games=12)
    assert np.isnan(results["strategy_alignment"].value).all()
    assert np.isnan(results.by_opponent["strategy_alignment"].value).all()
    assert [row["strategy_alignment"] for row in evaluation_rows(results)] == [None, None]


def test_a_deck_with_a_card_that_no_code_can_name_has_an_empty_code() -> None:
    toml = 'name = "mine"\n[new.MINE_1]\nname = "Mine"\nclass = "mage"\ntype = "minion"\n'
    mine = edition().patched(Patch.from_toml(f'{toml}set = "classic"\nrarity = "rare"\nhealth = 1\n'))
    mage = dict(named_decks()["Starter Mage"].cards)
    mage["MINE_1"] = mage.pop("CS2_022")
    deck = Deck("MAGE", tuple(mage.items()))
    results = evaluate(deck, pilot="random", suite=SIX, games=2, edition=mine)
    assert [row["deck_code"] for row in evaluation_rows(results)] == [None]


def test_mana_of_a_turn_counts_again_with_every_plan_after_a_random_event() -> None:
    deck = str(named_decks()["Starter Mage"]).replace("2 CS2_029", "2 EX1_082")  # Mad Bombers for Fireballs
    results = evaluate(
        [deck], pilot="planner:score=control", suite=CALM, games=6, seed=2, profile="evostone", keep_games=True
    )
    assert results.games is not None
    more = []
    for game in range(6):
        notes = recounted(results, 0, game).notes
        noted = {name: int(numbers[0, game]) for name, numbers in results.games.noted.items()}
        for name in set(core.NOTED) - {"damage_after", "plan_scores", "plan_mana_spent", "plan_mana_wasted"}:
            assert noted[name] == notes[name], name
        more.append(noted["plan_mana_spent"] - notes["plan_mana_spent"])
    assert min(more) >= 0
    assert max(more) > 0


def test_averages_are_ratios_of_sums_over_games_or_turns() -> None:
    for profile, columns in (
        (FAIR, ("hands_before", "minion_damage", "cards_drawn", "mana_spent", "mana_wasted")),
        (EVOSTONE, ("hands_after", "damage_after", "draws_seen", "plan_mana_spent", "plan_mana_wasted")),
    ):
        results = evaluate(NAMES[:2], pilot="random", suite=SIX, games=31, profile=profile, keep_games=True)
        assert results.games is not None
        noted = results.games.noted
        names = ("hand_size", "damage_done", "cards_drawn", "mana_spent", "mana_wasted")
        for name, column in zip(names, columns, strict=True):
            expected = noted[column].sum(axis=1) / noted["own_turns"].sum(axis=1)
            assert results[name].value == pytest.approx(expected)
        rounds = (noted["half_turns"] + 1) // 2
        assert results["num_turns"].value == pytest.approx(rounds.mean(axis=1))
        assert results["avg_health_diff"].value == pytest.approx(noted["health_difference"].mean(axis=1))
        assert results.sd_health_diff == pytest.approx(noted["health_difference"].std(axis=1, ddof=1))
        assert results["win_rate"].value == pytest.approx(results.wins / 31)
        for opponent in range(6):
            own = noted["health_difference"][:, results.course.opponent == opponent]
            assert results.by_opponent["avg_health_diff"].value[:, opponent] == pytest.approx(own.mean(axis=1))


def test_every_game_has_an_outcome_and_a_margin_of_a_byte() -> None:
    results = evaluate(["Starter Mage"], pilot="random:active", games=60, seed=2, keep_games=True)
    assert results.games is not None
    outcome, margin = results.games.outcome, results.games.margin
    assert (str(outcome.dtype), str(margin.dtype)) == ("uint8", "int8")
    assert set(outcome.ravel()) <= {0, 1, 2}
    assert np.array_equal(outcome == 1, results.games.noted["won"] == 1)
    assert np.array_equal(margin, results.games.noted["health_difference"])  # none is beyond a byte
    assert margin[outcome == 1].min() > 0
    assert margin[outcome == 0].max() < 0


def test_the_fitness_is_the_mean_health_difference_or_its_sum() -> None:
    for profile, times in ((EVOSTONE, 1), (EVOSABBER, 12)):
        results = evaluate(NAMES[:1], pilot="random", suite=SIX, games=12, profile=profile)
        assert results.fitness.value == pytest.approx(results["avg_health_diff"].value * times)


def test_plays_of_cards_are_counted_over_all_games_and_copies() -> None:
    results = evaluate(["Starter Rogue"], pilot="random:active", suite=SIX, games=40, keep_games=True)
    plays = results.plays_of(0)
    assert set(plays) == set(results.decks[0].copies)
    assert results.games is not None
    played = int(results.games.noted["cards_played"].sum())
    assert 0.7 * played < sum(plays.values()) <= played  # the others are The Coin and what cards gave
    assert all(40 * 2 >= count > 5 for count in plays.values())


def test_a_passing_pilot_does_nothing_and_draws_a_card_a_turn() -> None:
    suite = Suite("asleep", (Opponent("Starter Mage", deck_of("Starter Mage", CARDS), "pass"),))
    results = evaluate(["Starter Rogue"], pilot="pass", suite=suite, games=4, keep_games=True)
    assert results["damage_done"].value == results["mana_spent"].value == 0
    assert results.games is not None
    noted = results.games.noted
    # Fatigue ends the game when a turn begins, so that one is not played.
    ended_in_own = (noted["half_turns"][0] - 1) % 2 == results.course.seat
    played = noted["own_turns"][0] - ended_in_own
    assert noted["plan_mana_wasted"][0].tolist() == [sum(min(turn, 10) for turn in range(1, n + 1)) for n in played]
    assert (noted["cards_drawn"][0] == np.where(results.course.seat == 0, 27, 26)).all()
    assert not any(results.plays_of(0).values())


ASLEEP = Suite("asleep", (Opponent("Starter Mage", deck_of("Starter Mage", CARDS), "pass"),))


def test_games_that_are_void_every_time_are_counted_and_not_won() -> None:
    too_much = "power(gain_armor(100), repeat(2, gain_armor(99 * armor_of(MINE))))"
    cards = CARDS.patched(Patch("void", cards={"CS2_034": {"effect": too_much, "cost": 0}}))
    results = evaluate(
        ["Starter Mage", "Starter Rogue"], pilot="random:active", suite=ASLEEP, games=6, edition=cards, keep_games=True
    )
    assert results.voids.tolist() == [6, 0]
    assert results.retries.tolist() == [6 * core.MOST_RETRIES, 0]
    assert results.wins.tolist() == [0, 6]
    assert results.games is not None
    assert results.games.noted["void"].tolist() == [[1] * 6, [0] * 6]
    assert results.games.outcome[0].tolist() == [3] * 6


def test_a_card_can_be_played_more_often_than_a_byte_counts() -> None:
    more: dict[str, str | int] = {"effect": "spell(add_to_hand('CS2_025', 9), heal(30, HEROES))", "cost": 0}
    cards = CARDS.patched(Patch("more", cards={"CS2_025": more}))  # Arcane Explosion
    results = evaluate(["Starter Mage"], pilot="random", suite=ASLEEP, games=1, edition=cards)
    assert results.plays_of(0)["CS2_025"] > 255


def test_opponents_without_a_game_have_no_averages() -> None:
    results = evaluate(NAMES[:1], pilot="random", suite=SIX, games=2)
    assert np.isnan(results.by_opponent["num_turns"].value[0]).tolist() == [False, False, True, True, True, True]
    assert results.games_of_opponents.tolist() == [1, 1, 0, 0, 0, 0]


def test_one_game_has_an_average_and_no_interval() -> None:
    results = evaluate(NAMES[:1], pilot="random", suite=SIX, games=1)
    assert np.isfinite(results["avg_health_diff"].value).all()
    assert not results["avg_health_diff"][0].has_ends
    assert results["avg_health_diff"][0].n == 1
    assert 0 <= results["win_rate"].low[0] < results["win_rate"].high[0] <= 1


def test_a_game_of_an_evaluation_is_replayed_by_its_number() -> None:
    results = evaluate(NAMES[:2], pilot="random:active", suite=SIX, games=14, seed=4, keep_games=True)
    assert results.games is not None
    for deck, game in ((0, 0), (1, 6), (1, 13)):
        record = results.replay(game, deck=deck)
        seat = results.course.seat[game]
        assert record.players[seat] == "random:active"
        assert record.players[1 - seat] == "random"
        assert (record.winner == seat) == results.games.noted["won"][deck, game]
    assert results.replay(3) == results.replay(3, deck=0)


@pytest.mark.parametrize(
    ("pilot", "games"), [("search", 60), ("planner:score=midrange", 30), ("mcts:playouts=5", 4), ("random:active", 30)]
)
def test_a_replay_tells_the_very_game_that_was_noted(pilot: str, games: int) -> None:
    decks = [*thieves(8), deck_of("Control Warlock", CARDS)]
    results = evaluate(decks, pilot=pilot, suite="starter", games=games, seed=1, keep_games=True)
    assert results.games is not None
    noted = results.games.noted
    for deck in range(len(decks)):
        for game in range(games):
            *_, last = results.replay(game, deck=deck).replay()
            seat = results.course.seat[game]
            health = [last.side(player).health for player in (seat, 1 - seat)]
            told = (last.winner == seat, last.turn, health[0] - health[1])
            assert told == tuple(noted[name][deck, game] for name in ("won", "half_turns", "health_difference"))


def test_a_replay_says_what_pilots_of_the_profile_know() -> None:
    results = evaluate(NAMES[:1], pilot="planner:score=aggro", suite=CALM, games=1, profile="evosabber")
    assert results.replay(0).players == (
        "planner:score=aggro,information=perfect,replan=false",
        "planner:score=control,information=perfect,replan=false",
    )


# What is refused


def test_progress_hears_of_all_games() -> None:
    heard: list[int] = []
    evaluate(some_decks(3, 1), pilot="random", suite=SIX, games=10, progress=heard.append)
    assert heard[-1] == 30
    assert heard == sorted(heard)


def test_bad_input_is_refused() -> None:
    with pytest.raises(AgentError, match="unknown"):
        evaluate(NAMES[:1], pilot="clever", suite=SIX)
    with pytest.raises(DeckError, match="no deck"):
        evaluate([], pilot="random", suite=SIX)
    with pytest.raises(DeckError, match="not in this edition"):
        evaluate(["Tempo Rogue"], pilot="random", suite=SIX)
    with pytest.raises(MatchError, match="there is no game 2: they are numbered from 0 to 1"):
        evaluate(NAMES[:1], pilot="random", suite=SIX, games=2).replay(2)
    with pytest.raises(MatchError, match="games must be"):
        evaluate(NAMES[:1], pilot="random", suite=SIX, games=0)
    with pytest.raises(MatchError, match="did you mean 'evostone'"):
        evaluate(NAMES[:1], pilot="random", suite=SIX, profile="evoston")
