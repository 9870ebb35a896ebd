"""Names for the types of arrays."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Values = TypeVar("Values", FloatArray, IntArray)  # of functions for either type
