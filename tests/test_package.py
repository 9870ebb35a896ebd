import configparser
import inspect
import re
import subprocess
import sys
import traceback
import zipfile
from pathlib import Path, PurePosixPath

import pytest

import dendrometry
from dendrometry._lazy import homes

ROOT = Path(__file__).parents[1]
HEAVY = ["sklearn", "matplotlib", "pandas", "polars", "networkx", "duckdb", "rich", "typer", "plotly", "torch"]
REPORT = [
    "report/html/page.html",
    "report/html/page.css",
    "report/js/shell.js",
    "report/html/level.html",
    "__init__.pyi",
]
FUNCTIONS = [name for name in dendrometry.__all__ if inspect.isfunction(getattr(dendrometry, name))]


def test_importing_the_package_loads_nothing_heavy():
    code = f"import sys, dendrometry; dendrometry.compare; print([m for m in {HEAVY} if m in sys.modules])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


COUNTED = """
import sys
before, n_calls = set(sys.modules), 0

def called(_frame, event, _value):
    global n_calls
    n_calls += event == "call"

sys.setprofile(called)
try:
    {}
except SystemExit:
    pass
sys.setprofile(None)
print(n_calls, *(set(sys.modules) - before), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("code", "most_modules", "most_calls"),
    [
        ("import dendrometry", 80, 16_000),
        ("from dendrometry.cli import main; sys.argv[1:] = ['--help']; main()", 270, 160_000),
    ],
    ids=["import", "help"],
)
def test_the_package_and_its_help_start_with_little_work(code, most_modules, most_calls):
    """Other versions of Python and typer may need a few more; benchmarks/start.py prints the seconds."""
    done = subprocess.run([sys.executable, "-c", COUNTED.format(code)], capture_output=True, text=True, check=True)
    n_calls, *modules = done.stderr.split()
    assert "dendrometry" in modules
    assert not ({"numpy", "numba", "scipy", *HEAVY} - {"typer"}).intersection(modules)
    assert len(modules) < most_modules
    assert int(n_calls) < most_calls


COLUMNS = """import sys
from dendrometry.hierarchy import Hierarchy
a = Hierarchy([4, 4, 5, 5, 6, 6, -1], [0, 0, 0, 0, 1, 2, 3], [0, 1, 2, 3], ["ape", "cat", "elk", "owl"])
b = Hierarchy([4, 4, 5, 6, 5, 6, -1], [0, 0, 0, 0, 1, 2, 3], [0, 1, 2, 3], ["ape", "cat", "elk", "owl"])
import dendrometry as dm
{}
print(*(name for name in sys.modules if name.startswith("dendrometry.")))
"""


@pytest.mark.further
@pytest.mark.parametrize(
    ("code", "most_modules"),
    [
        ("assert dm.measures.robinson_foulds(a, b) == 2", 75),
        ("dm.compare(a, b)", 160),  # the records of all measures
        ("dm.pairwise_matrix([a, b])", 95),
        ("dm.stages(a, b)", 90),
        ("dm.best_matches(a, b)", 55),
        ("dm.diff(a, b)", 65),
        ("dm.cut_count(a, 2)", 40),
        ("dm.plot.untangle(a, b)", 50),
    ],
)
def test_functions_of_hierarchies_load_no_format(code, most_modules):
    done = subprocess.run([sys.executable, "-c", COLUMNS.format(code)], capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert [name for name in modules if name.startswith("dendrometry.io.")] == ["dendrometry.io.coerce"]
    assert len(modules) < most_modules


@pytest.mark.further
@pytest.mark.parametrize(
    ("name", "text", "most_modules"),
    [
        ("animals.nwk", "((ape,cat),owl);", 20),
        ("animals.csv", "item,class\nape,mammal\ncat,mammal\nowl,bird\n", 28),
        ("animals.json", '{"children": [{"name": "ape"}, {"name": "owl"}]}', 18),
    ],
    ids=["newick", "csv", "json"],
)
@pytest.mark.parametrize(
    "call", ["dm.read({0!r})", "dm.compare({0!r}, {0!r}, n_permutations=0)"], ids=["read", "compare"]
)
def test_a_file_loads_its_own_format_only(name, text, most_modules, call, tmp_path):
    path = tmp_path / name
    path.write_text(text)
    code = f"""import sys, dendrometry as dm
{call.format(str(path))}
print(*(name for name in sys.modules if name.startswith("dendrometry.io.")))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert "dendrometry.io.codecs" in modules
    assert len(modules) < most_modules


@pytest.mark.further
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


@pytest.mark.parametrize(
    ("module", "name", "hint"),
    [
        (dendrometry, "robinson_fould", "; did you mean 'robinson_foulds'?"),
        (dendrometry, "measure", "; did you mean 'measures'?"),
        (dendrometry, "matched_kappa", "; did you mean 'measures.matched_kappa'?"),
        (dendrometry, "random_tre", "; did you mean 'generate.random_tree'?"),
        (dendrometry.measures, "matched_kapa", "; did you mean 'matched_kappa'?"),
        (dendrometry, "ari", "; did you mean 'adjusted_rand'?"),
        (dendrometry, "RF", "; did you mean 'robinson_foulds'?"),
        (dendrometry, "HAI", "; did you mean 'hierarchy_agreement'?"),
        (dendrometry, "UPGMA", "; did you mean 'agglomerate(X, linkage=\"average\")'?"),
        (dendrometry, "triplet_distance", "; did you mean '1 - measures.triplet_agreement(a, b)'?"),
        (dendrometry, "AgglomerativeClustering", "; did you mean 'HierarchicalClustering(n_clusters=8)'?"),
        (dendrometry.measures, "nmi", "; did you mean 'normalized_mutual_information'?"),
        (dendrometry, "gat", "; dir(dendrometry) lists its names"),
        (dendrometry.measures, "xyz", "; dir(dendrometry.measures) lists its names"),
        (dendrometry, "__wrapped__", ""),
    ],
)
def test_a_wrong_name_gets_the_nearest_one(module, name, hint):
    with pytest.raises(AttributeError) as error:
        getattr(module, name)
    assert str(error.value) == f"module {module.__name__!r} has no attribute {name!r}{hint}"
    assert "Did you mean" not in "".join(traceback.format_exception(error.value)), "Python guesses once more"


def test_every_public_name_is_there_once():
    assert len(set(dendrometry.__all__)) == len(dendrometry.__all__)
    assert all(hasattr(dendrometry, name) for name in dendrometry.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_has_an_example(name):
    assert ">>>" in inspect.getdoc(getattr(dendrometry, name))


@pytest.mark.further
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


def tracked():
    """The files that git tracks, and new ones that it does not ignore, as paths from the root."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [PurePosixPath(name) for name in names if name and (ROOT / name).is_file()]


def test_no_file_has_more_than_500_lines():
    sources = [path for path in tracked() if path.suffix in (".py", ".pyi", ".js", ".css", ".html")]
    assert len(sources) > 500
    assert not [str(path) for path in sources if len((ROOT / path).read_text(encoding="utf-8").splitlines()) > 500]


def test_the_answers_in_contributing_are_files_that_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = text.partition("### Where is …?")[2].partition("\n#")[0]
    paths = re.findall(r"^\|.*\| `([^`]+)` \|$", table, re.MULTILINE)
    assert len(paths) >= 20
    assert not [path for path in paths if not (ROOT / path).exists()]


def floors():
    """Return the floor of each module in the import contract; the lowest is the greatest."""
    contract = configparser.ConfigParser()
    contract.read(ROOT / ".importlinter", encoding="utf-8")
    layers = contract["importlinter:contract:floors"]["layers"].split("\n")
    return {room.strip(): at for at, layer in enumerate(layers) for room in layer.split(":") if room.strip()}


STUBS = sorted(path.parent.name for path in (ROOT / "src" / "dendrometry").glob("*/__init__.pyi"))


def test_the_package_itself_has_the_names_of_every_day():
    others = [name for name in dendrometry.__all__ if not inspect.ismodule(getattr(dendrometry, name))]
    assert 50 <= len(others) <= 66


def test_every_measure_is_reached_in_one_way_and_those_of_every_day_at_the_top():
    top = {name for name in dendrometry.MEASURES if name in dendrometry.__all__}
    for name, measure in dendrometry.MEASURES.items():
        assert getattr(dendrometry.measures, name) is measure.call
        assert name not in top or getattr(dendrometry, name) is measure.call
    assert {"hierarchy_agreement", "robinson_foulds", "adjusted_rand", "normalized_mutual_information"} <= top
    assert len(top) <= 24


@pytest.mark.parametrize("room", STUBS)
def test_names_that_load_on_first_use_come_from_the_module_or_from_below(room):
    floor = floors()
    for module, _ in homes(str(ROOT / "src" / "dendrometry" / room / "__init__.py")).values():
        source = module.split(".")[1]
        assert source == room or floor[source] > floor[room], f"{room} lists a name of {module}"


def test_no_oracle_imports_what_it_judges():
    oracles = sorted((ROOT / "tests" / "oracles").rglob("*.py"))
    assert len(oracles) > 40
    for oracle in oracles:
        assert "dendrometry" not in oracle.read_text(encoding="utf-8"), oracle
