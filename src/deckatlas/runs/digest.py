"""The digest of a run: one hash over what was to be done and what came out.

It is over the resolved configuration without the run's name, the evaluation log, and the populations where there are
any. No clock, no path, no number of threads is in it.
"""

from hashlib import sha256

from deckatlas.runs.hashes import canonical_json
from deckatlas.runs.map_store import MapStore
from deckatlas.runs.matchups import MatchupStore


def run_digest(store: MatchupStore | MapStore) -> str:
    """The digest of all that a store holds of its run.

    Raises:
        RunError: If the store is damaged.
    """
    config = {key: value for key, value in store.run().config.items() if key != "name"}
    digest = sha256(b"deckatlas run 2\n" + canonical_json(config).encode())
    if isinstance(store, MapStore):
        digest.update(store.log_hash())
        return digest.hexdigest()
    store.check()
    for generation in store.generations():
        digest.update(generation.hash)
    asks, _ = store.counts()
    for number in range(asks):
        ask = store.ask(number)
        digest.update(ask.hash + ask.outcome)
    return digest.hexdigest()
