"""Long texts are read in halves, on two threads."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.io.formats.test_newick import texts
from tests.strategies import dendrograms

from dendrometry import from_newick, to_newick
from dendrometry.errors import InvalidInputError
from dendrometry.io.formats import newick


def outcome(text):
    """Return the columns of the tree of a text, or the message of its error."""
    try:
        tree = from_newick(text, missing_lengths="zero")
    except InvalidInputError as error:
        return str(error)
    return tree.parent.tolist(), tree.height if tree.height is None else tree.height.tolist(), tree.items


MARKS = st.lists(st.sampled_from([*"(),,:;' a1[", "b", "(c,d:2)", ":1.5", "é", ",e,", "f)"]), max_size=14).map("".join)


@given(dendrograms(max_items=12).map(to_newick) | texts().map(lambda text: text.replace("'", "")) | MARKS)
@example("((a,b),(c,d));")
@example("((a,b),c),d;")
@example("((a,b,c);")
@example("(a,(b,(c,d))));")
@example("(a,b,c,d,;")
def test_a_text_is_read_in_halves_as_in_one(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(newick, "_LONG", 1)
        patch.setattr(newick, "n_cores", lambda: 2)
        found = outcome(text)
    assert found == outcome(text)


@pytest.mark.parametrize("text", ["((a,b),(c,d));", "(a:1,b:1,c:1);", "((((a,b),c),d),e);"])
def test_a_long_text_is_read_in_halves(text, monkeypatch):
    monkeypatch.setattr(newick, "_LONG", 1)
    monkeypatch.setattr(newick, "n_cores", lambda: 2)
    read = []
    halves = newick._scan_halves
    monkeypatch.setattr(newick, "_scan_halves", lambda *given: read.append(halves(*given)) or read[-1])
    from_newick(text)
    assert read[0] is not None
