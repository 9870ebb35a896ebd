"""Nearest neighbours of many points, by libraries that are installed: FAISS, pynndescent or scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dendrometry._extras import require
from dendrometry._progress import Advance

Library = Literal["faiss", "pynndescent", "sklearn"]
_EXHAUSTIVE = 30_000  # up to this number of points all pairs are compared in seconds, so that no neighbour is missed
_BATCH = 20_000
_PROBES = 32  # cells of FAISS that are searched for each point
_SAMPLE = 64  # points for each cell on which FAISS trains
_CALLER = "cluster_approximate()"


def choose_library(n: int) -> Library:
    """Return the library that finds the neighbours of n points soonest, of those installed."""
    if n > _EXHAUSTIVE or find_spec("sklearn") is None:
        for name in ("faiss", "pynndescent"):
            if find_spec(name) is not None:
                return name
    if find_spec("sklearn") is None:
        require("faiss", extra="approximate", for_=_CALLER)
    return "sklearn"


def find_neighbours(
    points: NDArray[np.float32], n_neighbours: int, library: Library, seed: int, advance: Advance
) -> NDArray[np.integer]:
    """Return the positions of the nearest neighbours of every point by Euclidean distance, perhaps with itself."""
    count = min(n_neighbours + 1, points.shape[0])
    found: NDArray[np.integer] = _SEARCHES[library](points, count, seed, advance)
    missing = found < 0
    found[missing] = np.nonzero(missing)[0]  # an edge to itself counts for none
    return found


def _by_faiss(points: NDArray[np.float32], count: int, seed: int, advance: Advance) -> NDArray[np.integer]:
    """Search in the nearest cells of a partition by k-means."""
    faiss = require("faiss", extra="approximate", for_=_CALLER)
    n, d = points.shape
    n_cells = max(1, min(int(4 * np.sqrt(n)), n // _SAMPLE))
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(d), d, n_cells)
    index.cp.seed, index.cp.niter, index.cp.max_points_per_centroid = seed, 10, _SAMPLE
    index.train(points)
    index.add(points)
    index.nprobe = min(_PROBES, n_cells)
    found = np.empty((n, count), dtype=np.int32)
    for start in range(0, n, _BATCH):
        found[start : start + _BATCH] = index.search(points[start : start + _BATCH], count)[1]
        advance(min(_BATCH, n - start))
    return found


def _by_descent(points: NDArray[np.float32], count: int, seed: int, advance: Advance) -> NDArray[np.integer]:
    """Improve a random graph of neighbours until it changes little."""
    pynndescent = require("pynndescent", extra=None, for_=_CALLER)
    graph = pynndescent.NNDescent(points, n_neighbors=count, random_state=seed, low_memory=True).neighbor_graph
    advance(points.shape[0])
    found: NDArray[np.integer] = graph[0]
    return found


def _by_comparison(points: NDArray[np.float32], count: int, seed: int, advance: Advance) -> NDArray[np.integer]:
    """Compare all pairs."""
    neighbours = require("sklearn.neighbors", extra="text", for_=_CALLER)
    search = neighbours.NearestNeighbors(n_neighbors=count, algorithm="brute").fit(points)
    found = np.empty((points.shape[0], count), dtype=np.int32)
    for start in range(0, points.shape[0], _BATCH):
        found[start : start + _BATCH] = search.kneighbors(points[start : start + _BATCH], return_distance=False)
        advance(min(_BATCH, points.shape[0] - start))
    return found


_SEARCHES: dict[Library, Callable[..., Any]] = {
    "faiss": _by_faiss,
    "pynndescent": _by_descent,
    "sklearn": _by_comparison,
}
LIBRARIES = tuple(_SEARCHES)


def search_bytes(n: int, d: int, n_neighbours: int, library: Library) -> int:
    """Return the bytes that a search for neighbours needs, the points in single precision included."""
    copies = 4 if library == "pynndescent" else 2
    return n * (copies * 4 * d + 40 * n_neighbours) + (1 << 28)
