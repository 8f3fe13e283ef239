"""Legends of Code and Magic 1.2: cards, states, records, agents, protocol, draft policies as genomes, evaluators."""
