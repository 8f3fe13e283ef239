"""What commands print, without control characters: names from files of others must not steer a terminal."""

import re
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

LONGEST_LINE = 500  # characters of an error

_NOT_PLAIN = re.compile(r"[^\n\t\x20-\x7e]")


class PlainConsole(Console):
    """A console that shows characters which control terminals in Python's notation. Colours are its own alone."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is printed."""
        for segment in super().render(renderable, options):
            if segment.control or not _NOT_PLAIN.search(segment.text):
                yield segment
            else:
                yield Segment(escaped(segment.text), segment.style)


def escaped(text: str) -> str:
    """A text with all characters that are not printable, other than line breaks and tabs, in Python's notation."""
    return _NOT_PLAIN.sub(lambda found: found[0] if found[0].isprintable() else ascii(found[0])[1:-1], text)


def error_line(error: object) -> str:
    """An error as one line of sensible length; the end of a long one says more than its middle."""
    line = escaped(str(error)).replace("\n", "\\n").replace("\t", "\\t")
    if len(line) <= LONGEST_LINE:
        return line
    tail = LONGEST_LINE // 4
    return f"{line[: LONGEST_LINE - tail - 5]} ... {line[-tail:]}"
