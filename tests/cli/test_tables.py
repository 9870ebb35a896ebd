"""The commands read the tables of a tree of points that does not fit into memory."""

import json

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.engine import cluster_table

TITLES = [f"{topic} {i}" for topic in ("ship", "grain", "oil") for i in range(8)]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """The name of a table of nodes, beside that of its items."""
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("cells")
    X = np.repeat(9.0 * np.eye(3), 8, axis=0) + np.random.default_rng(0).normal(size=(24, 3))
    parquet.write_table(pa.table({"item": TITLES, "point": list(X)}), folder / "points.parquet")
    cluster_table(folder / "points.parquet", folder / "tree.nodes.parquet", n_cells=3)
    return str(folder / "tree.nodes.parquet")


def test_compare(run, tree):
    for engine in ([], ["--engine", "duckdb"]):
        code, out, _ = run("compare", tree, tree.replace(".nodes.", ".items."), "--json", *engine)
        assert code == 0
        assert "are the same by hierarchy_agreement" in json.loads(out)["verdict"]


def test_cut(run, tree, tmp_path):
    assert run("cut", tree, "-k", "3", "--out", tmp_path / "labels.csv")[0] == 0
    expected = dm.from_labels([title.split()[0] for title in TITLES], item_names=TITLES)
    assert dm.compare(dm.read(tmp_path / "labels.csv"), expected)["adjusted_rand"].value == 1


def test_label_and_browse(run, tree, tmp_path):
    (tmp_path / "texts.csv").write_text(
        "\n".join(["title,text", *(f"{title},{title.split()[0]} word" for title in TITLES)]), encoding="utf-8"
    )
    code, _, _ = run("label", tree, tmp_path / "texts.csv", "--terms", "1", "--out", tmp_path / "labelled.json")
    assert code == 0
    assert {"ship", "grain", "oil"} <= set(dm.read(tmp_path / "labelled.json").node_names)
    assert run("browse", tree, "--out", tmp_path / "page.html")[0] == 0
    assert ": 24 documents in a tree of 47 nodes" in (tmp_path / "page.html").read_text(encoding="utf-8")
