import inspect
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import dendrometry

ROOT = Path(__file__).parents[1]
HEAVY = ["sklearn", "matplotlib", "pandas", "polars", "networkx", "duckdb", "rich", "typer", "plotly", "torch"]
REPORT = ["pages/html/page.html", "pages/html/page.css", "pages/js/shell.js", "pages/html/level.html", "__init__.pyi"]
FUNCTIONS = [name for name in dendrometry.__all__ if inspect.isfunction(getattr(dendrometry, name))]


def test_importing_the_package_loads_nothing_heavy():
    code = f"import sys, dendrometry; dendrometry.compare; print([m for m in {HEAVY} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_the_package_loads_its_numbers_when_a_name_is_asked_for():
    code = """import sys, dendrometry
before = [m for m in ("numpy", "numba", "scipy") if m in sys.modules]
import dendrometry.comparison
from dendrometry import compare, plot
names = {}
exec("from dendrometry import *", names)
print(before, dendrometry.compare is compare is names["compare"], callable(compare), "read" in dir(dendrometry))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] True True True"
    with pytest.raises(AttributeError, match="module 'dendrometry' has no attribute 'measure'"):
        _ = dendrometry.measure


def test_every_public_name_is_there_once():
    assert len(set(dendrometry.__all__)) == len(dendrometry.__all__)
    assert all(hasattr(dendrometry, name) for name in dendrometry.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_has_an_example(name):
    assert ">>>" in inspect.getdoc(getattr(dendrometry, name))


def test_the_wheel_holds_data_and_types(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "py.typed",
        "datasets/zoo.csv",
        "datasets/zoo_taxonomy.csv",
        "datasets/news.csv",
        "_kernels/io/newick.py",
        *REPORT,
    ):
        assert f"dendrometry/{wanted}" in names
    assert not [name for name in names if name.startswith("tests/")]


def rooms(package):
    """Every folder that holds sources, with the number of files in it; a folder inside counts as one."""
    sources = [path for path in package.rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
    inside = {}
    for path in sources:
        for entry in (path, *path.parents):
            if package in entry.parents and not entry.name.startswith("__init__"):
                inside.setdefault(entry.parent, set()).add(entry)
    return {folder: len(entries) for folder, entries in inside.items()}


def test_no_room_has_more_than_12_files_and_no_file_more_than_400_lines():
    package = ROOT / "src" / "dendrometry"
    found = rooms(package)
    assert len(found) > 30
    assert not [str(folder) for folder, count in found.items() if count > 12 and folder != package]
    sources = [path for end in ("py", "pyi", "js", "css", "html") for path in package.rglob(f"*.{end}")]
    assert len(sources) > 200
    assert not [str(path) for path in sources if len(path.read_text(encoding="utf-8").splitlines()) > 400]


def test_no_oracle_imports_what_it_judges():
    oracles = sorted((ROOT / "tests" / "oracles").rglob("*.py"))
    assert len(oracles) > 40
    for oracle in oracles:
        assert "dendrometry" not in oracle.read_text(encoding="utf-8"), oracle


def test_no_folder_of_proofs_has_more_than_12_files_and_no_file_more_than_400_lines():
    for part in ("oracles", "measures", "walk", "levels", "partition"):
        assert not [str(folder) for folder, count in rooms(ROOT / "tests" / part).items() if count > 12]
    assert not [
        str(path) for path in (ROOT / "tests").rglob("*.py") if len(path.read_text(encoding="utf-8").splitlines()) > 400
    ]
