"""What a drawing holds: artists by what they are, and whether texts overlap."""

import numpy as np

from dendrometry import from_linkage
from tests.strategies import random_linkage


def artist(ax, what):
    """The one artist that is ``what``, or None."""
    found = [one for one in ax.get_children() if one.get_label() == f"_{what}"]
    assert len(found) <= 1
    return found[0] if found else None


def texts_of(ax, what):
    """The texts that are ``what``."""
    return [text.get_text() for text in ax.texts if text.get_label() == f"_{what}"]


def boxes(ax, texts):
    """(n, 4): the places of texts on the page once the figure is drawn, as left, bottom, right, top."""
    if ax.figure.stale:
        ax.figure.canvas.draw()
    found = [text.get_window_extent() for text in texts if text.get_text() and text.get_visible()]
    return np.array([(box.x0, box.y0, box.x1, box.y1) for box in found]).reshape(-1, 4)


def overlapping(found):
    """How many pairs of boxes overlap by more than a hundredth of a pixel."""
    low, high = found[:, None, :2], found[:, None, 2:]
    apart = (low >= found[None, :, 2:] - 0.01) | (high <= found[None, :, :2] + 0.01)
    both = ~apart.any(axis=2)
    return int((both.sum() - len(found)) // 2)


def dendrogram_of(n, seed=0, name="item number {}"):
    """A random dendrogram of n items."""
    rng = np.random.default_rng(seed)
    return from_linkage(random_linkage(n, rng), [name.format(i) for i in rng.permutation(n)])
