"""Options, notes and examples that games add to commands.

A command that takes such options has a parameter `**own`. When the app is made, the options of all games replace it,
with one panel of the help per game; the command then asks `options_of` for the options of the chosen game.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any

import typer

from deckatlas.errors import GameError, MatchError
from deckatlas.games import Game, all_games
from deckatlas.games.game import GameOption

Command = Callable[..., None]


def with_parts_of_games(name: str, command: Command) -> Command:
    """The command with the options, notes and examples of all games.

    Raises:
        GameError: If options of games conflict.
    """
    parts = {game.name: game.command_part(name) for game in all_games()}
    signature = inspect.signature(command)
    common = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
    own = _merged({game: part.options for game, part in parts.items()}, taken={each.name for each in common})
    if own and len(common) == len(signature.parameters):
        raise GameError(f"the command {name} takes no options of games: {', '.join(own)}")

    @wraps(command)
    def extended(**given: Any) -> None:
        command(**given)

    parameters = [*common, *map(_parameter, own.values())]
    extended.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    extended.__annotations__ = {each.name: each.annotation for each in parameters}
    notes = [note for part in parts.values() for note in part.notes]
    examples = [f"Example: {example}" for part in parts.values() for example in part.examples]
    extended.__doc__ = "\n\n".join([inspect.getdoc(command) or "", *notes, *examples])
    return extended


def options_of(game: Game, command: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given options of a game, out of all options of a command.

    Raises:
        MatchError: If an option of another game is given.
    """
    own = {option.name for option in game.command_part(command).options}
    chosen = {name: value for name, value in given.items() if value is not None and value is not False and value != []}
    for name in chosen:
        if name not in own:
            others = [each for each in all_games() if name in _names(each, command)]
            typed = next(option.typed for option in others[0].command_part(command).options if option.name == name)
            raise MatchError(f"{typed} is for {' and '.join(each.name for each in others)}, not for {game.name}")
    return chosen


def _names(game: Game, command: str) -> set[str]:
    return {option.name for option in game.command_part(command).options}


@dataclass
class _Merged:
    """An option, with its summary for each game that has it; games can share options of the same kind."""

    option: GameOption
    summaries: dict[str, str]

    @property
    def help(self) -> str:
        """The help of the option, per game if games differ."""
        if len({*self.summaries.values()}) == 1:
            return self.option.summary
        return " ".join(f"{game}: {summary}" for game, summary in self.summaries.items())


def _merged(options: Mapping[str, tuple[GameOption, ...]], *, taken: set[str]) -> dict[str, _Merged]:
    """Every option once, by its name."""
    merged: dict[str, _Merged] = {}
    for game, own in options.items():
        for option in own:
            if option.name in taken:
                raise GameError(f"{game}: the command already has an option {option.typed} for all games")
            known = merged.setdefault(option.name, _Merged(option, {}))
            if _kind(known.option) != _kind(option):
                raise GameError(f"{game}: {next(iter(known.summaries))} has {option.typed} as another kind of option")
            known.summaries[game] = option.summary
    return merged


def _kind(option: GameOption) -> tuple[type, bool, str]:
    return option.kind, option.several, option.typed


def _parameter(merged: _Merged) -> inspect.Parameter:
    # The default is None, so that an option of another game can be refused; real defaults are in the texts.
    option, panel = merged.option, f"Options of {' and '.join(merged.summaries)}"
    kind: Any = list[option.kind] if option.several else option.kind  # type: ignore[name-defined]
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=False if option.kind is bool else None,
        annotation=Annotated[
            bool if option.kind is bool else kind | None,
            typer.Option(option.typed, help=merged.help, rich_help_panel=panel),
        ],
    )
