"""Runs: configuration, the store, resume, reports."""
