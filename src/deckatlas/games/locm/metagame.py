"""Metagames of Legends of Code and Magic: draft policies with battle agents, shipped by name or in TOML files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from deckatlas.arguments import checked
from deckatlas.documents.document import read_document
from deckatlas.documents.toml_text import toml_text
from deckatlas.errors import AgentError, CardError, RunError
from deckatlas.games.locm.agents import battle_agent, draft_policy
from deckatlas.games.locm.editions import Edition, edition_from_text, edition_of
from deckatlas.games.locm.entrants import entrant_files
from deckatlas.games.locm.metagame_file import MetagameEntrantTable, MetagameFile
from deckatlas.games.locm.policy_players import PolicyPlayers
from deckatlas.metagame.analysis import Analysis, analyse
from deckatlas.metagame.equilibrium import SAMPLES
from deckatlas.metagame.metagame import Entrant, Metagame, named_apart
from deckatlas.metagame.play import GAMES, Budget, Watch
from deckatlas.runs.hashes import file_hash
from deckatlas.shapes import nearest, show

METAGAMES = ("drafts",)


@dataclass(frozen=True)
class LocmMetagame(Metagame):
    """Draft policies with their pilots, which are battle agents; the deck of an entrant is its draft policy.

    Attributes:
        cards: The edition.
        format: How drafts offer cards.
    """

    cards: Edition
    format: str

    @property
    def edition(self) -> str:
        """The name of the edition."""
        return self.cards.name

    @property
    def _patch(self) -> str:
        """The patch on the official cards as text; empty if there is none."""
        return "" if self.cards.is_official else self.cards.as_patch().to_toml()

    def players(self) -> PolicyPlayers:
        """The policies as players of matchups."""
        texts = [entrant_text(each) for each in self.entrants]
        files = sorted({path for text in texts for path in entrant_files(text)})
        return PolicyPlayers(
            patch=self._patch,
            format=self.format,
            players=tuple(texts),
            files={path: file_hash(path) for path in files},
        )

    def joined_by(self, deck: str, *, name: str = "") -> "LocmMetagame":
        """The metagame with one more draft policy, written POLICY or POLICY/PILOT: see the base class.

        Raises:
            AgentError: If there is no such policy or pilot.
        """
        draft, pilot = _draft_and_pilot(deck, self.entrants[0].pilot)
        found = Entrant(named_apart(name or deck, self.names), draft, pilot)
        return replace(self, entrants=(*self.entrants, found))

    def to_toml(self, notes: Mapping[str, str]) -> str:
        """The metagame as a file; `notes` are comments on entrants, by name."""
        head = {"game": "locm", "format": self.format, "patch": self._patch or None}
        lines = [toml_text(head)]
        for each in self.entrants:
            lines += [f"# {line}" for line in notes.get(each.name, "").splitlines()]
            lines += [
                "[[entrant]]",
                toml_text({"draft": each.deck, "name": each.name, "pilot": each.pilot, "share": each.weight}),
            ]
        return "\n".join(lines)

    def suite(self, portions: Mapping[int, int]) -> str:
        """Some of the policies as opponents of a run: an opponent that is named twice is met twice as often."""
        met = [entrant_text(self.entrants[number]) for number, portion in portions.items() for _ in range(portion)]
        lines = [f"    {json.dumps(each)}," for each in met]
        title = (
            f"# Policies of the metagame {self.name}, in the portions of its equilibrium mix: for the file of a run."
        )
        return "\n".join([title, "", "[evaluation]", "opponents = [", *lines, "]", ""])


MetagameLike = LocmMetagame | Path | str


def entrant_text(each: Entrant) -> str:
    """An entrant of a metagame as commands write it."""
    return f"{each.deck}/{each.pilot}"


def metagame_of(
    given: MetagameLike,
    *,
    pilot: str | None = None,
    edition: str | None = None,
    elites: int | None = None,
    store: Path | None = None,
) -> LocmMetagame:
    """A metagame, by its name or as a TOML file.

    Args:
        given: The metagame itself, the name of a shipped one, or the path of a TOML file.
        pilot: The battle agent that plays all decks, instead of the pilots of the metagame.
        edition: The edition, instead of that of the metagame.
        elites: The number of a run's elites; runs cannot be metagames of this game.
        store: The folder of runs.

    Raises:
        AgentError: If the pilot is unknown.
        CardError: If there is no such edition.
        MatchError: If there are fewer than two policies, or two have the same name.
        RunError: If there is no such metagame, or the file has a mistake; the message names the line.
    """
    if isinstance(given, LocmMetagame):
        return _changed(given, pilot, edition)
    if elites is not None:
        raise RunError(
            "a metagame of locm cannot be a run: export policies, and name them in a TOML file (genome:file=...)"
        )
    if not isinstance(given, str | Path):
        raise RunError(f"a metagame must be a name or the path of a TOML file, not {show(given)}")
    if given in METAGAMES:
        with resources.as_file(resources.files(__package__) / "metagames" / f"{given}.toml") as file:
            return _read(file, pilot, edition)
    path = Path(given)
    if path.suffix == ".toml":
        return replace(_read(path, pilot, edition), source=str(path))
    raise RunError(f"locm has no metagame {show(str(given))}: {nearest(str(given), METAGAMES)}, or give a TOML file")


def stored_entrants(config: Mapping[str, Any]) -> tuple[Entrant, ...]:
    """The policies and pilots of stored games.

    Raises:
        ValueError: If the configuration is none of such games.
    """
    found: list[Entrant] = []
    for text in PolicyPlayers.from_json(config).players:
        draft, _, pilot = text.rpartition("/")
        found.append(Entrant(named_apart(draft, [each.name for each in found]), draft, pilot))
    return tuple(found)


def _changed(given: LocmMetagame, pilot: str | None, edition: str | None) -> LocmMetagame:
    """The metagame with another pilot or edition, if they are given."""
    if pilot is not None:
        battle_agent(pilot)  # raises if it is unknown
        given = given.played_by(pilot)
    return given if edition is None else replace(given, cards=edition_of(edition))


def _read(file: Path, pilot: str | None, edition: str | None) -> LocmMetagame:
    document = read_document(file, may_start_programs=False)
    values = document.check(MetagameFile)
    if pilot is not None:
        battle_agent(pilot)
    try:
        cards = edition_of(edition) if edition else _edition_in(file, values)
    except CardError as error:
        place = document.place(("patch" if values.patch else "edition",))
        raise RunError(f"{place}: {error}" if edition is None else str(error)) from None
    entrants: list[Entrant] = []
    for number, table in enumerate(values.entrant):
        spec, key = pilot or table.pilot or values.pilot, "draft"
        try:
            draft_policy(table.draft)
            key = "pilot"
            battle_agent(spec)
        except AgentError as error:
            own = key == "draft" or table.pilot
            raise RunError(f"{document.place(('entrant', number, key) if own else ('pilot',))}: {error}") from None
        made = Entrant(_name_of(table, spec, values.pilot), table.draft, spec, table.share)
        if made.name in [each.name for each in entrants]:
            place = document.place(("entrant", number, "name" if table.name else "draft"))
            raise RunError(f"{place}: two entrants are called {show(made.name)}")
        entrants.append(made)
    if len(entrants) < 2:
        raise RunError(f"{document.place(('entrant', 0))}: a metagame needs two entrants or more")
    return LocmMetagame(file.stem, tuple(entrants), cards, values.format)


def _edition_in(file: Path, values: MetagameFile) -> Edition:
    """The edition that a file names; the file of a patch is found beside it."""
    if values.patch:
        return edition_from_text(values.patch)
    return edition_of(file.parent / values.edition if values.edition.endswith(".toml") else values.edition)


def _name_of(table: MetagameEntrantTable, spec: str, usual: str) -> str:
    return table.name or (table.draft if table.pilot in ("", usual) else f"{table.draft}/{spec}")


def _draft_and_pilot(text: str, usual: str) -> tuple[str, str]:
    """The draft policy and the pilot of a text; a policy alone has the usual pilot."""
    draft, slash, pilot = text.rpartition("/")
    try:
        draft_policy(text)
    except AgentError:
        if not slash:
            raise
        draft_policy(draft)
        battle_agent(pilot)
        return draft, pilot
    return text, usual


@checked
def metagame(
    given: MetagameLike,
    *,
    games: int = GAMES,
    seed: int = 0,
    pilot: str | None = None,
    edition: str | None = None,
    samples: int = SAMPLES,
    store: Path | str | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
) -> Analysis:
    """Plays a metagame of draft policies and says what follows: rates, ratings, the equilibrium mix, cycles.

    Args:
        given: The name of a shipped metagame, or the path of a TOML file.
        games: The mean number of games per pair; half of them are spread evenly.
        seed: The seed of everything random.
        pilot: The battle agent that plays all decks, instead of the pilots of the metagame.
        edition: The edition, instead of that of the metagame.
        samples: The number of resampled matrices behind the uncertainty of the mix.
        store: The folder of runs: games are stored there, read from there, and resumed. Without one, nothing is kept.
        threads: The number of threads; the result does not depend on it.
        watch: Called with the progress, several times a second.

    Raises:
        AgentError: If the pilot is unknown.
        CardError: If there is no such edition.
        MatchError: If there are fewer than two policies, two have the same name, or a number is impossible.
        RunError: If there is no such metagame, its file has a mistake, or the store cannot be used.
    """
    folder = None if store is None else Path(store)
    found = metagame_of(given, pilot=pilot, edition=edition, store=folder)
    return analyse(found, Budget(games=games, seed=seed, folder=folder, threads=threads, watch=watch), samples=samples)
