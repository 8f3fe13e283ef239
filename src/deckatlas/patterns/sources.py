"""Where patterns are found: the elites of runs, or the decks of an equilibrium mix, with the pools behind them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.metagame.analysis import Analysis
from deckatlas.patterns.patterns import SUPPORT, Patterns, patterns_of
from deckatlas.patterns.regions import Region, region_of
from deckatlas.patterns.weighed_decks import Replicas, WeighedDecks
from deckatlas.runs.elites import Elite
from deckatlas.runs.view import RunView, open_run
from deckatlas.search.deck_space import Counts, DeckSpace
from deckatlas.search.evaluation import Floats
from deckatlas.search.exact import shares_with

_CONSTRAINED = "decks of this search keep to constraints, and only decks without them are counted"


@dataclass(frozen=True)
class PoolExpectation:
    """What is expected of random decks, if each deck is replaced by a random legal one of its own space.

    Attributes:
        cards: The cards of the questions, in the order of their columns.
        spaces: The spaces with their shares of the decks.
    """

    cards: tuple[str, ...]
    spaces: tuple[tuple[DeckSpace[str], float], ...]

    def __call__(self, copies: Counts) -> Floats:
        """The shares of random decks that have at least these copies: one row of copies per question."""
        expected = np.zeros(len(copies))
        for space, share in self.spaces:
            place = {card: at for at, card in enumerate(space.ids)}
            known = [at for at, card in enumerate(self.cards) if card in place]
            asked = np.zeros((len(copies), space.length), np.uint8)
            asked[:, [place[self.cards[at]] for at in known]] = copies[:, known]
            is_possible = asked.sum(axis=1) == copies.sum(axis=1)  # no card of another space
            expected[is_possible] += share * shares_with(space, asked[is_possible])
        return expected


@checked
def find_patterns(
    source: RunView | Path | str | Sequence[RunView] | Analysis,
    *,
    support: float = SUPPORT,
    region: Region | str | Sequence[str] = (),
    only_maximal: bool = True,
    longest: int | None = None,
    most: int | None = None,
    distinct: bool = False,
) -> Patterns:
    """Finds sets of cards that many decks share: of the elites of maps, or of the equilibrium mix of a metagame.

    Args:
        source: A map or its file; several trials of one map; or the result of a metagame, such as
            `hearthstone.metagame("field")`, whose decks count by their shares of the mix.
        support: The share of the decks that have a pattern, at least.
        region: The part of a map to look at, such as "deck_mana_mean=2..3.5" or "cells=0..5,0..9", or several.
        only_maximal: Whether to leave out patterns that are part of another one.
        longest: The most cards of a pattern, counting copies; one with so many counts as maximal.
        most: How many patterns to return, the weightiest first; all by default.
        distinct: Whether to leave out patterns that share more than half of their cards with a weightier one.

    Raises:
        GameError: If the entrants of the metagame have no fixed decks.
        RunError: If there is no such run, it is not a map of decks, or no elite is in the region.
        SearchError: If a number is impossible, a column is unknown, or there are too many patterns.
    """
    if isinstance(source, Analysis):
        if region:
            raise RunError("a mix of decks has no regions: only maps have them")
        decks = decks_of_mix(source)
    else:
        decks = decks_of_runs(_views(source), _region(region))
    return patterns_of(decks, support=support, only_maximal=only_maximal, longest=longest, most=most, distinct=distinct)


def _views(source: RunView | Path | str | Sequence[RunView]) -> Sequence[RunView]:
    if isinstance(source, str | Path):
        return [open_run(source)]
    return [source] if isinstance(source, RunView) else source


def _region(given: Region | str | Sequence[str]) -> Region:
    if isinstance(given, Region):
        return given
    return region_of([given] if isinstance(given, str) else given)


def decks_of_runs(views: Sequence[RunView], region: Region = Region()) -> WeighedDecks:  # noqa: B008 - it cannot change
    """The elites of maps of decks that are in a region; every map has the same weight.

    Raises:
        RunError: If a run is not a map of decks, or no elite is in the region.
        SearchError: If a column is unknown.
    """
    if not views:
        raise RunError("there is no run to find patterns in")
    for view in views:
        check_decks(view)
    elites = [_elites(view, region) for view in views]
    genes = {gene.id: gene for view in views for gene in view.description.genes}
    by_cost = sorted(genes.values(), key=lambda gene: (int(gene.facts.get("cost", 0)), gene.name, gene.id))
    names = {gene.id: gene.name for gene in by_cost}
    decks = [_placed(view, found, tuple(names)) for view, found in zip(views, elites, strict=True)]
    measures = [name for name in views[0].measures if all(name in view.measures for view in views)]
    columns = {name: np.array([each.measures[name] for found in elites for each in found]) for name in measures}
    return weighed_by_run(decks, names, [view.deck_space() for view in views], columns)


def weighed_by_run(
    decks: Sequence[Counts],
    names: Mapping[str, str],
    spaces: Sequence[DeckSpace[str] | None],
    measures: Mapping[str, Floats] | None = None,
) -> WeighedDecks:
    """The decks of several runs together; every run has the same weight.

    Args:
        decks: For each run, the copies of cards: one row per deck.
        names: The cards, in the order of these columns, with their names.
        spaces: For each run, the space of its decks; None if its decks keep to constraints.
        measures: Numbers of all decks by name, one run after another.
    """
    by_run = _shares_by_run([len(rows) for rows in decks])
    free = [space for space in spaces if space is not None]
    is_known = len(free) == len(decks)
    cards = tuple(names)
    return WeighedDecks(
        cards=cards,
        counts=np.concatenate(decks),
        shares=by_run.mean(axis=0),
        names=names,
        measures=measures or {},
        expected=PoolExpectation(cards, _shares_of_spaces(free, [1 / len(decks)] * len(free))) if is_known else None,
        unknown="" if is_known else _CONSTRAINED,
        replicas=Replicas(by_run, "runs") if len(decks) > 1 else None,
    )


def check_decks(view: RunView) -> None:
    """Checks that a run is a map of decks.

    Raises:
        RunError: If it is not.
    """
    if not view.description.layout.deck_size:
        raise RunError(f"{view.name} has no patterns of cards: its solutions are not decks")
    if not view.has_archive:
        raise RunError(f"{view.name} has no archive, and so no elites to find patterns in")


def _elites(view: RunView, region: Region) -> list[Elite]:
    found = region.elites(view)
    if not found:
        raise RunError(
            f"no elite of {view.name} is in the region" if len(view.archive) else f"{view.name} has no elite"
        )
    return found


def _placed(view: RunView, elites: Iterable[Elite], cards: Sequence[str]) -> Counts:
    """The decks of elites with a column for each of these cards."""
    place = {card: at for at, card in enumerate(cards)}
    rows = np.array([each.solution for each in elites], np.uint8)
    counts = np.zeros((len(rows), len(cards)), np.uint8)
    counts[:, [place[gene.id] for gene in view.description.genes]] = rows
    return counts


def _shares_by_run(sizes: Sequence[int]) -> Floats:
    """For each run, the shares of all decks: equal for its own, none for others."""
    runs = np.arange(len(sizes))
    own = np.repeat(runs, sizes) == runs[:, np.newaxis]
    shares: Floats = own / own.sum(axis=1, keepdims=True)
    return shares


def _shares_of_spaces(
    spaces: Sequence[DeckSpace[str]], shares: Sequence[float]
) -> tuple[tuple[DeckSpace[str], float], ...]:
    """Each space once, with the sum of its shares."""
    by_space: dict[int, tuple[DeckSpace[str], float]] = {}
    for space, share in zip(spaces, shares, strict=True):
        by_space[id(space)] = space, by_space.get(id(space), (space, 0.0))[1] + share
    return tuple(each for each in by_space.values() if each[1] > 0)


def decks_of_mix(analysis: Analysis) -> WeighedDecks:
    """The decks of a metagame with their shares of the equilibrium mix.

    What is expected are random legal decks of the same classes, in the same shares.

    Raises:
        GameError: If the entrants of the metagame have no fixed decks.
    """
    decks, mix = analysis.metagame.deck_cards(), analysis.mix
    cards = tuple(dict.fromkeys(card for deck in decks for card in deck.cards))
    counts = np.array([[deck.cards.get(card, 0) for card in cards] for deck in decks], np.uint8)
    names = {card: deck.space.name_of(card) for deck in decks for card in deck.cards}
    return WeighedDecks(
        cards=cards,
        counts=counts,
        shares=mix.shares / mix.shares.sum(),
        names=names,
        expected=PoolExpectation(cards, _shares_of_spaces([deck.space for deck in decks], mix.shares.tolist())),
        replicas=Replicas(mix.drawn, "draws"),
    )
