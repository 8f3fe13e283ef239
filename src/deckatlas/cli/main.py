"""The program `deckatlas`: its commands, and how errors end it."""

import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

import typer

from deckatlas import __version__
from deckatlas.cli import common
from deckatlas.cli.console import error_line
from deckatlas.cli.game_options import with_parts_of_games
from deckatlas.cli.programs import with_allow_exec
from deckatlas.errors import DeckatlasError

# The module of each command. It is imported only when the command is used: a program that plays under a referee's clock
# cannot wait for all the others.
COMMANDS = {
    "demo": "demo",
    "play": "matches",
    "gauntlet": "gauntlet",
    "agents": "matches",
    "decks": "cards",
    "deck": "cards",
    "cards": "cards",
    "evaluate": "evaluate",
    "meta": "meta",
    "compare": "compare",
    "improve": "improve",
    "balance": "balance",
    "rebalance": "rebalance",
    "game": "game",
    "verify": "verify",
    "referee": "referee",
    "bot": "bot",
    "bench": "bench",
    "doctor": "doctor",
    "train": "train",
    "adapt": "train",
    "run": "run",
    "runs": "runs",
    "show": "runs",
    "verify-store": "runs",
    "plot": "plot",
    "report": "report",
    "patterns": "patterns",
    "export": "export",
    "studio": "studio",
    "reproduce": "reproduce",
}

# What Typer raises for a command line that it cannot read; it exports only a child of this class.
_UnreadableError: type[Exception] = next(
    each for each in typer.BadParameter.__mro__ if each.__name__ == "ClickException"
)

# Games add options, notes and examples to these commands, but not to `bot`: it must not wait for other games' modules.
WITH_PARTS_OF_GAMES = (
    "play",
    "gauntlet",
    "agents",
    "decks",
    "deck",
    "cards",
    "evaluate",
    "compare",
    "game",
    "verify",
    "referee",
)

# Agents in files that these commands read can be programs.
WITH_AGENTS_OF_FILES = ("gauntlet", "evaluate", "train", "run", "reproduce")


def _main(version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True)) -> None:
    if version:
        typer.echo(f"deckatlas {__version__}")
        raise typer.Exit


def make_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """The command line with these commands."""
    app = typer.Typer(
        help="Plays collectible card games by the million, and maps what wins and how.\n\n"
        "Start with `deckatlas demo`. `deckatlas COMMAND --help` explains a command, with examples.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(_main)
    for name in names:
        command = getattr(import_module(f"deckatlas.cli.{COMMANDS[name]}"), name.replace("-", "_"))
        if isinstance(command, typer.Typer):  # a command with commands of its own
            for own in command.registered_commands:
                _fill_paragraphs(own.callback)
            app.add_typer(command, name=name)
        else:
            if name in WITH_PARTS_OF_GAMES:
                command = with_parts_of_games(name, command)
            _fill_paragraphs(command)
            app.command(name)(with_allow_exec(command) if name in WITH_AGENTS_OF_FILES else command)
    return app


def _fill_paragraphs(command: Callable[..., Any] | None) -> None:
    """Joins the lines of each paragraph of a command's text: Typer would break them where the source does."""
    if command is not None:
        paragraphs = (inspect.getdoc(command) or "").split("\n\n")
        command.__doc__ = "\n\n".join(each.replace("\n", " ") for each in paragraphs)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    # Raised as an exception, so that started programs are ended on the way out.
    raise SystemExit(128 + number)


def _usage_line(error: Exception) -> str:
    """What is wrong with a command line, and where to read how it should be."""
    message = str(getattr(error, "format_message", error.__str__)()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{message}; see {getattr(context, 'command_path', 'deckatlas')} --help"


def run() -> None:
    """Runs the command line. Bad input gives one line and exit code 2; Ctrl-C gives 130, from Typer."""
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # SIGHUP is POSIX only
            signal.signal(getattr(signal, name), _end)
    called = sys.argv[1:2]
    try:
        try:
            app = make_app(called if called and called[0] in COMMANDS else COMMANDS)
            code = app(standalone_mode=False)
        finally:
            if sys.stdout is not None:  # None if a caller has closed it
                sys.stdout.flush()  # so that a failing write is noticed here, not when the interpreter exits
        sys.exit(code if isinstance(code, int) else 0)
    except _UnreadableError as error:
        if str(error):  # otherwise there were no arguments, and Typer has printed the help
            common.err.print(f"deckatlas: {error_line(_usage_line(error))}", markup=False, soft_wrap=True)
        sys.exit(common.BAD_INPUT)
    except typer.Abort:
        sys.exit(1)
    except DeckatlasError as error:
        common.err.print(f"deckatlas: {error_line(error)}", markup=False, soft_wrap=True)
        sys.exit(common.BAD_INPUT)
    except MemoryError:
        common.err.print("deckatlas: there is not enough memory for so much at once")
        sys.exit(common.BAD_INPUT)
    except OSError as error:
        # Nothing more can be written to standard output, not even by the interpreter when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(error, BrokenPipeError):  # the reader has closed the pipe
            sys.exit(1)
        common.err.print(f"deckatlas: {error.strerror}", markup=False, soft_wrap=True)
        sys.exit(common.BAD_INPUT)
