"use strict";
// One node at a time, or what was found; the fragment of the address says which, so links and the back button work.
const Browse = (() => {
  const { byId, el, label, count, plural, number, tell, later } = Report;
  const AT_ONCE = 20; // documents, and nodes found, on a page of a list
  const SNIPPET = 160; // characters of a text in a list
  const PATH = 4; // nodes shown at the end of a long path
  let topics, data, here = 0, searching = "", view = "";

  const address = (v) => `#node-${topics.node[v]}`;
  const search = (text) => `#find-${encodeURIComponent(text)}`;
  const wordsOf = (text) => Topics.fold(text).split(/\s+/).filter(Boolean);

  /** What a fragment asks for: {node}, {find}, or nothing where it is an ordinary anchor. */
  function requested(fragment) {
    if (fragment === "" || fragment === "#") return { node: 0 };
    const node = /^#node-(\d{1,15})$/.exec(fragment);
    if (node) {
      const v = Number(node[1]);
      return { node: v < topics.n ? topics.placeOf[v] : -1, number: v };
    }
    if (!fragment.startsWith("#find-")) return null;
    try { return { find: decodeURIComponent(fragment.slice(6)) }; } catch { return { find: fragment.slice(6) }; }
  }

  /** A text with what was looked for marked in it. */
  function marked(given, words) {
    const text = given.normalize("NFC"), places = [], parts = []; // places: in the text, of every folded character
    let folded = "", from = 0, at = 0;
    for (const letter of text) {
      const as = Topics.fold(letter);
      for (let i = 0; i < as.length; i++) places.push(at);
      folded += as;
      at += letter.length;
    }
    places.push(text.length);
    while (from < folded.length) {
      let first = -1, length = 0;
      for (const word of words) {
        const i = folded.indexOf(word, from);
        if (i >= 0 && (first < 0 || i < first || (i === first && word.length > length))) { first = i; length = word.length; }
      }
      if (first < 0) break;
      parts.push(text.slice(places[from], places[first]), el("mark", {}, text.slice(places[first], places[first + length])));
      from = first + length;
    }
    return el("bdi", {}, ...parts, text.slice(places[from]));
  }

  /** What a node is called: its name with its words beside it, its words, or its number of documents with examples. */
  function called(v, words = []) {
    const { text, own } = topics.call(v), name = topics.nameOf(v);
    const beside = name ? topics.firstWords(v).slice(0, 5).join(", ") : own ? "" : `such as ${topics.examples(v, 2).join(", ")}`;
    return [el("span", { class: own ? null : "quiet" }, marked(text, words)), beside ? el("small", {}, " ", marked(beside, words)) : ""];
  }
  /** The beginning of a text, or what is around the first word that was looked for; nothing where there are no texts. */
  function snippet(i, words = []) {
    if (!topics.texts || !topics.texts[i]) return "";
    const text = topics.texts[i], folded = Topics.fold(text), at = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
    const found = at.length ? Math.min(...at) : 0, start = found < 60 ? 0 : text.lastIndexOf(" ", found - 50) + 1;
    const end = Math.min(start + SNIPPET, text.length);
    return el("span", { class: "snippet" }, start ? "… " : "", marked(text.slice(start, end), words), end < text.length ? " …" : "");
  }
  const linked = (v) => el("a", { href: address(v) }, label(topics.call(v, 3).text));

  /** A long list, a page at a time. */
  function pagedList(place, { n, item, what }) {
    let page = 0;
    const list = el("ol", { class: "documents" }), says = el("span", { class: "quiet", role: "status" });
    const back = el("button", { type: "button", onclick: () => turn(-1) }, "‹ Back");
    const on = el("button", { type: "button", onclick: () => turn(1) }, "Next ›");
    const last = Math.ceil(n / AT_ONCE) - 1;
    function turn(step) {
      page = Math.min(Math.max(page + step, 0), last);
      const start = page * AT_ONCE, end = Math.min(start + AT_ONCE, n);
      list.replaceChildren(...Array.from({ length: end - start }, (_, i) => el("li", {}, ...item(start + i))));
      back.disabled = page === 0; on.disabled = page === last;
      says.textContent = `${count(start + 1)} to ${count(end)} of ${plural(n, what)}`;
    }
    turn(0);
    place.append(list);
    if (last > 0) place.append(el("div", { class: "controls pager" }, back, on, says));
  }

  function path(v) {
    const above = topics.above(v), hidden = above.length - 1 - PATH;
    const shown = hidden > 1 ? [above[0], null, ...above.slice(-PATH)] : above;
    const steps = shown.map((p) => el("li", {}, p === null ? el("span", { class: "quiet" }, `${count(hidden)} between`) : linked(p)));
    byId("path").replaceChildren(el("ol", {}, ...steps, el("li", { "aria-current": "page" }, label(topics.call(v, 3).text))));
    byId("path").hidden = v === 0;
  }

  function facts(v) {
    const parts = [plural(topics.size(v), "document")], height = topics.heightOf(v);
    if (topics.tree.children[v]) parts.push(`in ${plural(topics.tree.end[v] - v - 1, "node")} below`);
    if (v) parts.push(`${Report.percent(topics.size(v) / topics.titles.length)} of all`);
    if (height !== null && topics.tree.children[v]) parts.push(`height ${number(height)}`);
    parts.push(`node ${topics.node[v]}`);
    return el("p", { class: "says" }, parts.join(" · "));
  }
  function words(v) {
    const lines = [];
    topics.methods.forEach(({ title }, m) => {
      const found = topics.words(v, m);
      if (!found.length) return;
      lines.push(el("div", {}, el("dt", {}, title), el("dd", {}, ...found.map((word) => el("a", { href: search(word) }, label(word))))));
    });
    return lines.length ? el("dl", { class: "words" }, ...lines) : "";
  }
  function documents(v) {
    const { tree, titles } = topics, low = tree.low[v];
    const place = el("div", {}, el("h4", {}, "Documents"));
    pagedList(place, {
      n: tree.nUnits[v], what: "document",
      item: (i) => { const owner = tree.node[low + i], title = label(titles[low + i]); return [owner === v ? title : el("a", { href: address(owner) }, title), snippet(low + i)]; },
    });
    return place;
  }
  /** The documents that the node above a single one holds as well. */
  function neighbours(v) {
    const p = topics.tree.parent[v];
    if (p < 0) return "";
    const { tree, titles } = topics, low = tree.low[p], self = tree.low[v] - low;
    const place = el("div", {}, el("h4", {}, "Beside it"));
    pagedList(place, { n: tree.nUnits[p] - 1, what: "document", item: (i) => { const at = low + (i < self ? i : i + 1); return [el("a", { href: address(tree.node[at]) }, label(titles[at])), snippet(at)]; } });
    return place;
  }

  function showNode(v, came) {
    here = v; searching = "";
    byId("find").value = "";
    path(v);
    const heading = el("h3", { tabindex: "-1", id: "here" }, label(topics.call(v).text));
    const below = el("div"), listed = el("div");
    byId("view").replaceChildren(heading, facts(v), words(v), below, listed);
    document.title = `${topics.call(v, 3).text} · ${data.name}`;
    let drawn = { whole: false, focused: false };
    if (topics.tree.children[v]) drawn = Outline.draw(below, topics, v, { came: came > v && topics.holds(v, came) ? came : -1, called, address });
    if (topics.isDocument(v)) {
      if (topics.texts) listed.append(el("p", { class: "text" }, topics.texts[topics.tree.low[v]]));
      listed.append(neighbours(v));
    }
    else if (!drawn.whole) listed.append(documents(v));
    return drawn.focused ? null : heading;
  }

  function showFound(text) {
    const all = wordsOf(text), { nodes, documents: found } = all.length ? topics.find(all) : { nodes: [], documents: [] };
    searching = text;
    if (byId("find").value.trim() !== text) byId("find").value = text;
    byId("path").replaceChildren(el("a", { href: address(here) }, "‹ Back to ", label(topics.call(here, 3).text)));
    byId("path").hidden = false;
    const says = `${plural(nodes.length, "node")} and ${plural(found.length, "document")} found`;
    const heading = el("h3", { tabindex: "-1", id: "here" }, "“", label(text), "”");
    const parts = [heading, el("p", { class: "says" }, says)];
    if (all.length && !nodes.length && !found.length && !topics.texts) parts.push(el("p", { class: "reason" }, "Titles and labels are searched, not the texts of the documents."));
    if (nodes.length) {
      const place = el("div", {}, el("h4", {}, "Nodes, by their words"));
      pagedList(place, { n: nodes.length, what: "node", item: (i) => {
        const v = nodes[i], shownAs = topics.call(v).text;
        const held = topics.methods.flatMap((_, m) => topics.words(v, m)).filter((word) => !shownAs.includes(word) && all.some((w) => Topics.fold(word).includes(w)));
        return [el("a", { href: address(v) }, ...called(v, all)), el("small", {}, ` ${plural(topics.size(v), "document")}`), held.length ? el("small", {}, " · ", marked([...new Set(held)].join(", "), all)) : "", within(topics.tree.parent[v])];
      } });
      parts.push(place);
    }
    if (found.length) {
      const place = el("div", {}, el("h4", {}, topics.texts ? "Documents, by their titles and texts" : "Documents, by their titles"));
      pagedList(place, { n: found.length, what: "document", item: (i) => {
        const owner = topics.tree.node[found[i]];
        return [el("a", { href: address(owner) }, marked(topics.titles[found[i]], all)), snippet(found[i], all), within(topics.isDocument(owner) ? topics.tree.parent[owner] : owner)];
      } });
      parts.push(place);
    }
    byId("view").replaceChildren(...parts);
    document.title = `${text} · ${data.name}`;
    tell(says);
    return heading;
  }
  /** Where something lies: the nearest node, from this one upwards, that is called by words or a name. */
  function within(v) {
    return v > 0 && topics.named[v] ? el("small", { class: "within" }, "in ", linked(topics.named[v])) : "";
  }

  /** Show what the address asks for; moved: whether the reader went there, and the focus has to follow. */
  function show(moved) {
    const wanted = requested(location.hash);
    if (!wanted) return;
    const now = wanted.find !== undefined ? search(wanted.find) : `node ${wanted.node}`;
    if (now === view) return;
    view = now;
    const came = here;
    let target;
    if (wanted.find !== undefined) target = showFound(wanted.find);
    else if (wanted.node < 0) { showNode(0, -1); byId("view").prepend(el("p", { class: "reason", role: "alert" }, `There is no node ${count(wanted.number)}; this is the root.`)); target = byId("here"); }
    else target = showNode(wanted.node, moved ? came : -1);
    if (moved && target) {
      target.focus({ preventScroll: true });
      byId("browse").scrollIntoView({ block: "start", behavior: "instant" });
    }
  }

  function typed() {
    const text = byId("find").value.trim();
    if (text === searching) return;
    const to = text ? search(text) : address(here);
    if (searching && text) history.replaceState(null, "", to);
    else history.pushState(null, "", to);
    view = text ? search(text) : `node ${here}`;
    if (text) showFound(text);
    else showNode(here, -1);
  }

  async function start(given) {
    data = given;
    topics = await Topics.unpacked(data);
    addEventListener("hashchange", () => show(true));
    const find = byId("find");
    find.addEventListener("input", later(typed, 150));
    find.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { find.value = ""; typed(); byId("here").focus(); }
      if (event.key === "Enter") { typed(); const first = byId("view").querySelector("a"); if (first) first.focus(); }
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
      event.preventDefault();
      find.focus();
      find.select();
    });
    show(false);
    if (!view) { view = "node 0"; showNode(0, -1); } // the address names a section
    document.documentElement.dataset.usable = String(Math.round(performance.now()));
  }
  return { start, get topics() { return topics; } };
})();
Report.run((data) => Browse.start(data));
