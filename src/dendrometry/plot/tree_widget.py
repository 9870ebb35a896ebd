"""Tree widget: a tree in a notebook, of which a click on a node hands the items to Python."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from dendrometry._check.numbers import whole_number
from dendrometry._display import plural
from dendrometry._extras import require
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.plot._axes.axes import cluster_text
from dendrometry.plot._layout.branches import branches
from dendrometry.plot._layout.top import top_of


def tree_widget(tree: HierarchyLike, *, top: int = 60) -> Any:
    """Return a widget that draws a tree in a notebook and hands the items of a clicked node to Python.

    It works in Jupyter, VS Code, Colab and marimo, by anywidget (the extra ``widget``).

    Parameters
    ----------
    tree : Hierarchy, or anything that `as_hierarchy` takes
        Any tree.
    top : int
        Draw only the top of the tree, with at most this many leaves, as `dendrogram` does.

    Returns
    -------
    anywidget.AnyWidget
        ``node`` is the selected node of the tree, -1 for none; ``items`` is a tuple of the names of the items at or
        below it. Both can be observed, as in ``widget.observe(function, "items")``, and ``node`` can be set.

    Raises
    ------
    MissingExtraError
        If anywidget is not installed.

    Examples
    --------
    >>> from dendrometry import from_newick, plot
    >>> tree = from_newick("((ape,cat)mammals,owl);")
    >>> widget = plot.tree_widget(tree)
    >>> widget.observe(lambda change: print(change["new"]), "items")
    >>> widget.node = tree.node_names.index("mammals")  # or a click on it
    ('ape', 'cat')
    """
    tree = as_hierarchy(tree)
    top = whole_number(top, "top", 1)
    return _widget_class()(tree, _drawing(tree, top))


@cache
def _widget_class() -> Any:
    """Return the class of the widget, which can be defined only where anywidget is installed."""
    base: Any = require("anywidget", extra="widget", for_="tree_widget()").AnyWidget
    traitlets: Any = require("traitlets", extra="widget", for_="tree_widget()")

    class TreeWidget(base):  # type: ignore[misc]
        """A tree to click on."""

        _esm = files("dendrometry.plot").joinpath("tree_widget.js").read_text(encoding="utf-8")
        _drawing = traitlets.Dict().tag(sync=True)
        node = traitlets.Int(-1).tag(sync=True)
        items = traitlets.Tuple()

        def __init__(self, tree: Hierarchy, drawing: dict[str, Any]) -> None:
            super().__init__(_drawing=drawing)
            self._tree = tree

        @traitlets.validate("node")  # type: ignore[untyped-decorator]
        def _check_node(self, proposal: dict[str, Any]) -> int:
            return whole_number(proposal["value"], "node", -1, self._tree.root)

        @traitlets.observe("node")  # type: ignore[untyped-decorator]
        def _take_items(self, change: dict[str, Any]) -> None:
            v, order = change["new"], self._tree.order
            some = order.item[order.item_low[v] : order.item_high[v]].tolist() if v >= 0 else []
            self.items = tuple(self._tree.items[i] for i in some)

        def __repr__(self) -> str:
            chosen = f"node {self.node}, {plural(len(self.items), 'item')}" if self.node >= 0 else "no node"
            return f"TreeWidget({plural(self._tree.n_items, 'item')}, {chosen} selected)"

    return TreeWidget


def _drawing(tree: Hierarchy, top: int) -> dict[str, Any]:
    """Return what is drawn: for each node that is shown its number, parent, position and text, and all names."""
    shown = top_of(tree, top)
    where = branches(shown.tree)
    high = float(where.level.max())
    descriptions = [_describe(shown.tree, v) for v in range(shown.tree.n_nodes)]
    return {
        "node": shown.node.tolist(),
        "parent": shown.tree.parent.tolist(),
        "depth": np.clip((high - where.level) / where.span, 0.0, 1.0).tolist(),
        "position": where.position.tolist(),
        "low": where.low.tolist(),
        "high": where.high.tolist(),
        "names": [cluster_text(shown.tree, int(v), own=True) for v in where.slot_node.tolist()],
        "descriptions": descriptions,
    }


def _describe(tree: Hierarchy, v: int) -> str:
    """Return what is said of a node: its text, and the number of its items."""
    text, count = cluster_text(tree, v), int(tree.sizes[v])
    return text if count > 1 and tree.node_names and tree.node_names[v] else f"{text}: {plural(count, 'item')}"
