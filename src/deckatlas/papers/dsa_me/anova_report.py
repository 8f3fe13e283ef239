"""The report on the paper's tests: analyses of variance, differences, hypotheses; found and published side by side."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from deckatlas.experiments.kind import Report, TextTable
from deckatlas.papers.dsa_me.hypotheses import ComparedDifference, Verdict, compare_differences, verdicts
from deckatlas.papers.dsa_me.published import ANOVA, COMPARED, METRICS, Printed, trials_of_table_1
from deckatlas.papers.dsa_me.trial_tests import MetricTests, Trials, analyse_trials
from deckatlas.stats.anova import ALPHA, FTest, TTest

Row = dict[str, Any]

_PAIRS = math.comb(len(COMPARED), 2)
NOTES = (
    "Columns `table 1` apply the same tests to the paper's own means and standard errors, so they show what its table "
    "implies, also where its text prints nothing.",
    f"Differences of the first four algorithms are a family of {_PAIRS} t tests per metric. Each pools the variance of "
    "its two algorithms, as the published program does. It is significant if its p is below "
    f"{ALPHA:g} / {_PAIRS}, and its interval is as wide as that demands. `p, all` is the p value if the variance of "
    "all four is pooled instead.",
    "Effects of ancillary data have the error of all four cells of the two-way analysis, which has sums of squares of "
    "type II. If the interaction is significant, the effects in each model count; otherwise their main effect does.",
    "A hypothesis is supported if the differences in QD score that count are all significantly higher, and none of any "
    "metric is significantly lower. By this rule, the outcomes printed in the paper give the verdicts printed there.",
)


def anova_report(trials: Trials) -> Report:
    """The report over the values of all trials.

    Args:
        trials: For each metric, those of the paper and any others, the values of all trials of each algorithm.

    Raises:
        RunError: For the reasons of `analyse_trials`.
    """
    tests = analyse_trials(trials)
    analyses, differences, found = _analysis_rows(tests), compare_differences(tests), verdicts(tests)
    rows = {
        "analyses": analyses,
        "differences": [_difference_row(each) for each in differences],
        "hypotheses": [_verdict_row(each) for each in found],
    }
    tables = (_analysis_table(analyses), _difference_table(differences), _verdict_table(found))
    return Report(rows, tables, NOTES)


def _analysis_rows(tests: Mapping[str, MetricTests]) -> list[Row]:
    table = analyse_trials(trials_of_table_1())
    rows = []
    for metric, own in tests.items():
        for name, test in own.analyses.items():
            printed = ANOVA.get((name, metric))
            theirs = table[metric].analyses[name] if metric in table else None
            rows.append({"metric": metric, "test": name, **_f_cells(test), **_published_f_cells(theirs, printed)})
    return rows


def _f_cells(test: FTest) -> Row:
    return {
        "f": _number(test.f),
        "freedom": test.freedom,
        "error_freedom": test.error_freedom,
        "p": test.p,
        "partial_eta_squared": test.explained,
        "significant": test.is_significant,
    }


def _published_f_cells(theirs: FTest | None, printed: Printed | None) -> Row:
    return {
        "table_1_f": None if theirs is None else _number(theirs.f),
        "table_1_p": None if theirs is None else theirs.p,
        "published_f": None if printed is None else printed.f,
        "published_p": None if printed is None else printed.p_text(),
        "published_significant": None if printed is None else printed.is_significant,
    }


def _difference_row(each: ComparedDifference) -> Row:
    return {
        "hypothesis": each.hypothesis,
        "counts": each.counts,
        **each.of._asdict(),
        **each.found.difference.cells("difference"),
        "t": _number(each.found.t),
        "freedom": each.found.freedom,
        "p": each.found.p,
        "adjusted_p": each.found.adjusted_p,
        "p_pooled_over_all": None if each.pooled is None else each.pooled.p,
        "outcome": each.found.outcome,
        "outcome_pooled_over_all": None if each.pooled is None else each.pooled.outcome,
        "table_1_p": None if each.table_1 is None else each.table_1.p,
        "table_1_outcome": None if each.table_1 is None else each.table_1.outcome,
        "published_p": None if each.printed is None else each.printed.p_text(),
        "published_outcome": None if each.printed is None else each.printed.outcome,
        "as_published": each.is_as_printed,
    }


def _verdict_row(verdict: Verdict) -> Row:
    return {
        "hypothesis": verdict.hypothesis.name,
        "text": verdict.hypothesis.text,
        "predictions": verdict.predictions,
        "confirmed": verdict.confirmed,
        "contradicted": verdict.contradicted,
        "supported": verdict.is_supported,
        "supported_by_table_1": verdict.by_table_1,
        "published": verdict.hypothesis.is_supported,
        "as_published": verdict.is_as_published,
    }


def _analysis_table(rows: Sequence[Row]) -> TextTable:
    lines = tuple(
        (
            row["test"],
            _title(row["metric"]),
            f"F({row['freedom']}, {row['error_freedom']}) = {_f_text(row['f'])}",
            _p_text(row["p"]),
            f"{row['partial_eta_squared']:.3f}",
            _f_text(row["table_1_f"]) if row["table_1_p"] is not None else "",
            "" if row["published_f"] is None else f"{row['published_f']:g}",
            row["published_p"] or "",
        )
        for row in rows
    )
    columns = ("analysis of variance", "metric", "found", "p", "partial η²", "F, table 1", "F, paper", "p, paper")
    return TextTable("Analyses of variance", columns, lines)


def _difference_table(differences: Sequence[ComparedDifference]) -> TextTable:
    lines = tuple(
        (
            f"{each.of.one} - {each.of.other}",
            _title(each.of.metric),
            each.hypothesis if each.counts else "",
            each.found.difference.text(),
            _p_text(each.found.p),
            "" if each.pooled is None else _p_text(each.pooled.p),
            each.found.outcome,
            _outcome_text(each.table_1),
            "" if each.printed is None else str(each.printed.outcome),
            _yes_no(each.is_as_printed),
        )
        for each in differences
    )
    columns = (
        *("difference", "metric", "counts for", "found [95 %]", "p", "p, all", "outcome"),
        *("table 1", "paper", "as published"),
    )
    return TextTable("Differences between algorithms", columns, lines)


def _verdict_table(found: Sequence[Verdict]) -> TextTable:
    lines = tuple(
        (
            f"{each.hypothesis.name}: {each.hypothesis.text}",
            f"{each.confirmed} of {each.predictions}",
            str(each.contradicted),
            _supported(each.is_supported),
            _supported(each.by_table_1),
            _supported(each.hypothesis.is_supported),
            _yes_no(each.is_as_published),
        )
        for each in found
    )
    columns = ("hypothesis", "higher", "lower", "verdict", "table 1", "paper", "as published")
    return TextTable("Hypotheses", columns, lines)


def _title(metric: str) -> str:
    return METRICS.get(metric, metric)


def _number(value: float) -> float | None:
    """A number for JSON, which has no infinity: F and t are infinite where nothing varies within groups."""
    return value if math.isfinite(value) else None


def _f_text(f: float | None) -> str:
    return "∞" if f is None else f"{f:.2f}"


def _p_text(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def _outcome_text(test: TTest | None) -> str:
    return "" if test is None else test.outcome


def _supported(value: bool) -> str:
    return "supported" if value else "not supported"


def _yes_no(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
