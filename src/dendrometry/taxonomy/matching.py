"""Which concepts of two taxonomies are the same: by identifier or name, by a table of pairs, or by embeddings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from dendrometry._check.arrays import Frozen
from dendrometry._check.choices import elements, one_of, suggestion
from dendrometry._check.numbers import real_number
from dendrometry._display import plural, printable, quote_first
from dendrometry._extras import require
from dendrometry._html import preview
from dendrometry._tabular import Tabular
from dendrometry._typing import FloatArray, IntArray
from dendrometry.dag import Dag
from dendrometry.errors import InvalidInputError, Remedy, UnknownNameError
from dendrometry.io.dags import DagLike
from dendrometry.overlap import MatchNames, match_loosely, positions
from dendrometry.taxonomy.concepts import as_concepts, is_numbered
from dendrometry.taxonomy.embedding import one_to_one, unit_rows

By = Literal["terms", "names"]
Pairs = Mapping[str, str] | Iterable[tuple[str, str]]
Embeddings = tuple[ArrayLike | Mapping[str, ArrayLike], ArrayLike | Mapping[str, ArrayLike]]
HOW = ("pairs", "exact", "loose", "embedding")


@dataclass(frozen=True, eq=False, repr=False)
class ConceptMatches(Frozen, Tabular):
    """Pairs of concepts of two taxonomies that are taken for the same.

    Attributes
    ----------
    in_a, in_b : (n,) array of int
        The numbers of the concepts of each pair, in the order of the first taxonomy.
    how : tuple of {"pairs", "exact", "loose", "embedding"}
        What matched each pair: the table of pairs, the same name, the same name but for case, underscores and spaces,
        or their embeddings.
    cosine : (n,) array of float
        The cosine of the embeddings of each pair that they matched; nan for the others.
    called_a, called_b : tuple of str
        What all concepts of either taxonomy are called; "" for one without a name.
    threshold : float or None
        The least cosine of a pair matched by embeddings; None without embeddings.
    n_repeated : pair of int
        The number of concepts on either side that are not matched although their name is on the other side, because
        several concepts have it.
    """

    in_a: IntArray
    in_b: IntArray
    how: tuple[str, ...]
    cosine: FloatArray
    called_a: tuple[str, ...]
    called_b: tuple[str, ...]
    threshold: float | None = None
    n_repeated: tuple[int, int] = (0, 0)

    @property
    def only_a(self) -> IntArray:
        """The numbers of the concepts of the first taxonomy without a match."""
        return np.setdiff1d(np.arange(len(self.called_a)), self.in_a)

    @property
    def only_b(self) -> IntArray:
        """The numbers of the concepts of the second taxonomy without a match."""
        return np.setdiff1d(np.arange(len(self.called_b)), self.in_b)

    @property
    def n_by(self) -> dict[str, int]:
        """The number of pairs by what matched them."""
        count = Counter(self.how)
        return {how: count[how] for how in HOW if count[how]}

    def sentence(self) -> str:
        """Return how the concepts were matched, in words."""
        words = {"pairs": "by the table of pairs", "exact": "by the same name", "loose": "by loosely the same name"}
        words["embedding"] = f"by embeddings (cosine of at least {self.threshold})"
        parts = [f"{count:,} {words[how]}" for how, count in self.n_by.items()]
        repeated = sum(self.n_repeated)
        left = f"; {plural(repeated, 'concept')} left out, whose names are repeated" if repeated else ""
        return f"{', '.join(parts) or 'none'}{left}"

    def columns(self) -> dict[str, list[Any]]:
        """Return the pairs as columns: concept in either taxonomy, what matched them, and the cosine or None."""
        return {
            "a": [self.called_a[v] for v in self.in_a.tolist()],
            "b": [self.called_b[v] for v in self.in_b.tolist()],
            "how": list(self.how),
            "cosine": [None if np.isnan(x) else x for x in self.cosine.tolist()],
        }

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row for each pair."""
        pd = require("pandas", extra="tables", for_="to_frame()")
        return pd.DataFrame(self.columns()).astype({"cosine": float})

    def _repr_html_(self) -> str:
        return preview(repr(self), self.columns())

    def __repr__(self) -> str:
        return (
            f"ConceptMatches({plural(self.in_a.size, 'pair')}: {self.sentence()};"
            f" {self.only_a.size:,} only in the first, {self.only_b.size:,} only in the second)"
        )


def match_concepts(
    a: DagLike,
    b: DagLike,
    *,
    by: By = "terms",
    match_names: MatchNames = "exact",
    pairs: Pairs | None = None,
    embeddings: Embeddings | None = None,
    threshold: float | None = None,
) -> ConceptMatches:
    """Match the concepts of two taxonomies, one to one.

    First by the table of pairs, then by the same name, then loosely if asked for, then by embeddings if given; each
    step only takes concepts that are left. A name that several concepts of a side have matches none of them.

    Parameters
    ----------
    a, b : Dag, Hierarchy, or anything that `as_dag` takes
        The two taxonomies.
    by : {"terms", "names"}
        What is matched: identifiers, which two versions of a vocabulary share, or names, "" matching nothing. Those of
        a tree are the names of its nodes either way.
    match_names : {"exact", "loose"}
        With "loose", names that only one taxonomy has are matched if they differ only in case, underscores and spaces,
        and are unique in that form.
    pairs : mapping, or iterable of pairs of str, optional
        What concepts of the first taxonomy are called in the second, by identifier or name.
    embeddings : pair of (n_terms, n_dimensions) array-like, or of mappings from term to vector, optional
        Vectors of all concepts of either taxonomy, from a model of the user's choice; arrays are in the order of
        ``terms``, data frames and mappings are matched by identifier or name.
    threshold : float, optional
        The least cosine of a pair that is matched by embeddings; required with embeddings.

    Returns
    -------
    ConceptMatches
        The pairs, what matched each, and what is left on either side.

    Raises
    ------
    InvalidInputError
        If the table names a concept that there is not, or one twice; if embeddings have no threshold, a zero vector or
        another number of rows or dimensions.

    Notes
    -----
    Up to 2,000 concepts left on either side, embeddings are matched so that the sum of what their cosines have above
    the threshold is greatest (Hungarian method); of more, the most similar pair first, among the 16 nearest concepts of
    each one.

    Examples
    --------
    >>> from dendrometry import Dag
    >>> from dendrometry.taxonomy import match_concepts
    >>> a = Dag.from_edges([("cat", "mammal"), ("owl", "bird")])
    >>> b = Dag.from_edges([("Cat", "mammals"), ("owl", "bird")])
    >>> match_concepts(a, b, match_names="loose", pairs={"mammal": "mammals"}).n_by
    {'pairs': 1, 'exact': 2, 'loose': 1}
    """
    one_of(by, "by", get_args(By))
    one_of(match_names, "match_names", get_args(MatchNames))
    first, second = as_concepts(a, what="the first taxonomy"), as_concepts(b, what="the second taxonomy")
    called = _called(first, by), _called(second, by)
    found, how = np.full(first.n_terms, -1, dtype=np.int64), np.full(first.n_terms, -1, dtype=np.int64)
    if pairs is not None:
        _take(found, how, _from_table(pairs, first, second), "pairs")
    free = _free_names(called[0], found >= 0), _free_names(called[1], np.isin(np.arange(second.n_terms), found))
    by_name, n_repeated = _by_name(*free)
    _take(found, how, by_name, "exact")
    if match_names == "loose":
        _take(found, how, _loosely(called, found), "loose")
    cosine, least = np.full(first.n_terms, np.nan), _threshold(embeddings, threshold)
    if embeddings is not None and least is not None:
        _by_embeddings((first, second), embeddings, least, found, how, cosine)
    kept = np.flatnonzero(found >= 0)
    names = tuple(HOW[i] for i in how[kept].tolist())
    return ConceptMatches(kept, found[kept], names, cosine[kept], *called, least, n_repeated)


def _called(dag: Dag, by: By) -> tuple[str, ...]:
    """Return what the concepts are called; "" for nodes of a tree that are only numbered, and terms without a name."""
    called = dag.names if by == "names" and dag.names else dag.terms
    if not dag.is_tree:
        return called
    return tuple("" if is_numbered(term, v) else term for v, term in enumerate(called))


def _free_names(called: tuple[str, ...], taken: Any) -> tuple[str, ...]:
    """Return the names of concepts that are not taken, "" for the others."""
    if not taken.any():
        return called
    return tuple("" if gone else name for name, gone in zip(called, taken.tolist(), strict=True))


def _take(found: IntArray, how: IntArray, matches: IntArray, what: str) -> None:
    """Add matches, -1 for none, of what is left."""
    new = (matches >= 0) & (found < 0)
    found[new] = matches[new]
    how[new] = HOW.index(what)


def _by_name(names: tuple[str, ...], among: tuple[str, ...]) -> tuple[IntArray, tuple[int, int]]:
    """Return the only concept with the same name, or -1, and how many on either side have a repeated shared name."""
    if len({*names}) == len(names) and len({*among}) == len(among) and "" not in names + among:
        return positions(names, among), (0, 0)
    place, other = _places(names), _places(among)
    repeated = (
        sum(1 for name in names if name in other and (place[name] < 0 or other[name] < 0)),
        sum(1 for name in among if name in place and (place[name] < 0 or other[name] < 0)),
    )
    matches = [other.get(name, -1) if place.get(name, -1) >= 0 else -1 for name in names]
    return np.array([max(at, -1) for at in matches], dtype=np.int64), repeated


def _places(names: tuple[str, ...]) -> dict[str, int]:
    """Return the place of each name, -2 if it is repeated; "" is no name."""
    place: dict[str, int] = {}
    for at, name in enumerate(names):
        if name:
            place[name] = -2 if name in place else at
    return place


def _loosely(called: tuple[tuple[str, ...], tuple[str, ...]], found: IntArray) -> IntArray:
    """Return the matches of concepts that are left, by a form of the name that is unique among those left."""
    taken = set(found.tolist())
    left = np.array([v for v in np.flatnonzero(found < 0).tolist() if called[0][v]], dtype=np.int64)
    right = np.array([v for v, name in enumerate(called[1]) if name and v not in taken], dtype=np.int64)
    names, among = (tuple(side[v] for v in kept.tolist()) for side, kept in zip(called, (left, right), strict=True))
    some, _ = match_loosely(names, among, np.full(len(names), -1, dtype=np.int64))
    matches = np.full(found.size, -1, dtype=np.int64)
    good = some >= 0
    matches[left[good]] = right[some[good]]
    return matches


def _from_table(pairs: Pairs, a: Dag, b: Dag) -> IntArray:
    """Return the matches of a table of pairs, -1 for none; refuse unknown and repeated concepts."""
    given: list[Any] = list(pairs.items()) if isinstance(pairs, Mapping) else list(elements(pairs, "pairs"))
    for at, pair in enumerate(given):
        if isinstance(pair, str | bytes) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise InvalidInputError(f"pairs must be pairs of names; got {printable(pair)} at position {at}")
    columns = [
        _numbers([pair[side] for pair in given], dag, which) for side, dag, which in ((0, a, "first"), (1, b, "second"))
    ]
    matches = np.full(a.n_terms, -1, dtype=np.int64)
    matches[columns[0]] = columns[1]
    return matches


def _numbers(names: list[Any], dag: Dag, which: str) -> list[int]:
    """Return the numbers of concepts by identifier, or by a name that only one has."""
    by_name = _places(dag.names)
    found = []
    for name in names:
        at = dag.number.get(name, by_name.get(name, -1)) if isinstance(name, str) else -1
        if at < 0:
            hint = suggestion(name, dag.terms if at == -1 else ())
            what = "several concepts have" if at == -2 else "is not among them"
            raise UnknownNameError(
                f"{hint}pairs must name concepts of the {which} taxonomy; got '{printable(name)}', which {what}"
            )
        found.append(at)
    twice = [dag.terms[v] for v, count in Counter(found).items() if count > 1]
    if twice:
        raise InvalidInputError(
            f"pairs must name each concept once; these of the {which} taxonomy are repeated: {quote_first(twice)}"
        )
    return found


def _threshold(embeddings: Embeddings | None, threshold: float | None) -> float | None:
    """Return the threshold as a float; refuse one without embeddings, and embeddings without one."""
    if embeddings is None and threshold is not None:
        raise InvalidInputError("a threshold is for embeddings; got none of these")
    if embeddings is not None and threshold is None:
        raise InvalidInputError(
            "embeddings need a threshold, the least cosine of a pair", Remedy("threshold", ..., "sets it, such as 0.8")
        )
    return None if threshold is None else real_number(threshold, "threshold", least=-1.0, most=1.0)


def _by_embeddings(
    dags: tuple[Dag, Dag], embeddings: Any, threshold: float, found: IntArray, how: IntArray, cosine: FloatArray
) -> None:
    """Match what is left by embeddings."""
    if not isinstance(embeddings, tuple | list) or len(embeddings) != 2:
        raise InvalidInputError(f"embeddings must be a pair, one array for each taxonomy; got {printable(embeddings)}")
    which = "the embeddings of the first taxonomy", "the embeddings of the second taxonomy"
    rows = [unit_rows(given, dag, what) for given, dag, what in zip(embeddings, dags, which, strict=True)]
    if rows[0].shape[1] != rows[1].shape[1]:
        raise InvalidInputError(
            "both embeddings must have the same number of dimensions; got"
            f" {rows[0].shape[1]:,} and {rows[1].shape[1]:,}"
        )
    left, right = np.flatnonzero(found < 0), np.setdiff1d(np.arange(dags[1].n_terms), found)
    here, there, value = one_to_one(rows[0][left], rows[1][right], threshold)
    found[left[here]], how[left[here]], cosine[left[here]] = right[there], HOW.index("embedding"), value
