"""One colour at a time, by the standards: sRGB to XYZ to Lab; hue, saturation and value from the standard library."""

import colorsys


def hsv(red, green, blue):
    return colorsys.rgb_to_hsv(red, green, blue)


def lab(red, green, blue):
    def linear(c):
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4

    r, g, b = linear(red), linear(green), linear(blue)
    x = 0.4124 * r + 0.3576 * g + 0.1805 * b
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = 0.0193 * r + 0.1192 * g + 0.9505 * b

    def root(t):
        return t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    fx, fy, fz = root(x / 0.9505), root(y / 1.0), root(z / 1.089)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)
