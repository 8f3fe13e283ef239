"""The charts of a balance study: which there are, what they are called, and which answers they show."""

from collections.abc import Mapping
from dataclasses import dataclass

from deckatlas.balancing.field_games import CLASS, DECK
from deckatlas.balancing.record import Answer, MeanMap, StudyRecord, Verdict
from deckatlas.balancing.trial_questions import CARD_IN_MIX, DECK_IN_MIX, ELITES, FOUND, MIX
from deckatlas.errors import RunError
from deckatlas.shapes import nearest, show
from deckatlas.views.columns import axis_of

MAPS, MATRIX = "maps", "matrix"
FULL_DIFFERENCE = 0.25  # of rates, with the full colour


@dataclass(frozen=True)
class Shifts:
    """A chart of numbers before and after.

    Attributes:
        title: Its title; `{several}` is what the players of a game bring, such as decks.
        topics: The topics of its answers.
        sample: What its numbers are averages over.
    """

    title: str
    topics: tuple[str, ...]
    sample: str

    def answers(self, verdict: Verdict) -> list[Answer]:
        """Its answers, those that gain most first: only shares, which fit on one axis."""
        found = [each for each in verdict.sentences if each.topic in self.topics and each.after.is_share]
        return sorted(found, key=lambda each: -(each.difference.value or 0.0))


SHIFTS: Mapping[str, Shifts] = {
    "decks": Shifts("Known {several} against the field", (DECK,), "games"),
    "classes": Shifts("Classes against the field", (CLASS,), "games"),
    "found": Shifts("The best {several} found, and elites", (FOUND, ELITES), "trials"),
    "mix": Shifts("Shares of the mix", (MIX, CARD_IN_MIX, DECK_IN_MIX), "trials"),
}
CHARTS = (*SHIFTS, MAPS, MATRIX)


@dataclass(frozen=True)
class Chart:
    """A chart that a study has.

    Attributes:
        what: One of `CHARTS`.
        title: Its title.
        topics: The topics of its answers, if it shows numbers before and after.
        search: Of maps: the search that they are of, if the study has several.
        axes: Of maps: the names of both axes.
    """

    what: str
    title: str
    topics: tuple[str, ...] = ()
    search: str = ""
    axes: tuple[str, ...] = ()


def charts_of(record: StudyRecord) -> list[Chart]:
    """All charts of a study that have something to show; none before its verdict."""
    verdict = record.verdict
    if verdict is None:
        return []
    found = [
        Chart(what, each.title.format(several=record.several), each.topics)
        for what, each in SHIFTS.items()
        if each.answers(verdict)
    ]
    for each in verdict.maps:
        name = map_name(each, verdict) if len(verdict.maps) > 1 else ""
        title = f"The map of {map_name(each, verdict)}, before and after"
        found.append(Chart(MAPS, title, search=name, axes=tuple(axis_of(words) for words in each.measures)))
    return [*found, Chart(MATRIX, "Who beats whom")]


def map_name(of: MeanMap, verdict: Verdict) -> str:
    """What a map of a study is called: its search, with the pilot if there are several."""
    several = len({each.pilot for each in verdict.maps}) > 1
    return f"{of.search}/{of.pilot}" if several else of.search


def maps_of(verdict: Verdict, search: str = "") -> list[MeanMap]:
    """The maps of a study, or those of one search.

    Raises:
        RunError: If there are none.
    """
    names = {map_name(each, verdict): each for each in verdict.maps}
    if not names:
        raise RunError("there is nothing to draw: this study searched no decks")
    if search and search not in names:
        raise RunError(f"this study has no search {show(search)}: {nearest(search, names)}")
    return [names[search]] if search else verdict.maps


def verdict_of(record: StudyRecord) -> Verdict:
    """The verdict of a study.

    Raises:
        RunError: If it has none yet.
    """
    if record.verdict is None:
        raise RunError(f"the study of {record.patch} has no verdict yet")
    return record.verdict
