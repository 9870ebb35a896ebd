"""Support and agreement of replicates, in sets and loops. A tree is a list of (set of items, height)."""

from itertools import combinations


def best_jaccards(cluster, replicates):
    """The largest Jaccard index of a cluster in each replicate that holds two of its items and one other."""
    found = []
    for clusters in replicates:
        everything = set().union(*(items for items, _ in clusters))
        held = cluster & everything
        if len(held) < 2 or held == everything:
            continue
        others = [items for items, _ in clusters if items != everything]
        found.append(max((len(held & other) / len(held | other) for other in others), default=0.0))
    return found


def support(cluster, replicates):
    """The number of replicates that count, bootstrap probability and mean best Jaccard index, with standard errors."""
    values = best_jaccards(cluster, replicates)
    n = len(values)
    if n == 0:
        return None
    bp, mean = sum(value == 1.0 for value in values) / n, sum(values) / n
    variance = sum((value - mean) ** 2 for value in values) / (n - 1) if n > 1 else 0.0
    return n, bp, (bp * (1 - bp) / n) ** 0.5, mean, (variance / n) ** 0.5


def partition_at(clusters, n_clusters):
    """The coarsest partition with at least so many clusters among those below a height, single items at the least."""
    everything = set().union(*(items for items, _ in clusters))
    best = [{item} for item in everything]
    for height in sorted({height for _, height in clusters}):
        formed = [a for a, h in clusters if max(g for b, g in clusters if b <= a) <= height]
        tops = [a for a in formed if not any(a < b for b in formed)]
        parts = {frozenset(a) for a in tops} | {frozenset([i]) for i in everything if not any(i in a for a in tops)}
        if len(parts) >= n_clusters:
            best = [set(part) for part in parts]
    return best


def adjusted_rand(first, second, common):
    """The adjusted Rand index of two partitions on their common items."""
    p = q = t = 0
    pairs = list(combinations(sorted(common), 2))
    for i, j in pairs:
        a, b = (any(i in part and j in part for part in parts) for parts in (first, second))
        p, q, t = p + a, q + b, t + (a and b)
    if p == q == t:
        return 1.0
    expected = p * q / len(pairs)
    return (t - expected) / ((p + q) / 2 - expected)


def stable_nodes(clusters, supports, threshold, prefer):
    """The stable clusters that lie in no other stable one, or that hold no other stable one."""
    everything = set().union(*clusters)
    stable = [c for c, s in zip(clusters, supports, strict=True) if 1 < len(c) < len(everything) and s >= threshold]
    if prefer == "large":
        return {frozenset(c) for c in stable if not any(c < d for d in stable)}
    return {frozenset(c) for c in stable if not any(d < c for d in stable)}


def share_with(item, cluster, partitions):
    """The mean share of the other items of a cluster that are with an item, over partitions that hold it and one."""
    found = []
    for parts in partitions:
        mine = next((part for part in parts if item in part), None)
        others = (cluster & set().union(*parts)) - {item}
        if mine is not None and others:
            found.append(len(others & mine) / len(others))
    return sum(found) / len(found) if found else 0.0
