"""Colours: known values, the oracle, there and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.generate import colours as oracle

from dendrometry.errors import InvalidInputError
from dendrometry.generate import hsv_to_rgb, lab_to_rgb, random_colours, rgb_to_hsv, rgb_to_lab

channel = st.floats(0.0, 1.0)
KNOWN = {  # sRGB, hue in degrees, saturation and value in percent, Lab under D65 as published to two decimals
    (1.0, 0.0, 0.0): ((0, 100, 100), (53.24, 80.09, 67.20)),
    (0.0, 1.0, 0.0): ((120, 100, 100), (87.74, -86.18, 83.18)),
    (0.0, 0.0, 1.0): ((240, 100, 100), (32.30, 79.19, -107.86)),
    (0.0, 1.0, 1.0): ((180, 100, 100), (91.11, -48.09, -14.13)),
    (1.0, 0.0, 1.0): ((300, 100, 100), (60.32, 98.23, -60.82)),
    (1.0, 1.0, 0.0): ((60, 100, 100), (97.14, -21.55, 94.48)),
    (1.0, 1.0, 1.0): ((0, 0, 100), (100.0, 0.0, 0.0)),
    (0.0, 0.0, 0.0): ((0, 0, 0), (0.0, 0.0, 0.0)),
}


@pytest.mark.parametrize("rgb", KNOWN)
def test_known_colours(rgb):
    hsv, lab = KNOWN[rgb]
    assert rgb_to_hsv([rgb])[0] == pytest.approx(np.array(hsv) / (360, 100, 100))
    assert rgb_to_lab([rgb])[0] == pytest.approx(lab, abs=0.03)  # tables differ by so much in the matrix they round


def test_greys_have_no_colour():
    grey = np.repeat(np.linspace(0, 1, 50)[:, None], 3, axis=1)
    assert np.abs(rgb_to_lab(grey)[:, 1:]).max() < 1e-10
    assert (rgb_to_hsv(grey)[:, :2] == 0.0).all()


@given(channel, channel, channel)
def test_equal_the_oracle(red, green, blue):
    ours, theirs = rgb_to_hsv([[red, green, blue]])[0], oracle.hsv(red, green, blue)
    assert abs((ours[0] - theirs[0] + 0.5) % 1.0 - 0.5) < 1e-9
    assert ours[1:] == pytest.approx(theirs[1:], abs=1e-12)
    assert rgb_to_lab([[red, green, blue]])[0] == pytest.approx(oracle.lab(red, green, blue), abs=1e-9)


@given(channel, channel, channel)
def test_there_and_back(red, green, blue):
    colour = np.array([[red, green, blue]])
    assert hsv_to_rgb(rgb_to_hsv(colour)) == pytest.approx(colour, abs=1e-12)
    assert lab_to_rgb(rgb_to_lab(colour)) == pytest.approx(colour, abs=1e-6)
    hsv = rgb_to_hsv(colour)
    assert ((hsv >= 0.0) & (hsv <= 1.0)).all()
    assert hsv[0, 0] < 1.0


def test_matplotlib_has_the_same_hues():
    colors = pytest.importorskip("matplotlib.colors")
    rgb = random_colours(1000, rng=0)
    assert np.allclose(rgb_to_hsv(rgb), colors.rgb_to_hsv(rgb))
    assert np.allclose(hsv_to_rgb(rgb), colors.hsv_to_rgb(rgb))


def test_random_colours_fill_the_cube_and_follow_their_seed():
    rgb = random_colours(20_000, rng=1)
    assert rgb.shape == (20_000, 3)
    assert np.abs(rgb.mean(axis=0) - 0.5).max() < 0.01
    assert np.abs(np.corrcoef(rgb.T) - np.eye(3)).max() < 0.03
    assert (rgb == random_colours(20_000, rng=1)).all()


def test_refusals():
    with pytest.raises(InvalidInputError, match="n_colours must be a whole number from 1 on; got 0"):
        random_colours(0)
    with pytest.raises(InvalidInputError, match=r"colours must be rows of 3 numbers; got shape \(1, 2\)"):
        rgb_to_lab([[0.1, 0.2]])
    with pytest.raises(InvalidInputError, match=r"colours must lie between 0 and 1; got 255\.0 in row 0, column 1"):
        rgb_to_hsv([[0, 255, 0]])
    with pytest.raises(InvalidInputError, match="lightness, a and b must be finite; got nan in row 1, column 2"):
        lab_to_rgb([[50, 0, 0], [50, 0, np.nan]])
    with pytest.raises(InvalidInputError, match="must be in the sRGB gamut, from 0 to 1; row 0 would be"):
        lab_to_rgb([[50, 200, 0]])
