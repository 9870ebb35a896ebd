"""The JSON endpoints give what the commands print, and are as their description says."""

import json

import pytest

import dendrometry as dm
from dendrometry.app.openapi import API_TASKS, describe
from tests.app.conftest import A, B

POINTS = "item,x,y\n" + "".join(f"i{i},{i % 3 * 10 + i / 7},{i % 3 * 5 + i / 9}\n" for i in range(21))
GIVEN = {
    "compare": {"a": {"name": "a.nwk", "content": A}, "b": {"file": "folder/below/b.nwk"}},
    "diff": {"old": {"content": A}, "new": {"content": B}},
    "cluster": {"points": {"name": "p.csv", "content": POINTS}, "options": {"linkage": "average"}},
    "stability": {"points": {"name": "p.csv", "content": POINTS}, "options": {"n_replicates": 6, "max_clusters": 3}},
}


@pytest.mark.parametrize("task", API_TASKS)
def test_an_endpoint_gives_the_result_the_files_and_the_commands(server, task):
    found = server.json(f"api/{task}", GIVEN[task])
    assert set(found) == {"result", "notes", "files", "commands", "python"}
    assert found["commands"][0].startswith(f"dendrometry {task} ")
    for path in found["files"].values():
        assert server.ask(path)[0] == 200
    operation = server.json("api/openapi.json")["paths"][f"/api/{task}"]["post"]
    assert operation["operationId"] == task
    (answer,) = operation["responses"]["200"]["content"].values()
    assert set(answer["schema"]["properties"]) == set(found)


def test_a_comparison_is_that_of_the_function(server):
    found = server.json("api/compare", GIVEN["compare"])["result"]
    own = dm.compare(dm.from_newick(A), dm.from_newick(B), names=("a.nwk", "b.nwk"))
    assert found == json.loads(own.to_json())
    (agreement,) = [one for one in found["measures"] if one["measure"] == "hierarchy_agreement"]
    assert agreement["adjusted"] == pytest.approx(own["hierarchy_agreement"].adjusted)
    assert 0 < agreement["p_value"] <= 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "needs 'a', 'b'"),
        ({"a": {"content": A}, "b": {}}, "b must have either content or file"),
        ({"a": {"content": A}, "b": {"content": A, "file": "folder/a.nwk"}}, "b must have either content or file"),
        ({"a": {"content": A}, "b": {"file": "folder/../secret.nwk"}}, "there must be a file of this name"),
        ({"a": {"content": A}, "b": {"content": "((x,y),z);"}}, "the trees must share at least one item"),
        ({"a": {"content": A}, "b": {"content": "((x,y);"}}, "Newick"),
        ({"a": {"content": A}, "b": {"content": B}, "options": {"report": "/x.html"}}, "options takes"),
    ],
)
def test_what_is_refused_is_refused_in_words(server, given, message):
    status, _, body = server.ask("api/compare", given)
    assert status == 422
    assert message in json.loads(body)["error"]


def test_an_unknown_endpoint_is_not_found(server):
    assert server.ask("api/rm", {})[0] == 404


def test_the_description_is_whole():
    text = json.dumps(describe())
    assert "adjusted" in text
    assert "p_value" in text
    assert list(describe()["paths"]) == [f"/api/{task}" for task in ("compare", "diff", "cluster", "stability")]
