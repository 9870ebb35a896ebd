"use strict";
// Jobs: waiting, running and ended, and what they wrote.
const Results = (() => {
  const { el, label, plural, tell } = Report;
  const SAVE = { page: "Save the page", picture: "Save the picture", tree: "Save the tree", table: "Save the table (CSV)", groups: "Save the groups (CSV)", json: "Save all numbers (JSON)" };
  const FACTS = { n_items: "items", n_trees: "trees", recommended: "clusters recommended", ties: "merges between equal distances", inversions: "merges below the one before", threshold: "share of the trees that is needed" };
  const STATES = { waiting: "waiting", running: "working", done: "done", failed: "not done", cancelled: "cancelled" };

  const address = (job, kind, more = "") => `jobs/${job.number}/files/${encodeURIComponent(job.files[kind])}${more}`;
  const files = (job) => {
    const shown = job.sources.slice(0, 4).flatMap((name, i) => [i ? (job.sources.length === 2 ? " and " : "; ") : "", label(name)]);
    return [...shown, job.sources.length > 4 ? ` and ${plural(job.sources.length - 4, "more file")}` : ""];
  };

  function code(title, text) {
    const copy = el("button", {
      type: "button", class: "quiet-button",
      onclick: async () => { await navigator.clipboard.writeText(text); copy.textContent = "Copied"; tell("Copied"); setTimeout(() => { copy.textContent = "Copy"; }, 1500); },
    }, "Copy");
    copy.setAttribute("aria-label", `Copy: ${title}`);
    return el("div", { class: "code" }, el("div", { class: "code-head" }, el("h3", {}, title), copy), el("pre", { tabindex: "0", role: "region", "aria-label": title }, text));
  }

  /** The way a job is done without this page. */
  const again = (job) => el("div", { class: "again" }, code("The same on the command line", job.commands.join("\n")), code("The same in Python", job.python.trim()));

  function working(job) {
    const { title, done, total } = job.progress;
    const bar = el("progress", total ? { max: total, value: done, "aria-label": "Progress" } : { "aria-label": "Progress" });
    const says = job.state === "waiting" ? "Waiting for the jobs before it" : `${title || "starting"}${total ? `, ${done.toLocaleString("en")} of ${total.toLocaleString("en")}` : ""}`;
    return el("div", { class: "working" },
      el("b", {}, `${says[0].toUpperCase()}${says.slice(1)}`), bar,
      el("div", { class: "controls" }, el("button", { type: "button", onclick: () => cancel(job) }, "Cancel"), el("span", { class: "quiet" }, job.seconds === null ? "" : `${Math.round(job.seconds)} s`)));
  }
  async function cancel(job) { await Server.post(`jobs/${job.number}/cancel`, {}); tell("Cancelled"); Server.refresh(); }

  function done(job) {
    const kinds = Object.keys(SAVE).filter((kind) => job.files[kind]);
    const saves = el("div", { class: "saves" },
      ...kinds.map((kind, i) => el("a", { href: address(job, kind, "?save"), download: job.files[kind], class: i ? null : "first" }, SAVE[kind])),
      job.files.page ? el("a", { href: address(job, "page"), target: "_blank", rel: "noopener" }, "Open in a tab of its own") : "");
    const shown = job.files.page
      ? el("iframe", { class: "report", src: address(job, "page"), sandbox: "allow-scripts allow-downloads allow-modals", title: `${job.title}: the report` })
      : job.files.picture ? el("img", { class: "picture", src: address(job, "picture"), alt: `${job.title}: drawing` }) : "";
    const notes = job.told.map((text) => el("p", text.includes("\n") ? { class: "told plain", tabindex: "0" } : { class: "told" }, text));
    return [saves, ...(job.files.page ? [] : [el("div", { id: "numbers" })]), shown, again(job), ...(notes.length ? [el("h3", {}, "Notes"), ...notes] : [])];
  }

  /** The verdict of a job without a page, which stands in its numbers. */
  async function addNumbers(job) {
    const place = document.getElementById("numbers");
    if (!place || !job.files.json) return;
    const found = await Server.ask(address(job, "json"));
    const says = found.verdict || (found.recommended ? `${found.recommended} clusters are recommended.` : "");
    const facts = Object.entries(FACTS).filter(([name]) => typeof found[name] === "number");
    place.append(
      says ? el("p", { class: "verdict" }, says) : "",
      el("dl", { class: "figures" }, ...facts.map(([name, called]) => el("div", {}, el("dt", {}, called), el("dd", {}, Report.number(found[name]))))));
  }

  /** One job; the returned function brings it up to date. */
  function show(view, number, edit) {
    let drawn = "";
    return (state) => {
      const job = state.jobs.find((one) => one.number === number);
      if (!job) {
        if (drawn !== "gone") view.replaceChildren(el("div", { class: "intro" }, el("h2", {}, "This result is not there"), el("p", {}, "It was removed, or the server was started again.")));
        drawn = "gone";
        return;
      }
      const key = `${job.state}${job.state === "done" ? "" : JSON.stringify(job.progress) + Math.round(job.seconds || 0)}`;
      if (key === drawn) return;
      const focused = document.activeElement && view.contains(document.activeElement) ? document.activeElement.textContent : "";
      drawn = key;
      const head = el("div", { class: "result-head" }, el("h2", { tabindex: "-1" }, job.title), el("p", {}, ...files(job), job.state === "done" ? ` · ${job.seconds} s` : ""));
      const body = job.state === "done" ? done(job)
        : job.is_over || job.state === "failed" || job.state === "cancelled"
          ? [el("div", { class: `match ${job.state === "failed" ? "differs" : ""}`, role: "alert" }, el("p", {}, job.state === "failed" ? job.message : "It was cancelled.")), el("div", { class: "go" }, el("button", { type: "button", onclick: () => edit(job) }, "Back to the files")), again(job)]
          : [working(job)];
      view.replaceChildren(head, ...body);
      if (focused === "Cancel") view.querySelector("button")?.focus();
      if (job.state === "done") { tell(`${job.title}: done`); addNumbers(job); }
      if (job.state === "failed") tell(`${job.title}: ${job.message}`);
    };
  }

  /** All jobs. */
  function list(view) {
    let drawn = "";
    return (state) => {
      const key = JSON.stringify(state.jobs.map((job) => [job.number, job.state, Math.round(job.seconds || 0)]));
      if (key === drawn) return;
      drawn = key;
      const rows = state.jobs.toReversed().map((job) => el("li", {},
        el("div", {}, el("a", { href: `#job-${job.number}` }, job.title), el("small", {}, ...files(job))),
        el("span", { class: `state-${job.state}` }, STATES[job.state], job.seconds === null ? "" : `, ${job.seconds} s`),
        job.state === "waiting" || job.state === "running"
          ? el("button", { type: "button", class: "quiet-button", onclick: () => cancel(job), "aria-label": `Cancel ${job.title} of ${job.sources.join(", ")}` }, "Cancel")
          : el("button", { type: "button", class: "quiet-button", onclick: async () => { await Server.post(`jobs/${job.number}/forget`, {}); Server.refresh(); }, "aria-label": `Remove ${job.title} of ${job.sources.join(", ")}` }, "Remove")));
      view.replaceChildren(el("div", { class: "intro" }, el("h2", {}, "Results"), el("p", {}, rows.length ? "They are kept until the server ends: save what you need." : "Nothing was asked for yet.")), el("ul", { class: "jobs" }, ...rows));
    };
  }
  return { show, list };
})();
