"""Labels of items as users give them: one or several for each item, with or without scores."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from dendrometry._check.choices import one_of, suggestion
from dendrometry._check.frames import columns_of, is_frame
from dendrometry._check.labels import encode_labels
from dendrometry._check.names import alignment, item_names_of, name_column, names_within
from dendrometry._check.numbers import real_number
from dendrometry._check.points import is_sparse
from dendrometry._display import plural, printable, printable_repr, quote_first
from dendrometry._typing import FloatArray, IntArray
from dendrometry.dag import Dag
from dendrometry.errors import InvalidInputError, ItemMismatchError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.dags import DagLike, tree_or_dag
from dendrometry.taxonomy.nodes import Nodes

Unknown = Literal["error", "leave_out"]
_LEAVE_OUT = Remedy("unknown", "leave_out", "leaves them out and counts them")


class Labels(NamedTuple):
    """Labels of items: of each its item, its term, and its score; names of items, None if they are only in order."""

    items: tuple[str, ...] | None
    n_items: int
    item: IntArray
    term: IntArray
    score: FloatArray | None
    n_unknown: int = 0
    n_obsolete: int = 0


class _Given(NamedTuple):
    """Labels as they came, with their items."""

    items: tuple[str, ...] | None
    n_items: int
    item: list[int]
    label: list[Any]
    score: list[Any] | None


class Terms:
    """The terms of a taxonomy, to be found by identifier, by name, and in a tree by path or number."""

    def __init__(self, taxonomy: DagLike) -> None:
        found = tree_or_dag(taxonomy, "taxonomy")
        self.dag = Dag.from_hierarchy(found) if isinstance(found, Hierarchy) else found
        self._nodes = Nodes(found) if isinstance(found, Hierarchy) else None
        self._obsolete = frozenset(self.dag.obsolete)
        self._named: dict[str, int] = {}
        for v, name in enumerate(self.dag.names):
            self._named[name] = -1 if name in self._named else v

    def read(self, given: Any, which: str, unknown: Unknown) -> Labels:
        """Return labels as numbers of terms; ``which`` says whether they are true or predicted ones."""
        one_of(unknown, "unknown", get_args(Unknown))
        found = _given(given, which)
        if found is None:
            return self._one_each(given, which, unknown)
        number: dict[Any, int] = {}
        for label in found.label:
            if label not in number:
                number[label] = self._number(label)
        term = np.fromiter(map(number.__getitem__, found.label), np.int64, len(found.label))
        if unknown == "error" and (term < 0).any():
            at = int(np.argmax(term < 0))
            place = f"item '{printable(found.items[found.item[at]])}'" if found.items else f"item {found.item[at]}"
            raise InvalidInputError(self._message(found.label[at], int(term[at]), which, place), _LEAVE_OUT)
        item, known = np.array(found.item, dtype=np.int64), term >= 0
        score = None if found.score is None else _scores(found.score, which)[known]
        gone = int((term == -2).sum())
        return Labels(found.items, found.n_items, item[known], term[known], score, int((term == -1).sum()), gone)

    def _one_each(self, given: Any, which: str, unknown: Unknown) -> Labels:
        """Return one label for each item."""
        names = names_within(given)
        if self._nodes is not None and unknown == "error":
            term = self._nodes.find(given, which)
        else:
            coded = encode_labels(given, which)
            number = np.array([self._number(label) for label in coded.label.tolist()], dtype=np.int64)
            term = number[coded.code]
            if unknown == "error" and (term < 0).any():
                at = int(np.argmax(term < 0))
                place = f"item '{printable(names[at])}'" if names else f"item {at}"
                label = coded.label[coded.code[at]]
                raise InvalidInputError(self._message(label, int(term[at]), which, place), _LEAVE_OUT)
        known = term >= 0
        counts = int((term == -1).sum()), int((term == -2).sum())
        return Labels(names, term.size, np.flatnonzero(known), term[known], None, *counts)

    def _number(self, label: Any) -> int:
        """Return the number of a term; -1 if it is unknown or ambiguous, -2 if it is obsolete."""
        if self._nodes is not None:
            return self._nodes.number(label)
        if not isinstance(label, str):
            return -1
        at = self.dag.number.get(self.dag.aliases.get(label, label))
        if at is None:
            at = self._named.get(label, -1)
        return -2 if at < 0 and label in self._obsolete else at

    def _message(self, label: Any, number: int, which: str, place: str) -> str:
        """Return what is wrong with a label."""
        several = self._nodes is None and isinstance(label, str) and self._named.get(label) == -1
        why = "obsolete, without a term in its place" if number == -2 else "not among them"
        why = "the name of several (their identifiers tell them apart)" if several else why
        hint = suggestion(label, self.dag.terms) if number == -1 and not several else ""
        got = f"{printable_repr(label)} of {place}, which is {why}"
        return f"{hint}the {which} labels must be terms of the taxonomy; got {got}"


def match_items(truth: Labels, predicted: Labels, given: tuple[Any, Any], unknown: Unknown) -> tuple[Labels, int]:
    """Return the predicted labels with the items of the true ones, and how many items without truth are left out."""
    one_each = not _is_several(given[0]) and not _is_several(given[1])
    if one_each and unknown == "error":
        order = alignment(*given, "the true and the predicted nodes")
        if order is not None:
            place = np.empty(order.size, dtype=np.int64)
            place[order] = np.arange(order.size)
            predicted = predicted._replace(item=place[predicted.item])
    elif truth.items is not None and predicted.items is not None:
        return _by_name(truth.items, predicted, unknown)
    if truth.n_items != predicted.n_items:
        raise ItemMismatchError(
            f"there must be one prediction for each true node; got {predicted.n_items:,} for {truth.n_items:,}"
        )
    return predicted, 0


def _by_name(items: tuple[str, ...], predicted: Labels, unknown: Unknown) -> tuple[Labels, int]:
    """Return predicted labels matched to items by name; an item without any is left empty."""
    number = {name: i for i, name in enumerate(items)}
    names = predicted.items or ()
    place = np.array([number.get(name, -1) for name in names], dtype=np.int64)
    strange = [name for name, at in zip(names, place.tolist(), strict=True) if at < 0]
    if strange and unknown == "error":
        raise ItemMismatchError(
            f"each predicted item must have a truth; {plural(len(strange), 'item')} without: {quote_first(strange)}",
            _LEAVE_OUT,
        )
    item = place[predicted.item]
    keep = item >= 0
    score = None if predicted.score is None else predicted.score[keep]
    return predicted._replace(item=item[keep], term=predicted.term[keep], score=score), len(strange)


def _is_several(given: Any) -> bool:
    """Whether labels are more than one for each item."""
    if is_frame(given):
        return True
    values = given.values() if isinstance(given, Mapping) else given
    if is_sparse(given):
        raise TypeError("a sparse matrix holds no labels")
    return getattr(given, "ndim", 1) > 1 or any(issubclass(kind, _SEVERAL) for kind in set(map(type, values)))


_SEVERAL = (list, tuple, Set, Mapping, np.ndarray)


def _given(given: Any, which: str) -> _Given | None:
    """Return several labels for each item as pairs of item and label; None for one each."""
    if is_frame(given):
        return _of_frame(given, which)
    try:
        several = _is_several(given)
    except TypeError:
        raise InvalidInputError(f"the {which} labels must be those of items; got {printable(given)}") from None
    if not several:
        return None
    names = names_within(given)
    rows = list(given.values()) if isinstance(given, Mapping) else list(given)
    item: list[int] = []
    label: list[Any] = []
    score: list[Any] = []
    for i, row in enumerate(rows):
        values = row if isinstance(row, _SEVERAL) else [row]
        held = values.tolist() if isinstance(values, np.ndarray) else list(values)
        held = [value for value in held if not (isinstance(value, str) and not value)]
        item += [i] * len(held)
        label += held
        score += [row[value] for value in held] if isinstance(row, Mapping) else [None] * len(held)
    scored = [value is not None for value in score]
    if any(scored) and not all(scored):
        raise InvalidInputError(f"all {which} labels must have a score, or none; got some with one")
    return _Given(names, len(rows), item, label, score if any(scored) else None)


def _of_frame(table: Any, which: str) -> _Given:
    """Return the labels of a table with a row for each: item, term, and optionally its score."""
    columns = columns_of(table)
    indexed = getattr(getattr(table, "index", None), "name", None) == "item" and "item" not in columns
    if indexed and "term" in columns:
        columns = {"item": list(table.index), **columns}
    if len(columns) < 2:
        raise InvalidInputError(f"a table of {which} labels must have the columns item and term; got {len(columns)}")
    order = list(columns)
    item, term = ("item", "term") if {"item", "term"} <= set(columns) else (order[0], order[1])
    score = columns.get("score") or (columns[order[2]] if len(order) == 3 and "term" not in columns else None)
    if score is None and which == "predicted":
        _refuse_other_scores({name: columns[name] for name in order if name not in (item, term, "score")})
    rows = item_names_of(columns[item], "the items")
    names = name_column(tuple(dict.fromkeys(rows)), len(set(rows)))
    if not names and which == "true":
        raise InvalidInputError("a table of true labels must have at least one row; got none")
    number = {name: i for i, name in enumerate(names)}
    return _Given(names, len(names), [number[name] for name in rows], columns[term], score)


def _refuse_other_scores(columns: dict[str, list[Any]]) -> None:
    """Refuse columns that hold scores, but are not called so."""
    for name, values in columns.items():
        try:
            within = [0.0 <= float(value) <= 1.0 for value in values]
        except (TypeError, ValueError, OverflowError):
            continue
        if within and all(within) and any(0.0 < float(value) < 1.0 for value in values):
            raise InvalidInputError(
                "the scores of predicted labels must be in the column score; got numbers from 0 to 1 in"
                f" '{printable(name)}' (call it score, or leave it out)"
            )


def _scores(values: list[Any], which: str) -> FloatArray:
    """Return scores as numbers; refuse others."""
    try:
        column = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        column = np.array([real_number(value, f"a score of a {which} label") for value in values])
    if not np.isfinite(column).all():
        raise InvalidInputError(f"the scores of {which} labels must be finite; got {column[~np.isfinite(column)][0]}")
    return column
