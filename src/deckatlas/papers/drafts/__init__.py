"""Shared parts of reports on draft policies of Legends of Code and Magic: the players, and the games they play."""
