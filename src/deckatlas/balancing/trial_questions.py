"""What trials say about a patch: found decks, cards among elites, places on the map, cells, and the mix."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from deckatlas.balancing.questions import CARDS, CELLS, MAIN, Question, over_trials
from deckatlas.balancing.subject import SIDES, Floats, FoundMap
from deckatlas.balancing.trials import Half, SearchKey, Trial

FOUND, ELITES, INCLUSION, CENTRE, FILLED = "found decks", "elites", "inclusion", "centre", "filled cells"
MIX, CARD_IN_MIX, VARIETY, CELL = "mix", "card in mix", "variety", "cell"

_RATE_MARGIN, _SHARE_MARGIN = 0.01, 0.05
_RATE_STEP, _SHARE_STEP, _VARIETY_STEP = 0.005, 0.05, 0.25
_VARIETY_MARGIN = 0.5
_CENTRE_PART = 0.02  # of the range of a measure: the step and, twice, the margin of a centre
_COMMON = 0.15  # the mean share of elites that a card needs to be asked about
_LEAST_TRIALS = 2

OfHalf = Callable[[Half], float]


@dataclass(frozen=True)
class TrialEvidence:
    """The trials of a study, and what is asked of them.

    Attributes:
        trials: The trials.
        changed: The cards that the patch changes.
        classes: The classes of decks, in the order in which they are reported.
        games: The games of one trial, under both editions.
    """

    trials: tuple[Trial, ...]
    changed: tuple[str, ...]
    classes: tuple[str, ...]
    games: int

    def questions(self) -> Iterator[Question]:
        """All questions."""
        for key in self.trials[0].halves[0].maps:
            yield from self._of_search(key)
        for name in self.classes:
            yield self._asked(
                MIX,
                name.title(),
                f"the share of {name.title()} in the equilibrium mix",
                lambda half, own=name: half.class_share(own),
                step=_SHARE_STEP,
                margin=_SHARE_MARGIN,
            )
        for card in self.changed:
            yield self._asked(
                CARD_IN_MIX,
                card,
                f"the share of the equilibrium mix with {card}",
                lambda half, own=card: half.card_share(own),
                step=_SHARE_STEP,
                margin=_SHARE_MARGIN,
            )
        yield self._asked(
            VARIETY,
            "the field",
            "the number of decks in the equilibrium mix, in effect,",
            lambda half: half.variety,
            step=_VARIETY_STEP,
            margin=_VARIETY_MARGIN,
            is_share=False,
            unit="decks",
        )

    def _of_search(self, key: SearchKey) -> Iterator[Question]:
        kind, words = key[0], in_words(key, self.trials[0])
        place = kind.title()
        rate = {"step": _RATE_STEP, "margin": _RATE_MARGIN, "place": place}
        yield self._asked(
            FOUND, place, f"the win rate of the best {words} decks found", lambda half: half.found_rate(key), **rate
        )
        yield self._asked(
            ELITES,
            place,
            f"the mean win rate of {words} elites",
            lambda half: float(half.maps[key].win_rate.mean()),
            **rate,
        )
        yield self._asked(
            FILLED,
            place,
            f"the share of cells with {words} elites",
            lambda half: half.maps[key].filled,
            step=_SHARE_STEP,
            margin=_SHARE_MARGIN,
            place=place,
        )
        for card in self._cards_to_ask(key):
            yield self._asked(
                INCLUSION,
                card,
                f"the share of {words} elites with {card}",
                lambda half, own=card: half.maps[key].inclusion(own),
                step=_SHARE_STEP,
                margin=_SHARE_MARGIN,
                family=MAIN if card in self.changed else CARDS,
                place=place,
            )
        for card in self.changed:
            yield from self._centres(key, card, words)
        yield from self._cells(key, words)

    def _cards_to_ask(self, key: SearchKey) -> list[str]:
        """The changed cards that decks can have, and other cards that many elites have under either edition.

        Which cards are common follows from both editions together, so that a rise is as likely as a fall.
        """
        known = dict.fromkeys(card for trial in self.trials for half in trial.halves for card in half.maps[key].cards)
        halves = [half for trial in self.trials for half in trial.halves]
        mean = {card: float(np.mean([half.maps[key].inclusion(card) for half in halves])) for card in known}
        own = [card for card in self.changed if card in known]
        return own + sorted(
            (card for card in known if card not in self.changed and mean[card] >= _COMMON), key=lambda card: -mean[card]
        )

    def _centres(self, key: SearchKey, card: str, words: str) -> Iterator[Question]:
        """Where the elites with a card are, over the trials that have such elites under both editions."""
        first = self.trials[0].halves[0].maps[key]
        centres = [[half.maps[key].centre(card) for half in trial.halves] for trial in self.trials]
        both = [np.array(pair) for pair in centres if all(each is not None for each in pair)]
        if len(both) < _LEAST_TRIALS:
            return
        for at, (name, (low, high)) in enumerate(zip(first.names, first.ranges, strict=True)):
            step = _CENTRE_PART * (high - low)
            before, after = (np.array([pair[side][at] for pair in both]) for side in SIDES)
            yield self._question(
                CENTRE,
                card,
                f"the mean {name} of {words} elites with {card}",
                (before, after),
                step=step,
                margin=2 * step,
                is_share=False,
                place=f"{key[0].title()}, {name}",
            )

    def _cells(self, key: SearchKey, words: str) -> Iterator[Question]:
        """Whether each cell is filled more or less often, and whether its elites are better or worse."""
        maps = [[half.maps[key] for half in trial.halves] for trial in self.trials]
        count = int(np.prod(maps[0][0].shape))
        filled = np.array([[np.isin(np.arange(count), found.cell) for found in pair] for pair in maps])
        rates = np.array([[rates_by_cell(found) for found in pair] for pair in maps])
        for cell in range(count):
            often = filled[:, :, cell]
            if not often.any():
                continue
            place = ", ".join(str(int(each)) for each in np.unravel_index(cell, maps[0][0].shape))
            if not often.all():
                before, after = (often[:, side].astype(float) for side in SIDES)
                yield self._question(
                    CELL,
                    f"{key[0]} cell {place}",
                    f"how often cell ({place}) of {words} has an elite",
                    (before, after),
                    step=0.5,
                    margin=_SHARE_MARGIN,
                    family=CELLS,
                    place="filled",
                )
            both = often.all(axis=1)
            if both.sum() >= _LEAST_TRIALS:
                yield self._question(
                    CELL,
                    f"{key[0]} cell {place}",
                    f"the win rate of {words} elites in cell ({place})",
                    (rates[both, 0, cell], rates[both, 1, cell]),
                    step=_RATE_STEP,
                    margin=_RATE_MARGIN,
                    family=CELLS,
                    place="win rate",
                )

    def _by_side(self, number: OfHalf) -> tuple[Floats, Floats]:
        before, after = (np.array([number(trial.halves[side]) for trial in self.trials]) for side in SIDES)
        return before, after

    def _asked(self, topic: str, subject: str, number: str, of_half: OfHalf, **options: object) -> Question:
        return self._question(topic, subject, number, self._by_side(of_half), **options)  # type: ignore[arg-type]

    def _question(
        self,
        topic: str,
        subject: str,
        number: str,
        values: Sequence[Floats],
        *,
        step: float,
        margin: float,
        is_share: bool = True,
        family: str = MAIN,
        unit: str = "",
        place: str = "",
    ) -> Question:
        before, after = values
        one, other, shift = over_trials(before, after, step=step, is_share=is_share)
        rests_on = f"{len(before)} trials of the search"
        return Question(topic, subject, number, one, other, shift, rests_on, margin, family, unit, place, self.games)


def rates_by_cell(found: FoundMap) -> Floats:
    """The win rate of the elite of each cell; not a number (nan) where there is none."""
    rates = np.full(int(np.prod(found.shape)), np.nan)
    rates[found.cell] = found.win_rate
    return rates


def in_words(key: SearchKey, trial: Trial) -> str:
    """A search in words: its kind, and its pilot if there are several."""
    kind, pilot = key
    several = len({each for _, each in trial.halves[0].maps}) > 1
    return f"{kind.title()} ({pilot})" if several else kind.title()
