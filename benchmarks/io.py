"""Doors and the overlap at up to a million items; Newick beside DendroPy and scikit-bio."""

import io
import logging
import warnings

import numpy as np

from dendrometry import Overlap, from_json, from_linkage, from_newick, to_json, to_newick
from dendrometry.io import from_layers
from shapes import SHAPES, random
from timing import best_of, fresh, show, within

SIZES = (10**4, 10**5, 10**6)


def newick_text(shape, n):
    if shape == "star":
        return "(" + ",".join(f"t{i}:{i % 97}.5" for i in range(n)) + ");"
    Z = SHAPES[shape](n)
    Z[:, 2] = np.cumsum(np.random.default_rng(1).random(n - 1))
    return to_newick(from_linkage(Z))


def shuffled_pair(n):
    rng = np.random.default_rng(2)
    names = [f"item {i}" for i in range(n)]
    other = [names[i] for i in rng.permutation(n)]
    return from_linkage(random(n, 1), names), from_linkage(random(n, 2), other)


def overlap_of_pair(pair):
    return Overlap.of(*pair)


def warm():
    from_newick(newick_text("random", 50))
    overlap_of_pair(shuffled_pair(50))
    from_json(tree_of_json(50_000))


def tree_of_json(n):
    return to_json(from_linkage(random(n)))


def rivals():
    """Read the same random tree of 10,000 leaves with lengths by every reader."""
    import dendropy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import skbio

    logging.disable(logging.WARNING)
    text = newick_text("random", 10**4)
    ours = best_of(lambda: from_newick(text), 7)
    show("from_newick, random, 10,000 leaves", ours)
    for name, reader in (
        ("DendroPy Tree.get", lambda: dendropy.Tree.get(data=text, schema="newick")),
        ("scikit-bio TreeNode.read", lambda: skbio.TreeNode.read(io.StringIO(text), format="newick")),
    ):
        theirs = best_of(reader, 3)
        show(f"{name}, the same", theirs, f"ours is {theirs.seconds / ours.seconds:.0f}x faster (wanted: 20x)")


def nested_layers(n):
    """Return 20 layers of labels, each with half as many clusters as the next."""
    items = np.random.default_rng(0).permutation(n)
    return [items >> shift for shift in range(19, -1, -1)]


def main():
    rivals()
    for shape in ("random", "caterpillar", "star"):
        per_leaf = {}
        for n in SIZES:
            runs = [fresh(newick_text, from_newick, shape, n, warm=warm) for _ in range(3)]
            figure = min(runs, key=lambda run: run.seconds)
            per_leaf[n] = figure.seconds / n
            note = f"{per_leaf[n] * 1e6:.2f} us per leaf"
            if n == 10**6:
                note += f", {per_leaf[n] / per_leaf[10**5]:.2f}x that at 10^5 (wanted: 1.5x); wanted: 0.5 s"
            show(f"from_newick, {shape}, {n:,} leaves", figure, note)
    show("from_linkage, random, 1,000,000 items", fresh(random, from_linkage, 10**6, warm=warm), "wanted: 1 s")
    show(
        "Overlap.of, random, 1,000,000 items, names shuffled",
        fresh(shuffled_pair, overlap_of_pair, 10**6, warm=warm),
        "wanted: 5 s",
    )
    within("from_layers, 20 layers, 1,000,000 items", fresh(nested_layers, from_layers, 10**6, warm=warm), 10)
    within("from_json, random, 100,000 items", fresh(tree_of_json, from_json, 10**5, warm=warm), 0.5)


if __name__ == "__main__":
    main()
