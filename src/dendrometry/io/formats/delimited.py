"""CSV and TSV files with one row for each item: its name, and a path, levels or a label."""

from __future__ import annotations

import csv
import io

from dendrometry._display import plural
from dendrometry.errors import FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.formulas import bare, guard_formula
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.requirements import Reading
from dendrometry.io._shared.rows import RowReader, advice_on_length, delimiter_of, with_decimal_points
from dendrometry.io.formats.columns import check_header, from_columns, require_memory
from dendrometry.io.formats.paths import written_paths

_NO_CHOICE = TableChoice()


def from_delimited(text: str, delimiter: str, choice: TableChoice = _NO_CHOICE) -> Reading:
    """Return the hierarchy of a delimited text with a header, whose columns are taken as by `from_levels`."""
    return from_columns(delimited_columns(text, delimiter), choice)


def delimited_columns(text: str, delimiter: str) -> dict[str, list[str]]:
    """Return the columns of a delimited text with a header, by name; semicolons may stand for commas.

    Every value stays text ("NA" and "007" are names), except that an apostrophe before a character that would start a
    formula in a spreadsheet, as `to_delimited` writes it, is removed.

    Raises
    ------
    FormatError
        If there is no header, a column name is missing or repeated, a row has another length, or quotes are broken.
        The message names the line.
    """
    delimiter = delimiter_of(text, delimiter)
    n_lines = text.count("\n") + text.count("\r") + 1
    require_memory(n_lines, n_lines + text.count(delimiter), len(text))
    reader = RowReader(io.StringIO(text, newline=""), delimiter)
    rows = [(reader.last, row) for row in reader]
    if not rows:
        raise FormatError("a table must have a header; got an empty text")
    header = rows.pop(0)[1]
    while len(header) > 1 and not header[-1] and all(len(row) == len(header) and not row[-1] for _, row in rows):
        header.pop()  # an empty column, as spreadsheets write them beside a table
        rows = [(line, row[:-1]) for line, row in rows]
    check_header(header)
    of_r = bool(rows) and all(len(row) == len(header) + 1 for _, row in rows)
    of_r_advice = " (write.table of R gives row names a header with col.names=NA)"
    for line, row in rows:
        if len(row) != len(header):
            advice = of_r_advice if of_r else advice_on_length(row, len(header), delimiter)
            must = f"every row must have {plural(len(header), 'value')}, as the header"
            raise FormatError(f"line {line}: {must}; got {len(row)}{advice}")
    if delimiter == ";":
        rows = with_decimal_points(rows)
    return {name: [bare(row[i]) for _, row in rows] for i, name in enumerate(header)}


def to_delimited(tree: Hierarchy, delimiter: str) -> str:
    """Return the columns item and path of a hierarchy as a delimited text.

    An apostrophe is put before a value that a spreadsheet would take for a formula, but not before plain numbers.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)  # its line ends (RFC 4180) make it quote every line break
    header, paths = written_paths(tree)
    writer.writerow(["item", header])
    writer.writerows((guard_formula(item), guard_formula(path)) for item, path in paths.items())
    return stream.getvalue()
