"""The paper on MAP-Elites assisted by deep surrogate models (DSA-ME)."""
