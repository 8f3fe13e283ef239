"""Fuzzes all parsers for some time, and says how many files were read: `make fuzz`, or `python -m fuzz.fuzzing`.

A mutant that reaches a line of the package which none before it has reached joins the corpus, and further mutants are
made of it. Whatever is raised but the package's own errors is a finding, as is a file that takes more than some
seconds: it is written to the folder of findings with its traceback.
"""

import argparse
import random
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any

import deckatlas
from deckatlas.errors import DeckatlasError
from fuzz.parsers import PARSERS, Parser

CORPUS = Path(__file__).parent / "corpus"
SLOW_SECONDS = 10  # of CPU time for one file
_LONGEST_KEPT = 4_000  # bytes of a file of the corpus
_USUAL = 300  # calls of a function without a new line, after which it is no longer watched
_PACKAGE = str(Path(deckatlas.__file__).parent)


class TooSlow(Exception):  # noqa: N818 - it is a finding like any other
    """A file that takes too long."""


class Lines:
    """The lines of the package that were ever reached."""

    def __init__(self) -> None:
        self._reached: dict[CodeType, set[int]] = {}
        self._calls: dict[CodeType, int] = {}
        self.is_new = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notes whether the block reaches a new line."""
        self.is_new = False
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(_PACKAGE):
            return None
        calls = self._calls[code] = self._calls.get(code, 0) + 1
        if calls > _USUAL:
            return None
        reached = self._reached.setdefault(code, set())

        def line(frame: FrameType, event: str, _: Any) -> Any:
            if frame.f_lineno not in reached:
                reached.add(frame.f_lineno)
                self._calls[code] = 0
                self.is_new = True
            return line

        return line


@dataclass
class Campaign:
    """The fuzzing of one parser."""

    name: str
    parser: Parser
    rng: random.Random
    folder: Path
    lines: Lines | None = None
    executions: int = 0
    findings: list[str] = field(default_factory=list)
    corpus: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        kept = sorted((CORPUS / self.name).glob("*")) if (CORPUS / self.name).is_dir() else []
        self.corpus = [*self.parser.seeds(), *(path.read_bytes() for path in kept)]

    def step(self) -> None:
        """Reads one mutant."""
        parent = self.rng.choice(self.corpus)
        place = self.folder / f"file{self.parser.ending}"
        content = self.parser.mutant(parent, self.corpus, self.rng, place)
        place.write_bytes(content)
        self.executions += 1
        problem = self.problem_with(place)
        if problem is not None:
            self.findings.append(problem)
            found = self.folder.parent / "findings"
            found.mkdir(exist_ok=True)
            name = f"{self.name}-{sha256(content).hexdigest()[:12]}"
            (found / f"{name}{self.parser.ending}").write_bytes(content)
            (found / f"{name}.txt").write_text(problem)
        elif self.lines is not None and self.lines.is_new and len(content) <= _LONGEST_KEPT:
            self.corpus.append(content)

    def problem_with(self, place: Path) -> str | None:
        """The traceback that a file causes, if any."""
        try:
            with _time_limit(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if self.lines is None:
                    self.parser.read(place)
                else:
                    with self.lines.watched():
                        self.parser.read(place)
        except DeckatlasError as error:
            return None if "\n" not in str(error) else f"an error of several lines: {error}"
        except Exception:
            return traceback.format_exc()
        return None

    def keep(self) -> None:
        """Writes what joined the corpus to its folder, for the next time."""
        folder = CORPUS / self.name
        folder.mkdir(parents=True, exist_ok=True)
        for content in self.corpus[len(self.parser.seeds()) :]:
            (folder / sha256(content).hexdigest()[:12]).write_bytes(content)


@contextmanager
def _time_limit() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {SLOW_SECONDS} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SLOW_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def main() -> int:
    """Fuzzes for a given time; returns the number of findings, at most 1."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=60, help="for all parsers together")
    options.add_argument("--seed", type=int, default=int(time.time()))
    options.add_argument("--only", nargs="*", default=list(PARSERS), choices=list(PARSERS))
    options.add_argument("--findings", type=Path, help="the folder of findings' folder; a temporary one by default")
    options.add_argument("--keep", action="store_true", help="keep what reaches new lines in the corpus")
    given = options.parse_args()
    print(f"seed {given.seed}")
    executions = findings = 0
    with TemporaryDirectory() as temporary:
        top = given.findings or Path(temporary)
        for name in given.only:
            folder = top / name
            folder.mkdir(parents=True, exist_ok=True)
            campaign = Campaign(name, PARSERS[name], random.Random(f"{given.seed} {name}"), folder, Lines())
            end = time.monotonic() + given.seconds / len(given.only)
            while time.monotonic() < end:
                campaign.step()
            if given.keep:
                campaign.keep()
            kinds = {finding.strip().splitlines()[-1] for finding in campaign.findings}
            print(f"{name:14} {campaign.executions:8,} files, corpus {len(campaign.corpus):4}", flush=True)
            for kind in sorted(kinds):
                print(f"  {kind[:300]}")
            executions, findings = executions + campaign.executions, findings + len(campaign.findings)
        print(f"{executions:,} files, {findings} findings")
    return min(findings, 1)


if __name__ == "__main__":
    sys.exit(main())
