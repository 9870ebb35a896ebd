"""Results pass through pickle, fork and spawn: the same values, and read-only as before."""

import copy
import dataclasses
import multiprocessing
import pickle

import numpy as np
import pytest

from dendrometry import (
    agglomerate,
    compare,
    consensus,
    cut_count,
    from_newick,
    hierarchy_agreement,
    item_disagreement,
    pairwise_matrix,
    permutation_test,
    stages,
)
from dendrometry.cluster import bisect, buckshot
from dendrometry.comparison import compare_partitions
from dendrometry.contingency import Contingency
from dendrometry.datasets import zoo
from dendrometry.levels import profile
from dendrometry.measures import MEASURES
from dendrometry.partition import decompose
from dendrometry.study.result import StudyResult, Table
from dendrometry.text import near_duplicates, vectorize_documents

X = np.random.default_rng(0).random((12, 3))
A, B = agglomerate(X).hierarchy, agglomerate(X[:, :2], linkage="single").hierarchy
LABELS = [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2]
TEXTS = ["the ship left the port", "the ship left the port", "oil and gas prices", "gas prices fell"]


def arrays(value, path=""):
    """Yield all arrays in a result with the way to them."""
    if isinstance(value, np.ndarray):
        yield path, value
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from arrays(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, tuple):
        for at, part in enumerate(value):
            yield from arrays(part, f"{path}[{at}]")
    elif hasattr(value, "tocsr"):
        for name in ("data", "indices", "indptr"):
            yield f"{path}.{name}", getattr(value, name)


RESULTS = {
    "agglomerate": lambda: agglomerate(X),
    "bisect": lambda: bisect(X, rng=0),
    "buckshot": lambda: buckshot(X, 3, rng=0),
    "compare": lambda: compare(A, B),
    "compare_partitions": lambda: compare_partitions(*LABELS),
    "consensus": lambda: consensus({"a": A, "b": B}),
    "Contingency": lambda: Contingency.of(*LABELS),
    "cut_count": lambda: cut_count(A, 3),
    "decompose": lambda: decompose(*LABELS, measure="rand"),
    "item_disagreement": lambda: item_disagreement(A, B),
    "near_duplicates": lambda: near_duplicates(vectorize_documents(TEXTS).vectors, threshold=0.9),
    "pairwise_matrix": lambda: pairwise_matrix({"a": A, "b": B}),
    "permutation_test": lambda: permutation_test(A, B, n_permutations=9, rng=0),
    "profile": lambda: profile(A, B),
    "stages": lambda: stages(A, B),
    "vectorize_documents": lambda: vectorize_documents(TEXTS),
    "zoo": zoo,
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_stay_as_they_are_and_read_only(name):
    result = RESULTS[name]()
    before = dict(arrays(result))
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        after = dict(arrays(again))
        assert after.keys() == before.keys()
        for path, array in after.items():
            assert np.array_equal(array, before[path], equal_nan=array.dtype.kind == "f")
            assert array.flags.writeable <= before[path].flags.writeable, path
        assert repr(again) == repr(result)


def test_measures_are_themselves_again():
    for measure in MEASURES.values():
        assert pickle.loads(pickle.dumps(measure)) == measure


def test_results_of_studies_come_back_with_their_figures():
    from functools import partial

    from dendrometry.study.studies import worsening

    table = Table.of(a=[1, 2])
    result = StudyResult("demo", "What?", {"t": table}, figures={"f": partial(worsening._figure, ())})
    assert str(pickle.loads(pickle.dumps(result))) == str(result)


def _agreement(text):
    """Return a value, in a process of its own."""
    return hierarchy_agreement(from_newick(text), from_newick("((a,b),(c,d));")), from_newick(text)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_give_the_same_values_and_trees(method):
    texts = ["((a,b),(c,d));", "((a,c),(b,d));", "(((a,b),c),d);"]
    expected = [_agreement(text) for text in texts]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(_agreement, texts) == expected
