"""Files: the name determines the format, input is not trusted, output is written completely or not at all."""

from __future__ import annotations

import gzip
import os
from collections.abc import Sequence
from typing import get_args

from dendrometry import _memory
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import whole_number
from dendrometry._display import printable
from dendrometry._files import FilePath, name_of, write_standard_output, write_together, write_whole
from dendrometry._flags import flag
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError, Message, advise_function
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io._shared.account import account_of
from dendrometry.io._shared.contents import contents_of, unpack
from dendrometry.io._shared.format_names import FormatName, tells_format
from dendrometry.io._shared.options import (
    LengthChoice,
    MissingChoice,
    MissingLengths,
    Noise,
    ParentChoice,
    ReadOptions,
    RepeatsChoice,
    TableChoice,
    checked_choice,
)
from dendrometry.io._shared.requirements import Reading, warn_assumed
from dendrometry.io._shared.schema import pair_of_tables
from dendrometry.io.codecs import Decode, decode_all, decoder_of, format_of, holds_trees, text_of

_MAX_BYTES = 4 * 2**30
_OF_MANY = ("format", "exact_heights", "missing_lengths")  # arguments of read_many that read has too
_MEMORY_SHARE = 16  # the default cap on unpacked bytes is this part of the memory there is, or _MAX_BYTES


def read(
    path: FilePath,
    *,
    format: FormatName | None = None,
    item: str | None = None,
    path_column: str | None = None,
    sep: str | None = None,
    levels: Sequence[str] | None = None,
    missing: MissingChoice = "refuse",
    repeats: RepeatsChoice = "refuse",
    noise: Noise | None = None,
    tree: int | str | None = None,
    exact_heights: bool = False,
    missing_lengths: MissingLengths = "error",
    parents: ParentChoice = "error",
    max_bytes: int | None = None,
) -> Hierarchy:
    """Return the hierarchy in a file.

    Parameters
    ----------
    path : str or path
        The file, or ``"-"`` for standard input, which needs ``format``. The suffix determines the format: ``.nwk``,
        ``.newick``, ``.tree``, ``.tre``, ``.treefile``, ``.nhx`` (Newick), ``.nex``, ``.nexus`` (Nexus), ``.json``
        (nested name and children), ``.csv``, ``.tsv``, ``.parquet`` (items with a path, levels or a label, see
        `from_levels`), ``.npy`` (SciPy linkage), ``.rds``, ``.RData``, ``.rda`` (R), ``.xlsx``, ``.xlsm`` (Excel),
        ``.h5ad`` (AnnData). A further ``.gz`` means compressed. ``x.nodes.parquet`` and ``x.items.parquet`` are two
        tables of one tree (see `from_tables`), and either names both. Nexus is known by its first word in any file of
        trees, and a file with another suffix by its content, unless that is a table. `info` says what a file is.
    format : {"newick", "nexus", "json", "csv", "tsv", "parquet", "npy"}, optional
        The format, if the suffix does not determine it; overrides the suffix.
    tree : int or str, optional
        Which tree of a file of several, by number from 1 or by name: of Newick, Nexus, an object of R, a sheet of
        Excel, or a dendrogram of AnnData. `read_many` returns all.
    item, path_column, sep : str, optional
        For tables: the column that names the items, that of paths, and their separator, as for `from_levels`, which
        takes columns by the same rules. By default they are found.
    levels, missing, repeats, noise
        For tables: the columns that are levels (for .h5ad, of obs), and what to do about missing ranks, names that lie
        in several of the level above, and the label -1, as for `from_levels`. ``missing`` is for lineages, too.
    exact_heights : bool
        For lengths of branches: whether to take all their digits as exact, see `from_newick`.
    missing_lengths : {"error", "zero", "no_heights"}
        For lengths of branches of which some are missing, see `from_newick`.
    parents : {"error", "first", "longest"}
        For ontologies and thesauri (OBO, SKOS) with terms that have several parents, see `from_obo`.
    max_bytes : int, optional
        The largest size of the data, decompressed if necessary. By default half of the available memory for a file that
        is not compressed, and a sixteenth of it, at most 4 GiB, for decompressed data.

    Raises
    ------
    InvalidInputError
        If the file cannot be read, or neither its name nor ``format`` determines its format.
    FormatError
        If it breaks the rules of its format; the message names the file and, where possible, line and column.

    Warns
    -----
    AssumptionWarning
        If something about the content was assumed; the message says what, and which option says otherwise.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dendrometry import read
    >>> path = pathlib.Path(tempfile.mkdtemp(), "animals.nwk")
    >>> _ = path.write_text("((ape,cat),owl);")
    >>> read(path)
    Hierarchy(3 items 'ape' to 'owl', 5 nodes, no heights)
    """
    choice = TableChoice(item, path_column, sep, levels, missing, repeats, noise)
    lengths = LengthChoice(exact_heights, missing_lengths)
    found = reading(path, format, tree, parents, max_bytes, choice, lengths)
    warn_assumed(found.notes)
    return found.tree


def reading(
    path: FilePath,
    format: FormatName | None = None,
    tree: int | str | None = None,
    parents: ParentChoice = "error",
    max_bytes: int | None = None,
    choice: TableChoice = TableChoice(),  # noqa: B008  # it is frozen
    lengths: LengthChoice = LengthChoice(),  # noqa: B008  # it is frozen
) -> Reading:
    """Return the tree in a file as `read` does, what was assumed about it, and how it was read."""
    one_of(parents, "parents", get_args(ParentChoice))
    options = _read_options(max_bytes, checked_choice(choice), lengths)
    name, data, decode = contents_and_decoder(path, format, max_bytes)
    try:
        if tree is not None and not holds_trees(decode):
            raise InvalidInputError(f"tree is for files that can hold several; got {printable(tree)}")
        found = decode(data, options._replace(tree=tree, parents=parents, file=name))
    except DendrometryError as error:
        raise type(error)(f"{printable(name, longest=4096)}: ", *error.args) from None
    account = found.account or account_of("tree", found.tree)
    return Reading(found.tree, [(f"{printable(name, longest=4096)}: ", *note) for note in found.notes], account)


def read_many(
    path: FilePath,
    *,
    format: FormatName | None = None,
    path_columns: Sequence[str] | None = None,
    exact_heights: bool = False,
    missing_lengths: MissingLengths = "error",
    max_bytes: int | None = None,
) -> dict[str, Hierarchy]:
    """Return all trees in a file by name: of Nexus or Newick, R, Excel, or the only one of another format.

    Trees of a Newick file, and trees without a name or with one that another has, are called by their number from 1.

    Parameters
    ----------
    path, format, exact_heights, missing_lengths, max_bytes
        As for `read`.
    path_columns : sequence of str, optional
        Columns of one table, each with the path of every item in another tree, such as ``["old", "new"]``: the trees
        are called as they are. A row without a path in a column is left out of that tree.

    Raises
    ------
    InvalidInputError, FormatError
        As for `read`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dendrometry import pairwise_matrix, read_many
    >>> path = pathlib.Path(tempfile.mkdtemp(), "runs.nwk")
    >>> _ = path.write_text("((ape,cat),owl); (ape,(cat,owl));")
    >>> trees = read_many(path)
    >>> list(trees)
    ['1', '2']
    """
    lengths = LengthChoice(exact_heights, missing_lengths)
    if path_columns is not None:
        found = read_paths(path, path_columns, format, max_bytes, TableChoice(), lengths)
        warn_assumed(advise_function(note, "read", _OF_MANY) for each in found.values() for note in each.notes)
        return {key: each.tree for key, each in found.items()}
    options = _read_options(max_bytes, TableChoice(), lengths)
    name, data, decode = contents_and_decoder(path, format, max_bytes)
    try:
        readings = decode_all(decode, data, options._replace(file=name))
        if not readings:
            raise FormatError("the file must hold a tree; got none")
    except DendrometryError as error:
        parts = advise_function(error.args, "read", _OF_MANY)
        raise type(error)(f"{printable(name, longest=4096)}: ", *parts) from None
    notes = dict.fromkeys(advise_function(note, "read", _OF_MANY) for each in readings.values() for note in each.notes)
    warn_assumed((f"{printable(name, longest=4096)}: ", *note) for note in notes)
    return {key: reading.tree for key, reading in readings.items()}


def read_paths(
    path: FilePath,
    path_columns: Sequence[str],
    format: FormatName | None,
    max_bytes: int | None,
    choice: TableChoice,
    lengths: LengthChoice,
) -> dict[str, Reading]:
    """Return the trees of several columns of paths in one table, by the names of the columns."""
    given: object = path_columns
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise InvalidInputError(f"path_columns must be a sequence of names of columns; got {printable(given)}")
    if len(set(given)) < max(len(given), 2):
        raise InvalidInputError(f"path_columns must be two or more columns, each once; got {printable(given)}")
    both = choice._replace(levels=tuple(given), some_paths=True)
    return {
        name: reading(path, format, None, "error", max_bytes, both._replace(path_column=name), lengths)
        for name in given
    }


def _read_options(max_bytes: int | None, choice: TableChoice, lengths: LengthChoice) -> ReadOptions:
    """Return what the caller said, with a limit on unpacked bytes."""
    most = _most_unpacked(max_bytes)
    flag(lengths.exact_heights, "exact_heights")
    one_of(lengths.missing_lengths, "missing_lengths", get_args(MissingLengths))
    return ReadOptions(most, choice, lengths)


def _most_unpacked(max_bytes: int | None) -> int:
    """Return the limit on unpacked bytes."""
    given = None if max_bytes is None else whole_number(max_bytes, "max_bytes", 1)
    return max(min(_MAX_BYTES, _memory.available() // _MEMORY_SHARE), 1) if given is None else given


def contents_and_decoder(path: FilePath, format: FormatName | None, max_bytes: int | None) -> tuple[str, bytes, Decode]:
    """Return the name of a file, its unpacked bytes, and what decodes them, by the name or else by the content."""
    name = name_of(path)
    pair = pair_of_tables(name) if format is None else None
    if pair is not None:
        from dendrometry.io.formats.tables import read_pair

        return name, b"", lambda _, options: read_pair(pair, options.max_bytes)
    if format is None and os.path.basename(name) in ("nodes.dmp", "names.dmp"):
        return name, b"", lambda _, options: _read_taxdump(os.path.dirname(name), max_bytes)
    if format is None and name.lower().endswith(".h5ad"):
        return name, b"", decoder_of(name, b"", None)  # most of such a file is not read
    chosen = format_of(name, format)[0] if format is not None or name == "-" or tells_format(name) else None
    data = unpacked_contents(name, max_bytes)
    return name, data, decoder_of(name, data, chosen)


def unpacked_contents(name: str, max_bytes: int | None) -> bytes:
    """Return the bytes of a file, decompressed if its name ends in .gz."""
    if not name.lower().endswith(".gz"):
        return contents_of(name, max_bytes)
    data = contents_of(name, None)
    try:
        return unpack(data, _most_unpacked(max_bytes))
    except DendrometryError as error:
        raise type(error)(f"{printable(name, longest=4096)}: ", *error.args) from None


def _read_taxdump(folder: str, max_bytes: int | None) -> Reading:
    """Return the taxonomy of NCBI in a folder; without names.dmp, its taxa have no names."""
    from dendrometry.io.taxonomies.ncbi import from_ncbi

    nodes, names = (os.path.join(folder, file) for file in ("nodes.dmp", "names.dmp"))
    called = text_of(contents_of(names, max_bytes)) if os.path.exists(names) else None
    unnamed: Message = ("there is no names.dmp beside nodes.dmp; taxa have no names",)
    return Reading(from_ncbi(text_of(contents_of(nodes, max_bytes)), called), [unnamed] if called is None else [])


def write(tree: Hierarchy, path: FilePath, *, format: FormatName | None = None, force: bool = False) -> None:
    """Write a hierarchy to a file, in the format given by the suffix of its name.

    The file is written completely or not at all: a temporary file in the same folder is written, then renamed.

    Parameters
    ----------
    tree : Hierarchy
        The tree.
    path : str or path
        The file, or ``"-"`` for standard output, which needs ``format``. The suffixes are those of `read`;
        ``x.nodes.parquet`` and ``x.items.parquet`` are written together.
    format : {"newick", "nexus", "json", "csv", "tsv", "parquet", "npy"}, optional
        The format, if the suffix does not determine it; overrides the suffix.
    force : bool
        Whether to replace an existing file.

    Raises
    ------
    InvalidInputError
        If the file exists and ``force`` is False, cannot be written, or its format is unknown.
    InvalidTreeError
        If the format cannot hold the tree.

    Warns
    -----
    LostMeaningWarning
        If the format cannot hold heights (tables) or item names (.npy).

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dendrometry import from_newick, read, write
    >>> tree = from_newick("((ape,cat),owl);")
    >>> path = pathlib.Path(tempfile.mkdtemp(), "animals.json.gz")
    >>> write(tree, path)
    >>> read(path) == tree
    True
    """
    require_hierarchy(tree)
    name = name_of(path)
    pair = pair_of_tables(name) if format is None else None
    if pair is not None:
        from dendrometry.io.formats.tables import pair_bytes

        write_together(pair_bytes(tree, pair), force=force)
        return
    chosen, compressed = format_of(name, format)
    data = chosen.encode(tree)
    if compressed:
        data = gzip.compress(data, mtime=0)
    if name == "-":
        write_standard_output(data)
        return
    write_whole(name, data, force=force)
