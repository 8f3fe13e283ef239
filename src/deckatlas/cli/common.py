"""Shared by commands: the name of the game, progress bars, what is printed."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from deckatlas.cli.console import PlainConsole
from deckatlas.errors import GameError
from deckatlas.files.limits import MOST_TOML_BYTES
from deckatlas.files.plain_data import NotPlainData, toml_values
from deckatlas.files.reading import read_text
from deckatlas.files.writing import write_text
from deckatlas.games import BUILT_IN, Game, all_games, find
from deckatlas.games.game import PlainTable

if TYPE_CHECKING:  # pydantic is slow to import
    from deckatlas.runs.view import RunView

BAD_INPUT = 2

Part = str | Text | Table | PlainTable  # what a command prints

out = PlainConsole(highlight=False, emoji=False)
err = PlainConsole(stderr=True, highlight=False, emoji=False)


GameArgument = Annotated[
    str,
    typer.Argument(help=f"The game: {', '.join(BUILT_IN)}, or a game from an installed package.", metavar="GAME"),
]
StoreOption = Annotated[
    Path, typer.Option("--store", envvar="DECKATLAS_RUNS", help="The folder where runs are stored.")
]
RUNS = Path("runs")
SeedOption = Annotated[int, typer.Option(help="The random seed; the same seed gives the same result.")]
MeasuresOption = Annotated[
    str | None,
    typer.Option(
        help="Build the map over other measures: names of columns, such as num_turns,deck_mana_sum (default: the run's "
        "own measures).",
        metavar="A,B",
    ),
]


def maps_given(runs: Iterable[str], measures: str | None, store: Path) -> "list[RunView]":
    """The runs of these names or paths, with their own measures or others.

    Raises:
        RunError: If there is no such run, or it has no archive.
        SearchError: If a column is unknown.
    """
    from deckatlas.runs.library import find_run  # of which bots under a clock need nothing
    from deckatlas.runs.view import open_run

    views = [open_run(find_run(store, run)) for run in runs]
    return views if measures is None else [view.by([name.strip() for name in measures.split(",")]) for view in views]


def first_game_that_offers(method: str, what: str) -> Game:
    """The first game that has a method, for commands that need not name their game.

    Such commands are about decks, so games whose decks have names come before others.

    Raises:
        GameError: If there is none.
    """
    fitting = [game for game in all_games() if game.offers(method)]
    if not fitting:
        raise GameError(f"no game has {what}")
    return next((game for game in fitting if game.offers("list_decks")), fitting[0])


def game_of_metagame(given: str) -> Game:
    """The game of a metagame: the one that its file names, or that ships it, or else the first that has metagames.

    Raises:
        GameError: If the file names an unknown game, or no game has metagames.
    """
    if given.endswith(".toml"):
        named = _game_named_in(Path(given))
        if named is not None:
            return named
    ships = (game for game in all_games() if given in game.metagames)
    return next(ships, None) or first_game_that_offers("metagame", "metagames")


def _game_named_in(file: Path) -> Game | None:
    """The game that a TOML file names; None if it names none, or cannot be read, which its game then reports."""
    try:
        name = toml_values(read_text(file, most=MOST_TOML_BYTES, error=GameError)).get("game")
    except (GameError, NotPlainData):
        return None
    if not isinstance(name, str):
        return None
    try:
        return find(name)
    except GameError as error:
        raise GameError(f"{file}: {error}") from None


class _Rate(ProgressColumn):
    """Steps per second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f} {task.fields.get('unit', '')}/s" if speed else "", style="dim")


@contextmanager
def progress_bar(description: str, total: int | None, *, unit: str = "games") -> Iterator[Callable[..., None]]:
    """Shows a progress bar while the block runs; yields a function that takes the number of steps done.

    That function also takes a new total, if the total changes, and a note to show beside the description.

    Nothing is shown if standard error is not a terminal.
    """
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task(description, total=total, unit=unit)
        yield lambda done, total=total, note="": progress.update(
            task, completed=done, total=total, description=f"{description}, {note}" if note else description
        )


def has_colours() -> bool:
    """Whether standard output is a terminal with colours."""
    return out.is_terminal and out.color_system is not None


def print_parts(parts: Iterable[Part]) -> None:
    """Prints lines and tables in their order."""
    for part in parts:
        if isinstance(part, Table | PlainTable):
            print_table(part if isinstance(part, Table) else _table_of(part))
        else:
            out.print(part, markup=False, soft_wrap=True)


def print_table(table: Table) -> None:
    """Prints a table at its full width, even on a narrow terminal: a truncated number helps nobody."""
    full = out.measure(table, options=out.options.update(width=10_000)).maximum
    PlainConsole(width=max(full, out.width), highlight=False, emoji=False).print(table)


def write_json(path: Path, value: Any) -> None:
    """Writes JSON to a file, or to standard output for `-`.

    Raises:
        DeckatlasError: If the file cannot be written.
    """
    write_text(path, json_text(value))


def json_text(value: Any) -> str:
    """A value as indented JSON."""
    return json.dumps(value, indent=2) + "\n"


def _table_of(plain: PlainTable) -> Table:
    title, caption = (Text(text) if text else None for text in (plain.title, plain.caption))
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for column in plain.columns:
        table.add_column(column, justify="left" if column in plain.left else "right", no_wrap=True)
    for number, rows in enumerate(plain.sections):
        if number:
            table.add_section()
        for row in rows:
            table.add_row(*map(Text, row))
    return table
