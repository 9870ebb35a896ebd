"""Points are scaled by powers of two without a bit lost."""

import numpy as np
import pytest

from dendrometry._check.points import scale_by


@pytest.mark.parametrize("exponent", [-1100, -1022, -999, -60, 0, 3, 999, 1000, 1074])
def test_scaling_is_that_of_ldexp_down_to_the_last_bit(exponent):
    small = [0.0, -0.0, 5e-324, 1e-310, -3e-320, 2.2250738585072014e-308]
    drawn = np.random.default_rng(0).normal(size=50)
    values = np.concatenate([small, drawn, np.ldexp(drawn, -max(-1000, min(exponent, 1000)))])
    with np.errstate(over="ignore"):
        assert scale_by(values, exponent).tobytes() == np.ldexp(values, exponent).tobytes()
