"""Colours of figures about draft policies: grey for named agents, and one for each choice among runs."""

from deckatlas.papers.drafts.finalists import FITNESS, HONEST, SAME
from deckatlas.views.figures import GREY, colour

COLOURS = {"": GREY, FITNESS: colour(0), HONEST: colour(1), SAME: colour(2)}
MEANINGS = {
    "": "named agent",
    FITNESS: "best run by its own fitness",
    HONEST: "best run by fresh games",
    SAME: "best run by both",
}
