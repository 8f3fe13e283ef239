"""The errors that Deckatlas raises on bad input; the C++ core raises the same classes.

All of them derive from `DeckatlasError`, a `ValueError`. The command line prints one line and exits with code 2.
"""


class DeckatlasError(ValueError):
    """Bad input of any kind."""


class ArgumentError(DeckatlasError, TypeError):
    """An argument of another type than a function takes."""


class GameError(DeckatlasError):
    """A game that is unknown, cannot be loaded, or does not support the request."""


class CardError(DeckatlasError):
    """An impossible card or card table."""


class DeckError(DeckatlasError):
    """A deck that cannot be played."""


class StateError(DeckatlasError):
    """A state, or its text, that the rules do not allow."""


class IllegalActionError(DeckatlasError):
    """An action that is malformed or not legal now."""


class AgentError(DeckatlasError):
    """An unknown agent or draft policy, an unknown option, or an agent that broke the rules."""


class MatchError(DeckatlasError):
    """A match that cannot be played as requested."""


class TraceError(DeckatlasError):
    """A trace, scenario or record file that cannot be read."""


class ModelError(DeckatlasError):
    """A surrogate that cannot be trained, read or used as requested."""


class SearchError(DeckatlasError):
    """A search that cannot be set up as requested.

    Attributes:
        keys: Names of the conflicting options; `budget` is the budget, `genome.kind` the space's kind.
    """

    def __init__(self, message: str, *keys: str) -> None:
        super().__init__(message)
        self.keys = keys


class RunError(DeckatlasError):
    """A configuration file or a run's store that is not usable."""


class BusyRunError(RunError):
    """A run's store that another process is writing."""
