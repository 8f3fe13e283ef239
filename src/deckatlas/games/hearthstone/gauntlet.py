"""Gauntlets of Hearthstone: every combination of a deck and a pilot against every other, all with the same seeds.

| an entrant is written as | means |
|---|---|
| `"Starter Mage/planner:score=aggro"` | a deck by its name or code, and a pilot |
| `(deck, pilot)` | a deck as an object, name, code or text; a pilot as in `deckatlas.games.hearthstone.pilots` |
| an `Opponent` | an opponent of a suite |
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from deckatlas.arguments import checked
from deckatlas.errors import DeckError, MatchError
from deckatlas.games.hearthstone.agents import AGENTS
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.games.hearthstone.cards.library import deck_called
from deckatlas.games.hearthstone.match import play
from deckatlas.games.hearthstone.pilots import Pilot, PilotLike, pilot
from deckatlas.games.hearthstone.profiles import FAIR, Profile, profile_of
from deckatlas.games.hearthstone.setup import DeckLike, EditionLike, deck_of, edition_of
from deckatlas.games.hearthstone.suites import Opponent
from deckatlas.play.gauntlet import GauntletProgress, GauntletResult, play_pairs
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.play.match import MatchResult
from deckatlas.play.runner import Progress
from deckatlas.play.spec import EXEC, numbered
from deckatlas.play.sprt import Sprt
from deckatlas.play.times import TIMED_GAMES
from deckatlas.shapes import show

EntrantLike: TypeAlias = str | tuple[DeckLike, PilotLike] | Opponent


@dataclass(frozen=True)
class DeckEntrant:
    """A deck and its pilot, ready to play; the pilot has the name of the entrant."""

    deck: Deck
    pilot: Pilot


@checked
def gauntlet(
    entrants: Iterable[EntrantLike],
    *,
    games: int = 1000,
    seed: int = 0,
    profile: Profile | str = FAIR,
    edition: EditionLike = DEFAULT,
    threads: int | None = None,
    time_factor: float = 1.0,
    sprt: Sprt | None = None,
    progress: GauntletProgress | None = None,
) -> GauntletResult:
    """Plays every combination of a deck and a pilot against every other, with swapped seats.

    Args:
        entrants: At least two, all different, such as `itertools.product(decks, pilots)`. Callables that share a name
            are numbered, and so are decks without one.
        games: Games per pair, or the most games if a sequential test may end a match.
        seed: The seed of the gauntlet; every pair plays the same shuffles and draws.
        profile: Which cards agents of the core keep in the mulligan, and what planners know. Seats are swapped in any
            profile: an entrant that always moved first could not be compared with the others.
        edition: The edition of the cards, or its name.
        threads: The number of threads; by default all available ones.
        time_factor: Multiplies the time limits of external programs.
        sprt: A sequential test that ends each match once it is decided.
        progress: Called with the number of games done, and the total as far as it is known.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is not legal in the edition.
        MatchError: If there are fewer than two entrants, or two have the same name.
    """
    games = positive("games", games, MAX_GAMES)
    cards, chosen = edition_of(edition), profile_of(profile)
    made = ready_entrants(entrants, cards, chosen)

    def play_pair(i: int, j: int, report: Progress | None) -> MatchResult:
        return play(
            made[i].pilot,
            made[j].pilot,
            decks=(made[i].deck, made[j].deck),
            edition=cards,
            games=games,
            seed=seed,
            mulligan=chosen.mulligan,
            threads=threads,
            time_factor=time_factor,
            timed_games=TIMED_GAMES,
            sprt=sprt,
            progress=report,
        )

    return play_pairs([each.pilot.name for each in made], play_pair, games=games, progress=progress)


def ready_entrants(entrants: Iterable[EntrantLike], cards: Edition, profile: Profile) -> list[DeckEntrant]:
    """The entrants, with legal decks and with pilots that know what the profile allows.

    Raises:
        AgentError: If a pilot is unknown.
        DeckError: If a deck is not legal.
        MatchError: If something is not an entrant.
    """
    parts = [_parts(each) for each in entrants]
    decks = [_legal(deck, cards) for deck, _, _ in parts]
    pilots = [pilot(profile.pilot(given)) for _, given, _ in parts]
    titles = _titles([name for _, _, name in parts], decks)
    names = [
        f"{title}/{given if isinstance(given, str) else made.name}"
        for title, (_, given, _), made in zip(titles, parts, pilots, strict=True)
    ]
    told_apart = numbered(names, [isinstance(given, str) for _, given, _ in parts])
    return [
        DeckEntrant(deck, replace(made, name=name)) for deck, made, name in zip(decks, pilots, told_apart, strict=True)
    ]


def _parts(given: EntrantLike) -> tuple[DeckLike, PilotLike, str | None]:
    """The deck and the pilot of an entrant, and the name of the deck if it has one."""
    if isinstance(given, Opponent):
        return given.deck, given.pilot, given.name
    if isinstance(given, str):
        given = _split(given)
    if not isinstance(given, tuple) or len(given) != 2:
        raise MatchError(f"an entrant is DECK/PILOT or a pair of a deck and a pilot, not {show(given)}")
    deck, piloted_by = given
    known = deck_called(deck) if isinstance(deck, str) else None
    return deck, piloted_by, known.name if known else None


def _split(text: str) -> tuple[str, str]:
    """A deck and a pilot. Deck codes and specs may have slashes, too: the text after the right one is a pilot."""
    places = [place for place, letter in enumerate(text) if letter == "/"]
    if not places:
        raise MatchError(f"{show(text)} is not an entrant: write DECK/PILOT, such as 'Starter Mage/random'")
    for place in places:
        deck, spec = text[:place], text[place + 1 :]
        if spec.startswith(EXEC) or spec.partition(":")[0] in AGENTS:
            return deck, spec
    return text[: places[0]], text[places[0] + 1 :]


def _legal(given: DeckLike, cards: Edition) -> Deck:
    try:
        return deck_of(given, cards)
    except DeckError as error:
        raise DeckError(f"{show(given)}: {error}" if isinstance(given, str) else str(error)) from None


def _titles(names: Sequence[str | None], decks: Sequence[Deck]) -> Iterator[str]:
    """The names of decks; those without a name get a number and their class."""
    nameless = list(dict.fromkeys(deck for deck, name in zip(decks, names, strict=True) if name is None))
    for name, deck in zip(names, decks, strict=True):
        yield name if name is not None else f"{nameless.index(deck) + 1} {deck.hero_class.title()}"
