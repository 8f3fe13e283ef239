"""The files that agents read: those of users by path, those that come with a package by a name of their own.

A run keeps a hash of each of its files. The name of a file of a package does not depend on where it is installed, so
the run is the same on every machine with the same file.
"""

from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

_PACKAGE = "package:"


def package_file(package: str, name: str) -> str:
    """The name of a file that comes with a package."""
    return f"{_PACKAGE}{package}/{name}"


def found_file(name: str) -> Traversable:
    """The file of a path or of a name that `package_file` made; it need not exist."""
    if not name.startswith(_PACKAGE):
        return Path(name)
    package, _, file = name.removeprefix(_PACKAGE).partition("/")
    try:
        return resources.files(package).joinpath(file)
    except (ImportError, ValueError):
        return Path(name)  # such as a file of a game that is not installed
