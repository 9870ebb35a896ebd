"""Time of ``partition.consistency`` of 600 clusterings of 100,000 items, in seconds of a core.

``python benchmarks/consistency.py [N_CLUSTERINGS [TIMES]]``: all in one group, of 8 to 39 clusters, or so many times as
many, a tenth of the items moved.
"""

import sys
import time

import numpy as np

from dendrometry.partition import consistency

N_ITEMS = 100_000


def clustering(rng: np.random.Generator, part: np.ndarray, times: int) -> np.ndarray:
    """Parts united to some number of clusters, and a tenth of the items at random."""
    k = int(rng.integers(8, 40)) * times
    labels = rng.integers(0, k, part.max() + 1)[part]
    moved = rng.random(N_ITEMS) < 0.1
    labels[moved] = rng.integers(0, k, int(moved.sum()))
    return labels


if __name__ == "__main__":
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng = np.random.default_rng(0)
    part = rng.integers(0, 60 * times, N_ITEMS)
    consistency([clustering(rng, part, times)[:100] for _ in range(3)])
    runs = [clustering(rng, part, times) for _ in range(n)]
    core, clock = time.process_time(), time.perf_counter()
    found = consistency(runs)
    core, clock = time.process_time() - core, time.perf_counter() - clock
    print(f"{found}: {core:.1f} s of a core, {clock:.1f} s by the clock")
