"""Calls that lead through the kernels of common functions, with arrays of the types that users have."""

import os
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial.distance import pdist

from dendrometry import generate
from dendrometry._typing import FloatArray
from dendrometry.cluster.agglomerate import agglomerate, agglomerate_distances
from dendrometry.cluster.divisive.bisect import bisect
from dendrometry.cluster.divisive.buckshot import buckshot
from dendrometry.cluster.divisive.constrained import bisect_constrained
from dendrometry.cluster.divisive.principal_direction import principal_direction
from dendrometry.cluster.linkages import LINKAGES
from dendrometry.comparison.compare import compare
from dendrometry.comparison.consensus import consensus
from dendrometry.comparison.largest_common_subtree import largest_common_subtree
from dendrometry.comparison.partitions import compare_partitions
from dendrometry.cut.count import cut_count
from dendrometry.cut.penalty import cut_penalty, residual_squares
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.options import LengthChoice
from dendrometry.io.formats.json import from_json, to_json
from dendrometry.io.formats.labels import from_labels
from dendrometry.io.formats.newick import from_newick, read_newick, to_newick
from dendrometry.io.parents import from_parents
from dendrometry.levels.label_profile import label_profile
from dendrometry.levels.profile import profile
from dendrometry.levels.stages import stages
from dendrometry.measures._shared.pair_counts import MANY_LEVELS
from dendrometry.measures.registry import PARTITION_MEASURES, TREE_MEASURES
from dendrometry.measures.trees.dendrogram_purity import dendrogram_purity
from dendrometry.plot._layout.branches import branches
from dendrometry.quality.cost import dasgupta_cost
from dendrometry.report.report import report
from dendrometry.text.duplicates import near_duplicates
from dendrometry.text.stories import first_stories
from dendrometry.text.stream import StoryStream

_Calls = list[Callable[[], object]]
_FEW, _MANY = 40, 1100  # points, on either side of where the algorithms for many begin
_ROUNDED = "((a:0.3333333333,b:0.3333333333):0.3333333333,c:0.6666666667);"  # as other programs write trees
_ITEMS = 200  # of trees that are too large for the tables of small ones
_LEAVES = 120_000  # of a tree whose JSON text is scanned
_COSINE_LINKAGES = [name for name, rule in LINKAGES.items() if "cosine" in rule.metrics]


def calls() -> _Calls:
    """Return calls that lead through the loops, with arrays of the types that they meet later."""
    trees = [generate.random_tree(_ITEMS, rng=seed) for seed in range(2)]
    points = np.random.default_rng(0).random((_MANY, 3))
    points[2 * _FEW : 4 * _FEW] *= 1e-5  # so near to each other that single precision does not tell them apart
    rows = sparse.random_array((_MANY, 200), density=0.1, rng=np.random.default_rng(0), format="csr")
    sticks = [generate.stick_breaking(_ITEMS, alpha=3.0, decay=0.5, gamma=1.0, rng=seed).hierarchy for seed in range(2)]
    return [
        *_on_trees(*trees),
        *_on_items_anywhere(*sticks),
        *_on_labels(trees[0]),
        *_on_points(generate.random_tree(_FEW, rng=0), points),
        *_on_rows(rows),
    ]


def _on_trees(a: Hierarchy, b: Hierarchy) -> _Calls:
    """Return the calls that compare, cut, draw and write trees."""
    return [
        lambda: from_newick(to_newick(a)),
        lambda: read_newick(_ROUNDED, LengthChoice()),
        lambda: from_json(to_json(from_parents(np.append(np.full(_LEAVES, _LEAVES), -1)))),
        lambda: generate.diffused_points(generate.random_tree(_ITEMS, rng=0), rng=0),
        lambda: largest_common_subtree(a, b),
        lambda: compare(a, b, n_permutations=1),
        lambda: compare(a, b, measures=TREE_MEASURES),
        lambda: _report(a, b),
        lambda: profile(a, b),
        lambda: consensus([a, b]),
        lambda: cut_count(a, 3),
        lambda: branches(a),
        _series_of_many_stages,
    ]


def _series_of_many_stages() -> None:
    """Compute the series that loops compute of as many stages as this, and NumPy of fewer."""
    a, b = (generate.random_tree(MANY_LEVELS + 2, shape="merges", rng=seed) for seed in range(2))
    series = stages(a, b)
    _ = series.adjusted_rand, series.variance_fowlkes_mallows


def _on_items_anywhere(a: Hierarchy, b: Hierarchy) -> _Calls:
    """Return the calls that compare and draw trees without heights, with items at inner nodes."""
    return [lambda: compare(a, b, measures=TREE_MEASURES), lambda: branches(a)]


def _on_labels(tree: Hierarchy) -> _Calls:
    """Return the calls that compare flat clusterings with each other and with a tree."""
    first, second = (cut_count(tree, k).labels for k in (5, 20))
    return [
        lambda: compare_partitions(first, second, measures=PARTITION_MEASURES, max_clusters=_ITEMS),
        lambda: label_profile(tree, first),
        lambda: dendrogram_purity(from_labels(first, item_names=tree.items), tree),
    ]


def _report(a: Hierarchy, b: Hierarchy) -> None:
    """Write a report to a folder that is removed."""
    with tempfile.TemporaryDirectory() as folder:
        report(compare(a, b, n_permutations=1), os.path.join(folder, "report.html"))


def _on_points(tree: Hierarchy, points: FloatArray) -> _Calls:
    """Return the calls that build trees of points; the tree has as many items as the few points."""
    few = points[:_FEW]
    return [
        *(_build(name, rule.metrics[0], some) for name, rule in LINKAGES.items() for some in (few, points)),
        *(_build_from_distances(name, few) for name in LINKAGES if not name.startswith("group_average")),
        _build("average", "cityblock", points),
        lambda: near_duplicates(few, threshold=0.3),
        lambda: bisect(few, rng=0),
        lambda: principal_direction(few),
        lambda: buckshot(few, 3, rng=0, refine=True),
        lambda: bisect_constrained(few, generate.random_triplets(tree, 20, rng=0), rng=0),
        lambda: dasgupta_cost(tree, few),
        lambda: cut_penalty(tree, residual_squares(tree, few), penalty=0.1),
    ]


def _build(linkage: Any, metric: str, points: Any) -> Callable[[], object]:
    """Return a call that builds the tree of points."""
    return lambda: agglomerate(points, linkage=linkage, metric=metric)


def _build_from_distances(linkage: Any, points: FloatArray) -> Callable[[], object]:
    """Return a call that builds the tree of a matrix of distances."""
    return lambda: agglomerate_distances(pdist(points), linkage=linkage)


def _on_rows(rows: Any) -> _Calls:
    """Return the calls on sparse rows and on texts."""
    few = rows[:_FEW]
    calls: _Calls = [
        *(_build(name, "cosine", some) for name in _COSINE_LINKAGES for some in (few, rows)),
        lambda: bisect(few, rng=0),
        lambda: principal_direction(few),
        lambda: buckshot(few, 3, rng=0, refine=True),
        lambda: near_duplicates(rows, threshold=0.3),
        lambda: StoryStream(window=1.0).extend([f"word{i} word{i % 7}" for i in range(300)], range(300)),
    ]
    if find_spec("sklearn") is not None:  # the extra "text"
        calls.append(lambda: list(first_stories([f"word{i} word{i % 7}" for i in range(300)])))
    return calls
