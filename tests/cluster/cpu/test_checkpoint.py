"""A build that is stopped goes on from its file to the same tree, to the last bit."""

import numpy as np
import pytest

from dendrometry import _threads, agglomerate
from dendrometry.cluster.cpu import checkpoint
from dendrometry.cluster.cpu.checkpoint import Checkpoint
from dendrometry.cluster.cpu.pace import Pace
from dendrometry.errors import InvalidInputError

RNG = np.random.default_rng(5)
WIDTH = RNG.gamma(0.5, size=150)[RNG.integers(150, size=1500)][:, None]
POINTS = {
    "noise": RNG.normal(size=(1500, 6)),
    "dense groups": 9 * RNG.normal(size=(150, 6))[RNG.integers(150, size=1500)] + WIDTH * RNG.normal(size=(1500, 6)),
    "equal points": RNG.normal(size=(900, 3))[RNG.integers(900, size=1500)],
    "ties": RNG.integers(1, 5, size=(1500, 4)).astype(float),
}


class StoppedError(Exception):
    """What stops a build in the middle."""


def stop_after(monkeypatch, count):
    """Let every state be written, and stop after some of them."""
    plain = Checkpoint.write
    written = []

    def write(self, state):
        plain(self, state)
        written.append(state)
        if len(written) == count:
            raise StoppedError

    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    monkeypatch.setattr(Checkpoint, "write", write)
    return written


@pytest.mark.parametrize(("linkage", "metric"), [("ward", "euclidean"), ("average", "cosine")])
@pytest.mark.parametrize("name", POINTS)
def test_a_stopped_build_goes_on_to_the_same_tree(name, linkage, metric, monkeypatch, tmp_path):
    monkeypatch.setattr(_threads, "_LARGEST", 256)  # several turns in each search
    path = tmp_path / "build.npz"
    expected = agglomerate(POINTS[name], linkage=linkage, metric=metric)
    n_stops = 0
    with monkeypatch.context() as patch:
        for count in (1, 3, 7, 2, 11, 5, 40, 10**9):  # each run writes so many states, and is then stopped
            patch.undo()
            stop_after(patch, count)
            try:
                built = agglomerate(POINTS[name], linkage=linkage, metric=metric, resume=path)
            except StoppedError:
                n_stops += 1
                assert path.exists()
    assert n_stops > (0 if name == "ties" else 2)  # ties soon leave the rest to the greedy algorithm
    assert not path.exists()
    assert np.array_equal(built.hierarchy.parent, expected.hierarchy.parent)
    assert np.array_equal(built.hierarchy.height, expected.hierarchy.height)
    assert (built.report.rounds, built.report.ties) == (expected.report.rounds, expected.report.ties)


def test_only_what_is_left_is_done(monkeypatch, tmp_path):
    monkeypatch.setattr(_threads, "_LARGEST", 256)
    path, points = tmp_path / "build.npz", POINTS["noise"]
    with monkeypatch.context() as patch:
        all_states = stop_after(patch, 10**9)
        agglomerate(points, resume=path)
    with monkeypatch.context() as patch:
        stop_after(patch, len(all_states) // 2)
        with pytest.raises(StoppedError):
            agglomerate(points, resume=path)
    with monkeypatch.context() as patch:
        rest = stop_after(patch, 10**9)
        agglomerate(points, resume=path)
    assert len(rest) == len(all_states) - len(all_states) // 2


@pytest.mark.parametrize("change", ["points", "linkage", "not a state"])
def test_the_file_of_another_build_is_refused(change, monkeypatch, tmp_path):
    path = tmp_path / "build.npz"
    stop_after(monkeypatch, 1)
    with pytest.raises(StoppedError):
        agglomerate(POINTS["noise"], resume=path)
    points, other = POINTS["noise"] + (change == "points"), {}
    if change == "linkage":
        other = {"linkage": "average", "metric": "sqeuclidean"}
    if change == "not a state":
        path.write_bytes(b"PK\3\4 torn")
    with pytest.raises(InvalidInputError, match="must be a new file, or that of a build of the same points"):
        agglomerate(points, resume=path, **other)
    assert path.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"linkage": "complete"}, "resume requires ward on euclidean, or .*; got complete on euclidean"),
        ({"linkage": "average"}, "got average on euclidean"),
        ({"start": [0, 1, 1, 0]}, "resume takes no start; got both"),
        ({"tie_rng": 1}, "resume takes no tie_rng; got both"),
        ({"connectivity": (4,)}, "resume takes no connectivity; got both"),
        ({"device": "cuda"}, "resume requires device='cpu' or auto; got cuda"),
        ({"resume": "build.txt"}, "resume must end in .npz; got build.txt"),
        ({"resume": "nowhere/build.npz"}, "there is no such folder"),
    ],
)
def test_what_cannot_be_resumed_is_refused(given, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInputError, match=said):
        agglomerate([[0.0], [1.0], [5.0], [7.0]], **({"resume": "build.npz"} | given))


def test_few_points_leave_no_file(tmp_path):
    agglomerate([[0.0], [1.0], [5.0]], resume=tmp_path / "build.npz")
    assert list(tmp_path.iterdir()) == []


def test_a_bar_moves_with_the_work_and_ends_where_it_should():
    steps = []
    pace = Pace(1001, steps.append)
    for turn in range(1, 5):
        pace.searched(turn / 4)
    first = sum(steps)
    assert 0.3 < first / 1000 < 0.45  # the first search takes 0.38 of the time on noise
    for left in (700, 480, 330, 225):
        pace.merged(pace._left - left)
        before = sum(steps)
        pace.searched(0.5)
        assert sum(steps) > before
    assert all(step > 0 for step in steps)
    pace.begin_anew()
    assert sum(steps) == 0
    pace.finish()
    assert sum(steps) == 1000
