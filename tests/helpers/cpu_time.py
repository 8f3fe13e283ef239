"""CPU time of programs that tests start: how long they take, on a machine however busy."""

import resource

import psutil


def cpu_seconds_of(process: int) -> float:
    """The CPU seconds of a running process so far."""
    times = psutil.Process(process).cpu_times()
    return float(times.user + times.system)


def cpu_seconds_of_ended() -> float:
    """The CPU seconds of all processes that this one has started, and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
