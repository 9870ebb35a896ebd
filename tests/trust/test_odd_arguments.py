"""Arguments of the wrong kind are our own error: flags that are arrays, matrices where names are expected."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from dendrometry import (
    MEASURES,
    Contingency,
    HierarchicalClustering,
    adjusted_rand,
    agglomerate,
    agglomerate_distances,
    compare,
    from_labels,
    from_levels,
    from_newick,
    from_parents,
    permutation_test,
    plot,
    report,
    stages,
    write,
)
from dendrometry._studies.result import StudyResult, Table
from dendrometry.cluster import bisect, bisect_constrained, principal_direction
from dendrometry.comparison import compare_partitions, score_variables
from dendrometry.errors import DendrometryError, InvalidInputError
from dendrometry.generate import (
    diffused_points,
    lab_to_rgb,
    random_colours,
    random_tree,
    random_triplets,
    reinsert,
    stick_breaking,
    swap_items,
)
from dendrometry.levels import profile
from dendrometry.partition import decompose
from dendrometry.plot import untangle
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


def odd_indices():
    """Return a sparse matrix whose indices are no whole numbers."""
    matrix = sparse.csr_matrix(np.eye(3))
    matrix.indices = matrix.indices.astype(float)
    return matrix


ODD_CALLS = {
    "flags": (lambda: report(compare(A, B), "x.html", progress=np.zeros(3)), "progress must be True or False"),
    "samples": (lambda: HierarchicalClustering().fit([[0.0], [np.inf]]), "infinity"),
    "sparse samples": (lambda: HierarchicalClustering().fit(sparse.csr_matrix(np.eye(3))), "dense data is required"),
    "colours": (lambda: lab_to_rgb([[1e300, -1e300, 1e300]]), "colours must be in the sRGB gamut"),
    "no columns": (lambda: from_levels({}), "a table must have at least one column; got none"),
    "sparse distances": (
        lambda: agglomerate_distances(sparse.eye(3)),
        "must be a dense array of numbers; got a",
    ),
    "stop words": (lambda: vectorize_documents(TEXTS, stop_words=["a", 1]), "of type int at position 1$"),
    "lone indices": (
        lambda: agglomerate(odd_indices()),
        r"whole numbers; got an array of shape \(3,\) and type",
    ),
    "points": (lambda: diffused_points(A, dimension=10**12), "^drawing 3 points needs"),
    "equal names": (
        lambda: compare(A, B, names=("x", "x")),
        "names must be different, to tell the trees",
    ),
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
COUNTS = {
    "random_tree": lambda n: random_tree(n),
    "random_colours": lambda n: random_colours(n),
    "random_triplets": lambda n: random_triplets(A, n),
    "swap_items": lambda n: swap_items(A, n),
    "reinsert": lambda n: reinsert(stick_breaking(3, alpha=1.0, decay=0.5, gamma=0.5, rng=0), n),
    "permutation_test": lambda n: permutation_test(A, B, n_permutations=n),
    "compare": lambda n: compare(A, B, n_permutations=n),
    "score_variables": lambda n: score_variables(np.eye(3), n_permutations=n),
    "bisect": lambda n: bisect(np.eye(3), trials=n),
    "bisect_constrained": lambda n: bisect_constrained(np.eye(3), [], trials=n),
}
STUDY = StudyResult("demo", "What?", {"t": Table.of(a=[1, 2])})


@pytest.mark.parametrize("count", [10**12, 10**14, 10**18, 2**63 - 1])
@pytest.mark.parametrize("name", COUNTS)
def test_counts_beyond_memory_are_refused_before_anything_is_allocated(name, count):
    with pytest.raises(InvalidInputError, match=rf"must be at most [\d,]+, for which there is memory; got {count:,}"):
        COUNTS[name](count)


@pytest.mark.parametrize("count", [2**63, 10**5000], ids=["64 bits", "16,610 bits"])
@pytest.mark.parametrize("name", COUNTS)
def test_counts_beyond_64_bits_are_refused(name, count):
    with pytest.raises(InvalidInputError, match=r"must be a whole number from \d on, below 2\*\*63; got"):
        COUNTS[name](count)


@pytest.mark.parametrize("force", ["no", 2, -1, float("nan"), 1.0, None, [True], np.array([True, False])])
def test_only_true_and_false_decide_whether_a_file_is_replaced(force, tmp_path):
    for name in ("old.nwk", "new.nwk"):
        (tmp_path / "old.nwk").write_text("kept", encoding="utf-8")
        with pytest.raises(InvalidInputError, match="force must be True or False; got"):
            write(A, tmp_path / name, force=force)
        assert (tmp_path / "old.nwk").read_text(encoding="utf-8") == "kept"
        assert not (tmp_path / "new.nwk").exists()


@pytest.mark.parametrize("force", [True, 1, np.True_, np.int64(1)])
def test_true_may_be_of_numpy_or_one(force, tmp_path):
    (tmp_path / "old.nwk").write_text("old", encoding="utf-8")
    write(A, tmp_path / "old.nwk", force=force)
    assert "old" not in (tmp_path / "old.nwk").read_text(encoding="utf-8")


LONG_LABELS = {
    "from_labels": lambda: from_labels([10**5000, 1]),
    "compare_partitions": lambda: compare_partitions([10**5000, 1], [1, 2]),
    "adjusted_rand": lambda: adjusted_rand([1, 2], [1, 10**5000]),
    "from_levels": lambda: from_levels({"item": ["a", "b"], "l": [10**5000, 1]}),
    "columns": lambda: from_levels({"item": ["a", "b"], 10**5000: [1, 2]}),
}


@pytest.mark.parametrize("name", LONG_LABELS)
def test_whole_numbers_too_long_to_print_are_no_labels(name):
    with pytest.raises(InvalidInputError, match="must be at most 2,000 bits long; got an integer of 16,610 bits"):
        LONG_LABELS[name]()
    assert from_labels([2**1999, 1]).node_names[:2] == ("1", str(2**1999))


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
