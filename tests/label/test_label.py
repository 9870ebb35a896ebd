"""Words of nodes: computed by hand on tiny collections, and equal to their definitions in sets and loops."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import dendrometry as dm
from dendrometry.errors import InvalidInputError, ItemMismatchError
from tests.label.conftest import HARBOUR
from tests.oracles.label import labels as oracle
from tests.oracles.sets.trees import clusters, plain
from tests.strategies import hierarchies

WORDS = ("bee", "cow", "dog", "elk", "fox", "owl")


def test_mutual_information_is_that_computed_by_hand(harbour):
    labels = dm.label.label_nodes(*harbour, method="mutual_information", rare_penalty=0, nodes=[2])
    port = 0.25 * np.log2(4 / 2) + 0.25 * np.log2(4 / 6) + 0.5 * np.log2(8 / 6)
    assert labels[2] == ("ship", "dock", "port")
    assert labels.scores[0] == pytest.approx((1.0, port, port))


def test_chi_square_is_that_computed_by_hand(harbour):
    labels = dm.label.label_nodes(*harbour, method="chi_square", rare_penalty=0, nodes=[2, 5])
    assert labels.terms == (("ship", "dock", "port"), ("grain", "corn", "wheat"))
    assert labels.scores[0] == pytest.approx((4.0, 4 / 3, 4 / 3))


def test_the_penalty_multiplies_by_the_share_of_documents_that_hold_the_term(harbour):
    plain_scores = dm.label.label_nodes(*harbour, method="chi_square", rare_penalty=0, nodes=[2]).scores[0]
    scores = dm.label.label_nodes(*harbour, method="chi_square", rare_penalty=2, nodes=[2]).scores[0]
    assert scores == pytest.approx(tuple(x * share**2 for x, share in zip(plain_scores, (1, 0.5, 0.5), strict=True)))


def test_the_penalty_puts_a_frequent_term_before_a_rare_one():
    # in the node: dog 6 of 8 documents (outside 2 of 8), owl 4 of 8 (outside none): 4 against 5.33 before the penalty
    texts = ["dog owl"] * 4 + ["dog"] * 2 + ["elk"] * 2 + ["dog"] * 2 + ["elk"] * 6
    items = [f"d{i:02}" for i in range(16)]
    tree = dm.from_labels(["in"] * 8 + ["out"] * 8, item_names=items)
    found = dm.text.vectorize_documents(dict(zip(items, texts, strict=True)))
    node = int(tree.item_node[0])
    bare = dm.label.label_nodes(tree, found, method="chi_square", rare_penalty=0, nodes=[node])
    assert (bare[node], bare.scores[0]) == (("owl", "dog"), pytest.approx((16 / 3, 4.0)))
    penalised = dm.label.label_nodes(tree, found, method="chi_square", nodes=[node])
    assert (penalised[node], penalised.scores[0]) == (("dog", "owl"), pytest.approx((3.0, 8 / 3)))


def test_the_root_differs_from_nothing(harbour):
    for method in ("mutual_information", "chi_square"):
        assert dm.label.label_nodes(*harbour, method=method)[6] == ()


def test_terms_stay_where_the_children_share_them_and_are_not_repeated_below(harbour):
    labels = dm.label.label_nodes(*harbour)
    assert labels.node.tolist() == [6, 2, 5]
    assert labels.terms == (("news",), ("ship",), ("grain",))
    assert labels.scores == ((1.0,), (1.0,), (1.0,))  # a share of all; the bit that tells which half, twice


def test_a_term_goes_to_the_node_that_it_tells_most_of(coast):
    # boat: 12 of 16 in node 3 and none of 16 outside, 0.549 bits; 8 of 8 in node 0 and 4 of 24 outside, 0.467.
    # sail: 8 of 16 in node 3 and none outside, 0.311 bits; 8 of 8 in node 0 and none outside, 0.811.
    # Both are spread unevenly over the children of node 3: chi-square 5.33 and 16, where 3.84 is the bound.
    labels = dm.label.label_nodes(*coast)
    assert labels[4] == ()
    assert labels[3] == ("sea", "boat")
    assert labels[0] == ("sail",)
    assert labels[1] == ()
    assert labels[2] == ("land",)
    boat = 12 / 32 * np.log2(2) + 4 / 32 * np.log2(4 * 32 / (20 * 16)) + 16 / 32 * np.log2(16 * 32 / (20 * 16))
    assert labels.scores[labels.node.tolist().index(3)] == pytest.approx((1.0, boat * 12 / 16))


def test_a_score_joins_what_a_term_tells_among_all_and_among_the_documents_of_the_parent(coast):
    # sail: which quarter of all documents, and which half of those of the parent
    labels = dm.label.label_nodes(*coast)
    among_all = 0.25 * np.log2(4) + 0.75 * np.log2(4 / 3)
    assert labels.scores[labels.node.tolist().index(0)] == pytest.approx((np.sqrt(among_all * 1.0),))


def test_words_of_the_root_are_in_half_of_the_documents_at_least(harbour):
    # corn, dock, port and wheat are each in one document: no test of four documents tells where
    assert dm.label.label_nodes(*harbour)[6] == ("news",)


def test_a_small_piece_split_off_does_not_take_the_words_from_the_rest():
    # node 3 is node 1 and two more documents: bike tells more of node 1 than of node 3, though it marks off both
    texts = ["oil"] * 2 + ["oil bike"] * 18 + ["land"] * 20
    items = [f"d{i:02}" for i in range(40)]
    tree = dm.Hierarchy([3, 3, 4, 4, -1], None, [0] * 2 + [1] * 18 + [2] * 20, items)
    labels = dm.label.label_nodes(tree, dm.text.vectorize_documents(dict(zip(items, texts, strict=True))))
    assert (labels[3], labels[1]) == (("oil",), ("bike",))


def test_a_term_that_the_root_keeps_may_tell_nodes_apart_further_down():
    # net is in half of the documents of both children of the root, and in all of one child of each
    texts = ["salt sea net"] * 4 + ["salt sea"] * 4 + ["salt land net"] * 4 + ["salt land"] * 4
    items = [f"d{i:02}" for i in range(16)]
    tree = dm.Hierarchy([4, 4, 5, 5, 6, 6, -1], None, np.repeat(range(4), 4), items)
    found = dm.text.vectorize_documents(dict(zip(items, texts, strict=True)))
    labels = dm.label.label_nodes(tree, found, n_terms=1)
    assert [labels[v] for v in (6, 4, 5, 0, 1, 2)] == [("salt",), ("sea",), ("land",), ("net",), (), ("net",)]
    assert dm.label.label_nodes(tree, found)[6] == ("salt", "net")
    assert dm.label.label_nodes(tree, found)[0] == ()


def test_the_level_of_the_tests_decides_what_goes_down(harbour):
    strict = dm.label.label_nodes(*harbour, alpha=0.01)
    assert strict[6] == ("news", "grain", "ship")
    assert strict[2] == strict[5] == ()


def test_centroid_terms_have_the_largest_mean_weights(harbour):
    tree, found = harbour
    labels = dm.label.label_nodes(tree, found, method="centroid", nodes=[2], n_terms=2)
    mean = found.vectors[:2].toarray().mean(axis=0)
    assert labels[2] == ("ship", "news")
    assert labels.scores[0] == pytest.approx((mean[found.terms.index("ship")], mean[found.terms.index("news")]))


def test_the_terms_of_the_centroid_are_not_the_most_frequent_ones_of_footnote_5():
    """Of the first four documents all have "news", as all others do, and three have "ship", as no other does."""
    words = ("ship", "ship", "ship", "dock", "corn", "corn", "wheat", "wheat")
    texts = {name: f"news {word}" for name, word in zip("abcdefgh", words, strict=True)}
    documents = dm.text.vectorize_documents(texts)
    frequent = documents.counts[:4].toarray().sum(axis=0)
    assert documents.terms[int(frequent.argmax())] == "news"
    tree = dm.from_newick("((a,b,c,d),(e,f,g,h));")
    assert dm.label.label_nodes(tree, documents, method="centroid", nodes=[4], n_terms=1)[4] == ("ship",)


def test_centroid_terms_of_embedded_documents_are_those_of_their_words(harbour):
    tree, found = harbour
    embedded = found.with_embeddings(np.eye(4), found.items)
    expected, labels = (dm.label.label_nodes(tree, docs, method="centroid") for docs in (found, embedded))
    assert labels.terms == expected.terms
    assert labels.scores == expected.scores


def test_the_title_is_of_the_document_nearest_to_the_centroid():
    docs = dm.text.documents_from_embeddings(
        [[0.0, 1.0], [3.0, 3.0], [1.0, 0.0], [0.0, -1.0]], ["north", "", "east", "south"]
    )
    tree = dm.from_labels([0, 0, 0, 1], item_names=docs.items)
    nodes = [int(tree.item_node[0]), int(tree.item_node[3])]
    labels = dm.label.label_nodes(tree, docs, method="title", nodes=nodes)
    assert labels.terms == (("document 2",), ("south",))  # the second has no title, only a name
    assert labels.scores == (pytest.approx((1.0,)), (1.0,))


def test_the_first_of_equally_near_documents_gives_the_title():
    docs = dm.text.vectorize_documents([("second", "ape owl"), ("first", "ape owl")])
    tree = dm.from_newick("(first,second);")
    assert dm.label.label_nodes(tree, docs, method="title")[2] == ("second",)


def test_vectors_that_cancel_out_have_the_first_title():
    docs = dm.text.documents_from_embeddings([[1.0], [-1.0]], ["up", "down"])
    labels = dm.label.label_nodes(dm.from_newick("(down,up);"), docs, method="title")
    assert (labels[2], labels.scores[0]) == (("up",), (0.0,))


def test_phrases_are_words_where_the_documents_have_them():
    texts = {"a": "hard disk noise", "b": "hard disk", "c": "disk hard", "d": "disk hard noise"}
    found = dm.text.vectorize_documents(texts, phrases=True)
    labels = dm.label.label_nodes(dm.from_newick("((a,b),(c,d));"), found, method="mutual_information", n_terms=1)
    assert (labels[2], labels[5]) == (("hard disk",), ("disk hard",))


@st.composite
def collections(draw):
    """A tree of any shape, and the terms of each of its documents, at least one."""
    tree = draw(hierarchies(max_items=9, heights=False))
    texts = draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=1), min_size=tree.n_items, max_size=tree.n_items))
    return tree, dict(zip(sorted(tree.items), texts, strict=True))


def made(tree, texts):
    """What package and oracle take: documents, sets of terms, and the items of each node; some with phrases."""
    phrases = len(texts) % 2 == 0
    found = dm.text.vectorize_documents(
        {name: " ".join(words) for name, words in texts.items()}, stop_words=None, phrases=phrases
    )
    nodes = [frozenset(tree.items[i] for i in node) for node in clusters(plain(tree, tree.items))]
    pairs = {name: {" ".join(pair) for pair in pairwise(words)} if phrases else set() for name, words in texts.items()}
    return found, {name: set(words) | pairs[name] for name, words in texts.items()}, nodes


def assert_words(labels, expected):
    for v, terms, scores in zip(labels.node.tolist(), labels.terms, labels.scores, strict=True):
        assert terms == tuple(term for term, _ in expected[v])
        assert scores == pytest.approx(tuple(score for _, score in expected[v]), abs=1e-12)


@settings(max_examples=40)
@given(collections(), st.integers(1, 4), st.integers(0, 2))
def test_differential_words_are_those_of_the_definition(collection, most, penalty):
    tree = collection[0]
    found, sets, nodes = made(*collection)
    for method in ("mutual_information", "chi_square"):
        labels = dm.label.label_nodes(tree, found, method=method, min_size=1, n_terms=most, rare_penalty=penalty)
        assert len(labels) == tree.n_nodes
        assert_words(labels, [oracle.differential(node, sets, method, penalty, most) for node in nodes])


@settings(max_examples=40)
@given(collections(), st.integers(1, 4), st.sampled_from([0.01, 0.05, 0.3]))
def test_hierarchical_words_are_those_of_the_definition(collection, most, level):
    tree = collection[0]
    found, sets, nodes = made(*collection)
    labels = dm.label.label_nodes(tree, found, min_size=1, n_terms=most, alpha=level)
    expected = oracle.hierarchical(nodes, tree.parent.tolist(), sets, most, lambda df: chi2.isf(level, df))
    assert_words(labels, expected)


@settings(max_examples=40)
@given(collections(), st.integers(1, 4))
def test_centroid_words_and_titles_are_those_of_the_definition(collection, most):
    tree = collection[0]
    found, _, nodes = made(*collection)
    rows = found.vectors.toarray().tolist()
    vectors = dict(zip(found.items, rows, strict=True))
    weights = {name: {term: x for term, x in zip(found.terms, row, strict=True) if x} for name, row in vectors.items()}
    labels = dm.label.label_nodes(tree, found, method="centroid", min_size=1, n_terms=most)
    assert_words(labels, [oracle.centroid(node, weights, most) for node in nodes])
    titles = dm.label.label_nodes(tree, found, method="title", min_size=1)
    for v, (title,), (score,) in zip(titles.node.tolist(), titles.terms, titles.scores, strict=True):
        cosines = {name: oracle.cosine_with_centroid(name, nodes[v], vectors) for name in nodes[v]}
        assert score == pytest.approx(max(cosines.values()))
        assert cosines[title] == pytest.approx(score)


@settings(max_examples=30)
@given(collections(), st.data())
def test_words_do_not_depend_on_which_nodes_are_asked_for(collection, data):
    tree = collection[0]
    found, _, _ = made(*collection)
    some = data.draw(st.lists(st.integers(0, tree.n_nodes - 1), min_size=1, max_size=3))
    every = dm.label.label_nodes(tree, found, min_size=1)
    assert dm.label.label_nodes(tree, found, nodes=some).terms == tuple(every[v] for v in some)


@settings(max_examples=40)
@given(collections())
def test_no_word_is_repeated_from_a_larger_node_above(collection):
    tree = collection[0]
    labels = dm.label.label_nodes(tree, made(*collection)[0], min_size=1)
    for v in range(tree.n_nodes - 1):
        above = tree.parent[v]
        while above != -1:
            if tree.sizes[above] > tree.sizes[v]:
                told = set(" ".join(labels[above]).split())
                assert not any(told.issuperset(term.split()) for term in labels[v])
            above = tree.parent[above]


def test_by_default_nodes_of_two_documents_or_a_thousandth_are_labelled(harbour):
    assert dm.label.label_nodes(*harbour, method="title").node.tolist() == [6, 2, 5]
    assert dm.label.label_nodes(*harbour, method="title", min_size=3).node.tolist() == [6]
    n = 2500
    tree = dm.from_labels([max(0, i - (n - 5)) // 3 for i in range(n)])  # groups of n - 2, 2 and fewer
    docs = dm.text.documents_from_embeddings(np.ones((n, 1)))
    labels = dm.label.label_nodes(tree, docs, method="title")
    assert labels.size.tolist() == [n, n - 2]
    assert sorted(tree.sizes.tolist())[:1] == [2]


def test_a_long_chain_of_nodes_with_one_child_has_the_words_of_its_foot():
    n = 100_000
    tree = dm.Hierarchy([2, 2, *range(3, n), -1], None, [0, 1], ["a", "b"])
    labels = dm.label.label_nodes(
        tree, dm.text.vectorize_documents({"a": "ape owl", "b": "ape"}), nodes=[n - 1, 2, 1], n_terms=1
    )
    assert labels.terms == (("ape",), ("ape",), ())


@pytest.mark.compiled
def test_a_caterpillar_needs_no_recursion():
    n = 500
    linkage = [[0, 1, 1, 2], *([n + i - 1, i + 1, i + 1, i + 2] for i in range(1, n - 1))]
    tree = dm.from_linkage(np.array(linkage, dtype=float))
    docs = dm.text.vectorize_documents([("word" + str(i % 7)) for i in range(n)])
    labels = dm.label.label_nodes(tree, docs, min_size=250)
    assert len(labels) == 251


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "best"}, "method must be 'hierarchical', 'mutual_information'.*; got 'best'"),
        ({"method": ["title"]}, "method must be 'hierarchical', "),
        ({"n_terms": 0}, "n_terms must be a whole number from 1 on; got 0"),
        ({"n_terms": True}, "n_terms must be a whole number from 1 on; got True"),
        ({"min_size": 1.5}, "min_size must be a whole number from 1 on; got 1.5"),
        ({"rare_penalty": -1}, "rare_penalty must be a finite number, at least 0; got -1"),
        ({"rare_penalty": float("nan")}, "rare_penalty must be a finite number, at least 0; got nan"),
        ({"rare_penalty": "1"}, "rare_penalty must be a finite number, at least 0; got '1'"),
        ({"alpha": 0}, "alpha must be a number, above 0 and below 1; got 0"),
        ({"alpha": 1.0}, "alpha must be a number, above 0 and below 1; got 1.0"),
        ({"nodes": []}, "nodes must be one or more numbers from 0 to 6; got none"),
        ({"nodes": [7]}, "nodes must be one or more numbers from 0 to 6; got 7"),
        ({"nodes": [-1]}, "nodes must be one or more numbers from 0 to 6; got -1"),
        ({"nodes": "2"}, "nodes must be a collection of node numbers; got 2"),
        ({"nodes": [2], "min_size": 2}, "only one of nodes and min_size may be given; got both"),
    ],
)
def test_options_out_of_range_are_refused(harbour, options, message):
    with pytest.raises(InvalidInputError, match=message):
        dm.label.label_nodes(*harbour, **options)


def test_other_types_are_refused(harbour):
    tree, found = harbour
    with pytest.raises(InvalidInputError, match="the tree must be a Hierarchy; got str"):
        dm.label.label_nodes("tree", found)
    with pytest.raises(InvalidInputError, match="the documents must be of type Documents; got dict"):
        dm.label.label_nodes(tree, HARBOUR)
    with pytest.raises(InvalidInputError, match="the labels must be of type NodeLabels; got tuple"):
        dm.label.label_tree(tree, ())
    for methods in ("title", []):
        with pytest.raises(InvalidInputError, match="methods must be a sequence of at least one"):
            dm.label.label_table(tree, found, [2], methods=methods)


def test_other_items_are_refused_with_the_difference(harbour):
    tree, _ = harbour
    with pytest.raises(
        ItemMismatchError, match="1 item of the tree not among the documents: 'd'; 1 item not in the tree"
    ):
        dm.label.label_nodes(
            tree, dm.text.vectorize_documents({**{k: v for k, v in HARBOUR.items() if k != "d"}, "e": "grain"})
        )
    with pytest.raises(ItemMismatchError, match="1 document of the tree had no terms and were skipped"):
        dm.label.label_nodes(tree, dm.text.vectorize_documents({**HARBOUR, "d": "and the"}))


def test_embeddings_alone_have_titles_and_no_words():
    docs = dm.text.documents_from_embeddings([[1.0], [1.0]])
    tree = dm.from_labels([0, 0], item_names=docs.items)
    with pytest.raises(InvalidInputError, match="must have terms for method 'hierarchical'; only emb"):
        dm.label.label_nodes(tree, docs)
