"""UnrootedTree: a tree whose root is of no account, for the measures that compare splits instead of clusters."""

from __future__ import annotations

from dataclasses import dataclass

from dendrometry._check.arrays import Frozen
from dendrometry._display import plural
from dendrometry._html import note
from dendrometry.hierarchy import Hierarchy, require_hierarchy


@dataclass(frozen=True)
class UnrootedTree(Frozen):
    """A view of a tree without its root, which `dendrometry.io.unroot` makes.

    Where the root is has no meaning: each branch splits the items in two, and neither side is the inner one. Two such
    trees are compared by the measures whose record has ``unrooted`` set; every other function refuses them.

    Attributes
    ----------
    tree : Hierarchy
        The tree, with the root that it came with. Its heights give the lengths of the branches.
    """

    tree: Hierarchy

    def __post_init__(self) -> None:
        """Refuse what is not a tree."""
        require_hierarchy(self.tree)

    def _repr_html_(self) -> str:
        return note(repr(self), faint=False)

    def __repr__(self) -> str:
        return f"UnrootedTree({plural(self.tree.n_items, 'item')}, {plural(self.n_splits, 'split')})"

    @property
    def n_splits(self) -> int:
        """The number of different splits with two items or more on both sides."""
        tree, n = self.tree.without_unary(), self.tree.n_items
        inner = tree.sizes[:-1]
        count = int(((inner > 1) & (inner < n - 1)).sum())
        has_two = tree.n_children[-1] == 2 and tree.own_sizes[-1] == 0
        return count - int(has_two and bool((inner[tree.parent[:-1] == tree.root] > 1).all()))
