"""The budget of maps beside that of the paper: a sentence for reports, and the check of what was published about it."""

from deckatlas.experiments.published import a_number, tables
from deckatlas.experiments.study import Study

BUDGET = {"budget": tables({"evaluations": a_number, "games": a_number})}


def budget_note(study: Study) -> str:
    """A sentence on the budget of all maps of a study, and on the budget in the paper."""
    views = [run.view for runs in study.maps.values() for run in runs]
    sizes = {(view.config["search"]["evaluations"], view.config["evaluation"]["games"]) for view in views}
    ours = " or ".join(f"{evaluations:,} evaluations of {games:,} games" for evaluations, games in sorted(sizes))
    theirs = study.published.get("budget")
    published = "" if theirs is None else f"; in the paper {theirs['evaluations']:,} of {theirs['games']:,}"
    runs = {len(runs) for runs in study.maps.values()}
    repeated = " or ".join(map(str, sorted(runs)))
    return f"Budget: {ours} per map, {repeated} run{'s' if runs != {1} else ''} of each{published}."
