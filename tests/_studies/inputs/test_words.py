"""Words: which are read from the files of WordNet and GloVe, and what lies above them."""

import numpy as np
import pytest

from dendrometry._studies.inputs.words import frequent_words, planted_words, read_words
from dendrometry.errors import FormatError

DATA = """  1 This software ...
00000001 03 n 01 entity 0 001 ~ 00000002 n 0000 | all
00000002 05 n 02 animal 0 beast 0 002 @ 00000001 n 0000 ~ 00000003 n 0000 | living
00000003 05 n 01 dog 0 003 #m 00000009 n 0000 @ 00000002 n 0000 @ 00000001 n 0000 | barks | and "@ bites"
00000004 13 n 01 soup 0 001 @i 00000001 n 0000 | eaten
"""
INDEX = """  1 This software ...
animal n 1 2 @ ~ 1 1 00000002
are n 1 1 @ 1 0 00000004
dog n 2 3 #m @ ~ 2 1 00000003 00000004
hot_dog n 1 1 @ 1 1 00000004
soup n 1 1 @ 1 3 00000004
"""


def glove(words, vectors):
    lists = ",".join(f'"{word}":[{",".join(map(str, vector))},1.5,7]' for word, vector in vectors.items())
    named = ",".join(f'"{word}"' for word in words)
    return f'{{"size":4,"words":[{named}],"vectors":{{{lists}}},"unkVector":[0,0]}}'.encode()


VECTORS = {"dog": [3.0] + [0.0] * 99, "are": [1.0] * 100, "soup": [0.0] * 99 + [2.0]}


def test_words_are_nouns_in_texts_with_a_vector_in_the_order_of_the_vectors():
    data = read_words(DATA, INDEX, glove(['\\"', "soup", "are", "dog"], VECTORS))
    assert data.items == ("soup", "dog")
    assert data.n_vectors == 4
    assert data.paths == (("00000001", "00000004"), ("00000001", "00000002", "00000003"))
    assert data.fields == ("food", "animal")
    np.testing.assert_array_equal(data.vectors[0], [0.0] * 99 + [1.0])
    np.testing.assert_array_equal(data.vectors[1], [1.0] + [0.0] * 99)


def test_a_word_without_its_vector_is_refused():
    with pytest.raises(FormatError, match="every word of the list must have a vector"):
        read_words(DATA, INDEX, glove(["soup", "animal"], VECTORS))


def test_frequent_words_have_their_vectors_as_they_are(monkeypatch):
    text = glove(['\\"', "at", "soup", "are", "dog"], VECTORS)
    monkeypatch.setattr("dendrometry._studies.inputs.words.fetch_files", lambda *_: [text])
    assert frequent_words(2).tolist() == [VECTORS["soup"], VECTORS["are"]]


def test_planted_words_have_what_real_ones_have():
    data = planted_words(30, np.random.default_rng(0))
    assert len(data.items) == len(data.paths) == len(data.fields) == 30
    np.testing.assert_allclose(np.linalg.norm(data.vectors, axis=1), 1.0)
