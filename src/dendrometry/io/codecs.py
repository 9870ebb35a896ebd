"""The formats of files: how each is decoded and encoded, and how the name or the content of a file tells its format."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import NamedTuple

from dendrometry._check.choices import one_of
from dendrometry._display import printable
from dendrometry.errors import Argument, FormatError, InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.format_names import ENDINGS, FormatName
from dendrometry.io._shared.npy import array_bytes, array_of_bytes
from dendrometry.io._shared.requirements import Reading, warn_lost
from dendrometry.io._shared.second_parents import ParentChoice
from dendrometry.io.formats.columns import from_columns
from dendrometry.io.formats.delimited import delimited_columns, to_delimited
from dendrometry.io.formats.hclust_dput import read_dput
from dendrometry.io.formats.json import read_json, to_json
from dendrometry.io.formats.layers import from_hiercc, has_thresholds
from dendrometry.io.formats.levels import TableChoice
from dendrometry.io.formats.linkage import from_linkage, to_linkage
from dendrometry.io.formats.newick import LengthChoice, read_newick, to_newick
from dendrometry.io.formats.nexus import choose_tree, is_nexus, read_tree_text, to_nexus, tree_texts
from dendrometry.io.formats.parquet import parquet_columns, text_columns, to_parquet
from dendrometry.io.known_tables import known_table
from dendrometry.io.packages.graphrag import GRAPHRAG_COLUMNS, columns_of_records, from_graphrag
from dendrometry.io.packages.infomap import from_infomap
from dendrometry.io.taxonomies.lineages import read_lineages
from dendrometry.io.taxonomies.obo import from_obo
from dendrometry.io.taxonomies.products import from_product_taxonomy
from dendrometry.io.taxonomies.skos import from_skos


class ReadOptions(NamedTuple):
    """What the caller of `read` said about the content of a file."""

    max_bytes: int
    choice: TableChoice
    lengths: LengthChoice
    parents: ParentChoice = "error"
    tree: int | str | None = None


Decode = Callable[[bytes, ReadOptions], Reading]
Encode = Callable[[Hierarchy], bytes]


class Format(NamedTuple):
    """A file format: the suffixes of its files, and the functions that decode and encode a hierarchy."""

    suffixes: tuple[str, ...]
    decode: Decode
    encode: Encode


def text_of(data: bytes) -> str:
    """Return UTF-8 bytes, with or without a byte order mark, as text."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        looks = " (it looks like gzip: the name must end in .gz)" if data.startswith(b"\x1f\x8b") else ""
        looks = " (it looks like UTF-16)" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else looks
        raise FormatError(f"the text must be UTF-8; byte {error.start} is {data[error.start]:#04x}{looks}") from None


def _one_tree(text: str, options: ReadOptions) -> Reading:
    """Return one tree of a Nexus or Newick text, which its content tells apart."""
    if options.tree is None and not is_nexus(text) and text.count(";") < 2:
        return read_newick(text, options.lengths)
    return read_tree_text(text, choose_tree(tree_texts(text), options.tree), options.lengths)


def _linkage_bytes(tree: Hierarchy) -> bytes:
    """Return the linkage of a hierarchy as the bytes of a .npy file, which cannot hold names."""
    if tree.items != tuple(map(str, range(tree.n_items))):
        warn_lost(".npy cannot hold item names; they are left out")
    return array_bytes(to_linkage(tree))


def _delimited(delimiter: str) -> tuple[Decode, Encode]:
    """Return the functions that decode and encode the tables with a delimiter."""
    return (
        lambda data, options: _table(delimited_columns(text_of(data), delimiter), options),
        lambda tree: to_delimited(tree, delimiter).encode(),
    )


def _parquet(data: bytes, options: ReadOptions) -> Reading:
    """Return the hierarchy of a Parquet file: of communities of GraphRAG if it has their columns, else of a table."""
    if all(name.encode() in data for name in GRAPHRAG_COLUMNS):
        columns = parquet_columns(data, (*GRAPHRAG_COLUMNS, "title"), options.max_bytes)
        if columns.keys() >= GRAPHRAG_COLUMNS:
            return Reading(from_graphrag(columns), [])
    return _table(text_columns(data, options.max_bytes), options)


def _table(columns: dict[str, list[str]], options: ReadOptions) -> Reading:
    """Return the hierarchy of the columns of a file: by their names unless the caller said how to take them."""
    if options.choice == TableChoice():
        reader = from_hiercc if has_thresholds(columns) else known_table(columns)
        if reader is not None:
            return Reading(reader(columns), [])
    return from_columns(columns, options.choice)


_CODECS: dict[FormatName, tuple[Decode, Encode]] = {
    "newick": (lambda data, options: _one_tree(text_of(data), options), lambda tree: (to_newick(tree) + "\n").encode()),
    "nexus": (lambda data, options: _one_tree(text_of(data), options), lambda tree: (to_nexus(tree) + "\n").encode()),
    "json": (
        lambda data, options: read_json(text_of(data), exact_heights=bool(options.lengths.exact_heights)),
        lambda tree: (to_json(tree) + "\n").encode(),
    ),
    "csv": _delimited(","),
    "tsv": _delimited("\t"),
    "parquet": (_parquet, to_parquet),
    "npy": (lambda data, _: Reading(from_linkage(array_of_bytes(data)), []), _linkage_bytes),
}
_UNREADABLE = {  # what to do about files that no format here reads
    ".h5ad": "anndata reads it, and from_anndata takes the result",
    ".rds": "in R, dput writes the tree as text, which is read",
}
FORMATS: dict[str, Format] = {name: Format(endings, *_CODECS[name]) for name, endings in ENDINGS.items()}


class Published(NamedTuple):
    """A format that is only read: what its files start with, the endings that do not speak against it, its decoder."""

    start: re.Pattern[bytes]
    endings: tuple[FormatName, ...]
    decode: Decode


_HEAD = 2**16  # bytes that tell what a file holds
_PUBLISHED = (
    Published(
        re.compile(rb"\s*+# (Google_Product_Taxonomy|Shopify Product Taxonomy)"),
        ("newick",),
        lambda data, _: Reading(from_product_taxonomy(text_of(data)), []),
    ),
    Published(
        re.compile(rb"(?:\s*+#(?! path flow name)[^\n]*+\n)*+\s*+# path flow name"),
        ("newick",),
        lambda data, _: Reading(from_infomap(text_of(data)), []),
    ),
    Published(
        re.compile(rb"\s*+format-version:"),
        ("newick",),
        lambda data, options: Reading(from_obo(text_of(data), parents=options.parents), []),
    ),
    Published(
        re.compile(
            rb"(Feature ID\tTaxon|user_genome\tclassification)[\t\r\n]|[^\t\n]++\td__(?:[^\t\n;]++|;(?!p__))*+;p__"
        ),
        ("tsv",),
        lambda data, options: read_lineages(text_of(data), options.choice.missing),
    ),
    Published(
        re.compile(rb"#?[\w ]++\tHC\d[^\t\n]*+\tHC\d"),
        ("tsv",),
        FORMATS["tsv"].decode,
    ),
    Published(
        re.compile(rb"[^\x00]{,60000}http://www\.w3\.org/2004/02/skos/core#"),
        (),
        lambda data, options: Reading(from_skos(text_of(data), parents=options.parents), []),
    ),
    Published(
        re.compile(rb"\s*+(\w++ <-\s*+)?structure\(list\("),
        (),
        lambda data, options: read_dput(text_of(data), exact_heights=bool(options.lengths.exact_heights)),
    ),
    Published(
        re.compile(rb'\s*+\[\s*+\{[^\x00]{,60000}"entity_ids"'),
        ("json",),
        lambda data, _: Reading(from_graphrag(columns_of_records(text_of(data))), []),
    ),
)


def holds_trees(decode: Decode) -> bool:
    """Whether files with this decoder may hold several trees."""
    return decode in (FORMATS["newick"].decode, FORMATS["nexus"].decode)


def kind_of(decode: Decode) -> str:
    """Return what messages call the content of files with this decoder."""
    return next((name for name, form in FORMATS.items() if form.decode is decode), "tree")


def decoder_of(name: str, data: bytes, chosen: Format | None) -> Decode:
    """Return what decodes the bytes of a file: by its content, where that tells, else by the format chosen."""
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    for published in _PUBLISHED:
        fits = chosen is None or any(chosen is FORMATS[ending] for ending in published.endings)
        if fits and published.start.match(head):
            return published.decode
    if chosen is None:
        found = format_within(data)
        chosen = FORMATS[found] if found is not None else format_of(name, None)[0]
    return chosen.decode


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
        raise InvalidInputError(
            Argument("format"), f" must be given for standard input and output; one of {', '.join(FORMATS)}"
        )
    known = ", ".join(suffix for format_ in FORMATS.values() for suffix in format_.suffixes)
    hint = f" ({_UNREADABLE[suffix]})" if suffix in _UNREADABLE else ""
    raise InvalidInputError(
        f"the name must end in one of {known}, optionally with .gz; got {printable(name, longest=4096)}{hint}",
        Remedy("format", ..., "names the format"),
    )
