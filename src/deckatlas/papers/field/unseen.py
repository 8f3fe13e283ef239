"""What a pilot was not trained with: lists and patches, against the same pilot trained with them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import CardError
from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, ReportOptions
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.agents import DEFAULT_PILOT
from deckatlas.games.hearthstone.cards.library import NamedDeck, lists_of_people
from deckatlas.games.hearthstone.profiles import FAIR
from deckatlas.games.hearthstone.setup import edition_of
from deckatlas.papers.field.entrants import deck_complaints, deck_row, decks_called, is_patch_file
from deckatlas.papers.field.matches import WON, Match, overall
from deckatlas.papers.field.unseen_figures import draw_unseen
from deckatlas.papers.field.unseen_in_field import FieldGames
from deckatlas.papers.field.unseen_networks import TRAININGS, check_networks, pilot_with
from deckatlas.papers.field.unseen_tables import unseen_tables
from deckatlas.stats.estimate import Estimate

LISTS, PATCHES = "lists", "patches"
_SMOKE_LISTS = 2
_SMOKE_PATCHES = 2


@dataclass(frozen=True)
class PatchedField:
    """A patch, and lists that play the cards it changes.

    Attributes:
        name: The name of the patch.
        file: Its file.
        cards: The names of the cards that it changes.
        decks: Lists that play one of them, each of another archetype.
    """

    name: str
    file: str
    cards: tuple[str, ...]
    decks: tuple[NamedDeck, ...]

    @classmethod
    def of(cls, file: str, most: int) -> "PatchedField":
        """The patch of a file, and at most so many lists; those of the field come first.

        Raises:
            CardError: If the file cannot be read, or is not a patch.
        """
        edition = edition_of(file)
        assert edition.made_of is not None  # it is a file
        cards = [edition[name] for name in edition.made_of[1].cards]
        ids = {card.id for card in cards}
        by_archetype: dict[str, NamedDeck] = {}
        for deck in sorted(lists_of_people(edition), key=lambda deck: not deck.in_field):
            if ids & set(deck.deck.copies):
                by_archetype.setdefault(deck.archetype, deck)
        names = tuple(card.name for card in cards)
        return cls(edition.name, file, names, tuple(by_archetype.values())[:most])


class Unseen(ReportOptions):
    """Pilots on lists and under patches that were not in their training, against pilots trained with them."""

    kind: Literal["unseen"] = "unseen"
    edition: str = Field(default="classic-2014", description="The edition of the games with lists.")
    left_out: tuple[str, ...] = Field(min_length=1, description="Names of lists that one training had not.")
    with_lists: str | None = Field(default=None, description="The network trained with them (default: the shipped).")
    without_lists: str | None = Field(default=None, description="The one trained without (default: the shipped).")
    patches: tuple[str, ...] = Field(min_length=1, description="Files with patches that one training had not.")
    with_patches: str | None = Field(default=None, description="The network trained with them (default: the shipped).")
    lists_per_patch: int = Field(default=4, ge=1, description="The most lists that play under a patch.")
    games: int = Field(default=1000, ge=2, multiple_of=2, description="Games per list and patch, half in each seat.")
    field_games: int = Field(default=200, ge=2, multiple_of=2, description="Games per list and deck of the field.")
    goal: float = Field(
        default=47,
        gt=0,
        lt=100,
        description="Games to win at least, in percent; against the field, at most 50 minus this may be lost.",
    )

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about the edition, lists and patches; networks may be trained later."""
        yield from super().complaints(published, runs)
        yield from deck_complaints(self.edition, self.left_out, "left_out")
        for key in ("left_out", "patches"):
            names = getattr(self, key)
            for name in {name for name in names if names.count(name) > 1}:
                yield Complaint((("report", key),), f"{name} is given more than once: name it once")
        for number, file in enumerate(self.patches):
            places = (("report", "patches", number), ("report", "patches"))
            if not is_patch_file(file):
                yield Complaint(places, f"a patch is a TOML file, not {file}")
                return
            try:
                if not PatchedField.of(file, self.lists_per_patch).decks:
                    yield Complaint(places, f"no list plays a card that {file} changes")
            except CardError as error:
                yield Complaint(places, str(error))
                return

    def smoke(self) -> Self:
        """A few lists and patches, one list per patch, two games per pair, the shipped network on all sides."""
        small: dict[str, Any] = dict.fromkeys(TRAININGS)
        small |= {"left_out": self.left_out[:_SMOKE_LISTS], "patches": self.patches[:_SMOKE_PATCHES]}
        small |= {"lists_per_patch": 1, "games": 2, "field_games": 2}
        return self.model_copy(update=small)

    def report(self, study: Study) -> Report:
        """Rates by list and by patch, lists against the field, everything overall, and whether goals are reached."""
        fields = [PatchedField.of(file, self.lists_per_patch) for file in self.patches]
        networks = {key: getattr(self, key) for key in TRAININGS}
        check_networks(networks, left_out=self.left_out, patches=[each.name for each in fields])
        decks = decks_called(self.left_out)
        pilots = pilot_with(self.without_lists), pilot_with(self.with_lists)
        on_lists = Match.played(study, *pilots, decks, edition=self.edition, games=self.games)
        in_field = FieldGames.played(study, pilots, decks, edition=self.edition, games=self.field_games)
        under_patches = [
            Match.played(
                study, DEFAULT_PILOT, pilot_with(self.with_patches), each.decks, edition=each.file, games=self.games
            )
            for each in fields
        ]
        parts = {LISTS: [on_lists], PATCHES: under_patches}
        lists = [self._row({"list": deck.name}, on_lists.rate(number)) for number, deck in enumerate(decks)]
        patches = [self._patch_row(each, match) for each, match in zip(fields, under_patches, strict=True)]
        patch_lists = [
            self._row({"patch": each.name, "list": deck.name}, match.rate(number))
            for each, match in zip(fields, under_patches, strict=True)
            for number, deck in enumerate(each.decks)
        ]
        totals = [_overall_row(part, matches) for part, matches in parts.items()]
        field_rows = list(in_field.rows(decks))
        report = Report(
            rows={
                "overall": totals,
                "lists": lists,
                "field": field_rows,
                "patches": patches,
                "patch_lists": patch_lists,
                "decks": [deck_row(deck) for deck in _each_once([decks, *(each.decks for each in fields)])],
            },
            tables=tuple(unseen_tables(totals, lists, field_rows, patches, goal=self.goal)),
            notes=tuple(self._notes()),
            figures={"unseen": lambda figure: draw_unseen(figure, lists, patches, goal=self.goal)},
        )
        findings = [self._finding(part, overall(matches)) for part, matches in parts.items()]
        findings.insert(1, self._field_finding(in_field.gained(range(len(decks)))))
        return with_findings(report, findings, title="Goals, by our numbers", what="goal")

    def _claim(self, statement: str, found: Estimate) -> Claim:
        return Claim(statement, WON, found, mark=self.goal)

    def _finding(self, part: str, found: Estimate) -> Finding:
        title = f"{part} that were not in training cost at most {50 - self.goal:g} points"
        return Finding(title, (self._claim(f"the pilot that was not trained with these {part}", found),))

    def _field_finding(self, gained: Estimate) -> Finding:
        title = f"against the field, lists that were not in training cost at most {50 - self.goal:g} points"
        statement = "the pilot that was not trained with these lists"
        return Finding(title, (Claim(statement, "ahead of the other one, points", gained, mark=self.goal - 50),))

    def _row(self, names: Mapping[str, Any], found: Estimate) -> dict[str, Any]:
        return {**names, **found.cells("won", n="won_games"), "verdict": self._claim("", found).verdict}

    def _patch_row(self, field: PatchedField, match: Match) -> dict[str, Any]:
        names = {"patch": field.name, "cards": ", ".join(field.cards), "lists": len(field.decks)}
        return self._row(names, match.overall())

    def _notes(self) -> Iterator[str]:
        yield (
            f"Both sides have the same list; profile {FAIR.name}. {self.games:,} games per list, and per list and "
            "patch, each seed played twice with seats swapped; all of them play the same seeds. A pilot knows its own "
            "list, and guesses that an enemy of its class may play it, which is true in these games."
        )
        yield (
            f"Against the field: {self.field_games:,} games of each pilot with each list against each deck of "
            "the field, which the pilot plays that was trained with the lists. Both pilots play the same seeds; points "
            "are differences of shares of games won, seed by seed."
        )
        yield (
            f"Lists: edition {self.edition}; {pilot_with(self.without_lists)} against {pilot_with(self.with_lists)}. "
            f"Patches: {DEFAULT_PILOT} against {pilot_with(self.with_patches)}, with at most {self.lists_per_patch} "
            "lists that play a changed card, each of another archetype."
        )
        if None in (self.without_lists, self.with_patches):
            yield "A network that is not given is the shipped one, so parts of this result are no test of the goal."
        yield (
            "Intervals are 95 % intervals over pairs of games (overall, patches and the field: over seeds), valid for "
            "exactly these lists, patches and networks. A game that nobody won counts for the side that moved second."
        )


def _each_once(lists: Sequence[Sequence[NamedDeck]]) -> Iterator[NamedDeck]:
    yield from {deck.name: deck for decks in lists for deck in decks}.values()


def _overall_row(part: str, matches: Sequence[Match]) -> dict[str, Any]:
    return {
        "part": part,
        "pilot": matches[0].pilot,
        "opponent": matches[0].opponent,
        "matches": sum(len(match.decks) for match in matches),
        **overall(matches).cells("won", n="won_games"),
    }
