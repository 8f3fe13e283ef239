"""Hearthstone's Basic and Classic cards, and decks made of them."""
