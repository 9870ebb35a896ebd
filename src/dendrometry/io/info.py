"""What a file is, how it would be read, what could be wrong with that, and what to call."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dendrometry._check.names import is_missing
from dendrometry._display import plural, printable, quote_first
from dendrometry._files import FilePath, name_of
from dendrometry.errors import DendrometryError, InvalidInputError, Message, Part, Remedy, phrase
from dendrometry.hierarchy import Hierarchy
from dendrometry.io._shared.account import Account
from dendrometry.io._shared.column_kinds import (
    are_clusters,
    are_texts,
    groups,
    is_number,
    is_of_another_kind,
    nested_run,
)
from dendrometry.io._shared.contents import contents_of
from dendrometry.io._shared.options import LengthChoice, TableChoice
from dendrometry.io._shared.requirements import Reading
from dendrometry.io._shared.separators import find_separator
from dendrometry.io.codecs import FORMATS, text_of, words_for
from dendrometry.io.files import contents_and_decoder, reading

_OTHERS = {  # files that no format here is, by their first bytes
    b"\x89PNG": "an image (PNG)",
    b"\xff\xd8\xff": "an image (JPEG)",
    b"GIF8": "an image (GIF)",
    b"%PDF": "a document (PDF)",
    b"SQLite format 3": "a database (SQLite)",
    b"\x80\x02": "a pickle of Python, which is never read",
    b"\x80\x03": "a pickle of Python, which is never read",
    b"\x80\x04": "a pickle of Python, which is never read",
    b"\x80\x05": "a pickle of Python, which is never read",
    b"\x7fELF": "a program",
    b"\xd0\xcf\x11\xe0": "an old file of Office",
}
_STARTS = {  # what else a file may be that is not known by its name or content
    b"PK\x03\x04": "an archive (ZIP)",
    b"\x1f\x8b": "data compressed by gzip",
    b"BZh": "data compressed by bzip2",
    b"\xfd7zXZ": "data compressed by xz",
    b"\x89HDF": "an HDF5 file",
    b"<": "XML or HTML",
}
_MOST_COLUMNS = 100  # among which levels are looked for
_MOST_RUNS = 5  # of columns, that are tried as levels
_FEW_MEASURED = 2  # columns of fractions in a table that could be points, beside columns of text
_OPTIONS = (
    "format",
    "item",
    "path_column",
    "sep",
    "levels",
    "missing",
    "repeats",
    "noise",
    "tree",
    "exact_heights",
    "missing_lengths",
    "parents",
    "max_bytes",
)
_FRACTION = re.compile(r"[+-]?\d*+\.\d++", re.ASCII)
Words = Callable[[Part], str]


@dataclass(frozen=True, slots=True)
class FileInfo:
    """What a file is, and how it would be read; see `info`.

    Attributes
    ----------
    file : str
        The file.
    size : int or None
        Its bytes; None for what is not a file.
    what : str
        What it is, in words.
    tree : Hierarchy or None
        What is read; None if it is refused.
    account : Account or None
        How it is read.
    problem : tuple
        Why it is refused, the parts of a message; () if it is read.
    notes : tuple of tuple
        What is assumed, each as the parts of a message.
    doubts : tuple of str
        What could be wrong with what is read.
    options : tuple of dict
        Arguments of `read` with which it is read: those that were given if they are enough, else others, tried.
    points : tuple of str
        The columns of a table that is refused and could be points: those that hold numbers.
    building : tuple of str
        The options of the command ``cluster`` that builds a tree of these: which columns, or that they are distances.
    uses : tuple of (str, str)
        What else a table holds, two paths of each item, clusterings or texts, and the command for that.
    """

    file: str
    size: int | None
    what: str
    tree: Hierarchy | None
    account: Account | None
    problem: Message
    notes: tuple[Message, ...]
    doubts: tuple[str, ...]
    options: tuple[dict[str, Any], ...]
    points: tuple[str, ...] = ()
    building: tuple[str, ...] = ()
    uses: tuple[tuple[str, str], ...] = ()

    @property
    def readable(self) -> bool:
        """Whether the file is read as it is."""
        return self.tree is not None

    def __str__(self) -> str:
        return self.tell()

    def tell(self, words: Words = str) -> str:
        """Return everything in lines; ``words`` expresses a part of a message."""
        size = "" if self.size is None else f", {self.size:,} bytes"
        lines = [f"{printable(self.file, longest=4096)}: {self.what}{size}"]
        if self.tree is not None and self.account is not None:
            lines += [f"read as {self.account.tell()}", _describe(self.tree)]
        if self.problem:
            lines.append(f"not read: {phrase(self.problem, words)}")
        lines += [f"assumed: {phrase(note, words)}" for note in self.notes]
        lines += [f"check: {doubt}" for doubt in self.doubts]
        for options in self.options:
            lines += [f"command: {self._command(options)}", f"Python: {self._call(options)}"]
        if self.points:
            n = plural(len(self.points), "column")
            beside = ", beside others" if "--column" in self.building else ""
            what = "distances" if "--distances" in self.building else "numbers"
            lines += [
                f"points: {n} of {what}{beside}, a row for each item; a tree is built from them",
                f"command: {shlex.join(['dendrometry', 'cluster', self.file, *self.building])}",
            ]
        for what, command in self.uses:
            lines += [what, f"command: {command}"]
        return "\n".join(lines)

    def to_json(self, words: Words = str) -> str:
        """Return everything as JSON text."""
        import json

        tree = self.tree
        content = {
            "file": self.file,
            "size": self.size,
            "what": self.what,
            "readable": self.readable,
            "account": None if self.account is None else self.account._asdict(),
            "n_nodes": None if tree is None else tree.n_nodes,
            "has_heights": None if tree is None else tree.height is not None,
            "has_node_names": None if tree is None else any(tree.node_names),
            "problem": phrase(self.problem, words) if self.problem else None,
            "assumed": [phrase(note, words) for note in self.notes],
            "doubts": list(self.doubts),
            "points": list(self.points),
            "options": list(self.options),
            "commands": [*map(self._command, self.options), *(command for _, command in self.uses)],
            "python": list(map(self._call, self.options)),
        }
        return json.dumps(content, indent=2)

    def _command(self, options: dict[str, Any]) -> str:
        """Return the command that reads the file."""
        tree = f":{options['tree']}" if "tree" in options else ""
        given = []
        for name, value in options.items():
            option = "--items" if name == "item" else f"--{name.replace('_', '-')}"
            for one in value if isinstance(value, list | tuple) else [value]:
                given += [] if name == "tree" else [option] if one is True else [option, str(one)]
        return f"dendrometry compare {shlex.join([self.file + tree, 'OTHER', *given])}"

    def _call(self, options: dict[str, Any]) -> str:
        """Return the call that reads the file."""
        given = "".join(f", {name}={value!r}" for name, value in options.items())
        return f"dendrometry.read({self.file!r}{given})"


def info(path: FilePath, **options: Any) -> FileInfo:
    r"""Return what a file is, how `read` would read it, what could be wrong with that, and what to call.

    Nothing is raised for a file that is not read, whatever it is: the result says why, and which options read it.

    Parameters
    ----------
    path : str or path
        The file.
    **options
        Arguments of `read`, to see what they do.

    Returns
    -------
    FileInfo
        ``tell()`` and ``to_json()`` give it as text.

    Raises
    ------
    InvalidInputError
        If there is nothing of that name, it cannot be opened, or an option is unknown.

    Warns
    -----
    AssumptionWarning, LostMeaningWarning
        As `read`, where that does not tell what it assumes in its result.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from dendrometry.io import info
    >>> path = pathlib.Path(tempfile.mkdtemp(), "shop.csv")
    >>> _ = path.write_text("sku,department,price\na,Home,19.90\nb,Home,5.00\nc,Outdoor,7.50\n")
    >>> found = info(path)
    >>> found.readable
    False
    >>> found.options
    ({'levels': ['department']},)
    """
    name = name_of(path)
    unknown = [key for key in options if key not in _OPTIONS]
    if unknown:
        raise InvalidInputError(
            f"the options must be those of read, {quote_first(_OPTIONS)}; got {quote_first(unknown)}"
        )
    if os.path.isdir(name):
        problem: Message = ("it must be a file; got a folder (read takes one of its files)",)
        return FileInfo(name, None, "a folder", None, None, problem, (), (), ())
    size = _size(name)
    what = _what(name, options.get("format"), options.get("max_bytes"))
    try:
        found = _read(name, options)
    except DendrometryError as error:
        own = f"{printable(name, longest=4096)}: "
        parts = error.args[1:] if error.args[0] == own else error.args
        points, building = _columns_of_numbers(name, options)
        ways = tuple(_ways(name, options, parts))
        uses = tuple(_uses(name, options))
        return FileInfo(name, size, what, None, None, parts, (), (), ways, points, building, uses)
    notes = tuple(note[1:] for note in found.notes)  # without the name of the file
    doubts = tuple(_doubts(found, name, options))
    return FileInfo(name, size, what, found.tree, found.account, (), notes, doubts, (options,))


def _read(name: str, options: dict[str, Any]) -> Reading:
    """Return a file as `read` with these arguments reads it."""
    table = {key: options[key] for key in TableChoice._fields if key in options}
    lengths = {key: options[key] for key in LengthChoice._fields if key in options}
    return reading(
        name,
        options.get("format"),
        options.get("tree"),
        options.get("parents", "error"),
        options.get("max_bytes"),
        TableChoice(**table),
        LengthChoice(**lengths),
    )


def _size(name: str) -> int | None:
    """Return the bytes of a file, None for standard input and devices."""
    try:
        return os.path.getsize(name) if os.path.isfile(name) else None
    except OSError:
        return None


def _what(name: str, form: Any, max_bytes: int | None) -> str:
    """Return what a file is, in words."""
    start = contents_of(name, max_bytes)[:512] if not os.path.isfile(name) else _start(name)
    if not start:
        return "an empty file"
    other = next((words for mark, words in _OTHERS.items() if start.startswith(mark)), None)
    if other is not None:
        return other
    try:
        _, _, decode = contents_and_decoder(name, form, max_bytes)
        return words_for(decode) + (", compressed" if name.lower().endswith(".gz") else "")
    except DendrometryError:
        known = next((words for mark, words in _STARTS.items() if start.lstrip().startswith(mark)), None)
        return known or ("binary data" if b"\0" in start else "text")


def _start(name: str) -> bytes:
    """Return the first bytes of a file."""
    try:
        with open(name, "rb") as stream:
            return stream.read(512)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInputError(f"cannot read {printable(name, longest=4096)}: {reason}") from None


def _describe(tree: Hierarchy) -> str:
    """Return a tree in one line."""
    some = (
        f"'{printable(tree.items[0])}' to '{printable(tree.items[-1])}'"
        if tree.n_items > 1
        else quote_first(tree.items)
    )
    named = sum(map(bool, tree.node_names))
    heights = "no heights" if tree.height is None else f"heights {tree.height.min():g} to {tree.height.max():g}"
    return f"{plural(tree.n_nodes, 'node')}, {named:,} of them with names, {heights}; items {some}"


def _ways(name: str, options: dict[str, Any], problem: Message) -> Iterator[dict[str, Any]]:
    """Yield options with which a refused file is read: those that its error advises, if they are enough."""
    for remedy in problem:
        if not isinstance(remedy, Remedy) or remedy.function or remedy.argument not in _OPTIONS:
            continue
        chosen: dict[str, Any] = {remedy.argument: remedy.value} if remedy.value is not ... else {}
        if remedy.argument == "levels" and not chosen:
            chosen = _path_column(name, options) or _nested_levels(name, options)
        if chosen and _is_read(name, options | chosen):
            yield options | chosen


def _is_read(name: str, options: dict[str, Any]) -> bool:
    """Whether a file is read with these options."""
    try:
        _read(name, options)
    except DendrometryError:
        return False
    return True


def _path_column(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the option that takes the only column of a table that looks like paths, or none."""
    columns = columns_of(name, options)
    found = [column for column in list(columns)[:_MOST_COLUMNS] if find_separator(columns[column]) is not None]
    return {"path_column": found[0]} if len(found) == 1 and found[0] != _item_column(columns, options) else {}


def _nested_levels(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the option that takes the longest run of columns with which a table is read, each nested in the last.

    They may stand from the top down or from the bottom up. Of runs of a length, columns of text are taken, and then
    those with the fewest values, which group the most rows.
    """
    columns = columns_of(name, options)
    item = _item_column(columns, options)
    grouping = {
        column: values
        for column, values in list(columns.items())[:_MOST_COLUMNS]
        if column != item and groups(values) and not any(map(_FRACTION.fullmatch, values))
    }
    turned = dict(reversed(grouping.items()))
    runs = [nested_run(first, some) for some in (grouping, turned) for first in grouping]

    def order(run: list[str]) -> tuple[int, int, int]:
        n_numeric = sum(all(map(is_number, grouping[column])) for column in run)
        return -len(run), n_numeric, len(set(grouping[run[-1]]))

    runs.sort(key=order)
    run = next((run for run in runs[:_MOST_RUNS] if _is_read(name, options | {"levels": run})), [])
    return {"levels": run} if run else {}


def _item_column(columns: dict[str, list[str]], options: dict[str, Any]) -> str | None:
    """Return the column that names the items: the chosen one, "item" or the first."""
    return options.get("item") or ("item" if "item" in columns else next(iter(columns), None))


def columns_of(name: str, options: dict[str, Any]) -> dict[str, list[str]]:
    """Return the columns of a delimited table by name; {} for another file."""
    from dendrometry.io.formats.delimited import delimited_columns

    try:
        _, data, decode = contents_and_decoder(name, options.get("format"), options.get("max_bytes"))
        delimiters = {FORMATS["csv"].decode: ",", FORMATS["tsv"].decode: "\t"}
        return delimited_columns(text_of(data), delimiters[decode]) if decode in delimiters else {}
    except DendrometryError:
        return {}


def _loosely(name: str) -> str:
    """Return a name with neither case, underscores nor more than one blank in a row."""
    return " ".join(name.replace("_", " ").split()).casefold()


def _columns_of_numbers(name: str, options: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the columns of a delimited table that could be points, and the options that build a tree of them.

    They hold numbers: all columns besides the items, or among others several, of which two hold fractions. The edges
    and the merges of a tree are no points, and neither are clusters, numbered from 0, 1 or -1 on.
    """
    columns = columns_of(name, options)
    if is_of_another_kind(columns):
        return (), ()
    item = _item_column(columns, options)
    others = {column: values for column, values in columns.items() if column != item}
    numeric = tuple(column for column, values in others.items() if any(values) and all(map(is_number, values)))
    if numeric and all(are_clusters(others[column]) for column in numeric):
        return (), ()
    if len(numeric) == len(others):
        return numeric, ("--distances",) if numeric == tuple(columns.get(str(item), ())) else ()
    measured = sum(any(map(_FRACTION.fullmatch, others[column])) for column in numeric)
    if measured < _FEW_MEASURED:
        return (), ()
    return numeric, tuple(word for column in numeric for word in ("--column", column))


def _uses(name: str, options: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what else a table that is refused holds, and the command for that.

    That is two paths of each item, clusterings at several resolutions, or texts.
    """
    columns = columns_of(name, options)
    item = _item_column(columns, options)
    others = {column: values for column, values in list(columns.items())[:_MOST_COLUMNS] if column != item}
    paths = [column for column, values in others.items() if find_separator(values) is not None]
    texts = [column for column, values in others.items() if are_texts(values)]
    if len(paths) == 2 and not any("," in column for column in paths):
        command = ["dendrometry", "diff", name, "--paths", ",".join(paths)]
        yield f"two paths of each item: {quote_first(paths)}; what changed between them is told", shlex.join(command)
    clusterings = [column for column, values in others.items() if are_clusters(values)]
    if len(clusterings) > 1 and not is_of_another_kind(columns):
        command = ["dendrometry", "resolutions", name, *(word for each in clusterings for word in ("--column", each))]
        yield f"clusterings: {quote_first(clusterings)}; which resolution stands out is told", shlex.join(command)
    if texts and item is not None:
        command = ["dendrometry", "documents", name, "--text", texts[0], "--title", item]
        yield f"texts: column '{printable(texts[0])}'; a tree is built of them", shlex.join(command)


def _doubts(found: Reading, name: str, options: dict[str, Any]) -> Iterator[str]:
    """Yield what could be wrong with a tree that is read."""
    tree, account = found.tree, found.account
    if tree.n_items > 1 and all(item.isdecimal() for item in tree.items):
        yield "the items are numbers: if a program made them up, another file gives them to other things"
    alike = Counter(map(_loosely, tree.items))
    twice = [item for item in tree.items if alike[_loosely(item)] > 1]
    if twice:
        yield f"names that differ only in case, blanks or underscores: {quote_first(sorted(twice))}"
    if tree.height is not None:
        inner = tree.parent >= 0
        n_inverted = int((tree.height[inner] > tree.height[tree.parent[inner]]).sum())
        if n_inverted:
            yield f"{plural(n_inverted, 'node')} higher than the one above"
    if account is not None and account.kind == "levels":
        columns = columns_of(name, options)
        yield from _doubtful_columns({level: columns[level] for level in account.columns if level in columns})


def _doubtful_columns(levels: dict[str, list[str]]) -> Iterator[str]:
    """Yield which levels look like other data."""
    numeric = {name for name, values in levels.items() if all(value.isdecimal() for value in values if value)}
    for name, values in levels.items():
        given = [value for value in values if value and not is_missing(value)]
        if len(given) > 1 and len(set(given)) == len(given):
            yield f"column '{printable(name)}' has another value in each row: it groups nothing, and may be no level"
        elif len(set(given)) == 1:
            yield f"column '{printable(name)}' has one value in all rows"
        elif name in numeric and len(numeric) < len(levels):
            yield f"column '{printable(name)}' holds numbers beside levels of names, and may be no level"
