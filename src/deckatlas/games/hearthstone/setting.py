"""The setting that evaluations of Hearthstone decks share, the games of an evaluation, and averages over them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.games.chance import check_seed
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.games.hearthstone.courses import CourseRunner
from deckatlas.games.hearthstone.pilots import Pilot, PilotLike
from deckatlas.games.hearthstone.pilots import pilot as pilot_of
from deckatlas.games.hearthstone.profiles import FAIR, Profile, profile_of
from deckatlas.games.hearthstone.runner import DeckRows
from deckatlas.games.hearthstone.setup import EditionLike, deck_rows, edition_of
from deckatlas.games.hearthstone.suites import Schedule, Suite, SuiteLike, suite_of
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.play.runner import Progress
from deckatlas.stats.averages import Strata, rate_errors, rates, ratio_errors, ratios
from deckatlas.stats.estimate import Estimates, Floats

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

# Averages over games, and over the turns of the deck's player.
OVER_GAMES = ("win_rate", "avg_health_diff", "num_turns")
OVER_TURNS = ("hand_size", "damage_done", "cards_drawn", "mana_spent", "mana_wasted", "strategy_alignment")
AVERAGES = (*OVER_GAMES, *OVER_TURNS)
_OTHERS = AVERAGES[1:]  # all but the win rate
MOST_MARGIN = 127  # limit of a game's margin in logs

# The core's names for what is counted: plainly, and as the published programs did.
_NOTED = {
    "plain": {
        "damage_done": "minion_damage",
        "cards_drawn": "cards_drawn",
        "mana_spent": "mana_spent",
        "mana_wasted": "mana_wasted",
    },
    "published": {
        "damage_done": "damage_after",
        "cards_drawn": "draws_seen",
        "mana_spent": "plan_mana_spent",
        "mana_wasted": "plan_mana_wasted",
    },
}


@dataclass(frozen=True)
class GameNumbers:
    """The numbers of every game: arrays with one row per deck and one column per game.

    Attributes:
        course: The games.
        noted: The numbers that the core recorded, by name.
        card_plays: How often the card at each place of a deck was played in all games; zero for further copies.
        forfeits: How often a player forfeited, by player and reason.
        card_events: What happened to the card at each place of a deck in each game, if requested: two more dimensions,
            for the places and for the numbers that `core.CARD_EVENTS` names; zero for further copies.
    """

    course: Schedule
    noted: Mapping[str, Ints]
    card_plays: Ints
    forfeits: Mapping[str, int] = field(default_factory=dict)
    card_events: Bytes | None = None

    @property
    def has_plans(self) -> bool:
        """Whether the pilot of the decks rates plans; some do not."""
        return bool(self.noted["plan_scores"].any())

    @property
    def outcome(self) -> npt.NDArray[np.uint8]:
        """How each game ended for the deck: 0 lost, 1 won, 2 nobody won, 3 void."""
        return self.noted["outcome"].astype(np.uint8)

    @property
    def margin(self) -> npt.NDArray[np.int8]:
        """The health difference of each game, clamped to a byte."""
        return np.clip(self.noted["health_difference"], -MOST_MARGIN, MOST_MARGIN).astype(np.int8)

    def of(self, average: str, profile: Profile) -> Ints:
        """The numerator of an average."""
        if average == "num_turns":
            return (self.noted["half_turns"] + 1) // 2
        if average == "hand_size":
            return self.noted["hands_before" if profile.hand_size == "start" else "hands_after"]
        others = {"win_rate": "won", "avg_health_diff": "health_difference", "strategy_alignment": "plan_scores"}
        return self.noted[others.get(average) or _NOTED[profile.counts][average]]

    def over(self, average: str) -> Ints:
        """The denominator of an average in each game: the turns of the deck's player, or 1 for the game."""
        turns = self.noted["own_turns"]
        return turns if average in OVER_TURNS else np.ones_like(turns)


@dataclass(frozen=True)
class Setting:
    """Everything that evaluations share, independent of the decks, in the core's form.

    Attributes:
        edition: The edition that decks are played in.
        pilot: The name of the pilot of the decks.
        suite: The opponents.
        profile: How games are set up and counted.
        own_pilot: The pilot of the decks.
        opponent_pilots: The pilots of the opponents.
        opponent_rows: The decks of the opponents.
        time_factor: Multiplies the time limits of external programs.
        card_events: Whether games also record what happens to each card.
    """

    edition: Edition
    pilot: str
    suite: Suite
    profile: Profile
    own_pilot: Pilot
    opponent_pilots: tuple[Pilot, ...]
    opponent_rows: DeckRows
    time_factor: float
    card_events: bool = field(default=False, kw_only=True)

    def course(self, games: int, *, seed: int, first_game: int) -> Schedule:
        """The games of a seed from `first_game` on.

        Raises:
            MatchError: If there are no such games.
            StateError: If the seed is not valid.
        """
        first_game = positive("first_game", first_game, MAX_GAMES, least=0)
        swap_seats = self.profile.swap_seats
        return self.suite.course(games, seed=check_seed(seed), swap_seats=swap_seats, first_game=first_game)

    def play(self, rows: DeckRows, course: Schedule, *, threads: int, progress: Progress | None) -> GameNumbers:
        """Plays the games of a course with each deck; an exception from `progress` ends them."""
        runner = CourseRunner(
            cards=self.edition.card_set,
            pilot=self.own_pilot,
            opponents=self.opponent_pilots,
            their_decks=self.opponent_rows,
            course=course,
            mulligan=core.Mulligan[self.profile.mulligan],
            threads=threads,
            time_factor=self.time_factor,
            card_events=self.card_events,
        )
        played = runner.play(rows, progress)
        noted = dict(zip(core.NOTED, np.moveaxis(played.notes, 2, 0), strict=True))
        return GameNumbers(course, noted, played.plays, played.forfeits, played.events)


def setting(
    *,
    pilot: PilotLike,
    suite: SuiteLike = "starter",
    profile: Profile | str = FAIR,
    edition: EditionLike = DEFAULT,
    time_factor: float = 1.0,
    card_events: bool = False,
) -> Setting:
    """Makes a setting from names; see `evaluate`.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If an opponent's deck is not legal in it.
        MatchError: If there is no such profile.
        RunError: If there is no such suite, or its file has a mistake.
    """
    cards, chosen = edition_of(edition), profile_of(profile)
    opponents = suite_of(suite, cards)
    own = pilot_of(chosen.pilot(pilot))
    return Setting(
        edition=cards,
        pilot=pilot if isinstance(pilot, str) else own.name,
        suite=opponents,
        profile=chosen,
        own_pilot=own,
        opponent_pilots=tuple(pilot_of(chosen.pilot(each.pilot)) for each in opponents.opponents),
        opponent_rows=deck_rows((each.deck for each in opponents.opponents), cards),
        time_factor=time_factor,
        card_events=card_events,
    )


def strata_of(course: Schedule) -> Strata:
    """The games of an opponent form a stratum, the games of a seed a unit; units are in the order of play."""
    _, first, unit = np.unique(course.seed, return_index=True, return_inverse=True)
    return Strata(np.unique(course.opponent, return_inverse=True)[1], first[unit])


def averages_of(games: GameNumbers, profile: Profile, strata: Strata) -> dict[str, Estimates]:
    """The averages over all games, for each deck."""
    found = ratios(strata, *_all_but_wins(games, profile))
    averages = {"win_rate": rates(strata, games.of("win_rate", profile))}
    decks = len(found.value) // len(_OTHERS)
    averages |= {name: found.taken(slice(at * decks, (at + 1) * decks)) for at, name in enumerate(_OTHERS)}
    return known_only(averages, games)


def sums_of(games: GameNumbers, profile: Profile, strata: Strata) -> tuple[Floats, Floats, Floats]:
    """Of one deck, for each average: the sum over all games, what it is divided by, and the average's standard error.

    All at once: a single deck is little work for many calls.
    """
    won = games.of("win_rate", profile)
    _, won_error = rate_errors(strata, won)
    above, below = _all_but_wins(games, profile)
    _, error = ratio_errors(strata, above, below)
    total = np.concatenate([won, above]).sum(axis=1, dtype=np.float64)
    weight = np.append(float(len(games.course)), below.sum(axis=1, dtype=np.float64))
    errors = np.append(won_error, error)
    if not games.has_plans:
        at = AVERAGES.index("strategy_alignment")
        total[at] = errors[at] = np.nan
    return total, weight, errors


def _all_but_wins(games: GameNumbers, profile: Profile) -> tuple[Ints, Ints]:
    """The numerators and denominators of all averages, one average after the other."""
    above = np.concatenate([games.of(name, profile) for name in _OTHERS])
    return above, np.concatenate([games.over(name) for name in _OTHERS])


def known_only(averages: dict[str, Estimates], games: GameNumbers) -> dict[str, Estimates]:
    """The averages, with those about plans unknown if the pilot does not rate plans."""
    if games.has_plans:
        return averages
    return averages | {"strategy_alignment": Estimates.unknown(averages["strategy_alignment"].value.shape)}
