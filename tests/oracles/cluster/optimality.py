"""Optimality by definition: every clustering with as few clusters."""

from itertools import combinations


def set_partitions(items):
    """Yield every partition of a list."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for partition in set_partitions(rest):
        yield [[first], *partition]
        for i in range(len(partition)):
            yield [*partition[:i], [first, *partition[i]], *partition[i + 1 :]]


def of_cluster(cluster, s, linkage):
    """Return the combination similarity of a cluster, by its static definition."""
    if len(cluster) == 1:
        return s[cluster[0]][cluster[0]]
    pairs = [s[i][j] for i, j in combinations(cluster, 2)]
    if linkage == "complete":
        return min(pairs)
    if linkage == "group_average":
        return sum(pairs) / len(pairs)
    splits = []
    for bits in range(1, 2 ** (len(cluster) - 1)):
        part = {c for k, c in enumerate(cluster[1:]) if bits >> k & 1}
        splits.append(max(s[i][j] for i in part for j in cluster if j not in part))
    return min(splits)


def best(s, linkage, k):
    """Return the highest combination similarity of any clustering into at most k clusters."""
    return max(
        min(of_cluster(c, s, linkage) for c in partition)
        for partition in set_partitions(list(range(len(s))))
        if len(partition) <= k
    )
