"""Checks before a run is resumed: the store must have the same configuration, cards and behaviour."""

from collections.abc import Mapping
from typing import Any

from deckatlas.documents.toml_lines import dotted
from deckatlas.errors import RunError
from deckatlas.runs.hashes import identity, search_files
from deckatlas.runs.store import Store


def other_version(store: Store, difference: str) -> RunError:
    """The error for a store whose run cannot be resumed."""
    written = ", ".join(f"{name} {version}" for name, version in store.run().versions.items() if name != "core")
    return RunError(
        f"{store.path} was written by another version ({written}) or with other files: {difference}; "
        "it was left as it is"
    )


def check_same(store: Store, config: Mapping[str, Any], cards: str, advice: str) -> None:
    """Checks that a store holds this run, made with the same cards.

    Raises:
        RunError: If it holds another run.
    """
    run = store.run()
    wanted, found = _flat(identity(config)), _flat(identity(run.config))
    paths, stored = search_files(config), search_files(run.config)
    for key in sorted({*wanted, *found}):
        if key not in wanted or key not in found or wanted[key] != found[key]:
            if key[-1] in paths.keys() & stored.keys() and key[0] == "search":
                difference = f"whose {dotted(key)} had different content from what {paths[key[-1]]} has now"
            else:
                difference = f"with {_setting(key, found)} instead of {_setting(key, wanted)}"
            raise RunError(f"{store.path} holds another run, {difference}: {advice}")
    if run.cards != cards:
        raise other_version(store, "the cards are not the same")


def _setting(key: tuple[str, ...], values: Mapping[tuple[str, ...], Any]) -> str:
    return f"{dotted(key)} = {values[key]!r}" if key in values else f"no {dotted(key)}"


def _flat(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """All values by their paths, without those that are None or empty: earlier versions may not have had them."""
    flat: dict[tuple[str, ...], Any] = {}
    for key, value in table.items():
        if value is None or value in ((), [], ""):
            continue
        flat |= _flat(value, (*path, key)) if isinstance(value, Mapping) else {(*path, key): value}
    return flat
