"""Trees of one file, by number or name, and lengths that are missing."""

import dendrometry as dm

TREES = "((a:1,b:1):1,c:2); (a:2,(b:1,c:1):1);"


def test_one_file_holds_both_trees(run, tmp_path):
    path = tmp_path / "runs.nwk"
    path.write_text(TREES)
    code, out, _ = run("compare", f"{path}:1", f"{path}:2")
    assert code == 0
    assert "runs.nwk:1 and runs.nwk:2" in out
    assert run("convert", f"{path}:2", tmp_path / "second.json")[0] == 0
    assert dm.read(tmp_path / "second.json") == dm.read(path, tree=2)
    code, _, err = run("compare", path, f"{path}:3")
    assert code == 2
    assert "the file must hold one tree; it holds 2 trees, '1', '2' (FILE:1 is the first)" in err
    named = tmp_path / "x:1.nwk"  # a file of this name comes first
    named.write_text("(a,b);")
    assert run("convert", named, tmp_path / "x.json")[0] == 0


def test_missing_lengths_are_an_option(run, tmp_path):
    path = tmp_path / "a.nwk"
    path.write_text("((a:1,b:1):1,c);")
    code, _, err = run("convert", path, tmp_path / "b.json")
    assert code == 2
    assert "--missing-lengths zero takes it as 0" in err
    assert run("convert", path, tmp_path / "b.json", "--missing-lengths", "zero")[0] == 0
    assert run("convert", path, tmp_path / "c.json", "--missing-lengths", "guess")[0] == 2
