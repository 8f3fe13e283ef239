"""Which card of an archetype to change: patterns over the elites, and one card that most of them share.

The paper found its cards by Apriori over the elites of each archetype, and weakened "one card shared by the majority of
individuals". It does not say which of several; this chooses the one that most elites have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deckatlas.experiments.kind import TextTable
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.patterns.patterns import Pattern, patterns_of
from deckatlas.patterns.sources import weighed_by_run
from deckatlas.patterns.weighed_decks import WeighedDecks
from deckatlas.runs.inclusion import PlacedDecks

MAJORITY = 0.5
_NONE = "none"
_CARDS = 5  # of a set, in the table


@dataclass(frozen=True)
class Shared:
    """What most elites share.

    Attributes:
        cards: The cards that most of them have, as patterns of one card, the commonest first.
        sets: The largest sets of two cards or more that most of them have, the weightiest first.
    """

    cards: tuple[Pattern, ...]
    sets: tuple[Pattern, ...]

    @classmethod
    def of(cls, trials: Sequence[PlacedDecks], space: HearthstoneDecks) -> "Shared":
        """What most elites of these maps over one space share; all maps count the same."""
        decks = _weighed(trials, space)
        single = patterns_of(decks, support=MAJORITY, only_maximal=False, longest=1)
        cards = sorted(single, key=lambda each: (-each.support.value, -(each.lift or 0.0), each.names))
        sets = (each for each in patterns_of(decks, support=MAJORITY) if each.size > 1)
        return cls(tuple(cards), tuple(sets))

    @property
    def chosen(self) -> Pattern | None:
        """The card to change; None if no card is in most elites."""
        return self.cards[0] if self.cards else None


@dataclass(frozen=True)
class CardChoice:
    """What the elites of an archetype share, over all trials together and in each alone.

    Attributes:
        archetype: The name of the archetype.
        together: Over all trials.
        trials: For each trial alone, by its number, as in the paper, which has one run.
        published: The cards that the paper names for this archetype, the commonest first.
    """

    archetype: str
    together: Shared
    trials: Mapping[int, Shared]
    published: tuple[str, ...]

    @classmethod
    def of(
        cls,
        archetype: str,
        trials: Mapping[int, PlacedDecks],
        space: HearthstoneDecks,
        published: Mapping[str, float],
    ) -> "CardChoice":
        """The choice over the elites of these trials, and the published shares of cards among those of the paper."""
        named = tuple(sorted(published, key=lambda card: -published[card]))
        alone = {number: Shared.of([decks], space) for number, decks in trials.items()}
        return cls(archetype, Shared.of([*trials.values()], space), alone, named)


def choice_rows(choices: Sequence[CardChoice]) -> Iterator[dict[str, Any]]:
    """One row per pattern of an archetype; those of all trials together have no number of a trial."""
    for choice in choices:
        for trial, shared in ((None, choice.together), *choice.trials.items()):
            for pattern in (*shared.cards, *shared.sets):
                yield {
                    "archetype": choice.archetype,
                    "trial": trial,
                    "cards": str(pattern),
                    "is_chosen": pattern is shared.chosen,
                    **pattern.support.in_percent().cells("support"),
                    "expected": None if pattern.expected is None else 100 * pattern.expected,
                    "lift": pattern.lift,
                }


def choices_table(choices: Sequence[CardChoice]) -> TextTable:
    """The card to change by all trials and by each alone, the weightiest set of cards, and the paper's cards."""
    lines = tuple(
        (
            choice.archetype,
            *_card(choice.together.chosen),
            _set(choice.together.sets),
            ", ".join(_short(shared.chosen) for shared in choice.trials.values()),
            ", ".join(choice.published) or _NONE,
        )
        for choice in choices
    )
    whole = ("card to change", "in elites % [95 %]", "times random decks", "weightiest set")
    title = "Cards that most elites share before the patch, as patterns name them"
    return TextTable(title, ("archetype", *whole, "by each trial alone", "in the paper"), lines)


def _weighed(trials: Sequence[PlacedDecks], space: HearthstoneDecks) -> WeighedDecks:
    """The decks of some maps over one space, the cards by their costs; every map has the same weight."""
    known = space.edition.by_id
    order = sorted(range(space.length), key=lambda at: (known[card := space.ids[at]].cost, known[card].name, card))
    names = {space.ids[at]: known[space.ids[at]].name for at in order}
    free = None if space.has_constraints else space
    return weighed_by_run([decks.copies[:, order] for decks in trials], names, [free] * len(trials))


def _card(chosen: Pattern | None) -> tuple[str, str, str]:
    if chosen is None:
        return _NONE, "", ""
    return str(chosen), chosen.support.in_percent().text(1), "" if chosen.lift is None else f"{chosen.lift:.1f}"


def _short(pattern: Pattern | None) -> str:
    return _NONE if pattern is None else f"{pattern} {100 * pattern.support.value:.0f} %"


def _set(sets: Sequence[Pattern]) -> str:
    if not sets:
        return _NONE
    lines, more = sets[0].lines[:_CARDS], len(sets[0].lines) - _CARDS
    names = [*lines, f"{more} more"] if more > 0 else lines
    return f"{', '.join(names)}: {100 * sets[0].support.value:.0f} %"
