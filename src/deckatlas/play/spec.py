"""Specs: short texts that name an agent and its options, such as `greedy` or `mcts:playouts=400,c=0.5`."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, TypeVar

from deckatlas.errors import AgentError
from deckatlas.files.programs import EXEC as EXEC
from deckatlas.shapes import nearest

Made = TypeVar("Made")


@dataclass(frozen=True)
class Option:
    """An option of an agent: its summary, and how its text becomes a value.

    Attributes:
        summary: One line for people.
        read: Turns the text after `=` into the value; raises ValueError if it cannot.
        form: What the text must be, for error messages; None for a flag, which takes no text.
        default: The value if the option is not given.
        is_file: Whether the text is the path of a file that the agent reads.
    """

    summary: str
    read: Callable[[str], object]
    form: str | None
    default: object
    is_file: bool = False

    def value_of(self, name: str, text: str | None) -> object:
        """The value for a text, or the default for None.

        Raises:
            AgentError: If the text does not have the option's form.
        """
        if text is None:
            return self.default
        try:
            return self.read(text)
        except ValueError:
            expected = "takes no value" if self.form is None else f"is {self.form}"
            raise AgentError(f"option {name!r} {expected}, not {text[:60]!a}") from None


def _nothing(text: str) -> bool:
    if text:
        raise ValueError
    return True


def _whole(text: str) -> int:
    value = int(text)
    if not -(2**63) <= value < 2**63:  # beyond the core's integers
        raise ValueError
    return value


def flag_option(summary: str) -> Option:
    """An option that is given or not: `coac:original`."""
    return Option(summary, _nothing, None, False)


def whole_number_option(summary: str, default: int) -> Option:
    """An option that is a whole number: `mcts:playouts=400`."""
    return Option(f"{summary} ({default:,})", _whole, "a whole number", default)


def number_option(summary: str, default: float) -> Option:
    """An option that is a number: `mcts:c=0.5`."""
    return Option(f"{summary} ({default:g})", float, "a number", default)


def choice_option(summary: str, values: Iterable[str], default: str) -> Option:
    """An option that is one of some words: `planner:information=perfect`."""
    words = tuple(values)

    def read(text: str) -> str:
        if text not in words:
            raise ValueError
        return text

    return Option(f"{summary} ({default})", read, f"one of {', '.join(words)}", default)


def truth_option(summary: str, default: bool) -> Option:
    """An option that is true or false: `planner:replan=false`."""
    words = {"true": True, "false": False}

    def read(text: str) -> bool:
        if text not in words:
            raise ValueError
        return words[text]

    return Option(f"{summary} ({str(default).lower()})", read, "true or false", default)


def text_option(summary: str) -> Option:
    """An option that is any text; None if it is not given."""
    return Option(summary, str, "a text", None)


def file_option(summary: str) -> Option:
    """An option that is the path of a file: `planner:net=FILE`; None if it is not given."""
    return Option(summary, str, "a path", None, is_file=True)


@dataclass(frozen=True)
class Entry(Generic[Made]):
    """An entry of a registry: how to make the agent, its summary, and its options."""

    make: Callable[..., Made]
    summary: str
    options: Mapping[str, Option] = field(default_factory=dict)


def _split(spec: str) -> tuple[str, list[str]]:
    """The name and the options of a spec."""
    name, colon, rest = spec.partition(":")
    options = rest.split(",") if colon else []
    if "" in options:
        raise AgentError(f"{spec!r} has an empty option: write NAME, or NAME:OPTION,OPTION")
    return name, options


def given_options(spec: str) -> tuple[str, dict[str, str]]:
    """The name in a spec, and the texts of its options.

    Raises:
        AgentError: If an option is empty or given twice.
    """
    options: dict[str, str] = {}
    name, given = _split(spec)
    for part in given:
        key, _, value = part.partition("=")
        if key in options:
            raise AgentError(f"{name!r}: option {key!r} is given twice")
        options[key] = value
    return name, options


def keep_options(spec: str, keep: Callable[[str], bool]) -> str:
    """The spec with only those of its options that `keep` accepts.

    Raises:
        AgentError: If it has an empty option.
    """
    name, options = _split(spec)
    kept = [option for option in options if keep(option.partition("=")[0])]
    return f"{name}:{','.join(kept)}" if kept else name


def with_defaults(spec: str, registry: Mapping[str, Entry[Made]], defaults: Mapping[str, str]) -> str:
    """The spec with default options added, if the agent has them and the spec does not set them.

    Raises:
        AgentError: If it has an empty option.
    """
    name, given = _split(spec)
    known = registry[name].options if name in registry else {}
    chosen = {option.partition("=")[0] for option in given}
    added = [f"{key}={value}" for key, value in defaults.items() if key in known and key not in chosen]
    return f"{name}:{','.join([*given, *added])}" if given or added else name


def files_in(spec: str, registry: Mapping[str, Entry[Made]]) -> list[str]:
    """The paths of the files that an agent reads; empty if there is no such agent.

    Raises:
        AgentError: If the spec has an empty option, or the same option twice.
    """
    entry = registry.get(spec.partition(":")[0])
    known = {} if entry is None else entry.options
    return [path for key, path in given_options(spec)[1].items() if key in known and known[key].is_file]


def make_from_spec(spec: str, registry: Mapping[str, Entry[Made]], *, kind: str) -> Made:
    """Makes what `spec` names: a name, or a name, a colon and options separated by commas.

    Raises:
        AgentError: If the name or an option is unknown (the message has the nearest known one), or an option is
            empty.
    """
    name = spec.partition(":")[0]
    entry = registry.get(name)
    if entry is None:
        raise AgentError(f"unknown {kind} {name!r}: {nearest(name, registry)}")
    _, options = given_options(spec)
    for option in options:
        if option not in entry.options:
            raise AgentError(f"{name!r} has no option {option!r}: {nearest(option, entry.options)}")
    return entry.make(**{key: option.value_of(key, options.get(key)) for key, option in entry.options.items()})


def remember_spec(made: Made, spec: str) -> Made:
    """Notes the text that an agent of the core was made from, so that it can cross processes as that text."""
    setattr(made, "spec", spec)  # noqa: B010 - the core's classes take any attribute
    return made


def spec_of(made: object) -> str:
    """The text that an agent of the core was made from.

    Raises:
        AgentError: If it was not made from a text.
    """
    spec = getattr(made, "spec", None)
    if not isinstance(spec, str):
        raise AgentError(
            "this agent was not made from a text such as 'greedy', so it cannot be sent to another process"
        )
    return spec


def numbered(names: Sequence[str], are_texts: Sequence[bool]) -> list[str]:
    """Names, with numbers added where different entrants share a name.

    Equal texts name equal entrants, so they get no numbers; rankings and callables with one name can differ.
    """
    numbers = {name: count(1) for name, times in Counter(names).items() if times > 1}
    return [
        f"{name} {next(numbers[name])}" if name in numbers and not is_text else name
        for name, is_text in zip(names, are_texts, strict=True)
    ]
