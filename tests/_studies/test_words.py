"""The study of words: the best match of each field."""

import numpy as np
import pytest

from dendrometry._studies import alike
from dendrometry._studies.inputs.words import Words
from dendrometry._studies.words import _fields, words
from dendrometry.generate import random_tree
from tests._studies.committed import assert_as_committed


@pytest.fixture(scope="module")
def result():
    return words(quick=True)


def test_planted_fields_are_found_better_than_by_chance(result):
    frame = result.to_frame("fields")
    assert (frame.f >= frame.lowest).all()
    assert (frame.f <= frame.highest).all()
    assert frame.f.mean() > frame.by_chance.mean()
    assert frame.words.min() >= 2


def clusters_of(tree):
    clusters = [set() for _ in range(tree.n_nodes)]
    for item, v in zip(tree.items, tree.item_node.tolist(), strict=True):
        while v >= 0:
            clusters[v].add(item)
            v = int(tree.parent[v])
    return clusters


def test_what_a_field_has_by_chance_is_a_mean_over_relabellings():
    trees = {f"way {seed}": random_tree(12, shape="merges", rng=seed) for seed in (0, 1)}
    fields = ("a",) * 5 + ("b",) * 4 + ("c",) * 3
    items = trees["way 0"].items
    frame = _fields(Words(items, (), fields, np.empty((12, 0)), 12), trees, 4, np.random.default_rng(2)).to_frame()
    assert sorted(frame.field) == ["a", "b"]
    rng, best = np.random.default_rng(2), {"a": [], "b": []}
    for _ in range(alike.RELABELLINGS):
        order = rng.permutation(12)
        for name, found in best.items():
            of_field = {items[i] for i in range(12) if fields[order[i]] == name}
            for tree in trees.values():
                clusters = clusters_of(tree)
                found.append(max(2 * len(of_field & one) / (len(of_field) + len(one)) for one in clusters))
    assert frame.set_index("field").by_chance.to_dict() == pytest.approx({k: np.mean(v) for k, v in best.items()})


def test_the_picture_has_a_line_for_each_field(result):
    ax = result.figure("fields").axes[0]
    assert len(ax.get_yticks()) == len(result.to_frame("fields"))


@pytest.mark.slow
def test_the_full_study_is_the_committed_one():
    assert_as_committed(words(), rtol=1e-4)
