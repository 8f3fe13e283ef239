"""Statistics: the one place for intervals, averages, correlations and tests."""
