"use strict";
// The overlaps of two flat clusterings as columns, and what the page asks of them. Clusters, overlaps and components are
// numbers from 0; overlaps are in ascending order of (row, column), items in the order of their overlaps.
class Overlaps {
  constructor({ row, column, count, matched, labels, component, costs, items }) {
    Object.assign(this, { column, count, matched, labels, costs, items, n: row.length });
    this.row = row;
    for (let i = 1; i < row.length; i++) row[i] += row[i - 1];
    const [nA, nB] = labels.map((side) => side.length);
    this.sides = [new Float64Array(nA), new Float64Array(nB)]; // sizes
    this.parts = [new Int32Array(nA), new Int32Array(nB)]; // how many overlaps a cluster has
    this.component = [component, new Int32Array(nB)];
    this.nComponents = component.reduce((most, c) => Math.max(most, c), 0) + 1;
    this.size = new Float64Array(this.nComponents);
    this.nCells = new Int32Array(this.nComponents);
    this.rowStart = new Int32Array(nA + 1);
    this.before = new Float64Array(this.n + 1); // items of the overlaps before each
    for (let i = 0; i < this.n; i++) {
      const a = row[i], b = column[i], m = count[i], c = component[a];
      this.sides[0][a] += m; this.sides[1][b] += m;
      this.parts[0][a]++; this.parts[1][b]++;
      this.component[1][b] = c;
      this.size[c] += m; this.nCells[c]++;
      this.rowStart[a + 1] = i + 1;
      this.before[i + 1] = this.before[i] + m;
    }
    this.byComponent = [0, 1].map((side) => grouped(this.component[side], this.nComponents));
  }
  get nItems() { return this.before[this.n]; }
  label(side, cluster) { return this.labels[side][cluster]; }
  /** Whether a component is one cluster, the same in both. */
  isSame(c) { return this.nCells[c] === 1; }
  /** The clusters of a component on one side, largest first. */
  clusters(side, c) {
    const { start, order } = this.byComponent[side];
    return Array.from(order.subarray(start[c], start[c + 1])).sort((x, y) => this.sides[side][y] - this.sides[side][x] || x - y);
  }
  nClusters(side, c) { const { start } = this.byComponent[side]; return start[c + 1] - start[c]; }
  /** Call f(overlap) for those of a component. */
  eachCell(c, f) {
    const { start, order } = this.byComponent[0];
    for (let i = start[c]; i < start[c + 1]; i++) for (let cell = this.rowStart[order[i]]; cell < this.rowStart[order[i] + 1]; cell++) f(cell);
  }
  /** Of the items in the clusters of an overlap, the share that is in both. */
  kept(cell) {
    const m = this.count[cell];
    return m / (this.sides[0][this.row[cell]] + this.sides[1][this.column[cell]] - m);
  }
  /** The overlap that holds the item at a place. */
  cellOf(place) {
    let low = 0, high = this.n;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.before[middle] <= place) low = middle; else high = middle;
    }
    return low;
  }
  /** A component in few words: its largest clusters on either side. */
  call(c, most = 3) {
    return [0, 1].map((side) => {
      const all = this.clusters(side, c), named = all.slice(0, most).map((x) => this.label(side, x));
      return { named, more: all.length - named.length };
    });
  }
  static async unpacked(columns) {
    const { unpack } = Report;
    const [row, column, count, matched, component, items] = await Promise.all(["row", "column", "count", "matched", "component", "items"].map((name) => unpack(columns[name])));
    const labels = await Promise.all(columns.labels.map(unpack));
    const costs = await Promise.all(columns.costs.map(async (each) => ({ ...each, cost: await unpack(each.cost) })));
    return new Overlaps({ row, column, count, matched, component, items, labels, costs });
  }
}

/** The members of each group, as places in one array. */
function grouped(group, nGroups) {
  const start = new Int32Array(nGroups + 1), order = new Int32Array(group.length);
  for (let i = 0; i < group.length; i++) start[group[i] + 1]++;
  for (let g = 0; g < nGroups; g++) start[g + 1] += start[g];
  const next = start.slice();
  for (let i = 0; i < group.length; i++) order[next[group[i]]++] = i;
  return { start, order };
}
