"""The formulas of Lance and Williams: how far a cluster is from the union of two others."""

from dendrometry._kernels._jit import njit

__all__ = ["LINKAGES", "blend"]

LINKAGES = ("single", "complete", "average", "weighted", "ward", "centroid", "median", "group_average")
_SINGLE, _COMPLETE, _AVERAGE, _WEIGHTED, _WARD, _CENTROID, _MEDIAN = range(7)


@njit
def blend(linkage: int, x: float, y: float, pair: tuple[float, float, float], m: float) -> float:
    """Return the distance of a cluster of m items from the union of two that are x and y away from it. O(1).

    ``pair`` is the sizes of the two and their distance. Ward, centroid and median take squared distances. group_average
    needs more than this: see `matrix_greedy`.
    """
    n, k, distance = pair
    if linkage == _COMPLETE:
        return max(x, y)
    if linkage == _AVERAGE:
        return (n * x + k * y) / (n + k)
    if linkage == _WARD:
        return ((n + m) * x + (k + m) * y - m * distance) / (n + k + m)
    if linkage == _WEIGHTED:
        return 0.5 * (x + y)
    if linkage == _CENTROID:
        return (n * x + k * y) / (n + k) - n / (n + k) * (k / (n + k)) * distance
    if linkage == _MEDIAN:
        return 0.5 * (x + y) - 0.25 * distance
    return min(x, y)
