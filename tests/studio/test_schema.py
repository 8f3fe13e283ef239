"""The API against its own description: whatever is asked, nothing fails, and answers have the described shape."""

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.types import Receive, Scope, Send

from deckatlas.studio.app import Options, create_app
from helpers.studio_api import is_stream

pytestmark = pytest.mark.long

EXAMPLES = 20
HOST = {"Host": "127.0.0.1"}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


class _Studio:
    """The studio that is asked: an empty one while tests are collected, and then that of the fixtures."""

    def __init__(self) -> None:
        self.app: Any = create_app(Options(Path("runs")))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


studio = _Studio()
# Event streams have no end, and are tested alone.
streams = [path for path, methods in studio.app.openapi()["paths"].items() if any(map(is_stream, methods.values()))]
schema = schemathesis.openapi.from_asgi("/api/openapi.json", studio, headers=HOST).exclude(path=streams)


@schema.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Lets many requests ask for a run that is there."""
    if path_parameters and "run" in path_parameters and len(str(path_parameters["run"])) % 2 == 0:
        return path_parameters | {"run": "hunter"}
    return path_parameters


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_nothing_that_is_asked_makes_the_studio_fail(case: schemathesis.Case[Any], client: TestClient) -> None:
    studio.app = client.app
    case.call_and_validate(headers=HOST, checks=CHECKS)
