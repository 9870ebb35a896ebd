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
_FEW = 10_000  # points of which FAISS compares all pairs
_BATCH = 20_000
_PROBES = 32  # cells of FAISS that are searched for each point
_SAMPLE = 39  # points for each cell on which FAISS trains, the fewest of which it does not warn
_LIKELY = 4  # times as many neighbours as wanted are found by codes of 4 bits for 2 columns, then compared in full
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
    """Search in the nearest cells of a partition by k-means; among few points, compare all pairs."""
    faiss = require("faiss", extra="approximate", for_=_CALLER)
    n = points.shape[0]
    index = _short_codes(faiss, points, seed) if n > _FEW else faiss.IndexFlatL2(points.shape[1])
    if n <= _FEW:
        index.add(points)
    found = np.empty((n, count), dtype=np.int32)
    for start in range(0, n, _BATCH):
        part = points[start : start + _BATCH]
        found[start : start + _BATCH] = index.search(np.pad(part, ((0, 0), (0, index.d - part.shape[1]))), count)[1]
        advance(part.shape[0])
    return found


def _short_codes(faiss: Any, points: NDArray[np.float32], seed: int) -> Any:
    """Return an index of points that finds likely neighbours in cells by codes, and compares these in full."""
    n, d = points.shape[0], points.shape[1] + points.shape[1] % 2
    n_cells = int(2 * np.sqrt(n))
    index = faiss.index_factory(d, f"IVF{n_cells},PQ{d // 2}x4fs,RFlat")
    index.k_factor = _LIKELY
    cells = faiss.downcast_index(faiss.extract_index_ivf(index))
    cells.cp.seed, cells.cp.niter, cells.cp.max_points_per_centroid = seed, 4, _SAMPLE
    cells.pq.cp.seed, cells.nprobe = seed, min(_PROBES, n_cells)
    even = np.pad(points, ((0, 0), (0, d - points.shape[1])))
    index.train(even)
    index.add(even)
    return index


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
