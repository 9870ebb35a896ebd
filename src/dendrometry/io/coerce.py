"""What users have becomes a Hierarchy, in every function of trees; no format is loaded for a Hierarchy."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from dendrometry._display import printable, printable_repr
from dendrometry.errors import DendrometryError, InvalidInputError, NthTree, Part, Remedy, advise_function
from dendrometry.hierarchy import Hierarchy
from dendrometry.unrooted import UnrootedTree


@runtime_checkable
class _Result(Protocol):
    """A result with a tree."""

    @property
    def hierarchy(self) -> Hierarchy: ...


@runtime_checkable
class _Clusterer(Protocol):
    """A fitted estimator of this package."""

    @property
    def hierarchy_(self) -> Hierarchy: ...


@runtime_checkable
class _Estimator(Protocol):
    """An estimator in the way of scikit-learn, or a model such as HDBSCAN."""

    @property
    def fit(self) -> Any: ...


@runtime_checkable
class _Graph(Protocol):
    """A graph of networkx."""

    @property
    def is_directed(self) -> Any: ...


@runtime_checkable
class _Annotated(Protocol):
    """An AnnData or TreeData."""

    @property
    def uns(self) -> Any: ...

    @property
    def obs(self) -> Any: ...


@runtime_checkable
class _HdbscanTree(Protocol):
    """A tree of HDBSCAN."""

    @property
    def to_numpy(self) -> Any: ...

    @property
    def to_networkx(self) -> Any: ...


@runtime_checkable
class _Frame(Protocol):
    """A frame of pandas or polars, a table of PyArrow or a relation of DuckDB."""

    @property
    def columns(self) -> Any: ...


@runtime_checkable
class _Stream(Protocol):
    """A table that streams Arrow."""

    @property
    def __arrow_c_stream__(self) -> Any: ...


@runtime_checkable
class _Array(Protocol):
    """An array of NumPy or of another package, or a Series."""

    @property
    def __array__(self) -> Any: ...


# A Hierarchy, or what as_hierarchy takes; what to_hclust, to_parents and to_tables return are tuples.
HierarchyLike: TypeAlias = (
    Hierarchy
    | str
    | os.PathLike[str]
    | _Result
    | _Clusterer
    | _Estimator
    | _Graph
    | _Annotated
    | _HdbscanTree
    | _Frame
    | _Stream
    | _Array
    | Mapping[Any, Any]
    | list[Any]
    | tuple[Any, ...]
)


def as_hierarchy(thing: HierarchyLike, *, what: str = "the tree") -> Hierarchy:
    """Return the hierarchy of whatever a user has, if it can be read in one way only.

    `compare`, `pairwise_matrix`, `consensus`, `diff`, the plots of trees and most other functions of trees take their
    trees by this rule.

    Parameters
    ----------
    thing : Hierarchy, or one of the following
        - a result or estimator with a ``hierarchy``;
        - the path of a file, text or a path object: `read`;
        - a SciPy linkage, an array of 4 columns: `from_linkage`;
        - a fitted estimator: `from_sklearn` if it has ``children_``, `from_hdbscan` if it is an HDBSCAN, and
          `from_labels` if it has only ``labels_``; the trees and records of HDBSCAN: `from_hdbscan`;
        - a graph of networkx: `from_networkx`;
        - an AnnData or TreeData with one stored tree: `from_anndata`;
        - a frame of pandas, polars, PyArrow or DuckDB, or anything that streams Arrow: `from_levels`, or by its columns
          `from_tables` (node, parent), `from_bertopic`, `from_hdbscan`, `from_hiercc` (HC0, HC5, and so on),
          `from_lineages` (Taxon, or user_genome) or `from_graphrag` (community, parent, level, entity_ids);
        - one label for each item, as a sequence, a Series or a mapping: `from_labels`;
        - what `to_hclust`, `to_parents` and `to_tables` return.
    what : str
        What to call the value in messages.

    Raises
    ------
    InvalidInputError
        If the value can be read in no way, or in several; the message names the functions that read it.
    DendrometryError
        What the reader raises; the message begins with ``what``.

    Warns
    -----
    AssumptionWarning
        If there was a choice; the message says what was taken. Also as the reader warns.

    Examples
    --------
    >>> from dendrometry.io import as_hierarchy
    >>> as_hierarchy([[0, 1, 1.0, 2], [2, 3, 2.5, 3]])
    Hierarchy(3 items, 5 nodes, heights 0 to 2.5)
    >>> as_hierarchy({"jay": "small", "owl": "small", "emu": "large"})
    Hierarchy(3 items 'jay' to 'emu', 3 nodes, no heights)
    >>> as_hierarchy([[0, 1], [2, 3]])
    Traceback (most recent call last):
    dendrometry.errors.InvalidInputError: the tree: it must be readable in one way; got an array of shape (2, 2)
    (from_sklearn() takes children_; from_hclust() takes merges of R; from_layers() takes several clusterings;
    agglomerate() takes points)
    """
    called: object = what
    if not isinstance(called, str):
        raise InvalidInputError(f"what must be text; got {printable(called)}")
    return _hierarchy_of(thing, what)


def as_hierarchies(a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree) -> tuple[Hierarchy, Hierarchy]:
    """Return the hierarchies of two values that are compared, refusing unrooted trees."""
    return _hierarchy_of(a, NthTree("first")), _hierarchy_of(b, NthTree("second"))


def as_trees(
    a: HierarchyLike | UnrootedTree, b: HierarchyLike | UnrootedTree
) -> tuple[Hierarchy | UnrootedTree, Hierarchy | UnrootedTree]:
    """Return the trees of two values that are compared with or without their roots."""
    first, second = NthTree("first"), NthTree("second")
    return (
        a if isinstance(a, UnrootedTree) else _hierarchy_of(a, first),
        b if isinstance(b, UnrootedTree) else _hierarchy_of(b, second),
    )


def _hierarchy_of(thing: HierarchyLike | UnrootedTree, what: Part) -> Hierarchy:
    """Return the hierarchy of a value; ``what`` is its name in messages."""
    if isinstance(thing, Hierarchy):
        return thing
    if isinstance(thing, UnrootedTree):
        remedy = Remedy("", ..., "has the measures that need no root", "comparison.compare_unrooted")
        raise InvalidInputError(
            what, " must have a root, which says what is inside a cluster; got an unrooted tree", remedy
        )
    for attribute in ("hierarchy", "hierarchy_"):
        held = getattr(thing, attribute, None)
        if isinstance(held, Hierarchy):
            return held
    reader: Callable[[Any], Hierarchy] | None = _read_path
    if not isinstance(thing, str | os.PathLike):
        from dendrometry.io.recognize import find_reader  # here, since it loads every format

        reader = find_reader(thing)
    if reader is None:
        raise InvalidInputError(what, f" must be a Hierarchy; got {type(thing).__name__} (see io.as_hierarchy)")
    try:
        return reader(thing)
    except DendrometryError as error:
        raise type(error)(what, ": ", *advise_function(error.args, "read")) from None


def _read_path(thing: Any) -> Hierarchy:
    """Return the tree in a file, for which its own format is loaded; a text that is Newick is not the name of one."""
    from dendrometry.io._shared.requirements import warn_assumed
    from dendrometry.io.files import reading

    if isinstance(thing, str) and thing.lstrip().startswith("(") and not os.path.exists(thing):
        newick = Remedy("", ..., "takes Newick", "from_newick")
        raise InvalidInputError(f"a text must be the name of a file; got {printable_repr(thing)}", newick)
    found = reading(thing)
    warn_assumed(advise_function(note, "read") for note in found.notes)
    return found.tree
