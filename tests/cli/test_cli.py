"""The command line: what it prints, and one line and exit code 2 for what it refuses."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

import dendrometry as dm
from dendrometry.cli._shared.table import print_table
from dendrometry.comparison import compare_unrooted


@pytest.fixture
def trees(tmp_path):
    paths = []
    for name, text in (("a", "((ape:1,cat:1):2,owl:3);"), ("b", "((ape:2,owl:2):1,cat:3);")):
        path = tmp_path / f"{name}.nwk"
        path.write_text(text)
        paths.append(str(path))
    return paths


def test_compare_prints_every_measure_and_what_it_says(run, trees):
    code, out, err = run("compare", *trees)
    assert (code, err) == (0, "")
    result = dm.compare(*map(dm.read, trees), names=("a.nwk", "b.nwk"))
    for line in result.lines:
        assert line.caveat in out
        assert line.caveat or f"{line.name}: {line.tell('a.nwk', 'b.nwk')}" in out
    assert "0.851852" in out
    assert "3 items compared" in out
    verdict, contained, table, sentences, facts, silent, methods = out.strip().split("\n\n")
    assert verdict.startswith("Verdict: a.nwk and b.nwk are less alike than by chance: −0.50 where 0 is chance")
    assert verdict.endswith(" The only cluster of a.nwk does not occur in b.nwk.")
    assert contained.startswith("a.nwk in b.nwk: 0 of 1 cluster and 0% of the resolved triples of items\n")
    assert table.startswith("measure")
    assert sentences.startswith("hierarchy_agreement: Agreement in the size")
    assert facts.startswith("3 items compared")
    assert silent.startswith("Not informative here:\n  classic_f: two items must share a node")
    assert methods == f"For a methods section: {result.methods}"  # whenever there is a p-value


def test_json_is_the_json_of_the_comparison(run, trees):
    code, out, _ = run("compare", *trees, "--json")
    assert code == 0
    assert json.loads(out) == json.loads(dm.compare(*map(dm.read, trees), names=("a.nwk", "b.nwk")).to_json())


def test_chosen_measures(run, trees):
    _, out, _ = run("compare", *trees, "--json", "--measure", "classic_f", "--measure", "overall_distance")
    assert [entry["measure"] for entry in json.loads(out)["measures"]] == ["classic_f", "overall_distance"]
    _, out, _ = run("compare", *trees, "--measure", "classic_f")
    assert "Not informative here:\n  classic_f: two items must share a node" in out
    assert out.startswith("Verdict: None of the measures asked for applies to these trees.")
    _, out, _ = run("compare", *trees, "--json", "--measure", "classic_f", "--measure", "classic_f")
    assert [entry["measure"] for entry in json.loads(out)["measures"]] == ["classic_f"]


def test_permutations_test_every_measure(run, trees):
    _, out, _ = run("compare", *trees, "--permutations", "39")
    head = next(line for line in out.splitlines() if line.startswith("measure "))
    assert head.split()[3:6] == ["chance", "adjusted", "p"]
    assert "(hierarchy_agreement, p = " in out.splitlines()[0]
    _, out, _ = run("compare", *trees, "--permutations", "39", "--json")
    found = {entry["measure"]: entry["p_value"] for entry in json.loads(out)["measures"]}
    assert found["hierarchy_agreement"] == dm.permutation_test(*map(dm.read, trees), n_permutations=39, rng=0).p_value
    _, out, _ = run("compare", *trees, "--permutations", "0")
    assert " p " not in out.splitlines()[0] + next(line for line in out.splitlines() if line.startswith("measure "))
    code, _, err = run("compare", *trees, "--permutations", "-1")
    assert code == 2
    assert "invalid value for '--permutations': Input should be greater than or equal to 0" in err


def test_json_is_printed_beside_a_table_that_is_written(run, trees, tmp_path):
    code, out, _ = run("compare", *trees, "--json", "--out", str(tmp_path / "x.csv"))
    assert (code, json.loads(out)["n_items"]) == (0, 3)
    assert (tmp_path / "x.csv").read_text().startswith("measure")


def test_common_items_are_compared_when_asked_for(run, trees, tmp_path):
    other = tmp_path / "c.nwk"
    other.write_text("((ape:1,cat:1):2,(owl:1,yak:1):2);")
    code, _, err = run("compare", trees[0], str(other))
    assert code == 2
    assert "yak" in err
    assert " (--intersect compares the 3 common items only)" in err
    code, out, _ = run("compare", trees[0], str(other), "--intersect", "--json")
    assert (code, json.loads(out)["left_out"]) == (0, [0, 1])
    _, out, _ = run("compare", trees[0], str(other), "--intersect")
    assert out.startswith("Verdict: On 3 of 3 items (100%) of a.nwk and 3 of 4 items (75%) of c.nwk, ")
    _, _, err = run("compare", trees[0], str(other), "--intersect", "--out", str(tmp_path / "x.csv"))
    assert "On 3 of 3 items (100%) of a.nwk" in err
    other.write_text("((ape:1,elk:1):2,(fox:1,yak:1):2);")
    code, _, err = run("compare", trees[0], str(other), "--intersect")
    assert code == 2
    assert "they share 1 of 3 and 1 of 4 (--intersect-any compares any number)" in err
    assert run("compare", trees[0], str(other), "--intersect-any")[0] == 0


def test_roots_are_ignored_when_asked_for(run, tmp_path):
    paths = [str(tmp_path / name) for name in ("species.nwk", "gene.nwk")]
    texts = ["(((ape,cat),elk),(jay,(owl,fox)));", "((ape,elk),(cat,(jay,(owl,yak))));"]
    for path, text in zip(paths, texts, strict=True):
        Path(path).write_text(text)
    assert run("compare", *paths, "--unrooted")[0] == 2
    code, out, _ = run("compare", *paths, "--unrooted", "--intersect", "--permutations", "19")
    assert code == 0
    assert "The share of the splits of species.nwk that are splits of gene.nwk: 0.5" in out
    assert "5 items compared, without roots\nleft out: 1 of species.nwk, 1 of gene.nwk\n" in out
    assert "For a methods section: Whether the two trees are more alike" in out
    trees = list(map(dm.read, paths))
    found = compare_unrooted(*trees, names=("species.nwk", "gene.nwk"), on_mismatch="intersect")
    _, out, _ = run("compare", *paths, "--unrooted", "--intersect", "--json", "--out", str(tmp_path / "x.csv"))
    assert out.strip() == found.to_json()
    assert (tmp_path / "x.csv").read_text().count("\n") == 1 + len(found.lines)
    code, _, err = run("compare", *paths, "--unrooted", "--report", str(tmp_path / "x.html"))
    assert (code, "--unrooted takes no --report, --nodes and --engine" in err) == (2, True)
    code, _, err = run("compare", *paths, "--unrooted", "--intersect", "--measure", "hierarchy_agreement")
    assert (code, "hierarchy_agreement depends on which items the root puts inside a cluster" in err) == (2, True)


def test_names_are_matched_loosely_when_asked_for(run, trees, tmp_path):
    other = tmp_path / "c.nwk"
    other.write_text("((Ape:1,cat:1):2,owl:3);")
    code, _, err = run("compare", trees[0], str(other))
    assert code == 2
    assert "perhaps the same: 'ape' and 'Ape' (--match-names loose ignores case" in err
    code, out, _ = run("compare", trees[0], str(other), "--match-names", "loose")
    assert code == 0
    assert "1 item matched by names that differ in case, underscores or spaces" in out
    assert run("compare", *trees, "--match-names", "best")[0] == 2


def test_what_was_read_of_a_table_is_said_in_one_line(run, tmp_path):
    table = tmp_path / "cells.csv"
    table.write_text("cell,major,minor\na,T,CD4\nb,T,NA\nc,B,naive\n,,\n")
    run("convert", table, tmp_path / "cells.json")
    assert run.read == [
        f"read {table}: levels: 3 items in 'cell', 2 levels in 'major', 'minor', 1 row dropped, missing: 'NA' (1)\n"
    ]
    labels = tmp_path / "labels.csv"
    labels.write_text("cell,cluster\na,0\nb,-1\nc,1\n")
    code, out, _ = run("convert", labels, "-", "--to", "csv", "--noise", "drop")
    assert (code, out.split()) == (0, ["item,path", "a,0", "c,1"])
    assert run.read == [
        f"read {labels}: labels: 2 items in 'cell', 1 level in 'cluster', 1 row dropped, 1 noise (-1)\n"
    ]


def test_tables_that_leave_something_open_are_refused_with_options(run, tmp_path):
    table = tmp_path / "cells.csv"
    table.write_text("cell,coarse,fine\na,0,0\nb,0,1\nc,1,1\n")
    code, _, err = run("compare", table, table)
    assert code == 2
    assert "(--levels names the columns that are levels; --repeats split makes" in err
    assert "dendrometry resolutions takes clusterings that are not nested" in err
    for options in (["--repeats", "split"], ["--levels", "coarse"], ["--levels", "fine"]):
        assert run("convert", table, "-", "--to", "json", *options)[0] == 0
    table.write_text("taxon,family,genus\na,,G1\nb,F2,G2\n")
    code, _, err = run("convert", table, "-", "--to", "csv")
    assert (code, "--missing skip_rank leaves the rank out; --missing own_node makes a node for it" in err) == (2, True)
    code, out, _ = run("convert", table, "-", "--to", "csv", "--missing", "own_node")
    assert (code, "a,(no family)/G1" in out) == (0, True)
    code, out, _ = run("convert", table, "-", "--to", "csv", "--missing", "skip_rank")
    assert (code, "a,G1" in out) == (0, True)
    assert run("convert", table, "-", "--to", "csv", "--missing", "guess")[0] == 2


def test_paths_in_tables_are_found_or_given(run, tmp_path):
    first, second = tmp_path / "v1.csv", tmp_path / "v2.csv"
    first.write_text("product,category\napple,Food > Fruit\nbread,Food > Bakery\nsaw,Tools > Hand\n")
    second.write_text("product,category\napple,Food > Fruit\nbread,Food > Fruit\nsaw,Tools > Hand\n")
    code, out, err = run("compare", str(first), str(second))
    assert code == 0
    assert "two clusterings" not in out
    assert "v1.csv: column 'category' is taken as paths separated by ' > ', as it looks (--sep '' takes labels)" in err
    code, out, err = run("compare", str(first), str(second), "--path-column", "category", "--sep", " > ")
    assert (code, err) == (0, "")
    assert "hierarchy_agreement" in out
    code, out, err = run("compare", str(first), str(second), "--sep", "")
    assert (code, err) == (0, "")
    assert "adjusted_rand" in out


def test_digits_of_lengths_are_rounded_unless_said_to_be_exact(run, tmp_path):
    third, path = "0.3333333333", tmp_path / "tree.nwk"
    path.write_text(
        f"(((a:{third},b:{third}):{third},(c:{third},d:{third}):{third}):1,(e:0.6666666667,f:0.6666666667):1);"
    )
    code, _, err = run("convert", path, tmp_path / "tree.json")
    assert code == 0
    assert "1 height within that of another taken as equal to it (--exact-heights takes all digits as exact)" in err
    _, _, err = run("convert", path, tmp_path / "exact.json", "--exact-heights")
    assert err == f"wrote {tmp_path / 'exact.json'}\n"
    assert dm.read(tmp_path / "tree.json") != dm.read(tmp_path / "exact.json")


def test_the_format_is_for_names_that_do_not_tell(run, trees, tmp_path):
    other = tmp_path / "tree.txt"
    other.write_text("item,class\nape,x\ncat,x\nowl,y\n")  # a table, which is not known by its content
    code, _, err = run("compare", trees[0], str(other))
    assert code == 2
    assert "(--format names the format)" in err
    assert run("compare", trees[0], str(other), "--format", "csv")[0] == 0
    other.write_text("((ape:1,cat:1):2,owl:3);")
    assert run("compare", trees[0], str(other))[0] == run("compare", trees[0], str(other), "--format", "newick")[0] == 0
    code, _, err = run("compare", *trees, "--format", "json")
    assert code == 2
    assert "--format must be that of the names, which determine it for all of these files; got json for" in err
    assert run("compare", *trees, "--format", "xml")[0] == 2
    other = other.rename(tmp_path / "tree.tre")
    assert run("compare", trees[0], str(other))[0] == 0
    assert run("compare", str(other), str(other), "--format", "newick")[0] == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a, b: ["compare", a, "nowhere.nwk"], "cannot read nowhere.nwk"),
        (
            lambda a, b: ["compare", a, b, "--measure", "best"],
            "--measure must be one of 'hierarchy_agreement', 'hierarchical_f', 'classic_f', 'partial_order_f',"
            " 'overall_distance' and 59 more; got 'best'\n",
        ),
        (
            lambda a, b: ["compare", a, b, "--measure", "adjusted_rant"],
            "did you mean 'adjusted_rand'? --measure must be one of 64 names; got 'adjusted_rant'",
        ),
        (
            lambda a, b: ["compare", a, b, "--measure", "ARI"],
            "did you mean 'adjusted_rand'? --measure must be one of 64 names; got 'ARI'",
        ),
        (
            lambda a, b: ["compare", a, b, "--measure", "rand", "--measure", "classic_f"],
            "must be asked for one kind at a time; got classic_f of trees, and rand",
        ),
        (lambda a, b: ["compare", a, b + ".txt"], "b.nwk.txt: No such file or directory"),
        (lambda a, b: ["compare", "-", "-", "--format", "newick"], "standard input can be only one tree"),
        (lambda a, b: ["compare", a, b, "--format", "json"], "--format must be that of the names"),
        (lambda a, b: ["cut", a, "-k", "2", "--format", "json"], "--format must be that of the names"),
    ],
)
def test_what_is_refused_is_one_line_and_exit_code_2(run, trees, change, message):
    code, out, err = run(*change(*trees))
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_labels_are_text_on_the_terminal(run, tmp_path):
    items = ["[bold red]x[/]", "\x1b[31my", "z"]
    paths = []
    for i, rows in enumerate(([[0, 1, 1, 2], [2, 3, 2, 3]], [[1, 2, 1, 2], [0, 3, 2, 3]])):
        paths.append(str(tmp_path / f"{i}.nwk"))
        dm.write(dm.from_linkage(rows, items), paths[-1])
    _, out, _ = run("compare", *paths)
    assert "[bold red]x[/]" in out
    assert "\x1b" not in out


def test_standard_input_is_a_tree_where_its_format_is_given(run, trees, monkeypatch):
    class Input:
        buffer = io.BytesIO(b"((ape:2,owl:2):1,cat:3);")

    monkeypatch.setattr(sys, "stdin", Input)
    _, from_file, _ = run("compare", *trees, "--json")
    expected = from_file.replace("b.nwk", "standard input")
    assert run("compare", trees[0], "-", "--format", "newick", "--json") == (0, expected, "")
    code, _, err = run("compare", trees[0], "-")
    assert code == 2
    assert "needs a format: --format newick, nexus, json" in err


def test_every_command_is_listed(run):
    _, out, _ = run("--help")
    assert all(command in out for command in ("compare", "cluster", "cut", "measures"))


def test_the_help_of_compare_names_the_endings_and_its_arguments(run):
    _, out, _ = run("compare", "--help")
    text = " ".join(out.split())
    endings = ".nwk, .newick, .tree, .tre, .treefile, .nhx, .nex, .nexus, .json, .csv, .tsv, .parquet, .npy"
    endings += ", .rds, .rdata, .rda, .xlsx, .xlsm, .h5ad"
    assert f"{endings}, or these with .gz" in text
    assert "--measure NAME" in text
    assert "list[str]" not in text


def test_the_version_is_told(run):
    assert run("--version") == (0, f"dendrometry {dm.__version__}\n", "")


@pytest.mark.parametrize("command", [["measures"], ["compare", "nowhere.nwk", "nowhere.nwk"]])
def test_closed_streams_end_in_the_exit_code_of_an_error(run, monkeypatch, command):
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert run(*command) == (2, "", "")


def test_measures_lists_both_registries(run):
    code, out, _ = run("measures")
    assert code == 0
    for measure in dm.MEASURES.values():
        assert f"{measure.name}: {measure.describe()}" in out
        assert measure.source in out


def test_measures_finds_one_by_any_of_its_names(run):
    code, out, _ = run("measures", "cid")
    assert code == 0
    assert out.startswith("measures.clustering_information_distance(a, b): the information of the clusters")
    assert "\nCID = H(a) + H(b) - 2 MCI\n" in out
    assert "\nrange: 0 to inf, lower is more alike\n" in out
    assert run("measures", "UPGMA")[1].startswith('agglomerate(X, linkage="average"): ')
    assert run("measures", "adjusted randd")[1].startswith("the nearest name: measures.adjusted_rand(a, b): ")
    assert run("measures", "MCI")[1].count("more alike") == 0
    code, _, err = run("measures", "qqqqxz")
    lost = "dendrometry: word must be near a name of a measure, a linkage, an index or a function; got qqqqxz"
    assert (code, err) == (2, f"{lost} (dendrometry measures lists the measures)\n")
    assert "cannot be combined with --bibtex" in run("measures", "cid", "--bibtex")[2]


def test_measures_takes_a_name_of_several_words_and_prints_it_as_json(run):
    found = json.loads(run("measures", "ancestor", "f1", "--json")[1])
    assert (found["name"], found["is_known"]) == ("partial_order_f", True)
    assert found["record"]["formula"].startswith("PO-F = ")
    assert found["record"]["range"] == "0 to 1"
    assert [other["call"] for other in found["others"]] == ['taxonomy.compare_taxonomies(a, b)["ancestor_f"]']
    assert json.loads(run("measures", "upgma", "--json")[1])["record"] == {}


def test_the_command_runs_as_a_program(trees):
    done = subprocess.run(
        [sys.executable, "-m", "dendrometry.cli", "compare", trees[0], "\x1b.nwk"], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr == "dendrometry: cannot read \\x1b.nwk: No such file or directory\n"


@pytest.mark.parametrize("command", [(), ("compare",), ("reproduce",)])
def test_h_is_help(run, command):
    assert run(*command, "-h") == run(*command, "--help")


def test_columns_of_a_table_line_up_under_wide_and_combining_characters(capsys):
    print_table(["item", "n"], [["é", "1"], ["e\u0301", "2"], ["\u6771\u4eac", "3"], ["\x1b[1m", "4"]])
    assert capsys.readouterr().out.splitlines() == [
        "item      n",
        "───────────",
        "é         1",
        "e\u0301         2",
        "\u6771\u4eac      3",
        "\\x1b[1m   4",
    ]


def test_merges_of_an_hclust_are_refused_with_what_to_do_in_r(run, tmp_path):
    path = tmp_path / "merge.csv"
    path.write_text('"","V1","V2"\n"1",-1,-2\n"2",1,-3\n')
    code, out, err = run("compare", str(path), str(path))
    assert (code, out) == (2, "")
    assert "got the merges of an hclust, one row for each merge (in R, ape::write.tree" in err
