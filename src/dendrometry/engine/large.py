"""Large tables in files: counted without being asked, where that gives the same as reading them, and is faster."""

from __future__ import annotations

import gzip
import os
import zlib
from typing import Any, NamedTuple

from dendrometry import _memory
from dendrometry._display import printable
from dendrometry._files import name_of
from dendrometry.engine.item_table import ItemTable
from dendrometry.engine.overlap_from_tables import overlap_from_tables
from dendrometry.engine.table_size import size_of_large
from dendrometry.errors import InvalidInputError, Message, MissingExtraError
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.schema import pair_of_tables
from dendrometry.io._shared.separators import is_path_name
from dendrometry.io.codecs import decoder_of, format_of, text_of
from dendrometry.io.formats.columns import from_columns
from dendrometry.io.formats.delimited import delimited_columns
from dendrometry.io.formats.levels import item_column, path_column
from dendrometry.io.formats.parquet import open_parquet
from dendrometry.overlap import OnMismatch, Overlap

_HEAD_BYTES = 2**20  # of a text, read to see what its columns are
_HEAD_ROWS = 10_000  # the same for Parquet


class Counted(NamedTuple):
    """The overlap of two large tables, how large they are, and what was assumed about their columns."""

    overlap: Overlap
    size: str
    notes: list[Message]


def count_if_large(
    a: Any,
    b: Any,
    choice: TableChoice = TableChoice(),  # noqa: B008  # it is frozen
    *,
    on_mismatch: OnMismatch = "error",
    names: tuple[str, str] | None = None,
    progress: bool = False,
) -> Counted | None:
    """Return the overlap of two tables in files if they are large and DuckDB counts what `read` would read.

    None for all else: small or other files, tables of several levels, what DuckDB refuses, and if it is missing.
    """
    size = size_of_large(a, b)
    if not size:
        return None
    try:
        found = [_table_of(name_of(path), choice) for path in (a, b)]
        if found[0] is None or found[1] is None:
            return None
        tables, notes = zip(*found, strict=True)
        overlap = overlap_from_tables(
            *tables, on_mismatch=on_mismatch, names=names, max_memory=_memory.limit(), progress=progress
        )
    except (InvalidInputError, MissingExtraError):  # reading says better what is wrong, and forgives more
        return None
    return Counted(overlap, size, [note for each in notes for note in each])


def _table_of(name: str, choice: TableChoice) -> tuple[ItemTable, list[Message]] | None:
    """Return the columns that `read` takes of a table, and which it leaves out; None unless it takes two."""
    pair = pair_of_tables(name)
    if pair is not None:
        return ItemTable(source=pair.items, nodes=pair.nodes, weight=""), []
    if choice.path_column is not None and choice.sep is None and not is_path_name(choice.path_column):
        return None  # the engine would ask its values whether they are paths
    head = _head_of(name)
    if head is None or "" in head:
        return None
    account = from_columns(head, choice).account
    if account is None or account.kind not in ("paths", "labels"):
        return None
    item = choice.item or item_column(head, None, choice)
    rest: dict[str, list[Any]] = {column: [] for column in head if column != item}
    notes = [(f"{printable(name, longest=4096)}: ", *note) for note in path_column(rest, choice)[1]]
    return ItemTable(source=name, item=item, node=account.columns[0], sep=choice.sep, weight=""), notes


def _head_of(name: str) -> dict[str, list[str]] | None:
    """Return the first rows of a table as columns of text; None if `read` takes the file for something else."""
    if name.lower().endswith(".parquet"):
        with open_parquet(name) as table:
            rows = table.select("COLUMNS(*)::VARCHAR").fetchmany(_HEAD_ROWS)
            return {column: [row[i] for row in rows] for i, (column, _) in enumerate(table.columns)}
    try:
        with (gzip.open if name.lower().endswith(".gz") else open)(name, "rb") as stream:
            data = stream.read(_HEAD_BYTES)
    except (OSError, EOFError, zlib.error):
        return None
    data = data[: data.rfind(b"\n") + 1]
    expected = format_of(name, None)[0]
    if decoder_of(name, data, expected) is not expected.decode:
        return None
    return delimited_columns(text_of(data), "\t" if ".tsv" in os.path.basename(name).lower()[-7:] else ",")
