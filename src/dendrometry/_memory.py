"""Memory that a computation needs, compared with the available memory before anything is allocated."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from dendrometry.errors import InvalidInputError


def square_bytes(n: int, itemsize: int) -> int:
    """Return the bytes of a square matrix of n items and of its additional columns."""
    return n * n * itemsize + 200 * n


def vector_bytes(n: int, d: int) -> int:
    """Return the bytes that n points with d coordinates need while they are merged.

    They are copies, search blocks, lists, and a matrix of the last clusters.
    """
    return n * (6 * 8 * d + 500) + 5 * min(n, 4096) ** 2


_limit: int | None = None  # of the command that is running


@contextmanager
def limited(n_bytes: int | None) -> Iterator[None]:
    """Let at most so many bytes count as available inside a block, in all threads; None for all there are."""
    global _limit
    before, _limit = _limit, n_bytes
    try:
        yield
    finally:
        _limit = before


def limit() -> int | None:
    """Return the limit of the block that is running, None if there is none."""
    return _limit


def available() -> int:
    """Return the bytes that can still be allocated: the free memory of the system, or the limit of its container."""
    free = [] if _limit is None else [_limit]
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            free += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable")]
        with (
            open("/sys/fs/cgroup/memory.max", encoding="ascii") as limit,
            open("/sys/fs/cgroup/memory.current", encoding="ascii") as used,
        ):
            free.append(int(limit.read()) - int(used.read()))
    except (OSError, ValueError):
        pass  # the file does not exist, or sets no limit
    free += _address_space()
    if not free and hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        free.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return min(free, default=1 << 62)


def _address_space() -> list[int]:
    """Return the bytes still available under a memory limit of this process (ulimit -v), if one is set."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return []
        with open("/proc/self/statm", encoding="ascii") as sizes:
            return [max(limit - int(sizes.read().split()[0]) * resource.getpagesize(), 0)]
    except (ImportError, OSError, ValueError):
        return []  # no such limits on this system


def require_memory(needed: int, what: str, alternatives: str) -> None:
    """Raise an error if a computation does not fit in memory; the message gives the amount and the alternatives."""
    free = available()
    if needed > free:
        raise InvalidInputError(
            f"{what} needs {size_text(needed)} of memory; {size_text(free)} are available. {alternatives}"
        )


def size_text(size: int) -> str:
    """Return a number of bytes as text in GiB, or in MiB below 1 GiB."""
    size = min(size, 1 << 80)  # the largest that prints as a float
    return f"{size / 2**30:.1f} GiB" if size >= 2**30 else f"{size / 2**20:.1f} MiB"
