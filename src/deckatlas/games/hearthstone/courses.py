"""Plays the games of an evaluation of Hearthstone decks: in the core, or in Python for pilots outside the core.

Both play the same games from the same seeds and record the same numbers.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from deckatlas._core import hearthstone as core
from deckatlas.games.hearthstone.pilots import Pilot
from deckatlas.games.hearthstone.runner import DeckRows
from deckatlas.games.hearthstone.state import Rng
from deckatlas.games.hearthstone.suites import Schedule
from deckatlas.games.hearthstone.table import play_game
from deckatlas.play.runner import Progress, played_in_order

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class NotedGames:
    """The results of games.

    Attributes:
        notes: For each deck and each game of the course, the numbers that `core.NOTED` names.
        plays: For each deck and each place in it, how often its card was played.
        forfeits: How often a player forfeited, by player and reason.
        events: For each deck, each game and each place, the numbers that `core.CARD_EVENTS` names, if requested.
    """

    notes: Ints
    plays: Ints
    forfeits: Counter[str]
    events: Bytes | None = None


def seeds_to_try(seed: int) -> Iterator[int]:
    """The seed of a game, and those with which it is played again while it exceeds a capacity of the core."""
    for retry in range(core.MOST_RETRIES + 1):
        yield seed
        seed = core.game_seed(seed, retry, False)


@dataclass(frozen=True)
class CourseRunner:
    """Plays the games of a course with given decks.

    Attributes:
        cards: The edition of the cards, compiled.
        pilot: The pilot of the decks.
        opponents: The pilots of the opponents' decks.
        their_decks: Rows of the opponents' decks.
        course: The games.
        mulligan: Which cards of the opening hand agents of the core keep.
        threads: The number of threads.
        time_factor: Multiplies the time limits of external programs.
        card_events: Whether to also record what happens to each card.
    """

    cards: core.CardSet
    pilot: Pilot
    opponents: Sequence[Pilot]
    their_decks: DeckRows
    course: Schedule
    mulligan: core.Mulligan
    threads: int
    time_factor: float
    card_events: bool = False

    def play(self, decks: DeckRows, progress: Progress | None) -> NotedGames:
        """Plays the course with these decks.

        Args:
            decks: Their rows.
            progress: Called with the number of games done.
        """
        own, theirs = self.pilot.agent_of_core(), [each.agent_of_core() for each in self.opponents]
        agents = [agent for agent in theirs if agent is not None]
        if own is None or len(agents) < len(theirs):
            return self._play_at_table(decks, progress)
        notes, plays, events = core.evaluate_decks(
            self.cards,
            own,
            decks,
            agents,
            self.their_decks,
            opponent=self.course.opponent,
            seat=self.course.seat,
            seed=self.course.seed,
            mulligan=self.mulligan,
            threads=self.threads,
            card_events=self.card_events,
            progress=progress,
        )
        return NotedGames(notes, plays, Counter(), events)

    def _play_at_table(self, decks: DeckRows, progress: Progress | None) -> NotedGames:
        games = list(product(range(len(decks)), range(len(self.course))))
        notes = np.zeros((len(decks), len(self.course), len(core.NOTED)), np.int64)
        plays = np.zeros((len(decks), core.MOST_CARDS), np.int64)
        events = np.zeros((len(decks), len(self.course), core.MOST_CARDS, len(core.CARD_EVENTS)), np.uint8)
        forfeits: Counter[str] = Counter()
        callables = any(each.is_callable for each in (self.pilot, *self.opponents))
        threads = 1 if callables else self.threads
        with played_in_order(lambda place: self._play_game(decks[place[0]], place[1]), games, threads) as played:
            for done, ((deck, game), one) in enumerate(zip(games, played, strict=True), start=1):
                notes[deck, game] = one.notes
                plays[deck] += one.plays
                if one.events is not None:
                    events[deck, game] = one.events
                forfeits += one.forfeits
                if progress is not None:
                    progress(done)
        return NotedGames(notes, plays, forfeits, events if self.card_events else None)

    def _play_game(self, deck: DeckRows, game: int) -> NotedGames:
        """Plays one game; a game that exceeds a capacity of the core is played again."""
        seat, seed = int(self.course.seat[game]), int(self.course.seed[game])
        opponent = int(self.course.opponent[game])
        pilots, rows = [self.pilot, self.opponents[opponent]], [deck, self.their_decks[opponent]]
        if seat == 1:
            pilots.reverse()
            rows.reverse()
        decks = np.array(rows)
        for retries, tried in enumerate(seeds_to_try(seed)):  # noqa: B007 - both are used below
            players = [
                each.player(Rng(tried, place), mulligan=self.mulligan, time_factor=self.time_factor)
                for place, each in enumerate(pilots)
            ]
            outcome = play_game(self.cards, decks, players, seed=tried)
            if not outcome.final.is_void:
                break
        notes, plays, events = core.note_game(self.cards, decks, outcome.played, seat=seat, seed=tried, retries=retries)
        forfeits: Counter[str] = Counter()
        if outcome.forfeit is not None and outcome.loser is not None:
            notes[core.NOTED.index("won")] = notes[core.NOTED.index("outcome")] = outcome.winner == seat
            forfeits[f"{pilots[outcome.loser].name}: {outcome.forfeit}"] += 1
        return NotedGames(notes, plays, forfeits, events)
