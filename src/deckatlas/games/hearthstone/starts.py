"""Decks that a search starts from: named ones, codes, files of decks, the decks of other runs, the whole library."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from deckatlas.errors import DeckError
from deckatlas.games.hearthstone.cards.deck_files import is_deck_file, read_deck_file
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.library import library
from deckatlas.games.hearthstone.run_decks import best_solutions
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.runs.library import SUFFIX
from deckatlas.runs.view import RunView, open_run
from deckatlas.shapes import show

LIBRARY = "library"
MOST_OF_RUN = 100


def start_codes(starts: Sequence[str], space: HearthstoneDecks) -> tuple[str, ...]:
    """The decks that these words mean, as codes, each of them once.

    A word is the name of a deck, a code or another text of a deck, a file of decks, the store of a run (`runs/x.db`),
    whose best decks are taken, or `library`: all lists of the class that people played. A deck given by itself or in a
    file must belong to the space; of a run and of the library, those are taken that do.

    Raises:
        DeckError: If there is no such deck or file, a deck does not belong to the space, or none of a run does.
        RunError: If there is no such run.
    """
    found: dict[str, None] = {}
    for start in starts:
        if start == LIBRARY:
            decks = _fitting(_played(space.hero_class), space, f"no list of the {LIBRARY}")
        elif start.endswith(SUFFIX):
            decks = _fitting(_decks_of(open_run(Path(start)), space), space, f"no deck of {start}")
        elif is_deck_file(start):
            decks = list(read_deck_file(Path(start), space.edition.by_id, hero_class=space.hero_class))
        else:
            decks = [deck_of(start, space.edition, hero_class=space.hero_class)]
        found |= dict.fromkeys(_code(deck, space) for deck in decks)
    return tuple(found)


def _code(deck: Deck, space: HearthstoneDecks) -> str:
    return space.code(space.solution(deck))


def _played(hero_class: str) -> Iterator[Deck]:
    return (each.deck for each in library().values() if each.archetype and each.deck.hero_class == hero_class)


def _decks_of(view: RunView, space: HearthstoneDecks) -> Iterator[Deck]:
    """The elites of a map, or the last population of another search, the best first."""
    for solution in best_solutions(view, MOST_OF_RUN):
        genes = zip(view.description.genes, solution, strict=True)
        yield Deck(
            str(view.description.facts["class"]), tuple((gene.id, int(copies)) for gene, copies in genes if copies)
        )


def _fitting(decks: Iterator[Deck], space: HearthstoneDecks, nothing: str) -> list[Deck]:
    fitting = [deck for deck in decks if _belongs(deck, space)]
    if not fitting:
        raise DeckError(f"{nothing} belongs to this space of {show(space.hero_class.title())} decks")
    return fitting


def _belongs(deck: Deck, space: HearthstoneDecks) -> bool:
    try:
        space.solution(deck)
    except DeckError:
        return False
    return True
