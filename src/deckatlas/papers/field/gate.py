"""The gate: for each class, the best deck that was found against the best list that people played, against a field."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import DeckatlasError
from deckatlas.experiments.findings import FAILS, HOLDS, UNDECIDED, Claim
from deckatlas.experiments.kind import Report, ReportOptions
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT
from deckatlas.games.hearthstone.cards.deck_codes import code_or_text
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES, Deck, check_class
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition
from deckatlas.games.hearthstone.cards.library import lists_of_people
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame, metagame_of
from deckatlas.games.hearthstone.setup import deck_of, edition_of
from deckatlas.papers.field.entrants import pilot_complaints
from deckatlas.papers.field.gate_games import FieldGames
from deckatlas.papers.field.gate_views import draw_gate, gate_tables

HUMAN, FOUND = "people", "search"
NO_DECK = "no deck found"
_SMOKE_GAMES = 2


@dataclass(frozen=True)
class Contender:
    """A deck that stands for its class.

    Attributes:
        name: Its name.
        deck: The deck.
        by: Whose deck it is: that of people, or of a search.
    """

    name: str
    deck: Deck
    by: str


class Gate(ReportOptions):
    """For each class, the best deck found and the best list of people, both against the same field on fresh games."""

    kind: Literal["gate"] = "gate"
    metagame: str = Field(default="field-2018", description="The field: the name of a metagame, or a TOML file.")
    edition: str = Field(default=DEFAULT, description="The edition of the cards, or a file with a patch.")
    pilot: str = Field(default=DEFAULT_PILOT, description="The agent that plays every deck on both sides.")
    candidates: str = Field(
        default="", description="A metagame whose decks were found, such as the file of `deckatlas meta grow`."
    )
    decks: tuple[str, ...] = Field(default=(), description="Further decks that were found: names, codes or texts.")
    classes: tuple[str, ...] = Field(default=HERO_CLASSES, min_length=1, description="The classes.")
    selection_games: int = Field(
        default=1000, ge=2, multiple_of=2, description="Games per list, in which the best of each class is chosen."
    )
    games: int = Field(default=2000, ge=2, multiple_of=2, description="Fresh games per chosen deck.")
    needed: int = Field(default=7, ge=1, description="In how many classes the deck found must be better.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about the pilot, the field, the candidates and the classes."""
        yield from super().complaints(published, runs)
        yield from pilot_complaints(self.pilot, ("report", "pilot"))
        for key, read in (("metagame", self._field), ("candidates", self._candidates), ("classes", self._classes)):
            try:
                read()
            except DeckatlasError as error:
                yield Complaint((("report", key), ("report", "decks"), ("report", "edition")), str(error))
                return
        if not self.candidates and not self.decks:
            yield Complaint((("report", "candidates"), ("report",)), "name candidates or decks that were found")
        if self.needed > len(self.classes):
            yield Complaint(
                (("report", "needed"),), f"needed must be at most the number of classes, {len(self.classes)}"
            )

    def smoke(self) -> Self:
        """One class, and few games."""
        small = {"selection_games": _SMOKE_GAMES, "games": _SMOKE_GAMES, "needed": 1}
        return self.model_copy(update={"classes": self.classes[:1], **small})

    def report(self, study: Study) -> Report:
        """The choice in each class, both chosen decks on fresh games, and whether enough classes hold."""
        field, classes = self._field(), self._classes()
        everyone = (*self._people(), *self._candidates())
        contenders = [each for each in everyone if each.deck.hero_class in classes]
        decks = [each.deck for each in contenders]
        chosen: dict[tuple[str, str], int] = {}
        selection = FieldGames.played(study, "selection", field, decks, pilot=self.pilot, games=self.selection_games)
        for number, each in sorted(enumerate(contenders), key=lambda item: -selection.rate(item[0]).value):
            chosen.setdefault((each.deck.hero_class, each.by), number)
        finalists = sorted(chosen.values())
        fresh = FieldGames.played(
            study, "fresh", field, [contenders[number].deck for number in finalists], pilot=self.pilot, games=self.games
        )
        numbers = {key: finalists.index(number) for key, number in chosen.items()}
        named = {key: contenders[number].name for key, number in chosen.items()}
        rows = [_gate_row(hero_class, numbers, named, fresh) for hero_class in classes]
        choices = [
            _choice_row(each, number, selection, is_chosen=number in finalists)
            for number, each in enumerate(contenders)
        ]
        choices.sort(key=lambda row: (row["class"], row["by"], -row["won"]))
        outcome = self._outcome(rows)
        return Report(
            rows={
                "gate": rows,
                "outcome": [outcome],
                "selection": choices,
                "decks": [_deck_row(each, field.cards) for each in contenders],
            },
            tables=tuple(gate_tables(rows, outcome, choices)),
            notes=tuple(self._notes(field, fresh, selection)),
            figures={"gate": lambda figure: draw_gate(figure, rows)},
        )

    def _field(self) -> HearthstoneMetagame:
        return metagame_of(self.metagame, pilot=self.pilot, edition=self.edition)

    def _classes(self) -> list[str]:
        return [check_class(each) for each in self.classes]

    def _people(self) -> Iterator[Contender]:
        """All lists of the library that people played and that are legal in the edition."""
        for each in lists_of_people(edition_of(self.edition)):
            yield Contender(each.name, each.deck, HUMAN)

    def _candidates(self) -> list[Contender]:
        """The decks that were found; lists of people among them are not."""
        cards = edition_of(self.edition)
        known = {str(each.deck) for each in self._people()}
        given = [(text, text) for text in self.decks]
        if self.candidates:
            found = metagame_of(self.candidates, pilot=self.pilot, edition=self.edition)
            given += [(each.name, each.deck) for each in found.entrants]
        made = [Contender(name, deck_of(text, cards), FOUND) for name, text in given]
        return [each for each in made if str(each.deck) not in known]

    def _outcome(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        held = sum(row["verdict"] == HOLDS for row in rows)
        possible = held + sum(row["verdict"] == UNDECIDED for row in rows)
        verdict = HOLDS if held >= self.needed else UNDECIDED if possible >= self.needed else FAILS
        return {"hold": held, "classes": len(rows), "needed": self.needed, "verdict": verdict}

    def _notes(self, field: HearthstoneMetagame, fresh: FieldGames, selection: FieldGames) -> Iterator[str]:
        yield (
            f"The field is {field.name}: {len(field.entrants)} decks, edition {field.edition}. The pilot {self.pilot} "
            "plays every deck on both sides. Opponents are met in proportion to their shares."
        )
        yield (
            f"In each class, the list of people and the deck found are those that won most of {selection.games:,} "
            f"games each. They are compared on {fresh.games:,} other games each. Both play the same opponents, seeds "
            "and seats, and the difference is taken seed by seed."
        )
        yield (
            "Intervals are 95 % intervals over seeds, for exactly these decks, field and pilot. A class holds if the "
            "whole interval of the difference is above zero; of forty classes without any difference, one would."
        )


def _gate_row(
    hero_class: str, numbers: Mapping[tuple[str, str], int], named: Mapping[tuple[str, str], str], fresh: FieldGames
) -> dict[str, Any]:
    human, found = ((hero_class, by) for by in (HUMAN, FOUND))
    row: dict[str, Any] = {"class": hero_class, "list": named.get(human), "found": named.get(found)}
    for key, name in ((human, "list_won"), (found, "found_won")):
        row |= fresh.rate(numbers[key]).cells(name) if key in numbers else dict.fromkeys(_cells(name))
    if human not in numbers or found not in numbers:
        return {**row, **dict.fromkeys(_cells("ahead")), "games": fresh.games, "verdict": NO_DECK}
    ahead = fresh.difference(numbers[found], numbers[human])
    claim = Claim(f"{named[found]} is better than {named[human]}", "points", ahead)
    return {**row, **ahead.cells("ahead"), "games": fresh.games, "verdict": claim.verdict}


def _cells(name: str) -> tuple[str, str, str]:
    return name, f"{name}_low", f"{name}_high"


def _choice_row(each: Contender, number: int, selection: FieldGames, *, is_chosen: bool) -> dict[str, Any]:
    return {
        "class": each.deck.hero_class,
        "by": each.by,
        "deck": each.name,
        **selection.rate(number).cells("won", n="games"),
        "is_chosen": is_chosen,
    }


def _deck_row(each: Contender, cards: Edition) -> dict[str, Any]:
    code = code_or_text(each.deck, cards.by_id)
    return {"class": each.deck.hero_class, "by": each.by, "deck": each.name, "code": code, "cards": str(each.deck)}
