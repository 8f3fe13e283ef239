"""Fuzzing, guided by what is reached: mutated files of every kind, and calls of the bindings that work, changed."""
