"""Measures: two trees of a million items, two partitions of ten million, and the usual ways as rivals.

``python benchmarks/measures.py permutations`` runs this part alone; the others can be chosen in the same way.
"""

import heapq
import sys

import numpy as np
from scipy.cluster.hierarchy import cophenet
from scipy.spatial.distance import squareform

import dendrometry as dm
from shapes import SHAPES, dendrograms
from timing import beside, best_of, core_time, fresh, show, within

MILLION = 1_000_000
OF_PARTITIONS = [
    dm.MEASURES[name] for name in dm.measures.PARTITION_MEASURES if dm.MEASURES[name].kind != "information"
]


PERMUTED = (
    "hierarchy_agreement",
    "overall_similarity",
    "cophenetic_distance",
    "cophenetic_correlation",
    "baker_correlation",
    "hierarchical_f",
)


def occupied(shape: str, n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    """Two trees of n nodes whose items sit anywhere, so that the order of items matters."""
    trees = []
    for seed, tree in zip((3, 4), dendrograms(shape, n // 2), strict=True):
        at = np.random.default_rng(seed).integers(0, tree.n_nodes, n)
        at[: tree.leaves.size] = tree.leaves
        trees.append(dm.Hierarchy(tree.parent, tree.height, at, tuple(map(str, range(n)))))
    return trees[0], trees[1]


def agreement(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.hierarchy_agreement(*trees)


def partial_order(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.partial_order_f(*trees)


def hierarchical(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.hierarchical_f(*trees)


def blame(trees: tuple[dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.item_disagreement(*trees)


def warm_trees() -> None:
    for function in (agreement, hierarchical, blame):
        function(dendrograms("random", 50))
    partial_order(occupied("random", 50))


def average_linkage(n: int) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    """Average linkage of n real-valued points, and of the same points with noise.

    The points lie on a line, where the tree can be built from neighbours without n x n distances.
    """
    rng = np.random.default_rng(0)
    points = rng.normal(size=n)
    return _average_on_a_line(points), _average_on_a_line(points + rng.normal(scale=0.1, size=n))


def _average_on_a_line(points: np.ndarray) -> dm.Hierarchy:
    """Average linkage on a line: clusters are stretches, and their distance is that of their means."""
    n = points.size
    order = np.argsort(points).tolist()
    mean, size, cluster = points[order].tolist(), [1] * n, list(order)
    before, after, stamp = list(range(-1, n - 1)), list(range(1, n + 1)), [0] * n
    heap = [(mean[i + 1] - mean[i], i, i + 1, 0, 0) for i in range(n - 1)]
    heapq.heapify(heap)
    rows = np.empty((n - 1, 4))
    for made in range(n - 1):
        while True:
            height, i, j, stamp_i, stamp_j = heapq.heappop(heap)
            if stamp[i] == stamp_i and stamp[j] == stamp_j:
                break
        rows[made] = min(cluster[i], cluster[j]), max(cluster[i], cluster[j]), height, size[i] + size[j]
        mean[i] = (mean[i] * size[i] + mean[j] * size[j]) / (size[i] + size[j])
        size[i] += size[j]
        cluster[i], stamp[i], stamp[j] = n + made, stamp[i] + 1, -1
        after[i] = after[j]
        if after[i] < n:
            before[after[i]] = i
        for x, y in ((before[i], i), (i, after[i])):
            if x >= 0 and y < n:
                heapq.heappush(heap, (mean[y] - mean[x], x, y, stamp[x], stamp[y]))
    return dm.from_linkage(rows)


def at_a_million() -> None:
    for shape in SHAPES:
        figure = fresh(occupied, partial_order, shape, MILLION, warm=warm_trees)
        within(f"partial_order_f, {shape}, 1,000,000 items at any node", figure, 5)
    figure = fresh(dendrograms, blame, "random", MILLION, warm=warm_trees)
    show("item_disagreement, random, 1,000,000 items", figure)


def matching() -> None:
    figure = fresh(average_linkage, hierarchical, 100_000, warm=warm_trees)
    within("hierarchical_f, average linkage of points on a line, 100,000", figure, 10)
    figure = fresh(dendrograms, hierarchical, "caterpillar", 1_000_000, warm=warm_trees)
    within("hierarchical_f, caterpillar, 1,000,000", figure, 30)


def permuted(case: tuple[str, int, dm.Hierarchy, dm.Hierarchy]) -> None:
    name, n_permutations, a, b = case
    dm.permutation_test(a, b, name, n_permutations, rng=0, n_jobs=1, allow_slow=True)


def to_permute(name: str, n_permutations: int, shape: str, n: int) -> tuple[str, int, dm.Hierarchy, dm.Hierarchy]:
    if shape in SHAPES:
        return name, n_permutations, *dendrograms(shape, n)
    a, b = (dm.generate.random_tree(n, shape=shape, rng=seed) for seed in (1, 2))
    return name, n_permutations, a, b


def warm_permuting() -> None:
    for name in PERMUTED:
        permuted(to_permute(name, 2, "random", 3_000))
        permuted(to_permute(name, 2, "caterpillar", 10_000))


def permutations() -> None:
    """Print processor times of 999 permutations; of 100,000 items ten are run, and the figure is 99.9 times that."""
    for name in PERMUTED:
        figure = core_time(fresh(to_permute, permuted, name, 999, "random", 1_000, warm=warm_permuting))
        show(f"permutation_test, {name}, 999 permutations, random, 1,000 items", figure)
    for shape in (*SHAPES, "uniform"):
        for name in PERMUTED:
            figure = core_time(fresh(to_permute, permuted, name, 10, shape, 100_000, warm=warm_permuting))
            figure = figure._replace(seconds=99.9 * figure.seconds)
            within(f"permutation_test, {name}, 999 permutations (10 run), {shape}, 100,000 items", figure, 360)


def cophenetic_sizes(z: np.ndarray) -> np.ndarray:
    """Sizes of the smallest cluster of each pair, by giving SciPy sizes for heights."""
    heights = z.copy()
    heights[:, 2] = z[:, 3]
    return cophenet(heights)


def full_matrix_agreement(links: list[np.ndarray], n: int) -> float:
    """Return the index as it is printed: two n x n matrices, their difference, its mean."""
    first, second = (squareform(cophenetic_sizes(z)) / n for z in links)
    return float(1 - np.abs(first - second).mean())


def rivals() -> None:
    """Show the index by its formula, from the same two trees, the best of three calls on both sides."""
    n = 5_000
    trees = dendrograms("random", n)
    links = [dm.to_linkage(tree) for tree in trees]
    ours = best_of(lambda: agreement(trees))
    show(f"hierarchy_agreement, {n:,} items", ours)
    theirs = best_of(lambda: 1 - 2 * np.abs(cophenetic_sizes(links[0]) - cophenetic_sizes(links[1])).sum() / n**3)
    beside(f"NumPy on SciPy's condensed matrices, {n:,} items", ours, theirs)
    theirs = best_of(lambda: full_matrix_agreement(links, n))
    beside(f"NumPy on n x n matrices, {n:,} items", ours, theirs, 100)


def unrelated(n, k):
    rng = np.random.default_rng(0)
    return rng.integers(0, k, n), rng.integers(0, k, n)


def noisy(n, k):
    rng = np.random.default_rng(0)
    a = rng.integers(0, k, n)
    return a, np.where(rng.random(n) < 0.1, rng.integers(0, k, n), a)


def every_measure(pair):
    table = dm.Contingency.of(*pair)
    return [measure.of_table(table, max(table.n_a, table.n_b)) for measure in OF_PARTITIONS]


def accuracy(pair):
    return dm.measures.classification_accuracy(*pair)


def three_of_scikit_learn(pair):
    from sklearn.metrics import adjusted_rand_score, fowlkes_mallows_score, normalized_mutual_info_score

    return adjusted_rand_score(*pair), fowlkes_mallows_score(*pair), normalized_mutual_info_score(*pair)


def warm_partitions():
    for k in (10, 500):  # a full table and a sparse one are matched by different code
        every_measure(noisy(1000, k))
    three_of_scikit_learn(noisy(1000, 10))


def ten_million():
    """Print processor times, each measure from the table by itself."""
    for name, make in (("unrelated", unrelated), ("10% noise", noisy)):
        ours = core_time(fresh(make, every_measure, 10**7, 1000, warm=warm_partitions))
        within(f"{len(OF_PARTITIONS)} measures, {name}, 10,000,000 items, 1,000 clusters", ours, 5, 2048)
        theirs = core_time(fresh(make, three_of_scikit_learn, 10**7, 1000, warm=warm_partitions))
        beside(f"scikit-learn, ARI + FM + NMI, {name}", ours, theirs)


def many_clusters():
    for name, make in (("unrelated", unrelated), ("10% noise", noisy)):
        ours = fresh(make, every_measure, 10**6, 10**5, warm=warm_partitions)
        within(f"{len(OF_PARTITIONS)} measures, {name}, 1,000,000 items, 100,000 clusters", ours, 3)
        show(f"classification_accuracy alone, {name}", fresh(make, accuracy, 10**6, 10**5, warm=warm_partitions))


def sparse_assignment(n=10**5, k=10**4):
    """Time scipy beside us; it needs a full matching, so every row gets a column of its own that counts nothing."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    for name, make in (("unrelated", unrelated), ("10% noise", noisy)):
        table = dm.Contingency.of(*make(n, k))
        rows = np.concatenate((table.row, np.arange(table.n_a)))
        columns = np.concatenate((table.column, table.n_b + np.arange(table.n_a)))
        weights = np.concatenate((table.count + 1.0, np.ones(table.n_a)))
        full = csr_array((weights, (rows, columns)), shape=(table.n_a, table.n_a + table.n_b))
        ours = best_of(lambda table=table: dm.measures.classification_accuracy(table))
        theirs = best_of(lambda full=full: min_weight_full_bipartite_matching(full, maximize=True), 1)
        show(f"classification_accuracy, {name}, {n:,} items, {k:,} clusters", ours)
        beside("scipy min_weight_full_bipartite_matching", ours, theirs)


def full_assignment(k=800):
    """Time tables without a gap, of product form: every cluster wants the largest of the other side."""
    from scipy.optimize import linear_sum_assignment

    size = np.arange(1, k + 1)
    product = np.multiply.outer(size, size)
    blocks = np.kron(np.eye(3, dtype=np.int64), product[: k // 4, : k // 4])
    for name, dense in (("full", product), ("three full blocks", blocks)):
        table = dm.Contingency.from_counts(dense)
        ours = best_of(lambda table=table: dm.measures.classification_accuracy(table), 1)
        theirs = best_of(lambda dense=dense: linear_sum_assignment(dense, maximize=True), 1)
        show(f"classification_accuracy, product form, {name}, {table.n_a:,} clusters", ours)
        beside("scipy linear_sum_assignment", ours, theirs)


PARTS = (
    at_a_million,
    matching,
    permutations,
    rivals,
    ten_million,
    many_clusters,
    sparse_assignment,
    full_assignment,
)

if __name__ == "__main__":
    for part in PARTS:
        if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
            part()
