"""The paper on evolutionary algorithms that learn draft policies by active genes."""
