"""Single splits: how often `selective` and `splits` name the root of two normal groups, by their distance.

``python splits_selective.py [SETS]`` prints, for 40 points in two columns, the number of sets with a p-value of at most
0.05: exact with the known deviation, exact with an estimated one, of splits with the normal and cautious references.
"""

import sys

import numpy as np

from dendrometry.significance import selective, splits


def main(n_sets: int = 50) -> None:
    for apart in (0, 2, 3, 4, 5, 6, 8):
        named = np.zeros(4, dtype=np.int64)
        for seed in range(n_sets):
            points = np.random.default_rng([6, seed]).normal(size=(40, 2))
            points[:20, 0] += apart
            exact = selective(points, deviation=1.0).p_value, selective(points).p_value
            drawn = (
                np.nan_to_num(splits(points, reference=reference, max_depth=1).p_value[-1], nan=1.0)  # type: ignore[arg-type]
                for reference in ("normal", "cautious")
            )
            named += np.array([p <= 0.05 for p in (*exact, *drawn)])
        print(f"{apart} apart: {', '.join(map(str, named))} of {n_sets}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
