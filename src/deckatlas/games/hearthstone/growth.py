"""Growing a metagame of Hearthstone: searches for best responses, one class at a time, as ordinary runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from deckatlas.arguments import checked
from deckatlas.documents.document import Document, read_document
from deckatlas.errors import DeckError, RunError
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, Deck, check_class
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame, MetagameLike, metagame_of
from deckatlas.games.hearthstone.run_base import edition_table
from deckatlas.games.hearthstone.run_decks import best_codes
from deckatlas.games.hearthstone.suite_export import KIND
from deckatlas.metagame.analysis import PORTIONS
from deckatlas.metagame.equilibrium import SAMPLES
from deckatlas.metagame.growth import (
    CONFIRMATION_GAMES,
    FINAL_GAMES,
    MARGIN,
    ROUNDS,
    Growth,
    GrowthPlan,
    Listener,
    SearchOrder,
)
from deckatlas.metagame.growth import grow as grow_metagame
from deckatlas.metagame.matchups import Floats
from deckatlas.metagame.metagame import Metagame, portions_of
from deckatlas.metagame.play import GAMES, kept_in
from deckatlas.play.limits import MAX_GAMES, positive
from deckatlas.runs.config import RunConfig
from deckatlas.runs.library import path_of
from deckatlas.runs.loop import execute
from deckatlas.runs.read_config import playable
from deckatlas.runs.view import open_run
from deckatlas.shapes import show

SEARCH_GAMES = 20_000
FINALISTS = 4
SEARCH = "best-response"
OF_METAGAME = "metagame"  # among the starts of a search
ADVICE = "choose another name with --out, or another folder with --store"
_MOST_FINALISTS = 50
_PILOT = ("evaluation", "pilot")
# What the growth itself decides, and a file of a search cannot.
_FILLED_IN = (
    *(("name",), ("seed",), ("budget",), ("space", "kind"), ("space", "class"), ("space", "edition")),
    *(("space", "patch"), ("evaluation", "suite"), ("evaluation", "opponents")),
)


@dataclass(frozen=True)
class DeckSearches:
    """Searches for the best deck of each class against a mix.

    Attributes:
        template: The configuration of a search, without what each search fills in.
        kinds: The classes, in lower case.
        games: The games of one search.
        finalists: The most decks of a search that play for its response.
    """

    template: Document
    kinds: tuple[str, ...]
    games: int
    finalists: int

    @property
    def pilot(self) -> str:
        """The agent that plays both sides."""
        return str(self.template.values["evaluation"]["pilot"])

    def check(self, metagame: HearthstoneMetagame) -> None:
        """Checks that all searches can be executed, as far as that is known before the mix is.

        Raises:
            RunError: If one cannot; the message names the line of the file.
        """
        for kind in self.kinds:
            self.config(metagame, metagame.shares, kind, name="checked", seed=0)

    def config(self, metagame: HearthstoneMetagame, shares: Floats, kind: str, *, name: str, seed: int) -> RunConfig:
        """The configuration of a search against the decks of a metagame with these shares."""
        document = self.template.copy()
        values: dict[tuple[str, ...], Any] = {
            ("name",): name,
            ("seed",): seed,
            ("budget",): self.games,
            ("space", "kind"): KIND,
            ("space", "class"): kind,
            **{("space", key): value for key, value in edition_table(metagame.cards).items()},
            ("evaluation", "suite"): f"the mix of {metagame.name}",
            ("evaluation", "opponents"): self._opponents(metagame, shares),
        }
        # Opponents can only be wrong by the pilot that the file gives them.
        places = {"budget": f"--games {self.games}", "evaluation": document.place(_PILOT)}
        for path, value in values.items():
            document.set(path, value, places.get(path[0], document.name))
        search = document.values.get("search")
        if isinstance(search, dict) and isinstance(search.get("starts"), list):
            search["starts"] = starts_in(search["starts"], metagame, kind)
        return playable(document)

    def _opponents(self, metagame: HearthstoneMetagame, shares: Floats) -> list[dict[str, Any]]:
        """The decks of the mix in whole portions, so that they add up to the games of one evaluation at most."""
        games = self.template.values["evaluation"].get("games", PORTIONS)
        portions = portions_of(shares, min(games, PORTIONS) if isinstance(games, int) and games > 0 else PORTIONS)
        return [
            {"deck": metagame.text(number), "pilot": self.pilot, "portion": portion}
            for number, portion in portions.items()
        ]

    def best_responses(self, order: SearchOrder) -> Sequence[str]:
        """The best decks of a search; see `deckatlas.metagame.growth.Searches`."""
        metagame = order.field.metagame
        assert isinstance(metagame, HearthstoneMetagame)
        config = self.config(metagame, order.field.mix.shares, order.kind, name=order.name, seed=order.seed)
        path = path_of(order.folder, order.name)
        execute(config, path, threads=order.threads, watch=order.watch, advice=ADVICE)
        return [deck for deck in best_codes(open_run(path), self.finalists) if not metagame.has(deck)]


def starts_in(words: Sequence[str], metagame: HearthstoneMetagame, hero_class: str) -> list[str]:
    """The decks that a search starts from, with `metagame` replaced by the metagame's decks of the class."""
    own = [text for text in map(metagame.text, range(len(metagame.entrants))) if _class_of(text) == hero_class.upper()]
    return [start for word in words for start in (own if word == OF_METAGAME else [word])]


def _class_of(text: str) -> str:
    return Deck.parse(text).hero_class


def deck_searches(
    metagame: Metagame,
    *,
    classes: Sequence[str] | None = None,
    search: Path | str | None = None,
    games: int = SEARCH_GAMES,
    finalists: int = FINALISTS,
) -> DeckSearches:
    """The searches of a growth, checked.

    Args:
        metagame: The metagame to start from.
        classes: The classes that are searched; all nine if not given.
        search: A TOML file with the tables [search], [evaluation] and [archive] of the searches; the shipped one if
            not given.
        games: The games of one search.
        finalists: The most decks of a search that play for its response.

    Raises:
        DeckError: If there is no such class.
        MatchError: If a number is impossible.
        RunError: If the file of the search has a mistake; the message names the line.
    """
    if isinstance(classes, str):
        raise DeckError(f"classes must be a list of classes, not {show(classes)}")
    if not isinstance(metagame, HearthstoneMetagame):
        raise RunError(f"{metagame.name} is not a metagame of Hearthstone")
    chosen = HERO_CLASSES if classes is None else tuple(map(check_class, classes))
    if not chosen or len({*chosen}) < len(chosen):
        raise DeckError("name at least one class, and each class once")
    found = DeckSearches(
        _template(search),
        tuple(each.lower() for each in chosen),
        positive("games", games, MAX_GAMES),
        positive("finalists", finalists, _MOST_FINALISTS),
    )
    found.check(metagame)
    return found


def _template(search: Path | str | None) -> Document:
    if search is None:
        with resources.as_file(resources.files(__package__) / "searches" / f"{SEARCH}.toml") as file:
            document = read_document(file)
    else:
        document = read_document(Path(search), may_start_programs=False)
    for path in _FILLED_IN:
        table: Any = document.values
        for key in path:
            table = table.get(key) if isinstance(table, dict) else None
        if table is not None:
            raise RunError(f"{document.place(path)}: the growth sets {'.'.join(path)} itself: leave it out")
    evaluation = document.values.setdefault("evaluation", {})
    if isinstance(evaluation, dict):
        evaluation.setdefault("pilot", "fast")
        return document
    raise RunError(f"{document.place(('evaluation',))}: evaluation must be a table")


@checked
def grow(
    given: MetagameLike,
    *,
    name: str = "grown",
    classes: Sequence[str] | None = None,
    rounds: int = ROUNDS,
    margin: float = MARGIN,
    search: Path | str | None = None,
    games: int = SEARCH_GAMES,
    finalists: int = FINALISTS,
    matchup_games: int = GAMES,
    final_games: int = FINAL_GAMES,
    confirmation_games: int = CONFIRMATION_GAMES,
    seed: int = 0,
    pilot: str | None = None,
    edition: str | None = None,
    elites: int | None = None,
    samples: int = SAMPLES,
    store: Path | str | None = None,
    threads: int | None = None,
    listener: Listener | None = None,
) -> Growth:
    """Grows a metagame by best responses to its equilibrium mix, until no class gains more than a margin.

    Args:
        given: The name of a shipped metagame, the path of a TOML file, or a run with elites.
        name: The name of the grown metagame; names of runs start with it.
        classes: The classes that are searched in each round; all nine if not given.
        rounds: The most rounds.
        margin: The gain against the mix, in points (percent of games), that a deck needs to join.
        search: A TOML file with the tables [search], [evaluation] and [archive] of the searches; the shipped one if
            not given.
        games: The games of one search.
        finalists: The most decks of a search that play for its response.
        matchup_games: The mean number of games per pair of the metagame.
        final_games: The games of each finalist against the mix.
        confirmation_games: The fresh games of the best finalist against the mix.
        seed: The seed of everything random.
        pilot: The agent that plays all decks outside of the searches, instead of the pilots of the metagame.
        edition: The edition, instead of that of the metagame.
        elites: The number of a run's elites, the best first.
        samples: The number of resampled matrices behind the uncertainty of a mix.
        store: The folder of runs: everything is stored there, read from there, and resumed. Without one, nothing is
            kept.
        threads: The number of threads; the result does not depend on it.
        listener: Follows the progress.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If there is no such edition.
        DeckError: If a deck or class is unknown, or a deck not legal in the edition.
        MatchError: If a number is impossible.
        RunError: If there is no such metagame, a file has a mistake, or a store cannot be used.
    """
    with kept_in(None if store is None else Path(store)) as folder:
        start = metagame_of(given, pilot=pilot, edition=edition, elites=elites, store=folder)
        searches = deck_searches(start, classes=classes, search=search, games=games, finalists=finalists)
        plan = GrowthPlan(
            name=name,
            folder=folder,
            rounds=rounds,
            margin=margin,
            games=matchup_games,
            finals=final_games,
            confirmation=confirmation_games,
            seed=seed,
            samples=samples,
            threads=threads,
        )
        return grow_metagame(start, searches, plan, listener=listener)
