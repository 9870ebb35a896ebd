"""The plain array code on PyTorch's CPU, where PyTorch is installed; `make test-gpu` runs these tests."""

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.cluster.gpu.build import DeviceRequest, build_on_device
from dendrometry.cluster.gpu.choose import Backend, numpy_backend
from dendrometry.cluster.gpu.plain import Plain
from dendrometry.cluster.linkages import LINKAGES

REASON = "needs PyTorch, which brings gigabytes; run by make test-gpu"
torch = pytest.importorskip("torch", reason=REASON)
xp = pytest.importorskip("array_api_compat.torch", reason=REASON)

BUILDS = [
    ("ward", "euclidean"),
    ("average", "cosine"),
    ("average", "euclidean"),
    ("single", "euclidean"),
    ("complete", "sqeuclidean"),
    ("group_average", "dot"),
    ("median", "euclidean"),
    ("complete", "chebyshev"),
    ("average", "canberra"),
    ("weighted", "correlation"),
    ("average", "jensenshannon"),
    ("complete", "mahalanobis"),
]


POINTS = np.random.default_rng(1).normal(size=(203, 5))


def built(X, linkage, metric="euclidean"):
    backend = Backend("torch", xp, torch.device("cpu"), Plain(xp), numpy_backend().repeater)
    rule = LINKAGES[LINKAGES[linkage].equal_to.get(metric, linkage)]
    return build_on_device(X, DeviceRequest(linkage, rule, metric, None, False), backend)


@pytest.mark.parametrize(("linkage", "metric"), BUILDS)
def test_equals_the_cpu(linkage, metric):
    X = np.abs(POINTS) if metric == "jensenshannon" else POINTS
    ours, theirs = built(X, linkage, metric), dm.agglomerate(X, linkage=linkage, metric=metric)
    np.testing.assert_array_equal(ours.hierarchy.parent, theirs.hierarchy.parent)
    np.testing.assert_allclose(ours.hierarchy.height, theirs.hierarchy.height, rtol=1e-10, atol=1e-12)


def test_tensors_that_record_gradients_are_points():
    tensor = torch.asarray(POINTS).requires_grad_()
    expected = dm.agglomerate(POINTS).hierarchy
    assert built(tensor, "ward").hierarchy == built(POINTS, "ward").hierarchy
    assert dm.agglomerate(tensor, device="auto").hierarchy == expected
    assert tensor.requires_grad


@pytest.mark.parametrize("X", [np.asfortranarray(POINTS), POINTS[::-1].copy()[::-1], POINTS.astype(">f8")])
def test_arrays_of_any_order_are_points(X):
    np.testing.assert_array_equal(built(X, "ward").hierarchy.height, built(POINTS, "ward").hierarchy.height)
