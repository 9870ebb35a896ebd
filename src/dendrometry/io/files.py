"""Files: the name determines the format, input is not trusted, output is written completely or not at all."""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Callable
from typing import BinaryIO, NamedTuple

from dendrometry import _memory
from dendrometry._check.choices import one_of
from dendrometry._check.numbers import whole_number
from dendrometry._display import printable
from dendrometry._files import FilePath, name_of, standard_input, write_standard_output, write_whole
from dendrometry._flags import flag
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError
from dendrometry.hierarchy import Hierarchy, require_hierarchy
from dendrometry.io.formats import ENDINGS, FormatName, tells_format
from dendrometry.io.linkage import from_linkage, to_linkage
from dendrometry.io.nested.json import read_json, to_json
from dendrometry.io.nested.newick import LengthChoice, MissingLengths, read_newick, to_newick
from dendrometry.io.nested.nexus import choose_tree, is_nexus, read_tree_text, to_nexus, tree_texts
from dendrometry.io.npy import array_bytes, array_of_bytes
from dendrometry.io.requirements import Reading, warn_assumed, warn_lost
from dendrometry.io.tables.delimited import from_delimited, to_delimited
from dendrometry.io.tables.levels import TableChoice
from dendrometry.io.tables.parquet import from_parquet, to_parquet
from dendrometry.io.tables.taxonomies import from_infomap, from_obo, from_product_taxonomy

__all__ = ["FORMATS", "Format", "format_of", "format_within", "read", "read_many", "write"]

_MAX_BYTES = 4 * 2**30
_MEMORY_SHARE = 16  # the default cap on unpacked bytes is this part of the memory there is, or _MAX_BYTES
_CHUNK = 2**20


class _Options(NamedTuple):
    """What the caller of `read` said about the content of a file."""

    max_bytes: int
    choice: TableChoice
    lengths: LengthChoice
    tree: int | str | None


Decode = Callable[[bytes, _Options], Reading]
Encode = Callable[[Hierarchy], bytes]


class Format(NamedTuple):
    """A file format: the suffixes of its files, and the functions that decode and encode a hierarchy."""

    suffixes: tuple[str, ...]
    decode: Decode
    encode: Encode


def _text(data: bytes) -> str:
    """Return UTF-8 bytes, with or without a byte order mark, as text."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        looks = " (it looks like gzip: the name must end in .gz)" if data.startswith(b"\x1f\x8b") else ""
        looks = " (it looks like UTF-16)" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else looks
        raise FormatError(f"the text must be UTF-8; byte {error.start} is {data[error.start]:#04x}{looks}") from None


def _one_tree(text: str, said: _Options) -> Reading:
    """Return one tree of a Nexus or Newick text, which its content tells apart."""
    if said.tree is None and not is_nexus(text) and text.count(";") < 2:
        return read_newick(text, said.lengths)
    return read_tree_text(text, choose_tree(tree_texts(text), said.tree), said.lengths)


def _published(read_text: Callable[[str], Hierarchy], data: bytes) -> Reading:
    """Return the hierarchy of a taxonomy."""
    return Reading(read_text(_text(data)), [])


def _linkage_bytes(tree: Hierarchy) -> bytes:
    """Return the linkage of a hierarchy as the bytes of a .npy file, which cannot hold names."""
    if tree.items != tuple(map(str, range(tree.n_items))):
        warn_lost(".npy cannot hold item names; they are left out")
    return array_bytes(to_linkage(tree))


def _delimited(delimiter: str) -> tuple[Decode, Encode]:
    """Return the functions that decode and encode the tables with a delimiter."""
    return (
        lambda data, said: from_delimited(_text(data), delimiter, said.choice),
        lambda tree: to_delimited(tree, delimiter).encode(),
    )


_CODECS: dict[FormatName, tuple[Decode, Encode]] = {
    "newick": (lambda data, said: _one_tree(_text(data), said), lambda tree: (to_newick(tree) + "\n").encode()),
    "nexus": (lambda data, said: _one_tree(_text(data), said), lambda tree: (to_nexus(tree) + "\n").encode()),
    "json": (
        lambda data, said: read_json(_text(data), exact_heights=bool(said.lengths.exact_heights)),
        lambda tree: (to_json(tree) + "\n").encode(),
    ),
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "parquet": (lambda data, said: from_parquet(data, said.max_bytes, said.choice), to_parquet),
    "npy": (lambda data, _: Reading(from_linkage(array_of_bytes(data)), []), _linkage_bytes),
}
FORMATS: dict[str, Format] = {name: Format(endings, *_CODECS[name]) for name, endings in ENDINGS.items()}
_HEAD = 4096  # bytes that tell what a file holds
# Taxonomies that are only read, by what the files of their publishers start with.
_PUBLISHED: tuple[tuple[re.Pattern[bytes], Decode], ...] = (
    (
        re.compile(rb"\s*# (Google_Product_Taxonomy|Shopify Product Taxonomy)"),
        lambda data, _: _published(from_product_taxonomy, data),
    ),
    (re.compile(rb"(\s*#[^\n]*\n)*\s*# path flow name"), lambda data, _: _published(from_infomap, data)),
    (re.compile(rb"\s*format-version:"), lambda data, _: _published(from_obo, data)),
)
_OF_TREES = (FORMATS["newick"].decode, FORMATS["nexus"].decode)


def read(
    path: FilePath,
    *,
    format: FormatName | None = None,
    path_column: str | None = None,
    sep: str | None = None,
    tree: int | str | None = None,
    exact_heights: bool = False,
    missing_lengths: MissingLengths = "error",
    max_bytes: int | None = None,
) -> Hierarchy:
    """Return the hierarchy in a file.

    Parameters
    ----------
    path : str or path
        The file, or ``"-"`` for standard input, which needs ``format``. The suffix determines the format: ``.nwk``,
        ``.newick``, ``.tree``, ``.tre``, ``.treefile``, ``.nhx`` (Newick), ``.nex``, ``.nexus`` (Nexus), ``.json``
        (nested name and children), ``.csv``, ``.tsv``, ``.parquet`` (items with a path, levels or a label, see
        `from_levels`), ``.npy`` (SciPy linkage). A further ``.gz`` means compressed. Nexus is known by its first word
        in any file of trees, and a file with another suffix by its content, unless that is a table.
    format : {"newick", "nexus", "json", "csv", "tsv", "parquet", "npy"}, optional
        The format, if the suffix does not determine it; overrides the suffix.
    tree : int or str, optional
        Which tree of a file of several (Newick, Nexus), by number from 1 or by name. `read_many` returns all.
    path_column, sep : str, optional
        For tables: the column of paths and their separator, as for `from_levels`, which takes columns by the same
        rules. By default they are found.
    exact_heights : bool
        For lengths of branches: whether to take all their digits as exact, see `from_newick`.
    missing_lengths : {"error", "zero", "no_heights"}
        For lengths of branches of which some are missing, see `from_newick`.
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
    said = _said(max_bytes, TableChoice(path_column=path_column, sep=sep), LengthChoice(exact_heights, missing_lengths))
    name, data, decode = _contents_and_decoder(path, format, max_bytes, said)
    try:
        if tree is not None and decode not in _OF_TREES:
            raise InvalidInputError(f"tree is for files of Newick and Nexus trees; got {printable(tree)}")
        found, notes = decode(data, said._replace(tree=tree))
    except DendrometryError as error:
        raise type(error)(f"{printable(name, longest=4096)}: {error}") from None
    warn_assumed(f"{printable(name, longest=4096)}: {note}" for note in notes)
    return found


def read_many(
    path: FilePath,
    *,
    format: FormatName | None = None,
    exact_heights: bool = False,
    missing_lengths: MissingLengths = "error",
    max_bytes: int | None = None,
) -> dict[str, Hierarchy]:
    """Return all trees in a file by name: those of a Nexus or Newick file, or the only one of another format.

    Trees of a Newick file, and trees without a name or with one that another has, are called by their number from 1.

    Parameters
    ----------
    path, format, exact_heights, missing_lengths, max_bytes
        As for `read`.

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
    said = _said(max_bytes, TableChoice(), LengthChoice(exact_heights, missing_lengths))
    name, data, decode = _contents_and_decoder(path, format, max_bytes, said)
    try:
        if decode not in _OF_TREES:
            readings = {"1": decode(data, said)}
        else:
            text = _text(data)
            readings = {
                str(number): read_tree_text(text, each, said.lengths)
                for number, each in enumerate(tree_texts(text), start=1)
            }
            names = [each.name for each in tree_texts(text)]
            if len(set(names)) == len(names) and all(names):
                readings = dict(zip(names, readings.values(), strict=True))
        if not readings:
            raise FormatError("the file must hold a tree; got none")
    except DendrometryError as error:
        raise type(error)(f"{printable(name, longest=4096)}: {error}") from None
    notes = dict.fromkeys(note for reading in readings.values() for note in reading.notes)
    warn_assumed(f"{printable(name, longest=4096)}: {note}" for note in notes)
    return {key: reading.tree for key, reading in readings.items()}


def _said(max_bytes: int | None, choice: TableChoice, lengths: LengthChoice) -> _Options:
    """Return what the caller said, with a limit on unpacked bytes."""
    given = None if max_bytes is None else whole_number(max_bytes, "max_bytes", 1)
    most = max(min(_MAX_BYTES, _memory.available() // _MEMORY_SHARE), 1) if given is None else given
    flag(lengths.exact_heights, "exact_heights")
    return _Options(most, choice, lengths, None)


def _contents_and_decoder(
    path: FilePath, format: FormatName | None, max_bytes: int | None, said: _Options
) -> tuple[str, bytes, Decode]:
    """Return the name of a file, its unpacked bytes, and what decodes them, by the name or else by the content."""
    name = name_of(path)
    compressed = name.lower().endswith(".gz")
    chosen = format_of(name, format)[0] if format is not None or name == "-" or tells_format(name) else None
    data = _contents(name, None if compressed else max_bytes)
    if compressed:
        try:
            data = _unpack(data, said.max_bytes)
        except DendrometryError as error:
            raise type(error)(f"{printable(name, longest=4096)}: {error}") from None
    published = next((decode for mark, decode in _PUBLISHED if mark.match(data[:_HEAD])), None)
    if published is not None and (chosen is None or chosen is FORMATS["newick"]):
        return name, data, published
    if chosen is None:
        found = format_within(data)
        chosen = FORMATS[found] if found is not None else format_of(name, None)[0]
    return name, data, chosen.decode


def format_within(data: bytes) -> FormatName | None:
    """Return the format that the first bytes of a file tell beyond doubt, or None."""
    head = data[:256].removeprefix(b"\xef\xbb\xbf").lstrip()
    starts: dict[FormatName, tuple[bytes, ...]] = {
        "npy": (b"\x93NUMPY",),
        "parquet": (b"PAR1",),
        "nexus": (b"#NEXUS", b"#nexus", b"#Nexus"),
        "newick": (b"(",),
        "json": (b"{",),
    }
    return next((name for name, marks in starts.items() if head.startswith(marks)), None)


def write(tree: Hierarchy, path: FilePath, *, format: FormatName | None = None, force: bool = False) -> None:
    """Write a hierarchy to a file, in the format given by the suffix of its name.

    The file is written completely or not at all: a temporary file in the same folder is written, then renamed.

    Parameters
    ----------
    tree : Hierarchy
        The tree.
    path : str or path
        The file, or ``"-"`` for standard output, which needs ``format``. The suffixes are those of `read`.
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
    chosen, compressed = format_of(name, format)
    data = chosen.encode(tree)
    if compressed:
        data = gzip.compress(data, mtime=0)
    if name == "-":
        write_standard_output(data)
        return
    write_whole(name, data, force=force)


def format_of(name: str, wanted: str | None) -> tuple[Format, bool]:
    """Return the format of a file, and whether it is compressed."""
    compressed = name.lower().endswith(".gz")
    if wanted is not None:
        return FORMATS[one_of(wanted, "format", FORMATS)], compressed
    stem = name[:-3] if compressed else name
    suffix = os.path.splitext(stem)[1].lower()
    for format_ in FORMATS.values():
        if suffix in format_.suffixes:
            return format_, compressed
    if name == "-":
        raise InvalidInputError(f"format must be given for standard input and output; one of {', '.join(FORMATS)}")
    known = ", ".join(suffix for format_ in FORMATS.values() for suffix in format_.suffixes)
    raise InvalidInputError(
        f"the name must end in one of {known}, optionally with .gz, or format must be given;"
        f" got {printable(name, longest=4096)}"
    )


def _contents(name: str, max_bytes: int | None) -> bytes:
    """Return the bytes of a file, or of standard input, unless they are more than the limit or too many to be held."""
    half = _memory.available() // 2
    most = half if max_bytes is None else min(half, max_bytes)
    try:
        with standard_input() if name == "-" else open(name, "rb") as stream:
            data = _read_up_to(stream, most)
    except DendrometryError:
        raise
    except (OSError, ValueError) as error:
        raise InvalidInputError(
            f"cannot read {printable(name, longest=4096)}: {getattr(error, 'strerror', None) or error}"
        ) from None
    if data is None:
        limit = f"{most:,} bytes" if most == max_bytes else f"half of the memory there is, {most:,} bytes"
        see = " (see max_bytes)" if most == max_bytes else ""
        raise InvalidInputError(f"{printable(name, longest=4096)} must take at most {limit}; it holds more{see}")
    return data


def _unpack(data: bytes, max_bytes: int) -> bytes:
    """Return the decompressed content of a gzip file, refusing more than ``max_bytes``."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            unpacked = _read_up_to(stream, max_bytes)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"the file must be compressed by gzip; got {error}") from None
    if unpacked is None:
        raise FormatError(f"the file must unpack to at most {max_bytes:,} bytes; it holds more (see max_bytes)")
    return unpacked


def _read_up_to(stream: BinaryIO | gzip.GzipFile, most: int) -> bytes | None:
    """Return all that a stream holds, read in parts, or None as soon as that is more than ``most`` bytes."""
    data = io.BytesIO()
    while part := stream.read(min(_CHUNK, most + 1 - data.tell())):
        data.write(part)
    return data.getvalue() if data.tell() <= most else None
