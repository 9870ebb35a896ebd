"use strict";
// Where: both trees face to face. Only the top of a large tree is drawn; its clusters open and close, within a budget.
const Tanglegram = (() => {
  const { byId, el, svg, label, shorten, count, plural, number } = Report;
  const { GREY, Side, meetings } = TreeRows;
  const MOST = 400; // rows of either tree
  const WHOLE = 130; // units up to which all are shown at first
  const TOP = 36; // rows at first, if there are more
  const ROW = 17;
  let forest, sides, place, picture, ribbons = [], zoom = 1, marked = -1;

  const measure = document.createElement("canvas").getContext("2d");
  /** A name that fits a width: of a longer one, as many letters as there is room for; `cut` shortens it. */
  function fitted(text, width, font, cut = shorten) {
    measure.font = font;
    if (measure.measureText(text).width <= width) return text;
    let low = 1, high = 120;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (measure.measureText(cut(text, mid)).width <= width) low = mid; else high = mid - 1;
    }
    return cut(text, low);
  }
  /** Names that fit a width, different where the names are: those that would be the same show where they first differ. */
  function fittedAll(names, afters, width, font) {
    measure.font = font;
    const room = afters.map((after) => width - measure.measureText(after).width);
    const texts = names.map((name, i) => fitted(name, room[i], font)), same = new Map();
    names.forEach((name, i) => same.set(texts[i], (same.get(texts[i]) || new Set()).add(name)));
    return names.map((name, i) => {
      const group = [...same.get(texts[i])];
      if (group.length === 1) return texts[i] + afters[i];
      const letters = group.map((other) => Array.from(other)), [first] = letters;
      const alike = Math.max(first.findIndex((letter, j) => letters.some((other) => other[j] !== letter)), 0);
      const differing = `${first[0]}…${Array.from(name).slice(alike).join("")}`;
      return fitted(differing, room[i], font, (text, most) => shorten(text, most, most - 1)) + afters[i];
    });
  }
  /** The size of a row that stands after its name, however short that is. */
  const sizeAfter = ({ tree }, row) => (row.kind !== "rest" && row.kind !== "own" && row.size > 1 && !tree.isCalledBySize(row.v) ? ` (${count(row.size)})` : "");
  function called(side, row) {
    const { tree } = side;
    if (row.kind === "rest") return `${plural(row.n, "smaller part")}, ${plural(row.size, "item")}`;
    if (row.kind === "own") return row.size === 1 && forest.names ? forest.names[tree.unitAt(tree.low[row.v])] : tree.callOwn(row.v);
    return tree.call(row.v, true) + sizeAfter(side, row);
  }

  /** The names of all rows, and the sizes after them. */
  function namesOf(side) {
    const afters = side.rows.map((row) => sizeAfter(side, row));
    return [side.rows.map((row, i) => called(side, row).slice(0, -afters[i].length || undefined)), afters];
  }

  function draw() {
    sides.forEach((side) => side.lay());
    const [a, b] = sides, most = Math.max(a.rows.length, b.rows.length);
    const width = Math.max(place.clientWidth - 2, 330), height = Math.max(most * ROW * zoom, 150) + 12;
    sides.forEach((side) => { side.step = (height - 12) / side.rows.length; side.font = Math.min(12.5, side.step * 0.82); });
    const family = getComputedStyle(place).fontFamily;
    sides.forEach((side) => {
      side.texts = side.font < 6 ? [] : fittedAll(...namesOf(side), width * (width < 620 ? 0.23 : 0.19), `${side.font}px ${family}`);
      measure.font = `${side.font}px ${family}`;
      side.names = side.texts.reduce((w, text) => Math.max(w, measure.measureText(text).width), 0) + 12;
    });
    const inner = width - a.names - b.names, branch = inner * 0.33;
    Object.assign(a, { at: (x) => 6 + x * (branch - 6), tip: branch, link: branch + a.names, sign: 1 });
    Object.assign(b, { at: (x) => width - 6 - x * (branch - 6), tip: width - branch, link: width - branch - b.names, sign: -1 });
    ribbons = meetings(forest, sides, marked);
    const bands = svg("g", { class: "ribbons", "aria-hidden": "true" }, ...ribbons.map((m) => (m.path = ribbon(m))));
    const focused = document.activeElement && document.activeElement.dataset && document.activeElement.dataset.key;
    picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `Both trees, ${sides[0].name} on the left`, "aria-describedby": "trees-help" }, bands, ...sides.map(drawSide));
    place.replaceChildren(picture);
    if (focused) step(sides.find((side) => side.which === focused[0]), focused); // else keys would go nowhere
    says();
  }
  const y = (side, at) => 6 + at * side.step;

  function ribbon(m) {
    const [a, b] = sides, thick = (side, r) => Math.min(side.step * 0.74, 26, 1.8 * side.rows[r].size);
    const ends = (side, r, from, share) => {
      const full = thick(side, r), start = y(side, side.rows[r].y) - full / 2 + from * full;
      return [start, start + Math.max(full * share, 0.7)];
    };
    const mid = (a.link + b.link) / 2, reach = (b.link - a.link) * 0.16, cls = `r c${m.colour}${m.marked ? " marked" : ""}`;
    if (m.p < 0 || m.q < 0) {
      const [side, r, from, share] = m.q < 0 ? [a, m.p, m.fromA, m.share[0]] : [b, m.q, m.fromB, m.share[1]];
      const [s, e] = ends(side, r, from, share);
      return svg("path", { class: `${cls} outside`, d: `M${side.link},${s}L${side.link + side.sign * reach},${(s + e) / 2}L${side.link},${e}Z` });
    }
    const [s, e] = ends(a, m.p, m.fromA, m.share[0]), [t, f] = ends(b, m.q, m.fromB, m.share[1]);
    return svg("path", { class: cls, d: `M${a.link},${s}C${mid},${s} ${mid},${t} ${b.link},${t}L${b.link},${f}C${mid},${f} ${mid},${e} ${a.link},${e}Z` });
  }

  function drawSide(side) {
    const { tree, nodes, rows } = side, lines = new Map();
    const add = (cls, d) => lines.set(cls, (lines.get(cls) || "") + d);
    const stem = (part, colour) => {
      const node = nodes[part.up];
      const inverted = tree.height && part.kind !== "own" && part.kind !== "rest" && tree.height[part.v] > tree.height[node.v];
      add(`b c${colour}${inverted ? " inverted" : ""}`, `M${side.at(node.x)},${y(side, part.y)}H${side.at(part.x)}`);
    };
    const colourOf = (part) => (part.kind === "own" || part.kind === "rest" ? GREY : side.colour[part.v]);
    [...nodes, ...rows].forEach((part) => { if (part.up >= 0) stem(part, colourOf(part)); });
    nodes.forEach((node) => add(`b c${side.colour[node.v]}`, `M${side.at(node.x)},${y(side, node.first)}V${y(side, node.last)}`));
    rows.forEach((row) => { if (row.kind !== "closed" && row.x < 0.995) add("guide", `M${side.at(row.x)},${y(side, row.y)}H${side.tip}`); });
    const group = svg("g", { class: "tree", role: "tree", "aria-label": `${side.name}, ${plural(Report.data.items, "item")}` });
    const order = side.steps();
    if (!order.some((part) => part.key === side.current)) side.current = order[0].key;
    lines.forEach((d, cls) => group.append(svg("path", { class: cls, d, "aria-hidden": "true" })));
    order.forEach((part) => group.append(drawPart(side, part, colourOf(part))));
    nodes.forEach((node) => group.append(...nameOf(side, node), ...chanceAt(side, node)));
    return group;
  }
  /** The name of an open node above its stem, if there is room for it. */
  function nameOf(side, node) {
    const name = side.tree.names && side.tree.names[node.v], up = stemOf(side, node);
    if (!name || up < 34 || side.step < 9) return [];
    const text = fitted(name, up - 10, `10px ${getComputedStyle(place).fontFamily}`);
    if (text.length < 4 && text !== name) return [];
    return [svg("text", { class: "inner", x: side.at(node.x) - side.sign * 6, y: y(side, node.y) - 3, "font-size": 10, "text-anchor": side.sign > 0 ? "end" : "start", "aria-hidden": "true" }, text)];
  }
  /** The p-value of a recurring cluster below its stem, if there is room for it. */
  function chanceAt(side, node) {
    const p = chance(side, node);
    measure.font = `9px ${getComputedStyle(place).fontFamily}`;
    if (!p || side.step < 9 || stemOf(side, node) < measure.measureText(p).width + 8) return [];
    return [svg("text", { class: "inner", x: side.at(node.x) - side.sign * 6, y: y(side, node.y) + 9, "font-size": 9, "text-anchor": side.sign > 0 ? "end" : "start", "aria-hidden": "true" }, p)];
  }
  /** How long the stem of a node is, in pixels; that of the root is nothing. */
  const stemOf = (side, node) => (node.up < 0 ? 0 : Math.abs(side.at(node.x) - side.at(side.nodes[node.up].x)));
  function drawPart(side, part, colour) {
    const X = side.at(part.x), Y = y(side, part.y), opens = part.kind === "closed" || part.kind === "rest";
    const shape = [], p = chance(side, part);
    if (p) shape.push(svg("circle", { class: "ring", cx: X, cy: Y, r: Math.min(5.6, side.step * 0.5) }));
    if (part.kind === "node") shape.push(svg("circle", { class: "reach", cx: X, cy: Y, r: 9 }), svg("circle", { class: `dot c${colour}`, cx: X, cy: Y, r: Math.min(3.6, side.step * 0.4) }));
    else {
      const half = Math.min(side.step * 0.37, 13), r = part.from;
      if (part.kind === "closed") shape.push(svg("path", { class: `wedge c${colour}`, d: `M${X},${Y}L${side.tip},${Y - half}V${Y + half}Z` }));
      shape.push(svg("rect", { class: "reach", x: Math.min(X, side.link), y: Y - side.step / 2, width: Math.abs(side.link - X) || 1, height: side.step }));
      if (side.texts.length) shape.push(svg("text", { x: side.tip + side.sign * 6, y: Y, dy: "0.35em", "font-size": side.font, "text-anchor": side.sign > 0 ? "start" : "end", class: part.kind === "leaf" || part.kind === "own" ? null : "many", direction: "ltr" }, svg("tspan", { style: "unicode-bidi: isolate" }, side.texts[r])));
    }
    return svg("g", {
      class: `part ${part.kind}`, role: "treeitem", "data-key": part.key, tabindex: part.key === side.current ? 0 : -1, "aria-level": part.level,
      "aria-expanded": part.kind === "node" ? "true" : opens ? "false" : null, "aria-label": summary(side, part),
    }, ...shape);
  }

  /** What a part is called where there is room for it, and its size unless that is part of the name. */
  const heading = (side, part) => (part.kind === "node" || part.kind === "closed" ? side.tree.call(part.v) : called(side, part));
  function sized(side, part) {
    if (part.kind === "rest" || (side.tree.isCalledBySize(part.v) && part.size !== 1)) return "";
    return plural(part.kind === "node" ? side.tree.size(part.v) : part.size, "item");
  }
  function summary(side, part) {
    return [heading(side, part), sized(side, part), supported(side, part), recurs(side, part)].filter(Boolean).join(", ");
  }
  /** The p-value of a part that is a cluster which recurs, or the match of one that does. */
  const chance = ({ which }, { kind, v }) => (kind === "rest" || kind === "own" ? "" : forest.recursAs(which, v));
  /** That a cluster recurs, or is the match of one that does, with its p-value. */
  function recurs(side, part) {
    const p = chance(side, part);
    return p && `${side.which === "a" ? "recurs" : "match of one that recurs"}, p ${p}`;
  }
  function supported({ tree }, { kind, v }) {
    const percent = kind === "node" || kind === "closed" ? tree.supportOf(v) : "";
    return percent && `support ${percent}`;
  }
  function says() {
    const [a, b] = sides, looked = a.root || b.root;
    byId("whole").hidden = !looked;
    const all = sides.every((side) => side.rows.every((row) => row.kind === "leaf" || row.kind === "own"));
    byId("open-more").disabled = all;
    const rows = `${count(a.rows.length)} and ${count(b.rows.length)} rows`;
    byId("trees-says").replaceChildren(...(looked ? ["Looking at ", label(a.tree.call(a.root)), " beside ", label(b.tree.call(b.root)), `, ${rows}`] : [all ? "Every cluster is open." : `Top clusters, ${rows}.`]));
  }

  const find = (key) => { for (const side of sides) for (const part of [...side.nodes, ...side.rows]) if (part.key === key) return [side, part]; return null; };

  function toggle(side, part) {
    const { tree } = side;
    side.current = part.key;
    if (part.kind === "node") {
      side.open[part.v] = 0;
      side.current = `${side.which}closed${part.v}`;
    } else if (part.kind === "closed" || part.kind === "rest") {
      const cost = part.kind === "rest" ? Math.min(part.n, 100) : side.cost(part.v);
      if (side.rows.length + cost > MOST) return tellFull(side, part);
      if (part.kind === "rest") side.more.set(part.v, side.most(part.v) + 100);
      else { side.open[part.v] = 1; side.current = `${side.which}node${part.v}`; }
    } else return;
    Report.tell(`${tree.call(part.v)} ${part.kind === "node" ? "closed" : "opened"}`);
    draw();
    step(side, side.current);
  }
  function tellFull(side, part) {
    const text = `At most ${MOST} rows are drawn at once. Close other clusters, or double-click this one to look at it alone.`;
    Report.tell(text);
    byId("trees-says").textContent = text;
  }
  /** Look at one cluster of each tree alone. */
  function look(v, w) {
    [[sides[0], v], [sides[1], w]].forEach(([side, root]) => { side.root = root; side.current = null; fill(side); });
    draw();
    hush();
    byId("trees").scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    Report.tell(v || w ? `Looking at ${sides[0].tree.call(v)} beside ${sides[1].tree.call(w)}` : "All items");
  }
  const fill = (side) => side.top(side.tree.nUnits[side.root] <= WHOLE ? WHOLE * 2 : TOP);
  function lookAt(side, part) {
    if (part.kind === "rest" || part.kind === "own" || !side.tree.children[part.v]) return;
    if (side.which === "a") look(part.v, forest.match ? forest.match[part.v] : 0);
    else look(smallest(part.v), part.v);
  }
  /** The smallest cluster of the first tree that holds all of a cluster of the second. */
  function smallest(w) {
    const { a, b } = forest;
    let low = Infinity, high = -1, v = 0;
    for (let i = b.low[w]; i < b.low[w] + b.nUnits[w]; i++) { low = Math.min(low, b.unit[i]); high = Math.max(high, b.unit[i]); }
    v = a.node[low];
    while (a.low[v] + a.nUnits[v] <= high) v = a.parent[v];
    return v;
  }
  /** Mark one unit in both trees. */
  function mark(unit) {
    marked = unit;
    sides.forEach((side) => { if (side.root) { side.root = 0; fill(side); } });
    draw();
    const path = picture.querySelector(".r.marked");
    if (path) {
      path.parentElement.append(path);
      path.scrollIntoView({ block: "center", behavior: "auto" });
      const m = ribbons.find((r) => r.marked);
      picture.querySelectorAll(".tree").forEach((group, i) => group.querySelector(`[data-key="${sides[i].rows[i ? m.q : m.p].key}"]`).classList.add("marked"));
      const rows = [sides[0].rows[m.p], sides[1].rows[m.q]], found = rows.map((row, i) => (row.size > 1 ? `in ${called(sides[i], row)}` : "by itself"));
      Report.tell(`${forest.names[unit]} is marked: ${found[0]} in ${sides[0].name}, ${found[1]} in ${sides[1].name}`);
    }
  }

  function light(side, part) {
    const mine = side.which === "a" ? "p" : "q";
    picture.classList.add("dim");
    ribbons.forEach((m) => m.path.classList.toggle("lit", m[mine] >= part.from && m[mine] < part.to));
  }
  function hush() {
    if (picture) picture.classList.remove("dim");
    byId("node-details").hidden = true;
  }
  function detailsOf(side, part) {
    const { tree } = side, v = part.v, details = [], whole = part.kind !== "own" && part.kind !== "rest";
    const height = tree.height && whole ? `height ${number(tree.height[v] * tree.largest)}` : "";
    const size = part.kind === "node" ? tree.size(v) : part.size;
    details.push(el("b", {}, label(heading(side, part))), el("p", { class: "quiet" }, [sized(side, part), height, supported(side, part)].filter(Boolean).join(", ")));
    if (whole && side.which === "a" && forest.match && size > 1) {
      const m = forest.match[v];
      details.push(el("p", {}, "Best match: ", label(forest.b.call(m)), forest.b.isCalledBySize(m) ? "" : ` (${count(forest.b.size(m))})`, `, F ${Report.fixed(forest.f(v))}, ${count(size - forest.common[v])} missing, ${count(forest.b.size(m) - forest.common[v])} extra`, forest.chanceOf(v) && `; by chance: p ${forest.chanceOf(v)}`));
    }
    if (side.which === "b" && recurs(side, part)) details.push(el("p", {}, "Best match of ", label(forest.a.call(forest.recurring.b[v])), ` in ${sides[0].name}, which recurs: p ${chance(side, part)}`));
    if (whole && size > 1 && forest.names) {
      const names = tree.examples(v, 12), more = tree.nUnits[v] - names.length;
      details.push(el("p", { class: "holds" }, ...names.flatMap((name, i) => [i ? ", " : "", label(name)]), more > 0 ? ` and ${count(more)} more` : ""));
    }
    return details;
  }
  function show(key, x, y_) {
    const found = find(key);
    if (!found) return;
    const box = byId("node-details");
    light(...found);
    box.replaceChildren(...detailsOf(...found));
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    box.style.left = `${Math.max(8, Math.min(x + 16, innerWidth - width - 12))}px`;
    box.style.top = `${Math.max(8, Math.min(y_ + 16, innerHeight - height - 12))}px`;
  }

  function move(side, part, key) {
    const order = side.steps(), i = order.findIndex((p) => p.key === part.key);
    if (key === "ArrowDown") return order[i + 1];
    if (key === "ArrowUp") return order[i - 1];
    if (key === "Home") return order[0];
    if (key === "End") return order.at(-1);
    if (key === "ArrowLeft") return side.nodes[part.up];
    return part.kind === "node" ? order[i + 1] : null;
  }
  function onKey(event) {
    const item = event.target.closest("[data-key]"), found = item && find(item.dataset.key);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { "+": () => resize(1.25), "=": () => resize(1.25), "-": () => resize(0.8), Escape: () => (sides[0].root || sides[1].root ? look(0, 0) : hush()) };
    if (found) {
      keys.Enter = keys[" "] = () => toggle(...found);
      keys.f = keys.F = () => lookAt(...found);
      for (const key of ["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "End"]) {
        keys[key] = () => {
          if (key === "ArrowRight" && (found[1].kind === "closed" || found[1].kind === "rest")) return toggle(...found);
          const next = move(...found, key);
          if (next) step(found[0], next.key, true);
        };
      }
    }
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
  /** Put the focus on a part, or where it is no longer drawn, on the one that keys go to in its tree. */
  function step(side, key, scrolls = false) {
    const at = (part) => picture.querySelector(`[data-key="${part}"]`);
    at(side.current).setAttribute("tabindex", -1);
    if (at(key)) side.current = key;
    const part = at(side.current);
    part.setAttribute("tabindex", 0);
    part.focus({ preventScroll: !scrolls });
  }
  function resize(factor) {
    zoom = Math.min(Math.max(zoom * factor, 0.35), 4);
    const middle = (place.scrollTop + place.clientHeight / 2) / place.scrollHeight;
    draw();
    place.scrollTop = middle * place.scrollHeight - place.clientHeight / 2;
  }
  function openMore() {
    sides.forEach((side) => side.top(Math.min(MOST, Math.max(side.rows.length * 2, TOP))));
    draw();
  }

  function listen() {
    place.addEventListener("pointerover", (event) => {
      const item = event.target.closest("[data-key]");
      if (item) show(item.dataset.key, event.clientX, event.clientY);
      else hush();
    });
    place.addEventListener("pointerleave", hush);
    place.addEventListener("focusin", (event) => {
      const item = event.target.closest("[data-key]");
      if (!item || !item.matches(":focus-visible")) return;
      const box = item.getBoundingClientRect();
      show(item.dataset.key, box.left + box.width / 2, box.bottom);
    });
    place.addEventListener("focusout", hush);
    let clicked = null; // the first click of two moves what is below the pointer, so the second goes by what it met
    place.addEventListener("click", (event) => {
      const item = event.target.closest("[data-key]");
      if (event.detail === 2 && clicked) lookAt(...clicked);
      if (event.detail > 1) return;
      clicked = item && find(item.dataset.key);
      if (!clicked) return;
      toggle(...clicked);
      hush();
      if (event.pointerType === "touch") show(clicked[0].current, event.clientX, event.clientY); // which cannot hover
    });
    place.addEventListener("keydown", onKey);
    place.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      resize(event.deltaY < 0 ? 1.15 : 0.87);
    }, { passive: false });
    byId("zoom-in").addEventListener("click", () => resize(1.25));
    byId("zoom-out").addEventListener("click", () => resize(0.8));
    byId("open-more").addEventListener("click", openMore);
    byId("close-all").addEventListener("click", () => { sides.forEach((side) => { side.more.clear(); side.top(Math.min(TOP, Math.ceil(side.rows.length / 2))); }); draw(); });
    byId("whole").addEventListener("click", () => look(0, 0));
    let width = place.clientWidth;
    window.addEventListener("resize", Report.later(() => { if (place.clientWidth !== width) { width = place.clientWidth; draw(); } }, 150));
  }

  /** The largest coloured clusters, by name. */
  function legend() {
    const { a } = forest, largest = forest.coloured.slice().sort((x, y) => a.size(y[0]) - a.size(x[0])).slice(0, 12);
    byId("legend").replaceChildren(...largest.sort((x, y) => x[0] - y[0]).map(([v, colour]) =>
      el("li", {}, el("span", { class: `swatch c${colour}`, "aria-hidden": "true" }), label(a.call(v)), a.names && a.names[v] ? el("small", {}, ` ${count(a.size(v))}`) : "")));
    byId("legend").hidden = !largest.length;
  }

  function start(given, names) {
    forest = given;
    place = byId("trees");
    sides = [new Side(forest, "a", names[0]), new Side(forest, "b", names[1])];
    sides.forEach(fill);
    legend();
    draw();
    listen();
  }
  return { start, look, mark };
})();
