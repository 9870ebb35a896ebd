"""What medoids in place of centroids would save and cost when stories of Reuters-21578 are clustered (section 17.8).

``python benchmarks/medoids.py FILE``, with the archive of the collection. Prints the work of searching the neighbours
of every cluster of the group-average tree by an inverted index, with all terms of the cluster's sum, with its largest
ones and with those of its medoid; then the Rand index of three clusters, over all stories and over samples of 90%.
"""

import sys

import numpy as np

from dendrometry import adjusted_rand, agglomerate, cut_count, rand
from dendrometry._studies.inputs.texts import single_class
from dendrometry.text import vectorize_documents

CLASSES = ("crude", "grain", "interest")
N_SAMPLES = 5


def read(path):
    """Return the tf-idf vectors of the stories in one of the classes, and their classes."""
    corpus = single_class(path, CLASSES)[0]
    found = vectorize_documents({str(i): text for i, text in enumerate(corpus.texts)})
    return found.vectors.tocsr(), np.array([corpus.labels[int(name)] for name in found.items])


def search_work(vectors, tree):
    """Return the numbers that searches of an inverted index read, over all merged clusters, by the vector searched."""
    length = np.bincount(vectors.indices, minlength=vectors.shape[1])  # of the list of each term
    similar = (vectors @ vectors.T).toarray()
    work = dict.fromkeys(("sums", "100 terms", "50 terms", "medoids"), 0)
    for v in range(tree.n_items, tree.n_nodes):
        items = tree.order.item[tree.order.item_low[v] : tree.order.item_high[v]]
        total = np.asarray(vectors[items].sum(axis=0)).ravel()
        by_weight = np.argsort(-total, kind="stable")[: np.count_nonzero(total)]
        medoid = items[similar[np.ix_(items, items)].sum(axis=1).argmax()]
        own = vectors.indices[vectors.indptr[medoid] : vectors.indptr[medoid + 1]]
        for name, terms in zip(work, (by_weight, by_weight[:100], by_weight[:50], own), strict=True):
            work[name] += int(length[terms].sum())
    return work


def medoid_clusters(vectors, n_clusters):
    """Return labels: the two clusters whose medoids are most similar are merged until ``n_clusters`` are left."""
    similar = (vectors @ vectors.T).toarray()
    n = len(similar)
    between = similar.copy()  # of medoids
    np.fill_diagonal(between, -1.0)
    members, medoid, total, active = [[i] for i in range(n)], np.arange(n), np.ones(n), np.ones(n, dtype=bool)
    for _ in range(n - n_clusters):
        i, j = divmod(int(between.argmax()), n)
        cross = similar[np.ix_(members[i], members[j])]
        total[members[i]] += cross.sum(axis=1)
        total[members[j]] += cross.sum(axis=0)
        members[i] += members[j]
        medoid[i] = members[i][int(total[members[i]].argmax())]
        active[j] = False
        row = np.where(active, similar[medoid[i], medoid], -1.0)
        row[i] = -1.0
        between[i], between[:, i] = row, row
        between[j], between[:, j] = -1.0, -1.0
    labels = np.empty(n, dtype=np.int64)
    for number, i in enumerate(np.flatnonzero(active)):
        labels[members[i]] = number
    return labels


def scores(vectors, truth):
    """Return the Rand and the adjusted Rand index of three clusters, by group average and by medoids."""
    tree = agglomerate(vectors, linkage="group_average", metric="cosine").hierarchy
    return [
        [measure(truth, labels) for measure in (rand, adjusted_rand)]
        for labels in (cut_count(tree, 3).labels, medoid_clusters(vectors, 3))
    ]


def main(path):
    vectors, truth = read(path)
    n = vectors.shape[0]
    work = search_work(vectors, agglomerate(vectors, linkage="group_average", metric="cosine").hierarchy)
    print(f"{n:,} stories; numbers read by all searches, as a share of those with all terms of the sums:")
    for name, count in work.items():
        print(f"  {name:10} {count / work['sums']:.2f}")
    rng = np.random.default_rng(0)
    samples = [np.sort(rng.choice(n, round(0.9 * n), replace=False)) for _ in range(N_SAMPLES)]
    whole = np.array(scores(vectors, truth))
    parts = np.array([scores(vectors[rows], truth[rows]) for rows in samples])
    for i, name in enumerate(("group average", "medoids")):
        for j, measure in enumerate(("Rand", "adjusted Rand")):
            low, high = parts[:, i, j].min(), parts[:, i, j].max()
            print(
                f"  {name:13} {measure:13} {whole[i, j]:.3f}; {low:.3f} to {high:.3f} over {N_SAMPLES} samples of 90%"
            )


if __name__ == "__main__":
    main(sys.argv[1])
