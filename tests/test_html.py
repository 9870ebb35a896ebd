"""What a notebook shows: names as text, large trees folded, well-formed HTML without colours of its own theme."""

import dataclasses
import inspect
from html.parser import HTMLParser

import numpy as np
import pytest

import dendrometry as dm
from dendrometry._studies.result import Table
from tests.zoo import ZOO, caterpillar

HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "\x1b[31mred", "a&b", "'; x='"]


class Read(HTMLParser):
    """The tags, the text and the attributes of some HTML; every tag must be closed in its turn."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.append(tag)
        self.attributes += attributes

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def html_of(value):
    return Read(value._repr_html_())


@pytest.mark.parametrize("tree", ZOO.values(), ids=ZOO.keys())
def test_every_tree_shows_its_summary_and_its_items(tree):
    shown = html_of(tree)
    assert repr(tree) in shown.text
    if tree.n_items <= 8:
        assert all(item in shown.text for item in tree.items)
    assert set(shown.tags) <= {"div", "b", "details", "summary", "span"}


def test_a_small_tree_is_unfolded_and_names_heights_and_inner_nodes():
    shown = dm.from_newick("((ape:1,cat:1)cats:1,owl:2);")._repr_html_()
    assert shown.count("<details open>") == 2
    assert "<b>cats</b>" in shown
    assert "2 items, height 1" in shown


def test_a_large_tree_is_folded_and_small_on_the_page():
    rng = np.random.default_rng(0)
    tree = dm.agglomerate(rng.random((2000, 2)), linkage="single").hierarchy
    text = tree._repr_html_()
    assert len(text) < 60_000
    unfolded = text.count("<details open>")
    assert 1 <= unfolded <= 30 < text.count("<details>")


@pytest.mark.further
def test_a_chain_and_a_star_of_100_000_nodes_are_shown():
    deep = html_of(caterpillar(100_000))
    assert "100,000 items" in deep.text
    star = dm.from_labels(list(range(100_000)))
    shown = html_of(star)
    assert "… 99,970 items in 99,970 more" in shown.text
    assert len(star._repr_html_()) < 10_000


def test_names_are_text_wherever_they_show():
    tree = dm.from_labels(["<b>g</b>", "<b>g</b>", "x", "x", "x"], item_names=HOSTILE)
    other = dm.from_labels([0, 1, 1, 0, 0], item_names=HOSTILE)
    named = dm.pairwise_matrix({"<script>": tree, "</th>": other}, "hierarchy_agreement")
    for value in (tree, dm.compare(tree, other), named):
        shown = html_of(value)
        assert not {"script", "img"} & set(shown.tags)
        assert not [name for name, _ in shown.attributes if name.startswith("on")]
        assert "\x1b" not in shown.text
    assert "<script>alert(1)</script>" in html_of(tree).text
    assert "<script>" in html_of(named).text


def test_a_comparison_shows_every_measure_with_its_place_between_chance_and_identical():
    a, b = dm.from_newick("((ape:1,cat:1):2,(elk:1,owl:1):2);"), dm.from_newick("((ape:1,cat:1):1,elk:2,owl:2);")
    result = dm.compare(a, b)
    shown = html_of(result)
    for line in result.lines:
        assert line.name in shown.text
        assert (f"{line.caveat}." if line.caveat else line.sentence) in shown.text
    assert all(fact in shown.text for fact in result.facts())
    bars = [value for name, value in shown.attributes if name == "aria-label"]
    finite = [line for line in result.lines if line.score is not None and np.isfinite(line.measure.upper)]
    assert len(bars) == len(finite)
    agreement = result["hierarchy_agreement"]
    assert bars[0] == f"{agreement.value:.4g} of 0 to 1, {agreement.expected:.4g} by chance"
    assert f'width="{100 * agreement.value:.1f}"' in result._repr_html_()


def test_a_matrix_shows_its_names_and_values_and_says_what_is_left_out():
    trees = [dm.from_newick("((a,b),(c,d));"), dm.from_newick("(((a,b),c),d);")]
    small = html_of(dm.pairwise_matrix({"x": trees[0], "y": trees[1]}, "hierarchy_agreement"))
    says = "2 trees by hierarchy_agreement, adjusted: 0 as by chance, 1 for identical trees"
    assert small.text == f"hierarchy_agreementxyx10.25y0.251{says}"
    assert (
        "identical trees; 5 more trees not shown"
        in html_of(dm.pairwise_matrix(trees * 12 + trees[:1], "hierarchy_agreement")).text
    )


def test_colours_are_those_of_the_page():
    result = dm.compare(ZOO["balanced"], ZOO["balanced"])
    for value in (ZOO["balanced"], result, dm.pairwise_matrix([ZOO["balanced"]], "hierarchy_agreement")):
        text = value._repr_html_()
        assert "color:#" not in text
        assert "background" not in text


NAMED = dm.from_newick("((ape:1,cat:1)cats:2,(elk:1,'<b>':1)rest:2);")
OTHER = dm.from_newick("(((ape:1,cat:1):1,elk:2):1,'<b>':3);")
TEXTS = dm.text.vectorize_documents({"<b>": "ship port", "b": "ship port", "c": "grain wheat"})
TREE = dm.from_newick("(('<b>',b),c);")
POINTS = [[0.0], [1.0], [5.0]]
RESULTS = {
    "matches": (dm.best_matches(NAMED, OTHER), ["cats", "<b>", "2 items, such as ape"]),
    "item disagreement": (dm.item_disagreement(NAMED, OTHER), ["contribution", "<b>"]),
    "significance": (dm.permutation_test(NAMED, OTHER, n_permutations=19, rng=0), ["hierarchy_agreement", "19"]),
    "cut": (dm.cut_count(NAMED, 2), ["elk, <b>"]),
    "consensus": (dm.consensus([NAMED, OTHER, OTHER]), ["ape, cat", "0.6667"]),
    "stages": (dm.stages(NAMED, OTHER), ["adjusted_rand"]),
    "profile": (dm.levels.profile(NAMED, OTHER), ["split_merge"]),
    "decomposition": (dm.partition.decompose([0, 0, 1], [0, 1, 1], measure="split_merge"), ["contribution"]),
    "labels": (dm.label.label_nodes(TREE, TEXTS), ["hierarchical", "port, ship"]),
    "label table": (dm.label.label_table(TREE, TEXTS, [4]), ["centroid"]),
    "near duplicates": (dm.text.near_duplicates(TEXTS), ["<b>, b"]),
    "contingency": (dm.Contingency.of(["<b>", "x"], ["y", "y"]), ["<b>", "cluster of b"]),
    "agglomeration": (dm.agglomerate(POINTS, linkage="single", item_names=["<b>", "x", "y"]), ["single on", "<b>"]),
    "division": (dm.cluster.bisect(POINTS, rng=0), ["Division"]),
    "documents": (dm.text.cluster_documents(TEXTS), ["DocumentTree", "<b>"]),
    "table": (Table.of(x=["<b>"], y=[1.5]), ["<b>", "1.5"]),
    "overlap": (dm.Overlap.of(NAMED, OTHER), ["Overlap(4 items", "node of b", "<b>", "items"]),
    "common subtree": (dm.comparison.largest_common_subtree(NAMED, OTHER), ["<b>", "kept", "yes"]),
    "variable scores": (
        dm.comparison.score_variables([[0, 1], [1, 5], [5, 2], [9, 9]], variable_names=["<b>", "x"]),
        ["<b>", "agreement"],
    ),
    "partition part": (dm.comparison.compare_partitions(["<b>", "x"], ["y", "y"]).partition, ["<b>", "cluster of b"]),
    "bipartite": (dm.partition.bipartite([0, 0, 1], [0, 1, 1]), ["component", "clusters of b"]),
    "derivation": (dm.partition.bipartite(["<b>", "x"], ["y", "y"]).derivation(), ["('<b>', 'y')", "from", "items"]),
    "untangled": (dm.plot.untangle(NAMED, OTHER), ["items of a", "<b>", "entanglement"]),
    "predictions": (dm.taxonomy.score_predictions(["cats"], ["rest"], taxonomy=NAMED), ["precision", "adjusted"]),
    "sticks": (dm.generate.stick_breaking(5, alpha=1, decay=1, gamma=1, rng=0), ["StickBreaking", "alpha 1"]),
    "vectors": (TEXTS, ["<b>", "terms", "Documents(3 documents"]),
    "zoo": (dm.datasets.zoo(), ["aardvark", "mammal", "legs", "81 more"]),
    "news": (dm.datasets.news(), ["Explosion at chemical plant", "blast", "80"]),
    "corpus": (dm.datasets.Corpus(("<b>",), ("text",), ("class x",), NAMED), ["<b>", "class x"]),
    "carried names": (dm.changes.carry_names(NAMED, OTHER), ["<b>", "continue an old one"]),
    "tracks": (dm.changes.track_nodes({"<b>": NAMED, "x": OTHER}), ["<b>", "new nodes", "7"]),
    "build report": (
        dm.agglomerate(POINTS, linkage="single").report,
        ["BuildReport", "kd_tree", "n items"],
    ),
    "division report": (dm.cluster.bisect(POINTS, rng=0).report, ["DivisionReport", "unsettled"]),
    "buckshot report": (
        dm.cluster.buckshot([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.1, 1.0]], 2, rng=0).report,
        ["settled", "True"],
    ),
    "triplet report": (dm.cluster.bisect_constrained(POINTS, [(0, 1, 2)], rng=0).report, ["n satisfied", "trust"]),
}
UNROOTED = [dm.io.unroot(dm.from_newick(tree)) for tree in ("((a,b),(c,d),e);", "((a,c),(b,d),e);")]
RESULTS |= {
    "consistency": (dm.partition.consistency({"x": [0, 0, 1], "y": [0, 1, 1]}), ["n_clusterings", "3 items"]),
    "placement": (
        dm.cluster.place(dm.agglomerate([[0.0], [1.0], [5.0]]), [[0.0], [1.0], [5.0]], [[4.0]]),
        ["1 new item", "doubt"],
    ),
    "found": (dm.measures.find("ari"), ["adjusted_rand"]),
    "unrooted tree": (UNROOTED[0], ["UnrootedTree", "5 items"]),
    "quartets": (dm.comparison.quartets(*UNROOTED), ["QuartetCounts", "only a"]),
    "exact test of a split": (dm.significance.selective(POINTS, deviation=1.0), ["Selective", "p_value"]),
    "expectation": (
        dm.comparison.expected_by_chance(NAMED, OTHER, "robinson_foulds"),
        ["Expectation", "standard error"],
    ),
    "unrooted comparison": (dm.comparison.compare_unrooted(*UNROOTED), ["robinson_foulds", "expected"]),
}
NO_RESULTS = {"ItemTable", "LinkageRule", "Measure", "Resampling", "ReutersStory", "Study"}  # what there is or is asked


def public_classes():
    """Every class of the package that users can name without an underscore."""
    modules = [dm, *(value for name in dm.__all__ if inspect.ismodule(value := getattr(dm, name)))]
    found = {value for module in modules for name in module.__all__ if inspect.isclass(value := getattr(module, name))}
    return sorted(found, key=lambda value: value.__qualname__)


def test_every_public_result_type_has_a_view():
    results = [kind for kind in public_classes() if dataclasses.is_dataclass(kind) and kind.__name__ not in NO_RESULTS]
    assert len(results) > 35
    assert [kind.__name__ for kind in results if not hasattr(kind, "_repr_html_")] == []


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_a_view_with_names_as_text(name):
    result, wanted = RESULTS[name]
    shown = html_of(result)
    for text in wanted:
        assert text in shown.text, text
    assert "color:#" not in result._repr_html_()


def test_a_long_result_shows_its_first_rows_and_counts_the_rest():
    tree = dm.generate.random_tree(60, rng=0)
    for result in (dm.item_disagreement(tree, tree), dm.best_matches(tree, tree), dm.cut_count(tree, 30)):
        shown = html_of(result)
        assert shown.tags.count("tr") == 21
        assert shown.text.endswith(" more")


def test_results_become_frames_with_names():
    matches = dm.best_matches(NAMED, OTHER).to_frame().set_index("cluster")
    assert matches["best_match"].to_dict() == {
        "ape": "ape",
        "cat": "cat",
        "cats": "2 items, such as ape",
        "elk": "elk",
        "<b>": "<b>",
        "rest": "elk",
        "4 items, such as ape": "4 items, such as ape",
    }
    parts = dm.item_disagreement(NAMED, OTHER)
    assert parts.to_frame()["value"].to_dict() == dict(zip(parts.items, parts.values.tolist(), strict=True))
    test = dm.permutation_test(NAMED, OTHER, n_permutations=19, rng=0)
    row = test.to_frame().loc["hierarchy_agreement"]
    assert (row["value"], row["p_value"], row["n_permutations"]) == (test.value, test.p_value, 19)
    cut = dm.cut_count(NAMED, 2)
    assert cut.to_frame()["cluster"].to_dict() == {"ape": 0, "cat": 0, "elk": 1, "<b>": 1}
    assert cut.to_frame().loc["elk", "node"] == cut.nodes[1]
