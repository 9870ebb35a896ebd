"""The overlap of two hierarchies or partitions in tables that are counted where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, get_args

import numpy as np

from dendrometry import _memory
from dendrometry._check.choices import one_of
from dendrometry._check.names import pair_of_names
from dendrometry._check.numbers import whole_number
from dendrometry._display import name_trees, plural, printable, quote_first
from dendrometry._progress import Advance, bar
from dendrometry._typing import IntArray
from dendrometry.engine import statements
from dendrometry.engine.engine import STEPS, Engine
from dendrometry.engine.item_table import Column, ItemTable, as_item_table, choose_columns
from dendrometry.engine.nodes import tree_of_nodes, tree_of_values
from dendrometry.engine.on_duckdb import open_duckdb
from dendrometry.engine.on_spark import open_spark
from dendrometry.errors import InvalidInputError, ItemMismatchError, Message, Remedy, advise_function
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.requirements import warn_assumed
from dendrometry.overlap import OnMismatch, Overlap, Unmatched, is_enough, mismatch_text

_FEW = 5  # examples in a message
_NODE_BYTES = 1_000  # of a node and its name, in lists and in the tree
_ROW_BYTES = 200  # of a row of the overlap, and of the measures that read it


def overlap_from_tables(
    a: Any,
    b: Any,
    *,
    engine: Any = "duckdb",
    on_mismatch: OnMismatch = "error",
    names: tuple[str, str] | None = None,
    max_memory: int | None = None,
    progress: bool = False,
) -> Overlap:
    r"""Return the overlap of two hierarchies or partitions given as tables, counted where the tables lie.

    The tables are never loaded: a database groups their rows by item, and what comes back is the number of items at
    each pair of nodes. Every measure works on the result, see `compare_overlap`.

    Parameters
    ----------
    a, b : str, path, list of these, ItemTable or Spark DataFrame
        The tables, with a row for each item: its name, and the node, path or label that it belongs to, perhaps a
        weight. A file or files as described in `ItemTable`, which also says which columns to take.
    engine : str or SparkSession
        "duckdb" counts on this machine, with temporary files for what does not fit into memory. "spark" uses the
        current session of Spark, or a new one as configured; a session, or an address such as ``"sc://host:15002"`` of
        Spark Connect, uses that.
    on_mismatch : {"error", "intersect", "intersect_any"}
        What to do if the tables do not hold the same items, as in `compare`.
    names : pair of str, optional
        What the tables are called in messages.
    max_memory : int, optional
        The bytes that DuckDB may use; by default half of the available memory.
    progress : bool
        Whether to show progress on the terminal.

    Returns
    -------
    Overlap
        The same as that of the trees in memory, without the list of items. Nodes are in ascending order of their paths
        or labels. With weights, ``count`` is their sum.

    Raises
    ------
    InvalidInputError
        If a table or a column does not exist or has another type, a row has no item or no node, an item has several
        rows, a weight is not at least 1 or differs between the tables, the database cannot be reached, or memory or
        disk do not suffice.
    ItemMismatchError
        If the tables hold different items, as in `compare`; the message counts them and gives examples.
    MissingExtraError
        If the engine is not installed.

    Warns
    -----
    AssumptionWarning
        If labels are taken as paths because they look like paths.

    Notes
    -----
    One pass over each table finds its nodes, and one GROUP BY over both counts the items. Items of text and of whole
    numbers are matched by their text, as by `read`. Time and memory: see the page on scale.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dendrometry.engine import overlap_from_tables
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.csv").write_text("item,label\ncat,pet\ndog,pet\nfox,wild\n")
    >>> _ = (folder / "b.csv").write_text("item,label\nfox,red\ncat,grey\ndog,red\n")
    >>> overlap_from_tables(folder / "a.csv", folder / "b.csv")
    Overlap(3 items in 3 rows; trees of 3 and 3 nodes)
    """
    one_of(on_mismatch, "on_mismatch", get_args(OnMismatch))
    called = pair_of_names(names)
    tables = (as_item_table(a), as_item_table(b))
    limit = None if max_memory is None else whole_number(max_memory, "max_memory", 1)
    with bar("counting the items", 3 * STEPS, progress) as advance, _open(engine, tables, limit, advance) as database:
        count = _Count(database, tables, called or ("the first table", "the second table"))
        overlap = count.overlap(on_mismatch, called)
    warn_assumed(count.notes)
    return overlap


@contextmanager
def _open(engine: Any, tables: tuple[ItemTable, ItemTable], limit: int | None, advance: Advance) -> Iterator[Engine]:
    """Open the engine that an argument names, and close it afterwards."""
    if isinstance(engine, str) and not engine.startswith("sc://"):
        one_of(engine, "engine", ("duckdb", "spark"))
    if engine == "duckdb":
        with open_duckdb(limit, advance) as found:
            yield found
    else:
        with open_spark(engine, [table.source for table in tables], advance) as on_spark:
            yield on_spark


class _Side(NamedTuple):
    """One of the tables: its nodes by number, the tree of these numbers, how many rows it has, whether with weights."""

    tree: Hierarchy
    n_rows: int
    weighted: bool


class _Count:
    """The count of two tables by an engine."""

    def __init__(self, engine: Engine, tables: tuple[ItemTable, ItemTable], names: tuple[str, str]) -> None:
        self._engine = engine
        self._names = dict(zip(statements.SIDES, map(printable, names), strict=True))
        self._tables = dict(zip(statements.SIDES, tables, strict=True))
        self.notes: list[Message] = []  # what was assumed about the columns

    def overlap(self, on_mismatch: OnMismatch, names: tuple[str, str] | None) -> Overlap:
        """Return the overlap of the tables."""
        self._make_views()
        first, second = (self._read_nodes(side) for side in statements.SIDES)
        weighted = first.weighted or second.weighted
        most = _most(_ROW_BYTES)
        rows = self._engine.numbers(statements.count_items(self._engine.prefix, most + 1, weighted=weighted))
        if rows[0].size > most:
            raise InvalidInputError(f"the overlap must have at most {most:,} rows to fit into memory; it has more")
        node_a, node_b, _, n_items, weight, n_differing = rows
        self._check_rows(rows, first.n_rows + second.n_rows)
        if n_differing.any():
            found = self._engine.rows(statements.items_of_two_weights(self._engine.prefix, _FEW))
            raise InvalidInputError(
                f"the weights of an item must be the same in both tables; they differ for"
                f" {_examples(found, int(n_differing.sum()), 'item')}"
            )
        common = (node_a >= 0) & (node_b >= 0)
        left_out = (int(n_items[node_b < 0].sum()), int(n_items[node_a < 0].sum()))
        if any(left_out):
            self._check_common(first.n_rows, second.n_rows, left_out, on_mismatch, names)
        return replace(
            _overlap(first.tree, second.tree, node_a[common], node_b[common], weight[common]), left_out=left_out
        )

    def _make_views(self) -> None:
        """Make the views of both tables, with the items of both as text unless they are whole numbers in both."""
        for side, table in self._tables.items():
            with self._named(side):
                self._engine.admit(table)
        self._engine.seal()
        chosen = {}
        for side, table in self._tables.items():
            with self._named(side):
                chosen[side] = choose_columns(self._engine.columns(table), table)
                _check_kinds(chosen[side].item, chosen[side].node, chosen[side].weight)
        as_text = any(columns.item.kind == "text" for columns in chosen.values())
        self._weighted = {side: columns.weight is not None for side, columns in chosen.items()}
        self._columns = {side: columns.node.name for side, columns in chosen.items()}
        for side, table in self._tables.items():
            self._engine.view(side, table, chosen[side], items_as_text=as_text)

    def _read_nodes(self, side: str) -> _Side:
        """Return the tree of the nodes of a table, each of which is numbered in the database."""
        most = _most(_NODE_BYTES)
        rows = self._engine.rows(statements.count_nodes(self._engine.prefix, side, most + 1))
        with self._named(side):
            if len(rows) > most:
                raise InvalidInputError(f"a table must have at most {most:,} nodes to fit into memory; it has more")
            if not rows:
                raise InvalidInputError("a table must have at least one row; got none")
            self._check_complete(side, rows)
            nodes = sorted(row[0] for row in rows)
            table = self._tables[side]
            if table.nodes is None:
                found = tree_of_values(self._columns[side], nodes, table.sep)
                tree = found.tree
                self.notes += [(f"{self._names[side]}: ", *advise_function(note, "ItemTable")) for note in found.notes]
            else:
                tree = tree_of_nodes(nodes, self._engine.node_rows(table, most))
        self._engine.number(side, nodes)
        return _Side(tree, sum(row[1] for row in rows), self._weighted[side])

    def _check_complete(self, side: str, rows: list[tuple[Any, ...]]) -> None:
        """Refuse rows without an item, a node or a weight."""
        prefix = self._engine.prefix
        n_nameless = sum(row[2] for row in rows)
        if n_nameless:
            found = self._engine.rows(statements.nodes_without_items(prefix, side, _FEW))
            at = quote_first([node for (node,) in found if node is not None])
            where = f" at {at}" if at else ""
            raise InvalidInputError(f"every row must name its item; {plural(n_nameless, 'row')} without one{where}")
        n_nowhere = sum(row[1] for row in rows if row[0] is None)
        faults: list[tuple[statements.Fault, int, str]] = [("no node", n_nowhere, "have a node, a path or a label")]
        if self._weighted[side]:
            faults.append(("no weight", sum(row[3] for row in rows), "have a weight of at least 1"))
        for fault, count, rule in faults:
            if count:
                found = self._engine.rows(statements.items_with(fault, prefix, side, _FEW))
                raise InvalidInputError(f"every item must {rule}; {_examples(found, count, 'item')} without one")

    def _check_rows(self, rows: list[IntArray], n_expected: int) -> None:
        """Refuse items with several rows in one table, and tables that were changed between two statements."""
        node_a, node_b, n_rows, n_items = rows[:4]
        if int((n_rows * n_items).sum()) != n_expected:
            raise InvalidInputError("the tables must stay as they are while they are counted; they were changed")
        if (n_rows == 1 + ((node_a >= 0) & (node_b >= 0))).all():
            return
        for side in statements.SIDES:
            found = self._engine.rows(statements.repeated_items(self._engine.prefix, side, _FEW))
            if found:
                with self._named(side):
                    repeated = quote_first([row[0] for row in found], count=found[0][1])
                    raise InvalidInputError(f"item names must be distinct; these are repeated: {repeated}")

    def _check_common(
        self, n_a: int, n_b: int, left_out: tuple[int, int], on_mismatch: OnMismatch, names: tuple[str, str] | None
    ) -> None:
        """Refuse tables that share fewer items than was asked for."""
        if is_enough(n_a - left_out[0], n_a, n_b, on_mismatch):
            return
        lacking = []
        for side, count, n_items in zip(statements.SIDES, left_out, (n_a, n_b), strict=True):
            statement = statements.items_of_one(self._engine.prefix, side, _FEW)
            some = [str(row[0]) for row in self._engine.rows(statement)] if count else []
            lacking.append(Unmatched(count, n_items, some))
        parts = advise_function(mismatch_text(lacking[0], lacking[1], on_mismatch), "compare", ("on_mismatch",))
        raise ItemMismatchError(*name_trees(parts, names))

    @contextmanager
    def _named(self, side: str) -> Iterator[None]:
        """Name the table in errors about it, unless they name its file."""
        name = self._names[side]
        try:
            yield
        except InvalidInputError as error:
            is_named = f"cannot read {name}:" in str(error)
            raise type(error)("" if is_named else f"{name}: ", *error.args) from None


def _check_kinds(item: Column, node: Column, weight: Column | None) -> None:
    """Refuse columns of another type."""
    for column in (item, node):
        if column.kind not in ("text", "whole"):
            raise InvalidInputError(
                f"column '{printable(column.name)}' must hold text or whole numbers; got {printable(column.kind)}"
            )
    if weight is not None and weight.kind != "whole":
        raise InvalidInputError(
            f"column '{printable(weight.name)}' must hold whole numbers, the weights; got {printable(weight.kind)}",
            Remedy("weight", "", "takes none", "ItemTable"),
        )


def _most(n_bytes: int) -> int:
    """Return how many rows of a result fit into half of the memory."""
    return max(_memory.available() // (2 * n_bytes), 1)


def _examples(found: list[tuple[Any, ...]], count: int, noun: str) -> str:
    """Return a number of items, and the first of them."""
    return f"{plural(count, noun)} ({quote_first([row[0] for row in found], count=count)})"


def _overlap(a: Hierarchy, b: Hierarchy, node_a: IntArray, node_b: IntArray, count: IntArray) -> Overlap:
    """Return the overlap of two trees, whose items are the numbers of nodes in the database, without empty nodes."""
    (first, at_a), (second, at_b) = _held(a, node_a), _held(b, node_b)
    overlap = Overlap.from_triples(
        first.parent,
        second.parent,
        np.column_stack((at_a, at_b, count)),
        height_a=first.height,
        height_b=second.height,
    )
    return replace(overlap, node_names=(first.node_names, second.node_names))


def _held(tree: Hierarchy, number: IntArray) -> tuple[Hierarchy, IntArray]:
    """Return the tree of the nodes with some numbers, and the node of each number."""
    held = np.unique(number)
    kept = tree if held.size == tree.n_items else tree.restrict(tree.items[i] for i in held.tolist())
    return kept, kept.item_node[np.searchsorted(held, number)]
