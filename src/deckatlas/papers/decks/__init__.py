"""What reports on decks of Hearthstone share: games among decks with their pilots."""
