"""``dendrometry stages``."""

import csv
import json

import dendrometry as dm


def test_stages_are_a_table_a_file_and_json(run, trees, tmp_path):
    found = dm.stages(*map(dm.read, trees))
    code, out, err = run("stages", *trees)
    assert (code, err) == (0, "")
    assert out.splitlines()[2].split()[:2] == ["2", f"{found.adjusted_rand[0]:.4g}"]
    assert f"overall_distance {found.distance:.6g}, by chance {found.expected_distance:.6g}" in out
    assert "1 finer cut not shown" in run("stages", *trees, "--max-clusters", "2")[1]
    content = json.loads(run("stages", *trees, "--json")[1])
    assert [stage["clusters"] for stage in content["stages"]] == found.n_clusters.tolist()
    assert [stage["z"] for stage in content["stages"]] == found.z.tolist()
    run("stages", *trees, "--out", tmp_path / "s.csv")
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert [float(row["adjusted_rand"]) for row in rows] == found.adjusted_rand.tolist()


def test_other_measures_can_be_chosen(run, trees, tmp_path):
    a, b = map(dm.read, trees)
    code, out, err = run("stages", *trees, "--measure", "v_measure", "--measure", "jaccard")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == ["clusters", "v_measure", "jaccard"]
    two = [dm.levels.profile(a, b, name, n_clusters=[2]).value[0] for name in ("v_measure", "jaccard")]
    assert out.splitlines()[2].split() == ["2", *(f"{value:.4g}" for value in two)]
    run("stages", *trees, "--measure", "matched_kappa", "--max-clusters", "2", "--out", tmp_path / "k.csv")
    assert (tmp_path / "k.csv").read_text().splitlines()[0] == "clusters,matched_kappa"
    assert len((tmp_path / "k.csv").read_text().splitlines()) == 2
    code, out, err = run("stages", *trees, "--measure", "hierarchical_f")
    assert code == 2
    assert "--measure must be one of 'rand'" in err
