"""A measure is one file and one line: what a new one needs, and what the records promise."""

import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dendrometry as dm
from dendrometry.measures.registry import measure_named, measures_named
from tests.oracles.measures.definition import definition

ROOT = Path(__file__).parents[2]
DUMMY = '''"""Same size: a measure that exists for a test alone."""

from dendrometry.hierarchy import Hierarchy
from dendrometry.measures.measure import Measure
from dendrometry.measures.score import Score, adjust
from dendrometry.walk.pair import Pair
from dendrometry.walk.readings import Readings

__all__ = ["MEASURE", "same_pairs"]


def same_pairs(a: Hierarchy, b: Hierarchy) -> float:
    """Share of ticks at which both trees have the same pairs together."""
    return score(Readings(Pair.of_trees(a, b))).value


def score(readings: Readings) -> Score:
    """Return the Hierarchy Agreement Index under another name."""
    walk, n = readings.by_size, readings.pair.n_items
    value = (n**3 - 2 * int(walk.discordance)) / n**3
    expected = value if walk.is_fixed else 1.0 - 2 * walk.expected_discordance / n**3
    return Score(value, expected, adjust(value, expected, 1.0))


MEASURE = Measure(
    call=same_pairs,
    of="trees",
    symbol="SP",
    score=score,
    triangle=True,
    says="a dummy of a measure",
    formula="SP = 1",
    chance="0, exact",
    source="nowhere",
    bibtex="johnson2013",
)
'''
LINE = "from dendrometry.measures.trees.same_pairs import same_pairs as same_pairs\n"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the package, its tests and docs with one more measure: one file, one line, one place in the docs."""
    root = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests", root / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs", root / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    trees = root / "src" / "dendrometry" / "measures"
    (trees / "trees" / "same_pairs.py").write_text(DUMMY, encoding="utf-8")
    stub = trees / "__init__.pyi"
    lines = stub.read_text(encoding="utf-8").splitlines(keepends=True)
    at = max(i for i, line in enumerate(lines) if ".trees." in line)
    stub.write_text("".join([*lines[: at + 1], LINE, *lines[at + 1 :]]), encoding="utf-8")
    page = root / "docs" / "measures.md"
    place = "\n<!-- registry: same_pairs -->\n<!-- end -->\n"
    page.write_text(page.read_text(encoding="utf-8") + place, encoding="utf-8")
    return root


def run(house, *command):
    environment = {**os.environ, "PYTHONPATH": str(house / "src"), "NUMBA_DISABLE_JIT": "1"}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return subprocess.run([sys.executable, *command], cwd=house, env=environment, capture_output=True, text=True)


@pytest.fixture
def trees(house):
    paths = [house / f"{name}.nwk" for name in "ab"]
    paths[0].write_text("(((ape:1,cat:1):1,elk:2):1,owl:3);", encoding="utf-8")
    paths[1].write_text("((ape:1,cat:1):2,(elk:2,owl:2):1);", encoding="utf-8")
    return [str(path) for path in paths]


def test_a_new_measure_obeys_the_laws_of_the_house(house):
    done = run(
        house,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "tests/test_laws.py",
        "-k",
        "same_pairs",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) >= 10


def test_a_new_measure_is_on_the_command_line_and_in_the_report(house, trees):
    listed = run(house, "-m", "dendrometry.cli", "measures")
    assert "same_pairs" in listed.stdout, listed.stderr
    page = house / "report.html"
    done = run(house, "-m", "dendrometry.cli", "compare", *trees, "--report", str(page))
    assert done.returncode == 0, done.stderr
    assert "same_pairs: A dummy of a measure: 0.875" in done.stdout
    assert "same_pairs" in page.read_text(encoding="utf-8")
    tested = "import dendrometry as dm; a, b = map(dm.read, ('a.nwk', 'b.nwk'))\n"
    tested += "print(dm.permutation_test(a, b, 'same_pairs', 19, rng=0).p_value, dm.same_pairs(a, b))"
    assert run(house, "-c", tested).stdout.split()[1] == "0.875"


def test_a_new_measure_is_in_the_tables_of_the_docs(house):
    made = run(house, "docs/_make/registry.py")
    assert made.returncode == 0, made.stderr
    text = (house / "docs" / "measures.md").read_text(encoding="utf-8")
    assert "A dummy of a measure." in text
    assert "[`same_pairs`](measures.md#same_pairs)" in text
    checks = ["tests/test_measures_page.py", "-k", "page or place or same_pairs"]
    done = run(house, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *checks)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", dm.MEASURES)
def test_a_measure_is_found_by_its_name(name):
    record = dm.MEASURES[name]
    assert record.name == name
    assert record.call.__module__.rpartition(".")[2] == name
    assert getattr(dm, name) is getattr(dm.measures, name) is record.call
    assert record.of in record.call.__module__.split(".")


@pytest.mark.parametrize("name", dm.MEASURES)
def test_a_measure_has_its_oracle_and_its_proof_in_files_of_its_name(name):
    record = dm.MEASURES[name]
    home = Path(*record.call.__module__.split(".")[1:-1])
    assert (ROOT / "tests" / home / f"test_{name}.py").is_file()
    assert callable(definition(name, record.of))


@pytest.mark.parametrize("name", dm.MEASURES)
def test_a_measure_names_its_source(name):
    assert re.search(r"^doi:10\.|\b(19|20)\d\d\b", dm.MEASURES[name].source)


@pytest.mark.parametrize("name", dm.MEASURES)
def test_a_record_can_be_pickled_and_has_its_source(name):
    record = dm.MEASURES[name]
    assert pickle.loads(pickle.dumps(record)) == record
    references = (ROOT / "src" / "dendrometry" / "measures" / "references.bib").read_text(encoding="utf-8")
    assert f"{{{record.bibtex},\n" in references
    assert (record.cost is None) == (not record.slow)
    assert (record.of == "partitions") == (record.properties is not None)


def test_measures_are_refused_in_one_wording():
    with pytest.raises(dm.DendrometryError, match=r"measure must be .*; got 'rnd' \(did you mean 'rand'\?\)"):
        measure_named("rnd")
    with pytest.raises(dm.DendrometryError, match=r"measure must be .*; got 'rand'"):
        measure_named("rand", "trees")
    with pytest.raises(dm.DendrometryError, match="measures must be a sequence of names"):
        measures_named("rand", "partitions")
    shown = [name for name in dm.TREE_MEASURES if dm.MEASURES[name].default]
    assert [record.name for record in measures_named(None, "trees")] == shown
    assert 0 < len(shown) < len(dm.TREE_MEASURES)


def test_the_mapping_of_measures_holds_no_other_name():
    assert "Measure" not in dm.MEASURES
    assert 3 not in dm.MEASURES
    assert repr(dm.MEASURES).startswith(f"<{len(dm.MEASURES)} measures: hierarchy_agreement, ")
    with pytest.raises(KeyError, match="Measure"):
        dm.MEASURES["Measure"]
