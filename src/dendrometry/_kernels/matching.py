"""The best one-to-one matching of the rows and columns of a sparse table, in whole numbers throughout."""

from typing import NamedTuple

import numpy as np

from dendrometry._kernels._jit import IntArray, njit

__all__ = ["best_matching"]


# Places in _State.mark: how many columns are seen, near and on the heap; the least loss found, and where it ends.
_SEEN, _NEAR, _HEAP, _BEST, _END_ROW, _END_COLUMN = range(6)


class _Cells(NamedTuple):
    """The table: where the cells of each row begin, and row, column and items of every cell."""

    start: IntArray
    row: IntArray
    column: IntArray
    items: IntArray


class _State(NamedTuple):
    """The matching so far, its prices, and the search under way."""

    row_price: IntArray  # row_price[r] + column_price[c] is at least the count of every cell, equal where matched
    column_price: IntArray
    row_cell: IntArray  # the cell that matches each row, or -1
    column_row: IntArray  # the row matched to each column, or -1
    distance: IntArray  # of each column from the row where the search started, or -1 where not seen
    pred_cell: IntArray  # the cell over which the search came to each column
    seen: IntArray  # columns in the order in which the search met them
    settled: IntArray  # columns in the order in which the search left them for their rows
    near: IntArray  # a stack of columns at the present distance
    heap_key: IntArray  # columns further away, nearest first
    heap_column: IntArray
    mark: IntArray


@njit
def _push(state: _State, key: int, column: int) -> None:
    """Put a column on the heap."""
    at = state.mark[_HEAP]
    state.mark[_HEAP] += 1
    while at > 0 and state.heap_key[(at - 1) // 2] > key:
        above = (at - 1) // 2
        state.heap_key[at] = state.heap_key[above]
        state.heap_column[at] = state.heap_column[above]
        at = above
    state.heap_key[at] = key
    state.heap_column[at] = column


@njit
def _drop_first(state: _State) -> None:
    """Take the nearest column off the heap."""
    state.mark[_HEAP] -= 1
    size = state.mark[_HEAP]
    key = state.heap_key[size]
    at = 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and state.heap_key[below + 1] < state.heap_key[below]:
            below += 1
        if state.heap_key[below] >= key:
            break
        state.heap_key[at] = state.heap_key[below]
        state.heap_column[at] = state.heap_column[below]
        at = below
    state.heap_key[at] = key
    state.heap_column[at] = state.heap_column[size]


@njit
def _flip(state: _State, cells: _Cells, c: int, first: int) -> None:
    """Match column c to the row from which the search came, and so on back to the first row."""
    while True:
        cell = state.pred_cell[c]
        r = cells.row[cell]
        before = state.row_cell[r]
        state.row_cell[r] = cell
        state.column_row[c] = r
        if r == first:
            return
        c = cells.column[before]


@njit
def _scan(state: _State, cells: _Cells, r: int, here: int) -> None:
    """Look at the columns of a row that is reached at distance ``here``; keep those that come nearer by it."""
    for cell in range(cells.start[r], cells.start[r + 1]):
        c = cells.column[cell]
        far = here + state.row_price[r] + state.column_price[c] - cells.items[cell]
        known = state.distance[c]
        if far >= state.mark[_BEST] or 0 <= known <= far:
            continue
        if known < 0:
            state.seen[state.mark[_SEEN]] = c
            state.mark[_SEEN] += 1
        state.distance[c] = far
        state.pred_cell[c] = cell
        if state.column_row[c] < 0:
            state.mark[_BEST], state.mark[_END_COLUMN] = far, c
        elif far == here:
            state.near[state.mark[_NEAR]] = c
            state.mark[_NEAR] += 1
        else:
            _push(state, far, c)


@njit
def _nearest(state: _State) -> int:
    """Return the nearest column that is not settled, or -1 if none is nearer than the best end found."""
    if state.mark[_NEAR] > 0:
        state.mark[_NEAR] -= 1
        return int(state.near[state.mark[_NEAR]])
    while state.mark[_HEAP] > 0 and state.heap_key[0] != state.distance[state.heap_column[0]]:
        _drop_first(state)
    if state.mark[_HEAP] == 0 or state.heap_key[0] >= state.mark[_BEST]:
        return -1
    c = int(state.heap_column[0])
    _drop_first(state)
    return c


@njit
def _finish(state: _State, cells: _Cells, first: int, n_settled: int) -> None:
    """Change the prices of what the search has settled, and the matching along the best path."""
    best = state.mark[_BEST]
    state.row_price[first] -= best
    for i in range(n_settled):
        c = state.settled[i]
        gain = max(best - state.distance[c], 0)
        state.column_price[c] += gain
        state.row_price[state.column_row[c]] -= gain
    end_row, end_column = state.mark[_END_ROW], state.mark[_END_COLUMN]
    if end_column >= 0:
        _flip(state, cells, end_column, first)
    elif end_row != first:
        freed = cells.column[state.row_cell[end_row]]
        state.row_cell[end_row] = -1
        _flip(state, cells, freed, first)
    for i in range(state.mark[_SEEN]):
        state.distance[state.seen[i]] = -1


@njit
def _search(state: _State, cells: _Cells, first: int) -> None:
    """Match a free row at the least loss: a path to a free column, or to a row that is better left free.

    Dijkstra's walk over the cells; a cell is as long as the prices of its ends exceed its count.
    """
    state.mark[:] = 0
    state.mark[_BEST], state.mark[_END_ROW], state.mark[_END_COLUMN] = state.row_price[first], first, -1
    r, here, n_settled = first, 0, 0
    while True:
        _scan(state, cells, r, here)
        c = _nearest(state) if state.mark[_BEST] > here else -1
        if c < 0:
            break
        here = state.distance[c]
        state.settled[n_settled] = c
        n_settled += 1
        r = state.column_row[c]
        if here + state.row_price[r] < state.mark[_BEST]:
            state.mark[_BEST], state.mark[_END_ROW], state.mark[_END_COLUMN] = here + state.row_price[r], r, -1
    _finish(state, cells, first, n_settled)


@njit
def _take_largest(state: _State, cells: _Cells) -> None:
    """Match rows to free columns by their largest cells: first the rows, then the columns with the fewest choices."""
    row_choices = np.zeros(cells.start.size - 1, dtype=np.int64)
    column_choices = np.zeros(state.column_row.size, dtype=np.int64)
    for cell in range(cells.items.size):
        if cells.items[cell] == state.row_price[cells.row[cell]]:
            row_choices[cells.row[cell]] += 1
            column_choices[cells.column[cell]] += 1
    for r in np.argsort(row_choices, kind="mergesort"):
        chosen = -1
        for cell in range(cells.start[r], cells.start[r + 1]):
            if cells.items[cell] == state.row_price[r]:
                c = cells.column[cell]
                column_choices[c] -= 1
                if state.column_row[c] < 0 and (chosen < 0 or column_choices[c] < column_choices[cells.column[chosen]]):
                    chosen = cell
        if chosen >= 0:
            state.row_cell[r] = chosen
            state.column_row[cells.column[chosen]] = r


@njit
def best_matching(start: IntArray, row: IntArray, column: IntArray, count: IntArray, n_columns: int) -> IntArray:
    """Return for each row the cell that matches it in a one-to-one matching of the largest total count, or -1.

    ``start`` is where the cells of each row begin, ``row`` and ``column`` are those of each cell, counts are at
    least 1. Successive shortest paths with prices: most rows find a largest cell free and take it, every other
    row costs one search, which stays inside its connected component. O(rows x cells log cells) at worst, near
    O(cells log cells) where few rows contest a column.
    """
    n_rows, n_cells = start.size - 1, column.size
    state = _State(
        np.zeros(n_rows, dtype=np.int64),
        np.zeros(n_columns, dtype=np.int64),
        np.full(n_rows, -1, dtype=np.int64),
        np.full(n_columns, -1, dtype=np.int64),
        np.full(n_columns, -1, dtype=np.int64),
        np.zeros(n_columns, dtype=np.int64),
        np.zeros(n_columns, dtype=np.int64),
        np.zeros(n_columns, dtype=np.int64),
        np.zeros(n_cells, dtype=np.int64),
        np.zeros(n_cells, dtype=np.int64),
        np.zeros(n_cells, dtype=np.int64),
        np.zeros(6, dtype=np.int64),
    )
    for cell in range(n_cells):
        state.row_price[row[cell]] = max(state.row_price[row[cell]], count[cell])
    cells = _Cells(start, row, column, count)
    _take_largest(state, cells)
    for r in range(n_rows):
        if state.row_cell[r] < 0:
            _search(state, cells, r)
    return state.row_cell
