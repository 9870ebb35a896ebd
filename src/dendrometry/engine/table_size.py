"""The size of tables in files, known before they are read; light, as every comparison of files asks for it."""

from __future__ import annotations

import os
from typing import Any

from dendrometry._files import name_of
from dendrometry._memory import size_text

_LARGE = 2**24  # bytes of text, some 500,000 rows; from here on counting takes less than a fifth of the time of reading
_PACKING = 4  # bytes of text for one of Parquet or gzip, about
_TABLES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet")


def size_of_large(a: Any, b: Any) -> str:
    """Return the size of two tables in files, at least one of which is large; "" for all else, and if neither is."""
    if not all(isinstance(path, str | os.PathLike) for path in (a, b)):
        return ""
    names = [name_of(path) for path in (a, b)]
    if not all(name.lower().endswith(_TABLES) and os.path.isfile(name) for name in names):
        return ""
    sizes = [os.path.getsize(name) for name in names]
    packing = [1 if name.lower().endswith((".csv", ".tsv")) else _PACKING for name in names]
    is_large = any(size * times >= _LARGE for size, times in zip(sizes, packing, strict=True))
    return size_text(sum(sizes)) if is_large else ""
