"""Thesauri in SKOS: broader and narrower, second parents, and nothing fetched."""

import json
import socket

import pytest
from hypothesis import given, settings
from tests.strategies import hierarchies

import dendrometry as dm
from dendrometry.errors import DendrometryError, FormatError, InvalidTreeError, LostMeaningWarning
from dendrometry.io import from_skos

HEAD = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://example.org/> .\n"
SECOND = HEAD + ":a skos:narrower :b, :c . :c skos:narrower :d . :d skos:broader :b ."


def places(tree):
    """The depth of each concept."""
    return dict(zip((item[-1] for item in tree.items), tree.depths[tree.item_node].tolist(), strict=True))


@settings(max_examples=20)
@given(hierarchies(heights=False, max_items=5))
def test_every_tree_of_concepts_comes_back(tree):
    base = "http://example.org/"
    pairs = [(v, p) for v, p in enumerate(tree.parent.tolist()) if p >= 0]
    text = HEAD + "".join(f":n{v} a skos:Concept .\n" for v in range(tree.n_nodes))
    text += "".join(f":n{v} skos:broader :n{p} .\n" if v % 2 else f":n{p} skos:narrower :n{v} .\n" for v, p in pairs)
    items = [f"{base}n{v}" for v in range(tree.n_nodes)]
    assert from_skos(text) == dm.from_parents(tree.parent, range(tree.n_nodes), None, items)


def test_a_second_parent_is_refused_or_chosen():
    with pytest.raises(
        FormatError, match=r"must have one parent; 1 concept with several: .http://example.org/d. .parents="
    ):
        from_skos(SECOND)
    with pytest.warns(LostMeaningWarning, match="1 further parent left out"):
        assert places(from_skos(SECOND, parents="first")) == {"a": 0, "b": 1, "c": 1, "d": 2}
    longer = SECOND + " :c skos:broader :e . :e skos:broader :f . :f skos:broader :a ."
    with pytest.warns(LostMeaningWarning, match="left out"):
        assert places(from_skos(longer, parents="longest"))["d"] == 4


def test_read_says_which_parent_counts(tmp_path):
    path = tmp_path / "thesaurus.ttl"
    path.write_text(SECOND, encoding="utf-8")
    with pytest.raises(FormatError, match="each concept must have one parent"):
        dm.read(path)
    with pytest.warns(LostMeaningWarning):
        assert dm.read(path, parents="first").n_items == 4
    with pytest.raises(DendrometryError, match="parents must be 'error', 'first' or 'longest'; got 'all'"):
        dm.read(path, parents="all")


def test_a_context_is_never_fetched(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    for context in ("http://example.org/c", ["http://example.org/c"], {"@import": "http://example.org/c"}):
        text = json.dumps({"@context": context, "@graph": []})
        with pytest.raises(FormatError, match="a context of JSON-LD must be in the text; got the address of one"):
            from_skos(text)


def test_an_entity_of_xml_reads_no_file(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hidden", encoding="utf-8")
    text = (
        f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file://{secret}">]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:skos="http://www.w3.org/2004/02/skos/core#">'
        '<skos:Concept rdf:about="http://example.org/a"><skos:prefLabel>&x;</skos:prefLabel></skos:Concept></rdf:RDF>'
    )
    assert from_skos(text).node_names == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (5, "the text must be a string; got int"),
        ("", "must hold at least one concept; got none"),
        (HEAD + ":a skos:broader", "the text must be Turtle, N-Triples, RDF/XML or JSON-LD; got"),
        ("<rdf:RDF", "the text must be Turtle, N-Triples, RDF/XML or JSON-LD; got"),
        ("{", "JSON-LD must be JSON; got"),
        ("[" * 100_000, "JSON-LD must be JSON; got"),
        ('{"a":' * 150 + "1" + "}" * 150, "JSON-LD must be nested less than 100 deep"),
        (HEAD + "[] skos:broader :a .", "each concept must have an address"),
    ],
)
def test_refuses_what_is_no_thesaurus(text, says):
    with pytest.raises(DendrometryError, match=says):
        from_skos(text)


def test_refuses_a_cycle_and_odd_options():
    with pytest.raises(InvalidTreeError, match="one node must be the root"):
        from_skos(HEAD + ":a skos:broader :b . :b skos:broader :a .")
    with pytest.raises(DendrometryError, match="language must be text, such as 'en'; got 5"):
        from_skos(SECOND, language=5)
    with pytest.raises(DendrometryError, match="parents must be 'error', 'first' or 'longest'; got 'last'"):
        from_skos(SECOND, parents="last")
