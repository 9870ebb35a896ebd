"use strict";
// Both trees as columns: what the page asks of them. Nodes are numbered in pre-order, the root is 0, and units (items, or
// rows of items counted together) as they come in the first tree. Nothing recurses.
class Tree {
  constructor(forest, columns, unit) {
    const n = columns.up.length;
    Object.assign(this, { forest, n, own: columns.own, moment: columns.moment, names: columns.names, largest: columns.largest, support: columns.support, unit, sizes: columns.size, ownSizes: columns.ownSize });
    this.height = columns.height;
    this.parent = new Int32Array(n);
    this.end = new Int32Array(n);
    this.low = new Int32Array(n); // of the units at or below a node, in the order of this tree
    this.nUnits = new Int32Array(n);
    this.children = new Int32Array(n); // how many
    for (let v = 0, at = 0; v < n; v++) {
      this.parent[v] = v - columns.up[v];
      this.low[v] = at;
      at += this.own[v];
      this.nUnits[v] = this.own[v];
      this.end[v] = v + 1;
    }
    this.parent[0] = -1;
    for (let v = n - 1; v > 0; v--) {
      const p = this.parent[v];
      this.nUnits[p] += this.nUnits[v];
      this.end[p] = Math.max(this.end[p], this.end[v]);
      this.children[p]++;
    }
    this.node = new Int32Array(forest.n); // that owns the unit at each place
    for (let v = 0; v < n; v++) this.node.fill(v, this.low[v], this.low[v] + this.own[v]);
    this.before = new Float64Array(forest.n + 1); // items of the units before each place
    for (let i = 0; i < forest.n; i++) this.before[i + 1] = this.before[i] + forest.weightOf(this.unitAt(i));
    if (this.height) this.lowest = this.height.reduce((x, y) => Math.min(x, y), Infinity);
  }
  unitAt(place) { return this.unit ? this.unit[place] : place; }
  /** The items of a cluster; given if the units are not all there are. */
  size(v) { return this.sizes ? this.sizes[v] : this.before[this.low[v] + this.nUnits[v]] - this.before[this.low[v]]; }
  ownSize(v) { return this.ownSizes ? this.ownSizes[v] : this.before[this.low[v] + this.own[v]] - this.before[this.low[v]]; }
  childrenOf(v) {
    const found = [];
    for (let c = v + 1; c < this.end[v]; c = this.end[c]) found.push(c);
    return found;
  }
  /** Names of the first few units at or below a node. */
  examples(v, most) {
    const found = [];
    if (!this.forest.names) return found;
    for (let i = this.low[v]; i < this.low[v] + this.nUnits[v] && found.length < most; i++) found.push(this.forest.names[this.unitAt(i)]);
    return found;
  }
  /** The name of a cluster, if it has one: its own, or that of its only item. */
  nameOf(v) {
    if (this.nUnits[v] === 1 && this.forest.names) return this.example(v);
    return (this.names && this.names[v]) || (v === 0 && this.n > 1 ? "all items" : "");
  }
  /** The name of the first unit at or below a node. */
  example(v) { return this.forest.names[this.unitAt(this.low[v])]; }
  /** Whether a cluster is called by its size and an example, for want of a name. */
  isCalledBySize(v) { return Boolean(this.forest.names) && !this.nameOf(v); }
  /** What a cluster is called: by its name, or by its size and an example; in brief, where there is little room. */
  call(v, brief = false) {
    if (!this.isCalledBySize(v)) return this.nameOf(v) || `cluster ${v}`;
    const size = Report.count(this.nUnits[v]);
    return brief ? `${size}, e.g. ${this.example(v)}` : `${size} items, such as ${this.example(v)}`;
  }
  /** The support of a cluster in percent, if it is known. */
  supportOf(v) { return this.support && this.support[v] >= 0 ? Report.percent(this.support[v]) : ""; }
  /** What the items of a node that are in none of its children are called. */
  callOwn(v) { return this.isCalledBySize(v) ? `${Report.plural(this.own[v], "item")}, such as ${this.example(v)}` : `${this.call(v)} itself`; }
  /** The clusters left when nodes have formed up to a limit: [{node, low, high, size}], and how many groups in all. */
  cut(limit, alone) {
    const clusters = [];
    let groups = 0;
    for (let v = 0; v < this.n;) {
      if (this.moment[v] <= limit) {
        clusters.push({ node: v, low: this.low[v], high: this.low[v] + this.nUnits[v], size: this.size(v), own: false });
        groups++;
        v = this.end[v];
      } else {
        if (this.own[v]) {
          if (alone) groups += this.ownSize(v);
          else { clusters.push({ node: v, low: this.low[v], high: this.low[v] + this.own[v], size: this.ownSize(v), own: true }); groups++; }
        }
        v++;
      }
    }
    return { clusters, groups };
  }
}

class Forest {
  constructor(columns) {
    this.names = columns.names;
    this.weight = columns.weight;
    this.colour = columns.colour;
    this.n = columns.colour.length;
    this.a = new Tree(this, columns.a, null);
    this.b = new Tree(this, columns.b, columns.b.unit);
    this.placeB = new Int32Array(this.n); // of each unit in the second tree
    for (let i = 0; i < this.n; i++) this.placeB[columns.b.unit[i]] = i;
    this.match = columns.matches && columns.matches.match;
    this.common = columns.matches && columns.matches.common;
    this.chance = columns.matches && columns.matches.chance; // log10 of the adjusted p-value of each cluster of the first tree
    this.recurring = this.chance && this.recur(Math.log10(columns.matches.alpha));
    this.moved = columns.moved;
    this.coloured = columns.coloured;
  }
  weightOf(unit) { return this.weight ? this.weight[unit] : 1; }
  f(v) { return (2 * this.common[v]) / (this.a.size(v) + this.b.size(this.match[v])); }
  /** The adjusted p-value that a cluster of the first tree recurs in the second, as text; "" if there is none. */
  chanceOf(v) {
    const log = this.chance ? this.chance[v] : NaN;
    if (!(log <= 0)) return "";
    return log > -3 ? (10 ** log).toPrecision(2) : `≤ 1e${Math.ceil(log)}`;
  }
  /** Of each tree, which clusters recur, or are the best matches of such: the first that does, or -1. */
  recur(log) {
    const a = new Int32Array(this.a.n).fill(-1), b = new Int32Array(this.b.n).fill(-1);
    for (let v = this.a.n - 1; v >= 0; v--) if (this.chance[v] <= log) a[v] = b[this.match[v]] = v;
    return { a, b };
  }
  /** The adjusted p-value of a recurring cluster of the first tree, or of that whose match a cluster of the second is. */
  recursAs(which, v) { return this.recurring && this.recurring[which][v] >= 0 ? this.chanceOf(this.recurring[which][v]) : ""; }
  /** The units of a cluster of the first tree that its match lacks, or the other way round. */
  apart(v, extra, most) {
    const { a, b } = this, m = this.match[v], found = [];
    const [tree, node, other, otherNode] = extra ? [b, m, a, v] : [a, v, b, m];
    const low = other.low[otherNode], high = low + other.nUnits[otherNode];
    for (let i = tree.low[node]; i < tree.low[node] + tree.nUnits[node] && found.length < most; i++) {
      const unit = tree.unitAt(i), place = extra ? unit : this.placeB[unit];
      if (place < low || place >= high) found.push(unit);
    }
    return found;
  }
  /** The smallest cluster of more than one unit that holds the unit at a place of a tree. */
  home(tree, place) {
    const v = tree.node[place];
    return tree.nUnits[v] > 1 || v === 0 ? v : tree.parent[v];
  }
  /** Whether a unit is in a cluster of a tree, as a function. */
  holder(tree, v) {
    const low = tree.low[v], high = low + tree.nUnits[v];
    return (unit) => { const place = tree === this.a ? unit : this.placeB[unit]; return place >= low && place < high; };
  }
  /** The smallest clusters that hold a unit in either tree, from the first that differ; the roots if none do. */
  apartAt(unit, most) {
    const { a, b } = this;
    let v = this.home(a, unit), w = this.home(b, this.placeB[unit]);
    for (;;) {
      const same = a.nUnits[v] === b.nUnits[w] && a.nUnits[v] <= most;
      if (!same || (v === 0 && w === 0)) return [v, w];
      const inB = this.holder(b, w);
      for (let i = a.low[v]; i < a.low[v] + a.nUnits[v]; i++) if (!inB(i)) return [v, w];
      v = Math.max(a.parent[v], 0); w = Math.max(b.parent[w], 0);
    }
  }
  static async unpacked(columns) {
    const tree = async (side) => ({
      up: await Report.unpack(side.up), own: await Report.unpack(side.own), height: await Report.unpack(side.height), largest: side.largest,
      moment: await Report.unpack(side.moment), names: await Report.unpack(side.names), unit: await Report.unpack(side.unit),
      support: await Report.unpack(side.support), size: await Report.unpack(side.size), ownSize: await Report.unpack(side.ownSize),
    });
    const matches = columns.matches && { match: await Report.unpack(columns.matches.match), common: await Report.unpack(columns.matches.common), chance: await Report.unpack(columns.matches.chance), alpha: columns.matches.alpha };
    return new Forest({
      a: await tree(columns.a), b: await tree(columns.b), weight: await Report.unpack(columns.weight), names: await Report.unpack(columns.names),
      colour: await Report.unpack(columns.colour), matches, coloured: columns.coloured, moved: await Report.unpack(columns.moved),
    });
  }
}
