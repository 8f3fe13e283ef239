"""The named draft policies and battle agents of Legends of Code and Magic.

An *entrant* is a draft policy and a battle agent, written `DRAFT/BATTLE`. A draft policy can also be a ranking: 160
numbers, one per card; the offered card with the highest number is picked. A battle agent can also be any Python
callable that takes a player's view and the legal actions and returns one of them.
"""

import copyreg
import csv
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache, partial
from importlib import resources
from pathlib import Path

import numpy as np
import numpy.typing as npt

from deckatlas._core import locm as core
from deckatlas.errors import AgentError
from deckatlas.files.limits import MOST_TOML_BYTES
from deckatlas.files.reading import package_text, read_text
from deckatlas.games.locm.cards import cards
from deckatlas.games.locm.genomes import read_policy
from deckatlas.play.networks import read_network
from deckatlas.play.spec import (
    EXEC,
    Entry,
    file_option,
    flag_option,
    make_from_spec,
    number_option,
    remember_spec,
    spec_of,
    text_option,
    whole_number_option,
)

PLANNER_WIDTH = 64
PLANNER_FINALISTS = 100
CHAD_SAMPLES = 56_000  # as the original in its time limit: a median of 3,500 rated states per turn, 16 samples each
MISSING = -np.inf  # a card that a list does not name ranks below all others


@cache
def rankings() -> dict[str, npt.NDArray[np.float64]]:
    """The named rankings: for each, the scores of cards 1 to 160, higher is better."""
    rows = list(csv.DictReader(package_text(str(__package__), "rankings.csv").splitlines()))
    names = [name for name in rows[0] if name != "card"]
    return {name: np.array([float(row[name] or MISSING) for row in rows]) for name in names}


def check_ranking(scores: Sequence[float] | Sequence[str] | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns a ranking as an array.

    Raises:
        AgentError: If it is not 160 numbers.
    """
    try:
        array = np.ascontiguousarray(scores, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise AgentError("a ranking must be 160 numbers") from None
    if array.shape != (160,):
        raise AgentError(f"a ranking must be 160 numbers, one for each card, not {' x '.join(map(str, array.shape))}")
    bad = np.flatnonzero(np.isnan(array))
    if bad.size:
        raise AgentError(f"the score of card {bad[0] + 1} is not a number")
    return array


def _named_ranking(name: str) -> core.DraftPolicy:
    return core.ranking_draft(rankings()[name])


def ranking_text(scores: Sequence[float] | npt.NDArray[np.float64]) -> str:
    """A ranking as the text of a draft policy, without a file: only the order of the cards counts, ties included.

    The code is base64 for names of files, without padding, of one byte per card: how many different scores are lower.

    Raises:
        AgentError: If it is not 160 numbers.
    """
    _, places = np.unique(check_ranking(scores), return_inverse=True)
    return f"ranking:code={urlsafe_b64encode(places.astype(np.uint8).tobytes()).decode().rstrip('=')}"


def _ranking_from_code(code: str) -> core.DraftPolicy:
    try:
        places = b64decode(code + "=" * (-len(code) % 4), altchars="-_", validate=True)
    except ValueError:
        places = b""
    if len(places) != len(cards()):
        raise AgentError(
            f"{code[:20]!a} is not the code of a ranking: a code has 214 characters, which are letters, digits, - and _"
        )
    return core.ranking_draft(np.frombuffer(places, np.uint8).astype(np.float64))


def _own_ranking(file: str | None, code: str | None) -> core.DraftPolicy:
    if bool(file) == bool(code):
        raise AgentError("'ranking' needs a file or a code: write ranking:file=PATH or ranking:code=CODE")
    if code:
        return _ranking_from_code(code)
    assert file
    text = read_text(file, most=MOST_TOML_BYTES, error=AgentError, what="the ranking ")
    return core.ranking_draft(check_ranking(text.replace(",", " ").split()))


def _seat_rankings(first: str, second: str, first_few: str, second_few: str) -> npt.NDArray[np.float64]:
    scores = rankings()
    return np.array([[scores[first], scores[first_few]], [scores[second], scores[second_few]]])


def _coac_draft(original: bool) -> core.DraftPolicy:
    lists = "coac-cog" if original else "coac"
    return core.seat_ranking_draft(
        _seat_rankings(f"{lists}-first", f"{lists}-second", f"{lists}-first-few", f"{lists}-second-few")
    )


def _chad_draft() -> core.DraftPolicy:
    scores = _seat_rankings("chad-first", "chad-second", "chad-first", "chad-second")
    return core.seat_ranking_draft(scores, last_on_ties=True)


def _onelane_draft() -> core.DraftPolicy:
    below_all = len(cards())
    blue = np.array([card.type == "blue" for card in cards()])
    return core.ranking_draft(rankings()["onelane-1"] - below_all * blue)


_NIM_MANUAL_KEYWORDS = {"B": 0.1, "C": 0.2, "D": 0.2, "G": 0.4, "L": 0.3, "W": 0.2}


def _nim_manual_draft() -> core.DraftPolicy:
    # The nim referee's table has the numbers of items without their signs.
    return core.ranking_draft(
        np.array(
            [
                (abs(card.attack) + abs(card.defense)) / (card.cost + 5)
                + sum(worth for letter, worth in _NIM_MANUAL_KEYWORDS.items() if letter in card.keywords)
                for card in cards()
            ]
        )
    )


def _net_draft(file: str | None, first: str | None, second: str | None) -> core.DraftPolicy:
    paths = (file, file) if file and not (first or second) else (first, second)
    if not all(paths) or (file and (first or second)):
        raise AgentError("'net' needs a network: write net:file=PATH for both seats, or net:first=PATH,second=PATH")
    return core.net_draft(*(read_network(Path(path)) for path in paths if path))


def _genome_draft(file: str | None) -> core.DraftPolicy:
    if not file:
        raise AgentError("'genome' needs a file: write genome:file=PATH")
    return read_policy(Path(file))


@cache
def _atlas_draft() -> core.DraftPolicy:
    with resources.as_file(resources.files(__package__).joinpath("atlas.json")) as file:
        return read_policy(file)


@cache
def _rg_draft() -> core.DraftPolicy:
    with ExitStack() as stack:
        files = [resources.files(__package__).joinpath(f"rg_{seat}.json") for seat in ("first", "second")]
        return core.net_draft(*(read_network(stack.enter_context(resources.as_file(file))) for file in files))


_RANKING_SUMMARIES = {
    "icebox": "Icebox's polynomial on the official card numbers",
    "icebox-nim": "the same on the unsigned numbers of the nim and Rust referees",
    "closetai": "ClosetAI's scores as its author intended them",
    "closetai-as-used": "the same read off by one card, as published programs do",
    "coac-first": "Coac's list for the first player",
    "coac-second": "Coac's list for the second player",
    "coac-first-few": "Coac's list for the first player while it has few creatures",
    "coac-second-few": "Coac's list for the second player while it has few creatures",
    "coac-cog-first": "Coac's contest entry of 2020, first player (some cards missing)",
    "coac-cog-second": "Coac's contest entry of 2020, second player (some cards missing)",
    "coac-cog-first-few": "Coac's contest entry of 2020, first player with few creatures",
    "coac-cog-second-few": "Coac's contest entry of 2020, second player with few creatures",
    "chad-first": "Chad's weights for the first player",
    "chad-second": "Chad's weights for the second player",
    "historyless": "scores of a policy trained on single offers",
    "onelane-1": "OneLaneIsEnough's first list",
    "onelane-2": "OneLaneIsEnough's second list",
}

DRAFT_POLICIES: dict[str, Entry[core.DraftPolicy]] = {
    "random": Entry(core.random_draft, "picks uniformly"),
    "ranking": Entry(
        _own_ranking,
        "picks by a ranking of your own",
        {
            "file": file_option("160 numbers for cards 1 to 160, higher is better, separated by spaces or commas"),
            "code": text_option("a ranking as a short text, as studies of patches name the policies that they find"),
        },
    ),
    "genome": Entry(
        _genome_draft,
        "picks by a genome that a search found: see `deckatlas export`",
        {"file": file_option("a policy file")},
    ),
    "net": Entry(
        _net_draft,
        "picks the card that a neural network of 48 inputs and 3 outputs rates highest",
        {
            "file": file_option("a network in JSON for both seats"),
            "first": file_option("a network for the first player"),
            "second": file_option("a network for the second player"),
        },
    ),
    "coac": Entry(
        _coac_draft,
        "Coac's lists: one per seat, and another while fewer than two in five picks are creatures",
        {"original": flag_option("the lists of the contest entry of 2020, in which some cards are missing")},
    ),
    "atlas": Entry(
        _atlas_draft, "card values and a mana curve found from a million games of the planner; the strongest here"
    ),
    "planner": Entry(_atlas_draft, "atlas: the draft that goes with the battle agent"),
    "rg": Entry(_rg_draft, "two networks of ReinforcedGreediness's shapes, one for each seat, trained under `rg`"),
    "chad": Entry(_chad_draft, "Chad's weights, one list per seat; ties go to the last offered card"),
    "onelane": Entry(_onelane_draft, "OneLaneIsEnough's first list, but blue items come last"),
    "uji1": Entry(core.uji1_draft, "UJIAgent1: the card that its mix of costs and colours lacks most, Guards first"),
    "uji2": Entry(core.uji2_draft, "UJIAgent2: a random card, weighted by what its mix of costs and colours lacks"),
    "baseline1": Entry(core.baseline1_draft, "the first card, unless the second or third is a Guard creature"),
    "baseline2": Entry(core.baseline2_draft, "the creature with the highest attack"),
    "nim-manual": Entry(_nim_manual_draft, "the card's size for its cost, and keywords; the nim referee's default"),
    **{name: Entry(partial(_named_ranking, name), summary) for name, summary in _RANKING_SUMMARIES.items()},
}


def _tree_entry(make: Callable[..., core.BattleAgent], summary: str) -> Entry[core.BattleAgent]:
    return Entry(
        make,
        summary,
        {"playouts": whole_number_option("playouts per search", 400), "c": number_option("exploration", 0.1)},
    )


BATTLE_AGENTS: dict[str, Entry[core.BattleAgent]] = {
    "planner": Entry(
        core.planner_agent,
        "plans whole turns: a beam search over its own actions, then the enemy's best attacks; the strongest here",
        {
            "width": whole_number_option("states kept per level of the beam, up to 64", PLANNER_WIDTH),
            "finalists": whole_number_option("ends of the turn rated after the reply", PLANNER_FINALISTS),
        },
    ),
    "coac": Entry(
        core.coac_agent,
        "searches three of its own actions ahead with the enemy's greedy answer, like the winner of the 2020 contest",
        {
            "nodes": whole_number_option("positions rated per turn before it looks only one action ahead", 200_000),
            "original": flag_option("with the published program's rule errors"),
        },
    ),
    "rg": Entry(
        core.rg_agent,
        "ReinforcedGreediness: best-first search over its own turn",
        {
            "nodes": whole_number_option("sequences rated per turn", 2000),
            "merge": flag_option("drop sequences that lead to a state already seen"),
        },
    ),
    "rg-late": Entry(
        partial(core.rg_agent, nodes=1, merge=False),
        "ReinforcedGreediness against a slow opponent: its clock runs while it waits, so it rates 1 sequence per turn",
    ),
    "onelane": Entry(
        core.onelane_agent,
        "OneLaneIsEnough: tree search over the phases of a turn, with the enemy's worst reply",
        {"nodes": whole_number_option("states visited per turn, at most", 50_000)},
    ),
    "chad": Entry(
        core.chad_agent,
        "Chad: a kill chain, else a RAVE tree search with random replies",
        {"playouts": whole_number_option("random replies sampled per turn", CHAD_SAMPLES)},
    ),
    "fmc": Entry(
        core.fmc_agent,
        "the best end of many random turns",
        {"playouts": whole_number_option("random turns tried", 2000)},
    ),
    "dfs": Entry(
        core.dfs_agent,
        "the best end of all sequences of the turn, depth first",
        {"nodes": whole_number_option("states visited", 20_000)},
    ),
    "mcts0": _tree_entry(core.mcts0_agent, "tree search over the turn; rates leaves like greedy"),
    "mcts": _tree_entry(core.mcts_agent, "tree search over the turn; rates leaves by the worst of 8 random replies"),
    "mctsp": _tree_entry(core.mctsp_agent, "the same with summons before items before attacks"),
    "bbmcts": _tree_entry(core.bbmcts_agent, "mcts that fixes its first action after half of its playouts"),
    "baseline1": Entry(core.baseline1_agent, "the contest's Baseline1: plays cards in order, attacks Guards first"),
    "baseline2": Entry(core.baseline2_agent, "the contest's Baseline2: strongest first, face before Guards, no items"),
    "greedy": Entry(core.greedy_agent, "the best next position by health, number and size of creatures"),
    "random": Entry(
        core.random_agent,
        "uniform over the legal actions, including PASS, until it passes",
        {"active": flag_option("never pass while something else is legal")},
    ),
    "pass": Entry(core.pass_agent, "ends every turn at once"),
}


def draft_policy(spec: str) -> core.DraftPolicy:
    """The draft policy of that name.

    Raises:
        AgentError: If there is no such policy.
    """
    return remember_spec(make_from_spec(spec, DRAFT_POLICIES, kind="draft policy"), spec)


def battle_agent(spec: str) -> core.BattleAgent:
    """The battle agent of a spec.

    Raises:
        AgentError: If there is no such agent, or it has no such option.
    """
    if spec.startswith(EXEC):
        raise AgentError("an external program also drafts: it is an entrant, not a battle agent")
    return remember_spec(make_from_spec(spec, BATTLE_AGENTS, kind="battle agent"), spec)


# Agents cross processes as their texts, for a new game; a deep copy remembers this one.
copyreg.pickle(core.DraftPolicy, lambda policy: (draft_policy, (spec_of(policy),)))
copyreg.pickle(core.BattleAgent, lambda agent: (battle_agent, (spec_of(agent),)))
setattr(core.DraftPolicy, "__deepcopy__", lambda policy, memo: policy)  # noqa: B010 - it never changes
setattr(core.BattleAgent, "__deepcopy__", lambda agent, memo: agent.fresh())  # noqa: B010
