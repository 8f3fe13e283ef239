"""The strength of pilots: each against one opponent with the same list on both sides, beside the CPU time they take."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import AgentError
from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, ReportOptions
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.agents import agent
from deckatlas.games.hearthstone.cards.library import NamedDeck, field_decks
from deckatlas.games.hearthstone.profiles import FAIR
from deckatlas.games.hearthstone.suite_file import OpponentTable
from deckatlas.papers.decks.deck_round import DeckRound, Rules, TableDeck
from deckatlas.papers.field.cpu_times import MOST_PLAYOUTS, Budget, Facts, Mirrors, kept_budget, kept_speeds, mcts
from deckatlas.papers.field.entrants import deck_complaints, deck_row, decks_called, store_name
from deckatlas.papers.field.strength_figures import draw_lists
from deckatlas.papers.field.strength_tables import strength_tables
from deckatlas.runs.config import ConfigTable
from deckatlas.search.batches import seed_of
from deckatlas.stats.estimate import Estimate

_WON = "games won, %"
_HALF = 50.0
_SMOKE_DECKS = 3
_SMOKE_PLAYOUTS = 20


class Goals(ConfigTable):
    """What a pilot should reach, in percent of games won."""

    overall: float | None = Field(default=None, description="Over all lists, against the opponent.")
    each_list: float | None = Field(default=None, description="With each single list, against the opponent.")
    against_mcts: float | None = Field(default=None, description="Over all lists, against mcts.")


@dataclass(frozen=True)
class Match:
    """A pilot's games against an opponent, list by list.

    Attributes:
        pilot: The pilot.
        opponent: Its opponent.
        decks: The lists, the same on both sides.
        games: Their games: pair k is the pilot and the opponent with list k.
    """

    pilot: str
    opponent: str
    decks: Sequence[NamedDeck]
    games: DeckRound

    def rate(self, number: int) -> Estimate:
        """The games that the pilot won with a list, in percent; the interval is over pairs of games."""
        return self.games.result.rate(*self.games.pairs[number]).in_percent()

    def overall(self) -> Estimate:
        """The games that the pilot won with all lists, in percent; all games of a seed are one outcome."""
        return self.games.result.together(self.games.pairs).in_percent()


class Strength(ReportOptions):
    """Pilots against an opponent with the same list on both sides, and against `mcts` with a multiple of their time."""

    kind: Literal["strength"] = "strength"
    pilots: tuple[str, ...] = Field(default=("default", "fast"), min_length=1, description="The pilots.")
    opponent: str = Field(default="search", description="The agent that each of them meets.")
    edition: str = Field(default="classic-2014", description="The edition of the cards, or a file with a patch.")
    decks: tuple[str, ...] = Field(
        default_factory=lambda: tuple(each.name for each in field_decks()),
        min_length=1,
        description="The names of the lists (default: the field).",
    )
    more_decks: tuple[str, ...] = Field(default=(), description="The names of further lists.")
    games: int = Field(default=2000, ge=2, multiple_of=2, description="Games per pilot and list, half in each seat.")
    speed_games: int = Field(
        default=8, ge=2, multiple_of=2, description="Games per list in which CPU time is measured."
    )
    speed_repeats: int = Field(default=5, ge=1, description="How often they are played; the best time counts.")
    mcts_games: int = Field(
        default=200, ge=0, multiple_of=2, description="Games per pilot and list against mcts; 0 leaves this part out."
    )
    mcts_multiple: float = Field(default=10.0, gt=0, description="The CPU time of mcts per turn, in times the pilot's.")
    mcts_playouts: int | None = Field(
        default=None, ge=1, le=MOST_PLAYOUTS, description="Its playouts; found by measuring CPU time if not given."
    )
    goals: dict[str, Goals] = Field(default_factory=dict, description="For pilots, what they should reach.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about pilots, the edition and the lists."""
        yield from super().complaints(published, runs)
        for number, spec in enumerate(self.pilots):
            yield from _agent_complaints(spec, ("report", "pilots", number), ("report", "pilots"))
        for spec in self.goals:
            yield from _agent_complaints(spec, ("report", "goals", spec), ("report", "goals"))
        yield from _agent_complaints(self.opponent, ("report", "opponent"))
        for spec in {spec for spec in self.pilots if self.pilots.count(spec) > 1}:
            yield Complaint((("report", "pilots"),), f"the pilot {spec} is there twice")
        if self.opponent in self.pilots:
            yield Complaint((("report", "pilots"), ("report", "opponent")), f"{self.opponent} would meet itself")
        yield from deck_complaints(self.edition, self.decks, "decks")
        yield from deck_complaints(self.edition, self.more_decks, "more_decks")
        names = [each.name for each in self._decks()]
        for name in {name for name in names if names.count(name) > 1}:
            yield Complaint((("report", "more_decks"), ("report", "decks")), f"the list {name} is there twice")

    def smoke(self) -> Self:
        """A few lists, two games with each, and few playouts, which are not measured."""
        small: dict[str, Any] = {"decks": self.decks[:_SMOKE_DECKS], "more_decks": self.more_decks[:1]}
        small |= {"games": 2, "speed_games": 2, "speed_repeats": 1, "mcts_games": min(self.mcts_games, 2)}
        return self.model_copy(update={**small, "mcts_playouts": self.mcts_playouts or _SMOKE_PLAYOUTS})

    def report(self, study: Study) -> Report:
        """Rates by list and over all, CPU times, the same against `mcts`, and whether the goals are reached."""
        decks = self._decks()
        matches = [self._match(study, decks, pilot, self.opponent, self.games) for pilot in self.pilots]
        speeds = self._speeds(study, decks)
        budgets: dict[str, Budget] = {}
        if self.mcts_games:
            budgets = {pilot: self._budget(study, decks, pilot) for pilot in self.pilots}
        against_mcts = [
            self._match(study, decks, pilot, mcts(budget.playouts), self.mcts_games)
            for pilot, budget in budgets.items()
        ]
        lists = [row for match in (*matches, *against_mcts) for row in _list_rows(match)]
        overall = [_overall_row(match) for match in (*matches, *against_mcts)]
        speed_rows = list(_speed_rows(speeds))
        budget_rows = [_budget_row(pilot, budget) for pilot, budget in budgets.items()]
        against_opponent = [row for row in lists if row["opponent"] == self.opponent]
        report = Report(
            rows={
                "overall": overall,
                "lists": lists,
                "speed": speed_rows,
                "mcts": budget_rows,
                "decks": list(map(deck_row, decks)),
            },
            tables=tuple(strength_tables(against_opponent, overall, speed_rows, budget_rows)),
            notes=tuple(self._notes()),
            figures={"lists": lambda figure: draw_lists(figure, against_opponent, opponent=self.opponent)},
        )
        findings = list(self._findings(matches, against_mcts))
        return with_findings(report, findings, digits=1, title="Goals, by our numbers", what="goal")

    def _match(self, study: Study, decks: Sequence[NamedDeck], pilot: str, opponent: str, games: int) -> Match:
        players = [
            TableDeck(f"{each.name}, {spec}", each.name, spec, OpponentTable(deck=str(each.deck), pilot=spec))
            for each in decks
            for spec in (pilot, opponent)
        ]
        name = store_name([pilot, opponent], players, edition=self.edition, games=games, seed=study.seed)
        pairs = [(2 * number, 2 * number + 1) for number in range(len(decks))]
        rules = Rules(self.edition, FAIR.name)
        return Match(pilot, opponent, decks, DeckRound.played(study, name, players, rules, games=games, pairs=pairs))

    def _mirrors(self, study: Study, decks: Sequence[NamedDeck]) -> Mirrors:
        seed = seed_of(study.seed, "CPU time")
        return Mirrors([each.deck for each in decks], self.edition, self.speed_games * len(decks), seed)

    def _speeds(self, study: Study, decks: Sequence[NamedDeck]) -> list[Facts]:
        """CPU times of the opponent and of all pilots, the opponent first."""
        pilots, mirrors = (self.opponent, *self.pilots), self._mirrors(study, decks)
        games = mirrors.games * self.speed_repeats * len(pilots)
        path = study.folder / f"{self._times_name(study, decks, pilots)} {self.speed_repeats} speeds.json"
        return kept_speeds(
            path, lambda: mirrors.speeds(pilots, repeats=self.speed_repeats), games=games, tally=study.tally
        )

    def _budget(self, study: Study, decks: Sequence[NamedDeck], pilot: str) -> Budget:
        """The playouts of `mcts` against a pilot, with the CPU times of both."""
        mirrors = self._mirrors(study, decks)
        wanted = f"{self.mcts_multiple:g} times" if self.mcts_playouts is None else f"{self.mcts_playouts} playouts"
        path = study.folder / f"{self._times_name(study, decks, [pilot])} mcts {wanted}.json"
        if self.mcts_playouts is None:
            return kept_budget(path, lambda: mirrors.fitted_budget(pilot, self.mcts_multiple), study.tally)
        playouts = self.mcts_playouts
        return kept_budget(path, lambda: mirrors.budget(pilot, playouts), study.tally)

    def _times_name(self, study: Study, decks: Sequence[NamedDeck], pilots: Sequence[str]) -> str:
        players = [
            TableDeck(each.name, each.name, "", OpponentTable(deck=str(each.deck), pilot=pilots[0])) for each in decks
        ]
        return store_name(pilots, players, edition=self.edition, games=self.speed_games, seed=study.seed)

    def _findings(self, matches: Sequence[Match], against_mcts: Sequence[Match]) -> Iterator[Finding]:
        for match in matches:
            goals = self.goals.get(match.pilot, Goals())
            if goals.overall is not None:
                yield Finding(f"{_title(match)}, overall", (_overall_claim(match, goals.overall),))
            if goals.each_list is not None:
                mark = goals.each_list
                claims = (_list_claim(match, number, mark) for number in range(len(match.decks)))
                yield Finding(f"{_title(match)}, no list below {mark:g} %", tuple(claims))
        for match in against_mcts:
            mark_for_mcts = self.goals.get(match.pilot, Goals()).against_mcts
            if mark_for_mcts is not None:
                yield Finding(f"{_title(match)}, overall", (_overall_claim(match, mark_for_mcts),))

    def _decks(self) -> list[NamedDeck]:
        return decks_called((*self.decks, *self.more_decks))

    def _notes(self) -> Iterator[str]:
        yield (
            f"Both sides have the same list; edition {self.edition}, profile {FAIR.name}. {self.games:,} games per "
            "pilot and list, each seed played twice with seats swapped; all lists and pilots play the same seeds."
        )
        yield (
            "Intervals are 95 % intervals over pairs of games (overall: over seeds), valid for exactly these lists. A "
            "game that nobody won counts for the side that moved second."
        )
        yield (
            f"CPU time: one thread, each pilot against itself, {self.speed_games} games per list, the best of "
            f"{self.speed_repeats} times, in which the pilots took turns. It includes the rules of the game."
        )
        if self.mcts_games:
            played = f"Against mcts: {self.mcts_games:,} games per list. "
            if self.mcts_playouts is None:
                played += (
                    f"Its playouts are those with which it takes about {self.mcts_multiple:g} times as long per turn. "
                )
            yield played + "Times per turn are CPU times of both in the same games."


def _agent_complaints(spec: str, *places: tuple[str | int, ...]) -> Iterator[Complaint]:
    """Complains about what is not an agent of ours: the CPU time of other programs is not measured."""
    try:
        agent(spec)
    except AgentError as error:
        yield Complaint(places, str(error))


# ---- claims and rows -------------------------------------------------------------------------------------------------


def _title(match: Match) -> str:
    return f"{match.pilot} against {match.opponent}"


def _overall_claim(match: Match, mark: float) -> Claim:
    return Claim(f"{match.pilot} beats {match.opponent}, all lists", _WON, match.overall(), mark=mark)


def _list_claim(match: Match, number: int, mark: float) -> Claim:
    return Claim(
        f"{match.pilot} beats {match.opponent}, {match.decks[number].name}", _WON, match.rate(number), mark=mark
    )


def _list_rows(match: Match) -> Iterator[dict[str, Any]]:
    """The lists of a match, the best first, and whether the pilot wins more than half of the games with them."""
    rows = [
        {
            "pilot": match.pilot,
            "opponent": match.opponent,
            "list": deck.name,
            "class": deck.deck.hero_class,
            "in_field": deck.in_field,
            **match.rate(number).cells("won", n="won_games"),
            "verdict": _list_claim(match, number, _HALF).verdict,
        }
        for number, deck in enumerate(match.decks)
    ]
    yield from sorted(rows, key=lambda row: -row["won"])


def _overall_row(match: Match) -> dict[str, Any]:
    rates = [match.rate(number).value for number in range(len(match.decks))]
    return {
        "pilot": match.pilot,
        "opponent": match.opponent,
        "lists": len(rates),
        **match.overall().cells("won", n="won_games"),
        "lowest": min(rates),
        "lists_below_half": sum(rate < _HALF for rate in rates),
    }


def _speed_rows(speeds: Sequence[Facts]) -> Iterator[dict[str, Any]]:
    """The speeds, and how many times as long as the first a pilot takes for a game and for a turn."""
    first = speeds[0]
    for each in speeds:
        yield {
            **each,
            "times_as_long_per_game": first["games_per_cpu_second"] / each["games_per_cpu_second"],
            "times_as_long_per_turn": each["cpu_ms_per_turn"] / first["cpu_ms_per_turn"],
        }


def _budget_row(pilot: str, budget: Budget) -> dict[str, Any]:
    return {
        "pilot": pilot,
        "playouts": budget.playouts,
        "cpu_ms_per_turn": budget.own_ms,
        "mcts_cpu_ms_per_turn": budget.mcts_ms,
        "times_as_long_per_turn": budget.multiple,
    }
