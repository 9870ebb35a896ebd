"""The estimator keeps scikit-learn's promises."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import check_estimator

from dendrometry import HierarchicalClustering
from dendrometry.errors import InvalidInputError, MissingExtraError

pytestmark = pytest.mark.compiled  # once is enough: the loops behind it have tests of their own


@pytest.mark.parametrize("linkage", ["ward", "complete", "single", "centroid"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_passes_every_check_of_scikit_learn(linkage):
    check_estimator(HierarchicalClustering(linkage=linkage))


@pytest.mark.parametrize("linkage", ["ward", "complete", "average", "single"])
def test_labels_equal_those_of_scikit_learn(linkage):
    X = np.random.default_rng(0).normal(size=(150, 4))
    ours = HierarchicalClustering(5, linkage=linkage).fit(X)
    theirs = AgglomerativeClustering(5, linkage=linkage).fit(X)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1.0


def test_keeps_the_tree_and_its_merges():
    model = HierarchicalClustering(None, linkage="single", height=1.0).fit([[0.0], [1.0], [7.0]])
    assert model.labels_.tolist() == [0, 0, 1]
    assert model.children_.tolist() == [[0, 1], [2, 3]]
    assert model.distances_.tolist() == [1.0, 6.0]
    assert model.hierarchy_.n_items == model.n_leaves_ == 3
    assert model.n_clusters_ == 2
    assert model.agglomeration_.report.linkage == "single"


def test_takes_sparse_samples_under_cosine():
    from scipy.sparse import csr_array

    X = np.random.default_rng(0).uniform(0.1, 1, size=(20, 3))
    dense = HierarchicalClustering(3, linkage="average", metric="cosine").fit(X)
    assert np.array_equal(clone(dense).fit(csr_array(X)).labels_, dense.labels_)


def test_wants_one_of_two_ways_to_cut():
    with pytest.raises(InvalidInputError, match="exactly one of n_clusters and height"):
        HierarchicalClustering(2, height=1.0).fit([[0.0], [1.0]])


def test_importing_the_package_does_not_load_scikit_learn():
    code = "import dendrometry, sys; sys.exit(any(m in sys.modules for m in ('sklearn', 'rich', 'matplotlib')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_device_is_passed_on(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    X = [[0.0], [1.0], [7.0]]
    assert HierarchicalClustering(device="auto").fit(X).agglomeration_.report.device is None
    with pytest.raises(MissingExtraError, match=r"needs torch: pip install 'dendrometry\[gpu\]'"):
        HierarchicalClustering(device="cuda").fit(X)
