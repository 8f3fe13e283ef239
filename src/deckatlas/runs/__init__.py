"""Runs: configuration, execution, the store, resuming, export."""
