"""The evaluators of Hearthstone: games against a suite of opponents, of decks or of pilots."""

from abc import ABC, abstractmethod
from dataclasses import replace
from functools import lru_cache

import numpy as np

from deckatlas.games.hearthstone.agents import AGENTS
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import Edition
from deckatlas.games.hearthstone.cards_in_games import cards_in_games
from deckatlas.games.hearthstone.courses import seeds_to_try
from deckatlas.games.hearthstone.pilot_space import PilotWeights
from deckatlas.games.hearthstone.profiles import FAIR, Profile, profile_of
from deckatlas.games.hearthstone.replay import Player, replay_of
from deckatlas.games.hearthstone.setting import AVERAGES, OVER_TURNS, GameNumbers, Setting, setting, strata_of, sums_of
from deckatlas.games.hearthstone.setup import deck_rows
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.games.hearthstone.suites import Schedule, SuiteLike
from deckatlas.games.hearthstone.swap_out import swap_outs_of
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.play.replays import Meeting, Replay, check_quick
from deckatlas.play.runner import Progress
from deckatlas.search.batches import Batch, CardQuestion, Stream
from deckatlas.search.card_questions import card_table
from deckatlas.search.evaluation import Column, Outcomes, Solution, clamped_margins
from deckatlas.stats.averages import Sample, Strata

GAMES = 200  # per evaluation in the published searches

_COURSES_KEPT = 64
_UNITS = {
    "win_rate": "share of games",
    "avg_health_diff": "health",
    "num_turns": "turns",
    "hand_size": "cards",
    "damage_done": "damage per turn",
    "cards_drawn": "cards per turn",
    "mana_spent": "mana per turn",
    "mana_wasted": "mana per turn",
    "strategy_alignment": "score per turn",
}


class SuiteEvaluator(ABC):
    """Plays solutions against a suite.

    Columns: the averages of `deckatlas.games.hearthstone.evaluation`, over the same games; `fitness`, which the
    profile's program maximises: the mean of the health difference, or its sum over the games of one evaluation; and
    `void_games`, the share of games that were void every time they were played, and count as not won.

    Attributes:
        setting: How they are played.
        fitness_games: The games that `fitness` sums over, or 1 if it is a mean.
    """

    def __init__(self, given: Setting, *, games: int) -> None:
        """Takes how solutions are played.

        Args:
            given: Everything that evaluations share.
            games: The games of one evaluation, if the fitness is a sum. With fewer or more games, the sum is scaled to
                this number, so that evaluations of any length can be compared and merged.

        Raises:
            MatchError: If the number of games is not valid.
        """
        games = positive("games", games, MAX_GAMES)
        self.setting = given
        self.fitness_games = games if given.profile.health_difference == "sum" else 1
        self._course = lru_cache(_COURSES_KEPT)(self._make_course)
        self._strata = lru_cache(_COURSES_KEPT)(self._make_strata)

    @abstractmethod
    def play(self, solution: Solution, course: Schedule, *, threads: int, progress: Progress | None) -> GameNumbers:
        """Plays the games of a course with a solution."""

    @abstractmethod
    def player(self, solution: Solution) -> Player:
        """The deck of a solution and its pilot."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What it measures."""
        averages = (
            Column(
                name,
                unit=_UNITS[name],
                storage="i8" if name == "strategy_alignment" else "i4",
                over="turns" if name in OVER_TURNS else "games",
            )
            for name in AVERAGES
        )
        fitness = Column("fitness", unit="health", of="avg_health_diff", scale=float(self.fitness_games))
        return (*averages, fitness, Column("void_games", unit="share of games"))

    def _make_course(self, seed: int, first_game: int, games: int) -> Schedule:
        return self.setting.course(games, seed=seed, first_game=first_game)

    def _make_strata(self, first_game: int, games: int) -> Strata:
        """The strata do not depend on the seed: it does not change which games share their seed."""
        return strata_of(self._course(0, first_game, games))

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Makes all evaluations of a batch; see the protocol.

        Raises:
            MatchError: If there are no such games.
            StateError: If a seed is not valid.
        """
        parts = []
        for row, number in zip(batch.first.tolist(), batch.course.tolist(), strict=True):
            stream = batch.courses[number]
            assert isinstance(stream, Stream)
            parts.append(self._evaluated(batch.genes[row], stream, batch.question, threads, progress))
        return Outcomes.joined(parts)

    def _evaluated(
        self, solution: Solution, stream: Stream, question: CardQuestion | None, threads: int, progress: Progress | None
    ) -> Outcomes:
        """One evaluation; questions about cards are for evaluators of decks."""
        assert question is None
        course = self._course(stream.seed, stream.first, stream.games)
        played = self.play(solution, course, threads=threads, progress=progress)
        return self._outcomes(played, self._strata(stream.first, stream.games))

    def _outcomes(self, played: GameNumbers, strata: Strata) -> Outcomes:
        """The outcomes of the games of one solution."""
        profile, games = self.setting.profile, len(played.course)
        total, weight, error = sums_of(played, profile, strata)
        is_void = played.noted["void"][0] != 0
        void = float(is_void.mean())
        void_error = (void * (1 - void) / games) ** 0.5  # as if games were independent: it is nearly always 0
        return Outcomes(
            games=np.array([games]),
            total=np.append(total, float(is_void.sum()))[np.newaxis],
            weight=np.append(weight, float(games))[np.newaxis],
            error=np.append(error, void_error)[np.newaxis],
            outcome=played.noted["outcome"][0].astype(np.uint8),
            margin=clamped_margins(played.noted["health_difference"][0]),
        )

    def sample(self, *, first_game: int, games: int) -> Sample:
        """The sample behind the averages of such an evaluation; see the protocol."""
        return self._strata(first_game, games).sample

    def check_pilot(self, pilot: str = "") -> None:
        """Checks that games of a pilot are quick; see the protocol `Replays`."""
        check_quick(pilot or self.setting.pilot, [AGENTS], files=not pilot)
        for opponent in self.setting.suite.opponents:
            check_quick(opponent.pilot, [AGENTS], files=True)

    def meetings(self, stream: Stream) -> list[Meeting]:
        """Who meets whom in these games; see the protocol `Replays`."""
        course = self._course(stream.seed, stream.first, stream.games)
        opponents = self.setting.suite.opponents
        return [
            Meeting(opponents[number].name, opponents[number].pilot, seat, seed)
            for number, seat, seed in zip(
                course.opponent.tolist(), course.seat.tolist(), course.seed.tolist(), strict=True
            )
        ]

    def replay(self, solution: Solution, stream: Stream, game: int, *, coach: str = "") -> Replay:
        """Plays one of these games again; see the protocol `Replays`.

        Raises:
            AgentError: If a pilot is too slow for somebody who waits.
            MatchError: If the game takes too long.
        """
        self.check_pilot()
        course, setting = self._course(stream.seed, stream.first, stream.games), self.setting
        number, seat = int(course.opponent[game]), int(course.seat[game])
        opponent = setting.suite.opponents[number]
        own, other = self.player(solution), Player(setting.opponent_pilots[number], opponent.deck, opponent.name)
        for seed in seeds_to_try(int(course.seed[game])):
            replay = replay_of(
                (other, own) if seat else (own, other),
                edition=setting.edition,
                seed=seed,
                mulligan=setting.profile.mulligan,
                coach=coach,
            )
            if not replay.frames[-1].state["void"]:
                break
        return replay


class HearthstoneEvaluator(SuiteEvaluator):
    """Plays decks of a space against a suite; see `SuiteEvaluator`.

    Attributes:
        space: The space of decks.
    """

    def __init__(
        self,
        space: HearthstoneDecks,
        *,
        pilot: str,
        suite: SuiteLike = "starter",
        profile: Profile | str = FAIR,
        games: int = GAMES,
    ) -> None:
        """Prepares everything except the decks.

        Args:
            space: The space of decks.
            pilot: The agent that plays them, such as "planner:score=aggro".
            suite: The opponents: "starter", "elite", the path of a TOML file or a suite.
            profile: How games are set up and counted: "fair", "evostone" or "evosabber".
            games: The games of one evaluation; see the base class.

        Raises:
            AgentError: If a pilot is unknown.
            DeckError: If an opponent's deck is not legal in the space's edition.
            MatchError: If there is no such profile, or the number of games is not valid.
            RunError: If there is no such suite, or its file has an error.
        """
        super().__init__(setting(pilot=pilot, suite=suite, profile=profile, edition=space.edition), games=games)
        self.space = space

    def play(self, solution: Solution, course: Schedule, *, threads: int, progress: Progress | None) -> GameNumbers:
        """Plays the games of a course with a deck."""
        return self.setting.play(self.space.rows(solution[np.newaxis]), course, threads=threads, progress=progress)

    def player(self, solution: Solution) -> Player:
        """The deck, played by the pilot of all decks."""
        return Player(self.setting.own_pilot, self.space.deck(solution))

    @property
    def questions(self) -> tuple[CardQuestion, ...]:
        """What it can be asked about the cards of decks."""
        return ("events", "swap-outs")

    def _evaluated(
        self, solution: Solution, stream: Stream, question: CardQuestion | None, threads: int, progress: Progress | None
    ) -> Outcomes:
        """One evaluation; with a question, also what happens to the cards of the deck, or what they are worth.

        Raises:
            DeckError: If no card of the edition could replace one of the deck.
        """
        if question is None:
            return super()._evaluated(solution, stream, question, threads, progress)
        course, strata = self._course(stream.seed, stream.first, stream.games), self._strata(stream.first, stream.games)
        deck = self.space.deck(solution)
        if question == "events":
            counting = replace(self.setting, card_events=True)
            rows = self.space.rows(solution[np.newaxis])
            played = counting.play(rows, course, threads=threads, progress=progress)
            table = card_table(cards_in_games(deck, played, strata).rows())
        else:
            every = tuple(card for card, _ in deck.cards)
            values, played = swap_outs_of(
                deck, every, self.setting, course, stream.seed, threads=threads, progress=progress
            )
            table = card_table(values.rows())
        return replace(self._outcomes(played, strata), cards=(table,))


class PilotEvaluator(SuiteEvaluator):
    """Lets pilots with different ratings of positions play one deck against a suite; see `SuiteEvaluator`.

    Attributes:
        space: The space of ratings.
    """

    def __init__(
        self,
        space: PilotWeights,
        *,
        deck: Deck,
        edition: Edition,
        suite: SuiteLike = "starter",
        profile: Profile | str = FAIR,
        games: int = GAMES,
    ) -> None:
        """Prepares everything except the pilots.

        Args:
            space: The space of ratings.
            deck: The deck that all pilots play.
            edition: The edition that they play in.
            suite: The opponents: "starter", "elite", the path of a TOML file or a suite.
            profile: How games are set up and counted: "fair", "evostone" or "evosabber".
            games: The games of one evaluation; see the base class.

        Raises:
            AgentError: If an opponent's pilot is unknown.
            DeckError: If a deck is not legal in the edition.
            MatchError: If there is no such profile, or the number of games is not valid.
            RunError: If there is no such suite, or its file has an error.
        """
        chosen = profile_of(profile)
        anyone = space.pilot(np.zeros(space.length), profile=chosen)
        super().__init__(setting(pilot=anyone, suite=suite, profile=chosen, edition=edition), games=games)
        self.space = space
        self._deck = deck
        self._rows = deck_rows([deck], edition)

    def play(self, solution: Solution, course: Schedule, *, threads: int, progress: Progress | None) -> GameNumbers:
        """Plays the games of a course with a pilot."""
        pilot = self.player(solution).pilot
        return replace(self.setting, own_pilot=pilot).play(self._rows, course, threads=threads, progress=progress)

    def player(self, solution: Solution) -> Player:
        """The deck of all pilots, played by the one of the solution."""
        return Player(self.space.pilot(solution, profile=self.setting.profile), self._deck)
