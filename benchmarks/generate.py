"""Generators at a million items: stick breaking with every set of parameters, random trees, corruptions."""

import numpy as np

from dendrometry.generate import (
    STICK_SETS,
    diffused_points,
    flatten,
    prune_regraft,
    random_colours,
    random_tree,
    reinsert,
    rgb_to_hsv,
    rgb_to_lab,
    stick_breaking,
    swap_items,
)
from shapes import SHAPES
from timing import best_of, show

LIMIT = 5.0  # seconds for a million items of any set


def main():
    n = 10**6
    for name, parameters in STICK_SETS.items():
        options = parameters._asdict()
        figure = best_of(lambda: stick_breaking(n, **options, rng=0), 1)  # noqa: B023
        show(f"stick_breaking {name}, {n:,} items", figure, "" if figure.seconds < LIMIT else f"over {LIMIT} s")
    drawn = stick_breaking(n, **STICK_SETS["s07"]._asdict(), rng=0)
    show("reinsert 100,000 of 1,000,000, s07", best_of(lambda: reinsert(drawn, 10**5, rng=0), 1))
    show("flatten, s07, 1,000,000 items", best_of(lambda: flatten(drawn.hierarchy), 1))
    show(
        "diffused_points x 10, s07, 1,000,000 items", best_of(lambda: diffused_points(drawn.hierarchy, dimension=10), 1)
    )
    for shape in ("uniform", "merges", "caterpillar", "balanced"):
        ours = best_of(lambda: random_tree(n, shape=shape, rng=0), 1)  # noqa: B023
        rival = SHAPES.get({"merges": "random"}.get(shape, shape))
        note = "" if rival is None else f"plain Python or numpy: {best_of(lambda: rival(n), 1).seconds:.2f} s"  # noqa: B023
        show(f"random_tree {shape}, {n:,} items", ours, note)
    tree = random_tree(10**4, rng=0)
    show("swap_items x 10,000, 10,000 items", best_of(lambda: swap_items(tree, 10**4, rng=0)))
    show("prune_regraft x 100, 10,000 items", best_of(lambda: prune_regraft(tree, 100, rng=0)))
    rgb = random_colours(n, rng=np.random.default_rng(0))
    show("rgb_to_lab, 1,000,000 colours", best_of(lambda: rgb_to_lab(rgb)))
    show("rgb_to_hsv, 1,000,000 colours", best_of(lambda: rgb_to_hsv(rgb)))


if __name__ == "__main__":
    main()
