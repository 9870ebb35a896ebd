"""Sensitivity of every measure of the package to one type of corruption at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs import worse_dendrograms as worse
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import BoolArray, FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate
from dendrometry.errors import DendrometryError
from dendrometry.generate.corrupt import collapse_to_root, flatten, prune_regraft, swap_items
from dendrometry.generate.diffused_points import diffused_points
from dendrometry.generate.random_tree import random_tree
from dendrometry.generate.stick_breaking import STICK_SETS, StickBreaking, reinsert, stick_breaking
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES, TREE_MEASURES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SHARE = 0.1  # share of the items affected by a corruption
_SIZES = (40, 100, 300)  # numbers of items of dendrograms of which a tenth is swapped
_TITLE = "Which measure notices which corruption? Loss: 0 is not noticed, 1 is as bad as items in random places."


class _Kind(NamedTuple):
    """One kind of data: how it is drawn, corrupted and randomised, and the measures that apply to it."""

    name: str
    drawn: Callable[[int, np.random.Generator], Any]
    corruptions: Mapping[str, Callable[[Any, np.random.Generator], Any]]
    shuffled: Callable[[Any, np.random.Generator], Any]
    measures: Mapping[str, Callable[[Any, Any], float]]


class _Found(NamedTuple):
    """The losses for one kind of data: (repetitions, measures, corruptions), nan where a measure is undefined."""

    kind: _Kind
    value: FloatArray
    loss: FloatArray


def measures(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Corrupt data in one way at a time and report which measures detect it, and how strongly.

    There are three kinds of data: hierarchies with items at any node (stick breaking, set s05), dendrograms (average
    linkage of points drawn along a random tree), and partitions (with the cluster sizes of the hierarchies). A tenth of
    the items is re-inserted, swapped, moved or isolated; the number of subtrees moved is 3 in a hierarchy and one for
    every 20 items in a dendrogram. Exchanges are those of neighbours: a child of a node with a sibling of that node.
    The loss is the difference between a value and that of the truth compared with itself, divided by the same
    difference with all items in random positions: 0 if a corruption is not detected, 1 if it is as bad as chance.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; the full study draws 30 data sets of 300 items of each kind, the quick one
        3 data sets of 60.

    Returns
    -------
    StudyResult
        Table "losses" (one row for each kind, measure and corruption), one table for each kind with the mean losses in
        columns, and table "sizes" (losses of dendrograms of several sizes); figure "heat_maps".

    Examples
    --------
    >>> from dendrometry._studies.measures import measures
    >>> result = measures(quick=True)
    >>> result
    StudyResult(measures: tables hierarchies, dendrograms, partitions, losses, sizes; figures heat_maps)
    >>> result.notes[5].partition(" (")[0]
    'hierarchies, unary nodes: noticed by none'
    """
    random = random_generator(rng)
    n, repetitions = (60, 3) if quick else (300, 30)
    jobs = [kind for kind in _KINDS for _ in range(repetitions)]
    values = [_scored(kind, n, random) for kind in track(jobs, "corruptions", len(jobs), progress)]
    found = []
    for i, kind in enumerate(_KINDS):
        rows = values[i * repetitions : (i + 1) * repetitions]
        found.append(_Found(kind, *(np.array(part) for part in zip(*rows, strict=True))))
    tables = {one.kind.name: _side_by_side(one) for one in found}
    tables["losses"] = _tidy(found)
    tables["sizes"] = _by_size((20, 40) if quick else _SIZES, repetitions, random.spawn(1)[0])
    notes = tuple(note for one in found for note in _sentences(one))
    return StudyResult("measures", _TITLE, tables, notes, figures={"heat_maps": partial(_figure, found)})


def _by_size(sizes: Sequence[int], repetitions: int, rng: np.random.Generator) -> Table:
    """Return the mean losses of dendrograms of several sizes of which a tenth of the items is swapped."""
    swapped = _DENDROGRAMS._replace(corruptions={"swapped": _DENDROGRAMS.corruptions["swapped"]})
    mean = [np.mean([_scored(swapped, n, rng)[1][:, 0] for _ in range(repetitions)], axis=0) for n in sizes]
    columns = {f"{n} items": losses.tolist() for n, losses in zip(sizes, mean, strict=True)}
    names = list(swapped.measures)
    return Table.of(measure=names, symbol=[_symbol(name) for name in names], **columns)


def _touched(n: int) -> int:
    """Return the number of items affected by a corruption."""
    return max(1, round(_SHARE * n))


def _hierarchy(n: int, rng: np.random.Generator) -> StickBreaking:
    """Draw a hierarchy with items at any node and more than ten nodes."""
    while True:
        drawn = stick_breaking(n, **STICK_SETS["s05"]._asdict(), rng=rng)
        if drawn.hierarchy.n_nodes > 10:
            return drawn


def _dendrogram(n: int, rng: np.random.Generator) -> Hierarchy:
    """Cluster points drawn along a random tree."""
    points = diffused_points(random_tree(n, shape="merges", rng=rng), dimension=5, shrink=0.8, rng=rng)
    return agglomerate(points, linkage="average").hierarchy


def _partition(n: int, rng: np.random.Generator) -> IntArray:
    """Draw labels whose cluster sizes are those of the nodes of a hierarchy."""
    return np.unique(_hierarchy(n, rng).item_place, return_inverse=True)[1]


def _with_ways_between(drawn: StickBreaking, rng: np.random.Generator) -> Hierarchy:
    """Insert a node with a single child above every node."""
    tree = drawn.hierarchy
    parent = np.empty(2 * tree.n_nodes, dtype=np.int64)
    parent[0::2] = np.arange(1, 2 * tree.n_nodes, 2)
    parent[1::2] = np.where(tree.parent >= 0, 2 * tree.parent, -1)
    return Hierarchy(parent, None, 2 * tree.item_node, tree.items)


def _halve_clusters(labels: IntArray, rng: np.random.Generator) -> IntArray:
    """Split every cluster into two random halves."""
    return 2 * labels + rng.integers(2, size=labels.size)


def _merge_clusters(labels: IntArray, rng: np.random.Generator) -> IntArray:
    """Merge random pairs of clusters."""
    merged: IntArray = (rng.permutation(int(labels.max()) + 1) // 2)[labels]
    return merged


def _set_apart(labels: IntArray, rng: np.random.Generator) -> IntArray:
    """Make each of a tenth of the items a singleton cluster."""
    worse = labels.copy()
    some = rng.choice(labels.size, _touched(labels.size), replace=False)
    worse[some] = labels.max() + 1 + np.arange(some.size)
    return worse


def _moved(labels: IntArray, rng: np.random.Generator) -> IntArray:
    """Move a tenth of the items to clusters drawn in proportion to their size."""
    worse = labels.copy()
    some = rng.choice(labels.size, _touched(labels.size), replace=False)
    worse[some] = rng.choice(labels, some.size)
    return worse


def call_of_trees(name: str) -> Callable[[Any, Any], float]:
    """Return a measure of hierarchies that accepts the result of stick breaking."""
    call = MEASURES[name].call
    return lambda a, b: call(
        a.hierarchy if isinstance(a, StickBreaking) else a, b.hierarchy if isinstance(b, StickBreaking) else b
    )


def call_of_labels(name: str) -> Callable[[Any, Any], float]:
    """Return a measure of partitions; if it needs a bound, the bound is the number of items."""
    measure = MEASURES[name]
    return lambda a, b: measure.call(a, b, max_clusters=len(a)) if measure.needs_bound else measure.call(a, b)


_HIERARCHIES = _Kind(
    "hierarchies",
    _hierarchy,
    {
        "re-inserted": lambda drawn, rng: reinsert(drawn, _touched(drawn.hierarchy.n_items), rng=rng),
        "swapped": lambda drawn, rng: swap_items(drawn.hierarchy, _touched(drawn.hierarchy.n_items) // 2, rng=rng),
        "subtrees moved": lambda drawn, rng: prune_regraft(drawn.hierarchy, 3, rng=rng),
        "flattened": lambda drawn, rng: flatten(drawn.hierarchy),
        "all to the root": lambda drawn, rng: collapse_to_root(drawn.hierarchy),
        "unary nodes": _with_ways_between,
    },
    lambda drawn, rng: Hierarchy(
        drawn.hierarchy.parent, None, rng.permutation(drawn.hierarchy.item_node), drawn.hierarchy.items
    ),
    {name: call_of_trees(name) for name in TREE_MEASURES if not MEASURES[name].needs_heights},
)
_DENDROGRAMS = _Kind(
    "dendrograms",
    _dendrogram,
    {
        "swapped": lambda tree, rng: swap_items(tree, _touched(tree.n_items) // 2, rng=rng),
        "half relabelled": worse.relabel_half,
        "subtrees moved": lambda tree, rng: prune_regraft(tree, _touched(tree.n_items) // 2, rng=rng),
        "exchanged near the root": worse.exchange_near_root,
        "exchanged near the leaves": worse.exchange_near_leaves,
        "low merges at once": worse.without_low_merges,
        "other order of merges": worse.other_order,
        "noise in heights": worse.noisy_heights,
        "heights squared": worse.other_heights,
    },
    lambda tree, rng: Hierarchy(tree.parent, tree.height, rng.permutation(tree.item_node), tree.items),
    {name: call_of_trees(name) for name in TREE_MEASURES if not MEASURES[name].refuses_dendrograms},
)
_PARTITIONS = _Kind(
    "partitions",
    _partition,
    {
        "items moved": _moved,
        "items set apart": _set_apart,
        "clusters halved": _halve_clusters,
        "clusters merged": _merge_clusters,
        "all in one cluster": lambda labels, rng: np.zeros_like(labels),
        "all alone": lambda labels, rng: np.arange(labels.size),
    },
    lambda labels, rng: rng.permutation(labels),
    {name: call_of_labels(name) for name in PARTITION_MEASURES if MEASURES[name].identical is not None},
)
_KINDS = (_HIERARCHIES, _DENDROGRAMS, _PARTITIONS)


def _scored(kind: _Kind, n: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Return the values and losses of one draw, each of shape (measures, corruptions)."""
    truth = kind.drawn(n, rng)
    worse = [corrupt(truth, rng) for corrupt in kind.corruptions.values()]
    shuffled = kind.shuffled(truth, rng)
    value = np.array([[value_or_nan(call, truth, other) for other in worse] for call in kind.measures.values()])
    same = np.array([value_or_nan(call, truth, truth) for call in kind.measures.values()])
    chance = np.array([value_or_nan(call, truth, shuffled) for call in kind.measures.values()])
    return value, (value - same[:, None]) / (chance - same)[:, None] + 0.0


def value_or_nan(call: Callable[[Any, Any], float], truth: Any, other: Any) -> float:
    """Return the value of a measure, or nan if it is undefined."""
    try:
        return call(truth, other)
    except DendrometryError:
        return float("nan")


def _symbol(name: str) -> str:
    """Return the symbol of a measure of hierarchies or partitions."""
    return MEASURES[name].symbol


def _side_by_side(one: _Found) -> Table:
    """Return the mean losses, one row for each measure."""
    mean = one.loss.mean(axis=0)
    columns: dict[str, Sequence[Any]] = {
        "measure": list(one.kind.measures),
        "symbol": [_symbol(name) for name in one.kind.measures],
    }
    for j, corruption in enumerate(one.kind.corruptions):
        columns[corruption] = [None if np.isnan(value) else float(value) for value in mean[:, j]]
    return Table.of(**columns)


def _tidy(found: Sequence[_Found]) -> Table:
    """Return one row for each kind, measure and corruption."""
    rows = []
    for one in found:
        for (i, measure), (j, corruption) in _cells(one.kind):
            loss, value = one.loss[:, i, j], one.value[:, i, j]
            if not np.isnan(loss).any():
                error = loss.std(ddof=1) / np.sqrt(loss.size)
                rows.append((one.kind.name, measure, corruption, value.mean(), loss.mean(), error, bool(loss.any())))
    return Table.of_rows(("kind", "measure", "corruption", "value", "loss", "standard_error", "noticed"), rows)


def _cells(kind: _Kind) -> Iterator[tuple[tuple[int, str], tuple[int, str]]]:
    """Iterate over all pairs of a measure and a corruption, with their indices."""
    for measure in enumerate(kind.measures):
        for corruption in enumerate(kind.corruptions):
            yield measure, corruption


def _sentences(one: _Found) -> Iterator[str]:
    """Report for each corruption which measures do not detect it, and which are most and least sensitive."""
    mean = one.loss.mean(axis=0)
    symbols = [_symbol(name) for name in one.kind.measures]
    for j, corruption in enumerate(one.kind.corruptions):
        defined = ~np.isnan(mean[:, j])
        blind = [symbol for symbol, loss in zip(symbols, one.loss[:, :, j].T, strict=True) if not loss.any()]
        yield f"{one.kind.name}, {corruption}: " + _summarise(symbols, mean[:, j], defined, blind)


def _summarise(symbols: Sequence[str], mean: FloatArray, defined: BoolArray, blind: Sequence[str]) -> str:
    """Return one sentence about the losses of one corruption."""
    seen = [(float(mean[i]), symbol) for i, symbol in enumerate(symbols) if defined[i] and symbol not in blind]
    if not seen:
        return f"noticed by none ({', '.join(blind)})."
    most, least = max(seen), min(seen)
    parts = [f"not noticed by {', '.join(blind)}"] if blind else []
    if len(seen) > 1:
        parts.append(f"loss {least[0]:.2f} ({least[1]}) to {most[0]:.2f} ({most[1]})")
    else:
        parts.append(f"loss {most[0]:.2f} ({most[1]})")
    return "; ".join(parts) + "."


def _figure(found: Sequence[_Found]) -> "Figure":
    """Draw the mean losses as one heat map for each kind of data."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 7.0), layout="constrained")
    for ax, one in zip(figure.subplots(1, len(found)), found, strict=True):
        _draw(ax, one)
    return figure


def _draw(ax: "Axes", one: _Found) -> None:
    """Draw the losses of one kind with their values; white means not detected."""
    mean = one.loss.mean(axis=0)
    ax.imshow(np.clip(np.nan_to_num(mean), 0.0, 1.0), cmap="Blues", vmin=0.0, vmax=1.3, aspect="auto")
    for i, j in np.ndindex(*mean.shape):
        noticed = bool(one.loss[:, i, j].any())
        text = "–" if np.isnan(mean[i, j]) else f"{mean[i, j]:.2f}" if noticed else "0"
        ax.text(j, i, text, ha="center", va="center", fontsize=8, color="white" if mean[i, j] > 0.8 else "black")
    ax.set_xticks(range(mean.shape[1]), list(one.kind.corruptions), rotation=35, ha="right", fontsize=8)
    ax.set_yticks(range(mean.shape[0]), [_symbol(name) for name in one.kind.measures], fontsize=8)
    ax.set_title(one.kind.name, fontsize=10)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
