"""Thesauri in SKOS: broader and narrower, second parents, and nothing fetched."""

import builtins
import importlib
import io
import json
import os
import socket
from functools import partial

import pytest
from hypothesis import given, settings
from tests.strategies import hierarchies
from tests.work import n_calls

import dendrometry as dm
from dendrometry.errors import DendrometryError, FormatError, InvalidTreeError, LostMeaningWarning
from dendrometry.io import from_skos
from dendrometry.io._shared import rdf

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


@pytest.fixture
def closed(monkeypatch):
    """No connection and no file can be opened."""

    def refuse(*arguments, **__):
        raise AssertionError(f"opened: {arguments}")

    from_skos(SECOND.replace(":d skos:broader :b .", ""))  # what is imported is imported before
    for module, name in ((socket, "socket"), (socket, "create_connection"), (builtins, "open"), (io, "open")):
        monkeypatch.setattr(module, name, refuse)
    monkeypatch.setattr(os, "open", refuse)


CONTEXTS = [
    "{}",
    ["{}"],
    [["{}"]],
    [[[{}, ["{}"]]]],
    {"@import": "{}"},
    [[{"@import": "{}"}]],
    {"@context": "{}"},
    {"@context": [{"@context": ["{}"]}]},
]


@pytest.mark.parametrize("address", ["http://evil.test/c", "file:///etc/hostname", "c", "//evil.test/c", "data:,x"])
@pytest.mark.parametrize("shape", CONTEXTS, ids=str)
def test_a_context_is_never_fetched(closed, shape, address):
    context = json.loads(json.dumps(shape).replace('"{}"', json.dumps(address)))
    uses = {"t": {"@id": "http://example.org/t", "@context": context}}
    for whole in (
        {"@context": context, "@id": "http://example.org/a"},
        [{"@context": context, "@id": "http://example.org/a"}],
        {"@id": "http://example.org/a", "http://example.org/p": {"@context": context, "@id": "http://example.org/b"}},
        {"@context": uses, "@id": "http://example.org/a", "t": {"@id": "http://example.org/b"}},
        {"@context": uses, "@id": "http://example.org/a", "@type": "t"},
        {"@context": [None, uses], "@graph": [{"@id": "http://example.org/a", "t": [{"@id": "http://example.org/b"}]}]},
    ):
        with pytest.raises(FormatError, match="a context of JSON-LD must be in the text; got the address of one"):
            from_skos(json.dumps(whole))


def test_a_context_in_the_text_is_used(closed):
    context = [[{"skos": "http://www.w3.org/2004/02/skos/core#", "up": {"@id": "skos:broader", "@type": "@id"}}], None]
    whole = {"@context": context[:1], "@graph": [{"@id": "http://example.org/a", "up": "http://example.org/b"}]}
    assert from_skos(json.dumps(whole)).items == ("http://example.org/a", "http://example.org/b")


def test_the_parser_of_others_stays_as_it_is():
    rdflib = pytest.importorskip("rdflib")
    context = importlib.import_module("rdflib.plugins.shared.jsonld.context")
    util = importlib.import_module("rdflib.plugins.shared.jsonld.util")
    from_skos('{"@id": "http://example.org/a", "@type": "http://www.w3.org/2004/02/skos/core#Concept"}')
    assert context.source_to_json is util.source_to_json
    parser = importlib.import_module("rdflib.plugins.parsers.jsonld")
    assert parser.Context is context.Context
    assert "bind" not in vars(rdflib.Graph())


def _json_text(n, context, **parts):
    """JSON-LD of ``n`` nodes with the same parts."""
    graph = [{"@id": f"u:{i}", "up": {"@id": "u:root"}, **parts} for i in range(n)]
    return json.dumps({"@context": context, "@graph": graph})


def _up(**options):
    return {"up": {"@id": "http://www.w3.org/2004/02/skos/core#broader", **options}}


def _terms(n, meaning="u:x"):
    return {f"t{i}": meaning for i in range(n)}


# JSON-LD of a size: what is read, and what rdflib would read in quadratic time.
READ = {
    "one context": lambda n: _json_text(n, _up() | _terms(n)),
    "contexts in lists": lambda n: _json_text(n, [[[_up()]]] * n),
    "a context of each node": lambda n: _json_text(n, _up(), **{"@context": {"x": "u:x"}}),
}
QUADRATIC = {
    "of a term": lambda n: _json_text(n, _up(**{"@context": _terms(n)})),
    "of a term, in lists": lambda n: _json_text(n, _up(**{"@context": [[_terms(n // 2)], [[_terms(n)]]]})),
    "of a type": lambda n: _json_text(n, _up() | {"T": {"@id": "u:T", "@context": _terms(n)}}, **{"@type": "T"}),
    "of a node": lambda n: _json_text(n, _up() | _terms(n), **{"@context": {"x": "u:x"}}),
    "of aliases": lambda n: _json_text(n, _up() | _terms(n, "@id")),
}


@pytest.mark.parametrize("case", READ)
def test_contexts_are_read_in_linear_time(case):
    few, many = (n_calls(partial(from_skos, READ[case](n))) for n in (200, 800))
    assert many < 4.5 * few


@pytest.mark.parametrize("case", QUADRATIC)
def test_contexts_that_would_take_quadratic_time_are_refused(case, monkeypatch):
    monkeypatch.setattr(rdf, "_FREE_TERMS", 1_000)

    def refused(text):
        with pytest.raises(FormatError, match="JSON-LD must h"):
            from_skos(text)

    few, many = (n_calls(partial(refused, QUADRATIC[case](n))) for n in (200, 800))
    assert many < 4.5 * few


RELATIVE = {
    "turtle": HEAD + "<#owl> skos:broader <bird> . <sub/../x> skos:broader <bird> .",
    "xml": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:skos="http://www.w3.org/2004/02/skos/core#">'
    '<skos:Concept rdf:about="#owl"><skos:broader rdf:resource="bird"/></skos:Concept></rdf:RDF>',
    "json": '{"@id": "#owl", "http://www.w3.org/2004/02/skos/core#broader": {"@id": "bird"}}',
}


@pytest.mark.parametrize("text", RELATIVE.values(), ids=RELATIVE)
def test_relative_addresses_do_not_depend_on_the_folder(text, tmp_path, monkeypatch):
    here = from_skos(text)
    monkeypatch.chdir(tmp_path)
    assert from_skos(text).items == here.items
    assert {"#owl", "bird"} <= set(here.items)
    assert not any("relative.invalid" in item or "file:" in item for item in here.items)


def test_a_base_in_the_text_holds():
    tree = from_skos("@base <http://example.org/> . " + HEAD + "<#owl> skos:broader <bird> .")
    assert set(tree.items) == {"http://example.org/#owl", "http://example.org/bird"}
    with pytest.raises(FormatError, match="each concept must have an address; got that of the text itself, '<>'"):
        from_skos(HEAD + "<> skos:broader <bird> .")


def xml(declared, name, more=""):
    """RDF/XML of one concept with declarations before it."""
    return (
        f'<?xml version="1.0"?><!DOCTYPE r [{declared}]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        f' xmlns:skos="http://www.w3.org/2004/02/skos/core#"{more}>'
        f'<skos:Concept rdf:about="http://example.org/a"><skos:prefLabel>{name}</skos:prefLabel></skos:Concept>'
        "</rdf:RDF>"
    )


NESTED = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (xml('<!ENTITY x SYSTEM "file:///etc/hostname">', "&x;"), "uses no other entity and no other file; got that"),
        (xml('<!ENTITY x SYSTEM "http://evil.test/x">', "a"), "uses no other entity and no other file; got that of"),
        (xml(NESTED, "&a9;"), "an entity of RDF/XML must be a text of at most 200 .* got that of 'a1'"),
        (xml(f'<!ENTITY x "{"x" * 60_000}">', "&x;" * 60_000), "an entity of RDF/XML must be a text of at most 200"),
        (xml('<!ENTITY % x "y">', "a"), "an entity of RDF/XML must be a text of at most 200 .* got that of 'x'"),
        (xml(f'<!ATTLIST rdf:RDF p CDATA "{"x" * 60_000}">', "a"), "RDF/XML must not give attributes by default"),
        (xml("", "&x;"), "must be Turtle, N-Triples, RDF/XML or JSON-LD; got .*undefined entity"),
        (xml("", "&x;").replace(" [", ' SYSTEM "http://evil.test/d" ['), "each entity .* must be declared in it; 'x'"),
        (xml("", "a", "".join(f' xmlns:p{i}="u:{i}"' for i in range(2_000))), "at most 1,000 prefixes at one place"),
    ],
    ids=["file", "network", "nested", "long", "parameter", "attribute", "undefined", "elsewhere", "prefixes"],
)
def test_entities_of_xml_neither_grow_nor_read(closed, text, says):
    with pytest.raises(FormatError, match=says):
        from_skos(text)


def test_an_entity_may_abbreviate_an_address(closed):
    text = xml('<!ENTITY ex "http://example.org/">', "owl &amp; &ex;")
    assert from_skos(text).node_names == ("owl & http://example.org/",)


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


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "<http://a/\x1b]0;x\x07 b> skos:broader :a .",
        HEAD + ':b skos:broader :a ; skos:notation "x"^^<http://www.w3.org/2001/XMLSchema#integer> .',
        json.dumps([{"@id": "http://a/c|d", "http://www.w3.org/2004/02/skos/core#broader": [{"@id": "http://a/a"}]}]),
    ],
    ids=["address", "number", "json"],
)
def test_nothing_of_a_file_is_logged(text, caplog, capfd):
    """The log of rdflib goes to the terminal by default, with the escapes in an address."""
    from_skos(text)
    assert caplog.records == []
    assert capfd.readouterr() == ("", "")
    logger = importlib.import_module("logging").getLogger("rdflib.term")
    logger.warning("of others")
    assert [record.message for record in caplog.records] == ["of others"]
    assert logger.filters == []
