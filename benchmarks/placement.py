"""Items placed in an old tree: how near the grown tree is to one built anew, and how many are placed in a second.

``python benchmarks/placement.py``. Standardized tables of scikit-learn; a tenth of the items is new. The agreement
of the grown tree with the tree built from all items stands beside that of the old tree, built without the new items,
with the same tree restricted to the old ones: what new items change in a rebuilt tree, whoever places them.
"""

import time

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

import dendrometry as dm
from dendrometry.cluster import place


def agreement(a: dm.Hierarchy, b: dm.Hierarchy) -> str:
    """Return the hierarchy agreement, and in brackets that adjusted for chance."""
    line = dm.compare(a, b, measures=["hierarchy_agreement"], n_permutations=0)["hierarchy_agreement"]
    return f"{line.value:.2f} ({line.adjusted:.2f})"


def main() -> None:
    """Print the tables."""
    print("table          linkage   placed       old tree")
    for load in (load_iris, load_wine, load_breast_cancer, load_digits):
        X = load().data
        X = (X - X.mean(0)) / np.maximum(X.std(0), 1e-9)
        new = np.random.default_rng(0).random(len(X)) < 0.1
        names = np.array([f"i{i}" for i in range(len(X))])
        for linkage in ("ward", "single", "centroid", "average"):
            how = {"linkage": linkage, "metric": "sqeuclidean" if linkage == "average" else "euclidean"}
            old = dm.agglomerate(X[~new], item_names=names[~new].tolist(), **how)
            grown = place(old, X[~new], X[new], item_names=names[new].tolist()).hierarchy
            anew = dm.agglomerate(X, item_names=names.tolist(), **how).hierarchy
            kept = anew.restrict(old.hierarchy.items).without_unary()
            agreements = f"{agreement(grown, anew)}  {agreement(old.hierarchy, kept)}"
            print(f"{load.__name__[5:]:13s}  {linkage:8s}  {agreements}")
    rng = np.random.default_rng(0)
    centres = 4 * rng.normal(size=(30, 8))
    X, more = (centres[rng.integers(0, 30, n)] + rng.normal(size=(n, 8)) for n in (10_000, 100_000))
    tree = dm.agglomerate(X)
    place(tree, X, more[:100])
    core, clock = time.process_time(), time.perf_counter()
    found = place(tree, X, more)
    core, clock = time.process_time() - core, time.perf_counter() - clock
    print(f"{found}: {core:.2f} s of a core, {clock:.2f} s by the clock")


if __name__ == "__main__":
    main()
