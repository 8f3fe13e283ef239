"""What trials say about a patch: found decks, cards among elites, places on the map, cells, and the mix."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from deckatlas.balancing.pattern_questions import pattern_shares
from deckatlas.balancing.questions import CARDS, CELLS, MIXED, MIXES, PATTERNS, SEARCHES, Question, over_trials
from deckatlas.balancing.subject import BASE, DECKS, SIDES, Floats, FoundMap, Words
from deckatlas.balancing.trials import Half, SearchKey, Trial
from deckatlas.stats.means import RATE_STEP, SHARE_STEP

FOUND, ELITES, INCLUSION, CENTRE, FILLED = "found decks", "elites", "inclusion", "centre", "filled cells"
MIX, CARD_IN_MIX, DECK_IN_MIX, VARIETY = "mix", "card in mix", "deck in mix", "variety"
PATTERN, CELL = "pattern", "cell"

_COMMON = 0.15  # the mean share of elites that a card needs to be asked about
_MIXED = 0.02  # the mean share of the mix that a deck needs
_CENTRE_PART = 0.02  # of the range of a measure: the step and, twice, the margin of a centre
_LEAST_TRIALS = 3


@dataclass(frozen=True)
class _Kind:
    """A kind of number: what counts as a small shift of one trial, what as none, and how it is written."""

    step: float
    margin: float
    is_share: bool = True
    is_part: bool = False  # see `over_trials`
    unit: str = ""


_RATE = _Kind(RATE_STEP, 0.01)
_SHARE = _Kind(SHARE_STEP, 0.05, is_part=True)
_OFTEN = _Kind(0.5, 0.05, is_part=True)  # of yes and no, once per trial


@dataclass(frozen=True)
class TrialEvidence:
    """The trials of a study, and what is asked of them.

    Attributes:
        trials: The trials.
        changed: The cards that the patch changes.
        classes: The classes of decks, in the order in which they are reported.
        games: The games of one trial, under both editions.
        evaluation_games: The games of each deck of a search.
        words: What sentences call decks.
    """

    trials: tuple[Trial, ...]
    changed: tuple[str, ...]
    classes: tuple[str, ...]
    games: int
    evaluation_games: int
    words: Words = DECKS

    def questions(self) -> Iterator[Question]:
        """All questions."""
        for key in self.trials[0].halves[0].maps:
            yield from self._of_search(key)
        for name in self.classes:
            number = f"the share of {name.title()} in the equilibrium mix"
            shares = self._by_side(partial(Half.class_share, name=name))
            yield self._question(MIX, name.title(), number, shares, _SHARE, family=MIXES)
        for card in self.changed:
            number = self.words.inclusion_in_mix.format(card=card)
            shares = self._by_side(partial(Half.card_share, card=card))
            yield self._question(CARD_IN_MIX, card, number, shares, _SHARE, family=MIXES)
        number = f"the effective number of {self.words.several} in the equilibrium mix"
        varieties = self._by_side(lambda half: half.variety)
        kind = _Kind(0.25, 0.5, is_share=False, unit=self.words.several)
        yield self._question(VARIETY, "the field", number, varieties, kind, family=MIXES)
        yield from self._mixed_decks()

    def _mixed_decks(self) -> Iterator[Question]:
        """The decks that the mix of either edition has; as for cards, which ones follows from both together."""
        shares = [[trial.halves[side].deck_shares(self.words) for trial in self.trials] for side in SIDES]
        for name in shares[BASE][0]:
            held = [np.array([each[name] for each in side]) for side in shares]
            if np.mean(held) >= _MIXED:
                number = f"the share of {name} in the equilibrium mix"
                yield self._question(DECK_IN_MIX, name, number, held, _SHARE, family=MIXED)

    def _of_search(self, key: SearchKey) -> Iterator[Question]:
        words, place = self._in_words(key), key[0].title()
        best = f"the best {words} {self.words.several} found"
        numbers: tuple[tuple[str, str, Callable[[Half], float], _Kind], ...] = (
            (FOUND, f"the win rate of {best}", partial(Half.found_rate, key=key), _RATE),
            (ELITES, f"the mean win rate of {words} elites", lambda half: half.maps[key].mean_rate, _RATE),
            (FILLED, f"the share of cells with {words} elites", lambda half: half.maps[key].filled, _SHARE),
        )
        for topic, number, of_half, kind in numbers:
            yield self._question(topic, place, number, self._by_side(of_half), kind, place=place)
        for card in self._cards_to_ask(key):
            number = self.words.inclusion.format(elites=f"{words} elites", card=card)
            shares = [np.array([found.inclusion(card) for found in side]) for side in self._maps(key)]
            family = SEARCHES if card in self.changed else CARDS
            yield self._question(INCLUSION, card, number, shares, _SHARE, place=place, family=family)
        for card in self.changed:
            yield from self._centres(key, card, words)
        for pattern, held in pattern_shares(self._maps(key)):
            number = f"the share of {words} elites with {pattern}"
            yield self._question(PATTERN, pattern, number, held, _SHARE, place=place, family=PATTERNS)
        yield from self._cells(key, words)

    def _cards_to_ask(self, key: SearchKey) -> list[str]:
        """The changed cards that decks can have, and other cards that many elites have under either edition.

        Which cards are common follows from both editions together, so that a rise is as likely as a fall.
        """
        maps = [found for side in self._maps(key) for found in side]
        known = dict.fromkeys(card for found in maps for card in found.cards)
        mean = {card: float(np.mean([found.inclusion(card) for found in maps])) for card in known}
        common = (card for card in known if card not in self.changed and mean[card] >= _COMMON)
        return [card for card in self.changed if card in known] + sorted(common, key=lambda card: -mean[card])

    def _centres(self, key: SearchKey, card: str, words: str) -> Iterator[Question]:
        """Where the elites with a card are, over the trials that have such elites under both editions."""
        first = self.trials[0].halves[0].maps[key]
        centres = [[half.maps[key].centre(card) for half in trial.halves] for trial in self.trials]
        both = np.array([pair for pair in centres if all(each is not None for each in pair)])
        if len(both) < _LEAST_TRIALS:
            return
        for at, (name, (low, high)) in enumerate(zip(first.names, first.ranges, strict=True)):
            step = _CENTRE_PART * (high - low)
            number = f"the {name} of {words} elites with {card}"
            kind = _Kind(step, 2 * step, is_share=False)
            place = f"{key[0].title()}, {name}"
            yield self._question(CENTRE, card, number, [both[:, side, at] for side in SIDES], kind, place=place)

    def _cells(self, key: SearchKey, words: str) -> Iterator[Question]:
        """Whether each cell is filled more or less often, and whether its elites are better or worse."""
        rates = np.array([[rates_by_cell(found) for found in side] for side in self._maps(key)])
        filled = ~np.isnan(rates)
        first = self.trials[0].halves[BASE].maps[key]
        # Win rates of single elites are few different numbers, so trials agree by chance: a step is one game.
        of_elites = _Kind(1 / self.evaluation_games, _RATE.margin)
        for cell in np.flatnonzero(filled.any(axis=(0, 1))).tolist():
            subject, often = cell_name(key, first.place(cell)), filled[:, :, cell]
            where = f"{words} elites with {first.bounds(cell)}"
            if not often.all():
                number = f"how often searches find {where}"
                sides = list(often.astype(np.float64))
                yield self._question(CELL, subject, number, sides, _OFTEN, place="filled", family=CELLS)
            both = often.all(axis=0)
            if both.sum() >= _LEAST_TRIALS:
                number = f"the win rate of {where}"
                sides = list(rates[:, both, cell])
                yield self._question(CELL, subject, number, sides, of_elites, place="win rate", family=CELLS)

    def _in_words(self, key: SearchKey) -> str:
        """A search in words: its kind, and its pilot if there are several."""
        kind, pilot = self.words.of_kind(key[0]), key[1]
        several = len({each for _, each in self.trials[0].halves[0].maps}) > 1
        return f"{kind} ({pilot})" if several else kind

    def _maps(self, key: SearchKey) -> list[list[FoundMap]]:
        """The maps of a search, by edition and trial."""
        return [[trial.halves[side].maps[key] for trial in self.trials] for side in SIDES]

    def _by_side(self, number: Callable[[Half], float]) -> list[Floats]:
        """A number of each trial, by edition."""
        return [np.array([number(trial.halves[side]) for trial in self.trials]) for side in SIDES]

    def _question(
        self,
        topic: str,
        subject: str,
        number: str,
        values: Sequence[Floats],
        kind: _Kind,
        *,
        place: str = "",
        family: str = SEARCHES,
    ) -> Question:
        before, after = values
        one, other, shift = over_trials(before, after, step=kind.step, is_share=kind.is_share, is_part=kind.is_part)
        rests_on = f"{len(before)} trials of the search"
        margin = kind.margin
        parts = tuple(after.tolist()) if kind.is_part else ()
        return Question(
            topic, subject, number, one, other, shift, rests_on, margin, family, kind.unit, place, self.games, parts
        )


def cell_name(key: SearchKey, place: Sequence[int]) -> str:
    """The subject of questions about a cell: its search, and its place along each measure."""
    return f"{key[0]} {key[1]} cell {', '.join(map(str, place))}"


def rates_by_cell(found: FoundMap) -> Floats:
    """The win rate of the elite of each cell; not a number (nan) where there is none."""
    rates = np.full(int(np.prod(found.shape)), np.nan)
    rates[found.cell] = found.win_rate
    return rates
