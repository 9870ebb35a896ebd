"""Lineages with a prefix for each rank, as GTDB, QIIME 2, Greengenes and SILVA write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import get_args

from dendrometry._check.choices import elements, one_of
from dendrometry._check.names import name_items
from dendrometry._display import plural, printable, quote_first
from dendrometry.errors import FormatError, InvalidInputError, Message
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.account import account_of
from dendrometry.io._shared.known_columns import GTDB_COLUMNS, QIIME_COLUMNS
from dendrometry.io._shared.lines import require_text
from dendrometry.io._shared.missing import complete, is_missing_word
from dendrometry.io._shared.options import MissingChoice
from dendrometry.io._shared.requirements import Reading
from dendrometry.io.formats.paths import PathTree

_HEADERS = (QIIME_COLUMNS, GTDB_COLUMNS)


def from_lineages(
    lineages: Sequence[str] | Mapping[str, str],
    item_names: Iterable[str] | None = None,
    *,
    missing: MissingChoice = "refuse",
) -> Hierarchy:
    """Return the hierarchy of lineages such as ``d__Bacteria;p__Bacillota;c__Bacilli``.

    Parameters
    ----------
    lineages : sequence of str, pandas.Series, or mapping from item to lineage
        The taxa of each item from the domain down, separated by ``;`` with or without blanks. The last ranks may be
        empty, ``g__;s__``: the item then belongs to the last taxon with a name.
    item_names : sequence of str, optional
        The names of the items, as for `from_paths`.
    missing : {"refuse", "skip_rank", "own_node"}
        What to do about a rank without a name above one that has a name, as for `from_levels`; "own_node" keeps it as
        it is written, such as ``c__``.

    Returns
    -------
    Hierarchy
        Nodes are the taxa, named as they are written, with the prefix of their rank.

    Raises
    ------
    InvalidInputError
        If a lineage is not text, or a rank is missing above one that is given; the message names the item.

    Examples
    --------
    >>> from dendrometry.io import from_lineages
    >>> lineages = {"GCF_1": "d__Bacteria;p__Bacillota;c__Bacilli", "GCF_2": "d__Bacteria;p__Bacillota;c__"}
    >>> print(from_lineages(lineages).draw())
    •
    └─ d__Bacteria
       └─ p__Bacillota: GCF_2
          └─ c__Bacilli: GCF_1
    """
    given: object = lineages
    if isinstance(given, str | bytes | Set) or not isinstance(given, Iterable) or hasattr(given, "columns"):
        raise InvalidInputError(f"lineages must be a sequence, one for each item; got {printable(lineages)}")
    values: list[object] = list(elements(given.values() if isinstance(given, Mapping) else given, "lineages"))
    names = name_items(lineages, item_names, len(values))
    one_of(missing, "missing", get_args(MissingChoice))
    nodes = PathTree()
    for name, lineage in zip(names, values, strict=True):
        if not isinstance(lineage, str):
            raise InvalidInputError(f"a lineage must be text; got {printable(lineage)} for item '{printable(name)}'")
        nodes.place(name, _taxa(lineage, missing, f"item '{printable(name)}'"))
    return nodes.hierarchy(names)


def read_lineages(text: str, missing: MissingChoice = "refuse") -> Reading:
    """Return the hierarchy of a table of GTDB, two columns without a header, or of QIIME 2 or GTDB-Tk, with theirs."""
    rows = [(at, line.split("\t")) for at, line in enumerate(require_text(text).splitlines(), start=1) if line.strip()]
    header = rows.pop(0)[1] if rows and tuple(rows[0][1][:2]) in _HEADERS else None
    rows = [(at, row) for at, row in rows if not row[0].startswith("#q2:types")]
    width = 2 if header is None else len(header)
    for at, row in rows:
        if len(row) != width:
            raise FormatError(f"line {at}: every row must have {plural(width, 'value')}; got {len(row)}")
    if not rows:
        raise FormatError("the table must have at least one lineage; got none")
    notes: list[Message] = []
    if header is not None and width > 2:
        notes = [(f"lineages are in column '{header[1]}'; these are left out: {quote_first(header[2:])}",)]
    tree = from_lineages([row[1] for _, row in rows], [row[0] for _, row in rows], missing=missing)
    return Reading(tree, notes, account_of("lineages", tree)._replace(sep=";"))


def _taxa(lineage: str, missing: MissingChoice, where: str) -> list[str]:
    """Return the taxa of a lineage, without the empty ranks at its end."""
    written = [taxon.strip() for taxon in lineage.strip().removesuffix(";").split(";")]
    while written and (not written[-1] or is_missing_word(written[-1])):
        written.pop()
    taxa = ["" if is_missing_word(taxon) else taxon for taxon in written]
    return (
        complete(taxa, written, missing, where)
        if missing != "own_node"
        else [taxon or "(no name)" for taxon in written]
    )
