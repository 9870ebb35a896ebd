"use strict";
// The rows of either tree: which clusters are open, where rows and nodes lie, and what rows of both have in common.
const TreeRows = (() => {
  const CHILDREN = 40; // of one node, the largest; the others are one row until they are asked for
  const MOST_RIBBONS = 3000;
  const GREY = 10; // the place after the last colour

  class Side {
    constructor(forest, which, name) {
      const tree = forest[which];
      Object.assign(this, { which, tree, name, root: 0, open: new Uint8Array(tree.n), more: new Map(), current: null });
      this.colour = colours(forest, tree);
    }
    /** Rows that opening a node adds. */
    cost(v) { return Math.min(this.tree.children[v], this.most(v) + 1) - 1 + (this.tree.own[v] > 0); }
    most(v) { return this.more.get(v) || CHILDREN; }
    /** Open the largest clusters from the root down, as long as there is room. */
    top(rows) {
      const { tree } = this;
      this.open.fill(0);
      if (!tree.children[this.root]) return;
      const closed = [this.root];
      let n = 1;
      while (closed.length) {
        let best = -1;
        closed.forEach((v, i) => { if ((n + this.cost(v) <= rows || v === this.root) && (best < 0 || tree.size(v) > tree.size(closed[best]))) best = i; });
        if (best < 0) break;
        const [v] = closed.splice(best, 1);
        this.open[v] = 1;
        n += this.cost(v);
        this.parts(v).children.forEach((c) => { if (tree.children[c]) closed.push(c); });
      }
    }
    /** The children of a node that are drawn, and those that share one row. */
    parts(v) {
      const all = this.tree.childrenOf(v), most = this.most(v);
      if (all.length <= most + 1) return { children: all, rest: [] };
      const large = new Set(all.slice().sort((x, y) => this.tree.size(y) - this.tree.size(x) || x - y).slice(0, most));
      return { children: all.filter((c) => large.has(c)), rest: all.filter((c) => !large.has(c)) };
    }
    /** Rows, and the open nodes above them; each node covers the rows from `from` to `to`. */
    lay() {
      const { tree } = this, rows = [], nodes = [], stack = [{ v: this.root, up: -1, level: 1 }];
      const range = (v) => [tree.low[v], tree.low[v] + tree.nUnits[v]];
      const add = (kind, v, up, level, ranges, size) => {
        rows.push({ kind, v, up, level, ranges, size, from: rows.length, to: rows.length + 1, key: `${this.which}${kind}${v}` });
      };
      while (stack.length) {
        const { v, up, level, rest } = stack.pop();
        if (rest) { add("rest", v, up, level, rest.map(range), rest.reduce((sum, c) => sum + tree.size(c), 0)); rows.at(-1).n = rest.length; continue; }
        if (!this.open[v]) { add(tree.children[v] ? "closed" : "leaf", v, up, level, [range(v)], tree.size(v)); continue; }
        const at = nodes.length;
        nodes.push({ kind: "node", v, up, level, from: rows.length, to: 0, key: `${this.which}node${v}` });
        if (tree.own[v]) add("own", v, at, level + 1, [[tree.low[v], tree.low[v] + tree.own[v]]], tree.ownSize(v));
        const { children, rest: others } = this.parts(v);
        if (others.length) stack.push({ v, up: at, level: level + 1, rest: others });
        for (let i = children.length - 1; i >= 0; i--) stack.push({ v: children[i], up: at, level: level + 1 });
      }
      this.rows = rows; this.nodes = nodes;
      this.place();
    }
    /** Where rows and nodes lie: y in rows, x from 0 at the root to 1 at the names. */
    place() {
      const { tree, rows, nodes } = this, h = tree.height, top = h && h[this.root], closed = rows.filter((row) => row.kind === "closed");
      // of a tree that is all open the whole scale of heights is shown, else that of its top, and room for the triangles
      const low = h && (closed.length ? [...nodes, ...closed].reduce((least, part) => Math.min(least, h[part.v]), top) : tree.lowest);
      const most = closed.length ? 0.7 : 1;
      const x = (v) => Math.min(Math.max((most * (top - h[v])) / (top - low || 1), 0), most);
      nodes.forEach((node) => Object.assign(node, { first: Infinity, last: -Infinity, depth: 0, to: node.from }));
      const reach = (part) => {
        if (part.up < 0) return;
        const node = nodes[part.up];
        node.first = Math.min(node.first, part.y); node.last = Math.max(node.last, part.y);
        node.depth = Math.max(node.depth, (part.depth || 0) + 1); node.to = Math.max(node.to, part.to);
      };
      rows.forEach((row, i) => { row.y = i + 0.5; row.x = h && (row.kind === "closed" || (row.kind === "leaf" && !closed.length)) ? x(row.v) : 1; reach(row); });
      for (let i = nodes.length - 1; i >= 0; i--) { nodes[i].y = (nodes[i].first + nodes[i].last) / 2; reach(nodes[i]); }
      nodes.forEach((node) => { node.x = h ? x(node.v) : 1 - node.depth / nodes[0].depth; });
      if (!h) rows.forEach((row) => { if (row.kind === "closed") row.x = row.up < 0 ? 0 : 1 - 0.5 / nodes[0].depth; });
    }
    /** All that can be stepped on, from the root down. */
    steps() { return [...this.nodes, ...this.rows].sort((p, q) => p.from - q.from || p.level - q.level || (p.kind === "node" ? -1 : 1)); }
  }

  /** The colour that all units below a node share, or grey. */
  function colours(forest, tree) {
    const found = new Uint8Array(tree.n).fill(255);
    const meet = (v, c) => { found[v] = found[v] === 255 || found[v] === c ? c : GREY; };
    for (let v = tree.n - 1; v >= 0; v--) {
      for (let i = tree.low[v]; i < tree.low[v] + tree.own[v]; i++) meet(v, forest.colour[tree.unitAt(i)]);
      if (v) meet(tree.parent[v], found[v]);
    }
    return found;
  }

  /** What each two rows have in common; -1 stands for outside of what is looked at. */
  function meetings(forest, sides, marked) {
    const [a, b] = sides, rowOf = sides.map((side) => {
      const found = new Int32Array(forest.n).fill(-1);
      side.rows.forEach((row, r) => row.ranges.forEach(([low, high]) => { for (let i = low; i < high; i++) found[side.tree.unitAt(i)] = r; }));
      return found;
    });
    const found = new Map(), nb = b.rows.length + 1;
    for (let unit = 0; unit < forest.n; unit++) {
      const p = rowOf[0][unit], q = rowOf[1][unit];
      if (p < 0 && q < 0) continue;
      const key = (p + 1) * nb + q + 1, met = found.get(key), c = forest.colour[unit];
      if (!met) found.set(key, { p, q, size: forest.weightOf(unit), colour: c, marked: unit === marked });
      else { met.size += forest.weightOf(unit); if (met.colour !== c) met.colour = GREY; met.marked = met.marked || unit === marked; }
    }
    const all = [...found.values()];
    all.forEach((m) => { m.share = [m.p < 0 ? 0 : m.size / a.rows[m.p].size, m.q < 0 ? 0 : m.size / b.rows[m.q].size]; });
    const kept = all.length > MOST_RIBBONS ? all.sort((x, y) => Math.max(...y.share) - Math.max(...x.share)).slice(0, MOST_RIBBONS) : all;
    const stack = (mine, other, at) => {
      const start = new Map();
      kept.sort((x, y) => x[mine] - y[mine] || (x[other] < 0) - (y[other] < 0) || x[other] - y[other]);
      kept.forEach((m) => { const before = start.get(m[mine]) || 0; m[at] = before; start.set(m[mine], before + m.share[at === "fromA" ? 0 : 1]); });
    };
    stack("p", "q", "fromA"); stack("q", "p", "fromB");
    return kept.sort((x, y) => (y.colour === GREY) - (x.colour === GREY) || y.size - x.size);
  }

  return { GREY, Side, meetings };
})();
