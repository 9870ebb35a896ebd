"""NetworkX: directed graphs with edges from parents to children."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import float_column
from dendrometry._display import plural, printable, printable_repr
from dendrometry._extras import require
from dendrometry._flags import flag
from dendrometry.errors import InvalidInputError, InvalidTreeError, Message, Remedy
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io._shared.lengths import Heights, heights_in_any_order
from dendrometry.io._shared.requirements import warn_assumed
from dendrometry.io.parents import from_parents

if TYPE_CHECKING:
    import networkx

_LENGTHS = ("length", "branch_length", "dist", "weight")  # attributes of edges that may be lengths


def from_networkx(graph: networkx.DiGraph[Any], *, length: str | None = None, exact_heights: bool = False) -> Hierarchy:
    """Return the hierarchy of a directed graph whose edges lead from parents to children.

    Parameters
    ----------
    graph : networkx.DiGraph
        A tree, or a forest, which is joined under a root. If any node has the attribute ``items``, a list of strings,
        these are the items of the nodes; otherwise every leaf is an item, named by its text. Other attributes used
        are ``height`` (all nodes or none) and ``name``; a node that is a string is its own name.
    length : str, optional
        The attribute of the edges that holds the lengths of branches, from which heights are computed as by
        `from_newick`; by default "length" if all edges have it and nodes have no heights. Weights of edges may mean
        anything, and are used only if asked for: ``length="weight"``.
    exact_heights : bool
        Whether to take all digits of lengths as exact, as for `from_newick`.

    Raises
    ------
    InvalidTreeError
        If the graph is undirected (``networkx.bfs_tree(graph, root)`` directs it), a node has two parents, or
        there is a cycle.
    InvalidInputError
        If leaves are of several types, so that their text could be ambiguous; if only some nodes have heights, or edges
        the requested length; or if there are heights as well as the requested length.

    Warns
    -----
    AssumptionWarning
        If the attributes length, branch_length, dist or weight of edges are left out; or as for `from_newick`.

    Examples
    --------
    >>> import networkx
    >>> from dendrometry.io import from_networkx
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
    parent, is_leaf = _parents(graph, number)
    data = [graph.nodes[node] for node in nodes]
    explicit = any("items" in entry for entry in data)
    leaf_items = [[node] * leaf for node, leaf in zip(nodes, is_leaf, strict=True)]
    held = _explicit_items(nodes, data, is_leaf) if explicit else leaf_items
    names = [entry.get("name", node if isinstance(node, str) else "") for node, entry in zip(nodes, data, strict=True)]
    for v, leaf in enumerate(is_leaf):
        if leaf and held[v] == [names[v]]:
            names[v] = ""
    heights: ArrayLike | None = _heights(data)
    edges = {number[below]: entry for _, below, entry in graph.edges(data=True)}
    wanted = _length_attribute(edges, length, heights is not None)
    notes = _left_out(edges, wanted)
    if wanted is not None:
        heights, rounded = _heights_of_edges(parent, edges, wanted, flag(exact_heights, "exact_heights"))
        notes += rounded
    tree = from_parents(
        parent,
        [v for v, items in enumerate(held) for _ in items],
        heights,
        [name for items in held for name in items],
        names,
    )
    warn_assumed(notes)
    return tree


def to_networkx(tree: Hierarchy) -> networkx.DiGraph[int]:
    """Return a hierarchy as a ``networkx.DiGraph`` whose edges lead from parents to children.

    Nodes are numbered as in the hierarchy and carry ``items`` (the names of those that belong to the node itself),
    ``height`` and ``name`` where there are any; `from_networkx` gives the same tree back.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.io import to_networkx
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


def _parents(graph: networkx.DiGraph[Any], number: dict[Any, int]) -> tuple[list[int], list[bool]]:
    """Return the parent of each node, -1 for none, and whether it is a leaf."""
    parent, is_leaf = [-1] * len(number), [True] * len(number)
    for above, below in graph.edges():
        if parent[number[below]] != -1:
            raise InvalidTreeError(f"every node must have one parent; '{printable(below)}' has several")
        parent[number[below]] = number[above]
        is_leaf[number[above]] = False
    return parent, is_leaf


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


def _length_attribute(edges: dict[int, dict[str, Any]], length: str | None, has_heights: bool) -> str | None:
    """Return the attribute of edges to take as lengths, or None."""
    if length is None:
        every = bool(edges) and all("length" in entry for entry in edges.values())
        return "length" if every and not has_heights else None
    given: object = length
    if not isinstance(given, str):
        raise InvalidInputError(f"length must be the name of an attribute of edges; got {printable(length)}")
    if has_heights:
        raise InvalidInputError(
            f"nodes must have no heights if length is given; got both, length {printable_repr(length)}"
        )
    n_with = sum(length in entry for entry in edges.values())
    if n_with < len(edges):
        raise InvalidInputError(
            f"all edges must have the attribute '{printable(length)}';"
            f" {n_with:,} of {plural(len(edges), 'edge')} have it"
        )
    return length if edges else None


def _left_out(edges: dict[int, dict[str, Any]], wanted: str | None) -> list[Message]:
    """Return a note for each attribute of edges that may be a length but is not taken as one."""
    found = {name for entry in edges.values() for name in _LENGTHS if name in entry} - {wanted}
    note = "the attribute {} of the edges is left out"
    return [(note.format(name), Remedy("length", name, "takes it as lengths")) for name in sorted(found)]


def _heights_of_edges(parent: list[int], edges: dict[int, dict[str, Any]], length: str, exact: bool) -> Heights:
    """Return heights from the lengths of edges."""
    values = [edges[v][length] if v in edges else 0 for v in range(len(parent))]
    if any(isinstance(value, bool) or not isinstance(value, int | float | np.number) for value in values):
        raise InvalidInputError(f"the attribute {printable(length)} of edges must be a number")
    lengths = float_column(values, f"the attribute {printable(length)} of edges")
    return heights_in_any_order(np.array(parent), lengths, exact=exact)


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
