"use strict";
// Requests to the server, and what it has: files and jobs.
const Server = (() => {
  const lost = document.getElementById("lost");
  let state = { uploads: [], folder: [], jobs: [] }, timer = 0;
  const listeners = [];

  /** Ask the server; an error says what it refused. */
  async function ask(path, options) {
    let answer;
    try {
      answer = await fetch(path, options);
    } catch {
      lost.hidden = false;
      throw new Error("The server does not answer.");
    }
    lost.hidden = answer.status !== 403;
    if (answer.status === 403) throw new Error("This address is no longer valid.");
    const given = await answer.json();
    if (!answer.ok) throw new Error(given.error || "The request was refused.");
    return given;
  }
  const post = (path, given) => ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given) });
  const put = (file, name) => ask(`files?name=${encodeURIComponent(name)}`, { method: "PUT", body: file });

  /** Ask for files and jobs now, and again soon while a job runs. */
  async function refresh() {
    clearTimeout(timer);
    let pause = 4000;
    try {
      state = await ask("state");
      if (state.jobs.some((job) => job.state === "waiting" || job.state === "running")) pause = 350;
      for (const call of listeners) call(state);
    } catch { /* the page says so already */ }
    timer = setTimeout(refresh, pause);
  }
  const onChange = (call) => listeners.push(call);
  return { ask, post, put, refresh, onChange, state: () => state };
})();
