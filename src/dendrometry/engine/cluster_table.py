"""A tree of points that do not fit into memory, written as a table of nodes and a table of items."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from dendrometry._check.numbers import RandomSource, random_generator, whole_number
from dendrometry._display import plural, printable, quote_first
from dendrometry._files import FilePath, check_place, name_of, part_beside
from dendrometry._html import field_table
from dendrometry._interrupt import run_aside
from dendrometry._progress import bar
from dendrometry._typing import FloatArray, IntArray
from dendrometry.engine.cell_batches import Tally, node_table, points_in
from dendrometry.engine.cells import centres_of, tree_above
from dendrometry.engine.cells_on_duckdb import DuckDBCells
from dendrometry.engine.cells_on_spark import SparkCells
from dendrometry.engine.item_table import Column, ItemTable
from dendrometry.engine.on_duckdb import literal, open_database
from dendrometry.engine.on_spark import open_session
from dendrometry.errors import InvalidInputError
from dendrometry.io._shared.schema import PairOfTables, pair_of_tables
from dendrometry.io.formats.parquet import marked_parquet

_CELL = 10_000  # points of a cell, by default
_SAMPLE = 10  # points of the sample for each cell, by default


@dataclass(frozen=True)
class CellReport:
    """How a tree of many points was built.

    Attributes
    ----------
    n_items : int
        The number of points.
    n_cells : int
        The number of cells, whose trees are joined exactly.
    largest : int
        The number of points in the largest cell.
    n_sample : int
        The number of points in the sample that the cells were found from.
    """

    n_items: int
    n_cells: int
    largest: int
    n_sample: int

    def _repr_html_(self) -> str:
        return field_table(self)


class _Steps(Protocol):
    """What is done over all points, on this machine or on a cluster."""

    def columns(self, source: Any) -> list[Column]: ...

    def take_table(self, source: Any, item: str, columns: list[Column]) -> None: ...

    def count(self) -> tuple[int, int, int]: ...

    def sample(self, count: int, seed: int) -> Any: ...

    def assign(self, centre: FloatArray) -> Tally: ...

    def grow(self, above: IntArray, d: int) -> None: ...


def cluster_table(
    points: Any,
    out: FilePath,
    *,
    n_cells: int | None = None,
    n_sample: int | None = None,
    item: str | None = None,
    engine: Any = "duckdb",
    rng: RandomSource = 0,
    max_memory: int | None = None,
    force: bool = False,
    progress: bool = False,
) -> CellReport:
    """Build a tree of points that do not fit into memory, and write it as a table of nodes and a table of items.

    A sample is clustered by Ward's linkage and cut into cells, as in Buckshot. Every point joins the cell whose centre
    is nearest. The points of each cell are merged by Ward's linkage, and the cells are merged exactly, from their sizes
    and centroids, as by ``agglomerate(X, start=cells)``.

    Parameters
    ----------
    points : str, path, list of these, (n, d) array or Spark DataFrame
        Parquet files as in `ItemTable`, with a column of items, and numbers in the other columns or in one column of
        lists; or an array, perhaps mapped from a file by ``numpy.load(path, mmap_mode="r")``, whose items are "0", "1",
        and so on, in this order in the tree.
    out : str or path
        The two files to write, by the name of either: ``NAME.nodes.parquet`` or ``NAME.items.parquet``.
    n_cells : int, optional
        The number of cells; by default one for every 10,000 points. Each cell must fit into memory.
    n_sample : int, optional
        The number of points in the sample, at least ``n_cells``; by default 10 for each cell.
    item : str, optional
        The column of the items; by default "item", otherwise the first.
    engine : str or SparkSession
        "duckdb" or Spark, as in `overlap_from_tables`. The workers of Spark need this package too.
    rng : numpy Generator, int or None
        The source of random numbers, for the sample. The default seed, 0, gives the same result in every call; None
        does not.
    max_memory : int, optional
        The bytes that DuckDB may use; by default half of the available memory.
    force : bool
        Whether to replace existing files.
    progress : bool
        Whether to show progress on the terminal.

    Returns
    -------
    CellReport
        The numbers of points and cells. `read`, and so every command, reads the tree that was written; it has heights.

    Raises
    ------
    InvalidInputError
        If a file cannot be read or written, a column is missing or has another type, an item is missing or repeated,
        a point is not finite, an option is out of range, or memory or disk do not suffice. Nothing is written then.
    MissingExtraError
        If the engine or pyarrow is not installed.

    Notes
    -----
    Time: n d for each cell in the search for the nearest centre, then that of `agglomerate` in each cell. The result
    depends on the engine only through rounding.

    The tree is not the exact one: points of two cells merge only above both. `dendrometry.resampling.fidelity` measures
    how near it is. Heights may be inverted where a cell is merged below its own height.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> from dendrometry import read
    >>> from dendrometry.engine import cluster_table
    >>> out = pathlib.Path(tempfile.mkdtemp(), "tree.nodes.parquet")
    >>> cluster_table(np.random.default_rng(0).normal(size=(300, 4)), out, n_cells=5)
    CellReport(n_items=300, n_cells=5, largest=88, n_sample=50)
    >>> tree = read(out)
    >>> tree.n_items, tree.n_nodes
    (300, 599)
    """
    files = _output_tables(out, force)
    limit = None if max_memory is None else whole_number(max_memory, "max_memory", 1)
    seed = int(random_generator(rng).integers(2**31))
    folder = os.path.dirname(os.path.abspath(files.nodes))
    with bar("clustering the points", 5, progress) as advance, open_database(limit) as (duckdb, database):
        with _steps(engine, points, duckdb, database, folder) as steps:
            _take(steps, points, item)
            n = _count(steps)
            cells, count = _sizes(n, n_cells, n_sample)
            advance(1)
            sample = steps.sample(count, seed)
            centre = centres_of(points_in(sample, len(sample.column("point")[0])), cells)
            advance(1)
            tally = steps.assign(centre)
            advance(1)
            held = np.flatnonzero(tally.size)
            top, parent = tree_above(tally.centroid[held], tally.size[held], len(centre))
            above = np.full(len(centre), -1, dtype=np.int64)
            above[held] = parent
            steps.grow(above, centre.shape[1])
            advance(1)
            database.register("top", node_table(top))
            _write(database, files, "CAST(item AS BIGINT)" if isinstance(points, np.ndarray) else "node")
            advance(1)
    return CellReport(n, held.size, int(tally.size.max()), count)


def _output_tables(out: FilePath, force: bool) -> PairOfTables:
    """Return the two files to write."""
    name = name_of(out)
    pair = pair_of_tables(name)
    if pair is None:
        raise InvalidInputError(
            f"out must end in .nodes.parquet or .items.parquet; got {printable(name, longest=4096)}"
        )
    for place in pair:
        check_place(place, force=force)
    return pair


@contextmanager
def _steps(engine: Any, points: Any, duckdb: Any, database: Any, folder: str) -> Iterator[_Steps]:
    """Lend what does the steps."""
    if engine == "duckdb":
        yield DuckDBCells(duckdb, database)
        return
    with open_session(engine, [points]) as session, _folder_beside(folder) as place:
        yield SparkCells(session, database, place)


def _take(steps: _Steps, points: Any, item: str | None) -> None:
    """Take the points of a table or of an array."""
    if isinstance(points, np.ndarray):
        if not isinstance(steps, DuckDBCells):
            raise InvalidInputError("an array must be clustered by the engine duckdb; got another engine")
        if points.ndim != 2 or points.dtype.kind not in "iuf" or 0 in points.shape:
            raise InvalidInputError(
                f"points must be an array of numbers of two dimensions; got shape {points.shape} of {points.dtype}"
            )
        steps.take_array(points)
        return
    source = ItemTable(source=points, item=item)
    columns = steps.columns(source.source)
    known = {column.name: column for column in columns}
    name = item or ("item" if "item" in known else columns[0].name)
    if name not in known:
        raise InvalidInputError(f"the table must have the column '{printable(name)}'; got {quote_first([*known])}")
    rest = [column for column in columns if column.name != name]
    lists = [column for column in rest if column.kind == "list"]
    if not (rest and all(column.kind == "number" for column in rest)) and not len(lists) == len(rest) == 1:
        raise InvalidInputError(
            "the columns beside the items must be numbers, or one column of lists of numbers; got "
            + (quote_first([f"{column.name} {column.kind}" for column in rest]) or "none")
        )
    steps.take_table(source.source, name, rest)


def _count(steps: _Steps) -> int:
    """Return the number of points, whose items must be given and distinct."""
    n, n_named, n_distinct = steps.count()
    if n == 0:
        raise InvalidInputError("a table must have at least one row; got none")
    if n_named < n:
        raise InvalidInputError(f"every row must name its item; {plural(n - n_named, 'row')} without one")
    if n_distinct < n:
        raise InvalidInputError(f"item names must be distinct; {n_distinct:,} of {n:,} are")
    return n


def _sizes(n: int, n_cells: int | None, n_sample: int | None) -> tuple[int, int]:
    """Return the number of cells and the size of the sample."""
    cells = -(-n // _CELL) if n_cells is None else whole_number(n_cells, "n_cells", 1, n, also="None")
    if n_sample is None:
        return cells, min(n, _SAMPLE * cells)
    return cells, whole_number(n_sample, "n_sample", cells, n, also="None")


@contextmanager
def _folder_beside(folder: str) -> Iterator[str]:
    """Lend a folder beside the files to write, which the workers reach if they reach those."""
    with tempfile.TemporaryDirectory(prefix=".dendrometry-", dir=folder) as place:
        yield place


def _write(database: Any, files: PairOfTables, item_order: str) -> None:
    """Write both tables, completely or not at all."""
    parts = {place: part_beside(Path(place).resolve()) for place in files}
    nodes = "SELECT node, parent, height, CAST(NULL AS VARCHAR) AS name FROM {} WHERE item IS NULL"
    statements = {
        files.nodes: f"{nodes.format('grown')} UNION ALL {nodes.format('top')} ORDER BY node",
        files.items: f"SELECT item, node FROM grown WHERE item IS NOT NULL ORDER BY {item_order}",
    }
    try:
        mark = _mark(database)
        for place, part in parts.items():
            copy = f"COPY ({statements[place]}) TO {literal(str(part))} ({marked_parquet(mark)})"
            run_aside(partial(database.execute, copy), stop=database.interrupt)
        for place, part in parts.items():
            os.replace(part, Path(place).resolve())
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)


def _mark(database: Any) -> str:
    """Return a text that differs for other trees, whatever the order of their rows."""
    rows = "SELECT node, parent, height, item FROM grown UNION ALL SELECT node, parent, height, NULL FROM top"
    statement = f"SELECT count(*), bit_xor(hash(node, parent, height, item)) FROM ({rows})"
    found = run_aside(lambda: database.execute(statement).fetchall(), stop=database.interrupt)[0]
    return "-".join(map(str, found))
