"""Nexus files, and texts of several trees: the trees one by one, with their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from dendrometry._display import printable
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io._shared.comments import after_comment
from dendrometry.io._shared.options import LengthChoice, MissingLengths
from dendrometry.io._shared.place import broken_at
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io._shared.several import choose
from dendrometry.io.formats.newick import read_newick, to_newick

# Every repeat is possessive: what follows one cannot be part of it, so that no pattern looks at a character twice.
_PLAIN = re.compile(r"\w++")
_MARK = re.compile(r"(?<![^\s(),:=\[\];])'|[\[;]")  # a quote inside a name, as ape writes d'Orbigny, is a character
_QUOTED = re.compile(r"'(?:[^']++|'')*+'")
_BLANKS = re.compile(r"\s*+")
_LETTERS = re.compile(r"[A-Za-z]++")
_WORD = re.compile(r"'(?:[^']++|'')*+'|[^\s=\[\],;']++")
_NUMBER = re.compile(r"[0-9]++")
# What a number stands for. ape writes names with blanks without quotes; digits among them would be the next number.
_NAME = re.compile(r"'(?:[^']++|'')*+'|(?!')[^\s\[\],;]++(?:[^\S\r\n]++(?![0-9]++[\s,;])[^\s\[\],;]++)*+")


class TreeText(NamedTuple):
    """One tree of a file: its name, its Newick text and where that starts, and the names that stand for others."""

    name: str
    newick: str
    start: int
    translate: dict[str, str]


def is_nexus(text: str) -> bool:
    """Whether a text is Nexus: it starts with the word #NEXUS."""
    return text[:64].lstrip("\ufeff \t\r\n")[:6].upper() == "#NEXUS"


def from_nexus(
    text: str,
    *,
    tree: int | str | None = None,
    exact_heights: bool = False,
    missing_lengths: MissingLengths = "error",
) -> Hierarchy:
    """Return a tree of a Nexus text: one of those in its TREES blocks, with the names of its TRANSLATE command.

    Parameters
    ----------
    text : str
        A text that starts with ``#NEXUS``. Blocks other than TREES are skipped.
    tree : int or str, optional
        Which tree, by its name or its number from 1; it must be given if there are several.
    exact_heights, missing_lengths
        As for `from_newick`.

    Raises
    ------
    FormatError
        If the text is not Nexus, holds no tree, or a tree is malformed; the message gives line and column.
    InvalidInputError
        If there are several trees and none is chosen, or there is no such tree.

    Examples
    --------
    >>> from dendrometry.io import from_nexus
    >>> text = "#NEXUS begin trees; translate 1 ape, 2 cat, 3 owl; tree first = ((1,2),3); end;"
    >>> from_nexus(text)
    Hierarchy(3 items 'ape' to 'owl', 5 nodes, no heights)
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"a Nexus text must be a string; got {type(text).__name__}")
    if not is_nexus(text):
        raise FormatError(f"a Nexus text must start with #NEXUS; got '{printable(text[:12])}'")
    chosen = choose_tree(tree_texts(text), tree)
    found, notes, _ = read_tree_text(text, chosen, LengthChoice(exact_heights, missing_lengths))
    warn_assumed(notes)
    return found


def to_nexus(trees: Hierarchy | Mapping[str, Hierarchy]) -> str:
    """Return a tree, or several by name, as a Nexus text with one TREES block.

    Raises
    ------
    InvalidTreeError
        If a tree cannot be written as Newick (see `to_newick`).

    Examples
    --------
    >>> from dendrometry import from_newick
    >>> from dendrometry.io import to_nexus
    >>> print(to_nexus({"first": from_newick("((ape,cat),owl);")}))
    #NEXUS
    BEGIN TREES;
      TREE first = ((ape,cat),owl);
    END;
    """
    named = trees if isinstance(trees, Mapping) else {"tree": trees}
    if not named:
        raise InvalidInputError("there must be at least one tree; got none")
    lines = []
    for name, tree in named.items():
        require_hierarchy(tree, "each tree")
        quoted = str(name) if _PLAIN.fullmatch(str(name)) else "'" + str(name).replace("'", "''") + "'"
        lines.append(f"  TREE {quoted} = {to_newick(tree)}\n")
    return f"#NEXUS\nBEGIN TREES;\n{''.join(lines)}END;"


def tree_texts(text: str) -> list[TreeText]:
    """Return the trees of a Nexus or Newick text; those of Newick are called "1", "2" and so on."""
    return list(_nexus_trees(text) if is_nexus(text) else _newick_trees(text))


def choose_tree(trees: list[TreeText], tree: object) -> TreeText:
    """Return one of several trees, by its name or by its number from 1."""
    return trees[choose([each.name for each in trees], tree)]


def read_tree_text(text: str, tree: TreeText, lengths: LengthChoice) -> Reading:
    """Return the hierarchy of one tree of a text, and what was assumed."""
    try:
        found, notes, _ = read_newick(tree.newick, lengths)
    except FormatError:
        # once more at its place in the file, so that the message gives the right line and column
        before = re.sub(r"[^\n]", " ", text[: tree.start])
        read_newick(before + tree.newick, lengths)
        raise
    if not tree.translate:
        return Reading(found, notes)
    items = tuple(tree.translate.get(item, item) for item in found.items)
    names = tuple(tree.translate.get(name, name) for name in found.node_names)
    return Reading(replace(found, items=items, node_names=names), notes)


def _commands(text: str, start: int, language: str) -> Iterator[tuple[int, int]]:
    """Yield the start and the end of each command: up to a semicolon that is not in quotes or in a comment."""
    at = first = start
    while (mark := _MARK.search(text, at)) is not None:
        if mark[0] == ";":
            yield first, mark.end()
            at = first = mark.end()
        elif mark[0] == "[":
            at = after_comment(text, mark.start())
            if at < 0:
                raise broken_at(text, mark.start(), language, "a comment must be closed by ]")
        else:
            quoted = _QUOTED.match(text, mark.start())
            if quoted is None:
                raise broken_at(text, mark.start(), language, "a quoted name must be closed by '")
            at = quoted.end()
    yield first, len(text)


def _newick_trees(text: str) -> Iterator[TreeText]:
    """Yield the trees of a Newick text; what follows the last semicolon is a tree that is not closed."""
    number = 0
    for start, stop in _commands(text, 0, "Newick"):
        if stop < len(text) or text[start:stop].strip("\ufeff \t\r\n") or not number:
            number += 1
            yield TreeText(str(number), text[start:stop], start, {})


def _nexus_trees(text: str) -> Iterator[TreeText]:
    """Yield the trees of the TREES blocks of a Nexus text."""
    start = text.upper().index("#NEXUS") + len("#NEXUS")
    block = ""
    translate: dict[str, str] = {}
    for first, last in _commands(text, start, "Nexus"):
        command = _LETTERS.match(text, _after_comments(text, first, last), last)
        if command is None:
            continue
        word = command[0].lower()
        if word == "begin":
            name = _WORD.match(text, _after_comments(text, command.end(), last), last)
            block, translate = name[0].lower() if name else "", {}
        elif word in ("end", "endblock"):
            block = ""
        elif block == "trees" and word == "translate":
            translate = _translation(text, command.end(), last - 1)
        elif block == "trees" and word in ("tree", "utree"):
            yield _tree(text, command, last, translate)


def _tree(text: str, word: re.Match[str], stop: int, translate: dict[str, str]) -> TreeText:
    """Return the tree of a TREE command; an asterisk may mark it as the default."""
    start = _after_comments(text, word.end(), stop)
    marked = text.startswith("*", start, stop)
    name = _WORD.match(text, _after_comments(text, start + 1, stop) if marked else start, stop)
    if name is not None and (start > word.end() or marked or name[0].startswith("'")):
        equals = _after_comments(text, name.end(), stop)
        if text.startswith("=", equals, stop):
            return TreeText(_unquote(name[0]), text[equals + 1 : stop], equals + 1, translate)
    raise broken_at(text, word.start(), "Nexus", "a tree must have a name and an equals sign")


def _translation(text: str, start: int, stop: int) -> dict[str, str]:
    """Return the names of a TRANSLATE command."""
    pairs: dict[str, str] = {}
    while (at := _after_comments(text, start, stop)) < stop:
        short = _WORD.match(text, at, stop)
        name = _NAME if short and _NUMBER.fullmatch(short[0]) else _WORD
        long = name.match(text, _after_comments(text, short.end(), stop), stop) if short else None
        end = _after_comments(text, long.end(), stop) if long else start
        if short is None or long is None or (end < stop and text[end] != ","):
            raise broken_at(text, start, "Nexus", "TRANSLATE must hold pairs of names, separated by commas")
        if _unquote(short[0]) in pairs:
            raise broken_at(text, at, "Nexus", "TRANSLATE must give each name once")
        pairs[_unquote(short[0])] = _unquote(long[0])
        start = min(end + 1, stop)
    return pairs


def _after_comments(text: str, at: int, stop: int) -> int:
    """Return the offset behind blanks and comments, which are closed and may hold others."""
    while (at := _BLANKS.match(text, at, stop).end()) < stop and text[at] == "[":  # type: ignore[union-attr]
        at = after_comment(text, at)
    return at


def _unquote(word: str) -> str:
    """Return a name without its quotes."""
    return word[1:-1].replace("''", "'") if word.startswith("'") else word
