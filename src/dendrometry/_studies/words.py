"""Words by meaning and by use: how alike WordNet and trees of GloVe vectors are, and which fields come back."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._studies import alike
from dendrometry._studies.inputs.words import Words, planted_words
from dendrometry._studies.inputs.words import words as load
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.cluster.divisive.bisect import bisect
from dendrometry.comparison.best_matches import best_matches
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.labels import from_labels
from dendrometry.io.formats.paths import from_paths

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TITLE = "How alike are the hierarchy of nouns in WordNet and trees of their GloVe vectors?"
_DEPTHS = (3, 5, 7)  # steps below the top of WordNet
_MOST = 25
_LEAST = 20  # words of a field that is looked for in the trees


def _bisected(vectors: FloatArray, names: Sequence[str]) -> Hierarchy:
    return bisect(vectors, item_names=names).hierarchy


def _average(vectors: FloatArray, names: Sequence[str]) -> Hierarchy:
    return agglomerate(vectors, linkage="average", item_names=names).hierarchy


def _ward(vectors: FloatArray, names: Sequence[str]) -> Hierarchy:
    return agglomerate(vectors, linkage="ward", item_names=names).hierarchy


_WAYS: dict[str, Callable[[FloatArray, Sequence[str]], Hierarchy]] = {
    "average": _average,
    "ward": _ward,
    "bisect": _bisected,
}


def words(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Compare the hierarchy of nouns in WordNet 3.1 with trees of their GloVe vectors.

    Words are those that the texts counted for WordNet use as nouns, by their first sense, with the first synset above
    each synset. Trees of the vectors, of length 1 and 100 dimensions, are built by two linkages and by bisecting
    k-means. Fields are the 26 files of the lexicographers, such as animal, food and feeling.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` has 80 words that are made up.

    Returns
    -------
    StudyResult
        Tables "claims", "alike" (measures adjusted for chance, with p-values and 95% intervals), "levels" (fields and
        depths of WordNet against cuts into as many groups), "fields" (the cluster that matches each field best) and
        "moved"; figure "fields".

    Raises
    ------
    InvalidInputError
        If the data cannot be fetched.

    Examples
    --------
    >>> from dendrometry._studies.words import words
    >>> words(quick=True)
    StudyResult(words: tables claims, alike, levels, fields, moved; figures fields)
    """
    source = random_generator(rng)
    data = planted_words(80, source) if quick else load()
    meaning = _meaning(data)
    use = [_view(name, build, data) for name, build in _WAYS.items()]
    found = alike.agree([(meaning, view) for view in use], *(alike.QUICK if quick else alike.FULL), source, progress)
    moved = {view.name: alike.disagreement(meaning, view, source) for view in use}
    fields = _fields(data, {view.name: view.tree for view in use}, 2 if quick else _LEAST, source)
    claims = _claims(found)
    tables = {
        "claims": alike.claims_table(claims),
        "alike": alike.measures_table(found),
        "levels": alike.levels_table(found),
        "fields": fields,
        "moved": alike.moved_table(moved, data.items, data.fields, _MOST),
    }
    size = (
        f"{len(data.items):,} nouns of {len(set(data.fields))} fields, of the {data.n_vectors:,} words with a vector."
    )
    return StudyResult(
        "words", _TITLE, tables, (size, *alike.claim_notes(claims)), figures={"fields": partial(_figure, fields)}
    )


def _meaning(data: Words) -> alike.View:
    """Return the hierarchy of WordNet, with its levels."""
    paths: dict[str, list[tuple[str, ...]]] = {"field": [(field,) for field in data.fields]}
    paths |= {f"depth {depth}": [path[: depth + 1] for path in data.paths] for depth in _DEPTHS}
    tree = from_paths(data.paths, data.items).without_unary()
    return alike.View("WordNet", tree, {name: _classes(some) for name, some in paths.items()})


def _classes(paths: Sequence[tuple[str, ...]]) -> IntArray:
    """Return the class of each word, numbered."""
    number = {path: i for i, path in enumerate(dict.fromkeys(paths))}
    return np.array([number[path] for path in paths])


def _view(name: str, build: Callable[[FloatArray, Sequence[str]], Hierarchy], data: Words) -> alike.View:
    """Return a tree of the vectors, which is built again for some of the words."""

    def built(some: IntArray) -> Hierarchy:
        return build(data.vectors[some], [data.items[i] for i in some.tolist()])

    return alike.View(f"GloVe, {name}", built(np.arange(len(data.items))), {}, built)


def _fields(data: Words, trees: Mapping[str, Hierarchy], least: int, rng: np.random.Generator) -> Table:
    """Return the F of the cluster that matches each field best, in each tree, and its mean over relabellings."""
    names = sorted(name for name in set(data.fields) if data.fields.count(name) >= least)
    matched = {name: _matched(data.fields, tree) for name, tree in trees.items()}
    chance = []
    for _ in range(alike.RELABELLINGS):
        shuffled = [data.fields[i] for i in rng.permutation(len(data.fields)).tolist()]
        chance += [_matched(shuffled, tree) for tree in trees.values()]
    rows = []
    for name in names:
        values = [matched[tree][name] for tree in trees]
        by_chance = float(np.mean([one[name] for one in chance]))
        rows.append((name, data.fields.count(name), float(np.mean(values)), min(values), max(values), by_chance))
    rows.sort(key=lambda row: -row[2])
    return Table.of_rows(("field", "words", "f", "lowest", "highest", "by_chance"), rows)


def _matched(fields: Sequence[str], tree: Hierarchy) -> dict[str, float]:
    """Return the F of the best match of each field in a tree."""
    flat = from_labels(list(fields), item_names=tree.items)
    found = best_matches(flat, tree)
    of_node = dict(zip(found.node.tolist(), found.f.tolist(), strict=True))
    return {field: of_node[v] for field, v in zip(fields, flat.item_node.tolist(), strict=True)}


def _claims(found: Sequence[alike.Agreement]) -> list[alike.Claim]:
    """Return what the study claims, with the margin for each tree, and each measure where they differ."""
    of = {one.second.name: one for one in found}
    by_measure = {f"{m}, {name}": one.measured(m) for name, one in of.items() for m in alike.MEASURES_USED}
    fine = f"depth {_DEPTHS[-1]}"
    return [
        alike.Claim("WordNet and GloVe are more alike than by chance", by_measure),
        alike.Claim(
            f"cuts of GloVe agree more with the fields of WordNet than with its synsets at {fine}",
            {name: one.at("field") - one.at(fine) for name, one in of.items()},
        ),
        alike.Claim(
            "trees by ward are nearer to WordNet than trees by average linkage",
            {m: by_measure[f"{m}, GloVe, ward"] - by_measure[f"{m}, GloVe, average"] for m in alike.MEASURES_USED},
        ),
        alike.Claim(
            "trees by bisecting k-means are nearer to WordNet than trees by ward",
            {m: by_measure[f"{m}, GloVe, bisect"] - by_measure[f"{m}, GloVe, ward"] for m in alike.MEASURES_USED},
        ),
    ]


def _figure(fields: Table) -> "Figure":
    """Draw for each field how well a cluster of the trees matches it, and by chance."""
    from matplotlib.figure import Figure

    name, size, mean, low, high, chance = (np.array(fields.columns[key]) for key in fields.columns)
    at = np.arange(name.size)[::-1]
    figure = Figure(figsize=(6.5, 0.6 + 0.22 * name.size), layout="constrained")
    ax = figure.subplots()
    ax.hlines(at, low, high, color="#7fa6c9", linewidth=3)
    ax.plot(mean, at, "o", color="#1f4e79", markersize=5, label="mean of three trees (line: their range)")
    ax.plot(chance, at, "|", color="#999999", markersize=9, label="words relabelled at random, mean")
    ax.set_yticks(at, [f"{a} ({n:,})" for a, n in zip(name.tolist(), size.tolist(), strict=True)], fontsize=8)
    ax.set_xlabel("F of the cluster of GloVe vectors that matches the field best", fontsize=9)
    ax.set_xlim(0.0, 1.0)
    ax.tick_params(labelsize=8)
    ax.legend(loc="lower right", fontsize=8, frameon=False)
    ax.spines[["top", "right"]].set_visible(False)
    return figure
