"""``dendrometry plot``."""

import pytest


@pytest.mark.parametrize("kind", ["tanglegram", "matches", "item_disagreement", "stage_curves"])
def test_two_trees_are_drawn(run, trees, tmp_path, kind):
    out = tmp_path / "picture.png"
    assert run("plot", kind, *trees, "--out", out) == (0, "", f"wrote {out}\n")
    assert out.read_bytes().startswith(b"\x89PNG")


def test_one_tree_and_flat_clusterings_are_drawn(run, trees, tmp_path):
    assert run("plot", "dendrogram", trees[0], "--top", "2", "--out", tmp_path / "d.svg")[0] == 0
    assert run("plot", "icicle", trees[0], "--out", tmp_path / "i.pdf")[0] == 0
    for name, labels in (("x", "0011"), ("y", "0111")):
        rows = "".join(f"{item},{label}\n" for item, label in zip("abcd", labels, strict=True))
        (tmp_path / f"{name}.csv").write_text("item,label\n" + rows)
    flat = [tmp_path / "x.csv", tmp_path / "y.csv"]
    assert run("plot", "split_merge_flow", *flat, "--out", tmp_path / "f.png")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tanglegram", "a.nwk", "--out", "x.png"), "tanglegram takes 2 trees; got 1"),
        (("dendrogram", "a.nwk", "b.nwk", "--out", "x.png"), "dendrogram takes 1 tree; got 2"),
        (
            ("matches", "a.nwk", "b.nwk", "--top", "3", "--out", "x.png"),
            "--top is for dendrogram and icicle; got matches",
        ),
        (("dendogram", "a.nwk", "--out", "x.png"), "KIND must be"),
        (("dendrogram", "a.nwk", "--out", "x.gif"), "--out must end in .png, .svg, .pdf; got x.gif"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(run, arguments, message):
    code, out, err = run("plot", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
