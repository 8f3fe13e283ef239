"""Trials of a balance study: decks are searched again under both editions, and the metagame of both is solved.

A trial is a whole replication: a search for each kind under each edition, from a seed of its own, and the games of
known and found decks, on seeds of their own. Both editions of a trial share their seeds. So the differences of trials
are independent of each other, and their spread says how sure a mean difference is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from deckatlas.balancing.plan import StudyPlan
from deckatlas.balancing.subject import SIDES, Floats, FoundMap, Subject, Words
from deckatlas.metagame.growth import Listener
from deckatlas.metagame.matchups import Matchups
from deckatlas.metagame.matrix_game import symmetric_mix
from deckatlas.metagame.metagame import Metagame, named_apart
from deckatlas.metagame.play import play_evenly
from deckatlas.runs.config import RunConfig
from deckatlas.runs.hashes import canonical_json, text_hash
from deckatlas.runs.in_turn import execute_in_turn
from deckatlas.runs.library import path_of
from deckatlas.runs.view import open_run

ADVICE = "choose another folder with --store"
_HASH_DIGITS = 10

SearchKey = tuple[str, str]  # the kind, and the pilot of the search


@dataclass(frozen=True)
class Half:
    """One edition's half of a trial.

    Attributes:
        maps: What each search found.
        matchups: The games of known decks and then of found ones.
        shares: Today's shares of the known decks.
        found: For each found deck, its search.
        classes: The class of each deck of the matchups.
        held: The cards of each deck of the matchups, with how much of it each deck has.
    """

    maps: Mapping[SearchKey, FoundMap]
    matchups: Matchups
    shares: Floats
    found: tuple[SearchKey, ...]
    classes: tuple[str, ...]
    held: tuple[Mapping[str, float], ...]

    @cached_property
    def mix(self) -> Floats:
        """The equilibrium mix of the known and the found decks."""
        return symmetric_mix(self.matchups.gains)[0]

    @property
    def variety(self) -> float:
        """How many decks the mix has in effect: the exponential of its entropy."""
        played = self.mix[self.mix > 0]
        return float(np.exp(-(played * np.log(played)).sum()))

    def class_share(self, name: str) -> float:
        """The share of a class in the mix."""
        return float(sum(share for share, own in zip(self.mix.tolist(), self.classes, strict=True) if own == name))

    def card_share(self, card: str) -> float:
        """How much of the mix has a card."""
        return float(sum(share * own.get(card, 0.0) for share, own in zip(self.mix.tolist(), self.held, strict=True)))

    def deck_shares(self, words: Words) -> dict[str, float]:
        """The share of each known deck in the mix, and that of all decks that the searches for a kind found."""
        known = len(self.shares)
        shares = dict(zip(self.matchups.names[:known], self.mix[:known].tolist(), strict=True))
        for (kind, _), share in zip(self.found, self.mix[known:].tolist(), strict=True):
            name = words.found(kind)
            shares[name] = shares.get(name, 0.0) + share
        return shares

    def found_rate(self, key: SearchKey) -> float:
        """How often the decks of a search win against today's shares of the known decks, on average."""
        known = len(self.shares)
        rows = [known + number for number, own in enumerate(self.found) if own == key]
        return float((self.matchups.rates[rows, :known] @ self.shares).mean())


@dataclass(frozen=True)
class Trial:
    """A trial.

    Attributes:
        number: Its number, from 1.
        from_known: Whether its searches started with known decks, or with random ones.
        halves: The base edition, and the patch.
        runs: The names of its runs.
    """

    number: int
    from_known: bool
    halves: tuple[Half, Half]
    runs: tuple[str, ...]


def keys_of(subject: Subject) -> tuple[SearchKey, ...]:
    """The searches of each trial."""
    return tuple((kind, pilot) for kind in subject.kinds for pilot in subject.search_pilots)


def play_trials(subject: Subject, plan: StudyPlan, listener: Listener) -> Iterator[Trial]:
    """Plays all trials, or what is left of them."""
    for number in range(1, plan.effort.trials + 1):
        from_known = number % 2 == 1
        runs: list[str] = []
        halves = [_half(subject, plan, number, side, from_known, listener, runs) for side in SIDES]
        yield Trial(number, from_known, (halves[0], halves[1]), tuple(runs))


def search_config(subject: Subject, plan: StudyPlan, key: SearchKey, number: int, side: int) -> RunConfig:
    """The search of a trial, named by all that its result depends on: studies with the same search share its run."""
    kind, pilot = key
    seed = plan.side_seed(side, "search", number, kind, pilot)

    def named(name: str) -> RunConfig:
        return subject.search(
            kind,
            side,
            name=name,
            pilot=pilot,
            seed=seed,
            from_known=number % 2 == 1,
            size=plan.effort.size,
        )

    config = named("balance")
    depends_on = canonical_json({"config": config.to_json(), "cards": config.cards_hash()})
    return named(f"balance-{kind}-{text_hash(depends_on).hex()[:_HASH_DIGITS]}")


def _half(
    subject: Subject, plan: StudyPlan, number: int, side: int, from_known: bool, listener: Listener, runs: list[str]
) -> Half:
    maps: dict[SearchKey, FoundMap] = {}
    for key in keys_of(subject):
        config = search_config(subject, plan, key, number, side)
        path = path_of(plan.folder, config.name)
        with listener.stage(f"trial {number}, {key[0]}, {subject.editions[side]}") as watch:
            execute_in_turn(config, path, threads=plan.threads, watch=watch, advice=ADVICE)
        maps[key] = subject.found(open_run(path), side, best=plan.effort.finalists)
        runs.append(config.name)
    field = subject.fields[side]
    metagame, found = _with_found(field, maps)
    with listener.stage(f"trial {number}, metagame, {subject.editions[side]}") as watch:
        budget = plan.budget(side, "mix", number, games=plan.effort.mix_games, watch=watch)
        matchups = play_evenly(metagame, budget)
    classes = (*subject.classes, *(subject.class_of(kind) for kind, _ in found))
    held = tuple(subject.held(each.deck, side) for each in metagame.entrants)
    return Half(maps, matchups, field.shares, found, classes, held)


def _with_found(field: Metagame, maps: Mapping[SearchKey, FoundMap]) -> tuple[Metagame, tuple[SearchKey, ...]]:
    """The known decks joined by the best decks of each search: as many under both editions, if maps have so many."""
    joined, found = field, []
    for key, found_map in maps.items():
        for deck in found_map.best:
            joined = joined.joined_by(deck, name=named_apart(f"found {key[0].title()}", joined.names))
            found.append(key)
    return joined, tuple(found)
