"""Fuzzing of every parser: mutated files of every kind, guided by the lines that they reach (`make fuzz`)."""
