"""Gauntlets of Legends of Code and Magic: every entrant against every other, all with the same seeds."""

from collections.abc import Sequence

from deckatlas.arguments import checked
from deckatlas.games.locm.editions import DEFAULT, EditionLike, edition_of
from deckatlas.games.locm.entrants import EntrantLike, told_apart
from deckatlas.games.locm.match import play
from deckatlas.play.gauntlet import GauntletProgress, GauntletResult, play_pairs
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.play.match import MatchResult
from deckatlas.play.runner import Progress
from deckatlas.play.sprt import Sprt
from deckatlas.play.times import TIMED_GAMES


@checked
def gauntlet(
    entrants: Sequence[EntrantLike],
    *,
    games: int = 1000,
    seed: int = 0,
    format: str = "referee",
    edition: EditionLike = DEFAULT,
    threads: int | None = None,
    time_factor: float = 1.0,
    sprt: Sprt | None = None,
    progress: GauntletProgress | None = None,
) -> GauntletResult:
    """Plays every entrant against every other, with swapped seats.

    Args:
        entrants: At least two, all different: see `deckatlas.games.locm.entrants`. Rankings and callables that share
            a name are numbered.
        games: Games per pair, or the most games if a sequential test may end a match.
        seed: The seed of the gauntlet; every pair plays the same drafts and shuffles.
        format: The draft format, "referee" or "distinct".
        edition: The edition of the cards: "1.2", a TOML file with a patch, or an `Edition`.
        threads: The number of threads; by default all available ones.
        time_factor: Multiplies the official time limits of external programs.
        sprt: A sequential test that ends each match once it is decided.
        progress: Called with the number of games done, and the total as far as it is known.

    Raises:
        AgentError: If an entrant is unknown.
        CardError: If there is no such edition.
        MatchError: If there are fewer than two entrants, or two have the same name.
    """
    games = positive("games", games, MAX_GAMES)
    cards = edition_of(edition)
    made = told_apart(entrants)

    def play_pair(i: int, j: int, report: Progress | None) -> MatchResult:
        return play(
            made[i],
            made[j],
            games=games,
            seed=seed,
            format=format,
            edition=cards,
            threads=threads,
            time_factor=time_factor,
            timed_games=TIMED_GAMES,
            sprt=sprt,
            progress=report,
        )

    return play_pairs([each.name for each in made], play_pair, games=games, progress=progress)
