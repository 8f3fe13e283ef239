"""Statistics: estimates with intervals, and the distributions they come from. Nothing here knows a game."""
