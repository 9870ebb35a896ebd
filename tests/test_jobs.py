"""Jobs run on threads, or through joblib on any backend, and give the same numbers everywhere."""

import sys

import joblib
import numpy as np
import pytest

import dendrometry as dm
from dendrometry import _jobs
from dendrometry.resampling import stability
from tests.strategies import random_linkage

rng = np.random.default_rng(0)
TREES = [dm.from_linkage(random_linkage(12, rng)) for _ in range(3)]
POINTS = rng.normal(size=(12, 3))


def numbers(n_jobs):
    """Return every number that replicates give, as bits."""
    test = dm.permutation_test(TREES[0], TREES[1], n_permutations=20, rng=7, n_jobs=n_jobs)
    matrix = dm.pairwise_matrix(TREES, n_jobs=n_jobs)
    found = stability(POINTS, n_replicates=6, n_references=1, rng=4, n_jobs=n_jobs)
    return test.null.tobytes(), matrix.values.tobytes(), found.agreement.values.tobytes()


@pytest.fixture(scope="module")
def alone():
    return numbers(1)


@pytest.mark.parametrize("n_jobs", [2, -1, None])
@pytest.mark.parametrize("backend", ["threading", "sequential"])
def test_every_backend_gives_the_same_numbers(alone, backend, n_jobs):
    with joblib.parallel_config(backend):
        assert numbers(n_jobs) == alone


@pytest.mark.further
@pytest.mark.compiled
def test_processes_give_the_same_numbers(alone):
    with joblib.parallel_config("loky", n_jobs=2):
        assert numbers(None) == alone


@pytest.mark.slow
def test_dask_gives_the_same_numbers(alone):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config("dask"),
    ):
        assert numbers(-1) == alone


def test_a_backend_of_joblib_gets_the_jobs():
    sent = []

    class Backend(joblib.parallel.ThreadingBackend):
        def submit(self, func, callback=None):
            sent.append(func)
            return super().submit(func, callback)

    joblib.register_parallel_backend("counting", Backend)
    try:
        with joblib.parallel_config("counting", n_jobs=2):
            assert list(_jobs.results_in_parts(str, range(300), None)) == list(map(str, range(300)))
    finally:
        joblib.parallel.BACKENDS.pop("counting")
    assert len(sent) == 100  # parts of three


@pytest.mark.parametrize(("n_jobs", "n_threads"), [(None, 1), (1, 1), (5, 5), (-1, 3), (-2, 2), (-9, 1)])
def test_threads_stand_in_for_joblib_until_it_is_imported(monkeypatch, n_jobs, n_threads):
    asked = []
    monkeypatch.delitem(sys.modules, "joblib")
    monkeypatch.setattr(_jobs, "n_cores", lambda: 3)
    monkeypatch.setattr(_jobs, "run_in_threads", lambda run, parts, count: asked.append(count) or map(run, parts))
    assert list(_jobs.results_in_parts(str, range(5), n_jobs)) == list("01234")
    assert asked == [n_threads]


def test_no_jobs_give_no_results():
    assert list(_jobs.results_in_parts(str, [], -1)) == []


def test_an_error_of_a_job_is_raised():
    with pytest.raises(ZeroDivisionError):
        list(_jobs.results_in_parts(lambda x: 1 / x, [1, 0], 2))
