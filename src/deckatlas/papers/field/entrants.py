"""What the items of the field share: decks and pilots by name, complaints about them, and names of stores."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from deckatlas.documents.complaints import Complaint
from deckatlas.documents.toml_lines import Path as Place
from deckatlas.errors import AgentError, CardError, DeckError
from deckatlas.games.hearthstone.agents import agent_files, spelled_out
from deckatlas.games.hearthstone.cards.library import NamedDeck, deck_called, named_deck
from deckatlas.games.hearthstone.pilots import pilot
from deckatlas.games.hearthstone.setup import deck_of, edition_of
from deckatlas.papers.decks.deck_round import TableDeck
from deckatlas.papers.drafts.fresh_games import name_in_stores
from deckatlas.play.spec import EXEC
from deckatlas.runs.hashes import file_hash

_LONGEST_NAME = 40  # of a pilot or an edition in the name of a store
_MOST_SHOWN = 3  # pilots in the name of a store


def pilot_complaints(spec: str, *places: Place) -> Iterator[Complaint]:
    """Complains about a pilot that does not exist; the places are those of its key."""
    try:
        pilot(spec)
    except AgentError as error:
        yield Complaint(places, str(error))


def deck_complaints(edition: str, decks: Sequence[str], key: str) -> Iterator[Complaint]:
    """Complains about an edition that does not exist, or about the first deck of a key that is unknown or not legal."""
    try:
        cards = edition_of(edition)
    except CardError as error:
        yield Complaint((("report", "edition"),), str(error))
        return
    for number, name in enumerate(decks):
        try:
            deck_of(named_deck(name), cards)
        except DeckError as error:
            yield Complaint((("report", key, number), ("report", key)), f"{name}: {error}")
            return


def decks_called(names: Sequence[str]) -> list[NamedDeck]:
    """The decks of these names; names that do not exist are left out."""
    found = map(deck_called, names)
    return [each for each in found if each is not None]


def store_name(pilots: Sequence[str], players: Sequence[TableDeck], *, edition: str, games: int, seed: int) -> str:
    """A name for a store, so that the games of other pilots, weights, editions, decks, sizes and seeds are kept apart.

    What a pilot's name stands for, and its options by default, count too; a change of its code does not.

    Args:
        pilots: The pilots.
        players: The decks with their pilots.
        edition: The edition of the cards, or a file with a patch.
        games: Games per pair.
        seed: The seed of the experiment.
    """
    files = [name for spec in pilots if not spec.startswith(EXEC) for name in agent_files(spec)]
    files += [edition] if is_patch_file(edition) else []
    meant = [spec if spec.startswith(EXEC) else spelled_out(spec) for spec in pilots]
    depends_on = [*meant, edition, seed, *(player.entry.deck for player in players)]
    depends_on += map(file_hash, files)  # the same name plays otherwise with other weights, or another patch
    key = sha256("\n".join(map(str, depends_on)).encode()).hexdigest()[:8]
    shown = [*pilots] if len(pilots) <= _MOST_SHOWN else [f"{len(pilots)} pilots"]
    shown.append(Path(edition).stem if is_patch_file(edition) else edition)
    return f"{' '.join(name_in_stores(name)[:_LONGEST_NAME] for name in shown)} {games} {key}"


def is_patch_file(edition: str) -> bool:
    """Whether an edition is given as a file with a patch, as `edition_of` decides it."""
    return edition.endswith(".toml")


def deck_row(deck: NamedDeck) -> dict[str, Any]:
    """A deck as a row of a report: its archetype (its name if it is of none), its name and its cards."""
    return {"archetype": archetype(deck), "deck": deck.name, "cards": str(deck.deck)}


def archetype(deck: NamedDeck) -> str:
    """The archetype of a deck; its name if it is of none."""
    return deck.archetype or deck.name
