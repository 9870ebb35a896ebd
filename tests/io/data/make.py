"""Write the other files of this folder and those below with the tools that users have, in some minutes.

pip install bertopic==0.17.4 biopython==1.88 evoc==0.3.2 hdbscan==0.8.44 pyarrow==26.0.1 rdflib==7.6.0
scikit-bio==0.7.4, then run this script here; bertopic was installed without its dependencies, which are large. GraphRAG
itself needs a language model to run: its tables are made by hand in the form of its version 2, not by the tool, and
written by PyArrow.
"""

import json
from io import StringIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TREE = "((ape:1,cat:1)mammals:2,(owl_1:1.5,jay:1.5)birds:1.5);"
TEXTS = [
    "oil price rose",
    "crude oil price",
    "gas and oil",
    "ship at sea",
    "the ship sank",
    "port and ship",
    "new song",
]
SKOS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://example.org/animals/> .
:animals a skos:ConceptScheme .
:bird a skos:Concept ; skos:prefLabel "bird"@en, "Vogel"@de ; skos:topConceptOf :animals .
:owl a skos:Concept ; skos:prefLabel "owl"@en ; skos:broader :bird .
:jay a skos:Concept ; skos:prefLabel "jay"@en ; skos:broader :bird ; skos:altLabel "Garrulus"@la .
:barn_owl a skos:Concept ; skos:prefLabel "Schleiereule"@de ; skos:broader :owl .
"""


def clusters():
    """Points in three clusters, and some noise."""
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(centre, 0.3, (12, 2)) for centre in (0, 4, 9)] + [rng.uniform(-5, 15, (4, 2))])


def write_hdbscan():
    """Both trees of a model, as arrays, and its labels."""
    import hdbscan

    model = hdbscan.HDBSCAN(min_cluster_size=5).fit(clusters())
    np.save("clusterings/hdbscan_condensed.npy", model.condensed_tree_.to_numpy())
    np.save("clusterings/hdbscan_single_linkage.npy", model.single_linkage_tree_.to_numpy())
    np.save("clusterings/hdbscan_labels.npy", model.labels_)


def write_evoc():
    """The layers of EVoC."""
    import evoc

    rng = np.random.default_rng(0)
    points = np.vstack([rng.normal(rng.normal(0, 3, 8), 0.2, (60, 8)) for _ in range(6)]).astype(np.float32)
    model = evoc.EVoC(random_state=0).fit(points)
    np.save("clusterings/evoc_layers.npy", np.array(model.cluster_layers_))


def write_bertopic():
    """The frame of a hierarchy of topics, and the topic of each document."""
    from bertopic import BERTopic
    from bertopic.dimensionality import BaseDimensionalityReduction
    from sklearn.cluster import KMeans

    texts = TEXTS * 3
    means = np.array([[len(text) % 5, text.count("i"), 0, 1] for text in texts])
    vectors = means + np.random.default_rng(0).normal(0, 0.1, means.shape)
    model = BERTopic(
        embedding_model=None,
        umap_model=BaseDimensionalityReduction(),
        hdbscan_model=KMeans(4, n_init=1, random_state=0),
    )
    topics, _ = model.fit_transform(texts, vectors)
    frame = model.hierarchical_topics(texts)
    found = {"topics": list(map(int, topics)), "frame": frame.to_dict("list")}
    with open("clusterings/bertopic.json", "w", encoding="utf-8") as stream:
        json.dump(found, stream, indent=1, default=int)


def write_trees():
    """One tree, by programs of biology."""
    from Bio import Phylo
    from skbio import TreeNode

    Phylo.write(Phylo.read(StringIO(TREE), "newick"), "biopython.nwk", "newick")
    TreeNode.read(StringIO(TREE), format="newick").write("skbio.nwk", format="newick")


def write_skos():
    """One thesaurus in four syntaxes."""
    import rdflib

    graph = rdflib.Graph().parse(data=SKOS, format="turtle")
    for ending, syntax in (("ttl", "turtle"), ("rdf", "xml"), ("jsonld", "json-ld"), ("nt", "nt")):
        graph.serialize(f"skos/skos.{ending}", format=syntax)


def write_graphrag():
    """Communities of two levels, as Parquet and as JSON."""
    columns = {
        "id": ["c0", "c1", "c2", "c3"],
        "human_readable_id": [0, 1, 2, 3],
        "community": [0, 1, 2, 3],
        "level": [0, 0, 1, 1],
        "parent": [-1, -1, 0, 0],
        "children": [[2, 3], [], [], []],
        "title": ["Community 0", "Community 1", "Community 2", "Community 3"],
        "entity_ids": [["e0", "e1", "e2", "e3", "e4"], ["e5"], ["e0", "e1"], ["e2", "e3"]],
        "relationship_ids": [["r0"], [], [], []],
        "text_unit_ids": [["t0", "t1"], ["t1"], ["t0"], ["t1"]],
        "period": ["2025-01-01"] * 4,
        "size": [5, 1, 2, 2],
    }
    pq.write_table(pa.table(columns), "clusterings/graphrag_communities.parquet")
    records = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    with open("clusterings/graphrag_communities.json", "w", encoding="utf-8") as stream:
        json.dump(records, stream, indent=1)


if __name__ == "__main__":
    for write in (write_hdbscan, write_evoc, write_bertopic, write_trees, write_skos, write_graphrag):
        write()
