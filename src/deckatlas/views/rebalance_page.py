"""A rebalancing as one web page that needs nothing but itself: the front as a picture, and what holds up."""

from collections.abc import Iterator
from html import escape

from deckatlas.balancing.patch_search import FoundPatch
from deckatlas.balancing.rebalance import Rebalancing, Round
from deckatlas.balancing.subject import BASE
from deckatlas.stats.estimate import Estimate
from deckatlas.views.page_parts import page_table, whole_page
from deckatlas.views.rebalance_terminal import confirmation_lines, front_row, heading, round_title, summary
from deckatlas.views.svg import Frame, dots, element, points, text_element, ticks

_APART = 4.0  # between what known decks and adapted decks say about a patch, in the picture


def rebalance_page(found: Rebalancing) -> str:
    """The page of a rebalancing."""
    fronts = (_front(found, each) for each in found.rounds)
    sections = (_heading(found), *fronts, _confirmations(found), _how(found))
    return whole_page(f"{found.task.file.name}: patches", sections, style="rebalance_page.css")


def _heading(found: Rebalancing) -> str:
    task = found.task
    wanted = "".join(f"<li>{escape(each.intent.text)}</li>" for each in task.targets)
    return f"""<header><h1>{escape(task.file.name)}</h1>
<p>Changes of edition {escape(task.any_subject.editions[BASE])} that are to bring the metagame
{escape(task.any_subject.fields[BASE].name)} to these targets:</p><ul>{wanted}</ul>
<p><b>{escape(summary(found))}</b></p></header>"""


def _front(found: Rebalancing, of: Round) -> str:
    rows = [front_row(found, each) for each in of.front]
    which = "known decks" if of.task.number == 1 else "the best decks found so far"
    return f"""<section><h2>{escape(round_title(of))}</h2>
<p class="soft">Each dot is a patch. Blue: the front, by games of {which}. Orange rings: the same patches when decks are
searched again. Grey: other patches that were played, by few games each. Lines are 95 % intervals.</p>
<figure>{front_svg(found, of)}</figure>{page_table(heading(of), rows)}</section>"""


def front_svg(found: Rebalancing, of: Round) -> str:
    """Size against distance in a round: all patches, the front, and confirmed patches."""
    shown = [each for each in of.explored if each.size]
    confirmed = [each.adapted for each in map(found.confirmation, of.front) if each is not None]
    highest = max([*(each.distance.value for each in of.explored), *(each.distance.high for each in of.front)])
    highest = max([highest, *(each.value for each in confirmed)]) * 1.05 or 1.0
    widest = max(each.size for each in of.explored) * 1.03
    frame = Frame((0.0, widest), (0.0, highest), width=760, height=400, left=56, right=20, bottom=42)
    parts = frame.axes(
        title="distance to the targets by size of the change",
        x="size of the change",
        y="points from the targets",
        x_ticks=ticks(*frame.x, most=9),
        y_ticks=ticks(*frame.y),
    )
    xs, ys = [frame.across(each.size) for each in shown], [frame.down(each.distance.value) for each in shown]
    parts.append(dots(xs, ys, class_="explored"))
    line = [(frame.across(each.size), frame.down(each.distance.value)) for each in of.front]
    parts.append(element("polyline", points=points(*zip(*line, strict=True)), class_="front-line"))
    for each in of.front:
        parts += _point(found, each, frame)
    return frame.drawing(parts, title="size of the change against distance to the targets")


def _point(found: Rebalancing, patch: FoundPatch, frame: Frame) -> Iterator[str]:
    x, y = frame.across(patch.size), frame.down(patch.distance.value)
    name = found.name_of(patch)
    yield _interval(patch.distance, x, frame, "interval")
    confirmed = found.confirmation(patch)
    if confirmed is not None:
        beside, adapted = x + _APART, frame.down(confirmed.adapted.value)
        words = f"{name} after decks adapt: {confirmed.adapted.text(1)} points, {confirmed.verdict}"
        yield element("line", x1=x, x2=beside, y1=y, y2=adapted, class_="moved")
        yield _interval(confirmed.adapted, beside, frame, "adapted-interval")
        yield element("circle", element("title", escape(words)), cx=beside, cy=adapted, r=5, class_="adapted")
    words = f"{name}: {patch.distance.text(1)} points, {found.task.rebalancer.words(patch.values)}"
    yield element("circle", element("title", escape(words)), cx=x, cy=y, r=4.5, class_="on-front")
    yield text_element(name, x=x + 8, y=y - 7, class_="tick")


def _interval(distance: Estimate, x: float, frame: Frame, class_: str) -> str:
    top = frame.down(min(distance.high, frame.y[1]))
    return element("line", x1=x, x2=x, y1=frame.down(distance.low), y2=top, class_=class_)


def _confirmations(found: Rebalancing) -> str:
    if not found.confirmations:
        return ""
    entries = "".join(
        f"<h3>{escape(each.name)}: {escape(each.verdict)}</h3><ul>"
        + "".join(f"<li>{escape(line)}</li>" for line in confirmation_lines(each))
        + "</ul>"
        for each in found.confirmations
    )
    return f"""<section><h2>When decks adapt</h2>
<p class="soft">Decks were searched again under the base edition and under the patch, several times. The win rate of a
class is that of the known decks today, moved as far as the best decks found moved.</p>{entries}</section>"""


def _how(found: Rebalancing) -> str:
    task = found.task
    runs = [
        *(each.task.name for each in found.rounds),
        *(run for each in found.confirmations for trial in each.study.trials for run in trial.runs),
    ]
    items = "".join(f"<li>{escape(run)}</li>" for run in dict.fromkeys(runs))
    knobs = [
        (knob.card, knob.name, str(knob.own), ", ".join(map(str, knob.values)), f"{knob.weight:g}")
        for knob in task.space.knobs
    ]
    searches = "; ".join(map(_search, found.rounds))
    return f"""<section><h2>What it rests on</h2>
<p>Seed {task.study_plan.seed}; {searches}. The size of a change is the sum of all steps,
each times its weight:</p>
{page_table(("card", "number", "today", "values", "weight of a step"), knobs)}
<details><summary>Runs</summary><ul>{items}</ul></details></section>"""


def _search(found: Round) -> str:
    plan, decks = found.task.plan, "known and found decks" if found.task.found else "known decks"
    games = f"{plan.games:,} games of {decks} for {plan.explorers:,} explored patches and the finals"
    return f"round {found.task.number}: {games}"
