"""CSV, TSV and Parquet files with one row for each item: its name, and a path, levels or a label."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from dendrometry._display import printable, quote_first
from dendrometry._extras import require
from dendrometry.errors import DendrometryError, FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.tables.table import from_levels, from_paths, to_paths

__all__ = ["from_delimited", "from_parquet", "guard_formula", "to_delimited", "to_parquet"]

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?", re.ASCII)


def from_delimited(text: str, delimiter: str) -> Hierarchy:
    """Return the hierarchy of a delimited text with a header.

    The column ``item`` names the items; without it, the first column other than ``path`` does. If the only other
    column is ``path``, it holds paths (``birds/owls``); otherwise the other columns are levels, from the top down, and
    a single level is a flat clustering. Every value stays text ("NA" and "007" are names), except that an apostrophe
    before a character that would start a formula in a spreadsheet, as `to_delimited` writes it, is removed.

    Raises
    ------
    FormatError
        If there is no header, a column name is missing or repeated, a row has another length, or quotes are broken.
        The message names the line.
    """
    with _any_field_size(len(text)):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            rows = [(reader.line_num, row) for row in reader if row]
        except csv.Error as error:
            raise FormatError(f"line {reader.line_num}: the table must be well formed; got {error}") from None
    if not rows:
        raise FormatError("a table must have a header; got an empty text")
    header = rows.pop(0)[1]
    _check_header(header)
    for line, row in rows:
        if len(row) != len(header):
            raise FormatError(f"line {line}: every row must have {len(header)} values, as the header; got {len(row)}")
    return _from_columns({name: [_bare(row[i]) for _, row in rows] for i, name in enumerate(header)})


def to_delimited(tree: Hierarchy, delimiter: str) -> str:
    """Return the columns item and path of a hierarchy as a delimited text.

    An apostrophe is put before a value that a spreadsheet would take for a formula, but not before plain numbers.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)  # its line ends (RFC 4180) make it quote every line break
    writer.writerow(["item", "path"])
    writer.writerows((guard_formula(item), guard_formula(path)) for item, path in to_paths(tree).items())
    return stream.getvalue()


def from_parquet(data: bytes, max_bytes: int) -> Hierarchy:
    """Return the hierarchy of a Parquet file with the columns of `from_delimited`, of text or whole numbers.

    Raises
    ------
    FormatError
        If it is not a Parquet file, a column has another type, or the decompressed data exceed ``max_bytes``.
    """
    duckdb = require("duckdb", extra="tables", for_="a Parquet file")
    with _database() as (database, path):
        path.write_bytes(data)
        try:
            described = database.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()
            _check_types([(name, kind) for name, kind, *_ in described])
            found = database.execute("SELECT COLUMNS(*)::VARCHAR FROM read_parquet(?)", [str(path)])
            rows: list[tuple[str | None, ...]] = []
            size = 0
            while batch := found.fetchmany(10_000):
                rows += batch
                size += sum(len(cell or "") + 1 for row in batch for cell in row)
                if size > max_bytes:
                    raise FormatError(f"a decompressed Parquet file must have at most {max_bytes:,} bytes; it has more")
        except duckdb.Error as error:
            raise FormatError(f"the file must be Parquet; got {printable(str(error).splitlines()[0])}") from None
    header = [name for name, *_ in described]
    _check_header(header)
    return _from_columns({name: [row[i] for row in rows] for i, name in enumerate(header)})


def to_parquet(tree: Hierarchy) -> bytes:
    """Return the columns item and path as the bytes of a Parquet file."""
    paths = to_paths(tree)
    table = {"item": np.array(list(paths), dtype=object), "path": np.array(list(paths.values()), dtype=object)}
    with _database() as (database, path):
        database.register("paths", table)
        quoted = str(path).replace("'", "''")
        database.execute(f"COPY paths TO '{quoted}' (FORMAT parquet)")
        return path.read_bytes()


@contextmanager
def _database() -> Iterator[tuple[Any, Path]]:
    """Provide a database in memory without network access, and the path of a temporary file."""
    duckdb = require("duckdb", extra="tables", for_="a Parquet file")
    offline: dict[str, Any] = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    with tempfile.TemporaryDirectory() as folder, duckdb.connect(config=offline) as database:
        yield database, Path(folder) / "table.parquet"


def _check_types(columns: list[tuple[str, str]]) -> None:
    """Refuse columns that hold anything but text or whole numbers."""
    wrong = [f"{name} {kind}" for name, kind in columns if kind != "VARCHAR" and not kind.endswith(("INT", "INTEGER"))]
    if wrong:
        raise FormatError(f"the columns must hold text or whole numbers; got {quote_first(wrong)}")


def _from_columns(columns: dict[str, list[Any]]) -> Hierarchy:
    """Return the hierarchy of named columns: items, and paths, levels or a label."""
    others = [name for name in columns if name != "path"]
    item = "item" if "item" in columns else others[0] if len(columns) == 2 and others else next(iter(columns))
    if len(columns) < 2:
        raise FormatError(f"a table must have a column besides the items; got only '{printable(item)}'")
    names = columns[item]
    if not names:
        raise FormatError("a table must have at least one row below its header; got none")
    try:
        if set(columns) == {item, "path"}:
            return from_paths([path or "" for path in columns["path"]], names)
        return from_levels(columns, item)
    except DendrometryError as error:
        raise FormatError(str(error)) from None


def _check_header(header: list[str]) -> None:
    """Refuse columns without a name, and columns with the same name."""
    if "" in header:
        raise FormatError(f"every column must have a name; column {header.index('') + 1} has none")
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise FormatError(f"column names must be distinct; these are repeated: {quote_first(twice)}")


def guard_formula(value: str) -> str:
    """Return a value, with an apostrophe before it if a spreadsheet would take it for a formula."""
    return "'" + value if _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value


def _bare(value: str) -> str:
    """Return a value without the apostrophe that `guard_formula` puts before it."""
    return value[1:] if value.startswith("'") and _FORMULA.match(value) else value


@contextmanager
def _any_field_size(size: int) -> Iterator[None]:
    """Let the csv module read fields of up to ``size`` characters; its limit is one for the whole process."""
    before = csv.field_size_limit(max(csv.field_size_limit(), size))
    try:
        yield
    finally:
        csv.field_size_limit(before)
