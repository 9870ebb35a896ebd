"""The bytes of a file or of standard input, decompressed if necessary, and never more than a limit."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import zlib
from typing import BinaryIO

from dendrometry import _memory
from dendrometry._display import printable
from dendrometry._files import standard_input
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError

_CHUNK = 2**20
_XZ_MEMORY = 2**28  # that a file of xz may ask for; xz -9, the most that its presets ask for, needs a quarter of it


def contents_of(name: str, max_bytes: int | None) -> bytes:
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
            f"cannot read {printable(name, longest=4096)}: {getattr(error, 'strerror', None) or error}{_hint(name)}"
        ) from None
    if data is None:
        limit = f"{most:,} bytes" if most == max_bytes else f"half of the memory there is, {most:,} bytes"
        see = " (see max_bytes)" if most == max_bytes else ""
        raise InvalidInputError(f"{printable(name, longest=4096)} must take at most {limit}; it holds more{see}")
    return data


def _hint(name: str) -> str:
    """Return how to read one tree of a file, if that is how the command line would name it; "" if not."""
    path, _, tree = name.rpartition(":")
    if not path or not tree or not os.path.isfile(path):
        return ""
    which = tree if tree.isdecimal() else f"'{printable(tree)}'"
    return f" (read('{printable(path, longest=4096)}', tree={which}) reads one tree of a file)"


def unpack(data: bytes, max_bytes: int) -> bytes:
    """Return the decompressed content of a gzip file, refusing more than ``max_bytes``."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            unpacked = _read_up_to(stream, max_bytes)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(f"the file must be compressed by gzip; got {error}") from None
    if unpacked is None:
        raise FormatError(f"the file must unpack to at most {max_bytes:,} bytes; it holds more (see max_bytes)")
    return unpacked


def unpack_any(data: bytes, max_bytes: int) -> bytes:
    """Return data, decompressed if they start as gzip, bzip2 or xz do, refusing more than ``max_bytes``."""
    if data.startswith(b"\x1f\x8b"):
        return unpack(data, max_bytes)
    try:
        if data.startswith(b"BZh"):
            unpacked = bz2.BZ2Decompressor().decompress(data, max_bytes + 1)
        elif data.startswith(b"\xfd7zXZ\0"):
            unpacked = lzma.LZMADecompressor(memlimit=_XZ_MEMORY).decompress(data, max_bytes + 1)
        else:
            return data
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise FormatError(f"the file must be compressed by bzip2 or xz, as it starts; got {error}") from None
    if len(unpacked) > max_bytes:
        raise FormatError(f"the file must unpack to at most {max_bytes:,} bytes; it holds more (see max_bytes)")
    return unpacked


def _read_up_to(stream: BinaryIO | gzip.GzipFile, most: int) -> bytes | None:
    """Return all that a stream holds, read in parts, or None as soon as that is more than ``most`` bytes."""
    data = io.BytesIO()
    while part := stream.read(min(_CHUNK, most + 1 - data.tell())):
        data.write(part)
    return data.getvalue() if data.tell() <= most else None
