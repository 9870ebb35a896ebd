"""Options that are one of a few words: one wording for all of them."""

import pytest

from dendrometry._check.choices import one_of, some_of
from dendrometry.errors import InvalidInputError


def test_a_known_word_is_returned():
    assert one_of("order", "ties", ("together", "order")) == "order"
    assert some_of(("b", "a", "b"), "measures", {"a": 1, "b": 2}) == ["b", "a", "b"]


def test_the_message_lists_the_words():
    with pytest.raises(InvalidInputError, match=r"^ties must be 'together' or 'order'; got 'random'$"):
        one_of("random", "ties", ("together", "order"))
    with pytest.raises(InvalidInputError, match=r"^by must be 'a', 'b' or 'c'; got 1$"):
        one_of(1, "by", ["a", "b", "c"])
    with pytest.raises(InvalidInputError, match=r"^score must be 'entropy' or a function; got None$"):
        one_of(None, "score", ["entropy"], also="a function")
    with pytest.raises(InvalidInputError, match=r"^only must be 'this'; got \['this'\]$"):
        one_of(["this"], "only", ["this"])


def test_a_near_miss_is_suggested():
    with pytest.raises(InvalidInputError, match=r"^did you mean 'average'\? .*got 'averag'$"):
        one_of("averag", "linkage", ["single", "average"])


def test_words_cannot_act_on_the_terminal():
    with pytest.raises(InvalidInputError, match=r"got '\\x1b\[2J'$"):
        one_of("\x1b[2J", "ties", ["together"])


@pytest.mark.parametrize("values", ["rand", b"rand", 3, None])
def test_several_words_must_be_a_sequence(values):
    with pytest.raises(InvalidInputError, match=r"be a sequence of names, such as \['rand'\]; got"):
        some_of(values, "measures", ["rand", "jaccard"])


def test_unknown_words_among_several_are_named():
    with pytest.raises(InvalidInputError, match=r"^measures must be among 'rand', 'jaccard'; got 'gini', '3'$"):
        some_of(["rand", "gini", 3], "measures", ["rand", "jaccard"])
