"""One pass over a JSON text of nested nodes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray

KEYS = ("name", "height", "length", "children", "items", "branch_length", "dist", "weight")
"""The keys that are told apart, numbered from 1; all others are 0."""

_NAME, _HEIGHT, _LENGTH, _CHILDREN, _ITEMS = range(1, 6)
_LETTERS = np.zeros((len(KEYS), 16), dtype=np.uint8)
for _row, _key in zip(_LETTERS, KEYS, strict=True):
    _row[: len(_key)] = np.frombuffer(_key.encode(), dtype=np.uint8)
_SIZES = np.array([len(key) for key in KEYS])
_MOST_OTHERS = 100  # keys of a node that are passed over; each is compared with all before it
_NODE, _NODES, _STRINGS, _OBJECT, _LIST = range(5)  # what a bracket holds
_A_VALUE, _VALUE_OR_END, _A_KEY, _KEY_OR_END, _COMMA_OR_END = range(5)  # what must follow


class JsonScan(NamedTuple):
    """The content of a JSON text, one row for each node in the order in which they begin: parents first.

    Spans are offsets of bytes, with the quotes of a string; they start at -1 where there is none. ``keys`` has a bit
    for each of `KEYS` that a node has. ``is_plain`` is False where the text is not that of a tree, or has what is not
    decided here: a key with an escape, or many keys that are passed over.
    """

    parent: IntArray
    offset: IntArray
    name: IntArray
    height: IntArray
    length: IntArray
    keys: NDArray[np.uint8]
    item_node: IntArray
    item: IntArray
    is_plain: bool


@njit
def _after_escape(text: NDArray[np.uint8], i: int) -> int:
    """Return the offset after the escape whose backslash is at i, or -1 if it is not well formed."""
    i += 1
    if i == text.size:
        return -1
    c = text[i]
    if c != 117:
        known = c == 34 or c == 92 or c == 47 or c == 98 or c == 102 or c == 110 or c == 114 or c == 116
        return i + 1 if known else -1
    for j in range(i + 1, i + 5):
        if j >= text.size or not (48 <= text[j] <= 57 or 65 <= text[j] <= 70 or 97 <= text[j] <= 102):
            return -1
    return i + 5


@njit
def _after_string(text: NDArray[np.uint8], i: int) -> int:
    """Return the offset after the string whose opening quote is at i, or -1 if it is not well formed."""
    i += 1
    while 0 <= i < text.size:
        c = text[i]
        if c == 34:
            return i + 1
        if c < 32:
            return -1
        i = _after_escape(text, i) if c == 92 else i + 1
    return -1


@njit
def _after_digits(text: NDArray[np.uint8], i: int) -> int:
    """Return the offset after one or more digits at i, or -1 if there is none."""
    start = i
    while i < text.size and 48 <= text[i] <= 57:
        i += 1
    return i if i > start else -1


@njit
def _after_number(text: NDArray[np.uint8], i: int) -> int:
    """Return the offset after the number at i, or -1 if it is not well formed."""
    if text[i] == 45:
        i += 1
    i = i + 1 if i < text.size and text[i] == 48 else _after_digits(text, i)
    if 0 <= i < text.size and text[i] == 46:
        i = _after_digits(text, i + 1)
    if 0 <= i < text.size and (text[i] == 101 or text[i] == 69):
        i += 1
        if i < text.size and (text[i] == 43 or text[i] == 45):
            i += 1
        i = _after_digits(text, i)
    return i


@njit
def _after_word(text: NDArray[np.uint8], i: int) -> int:
    """Return the offset after true, false or null at i, or -1 if there is none of them."""
    n = text.size
    if i + 4 <= n and text[i] == 116 and text[i + 1] == 114 and text[i + 2] == 117 and text[i + 3] == 101:
        return i + 4
    if i + 4 <= n and text[i] == 110 and text[i + 1] == 117 and text[i + 2] == 108 and text[i + 3] == 108:
        return i + 4
    false = i + 5 <= n and text[i] == 102 and text[i + 1] == 97 and text[i + 2] == 108
    return i + 5 if false and text[i + 3] == 115 and text[i + 4] == 101 else -1


@njit
def _number_of_key(text: NDArray[np.uint8], start: int, stop: int) -> int:
    """Return the number of a key, 0 if it is not among `KEYS`."""
    for k in range(_SIZES.size):
        if _SIZES[k] == stop - start:
            same = True
            for j in range(stop - start):
                same &= text[start + j] == _LETTERS[k, j]
            if same:
                return k + 1
    return 0


@njit
def _are_same(text: NDArray[np.uint8], a: int, b: int, size: int) -> bool:
    """Return whether two parts of a text are the same."""
    for j in range(size):
        if text[a + j] != text[b + j]:
            return False
    return True


@njit
def scan(text: NDArray[np.uint8]) -> JsonScan:  # noqa: C901 - one state machine in one loop
    """Read a JSON text, as UTF-8, into columns. O(length) if objects have few keys that are passed over."""
    n = text.size
    n_objects, n_lists, n_marks = 0, 0, 0
    for i in range(n):
        n_objects += text[i] == 123
        n_lists += text[i] == 91
        n_marks += text[i] == 44
    parent = np.full(n_objects, -1, dtype=np.int64)
    offset = np.empty(n_objects, dtype=np.int64)
    name = np.full((n_objects, 2), -1, dtype=np.int64)
    height = np.full((n_objects, 2), -1, dtype=np.int64)
    length = np.full((n_objects, 2), -1, dtype=np.int64)
    keys = np.zeros(n_objects, dtype=np.uint8)
    item_node = np.empty(n_marks + n_lists, dtype=np.int64)
    item = np.empty((n_marks + n_lists, 2), dtype=np.int64)
    others = np.empty((n_marks + n_objects, 3), dtype=np.int64)  # keys passed over: start, stop, the one before
    last_other = np.full(n_objects, -1, dtype=np.int64)
    holds = np.empty(n_objects + n_lists + 1, dtype=np.uint8)
    n_nodes, n_items, n_others, depth, node, key, i = 0, 0, 0, 0, -1, 0, 0
    expects, is_plain, is_done = _A_VALUE, True, False
    while True:
        while i < n and (text[i] == 32 or text[i] == 10 or text[i] == 13 or text[i] == 9):
            i += 1
        if i == n or is_done or stopped():
            is_plain = i == n and is_done
            break
        c = text[i]
        within = holds[depth - 1] if depth > 0 else _NODES
        in_object = within == _NODE or within == _OBJECT
        closes = c == (125 if in_object else 93) and depth > 0
        if closes and (expects == _COMMA_OR_END or expects == _KEY_OR_END or expects == _VALUE_OR_END):
            depth -= 1
            if within == _NODE:
                node = parent[node]
            expects, is_done = _COMMA_OR_END, depth == 0
            i += 1
        elif expects == _COMMA_OR_END:
            if c != 44:
                is_plain = False
                break
            expects = _A_KEY if in_object else _A_VALUE
            i += 1
        elif expects == _A_KEY or expects == _KEY_OR_END:
            after = _after_string(text, i) if c == 34 else -1
            start, stop = i + 1, after - 1
            i = after
            while -1 < i < n and (text[i] == 32 or text[i] == 10 or text[i] == 13 or text[i] == 9):
                i += 1
            if i < 0 or i == n or text[i] != 58:
                is_plain = False
                break
            if within == _NODE:
                for j in range(start, stop):
                    is_plain &= text[j] != 92
                key = _number_of_key(text, start, stop)
                if key > 0:
                    bit = 1 << (key - 1)
                    is_plain &= keys[node] & bit == 0
                    keys[node] |= bit
                else:
                    other, n_before = last_other[node], 0
                    while other >= 0 and is_plain:
                        size = others[other, 1] - others[other, 0]
                        is_plain &= size != stop - start or not _are_same(text, others[other, 0], start, size)
                        other = others[other, 2]
                        n_before += 1
                    is_plain &= n_before <= _MOST_OTHERS
                    others[n_others, 0], others[n_others, 1], others[n_others, 2] = start, stop, last_other[node]
                    last_other[node] = n_others
                    n_others += 1
                if not is_plain:
                    break
            expects = _A_VALUE
            i += 1
        elif c == 123 or c == 91:
            if within == _NODE and (key == _CHILDREN or key == _ITEMS):
                is_plain = c == 91
                inner = _NODES if key == _CHILDREN else _STRINGS
            elif within == _NODE:
                is_plain = key != _NAME and key != _HEIGHT
                inner = _OBJECT if c == 123 else _LIST
            elif within == _NODES:
                is_plain = c == 123
                inner = _NODE
                if is_plain:
                    parent[n_nodes], offset[n_nodes], node = node, i, n_nodes
                    n_nodes += 1
            else:
                is_plain = within != _STRINGS
                inner = _OBJECT if c == 123 else _LIST
            if not is_plain:
                break
            holds[depth] = inner
            depth += 1
            expects = _KEY_OR_END if c == 123 else _VALUE_OR_END
            i += 1
        else:
            if c == 34:
                after = _after_string(text, i)
            elif c == 45 or 48 <= c <= 57:
                after = _after_number(text, i)
            else:
                after = _after_word(text, i)
            is_word, is_null = 97 <= c <= 122, c == 110
            is_plain = after >= 0 and within != _NODES
            if within == _STRINGS and is_plain:
                is_plain = not is_word
                item_node[n_items], item[n_items, 0], item[n_items, 1] = node, i, after
                n_items += 1
            elif within == _NODE and is_plain and not is_null:
                if key == _NAME:
                    is_plain = not is_word
                    name[node, 0], name[node, 1] = i, after
                elif key == _HEIGHT:
                    is_plain = not is_word and c != 34
                    height[node, 0], height[node, 1] = i, after
                elif key == _LENGTH and not is_word and c != 34:
                    length[node, 0], length[node, 1] = i, after
                elif key == _CHILDREN or key == _ITEMS:
                    is_plain = False
            if not is_plain:
                break
            expects = _COMMA_OR_END
            i = after
    return JsonScan(
        parent[:n_nodes],
        offset[:n_nodes],
        name[:n_nodes],
        height[:n_nodes],
        length[:n_nodes],
        keys[:n_nodes],
        item_node[:n_items],
        item[:n_items],
        is_plain,
    )
