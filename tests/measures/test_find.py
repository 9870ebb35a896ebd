"""Names from elsewhere lead to the measure, the linkage or the index that they mean, and wrong ones to the nearest."""

import math
from itertools import combinations

import numpy as np
import pytest

import dendrometry as dm
from dendrometry import from_newick
from dendrometry._lazy import functions
from dendrometry.cluster import LINKAGES
from dendrometry.errors import InvalidInputError, UnknownNameError
from dendrometry.measures import find
from dendrometry.measures.other_names import OTHER_NAMES
from dendrometry.measures.registry import plain_word

# What people type, from the literature and from packages for phylogenetics, validation, learning and maps; where it
# leads: the call, or its beginning.
TYPED = {
    # phylogenetics: TreeDist, phangorn, ape, Quartet, tqDist, dendextend, ete3, DendroPy
    "RF": "measures.robinson_foulds(a, b)",
    "Robinson Foulds": "measures.robinson_foulds(a, b)",
    "RF distance": "measures.robinson_foulds(a, b)",
    "normalized RF": "measures.normalized_robinson_foulds(a, b)",
    "RF.dist": "measures.robinson_foulds(io.unroot(a), io.unroot(b))",
    "dist.topo": "measures.robinson_foulds(io.unroot(a), io.unroot(b))",
    "unrooted RF": "measures.robinson_foulds(io.unroot(a), io.unroot(b))",
    "wRF": "measures.weighted_robinson_foulds(a, b)",
    "wRF.dist": "measures.weighted_robinson_foulds(io.unroot(a), io.unroot(b))",
    "KF": "measures.branch_score(a, b)",
    "Kuhner Felsenstein distance": "measures.branch_score(a, b)",
    "branch score distance": "measures.branch_score(a, b)",
    "branch length distance": "measures.branch_score(a, b)",
    "KF.dist": "measures.branch_score(io.unroot(a), io.unroot(b))",
    "branch.score.difference": "measures.branch_score(io.unroot(a), io.unroot(b))",
    "path.dist": "measures.path_difference(a, b)",
    "KC distance": "measures.kendall_colijn(a, b)",
    "Kendall-Colijn": "measures.kendall_colijn(a, b)",
    "CID": "measures.clustering_information_distance(a, b)",
    "ClusteringInfoDistance": "measures.clustering_information_distance(a, b)",
    "TreeDistance": "measures.clustering_information_distance(a, b) / (measures.mutual_clustering_information(a, a)",
    "TreeDist": "measures.clustering_information_distance(a, b) / (measures.mutual_clustering_information(a, a)",
    "normalised quartet distance": "comparison.quartets(a, b).steel_penny",
    "dist.dendlist": "pairwise_matrix(trees)",
    "F-measure": "measures.hierarchical_f(a, b)",
    "adjacency": "agglomerate(X, connectivity=adjacency)",
    "TD": "measures.clustering_information_distance(a, b) / (measures.mutual_clustering_information(a, a)",
    "MCI": "measures.mutual_clustering_information(a, b)",
    "SPI": "measures.shared_phylogenetic_information(a, b)",
    "PID": "measures.shared_phylogenetic_information(a, a) + measures.shared_phylogenetic_information(b, b) - 2 *",
    "MSI": "measures.matching_split_information(a, b)",
    "MSID": "measures.matching_split_information(a, a) + measures.matching_split_information(b, b) - 2 *",
    "matching split distance": "measures.matching_cluster(io.unroot(a), io.unroot(b))",
    "triplet distance": "1 - measures.triplet_agreement(a, b)",
    "quartet distance": "comparison.quartets(a, b).steel_penny",
    "tqDist": "comparison.quartets(a, b).steel_penny",
    "QuartetDivergence": "comparison.quartets(a, b).divergence",
    "unweighted_robinson_foulds_distance": "measures.robinson_foulds(a, b)",
    "kc_distance": "measures.kendall_colijn(a, b)",
    "drop.tip": "tree.restrict(items)",
    "cophyloplot": "plot.tanglegram(a, b)",
    "unrooted": "comparison.compare_unrooted(a, b)",
    "MAST": "comparison.largest_common_subtree(a, b)",
    "majority rule consensus": "consensus(trees)",
    "strict consensus": "consensus(trees, threshold=",
    "consensus": "consensus(trees)",
    "FN rate": "1 - measures.cluster_recall(a, b)",
    "clade recall": "measures.cluster_recall(a, b)",
    "bootstrap support": "stability(X)",
    "cophenetic correlation": "measures.cophenetic_correlation(a, b)",
    "cor_bakers_gamma": "measures.baker_correlation(a, b)",
    "entanglement": "plot.entanglement(a, b)",
    "tanglegram": "plot.tanglegram(a)",
    # validation of clusterings: scikit-learn, aricode, genieclust, igraph, CluSim, clustering-mi, mclust, fpc
    "ARI": "measures.adjusted_rand(a, b)",
    "adjustedRandIndex": "measures.adjusted_rand(a, b)",
    "Rand index": "measures.rand(a, b)",
    "AMI": "measures.adjusted_mutual_information(a, b)",
    "NMI": "measures.normalized_mutual_information(a, b)",
    "normalized_mutual_info_score": "measures.v_measure(a, b)",
    "normalised mutual information": "measures.normalized_mutual_information(a, b)",
    "NID": "1 - measures.normalized_mutual_information(a, b)",
    "NVI": "measures.variation_of_information(a, b) / (measures.mutual_information(a, b)",
    "VI": "measures.variation_of_information(a, b)",
    "RMI": "measures.reduced_mutual_information(a, b)",
    "FMI": "measures.fowlkes_mallows(a, b)",
    "Fowlkes Mallows": "measures.fowlkes_mallows(a, b)",
    "Bk": "measures.fowlkes_mallows(a, b)",
    "Jaccard": "measures.jaccard(a, b)",
    "Mirkin": "len(a) * (len(a) - 1) * (1 - measures.rand(a, b))",
    "split-join distance": "2 * len(a) * (1 - measures.van_dongen(a, b))",
    "van Dongen": "measures.van_dongen(a, b)",
    "transfer distance": "len(a) * (1 - measures.classification_accuracy(a, b))",
    "correlation distance": "math.acos(measures.pair_correlation(a, b)) / math.pi",
    "CD": "math.acos(measures.pair_correlation(a, b)) / math.pi",
    "pair correlation": "measures.pair_correlation(a, b)",
    "pairwise F1": "2 * measures.jaccard(a, b) / (1 + measures.jaccard(a, b))",
    "Wallace": "((t := Contingency.of(a, b)).count * (t.count - 1)).sum() / (t.sizes_a",
    "adjusted Wallace": "measures.adjusted_wallace_ab(a, b)",
    "NCA": "measures.normalized_clustering_accuracy(a, b)",
    "PSI": "measures.pair_sets_index(a, b)",
    "element-centric similarity": "measures.element_centric(a, b)",
    "CluSim": "measures.element_centric_hierarchy(a, b)",
    "element-centric consistency": "partition.consistency(levels)",
    "consistency": "partition.consistency(levels)",
    "bcubed": "measures.b_cubed(a, b)",
    "inverse purity": "measures.purity(b, a)",
    "clustering accuracy": "measures.classification_accuracy(a, b)",
    "CH": "quality.score_cuts(tree, X).calinski_harabasz",
    "Davies-Bouldin": "quality.score_cuts(tree, X).davies_bouldin",
    "gap statistic": "quality.gap_statistic(X, build)",
    "cophenet": "quality.cophenetic_fit(tree, X)",
    "Mantel": 'permutation_test(a, b, "cophenetic_correlation")',
    "clustree": "partition.resolutions(levels)",
    "AVI": "measures.adjusted_mutual_information(a, b)",
    "Hubert-Arabie": "measures.adjusted_rand(a, b)",
    "Hubert statistic": "measures.pair_correlation(a, b)",
    "FM_index": "measures.fowlkes_mallows(a, b)",
    "Bk_plot": "plot.stage_curves(stages(a, b))",
    "rogers_tanimoto": "measures.rand(a, b) / (2 - measures.rand(a, b))",
    "p-value": 'permutation_test(a, b, "cophenetic_correlation")',
    "adjusted for chance": "comparison.expected_by_chance(a, b)",
    "cluster.stats": "quality.score_cuts(tree, X)",
    # learning and taxonomies
    "hP": 'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["precision"]',
    "edge precision": 'taxonomy.compare_taxonomies(a, b)["edge_precision"]',
    "FeatureAgglomeration": "agglomerate(X.T)",
    "linkage": "agglomerate(X)",
    "leaves_list": "tree.order.item",
    "MST": 'agglomerate(X, linkage="single")',
    "dendrogram purity": "measures.dendrogram_purity(a, b)",
    "Dasgupta cost": "quality.dasgupta_cost(tree, X)",
    "HAI": "measures.hierarchy_agreement(a, b)",
    "Ancestor-F1": "measures.partial_order_f(a, b)",
    "ancestor f1": "measures.partial_order_f(a, b)",
    "hierarchical F1": 'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["f"]',
    "F-max": 'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["f_max"]',
    "Wu-Palmer similarity": 'taxonomy.compare_taxonomies(a, b)["wu_palmer"]',
    "AgglomerativeClustering": "HierarchicalClustering(",
    "hclust": "agglomerate(X)",
    "cutree": "cut_count(tree, k)",
    "out-of-sample": "cluster.place(tree, X, X_new)",
    "predict": "cluster.place(tree, X, X_new)",
    "place": "cluster.place(tree, X, X_new",
    # linkages
    "UPGMA": 'agglomerate(X, linkage="average")',
    "WPGMA": 'agglomerate(X, linkage="weighted")',
    "single linkage": 'agglomerate(X, linkage="single")',
    "complete link": 'agglomerate(X, linkage="complete")',
    "average": 'agglomerate(X, linkage="average")',
    "centroid": 'agglomerate(X, linkage="centroid")',
    "Ward": 'agglomerate(X, linkage="ward")',
    "Ward's method": 'agglomerate(X, linkage="ward")',
    "nearest neighbor": 'agglomerate(X, linkage="single")',
    # maps and time
    "connectivity": "agglomerate(X, connectivity=adjacency)",
    "regionalisation": "agglomerate(X, connectivity=adjacency)",
    "schc": "agglomerate(X, connectivity=adjacency)",
    "CONISS": "agglomerate(X, connectivity=(len(X),))",
    "min_bound": "agglomerate(X, connectivity=adjacency, min_size=20)",
}

# What is not in the package: the nearest that is.
ABSENT = {
    "BHV": "measures.weighted_robinson_foulds(a, b)",
    "SPR distance": "comparison.largest_common_subtree(a, b)",
    "silhouette": "quality.score_cuts(tree, X).simplified_silhouette",
    "Dunn index": "quality.score_cuts(tree, X)",
    "SMI": "measures.adjusted_mutual_information(a, b)",
    "NF1": "measures.b_cubed(a, b)",
    "triplets_correct": "measures.triplet_recall(a, b)",
    "DBSCAN": "from_labels(labels)",
    "Hopkins": "significance.splits(X)",
    "omega index": "measures.adjusted_rand(a, b)",
    "ward.D": 'agglomerate(X, linkage="ward")',
    "SKATER": "agglomerate(X, connectivity=adjacency)",
    "max-p": "agglomerate(X, connectivity=adjacency, min_size=20)",
}


@pytest.mark.parametrize("word", TYPED)
def test_finds_what_people_type(word):
    assert find(word).call.startswith(TYPED[word]), find(word)
    assert find(word).is_here


@pytest.mark.parametrize("word", ABSENT)
def test_says_what_is_not_in_the_package(word):
    found = find(word)
    assert (found.call, found.is_here) == (ABSENT[word], False)
    assert str(found).startswith(f"not in this package; the nearest: {ABSENT[word]}: ")


@pytest.mark.parametrize("name", dm.MEASURES)
def test_finds_every_measure_by_its_name_its_title_and_its_other_names(name):
    measure = dm.MEASURES[name]
    for word in (name, name.upper(), name.replace("_", " "), *measure.aliases):
        assert (find(word).name, find(word).is_known) == (name, True), word
        assert find(word).aliases == measure.aliases
    titled = find(measure.title)
    assert name in [titled.name, *(each.name for each in titled.others)]


@pytest.mark.parametrize("name", LINKAGES)
def test_finds_every_linkage(name):
    for word in (name, f"{name} linkage", *LINKAGES[name].aliases):
        assert find(word).call == f'agglomerate(X, linkage="{name}")'


def test_finds_every_function():
    for path in functions():
        found = find(path.rpartition(".")[2])
        assert found.is_known
        assert path in [each.call.partition("(")[0] for each in (found, *found.others)]


def test_a_name_of_several_things_leads_to_all_of_them():
    assert [each.call for each in find("ancestor f1").others] == ['taxonomy.compare_taxonomies(a, b)["ancestor_f"]']
    assert [each.call for each in find("NMI").others] == ["measures.v_measure(a, b)"]
    assert "\nor measures.v_measure(a, b): the mutual information over the mean" in str(find("nmi"))
    known = [word for row in OTHER_NAMES for word in row.names if find(word).others]
    assert sorted({plain_word(word) for word in known}) == ["ancestorf", "ancestorf1", "fmeasure", "nmi", "nvi"]


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("recall", {"triplet_recall", "cluster_recall", "b_cubed_recall"}),
        ("precision", {"triplet_precision", "cluster_precision", "b_cubed_precision"}),
        ("information of splits", {"matching_split_information"}),
        ("KC metric", {"kendall_colijn"}),
        ("MCC", {"pair_correlation"}),
        ("Ward hierarchical clustering", {"agglomerate(X)"}),
        ("constrained maximum agreement subtree", {"comparison.largest_common_subtree(a, b)"}),
        ("Bakers gamma", {"baker_correlation"}),
        ("Johnson", {"hierarchy_agreement"}),
    ],
)
def test_words_lead_to_the_names_that_have_them(word, names):
    assert names <= {each.name for each in (find(word), *find(word).others)}
    assert len(find(word).others) <= 5


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("adjusted randd", "adjusted_rand"),
        ("robinson-fouldds", "robinson_foulds"),
        ("fowlks mallow", "fowlkes_mallows"),
        ("mutual clusterng info", "mutual_clustering_information"),
    ],
)
def test_a_wrong_word_is_answered_by_the_nearest(word, name):
    assert (find(word).name, find(word).is_known) == (name, False)
    assert str(find(word)).startswith(f"the nearest name: measures.{name}(a, b): ")


def test_refuses_what_is_near_no_name_and_what_is_no_word():
    lost = r"word must be near a name of a measure, .* got {} \(MEASURES.keys\(\) lists the measures\)"
    for word in ("xqzzzzj", "distance", "the index", "perplexity", "modularity", "t-SNE", "Z"):
        with pytest.raises(UnknownNameError, match=lost.format(word)):
            find(word)
    for word in ("", " -", None, 3):
        with pytest.raises(InvalidInputError, match="word must be text with a letter or a digit; got"):
            find(word)


A = from_newick("((((ape:1,cat:1):1,elk:2):1,(fox:2,jay:2):1):2,(owl:1,yak:1):4);")
B = from_newick("(((ape:2,fox:2):1,(cat:1,elk:1):2):1,((jay:1,yak:1):1,owl:2):2);")
X = np.random.default_rng(0).normal(size=(12, 2))
LABELS = [0, 0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 1, 2]
NAMES = vars(dm.measures) | {name: getattr(dm, name) for name in dm.__all__} | {"math": math, "X": X}
TREE = dm.agglomerate(X).hierarchy
GIVEN = {
    "X_new": X,
    "Z": dm.to_linkage(TREE),
    "k": 2,
    "tree": TREE,
    "trees": [A, B],
    "items": TREE.items[:5],
    "labels": [0, 0, 1],
    "adjacency": np.ones((12, 12)),
    "build": lambda X: dm.agglomerate(X).hierarchy,
}


def value(call, a, b):
    return eval(call, NAMES | GIVEN | {"a": a, "b": b})


@pytest.mark.parametrize(
    "row", [row for row in OTHER_NAMES if "(a, " in row.call or "(b, " in row.call], ids=lambda row: row.names[0]
)
def test_calls_of_two_trees_or_partitions_are_run_as_they_are_printed(row):
    is_partitions = "Contingency" in row.call or any(
        f"measures.{name}(" in row.call for name in dm.measures.PARTITION_MEASURES
    )
    assert value(row.call, *(LABELS if is_partitions else (A, B))) is not None


CALLS = [row.call for row in OTHER_NAMES if "(tree" in row.call or "(X" in row.call or row.call == "from_linkage(Z)"]


@pytest.mark.parametrize(
    "call", sorted({*CALLS} - {call for call in CALLS if "stability" in call or "D," in call or "path" in call})
)
def test_calls_of_one_tree_or_of_points_are_run_as_they_are_printed(call):
    call = call.replace("min_size=20", "min_size=2").replace("n_clusters=8", "n_clusters=2")
    assert value(call.replace("recommend(X)", "recommend(X, n_replicates=6, n_references=19)"), A, B) is not None


def test_calls_that_draw_or_take_other_data_exist():
    for row in OTHER_NAMES:
        target, path = (TREE if row.call.startswith("tree.") else dm), row.call.partition("(")[0].removeprefix("tree.")
        if path.split(".")[0] not in ("", "math", "len") and path[0].isalpha():
            for part in path.split("."):
                target = getattr(target, part)
    assert dm.resampling.Resampling("columns", scales=dm.resampling.MULTISCALE)


def test_formulas_of_pairs_give_what_the_names_mean():
    a, b = LABELS
    pairs = list(combinations(range(7), 2))
    in_a, in_b = ({(i, j) for i, j in pairs if of[i] == of[j]} for of in (a, b))
    expected = {
        "pair recall": len(in_a & in_b) / len(in_a),
        "pair precision": len(in_a & in_b) / len(in_b),
        "pairwise F1": 2 * len(in_a & in_b) / (len(in_a) + len(in_b)),
        "Mirkin metric": 2 * len(in_a ^ in_b),
        "Rogers-Tanimoto": (21 - len(in_a ^ in_b)) / (21 + len(in_a ^ in_b)),
        "Hamann index": (21 - 2 * len(in_a ^ in_b)) / 21,
        "Sokal-Sneath": len(in_a & in_b) / (len(in_a & in_b) + 2 * len(in_a ^ in_b)),
    }
    for word, wanted in expected.items():
        assert value(find(word).call, a, b) == pytest.approx(wanted), word


def test_formulas_of_information_give_what_the_names_mean():
    a, b = LABELS

    def entropy(*labels):
        shares = np.unique(np.stack(labels), axis=1, return_counts=True)[1] / 7
        return -float((shares * np.log(shares)).sum())

    h_a, h_b, both = entropy(a), entropy(b), entropy(a, b)
    shared = h_a + h_b - both
    expected = {
        "entropy": h_a,
        "conditional entropy": h_a - shared,
        "NMI mean": 2 * shared / (h_a + h_b),
        "NMI geometric": shared / math.sqrt(h_a * h_b),
        "NMI min": shared / min(h_a, h_b),
        "NMI joint": shared / both,
        "NID": 1 - shared / max(h_a, h_b),
        "NVI": 1 - shared / both,
        "VI over log n": (both - shared) / math.log(7),
    }
    for word, wanted in expected.items():
        assert value(find(word).call, a, b) == pytest.approx(wanted), word


def test_formulas_of_matched_clusters_give_what_the_names_mean():
    a, b = LABELS  # clusters of 3, 2, 2 and of 2, 4, 1 items; overlaps of 2, 1 | 2 | 1, 1
    expected = {"split-join distance": 14 - (2 + 2 + 1) - (2 + 2 + 1), "transfer distance": 7 - (2 + 2 + 1)}
    expected |= {"normalized van Dongen": 4 / 14, "classification error": 2 / 7, "inverse purity": (2 + 2 + 1) / 7}
    for word, wanted in expected.items():
        assert value(find(word).call, a, b) == pytest.approx(wanted), word


def test_formulas_of_trees_are_0_for_equal_trees_and_those_of_shares_at_most_1():
    for word in ("TD", "PID", "MSID", "MSD", "unrooted RF", "triplet distance", "quartet distance", "FN rate"):
        call = find(word).call
        assert value(call, A, A) == pytest.approx(0.0, abs=1e-12), word
        assert 0.0 < value(call, A, B) <= (1.0 if word in ("TD", "triplet distance", "FN rate") else math.inf), word


def test_scores_of_taxonomies_exist_under_their_names():
    edges = [("bat", "mammal"), ("owl", "bird"), ("mammal", "animal"), ("bird", "animal")]
    found = {
        "taxonomy.score_predictions": dm.taxonomy.score_predictions(["bat"], ["owl"], taxonomy=edges),
        "taxonomy.compare_taxonomies": dm.taxonomy.compare_taxonomies(edges, edges),
    }
    names = [row.call.split("(")[0:1] + row.call.split('"')[1:2] for row in OTHER_NAMES if "[" in row.call]
    assert len(names) == 16
    for function, score in names:
        assert found[function][score] is not None, score
