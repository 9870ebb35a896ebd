"""Cuts by definition, on lists of merges (low, high, height) numbered as SciPy's."""

from itertools import pairwise


def clusters_after(merges, n, kept):
    """Return the set of clusters after the lowest ``kept`` merges.

    A merge counts at the greatest height of those inside its cluster; of equal ones the earlier row comes first.
    """
    sets = members(merges, n)
    inside = [[h for w, (_, _, h) in enumerate(merges) if sets[n + w] <= cluster] for cluster in sets[n:]]
    order = sorted(range(len(merges)), key=lambda step: (max(inside[step]), step))
    made = set(sets[:n]) | {sets[n + step] for step in order[:kept]}
    return {c for c in made if not any(c < other for other in made)}


def members(merges, n):
    """Return the set of items of every node."""
    sets = [frozenset([i]) for i in range(n)]
    for a, b, *_ in merges:
        sets.append(sets[a] | sets[b])
    return sets


def clusters_at(merges, n, height):
    """Return the largest clusters inside which every merge lies at most at a height."""
    sets = members(merges, n)
    fits = []
    for v, cluster in enumerate(sets):
        inside = [h for w, (_, _, h) in enumerate(merges) if sets[n + w] <= cluster]
        if all(h <= height for h in inside):
            fits.append(sets[v])
    return {c for c in fits if not any(c < other for other in fits)}


def clusters_at_gap(merges, n):
    """Return the clusters below the largest, then highest, step between two successive heights; None without."""
    sets = members(merges, n)
    levels = sorted({max(h for w, (_, _, h) in enumerate(merges) if sets[n + w] <= cluster) for cluster in sets[n:]})
    steps = [(high - low, low) for low, high in pairwise(levels)]
    return clusters_at(merges, n, max(steps)[1]) if steps else None


def squared_error(clusters, points):
    """Return the residual sum of squares of a clustering."""
    total = 0.0
    for cluster in clusters:
        rows = [points[i] for i in sorted(cluster)]
        centre = [sum(x) / len(rows) for x in zip(*rows, strict=True)]
        total += sum((x - c) ** 2 for row in rows for x, c in zip(row, centre, strict=True))
    return total


def equally_good(merges, n, k):
    """Return the clusterings into k of which no cluster holds items that are joined higher than the last merge kept.

    All merges below the height of the last merge undone are kept, and of those at that height others may be. If the
    cut goes through no tie, there is just one.
    """
    sets = members(merges, n)
    formed = [max(h for w, (_, _, h) in enumerate(merges) if sets[n + w] <= cluster) for cluster in sets[n:]]
    if k == 1:
        return {frozenset([sets[-1]])}
    height = sorted(formed)[n - k]
    low, level = (
        _maximal(sets[:n] + [c for c, h in zip(sets[n:], formed, strict=True) if h < height + above])
        for above in (0, 1e-9)
    )
    return {
        clusters
        for clusters in (frozenset(map(_union, groups)) for groups in _groupings(sorted(low, key=sorted)))
        if len(clusters) == k and all(any(c <= whole for whole in level) for c in clusters)
    }


def _maximal(sets):
    return [s for s in sets if not any(s < other for other in sets)]


def _union(parts):
    return frozenset().union(*parts)


def _groupings(parts):
    """Yield all ways to put parts into groups."""
    if not parts:
        yield []
        return
    for groups in _groupings(parts[1:]):
        yield [[parts[0]], *groups]
        for i, group in enumerate(groups):
            yield [*groups[:i], [parts[0], *group], *groups[i + 1 :]]
