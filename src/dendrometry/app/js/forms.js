"use strict";
// The forms: files, what matches, options, and the button that begins.
const Forms = (() => {
  const { el, plural, count, label, tell } = Report;
  const KEY = "dendrometry-forms";
  const LINKAGE = ["linkage", "Distance of clusters", [["", "Ward (default)"], ["average", "average"], ["complete", "complete"], ["single", "single"]]];
  const METRIC = ["metric", "Distance of items", [["", "Euclidean (default)"], ["cosine", "cosine"], ["cityblock", "city block"], ["correlation", "correlation"]]];
  const MOST = ["max_clusters", "Largest number of clusters", [["", "10 (default)"], [5, "5"], [20, "20"], [50, "50"]]];
  const NAMES = ["match_names", "Names of items", [["", "must be equal (default)"], ["loose", "ignore case, underscores and spaces"]]];
  const example = (name) => `examples/${name}`;

  const FORMS = {
    compare: {
      tab: "Two trees", heading: "Compare two trees", lead: "How alike are they, is that more than chance, and where do they differ?",
      slots: [["First tree", "The reference: a classification, a published tree, the old version"], ["Second tree", "What is compared with it"]],
      tasks: [["compare", "Compare", [
        NAMES,
        ["on_mismatch", "Items that only one tree has", [["", "refuse (default)"], ["intersect", "leave out, if half are common"], ["intersect_any", "leave out, however many"]]],
        ["n_permutations", "p-values", [["", "of the verdict (default)"], [99, "of all measures, 99 relabellings"], [999, "of all measures, 999 relabellings"], [0, "none"]]],
      ]]],
      examples: [["Animals: by descent, by traits", ["animals by descent.csv", "animals by traits.nwk"]], ["Two ways to cluster the same animals", ["animals by traits.nwk", "animals by traits, ward.nwk"]]],
    },
    diff: {
      tab: "What changed", heading: "What changed between two versions", lead: "Which items moved, and which groups were split, merged, renamed, added or removed?",
      slots: [["Old version", "The tree or table as it was"], ["New version", "As it is now"]],
      tasks: [["diff", "Show what changed", [NAMES]]],
      examples: [["A shop's categories in spring and autumn", ["shop, spring.csv", "shop, autumn.csv"]]],
    },
    points: {
      tab: "Points", heading: "Start from a table of numbers", lead: "A row for each item, a column for each measurement; the first column names the items.",
      slots: [["Table", "CSV or TSV with a header"]], accept: ".csv,.tsv",
      tasks: [
        ["cluster", "Build the tree", [LINKAGE, METRIC], "Build a tree", "Merge the nearest items step by step"],
        ["choose", "Find the number", [LINKAGE, METRIC, MOST], "How many clusters?", "Seven rules, and whether there are any"],
        ["stability", "Draw again", [LINKAGE, METRIC, ["n_replicates", "How often the data are drawn", [["", "100 (default)"], [20, "20"], [500, "500"], [1000, "1,000"]]], MOST], "Which clusters are stable?", "Draw the rows again, and see which return"],
      ],
      examples: [["101 animals and their 16 traits", ["animals, traits.csv"]]],
    },
    several: {
      tab: "Several trees", heading: "Several trees of the same items", lead: "Which are alike, which stand out, and what do most of them share?", many: "tree", fewest: 2,
      slots: [["Trees", "Two files or more"]],
      tasks: [
        ["matrix", "Compare each with each", [], "Each with each", "A table of all pairs, and the trees that stand out"],
        ["consensus", "Find what they share", [["threshold", "A cluster must be in more than", [["", "half of the trees (default)"], [0.75, "three quarters"], [0.9, "nine in ten"]]]], "What most share", "One tree of the clusters in most trees"],
      ],
      examples: [["Four trees of the same animals", ["animals by traits.nwk", "animals by traits, complete.nwk", "animals by traits, single.nwk", "animals by traits, ward.nwk"]]],
    },
    texts: {
      tab: "Texts", heading: "A tree of texts", lead: "Texts with similar words come together; each branch is named by its words.", many: "text", fewest: 1,
      slots: [["Texts", "A table with a column of texts, or many files of one text each"]], accept: ".csv,.tsv,.txt,.parquet",
      tasks: [["documents", "Build the tree", [["method", "How it is built", [["", "bisect (default)"], ["buckshot", "buckshot, for very many"], ["group_average", "group average, all pairs"]]]]]],
      examples: [["30 short news", ["news.csv"]]],
    },
  };

  const kept = (() => { try { return JSON.parse(sessionStorage.getItem(KEY)) || {}; } catch { return {}; } })();
  const save = () => { try { sessionStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* it is only a convenience */ } };
  const stateOf = (name) => (kept[name] ||= { files: [], task: FORMS[name].tasks[0][0], options: {} });

  /** Show a form; the returned function brings it up to date. */
  function show(view, name) {
    const form = FORMS[name], mine = stateOf(name);
    const n = form.many ? 0 : form.slots.length;
    const places = []; // they stay while the rest is drawn again: somebody may be typing there
    let found = null, asked = 0, problem = "";
    const slots = el("div", { class: `slots ${form.slots.length === 1 ? "one" : ""}` }), match = el("div"), choices = el("div"), options = el("div"), go = el("div", { class: "go" });
    const task = () => form.tasks.find(([one]) => one === mine.task) || form.tasks[0];
    const given = () => mine.files.filter(Boolean);
    const optionsNow = () => Object.fromEntries(Object.entries(mine.options).filter(([key]) => task()[2].some(([one]) => one === key) || key === "text" || key === "title"));

    function changed() { save(); found = null; draw(); look(); }
    async function look() {
      const files = given(), turn = ++asked;
      if (!files.length) return;
      try {
        const answer = await Server.post("inspect", { task: task()[0], files, options: optionsNow() });
        if (turn !== asked) return;
        problem = "";
        found = answer;
      } catch (error) {
        if (turn !== asked) return;
        problem = error.message;
        if (problem.includes("a file of this name")) { mine.files = []; save(); } // the server was started again
      }
      draw();
    }
    function cardOf(i, j, heading) {
      const source = mine.files[i];
      const extra = heading && n === 2 && i === 0 && mine.files[1] ? [el("button", { type: "button", class: "quiet-button", onclick: () => { mine.files.reverse(); changed(); } }, "⇄ Swap the two")] : [];
      return Sources.card(source, found && found.files[j], {
        heading, extra,
        change: (reading) => { source.reading = reading; changed(); },
        remove: () => { if (form.many) mine.files.splice(i, 1); else mine.files[i] = null; changed(); },
      });
    }
    function placeOf(i, given) {
      places[i] ||= Sources.place(given);
      places[i].update();
      return places[i].zone;
    }
    /** Show parts in the slots; one that is there already is not moved, so that it keeps the focus. */
    function fill(...parts) {
      parts.forEach((part, i) => {
        const old = slots.children[i];
        if (!old) slots.append(part);
        else if (old !== part) old.replaceWith(part);
      });
      while (slots.children.length > parts.length) slots.lastElementChild.remove();
    }
    function drawSlots() {
      if (form.many) {
        const list = el("ul", { class: "several" }, ...mine.files.map((source, i) => {
          const one = found && found.files[i];
          return el("li", {}, el("span", { class: `mark ${one ? (one.readable ? "" : "bad") : "wait"}`, "aria-hidden": "true" }, one ? (one.readable ? "✓" : "!") : "…"),
            el("div", {}, label(Sources.nameOf(source.file)), one ? el("p", { class: one.problem ? "problem" : "aside" }, one.problem || one.summary) : ""),
            el("button", { type: "button", class: "quiet-button", "aria-label": `Remove ${Sources.nameOf(source.file)}`, onclick: () => { mine.files.splice(i, 1); changed(); } }, "Remove"));
        }));
        const [title, hint] = form.slots[0];
        fill(placeOf(0, { name: title, hint, many: true, accept: form.accept, take: (files) => { places[0] = null; mine.files.push(...files); changed(); } }), ...(mine.files.length ? [el("div", { class: "slot" }, el("h3", {}, plural(mine.files.length, "file")), list)] : []));
        return;
      }
      fill(...form.slots.map(([title, hint], i) => {
        if (mine.files[i]) {
          places[i] = null;
          return cardOf(i, given().indexOf(mine.files[i]), title);
        }
        return placeOf(i, { name: title, hint, accept: form.accept, take: ([file]) => { mine.files[i] = file; changed(); } });
      }));
    }
    const use = (repair) => {
      if (repair.options) Object.assign(mine.options, repair.options);
      if (repair.reading) Object.assign(mine.files[repair.file].reading, repair.reading);
      changed();
    };
    function drawMatch() {
      const how = found && found.match;
      if (!how) { match.replaceChildren(problem ? el("p", { class: "problem", role: "alert" }, problem) : ""); return; }
      const whole = how.n_only[0] + how.n_only[1] === 0, same = name === "diff";
      const says = whole ? `All ${plural(how.n_common, "item")} match by name.`
        : how.n_common ? `${count(how.n_common)} items match by name; ${count(how.n_only[0])} are only in the ${same ? "old version" : "first tree"}, ${count(how.n_only[1])} only in the ${same ? "new one" : "second"}.`
          : "No item has the same name in both.";
      const lists = how.only.map((names, i) => (names.length ? el("p", { class: "aside" }, `Only in ${Sources.nameOf(mine.files[i].file)}: `, ...names.flatMap((one, k) => [k ? ", " : "", label(one)]), how.n_only[i] > names.length ? ` and ${count(how.n_only[i] - names.length)} more` : "") : ""));
      const repairs = how.repairs.filter((repair) => !(same && repair.options && repair.options.on_mismatch));
      const left = !whole && how.fits && !same ? el("p", { class: "aside" }, "The others are left out. ", el("button", { type: "button", class: "quiet-button", onclick: () => { delete mine.options.on_mismatch; changed(); } }, "Undo")) : "";
      const loose = how.n_loose ? el("p", { class: "aside" }, `${plural(how.n_loose, "name")} matched without regard to case, underscores and spaces. `, el("button", { type: "button", class: "quiet-button", onclick: () => { delete mine.options.match_names; changed(); } }, "Undo")) : "";
      match.replaceChildren(el("div", { class: `match ${whole || how.fits || (same && how.n_common) ? "" : "differs"}`, role: "status" }, el("p", {}, el("b", {}, says)), ...lists, loose, left,
        repairs.length ? el("ul", { class: "repairs" }, ...repairs.map((repair) => el("li", {}, el("button", { type: "button", onclick: () => use(repair) }, repair.label)))) : ""));
    }
    function drawOptions() {
      const rows = [...task()[2]];
      if (name === "texts" && found && found.files.length === 1 && found.files[0].columns.length) {
        const columns = found.files[0].columns, first = found.files[0].taken[0];
        if (!mine.options.text && first !== "text") mine.options.text = first;
        rows.unshift(["text", "Column of texts", [["", "text"], ...columns.filter((one) => one !== "text").map((one) => [one, one])]], ["title", "Column of titles", [["", "as found"], ...columns.map((one) => [one, one])]]);
      }
      const fields = rows.map(([key, title, values]) => el("label", { class: "field" }, el("span", {}, title),
        el("select", { onchange: (event) => { const value = values[event.target.selectedIndex][0]; if (value === "") delete mine.options[key]; else mine.options[key] = value; save(); if (["match_names", "on_mismatch"].includes(key)) changed(); } },
          ...values.map(([value, text]) => el("option", { selected: (mine.options[key] ?? "") === value }, text)))));
      const opened = options.querySelector("details")?.open || name === "texts";
      options.replaceChildren(fields.length ? el("details", { class: "options", open: opened }, el("summary", {}, "More choices"), el("div", { class: "fields" }, ...fields)) : "");
    }
    function drawChoices() {
      if (form.tasks.length < 2) return;
      choices.replaceChildren(el("fieldset", { class: "choices" }, el("legend", {}, "What do you want to know?"), ...form.tasks.map(([key, , , title, says]) => el("label", { class: "choice" },
        el("input", { type: "radio", name: "task", value: key, checked: key === mine.task, onchange: () => { mine.task = key; save(); draw(); } }),
        el("span", {}, el("b", {}, title), el("small", {}, says))))));
    }
    function missing() {
      const files = given();
      if (form.many ? files.length < form.fewest : files.length < n) return form.many || n === 1 ? (form.fewest === 2 ? "Give two files or more." : "Give a file.") : files.length ? "Give the other file, too." : "Give two files.";
      if (problem) return "";
      if (!found) return "Looking at the files…";
      if (found.files.some((one) => !one.readable)) return "A file cannot be read like this.";
      if (found.match && !(found.match.fits || (name === "diff" && found.match.n_common))) return "The items do not match: choose one of the ways above.";
      return "";
    }
    async function begin() {
      const button = go.querySelector("button");
      button.disabled = true;
      try {
        const job = await Server.post("jobs", { task: task()[0], files: given(), options: optionsNow() });
        await Server.refresh();
        location.hash = `job-${job.number}`;
      } catch (error) {
        problem = error.message;
        tell(problem);
        draw();
      }
    }
    function drawGo() {
      const reason = missing();
      go.replaceChildren(el("button", { type: "button", class: "main", disabled: Boolean(reason), "aria-describedby": "why", onclick: begin }, task()[1]), el("p", { class: "aside", id: "why" }, reason));
    }
    const examples = el("div", { class: "examples" }, el("span", {}, "Or try an example:"), ...form.examples.map(([title, files]) => el("button", {
      type: "button", onclick: () => { mine.files = files.map((file) => ({ file: example(file), reading: {} })); mine.options = {}; changed(); },
    }, title)));
    function draw() { examples.hidden = given().length > 0; drawSlots(); drawMatch(); drawChoices(); drawOptions(); drawGo(); }

    view.replaceChildren(el("div", { class: "intro" }, el("h2", {}, form.heading), el("p", {}, form.lead)), choices, slots, examples, match, options, go);
    draw();
    look();
    let n_listed = Server.state().folder.length;
    return (state) => { if (state.folder.length !== n_listed) { n_listed = state.folder.length; draw(); } };
  }

  /** The form that a job came from. */
  const of = (task) => Object.keys(FORMS).find((name) => FORMS[name].tasks.some(([one]) => one === task));
  return { FORMS, show, of };
})();
