"""``dendrometry consensus``."""

import json

import pytest

from dendrometry import consensus, from_newick, read, write
from dendrometry.comparison import greedy_consensus

TREES = ["(((ape,cat),elk),(fox,owl));", "((ape,cat),(elk,(fox,owl)));", "(((ape,elk),cat),fox,owl);"]


@pytest.fixture
def paths(tmp_path):
    made = [tmp_path / f"{i}.nwk" for i in range(len(TREES))]
    for path, text in zip(made, TREES, strict=True):
        path.write_text(text, encoding="utf-8")
    return made


def test_prints_each_cluster_with_its_support_and_draws_the_tree(run, paths):
    code, out, _ = run("consensus", *paths)
    assert code == 0
    rows = [line.split() for line in out.splitlines()[2:5]]
    assert [row[:2] for row in rows] == [["67%", "2"], ["67%", "2"], ["67%", "3"]]
    assert consensus([from_newick(text) for text in TREES]).hierarchy.draw() in out
    assert out.endswith("3 clusters in more than 0.5 of 3 trees, 5 items\n")


def test_writes_the_tree_and_prints_json(run, paths, tmp_path):
    out = tmp_path / "common.json"
    code, printed, _ = run("consensus", *paths, "--out", out, "--json")
    assert code == 0
    content = json.loads(printed.replace(f"wrote {out}\n", ""))
    expected = consensus([read(path) for path in paths])
    assert content["n_trees"] == 3
    assert {frozenset(cluster["items"]) for cluster in content["clusters"]} == {
        frozenset(("ape", "cat")),
        frozenset(("fox", "owl")),
        frozenset(("ape", "cat", "elk")),
    }
    assert {cluster["support"] for cluster in content["clusters"]} == {2 / 3}
    assert read(out) == expected.hierarchy
    assert run("consensus", *paths, "--out", out)[0] == 2


def test_a_strict_consensus_may_hold_no_cluster(run, paths):
    code, out, _ = run("consensus", *paths, "--threshold", "0.9")
    assert code == 0
    assert out.endswith("0 clusters in more than 0.9 of 3 trees, 5 items\n")
    assert "support" not in out


def test_a_greedy_consensus_adds_less_frequent_clusters(run, paths):
    code, out, _ = run("consensus", *paths[1:], "--greedy")
    assert code == 0
    expected = greedy_consensus([from_newick(text) for text in TREES[1:]])
    assert repr(expected) == "Consensus(5 items, 3 clusters in a greedy consensus of 2 trees)"
    assert out.endswith("3 clusters in a greedy consensus of 2 trees, 5 items\n")
    assert run("consensus", *paths[1:])[1].endswith("0 clusters in more than 0.5 of 2 trees, 5 items\n")
    code, _, err = run("consensus", *paths, "--greedy", "--threshold", "0.5")
    assert (code, err) == (2, "dendrometry: --greedy takes no --threshold, as it adds clusters of any share\n")


def test_refuses_thresholds_and_trees_that_do_not_fit(run, paths, tmp_path):
    code, _, err = run("consensus", *paths, "--threshold", "0.2")
    assert code == 2
    assert "threshold must be" in err
    write(from_newick("(ape,cat);"), tmp_path / "few.nwk")
    code, _, err = run("consensus", *paths, tmp_path / "few.nwk")
    assert code == 2
    assert "must hold the same items" in err


@pytest.mark.parametrize("command", ["consensus", "matrix"])
def test_one_file_of_several_trees_is_all_of_them(command, run, paths, tmp_path):
    (tmp_path / "all.nwk").write_text("\n".join(TREES), encoding="utf-8")
    code, out, _ = run(command, tmp_path / "all.nwk", "--json")
    _, expected, _ = run(command, *paths, "--json")
    found, wanted = json.loads(out), json.loads(expected)
    assert code == 0
    assert [found.pop("names", None), wanted.pop("names", None)] in ([None, None], [["1", "2", "3"], ["0", "1", "2"]])
    assert found == wanted
    code, _, err = run(command, tmp_path / "all.nwk:2")
    assert (code, err) == ((0, "") if command == "consensus" else (2, err))
