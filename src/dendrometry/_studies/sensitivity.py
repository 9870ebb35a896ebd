"""Which measure notices what in real trees, and which measures rank ways of clustering alike."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import kendalltau

from dendrometry._check.numbers import random_generator
from dendrometry._progress import track
from dendrometry._studies.inputs import worse_dendrograms as worse
from dendrometry._studies.inputs.real_trees import RealItems, real_items
from dendrometry._studies.measures import call_of_labels, call_of_trees, value_or_nan
from dendrometry._studies.result import StudyResult, Table
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.linkages import Linkage
from dendrometry.cut.coarsen import coarsen
from dendrometry.cut.count import cut_count
from dendrometry.errors import InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES, TREE_MEASURES

_TITLE = "Which measure notices which edit of real trees, and which measures rank ways of clustering alike?"
_MOST = 150  # items of a tree
_SHARE = 0.1  # share of the items that are missing
_SHUFFLES = 3  # relabellings for a value by chance
_LINKAGES: tuple[Linkage, ...] = ("single", "complete", "average", "weighted", "ward", "centroid", "median")
_DEPTHS = {"animals": 1, "languages": 0, "words": 3}  # of the classes that flat clusterings are to find


class _Edit(NamedTuple):
    """One edit: of a tree, and of the flat clustering that a cut of a tree into k groups is."""

    tree: Callable[[Hierarchy, np.random.Generator], Hierarchy] | None
    labels: Callable[[Hierarchy, int, np.random.Generator], IntArray]


def sensitivity(
    *, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False
) -> StudyResult:
    """Edit real trees in one way at a time, and rank ways of clustering real items by every measure.

    The trees are classifications of animals, languages, nouns and diagnoses, and dendrograms by average linkage of the
    first three, of at most 150 random items. Heights in a classification are the longest ways down to an item. Flat
    clusterings are cuts of the dendrograms into as many groups as the root of the number of items. The loss is 0 if an
    edit is not noticed and 1 if it is as bad as all items relabelled at random, the mean of three relabellings.

    Edits: four exchanges next to the root; one exchange for every 20 items at the leaves; heights times random factors;
    a tenth of the items hung from the root, or alone; everything below the cut into half the groups collapsed, or half
    and twice the groups. Ways of clustering: seven linkages of animals, languages and nouns, judged by their
    classification, or cut into as many groups as it has classes.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; the full study draws five times, the quick one has animals, once.

    Returns
    -------
    StudyResult
        Table "choosing" with a row for each measure: the mean loss by each edit, the edits that it is blind to in all
        trees, and the measures that rank linkages most and least like it (mean Kendall tau); "losses" with their range
        over the trees; "rankings" with tau for each pair of measures.

    Raises
    ------
    InvalidInputError
        If the data cannot be fetched.

    Examples
    --------
    >>> from dendrometry._studies.sensitivity import sensitivity
    >>> sensitivity(quick=True)
    StudyResult(sensitivity: tables choosing, losses, rankings; figures none)
    """
    source = random_generator(rng)
    sets = real_items(quick)
    draws = [(data, data.some(_MOST, source)) for _ in range(1 if quick else 5) for data in sets]
    losses: dict[str, dict[tuple[str, str], list[float]]] = {"trees": {}, "partitions": {}}
    taus: dict[str, list[FloatArray]] = {"trees": [], "partitions": []}
    for data, some in track(draws, "sets of items", len(draws), progress):
        for tree in _trees(data, some):
            _add_losses(losses, tree, source)
        if data.built is not None:
            for of, tau in _rankings(data, some).items():
                taus[of].append(tau)
    rankings = {of: np.array(some) for of, some in taus.items()}
    tables = {
        "choosing": _choosing(losses, rankings),
        "losses": _losses_table(losses),
        "rankings": _rankings_table(rankings),
    }
    return StudyResult("sensitivity", _TITLE, tables, tuple(_sentences(losses, rankings)))


def _trees(data: RealItems, some: IntArray) -> Iterator[Hierarchy]:
    """Return the classification of some items, and their dendrogram if they have data."""
    yield data.classification(some)
    if data.built is not None:
        yield data.built(some, "average")


def _hung_from_root(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Hang a tenth of the items from the root."""
    assert tree.height is not None
    away = set(rng.choice(tree.n_items, max(1, round(_SHARE * tree.n_items)), replace=False).tolist())
    rest = tree.restrict([item for i, item in enumerate(tree.items) if i not in away]).without_unary()
    assert rest.height is not None
    m = len(away)
    parent = np.append(np.full(m, rest.root + m), np.where(rest.parent < 0, -1, rest.parent + m))
    height = np.append(np.zeros(m), rest.height)
    items = tuple(item for i, item in enumerate(tree.items) if i in away) + rest.items
    return Hierarchy(parent, height, np.append(np.arange(m), rest.item_node + m), items)


def _labels(tree: Hierarchy, k: int) -> IntArray:
    """Cut a tree into k groups; the labels are in the order of the names of the items."""
    order = np.argsort(np.array(tree.items))
    return cut_count(tree, k).labels[order]


def _coarse(tree: Hierarchy, rng: np.random.Generator) -> Hierarchy:
    """Collapse what is below the cut into half as many groups, or the nearest smaller number that the tree has."""
    for k in range(max(2, _groups_of(tree) // 2), 1, -1):
        try:
            return coarsen(tree, k)
        except InvalidInputError:  # a node of several children is either cut or not
            continue
    return coarsen(tree, int(tree.n_children[tree.root]))


def _alone(tree: Hierarchy, k: int, rng: np.random.Generator) -> IntArray:
    """Return a cut in which a tenth of the items are alone."""
    labels = _labels(tree, k).copy()
    away = rng.choice(labels.size, max(1, round(_SHARE * labels.size)), replace=False)
    labels[away] = labels.max() + 1 + np.arange(away.size)
    return labels


def _cut_of(edit: Callable[[Hierarchy, np.random.Generator], Hierarchy]) -> _Edit:
    """Return an edit of a tree, and the cut of the edited tree."""
    return _Edit(edit, lambda tree, k, rng: _labels(edit(tree, rng), k))


def _groups_of(tree: Hierarchy) -> int:
    """Return the number of groups of the true cut: the root of the number of items."""
    return math.isqrt(tree.n_items)


_EDITS: Mapping[str, _Edit] = {
    "near the root": _cut_of(worse.exchange_near_root),
    "near the leaves": _cut_of(worse.exchange_near_leaves),
    "noise in heights": _cut_of(worse.noisy_heights),
    "missing items": _Edit(_hung_from_root, _alone),
    "too few groups": _Edit(_coarse, lambda tree, k, rng: _labels(tree, k // 2)),
    "too many groups": _Edit(None, lambda tree, k, rng: _labels(tree, 2 * k)),
}
_CALLS: Mapping[str, Mapping[str, Callable[[Any, Any], float]]] = {
    "trees": {name: call_of_trees(name) for name in TREE_MEASURES},
    "partitions": {name: call_of_labels(name) for name in PARTITION_MEASURES if MEASURES[name].identical is not None},
}


def _add_losses(
    losses: dict[str, dict[tuple[str, str], list[float]]], tree: Hierarchy, rng: np.random.Generator
) -> None:
    """Add the loss of every measure by every edit of a tree, and of its cut."""
    shuffled = [
        Hierarchy(tree.parent, tree.height, rng.permutation(tree.item_node), tree.items) for _ in range(_SHUFFLES)
    ]
    edited_trees = {name: edit.tree(tree, rng) for name, edit in _EDITS.items() if edit.tree}
    data: dict[str, tuple[Any, Mapping[str, Any], Sequence[Any]]] = {"trees": (tree, edited_trees, shuffled)}
    if (tree.n_children[tree.n_children > 0] == 2).all():  # so that it can be cut into any number of groups
        k = _groups_of(tree)
        truth = _labels(tree, k)
        cuts = {name: edit.labels(tree, k, rng) for name, edit in _EDITS.items()}
        data["partitions"] = truth, cuts, [rng.permutation(truth) for _ in range(_SHUFFLES)]
    for of, (true, edited, by_chance) in data.items():
        for name, call in _CALLS[of].items():
            same = value_or_nan(call, true, true)
            chance = float(np.mean([value_or_nan(call, true, other) for other in by_chance]))
            for edit, other in edited.items():
                value = value_or_nan(call, true, other)
                loss = (value - same) / (chance - same) + 0.0 if chance != same else float("nan")
                losses[of].setdefault((name, edit), []).append(loss)


def _rankings(data: RealItems, some: IntArray) -> dict[str, FloatArray]:
    """Return Kendall's tau between the values of each pair of measures for the linkages, nan where undefined."""
    assert data.built is not None
    truth = data.classification(some)
    classes = data.classes(some, _DEPTHS[data.name])
    trees = [data.built(some, linkage) for linkage in _LINKAGES]
    cuts = [cut_count(tree, int(classes.max()) + 1).labels for tree in trees]
    pairs: dict[str, tuple[Any, Sequence[Any]]] = {"trees": (truth, trees), "partitions": (classes, cuts)}
    found = {}
    for of, (true, others) in pairs.items():
        sign = [-1.0 if MEASURES[name].kind == "distance" else 1.0 for name in _CALLS[of]]
        rows = [[value_or_nan(call, true, other) for other in others] for call in _CALLS[of].values()]
        values = np.array(rows) * np.array(sign)[:, None]
        found[of] = np.array([[_tau(one, other) for other in values] for one in values])
    return found


def _tau(one: FloatArray, other: FloatArray) -> float:
    """Return Kendall's tau-b, nan if a value is missing or all are tied."""
    if np.isnan(one).any() or np.isnan(other).any() or np.ptp(one) == 0 or np.ptp(other) == 0:
        return float("nan")
    return float(kendalltau(one, other).statistic)


def _mean(values: Sequence[float] | FloatArray) -> float | None:
    """Return the mean of the values that are defined, None without any."""
    defined = np.array(values)[~np.isnan(values)]
    return float(defined.mean()) if defined.size else None


def _choosing(losses: Mapping[str, Mapping[tuple[str, str], list[float]]], rankings: Mapping[str, FloatArray]) -> Table:
    """Return one row for each measure: its losses, what it is blind to, and who ranks like it."""
    rows = []
    for of, calls in _CALLS.items():
        for i, name in enumerate(calls):
            mean = {edit: _mean(losses[of].get((name, edit), [float("nan")])) for edit in _EDITS}
            if all(value is None for value in mean.values()):
                continue
            blind = ", ".join(edit for edit in _EDITS if _is_blind(losses[of].get((name, edit), [])))
            rows.append((of, name, *mean.values(), blind, *_neighbours(list(calls), rankings[of], i)))
    columns = ("of", "measure", *_EDITS, "blind to", "ranks most like", "tau most", "ranks least like", "tau least")
    return Table.of_rows(columns, rows)


def _is_blind(losses: Sequence[float]) -> bool:
    """Return whether no edit was noticed in any tree where the measure is defined."""
    defined = [loss for loss in losses if not np.isnan(loss)]
    return bool(defined) and not any(defined)


def _neighbours(
    names: Sequence[str], tau: FloatArray, i: int
) -> tuple[str | None, float | None, str | None, float | None]:
    """Return the measures that rank most and least like one, with their mean tau; None if it ranks nothing."""
    mean = {name: _mean(tau[:, i, j]) for j, name in enumerate(names) if j != i}
    known = {name: value for name, value in mean.items() if value is not None}
    if not known:
        return None, None, None, None
    most, least = max(known, key=known.__getitem__), min(known, key=known.__getitem__)
    return most, known[most], least, known[least]


def _losses_table(losses: Mapping[str, Mapping[tuple[str, str], list[float]]]) -> Table:
    """Return one row for each measure and edit: the mean loss over all trees, and its range."""
    rows = []
    for of, found in losses.items():
        for (name, edit), values in found.items():
            defined = np.array(values)[~np.isnan(values)]
            if defined.size:
                rows.append((of, name, edit, defined.mean(), defined.min(), defined.max(), defined.size))
    return Table.of_rows(("of", "measure", "edit", "loss", "lowest", "highest", "trees"), rows)


def _rankings_table(rankings: Mapping[str, FloatArray]) -> Table:
    """Return one row for each pair of measures: the mean of tau over the sets of items, and its range."""
    rows = []
    for of, tau in rankings.items():
        names = list(_CALLS[of])
        for i, j in zip(*np.triu_indices(len(names), 1), strict=True):
            some = tau[:, i, j][~np.isnan(tau[:, i, j])]
            if some.size:
                rows.append((of, names[i], names[j], some.mean(), some.min(), some.max(), some.size))
    return Table.of_rows(("of", "first", "second", "tau", "lowest", "highest", "sets"), rows)


def _sentences(
    losses: Mapping[str, Mapping[tuple[str, str], list[float]]], rankings: Mapping[str, FloatArray]
) -> Iterator[str]:
    """Say of each edit who is blind to it and who loses most, and how alike the rankings are."""
    for of, found in losses.items():
        for edit in _EDITS:
            mean = {name: _mean(values) for (name, which), values in found.items() if which == edit}
            known = {name: value for name, value in mean.items() if value is not None}
            if known:
                blind = [name for name in known if _is_blind(found[name, edit])]
                most = max(known, key=known.__getitem__)
                who = f"not noticed by {', '.join(blind)}; " if blind else ""
                yield f"{of}, {edit}: {who}most by {most} ({known[most]:.2f})."
        upper = np.triu_indices(len(_CALLS[of]), 1)
        value = _mean(rankings[of][:, upper[0], upper[1]].ravel())
        if value is not None:
            yield f"{of}: two measures rank seven linkages with a mean tau of {value:.2f}."
