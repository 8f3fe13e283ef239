"""The paper on deck building by genetic algorithms in Legends of Code and Magic."""
