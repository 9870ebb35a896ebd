"""The installed command, as a shell runs it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dendrometry

SOURCE = str(Path(dendrometry.__file__).parents[1])
COMMAND = Path(sys.executable).with_name("dendrometry")
ENVIRONMENT = {**os.environ, "PYTHONPATH": SOURCE, "PATH": f"{COMMAND.parent}{os.pathsep}{os.environ['PATH']}"}
HEAVY = ("numpy", "numba", "scipy", "matplotlib", "sklearn", "rich", "duckdb", "plotly")

pytestmark = [
    pytest.mark.skipif(not COMMAND.exists(), reason="the command is not installed beside this Python"),
    pytest.mark.compiled,  # what runs in a process of its own gains nothing from a second run
]


def shell(line, folder, **options):
    """Run a line of bash with the command on its path."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, **options
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.nwk").write_text("((ape:1,cat:1):2,owl:3);")
    (tmp_path / "points.csv").write_text("item,x\nape,0\ncat,1\nowl,5\n")
    return tmp_path


def test_a_tree_is_built_compared_and_converted(folder):
    done = shell(
        "dendrometry cluster points.csv --out b.nwk"
        " && dendrometry compare a.nwk - --format newick --json < b.nwk > result.json"
        " && dendrometry convert b.nwk - --to json",
        folder,
    )
    assert (done.returncode, done.stderr) == (
        0,
        "read points.csv: points: 3 items in 'item', 1 column in 'x'\nwrote b.nwk\n",
    )
    assert dendrometry.from_json(done.stdout.splitlines()[-1]) == dendrometry.read(folder / "b.nwk")
    assert json.loads((folder / "result.json").read_text())["measures"][0]["value"] == 1.0


def test_a_closed_pipe_is_silent(folder):
    items = ",".join(f"i{i}:1" for i in range(20_000))
    (folder / "wide.nwk").write_text(f"({items});")
    done = shell("dendrometry cut wide.nwk -k 1 | head -1", folder)
    assert (done.stdout, done.stderr, done.returncode) == ("i0\t0\n", "", 1)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_one_line(folder):
    done = shell("dendrometry cut a.nwk -k 1 > /dev/full", folder)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.endswith("No space left on device\n")


@pytest.mark.parametrize("arguments", ["--help", "compare --help"])
def test_help_loads_nothing_heavy(folder, arguments):
    code = (
        "import sys; from dendrometry.cli import main\n"
        "try: main()\n"
        f"finally: print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments.split()], env=ENVIRONMENT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert done.stdout.startswith("Usage: dendrometry")


def test_comparing_small_trees_loads_no_compiler_and_nothing_to_draw_with(folder):
    """The warm comparison of small trees takes less than a second of processor time only without these."""
    names = ("numba", "scipy", "rich", "pandas", "matplotlib")
    code = (
        "import sys; from dendrometry.cli import main\n"
        "try: main()\n"
        f"finally: print([m for m in {names} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "compare", "a.nwk", "a.nwk"],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert "hierarchy_agreement" in done.stdout


def test_help_of_a_command_needs_no_pydantic(folder):
    code = (
        "import sys; from dendrometry.cli import main\n"
        "try: main()\n"
        "finally: print('pydantic' in sys.modules, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "compare", "--help"]
    assert subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True).stderr == "False\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_commands_measures_linkages_and_formats(folder):
    (folder / "complete.bash").write_text(
        """
        source <(dendrometry --show-completion)
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dendrometry_completion "$1"; echo "${COMPREPLY[@]}"; }
        try dendrometry c
        try dendrometry compare a b --measure cl
        try dendrometry cluster x --linkage w
        try dendrometry convert - b.json --format n
        """
    )
    done = shell("bash complete.bash", folder)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "compare consensus cluster cut choose clustermap convert",
        " ".join(name for name in dendrometry.MEASURES if name.startswith("cl")),
        "weighted ward",
        "newick nexus npy",
    ]
