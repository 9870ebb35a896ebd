"""The best one-to-one matching of the rows and columns of a sparse table, in whole numbers throughout."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._builtins import stopped
from dendrometry._kernels._jit import njit
from dendrometry._typing import IntArray

# Columns of _State.cell: row, column and items.
_CELL_ROW, _CELL_COLUMN, _ITEMS = range(3)
# Columns of _State.row: its price, and the cell that matches it or -1.
_PRICE, _MATCH = range(2)
# Columns of _State.column: its price, the row matched to it or -1; of the search under way its distance from the first
# row or -1, the cell over which it was reached; and two lists of columns: in the order in which they were met and left.
_REACHED_AT, _REACHED_BY, _SEEN, _SETTLED = range(2, 6)
# Columns of _State.queue: a stack of columns at the present distance; a heap of others, by distance.
_NEAR, _HEAP_KEY, _HEAP_COLUMN = range(3)
# Places in _State.mark: how many are seen, near and on the heap; the least loss found, and where its path ends.
_N_SEEN, _N_NEAR, _N_HEAP, _BEST, _END_ROW, _END_COLUMN = range(6)


class _State(NamedTuple):
    """The table, the matching so far with its prices, and the search under way.

    The prices of a row and a column are together at least the items of their cell, and equal to them where matched.
    """

    start: IntArray  # where the cells of each row begin
    cell: IntArray
    row: IntArray
    column: IntArray
    queue: IntArray
    mark: IntArray


@njit
def _push(state: _State, key: int, column: int) -> None:
    """Put a column on the heap."""
    queue = state.queue
    at = state.mark[_N_HEAP]
    state.mark[_N_HEAP] += 1
    while at > 0 and queue[(at - 1) // 2, _HEAP_KEY] > key:
        above = (at - 1) // 2
        queue[at, _HEAP_KEY] = queue[above, _HEAP_KEY]
        queue[at, _HEAP_COLUMN] = queue[above, _HEAP_COLUMN]
        at = above
    queue[at, _HEAP_KEY] = key
    queue[at, _HEAP_COLUMN] = column


@njit
def _drop_first(state: _State) -> None:
    """Take the nearest column off the heap."""
    queue = state.queue
    state.mark[_N_HEAP] -= 1
    size = state.mark[_N_HEAP]
    key = queue[size, _HEAP_KEY]
    at = 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and queue[below + 1, _HEAP_KEY] < queue[below, _HEAP_KEY]:
            below += 1
        if queue[below, _HEAP_KEY] >= key:
            break
        queue[at, _HEAP_KEY] = queue[below, _HEAP_KEY]
        queue[at, _HEAP_COLUMN] = queue[below, _HEAP_COLUMN]
        at = below
    queue[at, _HEAP_KEY] = key
    queue[at, _HEAP_COLUMN] = queue[size, _HEAP_COLUMN]


@njit
def _flip(state: _State, c: int, first: int) -> None:
    """Match column c to the row from which the search came, and so on back to the first row."""
    while True:
        cell = state.column[c, _REACHED_BY]
        r = state.cell[cell, _CELL_ROW]
        before = state.row[r, _MATCH]
        state.row[r, _MATCH] = cell
        state.column[c, _MATCH] = r
        if r == first:
            return
        c = state.cell[before, _CELL_COLUMN]


@njit
def _scan(state: _State, r: int, here: int) -> None:
    """Look at the columns of a row that is reached at distance ``here``; keep those that come nearer by it."""
    mark, column = state.mark, state.column
    for cell in range(state.start[r], state.start[r + 1]):
        c = state.cell[cell, _CELL_COLUMN]
        far = here + state.row[r, _PRICE] + column[c, _PRICE] - state.cell[cell, _ITEMS]
        known = column[c, _REACHED_AT]
        if far >= mark[_BEST] or 0 <= known <= far:
            continue
        if known < 0:
            column[mark[_N_SEEN], _SEEN] = c
            mark[_N_SEEN] += 1
        column[c, _REACHED_AT] = far
        column[c, _REACHED_BY] = cell
        if column[c, _MATCH] < 0:
            mark[_BEST] = far
            mark[_END_COLUMN] = c
        elif far == here:
            state.queue[mark[_N_NEAR], _NEAR] = c
            mark[_N_NEAR] += 1
        else:
            _push(state, far, c)


@njit
def _nearest(state: _State) -> int:
    """Return the nearest column that is not settled, or -1 if none is nearer than the best end found."""
    mark, queue = state.mark, state.queue
    if mark[_N_NEAR] > 0:
        mark[_N_NEAR] -= 1
        return int(queue[mark[_N_NEAR], _NEAR])
    while mark[_N_HEAP] > 0 and queue[0, _HEAP_KEY] != state.column[queue[0, _HEAP_COLUMN], _REACHED_AT]:
        _drop_first(state)
    if mark[_N_HEAP] == 0 or queue[0, _HEAP_KEY] >= mark[_BEST]:
        return -1
    c = int(queue[0, _HEAP_COLUMN])
    _drop_first(state)
    return c


@njit
def _finish(state: _State, first: int, n_settled: int) -> None:
    """Change the prices of what the search has settled, and the matching along the best path."""
    best, column = state.mark[_BEST], state.column
    state.row[first, _PRICE] -= best
    for i in range(n_settled):
        c = column[i, _SETTLED]
        gain = max(best - column[c, _REACHED_AT], 0)
        column[c, _PRICE] += gain
        state.row[column[c, _MATCH], _PRICE] -= gain
    end_row, end_column = state.mark[_END_ROW], state.mark[_END_COLUMN]
    if end_column >= 0:
        _flip(state, end_column, first)
    elif end_row != first:
        freed = state.cell[state.row[end_row, _MATCH], _CELL_COLUMN]
        state.row[end_row, _MATCH] = -1
        _flip(state, freed, first)
    for i in range(state.mark[_N_SEEN]):
        column[column[i, _SEEN], _REACHED_AT] = -1


@njit
def _search(state: _State, first: int) -> None:
    """Match a free row at the least loss: a path to a free column, or to a row that is better left free.

    Dijkstra's walk over the cells; a cell is as long as the prices of its ends exceed its items.
    """
    mark = state.mark
    mark[:] = 0
    mark[_BEST] = state.row[first, _PRICE]
    mark[_END_ROW], mark[_END_COLUMN] = first, -1
    r, here, n_settled = first, 0, 0
    while True:
        _scan(state, r, here)
        c = _nearest(state) if mark[_BEST] > here else -1
        if c < 0:
            break
        here = state.column[c, _REACHED_AT]
        state.column[n_settled, _SETTLED] = c
        n_settled += 1
        r = state.column[c, _MATCH]
        if here + state.row[r, _PRICE] < mark[_BEST]:
            mark[_BEST] = here + state.row[r, _PRICE]
            mark[_END_ROW], mark[_END_COLUMN] = r, -1
    _finish(state, first, n_settled)


@njit
def _take_largest(state: _State, order: IntArray) -> None:
    """Match rows, in this order, to free columns by their largest cells; of these to the one that fewest rows want."""
    cells, column = state.cell, state.column
    column_choices = np.zeros(len(column), dtype=np.int64)
    for cell in range(len(cells)):
        if cells[cell, _ITEMS] == state.row[cells[cell, _CELL_ROW], _PRICE]:
            column_choices[cells[cell, _CELL_COLUMN]] += 1
    for r in order:
        chosen = -1
        for cell in range(state.start[r], state.start[r + 1]):
            c = cells[cell, _CELL_COLUMN]
            if cells[cell, _ITEMS] == state.row[r, _PRICE]:
                column_choices[c] -= 1
                if column[c, _MATCH] < 0 and (
                    chosen < 0 or column_choices[c] < column_choices[cells[chosen, _CELL_COLUMN]]
                ):
                    chosen = cell
        if chosen >= 0:
            state.row[r, _MATCH] = chosen
            column[cells[chosen, _CELL_COLUMN], _MATCH] = r


@njit
def best_matching(start: IntArray, cells: IntArray, order: IntArray, n_columns: int) -> IntArray:
    """Return for each row the cell that matches it in a one-to-one matching of the most items, or -1.

    ``start`` is where the cells of each row begin; ``cells`` has a line for each: row, column, and items, at
    least 1. Rows choose, and then search, in ``order``: best if those with the fewest largest cells come first, and
    of these the larger ones. Successive shortest paths with prices: most rows find a largest cell free and take it,
    every other row costs one search, which stays inside its connected component. O(rows x cells log cells) at worst,
    near O(cells log cells) where few rows contest a column.
    """
    n_rows = start.size - 1
    row = np.zeros((n_rows, 2), dtype=np.int64)
    row[:, _MATCH] = -1
    for cell in range(len(cells)):
        r = cells[cell, _CELL_ROW]
        row[r, _PRICE] = max(row[r, _PRICE], cells[cell, _ITEMS])
    column = np.zeros((n_columns, 6), dtype=np.int64)
    column[:, _MATCH] = -1
    column[:, _REACHED_AT] = -1
    queue = np.zeros((len(cells), 3), dtype=np.int64)
    state = _State(start, cells, row, column, queue, np.zeros(6, dtype=np.int64))
    _take_largest(state, order)
    for r in order:
        if stopped():
            break
        if row[r, _MATCH] < 0:
            _search(state, r)
    return row[:, _MATCH].copy()
