"use strict";
// The tabs, and which view stands in the page: it is named after the hash, so that it survives a reload.
(() => {
  const { el, byId } = Report;
  const view = byId("view"), tabs = byId("tabs");
  let update = () => {}, shown = "";
  // a file that is dropped beside its place is not opened by the browser
  for (const kind of ["dragover", "drop"]) window.addEventListener(kind, (event) => event.preventDefault());

  function route() {
    const wanted = location.hash.slice(1), number = Number(wanted.replace("job-", ""));
    const name = wanted in Forms.FORMS ? wanted : wanted === "results" ? "results" : wanted.startsWith("job-") && number ? "job" : "compare";
    if (shown === `${name} ${wanted}`) return;
    shown = `${name} ${wanted}`;
    update = name === "results" ? Results.list(view) : name === "job" ? Results.show(view, number, (job) => { location.hash = Forms.of(job.task); }) : Forms.show(view, name);
    document.title = `${name in Forms.FORMS ? Forms.FORMS[name].heading : "Results"} · Dendrometry`;
    draw(Server.state(), name);
    update(Server.state());
    scrollTo(0, 0);
  }
  function draw(state, name = shown.split(" ")[0]) {
    const busy = state.jobs.filter((job) => job.state === "waiting" || job.state === "running").length;
    const link = (key, ...text) => el("li", {}, el("a", { href: `#${key}`, "aria-current": key === name || (name === "job" && key === "results") ? "page" : null }, ...text));
    const badge = busy ? el("span", { class: "badge" }, String(busy), el("span", { class: "unseen" }, " at work")) : "";
    const key = JSON.stringify([name, busy, state.jobs.length]);
    if (tabs.dataset.key === key) return;
    tabs.dataset.key = key;
    const focused = tabs.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    tabs.replaceChildren(...Object.entries(Forms.FORMS).map(([one, form]) => link(one, form.tab)), link("results", "Results", badge));
    if (focused) tabs.querySelector(`[href="${focused}"]`)?.focus();
  }
  window.addEventListener("hashchange", route);
  Server.onChange((state) => { draw(state); update(state); });
  Server.refresh().finally(() => { route(); document.documentElement.dataset.ready = "1"; });
})();
