"""The searches of a device by fused kernels; importing this module loads PyTorch and Triton."""

from collections.abc import Callable
from typing import Any

import torch
import triton

from dendrometry._kernels.cluster.vector_greedy import FORMS
from dendrometry.cluster.cpu.ward import MergedRound
from dendrometry.cluster.gpu.plain import LISTED, Columns, Lists, Plain, Rows, Slots, Wanted
from dendrometry.cluster.gpu.triton import greedy as greedy_kernels
from dendrometry.cluster.gpu.triton import kernels, rounds

_SHAPES = {"float16": (64, 4), "float16x3": (128, 8)}  # queries and warps of a program: the fastest on an H200
_LANES, _TILES, _STAGES = 64, 4, 2
_BLOCK = _LANES * _TILES
_EXACT_QUERIES, _EXACT_LANES = 16, 128
_PROGRAMS = 1024  # enough to keep a device busy
_PARTS = 64  # of the targets, at most
_ROWS = 4  # lists read by one program
_JOINED = 2  # queries whose parts one program joins
_SLOTS = 128  # compared by one program
_PAIRS = 32  # merged by one program: one for each lane of its single warp
_PICKED = 4096  # slots of which a program picks some, at a time
_TOGETHER = 16  # steps started at once
_MOST = 1 << 21  # queries at once
_CHUNK = 64  # coordinates in one product
_VOID = 3e38  # more than any value
_RELATIVE = {"float16": 1.02 * 2.0**-10, "float16x3": 2.0**-20}  # error of a product, as a share of both lengths
_TOP, _LARGEST = 14, 40  # exponents: of the largest coordinate, and of the factor that makes it so
_TINY = 2.0**-24  # largest error of a coordinate in half precision that has fewer bits than others
_EPS = 2.0**-23


class Fused(Plain):
    """The searches, in low precision first."""

    ladder = ("float16", "float16x3")

    def search(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        """Return near clusters by products in the precision wanted, and a bound that allows for their errors."""
        targets = _Targets(active, group, columns, wanted)
        at, order = targets.position(slots)
        if wanted.by_size:
            padded = _blocks_of_one_size(targets.size[at], _SHAPES[wanted.search][0])
            at, order = at[padded], order[padded]
        found = torch.empty((slots.shape[0], LISTED * _TILES), dtype=torch.int32, device=slots.device)
        reach = torch.empty(slots.shape[0], dtype=torch.float64, device=slots.device)
        for start in range(0, at.shape[0], _MOST):
            part = slice(start, start + _MOST)
            found[order[part]], reach[order[part]] = self._scan(at[part], targets, wanted)
        return Rows(found, reach)

    def _scan(self, at: Any, targets: "_Targets", wanted: Wanted) -> tuple[Any, Any]:
        """Return near clusters of some targets, which are queries too, and a bound for all others."""
        own, length, size, group = (column[at] for column in (targets.own, targets.length, targets.size, targets.group))
        d, width = targets.point.shape[1], targets.half.shape[1]
        threefold = wanted.search == "float16x3"
        tiny = d**0.5 * _TINY
        relative = _RELATIVE[wanted.search] + _EPS * (d * (3 if threefold else 1) + 16)
        own = own - 2.0 * wanted.alpha * tiny * length
        n_blocks = targets.half.shape[0] // _BLOCK
        n_queries, n_warps = _SHAPES[wanted.search]
        parts = _Parts(at.shape[0], n_blocks, n_queries, torch.float32, at.device)
        kernels.scan_products[parts.grid](
            targets.half, targets.rest, at, _below(own), _above(2.0 * wanted.alpha * (relative * length + tiny)),
            size, group, *targets.columns, parts.near, parts.value, parts.reach,
            at.shape[0], n_blocks, -2.0 * wanted.alpha,
            WIDTH=width, CHUNK=min(_CHUNK, width), BY_SIZE=wanted.by_size, THREEFOLD=threefold,
            QUERIES=n_queries, LANES=_LANES, TILES=_TILES, LISTED=LISTED, STAGES=_STAGES, num_warps=n_warps,
        )  # fmt: skip
        first, bound = parts.join()
        bound = bound.double()
        scaled = 2.0 * size * bound if wanted.by_size else bound + own * (1 - 2.0**-20)
        scaled = torch.where(bound > 1e37, torch.inf, scaled - scaled.abs() * 2.0**-20) / targets.scale**2
        return targets.candidates(first, group), scaled

    def search_exactly(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        """Return near clusters by differences in float64."""
        n_blocks = _blocks(active.shape[0], 8 * _EXACT_LANES)
        parts = _Parts(slots.shape[0], n_blocks, _EXACT_QUERIES, torch.float64, slots.device)
        kernels.scan_exactly[parts.grid](
            slots, active, *columns, group, columns.centroid.index_select(0, active).T.contiguous(),
            parts.near, parts.value, parts.reach, slots.shape[0], active.shape[0], wanted.alpha,
            WIDTH=columns.centroid.shape[1], BY_SIZE=wanted.by_size, QUERIES=_EXACT_QUERIES, LANES=_EXACT_LANES,
            LISTED=LISTED, num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        return Rows(*parts.join())

    def pair_squares(self, points: Any, first: Any, second: Any) -> Any:
        """Return the squared distances of pairs of points, given by their numbers."""
        out = torch.empty(first.shape[0], dtype=torch.float64, device=points.device)
        kernels.pair_squares[(_blocks(first.shape[0], _SLOTS),)](
            points, first, second, out, first.shape[0], WIDTH=points.shape[1], PAIRS=_SLOTS,
            num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        return out

    def cross_squares(self, points: Any, first: Any, second: Any) -> Any:
        """Return the squared distances of all points of two kinds, given by their numbers."""
        out = torch.empty((first.shape[0], second.shape[0]), dtype=torch.float64, device=points.device)
        grid = _blocks(second.shape[0], _EXACT_LANES), _blocks(first.shape[0], _EXACT_QUERIES)
        kernels.cross_squares[grid](
            points[first], points[second].T.contiguous(), out, first.shape[0], second.shape[0],
            WIDTH=points.shape[1], QUERIES=_EXACT_QUERIES, LANES=_EXACT_LANES, num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        return out

    def set_lists(
        self, lists: Lists, slots: Any, rows: Rows, columns: Columns, wanted: Wanted, *, exact: bool = False
    ) -> None:
        """Set the lists of some slots: see `Plain`."""
        m, n_found = rows.near.shape
        kernels.set_lists[(_blocks(m, _ROWS),)](
            slots, rows.near.int().contiguous(), rows.reach, *columns,
            lists.near, lists.reach, lists.nearest, lists.distance, lists.tied.view(torch.uint8), m, wanted.alpha,
            WIDTH=columns.centroid.shape[1], BY_SIZE=wanted.by_size, EXACT=exact, ROWS=_ROWS, FOUND=n_found,
            LISTED=LISTED, num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip

    def renew_lists(self, lists: Lists, changed: Any, slots: Slots, columns: Columns, wanted: Wanted) -> None:
        """Set the lists of clusters from those of their parts: see `Plain`."""
        m = changed.shape[0]
        found = torch.empty((m, 2 * LISTED), dtype=torch.int32, device=changed.device)
        reach = torch.empty(m, dtype=torch.float64, device=changed.device)
        rounds.gather_lists[(_blocks(m, _PAIRS),)](
            changed, lists.near, lists.reach, slots.partner, slots.root, found, reach, m,
            ROWS=_PAIRS, LISTED=LISTED, num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        slots.partner.index_fill_(0, changed, -1)
        self.set_lists(lists, changed, Rows(found, reach), columns, wanted)

    def open_slots(self, lists: Lists, slots: Any) -> Any:
        """Return those of some slots whose nearest cluster is not certain: see `Plain`."""
        found = torch.empty_like(slots)
        count = torch.empty(1, dtype=torch.int64, device=slots.device)
        rounds.pick_open[(1,)](
            slots, lists.distance, lists.reach, found, count, slots.shape[0],
            BLOCK=_PICKED, num_warps=8, enable_fp_fusion=False,
        )  # fmt: skip
        return found[: count.item()]

    def merge_pairs(
        self, active: Any, lists: Lists, slots: Slots, columns: Columns, wanted: Wanted, n_made: int
    ) -> MergedRound:
        """Merge the clusters that are each other's nearest: see `Plain`."""
        m = active.shape[0]
        low, left, changed = (torch.empty_like(active) for _ in range(3))
        counts = torch.empty(3, dtype=torch.int64, device=active.device)
        tied, ties = lists.tied.view(torch.uint8), slots.ties.view(torch.uint8)
        rounds.pick_pairs[(1,)](
            active, lists.nearest, low, counts, m, BLOCK=_PICKED, num_warps=8, enable_fp_fusion=False
        )
        rounds.unite_pairs[(_blocks(m // 2, _PAIRS),)](
            low, counts, lists.nearest, lists.distance, tied, lists.reach, *columns,
            slots.node, slots.root, slots.partner, slots.left, slots.right, slots.height, ties,
            n_made, slots.root.shape[0], wanted.alpha,
            WIDTH=columns.centroid.shape[1], BY_SIZE=wanted.by_size, PAIRS=_PAIRS, num_warps=1, enable_fp_fusion=False,
        )  # fmt: skip
        slots.root.copy_(slots.root.index_select(0, slots.root))
        rounds.pick_left[(1,)](
            active, lists.nearest, tied, slots.root, slots.partner, left, changed, counts, m,
            BLOCK=_PICKED, num_warps=8, enable_fp_fusion=False,
        )  # fmt: skip
        n_merged, n_left, n_changed = counts.tolist()
        return MergedRound(n_merged, left[:n_left], changed[:n_changed])

    def greedy_step(self, stage: Any) -> tuple[Callable[[], None], int]:
        """Return a function that makes steps of the greedy algorithm, and how many."""
        full, d = stage.centroid.shape
        n_blocks = _blocks(full, _SLOTS)
        alive, tied, ties = (column.view(torch.uint8) for column in (stage.alive, stage.tied, stage.merges[3]))
        value = torch.empty(2 * n_blocks, dtype=torch.float64, device=stage.centroid.device)
        slot, count = torch.empty_like(value, dtype=torch.int64), torch.empty_like(value, dtype=torch.int64)
        into = stage.made * 0
        left, right, height = stage.merges[:3]

        def step() -> None:
            for _ in range(_TOGETHER):
                greedy_kernels.compare_slots[(n_blocks,)](
                    stage.centroid, stage.size, stage.scatter, stage.own, alive, stage.nearest, stage.distance,
                    into, value, slot, count, full, stage.alpha,
                    WIDTH=d, CHUNK=min(64, triton.next_power_of_2(d)), FORM=FORMS[stage.form], SLOTS=_SLOTS,
                    num_warps=8, enable_fp_fusion=False,
                )  # fmt: skip
                greedy_kernels.decide_step[(1,)](
                    stage.centroid, stage.size, stage.scatter, stage.own, alive, stage.nearest, stage.distance,
                    tied, stage.node, stage.made, into, value, slot, count,
                    left, right, height, ties, stage.n, stage.count, n_blocks,
                    WIDTH=d, PADDED=triton.next_power_of_2(d), BLOCKS=max(1024, triton.next_power_of_2(n_blocks)),
                    MEDIAN=FORMS[stage.form] == "median", num_warps=1, enable_fp_fusion=False,
                )  # fmt: skip

        return step, _TOGETHER


class _Targets:
    """The active clusters in the order of a search: by size, then by group, centred and scaled by a power of two.

    Rows are added at the end, up to whole blocks, at a distance that is never among the least.
    """

    def __init__(self, active: Any, group: Any, columns: Columns, wanted: Wanted) -> None:
        order = torch.argsort(group[active], stable=True)
        if wanted.by_size:
            order = order[torch.argsort(columns.size[active][order], stable=True)]
        self.slots = active[order]
        self.n_slots = columns.size.shape[0]
        self.point = columns.centroid[self.slots]
        self.point -= self.point.mean(dim=0)
        exponent = torch.frexp(torch.maximum(self.point.amax(), -self.point.amin()))[1]
        self.scale = torch.ldexp(torch.ones_like(self.point[0, 0]), torch.clamp(_TOP - exponent, max=_LARGEST))
        self.point *= self.scale
        self.length = torch.linalg.vector_norm(self.point, dim=1)
        self.own = wanted.alpha * self.length * self.length + self.scale**2 * columns.spread[self.slots]
        self.size = columns.size[self.slots].float()
        self.group = group[self.slots].int()
        self.half, self.rest = self._halves(wanted.search == "float16x3")
        self.columns = self._columns()

    def position(self, slots: Any) -> tuple[Any, Any]:
        """Return the places of some slots in ascending order, and the order of the slots that gives it."""
        place = torch.empty(self.n_slots, dtype=torch.int64, device=slots.device)
        place[self.slots] = torch.arange(self.slots.shape[0], device=slots.device)
        at, order = place[slots].sort()
        return at, order

    def _halves(self, threefold: bool) -> tuple[Any, Any]:
        """Return the points in half precision, and what that drops (or the same again where it is not needed)."""
        n, d = self.point.shape
        width = 16 if d <= 16 else 32 if d <= 32 else _blocks(d, _CHUNK) * _CHUNK
        half = torch.zeros((_blocks(n, _BLOCK) * _BLOCK, width), dtype=torch.float16, device=self.point.device)
        half[:n, :d] = self.point
        if not threefold:
            return half, half
        rest = torch.zeros_like(half)
        rest[:n, :d] = self.point - half[:n, :d]
        return half, rest

    def _columns(self) -> tuple[Any, ...]:
        """Return what the scan reads of each target, and the least and greatest group and size of each block."""
        group, size = _filled(self.group, -2), _filled(self.size, _VOID)
        of_block = [
            extreme(column.view(-1, _BLOCK), dim=1) for column in (group, size) for extreme in (torch.amin, torch.amax)
        ]
        return (_filled(_below(self.own), _VOID), _filled(_above(self.length), 0.0), size, group, *of_block)

    def candidates(self, first: Any, group: Any) -> Any:
        """Return the slots of all tiles of the lanes found, less those of a query's own group; -1 for none."""
        column = first[:, :, None] + _LANES * torch.arange(_TILES, dtype=torch.int32, device=first.device)
        column = column.flatten(1)
        void = (first < 0).repeat_interleave(_TILES, dim=1) | (column >= self.slots.shape[0])
        column[void] = 0
        void |= self.group[column] == group[:, None]
        return torch.where(void, -1, self.slots[column].int())


class _Parts:
    """What a scan writes: a list and a bound for each query and part of the targets."""

    def __init__(self, n_slots: int, n_blocks: int, n_queries: int, dtype: Any, device: Any) -> None:
        programs = _blocks(n_slots, n_queries)
        n_parts = max(1, min(_PROGRAMS // programs, _PARTS, n_blocks))
        self.grid = (programs, n_parts)
        self.near = torch.empty((n_slots, n_parts, LISTED), dtype=torch.int32, device=device)
        self.value = torch.empty((n_slots, n_parts, LISTED), dtype=dtype, device=device)
        self.reach = torch.empty((n_slots, n_parts), dtype=dtype, device=device)

    def join(self) -> tuple[Any, Any]:
        """Return one list and bound for each query; of targets as near, the lowest first."""
        if self.grid[1] == 1:
            return self.near[:, 0], self.reach[:, 0]
        n_rows, n_parts, _ = self.near.shape
        near, reach = torch.empty_like(self.near[:, 0]), torch.empty_like(self.reach[:, 0])
        rounds.join_parts[(_blocks(n_rows, _JOINED),)](
            self.near, self.value, self.reach, near, reach, n_rows, n_parts * LISTED, n_parts,
            ROWS=_JOINED, FOUND=_PARTS * LISTED, PARTS=_PARTS, LISTED=LISTED, num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        return near, reach


def _blocks_of_one_size(size: Any, n_queries: int) -> Any:
    """Return places of ascending sizes, some repeated, so that the sizes of a program's queries differ by a tenth.

    All queries of a program are searched as if they had the largest of their sizes.
    """
    _, counts = torch.unique_consecutive(torch.floor(8.0 * torch.log2(size)), return_counts=True)
    padding = -counts % n_queries
    end = torch.cumsum(counts, 0) - 1
    shift = torch.cumsum(padding, 0) - padding
    kind = torch.repeat_interleave(counts + padding)
    return torch.minimum(torch.arange(kind.shape[0], device=size.device) - shift[kind], end[kind])


def _blocks(n: int, size: int) -> int:
    """Return the number of blocks of a size that hold n."""
    return -(-n // size)


def _filled(column: Any, value: float) -> Any:
    """Return a column with a value added at the end, up to whole blocks."""
    return torch.nn.functional.pad(column, (0, -column.shape[0] % _BLOCK), value=value)


def _below(values: Any) -> Any:
    """Return values in single precision, at least as low as they are, errors of sums included."""
    return (values * (1 - 2.0**-20)).float()


def _above(values: Any) -> Any:
    """Return values in single precision, at least as high as they are."""
    return (values * (1 + 2.0**-20)).float()
