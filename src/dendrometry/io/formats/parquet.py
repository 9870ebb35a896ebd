"""Parquet files through DuckDB: one file whatever its name, and nothing unpacked before its size is known."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from dendrometry import _interrupt, _memory
from dendrometry._display import printable, quote_first
from dendrometry._extras import require
from dendrometry.errors import FormatError, InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.schema import MARK
from dendrometry.io._shared.separators import is_path_name
from dendrometry.io.formats.columns import check_header, require_memory
from dendrometry.io.formats.levels import item_column
from dendrometry.io.formats.paths import written_paths

_WHOLE = ("INT", "INTEGER")  # ends of types of DuckDB
_NUMBERS = (*_WHOLE, "FLOAT", "DOUBLE", "DECIMAL")  # levels that hold fractions are refused later
_LEAST_MEMORY = 2**28  # for DuckDB itself


class ParquetTable(NamedTuple):
    """An open Parquet file: names and types of its columns, and the rows and bytes that it declares."""

    database: Any
    path: str
    source: str
    columns: list[tuple[str, str]]
    n_rows: int
    n_bytes: int

    def select(self, expressions: str) -> Any:
        """Return the result of SQL expressions over the rows, in the order of the file."""
        return self.database.execute(f"SELECT {expressions} FROM {self.source}")

    def metadata(self, key: str) -> bytes | None:
        """Return what the metadata of the file hold under a key, or None."""
        statement = f"SELECT value FROM parquet_kv_metadata({self.path}) WHERE key = {_quote(key)}::BLOB"
        found: tuple[bytes] | None = self.database.execute(statement).fetchone()
        return None if found is None else found[0]


@contextmanager
def open_parquet(name: str, what: str = "the file") -> Iterator[ParquetTable]:
    """Lend a Parquet file; whatever DuckDB cannot do with it is an error of ours.

    The name is that of one file: its special characters are no pattern, and names of folders such as ``year=2024``
    are no columns. Metadata are read first, rows only on request, and never more of them than there is memory for.
    """
    duckdb = require("duckdb", extra="tables", for_="a Parquet file")
    path = _quote(glob.escape(os.path.abspath(name)))
    source = f"read_parquet({path}, hive_partitioning=false, filename=false, union_by_name=false)"
    try:
        path.encode()
        with _interrupt.duckdb_interrupts(duckdb), duckdb.connect(config=_config()) as database:
            n_rows, n_bytes = database.execute(
                "SELECT coalesce(max(num_rows), 0),"
                f" (SELECT coalesce(sum(total_uncompressed_size), 0) FROM parquet_metadata({path}))"
                f" FROM parquet_file_metadata({path})"
            ).fetchall()[0]
            check_header(parquet_headers(database, [os.path.abspath(name)])[0])
            described = database.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
            columns = [(column, kind) for column, kind, *_ in described]
            yield ParquetTable(database, path, source, columns, int(n_rows), int(n_bytes))
    except duckdb.OutOfMemoryException:
        raise FormatError(f"{what} must unpack to less than the memory there is; it holds more") from None
    except (duckdb.Error, UnicodeEncodeError) as error:
        message = str(error).splitlines()[0].replace(f"'{os.path.abspath(name)}' ", "")
        raise FormatError(f"{what} must be Parquet; got {printable(message, longest=300)}") from None


def parquet_headers(database: Any, paths: list[str]) -> list[list[str]]:
    """Return the names of the columns in some Parquet files, as they are there: DuckDB renames those that repeat."""
    listed = ", ".join(_quote(glob.escape(path)) for path in paths)
    found = database.execute(f"SELECT name, coalesce(num_children, 0) FROM parquet_schema([{listed}])").fetchall()
    headers: list[list[str]] = []
    n_inside = n_columns = 0  # parts of a column, and columns of a file, that are still to come
    for name, n_parts in found:
        if n_inside:
            n_inside += n_parts - 1
        elif n_columns:
            headers[-1].append(name)
            n_columns, n_inside = n_columns - 1, n_parts
        else:
            headers.append([])
            n_columns = n_parts
    return headers


def text_columns(data: bytes, max_bytes: int, choice: TableChoice = TableChoice()) -> dict[str, list[str]]:  # noqa: B008
    """Return the columns of a Parquet file as text by name.

    Raises
    ------
    FormatError
        If it is not a Parquet file, the items are neither text nor whole numbers, a column that is chosen is neither
        text nor numbers, or the decompressed data exceed ``max_bytes``.
    """
    with _temporary_file() as path:
        with open(path, "wb") as stream:
            stream.write(data)
        with open_parquet(path) as table:
            _check_types(dict(table.columns), choice)
            header = [name for name, _ in table.columns]
            check_size(table, max_bytes)
            rows = table.select("COLUMNS(*)::VARCHAR").fetchall()
    return {name: [row[i] for row in rows] for i, name in enumerate(header)}


def parquet_columns(data: bytes, wanted: Collection[str], max_bytes: int) -> dict[str, list[Any]]:
    """Return the columns of a Parquet file that are wanted and there, of any type."""
    with _temporary_file() as path:
        with open(path, "wb") as stream:
            stream.write(data)
        with open_parquet(path) as table:
            check_size(table, max_bytes)
            names = [name for name, _ in table.columns if name in wanted]
            rows = table.select(", ".join(map(_name, names))).fetchall() if names else []
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def to_parquet(tree: Hierarchy) -> bytes:
    """Return the columns item and path as the bytes of a Parquet file."""
    header, paths = written_paths(tree)
    table = {"item": list(paths), header: list(paths.values())}
    return parquet_bytes(table, dict.fromkeys(table, "VARCHAR"))


def parquet_bytes(table: dict[str, list[Any]], kinds: dict[str, str], *, mark: str = "") -> bytes:
    """Return columns of the given types of DuckDB as the bytes of a Parquet file; None is null."""
    duckdb = require("duckdb", extra="tables", for_="a Parquet file")
    columns = {name: np.array(column, dtype=object) for name, column in table.items()}
    selected = ", ".join(f"{_name(name)}::{kind} AS {_name(name)}" for name, kind in kinds.items())
    with _temporary_file() as path, duckdb.connect(config=_config()) as database:
        database.register("columns", columns)
        try:
            with _interrupt.duckdb_interrupts(duckdb):
                database.execute(f"COPY (SELECT {selected} FROM columns) TO {_quote(path)} ({marked_parquet(mark)})")
        except duckdb.IOException as error:
            raise OSError(str(error).splitlines()[0]) from None
        with open(path, "rb") as stream:
            return stream.read()


def marked_parquet(mark: str) -> str:
    """Return the options of COPY for a Parquet file, with a mark of its tree if there is one."""
    return "FORMAT parquet" + (f", KV_METADATA {{{_quote(MARK)}: {_quote(mark)}}}" if mark else "")


@contextmanager
def _temporary_file() -> Iterator[str]:
    """Make a temporary file, removed afterwards, and say so if there is no place for it."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield os.path.join(folder, "table.parquet")
    except OSError as error:
        raise InvalidInputError(
            f"Parquet needs space for a temporary file; got {printable(error.strerror or error, longest=300)}"
        ) from None


def _config() -> dict[str, Any]:
    """Return the settings of a database in memory that fetches nothing, writes nothing beside, and has a limit."""
    return {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": "",
        "memory_limit": f"{max(_memory.available() // 2, _LEAST_MEMORY)}B",
        "threads": 1,  # several hold several parts of the file at once
    }


def _check_types(kinds: dict[str, str], choice: TableChoice) -> None:
    """Refuse items that are neither text nor whole numbers, and other columns that are neither text nor numbers.

    If levels or paths are chosen, or one column is called a path, the others are free, as they are in a text.
    """
    paths = list(filter(is_path_name, kinds))
    chosen = [name for name in (choice.path_column, *(choice.levels or ())) if name] or (
        paths if len(paths) == 1 else []
    )
    item = choice.item or item_column({name: [] for name in kinds}, None, choice) or ""
    wrong = [f"{name} {kinds[name]}" for name in chosen or kinds if name in kinds and _is_other(kinds[name], _NUMBERS)]
    if _is_other(kinds.get(item, "VARCHAR"), _WHOLE):
        raise FormatError(f"the items must be text or whole numbers; got '{printable(item)} {kinds[item]}'")
    if wrong:
        advice = Remedy("levels", ..., "names the columns that are levels")
        raise FormatError(f"the columns must hold text or whole numbers; got {quote_first(wrong)}", advice)


def _is_other(kind: str, ends: tuple[str, ...]) -> bool:
    """Whether a type of DuckDB is neither text nor one of the given numbers."""
    return kind != "VARCHAR" and not kind.partition("(")[0].endswith(ends)


def check_size(table: ParquetTable, max_bytes: int) -> None:
    """Refuse a table that is too large when unpacked, by its metadata, then by its rows, which are not stored."""
    n_cells = table.n_rows * len(table.columns)
    size = max(table.n_bytes, n_cells)
    if size <= max_bytes:
        require_memory(table.n_rows, n_cells, size)
        lengths = " + ".join(f"coalesce(strlen({_name(name)}::VARCHAR), 0) + 1" for name, _ in table.columns)
        size = int(table.select(f"coalesce(sum({lengths}), 0)").fetchone()[0])
    if size > max_bytes:
        raise FormatError(f"a Parquet file must unpack to at most {max_bytes:,} bytes; it holds more (see max_bytes)")
    require_memory(table.n_rows, n_cells, size)


def _quote(path: str) -> str:
    """Return a path as a literal of SQL."""
    return "'" + path.replace("'", "''") + "'"


def _name(column: str) -> str:
    """Return the name of a column as an SQL identifier."""
    return '"' + column.replace('"', '""') + '"'
