"""The scans of queries for near targets: by products, or by differences in float64; in all blocks, or in some.

Where the targets are in cells, each query is first compared with its own cell alone. Then it is known about how near
the nearest are, and cells that are farther away are passed over.
"""

from typing import Any

import torch

from dendrometry.cluster.gpu.plain import LISTED, Columns, Wanted
from dendrometry.cluster.gpu.triton import kernels, rounds
from dendrometry.cluster.gpu.triton.targets import (
    BLOCK,
    CHUNK,
    FAR,
    LANES,
    TILES,
    Tables,
    Targets,
    Visits,
    above,
    below,
    blocks_of,
    from_zero,
)

# Queries and warps of a program: the fastest on an H200.
SHAPES = {"float16": (64, 4), "float16x3": (128, 8), "by cell": (64, 4), "float64": (16, 4)}
EXACT_LANES = 128
_STAGES = 2
_SURE = (
    0.02  # one product does where its error is at most this share of the distance, for all but this share of queries
)
_FARTHER = 3.0  # times the distance of the nearest: so far near targets are looked for
_PROGRAMS = 1024  # enough to keep a device busy
_PARTS = 64  # of the targets, at most
_JOINED = 2  # queries whose parts one program joins
_ONE, _THREE = 1.02 * 2.0**-10, 2.0**-20  # error of one product, and of three, as a share of both lengths
_WIDE_ERROR = 2.0**-50  # of a product in float64, for each coordinate
_NUMBERS = 1 << 27  # in a block of work
_TINY = 2.0**-24  # largest error of a coordinate in half precision that has fewer bits than others
_EPS = 2.0**-23


def shape_of(targets: Targets) -> tuple[int, int]:
    """Return the numbers of queries and of warps of a program."""
    search = targets.wanted.search
    return SHAPES["by cell" if search == "float16x3" and targets.centre.shape[0] > 1 else search]


def scan_products(at: Any, targets: Targets) -> tuple[Any, Any, int]:
    """Return near clusters of queries, at their places among the targets, a bound for all others, and the comparisons.

    The bound allows for the errors of products.
    """
    tables = targets.tables(at, targets.point.shape[1] ** 0.5 * _TINY)
    if targets.centre.shape[0] > 1:
        return _scan_near_cells_by_products(at, targets, tables)
    first, reach = _scan(at, targets, tables, None, targets.wanted.search == "float16x3")[:2]
    return *_found(first, reach, at, targets), targets.slots.shape[0] * at.shape[0]


def _scan_near_cells_by_products(at: Any, targets: Targets, tables: Tables) -> tuple[Any, Any, int]:
    """Return what `scan_products` does where there are cells, by three products only where one would not do."""
    n_queries = shape_of(targets)[0]
    limit = _scan(at, targets, tables, targets.own_blocks(at[::n_queries]), True, exact=True)[2]
    length = targets.length[at]
    doubt = 2.0 * targets.wanted.alpha * _ONE * length * (length + limit.double().sqrt())
    unsure = (doubt > _SURE * limit).view(-1, n_queries).float().mean(dim=1) > _SURE
    parts, order, n_visits = [], [], 0
    for threefold in (False, True):
        part = torch.nonzero((unsure == threefold).repeat_interleave(n_queries))[:, 0]
        if part.shape[0] > 0:
            visits, beyond = _chosen(limit[part], at[part], targets, n_queries)
            own = Tables(tables.of_query.index_select(1, part), tables.of_cell, tables.row[part])
            first, reach = _scan(at[part], targets, own, visits, threefold)[:2]
            parts.append(_found(first, torch.minimum(reach, beyond), at[part], targets))
            order.append(part)
            n_visits += visits.block.shape[0]
    back = torch.argsort(torch.cat(order))
    near, reach = (torch.cat(column)[back] for column in zip(*parts, strict=True))
    return near, reach, n_visits * n_queries * BLOCK


def _scan(
    at: Any, targets: Targets, tables: Tables, visits: Visits | None, threefold: bool, *, exact: bool = False
) -> tuple[Any, Any, Any]:
    """Return near targets, a bound for all others, and a limit; as if products were ``exact``, if this is wanted."""
    d, width = targets.point.shape[1], targets.half.shape[1]
    n_queries, n_warps = shape_of(targets)
    length, size, group = (column[at] for column in (targets.length, targets.size, targets.group))
    relative = (_THREE if threefold else _ONE) + _EPS * (d * (3 if threefold else 1) + 16)
    error = above(2.0 * targets.wanted.alpha * (relative * length + d**0.5 * _TINY)) * (0.0 if exact else 1.0)
    n_blocks = targets.slots.shape[0] // BLOCK
    parts = Parts(at.shape[0], n_blocks, n_queries, torch.float32, at.device)
    kernels.scan_products[parts.grid](
        targets.half, targets.rest, at, error, size, group, tables.row, tables.of_query, tables.of_cell,
        targets.cell_of_tile, targets.length_above, targets.inverse_size, targets.group, *targets.groups,
        *(visits or (group, group)), parts.near, parts.value, parts.reach,
        at.shape[0], targets.slots.shape[0], n_blocks, -2.0 * targets.wanted.alpha,
        WIDTH=width, CHUNK=min(CHUNK, width), BY_SIZE=targets.wanted.by_size, THREEFOLD=threefold,
        VISITS=visits is not None, QUERIES=n_queries, LANES=LANES, TILES=TILES, LISTED=LISTED, STAGES=_STAGES,
        num_warps=n_warps,
    )  # fmt: skip
    near, reach = parts.join()
    return near, torch.where(reach > FAR, torch.inf, reach.double()), _limit(reach, parts)


def _found(first: Any, reach: Any, at: Any, targets: Targets) -> tuple[Any, Any]:
    """Return the slots of the lanes found, and distances that those of all others are at least."""
    return targets.candidates(first, targets.group[at]), _unscaled(reach, targets.size[at], targets)


def scan_near_cells(at: Any, targets: Targets, columns: Columns, group: Any) -> tuple[Any, Any, int]:
    """Return near clusters of queries by differences in float64, a bound for all others, and the comparisons."""
    n_queries, size = SHAPES["float64"][0], targets.size[at]
    slots, wanted = targets.slots[at], targets.wanted
    target = columns.centroid.index_select(0, targets.slots.clamp(min=0)).T.contiguous()

    def scan(visits: Visits) -> tuple[Any, Any, Any]:
        return scan_exactly(slots, targets.slots, target, columns, group, wanted, visits)

    limit = scan(targets.own_blocks(at[::n_queries]))[2] * targets.scale**2
    visits, beyond = _chosen(above(limit / (2.0 * size) if wanted.by_size else limit), at, targets, n_queries)
    near, reach, _ = scan(visits)
    return near, torch.minimum(reach, _unscaled(beyond, size, targets)), visits.block.shape[0] * n_queries * BLOCK


def scan_wide(slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> tuple[Any, Any, Any]:
    """Return near ones of the active slots by products in float64, a bound for others, and where these do not decide.

    The targets are in tiles, of which the least value counts.
    """
    target = columns.centroid[active]
    middle = target.mean(dim=0)
    target -= middle
    n = target.shape[0]
    own, largest = (target * target).sum(dim=1), torch.linalg.vector_norm(target, dim=1).amax()
    size, spread = columns.size[active], columns.spread[active]
    step = max(1, _NUMBERS // n)
    parts = []
    for start in range(0, slots.shape[0], step):
        slot = slots[start : start + step]
        q = columns.centroid[slot] - middle
        length = torch.linalg.vector_norm(q, dim=1)
        value = torch.addmm(own[None, :], q, target.T, alpha=-2.0).add_((length * length)[:, None])
        error = (length + largest) ** 2 * (_WIDE_ERROR * target.shape[1])
        if wanted.by_size:
            n_slot = columns.size[slot]
            value *= 2.0 / (1.0 / n_slot[:, None] + 1.0 / size[None, :])
            error *= 2.0 * n_slot
        else:
            value.mul_(wanted.alpha).add_(spread[None, :]).add_(columns.spread[slot][:, None])
            error = error * wanted.alpha + (columns.spread[slot] + spread.amax()) * _WIDE_ERROR
        value.masked_fill_(group[slot][:, None] == group[active][None, :], torch.inf)
        tiles = torch.nn.functional.pad(value, (0, -n % LANES), value=torch.inf).view(slot.shape[0], -1, LANES)
        first, tile = torch.topk(tiles.amin(dim=2), min(LISTED + 1, tiles.shape[1]), dim=1, largest=False)
        listed = tile[:, :LISTED]
        inner, at = torch.topk(tiles.gather(1, listed[:, :, None].expand(-1, -1, LANES)), 2, dim=2, largest=False)
        near = active[(listed * LANES + at[:, :, 0]).clamp(max=n - 1)].int()
        beyond = inner[:, :, 1].amin(dim=1)
        if tile.shape[1] > LISTED:
            beyond = torch.minimum(beyond, first[:, LISTED])
        near = torch.where(inner[:, :, 0] < torch.inf, near, -1)
        if near.shape[1] < LISTED:
            near = torch.nn.functional.pad(near, (0, LISTED - near.shape[1]), value=-1)
        parts.append((near, beyond - error, first[:, 0] + 2.0 * error >= beyond))
    near, reach, doubtful = (torch.cat(column) for column in zip(*parts, strict=True))
    return near, reach, doubtful


def scan_exactly(
    slots: Any, active: Any, target: Any, columns: Columns, group: Any, wanted: Wanted, visits: Visits | None
) -> tuple[Any, Any, Any]:
    """Return near ones of the active slots (-1 for none) by differences in float64, a bound for others, and a limit.

    ``target`` are the centroids of the active slots, with a row for each coordinate.
    """
    n_queries, n_warps = SHAPES["float64"]
    parts = Parts(slots.shape[0], blocks_of(active.shape[0], 8 * EXACT_LANES), n_queries, torch.float64, slots.device)
    tiles = (slots, slots)
    if visits is not None:
        one = torch.arange(BLOCK // EXACT_LANES, dtype=torch.int32, device=slots.device)
        tiles = visits.start * one.shape[0], (visits.block[:, None] * one.shape[0] + one).flatten()
    kernels.scan_exactly[parts.grid](
        slots, active, *columns, group, target, *tiles, parts.near, parts.value, parts.reach,
        slots.shape[0], active.shape[0], wanted.alpha,
        WIDTH=columns.centroid.shape[1], BY_SIZE=wanted.by_size, VISITS=visits is not None,
        QUERIES=n_queries, LANES=EXACT_LANES, LISTED=LISTED, num_warps=n_warps, enable_fp_fusion=False,
    )  # fmt: skip
    near, reach = parts.join()
    return near, reach, _limit(reach, parts)


def _limit(reach: Any, parts: "Parts") -> Any:
    """Return a distance within which lists are worth their time: of some neighbours, if these are not much farther."""
    return torch.minimum(reach, parts.value[:, :, 0].amin(dim=1) * _FARTHER).clamp(min=0.0)


def _chosen(limit: Any, at: Any, targets: Targets, n_queries: int) -> tuple[Visits, Any]:
    """Return the blocks that may have a target as near as the limit of a query, and a bound for those of all others."""
    n_programs, n_blocks = at.shape[0] // n_queries, targets.slots.shape[0] // BLOCK
    n_parts = max(1, min(_PROGRAMS // n_programs, n_blocks))
    chosen = torch.empty((n_programs, n_blocks), dtype=torch.int8, device=at.device)
    beyond = torch.empty((at.shape[0], n_parts), dtype=torch.float32, device=at.device)
    kernels.choose_blocks[(n_programs, n_parts)](
        targets.away(at), targets.size[at], below(targets.spread[at]), targets.cell[at], limit, targets.cell_of_tile,
        *targets.tiles(), chosen, beyond, at.shape[0], n_blocks, targets.wanted.alpha,
        BY_SIZE=targets.wanted.by_size, QUERIES=n_queries, TILES=TILES, num_warps=2,
    )  # fmt: skip
    end = torch.cumsum(chosen.sum(dim=1, dtype=torch.int64), 0)
    beyond = beyond.amin(dim=1).double()
    return Visits(from_zero(end), torch.nonzero(chosen)[:, 1].int()), torch.where(beyond > FAR, torch.inf, beyond)


def _unscaled(value: Any, size: Any, targets: Targets) -> Any:
    """Return distances that values of scans are at least, without the scale."""
    distance = (2.0 * size * value if targets.wanted.by_size else value) / targets.scale**2
    return torch.where(value < torch.inf, distance - distance.abs() * 2.0**-20, torch.inf)


class Parts:
    """What a scan writes: a list and a bound for each query and part of the targets."""

    def __init__(self, n_slots: int, n_blocks: int, n_queries: int, dtype: Any, device: Any) -> None:
        programs = blocks_of(n_slots, n_queries)
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
        rounds.join_parts[(blocks_of(n_rows, _JOINED),)](
            self.near, self.value, self.reach, near, reach, n_rows, n_parts * LISTED, n_parts,
            ROWS=_JOINED, FOUND=_PARTS * LISTED, PARTS=_PARTS, LISTED=LISTED, num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        return near, reach
