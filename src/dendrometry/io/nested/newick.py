"""Newick: the bracket notation of phylogenetics."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from dendrometry import _memory
from dendrometry._check.choices import one_of
from dendrometry._check.names import known_distinct
from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry._kernels._jit import FloatArray, IntArray
from dendrometry._kernels.io import names as spans
from dendrometry._kernels.io import newick as kernels
from dendrometry.errors import FormatError, InvalidInputError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io.content.requirements import Reading, require_items_at_leaves, warn_assumed, warn_lost
from dendrometry.io.nested.brackets import walk_brackets
from dendrometry.io.nested.comments import comment_names
from dendrometry.io.nested.lengths import Heights, heights_of_lengths
from dendrometry.io.nested.place import broken_at
from dendrometry.io.parents import from_parents

__all__ = ["LengthChoice", "MissingLengths", "from_newick", "read_newick", "to_newick"]

MissingLengths = Literal["error", "zero", "no_heights"]


_Columns = tuple[IntArray, None, FloatArray | None, Sequence[str], list[str]]

_RULES = {
    1: "a bracket must open at the start of a branch, not after a name, length or closing bracket",
    2: "a branch must have one name; names with brackets, commas or colons must be quoted",
    3: "a quote must start a name, and a quote inside quotes must be doubled",
    4: "a colon must be followed by a length",
    5: "a length must be followed by a comma, closing bracket or semicolon",
    6: "nothing may follow the semicolon: the text must hold one tree",
    7: "a name with a line break or tab inside must be quoted",
    8: "a comment must be closed by ]",
    9: "a quoted name must be closed by '",
    10: "a closing bracket must have an opening one",
    11: "every bracket must be closed before the semicolon",
    12: "a comma must be inside brackets",
    13: "a tree must end with a semicolon",
    14: "a length must be a finite number",
    15: "a ] must end a comment; names with brackets must be quoted",
}
_NODE_BYTES = 150  # the columns of the scan and of the tree, and a name
_PLAIN = re.compile(r"[^\s()\[\]{}<>/,:;'\"=&|\\\ufeff]+")
_PIECE = 2**18  # names that are split together


class LengthChoice(NamedTuple):
    """What is said about the lengths of branches: whether all digits are exact, and what a missing one means."""

    exact_heights: bool = False
    missing_lengths: MissingLengths = "error"


def from_newick(text: str, *, exact_heights: bool = False, missing_lengths: MissingLengths = "error") -> Hierarchy:
    """Return the hierarchy of a tree in Newick notation.

    Tips are the items; names of inner nodes are kept as names of nodes. Branch lengths become heights: the tip
    farthest from the root lies at 0, and every node lies above its children by the lengths of their branches. If all
    tips are equally far from the root, up to the digits of the lengths, they all lie at exactly 0, and heights within
    these digits of each other are equal (see Notes). Either all branches have lengths or none, unless
    ``missing_lengths`` says otherwise; a length at the root is ignored. Underscores are kept, ``''`` inside quotes is
    one quote, and comments in square brackets, nested ones included, are skipped. Comments of NHX and BEAST, such as
    ``[&&NHX:B=95]`` and ``[&posterior=0.98]``, name the inner nodes that have no name: by ``ND``, ``S`` or ``label``,
    or else by their support, ``B``, ``posterior``, ``bootstrap`` or ``prob``.

    Parameters
    ----------
    text : str
        A tree that ends with a semicolon.
    exact_heights : bool
        Whether to take all digits of the lengths as exact, so that heights are equal only if their sums are.
    missing_lengths : {"error", "zero", "no_heights"}
        What to do if some branches have lengths and others have none: refuse the text, take a missing length as 0, or
        leave all lengths out, so that the tree has no heights.

    Raises
    ------
    FormatError
        If brackets, quotes or lengths are malformed, a tip has no name, or there is a second tree. The message gives
        line, column and the rule that is broken.
    InvalidInputError
        If tips share a name; the message lists them.

    Warns
    -----
    AssumptionWarning
        If heights are taken as equal because the lengths are rounded; the message says how many, and within what.

    Notes
    -----
    Most programs print 5 to 10 digits, so that equal heights come as sums that differ in the last digits. A length
    whose last digit is worth u is off by at most u/2, and a height by the sum of that along a path to a tip. Two
    heights are equal if one value is within both bounds. Lengths of less than 4 or more than 15 digits are taken as
    exact, and so is a text whose tips are exactly equally far from the root, as `to_newick` writes it. If tips are at
    different heights, heights are bounded by their paths from the root, and joined if lengths have at least 8 digits.

    Time linear in the length of the text, for any depth; sorting adds a logarithm where heights are compared.

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> print(from_newick("((ape:1, 'sea lion':1)mammals:2, owl:3);").draw())
    • (3)
    ├─ owl
    └─ mammals (1)
       ├─ ape
       └─ sea lion
    """
    tree, notes = read_newick(text, LengthChoice(exact_heights, missing_lengths))
    warn_assumed(notes)
    return tree


def read_newick(text: str, lengths: LengthChoice) -> Reading:
    """Return the hierarchy of a text, and what was assumed about its lengths."""
    if not isinstance(text, str):
        raise InvalidInputError(f"a Newick text must be a string; got {type(text).__name__}")
    text = text.removeprefix("\ufeff")
    try:
        encoded = text.encode()
    except UnicodeEncodeError as error:
        rule = "the text must be valid Unicode, without lone surrogates"
        raise broken_at(text, error.start, "Newick", rule) from None
    flag(lengths.exact_heights, "exact_heights")
    one_of(lengths.missing_lengths, "missing_lengths", get_args(MissingLengths))
    columns, notes = _columns(encoded, lengths)
    return Reading(from_parents(*columns), notes)


def to_newick(tree: Hierarchy) -> str:
    """Return a tree with one item in each leaf, and none elsewhere, in Newick notation.

    Branch lengths are differences of heights, printed with full precision, so `from_newick` restores the tree, its
    heights up to rounding (JSON keeps every bit). Names are quoted where necessary.

    Raises
    ------
    InvalidTreeError
        If a leaf holds several items or an inner node holds any, which Newick cannot represent (see `to_json`), or if
        a difference of heights is beyond the range of floats.

    Warns
    -----
    LostMeaningWarning
        If the lowest leaf does not lie at height 0, which lengths cannot express, or leaves have names of their own.

    Examples
    --------
    >>> from dendrometry import from_linkage, to_newick
    >>> to_newick(from_linkage([[0, 1, 1, 2], [2, 3, 2.5, 3]], item_names=["ape", "sea lion", "owl"]))
    "(owl:2.5,(ape:1.0,'sea lion':1.0):1.5);"
    """
    require_hierarchy(tree)
    require_items_at_leaves(tree, "Newick")
    lengths = None if tree.height is None else _lengths(tree)
    _warn_of_losses(tree)
    labels = list(map(_quote, tree.node_names)) if tree.node_names else [""] * tree.n_nodes
    for name, v in zip(tree.items, tree.item_node.tolist(), strict=True):
        labels[v] = _quote(name)
    if lengths is not None:
        labels = [f"{label}:{length!r}" for label, length in zip(labels, lengths.tolist(), strict=True)]
        if tree.n_nodes > 1:
            labels[-1] = labels[-1].removesuffix(":0.0")
    written: dict[str, Callable[[int], str]] = {
        "open": lambda v: "(",
        "leaf": lambda v: labels[v],
        "close": lambda v: ")" + labels[v],
        "next": lambda v: ",",
    }
    return "".join(written[what](v) for what, v in walk_brackets(tree)) + ";"


def _columns(encoded: bytes, lengths: LengthChoice) -> tuple[_Columns, list[str]]:
    """Return the arguments of `from_parents`, and what was assumed about the lengths."""
    text = np.frombuffer(encoded, dtype=np.uint8)
    most_nodes = kernels.most_nodes(text)
    _memory.require_memory(_NODE_BYTES * most_nodes + 2 * len(encoded), "the tree", "Read a smaller one.")
    read = kernels.scan(text, most_nodes)
    if read.error:
        raise _error(encoded, int(read.offset), _RULES[int(read.error)])
    is_tip = np.ones(read.parent.size, dtype=bool)
    is_tip[read.parent[:-1]] = False
    tips = np.flatnonzero(is_tip)
    unnamed = (read.name_start[tips] < 0) | (read.name_start[tips] == read.name_stop[tips])
    if unnamed.any():
        raise _error(encoded, _place(read, int(tips[np.argmax(unnamed)])), "every tip must have a name")
    node_names: list[str] = []
    inner = np.flatnonzero(~is_tip & (read.name_start >= 0))
    if inner.size:
        node_names = [""] * read.parent.size
        for v, name in zip(inner.tolist(), _names(encoded, read, inner), strict=True):
            node_names[v] = name
    if b"[" in encoded and b"[&" in encoded:  # one byte is found ten times as fast as two
        given = node_names or [""] * read.parent.size
        said = comment_names(encoded.decode())
        node_names = [name or ("" if is_tip[v] else said.get(v, "")) for v, name in enumerate(given)]
    heights = _heights(encoded, read, lengths)
    height, notes = (None, []) if heights is None else heights
    names: Sequence[str] = _names(encoded, read, tips)
    if spans.all_distinct(text, read.name_start[tips], read.name_stop[tips]):
        names = known_distinct(names)
    return (read.parent, None, height, names, node_names), notes


def _names(encoded: bytes, read: kernels.Scan, nodes: IntArray) -> list[str]:
    """Return the names of some nodes, "" for none: decoded as one text, split at a byte that no name holds.

    Names are decoded in portions, so that an interrupt does not have to wait for all of them.
    """
    text = np.frombuffer(encoded, dtype=np.uint8)
    separator, mark = (0, "\0") if b"\0" not in encoded else (0xFF, "\udcff")  # UTF-8 has no byte 0xFF
    names: list[str] = []
    for first in range(0, nodes.size, _PIECE):
        piece = nodes[first : first + _PIECE]
        parts = spans.gather(text, read.name_start[piece], read.name_stop[piece], separator)
        names += str(parts.data, "utf-8", "surrogateescape").split(mark)[1:]
    return names


def _heights(encoded: bytes, read: kernels.Scan, lengths: LengthChoice) -> Heights | None:
    """Return heights from branch lengths, or None if there are none."""
    given, length = read.length_start >= 0, read.length
    for v in np.flatnonzero(np.isnan(length)).tolist():
        length[v] = float(encoded[read.length_start[v] : read.length_stop[v]])
    if not np.isfinite(length).all():
        raise _error(encoded, int(read.length_start[np.argmin(np.isfinite(length))]), _RULES[14])
    branches = given[:-1] if given.size > 1 else given
    if not branches.any() or (not branches.all() and lengths.missing_lengths == "no_heights"):
        return None
    if not branches.all() and lengths.missing_lengths == "error":
        v = int(np.argmin(branches))
        name = _names(encoded, read, np.array([v]))[0] if read.name_start[v] >= 0 else ""
        which = f"that of '{printable(name)}'" if name else "this one"
        raise _error(
            encoded,
            _place(read, v),
            f"all branches must have lengths, or none; {which} has none"
            " (missing_lengths='zero' takes it as 0, missing_lengths='no_heights' leaves all out)",
        )
    try:
        return heights_of_lengths(read.parent, length, exact=bool(lengths.exact_heights))
    except InvalidTreeError as error:
        raise _error(encoded, 0, str(error)) from None


def _place(read: kernels.Scan, v: int) -> int:
    """Return the offset of the name of a node, of the quote before an empty one, or else of its length or end."""
    start, stop = int(read.name_start[v]), int(read.name_stop[v])
    if start >= 0:
        return start - (start == stop)
    return int(read.length_start[v]) if read.length_start[v] >= 0 else stop


def _error(encoded: bytes, offset: int, rule: str) -> FormatError:
    """Return an error that gives the place in a Newick text where a rule is broken."""
    return broken_at(encoded.decode(), len(encoded[:offset].decode()), "Newick", rule)


def _warn_of_losses(tree: Hierarchy) -> None:
    """Warn of what Newick cannot hold: the height of the lowest leaf, and names of leaves other than their items."""
    lowest = 0.0 if tree.height is None else float(tree.height[tree.leaves].min())
    if lowest != 0:
        warn_lost(f"Newick puts the lowest leaf at height 0; it lies at {lowest:.6g}, so all heights are shifted")
    names = tree.node_names
    if names and any(names[v] not in ("", item) for item, v in zip(tree.items, tree.item_node.tolist(), strict=True)):
        warn_lost("Newick has one name for each leaf, that of its item; the leaves' own names are left out")


def _lengths(tree: Hierarchy) -> FloatArray:
    """Return the length of the branch above each node, 0 above the root."""
    assert tree.height is not None
    if not np.isfinite(2.0 * float(tree.height.max() / 2 - tree.height.min() / 2)):
        raise InvalidTreeError(
            "Newick holds differences of heights, which must be finite;"
            f" these heights are from {tree.height.min():.6g} to {tree.height.max():.6g} (JSON holds them)"
        )
    return np.append(tree.height[tree.parent[:-1]], tree.height[-1]) - tree.height


def _quote(name: str) -> str:
    """Return a name in Newick notation, quoted if necessary."""
    return name if not name or _PLAIN.fullmatch(name) else "'" + name.replace("'", "''") + "'"
