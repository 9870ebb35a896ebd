"""One pass over a Newick text."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import BoolArray, FloatArray, IntArray


class Columns(NamedTuple):
    """The content of a Newick text, one row for each node in the order in which they end: children first.

    Spans are offsets of bytes; they start at ``-1`` where there is no name or length, and what would be the end of a
    missing name is where the node ends. ``length`` is 0 where there is none, and nan where only the text can say.
    """

    parent: IntArray
    name_start: IntArray
    name_stop: IntArray
    length: FloatArray
    length_start: IntArray
    is_tip: BoolArray


class Brackets(NamedTuple):
    """Brackets of a piece of a text.

    The last child so far in each one that the piece opens and leaves open, from place 1 on, and at place 0 in the one
    around them; and the node that closes each one that the text before opens, the innermost first.
    """

    last_child: IntArray
    closed_by: IntArray


class Piece(NamedTuple):
    """A piece of a text, from one offset to another, and the number of the first node that ends in it."""

    start: int
    stop: int
    first_node: int


class Scan(NamedTuple):
    """What a piece of a text held: its brackets, as rows of `Brackets`, its nodes, lengths, and what is wrong with it.

    ``error`` is 0, or the number of the rule that is broken at ``offset``; ``unnamed`` is the first tip without a name,
    or -1.
    """

    n_open: int
    n_closed: int
    n_nodes: int
    n_lengths: int
    n_uncertain: int
    unnamed: int
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
KIND = np.zeros(256, dtype=np.uint8)
KIND[[9, 10, 11, 12, 13, 32]] = _BLANK
for _kind_number, _character in enumerate("(),:;'", start=_OPEN):
    KIND[ord(_character)] = _kind_number
KIND[ord("[")], KIND[ord("]")] = _COMMENT, _COMMENT_END


_at = np.uint64  # an offset that cannot count from the end, which the compiled loop would have to ask each time

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


class Count(NamedTuple):
    """How many brackets a text opens and closes, and how many nodes end in it, but for the root."""

    n_open: int
    n_closed: int
    n_nodes: int


@njit
def count(text: NDArray[np.uint8]) -> Count:
    """Count the marks of a text. O(length): 128 bytes at a time, whose counts fit a byte and are made together."""
    n_open, n_closed, n_commas = 0, 0, 0
    blocks = text.size // 128 * 128
    for start in range(0, blocks, 128):
        opening, closing, commas = np.uint8(0), np.uint8(0), np.uint8(0)
        for i in range(start, start + 128):
            opening = np.uint8(opening + np.uint8(text[i] == 40))
            closing = np.uint8(closing + np.uint8(text[i] == 41))
            commas = np.uint8(commas + np.uint8(text[i] == 44))
        n_open += int(opening)
        n_closed += int(closing)
        n_commas += int(commas)
    for i in range(blocks, text.size):
        n_open += text[i] == 40
        n_closed += text[i] == 41
        n_commas += text[i] == 44
    return Count(n_open, n_closed, n_closed + n_commas)


@njit
def _put_below(parent: IntArray, child: int, node: int) -> None:
    """Give a parent to a child and to its siblings before, whose places hold the one before each."""
    while child >= 0:
        before = parent[child]
        parent[child] = node
        child = before


@njit
def scan(  # noqa: C901 - one state machine in one loop
    text: NDArray[np.uint8], piece: Piece, columns: Columns, brackets: Brackets
) -> Scan:
    """Read a piece of a Newick text, as UTF-8, into the rows of its nodes. O(length).

    A piece that is not at the start follows a comma. The rows must be as many as its commas, closing brackets and, at
    the end of the text, one more; those of ``brackets`` one more than its opening and as many as its closing brackets.
    The last byte must be a mark or a blank, where every name and number ends. All marks are ASCII, and no byte of a
    longer character is. Names and numbers are read in place: a call that hands over the text costs more than the few
    characters it reads.
    """
    parent, last_child, n = columns.parent, brackets.last_child, piece.stop
    is_first = piece.start == 0
    node, n_closed, depth, phase, error, i = piece.first_node, 0, 0, _START, 0, piece.start
    name_start, name_stop, length_start, length, is_tip = -1, -1, -1, 0.0, True
    n_lengths, n_uncertain, unnamed = 0, 0, -1
    last_child[0] = -1
    while i < n:
        kind = int(KIND[text[_at(i)]])
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
            negative = text[_at(i)] == 45
            j = i + 1 if negative or text[_at(i)] == 43 else i
            digits, first = 0, j
            digit = (int(text[_at(j)]) - 48) & 255  # 10 or more if it is none
            while digit <= 9:
                digits = digits * 10 + digit
                j += 1
                digit = (int(text[_at(j)]) - 48) & 255
            n_digits, power = j - first, 0
            if text[_at(j)] == 46:
                start = j + 1
                j = start
                digit = (int(text[_at(j)]) - 48) & 255
                while digit <= 9:
                    digits = digits * 10 + digit
                    j += 1
                    digit = (int(text[_at(j)]) - 48) & 255
                n_digits, power = n_digits + j - start, start - j
            significant, exponent = n_digits, 0
            if n_digits > _MOST_DIGITS:
                while first < j and (text[first] == 48 or text[first] == 46):
                    significant -= text[first] == 48
                    first += 1
            if n_digits > 0 and (text[_at(j)] == 101 or text[_at(j)] == 69):
                j += 1
                downwards = text[_at(j)] == 45
                if downwards or text[_at(j)] == 43:
                    j += 1
                n_digits = 0
                while 48 <= text[_at(j)] <= 57:
                    exponent = min(exponent * 10 + (int(text[_at(j)]) - 48), _MOST_EXPONENT)
                    n_digits += 1
                    j += 1
                power += -exponent if downwards else exponent
            if n_digits == 0 or KIND[text[_at(j)]] == 0:
                error = _NO_NUMBER
                break
            certain = significant <= _MOST_DIGITS and exponent < _MOST_EXPONENT
            length = _decimal(digits, power) if certain else np.nan
            if np.isnan(length):
                n_uncertain += 1
            elif negative:
                length = -length
            n_lengths += 1
            length_start, after = i, j
        elif kind == 0:
            # up to the next mark, blanks at the end left out
            j = i + 1
            while KIND[text[_at(j)]] == 0:
                j += 1
            after, line_break, blank = j, -1, -1
            while j < n and (KIND[text[j]] == 0 or KIND[text[j]] == _BLANK):
                if KIND[text[j]] == 0:
                    after = j + 1
                    if blank >= 0:
                        line_break = blank
                        break
                elif text[j] != 32 and blank == -1:
                    blank = j
                j += 1
            if line_break >= 0:
                error, i = _BROKEN_LINE, line_break
                break
            name_start, name_stop = i, after
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
            name_start, name_stop = i + 1, j
            after = j + 1
        elif kind == _OPEN:
            depth += 1
            last_child[depth] = -1
        elif kind == _END or kind == _CLOSE or kind == _COMMA:
            if kind == _END and depth > 0:
                error = _UNCLOSED_BRACKET
                break
            if is_first and kind != _END and depth == 0:
                error = _EXTRA_CLOSE if kind == _CLOSE else _OUTSIDE_COMMA
                break
            if stopped():
                break
            if unnamed < 0 and is_tip and (name_start < 0 or name_start == name_stop):
                unnamed = node
            columns.name_start[node] = name_start
            columns.name_stop[node] = i if name_start < 0 else name_stop
            columns.length[node] = length
            columns.length_start[node] = length_start
            columns.is_tip[node] = is_tip
            name_start, length_start, length, is_tip = -1, -1, 0.0, kind != _CLOSE
            if kind == _END:
                parent[node] = -1
                node += 1
            else:
                parent[node] = last_child[depth]  # until the bracket closes: the sibling before
                last_child[depth] = node
                node += 1
            if kind == _CLOSE:
                _put_below(parent, last_child[depth], node)
                if depth > 0:
                    depth -= 1
                else:
                    brackets.closed_by[n_closed] = node
                    n_closed += 1
                    last_child[0] = -1
        phase = follows
        i = after
    if error == 0 and phase != _DONE and n == text.size:
        error = _NO_END
    return Scan(depth, n_closed, node - piece.first_node, n_lengths, n_uncertain, unnamed, error, i)


@njit
def join(parent: IntArray, open_brackets: Brackets, n_open: int, brackets: Brackets, piece: Scan) -> bool:
    """Return whether the last piece of a text closes the brackets that the text before leaves open, and join them."""
    last_child, depth = open_brackets.last_child, n_open
    for k in range(piece.n_closed):
        if depth == 0:
            return False
        _put_below(parent, last_child[depth], brackets.closed_by[k])
        depth -= 1
    return depth == 0 and piece.n_open == 0 and brackets.last_child[0] < 0
