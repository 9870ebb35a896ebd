"""The files of a table: a name, a folder, a pattern or several of these."""

from __future__ import annotations

import glob
import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from dendrometry._display import printable, quote_first
from dendrometry._files import name_of
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.io._shared.rows import RowReader
from dendrometry.io.formats.columns import check_header

Layout = Literal["parquet", "csv", "tsv"]
_LONGEST_HEADER = 2**20  # characters
_ENDINGS: dict[str, Layout] = {".parquet": "parquet", ".csv": "csv", ".tsv": "tsv"}


class Files(NamedTuple):
    """The paths of the files of one table, in order, and their layout."""

    paths: list[str]
    layout: Layout


def files_of(source: Any, *, urls: bool = False) -> Files:
    """Return the files of a table.

    A name that exists is that file or folder, whatever characters it holds; any other with ``*``, ``?`` or ``[`` is a
    pattern. With ``urls``, a name with ``://`` is left to the engine.

    Raises
    ------
    InvalidInputError
        If there is no such file, or the files are not all Parquet, all CSV or all TSV by their names.
    """
    names = [name_of(each) for each in (source if isinstance(source, list | tuple) else [source])]
    paths = [path for name in names for path in ([name] if urls and "://" in name else _expand(name))]
    if not paths:
        raise InvalidInputError("a table must have at least one file; got an empty list")
    layouts = {path: _layout(path) for path in paths}
    strange = [path for path, layout in layouts.items() if layout is None]
    if strange:
        raise InvalidInputError(
            f"the files of a table must end in .parquet, .csv or .tsv, the last two perhaps with .gz; got"
            f" {quote_first(strange)}"
        )
    kinds = sorted({layout for layout in layouts.values() if layout is not None})
    if len(kinds) > 1:
        raise InvalidInputError(f"the files of a table must all be of one kind; got {' and '.join(kinds)}")
    return Files(paths, kinds[0])


def plain_name(path: str, folder: str) -> str:
    """Return the name of a file for DuckDB, which takes UTF-8: its path, or else that of a link to it in a folder."""
    whole = os.path.abspath(path)
    try:
        whole.encode()
    except UnicodeEncodeError:
        zipped = ".gz" if whole.lower().endswith(".gz") else ""
        ending = os.path.splitext(whole[: len(whole) - len(zipped)])[1] + zipped
        link = os.path.join(folder, hashlib.sha256(os.fsencode(whole)).hexdigest()[:16] + ending)
        if not os.path.lexists(link):
            os.symlink(whole, link)
        return link
    return whole


def check_headers(headers: Iterable[list[str]]) -> None:
    """Refuse column names that `read` refuses; DuckDB would give other names to some columns."""
    for header in headers:
        try:
            check_header(header)
        except FormatError as error:
            raise InvalidInputError(str(error)) from None


def headers_of(files: Files) -> list[list[str]]:
    """Return the column names in each file of a table as text."""
    return [_header_of(path, "\t" if files.layout == "tsv" else ",") for path in files.paths]


def _header_of(path: str, delimiter: str) -> list[str]:
    """Return the header of a file that may be compressed; nothing if it is broken, as DuckDB will say."""
    opener = gzip.open if path.lower().endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as stream:
            start = stream.read(_LONGEST_HEADER)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInputError(f"cannot read {printable(path, longest=4096)}: {printable(reason)}") from None
    if len(start) == _LONGEST_HEADER and not ("\n" in start or "\r" in start):
        return []
    try:
        return next(iter(RowReader(io.StringIO(start, newline=""), delimiter)), [])
    except FormatError:
        return []


def _expand(name: str) -> list[str]:
    """Return the files that a name stands for, in ascending order."""
    if os.path.isdir(name):
        found = [path for path in _matching(os.path.join(glob.escape(name), "**", "*")) if _layout(path) is not None]
        if not found:
            raise InvalidInputError(
                f"a folder must hold Parquet, CSV or TSV files; got {printable(name, longest=4096)}, which has none"
            )
        return found
    if os.path.exists(name):
        return [name]
    found = _matching(name) if glob.has_magic(name) else []
    if not found:
        what = "file matches" if glob.has_magic(name) else "such file"
        raise InvalidInputError(f"cannot read {printable(name, longest=4096)}: no {what}")
    return found


def _matching(pattern: str) -> list[str]:
    """Return the files that match a pattern, without hidden ones."""
    return sorted(path for path in glob.glob(pattern, recursive=True) if os.path.isfile(path))


def _layout(path: str) -> Layout | None:
    """Return the layout that the end of a name says, or None."""
    stem = path.lower()
    base, ending = os.path.splitext(stem)
    if ending == ".gz" and not base.endswith(".parquet"):
        ending = os.path.splitext(base)[1]
    return _ENDINGS.get(ending)
