"use strict";
// Files: dropped, chosen, pasted or taken from the folder; and what was recognised in them.
const Sources = (() => {
  const { el, svg, label, count, tell } = Report;
  const most = Number(document.querySelector("#facts [data-most-bytes]").dataset.mostBytes);

  const nameOf = (file) => file.slice(file.lastIndexOf("/") + 1);
  const ending = (text) => (/^\s*#NEXUS/i.test(text) ? ".nex" : /^\s*[{[]/.test(text) ? ".json" : /^\s*\(/.test(text) ? ".nwk" : ".csv");

  const arrow = () => svg("svg", { width: 34, height: 34, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 1.6, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" },
    svg("path", { d: "M12 15V4M7.5 8.5 12 4l4.5 4.5M4 15v3a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3" }));

  /** Send files to the server; return them as sources. */
  async function keep(files) {
    const found = [];
    for (const file of files) {
      if (file.size > most) throw new Error(`${file.name} must have at most ${count(most)} bytes; it has ${count(file.size)}.`);
      const kept = await Server.put(file, file.name);
      found.push({ file: kept.file, reading: {} });
    }
    Server.refresh();
    tell(`${found.length === 1 ? nameOf(found[0].file) : `${found.length} files`} received`);
    return found;
  }

  /** A place to drop files on, with other ways to give them; `update` lists the folder anew and leaves what is typed. */
  function place({ name, hint, many, accept, take }) {
    const says = el("p", { class: "problem", role: "alert", hidden: true });
    const guarded = async (work) => {
      says.hidden = true;
      try { take(await work()); } catch (error) { says.textContent = error.message; says.hidden = false; }
    };
    const input = el("input", { type: "file", multiple: many, accept, "aria-label": `Choose a file: ${name}`, onchange: () => guarded(() => keep(input.files)) });
    const text = el("textarea", { "aria-label": `Paste a tree: ${name}`, spellcheck: "false", placeholder: "((ape,cat),(elk,owl));" });
    const paste = el("div", { class: "field", hidden: true }, text, el("div", { class: "ways" },
      el("button", { type: "button", onclick: () => { if (text.value.trim()) guarded(() => keep([new File([text.value], `pasted${ending(text.value)}`)])); } }, "Use this text")));
    const folder = el("span", {});
    let shown = null;
    function update() {
      const listed = Server.state().folder, key = JSON.stringify(listed);
      if (shown === key) return;
      shown = key;
      folder.hidden = !listed.length;
      folder.replaceChildren(listed.length
        ? el("select", { "aria-label": `From the folder: ${name}`, onchange: (event) => { if (event.target.value) take([{ file: `folder/${event.target.value}`, reading: {} }]); } },
          el("option", { value: "" }, "From the folder…"), ...listed.map((one) => el("option", { value: one }, one)))
        : "");
    }
    update();
    const zone = el("div", { class: "slot empty" },
      el("h3", {}, name), el("p", { class: "hint" }, hint),
      el("div", { class: "drop" }, arrow(), el("p", { class: "big" }, many ? "Drop files here" : "Drop a file here"),
        el("div", { class: "ways" },
          el("label", { class: "file-button" }, many ? "Choose files…" : "Choose a file…", input),
          many ? "" : el("button", { type: "button", onclick: () => { paste.hidden = !paste.hidden; if (!paste.hidden) text.focus(); } }, "Paste text"),
          folder),
        paste, says));
    const over = (on) => (event) => { event.preventDefault(); zone.classList.toggle("over", on); };
    zone.addEventListener("dragover", over(true));
    zone.addEventListener("dragleave", over(false));
    zone.addEventListener("drop", (event) => {
      over(false)(event);
      const files = Array.from(event.dataTransfer.files);
      if (files.length) guarded(() => keep(many ? files : files.slice(0, 1)));
    });
    return { zone, update };
  }

  /** What was recognised in a file, with its repairs. */
  function card(source, found, { change, remove, heading, extra = [] }) {
    const waiting = !found;
    const good = found && found.readable;
    const parts = [
      el("div", { class: "file" },
        el("span", { class: `mark ${waiting ? "wait" : good ? "" : "bad"}`, "aria-hidden": "true" }, waiting ? "…" : good ? "✓" : "!"),
        el("div", {},
          el("div", { class: "called" }, label(nameOf(source.file))),
          el("p", { class: "what" }, waiting ? "Looking at it…" : [found.what, found.summary].filter(Boolean).join(": ")),
          ...(found && found.kind && found.kind !== "tree" && found.item ? [el("p", { class: "aside" }, `Items in the column “${found.item}”`, found.taken.length ? `; ${found.kind} in ${found.taken.map((one) => `“${one}”`).join(", ")}` : "")] : []))),
    ];
    if (found && found.problem) parts.push(el("p", { class: "problem" }, `Not readable like this: ${found.problem}.`));
    if (found && found.points && !good) parts.push(el("p", { class: "aside" }, "This is a table of numbers: build a tree from it under “Points”."));
    if (found && found.ways.length) {
      parts.push(el("ul", { class: "repairs" }, ...found.ways.map((way) => el("li", {}, el("button", { type: "button", onclick: () => change(way.reading) }, way.label)))));
    }
    for (const line of found ? [...found.assumed, ...found.doubts] : []) parts.push(el("p", { class: "aside" }, line));
    if (found && found.columns.length > 1) parts.push(columns(source, found, change));
    return el("div", { class: "slot" }, heading ? el("h3", {}, heading) : "", ...parts,
      el("div", { class: "row-buttons" }, ...extra, el("button", { type: "button", class: "quiet-button", onclick: remove, "aria-label": `Remove ${nameOf(source.file)}` }, "Remove")));
  }

  /** A choice of columns of a table. */
  function columns(source, found, change) {
    const reading = source.reading;
    const choose = (name, title, none, value) => el("label", { class: "field" }, el("span", {}, title),
      el("select", { onchange: (event) => { const next = { ...reading }; if (event.target.value) next[name] = event.target.value; else delete next[name]; change(next); } },
        el("option", { value: "" }, none),
        ...found.columns.map((one) => el("option", { value: one, selected: one === value }, one || "(without a name)"))));
    const boxes = found.kind === "points" || found.kind === "texts" ? [] : [
      choose("path_column", "Column of paths", "as found", reading.path_column),
      el("div", { class: "field" }, el("span", {}, "Columns that are levels, from the top down"),
        el("select", {
          multiple: true, size: Math.min(5, found.columns.length), "aria-label": `Columns of ${found.name} that are levels, from the top down`,
          onchange: (event) => { const chosen = Array.from(event.target.selectedOptions, (one) => one.value), next = { ...reading }; if (chosen.length) next.levels = chosen; else delete next.levels; change(next); },
        }, ...found.columns.map((one) => el("option", { value: one, selected: (reading.levels || []).includes(one) }, one || "(without a name)")))),
    ];
    if (found.kind === "texts") return "";
    const opened = Object.keys(reading).length > 0 || !found.readable;
    return el("details", { open: opened }, el("summary", {}, "Columns"), el("div", { class: "fields" }, choose("item", "Column that names the items", found.item && !reading.item ? `as found: ${found.item}` : "as found", reading.item), ...boxes));
  }

  return { place, card, nameOf };
})();
