"""Paths: for each item the names of the nodes above it, from the top down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np

from dendrometry._check.choices import elements
from dendrometry._check.names import name_items
from dendrometry._display import printable, printable_repr, table_text
from dendrometry.errors import Argument, InvalidInputError, InvalidTreeError, Message, Remedy
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io._shared.missing import is_missing_word
from dendrometry.io._shared.requirements import warn_assumed, warn_lost
from dendrometry.io._shared.separators import Split, choose_separator, find_separator, split_paths
from dendrometry.io.parents import from_parents

STATED = "path sep="  # begins the name of a column of paths that states their separator

Path = str | Sequence[str]
_MOST_STEPS = 200_000_000


def from_paths(
    paths: Sequence[Path] | Mapping[str, Path], item_names: Iterable[str] | None = None, *, sep: str | None = None
) -> Hierarchy:
    """Return the hierarchy of items given by their paths from the root.

    Items with the same path share a node; an item whose path is the beginning of another path belongs to an inner
    node; the empty path is the root.

    Parameters
    ----------
    paths : sequence of str or of sequences of str, pandas.Series, or mapping from item to path
        The names of the nodes above each item, from the top down: ``"birds/owls"`` or ``["birds", "owls"]``.
    item_names : sequence of str, optional
        The names of the items; by default the keys of a mapping, the index of a Series unless it is 0 to n - 1, or
        "0", "1", and so on.
    sep : str, optional
        The separator between the names in a path that is one string; before the first name it is ignored, as in
        ``"/birds/owls"``, and blanks around it are too. By default it is found in all paths: ``>`` with blanks where
        there is one, else the mark that most of them hold, with a warning unless that is ``"/"``.

    Raises
    ------
    InvalidInputError
        If there is no item, or a step of a path is empty or not a string; the message names the item. Also if some
        paths are separated by one mark and some by another; the message shows both readings.

    Warns
    -----
    AssumptionWarning
        If the separator is found to be another than ``"/"``, some paths hold only another one, or no path holds the
        given one and they seem to be separated by another.

    Examples
    --------
    >>> from dendrometry import from_paths
    >>> print(from_paths({"cat": "mammals", "bat": "mammals/flying", "owl": "birds"}).draw())
    •
    ├─ mammals: cat
    │  └─ flying: bat
    └─ birds: owl
    """
    given: object = paths
    if hasattr(given, "columns"):
        raise InvalidInputError(f"paths must be a sequence, one for each item; got {table_text(given)}")
    if isinstance(given, str | bytes | Set) or not isinstance(given, Iterable):
        raise InvalidInputError(f"paths must be a sequence, one for each item; got {printable(paths)}")
    if sep is not None:
        _check_separator(sep)
    steps_of: list[object] = list(elements(given.values() if isinstance(given, Mapping) else given, "paths"))
    names = name_items(paths, item_names, len(steps_of))
    text = [path for path in steps_of if isinstance(path, str)]
    split = split_paths(text, sep, named=False)
    warn_assumed(_notes(text, sep, split))
    of_text = iter(split.steps)
    nodes = PathTree()
    for name, path in zip(names, steps_of, strict=True):
        if not isinstance(path, Iterable) or isinstance(path, bytes | Set):
            raise InvalidInputError(
                f"a path must be a string or a sequence of strings; got {printable(path)} for item '{printable(name)}'"
            )
        nodes.place(name, next(of_text) if isinstance(path, str) else path)
    return nodes.hierarchy(names)


def _notes(paths: list[str], given: str | None, split: Split) -> list[Message]:
    """Return what is assumed about the separator: another than "/", or a given one that no path holds."""
    if given is None and split.sep not in (None, "/"):
        holds = any("/" in path for path in paths)
        effect = "separates them there" if holds else "takes each as one step"
        note = f"paths are taken as separated by '{split.sep}', as they look"
        return [(note, Remedy("sep", "/", effect)), *split.notes]
    if given is not None and not any(given in path for path in paths):
        other = find_separator(paths, paths=True)
        note = f"no path holds the separator '{printable(given)}': each is one step"
        return [] if other is None else [(note, Remedy("sep", other, "seems to separate them"))]
    return split.notes


def to_paths(tree: Hierarchy, *, sep: str | None = "/") -> dict[str, Any]:
    """Return the path of every item, in the form that ``from_paths`` reads.

    A path holds the names of the nodes from below the root down to the item's own node. A node without a name is
    called ``#`` and its number, with a further ``#`` if names start with one.

    Parameters
    ----------
    tree : Hierarchy
        Any tree.
    sep : str or None
        The separator between the names; None returns each path as a tuple of names.

    Returns
    -------
    dict from str to str or to tuple of str

    Raises
    ------
    InvalidTreeError
        If a name contains ``sep`` or has blanks at an end, two children of one node share a name, or the paths would
        have more than 200 million steps in total.

    Warns
    -----
    LostMeaningWarning
        If the tree has heights, or its root has a name, which paths cannot hold.

    Examples
    --------
    >>> from dendrometry import from_newick, to_paths
    >>> to_paths(from_newick("((cat,bat)mammals,owl);"))
    {'cat': 'mammals/#0', 'bat': 'mammals/#1', 'owl': '#3'}
    """
    require_hierarchy(tree)
    if sep is not None:
        _check_separator(sep)
    n_steps = int(tree.depths[tree.item_node].sum())
    if n_steps > _MOST_STEPS:
        raise InvalidTreeError(
            f"the paths must have at most {_MOST_STEPS:,} steps in total; this tree has {n_steps:,} (see to_parents)"
        )
    _warn_of_losses(tree)
    names = _step_names(tree)
    parent = tree.parent.tolist()
    paths: dict[int, Any] = {}
    for v in np.unique(tree.item_node).tolist():
        steps, at = [], v
        while at != tree.root:
            steps.append(names[at])
            at = parent[at]
        steps.reverse()
        paths[v] = tuple(steps) if sep is None else _join_steps(steps, sep)
    return {name: paths[v] for name, v in zip(tree.items, tree.item_node.tolist(), strict=True)}


class PathTree:
    """The nodes of all paths so far: each name leads from a node to one child."""

    def __init__(self) -> None:
        self.parent = [-1]
        self.names = [""]
        self.item_node: list[int] = []
        self._step: dict[tuple[int, str], int] = {}

    def place(self, item: str, steps: Iterable[object]) -> None:
        """Put the next item at the end of a path, adding new nodes."""
        at = 0
        for step in steps:
            if not isinstance(step, str) or not step:
                raise InvalidInputError(
                    f"the steps of a path must be non-empty strings; got '{printable(step)}'"
                    f" for item '{printable(item)}'"
                )
            below = self._step.setdefault((at, step), len(self.parent))
            if below == len(self.parent):
                self.parent.append(at)
                self.names.append(step)
            at = below
        self.item_node.append(at)

    def place_alone(self, item: str, steps: Iterable[object]) -> None:
        """Put the next item at a node of its own without a name, below the end of a path."""
        self.place(item, steps)
        self.parent.append(self.item_node[-1])
        self.names.append("")
        self.item_node[-1] = len(self.parent) - 1

    def hierarchy(self, items: tuple[str, ...]) -> Hierarchy:
        """Return the tree of all placed items."""
        return from_parents(self.parent, self.item_node, None, items, self.names)


def written_paths(tree: Hierarchy) -> tuple[str, dict[str, str]]:
    """Return the paths of the items as a table holds them, and the name of their column.

    Their separator is "/", or another one if names contain it. The name of the column states it wherever the values
    alone would not tell: ``path sep=|``.
    """
    steps = to_paths(tree, sep=None)
    sep = choose_separator(steps.values())
    paths = {item: sep.join(path) for item, path in steps.items()}
    return "path" if _comes_back(paths.values(), steps.values()) else STATED + sep, paths


def _comes_back(paths: Iterable[str], steps: Iterable[tuple[str, ...]]) -> bool:
    """Whether paths in a column of that name are read as these steps, and without a word."""
    try:
        split = split_paths(list(paths))
    except InvalidInputError:
        return False
    held = {step for path in split.steps for step in path}
    same = [tuple(path) for path in split.steps] == list(steps)
    return same and not split.notes and not any(map(is_missing_word, held))


def _warn_of_losses(tree: Hierarchy) -> None:
    """Warn of what paths cannot hold."""
    if tree.height is not None:
        warn_lost("paths hold no heights; they are left out")
    if tree.node_names and tree.node_names[-1]:
        warn_lost(f"paths start below the root; its name '{printable(tree.node_names[-1])}' is left out")


def _check_separator(sep: object) -> None:
    """Refuse a separator that is not a string or is empty."""
    if not isinstance(sep, str) or not sep:
        raise InvalidInputError(
            Argument("sep"), f" must be a string of at least one character; got {printable_repr(sep)}"
        )


def _join_steps(steps: list[str], sep: str) -> str:
    """Return steps joined by the separator, refusing names that contain it."""
    path = sep.join(steps)
    if steps and path.split(sep) != steps:
        raise InvalidTreeError(
            f"names must not contain the separator '{printable(sep)}'; got '{printable(path)}'"
            " (to_paths accepts another separator, and JSON needs none)"
        )
    blank = next((step for step in steps if step != step.strip()), None)
    if blank is not None:
        raise InvalidTreeError(
            f"names must have no blanks at their ends to be written as paths; got {printable_repr(blank)}",
            Remedy("", ..., "with sep=None returns tuples", "to_paths"),
            Remedy("", ..., "JSON holds any name"),
        )
    return path


def _step_names(tree: Hierarchy) -> list[str]:
    """Return names that distinguish the children of each node."""
    given = tree.node_names or ("",) * tree.n_nodes
    mark = "#"
    while any(name.startswith(mark) for name in given):
        mark += "#"
    names = [name or f"{mark}{v}" for v, name in enumerate(given)]
    seen = set()
    for p, name in zip(tree.parent.tolist()[:-1], names, strict=False):
        if (p, name) in seen:
            raise InvalidTreeError(
                "the children of a node must have distinct names to be written as paths;"
                f" two are called '{printable(name)}'"
            )
        seen.add((p, name))
    return names
