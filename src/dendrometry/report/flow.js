"use strict";
// The flow a -> meet -> b: the largest components, or one alone; what is too small is taken together and counted.
const Flow = (() => {
  const { byId, el, label, count, plural, percent } = Report;
  const MOST = 16; // clusters of either side
  const MOST_CELLS = 48; // overlaps with a bar of their own
  const REST = 0.2; // of the height that is left to what is taken together, at most
  const N_COLOURS = 6; // in page.css
  const PAD = 9, BAR = 12;
  let overlaps, looking = -1, drawn;

  /** Names in plotly's texts, which have markup of their own. */
  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const isolated = (text) => `\u2068${text}\u2069`;
  const short = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

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
      both.forEach((clusters, side) => {
        const whole = clusters.length <= most;
        clusters.slice(0, whole ? most : most - 1).forEach((x) => { at[side][x] = add(side, { c, cluster: x, name: overlaps.label(side, x) }); });
        if (whole) return;
        const others = add(side, { c, name: `${count(clusters.length - most + 1)} smaller clusters`, together: true });
        clusters.slice(most - 1).forEach((x) => { at[side][x] = others; });
      });
      nShown++;
      if (!fits) break;
    }
    if (looking < 0) rest(add, at);
    return { sides, at, nShown };
  }
  /** Take all other components together: those that are the same in both, and those that differ. */
  function rest(add, at) {
    for (const same of [false, true]) {
      const left = [];
      for (let c = 0; c < overlaps.nComponents; c++) if (overlaps.isSame(c) === same && at[0][overlaps.byComponent[0].order[overlaps.byComponent[0].start[c]]] < 0) left.push(c);
      if (!left.length) continue;
      [0, 1].forEach((side) => {
        const n = left.reduce((sum, c) => sum + overlaps.nClusters(side, c), 0);
        const name = same ? `${plural(n, "cluster")}, the same in both` : `${plural(n, "cluster")} of ${plural(left.length, "other component")}`;
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
    const isRest = (cell) => sides[0][cell.a].rest;
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
  /** The place of each bar's component, in the order in which components were added. */
  function rankOf(side) {
    const first = new Map();
    side.forEach((bar) => { if (!first.has(bar.c)) first.set(bar.c, first.size); });
    return side.map((bar) => first.get(bar.c));
  }

  /** Nodes and links for plotly, each node with its place. */
  function layout(view, height) {
    const { sides } = view, place = ordered(sides);
    const counted = cellsOfView(view, place);
    const layers = [sides[0].map((bar, i) => ({ ...bar, at: place[0][i] })), counted.nodes, sides[1].map((bar, i) => ({ ...bar, at: place[1][i] }))];
    const total = layers[0].reduce((sum, bar) => sum + bar.weight, 0);
    const tallest = Math.max(...layers.map((layer) => layer.length));
    const pad = Math.min(PAD, (0.35 * height) / Math.max(1, tallest - 1));
    const unit = (height - pad * (tallest - 1)) / total;
    layers.forEach((layer) => {
      const used = total * unit + pad * (layer.length - 1);
      let y = (height - used) / 2;
      layer.slice().sort((x, z) => x.at - z.at).forEach((node) => { node.y = (y + (node.weight * unit) / 2) / height; y += node.weight * unit + pad; });
    });
    return { layers, pad, together: counted.together };
  }
  /** The overlaps as nodes of the middle layer, in the order of their clusters. */
  function cellsOfView({ sides, all }, place) {
    const nodes = all.slice(0, all.length > MOST_CELLS ? MOST_CELLS - 1 : MOST_CELLS).map((cell) => ({ cells: [cell], weight: cell.weight, items: cell.items, n: cell.n }));
    const small = all.slice(nodes.length);
    const mean = (node, side) => node.cells.reduce((sum, cell) => sum + cell.weight * place[side][side ? cell.b : cell.a], 0) / node.weight;
    if (small.length) nodes.push({ cells: small, weight: small.reduce((sum, cell) => sum + cell.weight, 0), items: small.reduce((sum, cell) => sum + cell.items, 0), together: true });
    const key = nodes.map((node) => [mean(node, 0), mean(node, 1)]);
    nodes.map((_, i) => i).sort((x, y) => key[x][0] - key[y][0] || key[x][1] - key[y][1]).forEach((node, i) => { nodes[node].at = i; });
    return { nodes, together: small.length };
  }

  const named = (bar) => isolated(plain(bar.name));
  const toScale = (bar) => (bar.rest && drawn.scaled ? " (not to scale)" : "");
  function saysOf(bar) {
    const parts = bar.cells.length, verb = bar.side ? "merged from" : "split into";
    const whole = bar.together || parts === 1 ? "" : `<br>${verb} ${plural(parts, "part")}`;
    return `<b>${named({ name: short(bar.name, 60) })}</b><br>${plural(bar.items, "item")}${toScale(bar)}${whole}`;
  }
  function saysOfCell(cell) {
    const a = drawn.sides[0][cell.a], b = drawn.sides[1][cell.b];
    const names = [a, b].map((bar) => named({ name: short(bar.name, 40) }));
    return `<b>${names[0]} → ${names[1]}</b><br>${plural(cell.items, "item")}: ${percent(cell.items / a.items)} of the first, ${percent(cell.items / b.items)} of the second`;
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
    const tint = nodes.map((node, i) => (i < first[1] ? colour.of(i) : i < first[2] ? (node.together ? colour.none : colour.of(node.cells[0].a)) : colour.ink));
    const links = [];
    layers[1].forEach((node, i) => node.cells.forEach((cell) => {
      for (const [source, target] of [[cell.a, first[1] + i], [first[1] + i, first[2] + cell.b]]) links.push({ source, target, cell });
    }));
    const names = nodes.map((node, i) => (i >= first[1] && i < first[2] ? "" : `${named({ name: short(node.name, 26) })} (${count(node.items)})`));
    const told = nodes.map((node, i) => (i >= first[1] && i < first[2] ? (node.together ? `<b>${plural(node.cells.length, "smaller overlap")}</b><br>${plural(node.items, "item")}` : saysOfCell(node.cells[0])) : saysOf(node)));
    return {
      type: "sankey", arrangement: "fixed", orientation: "h", textfont: { color: Report.theme().ink, size: 12.5 },
      node: {
        pad, thickness: BAR, line: { width: 0 }, color: tint, label: names, customdata: told, hovertemplate: "%{customdata}<extra></extra>",
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
      paper_bgcolor: "rgba(0,0,0,0)", height: height + 24, margin: { l: 2, r: 2, t: 12, b: 12 },
      font: { family: getComputedStyle(document.body).fontFamily, color: ink, size: 13 }, hoverlabel: { bgcolor: paper, bordercolor: line, font: { color: ink }, align: "left" },
    }, { displaylogo: false, responsive: true, displayModeBar: false });
  }

  /** The flow as a table, for those who cannot see it and those who want the numbers. */
  function table() {
    const columns = [
      { title: "From", key: (i) => drawn.sides[0][drawn.all[i].a].name.toLowerCase(), cells: (i) => label(drawn.sides[0][drawn.all[i].a].name) },
      { title: "To", key: (i) => drawn.sides[1][drawn.all[i].b].name.toLowerCase(), cells: (i) => label(drawn.sides[1][drawn.all[i].b].name) },
      { title: "Items", numeric: true, key: (i) => drawn.all[i].items, cells: (i) => count(drawn.all[i].items) },
      { title: "Of the first", numeric: true, key: (i) => drawn.all[i].items / drawn.sides[0][drawn.all[i].a].items, cells: (i) => percent(drawn.all[i].items / drawn.sides[0][drawn.all[i].a].items) },
      { title: "Of the second", numeric: true, key: (i) => drawn.all[i].items / drawn.sides[1][drawn.all[i].b].items, cells: (i) => percent(drawn.all[i].items / drawn.sides[1][drawn.all[i].b].items) },
    ];
    Report.pagedTable(byId("flow-table"), { caption: "The flow: items from clusters of the first to clusters of the second clustering", columns, rows: drawn.all.map((_, i) => i), sort: { column: 2, down: true } });
  }
  function says() {
    const scale = drawn.scaled ? " The rest is not to scale." : "";
    if (looking >= 0) return `One component: ${plural(overlaps.nClusters(0, looking), "cluster")} of the first, ${count(overlaps.nClusters(1, looking))} of the second, ${plural(overlaps.size[looking], "item")}.`;
    return `${count(drawn.nShown)} of ${plural(overlaps.nComponents, "component")}, ${count(drawn.shown)} of ${plural(overlaps.nItems, "item")}.${scale}`;
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
    await draw();
    byId("flow").on("plotly_click", (event) => {
      const node = event.points[0], bar = node && node.sourceLinks && drawn.sides.flat().find((each) => each.name && node.label.startsWith(named({ name: short(each.name, 26) })));
      if (bar && looking < 0 && !bar.rest && overlaps.nComponents > 1) look(bar.c);
    });
    Report.onTheme(draw);
  }
  return { start, look };
})();
