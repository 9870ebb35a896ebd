"""A small file of every kind that `read` knows."""

import gzip
import io
from pathlib import Path

import numpy as np
import pandas as pd
from tests.strategies import random_linkage
from tests.trust.fuzz.good import DPUT

from dendrometry import from_newick, from_paths, to_json, write
from dendrometry.io import to_nexus

WILD = Path(__file__).parents[2] / "data" / "wild"
TREE = from_paths({"ape": "m/p", "b c": "m/p", "d'e": "m", "=f": "b/o"})
HEIGHTS = "((ape:1,'b c':1)x:1,(d:1.5,e:1.5)[&B=1]y:5e-1);"
SKOS = "http://www.w3.org/2004/02/skos/core#"


def _npy():
    stream = io.BytesIO()
    np.save(stream, random_linkage(6, np.random.default_rng(0)))
    return stream.getvalue()


def _parquet(frame):
    stream = io.BytesIO()
    frame.to_parquet(stream, index=False)
    return stream.getvalue()


def _graphrag():
    return pd.DataFrame(
        {
            "community": [0, 1, 2],
            "parent": [-1, 0, 0],
            "level": [0, 1, 1],
            "title": ["all", "x", "y"],
            "entity_ids": [["a", "b", "c"], ["a"], ["b", "c"]],
        }
    )


# The texts by the name of their file; those of bytes are below.
TEXTS = {
    "one.nwk": HEIGHTS,
    "several.nwk": "(a,b);((c:1,d:1):1,e:2);",
    "several.nex": f"#NEXUS begin trees; translate 1 ape, 2 'b c'; tree * t = [&R] (1:1,2:1); tree u = {HEIGHTS} end;",
    "written.nex": to_nexus(from_newick(HEIGHTS)),
    "x.json": to_json(TREE),
    "paths.csv": 'item,path\nape,"m/p"\nb,m\n\'=c,b/o\n',
    "levels.csv": "item,class,order\ncat,m,c\nbat,m,\nowl,b,o\n",
    "labels.tsv": "animal\tgroup\ncat\tm\nowl\tb\n",
    "hiercc.tsv": "#Name\tHC0\tHC2\tHC5\na\t1\t1\t1\nb\t2\t1\t1\nc\t3\t3\t1\n",
    "lineages.tsv": "Feature ID\tTaxon\na\td__B; p__X; c__Y\nb\td__B; p__Z\n",
    "gtdb.tsv": "a\td__B;p__X;c__Y\nb\td__B;p__Z;c__\n",
    "products.txt": "# Google_Product_Taxonomy_Version: 2021-09-21\n1 - Animals\n3 - Animals > Birds\n166 - Clothing\n",
    "network.tree": '# path flow name node_id\n1:1 0.5 "a b" 1\n1:2 0.5 "b" 2\n2:1 0.1 "c" 3\n',
    "x.obo": "format-version: 1.2\n\n[Term]\nid: A:1\nname: cell\n\n[Term]\nid: A:2\nis_a: A:1 ! cell\n",
    "x.R": f"t <- {DPUT}",
    "x.ttl": f"@prefix s: <{SKOS}> . @prefix : <http://a/> .\n:b s:broader :a ; s:prefLabel 'b'@en . :c s:broader :a .",
    "x.nt": f"<http://a/b> <{SKOS}broader> <http://a/a> .\n<http://a/c> <{SKOS}broader> <http://a/a> .\n",
    "x.rdf": (
        '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "http://a/">]>'
        f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="{SKOS}">'
        '<s:Concept rdf:about="&a;b"><s:broader rdf:resource="&a;a"/><s:prefLabel>b</s:prefLabel></s:Concept>'
        '<s:Concept rdf:about="&a;c"><s:broader rdf:resource="&a;a"/></s:Concept></rdf:RDF>'
    ),
    "x.jsonld": (
        f'{{"@context": {{"s": "{SKOS}", "broader": {{"@id": "s:broader", "@type": "@id"}}}}, "@graph": ['
        '{"@id": "http://a/b", "broader": "http://a/a"}, {"@id": "http://a/c", "broader": ["http://a/a"]}]}'
    ),
    "communities.json": _graphrag().to_json(orient="records"),
    "nodes.dmp": "1\t|\t1\t|\tno rank\t|\n2\t|\t1\t|\tdomain\t|\n7\t|\t2\t|\tspecies\t|\n",
}
FILES = {name: text.encode() for name, text in TEXTS.items()} | {
    "x.npy": _npy(),
    "paths.parquet": _parquet(pd.DataFrame({"item": ["a", "b", "c"], "path": ["x/y", "x", "z"]})),
    "communities.parquet": _parquet(_graphrag()),
    "x.nwk.gz": gzip.compress(HEIGHTS.encode(), mtime=0),
    **{name: (WILD / name).read_bytes() for name in ("r_hclust.rds", "r_data_frame.rds", "r_one.RData")},
    "plain.rds": gzip.decompress((WILD / "r_phylo.rds").read_bytes()),
    **{name: (WILD / name).read_bytes() for name in ("excel_levels.xlsx", "scanpy_dendrogram.h5ad")},
    "semicolons.csv": b"item;class;order\ncat;m;c\nowl;b;o\n",
    "x.csv.gz": gzip.compress(b"item,path\nape,m/p\nb,m\n", mtime=0),
}
OWL = "http://www.w3.org/2002/07/owl#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
# Terms with several parents, which `read_dag` knows besides what `read` does.
DAG_TEXTS = {
    "edges.csv": "child,parent,name\nbat,mammal,the bat\nbat,flyer,the bat\nmammal,,\n'=f,flyer,\n",
    "edges.tsv": "term\tis_a\nbat\tmammal\nbat\tflyer\n",
    "other.obo": (
        "format-version: 1.2\n\n[Term]\nid: A:1\n\n[Term]\nid: A:2\nalt_id: A:20\nis_a: A:1 ! x\n\n[Term]\nid: A:3\n"
        "is_a: A:1\nis_a: A:20\nrelationship: part_of A:2\n\n[Term]\nid: A:6\nis_obsolete: true\nreplaced_by: A:20\n"
    ),
    "turtle.owl": (
        f"@prefix owl: <{OWL}> . @prefix rdfs: <{RDFS}> . @prefix : <http://a/> .\n"
        ":b a owl:Class ; rdfs:subClassOf :a,\n"
        "  [ a owl:Restriction ; owl:onProperty :part_of ; owl:someValuesFrom :c ] .\n"
        ":c rdfs:subClassOf :a, owl:Thing ; rdfs:label 'c'@en . :d a owl:Class ; owl:deprecated true .\n"
    ),
    "xml.owl": (
        '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        f' xmlns:rdfs="{RDFS}" xmlns:owl="{OWL}"><owl:Ontology rdf:about="http://a/"><owl:imports'
        ' rdf:resource="http://127.0.0.1:9/other.owl"/></owl:Ontology><owl:Class rdf:about="http://a/b"><rdfs:label>b'
        '</rdfs:label><rdfs:subClassOf rdf:resource="http://a/a"/></owl:Class></rdf:RDF>'
    ),
    "x.jsonld": (
        f'{{"@context": {{"r": "{RDFS}", "above": {{"@id": "r:subClassOf", "@type": "@id"}}}}, "@graph": ['
        '{"@id": "http://a/b", "above": ["http://a/a", "http://a/c"]}, {"@id": "http://a/c", "above": "http://a/a"}]}'
    ),
    "x.ttl": TEXTS["x.ttl"],
}
BESIDE = {"nodes.dmp": ("names.dmp", b"1\t|\troot\t|\t\t|\tscientific name\t|\n2\t|\tB\t|\t\t|\tscientific name\t|\n")}


def put(name, folder):
    """Write the sample of a name into a folder, with what belongs to it; return its path and bytes."""
    path = folder / name
    if name == "x.nodes.parquet":
        write(TREE, path)
        return path, path.read_bytes()
    path.write_bytes(FILES[name])
    if name in BESIDE:
        other, data = BESIDE[name]
        (folder / other).write_bytes(data)
    return path, FILES[name]


NAMES = [*FILES, "x.nodes.parquet"]
