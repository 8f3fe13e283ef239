"""Models that learn from evaluated solutions and predict their columns: linear models, networks, ensembles.

They know no game and no run. Training and prediction are in the core, with a fixed order of operations: the same data
and seeds give the same model on every machine.
"""
