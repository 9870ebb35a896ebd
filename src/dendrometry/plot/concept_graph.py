"""Concept graph: a small taxonomy, two compared ones in one drawing, or predicted terms, in columns by depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dendrometry._check.numbers import whole_number
from dendrometry._typing import IntArray
from dendrometry.dag import Dag
from dendrometry.errors import InvalidInputError
from dendrometry.io.dags import DagLike, as_dag
from dendrometry.plot._axes.axes import PLAIN, axes_for, plain
from dendrometry.plot._axes.palette import ACCENT, INK, OTHER, PALETTE
from dendrometry.plot._layout.layers import layers
from dendrometry.taxonomy.comparison import TaxonomyComparison
from dendrometry.taxonomy.scores import PredictionScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BOTH, _ONLY_A, _ONLY_B, _MOVED = range(4)
_COLOURS = (INK, ACCENT, PALETTE[2], PALETTE[0])
_STYLES = ("-", (0, (4, 2)), "-", "-")
_COLUMN, _ROW = 2.3, 0.26  # inches


class _Graph(NamedTuple):
    """Concepts with their names, depths and states, and edges with theirs."""

    names: list[str]
    depth: IntArray
    state: IntArray
    child: IntArray
    parent: IntArray
    edge_state: IntArray


def concept_graph(
    taxonomy: DagLike | TaxonomyComparison | PredictionScores, *, most: int = 80, ax: Axes | None = None
) -> Axes:
    """Draw a small taxonomy in columns, from its top at the left; of two compared ones, what they share and what not.

    Parameters
    ----------
    taxonomy : Dag, anything that `as_dag` takes, TaxonomyComparison or PredictionScores
        The taxonomy; or two, whose matched concepts are drawn once: those with other parents in blue, edges and
        concepts that only the first has in red and dashed, those that only the second has in green; or scored
        predictions, of which the true and predicted terms are drawn, each with how often it is rightly predicted, how
        often true, and how often wrongly predicted.
    most : int
        The maximum number of concepts.
    ax : matplotlib Axes, optional
        The Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib Axes
        A concept is as many columns from the top as its longest way up is long: in the first taxonomy, or in the
        second one if only that has it.

    Raises
    ------
    InvalidInputError
        If there are more concepts.

    Examples
    --------
    >>> from dendrometry import Dag, plot
    >>> ax = plot.concept_graph(Dag.from_edges([("bat", "mammal"), ("bat", "flyer"), ("mammal", "animal")]))
    >>> len(ax.texts), len(ax.lines)
    (4, 3)
    """
    limit = whole_number(most, "most", 1)
    graph, words = _graph_of(taxonomy)
    if len(graph.names) > limit:
        raise InvalidInputError(
            f"a concept graph has room for {limit:,} concepts; got {len(graph.names):,} (Dag.below() takes a part)"
        )
    column, place = layers(graph.depth, graph.child, graph.parent)
    ax = axes_for(ax, _COLUMN * (int(column.max()) + 1) + 0.3, _ROW * (float(place.max()) + 2) + 0.4)
    for state in np.unique(graph.edge_state).tolist():
        some = graph.edge_state == state
        for c, p in zip(graph.child[some].tolist(), graph.parent[some].tolist(), strict=True):
            colour = OTHER if state == _BOTH else _COLOURS[state]
            ends = [column[p], column[c]], [place[p], place[c]]
            ax.plot(*ends, color=colour, linestyle=_STYLES[state], linewidth=1.0, zorder=1)
    box = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
    for v, name in enumerate(graph.names):
        colour = _COLOURS[int(graph.state[v])]
        ax.text(column[v], place[v], plain(name, 26), color=colour, fontsize=8, va="center", bbox=box, **PLAIN)
    ax.set_xlim(-0.1, float(column.max()) + 1.0)
    ax.set_ylim(float(place.max()) + 1.0, -1.0)
    ax.set_axis_off()
    if words:
        _explain(ax, graph, words)
    return ax


def _graph_of(taxonomy: DagLike | TaxonomyComparison | PredictionScores) -> tuple[_Graph, tuple[str, ...]]:
    """Return what is drawn, and what the colours mean."""
    if isinstance(taxonomy, TaxonomyComparison):
        a, b = (plain(name) for name in taxonomy.names)
        return _of_both(taxonomy), ("in both", f"only in {a}", f"only in {b}", "other parents")
    if isinstance(taxonomy, PredictionScores):
        return _of_predictions(taxonomy), ("always right", "never right", "", "sometimes right")
    return _of_one(as_dag(taxonomy)), ()


def _explain(ax: Axes, graph: _Graph, words: tuple[str, ...]) -> None:
    """Say what the colours mean, as far as they occur."""
    there = set(graph.state.tolist()) | (set(graph.edge_state.tolist()) - {_BOTH})
    for state in sorted(there):
        ax.plot([], [], color=_COLOURS[state], linestyle=_STYLES[state], label=words[state])
    legend = ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0.0), ncols=4, fontsize=8, frameon=False)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _of_one(dag: Dag) -> _Graph:
    """Return one taxonomy as concepts and edges, none of which differs."""
    owner = np.repeat(np.arange(dag.n_terms), dag.n_parents)
    same, edges = np.zeros(dag.n_terms, dtype=np.int64), np.zeros(dag.n_edges, dtype=np.int64)
    return _Graph(_names(dag), dag.depths, same, owner, dag.parent, edges)


def _of_predictions(found: PredictionScores) -> _Graph:
    """Return the terms that are true or predicted for some items, with the number of these."""
    if not found.terms["term"]:
        raise InvalidInputError(
            "a concept graph is drawn of terms below the root; neither truth nor predictions have any"
        )
    dag = found.dag.restrict(found.terms["term"])
    columns = (found.terms[name] for name in ("term", "n_true", "n_predicted", "n_shared"))
    counts = {term: numbers for term, *numbers in zip(*columns, strict=True)}
    names, state = [], []
    for name, term in zip(_names(dag), dag.terms, strict=True):
        n_true, n_predicted, n_shared = counts[term]
        wrong = f", {n_predicted - n_shared:,} wrong" if n_predicted > n_shared else ""
        names.append(f"{plain(name, 14)} {n_shared:,}/{n_true:,}{wrong}")
        state.append(_BOTH if n_true == n_shared == n_predicted else _MOVED if n_shared else _ONLY_A)
    return _of_one(dag)._replace(names=names, state=np.array(state, dtype=np.int64))


def _of_both(found: TaxonomyComparison) -> _Graph:
    """Return two taxonomies as one graph: the concepts of the first, then those that only the second has."""
    a, b, matches = found.a, found.b, found.matches
    number = np.empty(b.n_terms, dtype=np.int64)
    number[matches.in_b] = matches.in_a
    number[matches.only_b] = a.n_terms + np.arange(matches.only_b.size)
    state = np.full(a.n_terms + matches.only_b.size, _BOTH, dtype=np.int64)
    state[matches.only_a], state[a.n_terms :] = _ONLY_A, _ONLY_B
    names = _names(a) + [_names(b)[v] for v in matches.only_b.tolist()]
    edges_a = np.column_stack((np.repeat(np.arange(a.n_terms), a.n_parents), a.parent))
    edges_b = number[np.column_stack((np.repeat(np.arange(b.n_terms), b.n_parents), b.parent))]
    edges, where = np.unique(np.concatenate((edges_a, edges_b)), axis=0, return_inverse=True)
    where = where.ravel()
    in_a, in_b = (np.zeros(edges.shape[0], dtype=bool) for _ in range(2))
    in_a[where[: edges_a.shape[0]]], in_b[where[edges_a.shape[0] :]] = True, True
    edge_state = np.where(in_a & in_b, _BOTH, np.where(in_a, _ONLY_A, _ONLY_B))
    moved = {change.concept for change in found.changes if change.what not in ("missing", "invented", "renamed")}
    state[[v for v, name in enumerate(names) if name in moved and state[v] == _BOTH]] = _MOVED
    depth = np.concatenate((a.depths, b.depths[matches.only_b]))
    return _Graph(names, depth, state, edges[:, 0], edges[:, 1], edge_state)


def _names(dag: Dag) -> list[str]:
    """Return what a person calls the concepts."""
    return [name or term for name, term in zip(dag.names or dag.terms, dag.terms, strict=True)]
