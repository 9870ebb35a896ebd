"""The searches of a device by fused kernels; importing this module loads PyTorch and Triton."""

from collections.abc import Callable
from typing import Any

import torch
import triton

from dendrometry._kernels.cluster.vector_greedy import FORMS
from dendrometry.cluster.cpu.ward import MergedRound
from dendrometry.cluster.gpu.plain import LISTED, Columns, Lists, Plain, Rows, Slots, Wanted
from dendrometry.cluster.gpu.triton import greedy as greedy_kernels
from dendrometry.cluster.gpu.triton import kernels, rounds, scans
from dendrometry.cluster.gpu.triton.cells import Cells, cells_of
from dendrometry.cluster.gpu.triton.targets import Targets, blocks_of

_OF_CELL, _FEWEST_CELLS, _MOST_CELLS = 256, 4, 2048  # targets of a cell, at least; and cells
_MANY = 1 << 26  # distances: only where differences would be more, targets are put into cells for them,
_WIDE = 128  # or, from so many coordinates on, products in float64 come first
_ROWS = 4  # lists read by one program
_SLOTS = 128  # compared by one program
_PAIRS = 32  # merged by one program: one for each lane of its single warp
_PICKED = 4096  # slots of which a program picks some, at a time
_TOGETHER = 16  # steps started at once


class Fused(Plain):
    """The searches, in low precision first."""

    ladder = ("float16", "float16x3")

    def __init__(self, xp: Any) -> None:
        super().__init__(xp)
        self._known: tuple[Any, int, Any, Any] | None = None

    def search(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        """Return near clusters by products in the precision wanted, and a bound that allows for their errors."""
        if wanted.by_size and active.shape[0] == columns.size.shape[0]:  # all are single items: sizes change nothing
            wanted = wanted._replace(by_size=False, alpha=1.0)
        cells = self._cells(slots, active, columns, wanted)
        return _by_cell(slots, Targets(active, group, columns, wanted, cells), scans.scan_products)

    def search_exactly(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        """Return near clusters by differences in float64."""
        many = slots.shape[0] * active.shape[0] > _MANY
        if many and columns.centroid.shape[1] >= _WIDE:
            return self._search_wide(slots, active, group, columns, wanted)
        cells = self._cells(slots, active, columns, wanted) if many else None
        if cells is not None and cells.centre.shape[0] > 1:
            targets = Targets(active, group, columns, wanted, cells)
            return _by_cell(slots, targets, lambda at, targets: scans.scan_near_cells(at, targets, columns, group))
        return self._search_by_differences(slots, active, group, columns, wanted)

    def _search_by_differences(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        target = columns.centroid.index_select(0, active).T.contiguous()
        return Rows(*scans.scan_exactly(slots, active, target, columns, group, wanted, None)[:2])

    def _search_wide(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        """Return near clusters by products in float64, and by differences where these do not decide the nearest."""
        near, reach, doubtful = scans.scan_wide(slots, active, group, columns, wanted)
        at = torch.nonzero(doubtful)[:, 0]
        if at.shape[0] > 0:
            rows = self._search_by_differences(slots[at], active, group, columns, wanted)
            near[at], reach[at] = rows.near, rows.reach
        return Rows(near, reach, (slots.shape[0] + at.shape[0]) * active.shape[0])

    def _cells(self, slots: Any, active: Any, columns: Columns, wanted: Wanted) -> Cells:
        """Return cells of the active clusters, enough for their number and for that of the queries.

        They are found anew when many clusters have merged since.
        """
        n_queries = scans.SHAPES["by cell" if wanted.search == "float16x3" else "float64"][0]
        asking = 1 if wanted.search == "float16" else slots.shape[0] // n_queries
        n_cells = min(active.shape[0] // _OF_CELL, asking, _MOST_CELLS)
        if n_cells < _FEWEST_CELLS:
            return cells_of(columns.centroid[active], 1)
        known = self._known
        if known is None or known[0] is not columns.centroid or not n_cells / 1.5 <= known[1] <= n_cells * 3:
            cells = cells_of(columns.centroid[active], n_cells)
            of = torch.zeros(columns.size.shape[0], dtype=torch.int64, device=active.device)
            of[active] = cells.of
            self._known = known = columns.centroid, n_cells, of, cells.centre
        used, cell = torch.unique(known[2][active], return_inverse=True)
        return Cells(cell, known[3][used])

    def pair_squares(self, points: Any, first: Any, second: Any) -> Any:
        """Return the squared distances of pairs of points, given by their numbers."""
        out = torch.empty(first.shape[0], dtype=torch.float64, device=points.device)
        kernels.pair_squares[(blocks_of(first.shape[0], _SLOTS),)](
            points, first, second, out, first.shape[0], WIDTH=points.shape[1], PAIRS=_SLOTS,
            num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        return out

    def cross_squares(self, points: Any, first: Any, second: Any) -> Any:
        """Return the squared distances of all points of two kinds, given by their numbers."""
        out = torch.empty((first.shape[0], second.shape[0]), dtype=torch.float64, device=points.device)
        n_queries, n_warps = scans.SHAPES["float64"]
        grid = blocks_of(second.shape[0], scans.EXACT_LANES), blocks_of(first.shape[0], n_queries)
        kernels.cross_squares[grid](
            points[first], points[second].T.contiguous(), out, first.shape[0], second.shape[0],
            WIDTH=points.shape[1], QUERIES=n_queries, LANES=scans.EXACT_LANES, num_warps=n_warps,
            enable_fp_fusion=False,
        )  # fmt: skip
        return out

    def set_lists(
        self, lists: Lists, slots: Any, rows: Rows, columns: Columns, wanted: Wanted, *, exact: bool = False
    ) -> None:
        """Set the lists of some slots: see `Plain`."""
        m, n_found = rows.near.shape
        kernels.set_lists[(blocks_of(m, _ROWS),)](
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
        rounds.gather_lists[(blocks_of(m, _PAIRS),)](
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
        rounds.unite_pairs[(blocks_of(m // 2, _PAIRS),)](
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

    def nearest_before(self, stage: Any) -> tuple[Any, Any, Any]:
        """Return for each cluster of a stage the nearest before it, its distance, and whether another is as near."""
        n, d = stage.n, stage.centroid.shape[1]
        n_queries, n_warps = scans.SHAPES["float64"]
        value = torch.empty(n, dtype=torch.float64, device=stage.centroid.device)
        slot, count = (torch.empty(n, dtype=torch.int64, device=value.device) for _ in range(2))
        greedy_kernels.find_before[(blocks_of(n, n_queries),)](
            stage.centroid, stage.size, stage.scatter, stage.own, stage.centroid[:n].T.contiguous(), value, slot, count,
            n, stage.alpha, WIDTH=d, FORM=FORMS[stage.form], QUERIES=n_queries, LANES=scans.EXACT_LANES,
            num_warps=n_warps, enable_fp_fusion=False,
        )  # fmt: skip
        return slot, value, (count > 1) & (value < torch.inf)

    def greedy_step(self, stage: Any) -> tuple[Callable[[], None], int]:
        """Return a function that makes steps of the greedy algorithm, and how many."""
        full, d = stage.centroid.shape
        n_blocks = blocks_of(full, _SLOTS)
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


def _by_cell(slots: Any, targets: Targets, scan: Callable[[Any, Targets], tuple[Any, Any, int]]) -> Rows:
    """Return what scans find for the queries of each cell."""
    n_queries = scans.shape_of(targets)[0]
    at, order = targets.position(slots)
    padded = targets.programs(at, n_queries)
    at, order = at[padded], order[padded]
    parts, n_compared = [], 0
    for part in targets.parts(at, n_queries):
        near, reach, n = scan(at[part], targets)
        parts.append((near, reach))
        n_compared += n
    first = torch.empty_like(slots)
    first[order] = torch.arange(order.shape[0], device=order.device)
    near, reach = (torch.cat(column)[first] for column in zip(*parts, strict=True))
    return Rows(near, reach, n_compared)
