"""The option `--allow-exec` of commands that read files in which agents can be programs."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from deckatlas.cli.common import err
from deckatlas.files.programs import programs_allowed

Command = Callable[..., None]

_Allow = Annotated[
    bool,
    typer.Option(
        "--allow-exec",
        help="Let files start the programs that they name (exec:CMD). Each command is printed before it runs.",
    ),
]


def with_allow_exec(command: Command) -> Command:
    """The command with the option."""

    @wraps(command)
    def extended(allow_exec: bool = False, **given: Any) -> None:
        shown: set[str] = set()

        def report(place: str, program: str) -> None:
            if program not in shown:
                shown.add(program)
                err.print(f"{place}: starts the program {program}", markup=False, soft_wrap=True)

        with programs_allowed(allow_exec, report):
            command(**given)

    signature = inspect.signature(command)
    option = inspect.Parameter("allow_exec", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=_Allow)
    extended.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), option]
    )
    extended.__annotations__ = {**command.__annotations__, "allow_exec": _Allow}
    return extended
