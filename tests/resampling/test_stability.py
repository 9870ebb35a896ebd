import signal
import threading
from dataclasses import replace
from functools import partial
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dendrometry import Hierarchy, _interrupt, agglomerate, cut_count, from_labels, from_newick, stability
from dendrometry.errors import FormatError, InvalidInputError, MissingExtraError, UndefinedMeasureError
from dendrometry.resampling import MULTISCALE, Agreement, Resampling, agreement, stability_of_trees
from dendrometry.resampling.replicates.checkpoint import Checkpoint
from dendrometry.resampling.replicates.reference import replicates_of_reference, valley_p_value
from tests.oracles.resampling import stability as oracle
from tests.strategies import random_hierarchy
from tests.work import wait_until
from tests.zoo import ZOO, caterpillar

THREE = np.random.default_rng(0).normal(size=(30, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 10, axis=0)


def sets_of(tree):
    """The clusters of a tree as sets of names, each with its height."""
    order = tree.order
    height = np.zeros(tree.n_nodes) if tree.height is None else tree.height
    spans = zip(order.item_low.tolist(), order.item_high.tolist(), strict=True)
    return [({tree.items[i] for i in order.item[a:b].tolist()}, h) for (a, b), h in zip(spans, height, strict=True)]


def same(first, second):
    """Whether two results hold the same bits."""
    columns = zip(first.support, second.support, strict=True)
    ours = all(np.array_equal(a, b, equal_nan=True) for a, b in columns if a is not None)
    return ours and all(
        np.array_equal(getattr(first.agreement, name), getattr(second.agreement, name))
        for name in ("values", "reference", "tested")
    )


@given(st.integers(0, 10**6), st.integers(3, 9), st.booleans())
def test_support_is_that_of_the_definition(seed, n, subsets):
    rng = np.random.default_rng(seed)
    tree = random_hierarchy(n, rng)
    names = np.array(tree.items)
    replicates = []
    for _ in range(4):
        chosen = names[np.sort(rng.permutation(n)[: rng.integers(2, n + 1)])] if subsets else names
        other = random_hierarchy(len(chosen), rng)
        replicates.append(Hierarchy(other.parent, other.height, other.item_node, rng.permutation(chosen).tolist()))
    found = stability_of_trees(tree, replicates)
    clusters = [sets_of(replicate) for replicate in replicates]
    for v, (cluster, _) in enumerate(sets_of(tree)):
        ours = [float(column[v]) for column in found.support[:5]]
        if len(cluster) in (1, n):
            assert ours[1:] == [1.0, 0.0, 1.0, 0.0]
        elif (known := oracle.support(cluster, clusters)) is None:
            assert ours == [0, 0.0, 0.0, 0.0, 0.0]
        else:
            np.testing.assert_allclose(ours, known, atol=1e-12)


@pytest.mark.parametrize("few", [40, 0])
@given(seed=st.integers(0, 10**6), n=st.integers(4, 9))
def test_agreement_is_that_of_the_definition(few, seed, n):
    """Cut by cut, and in one walk."""
    rng = np.random.default_rng(seed)
    tree = random_hierarchy(n, rng, heights=True)
    names, replicates = np.array(tree.items), []
    for _ in range(3):
        chosen = names[rng.permutation(n)[: rng.integers(max(3, n - 2), n + 1)]]
        other = random_hierarchy(len(chosen), rng, heights=True)
        replicates.append(Hierarchy(other.parent, other.height, other.item_node, chosen.tolist()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agreement, "_FEW", few)
        found = stability_of_trees(tree, replicates).agreement
    clusters = [sets_of(replicate.without_unary()) for replicate in replicates]
    expected = []
    for i, j in ((0, 1), (1, 2), (2, 0)):
        common = set(replicates[i].items) & set(replicates[j].items)
        if len(common) >= 3:
            cuts = [[oracle.partition_at(clusters[x], k) for x in (i, j)] for k in range(2, n)]
            expected.append([oracle.adjusted_rand(*cut, common) for cut in cuts])
    if expected:
        np.testing.assert_allclose(found.values, expected, atol=1e-12)
    else:
        assert found is None


@pytest.mark.parametrize("name", [name for name, tree in ZOO.items() if tree.n_items > 2])
def test_a_tree_is_stable_in_its_own_copies(name):
    found = stability_of_trees(ZOO[name], [ZOO[name]] * 3)
    nodes = found.nodes()
    assert (found.support.bp[nodes] == 1.0).all()
    assert (found.support.jaccard[nodes] == 1.0).all()
    assert found.agreement is None or (found.agreement.values == 1.0).all()


@pytest.mark.parametrize("kind", ["bootstrap", "subsample", "columns", "noise"])
def test_planted_clusters_are_found_by_every_way_to_draw(kind):
    rng = np.random.default_rng(1)
    points = rng.normal(size=(60, 9)) + np.repeat(np.kron(np.eye(3), np.ones(3)) * 2.5, 20, axis=0)
    found = stability(points, resample=kind, n_replicates=10, n_references=19)
    top = cut_count(found.hierarchy, 3).nodes
    assert (found.support.jaccard[top] > 0.75).all()
    assert found.agreement.p_values[found.agreement.n_clusters == 3] == 0.05
    choice = found.agreement.choose()
    assert choice.n_clusters == 3 or kind == "noise"  # which leaves two of the clusters together as well


def test_points_without_clusters_are_told_to_have_none():
    points = np.random.default_rng(5).normal(size=(40, 3))
    choice = stability(points, n_replicates=10, n_references=19).agreement.choose()
    assert choice.n_clusters == 1
    assert choice.p_value > 0.05


def square(seed):
    return np.random.default_rng(seed).random((60, 2))


def test_a_square_has_no_clusters_by_the_cautious_reference_however_stable_its_halves():
    found = stability(square(7), n_replicates=10, n_references=19).agreement
    assert found.kind == "cautious"
    assert found.choose() == (1, (), found.valley)
    assert found.valley > 0.05
    assert (found.p_values >= found.valley).all()
    plain = stability(square(7), n_replicates=10, n_references=19, reference="normal").agreement
    assert plain.valley is None
    assert np.array_equal(plain.reference, found.reference)
    assert np.array_equal(np.maximum(plain.p_values, found.valley), found.p_values)


def test_clusters_must_be_apart_and_stable_by_the_cautious_reference():
    found = stability(THREE, n_replicates=10, n_references=19).agreement
    assert found.valley <= 0.05
    assert found.p_value == max(found.valley, 1 / 20)
    assert found.choose().n_clusters == 3
    assert replace(found, valley=0.3).choose() == (1, (), 0.3)
    assert not replace(found, valley=0.3).is_undecided(0.01)
    assert found.is_undecided(0.01) == (found.valley <= 0.01)


def test_few_items_and_trees_without_two_sides_are_one_group():
    tree = agglomerate(THREE[:9]).hierarchy
    assert valley_p_value(THREE[:9], tree, ("ward", "euclidean"), 19, np.random.default_rng(0)) == 1.0
    assert valley_p_value(square(0), caterpillar(60), ("ward", "euclidean"), 19, np.random.default_rng(0)) == 1.0


def test_perfect_agreement_stands_out_from_a_wide_reference():
    wide, narrow = np.linspace(0.3, 0.95, 39), np.full(39, 0.5)
    narrow[:3] = 0.6  # far from the others in standard deviations, and as far from 1 as ever
    reference = np.column_stack([wide, narrow])
    agreement = Agreement(np.array([2, 3]), np.ones((6, 2)), reference, tested=np.array([1.0, 0.5]))
    assert agreement.p_value == 1 / 40


def test_the_number_that_stands_out_from_its_reference_is_chosen():
    rng = np.random.default_rng(0)
    reference = np.column_stack([rng.uniform(0.0, 0.6, 39), rng.uniform(0.45, 0.55, (39, 2)).T[0], np.full(39, 0.5)])
    values = np.array([0.9, 0.99, 0.5]) + rng.uniform(-0.01, 0.01, (20, 3))
    agreement = Agreement(np.array([2, 3, 4]), values, reference, values[:6].mean(axis=0))
    assert agreement.mean[0] - agreement.reference_mean[0] > agreement.mean[1] - agreement.reference_mean[1]
    assert agreement.choose() == (3, (), 1 / 40)
    stretched = -np.log(1.01 - reference)
    expected = (-np.log(1.01 - agreement.mean) - stretched.mean(axis=0))[:2] / stretched.std(axis=0)[:2]
    np.testing.assert_allclose(agreement.excess[:2], expected)
    assert agreement.p_values[2] > 0.05  # and is never chosen, though its reference does not vary at all


def test_numbers_within_a_standard_error_are_as_good():
    rng = np.random.default_rng(0)
    reference = np.repeat(rng.uniform(0.2, 0.6, (39, 1)), 2, axis=1)
    steady = np.tile([0.95, 0.949], (20, 1))  # the error is that of the reference sets alone
    assert Agreement(np.array([2, 3]), steady, reference, steady[0]).choose() == (2, (3,), 1 / 40)
    spread = reference.copy()
    spread[:, 1] = 0.4 + 0.8 * (reference[:, 0] - 0.4)  # which makes more of a smaller agreement
    less = Agreement(np.array([2, 3]), np.tile([0.95, 0.93], (20, 1)), spread, np.array([0.95, 0.93]))
    assert less.excess[1] > less.excess[0]
    assert less.choose() == (2, (3,), 1 / 40)  # on which replicates agree better
    apart = np.tile([0.98, 0.9], (20, 1))
    assert Agreement(np.array([2, 3]), apart, reference, apart[0]).choose() == (2, (), 1 / 40)
    values = np.column_stack([rng.permutation(np.linspace(0.8, 1.0, 20)), rng.permutation(np.linspace(0.79, 0.99, 20))])
    alone = Agreement(np.array([2, 3]), values, np.zeros((0, 2)), values[0])
    assert alone.choose() == (2, (3,), None)
    assert alone.excess.tolist() == alone.mean.tolist()


def test_the_same_seed_gives_the_same_numbers_for_any_number_of_jobs():
    joblib = pytest.importorskip("joblib")
    options = {"n_replicates": 6, "n_references": 3, "resample": "subsample", "rng": 4}
    first = stability(THREE, n_jobs=1, **options)
    assert same(first, stability(THREE, n_jobs=3, **options))
    with joblib.parallel_config("threading", n_jobs=2):
        assert same(first, stability(THREE, **options))
    assert not same(first, stability(THREE, n_jobs=1, **{**options, "rng": 5}))


def test_other_processes_give_the_same_numbers():
    joblib = pytest.importorskip("joblib")
    options = {"n_replicates": 6, "n_references": 2, "max_clusters": 4, "rng": 4}
    with joblib.parallel_config("loky", n_jobs=2):
        assert same(stability(THREE, n_jobs=1, **options), stability(THREE, **options))


def test_a_function_builds_the_trees():
    average = partial(agglomerate, linkage="average", metric="cosine")
    given_by_function = stability(THREE + 20, build=average, n_replicates=3, n_references=0)
    expected = agglomerate(THREE + 20, linkage="average", metric="cosine").hierarchy
    assert given_by_function.hierarchy == expected
    by_name = stability(THREE, linkage="complete", n_replicates=3, n_references=0)
    by_hand = stability(
        THREE, build=lambda X: agglomerate(X, linkage="complete").hierarchy, n_replicates=3, n_references=0
    )
    assert same(by_name, by_hand)


def test_items_of_a_built_tree_are_matched_by_name_in_any_order():
    def backwards(points):
        tree = agglomerate(points).hierarchy
        return Hierarchy(tree.parent, tree.height, tree.item_node[::-1], tree.items[::-1])

    first = stability(THREE, n_replicates=3, n_references=0)
    assert same(first, stability(THREE, build=backwards, n_replicates=3, n_references=0))


def test_a_given_tree_is_judged():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(THREE, index=[f"x{i}" for i in range(30)])
    tree = agglomerate(frame.iloc[::-1], linkage="single").hierarchy
    found = stability(frame, tree=tree, n_replicates=5, n_references=0)
    assert found.hierarchy is tree
    assert (found.support.jaccard[cut_count(tree, 3).nodes] > 0.9).all()
    assert set(found.replicate_tree(0).items) < set(tree.items)


def test_replicates_are_kept_in_a_file_and_added_to(tmp_path):
    options = {"n_references": 4, "rng": 1, "n_jobs": 1}
    whole = stability(THREE, n_replicates=8, **options)
    file = tmp_path / "replicates.zip"
    stability(THREE, n_replicates=6, n_references=2, rng=1, n_jobs=1, file=file)
    calls = []

    def counting(points):
        calls.append(1)
        return agglomerate(points)

    assert same(whole, stability(THREE, n_replicates=8, file=file, **options))
    with pytest.raises(InvalidInputError, match="must hold replicates of the same data, options and seed; got others"):
        stability(THREE, n_replicates=6, file=file, build=counting, **options)
    with pytest.raises(InvalidInputError, match="got others"):
        stability(THREE + 1, n_replicates=6, file=file, **options)


def test_what_a_file_holds_is_not_built_again(tmp_path):
    calls = []

    def counting(points):
        calls.append(1)
        return agglomerate(points)

    options = {"build": counting, "n_references": 0, "n_jobs": 1, "file": tmp_path / "kept"}
    stability(THREE, n_replicates=3, **options)
    stability(THREE, n_replicates=5, **options)
    assert len(calls) == (1 + 3) + (1 + 2)


def test_reference_sets_in_a_file_are_kept_if_they_have_as_many_replicates(tmp_path):
    calls = []

    def counting(points):
        calls.append(1)
        return agglomerate(points)

    options = {"build": counting, "n_jobs": 1, "file": tmp_path / "kept"}
    for n_replicates, n_references in ((6, 2), (6, 3), (8, 3)):
        stability(THREE, n_replicates=n_replicates, n_references=n_references, **options)
    assert len(calls) == (1 + 6 + 2 * 6) + (1 + 6) + (1 + 2 + 3 * 8)


@pytest.mark.parametrize(
    ("n_items", "n_replicates", "count"), [(30, 500, 100), (30, 20, 20), (150, 100, 20), (2_000, 100, 6)]
)
def test_reference_sets_of_few_items_have_more_replicates(n_items, n_replicates, count):
    assert replicates_of_reference(n_items, n_replicates) == count


def test_two_far_groups_of_few_points_are_found():
    points = np.random.default_rng(1).normal(size=(40, 2)) + np.repeat([[0, 0], [30, 0]], 20, axis=0)
    choice = stability(points, n_replicates=75, n_references=19, max_clusters=5).agreement.choose()
    assert (choice.n_clusters, choice.p_value) == (2, 0.05)


def test_a_damaged_file_is_refused(tmp_path):
    file = tmp_path / "replicates"
    file.write_bytes(b"not a zip")
    with pytest.raises(FormatError, match="must be a file of replicates, or not exist; got"):
        stability(THREE, n_replicates=6, file=file)
    with pytest.raises(InvalidInputError, match="rng must be a seed if replicates are kept in a file"):
        stability(THREE, n_replicates=6, file=tmp_path / "new", rng=None)
    with pytest.raises(InvalidInputError, match="there is no such folder"):
        stability(THREE, n_replicates=6, file=tmp_path / "no" / "new")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_keeps_what_is_done(tmp_path, monkeypatch, n_jobs):
    numbers, n_stops, kept = count(), _interrupt._n_stops, []
    add = Checkpoint.add_replicate
    monkeypatch.setattr(Checkpoint, "add_replicate", lambda self, one: kept.append(1) or add(self, one))

    def build(points):
        """Build a tree; from the twentieth on, only after the main thread has kept two and was interrupted."""
        number = next(numbers)
        if number >= 20:
            wait_until(lambda: len(kept) >= 2)
            if number == 20:
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            wait_until(lambda: _interrupt._n_stops > n_stops)
        return agglomerate(points)

    file = tmp_path / "kept"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in a process in the background
    try:
        found = stability(THREE, build=build, n_replicates=500, n_references=5, n_jobs=n_jobs, file=file)
    finally:
        signal.signal(signal.SIGINT, before)
    assert not found.is_complete
    assert 2 <= found.n_replicates < 50
    assert "stopped early" in repr(found)
    assert file.exists()


def test_approximately_unbiased_probabilities_need_scales():
    points = np.random.default_rng(3).normal(size=(8, 10))
    found = stability(points, resample=Resampling("columns", scales=MULTISCALE), n_replicates=20, n_references=0)
    assert len(found.replicates) == 200
    assert found.n_replicates == 20
    assert found.scales == MULTISCALE
    nodes = found.nodes()
    assert ((found.support.au[nodes] >= 0.0) & (found.support.au[nodes] <= 1.0)).all()
    assert found.support.au[-1] == 1.0
    assert stability(points, resample="columns", n_replicates=5, n_references=0).support.au is None


def test_results_print_and_tabulate():
    pytest.importorskip("pandas")
    found = stability(THREE, n_replicates=6, n_references=3)
    assert repr(found).startswith("Stability(30 items, 6 replicates; 28 clusters; mean Jaccard ")
    frame = found.to_frame()
    assert frame.shape == (28, 7)
    assert list(found.agreement.to_frame().columns) == [
        "n_clusters",
        "mean",
        "standard_error",
        "low",
        "high",
        "reference",
        "excess",
        "p_value",
    ]
    assert "<table" in found._repr_html_()
    assert "<table" in found.agreement._repr_html_()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_replicates": 5}, "n_replicates must be a whole number from 6 on; got 5"),
        ({"linkage": "wards"}, "linkage must be"),
        ({"build": "ward"}, "build must be a function of points; got ward"),
        ({"resample": "rows"}, "resample must be 'bootstrap', 'subsample', 'columns', 'noise' or a Resampling"),
        ({"reference": "uniform"}, "reference must be 'cautious', 'normal' or 'permuted'"),
        ({"n_jobs": 0}, "n_jobs must be at least 1, or below 0 to count from all cores, or None; got 0"),
        ({"max_clusters": 1}, "max_clusters must be a whole number from 2 on; got 1"),
        ({"build": lambda X: 3}, "what build returns must be a Hierarchy; got int"),
        ({"build": lambda X: agglomerate(X[1:])}, "build must return a tree of 30 items, one for each point; got 29"),
        (
            {"build": lambda X: from_labels(X[:, 0] > 5, [f"i{i}" for i in range(len(X))])},
            "build must name the items by",
        ),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InvalidInputError, match=message):
        stability(THREE, **options)


def test_bad_resamplings_and_trees_are_refused():
    with pytest.raises(InvalidInputError, match="scales other than 1 must be those of columns; got"):
        Resampling("noise", scales=MULTISCALE)
    with pytest.raises(InvalidInputError, match="share must be a number, above 0 and below 1; got 1"):
        Resampling("subsample", share=1)
    tree = from_newick("((a,b),c);")
    with pytest.raises(InvalidInputError, match="there must be at least 2 trees; got 1"):
        stability_of_trees(tree, [tree])
    with pytest.raises(InvalidInputError, match="the items of tree 1 must be items of the tree; got 'd'"):
        stability_of_trees(tree, [tree, from_newick("(a,b,d);")])
    with pytest.raises(UndefinedMeasureError, match="at least 3 items"):
        stability([[0.0], [1.0]])


def test_jobs_without_joblib_name_the_extra(monkeypatch):
    monkeypatch.setattr("dendrometry._extras.import_module", _missing)
    monkeypatch.setattr("dendrometry._jobs.find_spec", lambda name: None)
    assert stability(THREE, n_replicates=2, n_references=0).is_complete
    with pytest.raises(MissingExtraError, match="n_jobs needs joblib"):
        stability(THREE, n_replicates=2, n_references=0, n_jobs=2)


def _missing(name):
    raise ModuleNotFoundError(f"No module named {name!r}", name=name)
