"""What is true of robinson_foulds alone; test_definitions.py compares it with its definition."""

import pytest

import dendrometry as dm
from dendrometry.generate import prune_regraft, random_tree
from dendrometry.measures import robinson_foulds


def test_five_items_by_hand():
    # {a,b} and {a,b,c} against {b,c} and {a,b,c}: one cluster in common, one more in each
    assert robinson_foulds(dm.from_newick("(((a,b),c),d,e);"), dm.from_newick("((a,(b,c)),d,e);")) == 2.0


def test_stars_and_single_items_are_at_distance_0():
    for text in ("(a,b,c);", "a;"):
        assert robinson_foulds(dm.from_newick(text), dm.from_newick(text)) == 0.0


@pytest.mark.compiled
def test_a_large_tree_and_a_rearranged_copy():
    tree = random_tree(3000, rng=1)
    moved = prune_regraft(tree, 20, rng=2)
    held = [{frozenset(tree.items[i] for i in members) for members in clusters_of(t)} for t in (tree, moved)]
    assert robinson_foulds(tree, moved) == len(held[0] ^ held[1])


def clusters_of(tree):
    """The items below each node, by position."""
    held = [[] for _ in range(tree.n_nodes)]
    for i, v in enumerate(tree.item_node):
        held[v].append(i)
    for v in range(tree.n_nodes - 1):
        held[tree.parent[v]].extend(held[v])
    return held
