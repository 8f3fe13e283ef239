"""A metagame that grows by best responses to its own equilibrium mix: double oracle.

In each round the mix is solved, and searches look for decks that win against it. The best deck of each search plays
fresh games against the mix. Those that gain more than a margin beyond doubt join, and the mix is solved again, until
no deck gains more. Everything is stored as runs: the same call after an interruption reads what is there, plays the
rest, and gives the same result.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from deckatlas.errors import MatchError
from deckatlas.metagame.analysis import Analysis, analyse
from deckatlas.metagame.equilibrium import SAMPLES
from deckatlas.metagame.matchups import GAMES_PER_SEED, Floats, weighted_rate
from deckatlas.metagame.metagame import MOST_DECKS, Metagame
from deckatlas.metagame.play import GAMES, Budget, Watch, play_trial
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.runs.config import file_name
from deckatlas.search.batches import seed_of
from deckatlas.shapes import show
from deckatlas.stats.distributions import normal_quantile
from deckatlas.stats.estimate import Estimate

ROUNDS = 5
MARGIN = 2.0  # points
FINAL_GAMES = 400
CONFIRMATION_GAMES = 2000
_MOST_ROUNDS = 100
_LEVEL = 0.95  # of the intervals of a round, all together


@dataclass(frozen=True)
class SearchOrder:
    """A search that a round needs.

    Attributes:
        kind: What is searched, such as a class: one of the kinds of the searches.
        field: The metagame whose mix is to be beaten.
        name: The name of the run.
        seed: The seed of everything random in it.
        folder: The folder of runs.
        threads: The number of threads.
        watch: Called with the progress.
    """

    kind: str
    field: Analysis
    name: str
    seed: int
    folder: Path
    threads: int | None = None
    watch: Watch | None = None


class Searches(Protocol):
    """Searches for decks that win against a mix; a game provides them."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is searched, one search for each: such as classes."""
        ...

    @property
    def games(self) -> int:
        """The games of one search."""
        ...

    @property
    def finalists(self) -> int:
        """The most decks that a search returns."""
        ...

    @property
    def pilot(self) -> str:
        """The agent that plays all decks within a search."""
        ...

    def best_responses(self, order: SearchOrder) -> Sequence[str]:
        """Runs a search, or the rest of it; returns its best decks, the best first, without those of the field.

        Raises:
            RunError: If the store holds another run, or cannot be used.
        """
        ...


@dataclass(frozen=True)
class Response:
    """The best deck that a search found against a mix.

    Attributes:
        kind: What was searched, such as a class.
        run: The name of the search.
        deck: The deck; empty if the search found only decks that the metagame has.
        gain: How much more than half of its fresh games it won against the mix, in points (percent of games); 0
            on 0 games if there is no deck. The intervals of a round hold together.
        joined: Its name in the metagame; empty if it did not join.
    """

    kind: str
    run: str
    deck: str
    gain: Estimate
    joined: str = ""

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        gain = self.gain.cells("gain", n="games")
        return {"kind": self.kind, "run": self.run, "deck": self.deck, **gain, "joined": self.joined or None}


@dataclass(frozen=True)
class Round:
    """One round.

    Attributes:
        number: Its number, from 1.
        field: The metagame before it, with its mix.
        responses: The responses to that mix, in the order of the searches.
    """

    number: int
    field: Analysis
    responses: tuple[Response, ...]

    @property
    def joined(self) -> tuple[Response, ...]:
        """The responses that joined."""
        return tuple(each for each in self.responses if each.joined)

    @property
    def best(self) -> Response | None:
        """The response that gains most: how far the mix was from an equilibrium, as far as the searches can tell.

        None if no search found a deck that the metagame lacks.
        """
        found = (each for each in self.responses if each.deck)
        return max(found, key=lambda each: each.gain.value, default=None)


@dataclass(frozen=True)
class GrowthPlan:
    """How a metagame grows.

    Attributes:
        name: The name of the grown metagame; names of runs start with it.
        folder: The folder of runs.
        rounds: The most rounds.
        margin: The gain against the mix, in points, that a deck needs to join.
        games: The mean number of games per pair of the metagame.
        finals: The games of each finalist of a search, from which the best is chosen.
        confirmation: The fresh games of the best one against the mix.
        seed: The seed of everything random.
        samples: The number of resampled matrices behind the uncertainty of a mix.
        threads: The number of threads; the result does not depend on it.

    Raises:
        MatchError: If a number is impossible.
    """

    name: str
    folder: Path
    rounds: int = ROUNDS
    margin: float = MARGIN
    games: int = GAMES
    finals: int = FINAL_GAMES
    confirmation: int = CONFIRMATION_GAMES
    seed: int = 0
    samples: int = SAMPLES
    threads: int | None = None

    def __post_init__(self) -> None:
        positive("rounds", self.rounds, _MOST_ROUNDS)
        positive("the games of the finals", self.finals, MAX_GAMES, least=GAMES_PER_SEED)
        positive("the games of a confirmation", self.confirmation, MAX_GAMES, least=GAMES_PER_SEED)
        if not 0 <= self.margin <= 50:
            raise MatchError(f"the margin must be from 0 to 50 points, not {self.margin:g}")
        Budget(self.games, self.seed)  # raises if they are impossible
        try:
            file_name(self.name)
        except ValueError as error:
            raise MatchError(f"a metagame cannot be called {show(self.name)}: {error}") from None

    def budget(self, *purposes: object, games: int | None = None, watch: Watch | None = None) -> Budget:
        """How games are played: for a purpose of their own, or with the seed itself if there is none."""
        seed = seed_of(self.seed, *purposes) if purposes else self.seed
        return Budget(self.games if games is None else games, seed, self.folder, self.threads, watch)


class Listener:
    """Follows a metagame that grows; it does nothing unless a method is overridden."""

    def stage(self, title: str) -> AbstractContextManager[Watch | None]:
        """Shows the progress of a stage while a block runs."""
        return nullcontext()

    def solved(self, rounds: int, field: Analysis) -> None:
        """The mix after this number of rounds is known."""

    def responded(self, response: Response) -> None:
        """A search has its response, and it is known whether that joins."""


@dataclass(frozen=True)
class Growth:
    """A metagame that has grown.

    Attributes:
        plan: How it grew.
        rounds: The rounds.
        final: The metagame after the last round, with its mix.
    """

    plan: GrowthPlan
    rounds: tuple[Round, ...]
    final: Analysis

    @property
    def is_closed(self) -> bool:
        """Whether no deck joined in the last round; otherwise the rounds ended before that."""
        return not self.rounds[-1].joined

    @property
    def fields(self) -> tuple[Analysis, ...]:
        """The metagame before each round, and after the last one if it changed in it."""
        before = tuple(each.field for each in self.rounds)
        return before if self.is_closed else (*before, self.final)

    @cached_property
    def verdict(self) -> str:
        """How it ended, in a sentence."""
        margin, last = f"{self.plan.margin:.1f} points", self.rounds[-1]
        if last.best is None:
            return f"No deck gains more than {margin} against the mix: no search found a new deck."
        gained = f"the best response, {last.best.kind}, gains {points(last.best.gain)}"
        if not self.is_closed:
            count = len(self.rounds)
            return (
                f"The rounds ended: in round {count}, {len(last.joined)} of {len(last.responses)} searches found a "
                f"deck that gains more than {margin} against the mix; {gained} points."
            )
        doubt = "" if max(each.gain.high for each in last.responses) <= self.plan.margin else " beyond doubt"
        return f"No deck gains more than {margin} against the mix{doubt}: {gained} points."

    def to_toml(self) -> str:
        """The grown metagame as a file that commands read."""
        notes = {
            response.joined: f"Joined in round {each.number}: {points(response.gain)} against the mix."
            for each in self.rounds
            for response in each.joined
        }
        return self.final.metagame.to_toml(notes)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        after = (*(each.field for each in self.rounds[1:]), self.final)
        return {
            "metagame": self.plan.name,
            "start": self.rounds[0].field.metagame.name,
            "seed": self.plan.seed,
            "margin": self.plan.margin,
            "is_closed": self.is_closed,
            "verdict": self.verdict,
            "rounds": [
                {
                    "round": each.number,
                    "mix_before": _mix_json(each.field),
                    "responses": [response.to_json() for response in each.responses],
                    "mix_after": _mix_json(later),
                }
                for each, later in zip(self.rounds, after, strict=True)
            ],
            "final": self.final.to_json(),
        }


def points(gain: Estimate) -> str:
    """A gain in points with its interval, as text for people."""
    return f"{gain.value:+.1f} [{gain.low:+.1f}, {gain.high:+.1f}]"


def _mix_json(field: Analysis) -> Mapping[str, float]:
    return dict(zip(field.names, field.mix.shares.tolist(), strict=True))


def grow(start: Metagame, searches: Searches, plan: GrowthPlan, *, listener: Listener | None = None) -> Growth:
    """Grows a metagame by best responses until no deck gains more than the margin, or the rounds end.

    Args:
        start: The metagame to start from.
        searches: The searches for best responses.
        plan: How it grows.
        listener: Follows the progress.

    Raises:
        MatchError: If the metagame would have too many decks.
        RunError: If a store holds another run, or cannot be used.
    """
    heard = Listener() if listener is None else listener
    metagame, earlier = start, None
    rounds: list[Round] = []
    for number in range(1, plan.rounds + 1):
        field = _solved(metagame, earlier, plan, heard)
        heard.solved(number - 1, field)
        rounds.append(_round(number, field, searches, plan, heard))
        if not rounds[-1].joined:
            return Growth(plan, tuple(rounds), field)
        metagame, earlier = _joined(metagame, rounds[-1], plan), metagame
    final = _solved(metagame, earlier, plan, heard)
    heard.solved(len(rounds), final)
    return Growth(plan, tuple(rounds), final)


def _solved(metagame: Metagame, earlier: Metagame | None, plan: GrowthPlan, heard: Listener) -> Analysis:
    with heard.stage(f"{metagame.name}, {len(metagame.entrants)} decks") as watch:
        return analyse(metagame, plan.budget(watch=watch), samples=plan.samples, earlier=earlier)


def _joined(metagame: Metagame, last: Round, plan: GrowthPlan) -> Metagame:
    """The metagame with the decks that joined in a round."""
    if len(metagame.entrants) + len(last.joined) > MOST_DECKS:
        raise MatchError(f"a metagame has at most {MOST_DECKS} decks: grow it for fewer rounds or classes")
    for each in last.joined:
        metagame = metagame.joined_by(each.deck, name=each.joined)
    return replace(metagame, name=plan.name, source="")


def _round(number: int, field: Analysis, searches: Searches, plan: GrowthPlan, heard: Listener) -> Round:
    responses: list[Response] = []
    z = normal_quantile(1 - (1 - _LEVEL) / 2 / len(searches.kinds))
    for kind in searches.kinds:
        name = f"{plan.name}-round-{number}-{kind}"
        with heard.stage(name) as watch:
            seed = seed_of(plan.seed, "search", number, kind)
            order = SearchOrder(kind, field, name, seed, plan.folder, plan.threads, watch)
            found = searches.best_responses(order)
        taken = (*field.names, *(each.joined for each in responses))
        response = _confirmed(Response(kind, name, "", _NOTHING), found, field, number, z, plan, heard)
        if response.gain.low > plan.margin:
            response = replace(response, joined=numbered(kind, taken))
        responses.append(response)
        heard.responded(response)
    return Round(number, field, tuple(responses))


_NOTHING = Estimate(0.0, 0.0, 0.0, 0)  # a deck of the mix gains nothing


def _confirmed(
    response: Response,
    found: Sequence[str],
    field: Analysis,
    number: int,
    z: float,
    plan: GrowthPlan,
    heard: Listener,
) -> Response:
    """The best of a search's decks, chosen on some games, with its gain on other ones that no choice has seen."""
    if not found:
        return response
    if len(found) > 1:
        with heard.stage(f"{response.run}, finals") as watch:
            budget = plan.budget("finals", number, games=plan.finals, watch=watch)
            tried = _trial(field, found, f"{response.run} finals", budget)
            rates = [weighted_rate(each, field.mix.shares).value for each in tried]
        found = [found[max(range(len(found)), key=rates.__getitem__)]]
    with heard.stage(f"{response.run}, confirmation") as watch:
        budget = plan.budget("confirmation", number, games=plan.confirmation, watch=watch)
        (met,) = _trial(field, found, f"{response.run} confirmation", budget)
    rate = weighted_rate(met, field.mix.shares, z=z).in_percent()
    gain = replace(rate, value=rate.value - 50, low=rate.low - 50, high=rate.high - 50)
    return replace(response, deck=found[0], gain=gain)


def _trial(field: Analysis, decks: Sequence[str], name: str, budget: Budget) -> list[dict[int, Floats]]:
    joined = field.metagame
    for deck in decks:
        joined = joined.joined_by(deck)
    return play_trial(replace(joined, name=name), len(decks), field.mix.shares, budget)


def numbered(kind: str, taken: Sequence[str]) -> str:
    """The name of a deck that joins, such as `Hunter 2`: the kind, and the first number that is not taken."""
    number = 1
    while (name := f"{kind.title()} {number}") in taken:
        number += 1
    return name
