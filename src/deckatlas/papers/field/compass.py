"""The compass: the field with equal pilots on both sides, beside what people know about it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.experiments.findings import FAILS, HOLDS, Claim
from deckatlas.experiments.kind import Report, ReportOptions
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.cards.library import field_decks, library
from deckatlas.games.hearthstone.profiles import FAIR
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.papers.decks.deck_round import DeckRound, Rules, TableDeck
from deckatlas.papers.drafts.fresh_games import rate_of_cells
from deckatlas.papers.field.compass_figures import draw_matrix, draw_strengths
from deckatlas.papers.field.compass_tables import compass_tables
from deckatlas.papers.field.entrants import (
    archetype,
    deck_complaints,
    deck_row,
    decks_called,
    pilot_complaints,
    store_name,
)
from deckatlas.papers.field.knowledge import STRONG, WEAK, Knowledge, KnownMatchup, complaints
from deckatlas.stats.samples import bootstrapped_correlation, kendall, spearman

Row = Mapping[str, Any]

CORRELATIONS = {"spearman": spearman, "kendall": kendall}
_SMOKE_DECKS = 6


class Compass(ReportOptions):
    """All decks of the field against each other, every deck with the same pilot."""

    kind: Literal["compass"] = "compass"
    pilot: str = Field(default="search", description="The agent that plays every deck.")
    edition: str = Field(default="classic-2014", description="The edition of the cards, or a file with a patch.")
    decks: tuple[str, ...] = Field(
        default_factory=lambda: tuple(each.name for each in field_decks()),
        min_length=2,
        description="The names of the decks, one for each archetype (default: the field).",
    )
    games: int = Field(default=400, ge=2, multiple_of=2, description="Games per pair, half of them in each seat.")
    samples: int = Field(default=2000, ge=100, description="The number of bootstrap samples.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about the pilot, the edition, the decks, and what is said to be known."""
        yield from complaints(published, {each.archetype for each in library().values() if each.archetype})
        yield from pilot_complaints(self.pilot, ("report", "pilot"))
        yield from deck_complaints(self.edition, self.decks, "decks")
        names = list(map(archetype, decks_called(self.decks)))
        for name in {name for name in names if names.count(name) > 1}:
            yield Complaint((("report", "decks"),), f"two decks are {name}: the field has one list per archetype")

    def smoke(self) -> Self:
        """A few decks, and two games per pair."""
        small = {"decks": self.decks[:_SMOKE_DECKS], "games": min(self.games, 2), "samples": 100}
        return self.model_copy(update=small)

    def report(self, study: Study) -> Report:
        """The matrix, strengths against the field, the known matchups, and the order beside the reported one."""
        decks = decks_called(self.decks)
        names = list(map(archetype, decks))
        entries = [OpponentTable(deck=str(each.deck), pilot=self.pilot) for each in decks]
        players = [TableDeck(name, name, "", entry) for name, entry in zip(names, entries, strict=True)]
        rules = Rules(self.edition, FAIR.name)
        name = store_name([self.pilot], players, edition=self.edition, games=self.games, seed=study.seed)
        played = DeckRound.played(study, name, players, rules, games=self.games)
        known = Knowledge.of(study.published, names)
        strengths = list(_strength_rows(played, known))
        matchups = list(_matchup_rows(played, known.matchups))
        agreement = list(_agreement_rows(matchups))
        order = list(self._order_rows(strengths, known, study))
        rates = played.rates()
        return Report(
            rows={
                "rates": rates,
                "strengths": strengths,
                "matchups": matchups,
                "agreement": agreement,
                "order": order,
                "decks": list(map(deck_row, decks)),
            },
            tables=tuple(compass_tables(rates, strengths, matchups, agreement, order)),
            notes=self._notes(known),
            figures={
                "matrix": lambda figure: draw_matrix(figure, rates, strengths, matchups),
                "strengths": lambda figure: draw_strengths(figure, strengths),
            },
        )

    def _order_rows(self, strengths: Sequence[Row], known: Knowledge, study: Study) -> Iterator[dict[str, Any]]:
        """Rank correlations of our order with the reported one: of all archetypes, and of those with a number."""
        ours = {row["archetype"]: row["won"] for row in strengths}
        for title, theirs in (("all", known.order), ("with a reported strength", known.strength)):
            if len(theirs) < 3:
                continue
            x, y = (np.array([of[name] for name in theirs]) for of in (theirs, ours))
            row: dict[str, Any] = {"archetypes": title, "n": len(theirs)}
            for name, correlation in CORRELATIONS.items():
                rng = study.rng(f"{name} {title}")
                row |= bootstrapped_correlation(x, y, rng, correlation=correlation, samples=self.samples).cells(name)
            yield row

    def _notes(self, known: Knowledge) -> tuple[str, ...]:
        return (
            f"Every deck has the pilot {self.pilot}; edition {self.edition}, profile {FAIR.name}. {self.games:,} games "
            "per pair of decks, each seed played twice with seats swapped; all pairs play the same seeds.",
            "Intervals are 95 % intervals over pairs of games (strengths: over seeds), valid for exactly these lists "
            "and this pilot. A game that nobody won counts for the side that moved second; each side moves second in "
            "half of the games.",
            "A known matchup points the right way if the favoured side won more than half of its games; exactly half "
            "is not enough. It does so, or does not, beyond doubt if the whole interval is on that side of one half.",
            "Our order is by the share of all games that a deck won against the others. Spearman's correlation is that "
            "of the ranks, where equals share the mean of their ranks; Kendall's is tau-b, over all pairs of decks.",
            f"Reported strengths are known for {len(known.strength)} archetypes; {len(known.weaker)} others are weaker "
            "than these, in no known order, and share the lowest rank. Intervals of rank correlations are from a "
            f"bootstrap over archetypes ({self.samples:,} samples).",
        )


# ---- rows ----------------------------------------------------------------------------------------------------------


def _strength_rows(played: DeckRound, known: Knowledge) -> Iterator[dict[str, Any]]:
    """Every archetype against all others, the best first, with what was reported."""
    for row in played.averages():
        name = row["agent"]
        yield {
            "archetype": name,
            "rank": row["rank"],
            **rate_of_cells(row, "average").cells("won", n="won_games"),
            "reported": known.strength.get(name),
            "is_weaker": name in known.weaker,
        }


def _matchup_rows(played: DeckRound, matchups: Sequence[KnownMatchup]) -> Iterator[dict[str, Any]]:
    """The known matchups: how often the favoured side won, and whether that agrees."""
    numbers = {player.name: number for number, player in enumerate(played.players)}
    for one in matchups:
        rate = played.result.rate(numbers[one.favoured], numbers[one.against]).in_percent()
        claim = Claim(f"{one.favoured} beats {one.against}", "games won, %", rate, mark=50)
        yield {
            "favoured": one.favoured,
            "against": one.against,
            "known": one.strength,
            **rate.cells("won", n="won_games"),
            "agrees": rate.value > 50,
            "verdict": claim.verdict,
        }


def _agreement_rows(matchups: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """How many of the known matchups point the right way, and how many do so beyond doubt; the clear ones apart."""
    for title, strengths in (("clear or extreme", STRONG), ("slight", WEAK)):
        own = [row for row in matchups if row["known"] in strengths]
        if own:
            decided = {verdict: sum(row["verdict"] == verdict for row in own) for verdict in (HOLDS, FAILS)}
            yield {
                "known": title,
                "matchups": len(own),
                "agree": sum(row["agrees"] for row in own),
                "agree_beyond_doubt": decided[HOLDS],
                "disagree_beyond_doubt": decided[FAILS],
            }
