"""Clusterings at many resolutions: all steps, their congruence and the nearest nested tree."""

import numpy as np

from dendrometry.partition import resolutions
from timing import fresh, within


def levels(n: int) -> list[np.ndarray]:
    """Return 20 clusterings of n items into 4 to 3,000 clusters, almost nested: 5% of the labels are random."""
    rng = np.random.default_rng(0)
    place = rng.random(n)
    made = []
    for k in np.geomspace(4, 3000, 20).astype(int).tolist():
        labels = (place * k).astype(np.int64)
        noise = rng.random(n) < 0.05
        labels[noise] = rng.integers(0, k, int(noise.sum()))
        made.append(labels)
    return made


def warm() -> None:
    resolutions(levels(1000))


if __name__ == "__main__":
    within("resolutions, 20 x 1,000,000 labels", fresh(levels, resolutions, 1_000_000, warm=warm), 15)
