"""Random colours, and conversions between red-green-blue, hue-saturation-value and CIE Lab."""

from __future__ import annotations

from typing import Any

import numpy as np

from dendrometry._check.arrays import real_array
from dendrometry._check.numbers import RandomSource, count_held, random_generator
from dendrometry._typing import FloatArray
from dendrometry.errors import InvalidInputError

# IEC 61966-2-1: linear sRGB to XYZ, and the white of D65 (2 degrees) as the sum of its rows
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = _XYZ.sum(axis=1)
_KNEE = 6.0 / 29.0  # below it the cube root of Lab is a straight line
_ROUNDING = 1e-9  # the largest distance of a colour from the gamut


def random_colours(n_colours: int, *, rng: RandomSource = 0) -> FloatArray:
    """Draw colours uniformly from all mixtures of red, green and blue.

    Parameters
    ----------
    n_colours : int
        The number of colours.
    rng : numpy Generator, int or None
        The source of random numbers. The default seed, 0, gives the same result in every call; None does not.

    Returns
    -------
    (n_colours, 3) array of float
        Red, green and blue (sRGB), from 0 to below 1.

    Raises
    ------
    InvalidInputError
        If ``n_colours`` is not a positive whole number, or the colours exceed the memory.

    Examples
    --------
    >>> from dendrometry.generate import random_colours
    >>> random_colours(2, rng=0).round(2).tolist()
    [[0.64, 0.27, 0.04], [0.02, 0.81, 0.91]]
    """
    return random_generator(rng).random((count_held(n_colours, "n_colours", 1, 24), 3))


def rgb_to_hsv(rgb: Any) -> FloatArray:
    """Return red, green, blue as hue, saturation and value.

    The value is the largest of the three; the saturation is the difference of the largest and the smallest, divided by
    the largest; the hue is the position on the circle red 0, green 1/3, blue 2/3. Greys have hue 0.

    Parameters
    ----------
    rgb : (n, 3) array of float
        Colours from 0 to 1.

    Returns
    -------
    (n, 3) array of float
        Hue from 0 to below 1, saturation and value from 0 to 1.

    Raises
    ------
    InvalidInputError
        If these are not n rows of 3 numbers from 0 to 1.

    Examples
    --------
    >>> from dendrometry.generate import rgb_to_hsv
    >>> rgb_to_hsv([[1, 0, 0], [0.5, 1, 0.5], [0, 0, 0.25]]).round(3).tolist()
    [[0.0, 1.0, 1.0], [0.333, 0.5, 1.0], [0.667, 1.0, 0.25]]
    """
    colours = _colour_rows(rgb, "colours")
    red, green, blue = colours.T
    value = colours.max(axis=1)
    chroma = value - colours.min(axis=1)
    scale = np.where(chroma > 0.0, chroma, 1.0)
    sixths = np.select(
        [chroma == 0.0, value == red, value == green],
        [np.zeros(value.size), (green - blue) / scale, (blue - red) / scale + 2.0],
        (red - green) / scale + 4.0,
    )
    hue = np.mod(sixths / 6.0, 1.0)
    hue[hue == 1.0] = 0.0  # a hue just below red rounds up to the full circle
    return np.column_stack([hue, chroma / np.where(value > 0.0, value, 1.0), value])


def hsv_to_rgb(hsv: Any) -> FloatArray:
    """Return hue, saturation and value as red, green, blue: the inverse of `rgb_to_hsv`.

    Parameters
    ----------
    hsv : (n, 3) array of float
        Hue, saturation and value from 0 to 1; the hues 0 and 1 are the same red.

    Returns
    -------
    (n, 3) array of float
        Colours from 0 to 1.

    Raises
    ------
    InvalidInputError
        If these are not n rows of 3 numbers from 0 to 1.

    Examples
    --------
    >>> from dendrometry.generate import hsv_to_rgb
    >>> hsv_to_rgb([[1 / 3, 0.5, 1.0]]).tolist()
    [[0.5, 1.0, 0.5]]
    """
    hue, saturation, value = _colour_rows(hsv, "hue, saturation and value").T
    place = np.mod(np.array([5.0, 3.0, 1.0]) + 6.0 * hue[:, None], 6.0)
    full = np.clip(np.minimum(place, 4.0 - place), 0.0, 1.0)
    rgb: FloatArray = value[:, None] * (1.0 - saturation[:, None] * full)
    return rgb


def rgb_to_lab(rgb: Any) -> FloatArray:
    """Return red, green, blue (sRGB) as CIE Lab under D65, in which distances approximate perceived differences.

    Parameters
    ----------
    rgb : (n, 3) array of float
        Colours from 0 to 1.

    Returns
    -------
    (n, 3) array of float
        Lightness from 0 to 100, and a (green to red) and b (blue to yellow), about -108 to 98. Greys have a = b = 0 up
        to rounding.

    Raises
    ------
    InvalidInputError
        If these are not n rows of 3 numbers from 0 to 1.

    References
    ----------
    .. [1] IEC 61966-2-1:1999, and CIE 15:2004.

    Examples
    --------
    >>> from dendrometry.generate import rgb_to_lab
    >>> rgb_to_lab([[1, 0, 0], [0, 0, 1]]).round(1).tolist()
    [[53.2, 80.1, 67.2], [32.3, 79.2, -107.9]]
    """
    colours = _colour_rows(rgb, "colours")
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    ratio = linear @ _XYZ.T / _WHITE
    x, y, z = np.where(ratio > _KNEE**3, np.cbrt(ratio), ratio / (3.0 * _KNEE**2) + 4.0 / 29.0).T
    return np.column_stack([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


def lab_to_rgb(lab: Any) -> FloatArray:
    """Return CIE Lab under D65 as red, green, blue (sRGB): the inverse of `rgb_to_lab`.

    Parameters
    ----------
    lab : (n, 3) array of float
        Lightness, a and b.

    Returns
    -------
    (n, 3) array of float
        Colours from 0 to 1.

    Raises
    ------
    InvalidInputError
        If these are not n rows of 3 finite numbers, or a colour is outside the sRGB gamut.

    Examples
    --------
    >>> from dendrometry.generate import lab_to_rgb, rgb_to_lab
    >>> lab_to_rgb(rgb_to_lab([[0.25, 0.5, 0.75]])).round(6).tolist()
    [[0.25, 0.5, 0.75]]
    """
    lightness, a, b = _colour_rows(lab, "lightness, a and b", bounded=False).T
    y = (lightness + 16.0) / 116.0
    root = np.column_stack([y + a / 500.0, y, y - b / 200.0])
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # of numbers that are refused below
        ratio = np.where(root > _KNEE, root**3, 3.0 * _KNEE**2 * (root - 4.0 / 29.0))
        linear = np.linalg.solve(_XYZ, (ratio * _WHITE).T).T
        lifted = np.maximum(linear, 0.0)
        rgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * lifted ** (1.0 / 2.4) - 0.055)
    inside = ((rgb >= -_ROUNDING) & (rgb <= 1.0 + _ROUNDING)).all(axis=1)
    if not inside.all():
        i = int(np.argmin(inside))
        raise InvalidInputError(f"colours must be in the sRGB gamut, from 0 to 1; row {i} would be {rgb[i].tolist()}")
    return np.clip(rgb, 0.0, 1.0)


def _colour_rows(values: Any, what: str, *, bounded: bool = True) -> FloatArray:
    """Return n rows of 3 numbers as floats."""
    array = real_array(values, what, 2).astype(np.float64)
    if array.shape[1] != 3:
        raise InvalidInputError(f"{what} must be rows of 3 numbers; got shape {array.shape}")
    good = (array >= 0.0) & (array <= 1.0) if bounded else np.isfinite(array)
    if not good.all():
        i, j = divmod(int(np.argmin(good)), 3)
        held = "lie between 0 and 1" if bounded else "be finite"
        raise InvalidInputError(f"{what} must {held}; got {array[i, j]} in row {i}, column {j}")
    return array
