"""``dendrometry predictions``."""

import json

import pytest

from dendrometry.taxonomy import score_predictions

EDGES = [("bat", "mammal"), ("bat", "flyer"), ("owl", "flyer")]
FILES = {
    "go.csv": "child,parent\nbat,mammal\nbat,flyer\nowl,flyer\n",
    "true.csv": "item,term\na,bat\nb,owl\n",
    "found.csv": "item,term,score\na,mammal,0.9\nb,bat,0.4\n",
    "bare.csv": "a,bat\nb,owl\n",
    "words.csv": "item,term,score\na,mammal,high\n",
    "sure.csv": "item,term,confidence\na,mammal,0.9\nb,bat,0.4\n",
    "blank.csv": "item,term\na,mammal\n,bat\n",
    "odd.csv": "item,term\na,dragon\nb,owl\nc,owl\n",
}


@pytest.fixture
def files(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def scored():
    truth, predicted = {"a": ["bat"], "b": ["owl"]}, {"a": {"mammal": 0.9}, "b": {"bat": 0.4}}
    return score_predictions(truth, predicted, taxonomy=EDGES)


def test_prints_the_verdict_the_scores_and_the_levels(run, files):
    code, out, _ = run("predictions", files / "true.csv", files / "found.csv", "--taxonomy", files / "go.csv")
    assert code == 0
    assert out.startswith(scored().verdict)
    assert "99 permutations" in out
    assert out.count("exact") > 5


def test_writes_the_scores_as_json_and_tables(run, files):
    given = ("predictions", files / "true.csv", files / "found.csv", "--taxonomy", files / "go.csv")
    content = json.loads(run(*given, "--json")[1])
    expected = scored()
    assert content["scores"] == {name: score._asdict() for name, score in expected.scores.items()}
    assert content["thresholds"] == expected.thresholds
    assert run(*given, "--out", files / "scores.csv")[0] == 0
    assert (files / "scores.csv").read_text(encoding="utf-8").startswith("score,value,lower,upper,expected")
    page = files / "page.html"
    assert run(*given, "--report", page)[2].splitlines()[-1] == f"wrote {page}"
    assert "How deep are they right?" in page.read_text(encoding="utf-8")
    some = json.loads(run(*given, "--threshold", "0.5", "--json")[1])
    assert (some["threshold"], some["thresholds"]["coverage"]) == (0.5, [0.5])


@pytest.mark.parametrize(
    ("truth", "found", "message"),
    [
        ("bare.csv", "found.csv", "bare.csv: a table of labels must have a header, such as item, term; got a, bat"),
        ("true.csv", "words.csv", "words.csv: row 2: a score must be a number; got 'high'"),
        (
            "true.csv",
            "odd.csv",
            "got 'dragon' of item 'a', which is not among them (--unknown leave_out",
        ),
        ("true.csv", "sure.csv", "the column score; got numbers from 0 to 1 in 'confidence' (call it score,"),
        ("true.csv", "blank.csv", "blank.csv: row 3: the column item must name an item; it is empty"),
        ("true.csv", "go.txt", "a table of labels must end in .csv or .tsv"),
    ],
)
def test_refuses_tables_with_what_to_do(run, files, truth, found, message):
    code, _, err = run("predictions", files / truth, files / found, "--taxonomy", files / "go.csv")
    assert code == 2
    assert message in err


def test_what_is_left_out_is_counted(run, files):
    given = (
        "predictions",
        files / "true.csv",
        files / "odd.csv",
        "--taxonomy",
        files / "go.csv",
        "--unknown",
        "leave_out",
    )
    left = json.loads(run(*given, "--json")[1])["remainder"]
    assert (left["unknown predicted labels"], left["predicted items without truth"]) == (1, 1)


def test_one_branch_is_scored_alone(run, files):
    given = ("predictions", files / "true.csv", files / "found.csv", "--taxonomy", files / "go.csv")
    found = json.loads(run(*given, "--below", "mammal", "--unknown", "leave_out", "--json")[1])
    assert found["remainder"]["unknown true labels"] == 1


def test_a_relation_that_an_ontology_lacks_is_refused_by_its_option(run, files):
    (files / "go.obo").write_text("[Term]\nid: mammal\n\n[Term]\nid: bat\nis_a: mammal\n", encoding="utf-8")
    given = ("predictions", files / "true.csv", files / "found.csv", "--taxonomy", files / "go.obo")
    code, _, err = run(*given, "--relation", "isa")
    assert code == 2
    assert "go.obo: did you mean 'is_a'? --relation must be among 'is_a'; got 'isa'" in err
