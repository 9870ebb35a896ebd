"""The steps over Arrow batches, the same on this machine and on the workers of Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry._typing import FloatArray, IntArray
from dendrometry.engine.cells import NodeRows, nearest, tree_of_cell
from dendrometry.errors import InvalidInputError

# The columns of each step, as Spark writes schemas.
SCHEMAS = {
    "assign": "item string, cell bigint, point array<double>",
    "count": "cell bigint, n_items bigint, total array<double>",
    "grow": "node bigint, parent bigint, height double, item string",
}
_GROWN = ["node", "parent", "height", "item"]


def pyarrow() -> Any:
    """Return the package that holds the batches."""
    return require("pyarrow", extra="tables", for_="cluster_table()")


def points_in(batch: Any, d: int) -> FloatArray:
    """Return the points of a batch; refuse those that are missing, not finite or of another length."""
    column = batch.column("point")
    column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    length = np.asarray(column.value_lengths().fill_null(-1))
    values = np.asarray(column.flatten().fill_null(np.nan), dtype=np.float64)
    sound = length == d
    if sound.all():
        points = values.reshape(-1, d)
        sound = np.isfinite(points).all(axis=1)
    if not sound.all():
        item = batch.column("item")[int(np.argmin(sound))].as_py()
        raise InvalidInputError(f"points must be {d} finite numbers each; those of item '{printable(item)}' are not")
    return points


def assign(batches: Iterable[Any], centre: FloatArray) -> Iterator[Any]:
    """Yield the items and points of each batch with the cell of the nearest centre."""
    pa = pyarrow()
    for batch in batches:
        cell = nearest(points_in(batch, centre.shape[1]), centre)
        columns = [batch.column("item").cast(pa.string()), pa.array(cell), batch.column("point")]
        yield pa.RecordBatch.from_arrays(columns, ["item", "cell", "point"])


class Tally:
    """The number of points in each cell, and their sum."""

    def __init__(self, n_cells: int, d: int) -> None:
        self.size = np.zeros(n_cells, dtype=np.int64)
        self.total = np.zeros((n_cells, d))

    @property
    def centroid(self) -> FloatArray:
        """The mean of the points of each cell; 0 for a cell without any."""
        return np.asarray(self.total / np.maximum(self.size, 1)[:, None])

    def add(self, batch: Any) -> None:
        """Add the points of a batch."""
        n_cells, d = self.total.shape
        cell = np.asarray(batch.column("cell"))
        member = sparse.csr_array((np.ones(cell.size), (cell, np.arange(cell.size))), shape=(n_cells, cell.size))
        self.size += np.bincount(cell, minlength=n_cells)
        self.total += member @ points_in(batch, d)

    def add_count(self, cell: int, n_items: int, total: list[float]) -> None:
        """Add what `count_cells` counted of a cell elsewhere."""
        self.size[cell] += n_items
        self.total[cell] += total


def count_cells(batches: Iterable[Any], n_cells: int, d: int) -> Iterator[Any]:
    """Yield the number of points in each cell and their sum, as one batch."""
    pa = pyarrow()
    tally = Tally(n_cells, d)
    for batch in batches:
        tally.add(batch)
    held = np.flatnonzero(tally.size)
    total = pa.array(list(tally.total[held]), type=pa.list_(pa.float64()))
    yield pa.RecordBatch.from_arrays([pa.array(held), pa.array(tally.size[held]), total], ["cell", "n_items", "total"])


def grow(table: Any, above: IntArray, d: int) -> Any:
    """Return the tree of one cell, whose rows are all in the table: its nodes, then its items with their nodes."""
    pa = pyarrow()
    table = table.sort_by("item").combine_chunks()
    cell = int(table.column("cell")[0].as_py())
    nodes, node = tree_of_cell(cell, points_in(table, d), int(above[cell]))
    items = table.column("item").combine_chunks()
    nothing = pa.nulls(len(items), pa.float64())
    of_items = [pa.array(node), pa.nulls(len(items), pa.int64()), nothing, items]
    return pa.concat_tables([node_table(nodes), pa.Table.from_arrays(of_items, _GROWN)])


def node_table(nodes: NodeRows) -> Any:
    """Return nodes as rows of the step that grows trees."""
    pa = pyarrow()
    parent = pa.array(nodes.parent, mask=nodes.parent < 0)
    columns = [pa.array(nodes.node), parent, pa.array(nodes.height), pa.nulls(len(parent), pa.string())]
    return pa.Table.from_arrays(columns, _GROWN)
