"""Arguments that are known to work, one for each parameter."""

from types import SimpleNamespace

import numpy as np
import pandas as pd

from dendrometry import (
    MEASURES,
    Contingency,
    HierarchicalClustering,
    Overlap,
    agglomerate,
    best_matches,
    compare,
    consensus,
    cut_count,
    diff,
    from_labels,
    from_newick,
    item_disagreement,
    pairwise_matrix,
    permutation_test,
    plot,
    recommend,
    stages,
    to_linkage,
)
from dendrometry.changes import carry_names, track_nodes
from dendrometry.cluster import place
from dendrometry.comparison import (
    Expectation,
    compare_partitions,
    compare_unrooted,
    largest_common_subtree,
    score_variables,
)
from dendrometry.dag import Dag
from dendrometry.generate import random_tree, random_triplets, stick_breaking
from dendrometry.io import to_networkx
from dendrometry.label import label_nodes, label_table
from dendrometry.levels import label_profile, profile
from dendrometry.partition import bipartite, consistency, decompose, resolutions
from dendrometry.quality import dasgupta_cost, gap_statistic, score_cuts
from dendrometry.resampling import item_stability, rank_stability, score_methods, stability
from dendrometry.significance import enrichment, recurrence, reject_down, selective, splits
from dendrometry.taxonomy import compare_taxonomies, match_concepts, nearest_tree, score_predictions, taxonomy_quality
from dendrometry.text import StoryStream, cluster_documents, detection_curve, vectorize_documents

X = np.random.default_rng(0).random((6, 2))
TREE, OTHER = agglomerate(X).hierarchy, agglomerate(X[:, :1], linkage="single").hierarchy
LABELS = [0, 0, 1, 1, 2, 2]
PROFILE = label_profile(TREE, LABELS)
TEXTS = ["the ship left the port", "oil and gas prices", "gas prices fell again", "a ship full of oil"]
DRAWN = stick_breaking(8, alpha=1.0, decay=0.5, gamma=0.2, rng=0)
DOCUMENTS = vectorize_documents(TEXTS)
TREE_OF_DOCUMENTS = cluster_documents(DOCUMENTS).hierarchy

COMPARISON = compare(TREE, OTHER)
DIFF = diff(TREE, OTHER)
NODE_LABELS = label_nodes(TREE_OF_DOCUMENTS, DOCUMENTS)
GRAPH = bipartite(LABELS, LABELS)
RESOLUTIONS = resolutions([[0, 0, 0, 0, 1, 1], LABELS])
CONSISTENCY = consistency([[0, 0, 0, 0, 1, 1], LABELS])
SCORES = score_cuts(TREE, X)
DAG = Dag.from_edges([("a", "b")])
TERMS = Dag.from_edges(
    [("bat", "mammal"), ("bat", "flyer"), ("owl", "flyer"), ("mammal", "animal"), ("flyer", "animal")]
)
TWELVE = np.random.default_rng(0).normal(size=(12, 2))
OTHER_TERMS = Dag.from_edges([("bat", "mammal"), ("owl", "mammal"), ("mammal", "animal"), ("flyer", "animal")])
VECTORS = np.arange(10.0).reshape(5, 2) % 3 + 1
TAXONOMIES = compare_taxonomies(TERMS, OTHER_TERMS, n_permutations=9)
PREDICTIONS = score_predictions([0, 1, 3], [0, 2, 2], taxonomy=from_labels([0, 1, 2]))
MATRIX = pairwise_matrix({"a": TREE, "b": OTHER})
STABILITY = stability(X, n_replicates=6, n_references=2)
CURVE = detection_curve([0.9, 0.8, 0.3], [True, False, False])
RANKS = rank_stability({"a": [0.1, 0.2], "b": [0.2, 0.1]}, factors={"x": ["p", "q"]})
METHODS = score_methods(X, {"ward": "ward"}, n_replicates=6, n_references=2)

STORED = SimpleNamespace(
    uns={
        "tree": {"linkage": to_linkage(TREE), "categories_ordered": TREE.items, "categories_idx_ordered": range(len(X))}
    }
)
TOPICS = pd.DataFrame(
    [["2", "all", "0", "a", "1", "b", 0.5]],
    columns=[
        *("Parent_ID", "Parent_Name", "Child_Left_ID", "Child_Left_Name", "Child_Right_ID", "Child_Right_Name"),
        "Distance",
    ],
)

DPUT = (
    "structure(list(edge = structure(c(4L, 5L, 5L, 4L, 5L, 1L, 2L, 3L), dim = c(4L, 2L)), Nnode = 2L,"
    ' tip.label = c("a", "b", "c")), class = "phylo")'
)

# What works, by the name of the parameter; where a name has several meanings, by function and name.
NAMED = ("comparison.Line.record", "comparison.Line.tell")  # these take names of trees
GOOD = {
    "X": X,
    "D": [1.0, 2.0, 3.0],
    "Z": [[0, 1, 1.0, 2], [2, 3, 2.0, 3]],
    "a": TREE,
    "b": OTHER,
    "alpha": 1.0,
    "build": lambda order: agglomerate(X[order]).hierarchy,
    "children": [[0, 1], [2, 3]],
    "cluster": 0,
    "decay": 0.5,
    "documents": DOCUMENTS,
    "drawn": DRAWN,
    "gamma": 0.2,
    "graph": to_networkx(from_newick("(a,b);")),
    "height": 0.5,
    "heights": [0.5],
    "hsv": X[:, [0, 1, 1]],
    "lab": [[50.0, 0.0, 0.0]],
    "partitions": [LABELS],
    "n_items": len(X),
    "labels": LABELS,
    "layers": [[0, 0, 0, 0, 1, 1], LABELS],
    "model": to_linkage(TREE),
    "data": STORED,
    "io.from_anndata.dendrogram": "tree",
    "frame": TOPICS,
    "io.from_hiercc.table": {"strain": ["a", "b"], "HC0": [0, 1], "HC5": [0, 0]},
    "linkage": "single",
    "matrix": MATRIX,
    "plot.tree_matrix.result": MATRIX,
    "max_clusters": 3,
    "merge": [[-1, -2], [1, -3]],
    "n_colours": 6,
    "n_clusters": 2,
    "new": OTHER,
    "old": TREE,
    "neighbours": (np.arange(6)[:, None] + [1, 2]) % 6,
    "cluster.agglomerate_graph.points": X,
    "comparison.Expectation.self": Expectation("rand", 0.5, 0.0, 0),
    "cluster.agglomerate.min_size": None,
    "cluster.agglomerate_distances.min_size": None,
    "plot.cluster_map.where": (2, 3),
    "resampling.fidelity.X": np.random.default_rng(0).random((12, 2)),
    "resampling.fidelity.tree": random_tree(12, rng=0),
    "answer": TREE,
    "n_questions": 2,
    "questions": [[0, 1, 2]],
    "n_moves": 1,
    "n_swaps": 1,
    "n_triplets": 1,
    "node_labels": NODE_LABELS,
    "nodes": [TREE_OF_DOCUMENTS.root],
    "overlap": Overlap.of(TREE, OTHER),
    "parent": [2, 2, -1],
    "parent_a": [2, 2, -1],
    "parent_b": [2, 2, -1],
    "parts_a": [LABELS],
    "parts_b": [LABELS],
    "paths": ["a", "b/c"],
    "penalty": 0.1,
    "reference": LABELS,
    "result": COMPARISON,
    "rgb": X[:, [0, 1, 1]],
    "row": 0,
    "similarity": np.eye(6),
    "table": {"item": ["a", "b"], "level": ["x", "y"]},
    "cophenetic_lp.p": 3.0,
    "power": 2.0,
    "predicted": LABELS,
    "taxonomy": from_labels(LABELS),
    "tests": COMPARISON.chance,
    "points": X,
    "out": "saved.nodes.parquet",
    "source": "texts.csv",
    "engine.overlap_from_tables.a": "texts.csv",
    "engine.overlap_from_tables.b": "texts.csv",
    "text": "(a,b);",
    "texts": TEXTS,
    "times": range(DOCUMENTS.n_items),
    "tree": TREE,
    "trees": {"a": TREE, "b": OTHER},
    "triples": [[0, 0, 1], [1, 1, 2]],
    "triplets": random_triplets(TREE, 3, rng=0),
    "truth": LABELS,
    "v": TREE.root,
    "values": np.array([0.0, 0.5]),
    "weight": 0.5,
    "vectors": X,
    "weights": np.ones((6, 6)),
    "window": 1.0,
    "classic_f.a": from_labels(LABELS),
    "classic_f.b": from_labels(LABELS),
    "cut.cut_counts.n_clusters": [2, 3],
    "cut.cut_significant.adjusted": np.linspace(0.0, 1.0, TREE.n_nodes),
    "dendrogram_purity.a": from_labels(LABELS),
    "cut.cut_penalty.distortion": np.linspace(0.0, 1.0, TREE.n_nodes),
    "partial_order_f.a": from_labels(LABELS),
    "partial_order_f.b": from_labels(LABELS),
    "from_hclust.height": [1.0, 2.0],
    "cut.cut_dynamic_hybrid.D": np.arange(1.0, 16.0),
    "resampling.stability_of_distances.D": np.arange(1.0, 16.0),
    "quality.cophenetic_fit_distances.D": np.arange(1.0, 16.0),
    "thing": to_linkage(TREE),
    "io.from_tables.nodes": {"node": [0, 1, 2], "parent": [None, 0, 0]},
    "communities": {"community": [0], "parent": [-1], "level": [0], "entity_ids": [["a", "b"]]},
    "lineages": ["d__a;p__b", "d__a"],
    "io.from_dput.text": DPUT,
    "io.from_ncbi.nodes": "1\t|\t1\t|\n2\t|\t1\t|\n",
    "io.from_skos.text": "@prefix s: <http://www.w3.org/2004/02/skos/core#> . <http://a> s:broader <http://b> .",
    "io.from_infomap.text": '1:1 0.5 "a" 1\n1:2 0.5 "b" 2',
    "io.from_obo.text": "[Term]\nid: a\n",
    "io.from_product_taxonomy.text": "1 - a\n2 - a > b",
    "io.from_nexus.text": "#NEXUS begin trees; tree a = (x,y); end;",
    "from_json.text": '{"children": [{"name": "a"}, {"name": "b"}]}',
    "plot.item_disagreement.result": item_disagreement(TREE, OTHER),
    "plot.label_curves.result": PROFILE,
    "plot.stage_curves.result": stages(TREE, OTHER),
    "plot.variable_scores.result": score_variables(X),
    "plot.tanglegram.a": TREE,
    "plot.tanglegram.b": OTHER,
    "plot.matches.a": TREE,
    "plot.matches.b": OTHER,
    "plot.worsening.result": {"step": [0, 1], "measure": ["rand", "rand"], "value": [1.0, 0.5]},
    "label.label_nodes.tree": TREE_OF_DOCUMENTS,
    "label.label_table.tree": TREE_OF_DOCUMENTS,
    "label.label_tree.tree": TREE_OF_DOCUMENTS,
    "Contingency.of.a": LABELS,
    "Contingency.of.b": LABELS,
    "Contingency.from_counts.table": [[1, 2], [0, 3]],
    "measures.Measure.of_table.table": Contingency.of(LABELS, LABELS),
    "Comparison.named.names": ("mine", "yours"),
    "Hierarchy.height": [0.0, 0.0, 1.0],
    "Hierarchy.item_node": [0, 1],
    "Hierarchy.items": ["a", "b"],
    "Hierarchy.restrict.item_names": TREE.items[:3],
    "text.Documents.with_embeddings.vectors": X[: DOCUMENTS.n_items],
    "text.Documents.with_embeddings.item_names": DOCUMENTS.items,
    "Comparison.self": COMPARISON,
    "Cut.self": cut_count(TREE, 2),
    "changes.Change.self": DIFF.changes[0],
    "changes.CarriedNames.self": carry_names(TREE, OTHER),
    "changes.Diff.self": DIFF,
    "changes.Tracks.self": track_nodes({"a": TREE, "b": OTHER}),
    "comparison.PartitionPart.self": compare_partitions(LABELS, LABELS).partition,
    "comparison.PermutationTest.self": permutation_test(TREE, OTHER, n_permutations=9, rng=0),
    "Comparison.rename.names": ("x", "y"),
    **{f"{method}.{side}": side for method in NAMED for side in "ab"},
    "comparison.VariableScores.self": score_variables(X),
    "HierarchicalClustering.self": HierarchicalClustering(),
    "HierarchicalClustering.predict.self": HierarchicalClustering().fit(X),
    "Hierarchy.self": TREE,
    "Dag.self": DAG,
    "Dag.terms": ["a", "b"],
    "Dag.parent_start": [0, 1, 1],
    "Dag.parent": [1],
    "Dag.from_edges.edges": [("a", "b")],
    "Dag.below.term": "b",
    "Dag.find.term": "b",
    "Dag.parents_of.term": "b",
    "Dag.children_of.term": "b",
    "Dag.restrict.terms": ["a", "b"],
    "measures.Measure.self": MEASURES["rand"],
    "measures.Measure.estimate_seconds.self": MEASURES["hierarchical_f"],
    "Overlap.self": Overlap.of(TREE, OTHER),
    "comparison.Consensus.self": consensus({"a": TREE, "b": OTHER}),
    "comparison.CommonSubtree.self": largest_common_subtree(TREE, OTHER),
    "comparison.ItemDisagreement.self": item_disagreement(TREE, OTHER),
    "comparison.Line.self": COMPARISON.lines[0],
    "comparison.Matches.self": best_matches(TREE, OTHER),
    "comparison.Matrix.self": pairwise_matrix({"a": TREE, "b": OTHER}),
    "label.LabelTable.self": label_table(TREE_OF_DOCUMENTS, DOCUMENTS, [TREE_OF_DOCUMENTS.root]),
    "label.NodeLabels.self": NODE_LABELS,
    "levels.LabelProfile.self": PROFILE,
    "levels.LabelProfile.best_cut.measure": "adjusted_rand",
    "levels.Profile.self": profile(TREE, OTHER),
    "levels.Stages.self": stages(TREE, OTHER),
    "plot.cut_scores.result": SCORES,
    "partition.Decomposition.self": decompose([0, 0, 1], [0, 1, 1]),
    "quality.CutScores.self": SCORES,
    "quality.TreeCost.self": dasgupta_cost(TREE, X),
    "significance.Enrichment.self": enrichment(TREE, LABELS),
    "significance.Recurrence.self": recurrence(TREE, OTHER),
    "significance.TopDown.self": reject_down(TREE, lambda nodes: np.zeros(nodes.size), hypotheses=TREE.sizes > 1),
    "significance.adjust_down.p_values": np.linspace(0.0, 1.0, TREE.n_nodes),
    "significance.reject_down.test": lambda nodes: np.full(nodes.size, 0.01),
    "significance.reject_down.hypotheses": TREE.sizes > 1,
    "significance.Selective.self": selective(TWELVE),
    "significance.Splits.self": splits(TWELVE, n_references=19),
    "significance.splits.X": TWELVE,
    "significance.splits.n_references": 19,
    "measures.find.word": "cid",
    "taxonomy.compare_taxonomies.a": TERMS,
    "taxonomy.compare_taxonomies.b": OTHER_TERMS,
    "taxonomy.match_concepts.a": TERMS,
    "taxonomy.match_concepts.b": OTHER_TERMS,
    "taxonomy.nearest_tree.dag": TERMS,
    "taxonomy.taxonomy_quality.taxonomy": TERMS,
    "taxonomy.taxonomy_quality.embeddings": VECTORS,
    "taxonomy.TaxonomyComparison.self": TAXONOMIES,
    "taxonomy.TaxonomyComparison.p_text.p": 0.04,
    "taxonomy.ConceptChange.self": TAXONOMIES.changes[0],
    "taxonomy.ConceptMatches.self": match_concepts(TERMS, OTHER_TERMS),
    "taxonomy.NearestTree.self": nearest_tree(TERMS),
    "taxonomy.TaxonomyQuality.self": taxonomy_quality(TERMS, VECTORS, n_permutations=9),
    "taxonomy.PredictionLevels.self": PREDICTIONS.levels,
    "taxonomy.PredictionScores.self": PREDICTIONS,
    "quality.GapStatistic.self": gap_statistic(X, lambda points: agglomerate(points).hierarchy, n_references=2),
    "quality.gap_statistic.build": lambda points: agglomerate(points).hierarchy,
    "plot.co_membership.result": STABILITY,
    "resampling.co_membership.result": STABILITY,
    "resampling.item_stability.result": STABILITY,
    "resampling.cut_stable.result": STABILITY,
    "resampling.support_tree.result": STABILITY,
    "n_replicates": 6,
    "plot.stability_curve.result": STABILITY.agreement,
    "resampling.Agreement.self": STABILITY.agreement,
    "resampling.ItemStability.self": item_stability(STABILITY, 2),
    "resampling.NodeSupport.self": STABILITY.support,
    "resampling.Replicate.self": STABILITY.replicates[0],
    "resampling.Stability.self": STABILITY,
    "resampling.Recommendation.self": recommend(X, n_replicates=6, n_references=2),
    "methods": {"ward": "ward"},
    "min_size": 2,
    "max_size": 3,
    "plot.method_scores.result": METHODS,
    "plot.rank_stability.result": RANKS,
    "plot.prediction_scores.result": PREDICTIONS,
    "plot.prediction_curve.result": score_predictions(["bat"], [{"owl": 0.4, "bat": 0.6}], taxonomy=TERMS),
    "resampling.RankStability.self": RANKS,
    "resampling.RankStability.wins_at.factor": "x",
    "resampling.rank_stability.scores": {"x": ["p", "q"], "a": [0.1, 0.2], "b": [0.2, 0.1]},
    "resampling.rank_stability.factors": ["x"],
    "resampling.MethodScores.self": METHODS,
    "resampling.Stability.replicate_tree.i": 0,
    "resampling.TreeScorer.reference": TREE,
    "resampling.LabelScorer.measure": "rand",
    "resampling.TreeScorer.measure": "hierarchy_agreement",
    "resampling.stability_of_trees.trees": [TREE, OTHER],
    "levels": [[0, 0, 0, 0, 1, 1], LABELS],
    "partition.Resolutions.self": RESOLUTIONS,
    "cluster.place.tree": agglomerate(X).hierarchy,
    "cluster.place.X": X,
    "cluster.place.X_new": np.asarray(X)[:2] + 0.5,
    "cluster.Placement.self": place(agglomerate(X), X, X[:2] + 0.5),
    "partition.consistency.levels": [[0, 0, 0, 0, 1, 1], LABELS],
    "partition.consistency.groups": None,
    "partition.Consistency.self": CONSISTENCY,
    "partition.Consistency.doubtful.below": 0.9,
    "partition.Consistency.write_obs.data": pd.DataFrame(index=[str(i) for i in range(6)]),
    "plot.consistency_groups.result": CONSISTENCY,
    "comparison.UnrootedComparison.self": compare_unrooted(TREE, OTHER),
    "plot.congruence.result": RESOLUTIONS,
    "plot.clustermap.X": X,
    "plot.MapSide.self": plot.clustermap(X, n_clusters=2).rows,
    "plot.resolution_flow.result": RESOLUTIONS,
    "partition.Bipartite.self": GRAPH,
    "partition.Derivation.self": GRAPH.derivation(),
    "text.Documents.self": DOCUMENTS,
    "text.StoryStream.self": StoryStream(window=1.0),
    "text.StoryStream.add.text": TEXTS[0],
    "text.StoryStream.add.time": 1.0,
    "text.StoryStream.read.time": "time",
    "scores": [0.9, 0.8, 0.3],
    "is_target": [True, False, False],
    "threshold": 0.5,
    "text.DetectionCurve.self": CURVE,
    "plot.detection_curves.result": {"novelty": CURVE},
}
CHANGING = ("text.StoryStream.self",)  # objects that a call changes: each call has a copy
QUICK = {"rng": 0, "force": True, "n_permutations": 9, "n_references": 2, "n_replicates": 6}
