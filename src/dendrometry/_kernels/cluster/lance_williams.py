"""The formulas of Lance and Williams: how far a cluster is from the union of two others."""

from dendrometry._kernels._jit import njit

UPDATES = (
    "single",
    "complete",
    "average",
    "weighted",
    "ward",
    "centroid",
    "median",
    "group_average",
    "group_average_with_self",
)
_SINGLE, _COMPLETE, _AVERAGE, _WEIGHTED, _WARD, _CENTROID, _MEDIAN, GROUP_AVERAGE, GROUP_AVERAGE_WITH_SELF = range(9)


@njit
def blend(update: int, x: float, y: float, pair: tuple[float, float, float], m: float) -> float:
    """Return the distance of a cluster of m items from the union of two that are x and y away from it. O(1).

    ``update`` is the place of the formula in `UPDATES`, and ``pair`` the sizes of the two and their distance. Ward,
    centroid and median take squared distances. Both group averages need more than this: see `matrix_greedy`.
    """
    n, k, distance = pair
    if update == _COMPLETE:
        return max(x, y)
    if update == _AVERAGE:
        return (n * x + k * y) / (n + k)
    if update == _WARD:
        return ((n + m) * x + (k + m) * y - m * distance) / (n + k + m)
    if update == _WEIGHTED:
        return 0.5 * (x + y)
    if update == _CENTROID:
        return (n * x + k * y) / (n + k) - n / (n + k) * (k / (n + k)) * distance
    if update == _MEDIAN:
        return 0.5 * (x + y) - 0.25 * distance
    if update == _SINGLE:
        return min(x, y)
    raise ValueError("the update must be a formula of Lance and Williams; got an unknown code")
