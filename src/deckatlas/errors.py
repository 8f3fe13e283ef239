"""The errors Deckatlas raises on bad input; the C++ core raises the same classes.

All of them are `DeckatlasError`, which is a `ValueError`; the command line turns one into one line and exit code 2.
"""


class DeckatlasError(ValueError):
    """Bad input of any kind."""


class GameError(DeckatlasError):
    """A game that is unknown, cannot be loaded, or does not offer what is asked for."""


class CardError(DeckatlasError):
    """A card or a card table that cannot be."""


class DeckError(DeckatlasError):
    """A deck that cannot be played."""


class StateError(DeckatlasError):
    """A state, or a text of one, that the rules cannot go on from."""


class IllegalActionError(DeckatlasError):
    """An action that is malformed or not legal now."""


class AgentError(DeckatlasError):
    """An unknown agent or draft policy, an unknown option, or an agent that broke the rules."""


class MatchError(DeckatlasError):
    """A match that cannot be played as asked for."""


class TraceError(DeckatlasError):
    """A trace, scenario or record file that cannot be read."""


class SearchError(DeckatlasError):
    """A search that cannot be set up as asked for.

    Attributes:
        keys: Names of the options that do not go together; `budget` is the budget, `genome.kind` the space's kind.
    """

    def __init__(self, message: str, *keys: str) -> None:
        super().__init__(message)
        self.keys = keys


class RunError(DeckatlasError):
    """A configuration file or a run's store that cannot be used."""
