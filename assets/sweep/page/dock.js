/* The bar below the map: how far the sweep is, what is empty and why, and what can be done with it. */
(function () {
  "use strict";

  const { words } = window.nhviz.sweeps;
  const TOLD = 1800;
  const one = (selector) => document.querySelector(".sweep-page " + selector);
  const all = (selector) => Array.from(document.querySelectorAll(".sweep-page " + selector));
  let acts = {};

  function furnish(actions) {
    acts = actions;
    all(".sheet-open").forEach((button) => button.addEventListener("click", () => one("dialog.side").showModal()));
    all(".sheet-close").forEach((button) => button.addEventListener("click", () => one("dialog.side").close()));
  }

  /* A button says for a moment what has happened. */
  function say(button, promise) {
    const holder = button.querySelector("[data-label]") || button;
    const before = holder.dataset.words || holder.textContent;
    holder.dataset.words = before;
    promise.then(() => "Copied", () => "Not allowed").then((text) => {
      holder.textContent = text;
      window.setTimeout(() => {
        holder.textContent = before;
      }, TOLD);
    });
  }

  /* The header's share menu means the map while a map is open. */
  const SHARED = { csv: "csv", link: "link", "save-png": "png", "save-svg": "svg", python: "lines" };
  document.addEventListener("click", (event) => {
    const target = event.target.closest && event.target.closest("button");
    if (!target || !one(".surface")) return;
    const name = target.dataset.act || target.dataset.save || SHARED[target.id];
    if (!name || !acts[name]) return;
    const done = acts[name]();
    if (["copy", "lines", "link"].includes(name)) say(target, done);
  }, true);

  function write(room, parts) {
    room.replaceChildren();
    parts.forEach((part) => (typeof part === "string" ? room.append(part) : Object.assign(room.appendChild(document.createElement("b")), { textContent: part.strong })));
  }

  /* How many cells have no value, and why most of them have none. */
  function emptiness({ grid, empty }) {
    let count = 0;
    for (let c = 0; c < grid.values.length; c += 1) count += grid.done[c] && !Number.isFinite(grid.values[c]) ? 1 : 0;
    return count ? [" · ", { strong: words.counted(count) }, " empty" + (empty ? ": " + empty.label : "")] : [];
  }

  function follow(page, view) {
    const { data, grid, empty } = view;
    const done = data.state === "done" && !view.partial;
    const runs = data.state === "running" || data.state === "waiting" || (data.state === "done" && view.partial);
    const far = { done: grid.count, of: data.of };
    if (done) write(one(".far"), [{ strong: words.counted(data.of) + " cells" }, " in " + words.lasting(data.seconds), ...emptiness(view)]);
    else write(one(".far"), [...words.progress(far), ...(data.state === "cancelled" ? [", cancelled; what is there stays"] : [])]);
    one(".far").title = empty ? empty.reason : "";
    write(one(".left"), left(data, done));
    const share = (100 * grid.count) / data.of;
    one(".track").style.setProperty("--p", share + "%");
    one(".track").setAttribute("aria-valuenow", String(Math.floor(share)));
    const shown = { cancel: runs, on: data.state === "cancelled" || data.state === "failed", lines: !runs, csv: !runs, npz: !runs, out: !runs };
    Object.entries(shown).forEach(([name, is]) => {
      one('[data-act="' + name + '"]').hidden = !is;
    });
    one(".files").hidden = runs;
    one('[data-act="out"]').disabled = !acts.canOut();
    one(".map").classList.toggle("partial", view.partial);
    if (data.state === "failed") window.nhviz.sweeps.controls.complain("", data.sentence);
  }

  /* What is left, or that nothing is. */
  function left({ state, left: seconds, ahead, sentence }, done) {
    if (done) return ["kept: opens at once for everyone with this link"];
    if (state === "waiting") return [sentence || (ahead ? ahead + " before it" : "about to begin")];
    if (state !== "running" || seconds === null) return [sentence];
    return ["about ", { strong: words.lasting(Math.max(1, Math.round(seconds))) }, " left"];
  }

  /* A sentence where the time left stands. */
  function lost(sentence) {
    if (sentence && one(".left")) one(".left").textContent = sentence;
  }

  /* Save a file of what is there now; a sentence if there is none. */
  async function file(sweep, kind) {
    try {
      const answer = await window.fetch(window.nhviz.sweeps.wire.prefix() + "sweep/file", {
        method: "POST", credentials: "same-origin", body: JSON.stringify({ sweep, kind }), headers: { "Content-Type": "application/json" },
      });
      if (!answer.ok) return (answer.status < 500 && (await answer.text()).trim().slice(0, 200)) || "The server could not make the file.";
      window.nhviz.sweeps.save.saved(await answer.blob(), sweep.system + "-" + sweep.quantity + "." + kind);
      return "";
    } catch {
      return "The server does not answer. Nothing is lost: try again.";
    }
  }

  window.nhviz.sweeps.dock = { file, follow, furnish, lost };
})();
