"""Van Dongen's similarity equals its definition over largest overlaps."""

import numpy as np

from dendrometry import Contingency
from dendrometry.measures import van_dongen


def test_four_items_by_hand():
    # largest overlaps: 2 and 1 of the first partition, 2 and 1 of the second
    assert van_dongen([0, 0, 0, 1], [0, 0, 1, 1]) == (2 + 1 + 2 + 1) / 8


def test_many_clusters_on_both_sides_stay_sparse():
    a = np.arange(100_000)
    table = Contingency.of(a, a // 2)
    assert table.n_cells == 100_000
    assert van_dongen(table) == 0.75
