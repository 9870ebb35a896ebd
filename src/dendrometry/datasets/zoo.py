"""The zoo data: 101 animals with their traits and their Linnaean classification."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from dendrometry._check.arrays import Frozen, read_only
from dendrometry._html import preview
from dendrometry._typing import IntArray
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.delimited import from_delimited


@dataclass(frozen=True, eq=False, repr=False)
class Zoo(Frozen):
    """101 animals, 16 traits of each, and two classifications.

    Attributes
    ----------
    items : tuple of str
        The animals. Of the two frogs in the data, the one without venom is ``common frog``, the other ``poison frog``.
    trait_names : tuple of str
        The names of the 16 traits.
    traits : (101, 16) array of int
        0 or 1 for each trait, except ``legs``, a number.
    types : tuple of str
        The type of each animal in the data: one of 7, from mammal to invertebrate.
    taxonomy : Hierarchy
        The Linnaean classification: phylum, class, order, family.
    """

    items: tuple[str, ...]
    trait_names: tuple[str, ...]
    traits: IntArray
    types: tuple[str, ...]
    taxonomy: Hierarchy

    def _repr_html_(self) -> str:
        traits = dict(zip(self.trait_names, self.traits.T.tolist(), strict=True))
        return preview(repr(self), {"animal": self.items, "type": self.types, **traits})

    def __repr__(self) -> str:
        return f"Zoo({len(self.items)} animals, {len(self.trait_names)} traits, {len(set(self.types))} types)"


def zoo() -> Zoo:
    """Return the 101 animals of the zoo data.

    The traits are those of the Zoo data set of R. S. Forsyth (UCI Machine Learning Repository, 1990). The taxonomy is
    an addition: phylum, class, order and family of a common species of that name, with Reptilia as a class.

    Examples
    --------
    >>> from dendrometry import datasets
    >>> animals = datasets.zoo()
    >>> animals.traits.shape
    (101, 16)
    >>> animals.taxonomy
    Hierarchy(101 items 'aardvark' to 'wren', 162 nodes, no heights)
    """
    folder = files("dendrometry.datasets")
    header, *rows = csv.reader(folder.joinpath("zoo.csv").read_text(encoding="utf-8").splitlines())
    return Zoo(
        items=tuple(row[0] for row in rows),
        trait_names=tuple(header[1:-1]),
        traits=read_only(np.array([row[1:-1] for row in rows], dtype=np.int64)),
        types=tuple(row[-1] for row in rows),
        taxonomy=from_delimited(folder.joinpath("zoo_taxonomy.csv").read_text(encoding="utf-8"), ",").tree,
    )
