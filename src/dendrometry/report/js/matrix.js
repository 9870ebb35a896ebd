"use strict";
// Many trees: a heat map in the order of their own dendrogram, and the same values as tables.
const Trees = (() => {
  const { byId, el, label, number } = Report;
  const MOST_NAMED = 60; // trees named at the sides of the map
  const MOST_VALUES = 40; // trees whose values stand in one table
  const SCALE = [[0, "#fdea45"], [0.25, "#bcaf6f"], [0.5, "#7c7b78"], [0.75, "#414d6b"], [1, "#00224e"]]; // cividis, from unlike to alike
  let data, names, values, apart, far, n;

  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const short = (text, most) => `\u2068${plain(Report.shorten(text, most))}\u2069`;
  const at = (i, j) => values[i * n + j];
  /** The distance that orders neighbours: both ways together. */
  const distance = (i, j) => (data.similar ? -1 : 1) * (at(i, j) + at(j, i));

  function traces() {
    const rows = names.map((_, i) => Array.from(values.subarray(i * n, (i + 1) * n)));
    const [low, high] = data.span; // of the measure, so that small differences look small
    const { quiet } = Report.theme(), lines = { x: [], y: [] };
    for (const [from, to] of data.branches) { lines.x.push(from[1], to[1], null); lines.y.push(from[0], to[0], null); }
    const names1 = names.map((name) => short(name, 60));
    return [
      {
        type: "heatmap", z: rows, zmin: low, zmax: high, colorscale: data.similar ? SCALE : SCALE.map(([x, c]) => [1 - x, c]).reverse(), xaxis: "x2", yaxis: "y",
        xgap: n <= 40 ? 1 : 0, ygap: n <= 40 ? 1 : 0, text: rows.map((row, i) => row.map((x, j) => `<b>${names1[i]}</b> and <b>${names1[j]}</b><br>${number(x)}`)), hovertemplate: "%{text}<extra></extra>",
        colorbar: { orientation: "h", y: 1.01, yanchor: "bottom", thickness: 9, len: 0.5, x: 1, xanchor: "right", outlinewidth: 0, tickfont: { size: 11 }, title: { text: data.scale, side: "top", font: { size: 12 } } },
      },
      { type: "scatter", mode: "lines", x: lines.x, y: lines.y, xaxis: "x", yaxis: "y", line: { color: quiet, width: 1.2 }, hoverinfo: "skip", showlegend: false },
    ];
  }
  function layout() {
    const { ink, paper, line } = Report.theme(), named = n <= MOST_NAMED;
    const width = Report.paperWidth() || byId("heat-map").clientWidth || 1000;
    const longest = named ? Math.min(Math.max(...names.map((name) => name.length)), 24) * 6.6 + 18 : 12;
    const map = Math.min(0.8 * (width - longest), Math.min(Math.max(44 * n, 260), 720));
    const ticks = { tickvals: names.map((_, i) => i), ticktext: names.map((name, i) => (far.has(i) ? `<b>${short(name, 24)}</b>` : short(name, 24))), tickfont: { size: n > 40 ? 9 : 11.5 }, showticklabels: named, ticks: "outside", ticklen: 4, tickcolor: "rgba(0,0,0,0)", showgrid: false, zeroline: false, color: ink };
    return {
      width: map / 0.8 + longest + 4, height: map + longest + 62, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", margin: { l: 2, r: longest, t: 58, b: longest }, showlegend: false,
      font: { family: getComputedStyle(document.body).fontFamily, color: ink, size: 13 }, hoverlabel: { bgcolor: paper, bordercolor: line, font: { color: ink }, align: "left" }, dragmode: "zoom",
      xaxis: { domain: [0, 0.19], autorange: "reversed", visible: false, fixedrange: true },
      xaxis2: { domain: [0.2, 1], range: [-0.5, n - 0.5], anchor: "y", tickangle: 90, ...ticks, constrain: "domain" },
      yaxis: { range: [n - 0.5, -0.5], side: "right", anchor: "x2", ...ticks },
    };
  }
  const draw = () => Plotly.react(byId("heat-map"), traces(), layout(), { displaylogo: false, displayModeBar: false });

  function detail(i) {
    const others = names.map((_, j) => j).filter((j) => j !== i).sort((x, y) => distance(i, x) - distance(i, y) || x - y);
    const value = (j) => (data.symmetric ? number(at(i, j)) : `${number(at(i, j))}, ${number(at(j, i))} the other way`);
    return [el("h4", {}, "The others, the nearest first"), el("ol", { class: "names" }, ...others.map((j) => el("li", {}, label(names[j]), el("small", {}, ` ${value(j)}`))))];
  }
  function table() {
    const all = names.map((_, i) => i), best = [], worst = [];
    for (const i of all) {
      const others = all.filter((j) => j !== i);
      best.push(others.reduce((x, y) => (distance(i, y) < distance(i, x) ? y : x)));
      worst.push(others.reduce((x, y) => (distance(i, y) > distance(i, x) ? y : x)));
    }
    const other = (i, j) => el("span", {}, label(names[j]), el("small", {}, ` ${number(at(i, j))}`));
    const most = apart.reduce((x, y) => Math.max(x, y), 0) || 1;
    const columns = [
      { title: "Tree", cells: (i) => label(names[i]), key: (i) => names[i].toLowerCase() },
      { title: "Median distance", numeric: true, key: (i) => apart[i], cells: (i) => el("span", { class: "scored" }, number(apart[i]), el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `--share: ${(apart[i] / most).toFixed(3)}` }))), says: "the median distance to the others" },
      { title: "Nearest", cells: (i) => other(i, best[i]) },
      { title: "Farthest", cells: (i) => other(i, worst[i]) },
      { title: "Stands out", key: (i) => (far.has(i) ? 0 : 1), cells: (i) => (far.has(i) ? "yes" : "") },
    ];
    const find = byId("trees-find"), only = byId("trees-far");
    only.disabled = !far.size;
    const found = () => {
      const text = find.value.trim().toLowerCase();
      return all.filter((i) => (!only.checked || far.has(i)) && names[i].toLowerCase().includes(text));
    };
    const shown = Report.pagedTable(byId("each-tree"), { name: "trees", caption: "Trees and their distance to the others", columns, rows: all, sort: { column: 1, down: true }, detail, empty: "No such tree." });
    const update = Report.later(() => shown.show(found()), 120);
    find.addEventListener("input", update);
    only.addEventListener("change", update);
  }
  /** The whole matrix, where it is small enough to be read. */
  function whole() {
    if (n > MOST_VALUES) return;
    const head = el("tr", {}, el("td"), ...names.map((name) => el("th", { scope: "col" }, label(name))));
    const body = names.map((name, i) => el("tr", {}, el("th", { scope: "row" }, label(name)), ...names.map((_, j) => el("td", { class: "number" }, number(at(i, j))))));
    const caption = data.symmetric ? data.measure : `${data.measure}; the row is the first tree, the column the second`;
    byId("values").replaceChildren(el("table", { class: "values" }, el("caption", {}, caption), el("thead", {}, head), el("tbody", {}, ...body)));
    byId("values").append(el("div", { class: "controls" }, Report.download("values", () => Report.cellsOf(byId("values").querySelector("table")))));
    byId("all-values").hidden = false;
  }

  async function start(given) {
    data = given;
    [names, values, apart] = await Promise.all([given.names, given.values, given.apart].map(Report.unpack));
    far = new Set(given.far);
    n = names.length;
    table();
    whole();
    document.documentElement.dataset.usable = String(Math.round(performance.now()));
    await Report.plotly();
    await draw();
    byId("heat-map").on("plotly_click", (event) => {
      const { pointIndex } = event.points[0];
      if (!pointIndex) return;
      const [i, j] = pointIndex;
      byId("map-says").replaceChildren(label(names[i]), " and ", label(names[j]), `: ${data.measure} ${number(at(i, j))}`);
    });
    Report.onTheme(draw);
    window.addEventListener("resize", Report.later(draw, 150));
  }
  return { start };
})();
Report.run((data) => (data.names ? Trees.start(data) : null));
