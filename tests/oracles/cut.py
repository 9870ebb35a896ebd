"""Cuts by definition, on lists of merges (low, high, height) numbered as SciPy's."""


def clusters_after(merges, n, kept):
    """Return the set of clusters after the first ``kept`` merges."""
    alive = {i: frozenset([i]) for i in range(n)}
    for step, (a, b, *_) in enumerate(merges[:kept]):
        alive[n + step] = alive.pop(a) | alive.pop(b)
    return set(alive.values())


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


def squared_error(clusters, points):
    """Return the residual sum of squares of a clustering."""
    total = 0.0
    for cluster in clusters:
        rows = [points[i] for i in sorted(cluster)]
        centre = [sum(x) / len(rows) for x in zip(*rows, strict=True)]
        total += sum((x - c) ** 2 for row in rows for x, c in zip(row, centre, strict=True))
    return total
