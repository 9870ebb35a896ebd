"""The targets of a search by products, in the order of their cells, and what products do not give of a distance.

With a the centre of the cell of query q, and b that of target t, the squared distance of q and t is what is left of the
product (q - a) (t - b), which is small, so that low precision does for it, and two tables in single precision: one of
every query and every cell, and one of every cell of a query and every target.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import torch

from dendrometry.cluster.gpu.plain import Columns, Wanted
from dendrometry.cluster.gpu.triton import kernels
from dendrometry.cluster.gpu.triton.cells import Cells

CHUNK = 64  # coordinates in one product
LANES, TILES = 64, 4  # targets of a tile, which are of one cell, and tiles of a block
BLOCK = LANES * TILES
VOID, FAR = 3e38, 1e37  # more than any value, and than any value of a target
NOWHERE = 1.5e19  # farther than any point
_TOP, _LARGEST = 14, 40  # exponents: of the largest coordinate, and of the factor that makes it so
_MOST = 1 << 21  # queries at once
_TABLE = 1 << 28  # numbers in a table
_NUMBERS = 1 << 26  # in a block of work
_ROWS, _COLUMNS = 8, 256  # of a table, in a block
_LOSS = 2.0**-20  # more than the share that rounding to single precision and adding there take


class Visits(NamedTuple):
    """The blocks that each program visits, one program after the other, and where those of a program start."""

    start: Any
    block: Any


class Tables(NamedTuple):
    """What queries and their cells add to products: see the top of this file; ``row`` is a query's row of the last."""

    of_query: Any
    of_cell: Any
    row: Any


class Targets:
    """The active clusters by cell, by group there, and from the centre outwards, scaled by a power of two.

    Each cell is filled up to whole tiles, and all to whole blocks, at a distance that is never among the least. Groups
    are numbered by where they come first.
    """

    def __init__(self, active: Any, group: Any, columns: Columns, wanted: Wanted, cells: Cells) -> None:
        point = columns.centroid[active] - cells.centre[cells.of]
        length = torch.linalg.vector_norm(point, dim=1)
        label = group[active]
        if cells.centre.shape[0] > 1:
            label = _first_places(length, cells.of, label, columns.size.shape[0])
        order = torch.argsort(cells.of * columns.size.shape[0] + label, stable=True)
        count = torch.bincount(cells.of, minlength=cells.centre.shape[0])
        n_tiles = -(-count // LANES)
        self.end = torch.cumsum(n_tiles, 0) * LANES
        self.start = self.end - n_tiles * LANES
        cell = cells.of[order]
        place = torch.arange(order.shape[0], device=order.device) + (self.start - torch.cumsum(count, 0) + count)[cell]
        n = blocks_of(int(self.end[-1]), BLOCK) * BLOCK
        self.n_slots = columns.size.shape[0]
        self.wanted = wanted._replace(alpha=1.0) if wanted.by_size else wanted
        self.slots = _spread(active[order], place, n, -1)
        self.cell = _spread(cell, place, n, 0)
        self.cell_of_tile = self.cell[::LANES].int()
        exponent = torch.frexp(torch.maximum(point.amax(), -point.amin()))[1]
        self.scale = torch.ldexp(torch.ones_like(point[0, 0]), torch.clamp(_TOP - exponent, max=_LARGEST))
        self.point = _spread(point[order] * self.scale, place, n, 0.0)
        self.length = _spread(length[order] * self.scale, place, n, 0.0)
        self.spread = _spread(columns.spread[active][order] * self.scale**2, place, n, 0.0)
        self.size = _spread(columns.size[active][order].float(), place, n, VOID)
        self.group = _spread(label[order].int(), place, n, -2)
        self.centre = (cells.centre - cells.centre.mean(dim=0)) * self.scale
        self.between = torch.cdist(self.centre, self.centre, compute_mode="donot_use_mm_for_euclid_dist") ** 2
        self.slack = 2.0**-46 * torch.linalg.vector_norm(self.centre, dim=1).amax()
        self.length_above = above(self.length)
        self.inverse_size = torch.where(self.slots < 0, 0.0, 1.0 / self.size)
        self.groups = self._extremes(self.group, BLOCK, (2147483647, -2))
        self._own = (self.point * self.point).sum(dim=1) + 2.0 * (self.point * self.centre[self.cell]).sum(dim=1)
        if wanted.search != "float64":  # for products
            self.half, self.rest = self._halves(wanted.search == "float16x3")

    def position(self, slots: Any) -> tuple[Any, Any]:
        """Return the places of some slots in ascending order, and the order of the slots that gives it."""
        place = torch.empty(self.n_slots + 1, dtype=torch.int64, device=slots.device)  # the last is for no slot
        place[self.slots] = torch.arange(self.slots.shape[0], device=slots.device)
        at, order = place[slots].sort()
        return at, order

    def programs(self, at: Any, n_queries: int) -> Any:
        """Return numbers of queries in their order, some repeated, so that those of a program are of one cell."""
        counts = torch.unique_consecutive(self.cell[at], return_counts=True)[1]
        padding = -counts % n_queries
        end = torch.cumsum(counts, 0) - 1
        shift = torch.cumsum(padding, 0) - padding
        kind = torch.repeat_interleave(counts + padding)
        return torch.minimum(torch.arange(kind.shape[0], device=at.device) - shift[kind], end[kind])

    def parts(self, at: Any, n_queries: int) -> Iterator[slice]:
        """Divide queries, whole programs each, so that no table becomes too large."""
        cells = self.cell[at[::n_queries]].cpu().numpy()
        most = max(1, min(_MOST, _TABLE // self.centre.shape[0]) // n_queries)
        most_cells = max(1, _TABLE // self.cell.shape[0])
        start, rank = 0, np.cumsum(np.diff(cells, prepend=cells[:1]) != 0)
        while start < cells.shape[0]:
            end = min(start + most, int(np.searchsorted(rank, rank[start] + most_cells)))
            yield slice(start * n_queries, end * n_queries)
            start = end

    def away(self, at: Any) -> Any:
        """Return how far queries are from the centre of each cell."""
        every = torch.arange(self.centre.shape[0], device=at.device)
        return self._table(every, at, self._own[at], True, True)

    def tables(self, at: Any, tiny: float) -> Tables:
        """Return what queries, and their cells, add to products; ``tiny`` is the error of a product for each length."""
        used, row = torch.unique_consecutive(self.cell[at], return_inverse=True)
        every = torch.arange(self.centre.shape[0], device=at.device)
        more = self.spread - 2.0 * self.wanted.alpha * self.slack * self.length
        of_query = self._table(every, at, (more - 2.0 * self.wanted.alpha * tiny * self.length)[at], False, False)
        more = torch.where(self.slots < 0, VOID, more)
        return Tables(of_query, self._table(used, slice(None), more, True, False), row.int())

    def _table(self, cells: Any, at: Any, more: Any, between: bool, root: bool) -> Any:
        """Return a row for each of some cells, with a number for each of some targets: see the kernel."""
        point, cell, own = self.point[at], self.cell[at], self._own[at]
        n = point.shape[0]
        out = torch.empty((cells.shape[0], n), dtype=torch.float32, device=point.device)
        step = max(1, _NUMBERS // n)
        for start in range(0, cells.shape[0], step):
            part = cells[start : start + step]
            kernels.finish_table[(blocks_of(n, _COLUMNS), blocks_of(part.shape[0], _ROWS))](
                self.centre[part] @ point.T, own, more, self.between, part, cell, out[start : start + step],
                part.shape[0], n, self.centre.shape[0], self.wanted.alpha,
                ROWS=_ROWS, COLUMNS=_COLUMNS, BETWEEN=between, ROOT=root, num_warps=4,
            )  # fmt: skip
        return out

    def own_blocks(self, at: Any) -> "Visits":
        """Return the blocks with targets of the cell of a query."""
        cell = self.cell[at]
        first, last = self.start[cell] // BLOCK, (self.end[cell] - 1) // BLOCK
        program = torch.repeat_interleave(last - first + 1)
        end = torch.cumsum(last - first + 1, 0)
        block = torch.arange(program.shape[0], device=at.device) - (end - last - 1)[program]
        return Visits(from_zero(end), block.int())

    def _halves(self, threefold: bool) -> tuple[Any, Any]:
        """Return the points in half precision, and what that drops (or the same again where it is not needed)."""
        n, d = self.point.shape
        width = 16 if d <= 16 else 32 if d <= 32 else -(-d // CHUNK) * CHUNK
        half = torch.zeros((n, width), dtype=torch.float16, device=self.point.device)
        half[:, :d] = self.point
        if not threefold:
            return half, half
        rest = torch.zeros_like(half)
        rest[:, :d] = self.point - half[:, :d]
        return half, rest

    def tiles(self) -> tuple[Any, ...]:
        """Return how far the targets of each tile are from their centre, and what of them allows the nearest."""
        inner, outer = self._extremes(self.length, LANES, (NOWHERE, 0.0))
        inverse = self._extremes(self.inverse_size, LANES, (0.0, 0.0))[1]
        spread = self._extremes(self.spread, LANES, (NOWHERE, 0.0))[0]
        return below(inner), above(outer), inverse, below(spread)

    def _extremes(self, column: Any, width: int, void: tuple[Any, Any]) -> tuple[Any, Any]:
        """Return the least and the greatest of a column for so many targets each; ``void`` stand for no target."""
        none = (self.slots < 0).view(-1, width)
        column = column.view(-1, width)
        return torch.where(none, void[0], column).amin(dim=1), torch.where(none, void[1], column).amax(dim=1)

    def candidates(self, first: Any, group: Any) -> Any:
        """Return the slots of all tiles of the lanes found, less those of a query's own group; -1 for none."""
        column = first[:, :, None] + LANES * torch.arange(TILES, dtype=torch.int32, device=first.device)
        column = column.flatten(1)
        void = (first < 0).repeat_interleave(TILES, dim=1)
        column[void] = 0
        void |= self.group[column] == group[:, None]
        return torch.where(void, -1, self.slots[column].int())


def _first_places(length: Any, cell: Any, group: Any, n_groups: int) -> Any:
    """Return for each point where its group comes first, in the order of cells and from their centres outwards."""
    order = torch.argsort(length, stable=True)
    order = order[torch.argsort(cell[order], stable=True)]
    place = torch.empty_like(order)
    place[order] = torch.arange(order.shape[0], device=order.device)
    first = torch.full((n_groups,), order.shape[0], device=order.device)
    return first.scatter_reduce_(0, group, place, "amin")[group]


def from_zero(end: Any) -> Any:
    """Return where parts start that end one after the other."""
    return torch.nn.functional.pad(end, (1, 0)).int()


def _spread(values: Any, place: Any, n: int, void: float) -> Any:
    """Return n values, those given at their places."""
    out = torch.full((n, *values.shape[1:]), void, dtype=values.dtype, device=values.device)
    out[place] = values
    return out


def blocks_of(n: int, size: int) -> int:
    """Return the number of blocks of a size that hold n."""
    return -(-n // size)


def below(values: Any) -> Any:
    """Return values in single precision, at least as low as they are, errors of sums included."""
    return (values - values.abs() * _LOSS).float()


def above(values: Any) -> Any:
    """Return values in single precision, at least as high as they are."""
    return (values + values.abs() * _LOSS).float()
