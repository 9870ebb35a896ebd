"""Which reader takes a value of a user that is no file, and which values could be read in two ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

import numpy as np

from dendrometry._check.frames import columns_of, is_frame
from dendrometry._check.names import has_row_numbers, names_within
from dendrometry._display import printable_repr, quote_first
from dendrometry.errors import DendrometryError, InvalidInputError, Remedy, advise_function
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.requirements import warn_assumed
from dendrometry.io._shared.separators import find_separator, is_path_name
from dendrometry.io.formats.hclust import Hclust, from_hclust
from dendrometry.io.formats.labels import read_labels
from dendrometry.io.formats.layers import from_hiercc, has_thresholds
from dendrometry.io.formats.levels import check_row_numbers, tree_of_columns
from dendrometry.io.formats.linkage import from_linkage, from_sklearn
from dendrometry.io.formats.tables import Tables, from_tables
from dendrometry.io.known_tables import known_table
from dendrometry.io.packages.anndata import from_anndata, has_numbers
from dendrometry.io.packages.hdbscan import from_hdbscan
from dendrometry.io.packages.networkx import from_networkx
from dendrometry.io.parents import Parents, from_parents
from dendrometry.io.taxonomies.lineages import from_lineages


def find_reader(thing: object) -> Callable[[Any], Hierarchy] | None:
    """Return the function that reads the tree of a value, or None if there is none."""
    return next((reader for is_kind, reader in _READERS if is_kind(thing)), None)


def _refuse(got: str, **ways: str) -> NoReturn:
    """Refuse a value that can be read in several ways: by functions, each with what it takes."""
    takes = (Remedy("", ..., f"takes {what}", function) for function, what in ways.items())
    raise InvalidInputError(f"it must be readable in one way; got {got}", *takes)


def _read_model(thing: Any) -> Hierarchy:
    """Return the tree of a fitted estimator, or its flat clustering if it has no tree."""
    if hasattr(thing, "children_"):
        return from_sklearn(thing)
    if hasattr(thing, "single_linkage_tree_") or hasattr(thing, "_single_linkage_tree_"):
        if hasattr(thing, "condensed_tree_"):
            remedy = Remedy("tree", "condensed", "takes the other", "from_hdbscan")
            warn_assumed([("the single linkage of HDBSCAN is taken", remedy)])
        return from_hdbscan(thing)
    if hasattr(thing, "cluster_layers_"):
        _refuse(f"{type(thing).__name__} with cluster_layers_", from_layers="them, with noise_label= for what -1 means")
    if hasattr(thing, "hierarchical_topics"):
        _refuse(type(thing).__name__, from_bertopic="hierarchical_topics(docs), and topics_ with the documents")
    if not hasattr(thing, "labels_"):
        raise InvalidInputError(
            f"an estimator must be fitted, and have children_, a tree of HDBSCAN or labels_; got {type(thing).__name__}"
        )
    return _flat(thing.labels_)


def _read_anndata(thing: Any) -> Hierarchy:
    """Return the only tree that an AnnData or TreeData holds."""
    stored = [("dendrogram", key) for key in thing.uns if str(key).startswith("dendrogram_")]
    stored += [("tree", key) for key in getattr(thing, "obst", {})]
    if len(stored) != 1:
        got = quote_first([key for _, key in stored]) if stored else "no stored tree"
        _refuse(f"AnnData with {got}", from_anndata="dendrogram=, tree= or levels=, columns of obs")
    option, key = stored[0]
    if option == "dendrogram" and has_numbers(thing.uns[key]):
        _refuse(
            f"the dendrogram {printable_repr(key)} of clusters by numbers, which another run gives to other clusters",
            from_anndata="levels=, for the cells, or dendrogram=, for the clusters of one run",
        )
    note = f"the {option} {printable_repr(key)} of AnnData is taken"
    warn_assumed([(note, Remedy("", ..., "also takes columns of obs", "from_anndata"))])
    return from_anndata(thing, **{option: key})


def _read_frame(thing: Any) -> Hierarchy:
    """Return the tree of a frame."""
    columns = columns_of(thing)
    if has_thresholds(columns):
        return from_hiercc(thing)
    return _tree_of_table(columns, names_within(thing), has_row_numbers(thing))


def _tree_of_table(columns: dict[str, list[Any]], names: tuple[str, ...] | None, numbered: bool = False) -> Hierarchy:
    """Return the tree of named columns, by their names; ``names`` are those of an index, perhaps row numbers."""
    reader = known_table(columns)
    if reader is not None:
        return reader(columns)
    if "Taxon" in columns and names is not None:
        return from_lineages(columns["Taxon"], names)
    if has_thresholds(columns):
        return from_hiercc(columns)
    if numbered:
        check_row_numbers(columns, TableChoice())
    _check_levels(columns, names is not None)
    try:
        found = tree_of_columns(columns, names, TableChoice())
    except DendrometryError as error:
        raise type(error)(*advise_function(error.args, "from_levels")) from None
    warn_assumed(advise_function(note, "from_levels") for note in found.notes)
    return found.tree


def _check_levels(columns: dict[str, list[Any]], has_index: bool) -> None:
    """Refuse several columns of numbers, which could be levels, clusterings or the coordinates of points."""
    if not all(columns.values()):
        raise InvalidInputError("a table must have a row for each item; got none")
    levels = [name for name in columns if name != "item"]
    if not has_index and "item" not in columns:
        levels = levels[1:]  # the first column names the items
    has_text = any(isinstance(value, str) for name in levels for value in columns[name])
    if len(levels) > 1 and not has_text and not any(map(is_path_name, columns)):
        _refuse(
            f"a table of numbers in the columns {quote_first(levels)}",
            from_levels="levels",
            from_layers="several clusterings",
            agglomerate="points",
        )


def _read_mapping(thing: Any) -> Hierarchy:
    """Return the tree of a dict of columns that are known by their names, or of a label for each item."""
    if not thing:
        raise InvalidInputError("a mapping must hold an item; got none")
    if isinstance(thing.get("children"), list):
        text = Remedy("", ..., "takes text", "from_json")
        raise InvalidInputError("nested objects must be given as text; got a mapping", text)
    if not any(_is_sequence(value) for value in thing.values()):
        return _read_labels(thing)
    if "item" in thing or known_table(thing) is not None:
        return _tree_of_table(columns_of(thing), None)
    _refuse("a mapping to sequences", from_levels="columns", from_paths="the path of each item")


def _read_array(thing: Any) -> Hierarchy:
    """Return the tree of a linkage, of records of HDBSCAN, or of one label for each item."""
    try:
        array = np.asarray(thing)
    except Exception:  # as rows of several lengths; what a foreign object raises may be anything
        _refuse("rows of several lengths", from_paths="the path of each item")
    if array.dtype.names:
        return from_hdbscan(array)
    if array.ndim == 2 and array.shape[1] == 4:
        return from_linkage(thing)
    if array.ndim == 1:
        return _read_labels(thing)
    merges = array.ndim == 2 and array.shape[1] == 2
    is_square = array.ndim == 2 and array.shape[0] == array.shape[1] and not merges
    ways = {"from_sklearn": "children_", "from_hclust": "merges of R"} if merges else {}
    ways |= {"from_layers": "several clusterings", "agglomerate": "points"}
    ways |= {"agglomerate_distances": "distances"} if is_square else {}
    _refuse(f"an array of shape {array.shape}", **ways)


def _read_labels(thing: Any) -> Hierarchy:
    """Return a flat clustering, unless the labels could also be paths or parents."""
    values = list(thing.values()) if isinstance(thing, Mapping) else np.asarray(thing).tolist()
    sep = find_separator(value for value in values if isinstance(value, str))
    if sep is not None:
        _refuse(f"text separated by '{sep}'", from_paths="paths", from_labels="labels")
    if not isinstance(thing, Mapping) and _are_parents(values):
        _refuse("whole numbers with one -1", from_parents="the parent of each node", from_labels="labels")
    return _flat(thing)


def _flat(labels: Any) -> Hierarchy:
    """Return a flat clustering, and say which of its items are noise."""
    found = read_labels(labels)
    warn_assumed(advise_function(note, "from_labels") for note in found.notes)
    return found.tree


def _are_parents(values: list[Any]) -> bool:
    """Whether labels could be the parents of the nodes of a tree with one root."""
    if len(values) < 3 or values.count(-1) != 1:
        return False
    try:
        from_parents(values)
    except DendrometryError:
        return False
    return True


def _is_sequence(value: object) -> bool:
    """Whether a value is a sequence other than text."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def _has(*names: str) -> Callable[[Any], bool]:
    """Return a test for attributes of some names."""
    return lambda thing: all(hasattr(thing, name) for name in names)


def _is_of(*kinds: type) -> Callable[[Any], bool]:
    """Return a test for an instance of some types."""
    return lambda thing: isinstance(thing, kinds)


# What is read in which way; the first that fits counts.
_READERS: tuple[tuple[Callable[[Any], bool], Callable[[Any], Hierarchy]], ...] = (
    (_is_of(Hclust), lambda thing: from_hclust(thing.merge, thing.height, thing.labels, thing.order)),
    (_is_of(Parents), lambda thing: from_parents(*thing)),
    (_is_of(Tables), lambda thing: from_tables(*thing)),
    (_has("fit"), _read_model),
    (_has("is_directed"), from_networkx),
    (_has("uns", "obs"), _read_anndata),
    (_has("to_numpy", "to_networkx"), from_hdbscan),
    (is_frame, _read_frame),
    (_is_of(Mapping), _read_mapping),
    (lambda thing: isinstance(thing, list | tuple) or hasattr(thing, "__array__"), _read_array),
)
