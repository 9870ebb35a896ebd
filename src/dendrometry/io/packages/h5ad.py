"""AnnData's .h5ad files: the columns of obs and the dendrograms of uns, and nothing else of what they hold.

An HDF5 file may lead to other files, and declare more than it holds: only what is stored in the file itself is read,
after its size is known.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any, BinaryIO

import numpy as np

from dendrometry._display import printable, quote_first
from dendrometry._extras import require
from dendrometry.errors import DendrometryError, FormatError, InvalidInputError, Message, Remedy
from dendrometry.io._shared.account import account_of
from dendrometry.io._shared.options import ReadOptions
from dendrometry.io._shared.requirements import Reading
from dendrometry.io._shared.several import choose
from dendrometry.io.formats.levels import tree_of_columns
from dendrometry.io.packages.anndata import from_stored_dendrogram, has_numbers

_DENDROGRAM = "dendrogram_"
_PARTS = ("linkage", "categories_ordered", "categories_idx_ordered")
_MOST_KEYS = 100_000  # of a group


def read_h5ad(data: bytes, options: ReadOptions) -> Reading:
    """Return the tree of columns of obs, if ``levels`` or ``path_column`` names some, or else of a dendrogram in uns.

    Without data, the file that the options name is opened, and only what is needed of it is read.

    Raises
    ------
    FormatError
        If it is no HDF5 file, not one of AnnData, or holds links to other files or more than ``max_bytes``.
    InvalidInputError
        If nothing is chosen, and there is not one dendrogram over names.
    MissingExtraError
        If h5py is not installed.
    """
    h5py = require("h5py", extra="tables", for_="an .h5ad file")
    try:
        with _open(data, options.file) as stream, h5py.File(stream, "r") as file:
            return _read(_Stored(h5py, file, options.max_bytes), options)
    except DendrometryError:
        raise
    except Exception as error:  # a broken file may raise anything in the package
        raise FormatError(f"the file must be one of AnnData; got {printable(error, longest=200)}") from None


def _open(data: bytes, name: str) -> BinaryIO:
    """Return data, or the content of a file, as a stream."""
    try:
        return io.BytesIO(data) if data else open(name, "rb")
    except OSError as error:
        raise InvalidInputError(f"cannot read the file: {error.strerror or error}") from None


def _read(stored: _Stored, options: ReadOptions) -> Reading:
    """Return the tree that is chosen, or the only one."""
    names = stored.columns()
    keys = [key for key in stored.keys(stored.file, "uns") if key.startswith(_DENDROGRAM)]
    choice = options.choice
    if choice.levels is not None or choice.path_column is not None:
        if options.tree is not None:
            raise InvalidInputError("levels and tree must not be given both")
        return _of_levels(stored, names, options)
    remedy = Remedy("levels", ..., f"takes cells, by columns of obs: {quote_first(names)}")
    if not keys:
        raise InvalidInputError("a file of AnnData must hold a dendrogram, or levels be chosen; got neither", remedy)
    key = keys[choose(keys, options.tree, "dendrogram")]
    held = stored.dendrogram(key)
    if has_numbers(held) and options.tree is None:
        raise InvalidInputError(
            f"the items must be the same in every run; got '{printable(key)}' of clusters by numbers, which another run"
            " gives to other clusters",
            remedy,
            Remedy("tree", printable(key), "takes the clusters of one run"),
        )
    tree = from_stored_dendrogram(held)
    note: Message = (f"the dendrogram '{printable(key)}' of AnnData is taken", remedy)
    return Reading(tree, [note] * (options.tree is None), account_of("tree", tree))


def _of_levels(stored: _Stored, names: list[str], options: ReadOptions) -> Reading:
    """Return the tree of cells by columns of obs."""
    choice = options.choice
    wanted = [*(choice.levels or ()), *([choice.path_column] if choice.path_column else [])]
    missing = [name for name in wanted if name not in names]
    if missing:
        raise InvalidInputError(f"the columns must be some of obs, {quote_first(names)}; got {quote_first(missing)}")
    columns: dict[str, list[Any]] = {name: stored.column(name) for name in dict.fromkeys(wanted)}
    sep = "" if choice.sep is None and choice.path_column is None else choice.sep
    return tree_of_columns(columns, tuple(stored.column(None)), choice._replace(item=None, sep=sep))


class _Stored:
    """What an HDF5 file holds itself; a limit on bytes for all that is read of it."""

    def __init__(self, h5py: Any, file: Any, max_bytes: int) -> None:
        self.h5py, self.file, self._left = h5py, file, max_bytes

    def keys(self, group: Any, name: str) -> list[str]:
        """Return the names in a group of a group; [] if there is none."""
        inner = self.child(group, name)
        if inner is None or isinstance(inner, self.h5py.Dataset):
            return []
        if len(inner) > _MOST_KEYS:
            raise FormatError(f"a group of HDF5 must have at most {_MOST_KEYS:,} parts; it has {len(inner):,}")
        return list(inner)

    def child(self, group: Any, name: str) -> Any:
        """Return a part of a group by its own name, None if there is none; links to elsewhere are refused."""
        link = group.get(name, getlink=True) if "/" not in name else None
        if link is None:
            return None
        if not isinstance(link, self.h5py.HardLink):
            raise FormatError(f"a file of AnnData must hold its parts itself; '{printable(name)}' is a link")
        return group[name]

    def values(self, group: Any, name: str) -> list[Any]:
        """Return the values of a dataset of one or two dimensions; text is decoded."""
        data = self.child(group, name)
        if not isinstance(data, self.h5py.Dataset) or data.external is not None or data.is_virtual:
            raise FormatError(f"a file of AnnData must hold '{printable(name)}' as a dataset of its own; it does not")
        self._take(data.size * max(data.dtype.itemsize, 8))
        if self.h5py.check_string_dtype(data.dtype) is None:
            if data.dtype.kind not in "iufb":
                raise FormatError(f"'{printable(name)}' must hold text or numbers; got {printable(data.dtype)}")
            return list(data[()].tolist())
        size = max(self.file.id.get_filesize(), 1)  # the most that one text may take
        step = max(1, min(data.size, self._left // size, 100_000))
        texts: list[str] = []
        for start in range(0, data.size, step):
            part = data[start : start + step]
            self._take(sum(map(len, part)))
            texts += [text if isinstance(text, str) else text.decode("utf-8") for text in part.tolist()]
        return texts

    def _take(self, n_bytes: int) -> None:
        """Count bytes that are about to be made."""
        self._left -= int(n_bytes)
        if self._left < 0:
            raise FormatError("the columns and dendrograms must take less memory; they hold more (see max_bytes)")

    def _obs(self) -> Any:
        """Return the group of obs."""
        obs = self.child(self.file, "obs")
        if obs is None or isinstance(obs, self.h5py.Dataset):
            raise FormatError(
                "a file of AnnData must have a group obs, as anndata 0.7 and later write it; it has none",
                Remedy("", ..., "anndata.read_h5ad(old).write_h5ad(new) writes one"),
            )
        return obs

    def columns(self) -> list[str]:
        """Return the names of the columns of obs."""
        index = _attribute(self._obs(), "_index")
        return [name for name in self.keys(self.file, "obs") if name != index and not name.startswith("__")]

    def column(self, name: str | None) -> list[Any]:
        """Return a column of obs, its index for None; categories by their names, missing ones as None."""
        obs = self._obs()
        key = _attribute(obs, "_index") or "_index" if name is None else name
        held = self.child(obs, key)
        if isinstance(held, self.h5py.Dataset):
            values = self.values(obs, key)
            old = self.child(obs, "__categories")
            if old is None or self.child(old, key) is None:
                return [None if value != value else value for value in values]
            return _coded(values, self.values(old, key))
        if held is None:
            raise FormatError(f"a file of AnnData must have the column '{printable(key)}' in obs; it has none")
        parts = self.keys(obs, key)
        if {"codes", "categories"} <= set(parts):
            return _coded(self.values(held, "codes"), self.values(held, "categories"))
        if {"values", "mask"} <= set(parts):
            pairs = zip(self.values(held, "values"), self.values(held, "mask"), strict=True)
            return [None if hidden else value for value, hidden in pairs]
        raise FormatError(
            f"the column '{printable(key)}' of obs must be values or categories; got {quote_first(parts)}"
        )

    def dendrogram(self, key: str) -> dict[str, Any]:
        """Return a dendrogram of scanpy as it is in uns."""
        held = self.child(self.child(self.file, "uns"), key)
        parts = [] if isinstance(held, self.h5py.Dataset) else list(held)[:_MOST_KEYS]
        if not set(_PARTS) <= set(parts):
            raise FormatError(f"'{printable(key)}' must hold {', '.join(_PARTS)}, as scanpy writes it; it does not")
        found: dict[str, Any] = {name: self.values(held, name) for name in _PARTS}
        n = len(found["categories_ordered"])
        if sorted(map(str, found["categories_idx_ordered"])) != sorted(map(str, range(n))):
            raise FormatError("categories_idx_ordered must be the numbers of the categories; it is not")
        found["linkage"] = np.array(found["linkage"], dtype=np.float64)
        return found


def _attribute(group: Any, name: str) -> str:
    """Return an attribute that is text, or ""."""
    value = group.attrs.get(name)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value if isinstance(value, str) else ""


def _coded(codes: Iterable[Any], categories: list[Any]) -> list[Any]:
    """Return categories by their codes, None for -1."""
    values: list[Any] = []
    for code in codes:
        if not isinstance(code, int) or not -1 <= code < len(categories):
            raise FormatError(
                f"the codes of categories must be from -1 to {len(categories) - 1}; got {printable(code)}"
            )
        values.append(None if code == -1 else categories[code])
    return values
