"""Metagames: who beats whom among given decks, and what follows from it. Nothing here knows a game."""
