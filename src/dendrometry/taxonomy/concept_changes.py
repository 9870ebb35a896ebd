"""What is missing, invented, moved or renamed in the second of two matched taxonomies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dendrometry._display import plain_signature, plural, printable
from dendrometry._kernels.concepts.pairs import Places
from dendrometry._typing import IntArray
from dendrometry.dag import Dag
from dendrometry.taxonomy.matching import ConceptMatches

KINDS = ("moved", "parents changed", "parents added", "parents removed", "renamed", "missing", "invented")


@plain_signature
class ConceptChange(NamedTuple):
    """A concept that is not what or where it was.

    Attributes
    ----------
    concept : str
        What it is called in the first taxonomy, or in the second one if it is invented.
    what : str
        "missing" (only in the first taxonomy), "invented" (only in the second), "moved" (it kept none of the concepts
        right above it), "parents added", "parents removed", "parents changed" (some kept, some added, some removed),
        or "renamed" (in the same place).
    before, after : tuple of str
        The concepts right above it in either taxonomy. Of a matched concept, those nearest above it that are in both;
        if it is renamed, its name in the second taxonomy comes in ``renamed``.
    renamed : str
        What it is called in the second taxonomy, its name or else its identifier, if that differs; "" otherwise.
    n_below : int
        The number of concepts below it, in the second taxonomy, or in the first one if it is missing.
    """

    concept: str
    what: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    renamed: str
    n_below: int

    def tell(self) -> str:
        """Return the change as one line."""
        sides = [", ".join(map(printable, names)) or "the top" for names in (self.before, self.after)]
        where = {
            "missing": f"missing, was below {sides[0]}",
            "invented": f"invented, below {sides[1]}",
            "renamed": f"renamed to {printable(self.renamed)}",
        }.get(self.what, f"{self.what}: from {sides[0]} to {sides[1]}")
        holds = f" ({plural(self.n_below, 'concept')} below it)" if self.n_below else ""
        renamed = f", renamed to {printable(self.renamed)}" if self.renamed and self.what != "renamed" else ""
        return f"{printable(self.concept)}{holds}: {where}{renamed}"


class Sides(NamedTuple):
    """Two taxonomies: their graphs, the places of their matched concepts, and the numbers of concepts below."""

    dags: tuple[Dag, Dag]
    places: tuple[Places, Places]
    n_below: tuple[IntArray, IntArray]


def list_changes(sides: Sides, matches: ConceptMatches) -> tuple[ConceptChange, ...]:
    """Return what changed, by kind, those with the most concepts below first."""
    labels = labels_of(sides.dags[0]), labels_of(sides.dags[1])
    found = _of_matched(sides, matches, labels)
    for what, side, numbers in (("missing", 0, matches.only_a), ("invented", 1, matches.only_b)):
        dag, below, names = sides.dags[side], sides.n_below[side], labels[side]
        for v in numbers.tolist():
            above = tuple(names[p] for p in dag.parent[dag.parent_start[v] : dag.parent_start[v + 1]].tolist())
            before, after = (above, ()) if side == 0 else ((), above)
            found.append(ConceptChange(names[v], what, before, after, "", int(below[v])))
    found.sort(key=lambda change: (KINDS.index(change.what), -change.n_below))
    return tuple(found)


def labels_of(dag: Dag) -> tuple[str, ...]:
    """Return what a person calls the concepts: their names, or identifiers where there is none."""
    return tuple(name or term for name, term in zip(dag.names, dag.terms, strict=True)) if dag.names else dag.terms


def _of_matched(
    sides: Sides, matches: ConceptMatches, labels: tuple[tuple[str, ...], tuple[str, ...]]
) -> list[ConceptChange]:
    """Return the matched concepts with another name or with other concepts right above them."""
    to_a = np.full(sides.dags[1].n_terms, -1, dtype=np.int64)
    to_a[matches.in_b] = matches.in_a
    n_a = sides.dags[0].n_terms
    before = _keys(sides.places[0], matches.in_a, n_a, None)
    after = _keys(sides.places[1], matches.in_b, n_a, to_a)
    kept = np.intersect1d(before, after, assume_unique=True)
    counts = [np.bincount(keys // n_a, minlength=matches.in_a.size) for keys in (before, after, kept)]
    changed = (counts[0] != counts[2]) | (counts[1] != counts[2])
    called = zip(matches.in_a.tolist(), matches.in_b.tolist(), strict=True)
    renamed = np.array([matches.called_a[u] != matches.called_b[v] for u, v in called], dtype=bool)
    found = []
    for i in np.flatnonzero(changed | renamed).tolist():
        u, v = int(matches.in_a[i]), int(matches.in_b[i])
        above = [
            tuple(names[p] for p in places.concept[places.start[w] : places.start[w + 1]].tolist())
            for names, places, w in zip(labels, sides.places, (u, v), strict=True)
        ]
        what = _kind(*(int(count[i]) for count in counts))
        new_name = "" if not renamed[i] else labels[1][v] if labels[1][v] != labels[0][u] else matches.called_b[v]
        found.append(ConceptChange(labels[0][u], what, above[0], above[1], new_name, int(sides.n_below[1][v])))
    return found


def _keys(places: Places, concepts: IntArray, n_a: int, to_a: IntArray | None) -> IntArray:
    """Return one number for each matched pair and each concept right above it, by its number in the first taxonomy."""
    sizes = np.diff(places.start)[concepts]
    first = np.cumsum(sizes) - sizes
    entry = np.repeat(places.start[concepts] - first, sizes) + np.arange(int(sizes.sum()))
    above = places.concept[entry] if to_a is None else to_a[places.concept[entry]]
    return np.repeat(np.arange(concepts.size), sizes) * n_a + above


def _kind(before: int, after: int, kept: int) -> str:
    """Return what happened to a matched concept, from the numbers of concepts right above it."""
    if before == after == kept:
        return "renamed"
    if not kept:
        return "moved"
    if kept == before:
        return "parents added"
    return "parents removed" if kept == after else "parents changed"
