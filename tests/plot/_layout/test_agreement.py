import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Hierarchy, best_matches, from_newick
from dendrometry.plot._layout.agreement import common_clusters, largest_common, largest_nearly_common
from dendrometry.plot._layout.overlaps import large_clusters, overlaps
from tests.strategies import hierarchy_pairs, random_hierarchy


def clusters(tree):
    """The set of items of each node."""
    order = tree.order
    return [
        frozenset(tree.items[i] for i in order.item[low:high])
        for low, high in zip(order.item_low, order.item_high, strict=True)
    ]


@given(hierarchy_pairs())
def test_agreeing_clusters_are_the_largest_that_both_trees_have(pair):
    a, b = pair
    of_a = clusters(a)
    common = {c for c in set(of_a) & set(clusters(b)) if 1 < len(c) <= (a.n_items + 1) // 2}
    found = largest_common(a, b)
    for name, v in zip(a.items, found.tolist(), strict=True):
        holding = [c for c in common if name in c]
        assert (of_a[v] if v >= 0 else None) == max(holding, key=len, default=None)


@given(hierarchy_pairs())
def test_nearly_agreeing_clusters_have_a_match_and_do_not_nest(pair):
    a, b = pair
    of_a, of_b = clusters(a), clusters(b)
    found = largest_nearly_common(a, b, 0.8)
    for v in np.unique(found[found >= 0]).tolist():
        best = max(2 * len(of_a[v] & k) / (len(of_a[v]) + len(k)) for k in of_b)
        assert best >= 0.8 - 1e-12
        assert {a.items[i] for i in np.flatnonzero(found == v)} <= of_a[v]


def test_nothing_in_common_is_minus_one():
    a, b = from_newick("((a,b),(c,d));"), from_newick("((a,c),(b,d));")
    assert largest_common(a, b).tolist() == [-1] * 4
    assert largest_nearly_common(a, b, 0.8).tolist() == [-1] * 4


@given(hierarchy_pairs())
def test_overlaps_hold_the_best_match_of_every_cluster(pair):
    a, b = pair
    table = overlaps(a, b, 100)
    of_a, of_b = clusters(a), clusters(b)
    matches = best_matches(a, b)
    best = dict(zip(matches.node.tolist(), zip(matches.match.tolist(), matches.f.tolist(), strict=True), strict=True))
    wanted = {c for c in of_a if 1 < len(c) < a.n_items}
    assert sorted(map(len, wanted)) == sorted(len(of_a[v]) for v in table.row_node)
    for i, v in enumerate(table.row_node.tolist()):
        match, f = best[v]
        assert table.f[i, table.best[i]] == f
        assert of_b[table.column_node[table.best[i]]] == of_b[match]
        for j, w in enumerate(table.column_node.tolist()):
            assert table.common[i, j] == len(of_a[v] & of_b[w])


def test_only_the_largest_clusters_are_taken_by_size():
    tree = from_newick("((a,b),((c,d),e),(f,g,h,i));")
    chosen = large_clusters(tree, tree.sizes, 2, 8)
    assert tree.sizes[chosen].tolist() == [4, 3]
    assert large_clusters(tree, tree.sizes, 9, 3).size == 3


@given(st.integers(0, 10**6))
def test_rows_with_weights_have_the_common_clusters_of_their_items(seed):
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 4, 12)
    item = np.repeat(np.arange(12), weight)
    rows, items = (tuple(map(str, range(n))) for n in (12, item.size))
    drawn = [random_hierarchy(12, rng) for _ in range(2)]
    a, b = (Hierarchy(tree.parent, None, tree.item_node, rows) for tree in drawn)
    whole = [Hierarchy(tree.parent, None, tree.item_node[item], items) for tree in drawn]
    assert np.array_equal(largest_common(a, b, weight)[item], largest_common(*whole))
    assert np.array_equal(largest_nearly_common(a, b, 0.8, weight)[item], largest_nearly_common(*whole, 0.8))
    found, expected = common_clusters(a, b, weight), common_clusters(*whole)
    assert np.array_equal(found.node[item], expected.node)
    assert found.nearly == expected.nearly
