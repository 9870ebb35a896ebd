"""Near-duplicates: the groups of single link above a threshold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from tests.oracles.text.duplicates import cosine, groups

from dendrometry.errors import InvalidInputError
from dendrometry.text import duplicates, near_duplicates, vectorize_documents

ROW = st.lists(st.sampled_from([0, 0, 0, 1, 1, 2, 3]), min_size=5, max_size=5).filter(any)


def grouped(labels):
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}


@settings(max_examples=60)
@given(st.lists(ROW, min_size=1, max_size=12), st.sampled_from([0.05, 0.3, 0.5, 0.8, 0.9, 0.95, 1.0]))
def test_groups_are_those_of_all_pairs(rows, threshold):
    expected = groups(rows, threshold)
    for form in (np.array(rows, dtype=float), sparse.coo_matrix(np.array(rows))):
        found = near_duplicates(form, threshold=threshold)
        assert grouped(found.labels) == expected
        assert len(found.links) == len(rows) - len(expected)
        for (a, b), similarity in zip(found.links.tolist(), found.similarity.tolist(), strict=True):
            assert found.labels[a] == found.labels[b]
            assert similarity == pytest.approx(cosine(rows[a], rows[b]), abs=1e-12)
            assert threshold <= similarity <= 1.0


@settings(max_examples=40)
@given(st.lists(ROW, min_size=2, max_size=10), st.sampled_from([0.3, 0.7, 0.9]))
def test_signs_do_not_matter_to_the_bounds(rows, threshold):
    signed = np.array(rows, dtype=float) * np.where(np.arange(5) % 2, -1.0, 1.0)
    signed[::2, 0] *= -1.0
    assert grouped(near_duplicates(sparse.csr_array(signed), threshold=threshold).labels) == groups(
        signed.tolist(), threshold
    )


def family(n_families, n_copies, n_words, rng):
    """Texts of rare and common words, each with copies in which a few words are changed."""
    texts = []
    words = [f"word{i}" for i in range(2_000)]
    for _ in range(n_families):
        first = rng.zipf(1.3, size=n_words) % len(words)
        for copy in range(n_copies):
            changed = first.copy()
            changed[rng.choice(n_words, size=copy % 8, replace=False)] = rng.integers(len(words), size=copy % 8)
            texts.append(" ".join(words[i] for i in changed))
    return texts


@pytest.mark.parametrize("threshold", [0.6, 0.9])
def test_groups_of_changed_texts_are_those_of_all_cosines(threshold):
    found = vectorize_documents(family(15, 6, 50, np.random.default_rng(0)))
    rows = found.vectors.toarray()
    near = rows @ rows.T >= threshold - 1e-12
    _, expected = sparse.csgraph.connected_components(near)
    result = near_duplicates(found, threshold=threshold)
    assert grouped(result.labels) == grouped(expected)
    assert 5 < len(result.groups) < 20


def test_a_cosine_at_the_threshold_links_and_one_below_does_not():
    found = vectorize_documents(family(6, 4, 30, np.random.default_rng(2)))
    rows = found.vectors.toarray()
    cosines = rows @ rows.T
    told = 0
    for threshold in np.unique(cosines[np.triu_indices_from(cosines, 1)].round(13))[::9].tolist():
        if 0.1 < threshold < 0.9999:
            for limit in (threshold, threshold + 1e-9):
                _, expected = sparse.csgraph.connected_components(cosines >= limit - 1e-12)
                for form in (found, rows):
                    assert grouped(near_duplicates(form, threshold=limit).labels) == grouped(expected)
            told += 1
    assert told > 10


def test_a_threshold_smaller_than_rounding_links_what_shares_a_term():
    rows = np.array([[1.0, 0.0, 0.0], [1.0, 1e9, 0.0], [0.0, 0.0, 1.0]])
    for form in (rows, sparse.csr_array(rows)):
        assert near_duplicates(form, threshold=1e-13).labels.tolist() == [0, 0, 1]


@pytest.mark.compiled
def test_few_pairs_are_compared():
    found = vectorize_documents(family(400, 5, 80, np.random.default_rng(1)))
    result = near_duplicates(found, threshold=0.9)
    assert grouped(result.labels) == grouped(near_duplicates(found.vectors.toarray(), threshold=0.9).labels)
    assert result.n_compared < 0.003 * found.n_items**2 / 2


def test_groups_are_named_the_largest_first():
    texts = {"a": "oil gas", "b": "wheat corn", "c": "gas oil", "d": "corn wheat", "e": "ship", "f": "oil, gas"}
    found = near_duplicates(vectorize_documents(texts))
    assert found.groups == [["a", "c", "f"], ["b", "d"]]
    assert found.labels.tolist() == [0, 1, 0, 1, 2, 0]
    assert repr(found) == (
        "NearDuplicates(6 documents, 2 groups of near-duplicates with 5 of them, cosine at least 0.9)"
    )


def test_chains_link_what_is_not_alike_itself():
    angle = np.radians([0, 20, 40, 60, 120])
    vectors = np.column_stack([np.cos(angle), np.sin(angle)])
    assert near_duplicates(vectors, threshold=0.93).labels.tolist() == [0, 0, 0, 0, 1]
    assert near_duplicates(sparse.csr_array(vectors), threshold=0.93).labels.tolist() == [0, 0, 0, 0, 1]


def test_copies_are_not_compared():
    found = near_duplicates(vectorize_documents(["the same old story"] * 2_000))
    assert (len(found.groups), found.n_compared, len(found.links)) == (1, 0, 1_999)


def test_one_document_is_a_group_of_its_own():
    assert near_duplicates(vectorize_documents(["oil"])).groups == []


def test_vectors_may_have_any_length():
    rows = np.ldexp(np.array([[1.0, 2.0], [1.0, 2.1], [2.0, -1.0]]), np.array([[900], [-900], [0]]))
    for form in (rows, sparse.csr_array(rows)):
        assert near_duplicates(form, item_names=["x", "y", "z"]).groups == [["x", "y"]]


def test_dense_rows_are_compared_in_blocks(monkeypatch):
    rows = np.random.default_rng(3).normal(size=(60, 3))
    expected = near_duplicates(rows, threshold=0.97)
    monkeypatch.setattr(duplicates, "_BLOCK", 60 * 7)
    found = near_duplicates(rows, threshold=0.97)
    assert (found.labels == expected.labels).all()
    assert grouped(found.labels) == groups(rows.tolist(), 0.97)


@pytest.mark.parametrize("threshold", [0, -0.5, 1.01, float("nan"), True, "high", None])
def test_thresholds_out_of_range_are_refused(threshold):
    with pytest.raises(InvalidInputError, match="threshold must be a number, above 0 and at most 1"):
        near_duplicates(np.eye(2), threshold=threshold)


@pytest.mark.parametrize(
    ("vectors", "items", "message"),
    [
        (np.zeros((1, 2)), None, "item '0' is a zero vector"),
        (sparse.csr_array(np.array([[1.0, 0.0], [0.0, 0.0]])), ["a", "b"], "item 'b' is a zero vector"),
        (np.array([[np.inf, 1.0]]), None, "points must be finite"),
        (np.eye(2), ["a"], "one item name for each of 2 items; got 1"),
        (vectorize_documents(["oil"]), ["a"], "item_names must not be given with documents"),
        ("text", None, "points must be an array of numbers"),
    ],
)
def test_vectors_that_are_none_are_refused(vectors, items, message):
    with pytest.raises(InvalidInputError, match=message):
        near_duplicates(vectors, item_names=items)
