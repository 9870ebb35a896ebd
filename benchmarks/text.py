"""Documents: vectors, near-duplicates and first stories of synthetic texts with planted copies.

``python benchmarks/text.py`` runs everything, ``python benchmarks/text.py stream`` only first stories, ``python
benchmarks/text.py wire`` only those with times, and ``python benchmarks/text.py long`` first stories of up to 1,000,000
texts, which no other word includes.
"""

import sys
from functools import partial

import numpy as np
from scipy.sparse.csgraph import connected_components
from sklearn.feature_extraction.text import TfidfVectorizer

from dendrometry.text import StoryStream, first_stories, near_duplicates, story_clusters, vectorize_documents
from timing import best_of, core_time, fresh, show

WORDS = 50_000
LENGTH = 100
LIMIT = 60.0
STOP_WORDS = [f"w{i}" for i in (*range(50), WORDS - 1)]  # the most frequent ones: 72 % of all words


def texts(n, copies=0.2):
    """Texts of 100 words by Zipf's law; a fifth of them copies of an earlier one with up to 10 words changed."""
    rng = np.random.default_rng(0)
    rows = np.minimum(rng.zipf(1.25, size=(n, LENGTH)) - 1, WORDS - 1)
    for i in np.flatnonzero(rng.random(n) < copies).tolist():
        if i:
            rows[i] = rows[rng.integers(i)]
            changed = rng.choice(LENGTH, size=rng.integers(11), replace=False)
            rows[i, changed] = rng.integers(WORDS, size=changed.size)
    return [" ".join(map("w{}".format, row)) for row in rows.tolist()]


def reports(n):
    """Texts of 60 words about stories: new ones ever more rarely, others taken up again by their recent reports.

    The i-th text begins a story with probability i ** -0.3. Two words in five are of the 40 of its story, by rank;
    these, and the other words, are drawn by Zipf's law from 1,000,000 words without the 50 most frequent.
    """
    rng = np.random.default_rng(0)
    is_new = rng.random(n) < np.arange(1.0, n + 1) ** -0.3
    story = np.empty(n, dtype=np.int64)
    n_stories = 0
    for i, draw in enumerate(rng.exponential(size=n).tolist()):
        story[i] = n_stories if is_new[i] else story[int(i * np.exp(-draw))]
        n_stories += is_new[i]
    own = 50 * 20_000 ** rng.random((n_stories, 40))
    made = []
    for low in range(0, n, 10_000):
        part = story[low : low + 10_000]
        of_story = own[part[:, None], (40 ** rng.random((part.size, 60))).astype(np.int64) - 1]
        rows = np.where(rng.random((part.size, 60)) < 0.4, of_story, 50 * 20_000 ** rng.random((part.size, 60)))
        made += [" ".join(map("w{}".format, row)) for row in rows.astype(np.int64).tolist()]
    return made


def vectors(n):
    return vectorize_documents(texts(n))


def at_nine(found):
    return near_duplicates(found, threshold=0.9)


def at_eight(found):
    return near_duplicates(found, threshold=0.8)


def at_six(found):
    return near_duplicates(found, threshold=0.6)


def all_pairs(found, threshold=0.9):
    """Do it the usual way: every cosine by a product of sparse matrices, then connected components."""
    cosines = found.vectors @ found.vectors.T
    cosines.data[cosines.data < threshold] = 0.0
    cosines.eliminate_zeros()
    return connected_components(cosines, directed=False)


def told(made):
    return sum(story.is_first for story in first_stories(made))


def told_without_stop_words(made):
    return sum(story.is_first for story in first_stories(made, stop_words=STOP_WORDS))


def told_with_bounds(made):
    return sum(story.is_first for story in first_stories(made, exact_above=0.8))


def on_wire(memory, made):
    return StoryStream(window=50.0, memory=memory).extend(made, range(len(made)))


def offline(found):
    return story_clusters(found, range(found.n_items), window=50.0)


def warm():
    at_nine(vectors(100))
    told(texts(2_000))
    told_with_bounds(texts(2_000))
    on_wire(60.0, texts(100))


def recall(found, labels, threshold, n_rows):
    """Return how many of the pairs that are near, one of them in a sample, share a group, and how many there are."""
    rows = np.random.default_rng(1).choice(found.n_items, size=n_rows, replace=False)
    together = pairs = 0
    for part in np.array_split(rows, max(1, n_rows // 200)):
        cosines = (found.vectors[part] @ found.vectors.T).tocoo()
        a, b = part[cosines.row], cosines.col
        near = (cosines.data >= threshold) & (a != b)
        pairs += int(near.sum())
        together += int((labels[a[near]] == labels[b[near]]).sum())
    return together / pairs, pairs


def stream():
    """Time first stories by the work of the cores, and print the power of the number of texts by which it grows."""
    for what, call in (("first_stories", told), ("first_stories with stop words", told_without_stop_words)):
        sizes, seconds = (5_000, 10_000, 20_000, 40_000), []
        for n in sizes:
            figure = core_time(fresh(texts, call, n, warm=warm))
            seconds.append(figure.seconds)
            show(f"{what}, {n:,} texts", figure, "of the cores")
        power = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
        print(f"{what} grows by the power {power:.2f} of the texts", flush=True)
    for n in (80_000, 160_000):
        show(f"first_stories, {n:,} texts", core_time(fresh(texts, told, n, warm=warm)), "of the cores")


def long():
    """Time first stories of long streams with bounds below the threshold, beside the exact form of a short one."""
    seconds = {}
    for n, call in ((40_000, told), *((n, told_with_bounds) for n in (10_000, 40_000, 100_000, 400_000, 1_000_000))):
        figure = fresh(reports, call, n, warm=warm)
        seconds[n] = figure.core_seconds
        show(f"first_stories, {n:,} reports", figure, "exact_above=0.8" if call is told_with_bounds else "exact")
    power = np.log10(seconds[1_000_000] / seconds[100_000])
    print(f"from 100,000 to 1,000,000 it grows by the power {power:.2f} of the texts", flush=True)


def wire():
    """Time clusters of first stories by the work of the cores: more texts, a longer memory, and all texts at once."""
    for n, memory in ((5_000, 1_000), (10_000, 1_000), (20_000, 1_000), (20_000, 2_000), (20_000, 4_000)):
        figure = core_time(fresh(texts, partial(on_wire, float(memory)), n, warm=warm))
        show(f"StoryStream, {n:,} texts, {memory:,} remembered", figure, "of the cores")
    for n in (1_500, 6_000):
        show(f"story_clusters, {n:,} texts", core_time(fresh(vectors, offline, n, warm=warm)), "of the cores")


def main():
    for n in (10_000, 100_000):
        for call, threshold in ((at_nine, 0.9), (at_eight, 0.8)):
            figure = fresh(vectors, call, n, warm=warm)
            limit = f"limit {LIMIT:.0f} s: {'met' if figure.seconds < LIMIT else 'MISSED'}"
            show(f"near_duplicates, {n:,} texts, cosine {threshold}", figure, limit if n == 100_000 else "")
    rival = fresh(vectors, all_pairs, 10_000, warm=warm)
    show("SciPy: all cosines, then components, 10,000 texts, cosine 0.9", rival)
    show("near_duplicates, 20,000 texts, cosine 0.6", fresh(vectors, at_six, 20_000, warm=warm))
    stream()
    wire()
    for n in (10_000, 100_000):
        made = texts(n)
        ours = best_of(lambda: vectorize_documents(made), 1)  # noqa: B023
        theirs = best_of(lambda: TfidfVectorizer(stop_words="english").fit_transform(made), 1)  # noqa: B023
        show(f"documents, {n:,} texts", ours, f"TfidfVectorizer {theirs.seconds / ours.seconds:.2f} x our time")
    found = vectors(100_000)
    result = at_nine(found)
    share, pairs = recall(found, result.labels, 0.9, 2_000)
    print(f"{result!r}: {result.n_compared:,} pairs compared, recall {share:.4f} of {pairs:,} pairs of a sample")


if __name__ == "__main__":
    {"stream": stream, "long": long, "wire": wire}.get(" ".join(sys.argv[1:]), main)()
