"""``dendrometry documents``: a labelled tree in one go, and what it says and refuses."""

import dataclasses
import json

import numpy as np
import pytest

import dendrometry as dm

TABLE = """headline,body
Harbour,ship port news
Docks,ship dock news
Wheat,grain field news
=Corn,grain harvest news
Night,and then
"""
COLUMNS = ["--text", "body", "--title", "headline"]


@pytest.fixture
def news(tmp_path):
    path = tmp_path / "news.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def test_a_table_becomes_a_labelled_tree(run, news, tmp_path):
    out = tmp_path / "tree.json"
    code, printed, err = run("documents", news, *COLUMNS, "--terms", "1", "--out", str(out))
    assert (code, err) == (0, f"wrote {out}\n")
    assert printed.splitlines()[0] == "4  news"
    assert {"2     ship", "2     grain", "1        =Corn"} < set(printed.splitlines())
    assert "bisect on 7 terms: 7 nodes, 4 without children; 0 ties, 0 inversions" in printed
    assert "3 nodes labelled\n" in printed
    assert "5 documents, of which 1 left out (1 only stop words)" in printed
    tree = dm.read(out)
    assert tree.node_names[tree.root] == "news"
    found = dm.text.read_documents(news, text="body", title="headline")
    assert tree == dm.text.cluster_documents(found).hierarchy


def test_the_same_as_json(run, news):
    code, printed, err = run("documents", news, *COLUMNS, "--method", "group_average", "--clusters", "2", "--json")
    assert (code, err) == (0, "")
    told = json.loads(printed)
    assert (told["n_documents"], told["n_terms"], told["method"]) == (4, 7, "group_average")
    assert (told["n_nodes"], told["n_leaves"]) == (3, 2)
    assert sorted(label["terms"][0] for label in told["labels"]) == ["grain", "news", "ship"]
    assert told["skipped"] == [{"item": "Night", "reason": "only stop words"}]


def test_buckshot_says_how_near_it_is_to_the_exact_tree(run, news, tmp_path):
    many = tmp_path / "many.csv"
    topics = ("ship port sea", "grain field corn", "oil barrel price")
    lines = [f"{topic}{i},{topics[topic]} word{i % 4}" for topic in range(3) for i in range(8)]
    many.write_text("\n".join(["headline,body", *lines]), encoding="utf-8")
    code, printed, err = run("documents", str(many), *COLUMNS, "--method", "buckshot", "--json")
    assert (code, err) == (0, "")
    found = dm.text.read_documents(many, text="body", title="headline")
    tree = dm.text.cluster_documents(found, method="buckshot").hierarchy
    near = dm.resampling.fidelity(tree, found.vectors, linkage="group_average", metric="cosine")
    assert json.loads(printed)["fidelity"] == dataclasses.asdict(near)
    assert str(near) in run("documents", str(many), *COLUMNS, "--method", "buckshot")[1].splitlines()
    few = run("documents", news, *COLUMNS, "--method", "buckshot", "--json")[1]
    other = run("documents", str(many), *COLUMNS, "--json")[1]
    assert (json.loads(few)["fidelity"], json.loads(other)["fidelity"]) == (None, None)


def test_a_folder_with_an_odd_encoding_and_fewer_dimensions(run, tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in (("a", b"oil price"), ("b", b"oil barrel"), ("c", b"wheat"), ("d", b"caf\xe9")):
        (folder / name).write_bytes(text)
    code, _, err = run("documents", str(folder))
    assert code == 2
    assert err.count("\n") == 1
    code, printed, _ = run("documents", str(folder), "--skip-bad-encoding", "--dimensions", "2", "--method", "ward")
    assert code == 0
    assert "4 documents, of which 1 left out (1 wrong encoding)" in printed
    assert "ward on 4 terms in 2 dimensions: 5 nodes" in printed


@pytest.mark.parametrize("extra", [[], ["--phrases"], ["--dimensions", "3"], ["--min-documents", "2"]])
def test_a_folder_is_built_labelled_browsed_cut_and_compared_with_its_folders(run, tmp_path, extra):
    folder, tree, words, cut, truth = (tmp_path / name for name in ("in", "t.json", "w.json", "c.csv", "truth.csv"))
    subjects = {"sea/ships": "ship port crew", "sea/fish": "net herring catch", "land": "grain wheat field"}
    lines = ["item,subject"]
    for subject, common in subjects.items():
        (folder / subject).mkdir(parents=True)
        for i in range(6):
            (folder / subject / f"day {i}.txt").write_text(f"{common} {common} word{i}", "utf-8")
            lines.append(f"{subject}/day {i}.txt,{subject}")
    (folder / "blank.txt").write_text("", "utf-8")
    truth.write_text("\n".join(lines), "utf-8")

    code, printed, _ = run("documents", folder, *extra, "--clusters", "3", "--out", tree)
    assert (code, "19 documents, of which 1 left out (1 empty)" in printed) == (0, True)
    code, printed, _ = run("label", tree, folder, *extra, "--method", "mutual_information", "--out", words)
    assert (code, "19 documents, of which 1 left out (1 empty)" in printed) == (0, True)
    named = dm.read(words)
    assert named == dm.read(tree)
    for v in named.leaves.tolist():
        subject = named.own_items(v)[0].rpartition("/")[0]
        assert set(named.node_names[v].replace(",", "").split()) & set(subjects[subject].split())
    assert run("browse", words, "--out", tmp_path / "page.html")[0] == 0
    assert run("cut", words, "-k", "3", "--out", cut)[0] == 0
    for found, measure in ((cut, "adjusted_rand"), (words, "hierarchical_f")):
        code, printed, _ = run("compare", truth, found, "--sep", "", "--measure", measure, "--json")
        assert (code, json.loads(printed)["measures"][0]["value"]) == (0, 1.0)


def wire(n=240, seed=0, new=0):
    """Rows of documents of twelve subjects, the last of which are new."""
    rng = np.random.default_rng(seed)
    rows = ["title,text"]
    for i in range(n + new):
        own, near = rng.integers(8, size=6), rng.integers(8, size=3)
        words = [f"subject{i % 12}word{j}" for j in own] + [f"field{i % 3}word{j}" for j in near]
        rows.append(f"{i},{' '.join([*words, *(f'common{j}' for j in rng.integers(30, size=3))])}")
    return "\n".join(rows)


def test_the_default_is_a_tree_to_browse_with_words_at_every_node(run, tmp_path):
    path, out = tmp_path / "wire.csv", tmp_path / "tree.json"
    path.write_text(wire(), "utf-8")
    code, printed, _ = run("documents", path, "--out", out)
    assert code == 0
    assert "(no words)" not in printed
    assert "terms in 100 dimensions" in printed
    tree = dm.read(out)
    assert tree.n_children.max() <= 10
    assert tree.depths.max() <= 5
    large = np.flatnonzero((tree.sizes > 1) & (np.arange(tree.n_nodes) != tree.root))
    assert all(tree.node_names[v] for v in large)
    found = dm.text.read_documents(path, n_dimensions="auto")
    assert found.vectors.shape == (240, 100)
    assert tree == dm.cut.fold(dm.text.cluster_documents(found).hierarchy, 10)


def test_the_binary_tree_of_the_terms_is_still_there(run, tmp_path):
    path, out = tmp_path / "wire.csv", tmp_path / "tree.json"
    path.write_text(wire(), "utf-8")
    code, printed, _ = run("documents", path, "--children", "2", "--dimensions", "0", "--out", out)
    assert (code, "dimensions" in printed) == (0, False)
    found = dm.text.read_documents(path)
    assert dm.read(out) == dm.text.cluster_documents(found).hierarchy


def test_names_are_carried_from_run_to_run(run, tmp_path):
    monday, tuesday, first, second = (tmp_path / name for name in ("m.csv", "t.csv", "m.json", "t.json"))
    monday.write_text(wire(), "utf-8")
    tuesday.write_text(wire(new=24), "utf-8")
    assert run("documents", monday, "--out", first)[0] == 0
    old = dm.read(first)
    renamed = dataclasses.replace(old, node_names=tuple(name and f"my {name}" for name in old.node_names))
    dm.write(renamed, first, force=True)
    code, printed, _ = run("documents", tuesday, "--names-from", first, "--out", second)
    assert (code, f"names from {first}: " in printed) == (0, True)
    new = dm.read(second)
    carried = {name for name in new.node_names if name.startswith("my ")}
    assert len(carried) > 10
    assert carried <= set(renamed.node_names)


def test_an_earlier_run_that_cannot_be_read_is_refused_before_any_work(run, news, monkeypatch):
    monkeypatch.setattr("dendrometry.text.vectorize.read_documents", None)
    code, _, err = run("documents", news, "--names-from", "nothing.json")
    assert (code, err.count("\n"), "nothing.json" in err) == (2, 1, True)


def test_a_root_without_words_holds_all_documents(run, tmp_path):
    (tmp_path / "apart.csv").write_text(
        "title,text\na,ship port\nb,ship dock\nc,grain corn\nd,grain wheat\ne,gold mine\n"
    )
    _, printed, _ = run("documents", str(tmp_path / "apart.csv"), "--terms", "1")
    assert printed.splitlines()[0] == "5  all documents"


def test_one_document_is_a_tree_of_one(run, tmp_path):
    (tmp_path / "one.csv").write_text("text\nship\n", encoding="utf-8")
    code, printed, _ = run("documents", str(tmp_path / "one.csv"))
    assert code == 0
    assert printed.splitlines()[0] == "1  0"


def test_what_is_refused_is_one_line_before_any_work(run, news, tmp_path, monkeypatch):
    taken = tmp_path / "tree.json"
    taken.write_text("mine")
    monkeypatch.setattr("dendrometry.text.vectorize.read_documents", None)
    for arguments, message in (
        (["--out", str(taken)], "exists (--force replaces it"),
        (["--out", str(tmp_path / "tree.xyz")], "--out must end in .nwk"),
        (["--out", str(tmp_path / "no" / "tree.json")], "there is no such folder"),
        (["--method", "wards"], "--method must be 'bisect', 'principal_direction', 'buckshot'"),
        (["--clusters", "0"], "--clusters"),
        (["--terms", "0"], "--terms"),
    ):
        code, printed, err = run("documents", news, *arguments)
        assert (code, printed, err.count("\n")) == (2, "", 1)
        assert message in err
    assert taken.read_text() == "mine"


def test_a_tree_that_a_format_cannot_hold_is_shown_all_the_same(run, news, tmp_path):
    code, printed, err = run("documents", news, *COLUMNS, "--clusters", "2", "--out", str(tmp_path / "tree.nwk"))
    assert code == 2
    assert "bisect on 7 terms: 3 nodes, 2 without children" in printed
    assert "one item in each leaf and none elsewhere to be written as Newick" in err
    assert not (tmp_path / "tree.nwk").exists()


def test_force_replaces_a_file_and_too_many_clusters_write_none(run, news, tmp_path):
    taken = tmp_path / "tree.json"
    taken.write_text("mine")
    assert run("documents", news, *COLUMNS, "--clusters", "9", "--out", str(taken), "--force")[0] == 2
    assert taken.read_text() == "mine"
    assert run("documents", news, *COLUMNS, "--out", str(taken), "--force")[0] == 0
    assert dm.read(taken).n_items == 4


def test_progress_is_shown_where_someone_watches(run, news, monkeypatch):
    monkeypatch.setattr("dendrometry.cli.documents.on_terminal", lambda: True)
    asked = []
    original = dm.text.cluster_documents
    monkeypatch.setattr(
        "dendrometry.text.tree.cluster_documents",
        lambda *args, **options: asked.append(options["progress"]) or original(*args, **options),
    )
    assert run("documents", news, *COLUMNS)[0] == run("documents", news, *COLUMNS, "--quiet")[0] == 0
    assert asked == [True, False]


def test_help_has_an_example(run):
    code, printed, _ = run("documents", "--help")
    assert code == 0
    assert "dendrometry documents news.csv --text body --title headline --out tree.json" in " ".join(printed.split())
