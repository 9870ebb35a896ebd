"""Checkpoint: the replicates done so far, in a file from which a later call goes on."""

from __future__ import annotations

import hashlib
import io
import os
import struct
import time
import zipfile
import zlib
from typing import Any

import numpy as np

from dendrometry import _memory
from dendrometry._check.arrays import read_only
from dendrometry._check.points import is_sparse
from dendrometry._check.tree import check_tree
from dendrometry._display import printable
from dendrometry._files import FilePath, name_of, write_whole
from dendrometry._typing import FloatArray, IntArray
from dendrometry.errors import FormatError, InvalidInputError
from dendrometry.io._shared.contents import contents_of
from dendrometry.io._shared.npy import array_bytes, array_of_bytes
from dendrometry.resampling.replicates.replicate import Replicate

_EVERY = 20.0  # seconds between two writings of the file
_PARTS = ("row", "parent", "height", "node", "references", "of_reference")
_CHECK = 32  # bytes at the end: the SHA-256 of those before
_LONGEST_MARK = 1_000  # bytes, with their header
_FREE_BYTES, _MOST_RATIO = 2**26, 100  # what a file may unpack to, and for each of its bytes: few repeat more
_NONE = np.zeros(0, dtype=np.int64)


def fingerprint(points: Any, *options: object) -> bytes:
    """Return 32 bytes that differ for other data or other options."""
    digest = hashlib.sha256(repr((points.shape, *options)).encode())
    parts = (points.data, points.indices, points.indptr) if is_sparse(points) else (points,)
    for part in parts:
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.digest()


class Checkpoint:
    """The replicates and the reference curves that are done; written to a file now and then, if there is one."""

    def __init__(self, file: FilePath | None, mark: bytes, n_items: int, n_levels: int, of_reference: int = 0) -> None:
        self.file = None if file is None else name_of(file)
        self.mark, self.n_levels, self.of_reference = mark, n_levels, of_reference
        self.replicates: list[Replicate] = []
        self.references: list[FloatArray] = []
        self._written = time.monotonic()
        if self.file is not None and os.path.lexists(self.file):
            self._read(n_items)
        elif self.file is not None:
            self.write()  # a folder that does not exist is refused before the work

    def add_replicate(self, replicate: Replicate) -> None:
        """Keep a replicate."""
        self.replicates.append(replicate)
        self._write_now_and_then()

    def add_reference(self, curve: FloatArray) -> None:
        """Keep the curve of a reference set."""
        self.references.append(curve)
        self._write_now_and_then()

    def _write_now_and_then(self) -> None:
        if time.monotonic() - self._written > _EVERY:
            self.write()

    def write(self) -> None:
        """Write the file, if there is one, completely or not at all."""
        if self.file is None:
            return
        done = self.replicates
        columns = {
            "fingerprint": np.frombuffer(self.mark, dtype=np.uint8)[None, :],
            "row": _table([r.row for r in done], np.int64),
            "parent": _table([r.parent for r in done], np.int64),
            "height": _table([np.zeros(0) if r.height is None else r.height for r in done], np.float64),
            "node": _table([r.node for r in done], np.int64),
            "references": np.array(self.references, dtype=np.float64).reshape(len(self.references), self.n_levels),
            "of_reference": np.array([[float(self.of_reference)]]),
        }
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:  # a third of the time
            for name, column in columns.items():
                archive.writestr(f"{name}.npy", array_bytes(column))
            archive.comment = bytes(_CHECK)
        data = stream.getvalue()[:-_CHECK]
        write_whole(self.file, data + hashlib.sha256(data).digest(), force=True)
        self._written = time.monotonic()

    def _read(self, n_items: int) -> None:
        """Go on from the file; refuse one that is broken, or of other data or options."""
        assert self.file is not None
        where = printable(self.file, longest=4096)
        try:
            archive = _open(self.file)
            if _part(archive, "fingerprint", np.uint8, _LONGEST_MARK).tobytes() != self.mark:
                raise _OtherReplicatesError
            self._take({name: _part(archive, name, np.float64, _most_bytes(archive)) for name in _PARTS}, n_items)
        except _OtherReplicatesError:
            raise InvalidInputError(
                f"{where} must hold replicates of the same data, options and seed; got others (choose another file)"
            ) from None
        except (
            OSError,
            zipfile.BadZipFile,
            zlib.error,
            struct.error,
            EOFError,
            KeyError,
            ValueError,
            RuntimeError,
        ) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise FormatError(f"{where} must be a file of replicates, or not exist; got {printable(reason)}") from None

    def _take(self, columns: dict[str, FloatArray], n_items: int) -> None:
        """Take what the columns of a file hold."""
        tables = [_rows(columns[name]) for name in ("row", "parent", "height", "node")]
        if len(set(map(len, tables))) > 1:
            raise FormatError("columns of different numbers of replicates")
        self.replicates = [_replicate(parts, n_items) for parts in zip(*tables, strict=True)]
        kept = columns["references"]
        if kept.shape[1] != self.n_levels or not np.isfinite(kept).all():
            raise FormatError("curves that do not have a number for each level")
        same = columns["of_reference"].tolist() == [[self.of_reference]]
        self.references = [curve.copy() for curve in kept] if same else []  # others are drawn again


class _OtherReplicatesError(Exception):
    """A file holds replicates of other data or options."""


def _open(file: str) -> zipfile.ZipFile:
    """Return a file as an archive; damaged bytes are not looked into."""
    data = contents_of(os.path.abspath(file), None)
    if not data.startswith(b"PK") or hashlib.sha256(data[:-_CHECK]).digest() != data[-_CHECK:]:
        raise FormatError("another file, or a damaged one")
    return zipfile.ZipFile(io.BytesIO(data))


def _most_bytes(archive: zipfile.ZipFile) -> int:
    """Return how many bytes an archive may unpack to."""
    packed = sum(entry.compress_size for entry in archive.infolist())
    return min(_FREE_BYTES + _MOST_RATIO * packed, _memory.available() // 8)


def _part(archive: zipfile.ZipFile, name: str, dtype: type, most: int) -> Any:
    """Return a table of an archive; it is unpacked only if the whole declares at most so many bytes."""
    entry = archive.getinfo(f"{name}.npy")
    size = entry.file_size if name == "fingerprint" else sum(each.file_size for each in archive.infolist())
    if size > most:
        raise FormatError(f"more than {most:,} bytes, unpacked")
    found = array_of_bytes(archive.read(entry))
    if found.dtype != dtype:
        raise FormatError(f"numbers of the type {found.dtype} as {name}")
    return found


def _table(columns: list[Any], dtype: type) -> Any:
    """Return columns of different lengths as two rows: their numbers of values first, then all values, as floats."""
    lengths = np.array([column.size for column in columns], dtype=np.float64)
    values = np.concatenate([np.zeros(0, dtype=dtype), *columns]).astype(np.float64)
    return np.concatenate([[lengths.size], lengths, values])[None, :]


def _rows(table: FloatArray) -> list[FloatArray]:
    """Return the columns of a table."""
    count = int(_whole(table[:1, :1], 0, table.shape[1] - 1).sum()) if table.shape[0] == 1 and table.size else -1
    lengths = _whole(table[0, 1 : 1 + count], 0, table.shape[1]) if count >= 0 else _NONE
    if count < 0 or int(lengths.sum()) + 1 + count != table.shape[1]:
        raise FormatError("other columns than are declared")
    return np.split(table[0, 1 + count :], np.cumsum(lengths)[:-1]) if count else []


def _whole(column: FloatArray, least: int, most: int) -> IntArray:
    """Return a column as the whole numbers that it must hold."""
    if not ((column >= least) & (column <= most) & (column == np.floor(column))).all():
        raise FormatError(f"numbers other than whole ones from {least} to {most}")
    return column.astype(np.int64)


def _replicate(parts: tuple[FloatArray, ...], n_items: int) -> Replicate:
    """Return a replicate from its columns, checked as those of a tree."""
    row, parent, height, node = parts
    rows, nodes = _whole(row, 0, n_items - 1), _whole(node, 0, parent.size - 1)
    parents = _whole(parent, -1, parent.size - 1)
    check_tree(parents, nodes)
    if rows.size != nodes.size or (np.diff(rows) < 1).any():
        raise FormatError("items that are not in order, each once")
    if height.size not in (0, parent.size) or not np.isfinite(height).all():
        raise FormatError("heights that are not a number for each node")
    heights = read_only(height.copy()) if height.size else None
    return Replicate(read_only(rows), read_only(parents), heights, read_only(nodes))
