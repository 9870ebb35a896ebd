"""The page of a comparison as text: edge trees, numbers that agree with the package, files, refusals."""

import base64
import gzip
import json
import re
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

import dendrometry as dm
from dendrometry.comparison import compare_overlap
from dendrometry.comparison.chance import n_relabellings
from dendrometry.plot._layout.units import units_of
from dendrometry.report.comparison import comparison_page
from dendrometry.report.levels import LevelCuts, cut_levels
from tests.report.large import alike_pair
from tests.strategies import random_hierarchy
from tests.zoo import ZOO

pytestmark = pytest.mark.usefixtures("few_relabellings")


@pytest.fixture
def pair():
    return dm.from_newick("(((ape:1,cat:1):1,elk:2):1,owl:3);"), dm.from_newick("((ape:1,cat:1):2,(elk:2,owl:2):1);")


@pytest.mark.parametrize("name", ZOO)
@pytest.mark.further
def test_every_edge_tree_has_a_page(name):
    tree = ZOO[name]
    flat = dm.from_labels([0] * tree.n_items, item_names=tree.items)
    for a, b in ((tree, tree), (tree, flat), (flat, tree)):
        page = comparison_page(dm.compare(a, b, measures=dm.measures.TREE_MEASURES)).html()
        assert page.count("<section") == 4
        assert "nan" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def test_identical_trees_are_called_the_same(pair):
    result = dm.compare(pair[0], pair[0])
    assert result.verdict == (
        "The two trees are the same by hierarchy_agreement."
        " Each of the 2 clusters of the first tree also occurs in the second."
    )


def test_p_values_are_those_of_test_of(pair):
    result = dm.compare(*pair)
    tests = result.test().chance
    assert tests.n == 19
    for name, p in tests.p_value.items():
        assert p == dm.permutation_test(*pair, name, 19, rng=0).p_value
    assert set(tests.p_value) == {line.name for line in result.lines if line.score is not None}


def test_relabellings_are_a_rule_by_the_number_of_items(monkeypatch):
    monkeypatch.undo()
    counts = [n_relabellings(n) for n in (1, 2_000, 20_000, 20_001)]
    assert counts == [199, 199, 99, 0]


def test_costly_measures_say_that_they_were_not_tested(monkeypatch):
    monkeypatch.setattr("dendrometry.comparison.chance.MOST_STEPS", 1_000)
    result = dm.compare(*alike_pair(210))
    tests = result.test().chance
    assert "for 19 relabellings would take about 1 second; permut" in tests.reason["cophenetic_correlation"]
    assert "cophenetic_correlation" not in tests.p_value
    assert tests.p_value["hierarchy_agreement"] == 0.05


def test_levels_of_trees_with_heights_are_the_stages(pair):
    result = dm.compare(*pair)
    levels = cut_levels(result)
    assert isinstance(levels, LevelCuts)
    assert not levels.by_depth
    assert levels.columns()["series"]["adjusted_rand"]["value"] == pytest.approx(result.stages.adjusted_rand, rel=1e-5)


def test_levels_by_depth_cut_a_taxonomy_at_each_rank():
    zoo = dm.datasets.zoo()
    found = dm.agglomerate(zoo.traits, linkage="average", item_names=zoo.items).hierarchy
    for a, b in ((zoo.taxonomy, found), (found, zoo.taxonomy)):
        result = dm.compare(a, b)
        levels = cut_levels(result)
        assert isinstance(levels, LevelCuts)
        assert levels.by_depth
        bare = zoo.taxonomy.without_unary()
        for d, value in zip(levels.at.tolist(), levels.stages.adjusted_rand, strict=True):
            ancestor = np.arange(bare.n_nodes)
            for v in range(bare.n_nodes - 2, -1, -1):
                ancestor[v] = v if bare.depths[v] <= d else ancestor[bare.parent[v]]
            rank = dict(zip(bare.items, ancestor[bare.item_node].tolist(), strict=True))
            k = len(set(rank.values()))
            cut = dm.levels.profile(found, found, "rand", n_clusters=[k]).n_groups[0][0]
            labels = dm.cut_count(found, int(cut)).labels
            assert dm.adjusted_rand([rank[name] for name in found.items], labels) == pytest.approx(value, abs=1e-12)


def test_two_trees_without_heights_are_cut_at_the_same_depths():
    a, b = dm.from_newick("((ape,cat),(elk,(fox,owl)));"), dm.from_newick("((ape,cat,elk),(fox,owl));")
    result = dm.compare(a, b)
    levels = cut_levels(result)
    assert isinstance(levels, LevelCuts)
    first = dm.adjusted_rand([0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    assert levels.stages.adjusted_rand.tolist() == pytest.approx(
        [first, dm.adjusted_rand([0, 1, 2, 3, 3], range(5)), 1.0]
    )


def test_the_file_is_whole_and_replaced_only_by_force(pair, tmp_path):
    path = tmp_path / "report.html"
    result = dm.compare(*pair)
    dm.report(result, path)
    written = path.read_bytes()
    with pytest.raises(dm.errors.InvalidInputError, match=r"exists \(force=True"):
        dm.report(result, path)
    dm.report(result, path, force=True)
    assert path.read_bytes() == written  # the same bits for the same trees
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_refuses_names_that_are_not_two_texts(pair, tmp_path):
    with pytest.raises(dm.errors.InvalidInputError, match="names must be a pair, one name for each tree; got 1 name"):
        dm.report(dm.compare(*pair), tmp_path / "report.html", names=("one",))


def test_refuses_a_place_that_cannot_be_written(pair, tmp_path):
    with pytest.raises(dm.errors.InvalidInputError, match="cannot write"):
        dm.report(dm.compare(*pair), tmp_path / "nowhere" / "report.html")


def test_refuses_a_page_whose_name_is_not_that_of_a_page(pair, tmp_path):
    with pytest.raises(dm.errors.InvalidInputError, match=r"path must end in \.html or \.htm; got .*report\.txt"):
        dm.report(dm.compare(*pair), tmp_path / "report.txt")
    with pytest.raises(dm.errors.InvalidInputError, match=r"path must end in \.html or \.htm"):
        dm.browse(pair[0], tmp_path / "tree")


def test_items_left_out_are_told(pair):
    other = dm.from_newick("((ape:1,cat:1):2,(elk:2,yak:2):1);")
    page = comparison_page(dm.compare(pair[0], other, on_mismatch="intersect")).html()
    assert "1 of the first tree, 1 of the second tree" in page


def test_chosen_measures_alone_are_in_the_table(pair):
    page = comparison_page(dm.compare(*pair, measures=["cophenetic_distance"])).html()
    assert page.count("<code>") == 1


def test_the_policy_allows_no_connection_and_only_these_scripts(pair):
    page = comparison_page(dm.compare(*pair)).html()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
    assert policy.startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    assert "unsafe-inline" not in policy.split(";")[1]
    assert policy.count("sha256-") == page.count("<script>") + page.count('id="plotly"')


def test_too_many_items_leave_the_trees_out(pair, monkeypatch):
    monkeypatch.setattr(import_module("dendrometry.report.comparison"), "_MOST_UNITS", 3)
    page = comparison_page(dm.compare(*pair))
    assert page.data["trees"] is None
    assert "plot.dendrogram" in page.html()
    assert page.data["levels"]["at"] == [2, 3]


def test_support_is_refused_where_there_is_none_to_show(pair, tmp_path):
    result, path = dm.compare(*pair), tmp_path / "report.html"
    for support, message in (
        (([0.5], None), f"support must have one value for each of {pair[0].n_nodes} nodes; got 1"),
        ((None, np.full(pair[1].n_nodes, 2.0)), "support must be from 0 to 1"),
        (np.zeros(3), "support must be a pair, one of each tree or None"),
    ):
        with pytest.raises(dm.errors.InvalidInputError, match=message):
            dm.report(result, path, support=support)
    for other in (dm.comparison.compare_partitions([0, 1, 1], [0, 0, 1]), dm.diff(*pair)):
        with pytest.raises(dm.errors.InvalidInputError, match="support is for a comparison of two trees"):
            dm.report(other, path, support=(None, None))


def test_refuses_what_no_report_is_made_of(pair, tmp_path):
    with pytest.raises(
        dm.errors.InvalidInputError,
        match=r"a Diff, a Stability, Resolutions, Splits, a TaxonomyComp.*; got Hierarchy",
    ):
        dm.report(pair[0], tmp_path / "report.html")
    matrix = dm.pairwise_matrix(pair, "hierarchy_agreement")
    with pytest.raises(dm.errors.InvalidInputError, match="names are for a comparison"):
        dm.report(matrix, tmp_path / "report.html", names=("one", "two"))


def test_the_page_uses_the_names_of_the_comparison_or_those_given(pair, tmp_path):
    result = dm.compare(*pair, names=("traits", "genes"))
    dm.report(result, tmp_path / "own.html")
    own = (tmp_path / "own.html").read_text(encoding="utf-8")
    assert "<bdi>traits</bdi></b> compared with <b><bdi>genes</bdi>" in own
    assert "Of the 2 clusters of traits, 1 also occurs in genes" in own
    dm.report(result, tmp_path / "other.html", names=("morphology", "DNA"))
    other = (tmp_path / "other.html").read_text(encoding="utf-8")
    assert "traits" not in re.sub(r"<(script|style).*?</\1>", "", other, flags=re.DOTALL)
    assert "Of the 2 clusters of morphology, 1 also occurs in DNA" in other
    assert result.names == ("traits", "genes")


def counted(result):
    """The same comparison without the items, as a database counts it."""
    overlap = replace(result.overlap, items=(), item_row=result.overlap.item_row[:0])
    return compare_overlap(overlap, measures=dm.measures.TREE_MEASURES)


@pytest.mark.further
@pytest.mark.parametrize(
    "heights",
    [
        (True, False),
        *(pytest.param(both, marks=pytest.mark.further) for both in ((False, False), (False, True), (True, True))),
    ],
)
def test_levels_of_counted_items_are_those_of_listed_items(heights):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        a, b = (random_hierarchy(30, rng, wild=True, heights=has) for has in heights)
        result = dm.compare(a, b, measures=dm.measures.TREE_MEASURES)
        listed, found = cut_levels(result), cut_levels(counted(result))
        assert found == listed if isinstance(listed, str) else found.columns() == listed.columns()


def unpacked(column):
    """The numbers of a packed column of whole numbers."""
    planes = np.frombuffer(gzip.decompress(base64.b64decode(column["gzip"])), dtype=np.uint8).reshape(4, -1)
    return np.ascontiguousarray(planes.T).view("<i4")[:, 0]


def taxonomies(n=300):
    """Two trees of few nodes, which share items at most pairs of them."""
    rng = np.random.default_rng(0)
    names = ["a", "a/p", "a/q", "a/q/r", "b", "b/s", "b/t"]
    first = rng.integers(0, 7, n)
    second = np.where(rng.random(n) < 0.85, first, rng.integers(0, 7, n))
    return [dm.from_paths([names[i] for i in nodes.tolist()], sep="/") for nodes in (first, second)]


@pytest.mark.further
@pytest.mark.parametrize("most", [250, 20])
def test_the_page_of_many_items_is_that_of_the_counted_ones(monkeypatch, most):
    monkeypatch.setattr(import_module("dendrometry.report.comparison"), "_MOST_UNITS", most)
    result = dm.compare(*taxonomies(), measures=dm.measures.TREE_MEASURES)
    listed, found = comparison_page(result), comparison_page(counted(result))
    assert found.data == listed.data
    assert found.data["trees"] is not None
    assert found.sections[:2] == listed.sections[:2]
    assert f"Items are listed up to {most}; item_disagreement holds" in listed.html()
    assert "their names not kept, so none can be listed" in found.html()


@pytest.mark.further
def test_the_page_of_counted_items_has_the_clusters_of_the_listed_ones():
    result = dm.compare(*taxonomies(), measures=dm.measures.TREE_MEASURES)
    listed, found = (clusters_of(comparison_page(each).data["trees"]) for each in (result, counted(result)))
    assert found == listed
    assert any(colour is not None for *_, colour in listed.values())


def clusters_of(columns):
    """What the page says about each named cluster of the first tree: moment, best match, common items and colour."""
    a, b = (json.loads(gzip.decompress(base64.b64decode(columns[side]["names"]["gzip"]))) for side in "ab")
    matches = columns["matches"]
    moment, match, common = map(unpacked, (columns["a"]["moment"], matches["match"], matches["common"]))
    colour = {a[place]: a[place] for place, _ in columns["coloured"]}
    return {
        name: (moment[v].item(), b[match[v]], common[v].item(), colour.get(name)) for v, name in enumerate(a) if name
    }


@pytest.mark.further
def test_of_many_pairs_of_nodes_the_largest_are_drawn_and_all_are_counted(monkeypatch):
    monkeypatch.setattr(import_module("dendrometry.report.comparison"), "_MOST_UNITS", 20)
    result = counted(dm.compare(*taxonomies(), measures=dm.measures.TREE_MEASURES))
    units = units_of(result, 20)
    assert units.n_rows > units.weight.size >= 20
    assert units.weight.min() >= np.sort(result.overlap.count)[::-1][19] or units.weight.size > 20
    page = comparison_page(result).html()
    share = f"{100 * units.weight.sum() / 300:.0f}%"
    said = f"Of {units.n_rows} pairs of nodes that share items, the page holds the {units.weight.size} largest, with"
    assert page.count(f"{said} {share}") == 2
    columns = comparison_page(result).data["trees"]
    for side, tree in (("a", result.statistics.pair.a), ("b", result.statistics.pair.b)):
        sizes = unpacked(columns[side]["size"])
        assert sorted(sizes.tolist()) == sorted(tree.size.tolist())


def test_the_page_has_the_p_value_of_every_cluster_and_says_how_many_recur():
    tree = dm.from_newick("((a,b,c,d,e,f)left,(g,h,i,j,k,l)right);")
    other = dm.from_newick("((a,b,c,d,e),((g,h,i,j,k,l),f));")
    compared = dm.compare(tree, other)
    page = comparison_page(compared)
    packed = page.data["trees"]["matches"]["chance"]
    planes = np.frombuffer(gzip.decompress(base64.b64decode(packed["gzip"])), dtype=np.uint8)
    drawn = planes.reshape(4, -1).T.copy().view("<f4").ravel()
    assert np.sort(10 ** drawn[~np.isnan(drawn)].astype(float)) == pytest.approx(
        np.sort(compared.recurrence.adjusted), rel=1e-5
    )
    text = "".join(section.body for section in page.sections)
    assert "2 of 2 clusters recur more closely than by chance" in text
    assert compared.recurrence.methods in text
