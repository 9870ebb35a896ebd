"""Rows of delimited text by RFC 4180, for values of any length.

The csv module has one limit on the length of a value for the whole process; here each reader has its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dendrometry._display import printable_repr
from dendrometry.errors import FormatError

_HEAD = 2**16  # characters in which the first line is looked for
_INSIDE = re.compile(r'[^"]*+(?:""[^"]*+)*+')  # what may stand in quotes; a quote that is not doubled follows, or none


_QUOTED = re.compile(r'"[^"]*+"')
_DECIMAL = re.compile(r"[+-]?\d++(?:\.\d{3})*+,\d++(?:[eE][+-]?\d++)?", re.ASCII)
_NUMBER = re.compile(r"[+-]?\d++(?:[.,]\d++)*+(?:[eE][+-]?\d++)?", re.ASCII)


def delimiter_of(text: str, delimiter: str) -> str:
    """Return what separates the values of a text: semicolons for commas if the first line has these and no comma.

    Spreadsheets write them where the comma is the decimal mark.
    """
    first = next((line for line in text[:_HEAD].splitlines() if line), "")
    bare = _QUOTED.sub("", first)
    return ";" if delimiter == "," and ";" in bare and "," not in bare else delimiter


def with_decimal_points(rows: list[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
    """Return rows, in which columns of numbers with decimal commas have decimal points; ``1.234,5`` is 1234.5.

    Raises
    ------
    FormatError
        If another column of numbers has decimal points: there is one decimal mark in a table.
    """
    numeric = [
        i for i, column in enumerate(zip(*(row for _, row in rows), strict=True)) if all(map(_is_number, column))
    ]
    commas = {i for i in numeric if any(_DECIMAL.fullmatch(row[i]) for _, row in rows)}
    for line, row in rows if commas else ():
        for i in numeric:
            if i in commas and (not row[i] or _DECIMAL.fullmatch(row[i]) or not {".", ","} & set(row[i])):
                row[i] = row[i].replace(".", "").replace(",", ".")
            elif {".", ","} & set(row[i]):
                raise FormatError(f"line {line}: a table with decimal commas must have no others; got {row[i][:60]}")
    return rows


def _is_number(value: str) -> bool:
    """Whether a value is a number, with any marks, or missing."""
    return not value or _NUMBER.fullmatch(value) is not None


def advice_on_length(row: list[str], width: int, delimiter: str) -> str:
    """Return how to correct a row that has fewer values than the header, or more."""
    if len(row) > width:
        return f" (a value with {delimiter!r} in it needs quotation marks)"
    whole = delimiter.join(row) + delimiter * (width - len(row))
    return f" (where the last values are missing, the row is {printable_repr(whole)})"


class RowReader:
    """The rows of delimited lines, blank ones left out; ``first`` and ``last`` are the numbers of a row's lines.

    A value in double quotes may hold delimiters, line breaks and doubled quotes; a quote elsewhere is a character.

    Parameters
    ----------
    lines : iterable of str
        Lines with their ends, whatever those are.
    delimiter : str
        The character between two values.
    file : str
        What to put before the number of a line in messages.
    longest : int, optional
        The most characters that a value may have.
    """

    def __init__(self, lines: Iterable[str], delimiter: str, file: str = "", longest: int | None = None) -> None:
        self.first = self.last = 0
        self._lines = iter(lines)
        self._delimiter = delimiter
        self._file = file
        self._longest = longest

    def __iter__(self) -> Iterator[list[str]]:
        for text in self._lines:
            self.first = self.last = self.last + 1
            row = self._quoted(text) if '"' in text else _bare(text).split(self._delimiter)
            if row == [""] and not _bare(text):
                continue
            if self._longest is not None and max(map(len, row)) > self._longest:
                raise self._broken(f"field larger than field limit ({self._longest:,})")
            yield row

    def _quoted(self, text: str) -> list[str]:
        """Return a row that has quotes, from a line and those that follow it while a quote is open."""
        row = []
        start = 0
        while True:
            if text.startswith('"', start):
                value, text, stop = self._value(text, start + 1)
            else:
                stop = text.find(self._delimiter, start)
                stop = len(_bare(text)) if stop < 0 else stop
                value = text[start:stop]
            row.append(value)
            if not text.startswith(self._delimiter, stop):
                if stop != len(_bare(text)):
                    raise self._broken(f"'{self._delimiter}' expected after '\"'")
                return row
            start = stop + 1

    def _value(self, text: str, start: int) -> tuple[str, str, int]:
        """Return the value behind a quote, the line on which it ends, and the place behind its closing quote."""
        parts = []
        while True:
            stop = _INSIDE.match(text, start).end()  # type: ignore[union-attr] # matches everywhere
            parts.append(text[start:stop])
            if stop < len(text):
                return "".join(parts).replace('""', '"'), text, stop + 1
            following = next(self._lines, None)
            if following is None:
                raise self._broken("unexpected end of data")
            self.last += 1
            text, start = following, 0

    def _broken(self, rule: str) -> FormatError:
        """Return an error that names the line."""
        return FormatError(f"{self._file}line {self.first}: the table must be well formed; got {rule}")


def _bare(text: str) -> str:
    """Return a line without its end."""
    return text[:-2] if text.endswith("\r\n") else text[:-1] if text.endswith(("\n", "\r")) else text
