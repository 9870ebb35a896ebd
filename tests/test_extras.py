"""A function whose package is missing says, in one line, which extra to install."""

import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

import dendrometry as dm
from dendrometry._extras import require
from dendrometry._studies.result import StudyResult, Table
from dendrometry.errors import MissingExtraError

tree_widget = import_module("dendrometry.plot.tree_widget")

A, B = dm.from_newick("((a:1,b:1):1,(c:1,d:1):1);"), dm.from_newick("(((a:1,b:1):1,c:2):1,d:3);")
TEXTS = {"a": "ship port", "b": "ship dock", "c": "grain wheat"}

FRAMES = {
    "comparison": lambda: dm.compare(A, B),
    "partitions": lambda: dm.comparison.compare_partitions([0, 0, 1], [0, 1, 1]),
    "matrix": lambda: dm.pairwise_matrix([A, B], "hierarchy_agreement"),
    "consensus": lambda: dm.consensus([A, B]),
    "stages": lambda: dm.stages(A, B),
    "matches": lambda: dm.best_matches(A, B),
    "item disagreement": lambda: dm.item_disagreement(A, B),
    "significance": lambda: dm.permutation_test(A, B, n_permutations=1, rng=0),
    "cut": lambda: dm.cut_count(A, 2),
    "labels": lambda: dm.label.label_nodes(dm.from_newick("((a,b),c);"), dm.text.vectorize_documents(TEXTS)),
    "resolutions": lambda: dm.partition.resolutions([[0, 0, 1], [0, 1, 2]]),
    "table": lambda: Table.of(x=[1]),
}
PLOTS = {
    "dendrogram": lambda: dm.plot.dendrogram(A),
    "dendrogram, coloured": lambda: dm.plot.dendrogram(A, labels=[0, 0, 1, 1]),
    "icicle": lambda: dm.plot.icicle(A),
    "tanglegram": lambda: dm.plot.tanglegram(A, B),
    "stage_curves": lambda: dm.plot.stage_curves(dm.stages(A, B)),
    "item_disagreement": lambda: dm.plot.item_disagreement(dm.item_disagreement(A, B)),
    "matches": lambda: dm.plot.matches(A, B),
    "tree_matrix": lambda: dm.plot.tree_matrix(dm.pairwise_matrix([A, B], "hierarchy_agreement")),
    "split_merge_flow": lambda: dm.plot.split_merge_flow([0, 0, 1], [0, 1, 1]),
    "resolution_flow": lambda: dm.plot.resolution_flow(dm.partition.resolutions([[0, 0, 1], [0, 1, 1]])),
    "congruence": lambda: dm.plot.congruence(dm.partition.resolutions([[0, 0, 1], [0, 1, 1]])),
    "worsening": lambda: dm.plot.worsening(dm.partition.score_series([0, 0, 1], [[0, 1, 1]])),
}


@pytest.fixture
def without(monkeypatch):
    """A function that makes a package look as if it were not installed."""
    return lambda package: monkeypatch.setitem(sys.modules, package, None)


def says(needs, package, extra):
    return pytest.raises(MissingExtraError, match=f"{needs} needs {package}: pip install 'dendrometry\\[{extra}\\]'$")


@pytest.mark.parametrize("made", FRAMES.values(), ids=FRAMES.keys())
def test_frames_name_the_extra_with_pandas(without, made):
    result = made()
    without("pandas")
    with says("to_frame\\(\\)", "pandas", "tables"):
        result.to_frame()


@pytest.mark.parametrize("drawn", PLOTS.values(), ids=PLOTS.keys())
def test_plots_name_the_extra_with_matplotlib(without, drawn):
    without("matplotlib")
    with says("a plot", "matplotlib", "plot"):
        drawn()


def test_figures_of_studies_name_the_extra_with_matplotlib(without, tmp_path):
    result = StudyResult("s", "?", {"t": Table.of(x=[1])}, figures={"f": lambda: None})
    without("matplotlib")
    with says("figure\\(\\)", "matplotlib", "plot"):
        result.figure()
    with says("save\\(\\)", "matplotlib", "plot"):
        result.save(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_dimensions_of_texts_name_the_extra_with_scikit_learn(without):
    without("sklearn")
    assert dm.text.vectorize_documents(TEXTS).n_items == len(TEXTS)
    with says("n_dimensions", "scikit-learn", "text"):
        dm.text.vectorize_documents(TEXTS, n_dimensions=1)


@pytest.mark.further
def test_the_estimator_names_the_extra_with_scikit_learn():
    code = (
        "import sys, dendrometry; sys.modules['sklearn'] = None\n"
        "from dendrometry import *\n"
        "assert all(hasattr(dendrometry, name) for name in dir(dendrometry))\n"
        "try:\n    HierarchicalClustering()\n"
        "except ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "HierarchicalClustering needs scikit-learn: pip install 'dendrometry[text]'\n"


def test_parquet_names_the_extra_with_duckdb(without, tmp_path):
    path = tmp_path / "tree.parquet"
    dm.write(dm.from_labels([0, 0, 1]), path)
    without("duckdb")
    with says("a Parquet file", "duckdb", "tables"):
        dm.read(path)
    with says("a Parquet file", "duckdb", "tables"):
        dm.write(dm.from_labels([0, 0, 1]), tmp_path / "other.parquet")
    with says("a Parquet file", "duckdb", "tables"):
        dm.text.read_documents(path)


def test_thesauri_name_rdflib(without):
    without("rdflib")
    with says("from_skos\\(\\)", "rdflib", "graph"):
        dm.io.from_skos("")


def test_the_widget_names_the_extra_with_anywidget(without):
    tree_widget._widget_class.cache_clear()
    without("anywidget")
    with says("tree_widget\\(\\)", "anywidget", "widget"):
        dm.plot.tree_widget(A)


def test_graphs_name_networkx(without):
    without("networkx")
    with says("to_networkx\\(\\)", "networkx", "graph"):
        dm.io.to_networkx(A)
    with says("to_networkx\\(\\)", "networkx", "graph"):
        dm.partition.bipartite([0, 0, 1], [0, 1, 1]).derivation().to_networkx()


def test_the_command_line_names_its_extra_in_one_line():
    code = (
        "import sys; sys.modules['typer'] = None; sys.argv = ['dendrometry', 'measures']\n"
        "from dendrometry.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("dendrometry: ")
    assert done.stderr.endswith("needs typer: pip install 'dendrometry[cli]'\n")
    assert done.stderr.count("\n") == 1


def test_a_missing_extra_is_an_import_error_of_this_family(without):
    without("pandas")
    with pytest.raises(ImportError):
        dm.compare(A, B).to_frame()
    with pytest.raises(dm.DendrometryError):
        dm.compare(A, B).to_frame()


def test_what_fails_inside_an_installed_package_is_passed_on(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import not_there_at_all\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="not_there_at_all"):
        require("half_installed", extra="tables", for_="to_frame()")


def test_what_is_installed_is_returned():
    assert require("numpy", extra="all", for_="anything") is np
