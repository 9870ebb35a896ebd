"use strict";
// Where: clusters with their best match, and items that moved most.
const Tables = (() => {
  const { byId, el, label, count, plural, percent } = Report;
  const MOST_NAMES = 60;
  const MOST_NEIGHBOURS = 3; // of an item, named
  const MOST_UNITS = 5000; // of a cluster that is looked through for neighbours
  const [A, B] = Report.data.called || [];
  let forest, trees;

  const holds = (name, text) => name.toLowerCase().includes(text);

  function listed(units, all) {
    if (!all) return [el("p", { class: "quiet" }, "none")];
    if (!forest.names) return [el("p", { class: "quiet" }, `${plural(all, "item")}, which the page does not list`)];
    const more = all - units.length;
    return [el("ul", { class: "names" }, ...units.map((unit) => el("li", {}, label(forest.names[unit])))), more > 0 ? el("p", { class: "quiet" }, `and ${count(more)} more`) : ""];
  }

  function clusters() {
    const { a, b, match, common } = forest;
    const all = [];
    for (let v = 0; v < a.n; v++) if (a.size(v) > 1) all.push(v);
    const missing = (v) => a.size(v) - common[v], extra = (v) => b.size(match[v]) - common[v];
    const jaccard = (v) => common[v] / (missing(v) + b.size(match[v]));
    const columns = [
      { title: "Cluster", cells: (v) => label(a.call(v)), key: (v) => (a.nameOf(v) || (forest.names ? a.example(v) : a.call(v))).toLowerCase() },
      { title: "Items", numeric: true, key: (v) => a.size(v), cells: (v) => count(a.size(v)) },
      { title: `Best match in ${B}`, cells: (v) => label(b.call(match[v])) },
      { title: "Items of the match", numeric: true, key: (v) => b.size(match[v]), cells: (v) => count(b.size(match[v])) },
      { title: "F", numeric: true, key: (v) => forest.f(v), cells: (v) => bar(forest.f(v)) },
      { title: "Jaccard", numeric: true, key: jaccard, cells: (v) => jaccard(v).toFixed(3) },
      { title: "Missing", numeric: true, key: missing, cells: (v) => count(missing(v)), says: "in the cluster, not in its match" },
      { title: "Extra", numeric: true, key: extra, cells: (v) => count(extra(v)), says: "in the match, not in the cluster" },
      { title: "Differ", numeric: true, key: (v) => missing(v) + extra(v), cells: (v) => count(missing(v) + extra(v)), says: "missing and extra items together" },
    ];
    if (forest.chance) columns.push({ title: "p", numeric: true, key: (v) => (forest.chance[v] <= 0 ? forest.chance[v] : 1), cells: (v) => forest.chanceOf(v), says: "that random items have as good a match, adjusted for all clusters" });
    if (a.support) columns.push({ title: "Support", numeric: true, key: (v) => (a.support[v] >= 0 ? a.support[v] : -1), cells: (v) => a.supportOf(v), says: `of the cluster in ${A}` });
    if (b.support) columns.push({ title: "Support of the match", numeric: true, key: (v) => (b.support[match[v]] >= 0 ? b.support[match[v]] : -1), cells: (v) => b.supportOf(match[v]), says: `of the cluster in ${B}` });
    const detail = (v) => [
      el("div", { class: "apart" },
        el("div", {}, el("h4", {}, `Missing from the match (${count(missing(v))})`), ...listed(forest.apart(v, false, MOST_NAMES), missing(v))),
        el("div", {}, el("h4", {}, `Extra in the match (${count(extra(v))})`), ...listed(forest.apart(v, true, MOST_NAMES), extra(v)))),
      el("button", { type: "button", onclick: () => trees.look(v, match[v]) }, "Look at both in the trees"),
    ];
    const place = byId("clusters"), find = byId("clusters-find"), differ = byId("clusters-differ");
    const differing = all.filter((v) => missing(v) + extra(v) > 0);
    differ.checked = differing.length > 0;
    const found = () => {
      const text = find.value.trim().toLowerCase(), among = differ.checked ? differing : all;
      if (!text) return among;
      const upTo = new Int32Array(forest.n + 1); // how many items before each place have the text in their names
      if (forest.names) for (let i = 0; i < forest.n; i++) upTo[i + 1] = upTo[i] + holds(forest.names[i], text);
      return among.filter((v) => upTo[a.low[v] + a.nUnits[v]] > upTo[a.low[v]] || (a.names && holds(a.names[v], text)));
    };
    const table = Report.pagedTable(place, { name: "clusters", caption: `Clusters of ${A} and their best matches`, columns, rows: found(), sort: { column: 8, down: true }, detail, empty: all.length ? "No such cluster." : `There is no cluster of more than one item in ${A}.` });
    const update = Report.later(() => table.show(found()), 120);
    find.addEventListener("input", update);
    differ.addEventListener("change", update);
  }
  const bar = (x) => el("span", { class: "scored" }, x.toFixed(3), el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `--share: ${x.toFixed(3)}` })));

  function items() {
    const { a, b, moved, names } = forest;
    const all = Array.from({ length: forest.n }, (_, i) => i);
    const most = moved.reduce((x, y) => Math.max(x, y), 0) || 1;
    const home = (side, i) => {
      const trees_ = [a, b], nodes = forest.apartAt(i, MOST_UNITS), tree = trees_[side], v = nodes[side];
      const size = el("small", {}, ` ${plural(tree.size(v), "item")}`);
      if (v === 0) return el("span", {}, "all items", size);
      const inOther = forest.holder(trees_[1 - side], nodes[1 - side]), others = [];
      for (let at = tree.low[v]; at < tree.low[v] + Math.min(tree.nUnits[v], MOST_UNITS); at++) if (tree.unitAt(at) !== i) others.push(tree.unitAt(at));
      const first = others.filter((unit) => !inOther(unit)), shown = [...first, ...others.filter(inOther)].slice(0, MOST_NEIGHBOURS);
      const more = tree.nUnits[v] - 1 - shown.length, own = tree.names && tree.names[v];
      const list = shown.flatMap((unit, k) => [k ? ", " : "", label(names[unit])]);
      return el("span", {}, ...(own ? [label(tree.call(v)), size, ": "] : []), "with ", ...list, more > 0 ? ` and ${count(more)} more` : "");
    };
    const columns = [
      { title: "Item", cells: (i) => label(names[i]), key: (i) => names[i].toLowerCase() },
      { title: "Share of the disagreement", numeric: true, key: (i) => moved[i], cells: (i) => el("span", { class: "scored" }, percent(moved[i]), el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `--share: ${(moved[i] / most).toFixed(3)}` }))) },
      { title: `Neighbours in ${A}`, cells: (i) => home(0, i), says: "the smallest cluster that the trees do not share" },
      { title: `Neighbours in ${B}`, cells: (i) => home(1, i), says: "the smallest cluster that the trees do not share" },
      { title: "In the trees", plain: true, cells: (i) => el("button", { type: "button", onclick: () => trees.mark(i), "aria-label": `Mark ${names[i]} in the trees` }, "Mark") },
    ];
    const find = byId("items-find");
    const found = () => {
      const text = find.value.trim().toLowerCase();
      return text ? all.filter((i) => holds(names[i], text)) : all;
    };
    const table = Report.pagedTable(byId("items"), { name: "items", caption: "Items that moved most", columns, rows: all, sort: { column: 1, down: true }, empty: "No such item." });
    find.addEventListener("input", Report.later(() => table.show(found()), 120));
  }

  function start(given, tanglegram) {
    forest = given; trees = tanglegram;
    if (forest.match) clusters();
    if (forest.names && forest.moved) items();
  }
  return { start };
})();
