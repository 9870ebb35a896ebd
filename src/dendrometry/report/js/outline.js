"use strict";
// What is in a node, as a tree whose nodes open and close in place; the largest are open from the start.
const Outline = (() => {
  const { el, label, count } = Report;
  const AT_ONCE = 12, MORE = 100; // parts of a node listed at first, and with each step
  const ROWS = 24; // opened from the start
  const turned = new Map(); // nodes that were opened (true) or closed (false) by hand
  const limits = new Map(); // parts listed of a node, where it was asked for more

  const limitOf = (v) => limits.get(v) || AT_ONCE;
  const shownParts = (topics, v) => Math.min(topics.nParts(v), limitOf(v) + 1);

  /** The nodes that are open: those by hand, and the largest as long as there is room. */
  function opened(topics, root) {
    const open = new Set([root]);
    let rows = shownParts(topics, root);
    const waiting = [], add = (v) => topics.parts(v, limitOf(v)).forEach(({ node, document }) => { if (document < 0 && topics.opens(node)) waiting.push(node); });
    add(root);
    while (waiting.length) {
      let at = 0;
      for (let i = 1; i < waiting.length; i++) if (topics.size(waiting[i]) > topics.size(waiting[at])) at = i;
      const [v] = waiting.splice(at, 1), cost = shownParts(topics, v);
      const byHand = turned.get(v);
      const long = !topics.tree.children[v] && topics.nParts(v) > AT_ONCE; // documents alone, and not all of them
      if (byHand === false || (!byHand && (long || rows + cost > ROWS))) continue;
      if (!byHand) rows += cost;
      open.add(v);
      add(v);
    }
    return open;
  }

  /** The rows from top to bottom: {node, document, level, place, of, open} or {more, node, level}. */
  function rowsOf(topics, root) {
    const open = opened(topics, root), rows = [], stack = [];
    const enter = (v, level) => {
      const parts = topics.parts(v, limitOf(v)), of = topics.nParts(v);
      if (of > parts.length) stack.push({ more: of - parts.length, node: v, level });
      for (let i = parts.length - 1; i >= 0; i--) stack.push({ ...parts[i], level, place: i + 1, of });
    };
    enter(root, 1);
    while (stack.length) {
      const row = stack.pop();
      rows.push(row);
      if (row.more || row.document >= 0 || !topics.opens(row.node)) continue;
      row.open = open.has(row.node);
      if (row.open) enter(row.node, row.level + 1);
    }
    return rows;
  }

  /** Put the outline of a node into a place; came: where the reader comes from, whose row gets the focus. */
  function draw(place, topics, root, { came = -1, called, address }) {
    const list = el("ul", { role: "tree", class: "outline", "aria-label": "Nodes below" });
    place.replaceChildren(list);
    let rows = [], links = [];
    const key = (row) => (row.more ? `more ${row.node}` : row.document >= 0 ? `document ${row.document}` : `node ${row.node}`);

    function turn(row, open) {
      if (row.open === undefined || row.open === open) return;
      turned.set(row.node, open);
      render(key(row));
    }
    function more(row) {
      const first = limitOf(row.node);
      limits.set(row.node, first + MORE);
      const next = topics.parts(row.node, first + 1)[first];
      render(key(next));
    }
    function link(row) {
      const style = `--level: ${Math.min(row.level, 14) - 1}`;
      if (row.more) {
        return el("button", { type: "button", role: "treeitem", class: "row rest", "aria-level": row.level, tabindex: "-1", style, onclick: () => more(row) }, `${count(row.more)} more`);
      }
      const isNode = row.document < 0, size = isNode ? topics.size(row.node) : 1;
      const toggle = row.open === undefined ? el("span", { class: "turn", "aria-hidden": "true" })
        : el("span", { class: "turn", "aria-hidden": "true", onclick: (event) => { event.preventDefault(); turn(row, !row.open); } }, row.open ? "▾" : "▸");
      const share = size / topics.size(root);
      return el("a", {
        role: "treeitem", class: isNode ? "row" : "row document", href: address(row.node), style, tabindex: "-1",
        "aria-level": row.level, "aria-posinset": row.place, "aria-setsize": row.of,
        "aria-expanded": row.open === undefined ? null : String(row.open),
      }, toggle, el("span", { class: "called" }, ...(isNode ? called(row.node) : [label(topics.titles[row.document])])),
      isNode ? el("span", { class: "many" }, el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `--share: ${share.toFixed(3)}` })), el("b", {}, count(size)), el("span", { class: "unseen" }, size === 1 ? " document" : " documents")) : "");
    }
    function focusOn(at) {
      if (at < 0 || at >= links.length) return;
      links.forEach((a, i) => a.setAttribute("tabindex", i === at ? "0" : "-1"));
      links[at].focus();
    }
    function render(wanted) {
      rows = rowsOf(topics, root);
      links = rows.map(link);
      list.replaceChildren(...links.map((a) => el("li", { role: "none" }, a)));
      const at = wanted === undefined ? -1 : rows.findIndex((row) => key(row) === wanted);
      if (at >= 0) focusOn(at);
      else links[0].setAttribute("tabindex", "0");
    }
    list.addEventListener("keydown", (event) => {
      const at = links.indexOf(event.target.closest("[role=treeitem]")), row = rows[at];
      if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
      const moves = {
        ArrowDown: () => focusOn(at + 1),
        ArrowUp: () => focusOn(at - 1),
        Home: () => focusOn(0),
        End: () => focusOn(links.length - 1),
        ArrowRight: () => (row.open ? focusOn(at + 1) : turn(row, true)),
        ArrowLeft: () => {
          if (row.open) turn(row, false);
          else for (let i = at - 1; i >= 0; i--) if (rows[i].level < row.level) { focusOn(i); break; }
        },
        " ": () => links[at].click(),
      };
      if (!moves[event.key]) return;
      event.preventDefault();
      moves[event.key]();
    });
    list.addEventListener("focusin", (event) => {
      const now = event.target.closest("[role=treeitem]");
      links.forEach((a) => a.setAttribute("tabindex", a === now ? "0" : "-1"));
    });
    render();
    const whole = rows.every((row) => !row.more && row.open !== false);
    if (came < 0) return { whole, focused: false };
    let nearest = -1; // the deepest row that holds where the reader came from
    rows.forEach((row, i) => { if (!row.more && (row.document < 0 ? topics.holds(row.node, came) : row.node === came)) nearest = i; });
    focusOn(nearest);
    return { whole, focused: nearest >= 0 };
  }
  return { draw };
})();
