"""What changed between two versions of a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

import numpy as np

from dendrometry._check.choices import one_of
from dendrometry._check.names import names_of, pair_of_names
from dendrometry._display import printable, quote_first
from dendrometry._flags import flag
from dendrometry._typing import IntArray
from dendrometry.changes.edits import edits_between
from dendrometry.changes.result import Diff
from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.coerce import HierarchyLike, as_hierarchy
from dendrometry.overlap import MatchNames, match_loosely, positions


def diff(
    old: HierarchyLike,
    new: HierarchyLike,
    *,
    match_names: MatchNames = "exact",
    renamed: Mapping[str, str] | None = None,
    by_name: bool = True,
    names: tuple[str, str] | None = None,
) -> Diff:
    """Return what changed between two versions of a tree: what was moved, added, removed, renamed, split or merged.

    Items are matched by name. Nodes are matched by what they hold and by name: first nodes of the same path that share
    an item, then those of the same name with the same common items, then pairs of nodes that share more than half of
    the items of either or have the same name, the best first, then nodes of the same name below matched nodes. A pair
    is the better, the greater the Jaccard index of its common items; the same name counts one half more, another name
    one half less if the other tree has it too.

    Parameters
    ----------
    old, new : Hierarchy, or anything that `as_hierarchy` takes
        The two versions. They need not hold the same items.
    match_names : {"exact", "loose"}
        With "loose", items that only one tree has are matched if their names differ only in case, underscores and
        spaces, and no other name does; they are then renamed, not removed and added.
    renamed : mapping from str to str, optional
        The new name of each item that is known to be called otherwise now.
    by_name : bool
        Whether nodes are matched by name too; False for names that say nothing, such as the numbers of clusters.
    names : pair of str, optional
        What the trees are called; by default "old" and "new".

    Returns
    -------
    Diff
        The changes, each with its size, in words, as a data frame, CSV and JSON. `report` writes it as a page.

    Raises
    ------
    InvalidInputError
        If an argument has the wrong type.
    ItemMismatchError
        If a key of ``renamed`` is not an item of the old tree, a value not one of the new, or a value occurs twice.

    Notes
    -----
    The steps of `Diff.steps` make the new tree of the old one, names and heights included. Given the matched nodes, the
    moves are the fewest possible: what has the same nearest matched node above it stays, and anything else must be
    moved at least once. The matching itself is found step by step, best pair first; other matched nodes may allow
    fewer moves. Finding the fewest over all matchings is NP-hard.

    O(n log n) time for two versions of a tree. Trees without common clusters take up to sixteen rounds, each of which
    matches the nodes left in both directions as `best_matches` does. A name that very many nodes have does not tell
    them apart: where more than 1,000,000 pairs of nodes have the same names, those of the most frequent names are
    matched by their items and paths alone.

    Examples
    --------
    >>> from dendrometry import diff, from_paths
    >>> old = from_paths({"hose": "Home/Garden", "rake": "Home/Garden", "cup": "Home/Kitchen", "tent": "Outdoor"})
    >>> new = from_paths({"hose": "Outdoor/Garden", "rake": "Outdoor/Garden", "cup": "Home/Cooking", "tent": "Outdoor"})
    >>> print(diff(old, new).tell())
    From old to new: 1 moved, 1 renamed; 2 items changed place in 1 move.
    Garden, 2 items: from Home to Outdoor
    Cooking, 1 item: renamed from Kitchen
    """
    old, new = as_hierarchy(old, what="old"), as_hierarchy(new, what="new")
    item_match = match_items(old, new, match_names=match_names, renamed=renamed)
    called = pair_of_names(names)
    edits = edits_between(old, new, item_match, by_name=flag(by_name, "by_name"))
    return Diff(old, new, edits, ("old", "new") if called is None else called)


def match_items(
    old: Hierarchy, new: Hierarchy, *, match_names: MatchNames = "exact", renamed: Mapping[str, str] | None = None
) -> IntArray:
    """Return the new item of each old item, or -1; see `diff`."""
    one_of(match_names, "match_names", get_args(MatchNames))
    found = positions(old.items, new.items)
    if renamed is not None:
        found = _with_renamed(old, new, found.copy(), renamed)
    if match_names == "loose":
        found, _ = match_loosely(old.items, new.items, found)
    return found


def _with_renamed(old: Hierarchy, new: Hierarchy, found: IntArray, renamed: Mapping[str, str]) -> IntArray:
    """Return positions with those of items that are called otherwise now."""
    given: object = renamed
    if not isinstance(given, Mapping):
        raise InvalidInputError(f"renamed must be a mapping from old to new names of items; got {printable(given)}")
    for names, tree, which in ((list(renamed), old, "old"), (list(renamed.values()), new, "new")):
        known = set(tree.items)
        unknown = [name for name in names_of(names, "renamed") if name not in known]
        if unknown:
            raise ItemMismatchError(f"renamed must hold items of the {which} tree; got {quote_first(unknown)}")
    if len(set(renamed.values())) < len(renamed):
        raise ItemMismatchError("renamed must give each item a name of its own; got one name twice")
    here = {name: i for i, name in enumerate(old.items)}
    there = {name: j for j, name in enumerate(new.items)}
    pairs = [(here[name], there[other]) for name, other in renamed.items()]
    found[np.isin(found, [j for _, j in pairs])] = -1
    for i, j in pairs:
        found[i] = j
    return found
