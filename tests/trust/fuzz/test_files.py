"""Mutated input has two outcomes: a tree or our own error, after few calls and within memory."""

import faulthandler
import gzip
import io
import json

import numpy as np
import pytest
from tests.oracles.sets.validity import flaw
from tests.strategies import random_hierarchy, random_linkage
from tests.trust.fuzz.cases import draws_of
from tests.trust.fuzz.good import DPUT
from tests.work import calls_limited

import dendrometry.io
from dendrometry import (
    Dag,
    DendrometryError,
    Hierarchy,
    from_json,
    from_linkage,
    from_newick,
    read,
    to_json,
    to_newick,
    write,
)
from dendrometry.io._shared.npy import array_of_bytes
from dendrometry.io._shared.options import TableChoice
from dendrometry.io._shared.requirements import Reading
from dendrometry.io.formats.columns import from_columns
from dendrometry.io.formats.delimited import from_delimited, to_delimited
from dendrometry.io.formats.parquet import text_columns, to_parquet

MOST_CALLS = 50_000  # in one case
FOREVER = 900  # seconds after which a loop that calls nothing is taken to be endless: the whole run ends

STAR = from_newick("(a,b,'c d','e''f');")
NEWICK_PARTS = [
    "(",
    ")",
    ",",
    ":",
    ";",
    "'",
    "''",
    "[",
    "]",
    " ",
    "\n",
    "a",
    "1",
    "-",
    "e",
    ".",
    "_",
    "\x00",
    "é",
    "nan",
    "1e308",
    "[&B=1]",
    "[&&NHX:S=a]",
]
JSON_PARTS = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "\\u",
    "null",
    "true",
    "1",
    "-",
    "e",
    '"name"',
    '"children":[',
    "\x00",
    "é",
]
JSON_VALUES = [None, True, 0, -1, 2.5, 1e308, 10**30, "", "a", "\0", [], [[]], {}, {"name": "b"}, {"children": []}]
FILES = ["x.nwk", "x.json", "x.csv", "x.tsv", "x.npy", "x.nwk.gz", "x.csv.gz", "x.nex"]
PUBLISHED = {
    "from_dput": DPUT,
    "from_infomap": '# path flow name\n1:1 0.5 "a" 1\n1:2 0.5 "b" 2\n2:1 0.1 "c" 3\n',
    "from_ncbi": "1\t|\t1\t|\tno rank\t|\n2\t|\t1\t|\tdomain\t|\n7\t|\t2\t|\tspecies\t|\n",
    "from_obo": "format-version: 1.2\n\n[Term]\nid: A:1\nname: cell\n\n[Term]\nid: A:2\nis_a: A:1 ! cell\n",
    "from_product_taxonomy": "1 - Animals\n3 - Animals > Birds\n166 - Clothing\n",
    "from_skos": (
        "@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://a/> ."
        ' :b s:broader :a ; s:prefLabel "b"@en . :c s:broader :a .'
    ),
}
PUBLISHED_PARTS = [
    "\n",
    "\t",
    "|",
    ":",
    '"',
    "(",
    ")",
    ",",
    "1",
    "L",
    " > ",
    " - ",
    ".",
    ";",
    "<",
    "a",
    "is_a: ",
    "\x00",
    "é",
]
CSV_PARTS = [",", '"', "\n", "\r", "/", "//", "item", "path", "'", "=", " ", "a", "\x00", "é", '""']


def mutated(text, parts, rng):
    """Insert, delete, replace, repeat and cut out pieces of a text, mostly once, so that some texts stay valid."""
    for _ in range(min(rng.geometric(0.6), 6)):
        i, j = sorted(rng.integers(0, len(text) + 1, 2).tolist())
        part = parts[rng.integers(len(parts))]
        match rng.integers(5):
            case 0:
                text = text[:i] + part + text[i:]
            case 1:
                text = text[:i] + text[i + 1 :]
            case 2:
                text = text[:i] + part + text[i + 1 :]
            case 3:
                text = text[:j] + text[i:j] + text[j:]
            case _:
                text = text[:i] + text[j:]
    return text


def outcome(door, *arguments):
    """Go through a door; anything but a tree or our own error ends the test."""
    try:
        found = door(*arguments)
    except DendrometryError:
        return "refused"
    tree = found.tree if isinstance(found, Reading) else found
    if isinstance(tree, Dag):
        start, parent = tree.parent_start.tolist(), tree.parent.tolist()
        assert len(start) == len(tree.terms) + 1 == len(set(tree.terms)) + 1
        assert all(above > v for v in range(len(tree.terms)) for above in parent[start[v] : start[v + 1]])
        return "tree"
    assert isinstance(tree, Hierarchy)
    assert flaw(tree.parent, tree.height, tree.item_node, tree.items, tree.node_names) is None
    return "tree"


def run(cases, draws):
    """Go through every case, each with few calls; return how often each outcome came."""
    seen = {"tree": 0, "refused": 0}
    try:
        for _, (door, *arguments) in zip(range(draws), cases, strict=False):
            faulthandler.dump_traceback_later(FOREVER, exit=True)
            with calls_limited(MOST_CALLS):
                seen[outcome(door, *arguments)] += 1
    finally:
        faulthandler.cancel_dump_traceback_later()
    assert sum(seen.values()) == draws
    print(seen)
    return seen


@draws_of("newick")
def test_newick(limits, draws, seed):
    def cases():
        rng = np.random.default_rng(seed)
        while True:
            tree = from_linkage(random_linkage(int(rng.integers(2, 7)), rng))
            text = to_newick(tree) if rng.random() < 0.5 else "((a,'b c')x,(c,d,e)[note]y,f)z;"
            yield from_newick, mutated(text, NEWICK_PARTS, rng)

    seen = run(cases(), draws)
    assert min(seen.values()) > draws / 50


def with_another_value(text, rng):
    """Return JSON that stays JSON: one of its keys or values is replaced, repeated or left out."""
    whole = json.loads(text)
    place = whole
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = keys[rng.integers(len(keys))] if keys else None
        if key is None or not isinstance(place[key], dict | list) or rng.random() < 0.2:
            break
        place = place[key]
    if key is not None:
        match rng.integers(4):
            case 0:
                del place[key]
            case 1 if isinstance(place, list):
                place.append(place[key])
            case _:
                place[key] = JSON_VALUES[rng.integers(len(JSON_VALUES))]
    return json.dumps(whole)


@draws_of("json")
def test_json(limits, draws, seed):
    def cases():
        rng = np.random.default_rng(seed)
        while True:
            tree = random_hierarchy(int(rng.integers(1, 6)), rng, heights=bool(rng.integers(2)))
            text = to_json(tree)
            yield from_json, mutated(text, JSON_PARTS, rng) if rng.random() < 0.5 else with_another_value(text, rng)

    seen = run(cases(), draws)
    assert min(seen.values()) > draws / 50


@draws_of("csv")
def test_csv(limits, draws, seed):
    def cases():
        rng = np.random.default_rng(seed)
        while True:
            tree = random_hierarchy(int(rng.integers(1, 6)), rng)
            text = to_delimited(tree, ",") if rng.random() < 0.5 else "item,class,order\ncat,m,c\nbat,m,\nowl,b,o\n"
            yield from_delimited, mutated(text, CSV_PARTS, rng), ","

    seen = run(cases(), draws)
    assert min(seen.values()) > draws / 50


@draws_of("published texts", 1 / len(PUBLISHED))
@pytest.mark.parametrize("door", PUBLISHED)
def test_published_texts(limits, door, draws, seed):
    def cases():
        rng = np.random.default_rng(seed)
        while True:
            yield getattr(dendrometry.io, door), mutated(PUBLISHED[door], PUBLISHED_PARTS, rng)

    seen = run(cases(), draws)
    assert min(seen.values()) > draws / 100


def changed_bytes(data, rng):
    """Overwrite, cut and insert bytes, mostly one, so that some files stay valid."""
    data = bytearray(data)
    for _ in range(min(rng.geometric(0.6), 6)):
        i = int(rng.integers(len(data) + 1))
        match rng.integers(4):
            case 0 | 1:
                data[i : i + 1] = rng.bytes(1)
            case 2:
                del data[i : i + int(rng.integers(1, 9))]
            case _:
                data[i:i] = rng.bytes(int(rng.integers(1, 5)))
    return bytes(data)


@draws_of("npy")
def test_npy(limits, draws, seed):
    def cases():
        rng = np.random.default_rng(seed)
        while True:
            stream = io.BytesIO()
            np.save(stream, random_linkage(int(rng.integers(2, 7)), rng).astype(rng.choice(["<f8", ">f4"])))
            head, body = stream.getvalue()[:128], stream.getvalue()[128:]
            broken = rng.integers(4)  # nothing, the header, the numbers, both
            head = changed_bytes(head, rng) if broken & 1 else head
            yield (
                lambda data: from_linkage(array_of_bytes(data)),
                head + (changed_bytes(body, rng) if broken & 2 else body),
            )

    seen = run(cases(), draws)
    assert min(seen.values()) > draws / 50


@draws_of("linkage arrays")
def test_linkage_arrays(limits, draws, seed):
    strange = [np.nan, np.inf, -np.inf, -1.0, 0.5, 1e300, 2.0**63, -0.0]

    def cases():
        rng = np.random.default_rng(seed)
        while True:
            Z = random_linkage(int(rng.integers(2, 8)), rng)
            for _ in range(rng.integers(0, 3)):
                value = strange[rng.integers(len(strange))] if rng.random() < 0.5 else rng.integers(-2, 12)
                Z[rng.integers(Z.shape[0]), rng.integers(4)] = value
            if rng.random() < 0.1:
                Z = Z[rng.permutation(Z.shape[0])][:, rng.permutation(4)[: rng.integers(1, 5)]]
            yield from_linkage, Z

    seen = run(cases(), draws)
    assert min(seen.values()) > draws / 50


def tree_of_parquet(data, max_bytes):
    return from_columns(text_columns(data, max_bytes), TableChoice())


@draws_of("parquet files", 2 / 3)
def test_parquet(limits, draws, seed):
    def cases():
        rng = np.random.default_rng(seed)
        data = to_parquet(random_hierarchy(200, rng))
        while True:
            pages = bytearray(data)
            pages[rng.integers(4, len(data) // 2)] = rng.integers(256)  # in front of the description of the file
            yield tree_of_parquet, bytes(pages) if rng.random() < 0.5 else changed_bytes(data, rng), 10_000_000

    assert min(run(cases(), draws).values()) > draws / 100


@draws_of("parquet files", 1 / 3)
def test_tables_of_nodes_and_items(limits, tmp_path, draws, seed):
    path = tmp_path / "x.nodes.parquet"
    write(random_hierarchy(200, np.random.default_rng(seed), heights=True), path)
    whole = path.read_bytes()

    def cases():
        rng = np.random.default_rng(seed)
        while True:
            pages = bytearray(whole)
            pages[rng.integers(4, len(whole) // 2)] = rng.integers(256)
            path.write_bytes(bytes(pages) if rng.random() < 0.5 else changed_bytes(whole, rng))
            yield read, path

    assert run(cases(), draws)["refused"] > draws / 100


@draws_of("whole files", 1 / len(FILES))
@pytest.mark.parametrize("name", FILES)
def test_whole_files(limits, tmp_path, name, draws, seed):
    path = tmp_path / name
    write(Hierarchy([2, 2, 4, 4, -1], [0, 0, 1, 0, 2], [0, 1, 3], ["0", "1", "2"]) if ".npy" in name else STAR, path)
    whole = path.read_bytes()
    inside = gzip.decompress(whole) if name.endswith(".gz") else whole

    def cases():
        rng = np.random.default_rng(seed)
        while True:
            packed = rng.random() < 0.5 and name.endswith(".gz")  # broken inside, under checksums that are right
            path.write_bytes(gzip.compress(changed_bytes(inside, rng)) if packed else changed_bytes(whole, rng))
            yield read, path

    assert min(run(cases(), draws).values()) > draws / 100
