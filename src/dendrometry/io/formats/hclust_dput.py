"""R's objects of class phylo and hclust as text, as dput and dump write them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io.formats.r_parts import PARTS, tree_of_parts

_QUOTED = r'"(?:[^"\\]++|\\.)*+"|`[^`]*+`'
_DIGITS = r"(?:\d++(?:\.\d*+)?+|\.\d++)(?:[eE][-+]?+\d++)?+L?+"
# A quote that is not closed takes all that follows, so that it is searched once.
_TOKEN = re.compile(rf'{_QUOTED}|["`].*+|[A-Za-z.][\w.]*+|{_DIGITS}|<-|\S', re.ASCII | re.DOTALL)
_CLOSED = re.compile(rf'{_QUOTED}|[^"`]', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|[uU]\{?([0-9a-fA-F]{1,8})\}?|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
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
    parts = {name: source.vector(where) for name, where in inside.items() if name in PARTS[kind[0]]}
    return tree_of_parts(kind[0], parts, exact_heights)


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
