"""Matches of Hearthstone: two agents with their decks over many games, seats swapped and seeds paired."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from deckatlas._core import hearthstone as core
from deckatlas.agents.hearthstone import agent
from deckatlas.cards.hearthstone.decks import Deck
from deckatlas.cards.hearthstone.editions import DEFAULT
from deckatlas.errors import MatchError
from deckatlas.games.chance import check_seed
from deckatlas.games.hearthstone_record import GameRecord
from deckatlas.games.hearthstone_setup import DeckLike, EditionLike, deck_rows, edition_of
from deckatlas.play.match import MAX_GAMES, MAX_THREADS, MatchResult, positive
from deckatlas.play.runner import Progress, available_threads
from deckatlas.shapes import show

MULLIGANS = tuple(core.Mulligan.__members__)
NOBODY = 2  # in the column `winner`


@dataclass(frozen=True)
class HearthstoneResult(MatchResult):
    """What a match of Hearthstone gave; a game that nobody won counts as not won by `a`.

    Columns: `seed`, `first` (who moved first), `winner` (2 if nobody won), `void` (whether a capacity of the core was
    passed, which ended the game), `turns` (half-turns), `actions`, `final_hash` (of the last state), and with an entry
    for each entrant `health` (below zero by as much as the last blow was too strong), `armor`, `cards_drawn` (that left
    the deck, opening hands included), `cards_played`, `mana_spent`, `mana_wasted` (left over when turns ended),
    `minion_damage` (attack of minions, summed over their attacks), `hand_sizes` (summed over the starts of the own
    turns, after the draw) and `nodes` (states that searches made).
    """

    @property
    def draws(self) -> int:
        """How many games nobody won, void ones left out."""
        return int(np.sum((self.columns["winner"] == NOBODY) & (self.columns["void"] == 0)))

    @property
    def voids(self) -> int:
        """How many games ended because a capacity of the core was passed."""
        return int(np.sum(self.columns["void"]))

    def __str__(self) -> str:
        lines = [super().__str__()]
        lines += [f"  {count} {what}" for count, what in ((self.draws, "draws"), (self.voids, "void games")) if count]
        return "\n".join(lines)


def play(
    a: str,
    b: str,
    *,
    decks: tuple[DeckLike | Sequence[DeckLike], DeckLike | Sequence[DeckLike]],
    edition: EditionLike = DEFAULT,
    games: int = 1000,
    seed: int = 0,
    mulligan: str = "cheap",
    swap_seats: bool = True,
    threads: int | None = None,
    progress: Progress | None = None,
) -> HearthstoneResult:
    """Plays a match; the result depends on the seed, never on the number of threads.

    Args:
        a: First agent, such as "planner:score=aggro" or "random".
        b: Second agent.
        decks: A deck for each agent, by itself, its name, its code or its text; or several, taken in turn with the
            seeds.
        edition: The edition of the cards, or its name.
        games: How many games.
        seed: Seed of the match. Games 2k and 2k + 1 share all shuffles and draws, with seats swapped.
        mulligan: Which cards of an opening hand are kept: "cheap" ones (of cost 3 or less), "inverted" (the others) or
            "all".
        swap_seats: If false, `a` always moves first and every game has its own seed.
        threads: How many threads; all available ones if not given.
        progress: Called with the number of games done, about ten times a second and when all are.

    Raises:
        AgentError: If an agent is unknown, or has no such option.
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in it.
        MatchError: If the match cannot be played as asked for.
    """
    games = positive("games", games, MAX_GAMES)
    threads = available_threads() if threads is None else positive("threads", threads, MAX_THREADS)
    how = _mulligan(mulligan)
    _check_two(decks)
    cards = edition_of(edition)
    rows = [deck_rows([given] if isinstance(given, Deck | str) else given, cards) for given in decks]
    columns = core.play_match(
        cards.card_set,
        agent(a),
        rows[0],
        agent(b),
        rows[1],
        games=games,
        seed=check_seed(seed),
        mulligan=how,
        swap_seats=bool(swap_seats),
        threads=threads,
        progress=progress,
    )
    if progress is not None:
        progress(games)
    return HearthstoneResult(a, b, columns, bool(swap_seats))


def play_one(
    first: str,
    second: str,
    *,
    decks: tuple[DeckLike, DeckLike],
    edition: EditionLike = DEFAULT,
    seed: int = 0,
    mulligan: str = "cheap",
) -> GameRecord:
    """Plays one game and returns it as a record that prints itself and replays exactly.

    Args:
        first: The agent that moves first.
        second: The agent that moves second.
        decks: The deck of the first and the second.
        edition: The edition of the cards, or its name.
        seed: Seed of the game, such as one of a match's column `seed`: the same agents and decks in the same seats
            play the same game.
        mulligan: As in `play`.

    Raises:
        AgentError: If an agent is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in it.
        MatchError: If the game cannot be played as asked for.
    """
    how = _mulligan(mulligan)
    _check_two(decks)
    cards = edition_of(edition)
    rows = deck_rows(decks, cards)
    start, draws, actions, last = core.play_one(
        cards.card_set, agent(first), agent(second), rows, seed=check_seed(seed), mulligan=how
    )
    return GameRecord(start.to_text(), draws.state, (first, second), tuple(actions), last.winner, edition=cards)


def _check_two(decks: Sequence[object]) -> None:
    if not isinstance(decks, list | tuple) or len(decks) != 2:
        given = f"for {len(decks)}" if isinstance(decks, list | tuple) else show(decks)
        raise MatchError(f"a match has decks for two agents, not {given}")


def _mulligan(name: str) -> core.Mulligan:
    if name not in MULLIGANS:
        raise MatchError(f"unknown mulligan {show(name)}, use one of {', '.join(MULLIGANS)}")
    return core.Mulligan[name]
