"""Hearthstone for what is compared by matchups: the arena in which decks with their pilots meet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from deckatlas.errors import MatchError
from deckatlas.games.hearthstone.profiles import Profile
from deckatlas.games.hearthstone.setting import Setting, setting
from deckatlas.games.hearthstone.setup import EditionLike
from deckatlas.games.hearthstone.suites import Course, Opponent, Suite
from deckatlas.play.match import MAX_THREADS, positive
from deckatlas.play.runner import available_threads
from deckatlas.search.protocol import Ask, Numbers


@dataclass(frozen=True)
class DeckArena:
    """Where decks meet; an ask has no genomes here, and player k is its entrant -1 - k.

    Attributes:
        setting: How they play; its opponents are the players.
        threads: How many threads; the result does not depend on it.
    """

    setting: Setting
    threads: int

    def play(self, ask: Ask, *, progress: Callable[[int], object] | None = None) -> Numbers:
        """Plays all matchups of an ask; returns how many games the first player of each won.

        Raises:
            MatchError: If a matchup names a player who is not there.
        """
        lengths = np.array([len(course) for course in ask.courses])[ask.course]
        matchup = np.repeat(np.arange(len(lengths)), lengths)
        seeds = np.concatenate([ask.courses[number].game_seeds for number in ask.course])
        first, second = self._players(ask.first)[matchup], self._players(ask.second)[matchup]
        won = np.zeros(len(matchup), dtype=np.int32)
        done = 0
        for player in np.unique(first):
            chosen = np.flatnonzero(first == player)
            course = Course(second[chosen], np.zeros(len(chosen), np.uint8), seeds[chosen])
            one = replace(self.setting, own_pilot=self.setting.opponent_pilots[player])
            told = _after(done, progress)
            played = one.play(self.setting.opponent_rows[[player]], course, threads=self.threads, progress=told)
            won[chosen] = played.noted["won"][0]
            done += len(chosen)
        return np.bincount(matchup, weights=won, minlength=len(lengths)).astype(np.int32)

    def _players(self, entrants: Numbers) -> Numbers:
        players = (-1 - entrants).astype(np.int32)
        count = len(self.setting.opponent_rows)
        if players.min() < 0 or players.max() >= count:
            raise MatchError(f"entrants -1 to -{count} are there, and not all of {sorted(set(entrants.tolist()))}")
        return players


def make_deck_arena(
    players: Sequence[Opponent], *, profile: Profile | str, edition: EditionLike, threads: int | None = None
) -> DeckArena:
    """An arena for these players.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in it.
        MatchError: If there is no such profile.
    """
    count = available_threads() if threads is None else positive("threads", threads, MAX_THREADS)
    suite = Suite("players", tuple(players))
    return DeckArena(setting(pilot=players[0].pilot, suite=suite, profile=profile, edition=edition), count)


def _after(done: int, progress: Callable[[int], object] | None) -> Callable[[int], object] | None:
    """Progress of one player's games, told as that of all."""
    return None if progress is None else lambda games: progress(done + games)
