"""Tables of nodes and of items: a tree in the exchange schema, as frames or as two Parquet files."""

from __future__ import annotations

import hashlib
import os
from decimal import Decimal
from typing import Any, NamedTuple

from dendrometry._check.frames import columns_of
from dendrometry._check.names import is_missing
from dendrometry._display import plural, printable, printable_repr, quote_first
from dendrometry.errors import DendrometryError, InvalidInputError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io._shared.schema import ITEM_TABLE, MARK, NODE_TABLE, PairOfTables, TableSchema, check_marks
from dendrometry.io.formats.parquet import check_size, open_parquet, parquet_bytes
from dendrometry.io.parents import from_parents

_KINDS = {"node": "BIGINT", "parent": "BIGINT", "height": "DOUBLE", "name": "VARCHAR", "item": "VARCHAR"}


class Tables(NamedTuple):
    """The tables of a hierarchy, each a dict of columns, as `from_tables` takes them."""

    nodes: dict[str, list[Any]]
    items: dict[str, list[Any]]


def from_tables(nodes: Any, items: Any = None) -> Hierarchy:
    """Return the hierarchy of a table of nodes and a table of items.

    Parameters
    ----------
    nodes : dict of columns or data frame
        A row for each node, in any order: ``node``, a whole number or text that identifies it; ``parent``, that of its
        parent, missing for a root; optionally ``height`` and ``name``. Without ``name``, nodes that are text are called
        so. Several roots are joined under a new root.
    items : dict of columns or data frame, optional
        A row for each item: ``item``, its name, and ``node``, the node to which it belongs, leaf or inner. By default
        every leaf is an item, called as its node. A column ``weight`` is left out, since hierarchies have no weights.

    Raises
    ------
    InvalidInputError
        If a column is missing, a node or an item is missing or comes twice, or a parent or node does not exist; the
        message names the row. Also if only some nodes have heights.
    InvalidTreeError
        If the parents form a cycle.

    Warns
    -----
    AssumptionWarning
        If columns are left out.

    Examples
    --------
    >>> from dendrometry.io import from_tables
    >>> nodes = {"node": ["all", "birds", "owls"], "parent": [None, "all", "birds"]}
    >>> print(from_tables(nodes, {"item": ["cat", "jay", "barn owl"], "node": ["all", "birds", "owls"]}).draw())
    all: cat
    └─ birds: jay
       └─ owls: barn owl
    """
    tree, notes, _ = _reading(columns_of(nodes), None if items is None else columns_of(items))
    warn_assumed(notes)
    return tree


def to_tables(tree: Hierarchy) -> Tables:
    """Return a hierarchy as a table of nodes and a table of items, so that ``from_tables(*to_tables(tree)) == tree``.

    Nodes are numbered as in the hierarchy. Missing values are None: the parent of the root, names that nodes do not
    have, and all heights of a tree without heights.

    Examples
    --------
    >>> from dendrometry import from_labels
    >>> from dendrometry.io import to_tables
    >>> nodes, items = to_tables(from_labels(["pet", "wild", "pet"]))
    >>> nodes["parent"], nodes["name"]
    ([2, 2, None], ['pet', 'wild', None])
    >>> items
    {'item': ['0', '1', '2'], 'node': [0, 1, 0]}
    """
    require_hierarchy(tree)
    n = tree.n_nodes
    return Tables(
        {
            "node": list(range(n)),
            "parent": [*tree.parent.tolist()[:-1], None],
            "height": [None] * n if tree.height is None else tree.height.tolist(),
            "name": [name or None for name in tree.node_names] or [None] * n,
        },
        {"item": list(tree.items), "node": tree.item_node.tolist()},
    )


def read_pair(files: PairOfTables, max_bytes: int) -> Reading:
    """Return the hierarchy of two Parquet files, each of which unpacks to at most ``max_bytes``."""
    nodes, mark = _read_table(files.nodes, NODE_TABLE, max_bytes)
    items, other = _read_table(files.items, ITEM_TABLE, max_bytes)
    check_marks((mark, other))
    return _reading(nodes, items)


def pair_bytes(tree: Hierarchy, files: PairOfTables) -> dict[str, bytes]:
    """Return the bytes of the two Parquet files of a hierarchy, by their names."""
    tables, mark = to_tables(tree), _digest(tree)
    return {
        name: parquet_bytes(table, {column: _KINDS[column] for column in table}, mark=mark)
        for name, table in zip(files, tables, strict=True)
    }


def _digest(tree: Hierarchy) -> str:
    """Return a text that differs for other trees."""
    digest = hashlib.sha256()
    for column in (tree.parent, tree.height, tree.item_node):
        digest.update(b"" if column is None else column.tobytes())
    for names in (tree.items, tree.node_names):
        digest.update("\0".join((str(len(names)), *names)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _read_table(name: str, schema: TableSchema, max_bytes: int) -> tuple[dict[str, list[Any]], bytes | None]:
    """Return the columns of a Parquet file that has the schema, and the mark of its tree, if it has one."""
    if not os.path.isfile(name):
        raise InvalidInputError(
            f"a tree in two tables must have {NODE_TABLE.ending} and {ITEM_TABLE.ending} beside each other; there is no"
            f" {printable(os.path.basename(name), longest=4096)}"
        )
    try:
        with open_parquet(name) as table:
            schema.check(table.columns)
            check_size(table, max_bytes)
            rows = table.select("COLUMNS(*)").fetchall()
            columns = {column: [row[i] for row in rows] for i, (column, _) in enumerate(table.columns)}
            return columns, table.metadata(MARK)
    except DendrometryError as error:
        raise type(error)(f"in the table of {schema.what}: ", *error.args) from None


def _reading(nodes: dict[str, list[Any]], items: dict[str, list[Any]] | None) -> Reading:
    """Return the hierarchy of the columns of both tables, and which columns are left out."""
    _check_table(nodes, NODE_TABLE)
    keys = _keys(nodes["node"], "nodes: node")
    row_of = _rows(keys)
    parent = [
        -1 if key is None else _row(key, row_of, f"row {row} of nodes: parent")
        for row, key in enumerate(_keys(nodes["parent"], "nodes: parent", missing=True))
    ]
    left_out = NODE_TABLE.strange(nodes)
    if items is None:
        inner = set(parent)
        at = [v for v in range(len(keys)) if v not in inner]
        held = [keys[v] for v in at]
    else:
        _check_table(items, ITEM_TABLE)
        held = _keys(items["item"], "items: item")
        at = [
            _row(key, row_of, f"row {row} of items: node")
            for row, key in enumerate(_keys(items["node"], "items: node"))
        ]
        left_out += ITEM_TABLE.strange(items) + ["weight"] * ("weight" in items)
    note = f"a hierarchy does not hold these columns; they are left out: {quote_first(left_out)}"
    given = nodes.get("name", keys if keys and isinstance(keys[0], str) else ())
    names = ["" if is_missing(name) else name for name in given]
    tree = from_parents(parent, at, _heights(nodes.get("height", [])), held, names)
    return Reading(tree, [(note,)] if left_out else [])


def _check_table(columns: dict[str, list[Any]], schema: TableSchema) -> None:
    """Refuse a table without the keys, or with columns that differ in length."""
    schema.require_keys(columns)
    lengths = set(map(len, columns.values()))
    if len(lengths) > 1:
        raise InvalidInputError(f"the columns of {schema.what} must have the same length; got {sorted(lengths)}")


def _keys(column: list[Any], what: str, *, missing: bool = False) -> list[Any]:
    """Return keys as text or whole numbers, all of one kind; whole floats, as beside a missing value, are converted."""
    keys = [_key(value) for value in column]
    wrong = next((i for i, key in enumerate(keys) if key is None and not (missing and is_missing(column[i]))), None)
    if wrong is not None:
        which, _, name = what.partition(": ")
        raise InvalidInputError(
            f"row {wrong} of {which}: {name} must be a whole number or text; got {printable(column[wrong])}"
        )
    if len({isinstance(key, str) for key in keys if key is not None}) > 1:
        raise InvalidInputError(f"{what} must be all whole numbers or all text; got both")
    return keys


def _key(value: Any) -> int | str | None:
    """Return a key, or None for a value that cannot be one."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return int(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _rows(keys: list[Any]) -> dict[Any, int]:
    """Return the row of each node by its key."""
    row_of: dict[Any, int] = {}
    for row, key in enumerate(keys):
        if row_of.setdefault(key, row) != row:
            raise InvalidTreeError(f"each node must be given once; row {row} of nodes gives '{printable(key)}' again")
    return row_of


def _row(key: Any, row_of: dict[Any, int], where: str) -> int:
    """Return the row of a node that another row refers to."""
    if key not in row_of:
        raise InvalidTreeError(f"{where} must be one of the nodes; got {printable_repr(key)}")
    return row_of[key]


def _heights(column: list[Any]) -> list[Any] | None:
    """Return the heights of all nodes, or None if none has one."""
    n_missing = sum(map(is_missing, column))
    if n_missing == len(column):
        return None
    if n_missing:
        raise InvalidInputError(
            f"all nodes must have heights, or none; {n_missing:,} of {plural(len(column), 'node')} have none"
        )
    if not all(isinstance(value, int | float | Decimal) and not isinstance(value, bool) for value in column):
        raise InvalidInputError("the column height must hold numbers")
    return list(map(float, column))
