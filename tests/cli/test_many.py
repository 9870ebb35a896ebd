"""Trees of one file, by number or name, lengths that are missing, and second parents."""

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
    code, _, err = run("convert", path, tmp_path / "c.json", "--missing-lengths", "guess")
    assert code == 2
    assert err.startswith("dendrometry: --missing-lengths must be 'error', 'zero' or 'no_heights'; got 'guess'")


OBO = """format-version: 1.2

[Term]
id: X:1

[Term]
id: X:2
is_a: X:1

[Term]
id: X:3
is_a: X:2

[Term]
id: X:4
is_a: X:1
is_a: X:3
"""


def test_second_parents_are_an_option(run, tmp_path):
    path = tmp_path / "terms.obo"
    path.write_text(OBO)
    code, _, err = run("convert", path, tmp_path / "a.json")
    assert code == 2
    assert "'X:4' (--parents first takes the first; --parents longest takes that with the longest way to a root)" in err
    for parents, depth in (("first", 1), ("longest", 3)):
        out = tmp_path / f"{parents}.json"
        code, _, err = run("convert", path, out, "--parents", parents)
        assert code == 0
        assert "1 further parent left out" in err
        tree = dm.read(out)
        assert tree.depths[tree.item_node[tree.items.index("X:4")]] == depth
    code, _, err = run("convert", path, tmp_path / "b.json", "--parents", "all")
    assert code == 2
    assert err.startswith("dendrometry: --parents must be 'error', 'first' or 'longest'; got 'all'")
    assert run("diff", tmp_path / "first.json", path, "--parents", "longest")[0] == 1


def test_a_command_that_reads_a_tree_has_every_option(run):
    commands = ("compare", "diff", "stages", "labels", "matrix", "consensus", "plot", "convert")
    for command in (*commands, "cut", "choose", "stability", "splits", "label", "browse"):
        text = run(command, "--help")[1]
        for option in ("--format", "--path-column", "--sep", "--exact-heights", "--missing-lengths", "--parents"):
            assert f"{option} " in text, (command, option)
