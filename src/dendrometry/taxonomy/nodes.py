"""Nodes of a taxonomy that users give by name, by path or by number."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from dendrometry._check.choices import suggestion
from dendrometry._check.labels import encode_labels
from dendrometry._check.names import position_text
from dendrometry._display import printable_repr, quote_first
from dendrometry._typing import IntArray
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.separators import split_path

_SEP = "/"
_MOST_PATHS = 3  # of a name that several nodes have, in a message


class Nodes:
    """The nodes of a taxonomy, to be found by name, by path or by number.

    A node is called by its own name; without one, by its only item. A path holds the names of the nodes from below the
    root down to the node; nodes without a name are left out.

    Parameters
    ----------
    taxonomy : Hierarchy
        The tree of classes.
    """

    def __init__(self, taxonomy: Hierarchy) -> None:
        self._n_nodes, self._root = taxonomy.n_nodes, taxonomy.root
        self._name = list(taxonomy.node_names or ("",) * taxonomy.n_nodes)
        own = taxonomy.own_sizes.tolist()
        for item, v in zip(taxonomy.items, taxonomy.item_node.tolist(), strict=True):
            if own[v] == 1 and not self._name[v]:
                self._name[v] = item
        self._above = self._nearest_named(taxonomy.parent.tolist())
        self._named: dict[str, list[int]] = defaultdict(list)
        self._below: dict[tuple[int, str], list[int]] = defaultdict(list)
        for v, name in enumerate(self._name):
            if name:
                self._named[name].append(v)
                self._below[self._above[v], name].append(v)

    def find(self, given: Any, which: str) -> IntArray:
        """Return the numbers of given nodes; ``which`` names them in messages."""
        labels = encode_labels(given, which)
        distinct = labels.label.tolist()
        if labels.label.dtype.kind in "iu":
            known = [[v] if 0 <= v < self._n_nodes else [] for v in distinct]
        else:
            known = [self._called(label) for label in distinct]
        bad = np.array([len(nodes) != 1 for nodes in known])[labels.code]
        if bad.any():
            at = int(np.argmax(bad))
            code = int(labels.code[at])
            hint, wrong = self._what_is_wrong(distinct[code], known[code])
            raise InvalidInputError(
                f"{hint}the {which} nodes must be names or paths of nodes of the taxonomy, or numbers from 0 to"
                f" {self._n_nodes - 1:,}; got {printable_repr(distinct[code])} at {position_text(given, [at])},"
                f" {wrong}"
            )
        found: IntArray = np.array([nodes[0] for nodes in known], dtype=np.int64)[labels.code]
        return found

    def number(self, label: Any) -> int:
        """Return the number of the only node that a label names; -1 if there is none, or several."""
        if isinstance(label, int) and not isinstance(label, bool):
            return label if 0 <= label < self._n_nodes else -1
        nodes = self._called(label)
        return nodes[0] if len(nodes) == 1 else -1

    def _nearest_named(self, parent: list[int]) -> list[int]:
        """Return the nearest node above each node that has a name, or else the root; -1 for the root itself."""
        above = list(parent)
        for v in range(self._root - 1, -1, -1):
            if above[v] != self._root and not self._name[above[v]]:
                above[v] = above[above[v]]
        return above

    def _called(self, label: object) -> list[int]:
        """Return the nodes of a name, or of a path if there is none."""
        if not isinstance(label, str) or not label:
            return []
        if label in self._named:
            return self._named[label]
        at = [self._root]
        for step in split_path(label, _SEP):
            at = [v for u in at for v in self._below.get((u, step), ())]
        return at

    def is_named(self, v: int) -> bool:
        """Whether a node has a name, or a single item instead."""
        return bool(self._name[v])

    def path(self, v: int) -> str:
        """Return the path of a node; that of one step starts with the separator, since it would be a name without."""
        steps = []
        while v != self._root:
            steps.append(self._name[v])
            v = self._above[v]
        return _SEP.join(reversed(steps)) if len(steps) > 1 else _SEP + "".join(steps)

    def _what_is_wrong(self, label: object, nodes: list[int]) -> tuple[str, str]:
        """Return the name that a label is nearest to, as a question, or nothing; and why it is not that of one node."""
        if not nodes:
            name = label.rpartition(_SEP)[2] if isinstance(label, str) else label
            return suggestion(name, self._named), "which is not among them"
        paths = list(map(self.path, nodes[:_MOST_PATHS]))
        called = f"which {len(nodes):,} nodes are called"
        if any(len(self._called(path)) != 1 for path in paths):
            return "", f"{called} (give the number of one)"
        more = "" if len(nodes) <= _MOST_PATHS else " and so on"
        return "", f"{called} (give the path of one: {quote_first(paths)}{more})"
