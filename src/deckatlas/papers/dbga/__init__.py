"""The paper on deck building with genetic algorithms in Legends of Code and Magic."""
