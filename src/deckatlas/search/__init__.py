"""Searches: ask one for solutions to evaluate, and tell it the outcomes."""
