"""Reuters-21578, read from the files that the user has: stories with any number of topics."""

from __future__ import annotations

import gzip
import io
import os
import re
import sys
import tarfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from dendrometry._check.numbers import whole_number
from dendrometry._display import printable
from dendrometry._files import FilePath, name_of
from dendrometry.errors import FormatError, InvalidInputError

_MOST_BYTES = 200 * 2**20  # of all files, unpacked; the collection has 28 MB
_FILE_NAME = re.compile(r"reut2-[0-9]{3}\.sgm", re.IGNORECASE)
_ATTRIBUTE = re.compile(r'\b([A-Z]+)\s*=\s*"([^"]*)"')
_DATE = re.compile(r"\s*([0-9]{1,2})-([A-Z]{3})-([0-9]{4})\s+([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,2}))?")
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|(amp|gt|lt|quot));")
_CHARACTERS = {"amp": "&", "gt": ">", "lt": "<", "quot": '"'}
_OPEN, _CLOSE = "<REUTERS", "</REUTERS>"


@dataclass(frozen=True)
class ReutersStory:
    """A story of Reuters-21578.

    Attributes
    ----------
    number : int
        The number of the story in the collection (``NEWID``), from 1 to 21,578.
    title, text : str
        The title, and the text below it; either may be empty.
    topics : tuple of str
        The topics of the story: any number of them, or none.
    date : datetime, optional
        When the story was sent, without a time zone, as the collection has none; None if there is no such date.
    split : str
        The set that the story is in by ``LEWISSPLIT``: ``"TRAIN"``, ``"TEST"`` or ``"NOT-USED"``; empty if unknown.
    """

    number: int
    title: str
    text: str
    topics: tuple[str, ...]
    date: datetime | None = None
    split: str = ""


def read_reuters(path: FilePath, *, max_bytes: int = _MOST_BYTES) -> tuple[ReutersStory, ...]:
    """Return the stories of Reuters-21578 from the user's own copy of the collection.

    The collection [1]_ consists of 21,578 stories of 1987 in 22 SGML files, ``reut2-000.sgm`` to ``reut2-021.sgm``. It
    is not part of this package and is not downloaded. Archives are read in memory: nothing is unpacked to a disk, only
    regular files with these names are read, and the folders and links in an archive are ignored.

    Parameters
    ----------
    path : str or path
        The folder of the SGML files, or a .tar or .tar.gz archive that contains them.
    max_bytes : int
        The largest number of bytes of all files together, unpacked.

    Returns
    -------
    tuple of ReutersStory
        The stories in the order of the files, which is not always that of their dates. One story of the collection,
        number 17,192, has a date that cannot be read.

    Raises
    ------
    InvalidInputError
        If the path cannot be read, holds no such files, or holds more than ``max_bytes``.
    FormatError
        If the archive or a story is damaged, or a number occurs twice; the message names the file and the line.

    References
    ----------
    .. [1] D. D. Lewis, "Reuters-21578 text categorization test collection", distribution 1.0, 1997.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from dendrometry import datasets
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> source = '''<REUTERS NEWID="7" LEWISSPLIT="TRAIN"><DATE>26-FEB-1987 15:01:01.79</DATE>
    ... <TOPICS><D>grain</D><D>wheat</D></TOPICS>
    ... <TEXT><TITLE>HARVEST</TITLE><BODY>Wheat was cut.</BODY></TEXT></REUTERS>'''
    >>> _ = (folder / "reut2-000.sgm").write_text(source)
    >>> (story,) = datasets.read_reuters(folder)
    >>> story.number, story.title, story.text, story.topics
    (7, 'HARVEST', 'Wheat was cut.', ('grain', 'wheat'))
    >>> str(story.date), story.split
    ('1987-02-26 15:01:01.790000', 'TRAIN')
    """
    name = name_of(path)
    most = whole_number(max_bytes, "max_bytes", 1)
    try:
        files = _once(_in_folder(name, most) if os.path.isdir(name) else _in_archive(name, most))
    except (OSError, ValueError) as error:
        if isinstance(error, FormatError | InvalidInputError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise InvalidInputError(f"cannot read {printable(name, longest=4096)}: {reason}") from None
    if not files:
        raise InvalidInputError(
            "Reuters-21578 must hold the files reut2-000.sgm to reut2-021.sgm;"
            f" {printable(name, longest=4096)} holds none"
        )
    stories = [story for file in sorted(files) for story in _stories(files[file].decode("latin-1"), file)]
    seen: set[int] = set()
    for story in stories:
        if story.number in seen:
            raise FormatError(f"every story must have a number (NEWID) of its own; got {story.number} twice")
        seen.add(story.number)
    return tuple(stories)


def _once(found: Iterator[tuple[str, bytes]]) -> dict[str, bytes]:
    """Return files by name, refusing one that comes again in another folder or spelling."""
    files: dict[str, bytes] = {}
    for file, data in found:
        if file in files:
            raise FormatError(f"Reuters-21578 must hold each file once; got {file} twice")
        files[file] = data
    return files


def _in_folder(name: str, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each SGML file of a folder."""
    left = most
    for file in sorted(os.listdir(name)):
        path = os.path.join(name, file)
        if _FILE_NAME.fullmatch(file) and os.path.isfile(path):
            with open(path, "rb") as stream:
                data = stream.read(min(left, os.fstat(stream.fileno()).st_size) + 1)
            left = _rest(left, len(data), most)
            yield file.lower(), data


def _in_archive(name: str, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each SGML file of an archive, whatever folder it is in; links are not followed."""
    with open(name, "rb") as stream:
        compressed = stream.read(2) == b"\x1f\x8b"
        stream.seek(0)
        try:
            with gzip.GzipFile(fileobj=stream) if compressed else stream as unpacked:
                whole = unpacked.read(most + 1)
            _rest(most, len(whole), most)
            left = most  # a sparse member may be larger than the archive
            with tarfile.open(fileobj=io.BytesIO(whole), mode="r:") as archive:
                for member in archive:
                    file = member.name.replace("\\", "/").rsplit("/", 1)[-1]
                    content = archive.extractfile(member) if member.isreg() and _FILE_NAME.fullmatch(file) else None
                    if content is not None:
                        data = content.read(left + 1)
                        left = _rest(left, len(data), most)
                        yield file.lower(), data
        except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile) as error:
            what = f"{printable(name, longest=4096)} must be a folder, or a .tar or .tar.gz archive"
            raise FormatError(f"{what}; got {printable(str(error), longest=300)}") from None


def _rest(left: int, taken: int, most: int) -> int:
    """Return the number of bytes that may still be read, refusing more than there were."""
    if taken > left:
        raise InvalidInputError(f"the files must have at most {most:,} bytes, unpacked; they have more (see max_bytes)")
    return left - taken


def _stories(text: str, file: str) -> Iterator[ReutersStory]:
    """Yield the stories of one file."""
    start = text.find(_OPEN)
    while start >= 0:
        end, following = text.find(_CLOSE, start), text.find(_OPEN, start + len(_OPEN))
        if end < 0 or 0 <= following < end:
            raise FormatError(f"{file}, line {_line(text, start)}: <REUTERS> must be closed by </REUTERS>; it is not")
        try:
            story = _story(text[start:end])
        except FormatError as error:
            raise FormatError(f"{file}, line {_line(text, start)}: {error}") from None
        yield story
        start = following


def _line(text: str, start: int) -> int:
    """Return the line of a position."""
    return text.count("\n", 0, start) + 1


def _story(block: str) -> ReutersStory:
    """Return one story, given what stands from its opening tag to its closing one."""
    head, _, rest = block.partition(">")
    attributes = dict(_ATTRIBUTE.findall(head))
    number = attributes.get("NEWID", "")
    if not re.fullmatch(r"[0-9]{1,9}", number):
        raise FormatError(f"NEWID must be a number; got {printable(number)}")
    topics = tuple(
        _characters(topic).strip() for topic in re.findall(r"<D>([^<]*)</D>", _between(rest, "TOPICS") or "")
    )
    inside = _between(rest, "TEXT") or ""
    title = " ".join(_characters(_between(inside, "TITLE") or "").split())
    body = _between(inside, "BODY")
    if body is None:  # a brief story has a title alone, an unprocessed one no tags
        body = re.sub(r"<[^<>]*>", " ", inside.rpartition("</TITLE>")[2])
    date, split = _date(_between(rest, "DATE") or ""), attributes.get("LEWISSPLIT", "")
    return ReutersStory(int(number), title, _characters(body).strip(), topics, date, split)


def _date(text: str) -> datetime | None:
    """Return the date at the beginning of a text, which other marks may follow, or None."""
    found = _DATE.match(text)
    if found is None or found[2] not in _MONTHS:
        return None
    day, year, hour, minute, second = (int(found[i]) for i in (1, 3, 4, 5, 6))
    microsecond = int((found[7] or "").ljust(6, "0"))
    try:
        return datetime(year, _MONTHS.index(found[2]) + 1, day, hour, minute, second, microsecond)
    except ValueError:  # such as the 31st of February
        return None


def _characters(text: str) -> str:
    """Return text with its entities as characters; control characters, as those around stories, are left out."""
    return _ENTITY.sub(_character, text)


def _character(entity: re.Match[str]) -> str:
    """Return the character of an entity, or nothing if it cannot be printed."""
    if entity[2] is not None:
        return _CHARACTERS[entity[2]]
    code = int(entity[1])
    return chr(code) if code < sys.maxunicode and chr(code).isprintable() else ""


def _between(text: str, tag: str) -> str | None:
    """Return what stands between the first opening tag of a name and the next closing one; None without both."""
    opening = re.search(rf"<{tag}(?:\s[^<>]*)?>", text)
    end = text.find(f"</{tag}>", opening.end()) if opening else -1
    return text[opening.end() : end] if opening and end >= 0 else None
