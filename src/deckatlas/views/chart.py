"""Curves as text: a small chart for the terminal."""

from collections.abc import Mapping, Sequence

MARKS = "●○◆◇▲△"
Points = Sequence[tuple[float, float]]


def chart(series: Mapping[str, Points], *, width: int = 64, height: int = 14, unit: str = "") -> list[str]:
    """Draws several curves into one frame, each with its own mark; returns one line of text per row.

    Args:
        series: The points of each curve, by its name.
        width: Columns of the frame.
        height: Rows of the frame.
        unit: The unit of the x axis.
    """
    points = [point for curve in series.values() for point in curve]
    (left, right), (low, high) = (_range([point[axis] for point in points]) for axis in (0, 1))
    rows = [[" "] * width for _ in range(height)]
    for mark, curve in zip(MARKS, series.values(), strict=False):
        for x, y in curve:
            column = round((x - left) / (right - left) * (width - 1))
            row = height - 1 - round((y - low) / (high - low) * (height - 1))
            rows[row][column] = mark
    labels = {0: f"{high:.0f} %", height - 1: f"{low:.0f} %"}
    lines = [f"{labels.get(number, ''):>7} │{''.join(row)}".rstrip() for number, row in enumerate(rows)]
    lines.append(f"{'':>7} └{'─' * width}")
    lines.append(f"{'':>9}{f'{left:,.0f}':<{width // 2}}{f'{right:,.0f} {unit}':>{width - width // 2}}")
    lines += [f"{'':>9}{mark} {name}" for mark, name in zip(MARKS, series, strict=False)]
    return lines


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if high > low else (low, low + 1)
