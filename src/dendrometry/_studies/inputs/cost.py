"""The cost of a part of a study: elapsed seconds, CPU time and peak memory."""

import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

_Result = TypeVar("_Result")


class Cost(NamedTuple):
    """Elapsed seconds, CPU seconds of all cores, and the peak memory of the process in MB.

    Memory includes everything in the process, data and libraries too; None if the system does not report it.
    """

    seconds: float
    core_seconds: float
    peak_mb: float | None


def costed(work: Callable[[], _Result]) -> tuple[_Result, Cost]:
    """Return the result of a function, and its cost."""
    is_reset = _forget_peak()
    start, work_before = time.perf_counter(), time.process_time()
    result = work()
    cost = Cost(time.perf_counter() - start, time.process_time() - work_before, _peak_mb() if is_reset else None)
    return result, cost


def _forget_peak() -> bool:
    """Reset the peak memory of this process on Linux; return whether that succeeded."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        return False
    return True


def _peak_mb() -> float | None:
    """Return the peak memory of this process since the last reset, in MB."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as lines:
            return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), None)
    except OSError:
        return None
