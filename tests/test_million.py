"""A chain of a million nodes is an ordinary tree: every door, copy, equality, repr and pickling, no recursion."""

import copy
import pickle
import sys
import warnings

import networkx
import numpy as np
import pytest

from dendrometry import (
    Hierarchy,
    Overlap,
    from_hclust,
    from_json,
    from_labels,
    from_levels,
    from_linkage,
    from_newick,
    from_parents,
    from_paths,
    from_sklearn,
    read,
    to_hclust,
    to_json,
    to_linkage,
    to_newick,
    to_parents,
    to_paths,
    write,
)
from dendrometry.errors import LostMeaningWarning
from dendrometry.io import from_networkx, to_networkx
from tests.zoo import caterpillar, unary_chain

N = 1_000_000
pytestmark = [pytest.mark.compiled, pytest.mark.slow]


@pytest.fixture(scope="module")
def chain():
    """A dendrogram of a million nodes, 499,999 levels deep."""
    return caterpillar(N // 2)


@pytest.fixture(scope="module")
def unary():
    """A million nodes, each with one child, one item at the foot."""
    return unary_chain(N)


def without_heights(tree):
    return Hierarchy(tree.parent, None, tree.item_node, tree.items)


def test_the_recursion_limit_is_the_default():
    assert sys.getrecursionlimit() == 1000


def test_structure_copy_repr_and_pickling(chain):
    assert repr(chain) == "Hierarchy(500,000 items, 999,999 nodes, heights 0 to 499999)"
    assert chain.depths.max() == N // 2 - 1
    assert chain.sizes[-1] == N // 2
    assert chain.draw().endswith("more nodes")
    assert copy.copy(chain) == copy.deepcopy(chain) == pickle.loads(pickle.dumps(chain)) == chain
    assert chain.without_unary() == chain
    assert chain.restrict(chain.items[::1000]).n_items == 500
    assert Overlap.of(chain, chain).count.size == N // 2


def test_unary_structure(unary):
    assert unary.depths[0] == N - 1
    assert unary.without_unary().n_nodes == 1
    assert pickle.loads(pickle.dumps(unary)) == unary


def test_linkage_hclust_and_children(chain):
    assert from_linkage(to_linkage(chain)) == chain
    assert from_hclust(*to_hclust(chain)) == chain
    Z = to_linkage(chain)
    assert from_sklearn(Z[:, :2], Z[:, 2]) == chain


@pytest.mark.parametrize("name", ["chain", "unary"])
def test_parents(request, name):
    tree = request.getfixturevalue(name)
    assert from_parents(*to_parents(tree)) == tree
    upside_down = np.where(tree.parent >= 0, tree.n_nodes - 1 - tree.parent, -1)[::-1]
    assert from_parents(upside_down, tree.n_nodes - 1 - tree.item_node, tree.height[::-1], tree.items) == tree


@pytest.mark.parametrize("name", ["chain", "unary"])
def test_newick(request, name):
    tree = request.getfixturevalue(name)
    assert from_newick(to_newick(tree)) == tree


@pytest.mark.parametrize("name", ["chain", "unary"])
def test_json(request, name):
    tree = request.getfixturevalue(name)
    assert from_json(to_json(tree)) == tree


@pytest.mark.parametrize("name", ["chain", "unary"])
def test_networkx(request, name):
    tree = request.getfixturevalue(name)
    assert from_networkx(to_networkx(tree)) == tree


def test_networkx_path_graph_of_strings():
    graph = networkx.DiGraph()
    networkx.add_path(graph, map(str, range(N)))
    assert from_networkx(graph).n_nodes == N


def test_paths(unary):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LostMeaningWarning)
        assert from_paths(to_paths(unary)) == without_heights(unary)


def test_labels_and_levels():
    assert from_labels(np.arange(N)).n_nodes == N + 1
    assert from_levels({f"level {i}": ["x"] for i in range(N)}).depths.max() == N


@pytest.mark.parametrize(
    "name", ["chain.nwk", "chain.json.gz", "chain.npy", "unary.csv", "unary.tsv.gz", "unary.parquet"]
)
def test_files(request, tmp_path, name):
    tree = request.getfixturevalue(name.split(".")[0])
    if tree.n_items == 1:
        tree = without_heights(tree)
    write(tree, tmp_path / name)
    assert read(tmp_path / name) == tree
