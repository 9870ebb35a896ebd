"""Names from elsewhere lead to the measure, the linkage or the index that they mean, and wrong ones to the nearest."""

import pytest

import dendrometry as dm
from dendrometry.cluster import LINKAGES
from dendrometry.errors import InvalidInputError, UnknownNameError
from dendrometry.measures import find
from dendrometry.measures.find import _OTHERS


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("cid", "clustering_information_distance"),
        ("ancestor f1", "partial_order_f"),
        ("FMI", "fowlkes_mallows"),
        ("Bk", "fowlkes_mallows"),
        ("wRF", "weighted_robinson_foulds"),
        ("TD", "clustering_information_distance"),
        ("correlation distance", "pair_correlation"),
        ("RMI", "reduced_mutual_information"),
        ("Hierarchical F", "hierarchical_f"),
        ("hierarchical-f", "hierarchical_f"),
    ],
)
def test_finds_a_measure_by_the_names_of_others(word, name):
    assert (find(word).name, find(word).is_known) == (name, True)
    assert find(word).call == f"measures.{name}(a, b)"


@pytest.mark.parametrize("name", dm.MEASURES)
def test_finds_every_measure_by_its_name_its_title_and_its_other_names(name):
    measure = dm.MEASURES[name]
    for word in (name, name.upper(), name.replace("_", " "), measure.title, *measure.aliases):
        assert find(word).name == name, word
        assert find(word).aliases == measure.aliases


@pytest.mark.parametrize(
    ("word", "call"),
    [
        ("UPGMA", 'agglomerate(X, linkage="average")'),
        ("ch", "quality.score_cuts(tree, X).calinski_harabasz"),
        ("cophenet", "quality.cophenetic_fit(tree, X)"),
        ("F-max", 'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["f_max"]'),
        ("wu palmer", 'taxonomy.compare_taxonomies(a, b)["wu_palmer"]'),
        ("KF", "measures.weighted_robinson_foulds(a, b)"),
    ],
)
def test_finds_what_is_no_measure(word, call):
    assert (find(word).call, find(word).is_known) == (call, True)


def test_calls_of_other_names_exist():
    known = {name for name in dm.quality.CutScores.__annotations__}
    for _, call, _ in _OTHERS:
        path, _, rest = call.partition("(")
        target = dm
        for part in path.split("."):
            target = getattr(target, part)
        assert callable(target)
        if "linkage" in rest:
            assert rest.split('"')[1] in LINKAGES
        if ")." in rest:
            assert rest.rpartition(".")[2] in known


def test_no_name_stands_for_two_things():
    words = [word for words, _, _ in _OTHERS for word in words]
    assert len({word.lower() for word in words}) == len(words)
    assert not {find(word).name for word in words} & {*dm.MEASURES}


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("adjusted randd", "adjusted_rand"),
        ("robinson-fouldds", "robinson_foulds"),
        ("mutual clusterng info", "mutual_clustering_information"),
    ],
)
def test_a_wrong_word_is_answered_by_the_nearest(word, name):
    assert (find(word).name, find(word).is_known) == (name, False)
    assert str(find(word)).startswith(f"the nearest name: measures.{name}(a, b): ")


def test_refuses_what_is_near_no_name_and_what_is_no_word():
    with pytest.raises(UnknownNameError, match="word must be near a name of a measure, a linkage or an index; got xq"):
        find("xqzzzzj")
    for word in ("", " -", None, 3):
        with pytest.raises(InvalidInputError, match="word must be text with a letter or a digit; got"):
            find(word)


def test_scores_of_taxonomies_exist_under_their_names():
    edges = [("bat", "mammal"), ("owl", "bird"), ("mammal", "animal"), ("bird", "animal")]
    found = {
        "taxonomy.score_predictions": dm.taxonomy.score_predictions(["bat"], ["owl"], taxonomy=edges),
        "taxonomy.compare_taxonomies": dm.taxonomy.compare_taxonomies(edges, edges),
    }
    names = [call.split("(")[0:1] + call.split('"')[1:2] for _, call, _ in _OTHERS if call.startswith("taxonomy.")]
    assert len(names) == 7
    for function, score in names:
        assert found[function][score] is not None, score
