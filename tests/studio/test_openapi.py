"""The description of the API that the pages' types are generated from."""

from pathlib import Path

from deckatlas.studio.openapi import description

WEB = Path(__file__).parents[2] / "web"


def test_the_kept_description_is_the_application_s() -> None:
    assert (WEB / "openapi.json").read_text() == description()  # otherwise: make web-types
