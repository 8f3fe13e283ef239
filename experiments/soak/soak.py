"""An hour in which everything goes wrong at once, and nothing may be lost: see docs/security.md.

    python experiments/soak/soak.py --minutes 60

One act follows the other. In the first kind, a run is killed or interrupted several times, while other commands show,
export, plot and check it, and a second writer tries its luck; it must end with the digest of an unbroken run. In the
second, outputs are killed while they are written. In the third, the disk is full: the commands must say so in one line,
and the run must be resumed once there is room. In the fourth, programs that misbehave play, and Deckatlas itself is
killed or interrupted meanwhile; no process of theirs may stay. In the fifth, stores are damaged.

Whatever is lost, left behind or ends in a traceback is a finding. Figures and findings are written to figures.json
beside this file, or where --out says, after every act; the folder of a finding is kept. The script can be stopped: it
adds to the figures that it finds there, with other seeds.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import deckatlas
from deckatlas.files.writing import write_text
from deckatlas.play.signature import own_signature

sys.path.insert(0, str(Path(__file__).parent))
from hostile import PROGRAMS, command_of, left_of
from small_disk import small_disk
from soaked_runs import MAP_READERS, READERS, RUNS, is_whole, named, stored

DECKATLAS = Path(sys.executable).with_name("deckatlas")
FIGURES = Path(__file__).with_name("figures.json")
PATIENCE = 3600  # seconds for one command, on a machine that has other things to do
LONGEST_END = 120  # seconds from a signal to the end, likewise; the longest is among the figures
SEEDS = 2  # of each kind of run; each has one unbroken run to compare with

SIGNALS = {number: 128 + number for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM)}  # the status of each
OLD = "a good file of yesterday\n" * 400
SMALL = 4096  # bytes that a file may have, less than any output here


@dataclass(frozen=True)
class Ended:
    """How a command ended; the code is the status that a shell would give."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str

    def __str__(self) -> str:
        return f"deckatlas {' '.join(self.words)} ended with {self.code}: {self.err[-2000:] or self.out[-500:]}"

    @property
    def is_decent(self) -> bool:
        """Whether it gave a result, or one line that says why there is none."""
        lines = self.err.splitlines()
        refused = self.code == 2 and len(lines) == 1 and lines[0].startswith("deckatlas: ")
        return self.code == 0 or refused


class Soak:
    """The figures, the findings and the folder of a soak."""

    def __init__(self, folder: Path, earlier: Mapping[str, Any]) -> None:
        self.sessions = earlier.get("sessions", 0) + 1
        self.rng = random.Random(self.sessions)
        self.folder = folder
        self.counts: Counter[str] = Counter(earlier.get("counts", {}))
        self.findings: list[str] = list(earlier.get("findings", []))
        self.longest_end = earlier.get("longest seconds from a signal to the end", 0.0)
        self._minutes = earlier.get("minutes", 0.0)
        self._digests: dict[tuple[str, int], str] = {}
        self._begun = time.monotonic()

    # Commands

    def start(
        self, *words: object, prefix: tuple[str, ...] = (), largest_file: int | None = None
    ) -> "subprocess.Popen[str]":
        """Starts a command in an environment of any kind."""
        self.counts["commands"] += 1
        given = {"PYTHONHASHSEED": str(self.rng.randrange(2**32)), "LC_ALL": self.rng.choice(("C", "C.UTF-8", "de_DE"))}

        def limit() -> None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # which shells ignore for what runs in the background
            if largest_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        return subprocess.Popen(
            [*prefix, str(DECKATLAS), *map(str, words)],
            cwd=self.folder,
            env=os.environ | given,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            preexec_fn=limit,
        )

    def wait(self, process: "subprocess.Popen[str]", seconds: float = PATIENCE) -> Ended:
        """Waits for the end of a command; one that does not end is a finding, and killed."""
        words = tuple(str(word) for word in process.args[1:])  # type: ignore[index]
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            self.found(f"{' '.join(words)} did not end within {seconds} s")
        # As a shell says it: once a command has done its work, Python leaves signals to the system.
        status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        ended = Ended(words, status, out, err)
        if "Traceback" in err:
            self.found(str(ended))
        return ended

    def end(self, process: "subprocess.Popen[str]", number: signal.Signals) -> Ended:
        """Sends a signal to a command; it must end soon."""
        begun = time.monotonic()
        process.send_signal(number)
        ended = self.wait(process)
        seconds = time.monotonic() - begun
        self.longest_end = max(self.longest_end, seconds)
        self.expect(seconds < LONGEST_END, f"{number.name} was answered after {seconds:.0f} s: {ended}")
        return ended

    def command(self, *words: object, prefix: tuple[str, ...] = (), largest_file: int | None = None) -> Ended:
        """Runs a command to its end."""
        return self.wait(self.start(*words, prefix=prefix, largest_file=largest_file))

    def expect(self, holds: bool, what: object) -> None:
        """Notes a finding unless something holds."""
        if not holds:
            self.found(str(what))

    def found(self, what: str) -> None:
        """Notes a finding."""
        self.findings.append(what)
        print(f"FINDING: {what}", flush=True)

    # Acts

    def configuration(self) -> tuple[str, Path, int]:
        """A kind of run, its file, and one of a few seeds."""
        kind, seed = self.rng.choice(sorted(RUNS)), self.rng.randrange(SEEDS)
        file = self.folder / f"{kind}.toml"
        file.write_text(f"seed = 0\n{RUNS[kind]}", encoding="utf-8")
        return kind, file, seed

    def digest(self, kind: str, file: Path, seed: int) -> str:
        """The digest of the unbroken run, which is kept in a folder of its own."""
        if (kind, seed) not in self._digests:
            store = self.folder / "unbroken"
            ended = self.command(
                "run", file, "--seed", seed, "--name", f"{kind}-{seed}", "--store", store, "--threads", 1
            )
            self.expect(ended.code == 0, ended)
            self._digests[kind, seed] = self.command("show", f"{kind}-{seed}", "--store", store, "--digest").out
        return self._digests[kind, seed]

    def kill_a_run(self, place: Path) -> None:
        """Kills and interrupts a run several times, while others read it; then it must be what it would have been."""
        kind, file, seed = self.configuration()
        digest = self.digest(kind, file, seed)
        words = ("run", file, "--seed", seed, "--name", "run", "--store", place / "runs")
        store = place / "runs" / "run.db"
        for _ in range(self.rng.randint(2, 6)):
            process = self.start(*words, "--threads", self.rng.choice((1, 2)))
            before = stored(store)
            while stored(store) <= before and process.poll() is None:
                time.sleep(0.02)
            if self.rng.random() < 0.6:
                self.read(kind, place)
            time.sleep(self.rng.uniform(0, 0.5))
            if self.kill(process, store) == 0:  # it was finished
                break
            self.read(kind, place)
        ended = self.command(*words, "--threads", self.rng.choice((1, 2)))
        self.counts["runs resumed to their end"] += 1
        self.expect(ended.code == 0, ended)
        found = self.command("show", "run", "--store", place / "runs", "--digest")
        self.expect(found.out == digest, f"{kind}, seed {seed}: the digest is {found.out!r} instead of {digest!r}")
        self.check_whole(store, ["run.db"])

    def kill(self, process: "subprocess.Popen[str]", store: Path) -> int:
        """Sends a signal to a run; what was stored must still be there, and whole. Returns its exit code."""
        number = self.rng.choice(sorted(SIGNALS))
        safe = stored(store)
        ended = self.end(process, number)
        self.counts[f"runs ended by {number.name}"] += ended.code == SIGNALS[number]
        self.expect(ended.code in (0, SIGNALS[number]), ended)
        left = stored(store)
        self.expect(left >= safe, f"{safe} evaluations were stored, and {left} are left after {number.name}")
        if store.exists():
            checked = self.command("verify-store", "run", "--store", store.parent)
            self.expect(checked.is_decent and (checked.code == 0 or left == 0), checked)
        return ended.code

    def read(self, kind: str, place: Path) -> None:
        """Lets somebody read a run that is being written."""
        if self.rng.random() < 0.15:
            process = self.start(
                "run", self.folder / f"{kind}.toml", "--seed", 9, "--name", "run", "--store", place / "runs"
            )
            ended = self.wait(process)
            self.counts["second writers, and other runs of the same name"] += 1
            self.expect(ended.code == 2 and ended.is_decent, ended)
            return
        readers = READERS if kind == "evolution" else READERS | MAP_READERS
        what = self.rng.choice(sorted(readers))
        words, name = readers[what]
        ended = self.command(*named(words, place / name), "--store", place / "runs")
        self.counts[what] += 1
        self.expect(ended.is_decent, ended)
        if name and ended.code == 0:
            self.expect(is_whole(place / name), f"{name} is not whole after {ended}")

    def check_whole(self, store: Path, names: list[str]) -> None:
        """Checks a finished run, and that nothing else is left beside it."""
        checked = self.command("verify-store", store.stem, "--store", store.parent)
        self.expect(checked.code == 0, checked)
        found = sorted(path.name for path in store.parent.iterdir())
        self.expect(found == sorted(names), f"the folder of {store.name} has {found}")

    def kill_an_output(self, place: Path) -> None:
        """Kills a command that replaces a good file: the file is the old or the new one, and nothing else is left."""
        kind, file, seed = self.configuration()
        self.digest(kind, file, seed)
        readers = {what: given for what, given in (READERS | MAP_READERS).items() if given[1]}
        what = self.rng.choice(sorted(readers if kind != "evolution" else READERS.keys() & readers.keys()))
        words, name = readers[what]
        given = ("--store", self.folder / "unbroken")
        out = place / name
        begun = time.monotonic()
        ended = self.command(*named(words, out, f"{kind}-{seed}"), *given)
        seconds = time.monotonic() - begun
        self.expect(ended.code == 0 and is_whole(out), ended)
        new = out.read_bytes()
        for _ in range(4):
            out.write_text(OLD, encoding="utf-8")
            process = self.start(*named(words, out, f"{kind}-{seed}"), *given)
            time.sleep(seconds * self.rng.uniform(0.5, 1.1))
            process.kill()
            self.wait(process)
            self.counts["outputs killed"] += 1
            self.counts["of these, while the old file was there"] += (left := out.read_bytes()) == OLD.encode()
            # A picture has the date of its making.
            self.expect(left in (OLD.encode(), new) or (name == "run.svg" and is_whole(out)), f"{name} is half a file")
            found = [path.name for path in place.iterdir() if path.suffix != ".partial"]
            self.expect(found == [name], f"a killed {words[0]} left {found}")
        self.command(*named(words, out, f"{kind}-{seed}"), *given)
        found = [path.name for path in place.iterdir()]
        self.expect(found == [name], f"{found} are still there after {words[0]} was not killed")

    def fill_the_disk(self, place: Path) -> None:
        """Lets the disk be full in the middle of a run and of an output; with room again, the run is resumed."""
        kind, file, seed = self.configuration()
        digest = self.digest(kind, file, seed)
        words = ("run", file, "--seed", seed, "--name", "run", "--store", place / "runs", "--threads", 1)
        room = self.rng.randrange(8, 400) * 1024
        with small_disk(place, room) as disk:
            prefix = () if disk is None else disk.prefix
            ended = self.command(*words, prefix=prefix, largest_file=room if disk is None else None)
            self.counts["limits of file sizes" if disk is None else "full disks"] += ended.code == 2
            self.expect(ended.is_decent, ended)
            if disk is not None:
                disk.grow()
            ended = self.command(*words, prefix=prefix)
            self.expect(ended.code == 0, ended)
            found = self.command("show", "run", "--store", place / "runs", "--digest", prefix=prefix)
            self.expect(found.out == digest, f"{kind}, seed {seed}: {found} after a full disk, not {digest!r}")
            checked = self.command("verify-store", "run", "--store", place / "runs", prefix=prefix)
            self.expect(checked.code == 0, checked)
        out = place / "out.json"
        out.write_text(OLD, encoding="utf-8")
        given = ("export", f"{kind}-{seed}", "--json", out, "--store", self.folder / "unbroken")
        ended = self.command(*given, largest_file=SMALL)
        self.expect(ended.is_decent and ended.code == 2, ended)
        self.expect(out.read_text(encoding="utf-8") == OLD, f"a full disk changed {out.name}")
        self.counts["limits of file sizes"] += 1

    def let_a_program_play(self, place: Path) -> None:
        """Lets a program play that misbehaves; it loses, or we are ended meanwhile, and it ends with us."""
        name, token = self.rng.choice(sorted(PROGRAMS)), f"soak{self.rng.randrange(2**60):x}"
        program = f"exec:{command_of(name, place, token)}"
        number = self.rng.choice((None, *sorted(SIGNALS)))
        patient = ("--time-factor", 600) if number is not None else ()
        words = ("play", "locm", program, "random/random", "--games", 2, "--threads", self.rng.choice((1, 2)))
        process = self.start(*words, *patient)
        if number is None:
            ended = self.wait(process)
            forfeits = re.findall(rf"forfeits: (\d+) x {re.escape(program)}", " ".join(ended.out.split()))
            self.expect(ended.code == 0 and sum(map(int, forfeits)) == 2, f"{name}: {ended}")
            self.counts["programs that misbehaved"] += 1
        else:
            # An interrupt before Python has loaded the command would be Python's to answer.
            while not left_of(token) and process.poll() is None:
                time.sleep(0.02)
            time.sleep(self.rng.uniform(0, 2))
            ended = self.end(process, number)
            self.expect(ended.code in (0, SIGNALS[number]), f"{name}: {ended}")
            self.counts[f"matches of such programs ended by {number.name}"] += ended.code == SIGNALS[number]
        deadline = time.monotonic() + LONGEST_END
        while (left := left_of(token)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.expect(not left, f"{name}: {len(left)} processes are left after {ended}")
        for pid in left:
            os.kill(pid, signal.SIGKILL)

    def damage_a_store(self, place: Path) -> None:
        """Changes some bits of a finished run; whatever reads it says so in one line, and other runs stay readable."""
        kind, file, seed = self.configuration()
        self.digest(kind, file, seed)
        good = self.folder / "unbroken" / f"{kind}-{seed}.db"
        shutil.copy(good, place / "good.db")
        content = bytearray(good.read_bytes())
        for _ in range(self.rng.choice((1, 8, 200))):
            content[self.rng.randrange(len(content))] ^= 1 << self.rng.randrange(8)
        if self.rng.random() < 0.3:
            del content[self.rng.randrange(len(content)) :]
        (place / "run.db").write_bytes(content)
        for words in (["show", "RUN"], ["verify-store", "RUN"], ["export", "RUN", "--json", "OUT"], ["runs"]):
            ended = self.command(*named(words, place / "run.json"), "--store", place)
            self.expect(ended.is_decent, ended)
            if words == ["runs"]:
                self.expect(ended.code == 0 and "good" in ended.out, f"a damaged store hides a good one: {ended}")
        self.expect((place / "run.db").read_bytes() == bytes(content), "a damaged store was changed by its readers")
        self.counts["damaged stores"] += 1

    # The whole

    def figures(self) -> dict[str, object]:
        """What was done and found so far."""
        return {
            "minutes": round(self._minutes + (time.monotonic() - self._begun) / 60, 1),
            "sessions": self.sessions,
            "version": deckatlas.__version__,
            "signature": own_signature(),
            "counts": dict(sorted(self.counts.items())),
            "longest seconds from a signal to the end": round(self.longest_end, 1),
            "findings": self.findings,
        }


def main() -> None:
    """Soaks for some time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", type=Path, default=FIGURES)
    given = parser.parse_args()
    folder = Path(mkdtemp(prefix="soak-"))
    soak = Soak(folder, json.loads(given.out.read_text(encoding="utf-8")) if given.out.exists() else {})
    acts: dict[Callable[[Path], None], int] = {
        soak.kill_a_run: 6,
        soak.kill_an_output: 2,
        soak.fill_the_disk: 2,
        soak.let_a_program_play: 6,
        soak.damage_a_store: 2,
    }
    deadline = time.monotonic() + 60 * given.minutes
    number = 0
    while time.monotonic() < deadline:
        (act,) = soak.rng.choices(list(acts), list(acts.values()))
        place = folder / f"{number}"
        place.mkdir()
        before = len(soak.findings)
        act(place)
        number += 1
        soak.counts["acts"] += 1
        if len(soak.findings) == before:
            shutil.rmtree(place)
        write_text(given.out, json.dumps(soak.figures(), indent=1) + "\n")
        print(f"{number} {act.__name__}: {len(soak.findings)} findings", flush=True)  # type: ignore[attr-defined]
    if soak.findings:
        sys.exit(f"{len(soak.findings)} findings; their files are in {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
