"""Draw the figures of the start page: ``python docs/_make/figures.py``."""

from pathlib import Path

import matplotlib as mpl
from matplotlib import pyplot as plt

import dendrometry as dm
from dendrometry import plot

IMAGES = Path(__file__).parents[1] / "images"


def main() -> None:
    """Draw a tanglegram of mammals and the stage curves of all animals."""
    mpl.use("Agg")
    zoo = dm.datasets.zoo()
    average, complete = (
        dm.agglomerate(zoo.traits, linkage=linkage, item_names=zoo.items).hierarchy
        for linkage in ("average", "complete")
    )
    mammals = [name for name, kind in zip(zoo.items, zoo.types, strict=True) if kind == "mammal"]
    trees = [tree.restrict(mammals).without_unary() for tree in (zoo.taxonomy, average)]
    figure, ax = plt.subplots(figsize=(9, 6.5), layout="constrained")
    plot.tanglegram(*trees, names=("taxonomy", "traits"), ax=ax)
    figure.savefig(IMAGES / "tanglegram.png", dpi=110)
    figure, ax = plt.subplots(figsize=(9, 3.6), layout="constrained")
    plot.stage_curves(dm.stages(average, complete), ["adjusted_rand", "fowlkes_mallows"], ax=ax)
    figure.savefig(IMAGES / "stage_curves.png", dpi=110)


if __name__ == "__main__":
    main()
