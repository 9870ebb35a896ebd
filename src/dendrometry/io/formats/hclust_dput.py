"""R's objects of class phylo and hclust as text, as dput and dump write them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from dendrometry._check.arrays import float_column
from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry.errors import FormatError, InvalidInputError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lengths import Heights, heights_in_any_order
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io.formats.hclust import from_hclust
from dendrometry.io.parents import from_parents

_QUOTED = r'"(?:[^"\\]++|\\.)*+"|`[^`]*+`'
_DIGITS = r"(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+L?+"
# A quote that is not closed takes all that follows, so that it is searched once.
_TOKEN = re.compile(rf'{_QUOTED}|["`].*+|[A-Za-z.][\w.]*+|{_DIGITS}|<-|\S', re.ASCII | re.DOTALL)
_CLOSED = re.compile(rf'{_QUOTED}|[^"`]', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|[uU]\{?([0-9a-fA-F]{1,8})\}?|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
# The parts of an object that are read; the first three must be there.
_PARTS = {
    "phylo": ("edge", "tip.label", "Nnode", "edge.length", "node.label"),
    "hclust": ("merge", "height", "labels", "order"),
}
# A range is short as text. In a tree with the names of its tips, ranges stand for fewer values than so many a token.
_SHARE, _FREE = 4, 100_000
_NUMBER = re.compile(rf"-?+{_DIGITS}", re.ASCII)


def from_dput(text: str, *, exact_heights: bool = False) -> Hierarchy:
    """Return the hierarchy of an R object of class phylo or hclust as ``dput`` or ``dump`` writes it.

    Parameters
    ----------
    text : str
        Such as ``structure(list(edge = …, tip.label = …, Nnode = 2L), class = "phylo")``. In R,
        ``dput(tree, "tree.R", control = "digits17")`` writes all digits of lengths; by default there are 15.
    exact_heights : bool
        For a phylo: whether to take all digits of lengths as exact, as for `from_newick`.

    Returns
    -------
    Hierarchy
        Of a phylo, tips are items and ``node.label`` names the inner nodes; a length above the root is lost. Of an
        hclust, what `from_hclust` gives.

    Raises
    ------
    FormatError
        If the text is not such an object, or lacks a part of it.
    InvalidTreeError
        If its parts are not those of a tree.

    Warns
    -----
    AssumptionWarning
        As for `from_newick`.

    Examples
    --------
    >>> from dendrometry.io import from_dput
    >>> text = '''structure(list(edge = structure(c(4L, 5L, 5L, 4L, 5L, 1L, 2L, 3L), dim = c(4L, 2L)),
    ...     tip.label = c("ape", "cat", "owl"), Nnode = 2L), class = "phylo", order = "cladewise")'''
    >>> print(from_dput(text).draw())
    •
    ├─ owl
    └─ •
       ├─ ape
       └─ cat
    """
    tree, notes, _ = read_dput(text, exact_heights=flag(exact_heights, "exact_heights"))
    warn_assumed(notes)
    return tree


def read_dput(text: str, *, exact_heights: bool) -> Reading:
    """Return the hierarchy of a text as `from_dput`, and what was assumed about it."""
    given: object = text
    if not isinstance(given, str):
        raise InvalidInputError(f"the text must be a string; got {type(given).__name__}")
    source = _Source.of(text)
    start = 2 if source.tokens[1:2] == ["<-"] else 0
    outside = source.arguments(start, "structure")
    kind = source.vector(outside["class"]) if "class" in outside else []
    if kind not in (["phylo"], ["hclust"]) or "" not in outside:
        got = printable(kind[0]) if len(kind) == 1 else "something else"
        raise FormatError(f"the object of R must be of class phylo or hclust; got {got}")
    inside = source.arguments(outside[""].start, "list")
    parts = {name: source.vector(where) for name, where in inside.items() if name in _PARTS[kind[0]]}
    missing = [name for name in _PARTS[kind[0]][:3] if name not in parts]
    if missing:
        raise FormatError(f"an object of class {kind[0]} must have the part {missing[0]}; it has none")
    if kind == ["phylo"]:
        return _phylo(parts, exact_heights)
    merge = _numbers(parts["merge"], "merge")
    labels = _texts(parts["labels"], "labels") or None
    order = _numbers(parts["order"], "order") if "order" in parts else None
    return Reading(from_hclust(_matrix(merge, "merge"), _numbers(parts["height"], "height"), labels, order), [])


class _Source(NamedTuple):
    """The tokens of a text, and for each opening bracket the place of the closing one."""

    tokens: list[str]
    closing: dict[int, int]

    @classmethod
    def of(cls, text: str) -> _Source:
        """Return the tokens of a text, whose brackets must match."""
        tokens, waiting, closing = _TOKEN.findall(text.removeprefix("\ufeff")), [], {}
        if tokens and not _CLOSED.match(tokens[-1]):
            raise FormatError(
                f"a text or name of R must end with the quote it begins with; got {printable(tokens[-1])}"
            )
        for at, token in enumerate(tokens):
            if token == "(":
                waiting.append(at)
            elif token == ")":
                if not waiting:
                    raise FormatError("the text of R must have matching brackets; got a closing one too many")
                closing[waiting.pop()] = at
        if waiting:
            raise FormatError("the text of R must have matching brackets; one is not closed")
        return cls(tokens, closing)

    def arguments(self, at: int, name: str) -> dict[str, slice]:
        """Return the arguments of a call of a function by name, "" for the first without one, as places of tokens."""
        if self.tokens[at : at + 2] != [name, "("]:
            got = printable(" ".join(self.tokens[at : at + 3]))
            raise FormatError(f"an object of R must be written as structure(list(...), class = ...); got '{got}'")
        stop = self.closing[at + 1]
        ends = [at + 1]
        i = at + 2
        while i < stop:
            i = self.closing.get(i, i) if self.tokens[i] == "(" else i
            if self.tokens[i] == ",":
                ends.append(i)
            i += 1
        found: dict[str, slice] = {}
        for first, last in pairwise([*ends, stop]):
            named = self.tokens[first + 2 : first + 3] == ["="]
            key = self.tokens[first + 1].strip('`"') if named else ""
            found.setdefault(key, slice(first + 3 if named else first + 1, last))
        return found

    def vector(self, where: slice) -> list[Any]:
        """Return the values of a vector: of c(), of a range, a single one, or of one with attributes."""
        while self.tokens[where.start : where.start + 2] == ["structure", "("]:
            where = self.arguments(where.start, "structure").get("", slice(0, 0))
        tokens = self.tokens[where]
        if tokens[:2] == ["c", "("] and self.closing[where.start + 1] == where.stop - 1:
            tokens = tokens[2:-1]
        most = _SHARE * len(self.tokens) + _FREE
        values: list[Any] = []
        part: list[str] = []
        for token in [*tokens, ","]:
            if token == ",":
                values += _values(part, most - len(values))
                if len(values) > most:
                    raise FormatError(
                        f"the ranges of an object of R must stand for at most {most:,} values in a text of this size;"
                        " got more"
                    )
                part = []
            else:
                part.append(token)
        return values


def _values(part: list[str], most: int) -> list[Any]:
    """Return the values that one argument of c() stands for: a text, a number, a range of numbers, None or nothing.

    A range of more than ``most`` values is not made: the result is too long by one.
    """
    if len(part) >= 2 and part[1] == "=":
        part = part[2:]  # a name
    if part in ([], ["NULL"]):
        return []
    if part in (["NA"], ["NA_character_"]):
        return [None]
    if len(part) == 1 and part[0].startswith('"'):
        return [_ESCAPE.sub(_unescaped, part[0][1:-1])]
    ends = "".join(part).split(":")
    if len(ends) <= 2 and all(_NUMBER.fullmatch(end) for end in ends):
        numbers = [float(end.removesuffix("L")) for end in ends]
        if len(numbers) == 1:
            return numbers
        if np.isfinite(numbers).all():
            step = 1 if numbers[1] >= numbers[0] else -1
            count = min(int(abs(numbers[1] - numbers[0])), most) + 1
            return list((numbers[0] + step * np.arange(count, dtype=np.float64)).tolist())
    raise FormatError(f"the values of an object of R must be numbers or text; got '{printable(' '.join(part))}'")


def _unescaped(found: re.Match[str]) -> str:
    """Return the character that an escape stands for."""
    code = found[1] or found[2]
    if code is None:
        return _ESCAPED.get(found[3], found[3])
    if int(code, 16) > 0x10FFFF:
        raise FormatError(f"an escape must be a character of Unicode; got '{printable(found[0])}'")
    return chr(int(code, 16))


def _numbers(values: list[Any], what: str) -> list[float]:
    """Return a part that must hold numbers."""
    wrong = [value for value in values if not isinstance(value, float)]
    if wrong:
        raise FormatError(f"the part {what} must hold numbers; got {'NA' if wrong[0] is None else 'text'}")
    return values


def _texts(values: list[Any], what: str) -> list[str]:
    """Return a part that must hold text; numbers are names by their text."""
    if None in values:
        raise FormatError(f"the part {what} must hold names; got NA")
    return [value if isinstance(value, str) else f"{value:g}" for value in values]


def _matrix(values: list[float], what: str) -> Any:
    """Return a matrix of two columns, which R writes one after the other."""
    if len(values) % 2:
        raise FormatError(f"the part {what} must have two columns; got {len(values)} values")
    return np.array(values).reshape(2, -1).T


def _phylo(parts: dict[str, list[Any]], exact: bool) -> Reading:
    """Return the hierarchy of the parts of a phylo: tips are 1 to n, the root is n + 1."""
    edge = _matrix(_numbers(parts["edge"], "edge"), "edge")
    tips = _texts(parts["tip.label"], "tip.label")
    inner = _numbers(parts["Nnode"], "Nnode")
    if len(inner) != 1 or not inner[0].is_integer() or inner[0] < 0:
        found = printable(inner[0]) if len(inner) == 1 else f"{len(inner):,} values"
        raise FormatError(f"the part Nnode must be one whole number of at least 0; got {found}")
    n = len(tips) + int(inner[0])
    if edge.shape[0] != n - 1 or edge.size == 0 or edge.min() < 1 or edge.max() > n or (np.floor(edge) != edge).any():
        raise InvalidTreeError(
            f"edge must have a row for each node but the root, {n - 1:,}, with numbers from 1 to {n:,}; got"
            f" {edge.shape[0]:,} rows"
        )
    above, below = (edge - 1).astype(np.int64).T
    parent = np.full(n, -1, dtype=np.int64)
    parent[below] = above
    if np.unique(below).size < below.size:
        raise InvalidTreeError("each node of a phylo must have one parent; one has several")
    heights = Heights(np.zeros(n), [])
    given = parts.get("edge.length", [])
    if given:
        lengths = float_column(_numbers(given, "edge.length"), "edge.length")
        if lengths.size != n - 1:
            raise InvalidTreeError(f"edge.length must have one value for each of {n - 1:,} edges; got {lengths.size:,}")
        length = np.zeros(n)
        length[below] = lengths
        heights = heights_in_any_order(parent, length, exact=exact)
    labels = _texts(["" if label is None else label for label in parts.get("node.label", [])], "node.label")
    names = [""] * len(tips) + labels if labels else []
    tree = from_parents(parent, range(len(tips)), heights.height if given else None, tips, names)
    return Reading(tree, heights.notes)
