"""The option `--picture` of commands whose result can be drawn, and those of pictures of games."""

from pathlib import Path
from typing import Annotated

import typer

PictureOption = Annotated[
    Path | None, typer.Option(help="Draw the differences: a PNG, SVG or PDF file (needs the `plot` extra).")
]
CoachOption = Annotated[
    str,
    typer.Option(
        help="For a picture of a game: the agent that rates who is winning, such as expert or fast (default: each "
        "pilot rates its own positions).",
        metavar="AGENT",
    ),
]
SeatOption = Annotated[
    str,
    typer.Option(
        help="For a picture of a game: the player whose chances to draw, first or second (default: the solution, or "
        "else the player who moves first).",
        metavar="SEAT",
    ),
]


def check_picture(file: Path | None) -> None:
    """Checks, before long work, that a picture can be drawn where one is asked for."""
    if file is not None:
        from deckatlas.views.figures import figure_of

        figure_of(file.suffix.lower())  # raises if the picture cannot be drawn
