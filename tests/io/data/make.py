"""Write the other files of this folder and those below with the tools that users have, in some minutes.

pip install biopython==1.88 ete4==4.4.0 evoc==0.3.2 hdbscan==0.8.44 infomap==2.16.0 pHierCC==1.27 pyarrow==26.0.1
rdflib==7.6.0 scanpy==1.11.5 scikit-bio==0.7.4 toponymy==0.5.4 treedata==0.3.0, and bertopic==0.17.4 with --no-deps, as
its dependencies are large; then run this script here, perhaps with the names of some functions. GraphRAG
(graphrag==3.3.0) needs another version of pandas than scanpy, so write_graphrag needs an environment of its own.
README.md says what each file is.
"""

import json
import os
import sys
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


def write_toponymy():
    """The layers of Toponymy, from the finest to the coarsest."""
    from toponymy import ToponymyClusterer

    rng = np.random.default_rng(0)
    centres = [rng.normal(0, 1, 2) + 8 * np.array(far) for far in ((0, 0), (0, 1), (1, 0)) for _ in range(3)]
    points = np.vstack([rng.normal(centre, 0.1, (40, 2)) for centre in centres])
    layers, _ = ToponymyClusterer(min_clusters=2, base_min_cluster_size=10).fit_predict(points, points)
    np.save("clusterings/toponymy_layers.npy", np.array([layer.cluster_labels for layer in layers]))


def write_hiercc():
    """The clusters of six strains of six loci, at every threshold."""
    import subprocess

    rows = ["111111", "111112", "111122", "555555", "555556", "775556"]
    lines = ["\t".join(["#ST", *(f"locus{i}" for i in range(6))])]
    lines += ["\t".join([f"s{i}", *row]) for i, row in enumerate(rows, start=1)]
    with open("profile.tsv", "w", encoding="utf-8") as stream:
        stream.write("\n".join(lines) + "\n")
    subprocess.run(["pHierCC", "-p", "profile.tsv", "-o", "clusterings/phiercc"], check=True)
    for rest in ("profile.tsv", "clusterings/phiercc.npz"):
        os.remove(rest)


def write_infomap():
    """The modules of two triangles, one node of which has quotes in its name."""
    import infomap

    model = infomap.Infomap(silent=True, seed=1)
    for a, b in [(1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (4, 6), (5, 6)]:
        model.add_link(a, b)
    for number, name in enumerate(["ape", "cat", 'the "big" elk', "owl", "jay", "blue tit"], start=1):
        model.set_name(number, name)
    model.run()
    model.write_flow_tree("clusterings/infomap.ftree")


def write_anndata():
    """What scanpy stores in an AnnData, and a tree of a TreeData, as JSON."""
    import anndata
    import networkx as nx
    import pandas as pd
    import scanpy
    import treedata

    rng = np.random.default_rng(0)
    points = rng.normal(size=(20, 6)).astype(np.float32) + np.repeat([[5, 0], [0, 0], [5, 1], [0, 9]], 5, axis=0) @ (
        rng.normal(size=(2, 6))
    )
    types = {"major": ["B"] * 10 + ["T"] * 10, "minor": [name for name in ("b2", "b1", "t2", "t1") for _ in range(5)]}
    cells = pd.DataFrame(types, index=[f"cell{i}" for i in range(20)], dtype="category")
    data = anndata.AnnData(points, obs=cells)
    scanpy.tl.dendrogram(data, "minor", use_rep="X")
    graph = nx.DiGraph([("root", "x"), ("x", "cell0"), ("x", "cell1"), ("root", "cell2")])
    tree = treedata.TreeData(points[:3], obs=cells[:3], obst={"lineage": graph})
    found = {
        "uns": {"dendrogram_minor": data.uns["dendrogram_minor"]},
        "obs": {"index": data.obs_names.tolist(), "columns": data.obs.astype(str).to_dict("list")},
        "obst": {"lineage": nx.node_link_data(tree.obst["lineage"], edges="edges")},
    }
    with open("clusterings/anndata.json", "w", encoding="utf-8") as stream:
        json.dump(found, stream, default=np.ndarray.tolist)


def write_trees():
    """One tree, by programs of biology; ETE also writes what it knows of the nodes, as comments."""
    from Bio import Phylo
    from ete4 import Tree
    from skbio import TreeNode

    Phylo.write(Phylo.read(StringIO(TREE), "newick"), "biopython.nwk", "newick")
    TreeNode.read(StringIO(TREE), format="newick").write("skbio.nwk", format="newick")
    tree = Tree(TREE, parser=1)
    tree.write("ete4.nwk", parser=1)
    tree["mammals"].add_props(S="Mammalia", B=98)
    tree["birds"].add_props(B=87)
    tree.write("ete4.nhx", parser=5, props=["S", "B"])


def write_skos():
    """One thesaurus in four syntaxes."""
    import rdflib

    graph = rdflib.Graph().parse(data=SKOS, format="turtle")
    for ending, syntax in (("ttl", "turtle"), ("rdf", "xml"), ("jsonld", "json-ld"), ("nt", "nt")):
        graph.serialize(f"skos/skos.{ending}", format=syntax)


class Rows(list):
    """Rows as a table of GraphRAG is read and written."""

    async def __aiter__(self):
        for row in list(self):
            yield row

    async def write(self, row):
        self.append(row)


def write_graphrag():
    """Communities of a random graph, as Parquet and as JSON; this part of GraphRAG uses no language model."""
    import asyncio

    import pandas as pd
    from graphrag.index.workflows.create_communities import create_communities

    rng = np.random.default_rng(0)
    pairs = [(i, j) for j in range(24) for i in range(j) if rng.random() < (0.5 if i // 8 == j // 8 else 0.03)]
    relationships = pd.DataFrame(
        {
            "id": [f"r{k}" for k in range(len(pairs))],
            "source": [f"E{i}" for i, _ in pairs],
            "target": [f"E{j}" for _, j in pairs],
            "weight": 1.0,
            "text_unit_ids": [[f"t{i % 3}"] for i, _ in pairs],
        }
    )
    entities = Rows({"title": f"E{i}", "id": f"e{i}"} for i in range(24))
    communities = Rows()
    asyncio.run(create_communities(communities, entities, relationships, max_cluster_size=6, use_lcc=True, seed=1))
    pq.write_table(pa.Table.from_pandas(pd.DataFrame(communities)), "clusterings/graphrag_communities.parquet")
    with open("clusterings/graphrag_communities.json", "w", encoding="utf-8") as stream:
        json.dump(communities, stream)


if __name__ == "__main__":
    for write in (
        write_hdbscan,
        write_evoc,
        write_toponymy,
        write_bertopic,
        write_hiercc,
        write_infomap,
        write_anndata,
        write_trees,
        write_skos,
        write_graphrag,
    ):
        if write.__name__ in sys.argv[1:] or len(sys.argv) == 1:
            write()
