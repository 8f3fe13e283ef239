"""The paper on evolutionary algorithms that learn draft policies with active genes."""
