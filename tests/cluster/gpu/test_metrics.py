"""SciPy's other metrics in the array code of a device, which NumPy runs here, against SciPy and the CPU."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform

import dendrometry as dm
from dendrometry.cluster.gpu import build
from dendrometry.cluster.gpu.build import DeviceRequest, build_on_device, chosen_backend
from dendrometry.cluster.gpu.choose import numpy_backend
from dendrometry.cluster.gpu.metrics import DEVICE_METRICS, metric_square, prepare_for_metric
from dendrometry.cluster.linkages import BOOLEAN_METRICS, LINKAGES, METRICS, OWN_METRICS
from dendrometry.errors import InvalidInputError

COUNTED = ("hamming", *BOOLEAN_METRICS)  # many distances tie
REAL = [metric for metric in DEVICE_METRICS if metric not in COUNTED]
X = np.random.default_rng(0).random((80, 14))


def built(points, linkage, metric):
    request = DeviceRequest(linkage, LINKAGES[linkage], metric, None, False)
    return build_on_device(points, request, numpy_backend())


def square(points, metric):
    backend = numpy_backend()
    ready = prepare_for_metric(points, metric, backend)
    return np.ldexp(metric_square(ready.points, metric, backend), ready.exponent)


def test_all_but_jaccard_are_taken():
    assert {*OWN_METRICS, *DEVICE_METRICS, "jaccard"} == set(METRICS)


@pytest.mark.parametrize("metric", DEVICE_METRICS)
def test_distances_equal_scipy(metric):
    points = np.round(X) if metric in BOOLEAN_METRICS else np.round(3 * X) if metric == "hamming" else X
    ours, theirs = square(points, metric), squareform(pdist(points, metric))
    off = ~np.eye(80, dtype=bool)
    np.testing.assert_allclose(ours[off], theirs[off], rtol=1e-12, atol=1e-14)
    assert np.isinf(np.diag(ours)).all()
    np.testing.assert_array_equal(ours, ours.T)


def test_zeros_have_the_distances_of_scipy():
    points = np.array([[0.0, 0.0, 1.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
    off = ~np.eye(3, dtype=bool)
    for metric in ("canberra", "braycurtis", "jensenshannon"):
        np.testing.assert_allclose(square(points, metric)[off], cdist(points, points, metric)[off], rtol=1e-12)
    truths = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]])
    off = ~np.eye(4, dtype=bool)
    for metric in ("yule", "rogerstanimoto", "russellrao"):
        there = cdist(truths.astype(bool), truths.astype(bool), metric)
        np.testing.assert_allclose(square(truths, metric)[off], there[off], rtol=1e-12)


@pytest.mark.parametrize("linkage", ["complete", "average", "weighted"])
@pytest.mark.parametrize("metric", REAL)
def test_trees_equal_the_cpu(metric, linkage):
    ours, theirs = built(X, linkage, metric), dm.agglomerate(X, linkage=linkage, metric=metric)
    np.testing.assert_array_equal(ours.hierarchy.parent, theirs.hierarchy.parent)
    np.testing.assert_allclose(ours.hierarchy.height, theirs.hierarchy.height, rtol=1e-10)
    np.testing.assert_allclose(ours.similarity, theirs.similarity, rtol=1e-10)
    report = ours.report
    assert (report.algorithm, report.ties, report.device.search, report.device.scans) == (
        "matrix_reciprocal",
        0,
        "float64",
        1.0,
    )


@pytest.mark.parametrize("metric", DEVICE_METRICS)
def test_one_point_is_a_tree(metric):
    one = X[:1]
    ours, theirs = built(one, "complete", metric), dm.agglomerate(one, linkage="complete", metric=metric)
    assert ours.hierarchy == theirs.hierarchy


@pytest.mark.parametrize("metric", COUNTED)
def test_ties_are_counted(metric):
    assert built(np.round(X), "average", metric).report.ties > 0


@pytest.mark.parametrize("points", [X + 1e6, 1e200 * X, 1e-200 * X], ids=["far from 0", "large", "small"])
@pytest.mark.parametrize("metric", ["cityblock", "chebyshev", "minkowski", "seuclidean", "mahalanobis"])
def test_neither_scale_nor_place_loses_digits(metric, points):
    ours, theirs = (tree.hierarchy.height for tree in (built(points, "complete", metric),
                    dm.agglomerate(points, linkage="complete", metric=metric)))  # fmt: skip
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)


@pytest.mark.parametrize(
    ("points", "metric", "message"),
    [
        (
            [[1.0, 2.0], [3.0, 3.0], [2.0, 1.0]],
            "correlation",
            "correlation must give finite distances; that of items 0",
        ),
        ([[1.0, 2.0], [0.0, 0.0], [0.0, 0.0]], "braycurtis", "of items 1 and 2 is nan"),
        ([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]], "dice", "of items 1 and 2 is nan"),
        ([[1.0, 2.0], [3.0, 2.0]], "seuclidean", "columns must vary for seuclidean; column 1 is constant"),
        ([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]], "mahalanobis", "columns must be linearly independent"),
        ([[1.0, 2.0], [3.0, 2.0]], "yule", "points must be 0 or 1 for yule"),
        ([[1.0, np.nan], [3.0, 2.0]], "cityblock", "points must be finite; got nan in row 0, column 1"),
        (
            [[1.0, 2.0], [3.0, 2.0]],
            "jaccard",
            r"weighted also on chebyshev, cityblock, .*\); got complete linkage on jac",
        ),
    ],
)
def test_refuses(points, metric, message):
    with pytest.raises(InvalidInputError, match=message):
        built(np.array(points), "complete", metric)


@pytest.mark.parametrize("linkage", ["single", "group_average"])
def test_other_linkages_are_refused(linkage):
    with pytest.raises(InvalidInputError, match=f"got {linkage} linkage on cityblock"):
        built(X, linkage, "cityblock")


def test_what_does_not_fit_is_refused_before_the_points_are_prepared(monkeypatch):
    monkeypatch.setattr(build.Backend, "free_memory", lambda self: 1 << 30)
    monkeypatch.setattr(build, "prepare_for_metric", lambda *given: pytest.fail("prepares the points"))
    with pytest.raises(
        InvalidInputError, match=r"complete linkage of 80 points on cityblock needs \d\.\d GiB of device"
    ):
        built(X, "complete", "cityblock")


def test_auto_leaves_to_the_cpu_what_has_other_bits(monkeypatch):
    backend = numpy_backend()
    monkeypatch.setattr(build, "cuda_is_there", lambda: True)
    monkeypatch.setattr(build, "cuda_backend", lambda: backend)
    monkeypatch.setattr(build.Backend, "free_memory", lambda self: 1 << 60)
    many = SimpleNamespace(shape=(20_000, 3))
    for linkage, metric in (("ward", "euclidean"), ("average", "cosine"), ("single", "sqeuclidean")):
        assert chosen_backend(many, LINKAGES[linkage], metric, "auto") is backend
    for linkage, metric in (
        ("complete", "euclidean"),
        ("complete", "cityblock"),
        ("average", "dot"),
        ("single", "dot"),
    ):
        assert chosen_backend(many, LINKAGES[linkage], metric, "auto") is None  # the last bits differ
    assert chosen_backend(many, LINKAGES["complete"], "cityblock", "cuda") is backend
