"""The program `deckatlas`: its commands, and how errors end it."""

import sys

import typer

from deckatlas import __version__
from deckatlas.cli import bench, bot, common, demo, game, matches, referee, verify
from deckatlas.errors import DeckatlasError

app = typer.Typer(
    help="Plays collectible card games by the million, and maps what wins and how.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    demo.demo,
    matches.play,
    matches.gauntlet,
    matches.agents,
    game.game,
    verify.verify,
    referee.referee,
    bot.bot,
    bench.bench,
):
    app.command()(command)


@app.callback(invoke_without_command=True)
def _main(version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True)) -> None:
    if version:
        typer.echo(f"deckatlas {__version__}")
        raise typer.Exit


def run() -> None:
    """Runs the command line: bad input is one line and exit code 2. Typer ends it with 130 on Ctrl-C."""
    try:
        app()
    except DeckatlasError as error:
        common.err.print(f"deckatlas: {error}", markup=False, soft_wrap=True)
        sys.exit(common.BAD_INPUT)
