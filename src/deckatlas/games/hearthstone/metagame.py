"""Metagames of Hearthstone: shipped ones by name, TOML files, and the elites of runs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from deckatlas.arguments import checked
from deckatlas.documents.document import Document, read_document
from deckatlas.errors import AgentError, CardError, DeckatlasError, DeckError, RunError
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT, agent_files
from deckatlas.games.hearthstone.cards.decks import Deck
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition, EditionLike, Patch, edition_of
from deckatlas.games.hearthstone.cards.library import deck_called
from deckatlas.games.hearthstone.deck_players import DeckPlayers
from deckatlas.games.hearthstone.metagame_file import MetagameDeckTable, MetagameFile
from deckatlas.games.hearthstone.pilots import pilot as pilot_of
from deckatlas.games.hearthstone.profiles import FAIR
from deckatlas.games.hearthstone.run_base import edition_table
from deckatlas.games.hearthstone.run_decks import best_codes
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.games.hearthstone.suites import Opponent, Suite
from deckatlas.metagame.analysis import Analysis, analyse
from deckatlas.metagame.equilibrium import SAMPLES
from deckatlas.metagame.metagame import DeckCards, Entrant, Metagame, named_apart
from deckatlas.metagame.play import GAMES, Budget, Watch
from deckatlas.play.spec import EXEC
from deckatlas.runs.hashes import file_hash
from deckatlas.runs.library import SUFFIX, find_run
from deckatlas.runs.view import RunView, open_run
from deckatlas.shapes import nearest, show

METAGAMES = ("field", "field-2018", "atlas")
ELITES = 12  # of a run, if not said otherwise


@dataclass(frozen=True)
class HearthstoneMetagame(Metagame):
    """Decks of Hearthstone with their pilots.

    Attributes:
        cards: The edition.
    """

    cards: Edition

    @property
    def edition(self) -> str:
        """The name of the edition."""
        return self.cards.name

    def players(self) -> DeckPlayers:
        """The decks as players of matchups."""
        files = sorted({path for each in self.entrants for path in agent_files(each.pilot)})
        return DeckPlayers(
            **edition_table(self.cards),
            profile=FAIR.name,
            players=tuple(
                OpponentTable(deck=self.text(number), pilot=each.pilot) for number, each in enumerate(self.entrants)
            ),
            files={path: file_hash(path) for path in files},
        )

    def opponents(self) -> Suite:
        """The decks that have a share as opponents, each as often as any other."""
        met = (each for each in self.entrants if each.weight > 0)
        return Suite(self.name, tuple(Opponent(each.name, deck_of(each.deck, self.cards), each.pilot) for each in met))

    def joined_by(self, deck: str, *, name: str = "") -> "HearthstoneMetagame":
        """The metagame with one more deck: see the base class."""
        try:
            found = deck_of(deck, self.cards)
        except DeckError as error:
            raise DeckError(f"{show(deck)}: {error}" if deck_called(deck) else str(error)) from None
        known = deck_called(deck)
        usual = named_apart(known.name if known else f"this {found.hero_class.title()}", self.names)
        return replace(self, entrants=(*self.entrants, Entrant(name or usual, deck, self.entrants[0].pilot)))

    def has(self, deck: str) -> bool:
        """Whether one of the decks has exactly the cards of this one."""
        return str(deck_of(deck, self.cards)) in map(self.text, range(len(self.entrants)))

    def deck_cards(self) -> tuple[DeckCards, ...]:
        """The cards of each deck, and all decks of its class with the cards of the edition."""
        decks = [deck_of(each.deck, self.cards) for each in self.entrants]
        classes = {deck.hero_class for deck in decks}
        spaces = {each: HearthstoneDecks(each, edition=self.cards, pool_name="all") for each in classes}
        return tuple(DeckCards(dict(deck.cards), spaces[deck.hero_class]) for deck in decks)

    def to_toml(self, notes: Mapping[str, str]) -> str:
        """The metagame as a file: see the base class."""
        lines = [f"# The metagame {self.name}.", ""]
        lines += [f"{key} = {json.dumps(value)}" for key, value in edition_table(self.cards).items()]
        lines += [f"pilot = {json.dumps(self.entrants[0].pilot)}", ""]
        for entrant in self.entrants:
            lines += [f"# {notes[entrant.name]}"] if entrant.name in notes else []
            lines += ["[[deck]]", f"deck = {json.dumps(entrant.deck)}", f"name = {json.dumps(entrant.name)}"]
            lines += [f"pilot = {json.dumps(entrant.pilot)}"] if entrant.pilot != self.entrants[0].pilot else []
            lines += [f"share = {entrant.weight!r}"] if entrant.weight != 1 else []
            lines.append("")
        return "\n".join(lines)

    def suite(self, portions: Mapping[int, int]) -> str:
        """Some of the decks as a suite file."""
        lines = [f"# Decks of the metagame {self.name}, in the portions of its equilibrium mix.", ""]
        for number, portion in portions.items():
            entrant = self.entrants[number]
            lines += [
                f"# {entrant.name}",
                "[[opponent]]",
                f"deck = {json.dumps(entrant.deck)}",
                f"pilot = {json.dumps(entrant.pilot)}",
                f"portion = {portion}",
                "",
            ]
        return "\n".join(lines)

    def text(self, number: int) -> str:
        """A deck as a text that does not depend on names: class and ids of cards."""
        return str(deck_of(self.entrants[number].deck, self.cards))


MetagameLike = HearthstoneMetagame | Path | str


def metagame_of(
    given: MetagameLike,
    *,
    pilot: str | None = None,
    edition: EditionLike | None = None,
    elites: int | None = None,
    store: Path | None = None,
) -> HearthstoneMetagame:
    """A metagame, by its name, as a TOML file, or from the elites of a run.

    Args:
        given: The metagame itself, the name of a shipped one, the path of a TOML file, or a run.
        pilot: The agent that plays all decks, instead of the pilots of the metagame.
        edition: The edition, instead of that of the metagame.
        elites: The number of a run's elites, the best first.
        store: The folder of runs.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is unknown, or not legal in the edition.
        MatchError: If there are fewer than two decks, or two have the same name.
        RunError: If there is no such metagame, or the file has a mistake; the message names the line.
    """
    if isinstance(given, HearthstoneMetagame):
        return _changed(given, pilot, edition)
    if not isinstance(given, str | Path):
        raise RunError(f"a metagame must be a name, the path of a TOML file or a run, not {show(given)}")
    if given in METAGAMES:
        with resources.as_file(resources.files(__package__) / "metagames" / f"{given}.toml") as file:
            return _read(file, pilot, edition)
    path = Path(given)
    if path.suffix == ".toml":
        return replace(_read(path, pilot, edition), source=str(path))
    try:
        run = open_run(find_run(store or Path("runs"), str(given)))
    except RunError as error:
        if path.suffix == SUFFIX or path.exists():
            raise
        raise RunError(
            f"there is no metagame, no file and no run {show(str(given))}: {nearest(str(given), METAGAMES)}"
        ) from error
    return replace(_of_elites(run, pilot, edition, ELITES if elites is None else elites), source=str(given))


def stored_entrants(config: Mapping[str, Any]) -> tuple[Entrant, ...]:
    """The decks and pilots of stored games, named by their classes: names are not stored.

    Raises:
        ValueError: If the configuration is none of such games.
    """
    found: list[Entrant] = []
    for table in DeckPlayers.from_json(config).players:
        kind = str(table.deck).partition(":")[0].title()
        number = sum(each.name.startswith(f"{kind} ") for each in found) + 1
        found.append(Entrant(f"{kind} {number}", str(table.deck), table.pilot))
    return tuple(found)


def _changed(given: HearthstoneMetagame, pilot: str | None, edition: EditionLike | None) -> HearthstoneMetagame:
    """The metagame with another pilot or edition, if they are given."""
    entrants = given.entrants
    if pilot is not None:
        _check_pilot(pilot)
        entrants = tuple(replace(each, pilot=pilot) for each in entrants)
    cards = given.cards if edition is None else edition_of(edition)
    for each in entrants:
        deck_of(each.deck, cards)  # raises if it is not legal there
    return replace(given, entrants=entrants, cards=cards)


def _read(file: Path, pilot: str | None, edition: EditionLike | None) -> HearthstoneMetagame:
    document = read_document(file, may_start_programs=False)
    values = document.check(MetagameFile)
    try:
        cards = edition_of(edition or _beside(file, values.edition))
        if values.patch and edition is None:
            cards = cards.patched(Patch.from_toml(values.patch))
    except CardError as error:
        place = document.likeliest_place([("patch",), ("edition",)])
        raise RunError(f"{place}: {error}" if edition is None else str(error)) from None
    entrants: list[Entrant] = []
    for number, table in enumerate(values.deck):
        spec = pilot or table.pilot or values.pilot
        try:
            entrants.append(_entrant(table, spec, cards, number))
        except DeckatlasError as error:
            place = _place(document, number, error, table)
            raise RunError(str(error) if pilot and isinstance(error, AgentError) else f"{place}: {error}") from None
        if entrants[-1].name in [each.name for each in entrants[:-1]]:
            place = document.place(("deck", number, "name" if table.name else "deck"))
            raise RunError(f"{place}: two decks are called {show(entrants[-1].name)}")
    if len(entrants) < 2:
        raise RunError(f"{document.place(('deck', 0))}: a metagame needs two decks or more")
    return HearthstoneMetagame(file.stem, tuple(entrants), cards)


def _beside(file: Path, edition: str) -> str:
    """A patch is found beside the file of the metagame."""
    return str(file.parent / edition) if edition.endswith(".toml") else edition


def _place(document: Document, number: int, error: DeckatlasError, table: MetagameDeckTable) -> str:
    if not isinstance(error, AgentError):
        return document.place(("deck", number, "deck"))
    return document.place(("deck", number, "pilot") if table.pilot else ("pilot",))


def _entrant(table: MetagameDeckTable, spec: str, cards: Edition, number: int) -> Entrant:
    deck = deck_of(table.deck, cards)
    _check_pilot(spec)
    return Entrant(table.name or _name_of(table.deck, deck, number), table.deck, spec, table.share)


def _name_of(text: str, deck: Deck, number: int) -> str:
    known = deck_called(text)
    return known.name if known else f"{number + 1} {deck.hero_class.title()}"


def _check_pilot(spec: str) -> None:
    """Checks that a pilot exists and plays inside the core, where the same seed always gives the same game."""
    pilot_of(spec)
    if spec.startswith(EXEC):
        raise AgentError(f"{show(spec)} cannot play a metagame: it does not play inside the core")


def _of_elites(view: RunView, pilot: str | None, edition: EditionLike | None, count: int) -> HearthstoneMetagame:
    codes = best_codes(view, count)
    space = view.config["space"]
    cards = edition_of(edition or str(space.get("edition", DEFAULT)))
    if edition is None and space.get("patch"):
        cards = cards.patched(Patch.from_toml(str(space["patch"])))
    spec = pilot or DEFAULT_PILOT
    _check_pilot(spec)
    return HearthstoneMetagame(view.name, tuple(_elite_entrants(codes, spec, cards)), cards)


def _elite_entrants(decks: Sequence[str], spec: str, cards: Edition) -> Iterable[Entrant]:
    for number, text in enumerate(decks):
        deck = deck_of(text, cards)
        yield Entrant(f"{number + 1} {deck.hero_class.title()}", text, spec)


@checked
def metagame(
    given: MetagameLike,
    *,
    games: int = GAMES,
    seed: int = 0,
    pilot: str | None = None,
    edition: str | None = None,
    elites: int | None = None,
    samples: int = SAMPLES,
    store: Path | str | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
) -> Analysis:
    """Plays a metagame and says what follows from its matchups: rates, ratings, the equilibrium mix, cycles.

    Args:
        given: The name of a shipped metagame, the path of a TOML file, or a run with elites.
        games: The mean number of games per pair; half of them are spread evenly.
        seed: The seed of everything random.
        pilot: The agent that plays all decks, instead of the pilots of the metagame.
        edition: The edition, instead of that of the metagame.
        elites: The number of a run's elites, the best first.
        samples: The number of resampled matrices behind the uncertainty of the mix.
        store: The folder of runs: games are stored there, read from there, and resumed. Without one, nothing is kept.
        threads: The number of threads; the result does not depend on it.
        watch: Called with the progress, several times a second.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck is unknown, or not legal in the edition.
        MatchError: If there are fewer than two decks, two have the same name, or a number is impossible.
        RunError: If there is no such metagame, its file has a mistake, or the store cannot be used.
    """
    folder = None if store is None else Path(store)
    found = metagame_of(given, pilot=pilot, edition=edition, elites=elites, store=folder)
    budget = Budget(games=games, seed=seed, folder=folder, threads=threads, watch=watch)
    return analyse(found, budget, samples=samples)
