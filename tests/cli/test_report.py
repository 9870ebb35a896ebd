"""``dendrometry compare A B --report``: a page, never over another file by accident."""

import sys

import pytest

from dendrometry.cli import main


@pytest.fixture
def run(monkeypatch, capsys):
    def call(*args):
        monkeypatch.setattr(sys, "argv", ["dendrometry", *map(str, args)])
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code, *capsys.readouterr()

    return call


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


def test_an_existing_file_needs_force(run, trees, tmp_path):
    path = tmp_path / "out.html"
    path.write_text("mine")
    code, out, err = run("compare", *trees, "--report", path)
    assert (code, out) == (2, "")
    assert "--force" in err
    assert path.read_text() == "mine"
    assert run("compare", *trees, "--report", path, "--force")[0] == 0
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
