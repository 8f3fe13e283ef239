"""Matches of Hearthstone: two pilots with their decks play many games, in pairs with swapped seats."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deckatlas._core import hearthstone as core
from deckatlas.arguments import checked
from deckatlas.errors import DeckError, MatchError
from deckatlas.games.chance import Rng, check_seed
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.games.hearthstone.cards.library import deck_label
from deckatlas.games.hearthstone.pilots import PilotLike, pilot
from deckatlas.games.hearthstone.record import GameRecord
from deckatlas.games.hearthstone.runner import HearthstoneRunner
from deckatlas.games.hearthstone.setup import DeckLike, EditionLike, deck_of, deck_rows, edition_of
from deckatlas.games.hearthstone.table import GameOutcome, play_game
from deckatlas.play.limits import MAX_GAMES, positive, thread_count
from deckatlas.play.match import NOBODY, MatchResult, play_parts
from deckatlas.play.runner import Progress
from deckatlas.play.sprt import Sprt
from deckatlas.shapes import show

MULLIGANS = tuple(core.Mulligan.__members__)


@dataclass(frozen=True)
class HearthstoneResult(MatchResult):
    """The result of a match of Hearthstone; a game that nobody won counts as half a win for each side.

    Columns: `seed`, `first` (the entrant that moved first), `winner` (2 if nobody won), `void` (whether the game ended
    because it exceeded a capacity of the core), `turns` (half-turns), `actions`, `final_hash` (of the last state), and,
    with an entry for each entrant, `health` (negative by the excess damage of the last blow), `armor`, `cards_drawn`
    (cards that left the deck, including opening hands), `cards_played`, `mana_spent`, `mana_wasted` (left at the end of
    turns), `minion_damage` (attack of minions, summed over their attacks), `hand_sizes` (cards in hand, summed over the
    starts of the entrant's turns, after the draw), `hands` (the same turn by turn, -1 if there was no such turn; the
    first 45, which are all unless the edition has no limit of turns) and `nodes` (states that searches made).

    Attributes:
        decks: What to call the decks of `a` and of `b`.
    """

    decks: tuple[str, str] | None = None

    @property
    def headings(self) -> tuple[str, str]:
        """The decks with their pilots."""
        if self.decks is None:
            return super().headings
        return f"{self.decks[0]} ({self.a})", f"{self.decks[1]} ({self.b})"

    @property
    def draws(self) -> int:
        """The number of games that nobody won, without void games."""
        return int(np.sum((self.columns["winner"] == NOBODY) & (self.columns["void"] == 0)))

    @property
    def voids(self) -> int:
        """The number of games that ended because they exceeded a capacity of the core."""
        return int(np.sum(self.columns["void"]))

    def to_json(self) -> dict[str, Any]:
        """The result as plain data, from the view of `a`."""
        return {**super().to_json(), "draws": self.draws, "voids": self.voids}

    def __str__(self) -> str:
        lines = [super().__str__()]
        lines += [f"  {count} {what}" for count, what in ((self.draws, "draws"), (self.voids, "void games")) if count]
        return "\n".join(lines)


@checked
def play(
    a: PilotLike,
    b: PilotLike,
    *,
    decks: tuple[DeckLike | Sequence[DeckLike], DeckLike | Sequence[DeckLike]],
    edition: EditionLike = DEFAULT,
    games: int = 1000,
    seed: int = 0,
    mulligan: str = "own",
    swap_seats: bool = True,
    threads: int | None = None,
    time_factor: float = 1.0,
    timed_games: int = 0,
    sprt: Sprt | None = None,
    progress: Progress | None = None,
) -> HearthstoneResult:
    """Plays a match; the result depends on the seed, never on the number of threads.

    Args:
        a: The first pilot, such as "planner:score=aggro": see `deckatlas.games.hearthstone.pilots` for all ways to
            write one.
        b: The second pilot.
        decks: A deck for each pilot, as an object, name, code or text; or several decks each, which change with the
            seeds.
        edition: The edition of the cards, or its name.
        games: The number of games, or the most games if a sequential test may end the match.
        seed: The seed of the match. Games 2k and 2k + 1 share all shuffles and draws, with seats swapped.
        mulligan: Which cards of an opening hand agents of the core keep: their "own" choice (for agents without one,
            "cheap"), "cheap" ones (of cost 3 or less), "inverted" (the others) or "all". Callables and programs choose
            for themselves.
        swap_seats: If false, `a` always moves first and every game has its own seed.
        threads: The number of threads; by default all available ones.
        time_factor: Multiplies the time limits of external programs.
        timed_games: The number of games, from the first on, whose turns are timed.
        sprt: A sequential test that ends the match once it is decided.
        progress: Called with the number of games done, about ten times a second and at the end.

    Raises:
        AgentError: If a pilot is unknown, or has no such option.
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in the edition.
        MatchError: If the match cannot be played with these arguments.
    """
    games = positive("games", games, MAX_GAMES)
    threads = thread_count(threads)
    how = _mulligan(mulligan)
    _check_two(decks)
    cards = edition_of(edition)
    sides = [[deck_of(each, cards) for each in _several(given)] for given in decks]
    rows = [deck_rows(side, cards) for side in sides]
    pilots = (pilot(a), pilot(b))
    names = (pilots[0].name, pilots[1].name)
    runner = HearthstoneRunner(
        names=names,
        seed=check_seed(seed),
        swap_seats=bool(swap_seats),
        threads=threads,
        pilots=pilots,
        decks=(rows[0], rows[1]),
        cards=cards.card_set,
        mulligan=how,
        time_factor=time_factor,
    )
    columns, forfeits, times, test = play_parts(runner, games, timed_games=timed_games, sprt=sprt, progress=progress)
    labels = (_label(sides[0]), _label(sides[1]))
    return HearthstoneResult(*names, columns, runner.swap_seats, forfeits, times, test, labels)


@checked
def play_one(
    first: PilotLike,
    second: PilotLike,
    *,
    decks: tuple[DeckLike, DeckLike],
    edition: EditionLike = DEFAULT,
    seed: int = 0,
    mulligan: str = "own",
    time_factor: float = 1.0,
    explain: bool = False,
    most_seconds: float | None = None,
) -> GameRecord:
    """Plays one game and returns its record, which can be printed and replayed exactly.

    Args:
        first: The pilot that moves first: see `deckatlas.games.hearthstone.pilots`.
        second: The pilot that moves second.
        decks: The deck of the first pilot and of the second.
        edition: The edition of the cards, or its name.
        seed: The seed of the game, such as one of a match's column `seed`: the same pilots and decks in the same seats
            play the same game.
        mulligan: As in `play`.
        time_factor: Multiplies the time limits of external programs.
        explain: Whether the record says what agents of the core that plan considered before their actions. The game is
            the same.
        most_seconds: The time that the game may take.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in the edition.
        MatchError: If the game cannot be played with these arguments.
    """
    how = _mulligan(mulligan)
    _check_two(decks)
    cards = edition_of(edition)
    rows = deck_rows(decks, cards)
    pilots = (pilot(first), pilot(second))
    streams = (Rng(check_seed(seed), seat) for seat in range(2))
    players = [
        each.player(rng, mulligan=how, time_factor=time_factor) for each, rng in zip(pilots, streams, strict=True)
    ]
    outcome = play_game(
        cards.card_set, rows, players, seed=check_seed(seed), explain=explain, most_seconds=most_seconds
    )
    return record_of(outcome, (pilots[0].name, pilots[1].name), cards)


def record_of(outcome: GameOutcome, names: tuple[str, str], cards: Edition) -> GameRecord:
    """The record of a game that was played at the table."""
    return GameRecord(
        outcome.start.to_text(),
        outcome.draws,
        names,
        outcome.actions,
        outcome.winner,
        forfeit=outcome.forfeit,
        edition=cards,
        explanations=outcome.explanations,
    )


def _several(given: DeckLike | Sequence[DeckLike]) -> Sequence[DeckLike]:
    """The decks of one side."""
    if isinstance(given, Deck | str):
        return [given]
    if not isinstance(given, Iterable):
        raise DeckError(f"decks must be a list of decks, not {show(given)}")
    return given


def _label(decks: Sequence[Deck]) -> str:
    return deck_label(decks[0]) if len(decks) == 1 else f"{len(decks)} decks"


def _check_two(decks: Sequence[object]) -> None:
    if not isinstance(decks, list | tuple) or len(decks) != 2:
        given = f"for {len(decks)}" if isinstance(decks, list | tuple) else show(decks)
        raise MatchError(f"a match has decks for two agents, not {given}")


def _mulligan(name: str) -> core.Mulligan:
    if name not in MULLIGANS:
        raise MatchError(f"unknown mulligan {show(name)}, use one of {', '.join(MULLIGANS)}")
    return core.Mulligan[name]
