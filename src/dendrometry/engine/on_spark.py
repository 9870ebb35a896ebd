"""Spark as the engine: the session that the user has, in this process or through Spark Connect."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry._progress import Advance
from dendrometry._typing import IntArray
from dendrometry.engine.engine import STEPS
from dendrometry.engine.files import files_of
from dendrometry.engine.item_table import Column, Columns, ItemTable, is_frame
from dendrometry.errors import Argument, InvalidInputError
from dendrometry.io._shared.formulas import GUARDED

_PORT = 15002  # of Spark Connect
_WAIT = 10.0  # seconds for an answer
_WHOLE = ("tinyint", "smallint", "int", "bigint")


@contextmanager
def open_spark(engine: Any, sources: Sequence[Any], progress: Advance) -> Iterator[Spark]:
    """Lend an engine on a session of Spark, as `open_session` does; its views go away."""
    with open_session(engine, sources) as session:
        spark = Spark(session, progress)
        try:
            yield spark
        finally:
            spark.close()


@contextmanager
def open_session(engine: Any, sources: Sequence[Any]) -> Iterator[Any]:
    """Lend a session of Spark; whatever Spark cannot do is an error of ours.

    ``engine`` is a session, an address of Spark Connect, or "spark" for the session of the data frames among the
    sources, else the current one, else a new one, which is stopped afterwards.
    """
    if not _is_spark(engine):
        raise InvalidInputError(
            Argument("engine"),
            f" must be 'duckdb', 'spark', an address sc://… or a SparkSession; got {printable(engine)}",
        )
    pyspark = require("pyspark.sql", extra="spark", for_="the engine spark")
    failures = (require("pyspark.errors", extra="spark", for_="the engine spark").PySparkException, *_of_py4j())
    try:
        session, is_own = _session(pyspark, engine, sources)
        try:
            yield session
        finally:
            if is_own:
                session.stop()
    except failures as error:
        raise InvalidInputError(f"Spark cannot do this: {_first_line(error)}") from None


class Spark:
    """The tables as temporary views of a session."""

    def __init__(self, session: Any, progress: Advance) -> None:
        self.prefix = f"dendrometry_{secrets.token_hex(4)}_"
        self._session = session
        self._progress = progress
        self._views: list[str] = []

    def admit(self, table: ItemTable) -> None:
        """Do nothing: what a session may read is set where it was started."""

    def seal(self) -> None:
        """Do nothing."""

    def columns(self, table: ItemTable) -> list[Column]:
        """Return the columns of a table."""
        return [
            Column(field.name, _kind(field.dataType.simpleString()))
            for field in self._frame(table.source, table).schema
        ]

    def view(self, side: str, table: ItemTable, columns: Columns, *, items_as_text: bool) -> None:
        """Make the view of a side."""
        functions = require("pyspark.sql.functions", extra="spark", for_="the engine spark")
        item, node = (functions.col(quote_column(column.name)) for column in (columns.item, columns.node))
        weight = functions.lit(None) if columns.weight is None else functions.col(quote_column(columns.weight.name))
        if items_as_text:
            item = functions.nullif(item.cast("string"), functions.lit(""))
        frame = self._frame(table.source, table).select(
            item.alias("item"),
            (node if columns.node.kind == "whole" else node.cast("string")).alias("node"),
            weight.cast("bigint").alias("weight"),
        )
        self._add_view(side, frame)

    def number(self, side: str, nodes: Sequence[int | str]) -> None:
        """Make the view that numbers the nodes of a side."""
        kind = "string" if isinstance(nodes[0], str) else "bigint"
        rows = list(zip(nodes, range(len(nodes)), strict=True))
        self._add_view(f"{side}_nodes", self._session.createDataFrame(rows, f"node {kind}, number int"))

    def node_rows(self, table: ItemTable, most: int) -> dict[str, list[Any]]:
        """Return the columns of the table of nodes."""
        frame = self._frame(table.nodes, table)
        rows = frame.limit(most).collect()
        return {name: [row[i] for row in rows] for i, name in enumerate(frame.columns)}

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a small result."""
        rows = list(map(tuple, self._session.sql(statement).collect()))
        self._progress(STEPS)
        return rows

    def numbers(self, statement: str) -> list[IntArray]:
        """Return the columns of a result of whole numbers."""
        table = self._session.sql(statement).toArrow()
        self._progress(STEPS)
        return [np.asarray(column.to_numpy(), dtype=np.int64) for column in table.columns]

    def close(self) -> None:
        """Remove the views."""
        for name in self._views:
            self._session.catalog.dropTempView(name)

    def _add_view(self, name: str, frame: Any) -> None:
        """Make a temporary view of a data frame."""
        self._views.append(self.prefix + name)
        frame.createOrReplaceTempView(self.prefix + name)

    def _frame(self, source: Any, table: ItemTable) -> Any:
        """Return the rows of a table as a data frame."""
        if table.database is not None:
            raise InvalidInputError(Argument("database"), " is for the engine duckdb; for Spark, pass a DataFrame")
        if is_frame(source):
            return source
        files = files_of(source, urls=True)
        paths = list(map(escape_path, files.paths))
        if files.layout == "parquet":
            return self._session.read.parquet(*paths, mergeSchema=True)
        options = {
            "header": True,
            "sep": "," if files.layout == "csv" else "\t",
            "quote": '"',
            "escape": '"',
            "emptyValue": "",
        }
        schema = self._session.read.csv(paths, **options).schema  # all text; with multiLine, odd paths are not found
        frame = self._session.read.csv(paths, schema=schema, multiLine=True, enforceSchema=False, **options)
        frame = frame.fillna("")  # an empty value is not missing
        functions = require("pyspark.sql.functions", extra="spark", for_="the engine spark")
        columns = [(name, functions.col(quote_column(name))) for name in frame.columns]
        return frame.select(*(functions.regexp_replace(cell, GUARDED, "$1").alias(name) for name, cell in columns))


def _is_spark(engine: Any) -> bool:
    """Whether an engine is Spark, by its name, its address, or what a session has."""
    if isinstance(engine, str):
        return engine == "spark" or engine.startswith("sc://")
    return all(hasattr(engine, name) for name in ("sql", "read", "createDataFrame", "catalog"))


def _session(pyspark: Any, engine: Any, sources: Sequence[Any]) -> tuple[Any, bool]:
    """Return the session to use, and whether it was made for this."""
    if isinstance(engine, str) and engine.startswith("sc://"):
        require_answer(engine)
        return pyspark.SparkSession.builder.remote(engine).getOrCreate(), False
    if engine != "spark":
        return engine, False
    frames = [source for source in sources if is_frame(source)]
    current = frames[0].sparkSession if frames else pyspark.SparkSession.getActiveSession()
    return (pyspark.SparkSession.builder.getOrCreate(), True) if current is None else (current, False)


def require_answer(address: str) -> None:
    """Refuse an address of Spark Connect at which nobody answers; Spark itself would try again for ten minutes."""
    try:
        place = urlsplit(address)
        host, port = place.hostname or "", place.port or _PORT
    except ValueError:
        host, port = "", _PORT
    if not host:
        raise InvalidInputError(f"an address of Spark Connect must be sc://host:port; got {printable(address)}")
    try:
        socket.create_connection((host, port), _WAIT).close()
    except OSError as error:
        reason = printable(error.strerror or error)
        raise InvalidInputError(f"Spark Connect cannot be reached at {printable(host)}:{port}: {reason}") from None


def _kind(name: str) -> str:
    """Return the kind of a column by its type."""
    return "whole" if name in _WHOLE else "text" if name.startswith(("string", "varchar", "char")) else name


def quote_column(column: str) -> str:
    """Return the name of a column such that a dot in it is only a character."""
    return "`" + column.replace("`", "``") + "`"


def escape_path(path: str) -> str:
    """Return the path of a file such that Hadoop finds no pattern in it; an address is left as it is."""
    return path if "://" in path else "".join("\\" + c if c in "\\*?[]{}" else c for c in path)


def _of_py4j() -> tuple[type[Exception], ...]:
    """Return the errors of the connection to Java, which Spark Connect does without."""
    try:
        from py4j.protocol import Py4JError
    except ModuleNotFoundError:
        return ()
    return (Py4JError,)


def _first_line(error: Exception) -> str:
    """Return the line of a message that says what happened: our own error on a worker, or else the first line."""
    lines = [line for line in str(error).splitlines() if line.strip() and "error occurred while calling" not in line]
    own = [line.partition("InputError: ")[2] for line in lines if "dendrometry.errors." in line]
    return printable((own or [line.lstrip(": ") for line in lines] or [type(error).__name__])[0], longest=300)
