"""Colours of figures: grey for agents by name, and one for each choice among runs."""

from deckatlas.reports.contenders import FITNESS, HONEST, SAME

GREY, RED = "#6b7280", "#b91c1c"
COLOURS = {"": GREY, FITNESS: "#2563eb", HONEST: "#d97706", SAME: "#0d9488"}
MEANINGS = {
    "": "an agent by name",
    FITNESS: "best run by its own fitness",
    HONEST: "best run by fresh games",
    SAME: "best run by both",
}
