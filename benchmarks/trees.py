"""Measures of two trees, each by itself: deep and shallow trees of up to a million items.

Seconds are processor time. ``python benchmarks/trees.py NAME ...`` times the measures of these names alone, ``growth``
those of trees and of partitions whose docstring says O(n log n), or O(n) without more, at three sizes (``growth NAME
...`` some of them, ``growth partitions`` those of partitions), ``tqdist`` the triplets beside tqDist 1.0, if it is
installed. ``pip install tqdist`` builds it from source; where the compiler does not know ``-m64``, as on ARM
processors, this must be removed from its ``setup.py``. Debian has no package of it.
"""

import re
import sys
import time
from collections.abc import Callable
from functools import partial
from math import log
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import cophenet
from scipy.stats import kendalltau, spearmanr

import dendrometry as dm
from dendrometry.generate import random_tree
from timing import beside, best_of, core_time, fresh, in_turn, show, within


class Case(NamedTuple):
    """A measure of two trees of given shapes and size, and its limit in seconds, if there is one."""

    measure: str
    shapes: tuple[str, str]
    n: int
    limit: float | None = None


def pairs(measure: str, n: int, limit: float | None, *shapes: tuple[str, str]) -> list[Case]:
    """Return a case for each pair of shapes."""
    return [Case(measure, both, n, limit) for both in shapes]


MERGES, BALANCED, CHAINS = ("merges", "merges"), ("balanced", "balanced"), ("caterpillar", "caterpillar")
UNIFORM, MIXED = ("uniform", "uniform"), ("merges", "caterpillar")
CLAIM = re.compile(r"O\(n log n\) time|O\(n\)( time)?(?! time|,? plus|, and| space)")


def claiming(kind: str) -> list[str]:
    """Return the measures of trees or of partitions that claim to be linear but for a logarithm."""
    texts = {name: " ".join(m.call.__doc__.split()) for name, m in dm.MEASURES.items() if m.of == kind}
    return [name for name, text in texts.items() if re.search(CLAIM, text)]


NEARLY_LINEAR = claiming("trees")
LINEAR = claiming("partitions")
MOST_ITEMS = {"quartet_agreement": 121_977}  # whose quartets are fewer than 2**63
TABLES = ("few clusters", "clusters of 10", "sizes of a power law", "nested")
CASES = [
    *pairs("robinson_foulds", 1_000_000, 2, MERGES, CHAINS),
    *pairs("weighted_robinson_foulds", 1_000_000, 5, MERGES, CHAINS),
    *pairs("branch_score", 1_000_000, 5, MERGES, CHAINS),
    *pairs("triplet_agreement", 100_000, 2, MERGES, BALANCED, MIXED),
    *pairs("triplet_agreement", 1_000_000, 25, MERGES, BALANCED, MIXED),
    *pairs("triplet_agreement", 100_000, 10, CHAINS, UNIFORM),
    *pairs("quartet_agreement", 100_000, 10, MERGES, BALANCED, MIXED, CHAINS, UNIFORM),
    *pairs("kendall_tau_b", 100_000, 2, MERGES, BALANCED, MIXED),
    *pairs("kendall_tau_b", 1_000_000, 25, MERGES, BALANCED, MIXED),
    *pairs("cophenetic_correlation", 1_000_000, 3, MERGES, BALANCED, CHAINS, UNIFORM, MIXED),
    *pairs("baker_correlation", 1_000_000, 5, MERGES, BALANCED, CHAINS, UNIFORM),
    *pairs("kendall_colijn", 1_000_000, 5, MERGES, BALANCED, CHAINS, UNIFORM),
    *pairs("path_difference", 1_000_000, 5, MERGES, BALANCED, CHAINS, UNIFORM),
    *pairs("matching_cluster", 5_000, None, MERGES, BALANCED),
    *pairs("mutual_clustering_information", 5_000, None, MERGES, BALANCED),
    *pairs("cophenetic_lp", 1_000_000, None, MERGES, BALANCED),
    *pairs("cophenetic_l_infinity", 1_000_000, 2, MERGES, CHAINS),
    *pairs("hierarchical_mutual_information", 1_000_000, 8, MERGES, BALANCED, CHAINS),
    *pairs("adjusted_hierarchical_mutual_information", 1_000_000, None, MERGES, BALANCED, CHAINS, UNIFORM),
]


def trees(case: Case) -> tuple[str, dm.Hierarchy, dm.Hierarchy]:
    first, second = (random_tree(case.n, shape=shape, rng=seed) for seed, shape in enumerate(case.shapes, 1))
    return case.measure, first, second


def measured(call: tuple[str, dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.measures.MEASURES[call[0]].call(*call[1:])


def warm(call: Callable[..., object]) -> None:
    for shape, n in (("merges", 5_000), ("caterpillar", 1_500)):
        call(*(random_tree(n, shape=shape, rng=seed) for seed in (1, 2)))


def common_subtree(case: tuple[str, dm.Hierarchy, dm.Hierarchy]) -> None:
    dm.comparison.largest_common_subtree(*case[1:])


def common_subtrees() -> None:
    """Show the largest common subtree, which takes time in proportion to the square of the items."""
    for shapes in (MERGES, CHAINS):
        for n in (1_000, 4_000):
            case = Case("largest_common_subtree", shapes, n)
            ready = partial(warm, dm.comparison.largest_common_subtree)
            figure = core_time(fresh(trees, common_subtree, case, warm=ready))
            show(f"{case.measure}, {' and '.join(shapes)}, {n:,}", figure)


least_of = partial(best_of, clock=time.process_time)


def growing(measure: str, shape: str, a: dm.Hierarchy, b: dm.Hierarchy) -> tuple[dm.Hierarchy, dm.Hierarchy]:
    """Return two trees for which a measure is defined, of the shape and the items of two dendrograms."""
    rng, n = np.random.default_rng(3), a.n_items
    if measure == "dendrogram_purity":  # classes of a hundred items
        return dm.from_labels(rng.integers(0, n // 100, n), a.items), b
    if measure in ("partial_order_f", "classic_f"):  # items anywhere, so that some share a node or are above others
        halves = [random_tree(n // 2, shape=shape, rng=seed) for seed in (1, 2)]
        at = [np.append(t.leaves, rng.integers(0, t.n_nodes, n - t.leaves.size)) for t in halves]
        a, b = (dm.Hierarchy(t.parent, None, v, a.items) for t, v in zip(halves, at, strict=True))
    return a, b


SIZES = {10_000: 9, 100_000: 3, 1_000_000: 1}  # and how often each is measured in a round


def growing_by_size(measure: str, kind: str, calls: dict[int, Callable[[], object]]) -> None:
    """Show the processor time at each size, as a multiple of n log n with the factor of the least."""
    figures = in_turn(list(calls.values()), [SIZES[n] for n in calls])
    paces = [figure.seconds / (n * log(n)) for n, figure in zip(calls, figures, strict=True)]
    for n, figure, pace in zip(calls, figures, paces, strict=True):
        ratio = pace / paces[0]
        note = f"{ratio:.2f} x n log n of 10,000; limit 1.3{' MISSED' if ratio > 1.3 else ''}"
        show(f"{measure}, {kind}, {n:,}", figure, note)


def growth(measures: list[str]) -> None:
    """Show how measures of two trees grow."""
    for shape in ("merges", "balanced", "caterpillar", "uniform"):
        pairs = {n: trees(Case("", (shape, shape), n))[1:] for n in SIZES}
        for measure in measures:
            sizes = [n for n in SIZES if n <= MOST_ITEMS.get(measure, n)]
            both = {n: growing(measure, shape, *pairs[n]) for n in sizes}
            growing_by_size(measure, shape, {n: partial(dm.MEASURES[measure].call, *both[n]) for n in sizes})


def labels(table: str, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two partitions of n items, of which every fifth is drawn anew in the second, or which are nested."""
    rng = np.random.default_rng(n)
    if table == "nested":
        fine = rng.integers(0, n // 20, n)
        return fine // 8, fine
    if table == "sizes of a power law":
        first = np.minimum(rng.zipf(1.6, n), n)
    else:
        first = rng.integers(0, 12 if table == "few clusters" else n // 10, n)
    return first, np.where(rng.random(n) < 0.2, rng.permutation(first), first)


def growth_of_partitions(measures: list[str]) -> None:
    """Show how measures of partitions grow, labels in and value out."""
    for table in TABLES:
        both = {n: labels(table, n) for n in SIZES}
        for measure in measures:
            record = dm.MEASURES[measure]
            options = {n: {"max_clusters": n} if record.needs_bound else {} for n in SIZES}
            growing_by_size(measure, table, {n: partial(record.call, *both[n], **options[n]) for n in SIZES})


def rivals(n: int = 2_000) -> None:
    """Show SciPy from the heights of all pairs of the same two trees, and DendroPy from the same trees, read before."""
    import dendropy
    from dendropy.calculate.treecompare import symmetric_difference

    a, b = (random_tree(n, shape="merges", rng=seed) for seed in (1, 2))
    x, y = (cophenet(dm.to_linkage(tree)) for tree in (a, b))
    for name, rival in (
        ("kendall_tau_b", lambda: kendalltau(x, y)),
        ("baker_correlation", lambda: spearmanr(x, y)),
        ("cophenetic_lp", lambda: np.sqrt(np.mean((x - y) ** 2))),
    ):
        ours = least_of(partial(dm.measures.MEASURES[name].call, a, b))
        show(f"{name}, {n:,} items", ours)
        beside("SciPy and NumPy, from the heights of all pairs", ours, least_of(rival, 1))
    space = dendropy.TaxonNamespace()
    texts = (dm.to_newick(tree) for tree in (a, b))
    one, other = (
        dendropy.Tree.get(data=t, schema="newick", rooting="force-rooted", taxon_namespace=space) for t in texts
    )
    ours = least_of(lambda: dm.measures.robinson_foulds(a, b))
    show(f"robinson_foulds, {n:,} items", ours)
    beside("DendroPy symmetric_difference", ours, least_of(lambda: symmetric_difference(one, other), 1))
    assert dm.measures.robinson_foulds(a, b) == symmetric_difference(one, other)


def triplets_beside_tqdist() -> None:
    """Show tqDist from the same trees as texts, which both read; it fails on caterpillars of 100,000 items."""
    try:
        import tqdist
    except ImportError:
        print("tqDist is not installed: see the top of this file")
        return
    warm(dm.measures.triplet_agreement)
    for shapes, n in ((MERGES, 100_000), (UNIFORM, 100_000)):
        _, *both = trees(Case("triplet_agreement", shapes, n))
        texts = [dm.to_newick(dm.Hierarchy(tree.parent, None, tree.item_node, tree.items)) for tree in both]
        ours = least_of(lambda texts=texts: dm.measures.triplet_agreement(*map(dm.from_newick, texts)), 1)
        show(f"triplet_agreement of Newick texts, {' and '.join(shapes)}, {n:,}", ours)
        beside("tqDist triplet_distance", ours, least_of(lambda texts=texts: tqdist.triplet_distance(*texts), 1))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        rivals()
    if len(sys.argv) < 2 or "growth" in sys.argv[1:]:
        both = LINEAR if "partitions" in sys.argv[1:] else NEARLY_LINEAR + LINEAR
        chosen = [name for name in both if name in sys.argv[1:]] or both
        growth([name for name in chosen if name in NEARLY_LINEAR])
        growth_of_partitions([name for name in chosen if name in LINEAR])
    if len(sys.argv) < 2 or "tqdist" in sys.argv[1:]:
        triplets_beside_tqdist()
    if len(sys.argv) < 2 or "largest_common_subtree" in sys.argv[1:]:
        common_subtrees()
    for case in CASES:
        if len(sys.argv) < 2 or (case.measure in sys.argv[1:] and "growth" not in sys.argv[1:]):
            ready = partial(warm, dm.measures.MEASURES[case.measure].call)
            figure = core_time(fresh(trees, measured, case, warm=ready))
            title = f"{case.measure}, {' and '.join(case.shapes)}, {case.n:,}"
            if case.limit is None:
                show(title, figure)
            else:
                within(title, figure, case.limit)
