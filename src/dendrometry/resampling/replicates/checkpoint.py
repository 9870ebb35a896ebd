"""Checkpoint: the replicates done so far, in a file from which a later call goes on."""

from __future__ import annotations

import hashlib
import io
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from dendrometry._check.arrays import read_only
from dendrometry._check.points import is_sparse
from dendrometry._check.tree import check_tree
from dendrometry._display import printable
from dendrometry._files import FilePath, name_of, write_whole
from dendrometry._typing import FloatArray
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError
from dendrometry.io._shared.npy import array_bytes, array_of_bytes
from dendrometry.resampling.replicates.replicate import Replicate

_EVERY = 20.0  # seconds between two writings of the file
_PARTS = ("fingerprint", "row", "parent", "height", "node", "references", "of_reference")


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
            "of_reference": np.array([[self.of_reference]]),
        }
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, column in columns.items():
                archive.writestr(f"{name}.npy", array_bytes(column))
        write_whole(self.file, stream.getvalue(), force=True)
        self._written = time.monotonic()

    def _read(self, n_items: int) -> None:
        """Go on from the file; refuse one that is broken, or of other data or options."""
        assert self.file is not None
        where = printable(self.file, longest=4096)
        try:
            columns = _columns(Path(self.file))
        except (OSError, zipfile.BadZipFile, KeyError, DendrometryError, NotImplementedError, RuntimeError) as error:
            raise FormatError(f"{where} must be a file of replicates, or not exist; got {printable(error)}") from None
        if columns["fingerprint"].tobytes() != self.mark:
            raise InvalidInputError(
                f"{where} must hold replicates of the same data, options and seed; got others (choose another file)"
            )
        tables = [_rows(columns[name]) for name in ("row", "parent", "height", "node")]
        self.replicates = [_replicate(parts, n_items) for parts in zip(*tables, strict=True)]
        kept = columns["references"] if columns["of_reference"].tolist() == [[self.of_reference]] else np.zeros((0, 0))
        self.references = [curve.copy() for curve in kept]  # those of other numbers of replicates are drawn again


def _columns(path: Path) -> dict[str, Any]:
    """Return the tables in a file; no more is unpacked than the file declares, at most 8 GB."""
    with zipfile.ZipFile(path) as archive:
        entries = [archive.getinfo(f"{name}.npy") for name in _PARTS]
        if sum(entry.file_size for entry in entries) > 2**33:
            raise FormatError("more than 8 GB of replicates")
        return {name: array_of_bytes(archive.read(entry)) for name, entry in zip(_PARTS, entries, strict=True)}


def _table(columns: list[Any], dtype: type) -> Any:
    """Return columns of different lengths as two rows: their numbers of values first, then all values, as floats."""
    lengths = np.array([column.size for column in columns], dtype=np.float64)
    values = np.concatenate([np.zeros(0, dtype=dtype), *columns]).astype(np.float64)
    return np.concatenate([[lengths.size], lengths, values])[None, :]


def _rows(table: Any) -> list[Any]:
    """Return the columns of a table."""
    count = int(table[0, 0])
    lengths = table[0, 1 : 1 + count].astype(np.int64)
    if lengths.size != count or lengths.sum() + 1 + count != table.shape[1]:
        raise FormatError("a file of replicates must hold the columns that it declares; it is damaged")
    return np.split(table[0, 1 + count :], np.cumsum(lengths)[:-1]) if count else []


def _replicate(parts: tuple[Any, ...], n_items: int) -> Replicate:
    """Return a replicate from its columns, checked as those of a tree."""
    row, parent, height, node = parts
    rows, parents, nodes = (read_only(column.astype(np.int64)) for column in (row, parent, node))
    check_tree(parents, nodes)
    if rows.size != nodes.size or rows.size == 0 or rows[0] < 0 or rows[-1] >= n_items or (np.diff(rows) < 1).any():
        raise FormatError("a replicate in a file must hold items of the data, each once; the file is damaged")
    return Replicate(rows, parents, read_only(height.copy()) if height.size else None, nodes)
