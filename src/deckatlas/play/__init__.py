"""Many games in one call: matches, gauntlets, ratings, sequential tests, the referee, external programs."""
