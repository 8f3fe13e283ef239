"""Line numbers in a TOML text: the line of every key, header and list entry.

The standard library's TOML reader drops line numbers. This scanner runs after it, so it can assume that the text is
valid and only needs to find where keys and values start and end.
"""

import re
from itertools import accumulate

from deckatlas.files.plain_data import toml_values

Path = tuple[str | int, ...]  # keys, and indices of list entries

_BLANK = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'""")
_STRING = re.compile(
    r'''
    """(?:[^\\]|\\.)*?"""(?:"{0,2})     # multi-line string; its text may end with quotes
    | \'\'\'.*?\'\'\'(?:'{0,2})
    | "(?:[^"\\]|\\.)*"
    | '[^']*'
    ''',
    re.VERBOSE | re.DOTALL,
)
_OTHER = re.compile(r"[^,\]}#\n]*")  # numbers, dates, true and false


def dotted(path: Path) -> str:
    """A path in readable form: `arena.opponents[1]`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def toml_lines(text: str) -> dict[Path, int]:
    """The line, from 1, on which each key of a valid TOML text first appears.

    A dotted key or header counts for all the tables it names. Entries of lists and arrays of tables are numbered
    from 0.
    """
    scanner = _Scanner(text)
    scanner.document()
    return scanner.lines


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._counted = (0, 1)  # a place, and the line there
        self._entries: dict[Path, int] = {}  # the number of tables in each array of tables so far
        self.lines: dict[Path, int] = {}

    def document(self) -> None:
        table: Path = ()
        self._skip(_BETWEEN)
        while self._at < len(self._text):
            if self._next("["):
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BETWEEN)

    def _header(self) -> Path:
        """Reads `[a.b]` or `[[a.b]]`; returns the table that the lines below it fill."""
        line = self._line()
        of_array = self._next("[[")
        self._at += 2 if of_array else 1
        *outer, last = self._keys()
        self._at += 2 if of_array else 1
        table: Path = ()
        for key in outer:
            table = self._latest((*table, key))
            self.lines.setdefault(table, line)
        table = (*table, last)
        self.lines.setdefault(table, line)
        if of_array:
            self._entries[table] = self._entries.get(table, 0) + 1
            table = self._latest(table)
            self.lines[table] = line
        return table

    def _latest(self, table: Path) -> Path:
        """The table that a header refers to: for an array of tables, the latest one."""
        return (*table, self._entries[table] - 1) if table in self._entries else table

    def _pair(self, table: Path) -> None:
        line = self._line()
        keys = self._keys()
        for path in accumulate(((key,) for key in keys), lambda one, more: (*one, *more), initial=table):
            if path != table:
                self.lines.setdefault(path, line)
        self._at += 1  # =
        self._skip(_BLANK)
        self._value((*table, *keys))

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._skip(_BLANK)
            key = self._take(_KEY)
            keys.append(toml_values(f"key = {key}")["key"] if key[0] in "\"'" else key)
            self._skip(_BLANK)
            if not self._next("."):
                return keys
            self._at += 1

    def _value(self, path: Path) -> None:
        if self._next("["):
            self._list(path)
        elif self._next("{"):
            self._inline_table(path)
        elif self._next('"') or self._next("'"):
            self._take(_STRING)
        else:
            self._take(_OTHER)

    def _list(self, path: Path) -> None:
        self._at += 1
        self._skip(_BETWEEN)
        number = 0
        while not self._next("]"):
            entry = (*path, number)
            self.lines[entry] = self._line()
            self._value(entry)
            self._skip(_BETWEEN)
            self._skip_comma()
            number += 1
        self._at += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        self._skip(_BETWEEN)
        while not self._next("}"):
            self._pair(path)
            self._skip(_BETWEEN)
            self._skip_comma()
        self._at += 1

    def _skip_comma(self) -> None:
        if self._next(","):
            self._at += 1
            self._skip(_BETWEEN)

    def _next(self, text: str) -> bool:
        return self._text.startswith(text, self._at)

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        assert match is not None, "the text is valid TOML"
        self._at = match.end()
        return match[0]

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._take(pattern)

    def _line(self) -> int:
        place, line = self._counted
        self._counted = self._at, line + self._text.count("\n", place, self._at)
        return self._counted[1]
