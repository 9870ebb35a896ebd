"""The dynamic hybrid cut by definition, merge by merge, on a SciPy linkage and a square matrix of distances."""

from math import sqrt

SCATTER = [0.64, 0.73, 0.82, 0.91, 0.95]


def thresholds(heights, deep, cut):
    """The largest scatter, the least gap and the height of the cut."""
    low = sorted(heights)[max(round(len(heights) / 20), 1) - 1]
    cut = low + 0.99 * (max(heights) - low) if cut is None else min(cut, max(heights))
    return low + SCATTER[deep] * (cut - low), 0.75 * (1 - SCATTER[deep]) * (cut - low), cut


def mean_distance(D, some, others):
    """The mean distance of items from other items."""
    return sum(D[i][j] for i in some for j in others) / (len(some) * len(others))


def shaped(D, items, least, height, widest, gap):
    """Whether items, in the order in which they joined a branch, have a tight core and a gap above it."""
    base = least / 2 + 1
    core = items[: int(base + sqrt(len(items) - base))] if len(items) > base else items
    scatter = sum(D[i][j] for i in core for j in core) / (len(core) * (len(core) - 1))
    return scatter < widest and height - scatter > gap


class Walk:
    """The merges up to the cut: clusters, small branches with the merge that began each, and what is joined."""

    def __init__(self, Z, D, least, deep, cut):
        self.D, self.least = D, least
        self.widest, self.gap, self.cut = thresholds([row[2] for row in Z], deep, cut)
        n = len(Z) + 1
        self.state = {i: ("item", [i], None) for i in range(n)}  # kind, items in the order of joining, first merge
        self.clusters, self.small, self.joined = [], [], []
        below = {i: {i} for i in range(n)}
        for k, (a, b, height, _) in enumerate(Z):
            below[n + k] = below[int(a)] | below[int(b)]
            if height <= self.cut:
                self.joined.append(below[n + k])
                self.state[n + k] = self.merge(int(a), int(b), height, n + k)
        for u in list(self.state):
            self.judge(u, self.cut, merges=False)

    def good(self, u, height):
        """Whether a branch has the shape of a cluster, and whether it has the size of one."""
        kind, items, _ = self.state[u]
        shape = kind == "branch" and shaped(self.D, items, self.least, height, self.widest, self.gap)
        return shape, len(items) >= self.least

    def judge(self, u, height, merges=True):
        """Close a branch: as a cluster, as a small one if something merges with it, or as neither."""
        shape, large = self.good(u, height)
        _, items, began = self.state.pop(u)
        if shape and large:
            self.clusters.append(set(items))
        elif shape and merges:
            self.small.append((began, set(items)))

    def merge(self, a, b, height, v):
        """What two branches become."""
        kinds = {self.state[u][0] for u in (a, b)}
        if "many" in kinds or (all(self.good(a, height)) and all(self.good(b, height))):
            self.judge(a, height)
            self.judge(b, height)
            return "many", [], None
        less, more = (a, b) if len(self.state[a][1]) <= len(self.state[b][1]) else (b, a)
        if all(self.good(less, height)):
            less, more = more, less
        if self.good(less, height)[0] and not self.good(less, height)[1]:
            self.small.append((self.state[less][2], set(self.state[less][1])))
        _, late, _ = self.state.pop(less)
        _, early, began = self.state.pop(more)
        return ("branch", late + early, v) if kinds == {"item"} else ("branch", early + late, began)


def candidates(i, walk, assign):
    """The clusters to which an item may be assigned."""
    if assign == "nearest":
        return walk.clusters
    around = [node for node in walk.joined if i in node and any(cluster <= node for cluster in walk.clusters)]
    return [cluster for cluster in walk.clusters if around and cluster <= min(around, key=len)]


def hybrid(Z, D, least, deep, cut, assign):
    """The clusters with the items that are assigned to them."""
    if not Z:
        return []
    walk = Walk(Z, D, least, deep, cut)
    grown = {id(cluster): set(cluster) for cluster in walk.clusters}
    unit = {i: {i} for i in range(len(Z) + 1)}
    for _, items in sorted(walk.small, key=lambda pair: pair[0]):
        unit |= dict.fromkeys(items, items)
    for i in set(unit).difference(*walk.clusters) if assign != "none" else ():
        together = {j for j in unit[i] if unit[j] is unit[i]}
        near = candidates(i, walk, assign)
        if near:
            best = min(near, key=lambda cluster: mean_distance(D, together, cluster))
            radius = max(sum(D[u][j] for j in best) / (len(best) - 1) for u in best)
            if mean_distance(D, together, best) < max(walk.cut, radius):
                grown[id(best)].add(i)
    return list(grown.values())
