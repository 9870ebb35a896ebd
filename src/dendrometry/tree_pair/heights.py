"""Heights rescaled so that no difference overflows or underflows."""

import numpy as np

from dendrometry._typing import FloatArray


def above_lowest(height: FloatArray) -> tuple[FloatArray, int]:
    """Return the height of each node above the lowest one, in units of 2**exponent, and that exponent.

    The greatest is from 1 to below 2, or 0 if all heights are equal. Scaling by a power of two is exact.
    """
    too_far = float(height.max()) / 4 - float(height.min()) / 4 >= 2.0**1021
    shrunk = np.ldexp(height, -2) if too_far else height
    above = shrunk - shrunk.min()
    exponent = int(np.frexp(above.max())[1]) - 1
    return np.ldexp(above, -exponent), exponent + 2 * too_far
