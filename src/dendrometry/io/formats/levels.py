"""Tables with one row for each item: columns that are levels, one column of paths, or one of labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.choices import suggestion
from dendrometry._check.frames import columns_of
from dendrometry._check.labels import require_text
from dendrometry._check.names import has_row_numbers, is_missing, name_column, names_within
from dendrometry._display import printable, printable_repr, quote_first
from dendrometry.errors import Argument, InvalidInputError, Message, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.account import Account, account_of
from dendrometry.io._shared.first_row import check_columns, check_split
from dendrometry.io._shared.known_columns import DOCUMENT_COLUMNS
from dendrometry.io._shared.merges import check_no_edges, check_no_merges
from dendrometry.io._shared.missing import complete, is_missing_word, tell_unplaced, tell_words
from dendrometry.io._shared.nesting import check_nested
from dendrometry.io._shared.noise import NOISE, has_noise, tell_noise
from dendrometry.io._shared.options import MissingChoice, Noise, RepeatsChoice, TableChoice, checked_choice
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io._shared.separators import COLONS, Split, find_separator, is_path_name, split_path, split_paths
from dendrometry.io.formats.paths import PathTree

_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)
_WHOLE_FLOAT = re.compile(r"[+-]?\d++\.0", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d++", re.ASCII)


class _TableReading(NamedTuple):
    """The hierarchy of a table, what was assumed about it, and how it was read."""

    tree: Hierarchy
    notes: list[Message]
    account: Account


def from_levels(
    table: Any,
    item: str | None = None,
    *,
    path_column: str | None = None,
    sep: str | None = None,
    levels: Sequence[str] | None = None,
    missing: MissingChoice = "refuse",
    repeats: RepeatsChoice = "refuse",
    noise: Noise | None = None,
) -> Hierarchy:
    """Return the hierarchy of a table whose columns are levels, from the top down, or that has a column of paths.

    `read` takes the columns of a file by the same rules.

    Parameters
    ----------
    table : dict of columns or data frame
        A table with one row for each item: of pandas, polars or PyArrow, a relation of DuckDB, or anything that streams
        Arrow (``__arrow_c_stream__``). Columns other than the item column are levels; their values are text or
        whole numbers. An item whose lower levels are missing belongs to an inner node. Missing are None, nan, "", ranks
        without a name such as "g__", and the words that pandas reads so, such as "NA" and "n/a"; those that were met
        are said.
    item : str, optional
        The column of the item names. By default, the column "item"; without it, the index of a data frame unless that
        is 0 to n - 1; without that, the first column. A table of one column has items named "0", "1", and so on.
    path_column : str, optional
        The column that holds the path of each item, as for `from_paths`; the other columns are then left out. By
        default, the only column whose name ends in "path", or a single column beside the items that looks like paths.
    sep : str, optional
        The separator of the paths; by default it is found. An empty one says that no column holds paths.
    levels : sequence of str, optional
        The columns that are levels, from the top down; the others are left out.
    missing : {"refuse", "skip_rank", "own_node"}
        What to do about a level that is missing above one that is given: refuse the table, leave the rank of that item
        out, or make a node for it below the one above, such as "(no family)"; such nodes are then made for missing
        levels at the end, too.
    repeats : {"refuse", "split"}
        What to do about a name that lies in several of the level above: refuse the table, since its levels are not
        nested, or make a node of that name below each.
    noise : {"label", "singletons", "drop"}, optional
        What becomes of the items with the label -1 in a level of whole numbers from 0, as HDBSCAN labels noise: they
        are one cluster, a cluster each, or left out. By default one cluster, and their number is said.

    Raises
    ------
    InvalidInputError
        If columns differ in length, a value is neither text nor a whole number, or a level is missing above one that
        is given; the message names item and column. Also if the table holds the merges of a tree, as R and SciPy
        number them, or its edges, or if both an index of row numbers, as of some rows of a frame, and a column could
        name the items.
    InvalidTreeError
        If levels are not nested; the message names the first two levels and items that are not. `resolutions` takes
        such clusterings.

    Warns
    -----
    AssumptionWarning
        If labels are taken as paths because they look like paths, a column that looks like paths is taken as a level,
        columns beside a path are left out, words are taken as missing, items have no level, or noise is a cluster.

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
    columns = columns_of(table)
    choice = checked_choice(TableChoice(item, path_column, sep, levels, missing, repeats, noise))
    if has_row_numbers(table):
        check_row_numbers(columns, choice)
    found = tree_of_columns(columns, names, choice)
    warn_assumed(found.notes)
    return found.tree


def tree_of_columns(columns: dict[str, list[Any]], names: tuple[str, ...] | None, choice: TableChoice) -> Reading:
    """Return the hierarchy of named columns, and what was assumed about them; ``names`` are those of an index."""
    _check_choice(choice, columns)
    if columns.keys() >= set(DOCUMENT_COLUMNS) and choice == TableChoice(noise=choice.noise):
        return _tree_of_topics(columns, names, choice)
    n_rows = _check_table(columns, names, choice)
    columns = dict(columns) if names is not None else _without_empty_rows(columns)
    item = choice.item or item_column(columns, names, choice)
    if item is not None:
        given = columns.pop(item)
        try:
            names = name_column(given, len(given))
        except InvalidInputError as error:
            raise InvalidInputError(
                f"column '{printable(item)}' must name the items: ", *error.args, Remedy("item", ..., "names another")
            ) from None
    if choice.levels is not None:
        columns = {name: columns[name] for name in choice.levels if name in columns}
    if not columns:
        raise InvalidInputError("the table must have at least one level besides the items; got none")
    path, notes = path_column(columns, choice)
    items = name_column(names, len(columns[next(iter(columns))]))
    if path is not None and choice.some_paths:
        columns, items = _with_paths(path, columns[path], items)
    if path is not None:
        found = _tree_of_paths(path, columns[path], items, choice)
    else:
        found = _tree_of_levels(columns, items, choice)
    account = found.account._replace(n_dropped=found.account.n_dropped + n_rows - len(items), item=item)
    return Reading(found.tree, notes + found.notes, account)


def _with_paths(name: str, column: list[Any], items: tuple[str, ...]) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """Return a column of paths and its items without the rows that hold none."""
    texts = ["" if is_missing(cell) else str(cell).strip() for cell in column]
    rows = [i for i, text in enumerate(texts) if text and not is_missing_word(text)]
    if not rows:
        raise InvalidInputError(f"column '{printable(name)}' must hold a path; it is empty")
    return {name: [column[i] for i in rows]}, tuple(items[i] for i in rows)


def _tree_of_topics(columns: dict[str, list[Any]], names: tuple[str, ...] | None, choice: TableChoice) -> Reading:
    """Return the topics of documents in a frame of BERTopic, of which names and words are left out."""
    document, topic, _ = DOCUMENT_COLUMNS
    item = document if names is None else None
    others = [name for name in columns if name not in (item, topic)]
    note: Message = (
        f"the topics of BERTopic are in column '{topic}'; these are left out: {quote_first(others)}",
        Remedy("levels", ..., "names other columns"),
    )
    found = tree_of_columns(columns, names, choice._replace(item=item, levels=(topic,)))
    return found._replace(notes=[note, *found.notes])


def _check_table(columns: dict[str, list[Any]], names: tuple[str, ...] | None, choice: TableChoice) -> int:
    """Return the number of rows; refuse columns of several lengths, and tables that are not of items."""
    lengths = set(map(len, columns.values()))
    if len(lengths) > 1:
        raise InvalidInputError(f"the columns must have the same length; got {sorted(lengths)}")
    check_no_merges(columns)
    if choice.levels is None and choice.path_column is None:
        check_no_edges(columns)
    check_split(columns, names)
    if names is None and choice.item is None:
        check_columns(columns)
    return lengths.pop()


def _without_empty_rows(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return columns without the rows that hold nothing, as spreadsheets write them below a table."""
    empty = [all(is_missing(value) or value == "" for value in row) for row in zip(*columns.values(), strict=True)]
    if not any(empty) or all(empty):
        return dict(columns)
    return {name: [x for x, out in zip(column, empty, strict=True) if not out] for name, column in columns.items()}


def _tree_of_paths(name: str, column: list[Any], items: tuple[str, ...], choice: TableChoice) -> _TableReading:
    """Return the hierarchy of a column of paths."""
    values = _text(name, column)
    words: Counter[str] = Counter()
    if choice.exact:
        parts = {value: split_path(value, choice.sep or "/") for value in dict.fromkeys(values)}
        split = Split([parts[value] for value in values], choice.sep, [])
    else:
        met = {value: value.strip() for value in dict.fromkeys(values) if is_missing_word(value.strip())}
        split = split_paths(["" if value in met else value for value in values], choice.sep or None)
        words.update(met[value] for value in values if value in met)
    notes = split.notes
    if choice.sep is None and split.sep in COLONS:
        says = f"column '{printable(name)}' is taken as paths separated by '{split.sep}'"
        notes = [(says, Remedy("sep", "/", "takes single steps")), *notes]
    nodes, count, node_of = PathTree(), Counter(values), dict[str, int]()
    for item, value, steps in zip(items, values, split.steps, strict=True):
        if value in node_of:
            nodes.item_node.append(node_of[value])
            continue
        if not choice.exact:
            missing = Counter(filter(is_missing_word, steps))
            words.update({step: n * count[value] for step, n in missing.items()})
            given = ["" if step in missing else step for step in steps]
            nodes.place(item, complete(given, (), choice.missing, f"item '{printable(item)}'"))
        else:
            nodes.place(item, steps)
        node_of[value] = nodes.item_node[-1]
    tree = nodes.hierarchy(items)
    account = account_of("paths", tree)._replace(columns=(name,), sep=split.sep, missing=tuple(words.most_common()))
    return _TableReading(tree, notes + tell_words(words, choice.missing), account)


def _tree_of_levels(columns: dict[str, list[Any]], items: tuple[str, ...], choice: TableChoice) -> _TableReading:
    """Return the hierarchy of levels, from the top down."""
    words: Counter[str] = Counter()
    levels = {name: _level(name, column, words, choice) for name, column in columns.items()}
    noisy = {name for name, level in levels.items() if has_noise(filter(None, level), choice.noise)}
    if choice.repeats == "refuse":
        checked = {
            name: ["" if value == NOISE else value for value in level] if name in noisy else level
            for name, level in levels.items()
        }
        check_nested(checked, items)
    nodes, kept, n_noise = PathTree(), [], 0
    for row, item in enumerate(items):
        values = [level[row] for level in levels.values()]
        is_noise = [value == NOISE and name in noisy for name, value in zip(levels, values, strict=True)]
        n_noise += any(is_noise)
        if any(is_noise) and choice.noise == "drop":
            continue
        kept.append(item)
        if any(is_noise) and choice.noise == "singletons":
            first = is_noise.index(True)
            above = complete(values[:first], list(levels), choice.missing, f"item '{printable(item)}'")
            nodes.place_alone(item, above)
        else:
            nodes.place(item, complete(values, list(levels), choice.missing, f"item '{printable(item)}'"))
    if items and not kept:
        raise InvalidInputError("the table must have an item in a cluster; all are noise, which is left out")
    tree = nodes.hierarchy(tuple(kept))
    notes = tell_words(words, choice.missing) + tell_noise(n_noise, len(items), choice.noise)
    if not words:
        notes += tell_unplaced(nodes.item_node.count(0), len(items), choice.missing)
    account = account_of("levels" if len(levels) > 1 else "labels", tree)._replace(
        columns=tuple(levels),
        n_dropped=len(items) - len(kept),
        missing=tuple(words.most_common()),
        n_noise=n_noise,
    )
    return _TableReading(tree, notes, account)


def check_row_numbers(columns: dict[str, list[Any]], choice: TableChoice) -> None:
    """Refuse an index of row numbers beside a column that could name the items, as in some rows of a larger frame."""
    if choice.item is not None or "item" in columns or len(columns) == 1:
        return
    name = item_column(columns, None, choice)
    given = columns[name or ""]
    if len(set(map(str, given))) == len(given) and not any(map(is_missing, given)):
        raise InvalidInputError(
            "it must be clear what names the items; got an index of numbers without a name, as of some rows of a table,"
            f" and a different value in each row of column '{printable(name)}' (set_index('{printable(name)}') takes"
            " the column, rename_axis('item') the index)"
        )


def _check_choice(choice: TableChoice, columns: dict[str, list[Any]]) -> None:
    """Refuse columns that do not exist, and a separator that is not text."""
    chosen = [(name, "levels") for name in choice.levels or ()]
    for wanted, what in ((choice.item, "item"), (choice.path_column, "path_column"), *chosen):
        given: object = wanted
        if given is not None and not isinstance(given, str):
            raise InvalidInputError(f"{what} must be the name of a column; got {printable(given)}")
        if wanted is not None and wanted not in columns:
            hint = suggestion(wanted, columns)
            raise InvalidInputError(
                f"{hint}the table must have the column '{printable(wanted)}'; got {', '.join(map(printable, columns))}"
            )
    sep: object = choice.sep
    if sep is not None and not isinstance(sep, str):
        raise InvalidInputError(Argument("sep"), f" must be a string; got {printable_repr(sep)}")
    if sep == "" and choice.path_column is not None:
        raise InvalidInputError(Argument("sep"), " must be at least one character if there is a path_column; got ''")


def item_column(columns: dict[str, list[Any]], names: tuple[str, ...] | None, choice: TableChoice) -> str | None:
    """Return the column of the items: "item", else none if an index names them, else the first that holds no paths."""
    taken = [choice.path_column] if choice.path_column is not None else list(filter(is_path_name, columns))
    taken += choice.levels or ()
    if "item" in columns and choice.path_column != "item":
        return "item"
    if names is not None or len(columns) == 1:
        return None
    return next((name for name in columns if name not in taken), next(iter(columns)))


def path_column(columns: dict[str, list[Any]], choice: TableChoice) -> tuple[str | None, list[Message]]:
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


def _text(name: str, column: list[Any]) -> list[str]:
    """Return a column as text, "" for missing values; its values must be all text or all whole numbers."""
    level = ["" if is_missing(value) else _cell(name, row, value) for row, value in enumerate(column)]
    kinds = {isinstance(value, str) for value, text in zip(column, level, strict=True) if text}
    if len(kinds) > 1:
        raise InvalidInputError(f"level '{printable(name)}' must be all text or all whole numbers; got both")
    return level


def _level(name: str, column: list[Any], words: Counter[str], choice: TableChoice) -> list[str]:
    """Return one level as text without blanks around it, "" for missing values, whose words are counted."""
    values = _text(name, column)
    bare = {value: value.strip() for value in dict.fromkeys(values)}  # once each, as one long text may be there often
    met = {value for value in bare.values() if is_missing_word(value)}
    words.update(bare[value] for value in values if bare[value] in met)
    level = ["" if bare[value] in met else bare[value] for value in values]
    if all(_WHOLE_FLOAT.fullmatch(value) for value in dict.fromkeys(level) if value):
        level = [value.partition(".")[0] for value in level]  # as pandas writes whole numbers beside missing ones
    broken = None if choice.levels is not None else _first_fraction(level)
    if broken is not None:
        raise InvalidInputError(
            f"row {broken}: level '{printable(name)}' must be text or whole numbers; got {printable(level[broken])}",
            Remedy("levels", ..., "names the columns that are levels"),
        )
    return level


def _first_fraction(level: list[str]) -> int | None:
    """Return the first row of a column of numbers that are not all whole; None for any other column."""
    distinct = dict.fromkeys(level)
    if not all(_NUMBER.fullmatch(value) for value in distinct if value):
        return None
    broken = next((value for value in distinct if value and not _WHOLE.fullmatch(value)), None)
    return None if broken is None else level.index(broken)


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
