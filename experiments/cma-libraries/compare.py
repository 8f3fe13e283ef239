"""Compares our covariance adaptation with two libraries: digests under several BLAS settings, and times.

    python experiments/cma-libraries/compare.py

It needs the packages `cmaes` and `ribs`; a library that is not installed is left out.
"""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

LENGTH, POPULATION, GENERATIONS, SIGMA, SEED = 109, 37, 60, 0.05, 1
SCALES = np.arange(1, LENGTH + 1)


def loss(x: Floats) -> float:
    """A bowl with axes of different lengths."""
    return float((SCALES * (x - 0.1) ** 2).sum())


def with_cmaes() -> tuple[Floats, float]:
    """The final mean of cmaes, and its CPU seconds."""
    from cmaes import CMA

    search = CMA(mean=np.zeros(LENGTH), sigma=SIGMA, population_size=POPULATION, seed=SEED)
    begin = time.process_time()
    for _ in range(GENERATIONS):
        draws = [search.ask() for _ in range(POPULATION)]
        search.tell([(draw, loss(draw)) for draw in draws])
    return search.mean, time.process_time() - begin


def with_pyribs() -> tuple[Floats, float]:
    """The final mean of pyribs, and its CPU seconds."""
    from ribs.emitters.opt import CMAEvolutionStrategy

    search = CMAEvolutionStrategy(SIGMA, LENGTH, POPULATION, seed=SEED)
    search.reset(np.zeros(LENGTH))
    search.ask()  # compiles
    search.tell(np.arange(POPULATION), np.zeros(POPULATION), POPULATION // 2)
    search.reset(np.zeros(LENGTH))
    begin = time.process_time()
    for _ in range(GENERATIONS):
        losses = np.array([loss(draw) for draw in search.ask()])
        search.tell(np.argsort(losses), losses, POPULATION // 2)
    return search.mean, time.process_time() - begin


def with_ours() -> tuple[Floats, float]:
    """Our final mean, and our CPU seconds."""
    from deckatlas.search.cma import Cma

    rng = np.random.default_rng(SEED)
    search = Cma(np.zeros(LENGTH), SIGMA, population=POPULATION)
    begin = time.process_time()
    for _ in range(GENERATIONS):
        draws = np.array([search.ask(rng) for _ in range(POPULATION)])
        search.tell(draws[np.argsort([loss(draw) for draw in draws])[: POPULATION // 2]])
    return search.mean, time.process_time() - begin


LIBRARIES: dict[str, tuple[str, Callable[[], tuple[Floats, float]]]] = {
    "cmaes": ("cmaes", with_cmaes),
    "pyribs": ("ribs", with_pyribs),
    "ours": ("deckatlas", with_ours),
}


def in_this_process(library: str) -> None:
    """Prints the digest and the time of one library, under the BLAS settings of this process."""
    mean, seconds = LIBRARIES[library][1]()
    digest = hashlib.sha256(mean.tobytes()).hexdigest()[:8]
    print(f"{digest}  {1000 * seconds / GENERATIONS:.1f} CPU ms per generation")


def eigensystem_times() -> None:
    """Prints how long our eigensystems take."""
    from deckatlas._core import numeric

    for size in (LENGTH, 400, 1601):
        rows = np.random.default_rng(SEED).normal(size=(size, size))
        matrix = rows @ rows.T
        begin = time.process_time()
        numeric.eigensystem(matrix)
        print(f"eigensystem of {size} rows: {1000 * (time.process_time() - begin):.1f} CPU ms")


def main() -> None:
    """Compares all, or runs the library that is named."""
    if len(sys.argv) > 1:
        in_this_process(sys.argv[1])
        return
    for library, (package, _) in LIBRARIES.items():
        if find_spec(package) is None:
            print(f"{library}: not installed")
            continue
        for processor in ("Haswell", "Sandybridge"):
            for threads in ("1", "2"):
                setting = {"OPENBLAS_CORETYPE": processor, "OPENBLAS_NUM_THREADS": threads}
                print(f"{library:7} {processor:12} {threads} threads  ", end="", flush=True)
                subprocess.run([sys.executable, __file__, library], env=os.environ | setting, check=True)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    eigensystem_times()


if __name__ == "__main__":
    main()
