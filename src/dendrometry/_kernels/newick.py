"""One pass over a Newick text, and heights from its branch lengths."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import BoolArray, FloatArray, IntArray, njit

__all__ = ["Scan", "heights_from_root", "heights_from_tips", "scan"]


class Scan(NamedTuple):
    """What stands in a Newick text, one row for each node in order of appearance, parents first.

    Spans are offsets of code points; ``-1`` where there is no name or length. ``error`` is 0, or the number of the
    rule that is broken at ``offset``.
    """

    parent: IntArray
    name_start: IntArray
    name_stop: IntArray
    length_start: IntArray
    length_stop: IntArray
    doubled: BoolArray
    error: int
    offset: int


_START, _CLOSED, _NAMED, _COLON, _MEASURED, _DONE = range(6)
# What follows each phase (rows) at each kind of character (columns): the next phase, or minus the number of an error.
#          text        (        )         ,        :         ;       quote
_NEXT = np.array(
    [
        [_NAMED, _START, _CLOSED, _START, _COLON, _DONE, _NAMED],
        [_NAMED, -1, _CLOSED, _START, _COLON, _DONE, _NAMED],
        [-2, -1, _CLOSED, _START, _COLON, _DONE, -3],
        [_MEASURED, -4, -4, -4, -4, -4, -4],
        [-5, -1, _CLOSED, _START, -5, _DONE, -5],
        [-6, -6, -6, -6, -6, -6, -6],
    ]
)
_OPEN, _CLOSE, _COMMA, _END, _QUOTE = 1, 2, 3, 5, 6
_BROKEN_LINE, _QUOTE_INSIDE, _UNCLOSED_COMMENT, _UNCLOSED_QUOTE = 7, 3, 8, 9
_EXTRA_CLOSE, _UNCLOSED_BRACKET, _OUTSIDE_COMMA, _NO_END, _NO_NUMBER = 10, 11, 12, 13, 14


@njit
def _kind(c: int) -> int:
    """Return the column of ``_NEXT`` for a character; 7 for a blank, 8 for an opening square bracket."""
    if c > 91:
        return 0
    if c == 32 or 9 <= c <= 13:
        return 7
    if c == 91:
        return 8
    if c == 39:
        return 6
    if c == 40 or c == 41:
        return c - 39
    if c == 44:
        return 3
    if c == 58 or c == 59:
        return c - 54
    return 0


@njit
def _after_comment(text: NDArray[np.uint32], i: int) -> int:
    """Return the offset behind the comment that opens at i, inner comments included, or -1 if it never closes."""
    depth = 0
    while i < text.size:
        if text[i] == 91:
            depth += 1
        elif text[i] == 93:
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return -1


@njit
def _after_quoted(text: NDArray[np.uint32], i: int) -> tuple[int, bool]:
    """Return the offset behind the quoted name that opens at i (-1: never closes), and whether quotes are doubled."""
    doubled = False
    i += 1
    while i < text.size:
        if text[i] == 39:
            if i + 1 < text.size and text[i + 1] == 39:
                doubled = True
                i += 1
            else:
                return i + 1, doubled
        i += 1
    return -1, doubled


@njit
def _after_plain(text: NDArray[np.uint32], i: int) -> tuple[int, int]:
    """Return where the unquoted run that starts at i stops, blanks at its end left out, and a line break in it."""
    stop = i
    line_break = -1
    while i < text.size:
        kind = _kind(text[i])
        if kind == 0:
            if line_break == -1:
                for j in range(stop, i):
                    if text[j] != 32:
                        line_break = j
                        break
            stop = i + 1
        elif kind != 7:
            break
        i += 1
    return stop, line_break


@njit
def _after_digits(text: NDArray[np.uint32], i: int, stop: int) -> int:
    """Return the offset behind the digits that start at i."""
    while i < stop and 48 <= text[i] <= 57:
        i += 1
    return i


@njit
def _after_sign(text: NDArray[np.uint32], i: int, stop: int) -> int:
    """Return the offset behind the sign at i, if there is one."""
    return i + 1 if i < stop and (text[i] == 43 or text[i] == 45) else i


@njit
def _is_number(text: NDArray[np.uint32], start: int, stop: int) -> bool:
    """Whether a span is a decimal number: sign, digits with at most one point, exponent."""
    whole = _after_sign(text, start, stop)
    i = _after_digits(text, whole, stop)
    n_digits = i - whole
    if i < stop and text[i] == 46:
        part = i + 1
        i = _after_digits(text, part, stop)
        n_digits += i - part
    if n_digits > 0 and i < stop and (text[i] == 69 or text[i] == 101):
        power = _after_sign(text, i + 1, stop)
        i = _after_digits(text, power, stop)
        n_digits = i - power
    return n_digits > 0 and i == stop


@njit
def scan(text: NDArray[np.uint32], most_nodes: int) -> Scan:  # noqa: C901 - one state machine in one loop
    """Read a Newick text into columns. O(length); ``most_nodes`` bounds the number of nodes."""
    parent = np.full(most_nodes, -1, dtype=np.int64)
    name_start = np.full(most_nodes, -1, dtype=np.int64)
    name_stop = np.full(most_nodes, -1, dtype=np.int64)
    length_start = np.full(most_nodes, -1, dtype=np.int64)
    length_stop = np.full(most_nodes, -1, dtype=np.int64)
    doubled = np.zeros(most_nodes, dtype=np.bool_)
    n_nodes, node, phase, error, i = 1, 0, _START, 0, 0
    while i < text.size:
        kind = _kind(text[i])
        if kind == 7:
            i += 1
            continue
        if kind == 8:
            after = _after_comment(text, i)
            if after == -1:
                error = _UNCLOSED_COMMENT
                break
            i = after
            continue
        follows = _NEXT[phase, kind]
        if follows < 0:
            error = -follows
            break
        stop = i + 1
        if kind == 0:
            stop, line_break = _after_plain(text, i)
            if line_break != -1:
                error, i = _BROKEN_LINE, line_break
                break
            if follows == _NAMED:
                name_start[node], name_stop[node] = i, stop
            elif _is_number(text, i, stop):
                length_start[node], length_stop[node] = i, stop
            else:
                error = _NO_NUMBER
                break
        elif kind == _QUOTE:
            stop, twice = _after_quoted(text, i)
            if stop == -1:
                error = _UNCLOSED_QUOTE
                break
            name_start[node], name_stop[node] = i + 1, stop - 1
            doubled[node] = twice
        elif kind == _OPEN:
            parent[n_nodes] = node
            node = n_nodes
            n_nodes += 1
        elif kind == _CLOSE:
            if parent[node] == -1:
                error = _EXTRA_CLOSE
                break
            node = parent[node]
        elif kind == _COMMA:
            if parent[node] == -1:
                error = _OUTSIDE_COMMA
                break
            parent[n_nodes] = parent[node]
            node = n_nodes
            n_nodes += 1
        elif kind == _END and parent[node] != -1:
            error = _UNCLOSED_BRACKET
            break
        phase = follows
        i = stop
    if error == 0 and phase != _DONE:
        error = _NO_END
    return Scan(
        parent[:n_nodes],
        name_start[:n_nodes],
        name_stop[:n_nodes],
        length_start[:n_nodes],
        length_stop[:n_nodes],
        doubled[:n_nodes],
        error,
        i,
    )


@njit
def heights_from_root(parent: IntArray, length: FloatArray) -> FloatArray:
    """Return minus the distance of each node from the root. O(n); needs parents first, the root at 0."""
    height = np.zeros(parent.size)
    for v in range(1, parent.size):
        height[v] = height[parent[v]] - length[v]
    return height


@njit
def heights_from_tips(parent: IntArray, length: FloatArray) -> FloatArray:
    """Return the greatest distance from each node down to a tip. O(n); needs parents first, the root at 0."""
    height = np.full(parent.size, -np.inf)
    for v in range(parent.size - 1, -1, -1):
        if height[v] == -np.inf:
            height[v] = 0.0
        p = parent[v]
        if p >= 0:
            height[p] = max(height[p], height[v] + length[v])
    return height
