"""Messages of the command line: in its own words, never in those of Python."""

import re
from importlib.util import find_spec

import pytest

FILES = {
    "a.nwk": "((a:1,b:1):1,c:2);",
    "c.nwk": "((a:1,d:1):1,b:2);",
    "flat.nwk": "((a,b),c);",
    "hiercc.csv": "id,other,HC0,HC5\na,1,1,1\nb,1,2,1\n",
    "first.csv": "item,k\na,1\nb,1\nc,2\n",
    "second.csv": "item,k\na,1\nb,2\nc,2\n",
    "points.csv": "item,x,y\na,1,1\nb,1,2\nc,4,4\n",
    "table.txt": "item,class\na,x\nb,x\nc,y\n",
    "partly.nwk": "((a:1,b):1,c:2);",
}
PYTHON = re.compile(r"\w+=|\w+\(")  # an argument, or a call
COMMON = "compares the 2 common items only"
WRONG = {
    "convert a.nwk x.foo": "OUT must end in .nwk, ",
    "consensus a.nwk a.nwk --out x.foo": "--out must end in .nwk, ",
    "consensus a.nwk c.nwk": "1 item of tree 'a.nwk' not in tree 'c.nwk': 'c'; 1 item of tree 'c.nwk' not in",
    "consensus a.nwk hiercc.csv": "",
    "compare hiercc.csv a.nwk": "must have one column besides the thresholds; got 'id', 'other' (--items names",
    "compare first.csv second.csv --measure bounded_variation_similarity": "(variation_similarity needs none)",
    "matrix first.csv second.csv --measure bounded_variation_similarity": "(variation_similarity needs none)",
    "compare a.nwk table.txt": "(--format names the format)",
    "compare a.nwk partly.nwk": "",
    "compare a.nwk c.nwk": f"(--intersect {COMMON})",
    "compare a.nwk first.csv --measure best": "--measure must be",
    "matrix a.nwk c.nwk": "1 item of tree 'a' not in tree 'c': 'c'",
    "stages a.nwk c.nwk": f"1 item of c.nwk not in a.nwk: 'd' (dendrometry compare --intersect {COMMON})",
    "stages a.nwk flat.nwk": "flat.nwk must have heights for stages; it has none",
    "stages a.nwk flat.nwk --measure rand": "flat.nwk must have heights for stages; it has none",
    "plot stage_curves a.nwk flat.nwk --out x.png": "flat.nwk must have heights for stages; it has none",
    "compare a.nwk first.csv --measure rand": "for measures of partitions a.nwk must be flat",
    "diff a.nwk hiercc.csv": "",
    "cut flat.nwk -k 9": "",
    "cluster points.csv --metric best": "--metric must be",
    "cluster a.nwk": "",
    "stability points.csv --replicates 1": "--replicates must be",
    "splits points.csv --references 1": "--references must be",
    "labels first.csv a.nwk": "",
    "plot tanglegram a.nwk c.nwk --out x.png": "",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", WRONG)
def test_no_message_names_an_argument_or_a_function_of_python(command, run, folder):
    code, _, err = run(*command.split())
    assert code == 2
    assert WRONG[command] in err
    assert not PYTHON.findall(err), err


@pytest.mark.skipif(find_spec("torch") is not None, reason="needs a machine without PyTorch")
def test_a_device_is_an_option(run, folder):
    assert run("cluster", "points.csv", "--device", "cuda")[2].startswith("dendrometry: --device cuda needs torch: ")
