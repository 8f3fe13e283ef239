"""What the two things are that a comparison of Hearthstone is about: decks, pilots or editions."""

from deckatlas.errors import DeckError, MatchError
from deckatlas.games.hearthstone.agents import AGENTS
from deckatlas.games.hearthstone.cards.deck_codes import read_deck
from deckatlas.games.hearthstone.cards.deck_files import is_deck_file
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, EDITIONS, Edition, EditionLike
from deckatlas.games.hearthstone.cards.library import deck_called
from deckatlas.games.hearthstone.setup import DeckLike
from deckatlas.play.spec import EXEC
from deckatlas.shapes import nearest, show

DECK, PILOT, EDITION = KINDS = ("deck", "pilot", "edition")

Compared = DeckLike | EditionLike


def common_kind(a: Compared, b: Compared, given: str | None) -> str:
    """What both are: the given kind, or the one that their names have in common.

    Raises:
        MatchError: If there is no such kind, they are of different kinds, or their names fit several.
    """
    if given is not None:
        if given not in KINDS:
            raise MatchError(
                f"only decks, pilots or editions can be compared, not {show(given)}: {nearest(given, KINDS)}"
            )
        return given
    both = kinds_of(a), kinds_of(b)
    known = [each for each in both if each]
    if not known:
        return DECK  # whatever reads decks says what is wrong
    fitting = [kind for kind in known[0] if kind in known[-1]]
    if not fitting:
        first, second = (f"{_shown(one)} is {_in_words(kinds)}" for one, kinds in zip((a, b), both, strict=True))
        raise MatchError(f"{first} and {second}: both must be decks, both pilots or both editions")
    if len(fitting) > 1:
        raise MatchError(
            f"{_shown(a)} and {_shown(b)} can be {' or '.join(f'{each}s' for each in fitting)}: choose one with --as"
        )
    return fitting[0]


def kinds_of(given: Compared) -> tuple[str, ...]:
    """What something can be by its name; empty if nothing has this name."""
    if isinstance(given, Deck):
        return (DECK,)
    if isinstance(given, Edition):
        return (EDITION,)
    if not isinstance(given, str):
        raise MatchError(f"only decks, pilots or editions can be compared, not {show(given)}")
    is_patch = given.endswith(".toml")
    fits = {
        DECK: not is_patch and (is_deck_file(given) or deck_called(given) is not None),
        PILOT: given.partition(":")[0] in AGENTS or given.startswith(EXEC),
        EDITION: given in EDITIONS or is_patch,
    }
    found = tuple(kind for kind in KINDS if fits[kind])
    return found or ((DECK,) if _reads_as_deck(given) else ())


def _reads_as_deck(text: str) -> bool:
    try:
        read_deck(text, DEFAULT)
    except DeckError:
        return False
    return True


def _shown(given: Compared) -> str:
    return show(given.name if isinstance(given, Edition) else str(given))


def _in_words(kinds: tuple[str, ...]) -> str:
    return " or ".join(f"{'an' if kind == EDITION else 'a'} {kind}" for kind in kinds)
