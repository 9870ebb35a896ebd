"""The consistency of items against its definition, its table, its picture and what is written back."""

import sys
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.partition.consistency import consistency as definition
from tests.oracles.partition.consistency import expected

import dendrometry as dm
from dendrometry import plot
from dendrometry._progress import reported_to
from dendrometry.measures import element_centric
from dendrometry.partition import consistency

RUNS = {"s1": list("aaabbb"), "s2": list("aaabbb"), "s3": list("aabbbb"), "t1": list("abcabc"), "t2": list("abcacb")}
GROUPS = ["low", "low", "low", "high", "high"]


@given(data=st.data())
def test_equals_its_definition(data):
    n, p = data.draw(st.integers(1, 7)), data.draw(st.integers(2, 5))
    levels = [data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)) for _ in range(p)]
    assert consistency(levels).values.tolist() == pytest.approx([float(x) for x in definition(levels)], abs=1e-12)


def test_the_mean_over_the_items_is_the_element_centric_similarity():
    found = consistency([RUNS["s1"], RUNS["s3"]])
    assert found.values.mean() == pytest.approx(element_centric(RUNS["s1"], RUNS["s3"]))
    assert found.groups[0].similarity == pytest.approx(element_centric(RUNS["s1"], RUNS["s3"]))


@given(data=st.data())
def test_the_mean_by_chance_is_that_of_all_relabellings(data):
    n, p = data.draw(st.integers(1, 5)), data.draw(st.integers(2, 3))
    levels = [data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)) for _ in range(p)]
    (group,) = consistency(levels).groups
    by_chance = float(expected(levels))
    assert group.expected == pytest.approx(by_chance, abs=1e-12)
    if all(len(set(level)) in (1, n) for level in levels):
        assert group.adjusted is None
    else:
        assert group.adjusted == pytest.approx((group.mean - by_chance) / (1 - by_chance), abs=1e-9)


def test_chance_gives_zero_and_equal_clusterings_one():
    rng = np.random.default_rng(0)
    runs = [rng.integers(0, k, 20_000) for k in (2, 5, 9, 300)]
    (group,) = consistency(runs).groups
    assert abs(group.adjusted) < 0.001
    assert "No pair of them is more consistent than by chance." in consistency([[0, 0, 1, 1], [0, 1, 0, 1]]).tell()
    assert consistency([runs[1], runs[1]]).groups[0].adjusted == 1.0


def test_neither_one_cluster_nor_single_items_are_recommended():
    one, single, runs = [0] * 6, list(range(6)), [list("aabbcc"), list("aabbcd")]
    found = consistency([one, one, *runs, single, single], groups=list("xxyyzz"))
    assert [round(group.mean, 2) for group in found.groups] == [1.0, 0.83, 1.0]
    assert "Group y is most consistent" in found.tell()
    assert "nothing can be judged" in consistency([one, one, single]).tell()
    assert consistency([one, one, runs[0]]).groups[0].central == "3"
    assert "No pair of them" in consistency([one, one, runs[0]]).tell()
    assert consistency([one, one, single]).groups[0].central == "1"
    low, high = ([0] * 50 + [1] * 50, [0] * 49 + [1] * 51), (np.arange(100) // 10, (np.arange(100) + 1) // 10)
    coarse, fine = consistency([*low, *high], groups=list("xxyy")).groups
    assert coarse.expected > fine.expected


def test_groups_are_judged_apart():
    found = consistency(RUNS, groups=GROUPS)
    low, high = consistency([RUNS["s1"], RUNS["s2"], RUNS["s3"]]), consistency([RUNS["t1"], RUNS["t2"]])
    assert found.by_group.tolist() == [low.values.tolist(), high.values.tolist()]
    assert found.values.tolist() == ((low.values + high.values) / 2).tolist()
    assert [(g.group, g.n_clusterings, g.fewest_clusters, g.most_clusters, g.central) for g in found.groups] == [
        ("low", 3, 2, 2, "s1"),
        ("high", 2, 3, 3, "t1"),
    ]
    by_name = consistency(RUNS, groups=dict(zip(RUNS, GROUPS, strict=True)))
    assert by_name.by_group.tolist() == found.by_group.tolist()
    assert list(found.to_frame()["group"]) == ["low", "high"]


def test_labels_and_order_make_no_difference():
    renamed = [[{"a": 9, "b": 4}[x] for x in RUNS["s1"]], RUNS["s3"]]
    assert consistency(renamed).values.tolist() == consistency([RUNS["s3"], RUNS["s1"]]).values.tolist()


def test_doubtful_items_come_first():
    found = consistency([list("aabb"), list("aabb"), list("abcc")], item_names=list("wxyz"))
    assert found.values.tolist() == pytest.approx([2 / 3, 2 / 3, 1, 1])
    assert found.doubtful(0.7) == ["w", "x"]
    assert "Distrust" not in found.tell()
    found = consistency([list("aaaa"), list("abcd")], item_names=list("wxyz"))
    assert "Distrust 4 items: 'w', 'x', 'y'" in found.tell()
    assert consistency([list("aab"), list("aab")]).doubtful() == []


def test_is_written_to_the_obs_of_an_anndata():
    obs = pd.DataFrame(RUNS, index=[f"cell{i}" for i in range(6)])
    data = SimpleNamespace(obs=obs.copy())
    found = consistency(data, columns=["s1", "s2", "s3"])
    found.write_obs(data)
    assert data.obs["consistency"].tolist() == found.values.tolist()
    with pytest.raises(dm.errors.InvalidInputError, match="key must be text; got 3"):
        found.write_obs(data, key=3)
    mixed = obs.iloc[[3, 0, 5, 1, 4, 2]].copy()
    found.write_obs(mixed, key="steady")
    assert mixed["steady"].tolist() == found.values[[3, 0, 5, 1, 4, 2]].tolist()
    with pytest.raises(dm.errors.InvalidInputError, match="write_obs takes an AnnData or a data frame"):
        found.write_obs([1.0])


def test_only_the_rows_of_the_items_are_written_to():
    obs = pd.DataFrame(RUNS, index=[f"cell{i}" for i in range(6)])
    found = consistency(obs)
    for names, reason in (
        (["cell0", "cell1"], "it lacks 'cell2', 'cell3', 'cell4', 'cell5'"),
        ([*obs.index, "x"], "once; these are no items: 'x'"),
        ([*obs.index, "cell2"], "more than once: 'cell2'"),
        (range(6), r"it lacks 'cell0', .* and 1 more, these are no items: '0', .* and 1 more"),
    ):
        with pytest.raises(dm.errors.ItemMismatchError, match=reason):
            found.write_obs(pd.DataFrame(index=names))
    with pytest.raises(dm.errors.ItemMismatchError, match=r"it lacks '0', .* \(consistency\(\.\.\., item_names="):
        consistency(RUNS).write_obs(obs)


def test_columns_that_are_no_clusterings_are_refused_with_advice():
    obs = pd.DataFrame({"n_counts": [0.5, 1.5, 2.0], "s1": [0, 1, 1], "s2": [0, 0, 1]})
    for data in (obs, SimpleNamespace(obs=obs), dict(obs)):
        with pytest.raises(dm.errors.InvalidInputError, match=r"position 0.* \(columns= names the levels\)"):
            consistency(data)
    with pytest.raises(dm.errors.InvalidInputError, match=r"position 0$"):
        consistency(obs, columns=["n_counts", "s1"])
    with pytest.raises(dm.errors.InvalidInputError, match="there must be at least two clusterings; got 's1' alone"):
        consistency(obs, columns=["s1"])


def test_the_picture_has_a_box_for_each_group():
    found = consistency(RUNS, groups=GROUPS)
    ax = plot.consistency_groups(found)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["low", "high"]
    drawn = {line.get_label(): line.get_ydata() for line in ax.lines}
    np.testing.assert_array_equal(drawn["mean by chance"], [group.expected for group in found.groups])
    with pytest.raises(dm.errors.InvalidInputError, match="consistency_groups draws what consistency"):
        plot.consistency_groups(RUNS)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"groups": GROUPS[:2]}, "groups must be one for each clustering, 5; got 2"),
        ({"groups": {"s1": "x"}}, "groups must have every clustering; these are missing"),
        ({"groups": ["x", "x", "x", "x", "y"]}, "each group must have two clusterings or more"),
        ({"columns": ["s1"]}, "there must be at least two clusterings; got 's1' alone"),
    ],
)
def test_refuses_bad_groups(options, reason):
    with pytest.raises(dm.errors.InvalidInputError, match=reason):
        consistency(RUNS, **options)


def test_refuses_clusterings_of_different_items():
    with pytest.raises(dm.errors.ItemMismatchError, match="one label for each item"):
        consistency([[0, 1], [0, 1, 2]])


def test_any_number_of_clusters_is_counted():
    rng = np.random.default_rng(0)
    runs = [rng.integers(0, k, 20_000) for k in (5, 140, 150, 9_000, 20_000)] + [np.arange(20_000)]
    found, rows = consistency(runs), []
    for i, j in combinations(range(len(runs)), 2):
        table = pd.Series(runs[i] * 20_000 + runs[j])
        together = table.map(table.value_counts()).to_numpy()
        rows.append(together / np.maximum(np.bincount(runs[i])[runs[i]], np.bincount(runs[j])[runs[j]]))
    assert found.values == pytest.approx(np.mean(rows, axis=0), abs=1e-12)
    assert found.groups[0].mean == pytest.approx(np.mean(rows), abs=1e-12)


def test_progress_counts_the_pairs_of_all_groups(monkeypatch):
    monkeypatch.setattr(sys.modules["dendrometry.partition.consistency"], "_TURN", 12)
    steps = []
    with reported_to(lambda title, done, total: steps.append((title, done, total))):
        found = consistency(RUNS, groups=GROUPS, progress=True)
    assert {(title, total) for title, _, total in steps} == {("comparing", 4)}
    assert [done for _, done, _ in steps] == sorted(done for _, done, _ in steps)
    assert steps[-1][1] == 4
    monkeypatch.undo()
    assert consistency(RUNS, groups=GROUPS).by_group.tolist() == found.by_group.tolist()


def test_the_result_depends_on_no_number_of_threads(monkeypatch):
    rng = np.random.default_rng(0)
    runs = [rng.integers(0, 9, 500) for _ in range(12)]
    here = consistency(runs).values.tolist()
    monkeypatch.setattr(sys.modules["dendrometry.partition.consistency"], "n_cores", lambda: 1)
    assert consistency(runs).values.tolist() == here
