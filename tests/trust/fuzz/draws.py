"""Random arguments of the right kind, so that most calls get past the first check: odd trees, points, labels, texts."""

import inspect
import typing

import numpy as np
from tests.strategies import random_linkage
from tests.trust.fuzz.approximate import APPROXIMATE_DRAWS
from tests.trust.fuzz.good import DOCUMENTS, DPUT, DRAWN, GOOD, TEXTS
from tests.trust.fuzz.scene import FLOATS, INTEGERS, NAMES, Scene

from dendrometry import (
    MEASURES,
    Contingency,
    HierarchicalClustering,
    Overlap,
    agglomerate,
    best_matches,
    compare,
    diff,
    from_linkage,
    item_disagreement,
    pairwise_matrix,
    stages,
)
from dendrometry.cluster import LINKAGES, place
from dendrometry.comparison import compare_unrooted, score_variables
from dendrometry.dag import Dag
from dendrometry.generate import random_tree
from dendrometry.io import to_networkx, to_tables
from dendrometry.levels import label_profile, profile
from dendrometry.partition import bipartite, consistency, decompose, resolutions
from dendrometry.quality import dasgupta_cost, score_cuts
from dendrometry.resampling import stability
from dendrometry.significance import TopDown, enrichment, recurrence, selective, splits
from dendrometry.taxonomy import compare_taxonomies, match_concepts, nearest_tree, score_predictions, taxonomy_quality
from dendrometry.text import StoryStream, detection_curve


# By the name of the parameter; where a name has several meanings, by function and name.
def predictions(scene):
    """The scores of nodes of a tree, drawn at random."""
    tree = scene.tree()
    truth, predicted = scene.rng.integers(0, tree.n_nodes, (2, scene.n))
    return score_predictions(truth, predicted, taxonomy=tree)


def graph(scene):
    """Terms with parents drawn at random among those that come later."""
    names = [f"t{i}" for i in range(scene.one_of(2, 5, 9))]
    pairs = [(names[i], names[int(j)]) for i in range(len(names) - 1) for j in scene.rng.integers(i + 1, len(names), 2)]
    return Dag.from_edges(pairs)


def compared(scene):
    """Two taxonomies compared, drawn at random."""
    return compare_taxonomies(graph(scene), graph(scene), n_permutations=9, rng=scene.rng)


def placed(scene):
    """Return new points placed in the tree of others."""
    X, new = scene.rng.random((5, 2)), scene.rng.random((3, 2)) * scene.one_of(1.0, 1e-160, 1e160)
    return place(agglomerate(X, linkage=scene.one_of("ward", "single", "centroid")), X, new)


def judged(scene):
    """The quality of a taxonomy, drawn at random."""
    dag = graph(scene)
    return taxonomy_quality(dag, scene.rng.normal(size=(dag.n_terms, 3)), n_permutations=9, rng=scene.rng)


def random_matrix(scene):
    """One measure between some random trees."""
    return pairwise_matrix([random_tree(5, rng=scene.rng) for _ in range(scene.one_of(2, 3, 5))])


def replicates(scene):
    """The stability of the tree of some random points."""
    points, n, n_references = scene.rng.random((6, 2)), scene.one_of(2, 5), scene.one_of(0, 1)
    return stability(points, n_replicates=n, n_references=n_references, rng=scene.rng)


def curve(scene):
    """The errors of some scores, drawn at random."""
    return detection_curve(scene.rng.integers(0, 3, 4), scene.rng.permutation([0, 1, 0, 1]))


DRAWS = {
    **APPROXIMATE_DRAWS,
    "D": Scene.distances,
    "X": Scene.points,
    "Z": lambda scene: random_linkage(scene.n, scene.rng),
    "a": Scene.tree,
    "b": Scene.tree,
    "children": Scene.merges,
    "alpha": lambda scene: scene.one_of(0.05, 1.0, *FLOATS),
    "decay": lambda scene: scene.one_of(0.5, 1.0, *FLOATS),
    "gamma": lambda scene: scene.one_of(0.2, 1.0, *FLOATS),
    "build": lambda scene: lambda order: random_tree(order.size, rng=scene.rng),
    "distances": lambda scene: scene.rng.random(scene.n - 1),
    "distortion": lambda scene: np.sort(scene.rng.random(scene.latest.n_nodes)) * scene.one_of(-1, 0, 1, 1, 1),
    "documents": Scene.documents,
    "drawn": lambda scene: DRAWN,
    "features": Scene.points,
    "graph": lambda scene: to_networkx(scene.tree()),
    "height": lambda scene: scene.one_of(*FLOATS),
    "heights": lambda scene: scene.rng.choice(FLOATS, size=3),
    "hsv": Scene.colours,
    "item_names": Scene.some_names,
    "item_node": lambda scene: np.arange(scene.n) % scene.one_of(scene.n_nodes, scene.n_nodes, 3),
    "items": Scene.some_names,
    "lab": Scene.colours,
    "partitions": lambda scene: [scene.labels() for _ in range(scene.rng.integers(1, 3))],
    "labels": Scene.labels,
    "layers": lambda scene: [scene.labels() for _ in range(scene.rng.integers(1, 3))],
    "partition.resolutions.levels": lambda scene: [scene.labels() for _ in range(scene.rng.integers(1, 3))],
    "model": lambda scene: random_linkage(scene.n, scene.rng),
    "matrix": random_matrix,
    "plot.tree_matrix.result": random_matrix,
    "measure": lambda scene: scene.one_of(*MEASURES),
    "measures": lambda scene: scene.rng.choice(list(MEASURES), size=2),
    "merge": lambda scene: [[-1, -2], [1, -3]] if scene.rng.random() < 0.5 else scene.rng.integers(-3, 3, (2, 2)),
    "metric": lambda scene: scene.one_of("euclidean", "cosine", "dot", "cityblock", "chebyshev"),
    "neighbours": lambda scene: scene.rng.integers(0, scene.n, (scene.n, 2)),
    "start": Scene.labels,
    "new": Scene.tree,
    "old": Scene.tree,
    "n_items": lambda scene: scene.one_of(scene.n, *INTEGERS),
    "n_clusters": lambda scene: scene.one_of(1, 2, scene.n, *INTEGERS),
    "names": lambda scene: (scene.one_of(*NAMES), scene.one_of(*NAMES)),
    "nodes": lambda scene: scene.rng.integers(0, 8, 2),
    "order": lambda scene: scene.rng.permutation(3) + 1,
    "overlap": lambda scene: Overlap.of(scene.tree(), scene.tree(), on_mismatch="intersect"),
    "p_values": lambda scene: {name: scene.rng.random() for name in scene.rng.choice(list(MEASURES), size=3)},
    "parent": Scene.parents,
    "parent_a": Scene.parents,
    "parent_b": Scene.parents,
    "parts_a": lambda scene: [scene.labels()],
    "parts_b": lambda scene: [scene.labels()],
    "paths": lambda scene: ["/".join(scene.rng.choice(NAMES[1:], size=2).tolist()) for _ in range(scene.n)],
    "reference": Scene.labels,
    "result": lambda scene: compare(scene.tree(), scene.tree(), on_mismatch="intersect"),
    "rgb": Scene.colours,
    "rng": lambda scene: scene.one_of(0, 7, np.random.default_rng(1), scene.one_of(*INTEGERS)),
    "tie_rng": lambda scene: scene.one_of(None, 0, np.random.default_rng(1), scene.one_of(*INTEGERS)),
    "row": lambda scene: scene.one_of(0, 0, *INTEGERS),
    "cluster": lambda scene: scene.one_of(0, 0, *INTEGERS),
    "similarity": lambda scene: scene.one_of(np.eye(scene.n), np.full((scene.n, scene.n), -0.5)),
    "table": lambda scene: {"item": scene.some_names(), "level": scene.labels(), "more": scene.some_names()},
    "text": Scene.text_of_tree,
    **dict.fromkeys(
        ("compare.weights", "Overlap.of.weights", "Contingency.of.weights", "comparison.compare_partitions.weights"),
        lambda scene: scene.one_of(None, scene.rng.integers(1, 4, scene.n), scene.rng.integers(0, 4, scene.n).tolist()),
    ),
    "engine.cluster_table.points": lambda scene: scene.one_of(scene.rng.random((8, 2)), np.eye(3), scene.points()),
    "engine.cluster_table.out": lambda scene: scene.one_of(
        *(f"saved{scene.rng.integers(10**9)}{end}" for end in (".nodes.parquet", ".items.parquet", ".csv"))
    ),
    "engine.cluster_table.engine": lambda scene: scene.one_of("duckdb", "duckdb", "duck"),
    "engine.cluster_table.max_memory": lambda scene: scene.one_of(None, 2**30, *INTEGERS),
    "engine.overlap_from_tables.a": lambda scene: scene.one_of("texts.csv", ["texts.csv"], "*.csv", "tree.nwk"),
    "engine.overlap_from_tables.b": lambda scene: scene.one_of("texts.csv", "t[e]xts.csv"),
    "engine.overlap_from_tables.engine": lambda scene: scene.one_of("duckdb", "duckdb", "duck"),
    "engine.overlap_from_tables.max_memory": lambda scene: scene.one_of(None, 2**30, *INTEGERS),
    "thing": lambda scene: scene.one_of(
        scene.tree(), scene.labels(), scene.points(), random_linkage(scene.n, scene.rng), to_networkx(scene.tree())
    ),
    "io.from_tables.nodes": lambda scene: (
        to_tables(scene.tree()).nodes | {"height": [scene.one_of(None, *FLOATS)] * scene.latest.n_nodes}
    ),
    "io.from_tables.items": lambda scene: scene.one_of(None, to_tables(scene.latest).items),
    "communities": lambda scene: {
        "community": list(range(scene.n)),
        "parent": [-1] + [scene.one_of(0, -1, i - 1) for i in range(1, scene.n)],
        "level": list(range(scene.n)),
        "entity_ids": [[name] for name in scene.names],
    },
    "lineages": lambda scene: [f"d__{scene.one_of('a', 'b')}; p__{name}" for name in scene.names],
    "io.from_dput.text": lambda scene: DPUT.replace(
        scene.one_of("1L", "c(", ",", '"a"', "5L"), scene.one_of("1L", "2:3"), 1
    ),
    "io.from_ncbi.nodes": lambda scene: "".join(f"{v}\t|\t{scene.one_of(v // 2, v // 3)}\t|\n" for v in range(scene.n)),
    "io.from_ncbi.names": lambda scene: f"0\t|\t{scene.one_of(*NAMES)}\t|\t\t|\tscientific name\t|",
    "io.from_skos.text": lambda scene: (
        "@prefix s: <http://www.w3.org/2004/02/skos/core#> . "
        + "".join(
            f"<http://a/{name}> s:broader <http://a/{scene.one_of('x', *scene.names[:i])}> . "
            for i, name in enumerate(scene.names)
        )
    ),
    "io.from_infomap.text": lambda scene: "\n".join(f'1:{i} 0.5 "{name}" {i}' for i, name in enumerate(scene.names)),
    "io.from_obo.text": lambda scene: "".join(f"[Term]\nid: {name}\n" for name in scene.names),
    "io.from_product_taxonomy.text": lambda scene: "\n".join(f"{i} - a > {name}" for i, name in enumerate(scene.names)),
    "io.from_hiercc.table": lambda scene: {
        "strain": scene.names,
        "HC0": list(range(scene.n)),
        "HC5": scene.one_of([0] * scene.n, scene.labels()),
    },
    "io.to_nexus.trees": lambda scene: scene.one_of(scene.tree(), {scene.one_of(*NAMES): scene.tree()}),
    "plot.stability_curve.result": lambda scene: replicates(scene).agreement,
    "plot.co_membership.result": replicates,
    "resampling.co_membership.result": replicates,
    "resampling.cut_stable.result": replicates,
    "resampling.item_stability.result": replicates,
    "resampling.support_tree.result": replicates,
    "resampling.TreeScorer.reference": Scene.tree,
    "resampling.recommend.X": lambda scene: scene.one_of(scene.rng.random((6, 2)), scene.points()),
    "resampling.recommend.n_replicates": lambda scene: scene.one_of(6, 7, 5),
    "resampling.recommend.n_references": lambda scene: scene.one_of(1, 2, 0),
    "resampling.recommend.max_clusters": lambda scene: scene.one_of(2, 3, 5),
    "resampling.recommend.rng": lambda scene: scene.one_of(0, 7),
    "resampling.recommend.n_jobs": lambda scene: scene.one_of(None, 1, 1, -1, 0),
    "resampling.score_methods.X": lambda scene: scene.one_of(scene.rng.random((6, 2)), scene.points()),
    "resampling.score_methods.n_replicates": lambda scene: scene.one_of(6, 7, 8, 5),
    "resampling.score_methods.n_references": lambda scene: scene.one_of(1, 2, 0),
    "resampling.score_methods.rng": lambda scene: scene.one_of(0, 7),
    "resampling.score_methods.n_jobs": lambda scene: scene.one_of(None, 1, 1, -1, 0),
    "resampling.TreeScorer.measure": lambda scene: scene.one_of("hierarchy_agreement", "rand", *NAMES),
    "resampling.score_methods.methods": lambda scene: {"w": scene.one_of("ward", "single", "average", "x")},
    "resampling.score_methods.max_clusters": lambda scene: scene.one_of(2, 3, 5),
    "io.from_nexus.text": lambda scene: f"#NEXUS begin trees; tree a = {scene.text_of_tree()} end;",
    "texts": Scene.texts,
    "tree": Scene.tree,
    "trees": lambda scene: [scene.tree() for _ in range(scene.rng.integers(1, 4))],
    "triples": lambda scene: scene.rng.integers(0, 4, (scene.rng.integers(1, 5), 3)),
    "Overlap.from_triples.triples": lambda scene: [[0, 0, 2], [1, 1, scene.one_of(1, 0, 3)]],
    "Overlap.from_triples.parent_a": lambda scene: scene.one_of([2, 2, -1], [2, 2, -1], [1, 2, -1], [-1]),
    "Overlap.from_triples.parent_b": lambda scene: scene.one_of([2, 2, -1], [2, 2, -1], [1, 2, -1], [-1]),
    "triplets": lambda scene: [scene.rng.permutation(max(scene.n, 3))[:3].tolist() for _ in range(2)],
    "questions": lambda scene: [scene.rng.permutation(max(scene.n, 3))[:3].tolist() for _ in range(2)],
    "answer": lambda scene: scene.one_of(scene.tree(), lambda *items: items[0], lambda *_: None),
    "n_questions": lambda scene: scene.one_of(0, 1, 7, -1),
    "n_trees": lambda scene: scene.one_of(1, 2, 3, 0),
    "resampling.expected_agreement.weights": lambda scene: scene.one_of(None, [1.0], [1, 2], [0.0, 0.5, 0.0]),
    "resampling.next_triplet.weights": lambda scene: scene.one_of(None, [1.0], [1, 2], [0.0, 0.5, 0.0]),
    "truth": Scene.labels,
    "values": lambda scene: scene.rng.random(3),
    "cophenetic_lp.p": lambda scene: scene.one_of(1, 2.0, 3.5, *FLOATS),
    "power": lambda scene: scene.one_of(1, 2.0, 3.5, *FLOATS),
    "weights": Scene.distances,
    "vectors": Scene.points,
    "HierarchicalClustering.self": lambda scene: HierarchicalClustering(
        scene.one_of(1, 2, 3), linkage=scene.one_of(*LINKAGES), metric=scene.one_of("euclidean", "cosine")
    ),
    "HierarchicalClustering.predict.self": lambda scene: HierarchicalClustering(1).fit(scene.rng.random((4, 2))),
    "Contingency.of.a": Scene.labels,
    "Contingency.of.b": Scene.labels,
    "Contingency.from_counts.table": lambda scene: scene.rng.integers(-1, 4, scene.rng.integers(0, 4, 2)),
    "Hierarchy.height": lambda scene: scene.rng.choice(FLOATS, size=scene.n_nodes),
    "measures.Measure.describe.first": lambda scene: scene.one_of(*NAMES),
    "measures.Measure.describe.second": lambda scene: scene.one_of(*NAMES),
    "comparison.Line.record.a": lambda scene: scene.one_of(*NAMES),
    "comparison.Line.record.b": lambda scene: scene.one_of(*NAMES),
    "comparison.Line.tell.a": lambda scene: scene.one_of(*NAMES),
    "comparison.Line.tell.b": lambda scene: scene.one_of(*NAMES),
    "measures.Measure.of_table.table": lambda scene: Contingency.of(
        *(scene.rng.integers(0, 3, scene.n) for _ in range(2))
    ),
    "cut.cut_dynamic_hybrid.tree": lambda scene: scene.one_of(
        from_linkage(random_linkage(scene.n, scene.rng)), scene.tree()
    ),
    "cut.cut_dynamic_hybrid.min_size": lambda scene: scene.one_of(2, 3, *INTEGERS),
    "cut.cut_dynamic_hybrid.deep_split": lambda scene: scene.one_of(0, 4, *INTEGERS),
    "cut.cut_dynamic_hybrid.max_height": lambda scene: scene.one_of(None, 1.0, *FLOATS),
    "cut.cut_dynamic_tree.tree": lambda scene: scene.one_of(
        from_linkage(random_linkage(scene.n, scene.rng)), scene.tree()
    ),
    "cut.cut_dynamic_tree.min_size": lambda scene: scene.one_of(2, 3, *INTEGERS),
    "cut.cut_dynamic_tree.max_height": lambda scene: scene.one_of(None, 1.0, *FLOATS),
    "cut.cut_significant.adjusted": lambda scene: scene.rng.random(scene.latest.n_nodes) ** 4,
    "cut.cut_counts.n_clusters": lambda scene: scene.rng.integers(1, 5, 2),
    "from_hclust.height": lambda scene: np.sort(scene.rng.random(2)),
    "from_json.text": lambda scene: scene.one_of('{"name": "a"}', '{"children": [{"name": "a"}, {"name": "b"}]}', "{}"),
    "generate.reinsert.n_moves": lambda scene: scene.one_of(0, 1, 8, 9),
    "label.label_nodes.tree": Scene.tree_of_documents,
    "label.label_nodes.documents": lambda scene: DOCUMENTS,
    "label.label_table.tree": Scene.tree_of_documents,
    "label.label_table.documents": lambda scene: DOCUMENTS,
    "label.label_tree.tree": Scene.tree_of_documents,
    "text.Documents.with_embeddings.vectors": lambda scene: scene.rng.integers(-1, 3, (DOCUMENTS.n_items, 2)),
    "text.Documents.with_embeddings.item_names": lambda scene: scene.rng.permutation(DOCUMENTS.items),
    "text.story_clusters.documents": lambda scene: DOCUMENTS,
    "text.story_clusters.times": lambda scene: np.sort(scene.rng.integers(0, 9, DOCUMENTS.n_items)),
    "text.story_clusters.window": lambda scene: scene.one_of(1, 2.5, *FLOATS),
    "text.StoryStream.self": lambda scene: StoryStream(window=1.0, min_size=scene.one_of(1, 2)),
    "text.StoryStream.window": lambda scene: scene.one_of(1, 2.5, *FLOATS),
    "text.StoryStream.background": lambda scene: scene.one_of(DOCUMENTS, None),
    "text.StoryStream.add.text": lambda scene: scene.one_of(*TEXTS, "", ("title", "text")),
    "text.StoryStream.extend.texts": lambda scene: scene.rng.choice(TEXTS, 3).tolist(),
    "text.StoryStream.extend.times": lambda scene: np.sort(scene.rng.integers(0, 9, 3)),
    "text.StoryStream.read.text": lambda scene: "text",
    "text.StoryStream.read.title": lambda scene: scene.one_of("time", "text", None),
    "scores": lambda scene: scene.rng.integers(0, 3, 4),
    "is_target": lambda scene: scene.rng.permutation([0, 1, 0, scene.one_of(0, 1)]),
    "text.detection_curve.weights": lambda scene: scene.one_of(None, scene.rng.integers(0, 3, 4)),
    "text.DetectionCurve.self": curve,
    "plot.detection_curves.result": lambda scene: scene.one_of(curve(scene), {"a": curve(scene), "b": curve(scene)}),
    "levels.profile.n_clusters": lambda scene: scene.rng.integers(1, 5, 2),
    "plot.item_disagreement.result": lambda scene: item_disagreement(scene.tree(), scene.tree()),
    "plot.label_curves.result": lambda scene: label_profile(scene.tree(), scene.labels()),
    "plot.stage_curves.result": lambda scene: stages(scene.tree(), scene.tree()),
    "plot.variable_scores.result": lambda scene: score_variables(
        scene.rng.random((5, scene.one_of(2, 3))), n_permutations=9, rng=0
    ),
    "plot.clustermap.X": Scene.points,
    "plot.leaf_order.X": lambda scene: scene.rng.random((len(scene.latest.items), 2)),
    "plot.clustermap.row_tree": lambda scene: scene.one_of("ward", "single", "average", None),
    "plot.clustermap.column_tree": lambda scene: scene.one_of("ward", "single", "average", None),
    "cluster.Placement.self": placed,
    "partition.consistency.levels": lambda scene: [scene.labels() for _ in range(scene.rng.integers(2, 4))],
    "partition.Consistency.self": lambda scene: consistency([scene.labels(), scene.labels()]),
    "partition.Consistency.doubtful.below": lambda scene: scene.rng.random(),
    "plot.consistency_groups.result": lambda scene: consistency([scene.labels(), scene.labels()]),
    "comparison.UnrootedComparison.self": lambda scene: compare_unrooted(scene.tree(), scene.tree()),
    "plot.congruence.result": lambda scene: resolutions([scene.labels() for _ in range(scene.one_of(1, 2))]),
    "plot.resolution_flow.result": lambda scene: resolutions([scene.labels() for _ in range(scene.one_of(1, 2))]),
    "plot.prediction_scores.result": predictions,
    "plot.prediction_curve.result": lambda scene: scene.one_of(
        GOOD["plot.prediction_curve.result"], predictions(scene)
    ),
    "plot.cut_scores.result": lambda scene: score_cuts(scene.tree(), scene.points()),
    "partition.Decomposition.self": lambda scene: decompose(scene.labels(), scene.labels()),
    "quality.TreeCost.self": lambda scene: dasgupta_cost(scene.tree(), scene.points(), metric="sqeuclidean"),
    "taxonomy.PredictionScores.self": predictions,
    "taxonomy.PredictionLevels.self": lambda scene: predictions(scene).levels,
    "measures.find.word": lambda scene: scene.one_of("ari", "cid", "UPGMA", "ancestor f1", "nothing", *NAMES),
    "significance.Selective.self": lambda scene: selective(scene.rng.normal(size=(scene.one_of(5, 9), 2))),
    "significance.Splits.self": lambda scene: splits(scene.rng.random((scene.one_of(10, 12), 2)), n_references=19),
    "significance.splits.X": lambda scene: scene.rng.normal(size=(scene.one_of(10, 12), scene.one_of(1, 3))),
    "significance.splits.n_references": lambda scene: scene.one_of(19, 20),
    "taxonomy.compare_taxonomies.a": graph,
    "taxonomy.compare_taxonomies.b": graph,
    "taxonomy.match_concepts.a": graph,
    "taxonomy.match_concepts.b": graph,
    "taxonomy.nearest_tree.dag": graph,
    "taxonomy.taxonomy_quality.taxonomy": graph,
    "taxonomy.taxonomy_quality.embeddings": lambda scene: scene.rng.normal(size=(scene.one_of(2, 5, 9), 3)),
    "taxonomy.TaxonomyComparison.self": compared,
    "taxonomy.TaxonomyComparison.p_text.p": lambda scene: scene.one_of(None, 0.01, 1.0),
    "taxonomy.ConceptChange.self": lambda scene: GOOD["taxonomy.ConceptChange.self"],
    "taxonomy.ConceptMatches.self": lambda scene: match_concepts(graph(scene), graph(scene)),
    "taxonomy.NearestTree.self": lambda scene: nearest_tree(graph(scene)),
    "taxonomy.TaxonomyQuality.self": judged,
    "significance.Enrichment.self": lambda scene: enrichment(scene.tree(), scene.labels()),
    "significance.Recurrence.self": lambda scene: recurrence(scene.tree(), scene.tree()),
    "significance.TopDown.self": lambda scene: TopDown(*scene.rng.random((2, 3)), 0.05),
    "significance.adjust_down.p_values": lambda scene: scene.rng.random(scene.latest.n_nodes),
    "significance.reject_down.test": lambda scene: lambda nodes: scene.rng.random(nodes.size) ** 4,
    "significance.reject_down.hypotheses": lambda scene: scene.rng.random(scene.latest.n_nodes) < 0.7,
    "quality.CutScores.self": lambda scene: score_cuts(scene.tree(), scene.points()),
    "quality.gap_statistic.build": lambda scene: lambda points: random_tree(len(points), rng=scene.rng),
    "plot.worsening.result": lambda scene: {
        "step": scene.rng.integers(0, 3, 4),
        "measure": scene.rng.choice(["rand", "x"], 4).tolist(),
        "value": scene.rng.random(4),
    },
    "changes.Diff.self": lambda scene: diff(scene.tree(), scene.tree()),
    "Comparison.self": lambda scene: compare(scene.tree(), scene.tree(), on_mismatch="intersect"),
    "Hierarchy.self": Scene.tree,
    "Hierarchy.own_items.v": lambda scene: scene.one_of(0, 0, scene.latest.root, *INTEGERS),
    "Hierarchy.restrict.item_names": lambda scene: scene.rng.choice(scene.names, size=scene.rng.integers(1, 4)),
    "measures.Measure.self": lambda scene: MEASURES[scene.one_of(*MEASURES)],
    "Overlap.self": lambda scene: Overlap.of(scene.tree(), scene.tree(), on_mismatch="intersect"),
    "comparison.Matches.self": lambda scene: best_matches(scene.tree(), scene.tree()),
    "levels.LabelProfile.self": lambda scene: label_profile(scene.tree(), scene.labels()),
    "levels.LabelProfile.best_cut.measure": lambda scene: scene.one_of("adjusted_rand", "b_cubed", "rand"),
    "levels.Profile.self": lambda scene: profile(scene.tree(), scene.tree(), scene.one_of("rand", "split_merge")),
    "levels.Stages.self": lambda scene: stages(scene.tree(), scene.tree()),
    "partition.Bipartite.self": lambda scene: bipartite(*(scene.rng.integers(0, 3, scene.n) for _ in range(2))),
}


def type_of(function, key):
    """Return the type of a parameter; None if it is not known when the package runs."""
    function = function.__init__ if inspect.isclass(function) else function
    kind = function.__annotations__.get(key)
    try:
        return eval(kind, function.__globals__) if isinstance(kind, str) else kind
    except (NameError, TypeError):
        return None


def draw_arguments(name, function, good, rng):
    """Return drawn arguments in place of the good ones, and for some of the optional parameters too."""
    scene = Scene(rng)
    parameters = inspect.signature(function).parameters
    of_labels = "b" in parameters and isinstance(good["a"], list)
    arguments = dict(good)
    for key in parameters:
        if key in good or rng.random() < 0.3:
            make = Scene.labels if of_labels and key in ("a", "b") else maker(name, key, type_of(function, key))
            if make is not None:
                arguments[key] = make(scene)
    return arguments


def maker(name, key, kind):
    """Return what draws values for a parameter: known by its name, or guessed by its type; None leaves it as it is."""
    own = f"{name.rpartition('.')[0]}.self" if key == "self" else f"{name}.{key}"
    if own in DRAWS or key in DRAWS:
        return DRAWS.get(own, DRAWS.get(key))
    choices = [kind, *typing.get_args(kind)]
    words = [word for choice in choices if typing.get_origin(choice) is typing.Literal for word in choice.__args__]
    if words:
        return lambda scene: scene.one_of(*words)
    if kind is bool and key != "force":
        return lambda scene: scene.one_of(True, False, 1, np.False_)
    if int in choices:
        return lambda scene: scene.one_of(*INTEGERS)
    if float in choices:
        return lambda scene: scene.one_of(*FLOATS)
    return None
