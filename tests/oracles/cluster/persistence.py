"""Best-merge persistence: whether the nearest cluster of a cluster stays so when it is merged with a third one."""

from tests.oracles.cluster.agglomerate import greedy, linkage_distance


def violations(linkage, d):
    """Return (k, j, union, other) for every cluster k whose best merge j was merged into a union that no longer is it.

    Distances are those of items; ties count as best, so that they are no violations.
    """
    clusters = {i: frozenset([i]) for i in range(len(d))}
    history, found = {}, []
    for step, (low, high, _) in enumerate(greedy(linkage, d)):
        pair = clusters[low], clusters[high]
        best = {k: nearest(linkage, k, clusters.values(), d, history) for k in clusters.values() if k not in pair}
        del clusters[low], clusters[high]
        union = pair[0] | pair[1]
        history[union] = pair
        clusters[len(d) + step] = union
        for k, was in best.items():
            now = nearest(linkage, k, clusters.values(), d, history)
            if len(was) == 1 and was <= set(pair) and union not in now:
                found.append((k, next(iter(was)), union, next(iter(now))))
    return found


def nearest(linkage, k, clusters, d, history):
    """Return the set of all clusters at the least distance from k."""
    value = {c: linkage_distance(linkage, k, c, d, history) for c in clusters if c != k}
    return {c for c, x in value.items() if x == min(value.values())}
