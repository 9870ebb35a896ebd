"""What changed is what the steps undo: they make the new tree of the old one, always, and planted edits are found."""

import csv
import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dendrometry as dm
from dendrometry.changes import Diff
from tests.changes.edited import shelves
from tests.oracles.changes.moves import moved_items, moved_nodes
from tests.oracles.changes.steps import Tree
from tests.strategies import random_hierarchy

seeds = st.integers(0, 2**32)


def plain(tree, prefix="old"):
    height = None if tree.height is None else tree.height.tolist()
    return Tree(tree.parent.tolist(), tree.item_node.tolist(), tree.items, tree.node_names, height, prefix)


def assert_leads_to_the_new_tree(found):
    tree = plain(found.old)
    for step in json.loads(found.to_json())["steps"]:
        tree.apply(step)
        assert len(tree.parent) >= 1
    assert tree.content() == plain(found.new, "new").content()


def _held(tree, nodes):
    """Return the items of nodes and of the nodes below them."""
    above = {v: {v} for v in range(tree.n_nodes)}
    for v in range(tree.n_nodes - 2, -1, -1):
        above[v] |= above[int(tree.parent[v])]
    return {item for item, v in zip(tree.items, tree.item_node.tolist(), strict=True) if above[v] & nodes}


def assert_moves_are_the_fewest(found):
    old, new = found.old, found.new
    match = {u: v for u, v in enumerate(found.match.tolist()) if v >= 0}
    assert len(set(match.values())) == len(match)
    assert match[old.root] == new.root
    nodes = moved_nodes(old.parent.tolist(), new.parent.tolist(), match)
    assert set(np.flatnonzero(found.edits.moved).tolist()) == nodes
    places = [dict(zip(tree.items, tree.item_node.tolist(), strict=True)) for tree in (old, new)]
    items = moved_items((old.parent.tolist(), places[0]), (new.parent.tolist(), places[1]), match)
    assert {new.items[j] for j in np.flatnonzero(found.edits.item_moved)} == items
    assert sum(step["step"] == "move_node" for step in found.steps()) == len(nodes)
    assert sum(step["step"] == "move_item" for step in found.steps()) == len(items)
    assert sum(change.n_items for change in found.moves if not change.is_node) == len(items)
    assert found.n_moved == len(items | _held(new, nodes) & places[0].keys())


@given(seed=seeds, n_edits=st.integers(0, 12))
def test_the_steps_lead_to_the_new_tree_after_random_edits(seed, n_edits):
    rng = np.random.default_rng(seed)
    before = shelves(int(rng.integers(3, 9)), int(rng.integers(1, 12)), seed)
    after = before.copy()
    for _ in range(n_edits):
        after.edit(rng)
    found = dm.diff(before.tree(), after.tree())
    assert_leads_to_the_new_tree(found)
    assert_moves_are_the_fewest(found)


@given(seed=seeds)
def test_the_steps_lead_from_any_tree_to_any_other(seed):
    rng = np.random.default_rng(seed)
    trees = [random_hierarchy(int(rng.integers(1, 9)), rng, heights=bool(rng.integers(2)), wild=True) for _ in range(2)]
    found = dm.diff(*trees)
    assert_leads_to_the_new_tree(found)
    assert_moves_are_the_fewest(found)
    assert bool(found) == (plain(trees[0]).content() != plain(trees[1]).content())


@given(seed=seeds, n_moves=st.integers(1, 4))
def test_planted_moves_are_explained_by_no_more_moves(seed, n_moves):
    rng = np.random.default_rng(seed)
    before = shelves(14, 40, seed)
    after = before.copy()
    for name in rng.choice(list(before.parent), n_moves, replace=False):
        places = [place for place in after.parent if place not in after.below(name)]
        after.move(name, places[rng.integers(len(places))] if places else "")
    assert len(dm.diff(before.tree(), after.tree()).moves) <= n_moves


def test_items_that_stay_where_they_were_are_not_moved_if_others_leave():
    stay, rest = {"t": "H/Outdoor", "s": "H/Light"}, {item: "H/Light/Lamps" for item in "ab"}
    old = dm.from_paths(stay | rest | {item: "H/Light/Lamps" for item in "cde"})
    new = dm.from_paths(stay | rest | {item: "H/Outdoor/Lamps" for item in "cde"})
    found = dm.diff(old, new)
    (move,) = found.moves
    assert move.tell() == "3 items ('c', 'd', 'e'): from H > Light > Lamps to H > Outdoor > Lamps"
    assert found.n_moved == 3
    assert {(row.item, row.what) for row in found.item_changes()} == {("c", "moved"), ("d", "moved"), ("e", "moved")}


@given(seed=seeds, n_edits=st.integers(0, 12), n_names=st.integers(2, 9))
def test_no_item_is_moved_from_a_path_to_the_same_path(seed, n_edits, n_names):
    rng = np.random.default_rng(seed)
    names = [f"n{i % n_names}" for i in range(9)]
    old = {f"{i}": tuple(rng.choice(names, rng.integers(1, 4))) for i in range(12)}
    new = old | {f"{rng.integers(12)}": tuple(rng.choice(names, rng.integers(1, 4))) for _ in range(n_edits)}
    moved = {row.item for row in dm.diff(dm.from_paths(old), dm.from_paths(new)).item_changes()}
    assert moved == {item for item in old if old[item] != new[item]}


@pytest.fixture
def shop():
    return shelves(9, 0, 1, leaves_only=True)


def only(found, what):
    """The one change there is."""
    (change,) = found.changes
    assert change.what == what
    return change


def leaf(shop):
    """A node without children that is not an only child."""
    above = list(shop.parent.values())
    return next(name for name, place in shop.parent.items() if name not in above and above.count(place) > 1)


def test_nothing_changed(shop):
    found = dm.diff(shop.tree(), shop.tree())
    assert not found
    assert found.changes == ()
    assert found.summary() == "old and new are the same tree."
    assert found.to_csv() == "item,old path,new path,what\r\n"
    assert list(found.steps()) == []
    assert found.to_frame().shape == (0, 10)


def test_a_moved_subtree_is_one_move_with_its_size():
    old = dm.from_paths(
        {f"{i}": "Home/Garden Tools" if i < 312 else "Home/Kitchen" for i in range(400)} | {"a": "Outdoor"}
    )
    new = dm.from_paths(
        {f"{i}": "Outdoor/Garden Tools" if i < 312 else "Home/Kitchen" for i in range(400)} | {"a": "Outdoor"}
    )
    found = dm.diff(old, new, names=("2023", "2024"))
    assert only(found, "moved").tell() == "Garden Tools, 312 items: from Home to Outdoor"
    assert found.summary() == "From 2023 to 2024: 1 moved; 312 items changed place in 1 move."
    rows = list(csv.reader(io.StringIO(found.to_csv())))
    assert rows[1] == ["0", "Home > Garden Tools", "Outdoor > Garden Tools", "moved along"]
    assert len(rows) == 313
    assert repr(found) == "Diff(401 items to 401 items; 1 change, 1 move)"


def test_items_that_take_the_same_way_are_one_move(shop):
    after = shop.copy()
    name = leaf(shop)
    after.node[f"{name}-0"] = after.node[f"{name}-1"] = ""
    change = only(dm.diff(shop.tree(), after.tree()), "lifted")
    assert (change.n_items, change.is_node) == (2, False)
    assert change.tell().startswith(f"2 items ('{name}-0', '{name}-1'): lifted from ")
    assert change.tell().endswith(" to the root")


def test_a_renamed_node(shop):
    after = shop.copy()
    after.rename("c2", "Z")
    assert only(dm.diff(shop.tree(), after.tree()), "renamed").tell() == "Z, 3 items: renamed from c2"


def test_exchanged_names_are_two_names_and_no_moves(shop):
    after = shop.copy()
    one, other = [name for name in shop.parent if name not in shop.parent.values()][:2]
    after.rename(one, "x")
    after.rename(other, one)
    after.rename("x", other)
    assert [change.what for change in dm.diff(shop.tree(), after.tree()).changes] == ["renamed", "renamed"]


def test_a_dissolved_node_lifts_what_it_held(shop):
    after = shop.copy()
    name = next(name for name, place in shop.parent.items() if place and name in shop.parent.values())
    after.dissolve(name)
    found = dm.diff(shop.tree(), after.tree())
    change = only(found, "dissolved")
    assert change.name.endswith(name)
    assert change.after.endswith(shop.parent[name])
    assert found.moves == ()


def test_a_new_node_groups_what_was_there(shop):
    after = shop.copy()
    name = leaf(shop)
    after.group("Z", name, [f"{name}-0", f"{name}-1"])
    change = only(dm.diff(shop.tree(), after.tree()), "grouped")
    assert change.tell() == f"Z, 2 items: new within {change.after}, for what was there before"
    assert change.after.endswith(name)


def test_added_and_removed_subtrees_and_items(shop):
    after = shop.copy()
    name = leaf(shop)
    for v in after.below(name):
        del after.parent[v]
    after.node = {item: v for item, v in after.node.items() if v in after.parent}
    found = dm.diff(shop.tree(), after.tree())
    removed = only(found, "removed")
    assert (removed.name, removed.n_items, removed.is_node) == (name, 3, True)
    added = only(dm.diff(after.tree(), shop.tree()), "added")
    assert (added.name, added.n_items, added.is_node) == (name, 3, True)
    assert {row.what for row in found.item_changes()} == {"removed"}
    after = shop.copy()
    del after.node[f"{name}-0"]
    after.node["extra"] = name
    lines = [change.tell() for change in dm.diff(shop.tree(), after.tree()).changes]
    assert [line.split(" from ")[0].split(" to ")[0] for line in lines] == [f"{name}-0: removed", "extra: added"]


def split_tools():
    old = dm.from_paths({f"t{i}": "Home/Tools" for i in range(100)} | {"cup": "Home/Kitchen", "tent": "Outdoor"})
    parts = {f"t{i}": "Home/Hand Tools" if i < 45 else "Outdoor/Power Tools" for i in range(100)}
    return old, dm.from_paths(parts | {"cup": "Home/Kitchen", "tent": "Outdoor"})


def test_a_split_node_names_its_parts():
    changes = dm.diff(*split_tools()).changes
    (split,) = [change for change in changes if change.what == "split"]
    assert split.tell() == "Home > Tools, 100 items: split into Outdoor > Power Tools and Home > Hand Tools"


def test_a_merged_node_names_what_it_is_made_of():
    changes = dm.diff(*split_tools()[::-1]).changes
    (merged,) = [change for change in changes if change.what == "merged"]
    assert merged.tell() == "Home > Tools, 100 items: merged from Outdoor > Power Tools and Home > Hand Tools"


def test_parts_that_lie_where_the_whole_did_are_told_by_name():
    old = dm.from_paths({f"t{i}": "Home/Tools" for i in range(8)} | {"cup": "Home/Kitchen"})
    new = dm.from_paths({f"t{i}": f"Home/{'Saws' if i < 4 else 'Drills'}" for i in range(8)} | {"cup": "Home/Kitchen"})
    split = only(dm.diff(old, new), "split")
    assert split.tell() == "Home > Tools, 8 items: split into Saws and Drills"
    assert split.parts == ("Home > Saws", "Home > Drills")
    assert only(dm.diff(new, old), "merged").tell() == "Home > Tools, 8 items: merged from Saws and Drills"


def test_nodes_without_names_are_called_by_their_items():
    found = dm.diff(dm.from_newick("((a,b),(c,(d,e)));"), dm.from_newick("(a,(b,(c,(d,e))));"))
    assert [change.tell() for change in found.changes] == [
        "{a, b}, 2 items: dissolved into the root",
        "{b, c, d, …}, 4 items: new within the root, for what was there before",
    ]


def test_a_name_that_stays_decides_which_part_is_the_node():
    old = dm.from_paths({f"t{i}": "Home/Tools" for i in range(10)} | {"cup": "Home"})
    new = dm.from_paths({f"t{i}": "Home/Tools" if i < 4 else "Home/Garden" for i in range(10)} | {"cup": "Home"})
    found = dm.diff(old, new)
    assert new.node_names[found.match[old.node_names.index("Tools")]] == "Tools"
    assert [(move.n_items, move.before, move.after) for move in found.moves] == [(6, "Home > Tools", "Home > Garden")]


def test_a_name_is_not_passed_on_while_its_node_is_there():
    old = dm.from_paths({f"t{i}": "Home" for i in range(9)} | {"tent": "Outdoor"})
    new = dm.from_paths({f"t{i}": "Outdoor" for i in range(9)} | {"tent": "Outdoor"})
    found = dm.diff(old, new)
    assert found.changes[0].tell().endswith("from Home to Outdoor")
    assert [change.what for change in found.changes] == ["moved", "merged"]
    assert [change.what for change in dm.diff(old, new, by_name=False).changes] == ["moved", "merged", "renamed"]


def test_a_node_that_lost_all_its_items_is_known_by_its_name():
    old = dm.from_paths({"a": "Home/Season", "b": "Home/Kitchen"})
    new = dm.from_paths({"c": "Home/Season", "b": "Home/Kitchen"})
    assert [change.tell() for change in dm.diff(old, new).changes] == [
        "a: removed from Home > Season",
        "c: added to Home > Season",
    ]


def test_items_with_other_names_are_matched_if_that_is_said():
    old = dm.from_paths({"Garden Hose": "Home", "cup": "Home", "a": "x"})
    new = dm.from_paths({"garden_hose": "Home", "mug": "Home", "a": "x"})
    assert len(dm.diff(old, new).changes) == 2
    found = dm.diff(old, new, match_names="loose", renamed={"cup": "mug"})
    assert [change.tell() for change in found.changes] == [
        "garden_hose: renamed from Garden Hose",
        "mug: renamed from cup",
    ]
    assert [row.what for row in found.item_changes()] == ["renamed", "renamed"]
    assert_leads_to_the_new_tree(found)


def test_exchanged_items_can_be_said_to_be_renamed():
    old, new = dm.from_paths({"a": "x", "b": "y"}), dm.from_paths({"b": "x", "a": "y"})
    found = dm.diff(old, new, renamed={"a": "b", "b": "a"})
    assert [change.what for change in found.changes] == ["renamed", "renamed"]
    assert_leads_to_the_new_tree(found)


@pytest.mark.parametrize(
    ("renamed", "message"),
    [
        ({"z": "b"}, "renamed must hold items of the old tree; got 'z'"),
        ({"a": "z"}, "renamed must hold items of the new tree; got 'z'"),
        ({"a": "b", "b": "b"}, "renamed must give each item a name of its own"),
        ([("a", "b")], "renamed must be a mapping from old to new names"),
    ],
)
def test_refuses_names_that_are_not_there(renamed, message):
    tree = dm.from_paths({"a": "x", "b": "y"})
    with pytest.raises(dm.DendrometryError, match=message):
        dm.diff(tree, tree, renamed=renamed)


def test_trees_without_a_common_item_have_a_difference():
    found = dm.diff(dm.from_paths({"a": "x"}), dm.from_paths({"b": "y"}))
    assert [change.what for change in found.changes] == ["removed", "added"]
    assert_leads_to_the_new_tree(found)


def test_heights_that_changed_are_counted():
    found = dm.diff(dm.from_newick("((a:1,b:1):1,c:2);"), dm.from_newick("((a:1,b:1):2,c:3);"))
    assert found
    assert found.n_heights == 1
    assert found.summary() == "From old to new: 1 height changed."
    assert dm.diff(dm.from_newick("(a,b);"), dm.from_newick("(a:1,b:1);")).n_heights == 3


def test_a_frame_and_json_hold_the_changes():
    found = dm.diff(*split_tools())
    frame = found.to_frame()
    assert frame["what"].tolist() == [change.what for change in found.changes]
    assert json.loads(found.to_json())["changes"][0]["name"] == found.changes[0].name
    assert "| moved |" in found.to_markdown()
    assert "split" in found._repr_html_()
    assert found.tell(0).splitlines()[-1] == f"… {len(found.changes)} more changes"


def test_names_are_escaped():
    old = dm.from_paths({"=1+1": "\x1b[2J", "b": "x"})
    new = dm.from_paths({"=1+1": "x", "b": "x"})
    found = dm.diff(old, new)
    assert "\x1b" not in found.tell()
    assert "'=1+1," in found.to_csv()


def test_a_long_chain_has_a_difference():
    n = 20_000
    parent = [*range(1, n), -1]
    names = [f"n{i}" for i in range(n)]
    old = dm.from_parents(parent, range(n), None, None, names)
    new = dm.from_parents(parent, [0, *range(1, n - 1), 0], None, None, names)
    found = dm.diff(old, new)
    assert [(change.what, change.n_items) for change in found.changes] == [("moved", 1)]
    assert isinstance(found, Diff)
    assert len(found.item_changes()) == 1


def test_an_item_that_moved_with_several_nodes_counts_once():
    old = dm.from_paths({"hose": "Home/Garden/Water", "rake": "Home/Garden", "cup": "Home/Kitchen", "tent": "Outdoor"})
    new = dm.from_paths(
        {
            "hose": "Outdoor/Garden/Kitchen/Water",
            "rake": "Outdoor/Garden",
            "cup": "Outdoor/Garden/Kitchen",
            "tent": "Outdoor",
        }
    )
    found = dm.diff(old, new)
    assert [(move.name, move.n_items) for move in found.moves] == [("Garden", 3), ("Kitchen", 2), ("Water", 1)]
    assert found.n_moved == 3
    assert "3 items changed place in 3 moves" in found.summary()


def test_a_line_names_the_first_of_many_parts():
    old = dm.from_labels({f"{k}{i}": "all" for k in range(9) for i in range(4)} | {"z": "other"})
    new = dm.from_labels({f"{k}{i}": f"part {k}" for k in range(9) for i in range(4)} | {"z": "other"})
    (split,) = (change for change in dm.diff(old, new).changes if change.what == "split")
    assert len(split.parts) == 9
    assert split.tell().startswith("all, 36 items: split into part 0, part 1,")
    assert split.tell().endswith(" and 4 more")
