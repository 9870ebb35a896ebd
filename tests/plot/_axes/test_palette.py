import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.plot._axes.palette import PALETTE, group_items, node_codes
from tests.strategies import hierarchies

LINEAR = np.array(
    [[0.31399022, 0.63951294, 0.04649755], [0.15537241, 0.75789446, 0.08670142], [0.01775239, 0.10944209, 0.87256922]]
)
# what is left of light for eyes without long, middle or short cones (Viénot, Brettel and Mollon 1999)
MISSING = {
    "long": np.array([[0, 1.05118294, -0.05116099], [0, 1, 0], [0, 0, 1]]),
    "middle": np.array([[1, 0, 0], [0.9513092, 0, 0.04866992], [0, 0, 1]]),
    "short": np.array([[1, 0, 0], [0, 1, 0], [-0.86744736, 1.86727089, 0]]),
}


@pytest.mark.parametrize("cones", MISSING)
def test_colours_can_be_told_apart_without_one_kind_of_cones(cones):
    from matplotlib.colors import to_rgb

    light = np.array(
        [[(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in to_rgb(x)] for x in PALETTE]
    )
    seen = light @ LINEAR.T @ MISSING[cones].T @ np.linalg.inv(LINEAR).T
    apart = np.linalg.norm(np.cbrt(seen)[:, None] - np.cbrt(seen)[None], axis=2)
    assert apart[~np.eye(len(PALETTE), dtype=bool)].min() > 0.1


def test_every_colour_shows_on_white():
    from matplotlib.colors import to_rgb

    for colour in PALETTE:
        light = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
        assert 1.05 / (np.dot(light, [0.2126, 0.7152, 0.0722]) + 0.05) > 2.0, colour


def test_the_most_frequent_labels_have_colours_and_the_rest_share_one():
    labels = [label for label in range(10) for _ in range(10 - label)]
    found = group_items(tuple(map(str, range(55))), labels)
    assert found.names == ("0", "1", "2", "3", "4", "5", "6", "3 other labels")
    assert found.code[-1] == len(PALETTE)
    assert found.n_other == 3


def test_a_single_label_beyond_the_palette_keeps_its_name():
    assert group_items(tuple("abcdefgh"), list("abcdefgh")).names == tuple("abcdefgh")


def test_labels_may_be_given_by_name():
    by_name = group_items(("x", "y", "z"), {"z": "b", "x": "a", "y": "b", "more": "c"})
    assert by_name.code.tolist() == group_items(("x", "y", "z"), ["a", "b", "b"]).code.tolist() == [1, 0, 0]


@given(hierarchies(), st.integers(0, 99))
def test_a_node_has_the_code_that_all_its_items_share(tree, seed):
    code = np.random.default_rng(seed).integers(0, 3, tree.n_items)
    for v, found in enumerate(node_codes(tree, code).tolist()):
        held = set(code[tree.order.item[tree.order.item_low[v] : tree.order.item_high[v]]].tolist())
        assert {found} == held or (found == -1 and len(held) > 1)


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(ItemMismatchError, match="labels must be as many as the items, 2; got 3"):
        group_items(("x", "y"), [1, 2, 3])
    with pytest.raises(ItemMismatchError, match="labels must name every item; there is none for 'y'"):
        group_items(("x", "y"), {"x": 1})
    with pytest.raises(InvalidInputError, match="the given partition must hold no missing label"):
        group_items(("x", "y"), ["a", None])
