"""Heights from lengths of branches: rounding of the text neither breaks ties nor makes them."""

import json
import warnings
from decimal import Decimal

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage

from dendrometry import from_json, from_linkage, from_newick, overall_similarity, read, to_newick
from dendrometry._kernels.io import lengths as kernels
from dendrometry.errors import AssumptionWarning, InvalidInputError
from dendrometry.hierarchy import Hierarchy
from dendrometry.io import from_networkx

THIRD = "0.3333333333"  # two of them are less than the tip of the other side, 0.6666666667
ROUNDED = (
    f"(((a:{THIRD},b:{THIRD}):{THIRD},c:0.6666666667):1.333333333,"
    f"((d:{THIRD},e:{THIRD}):{THIRD},(f:{THIRD},g:{THIRD}):{THIRD}):1.333333333);"
)


def printed(tree, form):
    """Return the tree in Newick, its lengths printed as other programs do; items are numbered."""
    text = [name for name, _ in sorted(zip(tree.items, tree.item_node.tolist(), strict=True), key=lambda pair: pair[1])]
    text += [""] * (tree.n_nodes - len(text))
    for v in np.flatnonzero(tree.n_children).tolist():
        start, stop = tree.children.start[v : v + 2]
        children = tree.children.node[start:stop].tolist()
        lengths = [form % (tree.height[v] - tree.height[c]) for c in children]
        text[v] = f"({','.join(f'{text[c]}:{length}' for c, length in zip(children, lengths, strict=True))})"
    return text[-1] + ";"


def merge_ranks(tree):
    """Return the rank of the height of each cluster, equal for ties."""
    inner = np.flatnonzero(tree.n_children)
    order = tree.order
    rank = np.unique(tree.height[inner], return_inverse=True)[1].tolist()
    spans = zip(order.item_low[inner].tolist(), order.item_high[inner].tolist(), rank, strict=True)
    return {frozenset(tree.items[i] for i in order.item[low:high]): at for low, high, at in spans}


def tied(seed, method):
    """Return the tree of points with many ties, with heights of 12 decimals as R has them after halving."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 3, size=(int(rng.integers(8, 60)), 5)) * 0.351
    tree = from_linkage(linkage(points, method))
    return Hierarchy(tree.parent, np.round(tree.height / 2, 12), tree.item_node, tree.items)


def quietly(text, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssumptionWarning)
        return from_newick(text, **options)


@pytest.mark.parametrize("form", ["%.10g", "%.6g", "%1.5f", "%.9f", "%.15g", "%.6e"])
def test_ties_survive_the_digits_of_other_programs(form):
    lost = 0
    for seed in range(12):
        tree = tied(seed, ("average", "complete", "ward")[seed % 3])
        text = printed(tree, form)
        assert merge_ranks(quietly(text)) == merge_ranks(tree)
        assert quietly(text).height[quietly(text).leaves].max() == 0.0
        lost += merge_ranks(from_newick(text, exact_heights=True)) != merge_ranks(tree)
    assert lost, "some of these texts break ties if their digits are taken as exact"


def test_measures_of_tied_trees_do_not_depend_on_the_digits_they_were_printed_with():
    a, b = tied(1, "average"), tied(1, "complete")
    through_text = (quietly(printed(tree, "%.10g")) for tree in (a, b))
    assert overall_similarity(*through_text) == overall_similarity(a, b)


@pytest.mark.parametrize("form", ["%.10g", "%.6g", "%.15g", "%.17g"])
def test_heights_that_differ_by_more_than_the_digits_stay_apart(form):
    for seed in range(4):
        points = np.random.default_rng(seed).normal(size=(50, 4))
        tree = from_linkage(linkage(points, "average"))
        assert merge_ranks(quietly(printed(tree, form))) == merge_ranks(tree)


def test_what_was_taken_as_equal_is_told_and_can_be_switched_off(tmp_path):
    with pytest.warns(
        AssumptionWarning, match=r"lengths have 10 digits, so that heights are known .*: 1 height within"
    ):
        tree = from_newick(ROUNDED)
    assert np.unique(tree.height).size == 4
    assert np.unique(from_newick(ROUNDED, exact_heights=True).height).size > 4
    path = tmp_path / "tree.nwk"
    path.write_text(ROUNDED)
    with pytest.warns(AssumptionWarning, match=r"tree.nwk: lengths have 10 digits"):
        assert read(path) == tree
    assert read(path, exact_heights=True) == from_newick(ROUNDED, exact_heights=True)


def test_short_numbers_are_exact():
    tree = from_newick("((a:1,b:2):1,c:3);")
    assert sorted(tree.height.tolist()) == [0.0, 0.0, 1.0, 2.0, 3.0]
    tree = from_newick("((a:0.1,b:0.1):0.1,(c:0.3,d:0.3):0.1);")
    assert sorted(tree.height.tolist())[-2:] == pytest.approx([0.3, 0.4])


def test_sums_of_decimals_that_are_equal_are_equal_heights():
    tree = from_newick("(((a:0.1,b:0.1):0.2,c:0.3):0.7,(d:0.3,e:0.3):0.7);")
    assert np.unique(tree.height).size == 4


def test_tips_of_one_node_with_different_lengths_are_not_level():
    tree = from_newick("((a:0.1234,b:0.1235):0.5,c:0.6234);")
    assert np.count_nonzero(tree.height[tree.leaves]) == 2


@pytest.mark.parametrize(
    "text",
    [
        f"(a:{THIRD},b:0.3333333334);",
        f"((a:{THIRD},b:0.3333333334):{THIRD},c:0.6666666667);",
        f"((a:{THIRD},b:{THIRD}):{THIRD},c:0.6666666667,early:0.1);",
    ],
)
def test_tips_that_differ_in_the_last_of_many_digits_lie_at_0_together(text):
    with pytest.warns(AssumptionWarning, match=r"lengths have 10 digits, .* taken as equal to it"):
        tree = from_newick(text)
    low = [name for name, v in zip(tree.items, tree.item_node, strict=True) if tree.height[v] == 0.0]
    assert low == [name for name in tree.items if name != "early"]
    exact = from_newick(text, exact_heights=True)
    assert 0.0 < np.sort(exact.height)[exact.leaves.size - 1 - ("early" in tree.items)] < 2e-10


def test_ties_survive_the_digits_where_one_tip_is_higher_than_the_others():
    lost = 0
    for seed in range(8):
        tree = tied(seed, "average")
        height = tree.height.copy()
        height[tree.item_node[3]] = height[tree.parent[tree.item_node[3]]] / 2
        uneven = Hierarchy(tree.parent, height, tree.item_node, tree.items)
        text = printed(uneven, "%.10g")
        assert merge_ranks(quietly(text)) == merge_ranks(tree)
        assert np.count_nonzero(quietly(text).height[uneven.leaves]) <= 1
        lost += merge_ranks(from_newick(text, exact_heights=True)) != merge_ranks(tree)
        few = printed(uneven, "%.6f")
        assert from_newick(few) == from_newick(few, exact_heights=True) or height[tree.item_node[3]] == 0.0
    assert lost, "some of these texts break ties if their digits are taken as exact"


def test_a_length_that_is_certain_keeps_a_node_above_its_child():
    text = "(((a:0.3333333333,b:0.3333333333):2e-11,c:0.3333333333):0.6666666667,d:0.9999999999);"
    tree = quietly(text)
    assert (tree.height[tree.parent[:-1]] > tree.height[:-1]).sum() == tree.n_nodes - 1


def test_trees_written_here_in_full_are_read_as_they_are():
    for seed in range(8):
        tree = tied(seed, "average")
        uneven = Hierarchy(tree.parent, tree.height * np.sqrt(2.0), tree.item_node, tree.items)
        assert from_newick(to_newick(uneven)) == uneven
        tree = from_linkage(linkage(np.random.default_rng(seed).normal(size=(60, 3)), "average"))
        text = to_newick(tree)
        assert from_newick(text) == from_newick(text, exact_heights=True)


def test_lengths_in_json_become_heights():
    leaf = [{"name": name, "length": length} for name, length in (("a", 1), ("b", 1), ("c", 2))]
    nested = {"children": [{"length": 1, "children": leaf[:2]}, leaf[2]]}
    assert from_json(json.dumps(nested)) == from_newick("((a:1,b:1):1,c:2);")
    del leaf[2]["length"]
    with pytest.warns(AssumptionWarning, match="length is left out, since not all nodes below the root have one"):
        assert from_json(json.dumps(nested)) == from_newick("((a,b),c);")
    with_heights = '{"height": 1, "children": [{"name": "a", "height": 0, "length": 9}, {"name": "b", "height": 0}]}'
    with pytest.warns(AssumptionWarning, match="length is left out, since nodes have heights"):
        assert from_json(with_heights) == from_newick("(a:1,b:1);")


def test_digits_of_lengths_in_json_and_networkx_are_those_of_their_numbers():
    tree = quietly(ROUNDED)
    graph = networkx.DiGraph()
    lengths = dict.fromkeys("abdefg", 0.3333333333) | dict.fromkeys(("ab", "de", "fg"), 0.3333333333)
    lengths |= {"c": 0.6666666667, "abc": 1.333333333, "defg": 1.333333333}
    inside = {"root": ("abc", "defg"), "abc": ("ab", "c"), "ab": "ab", "defg": ("de", "fg"), "de": "de", "fg": "fg"}
    for above, below in inside.items():
        graph.add_edges_from((above, name, {"length": lengths[name]}) for name in below)
    with pytest.warns(AssumptionWarning, match="lengths have 10 digits"):
        found = from_networkx(graph)
    assert found == tree
    assert from_networkx(graph, exact_heights=True) == from_newick(ROUNDED, exact_heights=True)


def test_weights_of_edges_are_lengths_only_if_asked_for():
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from([("r", "x", 1), ("r", "c", 2), ("x", "a", 1), ("x", "b", 1)])
    with pytest.warns(AssumptionWarning, match=r"weight of the edges is left out \(length='weight' takes"):
        assert from_networkx(graph) == from_newick("((a,b),c);")
    assert from_networkx(graph, length="weight") == from_newick("((a:1,b:1):1,c:2);")
    del graph.edges["r", "c"]["weight"]
    with pytest.raises(InvalidInputError, match="all edges must have the attribute 'weight'; 3 of 4 edges have it"):
        from_networkx(graph, length="weight")


@pytest.mark.parametrize(
    ("change", "length", "message"),
    [
        (lambda graph: graph.edges["r", "a"].update(weight="x"), "weight", "weight of edges must be a number"),
        (lambda graph: graph.edges["r", "a"].update(weight=np.inf), "weight", "weight of edges must be finite"),
        (lambda graph: networkx.set_node_attributes(graph, 1, "height"), "weight", "nodes must have no heights"),
        (lambda graph: None, 5, "length must be the name of an attribute of edges; got 5"),
    ],
)
def test_refuses_what_are_no_lengths(change, length, message):
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from([("r", "a", 1), ("r", "b", 1)])
    change(graph)
    with pytest.raises(InvalidInputError, match=message):
        from_networkx(graph, length=length)


tame = st.floats(0, 1e20) | st.integers(0, 10**7).map(lambda x: x / 1000) | st.integers(0, 10**20).map(float)


@given(st.lists(tame, min_size=1))
@pytest.mark.compiled
def test_digits_are_those_of_the_shortest_decimal_form(values):
    found = kernels.longest_digits(np.array(values))
    forms = [Decimal(repr(x)).normalize().as_tuple() for x in values]
    known = [form for form, left in zip(forms, found.is_left.tolist(), strict=True) if not left]
    assert found.digits == max((len(form.digits) for form in known), default=1)
    assert found.places == max((-form.exponent for form in known if form.exponent < 0), default=0)
    left = [form for form, left in zip(forms, found.is_left.tolist(), strict=True) if left]
    assert all(len(form.digits) > 15 or form.exponent < -22 or form.exponent > 0 for form in left)
