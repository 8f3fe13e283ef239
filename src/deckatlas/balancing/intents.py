"""What a patch is meant to do, and whether it does: met, missed or undecided.

An intent is a sentence such as "hunter win rate in 48..52", "Zoo win rate at most 55", "Savannah Highmane in at most
40 % of hunter elites" or "warlock mix share at least 10". It names a number of the study and the range in which it
should be under the patch. It is *met* if the whole 95 % interval of the number is in the range, *missed* if the whole
interval is outside, and otherwise undecided: then it says how much more would decide it.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from deckatlas.balancing.enough import enough, is_decided, trials_to_meet
from deckatlas.balancing.field_games import CLASS, DECK
from deckatlas.balancing.questions import Question
from deckatlas.balancing.subject import DECKS, Words
from deckatlas.balancing.trial_questions import CARD_IN_MIX, FOUND, INCLUSION, MIX
from deckatlas.errors import MatchError
from deckatlas.shapes import nearest, show

MET, MISSED, UNDECIDED = "met", "missed", "undecided"
_MOST_TIMES = 1000  # as much as was played: beyond that nobody waits
_NUMBER = r"(\d+(?:\.\d+)?)"
_RANGE = rf"(?:in|between)\s+{_NUMBER}\s*(?:\.\.|to|and)\s*{_NUMBER}\s*%?|at\s+(most|least)\s+{_NUMBER}\s*%?"
_OF_ELITES = re.compile(r"^(?P<card>.+?)\s+in\s+(?P<range>.+?)\s+of\s+(?P<kind>\S.*?)\s+elites$", re.I)
_PLAIN = re.compile(rf"^(?P<who>.+?)\s+(?P<what>win\s+rate|mix\s+share)\s+(?P<range>{_RANGE})$", re.I)


@dataclass(frozen=True)
class Intent:
    """What a patch is meant to do.

    Attributes:
        text: The sentence as it was given.
        topics: What is asked about, as topics of questions; the first one that the study answers counts.
        subject: Whom it is about.
        place: The class of elites, for cards among them.
        low: The lowest number that is meant, a share of 1.
        high: The highest one.
    """

    text: str
    topics: tuple[str, ...]
    subject: str
    place: str
    low: float
    high: float

    def questions(self, asked: Sequence[Question]) -> tuple[Question, ...]:
        """The questions of a study that this is about: one, or one for each pilot if several search for such decks.

        Raises:
            MatchError: If the study does not ask any.
        """
        for topic in self.topics:
            found = tuple(each for each in asked if each.topic == topic and self._is_about(each))
            if found:
                return found
        raise MatchError(f"intent {show(self.text)}: this study does not measure this number")

    def hopeless_with(self, trials: int, *, option: str) -> str:
        """Why so few trials cannot meet it, in a sentence; empty if they can, or if it is about a win rate.

        Args:
            trials: The number of trials.
            option: What sets it, such as "--trials ".
        """
        if self.topics[0] not in (MIX, CARD_IN_MIX, INCLUSION):
            return ""
        needed = trials_to_meet(self.low, self.high)
        if needed is not None and needed <= trials:
            return ""
        how_many = "no number of trials can" if needed is None else f"{needed} can ({option}{needed})"
        return f'{trials} trials cannot meet "{self.text}", even if all agree: {how_many}.'

    def _is_about(self, question: Question) -> bool:
        return question.subject == self.subject and self.place in ("", question.place)


@dataclass(frozen=True)
class Outcome:
    """Whether a patch does what is meant.

    Attributes:
        intent: What is meant.
        question: The number it is about.
    """

    intent: Intent
    question: Question

    @property
    def verdict(self) -> str:
        """`met`, `missed` or `undecided`."""
        found, meant = self.question.after, self.intent
        if not is_decided(found, meant.low, meant.high):
            return UNDECIDED
        return MET if meant.low <= found.value <= meant.high else MISSED

    @property
    def more_games(self) -> int | None:
        """The further games that would decide it, if the number stays as it is; None if it is too close to an end."""
        if self.verdict != UNDECIDED:
            return 0
        found = self.question.after
        size = enough(found, self.question.trials, self.intent.low, self.intent.high)
        if size > _MOST_TIMES * found.n:
            return None
        return max(1, math.ceil(size - found.n)) * self.question.unit_games

    @property
    def text(self) -> str:
        """The outcome for people."""
        found = self.question.after
        number = f"{self.question.number} is {found.text(1)} under the patch ({self.question.rests_on})"
        sentence = f"{self.verdict.title()}: {self.intent.text}. {number[:1].upper()}{number[1:]}."
        if self.verdict != UNDECIDED:
            return sentence
        if self.more_games is None:
            return f"{sentence} It is so close to an end of the range that more games will hardly decide it."
        return f"{sentence} About {_rounded(self.more_games)} more games would decide it, if the number stays as it is."

    def to_json(self) -> dict[str, Any]:
        """The outcome as plain data."""
        return {
            "intent": self.intent.text,
            "verdict": self.verdict,
            "number": self.question.number,
            **self.question.after.cells("value", n="n", prefix=""),
            "wanted_low": self.intent.low,
            "wanted_high": self.intent.high,
            "more_games": self.more_games,
            "text": self.text,
        }


def outcomes_of(intent: Intent, asked: Sequence[Question], *, pilots: Sequence[str]) -> tuple[Outcome, ...]:
    """Whether a patch does what is meant: an outcome for each pilot, with its name, if several search for such decks.

    Args:
        intent: What is meant.
        asked: The questions of a study.
        pilots: The pilots of its searches, in the order of its questions.

    Raises:
        MatchError: If the study does not ask about it.
    """
    found = intent.questions(asked)
    if len(found) == 1:
        return (Outcome(intent, found[0]),)
    by_pilot = zip(pilots, found, strict=True)
    return tuple(Outcome(replace(intent, text=f"{intent.text} ({pilot})"), each) for pilot, each in by_pilot)


@dataclass(frozen=True)
class KnownNames:
    """What intents can be about: the names of a study.

    Attributes:
        decks: The known decks.
        classes: The classes.
        kinds: What is searched; empty if nothing is.
        cards: The changed cards.
        words: What sentences call decks.
    """

    decks: tuple[str, ...]
    classes: tuple[str, ...]
    kinds: tuple[str, ...]
    cards: tuple[str, ...]
    words: Words = DECKS

    def what(self, more: str, otherwise: str) -> str:
        """What a name stands for: a class with more words, or something else if there are no classes."""
        return f"class {more}" if self.classes else otherwise

    @property
    def examples(self) -> str:
        """Intents that could be meant."""
        who = self.classes[0].lower() if self.classes else self.decks[0]
        found = [f'"{who} win rate in 48..52"']
        if self.kinds and self.cards:
            found += [f'"{self.cards[0]} in at most 40 % of {self.kinds[0]} elites"']
            found += [f'"{self.cards[0]} mix share at most 40"']
        return ", ".join(found[:-1]) + (" or " if found[1:] else "") + found[-1]


def parse_intent(text: str, names: KnownNames) -> Intent:
    """Reads an intent.

    Raises:
        MatchError: If it cannot be read, or names something that the study does not have.
    """
    words = " ".join(text.split())
    of_elites = _OF_ELITES.match(words)
    if of_elites:
        wanted = of_elites["range"] if of_elites["range"].lower().startswith("at") else f"in {of_elites['range']}"
        card = _named(words, of_elites["card"], names.cards, "changed card")
        if not names.kinds:
            raise MatchError(f"intent {show(text)}: elites need a search; choose --effort normal or thorough")
        kind = _named(words, of_elites["kind"], names.kinds, names.what("that is searched", "search"))
        return Intent(text, (INCLUSION,), card, kind.title(), *_range(text, wanted, names))
    plain = _PLAIN.match(words)
    if plain is None:
        raise MatchError(f"intent {show(text)} cannot be read: write it like {names.examples}")
    ends = _range(text, plain["range"], names)
    who, about_mix = plain["who"], plain["what"].lower().startswith("mix")
    if about_mix:
        if not names.kinds:
            raise MatchError(f"intent {show(text)}: the mix needs searches; choose --effort normal or thorough")
        subject = _named(words, who, (*names.classes, *names.cards), names.what("or changed card", "changed card"))
        return Intent(text, (MIX, CARD_IN_MIX), subject.title() if subject in names.classes else subject, "", *ends)
    subject = _named(words, who, (*names.classes, *names.decks), names.what(f"or {names.words.one}", names.words.one))
    if subject in names.classes:
        return Intent(text, (FOUND, CLASS), subject.title(), "", *ends)
    return Intent(text, (DECK,), subject, "", *ends)


def _named(text: str, given: str, known: Sequence[str], what: str) -> str:
    for name in known:
        if _same(name, given):
            return name
    raise MatchError(f"intent {show(text)}: there is no {what} {show(given)}: {nearest(given, known)}")


def _range(text: str, words: str, names: KnownNames) -> tuple[float, float]:
    found = re.fullmatch(_RANGE, words, re.I)
    if found is None:
        raise MatchError(f"intent {show(text)} cannot be read: write it like {names.examples}")
    low, high, side, end = found.groups()
    ends = (float(low), float(high)) if low else (0.0, float(end)) if side.lower() == "most" else (float(end), 100.0)
    if not 0 <= ends[0] <= ends[1] <= 100:
        raise MatchError(f"intent {show(text)}: a range goes from a smaller to a larger percentage, 0 to 100")
    return ends[0] / 100, ends[1] / 100


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _rounded(games: int) -> str:
    """A number of games with two digits that count: it is only a forecast."""
    unit = 10 ** max(0, len(str(games)) - 2)
    return f"{round(games / unit) * unit:,}"
