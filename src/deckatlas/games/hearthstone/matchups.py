"""Matchups of Hearthstone: decks with their pilots that play each other."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deckatlas.errors import MatchError
from deckatlas.games.hearthstone.profiles import Profile
from deckatlas.games.hearthstone.setting import setting
from deckatlas.games.hearthstone.setup import EditionLike
from deckatlas.games.hearthstone.suites import Opponent, Schedule, Suite
from deckatlas.play.runner import Progress, after
from deckatlas.search.batches import Batch, Course, Numbers
from deckatlas.search.evaluation import WON, Column, Outcomes, clamped_margins
from deckatlas.stats.averages import Sample


class HearthstoneMatchups:
    """The evaluator of matchups between decks. Player k is participant -1 - k of a batch, which has no genes.

    Attributes:
        columns: `won`: the games that the first player won.
        setting: How they play; its opponents are the players.
    """

    columns = (Column("won", unit="games"),)

    def __init__(self, players: Sequence[Opponent], *, profile: Profile | str, edition: EditionLike) -> None:
        """Takes the players.

        Raises:
            AgentError: If a pilot is unknown.
            CardError: If there is no such edition.
            DeckError: If a deck is not legal in the edition.
            MatchError: If there is no such profile.
        """
        suite = Suite("players", tuple(players))
        self.setting = setting(pilot=players[0].pilot, suite=suite, profile=profile, edition=edition)

    def evaluate(self, batch: Batch, *, threads: int = 1, progress: Progress | None = None) -> Outcomes:
        """Plays all matchups of a batch.

        Raises:
            MatchError: If a matchup names a player that does not exist.
        """
        lengths = batch.lengths
        matchup = np.repeat(np.arange(len(lengths)), lengths)
        courses = [course for course in batch.courses if isinstance(course, Course)]
        seeds = np.concatenate([courses[number].game_seeds for number in batch.course])
        first, second = self._players(batch.first)[matchup], self._players(batch.second)[matchup]
        outcome, margin = np.zeros(len(matchup), np.uint8), np.zeros(len(matchup), np.int8)
        done = 0
        for player in np.unique(first):
            chosen = np.flatnonzero(first == player)
            schedule = Schedule(second[chosen], np.zeros(len(chosen), np.uint8), seeds[chosen])
            one = replace(self.setting, own_pilot=self.setting.opponent_pilots[player])
            played = one.play(
                self.setting.opponent_rows[[player]], schedule, threads=threads, progress=after(done, progress)
            )
            outcome[chosen] = played.noted["outcome"][0]
            margin[chosen] = clamped_margins(played.noted["health_difference"][0])
            done += len(chosen)
        has_won = (outcome == WON).astype(np.float64)
        won = np.bincount(matchup, weights=has_won, minlength=len(lengths)).astype(np.float64)[:, np.newaxis]
        unknown = np.full_like(won, np.nan)
        return Outcomes(lengths, won, lengths[:, np.newaxis].astype(np.float64), unknown, outcome, margin)

    def sample(self, *, first_game: int, games: int) -> Sample:
        """Games of a matchup count as independent."""
        return Sample(games, games - 1)

    def _players(self, participants: Numbers) -> Numbers:
        players = (-1 - participants).astype(np.int32)
        count = len(self.setting.opponent_rows)
        if players.min() < 0 or players.max() >= count:
            named = sorted(set(participants.tolist()))
            raise MatchError(f"participants must be from -{count} to -1, but they are {named}")
        return players
