"""Sets of points that are one group, and planted groups, for the tests of splits."""

from collections.abc import Callable

import numpy as np

Points = np.ndarray
Make = Callable[[np.random.Generator, int], Points]


def correlated(rng: np.random.Generator, n: int) -> Points:
    return rng.normal(size=(n, 5)) * np.sqrt(0.3) + rng.normal(size=(n, 1)) * np.sqrt(0.7)


def ball(rng: np.random.Generator, n: int) -> Points:
    direction = rng.normal(size=(n, 3))
    return direction / np.linalg.norm(direction, axis=1)[:, None] * rng.random((n, 1)) ** (1 / 3)


def ring(rng: np.random.Generator, n: int) -> Points:
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + 0.1 * rng.normal(size=(n, 2))


def bar(d: int, noise: float, length: float = 22.4) -> Make:
    """Return a maker of points spread evenly over a length in the first of d columns, with normal noise."""
    return lambda rng, n: rng.uniform(0, length, (n, 1)) * np.eye(1, d) + noise * rng.normal(size=(n, d))


def corner(rng: np.random.Generator, n: int) -> Points:
    """Return points along two lines from one corner, with normal noise."""
    along = np.where(rng.random((n, 1)) < 0.5, [[1, 0]], [[0, 1]])
    return along * rng.uniform(0, 10, (n, 1)) + 0.4 * rng.normal(size=(n, 2))


def wave(rng: np.random.Generator, n: int) -> Points:
    """Return points spread evenly along a sine curve, with normal noise."""
    x = np.linspace(0, 12, 4001)
    length = np.append(0.0, np.cumsum(np.hypot(np.diff(x), np.diff(np.sin(x)))))
    at = np.interp(rng.uniform(0, length[-1], n), length, x)
    return np.column_stack([at, np.sin(at)]) + 0.3 * rng.normal(size=(n, 2))


def arc(rng: np.random.Generator, n: int) -> Points:
    """Return points spread evenly over half a circle, with normal noise."""
    angle = rng.uniform(0, np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + 0.05 * rng.normal(size=(n, 2))


ONE_GROUP: dict[str, Make] = {
    "Gaussian": lambda rng, n: rng.normal(size=(n, 5)),
    "correlated Gaussian": correlated,
    "long ellipse": lambda rng, n: rng.normal(size=(n, 2)) * [10, 1],
    "uniform box": lambda rng, n: rng.random((n, 2)),
    "uniform ball": ball,
    "ring": ring,
    "t(2)": lambda rng, n: rng.standard_t(2, size=(n, 2)),
    "skewed": lambda rng, n: rng.exponential(size=(n, 2)),
}
BARS: dict[str, Make] = {f"bar in {d} columns": bar(d, noise) for d, noise in ((2, 0.6), (3, 0.6), (20, 0.3))}
OTHER_BARS: dict[str, Make] = {
    f"bar of {length} in {d} columns": bar(d, 0.6, length) for length in (8, 60) for d in (2, 3)
}
BENT: dict[str, Make] = {"corner": corner, "wave": wave, "arc": arc}


def as_directions(points: Points) -> Points:
    """Return points seen from a place below them, as far away as three deviations along their longest axis.

    From nearer, directions pile up towards the horizon, on both sides of a long normal set: then these are two groups.
    """
    longest = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[0] / np.sqrt(len(points))
    return np.column_stack([points, np.full(len(points), 3 * longest)])


def beside_another(make: Make, rng: np.random.Generator, n: int) -> Points:
    """Return two sets of one group of n / 2 points each, one moved by eight deviations along the first column."""
    one, two = make(rng, n // 2), make(rng, n // 2)
    deviation = 1.4826 * np.median(np.abs(one[:, 0] - np.median(one[:, 0])))
    return np.vstack([one, two + 8 * deviation * np.eye(1, one.shape[1])])


def planted(rng: np.random.Generator, centres: Points, sizes: list[int], spread: Make) -> Points:
    """Return groups of some sizes around centres; ``spread`` draws points of one group around 0."""
    return np.vstack([spread(rng, size) + centre for centre, size in zip(centres, sizes, strict=True)])


def normal(d: int) -> Make:
    return lambda rng, n: rng.normal(size=(n, d))


def corners(k: int, d: int, apart: float) -> Points:
    """Return k centres at the same distance from each other (two: on a line)."""
    centres = np.zeros((k, max(d, k)))
    centres[np.arange(k), np.arange(k)] = apart / np.sqrt(2)
    if k <= d:
        return centres[:, :d]
    angle = 2 * np.pi * np.arange(k) / k  # in the plane, at the corners of a regular polygon
    return np.column_stack([np.cos(angle), np.sin(angle), np.zeros((k, d - 2))]) * apart / (2 * np.sin(np.pi / k))
