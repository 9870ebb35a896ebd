"""The entanglement of two trees equals its definition and depends on the order of children."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Hierarchy, from_labels, from_newick, from_parents
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.plot import entanglement, untangle
from tests.oracles.plot import untangle as oracle
from tests.plot._layout.test_untangle import places
from tests.strategies import hierarchy_pairs


def reverse_children(tree: Hierarchy) -> Hierarchy:
    """The same tree with the children of every node in the opposite order."""
    depth = tree.depths
    order = sorted(range(tree.n_nodes), key=lambda v: (-depth[v], -v))
    place = np.argsort(order)
    parent = [-1 if tree.parent[v] == -1 else int(place[tree.parent[v]]) for v in order]
    return from_parents(parent, place[tree.item_node], None, tree.items)


@given(hierarchy_pairs(), st.sampled_from([1, 1.5, 2, 4]))
def test_equals_its_definition(pair, power):
    a, b = pair
    in_a, in_b = (places([tree.items[i] for i in tree.order.item], tree) for tree in pair)
    x, y = [in_a[name] for name in a.items], [in_b[name] for name in a.items]
    assert entanglement(a, b, power=power) == pytest.approx(oracle.entanglement(x, y, power), abs=1e-12)


@given(hierarchy_pairs())
def test_is_that_of_the_original_order_of_untangle_and_symmetric(pair):
    found = entanglement(*pair)
    assert found == untangle(*pair).entanglement_given
    assert found == pytest.approx(entanglement(*pair[::-1]), abs=1e-12)
    assert 0.0 <= found <= 1.0


def test_the_order_of_children_decides_between_equal_trees():
    tree = from_newick("(((a,b),c),((d,e),(f,(g,h))));")
    turned = reverse_children(tree)
    assert entanglement(tree, tree) == 0.0
    assert entanglement(tree, turned) == 1.0
    assert untangle(tree, turned).entanglement == 0.0


def test_a_greater_power_weighs_items_far_from_level():
    a, b = from_newick("(a,b,c,d,e);"), from_newick("(e,b,c,d,a);")
    values = [entanglement(a, b, power=power) for power in (1, 1.5, 2)]
    assert values == sorted(values)
    assert values[0] == pytest.approx(8 / 12)  # 4 + 4 of 4 + 2 + 0 + 2 + 4


def test_one_item_is_not_entangled():
    one = from_labels([0])
    assert entanglement(one, one) == 0.0


def test_large_powers_do_not_overflow():
    a, b = (from_newick(f"({','.join(names)});") for names in (map(str, range(2_000)), map(str, range(1_999, -1, -1))))
    assert entanglement(a, b, power=100) == 1.0


@pytest.mark.parametrize("power", [0.5, 0, 101, float("nan"), "2"])
def test_bad_powers_are_refused(power):
    tree = from_newick("(a,b);")
    with pytest.raises(InvalidInputError, match="power must be a"):
        entanglement(tree, tree, power=power)


def test_different_items_are_refused():
    with pytest.raises(ItemMismatchError, match="must hold the same items"):
        entanglement(from_newick("(a,b);"), from_newick("(a,c);"))
