"""How to ask for a balance study without the studio: a command line, and lines of Python, from the same options."""

from collections.abc import Iterator, Mapping
from shlex import join

Value = bool | int | str | list[str]
Options = Mapping[str, Value]

_REPEATED = {"intents": "--intent", "search_pilots": "--search-pilot"}


def balance_arguments(game: str, patch: str, options: Options, *, store: str) -> list[str]:
    """The words of a command after `deckatlas`.

    Args:
        game: The game.
        patch: The file of the patch.
        options: Those of `deckatlas.balance`.
        store: The folder of runs.
    """
    words = ["balance", game, patch]
    for name, value in options.items():
        words += _words(name, value)
    return [*words, "--store", store]


def _words(name: str, value: Value) -> Iterator[str]:
    if name == "paired":
        if value is False:
            yield "--unpaired"
    elif isinstance(value, list) and name in _REPEATED:
        for each in value:
            yield from (_REPEATED[name], each)
    else:
        yield f"--{name.replace('_', '-')}"
        yield ",".join(value) if isinstance(value, list) else str(value)


def balance_command(game: str, patch: str, options: Options, *, store: str) -> str:
    """A command line; see `balance_arguments`."""
    return join(["deckatlas", *balance_arguments(game, patch, options, store=store)])


def balance_python(game: str, patch: str, options: Options, *, store: str) -> str:
    """Lines of Python that carry out the same study, or read it."""
    named = "".join(f"    {name}={value!r},\n" for name, value in {"game": game, **options, "store": store}.items())
    return (
        f"import deckatlas\n\nstudy = deckatlas.balance(\n    {patch!r},\n{named})\n"
        "for sentence in study.sentences:\n    print(sentence.text)\n"
    )
