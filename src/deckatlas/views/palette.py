"""Colours of figures: grey for agents by name, and one for each choice among runs."""

from deckatlas.experiments.finalists import FITNESS, HONEST, SAME
from deckatlas.views.figures import colour

GREY, BLACK = "#6B6B6B", "#000000"
COLOURS = {"": GREY, FITNESS: colour(0), HONEST: colour(1), SAME: colour(2)}
MEANINGS = {
    "": "an agent by name",
    FITNESS: "best run by its own fitness",
    HONEST: "best run by fresh games",
    SAME: "best run by both",
}
