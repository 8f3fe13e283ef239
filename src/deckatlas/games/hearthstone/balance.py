"""Balance studies of Hearthstone: a patch, the decks it is studied with, and the searches under both editions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas.balancing.subject import (
    BASE,
    DECKS,
    PATCHED,
    CardChange,
    Effort,
    FoundMap,
    PatchedFields,
    SearchSize,
    Spreads,
    Words,
)
from deckatlas.errors import CardError, DeckError, MatchError
from deckatlas.games.hearthstone.cards.changes import (
    ChangedCard,
    carriers,
    changed_cards,
    changed_rules,
    classes_with,
)
from deckatlas.games.hearthstone.cards.codes import HeroClass
from deckatlas.games.hearthstone.cards.decks import Deck, check_class
from deckatlas.games.hearthstone.cards.editions import DEFAULT, Edition, Patch, edition_of
from deckatlas.games.hearthstone.cards.library import lists_of_people
from deckatlas.games.hearthstone.compare import default_field
from deckatlas.games.hearthstone.metagame import HearthstoneMetagame, MetagameLike, metagame_of
from deckatlas.games.hearthstone.pilots import pilot as pilot_of
from deckatlas.games.hearthstone.run_base import check_in_core, edition_table
from deckatlas.games.hearthstone.setup import deck_of
from deckatlas.games.hearthstone.suite_export import KIND
from deckatlas.runs.config import RunConfig
from deckatlas.runs.read_config import config_from
from deckatlas.runs.view import RunView
from deckatlas.shapes import show

PatchLike = Patch | Edition | Path | str

FIELDS = {DEFAULT: "atlas"}  # the known decks, for editions that have elites as well as lists of people
MEASURES = {
    "deck_mana_mean": ("mean mana cost", (2.0, 5.5)),
    "deck_mana_variance": ("variance of mana costs", (1.5, 8.5)),
}
POOL = "all"
SEARCH_PILOT = "fast"
QUICK = Effort("quick", 28_000, 0, SearchSize(0, None, 1), 0, 0)
NORMAL = Effort("normal", 28_000, 8, SearchSize(1_200, None, 6), 2, 10)
THOROUGH = Effort("thorough", 120_000, 5, SearchSize(10_000, 200, 20), 4, 60)
EFFORTS = (QUICK, NORMAL, THOROUGH)
# Over the eight trials of experiments/balance/results/highmane-normal.json, on common seeds: of the best hunter decks
# found, of the changed card among hunter elites, and of hunters in the mix. A test holds them to that file.
SPREADS = Spreads(found_rate=0.05, inclusion=0.35, mix_share=0.19)
_ROUNDS = 8  # of a search with a surrogate: each trains a model
_PREDICTIONS = 100_000
_INITIAL = 100


@dataclass(frozen=True)
class HearthstoneSubject(PatchedFields[HearthstoneMetagame]):
    """A patch of Hearthstone's cards: see `deckatlas.balancing.subject.Subject`. Its kinds are classes, in lower case.

    Attributes:
        left_out: Known decks that are not legal under the patch, with the reasons.
    """

    game: str = "hearthstone"
    words: Words = DECKS
    spreads: Spreads = SPREADS
    efforts: tuple[Effort, ...] = EFFORTS
    left_out: tuple[str, ...] = ()

    @property
    def base(self) -> Edition:
        """The base edition."""
        return self.fields[BASE].cards

    @property
    def patched(self) -> Edition:
        """The edition with the patch."""
        return self.fields[PATCHED].cards

    @property
    def patch_toml(self) -> str:
        """The patch as a file that commands read."""
        return "" if self.patched.made_of is None else self.patched.made_of[1].to_toml()

    @cached_property
    def changes(self) -> tuple[CardChange, ...]:
        """What the patch does, card by card."""
        return tuple(
            CardChange(each.after.name, each.words, is_new=each.before is None)
            for each in changed_cards(self.base, self.patched)
        )

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that the patch adds."""
        return tuple(f"the rule {name} applies" for name in changed_rules(self.base, self.patched))

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The changed cards that decks can have; for a changed token or hero power, the cards that make it."""
        found = carriers(self.patched, frozenset(each.after.id for each in changed_cards(self.base, self.patched)))
        return tuple(card.name for card in self.patched.cards if card.id in found and card.collectible)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The class of each known deck."""
        field = self.fields[BASE]
        return tuple(Deck.parse(field.text(at)).hero_class for at in range(len(field.entrants)))

    def can_have(self, kind: str, card: str) -> bool:
        """Whether decks of a class can have a card under the patch."""
        return any(
            each.name == card and each.collectible and each.hero_class.name in (kind, HeroClass.neutral.name)
            for each in self.patched.cards
        )

    def class_of(self, kind: str) -> str:
        """The class of the decks of a search."""
        return kind.upper()

    def held(self, deck: str, side: int) -> Mapping[str, float]:
        """The cards of a deck, each with 1."""
        cards = self.fields[side].cards
        return {self.patched.by_id[card].name: 1.0 for card, _ in deck_of(deck, cards).cards}

    def search(
        self, kind: str, side: int, *, name: str, pilot: str, seed: int, from_known: bool, size: SearchSize
    ) -> RunConfig:
        """A map of the decks of a class against the known decks: see the protocol."""
        field = self.fields[side]
        values: dict[str, Any] = {
            "name": name,
            "seed": seed,
            "space": {"kind": KIND, "class": kind, "pool": POOL, **edition_table(field.cards)},
            "evaluation": {
                "pilot": pilot,
                "games": size.games or len(field.entrants),
                "suite": field.name,
                "opponents": [{"deck": field.text(number), "pilot": pilot} for number in range(len(field.entrants))],
            },
            "archive": {
                "kind": "grid",
                "measures": list(MEASURES),
                "ranges": [list(ends) for _, ends in MEASURES.values()],
                "resolution": [size.resolution] * len(MEASURES),
            },
            "search": {
                "algorithm": "dsa-me",
                "objective": "win_rate",
                "evaluations": size.evaluations,
                "initial": min(_INITIAL, size.evaluations),
                "most_candidates": -(-size.evaluations // _ROUNDS),
                "predictions": _PREDICTIONS,
                "starts": self._known(kind) if from_known else [],
            },
        }
        return config_from(values, name=f"the search for {kind} decks")

    def _known(self, kind: str) -> list[str]:
        """The known decks of a class that are legal under both editions: those of the field, and lists of people."""
        own = [self.fields[BASE].text(at) for at, each in enumerate(self.classes) if each == kind.upper()]
        legal = {each.name: str(each.deck) for each in lists_of_people(self.patched)}
        people = [str(each.deck) for each in lists_of_people(self.base) if each.name in legal]
        return list(dict.fromkeys(own + [each for each in people if Deck.parse(each).hero_class == kind.upper()]))

    def found(self, view: RunView, side: int, *, best: int) -> FoundMap:
        """The elites of a finished search: see the protocol."""
        elites = view.elites()
        return FoundMap.of(
            view,
            MEASURES,
            cards=[self.patched.by_id[gene.id].name for gene in view.description.genes],  # one name, if it is new
            holds=[(np.asarray(each.solution) > 0).tolist() for each in elites],
            best=[view.code(each) for each in elites[:best]],
        )


def subject_of(
    patch: PatchLike,
    *,
    base: str | Edition | None = None,
    meta: MetagameLike | None = None,
    pilot: str | None = None,
    classes: Sequence[str] | None = None,
    search_pilots: Sequence[str] = (SEARCH_PILOT,),
    store: Path | None = None,
) -> HearthstoneSubject:
    """What a study is about, checked before the first game.

    Args:
        patch: The patch: a TOML file, or a `Patch`.
        base: The edition that it changes, instead of the one that the patch names.
        meta: The known decks, a metagame; by default the shipped one of the edition.
        pilot: The agent that plays the known decks, instead of those of the metagame.
        classes: The classes that are searched; by default those whose decks can have a changed card.
        search_pilots: The agents that play all decks in the searches.
        store: The folder of runs, if the metagame is a run.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If the patch has a mistake, or changes a card that no deck can have.
        DeckError: If there is no such class, or too few known decks are legal under the patch.
        RunError: If there is no such metagame.
    """
    before, patched = _editions(patch, base)
    changed = changed_cards(before, patched)
    for each in search_pilots:
        pilot_of(each)
        check_in_core(each)
    if not search_pilots:
        raise MatchError("a study needs a pilot for its searches")
    affected = _affected(before, patched, changed)  # raises if no deck can meet a change
    chosen = affected if classes is None else tuple(dict.fromkeys(check_class(each).lower() for each in classes))
    given = metagame_of(meta or _usual_field(before), pilot=pilot, edition=before, store=store)
    fields, left_out = _legal_under(given, patched)
    return HearthstoneSubject(fields, chosen, tuple(search_pilots), left_out=left_out)


def _editions(patch: PatchLike, base: str | Edition | None) -> tuple[Edition, Edition]:
    if isinstance(patch, Edition):
        if patch.made_of is None:
            raise CardError(
                f"edition {show(patch.name)} is not a patched edition: give a patch, or an edition that a patch makes"
            )
        return patch.made_of[0], patch
    if isinstance(patch, Patch):
        before = edition_of(patch.base if base is None else base)
        return before, before.patched(patch)
    patched = edition_of(patch if str(patch).endswith(".toml") else Path(patch))
    if patched.made_of is None:
        raise CardError(f"{patch} is not a patch: give a TOML file with one")
    before, read = patched.made_of
    if base is None:
        return before, patched
    before = edition_of(base)
    return before, before.patched(read)


def _affected(before: Edition, patched: Edition, changed: Sequence[ChangedCard]) -> tuple[str, ...]:
    """The classes whose decks can have a changed card, or a card that makes one; all of them if rules change.

    Raises:
        CardError: If no deck can have or make a changed card.
    """
    found: set[HeroClass] = set()
    for each in changed:
        classes = classes_with(patched, carriers(patched, frozenset({each.after.id})))
        if not classes:
            raise CardError(
                f"patch {show(patched.name)} changes {each.after.name} ({each.after.id}), but no deck can have it "
                "and no card makes it"
            )
        found |= classes
    if changed_rules(before, patched):
        found |= {*HeroClass} - {HeroClass.neutral}
    return tuple(each.name for each in sorted(found))


def _usual_field(cards: Edition) -> str:
    return FIELDS.get(cards.name) or default_field([cards])


def _legal_under(
    field: HearthstoneMetagame, patched: Edition
) -> tuple[tuple[HearthstoneMetagame, HearthstoneMetagame], tuple[str, ...]]:
    """The decks of a field that are legal under a patch, under both editions, and why others are not."""
    kept, left_out = [], []
    for each in field.entrants:
        try:
            deck_of(each.deck, patched)
            kept.append(each)
        except DeckError as error:
            left_out.append(f"{each.name}: {error}")
    if len(kept) < 2:
        raise DeckError(f"fewer than two decks of {field.name} are legal under the patch: {'; '.join(left_out)}")
    before = replace(field, entrants=tuple(kept))
    return (before, replace(before, cards=patched)), tuple(left_out)
