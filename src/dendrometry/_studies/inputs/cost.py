"""The cost of a part of a study: elapsed seconds, CPU time and peak memory."""

import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

_Result = TypeVar("_Result")

_SLACK_MB = 10.0  # by which the peak may exceed the memory in use just after it was reset, as threads count their own


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
    seconds, core_seconds = time.perf_counter() - start, time.process_time() - work_before
    return result, Cost(seconds, core_seconds, _status_mb("VmHWM") if is_reset else None)


def _forget_peak() -> bool:
    """Reset the peak memory of this process on Linux; return whether that succeeded.

    Some systems take the request and do nothing: the peak must then be as low as the memory in use.
    """
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        return False
    peak, in_use = _status_mb("VmHWM"), _status_mb("VmRSS")
    return peak is not None and in_use is not None and peak <= in_use + _SLACK_MB


def _status_mb(key: str) -> float | None:
    """Return an entry of the status of this process, in MB; None if the system does not tell it."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as lines:
            return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(key)), None)
    except OSError:
        return None
