"""Evaluations of Hearthstone decks: a pilot plays them against a suite of opponents.

All decks of a call meet the same opponents from the same seeds, so their results can be compared.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.arguments import checked
from deckatlas.errors import DeckError, MatchError
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT
from deckatlas.games.hearthstone.cards.decks import Deck, check_class
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.games.hearthstone.cards_in_games import CardsInGames, cards_in_games
from deckatlas.games.hearthstone.courses import seeds_to_try
from deckatlas.games.hearthstone.match import play_one
from deckatlas.games.hearthstone.pilots import PilotLike
from deckatlas.games.hearthstone.profiles import FAIR, Profile
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.games.hearthstone.setting import (
    AVERAGES,
    GameNumbers,
    Ints,
    Setting,
    averages_of,
    known_only,
    setting,
    strata_of,
)
from deckatlas.games.hearthstone.setup import DeckLike, EditionLike, deck_of, deck_rows
from deckatlas.games.hearthstone.suites import Schedule, Suite, SuiteLike
from deckatlas.play.limits import thread_count
from deckatlas.play.runner import Progress
from deckatlas.shapes import nearest, show
from deckatlas.stats.averages import Strata, rates_by_stratum, ratios_by_stratum
from deckatlas.stats.estimate import Estimates

GAMES_AT_ONCE = 200_000  # per call of the core: the recorded numbers take some tens of megabytes


@dataclass(frozen=True)
class Evaluations:
    """The results of evaluations; every array has one entry per deck.

    `averages` and `by_opponent` have the same keys: `win_rate`; `avg_health_diff`, the deck's health minus the
    opponent's at the end of games; `num_turns`; and averages over the turns of the deck's player: `hand_size`,
    `damage_done`, `cards_drawn`, `mana_spent`, `mana_wasted` and `strategy_alignment`, how its pilot rated its plans.
    The profile defines how these are counted.

    Attributes:
        decks: The decks.
        edition: The edition they were played in.
        pilot: The name of the pilot that played them.
        played_by: The pilot itself.
        suite: The opponents.
        profile: How games were set up and counted.
        seed: Seed of the run.
        course: The games that each deck played.
        averages: Averages over all games.
        by_opponent: Averages over the games with each opponent: one row per deck, one column per opponent.
        wins: Games won.
        sd_health_diff: Standard deviation of the health difference over games.
        retries: How often a game was played again because it exceeded a capacity of the core.
        voids: The number of games that stayed void; they count as not won.
        card_plays: How often the card at each place of a deck was played; `plays_of` gives them by card id.
        forfeits: How often a player forfeited, by player and reason.
        games: The numbers of each game, if requested.
        cards: What happened to the cards of each deck, if requested; see `deckatlas.games.hearthstone.cards_in_games`.
    """

    decks: tuple[Deck, ...]
    edition: Edition
    pilot: str
    played_by: PilotLike = field(repr=False)
    suite: Suite
    profile: Profile
    seed: int
    course: Schedule
    averages: Mapping[str, Estimates]
    by_opponent: Mapping[str, Estimates]
    wins: npt.NDArray[np.int64]
    sd_health_diff: npt.NDArray[np.float64]
    retries: npt.NDArray[np.int64]
    voids: npt.NDArray[np.int64]
    card_plays: Ints = field(repr=False)
    forfeits: Mapping[str, int] = field(default_factory=dict)
    games: GameNumbers | None = field(default=None, repr=False)
    cards: tuple[CardsInGames, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        rates = self.averages["win_rate"].value
        wins = f"win rate {rates.min():.3f}" + (f" to {rates.max():.3f}" if len(self) > 1 else "")
        decks = f"{len(self):,} deck{'' if len(self) == 1 else 's'}"
        return f"<Evaluations of {decks} by {self.pilot}: {len(self.course):,} games each, {wins}>"

    def __len__(self) -> int:
        return len(self.decks)

    def __getitem__(self, average: str) -> Estimates:
        """An average over all games, by its name.

        Raises:
            MatchError: If there is no average of that name.
        """
        if average not in AVERAGES:
            raise MatchError(f"there is no average {show(average)}: {nearest(average, AVERAGES)}")
        return self.averages[average]

    @property
    def games_of_opponents(self) -> npt.NDArray[np.int64]:
        """The number of games of each deck against each opponent."""
        return np.bincount(self.course.opponent, minlength=len(self.suite.opponents))

    @property
    def fitness(self) -> Estimates:
        """The fitness that the profile defines: the mean of the health difference, or its sum over games."""
        mean = self.averages["avg_health_diff"]
        return mean if self.profile.health_difference == "mean" else mean.times(len(self.course))

    def plays_of(self, number: int) -> dict[str, int]:
        """How often each card of a deck was played, over all games.

        Raises:
            MatchError: If there is no deck with that number.
        """
        _check_number("deck", number, len(self.decks))
        copies = self.decks[number].copies
        return {card: int(self.card_plays[number, copies.index(card)]) for card in copies}

    def replay(self, game: int, *, deck: int = 0, time_factor: float = 1.0) -> GameRecord:
        """Replays a game of the evaluation and returns its record, which prints as a story.

        Args:
            game: Number of the game in the course, from 0.
            deck: Number of the deck, from 0.
            time_factor: Multiplies the time limits of external programs.

        Raises:
            MatchError: If there is no such game or deck.
        """
        _check_number("game", game, len(self.course))
        _check_number("deck", deck, len(self.decks))
        opponent = self.suite.opponents[self.course.opponent[game]]
        players = [(self.decks[deck], self.played_by), (opponent.deck, opponent.pilot)]
        (first, first_pilot), (second, second_pilot) = players[:: -1 if self.course.seat[game] else 1]
        for seed in seeds_to_try(int(self.course.seed[game])):
            record = play_one(
                self.profile.pilot(first_pilot),
                self.profile.pilot(second_pilot),
                decks=(first, second),
                edition=self.edition,
                seed=seed,
                mulligan=self.profile.mulligan,
                time_factor=time_factor,
            )
            *_, last = record.replay()
            if not last.is_void:
                break
        return record


@checked
def evaluate(
    decks: DeckLike | Iterable[DeckLike | Iterable[str]],
    *,
    pilot: PilotLike = DEFAULT_PILOT,
    suite: SuiteLike = "starter",
    games: int = 200,
    seed: int = 0,
    profile: Profile | str = FAIR,
    edition: EditionLike = DEFAULT,
    hero_class: str | None = None,
    first_game: int = 0,
    threads: int | None = None,
    time_factor: float = 1.0,
    keep_games: bool = False,
    cards: bool = False,
    progress: Progress | None = None,
) -> Evaluations:
    """Evaluates decks. The result depends on the seed, never on the number of threads or on the other decks.

    Args:
        decks: A deck or several decks, each a `Deck`, a name, a code, a text or card ids, such as an array with one row
            per deck.
        pilot: The pilot of the decks, such as "planner:score=aggro"; `deckatlas.games.hearthstone.pilots` lists all
            ways to write one.
        suite: The opponents: "starter", "elite", a shipped metagame such as "field-2018", the path of a TOML file or a
            suite.
        games: The number of games per deck; the opponents take turns.
        seed: Seed of the run.
        profile: How games are set up and counted: "fair", "evostone" or "evosabber".
        edition: The edition of the cards, or its name.
        hero_class: The class of all decks, such as "mage"; required for lists of neutral cards only.
        first_game: The number of the first game, to continue an earlier evaluation.
        threads: The number of threads; by default, all available ones.
        time_factor: Multiplies the time limits of external programs.
        keep_games: Whether to also return the numbers of every game.
        cards: Whether to also return what happened to each card: how often it was kept, drawn and played, when it was
            played, and how these games ended.
        progress: Called with the number of finished games, about ten times a second and at the end.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in it, or has another class than the given one.
        MatchError: If the games cannot be played as requested.
        RunError: If there is no such suite, or its file has a mistake.
    """
    threads = thread_count(threads)
    shared = setting(
        pilot=pilot, suite=suite, profile=profile, edition=edition, time_factor=time_factor, card_events=cards
    )
    course = shared.course(games, seed=seed, first_game=first_game)
    strata = strata_of(course)
    legal = _legal(decks, shared.edition, hero_class)
    rows = deck_rows(legal, shared.edition)
    parts, summaries = [], []
    of_cards: list[CardsInGames] = []
    forfeits: Counter[str] = Counter()
    decks_at_once = max(1, GAMES_AT_ONCE // len(course))
    for start in range(0, len(rows), decks_at_once):
        told = _of_all_games(progress, start * len(course))
        chosen = slice(start, start + decks_at_once)
        part = shared.play(rows[chosen], course, threads=threads, progress=told)
        summaries.append(_summary(part, shared, strata))
        if cards:
            of_cards += (cards_in_games(deck, part, strata, number=i) for i, deck in enumerate(legal[chosen]))
        forfeits.update(part.forfeits)
        if keep_games:
            parts.append(part)
    if progress is not None:
        progress(len(rows) * len(course))
    return Evaluations(
        decks=legal,
        edition=shared.edition,
        pilot=shared.pilot,
        played_by=pilot,
        suite=shared.suite,
        profile=shared.profile,
        seed=seed,
        course=course,
        averages=_joined([each.averages for each in summaries]),
        by_opponent=_joined([each.by_opponent for each in summaries]),
        wins=np.concatenate([each.wins for each in summaries]),
        sd_health_diff=np.concatenate([each.sd_health_diff for each in summaries]),
        retries=np.concatenate([each.retries for each in summaries]),
        voids=np.concatenate([each.voids for each in summaries]),
        card_plays=np.concatenate([each.card_plays for each in summaries]),
        forfeits=forfeits,
        games=_joined_games(parts) if keep_games else None,
        cards=tuple(of_cards),
    )


def _legal(
    decks: DeckLike | Iterable[DeckLike | Iterable[str]], cards: Edition, hero_class: str | None
) -> tuple[Deck, ...]:
    """The decks, all of them legal; with several decks, an error names the deck's number."""
    hero_class = None if hero_class is None else check_class(hero_class)
    if isinstance(decks, Deck | str):
        return (deck_of(decks, cards, hero_class=hero_class),)
    if not isinstance(decks, Iterable):
        raise DeckError(f"decks must be a deck or a list of decks, not {show(decks)}")
    legal = []
    for number, given in enumerate(decks):
        try:
            legal.append(deck_of(_as_text(given, cards), cards, hero_class=hero_class))
        except DeckError as error:
            raise DeckError(f"decks[{number}]: {error}") from None
    return tuple(legal)


def _as_text(deck: DeckLike | Iterable[str], cards: Edition) -> DeckLike:
    """A deck as a `Deck` or a text; a list of ids becomes a text."""
    if isinstance(deck, Deck | str) or not isinstance(deck, Iterable):
        return deck
    ids = list(deck)
    for each in ids:
        if not isinstance(each, str) or each not in cards.by_id:
            raise DeckError(f"a deck given as a list must contain card ids, and {show(each)} is not one")
    return " ".join(ids)


def _check_number(what: str, number: int, count: int) -> None:
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number < count:
        raise MatchError(f"there is no {what} {show(number)}: they are numbered from 0 to {count - 1}")


def _of_all_games(progress: Progress | None, before: int) -> Progress | None:
    """Reports the progress of one call of the core as progress of the whole evaluation."""
    return None if progress is None else lambda done: progress(before + done)


@dataclass(frozen=True)
class _Summary:
    """The results of some of the decks, as in `Evaluations`."""

    averages: dict[str, Estimates]
    by_opponent: dict[str, Estimates]
    wins: npt.NDArray[np.int64]
    sd_health_diff: npt.NDArray[np.float64]
    retries: npt.NDArray[np.int64]
    voids: npt.NDArray[np.int64]
    card_plays: Ints


def _averages_by_opponent(games: GameNumbers, shared: Setting, strata: Strata) -> dict[str, Estimates]:
    met = np.unique(games.course.opponent)
    by_opponent = {}
    for name in AVERAGES:
        numbers = games.of(name, shared.profile)
        if name == "win_rate":
            of_met = rates_by_stratum(strata, numbers)
        else:
            of_met = ratios_by_stratum(strata, numbers, games.over(name))
        by_opponent[name] = _of_all(of_met, met, len(shared.suite.opponents))
    return by_opponent


def _summary(games: GameNumbers, shared: Setting, strata: Strata) -> _Summary:
    health = games.of("avg_health_diff", shared.profile)
    averages = averages_of(games, shared.profile, strata)
    by_opponent = known_only(_averages_by_opponent(games, shared, strata), games)
    return _Summary(
        averages,
        by_opponent,
        wins=games.noted["won"].sum(axis=1),
        sd_health_diff=health.std(axis=1, ddof=1) if health.shape[1] > 1 else np.full(len(health), np.nan),
        retries=games.noted["retries"].sum(axis=1),
        voids=games.noted["void"].sum(axis=1),
        card_plays=games.card_plays,
    )


def _of_all(estimates: Estimates, met: npt.NDArray[np.int32], opponents: int) -> Estimates:
    """The same estimates, with unknown columns for opponents without a game."""
    unknown = Estimates.unknown((len(estimates.value), opponents - len(met)))
    places = np.argsort(np.concatenate([met, np.setdiff1d(np.arange(opponents), met)]))
    return Estimates.joined([estimates, unknown], axis=1).taken((slice(None), places))


def _joined(parts: Sequence[Mapping[str, Estimates]]) -> dict[str, Estimates]:
    return {name: Estimates.joined([part[name] for part in parts]) for name in parts[0]}


def _joined_games(parts: Sequence[GameNumbers]) -> GameNumbers:
    noted = {name: np.concatenate([part.noted[name] for part in parts]) for name in core.NOTED}
    forfeits: Counter[str] = Counter()
    for part in parts:
        forfeits.update(part.forfeits)
    events = [part.card_events for part in parts if part.card_events is not None]
    plays = np.concatenate([part.card_plays for part in parts])
    return GameNumbers(parts[0].course, noted, plays, forfeits, np.concatenate(events) if events else None)
