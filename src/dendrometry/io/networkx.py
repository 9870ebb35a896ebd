"""NetworkX: directed graphs with edges from parents to children."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dendrometry._display import plural, printable
from dendrometry._extras import require
from dendrometry.errors import InvalidInputError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io.parents import from_parents

if TYPE_CHECKING:
    import networkx

__all__ = ["from_networkx", "to_networkx"]


def from_networkx(graph: networkx.DiGraph[Any]) -> Hierarchy:
    """Return the hierarchy of a directed graph whose edges lead from parents to children.

    Parameters
    ----------
    graph : networkx.DiGraph
        A tree, or a forest, which is joined under a root. If any node has the attribute ``items``, a list of strings,
        these are the items of the nodes; otherwise every leaf is an item, named by its text. Other attributes used
        are ``height`` (all nodes or none) and ``name``; a node that is a string is its own name.

    Raises
    ------
    InvalidTreeError
        If the graph is undirected (``networkx.bfs_tree(graph, root)`` directs it), a node has two parents, or
        there is a cycle.
    InvalidInputError
        If leaves are of several types, so that their text could be ambiguous, or only some nodes have heights.

    Examples
    --------
    >>> import networkx
    >>> from dendrometry import from_networkx
    >>> graph = networkx.DiGraph([("animals", "cat"), ("animals", "birds"), ("birds", "owl"), ("birds", "jay")])
    >>> print(from_networkx(graph).draw())
    animals
    ├─ cat
    └─ birds
       ├─ owl
       └─ jay
    """
    if not hasattr(graph, "is_directed") or not hasattr(graph, "edges"):
        raise InvalidInputError(f"graph must be a networkx graph; got {type(graph).__name__}")
    if not graph.is_directed():
        raise InvalidTreeError(
            "the graph must be directed, from parents to children; see networkx.bfs_tree(graph, root)"
        )
    nodes = list(graph.nodes)
    number = {node: v for v, node in enumerate(nodes)}
    parent = [-1] * len(nodes)
    is_leaf = [True] * len(nodes)
    for above, below in graph.edges():
        if parent[number[below]] != -1:
            raise InvalidTreeError(f"every node must have one parent; '{printable(below)}' has several")
        parent[number[below]] = number[above]
        is_leaf[number[above]] = False
    data = [graph.nodes[node] for node in nodes]
    explicit = any("items" in entry for entry in data)
    leaf_items = [[node] * leaf for node, leaf in zip(nodes, is_leaf, strict=True)]
    held = _explicit_items(nodes, data, is_leaf) if explicit else leaf_items
    names = [entry.get("name", node if isinstance(node, str) else "") for node, entry in zip(nodes, data, strict=True)]
    for v, leaf in enumerate(is_leaf):
        if leaf and held[v] == [names[v]]:
            names[v] = ""
    return from_parents(
        parent,
        [v for v, items in enumerate(held) for _ in items],
        _heights(data),
        [name for items in held for name in items],
        names,
    )


def to_networkx(tree: Hierarchy) -> networkx.DiGraph[int]:
    """Return a hierarchy as a ``networkx.DiGraph`` whose edges lead from parents to children.

    Nodes are numbered as in the hierarchy and carry ``items`` (the names of those that belong to the node itself),
    ``height`` and ``name`` where there are any; `from_networkx` gives the same tree back.

    Examples
    --------
    >>> from dendrometry import from_newick, to_networkx
    >>> to_networkx(from_newick("((ape,cat)mammals,owl);")).nodes[2]
    {'items': [], 'name': 'mammals'}
    """
    require_hierarchy(tree)
    graph: networkx.DiGraph[int] = require("networkx", extra="graph", for_="to_networkx()").DiGraph()
    for v in range(tree.n_nodes):
        graph.add_node(v, items=tree.own_items(v))
        if tree.height is not None:
            graph.nodes[v]["height"] = float(tree.height[v])
        if tree.node_names and tree.node_names[v]:
            graph.nodes[v]["name"] = tree.node_names[v]
    graph.add_edges_from(zip(tree.parent[:-1].tolist(), range(tree.n_nodes - 1), strict=True))
    return graph


def _explicit_items(nodes: list[Any], data: list[dict[str, Any]], is_leaf: list[bool]) -> list[list[Any]]:
    """Return the items in the attributes of the nodes."""
    held = [entry.get("items", []) for entry in data]
    for node, items, leaf in zip(nodes, held, is_leaf, strict=True):
        if not isinstance(items, list | tuple):
            raise InvalidInputError(f"the attribute items must be a list of strings; got {printable(items)}")
        if leaf and not items:
            raise InvalidInputError(
                f"every leaf must have items if some node has the attribute items; '{printable(node)}' has none"
            )
    return [list(items) for items in held]


def _heights(data: list[dict[str, Any]]) -> list[float] | None:
    """Return the attribute height of all nodes, or None if none has it."""
    given = [entry["height"] for entry in data if "height" in entry]
    if given and len(given) < len(data):
        raise InvalidInputError(
            f"all nodes must have heights, or none; {plural(len(given), 'node')} of {len(data):,} have one"
        )
    if any(isinstance(height, bool) or not isinstance(height, int | float | np.number) for height in given):
        raise InvalidInputError("the attribute height must be a number")
    return given or None
