"""Matchups of draft policies: the games that a search asks for are played, and no others."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError, MatchError, SearchError
from deckatlas.games.locm.agents import draft_policy
from deckatlas.games.locm.cards import cards, official_table
from deckatlas.games.locm.genomes import card_attributes, write_policy
from deckatlas.games.locm.matchups import LocmMatchups
from deckatlas.games.locm.spaces import LocmDrafts, attribute_pattern, attributes, priorities
from deckatlas.games.locm.state import new_game
from deckatlas.search.batches import Course, matchups
from deckatlas.search.evaluation import LOST, WON, Column
from deckatlas.search.spaces import GenomeSpace
from helpers.batches import wins_of

DRAFTS = LocmDrafts(priorities())
SPACES = (priorities(), priorities(1, 20, integer=True), attributes(), attribute_pattern())


def numbers(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(values, dtype=np.int32)


def referee_course(seeds: range) -> Course:
    array = np.array(seeds, dtype=np.uint64)
    return Course(array, array)


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.kind)
def test_genomes_are_within_their_ranges_and_whole_where_they_should_be(space: GenomeSpace) -> None:
    genomes = space.random(np.random.default_rng(1), 400)
    assert genomes.shape == (400, space.genes)
    assert np.all(genomes >= space.low)
    assert np.all(genomes <= space.high)
    if space.integer:
        assert np.array_equal(genomes, np.round(genomes))
        assert np.array_equal(genomes.min(axis=0), space.low)
        assert np.array_equal(genomes.max(axis=0), space.high)


def test_a_course_of_referee_seeds_gives_the_games_that_a_match_gives() -> None:
    genome = np.random.default_rng(2).random((1, 160))
    match = locm.play((genome[0], "greedy"), "coac/greedy", games=40, seed=5, swap_seats=False)
    seeds = match["seed"]
    batch = matchups(genome, (Course(seeds, seeds),), numbers(0), numbers(-1), numbers(0))
    found = LocmMatchups(DRAFTS, pilot="greedy", opponents=["coac/greedy"]).evaluate(batch)
    assert LocmMatchups.columns == (Column("won", unit="games"),)
    assert (found.games.tolist(), found.weight.tolist()) == ([40], [[40]])
    assert found.total.tolist() == [[np.sum(match["winner"] == 0)]]
    assert np.array_equal(found.outcome, np.where(match["winner"] == 0, WON, LOST))
    assert np.array_equal(found.margin, np.clip(match["health"][:, 0] - match["health"][:, 1], -127, 127))


def test_every_game_of_a_matchup_has_its_outcome_and_margin_in_the_order_of_the_course() -> None:
    policies, greedy = [draft_policy("coac"), draft_policy("icebox")], core.greedy_agent()
    match = locm.play("coac/greedy", "icebox/greedy", games=40, seed=5, swap_seats=False)
    seeds, lengths = match["seed"], np.array([30, 10, 30])
    results = core.play_courses(
        official_table(),
        policies,
        [greedy, greedy],
        first=numbers(0, 0, 1),
        second=numbers(1, 1, 0),
        course=numbers(0, 1, 0),
        starts=np.array([0, 30, 40], dtype=np.int64),
        draft_seeds=seeds,
        game_seeds=seeds,
        format="referee",
        threads=3,
    )
    won = np.array(match["winner"] == 0, dtype=np.uint8)
    margin = np.clip(match["health"][:, 0] - match["health"][:, 1], -127, 127)
    assert (str(results.outcome.dtype), str(results.margin.dtype)) == ("uint8", "int8")
    assert np.array_equal(results.outcome[:40], won)
    assert np.array_equal(results.margin[:40], margin)
    back = np.array([locm.play_one("icebox/greedy", "coac/greedy", seed=int(seed)).winner == 0 for seed in seeds[:30]])
    assert np.array_equal(results.outcome[40:], back)
    assert np.array_equal(results.margin[40:] > 0, back)
    matchup = np.repeat(np.arange(3), lengths)
    assert np.array_equal(results.wins, np.bincount(matchup, weights=results.outcome))


def test_every_matchup_gets_its_own_wins_on_any_number_of_threads() -> None:
    rng = np.random.default_rng(3)
    genomes = rng.random((6, 160))
    courses = tuple(
        Course(np.full(n, n, dtype=np.uint64), rng.integers(0, 2**64, n, dtype=np.uint64)) for n in (1, 7, 150)
    )
    first, second = rng.integers(-2, 6, (2, 90)).astype(np.int32)
    batch = matchups(genomes, courses, first, second, rng.integers(0, 3, 90).astype(np.int32))
    evaluator = LocmMatchups(DRAFTS, opponents=["random", "uji2/random"], format="distinct")
    results = [wins_of(evaluator, batch, threads=threads) for threads in (1, 2, 3)]
    assert all(np.array_equal(result, results[0]) for result in results)
    for row in (0, 17, 89):
        one = matchups(genomes, courses, batch.first[[row]], batch.second[[row]], batch.course[[row]])
        assert wins_of(evaluator, one)[0] == results[0][row]


def test_the_games_of_one_draft_differ_by_their_shuffles_alone() -> None:
    seeds = np.arange(50, dtype=np.uint64)
    policy = core.ranking_draft(np.arange(160.0))
    decks = core.draft_decks(official_table(), policy, np.full(50, 9, dtype=np.uint64), seat=0, format="distinct")
    assert np.all(decks == decks[0])
    assert decks[0].tolist() == [max(offer) for offer in new_game(seed=9, format="distinct").offers]
    others = core.draft_decks(official_table(), policy, seeds, seat=0, format="distinct")
    assert len(np.unique(others, axis=0)) == 50


def test_the_score_of_a_card_is_the_sum_of_its_weighted_attributes() -> None:
    # 116: 12 mana, 8/8, Breakthrough, Charge, Drain, Guard, Lethal and Ward all at once
    card = cards()[115]
    assert (card.attack, card.defense, card.cost, card.keywords) == (8, 8, 12, "BCDGLW")
    assert card_attributes()[115] @ [6, -4, -3, -2, 1, -1, 4, 1, -8] == 48 - 32 - 36 - 2 + 1 - 1 + 4 + 1 - 8


def urgent_pick(scores: list[float], wanted: list[int], offer: list[int], picks: list[int]) -> int:
    """Eq. 2 of the paper in exact fractions: urgency(i) = n_i / 30 - d_i / t."""

    def kind(card: int) -> int:
        return min(max(cards()[card - 1].cost, 1), 7) - 1

    turn = len(picks) + 1
    lacking = [
        Fraction(wanted[kind(card)], 30) - Fraction(sum(kind(card) == kind(pick) for pick in picks), turn)
        for card in offer
    ]
    candidates = [i for i in range(3) if lacking[i] > 0] or [0, 1, 2]
    return max(candidates, key=lambda i: (scores[offer[i] - 1], -i))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_pattern_policy_picks_by_urgency_and_then_by_score(seat: int) -> None:
    rng = np.random.default_rng(seat)
    for seed in range(20):
        scores = rng.integers(-3, 4, (2, 160)).astype(np.float64)
        wanted = rng.integers(0, 11, (2, 7)).astype(np.int32)
        policy = core.pattern_draft(scores, wanted)
        game = np.array([seed], dtype=np.uint64)
        deck = core.draft_decks(official_table(), policy, game, seat=seat, format="referee")[0].tolist()
        for turn, offer in enumerate(new_game(seed=seed).offers):
            choice = urgent_pick(scores[seat].tolist(), wanted[seat].tolist(), offer, deck[:turn])
            assert deck[turn] == offer[choice]


def test_a_policy_file_drafts_as_its_genome_does(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    genome = np.array([6.0, -4, -3, -2, 1, -1, 4, 1, -8])
    write_policy(file, "attributes", genome)
    one = locm.play(f"genome:file={file}/greedy", "random/greedy", games=50, seed=1)
    other = locm.play((card_attributes() @ genome, "greedy"), "random/greedy", games=50, seed=1)
    assert np.array_equal(one["final_hash"], other["final_hash"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "kind"),
        ('{"kind": "attribute", "genome": []}', "did you mean 'attributes'"),
        ('{"kind": "attributes", "genome": [1, 2]}', "9 numbers"),
        ('{"kind": "attributes", "first": [1, 1, 1, 1, 1, 1, 1, 1, 1]}', "second"),
        ('{"kind": "attributes", "genome": [1, 1, 1, 1, 1, 1, 1, 1, true]}', "9 numbers"),
        ('{"kind": "attributes", "genome": [1, 1, 1, 1, 1, 1, 1, 1, 1e999]}', "finite"),
        (f'{{"kind": "attributes", "genome": [1, 1, 1, 1, 1, 1, 1, 1, 1{"0" * 400}]}}', "too large"),
        ('{"kind": "attribute-pattern", "genome": [1, 1, 1, 1, 1, 1, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1]}', "whole number"),
        ('{"kind": "attribute-pattern", "genome": [1, 1, 1, 1, 1, 1, 31, 1, 1, 1, 1, 1, 1, 1, 1, 1]}', "0 to 30"),
    ],
)
def test_a_policy_file_that_holds_no_policy_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "policy.json"
    file.write_text(text)
    with pytest.raises(AgentError, match=complaint):
        draft_policy(f"genome:file={file}")


def test_batches_that_make_no_sense_are_refused() -> None:
    evaluator = LocmMatchups(DRAFTS, opponents=["random"])
    genomes = np.zeros((2, 160))
    course = referee_course(range(3))
    with pytest.raises(SearchError, match="genome 2"):
        evaluator.evaluate(matchups(genomes, (course,), numbers(2), numbers(0), numbers(0)))
    for first, second, which in ((1, -2, 0), (0, 1, 1), (0, 1, -1)):
        with pytest.raises(MatchError, match="there is no"):
            evaluator.evaluate(matchups(genomes, (course,), numbers(first), numbers(second), numbers(which)))
    with pytest.raises(MatchError, match="no games"):
        evaluator.evaluate(matchups(genomes, (course, referee_course(range(0))), numbers(0), numbers(1), numbers(0)))


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(SearchError, match="from 5 to 5"):
        priorities(5, 5)
