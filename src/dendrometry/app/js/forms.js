"use strict";
// The forms: files, what matches, options, and the button that begins.
const Forms = (() => {
  const { el, plural, count, label, tell } = Report;
  const KEY = "dendrometry-forms";
  const LINKAGE = ["linkage", "Distance of clusters", [["", "Ward (default)"], ["average", "average"], ["complete", "complete"], ["single", "single"]]];
  const METRIC = ["metric", "Distance of items", [["", "Euclidean (default)"], ["cosine", "cosine"], ["cityblock", "city block"], ["correlation", "correlation"]]];
  const MOST = ["max_clusters", "Largest number of clusters", [["", "10 (default)"], [5, "5"], [20, "20"], [50, "50"]]];
  const NAMES = ["match_names", "Names of items", [["", "must be equal (default)"], ["loose", "ignore case, underscores and spaces"]]];
  const BY = ["by", "Concepts are matched by", [["", "identifiers (default)"], ["names", "names"]]];
  const CONCEPT_NAMES = ["match_names", "Names of concepts", NAMES[2]];
  const RELOOK = ["match_names", "on_mismatch", "by", "unknown"]; // options that change what matches
  const NUMBERS = ["", "one", "two", "three"];
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
      tasks: [
        ["diff", "Show what changed", [NAMES], "Items in groups", "Items that moved; groups that were split, merged, renamed"],
        ["taxonomy", "Show what changed", [BY, CONCEPT_NAMES], "Concepts", "A thesaurus, ontology or taxonomy (SKOS, OWL, OBO, or a table of child and parent); concepts may have several parents"],
      ],
      relook: true, // its tasks read files in different ways
      examples: [["A shop's categories in spring and autumn", ["shop, spring.csv", "shop, autumn.csv"]]],
    },
    points: {
      tab: "Points", heading: "Start from a table of numbers", lead: "A row for each item, a column for each measurement; the first column names the items.",
      slots: [["Table", "CSV or TSV with a header"]], accept: ".csv,.tsv",
      tasks: [
        ["cluster", "Build the tree", [LINKAGE, METRIC], "Build a tree", "Merge the nearest items step by step"],
        ["choose", "Find the number", [LINKAGE, MOST], "How many clusters?", "Seven rules, and whether there are any"],
        ["stability", "Draw again", [LINKAGE, METRIC, ["n_replicates", "How often the data are drawn", [["", "100 (default)"], [20, "20"], [500, "500"], [1000, "1,000"]]], MOST], "Which clusters are stable?", "Draw the rows again, and see which return"],
        ["splits", "Test the splits", [LINKAGE, ["metric", "Distance of items", METRIC[2].slice(0, 2)], ["alpha", "Chance of any wrong split", [["", "at most 5% (default)"], [0.01, "at most 1%"], [0.1, "at most 10%"]]]], "Which splits are real?", "A p-value for each split, from the top down"],
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
    predictions: {
      tab: "Predictions", heading: "Predictions against a taxonomy", lead: "How far do predicted terms agree with the true ones, where a near miss loses less than a far one?",
      slots: [["Taxonomy", "The terms: OBO, OWL, SKOS, a table of child and parent, or a tree"], ["True terms", "A table of item and term, a row for each label"], ["Predicted terms", "A table of item, term and perhaps its score"]], swaps: [1, 2],
      tasks: [["predictions", "Score the predictions", [
        ["unknown", "Labels that are no terms, items without truth", [["", "refuse (default)"], ["leave_out", "leave out and count"]]],
        ["below", "Score only this term and those below", null],
        ["information", "Weights of terms", [["", "from the true labels (default)"], ["intrinsic", "from the taxonomy alone"]]],
      ]]],
      examples: [["Families of animals, guessed from the nearest animal by traits", ["animals by descent.csv", "animals, families.csv", "animals, families guessed.csv"]]],
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
    let found = null, asked = 0, problem = "", looking = false;
    const slots = el("div", { class: `slots ${["", "one", "", "three"][form.slots.length]}` }), match = el("div"), choices = el("div"), options = el("div"), go = el("div", { class: "go" });
    const task = () => form.tasks.find(([one]) => one === mine.task) || form.tasks[0];
    const given = () => mine.files.map((file, place) => file && { ...file, place }).filter(Boolean);
    const swaps = form.swaps || (n === 2 ? [0, 1] : null);
    const optionsNow = () => Object.fromEntries(Object.entries(mine.options).filter(([key]) => task()[2].some(([one]) => one === key) || key === "text" || key === "title"));

    function changed(sameFiles = false) {
      save();
      if (!sameFiles) found = null; // what was found stays in view until there is something newer
      looking = true;
      draw();
      look();
    }
    async function look() {
      const files = given(), turn = ++asked;
      if (!files.length) return;
      looking = true;
      try {
        const answer = await Server.post("inspect", { task: task()[0], files, options: optionsNow() });
        if (turn !== asked) return;
        problem = "";
        found = answer;
        looking = false;
      } catch (error) {
        if (turn !== asked) return;
        problem = error.message;
        if (problem.includes("a file of this name")) { mine.files = []; save(); } // the server was started again
      }
      draw();
    }
    function cardOf(i, j, heading) {
      const source = mine.files[i];
      const [one, other] = swaps || [];
      const swap = () => { [mine.files[one], mine.files[other]] = [mine.files[other], mine.files[one]]; changed(); };
      const extra = i === one && mine.files[other] ? [el("button", { type: "button", class: "quiet-button", onclick: swap }, "⇄ Swap the two")] : [];
      return Sources.card(source, found && found.files[j], {
        heading, extra,
        change: (reading) => { source.reading = reading; changed(true); },
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
          return cardOf(i, given().findIndex((one) => one.place === i), title);
        }
        return placeOf(i, { name: title, hint, accept: form.accept, take: ([file]) => { mine.files[i] = file; changed(); } });
      }));
    }
    const use = (repair) => {
      if (repair.options) Object.assign(mine.options, repair.options);
      if (repair.reading) Object.assign(mine.files[repair.file].reading, repair.reading);
      changed(true);
    };
    function drawMatch() {
      const how = found && found.match;
      if (!how) { match.replaceChildren(problem ? el("p", { class: "problem", role: "alert" }, problem) : ""); return; }
      const repaired = (repairs) => (repairs.length ? el("ul", { class: "repairs" }, ...repairs.map((repair) => el("li", {}, el("button", { type: "button", onclick: () => use(repair) }, repair.label)))) : "");
      const undo = (key, says) => el("p", { class: "aside" }, `${says} `, el("button", { type: "button", class: "quiet-button", "aria-label": `Undo: ${says}`, onclick: () => { delete mine.options[key]; changed(true); } }, "Undo"));
      const listed = (title, names, n) => el("p", { class: "aside" }, `${title}: `, ...names.flatMap((one, k) => [k ? ", " : "", label(one)]), n > names.length ? ` and ${count(n - names.length)} more` : "");
      const box = (fits, ...parts) => match.replaceChildren(el("div", { class: `match ${fits ? "" : "differs"}`, role: "status" }, ...parts));
      if (how.says) {
        box(how.fits, el("p", {}, el("b", {}, how.says)), ...how.lists.map((one) => listed(one.title, one.names, one.n)), how.left_out ? undo("unknown", "What has no term or no truth is left out and counted.") : "", repaired(how.repairs));
        return;
      }
      const noun = how.noun || "item";
      const whole = how.n_only[0] + how.n_only[1] === 0, same = name === "diff";
      const says = whole ? `All ${plural(how.n_common, noun)} match by name.`
        : how.n_common ? `${plural(how.n_common, noun)} match${how.n_common === 1 ? "es" : ""} by name; ${count(how.n_only[0])} are only in the ${same ? "old version" : "first tree"}, ${count(how.n_only[1])} only in the ${same ? "new one" : "second"}.`
          : `No ${noun} has the same name in both.`;
      const lists = how.only.map((names, i) => (names.length ? listed(`Only in ${Sources.nameOf(mine.files[i].file)}`, names, how.n_only[i]) : ""));
      const repairs = how.repairs.filter((repair) => !(same && repair.options && repair.options.on_mismatch));
      const left = !whole && how.fits && !same ? undo("on_mismatch", "The others are left out.") : "";
      const loose = how.n_loose ? undo("match_names", `${plural(how.n_loose, "name")} matched without regard to case, underscores and spaces.`) : "";
      box(whole || how.fits || (same && how.n_common), el("p", {}, el("b", {}, says)), ...lists, loose, left, repaired(repairs));
    }
    function drawOptions() {
      const rows = [...task()[2]];
      if (name === "texts" && found && found.files.length === 1 && found.files[0].columns.length) {
        const columns = found.files[0].columns, first = found.files[0].taken[0];
        if (!mine.options.text && first !== "text") mine.options.text = first;
        rows.unshift(["text", "Column of texts", [["", "text"], ...columns.filter((one) => one !== "text").map((one) => [one, one])]], ["title", "Column of titles", [["", "as found"], ...columns.map((one) => [one, one])]]);
      }
      const set = (key, value) => { if (value === "") delete mine.options[key]; else mine.options[key] = value; save(); if (RELOOK.includes(key)) changed(true); };
      const fields = rows.map(([key, title, values]) => el("label", { class: "field" }, el("span", {}, title), values
        ? el("select", { onchange: (event) => set(key, values[event.target.selectedIndex][0]) },
          ...values.map(([value, text]) => el("option", { selected: (mine.options[key] ?? "") === value }, text)))
        : el("input", { type: "text", value: mine.options[key] ?? "", onchange: (event) => set(key, event.target.value.trim()) })));
      const opened = options.querySelector("details")?.open || name === "texts";
      options.replaceChildren(fields.length ? el("details", { class: "options", open: opened }, el("summary", {}, "More choices"), el("div", { class: "fields" }, ...fields)) : "");
    }
    function drawChoices() {
      if (form.tasks.length < 2) return;
      choices.replaceChildren(el("fieldset", { class: "choices" }, el("legend", {}, "What do you want to know?"), ...form.tasks.map(([key, , , title, says]) => el("label", { class: "choice" },
        el("input", { type: "radio", name: "task", value: key, checked: key === mine.task, onchange: () => { mine.task = key; if (form.relook) changed(true); else { save(); draw(); } } }),
        el("span", {}, el("b", {}, title), el("small", {}, says))))));
    }
    function missing() {
      const files = given();
      if (form.many && files.length < form.fewest) return form.fewest === 2 ? "Give two files or more." : "Give a file.";
      if (n === 1 && !files.length) return "Give a file.";
      if (files.length < n) return files.length ? `Give the other file${n - files.length === 1 ? "" : "s"}, too.` : `Give ${NUMBERS[n]} files.`;
      if (problem) return "";
      if (!found || looking) return "Looking at the files…";
      if (found.files.some((one) => !one.readable)) return "A file cannot be read like this.";
      if (found.match && !(found.match.fits || (name === "diff" && found.match.n_common))) return "The files do not match: choose one of the ways above.";
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
    function draw() {
      const focused = called(document.activeElement);
      examples.hidden = given().length > 0;
      drawSlots(); drawMatch(); drawChoices(); drawOptions(); drawGo();
      if (!focused || isSeen(document.activeElement)) return;
      const others = Array.from(view.querySelectorAll("button:enabled, select, input, textarea, summary")).filter(isSeen);
      const next = others.find((one) => called(one) === focused) || go.querySelector("button:enabled") || slots.querySelector(".slot.empty button");
      (next || heading).focus({ preventScroll: true });
    }
    const isSeen = (one) => view.contains(one) && one.offsetParent !== null;
    /** What something in the form is called: its like gets the focus when all is drawn again. */
    function called(one) {
      if (!one || !view.contains(one)) return "";
      return [one.tagName, one.type, one.type === "radio" ? one.value : "", one.getAttribute("aria-label") || (one.closest("label") || one).textContent].join(" ");
    }

    const heading = el("h2", { tabindex: "-1" }, form.heading);
    view.replaceChildren(el("div", { class: "intro" }, heading, el("p", {}, form.lead)), choices, slots, examples, match, options, go);
    draw();
    look();
    let n_listed = Server.state().folder.length;
    return (state) => { if (state.folder.length !== n_listed) { n_listed = state.folder.length; draw(); } };
  }

  /** The form that a job came from. */
  const of = (task) => Object.keys(FORMS).find((name) => FORMS[name].tasks.some(([one]) => one === task));
  return { FORMS, show, of };
})();
