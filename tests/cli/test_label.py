"""``dendrometry label``."""

import json

import pytest

from dendrometry import read

TABLE = "headline,body\nHarbour,ship port news\nDocks,ship dock news\nWheat,grain field news\nCorn,grain harvest news\n"
COLUMNS = ["--text", "body", "--title", "headline"]


@pytest.fixture
def paths(tmp_path):
    tree, news = tmp_path / "tree.nwk", tmp_path / "news.csv"
    tree.write_text("((Harbour,Docks),(Wheat,Corn));", encoding="utf-8")
    news.write_text(TABLE, encoding="utf-8")
    return [str(tree), str(news), *COLUMNS]


def test_words_are_printed_with_what_they_stand_on(run, paths):
    code, out, err = run("label", *paths, "--terms", "2", "--method", "chi_square", "--min-size", "2")
    assert (code, err) == (0, "")
    assert [line.split() for line in out.splitlines()[2:5]] == [
        ["6", "4"],
        ["2", "2", "ship,", "dock"],
        ["5", "2", "grain,", "field"],
    ]
    assert "3 nodes of 7 labelled, 2 of them with words" in out
    assert "4 documents, none left out" in out


def test_words_become_names_of_nodes_in_a_file(run, paths, tmp_path):
    out = str(tmp_path / "labelled.json")
    code, printed, err = run("label", *paths, "--terms", "1", "--out", out)
    assert (code, err) == (0, f"wrote {out}\n")
    assert "hierarchical" not in printed
    assert [name for name in read(out).node_names if name and name[0].islower()] == ["ship", "grain", "news"]
    code, _, err = run("label", *paths, "--out", out)
    assert code == 2
    assert "exists (--force replaces it" in err
    assert run("label", *paths, "--out", out, "--force")[0] == 0


def test_words_as_json(run, paths):
    told = json.loads(run("label", *paths, "--json", "--phrases", "--method", "mutual_information")[1])
    assert (told["method"], told["n_items"], told["n_nodes"]) == ("mutual_information", 4, 7)
    assert told["labels"][1]["terms"] == ["ship", "dock news", "port news"]


def test_what_was_left_out_of_the_tree_is_left_out_again(run, tmp_path):
    folder, tree = tmp_path / "texts", str(tmp_path / "tree.json")
    folder.mkdir()
    for name, text in {"a": "ship port", "b": "ship dock", "c": "grain", "d": "grain", "e": "zebra"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert run("documents", folder, "--min-documents", "2", "--out", tree)[0] == 0
    code, _, err = run("label", tree, folder)
    assert code == 2
    assert "1 item not in the tree (leave them out, as min_documents or n_dimensions may have, or add them): 'e'" in err
    code, out, _ = run("label", tree, folder, "--min-documents", "2", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["skipped"] == [{"item": "e", "reason": "only rare terms"}]
    assert sorted(word for node in told["labels"] for word in node["terms"]) == ["grain", "ship"]


def test_what_lies_outside_the_dimensions_of_the_tree_is_left_out_again(run, tmp_path):
    folder, tree = tmp_path / "texts", str(tmp_path / "tree.json")
    folder.mkdir()
    for name, text in {"a": "ship port", "b": "ship dock", "c": "grain corn", "d": "grain oat", "e": "zebra"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert run("documents", folder, "--dimensions", "2", "--out", tree)[0] == 0
    assert run("label", tree, folder)[0] == 2
    code, out, _ = run("label", tree, folder, "--dimensions", "2", "--json")
    assert code == 0
    assert json.loads(out)["skipped"] == [{"item": "e", "reason": "nothing in the dimensions"}]


def test_options_are_checked_before_anything_is_read(run, tmp_path):
    none = [str(tmp_path / "none.json"), str(tmp_path / "none")]
    for options, message in (
        (["--method", "best"], "--method must be 'hierarchical'"),
        (["--terms", "0"], "invalid value for '--terms'"),
        (["--min-size", "0"], "invalid value for '--min-size'"),
    ):
        code, _, err = run("label", *none, *options)
        assert (code, message in err) == (2, True), err


def test_what_does_not_fit_is_refused_in_one_line(run, paths, tmp_path):
    other = tmp_path / "other.nwk"
    other.write_text("(Harbour,Boats);", encoding="utf-8")
    code, out, err = run("label", str(other), *paths[1:])
    assert (code, out) == (2, "")
    assert err.startswith("dendrometry: the tree and the documents must hold the same items; 1 item of the tree")
    assert err.count("\n") == 1
