"""DuckDB as the engine: embedded, on all cores of this machine, with files for what does not fit into memory."""

from __future__ import annotations

import glob
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from dendrometry import _interrupt, _memory
from dendrometry._display import printable
from dendrometry._extras import require
from dendrometry._files import name_of
from dendrometry._progress import Advance
from dendrometry._threads import n_cores
from dendrometry._typing import IntArray
from dendrometry.engine.engine import STEPS
from dendrometry.engine.files import Files, check_headers, files_of, headers_of, plain_name
from dendrometry.engine.item_table import Column, Columns, ItemTable, is_frame
from dendrometry.errors import Argument, InvalidInputError, Remedy
from dendrometry.io._shared.formulas import GUARDED
from dendrometry.io._shared.schema import MARK, check_marks, is_whole
from dendrometry.io.formats.parquet import parquet_headers

_LEAST_MEMORY = 2**28  # for DuckDB itself
_ATTACHED = ("sqlite", "postgres")  # databases that need an extension of DuckDB
_BESIDE = (".wal", "-wal", "-shm", "-journal")  # files of DuckDB and SQLite beside a database
_PAUSE = 0.2  # seconds between two looks at the progress


@contextmanager
def open_duckdb(max_memory: int | None, progress: Advance) -> Iterator[DuckDB]:
    """Lend an engine; ``max_memory`` is a number of bytes, by default half of the available memory."""
    with open_database(max_memory) as (duckdb, database):
        yield DuckDB(duckdb, database, progress)


@contextmanager
def open_database(max_memory: int | None) -> Iterator[tuple[Any, Any]]:
    """Open DuckDB with a database in memory, delete its temporary files at the end, and re-raise its errors as ours."""
    duckdb = require("duckdb", extra="tables", for_="the engine duckdb")
    limit = max(_memory.available() // 2, _LEAST_MEMORY) if max_memory is None else max_memory
    config = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "memory_limit": f"{limit}B",
        "threads": n_cores(),
        "preserve_insertion_order": "false",
    }
    try:
        with tempfile.TemporaryDirectory(prefix="dendrometry-") as folder:
            settings = {**config, "temp_directory": folder}
            with _interrupt.duckdb_interrupts(duckdb), duckdb.connect(config=settings) as database:
                database.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
                yield duckdb, database
    except duckdb.OutOfMemoryException:
        raise InvalidInputError(
            f"the work must fit into {_memory.size_text(limit)} of memory and the free space in"
            f" {printable(tempfile.gettempdir(), longest=4096)}; it needs more",
            Remedy("max_memory", ..., "allows more memory"),
            Remedy("", ..., "TMPDIR names another folder"),
        ) from None
    except (duckdb.Error, OSError, UnicodeEncodeError) as error:
        raise InvalidInputError(f"DuckDB cannot do this: {_first_line(error)}") from None


class DuckDB:
    """The tables as views of a database in memory."""

    prefix = ""

    def __init__(self, duckdb: Any, database: Any, progress: Advance) -> None:
        self._duckdb = duckdb
        self._database = database
        self._progress = progress
        self._attached: dict[str, str] = {}
        self._admitted: list[str] = []  # paths

    def admit(self, table: ItemTable) -> None:
        """Find the files of a table, or attach its database."""
        if table.database is not None:
            self._attach(table.database)
            return
        for source in (table.source, table.nodes):
            if source is not None and not is_frame(source):
                files = files_of(source)
                paths = self._plain_names(files)
                in_parquet = files.layout == "parquet"
                check_headers(parquet_headers(self._database, paths) if in_parquet else headers_of(files))
                self._admitted += paths + [glob.escape(path) for path in paths]  # DuckDB asks for both
        if table.nodes is not None and not is_frame(table.nodes) and not is_frame(table.source):
            self._check_marks([*self._plain_names(files_of(table.source)), *self._plain_names(files_of(table.nodes))])

    def _check_marks(self, paths: list[str]) -> None:
        """Refuse tables of items and of nodes that carry the marks of different trees."""
        files = ", ".join(literal(glob.escape(path)) for path in paths if path.lower().endswith(".parquet"))
        statement = f"SELECT value FROM parquet_kv_metadata([{files}]) WHERE key = {literal(MARK)}::BLOB"
        if files:
            check_marks(value for (value,) in self._database.execute(statement).fetchall())

    def seal(self) -> None:
        """Let statements read the admitted files and databases, and nothing else."""
        paths = ", ".join(map(literal, dict.fromkeys(self._admitted)))
        self._database.execute(f"SET allowed_paths = [{paths}]")
        self._database.execute("SET enable_external_access = false; SET lock_configuration = true")

    def columns(self, table: ItemTable) -> list[Column]:
        """Return the columns of a table."""
        relation = self._relation(table, table.source)
        return [Column(name, _kind(str(kind))) for name, kind in zip(relation.columns, relation.types, strict=True)]

    def view(self, side: str, table: ItemTable, columns: Columns, *, items_as_text: bool) -> None:
        """Make the view of a side."""
        item, node, weight = (self._column(column) for column in columns)
        if items_as_text:
            empty = self._duckdb.ConstantExpression("")
            item = self._duckdb.FunctionExpression("nullif", item.cast("VARCHAR"), empty)
        node = node if columns.node.kind == "whole" else node.cast("VARCHAR")
        chosen = (item.alias("item"), node.alias("node"), weight.cast("BIGINT").alias("weight"))
        self._relation(table, table.source).select(*chosen).create_view(side)

    def number(self, side: str, nodes: Sequence[int | str]) -> None:
        """Make the view that numbers the nodes of a side."""
        values = np.array(nodes, dtype=object if isinstance(nodes[0], str) else np.int64)
        self._database.register(f"{side}_nodes", {"node": values, "number": np.arange(len(nodes), dtype=np.int32)})

    def node_rows(self, table: ItemTable, most: int) -> dict[str, list[Any]]:
        """Return the columns of the table of nodes."""
        relation = self._relation(table, table.nodes)
        rows = self._aside(lambda: relation.limit(most).fetchall())
        return {name: [row[i] for row in rows] for i, name in enumerate(relation.columns)}

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a small result."""
        with self._watched():
            rows: list[tuple[Any, ...]] = self._aside(lambda: self._database.execute(statement).fetchall())
        return rows

    def numbers(self, statement: str) -> list[IntArray]:
        """Return the columns of a result of whole numbers."""
        with self._watched():
            columns = self._aside(lambda: self._database.execute(statement).fetchnumpy().values())
        return [np.asarray(column, dtype=np.int64) for column in columns]

    def _aside(self, function: Callable[[], Any]) -> Any:
        """Return the result of a statement, which ends soon if a user stops it."""
        return _interrupt.run_aside(function, stop=self._database.interrupt)

    def _plain_names(self, files: Files) -> list[str]:
        """Return the names of files for DuckDB."""
        folder = self._database.execute("SELECT current_setting('temp_directory')").fetchall()[0][0]
        return [plain_name(path, folder) for path in files.paths]

    def _column(self, column: Column | None) -> Any:
        """Return a column as an expression; that of no column is a missing value."""
        if column is None:
            return self._duckdb.ConstantExpression(None)
        return self._duckdb.SQLExpression(quote_name(column.name))

    def _relation(self, table: ItemTable, source: Any) -> Any:
        """Return the rows of a table of items, or of its nodes."""
        if table.database is not None:
            return self._table(table.database, source)
        if is_frame(source):
            raise InvalidInputError("a Spark DataFrame must be counted by the engine spark; got duckdb")
        files = files_of(source)
        paths = [glob.escape(path) for path in self._plain_names(files)]
        if files.layout == "parquet":
            return self._database.read_parquet(paths, union_by_name=True, hive_partitioning=False, filename=False)
        rows = self._database.read_csv(
            paths,
            union_by_name=True,
            header=True,
            skiprows=0,
            comment="",
            all_varchar=True,
            hive_partitioning=False,
            delimiter="," if files.layout == "csv" else "\t",
            quotechar='"',
            escapechar='"',
            na_values="\x00",  # in no text, so that an empty value is not missing
        )
        return rows.project(f"regexp_replace(COLUMNS(*), {literal(GUARDED)}, '\\1')")

    def _table(self, database: str, source: Any) -> Any:
        """Return the rows of a table of a database."""
        name = f"{self._attach(database)}.{_table_name(source)}"
        try:
            return self._database.sql(f"SELECT * FROM {name}")  # unlike .table(), with the database's own first schema
        except (self._duckdb.Error, RuntimeError) as error:  # SQLite's are of the latter kind
            raise InvalidInputError(
                f"cannot read the table '{printable(source)}' of {printable(_without_password(database), longest=300)}:"
                f" {_first_line(error)}"
            ) from None

    def _attach(self, database: str) -> str:
        """Return the name under which a database is attached, for reading only."""
        if database not in self._attached:
            kind, colon, rest = database.partition(":")
            known = bool(colon) and kind in _ATTACHED
            place = rest if known else database
            if (not known or kind == "sqlite") and not os.path.isfile(name_of(place)):
                raise InvalidInputError(f"cannot read {printable(place, longest=4096)}: no such database")
            if kind != "postgres" or not known:
                file = os.path.abspath(place)
                self._admitted += [file, *(file + ending for ending in _BESIDE)]
            options = f"READ_ONLY, TYPE {kind}" if known else "READ_ONLY"
            name = f"database_{len(self._attached)}"
            try:
                self._database.execute(f"ATTACH {literal(place)} AS {name} ({options})")
            except self._duckdb.Error as error:
                hint = f" (duckdb.sql('INSTALL {kind}') installs it)" if "not found" in str(error) and known else ""
                raise InvalidInputError(
                    f"cannot read the {f'{kind} database' if known else 'database'}"
                    f" {printable(_without_password(place), longest=300)}: {_first_line(error)}{hint}"
                ) from None
            self._attached[database] = name
        return self._attached[database]

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Report the progress of a statement while it runs, `STEPS` steps in all."""
        done, seen = threading.Event(), [0]

        def look(to: int) -> None:
            self._progress(max(to - seen[0], 0))
            seen[0] = max(to, seen[0])

        def watch() -> None:
            while not done.wait(_PAUSE):
                look(min(int(self._database.query_progress() * STEPS / 100), STEPS))

        thread = threading.Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
            look(STEPS)


def _kind(name: str) -> str:
    """Return the kind of a column by its type: whole numbers of up to 64 bits, text and what is written as text."""
    if is_whole(name) and name not in ("HUGEINT", "UHUGEINT", "UBIGINT"):
        return "whole"
    return "text" if name in ("VARCHAR", "UUID") or name.startswith("ENUM") or is_whole(name) else name


def _table_name(source: Any) -> str:
    """Return the name of a table, perhaps with its schema before a dot, as identifiers of SQL."""
    if not isinstance(source, str):
        raise InvalidInputError(
            "a table in a ", Argument("database"), f" must be given by its name; got {printable(source)}"
        )
    return ".".join(map(quote_name, source.split(".")))


def quote_name(name: str) -> str:
    """Return a name as an identifier of SQL; unlike ColumnExpression, also ``*``."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def _without_password(database: str) -> str:
    """Return text without the password that the address of a database in it may hold."""
    return re.sub(r"(password\s*=\s*)('(\\.|[^'\\])*'|\S+)|(://[^:@/]*:)[^@]*(?=@)", r"\1\4***", database)


def _first_line(error: Exception) -> str:
    """Return the line of a message that says what happened, as text that can be printed."""
    text = str(getattr(error, "strerror", None) or error)
    of_thread = re.search(r'"exception_message":"((?:[^"\\]|\\.)*)"', text)  # so a thread that writes passes it on
    text = re.sub(r"\\(.)", r"\1", of_thread[1]) if of_thread else text
    sniffed = re.match(r'Invalid Input Error: Error when sniffing file "(.*)"\.', text)
    at_line = re.match(r"Invalid Input Error: CSV Error on Line: (\d+)\n(?:Original Line: .*\n)?(.*)", text)
    if sniffed:
        line = f"the lines of {sniffed[1]} must all have as many values as the first, and quotes in pairs"
    elif at_line:
        file = re.search(r"\n  file = (.*)", text)
        line = f"{file[1] if file else 'CSV'}, line {at_line[1]}: {at_line[2]}"
    else:
        line = next(iter(text.splitlines()), type(error).__name__)
    return printable(_without_password(line), longest=300)
