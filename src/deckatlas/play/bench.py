"""The measurements of `deckatlas bench`: speed in CPU time, best of several runs, and the bench signature."""

from collections.abc import Callable

from deckatlas import _core
from deckatlas.games import all_games
from deckatlas.play.measurement import Measurement
from deckatlas.play.signature import signature


def measure(report: Callable[[str], object] = lambda _: None) -> list[Measurement]:
    """Runs the whole bench; `report` is called with the name of the next measurement."""
    lines = [line for game in all_games() for line in game.measurements(report)]
    report("the signature")
    lines.append(Measurement("build_flags", "built with", _core.build_flags))
    lines.append(Measurement("signature", "bench signature", signature()))
    return lines
