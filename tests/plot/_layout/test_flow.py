import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Contingency
from dendrometry.partition import bipartite
from dendrometry.plot._layout.flow import coarse, flow

labelings = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 6), min_size=n, max_size=n) for _ in range(2)])
)


@given(labelings)
def test_bars_are_as_high_as_their_items_and_do_not_overlap(pair):
    graph = bipartite(*pair)
    where, way = flow(graph), graph.derivation()
    height = where.high - where.low
    assert height / height.sum() == pytest.approx(way.size / way.size.sum())
    assert where.low.min() >= -1e-12
    assert where.high.max() <= 1 + 1e-12
    for layer in range(3):
        order = np.flatnonzero(way.layer == layer)[np.argsort(where.low[way.layer == layer])]
        assert (where.high[order][:-1] <= where.low[order][1:] + 1e-12).all()


@given(labelings)
def test_ribbons_fill_their_bars_from_end_to_end(pair):
    graph = bipartite(*pair)
    where, way = flow(graph), graph.derivation()
    for bar in range(way.layer.size):
        for side, low in ((where.source, where.source_low), (where.target, where.target_low)):
            held = np.flatnonzero(side == bar)
            if held.size == 0:
                continue
            held = held[np.argsort(low[held])]
            ends = np.append(low[held], where.high[bar])
            assert ends[0] == pytest.approx(where.low[bar], abs=1e-9)
            assert np.diff(ends) == pytest.approx(where.thickness[held], abs=1e-9)


@given(labelings)
def test_splits_do_not_cross_and_components_lie_together(pair):
    graph = bipartite(*pair)
    where = flow(graph)
    splits = np.arange(graph.table.n_cells)
    order = np.lexsort((where.target_low[splits], where.source_low[splits]))
    assert (np.diff(where.target_low[order]) > 0).all()
    component = graph.component_a[np.argsort(where.low[: graph.table.n_a])]
    assert np.count_nonzero(np.diff(component)) == graph.n_components - 1


def test_equal_partitions_flow_straight():
    where = flow(bipartite([0, 0, 1, 2], [5, 5, 6, 7]))
    assert where.source_low == pytest.approx(where.target_low)


def test_a_coarse_table_keeps_the_largest_clusters_and_counts_the_rest_together():
    table = Contingency.of([0] * 4 + [1] * 3 + [2] * 2 + [3], list("aaaabbbccd"))
    few = coarse(table, 3)
    assert few.row_of.tolist() == [0, 1, -1]
    assert few.column_of.tolist() == [0, 1, -1]
    assert few.table.sizes_a.tolist() == [4, 3, 3]
    assert coarse(table, 4).row_of.tolist() == [0, 1, 2, 3]
    assert few.table.n_items == table.n_items
