"""``dendrometry stability``."""

import json
import signal
from functools import wraps
from importlib import import_module
from itertools import count

import numpy as np
import pandas as pd
import pytest

from dendrometry import agglomerate, agglomerate_distances, read, stability, to_newick
from dendrometry.resampling import MULTISCALE, Resampling, stability_of_distances
from dendrometry.resampling.replicates import checkpoint

resampling = import_module("dendrometry.resampling.stability")  # functions have these names, too
command = import_module("dendrometry.cli.stability")

X = (np.repeat([[0, 0], [9, 0], [0, 9]], 8, axis=0) + np.random.default_rng(0).normal(size=(24, 2))).round(3)
NAMES = [f"i{i}" for i in range(24)]
QUICK = ("--replicates", 6, "--references", 3)


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    rows = [",".join([name, *map(repr, row)]) for name, row in zip(NAMES, X.tolist(), strict=True)]
    path.write_text("\n".join(["item,x,y", *rows]), encoding="utf-8")
    return path


def test_prints_clusters_levels_and_words(run, points):
    code, out, err = run("stability", points, *QUICK, "--max-clusters", 5)
    assert (code, err) == (0, "")
    clusters, levels, words, methods = out.split("\n\n")
    assert clusters.splitlines()[0].split() == ["items", "bp", "jaccard", "first", "item"]
    assert clusters.splitlines()[2].split()[0] == "16"
    assert "and 2 more" in clusters
    assert [line.split()[0] for line in levels.splitlines()[2:]] == ["2", "3", "4", "5"]
    assert words.startswith(
        "Replicates agree better than those of all 3 reference sets, normal data of the same covariance"
    )
    assert methods.startswith("For a methods section: Trees of ")
    assert "methods section" not in run("stability", points, *QUICK[:-2], "--references", 0, "--max-clusters", 5)[1]


def test_numbers_are_those_of_the_function(run, points, tmp_path):
    code, out, err = run("stability", points, *QUICK, "--json", "--seed", 3, "--linkage", "average")
    assert (code, err) == (0, "")
    expected = stability(X, linkage="average", n_replicates=6, n_references=3, rng=3)
    found = json.loads(out)
    assert [row["mean"] for row in found["levels"]] == expected.agreement.mean.tolist()
    by_node = {row["node"]: row["jaccard"] for row in found["clusters"]}
    assert by_node == {v: expected.support.jaccard[v] for v in expected.nodes().tolist()}
    table = tmp_path / "out.csv"
    assert run("stability", points, *QUICK, "--seed", 3, "--linkage", "average", "--out", table)[0] == 0
    assert len(table.read_text().splitlines()) == 23


def test_distances_are_read_as_such(run, tmp_path):
    distances = np.abs(X[:, None] - X[None, :]).sum(axis=2)
    order = np.random.default_rng(1).permutation(24)
    rows = [",".join([NAMES[i], *(repr(float(distances[i, j])) for j in order)]) for i in order]
    header = ",".join(["item", *(NAMES[i] for i in order)])
    path = tmp_path / "distances.csv"
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    tree = agglomerate_distances(distances, linkage="complete", item_names=NAMES).hierarchy
    (tmp_path / "tree.nwk").write_text(to_newick(tree), encoding="utf-8")
    options = ("--distances", "--linkage", "complete", "--replicates", 6, "--json")
    code, out, err = run("stability", path, *options, "--tree", tmp_path / "tree.nwk")
    assert (code, err) == (0, "")
    frame = pd.DataFrame(distances, index=NAMES, columns=NAMES).iloc[order, order]
    for printed, own in ((out, read(tmp_path / "tree.nwk")), (run("stability", path, *options)[1], None)):
        expected = stability_of_distances(frame, linkage="complete", tree=own, n_replicates=6)
        found = {row["node"]: row["bp"] for row in json.loads(printed)["clusters"]}
        assert found == {v: expected.support.bp[v] for v in expected.nodes().tolist()}
    path.write_text("\n".join([",".join(["item", *NAMES]), *rows]), encoding="utf-8")
    for more, message in (
        ((), "the columns of a table of distances must be the items"),
        (("--metric", "cosine"), "--metric is for points"),
        (("--references", 3), "--references must be 0 with --distances"),
        (("--multiscale",), "resample must be 'bootstrap' or 'subsample' for distances"),
    ):
        if more:
            path.write_text("\n".join([header, *rows]), encoding="utf-8")
        code, _, err = run("stability", path, *options, *more)
        assert code == 2
        assert message in err


def test_a_given_tree_columns_and_files(run, points, tmp_path):
    tree = agglomerate(X[::-1], linkage="complete", item_names=NAMES[::-1]).hierarchy
    (tmp_path / "tree.nwk").write_text(to_newick(tree), encoding="utf-8")
    options = ("--tree", tmp_path / "tree.nwk", "--multiscale", "--replicates", 3, "--references", 0, "--json")
    code, out, err = run("stability", points, *options, "--file", tmp_path / "kept.zip")
    assert (code, err) == (0, "")
    plan = Resampling("columns", scales=MULTISCALE)
    expected = stability(X[::-1], tree=tree, resample=plan, n_replicates=3, n_references=0)
    assert sorted(row["au"] for row in json.loads(out)["clusters"]) == sorted(expected.support.au[expected.nodes()])
    assert run("stability", points, *options, "--file", tmp_path / "kept.zip")[1] == out


def test_trees_of_files_are_replicates_and_support_is_written(run, tmp_path):
    texts = ["((ape,cat),(elk,owl));", "((ape,cat),elk,owl);", "((ape,elk),(cat,owl));"]
    for name, content in (("tree.nwk", texts[0]), ("some.nwk", "\n".join(texts[:2])), ("more.nwk", texts[2])):
        (tmp_path / name).write_text(content, encoding="utf-8")
    replicates = ("--trees", tmp_path / "some.nwk", "--trees", tmp_path / "more.nwk")
    options = ("--tree", tmp_path / "tree.nwk", *replicates)
    code, out, err = run("stability", *options, "--json")
    assert (code, err) == (0, "")
    assert [round(row["bp"], 3) for row in json.loads(out)["clusters"]] == [0.667, 0.333]
    for ending in ("nwk", "nex"):
        assert run("stability", *options, "--out", tmp_path / f"support.{ending}")[0] == 0
    assert (tmp_path / "support.nwk").read_text(encoding="utf-8") == "((ape,cat)67,(elk,owl)33);\n"
    assert sorted(read(tmp_path / "support.nex").node_names)[-2:] == ["33", "67"]
    (tmp_path / "more.nwk").write_text("((ape:1,elk),(cat,owl));", encoding="utf-8")
    assert "--missing-lengths no_heights" in run("stability", *options)[2]
    assert run("stability", *options, "--missing-lengths", "no_heights")[0] == 0
    for wrong in (replicates, (*options, "--distances"), (tmp_path / "points.csv", *options)):
        code, _, err = run("stability", *wrong)
        assert (code, err) == (
            2,
            "dendrometry: --trees requires --tree, and none of POINTS, --distances and --file\n",
        )
    code, _, err = run("stability")
    assert (code, err) == (2, "dendrometry: a stability needs POINTS, or --tree and --trees; got neither\n")


def test_the_reference_is_heeded(run, points):
    code, out, _ = run("stability", points, *QUICK, "--json", "--reference", "permuted")
    expected = stability(X, reference="permuted", n_replicates=6, n_references=3).agreement
    assert code == 0
    assert [row["reference"] for row in json.loads(out)["levels"]] == expected.reference_mean.tolist()


def test_an_interrupt_keeps_what_is_done_and_nothing_else(run, points, tmp_path, monkeypatch):
    calls = []

    @wraps(agglomerate)
    def interrupted(*given, **options):
        calls.append(1)
        if len(calls) == 12:
            signal.raise_signal(signal.SIGINT)
        return agglomerate(*given, **options)

    kept = tmp_path / "kept.zip"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in a process in the background
    try:
        with monkeypatch.context() as patch:
            patch.setattr(import_module("dendrometry.cluster.agglomerate"), "agglomerate", interrupted)
            patch.setattr(resampling, "agglomerate", interrupted)
            page = tmp_path / "page.html"
            code, out, _ = run("stability", points, "--replicates", 500, "--file", kept, "--out", page)
            again, _, _ = run("stability", points, "--replicates", 12, "--references", 0, "--file", kept)
    finally:
        signal.signal(signal.SIGINT, before)
    assert (code, again) == (130, 0)
    assert out == ""
    assert [path.name for path in tmp_path.iterdir() if path.suffix in (".html", ".zip")] == ["kept.zip"]
    assert len(calls) == 12 + 1 + 2  # the tree once more, and the replicates that the file lacks


class _LostInterrupt:
    """Interrupts the process when it is deleted, where Python drops what a signal handler raises."""

    def __del__(self):
        signal.raise_signal(signal.SIGINT)


# Steps of the command, each done several times or once: the start and the end of jobs, a file that is written, and what
# is done with all of them.
STEPS = {
    "a draw": (resampling, "draw_sample"),
    "a tree": (resampling, "build_replicate"),
    "a replicate kept": (checkpoint.Checkpoint, "add_replicate"),
    "a reference kept": (checkpoint.Checkpoint, "add_reference"),
    "a file": (checkpoint, "write_whole"),
    "the support": (resampling, "node_support"),
    "what is printed": (command, "print_table"),
}


@pytest.mark.further
@pytest.mark.parametrize(
    "interrupt", [_LostInterrupt, lambda: signal.raise_signal(signal.SIGINT)], ids=["lost", "heard"]
)
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("step", STEPS)
def test_an_interrupt_at_any_step_ends_the_command(step, jobs, interrupt, run, points, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "_EVERY", 0.0)
    monkeypatch.setattr("sys.unraisablehook", lambda _: None)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    codes = []
    try:
        while 0 not in codes:
            kept = tmp_path / f"{len(codes)}.zip"
            with monkeypatch.context() as patch:
                patch_at_call(patch, *STEPS[step], len(codes), interrupt)
                codes.append(run("stability", points, *QUICK, "--jobs", jobs, "--file", kept)[0])
    finally:
        signal.signal(signal.SIGINT, before)
    assert codes[:-1] == [130] * (len(codes) - 1)
    assert len(codes) > 1


def patch_at_call(patch, owner, name, number, interrupt):
    """Have a function interrupt the process before its call of a number, counted from 0."""
    numbers, function = count(), getattr(owner, name)

    @wraps(function)
    def interrupted(*given, **options):
        if next(numbers) == number:
            interrupt()
        return function(*given, **options)

    patch.setattr(owner, name, interrupted)


@pytest.mark.further
def test_reports_and_pictures_are_written(run, points, tmp_path):
    assert run("stability", points, *QUICK, "--out", tmp_path / "page.html")[0] == 0
    assert "How stable is the tree?" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert run("stability", points, *QUICK, "--out", tmp_path / "curve.png")[0] == 0
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_messages_name_options(run, points):
    code, _, err = run("stability", points, "--replicates", 2)
    assert (code, err) == (2, "dendrometry: --replicates must be a whole number from 6 on; got 2\n")
    code, _, err = run("stability", points, "--resample", "rows")
    assert code == 2
    assert err.startswith("dendrometry: --resample must be 'bootstrap'")
    code, _, err = run("stability", points, "--resample", "noise", "--multiscale")
    assert (code, err) == (2, "dendrometry: --multiscale draws columns; got it with --resample noise\n")
