"""Pairs of trees without a root: both rooted beside the same item, so that splits are clusters without it."""

from dataclasses import dataclass, field

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry._kernels import tree as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.tree_pair.pair import Pair, Tree
from dendrometry.unrooted import UnrootedTree


@dataclass(frozen=True, eq=False)
class UnrootedPair(Pair):
    """A pair without roots, and the same pair with those that the trees came with."""

    rooted: Pair = field(kw_only=True)

    def shuffle(self, rng: np.random.Generator) -> Pair:
        """Return the pair after a random relabelling of the items of the second tree, rooted beside another item."""
        return unroot_pair(self.rooted.shuffle(rng))


def pair_of(a: Hierarchy | UnrootedTree, b: Hierarchy | UnrootedTree) -> Pair:
    """Return the pair of two rooted trees, or of two unrooted ones."""
    is_unrooted = are_unrooted(a, b)
    pair = Pair.of_trees(*(tree.tree if isinstance(tree, UnrootedTree) else tree for tree in (a, b)))
    return unroot_pair(pair) if is_unrooted else pair


def are_unrooted(a: object, b: object) -> bool:
    """Return whether two trees are unrooted, refusing one with a root and one without."""
    first, second = (isinstance(tree, UnrootedTree) for tree in (a, b))
    if first != second:
        which = "first" if first else "second"
        raise InvalidInputError(f"both trees must have a root, or neither; only the {which} is unrooted")
    return first


def unroot_pair(pair: Pair) -> UnrootedPair:
    """Return the pair with both trees rooted at the node beside one item, the first of the first row.

    Each proper cluster of such a tree is the side without this item of one split of two items or more on both sides,
    and each such split is one cluster. O(n).
    """
    a, b = _root_beside(pair.a, 0), _root_beside(pair.b, 0)
    return UnrootedPair(a, b, pair.count, pair.n_items, unrooted=True, rooted=pair)


def split_sizes(pair: Pair, size: IntArray) -> IntArray:
    """Return how many items the smaller side of a split has; of rooted trees, the sizes of the clusters."""
    return np.minimum(size, pair.n_items - size) if pair.unrooted else size


def _root_beside(tree: Tree, row: int) -> Tree:
    """Return a tree rooted at the node beside an item of a row: at its own node, or next to it if it is alone there."""
    parent, length = _without_root_of_two(tree)
    own, n_nodes = tree.own[: parent.size], parent.size
    v = int(tree.node[row])
    n_children = np.bincount(parent[:-1], minlength=n_nodes)
    is_root = v == n_nodes - 1
    top = v
    if own[v] == 1 and n_nodes > 1 and n_children[v] + (not is_root) == 1:
        top = int(np.flatnonzero(parent == v)[0]) if is_root else int(parent[v])
    path = [top]
    while path[-1] != n_nodes - 1:
        path.append(int(parent[path[-1]]))
    up = np.array(path)
    new_parent, new_length = parent.copy(), None if length is None else length.copy()
    new_parent[up[1:]], new_parent[top] = up[:-1], -1
    if new_length is not None and length is not None:
        new_length[up[1:]], new_length[top] = length[up[:-1]], 0.0
    is_on_path = np.zeros(n_nodes, dtype=np.bool_)
    is_on_path[up] = True
    order = np.concatenate((np.flatnonzero(~is_on_path), up[::-1]))
    return _renumbered(tree, order, new_parent, new_length)


def _without_root_of_two(tree: Tree) -> tuple[IntArray, FloatArray | None]:
    """Return the parents, and the lengths of the branches above the nodes, without a root of two branches.

    Its later child is the node before it, and becomes the root.
    """
    parent, length, n = tree.parent.copy(), None, tree.parent.size
    if tree.height is not None:
        length = np.zeros(n)
        with np.errstate(over="ignore"):
            length[:-1] = tree.height[parent[:-1]] - tree.height[:-1]
    if n < 3 or tree.own[-1] or tree.parts[-1] != 2:
        return parent, length
    other = int(np.flatnonzero(parent == n - 1)[0])
    parent[other], parent[n - 2] = n - 2, -1
    if length is not None:
        with np.errstate(over="ignore"):
            length[other] += length[n - 2]
        length[n - 2] = 0.0
    return parent[:-1], None if length is None else length[:-1]


def _renumbered(tree: Tree, order: IntArray, parent: IntArray, length: FloatArray | None) -> Tree:
    """Return the columns of the nodes in another order, with children before parents."""
    number = np.empty(order.size + 1, dtype=np.int64)
    number[order] = np.arange(order.size)
    number[-1] = -1
    own, new_parent = tree.own[order], number[parent[order]]
    n_first = int(new_parent[:-1].min(initial=order.size - 1))
    return Tree(
        read_only(new_parent),
        None,
        read_only(number[tree.node]),
        read_only(own),
        read_only(kernels.accumulate_sum(new_parent, own.copy())),
        read_only(own + np.bincount(new_parent[:-1], minlength=order.size)),
        read_only(tree.original[order]),
        tree.which,
        0 if own[:n_first].max(initial=1) > 1 else n_first,
        None if length is None else read_only(length[order]),
    )
