"""Matches of Legends of Code and Magic: two entrants play many games, in pairs with swapped seats."""

from collections.abc import Sequence

from deckatlas.arguments import checked
from deckatlas.errors import MatchError
from deckatlas.games.locm.editions import DEFAULT, EditionLike, edition_of
from deckatlas.games.locm.entrants import Entrant, EntrantLike, entrant, entrant_with_deck
from deckatlas.games.locm.runner import LocmRunner
from deckatlas.games.locm.state import FORMATS, check_seed
from deckatlas.play.limits import MAX_GAMES, positive, thread_count
from deckatlas.play.match import MatchResult, play_parts
from deckatlas.play.runner import Progress
from deckatlas.play.sprt import Sprt


def _entrants(a: EntrantLike, b: EntrantLike, decks: Sequence[Sequence[int]] | None) -> tuple[Entrant, Entrant]:
    if decks is None:
        return entrant(a), entrant(b)
    if len(decks) != 2:
        raise MatchError(f"a match has two decks, one for each entrant, not {len(decks)}")
    return entrant_with_deck(a, decks[0]), entrant_with_deck(b, decks[1])


@checked
def play(
    a: EntrantLike,
    b: EntrantLike,
    *,
    games: int = 1000,
    seed: int = 0,
    format: str = "referee",
    decks: tuple[Sequence[int], Sequence[int]] | None = None,
    edition: EditionLike = DEFAULT,
    swap_seats: bool = True,
    threads: int | None = None,
    time_factor: float = 1.0,
    timed_games: int = 0,
    sprt: Sprt | None = None,
    progress: Progress | None = None,
) -> MatchResult:
    """Plays a match; the result depends on the seed, never on the number of threads.

    Columns of the result: `seed` (the official referee's), `first` (the entrant that moved first), `winner`, `turns`
    (half-turns), `actions` (decisions in the battle), `final_hash` (of the last state), and, with an entry for each
    entrant, `health`, `cards_drawn`, `cards_played` and `mana_spent`.

    Args:
        a: The first entrant, such as "icebox/greedy": see `deckatlas.games.locm.entrants` for all ways to write one.
        b: The second entrant.
        games: The number of games, or the most games if a sequential test may end the match. If seats are swapped and
            the number is odd, the last game has no partner.
        seed: The seed of the match. Games 2k and 2k + 1 share a draft and shuffles, with seats swapped.
        format: The draft format, "referee" or "distinct".
        decks: A deck for each entrant; then there is no draft, and entrants are battle agents.
        edition: The edition of the cards: "1.2", a TOML file with a patch, or an `Edition`.
        swap_seats: If false, `a` always moves first and every game has its own seed.
        threads: The number of threads; by default all available ones.
        time_factor: Multiplies the official time limits of external programs.
        timed_games: The number of games, from the first on, whose turns are timed.
        sprt: A sequential test that ends the match once it is decided.
        progress: Called with the number of games done, about ten times a second and at the end.

    Raises:
        AgentError: If an entrant is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is not valid.
        MatchError: If the match cannot be played with these arguments.
    """
    games = positive("games", games, MAX_GAMES)
    threads = thread_count(threads)
    if format not in FORMATS:
        raise MatchError(f"unknown draft format {format!r}: use {' or '.join(FORMATS)}")
    cards = edition_of(edition)
    entrants = _entrants(a, b, decks)
    names = (entrants[0].name, entrants[1].name)
    runner = LocmRunner(names, check_seed(seed), bool(swap_seats), threads, entrants, format, decks, cards, time_factor)
    columns, forfeits, times, test = play_parts(runner, games, timed_games=timed_games, sprt=sprt, progress=progress)
    return MatchResult(*names, columns, runner.swap_seats, forfeits, times, test)
