"use strict";
// Where: components of overlapping clusters with what they cost, and the items that differ.
const Components = (() => {
  const { byId, el, label, count, plural, percent, number, later, pagedTable } = Report;
  const MOST_ROWS = 100000; // of items listed at once
  const MOST_CLUSTERS = 40; // of a component listed by name
  const [A, B] = Report.data.called || [];
  let overlaps, flow;

  const holds = (name, text) => name.toLowerCase().includes(text);
  const bar = (x, text) => el("span", { class: "scored" }, text, el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `--share: ${x.toFixed(3)}` })));

  function called(c) {
    const span = el("span");
    overlaps.call(c).forEach(({ named, more }, side) => {
      if (side) span.append(overlaps.isSame(c) ? " = " : " → ");
      named.forEach((name, i) => span.append(i ? ", " : "", label(name)));
      if (more) span.append(` and ${count(more)} more`);
    });
    return span;
  }
  function listed(side, c) {
    const all = overlaps.clusters(side, c), more = all.length - MOST_CLUSTERS;
    const rows = all.slice(0, MOST_CLUSTERS).map((x) => {
      const parts = overlaps.parts[side][x];
      const says = parts > 1 ? `, ${side ? "from" : "into"} ${plural(parts, "part")}` : "";
      return el("li", {}, label(overlaps.label(side, x)), el("small", {}, ` ${plural(overlaps.sides[side][x], "item")}${says}`));
    });
    return el("div", {}, el("h4", {}, `${plural(all.length, "cluster")} of ${side ? B : A}`),
      el("ul", { class: "names" }, ...rows), more > 0 ? el("p", { class: "quiet" }, `and ${count(more)} more`) : "");
  }
  function detail(c) {
    const costs = overlaps.costs.map(({ name, cost, total }) => el("li", {}, el("code", {}, name), ` ${number(cost[c])}, ${percent(total ? cost[c] / total : 0)} of all that is missing`));
    return [
      el("div", { class: "apart" }, listed(0, c), listed(1, c)),
      el("h4", {}, "Cost"), el("ul", { class: "names" }, ...costs),
      el("p", {}, el("button", { type: "button", onclick: () => flow.look(c) }, "Show in the flow")),
    ];
  }

  /** The components that hold a text in the names of their clusters or items. */
  function withText(text) {
    const found = new Uint8Array(overlaps.nComponents);
    overlaps.labels.forEach((names, side) => names.forEach((name, x) => { if (holds(name, text)) found[overlaps.component[side][x]] = 1; }));
    if (overlaps.items) {
      for (let cell = 0; cell < overlaps.n; cell++) {
        const c = overlaps.component[0][overlaps.row[cell]];
        for (let i = overlaps.before[cell]; i < overlaps.before[cell + 1] && !found[c]; i++) if (holds(overlaps.items[i], text)) found[c] = 1;
      }
    }
    return found;
  }

  function components() {
    const all = Array.from({ length: overlaps.nComponents }, (_, c) => c);
    const differing = all.filter((c) => !overlaps.isSame(c));
    const most = overlaps.costs[0].cost.reduce((x, y) => Math.max(x, y), 0) || 1;
    const columns = [
      { title: "Component", cells: called, key: (c) => overlaps.call(c, 1)[0].named[0].toLowerCase() },
      { title: "Items", numeric: true, key: (c) => overlaps.size[c], cells: (c) => count(overlaps.size[c]) },
      { title: "Clusters", numeric: true, key: (c) => overlaps.nClusters(0, c) + overlaps.nClusters(1, c), cells: (c) => `${count(overlaps.nClusters(0, c))} → ${count(overlaps.nClusters(1, c))}`, says: `of ${A} and of ${B}` },
      ...overlaps.costs.map(({ name, title, cost }, i) => ({
        title, numeric: true, key: (c) => cost[c], says: `what the component costs ${name}`,
        cells: (c) => (i ? number(Number(cost[c].toPrecision(3))) : bar(cost[c] / most, number(Number(cost[c].toPrecision(3))))),
      })),
    ];
    const find = byId("components-find"), differ = byId("components-differ");
    differ.checked = differing.length > 0;
    const found = () => {
      const text = find.value.trim().toLowerCase(), among = differ.checked ? differing : all;
      if (!text) return among;
      const hit = withText(text);
      return among.filter((c) => hit[c]);
    };
    const table = pagedTable(byId("components"), { name: "components", caption: "Components of overlapping clusters", columns, rows: found(), sort: { column: 3, down: true }, detail, empty: "No such component." });
    const update = later(() => table.show(found()), 120);
    find.addEventListener("input", update);
    differ.addEventListener("change", update);
  }

  function items() {
    const { items: names } = overlaps;
    const cell = (i) => overlaps.cellOf(i);
    const home = (side, i) => {
      const x = (side ? overlaps.column : overlaps.row)[cell(i)];
      return el("span", {}, label(overlaps.label(side, x)), el("small", {}, ` ${plural(overlaps.sides[side][x], "item")}`));
    };
    const columns = [
      { title: "Item", cells: (i) => label(names[i]), key: (i) => names[i].toLowerCase() },
      { title: "Cluster overlap", numeric: true, key: (i) => overlaps.kept(cell(i)), cells: (i) => bar(overlaps.kept(cell(i)), percent(overlaps.kept(cell(i)))) },
      { title: `Cluster in ${A}`, cells: (i) => home(0, i) },
      { title: `Cluster in ${B}`, cells: (i) => home(1, i) },
      { title: "Component", plain: true, cells: (i) => el("button", { type: "button", onclick: () => flow.look(overlaps.component[0][overlaps.row[cell(i)]]), "aria-label": `Show the component of ${names[i]} in the flow` }, "Show") },
    ];
    const cells = Array.from({ length: overlaps.n }, (_, i) => i).sort((x, y) => overlaps.kept(x) - overlaps.kept(y) || x - y);
    const find = byId("items-find"), differ = byId("items-differ"), says = byId("items-says");
    let nDiffering = 0;
    for (let i = 0; i < overlaps.n; i++) if (!overlaps.matched[i]) nDiffering += overlaps.count[i];
    differ.checked = nDiffering > 0;
    const found = () => {
      const text = find.value.trim().toLowerCase(), rows = [];
      for (const i of cells) {
        if (differ.checked && overlaps.matched[i]) continue;
        for (let place = overlaps.before[i]; place < overlaps.before[i + 1] && rows.length < MOST_ROWS; place++) if (!text || holds(names[place], text)) rows.push(place);
        if (rows.length === MOST_ROWS) break;
      }
      says.textContent = rows.length === MOST_ROWS ? `The first ${count(MOST_ROWS)}, smallest cluster overlap first.` : "";
      return rows;
    };
    const table = pagedTable(byId("items"), { name: "items", caption: "Items and their clusters", columns, rows: found(), sort: { column: 1, down: false }, empty: "No such item." });
    const update = later(() => table.show(found()), 120);
    find.addEventListener("input", update);
    differ.addEventListener("change", update);
  }

  function start(given, drawing) {
    overlaps = given; flow = drawing;
    for (const each of overlaps.costs) each.total = each.cost.reduce((x, y) => x + y, 0);
    components();
    if (overlaps.items) items();
  }
  return { start };
})();
