"""The kernels that come with the package: everyday calls at 5,000 items find them all, and compile none."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dendrometry._kernels import signatures

pytestmark = pytest.mark.compiled
ROOT = Path(__file__).parents[2]

EVERY_DAY = """
import os, sys, tempfile
import numpy as np
import dendrometry as dm
assert "site-packages" in dm.__file__, dm.__file__

n = 5000
random = np.random.default_rng(0)
points = random.normal(size=(n, 8)) + 6 * random.integers(0, 5, (n, 1))
names = [f"item{i}" for i in range(n)]
build = lambda linkage: dm.agglomerate(points, linkage=linkage, item_names=names).hierarchy
trees = [build(linkage) for linkage in ("ward", "average", "complete", "single", "centroid")]
a, b = trees[:2]
with tempfile.TemporaryDirectory() as folder:
    for name, tree in (("a.nwk", a), ("b.json", b)):
        dm.write(tree, os.path.join(folder, name))
    found = dm.compare(*(dm.read(os.path.join(folder, name)) for name in ("a.nwk", "b.json")))
    dm.report(found, os.path.join(folder, "page.html"))
dm.stages(a, b).adjusted_rand
dm.diff(a, b)
dm.cut_count(a, 5)
dm.stability(points, n_replicates=5, n_references=0)
texts = [" ".join(f"word{word}" for word in row) for row in random.zipf(1.3, (n, 12)) % 2000]
dm.text.cluster_documents(dm.text.vectorize_documents(texts))
from dendrometry._kernels._compiler import COMPILED
from dendrometry._kernels.signatures import spell
print(*(spell(*made) for made in COMPILED), sep="\\n")
"""


def obey_permissions():
    """Take from root, for what is run next, the right to write wherever it likes."""
    if os.getuid() == 0:
        drop_capability, override = 24, 1
        ctypes.CDLL(None).prctl(drop_capability, override, 0, 0, 0)


@pytest.mark.further
def test_no_everyday_call_from_a_wheel_compiles(tmp_path):
    if not any((ROOT / "src" / "dendrometry" / "_kernels" / "compiled").glob("*-*")):
        pytest.fail("the kernels must be compiled first: make compiled")
    run = {"cwd": ROOT, "check": True, "capture_output": True, "text": True}
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], **run)
    (wheel,) = tmp_path.glob("*.whl")
    assert "none-any" not in wheel.name
    empty, home = tmp_path / "empty", tmp_path / "home"
    subprocess.run([sys.executable, "-m", "venv", str(empty)], **run)
    python = str(empty / ("Scripts" if os.name == "nt" else "bin") / "python")
    install = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "-c", "constraints.txt"]
    subprocess.run([*install, f"{wheel}[report,text]"], **run)
    home.mkdir(mode=0o555)
    system = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    environment = {**system, "HOME": str(home), "LOCALAPPDATA": str(home)}
    done = subprocess.run(
        [python, "-c", EVERY_DAY],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        preexec_fn=obey_permissions if sys.platform == "linux" else None,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == []
    assert not list(home.iterdir())


def test_the_list_is_sorted_and_says_what_its_lines_mean():
    lines = signatures.listed()
    assert lines == sorted(set(lines))
    for line in lines:
        kernel, types = signatures.kernel_of(line), signatures.types_of(line)
        assert signatures.spell(kernel.py_func, types) == line
