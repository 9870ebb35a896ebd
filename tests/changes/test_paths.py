"""The names on the way from the root to a node."""

import pytest

from dendrometry import from_parents
from dendrometry.changes.paths import NodeNames


def chain(names):
    """Return a tree of one path from a leaf, which comes first, up to the root, with a second leaf there."""
    n = len(names)
    return from_parents([*range(1, n), n + 1, n + 1, -1], [0, n], item_names=["a", "b"], node_names=[*names, "", ""])


@pytest.mark.parametrize("step", [1, 7])
def test_a_path_has_the_named_nodes_next_to_its_end(step):
    tree = chain([str(i) if i % step == 0 else "" for i in range(1000)])
    names = NodeNames(tree)
    above = [str(i) for i in range(0, 1000, step)]
    assert names.path(0) == " > ".join(["…", *above[63::-1]])
    assert names.path(994) == " > ".join(str(i) for i in range(999, 993, -1) if i % step == 0)


def test_a_long_way_without_names_is_one_step():
    tree = chain(["", "low", *[""] * 5000])
    names = NodeNames(tree)
    assert names.path(0) == "low"
    assert names._above[:3] == [1, tree.root, tree.root]
    assert NodeNames(chain([""] * 3)).path(0) == ""
