"""Arguments of the wrong kind are our own error: flags that are arrays, matrices where names are expected."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from dendrometry import (
    MEASURES,
    Contingency,
    HierarchicalClustering,
    agglomerate,
    compare,
    from_levels,
    from_newick,
    from_parents,
    plot,
    report,
    stages,
)
from dendrometry.cluster import bisect, principal_direction
from dendrometry.comparison import score_variables
from dendrometry.errors import DendrometryError, InvalidInputError
from dendrometry.generate import lab_to_rgb
from dendrometry.levels import profile
from dendrometry.partition import decompose
from dendrometry.plot import untangle
from dendrometry.study.result import StudyResult, Table
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


A, B = from_newick("((a,b),c);"), from_newick("((a,c),b);")
HIGH = from_newick("(a:1,b:1);")
ODD_CALLS = {
    "flags": (lambda: report(compare(A, B), "x.html", progress=np.zeros(3)), "progress must be True or False"),
    "samples": (lambda: HierarchicalClustering().fit([[0.0], [np.inf]]), "infinity"),
    "sparse samples": (lambda: HierarchicalClustering().fit(sparse.csr_matrix(np.eye(3))), "dense data is required"),
    "colours": (lambda: lab_to_rgb([[1e300, -1e300, 1e300]]), "colours must be in the sRGB gamut"),
    "no columns": (lambda: from_levels({}), "a table must have at least one column; got none"),
    "a subset": (lambda: score_variables(np.eye(3), subsets={"a": 1}), "a subset must be a collection; got 1"),
    "uneven cuts": (lambda: plot.dendrogram(HIGH, cuts=[[], [1]]), "cuts must"),
    "far cuts": (lambda: plot.dendrogram(HIGH, cuts=1e308), "cuts must be"),
    "far heights": (
        lambda: plot.dendrogram(from_newick("(a:1e307,b:1e307);"), self_similarity=1.0),
        r"similarities must be between -1e\+300 and 1e\+300",
    ),
    "far similarity": (lambda: plot.dendrogram(HIGH, self_similarity=1e308), "self_similarity must be near enough"),
    "measure of trees": (lambda: MEASURES["overall_distance"].of_table(None), "of_table requires a measure of part"),
    "values": (lambda: MEASURES["rand"].apart([np.nan]), "values of a measure must be finite"),
    "triples": (lambda: Contingency.from_triples(np.array(3)), "triples must be a collection"),
    "sparse triples": (lambda: Contingency.from_triples(sparse.eye(3)), "triples must be a sequence"),
    "table of a study": (lambda: STUDY.to_frame(["t"]), "the tables are t; got"),
    "figure of a study": (lambda: STUDY.figure({}), "the figures are none; got"),
    "folder of a study": (lambda: STUDY.save("\0"), "cannot make the directory"),
    "force of a study": (lambda: STUDY.save("x", force=np.zeros(3)), "force must be True or False"),
}
STUDY = StudyResult("demo", "What?", {"t": Table.of(a=[1, 2])})


@pytest.mark.parametrize("name", ODD_CALLS)
def test_odd_arguments_are_our_own_error(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, message = ODD_CALLS[name]
    with pytest.raises(DendrometryError, match=message):
        call()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_a_table_of_counts_that_leads_outside_of_itself_is_refused(form):
    table = sparse.eye(6, format=form)
    indices = table.col if form == "coo" else table.indices
    indices[-1] = 99
    with pytest.raises(InvalidInputError, match="must be from 0 to 5; got 99"):
        Contingency.from_counts(table)


@pytest.mark.parametrize("divide", [bisect, principal_direction])
def test_a_limit_beyond_all_floats_stops_before_the_first_split(divide):
    assert divide(np.array([[0.0], [1e-160]]), leaf_scatter=1e300).hierarchy.n_nodes == 1


def test_a_level_below_all_floats_gives_the_greatest_limit():
    found = stages(from_newick("((a:1,b:1):1,(c:1,d:1):2);"), from_newick("((a:1,c:1):1,(b:1,d:1):2);"))
    assert (found.fowlkes_mallows_limit(5e-324) >= found.fowlkes_mallows_limit(1e-9)).all()


def test_results_cannot_be_written_to_and_what_came_in_still_can():
    wanted = np.array([1, 2])
    trees = from_newick("((a:1,b:1):1,c:2);"), from_newick("((a:1,c:1):1,b:2);")
    found = profile(*trees, "rand", n_clusters=wanted)
    wanted[0] = 2
    untangled, parts = untangle(*trees), decompose([0, 0, 1], [0, 1, 1])
    for array in (
        found.n_clusters,
        found.value,
        *found.n_groups,
        untangled.key_a,
        untangled.key_b,
        parts.weight,
        parts.score,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
