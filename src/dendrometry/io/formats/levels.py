"""Tables with one row for each item: columns that are levels, one column of paths, or one of labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dendrometry._check.frames import columns_of
from dendrometry._check.labels import require_text
from dendrometry._check.names import has_row_numbers, is_missing, name_column, names_within
from dendrometry._display import printable, printable_repr, quote_first
from dendrometry.errors import Argument, InvalidInputError, Message, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.merges import check_no_merges
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io._shared.separators import COLONS, find_separator, is_path_name, split_path
from dendrometry.io.formats.paths import PathTree, from_paths


def from_levels(
    table: Any, item: str | None = None, *, path_column: str | None = None, sep: str | None = None
) -> Hierarchy:
    """Return the hierarchy of a table whose columns are levels, from the top down, or that has a column of paths.

    `read` takes the columns of a file by the same rules.

    Parameters
    ----------
    table : dict of columns or data frame
        A table with one row for each item: of pandas, polars or PyArrow, a relation of DuckDB, or anything that streams
        Arrow (``__arrow_c_stream__``). Columns other than the item column are levels; their values are text or
        whole numbers. An item whose lower levels are missing (None, nan or "") belongs to an inner node.
    item : str, optional
        The column of the item names. By default, the column "item"; without it, the index of a data frame unless that
        is 0 to n - 1; without that, the first column. A table of one column has items named "0", "1", and so on.
    path_column : str, optional
        The column that holds the path of each item, as for `from_paths`; the other columns are then left out. By
        default, the only column whose name ends in "path", or a single column beside the items that looks like paths.
    sep : str, optional
        The separator of the paths; by default it is found. An empty one says that no column holds paths.

    Raises
    ------
    InvalidInputError
        If columns differ in length, a value is neither text nor a whole number, or a level is missing above one that
        is given; the message names row and column. Also if the table holds the merges of a tree, as R and SciPy
        number them, or if both an index of row numbers, as of some rows of a frame, and a column could name the items.

    Warns
    -----
    AssumptionWarning
        If labels are taken as paths because they look like paths, a column that looks like paths is taken as a level,
        or columns beside a path are left out.

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
    given: object = item
    if isinstance(given, int) and given.bit_length() < 64:
        item = str(given)
    names = None if isinstance(table, Mapping) else names_within(table)
    columns, choice = columns_of(table), TableChoice(item, path_column, sep)
    if has_row_numbers(table):
        check_row_numbers(columns, choice)
    tree, notes = tree_of_columns(columns, names, choice)
    warn_assumed(notes)
    return tree


def tree_of_columns(columns: dict[str, list[Any]], names: tuple[str, ...] | None, choice: TableChoice) -> Reading:
    """Return the hierarchy of named columns, and what was assumed about them; ``names`` are those of an index."""
    _check_choice(choice, columns)
    lengths = set(map(len, columns.values()))
    if len(lengths) > 1:
        raise InvalidInputError(f"the columns must have the same length; got {sorted(lengths)}")
    check_no_merges(columns)
    columns = dict(columns)
    item = choice.item or _item_column(columns, names, choice.path_column)
    if item is not None:
        given = columns.pop(item)
        try:
            names = name_column(given, len(given))
        except InvalidInputError as error:
            raise InvalidInputError(f"column '{printable(item)}' must name the items: ", *error.args) from None
    if not columns:
        raise InvalidInputError("the table must have at least one level besides the items; got none")
    path, notes = _path_column(columns, choice)
    items = name_column(names, lengths.pop())
    if path is not None:
        values = _level(path, columns[path])
        sep = choice.sep or find_separator(values, named=True) or "/"
        if choice.sep is None and sep in COLONS:
            note = f"column '{printable(path)}' is taken as paths separated by '{sep}'"
            notes.append((note, Remedy("sep", "/", "takes single steps")))
        return Reading(from_paths([split_path(value, sep) for value in values], items), notes)
    levels = {name: _level(name, column) for name, column in columns.items()}
    nodes = PathTree()
    for row, name in enumerate(items):
        nodes.place(name, _steps(levels, row))
    return Reading(nodes.hierarchy(items), notes)


def check_row_numbers(columns: dict[str, list[Any]], choice: TableChoice) -> None:
    """Refuse an index of row numbers beside a column that could name the items, as in some rows of a larger frame."""
    if choice.item is not None or "item" in columns or len(columns) == 1:
        return
    name = _item_column(columns, None, choice.path_column)
    given = columns[name or ""]
    if len(set(map(str, given))) == len(given) and not any(map(is_missing, given)):
        raise InvalidInputError(
            "it must be clear what names the items; got an index of numbers without a name, as of some rows of a table,"
            f" and a different value in each row of column '{printable(name)}' (set_index('{printable(name)}') takes"
            " the column, rename_axis('item') the index)"
        )


def _check_choice(choice: TableChoice, columns: dict[str, list[Any]]) -> None:
    """Refuse columns that do not exist, and a separator that is not text."""
    for wanted, what in ((choice.item, "item"), (choice.path_column, "path_column")):
        given: object = wanted
        if given is not None and not isinstance(given, str):
            raise InvalidInputError(f"{what} must be the name of a column; got {printable(given)}")
        if wanted is not None and wanted not in columns:
            raise InvalidInputError(
                f"the table must have the column '{printable(wanted)}'; got {', '.join(map(printable, columns))}"
            )
    sep: object = choice.sep
    if sep is not None and not isinstance(sep, str):
        raise InvalidInputError(Argument("sep"), f" must be a string; got {printable_repr(sep)}")
    if sep == "" and choice.path_column is not None:
        raise InvalidInputError(Argument("sep"), " must be at least one character if there is a path_column; got ''")


def _item_column(columns: dict[str, list[Any]], names: tuple[str, ...] | None, path_column: str | None) -> str | None:
    """Return the column of the items: "item", else none if an index names them, else the first that holds no paths."""
    if "item" in columns and path_column != "item":
        return "item"
    if names is not None or len(columns) == 1:
        return None
    paths = [path_column] if path_column is not None else list(filter(is_path_name, columns))
    return next((name for name in columns if name not in paths), next(iter(columns)))


def _path_column(columns: dict[str, list[Any]], choice: TableChoice) -> tuple[str | None, list[Message]]:
    """Return the column of the paths, or None, and what was assumed."""
    if choice.path_column is not None:
        return choice.path_column, []
    if choice.sep == "":
        return None, []
    named = list(filter(is_path_name, columns))
    if len(named) == 1:
        others = [name for name in columns if name not in named]
        remedies = Remedy("path_column", ..., "names another column"), Remedy("sep", "", "takes all as levels")
        left_out = f"paths are in column '{printable(named[0])}'; these are left out: {quote_first(others)}"
        return named[0], [(left_out, *remedies)] * bool(others)
    if choice.sep is not None and len(columns) == 1:
        return next(iter(columns)), []
    notes: list[Message] = []
    for name, column in columns.items():
        sep = find_separator(value for value in column if isinstance(value, str))
        if sep is not None and len(columns) == 1:
            note = f"column '{printable(name)}' is taken as paths separated by '{sep}', as it looks"
            return name, [(note, Remedy("sep", "", "takes labels"))]
        if sep is not None:
            note = f"column '{printable(name)}' is taken as one level, but looks like paths separated by '{sep}'"
            notes.append((note, Remedy("path_column", printable(name), "takes it as paths")))
    return None, notes


def _level(name: str, column: list[Any]) -> list[str]:
    """Return one level as text, "" for missing values; its values must be all text or all whole numbers."""
    level = ["" if is_missing(value) else _cell(name, row, value) for row, value in enumerate(column)]
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
    number = int(value)
    require_text(number, f"the whole numbers of level '{printable(name)}'", f"in row {row}")
    return str(number)


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
