"""The searches of a device by fused kernels; importing this module loads PyTorch and Triton."""

from typing import Any

import torch

from dendrometry.cluster.device import triton_kernels as kernels
from dendrometry.cluster.device.plain import LISTED, Columns, Plain, Rows, Wanted

__all__ = ["Fused"]

_QUERIES, _LANES, _WARPS = 32, 128, 4
_EXACT_QUERIES = 16
_PROGRAMS = 1024  # enough to keep a device busy
_PARTS = 64  # of the targets, at most
_ROWS = 8  # lists read by one program
_CHUNK = 64  # coordinates in one product
_LOW_BITS = 0x1FFF  # of a float32, which TF32 drops
_RELATIVE = {"tf32": 1.02 * 2.0**-10, "tf32x3": 2.0**-19}  # error of a product, as a share of both lengths
_EPS = 2.0**-23


class Fused(Plain):
    """The searches, in low precision first."""

    ladder = ("tf32", "tf32x3")

    def search(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        """Return near clusters by products in the precision wanted, and a bound that allows for their errors."""
        order = torch.argsort(columns.size[slots], stable=True)  # those of one size share a factor
        slots = slots[order]
        target = columns.centroid[active]
        centre = target.mean(dim=0)
        target -= centre
        length = torch.linalg.vector_norm(target, dim=1)
        target_own = wanted.alpha * length * length + columns.spread[active]
        query = columns.centroid[slots] - centre
        query_length = torch.linalg.vector_norm(query, dim=1)
        query_own = wanted.alpha * query_length * query_length + columns.spread[slots]
        d = target.shape[1]
        error = 2.0 * wanted.alpha * (_RELATIVE[wanted.search] + _EPS * (d + 16)) * query_length
        parts = _Parts(slots, active, _QUERIES, torch.float32)
        padded = _padded(target, wanted.search)
        kernels.scan_products[parts.grid](
            _padded(query * (-2.0 * wanted.alpha), wanted.search),
            _below(query_own), _above(error), columns.size[slots].float(), group[slots].int(),
            padded, _below(target_own), _above(length), columns.size[active].float(), group[active].int(),
            parts.near, parts.value, parts.reach, slots.shape[0], active.shape[0],
            WIDTH=padded.shape[1], CHUNK=min(_CHUNK, padded.shape[1]), BY_SIZE=wanted.by_size,
            PRECISION=wanted.search, QUERIES=_QUERIES, LANES=_LANES, LISTED=LISTED, num_warps=_WARPS,
        )  # fmt: skip
        found, reach = parts.join(active)
        bound = reach.double()
        if wanted.by_size:
            scaled = 2.0 * columns.size[slots] * bound
        else:
            scaled = bound + query_own * (1 - 2.0**-20)
        scaled = torch.where(bound > 1e37, torch.inf, scaled - scaled.abs() * 2.0**-20)
        back = torch.argsort(order)
        return Rows(found[back], scaled[back])

    def search_exactly(self, slots: Any, active: Any, group: Any, columns: Columns, wanted: Wanted) -> Rows:
        """Return near clusters by differences in float64."""
        parts = _Parts(slots, active, _EXACT_QUERIES, torch.float64)
        kernels.scan_exactly[parts.grid](
            columns.centroid[slots], columns.size[slots], columns.spread[slots], group[slots],
            columns.centroid[active].T.contiguous(), columns.size[active], columns.spread[active], group[active],
            parts.near, parts.value, parts.reach, slots.shape[0], active.shape[0], wanted.alpha,
            WIDTH=columns.centroid.shape[1], BY_SIZE=wanted.by_size, QUERIES=_EXACT_QUERIES, LANES=_LANES,
            LISTED=LISTED, num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        return Rows(*parts.join(active))

    def evaluate(self, slots: Any, found: Any, columns: Columns, wanted: Wanted) -> tuple[Any, Any, Any, Any]:
        """Return the nearest of the clusters found: see `Plain`."""
        m, n_found = found.shape
        near = torch.full((m, LISTED), -1, dtype=torch.int32, device=found.device)
        first, second, beyond = torch.full((3, m), torch.inf, dtype=torch.float64, device=found.device)
        kernels.evaluate_lists[(_blocks(m, _ROWS),)](
            slots, found.int().contiguous(), columns.centroid, columns.size, columns.spread,
            near, first, second, beyond, m, wanted.alpha,
            WIDTH=columns.centroid.shape[1], BY_SIZE=wanted.by_size, ROWS=_ROWS, FOUND=n_found, LISTED=LISTED,
            num_warps=4, enable_fp_fusion=False,
        )  # fmt: skip
        return near, first, second, beyond


class _Parts:
    """What a scan writes: a list and a bound for each query and part of the targets."""

    def __init__(self, slots: Any, active: Any, n_queries: int, dtype: Any) -> None:
        blocks = _blocks(slots.shape[0], n_queries)
        n_parts = max(1, min(_PROGRAMS // blocks, _PARTS, _blocks(active.shape[0], 8 * _LANES)))
        self.grid = (blocks, n_parts)
        shape = (slots.shape[0], n_parts)
        self.near = torch.empty((*shape, LISTED), dtype=torch.int32, device=slots.device)
        self.value = torch.empty((*shape, LISTED), dtype=dtype, device=slots.device)
        self.reach = torch.empty(shape, dtype=dtype, device=slots.device)

    def join(self, active: Any) -> tuple[Any, Any]:
        """Return one list and bound for each query; of targets as near, the lowest first."""
        near, reach = self.near[:, 0], self.reach[:, 0]
        if self.grid[1] > 1:
            value, order = self.value.flatten(1).sort(dim=1, stable=True)
            near = self.near.flatten(1).gather(1, order[:, :LISTED])
            reach = torch.minimum(self.reach.amin(dim=1), value[:, LISTED])
        return torch.where(near < 0, -1, active[near.clamp(min=0)].int()), reach


def _blocks(n: int, size: int) -> int:
    """Return the number of blocks of a size that hold n."""
    return -(-n // size)


def _padded(points: Any, precision: str) -> Any:
    """Return points in single precision, rounded to TF32 if they are multiplied so, with columns of 0 at the end."""
    d = points.shape[1]
    width = 16 if d <= 16 else 32 if d <= 32 else _blocks(d, _CHUNK) * _CHUNK
    single = torch.zeros((points.shape[0], width), dtype=torch.float32, device=points.device)
    single[:, :d] = points
    if precision == "tf32":
        bits = single.view(torch.int32)
        bits += (_LOW_BITS + 1) // 2
        bits &= ~_LOW_BITS
    return single


def _below(values: Any) -> Any:
    """Return values in single precision, at least as low as they are, errors of sums included."""
    return (values * (1 - 2.0**-20)).float()


def _above(values: Any) -> Any:
    """Return values in single precision, at least as high as they are."""
    return (values * (1 + 2.0**-20)).float()
