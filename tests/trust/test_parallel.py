"""Eight threads, forked and spawned processes: the same bits as one thread, and no process that waits forever."""

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from dendrometry import Hierarchy, agglomerate, compare, read, stages, write
from dendrometry.cluster import bisect
from dendrometry.generate import random_tree
from dendrometry.levels import profile
from dendrometry.text import near_duplicates, vectorize_documents

pytestmark = pytest.mark.compiled

N = 9000  # so that the columns of one tree are more than a kernel takes on the main thread
PATIENCE = 1800  # seconds for a pool, which may have to compile on a busy machine; a deadlock lasts longer


def fresh_trees():
    """Return two trees whose derived columns are not there yet."""
    return [random_tree(N, rng=i) for i in range(2)]


def points():
    return np.random.default_rng(1).random((N, 3))


def texts():
    words = np.random.default_rng(2).integers(0, 60, (300, 8))
    return vectorize_documents([" ".join(f"w{word}" for word in row) for row in words])


def bits(tree):
    """Return a tree as bytes."""
    assert isinstance(tree, Hierarchy)
    return tree.parent.tobytes(), None if tree.height is None else tree.height.tobytes()


JOBS = {
    "compare": lambda _: [(line.name, line.value, line.expected) for line in compare(*fresh_trees()).lines],
    "single": lambda _: bits(agglomerate(points(), linkage="single").hierarchy),
    "ward": lambda _: bits(agglomerate(points()[:3000], linkage="ward").hierarchy),
    "average": lambda _: bits(agglomerate(points()[:600], linkage="average").hierarchy),
    "bisect": lambda _: bits(bisect(points()[:2000], rng=0).hierarchy),
    "profile": lambda _: profile(*fresh_trees()).value.tobytes(),
    "stages": lambda _: [column.tobytes() for column in (stages(*fresh_trees()).t, stages(*fresh_trees()).z)],
    "near_duplicates": lambda _: near_duplicates(texts(), threshold=0.3).similarity.tobytes(),
    "newick": lambda folder: bits(read(f"{folder}/tree.nwk")),
    "json": lambda folder: bits(read(f"{folder}/tree.json.gz")),
}


def do(job):
    """Do a job by its name, here or in another process."""
    name, folder = job
    return JOBS[name](folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    for name in ("tree.nwk", "tree.json.gz"):
        write(random_tree(2000, rng=3), folder / name)
    return str(folder)


@pytest.fixture(scope="module")
def alone(folder):
    """What each job gives on the main thread of this process, which has compiled all kernels thereby."""
    return {name: do((name, folder)) for name in JOBS}


def test_eight_threads_give_the_same_bits_as_one(alone, folder):
    todo = [(name, folder) for _ in range(4) for name in JOBS]
    with ThreadPoolExecutor(8) as pool:
        for job, found in zip(todo, pool.map(do, todo), strict=True):
            assert found == alone[job[0]], job


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_processes_compute_after_kernels_have_run_here(alone, folder, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system cannot {method}")
    names = list(JOBS) if method == "fork" else ["compare", "single", "newick"]
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(do, [(name, folder) for name in names]).get(PATIENCE)
    assert dict(zip(names, found, strict=True)) == {name: alone[name] for name in names}


# A thread forks while the main thread waits for a kernel; the child has neither that thread nor its handler of SIGINT.
FORKED_BY_A_THREAD = """
import os, signal, threading
import numpy as np
from dendrometry import _interrupt
from dendrometry._kernels.tree import depths
signal.signal(signal.SIGINT, signal.default_int_handler)
parent = np.append(np.arange(1, 40_000), -1)
depths(parent)
codes = []

def child():
    try:
        signal.raise_signal(signal.SIGINT)
        return 3
    except KeyboardInterrupt:
        return 7 if depths(parent)[0] == 39_999 and _interrupt.on_main_thread() else 4

def fork():
    pid = os.fork()
    if pid == 0:
        try:
            os._exit(child())
        finally:
            os._exit(5)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

thread = threading.Thread(target=fork)
_interrupt.keep_back(lambda: (thread.start(), thread.join()))
print(codes)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_process_forked_by_a_thread_computes_and_can_be_interrupted():
    command = [sys.executable, "-W", "ignore", "-c", FORKED_BY_A_THREAD]
    run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (run.stdout.strip(), run.stderr) == ("[7]", "")


COMPILED_AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from dendrometry import hierarchy_agreement
from dendrometry.generate import random_tree
trees = [random_tree(3000, rng=seed) for seed in range(2)]
with ThreadPoolExecutor(8) as pool:
    print(set(pool.map(lambda _: hierarchy_agreement(*trees), range(8))))
print(hierarchy_agreement(*trees))
"""


@pytest.mark.slow
def test_eight_threads_may_compile_the_same_kernels_at_once(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", COMPILED_AT_ONCE]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr
    together, alone = run.stdout.splitlines()
    assert together == f"{{{alone}}}"
    assert list(tmp_path.rglob("*.nbi"))
