"""Arguments of the wrong kind are our own error: flags that are arrays, matrices where names are expected."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from dendrometry import agglomerate, from_newick, from_parents
from dendrometry.errors import InvalidInputError
from dendrometry.text import vectorize_documents

TEXTS = ["the ship left the port", "oil and gas"]


@pytest.mark.parametrize("kind", [list, tuple, set, np.array, pd.Series, pd.Index, iter, dict.fromkeys])
def test_stop_words_come_in_any_container(kind):
    assert vectorize_documents(TEXTS, stop_words=kind(["the", "and"])).terms == ("gas", "left", "oil", "port", "ship")


@pytest.mark.parametrize("names", [sparse.csr_matrix(np.eye(2)), np.array("ab"), np.array([["a", "b"]]), 3, "ab"])
def test_what_is_no_list_of_names_is_refused(names):
    with pytest.raises(InvalidInputError, match="item names must be"):
        agglomerate([[0.0], [1.0]], item_names=names)
    with pytest.raises(InvalidInputError, match="item names must be"):
        from_parents([2, 2, -1], item_names=names)
    with pytest.raises(InvalidInputError, match=r"restrict takes|must be"):
        from_newick("(a,b);").restrict(names)
