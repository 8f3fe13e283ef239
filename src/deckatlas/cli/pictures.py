"""The option `--picture` of commands whose result can be drawn."""

from pathlib import Path
from typing import Annotated

import typer

PictureOption = Annotated[
    Path | None, typer.Option(help="Draw the differences: a PNG, SVG or PDF file; needs the extra `plot`.")
]


def check_picture(file: Path | None) -> None:
    """Checks, before long work, that a picture can be drawn where one is asked for."""
    if file is not None:
        from deckatlas.views.figures import figure_of

        figure_of(file.suffix.lower())  # raises if the picture cannot be drawn
