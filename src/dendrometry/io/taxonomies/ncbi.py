"""The taxonomy of NCBI: nodes.dmp and names.dmp of its taxdump."""

from __future__ import annotations

from collections.abc import Iterator

from dendrometry._display import printable
from dendrometry.errors import FormatError, InvalidTreeError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.lines import require_some, require_text
from dendrometry.io.parents import from_parents


def from_ncbi(nodes: str, names: str | None = None) -> Hierarchy:
    r"""Return the hierarchy of the taxonomy of NCBI, or of a part of it.

    `read` takes the path of ``nodes.dmp``, and ``names.dmp`` beside it.

    Parameters
    ----------
    nodes : str
        The text of ``nodes.dmp``: in each line a taxon, its parent and more, separated by ``\t|\t``. The root is its
        own parent.
    names : str, optional
        The text of ``names.dmp``: the scientific names become names of nodes.

    Returns
    -------
    Hierarchy
        Nodes are the taxa, and the items are their numbers, each at the node of its taxon. Ranks and other names are
        lost.

    Raises
    ------
    FormatError
        If a line has another form, or a taxon or its parent is not a number; the message gives the line.
    InvalidTreeError
        If a taxon is given twice, its parent is missing, or there is a cycle.

    Examples
    --------
    >>> from dendrometry.io import from_ncbi
    >>> nodes = "1\t|\t1\t|\tno rank\t|\n2\t|\t1\t|\tdomain\t|\n7\t|\t2\t|\tspecies\t|\n"
    >>> print(from_ncbi(nodes, "2\t|\tBacteria\t|\t\t|\tscientific name\t|\n").draw())
    •: 1
    └─ Bacteria: 2
       └─ 7
    """
    parent_of: dict[int, int] = {}
    for at, row in _rows(nodes, 2, "nodes.dmp"):
        taxon = _number(row[0], at)
        if taxon in parent_of:
            raise InvalidTreeError(f"each taxon must be given once; line {at} of nodes.dmp gives {taxon} again")
        parent_of[taxon] = _number(row[1], at)
    called: dict[int, str] = {}
    for at, row in () if names is None else _rows(names, 4, "names.dmp"):
        if row[3] == "scientific name":
            called.setdefault(_number(row[0], at), row[1])
    number = {taxon: v for v, taxon in enumerate(parent_of)}
    unknown = next((taxon for taxon, above in parent_of.items() if above not in number), None)
    if unknown is not None:
        raise InvalidTreeError(f"the parent of taxon {unknown} must be given too; {parent_of[unknown]} is not")
    parent = [-1 if taxon == above else number[above] for taxon, above in parent_of.items()]
    items = require_some(list(map(str, parent_of)), "taxon")
    return from_parents(parent, range(len(parent)), None, items, [called.get(taxon, "") for taxon in parent_of])


def _rows(text: object, fewest: int, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line of a dump, and its values."""
    for at, line in enumerate(require_text(text).split("\n"), start=1):
        if not line.strip():
            continue
        row = line.rstrip("\r").removesuffix("\t|").split("\t|\t")
        if len(row) < fewest:
            rule = f"must have {fewest} values or more, separated by '\\t|\\t'"
            raise FormatError(f"line {at} of {file} {rule}; got '{printable(line)}'")
        yield at, row


def _number(value: str, at: int) -> int:
    """Return the number of a taxon."""
    if not (value.isascii() and value.isdigit() and len(value) <= 18):
        raise FormatError(f"line {at}: a taxon must be a number; got '{printable(value)}'")
    return int(value)
