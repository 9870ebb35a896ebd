"""Measures of two partitions at up to ten million items, beside scikit-learn and scipy; profiles over all k."""

import numpy as np

import dendrometry as dm
from shapes import SHAPES
from timing import best_of, fresh, show

MEASURES = (
    dm.rand,
    dm.adjusted_rand,
    dm.fowlkes_mallows,
    dm.van_dongen,
    dm.classification_accuracy,
    dm.normalized_mutual_information,
    dm.variation_of_information,
    dm.variation_similarity,
    dm.split_merge,
)


def unrelated(n, k):
    rng = np.random.default_rng(0)
    return rng.integers(0, k, n), rng.integers(0, k, n)


def noisy(n, k):
    rng = np.random.default_rng(0)
    a = rng.integers(0, k, n)
    return a, np.where(rng.random(n) < 0.1, rng.integers(0, k, n), a)


def ten_measures(pair):
    table = dm.Contingency.of(*pair)
    values = [measure(table) for measure in MEASURES]
    return [*values, dm.bounded_variation_similarity(table, max_clusters=max(table.n_a, table.n_b))]


def accuracy(pair):
    return dm.classification_accuracy(*pair)


def three_of_scikit_learn(pair):
    from sklearn.metrics import adjusted_rand_score, fowlkes_mallows_score, normalized_mutual_info_score

    return adjusted_rand_score(*pair), fowlkes_mallows_score(*pair), normalized_mutual_info_score(*pair)


def limited(what, figure, seconds, peak_mb=None):
    """Print a figure beside its limit, and say where it is past it."""
    limit = f"limit {seconds} s" if peak_mb is None else f"limit {seconds} s, {peak_mb:,} MB"
    missed = figure.seconds > seconds or (peak_mb is not None and figure.peak_mb > peak_mb)
    show(what, figure, f"{limit}  MISSED" if missed else limit)


def warm():
    for k in (10, 500):  # a full table and a sparse one are matched by different code
        ten_measures(noisy(1000, k))
    three_of_scikit_learn(noisy(1000, 10))


def ten_million():
    for name, make in (("unrelated", unrelated), ("10% noise", noisy)):
        ours = fresh(make, ten_measures, 10**7, 1000, warm=warm)
        limited(f"ten measures, {name}, 10,000,000 items, 1,000 clusters", ours, 5, 2048)
        theirs = fresh(make, three_of_scikit_learn, 10**7, 1000, warm=warm)
        show(f"scikit-learn, ARI + FM + NMI, {name}", theirs, f"{theirs.seconds / ours.seconds:.1f}x ours")


def many_clusters():
    for name, make in (("unrelated", unrelated), ("10% noise", noisy)):
        ours = fresh(make, ten_measures, 10**6, 10**5, warm=warm)
        limited(f"ten measures, {name}, 1,000,000 items, 100,000 clusters", ours, 3)
        show(f"classification_accuracy alone, {name}", fresh(make, accuracy, 10**6, 10**5, warm=warm))


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
        ours = best_of(lambda table=table: dm.classification_accuracy(table))
        theirs = best_of(lambda full=full: min_weight_full_bipartite_matching(full, maximize=True), 1)
        show(f"classification_accuracy, {name}, {n:,} items, {k:,} clusters", ours)
        show("scipy min_weight_full_bipartite_matching", theirs, f"{theirs.seconds / ours.seconds:.1f}x ours")


def full_assignment(k=800):
    """Time tables without a gap, of product form: every cluster wants the largest of the other side."""
    from scipy.optimize import linear_sum_assignment

    size = np.arange(1, k + 1)
    product = np.multiply.outer(size, size)
    blocks = np.kron(np.eye(3, dtype=np.int64), product[: k // 4, : k // 4])
    for name, dense in (("full", product), ("three full blocks", blocks)):
        table = dm.Contingency.from_counts(dense)
        ours = best_of(lambda table=table: dm.classification_accuracy(table), 1)
        theirs = best_of(lambda dense=dense: linear_sum_assignment(dense, maximize=True), 1)
        show(f"classification_accuracy, product form, {name}, {table.n_a:,} clusters", ours)
        show("scipy linear_sum_assignment", theirs, f"{theirs.seconds / ours.seconds:.1f}x ours")


def trees(shape_a, shape_b, n):
    names = [f"item {i}" for i in range(n)]
    other = [names[i] for i in np.random.default_rng(2).permutation(n)]
    return dm.from_linkage(SHAPES[shape_a](n), names), dm.from_linkage(SHAPES[shape_b](n), other)


def profile_of(pair):
    return dm.levels.profile(*pair, "split_merge"), dm.levels.profile(*pair, "variation_of_information")


def warm_profile():
    profile_of(trees("random", "random", 200))


def profiles():
    for shapes in (("random", "random"), ("caterpillar", "caterpillar"), ("balanced", "random")):
        for n in (10**4, 10**5):
            figure = fresh(trees, profile_of, *shapes, n, warm=warm_profile)
            what = f"profile of S_H and of VI, all k, {' and '.join(shapes)}, {n:,} items"
            if n == 10**5:
                limited(what, figure, 10)
            else:
                show(what, figure)


def loop_over_k(n=1000):
    """Time a loop over k that compares the labels of cuts made before."""
    from scipy.cluster.hierarchy import cut_tree
    from sklearn.metrics import normalized_mutual_info_score

    Z, Y = SHAPES["random"](n), SHAPES["balanced"](n)
    Z[:, 2] = Y[:, 2] = np.arange(1, n)
    a, b = dm.from_linkage(Z), dm.from_linkage(Y)
    cuts = cut_tree(Z), cut_tree(Y)
    ours = best_of(lambda: dm.levels.profile(a, b, "normalized_mutual_information"))
    theirs = best_of(
        lambda: [normalized_mutual_info_score(cuts[0][:, i], cuts[1][:, i], average_method="max") for i in range(n)], 1
    )
    show(f"profile of NMI, all k, {n:,} items", ours)
    show("scikit-learn NMI in a loop over k, cuts not counted", theirs, f"{theirs.seconds / ours.seconds:.0f}x ours")


if __name__ == "__main__":
    ten_million()
    many_clusters()
    sparse_assignment()
    full_assignment()
    profiles()
    loop_over_k()
