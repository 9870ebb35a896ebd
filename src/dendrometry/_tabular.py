"""Tables for papers and notes: the data frame of a result as Markdown or LaTeX, with names escaped."""

import math
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dendrometry._check.names import is_missing
from dendrometry._check.numbers import whole_number
from dendrometry._display import printable

_MOST = 17  # digits that tell all floats apart
_LONGEST = 10_000  # characters of a cell
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
    **{c: f"{{{c}}}" for c in "[]*"},  # after the end of a row, these would be arguments of it
}


class Tabular:
    """A result with a data frame, which can also be written as a table for a paper."""

    def to_frame(self) -> Any:
        """Return the result as a pandas DataFrame."""
        raise NotImplementedError

    def _frame_for_paper(self) -> Any:
        """Return the data frame as tables show it: a result leaves out columns that are too wide for paper."""
        return self.to_frame()

    def to_markdown(self, *, digits: int = 4) -> str:
        r"""Return the data frame as a Markdown table, with names escaped.

        Parameters
        ----------
        digits : int
            The number of significant digits of numbers that are not whole, from 1 to 17.

        Examples
        --------
        >>> from dendrometry import cut_count, from_linkage
        >>> print(cut_count(from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]], ["a_1", "b|c", "d"]), 2).to_markdown())
        | item | cluster | node |
        |:--|--:|--:|
        | a\_1 | 0 | 3 |
        | b\|c | 0 | 3 |
        | d | 1 | 2 |
        """
        return markdown_table(*_head_and_rows(self._frame_for_paper()), digits=digits)

    def to_latex(self, *, digits: int = 4) -> str:
        r"""Return the data frame as a LaTeX table, with names escaped; it needs the package booktabs.

        Parameters
        ----------
        digits : int
            The number of significant digits of numbers that are not whole, from 1 to 17.

        Examples
        --------
        >>> from dendrometry import cut_count, from_linkage
        >>> print(cut_count(from_linkage([[0, 1, 1, 2], [2, 3, 2, 3]], ["a_1", "50%", "d"]), 2).to_latex())
        \begin{tabular}{lrr}
        \toprule
        item & cluster & node \\
        \midrule
        a\_1 & 0 & 3 \\
        50\% & 0 & 3 \\
        d & 1 & 2 \\
        \bottomrule
        \end{tabular}
        """
        return latex_table(*_head_and_rows(self._frame_for_paper()), digits=digits)


def _head_and_rows(frame: Any) -> tuple[list[Any], list[Sequence[Any]]]:
    """Return the header and the rows of a data frame; its index is a column unless it only numbers the rows."""
    head, columns = list(frame.columns), [frame.iloc[:, i].tolist() for i in range(frame.shape[1])]
    if frame.index.name is not None or frame.index.dtype.kind not in "iu":
        head, columns = [frame.index.name or "", *head], [frame.index.tolist(), *columns]
    return head, list(zip(*columns, strict=True))


def markdown_table(head: Sequence[Any], rows: Sequence[Sequence[Any]], *, digits: int = 4) -> str:
    """Return rows below a header as a Markdown table, with text escaped."""
    grid = _grid(head, rows, digits, _in_markdown, str)
    rule = "|".join("--:" if numeric else ":--" for numeric in grid.is_numeric)
    lines = [f"| {' | '.join(row)} |" for row in (grid.head, *grid.rows)]
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])


def latex_table(head: Sequence[Any], rows: Sequence[Sequence[Any]], *, digits: int = 4) -> str:
    """Return rows below a header as a LaTeX table that uses booktabs, with text escaped."""
    grid = _grid(head, rows, digits, _in_latex, _latex_number)
    columns = "".join("r" if numeric else "l" for numeric in grid.is_numeric)
    lines = [f"{' & '.join(row)} \\\\" for row in (grid.head, *grid.rows)]
    start = [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule"]
    return "\n".join([*start, *lines[1:], r"\bottomrule", r"\end{tabular}"])


class _Grid(NamedTuple):
    """The cells of a table as text, and which columns hold numbers."""

    head: list[str]
    rows: list[list[str]]
    is_numeric: list[bool]


def _grid(
    head: Sequence[Any],
    rows: Sequence[Sequence[Any]],
    digits: object,
    text: Callable[[str], str],
    number: Callable[[str], str],
) -> _Grid:
    """Return the cells of a table, escaped."""
    n_digits = whole_number(digits, "digits", 1, _MOST)

    def cell(value: object) -> str:
        return number(_number(value, n_digits)) if _is_number(value) else text(_text(value))

    numeric = [all(_is_number(row[i]) or is_missing(row[i]) for row in rows) for i in range(len(head))]
    return _Grid([text(_text(name)) for name in head], [[cell(value) for value in row] for row in rows], numeric)


def _is_number(value: object) -> bool:
    """Whether a value is a number, and neither a truth value nor missing."""
    return isinstance(value, int | float) and not isinstance(value, bool) and not is_missing(value)


def _number(value: Any, digits: int) -> str:
    """Return a number as text, a whole one with all its digits."""
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def _text(value: object) -> str:
    """Return anything else as one line of text: a missing value as nothing, a truth value as yes or no."""
    if is_missing(value):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_text, value))
    return printable(value if isinstance(value, str) else str(value), _LONGEST)


def _in_markdown(text: str) -> str:
    """Return text with the characters that mean something in Markdown escaped."""
    return _MARKDOWN.sub(r"\\\1", text)


def _in_latex(text: str) -> str:
    """Return text with the characters that mean something in LaTeX escaped."""
    return "".join(_LATEX.get(c, c) for c in text)


def _latex_number(text: str) -> str:
    """Return a number with a minus sign, powers of ten and infinity as LaTeX sets them."""
    if math.isinf(float(text)):
        return r"$-\infty$" if text.startswith("-") else r"$\infty$"
    digits, _, exponent = text.partition("e")
    if exponent:
        return f"${digits} \\times 10^{{{int(exponent)}}}$"
    return f"${text}$" if text.startswith("-") else text
