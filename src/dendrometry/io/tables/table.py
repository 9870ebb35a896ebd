"""Tables of items: a path for each item, or a column for each level."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from dendrometry._check.names import elements, name_column
from dendrometry._display import printable, printable_repr, quote_first
from dendrometry.errors import InvalidInputError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io.parents import from_parents
from dendrometry.io.requirements import warn_lost

__all__ = ["from_levels", "from_paths", "to_paths"]

Path = str | Sequence[str]
_MOST_STEPS = 200_000_000


def from_paths(
    paths: Sequence[Path] | Mapping[str, Path], item_names: Iterable[str] | None = None, *, sep: str = "/"
) -> Hierarchy:
    """Return the hierarchy of items given by their paths from the root.

    Items with the same path share a node; an item whose path is the beginning of another path belongs to an inner
    node; the empty path is the root.

    Parameters
    ----------
    paths : sequence of str or of sequences of str, or mapping from item to path
        The names of the nodes above each item, from the top down: ``"birds/owls"`` or ``["birds", "owls"]``.
    item_names : sequence of str, optional
        The names of the items; by default the keys of a mapping, or "0", "1", and so on.
    sep : str
        The separator between the names in a path that is one string.

    Raises
    ------
    InvalidInputError
        If there is no item, or a step of a path is empty or not a string; the message names the item.

    Examples
    --------
    >>> from dendrometry import from_paths
    >>> print(from_paths({"cat": "mammals", "bat": "mammals/flying", "owl": "birds"}).draw())
    •
    ├─ mammals: cat
    │  └─ flying: bat
    └─ birds: owl
    """
    if isinstance(paths, Mapping):
        item_names = list(paths) if item_names is None else item_names
        paths = list(paths.values())
    if isinstance(paths, str | bytes | Set) or not isinstance(paths, Iterable):
        raise InvalidInputError(f"paths must be a sequence, one for each item; got {printable(paths)}")
    _check_separator(sep)
    steps_of: list[object] = list(elements(paths, "paths"))
    names = name_column(item_names, len(steps_of))
    nodes = _Nodes()
    for name, path in zip(names, steps_of, strict=True):
        if not isinstance(path, Iterable) or isinstance(path, bytes | Set):
            raise InvalidInputError(
                f"a path must be a string or a sequence of strings; got {printable(path)} for item '{printable(name)}'"
            )
        steps = (path.split(sep) if path else []) if isinstance(path, str) else path
        nodes.place(name, steps)
    return nodes.hierarchy(names)


def to_paths(tree: Hierarchy, *, sep: str | None = "/") -> dict[str, Any]:
    """Return the path of every item, in the form that ``from_paths`` reads.

    A path holds the names of the nodes from below the root down to the item's own node. A node without a name is
    called ``#`` and its number, with a further ``#`` if names start with one.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.
    sep : str or None
        The separator between the names; None returns each path as a tuple of names.

    Returns
    -------
    dict from str to str or to tuple of str

    Raises
    ------
    InvalidTreeError
        If a name contains ``sep``, two children of one node share a name, or the paths would have more than
        200 million steps in total.

    Warns
    -----
    LostMeaningWarning
        If the tree has heights, or its root has a name, which paths cannot hold.

    Examples
    --------
    >>> from dendrometry import from_newick, to_paths
    >>> to_paths(from_newick("((cat,bat)mammals,owl);"))
    {'cat': 'mammals/#0', 'bat': 'mammals/#1', 'owl': '#3'}
    """
    require_hierarchy(tree)
    if sep is not None:
        _check_separator(sep)
    n_steps = int(tree.depths[tree.item_node].sum())
    if n_steps > _MOST_STEPS:
        raise InvalidTreeError(
            f"the paths must have at most {_MOST_STEPS:,} steps in total; this tree has {n_steps:,} (see to_parents)"
        )
    _warn_of_losses(tree)
    names = _step_names(tree)
    parent = tree.parent.tolist()
    paths: dict[int, Any] = {}
    for v in np.unique(tree.item_node).tolist():
        steps, at = [], v
        while at != tree.root:
            steps.append(names[at])
            at = parent[at]
        steps.reverse()
        paths[v] = tuple(steps) if sep is None else _join_steps(steps, sep)
    return {name: paths[v] for name, v in zip(tree.items, tree.item_node.tolist(), strict=True)}


def from_levels(table: Any, item: str | None = None) -> Hierarchy:
    """Return the hierarchy of a table whose columns are levels, from the top down.

    Parameters
    ----------
    table : dict of columns, pandas.DataFrame or polars.DataFrame
        A table with one row for each item. Columns other than the item column are levels; their values are text or
        whole numbers. An item whose lower levels are missing (None, nan or "") belongs to an inner node.
    item : str, optional
        The column of the item names; by default the column "item". Without it, items are named "0", "1", and so on.

    Raises
    ------
    InvalidInputError
        If columns differ in length, a value is neither text nor a whole number, or a level is missing above one that
        is given; the message names row and column.

    Examples
    --------
    >>> from dendrometry import from_levels
    >>> tree = from_levels({"item": ["cat", "owl", "jay"], "class": ["mammal", "bird", "bird"],
    ...                     "order": ["carnivores", "owls", "songbirds"]})
    >>> print(tree.draw())
    •
    ├─ mammal
    │  └─ carnivores: cat
    └─ bird
       ├─ owls: owl
       └─ songbirds: jay
    """
    columns = _columns(table)
    if item is None and "item" in columns:
        item = "item"
    given: object = item
    if isinstance(given, int) and given.bit_length() < 64:
        item = str(given)
    elif given is not None and not isinstance(given, str):
        raise InvalidInputError(f"item must be the name of a column; got {printable(given)}")
    if item is not None and item not in columns:
        raise InvalidInputError(
            f"the table must have the column '{printable(item)}'; got {', '.join(map(printable, columns))}"
        )
    named = None if item is None else columns.pop(item)
    if not columns:
        raise InvalidInputError("the table must have at least one level besides the items; got none")
    lengths = {len(column) for column in [*columns.values(), *([] if named is None else [named])]}
    if len(lengths) > 1:
        raise InvalidInputError(f"the columns must have the same length; got {sorted(lengths)}")
    names = name_column(named, lengths.pop())
    levels = {name: _level(name, column) for name, column in columns.items()}
    nodes = _Nodes()
    for row, name in enumerate(names):
        nodes.place(name, _steps(levels, row))
    return nodes.hierarchy(names)


class _Nodes:
    """The nodes of all paths so far: each name leads from a node to one child."""

    def __init__(self) -> None:
        self.parent = [-1]
        self.names = [""]
        self.item_node: list[int] = []
        self._step: dict[tuple[int, str], int] = {}

    def place(self, item: str, steps: Iterable[object]) -> None:
        """Put the next item at the end of a path, adding new nodes."""
        at = 0
        for step in steps:
            if not isinstance(step, str) or not step:
                raise InvalidInputError(
                    f"the steps of a path must be non-empty strings; got '{printable(step)}'"
                    f" for item '{printable(item)}'"
                )
            below = self._step.setdefault((at, step), len(self.parent))
            if below == len(self.parent):
                self.parent.append(at)
                self.names.append(step)
            at = below
        self.item_node.append(at)

    def hierarchy(self, items: tuple[str, ...]) -> Hierarchy:
        """Return the tree of all placed items."""
        return from_parents(self.parent, self.item_node, None, items, self.names)


def _warn_of_losses(tree: Hierarchy) -> None:
    """Warn of what paths cannot hold."""
    if tree.height is not None:
        warn_lost("paths hold no heights; they are left out")
    if tree.node_names and tree.node_names[-1]:
        warn_lost(f"paths start below the root; its name '{printable(tree.node_names[-1])}' is left out")


def _check_separator(sep: object) -> None:
    """Refuse a separator that is not a string or is empty."""
    if not isinstance(sep, str) or not sep:
        raise InvalidInputError(f"sep must be a string of at least one character; got {printable_repr(sep)}")


def _join_steps(steps: list[str], sep: str) -> str:
    """Return steps joined by the separator, refusing names that contain it."""
    path = sep.join(steps)
    if steps and path.split(sep) != steps:
        raise InvalidTreeError(
            f"names must not contain the separator '{printable(sep)}'; got '{printable(path)}'"
            " (to_paths accepts another separator, and JSON needs none)"
        )
    return path


def _step_names(tree: Hierarchy) -> list[str]:
    """Return names that distinguish the children of each node."""
    given = tree.node_names or ("",) * tree.n_nodes
    mark = "#"
    while any(name.startswith(mark) for name in given):
        mark += "#"
    names = [name or f"{mark}{v}" for v, name in enumerate(given)]
    seen = set()
    for p, name in zip(tree.parent.tolist()[:-1], names, strict=False):
        if (p, name) in seen:
            raise InvalidTreeError(
                "the children of a node must have distinct names to be written as paths;"
                f" two are called '{printable(name)}'"
            )
        seen.add((p, name))
    return names


def _columns(table: Any) -> dict[str, list[Any]]:
    """Return the columns of a dict or a data frame as lists."""
    if not isinstance(table, Mapping) and not hasattr(table, "columns"):
        raise InvalidInputError(f"a table must be a dict of columns or a data frame; got {type(table).__name__}")
    labels = list(table if isinstance(table, Mapping) else table.columns)
    twice = [name for name, count in Counter(map(str, labels)).items() if count > 1]
    if twice:
        raise InvalidInputError(f"column names must be distinct; these are repeated: {quote_first(twice)}")
    columns = {}
    for name in labels:
        column = table[name]
        for method in ("to_list", "tolist"):
            if hasattr(column, method):
                column = getattr(column, method)()
        if isinstance(column, str | bytes | Set) or not isinstance(column, Iterable):
            raise InvalidInputError(f"column '{printable(name)}' must be a sequence; got {printable(column)}")
        columns[str(name)] = list(column)
    return columns


def _level(name: str, column: list[Any]) -> list[str]:
    """Return one level as text, "" for missing values; its values must be all text or all whole numbers."""
    level = ["" if _is_missing(value) else _cell(name, row, value) for row, value in enumerate(column)]
    kinds = {isinstance(value, str) for value, text in zip(column, level, strict=True) if text}
    if len(kinds) > 1:
        raise InvalidInputError(f"level '{printable(name)}' must be all text or all whole numbers; got both")
    return level


def _cell(name: str, row: int, value: Any) -> str:
    """Return one value as text."""
    if isinstance(value, str):
        return str.__str__(value)
    is_whole = isinstance(value, int | np.integer) or (isinstance(value, float | np.floating) and value.is_integer())
    if isinstance(value, bool) or not is_whole:
        raise InvalidInputError(
            f"row {row}: level '{printable(name)}' must be text or a whole number; got {printable(value)}"
        )
    return str(int(value))


def _steps(levels: dict[str, list[str]], row: int) -> list[str]:
    """Return the levels of one row down to the last one given."""
    steps: list[str] = []
    missing = ""
    for name, column in levels.items():
        if not column[row]:
            missing = missing or name
        elif missing:
            raise InvalidInputError(
                f"row {row}: level '{printable(missing)}' must be given if '{printable(name)}' below it is given;"
                " it is missing"
            )
        else:
            steps.append(column[row])
    return steps


def _is_missing(value: Any) -> bool:
    """Whether a cell of a table is empty: None, "", nan, or the missing value of pandas."""
    if value is None or isinstance(value, str):
        return not value
    return type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
