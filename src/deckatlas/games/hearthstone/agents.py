"""The named agents of Hearthstone, and the files that define the ratings of planners.

A *planner* looks for the best way to play out its turn. It compares positions by a rating: one of the published scores,
a network that was evolved here and ships, a sum of features with weights from a file, or a small network over the
features. A weights file is a JSON object with a number for each feature. `deckatlas.play.networks` describes a network
file.
"""

import copyreg
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from deckatlas._core import hearthstone as core
from deckatlas.errors import AgentError, ModelError
from deckatlas.files.plain_data import read_json
from deckatlas.games.hearthstone.decisions import PLANNER_DEPTH, PLANNER_WIDTH
from deckatlas.games.hearthstone.position_network import NetworkWeights, read_network
from deckatlas.play import networks
from deckatlas.play.agent_files import found_file, package_file
from deckatlas.play.spec import (
    Entry,
    choice_option,
    file_option,
    files_in,
    flag_option,
    given_options,
    make_from_spec,
    number_option,
    remember_spec,
    spec_of,
    text_option,
    truth_option,
    whole_number_option,
    with_defaults,
)
from deckatlas.shapes import show

SCORES = tuple(core.Score.__members__)
EVOLVED = ("miracle-rogue", "tempo-rogue")  # experiments/hearthstone-pilots has the commands that made them
INFORMATION = tuple(core.Information.__members__)
SEARCH_WIDTH = 3
SEARCH_FINALISTS = 4
DEFAULT_PILOT = "default"
EXPERT_WIDTH = 12
EXPERT_FINALISTS = 8
EXPERT_LUCK = 4
EXPERT_CONSIDERED = 2
EXPERT_REPLIES = 2
EXPERT_REPLY_WIDTH = 1
EXPERT_OPENINGS = 8
FAST = "expert:width=3,finalists=2,luck=0,replies=0,openings=2"
_LEARNED = ("expert", DEFAULT_PILOT, "fast")  # agents that rate positions by a learned network
_STAND_FOR = {DEFAULT_PILOT: "expert", "fast": FAST}
_SHIPPED = package_file(__package__, "expert.npz")
_RATINGS = {name: package_file(__package__, f"ratings/{name}.json") for name in EVOLVED}

# In the order of the core.
FEATURES = (
    "HeroHp",
    "OpHeroHp",
    "HeroAtk",
    "OpHeroAtk",
    "HandTotCost",
    "HandCnt",
    "OpHandCnt",
    "DeckCnt",
    "OpDeckCnt",
    "MinionTotAtk",
    "OpMinionTotAtk",
    "MinionTotHealth",
    "OpMinionTotHealth",
    "MinionTotHealthTaunt",
    "OpMinionTotHealthTaunt",
)


def read_weights(path: Path) -> core.Rating:
    """Reads a rating that is a weighted sum of the features; missing features have weight 0.

    Raises:
        AgentError: If the file cannot be read or does not contain weights.
    """
    weights = _read_object(path, "weights")
    unknown = [name for name in weights if name not in FEATURES]
    if unknown:
        raise AgentError(f"the weights {path}: there is no feature {unknown[0][:60]!a}, only {', '.join(FEATURES)}")
    numbers = [weights.get(name, 0) for name in FEATURES]
    try:
        return core.Rating.linear(_floats(numbers))
    except AgentError as error:
        raise AgentError(f"the weights {path}: {error}") from None


def read_network_rating(path: Path) -> core.Rating:
    """Reads a rating that is a network over the features: see `deckatlas.play.networks` for the file.

    Raises:
        AgentError: If the file cannot be read or does not contain such a network.
    """
    network = networks.read_network(path)
    try:
        return core.Rating.network(network)
    except AgentError as error:
        raise AgentError(f"the network {path}: {error}") from None


def _read_object(path: Path, what: str) -> dict[str, Any]:
    content = read_json(path, error=AgentError, what=f"the {what} ")
    if not isinstance(content, dict):
        raise AgentError(f"the {what} {path}: it is not a JSON object")
    return content


def _floats(numbers: list[Any]) -> list[float]:
    if not all(type(number) in (int, float) for number in numbers):
        raise AgentError("a value is not a number")
    try:
        return [float(number) for number in numbers]
    except OverflowError:
        raise AgentError("a number is too large") from None


def _planner(
    score: str | None,
    net: str | None,
    weights: str | None,
    width: int,
    depth: int,
    information: str,
    replan: bool,
) -> core.Agent:
    if [score, net, weights].count(None) != 2:
        raise AgentError("'planner' needs one of score=NAME, net=FILE and weights=FILE")
    if net is not None:
        rating = read_network_rating(Path(net))
    elif weights is not None:
        rating = read_weights(Path(weights))
    elif score in SCORES:
        rating = core.Rating(core.Score[score])
    elif score in EVOLVED:
        rating = _evolved_rating(score)
    else:
        raise AgentError(f"option 'score' must be one of {', '.join(SCORES + EVOLVED)}, not {str(score)[:60]!a}")
    return core.planner_agent(
        rating, width=width, depth=depth, information=core.Information[information], replan=replan
    )


def shipped_network() -> NetworkWeights:
    """The network that comes with the package: experiments/hearthstone-expert has the command that made it."""
    with resources.as_file(found_file(_SHIPPED)) as path:
        return read_network(path)


@cache
def _shipped_rating() -> core.LearnedRating:
    return shipped_network().rating


@cache
def _evolved_rating(name: str) -> core.Rating:
    with resources.as_file(found_file(_RATINGS[name])) as path:
        return read_network_rating(path)


def _expert(
    net: str | None,
    width: int,
    finalists: int,
    luck: int,
    considered: int,
    replies: int,
    reply_width: int,
    openings: int,
) -> core.Agent:
    try:
        rating = _shipped_rating() if net is None else read_network(Path(net)).rating
    except ModelError as error:
        raise AgentError(str(error)) from None
    return core.expert_agent(
        rating,
        width=width,
        finalists=finalists,
        luck=luck,
        considered=considered,
        replies=replies,
        reply_width=reply_width,
        openings=openings,
    )


def _named(spec: str) -> Callable[[], core.Agent]:
    """Makes the agent of a spec that has a name of its own."""
    return lambda: agent(spec)


AGENTS: dict[str, Entry[core.Agent]] = {
    "expert": Entry(
        _expert,
        "like search, but rates positions by a network that learned from games",
        {
            "net": file_option("another network, a file of `deckatlas train`"),
            "width": whole_number_option("states kept per level of the beam, up to 64", EXPERT_WIDTH),
            "finalists": whole_number_option("ends of the turn that are rated, up to 64", EXPERT_FINALISTS),
            "luck": whole_number_option("samples of what a line draws or leaves to chance, up to 64", EXPERT_LUCK),
            "considered": whole_number_option("the best of these, rated after replies", EXPERT_CONSIDERED),
            "replies": whole_number_option("sampled hands of the enemy that reply to each, up to 64", EXPERT_REPLIES),
            "reply_width": whole_number_option("states kept per level of a reply's beam", EXPERT_REPLY_WIDTH),
            "openings": whole_number_option("samples per choice of opening cards, up to 64", EXPERT_OPENINGS),
        },
    ),
    DEFAULT_PILOT: Entry(_named(_STAND_FOR[DEFAULT_PILOT]), "stands for expert: the pilot where none is named"),
    "fast": Entry(_named(_STAND_FOR["fast"]), "expert with a narrow beam: twice the time of search, for many games"),
    "search": Entry(
        core.search_agent,
        "wins this turn if it can, else the best end of a beam search over its own turn, after the enemy's attacks",
        {
            "width": whole_number_option("states kept per level of the beam, up to 64", SEARCH_WIDTH),
            "finalists": whole_number_option("ends of the turn rated after the attacks, up to 64", SEARCH_FINALISTS),
        },
    ),
    "mcts": Entry(
        core.mcts_agent,
        "tree search over its own turn; resamples hidden cards and rates leaves by greedy play of both players",
        {
            "playouts": whole_number_option("playouts per search, up to 10,000", 200),
            "c": number_option("exploration", 0.05),
        },
    ),
    "mcts0": Entry(
        core.mcts0_agent,
        "tree search over its own turn; rates leaves like greedy",
        {"playouts": whole_number_option("playouts per search", 400), "c": number_option("exploration", 100)},
    ),
    "best-first": Entry(
        core.best_first_agent,
        "best-first search over its own turn, each state once",
        {"nodes": whole_number_option("sequences rated per turn", 400)},
    ),
    "dfs": Entry(
        core.dfs_agent,
        "the best end of all sequences of the turn, depth first",
        {"nodes": whole_number_option("states visited", 2000)},
    ),
    "fmc": Entry(
        core.fmc_agent,
        "the best end of many random turns",
        {"playouts": whole_number_option("random turns tried", 400)},
    ),
    "greedy": Entry(
        core.greedy_agent, "the best next position by the rating of `search`; ends the turn if no position is better"
    ),
    "planner": Entry(
        _planner,
        "plans whole turns by a beam search over its own actions, like the programs of the deck-search papers",
        {
            "score": text_option(
                f"a rating of positions: {', '.join(SCORES)} are published, {' and '.join(EVOLVED)} evolved here"
            ),
            "net": file_option("a network over features of positions, in JSON, instead"),
            "weights": file_option("weights of these features, in JSON, instead"),
            "width": whole_number_option("states kept per level of the beam, up to 64", PLANNER_WIDTH),
            "depth": whole_number_option("longest plan in actions, up to 32", PLANNER_DEPTH),
            "information": choice_option(
                "honest: plans with what its player sees; perfect: plans with everything", INFORMATION, "honest"
            ),
            "replan": truth_option("plan again after anything random or hidden is revealed", True),
        },
    ),
    "random": Entry(
        core.random_agent,
        "uniform over the legal actions, including the end of the turn",
        {"active": flag_option("never end the turn while something else is legal")},
    ),
    "pass": Entry(core.pass_agent, "ends every turn at once"),
}


def agent(spec: str) -> core.Agent:
    """The agent of a spec such as `planner:score=aggro`.

    Raises:
        AgentError: If there is no such agent, or it has no such option.
    """
    if not isinstance(spec, str) or not spec.isprintable():
        raise AgentError(f"an agent must be given by name, not as {show(spec)}")
    return remember_spec(make_from_spec(spec, AGENTS, kind="agent"), spec)


# An agent crosses processes as its text, for a new game; a deep copy remembers this one.
copyreg.pickle(core.Agent, lambda made: (agent, (spec_of(made),)))
setattr(core.Agent, "__deepcopy__", lambda made, memo: made.fresh())  # noqa: B010


def spelled_out(spec: str) -> str:
    """A spec with all options of its agent, and the agent's own name: another text means other games.

    Raises:
        AgentError: If the spec has an empty option.
    """
    named = _STAND_FOR.get(spec, spec)
    entry = AGENTS.get(named.partition(":")[0])
    options = {} if entry is None else entry.options
    defaults = {key: str(option.default) for key, option in options.items() if option.default is not None}
    return with_defaults(named, AGENTS, defaults)


def agent_files(spec: str) -> list[str]:
    """The files that the agent of a spec reads: those that its options name, or else the network that is shipped.

    Raises:
        AgentError: If an option of the spec is empty or given twice.
    """
    named = files_in(spec, AGENTS)
    if rates_by_chance(spec):
        return named or [_SHIPPED]
    score = given_options(spec)[1].get("score")
    return [_RATINGS[score]] if score in EVOLVED else named


def rates_by_chance(spec: str) -> bool:
    """Whether the agent of a spec rates positions by the chance to win; others rate them in points."""
    return spec.partition(":")[0] in _LEARNED
