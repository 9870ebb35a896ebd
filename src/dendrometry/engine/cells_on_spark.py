"""The steps on the workers of Spark, by mapInArrow and applyInArrow."""

from __future__ import annotations

import os
from typing import Any

from dendrometry._extras import require
from dendrometry._typing import FloatArray, IntArray
from dendrometry.engine.cell_batches import SCHEMAS, Tally, assign, count_cells, grow
from dendrometry.engine.files import files_of
from dendrometry.engine.item_table import Column, is_frame
from dendrometry.engine.on_spark import escape_path, quote_column
from dendrometry.errors import InvalidInputError

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal")


class SparkCells:
    """Points of a data frame of Spark, or of files that its workers read; ``folder`` is for the trees they build."""

    def __init__(self, session: Any, database: Any, folder: str) -> None:
        self._session = session
        self._database = database
        self._folder = folder
        self._functions = require("pyspark.sql.functions", extra="spark", for_="the engine spark")

    def columns(self, source: Any) -> list[Column]:
        """Return the columns of a table of points, whose kinds are "number", "list" or other."""
        fields = self._frame(source).schema
        return [Column(field.name, _kind(field.dataType.simpleString())) for field in fields]

    def take_table(self, source: Any, item: str, columns: list[Column]) -> None:
        """Take the points from columns of a table."""
        chosen = [self._functions.col(quote_column(column.name)) for column in columns]
        if columns[0].kind == "list":
            point = chosen[0].cast("array<double>")
        else:
            point = self._functions.array(*(column.cast("double") for column in chosen))
        name = self._functions.col(quote_column(item)).cast("string").alias("item")
        self._points = self._frame(source).select(name, point.alias("point"))

    def count(self) -> tuple[int, int, int]:
        """Return the number of rows, of rows with an item, and of different items."""
        rows, named, distinct = self._points.selectExpr("COUNT(*)", "COUNT(item)", "COUNT(DISTINCT item)").first()
        return rows, named, distinct

    def sample(self, count: int, seed: int) -> Any:
        """Return some of the rows, which do not depend on their order."""
        key = self._functions.md5(self._functions.concat(self._functions.lit(f"{seed} "), "item"))
        return self._points.orderBy(key).limit(count).toArrow()

    def assign(self, centre: FloatArray) -> Tally:
        """Keep the points with their cells on the workers, and return the counts of the cells."""
        n_cells, d = centre.shape
        self._cells = self._points.mapInArrow(lambda batches: assign(batches, centre), SCHEMAS["assign"]).persist()
        counted = self._cells.mapInArrow(lambda batches: count_cells(batches, n_cells, d), SCHEMAS["count"])
        tally = Tally(n_cells, d)
        for row in counted.toLocalIterator():
            tally.add_count(row.cell, row.n_items, row.total)
        return tally

    def grow(self, above: IntArray, d: int) -> None:
        """Make the view ``grown`` of the trees of all cells."""
        trees = self._cells.groupBy("cell").applyInArrow(lambda table: grow(table, above, d), SCHEMAS["grow"])
        place = os.path.join(self._folder, "grown")
        trees.write.parquet(place)
        self._cells.unpersist()
        self._database.read_parquet(os.path.join(place, "*.parquet")).create_view("grown")

    def _frame(self, source: Any) -> Any:
        """Return a table of points as a data frame."""
        if is_frame(source):
            return source
        files = files_of(source, urls=True)
        if files.layout != "parquet":
            raise InvalidInputError(f"points must be in Parquet files; got {files.layout}")
        return self._session.read.parquet(*map(escape_path, files.paths), mergeSchema=True)


def _kind(name: str) -> str:
    """Return the kind of a column of points by its type."""
    return "list" if name.startswith("array<") else "number" if name.startswith(_NUMBERS) else name
