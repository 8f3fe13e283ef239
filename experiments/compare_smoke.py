"""Compares the results of two smoke runs of all experiments: are the numbers the same?

    python compare_smoke.py BEFORE AFTER [--ignore NAME]... [--without-intervals]

BEFORE and AFTER are folders that smoke.sh has written: PAPER/ITEM/status.txt and, below PAPER/ITEM, the files of the
result. For each item the program prints one line: `same`, or `differs` with the first place that differs. The exit code
is 0 if all items are the same, 1 if one differs, is missing or has failed, and 2 if there is nothing to compare.

What must be equal:

- CSV: the header and every cell; cells that are numbers by their value (1 and 1.0 are equal), others as text.
- JSON: every key and every value, numbers by their value.
- Markdown, and the prose fields of JSON: all numbers, in their order. Where only words differ, the line says so, but
  the item counts as the same.
- The names of these files, and that the command succeeded.

What is ignored: fields whose name is in IGNORED or given with --ignore, durations, speeds and commands in Markdown,
figures, the stores of runs, and what the command printed. `--ignore NAME` means all JSON fields and CSV columns of that
name, `--ignore .PATH` one place of JSON files (`.runs` is the configurations in result.json, and not the table
`.rows.runs`). `--without-intervals` leaves out the ends of intervals: fields `low`, `high`, `..._low`, `..._high`, and
in texts all within brackets or behind ±. It is for versions that compute intervals otherwise. The last line of the
output lists the ignored fields that were found.
"""

import argparse
import csv
import io
import json
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

# Fields of JSON and columns of CSV that may differ between two runs of the same experiment.
IGNORED = frozenset(
    {
        "command",  # how the program was called
        "cpu_seconds",
        "wall_seconds",
        "seconds",
        "games_per_cpu_second",  # speeds
        "cpu_ms_per_turn",
        "mcts_cpu_ms_per_turn",
        "times_as_long_per_game",
        "times_as_long_per_turn",
        "created",  # moments
        "finished",
        "digest",  # a hash, whose format may change while the numbers stay
        "versions",
    }
)
PROSE = frozenset({"title", "source", "notes"})  # fields of JSON that are sentences for people
ENDINGS = (".csv", ".json", ".md")
STATUS = "status.txt"
STORES = "runs"

_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_DURATION = re.compile(r"\d[\d,.]*\s*(?:ms|s|seconds|minutes|hours|games/s|times as long)\b")
_COMMAND = re.compile(r"^ {4}deckatlas .*$", re.MULTILINE)
_INTERVAL = re.compile(r"\[[-+\d.,\s]*\]|±\s*[\d.]+")
_MISSING = object()


@dataclass
class Findings:
    """What the comparison of one item found.

    Attributes:
        differences: The places that differ, with both values.
        reworded: Files that have the same numbers in other words.
        ignored: The names of fields that were there and were not compared.
        files: How many files were compared.
    """

    differences: list[str] = field(default_factory=list)
    reworded: set[str] = field(default_factory=set)
    ignored: set[str] = field(default_factory=set)
    files: int = 0

    def line(self) -> str:
        """The findings in a few words."""
        if self.differences:
            more = len(self.differences) - 1
            return f"differs: {self.differences[0]}" + (f" (and {more:,} more places)" if more else "")
        words = f"; other words in {', '.join(sorted(self.reworded))}" if self.reworded else ""
        return f"same ({self.files} files{words})"


class Comparison:
    """Compares the files of an item, and collects what it finds.

    Args:
        ignored: The names of fields that are not compared.
        intervals: Whether the ends of intervals are compared.
    """

    def __init__(self, ignored: frozenset[str], *, intervals: bool = True) -> None:
        self._ignored = ignored
        self._intervals = intervals
        self.found = Findings()

    def _is_ignored(self, *names: str) -> bool:
        """Whether a field is left out, by its name or its path; if so, it is noted."""
        left_out = {name for name in names if name in self._ignored}
        if not self._intervals:
            left_out |= {name for name in names[:1] if name in ("low", "high") or name.endswith(("_low", "_high"))}
        self.found.ignored |= left_out
        return bool(left_out)

    def folders(self, before: Path, after: Path) -> None:
        """Compares two folders of one item."""
        for name, folder in (("before", before), ("after", after)):
            if problem := _failure(folder):
                self.found.differences.append(f"{name}: {problem}")
        if self.found.differences:
            return
        old, new = _results(before), _results(after)
        for name in sorted({*old, *new}):
            if name not in old or name not in new:
                self.found.differences.append(f"{name} is only there {'after' if name in new else 'before'}")
            else:
                self._files(name, old[name], new[name])

    def _files(self, name: str, before: Path, after: Path) -> None:
        self.found.files += 1
        compare = {".csv": self._tables, ".json": self._documents, ".md": self._pages}[before.suffix]
        compare(name, before.read_text(encoding="utf-8"), after.read_text(encoding="utf-8"))

    def _documents(self, name: str, before: str, after: str) -> None:
        self._values(name, "", json.loads(before), json.loads(after), prose=False)

    def _pages(self, name: str, before: str, after: str) -> None:
        old, new = (_DURATION.sub("", _COMMAND.sub("", text)) for text in (before, after))
        self._sentences(name, "", old, new)

    def _tables(self, name: str, before: str, after: str) -> None:
        (old_header, *old_rows), (new_header, *new_rows) = _rows(before), _rows(after)
        if old_header != new_header:
            self._differs(name, "columns", _shown(old_header), _shown(new_header))
            return
        if len(old_rows) != len(new_rows):
            self._differs(name, "length", f"{len(old_rows):,} rows", f"{len(new_rows):,} rows")
        for number, (old, new) in enumerate(zip(old_rows, new_rows, strict=False), start=1):
            for column, one, other in zip_longest(old_header, old, new):
                if not self._is_ignored(str(column)) and not _same_cell(one, other):
                    self._differs(name, f"row {number}, {column}", _shown(one), _shown(other))

    def _values(self, file: str, path: str, before: Any, after: Any, *, prose: bool) -> None:
        """Compares two JSON values.

        Args:
            file: The name of the file that they are from.
            path: Where they stand in it, such as `.rows.cards[0]`; empty for the whole file.
            before: One value, or _MISSING.
            after: The other.
            prose: Whether texts are sentences, of which only the numbers count.
        """
        if isinstance(before, dict) and isinstance(after, dict):
            for key in dict.fromkeys((*before, *after)):
                inner = f"{path}.{key}"
                if not self._is_ignored(key, inner):
                    old, new = before.get(key, _MISSING), after.get(key, _MISSING)
                    self._values(file, inner, old, new, prose=key in PROSE)
        elif isinstance(before, list) and isinstance(after, list):
            if len(before) != len(after):
                self._differs(file, path, f"{len(before):,} entries", f"{len(after):,} entries")
            for number, (old, new) in enumerate(zip(before, after, strict=False)):
                self._values(file, f"{path}[{number}]", old, new, prose=prose)
        elif prose and isinstance(before, str) and isinstance(after, str):
            self._sentences(file, path, _DURATION.sub("", before), _DURATION.sub("", after))
        elif not _same_value(before, after):
            self._differs(file, path, _shown(before), _shown(after))

    def _sentences(self, file: str, path: str, before: str, after: str) -> None:
        """Compares the numbers in two texts, in their order."""
        if not self._intervals:
            before, after = _INTERVAL.sub("", before), _INTERVAL.sub("", after)
        for number, (old, new) in enumerate(zip_longest(_numbers(before), _numbers(after)), start=1):
            if old is None or new is None or old[1] != new[1]:
                place = f"{path}, number {number}" if path else f"number {number}"
                self._differs(file, place, _context(old), _context(new))
                return  # what follows is out of step
        if before.split() != after.split():
            self.found.reworded.add(file)

    def _differs(self, file: str, place: str, before: str, after: str) -> None:
        self.found.differences.append(f"{file}, {place}: {before} -> {after}")


def _rows(table: str) -> list[list[str]]:
    """The rows of a CSV file, the header first; an empty file has an empty header."""
    return list(csv.reader(io.StringIO(table, newline=""))) or [[]]


def _failure(folder: Path) -> str:
    """Why the results of an item cannot be compared; empty if they can."""
    status = folder / STATUS
    if not status.is_file():
        return "the item is missing or was interrupted"
    text = status.read_text(encoding="utf-8").strip()
    return "" if text.startswith("exit code 0 ") else f"the command failed, {text}"


def _results(folder: Path) -> dict[str, Path]:
    """The files of a result by their names, without the stores of runs."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.suffix in ENDINGS and path.relative_to(folder).parts[0] != STORES
    }


def _numbers(text: str) -> Iterator[tuple[str, float]]:
    """All numbers of a text, each with the line that it stands in, and its value."""
    for line in text.splitlines():
        for match in _NUMBER.finditer(line):
            yield f"{match.group()} in {line.strip()[:100]!r}", float(match.group().replace(",", ""))


def _context(number: tuple[str, float] | None) -> str:
    return "none" if number is None else number[0]


def _same_cell(before: str | None, after: str | None) -> bool:
    if before == after:
        return True
    if before is None or after is None:
        return False
    try:
        return _same_value(float(before), float(after))
    except ValueError:
        return False


def _same_value(before: Any, after: Any) -> bool:
    if isinstance(before, bool) or isinstance(after, bool):  # True equals 1 in Python
        return before is after
    if isinstance(before, float) and isinstance(after, float) and math.isnan(before) and math.isnan(after):
        return True
    return bool(before == after)


def _shown(value: Any) -> str:
    text = "nothing" if value is _MISSING else json.dumps(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _items(folder: Path) -> list[str]:
    """The items of a smoke run, as PAPER/ITEM."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob("*/*") if path.is_dir())


def main() -> int:
    """Compares two smoke runs, item by item."""
    parser = argparse.ArgumentParser(description="Compares the results of two smoke runs of all experiments.")
    parser.add_argument("before", type=Path, help="a folder written by smoke.sh")
    parser.add_argument("after", type=Path, help="another one, written with another version of Deckatlas")
    parser.add_argument(
        "--ignore",
        metavar="NAME",
        action="append",
        default=[],
        help="do not compare these fields; .PATH is one place of JSON files",
    )
    parser.add_argument("--without-intervals", action="store_true", help="do not compare the ends of intervals")
    options = parser.parse_args()
    items = sorted({*_items(options.before), *_items(options.after)})
    if not items:
        print(f"there are no results in {options.before} and {options.after}", file=sys.stderr)
        return 2
    ignored: set[str] = set()
    different = 0
    for item in items:
        comparison = Comparison(IGNORED | {*options.ignore}, intervals=not options.without_intervals)
        comparison.folders(options.before / item, options.after / item)
        print(f"{item}: {comparison.found.line()}")
        ignored |= comparison.found.ignored
        different += bool(comparison.found.differences)
    print(f"{len(items) - different} of {len(items)} items are the same")
    print(
        f"ignored fields: {', '.join(sorted(ignored)) or 'none'}; ignored in Markdown: durations, speeds and commands"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
