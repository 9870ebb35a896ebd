"use strict";
// What changed between two trees: both as outlines of the nodes that changes touch, a line for each change, and tables.
const Changes = (() => {
  const { byId, el, svg, label, unpack, count, plural, later } = Report;
  const MOST_DRAWN = 60; // changes drawn at once; all are in the table
  const ROW = 22, MOST_LEVELS = 10, LETTER = 7.2; // pixels of a row and, on average, of a letter
  const WIDE = { side: 400, gap: 200, step: 14 };
  let changes, trees, ends, kinds, names, shown;

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
  /** The widths of an outline and of the gap between both, so that both fit where there is little room. */
  function widths() {
    const free = byId("changes-trees").clientWidth;
    return free >= 2 * WIDE.side + WIDE.gap ? WIDE : { side: Math.max(140, (free - 60) / 2), gap: 60, step: free < 700 ? 7 : WIDE.step };
  }
  /** The texts of one tree below its name, and where the text of each node begins, ends and lies. */
  function outline(tree, rows, left, name, { side, step }) {
    const most = Math.floor((side - 16) / LETTER);
    const parts = [svg("text", { x: left + 8, y: 0.5 * ROW + 4, "font-size": 13, "font-weight": 700 }, svg("title", {}, name), short(name, most))];
    const place = new Map();
    rows.forEach((at, i) => {
      const x = left + 8 + Math.min(tree.level[at], MOST_LEVELS) * step, y = (i + 1.5) * ROW;
      const size = ` ${count(tree.size[at])}`, text = short(tree.name[at], Math.floor((left + side - 8 - x) / LETTER) - size.length);
      place.set(tree.node[at], { y, start: x - 9, end: Math.min(left + side, x + 6 + LETTER * (text.length + size.length)) });
      parts.push(svg("text", { x, y: y + 4, "font-size": 13 }, svg("title", {}, tree.name[at]), text, svg("tspan", { class: "size" }, size)));
    });
    return { parts, place };
  }
  function draw() {
    const drawn = Array.from(shown).sort((i, j) => changes.size[j] - changes.size[i] || i - j).slice(0, MOST_DRAWN);
    const wanted = [0, 1].map((side) => new Set(drawn.flatMap((i) => ends[i][side])));
    const rows = trees.map((tree, side) => rowsOf(tree, wanted[side]));
    const room = widths(), { side, gap } = room, middle = side + gap / 2, right = side + gap;
    const old = outline(trees[0], rows[0], 0, names[0], room), now = outline(trees[1], rows[1], right, names[1], room);
    const lines = [];
    for (const i of drawn) {
      const [from, to] = ends[i], width = 1 + Math.min(6, Math.log10(changes.size[i] + 1) * 1.4), tint = `change c${changes.what[i] % 10}`;
      const sources = from.map((u) => old.place.get(u)), targets = to.map((v) => now.place.get(v));
      const title = () => svg("title", {}, changes.sentences[i]);
      if (!sources.length) targets.forEach(({ start, y }) => lines.push(svg("circle", { class: tint, cx: start, cy: y, r: 4 }, title())));
      if (!targets.length) sources.forEach(({ end, y }) => lines.push(svg("circle", { class: tint, cx: end, cy: y, r: 4 }, title())));
      for (const a of sources) for (const b of targets) {
        const d = `M${a.end} ${a.y}H${side}C${middle} ${a.y} ${middle} ${b.y} ${right} ${b.y}H${b.start}`;
        lines.push(svg("path", { class: tint, d, "stroke-width": width.toFixed(1) }, title()));
      }
    }
    const height = (Math.max(rows[0].length, rows[1].length) + 1) * ROW + 6, width = 2 * side + gap;
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
    ({ kinds, ends, names } = data);
    changes = {};
    for (const key of Object.keys(data.changes)) changes[key] = await unpack(data.changes[key]);
    trees = [];
    for (const tree of [data.old, data.new]) {
      trees.push({ node: await unpack(tree.node), level: await unpack(tree.level), size: await unpack(tree.size), name: await unpack(tree.name), seen: new Set() });
    }
    legend();
    listChanges();
    draw();
    addEventListener("resize", later(draw, 150));
    if (data.items) await listItems(data.items);
  }
  return { start };
})();
Report.run((data) => Changes.start(data));
