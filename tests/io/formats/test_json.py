import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.strategies import any_names, named_clusters, wild_hierarchies
from tests.zoo import ZOO

from dendrometry import from_json, from_labels, from_newick, from_parents, to_json
from dendrometry.errors import AssumptionWarning, FormatError, InvalidInputError
from dendrometry.io._shared.json_events import events
from dendrometry.io.formats import json as json_format

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def rebuilt(text):
    """A Python value from the events of a JSON text."""
    stack, keys, result = [], [], []
    for kind, value, _ in events(text):
        if kind == "key":
            keys.append(value)
            continue
        if kind in "{[":
            stack.append({} if kind == "{" else [])
            continue
        done = stack.pop() if kind in "}]" else value
        if not stack:
            result.append(done)
        elif isinstance(stack[-1], dict):
            stack[-1][keys.pop()] = done
        else:
            stack[-1].append(done)
    (only,) = result
    return only


@given(values, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
def test_events_say_what_the_standard_parser_says(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert rebuilt(text) == json.loads(text, parse_int=float)


@given(st.text('{}[],:"\\ \n\t0123456789.eE+-truefalsn', max_size=12))
def test_events_refuse_what_the_standard_parser_refuses(text):
    def strict(constant):
        raise ValueError(constant)

    try:
        expected = json.loads(text, parse_constant=strict)
    except ValueError:
        with pytest.raises(FormatError, match="JSON, line"):
            list(events(text))
    else:
        assert json.dumps(rebuilt(text)) == json.dumps(json.loads(text, parse_int=float)) or expected == rebuilt(text)


nodes = st.recursive(
    st.fixed_dictionaries({}, optional={"name": st.text() | st.integers(0, 9), "height": st.sampled_from([0, None])}),
    lambda inner: st.fixed_dictionaries(
        {"children": st.lists(inner, max_size=3)},
        optional={
            "name": st.text(max_size=3),
            "items": st.lists(st.text(max_size=3) | st.integers(0, 9) | st.none(), max_size=3),
            "length": st.floats() | st.text(max_size=1),
            "dist": st.just(1),
            "other": values,
        },
    ),
    max_leaves=8,
)


def both_ways(text):
    """What the compiled scan and the events give of a text, as text; the scan may decide nothing."""
    scanned = json_format._scan(text)
    try:
        return scanned, json_format._read(text)
    except FormatError:
        return scanned, None


def assert_same_columns(scanned, read):
    for ours, theirs in zip(scanned[:1] + scanned[2:], read[:1] + read[2:], strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.filterwarnings("error")
@given(nodes, st.sampled_from([None, 0, "\t"]), st.booleans())
def test_the_scan_gives_the_columns_of_the_events(node, indent, ascii_only):
    text = json.dumps(node, indent=indent, ensure_ascii=ascii_only)
    scanned, read = both_ways(text)
    if read is None:
        assert scanned is None
    else:
        assert scanned is not None
        assert_same_columns(scanned, read)


@given(
    st.text('{}[],:"\\ 01.e-un', max_size=12),
    st.sampled_from(["%s", '{"name": %s}', '{"a": %s}', '{"items": [%s]}']),
)
@example(r'"\u12G4"', "%s")
@example('"\\', '{"name": %s}')
@example('"a", "name": 1', '{"name": %s}')
@example('1, "b": 2, "a": 3', '{"a": %s}')
@example("1, " + ", ".join(f'"{i}": {i}' for i in range(200)), '{"a": %s}')
def test_the_scan_refuses_what_the_events_refuse(text, around):
    scanned, read = both_ways(around % text)
    if scanned is not None:
        assert_same_columns(scanned, read)


def test_long_texts_are_scanned_and_their_errors_have_a_place(monkeypatch):
    monkeypatch.setattr(json_format, "_LONG", 0)
    monkeypatch.setattr(json_format, "_read", lambda text: pytest.fail("reads events"))
    tree = from_json('{"name": "é\\n", "children": [{"name": "a", "length": 1}, {"items": ["b", 2], "length": 1e0}]}')
    assert set(tree.items) == {"a", "b", "2"}
    assert "é\n" in tree.node_names
    assert tree.height is not None
    monkeypatch.undo()
    monkeypatch.setattr(json_format, "_LONG", 0)
    for text, message in (
        ('{"name": "é", "children": [{"name": "a"}, {}]}', "column 43: a leaf must have"),
        ('{"name": "a", "height": 1e999}', "column 25: a height must be a finite number"),
        ('{"name": "a"} x', "column 15: nothing may follow"),
    ):
        with pytest.raises(FormatError, match=message):
            from_json(text)
    with pytest.raises(InvalidInputError, match="valid Unicode"):
        from_json('{"name": "\\ud800"}')


@given(wild_hierarchies())
def test_every_tree_comes_back_with_its_names(tree):
    again = from_json(to_json(tree))
    assert again == tree
    assert named_clusters(again) == named_clusters(tree)
    json.loads(to_json(tree))


@pytest.mark.parametrize("name", ZOO)
def test_every_edge_tree_comes_back_with_its_names(name):
    tree = from_json(to_json(ZOO[name]))
    assert tree == ZOO[name]
    expected = [n for v, n in enumerate(ZOO[name].node_names) if n and ZOO[name].own_items(v) != [n]]
    assert sorted(n for n in tree.node_names if n) == sorted(expected)


@given(st.lists(any_names, min_size=1, max_size=5, unique=True), any_names)
def test_any_unicode_label_comes_back(names, inner):
    tree = from_parents([1, -1], [0] * len(names), None, names, [inner, ""])
    again = from_json(to_json(tree))
    assert again == tree
    assert set(again.node_names) == ({inner, ""} if names != [inner] else set())


def test_reads_the_form_of_d3():
    text = """{"name": "flare", "children": [
        {"name": "analytics", "children": [{"name": "cluster", "value": 3938}, {"name": "graph", "at": [1, {"x": 2}]}]},
        {"name": "animate", "value": null}]}"""
    tree = from_json(text)
    assert tree == from_newick("((cluster,graph),animate);")
    assert set(tree.node_names) == {"", "flare", "analytics"}


def test_nodes_hold_items_of_their_own():
    tree = from_json(
        '{"items": ["a"], "children": [{"name": "leaf", "items": ["b", "c"]}, {"name": "d", "children": []}]}'
    )
    assert tree == from_parents([2, 2, -1], [2, 0, 0, 1], None, ["a", "b", "c", "d"])


def test_null_counts_as_absent():
    assert from_json('{"name": "a", "children": null, "height": null, "items": null}').items == ("a",)


def test_flat_clusterings_keep_the_names_of_their_groups():
    tree = from_json(to_json(from_labels(["pet", "wild"], item_names=["cat", "fox"])))
    assert set(tree.node_names) == {"pet", "wild", ""}


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "value must follow; got the end of the text"),
        ("[]", 1, 1, "node must be an object"),
        ('"a"', 1, 1, "node must be an object"),
        ('{"name": "a"', 1, 13, "',' or '}' must follow; got the end"),
        ('{"name": "a",}', 1, 14, "key in quotes must follow"),
        ('{"name" "a"}', 1, 9, "colon must follow a key"),
        ('{"name": "a"} x', 1, 15, "nothing may follow the value"),
        ('{"name": "a}', 1, 10, "string must be well formed"),
        ('{"name": "\x01"}', 1, 11, "string must be well formed"),
        ('{"name": true}', 1, 10, "name must be a string or a number"),
        ('{"name": ["a"]}', 1, 10, "name must be a string"),
        ('{"children": {}}', 1, 14, "children must be a list"),
        ('{"children": ["a"]}', 1, 15, "node must be an object"),
        ('{"items": "a"}', 1, 11, "items must be a list"),
        ('{"items": [false]}', 1, 12, "items must be a list of strings or numbers"),
        ('{"items": [["a"]]}', 1, 12, "items must be a list of strings"),
        ('{"name": "a", "height": "1"}', 1, 25, "height must be a finite number"),
        ('{"name": "a", "height": 1e999}', 1, 25, "height must be a finite number"),
        ('{"name": "a", "height": NaN}', 1, 25, "value must follow"),
        ('{"name": "a", "height": true}', 1, 25, "height must be a finite number"),
        ('{"name": "a",\n "name": "b"}', 2, 2, "keys of an object must be distinct; 'name' is repeated"),
        ("{}", 1, 1, "leaf must have a name or items"),
        ('{"children": [{"name": "a"}, {}]}', 1, 30, "leaf must have a name or items"),
        ('{"height": 1, "children": [{"name": "a"}]}', 1, 28, "all nodes must have heights, or none"),
        ('{"name": "a", "height": ' + "1" * 100_000 + "}", 1, 25, "height must be a finite number"),
    ],
)
def test_refuses_what_is_no_tree_and_says_where(text, line, column, message):
    with pytest.raises(FormatError, match=f"line {line}, column {column}: .*{message}"):
        from_json(text)


def test_items_of_one_name_are_listed():
    with pytest.raises(InvalidInputError, match="are repeated: 'a'"):
        from_json('{"children": [{"name": "a"}, {"name": "a"}]}')


def test_lone_surrogates_are_refused():
    with pytest.raises(InvalidInputError, match="valid Unicode"):
        from_json('{"name": "\\ud800"}')


def test_only_text_is_read():
    with pytest.raises(InvalidInputError, match="must be a string; got dict"):
        from_json({"name": "a"})


@pytest.mark.parametrize("opener", ["[", '{"a":'])
def test_nesting_of_any_depth_in_what_is_passed_over_is_our_own_error_or_success(opener):
    closer = "]" if opener == "[" else "}"
    inner = "" if opener == "[" else "1"
    deep = opener * 100_000 + inner + closer * 100_000
    assert from_json('{"name": "a", "other": ' + deep + "}").items == ("a",)
    with pytest.raises(FormatError, match="must follow"):
        from_json('{"name": "a", "other": ' + deep[:-1] + "}")


def test_numbers_are_names_by_their_text():
    tree = from_json('{"name": 0, "children": [{"name": 7}, {"name": -2.50e1, "items": [1, 10, "x"]}]}')
    assert set(tree.items) == {"7", "1", "10", "x"}
    assert set(tree.node_names) == {"", "-2.50e1", "0"}
    with pytest.raises(InvalidInputError, match="'7'"):
        from_json('{"items": [7, "7"]}')


@pytest.mark.parametrize("key", ["branch_length", "dist", "weight"])
def test_lengths_of_another_name_are_not_dropped_without_a_word(key):
    text = json.dumps({"children": [{"name": "a", key: 1.0}, {"name": "b", key: 2.0}]})
    with pytest.warns(AssumptionWarning, match=f"the attribute {key} of the nodes is left out"):
        assert from_json(text).height is None
    assert from_json('{"children": [{"name": "a", "dist": 1}, {"name": "b"}]}').n_items == 2
