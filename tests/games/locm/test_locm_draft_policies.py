"""Draft policies that are more than one ranking, against a plain description of each."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from deckatlas import locm
from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.games.locm.agents import draft_policy
from deckatlas.games.locm.entrants import entrant
from deckatlas.games.locm.state import Rng, read_state
from deckatlas.play.spec import Entry, flag_option, whole_number_option
from helpers.chance import SURPRISING, surprise

Offer = Sequence[int]
Rule = Callable[[int, Offer, Sequence[int]], int]  # seat, offer, own picks so far -> which of the three


def card(number: int) -> locm.Card:
    return locm.cards()[number - 1]


def is_guard(number: int) -> bool:
    return card(number).type == "creature" and "G" in card(number).keywords


def best(values: Sequence[float]) -> int:
    """The first of the highest."""
    return values.index(max(values))


# ---- plain descriptions ------------------------------------------------------------------------------------------


def coac(lists: str) -> Rule:
    def choose(seat: int, offer: Offer, picks: Sequence[int]) -> int:
        creatures = sum(card(pick).type == "creature" for pick in picks)
        few = "-few" if picks and creatures / len(picks) < 0.4 else ""
        scores = locm.rankings()[f"{lists}-{('first', 'second')[seat]}{few}"]
        return best([scores[number - 1] for number in offer])

    return choose


def chad(seat: int, offer: Offer, picks: Sequence[int]) -> int:
    scores = locm.rankings()[("chad-first", "chad-second")[seat]]
    return max(range(3), key=lambda i: (scores[offer[i] - 1], i))


def onelane(seat: int, offer: Offer, picks: Sequence[int]) -> int:
    scores = locm.rankings()["coac-first"]
    return max(range(3), key=lambda i: (card(offer[i]).type != "blue", scores[offer[i] - 1]))


def baseline1(seat: int, offer: Offer, picks: Sequence[int]) -> int:
    return next((i for i in (1, 2) if is_guard(offer[i])), 0)


def baseline2(seat: int, offer: Offer, picks: Sequence[int]) -> int:
    return best([card(number).attack if card(number).type == "creature" else -1 for number in offer])


def kind(number: int) -> int:
    """Creatures by cost, then green, red and blue items."""
    if card(number).type != "creature":
        return {"green": 7, "red": 8, "blue": 9}[card(number).type]
    return min(6, max(0, card(number).cost - 1))


def wanted(mix: Sequence[int], offer: Offer, picks: Sequence[int]) -> list[int]:
    picked = [kind(pick) for pick in picks]
    return [mix[kind(number)] - picked.count(kind(number)) + 6 * is_guard(number) for number in offer]


def uji1(seat: int, offer: Offer, picks: Sequence[int]) -> int:
    weights = wanted([5, 5, 3, 3, 3, 4, 4, 3, 0, 0], offer, picks)
    for i, number in enumerate(offer):
        if number == 151:
            weights[i] = 100
        elif card(number).type in ("green", "blue"):
            weights[i] = -100
    return best(weights)


def nim_manual(seat: int, offer: Offer, picks: Sequence[int]) -> int:
    def score(number: int) -> float:
        it = card(number)
        keywords = {"B": 0.1, "C": 0.2, "D": 0.2, "G": 0.4, "L": 0.3, "W": 0.2}
        size = (abs(it.attack) + abs(it.defense)) / (it.cost + 5)
        return size + sum(value for letter, value in keywords.items() if letter in it.keywords)

    return best([score(number) for number in offer])


RULES: dict[str, Rule] = {
    "coac": coac("coac"),
    "coac:original": coac("coac-cog"),
    "chad": chad,
    "onelane": onelane,
    "baseline1": baseline1,
    "baseline2": baseline2,
    "uji1": uji1,
    "nim-manual": nim_manual,
}


@pytest.mark.parametrize("spec", RULES)
def test_a_policy_picks_as_described_in_both_seats(spec: str) -> None:
    policies = [draft_policy(spec), core.random_draft()]
    for seed in range(60):
        seat = seed % 2
        state = locm.new_game(seed=seed)
        while not state.in_battle:
            player = state.player_to_move
            offer = state.offers[len(state.chosen(player))]
            action = policies[player != seat].choose(state.view(player), Rng(seed, player))
            if player == seat:
                assert action.id == RULES[spec](seat, offer, state.chosen(player))
            state.apply(action)


# ---- cases that drafts seldom meet -------------------------------------------------------------------------------


def offered(offer: Offer, picks: Sequence[int] = (), *, seat: int = 0) -> locm.State:
    """A draft in which `seat` has made these picks and is to choose from this offer."""
    cards = [list(picks), list(picks)]
    if seat == 1:
        cards[0].append(offer[0])
    rows = [[pick, *(other for other in (1, 2, 3) if other != pick)][:3] for pick in picks] + [list(offer)]
    rows += [[1, 2, 3]] * (30 - len(rows))
    chosen = [".".join(map(str, side)) or "-" for side in cards]
    offers = "/".join(".".join(map(str, row)) for row in rows)
    return read_state(
        f"locm1.2 phase=draft view=- format=referee offers={offers} cards0={chosen[0]} cards1={chosen[1]} seeds=1,1"
    )


def choice(spec: str, offer: Offer, picks: Sequence[int] = (), *, seat: int = 0) -> int:
    return draft_policy(spec).choose(offered(offer, picks, seat=seat), Rng(1, seat)).id


def test_a_card_missing_from_both_lists_is_taken_only_if_all_are_missing() -> None:
    assert choice("coac:original", [34, 140, 42]) == 1
    assert choice("coac:original", [34, 42, 49]) == 0


def test_with_few_creatures_another_list_decides() -> None:
    # Card 49 is missing from the contest list of the first player, but not from the one for few creatures.
    creature, item = 3, 117
    assert choice("coac:original", [49, 140, 160]) != 0
    assert choice("coac:original", [49, 140, 160], [creature, creature, item, item, item]) != 0  # 0.4 is not few
    assert choice("coac:original", [49, 140, 160], [creature, item, item]) == 0
    assert choice("coac:original", [140, 49, 160], [item], seat=1) != 1  # missing from the second player's instead
    assert choice("coac:original", [140, 49, 160], [creature], seat=1) == 1


@pytest.mark.parametrize(("last", "expected"), [(False, 0), (True, 2)])
def test_ties_go_to_the_first_or_the_last(last: bool, expected: int) -> None:
    policy = core.seat_ranking_draft(np.zeros((2, 2, 160)), last_on_ties=last)
    assert policy.choose(offered([5, 6, 7]), Rng(1, 0)).id == expected


UJI2_OFFERS: list[tuple[str, Offer, Sequence[int], dict[int, float]]] = [
    ("lacking 5, 4, and 4 with Guard", [1, 5, 40], [], {0: 5 / 19, 1: 4 / 19, 2: 10 / 19}),
    ("two of cost 1 picked", [1, 5, 40], [3, 3], {0: 3 / 17, 1: 4 / 17, 2: 10 / 17}),
    ("too many of one kind", [117, 5, 40], [118, 118, 118], {1: 4 / 14, 2: 10 / 14}),
    ("nothing is lacking", [117, 119, 120], [118, 118], {0: 1 / 3, 1: 1 / 3, 2: 1 / 3}),
]


@pytest.mark.parametrize(
    ("offer", "picks", "chances"), [row[1:] for row in UJI2_OFFERS], ids=[row[0] for row in UJI2_OFFERS]
)
def test_uji2_draws_in_proportion_to_what_is_lacking(
    offer: Offer, picks: Sequence[int], chances: dict[int, float]
) -> None:
    state, rng, policy = offered(offer, picks), Rng(1, 0), draft_policy("uji2")
    assert surprise((policy.choose(state, rng).id for _ in range(2000)), chances) < SURPRISING


def test_a_score_that_is_not_a_number_is_refused() -> None:
    scores = np.zeros((2, 2, 160))
    scores[1, 0, 6] = np.nan
    with pytest.raises(AgentError, match="the score of card 7 is not a number"):
        core.seat_ranking_draft(scores)


# ---- options of an agent that drafts and battles under one name --------------------------------------------------


def test_an_option_goes_to_the_part_that_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def make_battle(depth: int, original: bool) -> core.BattleAgent:
        made.append(f"depth={depth} original={original}")
        return core.pass_agent()

    monkeypatch.setitem(
        locm.BATTLE_AGENTS,
        "coac",
        Entry(
            make_battle, "a stand-in", {"depth": whole_number_option("levels", 1), "original": flag_option("as it was")}
        ),
    )
    state = offered([34, 140, 42])
    for spec, pick in (("coac", 0), ("coac:original,depth=2", 1), ("coac:depth=3", 0)):
        draft = entrant(spec).draft
        assert isinstance(draft, core.DraftPolicy)
        assert draft.choose(state, Rng(1, 0)).id == pick
    assert made == [
        "depth=1 original=False",
        "depth=2 original=True",
        "depth=3 original=False",
    ]
    with pytest.raises(AgentError, match="'coac' has no option 'dept': did you mean 'depth'"):
        entrant("coac:dept=3")


@pytest.mark.parametrize("spec", ["coac:original=1"])
def test_a_flag_with_a_value_is_refused(spec: str) -> None:
    with pytest.raises(AgentError, match="takes no value"):
        draft_policy(spec)
