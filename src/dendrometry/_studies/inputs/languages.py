"""Languages: their genealogy, their grammar and where they are spoken."""

import csv
import io
from typing import NamedTuple

import numpy as np

from dendrometry._typing import FloatArray
from dendrometry.datasets.download import Package, cache_folder, fetch_files
from dendrometry.generate.diffused_points import diffused_points
from dendrometry.generate.random_tree import random_tree

_GLOTTOLOG = Package(
    "phylodata==0.52.0",
    "phylodata/process/data",
    {"glottolog_languoid_5.2.csv": "30707bd5941186c8964eb709138b1b37484550b2fa9cfccabf9b282a479bcdf1"},
)
_GRAMBANK = Package(
    "urielplus==1.3.2",
    "urielplus/database/urielplus_csvs",
    {"grambank_data.csv": "da180cce560c7190f8e873cc4056b76644490c9a49228f02ff52b98b8b317f4a"},
)
_MOST_MISSING = 0.25  # share of the features of a language that may be unknown


class Languages(NamedTuple):
    """Languages, with their codes as items.

    ``lineage`` are the groups above each, from its family down; ``grammar`` has 1 and 0 for features, nan where
    unknown; ``place`` has latitude and longitude in degrees.
    """

    items: tuple[str, ...]
    names: tuple[str, ...]
    lineage: tuple[tuple[str, ...], ...]
    grammar: FloatArray
    place: FloatArray

    @property
    def families(self) -> tuple[str, ...]:
        """The family of each language; an isolate is a family of its own."""
        return tuple(path[0] for path in self.lineage)


def languages() -> Languages:
    """Return the languages of Grambank of which most features are known, and which Glottolog places."""
    (glottolog,) = fetch_files(_GLOTTOLOG, tuple(_GLOTTOLOG.sums), cache_folder())
    (grambank,) = fetch_files(_GRAMBANK, tuple(_GRAMBANK.sums), cache_folder())
    return read_languages(glottolog.decode("utf-8"), grambank.decode("utf-8"))


def read_languages(glottolog: str, grambank: str) -> Languages:
    """Return the languages of the two tables."""
    entries = {row["id"]: row for row in csv.DictReader(io.StringIO(glottolog))}
    rows = [row for row in list(csv.reader(io.StringIO(grambank)))[1:] if entries.get(row[0], {}).get("latitude")]
    grammar = np.array([[float(cell) for cell in row[1:]] for row in rows])
    grammar[grammar < 0] = np.nan
    known = np.isnan(grammar).mean(axis=1) <= _MOST_MISSING
    items = tuple(row[0] for row, is_known in zip(rows, known.tolist(), strict=True) if is_known)
    place = [(float(entries[item]["latitude"]), float(entries[item]["longitude"])) for item in items]
    return Languages(
        items,
        tuple(entries[item]["name"] for item in items),
        tuple(_lineage(item, entries) for item in items),
        grammar[known],
        np.array(place),
    )


def _lineage(item: str, entries: dict[str, dict[str, str]]) -> tuple[str, ...]:
    """Return the names of the groups above a language, from the family down to the language itself."""
    steps = []
    while item:
        steps.append(f"{entries[item]['name']} [{item}]")
        item = entries[item]["parent_id"]
    return tuple(reversed(steps))


def planted_languages(n: int, rng: np.random.Generator) -> Languages:
    """Return made-up languages whose features and places follow a random tree, for a quick look."""
    tree = random_tree(n, shape="merges", rng=rng)
    points = diffused_points(tree, dimension=22, shrink=0.8, rng=rng)
    above = [[v := item] for item in range(n)]
    for path in above:
        while (v := int(tree.parent[path[-1]])) >= 0:
            path.append(v)
    names = tuple(f"language {i}" for i in range(n))
    groups = [tuple(f"group {v}" for v in path[-2:0:-1]) for path in above]
    lineage = tuple((*path, name) for path, name in zip(groups, names, strict=True))
    centred = points - points.mean(axis=0)
    return Languages(
        names, names, lineage, (centred[:, 2:] > 0).astype(float), 20.0 * centred[:, :2] / np.abs(centred).max()
    )


def feature_distances(values: FloatArray) -> FloatArray:
    """Return the share of features that differ, of those that are known for both."""
    known = (~np.isnan(values)).astype(float)
    one, zero = (values == 1).astype(float), (values == 0).astype(float)
    differ = one @ zero.T
    distance: FloatArray = (differ + differ.T) / (known @ known.T)
    return distance
