"use strict";
// At which level: curves over the number of clusters or the depth, and both cuts at the step that is chosen.
const Levels = (() => {
  const { byId, el, label, count, plural, percent } = Report;
  const MOST = 9; // clusters of either cut in the table
  const [A, B] = Report.data.called || [];
  let levels, forest, step = 0, series;

  const heading = (i) => (levels.byDepth ? `depth ${count(levels.at[i])}` : plural(levels.at[i], "group"));

  function layout() {
    const { ink, quiet, line } = Report.theme();
    const width = Report.paperWidth();
    const axis = { color: quiet, gridcolor: line, linecolor: line, zerolinecolor: line, tickfont: { size: 12 }, automargin: true };
    const narrow = (width || byId("curves").clientWidth) < 560;
    const many = !levels.byDepth && levels.at.length > 30;
    return {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", width, height: 340, margin: { l: 56, r: 16, t: narrow ? 78 : 34, b: 48 },
      font: { family: getComputedStyle(document.body).fontFamily, color: ink, size: 13 }, hovermode: "x unified", showlegend: true, dragmode: "zoom",
      legend: { orientation: "h", x: 0, y: 1.03, yanchor: "bottom", font: { color: quiet } }, hoverlabel: { bgcolor: Report.theme().paper },
      xaxis: { ...axis, title: { text: levels.byDepth ? "depth below the root" : "number of clusters", font: { size: 13 }, standoff: 10 }, type: many ? "log" : "linear", dtick: levels.at.length > 20 ? undefined : 1, ...(many ? ticks() : {}) },
      yaxis: { ...axis, title: { text: series.title, font: { size: 13 }, standoff: 10 }, rangemode: "tozero" },
      shapes: marker(),
    };
  }
  /** Marks at 2, 5, 10, 20, 50 and so on: those of plotly are single digits between the powers of ten. */
  function ticks() {
    const last = levels.at.at(-1), tickvals = [];
    for (let ten = 1; ten <= last; ten *= 10) tickvals.push(ten, 2 * ten, 5 * ten);
    return { tickvals, ticktext: tickvals.map(count) };
  }
  function marker() {
    const x = levels.at[step];
    return [{ type: "line", x0: x, x1: x, yref: "paper", y0: 0, y1: 1, line: { color: Report.theme().accent, width: 1.5, dash: "dot" } }];
  }
  function traces() {
    const { accent, quiet } = Report.theme(), few = levels.at.length < 40;
    const band = { x: levels.at, mode: "lines", line: { width: 0 }, hoverinfo: "skip" };
    return [
      { ...band, y: series.low, showlegend: false },
      { ...band, y: series.high, fill: "tonexty", fillcolor: "rgba(128,138,150,0.22)", name: "95% of unrelated trees" },
      { x: levels.at, y: series.mean, mode: "lines", line: { color: quiet, width: 1.5, dash: "dash" }, name: "by chance", hovertemplate: "%{y:.3f}" },
      { x: levels.at, y: series.value, mode: few ? "lines+markers" : "lines", line: { color: accent, width: 2.5 }, marker: { size: 7 }, name: "these trees", hovertemplate: "%{y:.3f}" },
    ];
  }
  const options = { displaylogo: false, responsive: true, displayModeBar: matchMedia("(max-width: 40rem)").matches ? false : "hover", modeBarButtonsToRemove: ["lasso2d", "select2d", "autoScale2d"] };
  function curves() { return Plotly.react(byId("curves"), traces(), layout(), options); }

  /** The largest clusters of the first cut, the clusters of the second that hold most of them, and what they share. */
  function overlap() {
    const cuts = [forest.a.cut(levels.limits[0][step], levels.alone[0]), forest.b.cut(levels.limits[1][step], levels.alone[1])];
    const rows = cuts[0].clusters.slice().sort((x, y) => y.size - x.size || x.low - y.low).slice(0, MOST).sort((x, y) => x.low - y.low);
    const second = cuts[1].clusters, owner = new Int32Array(forest.n).fill(-1);
    second.forEach((c, j) => { for (let i = c.low; i < c.high; i++) owner[forest.b.unitAt(i)] = j; });
    const shared = rows.flatMap((row) => {
      const held = new Map();
      for (let unit = row.low; unit < row.high; unit++) if (owner[unit] >= 0) held.set(owner[unit], (held.get(owner[unit]) || 0) + forest.weightOf(unit));
      const most = [...held].sort((x, y) => y[1] - x[1] || x[0] - y[0]).slice(0, MOST);
      return most.map(([j, n], rank) => ({ j, n, rank }));
    });
    const chosen = new Set(); // the best of every row first, then whatever else they share most
    shared.sort((x, y) => Math.min(x.rank, 1) - Math.min(y.rank, 1) || y.n - x.n || x.j - y.j).forEach(({ j }) => { if (chosen.size < MOST) chosen.add(j); });
    const columns = [...chosen].map((j) => second[j]).sort((x, y) => x.low - y.low), width = columns.length + 1;
    const column = new Int32Array(forest.n).fill(columns.length), row = new Int32Array(forest.n).fill(rows.length);
    columns.forEach((c, j) => { for (let i = c.low; i < c.high; i++) column[forest.b.unitAt(i)] = j; });
    rows.forEach((r, i) => row.fill(i, r.low, r.high));
    const cells = new Float64Array((rows.length + 1) * width);
    for (let unit = 0; unit < forest.n; unit++) cells[row[unit] * width + column[unit]] += forest.weightOf(unit);
    draw([rows, columns], cells, width);
    return cuts.map((cut) => cut.groups);
  }
  function draw([rows, columns], cells, width) {
    const inAll = (side) => side.reduce((sum, c) => sum + c.size, 0);
    const rest = [Report.data.items - inAll(rows), Report.data.items - inAll(columns)];
    const name = (tree, c) => (c.own ? tree.callOwn(c.node) : tree.call(c.node));
    const head = el("tr", {}, el("td", { class: "corner" }, el("span", {}, label(A), " ↓"), el("span", {}, label(B), " →")));
    const short = (text) => label(Report.shorten(text, matchMedia("(max-width: 40rem)").matches ? 16 : 32));
    const title = (tree, c) => {
      const full = name(tree, c), bySize = tree.isCalledBySize(c.node);
      const [called, small] = bySize ? [plural(c.size, "item"), el("small", {}, "such as ", short(tree.example(c.node)))] : [short(full), el("small", {}, count(c.size))];
      return [el("span", { class: "called", title: full }, called), small];
    };
    columns.forEach((c) => head.append(el("th", { scope: "col" }, ...title(forest.b, c))));
    if (rest[1]) head.append(el("th", { scope: "col", class: "quiet" }, el("span", { class: "called" }, "others"), el("small", {}, count(rest[1]))));
    const body = el("tbody");
    for (let i = 0; i <= rows.length; i++) {
      const size = i < rows.length ? rows[i].size : rest[0];
      if (!size) continue;
      const tr = el("tr", {}, i < rows.length ? el("th", { scope: "row" }, ...title(forest.a, rows[i])) : el("th", { scope: "row", class: "quiet" }, el("span", { class: "called" }, "others"), el("small", {}, count(size))));
      for (let j = 0; j < width - (rest[1] ? 0 : 1); j++) {
        const n = cells[i * width + j], share = n / size;
        const of = j < columns.length ? columns[j].size : rest[1];
        const says = n ? `${plural(n, "item")}: ${percent(share)} of the cluster in ${A}, ${percent(n / of)} of that in ${B}` : null;
        tr.append(el("td", { class: n ? "cell" : "cell none", style: `--share: ${share.toFixed(3)}`, title: says, "data-deep": share > 0.55 }, n ? count(n) : "·"));
      }
      body.append(tr);
    }
    const caption = el("caption", {}, `Items in common: the largest clusters of ${A}, and those of ${B} that hold most of them. The deeper the colour, the larger the share of the cluster of ${A}.`);
    const table = el("table", { class: "overlap" }, caption, el("thead", {}, head), body);
    byId("overlap").replaceChildren(table, el("div", { class: "controls" }, Report.download(`overlap-${levels.at[step]}`, () => rowsOf([rows, columns], cells, width))));
  }

  /** The overlap as rows of text and numbers. */
  function rowsOf([rows, columns], cells, width) {
    const name = (tree, c) => (c ? (c.own ? tree.callOwn(c.node) : tree.call(c.node)) : "others");
    const head = [`${A} / ${B}`, ...columns.map((c) => name(forest.b, c)), "others"];
    return [head, ...[...rows, null].map((row, i) => [name(forest.a, row), ...cells.subarray(i * width, (i + 1) * width)])];
  }

  function show() {
    const input = byId("step"), at = heading(step);
    input.value = step;
    byId("step-value").textContent = count(levels.at[step]);
    const value = series.value[step], mean = series.mean[step];
    let text = `At ${at}: ${series.title} ${Report.fixed(value)}, by chance ${Report.fixed(mean)}.`;
    if (forest) {
      const groups = overlap();
      text += ` Groups here: ${count(groups[0])} in ${A}, ${count(groups[1])} in ${B}.`;
    }
    input.setAttribute("aria-valuetext", text);
    byId("step-says").textContent = text;
    if (byId("curves").layout) Plotly.relayout(byId("curves"), { shapes: marker() });
  }
  const showSoon = Report.eachFrame(show);
  function go(to) {
    step = Math.min(Math.max(to, 0), levels.at.length - 1);
    showSoon();
  }
  function choose(name) {
    series = levels.series[name];
    byId("series-says").textContent = series.meaning;
  }

  async function start(given, trees) {
    levels = given; forest = trees;
    const names = Object.keys(levels.series), select = byId("series");
    names.forEach((name) => select.append(el("option", { value: name }, levels.series[name].title)));
    choose(names[0]);
    select.addEventListener("change", async () => { choose(select.value); await curves(); show(); });
    const input = byId("step");
    input.max = levels.at.length - 1;
    byId("step-name").textContent = levels.byDepth ? "Depth" : "Groups";
    input.addEventListener("input", () => go(Number(input.value)));
    byId("step-less").addEventListener("click", () => go(step - 1));
    byId("step-more").addEventListener("click", () => go(step + 1));
    let best = 0; // start where the trees rise most above chance, among cuts into few clusters or clusters of five items on average
    const most = Math.min(30, Math.max(MOST, Report.data.items / 5)), readable = (i) => levels.groups[i] <= most || i === 0;
    levels.at.forEach((_, i) => { if (readable(i) && series.value[i] - series.mean[i] > series.value[best] - series.mean[best]) best = i; });
    step = best;
    show();
    document.documentElement.dataset.usable = String(Math.round(performance.now()));
    await Report.plotly();
    await curves();
    byId("curves").on("plotly_click", (event) => {
      const i = levels.at.indexOf(event.points[0].x);
      if (i >= 0) go(i);
    });
    Report.onTheme(() => curves());
  }
  return { start };
})();
