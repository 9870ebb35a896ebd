"""Numbers of other packages for the same trees, with the lines that printed them.

R 4.2.2 with ape 5.7-1, phangorn 2.11.1 and dendextend 1.16.0, and ``options(digits = 17)``; tqDist 1.0 from the Python
Package Index; TreeDist 2.14.1.9001, whose numbers ``trees/peers/make.py`` records, and numbers that it and its tests
publish. Where a package computes something else than its name says, the definition decides, and the test says what it
computes.
"""

import json
from math import comb, log, sqrt
from pathlib import Path

import numpy as np
import pytest

import dendrometry as dm
from dendrometry import measures
from dendrometry.comparison import largest_common_subtree
from dendrometry.plot import entanglement
from tests.oracles.measures.trees.resolved_triples import resolved
from tests.oracles.sets.trees import plain

# library(ape); library(phangorn); library(dendextend)
# a <- read.tree(text = A); b <- read.tree(text = B); tips <- sort(a$tip.label)
# p <- as.dendrogram(as.hclust(a)); q <- as.dendrogram(as.hclust(b))
A = "((((A:1,B:1):1,(C:1.5,D:1.5):0.5):2,(E:2.5,F:2.5):1.5):4,((G:3,H:3):2,(I:3.5,(J:0.5,K:0.5):3):1.5):3);"
B = "(((((A:0.5,C:0.5):1.5,B:2):3,(E:3,(F:1,D:1):2):2):1,(G:2.25,H:2.25):3.75):3,(I:4,(J:1.5,K:1.5):2.5):5);"
a, b = dm.from_newick(A), dm.from_newick(B)

TREEDIST = json.loads((Path(__file__).parent / "trees" / "peers" / "numbers.json").read_text())["cases"]

# The same trees without lengths, whose children stay in the order of the text, as those of p and q are.
FLAT_A, FLAT_B = "((((A,B),(C,D)),(E,F)),((G,H),(I,(J,K))));", "(((((A,C),B),(E,(F,D))),(G,H)),(I,(J,K)));"

# x <- as.dist(cophenetic(a)[tips, tips]) / 2; y <- as.dist(cophenetic(b)[tips, tips]) / 2
VALUES = {
    "robinson_foulds": 10,  # RF.dist(a, b, rooted = TRUE); treedist(a, b) and RF.dist(a, b) unroot the trees: 8
    "normalized_robinson_foulds": 0.55555555555555558,  # RF.dist(a, b, rooted = TRUE, normalize = TRUE)
    "weighted_robinson_foulds": 37.25,  # wRF.dist(a, b, rooted = TRUE)
    "cophenetic_distance": 1.6590909090909092,  # mean(abs(x - y))
    "cophenetic_lp": 1.9716744153130354,  # sqrt(mean((x - y)^2))
    "cophenetic_l_infinity": 4,  # max(abs(x - y))
    "cophenetic_correlation": 0.71605825655711031,  # cor_cophenetic(p, q)
    "baker_correlation": 0.7460291172509822,  # cor_bakers_gamma(p, q)
    "kendall_tau_b": 0.630047732261244,  # cor(x, y, method = "kendall")
    # steps <- function(t) { t$edge.length <- rep(1, nrow(t$edge)); as.dist(cophenetic(t)[tips, tips]) }
    "path_difference": 8.4852813742385695,  # sqrt(sum((steps(a) - steps(b))^2))
    # below <- function(t) { t$edge.length <- rep(1, nrow(t$edge))
    #   m <- mrca(t)[tips, tips]; m[] <- node.depth.edgelength(t)[m]; as.dist(m) }
    "kendall_colijn": 6.8556546004010439,  # sqrt(sum((below(a) - below(b))^2))
}


@pytest.mark.parametrize("name", VALUES)
def test_measures_equal_ape_phangorn_and_dendextend(name):
    assert dm.MEASURES[name].call(a, b) == pytest.approx(VALUES[name], rel=1e-14)


def test_fowlkes_mallows_equals_dendextend_at_every_number_of_clusters():
    # unlist(Bk(p, q, k = 2:10)), FM_index(cutree(p, 4)[tips], cutree(q, 4)[tips])
    first = [0.68250014770174461, 1, 0.7627700713964739, 0.70710678118654757, 0.57735026918962584]
    rest = [0.67612340378281321, 0.33333333333333331, 0, 0]
    assert dm.stages(a, b).fowlkes_mallows == pytest.approx(first + rest, rel=1e-14)
    labels = [dm.cut_count(tree, 4) for tree in (a, b)]
    found = [dict(zip(cut.items, cut.labels.tolist(), strict=True)) for cut in labels]
    assert dm.fowlkes_mallows(*([cut[name] for name in a.items] for cut in found)) == pytest.approx(first[2], rel=1e-14)


@pytest.mark.parametrize(
    ("power", "value"), [(1.5, 0.042797739024586286), (2, 0.018181818181818181), (1, 0.10000000000000001)]
)
def test_entanglement_equals_dendextend(power, value):
    # entanglement(p, q), entanglement(p, q, L = 2), entanglement(p, q, L = 1)
    assert entanglement(*map(dm.from_newick, (FLAT_A, FLAT_B)), power=power) == pytest.approx(value, rel=1e-12)


def test_ties_are_no_order_of_merges():
    """Spearman's correlation gives tied merges the same rank; dendextend numbers them, so that one comes first."""
    # b <- read.tree(text = tied); cor_cophenetic(p, q, method_coef = "spearman"); cor_bakers_gamma(p, q) is 0.97244...
    tied = "((((A:0.5,C:0.5):1.5,B:2):3,(E:3,(F:1,D:1):2):2):4,((G:2,H:2):4.5,(I:4,(J:1.5,K:1.5):2.5):2.5):2.5);"
    assert dm.baker_correlation(a, dm.from_newick(tied)) == pytest.approx(0.97296323854997446, rel=1e-14)


def test_path_difference_of_trees_without_a_root_equals_phangorn():
    """phangorn takes the root of two branches away. With three branches at the root, nothing is to be taken away."""
    # path.dist(a, b) is 7.348... for the trees above, as treedist(a, b) says; for these two:
    first = dm.from_newick("(((A,B),(C,D)),((E,F),G),(H,(I,(J,K))));")
    second = dm.from_newick("(((A,C),(B,D)),((E,G),F),((H,J),(I,K)));")
    assert measures.path_difference(first, second) == pytest.approx(8.1240384046359608, rel=1e-14)
    assert measures.robinson_foulds(first, second) == 10  # RF.dist(first, second)


def test_branch_score_equals_dendropy_and_scikit_bio():
    """The same of both: DendroPy 5.1.3 by trees read with rooting="force-rooted" and "force-unrooted"."""
    # dendropy.calculate.treecompare.euclidean_distance(a, b); a.compare_wrfd(b, "euclidean", rooted=...) of skbio 0.7.4
    assert measures.branch_score(a, b) == pytest.approx(8.814051281902097, rel=1e-14)
    assert measures.branch_score(dm.io.unroot(a), dm.io.unroot(b)) == pytest.approx(10.80219885023415, rel=1e-14)


def test_branch_score_equals_phangorn():
    # KF.dist(first, other), as the tests of phangorn record it
    first = dm.io.unroot(dm.from_newick("(t5:1.0,(t4:1.0,t3:1.0):1.0,(t1:1.0,t2:1.0):1.0);"))
    others = {
        "(t5:1.0,(t4:1.0,t3:1.0):1.0,(t1:1.0,t2:1.0):1.0);": 0.0,
        "(t4:1.0,(t5:1.0,t3:1.0):1.0,(t1:1.0,t2:1.0):1.0);": 2.0,
        "(t5:1.0,t4:1.0,t3:1.0,(t1:1.0,t2:1.0):1.0);": 1.0,
    }
    for text, square in others.items():
        assert measures.branch_score(first, dm.io.unroot(dm.from_newick(text))) == sqrt(square)


def test_kendall_colijn_with_lengths_equals_the_formula_in_ape():
    # far <- function(t) { m <- mrca(t)[tips, tips]; m[] <- node.depth.edgelength(t)[m]; as.dist(m) }
    # ends <- function(t) t$edge.length[match(match(tips, t$tip.label), t$edge[, 2])]
    # sqrt(sum((far(a) - far(b))^2) + sum((ends(a) - ends(b))^2))
    assert measures.kendall_colijn(a, b, weight=1.0) == pytest.approx(14.686303142724515, rel=1e-14)


def test_kendall_colijn_equals_treespace():
    # treespace::treeDist(sym, ...), as the tests of TreeDist record it
    sym = dm.from_newick("((e,(f,(g,h))),(((a,b),c),d));")
    others = {
        "(((e,f),(g,h)),((a,b),(c,d)));": 2.828427,
        "(((a,f),(c,h)),((g,b),(e,d)));": 7.211103,
        "((((h,g),f),e),(d,(c,(b,a))));": 0.0,
        "((((e,c),g),a),(h,(b,(d,f))));": 8.0,
        "((a,b),(c,d,e,f,g,h));": 5.291503,
        "((a,b,c),(d,e,f,g,h));": 4.358899,
        "((a,b,c,d),(e,f,g,h));": 3.464102,
        "(((a,b),c,d),(e,f,g,h));": 3.0,
    }
    found = [measures.kendall_colijn(sym, dm.from_newick(text)) for text in others]
    assert found == pytest.approx(list(others.values()), abs=1e-6)


def test_mutual_clustering_information_equals_treedist():
    """TreeDist splits the items at every branch of a tree without a root, and counts in bits."""
    # MutualClusteringInfo(AtoJ, swapAJ) of its vignette "Generalized Robinson-Foulds distances"
    found = measures.mutual_clustering_information(
        dm.from_newick("((((A,B),C),D),E,(F,(G,(H,(I,J)))));"), dm.from_newick("((((J,B),C),D),E,(F,(G,(H,(I,A)))));")
    )
    assert found / log(2) == pytest.approx(1.348339, abs=1e-6)


@pytest.mark.parametrize(
    "name",
    [
        "shared_phylogenetic_information",
        "matching_split_information",
        "mutual_clustering_information",
        "clustering_information_distance",
    ],
)
def test_information_equals_treedist(name):
    """Of 30 pairs of 8 to 50 leaves, two thirds with polytomies; all roots have three branches or more."""
    for case in TREEDIST:
        found = dm.MEASURES[name].call(dm.from_newick(case["first"]), dm.from_newick(case["second"]))
        assert found / log(2) == pytest.approx(case[name], abs=1e-10)
        first, second = (dm.io.unroot(with_root_of_two(dm.from_newick(case[each]))) for each in ("first", "second"))
        assert dm.MEASURES[name].call(first, second) / log(2) == pytest.approx(case[name], abs=1e-10)


def with_root_of_two(tree):
    """The same tree without a root, with a new one in the branch above the largest child of the old."""
    parent = tree.parent.copy()
    largest = int(np.where(parent == tree.root, tree.sizes, 0).argmax())
    parent[[largest, tree.root]] = tree.n_nodes
    return dm.from_parents([*parent, -1], tree.item_node, None, tree.items)


def test_matching_of_splits_equals_treedist():
    """TreeDist leaves splits without a partner out; the definition adds their smaller sides."""
    n_equal = 0
    for case in TREEDIST:
        first, second = (dm.io.unroot(dm.from_newick(case[each])) for each in ("first", "second"))
        if first.n_splits == second.n_splits:
            n_equal += 1
            assert measures.matching_cluster(first, second) == case["matching_cluster"]
    assert n_equal > 10


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        (FLAT_A, FLAT_B, 46 / 165),
        ("(A,(B,(C,(D,(E,(F,(G,(H,(I,J)))))))));", "(J,(B,(E,(D,(C,(A,(I,(H,(G,F)))))))));", 0.625),
        ("((A,B,C),(D,(E,F)),G);", "(((A,B),D),(C,E,(F,G)));", 0.7714285714285715),
        ("((A,B),(C,D),(E,F),(G,H));", "((A,C),(B,D),(E,F,G,H));", 0.7142857142857143),
    ],
)
def test_triplets_equal_tqdist(first, second, value):
    """tqDist counts the triples that the trees do not treat alike: those resolved in one tree only are among them."""
    # tqdist.triplet_distance(first, second)
    trees = dm.from_newick(first), dm.from_newick(second)
    n = trees[0].n_items
    in_a, in_b = (resolved(plain(tree, trees[0].items)) for tree in trees)
    in_both = len({two | {third} for two, third in in_a} & {two | {third} for two, third in in_b})
    assert (len(in_a) + len(in_b) - in_both - len(in_a & in_b)) / comb(n, 3) == pytest.approx(value, rel=1e-14)
    assert measures.triplet_recall(*trees) == len(in_a & in_b) / len(in_a)
    if len(in_a) == len(in_b) == comb(n, 3):
        assert 1.0 - measures.triplet_agreement(*trees) == pytest.approx(value, rel=1e-14)


def test_the_largest_common_subtree_is_as_large_as_that_of_phangorn():
    # mast(a, b, tree = FALSE, rooted = TRUE): B C E F I J K
    assert len(largest_common_subtree(a, b).kept) == 7
