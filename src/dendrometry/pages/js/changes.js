"use strict";
// What changed between two trees: both as outlines of the nodes that changes touch, a line for each change, and tables.
const Changes = (() => {
  const { byId, el, svg, label, unpack, count, plural, later } = Report;
  const MOST_DRAWN = 60; // changes drawn at once; all are in the table
  const ROW = 22, SIDE = 400, GAP = 200, STEP = 14, MOST_LEVELS = 10;
  let changes, trees, ends, kinds, shown;

  const short = (text, most) => (text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text);
  const fold = (text) => text.normalize("NFKC").toLowerCase();

  /** The rows of one tree: nodes at the ends of changes, and all above them. */
  function rowsOf(tree, wanted) {
    const rows = [], open = []; // open: places of the ancestors of the last row, and whether they are shown
    for (let i = 0; i < tree.node.length; i++) {
      while (open.length && tree.level[open[open.length - 1]] >= tree.level[i]) open.pop();
      open.push(i);
      if (!wanted.has(tree.node[i])) continue;
      for (const at of open) if (!tree.seen.has(at)) { tree.seen.add(at); rows.push(at); }
    }
    tree.seen.clear();
    return rows;
  }
  function outline(tree, rows, left) {
    const parts = [];
    const place = new Map();
    rows.forEach((at, i) => {
      const level = Math.min(tree.level[at], MOST_LEVELS), x = left + 8 + level * STEP, y = (i + 0.5) * ROW;
      const size = ` ${count(tree.size[at])}`, room = Math.floor((SIDE - 16 - level * STEP) / 7.2) - size.length;
      place.set(tree.node[at], y);
      parts.push(svg("text", { x, y: y + 4, "font-size": 13 }, svg("title", {}, tree.name[at]), short(tree.name[at], room), svg("tspan", { class: "size" }, size)));
    });
    return { parts, place };
  }
  function draw() {
    const drawn = Array.from(shown).sort((i, j) => changes.size[j] - changes.size[i] || i - j).slice(0, MOST_DRAWN);
    const wanted = [0, 1].map((side) => new Set(drawn.flatMap((i) => ends[i][side])));
    const rows = trees.map((tree, side) => rowsOf(tree, wanted[side]));
    const old = outline(trees[0], rows[0], 0), now = outline(trees[1], rows[1], SIDE + GAP);
    const lines = [];
    for (const i of drawn) {
      const [from, to] = ends[i], width = 1 + Math.min(6, Math.log10(changes.size[i] + 1) * 1.4), tint = `change c${changes.what[i] % 10}`;
      const from_y = from.map((u) => old.place.get(u)), to_y = to.map((v) => now.place.get(v));
      const title = () => svg("title", {}, changes.told[i]);
      if (!from_y.length) to_y.forEach((y) => lines.push(svg("circle", { class: tint, cx: SIDE + GAP - 6, cy: y, r: 4 }, title())));
      if (!to_y.length) from_y.forEach((y) => lines.push(svg("circle", { class: tint, cx: SIDE + 2, cy: y, r: 4 }, title())));
      for (const y of from_y) for (const z of to_y) {
        const middle = SIDE + GAP / 2;
        lines.push(svg("path", { class: tint, d: `M${SIDE} ${y}C${middle} ${y} ${middle} ${z} ${SIDE + GAP} ${z}`, "stroke-width": width.toFixed(1) }, title()));
      }
    }
    const height = Math.max(rows[0].length, rows[1].length) * ROW + 6, width = 2 * SIDE + GAP;
    byId("changes-trees").replaceChildren(svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Both trees; the table below holds the same" }, ...lines, ...old.parts, ...now.parts));
    byId("changes-says").textContent = shown.length > drawn.length ? `the ${drawn.length} largest of ${count(shown.length)} changes are drawn` : plural(shown.length, "change");
  }
  function legend() {
    const present = new Set(changes.what);
    kinds.forEach((kind, i) => {
      if (!present.has(i)) return;
      byId("changes-kind").append(el("option", { value: i }, kind));
      byId("changes-legend").append(el("li", {}, el("span", { class: `swatch c${i % 10}` }), kind));
    });
  }
  function listChanges() {
    const all = Array.from(changes.name.keys());
    const folded = all.map((i) => fold(`${changes.name[i]}\n${changes.before[i]}\n${changes.after[i]}`));
    const columns = [
      { title: "Name", cells: (i) => label(changes.name[i]), key: (i) => fold(changes.name[i]) },
      { title: "What", cells: (i) => kinds[changes.what[i]], key: (i) => changes.what[i] },
      { title: "Items", numeric: true, cells: (i) => count(changes.size[i]), key: (i) => changes.size[i] },
      { title: "Before", cells: (i) => label(changes.before[i]), key: (i) => fold(changes.before[i]) },
      { title: "After", cells: (i) => label(changes.after[i]), key: (i) => fold(changes.after[i]) },
    ];
    const table = Report.pagedTable(byId("changes-table"), { name: "changes", caption: "Changes", columns, rows: all, sort: { column: 2, down: true } });
    const find = byId("changes-find"), kind = byId("changes-kind");
    const filter = () => {
      const text = fold(find.value.trim()), only = Number(kind.value);
      shown = all.filter((i) => (only < 0 || changes.what[i] === only) && folded[i].includes(text));
      table.show(shown);
      draw();
    };
    find.addEventListener("input", later(filter, 150));
    kind.addEventListener("change", filter);
    shown = all;
  }
  async function listItems(items) {
    const [name, before, after, what, paths] = [await unpack(items.name), await unpack(items.old), await unpack(items.new), await unpack(items.what), await unpack(items.paths)];
    const all = Array.from(name.keys());
    const columns = [
      { title: "Item", cells: (i) => label(name[i]), key: (i) => fold(name[i]) },
      { title: "Old path", cells: (i) => label(paths[before[i]]), key: (i) => paths[before[i]] },
      { title: "New path", cells: (i) => label(paths[after[i]]), key: (i) => paths[after[i]] },
      { title: "What", cells: (i) => items.kinds[what[i]], key: (i) => what[i] },
    ];
    const table = Report.pagedTable(byId("items-table"), { name: "items", caption: "Items", columns, rows: all, sort: { column: 3, down: false } });
    const folded = paths.map(fold), find = byId("items-find");
    find.addEventListener("input", later(() => {
      const text = fold(find.value.trim());
      table.show(all.filter((i) => fold(name[i]).includes(text) || folded[before[i]].includes(text) || folded[after[i]].includes(text)));
    }, 150));
  }
  async function start(data) {
    if (!data.changes) return;
    kinds = data.kinds;
    ends = data.ends;
    changes = {};
    for (const key of Object.keys(data.changes)) changes[key] = await unpack(data.changes[key]);
    trees = [];
    for (const tree of [data.old, data.new]) {
      trees.push({ node: await unpack(tree.node), level: await unpack(tree.level), size: await unpack(tree.size), name: await unpack(tree.name), seen: new Set() });
    }
    legend();
    listChanges();
    draw();
    if (data.items) await listItems(data.items);
  }
  return { start };
})();
Report.run((data) => Changes.start(data));
