"""Documents as unit vectors: the weights, the names, and what is left out."""

import copy
import pickle
import subprocess
import sys
import unicodedata
import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer, TfidfVectorizer

from dendrometry.errors import InvalidInputError, ItemMismatchError
from dendrometry.text import counting, documents_from_embeddings, vectorize_documents
from dendrometry.text.counting import analyzers
from dendrometry.text.stop_words import ENGLISH

TEXTS = [
    "The ship left the port at dawn; a second ship followed.",
    "Grain prices rose, and grain traders left early.",
    "A port of call for grain.",
    "The dawn of the grain trade",
]


@pytest.mark.parametrize("stop_words", [None, "english", ["port", "dawn"]])
@pytest.mark.parametrize("phrases", [False, True])
@pytest.mark.parametrize("min_documents", [1, 2])
def test_weights_and_counts_are_those_of_scikit_learn(stop_words, phrases, min_documents):
    found = vectorize_documents(TEXTS, stop_words=stop_words, phrases=phrases, min_documents=min_documents)
    options = {"stop_words": stop_words, "ngram_range": (1, 2 if phrases else 1), "min_df": min_documents}
    expected = TfidfVectorizer(**options)
    np.testing.assert_allclose(found.vectors.toarray(), expected.fit_transform(TEXTS).toarray(), atol=1e-15)
    assert found.terms == tuple(expected.get_feature_names_out())
    assert (found.counts.toarray() == CountVectorizer(**options).fit_transform(TEXTS).toarray()).all()
    assert (found.document_frequency == (found.counts.toarray() > 0).sum(axis=0)).all()


WORD = st.sampled_from(["ape", "bat", "cat", "dog", "the", "eel", "x", "fox"])
TEXT = st.lists(WORD, max_size=6).map(" ".join)


@settings(max_examples=60)
@given(st.lists(TEXT, min_size=1, max_size=8), st.integers(1, 3), st.sampled_from([1, 5, 2**23]))
def test_pieces_of_any_size_give_the_same(texts, min_documents, piece):
    words = [[word for word in text.split() if word not in ("the", "x")] for text in texts]
    frequency = {word: sum(word in some for some in words) for some in words for word in some}
    terms = sorted(word for word, count in frequency.items() if count >= min_documents)
    kept = [i for i, some in enumerate(words) if any(word in terms for word in some)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "_PIECE", piece * 4)
        if not kept:
            with pytest.raises(InvalidInputError, match="at least one document must have a term"):
                vectorize_documents(texts, min_documents=min_documents)
            return
        found = vectorize_documents(texts, min_documents=min_documents)
    assert found.terms == tuple(terms)
    assert found.items == tuple(str(i) for i in kept)
    assert found.counts.toarray().tolist() == [[words[i].count(term) for term in terms] for i in kept]
    assert len(found.skipped) == len(texts) - len(kept)
    np.testing.assert_allclose(np.linalg.norm(found.vectors.toarray(), axis=1), 1.0, rtol=1e-14)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("हिन्दी भाषा में", ("भाषा", "में", "हिन्दी")),
        ("cafe\u0301 caf\xe9 CAFE\u0301", ("caf\xe9",)),
        ("\u0130stanbul", ("i\u0307stanbul",)),
        ("می\u200cخواهم", ("می\u200cخواهم",)),
        ("\u0301 x \u0301ab", ("ab",)),
    ],
)
def test_marks_are_parts_of_words(text, terms):
    assert vectorize_documents([text], stop_words=None).terms == terms


def test_stop_words_with_marks_are_found_however_they_are_written():
    assert vectorize_documents(["de\u0301ja\u0300 vu"], stop_words=["d\xe9j\xe0"]).terms == ("vu",)


@given(st.text(st.characters(exclude_categories=["M", "Cf", "Cs"])))
def test_texts_without_marks_are_split_as_by_scikit_learn(text):
    text = unicodedata.normalize("NFC", text)
    assume(not any(unicodedata.category(c).startswith("M") for c in text.lower()))
    assert analyzers(None, False)[0](text) == CountVectorizer().build_analyzer()(text)


@pytest.mark.parametrize("phrases", [False, True])
def test_terms_of_plain_english_are_those_of_scikit_learn(phrases):
    text = "The cat's 2nd whisker -- isn't it? -- was 3.5 cm, and_so ON; amoungst others: x, yy, I'd say. " + " ".join(
        sorted(ENGLISH_STOP_WORDS)
    )
    for stop_words in (None, "english", ["cat", "on"]):
        expected = CountVectorizer(stop_words=stop_words, ngram_range=(1, 2 if phrases else 1)).build_analyzer()
        assert analyzers(stop_words, phrases)[0](text) == expected(text)


def test_stop_words_are_those_of_scikit_learn():
    assert ENGLISH == ENGLISH_STOP_WORDS


def test_reading_texts_does_not_import_scikit_learn():
    code = "import sys, dendrometry as dm; dm.text.vectorize_documents(['storm']); print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_what_is_left_out_is_listed_with_its_reason():
    texts = {"a": "ships sail", "b": " \n", "c": "and the", "d": "- ! x", "e": "ships", "f": "whales"}
    found = vectorize_documents(texts, min_documents=2)
    assert found.items == ("a", "e")
    assert [tuple(left_out) for left_out in found.skipped] == [
        ("b", "empty"),
        ("c", "only stop words"),
        ("d", "no words"),
        ("f", "only rare terms"),
    ]
    assert repr(found) == "Documents(2 documents, 1 term, 4 skipped)"


def test_documents_that_are_all_left_out_are_refused_with_the_reasons():
    with pytest.raises(InvalidInputError, match=r"3 documents, of which 3 left out \(2 empty, 1 only stop words\)"):
        vectorize_documents(["", "the", " "])
    with pytest.raises(InvalidInputError, match="at least one document; got none"):
        vectorize_documents([])


def test_one_document_is_a_unit_vector():
    found = vectorize_documents(["oil oil gas"])
    np.testing.assert_allclose(found.vectors.toarray(), [[1 / np.sqrt(5), 2 / np.sqrt(5)]])


def test_identical_documents_have_identical_vectors():
    rows = vectorize_documents(["oil and gas", "gas oil", "wheat"]).vectors.toarray()
    assert (rows[0] == rows[1]).all()


def test_titles_that_repeat_are_told_apart_by_number():
    found = vectorize_documents([("News", "ships"), ("News", "grain"), ("", "oil"), ("News (2)", "gas")])
    assert found.items == ("News", "News (2)", "document 3", "News (2) (2)")
    assert found.titles == ("News", "News", "", "News (2)")


def test_texts_are_read_once_and_one_at_a_time():
    seen = []

    def stream():
        for i in range(5):
            seen.append(i)
            yield f"title {i}", f"word{i} common"

    found = vectorize_documents(stream())
    assert (found.n_items, seen) == (5, [0, 1, 2, 3, 4])


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda found: pickle.loads(pickle.dumps(found))])
def test_copies_are_the_same_and_read_only(again):
    for found in (
        vectorize_documents({"a": "ship port", "b": "ship", "c": ""}),
        documents_from_embeddings([[3.0, 4.0]], ["a"]),
    ):
        made = again(found)
        assert (made.items, made.titles, made.terms, made.skipped) == (
            found.items,
            found.titles,
            found.terms,
            found.skipped,
        )
        assert abs(made.vectors - found.vectors).max() == 0
        assert_unchangeable(made)


def assert_unchangeable(documents):
    """Show that writing into the matrices handed out leaves the documents as they were."""
    for field in ("vectors", "counts"):
        taken = getattr(documents, field)
        if taken is not None:
            entries = taken.data if hasattr(taken, "indptr") else taken
            entries[...] = 7
            assert abs(getattr(documents, field)).max() < 7
    for value in vars(documents).values():
        for part in (getattr(value, "data", None), getattr(value, "indices", None), value):
            assert not isinstance(part, np.ndarray) or not part.flags.writeable


def test_documents_do_not_change_with_the_matrices_they_give():
    assert_unchangeable(vectorize_documents(TEXTS))


def test_vectors_and_counts_are_usable_by_packages_that_need_writable_memory():
    cluster = pytest.importorskip("sklearn.cluster")
    found = vectorize_documents(TEXTS)
    for points in (found.vectors, found.counts.astype(float), vectorize_documents(TEXTS, n_dimensions=2).vectors):
        fitted = cluster.MiniBatchKMeans(2, n_init=1, random_state=0).fit(points)
        assert fitted.labels_.size == len(TEXTS)


def test_dimensions_are_those_of_the_largest_singular_values():
    plain = vectorize_documents(TEXTS).vectors.toarray()
    found = vectorize_documents(TEXTS, n_dimensions=2)
    u, s, _ = np.linalg.svd(plain)
    rows = u[:, :2] * s[:2]
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    np.testing.assert_allclose(found.vectors @ found.vectors.T, rows @ rows.T, atol=1e-10)
    assert found.counts.shape == (4, len(found.terms))
    assert (vectorize_documents(TEXTS, n_dimensions=2).vectors == found.vectors).all()
    assert repr(found).startswith("Documents(4 documents, 12 terms, 2 dimensions")


def test_documents_without_variance_are_reduced_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert vectorize_documents(["port port Öl <b>", "=1+1"], n_dimensions=1, rng=7).vectors.shape == (1, 1)


def test_a_document_outside_the_dimensions_is_left_out_and_reported():
    found = vectorize_documents(["oil gas", "gas oil", "oil gas", "wheat"], n_dimensions=1)
    assert found.items == ("0", "1", "2")
    assert found.skipped[0] == ("3", "nothing in the dimensions")
    assert found.counts.shape[0] == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_documents": 0}, "min_documents must be a whole number from 1 on; got 0"),
        ({"min_documents": 2.0}, "min_documents must be a whole number"),
        ({"n_dimensions": 5}, r"n_dimensions must be at most 4 \(documents and terms\); got 5"),
        ({"n_dimensions": 0}, "n_dimensions must be a whole number"),
        ({"n_dimensions": "many"}, "n_dimensions must be a whole number"),
        ({"stop_words": "french"}, "stop_words must be 'english', None or words; got french"),
        ({"stop_words": 3}, "stop_words must be 'english', None or words; got 3"),
        ({"stop_words": [3]}, "stop words must be strings; got 3 of type int at position 0"),
        ({"rng": "one"}, "rng must be a numpy Generator"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(InvalidInputError, match=message):
        vectorize_documents(TEXTS, **options)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one text", "documents must be an iterable of texts; got one text"),
        (3, "documents must be an iterable"),
        (["a b", 3], "a document must be text; got 3 of type int at position 1"),
        ([(1, "word")], "a title must be text; got 1 of type int at position 0"),
        ([("\ud800", "word")], "a title must be valid Unicode"),
        ([b"bytes"], "a document must be text"),
    ],
)
def test_what_is_no_text_is_refused(texts, message):
    with pytest.raises(InvalidInputError, match=message):
        vectorize_documents(texts)


def test_stop_words_are_split_as_texts_are():
    assert vectorize_documents(["Don't panic"], stop_words=["don't"]).terms == ("panic",)
    assert vectorize_documents(["Don't panic"], stop_words=[]).terms == ("don", "panic")


def test_embeddings_enter_under_their_titles():
    found = documents_from_embeddings(np.array([[3, 4], [1, 0]], dtype=np.float32), ["same", "same"])
    assert (found.items, found.titles, found.counts) == (("same", "same (2)"), ("same", "same"), None)
    np.testing.assert_allclose(found.vectors, [[0.6, 0.8], [1, 0]])
    assert found.document_frequency.tolist() == []
    huge = documents_from_embeddings([[3e200, 4e200]])
    np.testing.assert_allclose(huge.vectors, [[0.6, 0.8]])


def test_embeddings_meet_documents_by_name():
    found = vectorize_documents({"a": "oil", "b": "", "c": "gas"})
    with pytest.raises(ItemMismatchError, match="1 item without a vector: 'c'; 1 item not among the documents: 'z'"):
        found.with_embeddings(np.eye(2), ["a", "z"])
    with pytest.raises(InvalidInputError, match="are repeated: 'a'"):
        found.with_embeddings(np.eye(2), ["a", "a"])
    kept = found.with_embeddings([[2.0], [1.0]], ["c", "a"])
    assert (kept.terms, kept.vectors.tolist()) == (("gas", "oil"), [[1.0], [1.0]])


@pytest.mark.parametrize(
    ("vectors", "titles", "message"),
    [
        ([[0.0, 0.0]], None, "item '0' is a zero vector"),
        ([[np.nan, 0.0]], None, "points must be finite; got nan in row 0, column 0"),
        (np.eye(2), ["one"], "one title for each of 2 vectors; got 1"),
        (vectorize_documents(TEXTS).vectors, None, "must be a dense array"),
        ([1.0], None, "2 dimensions"),
    ],
)
def test_embeddings_that_are_none_are_refused(vectors, titles, message):
    with pytest.raises(InvalidInputError, match=message):
        documents_from_embeddings(vectors, titles)
