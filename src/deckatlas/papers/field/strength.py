"""The strength of pilots: each against one opponent with the same list on both sides, beside the CPU time they take."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

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
from deckatlas.papers.decks.deck_round import TableDeck
from deckatlas.papers.field.cpu_times import MOST_PLAYOUTS, Budget, Mirrors, PilotTimes, kept_budget, kept_speeds, mcts
from deckatlas.papers.field.entrants import deck_complaints, deck_row, decks_called, store_name
from deckatlas.papers.field.matches import WON, Match
from deckatlas.papers.field.strength_figures import draw_lists, draw_trade
from deckatlas.papers.field.strength_tables import strength_tables
from deckatlas.runs.config import ConfigTable
from deckatlas.search.batches import seed_of

Playouts = Annotated[int, Field(ge=1, le=MOST_PLAYOUTS)]

_HALF = 50.0
_SMOKE_DECKS = 3
_SMOKE_PLAYOUTS = 20


class Goals(ConfigTable):
    """What a pilot should reach: shares of games won in percent, and CPU time."""

    overall: float | None = Field(default=None, description="Over all lists, against the opponent.")
    each_list: float | None = Field(default=None, description="With each single list, against the opponent.")
    against_mcts: float | None = Field(default=None, description="Over all lists, against mcts.")
    times_opponent: float | None = Field(
        default=None, gt=0, description="The most CPU time per game, in times the opponent's."
    )
    games_per_cpu_second: float | None = Field(default=None, gt=0, description="The fewest games per CPU second.")


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
        default=40, ge=2, multiple_of=2, description="Games per list in which CPU time is measured."
    )
    speed_repeats: int = Field(default=6, ge=1, description="How often they are played; the best time counts.")
    mcts_games: int = Field(
        default=200, ge=0, multiple_of=2, description="Games per pilot and list against mcts; 0 leaves this part out."
    )
    mcts_multiple: float = Field(default=10.0, gt=0, description="The CPU time of mcts per turn, in times the pilot's.")
    mcts_playouts: dict[str, Playouts] = Field(
        default_factory=dict, description="For pilots, its playouts; found by measuring CPU time if not given."
    )
    goals: dict[str, Goals] = Field(default_factory=dict, description="For pilots, what they should reach.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about pilots, the edition and the lists."""
        yield from super().complaints(published, runs)
        for number, spec in enumerate(self.pilots):
            yield from _agent_complaints(spec, ("report", "pilots", number), ("report", "pilots"))
        for key in ("goals", "mcts_playouts"):
            for spec in getattr(self, key):
                yield from _agent_complaints(spec, ("report", key, spec), ("report", key))
        yield from _agent_complaints(self.opponent, ("report", "opponent"))
        for spec in {spec for spec in self.pilots if self.pilots.count(spec) > 1}:
            yield Complaint((("report", "pilots"),), f"the pilot {spec} is given more than once: name it once")
        if self.opponent in self.pilots:
            yield Complaint(
                (("report", "pilots"), ("report", "opponent")),
                f"the opponent {self.opponent} cannot also be in pilots: it would play against itself",
            )
        yield from deck_complaints(self.edition, self.decks, "decks")
        yield from deck_complaints(self.edition, self.more_decks, "more_decks")
        names = [each.name for each in self._decks()]
        for name in {name for name in names if names.count(name) > 1}:
            yield Complaint(
                (("report", "more_decks"), ("report", "decks")),
                f"the list {name} is given more than once: name it once",
            )

    def smoke(self) -> Self:
        """A few lists, two games with each, and few playouts, which are not measured."""
        small: dict[str, Any] = {"decks": self.decks[:_SMOKE_DECKS], "more_decks": self.more_decks[:1]}
        small |= {"games": 2, "speed_games": 2, "speed_repeats": 1, "mcts_games": min(self.mcts_games, 2)}
        playouts = {**dict.fromkeys(self.pilots, _SMOKE_PLAYOUTS), **self.mcts_playouts}
        return self.model_copy(update={**small, "mcts_playouts": playouts})

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
        trade = list(_trade_rows(overall[: len(matches)], speed_rows))
        budget_rows = [_budget_row(pilot, budget) for pilot, budget in budgets.items()]
        against_opponent = [row for row in lists if row["opponent"] == self.opponent]
        report = Report(
            rows={
                "overall": overall,
                "lists": lists,
                "speed": speed_rows,
                "trade": trade,
                "mcts": budget_rows,
                "decks": list(map(deck_row, decks)),
            },
            tables=tuple(strength_tables(against_opponent, overall, speed_rows, trade, budget_rows)),
            notes=tuple(self._notes()),
            figures={
                "lists": lambda figure: draw_lists(figure, against_opponent, opponent=self.opponent),
                "trade": lambda figure: draw_trade(figure, trade, opponent=self.opponent),
            },
        )
        findings = [
            *self._findings(matches),
            *self._speed_findings(speeds),
            *self._mcts_findings(against_mcts, budgets),
        ]
        return with_findings(report, findings, title="Goals, by our numbers", what="goal")

    def _match(self, study: Study, decks: Sequence[NamedDeck], pilot: str, opponent: str, games: int) -> Match:
        return Match.played(study, pilot, opponent, decks, edition=self.edition, games=games)

    def _mirrors(self, study: Study, decks: Sequence[NamedDeck]) -> Mirrors:
        seed = seed_of(study.seed, "CPU time")
        return Mirrors([each.deck for each in decks], self.edition, self.speed_games, self.speed_repeats, seed)

    def _speeds(self, study: Study, decks: Sequence[NamedDeck]) -> list[PilotTimes]:
        """CPU times of the opponent and of all pilots, the opponent first."""
        pilots, mirrors = (self.opponent, *self.pilots), self._mirrors(study, decks)
        path = self._times_path(study, decks, pilots, "alone")
        return kept_speeds(path, lambda: mirrors.speeds(pilots), study.tally)

    def _budget(self, study: Study, decks: Sequence[NamedDeck], pilot: str) -> Budget:
        """The playouts of `mcts` against a pilot, with the CPU times of both."""
        mirrors, playouts = self._mirrors(study, decks), self.mcts_playouts.get(pilot)
        if playouts is None:
            path = self._times_path(study, decks, [pilot], f"mcts {self.mcts_multiple:g} times")
            return kept_budget(path, lambda: mirrors.fitted_budget(pilot, self.mcts_multiple), study.tally)
        path = self._times_path(study, decks, [pilot], f"mcts {playouts} playouts")
        return kept_budget(path, lambda: mirrors.budget(pilot, playouts, repeats=self.speed_repeats), study.tally)

    def _times_path(self, study: Study, decks: Sequence[NamedDeck], pilots: Sequence[str], what: str) -> Path:
        """The file of measured times."""
        name = self._times_name(study, decks, pilots)
        return study.folder / f"{name} {what}, {self.speed_repeats} times measured.json"

    def _times_name(self, study: Study, decks: Sequence[NamedDeck], pilots: Sequence[str]) -> str:
        players = [
            TableDeck(each.name, each.name, "", OpponentTable(deck=str(each.deck), pilot=pilots[0])) for each in decks
        ]
        return store_name(pilots, players, edition=self.edition, games=self.speed_games, seed=study.seed)

    def _goals(self, pilot: str) -> Goals:
        return self.goals.get(pilot, Goals())

    def _findings(self, matches: Sequence[Match]) -> Iterator[Finding]:
        for match in matches:
            goals = self._goals(match.pilot)
            if goals.overall is not None:
                yield Finding(f"{_title(match)}, overall", (_overall_claim(match, goals.overall),))
            if goals.each_list is not None:
                mark = goals.each_list
                claims = (_list_claim(match, number, mark) for number in range(len(match.decks)))
                yield Finding(f"{_title(match)}, no list below {mark:g} %", tuple(claims))

    def _speed_findings(self, speeds: Sequence[PilotTimes]) -> Iterator[Finding]:
        opponent, *pilots = speeds
        for times in pilots:
            goals = self._goals(times.pilot)
            if (most := goals.times_opponent) is not None:
                title = f"{times.pilot} takes at most {most:g} times as long as {opponent.pilot}"
                found, measure = times.times_as_long(opponent), f"CPU time per game, times {opponent.pilot}'s"
                yield Finding(title, (Claim(title, measure, found, "below", most),))
            if (fewest := goals.games_per_cpu_second) is not None:
                title = f"{times.pilot} plays at least {fewest:g} games per CPU second"
                yield Finding(title, (Claim(title, "games per CPU second", times.games_per_second, mark=fewest),))

    def _mcts_findings(self, matches: Sequence[Match], budgets: Mapping[str, Budget]) -> Iterator[Finding]:
        """Wins against `mcts` count only if it had its time."""
        for match in matches:
            if (mark := self._goals(match.pilot).against_mcts) is not None:
                had_time = Claim(
                    f"{match.opponent} has {self.mcts_multiple:g} times the CPU time of {match.pilot}",
                    f"CPU time per turn, times {match.pilot}'s",
                    budgets[match.pilot].multiple,
                    mark=self.mcts_multiple,
                )
                yield Finding(f"{_title(match)}, overall", (_overall_claim(match, mark), had_time))

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
            f"{self.speed_repeats} times; the pilots took turns with each list. It includes the rules of the game. The "
            "intervals of CPU times are the range of the repeats; with six or more, this is a 95 % interval of their "
            "median."
        )
        if self.mcts_games:
            yield (
                f"Against mcts: {self.mcts_games:,} games per list. CPU times per turn are those of both sides in the "
                f"same {self.speed_games} games per list, played {self.speed_repeats} times in one thread. If its "
                f"playouts are not given, they are chosen so that it takes a little more than {self.mcts_multiple:g} "
                "times as long as the pilot, and measured again. The same games are played where report.mcts_playouts "
                "gives the same numbers."
            )


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
    return Claim(f"{match.pilot} beats {match.opponent}, all lists", WON, match.overall(), mark=mark)


def _list_claim(match: Match, number: int, mark: float) -> Claim:
    return Claim(
        f"{match.pilot} beats {match.opponent}, {match.decks[number].name}", WON, match.rate(number), mark=mark
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


def _speed_rows(speeds: Sequence[PilotTimes]) -> Iterator[dict[str, Any]]:
    """The speeds, and how many times as long as the first a pilot takes for a game and for a turn."""
    first = speeds[0]
    for each in speeds:
        yield {
            "pilot": each.pilot,
            **each.games_per_second.cells("games_per_cpu_second", n="games"),
            "cpu_ms_per_turn": each.ms_per_turn,
            **each.times_as_long(first).cells("times_as_long_per_game"),
            "times_as_long_per_turn": each.ms_per_turn / first.ms_per_turn,
        }


def _trade_rows(overall: Sequence[dict[str, Any]], speeds: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What each pilot wins, and what it takes."""
    speed_of = {row["pilot"]: row for row in speeds}
    for row in overall:
        speed = speed_of[row["pilot"]]
        yield {
            **{key: row[key] for key in ("pilot", "won", "won_low", "won_high", "won_games")},
            "games_per_cpu_second": speed["games_per_cpu_second"],
            "cpu_ms_per_game": 1000 / speed["games_per_cpu_second"],
            "times_as_long_per_game": speed["times_as_long_per_game"],
        }


def _budget_row(pilot: str, budget: Budget) -> dict[str, Any]:
    return {
        "pilot": pilot,
        "playouts": budget.playouts,
        "cpu_ms_per_turn": min(budget.own_ms),
        "mcts_cpu_ms_per_turn": min(budget.mcts_ms),
        **budget.multiple.cells("times_as_long_per_turn"),
        "games": budget.games,
    }
