"""The paper on MAP-Elites with sliding boundaries in Hearthstone."""
