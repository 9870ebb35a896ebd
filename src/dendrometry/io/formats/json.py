"""JSON: nested objects with name and children, as used by d3."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from json import dumps, loads
from typing import NamedTuple

import numpy as np

from dendrometry import _memory
from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry._kernels.io import json as kernels
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import FormatError, InvalidInputError, Message, Remedy
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io._shared.brackets import walk_brackets
from dendrometry.io._shared.json_events import Event, events, failure
from dendrometry.io._shared.lengths import Heights, heights_of_lengths
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io.parents import from_parents

_NODE_BYTES = 600  # the set of its keys, its places in the columns, and a name
_VALUE_BYTES = 150
_LONG = 1 << 21  # characters from which on a text is read by a compiled scan: reading its events takes a second
_QUOTE = ord('"')
_NUMBER = re.compile(r"[-+.\deE]++")

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
    tree, notes, _ = read_json(text, exact_heights=exact_heights)
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
    exact = flag(exact_heights, "exact_heights")
    columns = _scan(text) if len(text) >= _LONG else None
    if columns is not None:
        with suppress(FormatError):  # raised again below, with line and column
            return _hierarchy(text, columns, exact)
    return _hierarchy(text, _read(text), exact)


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


class _Columns(NamedTuple):
    """The nodes, parents first, and items of a text; heights and lengths are nan where there are none.

    ``offset`` is where a node begins, and ``unread`` the keys like lengths that all nodes below the root have.
    """

    parent: IntArray
    offset: IntArray
    names: list[str]
    heights: FloatArray
    lengths: FloatArray
    items: list[str]
    item_node: list[int]
    unread: list[str]


def _hierarchy(text: str, columns: _Columns, exact: bool) -> Reading:
    """Return the tree of all nodes read, and what was assumed about their lengths."""
    parent, offset, names, heights, lengths, items, item_node, unread = columns
    is_empty = np.ones(parent.size, dtype=bool)
    is_empty[parent[1:]] = False
    is_empty[item_node] = False
    for v in np.flatnonzero(is_empty).tolist():
        if not names[v]:
            raise failure(text, int(offset[v]), "a leaf must have a name or items")
        items.append(names[v])
        item_node.append(v)
        names[v] = ""
    given, measured = ~np.isnan(heights), ~np.isnan(lengths)
    if given.any() and not given.all():
        rule = "all nodes must have heights, or none; this node has none"
        raise failure(text, int(offset[np.argmin(given)]), rule)
    height: FloatArray | None = heights if given.any() else None
    notes: list[Message] = []
    if height is None and parent.size > 1 and measured[1:].all():
        height, notes = _heights(parent, lengths, exact)
    elif measured.any():
        why = "nodes have heights" if given.any() else "not all nodes below the root have one"
        notes = [(f"the attribute length is left out, since {why}",)]
    if height is None:
        left_out = "of the nodes is left out (only 'length' is taken as lengths)"
        notes += [(f"the attribute {name} {left_out}",) for name in unread]
    return Reading(from_parents(parent, item_node, height, items, names), notes)


def _heights(parent: IntArray, lengths: FloatArray, exact: bool) -> Heights:
    """Return heights from lengths; parents come first here, and last in the columns."""
    above = parent.size - 1 - parent[::-1]
    above[-1] = -1
    found = heights_of_lengths(above, np.append(lengths[:0:-1], 0.0), exact=exact)
    return found._replace(height=found.height[::-1])


def _scan(text: str) -> _Columns | None:
    """Return the columns of a text by a compiled scan; None where that does not decide, or the text is wrong."""
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        return None
    read = kernels.scan(np.frombuffer(encoded, dtype=np.uint8))
    if not read.is_plain:
        return None
    heights, lengths = (_numbers(encoded, spans) for spans in (read.height, read.length))
    if np.isinf(heights).any():
        return None
    lengths[np.isinf(lengths)] = np.nan
    names = [""] * read.parent.size
    named = np.flatnonzero(read.name[:, 0] >= 0)
    for v, name in zip(named.tolist(), _texts(encoded, read.name[named]), strict=True):
        names[v] = name
    below = read.keys[1:]
    unread = [key for key in _LIKE_LENGTHS if below.size and (below >> kernels.KEYS.index(key) & 1).all()]
    items = list(_texts(encoded, read.item))
    return _Columns(read.parent, read.offset, names, heights, lengths, items, read.item_node.tolist(), unread)


def _numbers(encoded: bytes, spans: IntArray) -> FloatArray:
    """Return the numbers of some spans, nan where there is none."""
    numbers = np.full(spans.shape[0], np.nan)
    there = np.flatnonzero(spans[:, 0] >= 0)
    numbers[there] = [float(encoded[start:stop]) for start, stop in _pairs(spans[there])]
    return numbers


def _pairs(spans: IntArray) -> Iterator[tuple[int, int]]:
    """Return the offsets of spans as plain integers."""
    return zip(spans[:, 0].tolist(), spans[:, 1].tolist(), strict=True)


def _texts(encoded: bytes, spans: IntArray) -> Iterator[str]:
    """Yield the strings of some spans; that of a number is its text."""
    for start, stop in _pairs(spans):
        text = encoded[start:stop]
        if text[0] != _QUOTE:
            yield text.decode()
        elif b"\\" in text:
            yield loads(text)
        else:
            yield text[1:-1].decode()


def _read(text: str) -> _Columns:
    """Return the columns of a text from its events; an error says where it is wrong."""
    builder = _Builder(text)
    for event in events(text):
        builder.take(event)
    return builder.columns()


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
        self.heights: list[float] = []
        self.lengths: list[float] = []
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

    def columns(self) -> _Columns:
        """Return the columns of all nodes read."""
        below = self.keys[1:]
        unread = [name for name in _LIKE_LENGTHS if below and all(name in keys for keys in below)]
        return _Columns(
            np.array(self.parent, dtype=np.int64),
            np.array(self.offset, dtype=np.int64),
            self.names,
            np.array(self.heights),
            np.array(self.lengths),
            self.items,
            self.item_node,
            unread,
        )

    def _open_node(self, event: Event) -> None:
        if event[0] != "{":
            wrong = self._wrong(event, "a node must be an object")
            records = Remedy("", ..., "a list of records is a table, which a data frame writes as CSV")
            raise FormatError(*wrong.args, *[records] * (event[0] == "[" and not self.parent))
        self.parent.append(self.node)
        self.node = len(self.parent) - 1
        self.offset.append(event[2])
        self.keys.append(set())
        self.names.append("")
        self.heights.append(math.nan)
        self.lengths.append(math.nan)
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
