"""Search: ask for candidates, tell their outcomes. What is searched is a genome."""
