"use strict";
// One hierarchy of documents with its words as columns: what the page asks of it. Nodes are numbered in pre-order, the
// largest children first, and the root is 0; documents as they come there. Nothing recurses.
class Topics {
  /** A text as it is searched: without case, accents and other ways to write the same letter. */
  static fold(text) {
    if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
    return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC").toLowerCase();
  }
  constructor({ tree, node, titles, texts, terms, methods }) {
    this.tree = new Tree({ n: titles.length, names: titles, weightOf: () => 1 }, tree, null);
    Object.assign(this, { titles, texts, terms, node, names: tree.names, height: tree.height, n: node.length });
    this.placeOf = new Int32Array(this.n);
    node.forEach((v, place) => { this.placeOf[v] = place; });
    this.methods = methods.map(({ title, count, term }) => {
      const start = new Int32Array(this.n + 1);
      for (let v = 0; v < this.n; v++) start[v + 1] = start[v] + count[v];
      return { title, start, term };
    });
    this.named = new Int32Array(this.n); // the nearest node, from each one upwards, that has words or a name; or the root
    for (let v = 1; v < this.n; v++) {
      const own = this.nameOf(v) || (!this.isDocument(v) && this.methods.some(({ start }) => start[v] < start[v + 1]));
      this.named[v] = own ? v : this.named[this.tree.parent[v]];
    }
  }
  size(v) { return this.tree.nUnits[v]; }
  isDocument(v) { return this.tree.nUnits[v] === 1 && this.tree.end[v] === v + 1; }
  /** Whether there is more than one thing in a node. */
  opens(v) { return this.tree.children[v] + this.tree.own[v] > 1 || this.tree.children[v] === 1; }
  words(v, method) {
    const { start, term } = this.methods[method], found = [];
    for (let i = start[v]; i < start[v + 1]; i++) found.push(this.terms[term[i]]);
    return found;
  }
  /** The words of a node by the first method that has any; of the root, of which others have no more to say, by the first. */
  firstWords(v) {
    const most = v === 0 ? Math.min(1, this.methods.length) : this.methods.length;
    for (let m = 0; m < most; m++) if (this.methods[m].start[v] < this.methods[m].start[v + 1]) return this.words(v, m);
    return [];
  }
  nameOf(v) { return (this.names && this.names[v]) || ""; }
  /** What a node is called, and whether by words or a name of its own. */
  call(v, most = 5) {
    const title = this.titles[this.tree.low[v]];
    const own = this.nameOf(v) || (this.isDocument(v) ? "" : this.firstWords(v).slice(0, most).join(", "));
    if (own) return { text: own, own: true };
    if (this.size(v) === 1) return { text: title, own: true };
    return { text: v === 0 ? "All documents" : Report.plural(this.size(v), "document"), own: false };
  }
  /** The first few titles of a node, to tell nodes without words from each other. */
  examples(v, most) { return this.titles.slice(this.tree.low[v], this.tree.low[v] + Math.min(most, this.size(v))); }
  heightOf(v) { return this.height ? this.height[v] * this.tree.largest : null; }
  /** From the root to a node, without the node. */
  above(v) {
    const found = [];
    for (let p = this.tree.parent[v]; p >= 0; p = this.tree.parent[p]) found.push(p);
    return found.reverse();
  }
  holds(v, w) { return v <= w && w < this.tree.end[v]; }
  /** The first things in a node: its children, then documents of its own; [{node} or {document, node}]. */
  parts(v, most) {
    const { tree } = this, found = [];
    for (let c = v + 1; c < tree.end[v] && found.length < most; c = tree.end[c]) found.push({ node: c, document: this.isDocument(c) ? tree.low[c] : -1 });
    for (let i = tree.low[v]; i < tree.low[v] + tree.own[v] && found.length < most; i++) found.push({ node: v, document: i });
    return found;
  }
  nParts(v) { return this.tree.children[v] + this.tree.own[v]; }

  /** The nodes whose words and name hold all of some folded words between them, and the documents whose title and text do. */
  find(words) {
    const all = words.length >= 31 ? words.slice(0, 31) : words; // a bit for each
    const wanted = all.length === 31 ? 0x7fffffff : (1 << all.length) - 1;
    const bits = (text) => {
      let held = 0;
      for (let i = 0; i < all.length; i++) if (text.includes(all[i])) held |= 1 << i;
      return held;
    };
    if (!this.folded) this.folded = { titles: this.titles.map(Topics.fold), terms: this.terms.map(Topics.fold), names: this.names && this.names.map(Topics.fold), texts: this.texts && this.texts.map(Topics.fold) };
    const { titles, terms, names, texts } = this.folded, documents = [], nodes = [];
    titles.forEach((title, i) => { if ((bits(title) | (texts ? bits(texts[i]) : 0)) === wanted) documents.push(i); });
    const ofTerm = terms.map(bits);
    for (let v = 0; v < this.n; v++) {
      let held = names && names[v] ? bits(names[v]) : 0;
      for (const { start, term } of this.methods) for (let i = start[v]; i < start[v + 1]; i++) held |= ofTerm[term[i]];
      if (held === wanted) nodes.push(v);
    }
    nodes.sort((v, w) => this.size(w) - this.size(v) || v - w);
    return { nodes, documents };
  }

  static async unpacked(data) {
    const { unpack } = Report;
    const methods = [];
    for (const { title, count, term } of data.methods) methods.push({ title, count: await unpack(count), term: await unpack(term) });
    const tree = { up: await unpack(data.up), own: await unpack(data.own), height: await unpack(data.height), largest: data.largest, names: await unpack(data.names) };
    return new Topics({ tree, methods, node: await unpack(data.node), titles: await unpack(data.titles), texts: await unpack(data.texts), terms: await unpack(data.terms) });
  }
}
