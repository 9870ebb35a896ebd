"""JSON: nested objects with name and children, as used by d3."""

from __future__ import annotations

import re
from collections.abc import Callable
from json import dumps

import numpy as np
from numpy.typing import ArrayLike

from dendrometry import _memory
from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io.content.requirements import Reading, warn_assumed
from dendrometry.io.nested.brackets import walk_brackets
from dendrometry.io.nested.json_events import Event, events, failure
from dendrometry.io.nested.lengths import Heights, heights_of_lengths
from dendrometry.io.parents import from_parents

__all__ = ["from_json", "read_json", "to_json"]

_NODE_BYTES = 600  # the set of its keys, its places in the columns, and a name
_VALUE_BYTES = 150
_NUMBER = re.compile(r"[-+.\deE]+")

_LIKE_LENGTHS = ("branch_length", "dist", "weight")  # other keys that programs give to lengths


def from_json(text: str, *, exact_heights: bool = False) -> Hierarchy:
    """Return the hierarchy of nested JSON objects.

    Every node is an object. ``children`` is a list of nodes; ``items`` a list of strings, the items that belong
    to the node itself; ``name`` the name of the node; ``height`` its height (all nodes or none). Without heights,
    ``length`` is the length of the branch above a node, if all nodes below the root have one (see `from_newick`). A
    node with neither children nor items is a leaf with one item, its name. A number is a name by its text. Other keys
    are ignored; null counts as absent.

    Parameters
    ----------
    text : str
        One JSON object, nested to any depth.
    exact_heights : bool
        Whether to take all digits of lengths as exact, as for `from_newick`.

    Raises
    ------
    FormatError
        If the text is not JSON, a key is repeated, a value has the wrong type, a leaf has no name, or only some nodes
        have heights. The message names line and column.
    InvalidInputError
        If items share a name; the message lists them.

    Warns
    -----
    AssumptionWarning
        If lengths are left out, since there are heights or some nodes have none; or as for `from_newick`.

    Examples
    --------
    >>> from dendrometry import from_json
    >>> tree = from_json('''{"name": "animals", "children": [
    ...     {"name": "cat"}, {"name": "birds", "items": ["owl", "jay"]}]}''')
    >>> print(tree.draw())
    animals
    ├─ cat
    └─ birds: owl, jay
    """
    tree, notes = read_json(text, exact_heights=exact_heights)
    warn_assumed(notes)
    return tree


def read_json(text: str, *, exact_heights: bool) -> Reading:
    """Return the hierarchy of a text, and what was assumed about it."""
    if not isinstance(text, str):
        raise InvalidInputError(f"a JSON text must be a string; got {type(text).__name__}")
    text = text.removeprefix("\ufeff")
    _memory.require_memory(
        _NODE_BYTES * text.count("{") + _VALUE_BYTES * text.count(","), "the tree", "Read a smaller one."
    )
    builder = _Builder(text)
    for event in events(text):
        builder.take(event)
    return builder.hierarchy(flag(exact_heights, "exact_heights"))


def to_json(tree: Hierarchy) -> str:
    """Return a hierarchy as nested JSON objects that `from_json` can read.

    Examples
    --------
    >>> from dendrometry import from_newick, to_json
    >>> to_json(from_newick("((ape:1,cat:1):1,owl:2);"))
    '{"height": 2.0, "children": [{"name": "owl", "height": 0.0},
      {"height": 1.0, "children": [{"name": "ape", "height": 0.0}, {"name": "cat", "height": 0.0}]}]}'
    """
    require_hierarchy(tree)
    heads = _heads(tree)
    written: dict[str, Callable[[int], str]] = {
        "open": lambda v: "{" + heads[v] + (', "children": [' if heads[v] else '"children": ['),
        "leaf": lambda v: "{" + heads[v] + "}",
        "close": lambda v: "]}",
        "next": lambda v: ", ",
    }
    return "".join(written[what](v) for what, v in walk_brackets(tree))


def _heads(tree: Hierarchy) -> list[str]:
    """Return the name, items and height of every node as JSON, without its children."""
    names = tree.node_names or ("",) * tree.n_nodes
    heights = None if tree.height is None else tree.height.tolist()
    is_leaf = (tree.n_children == 0).tolist()
    heads = []
    for v, name in enumerate(names):
        held = tree.own_items(v)
        if is_leaf[v] and len(held) == 1 and name in ("", held[0]):
            parts = [f'"name": {dumps(held[0], ensure_ascii=False)}']
        else:
            parts = [f'"name": {dumps(name, ensure_ascii=False)}'] if name else []
            parts += [f'"items": {dumps(held, ensure_ascii=False)}'] if held else []
        if heights is not None:
            parts.append(f'"height": {heights[v]!r}')
        heads.append(", ".join(parts))
    return heads


class _Builder:
    """Builder of the columns of nodes and items from JSON events.

    ``open`` holds the open brackets: ``node``, ``children``, ``items``, or ``other`` for values that are ignored.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[str] = []
        self.key = ""
        self.node = -1
        self.parent: list[int] = []
        self.offset: list[int] = []
        self.keys: list[set[str]] = []
        self.names: list[str] = []
        self.heights: list[float | None] = []
        self.lengths: list[float | None] = []
        self.items: list[str] = []
        self.item_node: list[int] = []

    def take(self, event: Event) -> None:
        """Process the next event."""
        kind = event[0]
        where = self.open[-1] if self.open else "top"
        if kind == "}" or kind == "]":
            self.open.pop()
            if where == "node":
                self.node = self.parent[self.node]
        elif kind == "key" and where == "node":
            self._key(event)
        elif where == "node":
            self._field(event)
        elif where == "other":
            if kind == "{" or kind == "[":
                self.open.append("other")
        elif where == "items":
            self._item(event)
        else:
            self._open_node(event)

    def hierarchy(self, exact: bool) -> Reading:
        """Return the tree of all nodes read, and what was assumed about their lengths."""
        has_children = [False] * len(self.parent)
        for p in self.parent[1:]:
            has_children[p] = True
        holds = set(self.item_node)
        for v, name in enumerate(self.names):
            if not has_children[v] and v not in holds:
                if not name:
                    raise failure(self.text, self.offset[v], "a leaf must have a name or items")
                self.items.append(name)
                self.item_node.append(v)
                self.names[v] = ""
        given = [height for height in self.heights if height is not None]
        if given and len(given) < len(self.heights):
            v = self.heights.index(None)
            raise failure(self.text, self.offset[v], "all nodes must have heights, or none; this node has none")
        heights: ArrayLike | None = given or None
        notes: list[str] = []
        if self._has_lengths() and not given:
            heights, notes = self._heights(exact)
        elif any(length is not None for length in self.lengths):
            why = "nodes have heights" if given else "not all nodes below the root have one"
            notes = [f"the attribute length is left out, since {why}"]
        notes += self._like_lengths() if heights is None else []
        return Reading(from_parents(self.parent, self.item_node, heights, self.items, self.names), notes)

    def _like_lengths(self) -> list[str]:
        """Return a note for each other key that may be a length and that all nodes below the root have."""
        below = self.keys[1:]
        return [
            f"the attribute {name} of the nodes is left out (only 'length' is taken as lengths)"
            for name in _LIKE_LENGTHS
            if below and all(name in keys for keys in below)
        ]

    def _has_lengths(self) -> bool:
        """Whether all nodes below the root have a length."""
        return len(self.lengths) > 1 and None not in self.lengths[1:]

    def _heights(self, exact: bool) -> Heights:
        """Return heights from lengths; parents come first here, and last in the columns."""
        n = len(self.parent)
        parent = n - 1 - np.array(self.parent, dtype=np.int64)[::-1]
        parent[-1] = -1
        length = np.array([0.0, *self.lengths[1:]])[::-1]
        found = heights_of_lengths(parent, length, exact=exact)
        return found._replace(height=found.height[::-1])

    def _open_node(self, event: Event) -> None:
        if event[0] != "{":
            raise self._wrong(event, "a node must be an object")
        self.parent.append(self.node)
        self.node = len(self.parent) - 1
        self.offset.append(event[2])
        self.keys.append(set())
        self.names.append("")
        self.heights.append(None)
        self.lengths.append(None)
        self.open.append("node")

    def _item(self, event: Event) -> None:
        self.items.append(self._name(event, "items must be a list of strings or numbers"))
        self.item_node.append(self.node)

    def _key(self, event: Event) -> None:
        self.key = event[1]
        if self.key in self.keys[self.node]:
            raise self._wrong(event, f"the keys of an object must be distinct; '{printable(self.key)}' is repeated")
        self.keys[self.node].add(self.key)

    def _field(self, event: Event) -> None:  # noqa: C901 - one branch for each key
        """Process what follows a key of a node: a value, or the opening of a list or object."""
        kind, value, _ = event
        if kind == "value" and value is None:
            return
        if self.key == "name":
            self.names[self.node] = self._name(event, "a name must be a string or a number")
        elif self.key == "height":
            if not isinstance(value, float) or abs(value) == float("inf"):
                raise self._wrong(event, "a height must be a finite number")
            self.heights[self.node] = value
        elif self.key == "length" and isinstance(value, float) and abs(value) != float("inf"):
            self.lengths[self.node] = value
        elif self.key == "children" or self.key == "items":
            if kind != "[":
                raise self._wrong(event, f"{self.key} must be a list")
            self.open.append(self.key)
        elif kind == "{" or kind == "[":
            self.open.append("other")

    def _name(self, event: Event, rule: str) -> str:
        """Return a name; that of a number is its text."""
        value = event[1]
        if isinstance(value, float):
            found = _NUMBER.match(self.text, event[2])
            assert found is not None
            return found[0]
        if not isinstance(value, str):
            raise self._wrong(event, rule)
        return value

    def _wrong(self, event: Event, rule: str) -> FormatError:
        return failure(self.text, event[2], rule)
