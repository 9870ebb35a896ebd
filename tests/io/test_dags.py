"""Files of terms with several parents: OBO, OWL, SKOS, tables; obsolete terms, missing parents, cycles."""

import gzip

import networkx
import pytest

from dendrometry import Dag, from_newick, from_paths
from dendrometry.errors import FormatError, InvalidInputError, InvalidTreeError
from dendrometry.io import as_dag, from_obo, read_dag

OBO = """format-version: 1.2

[Term]
id: X:1
name: root

[Term]
id: X:2
name: left
alt_id: X:20
is_a: X:1 ! root

[Term]
id: X:3
name: right
is_a: X:1 ! root

[Term]
id: X:4
name: both
is_a: X:2 ! left
is_a: X:3 {source="here"} ! right
relationship: part_of X:5 ! whole

[Term]
id: X:5
is_a: X:1

[Term]
id: X:6
is_obsolete: true
replaced_by: X:20

[Term]
id: X:7
is_obsolete: true

[Typedef]
id: part_of
"""
EDGES = [("X:2", "X:1"), ("X:3", "X:1"), ("X:4", "X:2"), ("X:4", "X:3"), ("X:5", "X:1")]
OWL = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix o: <http://www.geneontology.org/formats/oboInOwl#> . @prefix p: <http://purl.obolibrary.org/obo/> .
p:X_1 a owl:Class ; o:id "X:1" ; rdfs:subClassOf owl:Thing ; rdfs:label "root"@en .
p:X_2 a owl:Class ; o:id "X:2" ; rdfs:subClassOf p:X_1 ; o:hasAlternativeId "X:20" .
p:X_3 a owl:Class ; o:id "X:3" ; rdfs:subClassOf p:X_1 .
p:X_4 a owl:Class ; o:id "X:4" ; rdfs:subClassOf p:X_2, p:X_3,
  [ a owl:Restriction ; owl:onProperty p:BFO_0000050 ; owl:someValuesFrom p:X_5 ] .
p:X_5 a owl:Class ; o:id "X:5" ; rdfs:subClassOf p:X_1 .
p:X_6 a owl:Class ; o:id "X:6" ; owl:deprecated true ; p:IAO_0100001 p:X_2 .
p:X_7 a owl:Class ; o:id "X:7" ; owl:deprecated true .
"""


def written(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path


@pytest.mark.parametrize(("name", "text"), [("x.obo", OBO), ("x.txt", OBO), ("x.obo.gz", OBO), ("x.owl", OWL)])
def test_ontologies_keep_all_parents_and_set_obsolete_terms_apart(tmp_path, name, text):
    path = written(tmp_path, name, text)
    found = read_dag(path)
    assert found == as_dag(str(path)) == Dag.from_edges(EDGES)
    assert (found.aliases, found.obsolete) == ({"X:20": "X:2", "X:6": "X:2"}, ("X:7",))
    assert found.names[found.find("X:1")] == "root"
    assert read_dag(path, relations=("is_a", "part_of")) == Dag.from_edges([*EDGES, ("X:4", "X:5")])


def test_a_restriction_of_many_values_is_refused_before_it_is_repeated(tmp_path):
    text = OWL.replace("owl:someValuesFrom p:X_5", "owl:someValuesFrom p:X_5, p:X_3")
    assert read_dag(written(tmp_path, "x.owl", text)).n_edges == 5
    with pytest.raises(FormatError, match="a restriction must have one owl:someValuesFrom; got 'http"):
        read_dag(tmp_path / "x.owl", relations=("is_a", "part_of"))


def test_identifiers_lead_to_a_term_in_several_steps(tmp_path):
    text = "[Term]\nid: e\n" + "".join(
        f"[Term]\nid: {old}\nis_obsolete: true\nreplaced_by: {new}\n"
        for old, new in ("ab", "bc", "ce", "xy", "yx", "zx")
    )
    found = read_dag(written(tmp_path, "x.obo", text))
    assert found.aliases == {"a": "e", "b": "e", "c": "e"}
    assert found.obsolete == ("x", "y", "z")


def test_a_thesaurus_keeps_all_broader_concepts(tmp_path):
    text = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://example.org/> .
:bat skos:prefLabel "bat"@en, "Fledermaus"@de ; skos:broader :mammal, :flyer ."""
    found = read_dag(written(tmp_path, "x.ttl", text), language="de")
    assert (found.n_edges, found.roots.size) == (2, 2)
    assert found.names[0] == "Fledermaus"


def test_tables_of_edges_are_read_and_others_are_trees(tmp_path):
    found = read_dag(written(tmp_path, "x.csv", "term,parent,name\nbat,mammal,the bat\nbat,flyer,the bat\nmammal,,\n"))
    assert found == as_dag([("bat", "mammal"), ("bat", "flyer")])
    assert found.names[found.find("bat")] == "the bat"
    levels = written(tmp_path, "y.csv", "item,path\na,x/y\nb,x/z\n")
    assert read_dag(levels).is_tree
    assert read_dag(written(tmp_path, "z.nwk", "((a,b)c,d)r;")) == as_dag(from_newick("((a,b)c,d)r;"))
    with pytest.raises(FormatError, match="row 3: the column child must name a term; it is empty"):
        read_dag(written(tmp_path, "w.csv", "child,parent\na,b\n,b\n"))
    with pytest.raises(FormatError, match=r"row 3: the column parent must name a term, or be empty .*; got 'NA'"):
        read_dag(written(tmp_path, "v.csv", "child,parent\na,b\nb,NA\n"))
    assert read_dag(written(tmp_path, "u.csv", "child,parent\nUS,NA\nNA,world\n")).n_edges == 2


@pytest.mark.parametrize(("name", "text"), [("x.obo", OBO), ("x.ttl", OWL)])
def test_an_ontology_must_have_the_relations(tmp_path, name, text):
    path = written(tmp_path, name, text)
    with pytest.raises(InvalidInputError, match=r"relations must be among 'is_a', 'part_of'.*; got 'isa'"):
        read_dag(path, relations=["isa", "part_of"])


def test_takes_graphs_and_trees():
    assert as_dag(networkx.DiGraph([("a", "b")])) == Dag.from_edges([("b", "a")])
    assert as_dag(from_paths(["a/b", "c"])).is_tree


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("[Term]\nid: a\nis_a: b\n", FormatError, r"x\.obo: the parents of 'a' must be terms of the file; got 'b'"),
        ("[Term]\nid: a\n\n[Term]\nid: a\n", FormatError, "each term must be given once; got 'a' again"),
        ("[Term]\nid: a\nis_a: b\n[Term]\nid: b\nis_a: a\n", InvalidTreeError, "above itself; got the cycle 'a' → 'b'"),
        ("format-version: 1.2\n", FormatError, "must hold at least one term; got none"),
    ],
)
def test_refuses_files_that_are_no_graphs_of_terms(tmp_path, text, error, message):
    with pytest.raises(error, match=message):
        read_dag(written(tmp_path, "x.obo", text))


def test_the_tree_of_an_ontology_is_read_as_before():
    assert from_obo("[Term]\nid: a\n\n[Term]\nid: b\nis_a: a\n").items == ("a", "b")
