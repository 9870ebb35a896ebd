"""Communities of GraphRAG."""

from __future__ import annotations

import json
from typing import Any

from dendrometry._check.frames import columns_of
from dendrometry._check.names import is_missing
from dendrometry._display import plural, printable, quote_first
from dendrometry.errors import FormatError, InvalidInputError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.known_columns import GRAPHRAG_COLUMNS
from dendrometry.io.parents import from_parents

_NO_PARENT = -1


def from_graphrag(communities: Any, *, members: str = "entity_ids") -> Hierarchy:
    """Return the hierarchy of the communities of GraphRAG, with the entities in them.

    Parameters
    ----------
    communities : data frame or dict of columns
        The table ``communities`` of GraphRAG: a row for each community, with its number ``community``, ``parent`` (-1
        or missing at the top), ``level``, and the lists of its members. `read` takes the file ``communities.parquet``.
    members : str
        The column with the lists of members: ``entity_ids`` or ``text_unit_ids``.

    Returns
    -------
    Hierarchy
        Nodes are the communities, named by ``title`` if there is such a column. Each item belongs to the community of
        the deepest level that lists it. Communities without members are left out.

    Raises
    ------
    InvalidInputError
        If a column is missing, or its values have another type.
    InvalidTreeError
        If an item is in several communities that are not one inside the other, as text units often are, or the parents
        form no tree.

    Examples
    --------
    >>> from dendrometry.io import from_graphrag
    >>> table = {"community": [0, 1, 2], "parent": [-1, 0, 0], "level": [0, 1, 1], "title": ["all", "sea", "land"],
    ...          "entity_ids": [["cat", "cod", "elk"], ["cod"], ["elk"]]}
    >>> print(from_graphrag(table).draw())
    all: cat
    ├─ sea: cod
    └─ land: elk
    """
    given: object = members
    if not isinstance(given, str):
        raise InvalidInputError(f"members must be the name of a column; got {printable(given)}")
    columns = columns_of(communities)
    wanted = ["community", "parent", "level", members]
    missing = [name for name in wanted if name not in columns]
    if missing:
        raise InvalidInputError(f"communities must have the columns of GraphRAG; it lacks {quote_first(missing)}")
    lengths = set(map(len, columns.values()))
    if len(lengths) > 1:
        raise InvalidInputError(f"the columns must have the same length; got {sorted(lengths)}")
    number: dict[int, int] = {}
    for row, value in enumerate(columns["community"]):
        if number.setdefault(_whole(value, "community", row), row) != row:
            raise InvalidTreeError(f"each community must be given once; row {row} gives {printable(value)} again")
    parent = [_parent(value, number, row) for row, value in enumerate(columns["parent"])]
    level = [_whole(value, "level", row) for row, value in enumerate(columns["level"])]
    node = _deepest(columns[members], level, parent, members)
    names = ["" if is_missing(title) else str(title) for title in columns.get("title", [])]
    return from_parents(parent, list(node.values()), None, list(node), names)


def columns_of_records(text: str) -> dict[str, list[Any]]:
    """Return the columns of communities in a text of JSON that is a list of objects with the same keys."""
    try:
        records = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"the text must be JSON; got {printable(str(error))}") from None
    if not isinstance(records, list) or not records or not all(isinstance(record, dict) for record in records):
        raise FormatError("a table in JSON must be a list of objects; got something else")
    names = [name for name in records[0] if name in GRAPHRAG_COLUMNS or name == "title"]
    return {name: [record.get(name) for record in records] for name in names}


def _whole(value: Any, what: str, row: int) -> int:
    """Return a whole number, also from its text, as some versions write it."""
    try:
        if isinstance(value, str | int | float) and not isinstance(value, bool) and int(value) == float(value):
            return int(value)
    except (ValueError, OverflowError):
        pass
    raise InvalidInputError(f"row {row}: {what} must be a whole number; got {printable(value)}")


def _parent(value: Any, number: dict[int, int], row: int) -> int:
    """Return the row of a parent, or -1 at the top."""
    above = _NO_PARENT if is_missing(value) else _whole(value, "parent", row)
    if above != _NO_PARENT and above not in number:
        raise InvalidTreeError(f"row {row}: parent must be a community of the table, or -1; got {above}")
    return -1 if above == _NO_PARENT else number[above]


def _deepest(lists: list[Any], level: list[int], parent: list[int], members: str) -> dict[str, int]:
    """Return the row of the deepest community that lists each item; the communities of an item lie in one another."""
    node: dict[str, int] = {}
    apart: set[str] = set()
    for v in sorted(range(len(level)), key=level.__getitem__):
        if not isinstance(lists[v], list | tuple) and not hasattr(lists[v], "tolist"):
            raise InvalidInputError(f"row {v}: {members} must be a list; got {printable(lists[v])}")
        for item in map(str, lists[v]):
            if item in node and node[item] != parent[v]:
                apart.add(item)
            node[item] = v
    if apart:
        raise InvalidTreeError(
            f"each item must be in one community of a level; {plural(len(apart), 'item')} of {members} in several:"
            f" {quote_first(sorted(apart))}"
        )
    return node
