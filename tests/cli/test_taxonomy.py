"""``taxonomy``: two taxonomies compared on the command line."""

import csv
import io
import json

import pytest

OLD = "child,parent\ncat,mammal\nbat,mammal\nowl,bird\nmammal,animal\nbird,animal\nhen,bird\n"
NEW = "child,parent\ncat,mammal\nbat,bird\nowl,bird\nmammal,animal\nbird,animal\nHen,bird\nfly,animal\n"


@pytest.fixture
def files(tmp_path):
    for name, text in (("old", OLD), ("new", NEW)):
        (tmp_path / f"{name}.csv").write_text(text)
    return tmp_path / "old.csv", tmp_path / "new.csv"


def test_scores_and_changes_are_printed(run, files):
    code, out, err = run("taxonomy", *files, "--match-names", "loose", "--permutations", "19")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("new has 90% of the ancestor pairs of old; 82% of its own are in old (F 0.857, 0.2")
    assert lines[2].split() == ["score", "value", "by", "chance", "adjusted", "p", "value"]
    assert lines[4].split()[:2] == ["edge_precision", "0.714"]
    assert lines[4].split()[-2:] == ["≤", "0.05"]  # the least of 19
    assert lines[-5:-2] == ["bat: moved: from mammal to bird", "hen: renamed to Hen", "fly: invented, below animal"]
    assert lines[-1].startswith("For a methods section: Concepts of the two taxonomies were matched: ")
    few = run("taxonomy", *files, "--lines", "1", "--permutations", "0")[1].splitlines()
    assert few[-1].startswith("… ")
    assert few[4].split()[-1] == "–"


def test_changes_and_everything_are_written(run, files, tmp_path):
    out = tmp_path / "changes.csv"
    code, printed, err = run("taxonomy", *files, "--out", out, "--permutations", "0")
    assert (code, printed, err.splitlines()[-1]) == (0, "", f"wrote {out}")
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert rows[0] == {
        "concept": "bat",
        "what": "moved",
        "before": "mammal",
        "after": "bird",
        "renamed": "",
        "n_below": "0",
    }
    content = json.loads(run("taxonomy", *files, "--json", "--permutations", "0")[1])
    assert content["names"] == ["old", "new"]
    assert content["scores"][0]["score"] == "edge_precision"
    report = tmp_path / "page.html"
    assert run("taxonomy", *files, "--report", report, "--permutations", "0")[0] == 0
    page = report.read_text(encoding="utf-8")
    assert "What changed" in page
    assert "data:image/svg+xml" in page


def test_names_with_points_keep_them(run, files, tmp_path):
    paths = []
    for path, name in zip(files, ("terms-4.1.7.csv", "terms-4.2.csv"), strict=True):
        paths.append(path.rename(tmp_path / name))
    assert run("taxonomy", *paths, "--permutations", "0")[1].startswith("terms-4.2 has ")


def test_a_table_of_pairs_matches_names(run, files, tmp_path):
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("old,new\nhen,Hen\n")
    assert "hen: renamed to Hen" in run("taxonomy", *files, "--pairs", pairs, "--permutations", "0")[1]
    pairs.write_text("hen\n")
    code, _, err = run("taxonomy", *files, "--pairs", pairs)
    assert (code, "each row must hold a pair of names; row 1 has 1 cells" in err) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--by", "ids"), "--by must be 'terms' or 'names'; got 'ids'"),
        (("--out", "x.txt"), "--out must end in .csv, .json; got x.txt"),
        (("--report", "x.txt"), "--report must end in"),
    ],
)
def test_refuses_what_does_not_fit(run, files, options, message):
    code, out, err = run("taxonomy", *files, *options)
    assert (code, out) == (2, "")
    assert message in err
