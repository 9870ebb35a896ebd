"""The tree widget: what Python hears of a node, and what a click in the browser says."""

import base64
from importlib.resources import files

import pytest
from playwright.sync_api import expect

from dendrometry import from_labels, from_newick, plot
from dendrometry.errors import InvalidInputError

TREE = from_newick("(((ape:1,cat:1)mammals:1,<b>elk:2):1,owl:3);")
MAMMALS = TREE.node_names.index("mammals")
SCRIPT = files("dendrometry.plot").joinpath("tree_widget.js").read_bytes()
VIEW = """async ([script, drawing]) => {
  const view = (await import("data:text/javascript;base64," + script)).default;
  const values = { _drawing: drawing, node: -1 };
  const heard = [];
  window.model = {
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; heard.forEach((call) => call()); },
    save_changes: () => { window.saved = values.node; },
    on: (event, call) => heard.push(call),
  };
  view.render({ model: window.model, el: document.body });
}"""


def test_a_node_hands_its_items_to_python():
    widget, heard = plot.tree_widget(TREE), []
    widget.observe(lambda change: heard.append(change["new"]), "items")
    assert (widget.node, widget.items) == (-1, ())
    widget.node = MAMMALS
    widget.node = TREE.root
    widget.node = -1
    assert heard == [("ape", "cat"), tuple(TREE.items[i] for i in TREE.order.item), ()]


def test_the_text_of_a_widget_tells_the_selection():
    widget = plot.tree_widget(TREE)
    assert repr(widget) == "TreeWidget(4 items, no node selected)"
    widget.node = MAMMALS
    assert repr(widget) == f"TreeWidget(4 items, node {MAMMALS}, 2 items selected)"


def test_only_the_top_is_sent_and_its_nodes_are_those_of_the_tree():
    tree = from_labels([i // 10 for i in range(500)])
    drawing = plot.tree_widget(tree, top=20)._drawing
    assert len(drawing["names"]) <= 50
    assert max(drawing["node"]) == tree.root
    assert {len(column) for name, column in drawing.items() if name != "names"} == {len(drawing["node"])}


@pytest.mark.parametrize("node", [-2, TREE.n_nodes])
def test_other_nodes_are_refused(node):
    with pytest.raises(InvalidInputError, match=f"node must be a whole number from -1 to {TREE.root}; got {node}"):
        plot.tree_widget(TREE).node = node


def test_a_click_or_a_key_selects_a_node(browser):
    drawing = plot.tree_widget(TREE)._drawing
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.evaluate(VIEW, [base64.b64encode(SCRIPT).decode(), drawing])
    assert page.locator("circle").count() == TREE.n_nodes
    assert page.locator("text").all_text_contents() == drawing["names"]
    assert page.locator("b").count() == 0
    expect(page.locator("p")).to_have_text("Click a node to select its items.")
    mammals = page.get_by_label("mammals (2)")
    mammals.click()
    assert page.evaluate("saved") == MAMMALS
    expect(page.locator("p")).to_have_text("mammals (2)")
    expect(mammals).to_have_attribute("aria-selected", "true")
    assert page.locator("circle[fill='#D55E00']").count() == 3
    assert page.locator("path[stroke='#D55E00']").count() == 2 + 3  # stems of both children; bars, also its own
    page.get_by_label("owl: 1 item").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("saved") == TREE.item_node[TREE.items.index("owl")]
    page.evaluate("model.set('node', -1)")
    expect(page.locator("circle[fill='#D55E00']")).to_have_count(0)
    assert not errors
    page.close()
