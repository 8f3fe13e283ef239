"""Comparisons of Legends of Code and Magic: which of two draft policies or editions is better, by paired games."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import MatchError
from deckatlas.games.locm.agents import DRAFT_POLICIES
from deckatlas.games.locm.editions import DEFAULT, Edition, EditionLike, edition_of
from deckatlas.games.locm.entrants import PILOT, Entrant, piloted
from deckatlas.games.locm.metagame import LocmMetagame, MetagameLike, entrant_text, metagame_of
from deckatlas.games.locm.runner import LocmRunner
from deckatlas.games.locm.state import FORMATS, check_seed
from deckatlas.play.limits import thread_count
from deckatlas.play.match import shares
from deckatlas.play.paired import GAMES, SEATS, Comparison, PairedGames, compare_sides
from deckatlas.play.runner import Progress, after
from deckatlas.play.times import room_for_times
from deckatlas.search.batches import seed_of
from deckatlas.shapes import nearest, show
from deckatlas.stats.estimate import Floats

POLICY, EDITION = KINDS = ("policy", "edition")
OPPONENTS = ("icebox", "closetai", "coac", "chad", "onelane", "historyless", "atlas")
FORMAT = "referee"

Compared = str | Path | Edition


@dataclass(frozen=True, eq=False)
class LocmSide:
    """One side of a comparison: an entrant and the edition in which it plays."""

    entrant: Entrant
    edition: Edition


@dataclass(frozen=True, eq=False)
class LocmPairs(PairedGames):
    """The games of two draft policies, or of one in two editions: see the base class.

    Attributes:
        sides: Both sides.
        others: The opponents.
        format: The draft format.
        seed: The seed of everything random.
        paired: Whether both sides play the same seeds; otherwise the second plays others.
        threads: The number of threads.
    """

    sides: tuple[LocmSide, LocmSide]
    others: tuple[Entrant, ...]
    format: str
    seed: int
    paired: bool
    threads: int

    @property
    def is_same(self) -> bool:
        """Whether both sides have the same text and the same cards."""
        one, other = self.sides
        return self.paired and one.entrant.name == other.entrant.name and one.edition.cards == other.edition.cards

    def play(self, rounds: range, *, progress: Progress | None) -> Floats:
        """Plays rounds: see the base class."""
        won = np.empty((len(self.sides), len(rounds), len(self.others), len(SEATS)))
        games = range(len(SEATS) * rounds.start, len(SEATS) * rounds.stop)
        for number, (side, own) in enumerate(np.ndindex(len(self.sides), len(self.others))):
            runner = self._runner(side, own)
            columns, forfeits = runner.play(games, room_for_times(0), after(number * len(games), progress))
            self.forfeits[side].update(forfeits)
            shape = (len(rounds), len(SEATS))
            # Column `first` is the entrant that moved first: the side itself is entrant 0.
            by_seat = np.argsort(columns["first"].reshape(shape), axis=1)
            won[side, :, own] = np.take_along_axis(shares(columns["winner"]).reshape(shape), by_seat, axis=1)
        return won

    def _runner(self, side: int, opponent: int) -> LocmRunner:
        seed = self.seed if self.paired or side == 0 else seed_of(self.seed, "the other side")
        return LocmRunner(
            names=(self.names[side], self.opponents[opponent]),
            seed=seed_of(seed, "opponent", opponent),
            swap_seats=True,
            threads=self.threads,
            entrants=(self.sides[side].entrant, self.others[opponent]),
            format=self.format,
            decks=None,
            edition=self.sides[side].edition,
            time_factor=1.0,
        )


@checked
def compare(
    a: Compared, b: Compared, *, games: int = GAMES, progress: Progress | None = None, **options: Any
) -> Comparison:
    """Compares two draft policies or two editions: the same offers, opponents and shuffles on both sides.

    Args:
        a: A draft policy or DRAFT/BATTLE; or an edition: "1.2", a TOML file with a patch, or an `Edition`.
        b: Another one of the same kind.
        games: The most games, of both sides together; fewer are played if they decide it.
        progress: Called with the number of games done.
        **options: Those of `paired_games`: against, meta, policy, pilot, edition, format, paired, seed, threads, kind.

    Raises:
        AgentError: If a policy or an agent is unknown.
        CardError: If there is no such edition.
        MatchError: If the games cannot be played so.
        RunError: If there is no such metagame.
    """
    return compare_sides(paired_games(a, b, **options), games=games, progress=progress)


def paired_games(
    a: Compared,
    b: Compared,
    *,
    kind: str | None = None,
    against: Sequence[str] = (),
    meta: MetagameLike | None = None,
    policy: str | None = None,
    pilot: str | None = None,
    edition: EditionLike | None = None,
    format: str | None = None,
    paired: bool = True,
    seed: int = 0,
    threads: int | None = None,
    store: Path | None = None,
) -> LocmPairs:
    """The games that compare two draft policies, or one policy in two editions.

    Args:
        a: A draft policy or DRAFT/BATTLE; or an edition.
        b: Another one of the same kind.
        kind: What they are, "policy" or "edition"; by default their texts decide.
        against: The opponents, draft policies or DRAFT/BATTLE; by default seven policies.
        meta: A metagame whose entrants are the opponents, with its shares, instead of `against`.
        policy: With editions: the draft policy, or DRAFT/BATTLE, that plays in both.
        pilot: The battle agent of all that name none; by default that of the metagame, or "greedy".
        edition: With policies: the edition of the cards; by default that of the metagame, or "1.2".
        format: The draft format, "referee" or "distinct"; by default that of the metagame, or "referee".
        paired: Whether both sides draft from the same offers; otherwise the second from others.
        seed: The seed of everything random.
        threads: The number of threads; the result does not depend on it.
        store: The folder of runs, which draft policies do not need.

    Raises:
        AgentError: If a policy or an agent is unknown.
        CardError: If there is no such edition.
        MatchError: If the two are of different kinds, an option does not fit, or there is no such format.
        RunError: If there is no such metagame.
    """
    chosen = _common_kind(a, b, kind)
    _check_options(chosen, policy, edition)
    field = _field(against, meta, pilot)
    usual = pilot or (field.entrants[0].pilot if isinstance(field, LocmMetagame) else PILOT)
    cards = edition if edition is not None else field.cards if isinstance(field, LocmMetagame) else DEFAULT
    offers = format or (field.format if isinstance(field, LocmMetagame) else FORMAT)
    if offers not in FORMATS:
        raise MatchError(f"unknown draft format {show(offers)}: use {' or '.join(FORMATS)}")
    if chosen == EDITION:
        own = piloted(str(policy), usual)
        one, other = (LocmSide(own, edition_of(each)) for each in (a, b))
        names = _edition_names(a, b, one.edition, other.edition)
    else:
        one, other = (LocmSide(piloted(str(each), usual), edition_of(cards)) for each in (a, b))
        names = (str(a), str(b))
    if isinstance(field, LocmMetagame):
        met = [(each.name, entrant_text(each), each.weight) for each in field.entrants if each.weight > 0]
        against_field = f"{field.name} ({', '.join(field.pilots)})"
    else:
        met = [(each, each, 1.0) for each in field]
        against_field = f"{len(met)} draft policies ({usual})" if len(met) > 1 else piloted(field[0], usual).name
    weights = np.array([weight for _, _, weight in met])
    return LocmPairs(
        kind=chosen,
        names=names,
        against=against_field,
        opponents=tuple(name for name, _, _ in met),
        weights=weights / weights.sum(),
        decks=(),
        claim=_claim(chosen, names, one.entrant.name, against_field),
        sides=(one, other),
        others=tuple(piloted(text, usual) for _, text, _ in met),
        format=offers,
        seed=check_seed(seed),
        paired=paired,
        threads=thread_count(threads),
    )


def _common_kind(a: Compared, b: Compared, given: str | None) -> str:
    if given is not None:
        if given not in KINDS:
            raise MatchError(
                f"only draft policies or editions can be compared, not {show(given)}: {nearest(given, KINDS)}"
            )
        return given
    kinds = [EDITION if _is_edition(each) else POLICY for each in (a, b)]
    if kinds[0] != kinds[1]:
        first, second = (
            f"{show(str(each))} is {'an edition' if kind == EDITION else 'a draft policy'}"
            for each, kind in zip((a, b), kinds, strict=True)
        )
        raise MatchError(f"{first} and {second}: both must be draft policies, or both editions")
    return kinds[0]


def _is_edition(given: Compared) -> bool:
    if isinstance(given, Edition | Path):
        return True
    if not isinstance(given, str):
        raise MatchError(f"only draft policies or editions can be compared, not {show(given)}")
    return given == DEFAULT or (given.endswith(".toml") and given.partition(":")[0] not in DRAFT_POLICIES)


def _check_options(kind: str, policy: str | None, edition: EditionLike | None) -> None:
    if kind == EDITION and edition is not None:
        raise MatchError("the option edition is for comparisons of policies, but this one compares editions")
    if kind == EDITION and policy is None:
        raise MatchError("name the draft policy that plays in both editions (--policy)")
    if kind == POLICY and policy is not None:
        raise MatchError("the option policy is for comparisons of editions, but this one compares policies")


def _field(against: Sequence[str], meta: MetagameLike | None, pilot: str | None) -> LocmMetagame | tuple[str, ...]:
    if meta is None:
        return tuple(against) or OPPONENTS
    if against:
        raise MatchError("give either opponents (against) or a metagame (meta), not both")
    return metagame_of(meta, pilot=pilot)


def _edition_names(a: Compared, b: Compared, one: Edition, other: Edition) -> tuple[str, str]:
    return (one.name, other.name) if one.name != other.name or one == other else (str(a), str(b))


def _claim(kind: str, names: tuple[str, str], policy: str, against: str) -> Callable[[str], str]:
    a, b = names
    if kind == POLICY:
        return lambda more: f"{a} wins {more} than {b} against {against}"
    return lambda more: f"{policy} wins {more} in {a} than in {b} against {against}"
