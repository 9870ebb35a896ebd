"""One pass over a Newick text."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import FloatArray, IntArray, njit, stopped

__all__ = ["Scan", "most_nodes", "scan"]


class Scan(NamedTuple):
    """The content of a Newick text, one row for each node in the order in which they end: children first.

    Spans are offsets of bytes; they start at ``-1`` where there is no name or length, and what would be the end of a
    missing name is where the node ends. ``length`` is 0 where there is none, and nan where only the text can say.
    ``error`` is 0, or the number of the rule that is broken at ``offset``.
    """

    parent: IntArray
    name_start: IntArray
    name_stop: IntArray
    length: FloatArray
    length_start: IntArray
    length_stop: IntArray
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
_EXTRA_CLOSE, _UNCLOSED_BRACKET, _OUTSIDE_COMMA, _NO_END, _NO_NUMBER, _NO_COMMENT = 10, 11, 12, 13, 14, 15


_BLANK, _COMMENT, _COMMENT_END = 7, 8, 9
_KIND = np.zeros(256, dtype=np.uint8)
_KIND[[9, 10, 11, 12, 13, 32]] = _BLANK
for _kind_number, _character in enumerate("(),:;'", start=_OPEN):
    _KIND[ord(_character)] = _kind_number
_KIND[ord("[")], _KIND[ord("]")] = _COMMENT, _COMMENT_END


@njit
def _kind(c: int) -> int:
    """Return the column of ``_NEXT`` for a byte, or that it is a blank, or opens or ends a comment."""
    return int(_KIND[c])


_POWERS = np.array([float(10**power) for power in range(23)])  # exact, as 5**22 < 2**53
_INVERSES = 1 / _POWERS
_BEYOND = np.array([float(Fraction(1, 10**power) - Fraction(float(_INVERSES[power]))) for power in range(23)])


@njit
def _split_product(x: float, y: float) -> tuple[float, float]:
    """Return x * y as a rounded product and its exact error (Dekker)."""
    product = x * y
    split = 134217729.0 * x
    x_high = split - (split - x)
    x_low = x - x_high
    split = 134217729.0 * y
    y_high = split - (split - y)
    y_low = y - y_high
    return product, ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


@njit
def _decimal(digits: int, power: int) -> float:
    """Return digits * 10**power rounded to the nearest float, or nan where that is not certain.

    One rounding if the digits fit a float; else twice the precision, and nan if the rest is too near to a half.
    """
    if power < -22 or power > 22:
        return np.nan
    whole: float = _POWERS[abs(power)]
    if digits < 9007199254740992:
        return float(digits) * whole if power >= 0 else float(digits) / whole
    scale: float = whole if power >= 0 else _INVERSES[-power]
    beyond: float = 0.0 if power >= 0 else _BEYOND[-power]
    low = digits & 2047
    high = float(digits - low)
    first, error = _split_product(high, scale)
    rest = error + (high * beyond + float(low) * scale)
    value = first + rest
    rest = rest - (value - first)
    return value if value + rest * (1.0 + 2.0**-30) == value else np.nan


_MOST_DIGITS = 18  # that always fit an int64
_MOST_EXPONENT = 100000  # or more


@njit
def _end_of_comment(text: NDArray[np.uint8], i: int) -> int:
    """Return the offset after the comment that opens at i, inner comments included, or -1 if it is not closed."""
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
def most_nodes(text: NDArray[np.uint8]) -> int:
    """Return how many nodes a text can hold: one more than it has opening brackets and commas. O(length)."""
    count = 1
    for i in range(text.size):
        count += text[i] == 40 or text[i] == 44
    return count


@njit
def scan(text: NDArray[np.uint8], most_nodes: int) -> Scan:  # noqa: C901 - one state machine in one loop
    """Read a Newick text, as UTF-8, into columns. O(length); relies on ``most_nodes`` as counted above.

    All marks are ASCII, and no byte of a longer character is. Names and numbers are read in place: a call that hands
    over the text costs more than the few characters it reads.
    """
    n = text.size
    parent = np.empty(most_nodes, dtype=np.int64)
    name_start = np.full(most_nodes, -1, dtype=np.int64)
    name_stop = np.empty(most_nodes, dtype=np.int64)
    length = np.zeros(most_nodes)
    length_start = np.full(most_nodes, -1, dtype=np.int64)
    length_stop = np.full(most_nodes, -1, dtype=np.int64)
    last_child = np.empty(most_nodes + 1, dtype=np.int64)  # in each open bracket; the root's place is outside of all
    last_child[0] = -1
    node, depth, phase, error, i = 0, 0, _START, 0, 0
    while i < n:
        kind = _kind(text[i])
        if kind == _BLANK:
            i += 1
            continue
        if kind == _COMMENT:
            after = _end_of_comment(text, i)
            if after == -1:
                error = _UNCLOSED_COMMENT
                break
            i = after
            continue
        if kind == _COMMENT_END:
            error = _NO_COMMENT
            break
        follows = _NEXT[phase, kind]
        if follows < 0:
            error = -follows
            break
        after = i + 1
        if kind == 0 and phase == _COLON:
            # sign, digits with at most one point, exponent
            negative = text[i] == 45
            j = i + 1 if negative or text[i] == 43 else i
            digits, first = 0, j
            while j < n and 48 <= text[j] <= 57:
                digits = digits * 10 + (int(text[j]) - 48)
                j += 1
            n_digits, power = j - first, 0
            if j < n and text[j] == 46:
                start = j + 1
                j = start
                while j < n and 48 <= text[j] <= 57:
                    digits = digits * 10 + (int(text[j]) - 48)
                    j += 1
                n_digits, power = n_digits + j - start, start - j
            significant, exponent = n_digits, 0
            if n_digits > _MOST_DIGITS:
                while first < j and (text[first] == 48 or text[first] == 46):
                    significant -= text[first] == 48
                    first += 1
            if n_digits > 0 and j < n and (text[j] == 101 or text[j] == 69):
                j += 1
                downwards = j < n and text[j] == 45
                if downwards or (j < n and text[j] == 43):
                    j += 1
                n_digits = 0
                while j < n and 48 <= text[j] <= 57:
                    exponent = min(exponent * 10 + (int(text[j]) - 48), _MOST_EXPONENT)
                    n_digits += 1
                    j += 1
                power += -exponent if downwards else exponent
            if n_digits == 0 or (j < n and _kind(text[j]) == 0):
                error = _NO_NUMBER
                break
            certain = significant <= _MOST_DIGITS and exponent < _MOST_EXPONENT
            value = _decimal(digits, power) if certain else np.nan
            length[node] = -value if negative else value
            length_start[node], length_stop[node] = i, j
            after = j
        elif kind == 0:
            # up to the next mark, blanks at the end left out
            j, line_break, blank = i, -1, -1
            while j < n:
                other = _kind(text[j])
                if other == 0:
                    after = j + 1
                    if blank >= 0:
                        line_break = blank
                        break
                elif other != _BLANK:
                    break
                elif text[j] != 32 and blank == -1:
                    blank = j
                j += 1
            if line_break >= 0:
                error, i = _BROKEN_LINE, line_break
                break
            name_start[node], name_stop[node] = i, after
        elif kind == _QUOTE:
            # up to the next single quote
            j, closed = i + 1, False
            while j < n and not closed:
                if text[j] != 39:
                    j += 1
                elif j + 1 < n and text[j + 1] == 39:
                    j += 2
                else:
                    closed = True
            if not closed:
                error = _UNCLOSED_QUOTE
                break
            name_start[node], name_stop[node] = i + 1, j
            after = j + 1
        elif kind == _OPEN:
            depth += 1
            last_child[depth] = -1
        elif kind == _END:
            if depth > 0:
                error = _UNCLOSED_BRACKET
                break
            if name_start[node] < 0:
                name_stop[node] = i
            parent[node] = -1
            node += 1
        elif kind == _CLOSE or kind == _COMMA:
            if depth == 0:
                error = _EXTRA_CLOSE if kind == _CLOSE else _OUTSIDE_COMMA
                break
            if stopped():
                break
            if name_start[node] < 0:
                name_stop[node] = i
            parent[node] = last_child[depth]  # until the bracket closes: the sibling before
            last_child[depth] = node
            node += 1
            if kind == _CLOSE:
                child = last_child[depth]
                while child >= 0:
                    before = parent[child]
                    parent[child] = node
                    child = before
                depth -= 1
        phase = follows
        i = after
    if error == 0 and phase != _DONE:
        error = _NO_END
    return Scan(
        parent[:node],
        name_start[:node],
        name_stop[:node],
        length[:node],
        length_start[:node],
        length_stop[:node],
        error,
        i,
    )
