"""The pilot of appendix A.2: searches for the network's weights, and hand-written scores that play Rogue decks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import Field

from deckatlas.documents.complaints import Complaint
from deckatlas.errors import RunError
from deckatlas.experiments.findings import Claim, Finding, with_findings
from deckatlas.experiments.kind import Report, TextTable
from deckatlas.experiments.published import PublishedCheck
from deckatlas.experiments.study import Study
from deckatlas.games.hearthstone.agents import SCORES
from deckatlas.games.hearthstone.evaluation import evaluate
from deckatlas.games.hearthstone.pilot_run import HearthstonePilotRun
from deckatlas.games.hearthstone.pilots import PilotLike
from deckatlas.games.hearthstone.profiles import profile_of
from deckatlas.papers.budget import budget_note
from deckatlas.papers.dsa_me.published import finding_title
from deckatlas.papers.dsa_me.trials import TrialsReport
from deckatlas.runs.loop import Standing
from deckatlas.runs.view import RunView
from deckatlas.search.batches import seed_of
from deckatlas.shapes import nearest, show
from deckatlas.stats.estimate import Estimate
from deckatlas.stats.means import difference, mean_interval
from deckatlas.views.figures import BLACK, GREY, colour, quiet
from deckatlas.views.map_curves import band_of, curve_of
from deckatlas.views.map_figures import draw_band

if TYPE_CHECKING:
    from matplotlib.figure import Figure  # an extra

_RATED = {"win_rate": "win rate, %", "avg_health_diff": "health difference"}
_SEARCHED = {"best": "best health difference", "elites": "elites", "qd_score": "QD score"}

Row = Mapping[str, Any]


class PilotSearches(TrialsReport):
    """The best pilots of several searches, and hand-written scores with the same decks, on fresh games."""

    kind: Literal["pilot-searches"] = "pilot-searches"
    scores: tuple[str, ...] = Field(default=SCORES, min_length=1, description="The hand-written scores.")
    games: int = Field(default=2000, ge=2, le=1_000_000, description="Fresh games of each pilot.")
    points: int = Field(default=100, ge=2, le=1000, description="The number of moments shown.")

    def complaints(self, published: Mapping[str, Any], runs: Collection[str]) -> Iterator[Complaint]:
        """Complains about scores that do not exist."""
        for number, score in enumerate(self.scores):
            if score not in SCORES:
                text = f"no score {show(score)}: {nearest(score, SCORES)}"
                yield Complaint((("report", "scores", number), ("report", "scores")), text)
        yield from super().complaints(published, runs)

    def published_checks(self) -> Mapping[str, PublishedCheck]:
        """Checks of findings: which searches find better pilots than others."""
        return {"better": self.pairs_check()}

    def smoke(self) -> Self:
        """A few games."""
        return self.model_copy(update={"games": min(self.games, 6)})

    def report(self, study: Study) -> Report:
        """The searches over time, and all pilots on the same fresh games."""
        trials = self.trials(study)
        config = _config(next(iter(trials.values()))[0])
        searches = [
            {"algorithm": name, "trial": number, **_searched(view)}
            for name, views in trials.items()
            for number, view in enumerate(views, start=1)
        ]
        rated = [
            {"pilot": name, "trial": trial, **self._rated(study, config, pilot)}
            for name, trial, pilot in self._pilots(trials, config)
        ]
        report = Report(
            {"searches": searches, "pilots": rated, "curves": list(_curve_rows(trials, self.points))},
            (_search_table(searches), _rated_table(rated)),
            (budget_note(study), *self._notes(config)),
            {"pilots": lambda figure: _draw(figure, trials, rated, self.points)},
        )
        return with_findings(report, list(self._findings(rated, study.published)))

    def _notes(self, config: HearthstonePilotRun) -> tuple[str, ...]:
        evaluation = config.evaluation
        return (
            f"A search's pilot is its best by fitness. Every pilot plays {self.games:,} fresh games with the deck "
            f"{config.space.deck} against the suite {evaluation.suite} (profile {evaluation.profile}), the same games "
            "for all; each call plays these games again. Intervals are over games; where a search has several trials, "
            "the interval of its pilots is over trials.",
            "With one trial of each search, claims are about the pilots found, not about the searches.",
        )

    def _pilots(
        self, trials: Mapping[str, Sequence[RunView]], config: HearthstonePilotRun
    ) -> Iterator[tuple[str, int, PilotLike]]:
        profile = profile_of(config.evaluation.profile)
        for name, views in trials.items():
            for number, view in enumerate(views, start=1):
                best = view.best()
                assert best is not None
                yield name, number, _config(view).make_space().pilot(best.solution, profile=profile)
        for score in self.scores:
            yield f"score {score}", 1, f"planner:score={score}"

    def _rated(self, study: Study, config: HearthstonePilotRun, pilot: PilotLike) -> dict[str, Any]:
        evaluation = config.evaluation
        found = evaluate(
            config.space.list,
            pilot=pilot,
            suite=config.suite(),
            profile=evaluation.profile,
            edition=config.space.cards,
            games=self.games,
            seed=seed_of(study.seed, "pilots"),
            threads=study.threads,
        )
        study.tally.add(Standing(self.games, games=self.games))
        rate, health = found["win_rate"][0].in_percent(), found["avg_health_diff"][0]
        return {**rate.cells("win_rate"), **health.cells("avg_health_diff"), "games": self.games}

    def _findings(self, rated: Sequence[Row], published: Mapping[str, Any]) -> Iterator[Finding]:
        for title, pairs in published.get("better", {}).items():
            claims = [
                Claim(f"{one} is above {other}", words, difference(*(_of(rated, name, key) for name in (one, other))))
                for one, others in pairs.items()
                for other in others
                for key, words in _RATED.items()
            ]
            yield Finding(finding_title(title), tuple(claims))
        network, names = next(iter(self.algorithms)), [f"score {score}" for score in self.scores]
        rates = {name: _of(rated, name, "win_rate") for name in (network, *names)}
        lose = [Claim(f"{name} loses", _RATED["win_rate"], rates[name], "below", 50) for name in names]
        yield Finding(finding_title("scores-struggle"), tuple(lose))
        better = [
            Claim(f"{network} is above {name}", _RATED["win_rate"], difference(rates[network], rates[name]))
            for name in names
        ]
        yield Finding(
            f"the network found by {network} plays Rogue better than hand-written scores (A.2)", tuple(better)
        )


def _config(view: RunView) -> HearthstonePilotRun:
    if view.description.kind != "hearthstone-pilot":
        raise RunError(f"{view.path} is not a search for pilots of Hearthstone")
    return HearthstonePilotRun.model_validate(dict(view.config))


def _searched(view: RunView) -> dict[str, Any]:
    now = view.statistics
    return {"evaluations": view.log.evaluations, "best": now.best, "elites": now.elites, "qd_score": now.qd_score}


def _of(rated: Sequence[Row], name: str, key: str) -> Estimate:
    """A number of a pilot: over its games, or over the trials of its search."""
    own = [row for row in rated if row["pilot"] == name]
    if len(own) > 1:
        return mean_interval([row[key] for row in own])
    return Estimate.from_cells(own[0], key, n=own[0]["games"])


def _search_table(rows: Sequence[Row]) -> TextTable:
    lines = []
    for name in dict.fromkeys(row["algorithm"] for row in rows):
        own = [row for row in rows if row["algorithm"] == name]
        found = (mean_interval([row[key] for row in own]).text(2) for key in _SEARCHED)
        lines.append((name, str(len(own)), f"{own[0]['evaluations']:,}", *found))
    columns = ("search", "trials", "evaluations", *_SEARCHED.values())
    return TextTable("Searches for pilots: the archive in the end", columns, tuple(lines))


def _rated_table(rows: Sequence[Row]) -> TextTable:
    names = dict.fromkeys(row["pilot"] for row in rows)
    lines = tuple((name, *(_of(rows, name, key).text() for key in _RATED)) for name in names)
    return TextTable("Pilots on fresh games", ("pilot", *_RATED.values()), lines)


def _curve_rows(trials: Mapping[str, Sequence[RunView]], points: int) -> Iterator[dict[str, Any]]:
    for name, views in trials.items():
        for number, view in enumerate(views, start=1):
            curve = curve_of(view, points)
            for at, evaluations in enumerate(curve.evaluated.tolist()):
                found = {key: float(curve.numbers[key][at]) for key in _SEARCHED}
                yield {"algorithm": name, "trial": number, "evaluations": int(evaluations), **found}


def _draw(figure: "Figure", trials: Mapping[str, Sequence[RunView]], rated: Sequence[Row], points: int) -> None:
    figure.set_size_inches(13.5, 4.8)
    left, middle, right = figure.subplots(1, 3)
    for number, (name, views) in enumerate(trials.items()):
        curves = [curve_of(view, points) for view in views]
        for panel, key in ((left, "best"), (middle, "elites")):
            draw_band(panel, band_of(curves, key), color=colour(number), label=name)
    quiet(left, title="best health difference in the search", x="evaluations", y="")
    quiet(middle, title="elites", x="evaluations", y="")
    left.legend(frameon=False, loc="lower right")
    names = list(dict.fromkeys(row["pilot"] for row in rated))
    for place, name in enumerate(names):
        rate = _of(rated, name, "win_rate")
        ends = [[rate.value - rate.low], [rate.high - rate.value]] if rate.has_ends else None
        ink = colour(list(trials).index(name)) if name in trials else BLACK
        right.errorbar(rate.value, place, xerr=ends, fmt="o", color=ink, markersize=5)
    right.axvline(50, color=GREY, linewidth=0.8)
    quiet(right, title="fresh games won, %", x="% (lines: 95 %)", y="")
    right.set_yticks(range(len(names)), names)
    right.set_ylim(len(names) - 0.5, -0.5)
    right.set_xlim(0, 100)
