"""The nearest earlier document, by an index of terms.

The lists of a document's terms are read from the rarest on, and the document that leads is compared in full. If no
other can be nearer, that is all. Otherwise, after some entries, all documents are bounded: by the lists, by the bytes
of terms without a list, and by the lengths of both documents in groups of common terms. Those that may be nearest are
bounded by the bytes of each common term, and compared in full if they still may.

A search that need not be exact below some novelty ends at the first document that is nearer. All documents are then
bounded by blocks, the latest first, each several times as large as the one before.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._kernels._jit import njit, njit_brief
from dendrometry._kernels.text.story_index import UNIT, Documents, Index, Terms, append, store, store_frequent
from dendrometry._typing import FloatArray, IntArray

_ROUNDING = 1e-9
_SINGLE = 2.0**-23  # twice the rounding of one operation in single precision
_EQUAL = 1e-12  # products this near to each other are those of documents alike, summed in another order
_SCALE = float(UNIT * UNIT)  # of bounds
_LOOK = 16  # entries of lists that are read before the document that leads is compared
_READ = 256  # entries that are read at most before all documents are bounded, and this share of all documents more
_READ_SHARE = 64
_FEW = 64  # of so many documents, one is compared in full rather than that all are bounded
PASS = 2048  # rows whose bounds are summed while they are in the nearest cache
STRIDE = 128  # of these, rows so far apart are a chunk, whose largest bound is kept: by vector instructions
_GROWTH = 4  # how many times as large as the last a block of documents is, of those searched one after the other
_PIECES = 16  # parts of all documents of which the most likely one is compared first, and likely ones compared in order


class Room(NamedTuple):
    """Room for a search: for each row a score and a bound, 0 before and after; places for rows that were met.

    The search ends when a row shows that the novelty is less than ``exact_above``.
    """

    score: NDArray[np.float32]
    bound: NDArray[np.uint16]  # for whole passes
    most: NDArray[np.uint16]  # the largest bound of each chunk
    met: NDArray[np.int32]  # one more than rows
    finer: NDArray[np.int32]  # bounds of rows that were met
    square: FloatArray  # for each group, 0 before and after
    exact_above: float  # -inf if the nearest row is always wanted


@njit
def _nearer(found: tuple[float, int], y: int, documents: Documents, dense: FloatArray) -> tuple[float, int]:
    """Return the greater of the best product and that of a row, and its row, the earlier of equals. O(entries)."""
    best, where = found
    column = documents.column[documents.indptr[y] : documents.indptr[y + 1]]
    weight = documents.weight[documents.indptr[y] : documents.indptr[y + 1]]
    product = 0.0
    for k in range(column.size):
        product += weight[k] * dense[column[k]]
    if product > best + _EQUAL:
        return product, y
    if where >= 0 and product >= best - _EQUAL:
        return max(best, product), min(where, y)
    return best, where


@njit
def _may_end(found: tuple[float, int], room: Room) -> bool:
    """Return whether the best product shows that the novelty need not be exact."""
    return max(0.0, 1.0 - found[0]) < room.exact_above


@njit
def _read(
    own: float, row: NDArray[np.int32], weight: NDArray[np.float32], met: NDArray[np.int32], score: NDArray[np.float32]
) -> int:
    """Add the products of a list to the scores; return how many rows were met that had none, in ``met``."""
    n = 0
    single = np.float32(own)
    for k in range(row.size):
        y = row[k]
        met[n] = y
        n += score[y] == 0.0  # a jump that is often not foreseen would cost more
        score[y] += single * weight[k]
    return n


@njit
def _read_rest(own: float, entry: int, documents: Documents, met: NDArray[np.int32], score: NDArray[np.float32]) -> int:
    """Do the same for entries that are in no list, from the last on."""
    n = 0
    while entry >= 0:
        y = documents.row[entry]
        met[n] = y
        n += score[y] == 0.0
        score[y] += np.float32(own) * np.float32(documents.weight[entry])
        entry = documents.previous[entry]
    return n


@njit
def _first_from(row: NDArray[np.int32], low: int) -> int:
    """Return the place of the first row that is no less than another in a list, which ascends. O(log n)."""
    begin, end = 0, row.size
    while begin < end:
        middle = (begin + end) // 2
        if row[middle] < low:
            begin = middle + 1
        else:
            end = middle
    return begin


@njit
def _read_into_bounds(
    low: int, unread: NDArray[np.int32], at: IntArray, documents: Documents, terms: Terms, index: Index, room: Room
) -> None:
    """Add the products of columns, rounded down, to the bounds: faster than to the scores, as no row is noted.

    ``at`` holds for each column where what is not read of its list ends, and its last entry in no list that is not
    read. Rows before ``low`` are left for the next time.
    """
    bound = room.bound
    for i in range(unread.size):
        c = unread[i]
        own = np.float32(terms.dense[c] * _SCALE)
        if c < index.place.size:
            begin, end = index.begin[c], at[2 * i]
            begin += _first_from(index.row[begin:end], low) if low > 0 else 0
            row, weight = index.row[begin:end], index.weight[begin:end]
            for k in range(row.size):
                bound[row[k]] += np.uint16(own * weight[k])
            at[2 * i] = begin
        entry = at[2 * i + 1]
        while entry >= 0 and documents.row[entry] >= low:
            bound[documents.row[entry]] += np.uint16(own * np.float32(documents.weight[entry]))
            entry = documents.previous[entry]
        at[2 * i + 1] = entry


@njit
def _largest(value: NDArray[Any]) -> int:
    """Return the position of the largest value, the first of equal ones. O(n)."""
    found = 0
    most = value[0]
    for y in range(value.size):
        if value[y] > most:
            found, most = y, value[y]
    return found


@njit
def _listed(column: NDArray[np.int32], frequency: IntArray, place: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the columns with a list that some row has, the rarest first."""
    chosen = np.empty(column.size, dtype=np.int32)
    n = 0
    for c in column:
        if frequency[c] > 0 and (c >= place.size or place[c] < 0):
            chosen[n] = c
            n += 1
    gap = n // 2
    while gap > 0:  # Shell's sort: short to compile
        for i in range(gap, n):
            c = chosen[i]
            while i >= gap and frequency[chosen[i - gap]] > frequency[c]:
                chosen[i] = chosen[i - gap]
                i -= gap
            chosen[i] = c
        gap //= 2
    return chosen[:n]


@njit
def _gather(
    column: NDArray[np.int32],
    chosen: NDArray[np.int32],
    documents: Documents,
    terms: Terms,
    index: Index,
    room: Room,
) -> tuple[int, int, float, tuple[float, int]]:
    """Read the lists of the rarest columns; return how many, how many rows were met, the length left, and the nearest.

    The length left is that in the columns not read that some row has. Stops after some entries, or when no row that was
    not met can be nearest, or when the search may end.
    """
    found, square = (0.0, -1), 0.0
    for c in column:
        if terms.frequency[c] > 0:
            square += terms.dense[c] * terms.dense[c]
    n_read, n_met, read, look = 0, 0, 0, _LOOK
    rest = np.sqrt(square) + _ROUNDING
    most = _READ + (room.score.size // _READ_SHARE if room.exact_above < 0.0 else 0)
    for c in chosen:
        if read + terms.frequency[c] > most or rest < found[0] or _may_end(found, room):
            break
        if c < index.place.size:
            low, high = index.begin[c], index.end[c]
            n_met += _read(terms.dense[c], index.row[low:high], index.weight[low:high], room.met[n_met:], room.score)
        n_met += _read_rest(terms.dense[c], terms.last[c], documents, room.met[n_met:], room.score)
        n_read += 1
        square -= terms.dense[c] * terms.dense[c]
        read += terms.frequency[c]
        rest = np.sqrt(max(square, 0.0)) + _ROUNDING
        if read >= look:
            found = _nearer(found, room.met[_largest(room.score[room.met[:n_met]])], documents, terms.dense)
            look = 8 * read
    if n_met > 0:
        found = _nearer(found, room.met[_largest(room.score[room.met[:n_met]])], documents, terms.dense)
    return n_read, n_met, rest, found


@njit
def _chosen_parts(column: NDArray[np.int32], n_rows: int, n_groups: int, index: Index) -> IntArray:
    """Return which rows of bytes bound products with the next row: of its groups, and of its columns without lists."""
    n, n_common = 0, index.group.size
    chosen = np.empty(n_groups + column.size, dtype=np.int64)
    for g in range(n_groups):
        chosen[n] = g
        n += index.part[g, n_rows] > 0
    for c in column:
        if c < index.place.size and index.place[c] >= n_common:
            chosen[n] = n_groups + index.place[c] - n_common
            n += 1
    return chosen[:n]


@njit
def _fill_bounds(block: tuple[int, int], n_rows: int, chosen: IntArray, part: NDArray[np.uint8], room: Room) -> None:
    """Add products of bytes with the next row to the bounds of a block, and find the largest of each chunk."""
    for low in range(block[0], block[1], PASS):
        bound = room.bound[low : block[1]][:PASS]
        for i in range(0, chosen.size, 2):  # two at a time: a bound is read and written half as often
            a, b = chosen[i], chosen[min(i + 1, chosen.size - 1)]
            own_a, part_a = np.uint16(part[a, n_rows]), part[a, low : low + bound.size]
            own_b, part_b = np.uint16(part[b, n_rows] * (b != a)), part[b, low : low + bound.size]
            for y in range(bound.size):
                bound[y] += own_a * part_a[y] + own_b * part_b[y]
        most = room.most[low // PASS * STRIDE :][:STRIDE]
        most[:] = 0
        for first in range(low, low + PASS, STRIDE):
            of_chunks = room.bound[first : first + STRIDE]
            for chunk in range(most.size):
                most[chunk] = max(most[chunk], of_chunks[chunk])


@njit
def _chunk(k: int, n_rows: int) -> tuple[int, int]:
    """Return the first row of a chunk, and the end of its rows."""
    low = k // STRIDE * PASS
    return low + k % STRIDE, min(low + PASS, n_rows)


@njit
def _chunks(block: tuple[int, int]) -> tuple[int, int]:
    """Return the first chunk of a block, whose first row begins a pass, and the end of its chunks."""
    return block[0] // PASS * STRIDE, (block[1] + PASS - 1) // PASS * STRIDE


@njit
def _compare_likely(
    block: tuple[int, int], documents: Documents, dense: FloatArray, room: Room, found: tuple[float, int]
) -> tuple[float, int]:
    """Compare a row with the largest bound of its chunk, for the best chunks of some pieces of a block.

    O(rows / chunk).
    """
    most, (first_chunk, end_chunk) = room.most, _chunks(block)
    step = (end_chunk - first_chunk) // _PIECES
    for low in range(first_chunk, end_chunk, step):
        k = low + _largest(most[low:end_chunk][:step])
        first, end = _chunk(k, block[1])
        for y in range(first, end, STRIDE):
            if room.bound[y] == most[k]:
                found = _nearer(found, y, documents, dense)
                break
        if _may_end(found, room):
            break
    return found


@njit
def _product(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> np.uint16:
    """Return the dot product of bytes, which is below 2**16."""
    total = np.uint16(0)
    for s in range(a.size):
        total = np.uint16(total + np.uint16(a[s]) * b[s])
    return total


@njit
def _refine(block: tuple[int, int], n_rows: int, least: int, slot: NDArray[np.uint8], room: Room) -> int:
    """Find the rows of a block with bounds no less than some number, and their bounds by each common column.

    Returns how many there are.
    """
    n = 0
    first_chunk, end_chunk = _chunks(block)
    for k in range(first_chunk, end_chunk):
        if room.most[k] >= least:
            first, end = _chunk(k, block[1])
            for y in range(first, end, STRIDE):
                room.met[n] = y
                n += room.bound[y] >= least
    n_groups = room.square.size
    in_group, in_column = slot[n_rows, :n_groups], slot[n_rows, n_groups:]
    for i in range(n):
        y = room.met[i]
        by_groups = _product(in_group, slot[y, :n_groups])
        by_columns = _product(in_column, slot[y, n_groups:])
        room.finer[i] = np.int64(room.bound[y]) - np.int64(by_groups) + np.int64(by_columns)
    return n


@njit
def _compare_near(
    n_near: int, documents: Documents, dense: FloatArray, room: Room, found: tuple[float, int, float]
) -> tuple[float, int]:
    """Compare the rows found whose bounds are no less than the best product, first some of the largest bounds.

    Stops when the search may end. The last number of ``found`` is by how much bounds may be off.
    """
    best, where, off = found
    finer = room.finer[:n_near]
    for _ in range(min(_PIECES, n_near)):
        i = _largest(finer)
        if finer[i] < (best - off) * _SCALE or _may_end((best, where), room):
            return best, where
        best, where = _nearer((best, where), room.met[i], documents, dense)
        finer[i] = -1
    for i in range(n_near):
        if finer[i] >= (best - off) * _SCALE:
            best, where = _nearer((best, where), room.met[i], documents, dense)
            if _may_end((best, where), room):
                break
    return best, where


@njit
def _compare_met(
    n_met: int, rest: float, documents: Documents, dense: FloatArray, room: Room, found: tuple[float, int]
) -> tuple[bool, tuple[float, int]]:
    """Compare the rows met that may be nearest, unless all rows may be or these are many; return whether it was done.

    ``rest`` bounds what the columns not read add to a product. Scores become 0; if not done, they are moved to bounds.
    """
    score, least = room.score, found[0] - rest
    n_likely = 0
    for y in room.met[:n_met]:
        n_likely += score[y] >= least
    is_decided = _may_end(found, room) or (least > 0.0 and n_likely * _FEW <= room.score.size)
    for y in room.met[:n_met]:
        if not is_decided:
            room.bound[y] = np.uint16(np.float64(score[y]) * _SCALE + 1.0)
        elif score[y] >= found[0] - rest and not _may_end(found, room):
            found = _nearer(found, y, documents, dense)
        score[y] = 0.0
    return is_decided, found


@njit
def _compare_all(n_rows: int, documents: Documents, dense: FloatArray) -> tuple[float, int]:
    """Compare all rows."""
    found = (0.0, -1)
    for y in range(n_rows):
        found = _nearer(found, y, documents, dense)
    return found


@njit
def _ends_of(unread: NDArray[np.int32], terms: Terms, index: Index) -> IntArray:
    """Return for each column the end of its list and its last entry in no list: see `_read_into_bounds`."""
    at = np.empty(2 * unread.size, dtype=np.int64)
    for i in range(unread.size):
        c = unread[i]
        at[2 * i] = index.end[c] if c < index.place.size else -1
        at[2 * i + 1] = terms.last[c]
    return at


@njit
def _block_before(low: int, n_rows: int, room: Room) -> tuple[int, int]:
    """Return the rows to be searched next, those from ``low`` on being known: all at once if all are needed."""
    if room.exact_above < 0.0:
        return 0, low
    size = max(PASS, (_GROWTH - 1) * (n_rows - low))
    return max(0, low - size) // PASS * PASS, low


@njit_brief
def compare(
    token: IntArray, n_rows: int, documents: Documents, terms: Terms, index: Index, room: Room
) -> tuple[int, float]:
    """Store a document, given the columns of its terms; return the nearest earlier row and their dot product.

    The row is the first of equal ones, and -1 if no product is positive. If it shows that the novelty is less than
    ``room.exact_above``, others may be nearer. Without an index, all rows are compared.
    Otherwise the cost is that of the lists, of the rows that may be nearest, and, if some lists do not decide, of a few
    bytes for each row of the blocks that are searched.
    """
    column = store(token, n_rows, documents, terms)
    if index.part.shape[1] == 0:
        best, where = _compare_all(n_rows, documents, terms.dense)
        append(n_rows, documents, terms, index)
        return where, best
    store_frequent(n_rows, documents, index, room.square)
    listed = _listed(column, terms.frequency, index.place)
    n_read, n_met, rest, found = _gather(column, listed, documents, terms, index, room)
    off = (column.size + 16) * _SINGLE
    is_decided, found = _compare_met(n_met, rest + off, documents, terms.dense, room, found)
    if not is_decided:
        unread, met = listed[n_read:], room.met[:n_met].copy()
        at = _ends_of(unread, terms, index)
        chosen = _chosen_parts(column, n_rows, room.square.size, index)
        off += unread.size / _SCALE
        low = n_rows
        while low > 0 and not _may_end(found, room):
            block = _block_before(low, n_rows, room)
            low = block[0]
            _read_into_bounds(low, unread, at, documents, terms, index, room)
            _fill_bounds(block, n_rows, chosen, index.part, room)
            found = _compare_likely(block, documents, terms.dense, room, found)
            least = max(int((found[0] - off) * _SCALE), 1 if n_read == listed.size else 0)  # 0 may be rounded down
            n_near = 0 if _may_end(found, room) else _refine(block, n_rows, least, index.slot, room)
            found = _compare_near(n_near, documents, terms.dense, room, (found[0], found[1], off))
        room.bound[low:n_rows] = 0
        for y in met:
            room.bound[y] = 0
    append(n_rows, documents, terms, index)
    return found[1], found[0]
