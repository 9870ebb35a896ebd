"use strict";
// What every page shares. Names reach the page as text nodes and attributes only, never as HTML.
const Report = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

  /** Make an element: attributes by name, "on…" as listeners; children are nodes, or text. */
  function made(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...children);
    return node;
  }
  const el = (tag, attributes, ...children) => made(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => made(document.createElementNS(SVG, tag), attributes, children);
  /** A name of any kind, its direction of writing kept to itself. */
  const label = (name) => el("bdi", {}, name);
  /** A text of at most so many letters: of a longer one the first and the last, since names often differ at their ends. */
  function shorten(text, most, nFirst = Math.ceil((most - 1) / 2)) {
    const letters = Array.from(text);
    if (letters.length <= most) return text;
    return `${letters.slice(0, nFirst).join("").trimEnd()}…${letters.slice(letters.length - (most - 1 - nFirst)).join("").trimStart()}`;
  }

  /** Unpack a column: a typed array, or an array of names. */
  async function unpack(column) {
    if (!column) return null;
    const text = atob(column.gzip), bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const unpacked = await new Response(stream).arrayBuffer();
    if (column.kind === "text") return JSON.parse(new TextDecoder().decode(unpacked));
    // the first bytes of all numbers, then all second ones, and so on
    const planes = new Uint8Array(unpacked), kind = { i4: Int32Array, f4: Float32Array, f8: Float64Array, u1: Uint8Array }[column.kind];
    const size = kind.BYTES_PER_ELEMENT, n = planes.length / size, numbers = new Uint8Array(planes.length);
    for (let byte = 0; byte < size; byte++) {
      for (let i = 0; i < n; i++) numbers[i * size + byte] = planes[byte * n + i];
    }
    return new kind(numbers.buffer);
  }

  const count = (n) => n.toLocaleString("en");
  const plural = (n, noun) => `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
  const percent = (x) => (x > 0 && x < 0.001 ? "<0.1%" : x >= 0.995 && x < 1 ? ">99%" : `${(100 * x).toFixed(x < 0.1 ? 1 : 0)}%`);
  /** With three decimals, and never minus zero. */
  const fixed = (x) => (Math.round(1000 * x) / 1000 + 0).toFixed(3);
  const number = (x) => (Number.isInteger(x) ? count(x) : Number(x.toPrecision(4)).toString());

  /** Tell what happened to those who do not see it. */
  const tell = (text) => { byId("live").textContent = text; };

  /** Call a function once after things have come to rest. */
  function later(call, wait) {
    let timer = 0;
    return () => { clearTimeout(timer); timer = setTimeout(call, wait); };
  }
  /** Call a function at most once for each frame. */
  function eachFrame(call) {
    let pending = false;
    return () => {
      if (pending) return;
      pending = true;
      requestAnimationFrame(() => { pending = false; call(); });
    };
  }

  /** The page's colours, as they are in light or dark. */
  function theme() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    return { ink: of("--ink"), quiet: of("--quiet"), line: of("--line"), paper: of("--paper"), accent: of("--accent") };
  }
  const onTheme = (call) => {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", call);
    for (const when of ["beforeprint", "afterprint"]) {
      // the style of paper comes only after these events, so the page is told by a class of its own
      window.addEventListener(when, () => { document.documentElement.classList.toggle("printing", when === "beforeprint"); call(); });
    }
  };
  /** The width of a drawing while the page is printed, on A4 or letter paper; on a screen there is none to keep to. */
  const paperWidth = () => (document.documentElement.classList.contains("printing") ? 690 : undefined);

  /** A cell of a CSV file: quoted if it must be, and never a formula to a spreadsheet. */
  function csvCell(value) {
    let text = typeof value === "number" ? String(value) : String(value ?? "").trim();
    if (typeof value !== "number" && /^'*[=+\-@＝＋－＠]/.test(text) && !/^[+-]?\d+(\.\d*)?([eE][+-]?\d+)?$/.test(text)) text = `'${text}`;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  }
  const csv = (rows) => rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
  /** A button that downloads a table, made in the page; rows() gives its cells, the titles first. */
  function download(name, rows) {
    const save = () => {
      const url = URL.createObjectURL(new Blob(["\ufeff", csv(rows())], { type: "text/csv" }));
      el("a", { href: url, download: `${name}.csv` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 1000);
    };
    return el("button", { type: "button", class: "download", onclick: save }, "Download CSV");
  }
  /** The cells of a table of the page as text. */
  const cellsOf = (table) => Array.from(table.rows, (row) => Array.from(row.cells, (cell) => {
    const bare = cell.cloneNode(true);
    bare.querySelectorAll("small").forEach((small) => small.remove());
    return bare.textContent;
  }));

  /**
   * A long table, a page of rows at a time. columns: [{title, numeric, key, cells(row) -> node or text, says, plain}];
   * plain: not part of the download;
   * rows: what is left after finding, as an array of row numbers; detail(row): nodes that a row opens to, or nothing.
   */
  function pagedTable(place, { name, caption, columns, rows, sort, detail, size = 15, empty = "Nothing found." }) {
    let shown = rows, page = 0, by = sort.column, down = sort.down, opened = -1;
    const head = el("tr"), body = el("tbody");
    const table = el("table", { class: "long" }, el("caption", { class: "unseen" }, caption), el("thead", {}, head), body);
    const says = el("span", { class: "quiet", role: "status" });
    const back = el("button", { type: "button", onclick: () => turn(-1) }, "‹ Back");
    const on = el("button", { type: "button", onclick: () => turn(1) }, "Next ›");
    const kept = columns.filter((column) => !column.plain), value = (column, row) => {
      if (column.numeric) return column.key(row);
      const cell = column.cells(row);
      return cell.textContent ?? cell;
    };
    const turns = el("span", { class: "turns" }, back, on, says);
    const save = download(name, () => [kept.map(({ title }) => title), ...shown.map((row) => kept.map((column) => value(column, row)))]);
    place.replaceChildren(
      el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption }, table),
      el("div", { class: "controls pager" }, turns, save));
    const heads = columns.map((column, i) => {
      const button = column.key
        ? el("button", { type: "button", title: column.says, onclick: () => order(i) }, column.title)
        : column.title;
      const cell = el("th", { scope: "col", class: column.numeric ? "number" : null }, button);
      head.append(cell);
      return cell;
    });
    function sorted() {
      const key = columns[by].key, sign = down ? -1 : 1;
      const keys = new Map(), of = (row) => { let k = keys.get(row); if (k === undefined) keys.set(row, (k = key(row))); return k; };
      shown = Array.from(shown).sort((x, y) => {
        const p = of(x), q = of(y);
        return p < q ? -sign : p > q ? sign : x - y;
      });
    }
    function order(i) {
      down = i === by ? !down : Boolean(columns[i].numeric);
      by = i; page = 0; opened = -1;
      sorted(); draw();
    }
    function turn(step) { page += step; opened = -1; draw(); }
    function toggle(row) { opened = opened === row ? -1 : row; draw(); const b = body.querySelector("[aria-expanded=true]"); if (b) b.focus(); }
    function draw() {
      heads.forEach((cell, i) => cell.setAttribute("aria-sort", i !== by ? "none" : down ? "descending" : "ascending"));
      const last = Math.max(0, Math.ceil(shown.length / size) - 1);
      page = Math.min(Math.max(page, 0), last);
      const start = page * size, end = Math.min(start + size, shown.length);
      body.replaceChildren();
      for (let i = start; i < end; i++) {
        const row = shown[i], tr = el("tr");
        columns.forEach((column, j) => {
          const content = column.cells(row);
          const cell = el(j ? "td" : "th", { class: column.numeric ? "number" : null, scope: j ? null : "row", "data-title": j ? column.title : null });
          if (!j && detail) {
            cell.append(el("button", { type: "button", class: "open", "aria-expanded": String(opened === row), onclick: () => toggle(row) }, content));
          } else cell.append(content);
          tr.append(cell);
        });
        body.append(tr);
        if (detail && opened === row) body.append(el("tr", { class: "detail" }, el("td", { colspan: columns.length }, ...detail(row))));
      }
      if (!shown.length) body.append(el("tr", {}, el("td", { colspan: columns.length, class: "quiet" }, empty)));
      back.disabled = page === 0;
      on.disabled = page === last;
      says.textContent = shown.length ? `${count(start + 1)} to ${count(end)} of ${count(shown.length)}` : "";
      turns.hidden = shown.length <= size;
      save.hidden = !shown.length;
    }
    sorted(); draw();
    return { show(found) { shown = found; page = 0; opened = -1; sorted(); draw(); } };
  }

  /** Run plotly, which is kept as text so that the rest of the page need not wait for it. */
  async function plotly() {
    const kept = byId("plotly");
    if (kept) {
      await new Promise((resolve) => setTimeout(resolve)); // let the page be painted first
      document.body.append(el("script", {}, kept.textContent));
      kept.remove();
    }
    return window.Plotly;
  }

  /** Start the page, and say when it is ready. */
  async function run(start) {
    const measures = document.querySelector("table.measures");
    if (measures) measures.parentElement.after(el("div", { class: "controls" }, download("measures", () => cellsOf(measures))));
    try {
      await start(data);
      document.documentElement.dataset.ready = String(Math.round(performance.now()));
    } catch (error) {
      const old = typeof DecompressionStream === "undefined";
      const reason = old ? "This browser is too old to unpack the page's data; what stands as text is whole." : `The page could not be drawn: ${error}`;
      byId("content").prepend(el("p", { class: "reason", role: "alert" }, reason));
      throw error;
    }
  }

  return { data, byId, el, svg, label, shorten, unpack, count, plural, percent, fixed, number, tell, later, eachFrame, theme, onTheme, paperWidth, pagedTable, plotly, download, cellsOf, csv, run };
})();
