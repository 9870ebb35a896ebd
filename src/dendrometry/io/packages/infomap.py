"""Modules of Infomap."""

from __future__ import annotations

import re

from dendrometry._display import printable
from dendrometry.errors import FormatError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_some, text_lines
from dendrometry.io.formats.paths import PathTree

_MODULE = re.compile(r'(\d++(?::\d++)*+) (\S++) "(.*)"(?: \d++)*+')  # Infomap does not escape quotes within a name


def from_infomap(text: str) -> Hierarchy:
    r"""Return the hierarchy of modules that Infomap writes to files ``.tree`` and ``.ftree``.

    Parameters
    ----------
    text : str
        Lines such as ``1:2:3 0.0384 "name" 7``: the path of modules and the rank within the last, the flow, and the
        name of a node of the network. Comments, and what follows a line that starts with ``*``, are skipped.

    Returns
    -------
    Hierarchy
        The items are the nodes of the network, each in its module; modules are named by their numbers. Flow is lost.

    Raises
    ------
    FormatError
        If a line has another form; the message gives its number.

    Examples
    --------
    >>> from dendrometry.io import from_infomap
    >>> print(from_infomap('# path flow name node_id\n1:1 0.3 "a" 1\n1:2 0.3 "b" 2\n2:1 0.4 "c" 3').draw())
    •
    ├─ 1: a, b
    └─ 2: c
    """
    tree, items = PathTree(), []
    for at, line in text_lines(text):
        if line.startswith("*"):
            break
        row = _MODULE.fullmatch(line)
        if row is None:
            rule = "a line of Infomap must be a path, a flow and a name in quotes"
            raise FormatError(f"line {at}: {rule}; got '{printable(line)}'")
        tree.place(row[3], row[1].split(":")[:-1])
        items.append(row[3])
    return tree.hierarchy(require_some(items, "node"))
