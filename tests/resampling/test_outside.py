"""Support against the R packages pvclust 2.2.0 and fpc 2.2.10; the lines of R are in the comments."""

import numpy as np
import pytest

from dendrometry import agglomerate, cut_count, from_labels, stability
from dendrometry.resampling import MULTISCALE, Resampling, stability_of_trees
from dendrometry.resampling.multiscale import fit_multiscale

# data(Boston, package="MASS"); set.seed(1); b <- pvclust(Boston, nboot=100); b$r; b$count; b$edges
BOSTON_SCALES = np.array([253, 303, 354, 404, 455, 506, 556, 607, 657, 708]) / 506
BOSTON_COUNTS = """
100 100 100 100 100 100 100 100 100 100
83 91 89 89 96 93 95 98 96 98
87 87 93 89 86 95 89 93 89 96
57 66 71 65 60 75 73 76 72 78
69 67 77 70 69 81 80 81 78 84
100 99 100 100 100 100 100 100 100 100
81 75 83 83 82 87 94 87 95 95
94 95 99 98 98 100 100 99 100 100
82 75 72 73 71 79 80 77 83 80
"""
BOSTON_AU_BP = """
1 1 0 0
0.9740953880 0.9445747487 0.02291723451 0.008291479708
0.7614202692 0.9058989705 0.10460646631 0.010037123212
0.8263931490 0.7085844594 0.06538866118 0.015135601004
0.8348345132 0.7701806399 0.06615721900 0.014097233160
1 1 0 0
0.9450630869 0.8812067954 0.03545517477 0.011481077844
0.9863757187 0.9870071822 0.02815282179 0.006415501519
0.6244567474 0.7734124489 0.10466279855 0.013909690629
"""

# X <- as.matrix(read.csv(...)); set.seed(2)
# pvclust(t(X), method.dist="euclidean", method.hclust="average", nboot=10000)$edges
SMALL = """
0.00,0.30,-0.27,-0.89,-0.45,-0.99,0.06,1.34,-0.49,-0.62,0.49,0.36
0.11,-0.93,-0.03,0.70,-1.34,-0.46,-1.90,-1.29,-1.84,-0.24,-1.27,0.27
0.16,-0.19,-2.52,-0.54,-0.05,0.11,-1.53,-0.48,-0.98,-0.81,1.06,-0.81
-0.24,0.64,0.26,0.51,-1.13,-0.03,-1.18,-1.19,1.67,-2.58,2.03,0.35
-0.85,1.75,1.61,-0.58,-1.17,0.48,-0.15,-0.58,0.25,-0.36,2.61,-0.44
-0.01,-0.71,0.97,-0.56,-1.82,-0.29,0.94,-0.12,-1.01,-1.82,1.81,-1.76
-0.89,-0.59,2.94,1.94,-2.81,-0.56,-0.17,-1.01,0.20,-2.36,2.69,0.34
-0.62,-1.61,1.67,0.80,-1.31,0.46,0.06,-1.86,0.28,-1.01,2.33,1.05
-1.71,-0.15,-0.00,-0.79,-2.79,-1.09,0.25,-0.29,-0.21,-2.68,2.54,0.96
"""
SMALL_AU = [0.9461014697, 0.8899276799, 0.8362144868, 0.7162485698, 0.7829146316, 0.9029672763, 0.9308136467]
SMALL_BP = [0.44691829583, 0.27030862715, 0.42064966233, 0.23746838644, 0.09857550815, 0.31357262241, 0.32919522932]

# set.seed(4); clusterboot(Y, B=6, bootmethod="boot", clustermethod=hclustCBI, k=3, method="complete", scaling=FALSE)
# set.seed(4); for (i in 1:6) print(sort(unique(sample(30, 30, TRUE))) - 1)
FLAT = """
-1.74 -1.34 -1.36 -0.35 -2.31 -0.19 -0.96 0.89 0.96 1.39 0.77 -0.05 0.86 1.51 -0.65 0.61 -0.04 1.44 -0.84 -0.30
3.36 0.26 1.36 0.36 2.88 -0.24 2.84 0.22 1.18 1.55 2.14 -2.24 2.92 1.46 2.48 1.55 4.56 -0.86 0.53 -1.24
1.19 2.18 -1.51 1.66 0.00 2.97 0.87 3.99 -0.93 2.84 -1.13 3.07 -1.15 1.80 2.12 3.03 0.64 5.54 0.79 2.89
"""
DRAWS = """
0 1 2 4 5 6 10 11 12 14 15 18 19 20 21 23 25 26 28 29
0 4 8 10 11 12 13 14 15 16 17 19 20 21 23 26 27 28 29
1 2 3 4 7 9 10 12 13 15 16 19 20 21 22 23 25 26 29
0 1 3 4 6 7 9 10 11 12 13 14 15 17 19 20 25 26 28 29
2 3 4 7 8 12 14 16 18 19 21 22 23 24 25 27
1 4 6 7 8 9 10 11 12 13 14 16 17 18 20 23 24 25 27 29
"""
JACCARDS = [
    [1.0, 0.4166666667, 0.7272727273, 0.4545454545, 0.7500000000, 0.4615384615],
    [1.0, 0.6000000000, 0.8333333333, 0.6000000000, 0.3333333333, 0.5714285714],
]


def numbers(text):
    return np.array([[float(x) for x in line.replace(",", " ").split()] for line in text.strip().splitlines()])


def test_the_fit_is_that_of_pvclust_on_its_published_example():
    fitted = fit_multiscale(numbers(BOSTON_COUNTS).T / 100, BOSTON_SCALES, np.full(10, 100.0))
    ours = np.column_stack([fitted.au, fitted.bp, fitted.au_error, fitted.bp_error])
    np.testing.assert_allclose(ours, numbers(BOSTON_AU_BP), rtol=1e-8)


@pytest.mark.further
def test_probabilities_are_those_of_pvclust_up_to_chance():
    X = numbers(SMALL)
    plan = Resampling("columns", scales=MULTISCALE)
    found = stability(X, linkage="average", resample=plan, n_replicates=200, n_references=0).support
    nodes = np.arange(9, 16)  # the merges in the order of R
    assert (np.abs(found.bp[nodes] - SMALL_BP) < 4 * found.bp_error[nodes]).all()
    assert (np.abs(found.au[nodes] - SMALL_AU) < 4 * found.au_error[nodes]).all()


def test_jaccard_indices_are_those_of_clusterboot():
    Y = numbers(FLAT).reshape(30, 2)

    def flat(rows):
        tree = agglomerate(Y[rows], linkage="complete", item_names=[str(i) for i in rows]).hierarchy
        return from_labels(cut_count(tree, 3).labels, item_names=tree.items)

    draws = [[int(i) for i in line.split()] for line in DRAWS.strip().splitlines()]
    tree = flat(range(30))
    found = stability_of_trees(tree, [flat(rows) for rows in draws])
    largest = np.argsort(-tree.sizes)[1:3]  # of the third, some draws hold one item
    np.testing.assert_allclose(found.support.jaccard[largest], np.mean(JACCARDS, axis=1), rtol=1e-9)
