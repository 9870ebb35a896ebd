"""Every measure as a scorer of scikit-learn."""

import numpy as np
import pytest

from dendrometry.measures.registry import MEASURES, PARTITION_MEASURES

sklearn_metrics = pytest.importorskip("sklearn.metrics")


@pytest.mark.parametrize("name", PARTITION_MEASURES)
def test_works_as_a_scorer_in_a_grid_search_and_in_cross_validation(name):
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(center, 0.3, (21, 2)) for center in (0, 3, 6)])
    labels = np.repeat(["x", "y", "z"], 21)
    measure = MEASURES[name]
    options = {"max_clusters": 3} if measure.needs_bound else {}
    scorer = sklearn_metrics.make_scorer(measure.call, greater_is_better=measure.kind != "distance", **options)
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 30]}, scoring=scorer, cv=3).fit(points, labels)
    expected = measure.call(labels, search.predict(points), **options)
    assert abs(search.score(points, labels)) == expected
    scores = cross_val_score(KNeighborsClassifier(3), points, labels, scoring=scorer, cv=3)
    assert np.abs(scores) == pytest.approx(measure.call(labels[::3], labels[::3], **options))


def test_scores_a_clustering_without_training_labels():
    from sklearn.cluster import KMeans

    points = np.array([[0.0], [0.1], [5.0], [5.1]])
    scorer = sklearn_metrics.make_scorer(MEASURES["split_merge"].call)
    model = KMeans(2, n_init=1, random_state=0).fit(points)
    assert scorer(model, points, [0, 0, 1, 1]) == 1.0


def test_a_model_that_cannot_predict_is_searched_by_its_fitted_labels():
    from sklearn.model_selection import GridSearchCV

    from dendrometry import HierarchicalClustering

    points, truth = np.array([[0.0], [0.1], [5.0], [5.1]]), [0, 0, 1, 1]
    everything = [(np.arange(4), np.arange(4))]
    search = GridSearchCV(
        HierarchicalClustering(),
        {"n_clusters": [1, 2, 3]},
        scoring=lambda model, _, labels: MEASURES["split_merge"].call(labels, model.labels_),
        cv=everything,
    ).fit(points, truth)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_params_ == {"n_clusters": 2}
