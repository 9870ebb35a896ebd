"""R's .rds and .RData files: trees of class hclust, dendrogram and phylo, data frames, matrices and named vectors."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, NamedTuple

from dendrometry._display import printable, quote_first
from dendrometry.errors import FormatError, Message, Remedy
from dendrometry.io._shared.contents import unpack_any
from dendrometry.io._shared.options import ReadOptions
from dendrometry.io._shared.r_serialized import RValue, is_workspace, number_text, unserialize
from dendrometry.io._shared.requirements import Reading
from dendrometry.io._shared.several import choose
from dendrometry.io.formats.columns import check_header
from dendrometry.io.formats.r_parts import PARTS, tree_of_parts
from dendrometry.io.parents import from_parents

Columns = dict[str, list[str]]
TableReader = Callable[[Columns, ReadOptions], Reading]
_FIRST_DAY = date(1970, 1, 1)
_TREES = "as.hclust(), as.dendrogram() or as.phylo() in R makes a tree of most objects of clusters"


class RObject(NamedTuple):
    """An object of a file that holds a tree or a table, its name ("" in .rds), and what it is."""

    name: str
    value: RValue
    kind: str


def read_r_object(data: bytes, options: ReadOptions, table: TableReader) -> Reading:
    """Return the hierarchy of one object of a file; ``table`` reads columns."""
    found, others = r_objects(data, options.max_bytes)
    chosen = found[choose([each.name for each in found], options.tree)]
    reading = _tree_of(chosen, options, table)
    left_out: Message = (f"'{printable(chosen.name)}' is read; these are no trees or tables: {quote_first(others)}",)
    return reading._replace(notes=[left_out] * bool(others and options.tree is None) + reading.notes)


def read_r_objects(data: bytes, options: ReadOptions, table: TableReader) -> dict[str, Reading]:
    """Return the hierarchies of all objects of a file, by name or by number from 1."""
    found, _ = r_objects(data, options.max_bytes)
    return {each.name or str(i): _tree_of(each, options, table) for i, each in enumerate(found, start=1)}


def r_objects(data: bytes, max_bytes: int) -> tuple[list[RObject], list[str]]:
    """Return the objects of a file that hold trees or tables, and the names of the others.

    Raises
    ------
    FormatError
        If the file is not one of R, or holds neither trees nor tables.
    """
    unpacked = unpack_any(data, max_bytes)
    value = unserialize(unpacked)
    named = zip(value.texts("names"), value.values, strict=True) if is_workspace(unpacked) else [("", value)]
    found: list[RObject] = []
    others: list[str] = []
    for name, held in named:
        inside = [each for each in _parts_of(name, held) if each.kind]
        found += inside
        others += [] if inside else [name]
    if not found:
        got = quote_first(others) if is_workspace(unpacked) else _class_of(value)
        tree_of = "hclust() in R makes a tree of distances" if "dist" in value.texts("class") else _TREES
        raise FormatError(
            "the file must hold an hclust, dendrogram, phylo, data frame, matrix or named vector of R; got"
            f" {printable(got, longest=200)}",
            Remedy("", ..., tree_of),
        )
    return found, others


def _class_of(value: RValue) -> str:
    """Return the class of an object in words."""
    classes = value.texts("class")
    return f"an object of class {classes[0]}" if classes else "an object without a class"


def _parts_of(name: str, value: RValue) -> list[RObject]:
    """Return an object with its kind, "" for one that is not read, or all trees of a multiPhylo."""
    classes = value.texts("class")
    if "multiPhylo" in classes:
        tips = value.attributes.get("TipLabel")
        names = value.texts("names") or [""] * len(value.values)
        prefix = f"{name}$" if name else ""
        trees = [_with_tips(tree, tips) for tree in value.values]
        called = zip(names, trees, strict=False)
        return [RObject(prefix + (own or str(i)), tree, "phylo") for i, (own, tree) in enumerate(called, start=1)]
    kind = next((one for one in ("hclust", "dendrogram", "phylo", "data.frame") if one in classes), "")
    if not kind and value.kind in ("numbers", "text"):
        kind = (
            "matrix" if _dimnames(value) else "vector" if value.texts("names") and "dim" not in value.attributes else ""
        )
    return [RObject(name, value, kind)]


def _with_tips(tree: RValue, tips: RValue | None) -> RValue:
    """Return a phylo with the labels that all trees of a multiPhylo share, if it has none."""
    if tips is None or "tip.label" in tree.texts("names"):
        return tree
    names = RValue("text", [*tree.texts("names"), "tip.label"], {})
    return RValue("list", [*tree.values, tips], {**tree.attributes, "names": names})


def _tree_of(thing: RObject, options: ReadOptions, table: TableReader) -> Reading:
    """Return the hierarchy of an object."""
    value = thing.value
    if thing.kind in PARTS:
        named = zip(value.texts("names"), value.values, strict=False)
        parts = {name: _flat(part) for name, part in named if name in PARTS[thing.kind]}
        return tree_of_parts(thing.kind, parts, bool(options.lengths.exact_heights))
    if thing.kind == "dendrogram":
        return _dendrogram(value)
    read = {"data.frame": _frame, "matrix": _matrix, "vector": _labels}
    return table(read[thing.kind](value), options)


def _flat(part: RValue) -> list[Any]:
    """Return a part of a tree as the text of dput gives it: numbers as floats, text, and None."""
    if part.kind == "list":
        raise FormatError("the parts of a tree of R must be vectors; got a list")
    values = _factor(part) or part.values
    return [value if value is None or isinstance(value, str) else float(value) for value in values]


def _factor(value: RValue) -> list[str | None]:
    """Return the values of a factor by their names; [] for anything else."""
    levels = value.texts("levels")
    if value.kind != "numbers" or "factor" not in value.texts("class"):
        return []
    if any(code is not None and not 1 <= code <= len(levels) for code in value.values):
        raise FormatError(f"the codes of a factor of R must be from 1 to {len(levels)}; got others")
    return [None if code is None else levels[int(code) - 1] for code in value.values]


def _cells(value: RValue, what: str) -> list[str]:
    """Return a column as text, "" for missing values."""
    if value.kind not in ("numbers", "text"):
        raise FormatError(f"the columns of a data frame of R must be vectors; '{printable(what)}' is not")
    values: list[Any] = _factor(value) or value.values
    days = "Date" in value.texts("class")
    return [
        ""
        if cell is None or cell != cell
        else cell
        if isinstance(cell, str)
        else _day(cell)
        if days
        else number_text(cell)
        for cell in values
    ]


def _day(number: float) -> str:
    """Return a date of R, a number of days."""
    try:
        return (_FIRST_DAY + timedelta(days=int(number))).isoformat()
    except OverflowError:
        return str(number)


def _table(items: list[str], columns: list[tuple[str, list[str]]]) -> Columns:
    """Return columns by name, the names of rows first and without one of their own, as write.csv does."""
    check_header([name for name, _ in columns] if not items else ["", *(name for name, _ in columns)])
    lengths = {len(column) for _, column in columns} | ({len(items)} if items else set())
    if len(lengths) != 1:
        raise FormatError(f"the columns of a table of R must have the same length; got {sorted(lengths)}")
    return ({"": items} if items else {}) | dict(columns)


def _frame(value: RValue) -> Columns:
    """Return the columns of a data frame; its row names unless they only count."""
    rows = value.attributes.get("row.names")
    names = [str(name or "") for name in rows.values] if rows is not None and rows.kind == "text" else []
    return _table(names, [(n, _cells(v, n)) for n, v in zip(value.texts("names"), value.values, strict=False)])


def _dimnames(value: RValue) -> list[list[str]]:
    """Return the names of the rows and columns of a matrix; [] if it has not both."""
    held = value.attributes.get("dimnames")
    names = [part.values for part in held.values if part.kind == "text"] if held is not None else []
    return [[name or "" for name in part] for part in names] if len(names) == 2 else []


def _matrix(value: RValue) -> Columns:
    """Return the columns of a matrix with names, one after the other."""
    rows, columns = _dimnames(value)
    cells, n = _cells(value, "matrix"), len(rows)
    if n * len(columns) != len(cells):
        raise FormatError(f"a matrix of R must have a name for each row and column; got {n} and {len(columns)}")
    return _table(rows, [(name, cells[i * n : (i + 1) * n]) for i, name in enumerate(columns)])


def _labels(value: RValue) -> Columns:
    """Return a named vector, as cutree returns it, as items and labels."""
    return _table(value.texts("names"), [("x", _cells(value, "x"))])


def _dendrogram(value: RValue) -> Reading:
    """Return the hierarchy of nested lists, of which each has a height and each leaf a label."""
    parent: list[int] = []
    heights: list[float] = []
    items: list[str] = []
    item_node: list[int] = []
    waiting = [(value, -1)]
    while waiting:
        node, above = waiting.pop()
        v = len(parent)
        parent.append(above)
        heights.append(_height(node))
        if node.kind == "list":
            waiting += [(child, v) for child in reversed(node.values)]
            if not node.values:
                raise FormatError("a node of a dendrogram must have branches or be a leaf; got an empty list")
            continue
        label = node.attributes.get("label")
        named = _flat(label) if label is not None else []
        if len(named) != 1 or named[0] is None:
            raise FormatError("a leaf of a dendrogram must have one label; got none or several")
        items.append(named[0] if isinstance(named[0], str) else number_text(named[0]))
        item_node.append(v)
    return Reading(from_parents(parent, item_node, heights, items), [])


def _height(node: RValue) -> float:
    """Return the height of a node of a dendrogram."""
    held = node.attributes.get("height")
    if held is None or held.kind != "numbers" or len(held.values) != 1 or held.values[0] is None:
        raise FormatError("each node of a dendrogram must have a height; one has none")
    return float(held.values[0])
