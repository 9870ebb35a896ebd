"""``dendrometry browse``."""

import pytest

TREE = '{"name": "news", "children": [{"name": "ship, port", "items": ["Harbour", "Docks"]}, {"name": "Wheat"}]}'


@pytest.fixture
def tree(tmp_path):
    path = tmp_path / "tree.json"
    path.write_text(TREE, encoding="utf-8")
    return path


def test_a_file_alone_becomes_a_page(run, tree, tmp_path):
    out = tmp_path / "page.html"
    assert run("browse", tree, "--out", out) == (0, "", f"wrote {out}\n")
    page = out.read_text(encoding="utf-8")
    assert "<bdi>tree.json</bdi></b>: 3 documents in a tree of 3 nodes" in page
    assert str(tmp_path) not in page
    assert run("browse", tree, "--out", out, "--name", "News of today", "--force")[0] == 0
    assert "<bdi>News of today</bdi>" in out.read_text(encoding="utf-8")


def test_texts_are_shown_and_searched_if_given(run, tree, tmp_path):
    table = tmp_path / "news.csv"
    table.write_text("title,text\nHarbour,Ships at anchor\nDocks,Cranes\nWheat,A harvest\nother,Left out\n")
    out = tmp_path / "page.html"
    assert run("browse", tree, "--texts", table, "--out", out)[0] == 0
    page = out.read_text(encoding="utf-8")
    assert "in titles, labels and texts" in page
    assert "up to 20,000 characters of each are shown and searched" in page
    table.write_text("title,text\nHarbour,Ships at anchor\n")
    code, _, err = run("browse", tree, "--texts", table, "--out", out, "--force")
    assert (code, err) == (2, "dendrometry: every item must have a text; 2 items without one: 'Docks', 'Wheat'\n")


def test_an_existing_file_needs_force(run, tree, tmp_path):
    out = tmp_path / "page.html"
    out.write_text("mine", encoding="utf-8")
    code, printed, err = run("browse", tree, "--out", out)
    assert (code, printed) == (2, "")
    assert "page.html exists" in err
    assert "--force" in err
    assert out.read_text(encoding="utf-8") == "mine"


def test_what_is_missing_is_said_in_one_line(run, tree, tmp_path):
    code, _, err = run("browse", tree)
    assert code == 2
    assert err.startswith("dendrometry browse: missing option '--out'")
    code, _, err = run("browse", tmp_path / "none.json", "--out", tmp_path / "page.html")
    assert (code, err.count("\n")) == (2, 1)
    assert not (tmp_path / "page.html").exists()
