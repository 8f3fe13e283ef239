"""Games of a report among decks of Hearthstone, carried out and stored like a run."""

from dataclasses import dataclass
from typing import Any

from pydantic import Field

from deckatlas.games.hearthstone.arena import DeckArena, make_deck_arena
from deckatlas.games.hearthstone.setup import edition_of
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.hearthstone.suites import opponent_of
from deckatlas.runs.config import Table
from deckatlas.runs.hashes import ask_hash, edition_hash
from deckatlas.runs.loop import Plan
from deckatlas.search.portions import portions
from deckatlas.search.protocol import Ask, Plays, Search


class DeckArenaTable(Table):
    """Who meets, and how: player k is entrant -1 - k of an ask."""

    edition: str = Field(description="The edition of the cards.")
    profile: str = Field(description="How games are set up; who moves first is the ask's to say.")
    players: tuple[OpponentTable, ...] = Field(min_length=2, description="Decks with their pilots.")

    def make_arena(self, *, threads: int | None = None) -> DeckArena:
        """Where they meet."""
        players = [opponent_of(table, number, self.edition) for number, table in enumerate(self.players)]
        return make_deck_arena(players, profile=self.profile, edition=self.edition, threads=threads)


@dataclass(frozen=True)
class DeckEvaluation(Plan):
    """Games among decks.

    Attributes:
        name: What its store is called.
        ask: All matchups.
        arena: Who plays them.
    """

    name: str
    ask: Ask
    arena: DeckArenaTable

    @property
    def budget(self) -> int:
        """All games."""
        return self.ask.games

    @property
    def cards(self) -> str:
        """A hash of the cards that are played with."""
        return edition_hash(edition_of(self.arena.edition))

    def to_json(self) -> dict[str, Any]:
        """All that the result depends on; seeds and matchups are in the hash of the ask."""
        return {
            "name": self.name,
            "seed": 0,
            "budget": self.budget,
            "genome": {"kind": "hearthstone-deck"},
            "search": {"algorithm": "evaluation", "ask": ask_hash(self.ask).hex()},
            "arena": self.arena.model_dump(mode="json"),
        }

    def prepare(self, *, threads: int | None = None) -> tuple[Plays, Search]:
        """Where the games are played, and the ask in portions."""
        return self.arena.make_arena(threads=threads), portions(self.ask)
