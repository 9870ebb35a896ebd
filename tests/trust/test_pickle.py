"""Results pass through pickle, fork and spawn: the same values, and read-only as before."""

import copy
import dataclasses
import inspect
import multiprocessing
import pickle
import re

import numpy as np
import pytest
from tests.trust.fuzz.functions import public_functions, public_values

from dendrometry import (
    Dag,
    Hierarchy,
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
from dendrometry._studies.result import StudyResult, Table
from dendrometry.cluster import bisect, buckshot
from dendrometry.comparison import compare_partitions
from dendrometry.contingency import Contingency
from dendrometry.datasets import zoo
from dendrometry.levels import profile
from dendrometry.measures import MEASURES
from dendrometry.partition import decompose
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


def has_columns(kind):
    """Whether a value is a class of results: a dataclass or a named tuple, some of whose fields are arrays."""
    is_result = inspect.isclass(kind) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))
    types = vars(kind).get("__annotations__", {}).values() if is_result else ()
    return any(re.match(r"\w*Array\b", str(getattr(kind, "__forward_arg__", kind))) for kind in types)


def kinds_of_results():
    """Return all classes of results by name: those that are public, and those that public functions return."""
    returned = [
        function.__globals__.get(str(function.__annotations__.get("return")))
        for function in public_functions().values()
        if inspect.isfunction(function)
    ]
    kinds = [*(value for _, value in public_values()), *returned]
    return {kind.__name__: kind for kind in kinds if has_columns(kind) and kind not in (Hierarchy, Dag)}  # built anew


KINDS = kinds_of_results()


@pytest.mark.parametrize("name", KINDS)
def test_columns_of_every_kind_of_result_stay_read_only(name):
    kind = KINDS[name]
    if hasattr(kind, "_fields"):
        result = kind(*(np.zeros(2) for _ in kind._fields))
        assert not any(column.flags.writeable for column in result)
    else:
        result = object.__new__(kind)
        for field in dataclasses.fields(kind):
            object.__setattr__(result, field.name, np.zeros(2))
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        columns = again if hasattr(kind, "_fields") else [getattr(again, f.name) for f in dataclasses.fields(kind)]
        assert not any(column.flags.writeable for column in columns)


def test_results_with_columns_are_found():
    assert KINDS.keys() > {"Matches", "Subcomponents", "WorseningStep", "Hclust", "Parents"}


def test_measures_are_themselves_again():
    for measure in MEASURES.values():
        assert pickle.loads(pickle.dumps(measure)) == measure


def test_results_of_studies_come_back_with_their_figures():
    from functools import partial

    from dendrometry._studies import worsening

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
