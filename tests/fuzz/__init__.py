"""Fuzzing of the bindings: calls that work, changed at random, guided by the places of the code that they reach."""
