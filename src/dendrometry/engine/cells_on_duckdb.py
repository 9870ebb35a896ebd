"""The steps on this machine: DuckDB reads, sorts and stores what does not fit into memory."""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from typing import Any

import numpy as np

from dendrometry._interrupt import run_aside
from dendrometry._typing import FloatArray, IntArray
from dendrometry.engine.cell_batches import Tally, assign, grow, pyarrow
from dendrometry.engine.files import files_of, plain_name
from dendrometry.engine.item_table import Column
from dendrometry.engine.on_duckdb import quote_name
from dendrometry.errors import InvalidInputError

_ROWS = 2**16  # of a batch


class DuckDBCells:
    """Points of a file, or of an array that may be mapped from a file, by batches."""

    def __init__(self, duckdb: Any, database: Any) -> None:
        self._duckdb = duckdb
        self._database = database
        self._inner = database.cursor()  # reads while the database writes what becomes of the rows
        self._array: Any = None

    def columns(self, source: Any) -> list[Column]:
        """Return the columns of a table of points, whose kinds are "number", "list" or other."""
        relation = self._relation(source)
        return [Column(name, _kind(str(kind))) for name, kind in zip(relation.columns, relation.types, strict=True)]

    def take_table(self, source: Any, item: str, columns: list[Column]) -> None:
        """Take the points from columns of a table."""
        chosen = [self._duckdb.SQLExpression(quote_name(column.name)) for column in columns]
        if columns[0].kind == "list":
            point = chosen[0].cast("DOUBLE[]")
        else:
            point = self._duckdb.FunctionExpression("list_value", *(column.cast("DOUBLE") for column in chosen))
        name = self._duckdb.SQLExpression(quote_name(item)).cast("VARCHAR").alias("item")
        self._relation(source).select(name, point.alias("point")).create_view("points")

    def take_array(self, array: Any) -> None:
        """Take the rows of an array, named by their number."""
        self._array = array

    def count(self) -> tuple[int, int, int]:
        """Return the number of rows, of rows with an item, and of different items."""
        if self._array is not None:
            return len(self._array), len(self._array), len(self._array)
        statement = "SELECT COUNT(*), COUNT(item), COUNT(DISTINCT item) FROM points"
        rows, named, distinct = self._aside(lambda: self._database.execute(statement).fetchall()[0])
        return rows, named, distinct

    def sample(self, count: int, seed: int) -> Any:
        """Return some of the rows, which do not depend on their order."""
        if self._array is not None:
            chosen = np.random.default_rng(seed).choice(len(self._array), size=count, replace=False)
            return next(iter(_batches_of(self._array, np.sort(chosen), count)))
        statement = f"SELECT item, point FROM points ORDER BY md5('{seed} ' || item) LIMIT {count}"
        return self._aside(lambda: self._database.sql(statement).to_arrow_table())

    def assign(self, centre: FloatArray) -> Tally:
        """Store the points with their cells, and return the counts of the cells."""
        tally: Tally = self._aside(self._assign, centre)
        return tally

    def grow(self, above: IntArray, d: int) -> None:
        """Make the table ``grown`` of the trees of all cells."""
        self._aside(self._grow, above, d)

    def _aside(self, function: Callable[..., Any], *args: Any) -> Any:
        """Return the result of a function that ends soon if a user stops it."""
        return run_aside(function, *args, stop=self._stop)

    def _stop(self) -> None:
        self._inner.interrupt()
        self._database.interrupt()

    def _assign(self, centre: FloatArray) -> Tally:
        """Store the points with their cells, by batches."""
        pa = pyarrow()
        tally = Tally(*centre.shape)
        if self._array is not None:
            batches: Iterator[Any] = _batches_of(self._array, np.arange(len(self._array)), _ROWS)
        else:
            batches = iter(self._inner.sql("SELECT item, point FROM points").to_arrow_reader(_ROWS))
        assigned = assign(batches, centre)
        first = next(assigned)

        def count_batches() -> Iterator[Any]:
            for batch in chain([first], assigned):
                tally.add(batch)
                yield batch

        reader = pa.RecordBatchReader.from_batches(first.schema, count_batches())
        self._database.register("assigned", reader)
        self._database.execute("CREATE TABLE cells AS SELECT * FROM assigned")
        return tally

    def _grow(self, above: IntArray, d: int) -> None:
        """Make the table ``grown``, cell by cell."""
        trees = self._trees(above, d)
        first = next(trees)
        batches = (batch for table in chain([first], trees) for batch in table.to_batches())
        self._database.register("trees", pyarrow().RecordBatchReader.from_batches(first.schema, batches))
        self._database.execute("CREATE TABLE grown AS SELECT * FROM trees")

    def _trees(self, above: IntArray, d: int) -> Iterator[Any]:
        """Yield the tree of each cell."""
        pa = pyarrow()
        sorted_rows = self._inner.sql("SELECT * FROM cells ORDER BY cell").to_arrow_reader(_ROWS)
        waiting: list[Any] = []
        for batch in sorted_rows:
            cell = np.asarray(batch.column("cell"))
            bounds = [0, *(np.flatnonzero(np.diff(cell)) + 1).tolist(), len(cell)]
            for start, stop in pairwise(bounds):
                if waiting and waiting[0].column("cell")[0].as_py() != cell[start]:
                    yield grow(pa.Table.from_batches(waiting), above, d)
                    waiting = []
                waiting.append(batch.slice(start, stop - start))
        yield grow(pa.Table.from_batches(waiting), above, d)

    def _relation(self, source: Any) -> Any:
        """Return the rows of a file."""
        files = files_of(source)
        folder = self._database.execute("SELECT current_setting('temp_directory')").fetchall()[0][0]
        paths = [glob.escape(plain_name(path, folder)) for path in files.paths]
        if files.layout != "parquet":
            raise InvalidInputError(f"points must be in Parquet files; got {files.layout}")
        return self._database.read_parquet(paths, union_by_name=True, hive_partitioning=False, filename=False)


def _batches_of(array: Any, rows: IntArray, size: int) -> Iterator[Any]:
    """Yield some rows of an array as batches."""
    pa = pyarrow()
    for start in range(0, len(rows), size):
        chosen = rows[start : start + size]
        block = np.ascontiguousarray(array[chosen], dtype=np.float64)
        ends = np.arange(0, block.size + 1, block.shape[1], dtype=np.int32)
        point = pa.ListArray.from_arrays(pa.array(ends), pa.array(block.ravel()))
        yield pa.RecordBatch.from_arrays([pa.array(list(map(str, chosen.tolist()))), point], ["item", "point"])


def _kind(name: str) -> str:
    """Return the kind of a column of points by its type."""
    if name.endswith("]"):
        return "list"
    is_number = name.endswith(("INT", "INTEGER")) or name in ("DOUBLE", "FLOAT") or name.startswith("DECIMAL")
    return "number" if is_number else name
