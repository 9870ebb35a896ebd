"""``dendrometry labels``."""

import csv
import json

import pytest

from dendrometry import from_labels, from_newick
from dendrometry.levels import label_profile
from dendrometry.measures import dendrogram_purity

TREE = "(((ape:1,cat:1):1,elk:2):1,(owl:1,jay:1):2);"
CLASSES = {"jay": "bird", "owl": "bird", "ape": "mammal", "cat": "mammal", "elk": "bird"}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "tree.nwk").write_text(TREE, encoding="utf-8")
    rows = [f"{item},{label}" for item, label in CLASSES.items()]
    (tmp_path / "labels.csv").write_text("\n".join(["item,class", *rows]), encoding="utf-8")
    return tmp_path / "tree.nwk", tmp_path / "labels.csv"


def test_prints_every_level_the_upper_bound_and_the_purity_beside_chance(run, files):
    code, out, err = run("labels", *files)
    assert (code, err) == (0, "")
    head, _, *rows = out.split("\n\n")[0].splitlines()
    expected = label_profile(from_newick(TREE), CLASSES)
    assert head.split() == ["clusters", *expected.value]
    assert [int(row.split()[0]) for row in rows] == expected.n_clusters.tolist()
    assert [float(row.split()[1]) for row in rows] == pytest.approx(expected["adjusted_rand"], rel=1e-3)
    assert "best cuts, an upper bound since the labels have chosen them:\n  adjusted_rand 0.5455 with 3 clusters" in out
    purity = dendrogram_purity(from_labels(CLASSES), from_newick(TREE))
    assert f"dendrogram_purity {purity:.4g}, by chance 0.68, adjusted " in out
    assert out.endswith("5 items, 2 classes, levels by height\n")


def test_prints_up_to_a_limit_and_only_the_measures_asked_for(run, files):
    out = run("labels", *files, "--measure", "b_cubed", "--max-clusters", 2, "--order", "depth")[1]
    assert [line.split()[0] for line in out.split("\n\n")[0].splitlines()[2:]] == ["1", "2"]
    assert "adjusted_rand" not in out
    assert out.endswith("levels by depth; 2 finer cuts not shown\n")


def test_json_and_files_hold_every_level(run, files, tmp_path):
    content = json.loads(run("labels", *files, "--max-clusters", 1, "--json")[1])
    expected = label_profile(from_newick(TREE), CLASSES)
    assert [level["v_measure"] for level in content["levels"]] == expected["v_measure"].tolist()
    assert content["upper_bound"]["b_cubed"] == expected.best_cut("b_cubed")._asdict()
    assert content["dendrogram_purity"]["value"] == dendrogram_purity(from_labels(CLASSES), from_newick(TREE))
    assert (content["n_items"], content["n_classes"], content["order"]) == (5, 2, "height")
    for ending in ("csv", "json"):
        assert run("labels", *files, "--out", tmp_path / f"found.{ending}")[0] == 0
    with open(tmp_path / "found.csv", encoding="utf-8", newline="") as lines:
        assert [int(row["n_clusters"]) for row in csv.DictReader(lines)] == expected.n_clusters.tolist()
    assert json.loads((tmp_path / "found.json").read_text()) == content


def test_takes_a_level_of_a_taxonomy(run, files, tmp_path):
    table = "item,class,order\nape,mammal,primates\ncat,mammal,carnivores\nelk,mammal,\nowl,bird,owls\njay,bird,crows\n"
    (tmp_path / "taxonomy.csv").write_text(table, encoding="utf-8")
    path = tmp_path / "taxonomy.csv"
    assert "adjusted_rand 1 with 2 clusters" in run("labels", files[0], path, "--level", 1)[1]
    code, _, err = run("labels", files[0], path)
    assert (code, err) == (2, f"dendrometry: --level must say which level of {path} gives the classes; it has 2\n")
    code, _, err = run("labels", files[0], path, "--level", 3)
    assert (code, err) == (2, f"dendrometry: --level must be a level of {path}, which has 2; got 3\n")
    code, _, err = run("labels", files[0], path, "--level", 2)
    assert (code, err) == (2, f"dendrometry: {path}: every item must have a label; it is missing in row 3 ('elk')\n")


def test_refuses_missing_labels_by_the_first_ten_rows(run, files, tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("item,class\n" + "".join(f"i{i},{'' if i % 2 else 'x'}\n" for i in range(30)), encoding="utf-8")
    code, _, err = run("labels", files[0], path)
    assert code == 2
    assert "missing in rows 2 ('i1'), 4 ('i3')," in err
    assert err.endswith("20 ('i19') and 5 more\n")


def test_a_purity_without_pairs_is_undefined(run, tmp_path, files):
    path = tmp_path / "own.csv"
    path.write_text("item,class\n" + "".join(f"{item},{item}\n" for item in CLASSES), encoding="utf-8")
    assert "dendrogram_purity is undefined, since no two items are of one class\n" in run("labels", files[0], path)[1]
    assert json.loads(run("labels", files[0], path, "--json")[1])["dendrogram_purity"] is None


def test_refuses_items_without_a_label_in_words_about_labels(run, files, tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("item,class\nape,x\nelk,x\nowl,y\njay,y\n", encoding="utf-8")
    message = "dendrometry: the labels must be those of the items of the tree; got 1 item of the tree without a label: "
    assert run("labels", files[0], path)[::2] == (2, f"{message}'cat'\n")


def test_a_measure_that_cannot_be_followed_is_refused_without_a_name_of_python(run, files):
    code, _, err = run("labels", *files, "--measure", "van_dongen")
    assert code == 2
    assert err.endswith("got van_dongen, which is computed for one cut at a time\n")


def test_names_the_option_of_a_bad_choice(run, files):
    assert " --order must be 'height', 'size' or 'depth'" in run("labels", *files, "--order", "weight")[2]
    assert "dendrometry: --measure must be" in run("labels", *files, "--measure", "gini")[2]
