"""Cells of near points, each with a centre: products of what is left of points in their cells have small errors.

Any cells give the same tree: they decide only how small the errors are, and how many targets a search can pass over.
"""

from typing import Any, NamedTuple

import torch

_SAMPLED = 32  # points of the sample for each cell
_SEEDINGS = 8  # in each but the first, as many centres are placed where points are far from those before
_STEPS = 2  # of k-means on the sample
_NUMBERS = 1 << 26  # in a block of work


class Cells(NamedTuple):
    """The cell of each point, and the centre of each cell."""

    of: Any
    centre: Any


def cells_of(points: Any, n_cells: int) -> Cells:
    """Divide points into cells, at most so many, by k-means on a sample."""
    middle = points.mean(dim=0)
    if n_cells == 1:
        return Cells(torch.zeros(points.shape[0], dtype=torch.int64, device=points.device), middle[None, :])
    largest = (points - middle).abs().amax().clamp(min=1e-300)
    x = ((points - middle) / largest).float()
    sample = x[:: max(1, x.shape[0] // (_SAMPLED * n_cells))]
    each = -(-n_cells // _SEEDINGS)
    centre = sample[:: max(1, sample.shape[0] // each)][:each]
    distance = _nearest(sample, centre)[1].double()
    for _ in range(_SEEDINGS - 1):
        total = torch.cumsum(distance + distance.mean() * 1e-6 + 1e-300, dim=0)
        wanted = (torch.arange(each, device=x.device) + 0.5) * (total[-1] / each)
        more = sample[torch.searchsorted(total, wanted).clamp(max=sample.shape[0] - 1)]
        distance = torch.minimum(distance, _nearest(sample, more)[1])
        centre = torch.cat([centre, more])
    for _ in range(_STEPS):
        cell = _nearest(sample, centre)[0]
        count = torch.bincount(cell, minlength=centre.shape[0])
        sums = torch.zeros(centre.shape, dtype=torch.float64, device=x.device).index_add_(0, cell, sample.double())
        centre = torch.where(count[:, None] > 0, sums / count.clamp(min=1)[:, None], centre.double()).float()
    used, cell = torch.unique(_nearest(x, centre)[0], return_inverse=True)
    return Cells(cell, centre[used].double() * largest + middle)


def _nearest(x: Any, centre: Any) -> tuple[Any, Any]:
    """Return the nearest centre of each point, and about how far it is (squared)."""
    step = max(1, _NUMBERS // centre.shape[0])
    parts = [torch.min(_from_centres(x[at : at + step], centre), dim=1) for at in range(0, x.shape[0], step)]
    own = (x * x).sum(dim=1)
    return torch.cat([part[1] for part in parts]), (torch.cat([part[0] for part in parts]) + own).clamp(min=0.0)


def _from_centres(x: Any, centre: Any) -> Any:
    """Return squared distances of points from centres, less what does not depend on the centre."""
    return torch.addmm((centre * centre).sum(dim=1)[None, :], x, centre.T, alpha=-2.0)
