"""``--report``: a page, never over another file by accident."""

import json

import pytest

import dendrometry as dm


@pytest.fixture
def trees(tmp_path):
    for name, text in (("a", "((ape:1,cat:1):2,owl:3);"), ("b", "((ape:2,owl:2):1,cat:3);")):
        (tmp_path / f"{name}.nwk").write_text(text)
    return tmp_path / "a.nwk", tmp_path / "b.nwk"


def test_the_report_names_the_files_and_is_printed_beside(run, trees, tmp_path):
    code, out, err = run("compare", *trees, "--report", tmp_path / "out.html")
    assert (code, err) == (0, f"wrote {tmp_path / 'out.html'}\n")
    assert "hierarchy_agreement" in out
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<bdi>a.nwk</bdi>" in page
    assert "<bdi>b.nwk</bdi>" in page
    assert str(tmp_path) not in page


def test_nothing_is_written_unless_all_of_it_can_be(run, trees, tmp_path):
    (tmp_path / "out.csv").write_text("mine")
    code, out, err = run("compare", *trees, "--report", tmp_path / "out.html", "--out", tmp_path / "out.csv")
    assert (code, out) == (2, "")
    assert "--force" in err
    assert not (tmp_path / "out.html").exists()
    for command in (["compare", *trees], ["matrix", *trees]):
        code, out, err = run(*command, "--report", tmp_path / "out.txt")
        assert (code, out) == (2, "")
        assert "--report must end in .html" in err


@pytest.mark.parametrize("command", [["cluster"], ["cut", "-k", "2"], ["compare", "b.nwk"], ["matrix", "b.nwk"]])
def test_a_place_that_cannot_be_is_refused_before_the_work(run, tmp_path, command):
    (tmp_path / "out.csv").write_text("mine")
    for place, says in (("out.csv", "exists"), ("out.odt", "must end in")):
        code, out, err = run(command[0], tmp_path / "missing.csv", *command[1:], "--out", tmp_path / place)
        assert (code, out) == (2, "")
        assert says in err


def test_an_existing_file_needs_force(run, trees, tmp_path):
    path = tmp_path / "out.html"
    path.write_text("mine")
    code, out, err = run("compare", *trees, "--report", path)
    assert (code, out) == (2, "")
    assert "--force" in err
    assert path.read_text() == "mine"
    assert run("compare", *trees, "--report", path, "--force")[0] == 0
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.fixture
def labels(tmp_path):
    """Two flat clusterings in files, items in another order, and a tree with levels."""
    (tmp_path / "a.csv").write_text("item,label\nape,x\nbat,x\ncat,y\ndog,y\n")
    (tmp_path / "b.csv").write_text("item,label\ndog,2\ncat,2\nbat,2\nape,1\n")
    (tmp_path / "deep.csv").write_text("item,top,low\nape,x,p\nbat,x,q\ncat,y,r\ndog,y,r\n")
    return tmp_path


def test_two_flat_clusterings_are_compared_as_such(run, labels):
    code, out, err = run("compare", labels / "a.csv", labels / "b.csv", "--report", labels / "out.html")
    assert (code, err) == (0, f"wrote {labels / 'out.html'}\n")
    assert "adjusted_rand" in out
    assert "hierarchy_agreement" not in out
    assert out.startswith("Verdict: a.csv and b.csv are hardly alike, not significantly more than by chance")
    assert "4 items compared, in 2 and 2 clusters" in out
    assert "How alike are the two clusterings?" in (labels / "out.html").read_text(encoding="utf-8")


def test_the_measure_asked_for_says_how_flat_clusterings_are_compared(run, labels):
    files = labels / "a.csv", labels / "b.csv"
    assert "classic_f" in run("compare", *files, "--measure", "classic_f")[1]
    code, out, _ = run("compare", *files, "--measure", "adjusted_rand", "--json")
    assert code == 0
    assert json.loads(out)["measures"][0]["value"] == dm.adjusted_rand([*"xxyy"], [*"1222"])
    code, _, err = run("compare", *files, "--measure", "adjusted_rand", "--measure", "classic_f")
    assert code == 2
    assert "adjusted_rand" in err
    code, _, err = run("compare", labels / "deep.csv", files[1], "--measure", "adjusted_rand")
    assert code == 2
    assert "deep.csv must be flat" in err
    assert "hierarchy_agreement" in run("compare", labels / "deep.csv", files[1])[1]


def test_a_matrix_has_a_report_too(run, trees, tmp_path):
    path = tmp_path / "out.html"
    code, out, err = run("matrix", *trees, "--report", path)
    assert (code, err) == (0, f"wrote {path}\n")
    assert "hierarchy_agreement" in out
    assert "How alike are the trees?" in path.read_text(encoding="utf-8")
    code, out, err = run("matrix", *trees, "--report", path)
    assert (code, out) == (2, "")
    assert "--force" in err
