"""Animals by descent and by traits: how alike the two hierarchies are, at which rank, and which animals moved."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._studies import alike
from dendrometry._studies.inputs.data import animals as traits_of_animals
from dendrometry._studies.inputs.data import standardised
from dendrometry._studies.result import StudyResult
from dendrometry._typing import FloatArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.linkages import Linkage
from dendrometry.datasets.zoo import Zoo, zoo
from dendrometry.hierarchy import Hierarchy
from dendrometry.plot.tanglegram import tanglegram

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dendrometry._typing import IntArray

_TITLE = "How alike are the classification of animals and trees of their traits?"
_LINKAGES: tuple[Linkage, ...] = ("average", "complete", "ward", "single")
_SCALES = ("range", "deviation")
_TIE_BREAKS = 3  # the first is by the order of the animals, the others are random
_RANKS = ("phylum", "class", "order", "family")
_MOST = 20


def animals(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Compare the Linnaean classification of 101 animals with trees of their 16 traits.

    Trees are built by four linkages from traits scaled by their range or by their deviation. Many animals have the same
    traits, so that merges are tied; each tree is built with three orders of ties.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` has two linkages and fewer relabellings.

    Returns
    -------
    StudyResult
        Tables "claims", "alike" (measures adjusted for chance, with p-values and 95% intervals), "levels" (ranks
        against cuts into as many groups), "moved" and "classes"; figure "tanglegram".

    Examples
    --------
    >>> from dendrometry._studies.animals import animals
    >>> animals(quick=True)
    StudyResult(animals: tables claims, alike, levels, moved, classes; figures tanglegram)
    """
    source = random_generator(rng)
    data = zoo()
    linkages = _LINKAGES[::2] if quick else _LINKAGES
    scaled = dict(zip(_SCALES, (traits_of_animals().values, standardised(data.traits.astype(float))), strict=True))
    descent = alike.View("classification", data.taxonomy.without_unary(), _ranks(data))
    traits = [
        _view(linkage, scale, number, scaled[scale], data)
        for linkage, scale, number in product(linkages, _SCALES, range(_TIE_BREAKS))
    ]
    found = alike.agree([(descent, view) for view in traits], *(alike.QUICK if quick else alike.FULL), source, progress)
    moved = {view.name: alike.disagreement(descent, view, source) for view in traits}
    classes = data.taxonomy.node_names
    of_class = [_above(data.taxonomy, v)[1] for v in data.taxonomy.item_node.tolist()]
    claims = _claims(found, linkages)
    tables = {
        "claims": alike.claims_table(claims),
        "alike": alike.measures_table(found),
        "levels": alike.levels_table(found),
        "moved": alike.moved_table(moved, data.items, [classes[v] for v in of_class], _MOST),
        "classes": alike.groups_table(moved, [classes[v] for v in of_class], 3),
    }
    return StudyResult(
        "animals",
        _TITLE,
        tables,
        tuple(alike.claim_notes(claims)),
        figures={"tanglegram": partial(_figure, descent.tree, traits[0].tree, [classes[v] for v in of_class])},
    )


def _above(tree: Hierarchy, v: int) -> list[int]:
    """Return the nodes from the child of the root down to a node."""
    path = []
    while v != tree.root:
        path.append(v)
        v = int(tree.parent[v])
    return path[::-1]


def _ranks(data: Zoo) -> "dict[str, IntArray]":
    """Return the taxon of each animal at each rank."""
    paths = [_above(data.taxonomy, v) for v in data.taxonomy.item_node.tolist()]
    return {rank: np.array([path[j] for path in paths]) for j, rank in enumerate(_RANKS)}


def _view(linkage: Linkage, scale: str, number: int, values: FloatArray, data: Zoo) -> alike.View:
    """Return a tree of the traits, which is built again for some of the animals."""

    def built(some: "IntArray") -> Hierarchy:
        names = [data.items[i] for i in some.tolist()]
        ties = np.random.default_rng(number) if number else None
        return agglomerate(values[some], linkage=linkage, item_names=names, tie_rng=ties).hierarchy

    return alike.View(f"{linkage}, {scale}, ties {number + 1}", built(np.arange(len(data.items))), {}, built)


def _claims(found: Sequence[alike.Agreement], linkages: Sequence[Linkage]) -> list[alike.Claim]:
    """Return what the study claims, with the margin for each tree of traits, and each measure where they differ."""
    of = {one.second.name: one for one in found}
    by_measure = {f"{m}, {name}": one.measured(m) for name, one in of.items() for m in alike.MEASURES_USED}
    first, last = linkages[-2:]
    return [
        alike.Claim("classification and traits are more alike than by chance", by_measure),
        alike.Claim(
            "traits agree more with classes than with orders",
            {n: one.at("class") - one.at("order") for n, one in of.items()},
        ),
        alike.Claim(
            "traits agree more with classes than with phyla",
            {n: one.at("class") - one.at("phylum") for n, one in of.items()},
        ),
        alike.Claim(
            f"{first} linkage is nearer to the classification than {last} linkage",
            {
                name: margin - by_measure[name.replace(first, last)]
                for name, margin in by_measure.items()
                if first in name
            },
        ),
    ]


def _figure(descent: Hierarchy, traits: Hierarchy, classes: Sequence[str]) -> "Figure":
    """Draw the classification and the first tree of traits face to face, coloured by class."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 11.5), layout="constrained")
    labels = dict(zip(traits.items, classes, strict=True))
    tanglegram(descent, traits, labels=labels, names=("classification", "traits"), ax=figure.subplots())
    return figure
