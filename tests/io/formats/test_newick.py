import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.io import newick as oracle
from tests.oracles.sets import hierarchy as hierarchy_oracle
from tests.strategies import any_names, dendrograms, random_linkage
from tests.zoo import ZOO

from dendrometry import from_linkage, from_newick, from_parents, to_newick
from dendrometry._check.names import table_for
from dendrometry._kernels.io import names as spans
from dendrometry._kernels.io import newick as kernels
from dendrometry.errors import FormatError, InvalidInputError, InvalidTreeError, LostMeaningWarning


def clusters(tree):
    return sorted(
        tuple(sorted(c)) for c in hierarchy_oracle.clusters(tree.parent.tolist(), tree.item_node.tolist(), tree.items)
    )


@st.composite
def texts(draw):
    """Newick texts with n-ary and unary nodes, inner names, blanks; no lengths."""
    names = draw(st.lists(st.text("abcXYZ_019.", min_size=1, max_size=4), min_size=1, max_size=9, unique=True))
    branches = [f"'{name}'" if draw(st.booleans()) else f" {name} " for name in names]
    while len(branches) > 1 or draw(st.booleans()):
        take = draw(st.integers(1, min(3, len(branches))))
        inner = draw(st.sampled_from(["", "x", " 'y z'"]))
        branches = [*branches[take:], f"({','.join(branches[:take])}){inner}"]
    return branches[0] + ";"


@given(texts())
def test_clusters_are_those_of_the_grammar(text):
    assert clusters(from_newick(text)) == oracle.tips_below(oracle.parse(text))


@given(dendrograms())
def test_the_grammar_reads_what_we_write(tree):
    parsed = oracle.parse(to_newick(tree))
    assert oracle.tips_below(parsed) == clusters(tree)
    if tree.n_items > 1:
        assert oracle.height_above_tips(parsed) == pytest.approx(tree.height[-1], rel=1e-12)


@given(dendrograms(max_items=20, ties=True))
def test_dendrograms_come_back_bit_for_bit(tree):
    assert from_newick(to_newick(tree)) == tree


@given(st.integers(0, 10_000), st.integers(-250, 250))
def test_heights_come_back_to_within_rounding_at_every_scale(seed, power):
    rng = np.random.default_rng(seed)
    Z = random_linkage(12, rng)
    Z[:, 2] = np.sort(rng.random(11) ** rng.integers(1, 9)) * 10.0**power
    tree = from_linkage(Z)
    again = from_newick(to_newick(tree))
    assert clusters(again) == clusters(tree)
    np.testing.assert_allclose(again.height, tree.height, rtol=1e-15)
    assert (again.height[again.leaves] == 0).all()


@given(st.lists(any_names, min_size=1, max_size=5, unique=True), any_names)
def test_any_unicode_label_comes_back(names, inner):
    parent = [*[len(names)] * len(names), -1]
    tree = from_parents(parent, item_names=names, node_names=[*[""] * len(names), inner])
    again = from_newick(to_newick(tree))
    assert again == tree
    assert again.node_names[-1] == inner


@pytest.mark.parametrize("name", ZOO)
def test_edge_trees_come_back_or_are_refused(name):
    tree = ZOO[name]
    if name == "star":
        with pytest.warns(LostMeaningWarning, match="the leaves' own names are left out"):
            assert from_newick(to_newick(tree)) == tree
    elif (tree.own_sizes == (tree.n_children == 0)).all():
        assert from_newick(to_newick(tree)) == tree
    else:
        with pytest.raises(
            InvalidTreeError, match=r"one item in each leaf and none elsewhere to be written as Newick; node \d has"
        ):
            to_newick(tree)


def test_underscores_stay():
    assert from_newick("(Homo_sapiens,'Pan_paniscus');").items == ("Homo_sapiens", "Pan_paniscus")


def test_doubled_quotes_are_one_quote():
    assert from_newick("('it''s','''');").items == ("it's", "'")


def test_quotes_come_before_brackets_commas_and_colons():
    assert from_newick("('a,(b):c;[d]',e);").items == ("a,(b):c;[d]", "e")


def test_comments_may_stand_anywhere_and_nest():
    text = "[start][a[b]c] ( [x] a [y] : [z] 1 [w] , b:1 [,;()] ) [q] ; [end [of] it] \n"
    assert from_newick(text) == from_newick("(a:1,b:1);")


@pytest.mark.parametrize("length", ["1e-1", "1E0", "-2", "+.5", "3.", " 7 ", "\t2\n", "0", "1.5e+3"])
def test_numbers_are_lengths(length):
    tree = from_newick(f"(a :{length}, b: {length});")
    assert tree.height[-1] == float(length)


def scanned_lengths(text):
    """Return the lengths that the loop reads by itself, nan where it leaves them to Python."""
    encoded = np.frombuffer(text.encode(), dtype=np.uint8)
    n = kernels.count(encoded).n_nodes + 1
    whole, number = np.empty(n, dtype=np.int64), np.empty(n)
    columns = kernels.Columns(whole, whole.copy(), whole.copy(), number, whole.copy(), np.empty(n, dtype=bool))
    read = kernels.scan(encoded, kernels.Piece(0, encoded.size, 0), columns, kernels.Brackets(whole.copy(), whole[:0]))
    assert (read.error, read.n_nodes) == (0, n)
    return number


decimals = st.from_regex(r"\A[+-]?([0-9]{1,20}\.?[0-9]{0,20}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,8})?\Z")


@pytest.mark.further
@given(decimals | st.floats(0, 1e300).map(repr) | st.floats(0, 1).map(repr) | st.floats(0, 1e6).map("{:.17e}".format))
@settings(max_examples=500)
@pytest.mark.compiled
def test_lengths_are_rounded_as_python_rounds_them(word):
    if np.isfinite(float(word)):
        length = scanned_lengths(f"(a:{word});")[0]
        assert np.isnan(length) or length == float(word)
        assert from_newick(f"(a:{word});").height[-1] == float(word)


def test_an_exponent_may_undo_many_zeros():
    for word in ("0." + "0" * 100_009 + "1e100012", "1" + "0" * 100_009 + "e-100010"):
        assert from_newick(f"(a:{word},b:0);").height[-1] == float(word)


def test_most_lengths_are_read_without_a_second_look():
    words = [repr(x) for x in np.random.default_rng(3).random(2000).tolist()]
    text = "(" + ",".join(f"a:{word}" for word in words) + ");"
    length = scanned_lengths(text)[:-1]
    assert np.isnan(length).sum() < 20
    assert [x for x in length.tolist() if x == x] == [float(w) for w, x in zip(words, length, strict=True) if x == x]


def test_blanks_inside_plain_names_stay_and_around_them_go():
    assert from_newick("(  Homo sapiens , b\n);").items == ("Homo sapiens", "b")


def test_tips_at_different_distances_lie_at_different_heights():
    tree = from_newick("((a:1,b:2):1,c:1);")
    assert dict(zip(tree.items, tree.height[tree.item_node].tolist(), strict=True)) == {"a": 1, "b": 0, "c": 2}
    assert tree.height[-1] == 3


def test_rounded_lengths_of_a_dendrogram_put_its_tips_at_zero():
    tree = from_newick("((a:0.1,b:0.1):0.2,c:0.30000000000000004);")
    assert tree.height[tree.item_node].tolist() == [0, 0, 0]


def test_one_tip_unary_nodes_inner_names_and_numeric_names_work():
    assert from_newick("a;").n_nodes == 1
    assert from_newick("(((a)));").n_nodes == 4
    assert from_newick("(1,2,3)95;").node_names[-1] == "95"
    assert from_newick("(1,2,3)95;").items == ("1", "2", "3")
    assert from_newick("x:0;").height.tolist() == [0]


def test_a_byte_order_mark_is_passed_over():
    assert from_newick("\ufeff(a,b);") == from_newick("(a,b);")


@pytest.mark.parametrize("name", ["\ufeffa", "".join(map(chr, range(1, 0xD800))), "\U0010ffff", "\x00"])
def test_strange_names_come_back(name):
    tree = from_parents([-1], item_names=[name])
    assert from_newick(to_newick(tree)) == tree


def test_tips_that_differ_by_more_than_rounding_stay_apart():
    assert from_newick("(a:1000000000,b:1000000000.5);").height.tolist() == [0.0, 0.5, 1000000000.5]


@pytest.mark.parametrize(("n", "low"), [(1_000, 2.0**-33), (20_000, 2.0**-24)])
@pytest.mark.compiled
def test_a_low_tip_of_a_deep_tree_stays_low(n, low):
    parent = np.concatenate(([n], np.arange(n, 2 * n - 1), np.arange(n + 1, 2 * n - 1), [-1]))
    height = np.concatenate((np.zeros(n), np.arange(1.0, n)))
    height[5] = low
    tree = from_parents(parent, None, height)
    assert from_newick(to_newick(tree)) == tree


@pytest.mark.further
@pytest.mark.parametrize("n", [10, 1_000, 20_000])
@pytest.mark.compiled
def test_tips_of_a_deep_dendrogram_lie_at_0(n):
    rng = np.random.default_rng(n)
    parent = np.concatenate(([n], np.arange(n, 2 * n - 1), np.arange(n + 1, 2 * n - 1), [-1]))
    tree = from_parents(parent, None, np.concatenate((np.zeros(n), np.cumsum(rng.random(n - 1)))))
    again = from_newick(to_newick(tree))
    assert (again.height[again.leaves] == 0).all()
    assert again.height == pytest.approx(tree.height, rel=1e-12)


@pytest.mark.parametrize("text", ["((a:1e308,b:1e308):1e308);", "(a:1e308,b:-1e308);"])
def test_lengths_that_add_up_to_infinity_are_refused(text):
    with pytest.raises(FormatError, match="must add up to finite heights"):
        from_newick(text)


@given(
    st.recursive(st.just(()), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=8), st.integers(0, 99)
)
def test_heights_are_distances_from_the_root_counted_from_the_farthest_tip(shape, seed):
    rng = np.random.default_rng(seed)
    names = iter("abcdefghijklmnopqrstuvwxyz")

    def write(node):
        length = rng.integers(0, 9)
        return f"({','.join(map(write, node))}):{length}" if node else f"{next(names)}:{length}"

    text = write(shape) + ";"
    tree = from_newick(text)
    depth = oracle.depths_of_tips(oracle.parse(text))
    assert dict(zip(tree.items, tree.height[tree.item_node].tolist(), strict=True)) == {
        name: max(depth.values()) - d for name, d in depth.items()
    }


def test_a_length_at_the_root_is_not_kept():
    assert from_newick("(a:1,b:1):7;") == from_newick("(a:1,b:1);")
    assert from_newick("(a,b):7;") == from_newick("(a,b);")


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "must end with a semicolon; got the end of the text"),
        ("   ", 1, 4, "must end with a semicolon"),
        ("(a,b)", 1, 6, "must end with a semicolon"),
        ("((a,b);", 1, 7, "every bracket must be closed before the semicolon"),
        ("(a,b));", 1, 6, "closing bracket must have an opening one"),
        (");", 1, 1, "closing bracket must have an opening one"),
        ("a,b;", 1, 2, "comma must be inside brackets"),
        ("(a,b)(c,d);", 1, 6, "bracket must open at the start of a branch"),
        ("(a(b,c));", 1, 3, "bracket must open at the start of a branch"),
        ("(a,b);(c,d);", 1, 7, "nothing may follow the semicolon"),
        ("(a,b); x", 1, 8, "nothing may follow the semicolon"),
        ("(a,b);;", 1, 7, "nothing may follow the semicolon"),
        ("(a:,b:1);", 1, 4, "colon must be followed by a length"),
        ("(a::1,b:1);", 1, 4, "colon must be followed by a length"),
        ("(a:1:2,b:1);", 1, 5, "length must be followed by a comma"),
        ("(a:'1',b:1);", 1, 4, "colon must be followed by a length"),
        ("(a:nan,b:1);", 1, 4, "length must be a finite number; got 'nan"),
        ("(a:inf,b:1);", 1, 4, "length must be a finite number; got 'inf"),
        ("(a:1e999,b:1);", 1, 4, "length must be a finite number; got '1e999"),
        ("(a:x,b:1);", 1, 4, "length must be a finite number; got 'x"),
        ("(a:1_0,b:1);", 1, 4, "length must be a finite number"),
        ("(a:١,b:1);", 1, 4, "length must be a finite number"),
        ("(a:1 2,b:1);", 1, 6, "length must be followed by a comma"),
        ("(a:1.2.3,b:1);", 1, 4, "length must be a finite number"),
        ("(a:-,b:1);", 1, 4, "length must be a finite number"),
        ("(a:1e+,b:1);", 1, 4, "length must be a finite number"),
        ("(a:.,b:1);", 1, 4, "length must be a finite number"),
        ("(a:1e,b:1);", 1, 4, "length must be a finite number"),
        ("(a:1,b);", 1, 6, "all branches must have lengths, or none; that of 'b' has none"),
        ("((a:1,b:1),c:1);", 1, 11, "all branches must have lengths, or none; this one has none"),
        ("(a,'b);", 1, 4, "quoted name must be closed"),
        ("(a,b[c);", 1, 5, "comment must be closed"),
        ("(a,b[c[d]);", 1, 5, "comment must be closed"),
        ("(O'Brien,b);", 1, 3, "quote must start a name"),
        ("('a'b,c);", 1, 5, "branch must have one name"),
        ("(a[x]b,c);", 1, 6, "branch must have one name"),
        ("(a\nb,c);", 1, 3, "name with a line break or tab inside must be quoted"),
        ("(a,\n b,\n c))\n;", 3, 4, "closing bracket must have an opening one"),
        ("(,);", 1, 2, "every tip must have a name"),
        ("(a,,b);", 1, 4, "every tip must have a name"),
        ("(a:1,:1);", 1, 7, "every tip must have a name"),
        ("();", 1, 2, "every tip must have a name"),
        (";", 1, 1, "every tip must have a name"),
        ("('',b);", 1, 2, "every tip must have a name"),
        ("(a,'');", 1, 4, "every tip must have a name"),
        ("(a:1\n\n,);", 3, 2, "every tip must have a name"),
        ("(a:0.123456789,\n(b:1,\n\n):1);", 4, 1, "every tip must have a name"),
        ("((a,b)mammals[long comment],,c);", 1, 29, "every tip must have a name"),
        ("('it''s',b:1);", 1, 3, "all branches must have lengths, or none; that of 'it's' has none"),
        ("(a,b):1e999;", 1, 7, "length must be a finite number"),
        ("(a],b);", 1, 3, r"a \] must end a comment"),
        ("([x]]a,b);", 1, 5, r"a \] must end a comment"),
        ("(a:1],b:1);", 1, 5, r"a \] must end a comment"),
        ("('größe 🐜':1,\n日本:1e9999,c:1);", 2, 4, "length must be a finite number"),
        ("(é,\n(日本 本,b)🐜🐜;", 2, 11, "every bracket must be closed"),
        ("(a,\ud800);", 1, 4, "valid Unicode, without lone surrogates"),
    ],
)
def test_refuses_what_is_no_newick_and_says_where(text, line, column, message):
    with pytest.raises(FormatError, match=f"line {line}, column {column}: .*{message}"):
        from_newick(text)


def test_tips_of_one_name_are_listed():
    with pytest.raises(InvalidInputError, match="are repeated: 'a', 'b'"):
        from_newick("(a,b,(a,b),c);")


def test_only_text_is_read():
    with pytest.raises(InvalidInputError, match="must be a string; got bytes"):
        from_newick(b"(a,b);")


def test_names_are_quoted_only_where_they_must_be():
    assert to_newick(from_newick("('a_b','c d','e''f','g:h',i.j-k);")) == "(a_b,'c d','e''f','g:h',i.j-k);"


def test_a_tree_whose_lowest_leaf_is_not_at_zero_warns():
    tree = from_parents([2, 2, -1], height=[1, 1, 3])
    with pytest.warns(LostMeaningWarning, match="it lies at 1, so all heights are shifted"):
        text = to_newick(tree)
    assert from_newick(text).height.tolist() == [0, 0, 2]


def test_inversions_become_negative_lengths():
    assert to_newick(ZOO["inversion"]) == "(2:0.866,(0:1.0,1:1.0):-0.134);"


@given(st.lists(st.text(st.sampled_from("ab'é"), max_size=4), max_size=40))
@pytest.mark.compiled
def test_names_are_known_to_be_distinct_only_if_they_are(names):
    encoded = [name.encode() for name in names]
    stop = np.cumsum([len(name) for name in encoded], dtype=np.int64)
    start = stop - np.array([len(name) for name in encoded], dtype=np.int64)
    text = np.frombuffer(b"".join(encoded) + b";", dtype=np.uint8)
    parts = spans.Parts(text, start, stop)
    assert spans.all_distinct(parts, table_for(parts)) == (len(set(names)) == len(names))


@pytest.fixture(scope="module")
def hashed():
    """Names of seven digits and their hashes."""
    number, code = np.arange(10**6, 2 * 10**6), np.full(10**6, 2166136261)
    for place in range(6, -1, -1):
        code = ((code ^ (number // 10**place % 10 + ord("0"))) * 16777619) & 0xFFFFFFFF
    return number, (code ^ (code >> 15)) & 0x7FFFFFFF


def test_distinct_names_of_one_hash_are_read(hashed):
    number, code = hashed
    order = np.argsort(code, kind="stable")
    at = int(np.flatnonzero(code[order[1:]] == code[order[:-1]])[0])
    names = tuple(map(str, number[order[at : at + 2]].tolist()))
    assert from_newick(f"({','.join(names)});").items == names


@pytest.mark.compiled
def test_names_chosen_to_share_a_place_in_the_table_are_given_up_and_read_by_a_set(hashed):
    number, code = hashed
    names = list(map(str, number[code % 1024 == 7][:400].tolist()))
    stop = np.arange(7, 7 * 400 + 1, 7)
    parts = spans.Parts(np.frombuffer("".join(names).encode(), dtype=np.uint8), stop - 7, stop)
    assert not spans.all_distinct(parts, table_for(parts))
    assert from_newick(f"({','.join(names)});").items == tuple(names)


def test_names_may_hold_the_byte_0():
    assert from_newick("('a\0b','\0',é)'\0c';").items == ("a\0b", "\0", "é")
