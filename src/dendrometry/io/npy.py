"""NumPy's .npy files, validated: no pickled objects, and no more data than the file holds."""

from __future__ import annotations

import io
import struct
import tokenize
import warnings

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from dendrometry._display import printable
from dendrometry.errors import FormatError

__all__ = ["array_bytes", "array_of_bytes"]

# The exceptions that numpy raises for an invalid header, which it evaluates as a literal.
_NO_HEADER = (
    ValueError,
    TypeError,
    SyntaxError,
    KeyError,
    AttributeError,
    EOFError,
    OverflowError,
    RecursionError,
    MemoryError,
    struct.error,
    tokenize.TokenError,
    Warning,
)


def array_of_bytes(data: bytes) -> NDArray[np.generic]:
    """Return the array in the bytes of a .npy file, after checking that its header and its size agree.

    Raises
    ------
    FormatError
        If the bytes are not a .npy file, hold Python objects, or are more or fewer than the header declares.
    """
    stream = io.BytesIO(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy repairs some broken headers with a warning; we refuse them
            shape, fortran, dtype = _header(stream)
    except FormatError:
        raise
    except _NO_HEADER as error:
        raise FormatError(f"the file must start with a .npy header; got {type(error).__name__}") from None
    if dtype.hasobject or dtype.kind not in "iuf":
        raise FormatError(f"a .npy file must hold plain numbers; got {dtype}")
    if len(shape) != 2 or any(type(size) is not int or size < 0 for size in shape):
        raise FormatError(f"a .npy file must hold a table of two dimensions; got shape {printable(shape)}")
    held = len(data) - stream.tell()
    declared = dtype.itemsize * shape[0] * shape[1]
    if declared != held or max(shape) > 2**40:
        raise FormatError(f"the header of a .npy file must declare the bytes it holds, {held:,}; got {declared:,}")
    return np.frombuffer(data, dtype=dtype, offset=stream.tell()).reshape(shape, order="F" if fortran else "C")


def _header(stream: io.BytesIO) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    """Return shape, order and type as the header declares them."""
    version = npy_format.read_magic(stream)
    if version == (1, 0):
        return npy_format.read_array_header_1_0(stream)
    if version == (2, 0):
        return npy_format.read_array_header_2_0(stream)
    raise FormatError(f"a .npy file must be of version 1.0 or 2.0; got {version[0]}.{version[1]}")


def array_bytes(array: NDArray[np.generic]) -> bytes:
    """Return an array of numbers as the bytes of a .npy file."""
    stream = io.BytesIO()
    npy_format.write_array(stream, array, allow_pickle=False)
    return stream.getvalue()
