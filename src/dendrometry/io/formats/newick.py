"""Newick: the bracket notation of phylogenetics."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from dendrometry import _memory
from dendrometry._check.choices import one_of
from dendrometry._check.names import known_distinct, table_for
from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry._kernels.io import names as spans
from dendrometry._kernels.io import newick as kernels
from dendrometry._threads import n_cores, run_in_threads
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import FormatError, InvalidInputError, InvalidTreeError, Message, Part, Remedy
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io._shared.brackets import walk_brackets
from dendrometry.io._shared.comments import comment_names
from dendrometry.io._shared.lengths import Heights, heights_of_lengths
from dendrometry.io._shared.options import LengthChoice, MissingLengths
from dendrometry.io._shared.place import broken_at
from dendrometry.io._shared.requirements import Reading, require_items_at_leaves, warn_assumed, warn_lost
from dendrometry.io.parents import from_parents

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
_PLAIN = re.compile(r"[^\s()\[\]{}<>/,:;'\"=&|\\\ufeff]++")
_NUMBER = re.compile(rb"[-+.0-9eE]++")
_HYBRID = re.compile(r"#(?:H|LGT|R)\d++$", re.ASCII)  # ends the name of a node of several parents, in extended Newick
_PIECE = 2**18  # names that are split together
_LONG = 2**20  # bytes of a text, from which on two threads read it


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
    tree, notes, _ = read_newick(text, LengthChoice(exact_heights, missing_lengths))
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
        raise broken_at(text, error.start, "Newick", *rule) from None
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


def _columns(encoded: bytes, lengths: LengthChoice) -> tuple[_Columns, list[Message]]:
    """Return the arguments of `from_parents`, and what was assumed about the lengths."""
    columns, found = _scan(encoded)
    if found.error:
        raise _error(encoded, int(found.offset), _RULES[int(found.error)])
    if found.unnamed >= 0:
        raise _error(encoded, _place(columns, int(found.unnamed)), "every tip must have a name")
    node_names: list[str] = []
    inner = np.flatnonzero(~columns.is_tip & (columns.name_start >= 0))
    if inner.size:
        node_names = [""] * columns.parent.size
        for v, name in zip(inner.tolist(), _names(encoded, columns, inner), strict=True):
            node_names[v] = name
    if b"[" in encoded and b"[&" in encoded:  # one byte is found ten times as fast as two
        given = node_names or [""] * columns.parent.size
        in_comments = comment_names(encoded.decode())
        node_names = [name or ("" if columns.is_tip[v] else in_comments.get(v, "")) for v, name in enumerate(given)]
    tips = np.flatnonzero(columns.is_tip)
    jobs: tuple[Callable[[], Any], ...] = (
        lambda: (_heights(encoded, columns, found, lengths), _are_distinct(encoded, columns, tips)),
        lambda: _names(encoded, columns, tips),
    )
    in_threads = len(encoded) >= _LONG and n_cores() > 1
    (heights, distinct), names = run_in_threads(lambda job: job(), jobs, 2) if in_threads else [job() for job in jobs]
    if node_names and b"#" in encoded:
        _check_no_network(node_names, names)
    height, notes = (None, []) if heights is None else heights
    return (columns.parent, None, height, known_distinct(names) if distinct else names, node_names), notes


def _check_no_network(node_names: list[str], tips: list[str]) -> None:
    """Refuse extended Newick, in which a hybrid node, such as #H1, stands once with its children and once without."""
    hybrids = {name for name in node_names if _HYBRID.search(name)}
    found = next((name for name in tips if name in hybrids), None)
    if found is not None:
        raise FormatError(f"each node must have one parent; got a network, with the hybrid node '{printable(found)}'")


def _are_distinct(encoded: bytes, columns: kernels.Columns, nodes: IntArray) -> bool:
    """Whether the names of some nodes are certainly different from each other."""
    parts = spans.Parts(np.frombuffer(encoded, dtype=np.uint8), columns.name_start[nodes], columns.name_stop[nodes])
    return spans.all_distinct(parts, table_for(parts))


def _scan(encoded: bytes) -> tuple[kernels.Columns, kernels.Scan]:
    """Return the columns of a text and what was found in it; a long text is read in halves, on two threads."""
    if not encoded or kernels.KIND[encoded[-1]] == 0:  # there is no end of a tree
        encoded += b"\n"
    text, size = np.frombuffer(encoded, dtype=np.uint8), len(encoded)
    if size < _LONG:
        n_open, n_closed, n_commas = map(encoded.count, (b"(", b")", b","))
        counts = [kernels.Count(n_open, n_closed, n_closed + n_commas)]
    else:
        in_halves = n_cores() > 1 and b"'" not in encoded and b"[" not in encoded
        middle = encoded.find(b",", size // 2) + 1 if in_halves else 0
        counts = list(run_in_threads(kernels.count, [text[:middle], text[middle:]] if middle else [text], 2))
    n_nodes, n_open = sum(count.n_nodes for count in counts) + 1, sum(count.n_open for count in counts)
    _memory.require_memory(_NODE_BYTES * max(n_nodes, n_open) + 2 * size, "the tree", "Read a smaller one.")
    parent, name_start, name_stop, length_start = (np.empty(n_nodes, dtype=np.int64) for _ in range(4))
    length, is_tip = np.empty(n_nodes), np.empty(n_nodes, dtype=bool)
    columns = kernels.Columns(parent, name_start, name_stop, length, length_start, is_tip)
    found = None if len(counts) == 1 else _scan_halves(text, middle, counts, columns)
    if found is None:
        found = kernels.scan(text, kernels.Piece(0, size, 0), columns, _brackets(n_open, 0))
    return kernels.Columns._make(column[: found.n_nodes] for column in columns), found


def _scan_halves(
    text: NDArray[np.uint8], middle: int, counts: Sequence[kernels.Count], columns: kernels.Columns
) -> kernels.Scan | None:
    """Return what was found in a text without quotes and comments that is read in halves, None if they do not fit."""
    first, last = counts
    brackets = _brackets(first.n_open, 0), _brackets(last.n_open, last.n_closed)
    pieces = kernels.Piece(0, middle, 0), kernels.Piece(middle, text.size, first.n_nodes)
    jobs = list(zip(pieces, brackets, strict=True))
    a, b = run_in_threads(lambda job: kernels.scan(text, job[0], columns, job[1]), jobs, 2)
    if a.error or b.error or not kernels.join(columns.parent, brackets[0], a.n_open, brackets[1], b):
        return None
    return kernels.Scan(
        n_open=0,
        n_closed=0,
        n_nodes=a.n_nodes + b.n_nodes,
        n_lengths=a.n_lengths + b.n_lengths,
        n_uncertain=a.n_uncertain + b.n_uncertain,
        unnamed=a.unnamed if a.unnamed >= 0 else b.unnamed,
        error=0,
        offset=b.offset,
    )


def _brackets(n_open: int, n_closed: int) -> kernels.Brackets:
    """Return room for the brackets of a piece of a text."""
    return kernels.Brackets(np.empty(n_open + 1, dtype=np.int64), np.empty(n_closed, dtype=np.int64))


def _names(encoded: bytes, columns: kernels.Columns, nodes: IntArray) -> list[str]:
    """Return the names of some nodes, "" for none: decoded as one text, split at a byte that no name holds.

    Names are decoded in portions, so that an interrupt does not have to wait for all of them.
    """
    text = np.frombuffer(encoded, dtype=np.uint8)
    separator, mark = (0, "\0") if b"\0" not in encoded else (0xFF, "\udcff")  # UTF-8 has no byte 0xFF
    names: list[str] = []
    for first in range(0, nodes.size, _PIECE):
        piece = nodes[first : first + _PIECE]
        parts = spans.gather(text, columns.name_start[piece], columns.name_stop[piece], separator)
        names += str(parts.data, "utf-8", "surrogateescape").split(mark)[1:]
    return names


def _heights(encoded: bytes, columns: kernels.Columns, found: kernels.Scan, lengths: LengthChoice) -> Heights | None:
    """Return heights from branch lengths, or None if there are none."""
    start, length = columns.length_start, columns.length
    if found.n_uncertain:
        for v in np.flatnonzero(np.isnan(length)).tolist():
            number = _NUMBER.match(encoded, start[v])
            assert number is not None
            length[v] = float(number[0])
            if not np.isfinite(length[v]):
                raise _error(encoded, int(start[v]), _RULES[14])
    n_branches = max(length.size - 1, 1)
    n_given = found.n_lengths - int(length.size > 1 and start[-1] >= 0)
    if n_given == 0 or (n_given < n_branches and lengths.missing_lengths == "no_heights"):
        return None
    if n_given < n_branches and lengths.missing_lengths == "error":
        v = int(np.argmax(start < 0))
        name = _names(encoded, columns, np.array([v]))[0] if columns.name_start[v] >= 0 else ""
        which = f"that of '{printable(name)}'" if name else "this one"
        raise _error(
            encoded,
            _place(columns, v),
            f"all branches must have lengths, or none; {which} has none",
            Remedy("missing_lengths", "zero", "takes it as 0"),
            Remedy("missing_lengths", "no_heights", "leaves all out"),
        )
    try:
        return heights_of_lengths(columns.parent, length, exact=bool(lengths.exact_heights))
    except InvalidTreeError as error:
        raise _error(encoded, 0, *error.args) from None


def _place(columns: kernels.Columns, v: int) -> int:
    """Return the offset of the name of a node, of the quote before an empty one, or else of its length or end."""
    start, stop = int(columns.name_start[v]), int(columns.name_stop[v])
    if start >= 0:
        return start - (start == stop)
    return int(columns.length_start[v]) if columns.length_start[v] >= 0 else stop


def _error(encoded: bytes, offset: int, *rule: Part) -> FormatError:
    """Return an error that gives the place in a Newick text where a rule is broken."""
    return broken_at(encoded.decode(), len(encoded[:offset].decode()), "Newick", *rule)


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
