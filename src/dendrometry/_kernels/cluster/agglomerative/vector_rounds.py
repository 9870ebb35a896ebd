"""One round: the pairs of clusters that are nearest to each other become one cluster each."""

from dendrometry._kernels._jit import IntArray, njit
from dendrometry._kernels.cluster.distances.differences import squared
from dendrometry._kernels.cluster.distances.neighbours import Clusters, Lists

__all__ = ["follow", "merge_pairs"]


@njit
def merge_pairs(low: IntArray, high: IntArray, clusters: Clusters, lists: Lists, by_size: bool, alpha: float) -> None:
    """Let each cluster ``low[p]`` swallow ``high[p]``, and bound the reach of the new cluster by those of its parts.

    For a cluster of m items that is at least r and s away from the parts, Lance and Williams give the least distance
    from the whole: for average linkage the mean weighted by size, for Ward a ratio that is monotone in m, so m = 1 or
    m = inf is the worst. O(pairs d).
    """
    for p in range(low.size):
        i = low[p]
        j = high[p]
        n_i = clusters.size[i]
        n_j = clusters.size[j]
        n = n_i + n_j
        weighted = n_i * lists.reach[i] + n_j * lists.reach[j]
        if by_size:
            slope = lists.reach[i] + lists.reach[j] - lists.distance[i]
            lists.reach[i] = min((weighted + slope) / (n + 1.0), slope) * (1 - 1e-12)
        else:
            lists.reach[i] = weighted / n * (1 - 1e-12)
        delta = squared(clusters.centroid[i], clusters.centroid[j])
        clusters.spread[i] = (n_i * clusters.spread[i] + n_j * clusters.spread[j]) / n
        if not by_size:
            clusters.spread[i] += alpha * (n_i / n) * (n_j / n) * delta
        share = n_j / n
        for k in range(clusters.centroid.shape[1]):
            clusters.centroid[i, k] += share * (clusters.centroid[j, k] - clusters.centroid[i, k])
        clusters.size[i] = n


@njit
def follow(root: IntArray) -> None:
    """Let every slot point at the cluster it now belongs to. O(n)."""
    for s in range(root.size):
        root[s] = root[root[s]]
