"""Lets every Python process of a test run load another build of the extension: the one that DECKATLAS_CORE names.

Python imports a module of this name at its start if its folder is on PYTHONPATH, also in processes that tests start.
"""

import os
import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location


class _OtherBuild:
    """Finds the extension in another place."""

    def __init__(self, file: str) -> None:
        self._file = file

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return spec_from_file_location(name, self._file) if name == "deckatlas._core" else None


if "DECKATLAS_CORE" in os.environ:
    sys.meta_path.insert(0, _OtherBuild(os.environ["DECKATLAS_CORE"]))
