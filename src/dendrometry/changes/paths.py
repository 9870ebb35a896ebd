"""What the nodes of a tree are called in words and tables: their own names, and those on the way from the root."""

from __future__ import annotations

import numpy as np

from dendrometry._kernels.tree import nearest_kept
from dendrometry.hierarchy import Hierarchy

BETWEEN = " > "
_MOST_NAMED = 3  # items in place of the name of a node
_MOST_STEPS = 64  # of a path; those next to the root are left out if there are more


class NodeNames:
    """The names and paths of the nodes of a tree, made when they are asked for.

    Parameters
    ----------
    tree : Hierarchy
        The tree.
    """

    def __init__(self, tree: Hierarchy) -> None:
        self._tree = tree
        self._names = tree.node_names or ("",) * tree.n_nodes
        named = np.array([name != "" for name in self._names])
        named[tree.root] = True
        self._above = nearest_kept(tree.parent.copy(), named).tolist()  # the nearest with a name, or the root
        self._paths: dict[int, str] = {tree.root: ""}

    def call(self, v: int) -> str:
        """Return the name of a node; without one, the items that it holds in braces, at most three."""
        if self._names[v]:
            return self._names[v]
        if v == self._tree.root:
            return "the root"
        order, n = self._tree.order, int(self._tree.sizes[v])
        held = order.item[order.item_low[v] : order.item_low[v] + min(n, _MOST_NAMED)]
        named = ", ".join(self._tree.items[i] for i in held.tolist())
        return named if n == 1 else f"{{{named}{', …' if n > _MOST_NAMED else ''}}}"

    def path(self, v: int) -> str:
        """Return the names from below the root down to a node; nodes without a name are left out."""
        if v not in self._paths:
            steps: list[str] = []
            at = v
            while at != self._tree.root and len(steps) <= _MOST_STEPS:
                if self._names[at]:
                    steps.append(self._names[at])
                at = self._above[at]
            if len(steps) > _MOST_STEPS:
                steps[-1] = "…"
            self._paths[v] = BETWEEN.join(reversed(steps))
        return self._paths[v]

    def place(self, v: int) -> str:
        """Return the path of a node as it stands in a sentence; never empty."""
        path = self.path(v)
        if v == self._tree.root:
            return self.call(v)
        if self._names[v]:
            return path
        return f"{path}{BETWEEN}{self.call(v)}" if path else self.call(v)
