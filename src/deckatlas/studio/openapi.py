"""Prints the description of the API, from which `make web-types` generates the types of the pages."""

import json
from pathlib import Path

from deckatlas.studio.app import Options, create_app


def description() -> str:
    """The OpenAPI description as JSON."""
    return json.dumps(create_app(Options(Path("runs"))).openapi(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    print(description(), end="")
