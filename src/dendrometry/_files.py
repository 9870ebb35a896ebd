"""Output files, written completely or not at all, and the standard streams."""

import os
import secrets
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from dendrometry._display import printable
from dendrometry._flags import flag
from dendrometry.errors import Argument, InvalidInputError, Remedy

FilePath = str | os.PathLike[str]
PAGES = (".html", ".htm")  # the endings of an HTML page


def name_of(path: object) -> str:
    """Return a path as text."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(name, str):
        raise InvalidInputError(f"a path must be text; got {printable(path)}")
    return name


def unicode_name(name: str) -> str:
    """Return the name of a file as valid Unicode; bytes that could not be decoded become escapes."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def check_place(path: FilePath, *, force: bool, endings: tuple[str, ...] = (), called: str | Argument = "path") -> str:
    """Return a path as text; raise an error if the file exists, unless ``force``, or its folder does not exist.

    The name must have one of the ``endings``, if any are given; the error says what the path is ``called``.
    """
    name, replace = name_of(path), flag(force, "force")
    if endings and os.path.splitext(name)[1].lower() not in endings:
        raise InvalidInputError(called, f" must end in {' or '.join(endings)}; got {printable(name, longest=4096)}")
    if not os.path.isdir(os.path.dirname(name) or "."):
        raise InvalidInputError(f"cannot write {printable(name, longest=4096)}: there is no such folder")
    if os.path.lexists(name) and not replace:
        raise InvalidInputError(f"{printable(name, longest=4096)} exists", Remedy("force", True, "replaces it"))
    if os.path.exists(name) and not os.path.isfile(name):
        raise InvalidInputError(f"cannot write {printable(name, longest=4096)}: it is {_kind(name)}, not a file")
    return name


def write_whole(path: FilePath, data: bytes, *, force: bool) -> None:
    """Write a file completely or not at all, by way of a temporary file; replace an existing file only if ``force``."""
    write_together({name_of(path): data}, force=force)


def write_together(contents: Mapping[str, bytes], *, force: bool) -> None:
    """Write several files as `write_whole` writes one; none is replaced before all are written beside their places."""
    for name in contents:
        check_place(name, force=force)
    beside: dict[str, Path] = {}
    try:
        for name, data in contents.items():
            beside[name] = _write_beside(Path(name), data)
        for name in contents:
            os.replace(beside[name], Path(name).resolve())
    except (OSError, ValueError, RuntimeError) as error:  # the last for links in a circle
        raise InvalidInputError(
            f"cannot write {printable(name, longest=4096)}: {getattr(error, 'strerror', None) or error}"
        ) from None
    finally:
        for path in beside.values():
            path.unlink(missing_ok=True)


def part_beside(path: Path) -> Path:
    """Return the path of a new hidden file in the same folder, to be written and renamed; no reader takes it."""
    return path.with_name(f".dendrometry-{secrets.token_hex(8)}.part")


@contextmanager
def standard_input() -> Iterator[BinaryIO]:
    """Provide standard input as a stream of bytes, which stays open."""
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InvalidInputError("standard input must be open, and give bytes; it is closed or replaced")
    yield stream


def write_standard_output(data: bytes) -> None:
    """Write bytes to standard output, or text if it has been replaced by a stream that accepts only text."""
    stream = sys.stdout
    try:
        if hasattr(stream, "buffer"):
            stream.flush()  # so that earlier output comes first
            stream.buffer.write(data)
            stream.buffer.flush()
        else:
            stream.write(data.decode())
    except (AttributeError, TypeError, ValueError):
        raise InvalidInputError("standard output must be open, and take bytes; it is closed or replaced") from None


def _kind(name: str) -> str:
    """Return the kind of a path that is not a regular file."""
    mode = os.stat(name).st_mode
    kinds = {"a folder": stat.S_ISDIR, "a pipe": stat.S_ISFIFO, "a socket": stat.S_ISSOCK}
    return next((kind for kind, is_kind in kinds.items() if is_kind(mode)), "a device")


def _write_beside(path: Path, data: bytes) -> Path:
    """Write bytes to a temporary file beside the path, to be renamed to it; remove it if that fails.

    A symbolic link is kept and its target replaced; the new file has the permissions of the one it replaces.
    """
    path = path.resolve()
    beside = part_beside(path)
    try:
        with open(beside, "xb") as stream:
            stream.write(data)
        if path.exists():
            beside.chmod(path.stat().st_mode)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return beside
