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
    assert "1 finer cuts not shown" in run("stages", *trees, "--max-clusters", "2")[1]
    content = json.loads(run("stages", *trees, "--json")[1])
    assert [stage["clusters"] for stage in content["stages"]] == found.n_clusters.tolist()
    assert [stage["z"] for stage in content["stages"]] == found.z.tolist()
    run("stages", *trees, "--out", tmp_path / "s.csv")
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert [float(row["adjusted_rand"]) for row in rows] == found.adjusted_rand.tolist()
