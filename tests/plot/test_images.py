"""A few drawings as pictures, against those in ``baseline/`` that were looked at when they were made.

``python -m tests.plot.test_images`` draws them anew, after a change that is meant.
"""

import shutil
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.testing.compare import compare_images

from dendrometry import Hierarchy, from_newick, plot

BASELINE = Path(__file__).parent / "baseline"
TOLERANCE = 4.0  # root mean square of the difference of pixels, of 255: room for another version of matplotlib
STYLE = {"font.family": "DejaVu Sans", "backend": "Agg"}  # the font that comes with matplotlib
A = from_newick("(((ape:1,cat:1):1,(elk:1.5,fox:1.5):0.5):1,(owl:2,(rat:0.5,yak:0.5):1.5):1);")
B = from_newick("((yak:1,(rat:0.5,owl:0.5):0.5):2,((fox:1,elk:1):1,(ape:0.7,cat:0.7):1.3):1);")
TAXONOMY = from_newick("((cat,fox)carnivores,((ape)apes,(elk,yak)hoofed)others,owl)animals;")
DRAWINGS = {
    "dendrogram": lambda ax: plot.dendrogram(A, labels=list("aabbccc"), ax=ax),
    "tanglegram": lambda ax: plot.tanglegram(A, B, ax=ax),
    "icicle": lambda ax: plot.icicle(TAXONOMY, ax=ax),
}


def drawn(name, path):
    """Draw one of the drawings into a small PNG file."""
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(STYLE)
        figure, ax = plt.subplots(figsize=(5, 3), layout="constrained")
        DRAWINGS[name](ax)
        figure.savefig(path, dpi=60, metadata={"Software": None})
        plt.close(figure)


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings_look_as_they_did(name, tmp_path):
    expected, actual = tmp_path / "expected.png", tmp_path / "actual.png"
    shutil.copy(BASELINE / f"{name}.png", expected)  # what differs is written beside it
    drawn(name, actual)
    assert compare_images(str(expected), str(actual), TOLERANCE) is None


def test_the_comparison_sees_a_line_that_moved(tmp_path, monkeypatch):
    moved = Hierarchy(A.parent, np.where(A.height == 1.5, 1.0, A.height), A.item_node, A.items)
    monkeypatch.setitem(DRAWINGS, "dendrogram", lambda ax: plot.dendrogram(moved, labels=list("aabbccc"), ax=ax))
    expected, actual = tmp_path / "expected.png", tmp_path / "actual.png"
    shutil.copy(BASELINE / "dendrogram.png", expected)
    drawn("dendrogram", actual)
    assert "Image files did not match" in compare_images(str(expected), str(actual), TOLERANCE)


if __name__ == "__main__":
    BASELINE.mkdir(exist_ok=True)
    for drawing in DRAWINGS:
        drawn(drawing, BASELINE / f"{drawing}.png")
