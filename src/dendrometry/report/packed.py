"""Columns of numbers and names for a page, compressed and encoded as text that is safe inside HTML."""

import base64
import json
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dendrometry.report.markup import LONGEST, readable

Packed = dict[str, str]

_LEVEL = 4  # of compression: 4 % larger than at 6, in less than half the time
_SAFE = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def json_text(content: Any) -> str:
    r"""Return JSON that is safe inside a script element: none of its characters can end the element.

    Examples
    --------
    >>> from dendrometry.report.packed import json_text
    >>> print(json_text(["</script>"]))
    ["\u003c/script\u003e"]
    """
    return json.dumps(content, allow_nan=False, separators=(",", ":")).translate(_SAFE)


def pack(column: NDArray[Any]) -> Packed:
    """Return a column as compressed little-endian bytes: whole numbers in 32 bits if they fit, otherwise floats.

    The first bytes of all numbers come first, then all second ones, and so on: the upper bytes of many columns are all
    alike, so that looking for runs alone compresses better than a search for any repetition, in half the time.
    """
    kind = {"f4": "f4", "f8": "f8", "u1": "u1"}.get(f"{column.dtype.kind}{column.dtype.itemsize}", "i4")
    if kind == "i4" and column.size and max(-int(column.min()), int(column.max())) > np.iinfo(np.int32).max:
        kind = "f8"
    numbers = np.ascontiguousarray(column, dtype=f"<{kind}")
    planes = numbers.view(np.uint8).reshape(numbers.size, numbers.itemsize).T
    return _packed(kind, planes.tobytes(), zlib.Z_RLE)


def pack_names(names: Iterable[str]) -> Packed:
    """Return names in display form, compressed; long names are truncated."""
    shown = list(names)
    if not "".join(shown).isprintable() or max(map(len, shown), default=0) > LONGEST:
        shown = [readable(name) for name in shown]
    return _packed("text", json.dumps(shown, separators=(",", ":")).encode("ascii"))


def pack_texts(texts: Iterable[str], longest: int) -> Packed:
    """Return the beginnings of texts, each as one line of at most ``longest`` characters, compressed."""
    lines = (readable(" ".join(text[: 2 * longest].split()), longest) for text in texts)
    return _packed("text", json.dumps(list(lines), separators=(",", ":")).encode("ascii"))


def _packed(kind: str, data: bytes, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> Packed:
    """Return bytes compressed, in the format of gzip, together with their kind."""
    stream = zlib.compressobj(_LEVEL, zlib.DEFLATED, 16 + zlib.MAX_WBITS, zlib.DEF_MEM_LEVEL, strategy)
    return {"kind": kind, "gzip": base64.b64encode(stream.compress(data) + stream.flush()).decode("ascii")}
