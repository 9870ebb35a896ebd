"""Other names: what names from elsewhere stand for, where that is not a measure, a linkage or a function by itself.

The names of a measure, or of 1 minus it, are in its record; those of a linkage in its rule.
"""

from typing import NamedTuple


class OtherName(NamedTuple):
    """Names that people use, the call that they stand for, and what it is.

    What is not in this package (``is_here`` is False) has the nearest call, and what that differs in.
    """

    names: tuple[str, ...]
    call: str
    meaning: str
    is_here: bool = True


_BUILD = (
    OtherName(
        (
            "hierarchical clustering",
            "HAC",
            "HCA",
            "AGNES",
            "hclust",
            "fastcluster",
            "linkage",
            "nearest-neighbour chain",
        ),
        "agglomerate(X)",
        "a tree of points, built from the bottom up",
    ),
    OtherName(
        ("AgglomerativeClustering",),
        "HierarchicalClustering(n_clusters=8)",
        "the estimator: clusters of a tree built from the bottom up",
    ),
    OtherName(("BisectingKMeans", "bisecting k-means"), "cluster.bisect(X)", "a tree from the top down, by k-means"),
    OtherName(("PDDP",), "cluster.principal_direction(X)", "a tree from the top down, by principal directions"),
    OtherName(
        (
            "connectivity",
            "contiguity constraint",
            "spatially constrained clustering",
            "schc",
            "constr.hclust",
            "spatial clustering",
            "spatial weights",
            "queen contiguity",
            "kneighbors_graph",
            "kNN graph",
            "regionalization",
            "grid_to_graph",
        ),
        "agglomerate(X, connectivity=adjacency)",
        "a tree of adjacent clusters only, on a map, in an image or in time",
    ),
    OtherName(
        (
            "CONISS",
            "chclust",
            "adjclust",
            "stratigraphically constrained",
            "temporal connectivity",
            "time series segmentation",
        ),
        "agglomerate(X, connectivity=(len(X),))",
        "a tree of items in their order, of which only neighbours merge",
    ),
    OtherName(
        ("minimum cluster size", "min_bound", "floor of regions"),
        "agglomerate(X, connectivity=adjacency, min_size=20)",
        "a tree of adjacent clusters, each with a least size, or with item_size a least sum",
    ),
    OtherName(
        ("max-p", "max-p regions"),
        "agglomerate(X, connectivity=adjacency, min_size=20)",
        "a tree of adjacent clusters with a least size or sum each, of which max-p looks for the largest number",
        is_here=False,
    ),
    OtherName(
        ("SKATER", "REDCAP", "ClustGeo", "AZP", "p-regions"),
        "agglomerate(X, connectivity=adjacency)",
        "a tree of adjacent clusters, built from the bottom up; its cuts give regions",
        is_here=False,
    ),
    OtherName(
        ("ward.D",),
        'agglomerate(X, linkage="ward")',
        'ward.D2 of R; its "ward.D" does not square the distances',
        is_here=False,
    ),
    OtherName(
        ("predict", "approximate_predict", "out-of-sample", "assign new items", "new items"),
        "cluster.place(tree, X, X_new)",
        "where new items belong in a tree; for clusters, HierarchicalClustering(...).predict(X_new)",
    ),
    OtherName(
        ("linkage matrix", "to_tree"),
        "from_linkage(Z)",
        "a tree from SciPy's table of merges; to_linkage is the inverse",
    ),
    OtherName(("leaves_list",), "tree.order.item", "the items in the order of drawing"),
    OtherName(("is_monotonic",), "tree.is_monotone", "whether no node is lower than one below it"),
    OtherName(("drop.tip", "keep.tip", "prune"), "tree.restrict(items)", "the tree of some of the items"),
    OtherName(("FeatureAgglomeration",), "agglomerate(X.T)", "a tree of the columns of points"),
    OtherName(
        ("minimum spanning tree", "MST"),
        'agglomerate(X, linkage="single")',
        "the tree whose merges are the edges of a minimum spanning tree",
    ),
    OtherName(
        ("k-means", "DBSCAN", "OPTICS", "BIRCH", "Leiden", "Louvain", "spectral clustering"),
        "from_labels(labels)",
        "a flat clustering made elsewhere, to be compared here",
        is_here=False,
    ),
    OtherName(("convert", "export"), "write(tree, path)", "writes a tree in the format that the path ends in"),
    OtherName(("HDBSCAN",), "io.from_hdbscan(model)", "the tree of a fitted HDBSCAN, to be cut and compared here"),
    OtherName(("cutree", "fcluster", "cut_tree"), "cut_count(tree, k)", "the clusters of a tree cut into k"),
    OtherName(
        ("dynamicTreeCut", "cutreeDynamic", "cutreeHybrid", "WGCNA"),
        "cut.cut_dynamic_hybrid(tree, D, min_size=20)",
        "the clusters of a dynamic tree cut of R's package dynamicTreeCut",
    ),
    OtherName(
        ("EOM", "excess of mass"),
        "cut.cut_excess_of_mass(tree, min_size=20)",
        "the clusters with the largest excess of mass, as in HDBSCAN",
    ),
)

_CHECK = (
    OtherName(
        ("CH", "calinski_harabasz", "calinski_harabasz_score", "variance ratio criterion", "pseudo F"),
        "quality.score_cuts(tree, X).calinski_harabasz",
        "the index of Calinski and Harabasz of every cut of a tree",
    ),
    OtherName(
        ("DB", "davies_bouldin", "davies_bouldin_score"),
        "quality.score_cuts(tree, X).davies_bouldin",
        "the index of Davies and Bouldin of every cut of a tree",
    ),
    OtherName(
        ("silhouette", "silhouette_score", "ASW", "silhouette width"),
        "quality.score_cuts(tree, X).simplified_silhouette",
        "the simplified silhouette of every cut of a tree, by distances from centres and not from items",
        is_here=False,
    ),
    OtherName(
        ("simplified silhouette",), "quality.score_cuts(tree, X).simplified_silhouette", "of every cut of a tree"
    ),
    OtherName(
        ("inertia", "WCSS", "within-cluster sum of squares", "WSS"),
        "quality.score_cuts(tree, X).within_squares",
        "the sum of squares within the clusters of every cut of a tree",
    ),
    OtherName(
        ("Dunn index", "Xie-Beni", "S_Dbw", "DBCV", "C-index", "Ratkowsky-Lance", "McClain-Rao", "Baker-Hubert gamma"),
        "quality.score_cuts(tree, X)",
        "three other indices of compact and separate clusters",
        is_here=False,
    ),
    OtherName(
        ("internal validation", "cluster.stats", "clusterCrit", "clValid"),
        "quality.score_cuts(tree, X)",
        "indices of compact and separate clusters, of every cut of a tree",
    ),
    OtherName(
        ("Hopkins statistic", "cluster tendency", "clusterability"),
        "significance.splits(X)",
        "a test of every split of a tree, the first of which says whether there are groups at all",
        is_here=False,
    ),
    OtherName(("gap", "clusGap"), "quality.gap_statistic(X, build)", "the gap statistic of every number of clusters"),
    OtherName(
        ("NbClust", "elbow", "number of clusters", "best k"),
        "recommend(X)",
        "one recommendation of a number of clusters, with the rules that agree",
    ),
    OtherName(
        ("cophenet", "CPCC", "cophenetic correlation coefficient", "cophenetic correlation with the data"),
        "quality.cophenetic_fit(tree, X)",
        "the correlation of the cophenetic distances of a tree with the distances of its data",
    ),
    OtherName(
        ("Dasgupta's cost", "Moseley-Wang revenue"),
        "quality.dasgupta_cost(tree, X)",
        "the cost of a tree on points by Dasgupta, and its revenue by Moseley and Wang",
    ),
    OtherName(
        ("clusterboot", "bootstrap support", "cluster stability", "Jaccard stability", "robustness", "subsampling"),
        "stability(X)",
        "how stable the clusters of a tree are, if its data are drawn again",
    ),
    OtherName(
        ("pvclust", "AU p-value", "multiscale bootstrap"),
        'stability(X, resample=resampling.Resampling("columns", scales=resampling.MULTISCALE))',
        "the approximately unbiased probability of the clusters of a tree, by drawing columns",
    ),
    OtherName(
        ("prediction strength",),
        "stability(X)",
        "how well the clusters of data drawn again agree, at every number of clusters",
        is_here=False,
    ),
    OtherName(
        ("consensus matrix", "co-association matrix", "ConsensusClusterPlus", "consensus clustering"),
        "resampling.co_membership(stability(X), n_clusters)",
        "for each two items, the share of replicates in which they are in one cluster",
    ),
    OtherName(
        ("ECC", "element-centric consistency", "element_consistency", "ClustAssess"),
        "partition.consistency(levels)",
        "how consistently many clusterings place each item",
    ),
    OtherName(("clustree",), "partition.resolutions(levels)", "how clusterings at several resolutions relate"),
    OtherName(
        ("Mantel test", "p-value", "significance test", "randomization test"),
        'permutation_test(a, b, "cophenetic_correlation")',
        "the p-value of a measure over random relabellings; that of Mantel for the cophenetic correlation",
    ),
    OtherName(
        ("chance level", "adjusted for chance", "null model"),
        "comparison.expected_by_chance(a, b)",
        "the mean of a measure over all relabellings, and the value adjusted by it",
    ),
    OtherName(("sigclust", "SHC"), "significance.splits(X)", "a test of every split of a tree"),
)

_TREES = (
    OtherName(
        ("TreeDistance", "TD", "normalized clustering information distance"),
        "measures.clustering_information_distance(a, b) / (measures.mutual_clustering_information(a, a)"
        " + measures.mutual_clustering_information(b, b))",
        "the clustering information distance over its maximum, 0 to 1; R's TreeDist takes unrooted trees, io.unroot(a)",
    ),
    OtherName(
        ("PID", "PhylogeneticInfoDistance", "phylogenetic information distance", "DifferentPhylogeneticInfo"),
        "measures.shared_phylogenetic_information(a, a) + measures.shared_phylogenetic_information(b, b)"
        " - 2 * measures.shared_phylogenetic_information(a, b)",
        "the phylogenetic information that two trees do not share, in nats",
    ),
    OtherName(
        ("MSID", "MatchingSplitInfoDistance", "matching split information distance"),
        "measures.matching_split_information(a, a) + measures.matching_split_information(b, b)"
        " - 2 * measures.matching_split_information(a, b)",
        "the information that matched splits of two trees do not share, in nats",
    ),
    OtherName(
        ("MSD", "MatchingSplitDistance", "matching split distance"),
        "measures.matching_cluster(io.unroot(a), io.unroot(b))",
        "by how many items the splits of unrooted trees differ, matched one to one",
    ),
    OtherName(
        ("unrooted Robinson-Foulds", "unrooted RF", "RF.dist", "dist.topo", "PH85", "Penny-Hendy distance"),
        "measures.robinson_foulds(io.unroot(a), io.unroot(b))",
        "the number of splits that only one of two unrooted trees has",
    ),
    OtherName(
        ("wRF.dist",),
        "measures.weighted_robinson_foulds(io.unroot(a), io.unroot(b))",
        "how much the branches of two unrooted trees differ in length",
    ),
    OtherName(
        ("unrooted", "unrooted trees", "bipartitions"),
        "comparison.compare_unrooted(a, b)",
        "all measures of two trees without roots, by splits and quartets; io.unroot(tree) for a single measure",
    ),
    OtherName(
        ("triplet distance", "triples distance", "triplet_dist"),
        "1 - measures.triplet_agreement(a, b)",
        "of two binary trees the share of triples that they resolve differently; tqDist counts them",
    ),
    OtherName(
        ("quartet distance", "quartet_dist", "tqDist", "Steel-Penny"),
        "comparison.quartets(a, b).steel_penny",
        "the share of quartets that are not resolved alike; times their number n (n-1) (n-2) (n-3) / 24, the count",
    ),
    OtherName(
        ("quartet divergence", "QuartetDivergence"),
        "comparison.quartets(a, b).divergence",
        "twice the quartets in conflict and those that one tree resolves, over twice all",
    ),
    OtherName(
        ("Quartet", "QuartetStatus", "ManyToManyQuartetAgreement"),
        "comparison.quartets(a, b)",
        "the five counts of quartets, with their scores",
    ),
    OtherName(
        ("symmetric difference of quartets",),
        "comparison.quartets(a, b).symmetric_difference",
        "1 minus measures.quartet_agreement",
    ),
    OtherName(
        ("false negative rate", "FN rate", "missing branch rate", "false_positives_and_negatives"),
        "1 - measures.cluster_recall(a, b)",
        "the share of the clusters of the first tree that the second does not have",
    ),
    OtherName(
        ("false positive rate", "FP rate"),
        "1 - measures.cluster_precision(a, b)",
        "the share of the clusters of the second tree that the first does not have",
    ),
    OtherName(
        ("cophenetic L2", "Frobenius distance of cophenetic matrices"),
        "math.sqrt(math.comb(a.n_items, 2)) * measures.cophenetic_lp(a, b)",
        "the L2 distance of the heights at which pairs of items join, without the division by their number",
    ),
    OtherName(
        ("cophenetic metric", "weighted path difference", "patristic distance"),
        "measures.cophenetic_lp(a, b)",
        "it compares the heights at which pairs of items join, in place of depths or of lengths of paths",
        is_here=False,
    ),
    OtherName(
        ("KF", "Kuhner-Felsenstein", "branch score", "KF.dist"),
        "measures.weighted_robinson_foulds(a, b)",
        "it adds differences of branch lengths, where the branch score adds their squares and takes the root",
        is_here=False,
    ),
    OtherName(
        ("BHV", "Billera-Holmes-Vogtmann", "geodesic distance", "dist.multiPhylo"),
        "measures.weighted_robinson_foulds(a, b)",
        "an upper bound of the geodesic distance",
        is_here=False,
    ),
    OtherName(
        ("SPR", "rSPR", "SPR.dist", "TBR", "NNI", "subtree prune and regraft", "maximum agreement forest"),
        "comparison.largest_common_subtree(a, b)",
        "the items that two trees place alike, in place of the moves that turn one tree into the other",
        is_here=False,
    ),
    OtherName(
        ("Nye similarity", "NyeSimilarity", "JRF", "Jaccard-Robinson-Foulds"),
        "measures.mutual_clustering_information(a, b)",
        "it matches splits by the information that they share, in place of Jaccard's index",
        is_here=False,
    ),
    OtherName(
        ("triplets correct", "triplets_correct"),
        "measures.triplet_recall(a, b)",
        "it counts all triples alike, where Cassiopeia takes the mean over the depths at which they join",
        is_here=False,
    ),
    OtherName(("Bk_plot", "cor_FM_index"), "plot.stage_curves(stages(a, b))", "the index at every number of clusters"),
    OtherName(("cophyloplot", "cophylo", "comparePhylo"), "plot.tanglegram(a, b)", "two trees face to face"),
    OtherName(("heatmap", "pheatmap"), "plot.clustermap(X)", "a matrix ordered by trees of its rows and columns"),
    OtherName(
        ("intersect_trees", "missing leaves"),
        'compare(a, b, on_mismatch="intersect")',
        "compares two trees on the items that both have",
    ),
    OtherName(
        ("tree edit distance", "TED", "Zhang-Shasha"),
        "diff(a, b)",
        "what changed between two versions of a tree, in words of people and not in edits of nodes",
        is_here=False,
    ),
    OtherName(
        ("MAST", "maximum agreement subtree"), "comparison.largest_common_subtree(a, b)", "the largest common subtree"
    ),
    OtherName(
        ("majority-rule consensus", "majority rule", "consensus tree"),
        "consensus(trees)",
        "the clusters of more than half of the trees",
    ),
    OtherName(("strict consensus",), "consensus(trees, threshold=1 - 0.5 / len(trees))", "the clusters of all trees"),
    OtherName(
        ("extended majority rule", "allcompat"),
        "comparison.greedy_consensus(trees)",
        "as many clusters as fit together",
    ),
    OtherName(
        ("dendlist", "cor.dendlist", "multiRF", "distance matrix of trees"),
        "pairwise_matrix(trees)",
        "a measure between all pairs of trees",
    ),
    OtherName(
        ("optimal leaf ordering", "OLO", "seriation", "optimal_leaf_ordering"),
        "plot.leaf_order(tree, X)",
        "the order of the items of a tree in which neighbours are near",
    ),
)

_PARTITIONS = (
    OtherName(
        ("CD", "correlation distance", "CorrelationDistance"),
        "math.acos(measures.pair_correlation(a, b)) / math.pi",
        "the angle of the correlation of pairs, a metric from 0 to 1",
    ),
    OtherName(
        ("NMI", "NMI mean", "NMI arithmetic", "NMI sum"),
        "measures.v_measure(a, b)",
        "the mutual information over the mean of the entropies, which scikit-learn's NMI is by default",
    ),
    OtherName(
        ("NMI geometric", "NMI sqrt", "Strehl-Ghosh"),
        "measures.mutual_information(a, b) / math.sqrt(measures.mutual_information(a, a)"
        " * measures.mutual_information(b, b))",
        "the mutual information over the geometric mean of the entropies",
    ),
    OtherName(
        ("NMI min",),
        "measures.mutual_information(a, b) / min(measures.mutual_information(a, a), measures.mutual_information(b, b))",
        "the mutual information over the smaller of the entropies",
    ),
    OtherName(
        ("NMI joint", "information quality ratio", "IQR"),
        "measures.mutual_information(a, b) / (measures.mutual_information(a, b)"
        " + measures.variation_of_information(a, b))",
        "the mutual information over the joint entropy",
    ),
    OtherName(
        ("NVI", "normalized variation of information"),
        "measures.variation_of_information(a, b) / (measures.mutual_information(a, b)"
        " + measures.variation_of_information(a, b))",
        "the variation of information over the joint entropy",
    ),
    OtherName(
        ("NVI", "VI over log n"),
        "1 - measures.variation_similarity(a, b)",
        "the variation of information over the log of the number of items",
    ),
    OtherName(
        ("NID", "normalized information distance"),
        "1 - measures.normalized_mutual_information(a, b)",
        "the share of the larger entropy that the partitions do not share",
    ),
    OtherName(("entropy", "entropy of a partition"), "measures.mutual_information(a, a)", "in nats"),
    OtherName(
        ("conditional entropy",),
        "measures.mutual_information(a, a) - measures.mutual_information(a, b)",
        "what knowing the second partition leaves open of the first, in nats",
    ),
    OtherName(
        ("split-join distance", "split_join_distance", "van Dongen metric"),
        "2 * len(a) * (1 - measures.van_dongen(a, b))",
        "the items outside the best partner of their cluster, in both directions",
    ),
    OtherName(
        ("van Dongen criterion", "normalized van Dongen", "NVD"),
        "1 - measures.van_dongen(a, b)",
        "the share of items outside the best partner of their cluster, in both directions",
    ),
    OtherName(
        ("classification error", "misclassification error", "CE"),
        "1 - measures.classification_accuracy(a, b)",
        "the share of items outside matched clusters",
    ),
    OtherName(
        ("Mirkin metric", "Mirkin distance", "equivalence mismatch distance"),
        "len(a) * (len(a) - 1) * (1 - measures.rand(a, b))",
        "twice the number of pairs that are together in one partition only",
    ),
    OtherName(
        ("transfer distance", "partition distance", "maximum matching distance"),
        "len(a) * (1 - measures.classification_accuracy(a, b))",
        "the least number of items to move so that the partitions are the same",
    ),
    OtherName(
        ("pair F1", "pairwise F1", "pair counting F", "Dice index", "Sørensen-Dice", "Czekanowski"),
        "2 * measures.jaccard(a, b) / (1 + measures.jaccard(a, b))",
        "the harmonic mean of precision and recall of pairs",
    ),
    OtherName(
        ("Wallace", "Wallace index", "Wallace coefficient", "pair recall", "pairwise recall"),
        "((t := Contingency.of(a, b)).count * (t.count - 1)).sum() / (t.sizes_a * (t.sizes_a - 1)).sum()",
        "the share of the pairs together in the first partition that are together in the second",
    ),
    OtherName(
        ("pair precision", "pairwise precision"),
        "((t := Contingency.of(a, b)).count * (t.count - 1)).sum() / (t.sizes_b * (t.sizes_b - 1)).sum()",
        "the share of the pairs together in the second partition that are together in the first",
    ),
    OtherName(
        ("Rogers-Tanimoto",), "measures.rand(a, b) / (2 - measures.rand(a, b))", "pairs in conflict counted twice"
    ),
    OtherName(("Hamann index",), "2 * measures.rand(a, b) - 1", "pairs that agree less those in conflict, of all"),
    OtherName(
        ("Sokal-Sneath",), "measures.jaccard(a, b) / (2 - measures.jaccard(a, b))", "pairs in conflict counted twice"
    ),
    OtherName(
        ("homogeneity_completeness_v_measure",),
        "measures.v_measure(a, b)",
        "the third; the others are measures.homogeneity and measures.completeness",
    ),
    OtherName(("inverse purity",), "measures.purity(b, a)", "purity with the classes second"),
    OtherName(
        ("confusion matrix", "contingency_matrix", "cross table", "pair_confusion_matrix"),
        "Contingency.of(a, b)",
        "the items that each cluster of one partition shares with each of the other",
    ),
    OtherName(
        ("omega index", "ONMI", "overlapping NMI"),
        "measures.adjusted_rand(a, b)",
        "for clusters that do not overlap; the omega index is then the same",
        is_here=False,
    ),
    OtherName(
        ("MARI", "modified adjusted Rand"),
        "measures.adjusted_rand(a, b)",
        "its mean by chance is over relabellings, with the sizes of clusters fixed, where MARI lets them vary",
        is_here=False,
    ),
    OtherName(
        ("SMI", "standardized mutual information"),
        "measures.adjusted_mutual_information(a, b)",
        "it is adjusted by the mean alone, not divided by the standard deviation",
        is_here=False,
    ),
    OtherName(
        ("NF1", "normalized F1"),
        "measures.b_cubed(a, b)",
        "precision and recall of items, where NF1 takes those of best matches",
        is_here=False,
    ),
    OtherName(
        ("MUC", "BLANC", "LEA", "CoNLL F1"),
        "measures.b_cubed(a, b)",
        "another score of coreference",
        is_here=False,
    ),
)

_TAXONOMIES = (
    OtherName(
        ("hF", "hierarchical F1", "Kiritchenko"),
        'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["f"]',
        "precision and recall of predicted terms and all above them, harmonic mean",
    ),
    OtherName(
        ("Fmax", "F-max of CAFA"),
        'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["f_max"]',
        "the largest F of predicted terms with scores over all thresholds",
    ),
    OtherName(
        ("Smin", "semantic distance"),
        'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["s_min"]',
        "the least semantic distance of predicted terms with scores over all thresholds",
    ),
    OtherName(
        ("hP", "hierarchical precision"),
        'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["precision"]',
        "precision of predicted terms and all above them",
    ),
    OtherName(
        ("hR", "hierarchical recall"),
        'taxonomy.score_predictions(truth, predicted, taxonomy=taxonomy)["recall"]',
        "recall of predicted terms and all above them",
    ),
    OtherName(
        ("taxonomy evaluation", "ontology matching"),
        "taxonomy.compare_taxonomies(a, b)",
        "how alike two taxonomies are, by their edges, ancestors and places of concepts",
    ),
    OtherName(
        ("ancestor precision",),
        'taxonomy.compare_taxonomies(a, b)["ancestor_precision"]',
        "of pairs of a concept and one above it",
    ),
    OtherName(
        ("ancestor recall",),
        'taxonomy.compare_taxonomies(a, b)["ancestor_recall"]',
        "of pairs of a concept and one above it",
    ),
    OtherName(("edge precision",), 'taxonomy.compare_taxonomies(a, b)["edge_precision"]', "of edges to a parent"),
    OtherName(("edge recall",), 'taxonomy.compare_taxonomies(a, b)["edge_recall"]', "of edges to a parent"),
    OtherName(
        ("Resnik",),
        'taxonomy.compare_taxonomies(a, b)["lin"]',
        "that of Lin, which divides the information of the common ancestor",
        is_here=False,
    ),
    OtherName(
        ("Ancestor-F1", "ancestor F"),
        'taxonomy.compare_taxonomies(a, b)["ancestor_f"]',
        "the pairs of a concept and one above it that two taxonomies share, harmonic mean of precision and recall",
    ),
    OtherName(
        ("edge F1", "Edge-F1"), 'taxonomy.compare_taxonomies(a, b)["edge_f"]', "the edges that two taxonomies share"
    ),
    OtherName(
        ("Wu-Palmer",),
        'taxonomy.compare_taxonomies(a, b)["wu_palmer"]',
        "similarity of the places of concepts by depth",
    ),
    OtherName(
        ("Lin similarity",), 'taxonomy.compare_taxonomies(a, b)["lin"]', "similarity of concepts by information content"
    ),
    OtherName(("CASet",), 'taxonomy.compare_taxonomies(a, b)["caset"]', "the distance of common ancestor sets"),
    OtherName(("DISC",), 'taxonomy.compare_taxonomies(a, b)["disc"]', "the distance of distinctly inherited sets"),
)

OTHER_NAMES = (*_BUILD, *_CHECK, *_TREES, *_PARTITIONS, *_TAXONOMIES)
