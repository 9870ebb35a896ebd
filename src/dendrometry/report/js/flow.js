"use strict";
// The flow a -> meet -> b: the largest components, or one alone; what is too small is taken together and counted.
const Flow = (() => {
  const { byId, el, label, count, plural, percent, shorten } = Report;
  const MOST = 16; // clusters of either side
  const MOST_CELLS = 48; // overlaps with a bar of their own
  const REST = 0.25; // as high as all else, at most: what is between bars that take clusters together
  const N_COLOURS = 10; // in page.css
  const PAD = 12, LARGEST_GAP = 40, BAR = 12; // pixels
  const [A, B] = Report.data.called || [];
  let overlaps, looking = -1, drawn;

  /** Names in plotly's texts, which have markup of their own. */
  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const isolated = (text) => `\u2068${text}\u2069`;

  /** Components in the order in which they are drawn: the largest first. */
  function chosen() {
    if (looking >= 0) return [looking];
    const all = [];
    for (let c = 0; c < overlaps.nComponents; c++) if (!byId("flow-differ").checked || !overlaps.isSame(c)) all.push(c);
    return all.sort((x, y) => overlaps.size[y] - overlaps.size[x] || x - y);
  }

  /** Which clusters get a bar: {bars: [[…], […]], at: the bar of each cluster, -1 for none}. */
  function bars() {
    const sides = [[], []], at = overlaps.sides.map((side) => new Int32Array(side.length).fill(-1));
    const room = () => MOST - Math.max(sides[0].length, sides[1].length);
    const add = (side, bar) => sides[side].push({ side, cells: [], ...bar }) - 1;
    let nShown = 0;
    for (const c of chosen()) {
      const most = room(), both = [0, 1].map((side) => overlaps.clusters(side, c));
      const fits = both.every((clusters) => clusters.length <= most);
      if (!fits && most < 4) break;
      const large = fits ? both : largest(c, most - 1);
      large.forEach((clusters, side) => {
        clusters.forEach((x) => { at[side][x] = add(side, { c, cluster: x, name: overlaps.label(side, x) }); });
        const others = both[side].length - clusters.length;
        if (!others) return;
        const bar = add(side, { c, name: plural(others, "other cluster"), together: true });
        both[side].forEach((x) => { if (at[side][x] < 0) at[side][x] = bar; });
      });
      nShown++;
      if (!fits) break;
    }
    if (looking < 0) rest(add, at);
    return { sides, at, nShown };
  }
  /** The clusters of the largest overlaps of a component, so many on either side that there is room for. */
  function largest(c, most) {
    const cells = [], found = [new Set(), new Set()];
    overlaps.eachCell(c, (i) => cells.push(i));
    cells.sort((x, y) => overlaps.count[y] - overlaps.count[x] || x - y);
    for (const i of cells) {
      const clusters = [overlaps.row[i], overlaps.column[i]];
      if (clusters.every((x, side) => found[side].has(x) || found[side].size < most)) clusters.forEach((x, side) => found[side].add(x));
      if (found.every((side) => side.size === most)) break;
    }
    return found.map((side) => [...side]);
  }
  /** Take all other components together: those that are the same in both, and those that differ. */
  function rest(add, at) {
    for (const same of [false, true]) {
      const left = [];
      for (let c = 0; c < overlaps.nComponents; c++) if (overlaps.isSame(c) === same && at[0][overlaps.byComponent[0].order[overlaps.byComponent[0].start[c]]] < 0) left.push(c);
      if (!left.length) continue;
      [0, 1].forEach((side) => {
        const n = left.reduce((sum, c) => sum + overlaps.nClusters(side, c), 0);
        const name = same ? `${plural(n, "cluster")}, the same in both` : `${plural(n, "cluster")} of ${plural(left.length, "component")}`;
        const bar = add(side, { c: same ? Infinity : Number.MAX_SAFE_INTEGER, name, together: true, rest: true });
        const { start, order } = overlaps.byComponent[side];
        for (const c of left) for (let i = start[c]; i < start[c + 1]; i++) at[side][order[i]] = bar;
      });
    }
  }

  /** The overlaps between bars, counted; the smallest are taken together. */
  function cellsOf({ sides, at }) {
    const found = new Map(), width = sides[1].length;
    const see = (i) => {
      const a = at[0][overlaps.row[i]], b = at[1][overlaps.column[i]];
      if (a < 0 || b < 0) return;
      const key = a * width + b;
      if (!found.has(key)) found.set(key, { a, b, items: 0, n: 0 });
      const cell = found.get(key);
      cell.items += overlaps.count[i]; cell.n++;
    };
    if (looking >= 0) overlaps.eachCell(looking, see);
    else for (let i = 0; i < overlaps.n; i++) see(i);
    const all = [...found.values()].sort((x, y) => y.items - x.items || x.a - y.a || x.b - y.b);
    for (const cell of all) { sides[0][cell.a].cells.push(cell); sides[1][cell.b].cells.push(cell); cell.weight = cell.items; }
    for (const side of sides) for (const bar of side) bar.items = bar.cells.reduce((sum, cell) => sum + cell.items, 0);
    const isRest = (cell) => sides[0][cell.a].together && sides[1][cell.b].together;
    const shown = all.reduce((sum, cell) => sum + (isRest(cell) ? 0 : cell.items), 0), others = all.reduce((sum, cell) => sum + (isRest(cell) ? cell.items : 0), 0);
    const scale = shown && others > REST * shown ? (REST * shown) / others : 1; // so that the rest leaves room for what is shown
    for (const cell of all) if (isRest(cell)) { cell.weight *= scale; cell.scaled = scale < 1; }
    for (const side of sides) for (const bar of side) bar.weight = bar.cells.reduce((sum, cell) => sum + cell.weight, 0);
    return { all, shown, others, scaled: scale < 1 };
  }

  /** Order both sides: components as they come, within them by the mean place of what they overlap, in turn. */
  function ordered(sides) {
    const place = sides.map((side) => side.map((_, i) => i));
    for (let sweep = 0; sweep < 12; sweep++) {
      const side = 1 - (sweep % 2), other = 1 - side;
      const mean = sides[side].map((bar) => bar.cells.reduce((sum, cell) => sum + cell.weight * place[other][other ? cell.b : cell.a], 0) / bar.weight);
      const rank = rankOf(sides[side]);
      const order = sides[side].map((_, i) => i).sort((x, y) => rank[x] - rank[y] || mean[x] - mean[y] || x - y);
      order.forEach((bar, i) => { place[side][bar] = i; });
    }
    return place;
  }
  /** The place of each bar's component, in the order in which components were added; what is taken together comes last. */
  function rankOf(side) {
    const first = new Map();
    side.forEach((bar) => { if (!first.has(bar.c)) first.set(bar.c, first.size); });
    return side.map((bar) => first.get(bar.c) + (bar.together ? 0.5 : 0));
  }

  /** The bars of the three layers from top to foot, each with its place; `pad` is what plotly is told to leave between. */
  function layout(view, height) {
    const { sides } = view, place = ordered(sides);
    const outer = sides.map((side, i) => side.map((bar, j) => ({ ...bar, number: j, at: place[i][j] })));
    const layers = [outer[0], middle(view, place), outer[1]].map((layer) => layer.sort((x, y) => x.at - y.at));
    const total = layers[0].reduce((sum, bar) => sum + bar.weight, 0);
    const most = Math.max(...layers.map((layer) => layer.length));
    const pad = Math.min(PAD, (0.4 * height) / Math.max(1, most - 1));
    const unit = (height - pad * (most - 1)) / total;
    layers.forEach((layer) => {
      const gap = Math.min(LARGEST_GAP, (height - total * unit) / Math.max(1, layer.length - 1));
      let y = (height - total * unit - gap * (layer.length - 1)) / 2;
      layer.forEach((node) => { node.y = (y + (node.weight * unit) / 2) / height; y += node.weight * unit + gap; });
    });
    return { layers, pad };
  }
  /** The overlaps as nodes of the middle layer, in the order of their clusters. */
  function middle({ all }, place) {
    const nodes = all.slice(0, all.length > MOST_CELLS ? MOST_CELLS - 1 : MOST_CELLS).map((cell) => ({ cells: [cell], weight: cell.weight, items: cell.items, n: cell.n }));
    const small = all.slice(nodes.length);
    const mean = (node, side) => node.cells.reduce((sum, cell) => sum + cell.weight * place[side][side ? cell.b : cell.a], 0) / node.weight;
    if (small.length) nodes.push({ cells: small, weight: small.reduce((sum, cell) => sum + cell.weight, 0), items: small.reduce((sum, cell) => sum + cell.items, 0), together: true });
    const key = nodes.map((node) => [mean(node, 0), mean(node, 1)]);
    nodes.map((_, i) => i).sort((x, y) => key[x][0] - key[y][0] || key[x][1] - key[y][1]).forEach((node, i) => { nodes[node].at = i; });
    return nodes;
  }

  const named = (bar) => isolated(plain(bar.name));
  const toScale = (bar) => (bar.together && drawn.scaled ? " (not to scale)" : "");
  function saysOf(bar) {
    const parts = bar.cells.length, verb = bar.side ? "merged from" : "split into";
    const whole = bar.together || parts === 1 ? "" : `<br>${verb} ${plural(parts, "part")}`;
    return `<b>${named({ name: shorten(bar.name, 60) })}</b><br>${plural(bar.items, "item")}${toScale(bar)}${whole}`;
  }
  function saysOfCell(cell) {
    const a = drawn.sides[0][cell.a], b = drawn.sides[1][cell.b];
    const names = [a, b].map((bar) => named({ name: shorten(bar.name, 40) }));
    return `<b>${names[0]} → ${names[1]}</b><br>${plural(cell.items, "item")}: ${percent(cell.items / a.items)} of the cluster in ${named({ name: A })}, ${percent(cell.items / b.items)} of that in ${named({ name: B })}`;
  }

  function colours() {
    const style = getComputedStyle(document.documentElement), of = (name) => style.getPropertyValue(name).trim();
    const rgba = (hex, alpha) => `rgba(${[1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).join(",")},${alpha})`;
    const palette = Array.from({ length: N_COLOURS }, (_, i) => of(`--c${i}`)), none = of("--none");
    const bySize = drawn.sides[0].map((bar, i) => i).filter((i) => !drawn.sides[0][i].together).sort((x, y) => drawn.sides[0][y].items - drawn.sides[0][x].items);
    const colour = drawn.sides[0].map(() => none);
    bySize.slice(0, N_COLOURS).forEach((bar, i) => { colour[bar] = palette[i]; });
    return { of: (bar) => colour[bar], none, faded: (hex) => rgba(hex, 0.42), ink: of("--quiet") };
  }

  function traceOf(height) {
    const { layers, pad } = layout(drawn, height), colour = colours();
    const nodes = layers.flat(), first = [0, layers[0].length, layers[0].length + layers[1].length];
    const index = [0, 2].map((layer) => { const at = []; layers[layer].forEach((bar, i) => { at[bar.number] = first[layer] + i; }); return at; });
    drawn.nodes = nodes;
    const tint = nodes.map((node, i) => (i < first[1] ? colour.of(node.number) : i < first[2] ? (node.together ? colour.none : colour.of(node.cells[0].a)) : colour.ink));
    const links = [];
    layers[1].forEach((node, i) => node.cells.forEach((cell) => {
      for (const [source, target] of [[index[0][cell.a], first[1] + i], [first[1] + i, index[1][cell.b]]]) links.push({ source, target, cell });
    }));
    const names = nodes.map((node, i) => (i >= first[1] && i < first[2] ? "" : `${named({ name: shorten(node.name, node.together ? 60 : 26) })} (${count(node.items)})`));
    const hover = nodes.map((node, i) => (i >= first[1] && i < first[2] ? (node.together ? `<b>${plural(node.cells.length, "smaller overlap")}</b><br>${plural(node.items, "item")}` : saysOfCell(node.cells[0])) : saysOf(node)));
    return {
      type: "sankey", arrangement: "fixed", orientation: "h", textfont: { color: Report.theme().ink, size: 12.5 },
      node: {
        pad, thickness: BAR, line: { width: 0 }, color: tint, label: names, customdata: hover, hovertemplate: "%{customdata}<extra></extra>",
        x: nodes.map((_, i) => (i < first[1] ? 0.001 : i < first[2] ? 0.5 : 0.999)), y: nodes.map((node) => Math.min(Math.max(node.y, 0.001), 0.999)),
      },
      link: {
        source: links.map((link) => link.source), target: links.map((link) => link.target), value: links.map((link) => link.cell.weight),
        color: links.map((link) => colour.faded(colour.of(link.cell.a))), customdata: links.map((link) => saysOfCell(link.cell)), hovertemplate: "%{customdata}<extra></extra>",
      },
    };
  }
  function draw() {
    const n = Math.max(drawn.sides[0].length, drawn.sides[1].length), nCells = Math.min(drawn.all.length, MOST_CELLS);
    const height = Math.min(Math.max(34 * n, 13 * nCells, 220), 680);
    const { ink, paper, line } = Report.theme();
    return Plotly.react(byId("flow"), [traceOf(height)], {
      paper_bgcolor: "rgba(0,0,0,0)", width: Report.paperWidth(), height: height + 24, margin: { l: 2, r: 2, t: 12, b: 12 },
      font: { family: getComputedStyle(document.body).fontFamily, color: ink, size: 13 }, hoverlabel: { bgcolor: paper, bordercolor: line, font: { color: ink }, align: "left" },
    }, { displaylogo: false, responsive: true, displayModeBar: false });
  }

  /** Draw from nothing: what stands already would move to its new place, slower than a page is printed. */
  async function afresh() {
    Plotly.purge(byId("flow"));
    await draw();
    byId("flow").on("plotly_click", (event) => {
      const point = event.points[0], bar = point.sourceLinks && drawn.nodes[point.pointNumber];
      if (bar && bar.name && !bar.rest && looking < 0) look(bar.c);
    });
  }

  /** The flow as a table, for those who cannot see it and those who want the numbers. */
  function table() {
    const columns = [
      { title: `Cluster of ${A}`, key: (i) => drawn.sides[0][drawn.all[i].a].name.toLowerCase(), cells: (i) => label(drawn.sides[0][drawn.all[i].a].name) },
      { title: `Cluster of ${B}`, key: (i) => drawn.sides[1][drawn.all[i].b].name.toLowerCase(), cells: (i) => label(drawn.sides[1][drawn.all[i].b].name) },
      { title: "Items", numeric: true, key: (i) => drawn.all[i].items, cells: (i) => count(drawn.all[i].items) },
      { title: `Share of the cluster in ${A}`, numeric: true, key: (i) => drawn.all[i].items / drawn.sides[0][drawn.all[i].a].items, cells: (i) => percent(drawn.all[i].items / drawn.sides[0][drawn.all[i].a].items) },
      { title: `Share of the cluster in ${B}`, numeric: true, key: (i) => drawn.all[i].items / drawn.sides[1][drawn.all[i].b].items, cells: (i) => percent(drawn.all[i].items / drawn.sides[1][drawn.all[i].b].items) },
    ];
    Report.pagedTable(byId("flow-table"), { name: "flow", caption: `The flow: items from clusters of ${A} to clusters of ${B}`, columns, rows: drawn.all.map((_, i) => i), sort: { column: 2, down: true } });
  }
  function says() {
    const scale = drawn.scaled ? " Bars that take clusters together are not to scale." : "";
    if (looking >= 0) return `One component: ${plural(overlaps.nClusters(0, looking), "cluster")} of ${A}, ${count(overlaps.nClusters(1, looking))} of ${B}, ${plural(overlaps.size[looking], "item")}.${scale}`;
    const others = drawn.nShown < overlaps.nComponents ? ", the others taken together" : "";
    return `${count(drawn.nShown)} of ${plural(overlaps.nComponents, "component")}${others}.${scale}`;
  }
  function renew() {
    const view = bars();
    drawn = Object.assign(view, cellsOf(view));
    byId("flow-says").textContent = says();
    byId("flow-all").hidden = looking < 0;
    byId("flow-differ").parentElement.hidden = looking >= 0;
    table();
    return window.Plotly ? draw() : null;
  }
  /** Look at one component alone. */
  async function look(component) {
    looking = component;
    await renew();
    byId("flow").parentElement.scrollIntoView({ block: "center" });
    byId("flow-all").focus({ preventScroll: true });
  }

  async function start(given) {
    overlaps = given;
    const nSame = overlaps.nCells.reduce((sum, n) => sum + (n === 1), 0), differ = byId("flow-differ");
    differ.disabled = nSame === 0 || nSame === overlaps.nComponents;
    differ.checked = !differ.disabled && overlaps.sides.some((side) => side.length > MOST);
    differ.addEventListener("change", renew);
    byId("flow-all").addEventListener("click", () => { looking = -1; renew(); differ.focus(); });
    renew();
    await Report.plotly();
    await afresh();
    Report.onTheme(afresh);
  }
  return { start, look };
})();
