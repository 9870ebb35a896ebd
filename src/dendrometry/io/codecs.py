"""The formats of files: how each is decoded and encoded, and how the name or the content of a file tells its format.

A decoder or encoder loads the module of its format when it is called, so that a file loads its own format only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import NamedTuple

from dendrometry._check.choices import one_of
from dendrometry._display import printable
from dendrometry.errors import Argument, FormatError, InvalidInputError, Remedy
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.format_names import ENDINGS, READ_ENDINGS, FormatName, read_only_format
from dendrometry.io._shared.options import ReadOptions, TableChoice
from dendrometry.io._shared.requirements import Reading, warn_lost

Decode = Callable[[bytes, ReadOptions], Reading]
DecodeAll = Callable[[bytes, ReadOptions], dict[str, Reading]]
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
        zipped = data.startswith(b"\x1f\x8b")
        looks = " (it looks like UTF-16)" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ""
        way = "it looks like gzip: the name must end in .gz" if zipped else "a spreadsheet saves it so as CSV UTF-8"
        raise FormatError(
            f"the text must be UTF-8; byte {error.start} is {data[error.start]:#04x}{looks}", Remedy("", ..., way)
        ) from None


def _read_trees(data: bytes, options: ReadOptions) -> Reading:
    """Return one tree of a Nexus or Newick text, which its content tells apart."""
    from dendrometry.io.formats.newick import read_newick
    from dendrometry.io.formats.nexus import choose_tree, is_nexus, read_tree_text, tree_texts

    text = text_of(data)
    if options.tree is None and not is_nexus(text) and text.count(";") < 2:
        return read_newick(text, options.lengths)
    return read_tree_text(text, choose_tree(tree_texts(text), options.tree), options.lengths)


def _read_all_trees(data: bytes, options: ReadOptions) -> dict[str, Reading]:
    """Return all trees of a Nexus or Newick text, by their names if these tell them apart, else by number from 1."""
    from dendrometry.io.formats.nexus import read_tree_text, tree_texts

    text = text_of(data)
    trees = tree_texts(text)
    names = [each.name for each in trees]
    keys = names if len(set(names)) == len(names) and all(names) else [str(i) for i in range(1, len(names) + 1)]
    return {key: read_tree_text(text, each, options.lengths) for key, each in zip(keys, trees, strict=True)}


def _write_newick(tree: Hierarchy) -> bytes:
    """Return a hierarchy as a file of Newick."""
    from dendrometry.io.formats.newick import to_newick

    return (to_newick(tree) + "\n").encode()


def _write_nexus(tree: Hierarchy) -> bytes:
    """Return a hierarchy as a file of Nexus."""
    from dendrometry.io.formats.nexus import to_nexus

    return (to_nexus(tree) + "\n").encode()


def _read_json(data: bytes, options: ReadOptions) -> Reading:
    """Return the hierarchy of nested objects."""
    from dendrometry.io.formats.json import read_json

    return read_json(text_of(data), exact_heights=bool(options.lengths.exact_heights))


def _write_json(tree: Hierarchy) -> bytes:
    """Return a hierarchy as nested objects."""
    from dendrometry.io.formats.json import to_json

    return (to_json(tree) + "\n").encode()


def _read_delimited(delimiter: str) -> Decode:
    """Return the function that decodes tables with a delimiter."""

    def decode(data: bytes, options: ReadOptions) -> Reading:
        from dendrometry.io.formats.delimited import delimited_columns

        return _table(delimited_columns(text_of(data), delimiter), options)

    return decode


def _write_delimited(delimiter: str) -> Encode:
    """Return the function that encodes tables with a delimiter."""

    def encode(tree: Hierarchy) -> bytes:
        from dendrometry.io.formats.delimited import to_delimited

        return to_delimited(tree, delimiter).encode()

    return encode


def _read_parquet(data: bytes, options: ReadOptions) -> Reading:
    """Return the hierarchy of a Parquet file: of communities of GraphRAG if it has their columns, else of a table."""
    from dendrometry.io._shared.known_columns import GRAPHRAG_COLUMNS
    from dendrometry.io.formats.parquet import parquet_columns, text_columns
    from dendrometry.io.packages.graphrag import from_graphrag

    if all(name.encode() in data for name in GRAPHRAG_COLUMNS):
        columns = parquet_columns(data, (*GRAPHRAG_COLUMNS, "title"), options.max_bytes)
        if columns.keys() >= GRAPHRAG_COLUMNS:
            return Reading(from_graphrag(columns), [])
    return _table(text_columns(data, options.max_bytes, options.choice), options)


def _write_parquet(tree: Hierarchy) -> bytes:
    """Return a hierarchy as a Parquet file."""
    from dendrometry.io.formats.parquet import to_parquet

    return to_parquet(tree)


def _table(columns: dict[str, list[str]], options: ReadOptions) -> Reading:
    """Return the hierarchy of the columns of a file: by their names unless the caller said how to take them."""
    from dendrometry.io.formats.columns import from_columns
    from dendrometry.io.formats.layers import from_hiercc, has_thresholds
    from dendrometry.io.known_tables import known_table

    if options.choice == TableChoice():
        reader = from_hiercc if has_thresholds(columns) else known_table(columns)
        if reader is not None:
            return Reading(reader(columns), [])
    return from_columns(columns, options.choice)


def _read_linkage(data: bytes, _: ReadOptions) -> Reading:
    """Return the hierarchy of the bytes of a .npy file, a linkage."""
    from dendrometry.io._shared.npy import array_of_bytes
    from dendrometry.io.formats.linkage import from_linkage

    return Reading(from_linkage(array_of_bytes(data)), [])


def _write_linkage(tree: Hierarchy) -> bytes:
    """Return the linkage of a hierarchy as the bytes of a .npy file, which cannot hold names."""
    from dendrometry.io._shared.npy import array_bytes
    from dendrometry.io.formats.linkage import to_linkage

    if tree.items != tuple(map(str, range(tree.n_items))):
        warn_lost(".npy cannot hold item names; they are left out")
    return array_bytes(to_linkage(tree))


def _read_products(data: bytes, _: ReadOptions) -> Reading:
    """Return the tree of a product taxonomy of Google or Shopify."""
    from dendrometry.io.taxonomies.products import from_product_taxonomy

    return Reading(from_product_taxonomy(text_of(data)), [])


def _read_infomap(data: bytes, _: ReadOptions) -> Reading:
    """Return the tree of modules of Infomap."""
    from dendrometry.io.packages.infomap import from_infomap

    return Reading(from_infomap(text_of(data)), [])


def _read_obo(data: bytes, options: ReadOptions) -> Reading:
    """Return the tree of an ontology."""
    from dendrometry.io.taxonomies.obo import from_obo

    return Reading(from_obo(text_of(data), parents=options.parents), [])


def _read_lineages(data: bytes, options: ReadOptions) -> Reading:
    """Return the tree of lineages, of QIIME or GTDB."""
    from dendrometry.io.taxonomies.lineages import read_lineages

    return read_lineages(text_of(data), options.choice.missing)


def _read_skos(data: bytes, options: ReadOptions) -> Reading:
    """Return the tree of a thesaurus."""
    from dendrometry.io.taxonomies.skos import from_skos

    return Reading(from_skos(text_of(data), parents=options.parents), [])


def _read_dput(data: bytes, options: ReadOptions) -> Reading:
    """Return the tree of an object of R, written as text."""
    from dendrometry.io.formats.hclust_dput import read_dput

    return read_dput(text_of(data), exact_heights=bool(options.lengths.exact_heights))


def _read_r(data: bytes, options: ReadOptions) -> Reading:
    """Return the tree of an object of R."""
    from dendrometry.io.formats.r_data import read_r_object

    return read_r_object(data, options, _table)


def _read_all_of_r(data: bytes, options: ReadOptions) -> dict[str, Reading]:
    """Return the trees of all objects of a file of R."""
    from dendrometry.io.formats.r_data import read_r_objects

    return read_r_objects(data, options, _table)


def _read_xlsx(data: bytes, options: ReadOptions) -> Reading:
    """Return the tree of a sheet of Excel."""
    from dendrometry.io.formats.xlsx import read_sheet

    return read_sheet(data, options, _table)


def _read_all_sheets(data: bytes, options: ReadOptions) -> dict[str, Reading]:
    """Return the trees of all sheets of Excel."""
    from dendrometry.io.formats.xlsx import read_sheets

    return read_sheets(data, options, _table)


def _read_h5ad(data: bytes, options: ReadOptions) -> Reading:
    """Return a tree of AnnData."""
    from dendrometry.io.packages.h5ad import read_h5ad

    return read_h5ad(data, options)


def _read_graphrag(data: bytes, _: ReadOptions) -> Reading:
    """Return the tree of communities of GraphRAG in JSON."""
    from dendrometry.io.packages.graphrag import columns_of_records, from_graphrag

    return Reading(from_graphrag(columns_of_records(text_of(data))), [])


_CODECS: dict[FormatName, tuple[Decode, Encode]] = {
    "newick": (_read_trees, _write_newick),
    "nexus": (_read_trees, _write_nexus),
    "json": (_read_json, _write_json),
    "csv": (_read_delimited(","), _write_delimited(",")),
    "tsv": (_read_delimited("\t"), _write_delimited("\t")),
    "parquet": (_read_parquet, _write_parquet),
    "npy": (_read_linkage, _write_linkage),
}
_UNREADABLE = {  # what to do about files that no format here reads
    ".xls": "Excel saves it as .xlsx, which is read",
}
READ_ONLY: dict[str, Decode] = {"r": _read_r, "xlsx": _read_xlsx, "h5ad": _read_h5ad}
# Decoders of files that may hold several trees, of which the option tree chooses one, with what decodes all of them.
_SEVERAL: dict[Decode, DecodeAll | None] = {
    _read_trees: _read_all_trees,
    _read_r: _read_all_of_r,
    _read_xlsx: _read_all_sheets,
    _read_h5ad: None,
}
FORMATS: dict[str, Format] = {name: Format(endings, *_CODECS[name]) for name, endings in ENDINGS.items()}


class Published(NamedTuple):
    """A format that is only read: what it is, its start, the endings that do not speak against it, its decoder."""

    what: str
    start: re.Pattern[bytes]
    endings: tuple[FormatName, ...]
    decode: Decode


_HEAD = 2**16  # bytes that tell what a file holds
_PUBLISHED = (
    Published(
        "a product taxonomy",
        re.compile(rb"\s*+# (Google_Product_Taxonomy|Shopify Product Taxonomy)"),
        ("newick",),
        _read_products,
    ),
    Published(
        "modules of Infomap",
        re.compile(rb"(?:\s*+#(?! path flow name)[^\n]*+\n)*+\s*+# path flow name"),
        ("newick",),
        _read_infomap,
    ),
    Published("an ontology (OBO)", re.compile(rb"\s*+format-version:"), ("newick",), _read_obo),
    Published(
        "lineages of QIIME 2 or GTDB",
        re.compile(
            rb"(Feature ID\tTaxon|user_genome\tclassification)[\t\r\n]"
            rb"|[^\t\n]++\t[dk]__(?:[^\t\n;]++|;(?! ?p__))*+; ?p__"
        ),
        ("tsv",),
        _read_lineages,
    ),
    Published("a table of HierCC", re.compile(rb"#?[\w ]++\tHC\d[^\t\n]*+\tHC\d"), ("tsv",), FORMATS["tsv"].decode),
    Published(
        "a thesaurus (SKOS)", re.compile(rb"[^\x00]{,60000}http://www\.w3\.org/2004/02/skos/core#"), (), _read_skos
    ),
    Published("an object of R, by dput", re.compile(rb"\s*+(\w++ <-\s*+)?structure\(list\("), (), _read_dput),
    Published(
        "communities of GraphRAG", re.compile(rb'\s*+\[\s*+\{[^\x00]{,60000}"entity_ids"'), ("json",), _read_graphrag
    ),
)


def holds_trees(decode: Decode) -> bool:
    """Whether files with this decoder may hold several trees."""
    return decode in _SEVERAL


def decode_all(decode: Decode, data: bytes, options: ReadOptions) -> dict[str, Reading]:
    """Return all trees of a file by name; the only one of most formats is called "1"."""
    every = _SEVERAL.get(decode)
    return {"1": decode(data, options)} if every is None else every(data, options)


def decoder_of(name: str, data: bytes, chosen: Format | None) -> Decode:
    """Return what decodes the bytes of a file: by its content, where that tells, else by the format chosen."""
    only_read = read_only_format(name) if chosen is None else None
    if only_read is not None:
        return READ_ONLY[only_read]
    head = data[:_HEAD].removeprefix(b"\xef\xbb\xbf")
    for published in _PUBLISHED:
        fits = chosen is None or any(chosen is FORMATS[ending] for ending in published.endings)
        if fits and published.start.match(head):
            return published.decode
    if chosen is None:
        found = format_within(data)
        chosen = FORMATS[found] if found is not None else format_of(name, None)[0]
    return chosen.decode


_WORDS: dict[str, str] = {
    "newick": "trees (Newick or Nexus)",
    "nexus": "trees (Nexus)",
    "json": "a tree (JSON)",
    "csv": "a table (CSV)",
    "tsv": "a table (TSV)",
    "parquet": "a table (Parquet)",
    "npy": "a linkage matrix of SciPy (.npy)",
    "r": "objects of R",
    "xlsx": "a workbook of Excel",
    "h5ad": "data of AnnData",
}


def words_for(decode: Decode) -> str:
    """Return what the files of a decoder are, in words."""
    for published in _PUBLISHED:
        if published.decode is decode and decode not in {format_.decode for format_ in FORMATS.values()}:
            return published.what
    decoders = {name: format_.decode for name, format_ in FORMATS.items()} | READ_ONLY
    return next((_WORDS[name] for name, one in decoders.items() if one is decode), "a tree")


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
    known = ", ".join(suffix for endings in (*ENDINGS.values(), *READ_ENDINGS.values()) for suffix in endings)
    hint = f" ({_UNREADABLE[suffix]})" if suffix in _UNREADABLE else ""
    raise InvalidInputError(
        f"the name must end in one of {known}, optionally with .gz; got {printable(name, longest=4096)}{hint}",
        Remedy("format", ..., "names the format"),
    )
