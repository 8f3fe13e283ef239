"""The metagames of the studio: those that ship, those in files of the folder, and the games that are stored of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from deckatlas.errors import DeckatlasError, RunError
from deckatlas.games import all_games
from deckatlas.metagame.matchups import Floats, Matchups
from deckatlas.metagame.metagame import Entrant, Metagame, pilots_of, shares_of
from deckatlas.metagame.stored_games import ALGORITHM, stored_config, stored_field, stored_matchups
from deckatlas.studio.shelf import Shelf, UnknownRunError, id_of

MOST_FILES = 100  # of one folder
SHIPPED, FILE, STORED = "shipped", "file", "stored"


@dataclass(frozen=True)
class KnownMetagame:
    """A metagame that has a name or a file.

    Attributes:
        id: Its id in addresses.
        game: The name of its game.
        given: How commands name it.
        source: Where it comes from: `shipped` or `file`.
        metagame: The metagame.
    """

    id: str
    game: str
    given: str
    source: str
    metagame: Metagame


@dataclass(frozen=True)
class Played:
    """A metagame with its stored games, if there are any.

    Attributes:
        id: Its id in addresses.
        name: Its name.
        game: The name of its game.
        source: `shipped`, `file`, or `stored` if only its games are known.
        given: How commands name it; empty if they cannot.
        entrants: Its decks.
        edition: The edition, for people.
        run: The id of the run with its games; empty if none is stored.
        config: The configuration of that run.
    """

    id: str
    name: str
    game: str
    source: str
    given: str
    entrants: tuple[Entrant, ...]
    edition: str
    run: str = ""
    config: Mapping[str, Any] | None = None

    @property
    def shares(self) -> Floats:
        """Today's shares."""
        return shares_of(self.entrants)

    @property
    def pilots(self) -> tuple[str, ...]:
        """The different pilots."""
        return pilots_of(self.entrants)

    @property
    def seed(self) -> int:
        """The seed of its games."""
        return int(self.config["seed"]) if self.config else 0

    @property
    def games_per_pair(self) -> int | None:
        """The mean number of games of a pair, once all are played."""
        return 2 * int(self.config["search"]["seeds"]) if self.config else None


class Metagames:
    """All metagames that a studio can show."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf

    def all(self) -> list[Played]:
        """Every metagame with stored games, and those that could be played."""
        known, found, played = self._known(), [], set()
        for run, folder, config in self._stored():
            # Two files may have the same decks: the one beside the games comes before all others.
            first = sorted(known, key=lambda each: Path(each.given).parent != folder or each.source != FILE)
            shown = self._as_played(run, config, first)
            if shown is not None:
                found.append(shown)
                played.add((shown.game, shown.given))
        return found + [_unplayed(each) for each in known if (each.game, each.given) not in played]

    def find(self, metagame: str) -> Played:
        """A metagame by its id; a shipped one with the largest of its stored games.

        Raises:
            UnknownRunError: If there is no such metagame.
        """
        shown = self.all()
        for each in shown:
            if each.id == metagame:
                return each
        known = next((each for each in self._known() if each.id == metagame), None)
        if known is None:
            raise UnknownRunError("there is no metagame with this id in this studio")
        own = [each for each in shown if (each.game, each.given) == (known.game, known.given) and each.run]
        return max(own, key=lambda each: each.games_per_pair or 0, default=_unplayed(known))

    def matchups(self, played: Played) -> Matchups | None:
        """The games that are stored so far; None if there are none.

        Raises:
            RunError: If they cannot be read.
        """
        if not played.run:
            return None
        _, path = self._shelf.find(played.run)
        names = tuple(each.name for each in played.entrants)
        return self._shelf.read(path, f"matchups of {names}", lambda: stored_matchups(path, names))

    def _stored(self) -> Iterator[tuple[str, Path, Mapping[str, Any]]]:
        """The runs with games of metagames, their folders and their configurations."""
        for run, (_, path) in self._shelf.paths().items():
            if self._shelf.entry(run).summary.algorithm == ALGORITHM:
                try:
                    config = self._shelf.read(path, "config", lambda path=path: stored_config(path))  # type: ignore[misc]
                    yield run, path.parent, config
                except RunError:
                    continue  # the list of runs says why

    def _as_played(self, run: str, config: Mapping[str, Any], known: list[KnownMetagame]) -> Played | None:
        """A stored run as the metagame that it was played of: a known one, perhaps with another pilot."""
        field = stored_field(config)
        if field is None:
            return None
        game, entrants = field.game, field.entrants
        plain = {key: config.get(key) for key in ("space", "evaluation")}
        edition = str(plain["evaluation"].get("edition", "")) if isinstance(plain["evaluation"], Mapping) else ""
        played = Played(f"run.{run}", str(config["name"]), game.name, STORED, "", entrants, edition, run, config)
        pilots = played.pilots
        for each in known:
            if each.game != game.name or len(each.metagame.entrants) != len(entrants):
                continue
            tried = each.metagame.played_by(pilots[0]) if len(pilots) == 1 else each.metagame
            if tried.players().to_json() == plain:
                return replace(
                    played,
                    name=tried.name,
                    source=each.source,
                    given=each.given,
                    entrants=tried.entrants,
                    edition=tried.edition,
                )
        return played

    def _known(self) -> list[KnownMetagame]:
        found = list(_shipped())
        for path in self._files():
            name = path.relative_to(self._shelf.store).with_suffix("").as_posix()
            read = self._shelf.read(path, "metagame", lambda path=path, name=name: _in_file(path, name))  # type: ignore[misc]
            if read is not None:
                found.append(read)
        return found

    def _files(self) -> list[Path]:
        """The TOML files of the folder, then those beside stored games in its sub-folders."""
        folders = [self._shelf.folder, *sorted({folder for _, folder, _ in self._stored()})]
        return [path for folder in dict.fromkeys(folders) for path in sorted(folder.glob("*.toml"))[:MOST_FILES]]


@cache
def _shipped() -> tuple[KnownMetagame, ...]:
    return tuple(
        KnownMetagame(f"shipped.{game.name}.{name}", game.name, name, SHIPPED, game.metagame(name))
        for game in all_games()
        for name in game.metagames
    )


def _in_file(path: Path, name: str) -> KnownMetagame | None:
    """The metagame in a file of this name in the folder; None if it is something else, such as a patch."""
    for game in all_games():
        if not game.offers("metagame"):
            continue
        try:
            metagame = game.metagame(str(path))
        except DeckatlasError:
            continue
        return KnownMetagame(f"file.{id_of(name)}", game.name, str(path), FILE, metagame)
    return None


def _unplayed(known: KnownMetagame) -> Played:
    found = known.metagame
    return Played(known.id, found.name, known.game, known.source, known.given, found.entrants, found.edition)
