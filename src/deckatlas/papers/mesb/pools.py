"""The exact number of legal decks by class and pool, and the distribution of their mana costs."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import AfterValidator, Field

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.kind import Report, ReportOptions, TextTable
from deckatlas.experiments.published import a_number, tables
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.decks import HERO_CLASSES
from deckatlas.games.hearthstone.cards.pools import POOLS
from deckatlas.games.hearthstone.spaces import HearthstoneDecks
from deckatlas.search.exact import decks_by_sum, number_of_decks
from deckatlas.shapes import nearest, show
from deckatlas.views.figures import colour, quiet

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

PUBLISHED = ("cards", "decks")
CLASSES = tuple(name.lower() for name in HERO_CLASSES)


def one_of(known: Sequence[str], name: str) -> str:
    """A name, refused if it is not a known one."""
    if name not in known:
        raise ValueError(f"unknown name {show(name)}: {nearest(name, known)}")
    return name


class Pools(ReportOptions):
    """The number of legal decks of each class and pool; nothing is played or sampled."""

    kind: Literal["pools"] = "pools"
    edition: str = Field(default="2018-12", description="The edition of the cards.")
    classes: tuple[Annotated[str, AfterValidator(partial(one_of, CLASSES))], ...] = Field(
        default=CLASSES, min_length=1, description="The classes."
    )
    pools: tuple[Annotated[str, AfterValidator(partial(one_of, POOLS))], ...] = Field(
        default=POOLS, min_length=1, description="The pools; costs are shown for the first one."
    )

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Checks that [published] has only a number of decks and a number of cards."""
        yield from tables(dict.fromkeys(PUBLISHED, a_number))(published, ("published",))

    def smoke(self) -> Self:
        """The same options, since the report takes only seconds."""
        return self

    def report(self, study: Study) -> Report:
        """The numbers, and the costs of all decks of the first pool."""
        spaces = {
            (name, pool): HearthstoneDecks(name, edition=self.edition, pool_name=pool)
            for name in self.classes
            for pool in self.pools
        }
        rows = [_row(name, pool, space, study.published) for (name, pool), space in spaces.items()]
        first = {name: decks_by_sum(spaces[name, self.pools[0]], "deck_mana_sum") for name in self.classes}
        costs = [
            {"class": name, "pool": self.pools[0], "mana_sum": total, "decks": str(decks)}
            for name, of_sums in first.items()
            for total, decks in of_sums.items()
        ]

        def draw(figure: "Figure") -> None:
            axes = figure.add_subplot()
            for number, (name, of_sums) in enumerate(first.items()):
                every = sum(of_sums.values())
                means = np.array(list(of_sums)) / spaces[name, self.pools[0]].size
                shares = [100 * (decks / every) for decks in of_sums.values()]
                axes.plot(means, shares, color=colour(number), label=name)
            title = f"All legal decks of the pool {self.pools[0]}, edition {self.edition}"
            quiet(axes, title=title, x="mean mana cost of a deck", y="% of all legal decks")
            axes.set_xlim(1.5, 6)
            axes.legend(frameon=False, ncols=2)

        notes = (
            "A deck has 30 cards, of its class or neutral, each at most twice, legendary cards at most once. Numbers "
            "are exact; nothing is sampled. Decks that differ only in the order of their cards are one deck.",
        )
        return Report({"pools": rows, "costs": costs}, (_table(rows, study.published),), notes, {"costs": draw})


def _row(name: str, pool: str, space: HearthstoneDecks, published: Mapping[str, Any]) -> dict[str, Any]:
    decks = number_of_decks(space)
    theirs = published.get("decks")
    return {
        "class": name,
        "pool": pool,
        "cards": space.length,
        "legendary_cards": int((space.numbers("num_legendary_cards") > 0).sum()),
        "decks": str(decks),
        "published": theirs,
        "times_published": None if theirs is None else decks / theirs,
    }


def _table(rows: Sequence[Mapping[str, Any]], published: Mapping[str, Any]) -> TextTable:
    theirs = ", ".join(f"{published[name]:.4g} {name}" for name in PUBLISHED if name in published)
    lines = tuple(
        (
            row["class"],
            row["pool"],
            str(row["cards"]),
            str(row["legendary_cards"]),
            f"{float(row['decks']):.4g}",
            row["decks"],
        )
        for row in rows
    )
    columns = ("class", "pool", "cards", "legendary", "decks", "exactly")
    return TextTable(f"Legal decks (published for a class: {theirs})" if theirs else "Legal decks", columns, lines)
