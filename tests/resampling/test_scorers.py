import pickle

import numpy as np
import pytest

from dendrometry import HierarchicalClustering, adjusted_rand, agglomerate, cut_count, datasets, hierarchy_agreement
from dendrometry.errors import InvalidInputError
from dendrometry.resampling import LabelScorer, StabilityScorer, TreeScorer

pytest.importorskip("sklearn")
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 20, axis=0)
Y = np.repeat([0, 1, 2], 20)
FOLDS = KFold(3, shuffle=True, random_state=0)
MODEL = HierarchicalClustering(n_clusters=3)


def test_labels_are_scored_on_the_rows_given():
    found = LabelScorer()(MODEL, X[::2], Y[::2])
    assert found == adjusted_rand(Y[::2], cut_count(agglomerate(X[::2]).hierarchy, 3).labels)
    assert not hasattr(MODEL, "labels_")
    assert LabelScorer("variation_of_information")(MODEL, X, Y) == 0.0
    assert LabelScorer("variation_of_information")(MODEL, X, np.arange(60)) < 0.0


@pytest.mark.parametrize("model", [HierarchicalClustering(), KMeans(n_init=1, random_state=0)])
def test_a_search_finds_the_number_of_clusters(model):
    search = GridSearchCV(model, {"n_clusters": [2, 3, 4]}, scoring=LabelScorer(), cv=FOLDS).fit(X, Y)
    assert search.best_params_ == {"n_clusters": 3}
    assert search.best_score_ == 1.0
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()


@pytest.mark.further
def test_a_search_without_labels_finds_the_number_of_clusters():
    scorer = StabilityScorer(n_replicates=10, n_references=6)
    search = GridSearchCV(HierarchicalClustering(), {"n_clusters": [2, 3, 4]}, scoring=scorer, cv=FOLDS).fit(X)
    assert search.best_params_ == {"n_clusters": 3}


def test_trees_are_compared_with_the_reference_of_the_fold():
    pd = pytest.importorskip("pandas")
    animals = datasets.zoo()
    frame = pd.DataFrame(animals.traits, index=animals.items)
    some = frame.iloc[:40]
    tree = agglomerate(some).hierarchy
    expected = hierarchy_agreement(animals.taxonomy.restrict(tree.items), tree)
    assert TreeScorer(animals.taxonomy)(HierarchicalClustering(), some) == expected
    grid = {"linkage": ["single", "ward"]}
    search = GridSearchCV(HierarchicalClustering(), grid, scoring=TreeScorer(animals.taxonomy), cv=FOLDS).fit(frame)
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()
    with pytest.raises(InvalidInputError, match="X must be a data frame whose index names the items; got ndarray"):
        TreeScorer(animals.taxonomy)(HierarchicalClustering(), X)


def test_the_steps_of_a_pipeline_are_taken_and_names_stay():
    pd = pytest.importorskip("pandas")
    animals = datasets.zoo()
    frame = pd.DataFrame(animals.traits, index=animals.items)
    model = make_pipeline(StandardScaler(), HierarchicalClustering(n_clusters=7))
    scaled = pd.DataFrame(StandardScaler().fit_transform(frame), index=frame.index)
    last = HierarchicalClustering(n_clusters=7)
    for scorer, y in ((TreeScorer(animals.taxonomy), None), (LabelScorer(), frame[frame.columns[0]])):
        assert scorer(model, frame, y) == scorer(last, scaled, y) == scorer(make_pipeline(last), scaled, y)
    few = StabilityScorer(n_replicates=6, n_references=2)
    assert few(make_pipeline(last), scaled) == few(last, scaled)
    assert -1e9 < few(model, frame) != few(last, frame)
    grid = {"hierarchicalclustering__linkage": ["single", "ward"]}
    search = GridSearchCV(model, grid, scoring=TreeScorer(animals.taxonomy), cv=FOLDS, error_score="raise").fit(frame)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_trees_of_scikit_learn_are_scored_as_ours():
    pd = pytest.importorskip("pandas")
    animals = datasets.zoo()
    frame = pd.DataFrame(animals.traits + np.random.default_rng(0).normal(size=(101, 16)), index=animals.items)
    ours, theirs = HierarchicalClustering(n_clusters=3), AgglomerativeClustering(n_clusters=3)
    for scorer in (TreeScorer(animals.taxonomy), StabilityScorer(n_replicates=6, n_references=2)):
        assert scorer(make_pipeline(StandardScaler(), theirs), frame) == pytest.approx(
            scorer(make_pipeline(StandardScaler(), ours), frame)
        )


@pytest.mark.parametrize("model", [HierarchicalClustering(), KMeans(n_init=1, random_state=0)])
def test_parameters_that_cannot_be_scored_are_never_the_best(model):
    grid = {"n_clusters": [9, 2]}  # a fold of 7 rows has no 9 clusters; the other 14 have
    with pytest.warns(
        UserWarning, match=r"these rows cannot be scored, and count as -1e\+09: they cannot be clustered"
    ):
        search = GridSearchCV(model, grid, scoring=LabelScorer(), cv=3).fit(X[:21], Y[:21])
    assert search.best_params_ == {"n_clusters": 2}
    assert search.cv_results_["mean_test_score"].tolist()[0] == pytest.approx(-1e9)
    with pytest.warns(UserWarning, match="there must be more rows than clusters, 5; got 5"):
        assert StabilityScorer()(HierarchicalClustering(n_clusters=5), X[:5]) == -1e9


def test_scorers_travel_to_other_processes_and_print():
    for scorer in (LabelScorer("rand"), StabilityScorer(), TreeScorer(agglomerate(X).hierarchy)):
        assert repr(pickle.loads(pickle.dumps(scorer))) == repr(scorer)


def test_bad_requests_are_refused():
    with pytest.raises(InvalidInputError, match="y must be given; got None"):
        LabelScorer()(MODEL, X)
    with pytest.raises(InvalidInputError, match="measure must be"):
        LabelScorer("robinson_foulds")
    with pytest.raises(InvalidInputError, match="the estimator must have a hierarchy_"):
        StabilityScorer()(KMeans(n_clusters=2, n_init=1), X)
    with pytest.raises(InvalidInputError, match="the estimator must have labels_"):
        LabelScorer()(StandardScaler(), X, Y)
    with pytest.raises(InvalidInputError, match="n_clusters of the estimator must be a whole number from 2 on"):
        StabilityScorer()(HierarchicalClustering(n_clusters=None, height=1.0), X)
