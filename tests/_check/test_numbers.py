"""Numbers as options: what is taken, and what the message says of the rest."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dendrometry._check.numbers import random_generator, real_number, whole_number
from dendrometry.errors import InvalidInputError

NO_NUMBERS = [None, "2", True, np.True_, 1j, [2], math.nan]


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_whole_numbers_of_any_integer_type_are_taken(value):
    assert whole_number(value, "n", 1) == 3
    assert type(whole_number(value, "n", 1)) is int


@pytest.mark.parametrize("value", [*NO_NUMBERS, 2.0, 2.5, 0, -1, 6])
def test_what_is_not_a_whole_number_in_range_is_refused(value):
    with pytest.raises(InvalidInputError, match=r"^n must be a whole number from 1 to 5; got "):
        whole_number(value, "n", 1, 5)


def test_bounds_are_included_and_named():
    assert [whole_number(n, "n", 1, 5) for n in (1, 5)] == [1, 5]
    with pytest.raises(InvalidInputError, match=r"^n must be a whole number from 0 on; got -1$"):
        whole_number(-1, "n", 0)
    with pytest.raises(InvalidInputError, match=r"^n must be a whole number from 1 to 1,000, or None; got 2000$"):
        whole_number(2000, "n", 1, 1000, also="None")


@pytest.mark.parametrize("value", [2, 2.0, np.float16(2), np.int8(2), Fraction(2)])
def test_real_numbers_of_any_type_are_taken(value):
    assert real_number(value, "x") == 2.0
    assert type(real_number(value, "x")) is float


@pytest.mark.parametrize("value", [*NO_NUMBERS, math.inf, -math.inf])
def test_what_is_not_a_finite_number_is_refused(value):
    with pytest.raises(InvalidInputError, match=r"^x must be a finite number; got "):
        real_number(value, "x")


def test_infinity_is_taken_where_it_has_a_meaning():
    assert real_number(math.inf, "x", finite=False) == math.inf
    with pytest.raises(InvalidInputError, match=r"^x must be a number; got nan$"):
        real_number(math.nan, "x", finite=False)


def test_numbers_beyond_floats_are_refused():
    with pytest.raises(InvalidInputError, match=r"^x must be within the range of floats; got 1000"):
        real_number(10**400, "x", finite=False)


@pytest.mark.parametrize(
    ("bounds", "inside", "outside", "says"),
    [
        ({"above": 0, "below": 1}, 0.5, [0, 1], "a number, above 0 and below 1"),
        ({"least": 0, "most": 1}, 0, [-0.1, 1.1], "a number, at least 0 and at most 1"),
        ({"least": 0.5, "below": 1}, 0.5, [0.4, 1], "a number, at least 0.5 and below 1"),
        ({"least": 0}, 0, [-1, math.inf], "a finite number, at least 0"),
        ({"above": 0, "most": 1}, 1, [0, 2], "a number, above 0 and at most 1"),
    ],
)
def test_real_bounds_are_kept_and_named(bounds, inside, outside, says):
    assert real_number(inside, "x", **bounds) == inside
    for value in outside:
        with pytest.raises(InvalidInputError, match=f"^x must be {says}; got {value}$"):
            real_number(value, "x", **bounds)


def test_a_generator_is_passed_on_and_a_seed_makes_one():
    given = np.random.default_rng(0)
    assert random_generator(given) is given
    assert random_generator(7).integers(1000) == random_generator(np.int64(7)).integers(1000)
    assert isinstance(random_generator(None), np.random.Generator)


@pytest.mark.parametrize("rng", [-1, 1.5, True, "7"])
def test_what_cannot_be_a_source_of_random_numbers_is_refused(rng):
    with pytest.raises(InvalidInputError, match=r"rng must be a numpy Generator, a whole number .*, or None; got"):
        random_generator(rng)
