"""A metagame that has grown as one web page: how its mix and the gains changed, who joined, and what it is now."""

from html import escape
from pathlib import Path

from deckatlas.arguments import checked
from deckatlas.errors import RunError
from deckatlas.files.writing import write_text
from deckatlas.metagame.growth import Growth, points
from deckatlas.stats.estimate import Estimate
from deckatlas.views.growth_numbers import best_gains, mixes
from deckatlas.views.metagame_page import metagame_sections, page_of_metagames
from deckatlas.views.page_parts import page_table
from deckatlas.views.svg import Frame, Range, element, padded, text_element, ticks
from deckatlas.views.svg import points as line_points

_LINES = 4  # shares that have a colour of their own


def growth_page(growth: Growth) -> str:
    """The page of a metagame that has grown."""
    final = growth.final.metagame
    heading = f"""<header><h1>{escape(growth.plan.name)}</h1>
<p>{escape(growth.rounds[0].field.metagame.name)} grew by best responses to its equilibrium mix, to
{len(final.entrants)} decks; edition {escape(final.edition)}, played by {escape(" and ".join(final.pilots))}.</p>
<p>{escape(growth.verdict)}</p></header>"""
    return page_of_metagames(f"{growth.plan.name}: a metagame that grew", [heading, _growth(growth), *_final(growth)])


@checked
def write_growth(growth: Growth, file: Path | str) -> None:
    """Writes the page of a metagame that has grown to a file.

    Raises:
        RunError: If the file cannot be written.
    """
    page = growth_page(growth)
    write_text(file, page, error=RunError)


def _growth(growth: Growth) -> str:
    rows = [
        (
            f"{each.number}",
            response.kind,
            points(response.gain) if response.deck else "",
            f"{response.gain.n:,}",
            response.joined or "no",
            response.deck,
        )
        for each in growth.rounds
        for response in each.responses
    ]
    heading = ("round", "search", "points [95 %]", "games", "joined", "list")
    return f"""<section><h2>How it grew</h2>
<p class="soft">In each round, searches look for decks that win against the mix. The best of each plays fresh games;
it joins if it gains more than {growth.plan.margin:g} points beyond doubt. The intervals of a round hold together.</p>
<figure>{gains_svg(growth)}</figure><figure>{mixes_svg(growth)}</figure>{page_table(heading, rows)}</section>"""


def _final(growth: Growth) -> list[str]:
    return [f"<section><h2>{escape(growth.plan.name)} now</h2></section>", *metagame_sections(growth.final)]


def gains_svg(growth: Growth) -> str:
    """The gain of every response with its interval, round by round; a line joins the best ones."""
    gains = [response.gain for each in growth.rounds for response in each.responses if response.deck]
    ends = [end for each in gains for end in (each.low, each.high)]
    frame, parts = _framed(
        "gains against the mix, points", padded([0.0, growth.plan.margin, *ends]), rounds=len(growth.rounds)
    )
    at = frame.down(growth.plan.margin)
    parts.append(element("line", x1=frame.left, x2=frame.width - frame.right, y1=at, y2=at, class_="line line3"))
    for each in growth.rounds:
        for number, response in enumerate(each.responses):
            if not response.deck:
                continue
            shift = 0.5 * ((number + 0.5) / len(each.responses) - 0.5)
            tip = f"round {each.number}, {response.kind}: {points(response.gain)}"
            parts.append(_whisker(frame, each.number + shift, response.gain, tip))
    best = best_gains(growth)
    xs, ys = [frame.across(number) for number in best], [frame.down(gain) for gain in best.values()]
    parts.append(element("polyline", points=line_points(xs, ys), class_="line line0"))
    return frame.drawing(parts, title="gains of the best responses, round by round")


def _framed(title: str, y: Range, *, rounds: int) -> tuple[Frame, list[str]]:
    """A drawing over rounds, and its axes."""
    frame = Frame((0.5, rounds + 0.5), y, width=720, height=280, right=160)
    x_ticks = [float(number) for number in range(1, rounds + 1)]
    return frame, frame.axes(title=title, x="round", y="", x_ticks=x_ticks, y_ticks=ticks(*y))


def _whisker(frame: Frame, place: float, gain: Estimate, tip: str) -> str:
    x = frame.across(place)
    line = element("line", x1=x, x2=x, y1=frame.down(gain.low), y2=frame.down(gain.high), class_="ends")
    dot = element("circle", element("title", escape(tip)), cx=x, cy=frame.down(gain.value), r=3.5, class_="share")
    return line + dot


def mixes_svg(growth: Growth) -> str:
    """The shares of the mix, round by round; the largest have names."""
    lines, count = mixes(growth), len(growth.fields)
    top = max(float(values.max()) for values in lines.values())
    frame, parts = _framed("equilibrium mix before each round, %", (0.0, top), rounds=count)
    xs = [frame.across(number) for number in range(1, count + 1)]
    for number, (name, values) in reversed(list(enumerate(lines.items()))):
        line = number if number < _LINES else 2
        ys = [frame.down(value) for value in values.tolist()]
        parts.append(element("polyline", points=line_points(xs, ys), class_=f"line line{line}"))
        if number < _LINES:
            parts += [element("circle", cx=x, cy=y, r=2.5, class_="share") for x, y in zip(xs, ys, strict=True)]
            words, down = f"{name}: {values[-1]:.0f} % at the end", frame.top + 14 + 16 * number
            parts.append(text_element(words, x=frame.width - 155, y=down, class_=f"name name{number}"))
    return frame.drawing(parts, title="the equilibrium mix, round by round")
