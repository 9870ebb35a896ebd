"""Sources of documents, read one at a time: a folder of files, the columns of a table, a Python iterable."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from dendrometry import _memory
from dendrometry._check.choices import one_of
from dendrometry._check.names import names_within
from dendrometry._display import printable, quote_first
from dendrometry._files import FilePath, name_of, unicode_name
from dendrometry.errors import Argument, FormatError, InvalidInputError, Remedy
from dendrometry.io._shared.formulas import bare
from dendrometry.io._shared.rows import RowReader
from dendrometry.io.formats.parquet import open_parquet
from dendrometry.text.times import time_of

MOST_CHARACTERS = 64 * 2**20  # of one document, whose words are stored at once
OnBadEncoding = Literal["error", "skip"]

_ROW_BYTES = 200  # of what stays of each document: its title, and where its terms start
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_WHOLE_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_UNDECODED = re.compile("[\ud800-\udfff]")  # the error handler "surrogateescape" maps undecodable bytes to these


class Raw(NamedTuple):
    """A document before processing: its title, its text, or None if it could not be decoded, and its time, if known."""

    title: str
    text: str | None
    time: float | None = None


class TableColumns(NamedTuple):
    """The columns of a table with texts, titles and times.

    By default, titles are in the column "title" if it exists, and times are not read.
    """

    text: str
    title: str | None
    time: str | None = None

    def column_indices(self, header: list[str], name: str) -> tuple[int, int, int]:
        """Return the positions of the texts, titles and times in a header, -1 for no titles or times."""
        for wanted, option in ((self.text, "text"), (self.title, "title"), (self.time, "time")):
            given: object = wanted
            if not isinstance(given, str) and (given is not None or option == "text"):
                raise InvalidInputError(Argument(option), f" must be the name of a column; got {printable(wanted)}")
            if wanted is not None and header.count(wanted) != 1:
                columns = quote_first(header, most=12)
                message = f"{name} must have one column '{printable(wanted)}'; its columns are {columns}"
                raise InvalidInputError(message, Remedy(option, ..., "names another"))
        title = self.title if self.title is not None else "title"
        title_at = header.index(title) if title in header and title != self.text else -1
        return header.index(self.text), title_at, -1 if self.time is None else header.index(self.time)


def in_iterable(texts: Iterable[Any], start: int = 0) -> Iterator[Raw]:
    """Yield the documents of an iterable of texts or of (title, text) pairs, or of a mapping or Series with titles.

    Without titles, they are called by their positions, from ``start`` on.
    """
    given: object = texts
    if isinstance(given, str | bytes) or not isinstance(given, Iterable) or hasattr(given, "tocsr"):
        raise InvalidInputError(f"documents must be an iterable of texts; got {printable(texts)}")
    if hasattr(given, "columns"):
        raise InvalidInputError("documents must be an iterable of texts; got a table (choose its column of texts)")
    names = names_within(texts)
    if names is not None:
        texts = zip(names, texts.values() if isinstance(texts, Mapping) else texts, strict=True)
    try:
        texts = iter(texts)
    except TypeError:  # as an array without dimensions
        raise InvalidInputError(f"documents must be an iterable of texts; got {printable(texts)}") from None
    return (_raw(value, at, start) for at, value in enumerate(texts))


def _raw(value: Any, at: int, start: int) -> Raw:
    """Return one element of an iterable as a document."""
    title, text = value if isinstance(value, tuple) and len(value) == 2 else (str(start + at), value)
    for part, what in ((title, "title"), (text, "document")):
        if not isinstance(part, str):
            raise InvalidInputError(
                f"a {what} must be text; got {printable(part)} of type {type(part).__name__} at position {at}"
            )
    if _UNDECODED.search(title):
        raise InvalidInputError(f"a title must be valid Unicode; got '{printable(title)}' at position {at}")
    _check_size(len(text), f"the document at position {at}")
    return Raw(str.__str__(title), text)


def in_file(path: FilePath, columns: TableColumns, encoding: str, on_bad_encoding: OnBadEncoding) -> Iterator[Raw]:
    """Yield the documents of a folder of files or of a CSV, TSV or Parquet table, in a fixed order."""
    name = name_of(path)
    one_of(on_bad_encoding, "on_bad_encoding", get_args(OnBadEncoding))
    codec = _codec(encoding)
    suffix = os.path.splitext(name)[1].lower()
    if os.path.isdir(name) and columns.time is not None:
        raise InvalidInputError(f"documents with times must be in a table; got the folder {_full(name)}")
    if os.path.isdir(name):
        found = _in_folder(Path(name), codec)
    elif name == "-":
        raise InvalidInputError("documents must come from a folder or a file; standard input, -, is not read")
    elif not os.path.exists(name):
        raise InvalidInputError(f"cannot read {_full(name)}: there is no such file or folder")
    elif suffix in _DELIMITERS:
        found = _in_delimited(name, _DELIMITERS[suffix], columns, codec)
    elif suffix == ".parquet":
        found = _in_parquet(name, columns)
    else:
        raise InvalidInputError(f"documents must be a folder, or a .csv, .tsv or .parquet file; got {_full(name)}")
    return _check_encoding(found, _full(name), encoding, on_bad_encoding)


def _check_encoding(
    found: Iterator[tuple[Raw, str]], name: str, encoding: str, on_bad_encoding: OnBadEncoding
) -> Iterator[Raw]:
    """Yield documents; one in another encoding is refused by its place, or yielded without text."""
    is_empty = True
    for raw, where in found:
        if raw.text is None and on_bad_encoding == "error":
            raise FormatError(
                where, Remedy("encoding", ..., "names another"), Remedy("on_bad_encoding", "skip", "leaves it out")
            )
        is_empty = False
        yield raw
    if is_empty:
        hidden = " (hidden files are not read)" if os.path.isdir(name) else ""
        raise InvalidInputError(f"{name}: there must be at least one document; got none{hidden}")


def _in_folder(folder: Path, codec: str) -> Iterator[tuple[Raw, str]]:
    """Yield the files of a folder and its subfolders in order of name, without hidden ones."""
    for above, folders, files in os.walk(folder, onerror=_cannot_list):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            path = Path(above, name)
            if not name.startswith(".") and path.is_file():
                yield _in_plain_file(path, unicode_name(path.relative_to(folder).as_posix()), codec)


def _in_plain_file(path: Path, title: str, codec: str) -> tuple[Raw, str]:
    """Return a file as a document, with a message on its encoding if it could not be decoded."""
    where = _full(str(path))
    try:
        _check_size(path.stat().st_size, where)
        data = path.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"cannot read {where}: {error.strerror or error}") from None
    try:
        return Raw(title, data.decode(codec)), where
    except UnicodeDecodeError as error:
        return Raw(title, None), f"{where}: the text must be in the encoding given; byte {error.start} is not"


def _in_delimited(name: str, delimiter: str, columns: TableColumns, codec: str) -> Iterator[tuple[Raw, str]]:
    """Yield the rows of a delimited file with a header."""
    try:
        with open(name, encoding=codec, errors="surrogateescape", newline="") as lines:
            reader = RowReader(lines, delimiter, f"{_full(name)}, ", MOST_CHARACTERS)
            rows = iter(reader)
            header = next(rows, None)
            if header is None:
                raise FormatError(f"{_full(name)} must have a header; it is empty")
            if _UNDECODED.search("".join(header)):
                raise FormatError(
                    f"{_full(name)}, line 1: the header must be in the encoding given; it is not",
                    Remedy("encoding", ..., "names another"),
                )
            text_at, title_at, time_at = columns.column_indices(header, _full(name))
            for row_number, row in enumerate(rows):
                where = f"{_full(name)}, line {reader.first}"
                if len(row) != len(header):
                    raise FormatError(f"{where}: every row must have {len(header)} values; got {len(row)}")
                title = bare(row[title_at]) if title_at >= 0 else str(row_number)
                time = time_of(row[time_at], where) if time_at >= 0 else None
                yield _row_document(title, row[text_at], time, where)
    except (OSError, UnicodeError) as error:
        raise InvalidInputError(f"cannot read {_full(name)}: {getattr(error, 'strerror', None) or error}") from None


def _row_document(title: str, text: str, time: float | None, where: str) -> tuple[Raw, str]:
    """Return a row as a document, without text if it could not be decoded, and a message on its encoding."""
    if _UNDECODED.search(text) or _UNDECODED.search(title):
        return Raw(unicode_name(title), None, time), f"{where}: the text must be in the encoding given; it is not"
    return Raw(title, text, time), where


def _in_parquet(name: str, columns: TableColumns) -> Iterator[tuple[Raw, str]]:
    """Yield the rows of a Parquet file in their order, one at a time."""
    with open_parquet(name, _full(name)) as table:
        text_at, title_at, time_at = columns.column_indices([column for column, _ in table.columns], _full(name))
        for at, kinds in ((text_at, {"VARCHAR"}), (title_at, {"VARCHAR", *_WHOLE_NUMBERS})):
            if at >= 0 and table.columns[at][1] not in kinds:
                raise FormatError(f"{_full(name)}: column '{printable(table.columns[at][0])}' must hold text")
        _memory.require_memory(table.n_rows * _ROW_BYTES, f"{_full(name)}, of {table.n_rows:,} documents,", "Split it.")
        chosen = ", ".join(
            f"{_quote(table.columns[at][0])}::VARCHAR" if at >= 0 else "NULL" for at in (text_at, title_at, time_at)
        )
        found = table.select(chosen)
        row_number = 0
        while row := found.fetchone():
            text, title, time = row
            where = f"{_full(name)}, row {row_number + 1}"
            _check_size(len(text or ""), where)
            sent = time_of(time or "", where) if time_at >= 0 else None
            yield Raw(str(row_number) if title_at < 0 else title or "", text or "", sent), where
            row_number += 1


def _codec(encoding: str) -> str:
    """Return the name of a codec for an encoding; UTF-8 with or without a byte order mark."""
    try:
        found = codecs.lookup(encoding)
    except (LookupError, TypeError, ValueError):
        raise InvalidInputError(
            Argument("encoding"), f" must be the name of a Python codec; got {printable(encoding)}"
        ) from None
    return "utf-8-sig" if found.name == "utf-8" else found.name


def _check_size(size: int, where: str) -> None:
    """Refuse a document that is too large to split into words at once."""
    if size > MOST_CHARACTERS:
        raise InvalidInputError(f"a document must be at most {MOST_CHARACTERS:,} long; {where} has {size:,}")


def _cannot_list(error: OSError) -> None:
    """Refuse a folder that cannot be listed."""
    raise InvalidInputError(f"cannot read {_full(str(error.filename))}: {error.strerror or error}")


def _quote(column: str) -> str:
    """Return the name of a column as an SQL identifier."""
    return '"' + column.replace('"', '""') + '"'


def _full(name: str) -> str:
    """Return a path as harmless text."""
    return printable(name, longest=4096)
