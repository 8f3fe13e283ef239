"""Fuzzes the bindings: `python -m fuzz.bindings --seconds 60`.

A case is a list of whole numbers: which call, then a seed for each change of its arguments. So a case can be kept,
repeated and changed further. Cases that reach new places of the bindings are changed again; they are counted by a build
with DECKATLAS_COVERAGE, without which all cases are as good as each other. In half of the cases another thread changes
the arrays of the call while it runs.

What must hold: a call returns or raises an error of ours or a MemoryError; nothing else, and no crash.
"""

import argparse
import json
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from deckatlas import _core
from deckatlas.errors import DeckatlasError
from fuzz.calls import Call, call_names, new_call

CORPUS = Path(__file__).with_name("corpus.json")
NUMBERS = (0, 1, -1, 2, 3, 7, 255, 256, 65_535, 65_536, 2**31 - 1, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63), 2**64)
REALS = (0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e300, -1e300, float("nan"), float("inf"), -float("inf"))
STRANGE: tuple[Any, ...] = (
    None,
    True,
    "",
    "x",
    "\x00",
    "\ud800",
    b"a",
    [],
    {},
    (),
    object(),
    range(3),
    np.zeros(2),
    np.array([None]),
)
LONGEST = 6  # changes of a case

Case = list[int]


def _changed_array(array: Any, rng: random.Random) -> Any:
    """Another array: other numbers, another type, another shape, or another layout."""
    array = np.array(array)
    how = rng.randrange(9)
    if how < 4 and array.size:
        flat = array.reshape(-1)
        whole = [np.uint64(number % 2**64) for number in NUMBERS]
        pool: list[Any] = whole if array.dtype.kind in "iu" else [np.float64(number) for number in REALS]
        for _ in range(rng.choice((1, 1, 2, array.size))):
            with np.errstate(all="ignore"):
                flat[rng.randrange(array.size)] = rng.choice(pool).astype(array.dtype)
        return array
    match how:
        case 4:
            return array.astype(rng.choice(("i1", "u2", "i4", "i8", "f4", "f8", "?", "c8", "O")), casting="unsafe")
        case 5:
            return np.resize(array, [max(0, size + rng.choice((-1, 0, 1))) for size in array.shape])
        case 6:
            return np.asfortranarray(array) if array.ndim > 1 else np.repeat(array, 2)[::2]
        case 7:
            return array[..., None] if rng.random() < 0.5 else array[:0]
        case _:
            return array.tolist()


def changed(value: Any, rng: random.Random) -> Any:
    """Something else than a value, often of the same kind."""
    if rng.random() < 0.15:
        return rng.choice((*NUMBERS, *REALS, *STRANGE))
    match value:
        case bool() | None:
            return rng.choice((not value, *STRANGE))
        case int():
            return rng.choice((*NUMBERS, value + rng.choice((-1, 1))))
        case float():
            return rng.choice(REALS)
        case str():
            place = rng.randrange(len(value) + 1)
            return value[:place] + rng.choice(("", "9" * 30, " ", ",", "\x00", "é", "-")) + value[place + 1 :]
        case np.ndarray():
            return _changed_array(value, rng)
        case dict() if value:
            key = rng.choice(sorted(value))
            rest = {other: each for other, each in value.items() if other != key}
            return rest if rng.random() < 0.1 else {**rest, key: changed(value[key], rng)}
        case list() | tuple() if value:
            copy = list(value)
            place = rng.randrange(len(copy))
            if rng.random() < 0.2:
                copy[place:] = rng.choice(([], [copy[place]] * 3))
            else:
                copy[place] = changed(copy[place], rng)
            return type(value)(copy)
        case _:
            return rng.choice((*NUMBERS, *STRANGE))


def call_of(case: Sequence[int]) -> Call:
    """The call of a case."""
    call = new_call(case[0] % len(call_names()))
    for seed in case[1:]:
        rng = random.Random(seed)
        names = [*range(len(call.arguments)), *call.options]
        name = rng.choice(names) if names else None
        if isinstance(name, int):
            call.arguments[name] = changed(call.arguments[name], rng)
        elif name is not None:
            call.options[name] = changed(call.options[name], rng)
    return call


def _arrays(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray) and value.flags.writeable and value.size and value.dtype.kind in "iufb":
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _arrays(each)


@contextmanager
def arrays_changing(values: Any, seed: int) -> Iterator[None]:
    """Another thread changes all arrays of some values meanwhile; they end as they began."""
    arrays = [(array, array.copy()) for array in _arrays(values)]
    stop = threading.Event()

    def change() -> None:
        rng = np.random.default_rng(seed)
        while not stop.is_set():
            for array, original in arrays:
                with np.errstate(all="ignore"):
                    array[...] = rng.integers(-(2**31), 2**31, array.shape).astype(array.dtype)
                array[...] = original

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        for array, original in arrays:
            array[...] = original


def run(case: Sequence[int]) -> bool:
    """Carries out a case; returns whether the call returned. Everything but a named error is raised."""
    call = call_of(case)
    try:
        if sum(case) % 2:
            with arrays_changing([call.arguments, call.options], sum(case)):
                call.run()
        else:
            call.run()
    except (DeckatlasError, MemoryError):
        return False
    return True


def cases(seed: int, corpus: Sequence[Case]) -> Iterator[Case]:
    """New cases without an end: calls from the start, and cases that were worth keeping, changed further."""
    rng = random.Random(seed)
    while True:
        base = rng.choice(corpus) if corpus and rng.random() < 0.7 else [rng.randrange(len(call_names()))]
        yield [*base[: rng.randint(1, LONGEST)], rng.randrange(2**32)]


def reached() -> int:
    """How many places of the bindings were ever reached; 0 if this build does not count them."""
    coverage = getattr(_core, "coverage", None)
    return 0 if coverage is None else int(coverage.reached())


def kept_cases() -> list[Case]:
    """The corpus."""
    return [list(map(int, case)) for case in json.loads(CORPUS.read_text(encoding="utf-8"))]


def fuzz(seconds: float, seed: int) -> tuple[int, list[Case]]:
    """Fuzzes for some time; returns the number of cases and the corpus, which has grown."""
    corpus = kept_cases()
    for case in corpus:
        run(case)
    count, start, shown = len(corpus), time.monotonic(), 0.0
    for case in cases(seed, corpus):
        passed = time.monotonic() - start
        if passed > seconds:
            return count, corpus
        if passed > shown:
            print(f"{count} cases, {len(corpus)} kept, {reached()} places", flush=True)
            shown += 30
        before = reached()
        try:
            run(case)
        except BaseException:
            print(f"fails: {case}", flush=True)
            raise
        count += 1
        if reached() > before:
            corpus.append(case)
    return count, corpus


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Fuzzes the bindings.")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 2**32)
    parser.add_argument("--keep", action="store_true", help="write the corpus back")
    options = parser.parse_args()
    count, corpus = fuzz(options.seconds, options.seed)
    print(f"{count} cases, {len(corpus)} kept, {reached()} places; seed {options.seed}")
    if options.keep:
        CORPUS.write_text(json.dumps(corpus).replace("], [", "],\n[") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
