"""NumPy's .npy files, validated: no pickled objects, and no more data than the file holds."""

from __future__ import annotations

import io
import re
import struct
from typing import Literal

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from dendrometry._display import printable
from dendrometry.errors import FormatError

_MAGIC = b"\x93NUMPY"
_LENGTHS = {(1, 0): "<H", (2, 0): "<I"}  # how each version writes the length of its header
_LONGEST = 10_000
# The header is the text of a dict with three keys, in any order; what else Python could say is not evaluated.
_ENTRY = re.compile(
    r"""\s*+(?P<quote>['"])(?P<key>descr|fortran_order|shape)(?P=quote)\s*+:\s*+(?P<value>'[^']*+'|"[^"]*+"|\[[^\]]*+\]"""
    r"""|\([\w\s,]*+\)|True|False)\s*+(?P<end>,\s*+\}|,|\})"""
)
_SHAPE = re.compile(r"\(\s*+(\d{1,40})\s*+,\s*+(\d{1,40})\s*+,?\s*+\)", re.ASCII)
_NUMBER = re.compile(r"[<>=|]?[iuf](?:1|2|4|8|16)", re.ASCII)


def array_of_bytes(data: bytes) -> NDArray[np.generic]:
    """Return the array in the bytes of a .npy file, after checking that its header and its size agree.

    Raises
    ------
    FormatError
        If the bytes are not a .npy file, hold Python objects, or are more or fewer than the header declares.
    """
    header, offset = _header(data)
    dtype = _type(header["descr"])
    sizes = _SHAPE.fullmatch(header["shape"])
    if sizes is None:
        flat = re.fullmatch(r"\(\d+,\)", header["shape"], re.ASCII)
        advice = " (from_labels(numpy.load(...)) takes labels)" if flat else ""
        held_shape = printable(header["shape"])
        raise FormatError(f"a .npy file must hold a table of two dimensions; got shape {held_shape}{advice}")
    if header["fortran_order"] not in ("True", "False"):
        raise FormatError(
            f"fortran_order in a .npy header must be True or False; got {printable(header['fortran_order'])}"
        )
    shape = int(sizes[1]), int(sizes[2])
    held = len(data) - offset
    declared = dtype.itemsize * shape[0] * shape[1]
    if declared != held or max(shape) > 2**40:
        raise FormatError(f"the header of a .npy file must declare the bytes it holds, {held:,}; got {declared:,}")
    order: Literal["C", "F"] = "F" if header["fortran_order"] == "True" else "C"
    return np.frombuffer(data, dtype=dtype, offset=offset).reshape(shape, order=order)


def _header(data: bytes) -> tuple[dict[str, str], int]:
    """Return the texts of type, order and shape in a header, and where the numbers start."""
    if not data.startswith(_MAGIC) or len(data) < len(_MAGIC) + 2:
        raise FormatError("the file must start with a .npy header; its first bytes are others")
    version = data[6], data[7]
    if version not in _LENGTHS:
        raise FormatError(f"a .npy file must be of version 1.0 or 2.0; got {version[0]}.{version[1]}")
    start = 8 + struct.calcsize(_LENGTHS[version])
    length = struct.unpack(_LENGTHS[version], data[8:start])[0] if len(data) >= start else len(data)
    if length > _LONGEST or start + length > len(data):
        raise FormatError("the file must start with a .npy header; it is cut short, or too long")
    return _entries(data[start : start + length].decode("latin-1")), start + length


def _entries(text: str) -> dict[str, str]:
    """Return the three entries of a header as text."""
    entries: dict[str, str] = {}
    at, end = len(text) - len(text.lstrip()), "{"
    if text.startswith("{", at):
        at, end = at + 1, ","
        while end == "," and (found := _ENTRY.match(text, at)) and found["key"] not in entries:
            entries[found["key"]] = found["value"]
            at, end = found.end(), found["end"]
    if len(entries) < 3 or not end.endswith("}") or text[at:].strip():
        raise FormatError(f"the file must start with a .npy header; got {printable(text)}")
    return entries


def _type(text: str) -> np.dtype[np.generic]:
    """Return the type of number that a header names."""
    name = text[1:-1]
    try:
        if _NUMBER.fullmatch(name):
            return np.dtype(name)
    except TypeError:
        pass  # no such size here
    raise FormatError(f"a .npy file must hold plain numbers; got {'object' if name == '|O' else printable(text)}")


def array_bytes(array: NDArray[np.generic]) -> bytes:
    """Return an array of numbers as the bytes of a .npy file."""
    stream = io.BytesIO()
    npy_format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()
