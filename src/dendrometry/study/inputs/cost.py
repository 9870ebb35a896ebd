"""What a part of a study costs: seconds, work of the cores, and peak memory."""

import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

__all__ = ["Cost", "costed"]

_Result = TypeVar("_Result")


class Cost(NamedTuple):
    """Seconds by the clock, seconds of work of all cores, and the most memory the process held, in MB.

    Memory counts everything the process holds, data and libraries too; None where the system does not tell it.
    """

    seconds: float
    core_seconds: float
    peak_mb: float | None


def costed(work: Callable[[], _Result]) -> tuple[_Result, Cost]:
    """Return what a function returns, and what that cost."""
    told = _forget_peak()
    start, work_before = time.perf_counter(), time.process_time()
    result = work()
    cost = Cost(time.perf_counter() - start, time.process_time() - work_before, _peak_mb() if told else None)
    return result, cost


def _forget_peak() -> bool:
    """Let Linux count the peak memory of this process anew; return whether it does."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        return False
    return True


def _peak_mb() -> float | None:
    """Return the most memory that this process held since the peak was forgotten."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as lines:
            return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), None)
    except OSError:
        return None
