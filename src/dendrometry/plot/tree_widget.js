// The view of tree_widget(): draws the branches, and hands the node that is clicked on to Python.
const LINE = 16; // pixels for each leaf
const EDGE = 12;
const NAMES = 220; // pixels for the names
const NARROWEST = 120; // pixels for the branches, at least and at most
const WIDEST = 420;

function element(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}

function render({ model, el }) {
  const drawing = model.get("_drawing");
  const free = (el.clientWidth || Infinity) - NAMES - 2 * EDGE;
  const branches = Math.max(NARROWEST, Math.min(WIDEST, free));
  const x = (v) => EDGE + branches * drawing.depth[v];
  const y = (position) => EDGE + LINE * (position + 0.5);
  const width = branches + NAMES + 2 * EDGE;
  const height = LINE * drawing.names.length + 2 * EDGE;

  const svg = element("svg", { width, height, role: "tree" }, el);
  svg.style.cssText = "display:block;font:12px sans-serif";
  el.style.overflowX = "auto";
  const status = document.createElement("p");
  status.setAttribute("aria-live", "polite");
  status.style.cssText = "margin:0 0 0 12px;font:13px sans-serif";
  el.append(status);

  const line = (d) => element("path", { d, fill: "none", stroke: "currentColor", "stroke-width": 1.2 }, svg);
  const stems = drawing.parent.map((parent, v) =>
    line(`M${x(v)},${y(drawing.position[v])}H${parent < 0 ? x(v) - 6 : x(parent)}`));
  const bars = drawing.parent.map((_, v) => line(`M${x(v)},${y(drawing.low[v])}V${y(drawing.high[v])}`));
  drawing.names.forEach((name, slot) => {
    const text = element("text", { x: branches + EDGE + 8, y: y(slot) + 4, fill: "currentColor" }, svg);
    text.textContent = name;
  });
  const dots = drawing.parent.map((_, v) => {
    const place = { cx: x(v), cy: y(drawing.position[v]), r: 5, tabindex: 0, role: "treeitem" };
    const dot = element("circle", { ...place, fill: "currentColor", "aria-label": drawing.descriptions[v] }, svg);
    dot.style.cursor = "pointer";
    element("title", {}, dot).textContent = drawing.descriptions[v];
    const choose = () => {
      model.set("node", drawing.node[v]);
      model.save_changes();
    };
    dot.addEventListener("click", choose);
    dot.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose();
    });
    return dot;
  });

  function mark() {
    const chosen = drawing.node.indexOf(model.get("node"));
    const below = drawing.parent.map(() => false);
    for (let v = below.length - 1; v >= 0; v -= 1) below[v] = v === chosen || below[drawing.parent[v]] === true;
    const colour = (is) => (is ? "#D55E00" : "currentColor");
    stems.forEach((stem, v) => stem.setAttribute("stroke", colour(below[v] && v !== chosen)));
    bars.forEach((bar, v) => bar.setAttribute("stroke", colour(below[v])));
    dots.forEach((dot, v) => {
      dot.setAttribute("fill", colour(below[v]));
      dot.setAttribute("aria-selected", String(v === chosen));
    });
    status.textContent = chosen < 0 ? "Click a node to select its items." : drawing.descriptions[chosen];
  }
  model.on("change:node", mark);
  mark();
}

export default { render };
