"""Hearthstone, Basic and Classic: cards, states, records, agents, protocol, suites, evaluations of decks."""
