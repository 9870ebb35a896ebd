"""``dendrometry reproduce``: what it lists, prints and writes, and what it refuses."""

import pytest

from dendrometry import _studies


@pytest.fixture
def clustering(tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("item,label\na,x\nb,x\nc,y\nd,z\n")
    return str(path)


def test_without_a_name_the_studies_are_listed(run):
    code, out, err = run("reproduce")
    assert (code, err) == (0, "")
    assert [line.split(":")[0] for line in out.splitlines()] == list(_studies.STUDIES)


def test_a_study_is_printed_and_written(run, clustering, tmp_path):
    folder = tmp_path / "results"
    code, out, err = run("reproduce", "worsening", "--labels", clustering, "--out", str(folder))
    assert code == 0
    assert out == f"{_studies.reproduce('worsening', labels=[0, 0, 1, 2])}\n"
    assert err.splitlines() == [f"wrote {folder / 'worsening'}{end}" for end in _ENDINGS]
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"worsening{end}" for end in _ENDINGS)


_ENDINGS = (".txt", "-claims.csv", "-series.csv", "-curves.png")


def test_existing_results_are_replaced_only_by_force(run, clustering, tmp_path):
    (tmp_path / "worsening.txt").write_text("mine")
    arguments = ("reproduce", "worsening", "--labels", clustering, "--out", str(tmp_path))
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.endswith("worsening.txt exists (--force replaces it)\n")
    code, _, _ = run(*arguments, "--force")
    assert code == 0
    assert (tmp_path / "worsening.txt").read_text() != "mine"


def test_the_files_of_the_user_reach_the_study(run, tmp_path):
    code, out, err = run("reproduce", "reuters", "--quick", "--data", str(tmp_path))
    assert (code, out) == (2, "")
    assert "Reuters-21578 must hold the files reut2-000.sgm" in err


def test_results_of_files_of_the_user_have_names_of_their_own(run, tmp_path):
    (tmp_path / "labels-21578.txt").write_text("mine")
    code, out, err = run("reproduce", "labels", "--data", "nowhere", "--out", str(tmp_path))
    assert (code, out) == (2, "")
    assert err.endswith("labels-21578.txt exists (--force replaces it)\n")


def test_a_tree_is_no_clustering(run, tmp_path):
    path = tmp_path / "tree.nwk"
    path.write_text("((a,b),(c,d),e);")
    code, out, err = run("reproduce", "worsening", "--labels", str(path))
    assert (code, out) == (2, "")
    assert "--labels takes a flat clustering, one label for each item ('dendrometry cut' makes one); got" in err


def test_a_file_in_place_of_the_directory_is_refused_before_the_study_runs(run, clustering):
    code, out, err = run("reproduce", "worsening", "--out", clustering)
    assert (code, out) == (2, "")
    assert "results need a directory; " in err


def test_an_unknown_study_is_refused_with_those_there_are(run):
    code, out, err = run("reproduce", "nothing")
    assert (code, out) == (2, "")
    assert err.startswith("dendrometry: the study must be ")
    assert all(repr(name) in err for name in _studies.STUDIES)


def test_the_help_has_an_example(run):
    code, out, _ = run("reproduce", "--help")
    assert code == 0
    assert "dendrometry reproduce worsening --out results" in " ".join(out.split())
