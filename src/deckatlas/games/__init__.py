"""Games: a folder for each, with everything that only that game has; and what all games share."""
