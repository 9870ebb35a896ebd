"""Labels of real documents: do the words of the node that matches a newsgroup tell which one it is?"""

import pytest

import dendrometry as dm
from dendrometry import best_matches, datasets
from dendrometry.errors import InvalidInputError
from dendrometry.label import label_nodes
from dendrometry.text import vectorize_documents
from tests.label.newsgroup_words import WORDS

pytestmark = [pytest.mark.slow, pytest.mark.compiled]


@pytest.fixture(scope="module")
def newsgroups():
    """The documents, their tree by bisecting k-means, and the node that matches each newsgroup best."""
    try:
        corpus = datasets.fetch("20newsgroups")
    except InvalidInputError as error:
        pytest.skip(f"needs the collection 20newsgroups, which cannot be fetched here: {error}")
    found = vectorize_documents(zip(corpus.items, corpus.texts, strict=True), min_documents=3)
    tree = dm.cluster.bisect(found.vectors, metric="cosine", leaf_size=20, item_names=found.items, rng=0).hierarchy
    truth = corpus.truth.restrict(found.items)
    matches = best_matches(truth, tree)
    match = dict(zip(matches.node.tolist(), matches.match.tolist(), strict=True))
    label_of = dict(zip(corpus.items, corpus.labels, strict=True))
    return found, tree, {label_of[truth.own_items(v)[0]]: match[v] for v in truth.leaves.tolist()}


@pytest.mark.parametrize("method", ["hierarchical", "mutual_information", "chi_square"])
def test_one_of_three_words_tells_at_least_15_of_the_20_newsgroups(newsgroups, method):
    found, tree, match = newsgroups
    assert match.keys() == WORDS.keys()
    labels = label_nodes(tree, found, method=method, n_terms=3, nodes=sorted(set(match.values())))
    told = {group for group, v in match.items() if set(labels[v]) & set(WORDS[group])}
    missed = {group: labels[v] for group, v in match.items() if group not in told}
    assert len(told) >= 15, missed
