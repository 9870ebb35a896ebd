"""Rows normalised to length 1, for any scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._check.points import check_no_zero_vectors, is_sparse
from dendrometry._typing import FloatArray


def unit_rows(rows: Any, items: tuple[str, ...]) -> Any:
    """Return dense or sparse rows normalised to length 1, refusing zero rows by name."""
    largest = abs(rows).max(axis=1)
    if is_sparse(rows):
        largest = largest.toarray().ravel()
    check_no_zero_vectors(largest, items)
    exponent = -np.frexp(largest)[1]
    return _sparse(rows, exponent) if is_sparse(rows) else _dense(rows, exponent)


def _dense(rows: FloatArray, exponent: Any) -> FloatArray:
    """Return rows, each multiplied by a power of two and then divided by its length."""
    scaled = np.ldexp(rows, exponent[:, None])
    unit: FloatArray = scaled / np.sqrt(np.einsum("ij,ij->i", scaled, scaled))[:, None]
    return unit


def _sparse(rows: Any, exponent: Any) -> Any:
    """Return CSR rows without empty ones, each multiplied by a power of two and then divided by its length."""
    unit = rows.copy()
    n_entries = np.diff(unit.indptr)
    unit.data = np.ldexp(unit.data, np.repeat(exponent, n_entries))
    unit.data /= np.repeat(np.sqrt(np.add.reduceat(unit.data**2, unit.indptr[:-1])), n_entries)
    unit.sort_indices()
    return unit
