"""Balance studies of Legends of Code and Magic: a patch, known draft policies, and searches under both editions.

Found policies are rankings of the cards, found by CMA-ES on a map of what they draft. A ranking has a short text, so
it can join a metagame without a file. What counts as having a card is the pick rate: in how many of its offers a policy
picks it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from deckatlas.balancing.subject import (
    BASE,
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
from deckatlas.games.locm.agents import battle_agent, draft_policy, ranking_text
from deckatlas.games.locm.changes import changed_cards
from deckatlas.games.locm.editions import DEFAULT, Edition, EditionLike, Patch, edition_of
from deckatlas.games.locm.elites import edition_values
from deckatlas.games.locm.metagame import LocmMetagame, MetagameLike, metagame_of
from deckatlas.games.locm.spaces import pick_rates
from deckatlas.runs.config import RunConfig
from deckatlas.runs.read_config import config_from
from deckatlas.runs.view import RunView
from deckatlas.shapes import show

PatchLike = Patch | Edition | Path | str

FIELD = "drafts"
KIND = "draft"
MEASURES = {
    "deck_mana_mean": ("mean mana cost", (2.4, 4.4)),
    "num_item_cards": ("mean number of items", (2.0, 14.0)),
}
SEARCH_PILOT = "greedy"
QUICK = Effort("quick", 210_000, 0, SearchSize(0, None, 1), 0, 0)
NORMAL = Effort("normal", 210_000, 16, SearchSize(1_200, 300, 6), 2, 200)
THOROUGH = Effort("thorough", 840_000, 16, SearchSize(6_000, 300, 10), 4, 400)
EFFORTS = (QUICK, NORMAL, THOROUGH)
# Of experiments/balance/locm.py: over eight trials of the size of effort normal, of a patch that changes nothing, with
# editions on different seeds. Those of cards are means over all cards.
SPREADS = Spreads(found_rate=0.02, inclusion=0.17, mix_share=0.25)
WORDS = Words(
    one="policy",
    several="policies",
    inclusion="the pick rate of {card} among {elites}",
    inclusion_in_mix="the pick rate of {card} in the equilibrium mix",
    has_named_kinds=False,
)
_POPULATION = 40
_SIGMA = 0.15  # of priorities from 0 to 1
_MEASURE_DRAFTS = 25
_PICK_DRAFTS = 500


@dataclass(frozen=True)
class LocmSubject(PatchedFields[LocmMetagame]):
    """A patch of the cards of Legends of Code and Magic: see `deckatlas.balancing.subject.Subject`."""

    game: str = "locm"
    words: Words = WORDS
    spreads: Spreads = SPREADS
    efforts: tuple[Effort, ...] = EFFORTS
    rules: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  # any policy can draft any cards

    @property
    def patch_toml(self) -> str:
        """The patch as a file that commands read."""
        return self.fields[PATCHED].cards.as_patch().to_toml()

    @cached_property
    def changes(self) -> tuple[CardChange, ...]:
        """What the patch does, card by card."""
        before, after = self.fields
        return tuple(CardChange(card.name, words) for card, words in changed_cards(before.cards, after.cards))

    @property
    def cards(self) -> tuple[str, ...]:
        """The changed cards: drafts can offer each."""
        return tuple(each.card for each in self.changes)

    @property
    def classes(self) -> tuple[str, ...]:
        """Policies have no classes."""
        return ("",) * len(self.fields[BASE].entrants)

    def can_have(self, kind: str, card: str) -> bool:
        """Drafts can offer every card."""
        return True

    def class_of(self, kind: str) -> str:
        """Found policies have no classes either."""
        return ""

    def held(self, deck: str, side: int) -> Mapping[str, float]:
        """All cards with the pick rates of a policy."""
        field = self.fields[side]
        rates = pick_rates(field.cards, draft_policy(deck), drafts=_PICK_DRAFTS, format=field.format)
        return dict(zip(_names(field.cards), rates.tolist(), strict=True))

    def search(
        self, kind: str, side: int, *, name: str, pilot: str, seed: int, from_known: bool, size: SearchSize
    ) -> RunConfig:
        """A map of rankings against the known policies: see the protocol.

        All games of an evaluation are fresh: on common ones, a ranking learns their drafts by heart. Known policies are
        where the search starts: around the mean of their pick rates.
        """
        field = self.fields[side]
        values: dict[str, Any] = {
            "name": name,
            "seed": seed,
            "space": {"kind": "locm-draft", "drafts": _MEASURE_DRAFTS, **edition_values(field.cards)},
            "evaluation": {
                "pilot": pilot,
                "games": size.games or len(field.entrants),
                "seeds": "fresh",
                "format": field.format,
                "opponents": [f"{each.deck}/{pilot}" for each in field.entrants],
            },
            "archive": {
                "kind": "grid",
                "measures": list(MEASURES),
                "ranges": [list(ends) for _, ends in MEASURES.values()],
                "resolution": [size.resolution] * len(MEASURES),
            },
            "search": {
                "algorithm": "cma-es",
                "objective": "win_rate",
                "evaluations": size.evaluations,
                "population": min(_POPULATION, size.evaluations),
                "sigma": _SIGMA,
                "starts": [each.deck for each in field.entrants] if from_known else [],
            },
        }
        return config_from(values, name=f"the search for {kind} policies")

    def found(self, view: RunView, side: int, *, best: int) -> FoundMap:
        """The elites of a finished search: see the protocol."""
        policies = [ranking_text(each.solution) for each in view.elites()]
        holds = [[*self.held(each, side).values()] for each in policies]
        return FoundMap.of(view, MEASURES, cards=_names(self.fields[side].cards), holds=holds, best=policies[:best])


def _names(cards: Edition) -> tuple[str, ...]:
    return tuple(card.name for card in cards.cards)


def subject_of(
    patch: PatchLike,
    *,
    base: EditionLike | None = None,
    meta: MetagameLike | None = None,
    pilot: str | None = None,
    classes: Sequence[str] | None = None,
    search_pilots: Sequence[str] = (SEARCH_PILOT,),
    store: Path | None = None,
) -> LocmSubject:
    """What a study is about, checked before the first game.

    Args:
        patch: The patch: a TOML file, a `Patch`, or the patched `Edition`.
        base: The edition that it changes, instead of the one that the patch names.
        meta: The known draft policies, a metagame with its pilots; by default `drafts`, played by the pilot of the
            searches, so that known and found policies meet on equal terms.
        pilot: The battle agent that plays known policies, and found ones when they meet them.
        classes: Not for this game: policies have none.
        search_pilots: The battle agents that play all decks in the searches.
        store: The folder of runs; a metagame of this game is none.

    Raises:
        AgentError: If a pilot is unknown.
        CardError: If the patch has a mistake.
        DeckError: If classes are given.
        MatchError: If there is no pilot for the searches.
        RunError: If there is no such metagame.
    """
    if classes is not None:
        raise DeckError("draft policies have no classes: leave the option out")
    before, patched = _editions(patch, base)
    for each in search_pilots:
        battle_agent(each)
    if not search_pilots:
        raise MatchError("a study needs a pilot for its searches")
    played_by = pilot or (search_pilots[0] if meta is None else None)
    field = replace(metagame_of(meta or FIELD, pilot=played_by, store=store), cards=before)
    return LocmSubject((field, replace(field, cards=patched)), (KIND,), tuple(search_pilots))


def _editions(patch: PatchLike, base: EditionLike | None) -> tuple[Edition, Edition]:
    before = edition_of(DEFAULT if base is None else base)
    if isinstance(patch, Edition):
        if patch.is_official:
            raise CardError(
                f"edition {show(patch.name)} is not a patched edition: give a patch, or an edition that a patch makes"
            )
        return before, patch
    if isinstance(patch, Patch):
        return before, before.patched(patch)
    return before, edition_of(Path(patch), base=None if base is None else before)
