"""Trees that an AnnData or TreeData object holds, by what it has and without importing its package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dendrometry._display import printable, quote_first
from dendrometry.errors import InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.requirements import warn_assumed
from dendrometry.io.formats.levels import from_levels
from dendrometry.io.formats.linkage import from_linkage
from dendrometry.io.packages.networkx import from_networkx


def from_anndata(
    data: Any, *, dendrogram: str | None = None, levels: Sequence[str] | None = None, tree: str | None = None
) -> Hierarchy:
    """Return a tree of an AnnData or TreeData object: a dendrogram of categories, levels of cells, or a stored tree.

    Parameters
    ----------
    data : AnnData or TreeData
        Anything with the attributes ``uns``, ``obs`` and ``obst`` of these classes.
    dendrogram : str, optional
        The key of a dendrogram of scanpy in ``uns``, such as "dendrogram_louvain": its items are the categories.
    levels : sequence of str, optional
        Columns of ``obs``, from the coarsest to the finest: the items are the observations. They must be nested, as
        for `from_levels`; `resolutions` takes clusterings that are not.
    tree : str, optional
        The key of a tree in ``obst``, a directed graph of networkx.

    Returns
    -------
    Hierarchy
        The tree; exactly one of the options chooses it.

    Raises
    ------
    InvalidInputError
        If not exactly one option is given, or there is no such key or column; the message lists those that are there.
    InvalidTreeError
        If the levels are not nested.

    Warns
    -----
    AssumptionWarning
        If the categories of a dendrogram are the numbers of clusters: those of another run are not the same items.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from dendrometry.io import from_anndata
    >>> stored = {"linkage": [[0, 1, 0.2, 2], [2, 3, 0.9, 3]], "categories_ordered": ["NK", "T", "B"],
    ...           "categories_idx_ordered": [2, 0, 1]}
    >>> from_anndata(SimpleNamespace(uns={"dendrogram_type": stored}), dendrogram="dendrogram_type").items
    ('T', 'B', 'NK')
    """
    given = [
        name for name, value in (("dendrogram", dendrogram), ("levels", levels), ("tree", tree)) if value is not None
    ]
    if len(given) != 1:
        raise InvalidInputError(f"exactly one of dendrogram, levels and tree must be given; got {given or 'none'}")
    if dendrogram is not None:
        stored = _entry(data, "uns", dendrogram)
        if has_numbers(stored):
            says = "the items are clusters by their numbers, which another run gives to other clusters"
            warn_assumed([(says, Remedy("levels", ..., "takes the cells"))])
        return from_stored_dendrogram(stored)
    if tree is not None:
        return from_networkx(_entry(data, "obst", tree))
    names = [levels] if isinstance(levels, str) else list(levels or ())
    obs = getattr(data, "obs", None)
    columns = list(getattr(obs, "columns", ()))
    missing = [name for name in names if name not in columns]
    if obs is None or missing or not names:
        raise InvalidInputError(f"levels must be columns of obs, {quote_first(columns)}; got {quote_first(names)}")
    item = "obs_names"
    while item in names:
        item += "_"
    return from_levels({item: obs.index.tolist(), **{name: obs[name].tolist() for name in names}}, item, sep="")


def _entry(data: Any, attribute: str, key: object) -> Any:
    """Return an entry of a mapping that an object has."""
    held = getattr(data, attribute, None)
    if not isinstance(held, Mapping) or not isinstance(key, str) or key not in held:
        known = quote_first(list(held)) if isinstance(held, Mapping) and held else "which has none"
        raise InvalidInputError(f"the key must be one of {attribute}, {known}; got {printable(key)}")
    return held[key]


def has_numbers(stored: Any) -> bool:
    """Whether the categories of a dendrogram are numbers, which the clustering made up."""
    categories = stored.get("categories_ordered", ()) if isinstance(stored, Mapping) else ()
    return len(categories) > 0 and all(str(category).isdecimal() for category in categories)


def from_stored_dendrogram(stored: Any) -> Hierarchy:
    """Return the hierarchy of a dendrogram as scanpy stores it, its items in the order of the categories."""
    wanted = ("linkage", "categories_ordered", "categories_idx_ordered")
    if not isinstance(stored, Mapping) or any(name not in stored for name in wanted):
        raise InvalidInputError(f"a dendrogram must hold {', '.join(wanted)}; got {printable(stored)}")
    ordered = zip(map(int, stored["categories_idx_ordered"]), map(str, stored["categories_ordered"]), strict=True)
    return from_linkage(stored["linkage"], [name for _, name in sorted(ordered)])
