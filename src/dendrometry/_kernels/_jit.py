"""The one door to numba, and the array types that kernels speak."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

__all__ = ["BoolArray", "FloatArray", "IntArray", "njit"]

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

_P = ParamSpec("_P")
_R = TypeVar("_R")


def njit(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a kernel on first use, cache it on disk, and release the GIL while it runs."""
    return cast(Callable[_P, _R], numba.njit(nogil=True, cache=True)(function))
