"""Patterns: sets of cards that many decks share, over elites of maps, regions of them, or an equilibrium mix."""
